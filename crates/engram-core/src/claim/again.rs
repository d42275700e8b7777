//! Whether somebody who has not heard of a change says again what is over.
//!
//! A value that was replaced is said again where it is the value of the same
//! thing still, as the old claim or the one that replaced it names it. What a
//! claim says is no longer so is said again by whoever asserts it plainly.

use super::judge::contradicts;
use super::nouns::{is_generic, is_of_class, is_setting, measure_of};
use super::reading::{Mood, Place, Reading};
use super::replaced::{Heads, Two};
use super::tells::says_so;
use super::values::{About, Holding, Sort, Value, begins_large};
use super::{Bearing, Why};

/// Whether `said` says again a value of `dead`, which was replaced by what
/// `now` holds, as far as that is known.
pub(super) fn says_again(dead: &Reading, said: &Reading, now: Option<&Reading>) -> bool {
    if said.mood == Mood::Asked || plans(said) || says_so(said) {
        return false;
    }
    if dead.negated != said.negated && !sets_bound(said) {
        return false;
    }
    let (ours, theirs) = (dead.holding(), said.holding());
    let pair = Two { old: dead, new: said };
    if now.is_some_and(|now| says_what_was_lost(&pair, now)) {
        return true;
    }
    let replaced = |value: &Value| {
        now.is_none_or(|now| {
            let both = Two { old: dead, new: now };
            let values = &now.holding().values;
            let kept = values.iter().any(|other| !other.left && both.is_same(value, other));
            !kept && values.iter().any(|other| other.sort == value.sort)
        })
    };
    let brings = now.is_some_and(|now| {
        let both = Two { old: now, new: said };
        let mut values = now.holding().values.iter().filter(|value| !value.left);
        values.any(|value| {
            let of_dead = ours.values.iter().any(|other| Two { old: dead, new: now }.is_same(other, value));
            !of_dead && theirs.values.iter().any(|other| both.is_same(value, other))
        })
    });
    !brings
        && ours.values.iter().filter(|value| replaced(value) && !says_which(ours, value)).any(|value| {
            let again = pair.find(value, theirs);
            again.is_some_and(|again| {
                let rest = theirs.beside(&again);
                pair.may_be_one_thing(ours, &rest, value) || is_known_by(&pair, now, &rest, value, &again)
            })
        })
}

/// "The nightly build": which one, and nothing that is said of it.
fn says_which(holding: &Holding, value: &Value) -> bool {
    value.sort == Sort::Often && holding.about.iter().any(|about| about.word == value.to && !about.act)
}

/// All words that the successor does not have any more, most of those that it
/// kept, and none of its own: whatever sort of value that is.
fn says_what_was_lost(pair: &Two<'_>, now: &Reading) -> bool {
    let (dead, said) = (pair.old, pair.new);
    let change = Two { old: dead, new: now };
    let fresh = Two { old: now, new: said };
    let words = |reading: &Reading| -> Vec<usize> {
        (0..reading.words.len())
            .filter(|at| tells_what(reading, *at) && !is_generic(&reading.words[*at]))
            .collect()
    };
    let anywhere = |both: &Two<'_>, at: usize| (0..both.new.words.len()).any(|other| both.tied(at, other));
    let (kept, lost): (Vec<usize>, Vec<usize>) =
        words(dead).into_iter().partition(|at| anywhere(&change, *at));
    let kept: Vec<usize> = kept.into_iter().filter(|at| measure_of(&dead.words[*at]).is_none()).collect();
    let of_lost = |other: usize| lost.iter().any(|at| pair.tied(*at, other));
    let follows_lost = |other: usize| {
        other > 0
            && begins_large(&said.words[other])
            && (of_lost(other - 1) || said.words[other - 1].small && other > 1 && of_lost(other - 2))
    };
    let said_outside = |at: usize| {
        (0..said.words.len()).any(|other| pair.tied(at, other) && !of_lost(other) && !follows_lost(other))
    };
    let again = kept.iter().filter(|at| said_outside(**at)).count();
    let is_new = |at: &usize| !(0..dead.words.len()).any(|other| change.tied(other, *at));
    let brings = words(now).into_iter().filter(is_new).any(|at| anywhere(&fresh, at));
    !lost.is_empty()
        && lost.iter().all(|at| anywhere(pair, *at))
        && again > 1
        && again * 2 > kept.len()
        && !brings
        && !pair.are_set_apart()
}

/// "If you look for it" and "you will find it" plan nothing.
fn plans(said: &Reading) -> bool {
    let begins = |first: &str| said.words.first().is_some_and(|word| word.folded == first);
    said.mood == Mood::Planned && !begins("if") && !begins("you")
}

/// "Not more than 25 MB" holds the same value as "25 MB".
fn sets_bound(said: &Reading) -> bool {
    said.words.iter().any(|word| {
        matches!(word.folded.as_str(), "than" | "over" | "above" | "beyond" | "exceed")
            || said.turkish && word.folded.starts_with("fazla")
    })
}

