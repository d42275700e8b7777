//! Whether there is a server to try things on.

use std::env;
use std::io::Write as _;
use std::path::PathBuf;
use std::thread;

/// The server's program. None: the test is skipped, and that is said past the
/// runner, which shows nothing of a test that passes.
pub fn program() -> Option<PathBuf> {
    let which = env::var("ENGRAM_TEAM").unwrap_or_default();
    let program = env::var_os("ENGRAM_TEAM_SERVER").filter(|program| !program.is_empty() && which != "off");
    if let Some(program) = program {
        return Some(PathBuf::from(program));
    }
    let test = thread::current().name().unwrap_or_default().to_owned();
    assert!(which != "all", "{test} would be skipped, and ENGRAM_TEAM=all wants all of them");
    let _ = writeln!(std::io::stderr(), "team tests: skipped, {test} needs ENGRAM_TEAM_SERVER");
    None
}
