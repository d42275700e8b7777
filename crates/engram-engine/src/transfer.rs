//! Memories as lines: out, and in again.
//!
//! A line is everything a memory has: its fields, its history, and the edges
//! that could not be written with an earlier line. Coming in, the history is
//! walked again through the commit door, so that the database writes it itself.

use crate::capture::Naming;
use crate::shelf::{ChangeError, Shelf};
use engram_core::change::{PURGED, PURGED_REASON};
use engram_core::plan::{Occasion, check_memory};
use engram_core::port::ReadError;
use engram_core::{Cause, Changes, Memory, MemoryId, Relation, Scope, Status, StatusStep, Write};
use engram_guard::guard;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Serialize, Deserialize)]
struct Line {
    #[serde(flatten)]
    memory: Memory,
    #[serde(default)]
    status_history: Vec<StatusStep>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    relations: Vec<Relation>,
}

/// The lines of the next memories after `after`, in order of identifier, and
/// the last identifier. An edge is written with the later of its two ends.
pub async fn export_page(
    shelf: &Shelf,
    after: Option<MemoryId>,
    limit: usize,
    history: bool,
) -> Result<Option<(MemoryId, Vec<String>)>, ReadError> {
    let memories = shelf.store().load_page(after, limit).await?;
    let ids: Vec<MemoryId> = memories.iter().map(|memory| memory.id).collect();
    let Some(last) = ids.last().copied() else { return Ok(None) };
    let mut histories: BTreeMap<MemoryId, Vec<StatusStep>> = match history {
        true => shelf.store().load_history(ids.clone()).await?.into_iter().collect(),
        false => BTreeMap::new(),
    };
    let edges = shelf.store().load_relations(ids).await?;
    let lines = memories
        .into_iter()
        .map(|memory| {
            let relations =
                edges.iter().filter(|edge| edge.from.max(edge.to) == memory.id).cloned().collect();
            let status_history = histories.remove(&memory.id).unwrap_or_default();
            let line = Line { memory, status_history, relations };
            line_of(&line, history).map_err(|error| ReadError::BadRow {
                row: format!("memory {}", line.memory.id),
                problem: error.to_string(),
            })
        })
        .collect::<Result<_, _>>()?;
    Ok(Some((last, lines)))
}

/// Without its history a memory does not tell how it came to stand where it
/// stands either.
fn line_of(line: &Line, history: bool) -> Result<String, serde_json::Error> {
    if history {
        return serde_json::to_string(line);
    }
    let mut plain = serde_json::to_value(line)?;
    if let Some(fields) = plain.as_object_mut() {
        fields.remove("status_history");
        fields.remove("status_change");
    }
    serde_json::to_string(&plain)
}

/// Such a line says nothing of when and why it stands where it stands.
fn with_standing(text: &str) -> Result<Line, serde_json::Error> {
    let mut plain: serde_json::Value = serde_json::from_str(text)?;
    if let Some(fields) = plain.as_object_mut()
        && !fields.contains_key("status_change")
        && let Some(created_at) = fields.get("created_at").cloned()
    {
        let change = serde_json::json!({"at": created_at, "reason": "imported", "cause": "import"});
        fields.insert("status_change".to_owned(), change);
    }
    serde_json::from_value(plain)
}

/// A line that is not a memory, counted from one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {number}: {problem}")]
pub struct BadLine {
    pub number: usize,
    pub problem: String,
}

/// Lines that were read and checked, all of one scope.
pub struct Arrivals {
    scope: Scope,
    lines: Vec<Line>,
}

/// Reads numbered lines at the door. One that is not a sound memory is named, and
/// one with a text that `treat` does not let in.
pub fn parse_lines<'a>(
    lines: impl IntoIterator<Item = (usize, &'a str)>,
    scope: Scope,
    longest: usize,
    treat: &dyn Fn(&str) -> Result<String, String>,
) -> Result<Arrivals, BadLine> {
    let lines = lines.into_iter().map(|(number, text)| {
        let bad = |problem: String| BadLine { number, problem };
        let mut line = with_standing(text).map_err(|error| bad(error.to_string()))?;
        line.memory.scope = scope;
        // An export of elsewhere may hold what must not be kept here.
        let kept = |text: &str| treat(&guard(text).text).map_err(bad);
        line.memory.content = kept(&line.memory.content)?;
        line.memory.summary = line.memory.summary.as_deref().map(kept).transpose()?;
        check_memory(&line.memory, longest).map_err(|problem| bad(problem.to_string()))?;
        tell_purged_steps_apart(&mut line);
        check_history(&line).map_err(bad)?;
        Ok(line)
    });
    Ok(Arrivals { scope, lines: lines.collect::<Result<_, _>>()? })
}

