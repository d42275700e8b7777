//! Whether evidence tells good advice from bad: a made-up project in which
//! agents follow what they are shown, and the tests tell how it went.
//!
//! Nobody ever says that an advice was bad. What is known of it comes from the
//! turns alone, through the same law, the same door and the same dreams as in a
//! daemon. It is lived through with several weights of the utility, and what
//! comes of it is why the default is what it is (docs/evaluation.md).

mod project;
mod script;

use crate::evolve::curve;
use anyhow::{Context as _, Result, ensure};
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use engram_core::rank::Weights;
use project::{Counted, Project};
use script::{COUNT, Group, Habits};
use serde::Serialize;
use std::path::Path;

/// Each way is lived through so often, with other dice.
const SEEDS: u64 = 3;
/// The weights of the utility that are tried.
const TRIED: [f64; 5] = [0.0, 0.05, 0.1, 0.2, 0.3];
/// What the third seed proposes for memories that were used together.
const TOGETHER: f64 = 0.05;
/// The share of failures that an agent of another habit mends by himself, and a
/// weight of the utility that is tried with it.
const MENDS: f64 = 0.5;
const HIGHER: f64 = 0.2;
/// A bystander's utility stays this close to the middle, on average.
const NEAR: f64 = 0.05;
/// The curve has one bar for so many sessions.
const A_BAR: usize = 5;

/// A way of ranking, with agents of some habit.
struct Way {
    name: String,
    weights: Weights,
    habits: Habits,
}

/// What came of one way: the sessions of each seed.
#[derive(Serialize)]
struct Lived {
    way: String,
    lives: Vec<Vec<Counted>>,
}

impl Lived {
    fn sessions(&self) -> impl Iterator<Item = &Counted> {
        self.lives.iter().flatten()
    }

    /// The last session of each life.
    fn ends(&self) -> impl Iterator<Item = &Counted> {
        self.lives.iter().filter_map(|life| life.last())
    }

    fn sum(&self, of: impl Fn(&Counted) -> usize) -> usize {
        self.sessions().map(of).sum()
    }

    /// The mean over the tasks of all sessions.
    fn a_task(&self, of: impl Fn(&Counted) -> f64) -> f64 {
        self.sessions().map(of).sum::<f64>() / self.sum(|counted| counted.tasks).max(1) as f64
    }

