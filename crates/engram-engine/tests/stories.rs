//! How memories behave, told as stories.

use engram_testkit::tell;
use expect_test::{Expect, expect};

fn check(story: &str, expected: Expect) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    expected.assert_eq(&runtime.block_on(tell(story)));
}

#[test]
fn a_correction_hides_the_older_fact() {
    check(
        "day 1   remember  key: the staging key is in vault
         day 3   correct   key: the staging key is in 1password
         day 40  recall    where is the staging key",
        expect![[r#"
            1. the staging key is in 1password   (supersedes key~1)
        "#]],
    );
}

#[test]
fn what_was_true_then_is_still_told_when_asked_for_then() {
    check(
        "day 1   remember  key: the staging key is in vault
         day 3   correct   key: the staging key is in 1password
         day 9   correct   key: the staging key is in keychain
         day 20  recall    staging key | as of day 0
         day 20  recall    staging key | as of day 2
         day 20  recall    staging key | as of day 5
         day 20  recall    staging key",
        expect![[r#"
            nothing
            1. the staging key is in vault
            1. the staging key is in 1password   (supersedes key~2)
            1. the staging key is in keychain   (supersedes key~1)
        "#]],
    );
}

#[test]
fn a_timeline_tells_every_value_in_its_order() {
    check(
        "day 1   remember  key: the staging key is in vault
         day 3   correct   key: the staging key is in 1password
         day 9   correct   key: the staging key is in keychain
         day 20  recall    staging key | timeline",
        expect![[r#"
            1. the staging key is in vault   (superseded)
            2. the staging key is in 1password   (superseded, supersedes key~2)
            3. the staging key is in keychain   (supersedes key~1)
        "#]],
    );
}

#[test]
fn whoever_asks_why_is_told_what_led_to_it() {
    check(
        "day 1  remember  a: the nightly export was switched off
         day 1  remember  b: disks of the old rack filled up twice a week
         day 1  remember  c: the office plants are watered on mondays
         day 2  link      b: causes a
         day 3  recall    why was the nightly export switched off
         day 3  recall    when was the nightly export switched off",
        expect![[r#"
            1. the nightly export was switched off
            2. disks of the old rack filled up twice a week
            1. the nightly export was switched off
        "#]],
    );
}

#[test]
fn a_message_that_asks_two_things_gets_both_answers() {
    check(
        "day 1  remember  a: the staging database runs on port 5433
         day 1  remember  b: Nadia approves every release
         day 1  remember  c: the staging cluster has a database for reports and a database for tests
         day 2  recall    which port does the staging database run on? And who approves a release?",
        expect![[r#"
            1. the staging database runs on port 5433
            2. Nadia approves every release
            3. the staging cluster has a database for reports and a database for tests
        "#]],
    );
}

#[test]
fn forgetting_archives_and_can_be_taken_back() {
    check(
        "day 1  remember  tests: run the tests with make test
         day 2  forget    tests
         day 2  recall    how do I run the tests
         day 3  unforget  tests
         day 3  recall    how do I run the tests
         day 4  forget    tests
         day 4  forget    tests
         day 4  undo
         day 4  recall    how do I run the tests",
        expect![[r#"
            nothing
            1. run the tests with make test
            forget: memory 01MCER5BZ8922HDXJ4G4Q61QVN is archived already
            1. run the tests with make test
        "#]],
    );
}

#[test]
fn undo_walks_back_step_by_step_and_ends() {
    check(
        "day 1  remember  a: the linter is ruff
         day 2  correct   a: the linter is clippy
         day 3  undo
         day 3  recall    linter
         day 4  undo
         day 4  recall    linter
         day 5  undo",
        expect![[r#"
            1. the linter is ruff
            nothing
            undo: there is nothing to undo
        "#]],
    );
}

#[test]
fn a_challenged_memory_is_shown_as_such_until_it_is_confirmed() {
    check(
        "day 1  remember    port: the server listens on port 8080
         day 2  challenged  port: someone saw 9090
         day 2  recall      which port
         day 3  confirm     port
         day 3  recall      which port
         day 4  invalidated port: it is 9090 now
         day 4  recall      which port
         day 5  active      port: no, it was right",
        expect![[r#"
            1. the server listens on port 8080   (challenged)
            1. the server listens on port 8080
            nothing
            active: a memory that is invalidated cannot become active; from invalidated it can become: forgotten
        "#]],
    );
}

#[test]
fn the_scope_at_hand_counts_most() {
    check(
        "day 1  user remember     u: indentation is four spaces
         day 1  remember          p: indentation is two spaces
         day 1  session remember  s: indentation is tabs for now
         day 2  recall            indentation",
        expect![[r#"
            1. indentation is tabs for now   (session)
            2. indentation is two spaces
            3. indentation is four spaces   (user)
        "#]],
    );
}

#[test]
fn what_does_not_match_is_not_shown() {
    check(
        "day 1  remember  a: the database is postgres
         day 1  recall    favourite colour",
        expect![[r#"
            nothing
        "#]],
    );
}

#[test]
fn the_past_is_found_behind_many_that_are_gone() {
    let mut story =
        String::from("day 1 remember last: the long way to say kiwi, with many other words around it\n");
    for number in 0..80 {
        story += &format!("day 2 remember k{number}: kiwi {number}\nday 3 forget k{number}\n");
    }
    story += "day 5 recall kiwi | as of day 4\nday 5 recall kiwi";
    check(
        &story,
        expect![[r#"
            1. the long way to say kiwi, with many other words around it
            1. the long way to say kiwi, with many other words around it
        "#]],
    );
}
