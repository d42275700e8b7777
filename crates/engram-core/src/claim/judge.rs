//! What a new claim means for an old one.
//!
//! The order of the questions is the law: how the claims are meant, whether
//! one tells of a change, whether one denies what the other says, and only
//! then which words are left over. What is not understood is unsure, never a
//! contradiction.

use super::again::judge_end;
use super::align::{Alignment, Pair, align};
use super::changed::{judge_change, judge_end_of_life};
use super::figures::{judge_numbers, measures_differ, only_figure};
use super::lists::{Clash, Entry, Tie, clash, has_opposite};
use super::opposites::{judge_opposites, particle_clash};
use super::reading::{Mood, Place, Reading, Slot};
use super::replaced::{judge_values, may_replace};
use super::sort::{are_apart, same_slot};
use super::wishes::judge_wishes;
use super::words::Word;
use super::{Bearing, Difference, Doubt, NO_LONGER, Why};

/// Where two claims tell what goes on, one in so many of the words of what is
/// denied may be missing from the other. How things are is said in few words,
/// and there each counts.
const MISSING: usize = 5;

pub(super) fn judge(old: &Reading, new: &Reading) -> Bearing {
    let aligned = align(old, new);
    let related = is_related(old, new, &aligned);
    let otherwise = |doubt: Doubt| if related { Bearing::Unsure(doubt) } else { Bearing::Unrelated };
    let same_words = aligned.left_old.is_empty() && aligned.left_new.is_empty();
    for (mood, doubt) in
        [(Mood::Asked, Doubt::Question), (Mood::Planned, Doubt::Plan), (Mood::Reported, Doubt::Report)]
    {
        if old.mood != new.mood && (old.mood == mood || new.mood == mood) || old.mood == mood && !same_words {
            return otherwise(doubt);
        }
    }
    let found = judge_told(old, new, &aligned, related);
    match found {
        Bearing::Unsure(_) | Bearing::Unrelated | Bearing::Adds => judge_values(old, new)
            .or_else(|| judge_end(old, new))
            .or_else(|| judge_wishes(old, new))
            .unwrap_or_else(|| doubted(old, new, found)),
        Bearing::Contained => judge_end(old, new).unwrap_or(found),
        _ => found,
    }
}

/// A change is told, and it is not sure of what: somebody should look at it.
fn doubted(old: &Reading, new: &Reading, found: Bearing) -> Bearing {
    let open = matches!(found, Bearing::Unrelated | Bearing::Unsure(Doubt::Scope | Doubt::Difference));
    if open && may_replace(old, new) { Bearing::Unsure(Doubt::Change) } else { found }
}

/// Two claims that are meant as they are said.
fn judge_told(old: &Reading, new: &Reading, aligned: &Alignment, related: bool) -> Bearing {
    if let Some(bearing) = judge_change(old, new) {
        return bearing;
    }
    if let Some(bearing) = judge_end_of_life(old, new).or_else(|| judge_end_of_life(new, old).map(turned)) {
        return bearing;
    }
    if old.negated != new.negated {
        return judge_denial(old, new, aligned, related);
    }
    judge_rest(old, new, aligned, related)
}

/// Half of what the shorter claim speaks of is in the other as well.
fn is_related(old: &Reading, new: &Reading, aligned: &Alignment) -> bool {
    let heavy = |reading: &Reading| reading.items.iter().filter(|item| !item.light).count();
    let shared = aligned.pairs.iter().filter(|pair| !old.items[pair.old].light).count();
    shared > 0 && shared * 2 >= heavy(old).min(heavy(new))
}

pub(super) fn contradicts(why: Why, old: String, new: String) -> Bearing {
    Bearing::Contradicts(Difference { why, old, new })
}

/// The same finding with old and new changed about.
pub(super) fn turned(bearing: Bearing) -> Bearing {
    match bearing {
        Bearing::Contradicts(Difference { why, old, new }) => contradicts(why, new, old),
        Bearing::Adds => Bearing::Contained,
        Bearing::Contained => Bearing::Adds,
        other => other,
    }
}

