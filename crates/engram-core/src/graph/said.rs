//! Which bonds a text tells of.
//!
//! Only what a sentence says outright of two things that it names counts: a
//! phrase of the list (`phrases`) from the one name to the other, with nothing
//! else in it. What is denied, asked, planned, advised or conditional tells of
//! none. A bond that is missed is told again; one that is made up stays. Which
//! things a text names, the caller brings.

mod phrases;

use super::{BondKey, BondKind};
use crate::ask::speech::{Word, begins, fold, is_apostrophe, is_small};
use crate::claim::{Manner, manner_of, sentences_of};
use crate::id::EntityId;
use crate::observe::{EntityKind, bare, is_version, name_of};
use phrases::{Before, DOERS, FILLERS, JOINTS, PHRASES, POINTERS, Phrase, SORTS, TAKE_BACK, UNREAL, Way};
use std::ops::Range;

/// A text tells of no more bonds than this; one that does is a list, and a list
/// is best read from where it comes.
pub const MOST_SAID: usize = 6;

/// A thing that a text names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named<'t> {
    pub id: EntityId,
    /// As it is written in the text.
    pub name: &'t str,
    pub kind: EntityKind,
}

/// The bonds of which a text tells between things that it names, each once, in
/// the order of the text.
pub fn bonds_in(text: &str, entities: &[Named<'_>]) -> Vec<BondKey> {
    let mut bonds: Vec<BondKey> = Vec::new();
    if entities.len() < 2 {
        return bonds;
    }
    for sentence in sentences_of(text) {
        for bond in bonds_of(sentence, entities) {
            if bonds.len() < MOST_SAID && !bonds.contains(&bond) {
                bonds.push(bond);
            }
        }
    }
    bonds
}

/// A word of a sentence.
struct Token {
    word: Word,
    /// A Turkish ending after an apostrophe, folded; empty without one.
    ending: String,
    /// A comma or the like stands before it.
    after_pause: bool,
}

/// Where a thing is named.
struct Spot {
    /// Its place among the entities.
    who: usize,
    at: Range<usize>,
}

/// Names that are listed: "a, b and c".
struct Group {
    spots: Vec<Spot>,
}

impl Group {
    fn begin(&self) -> usize {
        self.spots.first().map_or(0, |spot| spot.at.start)
    }

    fn end(&self) -> usize {
        self.spots.last().map_or(0, |spot| spot.at.end)
    }
}

fn bonds_of(sentence: &str, entities: &[Named<'_>]) -> Vec<BondKey> {
    let (tokens, raw) = tokens_of(sentence);
    let groups = groups_of(&tokens, &raw, entities);
    if groups.len() < 2 {
        return Vec::new();
    }
    let manner = manner_of(sentence);
    if !manner.told || tokens.iter().any(|token| is_unreal(&token.word.folded)) {
        return Vec::new();
    }
    let said = Sentence { tokens: &tokens, groups: &groups, entities, manner };
    let found = said.phrases();
    // In "a uses b and c uses d" the last of a list begins what follows.
    let leads = |at: usize| {
        at > 0
            && found[at - 1].is_some()
            && found.get(at).copied().flatten().is_some_and(|phrase| phrase.before == Before::Subject)
    };
    let mut bonds = Vec::new();
    for (at, phrase) in found.iter().enumerate() {
        let Some(phrase) = phrase else { continue };
        let ones = match groups[at].spots.as_slice() {
            [.., last] if leads(at) => std::slice::from_ref(last),
            all => all,
        };
        let others = match groups[at + 1].spots.as_slice() {
            [most @ .., _] if leads(at + 1) => most,
            all => all,
        };
        for (one, other) in ones.iter().flat_map(|one| others.iter().map(move |other| (one, other))) {
            let (from, to) = match phrase.way {
                Way::Forward => (&entities[one.who], &entities[other.who]),
                Way::Back => (&entities[other.who], &entities[one.who]),
            };
            if from.id != to.id && may_tie(phrase.kind, from.kind, to.kind) {
                bonds.push((from.id, phrase.kind, to.id));
            }
        }
    }
    bonds
}

/// Words that only wish, beside the endings that do.
fn is_unreal(folded: &str) -> bool {
    // "Kullanalım", "kullanırsa", "kullansak".
    let wishes = ["alim", "elim", "irsa", "urse", "irse", "ursa", "sak", "sek", "saydik", "seydik"];
    UNREAL.contains(&folded) || folded.len() > 6 && wishes.iter().any(|end| folded.ends_with(end))
}

/// The tokens of a sentence, and each as it is written.
fn tokens_of(sentence: &str) -> (Vec<Token>, Vec<&str>) {
    let mut tokens: Vec<Token> = Vec::new();
    let mut raw = Vec::new();
    let mut paused = false;
    for piece in sentence.split_whitespace() {
        let plain = piece.trim_matches('`');
        let text = bare(plain).trim_matches('`');
        if text.is_empty() {
            // A dash, or another sign that stands alone.
            paused = true;
            continue;
        }
        let after_pause = paused || piece.starts_with(['(', '[', '"']);
        paused = piece.trim_end_matches('`').ends_with([',', ':', ';', ')', ']', '"']);
        let word = Word { at: 0..0, folded: fold(text) };
        tokens.push(Token { word, ending: ending_of(piece), after_pause });
        raw.push(text);
    }
    (tokens, raw)
}

fn ending_of(piece: &str) -> String {
    let piece = piece.trim_start_matches(|mark: char| !mark.is_alphanumeric());
    let Some((_, ending)) = piece.split_once(is_apostrophe) else { return String::new() };
    fold(ending.trim_end_matches(|mark: char| !mark.is_alphanumeric()))
}

/// The names of a sentence, those of one list together.
fn groups_of(tokens: &[Token], raw: &[&str], entities: &[Named<'_>]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let Some(spot) = spot_at(raw, at, entities) else {
            at += 1;
            continue;
        };
        at = spot.at.end;
        match groups.last_mut().filter(|group| is_listed(tokens, group.end(), spot.at.start)) {
            Some(group) => group.spots.push(spot),
            None => groups.push(Group { spots: vec![spot] }),
        }
    }
    groups
}

/// The longest name that begins at this place.
fn spot_at(raw: &[&str], at: usize, entities: &[Named<'_>]) -> Option<Spot> {
    let length = |named: &Named<'_>| named.name.split_whitespace().count();
    let is_here = |named: &Named<'_>| {
        let end = at + length(named);
        let name = name_of(named.kind, named.name);
        name.chars().count() > 1 && end <= raw.len() && name_of(named.kind, &raw[at..end].join(" ")) == name
    };
    let here = entities.iter().enumerate().filter(|(_, named)| is_here(named));
    // The first of equals, which is the surest.
    let (who, named) = here.rev().max_by_key(|(_, named)| length(named))?;
    Some(Spot { who, at: at..at + length(named) })
}

/// Whether between two names stands nothing but what joins a list.
fn is_listed(tokens: &[Token], from: usize, to: usize) -> bool {
    let between = &tokens[from..to];
    let article = |token: &Token| POINTERS.contains(&token.word.folded.as_str());
    match between {
        [] => tokens.get(to).is_some_and(|next| next.after_pause),
        [and, rest @ ..] => {
            matches!(and.word.folded.as_str(), "and" | "ve" | "&") && rest.iter().all(article)
        }
    }
}

/// A sentence whose names are known.
struct Sentence<'s> {
    tokens: &'s [Token],
    groups: &'s [Group],
    entities: &'s [Named<'s>],
    manner: Manner,
}

