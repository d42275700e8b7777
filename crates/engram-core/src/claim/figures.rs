//! Numbers and releases that are all the difference between two claims.

use super::judge::contradicts;
use super::known::Mark;
use super::reading::{Place, Reading, Slot};
use super::words::Word;
use super::{Bearing, Doubt, Why};

/// The figure among what is left, if it is all that is left but for the name
/// of its slot: "port 8080" and "8080".
pub(super) fn only_figure(reading: &Reading, left: &[usize]) -> Option<usize> {
    let (figures, names): (Vec<usize>, Vec<usize>) =
        left.iter().partition(|item| unit_of(&reading.word(**item).folded).is_some());
    let slot_only = names.iter().all(|item| reading.word(*item).is(Mark::SlotNoun));
    if slot_only && let [figure] = figures[..] { Some(figure) } else { None }
}

/// One number each is left: the same thing counted otherwise, or another
/// release of the same.
pub(super) fn judge_numbers(old: &Reading, new: &Reading, one: usize, two: usize) -> Option<Bearing> {
    let (first, second) = (old.word(one), new.word(two));
    let (unit_one, unit_two) = (unit_of(&first.folded)?, unit_of(&second.folded)?);
    if old.hedged || new.hedged {
        return Some(Bearing::Unsure(Doubt::Hedge));
    }
    let are_counts =
        [first, second].iter().all(|word| !word.folded.starts_with(char::is_alphabetic) || word.is_number());
    if unit_one != unit_two && !are_counts {
        return None;
    }
    if unit_one != unit_two {
        return Some(Bearing::Unsure(Doubt::Unit));
    }
    if is_label(old, one) && is_label(new, two) {
        return Some(Bearing::Unrelated);
    }
    let goes_on = |reading: &Reading| reading.episode && reading.slot != Slot::Listening;
    let counts_people =
        |reading: &Reading, item: usize| reading.indefinite && reading.items[item].place == Place::Subject;
    if counts_people(old, one) || counts_people(new, two) || goes_on(old) || goes_on(new) {
        return Some(Bearing::Unsure(Doubt::Difference));
    }
    if old.items[one].place == Place::Subject && new.items[two].place == Place::Subject {
        return None;
    }
    let names_release = |reading: &Reading, item: usize| {
        let word = reading.word(item);
        let before = reading.items[item].word.checked_sub(1).map(|at| &reading.words[at]);
        word.is_version()
            || reading.words.iter().any(|word| {
                matches!(word.stem.as_str(), "version" | "surum" | "versiyon" | "releas" | "msrv")
            })
            || !unit_one.is_empty()
                && unit_one.ends_with(|mark: char| mark.is_alphabetic())
                && word.folded.starts_with(char::is_alphabetic)
            || before.is_some_and(is_product)
    };
    let why = if names_release(old, one) || names_release(new, two) { Why::Version } else { Why::Number };
    Some(contradicts(why, first.shown.clone(), second.shown.clone()))
}

/// "page 3", "draft of the plan 4": a few words without a claim that end in the
/// number of one of many. A name of a slot makes it a claim: "port 3".
fn is_label(reading: &Reading, item: usize) -> bool {
    const CLAIMING: &[&str] = &[
        "is", "are", "was", "were", "be", "to", "at", "has", "have", "use", "uses", "takes", "take", "runs",
        "listens", "needs", "costs", "olarak", "var", "yok",
    ];
    let word = &reading.word(item).folded;
    let last = reading.items[item].word + 1 == reading.words.len();
    let claims = reading.words.iter().any(|word| {
        CLAIMING.contains(&word.folded.as_str())
            || word.is(Mark::SlotNoun)
            || word.folded.ends_with("yor")
            || word.folded.ends_with("dir")
    });
    last && reading.words.len() <= MOST_OF_A_LABEL
        && !claims
        && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// A label has no more words than this.
const MOST_OF_A_LABEL: usize = 6;

pub(super) fn is_product(word: &Word) -> bool {
    const PRODUCTS: &[&str] = &[
        "postgres",
        "postgresql",
        "node",
        "python",
        "rust",
        "java",
        "go",
        "golang",
        "php",
        "ruby",
        "react",
        "vue",
        "angular",
        "django",
        "rails",
        "mysql",
        "redis",
        "ubuntu",
        "debian",
        "gcc",
        "clang",
        "typescript",
        "kubernetes",
        "terraform",
        "gradle",
        "npm",
        "pnpm",
        "yarn",
        "swift",
        "kotlin",
        "dotnet",
        "spring",
        "laravel",
        "next",
        "vite",
        "webpack",
        "tailwind",
        "elasticsearch",
        "mongodb",
        "surrealdb",
        "edition",
    ];
    PRODUCTS.contains(&word.folded.as_str())
}

/// What a figure counts in: `30s` in `s`, `8080` in nothing. Nothing for a
/// word without figures.
fn unit_of(folded: &str) -> Option<String> {
    let bare = folded.trim_start_matches(['v', '$', '€']);
    if bare.starts_with(|first: char| first.is_ascii_digit()) {
        let unit: String = bare.chars().filter(|mark| mark.is_alphabetic() || *mark == '%').collect();
        let looks_like_number = unit.len() <= 3
            && bare.chars().all(|mark| mark.is_alphanumeric() || matches!(mark, '.' | ',' | '-' | '%' | ':'));
        return looks_like_number.then_some(unit);
    }
    // A name that ends in its release: `python3.12`.
    let name: String = folded.chars().take_while(|mark| mark.is_alphabetic()).collect();
    let figures = &folded[name.len()..];
    let released = !name.is_empty()
        && !figures.is_empty()
        && figures.chars().all(|mark| mark.is_ascii_digit() || mark == '.');
    released.then_some(name)
}

/// Both say how much, in words for different measures: "5 minutes" and "300
/// seconds" may be one.
pub(super) fn measures_differ(old: &Reading, new: &Reading, left_old: &[usize], left_new: &[usize]) -> bool {
    #[rustfmt::skip]
    const MEASURES: &[&str] = &[
        "ms", "millisecond", "second", "sec", "minut", "min", "hour", "day", "week", "month", "year",
        "byt", "kb", "mb", "gb", "tb", "percent", "cent", "dollar", "euro", "saniy", "dakik", "saat",
        "gun", "haft", "yil",
    ];
    let measured = |reading: &Reading, left: &[usize]| {
        let stems = |item: &usize| MEASURES.contains(&reading.word(*item).stem.as_str());
        left.iter().any(stems) && left.iter().any(|item| unit_of(&reading.word(*item).folded).is_some())
    };
    measured(old, left_old) && measured(new, left_new)
}
