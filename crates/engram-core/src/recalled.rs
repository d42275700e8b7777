//! What is kept of a recall: what was asked, how it was read, what was shown.
//!
//! What became of it (was it used, did it help) is added later; nothing here
//! learns from it.

use crate::ask::{Intent, QueryType};
use crate::id::{MemoryId, SessionId};
use crate::kind::Scope;
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
    /// What someone said of an answer.
    pub enum Feedback ("feedback") {
        Helpful = "helpful",
        NotHelpful = "not_helpful",
        PartiallyHelpful = "partially_helpful",
    }
}

/// One recall, as the log keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecallLogged {
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
    /// Best first.
    pub shown: Vec<MemoryId>,
    /// How sure the answer was of itself.
    pub confidence: Confidence,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    pub at: Timestamp,
}
