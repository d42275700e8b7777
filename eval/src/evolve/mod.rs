//! Whether recall gets better by what it learns from use: an experiment that
//! anybody can repeat.
//!
//! Half of the questions of a set are asked again and again and judged by the
//! gold, with mistakes; after every cycle the weights follow by the law that is
//! in force in dreams. The other half is then asked through the real engine,
//! with the defaults and with what was learned. The sets are read where they
//! lie, and nothing of them is kept.

mod asked;
mod claims;
pub(crate) mod curve;
mod feedback;
mod lived;

use anyhow::{Context as _, Result, ensure};
use asked::{Table, pools, worth};
use claims::{Claim, Verdict};
use comfy_table::{Table as Sheet, presets::ASCII_MARKDOWN};
use engram_core::Share;
use engram_core::learn::{ArmWeights, Learned, LearningSettings};
use engram_core::rank::Weights;
use engram_core::recalled::Arm;
use engram_engine::Embedders;
use feedback::Judge;
use lived::{A_CYCLE, Crowd, Life};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Whoever judges at random does so with so many seeds.
const SEEDS: u64 = 10;

/// How the experiment is made.
pub(crate) struct Wanted {
    pub(crate) folders: Vec<PathBuf>,
    /// The share of judgements that are wrong.
    pub(crate) noise: f64,
    pub(crate) cycles: usize,
    pub(crate) json: Option<PathBuf>,
}

/// Where learning begins.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Start {
    Default,
    /// The words have less of the whole than by default, by as much as the bound:
    /// a default that is wrong for whoever asks, as far as that can be mended.
    HeldBack,
}

/// What came of one set. Everything is nDCG at ten or a share.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Outcome {
    pub(crate) set: String,
    /// The arm that counts most where learning begins.
    pub(crate) favourite: Arm,
    pub(crate) learned_from: usize,
    pub(crate) measured_on: usize,
    /// Each arm alone, on all questions; the best first.
    pub(crate) arms: Vec<(Arm, f64)>,
    pub(crate) default: f64,
    /// What chance does to what was learned, beside the default: one standard
    /// error of the difference, question by question.
    pub(crate) chance: f64,
    /// The best that any share of the words within the bound gets where it is
    /// the same for all questions, and that share. Nobody could have known it.
    pub(crate) best_fixed: (f64, f64),
    /// After each cycle.
    pub(crate) curve: Vec<f64>,
    /// What the words have of the whole after each cycle, over all types.
    pub(crate) words: Vec<f64>,
    /// Learned from labels of which so many are the opposite.
    pub(crate) flipped: f64,
    /// The furthest that any share came from home: honest judges, judges who
    /// say anything, one session that wants an arm to win, the same beside
    /// honest ones, and nobody else but such.
    pub(crate) honest_drift: f64,
    pub(crate) random_drift: f64,
    pub(crate) session_drift: f64,
    pub(crate) beside_drift: f64,
    pub(crate) poisoned_drift: f64,
    /// What is in force in the end, and why.
    pub(crate) rows: Vec<Learned>,
}

impl Outcome {
    pub(crate) fn learned(&self) -> f64 {
        self.curve.last().copied().unwrap_or(self.default)
    }
}

pub(crate) async fn run(wanted: Wanted, embedders: &Embedders) -> Result<()> {
    let settings = LearningSettings::default();
    let mut outcomes = Vec::new();
    for folder in &wanted.folders {
        eprintln!("learning from {}", folder.display());
        for start in [Start::Default, Start::HeldBack] {
            let outcome = experiment(folder, embedders, start, &wanted, settings).await;
            outcomes.push(outcome.with_context(|| format!("learning from {}", folder.display()))?);
        }
    }
    print_outcomes(&outcomes);
    print_curves(&outcomes);
    print_rows(&outcomes);
    let claims = claims::of(&outcomes, settings.bound);
    print_claims(&claims);
    if let Some(file) = &wanted.json {
        let told = serde_json::json!({ "outcomes": outcomes, "claims": claims });
        std::fs::write(file, serde_json::to_string_pretty(&told)?)
            .with_context(|| file.display().to_string())?;
    }
    let failed: Vec<&str> = claims
        .iter()
        .filter(|claim| claim.verdict == Verdict::Fail)
        .map(|claim| claim.what.as_str())
        .collect();
    ensure!(failed.is_empty(), "does not hold: {}", failed.join("; "));
    Ok(())
}

