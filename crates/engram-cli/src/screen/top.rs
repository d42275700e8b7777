//! The screen of `engram top`: how the daemon fares, what may be spent and was,
//! how long hooks take, and when it dreams next. The same as text, once.

use super::{Key, Paint, WIDE};
use crate::show::{self, Look, bytes, clean_line, columns, cut, grouped, memories, plural, spark, spent};
use engram_core::Timestamp;
use engram_wire::reply::{Health, Stats};
use engram_wire::window::BudgetLine;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::text::Line;
use ratatui::widgets::Paragraph;
use std::collections::VecDeque;

/// So far back what went on is counted, in seconds.
const MINUTE: usize = 60;

/// What is known of the daemon.
pub(crate) struct Vitals {
    /// None: nobody is there.
    known: Option<(Health, Stats)>,
    /// What is told then.
    asleep: String,
    /// When something went on, the oldest first.
    moments: VecDeque<Timestamp>,
    /// So many lines are above the screen.
    above: usize,
}

/// Some lines under one title.
struct Part {
    title: String,
    lines: Vec<String>,
}

impl Vitals {
    pub(crate) fn new(moments: Vec<Timestamp>) -> Self {
        Self { known: None, asleep: String::new(), moments: moments.into(), above: 0 }
    }

    /// `asleep` is told where nobody is there.
    pub(crate) fn learn(&mut self, known: Option<(Health, Stats)>, asleep: String) {
        (self.known, self.asleep) = (known, asleep);
    }

    /// Something went on.
    pub(crate) fn happened(&mut self, at: Timestamp) {
        self.moments.push_back(at);
        while self.moments.front().is_some_and(|first| seconds_ago(*first, at) >= MINUTE) {
            self.moments.pop_front();
        }
    }

    /// Whether that was to end it.
    pub(crate) fn press(&mut self, key: Key) -> bool {
        match key {
            Key::Char('j') | Key::Down => self.above += 1,
            Key::Char('k') | Key::Up => self.above = self.above.saturating_sub(1),
            _ => {}
        }
        key.ends()
    }

    fn parts(&self, look: &Look) -> Vec<Part> {
        let Some((health, stats)) = &self.known else {
            let lines = self.asleep.lines().map(str::to_owned).collect();
            return vec![Part { title: "engram top".to_owned(), lines }];
        };
        let part = |title: &str, lines: Vec<String>| Part { title: title.to_owned(), lines };
        let mut parts = vec![
            part(&format!("engramd {}", clean_line(&health.version)), daemon(health, stats, look)),
            part("activity", vec![self.activity(look)]),
            part("budgets", health.budgets.iter().map(|line| budget(line, &health.budgets, look)).collect()),
        ];
        for (agent, did) in &stats.hooks {
            // Its table is cut like every line, and not broken.
            let told = show::hooks(agent, did, &Look { width: look.width.max(usize::from(WIDE)), ..*look });
            let mut lines = told.lines().map(|line| line.trim_start().to_owned());
            let title = lines.next().unwrap_or_default();
            parts.push(Part { title, lines: lines.collect() });
        }
        parts.push(part("dreams", health.next_dream.iter().map(show::next_dream).collect()));
        let scope = |scope: &engram_wire::reply::ScopeStats| {
            let faded = format!("{} faded", grouped(scope.faded));
            format!("{}: {}, {faded}, {}", scope.scope, memories(scope.memories), bytes(scope.bytes_on_disk))
        };
        parts.push(part("memories", stats.scopes.iter().map(scope).collect()));
        parts.retain(|part| !part.lines.is_empty());
        parts
    }

    /// What went on in the last minute, a step for each three seconds where there
    /// is little room, for each second elsewhere.
    fn activity(&self, look: &Look) -> String {
        let mut counts = [0; MINUTE];
        for at in &self.moments {
            if let Some(count) = counts.iter_mut().rev().nth(seconds_ago(*at, look.now)) {
                *count += 1;
            }
        }
        let many: usize = counts.iter().sum();
        let step = if is_wide(look) { 1 } else { 3 };
        let steps: Vec<usize> = counts.chunks(step).map(|chunk| chunk.iter().sum()).collect();
        format!("{} {many} in a minute", spark(&steps))
    }

