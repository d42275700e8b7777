//! How alike two names are by their letters.
//!
//! Half of it is the order of the letters (Jaro's measure with Winkler's bonus
//! for a common beginning), which forgives a slip of the finger; half is the
//! pairs of letters that both have, which does not forgive that a name only
//! begins like another. Either alone gets one side wrong: the order finds
//! elasticache in elasticsearch and maria in mario, and the pairs lose a
//! kubernetes with a letter missing. Whether two names mean one thing is not
//! known here.

use crate::Similarity;
use crate::ask::speech::fold;
use std::collections::BTreeSet;

/// The likeness of two names. Case and Turkish letters make no difference.
///
/// Names with other figures in them are other things (`node-1`, `node-2`), and
/// of names with as many parts each part must be alike: `billing-api` is far
/// from `billing-app`, however long the part that they share.
pub fn name_likeness(one: &str, other: &str) -> Similarity {
    let (one, other) = (fold(one), fold(other));
    if figures_of(&one) != figures_of(&other) {
        return Similarity::clamped(0.0);
    }
    let (parts, others) = (parts_of(&one), parts_of(&other));
    let likeness = if parts.len() == others.len() {
        parts.iter().zip(&others).map(|(part, other)| by_letters(part, other)).fold(1.0, f64::min)
    } else {
        by_letters(&parts.concat(), &others.concat())
    };
    Similarity::clamped(likeness)
}

fn parts_of(name: &str) -> Vec<&str> {
    name.split(|mark: char| !mark.is_alphanumeric()).filter(|part| !part.is_empty()).collect()
}

fn figures_of(name: &str) -> Vec<&str> {
    name.split(|mark: char| !mark.is_ascii_digit()).filter(|figures| !figures.is_empty()).collect()
}

fn by_letters(one: &str, other: &str) -> f64 {
    if one == other {
        return 1.0;
    }
    // Which letter finds which depends on who begins, so the same one always does.
    let (one, other) = (one.min(other), one.max(other));
    let (letters, others): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    (by_order(&letters, &others) + by_runs(&runs_of(one, 2), &runs_of(other, 2))) / 2.0
}

/// No more letters than this count as a common beginning.
const BEGINNING: usize = 4;
/// What each of them gives of what is missing to likeness.
const BONUS: f64 = 0.1;

/// The measure of Jaro and Winkler: the letters that both have at about the
/// same place, less those whose order is changed.
fn by_order(one: &[char], other: &[char]) -> f64 {
    let reach = (one.len().max(other.len()) / 2).saturating_sub(1);
    let mut taken = vec![false; other.len()];
    let mut ours = Vec::new();
    for (at, letter) in one.iter().enumerate() {
        let within = at.saturating_sub(reach)..(at + reach + 1).min(other.len());
        if let Some(place) = within.into_iter().find(|place| !taken[*place] && other[*place] == *letter) {
            taken[place] = true;
            ours.push(*letter);
        }
    }
    if ours.is_empty() {
        return 0.0;
    }
    let theirs = other.iter().zip(&taken).filter_map(|(letter, taken)| taken.then_some(*letter));
    let moved = ours.iter().zip(theirs).filter(|(ours, theirs)| **ours != *theirs).count() / 2;
    let shared = ours.len() as f64;
    let jaro =
        (shared / one.len() as f64 + shared / other.len() as f64 + (shared - moved as f64) / shared) / 3.0;
    let beginning = one.iter().zip(other).take(BEGINNING).take_while(|(one, other)| one == other).count();
    jaro + beginning as f64 * BONUS * (1.0 - jaro)
}

/// Dice over the runs of letters.
fn by_runs(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    match one.len() + other.len() {
        0 => 0.0,
        both => 2.0 * one.intersection(other).count() as f64 / both as f64,
    }
}

/// The runs of so many letters of a folded name. The beginning is marked, so
/// that the first letter is a run of its own.
pub(super) fn runs_of(name: &str, length: usize) -> BTreeSet<String> {
    let beginning = std::iter::repeat_n('^', length - 1);
    let letters: Vec<char> = beginning.chain(name.chars()).collect();
    letters.windows(length).map(|run| run.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::entity::ALIKE;

    #[test]
    fn a_slip_or_a_longer_form_is_alike_and_another_name_is_not() {
        for (one, other, alike) in [
            ("postgres", "postgresql", true),
            ("Ayse", "Ayşe", true),
            ("İstanbul", "istanbul", true),
            ("kubernetes", "kubernets", true),
            ("payment-service", "payments-service", true),
            ("rabbitmq", "rabbit-mq", true),
            ("Anthropic", "Antropic", true),
            ("redis", "redux", false),
            ("github", "gitlab", false),
            ("maria", "mario", false),
            ("Mehmet", "Mehmed", false),
            ("elasticsearch", "elasticache", false),
            ("terraform", "terragrunt", false),
            ("prometheus", "promtail", false),
            ("billing-api", "billing-app", false),
            ("node-1", "node-2", false),
            ("Mehmet", "Ahmet", false),
            ("ab", "ba", false),
            ("", "x", false),
        ] {
            let likeness = name_likeness(one, other);
            assert_eq!(likeness.get() >= ALIKE, alike, "{one} / {other}: {}", likeness.get());
            assert_eq!(likeness, name_likeness(other, one), "{one} / {other}");
        }
    }

    #[test]
    fn a_name_is_wholly_like_itself() {
        for name in ["a", "Ayşe", "billing-api", "k8s", ""] {
            assert_eq!(name_likeness(name, name).get(), 1.0, "{name}");
        }
    }
}
