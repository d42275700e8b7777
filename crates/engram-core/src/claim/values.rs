//! The values that a claim holds, each of its sort, and the words that say of
//! what they are the values.
//!
//! "The backend runs on Node 18" holds a release of Node and is about the
//! backend. Small words, verbs that say little and the time at which somebody
//! said so are neither. What two claims with different values mean for each
//! other is decided in `replaced`.

use super::figures::is_product as is_known_product;
use super::holds::{Hold, hold_of, is_left};
use super::known::Mark;
use super::nouns::{is_generic, is_light_in_turkish, is_of_class, is_of_person, is_stuff, measure_of};
use super::reading::{Place, Reading, Slot, tells_since};
use super::sort::is_day;
use super::tells::{is_deed, tells_new_value};
use super::words::Word;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    Release,
    Port,
    Amount,
    Clock,
    Day,
    Often,
    Path,
    /// A tool, a place, an address or a name in code.
    Named,
    Person,
    /// On or off, required or optional.
    State,
}

/// A value: some words that follow each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    pub(super) sort: Sort,
    pub(super) from: usize,
    pub(super) to: usize,
    /// The word that tells the value apart from others of its sort.
    pub(super) key: usize,
    /// Of a release: what it is a release of. Of an amount: what is counted.
    pub(super) of: Option<usize>,
    /// Of a state: on or off, if it is one of the two.
    pub(super) on: Option<bool>,
    /// The claim says that it is over: "from X", "instead of X", "X left".
    pub(super) left: bool,
    /// Of a name: how it hangs on what the claim is about.
    pub(super) tie: Hold,
}

/// A word that says of what a value is.
#[derive(Debug, Clone, Copy)]
pub(super) struct About {
    pub(super) word: usize,
    /// "service", "module", "port": many things are one or have one.
    pub(super) generic: bool,
    /// A verb: another may stand for it, so it only counts where it is shared.
    pub(super) act: bool,
}

#[derive(Debug, Clone)]
pub(super) struct Holding {
    pub(super) values: Vec<Value>,
    pub(super) about: Vec<About>,
    /// It says that something is not as it was.
    pub(super) changes: bool,
}

impl Holding {
    /// The same without the words of a value among what it is about.
    pub(super) fn beside(&self, value: &Value) -> Self {
        let mut rest = self.clone();
        rest.about.retain(|about| !(value.from..value.to).contains(&about.word));
        rest
    }
}

pub(super) fn holding_of(reading: &Reading) -> Holding {
    let words = &reading.words;
    let passing = passing_words(words);
    let of_person = |at: usize| !passing[at] && is_of_person(&words[at]) || takes_over(words, at);
    let named_person = (0..words.len()).any(of_person) || reading.slot == Slot::Agent;
    let mut values: Vec<Value> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let found = if passing[at] { None } else { value_at(reading, at, named_person) };
        at = found.map_or(at + 1, |value| value.to);
        values.extend(found);
    }
    for value in &mut values {
        value.left = value.sort != Sort::State && is_left(reading, value);
        value.tie = hold_of(reading, value);
    }
    let in_value = |at: usize| values.iter().any(|value| (value.from..value.to).contains(&at));
    let is_about = |at: &usize| {
        let word = &words[*at];
        !word.small && !passing[*at] && !in_value(*at) && !says_little(reading, *at) && !is_deed(reading, *at)
    };
    let about = (0..words.len()).filter(is_about);
    let about = about.map(|word| About { word, generic: is_light(&words[word]), act: is_act(reading, word) });
    let about = about.collect();
    Holding { values, about, changes: tells_new_value(reading) }
}

/// Many things are one, have one or consist of it.
fn is_light(word: &Word) -> bool {
    is_generic(word) || is_stuff(word)
}

