//! What whoever listens is told of an order that was obeyed: which memories it
//! changed, and how far something has come that takes long.

use crate::bus::Whose;
use crate::house::House;
use engram_core::{Cause, Memory, MemoryId, Operation, OperationId, Scope};
use engram_wire::activity::What;
use engram_wire::{Context, Fault, Order};
use serde::Deserialize as _;
use serde_json::Value;

/// What an order does to memories, told when it is done.
pub(super) struct Doing {
    operation: OperationId,
    pub(super) cause: Cause,
}

impl Doing {
    /// None: it changes nothing, or tells what it does itself, as a dream does.
    pub(super) fn of(order: &Order) -> Option<Self> {
        let cause = match order {
            Order::Remember(_) => Cause::Remember,
            Order::Correct { .. } => Cause::Correct,
            Order::Confirm { .. } => Cause::Confirm,
            Order::Mark { .. } => Cause::Mark,
            Order::Forget { purge: true, .. } => Cause::Purge,
            Order::Forget { purge: false, .. } => Cause::Forget,
            Order::Unforget { .. } => Cause::Unforget,
            Order::Pin { pinned: true, .. } => Cause::Pin,
            Order::Pin { pinned: false, .. } => Cause::Unpin,
            Order::Edit(_) => Cause::Edit,
            Order::Undo { .. } => Cause::Undo,
            Order::Import { .. } => Cause::Import,
            Order::ReviewDecide { .. } => Cause::Review,
            Order::Promote(_) => Cause::Promote,
            Order::RecordOutcome { .. } => Cause::Outcome,
            Order::SetTier { .. } => Cause::Tier,
            Order::EntityMerge { .. } | Order::EntityAlias { .. } => Cause::Entity,
            Order::ConsolidationSubmit { .. } => Cause::Consolidate,
            Order::WeightsReset { .. } => Cause::Learn,
            Order::EvolveDeprecate(_)
            | Order::EvolveArchive(_)
            | Order::EvolveRefine(_)
            | Order::EvolveMerge(_)
            | Order::InduceSkill(_) => Cause::Evolve,
            _ => return None,
        };
        Some(Self { operation: order.operation()?, cause })
    }
}

/// Refuses a name that something else was done under: whoever names two changes
/// alike would be told of the first one, and take the second for done.
pub(super) fn refuse_other(done: &Operation, cause: Cause) -> Result<(), Fault> {
    if done.cause == cause {
        return Ok(());
    }
    let told = format!("operation {} was done before, as {} and not as {cause}", done.id, done.cause);
    Err(Fault::refused(told).hint("every change has an `operation` of its own"))
}

/// Whether how far an order has come concerns others than whoever asked for it.
pub(super) const fn takes_long(order: &Order) -> bool {
    matches!(
        order,
        Order::Reindex { .. }
            | Order::Backup { .. }
            | Order::Restore { .. }
            | Order::Erase(_)
            | Order::Compact
            | Order::ModelInstall { .. }
    )
}

/// The memories that a reply tells of, each with its scope and a line of it where
/// the reply has those.
fn memories_in(reply: &Value) -> Vec<(MemoryId, Option<Scope>, Option<String>)> {
    let whole = reply["memories"].as_array().map_or(&[][..], Vec::as_slice);
    let promoted = reply["promotions"].as_array().map_or(&[][..], Vec::as_slice);
    let named = promoted.iter().map(|promotion| &promotion["memory"]);
    let all = whole.iter().chain(std::iter::once(&reply["memory"])).chain(named);
    all.filter_map(|value| match Memory::deserialize(value) {
        Ok(memory) => {
            let line = Some(memory.headline().to_owned()).filter(|line| !line.is_empty());
            Some((memory.id, Some(memory.scope), line))
        }
        Err(_) => Some((value.as_str()?.parse().ok()?, None, None)),
    })
    .collect()
}

impl House {
    /// Tells whoever listens what was changed. What had been done before is not
    /// told again.
    pub(super) fn say_changed(&self, context: &Context, doing: Doing, reply: &Value) {
        let skipped = reply.pointer("/decision/action").is_some_and(|action| action == "skip");
        if reply["already"] == true || skipped {
            return;
        }
        let changed = memories_in(reply);
        let lowest = changed.iter().filter_map(|(_, scope, _)| *scope).min();
        let asker = self.asker(context);
        let whose = Whose {
            scope: lowest,
            // What is the user's or the team's is theirs wherever it was changed.
            project: asker.project.clone().filter(|_| lowest.is_none_or(|scope| scope < Scope::User)),
            ..asker
        };
        let what = What::Changed {
            operation: doing.operation,
            cause: doing.cause,
            actor: context.actor,
            text: changed.iter().find_map(|(_, _, line)| line.clone()),
            memories: changed.into_iter().map(|(id, ..)| id).collect(),
        };
        self.bus.say(whose, what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engram_testkit::make::Steps;
    use serde_json::json;

    const ID: &str = "01JD3V8Q2Y6K4M5N7P9R1S3T5V";

    #[test]
    fn the_memories_of_every_kind_of_reply_are_found() {
        let memory = Steps::default().memory("we deploy\non fridays", Scope::Project);
        let told = |reply: Value| memories_in(&reply);
        let id = memory.id;
        let whole = (id, Some(Scope::Project), Some("we deploy".to_owned()));
        assert_eq!(
            told(json!({"memories": [memory]})),
            std::slice::from_ref(&whole),
            "changed, undone, evolved"
        );
        assert_eq!(told(json!({"memory": memory, "before": "working"})), [whole], "a tier was set");
        assert_eq!(told(json!({"memory": id})), [(id, None, None)], "an outcome");
        assert_eq!(told(json!({"promotions": [{"memory": id}]})), [(id, None, None)], "what went up");
        assert!(told(json!({"entity": {}})).is_empty());
    }

    #[test]
    fn what_changes_memories_is_told_with_its_cause() {
        let order = |value| serde_json::from_value::<Order>(value).unwrap();
        let cause = |value| Doing::of(&order(value)).map(|doing| doing.cause);
        let forget = |purge| json!({"order": "forget", "operation": ID, "memories": ["A"], "purge": purge});
        assert_eq!(cause(forget(true)), Some(Cause::Purge));
        assert_eq!(cause(forget(false)), Some(Cause::Forget));
        assert_eq!(cause(json!({"order": "edit", "operation": ID, "memory": "A"})), Some(Cause::Edit));
        assert_eq!(cause(json!({"order": "stats"})), None);
        assert_eq!(cause(json!({"order": "dream", "operation": ID})), None, "it tells of itself");
        assert!(takes_long(&order(json!({"order": "compact"}))));
        assert!(!takes_long(&order(json!({"order": "stats"}))));
    }
}
