//! When stores evolve by themselves: six hours after the last time, after many
//! signs of how memories served, or after many new procedures (S1).
//!
//! It is looked at when a session has given evidence or somebody told something,
//! and every minute while the daemon runs, for time passes and procedures come in
//! where no session is. Nobody waits for it: what is due is put on the list of
//! dreams. Where nothing is new, there is nothing to evolve.

use crate::clock::now;
use crate::dreaming::{Bed, Look};
use crate::house::{House, OpenStore};
use crate::trouble;
use engram_core::dream::{DreamTrigger, Step};
use engram_core::evolve::{NextRun, Tally, due, next_run};
use engram_core::reflect::InsightType;
use engram_core::{Kind, Scope, Timestamp};
use engram_wire::Fault;
use engram_wire::evolution::EvolutionHealth;
use engram_wire::project::{self, ProjectPlace};
use std::sync::Arc;

/// What is done then; the utilities are settled first.
pub(crate) const STEPS: [Step; 4] = [Step::Settle, Step::Adapt, Step::Evolve, Step::Reflect];

impl House {
    /// What came in since a store last evolved.
    async fn tally(&self, store: &OpenStore) -> Result<Tally, Fault> {
        let last_at = store.shelf.last_done(Step::Evolve).await.map_err(trouble::change)?;
        let since = last_at.unwrap_or(Timestamp::UNIX_EPOCH);
        let usages = store.shelf.store().usages_since(since).await.map_err(|error| trouble::read(&error))?;
        let counted = store.shelf.index().count_by(|entry| {
            entry.kind == Kind::Procedure && entry.status.is_current() && entry.created_at > since
        });
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let procedures = counted.get(&true).copied().unwrap_or(0);
        Ok(Tally { last_at, updates: count(usages.len()), procedures: count(procedures) })
    }

    /// When a store evolves next. None: it does not by itself.
    pub(crate) async fn next_evolution(&self, store: &OpenStore) -> Result<Option<NextRun>, Fault> {
        let settings = self.settings_of(store)?.evolution();
        Ok(next_run(&self.tally(store).await?, &settings, now()))
    }

    /// A session gave evidence: what is due because of it is put on the list.
    pub(crate) async fn evolve_if_due(&self, place: Option<&ProjectPlace>) -> Result<(), Fault> {
        let mut beds: Vec<(Bed, Arc<OpenStore>)> = vec![(Bed::User, self.user().await?)];
        if let Some(place) = place
            && let Some(project) = self.project_if_there(Some(place)).await
        {
            beds.insert(0, (Bed::Project(place.clone()), project));
        }
        for (bed, store) in beds {
            self.add_if_due(bed, &store, Look::InTime).await?;
        }
        Ok(())
    }

    /// The same for every store that is open. Whoever calls holds the gate.
    pub(crate) async fn evolve_what_is_due(&self, look: Look) {
        for store in self.all_open() {
            let bed = match (store.scope(), &store.project) {
                (Scope::User, _) => Some(Bed::User),
                (Scope::Project, Some(seen)) => {
                    let place = project::locate(&seen.path, self.home.person()).ok().flatten();
                    // Where the folder is gone, nothing finds the store again.
                    let home = store.home.as_ref().map(|home| home.folder());
                    place.filter(|place| home == Some(place.store.as_path())).map(Bed::Project)
                }
                _ => None,
            };
            let Some(bed) = bed else { continue };
            if let Err(fault) = self.add_if_due(bed, &store, look).await {
                tracing::warn!("{}: {}", store.label(), fault.message);
            }
        }
    }

    /// Whoever tells one thing after another is not to see it evolve under his
    /// hands: for him there has to be enough of it, and time is for the clock.
    async fn add_if_due(&self, bed: Bed, store: &OpenStore, look: Look) -> Result<(), Fault> {
        let settings = self.settings_of(store)?.evolution();
        if !settings.on {
            return Ok(());
        }
        let trigger = due(&self.tally(store).await?, &settings, now());
        if let Some(trigger) =
            trigger.filter(|trigger| look == Look::InTime || *trigger != DreamTrigger::Schedule)
        {
            self.dreaming.add_steps(bed, trigger, &STEPS);
        }
        Ok(())
    }

    /// How far the stores that are open are in learning from use.
    pub(crate) async fn evolution_health(&self) -> Vec<EvolutionHealth> {
        let mut health = Vec::new();
        for store in self.all_open().into_iter().filter(|store| store.scope() != Scope::Session) {
            match self.health_of(&store).await {
                Ok(found) => health.push(found),
                Err(fault) => tracing::warn!("{}: {}", store.label(), fault.message),
            }
        }
        health
    }

    async fn health_of(&self, store: &OpenStore) -> Result<EvolutionHealth, Fault> {
        let tally = self.tally(store).await?;
        let settings = self.settings_of(store)?;
        let insights = store.shelf.store().load_insights().await.map_err(|error| trouble::read(&error))?;
        let open = || insights.iter().filter(|insight| insight.closed_at.is_none());
        Ok(EvolutionHealth {
            store: store.label(),
            last_at: tally.last_at,
            next: next_run(&tally, &settings.evolution(), now()),
            weights: crate::orders::learning_state(store, &settings),
            insights_open: open().count(),
            gaps_open: open().filter(|insight| insight.insight == InsightType::MemoryGap).count(),
        })
    }
}
