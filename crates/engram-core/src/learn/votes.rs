//! What became of recalls, as votes on which part of a search is right.
//!
//! A recall is one vote, whatever it showed: its pairs are not independent of
//! each other, and counted one by one they made chance look sure of itself. No
//! session has more than its share of the votes, so that nobody can teach a
//! memory alone.

use super::ArmWeights;
use crate::id::SessionId;
use crate::recalled::{Arm, Feedback, Pooled, RecallLogged, Surface};
use crate::unit::Share;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;

/// What is older has no say (S0 6.2).
const WINDOW: SignedDuration = SignedDuration::from_hours(30 * 24);
/// Of each recall so many of the first are looked at.
const LOOKED_AT: usize = 10;
/// Two whose scores are further apart are not decided by a small change. Without
/// this an arm that is merely better would take all, however little the other
/// one adds: the last word has what is undecided.
const CONTESTED: f64 = 0.15;
/// One session has no more votes than this on one day, and on all days no more
/// than this or a third of them. S0's "more than five" is then never met by one
/// session alone.
const OF_ONE_SESSION: usize = 5;
/// A rate that is off the middle by less than so many of its standard deviations
/// may be chance. With 1.64 of them random feedback moved a share by .07.
const DEVIATIONS: f64 = 2.6;
/// Votes that are only to confirm a rate have to be off the middle by so many.
/// Without them a chance that stayed in the log moved a share four times, by .03.
const CONFIRMED: f64 = 1.0;

/// What one recall says, or one memory that was used.
#[derive(Debug, Clone, PartialEq)]
pub struct Vote {
    pub session: Option<SessionId>,
    pub at: Timestamp,
    /// When it was known what became of it.
    pub known_at: Timestamp,
    /// Nothing is learned from it; what was learned is tried on it.
    pub held_out: bool,
    /// How far each word of the subject was right.
    pub prefers: BTreeMap<&'static str, Share>,
}

/// Every third is never learned from. Names are as good as drawn by lot.
pub(super) const fn is_held_out(name: u128) -> bool {
    name % 3 == 2
}

/// Whether it is known what became of this recall, and somebody had asked. What
/// is put before somebody at the start of a session, or beside a command,
/// answers no question; nor does what did not help.
pub(super) fn has_a_say(recall: &RecallLogged, with_model: bool, at: Timestamp) -> bool {
    let asked = matches!(recall.via, Surface::Search | Surface::Prompt | Surface::Tool);
    let lately = at.duration_since(recall.at) <= WINDOW;
    let helped = recall.user_feedback != Some(Feedback::NotHelpful);
    recall.settled_at.is_some() && asked && lately && helped && recall.with_model == with_model
}

/// Every pair of one that was used and one that was not. What nobody was shown
/// nobody could use: it says nothing.
pub(super) fn pairs(recall: &RecallLogged) -> Vec<(&Pooled, &Pooled)> {
    let seen = recall.pool.iter().take(LOOKED_AT).filter(|one| recall.shown.contains(&one.memory));
    let (used, others): (Vec<&Pooled>, Vec<&Pooled>) =
        seen.partition(|one| recall.used.contains(&one.memory));
    used.iter().flat_map(|one| others.iter().map(|other| (*one, *other))).collect()
}

/// What the recalls say of the arms, the oldest first, if `now` is what the arms
/// weigh today. In each, the pairs are looked at about which the arms disagree
/// and which these weights do not clearly decide: the arm that puts the used one
/// higher is right.
pub fn votes_of<'r>(
    recalls: impl IntoIterator<Item = &'r RecallLogged>,
    now: &ArmWeights,
    with_model: bool,
    at: Timestamp,
) -> Vec<Vote> {
    let said = recalls.into_iter().filter(|recall| has_a_say(recall, with_model, at));
    let mut votes: Vec<Vote> = said.filter_map(|recall| vote_of(recall, now)).collect();
    votes.sort_by_key(|vote| vote.at);
    votes
}

