//! Claims that tell of a change: from what, to what, and of what.
//!
//! "Moved to", "renamed to", "replaced by", "instead of" and their Turkish
//! sisters. That something is over without anything in its place is read with
//! the polarity, not here.

use super::known::Mark;
use super::reading::{Place, Reading};
use super::words::Word;
use std::ops::Range;

/// A change that a claim tells of, as indices of its items.
#[derive(Debug, Clone, Default)]
pub(super) struct Change {
    pub(super) topic: Vec<usize>,
    pub(super) from: Vec<usize>,
    pub(super) to: Vec<usize>,
    /// What is said after it: where, for what.
    pub(super) beside: Vec<usize>,
    /// The one clause denies what the other has something for: "we no longer
    /// use X, we use Y".
    pub(super) denied: bool,
    /// "Instead of" rather than "moved to".
    pub(super) instead: bool,
    pub(super) renamed: bool,
}

pub(super) fn change_of(reading: &Reading) -> Option<Change> {
    let found = denied_clause(reading);
    let found =
        found.or_else(|| if reading.turkish { turkish_change(reading) } else { english_change(reading) });
    found.filter(|change| !change.to.is_empty())
}

#[rustfmt::skip]
pub(super) const MOVED: &[&str] = &[
    "moved", "migrated", "switched", "changed", "relocated", "transferred", "converted", "renamed",
    "upgraded", "updated", "downgraded", "bumped", "ported", "increased", "decreased", "raised", "lowered",
    "reduced", "extended", "shortened",
];

/// "We no longer use X, we use Y": one clause denies, another tells.
fn denied_clause(reading: &Reading) -> Option<Change> {
    let words = &reading.words;
    let replaced = reading.has("instead");
    let pause = (1..words.len()).find(|at| {
        let joined = replaced && matches!(words[*at].folded.as_str(), "and" | "but");
        words[*at].after_pause && words[*at].folded != "not" || joined
    })?;
    let denies = |from: usize, to: usize| {
        words[from..to].iter().enumerate().any(|(at, word)| {
            let next = words.get(from + at + 1).map_or("", |next| next.folded.as_str());
            word.negative
                || word.folded == "not"
                || word.folded == "no" && next == "longer"
                || word.folded == "stopped" && next.ends_with("ing")
                || word.is(Mark::Over)
        })
    };
    let (before, after) = (denies(0, pause), denies(pause, words.len()));
    if before == after {
        return None;
    }
    let (denied, told) = if before { (0..pause, pause..words.len()) } else { (pause..words.len(), 0..pause) };
    let of = |range: &Range<usize>| -> Vec<usize> {
        let there = |item: &usize| {
            let item = reading.items[*item];
            range.contains(&item.word) && !item.light && !words[item.word].negative
        };
        (0..reading.items.len()).filter(there).collect()
    };
    let (from, mut to) = (of(&denied), of(&told));
    to.retain(|item| reading.items[*item].place != Place::Verb && !is_last_verb(reading, *item));
    let change = Change { from, to, instead: true, denied: true, ..Change::default() };
    Some(change).filter(|change| !change.from.is_empty())
}

/// A Turkish verb at the end of the sentence.
fn is_last_verb(reading: &Reading, item: usize) -> bool {
    let word = reading.word(item);
    reading.turkish && reading.items[item].word + 1 == reading.words.len() && word.first_person
}

