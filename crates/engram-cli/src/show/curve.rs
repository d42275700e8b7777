//! How the fading of a memory looks: a plot of characters, and the numbers
//! behind it.
//!
//! The plot is a pure function of the reply and a size. The points come with the
//! reply; which law they follow is not known here.

use super::{Look, clean_line, cut};
use engram_core::Timestamp;
use engram_wire::life::{CurveOf, CurvePoint, CurveThreshold};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use unicode_width::UnicodeWidthStr as _;

/// How large a plot is, in characters: all its columns, and the rows of the
/// field without what is written below it.
#[derive(Debug, Clone, Copy)]
struct Size {
    width: usize,
    rows: usize,
}

/// A wider plot is no easier to read, and a narrower one says nothing.
const WIDEST: usize = 110;
const NARROWEST: usize = 36;
const ROWS: usize = 16;

pub(crate) fn curve(curve: &CurveOf, look: &Look) -> String {
    let CurveOf { memory, model, retention, storage, thresholds, fades_at, .. } = curve;
    let mut text = format!("{}\n\n", cut(&clean_line(memory.headline()), look.width));
    let plotted = plot(curve, Size { width: look.width.clamp(NARROWEST, WIDEST), rows: ROWS });
    if !plotted.is_empty() {
        let _ = writeln!(text, "{plotted}");
    }
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{} {value}", look.dim(&format!("{name:<11}")));
    };
    line("id", memory.id.to_string());
    line("model", model.to_string());
    line("stability", format!("{:.1} days", memory.trace.stability.get()));
    let difficulty = memory.trace.difficulty.map(|difficulty| format!("{:.1} of 10", difficulty.get()));
    line("difficulty", difficulty.unwrap_or_else(|| "never graded".to_owned()));
    line("storage", format!("{storage:.1} of 10"));
    line("retention", format!("{:.2} now", retention.get()));
    line("fades", fades_at.map_or("never".to_owned(), |at| look.moment(at)));
    for threshold in thresholds {
        // Reaching it is not all that is asked before a memory is put away.
        let when = threshold.reached_at.map_or("never".to_owned(), |at| {
            format!("at {:.2}, not before {}", threshold.retention.get(), look.moment(at))
        });
        line(&clean_line(&threshold.what), when);
    }
    if memory.pinned {
        line("protected", "pinned: it is not put away by itself".to_owned());
    }
    text
}

/// A field of dots, eight in a character: two across and four down.
struct Dots {
    columns: usize,
    cells: Vec<u8>,
}

const ACROSS: usize = 2;
const DOWN: usize = 4;
/// The bits of a braille pattern, by row and column of its dots.
const BITS: [[u8; ACROSS]; DOWN] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

impl Dots {
    fn new(columns: usize, rows: usize) -> Self {
        Self { columns, cells: vec![0; columns * rows] }
    }

    fn set(&mut self, x: usize, y: usize) {
        self.cells[(y / DOWN) * self.columns + x / ACROSS] |= BITS[y % DOWN][x % ACROSS];
    }

    /// None where no dot is.
    fn character(&self, column: usize, row: usize) -> Option<char> {
        match self.cells[row * self.columns + column] {
            0 => None,
            dots => char::from_u32(0x2800 + u32::from(dots)),
        }
    }
}

