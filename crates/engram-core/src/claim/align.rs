//! Which word of one claim answers to which of another, and which are left.

use super::lists::{Tie, tie};
use super::reading::Reading;
use super::words::Word;

/// Two items that speak of the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) old: usize,
    pub(super) new: usize,
    pub(super) tie: Tie,
}

#[derive(Debug, Default)]
pub(super) struct Alignment {
    pub(super) pairs: Vec<Pair>,
    pub(super) left_old: Vec<usize>,
    pub(super) left_new: Vec<usize>,
}

/// How two words bear on each other. In Turkish an ending more or less is the
/// same word still.
pub(super) fn tie_of(one: &Word, other: &Word, turkish: bool) -> Option<Tie> {
    if one.folded == other.folded {
        return Some(Tie::Same);
    }
    if one.is_literal() || other.is_literal() {
        return (one.stem == other.stem)
            .then_some(Tie::Same)
            .or_else(|| tie(one.by_spelling(), other.by_spelling()));
    }
    tie(one.by_stem(), other.by_stem())
        .or_else(|| (turkish && is_same_root(&one.stem, &other.stem)).then_some(Tie::Same))
}

/// The shorter is the beginning of the longer, but for a letter that softens
/// (kitap, kitabı), and the rest is no more than an ending.
fn is_same_root(one: &str, other: &str) -> bool {
    let shared = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let (short, long) = (one.len().min(other.len()), one.len().max(other.len()));
    shared >= 4 && shared + 1 >= short && long - shared <= 4
}

// Both sides are marked while both are walked.
#[allow(clippy::needless_range_loop)]
pub(super) fn align(old: &Reading, new: &Reading) -> Alignment {
    let turkish = old.turkish || new.turkish;
    let mut taken_old = vec![false; old.items.len()];
    let mut taken_new = vec![false; new.items.len()];
    let mut pairs = Vec::new();
    // The plainest ties first: the same word in the same place, then anywhere,
    // then another word for it.
    for (needs_place, only_same) in [(true, true), (false, true), (true, false), (false, false)] {
        for at in 0..taken_old.len() {
            if taken_old[at] {
                continue;
            }
            for other in 0..taken_new.len() {
                if taken_new[other] || needs_place && old.items[at].place != new.items[other].place {
                    continue;
                }
                // Two words of one stem are the same, whatever they are.
                let (one, two) = (old.word(at), new.word(other));
                let tie = if only_same {
                    (one.stem == two.stem).then_some(Tie::Same)
                } else {
                    tie_of(one, two, turkish)
                };
                let Some(tie) = tie else { continue };
                (taken_old[at], taken_new[other]) = (true, true);
                pairs.push(Pair { old: at, new: other, tie });
                break;
            }
        }
    }
    let left = |taken: &[bool]| (0..taken.len()).filter(|at| !taken[*at]).collect::<Vec<_>>();
    Alignment { left_old: left(&taken_old), left_new: left(&taken_new), pairs }
}
