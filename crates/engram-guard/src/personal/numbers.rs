//! Numbers that prove themselves: bank accounts, cards, and the numbers that
//! two states give their people.

use super::{Personal, stands_alone};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// How long an account number is in each country, its letters included.
const ACCOUNTS: [(&str, usize); 46] = [
    ("AD", 24),
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("AZ", 28),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BH", 22),
    ("BR", 29),
    ("CH", 21),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DK", 18),
    ("EE", 20),
    ("EG", 29),
    ("ES", 24),
    ("FI", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GR", 27),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IS", 26),
    ("IT", 27),
    ("KW", 30),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("MC", 27),
    ("MT", 31),
    ("NL", 18),
    ("NO", 15),
    ("PL", 28),
    ("PT", 25),
    ("RO", 24),
    ("RS", 22),
    ("SA", 24),
    ("SE", 24),
    ("SI", 19),
    ("TR", 26),
];

pub(super) fn found(text: &str) -> Vec<Personal> {
    let accounts = accounts(text).map(|range| Personal { range, rule: "iban" });
    accounts.chain(digits(text)).collect()
}

fn expression(text: &str) -> Regex {
    Regex::new(text).expect("the expressions of the rules are sound")
}

/// Account numbers, in one piece or in groups.
fn accounts(text: &str) -> impl Iterator<Item = Range<usize>> {
    static SHAPE: LazyLock<Regex> =
        LazyLock::new(|| expression(r"(?i-u)\b[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]){11,30}"));
    SHAPE.find_iter(text).filter_map(|found| {
        let shape = found.as_str().as_bytes();
        let country = std::str::from_utf8(&shape[..2]).ok()?.to_ascii_uppercase();
        let (_, length) = ACCOUNTS.iter().find(|(known, _)| *known == country)?;
        // Words may follow, so only as much is taken as the country has.
        let letters = shape.iter().enumerate().filter(|(_, byte)| byte.is_ascii_alphanumeric());
        let taken: Vec<(usize, u8)> =
            letters.map(|(at, byte)| (at, byte.to_ascii_uppercase())).take(*length).collect();
        let end = taken.get(length - 1)?.0 + 1;
        let range = found.start()..found.start() + end;
        let number: Vec<u8> = taken.iter().map(|(_, byte)| *byte).collect();
        (leaves_one(&number) && stands_alone(text, &range)).then_some(range)
    })
}

/// ISO 7064: with its first four letters last and A as 10, the number leaves 1
/// when it is divided by 97.
fn leaves_one(number: &[u8]) -> bool {
    let turned = number[4..].iter().chain(&number[..4]);
    let rest = turned.fold(0u32, |rest, byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        letter => (rest * 100 + u32::from(letter - b'A') + 10) % 97,
    });
    rest == 1
}

/// Cards and the numbers of people: runs of digits, in one piece or in groups.
fn digits(text: &str) -> impl Iterator<Item = Personal> {
    static SHAPE: LazyLock<Regex> = LazyLock::new(|| expression(r"\d(?:[ -]?\d){8,18}"));
    SHAPE.find_iter(text).filter_map(|found| {
        let range = found.range();
        let plain: Vec<u8> =
            found.as_str().bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect();
        let groups: Vec<usize> = found.as_str().split([' ', '-']).map(str::len).collect();
        let rule = match groups.as_slice() {
            [11] if is_tckn(&plain) => "tckn",
            [3, 2, 4] if found.as_str().contains('-') && is_ssn(&plain) => "ssn",
            [_] | [4, 4, 4, 4] | [4, 6, 5] | [4, 6, 4] | [4, 4, 4, 4, 3] if is_card(&plain) => "card",
            _ => return None,
        };
        stands_alone(text, &range).then_some(Personal { range, rule })
    })
}

/// A length and a beginning that a network of cards uses, and Luhn's sum.
fn is_card(digits: &[u8]) -> bool {
    let first =
        |count: usize| digits[..count].iter().fold(0u32, |number, digit| number * 10 + u32::from(*digit));
    let known = match digits.len() {
        14 => matches!(first(3), 300..=305) || matches!(first(2), 36 | 38),
        15 => matches!(first(2), 34 | 37),
        16 => {
            matches!(first(1), 4)
                || matches!(first(2), 51..=55 | 62 | 65)
                || matches!(first(3), 644..=649)
                || matches!(first(4), 2221..=2720 | 3528..=3589 | 6011 | 9792)
        }
        19 => matches!(first(1), 4) || matches!(first(2), 62),
        _ => false,
    };
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| match (place % 2, u32::from(*digit)) {
            (0, digit) => digit,
            (_, digit) => digit * 2 / 10 + digit * 2 % 10,
        })
        .sum();
    known && sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != digits[0])
}

/// The number of a citizen of Turkey: its last two digits follow from the others.
fn is_tckn(digits: &[u8]) -> bool {
    let [d1, d2, d3, d4, d5, d6, d7, d8, d9, tenth, last] = *digits else { return false };
    let sum = |digits: &[u8]| digits.iter().map(|digit| i32::from(*digit)).sum::<i32>();
    let expected = (7 * sum(&[d1, d3, d5, d7, d9]) - sum(&[d2, d4, d6, d8])).rem_euclid(10);
    d1 != 0 && expected == i32::from(tenth) && sum(&digits[..10]) % 10 == i32::from(last)
}

/// A social security number of the United States that was given to somebody.
pub(super) fn is_ssn(digits: &[u8]) -> bool {
    let number = |range: Range<usize>| {
        digits[range].iter().fold(0u32, |number, digit| number * 10 + u32::from(*digit))
    };
    digits.len() == 9 && !matches!(number(0..3), 0 | 666 | 900..) && number(3..5) != 0 && number(5..9) != 0
}