/// The words that tell when something was said or done: "since the load test",
/// "as of the last release", "on 2026-03-05 (Thursday) at night".
fn passing_words(words: &[Word]) -> Vec<bool> {
    let folded = |at: usize| words.get(at).map_or("", |word| word.folded.as_str());
    let mut passing = vec![false; words.len()];
    let mut at = 0;
    while at < words.len() {
        let mut to = at + 1;
        if is_date(&words[at]) {
            // What is moved to a date is moved to its day.
            let arrives = at > 0 && matches!(folded(at - 1), "to" | "into");
            to += usize::from(!arrives && words.get(to).is_some_and(is_day));
            while matches!(folded(to), "in" | "at" | "the" | "morning" | "night" | "evening" | "afternoon") {
                to += 1;
            }
            passing[at..to.min(words.len())].fill(true);
        } else if matches!(folded(at), "since" | "during") || folded(at) == "as" && folded(at + 1) == "of" {
            let ends = |at: &usize| words[*at].after_pause || words[*at].is(Mark::Copula);
            let end = (to..words.len()).find(ends).unwrap_or(words.len());
            // "As of the last release the minimum Python is": a circumstance
            // in front is one thing.
            let thing = |at: &usize| !words[*at].small && !words[*at].is(Mark::When);
            let first = (to..end).find(thing).map_or(end, |thing| thing + 1);
            to = if at == 0 { first } else { end };
            passing[at..to].fill(true);
        } else if folded(at) == "after"
            && !(at > 0 && folded(at - 1).starts_with("look"))
            && matches!(folded(to), "the" | "our" | "a")
        {
            // "After the cleanup", but not "after 30 minutes".
            let end = (to + 1..words.len()).find(|at| words[*at].small || words[*at].after_pause);
            to = end.unwrap_or(words.len());
            passing[at..to].fill(true);
        } else if folded(at) == "from" && matches!(folded(to), "here" | "now" | "today" | "this") {
            to = (to + 2).min(words.len());
            passing[at..to].fill(true);
        } else if folded(at) == "last" {
            to = (at + 2).min(words.len());
            passing[at..to].fill(true);
        } else {
            let when = words[at].is(Mark::When) || matches!(folded(at), "weekend" | "tonight");
            passing[at] = when && !is_counted(words, at) || tells_since(words, at);
        }
        at = to;
    }
    passing
}

fn is_counted(words: &[Word], at: usize) -> bool {
    let counts = |before: usize| words[before].is_number() || words[before].folded == "a";
    measure_of(&words[at]).is_some() && at.checked_sub(1).is_some_and(counts)
}

fn is_date(word: &Word) -> bool {
    word.folded.len() == 10
        && word.folded.matches('-').count() == 2
        && word.folded.bytes().all(|mark| mark.is_ascii_digit() || mark == b'-')
}

fn value_at(reading: &Reading, at: usize, named_person: bool) -> Option<Value> {
    let words = &reading.words;
    let word = &words[at];
    let value = |sort: Sort| Value { sort, ..plain_value(at) };
    if word.folded.starts_with(|first: char| first.is_ascii_digit()) || word.is_version() {
        return Some(figure_at(words, at)).filter(|_| has_only_figures(word));
    }
    if let Some(to) = often_at(words, at) {
        return Some(Value { to, key: to - 1, ..value(Sort::Often) });
    }
    if is_day(word) {
        return Some(value(Sort::Day));
    }
    if let Some((from, to, on)) = state_at(reading, at) {
        return Some(Value { from, to, on, ..value(Sort::State) });
    }
    if is_path(word) {
        return Some(value(Sort::Path));
    }
    let to = name_at(reading, at, named_person)?;
    // A release stands right after the name.
    if let Some(figure) = words.get(to).filter(|next| is_release_figure(next))
        && !figure.after_pause
        && !is_measured(words, to)
    {
        return Some(Value { to: to + 1, key: to, of: Some(to - 1), ..value(Sort::Release) });
    }
    let person = named_person && word.known().classes.is_empty() && begins_large(word) && !word.is_literal();
    Some(Value { to, ..value(if person { Sort::Person } else { Sort::Named }) })
}

