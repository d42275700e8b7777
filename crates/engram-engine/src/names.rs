//! The things with a name on a shelf: finding them, what names them, and
//! setting right what was taken for two things.

use crate::shelf::{ChangeError, Shelf};
use engram_core::dream::card_for;
use engram_core::graph::Bond;
use engram_core::link::{KnownEntity, Mention, Merge};
use engram_core::observe::EntityKind;
use engram_core::plan::{CannotChange, Occasion};
use engram_core::port::ReadError;
use engram_core::{Cause, Changes, EntityId, Kind, Memory, MemoryId, Write};
use std::collections::BTreeMap;

/// What names a thing.
pub struct Naming {
    pub mentions: Vec<Mention>,
    pub memories: Vec<Memory>,
}

impl Shelf {
    pub fn all_entities(&self) -> Vec<KnownEntity> {
        self.hearing().book.all().cloned().collect()
    }

    /// The things that are called so, in whichever spelling, or whose identifier
    /// this is. One of each kind at most.
    pub fn entities_called(&self, name: &str) -> Vec<KnownEntity> {
        let hearing = self.hearing();
        if let Ok(id) = name.trim().parse::<EntityId>()
            && let Some(entity) = hearing.book.get(id)
        {
            return vec![entity.clone()];
        }
        let mut found: Vec<KnownEntity> = Vec::new();
        for kind in EntityKind::ALL {
            if let Some(entity) = hearing.book.named(*kind, name)
                && !found.iter().any(|known| known.id == entity.id)
            {
                found.push(entity.clone());
            }
        }
        found
    }

    /// How many memories in force name each thing.
    pub async fn memories_by_entity(&self) -> Result<BTreeMap<EntityId, usize>, ReadError> {
        let mentions = self.store.all_mentions().await?;
        let index = self.index();
        let mut named: BTreeMap<EntityId, usize> = BTreeMap::new();
        for mention in mentions {
            if index.entry(mention.memory).is_some_and(|entry| entry.status.is_current()) {
                *named.entry(mention.entity).or_default() += 1;
            }
        }
        Ok(named)
    }

    pub async fn memories_naming(&self, entity: EntityId) -> Result<Naming, ReadError> {
        let mut mentions = self.store.all_mentions().await?;
        mentions.retain(|mention| mention.entity == entity);
        let ids: Vec<MemoryId> = mentions.iter().map(|mention| mention.memory).collect();
        Ok(Naming { memories: self.load_for_answer(ids).await?, mentions })
    }

    /// What is known of a thing on one card, if a dream has made one.
    pub fn card_of(&self, entity: EntityId) -> Option<Memory> {
        let is_card = |memory: &Memory| memory.status.is_current() && card_for(memory) == Some(entity);
        self.kept_of_kind(Kind::Summary, is_card).first().map(|memory| Memory::clone(memory))
    }

    /// One thing is another: what named the first names the second.
    pub async fn merge_entities(
        &self,
        gone: EntityId,
        into: EntityId,
        occasion: Occasion,
    ) -> Result<KnownEntity, ChangeError> {
        let _door = self.door.lock().await;
        let first = self.entity(gone).ok_or(ChangeError::NoEntity(gone))?;
        let mut second = self.entity(into).ok_or(ChangeError::NoEntity(into))?;
        let before = second.clone();
        second.absorb(first.clone());
        let mut writes = vec![
            Write::Unname { merge: Merge { gone, into } },
            Write::Entity { before: Some(Box::new(first)), after: None },
            Write::Entity { before: Some(Box::new(before)), after: Some(Box::new(second.clone())) },
        ];
        writes.extend(self.moved_bonds(gone, into).await?);
        self.commit(by_hand(occasion, writes)).await?;
        Ok(second)
    }

    /// What else a thing is called.
    pub async fn call_entity(
        &self,
        id: EntityId,
        alias: &str,
        occasion: Occasion,
    ) -> Result<KnownEntity, ChangeError> {
        let _door = self.door.lock().await;
        let Some(before) = self.entity(id) else { return Err(ChangeError::NoEntity(id)) };
        let mut after = before.clone();
        after.call(alias);
        if after == before {
            return Err(CannotChange::NoMoreNames(before.written).into());
        }
        let write = Write::Entity { before: Some(Box::new(before)), after: Some(Box::new(after.clone())) };
        self.commit(by_hand(occasion, vec![write])).await?;
        Ok(after)
    }

    fn entity(&self, id: EntityId) -> Option<KnownEntity> {
        self.hearing().book.get(id).cloned()
    }

    /// The bonds of a thing that is another, as bonds of that one. One that
    /// would bind it to itself goes, and so does one that is there already.
    pub(crate) async fn moved_bonds(&self, gone: EntityId, into: EntityId) -> Result<Vec<Write>, ReadError> {
        let bonds = self.store.load_bonds().await?;
        let mut writes = Vec::new();
        for bond in bonds.iter().filter(|bond| [bond.from, bond.to].contains(&gone)) {
            writes.push(Write::Bond { before: Some(Box::new(bond.clone())), after: None });
            let end = |id: EntityId| if id == gone { into } else { id };
            let moved = Bond { from: end(bond.from), to: end(bond.to), ..bond.clone() };
            if moved.from != moved.to && !bonds.iter().any(|known| known.key() == moved.key()) {
                writes.push(Write::Bond { before: None, after: Some(Box::new(moved)) });
            }
        }
        Ok(writes)
    }
}

fn by_hand(occasion: Occasion, writes: Vec<Write>) -> Changes {
    let Occasion { operation, actor, at, .. } = occasion;
    Changes { operation, cause: Cause::Entity, actor, at, undoes: None, part_of: None, writes }
}
