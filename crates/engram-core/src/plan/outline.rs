//! The writer of the codebase tier: what of the outline is new, what changed
//! and what is gone.

use super::{Draft, Occasion, newborn, replace};
use crate::change::{Cause, Changes, Write};
use crate::id::MemoryId;
use crate::kind::{Kind, Scope, Tier};
use crate::memory::{Memory, Provenance};
use crate::status::Status;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// One sheet of the outline of a code base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// What it is about; the same sheet has the same key tomorrow.
    pub key: String,
    pub text: String,
    /// The files it speaks of.
    pub files: Vec<String>,
}

/// The tag by which people find the outline.
const TAG: &str = "codebase";
const KEY: &str = "sheet";
const FILES: &str = "files";
const DIGEST: &str = "digest";

/// What the code base looked like when the outline was drawn, if it was.
pub fn drawn_from(known: &[Memory]) -> Option<&str> {
    known.iter().find_map(|memory| memory.structured.as_ref()?.get(DIGEST)?.as_str())
}

/// Brings the outline up to date. `known` are the memories of the codebase
/// tier, `digest` tells this state of the code base from every other. None:
/// nothing is to be done.
pub fn plan_outline(
    known: &[Memory],
    sheets: &[Sheet],
    digest: &str,
    provenance: &Provenance,
    occasion: Occasion,
) -> Option<Changes> {
    let mut before: BTreeMap<&str, &Memory> = known
        .iter()
        .filter(|memory| memory.status != Status::Forgotten)
        .filter_map(|memory| Some((key_of(memory)?, memory)))
        .collect();
    let mut writes = Vec::new();
    for (place, sheet) in sheets.iter().enumerate() {
        let structured = structured(sheet, (place == 0).then_some(digest));
        match before.remove(sheet.key.as_str()) {
            Some(old) if old.content == sheet.text && old.structured.as_ref() == Some(&structured) => {}
            Some(old) if old.immutable => {}
            Some(old) => {
                let mut after = old.clone();
                after.content.clone_from(&sheet.text);
                after.structured = Some(structured);
                after.updated_at = occasion.at;
                after.revision += 1;
                writes.push(replace(old, after));
            }
            None => {
                let memory = drawn(sheet, structured, provenance.clone(), occasion);
                writes.push(Write::Create { memory: Box::new(memory) });
            }
        }
    }
    let gone = before.into_values().filter(|memory| !memory.immutable && !memory.pinned);
    writes.extend(gone.map(|memory| Write::Remove { memory: Box::new(memory.clone()) }));
    (!writes.is_empty()).then(|| occasion.changes(Cause::Outline, writes))
}

fn key_of(memory: &Memory) -> Option<&str> {
    memory.structured.as_ref()?.get(KEY)?.as_str()
}

fn structured(sheet: &Sheet, digest: Option<&str>) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert(KEY.to_owned(), json!(sheet.key));
    map.insert(FILES.to_owned(), json!(sheet.files));
    map.extend(digest.map(|digest| (DIGEST.to_owned(), json!(digest))));
    map
}

fn drawn(
    sheet: &Sheet,
    structured: Map<String, Value>,
    provenance: Provenance,
    occasion: Occasion,
) -> Memory {
    let draft = Draft {
        content: sheet.text.clone(),
        kind: Kind::Architecture,
        tags: BTreeSet::from([TAG.to_owned()]),
        domain: None,
        pinned: false,
    };
    let mut memory = newborn(draft, Scope::Project, provenance, occasion, Cause::Outline);
    memory.id = MemoryId::of_sheet(occasion.operation, &sheet.key);
    memory.tier = Tier::Codebase;
    "drawn from the code base".clone_into(&mut memory.status_change.reason);
    memory.summary = Some(format!("outline of the code base: {}", sheet.key));
    memory.structured = Some(structured);
    memory
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Actor;
    use crate::id::{IdMint, OperationId};
    use jiff::Timestamp;

    fn occasion(second: i64) -> Occasion {
        let at = Timestamp::from_second(second).unwrap();
        let operation = OperationId::from_ulid(IdMint::seeded(second as u64).mint(at));
        Occasion { operation, actor: Actor::Engram, at, recorded_at: at }
    }

    fn sheet(key: &str, text: &str) -> Sheet {
        Sheet { key: key.to_owned(), text: text.to_owned(), files: vec!["a.rs".to_owned()] }
    }

    fn apply(memories: &mut BTreeMap<MemoryId, Memory>, changes: Changes) -> [usize; 3] {
        let mut counts = [0; 3];
        for write in changes.writes {
            match write {
                Write::Create { memory } => {
                    counts[0] += 1;
                    memories.insert(memory.id, *memory);
                }
                Write::Replace { after, .. } => {
                    counts[1] += 1;
                    memories.insert(after.id, *after);
                }
                Write::Remove { memory } => {
                    counts[2] += 1;
                    memories.remove(&memory.id);
                }
                _ => {}
            }
        }
        counts
    }

    #[test]
    fn an_outline_is_drawn_once_and_then_follows_the_code() {
        let provenance = Provenance::stated_by(Actor::Ingest);
        let mut memories = BTreeMap::new();
        let mut draw = |sheets: &[Sheet], digest: &str, second| {
            let known: Vec<Memory> = memories.values().cloned().collect();
            let changes = plan_outline(&known, sheets, digest, &provenance, occasion(second));
            let logged = changes.as_ref().map(|changes| changes.log_entry().inverse.len());
            (changes.map(|changes| apply(&mut memories, changes)), logged)
        };
        let sheets = [sheet("tree", "a.rs"), sheet("folder src", "fn a()")];
        assert_eq!(draw(&sheets, "1", 1), (Some([2, 0, 0]), Some(0)));
        assert_eq!(draw(&sheets, "1", 2), (None, None));
        let sheets = [sheet("tree", "a.rs"), sheet("folder src", "fn a(), fn b()")];
        assert_eq!(draw(&sheets, "2", 3), (Some([0, 2, 0]), Some(0)));
        assert_eq!(draw(&[sheet("tree", "a.rs")], "3", 4), (Some([0, 1, 1]), Some(0)));
        let known: Vec<Memory> = memories.values().cloned().collect();
        assert_eq!(drawn_from(&known), Some("3"));
        assert!(known.iter().all(|memory| memory.tier == Tier::Codebase));
    }
}
