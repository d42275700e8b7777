//! What is known of an order besides its words: the operation it performs,
//! whether it may wait, what it is called, and how long a hook may take.

use super::{
    Dream, Edit, Erase, Evolve, EvolveMerge, EvolveOne, EvolveRefine, HookEvent, InduceSkill, Order, Promote,
    RecordFeedback, Remember, TeamOrder,
};
use engram_core::OperationId;
use engram_core::turn::Authority;

impl Order {
    /// The operation this order performs, if it changes memories.
    pub fn operation(&self) -> Option<OperationId> {
        match self {
            Order::Remember(Remember { operation, .. })
            | Order::Correct { operation, .. }
            | Order::Confirm { operation, .. }
            | Order::Mark { operation, .. }
            | Order::Forget { operation, .. }
            | Order::Unforget { operation, .. }
            | Order::Pin { operation, .. }
            | Order::Edit(Edit { operation, .. })
            | Order::Undo { operation, .. }
            | Order::ReviewDecide { operation, .. }
            | Order::Promote(Promote { operation, .. })
            | Order::RecordOutcome { operation, .. }
            | Order::SetTier { operation, .. }
            | Order::EntityMerge { operation, .. }
            | Order::EntityAlias { operation, .. }
            | Order::ConsolidationSubmit { operation, .. }
            | Order::RecordFeedback(RecordFeedback { operation, .. })
            | Order::WeightsReset { operation, .. }
            | Order::EvolveDeprecate(EvolveOne { operation, .. })
            | Order::EvolveArchive(EvolveOne { operation, .. })
            | Order::EvolveRefine(EvolveRefine { one: EvolveOne { operation, .. }, .. })
            | Order::EvolveMerge(EvolveMerge { operation, .. })
            | Order::InduceSkill(InduceSkill { operation, .. })
            | Order::Import { operation, .. } => Some(*operation),
            Order::Team(order) => order.operation(),
            Order::Recall(_)
            | Order::List(_)
            | Order::Inspect { .. }
            | Order::History { .. }
            | Order::Observe(_)
            | Order::Hook(_)
            | Order::Why { .. }
            | Order::ReviewList { .. }
            | Order::ReviewShow { .. }
            | Order::Operations { .. }
            | Order::Recalls { .. }
            | Order::Export { .. }
            | Order::Backup { .. }
            | Order::Restore { .. }
            | Order::OpenSealed { .. }
            | Order::Erase(_)
            | Order::SessionStart { .. }
            | Order::SessionEnd { .. }
            | Order::SessionList
            | Order::SessionShow { .. }
            | Order::Reminders
            | Order::Dream(_)
            | Order::DreamReport { .. }
            | Order::Usage { .. }
            | Order::Weights { .. }
            | Order::Evolve(_)
            | Order::EvolutionReport { .. }
            | Order::EvolutionCandidates(_)
            | Order::Skills { .. }
            | Order::Reflect { .. }
            | Order::Compact
            | Order::Curve { .. }
            | Order::EntityList { .. }
            | Order::EntityShow { .. }
            | Order::Graph { .. }
            | Order::GraphWhole(_)
            | Order::ConsolidationNext
            | Order::Mcp { .. }
            | Order::McpHttp { .. }
            | Order::Ui { .. }
            | Order::Watch { .. }
            | Order::Activity { .. }
            | Order::Projects
            | Order::Stores { .. }
            | Order::Days { .. }
            | Order::Settings
            | Order::Audit { .. }
            | Order::AuditVerify { .. }
            | Order::ModelList
            | Order::ModelInstall { .. }
            | Order::ModelRemove { .. }
            | Order::Reindex { .. }
            | Order::Stats
            | Order::Status
            | Order::Doctor { .. }
            | Order::Stop => None,
        }
    }

