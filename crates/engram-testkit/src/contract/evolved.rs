//! What a store promises of evidence and of what follows from it: recalls that
//! are settled, usages that are kept once, and what was learned with its
//! history.

use super::{current, one};
use crate::make::{Steps, newborn};
use engram_core::ask::{Intent, QueryType};
use engram_core::change::PURGED;
use engram_core::dream::{DreamTrigger, Note};
use engram_core::evolve::{EvolutionLogged, Evolving};
use engram_core::law::{RetainRules, logs_kept_from};
use engram_core::learn::{Learned, LearnedKey, Shares, Subject, WeightChange};
use engram_core::plan::{plan_purge, plan_undo, rating_of};
use engram_core::port::Store;
use engram_core::recalled::{Feedback, Pooled, RecallLogged, RecallSettled, Strategy, Surface};
use engram_core::reflect::{Insight, InsightType, Proposal, ReflectionLogged};
use engram_core::used::{EvidenceSource, Outcome, Usage};
use engram_core::{
    Actor, Cause, Changes, Confidence, Memory, MemoryId, RecallId, Scope, SessionId, Share, Span, Timestamp,
    Utility, Write,
};

pub(super) async fn check_evolved(store: &dyn Store, scope: Scope, steps: &mut Steps) {
    let birth = steps.remember("blorb is kept in the safe", scope);
    let memory = newborn(&birth);
    store.commit(birth, Vec::new()).await.unwrap();
    check_settled(store, memory.id, steps).await;
    check_evidence(store, &memory, steps).await;
    check_learned(store, scope, steps).await;
    check_notes(store, &memory, steps).await;
}

/// So long after everything else that was asked.
fn asked_at(minutes: i64) -> Timestamp {
    "2026-09-03T04:05:06.000007Z".parse::<Timestamp>().unwrap() + Span::from_mins(minutes)
}

fn asked(shown: MemoryId, minutes: i64) -> RecallLogged {
    let (at, session) = (asked_at(minutes), Some(SessionId::named("a chat")));
    let query = format!("blorb {minutes}");
    RecallLogged {
        id: RecallId::of(at, session, &query),
        via: Surface::Prompt,
        query,
        query_type: QueryType::HowTo,
        intent: Intent::General,
        strategy: Strategy::Hybrid,
        results_returned: 1,
        results_used: 0,
        user_feedback: None,
        latency_ms: 1.5,
        scopes: vec![Scope::Project],
        with_model: false,
        shown: vec![shown],
        pool: vec![Pooled {
            memory: shown,
            words: 0.7,
            table: 0.2,
            model: 0.0,
            graph: 0.1,
            rest: 0.05,
            scale: 1.0,
        }],
        used: Vec::new(),
        settled_at: None,
        confidence: Confidence::clamped(0.5),
        session,
        at,
    }
}

/// A recall is found by its name, written once, and told what became of it.
async fn check_settled(store: &dyn Store, shown: MemoryId, steps: &mut Steps) {
    let recalls: Vec<RecallLogged> = (0..3).map(|minutes| asked(shown, minutes)).collect();
    store.log_recalls(recalls.clone()).await.unwrap();
    assert_eq!(store.find_recall(recalls[1].id).await.unwrap().as_ref(), Some(&recalls[1]));
    let stranger = RecallId::from_ulid(steps.occasion().operation.ulid());
    assert_eq!(store.find_recall(stranger).await.unwrap(), None);
    assert_eq!(store.recalls_since(asked_at(1), 9).await.unwrap(), recalls[1..]);
    assert_eq!(store.recalls_since(asked_at(0), 2).await.unwrap(), recalls[1..], "the latest, in order");
    let (own, other) = (SessionId::named("a chat"), SessionId::named("another"));
    assert_eq!(store.recalls_in(own, asked_at(1), 9).await.unwrap(), recalls[1..]);
    assert_eq!(store.recalls_in(own, asked_at(0), 2).await.unwrap(), recalls[1..], "the latest, in order");
    assert_eq!(store.recalls_in(other, asked_at(0), 9).await.unwrap(), []);

    let settle = |recall, used: &[MemoryId], minutes| RecallSettled {
        recall,
        used: used.to_vec(),
        at: asked_at(minutes),
    };
    let of_nobody = settle(stranger, &[shown], 5);
    store.settle_recalls(vec![settle(recalls[1].id, &[], 5), of_nobody]).await.unwrap();
    store.settle_recalls(vec![settle(recalls[1].id, &[shown], 6)]).await.unwrap();
    let settled = RecallLogged {
        results_used: 1,
        used: vec![shown],
        settled_at: Some(asked_at(6)),
        ..recalls[1].clone()
    };
    assert_eq!(store.find_recall(recalls[1].id).await.unwrap().as_ref(), Some(&settled));
    assert_eq!(store.find_recall(stranger).await.unwrap(), None);

    // Written a second time, it stays what it has become.
    store.log_recalls(recalls.clone()).await.unwrap();
    assert_eq!(store.recalls_since(asked_at(0), 9).await.unwrap().len(), 3);
    assert_eq!(store.find_recall(recalls[1].id).await.unwrap(), Some(settled));
    check_rated(store, &recalls[2], steps).await;
}

