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
