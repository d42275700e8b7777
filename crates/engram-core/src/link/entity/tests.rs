//! What is one thing, what is two, and what is only proposed.

use super::*;
use crate::link::alias_pairs;
use crate::observe::entities_of;
use EntityKind::*;

pub(in crate::link) fn day(number: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + number * 86_400).unwrap()
}

pub(in crate::link) fn known(kind: EntityKind, name: &str) -> KnownEntity {
    KnownEntity { mentions: 1, ..KnownEntity::new(&entity(kind, name), day(0)) }
}

fn entity(kind: EntityKind, written: &str) -> Entity {
    Entity { kind, name: name_of(kind, written), written: written.to_owned(), version: None }
}

/// What is kept after `found` on day 1: names, other spellings, counts.
#[track_caller]
fn check(book: &EntityBook, found: &[Entity], pairs: &[(&str, &str)], expected: &str) -> EntityPlan {
    let pairs: Vec<(String, String)> =
        pairs.iter().map(|(name, alias)| ((*name).to_owned(), (*alias).to_owned())).collect();
    let plan = plan_entities(book, found, &pairs, day(1));
    let told = |entity: &KnownEntity| {
        let aliases = entity.aliases.iter().map(|alias| format!(" ={alias}")).collect::<String>();
        format!("{} {}{aliases} x{}", entity.kind, entity.name, entity.mentions)
    };
    assert_eq!(plan.entities.iter().map(told).collect::<Vec<_>>().join(", "), expected);
    plan
}

#[test]
fn a_new_thing_is_kept_as_it_was_written() {
    let plan = check(&EntityBook::default(), &[entity(Person, "Ayşe")], &[], "person ayse x1");
    let kept = &plan.entities[0];
    assert_eq!((kept.written.as_str(), kept.first_seen_at, kept.last_seen_at), ("Ayşe", day(1), day(1)));
    assert_eq!(kept.id, EntityId::of(Person, "AYSE"));
}

#[test]
fn spellings_of_one_name_are_one_thing_and_other_names_are_not() {
    for (kind, old, new, expected) in [
        (File, "src/a.rs", "./src/a.rs:12", "file src/a.rs x2"),
        (File, "src/a.rs", "src/A.rs", "file src/A.rs x1"),
        (Symbol, "load_config", "load_config()", "symbol load_config x2"),
        (Symbol, "loadConfig", "LoadConfig", "symbol LoadConfig x1"),
        (Package, "serde_json", "Serde-JSON", "package serde-json =Serde-JSON x2"),
        (Package, "serde", "serde-json", "package serde-json x1"),
        (Tool, "Redis", "redis", "tool redis =redis x2"),
        (Tool, "redis", "redux", "tool redux x1"),
        (Person, "Ayse", "Ayşe", "person ayse =Ayşe x2"),
        (Person, "Işıl", "IŞIL", "person isil =IŞIL x2"),
        (Person, "Ayşe", "Ayşegül", "person aysegul x1"),
        (Organisation, "Acme", "ACME", "organisation acme =ACME x2"),
        (Host, "db.Internal.io", "DB.internal.io", "host db.internal.io =DB.internal.io x2"),
    ] {
        check(&EntityBook::new([known(kind, old)]), &[entity(kind, new)], &[], expected);
    }
}

#[test]
fn a_tool_and_a_service_of_one_name_are_one_thing_and_a_package_is_another() {
    let book = EntityBook::new([known(Tool, "grafana")]);
    check(&book, &[entity(Service, "grafana")], &[], "tool grafana x2");
    check(&book, &[entity(Package, "grafana")], &[], "package grafana x1");
}

#[test]
fn a_bare_file_name_is_the_only_path_that_ends_in_it() {
    let bare = [entity(File, "b.rs")];
    let one = EntityBook::new([known(File, "src/a/b.rs")]);
    let two = EntityBook::new([known(File, "src/a/b.rs"), known(File, "src/c/b.rs")]);
    let root = EntityBook::new([known(File, "src/a/b.rs"), known(File, "b.rs")]);
    check(&one, &bare, &[], "file src/a/b.rs =b.rs x2");
    check(&two, &bare, &[], "file b.rs x1");
    check(&root, &bare, &[], "file b.rs x2");
    let both = [entity(File, "b.rs"), entity(File, "src/a/b.rs")];
    check(&EntityBook::default(), &both, &[], "file src/a/b.rs =b.rs x1");
    check(&EntityBook::new([known(File, "src/c/b.rs")]), &both, &[], "file src/a/b.rs x1, file b.rs x1");
}

