//! Sessions a question counts: our third session, sessions 11 to 13, the last
//! time we talked, son görüşmemizde.
//!
//! It does not know which sessions there were. The session of a web server is
//! none of ours.

use super::reader::Reader;
use super::token::Kind;
use super::{Sessions, SessionsFrom, Side};

/// What follows "session" when it means something in a program.
const OF_A_PROGRAM: &str = "affinity cache class config cookie cookies data driver expiration expired \
                            expires expiry factory file files fixation handler handling hijacking id ids \
                            key keys layer length lifetime limit lock middleware object objects pool \
                            secret state storage store table timeout timeouts token tokens ttl type \
                            variable variables bean scope login";
const OTURUM_ICI: &str = "ac anahtar bilgi cerez deger id kapat kimlik nesne sure token yonetim zaman";

impl Reader<'_> {
    /// The sessions named at `at`, and the token after them.
    pub(super) fn sessions(&self, at: usize) -> Option<(Sessions, usize)> {
        let (side, start) = match () {
            () if self.any(at, "before") => (Some(Side::Before), at + 1),
            () if self.any(at, "after") => (Some(Side::After), at + 1),
            () if self.any(at, "since") => (Some(Side::Since), at + 1),
            () if self.any(at, "until till") => (Some(Side::Until), at + 1),
            () => (None, self.skip(at, "in over during from at between")),
        };
        let start = self.skip(start, "our the my these those bizim");
        let start = if self.phrase(start, "bir onceki").is_some() { start + 1 } else { start };
        let (sessions, end) = self
            .session_numbers(start)
            .or_else(|| self.sessions_ago(start))
            .or_else(|| self.counted_sessions(start))
            .or_else(|| self.placed_session(start))
            .or_else(|| self.talk_time(start))
            .or_else(|| self.oturumlar(start))?;
        let (side, end) = side.map_or_else(|| self.side_after(end), |side| (Some(side), end));
        Some((sided(sessions, side)?, end))
    }

    /// "3. oturumdan sonra": Turkish says the side last.
    fn side_after(&self, end: usize) -> (Option<Side>, usize) {
        let last = end.checked_sub(1).and_then(|last| self.talk_noun_turkish(last));
        let side = match last {
            Some(ending) if ending.ends_with("dan") || ending.ends_with("den") => match () {
                () if self.any(end, "once evvel") => Some(Side::Before),
                () if self.any(end, "sonra") => Some(Side::After),
                () if self.any(end, "beri itibaren") => Some(Side::Since),
                () => None,
            },
            _ => None,
        };
        (side, end + usize::from(side.is_some()))
    }

    /// A word for talks of ours, not for the sessions of a program.
    fn talk_noun(&self, at: usize) -> bool {
        let own = self.after_any(at, "our") || at >= 2 && self.any(at - 2, "our bizim");
        (self.any(at, "session sessions conversation conversations chat chats discussion discussions")
            || own && self.any(at, "meeting meetings talk talks call calls")
            || self.talk_noun_turkish(at).is_some())
            && !self.any(at + 1, OF_A_PROGRAM)
            && !self.any_stem(at + 1, "manag")
            && !(self.any_stem(at, "oturum") && self.any_stem(at + 1, OTURUM_ICI))
    }

    /// The ending of a Turkish word for one talk.
    pub(super) fn talk_noun_turkish(&self, at: usize) -> Option<&str> {
        let token = self.get(at).filter(|token| token.kind == Kind::Word)?;
        let stems = ["oturum", "gorusme", "konusma", "sohbet", "seans", "toplanti"];
        let ending = stems.iter().find_map(|stem| token.text.strip_prefix(stem))?;
        // Many, ours, and the case; with other endings it may be a verb.
        let case = ["lar", "ler", "umuz", "imiz", "miz"]
            .iter()
            .fold(ending, |case, before| case.strip_prefix(before).unwrap_or(case));
        let plain = matches!(
            case,
            "" | "da" | "de" | "ta" | "te" | "dan" | "den" | "daki" | "deki" | "a" | "e" | "in" | "un"
        );
        plain.then_some(ending)
    }

    /// "session 12", "sessions 1 through 3", "session #4", "oturum 12".
    fn session_numbers(&self, at: usize) -> Option<(Sessions, usize)> {
        if !self.any(at, "session sessions oturum oturumlar") {
            return None;
        }
        let number_at = self.skip_mark(self.skip(at + 1, "number no"), "#");
        let first = self.number(number_at).filter(|number| !number.ordinal)?;
        let range = |from: usize| {
            let joined = self.any(from, "to through thru and until till ile") || self.is_dash(from);
            let next = self.skip_mark(self.skip(from + 1, "session oturum"), "#");
            joined.then(|| self.number(next)).flatten()
        };
        let last = range(first.end).unwrap_or(first);
        let end = if self.any_stem(last.end, "aras") { last.end + 1 } else { last.end };
        Some((counted(SessionsFrom::Start, first.value, last.value)?, end))
    }

    /// "20 sessions ago", "3 oturum önce".
    fn sessions_ago(&self, at: usize) -> Option<(Sessions, usize)> {
        let amount = self.amount(at)?;
        let said = self.talk_noun(amount.end) && self.any(amount.end + 1, "ago back once evvel onceki");
        let found = said.then(|| counted(SessionsFrom::Now, amount.fewest, amount.most)).flatten()?;
        Some((found, amount.end + 2))
    }

    /// "the last 3 sessions", "our first two conversations", "son 3 oturumda".
    fn counted_sessions(&self, at: usize) -> Option<(Sessions, usize)> {
        let (from, next) = self.end_of_list(at)?;
        let amount = self.amount(next)?;
        let found = self.talk_noun(amount.end).then(|| counted(from, 1, amount.most)).flatten()?;
        Some((found, amount.end + 1))
    }

    /// Which end of the list of sessions a word stands at.
    fn end_of_list(&self, at: usize) -> Option<(SessionsFrom, usize)> {
        if self.phrase(at, "most recent").is_some() || self.phrase(at, "en son").is_some() {
            return Some((SessionsFrom::Now, at + 2));
        }
        if self.any(at, "last latest past previous prior son gecen onceki") {
            return Some((SessionsFrom::Now, at + 1));
        }
        self.any(at, "first ilk").then_some((SessionsFrom::Start, at + 1))
    }

    /// "our third session", "the last discussion", "the session before last".
    fn placed_session(&self, at: usize) -> Option<(Sessions, usize)> {
        if self.talk_noun(at) {
            let end = self.phrase(at + 1, "before last")?;
            return Some((counted(SessionsFrom::Now, 2, 2)?, end));
        }
        if let Some((from, noun)) = self.end_of_list(at).filter(|(_, noun)| self.talk_noun(*noun)) {
            // "our previous chat about X" is some earlier one, not the last.
            let about = !self.no_object(noun + 1);
            let vague =
                self.any(at, "previous prior") && !self.any(noun, "session") && self.get(noun + 2).is_some();
            if about && from == SessionsFrom::Now || vague || self.is_plural(noun) {
                return None;
            }
            return Some((counted(from, 1, 1)?, noun + 1));
        }
        let number = self.number(at)?;
        // Turkish writes "12." for the twelfth.
        let noun = if number.ordinal { number.end } else { self.skip_mark(number.end, ".") };
        let turkish = self.talk_noun_turkish(noun).is_some();
        let sure = self.talk_noun(noun) && (number.ordinal || turkish && noun > number.end);
        sure.then(|| counted(SessionsFrom::Start, number.value, number.value))
            .flatten()
            .map(|found| (found, noun + 1))
    }

    fn is_plural(&self, at: usize) -> bool {
        self.get(at).is_some_and(|token| {
            token.text.ends_with('s') && token.text != "seans"
                || token.text.contains("lar")
                || token.text.contains("ler")
        })
    }

    /// "the last time we talked", "when we last spoke", "what we discussed last
    /// time", "son konuştuğumuzda".
    fn talk_time(&self, at: usize) -> Option<(Sessions, usize)> {
        const TALKED: &str = "talked spoke chatted met discussed talk speak chat";
        let first = self.phrase(at, "first time");
        if let Some(end) = first.or_else(|| self.phrase(at, "last time")) {
            // "The last time we talked about X" need not be the last talk.
            let after = self.any(end, "we i you") && self.any(end + 1, TALKED) && self.no_object(end + 2);
            let before =
                self.after_any(at, "discussed talked chatted spoke about discuss") && first.is_none();
            let from = if first.is_some() { SessionsFrom::Start } else { SessionsFrom::Now };
            return match (after, before) {
                (true, _) => Some((counted(from, 1, 1)?, end + 2)),
                (_, true) => Some((counted(from, 1, 1)?, end)),
                _ => None,
            };
        }
        if let Some(end) =
            self.phrase(at, "we last").filter(|end| self.any(*end, TALKED) && self.no_object(end + 1))
        {
            return Some((counted(SessionsFrom::Now, 1, 1)?, end + 1));
        }
        let last = self
            .phrase(at, "en son")
            .or_else(|| self.phrase(at, "son"))
            .or_else(|| self.phrase(at, "gecen sefer"))?;
        let talked = self.any_stem(last, "konustugumuz gorustugumuz");
        Some((counted(SessionsFrom::Now, 1, 1)?, last + 1)).filter(|_| talked)
    }

    fn no_object(&self, at: usize) -> bool {
        !self.any(at, "about regarding on with")
    }

    /// "11-13. oturumlar", "11 ile 13. oturumlar arası", "3. oturumdan 5. oturuma".
    fn oturumlar(&self, at: usize) -> Option<(Sessions, usize)> {
        let first = self.number(at)?;
        let dotted = self.skip_mark(first.end, ".");
        let from_noun = self.talk_noun_turkish(dotted).is_some_and(|ending| ending.ends_with("dan"));
        if !(from_noun || self.is_dash(dotted) || self.any(dotted, "ile ve")) {
            return None;
        }
        let next = dotted + 1;
        let last = self.number(next)?;
        let noun = self.skip_mark(last.end, ".");
        self.talk_noun_turkish(noun).filter(|_| last.ordinal || noun > last.end)?;
        let end = if self.any_stem(noun + 1, "aras kadar") { noun + 2 } else { noun + 1 };
        Some((counted(SessionsFrom::Start, first.value, last.value)?, end))
    }
}

/// `None` if no session lies on that side.
fn sided(sessions: Sessions, side: Option<Side>) -> Option<Sessions> {
    let Sessions { from, first, last } = sessions;
    // Counted from now, a later session has the smaller number.
    let later_is_greater = from == SessionsFrom::Start;
    let (first, last) = match side {
        None => (first, last),
        Some(Side::After) if later_is_greater => (last + 1, u32::MAX),
        Some(Side::Since) if later_is_greater => (first, u32::MAX),
        Some(Side::Before) if later_is_greater => (1, first - 1),
        Some(Side::Until) if later_is_greater => (1, last),
        Some(Side::Before) => (last + 1, u32::MAX),
        Some(Side::Until) => (first, u32::MAX),
        // What came after the last session is nearest to what it held.
        Some(Side::After) => (1, (first - 1).max(1)),
        Some(Side::Since) => (1, last),
    };
    (first <= last).then_some(Sessions { from, first, last })
}

/// No session is the zeroth, and nobody counts to ten thousand.
fn counted(from: SessionsFrom, one: u32, other: u32) -> Option<Sessions> {
    let (first, last) = (one.min(other), one.max(other));
    (first >= 1 && last <= 9_999).then_some(Sessions { from, first, last })
}
