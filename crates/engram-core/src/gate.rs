//! The write gate: what a new fact means for what is known already.
//!
//! What two texts claim decides (`claim`); how like they are only says whether
//! they speak of the same thing. A value that was rejected before leaves its
//! memory behind as a tombstone, and a paraphrase of it is recognised here.
//! Nothing is written or loaded: whoever calls brings the nearest memories.

use crate::advice::Verdict;
use crate::ask::speech::{is_small, words_of};
use crate::change::Cause;
use crate::claim::{Bearing, Difference, Doubt, NO_LONGER, Text, Why, compare, tells_of_change};
use crate::decision::Action;
use crate::form::{MOST_BYTES, merge};
use crate::id::MemoryId;
use crate::kind::Kind;
use crate::memory::Memory;
use crate::status::Status;
use crate::turn::Authority;
use crate::unit::{Importance, Similarity, Trust};
use jiff::Timestamp;

/// Less like than this, two texts speak of different things.
const ELSEWHERE: f64 = 0.70;
/// From here on a fact is not simply new.
const LIKELY: f64 = 0.75;
/// What says all that a rejected memory says need not be so like it.
const RESTATED: f64 = 0.6;
/// Between the two, only what matters is kept of what agents and tools say. What
/// a person says or writes is another fact, however like it sounds.
const MATTERS: f64 = 0.5;
/// Less like than this by direction, and not found by its words, a text is not
/// even read.
const APART: f64 = 0.4;
/// A contradiction of something so unlike is a coincidence of words; one that
/// names what it replaces need not be like it otherwise.
const SAME_MATTER: f64 = 0.4;
const NAMED_MATTER: f64 = 0.3;
/// One that tells of the change itself need not even be that.
const TOLD_MATTER: f64 = 0.2;
/// A change that is told of something so like by its words may be of it.
const CHANGED_MATTER: f64 = 0.45;
/// What says the same and is so like it is known, whatever else it contradicts:
/// two rows of one table stand side by side however often they are read.
const VERBATIM: f64 = 0.92;
/// A fact may take the place of at most so many.
const MOST_SUPERSEDED: usize = 3;
/// Who is less trusted by more than this cannot overrule.
pub(crate) const LESS_TRUSTED: f64 = 0.25;

/// A fact at the gate.
#[derive(Debug, Clone, Copy)]
pub struct Arrival<'a> {
    pub text: &'a str,
    pub kind: Kind,
    /// A person wants it remembered.
    pub asked: bool,
    pub said_at: Timestamp,
    pub trust: Trust,
    pub authority: Authority,
    pub importance: Importance,
}

/// A memory near the fact, in whatever status.
#[derive(Debug, Clone, Copy)]
pub struct Near<'a> {
    pub memory: &'a Memory,
    /// By direction, calibrated; by words where there are no directions.
    pub similarity: Similarity,
    /// What a language model said where the rules are not sure.
    pub judged: Option<Verdict>,
    /// Among the first to be found by the words of the fact.
    pub by_words: bool,
    /// Both were said in one breath: whoever said both meant both.
    pub together: bool,
}

/// What is to become of a fact.
#[derive(Debug, Clone, PartialEq)]
pub struct Gated {
    pub action: Action,
    /// The memories it is about: those that are replaced, the one that is
    /// updated or reinforced, the one it was held against.
    pub others: Vec<MemoryId>,
    pub similarity: Option<Similarity>,
    pub reason: String,
    /// What the two cannot both be so in.
    pub why: Option<Why>,
    /// Of an update: what the memory says afterwards.
    pub merged: Option<String>,
    /// Of a challenge: it is the older that is in doubt, because whoever may
    /// change it tells of a change.
    pub older_in_doubt: bool,
    /// How it bears on each current memory that was near, for the edges.
    pub bearings: Vec<(MemoryId, Similarity, Bearing)>,
}

