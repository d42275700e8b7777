//! Makes a skill of procedures that are alike.

use super::cluster::{commands_of, is_like, unfit};
use super::search::built_in;
use super::{BadSkill, Skill, SkillName, check_description};
use crate::change::{Cause, Changes, Write};
use crate::evolve::{CannotEvolve, Case, Evolving, Missing, Order, Rule, count, refuse};
use crate::kind::{Kind, Tier};
use crate::memory::{Memory, Provenance, Relation, RelationKind};
use crate::plan::{Draft, newborn, take_evidence};
use crate::present::in_one_line;
use crate::unit::Similarity;
use crate::used::{Outcome, Usage};
use std::cmp::Reverse;

/// A skill is read whole by whoever follows it: in bytes.
const LONGEST: usize = 16_384;
/// So many notes of failures are told.
const NOTES: usize = 5;

/// A skill, with all the procedures that it is made of tied to it (S1). `alike`
/// is how like the first each of them is; `known` are the skills of this store.
/// Without a text the steps are those of the procedures.
pub fn plan_induce(
    cases: &[Case<'_>],
    alike: &[Similarity],
    name: SkillName,
    description: &str,
    text: Option<&str>,
    known: &[Skill],
    how: &Order<'_>,
) -> Result<Changes, CannotEvolve> {
    let (action, occasion) = (Evolving::Induced, how.occasion);
    let description = check_description(description)?;
    let taken = known.iter().any(|skill| skill.name == name);
    if taken || built_in().iter().any(|found| found.skill.name == name) {
        return Err(BadSkill::Taken(name).into());
    }
    let least = Rule::of(action).sources;
    let mut lacking = Vec::new();
    if cases.len() < least {
        lacking.push(Missing::Sources { is: cases.len(), least });
    }
    for (place, case) in cases.iter().enumerate() {
        let likeness = alike.get(place).copied().unwrap_or(Similarity::clamped(0.0));
        if place > 0 && !is_like(cases[0].memory, case.memory, likeness) {
            lacking.push(Missing::NotAlike(case.memory.id));
        }
        lacking.extend(unfit(case).map(|why| Missing::Generalizable(case.memory.id, why)));
    }
    refuse(action, lacking)?;
    let steps = text.map_or_else(|| written_of(cases), str::to_owned);
    let draft = Draft { kind: Kind::Procedure, ..Draft::parse(&steps, LONGEST)? };
    let first = cases[0].memory;
    let mut made =
        newborn(draft, first.scope, Provenance::stated_by(occasion.actor), occasion, Cause::Evolve);
    made.id = how.newborn();
    made.tier = Tier::Procedural;
    for case in cases {
        take_over(&mut made, case.memory);
    }
    let sources: Vec<_> = cases.iter().map(|case| case.memory.id).collect();
    let (number, reason) = (u32::try_from(sources.len()).unwrap_or(u32::MAX), how.reason.trim());
    let told = match reason {
        "" => format!("skill {name}, made of {}", count(number, "procedure")),
        _ => format!("skill {name}, made of {}: {reason}", count(number, "procedure")),
    };
    made.status_change.reason.clone_from(&told);
    Skill { name, description, protected: false, sources: sources.clone() }.put(&mut made);
    let skill = made.id;
    let mut writes = vec![Write::Create { memory: Box::new(made) }];
    for (place, source) in sources.into_iter().enumerate() {
        let relation = Relation::certain(source, RelationKind::InstanceOf, skill, occasion.at);
        writes.push(Write::Relate { relation });
        writes.push(how.row(place, action, source, Some(skill), &told));
    }
    Ok(occasion.changes(Cause::Evolve, writes))
}

/// What a skill has of one of its procedures, beside the words: it matters as
/// much as the weightiest and is trusted no more than the least trusted.
fn take_over(made: &mut Memory, source: &Memory) {
    made.tags.extend(source.tags.iter().cloned());
    made.importance = made.importance.max(source.importance);
    made.confidence = made.confidence.min(source.confidence);
    made.provenance.trust = made.provenance.trust.min(source.provenance.trust);
    let project = &source.provenance.source_project;
    made.provenance.source_project = made.provenance.source_project.take().or_else(|| project.clone());
    source.provenance.evidence.iter().for_each(|turn| take_evidence(made, *turn));
}

/// The steps of the procedures, and what went wrong with them before.
fn written_of(cases: &[Case<'_>]) -> String {
    let mut text = String::from("## Steps\n\n");
    for (place, step) in steps_of(cases).iter().enumerate() {
        text.push_str(&format!("{}. {step}\n", place + 1));
    }
    let went_wrong = mishaps_of(cases);
    if !went_wrong.is_empty() {
        text.push_str("\n## What went wrong before\n\n");
        went_wrong.iter().for_each(|line| text.push_str(&format!("- {line}\n")));
    }
    text
}

/// The longest sequence of commands leads, and the others add what it lacks; a
/// procedure without commands is told in its words.
fn steps_of(cases: &[Case<'_>]) -> Vec<String> {
    let procedures = || cases.iter().map(|case| case.memory).filter(|it| it.kind == Kind::Procedure);
    let mut sequences: Vec<Vec<String>> = procedures().map(commands_of).collect();
    // Those that only mend a command still tell which one it is.
    if sequences.iter().all(Vec::is_empty) {
        sequences.extend(cases.iter().map(|case| commands_of(case.memory)));
    }
    sequences.sort_by_key(|sequence| Reverse(sequence.len()));
    let mut steps: Vec<String> = Vec::new();
    for command in sequences.into_iter().flatten() {
        let step = format!("`{command}`");
        if !steps.contains(&step) {
            steps.push(step);
        }
    }
    let in_words = procedures().filter(|memory| commands_of(memory).is_empty());
    steps.extend(in_words.map(|memory| in_one_line(&memory.content)));
    steps
}

/// What mended a command that failed, and what was noted of uses that failed,
/// the latest first.
fn mishaps_of(cases: &[Case<'_>]) -> Vec<String> {
    let fixes = cases.iter().map(|case| case.memory).filter(|memory| memory.kind == Kind::ErrorFix);
    let mut told: Vec<String> = fixes.map(|memory| in_one_line(&memory.content)).collect();
    let failed = |usage: &&Usage| usage.outcome == Outcome::Failure;
    let mut failures: Vec<&Usage> = cases.iter().flat_map(|case| case.usages).filter(failed).collect();
    failures.sort_by_key(|usage| Reverse(usage.at));
    let notes = failures.into_iter().filter_map(|usage| usage.note.as_deref()).map(in_one_line);
    for note in notes.take(NOTES) {
        if !told.contains(&note) {
            told.push(note);
        }
    }
    told
}
