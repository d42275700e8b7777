//! What the use of memories does to them: as somebody tells it, of one memory or
//! of a whole answer, and as it was seen.
//!
//! What is told is a change that can be taken back. What was seen is
//! bookkeeping: it moves the utility and leaves no operation, or every change
//! before it could no longer be undone. Nothing here makes a memory truer.

use super::{CannotChange, Occasion, edited, replace};
use crate::change::{Actor, Cause, Changes, Inverse, Operation, Write};
use crate::id::MemoryId;
use crate::law::{self, Model};
use crate::learn::Learned;
use crate::memory::{Memory, Trace};
use crate::recalled::{Feedback, Judged, Rating, RecallLogged};
use crate::used::{EvidenceSource, Outcome, Usage};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A memory, with how using it went and what was done to it, both oldest first:
/// enough to know what somebody said of it before, and who that was.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    pub memory: Memory,
    pub usages: Vec<Usage>,
    pub done: Vec<Operation>,
}

/// What was said before and no longer counts, because something else is said in
/// its place.
#[derive(Debug)]
struct Earlier<'t> {
    usage: &'t Usage,
    /// What the memory had been before that was said. None: nobody knows any more.
    trace: Option<&'t Trace>,
    teller: Option<Actor>,
}

impl Told {
    /// One of which nothing is known but what it says.
    pub const fn nothing_of(memory: Memory) -> Self {
        Self { memory, usages: Vec::new(), done: Vec::new() }
    }

    /// What this takes the place of. Of one answer whatever was said last counts,
    /// whoever said it. Of a memory what one agent says in one session counts
    /// once a day, or a single one of them could bring a memory down in a second
    /// by saying the same again and again. What a person says counts each time.
    fn given_way(&self, usage: &Usage, speaker: Actor) -> Option<Earlier<'_>> {
        self.usages.iter().rev().map(|told| self.earlier(told)).find(|earlier| {
            let told = earlier.usage;
            let of_one_answer = [told, usage].iter().all(|it| it.source == EvidenceSource::Feedback)
                && told.recall.is_some()
                && told.recall == usage.recall;
            let of_agents = speaker != Actor::Human && earlier.teller.is_some_and(|by| by != Actor::Human);
            let of_one_share = of_agents
                && matches!(told.source, EvidenceSource::Told | EvidenceSource::Feedback)
                && told.session == usage.session
                && day_of(told.at) == day_of(usage.at);
            of_one_answer || of_one_share
        })
    }

    /// Who said this, and what the memory had been before, by what was done.
    fn earlier<'t>(&'t self, told: &'t Usage) -> Earlier<'t> {
        let by = self.told_by(told);
        // What was said in the place of something else began where that began.
        let mut first = by;
        for _ in 0..self.done.len() {
            let instead = first.and_then(|operation| {
                operation.inverse.iter().find_map(|inverse| match inverse {
                    Inverse::Record { usage } if usage.memory == self.memory.id => Some(&**usage),
                    _ => None,
                })
            });
            match instead {
                Some(older) => first = self.told_by(older),
                None => break,
            }
        }
        let trace = first.and_then(|operation| {
            operation.inverse.iter().find_map(|inverse| match inverse {
                Inverse::Restore { before, .. } if before.id == self.memory.id => Some(&before.trace),
                _ => None,
            })
        });
        Earlier { usage: told, trace, teller: by.map(|operation| operation.actor) }
    }

    /// What was done when this was said.
    fn told_by(&self, told: &Usage) -> Option<&Operation> {
        let says = |inverse: &Inverse| matches!(inverse, Inverse::Unrecord { usage } if **usage == *told);
        self.done.iter().find(|operation| operation.inverse.iter().any(says))
    }
}

fn day_of(at: Timestamp) -> jiff::civil::Date {
    at.to_zoned(TimeZone::UTC).date()
}

/// Somebody used it and tells how that went: it proves more useful or less,
/// stays longer or shorter, and is no truer. The row is about this memory,
/// whichever one it names.
///
/// The curve is still read from the last use: what is told of a memory does not
/// show it again, and so the telling can be taken back whole.
pub fn plan_outcome(
    told: &Told,
    model: Model,
    usage: Usage,
    occasion: Occasion,
) -> Result<Changes, CannotChange> {
    Ok(occasion.changes(Cause::Outcome, told_of(told, model, usage, occasion)?))
}

