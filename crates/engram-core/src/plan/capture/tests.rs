//! What capture writes, checked by what the plans would do to a few memories.

use super::super::plan_undo;
use super::*;
use crate::Similarity;
use crate::claim::Why;
use crate::id::{IdMint, SessionId};
use crate::law::{Encoded, weigh};
use crate::observe::emotion_of;
use crate::turn::Event;
use std::collections::BTreeMap;

fn at(hour: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + 3_600 * hour).unwrap()
}

fn occasion(hour: i64) -> Occasion {
    let at = at(hour);
    let operation = OperationId::from_ulid(IdMint::seeded(hour as u64).mint(at));
    Occasion { operation, actor: Actor::Human, at, recorded_at: at }
}

/// Something that was said, in a session named by the first word.
fn turn(hour: i64, event: EventType, session: &str, text: &str) -> Turn {
    let event = Event { time: Some(at(hour)), session: Some(session.to_owned()), ..Event::new(event, text) };
    Turn::of(event, 1, 0, at(hour))
}

fn formed(turn: &Turn) -> Formed {
    let encoded = Encoded {
        kind: Kind::Fact,
        event: turn.event,
        nearest: &[],
        contradicts: false,
        emotion: emotion_of(&turn.content),
        density: Some(3),
        asked: false,
    };
    Formed {
        id: turn.id.newborn("project", 0),
        text: turn.content.clone(),
        kind: Kind::Fact,
        confidence: Confidence::clamped(0.6),
        emotion: Some(emotion_of(&turn.content)),
        valid_from: None,
        valid_until: None,
        tags: BTreeSet::new(),
        summary: None,
        domain: Some("testing".to_owned()),
        structured: None,
        pinned: false,
        weighed: weigh(&encoded),
        write_source: WriteSource::Observer,
    }
}

fn setting(turn: &Turn) -> Setting<'_> {
    Setting {
        turn,
        repeated: false,
        scope: Scope::Project,
        project: None,
        operation: turn.id.operation("read", 1, turn.recorded_at),
        cause: Cause::Capture,
        actor: actor_of(turn.event),
        at: turn.said_at,
    }
}

fn gated(action: Action, others: &[&Memory]) -> Gated {
    Gated {
        action,
        others: others.iter().map(|memory| memory.id).collect(),
        similarity: Some(Similarity::clamped(0.8)),
        reason: "the secret word is plugh".to_owned(),
        why: (action == Action::Supersede).then_some(Why::Value),
        merged: None,
        older_in_doubt: false,
        bearings: Vec::new(),
    }
}

/// A few memories, changed as the door would change them.
#[derive(Default)]
struct World {
    memories: BTreeMap<MemoryId, Memory>,
    reviews: Vec<Review>,
    edges: Vec<(MemoryId, RelationKind, MemoryId)>,
}

impl World {
    fn apply(&mut self, writes: &[Write]) {
        for write in writes {
            match write {
                Write::Create { memory } => {
                    assert!(self.memories.insert(memory.id, *memory.clone()).is_none());
                }
                Write::Replace { before, after } => {
                    assert_eq!(self.memories.insert(after.id, *after.clone()), Some(*before.clone()));
                }
                Write::Remove { memory } => assert!(self.memories.remove(&memory.id).is_some()),
                Write::Relate { relation } => self.edges.push((relation.from, relation.kind, relation.to)),
                Write::Unrelate { relation } => {
                    self.edges.retain(|edge| *edge != (relation.from, relation.kind, relation.to));
                }
                Write::Review { after, .. } => {
                    self.reviews.retain(|review| review.id != after.id);
                    self.reviews.push(*after.clone());
                }
                _ => {}
            }
        }
    }

    /// A turn is heard and its fact decided upon.
    fn take(&mut self, turn: &Turn, gated: &Gated) -> Option<MemoryId> {
        let (writes, id) = plan_fact(&formed(turn), gated, &self.memories, &setting(turn)).unwrap();
        self.apply(&writes);
        id
    }

    /// A new memory of a user's message.
    fn keep(&mut self, hour: i64, text: &str) -> Memory {
        let turn = turn(hour, EventType::UserMessage, "monday", text);
        let id = self.take(&turn, &gated(Action::Create, &[])).unwrap();
        self.memories[&id].clone()
    }

    fn now(&self, memory: &Memory) -> &Memory {
        &self.memories[&memory.id]
    }
}

