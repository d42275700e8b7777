//! Orders about the things with a name: which there are, what is known of each,
//! how they are bound, and setting right what was taken for two things or one.

use super::{not_found, occasion, of_one_scope, refuse_missing, value};
use crate::house::OpenStore;
use crate::serve::Daemon;
use crate::trouble;
use engram_core::graph::{Bond, BondKind, Tree, description_of, hub_of, neighbours, to_dot};
use engram_core::link::KnownEntity;
use engram_core::{EntityId, Memory, OperationId, Scope};
use engram_wire::life::{BondLine, Entities, EntityChanged, EntityLine, EntityShown, GraphNode, GraphShown};
use engram_wire::message;
use engram_wire::window::{GraphWhole, WholeNode};
use engram_wire::{Context, Fault};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// More hops than this lead everywhere.
const MOST_HOPS: usize = 6;
/// So many memories that name a thing are shown.
const MOST_MEMORIES: usize = 20;
/// So many things are shown at once.
const MOST_NODES: usize = 5_000;

pub(super) async fn list(
    daemon: &Daemon,
    context: &Context,
    query: Option<&str>,
    limit: usize,
) -> Result<Entities, Fault> {
    let visible = daemon.house.visible(context).await?;
    refuse_missing(&visible)?;
    let query = query.map(str::to_lowercase);
    let mut entities = Vec::new();
    for store in &visible.stores {
        let named = store.shelf.memories_by_entity().await.map_err(|error| trouble::read(&error))?;
        let bonds = store.shelf.store().load_bonds().await.map_err(|error| trouble::read(&error))?;
        let mut tied: BTreeMap<EntityId, usize> = BTreeMap::new();
        for bond in bonds.iter().filter(|bond| bond.is_valid()) {
            *tied.entry(bond.from).or_default() += 1;
            *tied.entry(bond.to).or_default() += 1;
        }
        for entity in store.shelf.all_entities() {
            let called =
                |name: &String| query.as_ref().is_none_or(|query| name.to_lowercase().contains(query));
            if !called(&entity.written) && !called(&entity.name) && !entity.aliases.iter().any(called) {
                continue;
            }
            entities.push(EntityLine {
                scope: store.scope(),
                memories: named.get(&entity.id).copied().unwrap_or(0),
                bonds: tied.get(&entity.id).copied().unwrap_or(0),
                entity,
            });
        }
    }
    entities
        .sort_by_key(|line| (std::cmp::Reverse(line.memories), line.entity.written.clone(), line.entity.id));
    let total = entities.len();
    entities.truncate(limit);
    Ok(Entities { entities, total })
}

pub(super) async fn show(daemon: &Daemon, context: &Context, name: &str) -> Result<EntityShown, Fault> {
    let (store, entity) = named(daemon, context, name).await?;
    let failed = |error| trouble::read(&error);
    let naming = store.shelf.memories_naming(entity.id).await.map_err(failed)?;
    let mentions = naming.mentions;
    let known: Vec<Memory> = naming.memories;
    let memories = hub_of(entity.id, &mentions, known.iter().filter(|memory| memory.status.is_current()));
    let card = store.shelf.card_of(entity.id);
    let bonds = store.shelf.store().load_bonds().await.map_err(failed)?;
    let of_it = bonds.into_iter().filter(|bond| [bond.from, bond.to].contains(&entity.id));
    let bonds = of_it.map(|bond| line_of(&store, bond)).collect();
    Ok(EntityShown {
        scope: store.scope(),
        description: description_of(&entity, &memories),
        memories: memories.into_iter().take(MOST_MEMORIES).cloned().collect(),
        card,
        bonds,
        entity,
    })
}

fn line_of(store: &OpenStore, bond: Bond) -> BondLine {
    BondLine { from_name: name_of(store, bond.from), to_name: name_of(store, bond.to), bond }
}

fn name_of(store: &OpenStore, id: EntityId) -> String {
    let known = store.shelf.entities([id]).pop();
    known.map_or_else(|| id.to_string(), |entity| entity.written)
}

pub(super) async fn merge(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
    into: &str,
) -> Result<EntityChanged, Fault> {
    let (store, gone) = named(daemon, context, name).await?;
    let (other, into) = named(daemon, context, into).await?;
    if !Arc::ptr_eq(&store, &other) {
        return Err(Fault::refused(format!(
            "\"{}\" is known in the {} and \"{}\" in the {}; only two of one scope can be one",
            gone.written,
            store.scope(),
            into.written,
            other.scope()
        )));
    }
    if gone.id == into.id {
        return Err(Fault::refused(format!("\"{name}\" already is {}", into.written)));
    }
    let merged = store.shelf.merge_entities(gone.id, into.id, occasion(context, operation)).await;
    Ok(EntityChanged { operation, entity: merged.map_err(trouble::change)? })
}

pub(super) async fn alias(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
    alias: &str,
) -> Result<EntityChanged, Fault> {
    let (store, entity) = named(daemon, context, name).await?;
    let alias = daemon.house.kept_unasked(context, store.scope(), alias.trim())?;
    if alias.is_empty() || alias.chars().count() > 128 || alias.chars().any(char::is_control) {
        return Err(Fault::usage("an alias is one to 128 letters in one line"));
    }
    let changed = store.shelf.call_entity(entity.id, &alias, occasion(context, operation)).await;
    Ok(EntityChanged { operation, entity: changed.map_err(trouble::change)? })
}

/// The answer to a change that had been done.
pub(super) async fn changed_before(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
) -> Result<Value, Fault> {
    let (_, entity) = named(daemon, context, name).await?;
    value(EntityChanged { operation, entity })
}

