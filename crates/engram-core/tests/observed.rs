//! The observer against messages that were labelled before it was written.
//!
//! `observe/messages.jsonl` is the test: every line was written and labelled
//! before the first rule. Only the mistakes on every second line (the first, the
//! third, ...) were looked at while the rules were made. Whoever writes both
//! messages and rules has the messages in mind, though, so that this half is not
//! as unseen as it looks: `later.jsonl` holds four sets of other trades (128,
//! 119, 80 and 83 lines), each labelled before it was first read. At that first
//! reading precision and recall were .90/.27, .94/.50, .91/.74 and .84/.73; then
//! their mistakes were looked at and the rules made more general. `unseen.jsonl`
//! is the fifth. Nothing was changed for it until the rules for short statements
//! were made; then its mistakes were in view, and it is unseen no longer.
//!
//! `short.jsonl` is what developers type in few words, and it was used while
//! those rules (`observe::standing`) were written. It holds twelve rounds by one
//! hand (242, 128, 195, 212, 221, 168, 165, 107, 155, 100, 97 and 89 lines), each
//! labelled before it was first read. At that first reading precision and recall
//! were .85/.33 (before there were such rules), .98/.89, .89/.65, .84/.69,
//! .89/.85, .86/.81, .90/.74, .88/.96, .85/.80, .98/.90, 1.0/.83 and .98/.91; then
//! the mistakes of each but the last were looked at.
//!
//! `stranger.jsonl` was written and labelled by somebody who had seen neither the
//! rules nor the other sets, and is what to expect. Nothing was changed for it.
//!
//! A label says `keep` if the message would be of use in a later session: tasks,
//! questions, reports of what is broken just now and what an agent is doing
//! would not.
//!
//! All scores and mistakes:
//! `cargo test -p engram-core --test observed -- --nocapture --test-threads 1`.

use engram_core::Kind;
use engram_core::observe::{Heard, Observed, Role, observe};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Labelled {
    text: String,
    role: Role,
    lang: String,
    keep: bool,
    kind: Option<Kind>,
}

#[derive(Default, Clone, Copy)]
struct Score {
    right: usize,
    wrongly_kept: usize,
    missed: usize,
    rightly_skipped: usize,
    right_kind: usize,
}

impl Score {
    fn add(&mut self, message: &Labelled, observed: &Observed) {
        match (message.keep, observed) {
            (true, Observed::Keep(observation)) => {
                self.right += 1;
                self.right_kind += usize::from(message.kind == Some(observation.kind));
            }
            (true, Observed::Skip(_)) => self.missed += 1,
            (false, Observed::Keep(_)) => self.wrongly_kept += 1,
            (false, Observed::Skip(_)) => self.rightly_skipped += 1,
        }
    }

    fn share(part: usize, rest: usize) -> f64 {
        if part + rest == 0 { 1.0 } else { part as f64 / (part + rest) as f64 }
    }

    fn precision(&self) -> f64 {
        Self::share(self.right, self.wrongly_kept)
    }

    fn recall(&self) -> f64 {
        Self::share(self.right, self.missed)
    }
}

