//! What every store promises, as one function that takes an empty one.
//!
//! The real store and its twin both run it, so that a test on the twin says
//! something about the real one.

mod dreamt;
mod evolved;
mod outbox;
mod twice;

use crate::make::{Steps, by_hand, newborn};
use engram_core::advice::DecidedBy;
use engram_core::ask::{Intent, QueryType};
use engram_core::change::{PURGED, PURGED_REASON, Standing, Upkeep};
use engram_core::decision::{Action, Closed, Decision, Pair, Review, Ruling};
use engram_core::law::Model;
use engram_core::link::{KnownEntity, Mention};
use engram_core::observe::{EntityKind, emotion_of};
use engram_core::plan::{
    Edited, plan_confirm, plan_correct, plan_edit, plan_forget, plan_hear, plan_mark, plan_pin, plan_purge,
    plan_undo, plan_use,
};
use engram_core::port::{CommitError, Store};
use engram_core::recalled::{Pooled, RecallLogged, Strategy, Surface};
use engram_core::turn::{Event, EventType, ToolUse, Turn};
use engram_core::used::{Outcome, Promotion, PromotionReason, Usage};
use engram_core::vector::{Packed, Precision};
use engram_core::{
    Actor, Cause, Changes, Confidence, Difficulty, Kind, Memory, MemoryId, Operation, RecallId, Relation,
    RelationKind, Scope, SessionId, Similarity, Span, Status, StoredVector, Surprise, Timestamp, Write,
};
use std::collections::BTreeMap;

async fn one(store: &dyn Store, id: MemoryId) -> Memory {
    store.load(vec![id]).await.unwrap().pop().expect("the memory is there")
}

