//! Makes a skill of procedures that are alike.

use super::cluster::{commands_of, is_like, unfit};
use super::search::built_in;
use super::{BadSkill, Skill, SkillName, check_description};
use crate::change::{Cause, Changes, Write};
use crate::dream::Sight;
use crate::evolve::{CannotEvolve, Case, Evolving, Missing, Order, Rule, count, likeness_to, refuse};
use crate::id::MemoryId;
use crate::kind::{Kind, Tier};
use crate::memory::{Memory, Provenance, Relation, RelationKind};
use crate::plan::{Draft, newborn, take_evidence};
use crate::present::in_one_line;
use crate::used::{Outcome, Usage};
use std::cmp::Reverse;

/// A skill is read whole by whoever follows it: in bytes.
const LONGEST: usize = 16_384;
/// So many notes of failures are told.
const NOTES: usize = 5;

/// A skill, with all the procedures that it is made of tied to it (S1). `known`
/// are the skills that are in force in this store. Without a text the steps are
/// those of the procedures.
pub fn plan_induce(
    cases: &[Case<'_>],
    sight: &dyn Sight,
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
    let apart = apart_in(cases, sight);
    for case in cases {
        let id = case.memory.id;
        if apart.contains(&id) {
            lacking.push(Missing::NotAlike(id));
        }
        lacking.extend(unfit(case).map(|why| Missing::Generalizable(id, why)));
        let holder = known.iter().find(|skill| skill.sources.contains(&id));
        lacking.extend(holder.map(|skill| Missing::Instance(id, skill.name.to_string())));
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

/// Those that are not like the others: not like the one of them that the most
/// are like. In whichever order they are named, it is the same.
fn apart_in(cases: &[Case<'_>], sight: &dyn Sight) -> Vec<MemoryId> {
    let ids: Vec<MemoryId> = cases.iter().map(|case| case.memory.id).collect();
    let from = |middle: &Case<'_>| -> Vec<MemoryId> {
        let likeness = likeness_to(middle.memory.id, &ids, sight);
        let others = cases.iter().zip(likeness).filter(|(case, _)| case.memory.id != middle.memory.id);
        let apart = others.filter(|(case, how)| !is_like(middle.memory, case.memory, *how));
        apart.map(|(case, _)| case.memory.id).collect()
    };
    let least = cases.iter().map(|middle| (from(middle), middle.memory.id));
    least.min_by_key(|(apart, middle)| (apart.len(), *middle)).map_or_else(Vec::new, |(apart, _)| apart)
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

/// The steps of the procedures, and what went wrong with them before. What is
/// told in words is one way of doing it, beside the others: as steps, whoever
/// follows them would do the same again and again.
fn written_of(cases: &[Case<'_>]) -> String {
    let steps = steps_of(cases).into_iter().enumerate().map(|(place, step)| format!("{}. {step}", place + 1));
    let bullets = |lines: Vec<String>| lines.into_iter().map(|line| format!("- {line}")).collect();
    let parts: [(&str, Vec<String>); 3] = [
        ("Steps", steps.collect()),
        ("Ways it was done", bullets(ways_of(cases))),
        ("What went wrong before", bullets(mishaps_of(cases))),
    ];
    let told = parts.into_iter().filter(|(_, lines)| !lines.is_empty());
    let told: Vec<String> =
        told.map(|(heading, lines)| format!("## {heading}\n\n{}\n", lines.join("\n"))).collect();
    told.join("\n")
}

/// The longest sequence of commands leads, and the others add what it lacks.
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
    steps
}

/// The procedures without commands, in their words.
fn ways_of(cases: &[Case<'_>]) -> Vec<String> {
    let procedures = cases.iter().map(|case| case.memory).filter(|it| it.kind == Kind::Procedure);
    let in_words = procedures.filter(|memory| commands_of(memory).is_empty());
    in_words.map(|memory| in_one_line(&memory.content)).collect()
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