fn english_change(reading: &Reading) -> Option<Change> {
    let words = &reading.words;
    let find = |from: usize, wanted: &[&str]| {
        (from..words.len()).find(|at| wanted.contains(&words[*at].folded.as_str()))
    };
    let items = |from: usize, to: usize| -> Vec<usize> {
        (0..reading.items.len()).filter(|item| (from..to).contains(&reading.items[*item].word)).collect()
    };
    let end = words.len();
    let phrase_end = |from: usize| {
        (from..end)
            .find(|at| words[*at].after_pause && *at > from || words[*at].is(Mark::EndsPhrase))
            .unwrap_or(end)
    };

    // "Y instead of X", "Y rather than X", "Y, not X"
    let instead = find(0, &["instead", "rather"]);
    let not = (1..end).find(|at| words[*at].folded == "not" && words[*at].after_pause);
    if let Some(at) = instead.or(not) {
        let skipped = if words[at].folded == "not" { 1 } else { 2 };
        let named = words.get(at + 1).is_some_and(|next| matches!(next.folded.as_str(), "of" | "than"))
            || skipped == 1;
        // "Not in vault": the small word before the name ends nothing.
        let named_at = (at + skipped).min(end);
        let named_at = named_at
            + words[named_at..].iter().take_while(|word| matches!(word.folded.as_str(), "in" | "on")).count();
        let from_end = if named { phrase_end(named_at) } else { at };
        let mut from = if named { items(at + skipped, from_end) } else { Vec::new() };
        from.retain(|item| !is_said_again(reading, *item, at));
        let to: Vec<usize> = (0..reading.items.len())
            .filter(|item| {
                reading.items[*item].place == Place::Value
                    && !(at..from_end).contains(&reading.items[*item].word)
            })
            .collect();
        let topic =
            (0..reading.items.len()).filter(|item| !from.contains(item) && !to.contains(item)).collect();
        return Some(Change { topic, from, to, instead: true, ..Change::default() });
    }
    let swap = |verb: usize, by: &[&str]| {
        let by = find(verb + 1, by)?;
        let passive = verb > 0
            && matches!(words[verb - 1].folded.as_str(), "was" | "were" | "been" | "is" | "are" | "got");
        let (from, topic) =
            if passive { (items(0, verb), Vec::new()) } else { (items(verb + 1, by), items(0, verb)) };
        let to_end = phrase_end(by + 1);
        let (to, beside) = (items(by + 1, to_end), items(to_end, end));
        Some(Change { topic, from, to, beside, instead: true, ..Change::default() })
    };
    if let Some(at) = find(0, &["replaced", "swapped"]) {
        return swap(at, &["by", "with", "for"]);
    }
    // "X is now called Y"
    let called = (1..end).find(|at| {
        let called = matches!(words[*at].folded.as_str(), "called" | "named");
        called && (words[*at - 1].folded == "now" || words[end - 1].folded == "now")
    });
    if let Some(at) = called {
        let to = items(at + 1, phrase_end(at + 1));
        return Some(Change { topic: items(0, at), to, renamed: true, ..Change::default() });
    }
    let moved = words.iter().position(|word| word.is(Mark::Moved));
    let verb = moved.or_else(|| find(0, &["went"]).filter(|_| reading.has("from")))?;
    let renamed = words[verb].folded == "renamed";
    let to_at = find(verb + 1, &["to", "into", "onto"])?;
    let from_at = find(verb + 1, &["from", "off"]);
    let to_end = from_at.filter(|at| *at > to_at).unwrap_or_else(|| phrase_end(to_at + 1));
    let to = items(to_at + 1, to_end);
    let from =
        from_at.map_or(Vec::new(), |at| items(at + 1, if at < to_at { to_at } else { phrase_end(at + 1) }));
    let object_end = from_at.filter(|at| *at < to_at).unwrap_or(to_at);
    let mut topic = items(0, verb);
    topic.extend(items(verb + 1, object_end));
    topic.retain(|item| !matches!(reading.word(*item).folded.as_str(), "back" | "over"));
    let told = |item: &usize| [&topic, &from, &to].iter().any(|items| items.contains(item));
    let beside = items(verb + 1, end).into_iter().filter(|item| !told(item)).collect();
    Some(Change { topic, from, to, beside, renamed, ..Change::default() })
}

pub(super) const ENDS_PHRASE: &[&str] =
    &["for", "because", "since", "when", "and", "but", "as", "in", "on", "so"];

/// "Use tabs instead of using spaces" says its verb twice.
fn is_said_again(reading: &Reading, item: usize, before: usize) -> bool {
    let stem = &reading.word(item).stem;
    reading.items.iter().any(|other| {
        other.word < before && other.place == Place::Verb && reading.words[other.word].stem == *stem
    })
}