#[test]
fn what_is_heard_is_kept_and_not_logged() {
    let turns = vec![turn(1, EventType::UserMessage, "monday", "we use tabs")];
    let changes = plan_hear(turns, occasion(1).operation, at(1));
    assert!(!changes.is_logged());
    assert!(matches!(&changes.writes[..], [Write::Hear { turn }] if turn.content == "we use tabs"));
    assert_eq!((changes.cause, changes.actor), (Cause::Hear, Actor::Engram));
}

#[test]
fn a_new_memory_knows_the_words_it_came_from_and_what_it_is_worth() {
    let turn = turn(1, EventType::UserMessage, "monday", "we use tabs in Go");
    let wanted = Formed { valid_from: Some(at(0)), valid_until: Some(at(9)), ..formed(&turn) };
    let (writes, id) =
        plan_fact(&wanted, &gated(Action::Create, &[]), &BTreeMap::new(), &setting(&turn)).unwrap();
    let [Write::Create { memory }] = &writes[..] else { panic!("{writes:?}") };
    assert_eq!((Some(memory.id), memory.id), (id, turn.id.newborn("project", 0)));
    assert_eq!(memory.provenance.evidence, [turn.id]);
    assert_eq!(memory.provenance.source_session, Some(SessionId::named("monday")));
    assert_eq!((memory.importance, memory.confidence), (wanted.weighed.importance, wanted.confidence));
    assert_eq!((memory.surprise, memory.emotion), (Some(wanted.weighed.surprise), wanted.emotion));
    assert_eq!((memory.validity.valid_from, memory.validity.valid_until), (at(0), Some(at(9))));
    assert_eq!(
        (memory.status_change.reason.as_str(), memory.status_change.cause),
        ("captured", Cause::Capture)
    );
    // What ends before it begins is not believed to end.
    let odd = Formed { valid_until: Some(at(0)), ..formed(&turn) };
    let (writes, _) =
        plan_fact(&odd, &gated(Action::Create, &[]), &BTreeMap::new(), &setting(&turn)).unwrap();
    assert!(matches!(&writes[..], [Write::Create { memory }] if memory.validity.valid_until.is_none()));
}

#[test]
fn whose_words_it_is_made_of_follows_from_the_event() {
    for (event, written, data, trust) in [
        (EventType::UserMessage, WriteSource::Observer, DataSource::UserMessage, 1.0),
        (EventType::AssistantMessage, WriteSource::Observer, DataSource::AssistantMessage, 0.7),
        (EventType::SubagentResult, WriteSource::Observer, DataSource::AssistantMessage, 0.7),
        (EventType::ToolCall, WriteSource::Observer, DataSource::System, 0.7),
        (EventType::Remember, WriteSource::Manual, DataSource::UserMessage, 1.0),
        (EventType::File, WriteSource::Import, DataSource::File, 0.5),
    ] {
        let mut world = World::default();
        let turn = turn(1, event, "monday", "we use tabs");
        let id = world.take(&turn, &gated(Action::Create, &[])).unwrap();
        let from = &world.memories[&id].provenance;
        assert_eq!(
            (from.write_source, from.data_source, from.trust.get()),
            (written, data, trust),
            "{event}"
        );
    }
}

#[test]
fn what_is_superseded_ends_when_the_new_value_begins() {
    let mut world = World::default();
    let olds = [world.keep(1, "the key is in vault"), world.keep(2, "the key lives in vault")];
    let turn = turn(5, EventType::UserMessage, "friday", "the key is in 1password since three");
    let told = Formed { valid_from: Some(at(3)), ..formed(&turn) };
    let decided = gated(Action::Supersede, &[&olds[0], &olds[1]]);
    let (writes, id) = plan_fact(&told, &decided, &world.memories, &setting(&turn)).unwrap();
    world.apply(&writes);
    let new = id.unwrap();
    assert_eq!(world.memories[&new].validity.valid_from, at(3));
    for old in &olds {
        let now = world.now(old);
        assert_eq!((now.status, now.validity.valid_until), (Status::Superseded, Some(at(3))));
        assert_eq!(now.status_change.reason, format!("value: replaced by {new}"));
        assert!(world.edges.contains(&(new, RelationKind::Supersedes, old.id)));
    }
    // Nothing ends before it began.
    let young = world.keep(4, "the key is in bitwarden");
    let (writes, _) =
        plan_fact(&told, &gated(Action::Supersede, &[&young]), &world.memories, &setting(&turn)).unwrap();
    let ended = writes.iter().find_map(|write| match write {
        Write::Replace { after, .. } => after.validity.valid_until,
        _ => None,
    });
    assert_eq!(ended, Some(at(4)));
}

