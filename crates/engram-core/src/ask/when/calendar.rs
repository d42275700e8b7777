//! The calendar: names of months and days, and which days an expression names.
//!
//! Everything here is local civil time; it does not know a time zone, nor how
//! an expression was worded. What would leave the calendar is `None`.

use super::token::{Kind, Token};
use jiff::civil::{Date, DateTime, Weekday};
use jiff::{Span, ToSpan};

/// From one local moment to another, half open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stretch {
    pub(crate) from: DateTime,
    pub(crate) until: DateTime,
}

impl Stretch {
    /// Whole days: the first one, and the one after the last.
    pub(crate) fn days(from: Date, until: Date) -> Option<Stretch> {
        (from < until).then(|| Stretch { from: from.into(), until: until.into() })
    }

    /// Some hours, counted from the midnight that begins a day.
    pub(crate) fn hours(day: Date, from: i64, until: i64) -> Option<Stretch> {
        let midnight = DateTime::from(day);
        let at = |hours: i64| midnight.checked_add(hours.hours()).ok();
        Some(Stretch { from: at(from)?, until: at(until)? })
    }

    pub(crate) fn day(day: Date) -> Option<Stretch> {
        Stretch::days(day, day.tomorrow().ok()?)
    }

    /// Monday to Sunday.
    pub(crate) fn week_of(day: Date) -> Option<Stretch> {
        let monday = moved(day, (-i64::from(day.weekday().to_monday_zero_offset())).days())?;
        Stretch::days(monday, moved(monday, 7.days())?)
    }

    pub(crate) fn months(year: i16, first: i8, count: i64) -> Option<Stretch> {
        let from = Date::new(year, first, 1).ok()?;
        Stretch::days(from, moved(from, count.months())?)
    }

    pub(crate) fn year(year: i16) -> Option<Stretch> {
        Stretch::months(year, 1, 12)
    }

    /// From the beginning of the earlier to the end of the later.
    pub(crate) fn joined(self, other: Stretch) -> Stretch {
        Stretch { from: self.from.min(other.from), until: self.until.max(other.until) }
    }
}

pub(crate) fn moved(day: Date, by: Span) -> Option<Date> {
    day.checked_add(by).ok()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Minute,
    Hour,
    Day,
    Weekend,
    Week,
    Month,
    Year,
}

impl Unit {
    /// So many of them; a weekend counts as the week it ends.
    pub(crate) fn times(self, count: i64) -> Span {
        match self {
            Unit::Minute => count.minutes(),
            Unit::Hour => count.hours(),
            Unit::Day => count.days(),
            Unit::Weekend | Unit::Week => count.weeks(),
            Unit::Month => count.months(),
            Unit::Year => count.years(),
        }
    }

    /// The whole one that holds this day. A weekend is the one of its week.
    pub(crate) fn around(self, day: Date) -> Option<Stretch> {
        match self {
            Unit::Minute | Unit::Hour | Unit::Day => Stretch::day(day),
            Unit::Weekend => {
                let week = Stretch::week_of(day)?;
                Stretch::days(moved(week.from.date(), 5.days())?, week.until.date())
            }
            Unit::Week => Stretch::week_of(day),
            Unit::Month => Stretch::months(day.year(), day.month(), 1),
            Unit::Year => Stretch::year(day.year()),
        }
    }
}

/// What an expression names before it is known which year is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    Day { year: Option<i16>, month: i8, day: i8 },
    Months { year: Option<i16>, first: i8, count: i64 },
    Stretch(Stretch),
}

/// Which year a date without one belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nearest {
    NotAfter(Date),
    NotBefore(Date),
}

impl Named {
    pub(crate) fn has_year(self) -> bool {
        !matches!(self, Named::Day { year: None, .. } | Named::Months { year: None, .. })
    }

    /// The same in this year, unless it has one of its own.
    pub(crate) fn in_year(self, of: i16) -> Option<Named> {
        match self {
            Named::Day { year: None, month, day } => Some(Named::Day { year: Some(of), month, day }),
            Named::Months { year: None, first, count } => {
                Some(Named::Months { year: Some(of), first, count })
            }
            _ => None,
        }
    }

    pub(crate) fn resolve(self, nearest: Nearest) -> Option<Stretch> {
        let in_year = |year: i16| match self {
            Named::Day { month, day, .. } => Stretch::day(Date::new(year, month, day).ok()?),
            Named::Months { first, count, .. } => Stretch::months(year, first, count),
            Named::Stretch(stretch) => Some(stretch),
        };
        let year = match self {
            Named::Day { year, .. } | Named::Months { year, .. } => year,
            Named::Stretch(stretch) => return Some(stretch),
        };
        if let Some(year) = year {
            return in_year(year);
        }
        // The 29th of February may be eight years away.
        match nearest {
            Nearest::NotAfter(day) => {
                (0..=8).filter_map(|back| in_year(day.year() - back)).find(|found| found.from.date() <= day)
            }
            Nearest::NotBefore(day) => {
                (0..=8).filter_map(|on| in_year(day.year() + on)).find(|found| found.until.date() > day)
            }
        }
    }
}

/// What a Turkish ending says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Plain,
    In,
    From,
    To,
    Of,
}

