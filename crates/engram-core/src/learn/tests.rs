//! What is learned is a whole, and every change of it is told.

mod evict;
mod keys;
mod laws;
mod scene;

use super::*;
use crate::change::{Actor, Changes, Write};
use crate::id::OperationId;
use crate::plan::{Occasion, plan_undo};

fn shares(words: f64, table: f64) -> Result<Shares, NotWhole> {
    let parts = [("words", words), ("table", table)];
    Shares::new(parts.map(|(word, share)| (word.to_owned(), Share::clamped(share))).into())
}

fn learned(words: f64, reason: &str) -> Learned {
    Learned {
        key: LearnedKey { subject: Subject::Arms, query_type: Some(QueryType::HowTo), with_model: false },
        shares: shares(words, 1.0 - words).unwrap(),
        votes: 9,
        updates: 1,
        still: 0,
        reason: reason.to_owned(),
        updated_at: Timestamp::UNIX_EPOCH,
    }
}

#[test]
fn shares_that_are_no_whole_are_refused_in_every_form() {
    assert!(shares(0.6, 0.4).is_ok());
    assert_eq!(shares(0.6, 0.5), Err(NotWhole { found: 1.1 }));
    assert!(Shares::new(BTreeMap::new()).is_err());
    assert!(serde_json::from_str::<Shares>(r#"{"words": 0.6, "table": 0.5}"#).is_err());
    let whole: Shares = serde_json::from_str(r#"{"words": 0.6, "table": 0.4}"#).unwrap();
    assert_eq!(Ok(whole), shares(0.6, 0.4));
}

#[test]
fn the_history_tells_what_changed_and_why() {
    let at = Timestamp::from_second(9).unwrap();
    let (one, other) = (learned(0.6, "six votes"), learned(0.7, "nine votes"));
    let change = |before, after, cause| WeightChange::of(before, after, cause, at);
    let told = change(Some(&one), Some(&other), Cause::Dream).unwrap();
    assert_eq!((told.reason.as_str(), told.at), ("nine votes", at));
    assert_eq!((told.before, told.after), (Some(one.shares.clone()), Some(other.shares.clone())));
    assert_eq!(change(Some(&one), None, Cause::Learn).unwrap().reason, "reset");
    assert_eq!(change(Some(&other), Some(&one), Cause::Undo).unwrap().reason, "taken back");
    // A try that was not kept leaves the shares, and is told.
    let refused = learned(0.6, "rolled back");
    assert!(change(Some(&one), Some(&refused), Cause::Dream).is_some());
    let seen_again = Learned { votes: 12, ..one.clone() };
    assert_eq!(change(Some(&one), Some(&seen_again), Cause::Dream), None);
    assert_eq!(change(None, None, Cause::Dream), None);
}

#[test]
fn a_reset_can_be_undone() {
    let at = Timestamp::from_second(9).unwrap();
    let occasion = |number: u128| {
        let operation = OperationId::from_ulid(ulid::Ulid(number));
        Occasion { operation, actor: Actor::Human, at, recorded_at: at }
    };
    let row = Box::new(learned(0.6, "six votes"));
    let reset = Changes {
        operation: occasion(1).operation,
        cause: Cause::Learn,
        actor: Actor::Human,
        at,
        undoes: None,
        part_of: None,
        writes: vec![Write::Learn { before: Some(row.clone()), after: None }],
    };
    assert!(reset.is_logged());
    let undo = plan_undo(&reset.log_entry(), &BTreeMap::new(), occasion(2)).unwrap();
    assert_eq!(undo.writes, [Write::Learn { before: None, after: Some(row) }]);
    let again = plan_undo(&undo.log_entry(), &BTreeMap::new(), occasion(3)).unwrap();
    assert_eq!(again.writes, reset.writes);
}
