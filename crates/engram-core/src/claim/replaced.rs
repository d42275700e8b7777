//! Whether the value that a claim holds was replaced by that of another.
//!
//! A value takes the place of another of its sort where a change is told and
//! both are values of one thing: half of the words of the shorter claim are in
//! the other, and nothing sets them apart. Of a value that can be told by its
//! sort one thing is enough that both speak of, and none where the old value
//! itself is said to be gone. Two rows of a table, staging and production, two
//! modules of two people are two things.

use super::again::has_clauses;
use super::align::tie_of;
use super::holds::{Hold, is_gone, is_handed, is_left};
use super::judge::contradicts;
use super::lists::{Clash, clash};
use super::nouns::{
    are_of_a_family, is_attribute, is_container, is_generic, is_language, is_one_root, is_region, is_setting,
    is_stuff, is_transparent, measure_of, roles_of, settings_of,
};
use super::reading::{Item, Place, Reading};
use super::values::{About, Holding, Sort, Value, begins_large};
use super::words::Word;
use super::{Bearing, Why};

/// A change that `new` tells of, of a value that `old` holds.
pub(super) fn judge_values(old: &Reading, new: &Reading) -> Option<Bearing> {
    let theirs = new.holding();
    // "X de": X, too.
    let too = |word: &Word| new.turkish && matches!(word.folded.as_str(), "de" | "da");
    let adds = new.adds || old.adds || new.words.iter().any(too);
    // That something is over brings no other value.
    let only_ends = new.ended && new.change.is_none() && !has_clauses(new);
    if !theirs.changes || adds || old.negated || new.advised || only_ends {
        return None;
    }
    let ours = old.holding();
    let pair = Two { old, new };
    let mut found = None;
    for was in &ours.values {
        let said = pair.find(was, theirs).or_else(|| pair.find_short(was, theirs));
        // It still is so, or has become so.
        if said.is_some_and(|value| !value.left) {
            continue;
        }
        let known = |value: &Value| ours.values.iter().any(|other| pair.is_same(other, value));
        // What is over is another value than this one.
        let other_left = |value: &&Value| value.left && value.sort == was.sort;
        if said.is_none() && theirs.values.iter().any(|value| other_left(&value)) {
            continue;
        }
        let excludes = |value: &Value| match said {
            Some(_) => value.sort == was.sort || was.sort == Sort::Named && value.sort == Sort::Person,
            None => pair.exclude(was, value),
        };
        let itself = |value: &Value| said.is_some_and(|said| said.from == value.from);
        let fits = |value: &&Value| !value.left && !itself(value) && !known(value) && excludes(value);
        let now = theirs.values.iter().find(fits);
        let Some(now) = now else { continue };
        let rest = said.map(|said| theirs.beside(&said));
        let told = match said {
            Some(said) if is_gone(new, &said) || was.sort == Sort::Path => Told::Gone,
            Some(_) => Told::Named,
            None => Told::Not,
        };
        if pair.is_of_one_thing(ours, rest.as_ref().unwrap_or(theirs), was, told) {
            found = found.or(Some((was, now)));
        }
    }
    let (was, now) = found?;
    let why = if now.sort == Sort::State { Why::State } else { Why::Moved };
    Some(contradicts(why, shown(old, was), shown(new, now)))
}

/// Whether `new` tells of a change and has another value of a sort that `old`
/// holds, for what may be the same thing: nobody can be sure of more.
pub(super) fn may_replace(old: &Reading, new: &Reading) -> bool {
    let (ours, theirs) = (old.holding(), new.holding());
    let pair = Two { old, new };
    let differ = |was: &Value| {
        pair.find(was, theirs).is_none()
            && theirs.values.iter().any(|now| !now.left && pair.exclude(was, now))
    };
    theirs.changes
        && !(old.adds || new.adds || old.negated)
        && ours.values.iter().any(differ)
        && !pair.are_apart(ours, theirs)
        && {
            let shared = pair.shared(ours, theirs);
            shared.nouns > shared.settings
        }
}

fn shown(reading: &Reading, value: &Value) -> String {
    let words = &reading.words[value.from..value.to];
    words.iter().map(|word| word.shown.as_str()).collect::<Vec<_>>().join(" ")
}