fn judge_denial(old: &Reading, new: &Reading, aligned: &Alignment, related: bool) -> Bearing {
    let (denying, other) = if old.negated { (old, new) } else { (new, old) };
    let left = if old.negated { &aligned.left_old } else { &aligned.left_new };
    let ended = denying.ended;
    // That a thing is over says so of whatever holds it; that something is not
    // done speaks of the doing, too.
    let bearable = |item: &usize| {
        let verb = denying.items[*item].place == Place::Verb;
        denying.items[*item].light && other.slot != Slot::Other || ended && verb
    };
    let narrower = aligned.pairs.iter().filter(|pair| match pair.tie {
        Tie::Same => false,
        Tie::Narrower => old.negated,
        Tie::Wider => new.negated,
    });
    let narrower = narrower.count();
    let missing = left.iter().filter(|item| !bearable(item)).count() + narrower;
    let covered = aligned.pairs.iter().filter(|pair| {
        let item = if old.negated { pair.old } else { pair.new };
        !denying.items[item].light
    });
    let covered = covered.count().saturating_sub(narrower);
    if covered == 0 {
        return Bearing::Unrelated;
    }
    let borne = if old.episode && new.episode { (missing + covered) / MISSING } else { 0 };
    if missing > borne {
        // "Not enabled" and "disabled" are one.
        if let Some((one, two)) = only_clash(old, new, aligned)
            && clash(old.word(one).by_stem(), new.word(two).by_stem())
                .is_some_and(|clash| clash != Clash::Class)
        {
            return Bearing::Same;
        }
        return if related { Bearing::Unsure(Doubt::Scope) } else { Bearing::Unrelated };
    }
    if other.hedged || denying.hedged {
        return Bearing::Unsure(Doubt::Hedge);
    }
    let their_left = if old.negated { &aligned.left_new } else { &aligned.left_old };
    let about_another = ended
        && denying.items.iter().all(|item| item.light || item.place != Place::Subject)
        && aligned
            .pairs
            .iter()
            .all(|pair| other.items[if old.negated { pair.new } else { pair.old }].place == Place::Subject)
        && their_left.iter().any(|item| !other.items[*item].light);
    if about_another {
        return Bearing::Unsure(Doubt::Scope);
    }
    let why = if ended { Why::NoLonger } else { Why::Negation };
    contradicts(why, said(old), said(new))
}

/// A claim in short: what it says, without its subject where it has more.
pub(super) fn said(reading: &Reading) -> String {
    let items =
        (0..reading.items.len()).filter(|at| reading.items[*at].place != Place::Subject).collect::<Vec<_>>();
    let items = if items.is_empty() { (0..reading.items.len()).collect() } else { items };
    let words = items.into_iter().map(|at| reading.word(at).shown.as_str()).collect::<Vec<_>>().join(" ");
    match (reading.ended, reading.negated) {
        (true, _) => format!("{NO_LONGER}: {words}"),
        (false, true) => format!("not: {words}"),
        (false, false) => words,
    }
}

/// The one word of each claim that is left, if it is one each.
fn only_clash(old: &Reading, new: &Reading, aligned: &Alignment) -> Option<(usize, usize)> {
    let heavy = |reading: &Reading, left: &[usize]| -> Vec<usize> {
        left.iter().copied().filter(|item| !reading.items[*item].light).collect()
    };
    match (&heavy(old, &aligned.left_old)[..], &heavy(new, &aligned.left_new)[..]) {
        ([one], [two]) => Some((*one, *two)),
        _ => None,
    }
}

/// Claims of one polarity: what is left over on either side decides.
fn judge_rest(old: &Reading, new: &Reading, aligned: &Alignment, related: bool) -> Bearing {
    let heavy = |reading: &Reading, left: &[usize]| -> Vec<usize> {
        left.iter().copied().filter(|item| !reading.items[*item].light).collect()
    };
    let left_old = heavy(old, &aligned.left_old);
    let left_new = heavy(new, &aligned.left_new);
    if aligned.pairs.is_empty() && !(speaks_for_self(old) && speaks_for_self(new) && old.slot == new.slot) {
        return Bearing::Unrelated;
    }
    match (left_old.is_empty(), left_new.is_empty()) {
        (true, true) => judge_same_words(old, new, aligned),
        (true, false) => judge_more(old, new, &left_new, Bearing::Adds),
        (false, true) => judge_more(new, old, &left_old, Bearing::Contained),
        (false, false) => judge_both(old, new, aligned, &left_old, &left_new, related),
    }
}

