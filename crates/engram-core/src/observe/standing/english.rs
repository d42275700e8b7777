//! English: the subject comes first, and the verb after it.

use super::{Said, Standing, ends_in, one_of};
use crate::kind::Kind;

pub(super) fn standing_of(said: &[Said<'_>]) -> Standing {
    let said = contracted(said);
    let lead =
        said.iter().take_while(|said| one_of(LEADS, said) && (said.word != "no" || said.pauses)).count();
    let (before, core) = said.split_at(lead);
    // "Not main, the branch is develop."
    let (denied, core) = match core {
        [not, denied, rest @ ..] if not.word == "not" && denied.pauses => (true, rest),
        core => (false, core),
    };
    let objects = denied || before.iter().any(|said| one_of(&["no", "nope", "actually"], said));
    let points = points_at_something(core);
    let kind = if points { None } else { kind_of(core) };
    Standing {
        kind: kind.map(|kind| if objects { Kind::Correction } else { kind }),
        points: points && !core.iter().any(|said| said.named || said.pauses),
    }
}

/// Two words that are often written as one, as the one.
fn contracted<'t>(said: &[Said<'t>]) -> Vec<Said<'t>> {
    let mut short: Vec<Said<'t>> = Vec::with_capacity(said.len());
    for next in said {
        let joined = short.last().and_then(|last| {
            let pair = (last.word, next.word);
            CONTRACTIONS.iter().find(|(one, other, _)| (*one, *other) == pair).map(|(_, _, joined)| *joined)
        });
        match (joined, short.last_mut()) {
            (Some(joined), Some(last)) => *last = Said { word: joined, ..*next },
            _ => short.push(*next),
        }
    }
    short
}

