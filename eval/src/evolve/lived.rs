//! Weights that learn: cycle after cycle questions are asked and judged, and
//! after each the law of learning looks at the log, as it does in a dream.
//!
//! What an answer would be is read off the pools: each arm's word of a memory
//! is known, so that it is ranked again with the weights of the day. What that
//! is worth on other questions is measured elsewhere, by asking.

use super::asked::Pool;
use super::feedback::Judge;
use crate::texts::Dice;
use anyhow::{Context as _, Result};
use engram_core::learn::{
    ArmWeights, Learned, LearnedKey, LearningSettings, Shares, Subject, applied, plan_learning,
};
use engram_core::rank::Weights;
use engram_core::recalled::{Arm, Pooled, RecallLogged, Surface};
use engram_core::{RecallId, Scope, SessionId, Span, Timestamp};
use std::collections::BTreeSet;

/// So many questions lie between two looks at the log: so much feedback is
/// needed before anything shifts (S0 10).
pub(crate) const A_CYCLE: usize = 50;
/// So many are asked in one session, which is as many votes as one may have.
const A_SESSION: usize = 5;
/// A cycle is a day, so that thirty of them are in the log (S0 6.2).
const DAY: Span = Span::from_hours(24);
const IN_THE_LOG: i64 = 30;
/// An agent is shown so many.
const SHOWN: usize = 10;
/// Of so many the log keeps what each arm said, as the engine does.
const POOLED: usize = 20;

/// Some who ask, and how they judge.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crowd {
    pub(crate) judge: Judge,
    /// All that they ask is asked in one session that never ends.
    pub(crate) one_session: bool,
}

/// What does not change in a life.
pub(crate) struct Life<'a> {
    pub(crate) pools: &'a [Pool],
    pub(crate) home: Weights,
    pub(crate) with_model: bool,
    pub(crate) settings: LearningSettings,
    pub(crate) cycles: usize,
}

impl Life<'_> {
    /// What was learned at the end of each cycle, where each of these crowds
    /// asks a cycle's questions.
    pub(crate) fn live(&self, crowds: &[Crowd], seed: u64) -> Result<Vec<Vec<Learned>>> {
        let mut dice = Dice::new(seed.wrapping_mul(0x9E37_79B9).wrapping_add(7));
        let mut at: Timestamp = "2026-01-01T00:00:00Z".parse()?;
        let mut log: Vec<RecallLogged> = Vec::new();
        let mut learned: Vec<Learned> = Vec::new();
        let mut cycles = Vec::with_capacity(self.cycles);
        for cycle in 0..self.cycles {
            for (who, crowd) in crowds.iter().enumerate() {
                for number in 0..A_CYCLE {
                    let drawn = dice.below(self.pools.len().max(1) as u64) as usize;
                    let pool = self.pools.get(drawn).context("no question has an answer")?;
                    let session = match crowd.one_session {
                        true => format!("{who}"),
                        false => format!("{who}, {cycle}, {}", number / A_SESSION),
                    };
                    let asked_at = at + Span::from_secs(60 * i64::try_from(number)?);
                    let session = SessionId::named(&session);
                    log.push(self.asked(pool, &learned, crowd.judge, session, asked_at, &mut dice));
                }
            }
            at += DAY;
            let oldest = at - Span::from_hours(24 * IN_THE_LOG);
            log.retain(|recall| recall.at > oldest);
            for lesson in plan_learning(&log, &learned, &self.home, &self.settings, at) {
                learned.retain(|row| row.key != lesson.key);
                learned.extend(lesson.after);
            }
            cycles.push(learned.clone());
        }
        Ok(cycles)
    }

    /// One question, answered with the weights of the day and judged at once.
    fn asked(
        &self,
        pool: &Pool,
        learned: &[Learned],
        judge: Judge,
        session: SessionId,
        at: Timestamp,
        dice: &mut Dice,
    ) -> RecallLogged {
        let weights = applied(self.home, learned, pool.query_type, self.with_model, &BTreeSet::new());
        let weights = ArmWeights::of(&weights, self.with_model);
        let mut ranked = pool.found.clone();
        ranked.sort_by(|(one, _), (other, _)| other.score(&weights).total_cmp(&one.score(&weights)));
        let shown = &ranked[..SHOWN.min(ranked.len())];
        let used = judge.used(shown, dice);
        RecallLogged {
            id: RecallId::of(at, Some(session), &pool.question),
            via: Surface::Search,
            query: pool.question.clone(),
            query_type: pool.query_type,
            intent: pool.intent,
            strategy: pool.strategy,
            results_returned: u32::try_from(shown.len()).unwrap_or(u32::MAX),
            results_used: u32::try_from(used.len()).unwrap_or(u32::MAX),
            user_feedback: None,
            latency_ms: 0.0,
            scopes: vec![Scope::Project],
            with_model: self.with_model,
            shown: shown.iter().map(|(pooled, _)| pooled.memory).collect(),
            pool: ranked.iter().take(POOLED).map(|(pooled, _)| *pooled).collect::<Vec<Pooled>>(),
            used,
            settled_at: Some(at),
            confidence: pool.confidence,
            session: Some(session),
            at,
        }
    }

    /// The furthest that any share of any type of question is from home.
    pub(crate) fn drift(&self, learned: &[Learned]) -> Result<f64> {
        let home = self.home_shares()?;
        let arms = learned.iter().filter(|row| row.key.subject == Subject::Arms);
        Ok(arms.map(|row| home.apart(&row.shares).get()).fold(0.0, f64::max))
    }

    /// What an arm has of the whole where no type of question has a row of its
    /// own.
    pub(crate) fn share_of(&self, learned: &[Learned], arm: Arm) -> Result<f64> {
        let key = LearnedKey { subject: Subject::Arms, query_type: None, with_model: self.with_model };
        let home = self.home_shares()?;
        let shares = learned.iter().find(|row| row.key == key).map_or(&home, |row| &row.shares);
        Ok(shares.of(arm.as_str()).with_context(|| format!("{arm} has no share"))?.get())
    }

    /// How much of the whole each arm has by default.
    fn home_shares(&self) -> Result<Shares> {
        ArmWeights::of(&self.home, self.with_model).shares().context("no arm has a weight")
    }
}
