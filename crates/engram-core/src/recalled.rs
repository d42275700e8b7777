//! What is kept of a recall: what was asked, how it was read, what was shown,
//! and what each arm said of what might have been.
//!
//! What became of it (was it used, did it help) is added later; nothing here
//! judges that or learns from it.

use crate::ask::{Intent, QueryType};
use crate::id::{MemoryId, RecallId, SessionId};
use crate::kind::Scope;
use crate::learn::ArmWeights;
use crate::rank::{Ranked, Signal};
use crate::unit::Confidence;
use crate::words::words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

words! {
    /// Which arms of the search had a part in an answer.
    pub enum Strategy ("strategy") {
        Vector = "vector",
        Keyword = "keyword",
        Hybrid = "hybrid",
        Graph = "graph",
        GraphVector = "graph_vector",
    }
}

words! {
    /// Where an answer was put before somebody.
    pub enum Surface ("surface") {
        /// Somebody searched.
        Search = "search",
        /// Beside what the user asked an agent.
        Prompt = "prompt",
        /// At the start of a session, before anybody asked.
        SessionStart = "session_start",
        /// Beside a command that an agent is about to run.
        Command = "command",
        /// An agent called a tool.
        Tool = "tool",
    }
}

words! {
    /// A way in which memories are found. The seed's `vector` is two of them
    /// here (S0 6.2).
    pub enum Arm ("arm") {
        Words = "words",
        /// By direction, as the built-in table gives it.
        Table = "table",
        /// The same, by the model that was chosen.
        Model = "model",
        Graph = "graph",
    }
}

words! {
    /// What someone said of an answer.
    pub enum Feedback ("feedback") {
        Helpful = "helpful",
        NotHelpful = "not_helpful",
        PartiallyHelpful = "partially_helpful",
    }
}

/// One recall, as the log keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecallLogged {
    /// All zeros where a program that gave recalls no names tells of one.
    #[serde(default = "unnamed")]
    pub id: RecallId,
    /// What is older than this field counts as searched for.
    #[serde(default = "searched")]
    pub via: Surface,
    pub query: String,
    pub query_type: QueryType,
    pub intent: Intent,
    pub strategy: Strategy,
    pub results_returned: u32,
    pub results_used: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_feedback: Option<Feedback>,
    pub latency_ms: f64,
    /// The scopes that were searched.
    pub scopes: Vec<Scope>,
    /// Whether a model's directions had a part in it, beside the table's.
    #[serde(default)]
    pub with_model: bool,
    /// Best first.
    pub shown: Vec<MemoryId>,
    /// The first of the ranking, best first, whether shown or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pool: Vec<Pooled>,
    /// Those that were taken up afterwards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<MemoryId>,
    /// When it was judged what became of it. None: nobody did yet, and `used`
    /// tells nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<Timestamp>,
    /// How sure the answer was of itself.
    pub confidence: Confidence,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    pub at: Timestamp,
}

fn unnamed() -> RecallId {
    RecallId::from_ulid(ulid::Ulid(0))
}

fn searched() -> Surface {
    Surface::Search
}

/// What became of a recall, as far as it was seen. What somebody said of it
/// stays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecallSettled {
    pub recall: RecallId,
    pub used: Vec<MemoryId>,
    pub at: Timestamp,
}

/// What somebody says of an answer, and what the log said before. What is found
/// out about the same answer in between stays when it is taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rating {
    pub recall: RecallId,
    pub before: Judged,
    pub after: Judged,
}

/// What the log tells of what became of a recall.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<Feedback>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<MemoryId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<Timestamp>,
}

impl Judged {
    pub fn of(recall: &RecallLogged) -> Self {
        let RecallLogged { user_feedback, used, settled_at, .. } = recall;
        Self { feedback: *user_feedback, used: used.clone(), settled_at: *settled_at }
    }
}

impl Rating {
    /// What takes it back.
    pub fn reversed(&self) -> Self {
        Self { recall: self.recall, before: self.after.clone(), after: self.before.clone() }
    }

