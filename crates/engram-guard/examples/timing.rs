//! What the guard costs: `cargo run --release -p engram-guard --example timing`.
//!
//! With paths as arguments it shows what would be masked in these files.

use engram_guard::guard;
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    if !paths.is_empty() {
        return show(&paths);
    }
    let prompt = "please look at the failing test in the parser and tell me why the second case is slow; \
        I think that it has to do with the cache, but I am not sure. Compare it with the branch of last week. ";
    let log: String = (0..20)
        .map(|line| {
            format!("2026-03-04T10:11:{line:02}.345Z INFO [worker-3] GET /api/items/{line}?page=2 200 in {line} ms user=ada token_type=x\n")
        })
        .collect();
    let secret =
        format!("{log}GITHUB_TOKEN={}{}\n", ["gh", "p_"].concat(), "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let long = secret.repeat(100_000 / secret.len() + 1);
    let escaped = secret.replace('\n', "\\n");
    for (what, text) in [
        ("prompt, first call", prompt),
        ("log with a secret, first call", &secret),
        ("prompt", prompt),
        ("log", &log),
        ("log with a secret", &secret),
        ("log with a secret in JSON", &escaped),
        ("long log with many secrets", &long),
        ("long log", &log.repeat(50)),
        ("odd text", &"token:".repeat(2_000)),
    ] {
        let rounds = if what.ends_with("first call") { 1 } else { 200 };
        println!("{what:<32} {:>7} bytes {:>9.1} us", text.len(), microseconds(text, rounds));
    }
}

/// The middle of several measurements.
#[expect(clippy::disallowed_methods, reason = "it measures")]
fn microseconds(text: &str, rounds: usize) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            black_box(guard(black_box(text)));
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn show(paths: &[String]) {
    for path in paths {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        for (number, line) in text.lines().enumerate() {
            let guarded = guard(line);
            if !guarded.secrets.is_empty() || guarded.private > 0 {
                println!("{path}:{}: {line}\n    {}", number + 1, guarded.text);
            }
            for found in guarded.instructions {
                println!("{path}:{}: {}: {}", number + 1, found.reason, &guarded.text[found.range]);
            }
        }
    }
}