/// The case of a Turkish word with this stem: "mayısta", "Mayıs'tan", "günkü".
pub(crate) fn case_of(token: &Token, stem: &str) -> Option<Case> {
    let ending = match token.tail.as_str() {
        "" => token.text.strip_prefix(stem)?,
        tail if token.text == stem => tail,
        _ => return None,
    };
    if token.kind == Kind::Word { ending_case(ending) } else { None }
}

/// The case a Turkish ending marks.
pub(crate) fn ending_case(ending: &str) -> Option<Case> {
    match ending {
        "" | "i" | "u" | "si" | "su" | "yi" | "yu" | "ni" | "nu" => Some(Case::Plain),
        "da" | "de" | "ta" | "te" | "nda" | "nde" | "inda" | "inde" | "unda" | "unde" | "sinda" | "sinde"
        | "ki" | "ku" | "daki" | "deki" | "taki" | "teki" | "ndaki" | "ndeki" | "indaki" | "indeki"
        | "undaki" | "undeki" | "larda" | "lerde" => Some(Case::In),
        "dan" | "den" | "tan" | "ten" | "ndan" | "nden" | "indan" | "inden" | "undan" | "unden" => {
            Some(Case::From)
        }
        "a" | "e" | "ya" | "ye" | "na" | "ne" | "ina" | "ine" | "una" | "une" => Some(Case::To),
        "in" | "un" | "nin" | "nun" => Some(Case::Of),
        _ => None,
    }
}

const MONTHS: &str = "january february march april may june july august september october november december";
const AYLAR: &str = "ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik";
const DAYS: &str = "monday tuesday wednesday thursday friday saturday sunday";
const GUNLER: &str = "pazartesi sali carsamba persembe cuma cumartesi pazar";

/// How surely a word is the name of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sure {
    /// "September": nothing else.
    Name,
    /// "April", "Jan", "ekim": also a person or a thing.
    Shared,
    /// "may", "march": mostly a verb.
    Verb,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Month {
    pub(crate) number: i8,
    pub(crate) sure: Sure,
    pub(crate) turkish: bool,
    pub(crate) case: Case,
}

pub(crate) fn month(token: &Token) -> Option<Month> {
    if token.kind != Kind::Word {
        return None;
    }
    let names = || (1..).zip(MONTHS.split(' '));
    let text = token.text.as_str();
    if token.tail.is_empty() || token.tail == "s" {
        if let Some((number, name)) = names().find(|(_, name)| *name == text) {
            let sure = match name {
                "may" | "march" => Sure::Verb,
                "april" | "june" | "august" => Sure::Shared,
                _ => Sure::Name,
            };
            return Some(Month { number, sure, turkish: false, case: Case::Plain });
        }
        let short = names().find(|(_, name)| name[..3] == *text || *name == "september" && text == "sept");
        if let Some((number, _)) = short {
            return Some(Month { number, sure: Sure::Shared, turkish: false, case: Case::Plain });
        }
    }
    (1..).zip(AYLAR.split(' ')).find_map(|(number, name)| {
        let case = case_of(token, name)?;
        Some(Month { number, sure: Sure::Shared, turkish: true, case })
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NamedDay {
    pub(crate) day: Weekday,
    pub(crate) turkish: bool,
    pub(crate) case: Case,
}

/// A day of the week. "Mondays" and "cumaları" are habits, not days; "sun"
/// and "sat" are other words.
pub(crate) fn weekday(token: &Token) -> Option<NamedDay> {
    if token.kind != Kind::Word {
        return None;
    }
    let place = if token.tail.is_empty() || token.tail == "s" {
        let short = match token.text.as_str() {
            "tue" | "tues" => Some(1),
            "wed" => Some(2),
            "thu" | "thurs" => Some(3),
            "fri" => Some(4),
            _ => None,
        };
        short.or_else(|| (0..).zip(DAYS.split(' ')).find(|(_, name)| *name == token.text).map(|(at, _)| at))
    } else {
        None
    };
    let day = |place: i8| Weekday::from_monday_zero_offset(place).ok();
    if let Some(place) = place {
        return Some(NamedDay { day: day(place)?, turkish: false, case: Case::Plain });
    }
    (0..).zip(GUNLER.split(' ')).find_map(|(place, name)| {
        let case = case_of(token, name)?;
        Some(NamedDay { day: day(place)?, turkish: true, case })
    })
}

/// The unit a word counts in, and the case if the word is Turkish.
pub(crate) fn unit(token: &Token) -> Option<(Unit, Option<Case>)> {
    let english = match token.text.as_str() {
        "minute" | "minutes" | "min" | "mins" => Some(Unit::Minute),
        "hour" | "hours" | "hr" | "hrs" => Some(Unit::Hour),
        "day" | "days" => Some(Unit::Day),
        "weekend" | "weekends" => Some(Unit::Weekend),
        "week" | "weeks" => Some(Unit::Week),
        "month" | "months" => Some(Unit::Month),
        "year" | "years" => Some(Unit::Year),
        _ => None,
    };
    if let Some(unit) = english.filter(|_| token.tail.is_empty() || token.tail == "s") {
        return Some((unit, None));
    }
    let turkish = [
        ("dakika", Unit::Minute),
        ("saat", Unit::Hour),
        ("gun", Unit::Day),
        ("hafta", Unit::Week),
        ("ay", Unit::Month),
        ("yil", Unit::Year),
        ("sene", Unit::Year),
    ];
    turkish.into_iter().find_map(|(stem, unit)| Some((unit, Some(case_of(token, stem)?))))
}
