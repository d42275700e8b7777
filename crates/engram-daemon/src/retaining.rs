//! The rules of retention in the house: what a dream found to be over is purged.
//!
//! What is over the core says. Here it is audited, taken out of the store a few at
//! a time, and the files are written anew. It cannot be undone.

use crate::clock::now;
use crate::dreaming::Bed;
use crate::house::{House, OpenStore};
use crate::trouble;
use engram_core::audit::Deed;
use engram_core::dream::{Dream, Step, StepReport};
use engram_core::plan::{Occasion, plan_purge_with};
use engram_core::{Actor, MemoryId, OperationId, Timestamp, TurnId};
use engram_engine::Over;
use engram_wire::{Context, Fault};
use std::collections::BTreeSet;
use std::sync::Arc;

/// So many memories, and so many turns, are purged together: others wait no longer
/// than that takes.
const TOGETHER: usize = 100;

impl House {
    /// Purges what the rules say, as far as there is time. False: there is more.
    /// Looked up anew, so that what somebody pinned meanwhile stays and a dream
    /// that was cut short is gone on with. Whoever calls has the turn and does not
    /// hold the gate.
    pub(crate) async fn retain(
        &self,
        bed: &Bed,
        dream: &mut Dream,
        in_time: &(dyn Fn() -> bool + Send + Sync),
    ) -> Result<bool, Fault> {
        let planned = |report: &&mut StepReport| report.step == Step::Retain;
        let Some(report) = dream.steps.iter_mut().find(planned).filter(|report| report.skipped.is_none())
        else {
            return Ok(true);
        };
        let (mut whole, id) = (true, dream.id);
        let mut files = Vec::new();
        let mut done = 0;
        loop {
            // A look disturbs nobody.
            {
                let _gate = self.gate.read().await;
                let store = self.bed(bed).await?;
                if self.over(&store, dream.at).await?.is_empty() {
                    break;
                }
                if files.is_empty() {
                    files = self.skill_files(&store);
                }
            }
            if !in_time() || self.dreaming.ends() {
                whole = false;
                break;
            }
            let _alone = self.alone().await;
            let store = self.bed(bed).await?;
            let over = self.over(&store, dream.at).await?;
            done += over.memories.len() + over.turns.len();
            self.purge_by_rule(&store, over, id).await?;
        }
        if done == 0 {
            return Ok(whole);
        }
        let store = {
            let _alone = self.alone().await;
            let store = self.bed(bed).await?;
            self.bus.clear();
            self.rewrite(store).await?;
            self.bed(bed).await?
        };
        let _gate = self.gate.read().await;
        self.follow_skills(&store).await;
        self.left_of(std::slice::from_ref(&store), &files);
        if whole {
            let named = report.deeds.iter().filter_map(|deed| deed.memory);
            let here =
                store.shelf.store().load(named.collect()).await.map_err(|error| trouble::read(&error))?;
            let kept: BTreeSet<MemoryId> =
                here.iter().filter(|memory| !memory.content.is_empty()).map(|memory| memory.id).collect();
            if !kept.is_empty() {
                report.overtake(&kept);
            }
        }
        Ok(whole)
    }

    async fn over(&self, store: &OpenStore, at: Timestamp) -> Result<Over, Fault> {
        let rules = self.settings_of(store)?.retain_rules();
        store.shelf.find_over(&rules, at, TOGETHER).await.map_err(trouble::change)
    }

    /// The text goes from the row, the log, what was asked and decided about it and
    /// the turns that nothing else rests on; the files follow when they are written
    /// anew, which is asked for before anything is taken out.
    async fn purge_by_rule(
        &self,
        store: &Arc<OpenStore>,
        over: Over,
        dream: OperationId,
    ) -> Result<(), Fault> {
        let Over { memories, mut evidence, turns } = over;
        let context = Context::of(Actor::Engram);
        let at = now();
        let named = TurnId::of_content(at, &dream.to_string());
        let operation = named.operation("retain", memories.len(), at);
        let about: Vec<String> =
            memories.iter().map(ToString::to_string).chain(turns.iter().map(ToString::to_string)).collect();
        self.audit.note(&context, Deed::Purge, Some(operation), &about)?;
        if let Some(home) = &store.home {
            home.ask_for_rewrite().map_err(|error| trouble::io("writing in", home.folder(), &error))?;
        }
        // What was asked is written first, so that the purge finds it.
        self.flush_notes().await;
        evidence.extend(turns);
        let goes: BTreeSet<TurnId> = evidence.iter().copied().collect();
        let scrubbed = store.shelf.store().scrub(memories.clone(), evidence).await;
        scrubbed.map_err(|error| trouble::commit(&error))?;
        if !memories.is_empty() {
            let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
            let purged =
                store.shelf.change(&memories, |memories| plan_purge_with(memories, &goes, occasion)).await;
            purged.map_err(trouble::change)?;
        }
        Ok(())
    }
}