/// What is left over time, with the line of now, the thresholds and the uses.
/// Empty where there is no time to plot.
fn plot(curve: &CurveOf, size: Size) -> String {
    let (Some(first), Some(last)) = (curve.points.first(), curve.points.last()) else {
        return String::new();
    };
    let span = seconds(first.at, last.at);
    if span <= 0.0 {
        return String::new();
    }
    let rows = size.rows.max(DOWN);
    let floor = floor_of(curve);
    let row_of = |held: f64| height(held, floor, rows) / DOWN;
    let mut named: BTreeMap<usize, String> = BTreeMap::new();
    for CurveThreshold { what, retention, .. } in &curve.thresholds {
        let names = named.entry(row_of(retention.get())).or_default();
        let comma = if names.is_empty() { " " } else { ", " };
        let _ = write!(names, "{comma}{}", clean_line(what));
    }
    let right = named.values().map(|names| names.width()).max().unwrap_or(0);
    let columns = size.width.saturating_sub(LEFT + right).max(ACROSS * DOWN);
    let column_of = |at: Timestamp| {
        let far = seconds(first.at, at) / span;
        (0.0..=1.0).contains(&far).then(|| (far * (columns - 1) as f64).round() as usize)
    };

    let mut dots = Dots::new(columns, rows);
    let mut before = None;
    for x in 0..columns * ACROSS {
        let at = span * x as f64 / (columns * ACROSS - 1) as f64;
        let y = height(held_at(&curve.points, at), floor, rows);
        // A jump is a line, not a gap.
        let from = before.replace(y).unwrap_or(y);
        (y.min(from)..=y.max(from)).for_each(|y| dots.set(x, y));
    }

    let mut marks: BTreeMap<usize, f64> = BTreeMap::new();
    for tenth in (0..=10).rev().map(|tenth| f64::from(tenth) / 10.0).filter(|tenth| *tenth >= floor) {
        marks.entry(row_of(tenth)).or_insert(tenth);
    }
    let now = column_of(curve.at);
    let mut text = String::new();
    for row in 0..rows {
        let mut line = match marks.get(&row) {
            Some(mark) => format!("{mark:.1} ┤"),
            None => "    │".to_owned(),
        };
        for column in 0..columns {
            line.push(dots.character(column, row).unwrap_or(match named.contains_key(&row) {
                _ if now == Some(column) => '│',
                true => '┄',
                false => ' ',
            }));
        }
        line += named.get(&row).map_or("", String::as_str);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text + &below(curve, first.at, span, columns, now)
}

/// Columns before the field: a number, a space and the axis.
const LEFT: usize = 5;

/// The axis of time, the uses under it, and how many days away its marks are.
fn below(curve: &CurveOf, first: Timestamp, span: f64, columns: usize, now: Option<usize>) -> String {
    let column_of = |at: f64| (at / span * (columns - 1) as f64).round() as usize;
    let past = seconds(first, curve.at);
    let days = span / DAY;
    let step = STEPS.into_iter().find(|step| step / days * columns as f64 >= ROOM).unwrap_or(days.ceil());

    let mut axis = vec!['─'; columns];
    let mut labels = vec![' '; columns + LEFT];
    let nearest = (-(past / DAY / step).floor() as i64)..=(((span - past) / DAY / step).floor() as i64);
    let mut counts: Vec<i64> = nearest.collect();
    counts.sort_by_key(|count| count.unsigned_abs());
    for count in counts {
        let away = count as f64 * step;
        let column = column_of(past + away * DAY).min(columns - 1);
        let label = if count == 0 { "now".to_owned() } else { format!("{away:+} d") };
        // In the middle below its mark, as far as there is room.
        let start = (column + LEFT).saturating_sub(label.len() / 2).min(labels.len() - label.len());
        let around = start.saturating_sub(1)..(start + label.len() + 1).min(labels.len());
        if labels[around].iter().all(|taken| *taken == ' ') {
            labels.splice(start..start + label.len(), label.chars());
            axis[column] = if now == Some(column) { '┼' } else { '┬' };
        }
    }

    let mut uses = vec![' '; columns];
    for at in &curve.uses {
        let far = seconds(first, *at);
        if (0.0..=span).contains(&far) {
            uses[column_of(far)] = '▲';
        }
    }
    let mut text = format!("    └{}\n", axis.iter().collect::<String>());
    if uses.contains(&'▲') {
        let _ = writeln!(text, "     {}", uses.iter().collect::<String>().trim_end());
    }
    let _ = writeln!(text, "{}", labels.iter().collect::<String>().trim_end());
    if uses.contains(&'▲') {
        text += "     ▲ it was shown\n";
    }
    text
}

const DAY: f64 = 86_400.0;
/// Days between two marks of the axis, of which the first is taken that leaves
/// so many columns for a label.
const STEPS: [f64; 12] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0, 2_000.0, 5_000.0];
const ROOM: f64 = 9.0;

/// The plot begins at the tenth below everything that is in it: a curve that
/// never falls under a half would be flat on a field that begins at nothing.
fn floor_of(curve: &CurveOf) -> f64 {
    let points = curve.points.iter().map(|point| point.retention.get());
    let thresholds = curve.thresholds.iter().map(|threshold| threshold.retention.get());
    let lowest = points.chain(thresholds).fold(0.9, f64::min);
    (lowest * 10.0).floor() / 10.0
}

