//! Evidence of a store, from what was shown to what it is worth.

use engram_core::ask::{Intent, QueryType};
use engram_core::credit::{Credit, Rarity, Session, plan_credit};
use engram_core::law::utility_now;
use engram_core::plan::{plan_feedback, plan_outcome, plan_pin, rating_of};
use engram_core::port::Store as _;
use engram_core::recalled::{Feedback, RecallLogged, RecallSettled, Strategy, Surface};
use engram_core::turn::{Event, EventType, ToolUse, Turn};
use engram_core::used::{EvidenceSource, Outcome, Usage};
use engram_core::{Confidence, MemoryId, RecallId, Scope, SessionId, Share, Span, Timestamp};
use engram_engine::{Embedders, Rareness, Shelf};
use engram_maps::MapStore;
use engram_testkit::make::{Steps, newborn};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

struct Room {
    store: Arc<MapStore>,
    shelf: Shelf,
    steps: Steps,
}

async fn room() -> Room {
    let store = Arc::new(MapStore::default());
    let shelf = Shelf::open(store.clone(), Scope::Project, Embedders::default()).await.unwrap();
    Room { store, shelf, steps: Steps::default() }
}

impl Room {
    async fn remember(&mut self, text: &str) -> MemoryId {
        let birth = self.steps.remember(text, Scope::Project);
        let id = newborn(&birth).id;
        self.shelf.change(&[], |_| Ok(birth)).await.unwrap();
        id
    }

    /// The store, opened again, holds what the index holds now.
    async fn is_whole(&self) {
        assert_eq!(self.shelf.differences().await.unwrap(), []);
    }
}

fn shown(ids: &[MemoryId], at: Timestamp) -> RecallLogged {
    let session = Some(SessionId::named("s"));
    RecallLogged {
        id: RecallId::of(at, session, "mend the retries"),
        via: Surface::Prompt,
        query: "mend the retries".to_owned(),
        query_type: QueryType::HowTo,
        intent: Intent::General,
        strategy: Strategy::Hybrid,
        results_returned: ids.len() as u32,
        results_used: 0,
        user_feedback: None,
        latency_ms: 1.0,
        scopes: vec![Scope::Project],
        with_model: false,
        shown: ids.to_vec(),
        pool: Vec::new(),
        used: Vec::new(),
        settled_at: None,
        confidence: Confidence::clamped(0.5),
        session,
        at,
    }
}

fn turn(event: Event, at: Timestamp) -> Turn {
    Turn::of(Event { time: Some(at), session: Some("s".to_owned()), ..event }, 1, 0, at)
}

fn ran(command: &str, ok: bool, at: Timestamp) -> Turn {
    let input = json!({ "command": command });
    let tool = ToolUse { name: "Bash".to_owned(), input, output: json!(""), ok, duration_ms: None };
    turn(Event { tool: Some(tool), ..Event::new(EventType::ToolCall, "") }, at)
}

