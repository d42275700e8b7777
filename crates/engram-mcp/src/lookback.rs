//! Tools of the full profile for looking back: where a memory comes from, what
//! sessions there were, what was asked, and what somebody wants to be reminded
//! of.

use crate::catalogue::{Effect, Tool, id_or_none};
use crate::shown::{Brief, DecisionShown, NOTE, cut, round};
use engram_core::present::age;
use engram_core::{OperationId, SessionId, Timestamp};
use engram_wire::reply::{
    HistoryOf, OperationLine, RecallLine, Recalls, RemindersListed, SessionLine, SessionShown, Sessions,
    WhyReply,
};
use engram_wire::{Fault, Order};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many lines are listed where nobody says how many, and at most.
const SOME: usize = 20;
const MOST: usize = 50;

fn some() -> usize {
    SOME
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct History {
    /// Its id, or the end of it.
    memory: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct HistoryShown {
    note: &'static str,
    memory: String,
    statuses: Vec<StepShown>,
    operations: Vec<OperationShown>,
}

#[derive(Serialize, JsonSchema)]
struct StepShown {
    status: &'static str,
    reason: String,
    cause: &'static str,
    age: String,
}

#[derive(Serialize, JsonSchema)]
struct OperationShown {
    id: String,
    cause: &'static str,
    actor: &'static str,
    age: String,
    undoable: bool,
}

impl OperationShown {
    fn of(line: &OperationLine, now: Timestamp) -> Self {
        Self {
            id: line.id.to_string(),
            cause: line.cause.as_str(),
            actor: line.actor.as_str(),
            age: age(line.at, now),
            undoable: line.undoable,
        }
    }
}

impl Tool for History {
    const NAME: &'static str = "memory_history";
    const TITLE: &'static str = "A memory's history";
    const ABOUT: &'static str = "Every status a memory had, and every operation on it.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = HistoryOf;
    type Shown = HistoryShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::History { memory: self.memory })
    }

    fn shown(reply: HistoryOf, now: Timestamp) -> HistoryShown {
        let steps = reply.status_history.into_iter().map(|step| StepShown {
            status: step.to.as_str(),
            cause: step.change.cause.as_str(),
            age: age(step.change.at, now),
            reason: step.change.reason,
        });
        HistoryShown {
            note: NOTE,
            memory: reply.memory_id.to_string(),
            statuses: steps.collect(),
            operations: reply.operations_on.iter().map(|line| OperationShown::of(line, now)).collect(),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Why {
    /// Its id, or the end of it.
    memory: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct WhyShown {
    note: &'static str,
    memory: Brief,
    evidence: Vec<TurnShown>,
    decisions: Vec<DecisionShown>,
}

#[derive(Serialize, JsonSchema)]
struct TurnShown {
    role: &'static str,
    text: String,
    age: String,
}

impl Tool for Why {
    const NAME: &'static str = "memory_why";
    const TITLE: &'static str = "Why a memory is there";
    const ABOUT: &'static str = "What a memory was made of, word for word, and what was decided about it.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = WhyReply;
    type Shown = WhyShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::Why { memory: self.memory })
    }

    fn shown(reply: WhyReply, now: Timestamp) -> WhyShown {
        let evidence = reply.evidence.iter().map(|turn| TurnShown {
            role: turn.role.as_str(),
            text: cut(&turn.content),
            age: age(turn.said_at, now),
        });
        WhyShown {
            note: NOTE,
            memory: Brief::of(&reply.memory, now),
            evidence: evidence.collect(),
            decisions: reply.decisions.iter().map(DecisionShown::of).collect(),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListSessions {}

#[derive(Serialize, JsonSchema)]
pub(crate) struct SessionsShown {
    sessions: Vec<SessionBrief>,
}

#[derive(Serialize, JsonSchema)]
struct SessionBrief {
    id: String,
    status: String,
    memories: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    started: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<String>,
}

impl SessionBrief {
    fn of(line: &SessionLine, now: Timestamp) -> Self {
        Self {
            id: line.session.to_string(),
            status: line.status.clone(),
            memories: line.memories,
            started: line.started_at.map(|at| age(at, now)),
            ended: line.ended_at.map(|at| age(at, now)),
        }
    }
}

impl Tool for ListSessions {
    const NAME: &'static str = "list_sessions";
    const TITLE: &'static str = "List sessions";
    const ABOUT: &'static str = "The sessions of this project.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = Sessions;
    type Shown = SessionsShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::SessionList)
    }

    fn shown(reply: Sessions, now: Timestamp) -> SessionsShown {
        let lines = reply.sessions.iter().take(MOST);
        SessionsShown { sessions: lines.map(|line| SessionBrief::of(line, now)).collect() }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShowSession {
    /// Its id. Left out: this one.
    #[serde(default)]
    session: String,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct SessionWhole {
    note: &'static str,
    session: SessionBrief,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    memories: Vec<Worth>,
    promoted: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct Worth {
    #[serde(flatten)]
    memory: Brief,
    score: f64,
}

impl Tool for ShowSession {
    const NAME: &'static str = "show_session";
    const TITLE: &'static str = "Show a session";
    const ABOUT: &'static str = "What is known of a session: its summary, its memories and what they are worth \
        to the project.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = SessionShown;
    type Shown = SessionWhole;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::SessionShow { session: id_or_none::<SessionId>(&self.session)? })
    }

    fn shown(reply: SessionShown, now: Timestamp) -> SessionWhole {
        let worth = reply
            .memories_here
            .iter()
            .take(MOST)
            .map(|here| Worth { memory: Brief::of(&here.memory, now), score: round(here.score) });
        SessionWhole {
            note: NOTE,
            session: SessionBrief::of(&reply.line, now),
            memories: worth.collect(),
            promoted: reply.promotions.iter().map(|promotion| promotion.memory.to_string()).collect(),
            summary: reply.line.summary,
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListReminders {}

#[derive(Serialize, JsonSchema)]
pub(crate) struct RemindersShown {
    note: &'static str,
    reminders: Vec<ReminderShown>,
}

#[derive(Serialize, JsonSchema)]
struct ReminderShown {
    id: String,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    when: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    due: Option<String>,
    told: bool,
}

impl Tool for ListReminders {
    const NAME: &'static str = "list_reminders";
    const TITLE: &'static str = "List reminders";
    const ABOUT: &'static str = "What the user wants to be reminded of, and when.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = RemindersListed;
    type Shown = RemindersShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::Reminders)
    }

    fn shown(reply: RemindersListed, now: Timestamp) -> RemindersShown {
        let reminders = reply.reminders.into_iter().take(MOST).map(|line| ReminderShown {
            id: line.id.to_string(),
            text: cut(&line.text),
            when: line.when,
            due: line.due_at.map(|at| age(at, now)),
            told: line.told,
        });
        RemindersShown { note: NOTE, reminders: reminders.collect() }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecentRecalls {
    #[serde(default = "some")]
    #[schemars(range(min = 1, max = 50))]
    limit: usize,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct RecallsShown {
    note: &'static str,
    recalls: Vec<RecallBrief>,
}

#[derive(Serialize, JsonSchema)]
struct RecallBrief {
    id: String,
    query: String,
    via: &'static str,
    scope: &'static str,
    shown: usize,
    /// Left out: nobody has looked yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    used: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feedback: Option<&'static str>,
    confidence: f64,
    age: String,
}

impl RecallBrief {
    fn of(line: &RecallLine, now: Timestamp) -> Self {
        Self {
            id: line.recall.id.to_string(),
            query: cut(&line.recall.query),
            via: line.recall.via.as_str(),
            scope: line.scope.as_str(),
            shown: line.recall.shown.len(),
            used: line.recall.settled_at.map(|_| line.recall.used.len()),
            feedback: line.recall.user_feedback.map(|said| said.as_str()),
            confidence: round(line.recall.confidence.get()),
            age: age(line.recall.at, now),
        }
    }
}

impl Tool for RecentRecalls {
    const NAME: &'static str = "recent_recalls";
    const TITLE: &'static str = "Recent recalls";
    const ABOUT: &'static str =
        "What was asked of the memory lately, how sure the answers were, and what became of them.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = Recalls;
    type Shown = RecallsShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::Recalls { limit: self.limit.clamp(1, MOST), before: None })
    }

    fn shown(reply: Recalls, now: Timestamp) -> RecallsShown {
        let lines = reply.recalls.iter().take(MOST);
        RecallsShown { note: NOTE, recalls: lines.map(|line| RecallBrief::of(line, now)).collect() }
    }
}
