//! Of what sort a value is, and how it hangs on its verb.
//!
//! Two values exclude each other only where they could stand in each other's
//! place: a port is no person, a day is no folder, and what a thing runs with
//! is not where it runs. Whether they do exclude each other is not decided
//! here.

use super::known::Mark;
use super::reading::{Place, Reading, Slot};
use super::words::Word;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    Port,
    Clock,
    Day,
    Often,
    Release,
    Measure,
    Path,
}

/// How a value hangs on its verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    Bare,
    Place,
    With,
    By,
    Other,
}

/// Whether the values of two claims about one thing stand in the same slot.
pub(super) fn same_slot(old: &Reading, new: &Reading) -> bool {
    let (ours, theirs) = (sort_of(old), sort_of(new));
    let (link, other) = (link_of(old), link_of(new));
    if old.slot == new.slot {
        // A file and a wiki are both places; a file and a word both names.
        let nameable = |sort: Option<Sort>| matches!(sort, None | Some(Sort::Path));
        let named = matches!(old.slot, Slot::Location | Slot::Identity | Slot::Name);
        let alike = ours == theirs || named && nameable(ours) && nameable(theirs);
        // A thing is deployed to a cluster and runs in a container.
        let hosted = old.slot != Slot::Hosting || verb_of(old) == verb_of(new) || link == other;
        let linked = link == other || link.1 == other.1 && link.1 != Link::Other;
        return alike && linked && hosted;
    }
    // "CI is on X" and "CI runs on Y"; with two verbs that say more, where a
    // thing is kept is not where it runs.
    let placed = |reading: &Reading| matches!(reading.slot, Slot::Location | Slot::Hosting);
    let bare = |reading: &Reading| reading.items.iter().all(|item| item.place != Place::Verb);
    placed(old) && placed(new) && (bare(old) || bare(new)) && ours == theirs && link == other
}

/// Whether two values that are not in the same slot are surely in two: a port
/// and a person, a day and a tool.
pub(super) fn are_apart(old: &Reading, new: &Reading) -> bool {
    let placed = |reading: &Reading| matches!(reading.slot, Slot::Location | Slot::Hosting);
    let telling =
        |sort: Option<Sort>| matches!(sort, Some(Sort::Port | Sort::Clock | Sort::Day | Sort::Often));
    let (ours, theirs) = (sort_of(old), sort_of(new));
    let of_two_sorts =
        ours != theirs && (ours.is_some() && theirs.is_some() || telling(ours) || telling(theirs));
    of_two_sorts || old.slot != new.slot && !(placed(old) && placed(new))
}

/// Whether what a thing is may have become what a change tells of.
pub(super) fn may_become(state: &Reading, told: &Reading, to: &[usize]) -> bool {
    let words: Vec<usize> = to.iter().map(|item| told.items[*item].word).collect();
    let (before, after) = (sort_of(state), sort_of_words(told, &words));
    let has = |verbs: &[&str]| told.words.iter().any(|word| verbs.contains(&word.folded.as_str()));
    let nameable = |sort: Option<Sort>| matches!(sort, None | Some(Sort::Path));
    match state.slot {
        Slot::Agent => false,
        Slot::Making => has(&["ported", "rewritten", "converted", "migrated"]) && before == after,
        Slot::Means if has(&["moved", "relocated", "transferred"]) => false,
        // What it is for, or behind, it still is.
        Slot::Location if link_of(state).1 == Link::Other => false,
        Slot::Location | Slot::Identity | Slot::Name => {
            before == after || nameable(before) && nameable(after)
        }
        _ => before == after && before != Some(Sort::Release),
    }
}

fn verb_of(reading: &Reading) -> Option<&str> {
    let verb = reading.items.iter().find(|item| item.place == Place::Verb)?;
    Some(reading.words[verb.word].stem.as_str())
}

fn values(reading: &Reading) -> impl Iterator<Item = usize> + '_ {
    reading.items.iter().filter(|item| item.place == Place::Value).map(|item| item.word)
}

fn sort_of(reading: &Reading) -> Option<Sort> {
    sort_of_words(reading, &values(reading).collect::<Vec<_>>())
}

