//! Where the words of an English claim stand: before the verb, after it, or
//! beside both; and what the verb holds.

use super::known::Mark;
use super::reading::{Item, Place, Reading, Slot, tells_since};
use super::sort::link_of;
use super::words::Word;

pub(super) const PREPOSITIONS: &[&str] = &[
    "in", "at", "on", "by", "for", "with", "from", "into", "to", "as", "via", "using", "under", "inside",
    "through", "behind", "near", "over", "within", "during", "every", "when", "because", "since", "before",
    "after", "if", "unless", "where", "while", "which", "that",
];
pub(super) const COPULA: &[&str] = &["is", "are", "was", "were", "be", "am"];
pub(super) const AUXILIARY: &[&str] = &[
    "do", "does", "did", "has", "have", "had", "will", "would", "should", "can", "could", "must", "may",
    "might", "shall",
];
pub(super) const ADVERBS: &[&str] = &[
    "not",
    "now",
    "currently",
    "always",
    "also",
    "still",
    "already",
    "never",
    "no",
    "longer",
    "just",
    "only",
    "usually",
    "been",
    "be",
    "being",
];

/// Stems of verbs that say little beside their slot.
pub(super) const LIGHT: &[&str] = &[
    "use", "hav", "liv", "stor", "keep", "locat", "resid", "sit", "run", "work", "find", "put", "call",
    "nam", "set", "need", "requir", "host", "lie", "go", "belong", "listen", "bind", "default",
];

/// Verbs that are hardly ever nouns, and what they hold.
#[rustfmt::skip]
pub(super) const STRONG_VERBS: &[(Slot, &str)] = &[
    (Slot::Use, "use uses used avoid require requires need needs depends depend has have supports"),
    (Slot::Preference, "prefer prefers preferred favour favours"),
    (Slot::Location, "lives live lived resides stored kept located sits keep keeps put found goes go \
        belong belongs saved logged points pointed lies sit written published"),
    (Slot::Hosting, "hosted deployed"),
    (Slot::Means, "run runs ran built tested managed executed compiled formatted installed generated \
        started launched powered linted done handled works hashed encrypted rendered signed packaged \
        provisioned sent"),
    (Slot::Listening, "listens listen bind binds serves exposes bound listening"),
    (Slot::Name, "called named titled"),
    (Slot::Identity, "licensed defaults defaulted equals set"),
    (Slot::Time, "happen happens occurs occur scheduled ships meets"),
    (Slot::Agent, "owned maintained led reviewed owns own maintains leads"),
    (Slot::Other, "moved migrated switched changed renamed replaced upgraded dropped removed became \
        contains handles take expire last cost pass fail return returns calls makes wants likes hates \
        reads writes sends expires fails passes breaks allows accepts throws lasts costs takes expects \
        provides stores"),
];

/// Verbs that are nouns as often: a verb only where no other is found.
#[rustfmt::skip]
pub(super) const WEAK_VERBS: &[(Slot, &str)] = &[
    (Slot::Hosting, "deploy deploys"),
    (Slot::Location, "store log logs save point host"),
    (Slot::Means, "build builds test tests format lint install manage start compile launch"),
    (Slot::Time, "release ship meet"),
    (Slot::Other, "commit push merge rebase squash write call name add check open close read ask send \
        support return enable disable cache handle"),
];

fn strong_verb(word: &Word) -> Option<Slot> {
    word.known().strong_verb
}

fn weak_verb(word: &Word) -> Option<Slot> {
    word.known().weak_verb
}