fn judge_same_words(old: &Reading, new: &Reading, aligned: &Alignment) -> Bearing {
    if let Some((one, two, how)) = particle_clash(old, new) {
        if are_not_named(old, new) {
            return Bearing::Unsure(Doubt::Difference);
        }
        let why = if how == Clash::State { Why::State } else { Why::Antonym };
        return contradicts(why, one, two);
    }
    let crossed = |first: bool, then: bool| {
        let is_subject = |reading: &Reading, item: usize| reading.items[item].place == Place::Subject;
        aligned
            .pairs
            .iter()
            .any(|pair| is_subject(old, pair.old) == first && is_subject(new, pair.new) == then)
    };
    let turned_about = crossed(true, false) && crossed(false, true) && old.passive == new.passive;
    let redirected = aligned.pairs.iter().any(|pair| {
        let (before, after) = (direction_of(old, pair.old), direction_of(new, pair.new));
        let ranks = [before, after].iter().flatten().any(|word| matches!(*word, "over" | "than"));
        before != after && (ranks || before.is_some() && after.is_some())
    });
    // "A is here, B is there" and "A is there, B is here".
    let moved = |pair: &Pair| clause_of(old, pair.old) != clause_of(new, pair.new);
    let exchanged = aligned.pairs.iter().any(moved)
        && !aligned.pairs.iter().all(moved)
        && has_clauses(old)
        && has_clauses(new);
    if let (Some((first, second)), Some((one, other))) = (ranked(old), ranked(new)) {
        let stems = |reading: &Reading, items: &[usize]| {
            items.iter().map(|item| reading.word(*item).stem.clone()).collect::<Vec<_>>()
        };
        let swapped = stems(old, &first) == stems(new, &other) && stems(old, &second) == stems(new, &one);
        if swapped && !old.hedged && !new.hedged {
            return contradicts(Why::Value, old.shown_exactly(&first), new.shown_exactly(&one));
        }
    }
    // "port 80 of host 443" and "port 443 of host 80".
    let figures = || aligned.pairs.iter().filter(|pair| is_figure(old, pair.old) && is_figure(new, pair.new));
    let renumbered = figures().count() > 1
        && figures().any(|pair| {
            let (before, after) = (beside(old, pair.old), beside(new, pair.new));
            before.0 != after.0 && before.1 != after.1
        });
    if turned_about || redirected || exchanged || renumbered {
        return Bearing::Unsure(Doubt::Order);
    }
    if !old.years.is_empty() && !new.years.is_empty() && old.years != new.years {
        return Bearing::Unrelated;
    }
    if old.hedged != new.hedged {
        return Bearing::Unsure(Doubt::Hedge);
    }
    // To live in a town is not to work there, though both verbs say little.
    let said_by_verb = |reading: &Reading| {
        reading.slot.holds_one() && reading.items.iter().any(|item| item.place == Place::Verb)
    };
    if old.slot != new.slot && said_by_verb(old) && said_by_verb(new) && !(old.episode || new.episode) {
        return Bearing::Unsure(Doubt::Difference);
    }
    let narrower = aligned.pairs.iter().any(|pair| pair.tie == Tie::Narrower);
    let wider = aligned.pairs.iter().any(|pair| pair.tie == Tie::Wider);
    match (narrower, wider) {
        (false, false) => Bearing::Same,
        (true, true) => Bearing::Unsure(Doubt::Scope),
        // The old claim names a kind of what the new one names.
        (true, false) => {
            if old.negated {
                Bearing::Adds
            } else {
                Bearing::Contained
            }
        }
        (false, true) => {
            if old.negated {
                Bearing::Contained
            } else {
                Bearing::Adds
            }
        }
    }
}