async fn experiment(
    folder: &Path,
    embedders: &Embedders,
    start: Start,
    wanted: &Wanted,
    settings: LearningSettings,
) -> Result<Outcome> {
    let with_model = !embedders.models.is_empty();
    let home = match start {
        Start::Default => Weights::default(),
        Start::HeldBack => held_back(&Weights::default(), with_model, settings.bound.get()),
    };
    let pools = pools(folder, embedders, home).await?;
    let life = Life { pools: &pools, home, with_model, settings, cycles: wanted.cycles };
    let crowd = |judge| Crowd { judge, one_session: false };
    let honest = crowd(Judge::Mistaken(wanted.noise));
    let cycles = life.live(&[honest], 1)?;
    let flipped = life.live(&[crowd(Judge::Flipped(wanted.noise))], 1)?;
    let in_play = in_play(&home, with_model);
    let furthest = |cycles: &[Vec<Learned>]| {
        cycles.iter().try_fold(0.0_f64, |most, rows| anyhow::Ok(most.max(life.drift(rows)?)))
    };
    let drift = |crowds: &[Crowd], seed: u64| furthest(&life.live(crowds, seed)?);
    let mut random_drift = 0.0_f64;
    for seed in 1..=SEEDS {
        random_drift = random_drift.max(drift(&[crowd(Judge::Random)], seed)?);
    }
    let (mut session_drift, mut beside_drift, mut poisoned_drift) = (0.0_f64, 0.0_f64, 0.0_f64);
    for arm in &in_play {
        let fond = Judge::Fond(*arm);
        let one = Crowd { judge: fond, one_session: true };
        session_drift = session_drift.max(drift(&[one], 1)?);
        beside_drift = beside_drift.max(drift(&[honest, one], 1)?);
        poisoned_drift = poisoned_drift.max(drift(&[crowd(fond)], 1)?);
    }

    let rows = cycles.last().cloned().unwrap_or_default();
    let honest_drift = furthest(&cycles)?;
    let words = cycles.iter().map(|rows| life.share_of(rows, Arm::Words)).collect::<Result<_>>()?;
    let fixed = shared_otherwise(&home, with_model, settings.bound);
    let mut tables: Vec<Table> = in_play.iter().map(|arm| Table::Alone(alone(*arm, with_model))).collect();
    tables.extend(fixed.iter().map(|(_, weights)| Table::Fixed(*weights)));
    // Nothing learned is what is in force before the first cycle.
    tables.push(Table::Learned(Vec::new()));
    tables.push(Table::Learned(flipped.last().cloned().unwrap_or_default()));
    tables.extend(cycles.into_iter().map(Table::Learned));
    let by_question = worth(folder, embedders, home, &tables).await?;
    let worth: Vec<f64> = by_question.iter().map(|ndcg| mean(ndcg)).collect();
    let default = &by_question[in_play.len() + fixed.len()];
    let (by_arm, rest) = worth.split_at(in_play.len());
    let (by_share, rest) = rest.split_at(fixed.len());
    let by_share = by_share.iter().zip(&fixed).map(|(ndcg, (share, _))| (*ndcg, *share));
    let mut arms: Vec<(Arm, f64)> = in_play.iter().copied().zip(by_arm.iter().copied()).collect();
    arms.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let weight = |arm: &Arm| ArmWeights::of(&home, with_model).of_arm(*arm);
    let favourite = in_play.iter().copied().max_by(|one, other| weight(one).total_cmp(&weight(other)));
    Ok(Outcome {
        set: if start == Start::Default { name } else { format!("{name}, words held back") },
        favourite: favourite.context("no arm has a weight")?,
        learned_from: pools.len(),
        measured_on: default.len(),
        arms,
        default: rest[0],
        chance: by_question.last().map_or(0.0, |learned| chance(default, learned)),
        best_fixed: by_share.max_by(|(one, _), (other, _)| one.total_cmp(other)).unwrap_or_default(),
        flipped: rest[1],
        curve: rest[2..].to_vec(),
        words,
        honest_drift,
        random_drift,
        session_drift,
        beside_drift,
        poisoned_drift,
        rows,
    })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The standard error of the mean difference, question by question.
fn chance(one: &[f64], other: &[f64]) -> f64 {
    let apart: Vec<f64> = one.iter().zip(other).map(|(one, other)| other - one).collect();
    let middle = mean(&apart);
    let squares: f64 = apart.iter().map(|by| (by - middle).powi(2)).sum();
    (squares / (apart.len().max(2) - 1) as f64 / apart.len().max(1) as f64).sqrt()
}

/// The arms that have a weight.
fn in_play(home: &Weights, with_model: bool) -> Vec<Arm> {
    let weights = ArmWeights::of(home, with_model);
    Arm::ALL.iter().copied().filter(|arm| weights.of_arm(*arm) != 0.0).collect()
}

/// The weights under which one arm alone says what is found.
fn alone(arm: Arm, with_model: bool) -> Weights {
    let mut weights = Weights::NOTHING;
    let one = |of: Arm| if of == arm { 1.0 } else { 0.0 };
    let arms = ArmWeights {
        words: one(Arm::Words),
        table: one(Arm::Table),
        model: one(Arm::Model),
        graph: one(Arm::Graph),
    };
    arms.put(&mut weights, with_model);
    weights
}

/// These weights with another share of the words: the other arms keep what they
/// have beside each other, and the sum stays.
fn held_back(home: &Weights, with_model: bool, by: f64) -> Weights {
    let arms = ArmWeights::of(home, with_model);
    let sum: f64 = Arm::ALL.iter().map(|arm| arms.of_arm(*arm)).sum();
    let words = (arms.words - by * sum).clamp(0.0, sum);
    let scale = (sum - words) / (sum - arms.words);
    let (table, model, graph) = (arms.table * scale, arms.model * scale, arms.graph * scale);
    let mut weights = *home;
    ArmWeights { words, table, model, graph }.put(&mut weights, with_model);
    weights
}

/// The weights with every share of the words that the bound lets them have.
fn shared_otherwise(home: &Weights, with_model: bool, bound: Share) -> Vec<(f64, Weights)> {
    const STEPS: i32 = 8;
    let arms = ArmWeights::of(home, with_model);
    let share = arms.words / Arm::ALL.iter().map(|arm| arms.of_arm(*arm)).sum::<f64>();
    let shared = |step: i32| {
        let by = bound.get() * f64::from(step) / f64::from(STEPS);
        (share - by, held_back(home, with_model, by))
    };
    (-STEPS..=STEPS).map(shared).collect()
}

fn print_outcomes(outcomes: &[Outcome]) {
    let mut sheet = Sheet::new();
    sheet.load_style(ASCII_MARKDOWN).set_header([
        "set",
        "learned from",
        "measured on",
        "best arm alone",
        "default",
        "best fixed (share of words)",
        "learned",
        "from flipped labels",
        "share of words",
        "drift: honest",
        "random",
        "one session",
        "the same beside honest",
        "all poisoned",
    ]);
    for outcome in outcomes {
        let (arm, ndcg) = outcome.arms.first().map_or(("none", 0.0), |(arm, ndcg)| (arm.as_str(), *ndcg));
        sheet.add_row([
            outcome.set.clone(),
            outcome.learned_from.to_string(),
            outcome.measured_on.to_string(),
            format!("{arm} {ndcg:.3}"),
            format!("{:.4}", outcome.default),
            format!("{:.4} ({:.3})", outcome.best_fixed.0, outcome.best_fixed.1),
            format!("{:.4} ± {:.4}", outcome.learned(), outcome.chance),
            format!("{:.4}", outcome.flipped),
            format!("{:.3}", outcome.words.last().copied().unwrap_or_default()),
            format!("{:.3}", outcome.honest_drift),
            format!("{:.3}", outcome.random_drift),
            format!("{:.3}", outcome.session_drift),
            format!("{:.3}", outcome.beside_drift),
            format!("{:.3}", outcome.poisoned_drift),
        ]);
    }
    println!("{sheet}");
}

fn print_curves(outcomes: &[Outcome]) {
    let cycles = outcomes.iter().map(|outcome| outcome.curve.len()).max().unwrap_or(0);
    println!(
        "\nCycle by cycle, {A_CYCLE} questions each, {cycles} cycles; nDCG@10 of the other half, then the share of words over all types"
    );
    for outcome in outcomes {
        let curve: Vec<f64> = std::iter::once(outcome.default).chain(outcome.curve.iter().copied()).collect();
        println!("{:<28} nDCG  {}", outcome.set, curve::told(&curve));
        println!("{:<28} words {}", "", curve::told(&outcome.words));
    }
}

/// What is in force in the end, with the reason that the store would keep.
fn print_rows(outcomes: &[Outcome]) {
    println!("\nWhat was learned");
    for outcome in outcomes {
        for row in &outcome.rows {
            let shares: Vec<String> =
                row.shares.iter().map(|(word, share)| format!("{word} {:.3}", share.get())).collect();
            let of = row.key.query_type.map_or("all", |query_type| query_type.as_str());
            println!("{:<28} {of:<14} {:<26} {}", outcome.set, shares.join(", "), row.reason);
        }
    }
}

fn print_claims(claims: &[Claim]) {
    println!();
    for claim in claims {
        println!("{:<5} {}", claim.verdict.to_string(), claim.what);
    }
}
