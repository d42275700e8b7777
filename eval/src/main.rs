//! Numbers, not tests: what engram costs, beside what else there is, in one run
//! on one machine.

mod bench;
mod recall;
mod texts;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

#[derive(Parser)]
#[command(name = "engram-eval", version, about = "Benches of engram against its peers")]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Times remember, recall, opening and starting, as ratios in one run.
    Bench {
        /// The folder with the release builds of engram and engramd.
        #[arg(long)]
        programs: PathBuf,
        /// The largest store, in memories.
        #[arg(long, default_value_t = 100_000)]
        largest: usize,
    },
    /// Measures retrieval on public sets, each arm beside a plain BM25.
    Recall {
        /// The folder with the sets: `<set>/corpus.jsonl.gz` and `<set>/queries.jsonl`.
        #[arg(long)]
        data: PathBuf,
        /// One set only.
        #[arg(long)]
        set: Option<String>,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().what {
        What::Recall { data, set } => recall::run(&data, set.as_deref()),
        What::Bench { programs, largest } => bench(programs, largest),
    }
}

fn bench(programs: PathBuf, largest: usize) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .thread_stack_size(16 << 20)
        .enable_all()
        .build()?;
    // The query engine recurses deeply, here as in the daemon.
    let bench = std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || runtime.block_on(bench::run(&programs, largest)))?;
    bench.join().map_err(|_| anyhow::anyhow!("the bench failed inside"))?
}
