//! What texts claim, and what makes no claim, in English and Turkish.

use super::*;
use proptest::prelude::*;

fn told(text: &str) -> String {
    claims_in(text).iter().map(Claim::to_string).collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn check(table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .filter(|(text, expected)| told(text) != *expected)
        .map(|(text, expected)| format!("{text}\n  found    {}\n  expected {expected}", told(text)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_are_claimed_by_their_paths() {
    check(&[
        ("The token check lives in src/auth.rs.", "the file src/auth.rs"),
        ("see ./src/cache/lru.rs:42 for the eviction", "the file src/cache/lru.rs"),
        ("Cargo.toml lists every member", "the file Cargo.toml"),
        ("handlers go under src/handlers/", "the file src/handlers"),
        ("The Makefile drives the release", "the file Makefile"),
        ("Do not edit src/schema.rs by hand", "the file src/schema.rs"),
        ("run ./scripts/reset.sh before the demo", "the file scripts/reset.sh"),
        ("migrations run with `python manage.py migrate`", "the file manage.py"),
        ("CI config is in .github/workflows/ci.yml", "the file .github/workflows/ci.yml"),
        ("To add a route, edit src/routes.rs", "the file src/routes.rs"),
        ("oturum kodu src/session.rs dosyasında", "the file src/session.rs"),
        ("ayarlar config/app.yaml'da duruyor", "the file config/app.yaml"),
        ("`src/mail.rs`'deki kuyruk tek iş parçacıklı", "the file src/mail.rs"),
        ("We moved the parser from src/parse.rs to src/parse/mod.rs", "the file src/parse/mod.rs"),
        ("src/a.rs was renamed to src/b.rs", "the file src/b.rs"),
        ("The limits were in src/a.rs and are now in src/limits.rs", "the file src/limits.rs"),
        ("src/new.rs is used instead of src/old.rs", "the file src/new.rs"),
        ("src/fresh.rs (formerly src/stale.rs) reads the feed", "the file src/fresh.rs"),
        ("src/eski.rs yerine src/yeni.rs okunuyor", "the file src/yeni.rs"),
        ("kod src/a.rs'den src/b.rs'e taşındı", "the file src/b.rs"),
    ]);
}

#[test]
fn symbols_are_claimed_by_their_shape_or_by_what_they_are_called() {
    check(&[
        ("`SessionStore::evict` drops the oldest", "the symbol `SessionStore::evict`"),
        ("call flush_queue() at the end of a turn", "the symbol `flush_queue`"),
        ("the function `settle` closes an order", "the symbol `settle`"),
        ("retry_delay is a constant of the client", "the symbol `retry_delay`"),
        ("The struct OrderBook holds the open orders", "the symbol `OrderBook`"),
        ("`LruCache<K, V>` has a lock of its own", "the symbol `LruCache`"),
        ("`hesapla` fonksiyonu yuvarlar", "the symbol `hesapla`"),
        ("SiparisDefteri sınıfı açık siparişleri tutar", "the symbol `SiparisDefteri`"),
        ("the OrderBook is busy", ""),
        ("`main` is protected", ""),
    ]);
}

#[test]
fn commands_are_claimed_where_a_project_defines_them() {
    check(&[
        ("seed the database with `make seed`", "the command `make seed`"),
        ("run make lint before pushing", "the command `make lint`"),
        ("`npm run e2e` needs a browser", "the command `npm run e2e`"),
        ("the docs are built with pnpm run docs", "the command `pnpm run docs`"),
        ("`pnpm storybook` starts the catalogue", "the command `pnpm run storybook`"),
        ("`yarn run build` writes to dist", "the command `yarn run build`"),
        ("`cargo xtask` wraps the release", "the command `cargo xtask`"),
        ("`cargo test` runs everything", ""),
        ("`just deploy` asks first", "the command `just deploy`"),
        ("`task db:reset` empties the tables", "the command `task db:reset`"),
        ("`composer check-style` is part of CI", "the command `composer check-style`"),
        ("`cd web && CI=1 make -C api bundle`", "the command `make bundle`"),
        ("testler için `make test` çalıştır", "the command `make test`"),
        ("veritabanı make seed komutuyla dolar", "the command `make seed`"),
        ("make sure that the cache is warm", ""),
        ("`pnpm install` takes a while", ""),
    ]);
}

#[test]
fn versions_are_claimed_where_they_are_in_use() {
    check(&[
        ("The frontend uses react 18", "version 18 of react"),
        ("CI runs on node 20.11", "version 20.11 of node"),
        ("Rust edition 2021 everywhere", "version 2021 of edition"),
        ("rust-version 1.85 is what the workspace says", "version 1.85 of rust-version"),
        ("the worker needs Python 3.12", "version 3.12 of python"),
        ("rayon = 1.38 in the workspace", "version 1.38 of rayon"),
        ("pinned `serde@1.0.200`", "version 1.0.200 of serde"),
        ("production is on PostgreSQL 16", "version 16 of postgres"),
        ("We upgraded to react 19", "version 19 of react"),
        ("arayüz react 18 kullanıyor", "version 18 of react"),
        ("sunucu node 20 ile çalışıyor", "version 20 of node"),
        ("react 19'a geçtik", "version 19 of react"),
        ("we should upgrade to react 19", ""),
        ("it was on node 16", ""),
        ("works with node 18 and newer", ""),
        ("it fails on python 3.13", ""),
        ("a run takes 1.5 seconds", ""),
        ("retry 3 times", ""),
    ]);
}

#[test]
fn ports_are_claimed_where_something_listens() {
    check(&[
        ("The api listens on port 8080", "port 8080"),
        ("open http://localhost:3000/health in a browser", "port 3000"),
        ("Postgres is reachable at :5432.", "port 5432"),
        ("the proxy listens on 8443", "port 8443"),
        ("ports 9090 and 9091 are for metrics", "port 9090, port 9091"),
        ("PORT=7070 by default", "port 7070"),
        ("servis 8080 portunda çalışıyor", "port 8080"),
        ("panel 9000 numaralı portta", "port 9000"),
        ("API artık 9090 portunda", "port 9090"),
        ("the meeting is at 10:30", ""),
        ("src/a.rs:120 is the line", "the file src/a.rs"),
    ]);
}

#[test]
fn what_is_past_planned_denied_foreign_or_an_example_makes_no_claim() {
    let silent = [
        "There is no file src/legacy.rs",
        "we removed src/a.rs",
        "src/x.rs was deleted last week",
        "The parser used to live in src/parse.rs",
        "src/old.rs is no longer part of the build",
        "We will put the cache into src/cache.rs",
        "Let's rename src/a.rs to src/b.rs",
        "Create src/metrics.rs for the counters",
        "maybe src/limits.rs is a better place",
        "For example, src/foo.rs could hold it",
        "e.g. src/foo.rs or src/bar.rs",
        "Is the token check in src/auth.rs?",
        "in the billing repo the check is in src/auth.rs",
        "Their project keeps it in src/core.rs",
        "the bug was in src/auth.rs",
        "`make seed` is gone",
        "we dropped `npm run e2e`",
        "`OldStore::open` has been removed",
        "it does not listen on port 8080",
        "before that the port was 8080",
        "we plan to move to react 19",
        "files like src/foo.rs are fine",
        "src/a.rs artık yok",
        "src/a.rs silindi",
        "`make seed` kaldırıldı",
        "eskiden src/giris.rs vardı",
        "servis 8080 portunu dinlemiyor",
        "önbelleği src/cache.rs'ye taşıyacağız",
        "örneğin src/foo.rs olabilir",
        "ödeme reposunda src/auth.rs var",
        "react 19'a geçmek istiyoruz",
        "src/a.rs nerede?",
        "github.com/acme/tools is public",
        "see /etc/hosts and ~/.zshrc",
        "ship it on 12/05/2026",
        "either and/or read/write",
    ];
    let table: Vec<(&str, &str)> = silent.iter().map(|text| (*text, "")).collect();
    check(&table);
}

#[test]
fn each_statement_speaks_for_itself() {
    check(&[
        ("src/a.rs was deleted; src/b.rs does it all", "the file src/b.rs"),
        ("src/a.rs is gone, but src/b.rs stays", "the file src/b.rs"),
        ("We removed `make old`. `make new` does the same.", "the command `make new`"),
        ("src/a.rs silindi ama src/b.rs duruyor", "the file src/b.rs"),
        ("The guide is docs/guide.md, not docs/old.md", "the file docs/guide.md"),
        ("src/a.rs works without src/b.rs", "the file src/a.rs"),
        ("node 22 kullanıyoruz, node 18 değil", "version 22 of node"),
        ("The rules are in src/a.rs rather than in src/b.rs", "the file src/a.rs"),
        ("Don't forget to run `make proto`", "the command `make proto`"),
        ("never call `unwrap()` there", ""),
        ("src/a.rs and src/a.rs again", "the file src/a.rs"),
    ]);
}

#[test]
fn a_claim_survives_its_own_serialisation() {
    let text = "src/a.rs has the function `go_on`, `make x`, port 8080 and node 20.11";
    let claims = claims_in(text);
    assert_eq!(claims.len(), 5, "{claims:?}");
    let written = serde_json::to_string(&claims).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Claim>>(&written).unwrap(), claims);
    assert!(written.starts_with(r#"[{"file":"src/a.rs"},{"symbol":"go_on"}"#), "{written}");
}

#[test]
fn a_listing_is_read_only_so_far() {
    let text = (0..40).map(|number| format!("src/f{number}.rs ")).collect::<String>();
    assert_eq!(claims_in(&text).len(), MOST_CLAIMS);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_text_is_too_odd_to_be_read(text in "[a-zçğıöşü`'() .:;/=@0-9\n-]{0,120}") {
        claims_in(&text);
    }

    #[test]
    fn a_file_that_is_said_to_be_there_is_claimed_and_one_that_was_deleted_is_not(stem in "[a-z]{3,9}") {
        let path = format!("src/{stem}.rs");
        prop_assert_eq!(claims_in(&format!("The feed is read in {path}.")), [Claim::File(path.clone())]);
        let deleted = claims_in(&format!("{path} was deleted."));
        prop_assert!(deleted.is_empty(), "{deleted:?}");
    }
}