#[test]
fn a_challenge_stands_beside_and_waits_for_somebody() {
    let mut world = World::default();
    let old = world.keep(1, "we use Postgres");
    let turn = turn(5, EventType::AssistantMessage, "friday", "we use Redis");
    let new = world.take(&turn, &gated(Action::Challenge, &[&old])).unwrap();
    assert_eq!(world.now(&old), &old);
    assert_eq!(world.memories[&new].status, Status::Challenged);
    assert_eq!(world.edges, [(new, RelationKind::Contradicts, old.id)]);
    let [review] = &world.reviews[..] else { panic!("no review") };
    assert_eq!(review.pair, Pair::Memories { newer: new, older: old.id });
    assert_eq!((review.similarity, review.closed), (Some(Similarity::clamped(0.8)), None));
}

#[test]
fn who_tells_of_a_change_puts_the_older_in_doubt() {
    let mut world = World::default();
    let old = world.keep(1, "merges on web are squashed");
    let turn = turn(5, EventType::UserMessage, "friday", "we'd rather rebase on web now");
    let gated = Gated { older_in_doubt: true, ..gated(Action::Challenge, &[&old]) };
    let new = world.take(&turn, &gated).unwrap();
    assert_eq!(world.now(&old).status, Status::Challenged);
    assert_eq!(world.memories[&new].status, Status::Created);
    assert_eq!((world.edges.len(), world.reviews.len()), (1, 1));
}

#[test]
fn an_update_says_more_and_keeps_what_mattered() {
    let mut world = World::default();
    let old = world.keep(1, "The orders service talks over gRPC.");
    let turn = turn(5, EventType::UserMessage, "friday", "The calls are retried three times.");
    let id = world.take(&turn, &gated(Action::Update, &[&old])).unwrap();
    let now = world.now(&old);
    assert_eq!(id, old.id);
    assert_eq!(now.content, "The orders service talks over gRPC. The calls are retried three times.");
    assert_eq!((now.revision, now.updated_at, now.created_at), (1, at(5), at(1)));
    assert_eq!(now.provenance.evidence, [old.provenance.evidence[0], turn.id]);
    assert!(now.importance >= old.importance && now.confidence == old.confidence);
    let merged = Gated { merged: Some("both".to_owned()), ..gated(Action::Update, &[&old]) };
    world.take(&turn, &merged);
    assert_eq!(world.now(&old).content, "both");
}

#[test]
fn a_skip_writes_nothing() {
    let mut world = World::default();
    let old = world.keep(1, "we use tabs");
    let turn = turn(5, EventType::UserMessage, "friday", "we use tabs");
    let decided = gated(Action::Skip, &[&old]);
    let (writes, id) = plan_fact(&formed(&turn), &decided, &world.memories, &setting(&turn)).unwrap();
    assert_eq!((writes, id), (Vec::new(), None));
}

#[test]
fn an_immutable_memory_is_not_changed_whatever_the_gate_said() {
    let mut world = World::default();
    let mut old = world.keep(1, "we use tabs");
    old.immutable = true;
    world.memories.insert(old.id, old.clone());
    let turn = turn(5, EventType::UserMessage, "friday", "we use spaces");
    for action in [Action::Update, Action::Supersede] {
        let planned = plan_fact(&formed(&turn), &gated(action, &[&old]), &world.memories, &setting(&turn));
        assert_eq!(planned, Err(CannotChange::Immutable(old.id)), "{action}");
    }
    let reinforced = gated(Action::Reinforce, &[&old]);
    let (writes, id) = plan_fact(&formed(&turn), &reinforced, &world.memories, &setting(&turn)).unwrap();
    assert_eq!((writes, id), (Vec::new(), Some(old.id)));
}

