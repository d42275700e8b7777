//! Whom a pronoun means: the subject of the sentence before, if there is
//! exactly one that fits.
//!
//! A wrong name is worse than a pronoun, so whatever is unclear stays as it
//! was said. "He" and "she" are only ever persons; whoever has no common
//! first name is one where a verb of persons says so.

use super::Step;
use super::edit::Edit;
use super::grammar::{Clause, DETERMINERS, PRONOUNS, Verb};
use super::show::capital;
use crate::ask::when::token::{Kind, folded};

#[derive(Debug, Clone, PartialEq, Eq)]
struct Subject {
    name: String,
    person: bool,
    plural: bool,
}

/// What was spoken of so far.
pub(super) struct Spoken {
    /// Those of the clause before; before the first one, those of the talk.
    subjects: Vec<Subject>,
}

/// Which subjects a pronoun may mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fits {
    Person,
    Thing,
    Plural,
    /// Turkish tells no persons from things.
    Any,
}

impl Spoken {
    pub(super) fn new(before: &[String]) -> Spoken {
        let mut subjects: Vec<Subject> = Vec::new();
        for name in before.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
            let subject = Subject { name: name.to_owned(), person: is_person(name), plural: is_plural(name) };
            if !subjects.contains(&subject) {
                subjects.push(subject);
            }
        }
        Spoken { subjects }
    }

    /// The names for the pronouns of a clause; then the clause is what was
    /// spoken of last.
    pub(super) fn resolve(&mut self, clause: &Clause<'_>, speaker: Option<&str>) -> Vec<Edit> {
        let (edits, resolved) = if clause.turkish { self.turkish(clause) } else { self.english(clause) };
        let mut found = if clause.turkish { turkish_subjects(clause) } else { english_subjects(clause) };
        found.retain(|subject| Some(subject.name.as_str()) != speaker);
        if found.is_empty() {
            found.extend(resolved);
        }
        let words = clause.tokens.iter().filter(|token| token.kind == Kind::Word).count();
        if !found.is_empty() || words > 2 {
            self.subjects = found;
        }
        edits
    }

    fn only(&self, fits: Fits) -> Option<&Subject> {
        let mut fitting = self.subjects.iter().filter(|subject| match fits {
            Fits::Person => subject.person,
            Fits::Thing => !subject.person && !subject.plural,
            Fits::Plural => subject.plural,
            Fits::Any => true,
        });
        let first = fitting.next()?;
        fitting.next().is_none().then_some(first)
    }

    fn english(&self, clause: &Clause<'_>) -> (Vec<Edit>, Option<Subject>) {
        for at in 0..clause.len() {
            // A noun before it is nearer than the sentence before.
            if let Some((fits, end, owns)) = english_pronoun(clause, at) {
                let Some(subject) = self.only(fits) else { return (Vec::new(), None) };
                if end > at + 1 && !names(subject, clause, end - 1) {
                    return (Vec::new(), None);
                }
                let mut name = lowered(&subject.name);
                if at == 0 && clause.get(0).is_some_and(|token| token.capital) {
                    name = capital(&name);
                }
                let tail = clause.get(end - 1).map_or("", |token| token.tail.as_str());
                let name = match (owns, tail) {
                    (true, _) => format!("{name}'s"),
                    (false, "s") => format!("{name} is"),
                    (false, "re") => format!("{name} are"),
                    (false, "ll") => format!("{name} will"),
                    (false, "ve") => format!("{name} have"),
                    (false, _) => name,
                };
                return (vec![Edit::new(clause.bytes(at..end), name, Step::Resolved)], Some(subject.clone()));
            }
            let token = clause.get(at);
            let neutral = clause.is_mark(at, ",.;:!?()*-")
                || clause.any(at, NEUTRAL)
                || clause.verb(at).is_some()
                || clause.is_adverb(at)
                || token.is_some_and(|token| PRONOUNS.split(' ').any(|word| word == token.text));
            if !neutral {
                return (Vec::new(), None);
            }
        }
        (Vec::new(), None)
    }

    fn turkish(&self, clause: &Clause<'_>) -> (Vec<Edit>, Option<Subject>) {
        for at in 0..clause.len() {
            let bytes = clause.bytes(at..at + 1);
            let subject = self.only(Fits::Any);
            let cased = "onu onun ona onda ondan bunu bunun buna bunda bundan";
            let idiom =
                clause.any(at + 1, "icin gore ragmen sonra once dolayi baska kadar yuzden beri yerine");
            if clause.any(at, cased) && !idiom {
                let Some(subject) = subject else { return (Vec::new(), None) };
                let edit = Edit::new(bytes.end..bytes.end, format!(" ({})", subject.name), Step::Resolved);
                return (vec![edit], Some(subject.clone()));
            }
            if at == 0 && clause.any(at, "o bu") && clause.len() > 1 {
                let noun = clause.any(1, "servis proje sunucu uygulama arac kutuphane dosya modul paket");
                let next = clause.get(1);
                // "O Fly'da çalışıyor", "O hızlı": what follows is not its noun.
                let alone = next.is_some_and(|next| !next.tail.is_empty() && next.kind == Kind::Word)
                    || clause.any(1, "hizli yavas guvenli hazir cok daha artik hala su her simdi");
                let Some(subject) = subject.filter(|_| noun || alone) else { continue };
                let edit = if noun {
                    let end = clause.bytes(1..2).end;
                    Edit::new(end..end, format!(" ({})", subject.name), Step::Resolved)
                } else {
                    Edit::new(bytes, subject.name.clone(), Step::Resolved)
                };
                return (vec![edit], Some(subject.clone()));
            }
        }
        (Vec::new(), None)
    }
}

