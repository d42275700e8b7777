//! The dates of a clause: which days its words mean, seen from when it was
//! said, and since or until when it therefore holds.
//!
//! The words are read by `ask::when`, which looks back because questions do;
//! what is to come is read here. How a date is shown is not known here, only
//! whether it takes the place of its words or stands behind them.

use super::Step;
use super::edit::Edit;
use super::foresee::{Tense, is_rule, tenses};
use super::grammar::{Clause, is_past};
use super::show::{self, Place};
use crate::ask::when::Side;
use crate::ask::when::calendar::{Case, Named, Nearest, Stretch, Unit, ending_case, moved, unit};
use crate::ask::when::reader::{Piece, Reader};
use crate::ask::when::token::{Kind, Token};
use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Time};
use std::ops::Range;

/// Since and until when a clause holds, local time; and whether its date is
/// one that is to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Dates {
    pub(super) from: Option<DateTime>,
    pub(super) until: Option<DateTime>,
    pub(super) ahead: bool,
}

impl Dates {
    pub(super) fn or(self, other: Dates) -> Dates {
        if self == Dates::default() { other } else { self }
    }
}

/// Where the words themselves point, whatever the verb says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Points {
    Back,
    Ahead,
    /// "Today", "on Friday": as the verb does.
    Open,
    /// A bare weekday beside a verb of the present may come every week.
    Maybe,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Dated {
    /// None: the words already say the date.
    pub(super) edit: Option<Edit>,
    /// None: the words leave it open.
    pub(super) stretch: Option<Stretch>,
    pub(super) side: Option<Side>,
    pub(super) points: Points,
    /// What the verb beside it tells.
    tense: Tense,
    clock: Option<Time>,
    /// It says both ends: "from Monday to Friday".
    range: bool,
    pub(super) end: usize,
}

/// A phrase that names days.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) stretch: Stretch,
    /// The token after it.
    pub(super) end: usize,
    pub(super) case: Option<Case>,
    pub(super) points: Points,
}

pub(super) fn dates(clause: &Clause<'_>, reader: &Reader<'_>, tense: Tense) -> Vec<Dated> {
    let rule = is_rule(clause);
    let tenses = tenses(clause, tense);
    let mut found = Vec::new();
    let mut at = 0;
    while at < clause.len() {
        let look = Look { clause, reader, tense: tenses[at], rule };
        match look.dated(at).filter(|dated| !look.goes_on(dated.end)) {
            Some(dated) => {
                at = dated.end.max(at + 1);
                found.push(dated);
            }
            None => at += 1,
        }
    }
    found
}

/// The first date that says since when, and the first that says until when.
pub(super) fn validity(dated: &[Dated]) -> Dates {
    let mut all = Dates::default();
    for found in dated {
        let Some(Stretch { from, until }) = found.stretch else { continue };
        let clock = |day: DateTime| found.clock.map(|clock| day.date().to_datetime(clock));
        let whole = until.date() > from.date().tomorrow().unwrap_or(from.date());
        let dates = match (found.side, found.points, found.tense) {
            _ if found.range => {
                Dates { from: Some(from), until: Some(until), ahead: found.tense == Tense::Future }
            }
            (Some(Side::Until), ..) => {
                let last = clock(from).filter(|_| !whole);
                Dates { until: Some(last.unwrap_or(until)), ..Dates::default() }
            }
            (Some(Side::Before), ..) => Dates { until: Some(from), ..Dates::default() },
            (Some(Side::Since), ..) => Dates { from: Some(clock(from).unwrap_or(from)), ..Dates::default() },
            (Some(Side::After), ..) => Dates { from: Some(until), ..Dates::default() },
            (None, Points::Back, _) | (None, Points::Open, Tense::Past) => {
                Dates { from: Some(clock(from).unwrap_or(from)), ..Dates::default() }
            }
            (None, Points::Ahead, _) | (None, Points::Open, Tense::Future) => {
                // A part of a day is over when the day is.
                let day = from.date().tomorrow().ok().filter(|_| !whole);
                Dates { until: Some(day.map_or(until, DateTime::from)), ahead: true, from: None }
            }
            // "This week Ada is on call".
            (None, Points::Open, Tense::Present) if whole => {
                Dates { from: Some(from), until: Some(until), ahead: false }
            }
            (None, Points::Open | Points::Maybe, _) => Dates::default(),
        };
        all.from = all.from.or(dates.from);
        all.until = all.until.or(dates.until);
        all.ahead |= dates.ahead;
    }
    all
}