    /// The same, once, where nobody draws.
    pub(crate) fn text(&self, look: &Look) -> String {
        // Whoever asks for colour gets it in the titles; the rest is made for both.
        let plain = Look { color: false, ..*look };
        let told = |part: &Part| {
            let lines: String = part.lines.iter().map(|line| format!("  {line}\n")).collect();
            format!("{}\n{lines}", look.bold(&part.title))
        };
        self.parts(&plain).iter().map(told).collect::<Vec<_>>().join("\n")
    }

    pub(crate) fn draw(&mut self, frame: &mut Frame, look: &Look) {
        let paint = Paint { color: look.color };
        let [body, foot] = Layout::vertical([Constraint::Min(1), Constraint::Length(1)]).areas(frame.area());
        let width = usize::from(body.width);
        let plain = Look { color: false, width, ..*look };
        let mut lines = Vec::new();
        for part in self.parts(&plain) {
            lines.push(Line::styled(cut(&part.title, width), paint.title()));
            for line in &part.lines {
                let style = if line.starts_with(PROBLEM) { paint.bad() } else { Default::default() };
                lines.push(Line::styled(cut(&format!(" {line}"), width), style));
            }
        }
        // The last line stays in sight, however often somebody scrolls.
        self.above = self.above.min(lines.len().saturating_sub(usize::from(body.height)));
        let below = lines.len().saturating_sub(self.above + usize::from(body.height));
        frame.render_widget(Paragraph::new(lines.split_off(self.above)), body);
        let more = if below > 0 { format!("  {below} more below") } else { String::new() };
        let keys = cut(&format!("j k scroll  q end{more}"), width);
        frame.render_widget(Paragraph::new(Line::styled(keys, paint.dim())), foot);
    }
}

/// How a line begins that somebody has to do something about.
const PROBLEM: &str = "problem:";

fn is_wide(look: &Look) -> bool {
    look.width >= usize::from(WIDE)
}

/// Whole seconds; what is yet to come is now, because clocks differ.
fn seconds_ago(at: Timestamp, now: Timestamp) -> usize {
    usize::try_from(now.as_second().saturating_sub(at.as_second())).unwrap_or(0)
}

fn daemon(health: &Health, stats: &Stats, look: &Look) -> Vec<String> {
    let problems = [
        health.capture.problem.as_deref(),
        health.llm.as_ref().and_then(|llm| llm.problem.as_deref()),
        health.without_model.as_deref(),
        health.team_problem.as_deref(),
    ];
    let problems = problems.into_iter().flatten();
    let mut lines: Vec<String> =
        problems.map(|problem| format!("{PROBLEM} {}", clean_line(problem))).collect();
    let kept = stats.hooks.values().filter_map(|did| did.last_saved_at).max();
    lines.extend(kept.map(|at| format!("last kept {}", look.age(at))));
    lines.extend([
        format!("process {}, since {}", health.process, look.age(health.started_at)),
        format!(
            "{}{}, {}, {} open",
            health.resident_bytes.map(|resident| bytes(resident) + ", ").unwrap_or_default(),
            plural(usize::try_from(health.requests).unwrap_or(usize::MAX), "request", "requests"),
            plural(health.open_stores.len(), "store", "stores"),
            plural(health.open_sessions, "session", "sessions"),
        ),
        format!("ends {}, if nobody asks", look.age(health.idle_exit_at)),
    ]);
    if health.spooled + health.rejected > 0 {
        lines.push(format!("spool: {} waiting, {} rejected", health.spooled, health.rejected));
    }
    if let Some(window) = &health.window {
        lines.push(format!("window: {}, {} watching", clean_line(&window.url), window.watchers));
    }
    for store in health.vectors.iter().filter(|store| store.vectors.made < store.vectors.total) {
        let (made, total) = (grouped(store.vectors.made), grouped(store.vectors.total));
        lines.push(format!("vectors: {made} of {total} in {}", clean_line(&store.store)));
    }
    lines
}