#[test]
fn only_an_independent_second_observation_raises_confidence() {
    let rises = |event: EventType, session: &str, repeated: bool| {
        let mut world = World::default();
        let old = world.keep(1, "we use tabs");
        let turn = turn(5, event, session, "we use tabs");
        let setting = Setting { repeated, ..setting(&turn) };
        let decided = gated(Action::Reinforce, &[&old]);
        let (writes, id) = plan_fact(&formed(&turn), &decided, &world.memories, &setting).unwrap();
        assert_eq!(id, Some(old.id));
        world.apply(&writes);
        let now = world.now(&old);
        let moved = now.confidence.get() - old.confidence.get();
        assert_eq!(now.provenance.evidence.len(), if moved > 0.0 { 2 } else { 1 });
        moved
    };
    assert!((rises(EventType::UserMessage, "friday", false) - SECOND_OBSERVATION).abs() < 1e-9);
    assert!(rises(EventType::ToolCall, "friday", false) > 0.0);
    assert!(rises(EventType::File, "friday", false) > 0.0);
    assert_eq!(rises(EventType::UserMessage, "monday", false), 0.0);
    assert_eq!(rises(EventType::UserMessage, "friday", true), 0.0);
    assert_eq!(rises(EventType::AssistantMessage, "friday", false), 0.0);
    assert_eq!(rises(EventType::SubagentResult, "friday", false), 0.0);
}

#[test]
fn without_sessions_another_kind_of_source_is_another_voice() {
    let mut world = World::default();
    let old = world.keep(1, "we use tabs");
    let mut nameless = old.clone();
    nameless.provenance.source_session = None;
    let mut heard = turn(5, EventType::UserMessage, "friday", "we use tabs");
    assert!(!independent(&nameless, &setting(&heard)));
    heard.session = None;
    assert!(!independent(&old, &setting(&heard)));
    let file = turn(5, EventType::File, "friday", "we use tabs");
    assert!(independent(&nameless, &setting(&file)));
}

#[test]
fn the_first_words_and_the_latest_are_kept_as_evidence() {
    let mut world = World::default();
    let old = world.keep(1, "we use tabs");
    let mut turns = Vec::new();
    for hour in 2..60 {
        let turn = turn(hour, EventType::UserMessage, &format!("session {hour}"), "we use tabs");
        world.take(&turn, &gated(Action::Reinforce, &[&old]));
        turns.push(turn.id);
    }
    let evidence = &world.now(&old).provenance.evidence;
    assert_eq!(evidence.len(), MOST_EVIDENCE);
    assert_eq!(evidence[0], old.provenance.evidence[0]);
    assert_eq!(evidence[1..], turns[turns.len() - (MOST_EVIDENCE - 1)..]);
    // The same turn is no further evidence.
    let mut again = world.now(&old).clone();
    take_evidence(&mut again, evidence[5]);
    assert_eq!(again.provenance.evidence, *evidence);
}

#[test]
fn the_reason_of_a_status_repeats_no_text() {
    for action in [Action::Create, Action::Supersede, Action::Challenge, Action::Update] {
        let mut world = World::default();
        let old = world.keep(1, "the secret word is xyzzy");
        let turn = turn(5, EventType::UserMessage, "friday", "the secret word is plugh");
        world.take(&turn, &gated(action, &[&old]));
        for memory in world.memories.values() {
            let reason = &memory.status_change.reason;
            assert!(!reason.contains("secret") && !reason.contains("plugh"), "{action}: {reason}");
        }
    }
}

#[test]
fn a_decision_tells_what_it_was_about_and_why() {
    let mut world = World::default();
    let old = world.keep(1, "we use tabs");
    let turn = turn(5, EventType::UserMessage, "friday", "we use spaces");
    let of = |action| {
        let decided = gated(action, &[&old]);
        decision_of(2, &formed(&turn), &decided, Some(old.id), &setting(&turn), DecidedBy::Heuristic)
    };
    let decision = of(Action::Reinforce);
    assert_eq!((decision.turn, decision.number, decision.other), (turn.id, 2, Some(old.id)));
    assert_eq!(decision.fact.as_deref(), Some("we use spaces"));
    assert_eq!(decision.reason, "the secret word is plugh");
    // What becomes a memory tells what it is worth, too.
    assert!(of(Action::Create).reason.contains("importance"));
}

/// A pair in doubt, as a challenge leaves it.
fn in_doubt() -> (World, Memory, Memory, Review) {
    let mut world = World::default();
    let older = world.keep(1, "The orders service talks over gRPC.");
    let turn = turn(5, EventType::AssistantMessage, "friday", "The calls are retried three times.");
    let id = world.take(&turn, &gated(Action::Challenge, &[&older])).unwrap();
    let (newer, review) = (world.memories[&id].clone(), world.reviews[0].clone());
    (world, newer, older, review)
}

