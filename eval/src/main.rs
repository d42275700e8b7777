//! Numbers, not tests: how well engram recalls, and what it costs beside what
//! else there is, in one run on one machine.

mod advice;
mod bench;
mod compression;
mod dreamed;
mod evolve;
mod fsrs;
mod load;
mod marks;
mod recall;
mod sets;
mod simulate;
mod team;
mod texts;

use anyhow::{Context as _, Result, ensure};
use clap::{Args, Parser, Subcommand};
use engram_core::rank::Weights;
use engram_engine::Embedders;
use engram_providers::{Models, choose};
use recall::Way;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Parser)]
#[command(name = "engram-eval", version, about = "How well engram recalls, and what it costs")]
#[command(args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    sets: Sets,
}

#[derive(Args)]
struct Sets {
    /// Folders in the format of the public sets, or folders of such folders.
    folders: Vec<PathBuf>,
    /// Measure with this model too, by name.
    #[arg(long, requires = "models")]
    model: Option<String>,
    /// The folder the models are installed in.
    #[arg(long)]
    models: Option<PathBuf>,
    /// Another weight than the default one: recency=0.2. May be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    weight: Vec<String>,
    /// Leave out the arms alone.
    #[arg(long)]
    fusion_only: bool,
    /// What each signal adds or costs: each at zero, and each at what the
    /// designs that proposed it give it.
    #[arg(long)]
    ablate: bool,
    /// Ask everything before a dream and after it.
    #[arg(long, conflicts_with = "ablate")]
    dream: bool,
    /// Tell every type of question apart.
    #[arg(long)]
    types: bool,
    /// Write everything as JSON to this file.
    #[arg(long)]
    json: Option<PathBuf>,
}

#[derive(Subcommand)]
enum What {
    /// Lives a year of made-up work with each retention model, and tells what is
    /// still found, what is stale and what became of the noise.
    Simulate {
        /// Plot it into this file.
        #[arg(long)]
        svg: Option<PathBuf>,
    },
    /// Lets the weights learn from half of the questions of each set, judged with
    /// mistakes, and measures on the other half; fails where a claim does not
    /// hold.
    Evolve {
        /// Folders in the format of the public sets, or folders of such folders.
        #[arg(required = true)]
        folders: Vec<PathBuf>,
        /// The share of judgements that are wrong.
        #[arg(long, default_value_t = 0.2, value_parser = share)]
        noise: f64,
        /// So many times the weights are looked at, fifty questions apart.
        #[arg(long, default_value_t = 60)]
        cycles: usize,
        /// Learn with this model too, by name.
        #[arg(long, requires = "models")]
        model: Option<String>,
        /// The folder the models are installed in.
        #[arg(long)]
        models: Option<PathBuf>,
        /// Write everything as JSON to this file.
        #[arg(long)]
        json: Option<PathBuf>,
    },
    /// Works in a made-up project with good advice, bad advice and bystanders,
    /// and tells how many sessions it takes until nobody is shown the bad one.
    Advice {
        /// So many sessions are lived through.
        #[arg(long, default_value_t = 240)]
        sessions: usize,
        /// Write everything as JSON to this file.
        #[arg(long)]
        json: Option<PathBuf>,
    },
    /// What a dream costs in a store of each size, on disk.
    Dreams {
        /// The largest store, in memories: 1000, 10000 or 100000.
        #[arg(long, default_value_t = 10_000)]
        largest: usize,
    },
    /// How well directions are kept in 32, 8, 4 and 2 bits, and how mixed
    /// precisions compare.
    Compression {
        /// A folder in the format of the public sets, for real texts.
        folder: PathBuf,
    },
    /// Many agents at once on one daemon: prints every half minute what it takes
    /// and how long they wait, and fails where something that was acknowledged or
    /// left in the spool is not there in the end, where somebody waits too long,
    /// and where a memory takes too much.
    Load {
        /// The folder with the release build of engramd.
        #[arg(long)]
        programs: PathBuf,
        /// So many agents, each in one conversation after the other.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=200))]
        agents: u64,
        /// For so long.
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=120))]
        minutes: u64,
        /// How long each agent thinks between two rounds, in milliseconds.
        #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(0..=60_000))]
        thinking_ms: u64,
        /// How many services each agent works on and comes back to. 0: every round is
        /// about a new one.
        #[arg(long, default_value_t = 0)]
        services: u64,
        /// With budgets so small that each of them is met.
        #[arg(long)]
        tight: bool,
    },
    /// Joins a team of so many memories on a server of its own: how long that takes,
    /// what a machine holds then, and how quickly it recalls with everything there
    /// and with the server's own indexes.
    Team {
        /// The folder with the release build of engramd.
        #[arg(long)]
        programs: PathBuf,
        /// The program of the team's server, as `make team-test` builds it.
        #[arg(long)]
        server: PathBuf,
        /// So many memories, one measurement for each number.
        #[arg(long, value_delimiter = ',', default_values_t = [10_000, 100_000])]
        memories: Vec<usize>,
        /// The server's index of directions: hnsw or diskann.
        #[arg(long, default_value = "hnsw")]
        index: engram_core::team::FarSearch,
    },
    /// Compares the grading of memories with published vectors of FSRS-6.
    Fsrs {
        /// fsrs6_vectors.json
        file: PathBuf,
    },
    /// Times remember, recall, opening and starting, as ratios in one run.
    Bench {
        /// The folder with the release builds of engram and engramd.
        #[arg(long)]
        programs: PathBuf,
        /// The largest store, in memories: 1000, 10000, 100000 or 1000000.
        #[arg(long, default_value_t = 100_000)]
        largest: usize,
        /// Measure writing and capture only, no store of any size.
        #[arg(long)]
        writes: bool,
        /// Measure with this model too, and the switch to it.
        #[arg(long, requires = "models")]
        model: Option<String>,
        /// The folder the models are installed in.
        #[arg(long)]
        models: Option<PathBuf>,
    },
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match arguments.what {
        Some(What::Bench { programs, largest, writes, model, models }) => {
            let wanted = bench::Wanted { programs, largest, writes, model: model.zip(models) };
            run(async move || bench::run(&wanted).await)
        }
        Some(What::Simulate { svg }) => run(async move || simulate::run(svg.as_deref()).await),
        Some(What::Evolve { folders, noise, cycles, model, models, json }) => run(async move || {
            let folders = all_sets(&folders)?;
            let embedders = embedders(model.as_deref(), models.as_deref())?;
            evolve::run(evolve::Wanted { folders, noise, cycles, json }, &embedders).await
        }),
        Some(What::Advice { sessions, json }) => {
            run(async move || advice::run(sessions, json.as_deref()).await)
        }
        Some(What::Dreams { largest }) => run(async move || bench::dreams(largest).await),
        Some(What::Compression { folder }) => run(async move || compression::run(&folder).await),
        Some(What::Load { programs, agents, minutes, thinking_ms, services, tight }) => {
            let thinking = Duration::from_millis(thinking_ms);
            load::run(&load::Wanted { programs, agents, minutes, thinking, services, tight })
        }
        Some(What::Team { programs, server, memories, index }) => {
            let wanted = team::Wanted { programs, server, memories, index };
            run(async move || team::run(&wanted).await)
        }
        Some(What::Fsrs { file }) => {
            let report = fsrs::check(&file)?;
            println!("{report}");
            Ok(())
        }
        None => run(async move || measure(arguments.sets).await),
    }
}