    /// Those that count as taken up because of it.
    pub fn added(&self) -> Vec<MemoryId> {
        self.after.used.iter().filter(|id| !self.before.used.contains(id)).copied().collect()
    }

    /// Those that no longer do.
    pub fn dropped(&self) -> Vec<MemoryId> {
        self.before.used.iter().filter(|id| !self.after.used.contains(id)).copied().collect()
    }
}

/// What each arm said of one candidate, before any weight: enough to rank it
/// again.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pooled {
    pub memory: MemoryId,
    pub words: f32,
    pub table: f32,
    pub model: f32,
    pub graph: f32,
    /// All else that was added.
    pub rest: f32,
    /// What the sum is multiplied by: the weight of the scope.
    pub scale: f32,
}

impl Pooled {
    /// An arm whose weight was zero left no factor, and so no value.
    pub fn of(ranked: &Ranked) -> Self {
        let mut pooled = Self {
            memory: ranked.id,
            words: 0.0,
            table: 0.0,
            model: 0.0,
            graph: 0.0,
            rest: 0.0,
            scale: ranked.scope_weight as f32,
        };
        for factor in &ranked.factors {
            match factor.signal {
                Signal::Words => pooled.words = factor.value as f32,
                Signal::Table => pooled.table = factor.value as f32,
                Signal::Model => pooled.model = factor.value as f32,
                Signal::Graph => pooled.graph = factor.value as f32,
                _ => pooled.rest += factor.adds as f32,
            }
        }
        pooled
    }

    pub fn value(&self, arm: Arm) -> f64 {
        f64::from(match arm {
            Arm::Words => self.words,
            Arm::Table => self.table,
            Arm::Model => self.model,
            Arm::Graph => self.graph,
        })
    }

    /// What its score would have been with these weights of the arms.
    pub fn score(&self, weights: &ArmWeights) -> f64 {
        let arms: f64 = Arm::ALL.iter().map(|arm| self.value(*arm) * weights.of_arm(*arm)).sum();
        (arms + f64::from(self.rest)) * f64::from(self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::{Factor, TextReason};

    fn ranked(factors: Vec<Factor>) -> Ranked {
        Ranked {
            id: MemoryId::from_ulid(ulid::Ulid(1)),
            scope: Scope::User,
            score: factors.iter().map(|factor| factor.adds).sum::<f64>() * 0.75,
            factors,
            text: TextReason::default(),
            scope_weight: 0.75,
            also_in: Vec::new(),
        }
    }

    fn factor(signal: Signal, value: f64, weight: f64) -> Factor {
        Factor { signal, value, weight, adds: value * weight }
    }

    #[test]
    fn with_the_weights_of_then_the_score_is_that_of_then() {
        let ranked = ranked(vec![
            factor(Signal::Words, 0.8, 0.5),
            factor(Signal::Table, 0.6, 0.4),
            factor(Signal::Graph, 0.25, 0.1),
            factor(Signal::Time, 1.0, 0.35),
            factor(Signal::Doubt, 1.0, -0.1),
        ]);
        let pooled = Pooled::of(&ranked);
        let then = ArmWeights { words: 0.5, table: 0.4, model: 0.0, graph: 0.1 };
        assert!((pooled.score(&then) - ranked.score).abs() < 1e-6);
        let words_alone = ArmWeights { words: 1.0, table: 0.0, model: 0.0, graph: 0.0 };
        assert!((pooled.score(&words_alone) - (0.8 + 0.25) * 0.75).abs() < 1e-6);
    }

    #[test]
    fn a_recall_from_before_it_had_a_name_can_be_read() {
        let told = r#"{"query": "q", "query_type": "general", "intent": "general", "strategy": "hybrid",
            "results_returned": 0, "results_used": 0, "latency_ms": 1.0, "scopes": ["user"], "shown": [],
            "confidence": 0.5, "at": "2026-02-03T04:05:06Z"}"#;
        let recall: RecallLogged = serde_json::from_str(told).unwrap();
        assert_eq!((recall.via, recall.with_model, recall.settled_at), (Surface::Search, false, None));
        assert_eq!(recall.id.ulid().0, 0);
    }
}