fn sort_of_words(reading: &Reading, words: &[usize]) -> Option<Sort> {
    let before = |at: usize| at.checked_sub(1).map(|at| &reading.words[at]);
    if let Some(at) = words.iter().copied().find(|at| starts_with_figure(&reading.words[*at])) {
        let word = &reading.words[at];
        let told_before =
            |names: &[&str]| before(at).is_some_and(|word| names.contains(&word.folded.as_str()));
        let is_port = |word: &Word| matches!(word.folded.as_str(), "port" | "ports") || is_turkish_port(word);
        return Some(if reading.words.iter().any(is_port) {
            Sort::Port
        } else if word.folded.contains(':') || told_before(&["saat", "at"]) {
            Sort::Clock
        } else if word.folded.contains('/') {
            Sort::Path
        } else if word.is_version() || before(at).is_some_and(|word| !word.small && !word.is_literal()) {
            Sort::Release
        } else {
            Sort::Measure
        });
    }
    words.iter().find_map(|at| {
        let at = *at;
        let word = &reading.words[at];
        let repeated =
            before(at).is_some_and(|word| matches!(word.folded.as_str(), "every" | "her" | "each"));
        if repeated || word.is(Mark::Often) {
            Some(Sort::Often)
        } else if is_day(word) {
            Some(Sort::Day)
        } else if is_path(word) {
            Some(Sort::Path)
        } else {
            None
        }
    })
}

fn starts_with_figure(word: &Word) -> bool {
    word.folded.trim_start_matches('v').starts_with(|first: char| first.is_ascii_digit())
        && !word.folded.chars().nth(1).is_some_and(char::is_alphabetic)
}

fn is_turkish_port(word: &Word) -> bool {
    word.folded.starts_with("port") && word.folded.len() <= 8 && word.folded[4..].starts_with('u')
}

/// A file, a folder or an address.
fn is_path(word: &Word) -> bool {
    let inner_stop = word.folded.trim_end_matches('.').chars().skip(1).any(|mark| mark == '.');
    word.folded.contains('/')
        || inner_stop
        || matches!(word.folded.as_str(), "folder" | "directory")
        || ["klasor", "dizin"].iter().any(|root| word.folded.starts_with(root))
}

pub(super) fn is_day(word: &Word) -> bool {
    #[rustfmt::skip]
    const DAYS: &[&str] = &[
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "pazartesi", "sali",
        "carsamba", "persembe", "cuma", "cumartesi", "pazar",
    ];
    let begins = |day: &str| word.folded.as_bytes().first() == day.as_bytes().first();
    let is = |day: &str| word.folded.starts_with(day) && word.folded.len() <= day.len() + 4;
    DAYS.iter().any(|day| begins(day) && is(day))
}

#[rustfmt::skip]
pub(super) const OFTEN: &[&str] = &[
    "daily", "weekly", "monthly", "yearly", "hourly", "nightly", "quarterly", "gunluk", "haftalik", "aylik",
    "yillik", "saatlik",
];

/// The small word that a value hangs on, and what sort of link it is.
pub(super) fn link_of(reading: &Reading) -> (&str, Link) {
    let found = if reading.turkish { turkish_link(reading) } else { english_link(reading) };
    let link = match found {
        "" => Link::Bare,
        "in" | "at" | "on" | "to" | "into" | "onto" | "inside" | "within" | "under" => Link::Place,
        "with" | "via" | "using" => Link::With,
        "by" => Link::By,
        _ => Link::Other,
    };
    (found, link)
}

fn english_link(reading: &Reading) -> &str {
    let Some(first) = values(reading).next() else { return "" };
    if reading.words[first].is(Mark::Link) {
        return &reading.words[first].folded;
    }
    let before = reading.words[..first].iter().rev().take_while(|word| word.small || word.is(Mark::Link));
    before.into_iter().find(|word| word.is(Mark::Link)).map_or("", |word| word.folded.as_str())
}

pub(super) const LINKS: &[&str] = &[
    "in", "at", "on", "to", "into", "onto", "inside", "within", "under", "with", "via", "using", "by",
    "from", "behind", "through", "for", "over", "near", "as",
];

fn turkish_link(reading: &Reading) -> &'static str {
    let Some(last) = values(reading).last() else { return "" };
    match reading.words.get(last + 1).map(|next| next.folded.as_str()) {
        Some("ile") => return "with",
        Some("uzerinde") => return "on",
        Some("icinde" | "altinda") => return "in",
        Some("tarafindan") => return "by",
        _ => {}
    }
    let word = &reading.words[last];
    let ends = |endings: &[&str]| {
        if word.ending.is_empty() {
            !word.is_literal()
                && endings.iter().any(|end| word.folded.len() >= end.len() + 3 && word.folded.ends_with(end))
        } else {
            endings.contains(&word.ending.as_str())
        }
    };
    if ends(&["da", "de", "ta", "te"]) {
        "in"
    } else if ends(&["la", "le", "yla", "yle"]) {
        "with"
    } else if !word.ending.is_empty() && ends(&["a", "e", "ya", "ye"]) {
        "to"
    } else {
        ""
    }
}
