//! Numbers as people write them: 3, three, third, twenty-first, üç, üçüncü.
//!
//! It does not know what is counted.

use super::token::{Kind, Token};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) value: u32,
    pub(crate) ordinal: bool,
    /// The token after it.
    pub(crate) end: usize,
}

/// How many of something: a number, or a word that leaves room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount {
    pub(crate) fewest: u32,
    pub(crate) most: u32,
    pub(crate) end: usize,
}

// The place of a name is its value; a dash keeps a place that has no name.
const UNITS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen \
                     fifteen sixteen seventeen eighteen nineteen";
const UNITS_ORDINAL: &str = "zeroth first second third fourth fifth sixth seventh eighth ninth tenth \
                             eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth \
                             eighteenth nineteenth";
const TENS: &str = "- - twenty thirty forty fifty sixty seventy eighty ninety";
const TENS_ORDINAL: &str =
    "- - twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth";
const BIRLER: &str = "- bir iki uc dort bes alti yedi sekiz dokuz";
const BIRINCILER: &str = "- birinci ikinci ucuncu dorduncu besinci altinci yedinci sekizinci dokuzuncu";
const ONLAR: &str = "- on yirmi otuz kirk elli altmis yetmis seksen doksan";
const ONUNCULAR: &str =
    "- onuncu yirminci otuzuncu kirkinci ellinci altmisinci yetmisinci sekseninci doksaninci";

/// The number that begins at `at`.
pub(crate) fn number(tokens: &[Token], at: usize) -> Option<Number> {
    let token = tokens.get(at)?;
    match token.kind {
        Kind::Number(value) => {
            let ordinal = match token.tail.as_str() {
                "" => false,
                "st" | "nd" | "rd" | "th" => true,
                "inci" | "nci" | "uncu" | "ncu" => true,
                _ => return None,
            };
            Some(Number { value, ordinal, end: at + 1 })
        }
        Kind::Word if token.tail.is_empty() => {
            written(tokens, at, [TENS, TENS_ORDINAL, UNITS, UNITS_ORDINAL])
                .or_else(|| written(tokens, at, [ONLAR, ONUNCULAR, BIRLER, BIRINCILER]))
        }
        _ => None,
    }
}

/// Tens and units in words, parted by a hyphen or a space: "twenty-first".
fn written(
    tokens: &[Token],
    at: usize,
    [tens, tens_ordinal, units, units_ordinal]: [&str; 4],
) -> Option<Number> {
    let place = |names: &str, at: usize| -> Option<u32> {
        let token = tokens.get(at).filter(|token| token.kind == Kind::Word && token.tail.is_empty())?;
        let place = names.split_ascii_whitespace().position(|name| name == token.text)?;
        u32::try_from(place).ok()
    };
    let unit = |at: usize| {
        place(units, at)
            .map(|value| Number { value, ordinal: false, end: at + 1 })
            .or_else(|| place(units_ordinal, at).map(|value| Number { value, ordinal: true, end: at + 1 }))
    };
    if let Some(ten) = place(tens, at) {
        let next = if tokens.get(at + 1).is_some_and(|token| token.is_mark("-")) { at + 2 } else { at + 1 };
        return match unit(next).filter(|unit| (1..10).contains(&unit.value)) {
            Some(unit) => Some(Number { value: ten * 10 + unit.value, ..unit }),
            None => Some(Number { value: ten * 10, ordinal: false, end: at + 1 }),
        };
    }
    place(tens_ordinal, at)
        .map(|ten| Number { value: ten * 10, ordinal: true, end: at + 1 })
        .or_else(|| unit(at))
}

/// "3", "three", "a", "a couple of", "a few", "several", "birkaç"; `number` is
/// the one that begins here.
pub(crate) fn amount(tokens: &[Token], at: usize, number: Option<Number>) -> Option<Amount> {
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| token.is(word));
    let article = is(at, "a") || is(at, "an") || is(at, "the");
    let bare = if article { at + 1 } else { at };
    if is(bare, "couple") {
        let end = if is(bare + 1, "of") { bare + 2 } else { bare + 1 };
        return Some(Amount { fewest: 1, most: 3, end });
    }
    if is(bare, "few") || is(bare, "birkac") {
        return Some(Amount { fewest: 2, most: 7, end: bare + 1 });
    }
    if is(at, "bir") && is(at + 1, "kac") {
        return Some(Amount { fewest: 2, most: 7, end: at + 2 });
    }
    if is(at, "several") {
        return Some(Amount { fewest: 3, most: 10, end: at + 1 });
    }
    if let Some(number) = number.filter(|number| !number.ordinal && number.value <= 9999) {
        return Some(Amount { fewest: number.value, most: number.value, end: number.end });
    }
    (is(at, "a") || is(at, "an")).then_some(Amount { fewest: 1, most: 1, end: at + 1 })
}
