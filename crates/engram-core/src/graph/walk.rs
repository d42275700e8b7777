//! How near each memory is to the things a question names, by all the ways
//! that lead there.
//!
//! Somebody sets out from those things and wanders: at every step they go home
//! with a fixed chance, or else follow a tie, the stronger the likelier. The
//! share of the time that they spend at a memory is how near it is. A thing
//! that everything is tied to leads everywhere and hence brings little to any
//! one memory. What the shares are worth in a ranking is not known here.

use super::Bond;
use crate::id::{EntityId, MemoryId};
use crate::link::Mention;
use crate::memory::Relation;
use crate::unit::{Share, Weight};
use std::collections::{BTreeMap, VecDeque};

/// The chance to go home at each step. With .15 somebody goes six or seven
/// steps on the way, which is the customary reach of such walks.
const RESTART: f64 = 0.15;
/// What is left to hand on at a node, for each unit of its ties, is not worth
/// the work below this: all that is left out is less than a thousandth for
/// every ten thousand ties.
const WORTH_PUSHING: f64 = 1e-7;
/// Nodes are handed on from so often at most, whatever the graph is like.
const MOST_PUSHES: usize = 20_000;
/// And over so many ties, so that a few hubs do not take all the time.
const MOST_STEPS: usize = 400_000;

/// What a walk can stand at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    Entity(EntityId),
    Memory(MemoryId),
}

/// Memories and things with the ties between them, ready to be walked. It is
/// built once and walked often.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    /// In their order, so that the same ties make the same graph.
    nodes: Vec<Node>,
    /// Where the ties of each node begin; one more than there are nodes.
    begins: Vec<usize>,
    /// The other end of each tie, and how strong it is.
    ties: Vec<(usize, f64)>,
    /// What the ties of each node come to.
    strengths: Vec<f64>,
}

impl Graph {
    /// A mention counts in full, a bond by its weight and confidence, an edge
    /// between memories by its confidence. Of several ties between the same two
    /// the strongest counts. What ended ties nothing. Every tie can be walked
    /// both ways: whoever asks about either end may be after the other.
    pub fn new(mentions: &[Mention], bonds: &[Bond], relations: &[Relation]) -> Self {
        let named = mentions.iter().map(|one| (Node::Entity(one.entity), Node::Memory(one.memory), 1.0));
        let bonds = bonds.iter().filter(|bond| bond.is_valid());
        let tied = bonds.map(|bond| (Node::Entity(bond.from), Node::Entity(bond.to), bond.pull().get()));
        let related = relations
            .iter()
            .map(|edge| (Node::Memory(edge.from), Node::Memory(edge.to), edge.confidence.get()));
        let mut between: BTreeMap<(Node, Node), f64> = BTreeMap::new();
        for (one, other, strength) in named.chain(tied).chain(related) {
            if one != other && strength > 0.0 {
                for ends in [(one, other), (other, one)] {
                    let known = between.entry(ends).or_insert(strength);
                    *known = known.max(strength);
                }
            }
        }
        // The pairs come in the order of their first ends.
        let mut nodes: Vec<Node> = between.keys().map(|(from, _)| *from).collect();
        nodes.dedup();
        let place = |node: &Node| nodes.binary_search(node).unwrap_or_default();
        let ties: Vec<(usize, f64)> =
            between.iter().map(|((_, to), strength)| (place(to), *strength)).collect();
        let mut begins = vec![0; nodes.len() + 1];
        for (from, _) in between.keys() {
            begins[place(from) + 1] += 1;
        }
        for at in 1..begins.len() {
            begins[at] += begins[at - 1];
        }
        let of = |ends: &[usize]| ties[ends[0]..ends[1]].iter().map(|(_, strength)| strength).sum();
        let strengths = begins.windows(2).map(of).collect();
        Self { nodes, begins, ties, strengths }
    }

    /// The memories that name a thing.
    pub fn naming(&self, entity: EntityId) -> impl Iterator<Item = MemoryId> {
        let place = self.nodes.binary_search(&Node::Entity(entity)).ok();
        let ties = place.map_or(&[][..], |place| self.ties_of(place));
        ties.iter().filter_map(|(other, _)| match self.nodes[*other] {
            Node::Memory(id) => Some(id),
            Node::Entity(_) => None,
        })
    }

    fn ties_of(&self, node: usize) -> &[(usize, f64)] {
        &self.ties[self.begins[node]..self.begins[node + 1]]
    }
}

/// What has been found so far of a node, and what has yet to be handed on.
#[derive(Debug, Clone, Copy, Default)]
struct Mass {
    settled: f64,
    waiting: f64,
    queued: bool,
}

/// The shares of the memories that can be reached from these things, the
/// largest first; what is not listed has none.
///
/// The shares are pushed outwards from the seeds, node by node, and only from
/// where enough waits. Repeated sweeps over all ties would give the same
/// numbers, at the price of the whole graph for every question; this touches
/// the neighbourhood of the seeds alone, however large the rest is, and
/// whenever it is stopped each share is too small by what still waits and never
/// too large.
pub fn page_rank(graph: &Graph, seeds: &[(EntityId, Weight)]) -> Vec<(MemoryId, Share)> {
    let mut found: BTreeMap<usize, Mass> = BTreeMap::new();
    let mut queue: VecDeque<usize> = VecDeque::new();
    let seeds = seeds_in(graph, seeds);
    let whole: f64 = seeds.values().sum();
    for (node, weight) in seeds {
        found.insert(node, Mass { waiting: weight / whole, queued: true, ..Mass::default() });
        queue.push_back(node);
    }
    let mut steps = 0;
    for _ in 0..MOST_PUSHES {
        let Some(node) = queue.pop_front() else { break };
        let ties = graph.ties_of(node);
        steps += ties.len();
        if steps > MOST_STEPS {
            break;
        }
        let Some(mass) = found.get_mut(&node) else { continue };
        let waiting = std::mem::take(&mut mass.waiting);
        mass.settled += RESTART * waiting;
        mass.queued = false;
        for (to, tie) in ties {
            let mass = found.entry(*to).or_default();
            mass.waiting += (1.0 - RESTART) * waiting * tie / graph.strengths[node];
            if !mass.queued && mass.waiting > WORTH_PUSHING * graph.strengths[*to] {
                mass.queued = true;
                queue.push_back(*to);
            }
        }
    }
    let mut shares: Vec<(MemoryId, Share)> = found
        .into_iter()
        .filter_map(|(node, mass)| match graph.nodes[node] {
            Node::Memory(memory) if mass.settled > 0.0 => Some((memory, Share::clamped(mass.settled))),
            _ => None,
        })
        .collect();
    shares.sort_by_key(|(memory, share)| (std::cmp::Reverse(*share), *memory));
    shares
}

/// The places of the seeds that the graph knows. A thing that is named twice
/// counts once, by its larger weight.
fn seeds_in(graph: &Graph, seeds: &[(EntityId, Weight)]) -> BTreeMap<usize, f64> {
    let mut known: BTreeMap<usize, f64> = BTreeMap::new();
    for (entity, weight) in seeds.iter().filter(|(_, weight)| weight.get() > 0.0) {
        if let Ok(node) = graph.nodes.binary_search(&Node::Entity(*entity)) {
            let seed = known.entry(node).or_insert(0.0);
            *seed = seed.max(weight.get());
        }
    }
    known
}

#[cfg(test)]
mod tests;
