//! In which order memories go where there are more than a scope holds, and what
//! their use teaches about it.
//!
//! A memory's worth is a sum over what speaks for keeping it, and tells itself.
//! How much each reason counts is learned by the same law as the arms of a
//! search: it is asked which of them, a month ago, would have told what was used
//! since.

use super::guard::mean;
use super::lesson::{Lesson, Look, known_since, short};
use super::votes::{Vote, fair, half_or_whole, is_held_out};
use super::{Learned, LearnedKey, LearningSettings, Shares, Subject};
use crate::id::{MemoryId, SessionId};
use crate::kind::{Kind, Tier};
use crate::law::{self, Floor, ImportanceTable, Model};
use crate::memory::Memory;
use crate::recalled::RecallLogged;
use crate::unit::{Importance, MeanUses, Retention, Share, Stability, Utility};
use crate::used::{Outcome, Usage};
use crate::words::words;
use jiff::{SignedDuration, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

words! {
    /// Something that speaks for keeping a memory.
    pub enum Keeping ("reason to keep") {
        /// Its living importance.
        Importance = "importance",
        /// How much is held of it.
        Retention = "retention",
        /// How it served.
        Utility = "utility",
        /// How often it was shown, beside the mean of the store.
        Use = "use",
        /// How long its kind is kept at least.
        Kind = "kind",
    }
}

impl Keeping {
    /// What each counts as long as nothing was learned; the seeds give no
    /// numbers, and S0 leaves the order itself open.
    pub(super) const fn home(self) -> f64 {
        match self {
            Keeping::Importance => 0.3,
            Keeping::Retention => 0.25,
            Keeping::Utility => 0.25,
            Keeping::Use | Keeping::Kind => 0.1,
        }
    }
}

/// What the reasons to keep share as long as nothing was learned.
pub fn home_of_keeping() -> Shares {
    let share = |keeping: &Keeping| (keeping.as_str().to_owned(), Share::clamped(keeping.home()));
    Shares(Keeping::ALL.iter().map(share).collect())
}

const KEY: LearnedKey = LearnedKey { subject: Subject::Eviction, query_type: None, with_model: false };

/// What was learned about the order, if it is about the reasons there are today.
fn row_of(learned: &[Learned]) -> Option<&Learned> {
    stored_of(learned).filter(|row| row.shares.fits(&home_of_keeping()) && !row.is_forgotten())
}

fn stored_of(learned: &[Learned]) -> Option<&Learned> {
    learned.iter().find(|row| row.key == KEY)
}

/// A memory with what it is worth now.
#[derive(Debug, Clone, Copy)]
pub struct Kept<'m> {
    pub memory: &'m Memory,
    /// The living one.
    pub importance: Importance,
    pub held: Retention,
}

/// What speaks for keeping a memory, in the order of `Keeping::ALL`.
type Parts = [Share; Keeping::ALL.len()];

/// The longest that a kind is kept at least, of those that go at all.
const LONGEST_FLOOR: SignedDuration = SignedDuration::from_hours(45 * 24);

fn parts_of(kept: &Kept<'_>, utility: Utility, mean: MeanUses) -> Parts {
    let uses = f64::from(kept.memory.trace.access_count);
    // As often as the mean is half of what there is to gain by it.
    let used = if uses > 0.0 { uses / (uses + mean.get()) } else { 0.0 };
    let parts = [kept.importance.get(), kept.held.get(), utility.get(), used, lasting(kept.memory.kind)];
    parts.map(Share::clamped)
}

fn lasting(kind: Kind) -> f64 {
    match law::kept_at_least(kind) {
        Floor::Permanent => 1.0,
        Floor::Until(age) => age.as_secs_f64() / LONGEST_FLOOR.as_secs_f64(),
    }
}

fn worth_of(parts: &Parts, shares: &Shares) -> f64 {
    let weight = |keeping: &Keeping| shares.of(keeping.as_str()).map_or(0.0, |share| share.get());
    Keeping::ALL.iter().zip(parts).map(|(keeping, part)| weight(keeping) * part.get()).sum()
}

/// What a memory is worth to its store, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Worth {
    pub memory: MemoryId,
    /// Each reason with its value and its weight; the total is what they add.
    pub parts: Vec<(Keeping, Share, Share)>,
    pub total: Share,
}

impl Worth {
    /// Why it is its turn, told to people.
    pub fn reason(&self, place: usize, of: usize) -> String {
        let part = |(keeping, value, weight): &(Keeping, Share, Share)| match keeping {
            Keeping::Use if value.get() == 0.0 => format!("never used x {}", short(*weight)),
            _ => format!("{keeping} {} x {}", short(*value), short(*weight)),
        };
        let parts: Vec<String> = self.parts.iter().map(part).collect();
        format!("{place} of {of} to go, worth {}: {}", short(self.total), parts.join(", "))
    }
}