/// What is preferred, and to what: "tabs over spaces", "tab'ı boşluğa tercih".
fn ranked(reading: &Reading) -> Option<(Vec<usize>, Vec<usize>)> {
    if !matches!(reading.slot, Slot::Preference | Slot::Use) {
        return None;
    }
    let items = 0..reading.items.len();
    if !reading.turkish {
        let over = reading.words.iter().position(|word| word.folded == "over")?;
        let first = items.clone().rfind(|item| reading.items[*item].word < over)?;
        let second = items.clone().find(|item| reading.items[*item].word > over)?;
        let touching = |one: usize, other: usize| reading.items[one].word + 1 == reading.items[other].word;
        let named = |item: usize| !matches!(reading.items[item].place, Place::Verb | Place::Subject);
        let (mut from, mut to) = (first, second);
        while from > 0 && named(from - 1) && touching(from - 1, from) {
            from -= 1;
        }
        while to + 1 < reading.items.len() && touching(to, to + 1) {
            to += 1;
        }
        return Some(((from..=first).collect(), (second..=to).collect()));
    }
    let in_case = |item: &usize, endings: &[&str]| {
        let word = reading.word(*item);
        let ends = if word.ending.is_empty() {
            endings.iter().any(|end| word.folded.len() >= end.len() + 3 && word.folded.ends_with(end))
        } else {
            endings.contains(&word.ending.as_str())
        };
        reading.items[*item].place != Place::Verb && ends
    };
    let first = items.clone().rfind(|item| in_case(item, &["i", "u", "yi", "yu"]))?;
    let second = items.clone().rfind(|item| in_case(item, &["a", "e", "ya", "ye"]))?;
    Some((vec![first], vec![second]))
}

fn is_figure(reading: &Reading, item: usize) -> bool {
    reading.word(item).folded.starts_with(|mark: char| mark.is_ascii_digit())
}

/// The words before and after an item.
fn beside(reading: &Reading, item: usize) -> (Option<&str>, Option<&str>) {
    let at = reading.items[item].word;
    let word = |at: usize| reading.words.get(at).map(|word| word.folded.as_str());
    (at.checked_sub(1).and_then(word), word(at + 1))
}

/// How many clauses end before an item.
fn clause_of(reading: &Reading, item: usize) -> usize {
    let until = reading.items[item].word;
    reading.words[..=until]
        .iter()
        .skip(1)
        .filter(|word| word.after_pause || matches!(word.folded.as_str(), "and" | "ve"))
        .count()
}

fn has_clauses(reading: &Reading) -> bool {
    reading.items.last().is_some() && clause_of(reading, reading.items.len() - 1) > 0
}

/// The small word that says which part an item has: "from" here is not "to"
/// there.
fn direction_of(reading: &Reading, item: usize) -> Option<&str> {
    const DIRECTIONS: &[&str] =
        &["from", "to", "over", "than", "under", "behind", "by", "with", "without", "into", "onto"];
    let at = reading.items[item].word;
    let before = reading.words[at.saturating_sub(4)..at].iter().rev().map(|word| word.folded.as_str());
    before.take_while(|word| !matches!(*word, "is" | "are" | "and")).find(|word| DIRECTIONS.contains(word))
}

/// One claim has everything of the other, and `left` besides.
fn judge_more(shorter: &Reading, longer: &Reading, left: &[usize], bearing: Bearing) -> Bearing {
    if longer.hedged {
        return Bearing::Unsure(Doubt::Hedge);
    }
    if left.iter().any(|item| longer.items[*item].place == Place::Subject) && !longer.indefinite {
        return Bearing::Unsure(Doubt::Scope);
    }
    // Every hour, and every six hours.
    if let [item] = left
        && longer.word(*item).is_number()
        && longer.items[*item].word.checked_sub(1).is_some_and(|at| repeats(&longer.words[at]))
        && shorter.words.iter().any(repeats)
    {
        let found = contradicts(Why::Number, said(shorter), said(longer));
        return if bearing == Bearing::Contained { turned(found) } else { found };
    }
    let counts = left.iter().any(|item| longer.word(*item).is_number());
    if counts && shorter.words.iter().any(|word| matches!(word.folded.as_str(), "one" | "single" | "tek")) {
        return Bearing::Unsure(Doubt::Difference);
    }
    // What is not done in one case may be done in others; a further clause
    // leaves the denial as it is.
    let first = left.first().map_or(0, |item| longer.items[*item].word);
    let new_clause = longer.words[..=first].iter().skip(1).any(|word| word.after_pause);
    if longer.negated && !new_clause {
        return Bearing::Unsure(Doubt::Scope);
    }
    bearing
}

