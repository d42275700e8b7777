//! A question as tokens.
//!
//! Cuts text into words, numbers, marks and numeric dates, and folds Turkish
//! letters so that "geçen salı" and "gecen sali" are one thing. What is quoted
//! or looks like code (versions, paths, addresses) becomes one opaque token
//! that no reader looks into. It does not know what any word means.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Number(u32),
    /// Year, month, and the day if one is written.
    Date(i16, i8, Option<i8>),
    Mark,
    Opaque,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// Lower case, without Turkish letters, without the tail; empty if opaque.
    pub(crate) text: String,
    /// What follows an apostrophe or the digits of a number: "s", "th", "ten".
    pub(crate) tail: String,
    pub(crate) capital: bool,
    /// No white space stands between this token and the one before.
    pub(crate) glued: bool,
    /// Bytes of the question.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Token {
    pub(crate) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.tail.is_empty() && self.text == word
    }

    pub(crate) fn is_mark(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark
    }

    pub(crate) fn is_dash(&self) -> bool {
        self.is_mark("-") || self.is_mark("–") || self.is_mark("—")
    }

    /// A mark after which another thought may begin.
    pub(crate) fn is_stop(&self) -> bool {
        self.kind == Kind::Mark && !self.is_dash() && !matches!(self.text.as_str(), "'" | "’" | "#" | "*")
    }
}

/// The lower-case letters of a word without their Turkish signs.
pub(crate) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            'ı' | 'İ' | 'î' | 'Î' => folded.push('i'),
            'ş' | 'Ş' => folded.push('s'),
            'ğ' | 'Ğ' => folded.push('g'),
            'ç' | 'Ç' => folded.push('c'),
            'ö' | 'Ö' => folded.push('o'),
            'ü' | 'Ü' | 'û' | 'Û' => folded.push('u'),
            'â' | 'Â' => folded.push('a'),
            // A dot on its own: "İ" written as two characters.
            '\u{307}' => {}
            other => folded.extend(other.to_lowercase()),
        }
    }
    folded
}

pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut cut = Cutter { text, tokens: Vec::new(), last_end: 0 };
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        if letter.is_whitespace() {
            at += letter.len_utf8();
        } else if let Some(length) = quoted(rest) {
            cut.push(Kind::Opaque, at, at + length, "");
            at += length;
        } else {
            let length = rest.find(|c: char| c.is_whitespace() || OPENING.contains(&c)).unwrap_or(rest.len());
            // A quote that never closes is a mark of its own.
            let end = at + length.max(letter.len_utf8());
            cut.chunk(at, end);
            at = end;
        }
    }
    cut.tokens
}

const OPENING: [char; 3] = ['`', '"', '“'];

/// So many apostrophes are looked at for the end of a quotation.
const SHORT: usize = 8;

/// The bytes of the quotation that begins here, if it also ends.
pub(crate) fn quoted(rest: &str) -> Option<usize> {
    let first = rest.chars().next()?;
    let inner = &rest[first.len_utf8()..];
    let closing = match first {
        '`' | '"' => inner.find(first)?,
        '“' => inner.find('”')?,
        // An apostrophe inside a word closes nothing.
        '\'' | '‘' => inner
            .match_indices(['\'', '’'])
            .take(SHORT)
            .map(|(at, _)| at)
            .find(|at| !inner[*at..].chars().nth(1).is_some_and(char::is_alphanumeric))?,
        _ => return None,
    };
    let mark = inner[closing..].chars().next()?;
    Some(first.len_utf8() + closing + mark.len_utf8())
}

struct Cutter<'a> {
    text: &'a str,
    tokens: Vec<Token>,
    last_end: usize,
}

