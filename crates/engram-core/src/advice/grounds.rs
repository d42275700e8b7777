//! Whether a statement is grounded in a text: its identifiers, its words and
//! whether it denies something.
//!
//! Words are compared by their beginnings, because English and Turkish put
//! their grammar at the end; identifiers and numbers are compared whole. In
//! doubt a statement is not grounded: the heuristic is there. What the
//! statements are for is not known here.

use super::{Rejected, quoted};
use crate::ask::speech::{fold, is_apostrophe, words_of};
use crate::claim::sentences_of;
use std::collections::BTreeSet;

/// Words of grammar, and those a rewriting may add to any text ("the user
/// prefers ..."). In byte order, folded.
const FREE_WORDS: &[&str] = &[
    "about", "after", "all", "also", "ama", "an", "and", "any", "are", "as", "asked", "at", "be", "been",
    "before", "being", "ben", "between", "bir", "biz", "bize", "both", "bu", "but", "by", "called", "can",
    "cunku", "da", "daha", "de", "decided", "diye", "do", "does", "for", "from", "gibi", "had", "has",
    "have", "he", "her", "his", "how", "icin", "icinde", "if", "ile", "in", "instead", "into", "is", "it",
    "its", "kadar", "karar", "kept", "ki", "like", "likes", "located", "may", "me", "must", "my", "named",
    "need", "needs", "now", "of", "olan", "olarak", "on", "onlar", "only", "onun", "or", "our", "out",
    "over", "person", "rather", "said", "says", "sen", "she", "should", "since", "siz", "so", "some",
    "sonra", "soyledi", "still", "stored", "su", "tercih", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "this", "those", "to", "too", "unless", "up", "use", "used", "user", "users",
    "uses", "using", "ve", "verdi", "verildi", "veya", "wants", "was", "we", "were", "when", "where",
    "which", "while", "who", "will", "with", "would", "you", "your",
];
/// The same, in all their forms.
const FREE_BEGINNINGS: &[&str] = &[
    "because", "bulun", "edil", "ediyor", "gerek", "istiyor", "kullan", "prefer", "proj", "requir", "saklan",
    "tutul", "yapil", "yapiyor",
];

/// Words that deny. In byte order, folded and without apostrophes.
const DENIALS: &[&str] = &[
    "arent", "asla", "avoid", "avoids", "cannot", "cant", "couldnt", "degil", "degiliz", "didnt", "doesnt",
    "dont", "hasnt", "havent", "hic", "hicbir", "isnt", "mustnt", "neither", "never", "no", "none", "nor",
    "not", "olmadan", "sakin", "shouldnt", "stop", "stopped", "wasnt", "werent", "without", "wont",
    "wouldnt", "yasak", "yok",
];

/// How verbs deny, Turkish ones above all: within the word, and at its end.
const DENYING_PIECES: &[&str] = &["forbid", "miyor", "muyor", "mamali", "memeli", "madan", "meden"];
const DENYING_ENDS: &[&str] =
    &["maz", "mez", "mayin", "meyin", "masin", "mesin", "mayiz", "meyiz", "madi", "medi", "madik", "medik"];

/// Signs that make a word with letters on both sides of them an identifier.
const CODE_SIGNS: &[char] = &['_', '/', '\\', '.', ':', '@', '#', '=', '$', '~', '+', '%', '&'];
/// Signs that make a word an identifier when it begins with them.
const CODE_BEGINNINGS: &[char] = &['_', '/', '.', '@', '#', '$', '~', '-'];

/// What English writes after an apostrophe.
const ENGLISH_ENDINGS: &[&str] = &["d", "ll", "m", "re", "s", "t", "ve"];

/// How many letters two words of one root have in common at least.
const BEGINNING: usize = 3;

/// A text that statements are compared with.
pub(super) struct Grounds {
    folded: String,
    words: BTreeSet<String>,
    pieces: Vec<Piece>,
}

/// A sentence, or a clause of one.
struct Piece {
    words: Vec<String>,
    length: usize,
    denies: bool,
}

