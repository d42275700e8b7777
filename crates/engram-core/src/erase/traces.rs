//! The traces of texts: pieces of sixteen bytes that nothing else says.

use std::collections::{BTreeSet, HashMap, HashSet};

/// How long a trace is, in bytes.
pub const WINDOW: usize = 16;
/// A text shorter than a trace is looked for as a whole, if it has so many bytes
/// and more than one word: a single one stands in schemas and paths, too.
const SHORTEST: usize = 8;
/// A piece with fewer different bytes than this is a line or a gap.
const LEAST_DIFFERENT: usize = 5;
/// Beyond so many bytes of text not every piece is kept, but one of so many that
/// each sentence still has some.
const MOST_BYTES: usize = 2 << 20;
/// A text is one of theirs when so much of it is, in hundredths.
const MOSTLY: usize = 80;

/// What the words of a subject are found by.
#[derive(Debug, Clone)]
pub struct Traces {
    windows: HashSet<u128>,
    /// Texts that are shorter, by their first bytes.
    short: HashMap<[u8; SHORTEST], BTreeSet<Vec<u8>>>,
    bytes: usize,
    /// So many bytes leave all their pieces.
    most_bytes: usize,
    /// Of how many pieces one is kept: one less than a power of two.
    thinned: u64,
    /// By which a piece that is none is told quickly.
    sieve: Vec<u64>,
}

const SIEVE_BITS: u32 = 20;

impl Default for Traces {
    fn default() -> Self {
        Self::thinned_beyond(MOST_BYTES)
    }
}

impl Traces {
    pub(super) fn thinned_beyond(most_bytes: usize) -> Self {
        let (windows, short, bytes, thinned, sieve) = Default::default();
        Self { windows, short, bytes, most_bytes, thinned, sieve }
    }

    /// Takes a text in, as it is and as it is written in JSON, also within JSON.
    pub fn add(&mut self, text: &str) {
        for written in writings(text) {
            let bytes = written.as_bytes();
            if bytes.len() < WINDOW {
                if bytes.len() >= SHORTEST && crosses_words(bytes) {
                    self.short.entry(beginning(bytes)).or_default().insert(bytes.to_vec());
                }
                continue;
            }
            self.bytes += bytes.len();
            while self.bytes / (self.thinned as usize + 1) > self.most_bytes {
                self.thinned = self.thinned * 2 + 1;
                let thinned = self.thinned;
                self.windows.retain(|window| mixed(*window) & thinned == 0);
            }
            let kept = pieces(bytes).filter(|window| mixed(*window) & self.thinned == 0);
            self.windows.extend(kept.filter(|window| tells(*window)));
        }
        self.sieve.clear();
    }

    /// What stays says this, too, so that it tells nothing.
    pub fn spare(&mut self, text: &str) {
        for written in writings(text) {
            let bytes = written.as_bytes();
            for window in pieces(bytes) {
                self.windows.remove(&window);
            }
            let spared: Vec<Vec<u8>> = self.short_in(bytes).map(<[u8]>::to_vec).collect();
            for short in spared {
                self.short.entry(beginning(&short)).and_modify(|known| {
                    known.remove(&short);
                });
            }
        }
        self.sieve.clear();
    }