fn turkish_change(reading: &Reading) -> Option<Change> {
    let words = &reading.words;
    let all = || 0..reading.items.len();
    let at_of = |item: usize| reading.items[item].word;
    if let Some(instead) = words.iter().position(|word| word.folded == "yerine") {
        let mut from: Vec<usize> = all().filter(|item| at_of(*item) < instead).collect();
        // What stands right before it; a name of several words goes together.
        let keep = from
            .iter()
            .rev()
            .take_while(|item| is_name(reading.word(**item)) || at_of(**item) + 1 == instead)
            .count();
        from = from.split_off(from.len() - keep.min(from.len()));
        let to: Vec<usize> = all()
            .filter(|item| at_of(*item) > instead && reading.items[*item].place != Place::Verb)
            .collect();
        let topic = all().filter(|item| !from.contains(item) && !to.contains(item)).collect();
        return Some(Change { topic, from, to, instead: true, ..Change::default() });
    }
    // "X değil Y": the one, not the other.
    if let Some(not) = words.iter().position(|word| word.folded == "degil").filter(|at| at + 1 < words.len())
    {
        let from: Vec<usize> = all().filter(|item| at_of(*item) + 1 == not).collect();
        let to: Vec<usize> = all()
            .filter(|item| at_of(*item) > not && reading.items[*item].place != Place::Verb)
            .take(1)
            .collect();
        let topic = all().filter(|item| !from.contains(item) && !to.contains(item)).collect();
        return Some(Change { topic, from, to, instead: true, ..Change::default() })
            .filter(|change| !change.from.is_empty());
    }
    let verb = all().find(|item| {
        let word = reading.word(*item);
        at_of(*item) + 1 == words.len() && CHANGES.iter().any(|root| word.folded.starts_with(root))
    })?;
    let renamed = words.iter().any(|word| {
        matches!(word.folded.as_str(), "adi" | "adini" | "ismi" | "ismini")
            || word.folded.starts_with("adlandir")
    });
    let renamed = renamed
        || words.iter().any(|word| word.folded == "olarak")
            && reading.word(verb).folded.starts_with("degistir");
    let again = |item: usize| matches!(reading.word(item).folded.as_str(), "geri" | "tekrar" | "yeniden");
    let from: Vec<usize> = all()
        .filter(|item| *item < verb && !again(*item))
        .filter(|item| has_ending(reading.word(*item), &["dan", "den", "tan", "ten"]))
        .collect();
    // "X'i Y olarak yeniden adlandırdık"
    let as_what = words.iter().position(|word| word.folded == "olarak");
    let before_verb = match as_what {
        Some(at) => all().rfind(|item| at_of(*item) < at)?,
        None => (0..verb).rfind(|item| !again(*item))?,
    };
    let dative = has_ending(reading.word(before_verb), &["a", "e", "ya", "ye", "na", "ne"]);
    if !(dative || renamed || reading.word(before_verb).is_literal()) {
        return None;
    }
    let mut to = vec![before_verb];
    let mut first = before_verb;
    while first > 0
        && !from.contains(&(first - 1))
        && is_name(reading.word(first - 1))
        && is_bare(reading, first - 1)
        && at_of(first - 1) + 1 == at_of(first)
    {
        first -= 1;
        to.push(first);
    }
    let names_it = |item: usize| {
        let name = matches!(reading.word(item).folded.as_str(), "adi" | "adini" | "ismi" | "ismini");
        renamed && name || again(item)
    };
    let topic = all()
        .filter(|item| *item != verb && !from.contains(item) && !to.contains(item) && !names_it(*item))
        .collect();
    Some(Change { topic, from, to, renamed, ..Change::default() })
}

/// A part of a name carries no ending: what has one stands for itself.
fn is_bare(reading: &Reading, item: usize) -> bool {
    let word = reading.word(item);
    let first = reading.items[item].word == 0 && !word.is_literal();
    word.ending.is_empty() && !(first && has_ending(word, &["i", "u", "yi", "yu", "ni", "nu"]))
}

#[rustfmt::skip]
pub(super) const CHANGES: &[&str] = &[
    "tasin", "tasid", "gect", "gecil", "gecti", "yukselt", "guncelle", "dusur", "cikard", "degis", "oldu",
    "adlandir", "donus", "dondu",
];

fn is_name(word: &Word) -> bool {
    begins_large(word) || word.is_literal()
}

fn begins_large(word: &Word) -> bool {
    word.shown.chars().next().is_some_and(char::is_uppercase)
}

fn has_ending(word: &Word, endings: &[&str]) -> bool {
    if word.ending.is_empty() {
        endings.iter().any(|end| word.folded.len() > end.len() + 2 && word.folded.ends_with(end))
    } else {
        endings.contains(&word.ending.as_str())
    }
}