#[tokio::test]
async fn what_was_reused_before_a_success_gains_and_what_lay_beside_it_does_not() {
    let mut room = room().await;
    let good = room.remember("retries belong into BackoffPolicy::Jittered").await;
    let bystander = room.remember("the vault is rotated on mondays").await;
    let at = room.steps.occasion().at;
    let recall = shown(&[good, bystander], at);
    room.shelf.note_recall(recall.clone());
    let minute = |minutes: i64| at + Span::from_mins(minutes);
    let turns = [
        ran("sed -i s/retry/BackoffPolicy::Jittered/ src/a.rs", true, minute(1)),
        ran("cargo test", true, minute(2)),
    ];
    let shown = room.shelf.shown_in(std::slice::from_ref(&recall)).await.unwrap();
    assert_eq!(shown.iter().map(|shown| shown.memory).collect::<Vec<_>>(), [good, bystander]);
    let rarity = Rareness(vec![&room.shelf]);
    let (corrected, skills) = (BTreeMap::new(), BTreeMap::new());
    let (shown, turns) = (&shown[..], &turns[..]);
    let Credit { usages, settled, open } = plan_credit(&Session {
        shown,
        turns,
        rarity: &rarity,
        corrected: &corrected,
        skills: &skills,
        over: true,
        at: minute(3),
    });
    assert_eq!((usages.len(), settled.len(), open), (1, 1, 0));

    let operations = room.shelf.store().latest_operations(99).await.unwrap().len();
    let revision = room.shelf.load(good).await.unwrap().revision;
    assert_eq!(room.shelf.credit(usages.clone()).await.unwrap(), 1);
    assert_eq!(room.shelf.credit(usages.clone()).await.unwrap(), 0, "it is known already");
    room.shelf.settle_recalls(settled).await.unwrap();
    let after = room.shelf.load(good).await.unwrap();
    assert!((after.utility.get() - 0.55).abs() < 1e-4, "{:?}", after.utility);
    assert_eq!(room.shelf.load(bystander).await.unwrap().utility.get(), 0.5);
    assert_eq!(after.revision, revision);
    assert_eq!(room.shelf.store().latest_operations(99).await.unwrap().len(), operations);
    assert_eq!(room.shelf.store().usage_of(good).await.unwrap(), usages);
    // It was settled although it had only been noted.
    let kept = room.shelf.store().find_recall(recall.id).await.unwrap().unwrap();
    assert_eq!((kept.used, kept.settled_at), (vec![good], Some(minute(3))));
    room.is_whole().await;
    let again = Shelf::open(room.store.clone(), Scope::Project, Embedders::default()).await.unwrap();
    assert_eq!(again.load(good).await.unwrap(), after);
}

#[tokio::test]
async fn a_change_before_the_evidence_can_still_be_taken_back() {
    let mut room = room().await;
    let id = room.remember("the deploy needs the VPN").await;
    let pin = room.steps.occasion();
    room.shelf.change(&[id], |memories| plan_pin(&memories[0], true, pin)).await.unwrap();
    let usage = Usage { source: EvidenceSource::Check, ..Usage::told(id, Outcome::Failure, pin.at) };
    assert_eq!(room.shelf.credit(vec![usage]).await.unwrap(), 1);
    room.shelf.undo(pin.operation, room.steps.occasion()).await.unwrap();
    assert!(!room.shelf.load(id).await.unwrap().pinned);
}

#[tokio::test]
async fn what_is_about_a_memory_that_is_not_here_is_passed_over() {
    let mut room = room().await;
    let id = room.remember("the deploy needs the VPN").await;
    let at = room.steps.occasion().at;
    let stranger = room.steps.memory("elsewhere", Scope::User).id;
    let seen = |memory, source, outcome| Usage {
        source,
        recall: Some(RecallId::of(at, None, "q")),
        ..Usage::told(memory, outcome, at)
    };
    let usages = vec![
        seen(stranger, EvidenceSource::Check, Outcome::Success),
        seen(id, EvidenceSource::Reuse, Outcome::Success),
        seen(id, EvidenceSource::Check, Outcome::Failure),
    ];
    assert_eq!(room.shelf.credit(usages).await.unwrap(), 2, "one of each source at a moment");
    assert_eq!(room.shelf.store().usage_of(stranger).await.unwrap(), []);
    assert_eq!(room.shelf.shown_in(&[shown(&[stranger], at)]).await.unwrap(), []);
    assert_eq!(room.shelf.credit(Vec::new()).await.unwrap(), 0);
    room.is_whole().await;
}

#[tokio::test]
async fn a_skill_that_was_loaded_without_being_shown_was_used() {
    let mut room = room().await;
    let id = room.remember("how a release is made").await;
    let before = room.shelf.load(id).await.unwrap();
    let loaded_at = room.steps.occasion().at + Span::from_hours(24 * 50);
    let usage = Usage { source: EvidenceSource::Reuse, ..Usage::told(id, Outcome::Success, loaded_at) };
    for _ in 0..2 {
        room.shelf.credit(vec![usage.clone()]).await.unwrap();
        room.shelf.flush_notes().await.unwrap();
    }
    let after = room.shelf.load(id).await.unwrap();
    assert_eq!(after.trace.access_count, before.trace.access_count + 1);
    assert_eq!(after.trace.last_used_at, loaded_at);
    assert!((utility_now(&after, loaded_at).get() - 0.525).abs() < 1e-9, "half a step from the middle");
}

