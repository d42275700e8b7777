//! Recalls of which it is known what became of them, and lots to draw.

use crate::ask::{Intent, QueryType};
use crate::id::{MemoryId, RecallId, SessionId};
use crate::kind::Scope;
use crate::law::sample::day;
use crate::recalled::{Pooled, RecallLogged, Strategy, Surface};
use crate::unit::Confidence;
use ulid::Ulid;

pub(super) fn id(number: u128) -> MemoryId {
    MemoryId::from_ulid(Ulid(number))
}

/// One candidate: what words and table say of it, and whether it was used.
pub(super) type One = (f64, f64, bool);

/// A recall on day zero that showed all of these. Every third number is held out.
pub(super) fn recall(number: u128, pool: &[One]) -> RecallLogged {
    let pooled = |(place, (words, table, _)): (usize, &One)| Pooled {
        memory: id(place as u128),
        words: *words as f32,
        table: *table as f32,
        model: 0.0,
        graph: 0.0,
        rest: 0.0,
        scale: 1.0,
    };
    let used = pool.iter().enumerate().filter(|(_, (.., used))| *used);
    RecallLogged {
        id: RecallId::from_ulid(Ulid(number)),
        via: Surface::Prompt,
        query: format!("question {number}"),
        query_type: QueryType::HowTo,
        intent: Intent::General,
        strategy: Strategy::Hybrid,
        results_returned: pool.len() as u32,
        results_used: 0,
        user_feedback: None,
        latency_ms: 1.0,
        scopes: vec![Scope::Project],
        with_model: false,
        shown: (0..pool.len()).map(|place| id(place as u128)).collect(),
        pool: pool.iter().enumerate().map(pooled).collect(),
        used: used.map(|(place, _)| id(place as u128)).collect(),
        settled_at: Some(day(0.0)),
        confidence: Confidence::clamped(0.5),
        // Each asked in a session of its own, unless a test says otherwise.
        session: Some(SessionId::from_ulid(Ulid(number))),
        at: day(0.0),
    }
}

/// One used and one not; words or the table are right, and it is contested.
pub(super) fn says(number: u128, words_are_right: bool) -> RecallLogged {
    let (used, other) = if words_are_right { ((0.6, 0.4), (0.4, 0.6)) } else { ((0.4, 0.6), (0.6, 0.4)) };
    recall(number, &[(used.0, used.1, true), (other.0, other.1, false)])
}

/// Numbers that look drawn by lot, and are the same every time.
pub(super) struct Lot(pub u64);

impl Lot {
    pub(super) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Around zero, with a deviation of one.
    pub(super) fn normal(&mut self) -> f64 {
        let (one, other) = (self.unit().max(1e-12), self.unit());
        (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * other).cos()
    }

    /// What words and table say of some memories, the first of which answers; an
    /// arm is as strong as it tells that one from the others. Both agree a little
    /// by chance.
    pub(super) fn question(&mut self, words: f64, table: f64) -> Vec<(f64, f64)> {
        (0..8)
            .map(|place| {
                let (common, answers) = (self.normal() * 0.3_f64.sqrt(), if place == 0 { 1.0 } else { 0.0 });
                let mut said =
                    |strength: f64| (strength * answers + common + 0.7_f64.sqrt() * self.normal()) / 3.0;
                (said(words), said(table))
            })
            .collect()
    }
}
