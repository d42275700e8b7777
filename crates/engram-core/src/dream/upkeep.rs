//! The steps that follow from time and use alone. Each looks at every memory;
//! none reads a text.

use super::Step;
use super::night::{Night, StepPlan};
use super::note::{ConsolidationLogged, ConsolidationMethod, ConsolidationRequest, Note, RequestStatus};
use crate::change::{Cause, Write};
use crate::id::MemoryId;
use crate::kind::Tier;
use crate::law::{self, ArchivalRule, FLASHBULB_IMPORTANCE, FLASHBULB_STABILITY};
use crate::learn::{Kept, give_up_order};
use crate::memory::{Memory, RelationKind};
use crate::recalled::Surface;
use crate::remind::Reminder;
use crate::status::{Status, StatusChange};
use crate::unit::{Importance, Stability, Utility};
use jiff::SignedDuration;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What was said to hold until a moment is put away after it.
pub fn plan_expire(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Expire);
    for memory in night.current() {
        plan.looked_at += 1;
        let over = memory.validity.valid_until.filter(|until| *until <= night.at);
        // A reminder waits for its occasion, however late that is.
        let stays = law::guarded(&memory).is_some() || Reminder::of(&memory).is_some();
        let Some(until) = over.filter(|_| !stays) else { continue };
        let day = until.strftime("%Y-%m-%d");
        night.put(
            &mut plan,
            memory.id,
            Status::Archived,
            ArchivalRule::Expired.reason(&format!("until {day}")),
        );
    }
    plan
}

/// What is new becomes active, what was worth nothing from the start is put
/// away, and every deadline is that of the curve in force.
pub fn plan_fade(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Fade);
    for memory in night.current() {
        plan.looked_at += 1;
        let (id, at) = (memory.id, night.at);
        if law::born_worthless(&memory, at) {
            let told = format!("importance {:.2}", memory.importance.get());
            let reason = ArchivalRule::Worthless.reason(&told);
            night.put(&mut plan, id, Status::Archived, reason);
        } else if law::activates(&memory, at) {
            night.put(&mut plan, id, Status::Active, "an hour old".to_owned());
        } else if night.stand(&mut plan, id, |_| {}) {
            plan.tell(id, "deadline", format!("by the curve {}", night.model));
        }
    }
    plan
}

/// Below this utility the rules of archival look at a memory.
const BAD_NAME: f64 = 0.2;

/// Utility drifts back to the middle with idle days and is read so at any time;
/// what has arrived there is written down. What somebody protects keeps the
/// utility it has earned, and what was told of a memory counts from then.
pub fn plan_settle(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Settle);
    for memory in night.current() {
        plan.looked_at += 1;
        let since = memory.trace.last_used_at.max(memory.updated_at);
        let idle = night.at.duration_since(since).max(SignedDuration::ZERO);
        let drifted = law::utility_at(memory.utility, idle);
        // What earned a bad name is put away for it, not cleared of it.
        let earned = memory.utility.get() < BAD_NAME;
        if drifted != Utility::DEFAULT
            || drifted == memory.utility
            || earned
            || law::guarded(&memory).is_some()
        {
            continue;
        }
        if night.stand(&mut plan, memory.id, |memory| memory.utility = drifted) {
            let why = format!("{} days without use, from {:.2}", days(idle), memory.utility.get());
            plan.tell(memory.id, "utility .5", why);
        }
    }
    plan
}

/// What going over a memory does to its stability.
const REHEARSED: f64 = 1.5;
/// Rehearsals are a day apart.
const REHEARSE_EVERY: SignedDuration = SignedDuration::from_hours(24);

/// What proved useful and is about to fade is made more stable. It does not
/// count as use: neither the count nor the last use changes.
pub fn plan_rehearse(night: &mut Night<'_>) -> StepPlan {
    if night.since(Step::Rehearse).is_some_and(|since| since < REHEARSE_EVERY) {
        return StepPlan::skipped(Step::Rehearse, "it was done less than a day ago");
    }
    let mut plan = StepPlan::new(Step::Rehearse);
    let mut endangered: Vec<(Importance, MemoryId)> = Vec::new();
    for memory in night.current() {
        plan.looked_at += 1;
        // What nobody ever used has proved nothing that would be worth it.
        if memory.trace.access_count > 0 && law::wants_rehearsal(&memory, night.held(&memory)) {
            endangered.push((night.living(&memory), memory.id));
        }
    }
    endangered.sort_by(|one, other| other.0.cmp(&one.0).then(one.1.cmp(&other.1)));
    plan.left = endangered.len().saturating_sub(night.caps.rehearsals);
    for (_, id) in endangered.into_iter().take(night.caps.rehearsals) {
        let held = night.memories.get(&id).map_or(0.0, |memory| night.held(memory).get());
        if night.stand(&mut plan, id, |memory| memory.trace.stability = times(memory, REHEARSED)) {
            plan.tell(id, "rehearsed", format!("retention {held:.2} of the seeds' scale, stability x 1.5"));
        }
    }
    plan
}

