//! A wish that takes the place of another: "past tense" was wanted, and
//! somebody changed their mind.
//!
//! What is wished for has no sort that could be compared, so the object must
//! be the same: half of what the shorter wish speaks of. Two wishes of which
//! neither tells of another mind stand side by side.

use super::judge::contradicts;
use super::nouns::{is_generic, is_language};
use super::reading::{Mood, Place, Reading, Slot};
use super::replaced::{Heads, Two};
use super::words::Word;
use super::{Bearing, Why};

/// A wish of `new` that takes the place of that in `old`.
pub(super) fn judge_wishes(old: &Reading, new: &Reading) -> Option<Bearing> {
    let mood = |reading: &Reading| matches!(reading.mood, Mood::Asked | Mood::Reported);
    let changed = of_other_mind(new) && (is_wish(new) || is_order(new));
    let adds = old.adds || new.adds || old.negated != new.negated;
    if !changed || !is_wish(old) || adds || mood(old) || mood(new) || is_of_another(old) {
        return None;
    }
    let pair = Two { old, new };
    let (mine, yours) = (told(old), told(new));
    let shared: Vec<usize> =
        mine.iter().copied().filter(|at| yours.iter().any(|other| pair.tied(*at, *other))).collect();
    let wanted: Vec<usize> = mine.iter().copied().filter(|at| !shared.contains(at)).collect();
    let wants: Vec<usize> =
        yours.iter().copied().filter(|other| !mine.iter().any(|at| pair.tied(*at, *other))).collect();
    let weight = |reading: &Reading, all: &[usize]| -> usize {
        all.iter().map(|at| if is_generic(&reading.words[*at]) { 1 } else { 2 }).sum()
    };
    let least = weight(old, &mine).min(weight(new, &yours));
    let special = shared.iter().any(|at| !is_generic(&old.words[*at]));
    let language = |reading: &Reading, all: &[usize]| all.iter().any(|at| is_language(&reading.words[*at]));
    let alike = language(old, &wanted) == language(new, &wants);
    let differs = !wanted.is_empty() && !wants.is_empty() && alike && !pair.are_set_apart();
    let (weight, sure) = (weight(old, &shared), changed_mind(new) || wants_rather(new));
    let parts = pair.differ_in_head(old.holding(), new.holding(), Heads::Either);
    let enough = shared.len() > 1 && weight * 2 >= least || sure && !parts && weight * 3 >= least;
    (special && differs && enough).then(|| contradicts(Why::Instead, shown(old, &wanted), shown(new, &wants)))
}

fn shown(reading: &Reading, all: &[usize]) -> String {
    all.iter().map(|at| reading.words[*at].shown.as_str()).collect::<Vec<_>>().join(" ")
}

/// The words of a wish, without those of wishing.
fn told(reading: &Reading) -> Vec<usize> {
    let holding = reading.holding();
    let of_wish = |word: &Word| {
        matches!(word.folded.as_str(), "choice" | "taste" | "preference" | "favourite" | "favorite" | "mind")
            || WISHES.contains(&word.folded.as_str())
            || reading.turkish && TURKISH_WISHES.iter().any(|root| word.folded.starts_with(root))
    };
    let about = holding.about.iter().filter(|about| !about.act).map(|about| about.word);
    let values = holding.values.iter().flat_map(|value| value.from..value.to);
    let mut all: Vec<usize> =
        about.chain(values).filter(|at| !reading.words[*at].small && !of_wish(&reading.words[*at])).collect();
    all.sort_unstable();
    all
}

const WISHES: &[&str] = &[
    "like",
    "likes",
    "want",
    "wants",
    "prefer",
    "prefers",
    "rather",
    "preference",
    "choice",
    "taste",
    "favourite",
    "favorite",
];
const TURKISH_WISHES: &[&str] =
    &["istiyor", "isted", "tercih", "seviyor", "olsun", "kullanilsin", "yazilsin"];

fn is_wish(reading: &Reading) -> bool {
    let wishes = |word: &Word| {
        WISHES.contains(&word.folded.as_str())
            || reading.turkish
                && (TURKISH_WISHES.iter().any(|root| word.folded.starts_with(root)) || is_proposal(word))
    };
    reading.slot == Slot::Preference || reading.words.iter().any(wishes)
}

/// "Kullanalım": let us.
fn is_proposal(word: &Word) -> bool {
    word.letters > 5 && ["alim", "elim"].iter().any(|end| word.folded.ends_with(end))
}

/// Something is to be done from now on; who changed their mind need not say so.
fn is_order(reading: &Reading) -> bool {
    let asks = |word: &Word| matches!(word.folded.as_str(), "please" | "lutfen");
    reading.order || reading.words.iter().any(asks) || changed_mind(reading)
}

/// Whether somebody says that they want something else than before.
fn of_other_mind(reading: &Reading) -> bool {
    let words = &reading.words;
    let proposed = reading.turkish
        && words.last().is_some_and(is_proposal)
        && words.iter().any(|word| word.folded.starts_with("isted"));
    changed_mind(reading) || wants_rather(reading) || proposed || reading.holding().changes
}

/// "I'd rather have Y".
fn wants_rather(reading: &Reading) -> bool {
    reading.words.windows(2).any(|two| two[0].folded == "rather" && two[1].folded != "than")
}

fn changed_mind(reading: &Reading) -> bool {
    let words = &reading.words;
    words.windows(2).any(|two| match two[0].folded.as_str() {
        "my" | "our" => matches!(two[1].folded.as_str(), "mind" | "minds"),
        "come" | "came" => matches!(two[1].folded.as_str(), "around" | "round"),
        mind => {
            (mind.starts_with("fikri") || mind.starts_with("karari")) && two[1].folded.starts_with("degis")
        }
    })
}

/// Somebody else's wish: "Ayşe likes".
fn is_of_another(reading: &Reading) -> bool {
    let generic = |word: &Word| is_generic(word) || matches!(word.folded.as_str(), "user" | "team");
    reading.slot == Slot::Preference
        && reading.items.iter().any(|item| {
            let word = &reading.words[item.word];
            item.place == Place::Subject
                && !generic(word)
                && word.shown.starts_with(char::is_uppercase)
                && item.word == 0
        })
}