/// A path or a name in code is told by itself; another value needs a thing that
/// the old claim or its successor is about.
fn is_known_by(pair: &Two<'_>, now: Option<&Reading>, rest: &Holding, was: &Value, again: &Value) -> bool {
    let (dead, said) = (pair.old, pair.new);
    if pair.are_apart(dead.holding(), rest) {
        return false;
    }
    let word = &dead.words[was.key];
    let alone = was.sort == Sort::Path && word.folded.contains('/')
        || was.sort == Sort::Named && word.letters > 5 && word.folded.contains('_');
    if alone {
        return true;
    }
    let known = |reading: &Reading| {
        let both = Two { old: reading, new: said };
        let outside = |at: usize| !(again.from..again.to).contains(&at) && !said.words[at].small;
        let named = |about: &&About| {
            !about.generic
                && !about.act
                && !is_setting(reading, about)
                && (0..said.words.len()).any(|at| outside(at) && both.tied(about.word, at))
        };
        reading.holding().about.iter().filter(named).count()
    };
    let things = known(dead).max(now.map_or(0, known));
    let strictness = if things > 1 { Heads::Both } else { Heads::New };
    things > 0 && !pair.differ_in_head(dead.holding(), rest, strictness)
}

/// Whether `said` asserts what `over` says is no longer so.
pub(super) fn says_what_is_over(over: &Reading, said: &Reading) -> bool {
    said.mood == Mood::Told && !said.holding().changes && asserts(over, said)
}

/// A claim that something is over, against one that asserts it.
pub(super) fn judge_end(old: &Reading, new: &Reading) -> Option<Bearing> {
    let plain = old.mood == Mood::Told && new.mood == Mood::Told && !old.advised;
    (plain && asserts(new, old))
        .then(|| contradicts(Why::NoLonger, super::judge::said(old), super::judge::said(new)))
}

/// Every name and half of the words of what is over are in the other claim,
/// which denies nothing.
fn asserts(over: &Reading, other: &Reading) -> bool {
    if !over.ended || other.negated || over.change.is_some() || over.hedged || has_clauses(over) {
        return false;
    }
    let pair = Two { old: over, new: other };
    let (ours, theirs) = (over.holding(), other.holding());
    if pair.are_apart(ours, theirs) || pair.are_set_apart() {
        return false;
    }
    let telling: Vec<usize> = (0..over.words.len()).filter(|at| tells_what(over, *at)).collect();
    let there = |at: &usize| (0..other.words.len()).any(|other| pair.tied(*at, other));
    let found = telling.iter().filter(|at| there(at)).count();
    let special = telling.iter().filter(|at| there(at) && !is_generic(&over.words[**at])).count();
    let names = telling.iter().filter(|at| is_name(over, **at)).all(there);
    let only_names = telling.iter().all(|at| is_name(over, *at));
    if only_names && is_part_of_more(&pair, &telling) {
        return false;
    }
    names && special > 0 && found * 2 >= telling.len() && (found > 1 || telling.len() == 1)
}

/// The minutes of GitHub Actions, where GitHub Actions is over.
fn is_part_of_more(pair: &Two<'_>, telling: &[usize]) -> bool {
    let tied = |other: usize| telling.iter().any(|at| pair.tied(*at, other));
    let words = &pair.new.words;
    let subject = |at: usize| {
        pair.new.items.iter().any(|item| item.word == at && item.place == Place::Subject && !item.light)
    };
    (1..words.len()).any(|at| tied(at - 1) && !tied(at) && !words[at].small && subject(at))
}

pub(super) fn has_clauses(reading: &Reading) -> bool {
    reading.words.iter().skip(1).any(|word| {
        word.after_pause || matches!(word.folded.as_str(), "that" | "but" | "so" | "because" | "instead")
    })
}

/// A word of what is over, and not of its being over.
fn tells_what(over: &Reading, at: usize) -> bool {
    let holding = over.holding();
    let about = holding.about.iter().any(|about| about.word == at && !about.act);
    let valued = holding.values.iter().any(|value| (value.from..value.to).contains(&at));
    (about || valued) && !over.words[at].small && !over.words[at].negative
}

fn is_name(over: &Reading, at: usize) -> bool {
    let word = &over.words[at];
    let figures = word.folded.contains(|mark: char| mark.is_ascii_digit());
    let acronym = word.letters > 1 && word.shown.chars().all(char::is_uppercase);
    figures || acronym || is_of_class(word) || at > 0 && begins_large(word)
}

impl Two<'_> {
    /// Whether somebody who says the old value may speak of the same thing.
    fn may_be_one_thing(&self, ours: &Holding, theirs: &Holding, was: &Value) -> bool {
        // A path or a name tells by itself what is spoken of, a day does not.
        let telling = matches!(was.sort, Sort::Release | Sort::Path | Sort::Named | Sort::Person);
        let strictness = if telling { Heads::Both } else { Heads::New };
        if self.are_apart(ours, theirs) || self.differ_in_head(ours, theirs, strictness) {
            return false;
        }
        let shared = self.shared(ours, theirs);
        if shared.both > 0 {
            let left_over = shared.old > shared.both && shared.new > shared.both;
            let enough = shared.both * 2 >= shared.old.min(shared.new);
            return enough && !(left_over && shared.both == shared.settings);
        }
        let plain = shared.old == 0 && shared.new == 0 && shared.generic > 0;
        // Somebody has a home and a taste besides what was theirs.
        let telling = telling && was.sort != Sort::Person;
        plain || telling && (shared.new == 0 || shared.old == 0 && shared.generic > 0)
    }
}
