//! Whether a clause speaks of what was, what is or what is to come.
//!
//! It does not know dates. A rule is no plan: "the build will fail if" holds
//! next week as well.

use super::grammar::{Clause, Verb, is_past, is_turkish_future, is_turkish_past};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tense {
    Past,
    Present,
    Future,
}

pub(super) fn tense(clause: &Clause<'_>) -> Tense {
    if announces(clause) {
        Tense::Future
    } else if looks_back(clause) {
        Tense::Past
    } else {
        Tense::Present
    }
}

/// What the verb beside each word tells: the nearest one before it, or the
/// first one after it. A long sentence may tell of both times.
pub(super) fn tenses(clause: &Clause<'_>, whole: Tense) -> Vec<Tense> {
    if clause.turkish {
        return vec![whole; clause.len()];
    }
    let told: Vec<Option<Tense>> = (0..clause.len()).map(|at| told_by(clause, at, whole)).collect();
    let mut before = told.iter().flatten().next().copied().unwrap_or(whole);
    let next = |told: Option<Tense>| {
        let now = before;
        before = told.unwrap_or(now);
        now
    };
    told.into_iter().map(next).collect()
}

fn told_by(clause: &Clause<'_>, at: usize, whole: Tense) -> Option<Tense> {
    let token = clause.get(at).filter(|_| clause.is_word(at))?;
    if token.tail == "ll" || clause.any(at, "will shall gonna going") {
        return Some(Tense::Future).filter(|_| whole == Tense::Future);
    }
    let infinitive = clause.after_any(at, "to") && clause.verb(at) == Some(Verb::Base);
    if infinitive {
        return Some(if whole == Tense::Past { Tense::Present } else { whole });
    }
    if tells_past(clause, at) {
        return Some(Tense::Past);
    }
    let person = matches!(token.tail.as_str(), "m" | "re") || clause.any(at, "am is are");
    let present = clause.verb(at) == Some(Verb::Third) || clause.verb(at) == Some(Verb::Base) && at > 0;
    (person || present).then_some(if whole == Tense::Future { whole } else { Tense::Present })
}

/// Whether it foretells something; `dated` says that a date is named.
pub(super) fn foresees(clause: &Clause<'_>, dated: bool) -> bool {
    announces(clause) && (dated || !is_rule(clause))
}

/// What holds whenever something else does.
pub(super) fn is_rule(clause: &Clause<'_>) -> bool {
    clause.says(RULES)
        || (0..clause.len())
            .any(|at| clause.get(at).is_some_and(|word| word.tail.is_empty() && word.text.ends_with("rse")))
}

fn announces(clause: &Clause<'_>) -> bool {
    (0..clause.len()).any(|at| {
        let Some(token) = clause.get(at) else { return false };
        let word = token.text.as_str();
        let later = token.tail == "ll" || word == "won" && token.tail == "t";
        // A name and a noun are written the same.
        let will = clause.any(at, "will shall")
            && (!token.capital || clause.any(at + 1, "we you i they he she it the this that"))
            && !clause.after_any(at, "the a his her my your our their free good at");
        let to = |words: &str| clause.any(at, words) && clause.any(at + 1, "to");
        let going = to("going")
            && !clause.any(at + 2, "the a an our my his her their")
            && !clause.after_any(at, "was were");
        let planned = to("plan plans planning intend intends aim aims about scheduled due expect expects")
            && !clause.after_any(at, "the a our my was were")
            && !clause.any(at + 2, "the a an our my");
        let scheduled = clause.any(at, "scheduled due slated") && clause.any(at + 1, "for on by in");
        let turkish = ends(clause, at) && token.tail.is_empty() && is_turkish_future(word)
            || word == "gelecek"
                && clause.turkish
                && (at + 1 == clause.len() || clause.is_mark(at + 1, ".,;!"))
            || ["planliyor", "planlaniyor", "niyetliyiz", "niyetindeyiz"]
                .iter()
                .any(|stem| word.starts_with(stem))
            || word.starts_with("uzere")
                && at > 0
                && clause
                    .get(at - 1)
                    .is_some_and(|verb| verb.text.ends_with("mek") || verb.text.ends_with("mak"));
        later || will || going || planned || scheduled || clause.any(at, "gonna upcoming") || turkish
    })
}

fn looks_back(clause: &Clause<'_>) -> bool {
    (0..clause.len()).any(|at| tells_past(clause, at))
}

fn tells_past(clause: &Clause<'_>, at: usize) -> bool {
    let Some(token) = clause.get(at).filter(|_| clause.is_word(at)) else { return false };
    let word = token.text.as_str();
    if token.tail == "t" && matches!(word, "didn" | "wasn" | "weren" | "hadn") {
        return true;
    }
    if !token.tail.is_empty() {
        return false;
    }
    if is_past(word) {
        // "Is cached" and "the cached file" tell no past.
        return !clause.after_any(at, "is are be being am get gets to the a an our my its no not isnt arent");
    }
    let listed = matches!(word, "oldu" | "gitti" | "dedi" | "bitti" | "vardi" | "yoktu");
    // The verb ends its clause.
    clause.turkish && ends(clause, at) && (is_turkish_past(word) || listed)
}

/// Nothing but another clause follows: here a Turkish verb stands.
fn ends(clause: &Clause<'_>, at: usize) -> bool {
    at + 1 == clause.len() || clause.is_mark(at + 1, ".,;:!?…)") || clause.any(at + 1, "ve ama fakat mi mu")
}

const RULES: &str = "if whenever unless always never every each otherwise usually when birthday anniversary eger her \
                     hep daima asla zaman dogum";
