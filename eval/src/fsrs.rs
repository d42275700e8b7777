//! Whether grading and the default curve agree with the published FSRS-6, on
//! vectors that were made by its own programs.
//!
//! The vectors are read where they lie and never copied. A memory is asked
//! through the same functions as in the product.

use anyhow::{Context as _, Result, ensure};
use engram_core::law::{Grade, Model, graded, retention_of};
use engram_core::plan::{Draft, Occasion, plan_remember};
use engram_core::{
    Actor, Difficulty, IdMint, Memory, OperationId, Provenance, Scope, Span, Stability, Timestamp, Write,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Two numbers are the same if they differ by less than this; stabilities by
/// less than this share of themselves.
const FOUR_DIGITS: f64 = 1e-4;

const HOURS_A_DAY: i64 = 24;

#[derive(Deserialize)]
struct Vectors {
    /// Reviews of one card each, in order.
    sequences: Vec<Vec<Reviewed>>,
    curve: Vec<Point>,
    fsrs_rs_checks: Checks,
}

#[derive(Deserialize)]
struct Reviewed {
    /// Days since the review before it.
    dt: i64,
    rating: usize,
    #[serde(rename = "R_before")]
    retention_before: Option<f64>,
    #[serde(rename = "S")]
    stability: f64,
    #[serde(rename = "D")]
    difficulty: f64,
}

#[derive(Deserialize)]
struct Point {
    t: i64,
    #[serde(rename = "S")]
    stability: f64,
    #[serde(rename = "R")]
    retention: f64,
}

#[derive(Deserialize)]
struct Checks {
    default_params_ratings: Vec<usize>,
    intervals: Vec<i64>,
    stability: f64,
    difficulty: f64,
    /// The days, rounded and at least one, after which this much is left of a
    /// card that is stable for a day.
    #[serde(rename = "next_interval_S1")]
    intervals_by_retention: BTreeMap<String, i64>,
}

/// The worst differences, by what was compared.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Report {
    compared: usize,
    /// As a share of the expected stability.
    stability: f64,
    difficulty: f64,
    retention: f64,
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} numbers compared; the worst differences: stability {:.1e} of itself, difficulty {:.1e}, \
             retention {:.1e}",
            self.compared, self.stability, self.difficulty, self.retention
        )
    }
}

impl Report {
    fn stability(&mut self, found: Stability, expected: f64) {
        self.compared += 1;
        self.stability = self.stability.max((found.get() / expected - 1.0).abs());
    }

    fn difficulty(&mut self, found: Difficulty, expected: f64) {
        self.compared += 1;
        self.difficulty = self.difficulty.max((found.get() - expected).abs());
    }

    fn retention(&mut self, difference: f64) {
        self.compared += 1;
        self.retention = self.retention.max(difference);
    }
}

/// Reads the vectors and compares; differences of four digits are an error.
pub(crate) fn check(path: &Path) -> Result<Report> {
    let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
    let vectors: Vectors = serde_json::from_str(&text).with_context(|| format!("in {}", path.display()))?;
    let mut report = Report::default();
    for sequence in &vectors.sequences {
        let mut card = Card::new()?;
        for review in sequence {
            let before = card.review(review.dt, review.rating)?;
            if let Some(expected) = review.retention_before {
                report.retention((before - expected).abs());
            }
            report.stability(card.memory.trace.stability, review.stability);
            report.difficulty(card.difficulty()?, review.difficulty);
        }
    }
    for point in &vectors.curve {
        let card = Card::stable(point.stability)?;
        report.retention(
            (card.retention_after(Span::from_hours(point.t * HOURS_A_DAY))? - point.retention).abs(),
        );
    }
    check_second_program(&vectors.fsrs_rs_checks, &mut report)?;
    let worst = report.stability.max(report.difficulty).max(report.retention);
    ensure!(worst < FOUR_DIGITS, "grading differs from the published vectors: {report:?}");
    Ok(report)
}

fn check_second_program(checks: &Checks, report: &mut Report) -> Result<()> {
    let mut card = Card::new()?;
    for (rating, days) in checks.default_params_ratings.iter().zip(&checks.intervals) {
        card.review(*days, *rating)?;
    }
    report.stability(card.memory.trace.stability, checks.stability);
    report.difficulty(card.difficulty()?, checks.difficulty);
    let card = Card::stable(1.0)?;
    for (wanted, days) in &checks.intervals_by_retention {
        let wanted: f64 = wanted.parse().with_context(|| format!("the retention \"{wanted}\""))?;
        // The days were rounded, so that what is wanted lies within half a day;
        // and where they were raised to one, only the later side says anything.
        let half = Span::from_hours(HOURS_A_DAY / 2);
        let middle = Span::from_hours(days * HOURS_A_DAY);
        let least = card.retention_after(middle + half)?;
        let most = if *days == 1 { 1.0 } else { card.retention_after(middle - half)? };
        report.retention((least - wanted).max(wanted - most).max(0.0));
    }
    Ok(())
}

/// A memory that is treated as the card of a vector: of a tier and a scope in
/// which a day counts for a day.
struct Card {
    memory: Memory,
    fresh: bool,
}

impl Card {
    fn new() -> Result<Self> {
        // From here the calendar has room for eight thousand years and more.
        let at = Timestamp::MIN;
        let operation = OperationId::from_ulid(IdMint::seeded(1).mint(Timestamp::UNIX_EPOCH));
        let occasion = Occasion { operation, actor: Actor::Human, at, recorded_at: at };
        let draft = Draft::parse("a card", 100)?;
        let stated = Provenance::stated_by(Actor::Human);
        let mut writes = plan_remember(draft, Scope::Project, stated, occasion).writes;
        let Some(Write::Create { memory }) = writes.pop() else { anyhow::bail!("no memory was born") };
        Ok(Self { memory: *memory, fresh: true })
    }

    fn stable(days: f64) -> Result<Self> {
        let mut card = Self::new()?;
        card.memory.trace.stability = Stability::new(days)?;
        Ok(card)
    }

    fn retention_after(&self, idle: Span) -> Result<f64> {
        let at = self.memory.trace.last_used_at.checked_add(idle)?;
        Ok(retention_of(&self.memory, Model::Fsrs6, at).get())
    }

    fn difficulty(&self) -> Result<Difficulty> {
        self.memory.trace.difficulty.context("it was never graded")
    }

    /// Grades it after so many days and tells what was left of it.
    fn review(&mut self, days: i64, rating: usize) -> Result<f64> {
        let grade = rating.checked_sub(1).and_then(|place| Grade::ALL.get(place));
        let grade = *grade.with_context(|| format!("there is no rating {rating}"))?;
        let idle = Span::from_hours(days * HOURS_A_DAY);
        let at = self.memory.trace.last_used_at.checked_add(idle)?;
        let left = retention_of(&self.memory, Model::Fsrs6, at);
        let (stability, difficulty) = if self.fresh {
            (grade.first_stability(), grade.first_difficulty())
        } else {
            graded(&self.memory.trace, left, idle, grade)
        };
        self.fresh = false;
        self.memory.trace.stability = stability;
        self.memory.trace.difficulty = Some(difficulty);
        self.memory.trace.last_used_at = at;
        Ok(left.get())
    }
}