    /// Whether it may wait in the spool while nobody can be reached. An import
    /// is large, and can be run again by hand. The latest operation, or the
    /// latest recall, may be another one by the time the spool is read, and the
    /// evidence on which a memory evolves another, too.
    pub fn may_wait(&self) -> bool {
        match self {
            Order::Import { .. } | Order::Undo { target: None, .. } => false,
            // Who is asked about somebody's words or standing waits for the answer.
            Order::Team(_) => false,
            Order::RecordFeedback(RecordFeedback { recall: None, .. }) => false,
            Order::EvolveDeprecate(_)
            | Order::EvolveArchive(_)
            | Order::EvolveRefine(_)
            | Order::EvolveMerge(_)
            | Order::InduceSkill(_) => false,
            Order::Observe(observe) => !observe.dry_run && !observe.import,
            Order::Hook(hook) => hook.happened.is_some() || hook.event == HookEvent::SessionEnd,
            order => order.operation().is_some(),
        }
    }

    /// Whether it comes to the same if it is said twice. (A recall that two daemons
    /// answered may be noted twice, as use; no more comes of it.)
    pub fn may_be_said_again(&self) -> bool {
        match self {
            Order::Recall(_)
            | Order::List(_)
            | Order::Inspect { .. }
            | Order::History { .. }
            | Order::Why { .. }
            | Order::ReviewList { .. }
            | Order::ReviewShow { .. }
            | Order::Operations { .. }
            | Order::Recalls { .. }
            | Order::SessionList
            | Order::SessionShow { .. }
            | Order::Reminders
            | Order::DreamReport { .. }
            | Order::Usage { .. }
            | Order::Weights { .. }
            | Order::EvolutionReport { .. }
            | Order::EvolutionCandidates(_)
            | Order::Skills { .. }
            | Order::Curve { .. }
            | Order::EntityList { .. }
            | Order::EntityShow { .. }
            | Order::Graph { .. }
            | Order::GraphWhole(_)
            | Order::ConsolidationNext
            | Order::Activity { .. }
            | Order::Projects
            | Order::Stores { .. }
            | Order::Days { .. }
            | Order::Settings
            | Order::Audit { .. }
            | Order::AuditVerify { .. }
            | Order::ModelList
            | Order::Stats
            | Order::Status => true,
            order => order.operation().is_some(),
        }
    }

