//! The card of a thing: who or what it is, in a few lines taken from the
//! memories that name it.
//!
//! A card selects and says so; it makes up nothing. The same memories and bonds
//! give the same bytes, whatever order they come in and however often they were
//! used. Whether a memory still holds at this moment, and which memories name
//! the thing, the caller decides.

use super::Bond;
use crate::claim::{Bearing, Text, sentences_of};
use crate::gate::is_of_one_matter;
use crate::id::{EntityId, MemoryId};
use crate::kind::Scope;
use crate::link::KnownEntity;
use crate::memory::Memory;
use crate::present::{in_one_line, shortened};
use crate::rank::{Ranked, TextReason, diversify};
use crate::status::Status;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A card is no longer than this, in characters.
pub const MOST_CARD_CHARS: usize = 800;
/// With fewer memories there is nothing to select from; whoever asks reads them.
const ENOUGH_MEMORIES: usize = 3;
/// Statements of a card: as many as can be taken in at a glance.
const MOST_STATEMENTS: usize = 7;
/// The weightiest memories are held against each other, and no more of them, so
/// that the card of something famous costs no more than another.
const MOST_READ: usize = 24;
/// Other names and bonds of a card, so that the statements find room.
const MOST_NAMES: usize = 4;
const MOST_BONDS: usize = 4;
/// What weight counts against saying something new (S3).
const RELEVANCE: f64 = 0.7;

/// What is worth knowing of a thing, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    pub entity: EntityId,
    /// One line for the thing, one for each statement, one for its bonds.
    pub text: String,
    /// The memories whose statements it holds, in their order.
    pub memories: Vec<MemoryId>,
    /// So many it was selected from.
    pub among: usize,
}

/// The card of a thing, if at least three memories that nobody doubts name it.
/// The bonds come with the names of their other ends.
pub fn card_of(entity: &KnownEntity, memories: &[&Memory], bonds: &[(&Bond, &str)]) -> Option<Card> {
    let undoubted = |memory: &&&Memory| memory.status.is_current() && memory.status != Status::Challenged;
    let mut current: Vec<&Memory> = memories.iter().filter(undoubted).copied().collect();
    current.sort_by_key(|memory| place_of(memory));
    current.dedup_by_key(|memory| memory.id);
    if current.len() < ENOUGH_MEMORIES {
        return None;
    }
    let mut text = head_of(entity, &current);
    let tail = bonds_line(entity.id, bonds);
    let mut left = MOST_CARD_CHARS.saturating_sub(text.chars().count() + tail.chars().count());
    let mut told = Vec::new();
    for memory in statements(&current) {
        let line = format!("- {}\n", statement_of(memory));
        // A line that does not fit may leave room for a shorter one.
        if let Some(rest) = left.checked_sub(line.chars().count()) {
            left = rest;
            text += &line;
            told.push(memory.id);
        }
    }
    text += &tail;
    Some(Card { entity: entity.id, text, memories: told, among: current.len() })
}

/// The weightier first, then the newer.
fn place_of(memory: &Memory) -> (Reverse<u32>, Reverse<jiff::Timestamp>, Reverse<MemoryId>) {
    (Reverse(weight_of(memory)), Reverse(memory.validity.valid_from), Reverse(memory.id))
}

/// In hundredths, so that a last digit of no meaning does not turn the order.
fn weight_of(memory: &Memory) -> u32 {
    (memory.importance.get() * memory.confidence.get() * 100.0).round() as u32
}

fn head_of(entity: &KnownEntity, current: &[&Memory]) -> String {
    let called: Vec<String> =
        entity.aliases.iter().take(MOST_NAMES).map(|alias| shortened(&in_one_line(alias))).collect();
    let also = if called.is_empty() { String::new() } else { format!(", also {}", called.join(", ")) };
    let said = description_of(entity, current).map(|said| format!(": {said}"));
    let name = shortened(&in_one_line(&entity.written));
    let head = format!("{name} ({}{also}){}", entity.kind, said.unwrap_or_default());
    let most = MOST_CARD_CHARS / 2;
    let head: String = head.chars().take(most).collect();
    format!("{head}, from {} memories\n", current.len())
}

/// What a thing is, in the words of the first of its memories that says so
/// outright. It is read off anew each time, so that it goes with the memory.
pub fn description_of(entity: &KnownEntity, memories: &[&Memory]) -> Option<String> {
    let names: Vec<String> =
        entity.aliases.iter().chain([&entity.written]).map(|name| name.to_lowercase()).collect();
    let tells = |sentence: &str| {
        let lower = sentence.to_lowercase();
        names.iter().any(|name| {
            let rest = lower.strip_prefix(name.as_str()).and_then(|rest| rest.strip_prefix(" is "));
            rest.is_some_and(|rest| IS_WHAT.iter().any(|article| rest.starts_with(article)))
        })
    };
    let whats = memories.iter().flat_map(|memory| sentences_of(&memory.content));
    let said = whats.map(str::trim).find(|sentence| tells(sentence))?;
    let (_, what) = said.split_once(" is ")?;
    Some(shortened(&in_one_line(what.trim_end_matches('.'))))
}

