//! The best few by BM25, without scoring everything that has a word.
//!
//! No posting of a list scores higher than the list's bound. Once the worst of
//! the best so far is better than some lists' bounds together, a slot that is
//! in none but those lists cannot be among the best: such lists are only asked
//! about slots that others bring up. The others are added up over a window of
//! slots at a time, which stays in the nearest cache.
//!
//! What comes out is what scoring everything would have given, to the last bit.

use crate::best::{Best, Candidate};
use crate::text::{Asked, Posting};
use engram_core::MemoryId;

/// Slots that are added up at once; a power of two.
const WINDOW: usize = 2_048;
/// Sums are made in another order than scores, so they may be off in the last
/// bits.
const SLACK: f64 = 1.0 + 1e-9;

/// So many holders are looked at for each hit; a filter may turn some away.
const LOOKS_PER_HIT: usize = 4;

/// A list on its way through the slots.
struct Walk<'t> {
    postings: &'t [Posting],
    /// The place of its term among those asked.
    term: usize,
    worth: f64,
    /// No posting adds more.
    bound: f64,
    /// Where the window began, and the first posting not passed yet.
    from: usize,
    at: usize,
}

impl Walk<'_> {
    /// The posting of a slot that is not before the last one sought.
    fn seek(&mut self, slot: u32) -> Option<&Posting> {
        let left = &self.postings[self.at..];
        let mut reach = 1;
        while reach < left.len() && left[reach].slot <= slot {
            reach *= 2;
        }
        let near = &left[reach / 2..left.len().min(reach + 1)];
        self.at += reach / 2 + near.partition_point(|posting| posting.slot < slot);
        self.postings.get(self.at).filter(|posting| posting.slot == slot)
    }

    /// The posting of a slot within the window.
    fn in_window(&self, slot: u32) -> Option<&Posting> {
        let window = &self.postings[self.from..self.at];
        let place = window.binary_search_by_key(&slot, |posting| posting.slot).ok()?;
        Some(&window[place])
    }
}

