//! The store behind the port: whoever asks has the maps for himself for as long as
//! it takes.

use crate::maps::Maps;
use engram_core::change::PURGED;
use engram_core::decision::{Decision, Review};
use engram_core::dream::{
    Awaiting, ConsolidationLogged, ConsolidationRequest, CrossProjectPattern, Dream, Part,
};
use engram_core::erase::Sight;
use engram_core::evolve::EvolutionLogged;
use engram_core::graph::Bond;
use engram_core::law::LogsKept;
use engram_core::learn::{Learned, WeightChange};
use engram_core::link::{KnownEntity, Mention};
use engram_core::port::{CommitError, Histories, Pending, ReadError, Store};
use engram_core::recalled::{RecallLogged, RecallSettled};
use engram_core::reflect::{Insight, ReflectionLogged};
use engram_core::team::{Outgoing, Position, Waiting};
use engram_core::turn::Turn;
use engram_core::used::{Promotion, Usage};
use engram_core::{
    Cause, Changes, EntityId, Memory, MemoryId, Operation, OperationId, RecallId, Relation, Scope, SessionId,
    StoredVector, Timestamp, TurnId, Ulid,
};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard};

/// A store that is gone with its last handle. Nothing in it waits: what is asked is
/// answered before anybody else is heard.
#[derive(Default)]
pub struct MapStore {
    maps: Mutex<Maps>,
}

impl MapStore {
    /// One that takes no memory of another scope.
    pub fn of(scope: Scope) -> Self {
        Self { maps: Mutex::new(Maps { scope: Some(scope), ..Maps::default() }) }
    }

    fn maps(&self) -> MutexGuard<'_, Maps> {
        // Nothing that is done to them can fail half way: all of it is checked before.
        self.maps.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Everything in it that may be somebody's words.
    pub fn sight(&self) -> Sight {
        let maps = self.maps();
        let former = |operation: &Operation| serde_json::to_value(&operation.inverse).ok();
        Sight {
            memories: maps.memories.values().cloned().collect(),
            turns: maps.turns.values().cloned().collect(),
            log: maps.operations.values().filter_map(former).collect(),
            entities: maps.entities.values().cloned().collect(),
            mentions: maps.mentions.values().cloned().collect(),
            ..Sight::default()
        }
    }
}

/// Another store that holds the same.
impl Clone for MapStore {
    fn clone(&self) -> Self {
        Self { maps: Mutex::new(self.maps().clone()) }
    }
}