fn vote_of(recall: &RecallLogged, now: &ArmWeights) -> Option<Vote> {
    let arms: Vec<Arm> = now.in_play().collect();
    let mut right = vec![0.0; arms.len()];
    let mut told = 0;
    for (used, other) in pairs(recall) {
        let higher = |arm: &Arm| {
            let value = |one: &Pooled| one.value(*arm) * f64::from(one.scale);
            value(used) - value(other)
        };
        let higher: Vec<f64> = arms.iter().map(higher).collect();
        let disagree = higher.iter().any(|by| *by > 0.0) && higher.iter().any(|by| *by < 0.0);
        let contested = (used.score(now) - other.score(now)).abs() <= CONTESTED;
        if disagree && contested {
            told += 1;
            right.iter_mut().zip(higher).for_each(|(right, by)| *right += half_or_whole(by));
        }
    }
    let mean = |right: f64| Share::clamped(right / f64::from(told));
    let prefers = arms.iter().zip(right).map(|(arm, right)| (arm.as_str(), mean(right))).collect();
    let vote = Vote {
        session: recall.session,
        at: recall.at,
        known_at: recall.settled_at?,
        held_out: is_held_out(recall.id.ulid().0),
        prefers,
    };
    (told > 0).then_some(vote)
}

/// One for what is higher, nothing for what is lower, and half between equals.
pub(super) fn half_or_whole(higher_by: f64) -> f64 {
    if higher_by > 0.0 {
        1.0
    } else if higher_by < 0.0 {
        0.0
    } else {
        0.5
    }
}

/// Lets no session have more than its share: five a day, the first ones, and of
/// all days five or a third of what is left, the latest ones. Who has no session
/// counts as one.
pub(super) fn fair<T>(mut all: Vec<T>, from: impl Fn(&T) -> (Option<SessionId>, Timestamp)) -> Vec<T> {
    all.sort_by_key(|one| from(one).1);
    let mut on_day: BTreeMap<(Option<SessionId>, i64), usize> = BTreeMap::new();
    all.retain(|one| {
        let (session, at) = from(one);
        let count = on_day.entry((session, at.as_second().div_euclid(86_400))).or_default();
        *count += 1;
        *count <= OF_ONE_SESSION
    });
    let mut of_session: BTreeMap<Option<SessionId>, usize> = BTreeMap::new();
    all.iter().for_each(|one| *of_session.entry(from(one).0).or_default() += 1);
    let allowed = |most: &usize| {
        let left: usize = of_session.values().map(|count| (*count).min(*most)).sum();
        *most * 3 <= left
    };
    let largest = of_session.values().copied().max().unwrap_or(0);
    let most = (OF_ONE_SESSION + 1..=largest).rev().find(allowed).unwrap_or(OF_ONE_SESSION);
    let mut too_many: BTreeMap<Option<SessionId>, usize> =
        of_session.into_iter().map(|(session, count)| (session, count.saturating_sub(most))).collect();
    all.retain(|one| match too_many.get_mut(&from(one).0) {
        Some(left) if *left > 0 => {
            *left -= 1;
            false
        }
        _ => true,
    });
    all
}

/// How often one word of a subject was right.
#[derive(Debug, Clone, PartialEq)]
pub struct Rate {
    /// An arm, or a reason to keep.
    pub word: &'static str,
    pub rate: Share,
    pub votes: u32,
    /// So many standard deviations it is off the middle.
    pub(crate) off: f64,
    /// There are enough votes, and chance does not give such a rate.
    pub sure: bool,
}

impl Rate {
    /// Whether this rate of the same word, from other votes, is off the middle on
    /// the same side.
    pub(super) fn confirms(&self, other: &Rate) -> bool {
        let side = |rate: &Rate| (rate.rate.get() - 0.5).signum();
        self.word == other.word && side(self) == side(other) && self.off > CONFIRMED
    }
}

/// The rate of every word that the votes speak of; no more than `least` votes
/// are never sure.
pub fn rates(votes: &[Vote], least: u32) -> Vec<Rate> {
    let mut right: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    for (word, share) in votes.iter().flat_map(|vote| &vote.prefers) {
        right.entry(word).or_default().push(share.get());
    }
    let rate = |(word, right): (&'static str, Vec<f64>)| {
        let count = right.len() as f64;
        let rate = right.iter().sum::<f64>() / count;
        let deviation = right.iter().map(|one| (one - 0.5).powi(2)).sum::<f64>().sqrt() / count;
        let off = (rate - 0.5).abs() / deviation;
        let votes = u32::try_from(right.len()).unwrap_or(u32::MAX);
        let sure = votes > least && off > DEVIATIONS;
        Rate { word, rate: Share::clamped(rate), votes, off, sure }
    };
    right.into_iter().map(rate).collect()
}