fn plain_value(at: usize) -> Value {
    let (from, to, tie) = (at, at + 1, Hold::Other);
    Value { sort: Sort::Amount, from, to, key: at, of: None, on: None, left: false, tie }
}

fn has_only_figures(word: &Word) -> bool {
    let marks = word.folded.trim_start_matches('v');
    let figures = marks.chars().filter(char::is_ascii_digit).count();
    let letters = marks.chars().filter(|mark| mark.is_alphabetic()).count();
    figures > 0 && letters <= 3 && !marks.contains(['/', '_']) && !(letters > 0 && marks.contains('-'))
}

fn is_release_figure(word: &Word) -> bool {
    word.is_number() && !word.folded.contains(',')
}

fn is_measured(words: &[Word], at: usize) -> bool {
    words.get(at + 1).is_some_and(|next| !next.after_pause && measure_of(next).is_some())
}

fn figure_at(words: &[Word], at: usize) -> Value {
    let word = &words[at];
    let value = plain_value(at);
    let is_port = |word: &Word| word.folded.starts_with("port") && word.folded.len() <= 10;
    if word.folded.contains(':') {
        return Value { sort: Sort::Clock, ..value };
    }
    if is_measured(words, at) {
        return Value { to: at + 2, of: Some(at + 1), ..value };
    }
    if words.iter().any(is_port) && word.folded.bytes().all(|mark| mark.is_ascii_digit()) {
        return Value { sort: Sort::Port, ..value };
    }
    let jointed = word.folded.contains('.');
    let names = |before: usize| {
        is_product(words, before) && (before > 0 || jointed || is_known_product(&words[before]))
    };
    let before = at.checked_sub(1).filter(|before| !word.after_pause && names(*before));
    let named = || (0..at).rev().find(|before| names_product(words, *before));
    let in_figures = word.shown.contains(|mark: char| mark.is_ascii_digit());
    let released = |word: &Word| word.folded.starts_with("surum") || word.folded == "version";
    let is_release = word.is_version() || word.folded.contains('.') || before.is_some();
    if in_figures && (is_release || words.iter().any(released)) {
        return Value { sort: Sort::Release, of: before.or_else(named), ..value };
    }
    let next = words.get(at + 1).filter(|next| !next.small && !next.after_pause && !next.is_literal());
    let next = next.filter(|_| word.ending.is_empty());
    match next {
        Some(next) if !next.is(Mark::Copula) && next.known().strong_verb.is_none() => {
            Value { of: Some(at + 1), to: at + 2, ..value }
        }
        _ => value,
    }
}

/// A name that has releases, spelled small: "node 18".
fn is_product(words: &[Word], at: usize) -> bool {
    let word = &words[at];
    let named = begins_large(word) || !word.known().classes.is_empty();
    named && !word.small && !word.is_literal() && word.ending.is_empty() && !is_generic(word)
}

/// A name before the verb that its release follows: "Python is at 3.11".
fn names_product(words: &[Word], at: usize) -> bool {
    is_product(words, at) && (at > 0 && !is_acronym(&words[at]) || is_known_product(&words[at]))
}

/// Where "every night", "once a month" or "weekly" ends.
fn often_at(words: &[Word], at: usize) -> Option<usize> {
    let folded = |at: usize| words.get(at).map_or("", |word| word.folded.as_str());
    match folded(at) {
        "once" | "twice" if matches!(folded(at + 1), "a" | "per" | "every" | "each") => {
            (at + 2 < words.len()).then_some(at + 3)
        }
        "every" | "each" | "her" => {
            let next = words.get(at + 1)?;
            let of_time = measure_of(next).is_some()
                || matches!(
                    next.folded.as_str(),
                    "night" | "morning" | "evening" | "sprint" | "quarter" | "gece" | "sabah" | "aksam"
                );
            (of_time && !is_day(next)).then_some(at + 2)
        }
        _ => words[at].is(Mark::Often).then_some(at + 1),
    }
}

