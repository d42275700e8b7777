//! What goes on: one event of the live feed.
//!
//! An event tells enough to be read as one line, in texts of at most two hundred
//! characters without secrets. It is kept for a while in the daemon's memory and
//! nowhere else.

use crate::message::HookEvent;
use engram_core::decision::Action;
use engram_core::dream::Step;
use engram_core::recalled::Surface;
use engram_core::turn::EventType;
use engram_core::{
    Actor, Cause, Confidence, MemoryId, OperationId, ProjectKey, RecallId, Scope, SessionId, Timestamp,
};
use serde::{Deserialize, Serialize};

/// Something that went on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Activity {
    /// They grow, also from one daemon to the next.
    pub number: u64,
    pub at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<ProjectKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(flatten)]
    pub what: What,
}

/// What it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum What {
    /// Something happened, and is on the disk.
    Heard {
        event: EventType,
        turns: usize,
        masked: usize,
    },
    /// It was read, and this was decided.
    Decided {
        action: Action,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        memory: Option<MemoryId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        reason: String,
    },
    /// Somebody asked.
    Recalled {
        recall: RecallId,
        via: Surface,
        query: String,
        hits: usize,
        confidence: Confidence,
        ms: f64,
    },
    /// Memories were put before an agent, and arrived.
    Told {
        via: Surface,
        memories: Vec<MemoryId>,
        chars: usize,
    },
    /// An agent asked its hook.
    Hooked {
        event: HookEvent,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<f64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        problem: Option<String>,
    },
    /// Memories were changed.
    Changed {
        operation: OperationId,
        cause: Cause,
        actor: Actor,
        memories: Vec<MemoryId>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    SessionBegan,
    SessionEnded {
        promoted: usize,
    },
    /// A dream has come so far.
    Dreaming {
        dream: OperationId,
        store: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<Step>,
        done: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<u64>,
        dry_run: bool,
    },
    /// A dream is over.
    Dreamt {
        dream: OperationId,
        store: String,
        changes: usize,
        seconds: f64,
        /// It was only looked what it would change.
        #[serde(default)]
        dry_run: bool,
    },
    /// Something that takes long has come so far.
    Working {
        doing: String,
        done: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<u64>,
    },
    /// Something that nobody waits for went wrong.
    Failed {
        doing: String,
        problem: String,
    },
    /// Whoever listens was too slow, and these are gone for him. Never kept.
    Missed {
        from: u64,
        to: u64,
    },
}

impl What {
    /// Its word, as everybody spells it.
    pub const fn word(&self) -> &'static str {
        match self {
            What::Heard { .. } => "heard",
            What::Decided { .. } => "decided",
            What::Recalled { .. } => "recalled",
            What::Told { .. } => "told",
            What::Hooked { .. } => "hooked",
            What::Changed { .. } => "changed",
            What::SessionBegan => "session_began",
            What::SessionEnded { .. } => "session_ended",
            What::Dreaming { .. } => "dreaming",
            What::Dreamt { .. } => "dreamt",
            What::Working { .. } => "working",
            What::Failed { .. } => "failed",
            What::Missed { .. } => "missed",
        }
    }
}

/// What went on lately, the oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Activities {
    pub activities: Vec<Activity>,
    /// The number of the latest event, whether or not it is among these: what
    /// comes has a greater one.
    pub latest: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const ID: &str = "01JD3V8Q2Y6K4M5N7P9R1S3T5V";

    fn every_what() -> Vec<Value> {
        vec![
            json!({"what": "heard", "event": "user_message", "turns": 1, "masked": 0}),
            json!({"what": "decided", "action": "create", "memory": ID, "text": "t", "reason": "stated"}),
            json!({"what": "recalled", "recall": ID, "via": "search", "query": "q", "hits": 2,
                "confidence": 0.5, "ms": 1.5}),
            json!({"what": "told", "via": "prompt", "memories": [ID], "chars": 12}),
            json!({"what": "hooked", "event": "Stop", "ms": 2.0}),
            json!({"what": "changed", "operation": ID, "cause": "edit", "actor": "human", "memories": [ID]}),
            json!({"what": "session_began"}),
            json!({"what": "session_ended", "promoted": 3}),
            json!({"what": "dreaming", "dream": ID, "store": "user", "step": "fade", "done": 1, "total": 9,
                "dry_run": false}),
            json!({"what": "dreamt", "dream": ID, "store": "user", "changes": 4, "seconds": 0.25, "dry_run": false}),
            json!({"what": "working", "doing": "backing up", "done": 1}),
            json!({"what": "failed", "doing": "reading", "problem": "the disk is full"}),
            json!({"what": "missed", "from": 4, "to": 9}),
        ]
    }

    #[test]
    fn an_event_is_told_beside_what_it_was_and_read_back_without_loss() {
        for what in every_what() {
            let mut told = json!({"number": 7, "at": "2026-02-03T04:05:06Z", "scope": "project",
                "project": "p_0123456789ab", "session": ID, "agent": "claude-code"});
            let word = what["what"].clone();
            told.as_object_mut().unwrap().append(&mut what.as_object().unwrap().clone());
            let read: Activity = serde_json::from_value(told.clone()).unwrap();
            assert_eq!(read.what.word(), word);
            assert_eq!(serde_json::to_value(&read).unwrap(), told);
        }
    }

    #[test]
    fn every_word_of_the_feed_is_in_the_glossary() {
        let glossary = include_str!("../../../docs/glossary.md");
        for what in every_what() {
            assert!(glossary.contains(&format!("`{}`", what["what"].as_str().unwrap())), "{what}");
        }
    }
}
