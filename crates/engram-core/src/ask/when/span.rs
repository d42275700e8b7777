//! What a question asks of dates: on them, between them, before or after them.
//!
//! It does not know how a date is worded.

use super::Side;
use super::calendar::{Case, Named, Nearest, Stretch};
use super::reader::{Piece, Reader};
use super::token::Kind;
use jiff::ToSpan;
use jiff::civil::DateTime;

/// Local, half open; an end that is not there is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) from: Option<DateTime>,
    pub(super) until: Option<DateTime>,
}

impl Reader<'_> {
    /// The bounds that begin at `at`, and the token after them. `goes_on` says
    /// that other bounds end right before: "in March and April".
    pub(super) fn bounds(&self, at: usize, goes_on: bool) -> Option<(Bounds, usize)> {
        let (side, lead, next) = match self.led(at) {
            (None, "", _) if goes_on && self.any(at, "and or ve veya") => (None, "and", at + 1),
            led => led,
        };
        let range = match lead {
            "between" | "from" => self.range(next, lead),
            "" => self.range(at, ""),
            _ => None,
        };
        if range.is_some() {
            return range;
        }
        // "By tonight" sets a deadline; "by July 10" looks back.
        let past = |piece: &Piece| lead != "by" || !matches!(piece.named, Named::Stretch(_));
        // "On gün önce": the Turkish ten is no preposition.
        let (piece, side, lead) = match self.piece(next, lead).filter(past) {
            Some(piece) => (piece, side, lead),
            None => (self.piece(at, "")?, None, ""),
        };
        let stretch = piece.named.resolve(self.nearest())?;
        let (side, end) = match side {
            Some(side) => (Some(side), piece.end),
            None if lead == "from" && self.any(piece.end, "on onward onwards") => {
                (Some(Side::Since), piece.end + 1)
            }
            None => self.postposition(piece),
        };
        Some((sided(stretch, side), end))
    }

    /// The word that leads to a date, which side of it is meant, and the token
    /// after. Without such a word the date itself begins at `at`.
    pub(crate) fn led(&self, at: usize) -> (Option<Side>, &'static str, usize) {
        let about = |at: usize| self.skip(at, "about around roughly");
        let one_word = [
            ("before", Some(Side::Before)),
            ("after", Some(Side::After)),
            ("following", Some(Side::After)),
            ("since", Some(Side::Since)),
            ("until", Some(Side::Until)),
            ("till", Some(Side::Until)),
            ("by", Some(Side::Until)),
            ("between", None),
            ("from", None),
            ("in", None),
            ("on", None),
            ("at", None),
            ("of", None),
            ("for", None),
            ("during", None),
            ("over", None),
            ("within", None),
            ("around", None),
            ("throughout", None),
        ];
        let two_words = [
            ("prior to", "before", Some(Side::Before)),
            ("earlier than", "before", Some(Side::Before)),
            ("later than", "after", Some(Side::After)),
            ("starting from", "since", Some(Side::Since)),
            ("starting on", "since", Some(Side::Since)),
            ("starting in", "since", Some(Side::Since)),
            ("up to", "until", Some(Side::Until)),
            ("up until", "until", Some(Side::Until)),
            ("back in", "in", None),
            ("back on", "on", None),
        ];
        let long = two_words
            .into_iter()
            .find_map(|(words, lead, side)| Some((side, lead, about(self.phrase(at, words)?))));
        long.or_else(|| {
            let (lead, side) = one_word.into_iter().find(|(word, _)| self.any(at, word))?;
            Some((side, lead, about(at + 1)))
        })
        .unwrap_or((None, "", at))
    }

    fn piece(&self, at: usize, lead: &str) -> Option<Piece> {
        // What comes again or is yet to come is not read.
        if self.after_any(at, "next coming every each gelecek onumuzdeki her") {
            return None;
        }
        let piece = self.date(at, lead).or_else(|| self.relative(at, lead))?;
        // "pre-May" and "May-Day" are other words.
        let joined = self.get(at).is_some_and(|token| token.glued)
            && self.before(at).is_some_and(|before| before.is_dash() && before.glued)
            && lead.is_empty();
        let joins = self.is_dash(piece.end)
            && self.get(piece.end).is_some_and(|dash| dash.glued)
            && self.get(piece.end + 1).is_some_and(|next| next.glued && next.kind == Kind::Word);
        (!joined && (!joins || lead == "range")).then_some(piece)
    }

    /// "May 8 to June 9", "between May 8 and 12", "8-12 Mayıs", "marttan
    /// mayısa kadar", "8 Mayıs ile 9 Haziran arasında".
    fn range(&self, at: usize, lead: &str) -> Option<(Bounds, usize)> {
        // "Monday to Friday" without "from" is a habit.
        let habit = lead.is_empty() && self.weekday(at).is_some_and(|day| !day.turkish);
        let left = self.piece(at, if lead.is_empty() { "range" } else { lead }).filter(|_| !habit);
        let (left_end, from_case) = match left {
            Some(left) => (left.end, left.case),
            None => {
                let (_, end, case) = self.day_at(at)?;
                (end, case)
            }
        };
        let (turkish, next) = match () {
            () if self.any(left_end, "ile ve") => (true, left_end + 1),
            () if self.is_dash(left_end) => (false, left_end + 1),
            () if from_case == Some(Case::From) => (true, left_end),
            () if lead == "between" && self.any(left_end, "and") => (false, left_end + 1),
            () if self.any(left_end, "to through thru until till") => (false, left_end + 1),
            () => return None,
        };
        let right = self.piece(next, if turkish { "ile" } else { "to" });
        let (left, right) = match (left, right) {
            (Some(left), Some(right)) => (left, right),
            // "May 8 to 12": one month for both.
            (Some(left), None) => {
                let (day, end, _) = self.day_at(next)?;
                let Named::Day { year, month, .. } = left.named else { return None };
                (left, Piece { named: Named::Day { year, month, day }, end, case: None })
            }
            (None, Some(right)) => {
                let (day, end, case) = self.day_at(at)?;
                let Named::Day { year, month, .. } = right.named else { return None };
                (Piece { named: Named::Day { year, month, day }, end, case }, right)
            }
            (None, None) => return None,
        };
        let end = match turkish {
            false if self.any_stem(right.end, "aras") => right.end + 1,
            false => right.end,
            true if from_case == Some(Case::From) && right.case == Some(Case::To) => {
                self.skip(right.end, "kadar dek degin")
            }
            true if self.any_stem(right.end, "aras") => right.end + 1,
            true => return None,
        };
        let mut stretch = self.joined(left.named, right.named)?;
        if self.weekday(at).is_some() && left.named.resolve(self.nearest())?.until == stretch.until {
            // "From Monday to Friday", asked on a Wednesday, began last week.
            let end = right.named.resolve(self.nearest())?;
            let from = left.named.resolve(self.nearest())?.from.checked_sub(1.week()).ok()?;
            stretch = Stretch { from: from.min(end.from), until: end.until };
        }
        Some((sided(stretch, None), end))
    }

    /// A year said once holds for both; without one the later end is the one
    /// that follows the earlier.
    fn joined(&self, left: Named, right: Named) -> Option<Stretch> {
        if !left.has_year() && right.has_year() {
            let right = right.resolve(self.nearest())?;
            let left = left.resolve(Nearest::NotAfter(right.from.date()))?;
            return Some(left.joined(right));
        }
        let left = left.resolve(self.nearest())?;
        let right = match right.resolve(self.nearest())? {
            early if !right.has_year() && early.from < left.from => {
                right.resolve(Nearest::NotBefore(left.from.date()))?
            }
            right => right,
        };
        Some(left.joined(right))
    }

    /// "-den önce", "-den beri", "-e kadar": Turkish says the side last.
    pub(crate) fn postposition(&self, piece: Piece) -> (Option<Side>, usize) {
        let end = piece.end;
        let found = match piece.case {
            Some(Case::From) if self.any(end, "once evvel") => Some((Side::Before, 1)),
            Some(Case::From) if self.any(end, "sonra") => Some((Side::After, 1)),
            Some(Case::From) if self.any(end, "beri itibaren") => Some((Side::Since, 1)),
            Some(Case::From) if self.phrase(end, "bu yana").is_some() => Some((Side::Since, 2)),
            Some(Case::To) if self.any(end, "kadar dek degin") => Some((Side::Until, 1)),
            Some(_) if self.any(end, "oncesi oncesinde oncesindeki") => Some((Side::Before, 1)),
            Some(_) if self.any(end, "sonrasi sonrasinda sonrasindaki") => Some((Side::After, 1)),
            _ => None,
        };
        found.map_or((None, end), |(side, words)| (Some(side), end + words))
    }
}

fn sided(stretch: Stretch, side: Option<Side>) -> Bounds {
    let Stretch { from, until } = stretch;
    match side {
        None => Bounds { from: Some(from), until: Some(until) },
        Some(Side::Before) => Bounds { from: None, until: Some(from) },
        Some(Side::After) => Bounds { from: Some(until), until: None },
        Some(Side::Since) => Bounds { from: Some(from), until: None },
        Some(Side::Until) => Bounds { from: None, until: Some(until) },
    }
}