impl Asked<'_> {
    /// The best `limit` of those that `admit` names, best first.
    pub(crate) fn best(&self, limit: usize, admit: impl Fn(u32) -> Option<MemoryId>) -> Vec<Candidate> {
        if limit == 0 {
            return Vec::new();
        }
        let mut best = Best::of(limit);
        let floor = self.floor(limit, &admit);
        let mut walks = self.walks();
        let bounds = bounds(&walks, self.terms.len());
        let in_order = in_order(&walks);
        let mut sums = [0.0; WINDOW];
        let mut touched = [0_u64; WINDOW / 64];
        // The walks before this one are only asked.
        let mut leading = 0;
        loop {
            let mut least = best.least().max(floor);
            while leading < walks.len() && bounds[leading + 1] < least {
                leading += 1;
            }
            let (asked, led) = walks.split_at_mut(leading);
            let next = led.iter().filter_map(|walk| walk.postings.get(walk.at)).map(|posting| posting.slot);
            let Some(start) = next.min() else { break };
            for place in in_order.iter().filter_map(|place| place.checked_sub(leading)) {
                self.add_up(&mut led[place], start, &mut sums, &mut touched);
            }
            for (block, word) in touched.iter_mut().enumerate() {
                while *word != 0 {
                    let place = block * 64 + word.trailing_zeros() as usize;
                    *word &= *word - 1;
                    let sum = std::mem::take(&mut sums[place]);
                    if sum * SLACK + bounds[leading] < least {
                        continue;
                    }
                    let slot = start + place as u32;
                    let Some(more) = self.could_reach(least, sum, asked, &bounds, slot) else { continue };
                    if let Some(id) = admit(slot) {
                        // Without more it was added up as any score is.
                        let score = if more { self.score_here(asked, led, slot) } else { sum };
                        best.offer(Candidate { score, id, slot });
                        least = best.least().max(floor);
                    }
                }
            }
        }
        best.into_descending()
    }

    /// A score that enough others have for sure, so that nothing below it need
    /// be looked at from the start: each holder of the most telling term that
    /// is not too rare has what this term gives.
    fn floor(&self, limit: usize, admit: impl Fn(u32) -> Option<MemoryId>) -> f64 {
        let telling = self.terms.iter().find(|term| term.holders.count() >= limit);
        let some =
            telling.into_iter().flat_map(|term| term.holders.all().map(move |posting| (term, posting)));
        let looked_at = some.take(limit.saturating_mul(LOOKS_PER_HIT));
        let scores = looked_at
            .filter(|(_, posting)| admit(posting.slot).is_some())
            .map(|(term, posting)| term.worth * self.saturation.of(posting))
            .take(limit);
        let (found, least) = scores.fold((0, f64::INFINITY), |(n, least), score| (n + 1, least.min(score)));
        if found == limit { least } else { f64::NEG_INFINITY }
    }

    /// The lists that are not empty, those with the lowest bounds first.
    fn walks(&self) -> Vec<Walk<'_>> {
        let mut walks = Vec::with_capacity(2 * self.terms.len());
        for (place, term) in self.terms.iter().enumerate() {
            for list in [&term.holders.once, &term.holders.often] {
                if !list.postings.is_empty() {
                    let bound = term.worth * self.saturation.of(&list.bound()) * SLACK;
                    let postings = list.postings.as_slice();
                    walks.push(Walk { postings, term: place, worth: term.worth, bound, from: 0, at: 0 });
                }
            }
        }
        walks.sort_by(|one, other| one.bound.total_cmp(&other.bound));
        walks
    }

    /// Adds what a list has in the window that begins at `start`.
    fn add_up(
        &self,
        walk: &mut Walk<'_>,
        start: u32,
        sums: &mut [f64; WINDOW],
        touched: &mut [u64; WINDOW / 64],
    ) {
        walk.from = walk.at;
        for posting in &walk.postings[walk.from..] {
            let place = (posting.slot - start) as usize;
            if place >= WINDOW {
                break;
            }
            sums[place] += walk.worth * self.saturation.of(posting);
            touched[place / 64] |= 1 << (place % 64);
            walk.at += 1;
        }
    }

    /// Asks the lists that do not lead, as long as it could still be enough.
    /// Tells whether one of them adds to the sum; None: it is not enough.
    fn could_reach(
        &self,
        least: f64,
        sum: f64,
        asked: &mut [Walk<'_>],
        bounds: &[f64],
        slot: u32,
    ) -> Option<bool> {
        let mut reached = sum * SLACK;
        let mut more = false;
        for (place, walk) in asked.iter_mut().enumerate().rev() {
            if reached + bounds[place + 1] < least {
                return None;
            }
            let worth = walk.worth * SLACK;
            if let Some(posting) = walk.seek(slot) {
                reached += worth * self.saturation.of(posting);
                more = true;
            }
        }
        (reached >= least).then_some(more)
    }

    /// The score of a slot that every list has just been asked about.
    fn score_here(&self, asked: &[Walk<'_>], led: &[Walk<'_>], slot: u32) -> f64 {
        let mut adds = vec![0.0; self.terms.len()];
        for walk in asked {
            if let Some(posting) = walk.postings.get(walk.at).filter(|posting| posting.slot == slot) {
                adds[walk.term] = walk.worth * self.saturation.of(posting);
            }
        }
        for walk in led {
            if let Some(posting) = walk.in_window(slot) {
                adds[walk.term] = walk.worth * self.saturation.of(posting);
            }
        }
        adds.into_iter().sum()
    }
}

/// What the first so many walks can add at most. A slot is in one list of a
/// term only, so each term counts once, with the higher of its bounds.
fn bounds(walks: &[Walk<'_>], terms: usize) -> Vec<f64> {
    let mut highest = vec![0.0_f64; terms];
    let (mut bounds, mut together) = (vec![0.0], 0.0);
    for walk in walks {
        together += walk.bound - highest[walk.term];
        highest[walk.term] = walk.bound;
        bounds.push(together * SLACK);
    }
    bounds
}

/// The places of the walks in the order in which scores are added up.
fn in_order(walks: &[Walk<'_>]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..walks.len()).collect();
    places.sort_by_key(|place| walks[*place].term);
    places
}