/// Where a word says how a thing is set, and whether that is on or off.
fn state_at(reading: &Reading, at: usize) -> Option<(usize, usize, Option<bool>)> {
    let words = &reading.words;
    let word = &words[at];
    let folded = |at: usize| words.get(at).map_or("", |word| word.folded.as_str());
    let begins = |roots: &[&str]| roots.iter().any(|root| word.folded.starts_with(root));
    match word.folded.as_str() {
        "on" | "off" => {
            let sets =
                |word: &Word| matches!(word.folded.as_str(), "turned" | "switched" | "turn" | "switch");
            let is = at > 0
                && (words[at - 1].is(Mark::Copula)
                    || sets(&words[at - 1])
                    || matches!(folded(at - 1), "now" | "still"))
                && !(at > 1 && folded(at - 2) == "from");
            let set = words[at.saturating_sub(7)..at].iter().any(sets);
            let ends = at + 1 == words.len()
                || words[at + 1].after_pause
                || matches!(
                    folded(at + 1),
                    "by" | "in" | "at" | "for" | "on" | "again" | "as" | "since" | "now"
                );
            let right_after = at > 0 && sets(&words[at - 1]);
            return (right_after || (is || set || folded(at + 1) == "by") && ends).then_some((
                at,
                at + 1,
                Some(word.folded == "on"),
            ));
        }
        "devre" if folded(at + 1).starts_with("disi") => return Some((at, at + 2, Some(false))),
        "devreye" => return Some((at, at + 1, Some(true))),
        "devreden" => return Some((at, at + 1, Some(false))),
        _ => {}
    }
    let last = at + 1 == words.len();
    if reading.turkish && last && begins(&["actik", "actim", "acti", "acild", "etkinlestir"]) {
        return Some((at, at + 1, Some(true)));
    }
    if reading.turkish && last && begins(&["kapatti", "kapatil", "kapand"]) {
        return Some((at, at + 1, Some(false)));
    }
    const ON: &[&str] = &["enabled", "active", "activated", "acik", "aktif", "etkin"];
    const OFF: &[&str] = &["disabled", "inactive", "deactivated", "kapali", "pasif", "devredisi"];
    // Words that mean as much where it is said how a thing is.
    const OPEN: &[&str] = &["true", "unlocked", "open", "live", "resumed", "running", "allowed", "public"];
    const SHUT: &[&str] =
        &["false", "locked", "shut", "closed", "paused", "suspended", "frozen", "blocked", "private"];
    let is_set = |list: &[&str]| list.iter().any(|set| word.folded == *set);
    let on = is_set(ON).then_some(true).or_else(|| is_set(OFF).then_some(false));
    let is_said = at > 0
        && (words[at - 1].is(Mark::Copula) || matches!(folded(at - 1), "became" | "now" | "been" | "made"))
        || reading.turkish && last && place_of(reading, at) != Some(Place::Verb);
    let at_end = at + 1 == words.len() || words[at + 1].small || words[at + 1].after_pause;
    let put = at > 0 && matches!(folded(at - 1), "to" | "at" | "fused" | "again" | "currently" | "still");
    let found = is_set(OPEN).then_some(true).or_else(|| is_set(SHUT).then_some(false));
    let on = on.or_else(|| found.filter(|_| at_end && (is_said || put || last)));
    let told = on.is_some() || is_said && !word.known().states.is_empty() && !word.folded.ends_with("iyor");
    told.then_some((at, at + 1, on))
}

fn place_of(reading: &Reading, at: usize) -> Option<Place> {
    reading.items.iter().find(|item| item.word == at).map(|item| item.place)
}

