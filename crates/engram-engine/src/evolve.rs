//! Evolution over one shelf: what is known of a memory is loaded with the door
//! held, the core decides, and what it decides goes through the door.
//!
//! Files of skills are not known here; their texts are looked at before they are
//! kept, for an agent will load them as orders.

use crate::dream::night::{ShelfSight, all_of};
use crate::shelf::{ChangeError, Shelf};
use engram_core::dream::Sight;
use engram_core::evolve::{
    Candidate, CannotEvolve, Criteria, EvolutionLogged, EvolutionReport, Evolving, Ground, candidates, report,
};
use engram_core::learn::noise;
use engram_core::plan::{BadDraft, CannotChange};
use engram_core::skill::{BadSkill, Skill};
use engram_core::used::Usage;
use engram_core::{Changes, Kind, Memory, MemoryId, Span, Timestamp, Write};
use engram_guard::guard;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is shown and not used is looked for so far back, and in so many recalls.
const NOISE_FOR: Span = Span::from_hours(30 * 24);
const MOST_RECALLS: usize = 5_000;

#[derive(Debug, thiserror::Error)]
pub enum EvolveError {
    #[error(transparent)]
    Refused(#[from] CannotEvolve),
    #[error(transparent)]
    Change(#[from] ChangeError),
}

impl Shelf {
    /// A memory, and how using it went, oldest first.
    pub async fn case_of(&self, id: MemoryId) -> Result<(Memory, Vec<Usage>), ChangeError> {
        Ok((self.load(id).await?, self.store.usage_of(id).await?))
    }

    /// Loads these, each once, plans and commits while holding the door. Returns
    /// the memories as they are afterwards.
    pub async fn evolve(
        &self,
        ids: &[MemoryId],
        plan: impl FnOnce(&[(Memory, Vec<Usage>)], &dyn Sight) -> Result<Changes, CannotEvolve>,
    ) -> Result<Vec<Memory>, EvolveError> {
        // What was shown a moment ago is in use.
        self.flush_notes().await?;
        let _door = self.door.lock().await;
        let mut cases: Vec<(Memory, Vec<Usage>)> = Vec::with_capacity(ids.len());
        for id in ids {
            if !cases.iter().any(|(memory, _)| memory.id == *id) {
                cases.push(self.case_of(*id).await?);
            }
        }
        let mut changes = plan(&cases, &ShelfSight::of(self))?;
        guard_skills(&mut changes)?;
        Ok(self.commit(changes).await?)
    }

    /// How many memories were looked at, and the most pressing candidates among
    /// them.
    pub async fn evolution_candidates(
        &self,
        criteria: Option<Criteria>,
        limit: usize,
        at: Timestamp,
    ) -> Result<(usize, Vec<Candidate>), ChangeError> {
        self.flush_notes().await?;
        let memories = all_of(self).await?;
        let mut usages: BTreeMap<MemoryId, Vec<Usage>> = BTreeMap::new();
        for usage in self.store.usages_since(Timestamp::UNIX_EPOCH).await? {
            usages.entry(usage.memory).or_default().push(usage);
        }
        let edges = self.all_edges().into_iter().collect();
        let sight = ShelfSight::of(self);
        let noise = noise(&self.store.recalls_since(at - NOISE_FOR, MOST_RECALLS).await?, at);
        let (memories, usages, edges) = (&memories, &usages, &edges);
        let ground = Ground { memories, usages, edges, sight: &sight, noise: &noise, at };
        Ok((ground.looked_at(), candidates(&ground, criteria, limit)))
    }

    /// What evolved since a moment, the latest first, and what of it was taken
    /// back, and how many memories could evolve.
    pub async fn evolution_report(
        &self,
        since: Timestamp,
        at: Timestamp,
    ) -> Result<EvolutionReport, ChangeError> {
        let mut logged = self.store.latest_evolved(since).await?;
        let mut undone = BTreeSet::new();
        for row in &logged {
            if self.was_taken_back(row).await? {
                undone.insert((row.operation, row.number));
            }
        }
        // A skill whose text was taken away for good is none any more.
        let made = logged.iter().filter(|row| row.action == Evolving::Induced).filter_map(|row| row.made);
        let kept: BTreeSet<MemoryId> = self
            .store
            .load(made.collect())
            .await?
            .into_iter()
            .filter(|memory| !memory.content.is_empty())
            .map(|memory| memory.id)
            .collect();
        logged.retain(|row| {
            let undone = undone.contains(&(row.operation, row.number));
            undone || row.action != Evolving::Induced || row.made.is_none_or(|made| kept.contains(&made))
        });
        let (looked_at, _) = self.evolution_candidates(None, 0, at).await?;
        Ok(report(looked_at, &logged, &undone))
    }

    /// A dream is done in parts, and one step of it can be taken back.
    async fn was_taken_back(&self, row: &EvolutionLogged) -> Result<bool, ChangeError> {
        let whole = self.store.find_operation(row.operation).await?;
        if whole.is_some_and(|whole| whole.undone_by.is_some()) {
            return Ok(true);
        }
        let parts = self.store.parts_done(row.operation).await?;
        let about = |id: &MemoryId| *id == row.node || Some(*id) == row.made;
        Ok(parts.iter().any(|part| part.undone_by.is_some() && part.memories.iter().any(about)))
    }

    /// The skills that are in force here.
    pub fn skills(&self) -> Vec<Arc<Memory>> {
        self.kept_of_kind(Kind::Procedure, |memory| memory.status.is_current() && Skill::of(memory).is_some())
    }
}

/// Takes the secrets out of the skills that are about to be kept, and refuses one
/// whose text wants to be obeyed in more than its steps.
fn guard_skills(changes: &mut Changes) -> Result<(), CannotEvolve> {
    for write in &mut changes.writes {
        let (Write::Create { memory } | Write::Replace { after: memory, .. }) = write else { continue };
        let Some(mut skill) = Skill::of(memory).filter(|_| memory.status.is_current()) else { continue };
        let (text, description) = (guard(&memory.content), guard(&skill.description));
        if let Some(found) = text.instructions.iter().chain(&description.instructions).next() {
            return Err(BadSkill::Instructions(found.reason.to_owned()).into());
        }
        if text.text.trim().is_empty() || description.text.trim().is_empty() {
            return Err(CannotChange::Draft(BadDraft::Empty).into());
        }
        memory.content = text.text;
        skill.description = description.text;
        skill.put(memory);
    }
    Ok(())
}
