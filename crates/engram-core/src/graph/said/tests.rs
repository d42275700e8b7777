//! What is told of two things, and what only sounds like it.

use super::*;
use proptest::prelude::*;

const PEOPLE: [&str; 2] = ["Ada", "Ayşe"];

fn kind_of(name: &str) -> EntityKind {
    if PEOPLE.contains(&name) {
        EntityKind::Person
    } else if name.contains(['.', '/']) {
        EntityKind::File
    } else {
        EntityKind::Tool
    }
}

/// The bonds of a text in which the things between square brackets are named.
fn told(text: &str) -> String {
    let mut names: Vec<&str> = text.split('[').skip(1).filter_map(|rest| rest.split(']').next()).collect();
    names.dedup();
    let named: Vec<Named<'_>> = names
        .iter()
        .map(|name| Named { id: EntityId::of(kind_of(name), name), name, kind: kind_of(name) })
        .collect();
    let name = |id: EntityId| named.iter().find(|named| named.id == id).map_or("?", |named| named.name);
    let plain = text.replace(['[', ']'], "");
    let told = bonds_in(&plain, &named).into_iter();
    told.map(|(from, kind, to)| format!("{} {kind} {}", name(from), name(to))).collect::<Vec<_>>().join(", ")
}

/// Every text that is not read as expected is shown, not only the first.
#[track_caller]
fn check(table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .map(|(text, expected)| (text, expected, told(text)))
        .filter(|(_, expected, found)| *expected != found)
        .map(|(text, expected, found)| format!("{text}: {found:?}, not {expected:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_one_thing_is_to_another_is_said_in_english() {
    check(&[
        ("[billing] uses [Redis]", "billing uses Redis"),
        ("The [billing] service now uses [Redis] 7 for sessions.", "billing uses Redis"),
        ("[Redis] is used by [billing]", "billing uses Redis"),
        ("the [api] depends on [Postgres]", "api depends_on Postgres"),
        ("our [api] still relies heavily on the database [Postgres].", "api depends_on Postgres"),
        ("[api] needs [Postgres]", "api depends_on Postgres"),
        ("[Redis] is part of the [cache tier]", "Redis part_of cache tier"),
        ("the [cache tier] consists of [Redis]", "Redis part_of cache tier"),
        ("[Valkey] is a [datastore]", "Valkey is_a datastore"),
        ("[Valkey] is a [datastore] for sessions", "Valkey is_a datastore"),
        ("[Valkey] replaced [Redis]", "Valkey replaces Redis"),
        ("[Redis] has been replaced by [Valkey].", "Valkey replaces Redis"),
        ("we replaced [Redis] with [Valkey]", "Valkey replaces Redis"),
        ("We have finally swapped [Redis] for [Valkey] in staging", "Valkey replaces Redis"),
        ("Replaced [Redis] with [Valkey]", "Valkey replaces Redis"),
        ("[Ada] replaced [Redis] with [Valkey]", "Valkey replaces Redis"),
        ("we migrated from [Redis] to [Valkey]", "Valkey replaces Redis"),
        ("we run [Valkey] instead of [Redis]", "Valkey replaces Redis"),
        ("[auth.rs] is tested by [auth_test.rs]", "auth.rs tested_by auth_test.rs"),
        ("`[auth_test.rs]` covers `[auth.rs]`", "auth.rs tested_by auth_test.rs"),
        ("[nginx] is configured in [ops/nginx.conf]", "nginx configured_by ops/nginx.conf"),
        ("[ansible] configures [nginx]", "nginx configured_by ansible"),
        ("[a.ts] imports [b.ts]", "a.ts imports b.ts"),
        ("[a.ts] and [c.ts] both import [b.ts]", "a.ts imports b.ts, c.ts imports b.ts"),
        ("[b.ts] is imported by [a.ts]", "a.ts imports b.ts"),
        ("the [leak] causes [timeouts]", "leak causes timeouts"),
        ("the [timeouts] were caused by the [leak]", "leak causes timeouts"),
        ("the [patch] fixes the [leak]", "patch fixes leak"),
        ("[eslint] conflicts with [prettier]", "eslint contradicts prettier"),
        ("[billing] is related to [ledger]", "billing related_to ledger"),
    ]);
}

#[test]
fn what_one_thing_is_to_another_is_said_in_turkish() {
    check(&[
        ("[billing] [Redis] kullanıyor", "billing uses Redis"),
        ("[billing] servisi artık [Redis]'i kullanıyor.", "billing uses Redis"),
        ("[Redis] [billing] tarafından kullanılıyor", "billing uses Redis"),
        ("[api] [Postgres]'e bağımlı", "api depends_on Postgres"),
        ("[api] [Postgres] gerektiriyor", "api depends_on Postgres"),
        ("[Valkey] bir [veritabanı]dır", ""),
        ("[Valkey] bir [önbellek]", "Valkey is_a önbellek"),
        ("[Redis] [önbellek]'in bir parçası", "Redis part_of önbellek"),
        ("[Redis] yerine [Valkey]", "Valkey replaces Redis"),
        ("önbellek için [Redis] yerine [Valkey] kullanıyoruz", "Valkey replaces Redis"),
        ("[Valkey] [Redis]'in yerini aldı", "Valkey replaces Redis"),
        ("[Redis]'i [Valkey] ile değiştirdik", "Valkey replaces Redis"),
        ("[Redis]'ten [Valkey]'e geçtik", "Valkey replaces Redis"),
        ("kullanıcı önbellek için [Redis]'ten [Valkey]'e geçti", "Valkey replaces Redis"),
        ("[Redis] [Valkey] ile değiştirildi", "Valkey replaces Redis"),
        ("[sızıntı] [gecikme]'ye neden oluyor", "sızıntı causes gecikme"),
        ("[yama] [sızıntı]'yı düzeltti", "yama fixes sızıntı"),
        ("[auth.rs] [auth_test.rs] ile test ediliyor", "auth.rs tested_by auth_test.rs"),
        ("[auth_test.rs] [auth.rs]'i test ediyor", "auth.rs tested_by auth_test.rs"),
        ("[nginx] [ops/nginx.conf]'ta yapılandırılıyor", "nginx configured_by ops/nginx.conf"),
        ("[a.ts] [b.ts]'i import ediyor", "a.ts imports b.ts"),
        ("[eslint] [prettier] ile çelişiyor", "eslint contradicts prettier"),
        ("[billing] [ledger] ile ilgili", "billing related_to ledger"),
    ]);
}

#[test]
fn what_is_denied_asked_planned_or_conditional_is_no_bond() {
    check(&[
        ("[billing] does not use [Redis]", ""),
        ("[billing] doesn't use [Redis]", ""),
        ("[billing] no longer uses [Redis]", ""),
        ("[billing] never uses [Redis]", ""),
        ("[billing] used [Redis]", ""),
        ("[billing] used to use [Redis]", ""),
        ("neither [auth] nor [billing] uses [Redis]", ""),
        ("it is not true that [billing] uses [Redis]", ""),
        ("I doubt that [billing] uses [Redis]", ""),
        ("[billing] uses [Redis]?", ""),
        ("does [billing] use [Redis]", ""),
        ("why [billing] uses [Redis] is unclear?", ""),
        ("if [billing] uses [Redis], it needs a password", ""),
        ("[billing] uses [Redis] when the flag is on", ""),
        ("[billing] will use [Redis]", ""),
        ("[billing] might use [Redis]", ""),
        ("[billing] should use [Redis]", ""),
        ("[billing] can use [Redis]", ""),
        ("maybe [billing] uses [Redis]", ""),
        ("we plan to replace [Redis] with [Valkey]", ""),
        ("we will have replaced [Redis] with [Valkey]", ""),
        ("we have not replaced [Redis] with [Valkey]", ""),
        ("let's use [Valkey] instead of [Redis]", ""),
        ("we do not use [Valkey] instead of [Redis]", ""),
        ("Ada says [billing] uses [Redis]", ""),
        ("[billing] [Redis] kullanmıyor", ""),
        ("[billing] [Redis] kullanıyor mu?", ""),
        ("[billing] [Redis] kullanacak", ""),
        ("[billing] [Redis] kullanmalı", ""),
        ("[billing] [Redis] kullanırsa yavaşlar", ""),
        ("belki [billing] [Redis] kullanıyor", ""),
        ("[Redis] yerine [Valkey] kullanalım", ""),
        ("[Redis] yerine [Valkey] kullanmıyoruz", ""),
        ("[Redis]'ten [Valkey]'e geçeceğiz", ""),
        ("[Redis]'ten [Valkey]'e geçmedik", ""),
        ("[api] [Postgres]'e bağımlı değil", ""),
        ("[billing] uses [Redis] no longer", ""),
    ]);
}

#[test]
fn what_only_sounds_like_a_bond_is_none() {
    check(&[
        ("[billing] and [Redis]", ""),
        ("[billing], [Redis]", ""),
        ("the people behind [billing] use [Redis]", ""),
        ("the team that owns [billing] uses [Redis]", ""),
        ("[billing]'s tests use [Redis]", ""),
        ("[Valkey] is a [Redis] fork", ""),
        ("[billing] writes to [Redis]", ""),
        ("[billing] is slow. It uses [Redis]", ""),
        ("[billing] is slow. [Redis] is not.", ""),
        ("[Ada] replaced [Redis]", ""),
        ("[auth.rs] is tested by [Ada]", ""),
        ("[Ada] fixed [auth.rs]", ""),
        ("[billing] imports [Redis.io.x] [and] more", ""),
        ("we moved from [src/a.rs] to [src/b.rs]", ""),
        ("[src/a.rs]'ten [src/b.rs]'e taşındık", ""),
        ("we use [Redis], not [Valkey]", ""),
        ("[Redis] uses [Redis]", ""),
        ("[Redis] caused [billing] trouble", ""),
        ("[Valkey] bir [Redis] çatalı", ""),
        ("option A: [billing] uses [Redis]", ""),
        ("for [billing]: use [Redis]", ""),
        ("[billing]: use [Redis]", ""),
        ("", ""),
    ]);
}

#[test]
fn lists_and_clauses_are_told_apart() {
    check(&[
        ("[billing] and [auth] use [Redis]", "billing uses Redis, auth uses Redis"),
        (
            "[billing] uses [Redis], [Kafka] and [nginx]",
            "billing uses Redis, billing uses Kafka, billing uses nginx",
        ),
        ("[billing] uses [Redis] and [auth] uses [Postgres]", "billing uses Redis, auth uses Postgres"),
        ("[billing] uses [Redis], [auth] uses [Postgres]", "billing uses Redis, auth uses Postgres"),
        (
            "[billing] uses [Redis] because [auth] depends on [Postgres]",
            "billing uses Redis, auth depends_on Postgres",
        ),
        (
            "[billing] uses [Redis] and [Kafka] instead of [Memcached]",
            "billing uses Redis, billing uses Kafka, Redis replaces Memcached, Kafka replaces Memcached",
        ),
        ("In staging, [billing] uses [Redis].", "billing uses Redis"),
        (
            "[billing] uses [Redis]. [Redis] is part of [platform].",
            "billing uses Redis, Redis part_of platform",
        ),
        ("[billing] [Redis] ve [Kafka] kullanıyor", "billing uses Redis, billing uses Kafka"),
        (
            "remember that [billing] uses [Redis] instead of [Memcached]",
            "billing uses Redis, Redis replaces Memcached",
        ),
    ]);
}

#[test]
fn a_text_tells_of_a_handful_at_most() {
    let names: Vec<String> = (0..20).map(|number| format!("svc{number}")).collect();
    let named: Vec<Named<'_>> = names
        .iter()
        .map(|name| Named { id: EntityId::of(EntityKind::Tool, name), name, kind: EntityKind::Tool })
        .collect();
    let text: String = names.windows(2).map(|two| format!("{} uses {}. ", two[0], two[1])).collect();
    assert_eq!(bonds_in(&text, &named).len(), MOST_SAID);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_said_the_ends_are_two_of_the_named_things(
        pieces in prop::collection::vec(
            prop::sample::select(vec![
                "billing", "Redis", "Redis'i", "Valkey,", "uses", "and", "the", "replaced", "with", "by", "is",
                "kullanıyor", "yerine", "ve", "not", "(", "—", "`", "'", "ş", ".", ";",
            ]),
            0..16,
        ),
    ) {
        let named = ["billing", "Redis", "Valkey"]
            .map(|name| Named { id: EntityId::of(EntityKind::Tool, name), name, kind: EntityKind::Tool });
        let bonds = bonds_in(&pieces.join(" "), &named);
        prop_assert!(bonds.len() <= MOST_SAID);
        for (from, _, to) in bonds {
            prop_assert!(from != to);
            prop_assert!([from, to].iter().all(|id| named.iter().any(|named| named.id == *id)));
        }
    }
}