/// What a person said in great excitement is kept safe. Once: who takes the pin
/// out again is not overruled.
pub fn plan_emotional(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Emotional);
    for memory in night.current() {
        plan.looked_at += 1;
        let kept = memory.pinned || memory.importance.get() >= FLASHBULB_IMPORTANCE;
        if kept || !law::was_flashbulb(&memory) {
            continue;
        }
        let done = night.stand(&mut plan, memory.id, |memory| {
            memory.pinned = true;
            memory.importance = Importance::clamped(FLASHBULB_IMPORTANCE);
            memory.trace.stability = times(memory, FLASHBULB_STABILITY);
        });
        if done {
            plan.tell(memory.id, "pinned", "said in great excitement: importance .9, stability x 1.5");
        }
    }
    plan
}

/// What being shown together once more does to stability, and how often two
/// have to have been shown together for it.
const TOGETHER_STABILITY: f64 = 1.02;
const TOGETHER_TIMES: u32 = 3;
/// Of one answer so many are looked at: what stands further down was shown to
/// nobody.
const SHOWN: usize = 10;

/// What was shown together often enough since the last time grows stronger
/// together.
pub fn plan_replay(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Replay);
    let since = night.before.get(&Step::Replay).copied();
    let mut pairs: BTreeMap<(MemoryId, MemoryId), (u32, bool)> = BTreeMap::new();
    for recall in night.recalls.iter().filter(|recall| recall.via != Surface::SessionStart) {
        plan.looked_at += 1;
        let new = since.is_none_or(|since| recall.at > since);
        let mut shown: Vec<MemoryId> = recall.shown.iter().take(SHOWN).copied().collect();
        shown.sort();
        shown.dedup();
        for (place, one) in shown.iter().enumerate() {
            for other in &shown[place + 1..] {
                let (times, fresh) = pairs.entry((*one, *other)).or_default();
                *times += 1;
                *fresh |= new;
            }
        }
    }
    let often = pairs.into_iter().filter(|(_, (times, fresh))| *times >= TOGETHER_TIMES && *fresh);
    let together: BTreeSet<MemoryId> = often.flat_map(|((one, other), _)| [one, other]).collect();
    for id in together {
        let here = |memory: &Memory| memory.status.is_current() && memory.tier != Tier::Codebase;
        if night.memories.get(&id).is_some_and(|memory| here(memory))
            && night.stand(&mut plan, id, |memory| memory.trace.stability = times(memory, TOGETHER_STABILITY))
        {
            plan.tell(id, "replayed", "shown three times or more beside the same memory, stability x 1.02");
        }
    }
    plan
}

/// What is told of a store that holds more than it should, and may give up none.
pub const FULL: &str = "above the capacity";

/// What has faded is put away by the first rule that fits, what was put away
/// long ago loses its text, and a store above its capacity gives up what is
/// worth least.
pub fn plan_forget(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Forget);
    let current = night.current();
    let mean = night.mean_uses();
    let doubted = contradicted(night);
    let mut gone: Vec<MemoryId> = Vec::new();
    for memory in &current {
        plan.looked_at += 1;
        let rule = match doubted.contains(&memory.id) {
            true => Some(ArchivalRule::Contradicted),
            false => law::archival_rule(memory, night.held(memory), mean, night.at),
        };
        let Some(rule) = rule else { continue };
        let reason = rule.reason(&told(night, memory));
        if night.put(&mut plan, memory.id, Status::Archived, reason) {
            gone.push(memory.id);
        }
    }
    if let Some(most) = night.capacity {
        let left = night.current();
        let surplus = left.len().saturating_sub(most);
        if surplus > 0 {
            let kept = |memory| Kept { memory, importance: night.living(memory), held: night.held(memory) };
            let kept: Vec<Kept<'_>> = left.iter().map(|memory| kept(memory)).collect();
            let order = give_up_order(&kept, &night.learned, night.at);
            for (place, worth) in order.iter().enumerate().take(surplus) {
                let told = format!("more than {most} memories, {}", worth.reason(place + 1, order.len()));
                let reason = ArchivalRule::Capacity.reason(&told);
                if night.put(&mut plan, worth.memory, Status::Archived, reason) {
                    gone.push(worth.memory);
                }
            }
            let stay = surplus.saturating_sub(order.len());
            if stay > 0 {
                let told = format!(
                    "{} memories, {most} are allowed: {stay} too many stay, because all that are left are \
                     protected or not as old as their kind is kept at least",
                    left.len()
                );
                plan.spare(None, FULL, told);
            }
        }
    }
    forget_archived(night, &mut plan);
    if !gone.is_empty() {
        let logged = ConsolidationLogged {
            operation: night.dream,
            number: 0,
            method: ConsolidationMethod::DecayArchive,
            sources: gone,
            results: Vec::new(),
            at: night.at,
        };
        plan.writes.push(Write::Note { note: Box::new(Note::Consolidated(logged)) });
    }
    let active = count_active(night);
    if active > law::MOST_ACTIVE && night.request.is_none() {
        let request = ConsolidationRequest {
            requested_at: night.at,
            status: RequestStatus::Pending,
            reason: format!("{active} memories are active, more than {}", law::MOST_ACTIVE),
            completed_at: None,
        };
        plan.tell(None, "consolidation requested", request.reason.clone());
        plan.writes.push(Write::Note { note: Box::new(Note::Request(request.clone())) });
        night.request = Some(request);
    } else {
        answer_request(night, &mut plan, false);
    }
    plan
}

