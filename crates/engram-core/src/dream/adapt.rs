//! The step in which the search follows what was used: how much each arm counts,
//! and what a memory is kept for where there are too many. What is learned, and
//! what keeps it from doing harm, is decided in `learn`.

use super::Step;
use super::night::{Night, StepPlan};
use crate::learn::{Learned, Lesson, Moved, Past, Subject, learn_keeping, plan_learning};
use crate::rank::Weights;

/// Learns from the recalls that were judged since the last time. `home` are the
/// weights that nobody learned.
pub fn plan_adapt(night: &mut Night<'_>, home: &Weights) -> StepPlan {
    if !night.learning.on {
        return StepPlan::skipped(Step::Adapt, "learning is switched off (learning.weights)");
    }
    let mut plan = StepPlan::new(Step::Adapt);
    plan.looked_at = night.recalls.iter().filter(|recall| recall.settled_at.is_some()).count();
    let mut lessons = plan_learning(&night.recalls, &night.learned, home, &night.learning, night.at);
    let past = Past {
        memories: &night.memories,
        recalls: &night.recalls,
        usages: &night.usages,
        model: night.model,
        importance: night.importance,
    };
    lessons.extend(learn_keeping(&past, &night.learned, &night.learning, night.at));
    for lesson in lessons {
        let Some(told) = told(&lesson) else { continue };
        if let Some(write) = lesson.write() {
            plan.writes.push(write);
            night.learned.retain(|row| row.key != lesson.key);
            night.learned.extend(lesson.after.clone());
        }
        match told {
            Told::Done(what) => plan.tell(None, what, format!("{}: {}", named(&lesson), lesson.reason)),
            Told::Left(what) => plan.spare(None, what, format!("{}: {}", named(&lesson), lesson.reason)),
            Told::Counted => {}
        }
    }
    plan
}

enum Told {
    Done(&'static str),
    /// All stays as it was.
    Left(&'static str),
    /// That it was looked at is kept, and nothing moved.
    Counted,
}

/// None: there is too little to go by, and that is no news.
fn told(lesson: &Lesson) -> Option<Told> {
    Some(match lesson.moved {
        Moved::Moved(_) => Told::Done("learned"),
        Moved::Converged => Told::Left("converged"),
        Moved::RolledBack { .. } => Told::Left("rolled back"),
        Moved::Still => Told::Counted,
        Moved::TooFew { .. } => return None,
    })
}

/// What it is about, with the shares that follow from it.
fn named(lesson: &Lesson) -> String {
    let subject = match lesson.key.subject {
        Subject::Eviction => "what memories are kept for".to_owned(),
        Subject::Arms => {
            let sort = lesson.key.query_type.map_or("all questions", |sort| sort.as_str());
            format!("{sort}{}", if lesson.key.with_model { " beside a model" } else { "" })
        }
    };
    match &lesson.after {
        Some(Learned { shares, .. }) => {
            let share = |(word, share): (&str, crate::unit::Share)| format!("{word} {:.2}", share.get());
            format!("{subject}, {}", shares.iter().map(share).collect::<Vec<_>>().join(" "))
        }
        None => subject,
    }
}
