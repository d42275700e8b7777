//! How a date is written into a fact: 2026-11-20 (Friday).
//!
//! It knows the spelling of days, weeks and months in both languages, not
//! which of them are meant.

use crate::ask::when::Side;
use crate::ask::when::calendar::{Stretch, moved};
use jiff::ToSpan;
use jiff::civil::{Date, Time, Weekday};

/// What stands around the words that a date takes the place of.
pub(super) struct Place {
    /// A preposition leads to it.
    pub(super) led: bool,
    /// It is the subject: "tomorrow is a holiday".
    pub(super) subject: bool,
    pub(super) side: Option<Side>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Day(Date),
    /// Some hours of a day.
    Part(Date),
    Week(Date, Date),
    Weekend(Date, Date),
    Month(Date),
    Year(Date),
    Span(Date, Date),
}

fn shape(stretch: Stretch) -> Shape {
    let Stretch { from, until } = stretch;
    let first = from.date();
    if from.time() != Time::midnight() || until.time() != Time::midnight() {
        return Shape::Part(first);
    }
    let last = moved(until.date(), (-1).days()).unwrap_or(first);
    let monday = first.weekday() == Weekday::Monday;
    let whole_months = first.day() == 1 && until.date().day() == 1;
    match () {
        () if last <= first => Shape::Day(first),
        () if monday && moved(first, 6.days()) == Some(last) => Shape::Week(first, last),
        () if first.weekday() == Weekday::Saturday && moved(first, 1.day()) == Some(last) => {
            Shape::Weekend(first, last)
        }
        () if whole_months && first.month() == last.month() && first.year() == last.year() => {
            Shape::Month(first)
        }
        () if whole_months && first.month() == 1 && last.month() == 12 && first.year() == last.year() => {
            Shape::Year(first)
        }
        () => Shape::Span(first, last),
    }
}

pub(super) fn is_month(stretch: Stretch) -> bool {
    matches!(shape(stretch), Shape::Month(_))
}

/// 2026-11-20.
pub(super) fn day(date: Date) -> String {
    date.to_string()
}

fn month(date: Date) -> String {
    date.strftime("%Y-%m").to_string()
}

/// 2026-11-20 (Friday).
pub(super) fn english_day(date: Date) -> String {
    let name = match date.weekday() {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    };
    format!("{date} ({name})")
}

/// 2026-11-20 (cuma).
pub(super) fn turkish_day(date: Date) -> String {
    let name = match date.weekday() {
        Weekday::Monday => "pazartesi",
        Weekday::Tuesday => "salı",
        Weekday::Wednesday => "çarşamba",
        Weekday::Thursday => "perşembe",
        Weekday::Friday => "cuma",
        Weekday::Saturday => "cumartesi",
        Weekday::Sunday => "pazar",
    };
    format!("{date} ({name})")
}

/// The dates alone, as they stand in brackets behind the words.
pub(super) fn bare(stretch: Stretch, turkish: bool) -> String {
    let between = if turkish { " – " } else { " to " };
    match shape(stretch) {
        Shape::Day(date) | Shape::Part(date) => day(date),
        Shape::Week(from, to) | Shape::Weekend(from, to) | Shape::Span(from, to) => {
            format!("{from}{between}{to}")
        }
        Shape::Month(date) => month(date),
        Shape::Year(date) => date.year().to_string(),
    }
}

pub(super) fn english(stretch: Stretch, place: &Place, part: Option<&str>) -> String {
    let (lead, shown) = match shape(stretch) {
        Shape::Day(date) => ("on ", english_day(date)),
        Shape::Part(date) => {
            let part = match part.map(str::to_lowercase).as_deref() {
                Some("night" | "tonight") => " at night".to_owned(),
                Some(part) => format!(" in the {part}"),
                None => String::new(),
            };
            ("on ", format!("{}{part}", english_day(date)))
        }
        Shape::Week(from, to) => ("in ", format!("the week of {from} to {to}")),
        Shape::Weekend(from, to) => ("on ", format!("the weekend of {from} to {to}")),
        Shape::Month(date) => ("in ", month(date)),
        Shape::Year(date) => ("in ", date.year().to_string()),
        Shape::Span(from, to) => ("from ", format!("{from} to {to}")),
    };
    if place.led || place.subject || place.side.is_some() { shown } else { format!("{lead}{shown}") }
}

/// `after` is the word that stood behind the date: "kadar", "beri".
pub(super) fn turkish(stretch: Stretch, side: Option<Side>, part: Option<&str>, after: &str) -> String {
    let shape = shape(stretch);
    let (first, last) = match shape {
        Shape::Day(date) | Shape::Part(date) | Shape::Month(date) | Shape::Year(date) => (date, date),
        Shape::Week(from, to) | Shape::Weekend(from, to) | Shape::Span(from, to) => (from, to),
    };
    match side {
        None => match shape {
            Shape::Day(date) => turkish_day(date),
            Shape::Part(date) => {
                format!("{} {}", turkish_day(date), part.unwrap_or_default()).trim_end().to_owned()
            }
            Shape::Month(date) => format!("{} ayında", month(date)),
            Shape::Year(date) => format!("{} yılında", date.year()),
            Shape::Week(from, to) | Shape::Weekend(from, to) | Shape::Span(from, to) => {
                format!("{from} ile {to} arasında")
            }
        },
        Some(side) => {
            let to = side == Side::Until;
            let noun = match shape {
                Shape::Month(date) => format!("{} {}", month(date), if to { "ayına" } else { "ayından" }),
                Shape::Year(date) => format!("{} {}", date.year(), if to { "yılına" } else { "yılından" }),
                _ if to => format!("{} gününe", turkish_day(last)),
                _ if side == Side::After => format!("{} gününden", turkish_day(last)),
                _ => format!("{} gününden", turkish_day(first)),
            };
            format!("{noun} {after}")
        }
    }
}

/// With a capital at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