/// With one of these a sentence says what a thing is, not how it is.
const IS_WHAT: &[&str] = &["a ", "an ", "the ", "our ", "my ", "their "];

/// What it is tied to, the firmest first; nothing where there is nothing.
fn bonds_line(entity: EntityId, bonds: &[(&Bond, &str)]) -> String {
    let mut valid: Vec<&(&Bond, &str)> = bonds.iter().filter(|(bond, _)| bond.is_valid()).collect();
    valid.sort_by_key(|(bond, name)| (Reverse(bond.pull()), bond.key(), *name));
    let told: Vec<String> = valid
        .into_iter()
        .take(MOST_BONDS)
        .map(|(bond, name)| {
            let (kind, name) = (bond.kind.as_str().replace('_', " "), in_one_line(name));
            let name: String = name.chars().take(MOST_NAME_CHARS).collect();
            if bond.from == entity { format!("{kind} {name}") } else { format!("{name} {kind} it") }
        })
        .collect();
    if told.is_empty() { String::new() } else { format!("tied: {}\n", told.join("; ")) }
}

/// A name that is longer is a path, whose beginning tells enough.
const MOST_NAME_CHARS: usize = 60;

fn statement_of(memory: &Memory) -> String {
    let whole = in_one_line(&memory.content);
    let short = shortened(&whole);
    match &memory.summary {
        Some(summary) if short != whole => shortened(&in_one_line(summary)),
        _ => short,
    }
}

/// The memories to tell, the weightiest first but none that says much of what
/// was told before it.
fn statements<'m>(current: &[&'m Memory]) -> Vec<&'m Memory> {
    let read: Vec<(&Memory, Text<'_>)> =
        current.iter().take(MOST_READ).map(|memory| (*memory, Text::of(&memory.content))).collect();
    let kept: Vec<usize> = (0..read.len()).filter(|at| !is_outdone(&read, *at)).collect();
    let by_id: BTreeMap<MemoryId, usize> = kept.iter().map(|at| (read[*at].0.id, *at)).collect();
    let ranked = kept.iter().map(|at| Ranked {
        id: read[*at].0.id,
        scope: read[*at].0.scope,
        score: f64::from(weight_of(read[*at].0)),
        factors: Vec::new(),
        text: TextReason::default(),
        scope_weight: 1.0,
        also_in: Vec::new(),
    });
    let likeness = |one: (Scope, MemoryId), other: (Scope, MemoryId)| {
        Some(read[*by_id.get(&one.1)?].1.likeness(&read[*by_id.get(&other.1)?].1))
    };
    let chosen = diversify(ranked.collect(), RELEVANCE, &likeness, MOST_STATEMENTS);
    chosen.iter().filter_map(|ranked| Some(read[*by_id.get(&ranked.id)?].0)).collect()
}

