//! How replies look to a person: pure functions from what the daemon answered
//! to text.
//!
//! Nothing here asks, prints or reads a clock. Text that was stored passes
//! `clean` before it is shown, so that it cannot command the terminal.

mod capture;
mod curve;
mod dream;
mod entity;
mod erase;
mod evolve;
mod found;
mod govern;
mod hooks;
mod install;
mod learn;
mod log;
mod memory;
mod reflect;
mod session;
mod system;
mod team;
mod window;

pub(crate) use capture::{observed, review, reviews, why};
pub(crate) use curve::curve;
pub(crate) use dream::{dream_reports, dreamt, offered};
pub(crate) use entity::{entities, entity, entity_changed, graph};
pub(crate) use erase::erased;
pub(crate) use evolve::{candidates, evolution_reports, evolved, skills};
pub(crate) use found::{How, found, warnings};
pub(crate) use govern::{audit, audit_verified};
pub(crate) use hooks::hooks;
pub(crate) use install::{Rest, Told, installed, uninstalled};
pub(crate) use learn::{rated, usage, weights, weights_reset};
pub(crate) use log::{history, operations, recalls, undone};
pub(crate) use memory::{changed, inspected, listed, sketch, tier_set};
pub(crate) use reflect::reflections;
pub(crate) use session::{outcome, promoted, reminders, session, session_ended, sessions};
pub(crate) use system::{
    asleep, backed_up, compacted, copies, examined, exported, health, imported, models, next_dream,
    reindexed, restored, settings, stats,
};
pub(crate) use team::{
    team_answered, team_created, team_invitation, team_joined, team_left, team_members, team_offers,
    team_proposals, team_shared, team_status, team_withdrawn,
};
pub(crate) use window::{days, graph_whole, projects, spark, spent, stores, ui_served};

use crate::when;
use comfy_table::{ColumnConstraint, ContentArrangement, Row, Table, presets};
use engram_core::Timestamp;
use jiff::Zoned;
use jiff::tz::TimeZone;
use owo_colors::OwoColorize as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// What rendering depends on besides the reply.
pub(crate) struct Look {
    pub(crate) now: Timestamp,
    /// Where the reader lives. Finding out takes longer than most answers, so
    /// it is asked for only when a date is shown.
    pub(crate) zone: fn() -> TimeZone,
    pub(crate) color: bool,
    /// In columns.
    pub(crate) width: usize,
}

impl Look {
    pub(crate) fn age(&self, at: Timestamp) -> String {
        engram_core::present::age(at, self.now)
    }

    pub(crate) fn zoned(&self) -> Zoned {
        self.now.to_zoned((self.zone)())
    }

    pub(crate) fn date(&self, at: Timestamp) -> String {
        when::local(at, (self.zone)())
    }

    /// The moment and how long ago it is.
    fn moment(&self, at: Timestamp) -> String {
        format!("{} ({})", self.date(at), self.age(at))
    }

    pub(crate) fn dim(&self, text: &str) -> String {
        if self.color { text.dimmed().to_string() } else { text.to_owned() }
    }

    pub(crate) fn bold(&self, text: &str) -> String {
        if self.color { text.bold().to_string() } else { text.to_owned() }
    }

    fn good(&self, text: &str) -> String {
        if self.color { text.green().to_string() } else { text.to_owned() }
    }

    fn bad(&self, text: &str) -> String {
        if self.color { text.red().to_string() } else { text.to_owned() }
    }
}

/// The text without anything that commands a terminal. Lines stay lines.
pub(crate) fn clean(text: &str) -> String {
    text.replace("\r\n", "\n")
        .chars()
        .flat_map(|c| match c {
            '\n' => ['\n', '\0'],
            '\t' => [' ', ' '],
            // The pictures of the control characters are in the same order.
            '\0'..='\u{1f}' => [char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'), '\0'],
            '\u{7f}' => ['\u{2421}', '\0'],
            '\u{80}'..='\u{9f}' => ['\u{fffd}', '\0'],
            // Line separators, and marks that turn the reading direction and
            // can make a text look like another one.
            '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => ['\u{fffd}', '\0'],
            c => [c, '\0'],
        })
        .filter(|c| *c != '\0')
        .collect()
}

/// The same on one line.
pub(crate) fn clean_line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The end of an identifier: enough to tell memories apart, short to type.
pub(crate) fn short(id: impl std::fmt::Display) -> String {
    let id = id.to_string();
    id[id.len().saturating_sub(8)..].to_owned()
}

pub(crate) fn plural(count: usize, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {many}") }
}

pub(crate) fn memories(count: usize) -> String {
    plural(count, "memory", "memories")
}

/// A count in groups of three digits.
pub(crate) fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = count as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}

