//! What several people use, each on their own, is offered to be shared.
//!
//! The server is told prints, from which nobody reads what was said. What was
//! offered and answered is a file of the home; there is no text in it.

use super::membership::Membership;
use super::told_in;
use crate::clock::now;
use crate::house::{House, OpenStore};
use crate::trouble;
use engram_core::plan::Occasion;
use engram_core::team::port::Far;
use engram_core::team::{Intent, Print, SharingRule, may_be_offered, print_of};
use engram_core::{Actor, MemoryId, Scope, Timestamp};
use engram_wire::Fault;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;

/// Prints are looked at after so many looks at the feed, and so many at once.
const LOOKS: u64 = 30;
const AT_ONCE: usize = 500;

/// What was sighted, offered and answered.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Offers {
    #[serde(default)]
    looked_at: Option<Timestamp>,
    #[serde(default)]
    sighted: BTreeMap<MemoryId, Print>,
    #[serde(default)]
    open: BTreeMap<MemoryId, usize>,
    #[serde(default)]
    never: BTreeSet<MemoryId>,
}

/// Something that could be shared.
pub(crate) struct Offer {
    pub(crate) memory: MemoryId,
    pub(crate) people: usize,
}

impl House {
    /// What cannot be read is said, and not written over: it holds what somebody
    /// never wants to be offered again.
    fn load_offers(&self) -> Result<Offers, Fault> {
        let file = self.desk().offers_file();
        match fs::read_to_string(&file) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|error| Fault::environment(format!("{}: {error}", file.display()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Offers::default()),
            Err(error) => Err(trouble::io("reading", &file, &error)),
        }
    }

    /// Changes what is known of offers as it is at that moment: somebody may have
    /// answered since it was looked at.
    fn change_offers(&self, change: impl FnOnce(&mut Offers)) -> Result<(), Fault> {
        let _turn = self.team.offers.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut offers = self.load_offers()?;
        change(&mut offers);
        let text = serde_json::to_vec(&offers).map_err(|error| Fault::internal(error.to_string()))?;
        let desk = self.desk();
        desk.replace(&desk.offers_file(), &text)
    }

    pub(crate) fn open_offers(&self) -> Result<Vec<Offer>, Fault> {
        let offers = self.load_offers()?;
        Ok(offers.open.into_iter().map(|(memory, people)| Offer { memory, people }).collect())
    }

    pub(crate) fn never_offer(&self, ids: &[MemoryId]) -> Result<(), Fault> {
        self.change_offers(|offers| {
            offers.open.retain(|id, _| !ids.contains(id));
            offers.never.extend(ids);
        })
    }

    /// What was shared is no longer offered. It is shared whatever becomes of that.
    pub(crate) fn forget_offers(&self, shared: &[MemoryId]) {
        let offered = |offers: Offers| offers.open.keys().any(|id| shared.contains(id));
        let done = match self.load_offers().map(offered) {
            Ok(true) => self.change_offers(|offers| offers.open.retain(|id, _| !shared.contains(id))),
            Ok(false) => Ok(()),
            Err(fault) => Err(fault),
        };
        if let Err(fault) = done {
            tracing::warn!("what was shared is still offered: {}", fault.message);
        }
    }

    /// Tells the server the prints of what is used here, and hears which of them
    /// enough people use. Trouble with that is none with the team. Whoever calls
    /// holds the gate.
    pub(super) async fn look_for_offers(&self, membership: &Membership, far: &dyn Far) {
        if let Err(fault) = self.look_at_prints(membership, far).await {
            tracing::warn!("what could be offered to the team was not looked for: {}", fault.message);
        }
    }

    async fn look_at_prints(&self, membership: &Membership, far: &dyn Far) -> Result<(), Fault> {
        let at = now();
        let offers = self.load_offers()?;
        let pause = u128::from(LOOKS * self.settings.number("team.poll_ms"));
        let recent = |moment: Timestamp| at.duration_since(moment).unsigned_abs().as_millis() < pause;
        if offers.looked_at.is_some_and(recent) || membership.charter.pepper.is_empty() {
            return Ok(());
        }
        let mut sighted = offers.sighted;
        let mut fresh: BTreeMap<MemoryId, Print> = BTreeMap::new();
        for store in self.all_open() {
            let Some(rule) = self.rule_of(&store) else { continue };
            let used = store.shelf.kept_where(|memory| {
                memory.trace.access_count > 0
                    && !sighted.contains_key(&memory.id)
                    && !offers.never.contains(&memory.id)
                    && may_be_offered(memory, rule).is_ok()
            });
            fresh.extend(used.iter().map(|memory| (memory.id, print_of(memory, &membership.charter.pepper))));
        }
        if !fresh.is_empty() {
            let fresh: BTreeMap<MemoryId, Print> = fresh.into_iter().take(AT_ONCE).collect();
            let prints: Vec<Print> = fresh.values().cloned().collect();
            let operation = self.new_operation();
            let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
            self.queue(membership, Intent::Sight { prints }, occasion).await?;
            self.change_offers(|offers| offers.sighted.extend(fresh.clone()))?;
            sighted.extend(fresh);
            self.team.wake.notify_one();
        }
        let people = usize::try_from(self.settings.number("sharing.people")).unwrap_or(usize::MAX);
        let replica = self.replica_of(membership).await?;
        let is_shared = |id: MemoryId| replica.shelf.index().contains(id);
        let waiting = sighted.into_iter().filter(|(id, _)| !offers.never.contains(id) && !is_shared(*id));
        let waiting: Vec<(MemoryId, Print)> = waiting.collect();
        let mut found: BTreeMap<MemoryId, usize> = BTreeMap::new();
        for some in waiting.chunks(AT_ONCE) {
            let prints = some.iter().map(|(_, print)| print.clone()).collect();
            let Ok(counted) = far.sighted(prints).await else { return Ok(()) };
            let counted: BTreeMap<Print, usize> = counted.into_iter().collect();
            let enough = |print: &Print| counted.get(print).copied().filter(|count| *count >= people);
            found.extend(some.iter().filter_map(|(id, print)| Some((*id, enough(print)?))));
        }
        self.change_offers(|offers| {
            // Somebody may have answered meanwhile, or shared it.
            found.retain(|id, _| !offers.never.contains(id) && !is_shared(*id));
            offers.open.extend(found);
            offers.looked_at = Some(at);
        })
    }

    /// What is offered of a store's memories. None: nothing is told of them, not
    /// even a print.
    fn rule_of(&self, store: &OpenStore) -> Option<SharingRule> {
        let project = store.project.as_ref().filter(|_| store.scope() == Scope::Project)?;
        if !told_in(self.settings.text("team.folders"), Some(&project.path)) {
            return None;
        }
        match self.settings_of(store) {
            Ok(settings) => Some(settings.text("sharing.rule").parse().unwrap_or(SharingRule::Off)),
            Err(fault) => {
                tracing::warn!("nothing of {} is offered: {}", store.label(), fault.message);
                None
            }
        }
    }
}
