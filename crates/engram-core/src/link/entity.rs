//! Things with a name, as they are kept, and what a text's entities add to
//! them.
//!
//! Two spellings of one name are one thing; two names that are merely alike
//! are not, and are at most proposed to somebody who can tell. Only a text that
//! says so outright makes two names one. Which memories name a thing is kept
//! as mentions; how names are found in a text is `observe`'s business.

use super::book::{EntityBook, only};
use crate::Similarity;
use crate::id::{EntityId, MemoryId};
use crate::observe::{Entity, EntityKind, name_of};
use crate::unit::Confidence;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// From here on two names may be one thing's. It is proposed, never done.
pub(super) const ALIKE: f64 = 0.88;

/// A thing keeps no more other spellings than this. Nothing has so many names;
/// something that collects them was merged wrongly.
const MOST_ALIASES: usize = 16;

/// What seeing a thing again adds to how sure it is that it is one (S0's rule
/// for a duplicate).
const SEEN_AGAIN: f64 = 0.05;

/// A thing with a name that some memory speaks of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnownEntity {
    /// Follows from the kind and the name, so that nobody has to mint it.
    pub id: EntityId,
    pub kind: EntityKind,
    /// How it is compared.
    pub name: String,
    /// How it was first spelt.
    pub written: String,
    /// What else it is called.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub aliases: BTreeSet<String>,
    /// The version that was said last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// How sure it is that this is a thing with a name. None: as sure as
    /// anything that was met once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// How many memories name it.
    pub mentions: u32,
    pub first_seen_at: Timestamp,
    pub last_seen_at: Timestamp,
}

/// That a memory names a thing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mention {
    pub memory: MemoryId,
    pub entity: EntityId,
    pub at: Timestamp,
}

/// Two things whose names are so alike that they may be one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proposal {
    pub new: EntityId,
    pub old: EntityId,
    pub likeness: Similarity,
}

/// Two known things that are one. What mentioned the first mentions the second
/// from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merge {
    pub gone: EntityId,
    pub into: EntityId,
}

/// What becomes of the known things when a new memory names some.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EntityPlan {
    /// Each thing that the memory names, as it is to be kept.
    pub entities: Vec<KnownEntity>,
    /// Known things that are kept no longer, because they are others.
    pub merges: Vec<Merge>,
    pub proposals: Vec<Proposal>,
}

impl EntityPlan {
    /// The mentions of a memory that names these things: one for each.
    pub fn mentions_by(&self, memory: MemoryId, at: Timestamp) -> Vec<Mention> {
        self.entities.iter().map(|entity| Mention { memory, entity: entity.id, at }).collect()
    }
}

impl EntityId {
    /// The identifier of the thing of this kind with this name, however the
    /// name is spelt.
    pub fn of(kind: EntityKind, name: &str) -> Self {
        Self::named(&["entity", family_of(kind).as_str(), &key_of(kind, name)])
    }
}

/// Kinds that cannot be told apart by how people speak: what is a tool to one
/// who uses it is a service to one who runs it.
pub(super) const fn family_of(kind: EntityKind) -> EntityKind {
    match kind {
        EntityKind::Service => EntityKind::Tool,
        other => other,
    }
}

/// How a name is compared. Files and symbols are spelt exactly; a package has
/// one name, whether it is written with `-` or `_`.
pub(super) fn key_of(kind: EntityKind, name: &str) -> String {
    let name = name_of(kind, name);
    if kind == EntityKind::Package { name.replace('_', "-") } else { name }
}

/// Whether a name of this kind may be another's with a slip in it.
pub(super) const fn may_be_alike(kind: EntityKind) -> bool {
    use EntityKind::*;
    matches!(kind, Tool | Service | Person | Organisation)
}

/// The name of the file at the end of a path with folders.
pub(super) fn base_of(kind: EntityKind, name: &str) -> Option<&str> {
    let base = name.rsplit_once('/').map(|(_, base)| base);
    base.filter(|base| kind == EntityKind::File && !base.is_empty())
}

