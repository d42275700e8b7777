//! Stories through the gate: what was so, that it changed, and what somebody
//! says who has not heard of it.
//!
//! `claims/stories.jsonl` was written blind, without a look at the rules, and
//! the rules were made on it; `claims/kept_stories.jsonl` is the same as
//! capture words it. `claims/own_stories.jsonl` was written before the rules,
//! `late_stories.jsonl` and `last_stories.jsonl` after them; when first read,
//! 18 of 44, 19 of 34 and 22 of 28 changes were seen, and what was missed made
//! further rules. On `claims/unseen_stories.jsonl` none was made.
//!
//! `claims/more_stories.jsonl` is a second blind set, read first with 42 of 80
//! changes seen and 31 dead, and with three old values believed; the looser
//! rules were made on it. `looser_stories.jsonl` was written before them (13 of
//! 30 seen, 8 dead), `third_stories.jsonl` after them (18 of 30 seen, 17 dead),
//! `fourth_stories.jsonl` last (26 of 30 seen, 25 dead).
//!
//! `claims/beside.txt` holds two facts a line of which neither replaces the
//! other, `claims/other_values.txt` what was so, what is so, and a third fact
//! with the old value of something else. Of `claims/looser_beside.txt` 30 were
//! written before the looser rules and 44 after them. Likeness by words stands
//! in for that by direction.

use engram_core::change::{Actor, Cause};
use engram_core::claim::likeness;
use engram_core::decision::Action;
use engram_core::gate::{Arrival, Gated, Near, gate};
use engram_core::plan::{Draft, Occasion, plan_remember};
use engram_core::turn::Authority;
use engram_core::{
    IdMint, Importance, Kind, Memory, OperationId, Provenance, Scope, Span, Status, StatusChange, Timestamp,
    Trust, Write,
};
use serde::Deserialize;

const STORIES: &str = include_str!("claims/stories.jsonl");
const KEPT: &str = include_str!("claims/kept_stories.jsonl");
const OWN: &str = include_str!("claims/own_stories.jsonl");
const LATE: &str = include_str!("claims/late_stories.jsonl");
const LAST: &str = include_str!("claims/last_stories.jsonl");
const UNSEEN: &str = include_str!("claims/unseen_stories.jsonl");
const MORE: &str = include_str!("claims/more_stories.jsonl");
const LOOSER: &str = include_str!("claims/looser_stories.jsonl");
const THIRD: &str = include_str!("claims/third_stories.jsonl");
const FOURTH: &str = include_str!("claims/fourth_stories.jsonl");
const BESIDE: &str = include_str!("claims/beside.txt");
const LOOSER_BESIDE: &str = include_str!("claims/looser_beside.txt");
const OTHER_VALUES: &str = include_str!("claims/other_values.txt");

/// Of a hundred changes, so many take the place of what was so.
const SUPERSEDED: usize = 85;
/// The same of those that were written after the looser rules.
const WRITTEN_AFTER: usize = 75;
/// Of a hundred values that were replaced, so many are not believed again.
const STAY_DEAD: usize = 90;

#[derive(Deserialize)]
struct Story {
    lang: String,
    sort: String,
    first: String,
    change: String,
    old_again: String,
}

fn stories(lines: &str) -> Vec<Story> {
    lines.lines().map(|line| serde_json::from_str(line).expect("a story a line")).collect()
}

fn day(number: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap() + Span::from_hours(24 * number)
}

/// What is known, and what was.
#[derive(Default)]
struct Known {
    memories: Vec<Memory>,
    days: i64,
}

impl Known {
    /// What a person says on the next day, and what becomes of it.
    fn hear(&mut self, text: &str) -> Gated {
        self.days += 10;
        let at = day(self.days);
        let arrival = Arrival {
            text,
            kind: Kind::Fact,
            asked: false,
            said_at: at,
            trust: Trust::HUMAN,
            authority: Authority::Change,
            importance: Importance::clamped(0.6),
        };
        let near = |memory| near(memory, text);
        let gated = gate(&arrival, &self.memories.iter().map(near).collect::<Vec<_>>());
        self.apply(text, &gated, at);
        gated
    }

    fn apply(&mut self, text: &str, gated: &Gated, at: Timestamp) {
        let about = gated.others.first().copied();
        match gated.action {
            Action::Create => self.memories.push(memory(text, at)),
            Action::Challenge => {
                let status = Status::Challenged;
                self.memories.push(Memory { status, ..memory(text, at) });
            }
            Action::Supersede => {
                for old in self.memories.iter_mut().filter(|memory| gated.others.contains(&memory.id)) {
                    old.status = Status::Superseded;
                    let reason = "replaced".to_owned();
                    old.status_change = StatusChange { at, reason, cause: Cause::Capture };
                    old.validity.valid_until = Some(at);
                }
                self.memories.push(memory(text, at));
            }
            Action::Update => {
                let old = self.memories.iter_mut().find(|memory| Some(memory.id) == about);
                old.expect("what is updated").content = gated.merged.clone().expect("what it says then");
            }
            Action::Reinforce | Action::Skip => {}
        }
    }
}

fn near<'m>(memory: &'m Memory, text: &str) -> Near<'m> {
    let similarity = likeness(&memory.content, text);
    Near { memory, similarity, judged: None, by_words: true, together: false }
}

fn memory(text: &str, at: Timestamp) -> Memory {
    let operation = OperationId::from_ulid(IdMint::seeded(u64::try_from(at.as_second()).unwrap()).mint(at));
    let occasion = Occasion { operation, actor: Actor::Human, at, recorded_at: at };
    let draft = Draft::parse(text, 10_000).unwrap();
    let changes = plan_remember(draft, Scope::Project, Provenance::stated_by(Actor::Human), occasion);
    let [Write::Create { memory }] = &changes.writes[..] else { panic!("no birth") };
    *memory.clone()
}

