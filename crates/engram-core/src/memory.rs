//! The memory: one record type at every scope.
//!
//! It keeps anchors (when it was last used, how stable it is) and deadlines
//! (`fades_at`); what has faded is computed when it is read, by `law`.

use crate::change::Actor;
use crate::id::{MemberId, MemoryId, ProjectKey, SessionId, TurnId};
use crate::kind::{Class, Kind, Scope, Tier};
use crate::observe::Emotion;
use crate::status::{Status, StatusChange};
use crate::unit::{Confidence, Difficulty, Importance, Stability, Surprise, Trust, Utility};
use crate::words::words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Something worth remembering, with where it came from and how it fares.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Memory {
    pub id: MemoryId,
    pub scope: Scope,
    pub tier: Tier,
    pub kind: Kind,
    pub status: Status,
    /// Why it has that status; the history is made of these.
    pub status_change: StatusChange,

    pub content: String,
    /// One line, shown where the whole text would be too much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub tags: BTreeSet<String>,
    /// The field of knowledge it belongs to: python, aws, testing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Typed data that came with the text; an object, never interpreted here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<serde_json::Map<String, serde_json::Value>>,

    pub importance: Importance,
    pub confidence: Confidence,
    pub utility: Utility,
    /// How unlike everything known it was when it came. None: nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surprise: Option<Surprise>,
    /// The mood it was said in. None: nobody looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emotion: Option<Emotion>,
    /// Protected from forgetting.
    pub pinned: bool,
    /// Protected from any change.
    pub immutable: bool,

    #[serde(flatten)]
    pub trace: Trace,
    #[serde(flatten)]
    pub validity: Validity,
    #[serde(flatten)]
    pub provenance: Provenance,

    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Counts deliberate changes; use does not count. Undo compares it.
    pub revision: u32,
}

/// The anchors of reachability: what the curves of `law` are evaluated from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Trace {
    pub access_count: u32,
    pub last_used_at: Timestamp,
    /// In days.
    pub stability: Stability,
    /// How hard it is to keep. None: it was never graded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<Difficulty>,
    /// When it will have faded, if it is not used before. None: it never does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fades_at: Option<Timestamp>,
}

/// When it was true, and when we learned it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Validity {
    pub valid_from: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    pub recorded_at: Timestamp,
}

impl Validity {
    pub fn holds_at(&self, at: Timestamp) -> bool {
        self.valid_from <= at && self.valid_until.is_none_or(|until| at < until)
    }
}

/// Where a memory came from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Provenance {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_session: Option<SessionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_project: Option<ProjectKey>,
    pub write_source: WriteSource,
    pub data_source: DataSource,
    /// Who said it, where people are told apart by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// Who shared it with the team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<MemberId>,
    pub trust: Trust,
    /// The turns it was made of, the first and the latest; empty where nobody
    /// recorded any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<TurnId>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub promotion_chain: Vec<PromotionStep>,
}

impl Provenance {
    /// Of something said outright, on somebody's behalf.
    pub fn stated_by(actor: Actor) -> Self {
        let (data_source, trust) = match actor {
            Actor::Human => (DataSource::UserMessage, Trust::HUMAN),
            Actor::Assistant => (DataSource::AssistantMessage, Trust::ASSISTANT),
            Actor::Ingest => (DataSource::File, Trust::INGEST),
            Actor::Engram => (DataSource::System, Trust::ASSISTANT),
        };
        Self {
            source_session: None,
            source_project: None,
            write_source: WriteSource::Manual,
            data_source,
            speaker: None,
            author: None,
            trust,
            evidence: Vec::new(),
            promotion_chain: Vec::new(),
        }
    }
}

words! {
    /// Which part of engram wrote it.
    pub enum WriteSource ("write source") {
        Manual = "manual",
        Observer = "observer",
        Formation = "formation",
        Dream = "dream",
        Import = "import",
    }
}

words! {
    /// Whose words it is made of.
    pub enum DataSource ("data source") {
        UserMessage = "user_message",
        AssistantMessage = "assistant_message",
        System = "system",
        File = "file",
        Federation = "federation",
    }
}

/// One rung of the way up from session to project to user or team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PromotionStep {
    pub scope: Scope,
    pub memory_id: MemoryId,
    pub promoted_at: Timestamp,
    /// Who shared it, on the way to a team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<MemberId>,
    /// What the place it came from is called there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

words! {
    /// How one memory bears on another.
    pub enum RelationKind ("relation") {
        SimilarTo = "similar_to",
        Contradicts = "contradicts",
        Supersedes = "supersedes",
        DerivedFrom = "derived_from",
        Supports = "supports",
        PartOf = "part_of",
        CausedBy = "caused_by",
        Causes = "causes",
        Elaborates = "elaborates",
        SameEntity = "same_entity",
        RelatedTo = "related_to",
        /// The first says no more than the second, which stands for both.
        MergedInto = "merged_into",
        /// The first is one of the procedures that the second, a skill, was
        /// made of.
        InstanceOf = "instance_of",
    }
}

/// An edge between two memories of one store.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Relation {
    pub from: MemoryId,
    pub kind: RelationKind,
    pub to: MemoryId,
    pub created_at: Timestamp,
    /// How sure it is that the two are tied so. Edges that are older than this
    /// field were all drawn on purpose.
    #[serde(default = "certain")]
    pub confidence: Confidence,
}

fn certain() -> Confidence {
    Confidence::CERTAIN
}

impl Relation {
    /// One that was drawn on purpose, not guessed.
    pub const fn certain(from: MemoryId, kind: RelationKind, to: MemoryId, created_at: Timestamp) -> Self {
        Self { from, kind, to, created_at, confidence: Confidence::CERTAIN }
    }
}

impl Memory {
    pub const fn class(&self) -> Class {
        self.kind.class()
    }

    /// One line for lists: the summary, or the first line of the text.
    pub fn headline(&self) -> &str {
        self.summary.as_deref().unwrap_or_else(|| self.content.lines().next().unwrap_or_default())
    }

    /// What remains is that there was a memory.
    pub(crate) fn clear_text(&mut self) {
        self.content.clear();
        self.summary = None;
        self.tags.clear();
        self.domain = None;
        self.structured = None;
        self.provenance.speaker = None;
        self.trace.fades_at = None;
    }
}