/// In which order memories go where there are more than the capacity: by what
/// they are worth, then by how long ago they were used. The protected ones are
/// not among them.
pub fn give_up_order(kept: &[Kept<'_>], learned: &[Learned], at: Timestamp) -> Vec<Worth> {
    let shares = row_of(learned).map_or_else(home_of_keeping, |row| row.shares.clone());
    let mean = law::floating_threshold(kept.iter().map(|kept| kept.memory.trace.access_count));
    let mut order: Vec<(Timestamp, Worth)> = kept
        .iter()
        .filter(|kept| law::is_protected(kept.memory, at).is_none())
        .map(|kept| {
            let last_used_at = kept.memory.trace.last_used_at;
            let moved_at = last_used_at.max(kept.memory.updated_at);
            let idle = at.duration_since(moved_at).max(SignedDuration::ZERO);
            let parts = parts_of(kept, law::utility_at(kept.memory.utility, idle), mean);
            let weight = |keeping: Keeping| shares.of(keeping.as_str()).unwrap_or(Share::clamped(0.0));
            let told =
                Keeping::ALL.iter().zip(parts).map(|(keeping, part)| (*keeping, part, weight(*keeping)));
            let total = Share::clamped(worth_of(&parts, &shares));
            (last_used_at, Worth { memory: kept.memory.id, parts: told.collect(), total })
        })
        .collect();
    order.sort_by_key(|(last_used_at, worth)| (worth.total, *last_used_at, worth.memory));
    order.into_iter().map(|(_, worth)| worth).collect()
}

/// It is asked what was worth keeping so long ago, and what was used since.
const SINCE: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A store with its logs, to be looked at as of a month ago. Logs that do not
/// reach back so far say nothing of how memories had served and been used then.
pub struct Past<'a> {
    pub memories: &'a BTreeMap<MemoryId, Arc<Memory>>,
    pub recalls: &'a [RecallLogged],
    pub usages: &'a [Usage],
    pub model: Model,
    pub importance: ImportanceTable,
}

/// The first use of a memory since the cut.
#[derive(Clone, Copy)]
struct FirstUse {
    session: Option<SessionId>,
    at: Timestamp,
    known_at: Timestamp,
}

impl Past<'_> {
    /// What spoke for each memory at the cut, as far as that was known then.
    fn parts_at(&self, cut: Timestamp) -> BTreeMap<MemoryId, Parts> {
        let mut shown: BTreeMap<MemoryId, (u32, Timestamp)> = BTreeMap::new();
        for recall in self.recalls.iter().filter(|recall| recall.at <= cut) {
            for memory in &recall.shown {
                let (uses, last_at) = shown.entry(*memory).or_insert((0, recall.at));
                *uses += 1;
                *last_at = (*last_at).max(recall.at);
            }
        }
        let utilities = self.utilities_at(cut);
        let then: Vec<Memory> = self
            .memories
            .values()
            .filter(|memory| was_kept(memory, cut))
            .map(|memory| rewound(memory, shown.get(&memory.id).copied()))
            .collect();
        let mean = law::floating_threshold(then.iter().map(|memory| memory.trace.access_count));
        let parts = |memory: &Memory| {
            let utility = utilities.get(&memory.id).copied().unwrap_or(Utility::DEFAULT);
            let memory = Memory { utility, ..memory.clone() };
            let held = law::held_at(&memory, self.model, cut);
            let factors = law::factors_of(&memory, 0, held, cut);
            let importance = law::living_importance(&factors, self.importance);
            parts_of(&Kept { memory: &memory, importance, held }, utility, mean)
        };
        then.iter().map(|memory| (memory.id, parts(memory))).collect()
    }

    /// How the memories had served by then.
    fn utilities_at(&self, cut: Timestamp) -> BTreeMap<MemoryId, Utility> {
        let mut utilities: BTreeMap<MemoryId, (Utility, Timestamp)> = BTreeMap::new();
        for usage in self.usages.iter().filter(|usage| usage.at <= cut) {
            let (utility, last_at) = utilities.entry(usage.memory).or_insert((Utility::DEFAULT, usage.at));
            let drifted = law::utility_at(*utility, usage.at.duration_since(*last_at));
            (*utility, *last_at) = (law::utility_after(drifted, usage.outcome), usage.at);
        }
        let now = |(utility, last_at)| law::utility_at(utility, cut.duration_since(last_at));
        utilities.into_iter().map(|(memory, then)| (memory, now(then))).collect()
    }

    /// What was used since the cut and did not merely fail.
    fn used_since(&self, cut: Timestamp) -> BTreeMap<MemoryId, FirstUse> {
        let since: Vec<&Usage> = self.usages.iter().filter(|usage| usage.at > cut).collect();
        let of = |failed: bool| -> BTreeSet<MemoryId> {
            let these = since.iter().filter(|usage| (usage.outcome == Outcome::Failure) == failed);
            these.map(|usage| usage.memory).collect()
        };
        let failed = &of(true) - &of(false);
        let mut used: BTreeMap<MemoryId, FirstUse> = BTreeMap::new();
        for recall in self.recalls.iter().filter(|recall| recall.at > cut) {
            let Some(known_at) = recall.settled_at else { continue };
            for memory in recall.used.iter().filter(|memory| !failed.contains(memory)) {
                let first = FirstUse { session: recall.session, at: recall.at, known_at };
                used.entry(*memory).or_insert(first);
            }
        }
        used
    }
}