/// A near memory with how the fact bears on it.
struct Held<'a> {
    memory: &'a Memory,
    /// What it says, which is read once.
    known: Text<'a>,
    similarity: Similarity,
    /// The larger of the likeness by direction and by words.
    agreement: f64,
    /// That by words alone.
    words: f64,
    bearing: Bearing,
}

/// Decides about one fact.
pub fn gate(arrival: &Arrival<'_>, near: &[Near<'_>]) -> Gated {
    let said = Text::of(arrival.text);
    let held: Vec<Held<'_>> = near.iter().map(|near| hold(arrival, &said, near)).collect();
    let (dead, rest): (Vec<&Held<'_>>, Vec<&Held<'_>>) =
        held.iter().partition(|held| is_tombstone(held.memory));
    let current: Vec<&Held<'_>> = rest.into_iter().filter(|held| is_in_force(held.memory, arrival)).collect();
    let gated = rejected_before(arrival, &said, &dead, &current)
        .or_else(|| known_already(&current, VERBATIM))
        .or_else(|| contradiction(arrival, &said, &current))
        .or_else(|| known_already(&current, ELSEWHERE))
        .or_else(|| more_of_it(arrival, &current))
        .or_else(|| doubtful(arrival, &said, &current))
        .unwrap_or_else(|| new(arrival, &current));
    let bearings = current.iter().map(|held| (held.memory.id, held.similarity, held.bearing.clone()));
    Gated { bearings: bearings.collect(), ..gated }
}

/// `said` is the text of the fact, which is read once for all that are near.
fn hold<'a>(arrival: &Arrival<'_>, said: &Text<'_>, near: &Near<'a>) -> Held<'a> {
    let known = Text::of(&near.memory.content);
    let apart = near.similarity.get() < APART && !near.by_words;
    let words = if apart { 0.0 } else { known.likeness(said).get() };
    let agreement = words.max(near.similarity.get());
    if apart || agreement < TOLD_MATTER {
        // Whatever it says is no matter of theirs.
        let bearing = Bearing::Unrelated;
        return Held { memory: near.memory, known, similarity: near.similarity, agreement, words, bearing };
    }
    let bearing = match (said.bearing_on(&known), near.judged) {
        (Bearing::Contradicts(_) | Bearing::Unsure(_), _) if near.together => Bearing::Unrelated,
        (Bearing::Unsure(_), Some(verdict)) => bearing_of(verdict, near.memory, arrival),
        (sure, _) => sure,
    };
    Held { memory: near.memory, known, similarity: near.similarity, agreement, words, bearing }
}

fn bearing_of(verdict: Verdict, memory: &Memory, arrival: &Arrival<'_>) -> Bearing {
    match verdict {
        Verdict::Same => Bearing::Same,
        Verdict::Adds => Bearing::Adds,
        Verdict::Unrelated => Bearing::Unrelated,
        Verdict::Contradicts => Bearing::Contradicts(Difference {
            why: Why::Value,
            old: memory.headline().to_owned(),
            new: arrival.text.to_owned(),
        }),
    }
}

/// A value that somebody rejected, replaced or wanted forgotten.
fn is_tombstone(memory: &Memory) -> bool {
    match memory.status {
        Status::Superseded | Status::Invalidated | Status::Deprecated => true,
        Status::Archived => memory.status_change.cause == Cause::Forget,
        _ => false,
    }
}

/// What has ended says nothing about how things are now.
fn is_in_force(memory: &Memory, arrival: &Arrival<'_>) -> bool {
    memory.status.is_current() && memory.validity.valid_until.is_none_or(|until| until > arrival.said_at)
}

impl Gated {
    fn about(action: Action, held: &Held<'_>, reason: String) -> Self {
        Self {
            action,
            others: vec![held.memory.id],
            similarity: Some(held.similarity),
            reason,
            why: None,
            merged: None,
            older_in_doubt: false,
            bearings: Vec::new(),
        }
    }
}

