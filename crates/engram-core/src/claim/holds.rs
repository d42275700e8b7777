//! How a claim holds a value: that it is called so, is there, is done with it,
//! or that it is over.

use super::reading::{Reading, Slot};
use super::values::{Sort, Value, is_doer};
use super::words::Word;

/// How a claim holds a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// "The editor is X".
    Is,
    Called,
    Written,
    Preferred,
    Placed,
    With,
    /// "We switched to X": whatever X is for.
    Taken,
    Other,
}

/// How a name hangs on what its claim is about.
pub(super) fn hold_of(reading: &Reading, value: &Value) -> Hold {
    let words = &reading.words;
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.folded.as_str()));
    let begins = |roots: &[&str]| {
        words.iter().any(|word| reading.turkish && roots.iter().any(|root| word.folded.starts_with(root)))
    };
    let renamed = reading.change.as_ref().is_some_and(|change| change.renamed);
    if renamed || reading.slot == Slot::Name || has(&["renamed", "called", "named", "adini", "ismini"]) {
        return Hold::Called;
    }
    let goes_by = words.windows(2).any(|two| two[0].folded == "goes" && two[1].folded == "by");
    if goes_by {
        return Hold::Called;
    }
    if has(&["written", "rewritten", "write", "writes", "ported", "converted"])
        || begins(&["yazil", "yaziyor", "yazmay"])
    {
        return Hold::Written;
    }
    if has(&["prefer", "prefers", "like", "likes", "want", "wants"])
        || begins(&["tercih", "seviyor", "istiyor"])
    {
        return Hold::Preferred;
    }
    let taken = &["switched", "migrated", "replaced", "replaces", "instead", "swapped"];
    if has(taken) || begins(&["gecti", "yerine", "birakti", "birakil"]) {
        return Hold::Taken;
    }
    if reading.turkish { turkish_hold(reading, value) } else { english_hold(reading, value) }
}

fn english_hold(reading: &Reading, value: &Value) -> Hold {
    let words = &reading.words;
    let article = |word: &&Word| !matches!(word.folded.as_str(), "the" | "our" | "a" | "its");
    if is_doer(words, value.from) {
        return Hold::With;
    }
    let Some(before) = words[..value.from].iter().rev().find(article) else { return Hold::Other };
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.folded.as_str()));
    match before.folded.as_str() {
        "to" | "into" | "onto"
            if has(&[
                "moved",
                "relocated",
                "transferred",
                "pushed",
                "published",
                "sent",
                "go",
                "goes",
                "shipped",
            ]) =>
        {
            Hold::Placed
        }
        "in" | "at" | "on" | "under" | "from" => Hold::Placed,
        "with" | "via" | "using" | "use" | "uses" | "through" | "by" => Hold::With,
        "is" | "are" | "now" | "was" => Hold::Is,
        _ => Hold::Other,
    }
}

fn turkish_hold(reading: &Reading, value: &Value) -> Hold {
    let (word, Some(verb)) = (&reading.words[value.to - 1], reading.words.last()) else { return Hold::Other };
    let next = reading.words.get(value.to).map_or("", |next| next.folded.as_str());
    let ends = |endings: &[&str]| endings.contains(&word.ending.as_str());
    let brought = ["tasi", "gonder", "aktar"].iter().any(|root| verb.folded.starts_with(root));
    if next == "ile" || verb.folded.starts_with("kullan") || ends(&["la", "le", "yla", "yle"]) {
        Hold::With
    } else if ends(&["da", "de", "ta", "te", "daki", "deki", "taki", "teki"])
        || ends(&["a", "e", "ya", "ye"]) && brought
        || ["uzerinde", "icinde", "altinda", "makine", "adresi", "sunucu"]
            .iter()
            .any(|root| next.starts_with(root))
    {
        Hold::Placed
    } else if value.to == reading.words.len() {
        Hold::Is
    } else {
        Hold::Other
    }
}

