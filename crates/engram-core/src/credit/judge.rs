//! What came of using a memory: the first of these that holds. The user set it
//! right; a test or a build ran; its command failed; the edit was taken back;
//! nothing else is known.
//!
//! That it was used is known already.

use super::check::{check_of, command_of, edited_file, reverted, swaps_of};
use super::{Reuse, Session};
use crate::ask::speech::fold;
use crate::id::MemoryId;
use crate::turn::{EventType, ToolCall, Turn};
use crate::used::{EvidenceSource, Outcome, Usage};
use jiff::Timestamp;
use std::ops::Range;

/// So many characters of a spelling are told in a note, and so many spellings.
const TOLD: usize = 60;
const MOST_TOLD: usize = 3;

/// The tool that loads a skill.
const SKILL: &str = "Skill";

/// A test or a build.
struct Check {
    turn: usize,
    command: String,
    passed: bool,
}

/// What was done in a session.
pub(super) struct Course<'a> {
    session: &'a Session<'a>,
    /// In their order.
    checks: Vec<Check>,
}

impl<'a> Course<'a> {
    pub(super) fn of(session: &'a Session<'a>) -> Self {
        let checks = session.turns.iter().enumerate().filter_map(|(turn, said)| {
            let call = said.tool.as_ref()?;
            let passed = check_of(call)?;
            let command = command_of(call)?.split_whitespace().collect::<Vec<_>>().join(" ");
            Some(Check { turn, command, passed })
        });
        Self { session, checks: checks.collect() }
    }

    /// Every skill that was loaded: at which turn, and by which name.
    pub(super) fn skills_loaded(&self) -> Vec<(usize, MemoryId, String)> {
        let loaded = self.session.turns.iter().enumerate().filter_map(|(turn, said)| {
            let call = said.tool.as_ref().filter(|call| call.tool_name == SKILL && call.success)?;
            let named =
                ["skill", "command", "name"].iter().find_map(|key| call.arguments.get(*key)?.as_str())?;
            // A plugin's name may stand before it.
            let name = named.rsplit([':', '/']).next().unwrap_or(named).trim();
            Some((turn, *self.session.skills.get(name)?, name.to_owned()))
        });
        loaded.collect()
    }

    /// How using `memory` at `turn` went, as far as the window tells.
    pub(super) fn judge(&self, memory: MemoryId, turn: usize, reuse: &Reuse, window: Range<usize>) -> Usage {
        let usage = |(outcome, source, note, at): Judged| Usage {
            source,
            note: Some(note),
            session: self.session.turns[turn].session,
            ..Usage::told(memory, outcome, at)
        };
        let judged = self
            .corrected(memory, &window)
            .or_else(|| self.checked(turn, window.end, reuse))
            .or_else(|| self.ran(turn, reuse))
            .or_else(|| self.taken_back(turn..window.end, reuse));
        let said_at = self.session.turns[turn].said_at;
        usage(judged.unwrap_or_else(|| (Outcome::Success, EvidenceSource::Reuse, told_of(reuse), said_at)))
    }

    fn corrected(&self, memory: MemoryId, window: &Range<usize>) -> Option<Judged> {
        let at = *self.session.corrected.get(&memory)?;
        let turns = self.session.turns;
        let within =
            turns[window.start].said_at <= at && turns.get(window.end).is_none_or(|end| at < end.said_at);
        within.then(|| (Outcome::Failure, EvidenceSource::Correction, "the user set it right".to_owned(), at))
    }

    /// The first check from the turn on decides, if it is about what was done
    /// with the memory. What failed and was mended served in part, unless it was
    /// taken out for that; so did what could not mend what had failed before.
    fn checked(&self, turn: usize, end: usize, reuse: &Reuse) -> Option<Judged> {
        let place = self.checks.partition_point(|check| check.turn < turn);
        let (before, after) = self.checks.split_at(place);
        let within = after.iter().take_while(|check| check.turn < end).collect::<Vec<_>>();
        let first = within.first().filter(|check| self.concerns(turn, check.turn, reuse))?;
        let same = |check: &&Check| check.command == first.command;
        let command = shortened(&first.command);
        let judged = |outcome: Outcome, note: String, check: &Check| {
            Some((outcome, EvidenceSource::Check, note, self.session.turns[check.turn].said_at))
        };
        if first.passed {
            return judged(Outcome::Success, format!("`{command}` passed"), first);
        }
        if let Some(mended) = within.iter().find(|check| same(check) && check.passed) {
            if self.taken_out(turn, first.turn..mended.turn, reuse) {
                return judged(Outcome::Failure, format!("`{command}` passed when it was taken out"), mended);
            }
            return judged(Outcome::Partial, format!("`{command}` failed, and passed later"), mended);
        }
        match before.iter().rev().find(same) {
            Some(earlier) if !earlier.passed => {
                judged(Outcome::Partial, format!("`{command}` failed as it had before"), first)
            }
            _ => judged(Outcome::Failure, format!("`{command}` failed"), first),
        }
    }