#[test]
fn the_end_of_a_path_stops_being_its_name_when_another_path_ends_so() {
    let mut path = known(File, "src/a/b.rs");
    path.aliases.insert("b.rs".to_owned());
    let book = EntityBook::new([path, known(File, "src/c/b.rs")]);
    check(&book, &[entity(File, "b.rs")], &[], "file b.rs x1");
}

#[test]
fn names_that_are_alike_are_proposed_and_never_merged() {
    for (kind, old, new, proposed) in [
        (Tool, "postgres", "postgresql", true),
        (Service, "payment-service", "payments-service", true),
        (Organisation, "Anthropic", "Antropic", true),
        (Person, "Maria", "Mario", false),
        (Tool, "redis", "redux", false),
        (Package, "serde-json", "serde-jsom", false),
        (File, "src/session.rs", "src/sessions.rs", false),
        (Symbol, "load_config", "load_configs", false),
    ] {
        let new = entity(kind, new);
        let expected = format!("{kind} {} x1", new.name);
        let plan = check(&EntityBook::new([known(kind, old)]), std::slice::from_ref(&new), &[], &expected);
        let (new, old) = (EntityId::of(kind, &new.name), EntityId::of(kind, old));
        let pairs: Vec<_> = plan.proposals.iter().map(|proposal| (proposal.new, proposal.old)).collect();
        assert_eq!(pairs, if proposed { vec![(new, old)] } else { Vec::new() }, "{expected}");
        assert!(plan.merges.is_empty());
    }
}

#[test]
fn a_known_thing_is_not_proposed_again() {
    let book = EntityBook::new([known(Tool, "postgres"), known(Tool, "postgresql")]);
    let plan = check(&book, &[entity(Tool, "postgresql")], &[], "tool postgresql x2");
    assert!(plan.proposals.is_empty());
}

#[test]
fn another_name_that_is_said_outright_becomes_an_alias() {
    let found = [entity(Tool, "Valkey"), entity(Tool, "Redis")];
    let pair = [("Valkey", "Redis")];
    let none = EntityBook::default();
    check(&none, &found, &pair, "tool valkey =Redis x1");
    check(&EntityBook::new([known(Tool, "valkey")]), &found, &pair, "tool valkey =Redis =Valkey x2");
    check(&EntityBook::new([known(Tool, "redis")]), &found, &pair, "tool redis =Redis =Valkey x2");
    let people = [entity(Person, "Valkey"), entity(Tool, "Redis")];
    check(&none, &people, &pair, "person valkey x1, tool redis x1");
    check(&none, &found[..1], &pair, "tool valkey x1");
}

#[test]
fn of_two_known_things_that_are_one_the_better_known_stays() {
    let mut redis = known(Tool, "redis");
    redis.mentions = 5;
    redis.version = Some("7".to_owned());
    let book = EntityBook::new([redis, known(Service, "valkey")]);
    let found = [entity(Tool, "Valkey"), entity(Tool, "Redis")];
    let plan = check(&book, &found, &[("Valkey", "Redis")], "tool redis =Redis =Valkey =valkey x7");
    let (gone, into) = (EntityId::of(Tool, "valkey"), EntityId::of(Tool, "redis"));
    assert_eq!(plan.merges, [Merge { gone, into }]);
    assert_eq!(plan.entities[0].version.as_deref(), Some("7"));

    let mut book = book;
    book.remove(gone);
    plan.entities.into_iter().for_each(|entity| book.put(entity));
    check(&book, &[entity(Tool, "valkey")], &[], "tool redis =Redis =Valkey =valkey x8");
}

#[test]
fn a_chain_of_names_ends_in_one_thing() {
    let book = EntityBook::new([known(Tool, "one"), known(Tool, "two"), known(Tool, "three")]);
    let found = [entity(Tool, "one"), entity(Tool, "two"), entity(Tool, "three")];
    let pairs = [("two", "one"), ("three", "two"), ("one", "three")];
    let plan = check(&book, &found, &pairs, "tool three =one =two x4");
    assert_eq!(plan.merges.len(), 2);
}