/// What somebody says of an answer is taken back with the operation, and what
/// was found out meanwhile stays.
async fn check_rated(store: &dyn Store, recall: &RecallLogged, steps: &mut Steps) {
    let shown = recall.shown[0];
    let usage = Usage { recall: Some(recall.id), ..Usage::told(shown, Outcome::Failure, asked_at(4)) };
    let rating = rating_of(recall, Feedback::PartiallyHelpful, &[shown], asked_at(4)).unwrap();
    let writes =
        vec![Write::Rate { rating: Box::new(rating) }, Write::Record { usage: Box::new(usage.clone()) }];
    let said = Changes { cause: Cause::Outcome, writes, ..steps.remember("x", Scope::Project) };
    let rated = RecallLogged {
        results_used: 1,
        used: vec![shown],
        user_feedback: Some(Feedback::PartiallyHelpful),
        settled_at: Some(asked_at(4)),
        ..recall.clone()
    };
    store.commit(said.clone(), Vec::new()).await.unwrap();
    assert_eq!(store.find_recall(recall.id).await.unwrap().as_ref(), Some(&rated));
    assert_eq!(store.usage_of(shown).await.unwrap(), std::slice::from_ref(&usage));
    let mut take_back = async |operation| {
        let entry = store.find_operation(operation).await.unwrap().unwrap();
        let undo = plan_undo(&entry, &Default::default(), steps.occasion()).unwrap();
        store.commit(undo.clone(), Vec::new()).await.unwrap();
        undo.operation
    };
    let undo = take_back(said.operation).await;
    assert_eq!(store.find_recall(recall.id).await.unwrap().as_ref(), Some(recall));
    assert_eq!(store.usage_of(shown).await.unwrap(), []);
    take_back(undo).await;
    assert_eq!(store.find_recall(recall.id).await.unwrap().as_ref(), Some(&rated));
    assert_eq!(store.usage_of(shown).await.unwrap(), [usage]);

    let (used, at) = (vec![shown, steps.occasion().operation.newborn()], asked_at(6));
    let seen = RecallSettled { recall: recall.id, used: used.clone(), at };
    store.settle_recalls(vec![seen]).await.unwrap();
    let entry = store.find_operation(said.operation).await.unwrap().unwrap();
    let undo = plan_undo(&entry, &Default::default(), steps.occasion()).unwrap();
    store.commit(undo, Vec::new()).await.unwrap();
    let left =
        RecallLogged { results_used: 1, used: used[1..].to_vec(), settled_at: Some(at), ..recall.clone() };
    assert_eq!(store.find_recall(recall.id).await.unwrap(), Some(left));
    assert_eq!(store.usage_of(shown).await.unwrap(), []);
}

