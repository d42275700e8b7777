//! What two texts claim, held against each other.
//!
//! A memory that says the same thing again, more of it, or something else of
//! the same thing must be told apart before anything is merged or replaced.
//! That is decided here on the claims: subject, slot and value, what is
//! denied, what changed. Likeness alone decides nothing, and what is not
//! understood is unsure. The readings are rules and word lists in English and
//! Turkish; no model, no store and no clock has a part in them.
//!
//! **Time.** A claim about a past moment ("in 2023 we used X") and one about
//! now contradict if their values exclude each other: of the two only the
//! newer says how things are. Two claims with different years are each true in
//! their own and are unrelated.

mod again;
mod align;
mod change;
mod changed;
mod english;
mod figures;
mod holds;
mod judge;
mod known;
mod likeness;
mod lists;
mod nouns;
mod opposites;
mod reading;
mod replaced;
mod sort;
mod stems;
mod tells;
mod text;
mod turkish;
mod values;
mod wishes;
mod words;

#[cfg(test)]
mod tests;

pub use likeness::{likeness, likeness_with, overlap};
pub use tells::tells_of_change;
pub use text::Text;
pub(crate) use text::sentences_of;

use crate::words::words;
use text::{Claims, Passage, languages_of};

/// The stem of a folded word, read in one of the languages.
pub(crate) fn stem_of(folded: &str, turkish: bool) -> String {
    stems::stem_of(folded, turkish).text
}

/// How what a claim says is over begins, where it is shown.
pub(crate) const NO_LONGER: &str = "no longer";

/// What a new text means for an old one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Bearing {
    /// Both say the same.
    Same,
    /// The new one says what the old one says, and more.
    Adds,
    /// The old one says what the new one says, and more.
    Contained,
    /// Both cannot be so at once.
    Contradicts(Difference),
    /// They speak of different things.
    Unrelated,
    /// They speak of the same thing, and what the difference means is not
    /// understood: neither merge nor replace.
    Unsure(Doubt),
}

/// What two claims contradict each other in, to be shown to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub why: Why,
    pub old: String,
    pub new: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: \"{}\" was \"{}\"", self.why, self.new, self.old)
    }
}

words! {
    /// Why two claims cannot both be so.
    pub enum Why ("why") {
        Negation = "negation",
        Number = "number",
        Version = "version",
        Value = "value",
        State = "state",
        Antonym = "antonym",
        NoLonger = "no_longer",
        Moved = "moved",
        Instead = "instead",
    }
}

words! {
    /// What makes it unsure how one claim bears on another.
    pub enum Doubt ("doubt") {
        Question = "question",
        Plan = "plan",
        Report = "report",
        Hedge = "hedge",
        Scope = "scope",
        Order = "order",
        Unit = "unit",
        Several = "several",
        Change = "change",
        Partly = "partly",
        Difference = "difference",
    }
}

/// How a sentence is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Manner {
    /// It says how things are: it neither asks, plans, advises nor reports.
    pub(crate) told: bool,
    /// It denies something, or says that it is over.
    pub(crate) denied: bool,
}

pub(crate) fn manner_of(sentence: &str) -> Manner {
    let reading = reading::read(sentence, words::tongue_of(sentence).turkish);
    Manner { told: reading.mood == reading::Mood::Told && !reading.advised, denied: reading.negated }
}

/// What `new` means for `old`.
pub fn compare(old: &str, new: &str) -> Bearing {
    Text::of(new).bearing_on(&Text::of(old))
}

fn bearing_of(old: &Passage<'_>, new: &Passage<'_>) -> Bearing {
    if old.text == new.text {
        return Bearing::Same;
    }
    let (turkish, also) = languages_of(old, new);
    let (before, after) = (old.cut(turkish), new.cut(also));
    let same_words = before.words.len() == after.words.len()
        && before.words.iter().zip(&*after.words).all(|(one, other)| one.folded == other.folded);
    if same_words && old.text.ends_with('?') == new.text.ends_with('?') {
        return Bearing::Same;
    }
    let (before, after) = (before.claims(), after.claims());
    match (&before.readings[..], &after.readings[..]) {
        ([before], [after]) => judge::judge(before, after),
        _ => compare_all(before, after),
    }
}

/// Every sentence against every other. One contradiction is enough; without
/// any, the texts are what their sentences are together.
fn compare_all(before: &Claims, after: &Claims) -> Bearing {
    let (old, new) = (&before.readings, &after.readings);
    let cut = before.more || after.more;
    let mut in_new = vec![false; old.len()];
    let mut in_old = vec![false; new.len()];
    let mut doubt = None;
    let mut contradiction = None;
    for (at, old) in old.iter().enumerate() {
        for (other, new) in new.iter().enumerate() {
            match judge::judge(old, new) {
                Bearing::Same => (in_new[at], in_old[other]) = (true, true),
                Bearing::Adds => in_new[at] = true,
                Bearing::Contained => in_old[other] = true,
                Bearing::Contradicts(difference) => contradiction = contradiction.or(Some(difference)),
                Bearing::Unsure(why) => doubt = doubt.or(Some(why)),
                Bearing::Unrelated => {}
            }
        }
    }
    let whole = |found: &[bool]| !cut && !found.is_empty() && found.iter().all(|found| *found);
    let any = in_new.iter().chain(&in_old).any(|found| *found);
    match (contradiction, whole(&in_new), whole(&in_old)) {
        (Some(difference), _, _) => Bearing::Contradicts(difference),
        (None, true, true) => Bearing::Same,
        (None, true, false) => Bearing::Adds,
        (None, false, true) => Bearing::Contained,
        (None, false, false) if any || cut => Bearing::Unsure(Doubt::Partly),
        _ => doubt.map_or(Bearing::Unrelated, Bearing::Unsure),
    }
}