#[tokio::test]
async fn a_word_is_as_rare_as_its_commonest_form_in_all_stores_together() {
    let (mut one, mut other) = (room().await, room().await);
    for text in ["connections are pooled", "a connection is closed", "see src/pool/a.rs"] {
        one.remember(text).await;
    }
    other.remember("connecting takes 45 s").await;
    let both = Rareness(vec![&one.shelf, &other.shelf]);
    for (term, share) in
        [("connections", 0.75), ("src/pool/a.rs", 0.25), ("src/pool/b.rs", 0.0), ("pool", 0.5)]
    {
        assert_eq!(both.share_with(term), Share::clamped(share), "{term}");
    }
    assert_eq!(both.memories(), Some(4));
}

#[tokio::test]
async fn an_outcome_that_was_taken_back_counts_nowhere() {
    let mut room = room().await;
    let id = room.remember("retries belong into BackoffPolicy::Jittered").await;
    let model = room.shelf.model();
    let told = room.steps.occasion();
    let usage = Usage::told(id, Outcome::Failure, told.at);
    room.shelf.tell(&[id], |found| plan_outcome(&found[0], model, usage.clone(), told)).await.unwrap();
    assert_eq!(room.shelf.case_of(id).await.unwrap().1, std::slice::from_ref(&usage));
    let undo = room.steps.occasion();
    room.shelf.undo(told.operation, undo).await.unwrap();
    let (memory, usages) = room.shelf.case_of(id).await.unwrap();
    assert_eq!((memory.utility.get(), usages), (0.5, Vec::new()));
    assert_eq!(room.store.usages_since(Timestamp::UNIX_EPOCH).await.unwrap(), []);
    // Taken back in turn, it counts again.
    let again = room.steps.occasion();
    room.shelf.undo(undo.operation, again).await.unwrap();
    assert_eq!(room.shelf.case_of(id).await.unwrap().1, [usage]);
    room.is_whole().await;
}

#[tokio::test]
async fn feedback_that_was_taken_back_leaves_the_answer_as_it_was_but_for_what_was_seen_since() {
    let mut room = room().await;
    let meant = room.remember("retries belong into BackoffPolicy::Jittered").await;
    let other = room.remember("the vault is rotated on mondays").await;
    let recall = shown(&[meant, other], room.steps.occasion().at);
    room.shelf.note_recall(recall.clone());
    room.shelf.flush_notes().await.unwrap();
    let (model, said) = (room.shelf.model(), room.steps.occasion());
    let rating = rating_of(&recall, Feedback::PartiallyHelpful, &[meant], said.at);
    room.shelf
        .tell(&[meant], |found| {
            plan_feedback(found, &recall, Feedback::PartiallyHelpful, rating.clone(), model, said)
        })
        .await
        .unwrap();
    let kept = room.store.find_recall(recall.id).await.unwrap().unwrap();
    assert_eq!((kept.user_feedback, &kept.used[..]), (Some(Feedback::PartiallyHelpful), &[meant][..]));
    assert_eq!((kept.results_used, kept.settled_at), (1, Some(said.at)));
    let undo = room.steps.occasion();
    room.shelf.undo(said.operation, undo).await.unwrap();
    assert_eq!(room.store.find_recall(recall.id).await.unwrap().as_ref(), Some(&recall));
    assert_eq!(room.shelf.case_of(meant).await.unwrap().1, []);

    // What was seen after the feedback is not the feedback's.
    let again = room.steps.occasion();
    room.shelf.undo(undo.operation, again).await.unwrap();
    let seen = room.steps.occasion();
    let settled = RecallSettled { recall: recall.id, used: vec![meant, other], at: seen.at };
    room.shelf.settle_recalls(vec![settled]).await.unwrap();
    let last = room.steps.occasion();
    room.shelf.undo(said.operation, last).await.unwrap();
    let kept = room.store.find_recall(recall.id).await.unwrap().unwrap();
    assert_eq!((kept.user_feedback, &kept.used[..]), (None, &[other][..]));
    assert_eq!(kept.settled_at, Some(seen.at));
}