/// Evidence is bookkeeping: no operation, no revision, and each sign once.
async fn check_evidence(store: &dyn Store, memory: &Memory, steps: &mut Steps) {
    let operations = store.latest_operations(1000).await.unwrap().len();
    let usage = |source, outcome, minutes| Usage {
        source,
        recall: Some(asked(memory.id, 1).id),
        session: Some(SessionId::named("a chat")),
        note: Some("cargo test passed".to_owned()),
        ..Usage::told(memory.id, outcome, asked_at(minutes))
    };
    let checked = usage(EvidenceSource::Check, Outcome::Success, 8);
    let reused = usage(EvidenceSource::Reuse, Outcome::Success, 8);
    let corrected = usage(EvidenceSource::Correction, Outcome::Failure, 7);
    let judged = Memory { utility: Utility::clamped(0.625), ..memory.clone() };
    // Whatever else the judge has in hand is not written with it.
    let with_more = Memory { content: "something else".to_owned(), revision: 9, ..judged.clone() };
    let gone = Memory { id: steps.occasion().operation.newborn(), ..judged.clone() };
    let signs = vec![reused.clone(), checked.clone(), corrected.clone()];
    store.record_evidence(signs, vec![with_more, gone.clone()]).await.unwrap();
    assert_eq!(one(store, memory.id).await, judged);
    assert!(store.load(vec![gone.id]).await.unwrap().is_empty());
    let all = [corrected.clone(), checked.clone(), reused.clone()];
    assert_eq!(store.usage_of(memory.id).await.unwrap(), all);
    let otherwise = Usage { outcome: Outcome::Failure, note: None, ..checked.clone() };
    store.record_evidence(vec![otherwise], Vec::new()).await.unwrap();
    assert_eq!(store.usage_of(memory.id).await.unwrap(), all);
    assert_eq!(store.usages_since(asked_at(7)).await.unwrap(), all);
    assert_eq!(store.usages_since(asked_at(8)).await.unwrap(), all[1..]);
    assert_eq!(store.latest_operations(1000).await.unwrap().len(), operations);
}

/// What was learned is changed, reset and put back, and every step is told.
async fn check_learned(store: &dyn Store, scope: Scope, steps: &mut Steps) {
    let shares = |words: f64| {
        let parts = [("words", words), ("table", 1.0 - words)];
        Shares::new(parts.map(|(word, share)| (word.to_owned(), Share::clamped(share))).into()).unwrap()
    };
    let row = |subject, query_type, words, reason: &str| Learned {
        key: LearnedKey { subject, query_type, with_model: true },
        shares: shares(words),
        votes: 31,
        updates: 2,
        still: 1,
        reason: reason.to_owned(),
        updated_at: asked_at(9),
    };
    let how_to = Some(QueryType::HowTo);
    let first = row(Subject::Arms, how_to, 0.625, "31 votes");
    let second = row(Subject::Arms, how_to, 1.0, "40 votes");
    let others = [row(Subject::Arms, None, 0.5, "all"), row(Subject::Eviction, None, 0.25, "kept")];
    let learn = |before: Option<&Learned>, after: Option<&Learned>| Write::Learn {
        before: before.cloned().map(Box::new),
        after: after.cloned().map(Box::new),
    };
    let mut commit = async |cause, writes: Vec<Write>| {
        let changes = Changes { cause, writes, ..steps.remember("x", scope) };
        store.commit(changes.clone(), Vec::new()).await.unwrap();
        changes
    };
    let all = vec![learn(None, Some(&first)), learn(None, Some(&others[0])), learn(None, Some(&others[1]))];
    commit(Cause::Learn, all).await;
    let kept = [others[0].clone(), first.clone(), others[1].clone()];
    assert_eq!(store.load_learned().await.unwrap(), kept);
    assert_eq!(store.weight_history(9).await.unwrap().len(), 3);
    let moved = commit(Cause::Learn, vec![learn(Some(&first), Some(&second))]).await;
    let told = WeightChange {
        key: first.key,
        before: Some(first.shares.clone()),
        after: Some(second.shares.clone()),
        reason: "40 votes".to_owned(),
        at: moved.at,
    };
    assert_eq!(store.weight_history(1).await.unwrap(), [told]);
    let reset = commit(Cause::Learn, vec![learn(Some(&second), None)]).await;
    assert_eq!(store.load_learned().await.unwrap(), others);

    let entry = store.find_operation(reset.operation).await.unwrap().unwrap();
    assert!(entry.memories.is_empty());
    let undo = plan_undo(&entry, &Default::default(), steps.occasion()).unwrap();
    store.commit(undo.clone(), Vec::new()).await.unwrap();
    assert_eq!(store.load_learned().await.unwrap(), [others[0].clone(), second, others[1].clone()]);
    let told: Vec<(String, Timestamp)> =
        store.weight_history(2).await.unwrap().into_iter().map(|it| (it.reason, it.at)).collect();
    assert_eq!(told, [("taken back".to_owned(), undo.at), ("reset".to_owned(), reset.at)]);
}