async fn measure(sets: Sets) -> Result<()> {
    let folders = all_sets(&sets.folders)?;
    let embedders = embedders(sets.model.as_deref(), sets.models.as_deref())?;
    let ways = ways(&sets, !embedders.models.is_empty())?;
    let mut results = Vec::new();
    for folder in folders {
        eprintln!("measuring {}", folder.display());
        let found = match sets.dream {
            true => recall::measure_dream(&folder, &embedders, ways[0].weights).await,
            false => recall::measure(&folder, &embedders, &ways).await,
        };
        results.extend(found.with_context(|| format!("measuring {}", folder.display()))?);
    }
    recall::print(&results, sets.types);
    recall::print_silence(&results);
    if let Some(file) = &sets.json {
        std::fs::write(file, serde_json::to_string_pretty(&results)?)?;
    }
    Ok(())
}

fn ways(sets: &Sets, with_model: bool) -> Result<Vec<Way>> {
    let mut weights = Weights::default();
    for given in &sets.weight {
        let (name, value) = given.split_once('=').context("a weight is given as NAME=VALUE")?;
        let names = || format!("there is no weight {name}; known are {}", Weights::NAMES.join(", "));
        *weights.named(name).with_context(names)? = value.parse().with_context(|| given.clone())?;
    }
    Ok(if sets.ablate {
        recall::ablations(weights, with_model)
    } else if sets.fusion_only {
        recall::arms(weights, with_model).into_iter().take(1).collect()
    } else {
        recall::arms(weights, with_model)
    })
}

/// The built-in table, and a model beside it where one is named.
fn embedders(model: Option<&str>, models: Option<&Path>) -> Result<Embedders> {
    let folder = models.unwrap_or(Path::new(""));
    let chosen = choose(model.unwrap_or("builtin"), &Models::at(folder), 2)?;
    Ok(Embedders { table: chosen.table, models: chosen.model.into_iter().collect() })
}

/// A share of all cases, as it is written on a command line.
fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("a share lies between 0 and 1".to_owned()),
    }
}

fn all_sets(folders: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut sets = Vec::new();
    for folder in folders {
        sets.extend(sets_in(folder)?);
    }
    ensure!(!sets.is_empty(), "name a folder with sets: corpus.jsonl.gz and queries.jsonl in each");
    Ok(sets)
}

fn sets_in(folder: &Path) -> Result<Vec<PathBuf>> {
    if folder.join("queries.jsonl").is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let inside = std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut sets: Vec<PathBuf> = inside
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join("queries.jsonl").is_file())
        .collect();
    sets.sort();
    Ok(sets)
}

/// The query engine recurses deeply, here as in the daemon.
fn run(work: impl AsyncFnOnce() -> Result<()> + Send + 'static) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(16 << 20)
        .enable_all()
        .build()?;
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(move || runtime.block_on(work()))?;
    thread.join().map_err(|_| anyhow::anyhow!("it failed inside"))?
}
