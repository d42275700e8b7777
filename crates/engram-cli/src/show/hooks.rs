//! How it looks what the hooks of an agent did.

use super::{Last, Look, clean_line, grouped, table};
use engram_wire::reply::{HookStats, Times};

pub(crate) fn hooks(agent: &str, did: &HookStats, look: &Look) -> String {
    let age = |at: Option<_>| at.map_or_else(|| "never".to_owned(), |at| look.age(at));
    let count = |count: u64| grouped(usize::try_from(count).unwrap_or(usize::MAX));
    let mut text = look.bold(&format!("hooks of {}", clean_line(agent))) + "\n";
    text += &format!("  last came {}, last saved {}\n", age(did.last_at), age(did.last_saved_at));
    text += &format!(
        "  {} characters told at starts and {} at prompts; {} memories shown, {} used\n",
        count(did.start_chars),
        count(did.prompt_chars),
        count(did.shown),
        count(did.used)
    );
    if let Some(problem) = &did.problem {
        text += &format!("  {} {}\n", look.bad("problem:"), clean_line(problem));
    }
    let rows: Vec<Vec<String>> = did
        .events
        .iter()
        .map(|(event, times)| {
            vec![event.to_string(), count(times.count), at_most(times, 0.5), at_most(times, 0.99)]
        })
        .collect();
    if rows.is_empty() {
        return text;
    }
    text + &indented(&table(&["EVENT", "COUNT", "P50", "P99"], rows, Last::Wrap, look))
}

/// The time that this share of them took at most.
fn at_most(times: &Times, share: f64) -> String {
    match times.quantile(share) {
        None => String::new(),
        Some(u64::MAX) => "over 5 s".to_owned(),
        Some(milliseconds) => format!("up to {milliseconds} ms"),
    }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{look, reply};
    use super::*;
    use expect_test::expect;
    use serde_json::json;

    #[test]
    fn what_hooks_did_is_told_with_how_long_it_took() {
        let did = reply(json!({
            "last_at": "2026-11-15T10:25:00Z", "last_saved_at": "2026-11-14T10:30:00Z",
            "start_chars": 12345, "prompt_chars": 678, "shown": 9, "used": 2,
            "problem": "the store is\nlocked",
            "events": {
                "SessionStart": {"count": 2, "up_to_ms": {"20": 1, "18446744073709551615": 1}},
                "Stop": {"count": 0, "up_to_ms": {}},
            },
        }));
        expect![[r#"
            hooks of claude-code
              last came 5 minutes ago, last saved 1 day ago
              12,345 characters told at starts and 678 at prompts; 9 memories shown, 2 used
              problem: the store is locked
              EVENT         COUNT  P50          P99
              SessionStart  2      up to 20 ms  over 5 s
              Stop          0
        "#]]
        .assert_eq(&hooks("claude-code", &did, &look()));
        expect![[r#"
            hooks of x␛
              last came never, last saved never
              0 characters told at starts and 0 at prompts; 0 memories shown, 0 used
        "#]]
        .assert_eq(&hooks("x\u{1b}", &HookStats::default(), &look()));
    }
}
