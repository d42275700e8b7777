//! What a store promises where something is written twice, is gone, or changes its
//! status in silence: what rows do by themselves, and maps would do in another way.

use super::one;
use crate::make::{Steps, newborn};
use engram_core::advice::DecidedBy;
use engram_core::change::{Standing, Upkeep};
use engram_core::decision::{Action, Decision};
use engram_core::port::{CommitError, Store};
use engram_core::used::{Promotion, PromotionReason};
use engram_core::{Cause, Changes, Memory, Relation, RelationKind, Scope, SessionId, Status, TurnId, Write};

pub(super) async fn check_twice(store: &dyn Store, scope: Scope, steps: &mut Steps) {
    let births = [steps.remember("the lamp is brass", scope), steps.remember("the lamp is lit", scope)];
    let [lamp, light] = [newborn(&births[0]), newborn(&births[1])];
    for birth in births {
        store.commit(birth, Vec::new()).await.unwrap();
    }
    let write = async |steps: &mut Steps, cause, writes| {
        store.commit(Changes { cause, writes, ..steps.remember("x", scope) }, Vec::new()).await
    };
    let refused = |outcome: Result<(), CommitError>| matches!(outcome, Err(CommitError::Refused(_)));

    // An edge goes with its end, and may be drawn again in the same change.
    let edge = Relation::certain(lamp.id, RelationKind::RelatedTo, light.id, steps.occasion().at);
    let relate = || Write::Relate { relation: edge.clone() };
    let remove = |memory: &Memory| Write::Remove { memory: Box::new(memory.clone()) };
    write(steps, Cause::Remember, vec![relate()]).await.unwrap();
    let again = vec![remove(&light), Write::Create { memory: Box::new(light.clone()) }, relate()];
    write(steps, Cause::Remember, again).await.unwrap();
    assert_eq!(store.load_relations(vec![light.id]).await.unwrap(), [edge]);

    // No change of status is silent, whichever way it comes.
    let silent = Memory { status: Status::Archived, ..lamp.clone() };
    assert!(refused(store.record_use(vec![silent.clone()]).await));
    let change = Upkeep { id: lamp.id, before: Standing::of(&lamp), after: Standing::of(&silent) };
    let upkeep = vec![Write::Upkeep { change: Box::new(change) }];
    assert!(refused(write(steps, Cause::Dream, upkeep).await));
    assert_eq!(one(store, lamp.id).await, lamp);

    // A fact of a turn is decided once.
    let turn: TurnId = "01ARZ3NDEKTSV4RRFFQ69G5FB0".parse().unwrap();
    let decision = |number, reason: &str| Decision {
        turn,
        number,
        action: Action::Create,
        memory: Some(lamp.id),
        other: None,
        fact: None,
        reason: reason.to_owned(),
        similarity: None,
        by: DecidedBy::Heuristic,
        at: lamp.created_at,
    };
    let read = |decisions| vec![Write::Read { turn, decisions }];
    write(steps, Cause::Capture, read(vec![decision(1, "it is new")])).await.unwrap();
    assert!(refused(write(steps, Cause::Capture, read(vec![decision(1, "once more")])).await));
    write(steps, Cause::Capture, read(vec![decision(0, "it is first")])).await.unwrap();
    let decided = store.decisions_on(lamp.id).await.unwrap();
    assert_eq!(decided, [decision(0, "it is first"), decision(1, "it is new")]);

    // What went up at one moment went up once, as it was told last.
    let session = SessionId::named("a dark place");
    let promotion = |score| Promotion {
        memory: lamp.id,
        session: Some(session),
        from: Scope::Session,
        to: Scope::Project,
        kind: lamp.kind,
        reason: PromotionReason::Score,
        score,
        merged_into: None,
        at: lamp.created_at,
    };
    for score in [0.25, 0.75] {
        let writes = vec![Write::Promote { promotion: Box::new(promotion(score)) }];
        write(steps, Cause::Promote, writes).await.unwrap();
    }
    assert_eq!(store.promotions_from(session).await.unwrap(), [promotion(0.75)]);

    // Use changes nothing but the traces of use, and brings nothing back.
    let mut used = Memory { content: "the lamp is gold".to_owned(), ..lamp.clone() };
    used.trace.access_count += 1;
    store.record_use(vec![used.clone()]).await.unwrap();
    assert_eq!(one(store, lamp.id).await, Memory { content: lamp.content.clone(), ..used.clone() });
    write(steps, Cause::Undo, vec![remove(&lamp), remove(&light)]).await.unwrap();
    store.record_use(vec![used]).await.unwrap();
    assert!(store.load(vec![lamp.id]).await.unwrap().is_empty());
}
