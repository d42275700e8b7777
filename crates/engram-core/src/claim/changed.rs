//! A claim that tells of a change, held against one that tells how things are.
//!
//! What was left behind is contradicted where it was the value of the same
//! thing; where it is only mentioned, it is unsure what the change means.

use super::align::tie_of;
use super::change::Change;
use super::judge::{class_clash, contradicts, said, speaks_for_self, turned};
use super::known::Mark;
use super::lists::Tie;
use super::reading::{Place, Reading, Slot};
use super::sort::may_become;
use super::words::Word;
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
    const WHO: &[&str] =
        &["team", "project", "company", "everyone", "user", "ekip", "proje", "takim", "kullanici"];
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
        if figures && is_upgrade(told) { Why::Version } else { why }
    };
    if !state.negated
        && let Some(bearing) =
            judge_release(state, told, change, about).or_else(|| judge_rename(state, told, change, about))
    {
        return Some(bearing);
    }
    let now_there = covers(state, told, &change.to);
    if state.negated {
        let agrees = !change.from.is_empty() && covers(state, told, &change.from);
        return if agrees { Some(Bearing::Adds) } else { None };
    }
    if !change.from.is_empty() {
        if !covers(state, told, &change.from) {
            if change.denied {
                return None;
            }
            return match (about && !topic.is_empty(), now_there) {
                (true, true) => Some(Bearing::Adds),
                (true, false) => Some(Bearing::Unsure(Doubt::Change)),
                _ => None,
            };
        }
        // A name may stand in the topic and in what was left behind.
        let is_value = |item: &usize| {
            (0..state.items.len()).any(|other| {
                state.items[other].place != Place::Subject
                    && tie_of(told.word(*item), state.word(other), told.turkish) == Some(Tie::Same)
            })
        };
        let of_value =
            if change.denied { change.from.iter().any(is_value) } else { change.from.iter().all(is_value) };
        let both = now_there
            && !change
                .to
                .iter()
                .all(|item| change.from.iter().any(|from| told.word(*from).stem == told.word(*item).stem));
        let held = of_value || state.slot.holds_one() && !topic.is_empty();
        if change.denied && (both || !of_value) {
            return None;
        }
        if !about || both || !held {
            return Some(Bearing::Unsure(Doubt::Change));
        }
        // A port is not done without because ports are.
        let slot_only = change.from.iter().all(|item| told.word(*item).stem_is(Mark::SlotNoun));
        if slot_only && state.words.iter().any(Word::is_number) {
            return Some(Bearing::Unsure(Doubt::Change));
        }
        if !covers(state, told, &change.beside) {
            return Some(Bearing::Unsure(Doubt::Scope));
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
        let fits = state.slot.holds_one()
            && !values.is_empty()
            // What a thing is called is left alone by where it goes.
            && change.renamed == (state.slot == Slot::Name)
            && is_all_about(state, told, change)
            && may_become(state, told, &change.to);
        return Some(if classed && is_all_about(state, told, change) || fits {
            contradicts(release(why), state.shown(&values), told.shown_exactly(&change.to))
        } else {
            Bearing::Unsure(Doubt::Change)
        });
    }
    None
}

/// The state is of nothing that the change does not speak of: the config of
/// the gateway stays where it is when the gateway moves.
fn is_all_about(state: &Reading, told: &Reading, change: &Change) -> bool {
    let turkish = state.turkish || told.turkish;
    let spoken_of = |item: usize| {
        let word = state.word(item);
        word.is(Mark::SlotNoun)
            || change.topic.iter().any(|topic| tie_of(told.word(*topic), word, turkish).is_some())
    };
    (0..state.items.len())
        .filter(|item| state.items[*item].place == Place::Subject && !state.items[*item].light)
        .all(spoken_of)
}

fn is_upgrade(told: &Reading) -> bool {
    told.words.iter().any(|word| {
        matches!(word.folded.as_str(), "upgraded" | "downgraded" | "bumped" | "updated")
            || ["yukselt", "guncelle", "dusur"].iter().any(|root| word.folded.starts_with(root))
    })
}

/// Another release of what the state names: "Postgres 14", and "upgraded to
/// Postgres 16" or "bumped Postgres to 16".
fn judge_release(state: &Reading, told: &Reading, change: &Change, about: bool) -> Option<Bearing> {
    if !change.from.is_empty() || change.instead || change.renamed {
        return None;
    }
    let turkish = state.turkish || told.turkish;
    let (figures, names): (Vec<usize>, Vec<usize>) =
        change.to.iter().partition(|item| told.word(**item).is_number());
    let [figure] = figures[..] else { return None };
    let topic = telling(told, &change.topic);
    let product = names.iter().max().or(topic.last().filter(|_| is_upgrade(told)))?;
    let other = (0..state.items.len()).find_map(|item| {
        let before = item.checked_sub(1)?;
        let follows = state.items[before].word + 1 == state.items[item].word;
        let named = tie_of(told.word(*product), state.word(before), turkish) == Some(Tie::Same);
        (follows && named && state.word(item).is_number()).then(|| state.word(item))
    })?;
    let scoped = state.items.iter().any(|item| item.place == Place::Beside);
    let elsewhere = !covers(state, told, &change.beside);
    if other.folded == told.word(figure).folded || !covers(state, told, &names) || !about && topic.len() > 1 {
        return None;
    }
    if !about || elsewhere {
        return Some(if elsewhere && scoped { Bearing::Unrelated } else { Bearing::Unsure(Doubt::Scope) });
    }
    Some(contradicts(Why::Version, other.shown.clone(), told.word(figure).shown.clone()))
}

/// A new name for what the state calls by the old one.
fn judge_rename(state: &Reading, told: &Reading, change: &Change, about: bool) -> Option<Bearing> {
    if !change.renamed || !change.from.is_empty() || !matches!(state.slot, Slot::Name | Slot::Identity) {
        return None;
    }
    let turkish = state.turkish || told.turkish;
    let values: Vec<usize> =
        (0..state.items.len()).filter(|item| state.items[*item].place == Place::Value).collect();
    let in_topic = |item: &usize| {
        let renamed = telling(told, &change.topic);
        renamed.iter().any(|topic| tie_of(told.word(*topic), state.word(*item), turkish) == Some(Tie::Same))
    };
    let named = !values.is_empty() && about && values.iter().all(in_topic);
    named.then(|| contradicts(Why::Moved, state.shown(&values), told.shown_exactly(&change.to)))
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
    // "X rather than Y" and "Y rather than X": no move, another choice.
    let swapped = before.instead && after.instead && !before.from.is_empty() && left_again;
    if swapped && covers(new, old, &before.from) {
        return Some(contradicts(Why::Value, old.shown_exactly(&before.to), new.shown_exactly(&after.to)));
    }
    if left_again || about {
        return Some(contradicts(Why::Moved, old.shown_exactly(&before.to), new.shown_exactly(&after.to)));
    }
    None
}