    /// Whether a check is about what was done with a memory. An edit stays, and
    /// so does a skill that was loaded: until the user says something, unless he
    /// only asks for the check. A command is over: only what runs with it or
    /// right after it tells of it. Who only mentions a memory does nothing.
    fn concerns(&self, turn: usize, check: usize, reuse: &Reuse) -> bool {
        let turns = self.session.turns;
        let deed = |at: usize| {
            let call = turns[at].tool.as_ref().filter(|call| carries(call, reuse))?;
            let lasting = edited_file(call).is_some() || call.tool_name == SKILL;
            (lasting || command_of(call).is_some()).then_some((at, lasting))
        };
        let Some((at, lasting)) = (turn..=check).rev().find_map(deed) else { return false };
        let between = turns.get(at + 1..check).unwrap_or_default();
        let said = between.iter().rposition(|turn| turn.event == EventType::UserMessage);
        let calls = |turns: &[Turn]| turns.iter().any(|turn| turn.tool.is_some());
        match said {
            Some(said) => lasting && !calls(&between[said..]),
            None => lasting || !calls(between),
        }
    }

    /// A command that it told to run, and that did not run.
    fn ran(&self, turn: usize, reuse: &Reuse) -> Option<Judged> {
        let (said, Reuse::Command(command)) = (&self.session.turns[turn], reuse) else { return None };
        let failed = said.tool.as_ref().is_some_and(|call| !call.success);
        let note = format!("`{}` failed", shortened(command));
        failed.then_some((Outcome::Failure, EvidenceSource::Check, note, said.said_at))
    }

    /// Whether what was reused at `turn` was taken out again in these turns.
    fn taken_out(&self, turn: usize, turns: Range<usize>, reuse: &Reuse) -> bool {
        let calls = self.session.turns[turns.clone()].iter().filter_map(|turn| turn.tool.as_ref());
        let has = |text: &str| reuse.written().iter().any(|written| fold(text).contains(&fold(written)));
        let gone = |call: &ToolCall| {
            let swaps = edited_file(call).map(|file| swaps_of(call, file)).unwrap_or_default();
            swaps.iter().any(|swap| has(&swap.old) && !has(&swap.new))
        };
        calls.into_iter().any(gone) || self.taken_back(turn..turns.end, reuse).is_some()
    }

    /// An edit that carries what was reused, and was taken back.
    fn taken_back(&self, turns: Range<usize>, reuse: &Reuse) -> Option<Judged> {
        let calls: Vec<(&Turn, &ToolCall)> =
            self.session.turns[turns].iter().filter_map(|turn| Some((turn, turn.tool.as_ref()?))).collect();
        let back = reverted(&calls.iter().map(|(_, call)| *call).collect::<Vec<_>>());
        let carrying = |file: &str, by: usize| {
            calls[..by].iter().any(|(_, call)| edited_file(call) == Some(file) && carries(call, reuse))
        };
        let first = back.iter().filter(|(file, by)| carrying(file, **by)).min_by_key(|(_, by)| **by)?;
        let note = format!("the edit of {} was taken back", shortened(first.0));
        Some((Outcome::Failure, EvidenceSource::Edit, note, calls[*first.1].0.said_at))
    }
}

type Judged = (Outcome, EvidenceSource, String, Timestamp);

/// Whether a call has one of the spellings in what it was given.
fn carries(call: &ToolCall, reuse: &Reuse) -> bool {
    let given = fold(&serde_json::to_string(&call.arguments).unwrap_or_default());
    reuse.written().iter().any(|written| given.contains(&fold(written)))
}

fn told_of(reuse: &Reuse) -> String {
    match reuse {
        Reuse::Terms(terms) => {
            let told: Vec<String> = terms.iter().take(MOST_TOLD).map(|term| shortened(term)).collect();
            format!("came up: {}", told.join(", "))
        }
        Reuse::Quoted(name) => format!("came up: {}", shortened(name)),
        Reuse::File(file) => format!("was opened: {}", shortened(file)),
        Reuse::Command(command) => format!("was run: {}", shortened(command)),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(TOLD) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