fn messages(lines: &str) -> Vec<Labelled> {
    lines.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn shortened(text: &str) -> String {
    let line = text.replace('\n', "⏎");
    if line.chars().count() > 100 { line.chars().take(97).collect::<String>() + "..." } else { line }
}

/// Reads the messages, prints scores and mistakes, and returns the whole score.
fn measure(messages: &[Labelled], halves: [&str; 2]) -> Score {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut mistakes = Vec::new();
    let mut kinds = Vec::new();
    for (number, message) in (1..).zip(messages) {
        let observed = observe(&Heard { text: &message.text, role: message.role });
        let half = halves[(number + 1) % 2];
        let groups = [
            "all".to_owned(),
            half.to_owned(),
            format!("lang {}", message.lang),
            format!("{half}, lang {}", message.lang),
            format!("role {}", message.role),
        ];
        for group in groups {
            scores.entry(group).or_default().add(message, &observed);
        }
        let found = match &observed {
            Observed::Keep(observation) => format!("kept as {}", observation.kind),
            Observed::Skip(why) => format!("skipped: {why}"),
        };
        let row =
            format!("{number:>4} {:<8} {:<9} {:<24} {}", half, message.role, found, shortened(&message.text));
        match (&observed, message.kind) {
            (Observed::Keep(observation), Some(kind)) if message.keep && observation.kind != kind => {
                kinds.push(format!("{row}   (labelled {kind})"));
            }
            (Observed::Keep(_), _) if message.keep => {}
            (Observed::Skip(_), _) if !message.keep => {}
            _ => mistakes.push(row),
        }
    }
    println!("{:<24} {:>5} {:>9} {:>7} {:>10}", "", "n", "precision", "recall", "right kind");
    for (group, score) in &scores {
        let n = score.right + score.missed + score.wrongly_kept + score.rightly_skipped;
        let kind = Score::share(score.right_kind, score.right - score.right_kind);
        println!("{group:<24} {n:>5} {:>9.3} {:>7.3} {kind:>10.3}", score.precision(), score.recall());
    }
    println!("\nkept or skipped wrongly:\n{}", mistakes.join("\n"));
    println!("\nkept under another kind:\n{}\n", kinds.join("\n"));
    scores["all"]
}

#[test]
fn labelled_messages_are_kept_and_skipped_as_a_person_would() {
    let messages = messages(include_str!("observe/messages.jsonl"));
    assert!(messages.len() >= 320);
    let all = measure(&messages, ["tuned", "held out"]);
    assert!(all.precision() >= 0.9, "precision {:.3}", all.precision());
    assert!(all.recall() >= 0.85, "recall {:.3}", all.recall());
}

/// Four sets of other trades, each written and labelled before it was first read,
/// each looked at afterwards.
#[test]
fn messages_of_other_trades_are_read_too() {
    let all = measure(&messages(include_str!("observe/later.jsonl")), ["later", "later"]);
    assert!(all.precision() >= 0.9, "precision {:.3}", all.precision());
    assert!(all.recall() >= 0.85, "recall {:.3}", all.recall());
}

/// The last set of longer messages, of which a few mistakes were mended later.
#[test]
fn unseen_messages_are_mostly_read_rightly() {
    let all = measure(&messages(include_str!("observe/unseen.jsonl")), ["unseen", "unseen"]);
    assert!(all.precision() >= 0.9, "precision {:.3}", all.precision());
    assert!(all.recall() >= 0.8, "recall {:.3}", all.recall());
}

/// What developers type in few words. The rules were made with these in view, so
/// that the floors are higher than what to expect of others.
#[test]
fn short_statements_are_told_from_short_remarks() {
    let all = measure(&messages(include_str!("observe/short.jsonl")), ["short", "short"]);
    assert!(all.precision() >= 0.95, "precision {:.3}", all.precision());
    assert!(all.recall() >= 0.92, "recall {:.3}", all.recall());
}

/// Written and labelled by somebody who knew neither the rules nor the other
/// sets, and read once.
#[test]
fn a_strangers_messages_are_mostly_read_rightly() {
    let all = measure(&messages(include_str!("observe/stranger.jsonl")), ["stranger", "stranger"]);
    assert!(all.precision() >= 0.9, "precision {:.3}", all.precision());
    assert!(all.recall() >= 0.8, "recall {:.3}", all.recall());
}

/// `cargo test --release -p engram-core --test observed -- --ignored --nocapture`
#[test]
#[ignore = "measures time"]
#[expect(clippy::disallowed_methods, reason = "time is what is measured")]
fn a_message_of_500_bytes_takes_less_than_a_tenth_of_a_millisecond() {
    let text = "ok that looks good, thanks! We decided to keep the orders service on Postgres 16 because we need real \
        transactions, and Priya from the platform team owns the migration. Can you also check src/orders/store.rs? \
        The staging database runs on port 5433, not 5432. Bundan sonra her zaman UTC kullan, tarihleri gösterirken \
        çevir. Please add a test for `OrderStore::append` and run the whole suite again. I prefer short commits. \
        The nightly backup takes about 40 minutes and nothing may be deployed while it runs.";
    assert!((480..=560).contains(&text.len()), "{}", text.len());
    let heard = Heard { text, role: Role::User };
    observe(&heard);
    // The best of many short rounds, since others use the machine as well.
    let rounds = (0..500).map(|_| {
        let began = std::time::Instant::now();
        for _ in 0..10 {
            std::hint::black_box(observe(std::hint::black_box(&heard)));
        }
        began.elapsed() / 10
    });
    let each = rounds.min().unwrap_or_default();
    println!("{} bytes: {each:?}", text.len());
    assert!(each.as_micros() < 100, "{each:?}");
}