/// What evolved, what was seen and each reflection come back as they went, and
/// lose the words of what is purged.
async fn check_notes(store: &dyn Store, memory: &Memory, steps: &mut Steps) {
    let operation = steps.occasion().operation;
    let evolved = |number, made| EvolutionLogged {
        operation,
        number,
        action: Evolving::Refined,
        node: memory.id,
        made,
        reason: "blorb failed in 8 of 10".to_owned(),
        actor: Actor::Assistant,
        at: asked_at(i64::from(number)),
    };
    let logged = [evolved(0, None), evolved(1, Some(memory.id))];
    let insight = |insight: InsightType, subject: &str, evidence: String| Insight {
        id: format!("{insight}:{subject}"),
        insight,
        subject: subject.to_owned(),
        description: format!("{subject} was seen"),
        evidence: vec![evidence],
        action_taken: Some("told".to_owned()),
        proposal: Some(Proposal {
            setting: "decay.model".to_owned(),
            value: "fsrs6".to_owned(),
            why: "it keeps more".to_owned(),
        }),
        created_at: asked_at(0),
        last_seen_at: asked_at(1),
        closed_at: None,
    };
    let of_memory = insight(InsightType::DecayAnomaly, "blorb: early", memory.id.to_string());
    let of_recall = insight(InsightType::MemoryGap, "blorb's key", asked(memory.id, 2).id.to_string());
    let plain = Insight {
        evidence: Vec::new(),
        action_taken: None,
        proposal: None,
        ..insight(InsightType::RetrievalPattern, "words", String::new())
    };
    let closed = Insight { closed_at: Some(asked_at(2)), ..plain.clone() };
    let reflected = ReflectionLogged {
        dream: operation,
        triggered_by: DreamTrigger::Updates,
        session_count_at: 20,
        insights_generated: 3,
        entities_merged: 1,
        edges_pruned: 2,
        memories_archived: 4,
        duration_ms: 1_234,
        at: asked_at(3),
    };
    let mut notes: Vec<Note> = logged.iter().cloned().map(Note::Evolved).collect();
    notes.extend([&of_memory, &of_recall, &plain, &closed].map(|insight| Note::Insight(insight.clone())));
    notes.push(Note::Reflected(reflected.clone()));
    let writes = notes.into_iter().map(|note| Write::Note { note: Box::new(note) }).collect();
    let changes = Changes { cause: Cause::Evolve, writes, ..steps.remember("x", memory.scope) };
    store.commit(changes, Vec::new()).await.unwrap();
    assert_eq!(store.latest_evolved(asked_at(0)).await.unwrap(), [logged[1].clone(), logged[0].clone()]);
    assert_eq!(store.latest_evolved(asked_at(1)).await.unwrap(), [logged[1].clone()]);
    assert_eq!(store.evolved_by(operation).await.unwrap(), logged);
    assert_eq!(store.evolved_by(steps.occasion().operation).await.unwrap(), []);
    // What is seen again is the same insight.
    assert_eq!(store.load_insights().await.unwrap(), [of_memory, of_recall, closed.clone()]);
    assert_eq!(store.latest_reflections(9).await.unwrap(), [reflected]);

    // The logs are kept for as long as the law says, and no longer.
    let day = |days: i64| asked_at(0) + Span::from_hours(24 * days);
    assert!(
        store.tidy_logs(logs_kept_from(day(40), &RetainRules::default())).await.unwrap() > 0,
        "those of the winter are gone"
    );
    let pools = async || {
        let recalls = store.recalls_since(asked_at(0), 9).await.unwrap();
        recalls.iter().map(|recall| recall.pool.len()).collect::<Vec<_>>()
    };
    assert_eq!(pools().await, [1, 1, 1]);
    assert_eq!(store.tidy_logs(logs_kept_from(day(50), &RetainRules::default())).await.unwrap(), 0);
    assert_eq!(pools().await, [0, 0, 0]);
    assert_eq!(store.load_insights().await.unwrap().len(), 3);

    let now = current(store, &[memory.id]).await.remove(&memory.id).unwrap();
    store.commit(plan_purge(&[now], steps.occasion()).unwrap(), Vec::new()).await.unwrap();
    assert_eq!(store.load_insights().await.unwrap(), std::slice::from_ref(&closed));
    assert!(store.latest_evolved(asked_at(0)).await.unwrap().iter().all(|logged| logged.reason == PURGED));
    assert!(store.usage_of(memory.id).await.unwrap().iter().all(|usage| usage.note.is_none()));

    let history = store.weight_history(99).await.unwrap();
    assert_eq!(history.len(), 6);
    assert_eq!(store.tidy_logs(logs_kept_from(day(4_000), &RetainRules::default())).await.unwrap(), 3);
    assert_eq!(store.load_insights().await.unwrap(), []);
    assert_eq!(store.weight_history(99).await.unwrap(), []);
}
