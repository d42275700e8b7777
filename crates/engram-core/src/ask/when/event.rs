//! Events that a question takes as its anchor: before we moved to Postgres,
//! after the outage, kesintiden sonra.
//!
//! It finds the words and the side; which event is meant, the store knows.

use super::Side;
use super::reader::Reader;
use super::token::Kind;

/// The longest event, in tokens.
const LONGEST: usize = 12;

/// Past forms that do not end in "ed", and words that stand before a verb.
const IRREGULAR: &str = "was were had did got went came made took gave found left lost met put ran said \
                         sent set saw wrote began broke built bought brought chose cut fell grew kept knew \
                         led rebuilt rewrote shut split told thought won first \
                         finally";

/// Where an event ends and the question goes on.
const GOES_ON: &str = "did do does what which who how when where why should can could would will is are \
                       has have before after since until till instead";

const BEING: &str = "is are was were be been has have";

impl Reader<'_> {
    /// The event that begins with the word at `at`: its side and its tokens.
    pub(super) fn event(&self, at: usize, taken: &[bool]) -> Option<(Side, std::ops::Range<usize>)> {
        self.english_event(at, taken).or_else(|| self.turkish_event(at, taken))
    }

    fn english_event(&self, at: usize, taken: &[bool]) -> Option<(Side, std::ops::Range<usize>)> {
        let side = match self.get(at).filter(|token| token.kind == Kind::Word)?.text.as_str() {
            "before" => Side::Before,
            "after" => Side::After,
            "since" => Side::Since,
            "until" | "till" => Side::Until,
            _ => return None,
        };
        let start = at + 1;
        let end = (start..self.tokens.len().min(start + LONGEST))
            .find(|at| self.ends(*at) || taken[*at] || *at > start + 1 && self.any(*at, GOES_ON))
            .unwrap_or(self.tokens.len().min(start + LONGEST));
        if end == start {
            return None;
        }
        let past = |at: usize| {
            self.get(at).is_some_and(|token| token.kind == Kind::Word && token.text.ends_with("ed"))
                || self.any(at, IRREGULAR)
        };
        // "since we already know" gives a reason, "before we merge" an order.
        let told = self.any(start, "we i they he she it") && past(start + 1);
        let thing = side != Side::Until
            && (side == Side::Since || self.looks_back)
            && !self.any(end, BEING)
            && self.any(start, "the our my his her their its that")
            && end > start + 1
            && !(start..end).any(|at| self.any(at, BEING));
        // "Since my whole day is on the road, ..." gives a reason, too.
        let thing = thing && (side != Side::Since || at > 0 && !self.ends(at - 1) || end <= start + 4);
        // "before merging, run the tests" is no question about the past.
        let doing = self.any_ending(start, "ing")
            && (side == Side::Since || (0..at).any(|at| self.any(at, "did was were")));
        (told || thing || doing).then_some((side, start..end))
    }

    fn any_ending(&self, at: usize, ending: &str) -> bool {
        self.get(at).is_some_and(|token| {
            token.kind == Kind::Word && token.text.len() > 5 && token.text.ends_with(ending)
        })
    }

    /// The side stands after the event: "Postgres'e geçmeden önce".
    fn turkish_event(&self, at: usize, taken: &[bool]) -> Option<(Side, std::ops::Range<usize>)> {
        let side = match () {
            () if self.any(at, "once evvel") => Side::Before,
            () if self.any(at, "sonra") => Side::After,
            () if self.any(at, "beri") => Side::Since,
            () => return None,
        };
        let last = at.checked_sub(1).filter(|last| !taken[*last])?;
        let token = self.get(last).filter(|token| matches!(token.kind, Kind::Word | Kind::Opaque))?;
        let from = |text: &str| ["dan", "den", "tan", "ten"].iter().any(|ending| text.ends_with(ending));
        let ablative =
            if token.tail.is_empty() { token.text.len() > 5 && from(&token.text) } else { from(&token.tail) };
        if !ablative || self.any(last, "bundan ondan sundan simdiden hemen neden") {
            return None;
        }
        let start = (0..=last)
            .rev()
            .take(4)
            .take_while(|at| {
                !self.ends(*at)
                    && !taken[*at]
                    && !self.any(*at, "ne neyi neler nasil neden niye hangi kim ve biz ben peki acaba nerede")
            })
            .last()?;
        Some((side, start..last + 1))
    }
}