pub(super) fn place_english(reading: &mut Reading) {
    let words = &reading.words;
    let folded = |at: usize| words.get(at).map_or("", |word| word.folded.as_str());
    let is = |at: usize, mark: Mark| words.get(at).is_some_and(|word| word.is(mark));
    // A circumstance that was put in front ends at a pause or at the subject.
    let mut start = 0;
    if words.first().is_some_and(|first| first.is(Mark::Preposition)) {
        start = (1..words.len())
            .find(|at| {
                words[*at].after_pause
                    || matches!(
                        folded(*at),
                        "we" | "i" | "they" | "you" | "he" | "she" | "it" | "our" | "use"
                    )
            })
            .unwrap_or(0);
    }
    while start < words.len()
        && matches!(folded(start), "please" | "always" | "never" | "do" | "not" | "just")
    {
        start += 1;
    }
    let verb = find_verb(words, start);
    let mut slot = verb.map_or(Slot::Other, |(_, _, slot)| slot);
    let (mut verb_from, mut verb_to) = verb.map_or((words.len(), words.len()), |(from, to, _)| (from, to));
    if verb.is_none()
        && let Some(pause) = (start + 1..words.len()).find(|at| words[*at].after_pause)
    {
        // "default branch: main"
        (verb_from, verb_to, slot) = (pause, pause, Slot::Identity);
    } else if verb.is_none() && words.iter().filter(|word| !word.small).count() > 1 {
        // "redis port 6379"
        (verb_from, verb_to, slot) = (words.len() - 1, words.len() - 1, Slot::Quality);
    }
    let order = verb_from == start && verb.is_some();
    let progressive = verb_to < words.len()
        && (verb_from..(verb_to + 4).min(words.len()))
            .any(|at| folded(at).ends_with("ing") && folded(at).len() > 4)
        && (verb_from..=verb_to).any(|at| is(at, Mark::Copula));
    let speaker = (start..verb_from).any(|at| matches!(folded(at), "we" | "i" | "you" | "they"));
    // What "we keep in vault" is about is what we keep.
    let keeps = matches!(folded(verb_from), "keep" | "keeps");
    let object_is_subject =
        (order || speaker || keeps) && matches!(slot, Slot::Location | Slot::Hosting | Slot::Means);

    let mut items = Vec::new();
    let mut place = Place::Value;
    let mut after_preposition = false;
    let mut prepositions = 0;
    for (at, word) in words.iter().enumerate() {
        let preposition = word.is(Mark::Preposition);
        if at >= verb_to && preposition && !items.is_empty() | (at == verb_to) {
            prepositions += 1;
            let had_value = items.iter().any(|item: &Item| item.word >= verb_to);
            after_preposition |= !had_value;
            place = if !had_value || object_is_subject && prepositions == 1 {
                Place::Value
            } else {
                Place::Beside
            };
        }
        let says_over = reading.ended && word.is(Mark::Over);
        if word.small || says_over || reading.years.contains(&word.folded) || tells_since(words, at) {
            continue;
        }
        let here = if at < start && start > 0 && verb_from > at {
            Place::Beside
        } else if at < verb_from {
            Place::Subject
        } else if at < verb_to {
            Place::Verb
        } else if object_is_subject && prepositions == 0 {
            Place::Subject
        } else {
            place
        };
        let light = here == Place::Verb && word.stem_is(Mark::Light) && !progressive
            || matches!(word.stem.as_str(), "use" | "hav" | "be" | "get" | "thing");
        items.push(Item { word: at, place: here, light });
    }
    if slot == Slot::Quality {
        let about_slot = items
            .iter()
            .rfind(|item| item.place == Place::Subject)
            .is_some_and(|item| is(item.word, Mark::SlotNoun));
        let names_slot = items.iter().any(|item| {
            item.place == Place::Subject
                && is(item.word, Mark::SlotNoun)
                && matches!(folded(item.word + 1), "of" | "for" | "in")
        });
        slot = if after_preposition {
            Slot::Location
        } else if about_slot
            || names_slot
            || items.iter().any(|item| item.place == Place::Subject && folded(item.word) == "default")
        {
            Slot::Identity
        } else {
            Slot::Quality
        };
    }
    // "Runs nightly" is a time, "runs with make" is the means; "supports X" is one of many.
    let about_name = |item: &Item| item.place == Place::Subject && folded(item.word) == "name";
    if slot == Slot::Identity && items.iter().any(about_name) {
        slot = Slot::Name;
    }
    // Who answers for a thing is said of the thing, whichever comes first.
    let held = verb.is_some_and(|_| HOLDS.contains(&folded(verb_to.saturating_sub(1))))
        || folded(verb_to.saturating_sub(2)) == "responsible";
    // "Ada is the tech lead"
    let role = slot == Slot::Quality
        && items.last().is_some_and(|item| item.place == Place::Value && ROLES.contains(&folded(item.word)))
        && matches!(folded(verb_to), "the" | "our");
    if role {
        slot = Slot::Agent;
    }
    if slot == Slot::Agent && (held || role) {
        for item in &mut items {
            item.place = match item.place {
                Place::Subject => Place::Value,
                Place::Value => Place::Subject,
                other => other,
            };
        }
    }
    reading.indefinite = matches!(
        folded(start),
        "a" | "an" | "some" | "someone" | "somebody" | "there" | "nobody" | "several" | "many"
    ) || words.get(start).is_some_and(|first| first.is_number() && verb.is_some());
    reading.episode = progressive;
    reading.order = order;
    let verb_word = folded(verb_to.saturating_sub(1)).to_owned();
    reading.slot = slot;
    reading.items = items;
    reading.slot = match (verb_word.as_str(), link_of(reading).0) {
        ("written", "in" | "with") => Slot::Making,
        ("written", "by") => Slot::Agent,
        ("run" | "runs" | "ran", "on" | "in") => Slot::Hosting,
        _ => slot,
    };
}