/// Two claims, the one said before the other.
pub(super) struct Two<'r> {
    pub(super) old: &'r Reading,
    pub(super) new: &'r Reading,
}

impl Two<'_> {
    fn turkish(&self) -> bool {
        self.old.turkish || self.new.turkish
    }

    fn word(&self, at: usize) -> &Word {
        &self.old.words[at]
    }

    fn other(&self, at: usize) -> &Word {
        &self.new.words[at]
    }

    pub(super) fn tied(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.word(one), self.other(other));
        tie_of(one, other, self.turkish()).is_some() || is_one_root(one, other, self.turkish())
    }

    /// A value of the old claim in the new one: held, or named where nothing
    /// else tells that it is a value.
    pub(super) fn find(&self, was: &Value, theirs: &Holding) -> Option<Value> {
        let held = theirs.values.iter().find(|value| self.is_same(was, value)).copied();
        if held.is_some() || !matches!(was.sort, Sort::Named | Sort::Person | Sort::Path) {
            return held;
        }
        let wanted = &self.old.words[was.from..was.to];
        let in_longer = |at: usize| theirs.values.iter().any(|value| (value.from..value.to).contains(&at));
        let from = (0..=self.new.words.len().checked_sub(wanted.len())?).find(|from| {
            let there = &self.new.words[*from..*from + wanted.len()];
            !in_longer(*from) && there.iter().zip(wanted).all(|(one, other)| one.folded == other.folded)
        })?;
        let found = Value { from, to: from + wanted.len(), key: from, ..*was };
        Some(Value { left: is_left(self.new, &found), ..found })
    }

    /// The last part of a path, the first of an address or one word of a name,
    /// where the new claim has something else for it.
    fn find_short(&self, was: &Value, theirs: &Holding) -> Option<Value> {
        let held = |at: usize| theirs.values.iter().find(|value| (value.from..value.to).contains(&at));
        let alone = |at: usize| held(at).is_none_or(|value| value.to == value.from + 1);
        let whole = &self.word(was.key).folded;
        let is_part = |word: &Word| match was.sort {
            Sort::Path => {
                whole.rsplit_once('/').is_some_and(|(_, last)| last.contains('.') && last == word.folded)
            }
            Sort::Named if was.to > was.from + 1 => {
                self.old.words[was.from..was.to].iter().any(|part| part.folded == word.folded)
            }
            Sort::Named => whole.split_once('.').is_some_and(|(first, _)| {
                first.contains(|mark: char| mark.is_ascii_digit() || mark == '-') && first == word.folded
            }),
            _ => false,
        };
        let at = (0..self.new.words.len()).find(|at| alone(*at) && is_part(self.other(*at)))?;
        let found = Value { from: at, to: at + 1, key: at, ..*was };
        (was.sort == Sort::Path || is_left(self.new, &found)).then_some(Value { left: true, ..found })
    }

    /// Whether a value of the old claim is that of the new one.
    pub(super) fn is_same(&self, was: &Value, now: &Value) -> bool {
        let (one, other) = (self.word(was.key), self.other(now.key));
        let words = |reading: &Reading, value: &Value| {
            reading.words[value.from..value.to].iter().map(|word| word.folded.clone()).collect::<Vec<_>>()
        };
        if was.sort == Sort::State && now.sort == Sort::State {
            return was.on.is_some() && was.on == now.on || one.stem == other.stem;
        }
        match (was.sort, now.sort) {
            (Sort::Release | Sort::Amount | Sort::Port, Sort::Release | Sort::Amount | Sort::Port) => {
                one.folded == other.folded && self.may_count_the_same(was, now)
            }
            (Sort::Often, Sort::Often) => one.stem == other.stem,
            (Sort::Named | Sort::Person, Sort::Named | Sort::Person) => {
                let (ours, theirs) = (words(self.old, was), words(self.new, now));
                let person = was.sort == Sort::Person || now.sort == Sort::Person;
                let within = |one: &[String], other: &[String]| one.iter().all(|word| other.contains(word));
                ours == theirs || person && (within(&ours, &theirs) || within(&theirs, &ours))
            }
            (one_sort, other_sort) => {
                one_sort == other_sort && (one.folded == other.folded || one.stem == other.stem)
            }
        }
    }

    fn may_count_the_same(&self, was: &Value, now: &Value) -> bool {
        let (Some(one), Some(other)) = (was.of, now.of) else { return true };
        let (first, second) = (self.word(one), self.other(other));
        match (measure_of(first), measure_of(second)) {
            (None, None) => self.tied(one, other),
            (first, second) => first == second,
        }
    }

    /// Whether two values are of one sort and not the same.
    fn exclude(&self, was: &Value, now: &Value) -> bool {
        let (one, other) = (self.word(was.key), self.other(now.key));
        if self.is_same(was, now) {
            return false;
        }
        match (was.sort, now.sort) {
            (Sort::State, Sort::State) => {
                let switched = matches!((was.on, now.on), (Some(one), Some(other)) if one != other);
                let opposed =
                    [clash(one.by_stem(), other.by_stem()), clash(one.by_spelling(), other.by_spelling())];
                switched || opposed.contains(&Some(Clash::State))
            }
            (Sort::Release, Sort::Release) | (Sort::Amount, Sort::Amount) => {
                self.may_count_the_same(was, now)
            }
            (Sort::Port, Sort::Amount) => now.of.is_none(),
            (Sort::Named, Sort::Named) => self.hang_alike(was, now),
            (Sort::Person, Sort::Person) => roles_of(self.old) == roles_of(self.new),
            (Sort::Person, Sort::Named) => is_handed(self.new, now),
            (one, other) => one == other,
        }
    }

    /// What a thing is made with is not where it is, nor what it is called.
    fn hang_alike(&self, was: &Value, now: &Value) -> bool {
        let (one, other) = (self.word(was.key), self.other(now.key));
        let (mine, theirs) = (&one.by_stem().known.classes, &other.by_stem().known.classes);
        let classed = mine.iter().any(|line| theirs.contains(line));
        if classed || !mine.is_empty() && !theirs.is_empty() || is_language(one) || is_language(other) {
            return classed;
        }
        if are_of_a_family(one, other) {
            return true;
        }
        // A region or a town is no address.
        let placed = was.tie == Hold::Placed && now.tie == Hold::Placed;
        let place = |word: &Word| is_region(word) || placed && !word.is_literal();
        if place(one) && other.folded.contains('.') || place(other) && one.folded.contains('.') {
            return false;
        }
        match (was.tie, now.tie) {
            (Hold::Other, Hold::Called | Hold::Written | Hold::Preferred) => false,
            (Hold::Called | Hold::Written | Hold::Preferred, Hold::Other) => false,
            (Hold::Other, _) | (_, Hold::Other) => self.are_alike(one, other),
            (Hold::Is, Hold::Placed | Hold::With | Hold::Taken | Hold::Called) => true,
            (Hold::Placed | Hold::With | Hold::Taken | Hold::Called, Hold::Is) => true,
            (Hold::With | Hold::Placed, Hold::Taken) | (Hold::Taken, Hold::With | Hold::Placed) => true,
            (one, other) => one == other,
        }
    }

    /// The analytics data is in the analytics bucket; a server is no tool.
    fn is_one_stuff(&self, one: usize, two: usize) -> bool {
        let (one, two) = (self.word(one), self.other(two));
        let light = |word: &Word| is_generic(word) || is_transparent(word);
        light(one) && light(two) && (is_stuff(one) || is_stuff(two))
    }

    /// Two names of one shape: both in code, or both plain.
    fn are_alike(&self, one: &Word, other: &Word) -> bool {
        let in_code = |word: &Word| word.is_literal() && word.ending.is_empty();
        let shown = |word: &Word| word.folded.contains(['_', '.', '-']);
        let large = begins_large(one) == begins_large(other);
        in_code(one) == in_code(other) && shown(one) == shown(other) && large
    }

    /// Whether both claims speak of one thing; less is asked of one that names
    /// the old value.
    fn is_of_one_thing(&self, ours: &Holding, theirs: &Holding, was: &Value, told: Told) -> bool {
        let named = told != Told::Not;
        if self.are_apart(ours, theirs) || self.is_narrower() || self.differ_in_subject(ours, theirs) {
            return false;
        }
        let differ = self.differ_in_head(ours, theirs, Heads::Either)
            || self.differ_in_object(ours, theirs)
                && matches!(was.sort, Sort::Named | Sort::Path | Sort::Port | Sort::State)
            || self.is_of_a_kind(ours, theirs);
        if !named && differ {
            return false;
        }
        let shared = self.shared(ours, theirs);
        let (left_old, left_new) = (shared.old - shared.both, shared.new - shared.both);
        let enough = shared.both * 2 >= shared.old.min(shared.new);
        if shared.both > 0 && shared.both == shared.settings && left_old > 0 && !named {
            return false;
        }
        // To mirror something is no mirror.
        if shared.both > 0 && shared.nouns == 0 && was.sort == Sort::Named && !named {
            return false;
        }
        if shared.both > 0 {
            let loose = was.sort != Sort::Named && shared.nouns > shared.settings;
            return enough && (left_old == 0 || left_new == 0 || shared.both > 1 || named || loose);
        }
        if told == Told::Gone && matches!(was.sort, Sort::Path | Sort::Named | Sort::Person) {
            return true;
        }
        if named && matches!(was.sort, Sort::Path | Sort::Named | Sort::Release) {
            return shared.new == 0 && !theirs.about.iter().any(|about| about.act);
        }
        let product = matches!(was.sort, Sort::Release) && self.names_product(was);
        let bound = |reading: &Reading| {
            reading.words.iter().any(|word| matches!(word.folded.as_str(), "minimum" | "maximum" | "least"))
        };
        let kinds = self.kinds_agree(ours, theirs) && bound(self.old) == bound(self.new);
        shared.old == 0 && shared.new == 0 && (shared.generic > 0 || product && kinds)
    }

    fn names_product(&self, was: &Value) -> bool {
        was.of.is_some_and(|of| (0..self.new.words.len()).any(|at| self.tied(of, at)))
    }

    /// What both speak of, without the value itself and what it is a release of.
    pub(super) fn shared(&self, ours: &Holding, theirs: &Holding) -> Shared {
        let product = |at: usize, other: bool| {
            let holding = if other { ours } else { theirs };
            holding.values.iter().filter_map(|value| value.of.filter(|_| value.sort == Sort::Release)).any(
                |of| {
                    if other { self.tied(of, at) } else { self.tied(at, of) }
                },
            )
        };
        let mine: Vec<&About> = ours.about.iter().filter(|about| !product(about.word, false)).collect();
        let yours: Vec<&About> = theirs.about.iter().filter(|about| !product(about.word, true)).collect();
        let found = |about: &&&About| yours.iter().any(|other| self.tied(about.word, other.word));
        let of_thing =
            |about: &&&About| yours.iter().any(|other| !other.act && self.tied(about.word, other.word));
        let known = |about: &&&About| mine.iter().any(|other| self.tied(other.word, about.word));
        let special = |about: &&&About| !about.generic;
        let both = mine.iter().filter(special).filter(found);
        let of_new = yours.iter().filter(special).filter(known);
        Shared {
            old: mine.iter().filter(special).filter(|about| !about.act || found(about)).count(),
            new: yours.iter().filter(special).filter(|about| !about.act || known(about)).count(),
            settings: both.clone().filter(|about| is_setting(self.old, about)).count(),
            nouns: both.clone().filter(|about| !about.act && of_thing(about)).count(),
            both: both.count().min(of_new.count()),
            generic: mine.iter().filter(|about| about.generic).filter(found).count(),
        }
    }

    /// Both say of something what is done with it, and it is not the same.
    fn differ_in_subject(&self, ours: &Holding, theirs: &Holding) -> bool {
        let placed = |reading: &Reading, about: &About| {
            let is = |item: &Item| item.word == about.word && item.place == Place::Subject;
            let of_value = |value: &Value| value.of == Some(about.word);
            let product = reading.holding().values.iter().any(of_value);
            !about.act && !product && reading.items.iter().any(is)
        };
        let mine: Vec<&About> = ours.about.iter().filter(|about| placed(self.old, about)).collect();
        let yours: Vec<&About> = theirs.about.iter().filter(|about| placed(self.new, about)).collect();
        let in_new = |about: &&&About| theirs.about.iter().any(|other| self.tied(about.word, other.word));
        let in_old = |about: &&&About| ours.about.iter().any(|other| self.tied(other.word, about.word));
        !mine.is_empty()
            && !yours.is_empty()
            && !mine.iter().any(|about| in_new(&about))
            && !yours.iter().any(|about| in_old(&about))
    }

    /// Of what many things are or have, the claims name none apart.
    fn kinds_agree(&self, ours: &Holding, theirs: &Holding) -> bool {
        let kinds = |reading: &Reading, holding: &Holding| {
            holding.about.iter().any(|about| about.generic && !is_attribute(&reading.words[about.word]))
        };
        !(kinds(self.old, ours) && kinds(self.new, theirs))
    }

    /// The config of the gateway stays where it is when the gateway moves, and
    /// the release notes have nothing to do with the day of the release.
    pub(super) fn differ_in_head(&self, ours: &Holding, theirs: &Holding, which: Heads) -> bool {
        let in_new = |at: usize| theirs.about.iter().any(|other| self.tied(at, other.word));
        let in_old = |at: usize| ours.about.iter().any(|about| self.tied(about.word, at));
        let container = theirs.about.iter().any(|about| is_container(self.other(about.word)));
        let counts = |about: &&About| {
            let named = !about.generic || self.word(about.word).folded == "default";
            named && (which == Heads::Either || !is_setting(self.old, about))
        };
        ours.about.iter().filter(counts).any(|about| {
            theirs.about.iter().filter(|other| self.tied(about.word, other.word)).any(|other| {
                let one = head_after(self.old, ours, about.word);
                let one = one.filter(|head| !in_new(*head) && !chain(self.old, ours, *head).any(in_new));
                let two = head_after(self.new, theirs, other.word);
                let two = two.filter(|head| !in_old(*head) && !chain(self.new, theirs, *head).any(in_old));
                match (one, two) {
                    (None, None) => false,
                    (Some(one), Some(two)) if which == Heads::Either => {
                        !container && !self.is_one_stuff(one, two)
                    }
                    (Some(one), Some(two)) => {
                        !is_transparent(self.word(one))
                            && !is_transparent(self.other(two))
                            && !is_generic(self.word(one))
                            && !is_generic(self.other(two))
                    }
                    (Some(one), None) => {
                        which == Heads::Either && !is_transparent(self.word(one)) && !container
                    }
                    (None, Some(two)) => which != Heads::Both && !is_transparent(self.other(two)),
                }
            })
        })
    }

    /// The new claim is of one kind of what the old one is of: the end-to-end
    /// tests, and the tests.
    fn is_of_a_kind(&self, ours: &Holding, theirs: &Holding) -> bool {
        ours.about.iter().any(|about| {
            theirs.about.iter().filter(|other| self.tied(about.word, other.word)).any(|other| {
                let kind = kind_of(self.new, theirs, other.word)
                    .filter(|_| kind_of(self.old, ours, about.word).is_none());
                kind.is_some_and(|kind| {
                    !is_attribute(self.other(kind))
                        && !ours.about.iter().any(|about| self.tied(about.word, kind))
                })
            })
        })
    }

    /// One of them speaks of a thing more in what it says: what a scheduler
    /// keeps its state in is not what it is written in.
    fn differ_in_object(&self, ours: &Holding, theirs: &Holding) -> bool {
        let told = |reading: &Reading, about: &About| {
            let valued = |item: &Item| item.word == about.word && item.place == Place::Value;
            !reading.turkish
                && !about.generic
                && !about.act
                && !is_transparent(&reading.words[about.word])
                && reading.items.iter().any(valued)
        };
        let changed = self.new.change.is_some();
        let of_old = |about: &About| {
            told(self.old, about) && !theirs.about.iter().any(|other| self.tied(about.word, other.word))
        };
        let of_new = |about: &About| {
            told(self.new, about) && !ours.about.iter().any(|other| self.tied(other.word, about.word))
        };
        ours.about.iter().any(of_old) || !changed && theirs.about.iter().any(of_new)
    }

    /// Two things of one kind: "the payments module" and "the search module".
    pub(super) fn are_apart(&self, ours: &Holding, theirs: &Holding) -> bool {
        if self.are_set_apart() {
            return true;
        }
        let is_past = |reading: &Reading| settings_of(reading).iter().any(|(_, name)| *name == "old");
        if is_past(self.old) != is_past(self.new) {
            return true;
        }
        ours.about.iter().filter(|about| !about.act).any(|about| {
            let tied = |other: &&About| !other.act && self.tied(about.word, other.word);
            theirs.about.iter().filter(tied).any(|other| {
                let (one, two) =
                    match (kind_of(self.old, ours, about.word), kind_of(self.new, theirs, other.word)) {
                        (Some(one), Some(two)) => (one, two),
                        _ => return false,
                    };
                let elsewhere = theirs.about.iter().any(|other| self.tied(one, other.word))
                    || ours.about.iter().any(|about| self.tied(about.word, two));
                let light = self.word(one).folded.starts_with("ortam");
                !self.tied(one, two) && !elsewhere && !light
            })
        })
    }

    /// The one is of staging, the other of production.
    pub(super) fn are_set_apart(&self) -> bool {
        let differs = |one: &Reading, other: &Reading| {
            let (mine, yours) = (settings_of(one), settings_of(other));
            mine.iter().any(|(group, name)| {
                yours.iter().any(|(other, _)| other == group) && !yours.contains(&(*group, name))
            })
        };
        differs(self.old, self.new) && differs(self.new, self.old)
    }

    /// The new claim is of staging, the old one of everything.
    fn is_narrower(&self) -> bool {
        let (mine, yours) = (settings_of(self.old), settings_of(self.new));
        let inside =
            |two: &[Word]| matches!(two[0].folded.as_str(), "in" | "inside") && two[1].folded == "docker";
        let in_docker = |reading: &Reading| reading.words.windows(2).any(inside);
        yours.iter().any(|(group, _)| *group == 0 && !mine.iter().any(|(other, _)| other == group))
            || in_docker(self.new) && !in_docker(self.old)
    }
}