/// Whether a claim says of one of its values that it is over.
pub(super) fn is_left(reading: &Reading, value: &Value) -> bool {
    let words = &reading.words;
    let folded = |at: usize| words.get(at).map_or("", |word| word.folded.as_str());
    let of_change = reading.change.as_ref().is_some_and(|change| {
        let among = |items: &[usize]| items.iter().any(|item| reading.items[*item].word == value.key);
        let old_name = change.renamed && value.sort == Sort::Named;
        (old_name || among(&change.from)) && !among(&change.to)
    });
    if reading.turkish {
        let last = &words[value.to - 1];
        let ends = |endings: &[&str]| {
            endings.iter().any(|end| {
                if last.ending.is_empty() {
                    !last.is_literal() && last.letters > end.len() + 2 && last.folded.ends_with(end)
                } else {
                    last.ending == *end
                }
            })
        };
        let next = folded(value.to);
        return of_change
            || matches!(next, "yerine" | "degil")
            || is_gone(reading, value)
            || ends(&["dan", "den", "tan", "ten"]) && next != "itibaren" && next != "sorumlu";
    }
    let article = |at: &usize| matches!(folded(*at), "the" | "our" | "my" | "a" | "its" | "port");
    let before = (0..value.from).rev().find(|at| !article(at));
    let before_that = before.and_then(|at| at.checked_sub(1)).map_or("", folded);
    let by_small = before.is_some_and(|at| match folded(at) {
        "from" => words.iter().any(|word| matches!(word.folded.as_str(), "to" | "into" | "onto" | "over")),
        "off" | "than" => true,
        "of" => matches!(before_that, "instead" | "out" | "rid"),
        "renamed" => !matches!(before_that, "been" | "was" | "got" | "were" | "is"),
        "replaced" | "dropped" | "ditched" | "retired" | "swapped" => true,
        "using" | "with" | "use" => matches!(before_that, "stopped" | "longer" | "not"),
        _ => false,
    });
    let by_next = is_gone(reading, value);
    let after = verb_after(words, value);
    let active_replace = after.is_some_and(|at| {
        folded(at) == "replaced"
            && !matches!(folded(at + 1), "by" | "with")
            && !matches!(folded(at - 1), "was" | "been" | "got" | "were")
    });
    of_change && !active_replace || by_small || by_next && !active_replace
}

/// Where the verb stands that a value is the subject of, if it follows.
fn verb_after(words: &[Word], value: &Value) -> Option<usize> {
    let helps =
        |word: &str| matches!(word, "is" | "was" | "has" | "have" | "been" | "got" | "are" | "were" | "s");
    (value.to..words.len().min(value.to + 4)).find(|at| !helps(&words[*at].folded))
}

/// Whether it is said of a value itself that it is over, whatever it was the
/// value of: "X was renamed", "now that X is retired", "X kalktı".
pub(super) fn is_gone(reading: &Reading, value: &Value) -> bool {
    let words = &reading.words;
    let folded = |at: usize| words.get(at).map_or("", |word| word.folded.as_str());
    if reading.turkish {
        #[rustfmt::skip]
        const ROOTS: &[&str] =
            &["birak", "ayril", "kaldir", "terk", "kalkt", "kapand", "kapatil", "emekli", "tarih", "bitti"];
        return ROOTS.iter().any(|root| folded(value.to).starts_with(root));
    }
    let Some(at) = verb_after(words, value) else { return false };
    let passive = at > value.to;
    match folded(at) {
        "given" => folded(at + 1) == "the" && folded(at + 2) == "name",
        "left" | "gone" | "handed" | "gave" | "became" | "passed" => true,
        "renamed" | "replaced" | "dropped" | "removed" | "retired" | "shut" | "out" | "dead" | "history"
        | "deprecated" | "decommissioned" | "switched" | "turned" => {
            passive && !matches!(folded(at + 1), "the" | "on" | "to")
        }
        _ => false,
    }
}

/// Whether a claim says that something was given to whoever it names.
pub(super) fn is_handed(reading: &Reading, value: &Value) -> bool {
    let word = &reading.words[value.key];
    let gives = |word: &Word| {
        let english = ["handed", "passed", "given", "transferred", "reassigned", "assigned"];
        let turkish = ["veril", "verd", "devr", "gecti", "atand"];
        english.contains(&word.folded.as_str())
            || reading.turkish && turkish.iter().any(|root| word.folded.starts_with(root))
    };
    // "Artık Nur'da": with her.
    let with = value.tie == Hold::Placed && reading.turkish && reading.has("artik");
    !word.is_literal() && word.known().classes.is_empty() && (with || reading.words.iter().any(gives))
}
