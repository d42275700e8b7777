//! `engram-team-server start …` is SurrealDB's own server; `rewrite <folder>` is
//! what it cannot do to a folder of SurrealKV: leave nothing in it but what is
//! there.

mod rewrite;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    match arguments.as_slice() {
        [command, folder] if command == "rewrite" => match rewrite::run(Path::new(folder)) {
            Ok(rewritten) => {
                println!("{rewritten}");
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("engram-team-server: {error:#}");
                ExitCode::FAILURE
            }
        },
        [command, ..] if command == "rewrite" => {
            eprintln!("usage: engram-team-server rewrite FOLDER (of a server that is stopped)");
            ExitCode::from(2)
        }
        _ => surrealdb_server::init(surrealdb_server::core::CommunityComposer()),
    }
}
