//! From what happened to what is remembered.
//!
//! An event is heard first: its turn is durable before anybody is told so.
//! Afterwards it is read: what is worth keeping is found and formed
//! (`prepare`), held against what is near (`near`) and decided at the gate of
//! the core, tied to what it names and bears on (`ties`), and committed in one
//! step together with the decisions. A turn is read once; what was not read
//! when the daemon ended is read when the store opens again.

mod draft;
mod ended;
mod hearing;
mod near;
mod prepare;
mod promote;
mod ties;

use draft::{Draft, Pending};
pub(crate) use hearing::Hearing;
pub use hearing::{GuardedEvent, Heard, guarded};
use prepare::{Considered, Prepared, Prospect};
pub use promote::{Ascent, Candidate};
pub(crate) use ties::Naming;

use crate::adviser::Adviser;
use crate::shelf::{ChangeError, Shelf};
use engram_core::advice::{DecidedBy, Judge, Merge, Relate, Verdict};
use engram_core::authority::{Allowed, Origin};
use engram_core::change::Changes;
use engram_core::decision::{Action, Decision};
use engram_core::gate::{Arrival, Gated, Near, gate};
use engram_core::law::{Encoded, weigh};
use engram_core::plan::actor_of;
use engram_core::port::{CommitError, ReadError};
use engram_core::turn::{Event, EventType, Turn};
use engram_core::{
    Actor, Cause, Codes, Kind, Memory, MemoryId, OperationId, ProjectKey, Provenance, RelationKind,
    SessionId, Similarity, Timestamp, Write,
};
use jiff::tz::TimeZone;
use near::Found;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// So many turns are read in one go, if so many wait.
const BATCH: usize = 24;

/// A language model is asked how two texts bear on each other from here on.
const NEAR_ENOUGH: f64 = 0.5;

/// What reading needs to know of the world.
pub struct Reader {
    /// What somebody may do, by where it comes from.
    pub authority: Box<dyn Fn(&Origin<'_>) -> Allowed + Send + Sync>,
    /// Where people say "tomorrow".
    pub zone: TimeZone,
    pub project: Option<ProjectKey>,
    pub adviser: Option<Arc<Adviser>>,
}

/// Something that somebody asked to be remembered.
pub struct Stated {
    pub operation: OperationId,
    pub actor: Actor,
    /// Of the type `remember`.
    pub event: Event,
    pub tags: BTreeSet<String>,
    pub domain: Option<String>,
    pub pinned: bool,
}

/// What came of one step of reading.
#[derive(Debug, Default)]
pub struct Read {
    pub decisions: Vec<Decision>,
    /// How many turns are left.
    pub left: usize,
}

/// One fact on its way through the gate.
struct Fact<'t> {
    turn: &'t Turn,
    number: usize,
    /// The memory it becomes, if it becomes one.
    born: MemoryId,
    /// What its turn says first becomes this one.
    opening: Option<MemoryId>,
    actor: Actor,
    prospect: Prospect,
    /// As the table sees it.
    direction: Option<Codes>,
    /// What a language model said about memories that the rules are unsure of.
    judged: BTreeMap<MemoryId, Verdict>,
    /// How it bears on a memory near it, by a language model.
    related: Option<(MemoryId, RelationKind)>,
    /// A merged text by a language model, of the memory as it was then.
    merged: Option<(MemoryId, u32, String)>,
    by: DecidedBy,
}

/// What was found in some turns, and why nothing was in the others.
struct Facts<'t> {
    facts: Vec<Fact<'t>>,
    /// By the place of the turn.
    skipped: BTreeMap<usize, String>,
}

