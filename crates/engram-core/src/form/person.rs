//! From the first person to the third: "I prefer" is "the user prefers".
//!
//! English changes the pronoun and the one verb that must agree with it;
//! "we" stays, for it names no single person. Turkish marks the person in the
//! verb, where a change could go wrong in many ways, so the words stay and a
//! name is put before them: "Kullanıcı: tab tercih ediyorum". It does not
//! know who the user is.

use super::Step;
use super::edit::Edit;
use super::grammar::{AUXILIARIES, Clause, Verb};
use super::show::capital;
use super::trim;
use crate::ask::when::token::Kind;

/// The changes, and what is put before a Turkish clause of one person.
pub(super) fn third_person(clause: &Clause<'_>, speaker: Option<&str>) -> (Vec<Edit>, Option<String>) {
    let speaker = speaker.map(str::trim).filter(|name| !name.is_empty());
    if clause.turkish {
        let mine = (0..clause.len()).any(|at| is_turkish_first(clause, at));
        return (Vec::new(), mine.then(|| speaker.unwrap_or("Kullanıcı").to_owned()));
    }
    let name = speaker.unwrap_or("the user");
    let mut edits = Vec::new();
    for at in 0..clause.len() {
        let Some(token) = clause.get(at).filter(|token| token.kind == Kind::Word) else { continue };
        let range = token.start..token.end;
        let shown = if begins(clause, at) { capital(name) } else { name.to_owned() };
        match (clause.written(at), token.text.as_str()) {
            ("my" | "My" | "mine" | "Mine", _) => {
                edits.push(Edit::new(range, format!("{shown}'s"), Step::Rewritten));
            }
            ("me" | "Me", _) => edits.push(Edit::new(range, shown, Step::Rewritten)),
            ("myself", _) => edits.push(Edit::new(range, "themself", Step::Rewritten)),
            (_, "i") if is_i(clause, at) => {
                let (verb, agreeing) = agreement(clause, at);
                edits.push(Edit::new(range, format!("{shown}{verb}"), Step::Rewritten));
                edits.extend(agreeing);
            }
            _ => {}
        }
    }
    (edits, None)
}

fn begins(clause: &Clause<'_>, at: usize) -> bool {
    let first = (trim::start(clause)..at).all(|at| clause.is_mark(at, "(*\"-"));
    first && clause.written(at).chars().next().is_some_and(char::is_uppercase)
        || at > 0 && clause.is_mark(at - 1, ".!?")
}

/// Whether this letter is a person: not a numeral, not a counter in a loop.
fn is_i(clause: &Clause<'_>, at: usize) -> bool {
    let Some(token) = clause.get(at) else { return false };
    if !matches!(token.tail.as_str(), "" | "m" | "ve" | "ll" | "d") {
        return false;
    }
    let glued = clause.get(at + 1).is_some_and(|next| next.glued && !clause.is_mark(at + 1, ",.!?;:)"));
    let numeral = clause.any(at + 1, "is has of")
        || clause.any(at + 1, "are") && !clause.after_any(at, "and")
        || clause.after_any(at, "part phase type class chapter war level stage table section volume");
    if glued || numeral || token.glued && at > 0 && !clause.is_mark(at - 1, "(\"'*—–") {
        return false;
    }
    if clause.written(at).starts_with('I') {
        return true;
    }
    let verb = (at + 1..clause.len()).find(|at| !clause.is_adverb(*at)).and_then(|at| clause.verb(at));
    clause.written(at).starts_with('i')
        && (!token.tail.is_empty() || verb.is_some_and(|verb| verb != Verb::Third))
}

