//! What the use of memories does to them: as somebody tells it, of one memory or
//! of a whole answer, and as it was seen.
//!
//! What is told is a change that can be taken back. What was seen is
//! bookkeeping: it moves the utility and leaves no operation, or every change
//! before it could no longer be undone. Nothing here makes a memory truer.

use super::{CannotChange, Occasion, edited, replace};
use crate::change::{Cause, Changes, Write};
use crate::id::MemoryId;
use crate::law::{self, Model};
use crate::learn::Learned;
use crate::memory::Memory;
use crate::recalled::{Feedback, Judged, Rating, RecallLogged};
use crate::used::{EvidenceSource, Outcome, Usage};
use jiff::Timestamp;

/// Somebody used it and tells how that went: it proves more useful or less,
/// stays longer or shorter, and is no truer. The row is about this memory,
/// whichever one it names.
///
/// The curve is still read from the last use: what is told of a memory does not
/// show it again, and so the telling can be taken back whole.
pub fn plan_outcome(
    memory: &Memory,
    model: Model,
    usage: Usage,
    occasion: Occasion,
) -> Result<Changes, CannotChange> {
    Ok(occasion.changes(Cause::Outcome, told_of(memory, model, usage, occasion)?.into()))
}

/// Somebody says of an answer whether it helped, which is told of each of these
/// memories. Those of one answer may lie in several stores, and each store is
/// told of its own (`credited_by`); the one whose log has the answer is told of
/// the `rating`, too.
pub fn plan_feedback(
    memories: &[Memory],
    recall: &RecallLogged,
    feedback: Feedback,
    rating: Option<Rating>,
    model: Model,
    occasion: Occasion,
) -> Result<Changes, CannotChange> {
    let outcome = outcome_of(feedback);
    let mut writes: Vec<Write> =
        rating.into_iter().map(|rating| Write::Rate { rating: Box::new(rating) }).collect();
    for memory in memories {
        let usage = Usage {
            source: EvidenceSource::Feedback,
            recall: Some(recall.id),
            session: recall.session,
            ..Usage::told(memory.id, outcome, occasion.at)
        };
        writes.extend(told_of(memory, model, usage, occasion)?);
    }
    Ok(occasion.changes(Cause::Outcome, writes))
}

/// What the log says of an answer once somebody has said this of it, and that
/// these were meant: they were used, unless they did not help. None: it says so
/// already.
pub fn rating_of(
    recall: &RecallLogged,
    feedback: Feedback,
    credited: &[MemoryId],
    at: Timestamp,
) -> Option<Rating> {
    let before = Judged::of(recall);
    let mut after = Judged { feedback: Some(feedback), ..before.clone() };
    if feedback != Feedback::NotHelpful {
        after.used.extend(credited.iter().filter(|id| !before.used.contains(id)));
    }
    after.settled_at = before.settled_at.or(Some(at));
    (before != after).then_some(Rating { recall: recall.id, before, after })
}

/// How using what an answer showed went, by what somebody says of the answer.
pub const fn outcome_of(feedback: Feedback) -> Outcome {
    match feedback {
        Feedback::Helpful => Outcome::Success,
        Feedback::PartiallyHelpful => Outcome::Partial,
        Feedback::NotHelpful => Outcome::Failure,
    }
}

/// What was learned is forgotten, and is not learned again from the same; the
/// defaults are in force.
pub fn plan_unlearn(learned: &[Learned], occasion: Occasion) -> Changes {
    let forget = |row: &Learned| {
        let after = Some(Box::new(row.forgotten(occasion.at)));
        Write::Learn { before: Some(Box::new(row.clone())), after }
    };
    let known = learned.iter().filter(|row| !row.is_forgotten());
    occasion.changes(Cause::Learn, known.map(forget).collect())
}

/// Of which memories somebody speaks who says that an answer helped or did not:
/// those that are named, else those that were used, else the only one that was
/// shown. Of several that nobody took up, none is meant.
pub fn credited_by(recall: &RecallLogged, named: &[MemoryId]) -> Result<Vec<MemoryId>, CannotChange> {
    let mut credited: Vec<MemoryId> = Vec::new();
    for id in named {
        if !recall.shown.contains(id) {
            return Err(CannotChange::NotShown(*id));
        }
        if !credited.contains(id) {
            credited.push(*id);
        }
    }
    if credited.is_empty() {
        match &recall.shown[..] {
            [only] if recall.used.is_empty() => credited.push(*only),
            _ => credited.clone_from(&recall.used),
        }
    }
    Ok(credited)
}

