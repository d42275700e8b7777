//! What a store promises of dreams: a plan that is gone on with, upkeep that
//! touches no text, and rows that come back as they went.

use super::{current, one};
use crate::make::{Steps, newborn};
use engram_core::change::{Standing, Upkeep};
use engram_core::dream::{
    Awaiting, ConsolidationLogged, ConsolidationMethod, ConsolidationRequest, CrossProjectPattern, Deed,
    Depth, Dream, DreamTrigger, Note, Part, RequestStatus, Step, StepPlan, StepReport, parts_of,
};
use engram_core::graph::{Bond, BondKind};
use engram_core::link::KnownEntity;
use engram_core::observe::EntityKind;
use engram_core::plan::{plan_purge, plan_undo};
use engram_core::port::{CommitError, Store};
use engram_core::status::StatusChange;
use engram_core::{
    Cause, Changes, Confidence, Difficulty, EntityId, Memory, Scope, Span, Stability, Status, Tier, Utility,
    Weight, Write,
};

pub(super) async fn check_dreamt(store: &dyn Store, scope: Scope, steps: &mut Steps) {
    let birth = steps.remember("frotz is a tool of the east", scope);
    let memory = newborn(&birth);
    store.commit(birth, Vec::new()).await.unwrap();
    check_plan(store, &memory, steps).await;
    check_rows(store, &memory, steps).await;

    // What was told of a purged memory goes with it.
    let told = store.latest_dreams(1).await.unwrap().remove(0);
    assert!(told.steps[0].deeds.iter().any(|deed| deed.memory == Some(memory.id)));
    let memory = one(store, memory.id).await;
    let purge = plan_purge(std::slice::from_ref(&memory), steps.occasion()).unwrap();
    store.commit(purge, Vec::new()).await.unwrap();
    let left = store.latest_dreams(1).await.unwrap().remove(0);
    assert!(!format!("{left:?}").contains("frotz"), "{left:?}");
}

/// A plan is kept whole, done part by part, and taken back the same way.
async fn check_plan(store: &dyn Store, memory: &Memory, steps: &mut Steps) {
    let occasion = steps.occasion();
    let mut after = memory.clone();
    after.status = Status::Archived;
    after.status_change =
        StatusChange { at: occasion.at, reason: "weak: it is".to_owned(), cause: Cause::Dream };
    after.tier = Tier::Episodic;
    after.utility = Utility::clamped(0.25);
    after.pinned = true;
    after.trace.stability = Stability::clamped(7.5);
    after.trace.difficulty = Some(Difficulty::clamped(3.25));
    after.trace.fades_at = Some(occasion.at + Span::from_hours(1));
    after.revision += 1;
    let change = Upkeep { id: memory.id, before: Standing::of(memory), after: Standing::of(&after) };
    let mut plan = StepPlan::new(Step::Forget);
    plan.writes.push(Write::Upkeep { change: Box::new(change) });
    plan.deeds.push(Deed {
        memory: Some(memory.id),
        what: "archived".into(),
        why: "frotz is weak".into(),
        made: None,
    });
    let dream = Dream {
        id: occasion.operation,
        trigger: DreamTrigger::SessionEnd,
        depth: Some(Depth::Full),
        at: occasion.at,
        steps: vec![StepReport::of(&plan)],
        finished_at: None,
    };
    let parts = parts_of(dream.id, dream.at, &[plan]);
    assert_eq!(parts.len(), 1);
    // What a plan that was cut short left behind goes with the next.
    store.keep_plan(dream.clone(), vec![Part { number: 7, ..parts[0].clone() }]).await.unwrap();
    store.keep_plan(dream.clone(), parts.clone()).await.unwrap();
    assert_eq!(store.latest_dreams(5).await.unwrap(), std::slice::from_ref(&dream));
    let part = store.next_part(dream.id).await.unwrap().expect("a part is planned");
    assert_eq!(part, parts[0]);

    // The part goes with what it does, and is in the log as a part.
    let before = store.latest_operations(1000).await.unwrap().len();
    store.commit(part.changes.clone(), Vec::new()).await.unwrap();
    assert_eq!(one(store, memory.id).await, after);
    assert_eq!(store.next_part(dream.id).await.unwrap(), None);
    assert!(matches!(
        store.commit(part.changes.clone(), Vec::new()).await,
        Err(CommitError::AlreadyApplied(_) | CommitError::Conflict(_))
    ));
    assert_eq!(store.latest_operations(1000).await.unwrap().len(), before);
    let done = store.parts_done(dream.id).await.unwrap();
    assert_eq!(done.iter().map(|part| part.id).collect::<Vec<_>>(), [part.changes.operation]);
    let history = store.load_history(vec![memory.id]).await.unwrap().remove(0).1;
    assert_eq!(history.last().map(|step| step.to), Some(Status::Archived));

    // Upkeep that was planned for something else is refused.
    let stale = Changes { operation: steps.occasion().operation, ..part.changes };
    assert!(
        matches!(store.commit(stale, Vec::new()).await, Err(CommitError::Conflict(id)) if id == memory.id)
    );

    let finished = Dream { finished_at: Some(occasion.at), ..dream };
    let note = Write::Note { note: Box::new(Note::Dream(finished.clone())) };
    let whole = Changes {
        operation: finished.id,
        cause: Cause::Dream,
        part_of: None,
        writes: vec![note],
        ..steps.remember("x", memory.scope)
    };
    store.commit(whole, Vec::new()).await.unwrap();
    assert_eq!(store.latest_dreams(5).await.unwrap(), std::slice::from_ref(&finished));
    assert!(store.find_operation(finished.id).await.unwrap().is_some());

    let undo = plan_undo(&done[0], &current(store, &[memory.id]).await, steps.occasion()).unwrap();
    store.commit(undo, Vec::new()).await.unwrap();
    let back = one(store, memory.id).await;
    assert_eq!(back.status_change.cause, Cause::Undo);
    assert_eq!(Memory { status_change: memory.status_change.clone(), ..back }, *memory);
}