/// Whether a memory was kept at the cut, and would have gone then if it had been
/// worth little. What was replaced or taken back since was no matter of worth.
fn was_kept(memory: &Memory, cut: Timestamp) -> bool {
    let since = memory.status_change.at > cut;
    let in_force = memory.status.is_current() || law::has_faded(memory) && since;
    in_force && memory.created_at <= cut && memory.tier != Tier::Codebase && law::guarded(memory).is_none()
}

/// The memory as it was, as far as the log tells. How firmly it was held then is
/// not known, and what it gained by its uses since must not tell of them.
fn rewound(memory: &Memory, shown: Option<(u32, Timestamp)>) -> Memory {
    let (uses, last_used_at) = shown.unwrap_or((0, memory.created_at));
    let mut then = memory.clone();
    then.status = crate::Status::Active;
    then.updated_at = memory.created_at;
    then.trace.access_count = uses;
    then.trace.last_used_at = last_used_at;
    then.trace.stability = Stability::FIRST;
    then.trace.difficulty = None;
    then
}

/// Values in order, to be asked how many lie below one.
struct Below(Vec<f64>);

impl Below {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    /// The share of them below this one; equals count half.
    fn share(&self, value: f64) -> f64 {
        let below = self.0.partition_point(|one| *one < value);
        let equal = self.0[below..].partition_point(|one| half_or_whole(*one - value) == 0.5);
        (below as f64 + equal as f64 / 2.0) / self.0.len() as f64
    }
}

/// What the last month teaches about the order in which memories go. Every
/// memory that was used in it is a vote, by how many of those that were not it
/// would have outlived for each reason alone. None: there is nothing to learn
/// from.
pub fn learn_keeping(
    past: &Past<'_>,
    learned: &[Learned],
    settings: &LearningSettings,
    at: Timestamp,
) -> Option<Lesson> {
    let cut = at.checked_sub(SINCE).ok()?;
    let parts = past.parts_at(cut);
    let used_since = past.used_since(cut);
    let known = |first: &FirstUse| known_since(stored_of(learned), first.known_at);
    let counts = used_since.iter().filter(|(_, first)| known(first));
    let used: Vec<(MemoryId, Parts, FirstUse)> =
        counts.filter_map(|(id, first)| Some((*id, *parts.get(id)?, *first))).collect();
    let unused: Vec<Parts> =
        parts.iter().filter(|(id, _)| !used_since.contains_key(id)).map(|(_, parts)| *parts).collect();
    if unused.is_empty() {
        return None;
    }
    let (held_out, learned_from): (Vec<_>, Vec<_>) =
        used.into_iter().partition(|(id, ..)| is_held_out(id.ulid().0));
    let of_use = |(_, _, first): &(MemoryId, Parts, FirstUse)| (first.session, first.at);
    let (held_out, learned_from) = (fair(held_out, of_use), fair(learned_from, of_use));
    let below: Vec<Below> = (0..Keeping::ALL.len())
        .map(|place| Below::of(unused.iter().map(|parts| parts[place].get())))
        .collect();
    let vote = |held_out: bool, (_, parts, first): &(MemoryId, Parts, FirstUse)| {
        let right = |(place, keeping): (usize, &Keeping)| {
            (keeping.as_str(), Share::clamped(below[place].share(parts[place].get())))
        };
        let prefers = Keeping::ALL.iter().enumerate().map(right).collect();
        Vote { session: first.session, at: first.at, known_at: first.known_at, held_out, prefers }
    };
    let votes = learned_from.iter().map(|one| vote(false, one));
    let votes = votes.chain(held_out.iter().map(|one| vote(true, one))).collect();
    let replay = move |shares: &Shares| {
        let below = Below::of(unused.iter().map(|parts| worth_of(parts, shares)));
        mean(held_out.iter().map(|(_, parts, _)| below.share(worth_of(parts, shares))))
    };
    let row = row_of(learned);
    let now = row.map_or_else(home_of_keeping, |row| row.shares.clone());
    let stored = stored_of(learned);
    let look = Look {
        key: KEY,
        stored,
        learned: row,
        now,
        home: home_of_keeping(),
        votes,
        replay: Box::new(replay),
    };
    look.lesson(settings, at)
}
