//! From a session to what outlives it: a memory goes up through the gate of the
//! wider scope, under its own name, with the words it was made of.

use super::near::Found;
use super::{Draft, Fact, Prospect, Reader, decide};
use crate::shelf::{ChangeError, Shelf};
use engram_core::advice::DecidedBy;
use engram_core::authority::Origin;
use engram_core::claim::Bearing;
use engram_core::decision::Action;
use engram_core::dream::{CrossProjectPattern, Note};
use engram_core::gate::Gated;
use engram_core::law::{WORKING_PLACES, worth_of};
use engram_core::observe::{emotion_of, entities_of};
use engram_core::plan::{Occasion, actor_of, ascended, join, plan_joined, plan_promoted, plan_working};
use engram_core::port::ReadError;
use engram_core::turn::{Authority, Event, EventType, Turn};
use engram_core::used::{Promotion, PromotionReason};
use engram_core::{
    Actor, Cause, Changes, Confidence, Memory, MemoryId, OperationId, Scope, Similarity, Status, Tier,
    Timestamp, TurnId, Write,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// From here on a memory of the user stands for one of a project.
const MERGED: f64 = 0.85;
/// How much it moves confidence that another project came to the same.
const CAME_TO_IT_TOO: f64 = 0.1;

/// A memory that may leave its scope, and what it is worth there.
pub struct Candidate {
    pub memory: Arc<Memory>,
    /// Between zero and one.
    pub score: f64,
}

/// What goes up, and why.
pub struct Ascent<'a> {
    pub memory: &'a Memory,
    pub reason: PromotionReason,
    pub score: f64,
    /// The dream that sends it up.
    pub part_of: Option<OperationId>,
}

impl Shelf {
    /// The memories that may leave this store, the most worthwhile first. Notes
    /// of the moment stay, however important they seem.
    pub fn candidates(&self) -> Vec<Candidate> {
        let may = |memory: &Memory| {
            matches!(memory.status, Status::Created | Status::Active) && !memory.kind.session_only()
        };
        let mut candidates: Vec<Candidate> = self
            .kept_where(may)
            .into_iter()
            .map(|memory| Candidate { score: self.worth(&memory), memory })
            .collect();
        candidates.sort_by(|one, other| {
            other.score.total_cmp(&one.score).then_with(|| one.memory.id.cmp(&other.memory.id))
        });
        candidates
    }

    /// Whether it is still here to go up, and nobody has told it meanwhile.
    pub fn may_rise(&self, id: MemoryId) -> bool {
        let index = self.index();
        index.entry(id).is_some_and(|entry| matches!(entry.status, Status::Created | Status::Active))
    }

    /// Whether it may go up from a project: it is in force, and nobody doubts it.
    pub fn may_go_up(&self, id: MemoryId) -> bool {
        let index = self.index();
        index.entry(id).is_some_and(|entry| entry.status.is_current() && entry.status != Status::Challenged)
    }

    /// What a memory of this store is worth to a wider scope.
    pub fn worth(&self, memory: &Memory) -> f64 {
        let table = self.table().map(|table| table.id());
        let has_direction = table.is_some_and(|table| self.index().direction(table, memory.id).is_some());
        worth_of(memory, has_direction)
    }

