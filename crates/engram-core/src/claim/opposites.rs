//! Two words that exclude each other and are all the difference between two
//! claims.

use super::judge::{are_not_named, contradicts};
use super::lists::{Clash, clash};
use super::reading::{Place, Reading};
use super::words::Word;
use super::{Bearing, Doubt, Why};

/// Stems of verbs that say how something stands rather than what it does.
#[rustfmt::skip]
const VERDICTS: &[&str] = &[
    "pass", "fail", "work", "break", "allow", "permit", "forbid", "prohibit", "ban", "lov", "lik", "hat", "dislik",
    "includ", "exclud", "accept", "reject", "refus", "requir",
];

/// Two words that exclude each other, with nothing else to tell the claims
/// apart.
pub(super) fn judge_opposites(
    old: &Reading,
    new: &Reading,
    left_old: &[usize],
    left_new: &[usize],
    shared: bool,
) -> Option<Bearing> {
    // Of two that are not named, one may do this and the other that.
    if !shared || are_not_named(old, new) {
        return None;
    }
    for one in left_old {
        for two in left_new {
            let (place_one, place_two) = (old.items[*one].place, new.items[*two].place);
            if place_one == Place::Subject || place_two == Place::Subject {
                continue;
            }
            let (first, second) = (old.word(*one), new.word(*two));
            let how = clash(first.by_stem(), second.by_stem())
                .or_else(|| clash(first.by_spelling(), second.by_spelling()));
            let how = match how {
                Some(how) if how != Clash::Class => how,
                _ => continue,
            };
            // Whatever else is left may only be on one side, or the claims
            // differ in something that is not understood.
            let (rest_old, rest_new) = (left_old.len() - 1, left_new.len() - 1);
            if rest_old > 0 && rest_new > 0 || rest_old + rest_new > 2 {
                continue;
            }
            // Who opens a thing may close it, too; what passes does not fail.
            let acts = place_one == Place::Verb
                && place_two == Place::Verb
                && !VERDICTS.contains(&first.stem.as_str());
            if acts && !(old.episode || old.turkish) {
                return Some(Bearing::Unsure(Doubt::Difference));
            }
            if place_one == Place::Beside && place_two == Place::Beside && !old.episode {
                continue;
            }
            if old.hedged || new.hedged {
                return Some(Bearing::Unsure(Doubt::Hedge));
            }
            let why = if how == Clash::State { Why::State } else { Why::Antonym };
            return Some(contradicts(why, first.shown.clone(), second.shown.clone()));
        }
    }
    None
}

/// Small words that are all the difference: on and off, up and down.
pub(super) fn particle_clash(old: &Reading, new: &Reading) -> Option<(String, String, Clash)> {
    const PARTICLES: &[&str] = &[
        "on", "off", "up", "down", "in", "out", "into", "onto", "under", "over", "all", "none", "var", "yok",
        "with", "without",
    ];
    fn own<'r>(reading: &'r Reading, other: &Reading) -> Vec<&'r Word> {
        let is_own = |word: &&Word| PARTICLES.contains(&word.folded.as_str()) && !other.has(&word.folded);
        reading.words.iter().filter(is_own).collect()
    }
    let (ours, theirs) = (own(old, new), own(new, old));
    let pairs = ours.iter().flat_map(|one| theirs.iter().map(move |two| (one, two)));
    let mut clashing = pairs.filter_map(|(one, two)| {
        let how = clash(one.by_spelling(), two.by_spelling()).filter(|how| *how != Clash::Class)?;
        Some((one.folded.clone(), two.folded.clone(), how))
    });
    clashing.next()
}