/// The rows beside the memories come back as they went.
async fn check_rows(store: &dyn Store, memory: &Memory, steps: &mut Steps) {
    let at = steps.occasion().at;
    let entity = |name: &str| KnownEntity {
        id: EntityId::of(EntityKind::Tool, name),
        kind: EntityKind::Tool,
        name: name.to_owned(),
        written: name.to_owned(),
        aliases: Default::default(),
        version: None,
        confidence: Some(Confidence::clamped(0.75)),
        mentions: 2,
        first_seen_at: at,
        last_seen_at: at,
    };
    let (east, west) = (entity("rezrov"), entity("gnusto"));
    let bond = Bond {
        weight: Weight::clamped(0.625),
        invalid_at: Some(at),
        ..Bond::new((east.id, BondKind::DependsOn, west.id), memory.id, at)
    };
    let awaiting = Awaiting {
        summary: memory.id,
        sources: vec![memory.id],
        topic: "east".to_owned(),
        reason: "extracted".to_owned(),
        queued_at: at,
        done_at: None,
    };
    let logged = ConsolidationLogged {
        operation: steps.occasion().operation,
        number: 3,
        method: ConsolidationMethod::SummarizeCluster,
        sources: vec![memory.id],
        results: vec![memory.id],
        at,
    };
    let request = ConsolidationRequest {
        requested_at: at,
        status: RequestStatus::Pending,
        reason: "many".to_owned(),
        completed_at: None,
    };
    let project = "p_0123456789ab".parse().unwrap();
    let pattern = CrossProjectPattern::observed(None, memory.id, project, at);
    let set = |before: Option<&KnownEntity>, after: Option<&KnownEntity>| Write::Entity {
        before: before.cloned().map(Box::new),
        after: after.cloned().map(Box::new),
    };
    let note = |note: Note| Write::Note { note: Box::new(note) };
    let writes = vec![
        set(None, Some(&east)),
        set(None, Some(&west)),
        Write::Bond { before: None, after: Some(Box::new(bond.clone())) },
        note(Note::Awaiting(awaiting.clone())),
        note(Note::Consolidated(logged.clone())),
        note(Note::Request(request.clone())),
        note(Note::Pattern(pattern.clone())),
    ];
    let changes = Changes { cause: Cause::Entity, writes, ..steps.remember("x", memory.scope) };
    store.commit(changes.clone(), Vec::new()).await.unwrap();
    let known = store.load_entities().await.unwrap();
    assert!(known.contains(&east) && known.contains(&west), "{known:?}");
    assert_eq!(store.load_bonds().await.unwrap(), std::slice::from_ref(&bond));
    assert_eq!(store.awaiting().await.unwrap(), std::slice::from_ref(&awaiting));
    assert_eq!(store.latest_consolidations(5).await.unwrap(), std::slice::from_ref(&logged));
    assert_eq!(store.load_requests().await.unwrap(), [request]);
    assert_eq!(store.load_patterns().await.unwrap(), [pattern]);

    // What was queued first is told first, whatever it is called; what is told again
    // is told once.
    let sooner = Awaiting { summary: steps.memory("x", memory.scope).id, ..awaiting.clone() };
    let later = Awaiting { queued_at: at + Span::from_hours(1), ..awaiting };
    let logged = ConsolidationLogged { results: Vec::new(), ..logged };
    let writes = vec![
        note(Note::Awaiting(later.clone())),
        note(Note::Awaiting(sooner.clone())),
        note(Note::Consolidated(logged.clone())),
    ];
    let more = Changes { cause: Cause::Consolidate, writes, ..steps.remember("x", memory.scope) };
    store.commit(more, Vec::new()).await.unwrap();
    assert_eq!(store.awaiting().await.unwrap(), [sooner.clone(), later.clone()]);
    assert_eq!(store.latest_consolidations(5).await.unwrap(), [logged]);

    let done = [later, sooner].map(|one| note(Note::Awaiting(Awaiting { done_at: Some(at), ..one })));
    let changes_more =
        Changes { cause: Cause::Consolidate, writes: done.to_vec(), ..steps.remember("x", memory.scope) };
    store.commit(changes_more, Vec::new()).await.unwrap();
    assert_eq!(store.awaiting().await.unwrap(), []);

    // What was set right is taken back.
    let entry = store.find_operation(changes.operation).await.unwrap().unwrap();
    let undo = plan_undo(&entry, &current(store, &entry.memories).await, steps.occasion()).unwrap();
    store.commit(undo, Vec::new()).await.unwrap();
    let known = store.load_entities().await.unwrap();
    assert!(!known.contains(&east) && !known.contains(&west), "{known:?}");
    assert_eq!(store.load_bonds().await.unwrap(), []);
}
