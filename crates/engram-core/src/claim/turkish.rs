//! Where the words of a Turkish claim stand. The verb is last, case endings
//! tell the rest, and a verb that says "we" needs no subject.

use super::lists::{SLOT_NOUNS, has_opposite, is_name};
use super::reading::{Item, OVER, Place, Reading, Slot};
use super::words::Word;

pub(super) fn place_turkish(reading: &mut Reading) {
    let words = &reading.words;
    let ends = |word: &Word, endings: &[&str]| {
        if word.ending.is_empty() {
            !word.is_literal()
                && !is_name(&word.folded)
                && endings.iter().any(|end| word.folded.len() >= end.len() + 3 && word.folded.ends_with(end))
        } else {
            endings.contains(&word.ending.as_str())
        }
    };
    let genitive = |word: &Word| ends(word, &["nin", "nun", "in", "un"]);
    // An adjective belongs to nothing, whatever its last letter.
    let possessed = |word: &Word| {
        word.ending.is_empty() && !has_opposite(&word.stem) && ends(word, &["si", "su", "i", "u"])
    };
    let locative = |word: &Word| ends(word, &["da", "de", "ta", "te"]);

    let spoken: Vec<usize> = (0..words.len())
        .filter(|at| {
            let over = reading.ended && OVER.contains(&words[*at].folded.as_str());
            !(words[*at].small || over || reading.years.contains(&words[*at].folded))
        })
        .collect();
    let last = words.len().checked_sub(1);
    let verb = spoken.last().copied().filter(|at| {
        let word = &words[*at];
        Some(*at) == last
            && word.ending.is_empty()
            && !word.is_literal()
            && (verb_slot(word).is_some() || word.negative || word.first_person)
    });
    let implied = verb.is_some_and(|at| words[at].first_person || is_bare_order(&words[at]))
        || words.iter().any(|word| matches!(word.folded.as_str(), "biz" | "ben"));
    let mut slot = verb.and_then(|at| verb_slot(&words[at])).unwrap_or(Slot::Other);
    if verb.is_none()
        && let Some(at) = spoken.last().copied()
    {
        let about_slot = spoken.iter().any(|at| SLOT_NOUNS.contains(&words[*at].folded.as_str()));
        let last_is_value = Some(at) == last;
        slot = match () {
            () if locative(&words[at]) && last_is_value => Slot::Location,
            () if words
                .last()
                .is_some_and(|last| matches!(last.folded.as_str(), "altinda" | "icinde" | "uzerinde")) =>
            {
                Slot::Location
            }
            () if about_slot => Slot::Identity,
            () => Slot::Quality,
        };
    }
    if reading.words.iter().any(|word| word.folded == "tercih") {
        slot = Slot::Preference;
    }
    let mut items: Vec<Item> = Vec::new();
    let mut subject = !implied;
    for (nth, at) in spoken.iter().copied().enumerate() {
        let word = &words[at];
        let before = nth.checked_sub(1).map(|nth| &words[spoken[nth]]);
        if nth > 0 && subject {
            let goes_on = before.is_some_and(genitive)
                || nth == 1
                    && before.is_some_and(|before| before.ending.is_empty())
                    && (possessed(word) || genitive(word) || SLOT_NOUNS.contains(&word.folded.as_str()))
                    && !locative(word);
            subject = goes_on && nth + 1 < spoken.len();
        }
        let for_what = words.get(at + 1).is_some_and(|next| next.folded == "icin");
        let place = if Some(at) == verb || word.folded == "tercih" {
            Place::Verb
        } else if for_what || locative(word) && slot == Slot::Use {
            Place::Beside
        } else if subject {
            Place::Subject
        } else {
            Place::Value
        };
        let light = place == Place::Verb
            && matches!(slot, Slot::Use | Slot::Location | Slot::Means | Slot::Preference);
        items.push(Item { word: at, place, light });
    }
    reading.indefinite = words.first().is_some_and(|first| first.folded == "bir");
    reading.episode = false;
    reading.order = verb.is_some_and(|at| is_bare_order(&words[at]));
    reading.slot = slot;
    reading.items = items;
}

fn is_bare_order(word: &Word) -> bool {
    matches!(word.stem.as_str(), "at" | "kullan" | "yap" | "calistir" | "tut" | "yaz" | "sakla")
        && (word.folded == word.stem || word.negative)
}

/// What a Turkish verb holds, by its root.
fn verb_slot(word: &Word) -> Option<Slot> {
    let roots = |list: &[&str]| {
        list.iter().any(|root| word.stem.starts_with(root) && word.stem.len() <= root.len() + 4)
    };
    Some(if roots(&["kullan"]) {
        Slot::Use
    } else if roots(&["dinl"]) {
        Slot::Listening
    } else if roots(&["calis", "calistir", "derlen", "yonet"]) {
        Slot::Means
    } else if roots(&["dur", "bulun", "sakla", "tut", "yasa", "yas", "barin", "deploy", "yazil", "yayinla"]) {
        Slot::Location
    } else if roots(&["ede", "eder", "edi"]) && word.folded.starts_with("ed") {
        Slot::Other
    } else if roots(&["yapil", "yapi", "cikar", "cik", "olur"]) {
        Slot::Time
    } else if roots(&[
        "gec", "tasi", "degis", "ol", "at", "yap", "iste", "gerek", "kaldir", "sil", "yukselt", "adlandir",
        "biti", "dol",
    ]) {
        Slot::Other
    } else {
        return None;
    })
}