impl KnownEntity {
    /// A thing that nobody has named yet.
    fn new(found: &Entity, at: Timestamp) -> Self {
        Self {
            id: EntityId::of(found.kind, &found.name),
            kind: found.kind,
            name: key_of(found.kind, &found.name),
            written: spelling_of(found).to_owned(),
            aliases: BTreeSet::new(),
            version: None,
            confidence: None,
            mentions: 0,
            first_seen_at: at,
            last_seen_at: at,
        }
    }

    /// How sure it is that this is a thing with a name.
    pub fn confidence(&self) -> Confidence {
        self.confidence.unwrap_or(Confidence::DEFAULT)
    }

    /// The identifiers of its other spellings. The end of its path is none of
    /// them: that stops being its name as soon as another path ends so.
    pub(super) fn spellings(&self) -> impl Iterator<Item = EntityId> {
        let base = base_of(self.kind, &self.name);
        let others = self.aliases.iter().filter(move |alias| base != Some(alias.as_str()));
        others.map(|alias| EntityId::of(self.kind, alias)).filter(|id| *id != self.id)
    }

    /// Notes another spelling of its name, while there is room for one.
    pub fn call(&mut self, spelling: &str) {
        if spelling != self.written && self.aliases.len() < MOST_ALIASES {
            self.aliases.insert(spelling.to_owned());
        }
    }

    /// The other one is the same thing.
    pub fn absorb(&mut self, other: KnownEntity) {
        // Unset means the default, which may be more than what the other has.
        if other.confidence() > self.confidence() {
            self.confidence = other.confidence;
        }
        self.call(&other.written);
        other.aliases.iter().for_each(|alias| self.call(alias));
        let newer = other.last_seen_at > self.last_seen_at;
        self.version =
            if newer { other.version.or(self.version.take()) } else { self.version.take().or(other.version) };
        self.mentions = self.mentions.saturating_add(other.mentions);
        self.first_seen_at = self.first_seen_at.min(other.first_seen_at);
        self.last_seen_at = self.last_seen_at.max(other.last_seen_at);
    }
}

/// A file is often written with a line number and a symbol with brackets;
/// neither is another name for it.
fn spelling_of(found: &Entity) -> &str {
    match found.kind {
        EntityKind::File | EntityKind::Symbol => &found.name,
        _ => &found.written,
    }
}

/// What the entities of a new memory's text make of the known ones.
///
/// `pairs` are the names that the text says are one thing's; they count where
/// both are things of one kind. A bare file name is the path that ends in it
/// if there is one such path and nothing of that very name: a file without
/// folders may lie at the root, beside every path that ends like it.
pub fn plan_entities(
    book: &EntityBook,
    found: &[Entity],
    pairs: &[(String, String)],
    at: Timestamp,
) -> EntityPlan {
    let mut draft = Draft { book, kept: Vec::new(), merges: Vec::new() };
    // Paths come before bare names, which may be their ends.
    let is_bare = |entity: &&Entity| entity.kind == EntityKind::File && !entity.name.contains('/');
    let paths = found.iter().filter(|entity| !is_bare(entity));
    for entity in paths.chain(found.iter().filter(is_bare)) {
        draft.take(entity, at);
    }
    for (name, alias) in pairs {
        draft.unite(found, name, alias);
    }
    let proposals = draft.proposals();
    let Draft { mut kept, merges, .. } = draft;
    for entity in &mut kept {
        // What has no mention yet is met for the first time.
        if entity.mentions > 0 {
            entity.confidence = Some(Confidence::clamped(entity.confidence().get() + SEEN_AGAIN));
        }
        entity.mentions = entity.mentions.saturating_add(1);
        entity.first_seen_at = entity.first_seen_at.min(at);
        entity.last_seen_at = entity.last_seen_at.max(at);
    }
    EntityPlan { entities: kept, merges, proposals }
}

/// The plan while it is made: what was touched, before this mention counts.
struct Draft<'b> {
    book: &'b EntityBook,
    kept: Vec<KnownEntity>,
    merges: Vec<Merge>,
}

