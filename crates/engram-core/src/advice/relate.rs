//! How one memory bears on another.
//!
//! That one takes the place of another is not asked here: a correction is
//! `judge`'s and the gate's business.

use super::grounds::Grounds;
use super::judge::{have_common_ground, with_quotes};
use super::{Advice, Rejected, shaped};
use crate::memory::RelationKind;
use crate::port::Asked;
use serde::Deserialize;
use serde_json::json;

const NONE: &str = "none";
/// What may be answered, from the first to the second.
const OFFERED: [RelationKind; 8] = [
    RelationKind::Supports,
    RelationKind::Contradicts,
    RelationKind::PartOf,
    RelationKind::CausedBy,
    RelationKind::Causes,
    RelationKind::Elaborates,
    RelationKind::DerivedFrom,
    RelationKind::SameEntity,
];

pub struct Relate {
    pub first: String,
    pub second: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    first_says: String,
    second_says: String,
    relation: String,
}

impl Advice for Relate {
    type Answer = Option<RelationKind>;
    const OPERATION: &'static str = "relate";

    fn masked(self, mask: &dyn Fn(&str) -> String) -> Self {
        Relate { first: mask(&self.first), second: mask(&self.second) }
    }

    fn ask(&self) -> Asked {
        let words: Vec<&str> = OFFERED.iter().map(|kind| kind.as_str()).chain([NONE]).collect();
        Asked {
            operation: Self::OPERATION,
            instruction: "Say how the first text bears on the second: it supports, contradicts, is part_of, \
                is caused_by, causes, elaborates or is derived_from it, or both are about the same_entity; \
                \"none\" if nothing of that is plainly so. first_says and second_says are the few words of \
                each text that show it, copied letter by letter; empty if none."
                .to_owned(),
            material: json!({"first": self.first, "second": self.second}).to_string(),
            schema: with_quotes("first_says", "second_says", "relation", &words),
            most_tokens: 400,
        }
    }

    fn read(&self, answer: &str) -> Result<Option<RelationKind>, Rejected> {
        let answer: Answer = shaped(answer)?;
        if answer.relation == NONE {
            return Ok(None);
        }
        let offered = OFFERED.iter().copied().find(|kind| kind.as_str() == answer.relation);
        let kind = offered.ok_or_else(|| Rejected::Shape("there is no such relation".to_owned()))?;
        Grounds::of(&[&self.first]).check_quote(&answer.first_says)?;
        Grounds::of(&[&self.second]).check_quote(&answer.second_says)?;
        let needs_ground = matches!(kind, RelationKind::SameEntity | RelationKind::Contradicts);
        if needs_ground && !have_common_ground(&self.first, &self.second) {
            return Err(Rejected::Shape(format!("two texts without a common word are {kind}")));
        }
        Ok(Some(kind))
    }
}
