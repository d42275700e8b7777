//! From the votes to what is learned: one look at one key, with its reason.
//!
//! Nothing is written before something moves. What was learned is looked at
//! again when there are new votes, and after it has stood still three times only
//! when there are many.

use super::arms::in_force;
use super::guard::{WORSE, replayed};
use super::nudge::{between, nudged};
use super::votes::{fair, has_a_say, is_held_out, rates, votes_of};
use super::{ArmWeights, Learned, LearnedKey, LearningSettings, ROLLED_BACK, Rate, SETTLED_AFTER, Shares};
use super::{Subject, Vote};
use crate::ask::QueryType;
use crate::change::Write;
use crate::rank::Weights;
use crate::recalled::RecallLogged;
use crate::unit::Share;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// A move by less than this is none.
const STILL: f64 = 0.005;
/// What has settled is looked at again after so many more votes (S0 10).
const WAKES_AFTER: usize = 50;

/// What a look at the votes came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Moved {
    Moved(Shares),
    /// There was nothing to move.
    Still,
    /// There was nothing to move for the third time in a row.
    Converged,
    TooFew {
        votes: u32,
    },
    /// What nobody learned from would have been answered worse.
    RolledBack {
        before: Share,
        after: Share,
    },
}

/// One look at the votes on one key, and what is to be kept of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    pub key: LearnedKey,
    pub moved: Moved,
    /// Told to people.
    pub reason: String,
    pub before: Option<Learned>,
    /// None: still the defaults.
    pub after: Option<Learned>,
}

impl Lesson {
    /// What is to be written. None: all stays as it was.
    pub fn write(&self) -> Option<Write> {
        let row = |row: &Option<Learned>| row.clone().map(Box::new);
        (self.before != self.after)
            .then(|| Write::Learn { before: row(&self.before), after: row(&self.after) })
    }
}

/// How well shares do where nothing was learned from. None: there is nothing to
/// tell by.
type Replay<'l> = Box<dyn Fn(&Shares) -> Option<Share> + 'l>;

/// What a look goes by.
pub(super) struct Look<'l> {
    pub(super) key: LearnedKey,
    /// What is kept under this key,
    pub(super) stored: Option<&'l Learned>,
    /// if it is about the parts there are today.
    pub(super) learned: Option<&'l Learned>,
    /// What is in force.
    pub(super) now: Shares,
    pub(super) home: Shares,
    /// All of them, also those that are held out; no session has too many.
    pub(super) votes: Vec<Vote>,
    pub(super) replay: Replay<'l>,
}