impl Shelf {
    /// Reads some of the turns that wait. `beside` is the project of a session:
    /// what bears on something known there is decided there.
    pub async fn read_turns(
        &self,
        reader: &Reader,
        beside: Option<&Shelf>,
        at: Timestamp,
    ) -> Result<Read, ChangeError> {
        // One reads at a time, or two would decide about the same turn.
        let _reading = self.reading.lock().await;
        let turns = self.hearing().next(BATCH);
        if turns.is_empty() {
            return Ok(Read::default());
        }
        let read = self.read_together(&turns, reader, beside, at).await;
        match &read {
            Err(ChangeError::Commit(CommitError::Unavailable(_))) => return read,
            Err(ChangeError::Commit(_) | ChangeError::CannotChange(_)) => {}
            _ => return read,
        }
        // One turn that cannot be kept must not keep the others from being read.
        let mut all = Read::default();
        for turn in turns {
            let one = std::slice::from_ref(&turn);
            let read = match self.read_together(one, reader, beside, at).await {
                Err(
                    problem @ (ChangeError::Commit(CommitError::Refused(_) | CommitError::AlreadyApplied(_))
                    | ChangeError::CannotChange(_)),
                ) => self.give_up(&turn, &problem.to_string(), at).await?,
                other => other?,
            };
            all.decisions.extend(read.decisions);
            all.left = read.left;
        }
        Ok(all)
    }

    /// A turn stays as it is, and nothing is made of it.
    async fn give_up(&self, turn: &Turn, problem: &str, at: Timestamp) -> Result<Read, ChangeError> {
        let _door = self.door.lock().await;
        let decision = skip(turn, format!("it could not be kept: {problem}"), at);
        let mut draft = Draft::new(self, turn.id.operation("give up", 0, at), at);
        draft.writes.push(Write::Read { turn: turn.id, decisions: vec![decision.clone()] });
        self.commit_draft(draft).await?;
        let mut hearing = self.hearing();
        hearing.done(std::slice::from_ref(turn));
        Ok(Read { decisions: vec![decision], left: hearing.waiting() })
    }

    async fn read_together(
        &self,
        turns: &[Turn],
        reader: &Reader,
        beside: Option<&Shelf>,
        at: Timestamp,
    ) -> Result<Read, ChangeError> {
        let considered = self.consider_all(turns, reader, beside, true).await?;
        let _door = self.door.lock().await;
        let (mut draft, abroad) = self.plan(turns, &considered, reader, beside, at).await?;
        for (place, gated) in abroad {
            let Some(beside) = beside else { continue };
            draft.decisions.push(beside.settle_for(&considered.facts[place], gated, reader, at).await?);
        }
        for turn in turns {
            let own = draft.decisions_of(turn);
            draft.writes.push(Write::Read { turn: turn.id, decisions: own });
        }
        let decisions = std::mem::take(&mut draft.decisions);
        self.commit_draft(draft).await?;
        let mut hearing = self.hearing();
        hearing.done(turns);
        Ok(Read { decisions, left: hearing.waiting() })
    }

    /// What would be decided about these events, without keeping anything.
    pub async fn preview(
        &self,
        events: Vec<GuardedEvent>,
        reader: &Reader,
        beside: Option<&Shelf>,
        at: Timestamp,
    ) -> Result<Vec<Decision>, ChangeError> {
        let turns: Vec<Turn> =
            events.into_iter().map(|it| Turn::of(it.event, 0, it.instructions, at)).collect();
        let known = self.store.load_turns(turns.iter().map(|turn| turn.id).collect()).await?;
        let turns: Vec<Turn> =
            turns.into_iter().filter(|turn| !known.iter().any(|kept| kept.id == turn.id)).collect();
        if turns.is_empty() {
            return Ok(Vec::new());
        }
        let considered = self.consider_all(&turns, reader, beside, false).await?;
        let _door = self.door.lock().await;
        let (draft, abroad) = self.plan(&turns, &considered, reader, beside, at).await?;
        let mut decisions = draft.decisions;
        for (place, gated) in abroad {
            let Some(beside) = beside else { continue };
            let fact = &considered.facts[place];
            let found = beside.near(fact, &BTreeMap::new()).await?;
            let mut draft = Draft::new(beside, fact.turn.id.operation("preview", 0, at), at);
            decisions.push(draft.take(fact, gated, &found, reader).await?);
        }
        let place = |decision: &Decision| turns.iter().position(|turn| turn.id == decision.turn);
        decisions.sort_by_key(|decision| (place(decision), decision.number));
        Ok(decisions)
    }