/// What may be spent and was, as a bar and in numbers.
fn budget(line: &BudgetLine, all: &[BudgetLine], look: &Look) -> String {
    let longest = all.iter().map(|line| columns(&clean_line(&line.what))).max().unwrap_or(0);
    let (most, room) = if is_wide(look) { (24, 10) } else { (14, 6) };
    let name = cut(&clean_line(&line.what), longest.min(most));
    let gap = " ".repeat(longest.min(most).saturating_sub(columns(&name)));
    let share = if line.limit > 0.0 { (line.used / line.limit).clamp(0.0, 1.0) } else { 1.0 };
    let full = (share * f64::from(room)).round() as usize;
    let bar = "█".repeat(full) + &"·".repeat(usize::try_from(room).unwrap_or(0).saturating_sub(full));
    format!("{name}{gap} [{bar}] {}", spent(line))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{drawn, is_coloured};
    use super::*;
    use crate::show::tests::{look, reply};
    use expect_test::expect;
    use serde_json::json;

    fn vitals() -> Vitals {
        let health = reply(json!({
            "version": "0.1.0", "protocol": 1, "process": 42, "home": "/h", "socket": "/h/run/engram.sock",
            "started_at": "2026-11-15T10:00:00Z", "requests": 7, "open_stores": ["user"],
            "open_sessions": 1, "resident_bytes": 52428800, "idle_exit_at": "2026-11-15T11:00:00Z",
            "spooled": 0, "rejected": 2, "embedder": "e5-small-v2", "without_model": "it is not\u{1b} installed",
            "vectors": [{"store": "user", "embedder": "e5-small-v2", "made": 3200, "total": 10000}],
            "window": {"url": "http://127.0.0.1:4321", "watchers": 1},
            "budgets": [
                {"what": "language model", "used": 12.0, "limit": 100.0, "unit": "calls a day",
                 "behaviour": "refuse"},
                {"what": "language model", "used": 1500.5, "limit": 1000.0, "unit": "tokens a day",
                 "behaviour": "refuse", "over": true},
                {"what": "hook UserPromptSubmit", "used": 30.0, "limit": 200.0, "unit": "ms"}
            ],
            "next_dream": [{"store": "project shop", "after_sessions": 1, "depth": "full", "due": false}]
        }));
        let stats = reply(json!({
            "project": null, "gaps": [],
            "scopes": [{"scope": "user", "memories": 1234, "by_status": {}, "by_kind": {}, "pinned": 0,
                "faded": 3, "uses": 9, "bytes_on_disk": 1048576}],
            "hooks": {"claude-code": {
                "last_at": "2026-11-15T10:25:00Z", "last_saved_at": "2026-11-12T10:30:00Z",
                "start_chars": 12345, "prompt_chars": 678, "shown": 9, "used": 2,
                "events": {"SessionStart": {"count": 2, "up_to_ms": {"20": 1, "50": 1}}}
            }}
        }));
        let moments = ["2026-11-15T10:28:00Z", "2026-11-15T10:29:30Z", "2026-11-15T10:30:00Z"];
        let mut vitals = Vitals::new(moments.map(|at| at.parse().unwrap()).into());
        vitals.happened("2026-11-15T10:30:00Z".parse().unwrap());
        vitals.learn(Some((health, stats)), String::new());
        vitals
    }

    fn screen(vitals: &mut Vitals, width: u16, height: u16) -> String {
        drawn(width, height, |frame| vitals.draw(frame, &look()))
    }

    #[test]
    fn a_wide_screen_shows_it_all() {
        expect![[r#"
            "engramd 0.1.0                                                                   "
            " problem: it is not␛ installed                                                  "
            " last kept 3 days ago                                                           "
            " process 42, since 30 minutes ago                                               "
            " 50.0 MiB, 7 requests, 1 store, 1 session open                                  "
            " ends in 30 minutes, if nobody asks                                             "
            " spool: 0 waiting, 2 rejected                                                   "
            " window: http://127.0.0.1:4321, 1 watching                                      "
            " vectors: 3,200 of 10,000 in user                                               "
            "activity                                                                        "
            " [                             ▄                             █] 3 in a minute   "
            "budgets                                                                         "
            " language model        [█·········] 12 of 100 calls a day, then refused         "
            " language model        [██████████] 1500.5 of 1,000 tokens a day, over: refused "
            " hook UserPromptSubmit [██········] 30 of 200 ms                                "
            "hooks of claude-code                                                            "
            " last came 5 minutes ago, last saved 3 days ago                                 "
            " 12,345 characters told at starts and 678 at prompts; 9 memories shown, 2 used  "
            " EVENT         COUNT  P50          P99                                          "
            " SessionStart  2      up to 20 ms  up to 50 ms                                  "
            "dreams                                                                          "
            " project shop: full, after the next session                                     "
            "memories                                                                        "
            "j k scroll  q end  1 more below                                                 "
        "#]]
        .assert_eq(&screen(&mut vitals(), 80, 24));
    }

    #[test]
    fn a_narrow_screen_shows_what_matters_first_and_scrolls() {
        let mut vitals = vitals();
        expect![[r#"
            "engramd 0.1.0                           "
            " problem: it is not␛ installed          "
            " last kept 3 days ago                   "
            " process 42, since 30 minutes ago       "
            " 50.0 MiB, 7 requests, 1 store, 1 sessi…"
            " ends in 30 minutes, if nobody asks     "
            " spool: 0 waiting, 2 rejected           "
            " window: http://127.0.0.1:4321, 1 watch…"
            " vectors: 3,200 of 10,000 in user       "
            "activity                                "
            " [         ▄         █] 3 in a minute   "
            "j k scroll  q end  13 more below        "
        "#]]
        .assert_eq(&screen(&mut vitals, 40, 12));
        for _ in 0..100 {
            assert!(!vitals.press(Key::Char('j')));
        }
        expect![[r#"
            " language model [██████] 1500.5 of 1,00…"
            " hook UserProm… [█·····] 30 of 200 ms   "
            "hooks of claude-code                    "
            " last came 5 minutes ago, last saved 3… "
            " 12,345 characters told at starts and 6…"
            " EVENT         COUNT  P50          P99  "
            " SessionStart  2      up to 20 ms  up t…"
            "dreams                                  "
            " project shop: full, after the next ses…"
            "memories                                "
            " user: 1234 memories, 3 faded, 1.0 MiB  "
            "j k scroll  q end                       "
        "#]]
        .assert_eq(&screen(&mut vitals, 40, 12));
        let lowest = screen(&mut vitals, 40, 12);
        vitals.press(Key::Char('k'));
        assert_ne!(screen(&mut vitals, 40, 12), lowest, "one step up is seen, however far it went down");
    }

    #[test]
    fn without_a_screen_it_is_text() {
        expect![[r#"
            engramd 0.1.0
              problem: it is not␛ installed
              last kept 3 days ago
              process 42, since 30 minutes ago
              50.0 MiB, 7 requests, 1 store, 1 session open
              ends in 30 minutes, if nobody asks
              spool: 0 waiting, 2 rejected
              window: http://127.0.0.1:4321, 1 watching
              vectors: 3,200 of 10,000 in user

            activity
              [                             ▄                             █] 3 in a minute

            budgets
              language model        [█·········] 12 of 100 calls a day, then refused
              language model        [██████████] 1500.5 of 1,000 tokens a day, over: refused
              hook UserPromptSubmit [██········] 30 of 200 ms

            hooks of claude-code
              last came 5 minutes ago, last saved 3 days ago
              12,345 characters told at starts and 678 at prompts; 9 memories shown, 2 used
              EVENT         COUNT  P50          P99
              SessionStart  2      up to 20 ms  up to 50 ms

            dreams
              project shop: full, after the next session

            memories
              user: 1234 memories, 3 faded, 1.0 MiB
        "#]]
        .assert_eq(&vitals().text(&look()));
    }

    #[test]
    fn where_nobody_is_there_that_is_what_is_shown() {
        let mut vitals = Vitals::new(Vec::new());
        vitals.learn(None, "No daemon is running.\nhome /h\n".to_owned());
        let told = screen(&mut vitals, 40, 12);
        assert!(told.contains(" No daemon is running.") && told.contains(" home /h"), "{told}");
    }

    #[test]
    fn what_is_longer_ago_than_a_minute_is_not_kept() {
        let mut vitals = vitals();
        assert_eq!(vitals.moments.len(), 3);
        vitals.happened("2026-11-15T10:31:10Z".parse().unwrap());
        assert_eq!(vitals.moments.len(), 1);
    }

    #[test]
    fn without_colour_there_are_attributes_alone() {
        let mut vitals = vitals();
        let mut with = |color| is_coloured(|frame| vitals.draw(frame, &Look { color, ..look() }));
        assert!(with(true));
        assert!(!with(false));
    }

    #[test]
    fn q_ends_it_and_the_smallest_terminal_is_drawn_on() {
        let mut vitals = vitals();
        assert!(vitals.press(Key::Char('q')) && vitals.press(Key::Interrupt));
        for (width, height) in [(1, 1), (5, 3), (20, 2)] {
            assert_eq!(screen(&mut vitals, width, height).lines().count(), usize::from(height));
        }
    }
}