    /// Takes in what another look found.
    pub fn join(&mut self, other: &Traces) {
        self.windows.extend(&other.windows);
        for (beginning, short) in &other.short {
            self.short.entry(*beginning).or_default().extend(short.iter().cloned());
        }
        self.settle();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.windows.len() + self.short.values().map(BTreeSet::len).sum::<usize>()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// To be called once all are known: from then on searching is quick.
    pub fn settle(&mut self) {
        let mut sieve = vec![0_u64; 1 << (SIEVE_BITS - 6)];
        for window in &self.windows {
            let (word, bit) = slot(*window);
            sieve[word] |= bit;
        }
        self.sieve = sieve;
    }

    /// How many stretches of the words are found. Two that touch are one.
    pub fn found_in(&self, bytes: &[u8]) -> usize {
        let mut stretches = 0;
        let mut reaches = None;
        for (at, window) in pieces(bytes).enumerate() {
            if !self.holds(window) {
                continue;
            }
            if reaches.is_none_or(|reaches| at > reaches) {
                stretches += 1;
            }
            reaches = Some(at + WINDOW);
        }
        stretches + self.short_in(bytes).count()
    }

    /// Whether a text says any of it.
    pub fn in_text(&self, text: &str) -> bool {
        pieces(text.as_bytes()).any(|window| self.holds(window))
            || self.short_in(text.as_bytes()).next().is_some()
    }

    /// Whether a text says hardly anything else.
    pub fn make_up(&self, text: &str) -> bool {
        let bytes = text.trim().as_bytes();
        if bytes.len() < WINDOW {
            return self.short_in(bytes).any(|short| short == bytes);
        }
        if self.thinned > 0 {
            // Most of it leaves no trace; what would have left one stands for the rest.
            let told = pieces(bytes).filter(|window| mixed(*window) & self.thinned == 0 && tells(*window));
            let (mut all, mut held) = (0, 0);
            told.for_each(|window| {
                all += 1;
                held += usize::from(self.holds(window));
            });
            return all > 0 && held * 100 >= all * MOSTLY;
        }
        let mut covered = 0;
        let mut reaches = 0;
        for (at, window) in pieces(bytes).enumerate() {
            if self.holds(window) {
                covered += at + WINDOW - reaches.max(at);
                reaches = at + WINDOW;
            }
        }
        covered * 100 >= bytes.len() * MOSTLY
    }

    /// The short texts that stand in some bytes, as often as they do.
    fn short_in<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let places = if self.short.is_empty() { 0 } else { bytes.len().saturating_sub(SHORTEST - 1) };
        (0..places).flat_map(move |at| {
            let known = self.short.get(&beginning(&bytes[at..])).into_iter().flatten();
            known.map(Vec::as_slice).filter(move |short| bytes[at..].starts_with(short))
        })
    }

    fn holds(&self, window: u128) -> bool {
        if !self.sieve.is_empty() {
            let (word, bit) = slot(window);
            if self.sieve[word] & bit == 0 {
                return false;
            }
        }
        self.windows.contains(&window)
    }
}

/// How a text may be written in a file.
fn writings(text: &str) -> BTreeSet<String> {
    let text = text.trim();
    let quoted = |text: &str| {
        let quoted = serde_json::Value::String(text.to_owned()).to_string();
        quoted[1..quoted.len() - 1].to_owned()
    };
    let once = quoted(text);
    let twice = quoted(&once);
    BTreeSet::from([text.to_owned(), once, twice])
}

/// Every piece of the length of a trace, as a number.
fn pieces(bytes: &[u8]) -> impl Iterator<Item = u128> + '_ {
    let mut window = 0_u128;
    let (first, rest) = bytes.split_at(bytes.len().min(WINDOW - 1));
    for byte in first {
        window = window << 8 | u128::from(*byte);
    }
    rest.iter().map(move |byte| {
        window = window << 8 | u128::from(*byte);
        window
    })
}

/// Whether a piece says anything: a line of dashes is in many texts, and within
/// one word may be an identifier, a moment or a path.
fn tells(window: u128) -> bool {
    let mut bytes = window.to_be_bytes();
    let crosses = crosses_words(&bytes);
    bytes.sort_unstable();
    crosses && 1 + bytes.windows(2).filter(|pair| pair[0] != pair[1]).count() >= LEAST_DIFFERENT
}

fn crosses_words(bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| byte.is_ascii_whitespace() || !byte.is_ascii())
}

/// The same piece falls the same way in every text.
fn mixed(window: u128) -> u64 {
    let folded = (window >> 64) as u64 ^ (window as u64).rotate_left(29);
    folded.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32)
}

fn slot(window: u128) -> (usize, u64) {
    let place = (mixed(window) >> 7) as usize & ((1 << SIEVE_BITS) - 1);
    (place >> 6, 1 << (place & 63))
}

/// The first bytes of what has at least so many.
fn beginning(bytes: &[u8]) -> [u8; SHORTEST] {
    let mut first = [0; SHORTEST];
    first.iter_mut().zip(bytes).for_each(|(first, byte)| *first = *byte);
    first
}
