//! How long after it was shown a memory is looked for in what an agent says.
//!
//! A window is a stretch of turns. What happens in it is not known here.

use super::{Session, Shown};
use crate::recalled::Surface;
use crate::turn::{EventType, Turn};
use jiff::{SignedDuration, Timestamp};
use std::ops::Range;

/// With so many messages of the user the talk has gone on to something else.
const MESSAGES: usize = 3;
/// After so much silence whoever goes on does so from memory of his own.
const SILENCE: SignedDuration = SignedDuration::from_mins(30);
/// A hint that comes so soon after a call that failed was given because of it.
const AT_ONCE: SignedDuration = SignedDuration::from_secs(1);

/// The turns after something was shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    from: usize,
    to: usize,
    /// Nothing that is yet to come belongs to it.
    pub(super) closed: bool,
}

impl Window {
    pub(super) fn turns(self) -> Range<usize> {
        self.from..self.to
    }
}

/// The window of what was shown.
pub(super) fn window_of(session: &Session<'_>, shown: &Shown) -> Window {
    let turns = session.turns;
    let from = turns.partition_point(|turn| turn.said_at <= shown.at);
    // What was shown at the beginning lies there until somebody begins.
    let last_at = (shown.via != Surface::SessionStart).then_some(shown.at);
    let window = reaching(session, from, last_at);
    let beside_next = shown.via == Surface::Command && !is_about_failure(&turns[..from], shown.at);
    let hinted = window.turns().find(|at| turns[*at].tool.is_some()).filter(|_| beside_next);
    // The call that it was shown beside had been decided on before.
    Window { from: hinted.map_or(window.from, |call| call + 1), ..window }
}

/// The window of what an agent took up by itself at this turn.
pub(super) fn after_turn(session: &Session<'_>, turn: usize) -> Window {
    reaching(session, turn + 1, Some(session.turns[turn].said_at))
}

fn reaching(session: &Session<'_>, from: usize, mut last_at: Option<Timestamp>) -> Window {
    let is_silence = |last_at: Option<Timestamp>, at: Timestamp| {
        last_at.is_some_and(|last_at| at.duration_since(last_at) >= SILENCE)
    };
    let mut messages = 0;
    for (to, turn) in session.turns.iter().enumerate().skip(from) {
        messages += usize::from(turn.event == EventType::UserMessage);
        if messages == MESSAGES || is_silence(last_at, turn.said_at) {
            return Window { from, to, closed: true };
        }
        last_at = Some(turn.said_at);
    }
    Window { from, to: session.turns.len(), closed: session.over || is_silence(last_at, session.at) }
}

/// Whether the last call had just failed: then the hint is about that one, and
/// not about the next.
fn is_about_failure(before: &[Turn], at: Timestamp) -> bool {
    let last = before.iter().rev().find_map(|turn| Some((turn.said_at, turn.tool.as_ref()?.success)));
    last.is_some_and(|(said_at, success)| !success && at.duration_since(said_at) <= AT_ONCE)
}