/// How many dots below the top so much is.
fn height(held: f64, floor: f64, rows: usize) -> usize {
    let lowest = rows * DOWN - 1;
    let far = (1.0 - held) / (1.0 - floor);
    ((far * lowest as f64).round().max(0.0) as usize).min(lowest)
}

/// What is left so many seconds after the first point, on the line between the
/// two points around that moment.
fn held_at(points: &[CurvePoint], after: f64) -> f64 {
    let far = |point: &CurvePoint| seconds(points[0].at, point.at);
    let next = points.partition_point(|point| far(point) < after).clamp(1, points.len() - 1);
    let (left, right) = (&points[next - 1], &points[next]);
    let (from, to) = (left.retention.get(), right.retention.get());
    let gap = far(right) - far(left);
    let share = if gap > 0.0 { ((after - far(left)) / gap).clamp(0.0, 1.0) } else { 1.0 };
    from + (to - from) * share
}

fn seconds(from: Timestamp, to: Timestamp) -> f64 {
    to.duration_since(from).as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{OLD, look, memory, reply};
    use super::*;
    use expect_test::expect;
    use serde_json::{Value, json};

    fn day(days: f64) -> Value {
        let at: Timestamp = "2026-11-15T10:30:00Z".parse().unwrap();
        json!((at + jiff::SignedDuration::from_secs((days * DAY) as i64)).to_string())
    }

    /// Born ten days ago, used six and two days ago, and seen until so many days
    /// from now.
    fn fading(ahead: f64) -> Value {
        let held = |days: f64| {
            let since = [-2.0, -6.0, -10.0].into_iter().find(|use_| *use_ <= days).unwrap_or(-10.0);
            1.0 / (1.0 + (days - since) / 12.0)
        };
        let points: Vec<Value> = (0..=400)
            .map(|n| -10.0 + (ahead + 10.0) * f64::from(n) / 400.0)
            .map(|days| json!({"at": day(days), "retention": held(days)}))
            .collect();
        json!({
            "memory": memory(OLD, "keys are rotated\u{1b} on mondays"),
            "model": "power", "at": day(0.0), "retention": held(0.0), "storage": 2.71,
            "uses": [day(-400.0), day(-6.0), day(-2.0)],
            "points": points,
            "thresholds": [
                {"what": "rehearsal", "retention": 0.3, "reached_at": day(26.0)},
                {"what": "archival", "retention": 0.15, "reached_at": day(66.0)},
                {"what": "forgetting", "retention": 0.01}
            ],
            "fades_at": day(66.0)
        })
    }

    #[test]
    fn a_memory_fades_and_comes_back_with_every_use() {
        expect![[r#"
            keys are rotated␛ on mondays

            1.0 ┤⢹ ⢸⡇ ⣶│
            0.9 ┤⠈⣇⢸⢹ ⡏⡇
                │ ⢸⣸⠈⣇⡇⢹⡀
            0.8 ┤  ⠛ ⠸⠇│⢧
            0.7 ┤      │⠈⢧
                │      │ ⠈⢧
            0.6 ┤      │  ⠈⢧⡀
                │      │    ⠹⣄
            0.5 ┤      │     ⠈⠳⣄
            0.4 ┤      │       ⠈⠙⠦⣄
                │      │          ⠈⠙⠲⢤⣀
            0.3 ┤┄┄┄┄┄┄│┄┄┄┄┄┄┄┄┄┄┄┄┄┄⠈⠉⠓⠲⠤⣄⣀⡀┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ rehearsal
            0.2 ┤      │                     ⠉⠉⠓⠒⠲⠤⠤⣄⣀⣀⣀
                │┄┄┄┄┄┄│┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⠈⠉⠉⠉⠓⠒⠒⠒⠒⠦⠤⠤⠤⠤⢤⣀⣀⣀ archival
            0.1 ┤      │
            0.0 ┤┄┄┄┄┄┄│┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ forgetting
                └──────┼───────────┬────────────┬───────────┬───────────┬
                   ▲  ▲
                      now        +20 d        +40 d       +60 d     +80 d
                 ▲ it was shown

            id          01JD3V8Q2Y6K4M5N7P9R1S3T5V
            model       power
            stability   2.3 days
            difficulty  never graded
            storage     2.7 of 10
            retention   0.86 now
            fades       2027-01-20 10:30 (in 2 months)
            rehearsal   at 0.30, not before 2026-12-11 10:30 (in 26 days)
            archival    at 0.15, not before 2027-01-20 10:30 (in 2 months)
            forgetting  never
        "#]]
        .assert_eq(&curve(&reply(fading(80.0)), &look()));
    }

    #[test]
    fn a_plot_is_never_wider_than_it_may_be() {
        for width in [36, 48, 72, 110] {
            for ahead in [1.0, 30.0, 3_650.0] {
                let drawn = plot(&reply(fading(ahead)), Size { width, rows: 16 });
                for line in drawn.lines() {
                    assert!(line.width() <= width, "{width} columns: {line}");
                }
                assert!(drawn.contains("now") && drawn.contains('▲'), "{drawn}");
            }
        }
    }

    #[test]
    fn a_curve_that_stays_high_begins_at_its_own_floor() {
        let mut high = fading(30.0);
        high["model"] = json!("fsrs6");
        high["thresholds"] = json!([
            {"what": "rehearsal", "retention": 0.72, "reached_at": day(5.0)},
            {"what": "archival", "retention": 0.66, "reached_at": day(9.0)},
            {"what": "forgetting", "retention": 0.51, "reached_at": day(90.0)}
        ]);
        high["uses"] = json!([]);
        let points: Vec<Value> = (0..=60)
            .map(|n| f64::from(n) / 2.0)
            .map(|days| json!({"at": day(days), "retention": (1.0 + days).powf(-0.1542)}))
            .collect();
        high["points"] = json!(points);
        expect![[r#"
            1.0 ┤⢹
                │⠈⣇
            0.9 ┤│⠸⡄
                ││ ⠙⣆
            0.8 ┤│  ⠈⠳⣄
                ││    ⠈⠳⢤⡀
                ││┄┄┄┄┄┄┄⠉⠓⠦⣄⣀┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ rehearsal
            0.7 ┤│           ⠈⠉⠓⠲⠤⢤⣀⣀
                ││┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄⠈⠉⠙⠒⠒⠦⠤⠤⣄⣀⣀⡀┄┄┄┄┄┄┄┄┄┄┄┄┄ archival
            0.6 ┤│                             ⠉⠉⠉⠉⠓⠒⠒⠒⠦⠤⠤⠤⠤⣄
                ││
            0.5 ┤│┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄ forgetting
                └┼─────────────┬──────────────┬─────────────┬
                now          +10 d          +20 d       +30 d
        "#]]
        .assert_eq(&plot(&reply(high), Size { width: 60, rows: 12 }));
    }

    #[test]
    fn thresholds_that_share_a_row_are_named_together() {
        let drawn = plot(&reply(fading(80.0)), Size { width: 72, rows: 4 });
        assert!(drawn.contains(" archival, forgetting\n"), "{drawn}");
    }

    #[test]
    fn without_time_there_is_no_plot_but_the_numbers_are_told() {
        let mut still = fading(80.0);
        still["points"] = json!([{"at": day(0.0), "retention": 1.0}]);
        still["memory"]["pinned"] = json!(true);
        still["memory"]["difficulty"] = json!(5.25);
        still["thresholds"] = json!([]);
        still.as_object_mut().unwrap().remove("fades_at");
        expect![[r#"
            keys are rotated␛ on mondays

            id          01JD3V8Q2Y6K4M5N7P9R1S3T5V
            model       power
            stability   2.3 days
            difficulty  5.2 of 10
            storage     2.7 of 10
            retention   0.86 now
            fades       never
            protected   pinned: it is not put away by itself
        "#]]
        .assert_eq(&curve(&reply(still.clone()), &look()));
        still["points"] = json!([]);
        assert_eq!(plot(&reply(still), Size { width: 72, rows: 16 }), "");
    }

    #[test]
    fn between_two_points_the_curve_is_a_line() {
        let points: Vec<CurvePoint> = reply(json!([
            {"at": day(0.0), "retention": 1.0},
            {"at": day(1.0), "retention": 0.5},
            {"at": day(1.0), "retention": 1.0},
            {"at": day(2.0), "retention": 0.8}
        ]));
        let held = |days: f64| (held_at(&points, days * DAY) * 1_000.0).round() / 1_000.0;
        assert_eq!([held(0.0), held(0.5), held(1.5), held(2.0)], [1.0, 0.75, 0.9, 0.8]);
        assert_eq!([held(-1.0), held(9.0)], [1.0, 0.8]);
    }
}