/// How many changes were seen, and how many of the values they replaced stayed
/// dead; with what went wrong.
struct Told {
    all: usize,
    superseded: usize,
    stayed_dead: usize,
    rewritten: usize,
    believed: usize,
    wrong: Vec<String>,
}

fn tell(stories: &[Story]) -> Told {
    let mut told =
        Told { all: 0, superseded: 0, stayed_dead: 0, rewritten: 0, believed: 0, wrong: Vec::new() };
    for (at, story) in stories.iter().enumerate() {
        let mut known = Known::default();
        known.hear(&story.first);
        let change = known.hear(&story.change);
        let again = known.hear(&story.old_again);
        let seen = change.action == Action::Supersede;
        let dead = again.action == Action::Skip;
        told.all += 1;
        told.superseded += usize::from(seen);
        told.stayed_dead += usize::from(seen && dead);
        told.rewritten += usize::from(change.action == Action::Update);
        told.believed += usize::from(again.action == Action::Supersede);
        if !(seen && dead) {
            let like = |one: &str, other: &str| format!("{:.2}", likeness(one, other).get());
            told.wrong.push(format!(
                "#{} {} {}\n   {}\n   {} -> {}: {} [{}]\n   {} -> {}: {} [{}]",
                at + 1,
                story.lang,
                story.sort,
                story.first,
                story.change,
                change.action,
                change.reason,
                like(&story.first, &story.change),
                story.old_again,
                again.action,
                again.reason,
                like(&story.first, &story.old_again),
            ));
        }
    }
    told
}

#[track_caller]
fn check(lines: &str, superseded: usize, stay_dead: usize) {
    let told = tell(&stories(lines));
    let shown = format!(
        "superseded {} of {}, stayed dead {}, rewritten {}, believed {}\n{}",
        told.superseded,
        told.all,
        told.stayed_dead,
        told.rewritten,
        told.believed,
        told.wrong.join("\n")
    );
    println!("{shown}");
    assert!(told.superseded * 100 >= told.all * superseded, "{shown}");
    assert!(told.stayed_dead * 100 >= told.superseded * stay_dead, "{shown}");
    assert_eq!((told.rewritten, told.believed), (0, 0), "{shown}");
}

#[test]
fn a_change_replaces_what_was_so_and_the_old_value_stays_dead() {
    check(STORIES, SUPERSEDED, STAY_DEAD);
}

#[test]
fn a_change_as_capture_words_it_replaces_what_was_so() {
    check(KEPT, SUPERSEDED, STAY_DEAD);
}

#[test]
fn changes_that_were_written_before_the_rules_replace_what_was_so() {
    check(OWN, SUPERSEDED, STAY_DEAD);
}

#[test]
fn changes_that_were_written_after_the_rules_replace_what_was_so() {
    check(LATE, SUPERSEDED, STAY_DEAD);
    check(LAST, SUPERSEDED, STAY_DEAD);
}

#[test]
fn changes_that_no_rule_was_made_on_replace_what_was_so() {
    check(UNSEEN, SUPERSEDED, STAY_DEAD);
}

#[test]
fn changes_of_a_second_blind_set_replace_what_was_so() {
    check(MORE, SUPERSEDED, STAY_DEAD);
}

#[test]
fn changes_that_were_written_before_the_looser_rules_replace_what_was_so() {
    check(LOOSER, SUPERSEDED, STAY_DEAD);
}

#[test]
fn changes_that_were_written_after_the_looser_rules_replace_what_was_so() {
    check(THIRD, WRITTEN_AFTER, STAY_DEAD);
    check(FOURTH, WRITTEN_AFTER, STAY_DEAD);
}

#[test]
fn what_is_so_of_something_else_replaces_nothing() {
    let mut wrong = Vec::new();
    for line in BESIDE.lines().chain(LOOSER_BESIDE.lines()) {
        let (one, other) = line.split_once(" | ").expect("a pair a line");
        for (first, then) in [(one, other), (other, one)] {
            let mut known = Known::default();
            known.hear(first);
            let gated = known.hear(then);
            if matches!(gated.action, Action::Supersede | Action::Update) {
                wrong.push(format!("{first} | {then}: {} {}", gated.action, gated.reason));
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_change_of_one_thing_leaves_the_other_stories_alone() {
    let mut wrong = Vec::new();
    for all in [STORIES, OWN, LATE, LAST, UNSEEN, MORE, LOOSER, THIRD, FOURTH].map(stories) {
        for (at, story) in all.iter().enumerate() {
            let others =
                all.iter().enumerate().filter(|(other, told)| *other != at && told.lang == story.lang);
            for (_, told) in others {
                for said in [&told.change, &told.first] {
                    let mut known = Known::default();
                    known.hear(&story.first);
                    let gated = known.hear(said);
                    if matches!(gated.action, Action::Supersede | Action::Update) {
                        wrong.push(format!("{} | {said}: {} {}", story.first, gated.action, gated.reason));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_old_value_of_something_else_is_heard() {
    let mut wrong = Vec::new();
    for line in OTHER_VALUES.lines() {
        let [first, change, other] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("three a line")
        };
        let mut known = Known::default();
        known.hear(first);
        known.hear(change);
        let gated = known.hear(other);
        if !matches!(gated.action, Action::Create | Action::Challenge) {
            wrong.push(format!("{line}: {} {}", gated.action, gated.reason));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