    /// What whoever gives it has to be allowed to do to the memories. None: it
    /// changes none, or what it brings is weighed when it is read. With whom they
    /// are shared is as much as what they say.
    pub fn needs(&self) -> Option<Authority> {
        match self {
            Order::Remember(_) | Order::RecordOutcome { .. } | Order::RecordFeedback(_) => {
                Some(Authority::Add)
            }
            Order::Correct { .. }
            | Order::Confirm { .. }
            | Order::Mark { .. }
            | Order::Forget { .. }
            | Order::Unforget { .. }
            | Order::Pin { .. }
            | Order::Edit(_)
            | Order::Undo { .. }
            | Order::ReviewDecide { .. }
            | Order::Promote(_)
            | Order::SetTier { .. }
            | Order::EntityMerge { .. }
            | Order::EntityAlias { .. }
            | Order::ConsolidationSubmit { .. }
            | Order::WeightsReset { .. }
            | Order::EvolveDeprecate(_)
            | Order::EvolveArchive(_)
            | Order::EvolveRefine(_)
            | Order::EvolveMerge(_)
            | Order::InduceSkill(_)
            | Order::Import { .. }
            | Order::Restore { .. } => Some(Authority::Change),
            Order::Erase(Erase { dry_run, .. })
            | Order::Dream(Dream { dry_run, .. })
            | Order::Evolve(Evolve { dry_run, .. }) => (!dry_run).then_some(Authority::Change),
            // What stands in a file no more ends what was made of it.
            Order::Observe(observe) => {
                (!observe.gone.is_empty() && !observe.dry_run).then_some(Authority::Change)
            }
            Order::Team(order) => match &**order {
                TeamOrder::Create(_)
                | TeamOrder::Search { .. }
                | TeamOrder::Upgrade { .. }
                | TeamOrder::Join(_)
                | TeamOrder::Leave { .. }
                | TeamOrder::Invite { .. }
                | TeamOrder::SetMember { .. }
                | TeamOrder::Rotate
                | TeamOrder::Share { .. }
                | TeamOrder::Withdraw { .. }
                | TeamOrder::Answer { .. }
                | TeamOrder::Never { .. }
                | TeamOrder::Dismiss => Some(Authority::Change),
                TeamOrder::Status | TeamOrder::Members | TeamOrder::Offers | TeamOrder::Proposals => None,
            },
            Order::Recall(_)
            | Order::List(_)
            | Order::Inspect { .. }
            | Order::History { .. }
            | Order::Hook(_)
            | Order::Why { .. }
            | Order::ReviewList { .. }
            | Order::ReviewShow { .. }
            | Order::Operations { .. }
            | Order::Recalls { .. }
            | Order::Export { .. }
            | Order::Backup { .. }
            | Order::OpenSealed { .. }
            | Order::SessionStart { .. }
            | Order::SessionEnd { .. }
            | Order::SessionList
            | Order::SessionShow { .. }
            | Order::Reminders
            | Order::DreamReport { .. }
            | Order::Usage { .. }
            | Order::Weights { .. }
            | Order::EvolutionReport { .. }
            | Order::EvolutionCandidates(_)
            | Order::Skills { .. }
            | Order::Reflect { .. }
            | Order::Compact
            | Order::Curve { .. }
            | Order::EntityList { .. }
            | Order::EntityShow { .. }
            | Order::Graph { .. }
            | Order::GraphWhole(_)
            | Order::ConsolidationNext
            | Order::Mcp { .. }
            | Order::McpHttp { .. }
            | Order::Ui { .. }
            | Order::Watch { .. }
            | Order::Activity { .. }
            | Order::Projects
            | Order::Stores { .. }
            | Order::Days { .. }
            | Order::Settings
            | Order::Audit { .. }
            | Order::AuditVerify { .. }
            | Order::ModelList
            | Order::ModelInstall { .. }
            | Order::ModelRemove { .. }
            | Order::Reindex { .. }
            | Order::Stats
            | Order::Status
            | Order::Doctor { .. }
            | Order::Stop => None,
        }
    }

    /// How many events it brings that would have to wait to be read: what
    /// happens now, not what stands in files, which whoever imports it waits for.
    pub fn events(&self) -> usize {
        match self {
            Order::Observe(observe) if !observe.dry_run && !observe.import => observe.events.len(),
            Order::Hook(hook) => usize::from(hook.happened.is_some()),
            _ => 0,
        }
    }