/// A plain restatement of a value that was rejected before. Whoever says that
/// things changed back, or asks for it to be remembered, is believed.
fn rejected_before(
    arrival: &Arrival<'_>,
    said: &Text<'_>,
    dead: &[&Held<'_>],
    current: &[&Held<'_>],
) -> Option<Gated> {
    if arrival.asked || arrival.kind == Kind::Correction {
        return None;
    }
    if !said.tells_of_change()
        && let Some(known) = current.iter().find(|held| is_said_over(held, said))
    {
        let since = known.memory.validity.valid_from.strftime("%Y-%m-%d");
        return Some(Gated::about(Action::Skip, known, format!("says again what is over since {since}")));
    }
    let contradicted: Vec<&Difference> =
        current.iter().filter_map(|held| contradicted(held, NAMED_MATTER)).collect();
    let back = tells_of_change(arrival.text) && goes_back(arrival.text);
    if !contradicted.is_empty() && tells_of_change(arrival.text) {
        return None;
    }
    let now: Vec<Text<'_>> = match dead {
        [] => Vec::new(),
        _ => current.iter().map(|held| Text::of(&held.memory.content)).collect(),
    };
    let restated = dead.iter().find(|held| {
        let same = match held.bearing {
            Bearing::Same | Bearing::Contained | Bearing::Adds => held.agreement >= RESTATED,
            _ => false,
        };
        let its_value = |difference: &&&Difference| says(&held.memory.content, &difference.new);
        same || held.agreement >= SAME_MATTER && contradicted.iter().any(|it| its_value(&it))
            || held.agreement >= NAMED_MATTER && said.says_again(&held.known, &now)
    });
    let Some(restated) = restated else { return left_behind(current) };
    if back {
        return taken_back(arrival, restated, current);
    }
    let reason = format!(
        "says again what is {} since {}: {}",
        restated.memory.status,
        restated.memory.status_change.at.strftime("%Y-%m-%d"),
        restated.memory.status_change.reason
    );
    Some(Gated::about(Action::Skip, restated, reason))
}

/// Whether a memory says that what is said is no longer so. Who says it plainly
/// has not heard of that.
fn is_said_over(held: &Held<'_>, said: &Text<'_>) -> bool {
    let opposed = !matches!(held.bearing, Bearing::Same | Bearing::Adds | Bearing::Contained);
    // The old side of such a difference is the memory, which says that it ended.
    let denies = contradicted(held, NAMED_MATTER)
        .is_some_and(|difference| difference.why == Why::NoLonger && difference.old.starts_with(NO_LONGER));
    denies || opposed && held.agreement >= NAMED_MATTER && said.says_what_is_over(&held.known)
}

/// What took the place of a value gives way to it again.
fn taken_back(arrival: &Arrival<'_>, restated: &Held<'_>, current: &[&Held<'_>]) -> Option<Gated> {
    let replaced_it = |held: &&&Held<'_>| {
        restated.memory.status_change.reason.contains(&held.memory.id.to_string()) && !held.memory.immutable
    };
    let heir = current.iter().find(replaced_it).filter(|_| arrival.authority == Authority::Change)?;
    let since = restated.memory.validity.valid_from.strftime("%Y-%m-%d");
    let reason = format!("it is as it was since {since}");
    Some(Gated { why: Some(Why::Moved), ..Gated::about(Action::Supersede, heir, reason) })
}

/// "Again", "back": it is as it was before, and whoever says so knows both.
fn goes_back(text: &str) -> bool {
    words_of(text)
        .iter()
        .any(|word| matches!(word.folded.as_str(), "again" | "back" | "tekrar" | "yeniden" | "geri"))
}

/// The value that a memory itself says is over: who knows that we moved from X
/// to Y has heard of X.
fn left_behind(current: &[&Held<'_>]) -> Option<Gated> {
    let leaves = |held: &&&Held<'_>| {
        contradicted(held, NAMED_MATTER).is_some_and(|difference| says(&held.memory.content, &difference.new))
            && tells_of_change(&held.memory.content)
    };
    let held = current.iter().find(leaves)?;
    let since = held.memory.validity.valid_from.strftime("%Y-%m-%d");
    Some(Gated::about(Action::Skip, held, format!("says again what is over since {since}")))
}

/// What a memory and the fact cannot both be so in, if they speak of one thing;
/// `named`: how like it one must be that names what it replaces.
fn contradicted<'h>(held: &'h Held<'_>, named: f64) -> Option<&'h Difference> {
    let Bearing::Contradicts(difference) = &held.bearing else { return None };
    (held.agreement >= least_agreement(difference.why, named)).then_some(difference)
}

fn least_agreement(why: Why, named: f64) -> f64 {
    let names_it = matches!(why, Why::NoLonger | Why::Moved | Why::Instead);
    if names_it { named } else { SAME_MATTER }
}

/// Whether two texts that are so like by their words speak of one matter where
/// they contradict each other.
pub(crate) fn is_of_one_matter(difference: &Difference, words: Similarity) -> bool {
    words.get() >= least_agreement(difference.why, NAMED_MATTER)
}

/// Whether every word of `value` that says something is in `text`.
fn says(text: &str, value: &str) -> bool {
    let there: Vec<String> = words_of(text).into_iter().map(|word| word.folded).collect();
    let mut telling =
        words_of(value).into_iter().map(|word| word.folded).filter(|word| !is_small(word)).peekable();
    telling.peek().is_some() && telling.all(|word| there.contains(&word))
}

fn contradiction(arrival: &Arrival<'_>, said: &Text<'_>, current: &[&Held<'_>]) -> Option<Gated> {
    let any = current.iter().any(|held| contradicted(held, TOLD_MATTER).is_some());
    let named = if any && said.tells_of_change() { TOLD_MATTER } else { NAMED_MATTER };
    let mut against: Vec<(&Held<'_>, &Difference)> =
        current.iter().filter_map(|held| Some((*held, contradicted(held, named)?))).collect();
    against.sort_by(|one, other| other.0.agreement.total_cmp(&one.0.agreement));
    let (first, difference) = *against.first()?;
    let said = difference.to_string();
    // An older transcript that is read later does not overrule what came after.
    if arrival.said_at < first.memory.validity.valid_from {
        return Some(Gated::about(Action::Skip, first, format!("older than what is known ({said})")));
    }
    let outranks = |memory: &Memory| memory.provenance.trust.get() - arrival.trust.get() > LESS_TRUSTED;
    let refused = match arrival.authority {
        Authority::Change if first.memory.immutable => Some("it is immutable"),
        Authority::Change if outranks(first.memory) => Some("whoever says so is less trusted"),
        Authority::Change => None,
        _ => Some("this source may not replace anything"),
    };
    let why = Some(difference.why);
    if let Some(refused) = refused {
        // Who says it again beside a memory that waits already brings nothing new.
        if let Some(known) = known_already(current, ELSEWHERE) {
            return Some(known);
        }
        return Some(Gated { why, ..Gated::about(Action::Challenge, first, format!("{said}; {refused}")) });
    }
    // Beside the one it is most like only what says the same gives way, and what
    // nobody was sure of: another row of the same table does not.
    let says_the_same = |memory: &Memory| {
        memory.id == first.memory.id
            || memory.status == Status::Challenged
            || matches!(
                compare(&first.memory.content, &memory.content),
                Bearing::Same | Bearing::Adds | Bearing::Contained
            )
    };
    against.retain(|(Held { memory, .. }, _)| {
        !memory.immutable
            && says_the_same(memory)
            && !outranks(memory)
            && memory.validity.valid_from <= arrival.said_at
    });
    let others = against.iter().take(MOST_SUPERSEDED).map(|(held, _)| held.memory.id).collect();
    Some(Gated { others, why, ..Gated::about(Action::Supersede, first, said) })
}

/// `least`: how like it what says the same must be.
fn known_already(current: &[&Held<'_>], least: f64) -> Option<Gated> {
    let knows = |held: &&&Held<'_>| match held.bearing {
        Bearing::Same => held.agreement >= least,
        Bearing::Contained => held.agreement >= LIKELY && least < VERBATIM,
        _ => false,
    };
    let best = current.iter().filter(knows).max_by(|one, other| one.agreement.total_cmp(&other.agreement))?;
    let reason = match best.bearing {
        Bearing::Same => "says the same",
        _ => "says less than what is known",
    };
    Some(Gated::about(Action::Reinforce, best, reason.to_owned()))
}

fn more_of_it(arrival: &Arrival<'_>, current: &[&Held<'_>]) -> Option<Gated> {
    let grows = |held: &&&Held<'_>| held.bearing == Bearing::Adds && held.agreement >= LIKELY;
    let best = current.iter().filter(grows).max_by(|one, other| one.agreement.total_cmp(&other.agreement))?;
    if arrival.authority != Authority::Change || best.memory.immutable {
        return None;
    }
    let merged = merge(&best.memory.content, arrival.text);
    // A memory that only ever grows is no fact any more.
    if merged.len() > MOST_BYTES || merged == best.memory.content {
        return None;
    }
    let reason = "says what is known, and more".to_owned();
    Some(Gated { merged: Some(merged), ..Gated::about(Action::Update, best, reason) })
}

/// The same matter, and nobody can say what the difference means. A question, a
/// plan or a report is no claim about how things are, and stands beside it.
fn doubtful(arrival: &Arrival<'_>, said: &Text<'_>, current: &[&Held<'_>]) -> Option<Gated> {
    let changes = said.tells_of_change();
    let unsure = |held: &&&Held<'_>| {
        let doubt = doubt_of(&held.bearing);
        let told = doubt == Some(Doubt::Change) && changes && held.words >= CHANGED_MATTER;
        doubt.is_some() && held.agreement >= LIKELY || told
    };
    let best =
        current.iter().filter(unsure).max_by(|one, other| one.agreement.total_cmp(&other.agreement))?;
    let doubt = doubt_of(&best.bearing)?;
    let older_in_doubt = arrival.authority == Authority::Change && !best.memory.immutable && changes;
    let reason = format!("it is not sure how they differ ({doubt})");
    Some(Gated { older_in_doubt, ..Gated::about(Action::Challenge, best, reason) })
}

fn doubt_of(bearing: &Bearing) -> Option<Doubt> {
    match bearing {
        Bearing::Unsure(doubt) => {
            let claims = !matches!(doubt, Doubt::Question | Doubt::Plan | Doubt::Report | Doubt::Hedge);
            claims.then_some(*doubt)
        }
        _ => None,
    }
}

fn new(arrival: &Arrival<'_>, current: &[&Held<'_>]) -> Gated {
    let nearest = current.iter().max_by(|one, other| one.similarity.get().total_cmp(&other.similarity.get()));
    let similarity = nearest.map(|held| held.similarity);
    let others = nearest.map(|held| held.memory.id).into_iter().collect();
    let near = similarity.map_or(0.0, Similarity::get);
    let (action, reason) = if near < ELSEWHERE {
        (Action::Create, "nothing known is like it".to_owned())
    } else if near < LIKELY && arrival.importance.get() < MATTERS && arrival.authority != Authority::Change {
        (Action::Skip, "much like what is known, and of little importance".to_owned())
    } else {
        (Action::Create, "like what is known, and says something else".to_owned())
    };
    Gated {
        action,
        others,
        similarity,
        reason,
        why: None,
        merged: None,
        older_in_doubt: false,
        bearings: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
