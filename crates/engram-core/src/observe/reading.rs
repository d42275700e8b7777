//! What one sentence is worth: the signs of `cues` weighed against each other.
//!
//! A sentence is kept for one kind of statement. What speaks against it (a
//! request, a question, a moment that passes, an agent's commentary) is weighed
//! first, because most sentences of a working day are of these sorts.

use super::cues::{Sign, cues_in};
use super::entity::{Entity, entities_of};
use super::lookup::Phrase;
use super::shape::Shape;
use super::standing::standing_of;
use super::{Role, Skipped};
use crate::ask::speech::{TURKISH_ASKING, count_content, words_of};
use crate::claim::tells_of_change;
use crate::kind::Kind;

/// A sentence, weighed.
#[derive(Debug)]
pub(super) struct Reading {
    /// The kind of statement it is, with how strongly it says so; none if it is
    /// not worth keeping, and then `against` says why.
    pub(super) keeps: Option<(Kind, f64)>,
    pub(super) against: Skipped,
    pub(super) density: u32,
    pub(super) entities: Vec<Entity>,
    pub(super) cues: Vec<&'static Phrase<Sign>>,
    /// It says why something broke, or what mended it: half of an error fix.
    pub(super) cause: bool,
    pub(super) cure: bool,
    /// It says that something was wrong, and perhaps not yet what is right.
    pub(super) objects: bool,
}

/// What a statement of a person must weigh, and one of an agent. Agents talk
/// more, and mostly of what they are doing.
const ENOUGH: f64 = 1.0;
const ENOUGH_OF_AGENTS: f64 = 1.1;

/// Of what is at hand, a sentence of so few words says nothing to others.
const SHORT: usize = 7;

/// S3's gate: what says less than two things is filling.
pub(super) const LEAST_DENSITY: u32 = 2;
const LEAST_DENSITY_OF_AGENTS: u32 = 3;

/// The kinds a sign speaks for. Where two weigh the same, the first is meant.
const KINDS: &[(Sign, Kind)] = &[
    (Sign::Correction, Kind::Correction),
    (Sign::Decision, Kind::Decision),
    (Sign::Preference, Kind::Preference),
    (Sign::Plan, Kind::Plan),
    (Sign::Procedure, Kind::Procedure),
    (Sign::Convention, Kind::Convention),
    (Sign::Architecture, Kind::Architecture),
    (Sign::Fact, Kind::Fact),
];

/// "My key is [secret: aws-access-key].": what it was about was taken out.
fn ends_in_a_mask(sentence: &str) -> bool {
    let said = sentence.trim_end_matches(['.', '!', ',', ';', ' ']);
    said.strip_suffix(']')
        .and_then(|said| said.rsplit_once('['))
        .is_some_and(|(_, mask)| mask.starts_with("secret: "))
}

