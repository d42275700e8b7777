//! What everything is tied to, what is used together, and what there is much of
//! about one thing (S0 7.2, 7.3).

use super::{Insight, InsightType};
use crate::dream::{Cluster, Night};
use crate::id::{EntityId, MemoryId};
use crate::kind::Tier;
use crate::learn::OFTEN;
use crate::memory::Memory;
use crate::status::Status;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A thing with so many bonds is a hub.
const BONDS: usize = 20;
/// At most so many hubs are told of, those with the most bonds.
const MOST_HUBS: usize = 10;

/// Things that everything here is about, or that are tied to very many others.
pub fn hubs(night: &Night<'_>) -> Vec<Insight> {
    let mut bonds: BTreeMap<EntityId, usize> = BTreeMap::new();
    for bond in night.bonds.iter().filter(|bond| bond.is_valid()) {
        *bonds.entry(bond.from).or_default() += 1;
        *bonds.entry(bond.to).or_default() += 1;
    }
    let everywhere = night.everywhere();
    let mut found: Vec<(usize, Insight)> = Vec::new();
    for entity in night.entities.values() {
        let tied = bonds.get(&entity.id).copied().unwrap_or(0);
        let description = if tied >= BONDS {
            format!("{} is tied to {tied} things: consider telling its parts apart", entity.written)
        } else if everywhere.contains(&entity.id) {
            format!("nearly everything here is about {}, so that it tells nothing apart", entity.written)
        } else {
            continue;
        };
        let (subject, evidence) = (entity.id.to_string(), vec![entity.id.to_string()]);
        let insight = Insight::seen(InsightType::GraphInsight, subject, description, evidence, night.at);
        found.push((tied, insight));
    }
    found.sort_by_key(|(tied, insight)| (Reverse(*tied), insight.subject.clone()));
    found.into_iter().take(MOST_HUBS).map(|(_, insight)| insight).collect()
}

/// So many episodes about one thing could be one (S0 7.3: its example).
const MANY: usize = 10;

/// Topics that there are many memories of. The clusters may have been found
/// before this night summed them up; then that is told as well.
pub fn signals(night: &Night<'_>, clusters: &[Cluster]) -> Vec<Insight> {
    let mut topics: BTreeMap<&str, Vec<MemoryId>> = BTreeMap::new();
    for cluster in clusters {
        topics.entry(&cluster.topic).or_default().extend(&cluster.members);
    }
    topics.retain(|_, members| members.len() >= MANY);
    let told = |(topic, members): (&str, Vec<MemoryId>)| {
        let description = format!("{} memories about {topic} could be fewer", members.len());
        let summed_up = |id: &MemoryId| {
            night.memories.get(id).is_some_and(|memory| memory.status == Status::Consolidated)
        };
        let done = members.iter().any(summed_up);
        let evidence = members.iter().map(ToString::to_string).collect();
        let signal = InsightType::ConsolidationSignal;
        let mut insight = Insight::seen(signal, topic.to_owned(), description, evidence, night.at);
        insight.action_taken = done.then(|| "summed up".to_owned());
        insight
    };
    topics.into_iter().map(told).collect()
}

/// At most so many pairs are tied (S0 7.2).
const MOST_PAIRS: usize = 20;

/// Pairs of memories that are often used together, the most often first. The
/// seed's 300 seconds are one recall here.
pub fn associations(
    night: &Night<'_>,
    together: &BTreeMap<(MemoryId, MemoryId), u32>,
) -> Vec<(MemoryId, MemoryId, u32)> {
    let here = |id: &MemoryId| {
        let in_force = |memory: &Memory| memory.status.is_current() && memory.tier != Tier::Codebase;
        night.memories.get(id).is_some_and(|memory| in_force(memory))
    };
    let mut pairs: Vec<(MemoryId, MemoryId, u32)> = together
        .iter()
        .filter(|((one, other), times)| **times >= OFTEN && here(one) && here(other))
        .map(|((one, other), times)| (*one, *other, *times))
        .collect();
    pairs.sort_by_key(|(one, other, times)| (Reverse(*times), *one, *other));
    pairs.truncate(MOST_PAIRS);
    pairs
}
