//! Days that are told from now and lie ahead, and those that may: tomorrow,
//! next week, the end of the month, a weekday beside its verb.
//!
//! What lies behind is read by `ask::when`; what a clause makes of a day is
//! decided in `dates`.

use super::dates::{Found, Look, Points};
use super::foresee::Tense;
use crate::ask::when::Side;
use crate::ask::when::calendar::{Case, Named, Nearest, Stretch, Unit, case_of, moved, unit};
use crate::ask::when::reader::Piece;
use crate::ask::when::token::Kind;
use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

impl Look<'_> {
    /// The last day of something: "the end of the month", "ay sonu".
    pub(super) fn end_of(&self, at: usize) -> Option<Found> {
        let reader = self.reader;
        let the = reader.skip(at, "the");
        let last = |stretch: Stretch, end: usize, case: Option<Case>| {
            let day = moved(stretch.until.date(), (-1).days())?;
            // What is done at the end of a month may be done every month.
            let points = if self.tense == Tense::Present { Points::Maybe } else { Points::Open };
            Some(Found { stretch: Stretch::day(day)?, end, case, points })
        };
        if reader.any(the, "end") {
            let of = reader.skip(the + 1, "of");
            let which = reader.skip(of, "the this");
            let next = reader.any(which, "next");
            let name = if next { which + 1 } else { which };
            if let Some((of, None)) = self.clause.get(name).and_then(unit)
                && !matches!(of, Unit::Minute | Unit::Hour)
                && self.clause.get(name).is_some_and(|token| token.tail.is_empty())
            {
                let day = if next { moved(reader.today, of.times(1))? } else { reader.today };
                return last(of.around(day)?, name + 1, None);
            }
            let piece = reader.date(of, "in").filter(|_| of > the + 1)?;
            let nearest = match self.tense {
                Tense::Past => Nearest::NotAfter(reader.today),
                Tense::Present | Tense::Future => Nearest::NotBefore(reader.today),
            };
            return last(piece.named.resolve(nearest)?, piece.end, None);
        }
        // "Ay sonu", "bu ayın sonu", "yıl sonuna kadar"; "hafta sonu" is a weekend.
        let this = reader.skip(at, "bu");
        let token = self.clause.get(this)?;
        let case = case_of(self.clause.get(this + 1)?, "sonu")?;
        let stretch = match unit(token) {
            Some((of @ (Unit::Month | Unit::Year), Some(Case::Plain | Case::Of))) => {
                of.around(reader.today)?
            }
            Some((Unit::Week, Some(Case::Of))) => Unit::Week.around(reader.today)?,
            Some(_) => return None,
            None => {
                let month = reader.month(this).filter(|month| month.turkish && self.clause.is_word(this))?;
                let named = Named::Months { year: None, first: month.number, count: 1 };
                named.resolve(Nearest::NotBefore(reader.today))?
            }
        };
        last(stretch, this + 2, Some(case))
    }

    /// What is named as lying ahead: tomorrow, next week, this Friday.
    pub(super) fn coming(&self, at: usize) -> Option<Found> {
        let reader = self.reader;
        let today = reader.today;
        let ahead = |stretch: Stretch, end: usize, case| Found { stretch, end, case, points: Points::Ahead };
        let the = reader.skip(at, "the");
        if let Some(end) = reader.phrase(the, "day after tomorrow") {
            return Some(ahead(Stretch::day(moved(today, 2.days())?)?, end, None));
        }
        if reader.any(at, "obur") {
            let case = case_of(self.clause.get(at + 1)?, "gun")?;
            return Some(ahead(Stretch::day(moved(today, 2.days())?)?, at + 2, Some(case)));
        }
        let token = self.clause.get(at)?;
        let tomorrow = today.tomorrow().ok()?;
        let case = if token.text == "tomorrow" { None } else { case_of(token, "yarin") };
        if token.kind == Kind::Word && (token.text == "tomorrow" || case.is_some()) {
            let part = reader.part_of_day(at + 1, tomorrow);
            let part = part.filter(|(_, _, part)| part.is_some() == case.is_some() && token.tail.is_empty());
            return Some(match part {
                Some((stretch, end, part)) => ahead(stretch, end, part.or(case)),
                None => ahead(Stretch::day(tomorrow)?, at + 1, case),
            });
        }
        self.next_named(at).or_else(|| self.this_weekday(at))
    }

    /// "Next Friday" is the one of next week; "gelecek cuma" and "this coming
    /// Friday" are the first that comes.
    fn next_named(&self, at: usize) -> Option<Found> {
        let reader = self.reader;
        let at = reader.skip(at, "the this");
        let haftaya = self.clause.turkish && reader.any(at, "haftaya");
        let turkish = reader.any(at, "gelecek onumuzdeki");
        if !haftaya && !turkish && !reader.any(at, "next coming upcoming") {
            return None;
        }
        let ahead = |stretch: Stretch, end: usize, case| Found { stretch, end, case, points: Points::Ahead };
        let next_week = Stretch::week_of(moved(reader.today, 7.days())?)?;
        if let Some(named) = reader.weekday(at + 1).filter(|named| named.turkish == (turkish || haftaya)) {
            let day = if reader.any(at, "next") || haftaya {
                first_from(next_week.from.date(), named.day)?
            } else {
                first_from(reader.today.tomorrow().ok()?, named.day)?
            };
            let piece = Piece {
                named: Named::Stretch(Stretch::day(day)?),
                end: at + 2,
                case: named.turkish.then_some(named.case),
            };
            let piece = reader.with_day_noun(piece);
            let part =
                reader.part_of_day(piece.end, day).filter(|part| part.2.is_some() == piece.case.is_some());
            return Some(match part {
                Some((stretch, end, case)) => ahead(stretch, end, case.or(piece.case)),
                None => ahead(Stretch::day(day)?, piece.end, piece.case),
            });
        }
        if haftaya {
            return Some(ahead(next_week, at + 1, Some(Case::Plain)));
        }
        if let Some((of, case)) = self.clause.get(at + 1).and_then(unit) {
            if case.is_some() != turkish || matches!(of, Unit::Minute | Unit::Hour | Unit::Day) {
                return None;
            }
            let weekend = turkish && of == Unit::Week && reader.any_stem(at + 2, "sonu");
            if weekend {
                let case = case_of(self.clause.get(at + 2)?, "sonu")?;
                let coming = Unit::Weekend.around(reader.today)?;
                let coming = if coming.from.date() > reader.today {
                    coming
                } else {
                    Unit::Weekend.around(moved(reader.today, 7.days())?)?
                };
                return Some(ahead(coming, at + 3, Some(case)));
            }
            let stretch = of.around(moved(reader.today, of.times(1))?)?;
            return Some(ahead(stretch, at + 2, case));
        }
        let month = reader.month(at + 1).filter(|month| month.turkish == turkish)?;
        let named = Named::Months { year: None, first: month.number, count: 1 };
        let after = reader.today.last_of_month().tomorrow().ok()?;
        Some(ahead(named.resolve(Nearest::NotBefore(after))?, at + 2, month.turkish.then_some(month.case)))
    }

    /// "This Friday", "bu cuma": the one of this week, or the next if that is
    /// over and it is still to come.
    fn this_weekday(&self, at: usize) -> Option<Found> {
        if !self.reader.any(at, "this bu") {
            return None;
        }
        let named = self.reader.weekday(at + 1).filter(|named| named.turkish == self.reader.any(at, "bu"))?;
        let week = Stretch::week_of(self.reader.today)?;
        let mut day = first_from(week.from.date(), named.day)?;
        if day < self.reader.today && self.tense != Tense::Past {
            day = moved(day, 7.days())?;
        }
        let points = match self.tense {
            Tense::Past if day <= self.reader.today => Points::Back,
            _ => Points::Ahead,
        };
        let piece = Piece {
            named: Named::Stretch(Stretch::day(day)?),
            end: at + 2,
            case: named.turkish.then_some(named.case),
        };
        let piece = self.reader.with_day_noun(piece);
        Some(Found { stretch: Stretch::day(day)?, end: piece.end, case: piece.case, points })
    }

    /// A weekday on its own. The verb says whether it was or is to come.
    pub(super) fn weekday(&self, at: usize, lead: &str, side: Option<Side>) -> Option<Found> {
        let reader = self.reader;
        let named = reader.weekday(at)?;
        let piece = Piece {
            named: Named::Stretch(Stretch::day(reader.today)?),
            end: at + 1,
            case: named.turkish.then_some(named.case),
        };
        let piece = reader.with_day_noun(piece);
        let (ending, _) = reader.postposition(piece);
        let side = side.or(ending);
        // "Monday to Friday", "Friday evenings" and "pazartesi günleri" recur.
        let recurs = reader.any(at + 1, "mornings afternoons evenings nights to through")
            || reader.any_stem(at + 1, "gunleri")
            || reader.is_dash(at + 1);
        let second = at >= 2
            && side.is_none()
            && reader.after_any(at, "to through")
            && reader.weekday(at - 2).is_some();
        let recurs = recurs || second;
        let capital_before =
            at > 0 && lead.is_empty() && self.clause.get(at - 1).is_some_and(|before| before.capital);
        // A date that names its weekday is read as a date.
        let told = lead == "from" && self.tense != Tense::Present;
        if recurs && !told && side != Some(Side::Since)
            || capital_before && at > 1
            || reader.date(at, "on").is_some()
        {
            return None;
        }
        let part =
            reader.part_of_day(piece.end, reader.today).is_some_and(|part| part.2.is_some() == named.turkish);
        let sure = if named.turkish {
            let shared = matches!(named.day, Weekday::Friday | Weekday::Sunday);
            piece.end > at + 1
                || part
                || side.is_some()
                || !shared && named.case != Case::Of
                || self.clause.turkish && named.day == Weekday::Friday
        } else if lead.is_empty() {
            let ends = reader.ends(at + 1) || reader.any(at + 1, "at and or we i the");
            self.clause.get(at).is_some_and(|token| token.tail.is_empty() && token.capital || ends)
                && (ends || part)
                && !reader.after_any(at, "a the")
        } else {
            !matches!(lead, "for" | "of" | "at" | "in" | "over" | "around") && !reader.any(at, "the")
        };
        if !sure || self.rule && side.is_none() {
            return None;
        }
        let back = match side {
            Some(Side::Since | Side::After) => self.tense != Tense::Future,
            Some(Side::Until | Side::Before) | None => self.tense == Tense::Past,
        };
        let day = if back {
            reader.today.nth_weekday(-1, named.day).ok()?
        } else {
            first_from(reader.today.tomorrow().ok()?, named.day)?
        };
        let points = match (self.tense, side) {
            (Tense::Past, _) => Points::Back,
            (Tense::Future, _) => Points::Ahead,
            (Tense::Present, Some(_)) => Points::Open,
            (Tense::Present, None) => Points::Maybe,
        };
        let found = reader.part_of_day(piece.end, day).filter(|_| part);
        Some(match found {
            Some((stretch, end, case)) => Found { stretch, end, case: case.or(piece.case), points },
            None => Found { stretch: Stretch::day(day)?, end: piece.end, case: piece.case, points },
        })
    }
}

/// The first such day from this one on.
fn first_from(day: Date, weekday: Weekday) -> Option<Date> {
    if day.weekday() == weekday { Some(day) } else { day.nth_weekday(1, weekday).ok() }
}