pub async fn check_store(store: &dyn Store, scope: Scope) {
    let mut steps = Steps::default();

    // What goes in comes out, field by field.
    let birth = steps.remember("the staging key is in vault", scope);
    let mut memory = newborn(&birth);
    store.commit(birth.clone(), Vec::new()).await.unwrap();
    assert_eq!(one(store, memory.id).await, memory);

    // The same operation twice is one operation.
    assert!(matches!(store.commit(birth, Vec::new()).await, Err(CommitError::AlreadyApplied(_))));

    // Everything a memory can have survives the way.
    memory = full(&mut steps, scope);
    let mut rich = steps.remember("x", scope);
    rich.writes = vec![engram_core::Write::Create { memory: Box::new(memory.clone()) }];
    store.commit(rich, Vec::new()).await.unwrap();
    assert_eq!(one(store, memory.id).await, memory);

    // Whole or not at all: the second write fails, the first is not there.
    let fresh = steps.memory("never arrives", scope);
    let mut half = plan_pin(&memory, true, steps.occasion()).unwrap();
    half.writes.insert(0, engram_core::Write::Create { memory: Box::new(fresh.clone()) });
    if let engram_core::Write::Replace { before, .. } = &mut half.writes[1] {
        before.revision = 77;
    }
    let operation = half.operation;
    assert!(
        matches!(store.commit(half, Vec::new()).await, Err(CommitError::Conflict(id)) if id == memory.id)
    );
    assert!(store.load(vec![fresh.id]).await.unwrap().is_empty());
    assert!(store.find_operation(operation).await.unwrap().is_none());

    // A correction leaves an edge, a history and a way back.
    let correction = plan_correct(&memory, "a new value", by_hand(), 100, steps.occasion()).unwrap();
    let new = newborn(&correction);
    store.commit(correction.clone(), Vec::new()).await.unwrap();
    assert_eq!(one(store, memory.id).await.status, Status::Superseded);
    let edges = store.load_relations(vec![memory.id]).await.unwrap();
    assert_eq!(edges.len(), 1);
    assert_eq!((edges[0].from, edges[0].kind, edges[0].to), (new.id, RelationKind::Supersedes, memory.id));
    assert_eq!(store.load_edges().await.unwrap(), edges);
    let history = store.load_history(vec![memory.id]).await.unwrap().remove(0).1;
    let path: Vec<(Option<Status>, Status, Cause)> =
        history.iter().map(|step| (step.from, step.to, step.change.cause)).collect();
    assert_eq!(
        path,
        [
            (None, Status::Created, Cause::Remember),
            (Some(Status::Created), Status::Superseded, Cause::Correct)
        ]
    );
    assert_eq!(history[1].change.at, correction.at);

    // It is there once: whoever draws it again is refused, and nothing changes.
    let mut again = steps.remember("x", scope);
    let elsewhen = Relation { created_at: steps.occasion().at, ..edges[0].clone() };
    again.writes = vec![Write::Relate { relation: elsewhen }];
    assert!(matches!(store.commit(again, Vec::new()).await, Err(CommitError::Refused(_))));
    assert_eq!(store.load_edges().await.unwrap(), edges);

    // What belongs elsewhere is not taken in.
    let other = if scope == Scope::User { Scope::Project } else { Scope::User };
    let strange = steps.remember("of somebody else", other);
    assert!(matches!(store.commit(strange, Vec::new()).await, Err(CommitError::Refused(_))));

    // Undo, and undo of the undo.
    let logged = store.find_operation(correction.operation).await.unwrap().unwrap();
    let undo = plan_undo(&logged, &current(store, &logged.memories).await, steps.occasion()).unwrap();
    store.commit(undo.clone(), Vec::new()).await.unwrap();
    assert_eq!(one(store, memory.id).await.status, Status::Created);
    assert!(store.load(vec![new.id]).await.unwrap().is_empty());
    assert!(store.load_relations(vec![memory.id]).await.unwrap().is_empty());
    assert!(store.load_history(vec![new.id]).await.unwrap().remove(0).1.is_empty());
    let logged = store.find_operation(correction.operation).await.unwrap().unwrap();
    assert_eq!(logged.undone_by, Some(undo.operation));
    let undo_logged = store.find_operation(undo.operation).await.unwrap().unwrap();
    let redo =
        plan_undo(&undo_logged, &current(store, &undo_logged.memories).await, steps.occasion()).unwrap();
    store.commit(redo, Vec::new()).await.unwrap();
    assert_eq!(one(store, new.id).await, new);
    let logged = store.find_operation(correction.operation).await.unwrap().unwrap();
    assert_eq!(logged.undone_by, None);

    // Use is bookkeeping: no operation, no revision, but a status in the history.
    let before = store.latest_operations(1000).await.unwrap().len();
    let used = plan_use(&new, Model::Fsrs6, 3, steps.occasion().at);
    store.record_use(vec![used.clone()]).await.unwrap();
    assert_eq!(one(store, new.id).await, used);
    assert_eq!(store.latest_operations(1000).await.unwrap().len(), before);
    let history = store.load_history(vec![new.id]).await.unwrap().remove(0).1;
    assert_eq!(history.last().map(|step| step.change.cause), Some(Cause::Use));

    check_edit(store, scope, &mut steps).await;
    twice::check_twice(store, scope, &mut steps).await;
    check_vectors(store, scope, &mut steps).await;
    check_recalls(store, new.id).await;
    check_heard(store, scope, &mut steps).await;
    dreamt::check_dreamt(store, scope, &mut steps).await;
    evolved::check_evolved(store, scope, &mut steps).await;

    // Pages come in order and cover everything once.
    for n in 0..5 {
        store.commit(steps.remember(&format!("page {n}"), scope), Vec::new()).await.unwrap();
    }
    let mut seen = Vec::new();
    while let page = store.load_page(seen.last().copied(), 2).await.unwrap()
        && !page.is_empty()
    {
        seen.extend(page.iter().map(|memory| memory.id));
    }
    let mut scanned = Vec::new();
    store.scan(&mut |memory| scanned.push(memory.id)).await.unwrap();
    assert_eq!(scanned, seen);
    assert_eq!(seen.len(), 13);
    assert!(seen.is_sorted_by(|a, b| a < b));

    // A purge leaves no text, in the row or in the log.
    let challenged = plan_mark(&used, Status::Challenged, "doubt", steps.occasion()).unwrap();
    store.commit(challenged, Vec::new()).await.unwrap();
    let now = one(store, new.id).await;
    // Upkeep repeats the reason.
    let mut kept_up = steps.remember("x", scope);
    kept_up.cause = Cause::Dream;
    let after = Standing { revision: now.revision + 1, ..Standing::of(&now) };
    let change = Upkeep { id: now.id, before: Standing::of(&now), after };
    kept_up.writes = vec![Write::Upkeep { change: Box::new(change) }];
    store.commit(kept_up, Vec::new()).await.unwrap();
    let log = store.operations_on(new.id).await.unwrap();
    assert!(serde_json::to_string(&log).unwrap().contains("doubt"));
    let now = one(store, new.id).await;
    store.commit(plan_confirm(&now, steps.occasion()).unwrap(), Vec::new()).await.unwrap();
    let now = one(store, new.id).await;
    store.commit(plan_purge(&[now], steps.occasion()).unwrap(), Vec::new()).await.unwrap();
    let gone = one(store, new.id).await;
    assert_eq!((gone.status, gone.content.as_str()), (Status::Forgotten, ""));
    let log = store.operations_on(new.id).await.unwrap();
    assert!(log.len() >= 4);
    let told = serde_json::to_string(&log).unwrap();
    assert!(!told.contains("a new value") && !told.contains("doubt"), "{told}");
    let history = store.load_history(vec![new.id]).await.unwrap().remove(0).1;
    assert!(history.len() >= 4);
    assert!(history.iter().all(|step| step.change.reason == PURGED_REASON), "{history:?}");

    // Forgetting several is one operation.
    let two: Vec<Memory> = store
        .load_page(None, 100)
        .await
        .unwrap()
        .into_iter()
        .filter(|m| m.content.starts_with("page"))
        .collect();
    let forget = plan_forget(&two, steps.occasion()).unwrap();
    store.commit(forget.clone(), Vec::new()).await.unwrap();
    assert_eq!(store.latest_operations(1).await.unwrap()[0].memories.len(), two.len());
    check_log(store).await;
    outbox::check_outbox(store, scope, &mut steps).await;
}

