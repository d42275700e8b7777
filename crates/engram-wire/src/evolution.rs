//! What the daemon answers about learning from use: how memories served, what
//! was learned, what evolved, skills, and what the memory has to tell of itself.
//! Shapes of `--json`, like those of `reply`.

use crate::reply::OutcomeRecorded;
use engram_core::evolve::{Candidate, EvolutionReport, Evolving, NextRun};
use engram_core::learn::{LearnedKey, LearningState, Shares, WeightChange};
use engram_core::recalled::Feedback;
use engram_core::reflect::{Insight, ReflectionLogged};
use engram_core::unit::Share;
use engram_core::used::Usage;
use engram_core::words::words;
use engram_core::{Memory, MemoryId, OperationId, RecallId, Scope, Timestamp, Utility};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What somebody said of an answer, and who was credited with it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rated {
    pub operation: OperationId,
    pub recall: RecallId,
    pub feedback: Feedback,
    /// Empty: nobody knows which of them it was, so none is credited.
    pub credited: Vec<OutcomeRecorded>,
    pub already: bool,
}

/// How using a memory went.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsageHistory {
    pub memory: Memory,
    /// As it is read now; what is not used drifts to the middle.
    pub utility: Utility,
    /// How often it was used, and of these how often it served and did not. The
    /// rest served in part.
    pub tried: u32,
    pub succeeded: u32,
    pub failed: u32,
    /// How often it was shown, as far as the log goes back, and of these how
    /// often nobody took it up.
    pub shown: usize,
    pub ignored: usize,
    /// The latest first.
    pub usages: Vec<Usage>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WeightsShown {
    pub stores: Vec<StoreWeights>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoreWeights {
    pub scope: Scope,
    /// Which store it is, for people.
    pub store: String,
    /// The setting `learning.weights`.
    pub learning: bool,
    pub rows: Vec<WeightRow>,
    /// How often each was right where they disagreed.
    pub rates: Vec<RateLine>,
    /// So many memories are shown time and again, and not used.
    pub noise: usize,
    /// Newest first.
    pub history: Vec<WeightChange>,
}

/// What was learned under one key.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WeightRow {
    #[serde(flatten)]
    pub key: LearnedKey,
    pub default: Shares,
    pub now: Shares,
    pub votes: u32,
    pub state: LearningState,
    pub reason: String,
    /// None: it never moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<Timestamp>,
}

/// How often an arm, or a reason to keep, was right.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RateLine {
    #[serde(flatten)]
    pub key: LearnedKey,
    /// Which arm or reason it is.
    pub word: String,
    pub rate: Share,
    pub votes: u32,
    /// More than chance.
    pub sure: bool,
}

/// The defaults are in force again.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WeightsReset {
    pub operation: OperationId,
    pub scope: Scope,
    /// What had been learned under these is gone.
    pub rows: Vec<LearnedKey>,
    pub already: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvolutionReports {
    pub stores: Vec<StoreEvolution>,
}

/// The seed's report of one store, field for field (S1), and which store it is.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoreEvolution {
    pub scope: Scope,
    pub store: String,
    #[serde(flatten)]
    pub report: EvolutionReport,
    /// None: it does not evolve by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextRun>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Candidates {
    /// So many memories were looked at.
    pub evaluated: usize,
    pub candidates: Vec<CandidateLine>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CandidateLine {
    pub scope: Scope,
    #[serde(flatten)]
    pub candidate: Candidate,
    /// What its memories say, in the order of `nodes`.
    pub texts: Vec<String>,
}

/// Something evolved.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evolved {
    pub operation: OperationId,
    pub action: Evolving,
    /// What evolved; of a merge those that went into another, of a skill the
    /// procedures.
    pub nodes: Vec<MemoryId>,
    /// What took their place: the better text, the one that stays, the skill.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new: Option<MemoryId>,
    /// All that were touched, as they are now.
    pub memories: Vec<Memory>,
    pub reason: String,
    /// What became of the files of skills.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SkillFile>,
    pub already: bool,
}

words! {
    /// What was done about the file of a skill.
    pub enum FileDone ("file done") {
        Written = "written",
        Removed = "removed",
        /// Left as it is, because somebody else wrote it or changed it.
        Left = "left",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SkillFile {
    pub file: PathBuf,
    pub done: FileDone,
    /// Why it was left as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

words! {
    /// What lies where a skill has its file.
    pub enum SkillState ("skill state") {
        /// As engram wrote it.
        AsWritten = "as_written",
        /// Somebody changed it since; engram does not write over it.
        Edited = "edited",
        Missing = "missing",
        /// It was written once, and somebody removed it; engram does not write it
        /// again.
        RemovedByHand = "removed_by_hand",
        /// Somebody else wrote it.
        Foreign = "foreign",
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SkillsFound {
    /// The best first, where something was asked for.
    pub skills: Vec<SkillLine>,
    /// Files of skills that are no longer in force, which somebody edited.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<SkillFile>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SkillLine {
    pub name: String,
    pub description: String,
    /// None: it comes with engram.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryId>,
    /// It evolves only with a justification.
    pub protected: bool,
    /// How it served; none of one that comes with engram.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utility: Option<Utility>,
    /// How often it was used, and of these how often it failed.
    #[serde(default)]
    pub tried: u32,
    #[serde(default)]
    pub failed: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<SkillState>,
    /// What it says, whole.
    pub text: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reflections {
    pub stores: Vec<StoreReflection>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StoreReflection {
    pub scope: Scope,
    pub store: String,
    /// What was seen last first.
    pub insights: Vec<Insight>,
    /// Newest first.
    pub reflections: Vec<ReflectionLogged>,
}

/// How far an open store is in learning from use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvolutionHealth {
    pub store: String,
    /// None: it never evolved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_at: Option<Timestamp>,
    /// None: it does not evolve by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextRun>,
    pub weights: LearningState,
    pub insights_open: usize,
    /// Of these so many are questions that nobody answers.
    pub gaps_open: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// The example of the seed (S1, step 5), with identifiers of ours.
    fn example() -> Value {
        json!({
            "candidates_evaluated": 15,
            "actions_taken": {"deprecated": 2, "refined": 3, "merged": 1, "archived": 5, "induced_skills": 1},
            "details": [
                {"node_id": "01JD3V8Q2Y6K4M5N7P9R1S3T5V", "action": "deprecated", "reason": "..."},
                {"node_id": "01JD3V8Q2Y6K4M5N7P9R1S3T5V", "action": "refined",
                 "new_id": "01JD3V8Q2Y6K4M5N7P9R1S3T60", "reason": "..."}
            ],
            "summary": "Deprecated 2 low-quality facts, refined 3 processes with fixable issues"
        })
    }

    #[test]
    fn the_report_of_a_store_is_the_seeds_json_beside_its_name() {
        let mut whole = example();
        whole["scope"] = json!("project");
        whole["store"] = json!("project shop");
        let read: StoreEvolution = serde_json::from_value(whole).unwrap();
        let mut told = serde_json::to_value(&read).unwrap();
        // The one field that the seed does not have, where it is told.
        for detail in told["details"].as_array_mut().unwrap() {
            assert_ne!(detail.as_object_mut().unwrap().remove("undone"), Some(json!(true)));
        }
        for (key, value) in example().as_object().unwrap() {
            assert_eq!(&told[key], value, "{key}");
        }
        assert_eq!(told.as_object().unwrap().len(), example().as_object().unwrap().len() + 2);
    }
}
