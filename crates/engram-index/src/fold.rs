//! Letters without case and accents, so that every spelling of a word meets in
//! one key.
//!
//! `cafe`, `Café` and `CAFÉ` become `cafe`. Turkish has two letters i; both
//! become `i` here, so a Turkish and an English reading of `I` find each other.
//! This module knows letters, not words or languages.

use std::borrow::Cow;

/// Lower case. `dotless` reads a capital `I` as `ı`, the way Turkish does; it
/// matters only to the Turkish stemmer, because folding makes both an `i`.
pub(crate) fn lower(word: &str, dotless: bool) -> String {
    if word.is_ascii() && !dotless {
        return word.to_ascii_lowercase();
    }
    let mut lowered = String::with_capacity(word.len());
    for letter in word.chars() {
        match letter {
            'İ' => lowered.push('i'),
            'I' if dotless => lowered.push('ı'),
            _ => lowered.extend(letter.to_lowercase()),
        }
    }
    lowered
}

/// Drops the accents of a lower-case word.
pub(crate) fn fold(lowered: &str) -> Cow<'_, str> {
    if lowered.is_ascii() {
        return Cow::Borrowed(lowered);
    }
    let mut folded = String::with_capacity(lowered.len());
    for letter in lowered.chars() {
        match base_of(letter) {
            Some(base) => folded.push_str(base),
            None if is_combining_accent(letter) => {}
            None => folded.push(letter),
        }
    }
    Cow::Owned(folded)
}

/// A letter that Turkish has and English has not.
pub(crate) fn is_turkish_letter(letter: char) -> bool {
    matches!(letter, 'ç' | 'ğ' | 'ı' | 'ö' | 'ş' | 'ü' | 'Ç' | 'Ğ' | 'İ' | 'Ö' | 'Ş' | 'Ü')
}

/// Accents written as a character of their own, as some file systems do.
fn is_combining_accent(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter)
}

/// The plain letters of an accented Latin letter.
fn base_of(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => "i",
        'ĵ' => "j",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ŏ' | 'ő' => "o",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'æ' => "ae",
        'œ' => "oe",
        'ß' => "ss",
        'þ' => "th",
        'ς' => "σ",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_word_folds_to_one() {
        let check = |word: &str, expected: &str| assert_eq!(fold(&lower(word, false)), expected, "{word}");
        check("Café", "cafe");
        check("cafe\u{301}", "cafe");
        check("İSTANBUL", "istanbul");
        check("ışık", "isik");
        check("IŞIK", "isik");
        check("STRASSE", "strasse");
        check("Straße", "strasse");
        check("Привет", "привет");
    }

    #[test]
    fn a_turkish_capital_i_has_no_dot() {
        assert_eq!(lower("IŞIK", true), "ışık");
        assert_eq!(lower("İYİ", true), "iyi");
    }
}