/// What is said about a memory goes the same way as what it says.
async fn check_edit(store: &dyn Store, scope: Scope, steps: &mut Steps) {
    let birth = steps.remember("edited later", scope);
    let memory = newborn(&birth);
    store.commit(birth, Vec::new()).await.unwrap();
    let said = Edited { domain: Some("ops".into()), tags: Some(vec!["ci".into()]), ..Edited::default() };
    let edit = plan_edit(&memory, &said, steps.occasion()).unwrap();
    store.commit(edit.clone(), Vec::new()).await.unwrap();
    let edited = one(store, memory.id).await;
    assert_eq!((edited.domain.as_deref(), edited.tags.len()), (Some("ops"), 1));
    let logged = store.find_operation(edit.operation).await.unwrap().unwrap();
    assert_eq!(logged.cause, Cause::Edit);
    let undo = plan_undo(&logged, &current(store, &logged.memories).await, steps.occasion()).unwrap();
    store.commit(undo, Vec::new()).await.unwrap();
    assert_eq!(one(store, memory.id).await, memory);
    store.commit(plan_purge(&[memory], steps.occasion()).unwrap(), Vec::new()).await.unwrap();
}

/// Parts of the log follow each other without a gap, and may be of some causes
/// only.
async fn check_log(store: &dyn Store) {
    for causes in [Vec::new(), vec![Cause::Remember, Cause::Edit]] {
        let whole = store.operations_before(None, causes.clone(), 1000).await.unwrap();
        assert!(whole.is_sorted_by(|one, other| one.id > other.id));
        let wanted = |operation: &Operation| {
            operation.part_of.is_none() && (causes.is_empty() || causes.contains(&operation.cause))
        };
        assert!(whole.len() > 5 && whole.iter().all(wanted), "{causes:?}");
        let mut read: Vec<Operation> = Vec::new();
        while let part =
            store.operations_before(read.last().map(|last| last.id), causes.clone(), 3).await.unwrap()
            && !part.is_empty()
        {
            read.extend(part);
        }
        assert_eq!(read, whole);
    }
    let all = store.latest_operations(1000).await.unwrap();
    let some = store.operations_before(None, vec![Cause::Edit], 1000).await.unwrap();
    let edits: Vec<Operation> = all.into_iter().filter(|operation| operation.cause == Cause::Edit).collect();
    assert_eq!((edits.len(), some), (1, edits));
}

/// A vector arrives with its text and goes with it.
async fn check_vectors(store: &dyn Store, scope: Scope, steps: &mut Steps) {
    let birth = steps.remember("has a direction", scope);
    let memory = newborn(&birth);
    let vector = |embedder: &str| StoredVector {
        memory: memory.id,
        embedder: embedder.to_owned(),
        text_hash: "aa".to_owned(),
        packed: Packed::pack(&[0.5, -0.25, 1.0], Precision::F32).unwrap(),
    };
    store.commit(birth, vec![vector("one")]).await.unwrap();
    store.keep_vectors(vec![vector("other")]).await.unwrap();
    let stranger = StoredVector { memory: steps.memory("not there", scope).id, ..vector("one") };
    store.keep_vectors(vec![stranger]).await.unwrap();
    assert_eq!(vectors(store).await, [vector("one"), vector("other")]);
    store.drop_vectors("one".to_owned()).await.unwrap();
    assert_eq!(vectors(store).await, [vector("other")]);

    // Pinning does not change the text; forgetting takes it away.
    store.commit(plan_pin(&memory, true, steps.occasion()).unwrap(), Vec::new()).await.unwrap();
    assert_eq!(vectors(store).await.len(), 1);
    let now = one(store, memory.id).await;
    store.commit(plan_purge(&[now], steps.occasion()).unwrap(), Vec::new()).await.unwrap();
    assert_eq!(vectors(store).await, []);
}