/// The pronoun here: whom it may mean, the token after it, whether it owns.
fn english_pronoun(clause: &Clause<'_>, at: usize) -> Option<(Fits, usize, bool)> {
    let token = clause.get(at).filter(|token| token.kind == Kind::Word)?;
    let short = matches!(token.tail.as_str(), "" | "s" | "re" | "ll" | "ve");
    let word = token.text.as_str();
    match word {
        "it" if short && !says_nothing(clause, at) => Some((Fits::Thing, at + 1, false)),
        "its" if token.tail.is_empty() => Some((Fits::Thing, at + 1, true)),
        "he" | "she" if short && token.tail != "re" => Some((Fits::Person, at + 1, false)),
        "him" if token.tail.is_empty() => Some((Fits::Person, at + 1, false)),
        "his" if token.tail.is_empty() => Some((Fits::Person, at + 1, true)),
        "her" if token.tail.is_empty() => {
            let owns = clause.is_word(at + 1) && !clause.any(at + 1, OBJECT_FOLLOWS);
            Some((Fits::Person, at + 1, owns))
        }
        "they" if short => Some((Fits::Plural, at + 1, false)),
        "them" if token.tail.is_empty() => Some((Fits::Plural, at + 1, false)),
        "their" if token.tail.is_empty() => Some((Fits::Plural, at + 1, true)),
        "this" | "that" if token.tail.is_empty() => {
            if clause.any(at + 1, THINGS) {
                return Some((Fits::Thing, at + 2, false));
            }
            // "This is bad" is about all that was said; "this runs on" is not.
            let thing = at == 0
                && clause.any(at + 1, "runs lives needs uses listens depends requires connects stores");
            thing.then_some((Fits::Thing, at + 1, false))
        }
        _ => None,
    }
}

/// "It is important to", "it seems": nothing is meant by the word.
fn says_nothing(clause: &Clause<'_>, at: usize) -> bool {
    let tail = clause.get(at).map_or("", |token| token.tail.as_str());
    let next = if tail.is_empty() { at + 1 } else { at };
    let idle =
        clause.any(at + 1, "seems looks turns depends rains appears takes makes follows sounds happens");
    let judged = (next + 1..clause.len().min(next + 5)).any(|at| {
        clause.any(at, "important possible better best hard easy time clear worth fine nice good bad great sad likely fun ok late early")
    });
    let pointing = (next + 1..clause.len().min(next + 4)).any(|at| clause.any(at, "to that when if because"));
    idle || judged || pointing && (clause.any(next, "is was would") || !tail.is_empty())
}