    /// What it does, for messages.
    pub const fn verb(&self) -> &'static str {
        match self {
            Order::Remember(_) => "remember",
            Order::Recall(_) => "recall",
            Order::List(_) => "list",
            Order::Inspect { .. } => "inspect",
            Order::Correct { .. } => "correct",
            Order::Confirm { .. } => "confirm",
            Order::Mark { .. } => "mark",
            Order::Forget { .. } => "forget",
            Order::Unforget { .. } => "unforget",
            Order::Pin { pinned: true, .. } => "pin",
            Order::Pin { pinned: false, .. } => "unpin",
            Order::Edit(_) => "edit",
            Order::History { .. } => "history",
            Order::Observe(_) => "observe",
            Order::Hook(_) => "hook",
            Order::Why { .. } => "why",
            Order::ReviewList { .. } => "review list",
            Order::ReviewShow { .. } => "review show",
            Order::ReviewDecide { .. } => "review decide",
            Order::Operations { .. } => "operations",
            Order::Recalls { .. } => "recalls",
            Order::Undo { .. } => "undo",
            Order::Export { .. } => "export",
            Order::Import { .. } => "import",
            Order::Backup { .. } => "backup create",
            Order::Restore { .. } => "backup restore",
            Order::OpenSealed { .. } => "import",
            Order::Erase(_) => "erase",
            Order::SessionStart { .. } => "session start",
            Order::SessionEnd { .. } => "session end",
            Order::SessionList => "session list",
            Order::SessionShow { .. } => "session show",
            Order::Promote(_) => "promote",
            Order::RecordOutcome { .. } => "outcome",
            Order::RecordFeedback(_) => "feedback",
            Order::Usage { .. } => "evolve usage",
            Order::Weights { .. } => "weights",
            Order::WeightsReset { .. } => "weights --reset",
            Order::Evolve(_) => "evolve",
            Order::EvolutionReport { .. } => "evolve --report",
            Order::EvolutionCandidates(_) => "evolve candidates",
            Order::EvolveDeprecate(_) => "evolve deprecate",
            Order::EvolveArchive(_) => "evolve archive",
            Order::EvolveRefine(_) => "evolve refine",
            Order::EvolveMerge(_) => "evolve merge",
            Order::InduceSkill(_) => "evolve induce",
            Order::Skills { .. } => "evolve skills",
            Order::Reflect { .. } => "reflect",
            Order::Reminders => "reminders",
            Order::Dream(_) => "dream",
            Order::DreamReport { .. } => "dream --report",
            Order::Compact => "compact",
            Order::SetTier { .. } => "tier",
            Order::Curve { .. } => "curve",
            Order::EntityList { .. } => "entity list",
            Order::EntityShow { .. } => "entity show",
            Order::EntityMerge { .. } => "entity merge",
            Order::EntityAlias { .. } => "entity alias",
            Order::Graph { .. } => "graph",
            Order::GraphWhole(_) => "graph --all",
            Order::ConsolidationNext => "consolidation next",
            Order::ConsolidationSubmit { .. } => "consolidation submit",
            Order::Mcp { .. } => "mcp",
            Order::McpHttp { .. } => "mcp --http",
            Order::Ui { .. } => "ui",
            Order::Watch { .. } => "watch",
            Order::Activity { .. } => "watch --last",
            Order::Projects => "projects",
            Order::Stores { .. } => "stores",
            Order::Days { .. } => "days",
            Order::Settings => "config list",
            Order::Audit { .. } => "audit show",
            Order::AuditVerify { .. } => "audit verify",
            Order::Team(order) => order.verb(),
            Order::ModelList => "model list",
            Order::ModelInstall { .. } => "model install",
            Order::ModelRemove { .. } => "model remove",
            Order::Reindex { .. } => "reindex",
            Order::Stats => "stats",
            Order::Status => "status",
            Order::Doctor { .. } => "doctor",
            Order::Stop => "stop",
        }
    }
}

