//! A claim that tells of a change, held against one that tells how things are.
//!
//! What was left behind is contradicted where it was the value of the same
//! thing; where it is only mentioned, it is unsure what the change means.

use super::align::tie_of;
use super::change::Change;
use super::judge::{class_clash, contradicts, said, speaks_for_self, turned};
use super::lists::Tie;
use super::reading::{Place, Reading, Slot};
use super::{Bearing, Doubt, Why};

/// An order to use what the other claim calls past its time.
pub(super) fn judge_end_of_life(old: &Reading, new: &Reading) -> Option<Bearing> {
    let past = new
        .words
        .iter()
        .find(|word| matches!(word.folded.as_str(), "deprecated" | "obsolete" | "discontinued" | "eskidi"))?;
    let values: Vec<usize> =
        (0..old.items.len()).filter(|item| old.items[*item].place == Place::Value).collect();
    let turkish = old.turkish || new.turkish;
    let named = !values.is_empty()
        && !new.negated
        && !old.negated
        && old.slot == Slot::Use
        && values.iter().all(|item| {
            (0..new.items.len()).any(|other| {
                new.items[other].place == Place::Subject
                    && tie_of(old.word(*item), new.word(other), turkish) == Some(Tie::Same)
            })
        });
    if !named {
        return None;
    }
    // What is used may be past its time and still be in use.
    Some(if old.order {
        contradicts(Why::State, said(old), past.shown.clone())
    } else {
        Bearing::Unsure(Doubt::Change)
    })
}

/// A claim that tells of a change, against one that tells how things are, or
/// against an earlier change.
pub(super) fn judge_change(old: &Reading, new: &Reading) -> Option<Bearing> {
    match (&old.change, &new.change) {
        (None, None) => None,
        (None, Some(change)) => judge_changed(old, new, change),
        (Some(change), None) => judge_changed(new, old, change).map(turned),
        (Some(before), Some(after)) => judge_two_changes(old, new, before, after),
    }
}

/// Whether all of some items of one claim are spoken of in the other.
fn covers(whole: &Reading, reading: &Reading, items: &[usize]) -> bool {
    let turkish = whole.turkish || reading.turkish;
    items.iter().all(|item| {
        (0..whole.items.len())
            .any(|other| tie_of(reading.word(*item), whole.word(other), turkish) == Some(Tie::Same))
    })
}

/// Those of whom it is said that they changed something say little.
fn telling(reading: &Reading, items: &[usize]) -> Vec<usize> {
    const WHO: &[&str] = &["team", "project", "company", "everyone", "ekip", "proje", "takim"];
    let told = |item: &&usize| {
        let word = reading.word(**item);
        !reading.items[**item].light
            && !WHO.contains(&word.folded.as_str())
            && reading.items[**item].place != Place::Verb
    };
    items.iter().filter(told).copied().collect()
}

fn judge_changed(state: &Reading, told: &Reading, change: &Change) -> Option<Bearing> {
    let topic = telling(told, &change.topic);
    let about = covers(state, told, &topic);
    let why = if change.instead { Why::Instead } else { Why::Moved };
    let release = |why: Why| {
        let figures = change.from.iter().chain(&change.to).all(|item| told.word(*item).is_number());
        let upgraded = told.words.iter().any(|word| {
            matches!(word.folded.as_str(), "upgraded" | "downgraded" | "bumped")
                || word.folded.starts_with("yukselt")
        });
        if figures && upgraded { Why::Version } else { why }
    };
    let now_there = covers(state, told, &change.to);
    if state.negated {
        let agrees = !change.from.is_empty() && covers(state, told, &change.from);
        return if agrees { Some(Bearing::Adds) } else { None };
    }
    if !change.from.is_empty() {
        if !covers(state, told, &change.from) {
            return match (about && !topic.is_empty(), now_there) {
                (true, true) => Some(Bearing::Adds),
                (true, false) => Some(Bearing::Unsure(Doubt::Change)),
                _ => None,
            };
        }
        // A name may stand in the topic and in what was left behind.
        let of_value = change.from.iter().all(|item| {
            (0..state.items.len()).any(|other| {
                state.items[other].place != Place::Subject
                    && tie_of(told.word(*item), state.word(other), told.turkish) == Some(Tie::Same)
            })
        });
        let both = now_there
            && !change
                .to
                .iter()
                .all(|item| change.from.iter().any(|from| told.word(*from).stem == told.word(*item).stem));
        let held = of_value || state.slot.holds_one() && !topic.is_empty();
        if !about || both || !held {
            return Some(Bearing::Unsure(Doubt::Change));
        }
        return Some(contradicts(
            release(why),
            told.shown_exactly(&change.from),
            told.shown_exactly(&change.to),
        ));
    }
    if now_there && about {
        return Some(Bearing::Adds);
    }
    let values: Vec<usize> =
        (0..state.items.len()).filter(|item| state.items[*item].place == Place::Value).collect();
    let classed =
        change.to.iter().any(|to| values.iter().any(|value| class_clash(told.word(*to), state.word(*value))));
    let of_self = state.slot == Slot::Location
        && speaks_for_self(state)
        && speaks_for_self(told)
        && !change.renamed
        && !change.instead;
    if about && (!topic.is_empty() || classed || of_self) {
        let fits =
            state.slot.holds_one() && !values.is_empty() && (!change.renamed || state.slot == Slot::Name);
        return Some(if classed || fits {
            contradicts(release(why), state.shown(&values), told.shown_exactly(&change.to))
        } else {
            Bearing::Unsure(Doubt::Change)
        });
    }
    None
}

fn judge_two_changes(old: &Reading, new: &Reading, before: &Change, after: &Change) -> Option<Bearing> {
    let arrived = covers(old, new, &after.to) && covers(new, old, &before.to);
    let about = covers(old, new, &telling(new, &after.topic)) && !telling(new, &after.topic).is_empty();
    let left_again = !after.from.is_empty()
        && after
            .from
            .iter()
            .all(|item| before.to.iter().any(|to| old.word(*to).stem == new.word(*item).stem));
    if arrived && !left_again {
        return None;
    }
    if left_again || about {
        return Some(contradicts(Why::Moved, old.shown_exactly(&before.to), new.shown_exactly(&after.to)));
    }
    None
}