    /// What of these turns may be worth a memory.
    async fn consider_all<'t>(
        &self,
        turns: &'t [Turn],
        reader: &Reader,
        beside: Option<&Shelf>,
        noting: bool,
    ) -> Result<Facts<'t>, ChangeError> {
        let of_project = reader.project.as_ref().map(ToString::to_string).unwrap_or_default();
        let place_name = format!("{} {of_project}", self.scope());
        let mut facts = Vec::new();
        let mut skipped: BTreeMap<usize, String> = BTreeMap::new();
        for (place, turn) in turns.iter().enumerate() {
            match self.prepare(turn, reader, noting).await? {
                Considered::Skip(reason) => {
                    skipped.insert(place, reason);
                }
                Considered::Keep(Prepared { prospects, by }) => {
                    facts.extend(prospects.into_iter().enumerate().map(|(number, prospect)| Fact {
                        turn,
                        number,
                        born: turn.id.newborn(&place_name, number),
                        opening: Some(turn.id.newborn(&place_name, 0)),
                        actor: actor_of(turn.event),
                        prospect,
                        direction: None,
                        judged: BTreeMap::new(),
                        related: None,
                        merged: None,
                        by,
                    }));
                }
            }
        }
        self.embed_prospects(&mut facts).await?;
        if let Some(adviser) = reader.adviser.as_deref().filter(|adviser| adviser.llm.is_some()) {
            for fact in facts.iter_mut().filter(|fact| fact.prospect.faint.is_none()) {
                self.ask_about(fact, beside, adviser, reader).await?;
            }
        }
        Ok(Facts { facts, skipped })
    }

    /// Decides about every fact. Told beside the draft: which facts bear on a
    /// memory of the store beside this one.
    async fn plan(
        &self,
        turns: &[Turn],
        considered: &Facts<'_>,
        reader: &Reader,
        beside: Option<&Shelf>,
        at: Timestamp,
    ) -> Result<(Draft<'_>, Vec<(usize, Gated)>), ChangeError> {
        let operation = turns[0].id.operation("read", turns.len(), at);
        let mut draft = Draft::new(self, operation, at);
        let mut abroad: Vec<(usize, Gated)> = Vec::new();
        for (place, fact) in considered.facts.iter().enumerate() {
            let here = self.near(fact, &draft.pending).await?;
            let there = match beside {
                Some(shelf) => shelf.near(fact, &BTreeMap::new()).await?,
                None => Vec::new(),
            };
            let gated = decide(fact, &here, &there, reader);
            if let Some(why) = fact.prospect.faint.filter(|_| gated.action != Action::Supersede) {
                let number = u32::try_from(fact.number).unwrap_or(u32::MAX);
                draft.decisions.push(Decision { number, ..skip(fact.turn, why.to_string(), at) });
                continue;
            }
            let is_there = |id: &MemoryId| there.iter().any(|found| found.memory.id == *id);
            // What it replaces there, it replaces here as well.
            let about = match gated.action {
                Action::Create => false,
                Action::Supersede => gated.others.iter().any(is_there),
                _ => gated.others.first().is_some_and(is_there),
            };
            if about {
                for old in here.iter().filter(|found| gated.others.contains(&found.memory.id)) {
                    if gated.action == Action::Supersede {
                        draft.retire(fact, &gated, &old.memory, reader)?;
                    }
                }
                let others = gated.others.iter().copied().filter(is_there).collect();
                abroad.push((place, Gated { others, ..gated }));
            } else {
                draft.take(fact, gated, &here, reader).await?;
            }
        }
        for (place, turn) in turns.iter().enumerate() {
            if let Some(reason) = considered.skipped.get(&place) {
                draft.decisions.push(skip(turn, reason.clone(), at));
            }
        }
        Ok((draft, abroad))
    }

    /// Decides about a fact of a session's turn where it bears on a memory of
    /// this store; the turn comes along as evidence.
    async fn settle_for(
        &self,
        fact: &Fact<'_>,
        gated: Gated,
        reader: &Reader,
        at: Timestamp,
    ) -> Result<Decision, ChangeError> {
        let _door = self.door.lock().await;
        // Known again when it is read a second time, after a crash.
        let operation = fact.turn.id.operation("read elsewhere", fact.number, fact.turn.recorded_at);
        // It was looked at before the door was held, and before what was said
        // just ahead of it was settled.
        let found = self.near(fact, &BTreeMap::new()).await?;
        let stands = |id: &MemoryId| {
            found.iter().any(|found| found.memory.id == *id && found.memory.status.is_current())
        };
        let gated = match gated.others.iter().all(stands) {
            true => gated,
            false => decide(fact, &found, &[], reader),
        };
        let mut draft = Draft::new(self, operation, at);
        let decision = draft.take(fact, gated, &found, reader).await?;
        if self.store.find_operation(operation).await?.is_some() || draft.writes.is_empty() {
            return Ok(decision);
        }
        if self.store.load_turns(vec![fact.turn.id]).await?.is_empty() {
            draft.writes.push(Write::Hear { turn: Box::new(fact.turn.clone()) });
        }
        draft.writes.push(Write::Read { turn: fact.turn.id, decisions: vec![decision.clone()] });
        self.commit_draft(draft).await?;
        Ok(decision)
    }

    async fn commit_draft(&self, mut draft: Draft<'_>) -> Result<Vec<Memory>, ChangeError> {
        draft.prune(self);
        let Draft { operation, cause, actor, at, part_of, mut writes, mut naming, .. } = draft;
        // What is alike is written together, which takes a fraction of the time.
        writes.sort_by_key(|write| match write {
            Write::Create { .. } => 0,
            Write::Replace { .. } => 1,
            Write::Relate { .. } => 2,
            _ => 3,
        });
        let changes = Changes { operation, cause, actor, at, undoes: None, part_of, writes };
        let memories = self.commit(changes).await?;
        naming.keep();
        Ok(memories)
    }

    /// Keeps what somebody asked to be remembered, heard and read in one step.
    /// It passes the same gate as everything else: what is known already is not
    /// kept twice, and what it contradicts gives way.
    pub async fn remember(
        &self,
        stated: Stated,
        reader: &Reader,
        at: Timestamp,
    ) -> Result<(Vec<Memory>, Decision), ChangeError> {
        let Stated { operation, actor, event, tags, domain, pinned } = stated;
        let _door = self.door.lock().await;
        let GuardedEvent { event, instructions, .. } = guarded(event);
        let number = self.next_number(event.session.as_deref().map(SessionId::named)).await?;
        let turn = Turn::of(event, number, instructions, at);
        let known = prepare::stated(&turn, Kind::Fact);
        let domain = domain.or_else(|| known.domain.clone());
        let mut facts = [Fact {
            turn: &turn,
            number: 0,
            born: operation.newborn(),
            opening: None,
            actor,
            prospect: Prospect { tags, domain, pinned, asked: true, ..known },
            direction: None,
            judged: BTreeMap::new(),
            related: None,
            merged: None,
            by: DecidedBy::Heuristic,
        }];
        self.embed_prospects(&mut facts).await?;
        let [fact] = facts;
        let found = self.near(&fact, &BTreeMap::new()).await?;
        let gated = decide(&fact, &found, &[], reader);
        let mut draft = Draft { cause: Cause::Remember, actor, ..Draft::new(self, operation, at) };
        let decision = draft.take(&fact, gated, &found, reader).await?;
        if self.store.load_turns(vec![turn.id]).await?.is_empty() {
            draft.writes.push(Write::Hear { turn: Box::new(turn.clone()) });
        }
        draft.writes.push(Write::Read { turn: turn.id, decisions: vec![decision.clone()] });
        let mut memories = self.commit_draft(draft).await?;
        let touched = decision.memory.or(decision.other).filter(|_| memories.is_empty());
        memories.extend(match touched {
            Some(id) => self.store.load(vec![id]).await?,
            None => Vec::new(),
        });
        Ok((memories, decision))
    }

    /// Whether a memory came from this conversation, among others.
    async fn was_said_in(&self, memory: &Memory, session: Option<SessionId>) -> Result<bool, ReadError> {
        let turns = self.store.load_turns(memory.provenance.evidence.clone()).await?;
        Ok(session.is_some() && turns.iter().any(|turn| turn.session == session))
    }

    /// Asks a language model where the rules are unsure or two texts become one.
    async fn ask_about(
        &self,
        fact: &mut Fact<'_>,
        beside: Option<&Shelf>,
        adviser: &Adviser,
        reader: &Reader,
    ) -> Result<(), ChangeError> {
        let mut found = self.near(fact, &BTreeMap::new()).await?;
        if let Some(beside) = beside {
            found.extend(beside.near(fact, &BTreeMap::new()).await?);
        }
        let gated = decide(fact, &found, &[], reader);
        let Some(other) =
            gated.others.first().and_then(|id| found.iter().find(|found| found.memory.id == *id))
        else {
            return Ok(());
        };
        let other = &other.memory;
        match gated.action {
            Action::Challenge if gated.why.is_none() => {
                let judge = Judge { kept: other.content.clone(), new: fact.prospect.text.clone() };
                let advised = adviser.advised(judge, || Verdict::Unrelated).await;
                if advised.by == DecidedBy::Model {
                    fact.judged.insert(other.id, advised.value);
                    fact.by = DecidedBy::Model;
                }
            }
            Action::Update => {
                let merge = Merge { first: other.content.clone(), second: fact.prospect.text.clone() };
                let heuristic = gated.merged.clone().unwrap_or_default();
                let advised = adviser.advised(merge, || heuristic).await;
                if advised.by == DecidedBy::Model {
                    fact.merged = Some((other.id, other.revision, advised.value));
                    fact.by = DecidedBy::Model;
                }
            }
            Action::Create if gated.similarity.is_some_and(|it| it.get() >= NEAR_ENOUGH) => {
                let relate = Relate { first: fact.prospect.text.clone(), second: other.content.clone() };
                let advised = adviser.advised(relate, || None).await;
                fact.related = advised.value.map(|kind| (other.id, kind));
            }
            _ => {}
        }
        Ok(())
    }
}

