//! Dates that stand on their own: May 8th, 8 Mayıs 2023, 2023-05-08, the 8th
//! of May, in March, 2022, Q3.
//!
//! It does not know what a question asks of them, nor dates told from now.

use super::calendar::{Case, Month, Named, Stretch, Sure, case_of, ending_case, moved};
use super::reader::{Piece, Reader};
use super::token::Kind;
use jiff::ToSpan;
use jiff::civil::Date;

/// Words after which a lower-case "may" or "march" is a month.
const MONTH_LEADS: &str = "in since until till during";

impl Reader<'_> {
    /// `lead` is the word that led here ("on", "since", "between"), or "".
    pub(crate) fn date(&self, at: usize, lead: &str) -> Option<Piece> {
        match self.softened(at) {
            Some(whole) => {
                self.plain_date(whole, "in").filter(|piece| !matches!(piece.named, Named::Day { .. }))
            }
            None => self.plain_date(at, lead),
        }
    }

    fn plain_date(&self, at: usize, lead: &str) -> Option<Piece> {
        let piece = self
            .numeric(at)
            .or_else(|| self.after_weekday(at))
            .or_else(|| self.day_month(at))
            .or_else(|| self.month_day(at, lead))
            .or_else(|| self.month_year(at))
            .or_else(|| self.season_year(at))
            .or_else(|| self.quarter(at, lead))
            .or_else(|| self.month_alone(at, lead))
            .or_else(|| self.year_alone(at, lead))
            .or_else(|| self.day_alone(at, lead))?;
        Some(self.with_noun(piece))
    }

    /// "early", "mid-", "the end of", "the first half of": the whole is meant.
    pub(super) fn softened(&self, at: usize) -> Option<usize> {
        if self.any(at, "early mid late") {
            return Some(if self.is_dash(at + 1) { at + 2 } else { at + 1 });
        }
        let at = self.skip(at, "the");
        if self.any(at, "beginning start middle end") && self.any(at + 1, "of") {
            return Some(at + 2);
        }
        let part = self.any(at, "first second third fourth last") && self.any(at + 1, "half week weeks days");
        (part && self.any(at + 2, "of")).then_some(at + 3)
    }

    /// "8 Mayıs günü", "mayıs ayında", "2023 yılında": the noun carries the case.
    fn with_noun(&self, piece: Piece) -> Piece {
        // "15 Mart 2024 Cuma günü".
        let day = piece.case.and_then(|_| self.weekday(piece.end)).is_some_and(|day| day.turkish);
        let piece = if day { Piece { end: piece.end + 1, ..piece } } else { piece };
        let noun = ["gun", "tarih", "ay", "yil", "sene"];
        let case = self.get(piece.end).and_then(|token| noun.iter().find_map(|stem| case_of(token, stem)));
        match (piece.case, case) {
            (Some(_), Some(case)) => Piece { end: piece.end + 1, case: Some(case), ..piece },
            _ => piece,
        }
    }

    fn numeric(&self, at: usize) -> Option<Piece> {
        let token = self.get(at)?;
        let Kind::Date(year, month, day) = token.kind else { return None };
        let named = match day {
            Some(day) => Named::Day { year: Some(year), month, day },
            None => Named::Months { year: Some(year), first: month, count: 1 },
        };
        let case = if token.tail == "s" { None } else { ending_case(&token.tail) };
        Some(Piece { named, end: at + 1, case })
    }

    /// "Wednesday, June 5th": the date decides.
    fn after_weekday(&self, at: usize) -> Option<Piece> {
        self.weekday(at)?;
        let at = self.skip(self.skip_mark(at + 1, ","), "the");
        let piece = self.numeric(at).or_else(|| self.day_month(at)).or_else(|| self.month_day(at, "on"))?;
        Some(piece).filter(|piece| matches!(piece.named, Named::Day { .. }))
    }

    /// A year and what its Turkish ending says.
    fn year_at(&self, at: usize) -> Option<(i16, Option<Case>)> {
        let token = self.get(at)?;
        let Kind::Number(value) = token.kind else { return None };
        let year = i16::try_from(value).ok().filter(|year| (1900..2200).contains(year))?;
        match token.tail.as_str() {
            "" | "s" => Some((year, None)),
            tail => Some((year, Some(ending_case(tail)?))),
        }
    }

    /// ", 2023", "of 2023", "2023" or "last year" here, with the token after it.
    fn year_after(&self, at: usize) -> (Option<i16>, usize, Option<Case>) {
        let of = if self.is_dash(at) { at + 1 } else { self.skip(self.skip_mark(at, ","), "of") };
        if self.any(of + 1, "year") && self.any(of, "last this") {
            let back = i16::from(self.any(of, "last"));
            return (Some(self.today.year() - back), of + 2, None);
        }
        match self.year_at(of) {
            Some((year, case)) => (Some(year), of + 1, case),
            None => (None, at, None),
        }
    }

    /// A day of a month, the token after it, and the case of "8'inde".
    pub(crate) fn day_at(&self, at: usize) -> Option<(i8, usize, Option<Case>)> {
        let token = self.get(at)?;
        let (value, end, case) = match token.kind {
            Kind::Number(value) => {
                let case = match token.tail.as_str() {
                    "" | "st" | "nd" | "rd" | "th" => None,
                    tail => Some(ending_case(tail)?),
                };
                (value, at + 1, case)
            }
            _ => {
                let number = self.number(at).filter(|number| number.ordinal)?;
                (number.value, number.end, None)
            }
        };
        let day = i8::try_from(value).ok().filter(|day| (1..=31).contains(day))?;
        Some((day, end, case))
    }

    /// "8 May 2023", "the 8th of May", "23 January, 2022", "8 Mayıs'ta".
    fn day_month(&self, at: usize) -> Option<Piece> {
        let at = self.skip(at, "the");
        let (day, end, _) = self.day_at(at)?;
        let in_digits = matches!(self.get(at)?.kind, Kind::Number(_));
        let of = self.any(end, "of");
        let name = if of || self.is_dash(end) { end + 1 } else { end };
        let month = self.month(name)?;
        let (year, end, year_case) = self.year_after(name + 1);
        // "the second may fail" and "these 8 may fail" name no day.
        let ordinal = in_digits && !self.get(at)?.tail.is_empty();
        let sure = match month.sure {
            Sure::Verb => year.is_some() || of || ordinal || in_digits && self.get(name)?.capital,
            _ => in_digits || of,
        };
        let case = if month.turkish { year_case.or(Some(month.case)) } else { None };
        sure.then_some(Piece { named: Named::Day { year, month: month.number, day }, end, case })
    }

    /// "May 8th", "March-15-2024", "May the 8th, 2023", "mayısın 8'inde".
    fn month_day(&self, at: usize, lead: &str) -> Option<Piece> {
        let month = self.month(at)?;
        let day_at = if self.is_dash(at + 1) { at + 2 } else { self.skip(at + 1, "the") };
        let (day, end, case) = self.day_at(day_at)?;
        if month.turkish && month.case != Case::Of {
            return None;
        }
        let (year, end, _) = self.year_after(end);
        let token = self.get(day_at)?;
        let ordinal = !token.tail.is_empty() || token.kind == Kind::Word;
        let sure = month.sure != Sure::Verb || self.get(at)?.capital || ordinal || year.is_some();
        let case = month.turkish.then(|| case.unwrap_or(Case::Plain));
        let named = Named::Day { year, month: month.number, day };
        (sure || !lead.is_empty()).then_some(Piece { named, end, case })
    }

    /// "May 2023", "May of 2023", "2023 Mayıs".
    fn month_year(&self, at: usize) -> Option<Piece> {
        let months = |year, month: Month| Named::Months { year: Some(year), first: month.number, count: 1 };
        if let Some((year, _)) = self.year_at(at) {
            let month = self.month(at + 1).filter(|month| month.turkish || month.sure == Sure::Name)?;
            let case = month.turkish.then_some(month.case);
            return Some(Piece { named: months(year, month), end: at + 2, case });
        }
        let month = self.month(at)?;
        let (year, end, case) = self.year_after(at + 1);
        let case = if month.turkish { case.or(Some(month.case)) } else { None };
        Some(Piece { named: months(year?, month), end, case })
    }

    /// "summer 2022", "the summer of 2022".
    fn season_year(&self, at: usize) -> Option<Piece> {
        let at = self.skip(at, "the");
        let first = self.season(at)?;
        let (year, end, _) = self.year_after(at + 1);
        // A winter belongs to the year in which it begins.
        Some(Piece { named: Named::Months { year: Some(year?), first, count: 3 }, end, case: None })
    }

    /// The month in which a season begins.
    pub(super) fn season(&self, at: usize) -> Option<i8> {
        match self.get(at).filter(|token| token.kind == Kind::Word)?.text.as_str() {
            "spring" | "ilkbahar" => Some(3),
            "summer" | "yaz" => Some(6),
            "autumn" | "fall" | "sonbahar" => Some(9),
            "winter" | "kis" => Some(12),
            _ => None,
        }
    }

    /// "Q3 2024", "in Q3".
    fn quarter(&self, at: usize, lead: &str) -> Option<Piece> {
        let first = match self.get(at).filter(|token| token.kind == Kind::Word)?.text.as_str() {
            "q1" => 1,
            "q2" => 4,
            "q3" => 7,
            "q4" => 10,
            _ => return None,
        };
        let (year, end, _) = self.year_after(at + 1);
        let named = Named::Months { year, first, count: 3 };
        (year.is_some() || !lead.is_empty()).then_some(Piece { named, end, case: None })
    }

    fn month_alone(&self, at: usize, lead: &str) -> Option<Piece> {
        let month = self.month(at)?;
        let token = self.get(at)?;
        let led = !lead.is_empty() && lead != "for";
        let short = token.text.len() <= 4
            && !month.turkish
            && !matches!(token.text.as_str(), "may" | "june" | "july");
        let sure = match month.sure {
            // "bu aralıkta" is an interval.
            _ if month.turkish => {
                !self.after_any(at, "bu her")
                    && (matches!(month.case, Case::In | Case::From)
                        || self.any_stem(at + 1, "ayi ile kadar")
                        || lead == "ile"
                        || month.case == Case::To && lead == "to")
            }
            Sure::Name => true,
            Sure::Shared => led && (!short || token.capital),
            Sure::Verb => {
                MONTH_LEADS.split(' ').any(|word| word == lead) && self.no_noun(at + 1)
                    || led && token.capital
            }
        };
        let case = month.turkish.then_some(month.case);
        let named = Named::Months { year: None, first: month.number, count: 1 };
        sure.then_some(Piece { named, end: at + 1, case })
    }

    /// "in 2023", "2023'te", "2023 yılında". A number that counts something
    /// ("in 2000 lines") is no year.
    fn year_alone(&self, at: usize, lead: &str) -> Option<Piece> {
        let (year, case) = self.year_at(at)?;
        let noun = self.any_stem(at + 1, "yilin yilda yili yila senesi");
        let led = !matches!(lead, "" | "at" | "over" | "for" | "on" | "around") && self.no_noun(at + 1);
        if !(case.is_some() || noun || led) {
            return None;
        }
        let case = case.or(noun.then_some(Case::Plain));
        Some(Piece { named: Named::Stretch(Stretch::year(year)?), end: at + 1, case })
    }

    /// "on the 8th", with nothing after it that could be the eighth.
    fn day_alone(&self, at: usize, lead: &str) -> Option<Piece> {
        let led =
            matches!(lead, "on" | "since" | "until" | "before" | "after" | "by" | "and" | "to" | "between");
        let token = self.get(at + 1).filter(|_| led && self.any(at, "the"))?;
        let (day, end, _) = self.day_at(at + 1)?;
        if !matches!(token.kind, Kind::Number(_)) || token.tail.is_empty() || !self.ends(end) {
            return None;
        }
        let found = (0..3).find_map(|back: i64| {
            let month = moved(self.today.first_of_month(), (-back).months())?;
            Date::new(month.year(), month.month(), day).ok().filter(|date| *date <= self.today)
        })?;
        Some(Piece { named: Named::Stretch(Stretch::day(found)?), end, case: None })
    }
}