/// Whether another says the same and is newer, says all of it and more, or is
/// newer and says otherwise.
fn is_outdone(read: &[(&Memory, Text<'_>)], at: usize) -> bool {
    let age = |memory: &Memory| (memory.validity.valid_from, memory.id);
    let (memory, text) = &read[at];
    read.iter().any(|(other, said)| {
        if other.id == memory.id {
            return false;
        }
        let newer = age(other) > age(memory);
        let bearing = if newer { said.bearing_on(text) } else { text.bearing_on(said) };
        match bearing {
            Bearing::Same | Bearing::Adds => newer,
            Bearing::Contradicts(difference) => newer && is_of_one_matter(&difference, text.likeness(said)),
            Bearing::Contained => !newer,
            Bearing::Unrelated | Bearing::Unsure(_) => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::BondKind::*;
    use crate::graph::trial::{bond, day, memory, memory_id};
    use crate::link::{EntityBook, plan_entities};
    use crate::observe::{Entity, EntityKind};
    use crate::unit::{Confidence, Importance, Weight};
    use proptest::prelude::*;

    fn redis() -> KnownEntity {
        let found = Entity {
            kind: EntityKind::Tool,
            name: "redis".to_owned(),
            written: "Redis".to_owned(),
            version: None,
        };
        plan_entities(&EntityBook::default(), &[found], &[], day(0)).entities.remove(0)
    }

    fn weighed(memory: Memory, importance: f64) -> Memory {
        Memory { importance: Importance::clamped(importance), confidence: Confidence::clamped(1.0), ..memory }
    }

    fn card(memories: &[Memory], bonds: &[(&Bond, &str)]) -> Option<Card> {
        card_of(&redis(), &memories.iter().collect::<Vec<_>>(), bonds)
    }

    #[test]
    fn a_card_tells_what_a_thing_is_by_the_words_of_its_memories() {
        let memories = [
            weighed(memory(1, "Redis keeps the sessions of the shop", 1), 0.6),
            weighed(memory(2, "the backup of Redis runs at midnight", 2), 0.9),
            weighed(memory(3, "Ayşe asked for it. Redis is an in-memory store.", 3), 0.3),
        ];
        let firm = Bond { weight: Weight::clamped(0.9), ..bond("valkey", Replaces, "redis") };
        let (uses, ended) =
            (bond("redis", DependsOn, "disk"), Bond { invalid_at: Some(day(1)), ..bond("redis", Uses, "x") });
        let mut entity = redis();
        entity.aliases.insert("the cache".to_owned());
        let all: Vec<&Memory> = memories.iter().collect();
        let card = card_of(&entity, &all, &[(&uses, "disk"), (&firm, "Valkey"), (&ended, "X")]).unwrap();
        let expected = "Redis (tool, also the cache): an in-memory store, from 3 memories\n\
            - the backup of Redis runs at midnight\n\
            - Redis keeps the sessions of the shop\n\
            - Ayşe asked for it. Redis is an in-memory store.\n\
            tied: Valkey replaces it; depends on disk\n";
        assert_eq!(card.text, expected);
        assert_eq!(card.memories, [2, 1, 3].map(memory_id));
        assert_eq!(card.among, 3);
    }

    #[test]
    fn with_fewer_than_three_memories_that_nobody_doubts_there_is_no_card() {
        let memories = [
            memory(1, "Redis keeps the sessions", 1),
            memory(2, "the backup of Redis runs at midnight", 2),
            memory(3, "Ayşe asked for a bigger Redis host", 3),
        ];
        assert!(card(&memories, &[]).is_some());
        assert!(card(&memories[..2], &[]).is_none());
        assert!(card(&[memories[0].clone(), memories[1].clone(), memories[1].clone()], &[]).is_none());
        for status in [Status::Challenged, Status::Superseded, Status::Archived] {
            let [one, two, three] = memories.clone();
            assert!(card(&[one, two, Memory { status, ..three }], &[]).is_none(), "{status}");
        }
    }

    #[test]
    fn of_two_that_say_the_same_or_contradict_the_newest_is_told() {
        let memories = [
            weighed(memory(1, "Redis listens on port 6379", 1), 0.9),
            weighed(memory(2, "Redis listens on port 6380", 2), 0.5),
            weighed(memory(3, "redis listens on port 6380", 3), 0.5),
            weighed(memory(4, "Ayşe asked for a bigger Redis host", 3), 0.4),
        ];
        let card = card(&memories, &[]).unwrap();
        assert_eq!(card.memories, [3, 4].map(memory_id), "{}", card.text);
        assert!(card.text.contains("from 4 memories"));
    }

    #[test]
    fn a_card_tells_seven_things_at_most_and_not_one_thing_twice() {
        let topics =
            ["backups", "alerts", "sessions", "quotas", "logins", "invoices", "mails", "exports", "searches"];
        let memories: Vec<Memory> = (1..)
            .zip(topics)
            .map(|(n, topic)| weighed(memory(n, &format!("{topic} go through Redis first"), 1), 0.5))
            .collect();
        let card = card(&memories, &[]).unwrap();
        assert_eq!((card.memories.len(), card.among), (7, 9));
    }

    prop_compose! {
        fn any_memory()(
            number in 1..30_u64,
            words in prop::collection::vec("[a-zçşğ<\"]{1,12}", 1..60),
            on in 0..20_i64,
            importance in 0.0..1.0_f64,
        ) -> Memory {
            weighed(memory(number, &format!("x{}", words.join(" ")), on), importance)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 32, ..ProptestConfig::default() })]

        #[test]
        fn a_card_keeps_its_length_and_its_bytes(
            memories in prop::collection::vec(any_memory(), 0..12),
            turn in 0..12_usize,
            aliases in prop::collection::btree_set("[a-z\n]{1,200}", 0..6),
        ) {
            let mut memories: BTreeMap<MemoryId, Memory> =
                memories.into_iter().map(|memory| (memory.id, memory)).collect();
            let mut order: Vec<Memory> = std::mem::take(&mut memories).into_values().collect();
            let entity = KnownEntity { aliases, ..redis() };
            let first = card_of(&entity, &order.iter().collect::<Vec<_>>(), &[]);
            let places = order.len().max(1);
            order.rotate_left(turn % places);
            for memory in &mut order {
                memory.trace.access_count += 7;
            }
            let then = card_of(&entity, &order.iter().collect::<Vec<_>>(), &[]);
            prop_assert_eq!(&first, &then);
            prop_assert_eq!(first.is_some(), order.len() >= 3);
            if let Some(card) = first {
                prop_assert!(card.text.chars().count() <= MOST_CARD_CHARS, "{}", card.text);
                prop_assert!(card.memories.len() <= MOST_STATEMENTS);
                prop_assert_eq!(card.text.lines().count(), card.memories.len() + 1);
            }
        }
    }
}