/// The gate, with everything known of the fact.
fn decide(fact: &Fact<'_>, here: &[Found], there: &[Found], reader: &Reader) -> Gated {
    let authority = (reader.authority)(&Origin::of(fact.turn)).authority;
    // A person's own memories are not a project's to change: they are not here.
    let all: Vec<&Found> = here.iter().chain(there).collect();
    let near: Vec<Near<'_>> = all
        .iter()
        .map(|found| Near {
            memory: &found.memory,
            similarity: found.similarity,
            judged: fact.judged.get(&found.memory.id).copied(),
            by_words: found.by_words,
            together: together(fact.turn, &found.memory),
        })
        .collect();
    let nearest: Vec<Similarity> = current(&all).map(|found| found.similarity).collect();
    let weighed = weigh(&encoded(fact, &nearest, false));
    let arrival = Arrival {
        text: &fact.prospect.text,
        kind: fact.prospect.kind,
        // What stands in a file is meant, however often it was changed before.
        asked: fact.prospect.asked || fact.turn.event == EventType::File,
        said_at: fact.turn.said_at,
        trust: Provenance::stated_by(fact.actor).trust,
        authority,
        importance: weighed.importance,
    };
    let mut gated = gate(&arrival, &near);
    if let (Action::Update, Some((id, revision, text))) = (gated.action, &fact.merged)
        && all.iter().any(|found| found.memory.id == *id && found.memory.revision == *revision)
        && gated.others.first() == Some(id)
    {
        gated.merged = Some(text.clone());
    }
    gated
}