    /// Takes in a memory of a narrower scope, at this store's gate: what is known
    /// here stands for it, what it replaces gives way. None: it is not wanted
    /// here. Done before: the same answer, and nothing changes.
    pub async fn receive(
        &self,
        from: &Shelf,
        ascent: Ascent<'_>,
        reader: &Reader,
        at: Timestamp,
    ) -> Result<Option<Promotion>, ChangeError> {
        let Ascent { memory, reason, score, part_of } = ascent;
        let turns = evidence_of(from, memory).await?;
        let Some(turn) = turns.last() else { return Err(ChangeError::NotFound(memory.id)) };
        let number = from.number_of(memory, turn).await?;
        let mut facts = [fact_of(memory, turn, number)];
        self.embed_prospects(&mut facts).await?;
        let [fact] = facts;
        let _door = self.door.lock().await;
        let name = |what: &str| turn.id.operation(what, number, turn.recorded_at);
        let mut operation = name(&format!("promote {}", memory.id));
        let mut promotion = Promotion {
            memory: memory.id,
            session: memory.provenance.source_session,
            from: from.scope(),
            to: self.scope(),
            kind: memory.kind,
            reason,
            score,
            merged_into: None,
            at,
        };
        while let Some(done) = self.store.find_operation(operation).await? {
            let Some(undo) = done.undone_by else { return Ok(Some(promotion)) };
            operation = name(&format!("promote {} after {undo}", memory.id));
        }
        // A rule that came after it was learned holds for where it would go, unless
        // somebody wants it there.
        let allowed = (reader.authority)(&Origin::of(turn));
        let barred = allowed.authority == Authority::Nothing && allowed.by.is_some();
        if barred && reason != PromotionReason::Explicit {
            return Ok(None);
        }
        let found = self.near(&fact, &BTreeMap::new()).await?;
        let gated = decide(&fact, &found, &[], reader);
        let mut draft = Draft { cause: Cause::Promote, part_of, ..Draft::new(self, operation, at) };
        // What is so alike is known to the user already, from another project.
        let twin = found.iter().find(|found| self.is_twin(memory, found, &gated));
        if let Some(twin) = twin {
            promotion.merged_into = Some(twin.memory.id);
            let writes = self.joined_by_twin(memory, &twin.memory, &promotion, operation, at).await?;
            draft.writes.extend(writes);
            self.commit_draft(draft).await?;
            return Ok(Some(promotion));
        }
        let decision = draft.take(&fact, gated, &found, reader).await?;
        let Some(standing) = decision.memory else { return Ok(None) };
        let mut changed = false;
        for write in &mut draft.writes {
            match write {
                Write::Create { memory: new } if new.id == memory.id => {
                    let mut up = ascended(memory, self.scope(), at);
                    if new.status != Status::Created {
                        up.status = new.status;
                        up.status_change = new.status_change.clone();
                    }
                    **new = up;
                }
                Write::Replace { after, .. } if after.id == standing => {
                    join(after, memory, at);
                    changed = true;
                }
                _ => {}
            }
        }
        if standing != memory.id {
            promotion.merged_into = Some(standing);
            let known = found.iter().find(|found| found.memory.id == standing);
            if let Some(known) = known.filter(|known| !changed && !known.memory.immutable) {
                let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
                draft.writes.push(plan_joined(&known.memory, memory, occasion)?);
            }
        }
        let here = self.store.load_turns(turns.iter().map(|turn| turn.id).collect()).await?;
        for new in turns.iter().filter(|turn| !here.iter().any(|kept| kept.id == turn.id)) {
            draft.writes.push(Write::Hear { turn: Box::new(new.clone()) });
            let decisions = if new.id == turn.id { vec![decision.clone()] } else { Vec::new() };
            draft.writes.push(Write::Read { turn: new.id, decisions });
        }
        draft.writes.push(Write::Promote { promotion: Box::new(promotion.clone()) });
        draft.writes.extend(self.pattern_of(standing, memory, at).await?);
        self.commit_draft(draft).await?;
        Ok(Some(promotion))
    }

    /// Whether a memory of the user says what this one of a project says.
    fn is_twin(&self, memory: &Memory, found: &Found, gated: &Gated) -> bool {
        let of_it = |(id, _, bearing): &(MemoryId, Similarity, Bearing)| {
            *id == found.memory.id && !matches!(bearing, Bearing::Contradicts(_) | Bearing::Adds)
        };
        self.scope() == Scope::User
            && gated.action == Action::Create
            && found.similarity.get() >= MERGED
            && found.memory.status.is_current()
            && found.memory.kind == memory.kind
            && !found.memory.immutable
            && gated.bearings.iter().any(of_it)
    }

    /// The user's memory stands for the newcomer, too. That another project came
    /// to the same is evidence.
    async fn joined_by_twin(
        &self,
        memory: &Memory,
        twin: &Memory,
        promotion: &Promotion,
        operation: OperationId,
        at: Timestamp,
    ) -> Result<Vec<Write>, ChangeError> {
        let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
        let project = memory.provenance.source_project.as_ref();
        let known = self.store.load_patterns().await?.into_iter().find(|known| known.memory == twin.id);
        let new = project.is_some_and(|project| {
            twin.provenance.source_project.as_ref() != Some(project)
                && !known.as_ref().is_some_and(|known| known.projects.contains(project))
        });
        let mut joined = plan_joined(twin, memory, occasion)?;
        if let Write::Replace { after, .. } = &mut joined
            && new
        {
            after.confidence = Confidence::clamped(twin.confidence.get() + CAME_TO_IT_TOO);
        }
        let mut writes = vec![joined, Write::Promote { promotion: Box::new(promotion.clone()) }];
        writes.extend(self.pattern_of(twin.id, memory, at).await?);
        Ok(writes)
    }