fn count_active(night: &Night<'_>) -> usize {
    let active = |memory: &Arc<Memory>| matches!(memory.status, Status::Created | Status::Active);
    night.current().into_iter().filter(active).count()
}

/// A request is answered when no more are active than should be; when something
/// was summed up for it, it is under way.
pub(super) fn answer_request(night: &mut Night<'_>, plan: &mut StepPlan, summed_up: bool) {
    let active = count_active(night);
    let Some(mut request) = night.request.take() else { return };
    if active <= law::MOST_ACTIVE {
        request.status = RequestStatus::Completed;
        request.completed_at = Some(night.at);
        plan.tell(None, "consolidation request answered", format!("{active} memories are active"));
    } else if summed_up && request.status == RequestStatus::Pending {
        request.status = RequestStatus::InProgress;
        night.request = Some(request.clone());
    } else {
        night.request = Some(request);
        return;
    }
    plan.writes.push(Write::Note { note: Box::new(Note::Request(request)) });
}

/// What was put away long ago, and would have faded to nothing, keeps its place
/// and loses its text.
fn forget_archived(night: &mut Night<'_>, plan: &mut StepPlan) {
    let archived: Vec<MemoryId> = night
        .memories
        .values()
        .filter(|memory| memory.status == Status::Archived)
        .filter(|memory| {
            let held = law::held_unfrozen_at(memory, night.model, night.at);
            law::is_forgettable(memory, held, night.at)
        })
        .map(|memory| memory.id)
        .collect();
    for id in archived {
        plan.looked_at += 1;
        let at = night.at;
        let reason = "archived for 90 days and faded to nothing";
        let done = night.rewrite(plan, id, |memory| {
            memory.status = Status::Forgotten;
            memory.status_change = StatusChange { at, reason: reason.to_owned(), cause: Cause::Dream };
            memory.clear_text();
        });
        if done {
            plan.tell(id, Status::Forgotten.as_str(), reason);
        }
    }
}

/// The older side of each contradiction that nobody is asked about any more.
fn contradicted(night: &Night<'_>) -> BTreeSet<MemoryId> {
    let mut older = BTreeSet::new();
    for edge in night.edges.iter().filter(|edge| edge.kind == RelationKind::Contradicts) {
        let sides = [edge.from, edge.to].map(|id| night.memories.get(&id));
        let [Some(one), Some(other)] = sides else { continue };
        let both = one.status.is_current() && other.status.is_current();
        // Who was asked has decided that both may stay, or has yet to decide.
        if both && !night.is_reviewed(one.id, other.id) {
            older.extend(law::contradicted(one, other, night.at).map(|memory| memory.id));
        }
    }
    older
}

fn told(night: &Night<'_>, memory: &Memory) -> String {
    let idle = night.at.duration_since(memory.trace.last_used_at).max(SignedDuration::ZERO);
    format!(
        "importance {:.2}, retention {:.2} of the seeds' scale, utility {:.2}, {} uses, idle {} days",
        memory.importance.get(),
        night.held(memory).get(),
        memory.utility.get(),
        memory.trace.access_count,
        days(idle)
    )
}

fn times(memory: &Memory, factor: f64) -> Stability {
    Stability::clamped(memory.trace.stability.get() * factor)
}

fn days(span: SignedDuration) -> i64 {
    span.as_hours() / 24
}
