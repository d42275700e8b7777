//! What became of what was shown: the turns of a session are held against it,
//! and what was judged is kept where the memories are.
//!
//! Nothing here is waited for by an agent, and nothing is judged twice.

use crate::clock::now;
use crate::house::{House, OpenStore};
use crate::trouble;
use engram_core::credit::{Session, Shown, plan_credit};
use engram_core::decision::Action;
use engram_core::recalled::RecallLogged;
use engram_core::skill::Skill;
use engram_core::turn::{Event, EventType, ToolUse, Turn};
use engram_core::used::Usage;
use engram_core::{MemoryId, RecallId, SessionId, Status, Timestamp, TurnId};
use engram_engine::Rareness;
use engram_wire::Fault;
use engram_wire::project::ProjectPlace;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex};

/// So many of the last turns of a session are held against what was shown.
const LAST_TURNS: usize = 2_000;
/// So many of its recalls are judged at once.
const MOST_RECALLS: usize = 5_000;
/// So many files and skills are noted for a session, and so many sessions.
const MOST_OPENED: usize = 200;
const MOST_SESSIONS: usize = 256;

/// The files that agents read and the skills that they called: evidence of use
/// that is not worth keeping beyond the session.
#[derive(Default)]
pub(crate) struct Opened {
    by_session: Mutex<HashMap<SessionId, VecDeque<(Timestamp, ToolUse)>>>,
}

impl Opened {
    pub(crate) fn note(&self, session: SessionId, tool: ToolUse, at: Timestamp) {
        let mut by_session = self.by_session.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if by_session.len() >= MOST_SESSIONS && !by_session.contains_key(&session) {
            let last_at = |opened: &VecDeque<(Timestamp, ToolUse)>| opened.back().map(|(at, _)| *at);
            let quietest = by_session.iter().min_by_key(|(_, opened)| last_at(opened)).map(|(id, _)| *id);
            quietest.map(|id| by_session.remove(&id));
        }
        let opened = by_session.entry(session).or_default();
        if opened.len() >= MOST_OPENED {
            opened.pop_front();
        }
        opened.push_back((at, tool));
    }

    /// As if they were turns.
    fn turns_of(&self, session: SessionId) -> Vec<Turn> {
        let by_session = self.by_session.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let opened = by_session.get(&session).into_iter().flatten();
        opened
            .map(|(at, tool)| {
                let event = Event {
                    time: Some(*at),
                    session: Some(session.to_string()),
                    tool: Some(tool.clone()),
                    ..Event::new(EventType::ToolCall, "")
                };
                Turn::of(event, 0, 0, *at)
            })
            .collect()
    }

    /// The session is over, however it ended.
    pub(crate) fn end(&self, session: SessionId) {
        self.by_session.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).remove(&session);
    }
}