/// Whether the subject can be called by this noun: its own, or any if it is a
/// name.
fn names(subject: &Subject, clause: &Clause<'_>, noun: usize) -> bool {
    let noun = clause.get(noun).map_or("", |token| token.text.as_str());
    let own = folded(&subject.name);
    let determined =
        own.split(' ').next().is_some_and(|first| DETERMINERS.split(' ').any(|word| word == first));
    own.ends_with(noun) || !determined
}

const THINGS: &str = "service project server app application tool library file module package database crate \
                      repo repository function script job table endpoint cluster host";

const OBJECT_FOLLOWS: &str = "to for in on at with and or but from about as because that is was by when if";

/// Words that name nothing a pronoun could mean.
const NEUTRAL: &str = "and but so because also then now if when in on at for with to of since after before well not \
                       actually please lets let us tomorrow yesterday today";

/// "The API" is "the API" inside of a sentence.
fn lowered(name: &str) -> String {
    ["The ", "Our ", "A ", "An ", "This ", "That ", "My "]
        .iter()
        .find_map(|lead| name.strip_prefix(lead).map(|rest| format!("{}{rest}", lead.to_lowercase())))
        .unwrap_or_else(|| name.to_owned())
}

fn is_plural(name: &str) -> bool {
    let name = folded(name);
    let last = name.split(' ').next_back().unwrap_or("");
    name.contains(" and ")
        || last.len() > 3
            && last.ends_with('s')
            && name.contains(' ')
            && !["ss", "us", "is"].iter().any(|end| last.ends_with(end))
}

fn is_person(name: &str) -> bool {
    let folded = folded(name);
    let first = folded.split(' ').next().unwrap_or("");
    let named = FIRST_NAMES.split_ascii_whitespace().any(|known| known == first);
    named && name.chars().next().is_some_and(char::is_uppercase) && folded.split(' ').count() <= 3
}

fn english_subjects(clause: &Clause<'_>) -> Vec<Subject> {
    let subject = |name: &str, person: bool| {
        let name = name.trim();
        Subject { name: name.to_owned(), person: person || is_person(name), plural: is_plural(name) }
    };
    let start = (0..clause.len()).find(|at| !clause.is_mark(*at, "*-(")).unwrap_or(0);
    let verb = clause.stands(start..clause.len());
    let mut found: Vec<Subject> = Vec::new();
    let pronoun = clause.get(start).is_some_and(|token| PRONOUNS.split(' ').any(|word| word == token.text));
    // Neither what belongs to somebody nor what somebody does is a subject
    // that can be named again: "my key", "running it".
    let owned = clause.any(start, "my his her their your its")
        || clause.get(start).is_some_and(|word| word.text.ends_with("ing"));
    if let Some(verb) = verb.filter(|_| !pronoun && !owned) {
        let last = (start + 1..verb).rev().find(|at| !clause.is_adverb(*at)).unwrap_or(start);
        let name = &clause.text[clause.bytes(start..last + 1)];
        let single = last == start && clause.get(start).is_some_and(|token| token.capital);
        let does = clause.any(verb, PERSON_VERBS)
            || clause.any(verb, "is was")
                && (verb..clause.len().min(verb + 5)).any(|at| clause.any(at, ROLES));
        found.push(subject(name, single && does));
    }
    // Other persons make "she" unclear.
    for at in 1..clause.len() {
        let token = clause.get(at).filter(|token| token.kind == Kind::Word && token.capital);
        if token.is_some()
            && is_person(clause.written(at))
            && !found.iter().any(|known| known.name.contains(clause.written(at)))
        {
            found.push(subject(clause.written(at).trim_end_matches("'s"), true));
        }
    }
    // "We use Redis": where nobody else does something, the thing it is done with.
    let using = (0..clause.len()).find(|at| clause.any(*at, USING));
    if let (true, Some(using)) = (pronoun, using) {
        let things = objects(clause, using + 1);
        if let [thing] = &things[..] {
            found.push(subject(thing, false));
        }
    }
    found
}

