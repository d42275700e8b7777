//! One dream on a shelf, as the daemon would dream it, at any moment.

use anyhow::Result;
use engram_core::dream::{Caps, Dream, DreamTrigger, Step};
use engram_core::evolve::EvolutionSettings;
use engram_core::law::{ImportanceTable, RetainRules, capacity_of};
use engram_core::learn::LearningSettings;
use engram_core::rank::Weights;
use engram_core::skill::SkillSight;
use engram_core::{MemoryId, OperationId, Timestamp};
use engram_engine::{Adviser, Dreaming, Shelf};
use std::sync::Arc;
use std::time::Duration;

/// Nobody to ask.
pub(crate) fn no_adviser() -> Adviser {
    Adviser {
        llm: None,
        log: None,
        mask: Arc::new(str::to_owned),
        clock: Arc::new(|| Timestamp::UNIX_EPOCH),
        stopwatch: Arc::new(|| Duration::ZERO),
    }
}

/// What became of a dream.
pub(crate) struct Dreamed {
    pub(crate) dream: Dream,
    /// What is to go up to the user.
    pub(crate) rising: Vec<MemoryId>,
    pub(crate) parts: usize,
    pub(crate) planned_in: Duration,
    pub(crate) done_in: Duration,
}

/// Plans a dream and does it.
pub(crate) async fn dream(
    shelf: &Shelf,
    id: OperationId,
    at: Timestamp,
    steps: Vec<Step>,
    names: Vec<String>,
) -> Result<Dreamed> {
    let adviser = no_adviser();
    let how = Dreaming {
        id,
        at,
        trigger: DreamTrigger::SessionEnd,
        depth: None,
        steps,
        caps: Caps::DEFAULT,
        importance: ImportanceTable::Nine,
        adviser: &adviser,
        ground: None,
        names,
        sessions: 0,
        weights: Weights::default(),
        learning: LearningSettings::default(),
        evolution: EvolutionSettings::default(),
        retain: RetainRules::default(),
        capacity: capacity_of(shelf.scope()),
        skills: SkillSight::default(),
        in_time: &|| true,
    };
    let (planned, planned_in) = crate::bench::timed_async(shelf.plan_dream(&how)).await;
    let planned = planned?;
    let (mut dream, parts) = (planned.dream.clone(), planned.parts.len());
    let doing = async {
        let mut rising = Vec::new();
        shelf.keep_dream(planned).await?;
        while let Some(part) = shelf.store().next_part(dream.id).await? {
            rising.extend(part.rising.iter().copied());
            shelf.apply_part(&mut dream, part).await?;
        }
        let dream = shelf.finish_dream(dream, &how.retain, at).await?;
        anyhow::Ok((dream, rising))
    };
    let (done, done_in) = crate::bench::timed_async(doing).await;
    let (dream, rising) = done?;
    Ok(Dreamed { dream, rising, parts, planned_in, done_in })
}
