//! The table of claims: what a new text means for an old one.

use super::*;
use proptest::prelude::*;

mod changes;

fn shown(bearing: &Bearing) -> String {
    match bearing {
        Bearing::Same => "same".into(),
        Bearing::Adds => "adds".into(),
        Bearing::Contained => "contained".into(),
        Bearing::Unrelated => "unrelated".into(),
        Bearing::Unsure(doubt) => format!("unsure: {doubt}"),
        Bearing::Contradicts(Difference { why, old, new }) => format!("{why}: {old} -> {new}"),
    }
}

/// Every row is an old text, a new one, and what comes of them.
fn check(rows: &[(&str, &str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(old, new, expected)| {
            let found = shown(&compare(old, new));
            (found != *expected)
                .then(|| format!("{old} | {new}\n   expected {expected}\n   found    {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn another_value_of_the_same_slot_contradicts() {
    check(&[
        ("the staging key is in vault", "the staging key is in 1password", "value: vault -> 1password"),
        ("the staging key is in vault", "the staging key is now in 1password", "value: vault -> 1password"),
        (
            "The staging key lives in vault.",
            "the staging key is stored in 1password",
            "value: vault -> 1password",
        ),
        ("we keep secrets in vault", "we keep secrets in 1password", "value: vault -> 1password"),
        ("tests run with make test", "tests run with cargo test", "value: make test -> cargo test"),
        ("run tests with make test", "run the tests with cargo nextest", "value: make test -> cargo nextest"),
        ("I prefer tabs", "I prefer spaces", "value: tabs -> spaces"),
        ("the default branch is main", "the default branch is develop", "value: main -> develop"),
        ("default branch: main", "default branch: trunk", "value: main -> trunk"),
        ("the owner of billing is Ada", "the owner of billing is Nadia", "value: Ada -> Nadia"),
        ("billing is owned by Ada", "billing is owned by Nadia", "value: Ada -> Nadia"),
        ("deploys happen on Fridays", "deploys happen on Mondays", "value: Fridays -> Mondays"),
        ("the api is deployed to heroku", "the api is deployed to fly", "value: heroku -> fly"),
        ("we use npm", "we use pnpm", "value: npm -> pnpm"),
        ("use tabs", "use spaces", "value: tabs -> spaces"),
        ("we use Redis for caching", "we use Memcached for caching", "value: Redis -> Memcached"),
        ("the service is called atlas", "the service is called hermes", "value: atlas -> hermes"),
        ("LOG_LEVEL=info", "LOG_LEVEL=debug", "value: info -> debug"),
        ("our CI runs on GitHub Actions", "our CI runs on Buildkite", "value: GitHub Actions -> Buildkite"),
        ("the docs live in docs/", "the docs live in site/", "value: docs/ -> site/"),
        ("in 2023 we used npm", "now we use pnpm", "value: npm -> pnpm"),
        ("we deploy with Ansible", "we deploy with Terraform", "value: Ansible -> Terraform"),
        (
            "release branches are cut on Thursdays",
            "release branches are cut on Tuesdays",
            "value: Thursdays -> Tuesdays",
        ),
        ("the cron job runs nightly", "the cron job runs hourly", "value: nightly -> hourly"),
        ("I live in Berlin", "I live in Munich", "value: Berlin -> Munich"),
        ("we store uploads in S3", "uploads are stored on the local disk", "value: S3 -> local disk"),
        (
            "the config file is config.toml",
            "the config file is settings.json",
            "value: config.toml -> settings.json",
        ),
        ("functions use snake_case", "functions use camelCase", "value: snake_case -> camelCase"),
        ("the user works at Acme", "the user works at Initech", "value: Acme -> Initech"),
    ]);
}

#[test]
fn another_number_or_version_contradicts() {
    check(&[
        ("we use Postgres 15", "we use Postgres 16", "version: 15 -> 16"),
        ("the server listens on port 8080", "the server listens on port 9090", "number: 8080 -> 9090"),
        ("the server is listening on port 8080", "the server listens on 9090", "number: 8080 -> 9090"),
        ("the api is at v1.2.3", "the api is at v1.3.0", "version: v1.2.3 -> v1.3.0"),
        ("the minimum Rust version is 1.80", "the minimum Rust version is 1.85", "version: 1.80 -> 1.85"),
        ("the timeout is 30s", "the timeout is 60s", "number: 30s -> 60s"),
        ("there are three replicas", "there are five replicas", "number: three -> five"),
        ("the request limit is 100 per minute", "the request limit is 250 per minute", "number: 100 -> 250"),
        ("CI uses python3.11", "CI uses python3.12", "version: python3.11 -> python3.12"),
        ("we retry 3 times", "we retry 5 times", "number: 3 -> 5"),
        ("the licence expires in 2025", "the licence expires in 2026", "number: 2025 -> 2026"),
        ("the retry limit is three", "the retry limit is 5", "number: three -> 5"),
        ("standup is at 9:30", "standup is at 10:00", "number: 9:30 -> 10:00"),
        ("auth tokens expire after 15 minutes", "auth tokens expire after 60 minutes", "number: 15 -> 60"),
        ("PORT=8080", "PORT=9090", "number: 8080 -> 9090"),
    ]);
}

#[test]
fn another_state_contradicts() {
    check(&[
        ("the feature flag is enabled", "the feature flag is disabled", "state: enabled -> disabled"),
        ("the cache is on", "the cache is off", "state: on -> off"),
        ("review is required", "review is optional", "state: required -> optional"),
        ("the build is passing", "the build is failing", "state: passing -> failing"),
        ("the staging server is up", "the staging server is down", "state: up -> down"),
        ("the v1 api is supported", "the v1 api is deprecated", "state: supported -> deprecated"),
        ("PR 42 was merged", "PR 42 was reverted", "state: merged -> reverted"),
        ("use the v1 api", "the v1 api is deprecated", "state: use v1 api -> deprecated"),
        ("the queue is empty", "the queue is full", "antonym: empty -> full"),
        (
            "migrations are run manually",
            "migrations are run automatically",
            "state: manually -> automatically",
        ),
        ("the repo is public", "the repository is private", "state: public -> private"),
        ("tests pass on main", "tests fail on main", "state: pass -> fail"),
        ("DEBUG=true", "DEBUG=false", "antonym: true -> false"),
        ("the user prefers short answers", "the user prefers long answers", "antonym: short -> long"),
    ]);
}

#[test]
fn denying_what_was_said_contradicts() {
    check(&[
        (
            "never commit to main",
            "commit straight to main",
            "negation: not: commit main -> commit straight main",
        ),
        (
            "CI is on GitHub Actions",
            "we no longer use GitHub Actions",
            "no_longer: GitHub Actions -> no longer: use GitHub Actions",
        ),
        ("we use Redis", "we don't use Redis", "negation: use Redis -> not: use Redis"),
        ("we use Redis", "we don't use Redis anymore", "no_longer: use Redis -> no longer: use Redis"),
        ("we use moment.js", "we dropped moment.js", "no_longer: use moment.js -> no longer: moment.js"),
        ("the api has a rate limit", "the api has no rate limit", "negation: rate limit -> not: rate limit"),
        (
            "tests need a database",
            "tests do not need a database",
            "negation: need database -> not: need database",
        ),
        ("always squash commits", "never squash commits", "negation: squash commits -> not: squash commits"),
        ("use unwrap in tests", "avoid unwrap in tests", "negation: use unwrap tests -> not: unwrap tests"),
        (
            "there is a staging server",
            "there is no staging server",
            "negation: staging server -> not: staging server",
        ),
        (
            "we use Jenkins for releases",
            "we stopped using Jenkins",
            "no_longer: use Jenkins releases -> no longer: Jenkins",
        ),
        (
            "Python 3.9 is supported",
            "Python 3.9 is no longer supported",
            "no_longer: supported -> no longer: supported",
        ),
        (
            "we have a staging environment",
            "the staging environment was removed",
            "no_longer: have staging environment -> no longer: staging environment",
        ),
        (
            "the team decided to use microservices",
            "the team decided against microservices",
            "negation: use microservices -> not: microservices",
        ),
    ]);
}

#[test]
fn a_change_contradicts_what_was_before() {
    check(&[
        ("the config is in config/", "config moved from config/ to etc/", "moved: config/ -> etc/"),
        ("the config is in config/", "the config was moved to etc/", "moved: config/ -> etc/"),
        ("config moved from config/ to etc/", "the config is in config/", "moved: etc/ -> config/"),
        ("the module is called payments", "the module was renamed to billing", "moved: payments -> billing"),
        ("we use npm", "we switched from npm to pnpm", "moved: npm -> pnpm"),
        ("we use npm", "we switched to pnpm", "moved: npm -> pnpm"),
        ("tickets are in Jira", "we moved from Jira to Linear", "moved: Jira -> Linear"),
        ("we use Jenkins", "Jenkins was replaced by Buildkite", "instead: Jenkins -> Buildkite"),
        ("we use Jenkins", "we replaced Jenkins with Buildkite", "instead: Jenkins -> Buildkite"),
        ("use spaces", "use tabs instead of spaces", "instead: spaces -> tabs"),
        (
            "the staging key is in vault",
            "the staging key is in 1password, not vault",
            "instead: vault -> 1password",
        ),
        ("we use Postgres 15", "we upgraded Postgres from 15 to 16", "version: 15 -> 16"),
        ("we moved from npm to yarn", "we moved from yarn to pnpm", "moved: yarn -> pnpm"),
        ("I live in Berlin", "I moved to Munich", "moved: Berlin -> Munich"),
        ("the timeout is 30s", "the timeout was increased to 60s", "moved: 30s -> 60s"),
        ("uploads go to S3", "we moved uploads from S3 to R2", "moved: S3 -> R2"),
    ]);
}

#[test]
fn what_can_both_be_so_does_not_contradict() {
    check(&[
        ("the staging key is in vault", "the production key is in 1password", "unrelated"),
        ("the port of redis is 6379", "the port of postgres is 5432", "unrelated"),
        ("we use Postgres", "we also use Redis", "unrelated"),
        ("we use Postgres", "we use Redis", "unsure: several"),
        ("Ada prefers tabs", "Nadia prefers spaces", "unrelated"),
        ("I prefer tabs", "Nadia prefers spaces", "unrelated"),
        ("the api has 3 replicas", "the api has 5 endpoints", "unsure: several"),
        ("in 2023 we used npm", "in 2024 we used pnpm", "unrelated"),
        ("we moved the flags to Unleash", "flags are named after their ticket", "unsure: change"),
        (
            "the staging database is called orders_stg",
            "we moved the staging database to db3",
            "unsure: change",
        ),
        ("the staging key is in vault", "where is the staging key?", "unsure: question"),
        ("the staging key is in vault", "is the staging key in 1password?", "unsure: question"),
        ("we use Postgres 15", "we plan to use Postgres 16", "unsure: plan"),
        ("we use npm", "we might switch to pnpm", "unrelated"),
        ("the staging key is in vault", "Ada says the staging key is in 1password", "unsure: report"),
        ("on Windows use npm", "on Linux use pnpm", "unrelated"),
        ("we use Postgres in staging", "we use Postgres in production", "unrelated"),
        ("we use npm", "we use pnpm in the web package", "unsure: scope"),
        ("the server is fast", "the server is expensive", "unsure: difference"),
        ("we use moment.js", "moment.js is deprecated", "unsure: change"),
        (
            "the payments module handles refunds",
            "the payments module was renamed to billing",
            "unsure: change",
        ),
        ("GitHub Actions minutes are billed monthly", "we no longer use GitHub Actions", "unsure: scope"),
        ("the timeout is 30s", "the timeout is about 45s", "unsure: hedge"),
        ("the timeout is 5s", "the timeout is 5000ms", "unsure: unit"),
        ("we use Redis", "we don't use Redis in staging", "unsure: scope"),
        (
            "data flows from the client to the server",
            "data flows from the server to the client",
            "unsure: order",
        ),
        ("the client opens the connection", "the client closes the connection", "unsure: difference"),
        (
            "the worker reads from the orders queue",
            "the worker writes to the orders queue",
            "unsure: difference",
        ),
        (
            "the staging database is a copy of production",
            "the staging database is empty",
            "unsure: difference",
        ),
        (
            "Ana veritabanı Ankara'da, yedek İstanbul'da",
            "Ana veritabanı İstanbul'da, yedek Ankara'da",
            "unsure: order",
        ),
        ("the client calls the server", "the server calls the client", "unsure: order"),
        ("port 80 of host 443 is closed", "port 443 of host 80 is closed", "unsure: order"),
        ("round 0 writer 3 turn 0", "round 3 writer 0 turn 0", "unsure: order"),
        ("a man is playing a guitar", "a man is playing a flute", "unsure: difference"),
        ("the team meets on Mondays", "the cache was rewritten in Rust", "unrelated"),
        ("the frontend is in web/", "the backend is in server/", "unrelated"),
        ("we should use Kafka", "we use RabbitMQ", "unsure: plan"),
        ("CI runs on every push", "CI runs on pull requests only", "unsure: hedge"),
        ("the cache ttl is 5 minutes", "the cache ttl is 300 seconds", "unsure: unit"),
        (
            "the fix for the login bug is to clear cookies",
            "the fix for the login bug is to restart nginx",
            "unsure: difference",
        ),
        ("the server crashed on Monday", "the server crashed on Tuesday", "unsure: difference"),
        ("the worker pool has 8 threads", "the io pool has 16 threads", "unrelated"),
        (
            "the staging api key for billing is not in vault",
            "the production api key for billing is in vault",
            "unsure: scope",
        ),
        ("there are two staging servers", "there is one staging server", "unsure: difference"),
        ("the crate depends on serde", "the crate depends on rayon", "unsure: several"),
        ("the free plan allows 3 projects", "the pro plan allows 50 projects", "unrelated"),
        ("the tests are slow on Windows", "the tests are fast on Linux", "unrelated"),
    ]);
}

#[test]
fn the_same_more_and_less() {
    check(&[
        ("the staging key is in vault", "The staging key is in Vault.", "same"),
        ("we use Postgres", "we're using PostgreSQL", "same"),
        ("the config lives in etc/", "the configuration is in etc/", "same"),
        ("the flag is not enabled", "the flag is disabled", "same"),
        ("we use Postgres", "we use Postgres 16", "adds"),
        ("we use Postgres 16", "we use Postgres", "contained"),
        ("we deploy on Fridays", "we deploy on Fridays with make ship", "adds"),
        ("never commit to main", "never commit to main, open a pull request", "adds"),
        ("we use Postgres", "we use a database", "contained"),
        ("the config is in etc/", "config moved from config/ to etc/", "adds"),
        ("we use Postgres. Deploys happen on Fridays.", "We use Postgres.", "contained"),
        ("we use Postgres", "We use Postgres. Deploys happen on Fridays.", "adds"),
        (
            "we use Postgres. Deploys happen on Fridays.",
            "Deploys happen on Mondays.",
            "value: Fridays -> Mondays",
        ),
        (
            "we use Postgres. Deploys happen on Fridays.",
            "We use Postgres. The api is in Go.",
            "unsure: partly",
        ),
        ("tests run with make test", "integration tests run with make test", "unsure: scope"),
    ]);
}

#[test]
fn turkish_claims() {
    check(&[
        ("staging anahtarı vault'ta", "staging anahtarı artık 1password'de", "value: vault -> 1password"),
        ("staging anahtarı vault'ta", "staging anahtari 1password'de duruyor", "value: vault -> 1password"),
        ("staging anahtarı vault'ta", "production anahtarı 1password'de", "unrelated"),
        ("Postgres 15 kullanıyoruz", "Postgres 16 kullanıyoruz", "version: 15 -> 16"),
        ("sunucu 8080 portunu dinliyor", "sunucu 9090 portunu dinliyor", "number: 8080 -> 9090"),
        ("redis'in portu 6379", "postgres'in portu 5432", "unrelated"),
        ("redis portu 6379", "redis portu 6380", "number: 6379 -> 6380"),
        (
            "testler make test ile çalışıyor",
            "testler cargo test ile çalışıyor",
            "value: make test -> cargo test",
        ),
        ("sekme tercih ediyorum", "boşluk tercih ediyorum", "value: sekme -> boşluk"),
        ("Ada sekmeleri tercih ediyor", "Nadia boşlukları tercih ediyor", "unrelated"),
        (
            "CI GitHub Actions üzerinde çalışıyor",
            "artık GitHub Actions kullanmıyoruz",
            "no_longer: GitHub Actions çalışıyor -> no longer: GitHub Actions kullanmıyoruz",
        ),
        (
            "Redis kullanıyoruz",
            "Redis kullanmıyoruz",
            "negation: Redis kullanıyoruz -> not: Redis kullanmıyoruz",
        ),
        (
            "Redis kullanıyoruz",
            "Redis'i artık kullanmıyoruz",
            "no_longer: Redis kullanıyoruz -> no longer: Redis kullanmıyoruz",
        ),
        ("Postgres kullanıyoruz", "ayrıca Redis kullanıyoruz", "unrelated"),
        ("Postgres kullanıyoruz", "Redis kullanıyoruz", "unsure: several"),
        ("npm kullanıyoruz", "pnpm kullanıyoruz", "value: npm -> pnpm"),
        ("npm kullanıyoruz", "npm yerine pnpm kullanıyoruz", "instead: npm -> pnpm"),
        ("npm kullanıyoruz", "npm'den pnpm'e geçtik", "moved: npm -> pnpm"),
        (
            "ayarlar config/ klasöründe",
            "ayarlar etc/ klasörüne taşındı",
            "moved: config/ klasöründe -> etc/ klasörüne",
        ),
        (
            "main'e asla commit atma",
            "doğrudan main'e commit at",
            "negation: not: main commit atma -> doğrudan main commit at",
        ),
        ("önbellek açık", "önbellek kapalı", "state: açık -> kapalı"),
        ("inceleme zorunlu", "inceleme zorunlu değil", "negation: zorunlu -> not: zorunlu"),
        (
            "deploy'lar cuma günü yapılır",
            "deploy'lar pazartesi günü yapılır",
            "value: cuma günü -> pazartesi günü",
        ),
        ("staging anahtarı vault'ta", "staging anahtarı nerede?", "unsure: question"),
        ("npm kullanıyoruz", "pnpm'e geçmeyi planlıyoruz", "unrelated"),
        ("Postgres 15 kullanıyoruz", "Postgres 16 kullanacağız", "unsure: plan"),
        ("staging'de Postgres kullanıyoruz", "production'da Postgres kullanıyoruz", "unrelated"),
        ("Postgres kullanıyoruz", "postgres kullaniyoruz", "same"),
        ("Postgres kullanıyoruz", "Postgres 16 kullanıyoruz", "adds"),
        ("varsayılan dal main", "varsayılan dal develop", "value: main -> develop"),
        ("staging sunucusu var", "staging sunucusu yok", "negation: sunucusu -> not: sunucusu"),
        ("biz Jira kullanıyoruz", "Jira kaldırıldı", "no_longer: Jira kullanıyoruz -> no longer: Jira"),
        ("kahve severim", "kahve sevmem", "negation: kahve severim -> not: kahve sevmem"),
        ("Ali Ankara'da yaşıyor", "Ali İzmir'de yaşıyor", "value: Ankara -> İzmir"),
        ("Ali Ankara'da yaşıyor", "Veli İzmir'de yaşıyor", "unrelated"),
        ("API JSON dönüyor", "API artık JSON değil XML dönüyor", "instead: JSON -> XML"),
        ("önbellek süresi 5 dakika", "önbellek süresi 10 dakika", "number: 5 -> 10"),
        ("deploy için make kullanıyoruz", "deploy için just kullanıyoruz", "value: make -> just"),
        ("deploy için make kullanıyoruz", "test için just kullanıyoruz", "unrelated"),
        ("Docker kullanıyoruz", "Docker'dan Podman'a geçtik", "moved: Docker -> Podman"),
        ("yedekler S3'te tutuluyor", "yedekler artık R2'de tutuluyor", "value: S3 -> R2"),
        ("ödeme servisi Go ile yazıldı", "arama servisi Rust ile yazıldı", "unrelated"),
    ]);
}

#[test]
fn overlap_is_the_share_of_the_words_that_both_texts_have() {
    for (one, other, expected) in [
        ("redis keeps the sessions", "redis keeps the sessions", 1.0),
        ("redis keeps sessions", "the queue is in redis", 0.25),
        ("redis keeps a session", "redis dropped sessions", 0.5),
        ("sunucuda oturumlar", "sunucu oturumu tutuyor", 2.0 / 3.0),
        ("port 5432", "port 5433", 1.0 / 3.0),
        ("lint runs nightly", "Ada owns billing", 0.0),
        ("it is the", "of it", 0.0),
        ("", "", 0.0),
    ] {
        let found = overlap(one, other);
        assert!((found.get() - expected).abs() < 1e-9, "{one} / {other}: {}", found.get());
        assert_eq!(found, overlap(other, one), "{one} / {other}");
    }
}

#[test]
fn likeness_follows_the_words() {
    for (one, near, far) in [
        ("the staging key is in vault", "the staging key is in 1password", "we deploy on fridays"),
        ("testleri make ile çalıştırıyoruz", "testler make ile çalıştırılır", "anahtar vault'ta duruyor"),
        ("Bir adam gitar çalıyor.", "Adam gitar çalar.", "Filler yıkanıyor."),
    ] {
        assert!(likeness(one, near) > likeness(one, far), "{one}");
        assert_eq!(likeness(one, one).get(), 1.0, "{one}");
    }
    let told = likeness_with("car", "truck", |_, _| Some(crate::Similarity::clamped(0.8)));
    assert!(told > likeness("car", "truck"));
}

#[test]
fn a_text_says_the_same_however_often_it_is_held_against_others() {
    let texts = [
        "the staging key is in vault",
        "Correction: the staging key is in 1password",
        "We moved the key. It is in 1password now.",
        "staging anahtarı vault'ta duruyor",
        "vault",
        "LOG_LEVEL=info",
        "",
    ];
    let read = texts.map(Text::of);
    for (old, before) in texts.iter().zip(&read) {
        for (new, after) in texts.iter().zip(&read) {
            assert_eq!(after.bearing_on(before), compare(old, new), "{old} | {new}");
            assert_eq!(before.likeness(after), likeness(old, new), "{old} | {new}");
        }
    }
}

/// Words of all the sorts that the readings know, in any order.
fn any_claim() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "the",
        "a",
        "we",
        "never",
        "not",
        "no",
        "longer",
        "moved",
        "from",
        "to",
        "instead",
        "of",
        "replaced",
        "by",
        "is",
        "in",
        "use",
        "vault",
        "1password",
        "config/",
        "v1.2",
        "8080",
        "30s",
        "Postgres",
        "16",
        "key",
        "staging,",
        "and",
        "?",
        ".",
        "=",
        "artık",
        "yerine",
        "vault'ta",
        "kullanmıyoruz",
        "kullanıyoruz",
        "değil",
        "taşındı",
        "npm'den",
        "pnpm'e",
        "geçtik",
        "don't",
        "2023",
        "İ",
        "'",
        "’",
        "—",
        "🙂",
    ]);
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_says_the_same_as_itself(text in "\\PC{0,60}", claim in any_claim()) {
        prop_assert_eq!(compare(&text, &text), Bearing::Same);
        prop_assert_eq!(compare(&claim, &claim), Bearing::Same);
    }

    #[test]
    fn any_two_texts_can_be_compared(one in "\\PC{0,60}", other in any_claim(), third in any_claim()) {
        for (old, new) in [(&one, &other), (&other, &one), (&other, &third)] {
            compare(old, new);
            let there = likeness(old, new).get();
            prop_assert!((there - likeness(new, old).get()).abs() < 1e-9);
        }
    }
}
