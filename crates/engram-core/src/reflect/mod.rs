//! Reflection: what the memory has to tell of itself (S0 7).
//!
//! An insight is no memory; it tells of them, with its evidence and what was
//! done about it. No setting is changed here, only proposed. When to reflect,
//! and who is told, is not known here.

mod decay;
mod gaps;
mod hubs;
mod patterns;

#[cfg(test)]
mod tests;

pub use decay::decay_anomalies;
pub use gaps::{gap_to_ask, gaps, request_of};
pub use hubs::{associations, hubs, signals};
pub use patterns::{noise_told, patterns};

use crate::dream::DreamTrigger;
use crate::id::OperationId;
use crate::words::words;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

words! {
    /// What an insight is about (S0 7.3).
    pub enum InsightType ("insight type") {
        /// Which arm finds what is then used.
        RetrievalPattern = "retrieval_pattern",
        /// What is asked often and answered never.
        MemoryGap = "memory_gap",
        /// Many memories about one thing.
        ConsolidationSignal = "consolidation_signal",
        /// What was put away too early.
        DecayAnomaly = "decay_anomaly",
        /// What everything is tied to, and what is used together.
        GraphInsight = "graph_insight",
    }
}

/// One thing that the memory has to tell of itself. Seen again it is the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Insight {
    /// Its type and its subject.
    pub id: String,
    pub insight: InsightType,
    pub subject: String,
    pub description: String,
    /// Identifiers of memories, recalls and things with a name.
    pub evidence: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_taken: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposal>,
    pub created_at: Timestamp,
    pub last_seen_at: Timestamp,
    /// It is no longer so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closed_at: Option<Timestamp>,
}

impl Insight {
    /// One that is seen at `at`, for the first time as far as is known here.
    pub(crate) fn seen(
        insight: InsightType,
        subject: String,
        description: String,
        evidence: Vec<String>,
        at: Timestamp,
    ) -> Self {
        Self {
            id: format!("{insight}:{subject}"),
            insight,
            subject,
            description,
            evidence,
            action_taken: None,
            proposal: None,
            created_at: at,
            last_seen_at: at,
            closed_at: None,
        }
    }

    pub fn is_open(&self) -> bool {
        self.closed_at.is_none()
    }

    /// Whether both tell the same. When each was seen does not matter.
    fn tells_as(&self, other: &Insight) -> bool {
        let told = |it: &Insight| (it.description.clone(), it.evidence.clone(), it.proposal.clone());
        told(self) == told(other)
    }
}

/// What a reflection makes of the insights there are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reckoning {
    /// Rows to be written.
    pub rows: Vec<Insight>,
    /// Those of them that are new, or are so again.
    pub new: Vec<String>,
    /// Those of them that are no longer so.
    pub closed: Vec<String>,
}

/// A row that tells what it told is written again once a day, for when it was
/// last seen: whoever reflects twice in a row has nothing to write.
const SEEN_EVERY: SignedDuration = SignedDuration::from_hours(24);

/// Holds what is seen at `at` against what was seen before. What is seen again
/// is the same insight with its first moment and with what was done about it;
/// what is open and not seen any more is closed.
pub fn reckoned(known: &[Insight], seen: Vec<Insight>, at: Timestamp) -> Reckoning {
    let mut reckoning = Reckoning::default();
    let gone = known.iter().filter(|old| old.is_open() && !seen.iter().any(|it| it.id == old.id));
    for old in gone {
        reckoning.closed.push(old.id.clone());
        reckoning.rows.push(Insight { closed_at: Some(at), ..old.clone() });
    }
    for mut insight in seen {
        match known.iter().find(|old| old.id == insight.id) {
            Some(old) => {
                insight.created_at = old.created_at;
                insight.action_taken = insight.action_taken.or_else(|| old.action_taken.clone());
                let fresh = at.duration_since(old.last_seen_at) < SEEN_EVERY;
                let acted = insight.action_taken != old.action_taken;
                if old.is_open() && fresh && !acted && old.tells_as(&insight) {
                    continue;
                }
                if !old.is_open() {
                    reckoning.new.push(insight.id.clone());
                }
            }
            None => reckoning.new.push(insight.id.clone()),
        }
        reckoning.rows.push(insight);
    }
    reckoning
}

/// A setting that somebody could change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proposal {
    pub setting: String,
    pub value: String,
    pub why: String,
}

/// One reflection and what came of it (S0 7.1). What was merged, pruned and put
/// away is counted since the one before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReflectionLogged {
    pub dream: OperationId,
    pub triggered_by: DreamTrigger,
    /// How many sessions there had been.
    pub session_count_at: u64,
    /// Those that are new, or are so again.
    pub insights_generated: u32,
    /// Pairs of names that somebody said were one thing's.
    pub entities_merged: u32,
    /// Bonds between things that ended.
    pub edges_pruned: u32,
    pub memories_archived: u32,
    /// Of the whole dream, until its end. Zero: it has not ended.
    pub duration_ms: u64,
    pub at: Timestamp,
}