/// A file or a folder. "CI/CD" is neither.
fn is_path(word: &Word) -> bool {
    #[rustfmt::skip]
    const FILES: &[&str] = &[
        "rs", "ts", "js", "py", "toml", "yaml", "yml", "json", "md", "sh", "txt", "sql", "env", "lock", "tsx",
        "jsx", "go", "java", "kt", "rb", "php", "c", "h", "cpp", "css", "html", "xml", "ini", "cfg", "conf",
        "tf", "csv", "proto", "log",
    ];
    let ends = word.folded.rsplit_once('.').is_some_and(|(name, end)| {
        FILES.contains(&end) && (name.is_empty() || word.shown.chars().any(char::is_lowercase))
    });
    let folders = word.folded.contains('/')
        && !word.folded.contains("//")
        && word.shown.chars().any(char::is_lowercase);
    (folders || ends && !(begins_large(word) && word.folded.ends_with(".js")))
        && word.folded.contains(char::is_alphabetic)
}

pub(super) fn begins_large(word: &Word) -> bool {
    word.shown.chars().next().is_some_and(char::is_uppercase)
}

/// Where a name that begins here ends.
fn name_at(reading: &Reading, at: usize, named_person: bool) -> Option<usize> {
    let words = &reading.words;
    let word = &words[at];
    if word.small || word.folded == "i" {
        return None;
    }
    let change = reading.change.as_ref();
    let among = |items: &[usize]| items.iter().any(|item| reading.items[*item].word == at);
    let arrives = change.is_some_and(|change| among(&change.to) || among(&change.from));
    let place = place_of(reading, at);
    let subject =
        if change.is_some_and(|change| !change.denied) { !arrives } else { place == Some(Place::Subject) };
    let in_code = is_in_code(words, at);
    let renamed = arrives && change.is_some_and(|change| change.renamed)
        || reading.slot == Slot::Name && place == Some(Place::Value) && change.is_none();
    let begins_sentence = at == 0 || at == 1 && word.after_pause;
    // "The Terraform modules": a name that says which ones is nobody's.
    let which = |next: &Word| !next.small && !next.after_pause && !begins_large(next) && !next.is_literal();
    let says_which =
        !reading.turkish && words.get(at + 1).is_some_and(|next| which(next) && is_generic(next));
    let whoever = named_person
        && begins_large(word)
        && !is_acronym(word)
        && !says_which
        && (at > 0 || acts(reading, at));
    let known = is_of_class(word) && (arrives || !matches!(place, Some(Place::Subject | Place::Verb) | None));
    let next = |away: usize| words.get(at + away).filter(|next| !next.after_pause);
    let acronym = is_acronym(word) && !next(1).is_some_and(|next| begins_large(next) && !is_acronym(next));
    // "The engine is FMOD", "motoru FMOD".
    let last = at + 1 == words.len() && at > 0;
    let acronym = acronym && !(last && (reading.turkish || words[at - 1].is(Mark::Copula)));
    let named = begins_large(word) && !acronym && !begins_sentence && !word.small;
    let replaces = begins_large(word)
        && (1..3).any(|away| {
            next(away).is_some_and(|next| matches!(next.folded.as_str(), "replaced" | "replaces"))
        })
        && !(1..3).any(|away| next(away).is_some_and(|next| next.is(Mark::Copula)));
    let called =
        at > 0 && at + 1 < words.len() && matches!(words[at - 1].folded.as_str(), "adini" | "ismini")
            || next(1).is_some_and(|next| matches!(next.folded.as_str(), "adini" | "adiyla" | "ismini"))
                && words.iter().any(|word| word.folded == "artik");
    let renamed = renamed || is_new_name(words, at) || called;
    let doer = is_doer(words, at);
    let named_so =
        at > 1 && words[at - 1].folded == "name" && matches!(words[at - 2].folded.as_str(), "the" | "its");
    if !(in_code
        || renamed
        || whoever
        || doer
        || named_so
        || known
        || replaces
        || named && (reading.turkish || !subject))
    {
        return None;
    }
    if named && !in_code && !whoever && reading.turkish && subject && word.ending.is_empty() {
        return None;
    }
    // "Vienna office": which one, and where it is.
    let placed = next(1).is_some_and(is_stuff);
    // "Docker images": which ones, and nothing that they have.
    let kind = !(placed || doer || reading.turkish || arrives || in_code || whoever || replaces)
        && next(1).is_some_and(|next| {
            !next.small
                && !begins_large(next)
                && !next.is_literal()
                && !is_generic(next)
                && !is_act(reading, at + 1)
        });
    if kind {
        return None;
    }
    let mut to = at + 1;
    if begins_large(word) {
        while let Some(next) = words.get(to).filter(|next| !next.after_pause) {
            let joined = next.folded == "the" && words.get(to + 1).is_some_and(begins_large);
            if !(joined || begins_large(next)) || !words[to - 1].ending.is_empty() {
                break;
            }
            to += 1;
        }
    }
    Some(to)
}