fn repeats(word: &Word) -> bool {
    matches!(word.folded.as_str(), "every" | "her")
}

fn judge_both(
    old: &Reading,
    new: &Reading,
    aligned: &Alignment,
    left_old: &[usize],
    left_new: &[usize],
    related: bool,
) -> Bearing {
    let otherwise = |doubt: Doubt| if related { Bearing::Unsure(doubt) } else { Bearing::Unrelated };
    let at = |reading: &Reading, left: &[usize], place: Place| {
        left.iter().any(|item| reading.items[*item].place == place)
    };
    let shared = aligned.pairs.iter().any(|pair| !old.items[pair.old].light);
    if !old.years.is_empty() && !new.years.is_empty() && old.years != new.years {
        return Bearing::Unrelated;
    }
    let others = at(old, left_old, Place::Subject) && at(new, left_new, Place::Subject);
    if others || are_different_people(old, new) {
        return Bearing::Unrelated;
    }
    if let Some(bearing) = judge_opposites(old, new, left_old, left_new, shared) {
        return bearing;
    }
    if old.adds || new.adds {
        return Bearing::Unrelated;
    }
    if let (Some(one), Some(two)) = (only_figure(old, left_old), only_figure(new, left_new))
        && let Some(bearing) = judge_numbers(old, new, one, two)
    {
        return bearing;
    }
    if measures_differ(old, new, left_old, left_new) {
        return Bearing::Unsure(Doubt::Unit);
    }
    let particular = !(old.indefinite || new.indefinite || old.episode || new.episode);
    if !particular {
        return otherwise(Doubt::Difference);
    }
    if at(old, left_old, Place::Beside) && at(new, left_new, Place::Beside) {
        return Bearing::Unrelated;
    }
    let values = at(old, left_old, Place::Value) && at(new, left_new, Place::Value);
    if !values {
        return otherwise(Doubt::Difference);
    }
    let one_sided = [Place::Subject, Place::Beside]
        .into_iter()
        .any(|place| at(old, left_old, place) || at(new, left_new, place));
    let classed =
        left_old.iter().any(|one| left_new.iter().any(|two| class_clash(old.word(*one), new.word(*two))));
    // What is written in the one language and what in the other are two things.
    let object = |reading: &Reading, left: &[usize]| {
        let is = |item: &usize| reading.turkish && is_object(reading.word(*item));
        left.iter().any(is)
    };
    if object(old, left_old) && object(new, left_new) {
        return otherwise(Doubt::Scope);
    }
    if one_sided {
        return if classed { Bearing::Unsure(Doubt::Scope) } else { otherwise(Doubt::Scope) };
    }
    if old.hedged || new.hedged {
        return otherwise(Doubt::Hedge);
    }
    if old.advised != new.advised && !old.order && !new.order {
        return Bearing::Unsure(Doubt::Plan);
    }
    let same_slot = if old.slot.holds_one() && new.slot.holds_one() {
        same_slot(old, new) || classed && old.slot == new.slot
    } else {
        old.slot == new.slot
    };
    let same_verb = !at(old, left_old, Place::Verb) || !at(new, left_new, Place::Verb);
    if !same_slot && old.slot.holds_one() && new.slot.holds_one() && are_apart(old, new) {
        return Bearing::Unrelated;
    }
    if !same_slot || !same_verb {
        return otherwise(Doubt::Difference);
    }
    let value = || contradicts(Why::Value, old.shown(left_old), new.shown(left_new));
    let subject_known = share_subject(old, new, aligned)
        || speaks_for_self(old) && speaks_for_self(new)
        || old.order && new.order;
    match old.slot {
        _ if !subject_known => otherwise(Doubt::Difference),
        slot if classed && (slot.holds_one() || slot == Slot::Use || old.order) => value(),
        Slot::Location | Slot::Hosting | Slot::Means
            if old.order && !share_subject(old, new, aligned) && !shared =>
        {
            otherwise(Doubt::Difference)
        }
        // "Empty" is how a database is, not which one.
        Slot::Identity if tells_condition(old, left_old) || tells_condition(new, left_new) => {
            otherwise(Doubt::Difference)
        }
        // Somebody prefers one of two, and many things of which no two are one.
        Slot::Preference if !shares_value(old, new, aligned) => Bearing::Unsure(Doubt::Several),
        // Two may answer for a thing, unless one says that it is so now.
        Slot::Agent if !(old.passive && new.passive || tells_now(old) || tells_now(new)) => {
            Bearing::Unsure(Doubt::Several)
        }
        slot if slot.holds_one() => value(),
        Slot::Quality if are_names(old, left_old) && are_names(new, left_new) => value(),
        Slot::Use if shares_purpose(old, new, aligned) => value(),
        Slot::Use => Bearing::Unsure(Doubt::Several),
        _ => otherwise(Doubt::Difference),
    }
}