/// The things named from here on.
fn objects(clause: &Clause<'_>, from: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut at = from;
    while at < clause.len() {
        let Some(token) = clause.get(at) else { break };
        let determined = clause.any(at, "the our a an my your this that his her their");
        let named = token.kind == Kind::Opaque || token.kind == Kind::Word && token.capital;
        let ends = |at: usize| {
            clause.get(at).is_none_or(|token| token.kind == Kind::Mark)
                || clause.any(at, "for in on at to with and or as from by since of because which that when")
                || clause.verb(at) == Some(Verb::Auxiliary)
        };
        if determined || named {
            let end = (at + 1..clause.len()).find(|at| ends(*at)).unwrap_or(clause.len());
            let name = clause.text[clause.bytes(at..end)].to_owned();
            let name = name
                .strip_prefix("a ")
                .or(name.strip_prefix("an "))
                .map_or(name.clone(), |noun| format!("the {noun}"));
            if end - at <= 4 && !found.contains(&name) {
                found.push(name);
            }
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

/// A name before the first word with a case; or, where the verb says "we",
/// the one name with a case of its own.
fn turkish_subjects(clause: &Clause<'_>) -> Vec<Subject> {
    let subject = |name: String| Subject { person: is_person(&name), plural: false, name };
    let verb = (0..clause.len())
        .rev()
        .find(|at| clause.is_word(*at))
        .map_or("", |at| clause.get(at).map_or("", |token| token.text.as_str()));
    let ours = ["iz", "uz", "ik", "uk", "im", "um"].iter().any(|end| verb.ends_with(end));
    let is_name = |at: usize| {
        clause
            .get(at)
            .is_some_and(|token| token.capital && token.kind == Kind::Word || token.kind == Kind::Opaque)
    };
    if !ours {
        let bare =
            |at: usize| clause.get(at).is_some_and(|token| token.tail.is_empty() && token.kind != Kind::Mark);
        let skipped = clause.any(0, "o bu su biz ben siz onlar bunu onu bugun dun yarin her simdi ve ama");
        if is_name(0) && bare(0) && !skipped && clause.len() > 1 {
            let end = (1..clause.len().min(3))
                .find(|at| !(is_name(*at) && bare(*at) && clause.is_word(*at)))
                .unwrap_or(1);
            return vec![subject(clause.text[clause.bytes(0..end)].to_owned())];
        }
        return Vec::new();
    }
    let names: Vec<String> = (0..clause.len())
        .filter(|at| {
            clause.is_word(*at)
                && clause.get(*at).is_some_and(|token| token.capital && !token.tail.is_empty())
        })
        .filter_map(|at| clause.written(at).split(['\'', '’']).next().map(str::to_owned))
        .collect();
    match &names[..] {
        [name] => vec![subject(name.clone())],
        _ => Vec::new(),
    }
}

const USING: &str = "use uses used using have has run runs chose choose picked adopted added built wrote created \
                     bought installed prefer prefers like likes maintain own deploy";

const PERSON_VERBS: &str = "prefers likes loves hates said says told wrote joined thinks wants asked knows enjoys \
                            dislikes believes lives decided reviewed agreed suggested leads wears speaks";

const ROLES: &str = "developer engineer designer lead colleague teammate founder intern student teacher boss friend \
                     brother sister wife husband mother father son daughter maintainer reviewer";

const FIRST_NAMES: &str = "ada grace alan linus alice bob carol dave eve john jane mary james robert michael william \
    david richard joseph thomas charles sarah karen nancy lisa emma olivia sophia liam noah lucas oliver henry jack \
    daniel matthew anthony mark paul steven andrew kevin brian george edward peter anna maria laura julia kate \
    emily hannah rachel rebecca susan linda martha chris alex sam max leo tom tim jim joe mike nick ben adam eric \
    simon martin frank philip victor oscar felix ahmet mehmet mustafa ali huseyin hasan ibrahim ismail osman yusuf \
    murat omer ramazan halil suleyman abdullah mahmut recep salih fatma ayse emine hatice zeynep elif meryem serife \
    sultan hanife merve zeliha esra ozlem busra yasemin hulya dilek leyla gul deniz emre can burak kerem cem kaan \
    onur serkan volkan tolga baris arda mert selin ece defne derya ebru gizem melis pinar sibel sevgi tugba";