/// Breaks a cleaned text into lines of at most `width` columns. A line keeps
/// its indentation; a word wider than the line is broken.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(20);
    let mut lines = Vec::new();
    for paragraph in text.trim_end().split('\n') {
        let indent: String = paragraph.chars().take_while(|c| *c == ' ').take(width / 2).collect();
        let mut line = indent.clone();
        for word in paragraph.split_whitespace() {
            let started = line.len() > indent.len();
            if started && line.width() + 1 + word.width() > width {
                lines.push(std::mem::replace(&mut line, indent.clone()));
            } else if started {
                line.push(' ');
            }
            for c in word.chars() {
                if line.width() + c.width().unwrap_or(0) > width {
                    lines.push(std::mem::replace(&mut line, indent.clone()));
                }
                line.push(c);
            }
        }
        lines.push(line.trim_end().to_owned());
    }
    lines
}

/// How many columns a line takes.
pub(crate) fn columns(line: &str) -> usize {
    line.width()
}

/// Cuts a line to `width` columns.
pub(crate) fn cut(line: &str, width: usize) -> String {
    if line.width() <= width {
        return line.to_owned();
    }
    let mut kept = String::new();
    let mut used = 1;
    for c in line.chars() {
        used += c.width().unwrap_or(0);
        if used > width {
            break;
        }
        kept.push(c);
    }
    kept.trim_end().to_owned() + "…"
}

/// What a table does with a last cell that is too wide.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Cut,
    Wrap,
}

/// A table without lines; the last column takes what room is left.
fn table(header: &[&str], rows: Vec<Vec<String>>, last: Last, look: &Look) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(u16::try_from(look.width).unwrap_or(u16::MAX))
        .set_header(header.to_vec());
    for cells in rows {
        let mut row = Row::from(cells.iter().map(|cell| clean_line(cell)).collect::<Vec<_>>());
        if last == Last::Cut {
            row.max_height(1);
        }
        table.add_row(row);
    }
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index + 1 < header.len() {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    let text = table.trim_fmt();
    match text.split_once('\n') {
        Some((head, body)) => format!("{}\n{body}\n", look.bold(head)),
        None => format!("{}\n", look.bold(&text)),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    pub(crate) fn look() -> Look {
        let now: Timestamp = "2026-11-15T10:30:00Z".parse().unwrap();
        Look { now, zone: || TimeZone::UTC, color: false, width: 72 }
    }

    /// A reply as it comes over the wire.
    pub(crate) fn reply<T: DeserializeOwned>(value: Value) -> T {
        serde_json::from_value(value).unwrap()
    }

    pub(crate) fn memory(id: &str, content: &str) -> Value {
        json!({
            "id": id,
            "scope": "project", "tier": "semantic", "kind": "fact", "status": "active",
            "status_change": {"at": "2026-11-07T10:00:00Z", "reason": "first use", "cause": "use"},
            "content": content,
            "tags": ["ops", "secrets"],
            "domain": "aws",
            "importance": 0.5, "confidence": 0.7, "utility": 0.5,
            "pinned": false, "immutable": false,
            "access_count": 3,
            "last_used_at": "2026-11-13T10:00:00Z",
            "stability": 2.3065,
            "fades_at": "2026-12-15T10:30:00Z",
            "valid_from": "2026-11-06T10:00:00Z",
            "recorded_at": "2026-11-06T10:00:00Z",
            "write_source": "manual", "data_source": "user_message", "trust": 1.0,
            "created_at": "2026-11-06T10:00:00Z",
            "updated_at": "2026-11-06T10:00:00Z",
            "revision": 1
        })
    }

    pub(crate) const OLD: &str = "01JD3V8Q2Y6K4M5N7P9R1S3T5V";
    pub(crate) const NEW: &str = "01JD3V8Q2Y6K4M5N7P9R1S3T60";

    #[test]
    fn stored_text_cannot_command_the_terminal() {
        let nasty = "a\u{1b}[31mred\u{7}\u{7f}\u{9b}2J\u{202e}x\0y\tz\r\nnext\rline";
        assert_eq!(clean(nasty), "a␛[31mred␇␡\u{fffd}2J\u{fffd}x␀y  z\nnext␍line");
        assert_eq!(clean_line("two\n  lines"), "two lines");
        let every: String = (0..=0x9f).filter_map(char::from_u32).collect();
        assert!(clean(&every).chars().all(|c| c == '\n' || !c.is_control()));
        assert_eq!(clean("çalışıyor 漢字 ✓"), "çalışıyor 漢字 ✓");
    }

    #[test]
    fn a_text_is_wrapped_by_columns_and_keeps_its_lines() {
        let text = "the quick brown fox jumps\n  over the lazy dog again\n\nend";
        assert_eq!(
            wrap(text, 20),
            ["the quick brown fox", "jumps", "  over the lazy dog", "  again", "", "end"]
        );
        assert_eq!(wrap("漢字漢字漢字漢字漢字漢字", 20), ["漢字漢字漢字漢字漢字", "漢字"]);
    }

    #[test]
    fn a_line_is_cut_by_columns() {
        assert_eq!(cut("short", 10), "short");
        assert_eq!(cut("a longer line", 9), "a longer…");
        assert_eq!(cut("漢字漢字", 6), "漢字…");
    }

    #[test]
    fn sizes_are_told_in_their_unit() {
        assert_eq!(
            [bytes(0), bytes(1023), bytes(1536), bytes(5 << 30)],
            ["0 B", "1023 B", "1.5 KiB", "5.0 GiB"]
        );
    }
}