/// Which claim must name another part of a thing for the two to be apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heads {
    Either,
    New,
    Both,
}

/// What a claim says of the value that another holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Not,
    /// "From X": it was left here, and may be so elsewhere.
    Named,
    /// "X was renamed", "X is retired": wherever it was.
    Gone,
}

/// How many words, but for those of many things, two claims have and share.
pub(super) struct Shared {
    pub(super) old: usize,
    pub(super) new: usize,
    pub(super) both: usize,
    /// Of both, those that are no verbs.
    pub(super) nouns: usize,
    /// Of both, those that say where: "in production".
    pub(super) settings: usize,
    pub(super) generic: usize,
}

/// The words that follow a head right away: "string" and "translations".
fn chain<'r>(reading: &'r Reading, holding: &'r Holding, from: usize) -> impl Iterator<Item = usize> + 'r {
    std::iter::successors(Some(from), move |at| head_after(reading, holding, *at)).skip(1)
}

/// What kind of thing a word says it is of: the backup of the "backup time".
fn head_after(reading: &Reading, holding: &Holding, at: usize) -> Option<usize> {
    let next = at + 1;
    let about = holding.about.iter().find(|about| about.word == next)?;
    (!about.act && !reading.words[next].after_pause && reading.words[at].ending.is_empty()).then_some(next)
}

/// The word right before another that says which of its kind it is.
fn kind_of(reading: &Reading, holding: &Holding, at: usize) -> Option<usize> {
    let before = at.checked_sub(1)?;
    let word = &reading.words[before];
    let often = |value: &Value| value.sort == Sort::Often && (value.from..value.to).contains(&before);
    let told = holding.about.iter().any(|about| about.word == before) || holding.values.iter().any(often);
    (told && !reading.words[at].after_pause && word.ending.is_empty()).then_some(before)
}