impl House {
    /// Judges what a session made of what it was shown. `over`: nothing more will
    /// come, so that everything is judged.
    pub(crate) async fn credit_session(
        &self,
        id: SessionId,
        session: &Arc<OpenStore>,
        place: Option<&ProjectPlace>,
        over: bool,
    ) -> Result<usize, Fault> {
        let project = self.project_if_there(place).await;
        let lasting: Vec<Arc<OpenStore>> = project.into_iter().chain([self.user().await?]).collect();
        let nearest = &lasting[0];
        if self.settings_of(nearest)?.text("credit.implicit") != "on" {
            return Ok(0);
        }
        let failed = |error| trouble::read(&error);
        let mut turns = session.shelf.store().latest_turns(Some(id), LAST_TURNS).await.map_err(failed)?;
        turns.extend(self.opened.turns_of(id));
        turns.sort_by_key(|turn| (turn.said_at, turn.turn_number));
        let Some(since) = turns.first().map(|turn| turn.said_at) else { return Ok(0) };
        self.flush_notes_of(&lasting).await;
        let mut logged: Vec<(Arc<OpenStore>, RecallLogged)> = Vec::new();
        for store in &lasting {
            let since = since - engram_core::Span::from_hours(1);
            let recalls = store.shelf.store().recalls_in(id, since, MOST_RECALLS).await.map_err(failed)?;
            // What somebody said of an answer is not all that became of it.
            let open = |it: &RecallLogged| it.settled_at.is_none() || it.user_feedback.is_some();
            logged.extend(recalls.into_iter().filter(open).map(|recall| (store.clone(), recall)));
        }
        let recalls: Vec<RecallLogged> = logged.iter().map(|(_, recall)| recall.clone()).collect();
        // A memory that went up is known where it is now.
        let mut shown: Vec<Shown> = Vec::new();
        let mut home: BTreeMap<MemoryId, Arc<OpenStore>> = BTreeMap::new();
        for store in &lasting {
            for one in store.shelf.shown_in(&recalls).await.map_err(failed)? {
                let in_force = |store: &OpenStore| {
                    store.shelf.index().entry(one.memory).is_some_and(|entry| entry.status.is_current())
                };
                match home.get(&one.memory) {
                    Some(known) if in_force(known) || !in_force(store) => {}
                    _ => drop(home.insert(one.memory, store.clone())),
                }
                if !shown.iter().any(|known| (known.recall, known.memory) == (one.recall, one.memory)) {
                    shown.push(one);
                }
            }
        }
        let said: BTreeMap<TurnId, Timestamp> = turns.iter().map(|turn| (turn.id, turn.said_at)).collect();
        let corrected = self.corrected(&home, &said).await?;
        let at = now();
        let mut skills: BTreeMap<String, MemoryId> = BTreeMap::new();
        for store in &lasting {
            for memory in store.shelf.skills() {
                if let Some(skill) = Skill::of(&memory) {
                    home.entry(memory.id).or_insert_with(|| store.clone());
                    skills.entry(skill.name.to_string()).or_insert(memory.id);
                }
            }
        }
        let credit = {
            let rarity = Rareness(lasting.iter().map(|store| &*store.shelf).collect());
            let (shown, turns, rarity) = (&shown[..], &turns[..], &rarity);
            let (corrected, skills) = (&corrected, &skills);
            // It reads a whole conversation; nobody else is to wait for that.
            tokio::task::block_in_place(|| {
                plan_credit(&Session { shown, turns, rarity, corrected, skills, over, at })
            })
        };
        let mut by_store: Vec<(Arc<OpenStore>, Vec<Usage>)> = Vec::new();
        for usage in credit.usages {
            let Some(store) = home.get(&usage.memory) else { continue };
            match by_store.iter_mut().find(|(known, _)| Arc::ptr_eq(known, store)) {
                Some((_, usages)) => usages.push(usage),
                None => by_store.push((store.clone(), vec![usage])),
            }
        }
        let mut credited = 0;
        for (store, usages) in by_store {
            credited += store.shelf.credit(usages).await.map_err(trouble::change)?;
        }
        for store in &lasting {
            let here = |id: &RecallId| {
                logged.iter().any(|(in_store, recall)| Arc::ptr_eq(in_store, store) && recall.id == *id)
            };
            let mut settled: Vec<_> = credit.settled.iter().filter(|it| here(&it.recall)).cloned().collect();
            for one in &mut settled {
                let known = logged.iter().find(|(_, recall)| recall.id == one.recall);
                for used in known.iter().flat_map(|(_, recall)| &recall.used) {
                    if !one.used.contains(used) {
                        one.used.push(*used);
                    }
                }
            }
            if !settled.is_empty() {
                store.shelf.settle_recalls(settled).await.map_err(trouble::change)?;
            }
        }
        Ok(credited)
    }

    /// Which of these the words of these turns put in doubt or replaced, and when.
    async fn corrected(
        &self,
        home: &BTreeMap<MemoryId, Arc<OpenStore>>,
        said: &BTreeMap<TurnId, Timestamp>,
    ) -> Result<BTreeMap<MemoryId, Timestamp>, Fault> {
        let mut corrected = BTreeMap::new();
        for (id, store) in home {
            let status = store.shelf.index().entry(*id).map(|entry| entry.status);
            if !matches!(status, Some(Status::Superseded | Status::Challenged)) {
                continue;
            }
            let decisions =
                store.shelf.store().decisions_on(*id).await.map_err(|error| trouble::read(&error))?;
            let against = decisions.iter().filter(|decision| {
                matches!(decision.action, Action::Supersede | Action::Challenge)
                    && decision.memory != Some(*id)
            });
            let when: BTreeSet<Timestamp> =
                against.filter_map(|decision| said.get(&decision.turn).copied()).collect();
            corrected.extend(when.first().map(|at| (*id, *at)));
        }
        Ok(corrected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engram_core::Span;
    use serde_json::json;

    #[test]
    fn where_too_many_sessions_are_open_the_quietest_is_let_go() {
        let opened = Opened::default();
        let tool = || ToolUse {
            name: "Read".to_owned(),
            input: json!({ "file_path": "src/main.rs" }),
            output: json!(""),
            ok: true,
            duration_ms: None,
        };
        let session = |number: usize| SessionId::named(&number.to_string());
        let at = |seconds: usize| Timestamp::UNIX_EPOCH + Span::from_secs(seconds as i64);
        for number in 0..MOST_SESSIONS {
            opened.note(session(number), tool(), at(number));
        }
        // The first has gone on since.
        opened.note(session(0), tool(), at(MOST_SESSIONS));
        opened.note(session(MOST_SESSIONS), tool(), at(MOST_SESSIONS + 1));
        let kept = |number: usize| opened.turns_of(session(number)).len();
        assert_eq!((kept(0), kept(1), kept(2), kept(MOST_SESSIONS)), (2, 0, 1, 1));
        opened.end(session(0));
        assert_eq!(kept(0), 0);
    }
}