/// "Samir signs the contracts": whoever or whatever does it is the value.
pub(super) fn is_doer(words: &[Word], at: usize) -> bool {
    let folded = |at: usize| words.get(at).map_or("", |word| word.folded.as_str());
    let does = folded(1).len() > 3 && folded(1).ends_with('s') && !folded(1).ends_with("ss");
    at == 0
        && begins_large(&words[0])
        && !words[0].small
        && words[0].folded.chars().all(char::is_alphabetic)
        && does
        && matches!(folded(2), "the" | "our" | "all" | "every")
        && !words.iter().any(|word| word.is(Mark::Copula))
}

/// "We renamed the binary, it is X now."
fn is_new_name(words: &[Word], at: usize) -> bool {
    let folded = |at: usize| words.get(at).map_or("", |word| word.folded.as_str());
    let is = at > 1 && folded(at - 1) == "is" && folded(at - 2) == "it" || at > 0 && folded(at - 1) == "it";
    is && !words[at].small && words[..at].iter().any(|word| word.folded == "renamed")
}

fn takes_over(words: &[Word], at: usize) -> bool {
    matches!(words[at].folded.as_str(), "took" | "taken")
        && words[at + 1..].iter().any(|word| word.folded == "over")
}

fn is_acronym(word: &Word) -> bool {
    word.letters <= 4
        && word.shown.chars().all(|mark| mark.is_uppercase() || !mark.is_alphabetic())
        && !word.is(Mark::Name)
}

/// Whoever begins the sentence does something.
fn acts(reading: &Reading, at: usize) -> bool {
    #[rustfmt::skip]
    const ACTS: &[&str] = &[
        "is", "owns", "leads", "manages", "maintains", "reviews", "took", "left", "has", "now", "handles",
        "ayrildi", "handed", "gave",
    ];
    let next = reading.words.get(at + 1).map_or("", |word| word.folded.as_str());
    // "Design reviews are": what they are of, and nobody who reviews.
    let mut after = reading.words.iter().skip(at + 2);
    let which = next.len() > 3 && next.ends_with('s') && after.any(|word| word.is(Mark::Copula));
    let holds = !which && (place_of(reading, at) == Some(Place::Value) || ACTS.contains(&next));
    let role = reading.words.get(at + 1).is_some_and(|next| reading.turkish && is_of_person(next));
    holds && !role && !is_generic(&reading.words[at])
}

/// A name as only code and machines have it: with marks or capitals inside.
fn is_in_code(words: &[Word], at: usize) -> bool {
    let word = &words[at];
    let inner = || word.shown.chars().zip(word.shown.chars().skip(1));
    if inner().any(|(one, next)| one.is_lowercase() && next.is_uppercase()) {
        return true;
    }
    if !word.is_literal() || is_date(word) || !word.folded.contains(char::is_alphabetic) {
        return false;
    }
    let marked = word.folded.contains('_')
        || word.folded.chars().skip(1).any(|mark| mark == '.')
        || word.folded.contains(|mark: char| mark.is_ascii_digit()) && word.letters > 3;
    // "Two-factor login": a word that says what the next one is.
    let ends = words.get(at + 1).is_none_or(|next| next.small || next.after_pause || is_generic(next));
    const COMMON: &[&str] = &[
        "on", "off", "in", "self", "read", "end", "two", "multi", "pre", "post", "non", "re", "co", "e",
        "cross", "real", "long", "short", "high", "low", "open", "full", "built", "end",
    ];
    let common = word.folded.split('-').next().is_some_and(|first| COMMON.contains(&first));
    let ends = ends || at + 2 == words.len() && is_last_verb(&words[at + 1]);
    marked || word.folded.contains('-') && ends && at > 0 && !common
}