impl Look<'_> {
    fn rates_of(&self, some: impl Fn(&Vote) -> bool, least: u32) -> Vec<Rate> {
        rates(&self.votes.iter().filter(|vote| some(vote)).cloned().collect::<Vec<_>>(), least)
    }

    /// What the votes say that may be learned from. A rate is sure only if the
    /// votes that are held out say the same.
    fn rates(&self, least: u32) -> Vec<Rate> {
        let held_out = self.rates_of(|vote| vote.held_out, 0);
        confirmed(self.rates_of(|vote| !vote.held_out, least), &held_out)
    }

    /// Those that may move something: the votes that have come since the last
    /// look have to say the same. What moved a share once does not move it again
    /// by itself.
    fn moving_rates(&self, least: u32) -> Vec<Rate> {
        let looked_at = self.learned.map(|row| row.updated_at);
        let since = self.rates_of(|vote| looked_at.is_none_or(|looked_at| vote.known_at > looked_at), 0);
        confirmed(self.rates(least), &since)
    }

    /// None: there is nothing new to learn from.
    pub(super) fn lesson(&self, settings: &LearningSettings, at: Timestamp) -> Option<Lesson> {
        let new = match self.learned {
            Some(row) => self.votes.iter().filter(|vote| vote.known_at > row.updated_at).count(),
            None => self.votes.len(),
        };
        let count =
            u32::try_from(self.votes.iter().filter(|vote| !vote.held_out).count()).unwrap_or(u32::MAX);
        if !settings.on || new == 0 || self.learned.is_some() && new <= settings.least as usize {
            return None;
        }
        let told = |moved, reason: String| self.told(moved, reason, count, at);
        let too_few = |why: &str| told(Moved::TooFew { votes: count }, format!("{count} votes, {why}"));
        if count <= settings.least {
            return Some(too_few(&format!("more than {} are needed", settings.least)));
        }
        let Some(done) = (self.replay)(&self.now) else {
            return Some(too_few("and none to try it on"));
        };
        if self.learned.is_some()
            && let Some(by_default) = (self.replay)(&self.home)
            && by_default.get() > done.get() + WORSE
        {
            let back = between(&self.now, &self.home, 0.5);
            let numbers = format!("held out {} against {}", short(by_default), short(done));
            return Some(told(
                Moved::Moved(back),
                format!("the default does better, {numbers}: halfway back"),
            ));
        }
        if self.learned.is_some_and(Learned::has_converged) && new < WAKES_AFTER {
            return None;
        }
        let rates = self.moving_rates(settings.least);
        let next = nudged(&self.now, &self.home, &rates, settings);
        let why = best_of(&rates);
        if next.apart(&self.now).get() < STILL {
            let still = self.learned.map_or(0, |row| row.still + 1);
            let moved = if still >= SETTLED_AFTER { Moved::Converged } else { Moved::Still };
            return Some(told(moved, format!("{why}, nothing to move")));
        }
        let after = (self.replay)(&next).unwrap_or(done);
        let held_out = format!("held out {} -> {}", short(done), short(after));
        if after < done {
            let moved = Moved::RolledBack { before: done, after };
            return Some(told(moved, format!("{ROLLED_BACK}{held_out}")));
        }
        Some(told(Moved::Moved(next), format!("{why}, {held_out}")))
    }

    fn told(&self, moved: Moved, reason: String, votes: u32, at: Timestamp) -> Lesson {
        let row = |shares: &Shares, updates, still, reason: String| Learned {
            key: self.key,
            shares: shares.clone(),
            votes,
            updates,
            still,
            reason,
            updated_at: at,
        };
        let after = match (&moved, self.learned) {
            (Moved::Moved(shares), row_before) => {
                Some(row(shares, row_before.map_or(0, |before| before.updates) + 1, 0, reason.clone()))
            }
            // Why the shares are what they are is still the same.
            (Moved::Still | Moved::Converged, Some(before)) => {
                Some(row(&before.shares, before.updates, before.still + 1, before.reason.clone()))
            }
            (Moved::RolledBack { .. }, Some(before)) => {
                Some(row(&before.shares, before.updates, before.still + 1, reason.clone()))
            }
            _ => self.stored.cloned(),
        };
        Lesson { key: self.key, moved, reason, before: self.stored.cloned(), after }
    }
}

/// These rates; sure are only those that others say as well.
fn confirmed(mut rates: Vec<Rate>, by: &[Rate]) -> Vec<Rate> {
    for rate in &mut rates {
        rate.sure = rate.sure && by.iter().any(|other| other.confirms(rate));
    }
    rates
}

/// The rate that is furthest from the middle: "words right in 68 % of 31".
fn best_of(rates: &[Rate]) -> String {
    let off = |rate: &&Rate| Share::clamped((rate.rate.get() - 0.5).abs());
    match rates.iter().max_by_key(off) {
        Some(best) => format!("{} right in {:.0} % of {}", best.word, 100.0 * best.rate.get(), best.votes),
        None => "no votes".to_owned(),
    }
}

/// Two places, without the zero before the point.
pub(super) fn short(share: Share) -> String {
    let text = format!("{:.2}", share.get());
    text.strip_prefix('0').map(str::to_owned).unwrap_or(text)
}