impl Cutter<'_> {
    fn push(&mut self, kind: Kind, start: usize, end: usize, tail: &str) {
        let written = &self.text[start..end];
        let stem = match tail {
            "" => written,
            tail => written[..written.len() - tail.len()].trim_end_matches(APOSTROPHES),
        };
        self.tokens.push(Token {
            kind,
            text: if kind == Kind::Opaque { String::new() } else { folded(stem) },
            tail: folded(tail),
            capital: written.chars().next().is_some_and(char::is_uppercase),
            glued: start == self.last_end && start > 0,
            start,
            end,
        });
        self.last_end = end;
    }

    /// Text without white space: marks, then what they enclose, then marks.
    fn chunk(&mut self, start: usize, end: usize) {
        let written = &self.text[start..end];
        let is_mark = |c: char| !c.is_alphanumeric();
        let first = start + written.find(|c| !is_mark(c)).unwrap_or(written.len());
        let last = start + written.trim_end_matches(is_mark).len().max(first - start);
        // "./run" and "@may" are code; an opening bracket or star is not.
        let code = self.text[start..first].contains(['.', '/', '@', '$', '\\', '-', '~', '_'])
            && first < last
            || self.text[last..end].starts_with("()");
        self.marks(start, first);
        if code {
            self.push(Kind::Opaque, first, last, "");
        } else if first < last {
            self.core(first, last);
        }
        self.marks(last, end);
    }

    fn marks(&mut self, start: usize, end: usize) {
        for (offset, mark) in self.text[start..end].char_indices() {
            self.push(Kind::Mark, start + offset, start + offset + mark.len_utf8(), "");
        }
    }

    fn core(&mut self, start: usize, end: usize) {
        let written = &self.text[start..end];
        let (stem, tail) = written.split_once(APOSTROPHES).unwrap_or((written, ""));
        if let Some((year, month, day)) = numeric_date(stem) {
            return self.push(Kind::Date(year, month, day), start, end, tail);
        }
        if written
            .contains(|c: char| !c.is_alphanumeric() && !APOSTROPHES.contains(&c) && !DASHES.contains(&c))
        {
            return self.push(Kind::Opaque, start, end, "");
        }
        let mut from = start;
        for (offset, dash) in written.match_indices(DASHES) {
            self.word(from, start + offset);
            self.marks(start + offset, start + offset + dash.len());
            from = start + offset + dash.len();
        }
        self.word(from, end);
    }

    fn word(&mut self, start: usize, end: usize) {
        let written = &self.text[start..end];
        if written.is_empty() {
            return;
        }
        let digits = written.find(|c: char| !c.is_ascii_digit()).unwrap_or(written.len());
        let (stem, mut tail) = written.split_once(APOSTROPHES).unwrap_or((written, ""));
        let kind = match written[..digits].parse() {
            Ok(number) => {
                tail = written[digits..].trim_start_matches(APOSTROPHES);
                if tail.chars().all(char::is_alphabetic) { Kind::Number(number) } else { Kind::Opaque }
            }
            Err(_) if stem.is_empty() || digits > 0 => Kind::Opaque,
            Err(_) => Kind::Word,
        };
        self.push(kind, start, end, if kind == Kind::Opaque { "" } else { tail });
    }
}

const APOSTROPHES: [char; 3] = ['\'', '’', '‘'];
const DASHES: [char; 3] = ['-', '–', '—'];

/// 2023-05-08, 2023/05, 05/08/2023, 8.5.2023, 2023-05-08T10:00.
///
/// Of two small numbers the first is the day where points part them (as
/// written in Turkish) and the month where a slash does, if it can be one.
fn numeric_date(text: &str) -> Option<(i16, i8, Option<i8>)> {
    let text = text.split_once('T').map_or(text, |(date, _)| date);
    let separator = text.chars().find(|c| !c.is_ascii_digit())?;
    if !matches!(separator, '-' | '/' | '.') {
        return None;
    }
    let parts: Vec<&str> = text.split(separator).collect();
    let number = |part: &str| part.parse::<i16>().ok().filter(|_| part.len() <= 4);
    let year = |part: &str| number(part).filter(|year| part.len() == 4 && (1900..2200).contains(year));
    let small = |part: &str| number(part).filter(|_| part.len() <= 2);
    let (year, first, second) = match parts[..] {
        [y, m] if separator != '.' && m.len() == 2 => (year(y)?, small(m)?, None),
        [y, m, d] if y.len() == 4 => (year(y)?, small(m)?, Some(small(d)?)),
        [a, b, y] => {
            let (a, b) = (small(a)?, small(b)?);
            let day_first = separator == '.' || a > 12;
            if day_first { (year(y)?, b, Some(a)) } else { (year(y)?, a, Some(b)) }
        }
        _ => return None,
    };
    let month = i8::try_from(first).ok().filter(|month| (1..=12).contains(month))?;
    match second {
        None => Some((year, month, None)),
        Some(day) => {
            let day = i8::try_from(day).ok()?;
            jiff::civil::Date::new(year, month, day).ok().map(|date| (year, month, Some(date.day())))
        }
    }
}
