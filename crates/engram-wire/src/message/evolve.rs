//! What may be asked about learning from use: how an answer served, what might
//! evolve, and each action of evolution (S1).

use super::MemoryName;
use engram_core::dream::Step;
use engram_core::evolve::Criteria;
use engram_core::recalled::Feedback;
use engram_core::{Class, Kind, Memory, OperationId, Scope};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Of so many procedures a skill is made: three is the least (S1), and more than
/// twenty say no longer one thing.
pub const SKILL_SOURCES: RangeInclusive<usize> = 3..=20;

/// What somebody says of an answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordFeedback {
    pub operation: OperationId,
    /// Its identifier, or the end of it. None: the last one of the session that
    /// asks.
    #[serde(default)]
    pub recall: Option<String>,
    pub feedback: Feedback,
    /// Those of the answer that are meant. None named: those that were used, or
    /// the only one that was shown.
    #[serde(default)]
    pub memories: Vec<MemoryName>,
}

/// A dream of the steps that learn from use.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evolve {
    /// Names the dream. One that goes over several stores has a name in each.
    pub operation: OperationId,
    /// Only tell what would be done.
    #[serde(default)]
    pub dry_run: bool,
    /// None: the project, where there is one, and the user.
    #[serde(default)]
    pub scope: Option<Scope>,
    /// Of adapt, evolve and reflect only these. None named: all three.
    #[serde(default)]
    pub only: Vec<Step>,
}

/// What might evolve, the most pressing first.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvolutionCandidates {
    /// None: whatever there is.
    #[serde(default)]
    pub criteria: Option<Criteria>,
    pub limit: usize,
    /// None: the project, where there is one, and the user.
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// One memory is to be deprecated or archived.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvolveOne {
    pub operation: OperationId,
    pub memory: MemoryName,
    /// What whoever asks takes it for. It is left alone where it is not that.
    #[serde(default)]
    pub node_type: Option<NodeType>,
    pub reason: String,
    /// Why it may be done although the memory is protected.
    #[serde(default)]
    pub justification: Option<String>,
}

/// A better text is to take the place of a memory.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvolveRefine {
    #[serde(flatten)]
    pub one: EvolveOne,
    pub text: String,
}

/// Memories that say the same are to be one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EvolveMerge {
    pub operation: OperationId,
    pub memories: Vec<MemoryName>,
    #[serde(default)]
    pub node_type: Option<NodeType>,
    /// What they say together. None: it is put together from their texts.
    #[serde(default)]
    pub text: Option<String>,
    pub reason: String,
    #[serde(default)]
    pub justification: Option<String>,
}

/// A skill is to be made of procedures.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InduceSkill {
    pub operation: OperationId,
    pub memories: Vec<MemoryName>,
    /// What the skill is called, and its folder.
    pub name: String,
    /// When it is to be used; an agent picks it by this.
    pub description: String,
    /// What it says. None: it is put together from the procedures.
    #[serde(default)]
    pub text: Option<String>,
    /// Whose skill it is. None: that of the store in which the procedures are.
    #[serde(default)]
    pub scope: Option<Scope>,
}

/// What somebody takes a memory for: its kind, or its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub enum NodeType {
    Kind(Kind),
    Class(Class),
}

/// A word that is neither a kind nor a class.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown node type \"{found}\"; one of: {}", NodeType::words().join(", "))]
pub struct UnknownNodeType {
    pub found: String,
}

impl NodeType {
    /// Every word that is understood, each once.
    pub fn words() -> Vec<&'static str> {
        let mut words: Vec<&str> = Class::ALL.iter().map(|class| class.as_str()).collect();
        words.extend(Kind::ALL.iter().map(|kind| kind.as_str()).filter(|kind| !is_class(kind)));
        words
    }

    pub fn fits(self, memory: &Memory) -> bool {
        match self {
            NodeType::Kind(kind) => memory.kind == kind,
            NodeType::Class(class) => memory.class() == class,
        }
    }

    const fn as_str(self) -> &'static str {
        match self {
            NodeType::Kind(kind) => kind.as_str(),
            NodeType::Class(class) => class.as_str(),
        }
    }
}

fn is_class(word: &str) -> bool {
    word.parse::<Class>().is_ok()
}

impl fmt::Display for NodeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for NodeType {
    type Err = UnknownNodeType;

    /// The seed writes `Fact` and calls a procedure `Process` (S1). Where a word
    /// is a class and a kind, the class is meant: it takes in the kind.
    fn from_str(text: &str) -> Result<Self, UnknownNodeType> {
        let small = text.trim().to_lowercase();
        let word = if small == "process" { Class::Procedure.as_str() } else { small.as_str() };
        let class = word.parse().map(NodeType::Class);
        class
            .or_else(|_| word.parse().map(NodeType::Kind))
            .map_err(|_| UnknownNodeType { found: text.to_owned() })
    }
}

impl TryFrom<String> for NodeType {
    type Error = UnknownNodeType;
    fn try_from(text: String) -> Result<Self, UnknownNodeType> {
        text.parse()
    }
}

impl From<NodeType> for String {
    fn from(node_type: NodeType) -> String {
        node_type.as_str().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_type_is_a_class_or_a_kind_however_it_is_written() {
        let read = |text: &str| text.parse::<NodeType>();
        assert_eq!(read("Fact"), Ok(NodeType::Class(Class::Fact)));
        assert_eq!(read("Process"), Ok(NodeType::Class(Class::Procedure)));
        assert_eq!(read(" error_fix "), Ok(NodeType::Kind(Kind::ErrorFix)));
        let refused = read("Node").unwrap_err().to_string();
        assert!(
            refused.starts_with("unknown node type \"Node\"; one of: fact, procedure, narrative, obs"),
            "{refused}"
        );
        for word in NodeType::words() {
            assert_eq!(read(word).unwrap().to_string(), word);
        }
    }
}