#[test]
fn every_ruling_does_what_it_says() {
    for (ruling, newer_is, older_is) in [
        (Ruling::Both, Status::Active, Status::Created),
        (Ruling::Newer, Status::Active, Status::Superseded),
        (Ruling::Older, Status::Invalidated, Status::Created),
        (Ruling::Merge, Status::Merged, Status::Created),
    ] {
        let (mut world, newer, older, review) = in_doubt();
        let changes = plan_review(&review, &newer, &older, ruling, 1_000, occasion(9)).unwrap();
        assert_eq!((changes.cause, changes.is_logged()), (Cause::Review, true));
        world.apply(&changes.writes);
        let (newer, older) = (world.now(&newer), world.now(&older));
        assert_eq!((newer.status, older.status), (newer_is, older_is), "{ruling}");
        let closed = world.reviews[0].closed.unwrap();
        assert_eq!((closed.ruling, closed.actor, closed.at), (ruling, Actor::Human, at(9)));
        match ruling {
            Ruling::Newer => {
                assert_eq!(older.validity.valid_until, Some(newer.validity.valid_from));
                assert!(world.edges.contains(&(newer.id, RelationKind::Supersedes, older.id)));
            }
            Ruling::Merge => {
                assert_eq!(
                    older.content,
                    "The orders service talks over gRPC. The calls are retried three times."
                );
                assert!(older.provenance.evidence.contains(&newer.provenance.evidence[0]));
            }
            _ => {}
        }
    }
}

#[test]
fn every_ruling_can_be_taken_back() {
    for ruling in Ruling::ALL {
        let (mut world, newer, older, review) = in_doubt();
        let (memories, edges) = (world.memories.clone(), world.edges.clone());
        let changes = plan_review(&review, &newer, &older, *ruling, 1_000, occasion(9)).unwrap();
        world.apply(&changes.writes);
        let undo = plan_undo(&changes.log_entry(), &world.memories, occasion(10)).unwrap();
        world.apply(&undo.writes);
        // That it was undone is part of its history; everything else is as it was.
        let bare = |memories: &BTreeMap<MemoryId, Memory>| -> Vec<Memory> {
            let status_change = newer.status_change.clone();
            memories
                .values()
                .map(|memory| Memory { status_change: status_change.clone(), ..memory.clone() })
                .collect()
        };
        assert_eq!(bare(&world.memories), bare(&memories), "{ruling}");
        assert_eq!(world.edges, edges, "{ruling}");
        assert_eq!(world.reviews, [review], "{ruling}");
    }
}

#[test]
fn a_review_is_decided_once() {
    let (mut world, newer, older, review) = in_doubt();
    let changes = plan_review(&review, &newer, &older, Ruling::Both, 1_000, occasion(9)).unwrap();
    world.apply(&changes.writes);
    let closed = &world.reviews[0];
    for ruling in Ruling::ALL {
        let (newer, older) = (world.now(&newer), world.now(&older));
        let again = plan_review(closed, newer, older, *ruling, 1_000, occasion(10));
        assert_eq!(again, Err(CannotDecide::Decided(Ruling::Both)), "{ruling}");
    }
}

#[test]
fn a_merge_that_would_be_too_long_and_a_protected_memory_are_refused() {
    let (_, newer, mut older, review) = in_doubt();
    assert!(matches!(
        plan_review(&review, &newer, &older, Ruling::Merge, 40, occasion(9)),
        Err(CannotDecide::CannotChange(CannotChange::Draft(BadDraft::TooLong { longest: 40, .. })))
    ));
    older.immutable = true;
    for ruling in [Ruling::Newer, Ruling::Merge] {
        assert_eq!(
            plan_review(&review, &newer, &older, ruling, 1_000, occasion(9)),
            Err(CannotDecide::CannotChange(CannotChange::Immutable(older.id)))
        );
    }
}

#[test]
fn a_purge_takes_the_words_of_a_review_out_of_the_log_and_the_journal() {
    let (_, newer, older, review) = in_doubt();
    let mut changes = plan_review(&review, &newer, &older, Ruling::Older, 1_000, occasion(9)).unwrap();
    let operation = changes.log_entry();
    // Only the newer one was changed, and yet the operation speaks of both.
    assert_eq!(operation.memories.len(), 2);
    assert!(operation.inverse.iter().any(|inverse| inverse.quotes(&[older.id])));
    changes.scrub(&[older.id], &[]);
    assert!(!serde_json::to_string(&changes).unwrap().contains("plugh"));
}
