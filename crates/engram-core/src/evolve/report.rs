//! What evolved, told as the seed tells it (S1, Report Results): field for field,
//! so that its readers find what they know.

use super::rules::count;
use super::{EvolutionLogged, Evolving};
use crate::id::{MemoryId, OperationId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvolutionReport {
    pub candidates_evaluated: usize,
    pub actions_taken: ActionsTaken,
    pub details: Vec<Detail>,
    pub summary: String,
}

/// How often each was done, and stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActionsTaken {
    pub deprecated: usize,
    pub refined: usize,
    pub merged: usize,
    pub archived: usize,
    pub induced_skills: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Detail {
    pub node_id: MemoryId,
    pub action: Evolving,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_id: Option<MemoryId>,
    pub reason: String,
    /// Somebody took it back. The seed's report knows no such thing, and so it
    /// is told only where it is so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
}

/// Tells of what was logged, in the order in which it comes. `undone` names the
/// rows that were taken back, by operation and place. A skill has a row for each
/// procedure that it was made of and is told of once. So many memories were
/// looked at for what could be done.
pub fn report(
    looked_at: usize,
    logged: &[EvolutionLogged],
    undone: &BTreeSet<(OperationId, u32)>,
) -> EvolutionReport {
    let mut taken = ActionsTaken::default();
    let mut details: Vec<Detail> = Vec::new();
    let mut skills = BTreeSet::new();
    for row in logged {
        if row.action == Evolving::Induced && !skills.insert((row.operation, row.made)) {
            continue;
        }
        let undone = undone.contains(&(row.operation, row.number));
        let counted = match row.action {
            Evolving::Deprecated => &mut taken.deprecated,
            Evolving::Refined => &mut taken.refined,
            Evolving::Merged => &mut taken.merged,
            Evolving::Archived => &mut taken.archived,
            Evolving::Induced => &mut taken.induced_skills,
        };
        *counted += usize::from(!undone);
        let (node_id, action, new_id) = (row.node, row.action, row.made);
        details.push(Detail { node_id, action, new_id, reason: row.reason.clone(), undone });
    }
    let back = details.iter().filter(|detail| detail.undone).count();
    EvolutionReport {
        candidates_evaluated: looked_at,
        actions_taken: taken,
        summary: summed_up(&taken, back),
        details,
    }
}

/// One sentence for people.
fn summed_up(taken: &ActionsTaken, back: usize) -> String {
    let many = |number: usize, what: &str| count(u32::try_from(number).unwrap_or(u32::MAX), what);
    let thing = |number: usize| if number == 1 { "memory".to_owned() } else { "memories".to_owned() };
    let told = [
        (
            taken.deprecated,
            format!("deprecated {} {} that kept failing", taken.deprecated, thing(taken.deprecated)),
        ),
        (taken.refined, format!("refined {}", taken.refined)),
        (taken.merged, format!("merged {}", many(taken.merged, "pair"))),
        (taken.archived, format!("archived {} that nobody used", taken.archived)),
        (taken.induced_skills, format!("made {}", many(taken.induced_skills, "skill"))),
        (back, format!("{back} taken back")),
    ];
    let parts: Vec<String> =
        told.into_iter().filter(|(number, _)| *number > 0).map(|(_, part)| part).collect();
    if parts.is_empty() {
        return "Nothing evolved.".to_owned();
    }
    let mut sentence = format!("{}.", parts.join(", "));
    sentence[..1].make_ascii_uppercase();
    sentence
}
