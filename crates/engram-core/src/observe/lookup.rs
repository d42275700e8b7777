//! A quick way to find which of many phrases a sentence says.
//!
//! The phrases are written as in `ask::speech` and mean the same. Most words
//! begin none of them, so they are kept by their first word, by its first two
//! letters where only the beginning is given, and by its last two where only
//! the ending is; and each is taken apart once. What a phrase is a sign of is
//! not known here.

use crate::ask::speech::{GAP, Word};
use std::collections::HashMap;

/// A phrase, with what its table says about it.
#[derive(Debug)]
pub(super) struct Phrase<S> {
    pub(super) sign: S,
    pub(super) weight: f64,
    /// As the table has it, and without the sign for the beginning.
    pub(super) written: &'static str,
    pieces: Vec<Piece>,
    opens: bool,
}

/// One place of a phrase.
#[derive(Debug)]
enum Piece {
    /// One of these words.
    Word(Vec<Form>),
    /// Any one word.
    Any,
    /// A few words of any kind.
    Gap,
    /// The end of the sentence.
    End,
}

#[derive(Debug)]
enum Form {
    Whole(&'static str),
    Beginning(&'static str),
    Ending(&'static str),
}

impl Piece {
    fn read(written: &'static str) -> Self {
        let form = |one: &'static str| match (one.strip_suffix('*'), one.strip_prefix('*')) {
            (Some(beginning), _) => Form::Beginning(beginning),
            (None, Some(ending)) => Form::Ending(ending),
            (None, None) => Form::Whole(one),
        };
        match written {
            "$" => Piece::End,
            ".." => Piece::Gap,
            "_" => Piece::Any,
            alternatives => Piece::Word(alternatives.split('|').map(form).collect()),
        }
    }
}

/// Whether the words begin with the pieces.
fn fits(words: &[Word], pieces: &[Piece]) -> bool {
    let Some((piece, rest)) = pieces.split_first() else { return true };
    match piece {
        Piece::End => words.is_empty(),
        Piece::Gap => (0..=GAP.min(words.len())).any(|skipped| fits(&words[skipped..], rest)),
        Piece::Any => words.split_first().is_some_and(|(_, after)| fits(after, rest)),
        Piece::Word(forms) => words.split_first().is_some_and(|(word, after)| {
            let word = word.folded.as_str();
            let meant = |form: &Form| match form {
                Form::Whole(whole) => word == *whole,
                Form::Beginning(beginning) => word.starts_with(beginning),
                Form::Ending(ending) => word.ends_with(ending),
            };
            forms.iter().any(meant) && fits(after, rest)
        }),
    }
}

pub(super) struct Lookup<S> {
    phrases: Vec<Phrase<S>>,
    whole: HashMap<&'static str, Vec<usize>>,
    by_beginning: HashMap<[u8; 2], Vec<usize>>,
    by_ending: HashMap<[u8; 2], Vec<usize>>,
}

impl<S: Copy> Lookup<S> {
    /// Of a table of rows: what the phrases are a sign of, what one weighs, and
    /// the phrases, parted by commas. The first word of a phrase is never open.
    pub(super) fn new(table: &[(S, f64, &'static str)]) -> Self {
        let mut lookup = Self {
            phrases: Vec::new(),
            whole: HashMap::new(),
            by_beginning: HashMap::new(),
            by_ending: HashMap::new(),
        };
        for (sign, weight, written) in table.iter().flat_map(|(sign, weight, phrases)| {
            phrases.split(", ").map(move |phrase| (*sign, *weight, phrase))
        }) {
            let pattern = written.strip_prefix("^ ").unwrap_or(written);
            let at = lookup.phrases.len();
            let pieces: Vec<Piece> = pattern.split(' ').map(Piece::read).collect();
            if let Some(Piece::Word(forms)) = pieces.first() {
                for form in forms {
                    let places: &mut Vec<usize> = match form {
                        Form::Whole(whole) => lookup.whole.entry(whole).or_default(),
                        Form::Beginning(beginning) => {
                            lookup.by_beginning.entry(beginning_of(beginning)).or_default()
                        }
                        Form::Ending(ending) => lookup.by_ending.entry(ending_of(ending)).or_default(),
                    };
                    if places.last() != Some(&at) {
                        places.push(at);
                    }
                }
            }
            lookup.phrases.push(Phrase {
                sign,
                weight,
                written,
                pieces,
                opens: pattern.len() < written.len(),
            });
        }
        lookup
    }

    /// The phrases that the words say, each once, in the order of the words.
    pub(super) fn said_in(&self, words: &[Word]) -> Vec<&Phrase<S>> {
        let mut said: Vec<usize> = Vec::new();
        for (from, word) in words.iter().enumerate() {
            let beginning = self.by_beginning.get(&beginning_of(&word.folded)).into_iter().flatten();
            let ending = self.by_ending.get(&ending_of(&word.folded)).into_iter().flatten();
            let whole = self.whole.get(word.folded.as_str()).into_iter().flatten();
            for at in whole.chain(beginning).chain(ending) {
                let phrase = &self.phrases[*at];
                if (from == 0 || !phrase.opens) && fits(&words[from..], &phrase.pieces) && !said.contains(at)
                {
                    said.push(*at);
                }
            }
        }
        said.into_iter().map(|at| &self.phrases[at]).collect()
    }
}

fn beginning_of(word: &str) -> [u8; 2] {
    let bytes = word.as_bytes();
    [bytes.first().copied().unwrap_or(0), bytes.get(1).copied().unwrap_or(0)]
}

fn ending_of(word: &str) -> [u8; 2] {
    let bytes = word.as_bytes();
    match bytes {
        [.., before, last] => [*before, *last],
        _ => [0, 0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::speech::{says, words_of};

    #[test]
    fn the_lookup_finds_what_a_plain_search_finds() {
        const TABLE: &[(u8, f64, &str)] = &[
            (1, 1.0, "i prefer, ^ no the|its, *iyor $, karar ver*"),
            (2, 0.5, "first .. then, a|an|*acak _, x"),
        ];
        let lookup = Lookup::new(TABLE);
        for text in [
            "i prefer tabs",
            "no the port",
            "oh no the port",
            "servis calisiyor",
            "karar verdik",
            "first a b then",
            "olacak bu",
            "x",
            "",
        ] {
            let words = words_of(text);
            let mut quick: Vec<&str> = lookup.said_in(&words).iter().map(|phrase| phrase.written).collect();
            let all = TABLE.iter().flat_map(|(_, _, phrases)| phrases.split(", "));
            let mut plain: Vec<&str> = all.filter(|phrase| says(&words, phrase)).collect();
            quick.sort_unstable();
            plain.sort_unstable();
            assert_eq!(quick, plain, "{text}");
        }
    }
}
