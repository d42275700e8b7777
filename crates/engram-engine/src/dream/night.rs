//! Loads the night: everything a dream looks at, as it is when it begins.

use super::Dreaming;
use crate::shelf::{ChangeError, Shelf};
use engram_core::dream::{ConsolidationRequest, Night, RequestStatus, Sight, Step};
use engram_core::plan::came_back_at;
use engram_core::port::Embedder;
use engram_core::{Memory, MemoryId, Similarity, Span, Status, Timestamp};
use engram_index::Filter;
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many of the latest recalls are looked at.
const RECALLS: usize = 5_000;
/// How using memories went is looked at so far back, as far as the recalls go:
/// what nobody used for 90 days is to be seen (S1), and how a memory served
/// before the last month.
const USAGES: Span = Span::from_hours(180 * 24);
/// So many dreams are looked through for when a step was last done.
const DREAMS: usize = 50;

/// How like memories are, by the index.
pub(crate) struct ShelfSight<'s> {
    shelf: &'s Shelf,
    /// What a dream is about.
    filter: Filter,
}

impl<'s> ShelfSight<'s> {
    pub(crate) fn of(shelf: &'s Shelf) -> Self {
        let statuses = Status::ALL.iter().copied().filter(|status| status.is_current()).collect();
        Self { shelf, filter: Filter { statuses: Some(statuses), ..Filter::default() }.without_outline() }
    }
}

impl Sight for ShelfSight<'_> {
    fn near(&self, id: MemoryId, most: usize) -> Vec<(MemoryId, Similarity)> {
        let index = self.shelf.index();
        let near = self.shelf.table().and_then(|table| {
            let direction = index.direction(table.id(), id)?;
            let near = index.nearest(table.id(), &direction, &self.filter, most + 1).ok()?;
            let hits = near.hits.iter().map(|hit| {
                let cosine = index.cosine(table.id(), &direction, hit.id).unwrap_or(0.0);
                (hit.id, table.similarity(cosine as f32))
            });
            Some(hits.collect::<Vec<_>>())
        });
        let mut near = near.unwrap_or_default();
        near.retain(|(other, _)| *other != id);
        near.truncate(most);
        near
    }

    fn names(&self, names: &[&str]) -> Vec<(usize, usize, Similarity)> {
        let Some(table) = self.shelf.table() else { return Vec::new() };
        let directions: Vec<Option<Vec<f32>>> =
            names.iter().map(|name| direction_of(&**table, name)).collect();
        let mut alike = Vec::new();
        for (place, one) in directions.iter().enumerate() {
            for (other_place, other) in directions.iter().enumerate().skip(place + 1) {
                if let (Some(one), Some(other)) = (one, other) {
                    let cosine = one.iter().zip(other).map(|(one, other)| one * other).sum();
                    alike.push((place, other_place, table.similarity(cosine)));
                }
            }
        }
        alike
    }
}

/// Where a name points, with length one.
fn direction_of(table: &dyn Embedder, name: &str) -> Option<Vec<f32>> {
    let mut whole: Vec<f32> = Vec::new();
    for word in name.split_whitespace() {
        let word = table.embed_word(word)?;
        whole.resize(word.len(), 0.0);
        whole.iter_mut().zip(word).for_each(|(sum, part)| *sum += part);
    }
    let length = whole.iter().map(|part| part * part).sum::<f32>().sqrt();
    (length > 0.0).then(|| whole.iter().map(|part| part / length).collect())
}

impl Shelf {
    pub(super) async fn load_night<'a>(
        &self,
        how: &Dreaming<'_>,
        sight: &'a ShelfSight<'a>,
    ) -> Result<Night<'a>, ChangeError> {
        self.flush_notes().await?;
        let mut night = Night::new(how.id, self.scope(), how.at, self.model(), how.importance, sight);
        night.caps = how.caps;
        (night.trigger, night.sessions) = (how.trigger, how.sessions);
        (night.learning, night.evolution) = (how.learning, how.evolution);
        night.capacity = how.capacity;
        night.retain = how.retain.clone();
        if let Some(moment) = how.retain.turns_kept_from(how.at).filter(|_| how.steps.contains(&Step::Retain))
        {
            night.old_turns = self.store.worded_turns_before(moment).await?.len();
        }
        night.skills = how.skills.clone();
        night.before = self.steps_done().await?;
        night.memories = all_of(self).await?;
        night.edges = self.all_edges().into_iter().collect();
        night.entities =
            self.store.load_entities().await?.into_iter().map(|entity| (entity.id, entity)).collect();
        for mention in self.store.all_mentions().await? {
            night.mentions.entry(mention.memory).or_default().insert(mention.entity);
        }
        night.bonds = self.store.load_bonds().await?;
        night.recalls = self.store.latest_recalls(RECALLS).await?;
        night.recalls.reverse();
        night.reviews = self.store.load_reviews().await?;
        let open = |request: &ConsolidationRequest| {
            matches!(request.status, RequestStatus::Pending | RequestStatus::InProgress)
        };
        night.request = self.store.load_requests().await?.into_iter().find(open);
        night.usages = self.store.usages_since(how.at - USAGES).await?;
        night.learned = self.store.load_learned().await?;
        night.insights = self.store.load_insights().await?;
        let back = |memory: &Arc<Memory>| Some((memory.id, came_back_at(memory)?));
        night.reactivated = night.memories.values().filter_map(back).collect();
        Ok(night)
    }

    /// When a step was last done here. None: it never was.
    pub async fn last_done(&self, step: Step) -> Result<Option<Timestamp>, ChangeError> {
        Ok(self.steps_done().await?.get(&step).copied())
    }

    /// When each step was last done.
    async fn steps_done(&self) -> Result<BTreeMap<Step, Timestamp>, ChangeError> {
        let mut done = BTreeMap::new();
        for dream in self.store.latest_dreams(DREAMS).await? {
            // The latest come first: what is known of every step needs no more.
            let told = dream.steps.iter().filter(|report| report.skipped.is_none());
            if told.clone().all(|report| done.contains_key(&report.step)) {
                continue;
            }
            // What was taken back was not done.
            let operation = self.store.find_operation(dream.id).await?;
            if operation.is_some_and(|operation| operation.undone_by.is_some()) {
                continue;
            }
            for report in told {
                let at: &mut Timestamp = done.entry(report.step).or_insert(dream.at);
                *at = dream.at.max(*at);
            }
        }
        Ok(done)
    }
}

/// Every memory: what is at hand where that is all, or else from the store.
pub(crate) async fn all_of(shelf: &Shelf) -> Result<BTreeMap<MemoryId, Arc<Memory>>, ChangeError> {
    let kept = shelf.kept_where(|_| true);
    if kept.len() == shelf.index().len() {
        return Ok(kept.into_iter().map(|memory| (memory.id, memory)).collect());
    }
    let mut all = BTreeMap::new();
    shelf.store.scan(&mut |memory| drop(all.insert(memory.id, Arc::new(memory)))).await?;
    Ok(all)
}
