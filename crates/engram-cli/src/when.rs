//! Moments as people write and read them: `3 days ago`, `2026-03-01`.
//!
//! Pure: now, and the time zone with it, is an argument.

use engram_core::Timestamp;
use engram_wire::Fault;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Span, Zoned};

/// A moment to the minute, where its reader lives.
pub(crate) fn local(at: Timestamp, zone: TimeZone) -> String {
    at.to_zoned(zone).strftime("%Y-%m-%d %H:%M").to_string()
}

/// Which moment of a day is meant, where only a day is named.
#[derive(Clone, Copy)]
enum Edge {
    Start,
    End,
}

/// Reads the moment that `--as-of` names.
pub(crate) fn as_of(text: &str, now: &Zoned) -> Result<Timestamp, Fault> {
    moment("--as-of", Edge::End, text, now)
}

/// Reads the moment that `--since` names.
pub(crate) fn since(text: &str, now: &Zoned) -> Result<Timestamp, Fault> {
    moment("--since", Edge::Start, text, now)
}

fn moment(option: &str, edge: Edge, text: &str, now: &Zoned) -> Result<Timestamp, Fault> {
    let text = text.trim();
    let meant = match edge {
        Edge::Start => "beginning",
        Edge::End => "end",
    };
    read(text, edge, now).ok_or_else(|| {
        Fault::usage(format!("\"{text}\" is not a moment that {option} understands"))
            .hint(format!("a day, meaning its {meant}: 2026-03-01 or yesterday"))
            .hint("a moment: \"2026-03-01 14:30\", or RFC 3339 such as 2026-03-01T14:30:00Z")
            .hint("some time ago: \"3 days ago\", 3d, 2h, 45m, 1w")
    })
}

fn read(text: &str, edge: Edge, now: &Zoned) -> Option<Timestamp> {
    if text == "yesterday" {
        return edge_of(now.date().yesterday().ok()?, edge, now);
    }
    if let (Edge::Start, "today") = (edge, text) {
        return edge_of(now.date(), edge, now);
    }
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"-:T ".contains(&byte));
    if text == "today" || text == "now" {
        return Some(now.timestamp());
    }
    if plain && text.len() == "2026-03-01".len() {
        return edge_of(text.parse().ok()?, edge, now);
    }
    if plain && text.contains(':') {
        let at: DateTime = text.parse().ok()?;
        return Some(at.to_zoned(now.time_zone().clone()).ok()?.timestamp());
    }
    Some(now.checked_sub(span(text)?).ok()?.timestamp())
}

/// The first or the last moment of a day, in the reader's time zone.
fn edge_of(day: Date, edge: Edge, now: &Zoned) -> Option<Timestamp> {
    let start = day.to_zoned(now.time_zone().clone()).ok()?;
    let at = match edge {
        Edge::Start => start.start_of_day(),
        Edge::End => start.end_of_day(),
    };
    Some(at.ok()?.timestamp())
}

/// `3d` or `3 days ago`.
fn span(text: &str) -> Option<Span> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (count, unit) = text.split_at(digits);
    let count: i64 = count.parse().ok()?;
    let unit = unit.trim_start();
    let (unit, said_ago) = match unit.strip_suffix("ago") {
        Some(unit) if unit.ends_with(' ') => (unit.trim_end(), true),
        _ => (unit, false),
    };
    let short = |span: Span| Some(span);
    let long = |span: Span| said_ago.then_some(span);
    match unit {
        "m" => short(Span::new().try_minutes(count).ok()?),
        "h" => short(Span::new().try_hours(count).ok()?),
        "d" => short(Span::new().try_days(count).ok()?),
        "w" => short(Span::new().try_weeks(count).ok()?),
        "minute" | "minutes" => long(Span::new().try_minutes(count).ok()?),
        "hour" | "hours" => long(Span::new().try_hours(count).ok()?),
        "day" | "days" => long(Span::new().try_days(count).ok()?),
        "week" | "weeks" => long(Span::new().try_weeks(count).ok()?),
        "month" | "months" => long(Span::new().try_months(count).ok()?),
        "year" | "years" => long(Span::new().try_years(count).ok()?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::tz::Offset;

    fn now() -> Zoned {
        let zone = TimeZone::fixed(Offset::constant(3));
        "2026-11-15T10:30:00Z".parse::<Timestamp>().unwrap().to_zoned(zone)
    }

    #[test]
    fn moments_are_read_in_the_readers_time_zone() {
        for (text, expected) in [
            ("2026-11-01T12:00:00Z", "2026-11-01T12:00:00Z"),
            ("2026-11-01T12:00:00+02:00", "2026-11-01T10:00:00Z"),
            ("2026-11-01", "2026-11-01T20:59:59.999999999Z"),
            ("2026-11-01 14:30", "2026-11-01T11:30:00Z"),
            ("2026-11-01 14:30:15", "2026-11-01T11:30:15Z"),
            ("2026-11-01T14:30", "2026-11-01T11:30:00Z"),
            ("today", "2026-11-15T10:30:00Z"),
            ("yesterday", "2026-11-14T20:59:59.999999999Z"),
            ("3 days ago", "2026-11-12T10:30:00Z"),
            ("1 day ago", "2026-11-14T10:30:00Z"),
            (" 2 weeks ago ", "2026-11-01T10:30:00Z"),
            ("3 months ago", "2026-08-15T10:30:00Z"),
            ("3d", "2026-11-12T10:30:00Z"),
            ("2h", "2026-11-15T08:30:00Z"),
            ("45m", "2026-11-15T09:45:00Z"),
            ("45m ago", "2026-11-15T09:45:00Z"),
            ("1w", "2026-11-08T10:30:00Z"),
        ] {
            assert_eq!(as_of(text, &now()).map(|at| at.to_string()).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn a_day_since_which_something_is_asked_for_is_meant_from_its_beginning() {
        for (text, expected) in [
            ("2026-11-01", "2026-10-31T21:00:00Z"),
            ("yesterday", "2026-11-13T21:00:00Z"),
            ("today", "2026-11-14T21:00:00Z"),
            ("2026-11-01 14:30", "2026-11-01T11:30:00Z"),
            ("3d", "2026-11-12T10:30:00Z"),
        ] {
            assert_eq!(since(text, &now()).map(|at| at.to_string()).as_deref(), Ok(expected), "{text}");
        }
        let fault = since("soon", &now()).unwrap_err();
        assert!(fault.message.contains("--since") && fault.hints[0].contains("its beginning"), "{fault:?}");
    }

    #[test]
    fn what_is_no_moment_is_refused_with_examples() {
        for text in [
            "",
            "soon",
            "2026-13-01",
            "2026-11-31",
            "3",
            "3 days",
            "d",
            "-3d",
            "3x",
            "3daysago",
            "99999999999d",
            "999999999999999999999d",
            "20261101",
            "2026-11-01 25:00",
            "1 2 3",
        ] {
            let fault = as_of(text, &now()).expect_err(text);
            assert!(fault.message.contains("is not a moment") && fault.hints.len() == 3, "{text}");
        }
    }

    #[test]
    fn a_moment_is_shown_to_the_minute() {
        assert_eq!(local(now().timestamp(), now().time_zone().clone()), "2026-11-15 13:30");
    }
}