impl Sentence<'_> {
    /// The phrase from each group of names to the next, where there is one.
    fn phrases(&self) -> Vec<Option<&'static Phrase>> {
        let mut found: Vec<Option<&'static Phrase>> = Vec::new();
        for at in 0..self.groups.len() - 1 {
            let goes_on = found.last().is_some_and(Option::is_some);
            let phrase = self.phrase_at(at, goes_on);
            let deed = phrase.is_some_and(|phrase| matches!(phrase.before, Before::Deed(_)));
            if let Some(last) = found.last_mut().filter(|_| deed) {
                // "The patch replaced X with Y": the patch replaces nothing.
                *last = None;
            }
            found.push(phrase);
        }
        found
    }

    /// The phrase from a group of names to the next. `goes_on`: the group is
    /// already the end of another phrase.
    fn phrase_at(&self, at: usize, goes_on: bool) -> Option<&'static Phrase> {
        let (one, other) = (&self.groups[at], &self.groups[at + 1]);
        // "For billing: use Redis" says nothing of billing.
        if (one.end()..=other.begin()).any(|at| self.tokens[at].after_pause) {
            return None;
        }
        let between = words(self.tokens, one.end()..other.begin());
        let stop = self.groups.get(at + 2).map_or(self.tokens.len(), Group::begin);
        let clause = (other.end()..stop).find(|at| self.tokens[*at].after_pause).unwrap_or(stop);
        let after = words(self.tokens, other.end()..clause);
        let ending =
            |group: &Group| group.spots.last().map_or("", |spot| &self.tokens[spot.at.end - 1].ending);
        PHRASES.iter().find(|phrase| {
            phrase.first.allows(ending(one))
                && phrase.second.allows(ending(other))
                && says(&between, phrase.between)
                && follows(&after, phrase.after)
                && self.is_led_by(at, phrase.before, goes_on)
                // What is moved from folder to folder replaces nothing.
                && !(phrase.is_move() && self.are_files(at))
        })
    }

    /// Whether what stands before a group of names is as a phrase wants it.
    fn is_led_by(&self, at: usize, before: Before, goes_on: bool) -> bool {
        let group = &self.groups[at];
        let from = at.checked_sub(1).map_or(0, |at| self.groups[at].end());
        let clause = (from..=group.begin()).rev().find(|at| self.begins_clause(*at));
        let inner = clause.unwrap_or(from);
        let named = at > 0 && clause.is_none();
        let words: Vec<&str> = words(self.tokens, inner..group.begin())
            .into_iter()
            .map(|word| word.folded.as_str())
            .filter(|word| !is_one_of(word, &[FILLERS, POINTERS, SORTS, JOINTS]))
            .collect();
        let denied = self.manner.denied;
        match before {
            Before::Subject if goes_on => group.spots.len() > 1,
            Before::Subject => words.is_empty() && !named && !(denied && self.hangs_on(group.begin())),
            Before::Anything => !denied,
            Before::Deed(deed) => {
                let done = match &words[..] {
                    [who, rest @ ..] if DOERS.contains(who) => rest,
                    all => all,
                };
                let done: Vec<Word> =
                    done.iter().map(|word| Word { at: 0..0, folded: (*word).to_owned() }).collect();
                let doer = || self.groups[at - 1].spots.len() == 1;
                begins(&done, deed) && !denied && (!named || doer())
            }
        }
    }

    fn begins_clause(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        token.after_pause || JOINTS.contains(&token.word.folded.as_str())
    }

    /// "It is not so that ...": what denies may stand before the clause.
    fn hangs_on(&self, before: usize) -> bool {
        self.tokens[..before]
            .iter()
            .any(|token| matches!(token.word.folded.as_str(), "that" | "ki" | "because" | "as"))
    }

    fn are_files(&self, at: usize) -> bool {
        self.groups[at].spots.iter().all(|spot| self.entities[spot.who].kind == EntityKind::File)
    }
}

