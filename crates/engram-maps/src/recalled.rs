//! What became of recalls and what was learned, in plain maps.

use crate::maps::Maps;
use engram_core::change::PURGED;
use engram_core::law::LogsKept;
use engram_core::learn::{Learned, WeightChange};
use engram_core::recalled::{Rating, RecallLogged, RecallSettled};
use engram_core::used::Usage;
use engram_core::{Cause, Memory, MemoryId, Timestamp};

impl Maps {
    pub(crate) fn log_recalls(&mut self, recalls: Vec<RecallLogged>) {
        for recall in recalls {
            self.recalls.entry(recall.id).or_insert(recall);
        }
    }

    pub(crate) fn recalls_since(
        &self,
        since: Timestamp,
        limit: usize,
        wanted: impl Fn(&RecallLogged) -> bool,
    ) -> Vec<RecallLogged> {
        let since = self.recalls.values().filter(|recall| recall.at >= since && wanted(recall));
        let mut latest: Vec<RecallLogged> = since.rev().take(limit).cloned().collect();
        latest.reverse();
        latest
    }

    pub(crate) fn settle(&mut self, settled: Vec<RecallSettled>) {
        for settled in settled {
            let Some(recall) = self.recalls.get_mut(&settled.recall) else { continue };
            recall.results_used = settled.used.len() as u32;
            recall.used = settled.used;
            recall.settled_at = Some(settled.at);
        }
    }

    /// The row of the same memory, moment and source gives way.
    pub(crate) fn record(&mut self, usage: Usage) {
        self.usages.retain(|known| !is_same(known, &usage));
        self.usages.push(usage);
        self.usages.sort_by_key(|usage| (usage.at, usage.memory, usage.source.as_str()));
    }

    pub(crate) fn unrecord(&mut self, usage: &Usage) {
        self.usages.retain(|known| !is_same(known, usage));
    }

    /// What was found out about the recall meanwhile stays.
    pub(crate) fn rate(&mut self, rating: &Rating) {
        let Some(recall) = self.recalls.get_mut(&rating.recall) else { return };
        let (added, dropped) = (rating.added(), rating.dropped());
        recall.user_feedback = rating.after.feedback;
        recall.used.retain(|id| !dropped.contains(id));
        for id in added {
            if !recall.used.contains(&id) {
                recall.used.push(id);
            }
        }
        recall.results_used = recall.used.len() as u32;
        if recall.settled_at == rating.before.settled_at {
            recall.settled_at = rating.after.settled_at;
        }
    }

    pub(crate) fn record_evidence(&mut self, usages: Vec<Usage>, judged: Vec<Memory>) {
        for usage in usages {
            if !self.usages.iter().any(|known| is_same(known, &usage)) {
                self.record(usage);
            }
        }
        for judged in judged {
            if let Some(memory) = self.memories.get_mut(&judged.id) {
                memory.utility = judged.utility;
            }
        }
    }

    pub(crate) fn learn(
        &mut self,
        before: Option<Box<Learned>>,
        after: Option<Box<Learned>>,
        cause: Cause,
        at: Timestamp,
    ) {
        self.weight_history.extend(WeightChange::of(before.as_deref(), after.as_deref(), cause, at));
        if let Some(before) = before {
            self.learned.remove(&before.key);
        }
        if let Some(after) = after {
            self.learned.insert(after.key, *after);
        }
    }

    pub(crate) fn scrub_recalls(&mut self, purged: &[MemoryId]) {
        for recall in self.recalls.values_mut() {
            if found_one_of(recall, purged) {
                PURGED.clone_into(&mut recall.query);
                recall.pool.clear();
            }
        }
    }

    pub(crate) fn scrub_evolved(&mut self, purged: &[MemoryId]) {
        let mut names: Vec<String> = purged.iter().map(ToString::to_string).collect();
        let found = self.recalls.values().filter(|recall| found_one_of(recall, purged));
        names.extend(found.map(|recall| recall.id.to_string()));
        self.insights.retain(|_, insight| !insight.evidence.iter().any(|named| names.contains(named)));
        for logged in self.evolved.values_mut() {
            if purged.contains(&logged.node) || logged.made.is_some_and(|made| purged.contains(&made)) {
                PURGED.clone_into(&mut logged.reason);
            }
        }
    }

    pub(crate) fn tidy(&mut self, kept: LogsKept) -> usize {
        let all = self.recalls.len();
        self.recalls.retain(|_, recall| recall.at >= kept.recalls);
        let old = self.recalls.values_mut().filter(|recall| recall.at < kept.pools);
        old.for_each(|recall| recall.pool.clear());
        self.weight_history.retain(|change| change.at >= kept.weights);
        self.insights.retain(|_, insight| insight.closed_at.is_none_or(|closed| closed >= kept.insights));
        all - self.recalls.len()
    }
}

/// Whether it was shown or not.
fn found_one_of(recall: &RecallLogged, memories: &[MemoryId]) -> bool {
    let pooled = recall.pool.iter().map(|pooled| &pooled.memory);
    recall.shown.iter().chain(&recall.used).chain(pooled).any(|id| memories.contains(id))
}

fn is_same(one: &Usage, other: &Usage) -> bool {
    (one.memory, one.at, one.source) == (other.memory, other.at, other.source)
}
