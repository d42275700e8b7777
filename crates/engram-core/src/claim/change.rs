//! Claims that tell of a change: from what, to what, and of what.
//!
//! "Moved to", "renamed to", "replaced by", "instead of" and their Turkish
//! sisters. That something is over without anything in its place is read with
//! the polarity, not here.

use super::reading::{Place, Reading};
use super::words::Word;

/// A change that a claim tells of, as indices of its items.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub(super) topic: Vec<usize>,
    pub(super) from: Vec<usize>,
    pub(super) to: Vec<usize>,
    /// "Instead of" rather than "moved to".
    pub(super) instead: bool,
    pub(super) renamed: bool,
}

pub(super) fn change_of(reading: &Reading) -> Option<Change> {
    let found = if reading.turkish { turkish_change(reading) } else { english_change(reading) };
    found.filter(|change| !change.to.is_empty())
}

const MOVED: &[&str] = &[
    "moved",
    "migrated",
    "switched",
    "changed",
    "relocated",
    "transferred",
    "converted",
    "renamed",
    "upgraded",
    "downgraded",
    "bumped",
    "ported",
    "increased",
    "decreased",
    "raised",
    "lowered",
    "reduced",
    "extended",
    "shortened",
];

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
            .find(|at| {
                words[*at].after_pause && *at > from || ENDS_PHRASE.contains(&words[*at].folded.as_str())
            })
            .unwrap_or(end)
    };

    // "Y instead of X", "Y rather than X", "Y, not X"
    let instead = find(0, &["instead", "rather"]);
    let not = (1..end).find(|at| words[*at].folded == "not" && words[*at].after_pause);
    if let Some(at) = instead.or(not) {
        let skipped = if words[at].folded == "not" { 1 } else { 2 };
        let named = words.get(at + 1).is_some_and(|next| matches!(next.folded.as_str(), "of" | "than"))
            || skipped == 1;
        let from_end = if named { phrase_end((at + skipped).min(end)) } else { at };
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
        return Some(Change { topic, from, to, instead: true, renamed: false });
    }
    let swap = |verb: usize, by: &[&str]| {
        let by = find(verb + 1, by)?;
        let passive = verb > 0
            && matches!(words[verb - 1].folded.as_str(), "was" | "were" | "been" | "is" | "are" | "got");
        let (from, topic) =
            if passive { (items(0, verb), Vec::new()) } else { (items(verb + 1, by), items(0, verb)) };
        let to = items(by + 1, phrase_end(by + 1));
        Some(Change { topic, from, to, instead: true, renamed: false })
    };
    if let Some(at) = find(0, &["replaced", "swapped"]) {
        return swap(at, &["by", "with", "for"]);
    }
    let verb = find(0, MOVED)?;
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
    Some(Change { topic, from, to, instead: false, renamed })
}

const ENDS_PHRASE: &[&str] = &["for", "because", "since", "when", "and", "but", "as", "in", "on", "so"];

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
        return Some(Change { topic, from, to, instead: true, renamed: false });
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
        return Some(Change { topic, from, to, instead: true, renamed: false })
            .filter(|change| !change.from.is_empty());
    }
    let verb = all().find(|item| {
        let word = reading.word(*item);
        at_of(*item) + 1 == words.len() && CHANGES.iter().any(|root| word.folded.starts_with(root))
    })?;
    let renamed = words
        .iter()
        .any(|word| matches!(word.folded.as_str(), "adi" | "ismi") || word.folded.starts_with("adlandir"));
    let from: Vec<usize> = all()
        .filter(|item| *item < verb && has_ending(reading.word(*item), &["dan", "den", "tan", "ten"]))
        .collect();
    let before_verb = verb.checked_sub(1)?;
    let dative = has_ending(reading.word(before_verb), &["a", "e", "ya", "ye", "na", "ne"]);
    if !(dative || renamed || reading.word(before_verb).is_literal()) {
        return None;
    }
    let mut to = vec![before_verb];
    let mut first = before_verb;
    while first > 0
        && !from.contains(&(first - 1))
        && is_name(reading.word(first - 1))
        && at_of(first - 1) + 1 == at_of(first)
    {
        first -= 1;
        to.push(first);
    }
    let topic = all().filter(|item| *item != verb && !from.contains(item) && !to.contains(item)).collect();
    Some(Change { topic, from, to, instead: false, renamed })
}

const CHANGES: &[&str] =
    &["tasin", "tasid", "gect", "gecil", "gecti", "yukselt", "degis", "oldu", "adlandir", "donus", "dondu"];

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
