//! Time told from now: yesterday, three weeks ago, last Tuesday, geçen ay.
//!
//! It does not know what a question asks of it, nor dates with a name.

use super::calendar::{Case, Named, Nearest, Stretch, Sure, Unit, case_of, moved, unit};
use super::number::Amount;
use super::reader::{Piece, Reader};
use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};

impl Reader<'_> {
    pub(super) fn relative(&self, at: usize, lead: &str) -> Option<Piece> {
        // "earlier this morning" leaves out what is being said now.
        if self.any(at, "earlier") {
            let piece = self.told_from_now(at + 1, lead)?;
            let Named::Stretch(stretch) = piece.named else { return Some(piece) };
            let hour_ago = self.now.datetime().checked_sub(1.hour()).ok()?;
            let until = if hour_ago > stretch.from { stretch.until.min(hour_ago) } else { stretch.until };
            return Some(Piece { named: Named::Stretch(Stretch { until, ..stretch }), ..piece });
        }
        self.told_from_now(at, lead).or_else(|| self.told_from_now(self.softened(at)?, "in"))
    }

    fn told_from_now(&self, at: usize, lead: &str) -> Option<Piece> {
        self.near_day(at)
            .or_else(|| self.ago(at))
            .or_else(|| self.other_day(at))
            .or_else(|| self.start_of(at))
            .or_else(|| self.the_weekend(at, lead))
            .or_else(|| self.before_last(at))
            .or_else(|| self.counted_from(at))
            .or_else(|| self.last_unit(at, lead))
            .or_else(|| self.last_named(at))
            .or_else(|| self.weekday_alone(at, lead))
    }

    fn back(&self, by: Span) -> Option<Date> {
        moved(self.today, by.negate())
    }

    /// Today, yesterday, the day before, and the parts of these days.
    pub(crate) fn near_day(&self, at: usize) -> Option<Piece> {
        if self.any(at, "bu this") {
            let (stretch, end, case) = self.part_of_day(at + 1, self.today)?;
            return Some(piece(stretch, end, case));
        }
        if self.any(at, "tonight") {
            return Some(piece(Stretch::hours(self.today, 17, 30)?, at + 1, None));
        }
        if self.any(at, "last") && self.any(at + 1, "night") {
            return Some(piece(Stretch::hours(self.back(1.day())?, 18, 30)?, at + 2, None));
        }
        let the = self.skip(at, "the");
        if let Some(end) = self.phrase(the, "day before yesterday") {
            return Some(piece(Stretch::day(self.back(2.days())?)?, end, None));
        }
        if self.any(at, "evvelsi evvelki onceki") {
            let case = case_of(self.get(at + 1)?, "gun")?;
            return Some(piece(Stretch::day(self.back(2.days())?)?, at + 2, Some(case)));
        }
        let token = self.get(at)?;
        let (back, case) = match token.text.as_str() {
            "today" => (0, None),
            "yesterday" => (1, None),
            _ => match (case_of(token, "bugun"), case_of(token, "dun")) {
                (Some(case), _) => (0, Some(case)),
                // "dune" alone is English.
                (_, Some(case)) if case != Case::To || self.any(at + 1, "kadar") => (1, Some(case)),
                _ => return None,
            },
        };
        let day = self.back(back.days())?;
        match self.part_of_day(at + 1, day) {
            Some((stretch, end, part)) if case.is_none() || case == Some(Case::Plain) => {
                Some(piece(stretch, end, part.or(case)))
            }
            _ => Some(piece(Stretch::day(day)?, at + 1, case)),
        }
    }

    /// Mornings reach past noon and nights past midnight: people are vague.
    pub(crate) fn part_of_day(&self, at: usize, day: Date) -> Option<(Stretch, usize, Option<Case>)> {
        let token = self.get(at)?;
        if self.any(at, "ogleden") && self.any(at + 1, "sonra") {
            return Some((Stretch::hours(day, 12, 18)?, at + 2, Some(Case::Plain)));
        }
        let parts = [
            ("morning", "sabah", 4, 13),
            ("afternoon", "ogle", 12, 18),
            ("evening", "aksam", 17, 24),
            ("night", "gece", 18, 30),
        ];
        parts.into_iter().find_map(|(english, turkish, from, until)| {
            let case = if token.text == english { None } else { Some(case_of(token, turkish)?) };
            Some((Stretch::hours(day, from, until)?, at + 1, case))
        })
    }

    /// "3 days ago", "about two weeks ago", "a couple of months ago", "üç gün önce".
    fn ago(&self, at: usize) -> Option<Piece> {
        let at = self.skip(at, "about around roughly approximately almost nearly over half yaklasik");
        let amount = self.amount(at)?;
        let (unit, turkish) = unit(self.get(amount.end)?)?;
        let end = amount.end + 1;
        let said = match turkish {
            None => self.any(end, "ago back"),
            Some(Case::Plain) => self.any(end, "once evvel onceki oncesi oncesinde oncesine oncesinden"),
            Some(_) => false,
        };
        if !said {
            return None;
        }
        let stretch = self.ago_stretch(unit, i64::from(amount.fewest), reach(amount, unit))?;
        let case = turkish.map(|_| match self.get(end).map(|token| token.text.as_str()) {
            Some("oncesinden") => Case::From,
            Some("oncesine") => Case::To,
            _ => Case::In,
        });
        Some(piece(stretch, end + 1, case))
    }

    /// A day is that day and a month that month; a week ago is some day near it.
    fn ago_stretch(&self, unit: Unit, fewest: i64, most: i64) -> Option<Stretch> {
        match unit {
            Unit::Minute | Unit::Hour => {
                let slack = if unit == Unit::Hour { 45.minutes() } else { 15.minutes() };
                let now = self.now.datetime();
                let from = now.checked_sub(unit.times(most)).ok()?.checked_sub(slack).ok()?;
                let until = now.checked_sub(unit.times(fewest)).ok()?.checked_add(slack).ok()?;
                Some(Stretch { from, until })
            }
            Unit::Week if fewest == most => {
                let day = self.back(unit.times(fewest))?;
                Stretch::days(moved(day, (-3).days())?, moved(day, 4.days())?)
            }
            // Beyond the day before yesterday people count hours as often as
            // dates: what is 38 days and some hours old was "38 days ago".
            Unit::Day if fewest == most && most > 2 => {
                let from = self.now.datetime().checked_sub(unit.times(most + 1)).ok()?;
                Some(Stretch { from, until: self.back(unit.times(most - 1))?.into() })
            }
            Unit::Day | Unit::Weekend | Unit::Week | Unit::Month | Unit::Year => {
                let first = self.back(unit.times(most)).and_then(|day| unit.around(day))?;
                let last = self.back(unit.times(fewest)).and_then(|day| unit.around(day))?;
                Some(first.joined(last))
            }
        }
    }

    /// "The other day", "geçen gün".
    fn other_day(&self, at: usize) -> Option<Piece> {
        let (end, case) = match self.phrase(at, "the other day") {
            Some(end) => (end, None),
            None if self.any(at, "gecen") => (at + 2, Some(case_of(self.get(at + 1)?, "gun")?)),
            None => return None,
        };
        Some(piece(self.ago_stretch(Unit::Day, 2, 7)?, end, case))
    }

    /// "Over the weekend", "hafta sonu": the last one that began.
    fn the_weekend(&self, at: usize, lead: &str) -> Option<Piece> {
        let (end, case) = match self.phrase(at, "the weekend") {
            Some(end) if matches!(lead, "over" | "during" | "on" | "at") => (end, None),
            None if self.any(at, "hafta") && !self.after_any(at, "her gelecek onumuzdeki") => {
                (at + 2, Some(case_of(self.get(at + 1)?, "sonu")?))
            }
            _ => return None,
        };
        let stretch = Unit::Weekend.around(last_before(self.today.tomorrow().ok()?, Weekday::Saturday)?)?;
        Some(piece(stretch, end, case))
    }

    /// "The start of the year".
    fn start_of(&self, at: usize) -> Option<Piece> {
        let at = self.skip(at, "the");
        if !(self.any(at, "start beginning") && self.any(at + 1, "of") && self.any(at + 2, "the this")) {
            return None;
        }
        let (unit, None) = unit(self.get(at + 3)?)? else { return None };
        let calendar = matches!(unit, Unit::Week | Unit::Month | Unit::Year) && self.no_noun(at + 4);
        calendar.then(|| unit.around(self.today)).flatten().map(|stretch| piece(stretch, at + 4, None))
    }

    /// "The week before last".
    pub(crate) fn before_last(&self, at: usize) -> Option<Piece> {
        let at = self.skip(at, "the");
        let (unit, None) = unit(self.get(at)?)? else { return None };
        let end = self.phrase(at + 1, "before last")?;
        let day = self.back(unit.times(2))?;
        matches!(unit, Unit::Weekend | Unit::Week | Unit::Month | Unit::Year)
            .then(|| unit.around(day))
            .flatten()
            .map(|stretch| piece(stretch, end, None))
    }

    /// "Last week", "this month", "over the past two months", "son 3 gün".
    ///
    /// "Last week" is the one before this; "the last week" and "the past week"
    /// are the days that led here.
    pub(crate) fn last_unit(&self, at: usize, lead: &str) -> Option<Piece> {
        let mut leading = false;
        let mut at = if self.phrase(at, "bir onceki").is_some() { at + 1 } else { at };
        if self.any(at, "the these those") || self.any(at, "this bu") && self.any(at + 1, "last past son") {
            leading = true;
            at += 1;
        }
        let which = self.get(at)?.text.as_str();
        if !self.any(at, "last past previous this current son gecen gectigimiz onceki bu") {
            return None;
        }
        let amount = self.amount(at + 1).filter(|_| !matches!(which, "this" | "current" | "bu"));
        let counted = amount.map_or(at + 1, |amount| amount.end);
        let (mut unit, case) = unit(self.get(counted)?)?;
        let turkish = matches!(which, "son" | "gecen" | "gectigimiz" | "onceki" | "bu");
        if turkish != case.is_some() {
            return None;
        }
        let mut end = counted + 1;
        if unit == Unit::Week && self.any_stem(end, "sonu") && turkish {
            unit = Unit::Weekend;
            end += 1;
        }
        if self.any(end, "of") {
            return None;
        }
        let rolling = |count: i64| {
            let from = match unit {
                Unit::Minute | Unit::Hour => self.now.datetime().checked_sub(unit.times(count)).ok()?,
                _ => self.back(unit.times(count))?.into(),
            };
            Some(Stretch { from, until: self.today.tomorrow().ok()?.into() })
        };
        let prior = || self.back(unit.times(1)).and_then(|day| unit.around(day));
        let stretch = match (which, amount) {
            (_, Some(amount)) => rolling(reach(amount, unit).max(1))?,
            ("this" | "current" | "bu", None) if !matches!(unit, Unit::Minute | Unit::Hour | Unit::Day) => {
                unit.around(self.today)?
            }
            ("this" | "current" | "bu", None) => return None,
            // "At the last minute" is no time.
            (_, None) if unit == Unit::Minute => return None,
            // "The last day" of what? Only "over the last day" is told from now.
            (_, None) if unit == Unit::Day && !matches!(lead, "over" | "in" | "within" | "during") => {
                return None;
            }
            (_, None) if unit == Unit::Hour => rolling(1)?,
            (_, None) if unit == Unit::Weekend => prior()?,
            ("last", None) if !leading => prior()?,
            ("previous" | "gecen" | "gectigimiz" | "onceki", None) => prior()?,
            (_, None) => rolling(1)?,
        };
        let found = piece(stretch, end, case);
        if unit == Unit::Year && amount.is_none() {
            // "Last year in May", "geçen yıl mayısta".
            let inner = self.date(self.skip(end, "in on"), "in");
            let dated = inner.and_then(|inner| Some((inner, inner.named.in_year(stretch.from.year())?)));
            return Some(dated.map_or(found, |(inner, named)| Piece { named, ..inner }));
        }
        if unit != Unit::Week || amount.is_some() {
            return Some(found);
        }
        // "Last week on Tuesday", "geçen hafta salı günü".
        let day = self.skip(end, "on");
        let named = self.weekday(day);
        match named.and_then(|named| Some((named, day_of(stretch, named.day)?))) {
            Some((named, date)) => {
                let case = named.turkish.then_some(named.case);
                Some(self.with_day_noun(piece(Stretch::day(date)?, day + 1, case)))
            }
            None => Some(found),
        }
    }

    /// "Last Tuesday", "this May", "geçen yaz".
    pub(crate) fn last_named(&self, at: usize) -> Option<Piece> {
        let last = self.any(at, "last past previous gecen gectigimiz");
        if !last && !self.any(at, "this bu") {
            return None;
        }
        let token = self.get(at + 1)?;
        if let Some(named) = self.weekday(at + 1) {
            let day = if last {
                self.latest(named.day)?
            } else {
                day_of(Stretch::week_of(self.today)?, named.day)?
            };
            let case = named.turkish.then_some(named.case);
            return Some(self.with_part(self.with_day_noun(piece(Stretch::day(day)?, at + 2, case)), day));
        }
        let (first, count, case) = match (self.month(at + 1), self.season(at + 1)) {
            // "The last may fail" and "bu aralıkta" name no month.
            (Some(month), _) if month.turkish && !last => return None,
            (Some(month), _) if month.sure == Sure::Verb && !token.capital => return None,
            (Some(month), _) => (month.number, 1, month.turkish.then_some(month.case)),
            (None, Some(first)) => (first, 3, None),
            (None, None) => return None,
        };
        let named = Named::Months { year: None, first, count };
        let stretch = if last {
            let over = |stretch: Stretch| stretch.until.date() <= self.today;
            named
                .resolve(Nearest::NotAfter(self.today))
                .filter(|stretch| over(*stretch))
                .or_else(|| named.resolve(Nearest::NotAfter(self.back(1.year())?)))?
        } else {
            Stretch::months(self.today.year(), first, count)?
        };
        Some(piece(stretch, at + 2, case))
    }

    /// "On Friday", "cuma günü", "cumadan beri".
    fn weekday_alone(&self, at: usize, lead: &str) -> Option<Piece> {
        let the = !lead.is_empty() && self.any(at, "the");
        let at = if the { at + 1 } else { at };
        let named = self.weekday(at)?;
        if self.after_any(at, "a every each next coming her gelecek onumuzdeki haftaya any") {
            return None;
        }
        let sure = if named.turkish {
            let helped = self.get(at + 1).is_some_and(|token| case_of(token, "gun").is_some())
                || self.part_of_day(at + 1, self.today).is_some();
            let shared = matches!(named.day, Weekday::Friday | Weekday::Sunday);
            helped || named.case == Case::From || lead == "ile" || !shared || self.any(at + 1, "ile")
        } else if lead.is_empty() {
            let in_week = self.last_unit(self.skip(at + 1, "of"), "").is_some();
            let closes = self.ends(at + 1) && !self.after_any(at, "to through");
            in_week || closes && self.before(at).is_some_and(|word| !word.capital && !word.is_stop())
        } else {
            // "The Sunday mass" is a mass.
            let noun = the && !self.no_noun(at + 1) && self.ago(at + 1).is_none();
            lead != "for" && lead != "at" && !noun
        };
        if !sure {
            return None;
        }
        let day = self.latest(named.day)?;
        let found = piece(Stretch::day(day)?, at + 1, named.turkish.then_some(named.case));
        let found = self.with_part(self.with_day_noun(found), day);
        // "Tuesday of last week", "the Wednesday two months ago".
        let of = self.skip(found.end, "of");
        let outer = self.last_unit(of, "").or_else(|| self.ago(of));
        match outer {
            Some(Piece { named: Named::Stretch(stretch), end, case }) => {
                let week = moved(stretch.from.date(), 7.days()) == Some(stretch.until.date());
                let stretch = match day_of(stretch, named.day).filter(|_| week) {
                    Some(date) => Stretch::day(date)?,
                    None => stretch,
                };
                Some(piece(stretch, end, case))
            }
            _ => Some(found),
        }
    }

    /// "The week before August 3", "two days after May 8", "the Sunday before
    /// October 25", "the week of June 5".
    fn counted_from(&self, at: usize) -> Option<Piece> {
        let the = self.skip(at, "the last");
        let amount = self.amount(the);
        let counted = amount.map_or(the, |amount| amount.end);
        let what = self.get(counted)?;
        let named = self.weekday(counted).filter(|named| !named.turkish && amount.is_none());
        let unit = unit(what).and_then(|(unit, case)| case.is_none().then_some(unit));
        if named.is_none() && (unit.is_none() || amount.is_none() && the == at) {
            return None;
        }
        if unit == Some(Unit::Week) && self.any(counted + 1, "of") {
            let inner = self.date(counted + 2, "of")?;
            let stretch = Stretch::week_of(inner.named.resolve(self.nearest())?.from.date())?;
            return Some(piece(stretch, inner.end, None));
        }
        let (earlier, next) = match () {
            () if self.any(counted + 1, "before preceding") => (true, counted + 2),
            () if self.phrase(counted + 1, "prior to").is_some() => (true, counted + 3),
            () if self.any(counted + 1, "after following") => (false, counted + 2),
            () => return None,
        };
        let inner = self.date(next, "before")?;
        let anchor = inner.named.resolve(self.nearest())?;
        let (first, after) = (anchor.from.date(), anchor.until.date());
        let stretch = match (named, unit) {
            (Some(named), _) if earlier => Stretch::day(last_before(first, named.day)?)?,
            (Some(named), _) => Stretch::day(last_before(moved(after, 7.days())?, named.day)?)?,
            (None, Some(Unit::Weekend)) if earlier => {
                let saturday = last_before(first, Weekday::Saturday)?;
                Stretch::days(saturday, moved(saturday, 2.days())?.min(first))?
            }
            (None, Some(Unit::Week)) if amount.is_none() && earlier => {
                Stretch::days(moved(first, (-7).days())?, first)?
            }
            (None, Some(Unit::Week)) if amount.is_none() => Stretch::days(after, moved(after, 7.days())?)?,
            (None, Some(unit)) => {
                let count = amount.map_or(1, |amount| i64::from(amount.most));
                let day = moved(first, unit.times(if earlier { -count } else { count }))?;
                if unit == Unit::Week {
                    Stretch::days(moved(day, (-3).days())?, moved(day, 4.days())?)?
                } else {
                    unit.around(day)?
                }
            }
            (None, None) => return None,
        };
        Some(piece(stretch, inner.end, None))
    }

    /// The last such day before today.
    fn latest(&self, day: Weekday) -> Option<Date> {
        last_before(self.today, day)
    }

    /// "Salı günü": the noun carries the case.
    pub(crate) fn with_day_noun(&self, found: Piece) -> Piece {
        match self.get(found.end).and_then(|token| case_of(token, "gun")) {
            Some(case) if found.case.is_some() => Piece { end: found.end + 1, case: Some(case), ..found },
            _ => found,
        }
    }

    /// "Friday morning".
    fn with_part(&self, found: Piece, day: Date) -> Piece {
        match self.part_of_day(found.end, day) {
            Some((stretch, end, case)) if case.is_some() == found.case.is_some() => piece(stretch, end, case),
            _ => found,
        }
    }
}

fn piece(stretch: Stretch, end: usize, case: Option<Case>) -> Piece {
    Piece { named: Named::Stretch(stretch), end, case }
}

/// How many are meant at most: "a few weeks" reach less far than "a few days".
fn reach(amount: Amount, unit: Unit) -> i64 {
    let vague = amount.fewest < amount.most && unit != Unit::Day;
    i64::from(if vague { amount.most.min(5) } else { amount.most })
}

fn last_before(day: Date, weekday: Weekday) -> Option<Date> {
    day.nth_weekday(-1, weekday).ok()
}

/// The one such day in the seven days that begin here.
fn day_of(week: Stretch, day: Weekday) -> Option<Date> {
    last_before(moved(week.from.date(), 7.days())?, day)
}