/// The things that something is done to.
fn is_object(word: &Word) -> bool {
    !word.is_literal() && ["larini", "lerini", "lari", "leri"].iter().any(|end| word.folded.ends_with(end))
}

/// What is preferred is a kind of one thing ("functional style"), or for one
/// purpose.
fn shares_value(old: &Reading, new: &Reading, aligned: &Alignment) -> bool {
    let of_value = |place: Place| matches!(place, Place::Value | Place::Beside);
    let shared = |pair: &Pair| of_value(old.items[pair.old].place) && of_value(new.items[pair.new].place);
    aligned.pairs.iter().any(shared)
}

fn tells_now(reading: &Reading) -> bool {
    reading.words.iter().any(|word| matches!(word.folded.as_str(), "now" | "since" | "artik" | "beri"))
}

fn tells_condition(reading: &Reading, left: &[usize]) -> bool {
    left.iter().any(|item| !reading.word(*item).is_literal() && has_opposite(reading.word(*item).by_stem()))
}

/// Files, addresses and the like: "the config file is" only one of them.
fn are_names(reading: &Reading, left: &[usize]) -> bool {
    left.iter().all(|item| reading.word(*item).is_literal())
        && reading.words.first().is_some_and(|first| matches!(first.folded.as_str(), "the" | "our" | "my"))
}

pub(super) fn class_clash(one: &Word, two: &Word) -> bool {
    fn entry(word: &Word) -> Entry<'_> {
        if word.is_literal() { word.by_spelling() } else { word.by_stem() }
    }
    clash(entry(one), entry(two)).is_some()
}

/// A word that stands before the verb, or is what the value belongs to, in
/// both claims.
fn share_subject(old: &Reading, new: &Reading, aligned: &Alignment) -> bool {
    aligned.pairs.iter().any(|pair| {
        old.items[pair.old].place == Place::Subject && new.items[pair.new].place == Place::Subject
    })
}

fn shares_purpose(old: &Reading, new: &Reading, aligned: &Alignment) -> bool {
    aligned
        .pairs
        .iter()
        .any(|pair| old.items[pair.old].place == Place::Beside && new.items[pair.new].place == Place::Beside)
}

pub(super) fn speaks_for_self(reading: &Reading) -> bool {
    reading.words.iter().any(|word| {
        word.first_person
            || matches!(word.folded.as_str(), "i" | "we" | "my" | "our" | "ben" | "biz" | "benim" | "bizim")
    }) && reading.items.iter().all(|item| item.place != Place::Subject)
}

/// "I" and a name, "she" and "we".
fn are_different_people(old: &Reading, new: &Reading) -> bool {
    let theirs = |reading: &Reading| reading.has("she") || reading.has("he") || reading.has("they");
    let named = |reading: &Reading| {
        reading.slot == Slot::Preference && reading.items.iter().any(|item| item.place == Place::Subject)
    };
    speaks_for_self(old) && (theirs(new) || named(new)) || speaks_for_self(new) && (theirs(old) || named(old))
}

/// Both tell what somebody or something unnamed is at.
pub(super) fn are_not_named(old: &Reading, new: &Reading) -> bool {
    old.indefinite && new.indefinite && old.episode && new.episode
}
