//! Where the words of a Turkish claim stand. The verb is last, case endings
//! tell the rest, and a verb that says "we" needs no subject.

use super::known::Mark;
use super::lists::has_opposite;
use super::reading::{Item, Place, Reading, Slot, tells_since};
use super::sort::{is_day, link_of};
use super::words::Word;

pub(super) fn place_turkish(reading: &mut Reading) {
    let words = &reading.words;
    let ends = |word: &Word, endings: &[&str]| {
        if word.ending.is_empty() {
            !word.is_literal()
                // What looks like an ending is its own.
                && !word.is(Mark::Name)
                && endings.iter().any(|end| word.folded.len() >= end.len() + 3 && word.folded.ends_with(end))
        } else {
            endings.contains(&word.ending.as_str())
        }
    };
    let genitive = |word: &Word| ends(word, &["nin", "nun", "in", "un"]);
    // An adjective belongs to nothing, whatever its last letter.
    let possessed = |word: &Word| {
        word.ending.is_empty() && !has_opposite(word.by_stem()) && ends(word, &["si", "su", "i", "u"])
    };
    let locative = |word: &Word| ends(word, &["da", "de", "ta", "te"]);

    let spoken: Vec<usize> = (0..words.len())
        .filter(|at| {
            let over = reading.ended && words[*at].is(Mark::Over);
            let said = words[*at].small || over || reading.years.contains(&words[*at].folded);
            !(said || tells_since(words, *at))
        })
        .collect();
    let last = words.len().checked_sub(1);
    let verb = spoken.last().copied().filter(|at| {
        let word = &words[*at];
        Some(*at) == last
            && word.ending.is_empty()
            && !word.is_literal()
            && (verb_slot(word).is_some() || word.negative || word.first_person || goes_on(word))
    });
    let implied = verb.is_some_and(|at| words[at].first_person || is_bare_order(&words[at]))
        || words.iter().any(|word| matches!(word.folded.as_str(), "biz" | "ben"));
    let mut slot = verb.and_then(|at| verb_slot(&words[at])).unwrap_or(Slot::Other);
    if slot == Slot::Other && verb.is_some_and(|at| goes_on(&words[at])) && words.iter().any(is_day) {
        slot = Slot::Time;
    }
    if verb.is_none()
        && let Some(at) = spoken.last().copied()
    {
        let about_slot = spoken.iter().any(|at| words[*at].is(Mark::SlotNoun));
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
    let names_it = |word: &Word| matches!(word.folded.as_str(), "adi" | "ismi");
    if slot == Slot::Identity && words.iter().any(names_it) {
        slot = Slot::Name;
    }
    // Whoever keeps something somewhere is not there; what is kept is.
    let keeps = verb.is_some_and(|at| {
        let word = words[at].folded.as_str();
        ["tutu", "tuta", "sakli"].iter().any(|root| word.starts_with(root)) && !word.starts_with("tutul")
    });
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
                    && (possessed(word) || genitive(word) || word.is(Mark::SlotNoun))
                    && !locative(word);
            subject = goes_on && nth + 1 < spoken.len();
        }
        let for_what = words.get(at + 1).is_some_and(|next| next.folded == "icin");
        let place = if Some(at) == verb || word.folded == "tercih" {
            Place::Verb
        } else if for_what || locative(word) && slot == Slot::Use {
            Place::Beside
        } else if subject || keeps && !implied && ends(word, &["i", "u", "yi", "yu"]) {
            Place::Subject
        } else {
            Place::Value
        };
        let light = place == Place::Verb
            && matches!(
                slot,
                Slot::Use | Slot::Location | Slot::Hosting | Slot::Means | Slot::Making | Slot::Preference
            );
        items.push(Item { word: at, place, light });
    }
    reading.indefinite = words.first().is_some_and(|first| first.folded == "bir");
    reading.episode = false;
    reading.order = verb.is_some_and(|at| is_bare_order(&words[at]));
    reading.slot = slot;
    reading.items = items;
    let of_verb = |roots: &[&str]| {
        let stem = verb.map_or("", |at| reading.words[at].stem.as_str());
        roots.iter().any(|root| stem.starts_with(root))
    };
    reading.slot = match link_of(reading).0 {
        "on" | "in" if of_verb(&["calis"]) => Slot::Hosting,
        "with" if of_verb(&["yazil"]) => Slot::Making,
        _ => slot,
    };
    place_holder(reading);
}

/// "X'ten Ayşe sorumlu", "Ayşe X'ten sorumlu", "X Ayşe'nin sorumluluğunda":
/// the thing is the subject and whoever answers for it the value.
fn place_holder(reading: &mut Reading) {
    let answers = |item: &Item| reading.words[item.word].folded.starts_with("sorumlu");
    let Some(last) = reading.items.iter().position(answers).filter(|at| *at > 0) else { return };
    let ablative = |item: &Item| {
        let word = &reading.words[item.word];
        let end = if word.ending.is_empty() { &word.folded } else { &word.ending };
        ["dan", "den", "tan", "ten"].iter().any(|ending| end.ends_with(ending))
    };
    let thing = reading.items[..last].iter().position(ablative);
    let holder = match thing {
        Some(at) if at + 1 < last => at + 1..last,
        Some(_) => 0..1,
        None => last - 1..last,
    };
    for (at, item) in reading.items.iter_mut().enumerate().take(last + 1) {
        item.place = match at {
            at if at == last => Place::Verb,
            at if holder.contains(&at) => Place::Value,
            _ => Place::Subject,
        };
        item.light = at == last;
    }
    reading.slot = Slot::Agent;
}

/// A verb that tells what goes on, whatever its root.
fn goes_on(word: &Word) -> bool {
    ["iyor", "uyor", "iyorlar", "uyorlar"].iter().any(|end| word.folded.ends_with(end))
        && word.stem.len() < word.folded.len()
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
    } else if roots(&["deploy"]) {
        Slot::Hosting
    } else if roots(&["calis", "calistir", "derlen", "yonet"]) {
        Slot::Means
    } else if roots(&["dur", "bulun", "sakla", "tut", "yasa", "yas", "barin", "yazil", "yayinla", "gid"]) {
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