/// A store wants each step to have its own time, reason and cause. Two of one moment
/// had, until their reasons were purged.
fn tell_purged_steps_apart(line: &mut Line) {
    let Some(mut before) = line.status_history.first().map(|step| step.change.clone()) else { return };
    for step in line.status_history.iter_mut().skip(1) {
        if step.change == before && before.reason == PURGED_REASON {
            step.change.reason.push_str(", too");
            if line.memory.status_change == before {
                line.memory.status_change = step.change.clone();
            }
        }
        before = step.change.clone();
    }
}

fn check_history(line: &Line) -> Result<(), String> {
    if let Some(last) = line.status_history.last()
        && last.to != line.memory.status
    {
        return Err(format!("the history ends in {}, the memory is {}", last.to, line.memory.status));
    }
    match line
        .status_history
        .windows(2)
        .find(|pair| pair[0].to == pair[1].to || pair[0].change == pair[1].change)
    {
        Some(pair) => Err(format!("the history has a step that changes nothing, to {}", pair[1].to)),
        None => Ok(()),
    }
}

/// Brings lines in as one operation. A memory that is there already is left as
/// it is and counted.
pub async fn import(
    shelf: &Shelf,
    arrivals: Arrivals,
    occasion: Occasion,
) -> Result<(Vec<Memory>, usize), ChangeError> {
    let Arrivals { scope, lines: parsed } = arrivals;
    debug_assert_eq!(scope, shelf.scope());
    shelf
        .undisturbed(async {
            let present: BTreeSet<MemoryId> = {
                let index = shelf.index();
                parsed.iter().map(|line| line.memory.id).filter(|id| index.contains(*id)).collect()
            };
            let mut coming = BTreeSet::new();
            let mut writes = Vec::new();
            let mut naming = Naming::new(shelf);
            for line in &parsed {
                if !present.contains(&line.memory.id) && coming.insert(line.memory.id) {
                    writes.extend(births(line));
                    writes.extend(naming.read(&line.memory));
                }
            }
            if writes.is_empty() {
                return Ok((Vec::new(), parsed.len()));
            }
            let known = |id: &MemoryId| coming.contains(id) || shelf.index().contains(*id);
            let edges: BTreeSet<&Relation> = parsed
                .iter()
                .filter(|line| coming.contains(&line.memory.id))
                .flat_map(|line| &line.relations)
                .filter(|edge| known(&edge.from) && known(&edge.to))
                .collect();
            writes.extend(edges.into_iter().map(|edge| Write::Relate { relation: edge.clone() }));
            let changes = Changes {
                operation: occasion.operation,
                cause: Cause::Import,
                actor: occasion.actor,
                at: occasion.at,
                undoes: None,
                part_of: None,
                writes,
            };
            let memories = shelf.commit(changes).await?;
            naming.keep();
            Ok((memories, parsed.len() - coming.len()))
        })
        .await
}

/// The writes that let a memory live its history again.
fn births(line: &Line) -> Vec<Write> {
    let stage = |step: &StatusStep| {
        let mut memory = line.memory.clone();
        memory.status = step.to;
        memory.status_change = step.change.clone();
        if memory.content.is_empty() && step.to != Status::Forgotten {
            // It had a text then, which is gone for good.
            PURGED.clone_into(&mut memory.content);
        }
        memory
    };
    let mut stages: Vec<Memory> = line.status_history.iter().map(stage).collect();
    match stages.last_mut() {
        Some(last) => *last = line.memory.clone(),
        None => stages.push(line.memory.clone()),
    }
    let mut writes = vec![Write::Create { memory: Box::new(stages[0].clone()) }];
    writes.extend(
        stages.windows(2).map(|pair| Write::Replace {
            before: Box::new(pair[0].clone()),
            after: Box::new(pair[1].clone()),
        }),
    );
    writes
}