pub(super) async fn graph(
    daemon: &Daemon,
    context: &Context,
    name: &str,
    hops: usize,
    kinds: &[BondKind],
) -> Result<GraphShown, Fault> {
    if !(1..=MOST_HOPS).contains(&hops) {
        return Err(Fault::usage(format!("hops must be between 1 and {MOST_HOPS}, not {hops}")));
    }
    let (store, entity) = named(daemon, context, name).await?;
    let failed = |error| trouble::read(&error);
    let bonds = store.shelf.store().load_bonds().await.map_err(failed)?;
    let named = store.shelf.memories_by_entity().await.map_err(failed)?;
    let tree = neighbours(&bonds, entity.id, hops, kinds);
    let dot = to_dot(&tree, |id| name_of(&store, id));
    let mut nodes = Vec::new();
    lay_out(&store, &tree, None, 0, &named, &mut nodes);
    Ok(GraphShown { scope: store.scope(), nodes, dot })
}

/// All things with a name at once, the most named first, and what binds those
/// that are shown.
pub(super) async fn whole(
    daemon: &Daemon,
    context: &Context,
    order: message::GraphWhole,
) -> Result<GraphWhole, Fault> {
    let message::GraphWhole { scope, kinds, limit } = order;
    if !(1..=MOST_NODES).contains(&limit) {
        return Err(Fault::usage(format!("limit must be between 1 and {MOST_NODES}, not {limit}")));
    }
    let visible = of_one_scope(daemon.house.visible(context).await?, scope);
    refuse_missing(&visible)?;
    let failed = |error| trouble::read(&error);
    let (mut nodes, mut bonds) = (Vec::new(), Vec::new());
    for store in &visible.stores {
        let scope = store.scope();
        let named = store.shelf.memories_by_entity().await.map_err(failed)?;
        let all = store.shelf.store().load_bonds().await.map_err(failed)?;
        let wanted = |bond: &Bond| bond.is_valid() && (kinds.is_empty() || kinds.contains(&bond.kind));
        let here: Vec<Bond> = all.into_iter().filter(wanted).collect();
        let mut tied: BTreeMap<EntityId, usize> = BTreeMap::new();
        for end in here.iter().flat_map(|bond| [bond.from, bond.to]) {
            *tied.entry(end).or_default() += 1;
        }
        nodes.extend(store.shelf.all_entities().into_iter().map(|entity| WholeNode {
            entity: entity.id,
            scope,
            name: entity.written,
            kind: entity.kind,
            memories: named.get(&entity.id).copied().unwrap_or(0),
            bonds: tied.get(&entity.id).copied().unwrap_or(0),
        }));
        bonds.extend(here.into_iter().map(|bond| (scope, bond)));
    }
    let total = nodes.len();
    let weight = |node: &WholeNode| std::cmp::Reverse((node.memories, node.bonds));
    nodes.sort_by(|one, other| {
        (weight(one), &one.name, one.entity, one.scope).cmp(&(
            weight(other),
            &other.name,
            other.entity,
            other.scope,
        ))
    });
    nodes.truncate(limit);
    let places: BTreeMap<(Scope, EntityId), u32> =
        (0..).zip(&nodes).map(|(place, node)| ((node.scope, node.entity), place)).collect();
    let edge = |(scope, bond): (Scope, Bond)| {
        let place = |end| places.get(&(scope, end)).copied();
        Some((place(bond.from)?, place(bond.to)?, bond.kind, bond.weight.get()))
    };
    Ok(GraphWhole { edges: bonds.into_iter().filter_map(edge).collect(), nodes, total })
}

/// Each thing before what it leads to.
fn lay_out(
    store: &OpenStore,
    tree: &Tree,
    from: Option<usize>,
    hops: usize,
    named: &BTreeMap<EntityId, usize>,
    nodes: &mut Vec<GraphNode>,
) {
    let Some(entity) = store.shelf.entities([tree.entity]).pop() else { return };
    let place = nodes.len();
    nodes.push(GraphNode {
        entity: tree.entity,
        name: entity.written,
        kind: entity.kind,
        memories: named.get(&tree.entity).copied().unwrap_or(0),
        hops,
        from,
        bond: tree.by.as_ref().map(|bond| bond.kind),
        backwards: tree.by.as_ref().is_some_and(|bond| bond.from == tree.entity),
        weight: tree.by.as_ref().map(|bond| bond.weight.get()),
    });
    for branch in &tree.branches {
        lay_out(store, branch, Some(place), hops + 1, named, nodes);
    }
}

/// The thing that people mean by a name, and the store that knows it. Of the
/// same thing in several scopes the narrowest is meant.
async fn named(
    daemon: &Daemon,
    context: &Context,
    name: &str,
) -> Result<(Arc<OpenStore>, KnownEntity), Fault> {
    let visible = daemon.house.visible(context).await?;
    for store in &visible.stores {
        let mut found = store.shelf.entities_called(name);
        match found.len() {
            0 => {}
            1 => return Ok((store.clone(), found.remove(0))),
            several => {
                let fault = Fault::usage(format!("\"{name}\" names {several} things"));
                return Err(found.iter().take(5).fold(fault, |fault, entity| {
                    fault.hint(format!("the {} {} ({})", entity.kind, entity.written, entity.id))
                }));
            }
        }
    }
    Err(not_found(&visible, format!("nothing is called \"{name}\" here"))
        .hint("`engram entity list` shows what has a name"))
}
