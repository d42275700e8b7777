//! Claims of three imaginary projects, held against each other.
//!
//! `claims/facts.txt` is what is so in each, all of it at once: no
//! fact contradicts another of its project (an empty line parts the projects).
//! `claims/changes.txt` is what was so and what is said later, one pair a
//! line: every later text takes the place of the earlier one. The pairs were
//! labelled before they were read.

use engram_core::claim::{Bearing, Text, compare, tells_of_change};
use std::collections::BTreeSet;

const FACTS: &str = include_str!("claims/facts.txt");
const CHANGES: &str = include_str!("claims/changes.txt");

/// What may be called a contradiction among facts of which none is, at most.
const MOST_FALSE: usize = 3;
/// Of a hundred changes, so many are found at least.
const FOUND: usize = 95;

fn changes() -> impl Iterator<Item = (&'static str, &'static str)> {
    CHANGES.lines().map(|line| line.split_once(" | ").expect("a pair a line"))
}

#[test]
fn what_is_so_at_once_does_not_contradict() {
    let mut called = BTreeSet::new();
    for project in FACTS.split("\n\n") {
        let facts: Vec<&str> = project.lines().collect();
        for one in &facts {
            for other in facts.iter().filter(|other| *other != one) {
                if matches!(compare(one, other), Bearing::Contradicts(_)) {
                    called.insert([*one.min(other), *one.max(other)]);
                }
            }
        }
    }
    assert!(called.len() <= MOST_FALSE, "{called:#?}");
    // One folder, named in two languages and written in two ways.
    let known = ["Testler tests/ klasöründe duruyor.", "Tests are in the tests folder."];
    assert_eq!(called, BTreeSet::from([known]));
}

#[test]
fn a_change_contradicts_what_was_so() {
    let (mut all, mut missed) = (0, Vec::new());
    for (before, after) in changes() {
        let bearing = compare(before, after);
        assert_ne!(bearing, Bearing::Same, "{before} | {after}");
        all += 1;
        if !matches!(bearing, Bearing::Contradicts(_)) {
            missed.push(format!("{before} | {after}: {bearing:?}"));
        }
    }
    assert!((all - missed.len()) * 100 >= all * FOUND, "{} of {all}: {missed:#?}", missed.len());
}

#[test]
fn a_plain_fact_tells_of_no_change() {
    let told: Vec<&str> = FACTS.lines().filter(|fact| tells_of_change(fact)).collect();
    assert_eq!(told, Vec::<&str>::new());
    let told: Vec<&str> = changes().map(|(before, _)| before).filter(|text| tells_of_change(text)).collect();
    // A correction tells of one; and to write the one instead of the other
    // cannot be told from having done otherwise.
    let expected =
        ["We write functions instead of classes.", "Actually the staging key is in 1password, not in vault."];
    assert_eq!(told, expected);
}

/// Of a thousand pairs of facts, so many at most look as if the one said again
/// what the other said, beside those that do say it in two languages.
const MOST_SAID_AGAIN: usize = 2;

#[test]
fn a_fact_does_not_say_again_what_another_says() {
    let (mut pairs, mut again) = (0, Vec::new());
    for project in FACTS.split("\n\n") {
        let facts: Vec<Text<'_>> = project.lines().map(Text::of).collect();
        let lines: Vec<&str> = project.lines().collect();
        for (at, dead) in facts.iter().enumerate() {
            for (other, said) in facts.iter().enumerate().filter(|(other, _)| *other != at) {
                pairs += 1;
                if said.says_again(dead, &[]) {
                    again.push([lines[at], lines[other]]);
                }
            }
        }
    }
    assert!(again.len() * 1000 <= pairs * MOST_SAID_AGAIN, "{} of {pairs}: {again:#?}", again.len());
}
