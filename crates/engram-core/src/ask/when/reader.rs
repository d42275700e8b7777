//! The tokens of one question and the moment it is asked: what every reader
//! of a phrase looks at. It knows no phrase.

use super::calendar::{self, Case, Month, Named, NamedDay, Nearest};
use super::number::{self, Amount, Number};
use super::token::{Kind, Token};
use jiff::Zoned;
use jiff::civil::Date;

pub(crate) struct Reader<'a> {
    pub(crate) tokens: &'a [Token],
    pub(crate) now: &'a Zoned,
    pub(crate) today: Date,
    /// The question is about what is to come.
    pub(crate) ahead: bool,
    /// The question may be about what was: "What happens after the request"
    /// asks how a program works.
    pub(crate) looks_back: bool,
    /// What each token may be by itself; every reader asks for it.
    names: Vec<Names>,
}

struct Names {
    number: Option<Number>,
    month: Option<Month>,
    weekday: Option<NamedDay>,
}

/// A phrase that names a stretch of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) named: Named,
    /// The token after it.
    pub(crate) end: usize,
    /// What its Turkish ending says, if it is Turkish.
    pub(crate) case: Option<Case>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(tokens: &'a [Token], now: &'a Zoned) -> Self {
        let names = |(at, token)| Names {
            number: number::number(tokens, at),
            month: calendar::month(token),
            weekday: calendar::weekday(token),
        };
        let names = tokens.iter().enumerate().map(names).collect();
        let mut reader = Self { tokens, now, today: now.date(), ahead: false, looks_back: false, names };
        let says = |words: &str| (0..tokens.len()).any(|at| reader.any(at, words));
        let ahead = says("upcoming will gelecek onumuzdeki") && !says("did was were had");
        let looks_back =
            says("did was were had have has used") || !says("do does is are happens should can must");
        (reader.ahead, reader.looks_back) = (ahead, looks_back);
        reader
    }

    pub(crate) fn get(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    pub(crate) fn before(&self, at: usize) -> Option<&Token> {
        at.checked_sub(1).and_then(|at| self.tokens.get(at))
    }

    /// The token is one of these words.
    pub(crate) fn any(&self, at: usize, words: &str) -> bool {
        self.get(at).is_some_and(|token| {
            token.kind == Kind::Word
                && token.tail.is_empty()
                // Seldom true, and quicker than a look at every word.
                && words.contains(token.text.as_str())
                && words.as_bytes().split(|byte| *byte == b' ').any(|word| word == token.text.as_bytes())
        })
    }

    /// The token before is one of these words.
    pub(crate) fn after_any(&self, at: usize, words: &str) -> bool {
        at.checked_sub(1).is_some_and(|at| self.any(at, words))
    }

    /// The token begins with one of these stems.
    pub(crate) fn any_stem(&self, at: usize, stems: &str) -> bool {
        self.get(at).is_some_and(|token| {
            token.kind == Kind::Word && stems.split(' ').any(|stem| token.text.starts_with(stem))
        })
    }

    /// These words, one after the other; the token after them.
    pub(crate) fn phrase(&self, at: usize, words: &str) -> Option<usize> {
        words.split(' ').try_fold(at, |at, word| self.any(at, word).then_some(at + 1))
    }

    /// Past this word if it is there.
    pub(crate) fn skip(&self, at: usize, words: &str) -> usize {
        if self.any(at, words) { at + 1 } else { at }
    }

    pub(crate) fn skip_mark(&self, at: usize, mark: &str) -> usize {
        if self.get(at).is_some_and(|token| token.is_mark(mark)) { at + 1 } else { at }
    }

    pub(crate) fn is_dash(&self, at: usize) -> bool {
        self.get(at).is_some_and(Token::is_dash)
    }

    /// Nothing more is said in this clause.
    pub(crate) fn ends(&self, at: usize) -> bool {
        self.get(at).is_none_or(Token::is_stop)
    }

    /// What stands here is no noun, so what came before was not its adjective.
    pub(crate) fn no_noun(&self, at: usize) -> bool {
        self.ends(at) || self.any(at, FUNCTION_WORDS)
    }

    pub(crate) fn number(&self, at: usize) -> Option<Number> {
        self.names.get(at)?.number
    }

    pub(crate) fn amount(&self, at: usize) -> Option<Amount> {
        number::amount(self.tokens, at, self.number(at))
    }

    pub(crate) fn month(&self, at: usize) -> Option<Month> {
        self.names.get(at)?.month
    }

    pub(crate) fn weekday(&self, at: usize) -> Option<NamedDay> {
        self.names.get(at)?.weekday
    }

    /// A date without a year is the last one that was, unless the question
    /// looks ahead.
    pub(crate) fn nearest(&self) -> Nearest {
        if self.ahead { Nearest::NotBefore(self.today) } else { Nearest::NotAfter(self.today) }
    }
}

const FUNCTION_WORDS: &str = "a about after also an and are as at because before but by can compared could \
                              did do does for from had has have he how i if in including instead into \
                              involving is it like of on or our over she should so than that the then they \
                              this to until vs was we were what when where which while who why will with \
                              would you acaba bu hangi icin ile kim mi mu nasil ne neden neler neydi neyi \
                              niye ve veya";
