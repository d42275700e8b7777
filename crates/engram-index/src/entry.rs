//! The facets of a memory that a search may be narrowed by, and the narrowing.
//!
//! Facets are copies; the store has the truth. Nothing here knows text or
//! vectors.

use engram_core::law::has_faded;
use engram_core::memory::DataSource;
use engram_core::{
    Confidence, Importance, Kind, Memory, MemoryId, Mode, Scope, SessionId, Status, Tier, Timestamp, Trace,
    Utility, Validity,
};
use std::collections::BTreeSet;

/// What the index knows of one memory without the store.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub id: MemoryId,
    pub scope: Scope,
    pub tier: Tier,
    pub kind: Kind,
    pub status: Status,
    /// In order, each once. A plain list, because a tree costs three hundred
    /// bytes for the first tag.
    pub tags: Vec<String>,
    pub domain: Option<String>,
    pub pinned: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub trace: Trace,
    pub valid_from: Timestamp,
    pub valid_until: Option<Timestamp>,
    pub recorded_at: Timestamp,
    pub importance: Importance,
    pub confidence: Confidence,
    pub utility: Utility,
    /// The session it was said in.
    pub session: Option<SessionId>,
    pub data_source: DataSource,
    /// Who said it, where people are told apart by name.
    pub speaker: Option<Box<str>>,
    /// It ends in a question; what follows it is likely the answer.
    pub asks: bool,
    /// Somebody speaks of himself in it.
    pub of_self: bool,
    /// It is archived because it has faded, and use brings it back.
    pub faded: bool,
}

impl Entry {
    pub(crate) fn of(memory: &Memory, of_self: bool) -> Self {
        Self {
            id: memory.id,
            scope: memory.scope,
            tier: memory.tier,
            kind: memory.kind,
            status: memory.status,
            tags: memory.tags.iter().cloned().collect(),
            domain: memory.domain.clone(),
            pinned: memory.pinned,
            created_at: memory.created_at,
            updated_at: memory.updated_at,
            trace: memory.trace.clone(),
            valid_from: memory.validity.valid_from,
            valid_until: memory.validity.valid_until,
            recorded_at: memory.validity.recorded_at,
            importance: memory.importance,
            confidence: memory.confidence,
            utility: memory.utility,
            session: memory.provenance.source_session,
            data_source: memory.provenance.data_source,
            speaker: memory.provenance.speaker.as_deref().map(Into::into),
            asks: memory.content.trim_end().ends_with('?'),
            of_self,
            faded: has_faded(memory),
        }
    }

    /// Whether it was true at `at`; the law itself is the core's.
    fn holds_at(&self, at: Timestamp) -> bool {
        Validity { valid_from: self.valid_from, valid_until: self.valid_until, recorded_at: self.recorded_at }
            .holds_at(at)
    }
}

/// The time somebody asks about; what fits one of them fits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct When {
    /// Each without its end.
    pub periods: Vec<(Timestamp, Timestamp)>,
    pub sessions: BTreeSet<SessionId>,
}

impl When {
    pub fn admits(&self, entry: &Entry) -> bool {
        let within = |at: Timestamp| self.periods.iter().any(|(from, until)| *from <= at && at < *until);
        within(entry.created_at)
            || within(entry.valid_from)
            || entry.session.is_some_and(|session| self.sessions.contains(&session))
    }
}

/// What a hit must be. The default admits everything.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// None: any status. An empty set admits nothing.
    pub statuses: Option<BTreeSet<Status>>,
    /// Beside those, what is archived because it has faded.
    pub faded: bool,
    /// Empty: any kind.
    pub kinds: Vec<Kind>,
    pub mode: Option<Mode>,
    /// Empty: any tier.
    pub tiers: Vec<Tier>,
    /// All of these must be present.
    pub tags: BTreeSet<String>,
    pub domain: Option<String>,
    /// Said by then: `created_at` is not later.
    pub said_by: Option<Timestamp>,
    /// True at that moment.
    pub valid_at: Option<Timestamp>,
    /// Created at that moment or later.
    pub created_from: Option<Timestamp>,
    /// Created before that moment, so that two adjoining spans share nothing.
    pub created_until: Option<Timestamp>,
    /// Said or true in one of these stretches of time, or said in one of these
    /// sessions.
    pub when: Option<When>,
    pub pinned: Option<bool>,
}

impl Filter {
    /// The sheets of a code base name so much that they would be everywhere:
    /// they are there for whoever asks for their tier.
    pub fn without_outline(mut self) -> Self {
        if self.tiers.is_empty() {
            self.tiers = Tier::ALL.iter().copied().filter(|tier| *tier != Tier::Codebase).collect();
        }
        self
    }

    pub fn admits(&self, entry: &Entry) -> bool {
        (self.statuses.as_ref().is_none_or(|statuses| statuses.contains(&entry.status))
            || self.faded && entry.faded)
            && (self.kinds.is_empty() || self.kinds.contains(&entry.kind))
            && self.mode.is_none_or(|mode| mode.includes(entry.kind.class()))
            && (self.tiers.is_empty() || self.tiers.contains(&entry.tier))
            && self.pinned.is_none_or(|pinned| pinned == entry.pinned)
            && self.said_by.is_none_or(|by| entry.created_at <= by)
            && self.valid_at.is_none_or(|at| entry.holds_at(at))
            && self.created_from.is_none_or(|from| from <= entry.created_at)
            && self.created_until.is_none_or(|until| entry.created_at < until)
            && self.when.as_ref().is_none_or(|when| when.admits(entry))
            && self.domain.as_ref().is_none_or(|domain| entry.domain.as_ref() == Some(domain))
            && self.tags.iter().all(|tag| entry.tags.contains(tag))
    }
}
