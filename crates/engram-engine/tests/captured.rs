//! What is kept of what happens: stories through capture.

use engram_testkit::{run, tell};
use expect_test::{Expect, expect};

fn check(story: &str, expected: Expect) {
    let story = story.to_owned();
    run(async move { expected.assert_eq(&tell(&story).await) });
}

#[test]
fn a_version_bump_takes_the_place_of_the_old_version() {
    check(
        r#"
        day 1   say We use Postgres 14 for the billing database.
        day 9   say We upgraded the billing database to Postgres 16.
        day 10  recall which postgres does billing use
        day 10  recall which postgres does billing use | as of day 2
        day 10  recall which postgres does billing use | timeline
    "#,
        expect![[r#"
            create: We use Postgres 14 for the billing database.
            supersede [d1]: We upgraded the billing database to Postgres 16.
            1. We upgraded the billing database to Postgres 16.   (supersedes d1)
            1. We use Postgres 14 for the billing database.
            1. We use Postgres 14 for the billing database.   (superseded)
            2. We upgraded the billing database to Postgres 16.   (supersedes d1)
        "#]],
    );
}

#[test]
fn a_rename_a_move_and_a_number() {
    check(
        r#"
        day 1   say The orders service is called basket.
        day 2   say The orders service is now called cart.
        day 3   say The deploy script is in scripts/deploy.sh.
        day 4   say We moved the deploy script to tools/ship.sh.
        day 5   say The API listens on port 8080.
        day 6   say The API listens on port 9090.
        day 9   recall what is the orders service called
        day 9   recall where is the deploy script
        day 9   recall which port does the API listen on
    "#,
        expect![[r#"
            create: The orders service is called basket.
            supersede [d1]: The orders service is now called cart.
            create: The deploy script is in scripts/deploy.sh.
            supersede [d3]: We moved the deploy script to tools/ship.sh.
            create: The API listens on port 8080.
            supersede [d5]: The API listens on port 9090.
            1. The orders service is now called cart.   (supersedes d1)
            1. We moved the deploy script to tools/ship.sh.   (supersedes d3)
            1. The API listens on port 9090.   (supersedes d5)
        "#]],
    );
}

#[test]
fn a_changed_preference_and_what_is_no_longer_so() {
    check(
        r#"
        day 1   say I prefer tabs over spaces in Go code.
        day 2   say I prefer spaces over tabs in Go code now.
        day 3   say We deploy with Jenkins.
        day 4   say We no longer deploy with Jenkins, we use GitHub Actions instead.
        day 9   recall tabs or spaces
        day 9   recall how do we deploy
    "#,
        expect![[r#"
            create: The user prefers tabs over spaces in Go code.
            supersede [d1]: The user prefers spaces over tabs in Go code now.
            create: We deploy with Jenkins.
            supersede [d3]: We no longer deploy with Jenkins, we use GitHub Actions instead.
            1. The user prefers spaces over tabs in Go code now.   (supersedes d1)
            1. We no longer deploy with Jenkins, we use GitHub Actions instead.   (supersedes d3)
        "#]],
    );
}

#[test]
fn a_rejected_value_stays_dead() {
    check(
        r#"
        day 1   say The staging key is in vault.
        day 3   say Actually the staging key is in 1password, not in vault.
        day 33  say The staging key is kept in vault.
        day 34  agent The key for staging is in vault.
        day 40  recall where is the staging key
        day 40  recall where is the staging key | as of day 2
        day 41  say We moved the staging key back to vault.
        day 42  recall where is the staging key
    "#,
        expect![[r#"
            create: The staging key is in vault.
            supersede [d1]: Actually the staging key is in 1password, not in vault.
            skip [d1]: The staging key is kept in vault.
            skip (thin): The key for staging is in vault.
            1. Actually the staging key is in 1password, not in vault.   (supersedes d1)
            1. The staging key is in vault.
            supersede [d3]: We moved the staging key back to vault.
            1. We moved the staging key back to vault.   (supersedes d3)
        "#]],
    );
}

#[test]
fn versions_follow_each_other() {
    check(
        r#"
        day 1   say We use Node 18 in CI.
        day 2   say CI runs on Node 20 now.
        day 3   say We bumped CI to Node 22.
        day 4   recall which node version does CI use
        day 4   recall which node version does CI use | as of day 2
        day 5   say The minimum supported Rust version is 1.78.
        day 6   say We raised the minimum supported Rust version to 1.85.
        day 7   recall what is the minimum rust version
    "#,
        expect![[r#"
            create: We use Node 18 in CI.
            supersede [d1]: CI runs on Node 20 now.
            supersede [d2]: We bumped CI to Node 22.
            1. We bumped CI to Node 22.   (supersedes d2)
            1. CI runs on Node 20 now.   (supersedes d1)
            create: The minimum supported Rust version is 1.78.
            supersede [d5]: We raised the minimum supported Rust version to 1.85.
            1. We raised the minimum supported Rust version to 1.85.   (supersedes d5)
        "#]],
    );
}

#[test]
fn versions_follow_each_other_in_turkish() {
    check(
        r#"
        day 1   say Fatura servisi Postgres 14 kullanıyor.
        day 5   say Fatura servisi artık Postgres 16 kullanıyor.
        day 6   recall fatura servisi hangi postgres sürümünü kullanıyor
        day 6   recall fatura servisi hangi postgres sürümünü kullanıyor | as of day 2
        day 6   recall fatura servisi hangi postgres sürümünü kullanıyor | timeline
    "#,
        expect![[r#"
            create: Fatura servisi Postgres 14 kullanıyor.
            supersede [d1]: Fatura servisi artık Postgres 16 kullanıyor.
            1. Fatura servisi artık Postgres 16 kullanıyor.   (supersedes d1)
            1. Fatura servisi Postgres 14 kullanıyor.
            1. Fatura servisi Postgres 14 kullanıyor.   (superseded)
            2. Fatura servisi artık Postgres 16 kullanıyor.   (supersedes d1)
        "#]],
    );
}

#[test]
fn renames_and_moves() {
    check(
        r#"
        day 1   say The payments module is called ledger.
        day 2   say The payments module was renamed to wallet.
        day 3   recall what is the payments module called
        day 4   say The build scripts live in scripts/.
        day 5   say The build scripts were moved to tools/build/.
        day 6   say The build scripts are in scripts/.
        day 7   recall where are the build scripts
        day 8   say The staging database is on db2.internal.
        day 9   say We migrated the staging database from db2.internal to db3.internal.
        day 10  recall where is the staging database | timeline
    "#,
        expect![[r#"
            create: The payments module is called ledger.
            supersede [d1]: The payments module was renamed to wallet.
            1. The payments module was renamed to wallet.   (supersedes d1)
            create: The build scripts live in scripts/.
            supersede [d4]: The build scripts were moved to tools/build/.
            skip [d4]: The build scripts are in scripts/.
            1. The build scripts were moved to tools/build/.   (supersedes d4)
            create: The staging database is on db2.internal.
            supersede [d8]: We migrated the staging database from db2.internal to db3.internal.
            1. The staging database is on db2.internal.   (superseded)
            2. We migrated the staging database from db2.internal to db3.internal.   (supersedes d8)
        "#]],
    );
}

#[test]
fn preferences_change() {
    check(
        r#"
        day 1   say Always use single quotes in JavaScript.
        day 2   say Always use double quotes in JavaScript from now on.
        day 3   recall which quotes in javascript
        day 4   say Testlerde pytest kullanmayı tercih ediyorum.
        day 5   say Testlerde artık unittest kullanmayı tercih ediyorum.
        day 6   recall testlerde ne tercih ediyorum
    "#,
        expect![[r#"
            create: Always use single quotes in JavaScript.
            supersede [d1]: Always use double quotes in JavaScript from now on.
            1. Always use double quotes in JavaScript from now on.   (supersedes d1)
            create: Kullanıcı: Testlerde pytest kullanmayı tercih ediyorum.
            supersede [d4]: Kullanıcı: Testlerde artık unittest kullanmayı tercih ediyorum.
            1. Kullanıcı: Testlerde artık unittest kullanmayı tercih ediyorum.   (supersedes d4)
        "#]],
    );
}

#[test]
fn what_is_no_longer_so() {
    check(
        r#"
        day 1   say We use Redis for the session cache.
        day 2   say We no longer use Redis for the session cache.
        day 3   recall do we use redis
        day 4   say Python 3.9 is supported by the SDK.
        day 5   say The SDK dropped support for Python 3.9.
        day 6   recall does the sdk support python 3.9
        day 7   say Testler için Jest kullanıyoruz.
        day 8   say Testler için artık Jest kullanmıyoruz.
        day 9   say Testler için Jest kullanıyoruz.
        day 10  recall testler için ne kullanıyoruz
    "#,
        expect![[r#"
            create: We use Redis for the session cache.
            supersede [d1]: We no longer use Redis for the session cache.
            1. We no longer use Redis for the session cache.   (supersedes d1)
            create: Python 3.9 is supported by the SDK.
            supersede [d4]: The SDK dropped support for Python 3.9.
            1. The SDK dropped support for Python 3.9.   (supersedes d4)
            create: Testler için Jest kullanıyoruz.
            supersede [d7]: Testler için artık Jest kullanmıyoruz.
            skip [d8]: Testler için Jest kullanıyoruz.
            1. Testler için artık Jest kullanmıyoruz.   (supersedes d7)
        "#]],
    );
}

#[test]
fn numbers_change() {
    check(
        r#"
        day 1   say The request timeout is 30 seconds.
        day 2   say We increased the request timeout to 60 seconds.
        day 3   recall what is the request timeout
        day 4   say The rate limit is 100 requests per minute.
        day 5   say The rate limit is 250 requests per minute.
        day 6   recall what is the rate limit
        day 7   say API üç replika ile çalışıyor.
        day 8   say API artık beş replika ile çalışıyor.
        day 9   recall API kaç replika ile çalışıyor
        day 10  say Standup is at 9:30.
        day 11  say Standup is at 10:00 from now on.
        day 12  say We moved standup to 11:00.
        day 13  recall when is standup | as of day 11
    "#,
        expect![[r#"
            create: The request timeout is 30 seconds.
            supersede [d1]: We increased the request timeout to 60 seconds.
            1. We increased the request timeout to 60 seconds.   (supersedes d1)
            create: The rate limit is 100 requests per minute.
            supersede [d4]: The rate limit is 250 requests per minute.
            1. The rate limit is 250 requests per minute.   (supersedes d4)
            create: API üç replika ile çalışıyor.
            supersede [d7]: API artık beş replika ile çalışıyor.
            1. API artık beş replika ile çalışıyor.   (supersedes d7)
            create: Standup is at 9:30.
            supersede [d10]: Standup is at 10:00 from now on.
            supersede [d11]: We moved standup to 11:00.
            1. Standup is at 10:00 from now on.   (supersedes d10)
        "#]],
    );
}

#[test]
fn owners_change() {
    check(
        r#"
        day 1   say Ada owns the billing service.
        day 2   say Nadia owns the billing service now.
        day 3   say Ada owns the billing service.
        day 4   recall who owns billing
        day 5   say Arama servisinin sorumlusu Mehmet.
        day 6   say Arama servisinin sorumlusu artık Zeynep.
        day 7   say Arama servisinden Mehmet sorumlu.
        day 8   recall arama servisinin sorumlusu kim
        day 8   recall arama servisinin sorumlusu kim | as of day 5
    "#,
        expect![[r#"
            create: Ada owns the billing service.
            supersede [d1]: Nadia owns the billing service now.
            skip [d1]: Ada owns the billing service.
            1. Nadia owns the billing service now.   (supersedes d1)
            create: Arama servisinin sorumlusu Mehmet.
            supersede [d5]: Arama servisinin sorumlusu artık Zeynep.
            skip [d5]: Arama servisinden Mehmet sorumlu.
            1. Arama servisinin sorumlusu artık Zeynep.   (supersedes d5)
            1. Arama servisinin sorumlusu Mehmet.
        "#]],
    );
}

#[test]
fn what_says_too_little_is_kept_if_it_changes_what_is_known() {
    check(
        r#"
        day 1   say Maria owns the payments module.
        day 2   say Ownership of the payments module went to Kenji.
        day 3   say Ownership of the fish tank went to Olga.
        day 4   recall who owns the payments module
    "#,
        expect![[r#"
            create: Maria owns the payments module.
            supersede [d1]: Ownership of the payments module went to Kenji.
            skip (thin): Ownership of the fish tank went to Olga.
            1. Ownership of the payments module went to Kenji.   (supersedes d1)
        "#]],
    );
}

#[test]
fn who_says_that_it_is_as_before_is_believed() {
    check(
        r#"
        day 1   say We use tabs for indentation in this repo.
        day 2   say We now use spaces for indentation in this repo.
        day 3   say Indentation is done with tabs in this repo.
        day 4   say We use tabs for indentation in this repo again, I changed my mind.
        day 5   recall tabs or spaces for indentation
    "#,
        expect![[r#"
            create: We use tabs for indentation in this repo.
            supersede [d1]: We now use spaces for indentation in this repo.
            skip [d1]: Indentation is done with tabs in this repo.
            supersede [d2]: We use tabs for indentation in this repo again, the user changed the user's mind.
            1. We use tabs for indentation in this repo again, the user changed the user's mind.   (supersedes d2)
        "#]],
    );
}

#[test]
fn what_took_the_place_of_something_answers_for_it() {
    check(
        r#"
        day 1   say We use yarn for our packages.
        day 2   say We switched from yarn to pnpm.
        day 3   say We switched from pnpm to bun.
        day 4   say The API listens on port 8080.
        day 5   recall what do we use for our packages
        day 5   recall what do we use for our packages | as of day 1
    "#,
        expect![[r#"
            create: We use yarn for our packages.
            supersede [d1]: We switched from yarn to pnpm.
            supersede [d2]: We switched from pnpm to bun.
            create: The API listens on port 8080.
            1. We switched from pnpm to bun.   (supersedes d2)
            1. We use yarn for our packages.
        "#]],
    );
}

#[test]
fn a_corrected_number_stays_corrected_in_other_words() {
    check(
        r#"
        day 1   say The API listens on port 8080.
        day 2   say Correction: the API listens on port 9090, not 8080.
        day 32  say The API is listening on port 8080.
        day 33  say Our API runs on port 8080.
        day 34  say As far as I remember the API listens on port 8080.
        day 35  agent The API server listens on port 8080 by default.
        day 36  recall which port does the API listen on
        day 37  say Remember that the API listens on port 8080.
        day 38  recall which port does the API listen on
        day 38  why d2
    "#,
        expect![[r#"
            create: The API listens on port 8080.
            supersede [d1]: Correction: the API listens on port 9090, not 8080.
            skip [d1]: The API is listening on port 8080.
            skip [d1]: Our API runs on port 8080.
            skip [d1]: As far as the user remembers the API listens on port 8080.
            skip [d1]: The API server listens on port 8080 by default.
            1. Correction: the API listens on port 9090, not 8080.   (supersedes d1)
            supersede [d2]: the API listens on port 8080.
            1. the API listens on port 8080.   (supersedes d2)
            supersede because "Correction: the API listens on port 9090, not 8080.": instead: "port 9090" was "8080"; weighed: novelty 1.00 x .25, arousal .71 x .30, reward .90 x .25, attention 1.00 x .20, 9 things said: x 1.12, contradicts what is kept: wholly new, set right by the user: at least .70, importance .99
            supersede because "Remember that the API listens on port 8080.": instead: "8080" was "port 9090"; weighed: novelty 1.00 x .25, arousal .52 x .30, reward .90 x .25, attention 1.00 x .20, 5 things said: x 1.03, contradicts what is kept: wholly new, asked for: at least .70, importance .86
        "#]],
    );
}

#[test]
fn a_corrected_place_stays_corrected_in_turkish() {
    check(
        r#"
        day 1   say Staging anahtarı vault içinde duruyor.
        day 2   say Aslında staging anahtarı vault'ta değil, 1password'de.
        day 32  say Staging anahtarı vault içinde saklanıyor.
        day 33  say Staging anahtarını vault'ta tutuyoruz.
        day 35  recall staging anahtarı nerede
        day 35  recall staging anahtarı nerede | as of day 1
        day 36  say Staging anahtarını tekrar vault'a taşıdık.
        day 37  recall staging anahtarı nerede
        day 37  recall staging anahtarı nerede | timeline
    "#,
        expect![[r#"
            create: Staging anahtarı vault içinde duruyor.
            supersede [d1]: Aslında staging anahtarı vault'ta değil, 1password'de.
            skip [d1]: Staging anahtarı vault içinde saklanıyor.
            skip [d1]: Staging anahtarını vault'ta tutuyoruz.
            1. Aslında staging anahtarı vault'ta değil, 1password'de.   (supersedes d1)
            1. Staging anahtarı vault içinde duruyor.
            supersede [d2]: Staging anahtarını tekrar vault'a taşıdık.
            1. Staging anahtarını tekrar vault'a taşıdık.   (supersedes d2)
            1. Staging anahtarı vault içinde duruyor.   (superseded)
            2. Aslında staging anahtarı vault'ta değil, 1password'de.   (superseded, supersedes d1)
            3. Staging anahtarını tekrar vault'a taşıdık.   (supersedes d2)
        "#]],
    );
}

#[test]
fn what_was_left_is_not_taken_for_news() {
    check(
        r#"
        day 1   say We switched the web app from Heroku to Fly.io.
        day 32  say The web app is deployed with Heroku.
        day 33  say The web app runs on Heroku.
        day 36  recall how is the web app deployed
        day 37  say We went back from Fly.io to Heroku for the web app.
        day 38  recall how is the web app deployed
    "#,
        expect![[r#"
            create: We switched the web app from Heroku to Fly.io.
            skip [d1]: The web app is deployed with Heroku.
            skip [d1]: The web app runs on Heroku.
            1. We switched the web app from Heroku to Fly.io.
            supersede [d1]: We went back from Fly.io to Heroku for the web app.
            1. We went back from Fly.io to Heroku for the web app.   (supersedes d1)
        "#]],
    );
}

#[test]
fn what_somebody_wanted_forgotten_does_not_come_back_by_itself() {
    check(
        r#"
        day 1   say Our team keeps its passwords in Bitwarden.
        day 2   forget d1
        day 30  say The passwords of our team are kept in Bitwarden.
        day 31  agent The team keeps its passwords in Bitwarden.
        day 32  recall where are the team's passwords
        day 33  say Remember that our team keeps its passwords in Bitwarden.
        day 34  recall where are the team's passwords
    "#,
        expect![[r#"
            create: Our team keeps its passwords in Bitwarden.
            skip [d1]: The passwords of our team are kept in Bitwarden.
            skip [d1]: The team keeps its passwords in Bitwarden.
            nothing
            create: our team keeps its passwords in Bitwarden.
            1. our team keeps its passwords in Bitwarden.
        "#]],
    );
}

#[test]
fn an_agent_challenges_and_a_person_decides() {
    check(
        r#"
        day 1   say The API listens on port 8080.
        day 2   agent The API listens on port 9090.
        day 3   recall which port does the API listen on
        day 3   why d2
        day 3   agent The API listens on port 9090.
        day 4   say The API listens on port 7070.
        day 5   recall which port does the API listen on
    "#,
        expect![[r#"
            create: The API listens on port 8080.
            challenge [d1]: The API listens on port 9090.
            1. The API listens on port 8080.
            2. The API listens on port 9090.   (challenged)
            challenge because "The API listens on port 9090.": number: "9090" was "8080"; this source may not replace anything; weighed: novelty .22 x .25, arousal .28 x .30, reward .50 x .25, attention .42 x .20, 5 things said: x 1.03, importance .36
            reinforce [d2]: The API listens on port 9090.
            supersede [d1]: The API listens on port 7070.
            1. The API listens on port 7070.   (supersedes d1, supersedes d2)
        "#]],
    );
}

#[test]
fn what_says_more_is_told_in_one_memory() {
    check(
        r#"
        day 1   say The orders service talks to the payments service over gRPC.
        day 2   say The orders service talks to the payments service over gRPC with mutual TLS.
        day 3   say The orders service talks to the payments service over gRPC.
        day 4   recall how does orders talk to payments
        day 4   why d1
        day 4   inspect d1
    "#,
        expect![[r#"
            create: The orders service talks to the payments service over gRPC.
            update [d1]: The orders service talks to the payments service over gRPC with mutual TLS.
            reinforce [d1]: The orders service talks to the payments service over gRPC.
            1. The orders service talks to the payments service over gRPC with mutual TLS.
            create because "The orders service talks to the payments service over gRPC.": nothing known is like it; weighed: novelty 1.00 x .25, arousal .30 x .30, reward .65 x .25, attention .80 x .20, 3 things said: x .96, importance .63
            update because "The orders service talks to the payments service over gRPC with mutual TLS.": says what is known, and more
            reinforce because "The orders service talks to the payments service over gRPC.": says less than what is known
            d1: active architecture, confidence 0.9, said 3x
        "#]],
    );
}

#[test]
fn a_command_that_fails_and_works_after_an_edit_teaches_its_cure() {
    check(
        r#"
        day 1   fail cargo test -p api | error[E0433]: failed to resolve: use of undeclared crate or module `serde_json`
        day 1   ok edit crates/api/Cargo.toml
        day 1   ok cargo test -p api | test result: ok. 12 passed
        day 1   fail make deploy | timeout
        day 1   ok make deploy
        day 2   recall undeclared crate serde_json
        day 2   inspect d1
        day 2   why d1
        day 3   fail cargo test -p api | error[E0433]: failed to resolve: use of undeclared crate or module `serde_json`
        day 3   ok edit crates/api/Cargo.toml
        day 3   ok cargo test -p api | test result: ok. 12 passed
        day 3   inspect d1
    "#,
        expect![[r#"
            skip (a tool was used; nothing was learned from it): cargo test -p api | error[E0433]: failed to resolve: use of undeclared crate or module `serde_json`
            skip (a tool was used; nothing was learned from it): edit crates/api/Cargo.toml
            create: `cargo test -p api` failed: error[E0433]: failed to resolve: use of undeclared crate or module `serde_json`. It worked after a change to crates/api/Cargo.toml.
            skip (a tool was used; nothing was learned from it): make deploy | timeout
            skip (a tool was used; nothing was learned from it): make deploy
            1. `cargo test -p api` failed: error[E0433]: failed to resolve: use of undeclared crate or module `serde_json`. It worked after a change to crates/api/Cargo.toml.
            d1: active error_fix, confidence 0.7, said 1x
            create because "Bash: cargo test -p api": nothing known is like it; weighed: novelty 1.00 x .25, arousal .60 x .30, reward .85 x .25, attention .48 x .20, importance .74
            skip (a tool was used; nothing was learned from it): cargo test -p api | error[E0433]: failed to resolve: use of undeclared crate or module `serde_json`
            skip (a tool was used; nothing was learned from it): edit crates/api/Cargo.toml
            reinforce [d1]: `cargo test -p api` failed: error[E0433]: failed to resolve: use of undeclared crate or module `serde_json`. It worked after a change to crates/api/Cargo.toml.
            d1: active error_fix, confidence 0.8, said 2x
        "#]],
    );
}

#[test]
fn commands_in_the_same_order_are_one_procedure() {
    check(
        r#"
        day 1   ok npm run lint
        day 1   ok npm run build
        day 1   ok npm run deploy
        day 1   ok npm run lint
        day 1   ok npm run build
        day 1   ok npm run deploy
        day 1   ok npm run lint
        day 1   ok npm run build
        day 1   ok npm run deploy
        day 1   ok npm run lint
        day 1   ok npm run build
        day 1   ok npm run deploy
        day 2   recall how do we deploy
        day 2   inspect d1
    "#,
        expect![[r#"
            skip (a tool was used; nothing was learned from it): npm run lint
            skip (a tool was used; nothing was learned from it): npm run build
            skip (a tool was used; nothing was learned from it): npm run deploy
            skip (a tool was used; nothing was learned from it): npm run lint
            skip (a tool was used; nothing was learned from it): npm run build
            skip (a tool was used; nothing was learned from it): npm run deploy
            skip (a tool was used; nothing was learned from it): npm run lint
            skip (a tool was used; nothing was learned from it): npm run build
            create: Done again and again in this order: `npm run lint`, then `npm run build`, then `npm run deploy`.
            skip (a tool was used; nothing was learned from it): npm run lint
            skip (a tool was used; nothing was learned from it): npm run build
            reinforce [d1]: Done again and again in this order: `npm run lint`, then `npm run build`, then `npm run deploy`.
            1. Done again and again in this order: `npm run lint`, then `npm run build`, then `npm run deploy`.
            d1: active procedure, confidence 0.7, said 1x
        "#]],
    );
}

#[test]
fn who_says_it_again_in_another_session_confirms_it() {
    check(
        r#"
        day 1   say The billing team uses Linear for its tickets.
        day 1   say The billing team uses Linear for its tickets!
        day 1   inspect d1
        day 2   say The billing team uses Linear for tickets.
        day 2   say The billing team uses Linear for its tickets.
        day 2   inspect d1
        day 3   agent The billing team uses Linear for its tickets.
        day 3   inspect d1
    "#,
        expect![[r#"
            create: The billing team uses Linear for its tickets.
            reinforce [d1]: The billing team uses Linear for its tickets!
            d1: created fact, confidence 0.8, said 1x
            reinforce [d1]: The billing team uses Linear for tickets.
            reinforce [d1]: The billing team uses Linear for its tickets.
            d1: created fact, confidence 0.9, said 2x
            reinforce [d1]: The billing team uses Linear for its tickets.
            d1: created fact, confidence 0.9, said 2x
        "#]],
    );
}

#[test]
fn chatter_questions_logs_and_code_are_kept_out() {
    check(
        r#"
        day 1   say ok thanks, looks great!
        day 1   say Hi there, good morning!
        day 1   say Can you look at the failing test in api/orders.rs?
        day 1   say where is the staging key?
        day 1   say teşekkürler, süper oldu
        day 1   say Şu hatayı düzeltir misin?
        day 1   say fix the typo in the readme
        day 1   say 2026-02-03T04:05:06Z INFO server: listening on 0.0.0.0:8080
        day 1   say fn main() { println!("hello"); let x = 5; }
        day 1   say git push origin main
        day 1   agent I'll run the tests now and then look at the failing one.
        day 1   say I think maybe we could use Kafka at some point?
        day 1   say bence de
        day 2   recall staging key
    "#,
        expect![[r#"
            skip (chatter): ok thanks, looks great!
            skip (chatter): Hi there, good morning!
            skip (question): Can you look at the failing test in api/orders.rs?
            skip (question): where is the staging key?
            skip (chatter): teşekkürler, süper oldu
            skip (question): Şu hatayı düzeltir misin?
            skip (request): fix the typo in the readme
            skip (pasted_log): 2026-02-03T04:05:06Z INFO server: listening on 0.0.0.0:8080
            skip (code): fn main() { println!("hello"); let x = 5; }
            skip (thin): git push origin main
            skip (narration): I'll run the tests now and then look at the failing one.
            skip (question): I think maybe we could use Kafka at some point?
            skip (too_short): bence de
            nothing
        "#]],
    );
}

#[test]
fn what_is_to_come_is_believed_until_it_has_come() {
    check(
        r#"
        day 1   say The code freeze ends next Friday.
        day 1   inspect d1
        day 2   recall when does the code freeze end
        day 30  recall when does the code freeze end
        day 30  recall when does the code freeze end | as of day 2
        day 31  say We will migrate to Postgres 17 tomorrow.
        day 31  inspect d31
        day 40  recall postgres 17
        day 51  say Kod dondurma gelecek cuma bitiyor.
        day 51  inspect d51
        day 52  recall kod dondurma ne zaman bitiyor
        day 70  recall kod dondurma ne zaman bitiyor
    "#,
        expect![[r#"
            create: The code freeze ends on 2027-01-22 (Friday).
            d1: created plan, confidence 0.7, said 1x, until Sat 2027-01-23
            1. The code freeze ends on 2027-01-22 (Friday).
            nothing
            1. The code freeze ends on 2027-01-22 (Friday).
            create: We will migrate to Postgres 17 on 2027-02-16 (Tuesday).
            d31: created plan, confidence 0.8, said 1x, until Wed 2027-02-17
            nothing
            create: Kod dondurma 2027-03-12 (cuma) bitiyor.
            d51: created plan, confidence 0.7, said 1x, until Sat 2027-03-13
            1. Kod dondurma 2027-03-12 (cuma) bitiyor.
            nothing
        "#]],
    );
}

#[test]
fn what_is_said_in_a_session_changes_what_the_project_knows() {
    check(
        r#"
        day 1   say We keep feature flags in LaunchDarkly.
        day 2   session say We moved the feature flags to Unleash.
        day 3   recall where are the feature flags
        day 4   session say We keep feature flags in LaunchDarkly.
        day 5   session say Feature flags are named after their ticket.
        day 6   recall feature flags
    "#,
        expect![[r#"
            create: We keep feature flags in LaunchDarkly.
            supersede [d1]: We moved the feature flags to Unleash.
            1. We moved the feature flags to Unleash.   (supersedes d1)
            skip [d1]: We keep feature flags in LaunchDarkly.
            create: Feature flags are named after their ticket.
            1. Feature flags are named after their ticket.   (session)
            2. We moved the feature flags to Unleash.   (supersedes d1)
        "#]],
    );
}
