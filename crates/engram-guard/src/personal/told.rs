//! What only a word before it tells to be somebody's: telephone numbers without
//! their country, numbers of passports and plates, days of birth, and where
//! somebody lives.

use super::numbers::is_ssn;
use super::{Personal, stands_alone};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// How something is told: the words before it, and what it looks like then.
struct Told {
    rule: &'static str,
    expression: &'static str,
    /// Whether it is so after all.
    holds: fn(&str) -> bool,
}

/// Between the telling word and the value stand only such words and signs.
macro_rules! told {
    ($words:literal, $value:literal) => {
        concat!(
            r"(?i)\b(?:",
            $words,
            r")\b(?:[’']s)?(?:\s+(?:number|no|nr|num|id|is|was|are|on|at|in|am|le|me|him|her|us|them|code|numarası|numarasi|numaram|hattı|tarihi|günü|adresi))*[\s:=#.\-(\x22']{0,4}(",
            $value,
            ")"
        )
    };
}

static TOLD: [Told; 7] = [
    Told {
        rule: "phone",
        expression: told!(
            r"tel|telephone|phone|mobile|cell|cellphone|gsm|fax|whatsapp|sms|telefon|telefonu|telefonum|cep|handy|mobil",
            r"\(?\d{2,5}\)?(?:[ .\-/]?\d{1,5}){1,5}"
        ),
        holds: |number| (7..=15).contains(&count(number)),
    },
    Told {
        rule: "phone",
        expression: told!(
            r"call|ring|text|dial|ara|arayın|anrufen|reach",
            r"\(?\d{3,4}\)?[ .\-/]\d{2,4}(?:[ .\-/]\d{2,4}){1,3}"
        ),
        holds: |number| (9..=12).contains(&count(number)),
    },
    Told {
        rule: "ssn",
        expression: told!(r"ssn|social\s+security", r"\d{3}[ -]?\d{2}[ -]?\d{4}"),
        holds: |number| {
            let digits: Vec<u8> = number.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect();
            is_ssn(&digits)
        },
    },
    Told {
        rule: "passport",
        expression: told!(
            r"passport|pasaport|reisepass|passeport",
            r"[a-z]{0,2} ?\d{6,9}|[a-z][a-z0-9]\d[a-z0-9]{6}"
        ),
        holds: |_| true,
    },
    Told {
        rule: "plate",
        expression: told!(
            r"plates?|licen[cs]e\s+plates?|plaka|plakası|plakam|kennzeichen|nummernschild",
            r"\d{2} ?[a-z]{1,3} ?\d{2,4}|[a-z]{1,3}[ -][a-z]{1,2} ?\d{1,4}|[a-z]{2}\d{2} ?[a-z]{3}|[a-z]{3}[ -]?\d{3,4}|\d[a-z]{3}\d{3}"
        ),
        holds: |_| true,
    },
    Told {
        rule: "birth-date",
        expression: told!(
            r"born|birthday|birthdate|birth\s+date|date\s+of\s+birth|dob|doğum|dogum|geboren|geburtsdatum|geburtstag",
            r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?\pL{3,9}\.?,?\s+\d{4}|\pL{3,9}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}"
        ),
        holds: |_| true,
    },
    Told {
        rule: "address",
        expression: told!(
            r"home\s+address|my\s+address|(?:his|her|their)\s+address|postal\s+address|live|lives|lived|living|resides|residing|ev\s+adresi|ev\s+adresim|adresi|adresim|oturuyor|wohnt|wohnhaft|wohnadresse|habite",
            r"[^\n;?!\x22]{0,50}?\b(?:street|str|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|square|terrace|mahallesi|mah|sokak|sokağı|sok|sk|caddesi|cadde|cad|bulvarı|straße|strasse|\pL{2,20}(?:straße|strasse|str|weg|gasse|platz)|rue|via|calle)\b[^\n;?!\x22]{0,40}"
        ),
        holds: |place| count(place) > 0,
    },
];

pub(super) fn found(text: &str) -> Vec<Personal> {
    static EXPRESSIONS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
        let built = TOLD.iter().map(|told| Regex::new(told.expression));
        built.map(|built| built.expect("the expressions of the rules are sound")).collect()
    });
    // One search for all telling words goes first; most texts have none.
    static WORDS: LazyLock<Regex> = LazyLock::new(|| {
        let stems = "tel|phone|mobil|cell|gsm|fax|whatsapp|sms|cep|handy|call|ring|text|dial|ara|anruf|reach|ssn|security|pass?(?:e?port)|pasaport|reisepass|plate|plaka|kennzeichen|nummernschild|born|birth|dob|do[ğg]um|gebor|geburt|addres|adresi|live|living|lives|resid|oturuyor|wohn|habite";
        Regex::new(&format!("(?i){stems}")).expect("the expressions of the rules are sound")
    });
    if !WORDS.is_match(text) {
        return Vec::new();
    }
    let mut all = Vec::new();
    for (told, expression) in TOLD.iter().zip(EXPRESSIONS.iter()) {
        for found in expression.captures_iter(text) {
            let Some(value) = found.get(1) else { continue };
            let range = trimmed(text, value.range());
            if (told.holds)(&text[range.clone()]) && stands_alone(text, &range) {
                all.push(Personal { range, rule: told.rule });
            }
        }
    }
    all
}

/// Without the space and the sign that end it.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let value = &text[range.clone()];
    range.start..range.start + value.trim_end_matches([' ', '.', ',', '-', ')']).len()
}

fn count(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}