/// What whoever answers for a thing is called.
const ROLES: &[&str] = &["owner", "lead", "maintainer", "reviewer", "contact", "author"];

/// Verbs of whoever answers for a thing.
const HOLDS: &[&str] = &["owns", "own", "maintains", "leads"];

fn is_participle(word: &str) -> bool {
    word.len() > 3 && word.ends_with("ed")
        || matches!(
            word,
            "cut" | "held" | "sent" | "made" | "taken" | "given" | "written" | "run" | "shown" | "drawn"
        )
}

/// Where the verb begins, where what follows it begins, and what it holds.
fn find_verb(words: &[Word], start: usize) -> Option<(usize, usize, Slot)> {
    let folded = |at: usize| words.get(at).map_or("", |word| word.folded.as_str());
    let is = |at: usize, mark: Mark| words.get(at).is_some_and(|word| word.is(mark));
    let skip = |mut at: usize| {
        while at < words.len() && words[at].is(Mark::Adverb) {
            at += 1;
        }
        at
    };
    // What follows "we" is a verb, whichever it is.
    if matches!(folded(start), "we" | "i" | "you" | "they" | "he" | "she" | "it")
        && let Some(word) = words.get(skip(start + 1))
        && !word.is(Mark::Copula)
        && !word.is(Mark::Auxiliary)
    {
        let at = skip(start + 1);
        return Some((at, at + 1, strong_verb(word).or_else(|| weak_verb(word)).unwrap_or(Slot::Other)));
    }
    for (at, word) in words.iter().enumerate().skip(start) {
        let here = folded(at);
        let next = skip(at + 1);
        let after = words.get(next);
        if word.is(Mark::Copula) {
            return Some(match after.and_then(strong_verb) {
                Some(slot) if !folded(next).ends_with('s') => (at, next + 1, slot),
                _ if folded(next) == "responsible" && folded(next + 1) == "for" => {
                    (at, next + 2, Slot::Agent)
                }
                _ if folded(next) == "to" => (at, next, Slot::Other),
                _ if is_participle(folded(next)) && is(next + 1, Mark::Preposition) => {
                    // What is done on a day is done on that day again and again.
                    let again =
                        matches!(here, "is" | "are") && matches!(folded(next + 1), "on" | "at" | "every");
                    (at, next + 1, if again { Slot::Time } else { Slot::Other })
                }
                _ => (at, next, Slot::Quality),
            });
        }
        if word.is(Mark::Auxiliary) && at + 1 < words.len() {
            if let Some(slot) = after.and_then(|word| strong_verb(word).or_else(|| weak_verb(word))) {
                return Some((at, next + 1, slot));
            }
            if !matches!(here, "has" | "have" | "had") {
                return Some((at, next.saturating_add(1).min(words.len()), Slot::Other));
            }
        }
        if let Some(slot) = strong_verb(word) {
            return Some((at, at + 1, slot));
        }
        if word.is(Mark::Preposition) && at > start && weak_verb(&words[start]).is_some() {
            break;
        }
    }
    let weak = |at: usize| words.get(at).and_then(weak_verb).map(|slot| (at, at + 1, slot));
    let ordered = weak(start).filter(|_| !folded(start).ends_with('s'));
    ordered.or_else(|| unknown_verb(words, start)).or_else(|| (start..words.len()).find_map(weak))
}

/// A word that looks like a verb between a noun and what a verb governs.
fn unknown_verb(words: &[Word], start: usize) -> Option<(usize, usize, Slot)> {
    let governed = |word: &Word| {
        matches!(word.folded.as_str(), "the" | "a" | "an" | "our" | "its" | "my")
            || word.is(Mark::Preposition)
            || word.is_number()
    };
    (start + 1..words.len().saturating_sub(1))
        .find(|at| {
            let word = &words[*at];
            let formed =
                word.folded.ends_with('s') && !word.folded.ends_with("ss") || word.folded.ends_with("ed");
            let looks_so = word.folded.len() > 3 && (formed || words[at - 1].folded.ends_with('s'));
            looks_so && !word.small && !word.is_literal() && !words[at - 1].small && governed(&words[at + 1])
        })
        .map(|at| (at, at + 1, Slot::Other))
}