/// Whether a memory was made of the same turn, or of another piece of the same
/// state of a file.
fn together(turn: &Turn, memory: &Memory) -> bool {
    let file = |source: &str| source.split('#').next().unwrap_or_default().to_owned();
    let source = || memory.structured.as_ref()?.get(prepare::SOURCE)?.as_str().map(file);
    memory.provenance.evidence.contains(&turn.id)
        || turn.event == EventType::File
            && memory.created_at == turn.said_at
            && source().is_some_and(|known| turn.source.as_deref().map(file) == Some(known))
}

fn current<'f>(found: &'f [&'f Found]) -> impl Iterator<Item = &'f &'f Found> {
    found.iter().filter(|found| found.memory.status.is_current())
}

fn encoded<'n>(fact: &Fact<'_>, nearest: &'n [Similarity], contradicts: bool) -> Encoded<'n> {
    Encoded {
        kind: fact.prospect.kind,
        event: fact.turn.event,
        nearest,
        contradicts,
        emotion: fact.prospect.emotion,
        density: fact.prospect.density,
        asked: fact.prospect.asked,
    }
}

fn skip(turn: &Turn, reason: String, at: Timestamp) -> Decision {
    Decision {
        turn: turn.id,
        number: 0,
        action: Action::Skip,
        memory: None,
        other: None,
        fact: None,
        reason,
        similarity: None,
        by: DecidedBy::Heuristic,
        at,
    }
}
