//! What a store promises of a team: an outbox that keeps its order, how far was
//! heard, and that both change with what they stand for.

use super::one;
use crate::make::{Steps, newborn};
use engram_core::plan::{plan_pin, plan_purge};
use engram_core::port::{CommitError, Store};
use engram_core::team::{Intent, Outgoing, Position, Waiting};
use engram_core::{Cause, Changes, Memory, Scope, Span, Status, Write};

pub(super) async fn check_outbox(store: &dyn Store, scope: Scope, steps: &mut Steps) {
    assert_eq!(store.outgoing(10).await.unwrap(), []);
    assert_eq!(store.heard().await.unwrap(), None);
    let birth = steps.remember("grue lives in the cellar", scope);
    let memory = newborn(&birth);
    store.commit(birth, Vec::new()).await.unwrap();
    let line = |steps: &mut Steps, intent| {
        let occasion = steps.occasion();
        let (operation, queued_at) = (occasion.operation, occasion.at);
        Outgoing { operation, intent, queued_at, tries: 0, problem: None, refused_at: None }
    };
    let share = line(steps, Intent::Share { memory: Box::new(memory.clone()) });
    let mut withdraw = line(steps, Intent::Withdraw { memory: memory.id });
    // The clock was set back; what was queued first is said first all the same.
    withdraw.queued_at = share.queued_at - Span::from_hours(1);
    let waits = |line: &Outgoing| Waiting { operation: line.operation, newborn: line.awaited() };
    let queue = |outgoing: &Outgoing| Write::Queue { outgoing: Box::new(outgoing.clone()) };
    let heard = |number| Write::Heard { position: Position(number) };
    write(store, steps, vec![queue(&share), heard(7)]).await.unwrap();
    write(store, steps, vec![queue(&withdraw)]).await.unwrap();
    assert_eq!(store.waiting().await.unwrap(), [waits(&share), waits(&withdraw)]);
    assert_eq!(store.waiting().await.unwrap()[0].newborn, Some(memory.id));
    assert_eq!(store.find_outgoing(withdraw.operation).await.unwrap().as_ref(), Some(&withdraw));
    assert_eq!(store.find_outgoing(steps.occasion().operation).await.unwrap(), None);
    assert_eq!(store.count_outgoing().await.unwrap(), 2);
    assert_eq!(store.outgoing(10).await.unwrap(), [share.clone(), withdraw.clone()]);
    assert_eq!(store.outgoing(1).await.unwrap(), vec![share.clone()]);
    assert_eq!(store.heard().await.unwrap(), Some(Position(7)));

    // A line is told again in its place; how far was heard may be set back.
    let share = Outgoing { tries: 1, ..share };
    write(store, steps, vec![queue(&share)]).await.unwrap();
    let at = steps.occasion().at;
    let refused = Outgoing {
        tries: 2,
        problem: Some("not yours".to_owned()),
        refused_at: Some(at),
        ..withdraw.clone()
    };
    write(store, steps, vec![queue(&refused), heard(3)]).await.unwrap();
    assert_eq!(store.outgoing(10).await.unwrap(), [share.clone(), refused.clone()]);
    assert_eq!(store.waiting().await.unwrap(), [waits(&share)]);
    assert_eq!(store.count_outgoing().await.unwrap(), 2);
    assert_eq!(store.heard().await.unwrap(), Some(Position(3)));

    // How much is held is not touched by hearing more.
    assert_eq!(store.held_most().await.unwrap(), None);
    if scope == Scope::Team {
        write(store, steps, vec![Write::Hold { most: Some(70) }]).await.unwrap();
        write(store, steps, vec![heard(3)]).await.unwrap();
        assert_eq!(store.held_most().await.unwrap(), Some(70));
        write(store, steps, vec![Write::Hold { most: None }]).await.unwrap();
        assert_eq!(store.held_most().await.unwrap(), None);
    }

    // Whole or not at all.
    let mut stale = plan_pin(&memory, true, steps.occasion()).unwrap().writes;
    if let Write::Replace { before, .. } = &mut stale[0] {
        before.revision = 77;
    }
    stale.extend([Write::Unqueue { operation: refused.operation }, heard(9)]);
    assert!(matches!(write(store, steps, stale).await, Err(CommitError::Conflict(_))));
    assert_eq!(store.outgoing(10).await.unwrap().len(), 2);
    assert_eq!(store.heard().await.unwrap(), Some(Position(3)));
    write(store, steps, vec![Write::Unqueue { operation: refused.operation }]).await.unwrap();
    assert_eq!(store.outgoing(10).await.unwrap(), [share]);

    // A memory may change and keep its revision, which is the server's.
    let mut shown = Memory { status: Status::Challenged, ..memory.clone() };
    shown.status_change.at = at;
    shown.status_change.reason = "somebody doubts it".to_owned();
    let (before, after) = (Box::new(memory.clone()), Box::new(shown.clone()));
    write(store, steps, vec![Write::Replace { before, after }]).await.unwrap();
    assert_eq!(one(store, memory.id).await, shown);

    // A change of status is a step of its own, or it would be missing in the history.
    let silent = Memory { status: Status::Archived, ..shown.clone() };
    let silent = Write::Replace { before: Box::new(shown.clone()), after: Box::new(silent) };
    assert!(matches!(write(store, steps, vec![silent]).await, Err(CommitError::Refused(_))));
    assert_eq!(one(store, memory.id).await, shown);

    // What carries the words of a purged memory is not said any more.
    let purge = plan_purge(&[shown], steps.occasion()).unwrap();
    store.commit(purge, Vec::new()).await.unwrap();
    assert_eq!(store.outgoing(10).await.unwrap(), []);
}

async fn write(store: &dyn Store, steps: &mut Steps, writes: Vec<Write>) -> Result<(), CommitError> {
    let changes = Changes { cause: Cause::Sync, writes, ..steps.remember("x", Scope::Project) };
    store.commit(changes, Vec::new()).await
}