/// Words that say nothing of what a claim is about.
fn says_little(reading: &Reading, at: usize) -> bool {
    #[rustfmt::skip]
    const LITTLE: &[&str] = &[
        "got", "get", "gets", "went", "goes", "take", "taken", "takes", "took", "please", "mind", "pinned",
        "based", "know", "everything", "own", "new", "yeni", "turned", "switched", "pushed", "reached", "reach",
        "look", "find", "found", "can", "least", "most", "place", "care", "once", "twice", "further", "bring",
        "served", "these", "days", "right", "moment", "started", "starts", "start", "begins", "effective",
        "split", "ait", "fikrimi", "degistirdim", "itibaren", "bundan", "boyle", "su", "an", "anda",
        "durumda", "sekilde", "halde", "basina", "like", "likes", "want", "wants", "best", "rescheduled",
        "left", "gone", "handed", "person", "kisi", "re", "yeniden", "tanimli", "kurulu", "supported", "over",
        "currently", "behind", "before", "without", "durum", "oyle", "olsun", "olmali", "olmasini", "user",
        "users", "kullanici", "valid", "gecerli", "lasts", "refactoring", "refactor", "gunleri", "gunu",
        "under", "after", "fused", "reachable", "kick", "kicks", "end", "ends", "now", "again", "sonra", "yana", "fazla",
    ];
    let word = &reading.words[at];
    let place = place_of(reading, at);
    let verb = word.known().strong_verb.is_some() || word.stem_is(Mark::Light);
    LITTLE.contains(&word.folded.as_str())
        || is_of_person(word)
            && !reading
                .words
                .get(at + 1)
                .is_some_and(|next| is_generic(next) || next.is(Mark::Copula) && word.folded.ends_with('s'))
        || verb && place != Some(Place::Subject)
        || reading.turkish && is_light_in_turkish(word)
        || word.is(Mark::Moved)
        || word.is(Mark::Also)
        || changed_it(reading, at)
}

/// Whoever moved or renamed a thing is not what was.
fn changed_it(reading: &Reading, at: usize) -> bool {
    let words = &reading.words;
    let owned = |word: &Word| matches!(word.folded.as_str(), "the" | "our" | "my" | "its" | "their");
    let verb = words.iter().position(|word| word.is(Mark::Moved));
    let mind = |verb: usize| words.get(verb + 2).is_some_and(|word| word.folded == "mind");
    verb.is_some_and(|verb| {
        at < verb
            && !mind(verb)
            && words.get(verb + 1).is_some_and(owned)
            && !words[at..verb].iter().any(|word| word.is(Mark::Copula))
    })
}

fn is_act(reading: &Reading, at: usize) -> bool {
    let word = &reading.words[at];
    let last = reading.turkish && at + 1 == reading.words.len() && word.stem != word.folded;
    // What follows "we" is a verb, in whatever clause.
    let told = at.checked_sub(1).is_some_and(|before| {
        !reading.turkish && matches!(reading.words[before].folded.as_str(), "we" | "i" | "they" | "you")
    });
    place_of(reading, at) == Some(Place::Verb) || told || last && is_last_verb(word)
}

fn is_last_verb(word: &Word) -> bool {
    ["iyor", "uyor", "di", "du", "ti", "tu", "dik", "tik", "duk", "tuk", "ir", "ar", "er", "ur"]
        .iter()
        .any(|end| word.folded.ends_with(end))
}
