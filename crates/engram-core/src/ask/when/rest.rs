//! What else the question asks: whether about talk, in which order, and with
//! which words besides those of time.

use super::reader::Reader;
use super::token::Kind;
use super::{Mention, Order};

/// Words that ask without saying about what.
const FRAME: &str = "what which when did do does done we i you us me our my his her their the a an to have \
                     had has were was is are been that this about in on over during at of from tell remind \
                     recall can could please so all any anything everything things stuff it and work \
                     worked working happen happened go went through cover covered ne neler neyi hakkinda \
                     hangi biz ben bizim ile yaptik oldu konu konular konulari bana hatirlat soyle anlat";

/// The same, in a question about talk.
const TALK_FRAME: &str = "talk talked talking discuss discussed discussing discussion chat chatted \
                          chatting conversation conversations session sessions meeting meetings speak \
                          spoke according as per mentioned said say mention ask konustuk konusmustuk \
                          konusuldu konustugumuz gorustuk gorusmustuk tartistik dedik dedim dedin soyledim \
                          soyledin bahsettik bahsettim";

impl Reader<'_> {
    /// A word of talk in the same sentence as a mention. Where one sentence asks
    /// and another only tells, it is the asking one that counts.
    pub(super) fn about_talk(&self, taken: &[bool], counted: bool) -> bool {
        let is = |at: usize, mark: &str| self.get(at).is_some_and(|token| token.is_mark(mark)) && !taken[at];
        let asks = (0..self.tokens.len()).any(|at| is(at, "?"));
        let mut start = 0;
        for at in 0..=self.tokens.len() {
            let end = at == self.tokens.len();
            if !end && !["?", ".", "!"].iter().any(|mark| is(at, mark)) {
                continue;
            }
            let mut sentence = start..at;
            let timed = sentence.clone().any(|at| taken[at]) && (is(at, "?") || !asks);
            if timed && (counted || sentence.any(|at| self.talk_word(at, taken))) {
                return true;
            }
            start = at + 1;
        }
        false
    }

    fn talk_word(&self, at: usize, taken: &[bool]) -> bool {
        let dated = taken.get(at + 1).is_some_and(|taken| *taken);
        let asked = at >= 2 && self.any(at - 2, "did") && self.any(at - 1, "we i you");
        let place = at >= 2 && self.any(at - 2, "in during at from") && self.any(at - 1, "the that");
        // "The chat server" is a server.
        let alone = dated || self.no_noun(at + 1);
        let ours = self.after_any(at, TALK_LEADS) || at > 0 && taken[at - 1];
        self.any(at, "discuss discussed discussing chatted talked talking spoke")
            || self.any(at, "conversation conversations") && alone
            || self.any(at, "chat talk speak") && self.after_any(at, "we i you us they did our last to")
            || self.any(at, "say tell mention suggest recommend ask") && asked
            || self.any(at, "mentioned said told") && dated
            || self.any(at, "chat discussion session sessions chats discussions") && ours && alone
            || self.any(at, "meeting meetings") && (self.after_any(at, "our") || place)
            || self.any_stem(at, TURKISH_TALK)
            || self.talk_noun_turkish(at).is_some_and(|ending| !ending.is_empty())
    }

    pub(super) fn order(&self, mentions: &[Mention]) -> Option<Order> {
        let says = |words: &[&str]| {
            (0..self.tokens.len()).any(|at| words.iter().any(|words| self.phrase(at, words).is_some()))
        };
        let newest = says(&[
            "latest",
            "newest",
            "most recent",
            "most recently",
            "last time",
            "last thing",
            "last session",
            "last conversation",
            "last discussion",
            "last chat",
            "en son",
            "en yeni",
            "son kez",
            "son defa",
            "son durum",
            "son zamanlarda",
        ]) || says(&["recently", "lately"]) && mentions.is_empty();
        let oldest = says(&[
            "oldest",
            "earliest",
            "originally",
            "initially",
            "first time",
            "first thing we",
            "first thing i",
            "we first",
            "i first",
            "ilk kez",
            "ilk defa",
            "ilk ne",
            "en eski",
            "ilk olarak",
            "en ilk",
        ]);
        match (newest, oldest) {
            (true, false) => Some(Order::Newest),
            (false, true) => Some(Order::Oldest),
            // "From earliest to latest" asks for all.
            _ => None,
        }
    }

    /// The tokens that were not taken, as they were written.
    pub(super) fn rest(&self, question: &str, taken: &[bool], about_talk: bool) -> String {
        let mut kept: Vec<usize> = (0..self.tokens.len()).filter(|at| !taken[*at]).collect();
        let empty = |at: &usize| {
            self.get(*at).is_some_and(|token| token.kind == Kind::Mark)
                || self.any(*at, FRAME)
                || about_talk && (self.any(*at, TALK_FRAME) || self.talk_noun_turkish(*at).is_some())
        };
        if kept.iter().all(empty) {
            return String::new();
        }
        if about_talk {
            let first = kept.iter().position(|at| !empty(at)).unwrap_or(0);
            kept.drain(..first);
            while kept.last().is_some_and(empty) {
                kept.pop();
            }
        }
        let mut rest = String::new();
        for at in kept {
            let token = &self.tokens[at];
            let glued =
                token.glued && (at == 0 || !taken[at - 1]) || token.kind == Kind::Mark && token.is_stop();
            if !rest.is_empty() && !glued {
                rest.push(' ');
            }
            if !rest.is_empty() || !token.is_stop() {
                rest.push_str(&question[token.start..token.end]);
            }
        }
        rest
    }
}

/// Said, talked, met: the verbs in the forms that look back.
const TURKISH_TALK: &str = "konustu konusmustu konusuldu gorustuk gorusmustuk gorustugumuz tartistik \
                            bahsett bahsetmis soyledi soylemis demisti dedik dedim dedin";

/// What stands before "session" when it is a talk of ours.
const TALK_LEADS: &str = "the our that this a last first previous latest recent my his her their these \
                          those second third in during";
