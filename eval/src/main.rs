//! Numbers, not tests: what engram costs, beside what else there is, in one run
//! on one machine.

mod bench;
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
}

fn main() -> Result<()> {
    let Arguments { what: What::Bench { programs, largest } } = Arguments::parse();
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