impl HookEvent {
    /// The setting that says how long such a hook may take.
    pub const fn deadline(self) -> &'static str {
        match self {
            HookEvent::SessionStart => "hook.start_ms",
            HookEvent::UserPromptSubmit | HookEvent::PreToolUse | HookEvent::PostToolUseFailure => {
                "hook.prompt_ms"
            }
            HookEvent::PostToolUse
            | HookEvent::PreCompact
            | HookEvent::SubagentStop
            | HookEvent::Stop
            | HookEvent::SessionEnd => "hook.capture_ms",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn order(value: serde_json::Value) -> Order {
        serde_json::from_value(value).unwrap()
    }

    const ID: &str = "01JD3V8Q2Y6K4M5N7P9R1S3T5V";

    #[test]
    fn what_evolves_is_an_operation_and_does_not_wait_for_a_daemon() {
        for value in [
            json!({"order": "evolve_deprecate", "operation": ID, "memory": "7QX3", "reason": "it fails"}),
            json!({"order": "evolve_archive", "operation": ID, "memory": "7QX3", "reason": "unused"}),
            json!({"order": "evolve_refine", "operation": ID, "memory": "7QX3", "reason": "r", "text": "t"}),
            json!({"order": "evolve_merge", "operation": ID, "memories": ["7QX3", "7QX4"], "reason": "r"}),
            json!({"order": "induce_skill", "operation": ID, "memories": [], "name": "n", "description": "d"}),
        ] {
            let order = order(value);
            assert_eq!(order.operation().map(|id| id.to_string()).as_deref(), Some(ID));
            assert!(!order.may_wait(), "{}", order.verb());
        }
        let evolve = order(json!({"order": "evolve", "operation": ID}));
        assert!(
            evolve.operation().is_none() && !evolve.may_wait(),
            "it is a dream, and has one in each store"
        );
    }

    #[test]
    fn an_edit_may_wait_and_looking_may_not() {
        let edit = order(json!({"order": "edit", "operation": ID, "memory": "7QX3", "domain": ""}));
        assert_eq!(edit.operation().map(|id| id.to_string()).as_deref(), Some(ID));
        assert!(edit.may_wait());
        for value in [
            json!({"order": "ui"}),
            json!({"order": "watch"}),
            json!({"order": "activity", "limit": 5}),
            json!({"order": "projects"}),
            json!({"order": "stores", "days": 90}),
            json!({"order": "days", "limit": 200}),
            json!({"order": "graph_whole", "limit": 2000}),
            json!({"order": "settings"}),
            json!({"order": "audit", "limit": 5}),
            json!({"order": "audit_verify"}),
            json!({"order": "erase", "subject": "person:Ada"}),
            json!({"order": "operations", "limit": 5}),
            json!({"order": "recalls", "limit": 5, "before": ID}),
        ] {
            let order = order(value);
            assert!(order.operation().is_none() && !order.may_wait(), "{}", order.verb());
        }
    }

    #[test]
    fn what_has_no_operation_and_takes_memories_away_needs_authority_too() {
        let gone = json!([ID]);
        for (dry_run, needs) in [(false, Some(Authority::Change)), (true, None)] {
            for value in [
                json!({"order": "erase", "subject": "person:Ada", "dry_run": dry_run}),
                json!({"order": "dream", "operation": ID, "dry_run": dry_run}),
                json!({"order": "evolve", "operation": ID, "dry_run": dry_run}),
                json!({"order": "observe", "events": [], "gone": gone, "dry_run": dry_run}),
            ] {
                let order = order(value);
                assert_eq!(order.needs(), needs, "{}", order.verb());
            }
        }
        for value in [
            json!({"order": "team", "team": "leave", "force": false, "withdraw": false}),
            json!({"order": "team", "team": "dismiss"}),
            json!({"order": "team", "team": "invite", "role": "maintainer"}),
            json!({"order": "team", "team": "rotate"}),
            json!({"order": "team", "team": "never", "memories": [ID]}),
            json!({"order": "team", "team": "join", "url": "wss://one.example", "namespace": "team",
                   "name": "shop", "code": "c", "handle": "ada"}),
        ] {
            assert_eq!(order(value).needs(), Some(Authority::Change));
        }
        for value in [
            json!({"order": "team", "team": "status"}),
            json!({"order": "team", "team": "members"}),
            json!({"order": "team", "team": "offers"}),
            json!({"order": "team", "team": "proposals"}),
            json!({"order": "observe", "events": []}),
        ] {
            assert_eq!(order(value).needs(), None);
        }
    }

    #[test]
    fn feedback_waits_where_it_names_its_recall() {
        let named = order(
            json!({"order": "record_feedback", "operation": ID, "recall": "AB12", "feedback": "helpful"}),
        );
        assert!(named.may_wait());
        let latest = order(json!({"order": "record_feedback", "operation": ID, "feedback": "not_helpful"}));
        assert!(latest.operation().is_some() && !latest.may_wait());
        let reset = order(json!({"order": "weights_reset", "operation": ID}));
        assert!(reset.may_wait());
    }
}