#[test]
fn names_in_both_languages_are_read_from_the_text() {
    for (text, expected) in [
        ("the cache runs Valkey 8.0 (formerly Redis 7.2)", "tool valkey =Redis x1"),
        ("önbellek Valkey 8.0 (eski adıyla Redis 7.2) ile çalışıyor", "tool valkey =Redis x1"),
        ("@lena, also known as @len, owns it", "person lena =len x1"),
    ] {
        let pairs = alias_pairs(text);
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, alias)| (&name[..], &alias[..])).collect();
        check(&EntityBook::default(), &entities_of(text), &pairs, expected);
    }
}

#[test]
fn the_version_that_was_said_last_is_kept() {
    let mut postgres = known(Tool, "postgres");
    postgres.version = Some("15".to_owned());
    postgres.last_seen_at = day(5);
    let book = EntityBook::new([postgres]);
    let found = [Entity { version: Some("16".to_owned()), ..entity(Tool, "postgres") }];
    for (number, version) in [(9, "16"), (1, "15")] {
        let plan = plan_entities(&book, &found, &[], day(number));
        let kept = &plan.entities[0];
        assert_eq!(kept.version.as_deref(), Some(version), "day {number}");
        assert_eq!((kept.first_seen_at, kept.last_seen_at), (day(0), day(number.max(5))));
    }
}

#[test]
fn nothing_collects_names_without_end() {
    let mut tool = known(Tool, "redis");
    tool.aliases.extend((0..MOST_ALIASES).map(|number| format!("name{number}")));
    let book = EntityBook::new([tool]);
    let plan = plan_entities(&book, &[entity(Tool, "REDIS")], &[], day(1));
    assert_eq!(plan.entities[0].aliases.len(), MOST_ALIASES);
}

#[test]
fn a_memory_mentions_each_thing_once() {
    let found = [entity(Tool, "Redis"), entity(Service, "redis"), entity(File, "src/a.rs")];
    let plan = plan_entities(&EntityBook::default(), &found, &[], day(1));
    let memory = MemoryId::from_ulid(ulid::Ulid(7));
    let entities: Vec<EntityId> =
        plan.mentions_by(memory, day(1)).iter().map(|mention| mention.entity).collect();
    assert_eq!(entities, [EntityId::of(Tool, "redis"), EntityId::of(File, "src/a.rs")]);
}

#[test]
fn a_thing_is_the_surer_the_more_often_it_is_seen() {
    let mut book = EntityBook::default();
    for expected in [0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0, 1.0] {
        let plan = plan_entities(&book, &[entity(Tool, "redis")], &[], day(1));
        let kept = plan.entities.into_iter().next().unwrap();
        assert!((kept.confidence().get() - expected).abs() < 1e-9, "{expected}: {:?}", kept.confidence);
        book.put(kept);
    }
}

#[test]
fn of_two_things_that_are_one_the_surer_word_stays() {
    let mut redis = known(Tool, "redis");
    redis.mentions = 5;
    redis.confidence = Some(Confidence::clamped(0.4));
    let book = EntityBook::new([redis, known(Tool, "valkey")]);
    let pairs = [("Valkey".to_owned(), "Redis".to_owned())];
    let plan = plan_entities(&book, &[entity(Tool, "Valkey"), entity(Tool, "Redis")], &pairs, day(1));
    let kept = &plan.entities[0];
    assert!((kept.confidence().get() - 0.75).abs() < 1e-9, "{:?}", kept.confidence);
}

#[test]
fn a_thing_that_was_kept_before_it_had_a_confidence_reads_as_ever() {
    let tool = known(Tool, "redis");
    let line = serde_json::to_value(&tool).unwrap();
    assert!(line.get("confidence").is_none());
    assert_eq!(serde_json::from_value::<KnownEntity>(line).unwrap(), tool);
}

#[test]
fn a_kept_thing_reads_back_as_it_was() {
    let mut tool = known(Tool, "Redis");
    tool.aliases.insert("valkey".to_owned());
    let line = serde_json::to_string(&tool).unwrap();
    assert_eq!(serde_json::from_str::<KnownEntity>(&line).unwrap(), tool);
}