fn points_at_something(core: &[Said<'_>]) -> bool {
    let [first, .., last] = core else { return false };
    let two = |test: fn(&Said<'_>, &Said<'_>) -> bool| core.windows(2).any(|two| test(&two[0], &two[1]));
    let rules = core.iter().any(|said| one_of(&["always", "never", "no", "only", "dont"], said));
    let named = core.iter().any(|said| said.named);
    let dated = core.iter().any(is_date);
    // "This quarter" and "this repo" are the same for everybody.
    let known = |at: usize| {
        core.get(at + 1).is_some_and(|next| is_date(next) || one_of(PROJECT, next) || next.word == "on")
    };
    // "Tests that read like stories."
    let relates = |at: usize| core[at].word == "that" && at > 0 && is_plural(&core[at - 1]);
    let pointer = |(at, said): (usize, &Said<'_>)| {
        (one_of(POINTERS, said) || one_of(&["still", "it"], said) && !named) && !known(at) && !relates(at)
            || said.word == "here" && !rules
    };
    // "Svelte it is."
    let settled = matches!(core, [_, it, is] if it.word == "it" && is.word == "is");
    let one_of_several = two(|of, place| one_of(OF_ONE, of) && one_of(PLACES, place)) && !dated
        || one_of(&["one", "ones"], last);
    let state = one_of(STATES, last) && two(|is, state| is_to_be(is) && one_of(STATES, state));
    let seen = two(|the, seen| the.word == "the" && one_of(SEEN, seen))
        || two(|line, number| line.word == "line" && number.named);
    let soon = core
        .windows(3)
        .any(|three| three[0].word == "in" && one_of(&["minutes", "seconds", "hour", "bit"], &three[2]));
    // "Always returns null": the subject is on the screen.
    let unsaid = one_of(&["always", "never"], first) && !is_base(&core[1]);
    !settled && core.iter().enumerate().any(pointer) || one_of_several || state || seen || soon || unsaid
}

fn kind_of(core: &[Said<'_>]) -> Option<Kind> {
    let words: Vec<&str> = core.iter().map(|said| said.word).collect();
    let from = |at: usize| core.get(at..).unwrap_or_default();
    let bare = |at: usize, kind: Kind| is_bare(from(at)).then_some(kind);
    match words.as_slice() {
        ["always" | "never", _, _, ..] => is_base(&core[1]).then_some(Kind::Convention),
        ["dont", verb, _, ..] => {
            let object = if words[2] == "to" { from(3) } else { from(2) };
            let general = is_bare(object)
                || words[2] == "my" && from(3).iter().any(is_plural)
                || words[2] == "the" && from(3).iter().any(|said| one_of(PROJECT, said));
            (is_base(&core[1]) && *verb != "forget" && general).then_some(Kind::Convention)
        }
        ["no", "need", "for", ..] => bare(3, Kind::Preference),
        ["no", ..] => bans(from(1)).then_some(Kind::Convention),
        ["only", ..] => {
            (is_bare(from(1)) && from(1).iter().take(2).any(is_plural)).then_some(Kind::Convention)
        }
        ["one", _, "per", _] => Some(Kind::Convention),
        ["call", "me", _] | ["less" | "fewer", _, ..] => Some(Kind::Preference),
        ["prefer" | "avoid" | "favour" | "favor", ..] => bare(1, Kind::Preference),
        ["stop", doing, ..] if doing.ends_with("ing") => {
            (words.len() == 2 || is_bare(from(2))).then_some(Kind::Preference)
        }
        ["be", manner] if MANNERS.contains(manner) => Some(Kind::Preference),
        ["keep", _, .., manner] if MANNERS.contains(manner) => {
            from(1).iter().any(is_plural).then_some(Kind::Preference)
        }
        ["id", "rather" | "prefer" | "like", ..] => bare(2, Kind::Preference),
        ["we", "went", "with", ..] | ["lets", "standardize" | "standardise" | "settle", "on", ..] => {
            bare(3, Kind::Decision)
        }
        ["switching" | "moving" | "migrating", "to", _, _, ..] => bare(2, Kind::Decision),
        ["were" | "well", "switching" | "moving" | "migrating" | "switch" | "move" | "migrate", "to", ..] => {
            bare(3, Kind::Decision)
        }
        [_, "it", "is"] => Some(Kind::Decision),
        ["going", "with", ..] => bare(2, Kind::Decision),
        ["were", "on" | "at" | "in" | "hosted", ..] => bare(2, Kind::Fact),
        ["were", "not", verb, ..] if CHOSEN.contains(verb) => bare(3, Kind::Decision),
        [
            "lets" | "well" | "were" | "im",
            "go" | "going" | "stick" | "sticking" | "stay" | "staying",
            "with",
            ..,
        ] => bare(3, Kind::Decision),
        ["lets" | "well" | "were", _, "it", "on" | "with" | "in" | "to", ..] => {
            from(4).iter().any(|said| said.named).then_some(Kind::Decision)
        }
        ["lets" | "well" | "were", verb, ..] if CHOSEN.contains(verb) => bare(2, Kind::Decision),
        ["were", doing, ..] if doing.ends_with("ing") => from(2).iter().any(is_date).then_some(Kind::Plan),
        ["use" | "show" | "write" | "return" | "log" | "run", ..] if !is_in_order(core) => {
            chosen(from(1)).or_else(|| without_verb(core, false))
        }
        ["im", ..] => of_oneself(from(1)),
        ["i", ..] => of_a_person(from(1)),
        ["we", ..] => of_a_group(from(1)),
        [_, ..] if is_base(&core[0]) && is_bare(from(1)) && is_in_order(core) => Some(Kind::Convention),
        _ => of_a_thing(core),
    }
}

/// "Use vitest not jest", "use snake_case for columns": what is chosen has no
/// article, and stands against something or for a purpose. A part of the
/// language ("use a set instead of a list") is chosen for one place.
fn chosen(rest: &[Said<'_>]) -> Option<Kind> {
    if !is_bare(rest) || rest.iter().any(|said| one_of(CODE, said)) {
        return None;
    }
    let against = rest.iter().position(|said| one_of(&["not", "instead", "over"], said));
    let purpose = rest.iter().position(|said| said.word == "for");
    let of_a_sort = rest.iter().any(|said| said.word == "everywhere")
        || rest.len() == 2
            && (is_plural(&rest[1]) || one_of(LANGUAGES, &rest[1]))
            && !ends_in(&["er"], rest[0].word);
    match (against, purpose) {
        _ if of_a_sort => Some(Kind::Convention),
        (Some(1..), _) => Some(Kind::Correction),
        (None, Some(at @ 1..)) => (rest[0].named || is_bare(&rest[at + 1..])).then_some(Kind::Convention),
        _ => None,
    }
}

/// "Run prettier before committing".
fn is_in_order(core: &[Said<'_>]) -> bool {
    core.windows(2).any(|two| one_of(&["before", "after"], &two[0]) && ends_in(&["ing"], two[1].word))
}

/// "I'm a backend developer", but not "I'm a bit lost".
fn of_oneself(rest: &[Said<'_>]) -> Option<Kind> {
    let words: Vec<&str> = rest.iter().map(|said| said.word).collect();
    match words.as_slice() {
        ["a" | "an" | "the", "bit" | "little" | "one", ..] => None,
        ["not", "a", "fan", ..] => Some(Kind::Preference),
        ["a" | "an" | "the" | "based" | "from" | "colour" | "color" | "new" | "responsible", _, ..] => {
            Some(Kind::Fact)
        }
        [_, ..] if rest[0].named && (rest[0].pauses || rest.len() == 1) => Some(Kind::Fact),
        ["used", "to", ..] => is_bare(&rest[2..]).then_some(Kind::Preference),
        ["using" | "on", ..] => is_bare(&rest[1..]).then_some(Kind::Fact),
        ["off" | "out" | "away", ..] => rest.iter().any(is_date).then_some(Kind::Plan),
        _ => None,
    }
}

/// What somebody likes, and what they have the habit of.
fn of_a_person(rest: &[Said<'_>]) -> Option<Kind> {
    let rest = after_adverbs(rest);
    let (verb, object) = rest.split_first()?;
    if one_of(LIKING, verb) {
        return is_bare(object).then_some(Kind::Preference);
    }
    // A single thing is wanted now, things of a sort always.
    if one_of(&["want", "need"], verb) {
        let all = object.first().is_some_and(|said| one_of(&["every", "each", "all"], said));
        let of_a_sort = all
            || !object.iter().any(|said| one_of(TROUBLES, said))
                && object.len() > 1
                && is_bare(object)
                && object.iter().take(3).any(is_plural);
        return of_a_sort.then_some(Kind::Preference);
    }
    let has = verb.word == "have" && object.iter().any(|said| said.named);
    (has || one_of(LIVING, verb) && !object.is_empty()).then_some(Kind::Fact)
}

/// "We squash merge", "we dropped Redis", "we have two environments".
fn of_a_group(rest: &[Said<'_>]) -> Option<Kind> {
    let habit = rest.first().is_some_and(|said| one_of(ADVERBS, said));
    let rest = after_adverbs(rest);
    let (verb, object) = rest.split_first()?;
    let first = object.first()?;
    if one_of(CHOOSING, verb) {
        return is_bare(object).then_some(Kind::Decision);
    }
    let troubled = first.word == "to" || object.iter().any(|said| one_of(TROUBLES, said));
    if !is_base(verb) || one_of(MOMENTARY, verb) || verb.word == "have" && troubled {
        return None;
    }
    Some(match () {
        () if habit => Kind::Convention,
        () if object.iter().any(is_date) => Kind::Plan,
        () => Kind::Fact,
    })
}

/// "Our db is Postgres", "the release is next Friday", "logs go to Loki".
fn of_a_thing(core: &[Said<'_>]) -> Option<Kind> {
    let first = core.first()?;
    let ours = one_of(&["our", "my"], first);
    let many =
        if ours || one_of(&["the", "there"], first) { None } else { core.iter().take(2).position(is_plural) };
    let Some(at) = verb_of(core, many) else { return without_verb(core, many.is_some()) };
    let (subject, told) = (&core[..at], &core[at + 1..]);
    let what = told.first()?;
    let troubled = told.iter().any(|said| one_of(TROUBLES, said))
        || many.is_none() && subject.iter().any(|said| one_of(TROUBLES, said));
    if troubled || subject.iter().any(|said| one_of(VAGUE, said)) || is_state(&core[at], told, many.is_some())
    {
        return None;
    }
    let is = is_to_be(&core[at]);
    if told.iter().any(is_date) {
        return (!told.iter().any(|said| one_of(NEAR, said))).then_some(Kind::Plan);
    }
    if ours || is && one_of(&["our", "my"], what) {
        return Some(Kind::Fact);
    }
    if many.is_some() {
        return Some(if is { Kind::Convention } else { Kind::Fact });
    }
    let project = subject.iter().any(|said| one_of(PROJECT, said))
        && !ends_in(&["y", "able", "ible", "ful", "less", "ous", "ive"], what.word);
    (project || told.iter().any(|said| said.named)).then_some(Kind::Fact)
}

/// Where the verb is that says what holds. After "users" any verb does that.
fn verb_of(core: &[Said<'_>], many: Option<usize>) -> Option<usize> {
    // "My name's Ozan."
    let short =
        |said: &Said<'_>| said.declined && said.word.ends_with('s') && one_of(&["my", "our"], &core[0]);
    let holds = |said: &Said<'_>| !said.named && (is_to_be(said) || one_of(HOLDING, said) || short(said));
    let listed = core.iter().position(holds).filter(|at| *at > 0);
    let after = many.map(|at| at + 1).filter(|at| {
        core.get(*at).is_some_and(|verb| {
            is_base(verb) && !verb.named && ![MOMENTARY, STATES, FARING].iter().any(|list| one_of(list, verb))
        })
    });
    listed.or(after)
}

/// "Frontend React", "commit messages in English", "reply in Turkish".
fn without_verb(core: &[Said<'_>], many: bool) -> Option<Kind> {
    if core.len() > 1 && one_of(PROJECT, &core[0]) && core[1].named {
        return Some(Kind::Fact);
    }
    let spoken = core.windows(2).any(|two| two[0].word == "in" && one_of(LANGUAGES, &two[1]));
    match () {
        () if spoken && one_of(SPEAKING, &core[0]) => Some(Kind::Preference),
        () => (many && spoken).then_some(Kind::Convention),
    }
}

/// "Is red", "is running", "has been down", "needs a restart"; but what all of
/// a sort are made to be ("are logged as JSON") is none.
fn is_state(verb: &Said<'_>, told: &[Said<'_>], many: bool) -> bool {
    let Some(what) = told.first() else { return true };
    let somehow = told.get(1).is_some_and(|said| match said.word {
        "by" | "with" | "from" => many || told.iter().any(|said| said.named),
        "as" | "in" | "to" | "via" | "on" => many,
        _ => false,
    });
    let participle = !what.named && ends_in(&["ed", "ing"], what.word) && !somehow;
    let wanted =
        one_of(&["needs", "need"], verb) && one_of(&["a", "an", "to", "some", "more"], what) && !many;
    wanted || what.word == "been" || is_to_be(verb) && (one_of(STATES, what) || participle)
}

/// "No emojis please", but neither "no problem" nor "no tests failed".
fn bans(rest: &[Said<'_>]) -> bool {
    let told = |said: &Said<'_>| {
        one_of(TROUBLES, said)
            || ends_in(&["ed"], said.word)
            || is_to_be(said)
            || one_of(&["found", "ran", "left", "yet"], said)
    };
    rest.len() < 5 && rest.iter().any(is_plural) && !rest.iter().any(told)
}

fn is_to_be(said: &Said<'_>) -> bool {
    one_of(&["is", "are"], said)
}

fn after_adverbs<'s, 't>(rest: &'s [Said<'t>]) -> &'s [Said<'t>] {
    let adverbs = rest.iter().take_while(|said| one_of(ADVERBS, said)).count();
    &rest[adverbs..]
}

/// A verb without the endings of the third person, the past and the moment.
fn is_base(verb: &Said<'_>) -> bool {
    let third = verb.word.ends_with('s') && !verb.word.ends_with("ss");
    !third && !ends_in(&["ed", "ing"], verb.word) && !one_of(NO_VERBS, verb)
}

/// Something that is named without an article: a tool, or all of a sort.
fn is_bare(object: &[Said<'_>]) -> bool {
    object.first().is_some_and(|first| !one_of(DETERMINERS, first))
}

fn is_plural(said: &Said<'_>) -> bool {
    said.word.len() > 3
        && said.word.ends_with('s')
        && !ends_in(&["ss", "us", "sis"], said.word)
        && !one_of(NO_PLURALS, said)
}

fn is_date(said: &Said<'_>) -> bool {
    one_of(DATES, said)
        || said.word == "may" && said.named
        || said.word.strip_suffix('s').is_some_and(|day| DATES.contains(&day))
}

const CONTRACTIONS: &[(&str, &str, &str)] = &[
    ("i", "am", "im"),
    ("i", "would", "id"),
    ("we", "are", "were"),
    ("we", "will", "well"),
    ("do", "not", "dont"),
];

/// Verbs by which a group chooses.
#[rustfmt::skip]
const CHOSEN: &[&str] = &[
    "use", "using", "adopt", "adopting", "pick", "picking", "drop", "support", "replace", "buy", "dropping", "keep",
    "keeping", "doing", "supporting", "moving", "switching", "buying", "replacing",
];

/// What comes before a statement without changing it.
#[rustfmt::skip]
const LEADS: &[&str] = &[
    "ok", "okay", "please", "and", "also", "so", "remember", "note", "fyi", "btw", "no", "nope", "actually", "yes",
    "hey", "hi", "but",
];

/// Words for what is at hand.
#[rustfmt::skip]
const POINTERS: &[&str] = &[
    "this", "that", "thats", "these", "those", "them", "there", "now", "again", "yet", "already", "above",
    "below", "today", "maybe", "almost", "option",
];

/// "The second", "my last": one of several that both can see.
const OF_ONE: &[&str] = &["the", "my", "our", "a"];
#[rustfmt::skip]
const PLACES: &[&str] = &[
    "first", "second", "third", "last", "other", "same", "previous", "current", "existing", "different", "wrong",
    "old", "new", "next", "latter", "former",
];

/// What is looked at while it is worked on.
#[rustfmt::skip]
const SEEN: &[&str] = &[
    "function", "variable", "method", "import", "loop", "line", "file", "list", "field", "test", "button", "page",
    "output", "response", "diff", "log", "meeting", "query", "class", "type", "argument", "parameter", "header",
];

#[rustfmt::skip]
const DETERMINERS: &[&str] = &[
    "a", "an", "the", "to", "how", "what", "more", "some", "another", "one", "two", "three", "my", "our", "either",
    "both", "in", "on", "for", "about", "me", "where", "when", "if", "better", "not", "you", "your", "anything",
    "everything", "nothing", "something",
];

#[rustfmt::skip]
const ADVERBS: &[&str] = &[
    "always", "never", "usually", "only", "dont", "really", "generally", "mostly", "normally", "mainly", "strongly",
    "often", "also", "cant", "still",
];

#[rustfmt::skip]
const LIKING: &[&str] = &[
    "prefer", "like", "love", "hate", "dislike", "avoid", "enjoy", "favour", "favor", "stand",
];

/// What is done for months or not at all.
#[rustfmt::skip]
const LIVING: &[&str] = &[
    "use", "work", "live", "know", "speak", "own", "maintain", "lead", "code", "develop", "write", "sit", "manage",
];

#[rustfmt::skip]
const CHOOSING: &[&str] = &[
    "chose", "picked", "dropped", "ditched", "settled", "adopted", "switched", "moved", "migrated", "replaced",
    "bought", "agreed", "killed", "standardised", "standardized",
];

/// What a group does once.
#[rustfmt::skip]
const MOMENTARY: &[&str] = &[
    "need", "should", "can", "could", "must", "will", "would", "are", "were", "was", "see", "get", "got", "think",
    "want", "might", "may", "did", "had", "broke", "lost", "found", "forgot", "just", "try", "made", "went", "saw",
    "look", "cannot", "shall", "wait", "hope", "mean", "missed", "said",
];

/// How things go at the moment.
#[rustfmt::skip]
const FARING: &[&str] = &[
    "look", "seem", "pass", "fail", "work", "break", "hang", "crash", "complain", "keep", "here", "dont", "cant",
    "wont", "everywhere",
];

/// Verbs of what a thing is for as long as it is there.
#[rustfmt::skip]
const HOLDING: &[&str] = &[
    "uses", "use", "run", "runs", "lives", "live", "go", "goes", "takes", "take", "costs", "cost", "has", "have",
    "needs", "need", "supports", "support", "starts", "start", "sits", "sit", "owns", "own", "belongs", "belong",
    "follow", "follows", "handles", "handle", "maintains", "leads", "ends", "happens", "happen", "ships", "begins",
];

#[rustfmt::skip]
const NO_VERBS: &[&str] = &[
    "the", "a", "an", "mind", "my", "our", "worry", "bother", "in", "on", "to", "for", "good", "nice", "and", "or",
    "with", "of", "from", "at", "by", "please", "per", "not", "only", "without", "under", "between",
];

#[rustfmt::skip]
const NO_PLURALS: &[&str] = &[
    "please", "thanks", "always", "looks", "seems", "sounds", "needs", "uses", "does", "lets", "theres", "whats",
];

/// Parts of a program, which are chosen for one place.
#[rustfmt::skip]
const CODE: &[&str] = &[
    "map", "set", "list", "array", "loop", "filter", "reduce", "vec", "vector", "tuple", "dict", "hashmap",
    "switch", "const", "let", "var", "recursion", "string", "null", "if", "else", "while", "match",
];

/// The state that something is in, and words that open one.
#[rustfmt::skip]
const STATES: &[&str] = &[
    "red", "green", "blue", "broken", "down", "up", "slow", "fast", "busy", "empty", "blank", "wrong", "right",
    "ready", "done", "stuck", "huge", "big", "long", "short", "small", "off", "weird", "odd", "full", "gone",
    "fine", "ok", "okay", "good", "bad", "better", "worse", "best", "unused", "optional", "null", "undefined",
    "behind", "ahead", "late", "dirty", "flaky", "dead", "clean", "nice", "ugly", "high", "low", "open", "not",
    "too", "so", "very", "really", "no", "yes", "why", "how", "what", "nearly", "just", "invalid", "back", "over",
    "out", "correct", "identical", "lost", "been", "hard", "cold", "warm", "hot", "infinite", "tall", "stale",
    "asleep", "away", "offline", "online", "idle", "old", "easy", "white", "clear", "great", "cool", "enough",
    "unclear",
];

/// Subjects of which something is said once.
#[rustfmt::skip]
const VAGUE: &[&str] = &[
    "problem", "answer", "response", "output", "result", "question", "cause", "culprit", "fix", "reason", "status",
    "value", "type", "guess", "point", "idea", "fault", "turn", "build", "change", "changes", "everything",
    "nothing", "something", "what", "who", "he", "she", "they", "line", "message",
];

#[rustfmt::skip]
const TROUBLES: &[&str] = &[
    "problem", "problems", "issue", "issues", "error", "errors", "bug", "bugs", "conflict", "conflicts", "failure",
    "failures", "meeting", "question", "questions", "idea", "worries", "luck", "changes", "difference", "clue",
    "minutes", "time", "fail", "fails", "failed", "pass", "crash", "crashes", "typo", "leak", "failing", "broken",
];

/// What a project has one of.
#[rustfmt::skip]
const PROJECT: &[&str] = &[
    "backend", "frontend", "database", "db", "framework", "stack", "team", "repo", "repository", "production",
    "prod", "staging", "api", "gateway", "ci", "server", "editor", "broker", "queue", "cache", "bundler", "linter",
    "orm", "runner", "branch", "codebase", "host", "provider", "language", "company", "product", "project",
    "client", "customer", "deadline", "budget", "license", "licence",
];

#[rustfmt::skip]
const DATES: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march",
    "april", "june", "july", "august", "september", "october", "november", "december", "weekend", "sprint", "week",
    "month", "quarter", "q1", "q2", "q3", "q4",
];
const NEAR: &[&str] = &["last", "tonight", "tomorrow", "soon", "minutes"];
const SPEAKING: &[&str] = &["reply", "answer", "respond", "write", "talk", "speak", "explain"];
const MANNERS: &[&str] =
    &["concise", "brief", "terse", "direct", "short", "honest", "critical", "simple", "small"];
const LANGUAGES: &[&str] = &["english", "turkish", "german", "french", "spanish"];
