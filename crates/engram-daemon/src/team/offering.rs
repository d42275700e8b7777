//! What several people use, each on their own, is offered to be shared.
//!
//! The server is told prints, from which nobody reads what was said. What was
//! offered and answered is a file of the home; there is no text in it.

use super::membership::Membership;
use crate::clock::now;
use crate::house::House;
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

    fn keep_offers(&self, offers: &Offers) -> Result<(), Fault> {
        let text = serde_json::to_vec(offers).map_err(|error| Fault::internal(error.to_string()))?;
        let desk = self.desk();
        desk.replace(&desk.offers_file(), &text)
    }

    pub(crate) fn open_offers(&self) -> Result<Vec<Offer>, Fault> {
        let offers = self.load_offers()?;
        Ok(offers.open.into_iter().map(|(memory, people)| Offer { memory, people }).collect())
    }

    pub(crate) fn never_offer(&self, ids: &[MemoryId]) -> Result<(), Fault> {
        let mut offers = self.load_offers()?;
        for id in ids {
            offers.open.remove(id);
            offers.never.insert(*id);
        }
        self.keep_offers(&offers)
    }

    /// What was shared is no longer offered.
    pub(crate) fn forget_offers(&self, shared: &[MemoryId]) -> Result<(), Fault> {
        let mut offers = self.load_offers()?;
        let before = offers.open.len();
        offers.open.retain(|id, _| !shared.contains(id));
        if offers.open.len() == before {
            return Ok(());
        }
        self.keep_offers(&offers)
    }

    /// Tells the server the prints of what is used here, and hears which of them
    /// enough people use. Whoever calls holds the gate.
    pub(super) async fn look_for_offers(&self, membership: &Membership, far: &dyn Far) -> Result<(), Fault> {
        let at = now();
        let mut offers = self.load_offers()?;
        let pause = u128::from(LOOKS * self.settings.number("team.poll_ms"));
        let recent = |moment: Timestamp| at.duration_since(moment).unsigned_abs().as_millis() < pause;
        if offers.looked_at.is_some_and(recent) || membership.charter.pepper.is_empty() {
            return Ok(());
        }
        let mut fresh: BTreeMap<MemoryId, Print> = BTreeMap::new();
        for store in self.all_open().iter().filter(|store| store.scope() == Scope::Project) {
            let rule = self.settings_of(store)?.text("sharing.rule").parse().unwrap_or(SharingRule::Off);
            let used = store.shelf.kept_where(|memory| {
                memory.trace.access_count > 0
                    && !offers.sighted.contains_key(&memory.id)
                    && !offers.never.contains(&memory.id)
                    && may_be_offered(memory, rule).is_ok()
            });
            fresh.extend(used.iter().map(|memory| (memory.id, print_of(memory, &membership.charter.pepper))));
        }
        if !fresh.is_empty() {
            let prints: Vec<Print> = fresh.values().take(AT_ONCE).cloned().collect();
            let operation = self.new_operation();
            let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
            self.queue(membership, Intent::Sight { prints }, occasion).await?;
            offers.sighted.extend(fresh.into_iter().take(AT_ONCE));
            self.keep_offers(&offers)?;
            self.team.wake.notify_one();
        }
        let people = usize::try_from(self.settings.number("sharing.people")).unwrap_or(usize::MAX);
        let replica = self.replica_of(membership).await?;
        let waiting = offers
            .sighted
            .iter()
            .filter(|(id, _)| !offers.never.contains(id) && !replica.shelf.index().contains(**id));
        let waiting: Vec<(MemoryId, Print)> = waiting.map(|(id, print)| (*id, print.clone())).collect();
        for some in waiting.chunks(AT_ONCE) {
            let prints = some.iter().map(|(_, print)| print.clone()).collect();
            let Ok(counted) = far.sighted(prints).await else { return Ok(()) };
            let counted: BTreeMap<Print, usize> = counted.into_iter().collect();
            for (id, print) in some {
                if let Some(count) = counted.get(print).filter(|count| **count >= people) {
                    offers.open.insert(*id, *count);
                }
            }
        }
        // Somebody may have answered meanwhile.
        let answered = self.load_offers()?.never;
        offers.open.retain(|id, _| !answered.contains(id));
        offers.never.extend(answered);
        offers.looked_at = Some(at);
        self.keep_offers(&offers)
    }
}