pub(super) fn reading_of(sentence: &str, role: Role, objected_before: bool) -> Reading {
    let words = words_of(sentence);
    let shape = Shape::of(sentence, &words);
    let cues = cues_in(&words);
    let stands = standing_of(sentence, &words, &shape);
    let entities = entities_of(sentence);
    let weight = |sign: Sign| {
        let found = || cues.iter().filter(|cue| cue.sign == sign).map(|cue| cue.weight);
        let more = found().count().saturating_sub(1).min(3) as f64;
        found().fold(0.0, f64::max) + 0.15 * more
    };
    let numbers = words.iter().filter(|word| word.folded.bytes().any(|byte| byte.is_ascii_digit())).count();
    let times = usize::from(shape.tells_a_time());
    let objects = weight(Sign::Correction) >= 1.0;
    let lasting = KINDS.iter().filter(|(sign, _)| weight(*sign) > 0.0).count();
    let facts = lasting + numbers + count_content(&words) / 4;
    let corrections = usize::from(weight(Sign::Correction) > 0.0);
    // "It's Kubernetes 1.29" points at nothing vague.
    let states = shape.states() || !entities.is_empty() && numbers > 0 && words.len() > 5;
    let steps = shape.tells_steps(sentence);
    let detail = 0.1 * (entities.len().min(3) + numbers.min(2) + times) as f64;
    let contrast = sentence.contains(", not ") || words.iter().any(|word| word.folded == "degil");
    let by_itself =
        if states { shape.weight(entities.len(), numbers) + if contrast { 0.3 } else { 0.0 } } else { 0.0 };
    let claim = usize::from(by_itself >= ENOUGH);
    // What is not as it was is worth knowing, if it is only said what.
    let changed = role == Role::User && tells_of_change(sentence) && count_content(&words) >= 2;
    let density = entities.len() + facts + claim + times + corrections + usize::from(changed);
    let density = u32::try_from(density).unwrap_or(u32::MAX);
    let plain = shape.kind();
    let mut best: Option<(Kind, f64)> = None;
    for (sign, kind) in KINDS {
        let mut score = weight(*sign);
        if score > 0.0 {
            score = (score + detail + if states { 0.2 } else { 0.0 }).max(by_itself + 0.5 * score);
        }
        if *kind == plain {
            score = score.max(by_itself);
        }
        if *kind == Kind::Procedure && steps {
            score = score.max(1.0) + 0.2;
        }
        if *kind == Kind::Correction && objects {
            score += 0.4;
        }
        if score > best.map_or(0.0, |(_, most)| most + 0.001) {
            best = Some((*kind, score));
        }
    }
    if changed && best.is_none_or(|(_, score)| score < ENOUGH) {
        best = Some((best.map_or(plain, |(kind, _)| kind), ENOUGH + detail));
    }
    // What follows "no, that is wrong" is what is right.
    if objected_before && states {
        best = best.map(|(_, score)| (Kind::Correction, score + 0.3));
    }
    // Agents say such things of what they are doing.
    let stated = stands.kind.filter(|_| role == Role::User);
    if let Some(kind) = stated {
        let surer = best.filter(|(_, score)| *score >= ENOUGH && kind != Kind::Correction);
        best = Some(surer.unwrap_or((kind, ENOUGH + detail)));
    }
    let (cause, cure) = (weight(Sign::Cause) > 0.0, weight(Sign::Cure) > 0.0);
    if cause && cure {
        best = Some((Kind::ErrorFix, best.map_or(0.0, |(_, score)| score).max(1.4 + detail)));
    }

    let agent = role != Role::User;
    let standing = weight(Sign::Convention).max(weight(Sign::Procedure)).max(weight(Sign::Preference));
    let ruled = standing.max(weight(Sign::Correction)) >= 1.0 || steps;
    let asks = sentence.ends_with('?')
        || weight(Sign::Question) > 0.0
        || shape.turkish && words.iter().any(|word| TURKISH_ASKING.contains(&word.folded.as_str()));
    let outright = weight(Sign::Convention).max(weight(Sign::Preference)).max(weight(Sign::Decision)) >= 1.0;
    let complete =
        stated.is_some() || !agent && (steps || outright && !stands.points && count_content(&words) >= 2);
    // A whole claim is two things: what it is about, and what is said of it.
    let density = if complete { density.max(LEAST_DENSITY) } else { density };
    let requests =
        stated.is_none() && (weight(Sign::Request) > 0.0 && standing < 1.0 || shape.orders() && !ruled);
    // "Hold on, the port is 5433" is no less of a correction.
    let passing = weight(Sign::Passing) * if objects { 0.5 } else { 1.0 };
    let chatter = weight(Sign::Chatter);
    let narrates = agent && weight(Sign::Narration) > 0.0 && !cure;
    let at_hand = if stands.points && !changed && words.len() <= SHORT { 1.0 } else { 0.0 };
    let score = best.map_or(0.0, |(_, score)| score) - passing - at_hand - 0.7 * chatter;
    let enough = if agent { ENOUGH_OF_AGENTS } else { ENOUGH };
    let least = if agent { LEAST_DENSITY_OF_AGENTS } else { LEAST_DENSITY };
    // An agent repeats what a person likes and corrects only itself.
    let borrowed = agent
        && best.is_some_and(|(kind, _)| matches!(kind, Kind::Preference | Kind::Correction | Kind::Plan));
    let unproven = agent && entities.is_empty() && !cause;

    let against = if asks {
        Some(Skipped::Question)
    } else if narrates || borrowed {
        Some(Skipped::Narration)
    } else if requests {
        Some(Skipped::Request)
    } else if score < enough {
        Some(if chatter > 0.0 {
            Skipped::Chatter
        } else if passing > 0.0 {
            Skipped::Passing
        } else {
            Skipped::Thin
        })
    } else if density < least || unproven || ends_in_a_mask(sentence) {
        Some(Skipped::Thin)
    } else {
        None
    };
    Reading {
        keeps: if against.is_none() { best.map(|(kind, _)| (kind, score)) } else { None },
        against: against.unwrap_or(Skipped::Thin),
        density,
        entities,
        cues,
        cause: cause && !asks,
        cure: cure && !asks,
        objects: objects && !asks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(role: Role, expected: Result<Kind, Skipped>, sentences: &[&str]) {
        for sentence in sentences {
            let reading = reading_of(sentence, role, false);
            let found = reading.keeps.map(|(kind, _)| kind).ok_or(reading.against);
            assert_eq!(found, expected, "{sentence:?} {:?}", reading.cues);
        }
    }

    #[test]
    fn each_kind_has_its_own_words() {
        use Kind::*;
        check(
            Role::User,
            Ok(Correction),
            &["No, the queue is called jobs-eu, not jobs.", "yanlis, servis 8080 portunda calisiyor"],
        );
        check(
            Role::User,
            Ok(Preference),
            &["I prefer early returns over nested ifs", "uzun fonksiyonlardan nefret ediyorum"],
        );
        check(Role::User, Ok(Decision), &["we decided to keep the monorepo", "vite kullanmaya karar verdik"]);
        check(
            Role::User,
            Ok(Convention),
            &["always run the linter before a commit", "testlerde asla sleep kullanma"],
        );
        check(
            Role::User,
            Ok(Plan),
            &["the deadline for the importer is 3 May", "gelecek ay ödeme modülünü ayıracağız"],
        );
        check(
            Role::User,
            Ok(Fact),
            &["the orders database runs on db-3", "log sunucusu 9200 portunda çalışıyor"],
        );
        check(Role::User, Ok(ErrorFix), &["the crash was caused by a null user, an early return fixed it"]);
    }

    #[test]
    fn what_speaks_against_a_sentence_is_named() {
        check(
            Role::User,
            Err(Skipped::Question),
            &["where is the config?", "how do we deploy", "bu nerede tutuluyor"],
        );
        check(
            Role::User,
            Err(Skipped::Request),
            &["add a column to the table", "please rename the file", "şu testi düzelt"],
        );
        check(
            Role::User,
            Err(Skipped::Passing),
            &["maybe we use redis", "it still doesn't work", "belki redis kullanırız"],
        );
        check(
            Role::Assistant,
            Err(Skipped::Narration),
            &["Let me check the config in src/a.rs", "Şimdi testleri çalıştırıyorum"],
        );
    }
}