impl Grounds {
    pub(super) fn of(texts: &[&str]) -> Self {
        let whole = texts.join("\n");
        Grounds {
            folded: comparable(&whole),
            words: words_of(&whole).into_iter().map(|word| word.folded).collect(),
            pieces: texts.iter().flat_map(|text| pieces_of(text)).collect(),
        }
    }

    /// Every identifier and name is there, and of its other words at least
    /// `share` percent.
    pub(super) fn check(&self, statement: &str, share: usize) -> Result<(), Rejected> {
        let identifiers = identifiers_of(statement);
        if let Some(unknown) = identifiers.iter().find(|identifier| !self.holds_identifier(identifier)) {
            return Err(Rejected::Ungrounded(quoted(unknown)));
        }
        let words = content_words(statement);
        let unknown: Vec<&String> = words.iter().filter(|word| !self.holds_word(word)).collect();
        if unknown.len() * 100 > words.len() * (100 - share) {
            let listed: Vec<&str> = unknown.iter().map(|word| word.as_str()).collect();
            return Err(Rejected::Ungrounded(quoted(&listed.join(" "))));
        }
        if words.is_empty() && identifiers.is_empty() {
            return Err(Rejected::Ungrounded(quoted(statement)));
        }
        Ok(())
    }

    /// The same, and a word that is not there has to begin like one that is:
    /// Turkish verbs keep little more than that. A foreign noun among many
    /// right words is how a fact is forged.
    pub(super) fn check_closely(&self, statement: &str, share: usize) -> Result<(), Rejected> {
        self.check(statement, share)?;
        match content_words(statement).into_iter().find(|word| !self.holds_beginning(word)) {
            Some(foreign) => Err(Rejected::Ungrounded(quoted(&foreign))),
            None => Ok(()),
        }
    }

    /// What comes closest to the statement denies something exactly if the
    /// statement does.
    pub(super) fn check_sense(&self, statement: &str) -> Result<(), Rejected> {
        let words = content_words(statement);
        let shared = |piece: &Piece| words.iter().filter(|word| is_among(word, &piece.words)).count();
        let Some(most) = self.pieces.iter().map(shared).max().filter(|most| *most > 0) else {
            return Ok(());
        };
        let near: Vec<&Piece> = self.pieces.iter().filter(|piece| shared(piece) == most).collect();
        let shortest = near.iter().map(|piece| piece.length).min().unwrap_or(0);
        let denies = denies(statement);
        let agrees = near.iter().any(|piece| piece.length == shortest && piece.denies == denies);
        if agrees { Ok(()) } else { Err(Rejected::Reversed(quoted(statement))) }
    }

    /// The words of the quote stand there in this order.
    pub(super) fn check_quote(&self, quote: &str) -> Result<(), Rejected> {
        let wanted = comparable(quote);
        let wanted = wanted.trim_matches(|mark: char| !mark.is_alphanumeric());
        if !wanted.is_empty() && stands_in(wanted, &self.folded) {
            return Ok(());
        }
        Err(Rejected::Ungrounded(quoted(quote)))
    }

    /// Whole, except that a name of letters only may have an ending.
    pub(super) fn holds_identifier(&self, identifier: &str) -> bool {
        stands_in(&comparable(identifier), &self.folded)
            || identifier.chars().all(char::is_alphabetic) && self.holds_word(&fold(identifier))
    }

    pub(super) fn holds_word(&self, word: &str) -> bool {
        self.words.iter().any(|known| is_same_word(known, word))
    }

    fn holds_beginning(&self, word: &str) -> bool {
        let kin =
            |known: &str| known.chars().zip(word.chars()).take_while(|(a, b)| a == b).count() >= BEGINNING;
        self.holds_word(word) || self.words.iter().any(|known| kin(known))
    }

    pub(super) fn denies(&self) -> bool {
        self.pieces.iter().any(|piece| piece.denies)
    }
}