    /// Which projects have come to what the user's store knows.
    async fn pattern_of(
        &self,
        standing: MemoryId,
        memory: &Memory,
        at: Timestamp,
    ) -> Result<Option<Write>, ReadError> {
        let Some(project) = memory.provenance.source_project.clone().filter(|_| self.scope() == Scope::User)
        else {
            return Ok(None);
        };
        let known = self.store.load_patterns().await?.into_iter().find(|known| known.memory == standing);
        let pattern = CrossProjectPattern::observed(known, standing, project, at);
        Ok(Some(Write::Note { note: Box::new(Note::Pattern(pattern)) }))
    }

    /// Those that went up answer here no more.
    pub async fn let_go(&self, promotion: &Promotion) -> Result<(), ChangeError> {
        let Promotion { memory, to, at, .. } = *promotion;
        let name = TurnId::of_content(at, &memory.to_string());
        let operation = name.operation("promoted", 0, at);
        let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
        if !self.may_go_up(memory) {
            return Ok(());
        }
        self.change(&[memory], |memories| plan_promoted(memories, to, occasion)).await.map(drop)
    }

    /// Looks after the nine places of working memory.
    pub async fn tend_working(&self, occasion: Occasion) -> Result<(), ChangeError> {
        let in_work = |memory: &Memory| {
            memory.tier == Tier::Working && matches!(memory.status, Status::Created | Status::Active)
        };
        if self.kept_where(in_work).len() <= WORKING_PLACES {
            return Ok(());
        }
        let _door = self.door.lock().await;
        let here = self.kept_where(in_work);
        let here: Vec<&Memory> = here.iter().map(|memory| &**memory).collect();
        match plan_working(&here, occasion) {
            Some(changes) => self.commit(changes).await.map(drop),
            None => Ok(()),
        }
    }

    /// Keeps new memories that need no gate. Those that are here already stay as
    /// they are.
    pub async fn keep_new(&self, mut changes: Changes) -> Result<(), ChangeError> {
        let _door = self.door.lock().await;
        changes.writes.retain(|write| write.memory_id().is_none_or(|id| !self.index().contains(id)));
        if changes.writes.is_empty() || self.store.find_operation(changes.operation).await?.is_some() {
            return Ok(());
        }
        self.commit(changes).await.map(drop)
    }

    /// Which fact of its turn a memory was.
    async fn number_of(&self, memory: &Memory, turn: &Turn) -> Result<usize, ReadError> {
        let decisions = self.store.decisions_on(memory.id).await?;
        let own =
            decisions.iter().find(|decision| decision.turn == turn.id && decision.memory == Some(memory.id));
        Ok(own.map_or(0, |decision| decision.number as usize))
    }
}

/// The words a memory was made of, oldest first; its own where there are none.
async fn evidence_of(from: &Shelf, memory: &Memory) -> Result<Vec<Turn>, ReadError> {
    let turns = from.store.load_turns(memory.provenance.evidence.clone()).await?;
    if !turns.is_empty() {
        return Ok(turns);
    }
    let event = Event {
        time: Some(memory.created_at),
        session: memory.provenance.source_session.map(String::from),
        ..Event::new(EventType::Remember, memory.content.clone())
    };
    Ok(vec![Turn::of(event, 0, 0, memory.validity.recorded_at)])
}

/// A memory as a fact that comes to another gate.
fn fact_of<'t>(memory: &Memory, turn: &'t Turn, number: usize) -> Fact<'t> {
    Fact {
        turn,
        number,
        born: memory.id,
        opening: None,
        actor: actor_of(turn.event),
        prospect: Prospect {
            text: memory.content.clone(),
            kind: memory.kind,
            confidence: memory.confidence,
            emotion: memory.emotion.unwrap_or_else(|| emotion_of(&memory.content)),
            density: None,
            entities: entities_of(&memory.content),
            valid_from: Some(memory.validity.valid_from),
            valid_until: memory.validity.valid_until,
            tags: memory.tags.clone(),
            summary: memory.summary.clone(),
            domain: memory.domain.clone(),
            structured: memory.structured.clone(),
            pinned: memory.pinned,
            asked: false,
            faint: None,
            write_source: memory.provenance.write_source,
        },
        direction: None,
        judged: BTreeMap::new(),
        related: None,
        merged: None,
        by: DecidedBy::Heuristic,
    }
}