/// Whether something that is known since `known_at` has a say: what was known
/// when everything was forgotten has none.
pub(super) fn known_since(stored: Option<&Learned>, known_at: Timestamp) -> bool {
    stored.is_none_or(|row| !row.is_forgotten() || known_at > row.updated_at)
}

/// Every key of the arms, that of all types together first.
fn keys() -> impl Iterator<Item = LearnedKey> {
    let types = || std::iter::once(None).chain(QueryType::ALL.iter().copied().map(Some));
    [false, true].into_iter().flat_map(move |with_model| {
        types().map(move |query_type| LearnedKey { subject: Subject::Arms, query_type, with_model })
    })
}

/// What there is to go by for one key. None: fewer than two arms are in play.
fn look<'l>(
    key: LearnedKey,
    recalls: &'l [RecallLogged],
    learned: &'l [Learned],
    home: &Weights,
    at: Timestamp,
) -> Option<Look<'l>> {
    let arms = ArmWeights::of(home, key.with_model);
    let home = arms.shares().filter(|_| arms.in_play().count() > 1)?;
    let row_of = |key: LearnedKey| in_force(learned, key).filter(|row| row.shares.fits(&home));
    let stored = learned.iter().find(|row| row.key == key);
    // A type begins where all types are together.
    let now = row_of(key).map_or_else(|| home.clone(), |row| row.shares.clone());
    // The same question again is no new evidence: it counts as it was answered last.
    let mut by_question: BTreeMap<&str, &RecallLogged> = BTreeMap::new();
    let of_key = recalls
        .iter()
        .filter(|recall| key.query_type.is_none_or(|query_type| query_type == recall.query_type))
        .filter(|recall| has_a_say(recall, key.with_model, at))
        .filter(|recall| recall.settled_at.is_some_and(|known_at| known_since(stored, known_at)));
    for recall in of_key {
        let last = by_question.entry(&recall.query).or_insert(recall);
        if recall.at >= last.at {
            *last = recall;
        }
    }
    let of_key: Vec<&RecallLogged> = by_question.into_values().collect();
    let weighing = move |shares: &Shares| arms.sharing(shares, |_| true);
    let votes = votes_of(of_key.iter().copied(), &weighing(&now), key.with_model, at);
    let (held_out, learned_from): (Vec<Vote>, Vec<Vote>) = votes.into_iter().partition(|vote| vote.held_out);
    let of_vote = |vote: &Vote| (vote.session, vote.at);
    let votes = fair(learned_from, of_vote).into_iter().chain(fair(held_out, of_vote)).collect();
    let held_out: Vec<&RecallLogged> =
        of_key.into_iter().filter(|recall| is_held_out(recall.id.ulid().0)).collect();
    let held_out = fair(held_out, |recall| (recall.session, recall.at));
    Some(Look {
        key,
        stored,
        learned: stored.filter(|row| row.shares.fits(&home) && !row.is_forgotten()),
        now,
        home,
        votes,
        replay: Box::new(move |shares| replayed(held_out.iter().copied(), &weighing(shares))),
    })
}

/// What the log of recalls teaches about the arms of the search, for every type
/// of question and for all together; `home` are the weights without anything
/// learned. A key about which nothing new is known is not among them.
pub fn plan_learning(
    recalls: &[RecallLogged],
    learned: &[Learned],
    home: &Weights,
    settings: &LearningSettings,
    at: Timestamp,
) -> Vec<Lesson> {
    let look = |key| look(key, recalls, learned, home, at)?.lesson(settings, at);
    keys().filter_map(look).collect()
}

/// How often each arm is right, for every type of question that has votes, and
/// for all together.
pub fn effectiveness(
    recalls: &[RecallLogged],
    learned: &[Learned],
    home: &Weights,
    settings: &LearningSettings,
    at: Timestamp,
) -> Vec<(LearnedKey, Vec<Rate>)> {
    let rates = |key| Some((key, look(key, recalls, learned, home, at)?.rates(settings.least)));
    keys().filter_map(rates).filter(|(_, rates)| !rates.is_empty()).collect()
}
