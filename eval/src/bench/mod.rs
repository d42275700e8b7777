//! The bench: what engram costs beside what else there is, in one run on one
//! machine.
//!
//! Everything that is compared is measured in turns, so that a busy moment of
//! the machine falls on all. What counts are the ratios.

pub(crate) mod daemon;
mod dreams;
pub(crate) mod filled;
mod footprint;
mod observe;
mod peers;
mod recall;
mod remember;
mod socket;
mod start;
mod switch;

use anyhow::Result;
use comfy_table::{Table, presets::ASCII_MARKDOWN};
pub(crate) use dreams::dreams;
use filled::Filled;
pub(crate) use filled::embedders;
use remember::Bare;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// The size at which the model is measured.
const WITH_MODEL: usize = 10_000;

/// What is to be measured.
pub(crate) struct Wanted {
    /// The folder with the release builds of engram and engramd.
    pub(crate) programs: PathBuf,
    /// The largest store, in memories.
    pub(crate) largest: usize,
    /// Writing and capture only.
    pub(crate) writes: bool,
    /// The name of a model, and the folder it is installed in.
    pub(crate) model: Option<(String, PathBuf)>,
}

pub(crate) async fn run(wanted: &Wanted) -> Result<()> {
    let mut sheet = Sheet::new();
    let outcome = measure(wanted, &mut sheet).await;
    sheet.print();
    outcome
}

async fn measure(wanted: &Wanted, sheet: &mut Sheet) -> Result<()> {
    let ground = tempfile::tempdir()?;
    if !wanted.writes {
        println!("measuring the index ...");
        footprint::measure(wanted.largest.min(filled::MOST_ON_DISK), sheet).await?;
        start::measure(&wanted.programs, sheet)?;
    }
    println!("measuring remember ...");
    let bare = Bare::open(&ground.path().join("bare")).await?;
    remember::measure(&wanted.programs, ground.path(), &bare, sheet).await?;
    println!("measuring capture ...");
    observe::measure(&wanted.programs, ground.path(), &bare, sheet).await?;
    for size in SIZES.into_iter().filter(|size| *size <= wanted.largest && !wanted.writes) {
        println!("filling a store with {size} memories ...");
        let filled = Filled::make(ground.path(), size, sheet).await?;
        println!("measuring recall at {size} memories ...");
        recall::measure(&filled, ground.path(), sheet).await?;
        if filled.is_on_disk() {
            println!("measuring the daemon at {size} memories ...");
            socket::measure(&wanted.programs, ground.path(), &filled, &bare, sheet).await?;
        }
        if let Some((name, models)) = wanted.model.as_ref().filter(|_| size == WITH_MODEL) {
            println!("switching to {name} at {size} memories ...");
            switch::measure(&wanted.programs, ground.path(), &filled, name, models, sheet)?;
        }
        filled.remove()?;
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let started = Instant::now();
    let outcome = work();
    (outcome, started.elapsed())
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
pub(crate) async fn timed_async<T>(work: impl Future<Output = T>) -> (T, Duration) {
    let started = Instant::now();
    let outcome = work.await;
    (outcome, started.elapsed())
}

/// How long one thing took, again and again.
#[derive(Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The time that this share of all did not exceed.
    pub(crate) fn at(&self, share: f64) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let place = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(place.saturating_sub(1)).copied().unwrap_or_default()
    }

    fn median(&self) -> Duration {
        self.at(0.5)
    }
}

/// The two tables that are printed at the end.
struct Sheet {
    /// Single numbers, some with something beside them.
    single: Table,
    /// Recall: how the times lie.
    spread: Table,
}

impl Sheet {
    fn new() -> Self {
        let mut single = Table::new();
        single.load_style(ASCII_MARKDOWN).set_header(["what", "engram", "beside it", "ratio"]);
        let mut spread = Table::new();
        let header = ["memories", "what", "p50", "p95", "p99", "engram takes"];
        spread.load_style(ASCII_MARKDOWN).set_header(header);
        Self { single, spread }
    }

    fn pair(&mut self, what: impl Into<String>, ours: Duration, theirs: (&str, Duration)) {
        let (name, time) = theirs;
        let beside = format!("{name} {}", millis(time));
        self.single.add_row([what.into(), millis(ours), beside, format!("{:.2}", ratio(ours, time))]);
    }

    fn alone(&mut self, what: impl Into<String>, ours: impl Into<String>) {
        self.single.add_row([what.into(), ours.into(), String::new(), String::new()]);
    }

    fn times(&mut self, size: usize, what: &str, times: &Times) {
        self.spread_row(size, what, times, String::new());
    }

    /// Something beside ours: the last column says how much of its time we need.
    fn times_beside(&mut self, size: usize, what: &str, times: &Times, ours: &Times) {
        let share = ratio(ours.median(), times.median());
        self.spread_row(size, what, times, format!("{share:.2} of it"));
    }

    fn spread_row(&mut self, size: usize, what: &str, times: &Times, last: String) {
        let [p50, p95, p99] = [0.5, 0.95, 0.99].map(|share| millis(times.at(share)));
        self.spread.add_row([size.to_string(), what.to_owned(), p50, p95, p99, last]);
    }

    fn print(&self) {
        println!("\n{}\n\n{}", self.single, self.spread);
    }
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

pub(crate) fn millis(time: Duration) -> String {
    let millis = time.as_secs_f64() * 1_000.0;
    if millis < 1.0 { format!("{millis:.3} ms") } else { format!("{millis:.2} ms") }
}