    /// After how many sessions nobody was shown bad advice any more, in the
    /// slowest life. None: it was still shown in the last.
    fn rid_after(&self) -> Option<usize> {
        let rid = |life: &Vec<Counted>| {
            let last = life.iter().rposition(|counted| counted.bad_shown > 0).map_or(0, |last| last + 1);
            (last < life.len()).then_some(last)
        };
        self.lives.iter().map(rid).collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// The same for half of the bad advice, on average.
    fn half_gone_after(&self) -> Option<f64> {
        let half = |life: &Vec<Counted>| life.iter().position(|counted| 2 * counted.bad_gone >= COUNT);
        let all = self.lives.iter().map(half).collect::<Option<Vec<_>>>()?;
        Some(all.iter().map(|session| *session as f64 + 1.0).sum::<f64>() / all.len().max(1) as f64)
    }

    fn mean_utility(&self, group: Group) -> f64 {
        let place = Group::ALL.iter().position(|one| *one == group).unwrap_or_default();
        let ends: Vec<f64> = self.ends().map(|counted| counted.utility[place]).collect();
        ends.iter().sum::<f64>() / ends.len().max(1) as f64
    }

    fn furthest(&self, group: Group) -> f64 {
        let place = Group::ALL.iter().position(|one| *one == group).unwrap_or_default();
        self.ends().map(|counted| counted.furthest[place]).fold(0.0, f64::max)
    }
}

pub(crate) async fn run(sessions: usize, json: Option<&Path>) -> Result<()> {
    ensure!(sessions > 0, "nothing can be learned in no session");
    let mut all = Vec::new();
    for way in ways()? {
        eprintln!("working with {}", way.name);
        let mut lives = Vec::new();
        for seed in 1..=SEEDS {
            let mut project = Project::open(way.weights, way.habits, seed).await?;
            let mut life = Vec::with_capacity(sessions);
            for number in 0..sessions {
                life.push(project.session(number, COUNT).await?);
            }
            lives.push(life);
        }
        all.push(Lived { way: way.name, lives });
    }
    print_ways(&all);
    print_credit(&all);
    print_sessions(&all[0]);
    if let Some(file) = json {
        std::fs::write(file, serde_json::to_string_pretty(&all)?)
            .with_context(|| file.display().to_string())?;
    }
    check(&all[0])
}

/// The default first, then each weight that is tried, then what is tried beside
/// it.
fn ways() -> Result<Vec<Way>> {
    let plain = Habits { mends: 0.0 };
    let with = |name: &str, value: f64| {
        let mut weights = Weights::default();
        *weights.named(name).with_context(|| format!("there is no weight {name}"))? = value;
        anyhow::Ok(weights)
    };
    let mut ways = vec![Way { name: "default".to_owned(), weights: Weights::default(), habits: plain }];
    for value in TRIED {
        ways.push(Way {
            name: format!("utility at {value}"),
            weights: with("utility", value)?,
            habits: plain,
        });
    }
    let together = with("together", TOGETHER)?;
    ways.push(Way { name: format!("default, together at {TOGETHER}"), weights: together, habits: plain });
    let mends = Habits { mends: MENDS };
    let name = format!("{:.0} % of failures mended", 100.0 * MENDS);
    let mended = |of: &str, weights| Way { name: format!("{of}, {name}"), weights, habits: mends };
    ways.push(mended("default", Weights::default()));
    ways.push(mended(&format!("utility at {HIGHER}"), with("utility", HIGHER)?));
    Ok(ways)
}

/// What the default has to hold.
fn check(lived: &Lived) -> Result<()> {
    let rid = lived.rid_after().context("bad advice is still shown in the last session")?;
    let bystanders = lived.mean_utility(Group::Bystander);
    ensure!((bystanders - 0.5).abs() <= NEAR, "bystanders have a utility of {bystanders:.3}");
    let lost = lived.ends().map(|counted| counted.good_gone).sum::<usize>();
    ensure!(lost == 0, "{lost} times good advice was deprecated");
    println!(
        "\nthe default holds what it has to: after {rid} sessions nobody is shown bad advice, bystanders stay near one half, no good advice is lost"
    );
    println!("in theory .5 x .9^n is below .2 from n = 9 on, and a deprecation wants ten uses");
    Ok(())
}

fn print_ways(all: &[Lived]) {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header([
        "way",
        "no bad advice after",
        "half of it gone after",
        "bad shown, of all tasks",
        "bad before good",
        "nDCG of the good",
        "utility: good",
        "bad",
        "bystanders",
        "furthest bystander",
        "good advice lost",
    ]);
    for lived in all {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let sessions =
            |told: Option<String>| told.map_or("never".to_owned(), |told| format!("{told} sessions"));
        table.add_row([
            lived.way.clone(),
            sessions(lived.rid_after().map(|after| after.to_string())),
            sessions(lived.half_gone_after().map(|after| format!("{after:.0}"))),
            percent(lived.a_task(|counted| counted.bad_shown as f64)),
            percent(lived.a_task(|counted| counted.bad_first as f64)),
            format!("{:.4}", lived.a_task(|counted| counted.ndcg)),
            format!("{:.3}", lived.mean_utility(Group::Good)),
            format!("{:.3}", lived.mean_utility(Group::Bad)),
            format!("{:.3}", lived.mean_utility(Group::Bystander)),
            format!("{:.3}", lived.furthest(Group::Bystander)),
            lived.ends().map(|counted| counted.good_gone).sum::<usize>().to_string(),
        ]);
    }
    println!("{table}");
}

/// How well the turns alone tell what was followed, and how it went.
fn print_credit(all: &[Lived]) {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header([
        "way",
        "followed",
        "credited",
        "precision of reuse",
        "recall of reuse",
        "the outcome it deserves",
    ]);
    for lived in all {
        let (followed, credited) =
            (lived.sum(|counted| counted.followed), lived.sum(|counted| counted.credited));
        let (rightly, deserved) =
            (lived.sum(|counted| counted.rightly), lived.sum(|counted| counted.deserved));
        let share = |part: usize, whole: usize| format!("{:.3}", part as f64 / whole.max(1) as f64);
        table.add_row([
            lived.way.clone(),
            followed.to_string(),
            credited.to_string(),
            share(rightly, credited),
            share(rightly, followed),
            share(deserved, rightly),
        ]);
    }
    println!("\n{table}");
}

/// The first life of a way, session by session.
fn print_sessions(lived: &Lived) {
    let Some(life) = lived.lives.first() else { return };
    println!("\nSession by session with the {}, one bar for {A_BAR}", lived.way);
    let bars = |of: &dyn Fn(&Counted) -> f64| {
        let bar = |some: &[Counted]| some.iter().map(of).sum::<f64>() / some.len() as f64;
        curve::told(&life.chunks(A_BAR).map(bar).collect::<Vec<f64>>())
    };
    println!(
        "{:<34}{}",
        "tasks that are shown bad advice",
        bars(&|one| one.bad_shown as f64 / one.tasks.max(1) as f64)
    );
    println!("{:<34}{}", "bad advice that is gone", bars(&|one| one.bad_gone as f64 / COUNT as f64));
    for (place, group) in Group::ALL.into_iter().enumerate() {
        let what = format!("mean utility, {}", group.name());
        println!("{what:<34}{}", bars(&|one| one.utility[place]));
    }
}