/// Somebody says of an answer whether it helped, which is told of each of these
/// memories. Those of one answer may lie in several stores, and each store is
/// told of its own (`credited_by`); the one whose log has the answer is told of
/// the `rating`, too.
pub fn plan_feedback(
    memories: &[Told],
    recall: &RecallLogged,
    feedback: Feedback,
    rating: Option<Rating>,
    model: Model,
    occasion: Occasion,
) -> Result<Changes, CannotChange> {
    let outcome = outcome_of(feedback);
    let mut writes: Vec<Write> =
        rating.into_iter().map(|rating| Write::Rate { rating: Box::new(rating) }).collect();
    for told in memories {
        let usage = Usage {
            source: EvidenceSource::Feedback,
            recall: Some(recall.id),
            session: recall.session,
            ..Usage::told(told.memory.id, outcome, occasion.at)
        };
        writes.extend(told_of(told, model, usage, occasion)?);
    }
    Ok(occasion.changes(Cause::Feedback, writes))
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

fn told_of(told: &Told, model: Model, usage: Usage, occasion: Occasion) -> Result<Vec<Write>, CannotChange> {
    let memory = &told.memory;
    let usage = Usage { memory: memory.id, ..usage };
    let earlier = told.given_way(&usage, occasion.actor);
    if earlier.as_ref().is_some_and(|it| it.teller == Some(Actor::Human)) && occasion.actor != Actor::Human {
        return Err(CannotChange::JudgedByAPerson(memory.id));
    }
    let mut after = edited(memory, occasion)?;
    let drifted = law::utility_now(memory, occasion.at);
    let before = earlier.as_ref().map_or(drifted, |it| law::utility_without(drifted, it.usage.outcome));
    after.utility = law::utility_after_evidence(before, usage.outcome, usage.source);
    let grade = law::grade_of(usage.outcome);
    let used = |trace: &Trace| (trace.access_count, trace.last_used_at);
    after.trace = match &earlier {
        None => law::graded_at(memory, model, grade, occasion.at),
        // Graded anew from where it was; with a use in between, it stays as that
        // left it.
        Some(Earlier { trace: Some(trace), .. }) if used(trace) == used(&memory.trace) => {
            let ungraded = Memory { trace: (*trace).clone(), ..memory.clone() };
            law::graded_at(&ungraded, model, grade, occasion.at)
        }
        Some(_) => memory.trace.clone(),
    };
    let mut writes = vec![replace(memory, after)];
    writes.extend(earlier.map(|it| Write::Unrecord { usage: Box::new(it.usage.clone()) }));
    writes.push(Write::Record { usage: Box::new(usage) });
    Ok(writes)
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
        let changes =
            plan_outcome(&Told::nothing_of(memory.clone()), Model::DEFAULT, usage, occasion()).unwrap();
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
            let told = both.clone().map(Told::nothing_of);
            let changes =
                plan_feedback(&told, &recall, feedback, rating, Model::DEFAULT, occasion()).unwrap();
            assert_eq!((changes.cause, changes.writes.len()), (Cause::Feedback, 5));
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

    /// A memory of which one thing after another is told, each by somebody, in a
    /// session or in none, on a day.
    fn telling(said: &[(Actor, Option<&str>, f64, Outcome)]) -> (Told, Vec<Changes>) {
        let mut told = Told::nothing_of(useful(1, 0.5));
        let mut all = Vec::new();
        for (number, (actor, session, days, outcome)) in said.iter().enumerate() {
            let operation = OperationId::from_ulid(ulid::Ulid(100 + number as u128));
            let at = day(*days);
            let occasion = Occasion { operation, actor: *actor, at, recorded_at: at };
            let session = session.map(SessionId::named);
            let usage = Usage { session, ..Usage::told(told.memory.id, *outcome, at) };
            let changes = plan_outcome(&told, Model::DEFAULT, usage, occasion).unwrap();
            apply(&mut told, &changes);
            all.push(changes);
        }
        (told, all)
    }

    fn apply(told: &mut Told, changes: &Changes) {
        for write in &changes.writes {
            match write {
                Write::Replace { after, .. } => told.memory = Memory::clone(after),
                Write::Record { usage } => told.usages.push(Usage::clone(usage)),
                Write::Unrecord { usage } => told.usages.retain(|known| *known != **usage),
                Write::Rate { .. } => {}
                other => panic!("{other:?}"),
            }
        }
        told.done.push(changes.log_entry());
    }

    #[test]
    fn what_one_agent_tells_of_a_memory_in_a_day_counts_once_and_the_last_of_it() {
        use {Actor::Assistant, Outcome::*};
        let minutes = |number: u32| 10.0 + f64::from(number) / 1_440.0;
        for session in [None, Some("s")] {
            let said: Vec<_> = (0..10).map(|number| (Assistant, session, minutes(number), Failure)).collect();
            let (ten, _) = telling(&said);
            let (one, _) = telling(&said[..1]);
            assert_eq!(ten.usages.len(), 1);
            assert!((ten.memory.utility.get() - one.memory.utility.get()).abs() < 1e-4, "{:?}", ten.memory);
            assert!((ten.memory.trace.stability.get() - one.memory.trace.stability.get()).abs() < 1e-2);
            let (otherwise, all) = telling(&[said[0], (Assistant, session, minutes(1), Success)]);
            assert_eq!((otherwise.usages.len(), otherwise.usages[0].outcome), (1, Success));
            assert!((otherwise.memory.utility.get() - 0.55).abs() < 1e-3, "{:?}", otherwise.memory.utility);
            assert!(matches!(&all[1].writes[1], Write::Unrecord { usage } if usage.outcome == Failure));
            let inverse = all[1].log_entry().inverse;
            assert!(
                matches!(&inverse[..], [Inverse::Unrecord { .. }, Inverse::Record { usage }, Inverse::Restore { .. }]
                    if usage.outcome == Failure),
                "taken back, the first counts again: {inverse:?}"
            );
        }
    }

    #[test]
    fn another_session_another_day_and_a_person_count_for_themselves() {
        use {Actor::*, Outcome::Failure};
        for (other, rows) in [
            ((Assistant, Some("s"), 10.2), 1),
            ((Assistant, Some("other"), 10.2), 2),
            ((Assistant, None, 10.2), 2),
            ((Assistant, Some("s"), 11.2), 2),
            ((Human, Some("s"), 10.2), 2),
        ] {
            let (actor, session, days) = other;
            let (told, _) =
                telling(&[(Assistant, Some("s"), 10.1, Failure), (actor, session, days, Failure)]);
            assert_eq!(told.usages.len(), rows, "{other:?}");
        }
        let (told, _) = telling(&[(Human, None, 10.1, Failure)]);
        let (again, _) = telling(&[(Human, None, 10.1, Failure), (Human, None, 10.2, Failure)]);
        assert_eq!((told.usages.len(), again.usages.len()), (1, 2), "what a person tells counts as ever");
        assert!(again.memory.utility < told.memory.utility);
        let (both, _) = telling(&[(Human, None, 10.1, Failure), (Assistant, None, 10.2, Failure)]);
        assert_eq!(both.usages.len(), 2, "an agent takes nothing from a person");
    }

    #[test]
    fn who_changes_his_mind_about_an_answer_is_counted_once() {
        let mut told = Told::nothing_of(useful(1, 0.5));
        let recall = answer(&[&told.memory], &[]);
        let say = |told: &Told, feedback, number: u128, actor| {
            let operation = OperationId::from_ulid(ulid::Ulid(number));
            let occasion = Occasion { operation, actor, ..occasion() };
            plan_feedback(std::slice::from_ref(told), &recall, feedback, None, Model::DEFAULT, occasion)
        };
        let first = say(&told, Feedback::Helpful, 1, Actor::Human).unwrap();
        apply(&mut told, &first);
        let agent = say(&told, Feedback::NotHelpful, 2, Actor::Assistant);
        assert_eq!(agent, Err(CannotChange::JudgedByAPerson(told.memory.id)));
        let second = say(&told, Feedback::NotHelpful, 3, Actor::Human).unwrap();
        apply(&mut told, &second);
        assert_eq!((told.usages.len(), told.usages[0].outcome), (1, Outcome::Failure));
        assert!((told.memory.utility.get() - 0.45).abs() < 1e-9, "{:?}", told.memory.utility);
        let alone = {
            let mut alone = Told::nothing_of(useful(1, 0.5));
            let only = say(&alone, Feedback::NotHelpful, 4, Actor::Human).unwrap();
            apply(&mut alone, &only);
            alone
        };
        assert_eq!(told.memory.trace, alone.memory.trace, "as if only the last had been said");
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
