//! The outline of a code base on its shelf. Who draws it, and when, is not known
//! here.

use crate::shelf::{ChangeError, Shelf};
use engram_core::plan::{Occasion, Sheet, drawn_from, plan_outline};
use engram_core::{Memory, Provenance, Tier};
use engram_index::Filter;

impl Shelf {
    /// What the code base looked like when its outline was drawn, if it was.
    pub async fn outlined(&self) -> Result<Option<String>, ChangeError> {
        Ok(drawn_from(&self.outline().await?).map(str::to_owned))
    }

    /// Brings the outline up to date. How many sheets changed.
    pub async fn put_outline(
        &self,
        sheets: &[Sheet],
        digest: &str,
        provenance: &Provenance,
        occasion: Occasion,
    ) -> Result<usize, ChangeError> {
        let _door = self.door.lock().await;
        let known = self.outline().await?;
        match plan_outline(&known, sheets, digest, provenance, occasion) {
            Some(changes) => {
                let changed = changes.writes.len();
                self.commit(changes).await?;
                Ok(changed)
            }
            None => Ok(0),
        }
    }

    async fn outline(&self) -> Result<Vec<Memory>, ChangeError> {
        let filter = Filter { tiers: vec![Tier::Codebase], ..Filter::default() };
        let ids = self.index().list(&filter, usize::MAX);
        Ok(if ids.is_empty() { Vec::new() } else { self.store.load(ids).await? })
    }
}