async fn vectors(store: &dyn Store) -> Vec<StoredVector> {
    let mut all = Vec::new();
    store.scan_vectors(&mut |vector| all.push(vector)).await.unwrap();
    all.sort_by(|a, b| a.embedder.cmp(&b.embedder));
    all
}

async fn check_recalls(store: &dyn Store, shown: MemoryId) {
    let at = "2026-02-03T04:05:06Z".parse().unwrap();
    let recall = RecallLogged {
        id: RecallId::of(at, None, "where is it"),
        via: Surface::Tool,
        query: "where is it".to_owned(),
        query_type: QueryType::RecallFact,
        intent: Intent::Factual,
        strategy: Strategy::Hybrid,
        results_returned: 1,
        results_used: 0,
        user_feedback: None,
        latency_ms: 0.75,
        scopes: vec![Scope::Project, Scope::User],
        with_model: true,
        shown: vec![shown],
        pool: vec![Pooled {
            memory: shown,
            words: 0.1,
            table: 0.25,
            model: 1.5,
            graph: 0.0,
            rest: -0.3,
            scale: 0.85,
        }],
        used: Vec::new(),
        settled_at: None,
        confidence: Confidence::clamped(0.5),
        session: None,
        at,
    };
    store.log_recalls(vec![recall.clone()]).await.unwrap();
    assert_eq!(store.latest_recalls(9).await.unwrap(), std::slice::from_ref(&recall));
    store.scrub(vec!["01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap()], Vec::new()).await.unwrap();
    assert_eq!(store.latest_recalls(9).await.unwrap(), std::slice::from_ref(&recall));
    store.scrub(vec![shown], Vec::new()).await.unwrap();
    let scrubbed = store.latest_recalls(9).await.unwrap().remove(0);
    assert_eq!((scrubbed.query.as_str(), scrubbed.pool), (PURGED, Vec::new()));
    // One that found it and did not show it may repeat its words as well.
    let (query, hidden_at) = ("xyzzy again".to_owned(), at + Span::from_millis(500));
    let hidden = RecallLogged {
        id: RecallId::of(hidden_at, None, &query),
        query,
        shown: Vec::new(),
        at: hidden_at,
        ..recall.clone()
    };
    store.log_recalls(vec![hidden.clone()]).await.unwrap();
    store.scrub(vec![shown], Vec::new()).await.unwrap();
    let scrubbed = store.find_recall(hidden.id).await.unwrap().unwrap();
    assert_eq!((scrubbed.query.as_str(), scrubbed.pool), (PURGED, Vec::new()));
    // Those that are written together keep their order too.
    let later = |seconds: i64| {
        let (query, at) = (format!("after {seconds}"), at + Span::from_secs(seconds));
        RecallLogged { id: RecallId::of(at, None, &query), query, at, ..recall.clone() }
    };
    store.log_recalls((1..=5).map(later).collect()).await.unwrap();
    let latest: Vec<String> =
        store.latest_recalls(3).await.unwrap().into_iter().map(|recall| recall.query).collect();
    assert_eq!(latest, ["after 5", "after 4", "after 3"]);
    // Parts follow each other without a gap.
    let whole = store.latest_recalls(99).await.unwrap();
    let mut read: Vec<RecallLogged> = Vec::new();
    while let part = store.recalls_before(read.last().map(|last| last.id), 4).await.unwrap()
        && !part.is_empty()
    {
        read.extend(part);
    }
    assert_eq!((read.len(), read), (7, whole));
}

/// A turn is kept as it was said, read once, and its words go with the memory
/// they became.
async fn check_heard(store: &dyn Store, scope: Scope, steps: &mut Steps) {
    let session = SessionId::named("a chat");
    let said_at: Timestamp = "2026-02-03T04:05:06Z".parse().unwrap();
    let event = |text: &str, event| Event {
        time: Some(said_at),
        session: Some("a chat".to_owned()),
        speaker: Some("Ayşe".to_owned()),
        ..Event::new(event, text)
    };
    let mut turn = Turn::of(event("the magic word is plugh", EventType::UserMessage), 1, 0, said_at);
    turn.kind = Some(Kind::Decision);
    turn.source = Some("notes.md#words".to_owned());
    turn.agent = Some("codex".to_owned());
    let tool = ToolUse {
        name: "Bash".to_owned(),
        input: serde_json::json!({"command": "make", "n": 3, "deep": {"a": [1, null]}}),
        output: serde_json::json!("plugh happened"),
        ok: false,
        duration_ms: Some(12),
    };
    let call = Turn::of(Event { tool: Some(tool), ..event("", EventType::ToolCall) }, 2, 1, said_at);
    let mut turns = vec![turn.clone(), call.clone()];
    turns.sort_by_key(|turn| turn.id);
    let hear = plan_hear(turns.clone(), steps.occasion().operation, said_at);
    store.commit(hear.clone(), Vec::new()).await.unwrap();
    assert_eq!(store.find_operation(hear.operation).await.unwrap(), None);
    assert_eq!(store.unread_turns().await.unwrap(), turns);
    assert_eq!(store.load_turns(vec![call.id, turn.id]).await.unwrap(), turns);
    assert_eq!(store.latest_turns(Some(session), 1).await.unwrap(), std::slice::from_ref(&call));
    assert_eq!(store.latest_turns(None, 9).await.unwrap(), []);
    assert!(store.commit(hear, Vec::new()).await.is_err());

    // What is read is read once, together with what came of it.
    let mut birth = steps.remember("the magic word is plugh", scope);
    let Some(Write::Create { memory }) = birth.writes.first_mut() else { unreachable!() };
    memory.provenance.evidence = vec![turn.id];
    let memory = memory.as_ref().clone();
    let decision = Decision {
        turn: turn.id,
        number: 0,
        action: Action::Create,
        memory: Some(memory.id),
        other: None,
        fact: Some(memory.content.clone()),
        reason: "plugh is new".to_owned(),
        similarity: Some(Similarity::clamped(0.25)),
        by: DecidedBy::Heuristic,
        at: said_at,
    };
    let entity = KnownEntity {
        id: "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap(),
        kind: EntityKind::Tool,
        name: "plugh".to_owned(),
        written: "Plugh".to_owned(),
        aliases: ["xyzzy".to_owned()].into(),
        version: Some("1.2".to_owned()),
        confidence: Some(Confidence::clamped(0.75)),
        mentions: 1,
        first_seen_at: said_at,
        last_seen_at: said_at,
    };
    let mention = Mention { memory: memory.id, entity: entity.id, at: said_at };
    let pair = Pair::Memories { newer: memory.id, older: turn.id.newborn("project", 0) };
    let review = Review::open(pair, "plugh or not".to_owned(), None, said_at);
    birth.writes.extend([
        Write::Read { turn: turn.id, decisions: vec![decision.clone()] },
        Write::Name { entity: Box::new(entity.clone()) },
        Write::Mention { mention: mention.clone() },
        Write::Mention { mention: Mention { at: steps.occasion().at, ..mention.clone() } },
        Write::Review { before: None, after: Box::new(review.clone()) },
    ]);
    store.commit(birth, Vec::new()).await.unwrap();
    assert_eq!(store.unread_turns().await.unwrap(), [call]);
    // Words are found to be old from the moment after they were said, once they
    // were read.
    let moment = |seconds| said_at + Span::from_secs(seconds);
    assert_eq!(store.worded_turns_before(moment(0)).await.unwrap(), []);
    assert_eq!(store.worded_turns_before(moment(1)).await.unwrap(), [turn.id]);
    assert_eq!(store.decisions_on(memory.id).await.unwrap(), [decision]);
    assert_eq!(store.load_entities().await.unwrap(), [entity]);
    assert_eq!(store.load_mentions(vec![memory.id]).await.unwrap(), [mention]);
    assert_eq!(store.load_reviews().await.unwrap(), std::slice::from_ref(&review));

    // What came of it is logged beside it.
    let promotion = Promotion {
        memory: memory.id,
        session: Some(session),
        from: Scope::Session,
        to: scope,
        kind: memory.kind,
        reason: PromotionReason::Score,
        score: 0.625,
        merged_into: Some(memory.id),
        at: said_at,
    };
    let note = Some("plugh helped".to_owned());
    let usage = Usage {
        note,
        session: Some(session),
        recall: Some(RecallId::of(said_at, None, "the word")),
        ..Usage::told(memory.id, Outcome::Partial, said_at)
    };
    let writes = vec![
        Write::Promote { promotion: Box::new(promotion.clone()) },
        Write::Record { usage: Box::new(usage.clone()) },
    ];
    let logged = Changes { cause: Cause::Promote, writes, ..steps.remember("x", scope) };
    store.commit(logged, Vec::new()).await.unwrap();
    assert_eq!(store.promotions_from(session).await.unwrap(), [promotion]);
    assert_eq!(store.usage_of(memory.id).await.unwrap(), [usage]);

    // A review is decided, and that is taken back.
    let ruled = Write::Review {
        before: Some(Box::new(review.clone())),
        after: Box::new(Review {
            closed: Some(Closed { ruling: Ruling::Both, actor: Actor::Human, at: said_at }),
            ..review.clone()
        }),
    };
    let decided = Changes { cause: Cause::Review, writes: vec![ruled], ..steps.remember("x", scope) };
    store.commit(decided.clone(), Vec::new()).await.unwrap();
    assert_eq!(store.load_reviews().await.unwrap()[0].closed.map(|closed| closed.ruling), Some(Ruling::Both));
    let logged = store.find_operation(decided.operation).await.unwrap().unwrap();
    let undo = plan_undo(&logged, &BTreeMap::new(), steps.occasion()).unwrap();
    store.commit(undo, Vec::new()).await.unwrap();
    assert_eq!(store.load_reviews().await.unwrap(), [review]);
    let decided = Changes { operation: steps.occasion().operation, ..decided };
    store.commit(decided.clone(), Vec::new()).await.unwrap();

    // A purge takes the words it came from as well, and what only it named.
    store
        .commit(plan_purge(std::slice::from_ref(&memory), steps.occasion()).unwrap(), Vec::new())
        .await
        .unwrap();
    assert_eq!(store.load_turns(vec![turn.id]).await.unwrap()[0].content, PURGED);
    assert_eq!(store.load_entities().await.unwrap(), []);
    let left = format!(
        "{:?} {:?} {:?} {:?}",
        store.usage_of(memory.id).await.unwrap(),
        store.decisions_on(memory.id).await.unwrap(),
        store.load_reviews().await.unwrap(),
        store.find_operation(decided.operation).await.unwrap()
    );
    assert!(!left.contains("plugh"), "{left}");
}

async fn current(store: &dyn Store, ids: &[MemoryId]) -> BTreeMap<MemoryId, Memory> {
    store.load(ids.to_vec()).await.unwrap().into_iter().map(|memory| (memory.id, memory)).collect()
}

/// A memory with every field set, and with values that are easily lost.
fn full(steps: &mut Steps, scope: Scope) -> Memory {
    use engram_core::memory::PromotionStep;
    let mut memory = steps.memory("çok satırlı\n\"metin\" — ünïcode 🦀", scope);
    let odd: Timestamp = "2026-02-03T04:05:06.123456789Z".parse().unwrap();
    memory.summary = Some("one line".into());
    memory.tags = ["a".to_owned(), "b-c".to_owned()].into();
    memory.domain = Some("testing".into());
    memory.structured = serde_json::from_str(
        r#"{"n": 1, "f": 1.5, "s": "2026-01-01T00:00:00Z", "deep": {"list": [1, null, "x"]}, "b": true}"#,
    )
    .ok();
    memory.trace.last_used_at = odd;
    memory.trace.difficulty = Some(Difficulty::clamped(4.5));
    memory.validity.valid_from = "1969-07-20T20:17:40.5Z".parse().unwrap();
    memory.validity.valid_until = Some(odd);
    memory.provenance.speaker = Some("Ayşe".into());
    memory.provenance.evidence = vec!["01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap()];
    memory.surprise = Some(Surprise::clamped(0.3));
    memory.emotion = Some(emotion_of("great, it works!"));
    memory.provenance.source_session = Some("01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap());
    memory.provenance.source_project = Some("p_0123456789ab".parse().unwrap());
    memory.provenance.author = Some("01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap());
    let (by, place) = (memory.provenance.author, Some("shop".to_owned()));
    memory.provenance.promotion_chain =
        vec![PromotionStep { scope: Scope::Session, memory_id: memory.id, promoted_at: odd, by, place }];
    memory
}