/// Folded, with single spaces, and Turkish endings after an apostrophe apart
/// from what they hang on.
fn comparable(text: &str) -> String {
    let apart: String = text.chars().map(|mark| if is_apostrophe(mark) { ' ' } else { mark }).collect();
    fold(&apart).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether it stands there as a whole: 5 is not in 5.3, nor `main` in `domain`.
fn stands_in(wanted: &str, text: &str) -> bool {
    let joins = |mark: char| mark.is_alphanumeric() || mark == '_';
    text.match_indices(wanted).any(|(at, _)| {
        let mut before = text[..at].chars().rev();
        let mut after = text[at + wanted.len()..].chars();
        let number = |edge: Option<char>| edge.is_some_and(|mark| mark.is_ascii_digit());
        let goes_on = |next: Option<char>, further: Option<char>, edge: Option<char>| match next {
            Some('.' | ',') => number(edge) && number(further),
            Some(mark) => edge.is_some_and(joins) && joins(mark),
            None => false,
        };
        let front = goes_on(before.next(), before.next(), wanted.chars().next());
        let back = goes_on(after.next(), after.next(), wanted.chars().next_back());
        !front && !back
    })
}

/// Numbers, paths, names of code, and names that are written as such within a
/// sentence; in their order, each once.
pub(super) fn identifiers_of(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut begins = true;
    for raw in text.split_whitespace() {
        let quoted_in_code = raw.starts_with('`');
        let token = raw.trim_matches(|mark: char| "\"'`(){}[]<>*,;:!?…“”‘’«»".contains(mark));
        let token = token.trim_end_matches('.');
        let (token, ending) = token.split_once(is_apostrophe).unwrap_or((token, ""));
        // Turkish sets its endings apart from names, also where a sentence begins.
        let has_ending = !ending.is_empty() && !ENGLISH_ENDINGS.contains(&ending);
        let is_name = (!begins || has_ending)
            && token.chars().next().is_some_and(char::is_uppercase)
            && token.len() > 1;
        begins = raw.ends_with(['.', '!', '?', ':', '"']) || !raw.chars().any(char::is_alphanumeric);
        if !token.chars().any(char::is_alphanumeric) || is_abbreviation(token) {
            continue;
        }
        let grammar = content_words(token).is_empty() && !token.chars().any(char::is_numeric);
        if (quoted_in_code || is_name && !grammar || is_identifier(token))
            && !found.iter().any(|it| it == token)
        {
            found.push(token.to_owned());
        }
    }
    found
}

fn is_identifier(token: &str) -> bool {
    let marks: Vec<char> = token.chars().collect();
    let has_code_sign = marks.windows(3).any(|three| {
        three[0].is_alphanumeric() && CODE_SIGNS.contains(&three[1]) && !three[2].is_whitespace()
    });
    let begins_as_code = marks.len() > 1
        && CODE_BEGINNINGS.contains(&marks[0])
        && (marks[1].is_alphanumeric() || marks[1] == marks[0]);
    let changes_case = marks.windows(2).any(|two| two[0].is_lowercase() && two[1].is_uppercase());
    let letters = marks.iter().filter(|mark| mark.is_alphabetic()).count();
    let shouts = letters > 1 && marks.iter().all(|mark| !mark.is_lowercase()) && !denies(token);
    let counts = marks.iter().any(|mark| mark.is_numeric());
    has_code_sign || begins_as_code || changes_case || shouts || counts
}

/// "e.g." and "i.e.".
fn is_abbreviation(token: &str) -> bool {
    token.contains('.')
        && token.split('.').all(|part| part.chars().count() <= 1 && !part.chars().any(char::is_numeric))
}

/// The words that say something, folded.
pub(super) fn content_words(text: &str) -> Vec<String> {
    let words = words_of(text).into_iter().map(|word| word.folded);
    words
        .filter(|word| {
            word.len() > 1
                && FREE_WORDS.binary_search(&word.as_str()).is_err()
                && !FREE_BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
                && DENIALS.binary_search(&word.as_str()).is_err()
                && !word.chars().all(char::is_numeric)
        })
        .collect()
}

pub(super) fn denies(text: &str) -> bool {
    words_of(text).iter().any(|word| {
        let word = word.folded.as_str();
        DENIALS.binary_search(&word).is_ok()
            || word.len() > 5
                && (DENYING_PIECES.iter().any(|piece| word.contains(piece))
                    || DENYING_ENDS.iter().any(|end| word.ends_with(end)))
    })
}

fn is_among(word: &str, words: &[String]) -> bool {
    words.iter().any(|known| is_same_word(known, word))
}

/// Two forms of one word: they begin alike far enough.
fn is_same_word(one: &str, other: &str) -> bool {
    let alike = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let (one, other) = (one.chars().count(), other.chars().count());
    let (shorter, longer) = (one.min(other), one.max(other));
    alike == longer
        || alike == shorter && shorter >= 3 && longer <= shorter + 2
        || alike >= 4 && alike * 10 >= shorter * 7
}

fn pieces_of(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<&str> = Vec::new();
    for sentence in sentences_of(text) {
        let sentence = sentence.trim_end_matches(['.', '!', '?', ';', '\n']);
        let mut clauses = vec![sentence];
        for join in [", ", " but ", " ama ", " fakat ", " ancak "] {
            clauses = clauses.into_iter().flat_map(|clause| clause.split(join)).collect();
        }
        if clauses.len() > 1 {
            pieces.extend(clauses);
        }
        pieces.push(sentence);
    }
    let piece = |text: &str| Piece {
        words: content_words(text),
        length: text.split_whitespace().count(),
        denies: denies(text),
    };
    pieces.into_iter().map(piece).filter(|piece| piece.length > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_in_order() {
        for list in [FREE_WORDS, DENIALS] {
            assert!(list.is_sorted(), "{:?}", list.windows(2).find(|pair| pair[0] > pair[1]));
        }
    }

    #[test]
    fn identifiers_are_found_in_both_languages() {
        let check = |text: &str, expected: &[&str]| assert_eq!(identifiers_of(text), expected, "{text}");
        check("We use PostgreSQL 16.2 on port 5432.", &["PostgreSQL", "16.2", "5432"]);
        check(
            "The file src/main.rs calls parse_all(), e.g. with --force.",
            &["src/main.rs", "parse_all", "--force"],
        );
        check("Redis'i 6379'da çalıştırıyoruz, sahibi Ayşe.", &["Redis", "6379", "Ayşe"]);
        check("The API never answers", &["API"]);
        check("plain words only", &[]);
        check("set `retries` to -1", &["retries", "-1"]);
    }

    #[test]
    fn a_number_is_whole_or_not_there() {
        let grounds = Grounds::of(&["version 5.3 listens on localhost:5432'de and the domain is x"]);
        assert!(grounds.holds_identifier("5.3") && grounds.holds_identifier("5432"));
        assert!(!grounds.holds_identifier("5") && !grounds.holds_identifier("432"));
        assert!(!grounds.holds_identifier("main"));
    }

    #[test]
    fn forms_of_a_word_are_the_same_word() {
        let same = |one: &str, other: &str| is_same_word(one, other);
        assert!(
            same("deploy", "deployment") && same("tab", "tabs") && same("veritabani", "veritabanimizdan")
        );
        assert!(!same("cat", "category") && !same("redis", "reddit") && !same("npm", "nvm"));
    }

    #[test]
    fn a_denial_is_seen_where_it_belongs() {
        let grounds = Grounds::of(&["We never deploy on fridays. We take pnpm, not yarn."]);
        assert!(grounds.check_sense("deploys never happen on fridays").is_ok());
        assert!(matches!(grounds.check_sense("we deploy on fridays"), Err(Rejected::Reversed(_))));
        assert!(grounds.check_sense("they take pnpm").is_ok());
        assert!(grounds.check_sense("they do not take pnpm").is_err());
        let grounds = Grounds::of(&["Cuma günleri yayına çıkmıyoruz."]);
        assert!(grounds.check_sense("Cuma günleri yayına çıkılıyor").is_err());
        assert!(grounds.check_sense("Cuma günleri yayına çıkılmıyor").is_ok());
    }
}