fn told_of(
    memory: &Memory,
    model: Model,
    usage: Usage,
    occasion: Occasion,
) -> Result<[Write; 2], CannotChange> {
    let mut after = edited(memory, occasion)?;
    let before = law::utility_now(memory, occasion.at);
    after.utility = law::utility_after_evidence(before, usage.outcome, usage.source);
    after.trace = law::graded_at(memory, model, law::grade_of(usage.outcome), occasion.at);
    let usage = Box::new(Usage { memory: memory.id, ..usage });
    Ok([replace(memory, after), Write::Record { usage }])
}

/// What was seen of the use of a memory does to its utility, and to nothing
/// else. The first step is taken from what the utility had drifted to by then;
/// an immutable memory is left as it is.
pub fn plan_evidence(memory: &Memory, usages: &[Usage]) -> Memory {
    let mut after = memory.clone();
    let mut seen: Vec<&Usage> = usages.iter().filter(|usage| usage.memory == memory.id).collect();
    seen.sort_by_key(|usage| (usage.at, usage.source));
    if let Some(first) = seen.first().filter(|_| !memory.immutable) {
        let drifted = law::utility_now(memory, first.at);
        after.utility = seen.iter().fold(drifted, |utility, usage| {
            law::utility_after_evidence(utility, usage.outcome, usage.source)
        });
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::{Intent, QueryType};
    use crate::change::{Actor, Inverse};
    use crate::id::{OperationId, RecallId, SessionId};
    use crate::law::sample::{day, memory};
    use crate::recalled::{Strategy, Surface};
    use crate::unit::{Confidence, Utility};

    fn occasion() -> Occasion {
        let operation = OperationId::from_ulid(ulid::Ulid(77));
        Occasion { operation, actor: Actor::Human, at: day(50.0), recorded_at: day(50.0) }
    }

    fn useful(number: u64, utility: f64) -> Memory {
        Memory { utility: Utility::clamped(utility), ..memory(number) }
    }

    fn answer(shown: &[&Memory], used: &[&Memory]) -> RecallLogged {
        let ids = |memories: &[&Memory]| memories.iter().map(|memory| memory.id).collect::<Vec<_>>();
        let (at, session) = (day(49.0), Some(SessionId::named("s")));
        RecallLogged {
            id: RecallId::of(at, session, "q"),
            via: Surface::Search,
            query: "q".to_owned(),
            query_type: QueryType::General,
            intent: Intent::General,
            strategy: Strategy::Hybrid,
            results_returned: shown.len() as u32,
            results_used: 0,
            user_feedback: None,
            latency_ms: 1.0,
            scopes: Vec::new(),
            with_model: false,
            shown: ids(shown),
            pool: Vec::new(),
            used: ids(used),
            settled_at: None,
            confidence: Confidence::DEFAULT,
            session,
            at,
        }
    }

    fn seen(memory: &Memory, outcome: Outcome, source: EvidenceSource, days: f64) -> Usage {
        Usage { source, ..Usage::told(memory.id, outcome, day(days)) }
    }

    #[test]
    fn the_step_is_taken_from_the_drifted_utility() {
        // Fifty idle days take .9 half of the way to the middle.
        let memory = useful(1, 0.9);
        let usage = Usage::told(memory.id, Outcome::Success, day(50.0));
        let changes = plan_outcome(&memory, Model::DEFAULT, usage, occasion()).unwrap();
        let Write::Replace { after, .. } = &changes.writes[0] else { panic!("{changes:?}") };
        assert!((after.utility.get() - 0.73).abs() < 1e-9, "{:?}", after.utility);
        let seen = [seen(&memory, Outcome::Success, EvidenceSource::Check, 50.0)];
        assert!((plan_evidence(&memory, &seen).utility.get() - 0.73).abs() < 1e-9);
    }

    #[test]
    fn evidence_moves_the_utility_and_nothing_else() {
        use {EvidenceSource::*, Outcome::*};
        let (memory, other) = (useful(1, 0.5), useful(2, 0.5));
        let usages = [
            seen(&memory, Failure, Correction, 0.2),
            seen(&memory, Success, Reuse, 0.1),
            seen(&other, Failure, Check, 0.1),
        ];
        let after = plan_evidence(&memory, &usages);
        assert!((after.utility.get() - 0.525 * 0.9).abs() < 1e-9, "in order of time: {:?}", after.utility);
        assert_eq!(Memory { utility: memory.utility, ..after }, memory);
        assert_eq!(plan_evidence(&memory, &usages[2..]), memory);
        let fixed = Memory { immutable: true, ..memory };
        assert_eq!(plan_evidence(&fixed, &usages), fixed);
    }

    #[test]
    fn feedback_speaks_of_the_named_else_of_the_used_else_of_the_only_one() {
        let [a, b, c] = [1, 2, 3].map(memory);
        let meant = |recall: &RecallLogged, named: &[&Memory]| {
            let named: Vec<MemoryId> = named.iter().map(|memory| memory.id).collect();
            credited_by(recall, &named)
        };
        let used = answer(&[&a, &b], &[&b]);
        assert_eq!(meant(&used, &[&a, &a]), Ok(vec![a.id]));
        assert_eq!(meant(&used, &[]), Ok(vec![b.id]));
        assert_eq!(meant(&answer(&[&a, &b], &[]), &[]), Ok(Vec::new()), "nobody knows which");
        assert_eq!(meant(&answer(&[&a], &[]), &[]), Ok(vec![a.id]));
        assert_eq!(meant(&answer(&[], &[]), &[]), Ok(Vec::new()));
        assert_eq!(meant(&used, &[&c]), Err(CannotChange::NotShown(c.id)));
    }

    #[test]
    fn feedback_is_an_outcome_of_each_and_can_be_taken_back() {
        let both = [useful(1, 0.5), useful(2, 0.5)];
        let recall = answer(&[&both[0], &both[1]], &[]);
        for (feedback, utility) in
            [(Feedback::Helpful, 0.55), (Feedback::PartiallyHelpful, 0.5), (Feedback::NotHelpful, 0.45)]
        {
            let meant = [both[0].id, both[1].id];
            let rating = rating_of(&recall, feedback, &meant, day(50.0));
            let changes =
                plan_feedback(&both, &recall, feedback, rating, Model::DEFAULT, occasion()).unwrap();
            assert_eq!((changes.cause, changes.writes.len()), (Cause::Outcome, 5));
            let Write::Replace { after, .. } = &changes.writes[3] else { panic!("{changes:?}") };
            assert!((after.utility.get() - utility).abs() < 1e-9 && after.id == both[1].id);
            let Write::Record { usage } = &changes.writes[4] else { panic!("{changes:?}") };
            assert_eq!((usage.source, usage.recall), (EvidenceSource::Feedback, Some(recall.id)));
            assert_eq!((usage.session, usage.memory), (recall.session, both[1].id));
            let Write::Rate { rating } = &changes.writes[0] else { panic!("{changes:?}") };
            let used = if feedback == Feedback::NotHelpful { Vec::new() } else { meant.to_vec() };
            assert_eq!((rating.added(), rating.dropped()), (used, Vec::new()));
            let inverse = changes.log_entry().inverse;
            assert_eq!(inverse.len(), 5, "the rows of the logs go as well");
            assert_eq!(inverse[0], Inverse::Unrecord { usage: usage.clone() });
            assert_eq!(inverse[4], Inverse::Rate { rating: Box::new(rating.reversed()) });
        }
    }

    #[test]
    fn what_the_log_says_already_is_not_said_again() {
        let one = useful(1, 0.5);
        let mut recall = answer(&[&one], &[]);
        let said = rating_of(&recall, Feedback::Helpful, &[one.id], day(50.0)).unwrap();
        assert_eq!(said.before, Judged::default());
        let Judged { feedback, used, settled_at } = said.after;
        (recall.user_feedback, recall.used, recall.settled_at) = (feedback, used, settled_at);
        assert_eq!(rating_of(&recall, Feedback::Helpful, &[one.id], day(51.0)), None);
        let otherwise = rating_of(&recall, Feedback::NotHelpful, &[one.id], day(51.0)).unwrap();
        assert_eq!(otherwise.after.settled_at, Some(day(50.0)));
    }
}
