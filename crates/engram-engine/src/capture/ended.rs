//! What a file said once and says no more.

use crate::shelf::{ChangeError, Shelf};
use engram_core::change::Changes;
use engram_core::memory::DataSource;
use engram_core::plan::{Occasion, plan_end};
use engram_core::{Actor, Cause, Memory, MemoryId, Timestamp, TurnId};
use std::collections::BTreeSet;

impl Shelf {
    /// Ends what only these turns of files stand for. What somebody else said
    /// as well stays as it is. Told: which memories ended, or would.
    pub async fn end_with(
        &self,
        gone: &BTreeSet<TurnId>,
        dry_run: bool,
        at: Timestamp,
    ) -> Result<Vec<MemoryId>, ChangeError> {
        let Some(first) = gone.first() else { return Ok(Vec::new()) };
        let _door = self.door.lock().await;
        let ended = self.kept_where(|memory| stands_on(memory, gone, at));
        let ids: Vec<MemoryId> = ended.iter().map(|memory| memory.id).collect();
        if dry_run || ids.is_empty() {
            return Ok(ids);
        }
        let operation = first.operation("end", gone.len(), at);
        let occasion = Occasion { operation, actor: Actor::Ingest, at, recorded_at: at };
        let writes = ended.iter().map(|memory| plan_end(memory, occasion)).collect::<Result<Vec<_>, _>>()?;
        let (cause, actor) = (Cause::Capture, Actor::Ingest);
        self.commit(Changes { operation, cause, actor, at, undoes: None, part_of: None, writes }).await?;
        Ok(ids)
    }
}

fn stands_on(memory: &Memory, gone: &BTreeSet<TurnId>, at: Timestamp) -> bool {
    let evidence = &memory.provenance.evidence;
    memory.provenance.data_source == DataSource::File
        && memory.status.is_current()
        && !memory.immutable
        && memory.validity.valid_until.is_none_or(|until| until > at)
        && !evidence.is_empty()
        && evidence.iter().all(|turn| gone.contains(turn))
}