impl Store for MapStore {
    fn commit(&self, changes: Changes, vectors: Vec<StoredVector>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            let mut maps = self.maps();
            maps.check(&changes)?;
            maps.commit(changes);
            maps.keep(vectors);
            Ok(())
        })
    }

    fn record_use(&self, used: Vec<Memory>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move { self.maps().record_use(used) })
    }

    fn load(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Memory>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            Ok(ids.iter().filter_map(|id| maps.memories.get(id).cloned()).collect())
        })
    }

    fn scan<'a>(&'a self, take: &'a mut (dyn FnMut(Memory) + Send)) -> Pending<'a, Result<(), ReadError>> {
        Box::pin(async move {
            self.maps().memories.values().cloned().for_each(take);
            Ok(())
        })
    }

    fn keep_vectors(&self, vectors: Vec<StoredVector>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.maps().keep(vectors);
            Ok(())
        })
    }

    fn scan_vectors<'a>(
        &'a self,
        take: &'a mut (dyn FnMut(StoredVector) + Send),
    ) -> Pending<'a, Result<(), ReadError>> {
        Box::pin(async move {
            self.maps().vectors.values().cloned().for_each(take);
            Ok(())
        })
    }

    fn drop_vectors(&self, embedder: String) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.maps().vectors.retain(|(_, by), _| *by != embedder);
            Ok(())
        })
    }

    fn log_recalls(&self, recalls: Vec<RecallLogged>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.maps().log_recalls(recalls);
            Ok(())
        })
    }

    fn scrub(&self, purged: Vec<MemoryId>, evidence: Vec<TurnId>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            let mut maps = self.maps();
            maps.scrub_heard(&purged, &evidence);
            maps.scrub_evolved(&purged);
            maps.scrub_recalls(&purged);
            maps.scrub_outbox(&purged);
            Ok(())
        })
    }

    fn recalls_before(
        &self,
        before: Option<RecallId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            let found = maps.recalls.values().rev().filter(|recall| before.is_none_or(|id| recall.id < id));
            Ok(found.take(limit).cloned().collect())
        })
    }

    fn find_recall(&self, id: RecallId) -> Pending<'_, Result<Option<RecallLogged>, ReadError>> {
        Box::pin(async move { Ok(self.maps().recalls.get(&id).cloned()) })
    }

    fn recalls_since(
        &self,
        since: Timestamp,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>> {
        Box::pin(async move { Ok(self.maps().recalls_since(since, limit, |_| true)) })
    }

    fn recalls_in(
        &self,
        session: SessionId,
        since: Timestamp,
        limit: usize,
    ) -> Pending<'_, Result<Vec<RecallLogged>, ReadError>> {
        let own = move |recall: &RecallLogged| recall.session == Some(session);
        Box::pin(async move { Ok(self.maps().recalls_since(since, limit, own)) })
    }

    fn settle_recalls(&self, settled: Vec<RecallSettled>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.maps().settle(settled);
            Ok(())
        })
    }

    fn record_evidence(
        &self,
        usages: Vec<Usage>,
        judged: Vec<Memory>,
    ) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            self.maps().record_evidence(usages, judged);
            Ok(())
        })
    }

    fn usages_since(&self, since: Timestamp) -> Pending<'_, Result<Vec<Usage>, ReadError>> {
        Box::pin(
            async move { Ok(self.maps().usages.iter().filter(|usage| usage.at >= since).cloned().collect()) },
        )
    }

    fn load_learned(&self) -> Pending<'_, Result<Vec<Learned>, ReadError>> {
        Box::pin(async move { Ok(self.maps().learned.values().cloned().collect()) })
    }

    fn weight_history(&self, limit: usize) -> Pending<'_, Result<Vec<WeightChange>, ReadError>> {
        Box::pin(async move { Ok(self.maps().weight_history.iter().rev().take(limit).cloned().collect()) })
    }

    fn latest_evolved(&self, since: Timestamp) -> Pending<'_, Result<Vec<EvolutionLogged>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            Ok(maps.evolved.values().rev().filter(|logged| logged.at >= since).cloned().collect())
        })
    }

    fn evolved_by(&self, operation: OperationId) -> Pending<'_, Result<Vec<EvolutionLogged>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            let rows = maps.evolved.range((operation, 0)..=(operation, u32::MAX));
            Ok(rows.map(|(_, logged)| logged.clone()).collect())
        })
    }

    fn load_insights(&self) -> Pending<'_, Result<Vec<Insight>, ReadError>> {
        Box::pin(async move { Ok(self.maps().insights.values().cloned().collect()) })
    }

    fn latest_reflections(&self, limit: usize) -> Pending<'_, Result<Vec<ReflectionLogged>, ReadError>> {
        Box::pin(async move { Ok(self.maps().reflections.values().rev().take(limit).cloned().collect()) })
    }

    fn load_page(
        &self,
        after: Option<MemoryId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Memory>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            let later = |memory: &&Memory| after.is_none_or(|after| memory.id > after);
            Ok(maps.memories.values().filter(later).take(limit).cloned().collect())
        })
    }

    fn load_history(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Histories, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            Ok(ids.into_iter().map(|id| (id, maps.history.get(&id).cloned().unwrap_or_default())).collect())
        })
    }

    fn load_relations(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Relation>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            let touches = |edge: &&Relation| ids.contains(&edge.from) || ids.contains(&edge.to);
            let mut found: Vec<Relation> = maps.relations.values().filter(touches).cloned().collect();
            found.sort();
            Ok(found)
        })
    }

    fn load_edges(&self) -> Pending<'_, Result<Vec<Relation>, ReadError>> {
        Box::pin(async move { Ok(self.maps().relations.values().cloned().collect()) })
    }

    fn load_turns(&self, ids: Vec<TurnId>) -> Pending<'_, Result<Vec<Turn>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            let ids: BTreeSet<TurnId> = ids.into_iter().collect();
            Ok(ids.iter().filter_map(|id| maps.turns.get(id)).cloned().collect())
        })
    }

    fn worded_turns_before(&self, moment: Timestamp) -> Pending<'_, Result<Vec<TurnId>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            let worded = |turn: &&Turn| {
                turn.said_at < moment && turn.content != PURGED && !maps.unread.contains(&turn.id)
            };
            Ok(maps.turns.values().filter(worded).map(|turn| turn.id).collect())
        })
    }

    fn unread_turns(&self) -> Pending<'_, Result<Vec<Turn>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            Ok(maps.unread.iter().filter_map(|id| maps.turns.get(id)).cloned().collect())
        })
    }

    fn latest_turns(
        &self,
        session: Option<SessionId>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Turn>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            let mut turns: Vec<&Turn> = maps.turns.values().filter(|turn| turn.session == session).collect();
            turns.sort_by_key(|turn| std::cmp::Reverse(turn.turn_number));
            Ok(turns.into_iter().take(limit).cloned().collect())
        })
    }

    fn promotions_from(&self, session: SessionId) -> Pending<'_, Result<Vec<Promotion>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            let from = maps.promotions.values().filter(|promotion| promotion.session == Some(session));
            let mut from: Vec<Promotion> = from.cloned().collect();
            from.sort_by_key(|promotion| promotion.at);
            Ok(from)
        })
    }

    fn usage_of(&self, id: MemoryId) -> Pending<'_, Result<Vec<Usage>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            Ok(maps.usages.iter().filter(|usage| usage.memory == id).cloned().collect())
        })
    }

    fn decisions_on(&self, id: MemoryId) -> Pending<'_, Result<Vec<Decision>, ReadError>> {
        Box::pin(async move {
            let about = |decision: &&Decision| decision.memory == Some(id) || decision.other == Some(id);
            let mut found: Vec<Decision> = self.maps().decisions.values().filter(about).cloned().collect();
            found.sort_by_key(|decision| (decision.at, decision.turn, decision.number));
            Ok(found)
        })
    }

    fn load_reviews(&self) -> Pending<'_, Result<Vec<Review>, ReadError>> {
        Box::pin(async move { Ok(self.maps().reviews.values().cloned().collect()) })
    }

    fn load_entities(&self) -> Pending<'_, Result<Vec<KnownEntity>, ReadError>> {
        Box::pin(async move { Ok(self.maps().entities.values().cloned().collect()) })
    }

    fn load_mentions(&self, ids: Vec<MemoryId>) -> Pending<'_, Result<Vec<Mention>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            let first = EntityId::from_ulid(Ulid(0));
            let of = |id: MemoryId| {
                let from = maps.mentions.range((id, first)..);
                from.take_while(move |((memory, _), _)| *memory == id).map(|(_, mention)| mention.clone())
            };
            Ok(ids.into_iter().flat_map(of).collect())
        })
    }

    fn all_mentions(&self) -> Pending<'_, Result<Vec<Mention>, ReadError>> {
        Box::pin(async move { Ok(self.maps().mentions.values().cloned().collect()) })
    }

    fn load_bonds(&self) -> Pending<'_, Result<Vec<Bond>, ReadError>> {
        Box::pin(async move { Ok(self.maps().bonds.clone()) })
    }

    fn keep_plan(&self, dream: Dream, parts: Vec<Part>) -> Pending<'_, Result<(), CommitError>> {
        Box::pin(async move {
            let mut maps = self.maps();
            // What a plan that was cut short left behind goes before the next.
            maps.parts.clear();
            maps.parts.extend(parts.into_iter().map(|part| ((dream.id, part.number), part)));
            maps.dreams.insert(dream.id, dream);
            Ok(())
        })
    }

    fn next_part(&self, dream: OperationId) -> Pending<'_, Result<Option<Part>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            let mut parts = maps.parts.range((dream, 0)..=(dream, u32::MAX));
            Ok(parts.next().map(|(_, part)| part.clone()))
        })
    }

    fn latest_dreams(&self, limit: usize) -> Pending<'_, Result<Vec<Dream>, ReadError>> {
        Box::pin(async move {
            let mut dreams: Vec<Dream> = self.maps().dreams.values().rev().cloned().collect();
            dreams.sort_by_key(|dream| dream.finished_at.is_some());
            dreams.truncate(limit);
            Ok(dreams)
        })
    }

    fn parts_done(&self, whole: OperationId) -> Pending<'_, Result<Vec<Operation>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            Ok(maps.operations.values().filter(|op| op.part_of == Some(whole)).cloned().collect())
        })
    }

    fn awaiting(&self) -> Pending<'_, Result<Vec<Awaiting>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            let waits = maps.awaiting.values().filter(|waiting| waiting.done_at.is_none());
            let mut waits: Vec<Awaiting> = waits.cloned().collect();
            waits.sort_by_key(|waiting| (waiting.queued_at, waiting.summary));
            Ok(waits)
        })
    }

    fn latest_consolidations(
        &self,
        limit: usize,
    ) -> Pending<'_, Result<Vec<ConsolidationLogged>, ReadError>> {
        Box::pin(async move { Ok(self.maps().consolidations.values().rev().take(limit).cloned().collect()) })
    }

    fn load_requests(&self) -> Pending<'_, Result<Vec<ConsolidationRequest>, ReadError>> {
        Box::pin(async move { Ok(self.maps().requests.values().cloned().collect()) })
    }

    fn load_patterns(&self) -> Pending<'_, Result<Vec<CrossProjectPattern>, ReadError>> {
        Box::pin(async move { Ok(self.maps().patterns.values().cloned().collect()) })
    }

    fn tidy_logs(&self, kept: LogsKept) -> Pending<'_, Result<usize, CommitError>> {
        Box::pin(async move { Ok(self.maps().tidy(kept)) })
    }

    fn outgoing(&self, limit: usize) -> Pending<'_, Result<Vec<Outgoing>, ReadError>> {
        Box::pin(async move { Ok(self.maps().outbox.values().take(limit).cloned().collect()) })
    }

    fn waiting(&self) -> Pending<'_, Result<Vec<Waiting>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            let waits = maps.outbox.values().filter(|line| line.refused_at.is_none());
            Ok(waits.map(|line| Waiting { operation: line.operation, newborn: line.awaited() }).collect())
        })
    }

    fn find_outgoing(&self, operation: OperationId) -> Pending<'_, Result<Option<Outgoing>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            Ok(maps.places.get(&operation).and_then(|place| maps.outbox.get(place)).cloned())
        })
    }

    fn count_outgoing(&self) -> Pending<'_, Result<usize, ReadError>> {
        Box::pin(async move { Ok(self.maps().outbox.len()) })
    }

    fn heard(&self) -> Pending<'_, Result<Option<Position>, ReadError>> {
        Box::pin(async move { Ok(self.maps().heard) })
    }

    fn held_most(&self) -> Pending<'_, Result<Option<usize>, ReadError>> {
        Box::pin(async move { Ok(self.maps().held_most) })
    }

    fn find_operation(&self, id: OperationId) -> Pending<'_, Result<Option<Operation>, ReadError>> {
        Box::pin(async move { Ok(self.maps().operations.get(&id).cloned()) })
    }

    fn operations_before(
        &self,
        before: Option<OperationId>,
        causes: Vec<Cause>,
        limit: usize,
    ) -> Pending<'_, Result<Vec<Operation>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            let wanted = |operation: &&Operation| {
                operation.part_of.is_none()
                    && before.is_none_or(|before| operation.id < before)
                    && (causes.is_empty() || causes.contains(&operation.cause))
            };
            Ok(maps.operations.values().rev().filter(wanted).take(limit).cloned().collect())
        })
    }

    fn operations_on(&self, id: MemoryId) -> Pending<'_, Result<Vec<Operation>, ReadError>> {
        Box::pin(async move {
            let maps = self.maps();
            Ok(maps.operations.values().filter(|op| op.memories.contains(&id)).cloned().collect())
        })
    }
}