pub(super) struct Look<'a> {
    pub(super) clause: &'a Clause<'a>,
    pub(super) reader: &'a Reader<'a>,
    pub(super) tense: Tense,
    /// What holds every time is not dated by a weekday.
    pub(super) rule: bool,
}

impl Look<'_> {
    /// The date whose words begin here.
    pub(super) fn dated(&self, at: usize) -> Option<Dated> {
        if self.reader.after_any(at, "every each any per her") || self.inside_word(at) {
            return None;
        }
        if let Some(dated) = self.counted(at) {
            return Some(dated);
        }
        let (mut side, lead, next) = self.reader.led(at);
        if side == Some(Side::After)
            && lead == "after"
            && self.reader.after_any(at, "no not")
            && !self.reader.any(at, "after")
        {
            side = Some(Side::Until);
        }
        // "As of today".
        if lead == "of" && self.reader.after_any(at, "as") {
            side = Some(Side::Since);
        }
        if next > at && (self.reader.any(next, "every each any her") || self.inside_word(next)) {
            return None;
        }
        let found = self.found(next, lead, side)?;
        // "Written by April" names a person.
        let months = show::is_month(found.stretch);
        if lead == "by" && months && at > 0 && self.clause.get(at - 1).is_some_and(|verb| is_done(&verb.text))
        {
            return None;
        }
        let (side, end) = match side {
            Some(side) => (Some(side), found.end),
            None if lead == "from" => (Some(Side::Since), found.end),
            None => {
                let piece = Piece { named: Named::Stretch(found.stretch), end: found.end, case: found.case };
                self.reader.postposition(piece)
            }
        };
        // "From Monday to Friday": the end of it is read on its own.
        let to = lead == "from" && self.reader.any(end, "to through until till");
        let last = self.found(end + 1, "until", Some(Side::Until)).filter(|_| to);
        if let Some((stretch, last)) =
            last.and_then(|last| Some((self.range(found.stretch, last.stretch)?, last)))
        {
            let range = Found { stretch, end: last.end, ..found };
            return Some(Dated { range: true, ..self.shown(at..last.end, last.end, range, None, "") });
        }
        let (first, lead) = if lead == "at" { (at, "") } else { (next, lead) };
        Some(self.shown(first..found.end, end, found, side, lead))
    }

    /// From the first to the last. Of two weekdays that are out of order the
    /// one that is not told about moves by a week.
    fn range(&self, first: Stretch, last: Stretch) -> Option<Stretch> {
        if first.from < last.until {
            return Some(first.joined(last));
        }
        let week = |stretch: Stretch, by: i64| Stretch::day(moved(stretch.from.date(), (7 * by).days())?);
        let (first, last) = match self.tense {
            Tense::Past => (week(first, -1)?, last),
            Tense::Present | Tense::Future => (first, week(last, 1)?),
        };
        (first.from < last.until).then(|| first.joined(last))
    }

    /// Something is written right behind: "May 8-12", "today/tomorrow".
    pub(super) fn goes_on(&self, end: usize) -> bool {
        let behind = self.clause.tokens.iter().skip(end).take_while(|next| next.glued);
        let closes = |next: &Token| {
            next.kind == Kind::Mark && !next.text.is_empty() && ".,;:!?)]…*".contains(next.text.as_str())
        };
        !behind.into_iter().all(closes)
    }

    /// Part of a word with a dash, as in "pre-May".
    fn inside_word(&self, at: usize) -> bool {
        let glued = |at: usize| self.clause.get(at).is_some_and(|token| token.glued);
        at > 0
            && glued(at)
            && (self.reader.is_dash(at - 1) && glued(at - 1) || self.clause.is_mark(at - 1, "/@#_"))
    }

    /// What is to be written for these tokens, and where.
    fn shown(&self, words: Range<usize>, end: usize, found: Found, side: Option<Side>, lead: &str) -> Dated {
        let clock = self.clock(end);
        let dated = |edit| Dated {
            edit,
            stretch: Some(found.stretch),
            side,
            points: found.points,
            tense: self.tense,
            clock,
            range: false,
            end,
        };
        let whole = words.start..end;
        let bytes = self.clause.bytes(words.clone());
        let said = &self.clause.text[bytes.clone()];
        let turkish = found.case.is_some();
        if said.contains(&show::bare(found.stretch, turkish)) {
            return dated(None);
        }
        let last = self.clause.get(words.end - 1);
        let attributive = last.is_some_and(|token| {
            token.tail == "s"
                || turkish && (token.text.ends_with("ki") || token.text.ends_with("ku"))
                || token.tail.ends_with("ki")
        });
        let odd_case = match found.case {
            Some(Case::To) => side != Some(Side::Until),
            Some(Case::From) => side.is_none(),
            Some(Case::Of) => true,
            // "Mayıs öncesi" has no case to put the date in.
            Some(Case::Plain | Case::In) => side.is_some(),
            None => false,
        };
        let digits =
            self.clause.text[self.clause.bytes(whole.clone())].contains(|c: char| c.is_ascii_digit());
        if digits || attributive || odd_case || found.points == Points::Maybe && side.is_none() {
            let at = bytes.end..bytes.end;
            return dated(Some(Edit::new(
                at,
                format!(" ({})", show::bare(found.stretch, turkish)),
                Step::Dated,
            )));
        }
        let sentence_start = words.start == 0 && last.is_some();
        let place = Place {
            led: !lead.is_empty()
                || self
                    .reader
                    .after_any(words.start, "for of to than through and or between until by in on during"),
            subject: self.reader.any(words.end, "is was are were will has have")
                && (sentence_start || !lead.is_empty()),
            side: if lead.is_empty() { side } else { None },
        };
        let mut with = if turkish {
            // The Turkish words behind the date are written anew with it.
            let after = &self.clause.text[self.clause.bytes(words.end..end)];
            show::turkish(found.stretch, side, self.part(words.clone()), after)
        } else {
            show::english(found.stretch, &place, self.part(words.clone()))
        };
        let bytes = if turkish { self.clause.bytes(whole) } else { bytes };
        if sentence_start && self.clause.get(0).is_some_and(|token| token.capital) {
            with = show::capital(&with);
        }
        dated(Some(Edit::new(bytes, with, Step::Dated)))
    }

    /// The word for a part of the day among these tokens.
    fn part(&self, words: Range<usize>) -> Option<&str> {
        words
            .rev()
            .find(|at| {
                self.reader.any(*at, "morning afternoon evening night tonight")
                    || self.reader.any_stem(*at, "sabah ogle aksam gece") && self.clause.turkish
            })
            .map(|at| self.clause.written(at))
    }

    /// "At 15:00", "5pm", "saat 17:30" right here.
    fn clock(&self, at: usize) -> Option<Time> {
        self.clock_at(at, false).map(|(time, _)| time)
    }

    /// The time of day here, and the token after it. A `bare` hour ("at 9",
    /// "saat 9'da") is one only where a time of day is expected; from one to
    /// six it is the afternoon's, because nobody means the night.
    pub(super) fn clock_at(&self, at: usize, bare: bool) -> Option<(Time, usize)> {
        let hour_at = self.reader.skip(self.reader.skip(at, "at by"), "saat");
        let token = self.clause.get(hour_at)?;
        let written = self.clause.written(hour_at);
        let half = |text: &str| match text {
            "pm" => Some(12),
            "am" => Some(0),
            _ => None,
        };
        let end = hour_at + 1;
        let (time, end) = match token.kind {
            Kind::Number(hour) => {
                let next = self.clause.get(end).map_or("", |token| token.text.as_str());
                let beside = half(next).filter(|_| token.tail.is_empty());
                let hour = i8::try_from(hour).ok()?;
                match half(&token.tail).or(beside) {
                    Some(half) if (1..=12).contains(&hour) => {
                        (Time::new(hour % 12 + half, 0, 0, 0), end + usize::from(beside.is_some()))
                    }
                    Some(_) => return None,
                    None => {
                        let cased = ending_case(&token.tail) == Some(Case::In);
                        let led = hour_at > at && token.tail.is_empty();
                        if !bare || !led && !cased {
                            return None;
                        }
                        (Time::new(if (1..=6).contains(&hour) { hour + 12 } else { hour }, 0, 0, 0), end)
                    }
                }
            }
            Kind::Opaque => {
                let digits = written.split(['\'', '’']).next().unwrap_or(written);
                let (hour, minute) = digits.split_once(':')?;
                (Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0), end)
            }
            Kind::Word if bare && self.reader.any(hour_at, "noon") => (Time::new(12, 0, 0, 0), end),
            _ => return None,
        };
        time.ok().filter(|time| *time != Time::midnight()).map(|time| (time, end))
    }

    /// Units counted from now: "3 days ago", "in two weeks", "iki hafta içinde".
    fn counted(&self, at: usize) -> Option<Dated> {
        let reader = self.reader;
        let lead = if reader.any(at, "in within") { at + 1 } else { at };
        let rolling = reader.any(lead, "the") && reader.any(lead + 1, "next coming");
        let about = reader.skip(lead, "about around roughly exactly almost over yaklasik");
        let amount = reader.amount(if rolling { lead + 2 } else { about })?;
        let (of, turkish) = unit(self.clause.get(amount.end)?)?;
        let end = amount.end + 1;
        let tail = self.clause.get(amount.end).is_some_and(|token| token.tail == "s");
        let (english, turkish) = (turkish.is_none(), turkish == Some(Case::Plain));
        let short = matches!(of, Unit::Minute | Unit::Hour);
        // A duration is no date: "built in two weeks", "expire in 30 days".
        let runs = self.tense != Tense::Past && !self.rule && !(short && self.tense != Tense::Future);
        let habit = self.tense == Tense::Present
            && self.reader.after_any(at, "expire finish rotate renew take run complete build last live");
        let (end, sign, side) = match () {
            () if english && reader.any(end, "ago") => (end + 1, -1, None),
            () if english && lead == at && runs && reader.phrase(end, "from now").is_some() => {
                (end + 2, 1, None)
            }
            () if tail => return None,
            () if english && lead > at && runs && !habit && !reader.any(end, "of after before") => {
                let within = reader.any(at, "within") || rolling;
                (end, 1, within.then_some(Side::Until))
            }
            () if turkish && reader.any(end, "once evvel") => (end + 1, -1, None),
            () if turkish && reader.any(end, "sonra") && runs => (end + 1, 1, None),
            () if turkish && reader.any(end, "icinde icerisinde") && runs => (end + 1, 1, Some(Side::Until)),
            () => return None,
        };
        let bytes = self.clause.bytes(at..end);
        let points = if sign < 0 { Points::Back } else { Points::Ahead };
        let edit = |at: Range<usize>, with: String| Some(Edit::new(at, with, Step::Dated));
        let today = show::day(reader.today);
        if amount.fewest != amount.most {
            // How many days is not said; from when they count, is.
            let vague = match (english, sign) {
                (true, -1) => {
                    let ago = self.clause.bytes(end - 1..end);
                    edit(ago, format!("before {today}"))
                }
                (true, _) => edit(bytes.end..bytes.end, format!(" from {today}")),
                (false, _) => edit(bytes.end..bytes.end, format!(" ({today} itibarıyla)")),
            };
            return Some(Dated {
                edit: vague,
                stretch: None,
                side,
                points,
                tense: self.tense,
                clock: None,
                range: false,
                end,
            });
        }
        let span = of.times(i64::from(amount.most) * sign);
        let stretch = if short {
            let moment = reader.now.datetime().checked_add(span).ok()?;
            Stretch { from: moment, until: moment.checked_add(1.minute()).ok()? }
        } else {
            Stretch::day(moved(reader.today, span)?)?
        };
        let found = Found { stretch, end, case: (!english).then_some(Case::Plain), points };
        if short {
            let stamp = stretch.from.strftime("%Y-%m-%d %H:%M").to_string();
            let edit = edit(bytes.end..bytes.end, format!(" ({stamp})"));
            return Some(Dated {
                edit,
                stretch: Some(stretch),
                side,
                points,
                tense: self.tense,
                clock: None,
                range: false,
                end,
            });
        }
        let digits = self.clause.text[bytes.clone()].contains(|c: char| c.is_ascii_digit());
        if digits || (reader.any(at - usize::from(at > 0), "since from") && at > 0) {
            let edit = edit(bytes.end..bytes.end, format!(" ({})", show::day(stretch.from.date())));
            return Some(Dated {
                edit,
                stretch: Some(stretch),
                side,
                points,
                tense: self.tense,
                clock: self.clock(end),
                range: false,
                end,
            });
        }
        if !english {
            let with = match side {
                Some(_) => format!("{} gününe kadar", show::turkish_day(stretch.from.date())),
                None => show::turkish_day(stretch.from.date()),
            };
            return Some(Dated {
                edit: edit(bytes, with),
                stretch: Some(stretch),
                side,
                points,
                tense: self.tense,
                clock: self.clock(end),
                range: false,
                end,
            });
        }
        let mut dated = self.shown(at..end, end, found, side, "");
        if let Some(edit) = dated.edit.as_mut().filter(|_| side == Some(Side::Until)) {
            let capital = at == 0 && self.clause.get(at).is_some_and(|token| token.capital);
            let by = if capital { "By" } else { "by" };
            edit.with = format!("{by} {}", show::english_day(stretch.from.date()));
        }
        Some(dated)
    }

    /// The days that the words here name.
    fn found(&self, at: usize, lead: &str, side: Option<Side>) -> Option<Found> {
        let open = |piece: Piece, points: Points| {
            let Named::Stretch(stretch) = piece.named else { return None };
            Some(Found { stretch, end: piece.end, case: piece.case, points })
        };
        if let Some(found) = self.end_of(at).or_else(|| self.coming(at)) {
            return Some(found);
        }
        if let Some(piece) = self.reader.near_day(at) {
            let back = self.reader.any_stem(at, "yesterday dun evvels evvelki onceki last the");
            return open(piece, if back { Points::Back } else { Points::Open });
        }
        if let Some(piece) = self.reader.before_last(at) {
            return open(piece, Points::Back);
        }
        if let Some(piece) = self.reader.last_unit(at, lead).or_else(|| self.reader.last_named(at)) {
            let here = self.reader.any(at, "this current bu");
            return open(piece, if here { Points::Open } else { Points::Back });
        }
        if self.reader.any(at, "next coming gelecek onumuzdeki") {
            return None;
        }
        self.weekday(at, lead, side).or_else(|| self.named(at, lead, side))
    }

    /// A date with a name of its own.
    fn named(&self, at: usize, lead: &str, side: Option<Side>) -> Option<Found> {
        let piece = self.reader.date(at, lead);
        let side = side.or_else(|| self.reader.postposition(piece?).0);
        let back = match side {
            Some(Side::Since | Side::After) => self.tense != Tense::Future,
            Some(Side::Until | Side::Before) | None => self.tense == Tense::Past,
        };
        if !back && let Some(found) = self.day_of_month(at, lead) {
            return Some(found);
        }
        let piece = piece?;
        let today = self.reader.today;
        let nearest = if back { Nearest::NotAfter(today) } else { Nearest::NotBefore(today) };
        let stretch = piece.named.resolve(nearest)?;
        let told_year = piece.named.has_year();
        let points = match (self.tense, side) {
            _ if stretch.until.date() <= today => Points::Back,
            (Tense::Future, _) if stretch.from.date() > today => Points::Ahead,
            // Without a year it may come every year.
            (Tense::Present, None) if self.rule && !told_year => return None,
            // Which year is meant, is only clear of what comes soon.
            (Tense::Present, None) if !told_year && !self.is_soon(stretch) => return None,
            (Tense::Present, None) => Points::Maybe,
            _ => Points::Open,
        };
        Some(Found { stretch, end: piece.end, case: piece.case, points })
    }

    fn is_soon(&self, stretch: Stretch) -> bool {
        moved(self.reader.today, SOON_DAYS.days()).is_some_and(|soon| stretch.from.date() <= soon)
    }

    /// "On the 8th" that is to come.
    fn day_of_month(&self, at: usize, lead: &str) -> Option<Found> {
        let led = matches!(lead, "on" | "until" | "before" | "by" | "after");
        let token = self.clause.get(at + 1).filter(|_| led && self.reader.any(at, "the"))?;
        let (day, end, _) = self.reader.day_at(at + 1)?;
        if !matches!(token.kind, Kind::Number(_)) || token.tail.is_empty() || !self.reader.ends(end) {
            return None;
        }
        let date = (0..3).find_map(|on: i64| {
            let month = moved(self.reader.today.first_of_month(), on.months())?;
            Date::new(month.year(), month.month(), day).ok().filter(|date| *date >= self.reader.today)
        })?;
        Some(Found { stretch: Stretch::day(date)?, end, case: None, points: Points::Open })
    }
}

/// A date of the present without a year is the next one within this time.
const SOON_DAYS: i64 = 92;

/// "Written", "reviewed": whoever stands behind "by" did it.
fn is_done(word: &str) -> bool {
    is_past(word)
        || matches!(word, "written" | "given" | "taken" | "shown" | "drawn" | "chosen" | "run" | "done")
}