fn is_one_of(word: &str, lists: &[&[&str]]) -> bool {
    lists.iter().any(|list| list.contains(&word))
}

fn words(tokens: &[Token], range: Range<usize>) -> Vec<&Word> {
    tokens[range].iter().map(|token| &token.word).collect()
}

/// Whether the words between two names are a phrase, but for what belongs to
/// the names.
fn says(between: &[&Word], phrase: &str) -> bool {
    let told = told_beside(between);
    let points = |word: &&Word| is_one_of(&word.folded, &[POINTERS, SORTS]);
    let end = told.len() - told.iter().rev().take_while(points).count();
    begins(&told, phrase) || end < told.len() && begins(&told[..end], phrase)
}

/// Whether what follows the second name completes a phrase, and does not take
/// it back: "... bağımlı değil", "... no longer". `$` is that no noun follows,
/// which the name would only be a part of: "a Redis fork".
fn follows(after: &[&Word], phrase: &str) -> bool {
    let told = told_beside(after);
    let length = phrase.split(' ').filter(|part| !part.is_empty() && *part != "$").count();
    let next = told.get(length).map_or("", |word| word.folded.as_str());
    let completes = match phrase {
        "" => true,
        "$" => next.is_empty() || is_small(next),
        phrase => begins(&told, phrase),
    };
    completes && !TAKE_BACK.contains(&next)
}

/// What stands behind a name, without what still belongs to it and without what
/// changes nothing.
fn told_beside(words: &[&Word]) -> Vec<Word> {
    let of_name = |word: &&&Word| SORTS.contains(&word.folded.as_str()) || is_version(&word.folded);
    let rest = words.iter().skip_while(of_name);
    rest.filter(|word| !FILLERS.contains(&word.folded.as_str())).map(|word| (*word).clone()).collect()
}

/// Whether things of these kinds can be tied so. A person who "replaced Redis"
/// did it and is not in its place, and nobody imports a host.
const fn may_tie(kind: BondKind, from: EntityKind, to: EntityKind) -> bool {
    use BondKind::*;
    use EntityKind::*;
    let (acts, acted) = (matches!(from, Person | Organisation), matches!(to, Person | Organisation));
    match kind {
        Imports => matches!((from, to), (File | Symbol | Package, File | Symbol | Package)),
        TestedBy | ConfiguredBy | Contradicts => !acts && !acted,
        Replaces => acts == acted,
        Causes | Fixes => !acts,
        Uses | DependsOn | IsA => !matches!(to, Person),
        PartOf | RelatedTo => true,
    }
}

#[cfg(test)]
mod tests;