/// What follows the name in place of "'m" and the like, and the verb after it.
fn agreement(clause: &Clause<'_>, at: usize) -> (&'static str, Option<Edit>) {
    let tail = clause.get(at).map_or("", |token| token.tail.as_str());
    let next = (at + 1..clause.len()).find(|at| !clause.is_adverb(*at)).unwrap_or(clause.len());
    match tail {
        "m" => return (" is", None),
        "ve" => return (" has", None),
        "ll" => return (" will", None),
        "d" if clause.verb(next) == Some(Verb::Past) || clause.any(next, "been better") => {
            return (" had", None);
        }
        "d" => return (" would", None),
        _ => {}
    }
    // "Should I use", "Ada and I use": the verb is another's.
    let asked = clause.after_any(at, AUXILIARIES);
    let together = clause.after_any(at, "and or") && !(0..at).any(|at| clause.verb(at).is_some());
    let to = clause.after_any(at, "let");
    if asked || together || to {
        return ("", None);
    }
    let Some(verb) = clause.get(next).filter(|verb| verb.kind == Kind::Word) else { return ("", None) };
    // "I re-examined": half of a word has no form of its own.
    if clause.get(next + 1).is_some_and(|dash| dash.is_dash() && dash.glued) {
        return ("", None);
    }
    let written = clause.written(next);
    let agreeing = match (verb.text.as_str(), verb.tail.as_str()) {
        ("am", "") => Some("is".to_owned()),
        ("have", "") => Some("has".to_owned()),
        ("do", "") => Some("does".to_owned()),
        ("dont", "") => Some("doesnt".to_owned()),
        ("don", "t") => Some(format!("doesn{}", &written[3..])),
        ("haven", "t") => Some(format!("hasn{}", &written[5..])),
        (_, tail) if !tail.is_empty() => None,
        (word, _) if written.chars().any(|letter| !letter.is_ascii_lowercase()) || word.len() < 2 => None,
        (word, _) if clause.any(next, MODALS) || SAME_IN_PAST.contains(&word) && tells_past(clause) => None,
        (word, _) => match clause.verb(next) {
            Some(Verb::Past | Verb::Auxiliary | Verb::Third) => None,
            _ if clause.any(next, NO_VERBS) => None,
            _ => Some(third(word)),
        },
    };
    ("", agreeing.map(|with| Edit::new(verb.start..verb.end, with, Step::Rewritten)))
}

/// The form a verb has beside "he" or "she".
fn third(word: &str) -> String {
    let sibilant = ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| word.ends_with(end));
    let vowel_y = ["ay", "ey", "oy", "uy"].iter().any(|end| word.ends_with(end));
    match word.strip_suffix('y') {
        Some(stem) if !vowel_y => format!("{stem}ies"),
        _ if sibilant => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

fn tells_past(clause: &Clause<'_>) -> bool {
    clause.says("yesterday ago last earlier was were did had")
}

const MODALS: &str =
    "will would can could should must may might shall cannot cant wont was were had did used";

/// What may stand after "I" without being a verb.
const NO_VERBS: &str = "and or but to for from in on at with of as if that who the a an my too am i";

const SAME_IN_PAST: &[&str] = &["set", "put", "cut", "read", "let", "hit", "split", "shut", "cost"];

/// Whether a Turkish word speaks of the speaker alone.
fn is_turkish_first(clause: &Clause<'_>, at: usize) -> bool {
    if clause.any(
        at,
        "ben benim bana beni bende benden adim ismim severim kullanirim isterim yaparim ederim bilirim \
                       sevmem istemem kullanmam yapmam tercihim favorim projem ekibim bilgisayarim",
    ) {
        return true;
    }
    let Some(token) = clause.get(at).filter(|token| token.kind == Kind::Word && token.tail.is_empty()) else {
        return false;
    };
    let word = token.text.as_str();
    let ends = |ends: &str| ends.split(' ').any(|end| word.len() > end.len() + 1 && word.ends_with(end));
    let told = ["dim", "dum", "tim", "tum"]
        .iter()
        .any(|end| word.len() > 5 && word.ends_with(end) && super::grammar::is_turkish_past(word));
    ends("iyorum uyorum ecegim acagim maliyim meliyim misim musum") || told
}