impl Draft<'_> {
    fn take(&mut self, found: &Entity, at: Timestamp) {
        let id = self.find(found.kind, &found.name);
        let place = match id.and_then(|id| self.place_of(id)) {
            Some(place) => place,
            None => {
                self.kept.push(KnownEntity::new(found, at));
                self.kept.len() - 1
            }
        };
        let entity = &mut self.kept[place];
        entity.call(spelling_of(found));
        // What waited in the spool may be older than what is known.
        if at >= entity.last_seen_at && found.version.is_some() {
            entity.version.clone_from(&found.version);
        }
    }

    /// The thing that is called so, among those of this plan and those of the
    /// book.
    fn find(&self, kind: EntityKind, name: &str) -> Option<EntityId> {
        let id = EntityId::of(kind, name);
        let kept = |id: EntityId| self.kept.iter().any(|entity| entity.id == id);
        if kept(id) || self.book.get(id).is_some() {
            return Some(self.settled(id));
        }
        let key = key_of(kind, name);
        let ends = |entity: &&KnownEntity| base_of(entity.kind, &entity.name) == Some(key.as_str());
        let paths = self.kept.iter().filter(|_| kind == EntityKind::File).filter(ends);
        let paths = paths.map(|entity| entity.id).chain(self.book.ending_in(kind, name));
        let spelt = self.kept.iter().filter(|entity| entity.spellings().any(|spelling| spelling == id));
        let spelt = spelt.map(|entity| entity.id).chain(self.book.spelt(id));
        only(paths.map(|id| self.settled(id))).or_else(|| only(spelt.map(|id| self.settled(id))))
    }

    /// What a thing has become in this plan.
    fn settled(&self, id: EntityId) -> EntityId {
        let merged = |id: EntityId| self.merges.iter().find(|merge| merge.gone == id);
        std::iter::successors(Some(id), |id| merged(*id).map(|merge| merge.into)).last().unwrap_or(id)
    }

    /// Where a thing stands in the plan, into which it is taken if it was only
    /// in the book.
    fn place_of(&mut self, id: EntityId) -> Option<usize> {
        if let Some(place) = self.kept.iter().position(|entity| entity.id == id) {
            return Some(place);
        }
        self.kept.push(self.book.get(id)?.clone());
        Some(self.kept.len() - 1)
    }

    /// Makes two names one thing's, if both are names of one kind.
    fn unite(&mut self, found: &[Entity], name: &str, alias: &str) {
        let is_called = |entity: &&Entity| {
            let id = EntityId::of(entity.kind, &entity.name);
            [name, alias].iter().any(|name| EntityId::of(entity.kind, name) == id)
        };
        let mut kinds: Vec<EntityKind> = found.iter().filter(is_called).map(|entity| entity.kind).collect();
        if kinds.is_empty() {
            kinds.extend(EntityKind::ALL);
        }
        let both = |kind: &EntityKind| Some((self.find(*kind, name)?, self.find(*kind, alias)?));
        if let Some((one, other)) = kinds.iter().find_map(both).filter(|(one, other)| one != other) {
            self.join(one, other);
        }
    }

    /// Of two known things the one that is spoken of more stays; a known one
    /// stays before a new one, and a name before the other name for it.
    fn join(&mut self, name: EntityId, alias: EntityId) {
        let weight = |id: EntityId| {
            self.book.get(id).map(|known| (known.mentions, std::cmp::Reverse(known.first_seen_at)))
        };
        let (into, gone) = if weight(alias) > weight(name) { (alias, name) } else { (name, alias) };
        let (Some(_), Some(from)) = (self.place_of(into), self.place_of(gone)) else { return };
        let other = self.kept.remove(from);
        if let Some(entity) = self.kept.iter_mut().find(|entity| entity.id == into) {
            entity.absorb(other);
        }
        if self.book.get(gone).is_some() {
            self.merges.push(Merge { gone, into });
        }
    }

    /// The known things that a new one may be. What is known already was
    /// proposed when it was new.
    fn proposals(&self) -> Vec<Proposal> {
        let new = self.kept.iter().filter(|entity| self.book.get(entity.id).is_none());
        let near = new.flat_map(|entity| {
            let near = self.book.near(entity.kind, &entity.name).into_iter();
            near.map(|(old, likeness)| Proposal { new: entity.id, old: self.settled(old), likeness })
        });
        near.collect()
    }
}

#[cfg(test)]
pub(super) mod tests;
