//! One sentence of several claims, cut where both sides can stand.
//!
//! A claim that was torn apart says less than one that was left whole, so a
//! conjunction is not enough: each side needs its own subject and verb, and
//! nothing before may hold for both of them. What a claim says is not known.

use super::grammar::{Clause, DETERMINERS, PRONOUNS, SUBORDINATORS};
use super::trim;
use crate::ask::when::token::Kind;
use std::ops::Range;

/// Bytes of the sentence: with the words that join, and without them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) whole: Range<usize>,
    pub(super) body: Range<usize>,
}

pub(super) fn clauses(sentence: &str) -> Vec<Part> {
    let clause = Clause::read(sentence);
    let mut parts: Vec<Part> = Vec::new();
    // "Well, the api runs": the claim begins after it.
    let mut from = trim::start(&clause);
    let (mut whole_start, mut body_start) = (0, 0);
    let mut at = from + 1;
    while at < clause.len() {
        let cut = joiner(&clause, at).filter(|joiner| {
            let right = joiner.end..end_of_right(&clause, joiner.end);
            if clause.turkish {
                turkish_cut(&clause, from..at, right)
            } else {
                english_cut(&clause, from..at, right, joiner)
            }
        });
        if let Some(joiner) = cut {
            let left_end = clause.bytes(from..at).end;
            // A comma is evidence of the left side, a word of the right one.
            let mark = if joiner.marked { at + 1 } else { at };
            parts.push(Part { whole: whole_start..clause.bytes(from..mark).end, body: body_start..left_end });
            body_start = clause.get(joiner.end).map_or(sentence.len(), |token| token.start);
            whole_start = clause.get(mark).map_or(body_start, |token| token.start);
            from = joiner.end;
            at = from;
        }
        at += 1;
    }
    parts.push(Part { whole: whole_start..sentence.len(), body: body_start..sentence.len() });
    parts
}

/// Words or marks between two claims.
struct Joiner {
    /// The token after it.
    end: usize,
    /// A mark parts the two sides as well.
    marked: bool,
}

fn joiner(clause: &Clause<'_>, at: usize) -> Option<Joiner> {
    let marked = clause.is_mark(at, ",;");
    let semicolon = clause.is_mark(at, ";");
    let word = if marked { at + 1 } else { at };
    let joiners: &[&str] = if clause.turkish {
        &["ve ayrica", "ayrica", "ve", "ama", "fakat", "ancak"]
    } else {
        &["and also", "and", "but", "also", "plus"]
    };
    let found = joiners.iter().find_map(|words| clause.phrase(word, words));
    let end = found.or(semicolon.then_some(word))?;
    // A comma after the joiner goes with it: "ayrıca, ...".
    let end = if clause.is_mark(end, ",") { end + 1 } else { end };
    Some(Joiner { end, marked })
}

/// Where the claim after a joiner ends at the latest.
fn end_of_right(clause: &Clause<'_>, from: usize) -> usize {
    let next =
        (from + 1..clause.len()).find(|at| clause.is_mark(*at, ";") || clause.any(*at, "and but ve ama"));
    next.unwrap_or(clause.len())
}

fn english_cut(clause: &Clause<'_>, left: Range<usize>, right: Range<usize>, joiner: &Joiner) -> bool {
    let whole = |of: Range<usize>| clause.stands(of).is_some();
    let says = |words: &str| left.clone().any(|at| clause.any(at, words));
    // "Both a and b", and a list after a colon.
    if says("both either neither between whether among") || left.clone().any(|at| clause.is_mark(at, ":([")) {
        return false;
    }
    // What is thought or hoped is thought of both sides.
    if says(HELD) {
        return false;
    }
    // "If a and b" holds for both; after a comma only if it came first.
    let verb = clause.stands(left.clone());
    let subordinate = left.clone().skip(1).any(|at| {
        let opens = clause.any(at, SUBORDINATORS);
        opens && verb.is_none_or(|verb| at > verb)
    });
    if subordinate && !joiner.marked {
        return false;
    }
    // "The api and the worker are": one subject of two.
    let pronoun_left = left.len() == 1 && clause.any(left.start, PRONOUNS);
    // A date at the very end of the right side may hold for both, but a
    // question or an answer of one word does not stand.
    !pronoun_left && whole(left.clone()) && whole(right.clone()) && right.len() >= 2 && enough(clause, left)
}

/// "We do" and "it is" point at something else.
fn enough(clause: &Clause<'_>, of: Range<usize>) -> bool {
    let content = |at: &usize| match clause.get(*at).map(|token| token.kind) {
        Some(Kind::Word) => !clause.any(*at, DETERMINERS) && !clause.any(*at, PRONOUNS),
        Some(Kind::Mark) | None => false,
        Some(_) => true,
    };
    of.filter(content).count() >= 2
}

/// The verb ends a Turkish clause and says who; without a person in it the
/// right side needs a subject of its own.
fn turkish_cut(clause: &Clause<'_>, left: Range<usize>, right: Range<usize>) -> bool {
    let last_word = |of: Range<usize>| of.rev().find(|at| !clause.is_mark(*at, ".,;:!?…"));
    let (Some(left_verb), Some(right_verb)) = (last_word(left.clone()), last_word(right.clone())) else {
        return false;
    };
    if !clause.turkish_verb(left_verb) || !clause.turkish_verb(right_verb) {
        return false;
    }
    if left.clone().any(|at| clause.any(at, "eger hem ya cunku") || clause.is_mark(at, ":("))
        || left.len() < 2
    {
        return false;
    }
    let words = right_verb.saturating_sub(right.start) + 1;
    if first_person(clause.get(right_verb).map_or("", |token| &token.text)) {
        return words >= 2;
    }
    let case = |at: usize| {
        clause.get(at).is_some_and(|token| {
            let ends =
                |ends: &str| ends.split(' ').any(|end| token.text.len() > 4 && token.text.ends_with(end));
            !token.tail.is_empty() || token.kind == Kind::Word && ends("da de ta te dan den tan ten")
        })
    };
    let subject = !case(right.start)
        && !clause.any(right.start, "her cok daha sonra hep bazen gece sabah artik hala simdi bunu onu")
        && !clause.get(right.start).is_some_and(|token| {
            token.text.ends_with("yi") || token.text.ends_with("ini") || token.text.ends_with("lari")
        });
    let nominal = clause.any(right_verb, "var yok degil lazim gerek");
    subject && words >= 3 && (nominal || (right.start + 1..right_verb).any(case))
}

fn first_person(verb: &str) -> bool {
    let ends = |ends: &str| ends.split(' ').any(|end| verb.ends_with(end));
    ends(
        "yoruz yorum dik duk tik tuk dim dum tim tum egiz agiz egim agim iriz uruz ariz eriz maliyiz meliyiz",
    )
}

/// Thinking and saying, of which both sides of an "and" may be the object.
const HELD: &str = "think thinks thought hear heard know knows believe believes hope hopes guess assume suppose \
                    wonder said says told want wants";
