//! Which procedures belong together and could make a skill.

use super::search::built_in;
use super::{Skill, SkillName};
use crate::evolve::{Case, Ground, Rule, short};
use crate::form::pieces::ticks;
use crate::id::MemoryId;
use crate::kind::{Kind, Scope};
use crate::memory::{Memory, RelationKind};
use crate::present::in_one_line;
use crate::status::Status;
use crate::unit::Similarity;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Procedures that could make one skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcedureCluster {
    /// What the skill could be called.
    pub name: SkillName,
    /// When it would be used.
    pub trigger: String,
    /// The first is the one that the others are like.
    pub members: Vec<MemoryId>,
    pub why: String,
}

/// From here on two procedures are alike, if no command tells it.
pub(super) const ALIKE: f64 = 0.75;
/// Whose words become an order must be trusted as an assistant is at least.
const TRUSTED: f64 = 0.7;
/// What serves worse than this is to be mended first (S1, refine).
const SERVES: f64 = 0.3;
/// So many procedures are looked at, those that changed last,
const LOOKED_AT: usize = 500;
/// and so many of their neighbours.
const NEIGHBOURS: usize = 50;
/// A skill of more than this says nothing any more.
const LARGEST: usize = 20;

/// The groups of procedures that belong to no skill yet, the largest first.
pub fn procedure_clusters(ground: &Ground<'_>) -> Vec<ProcedureCluster> {
    let linked: BTreeSet<MemoryId> = ground
        .edges
        .iter()
        .filter(|edge| edge.kind == RelationKind::InstanceOf)
        .map(|edge| edge.from)
        .collect();
    let fit = |memory: &&Memory| !linked.contains(&memory.id) && unfit(&ground.case(memory)).is_none();
    let mut free: Vec<&Memory> = ground.open().map(|memory| &**memory).filter(fit).collect();
    free.sort_by_key(|memory| Reverse((memory.updated_at, memory.id)));
    free.truncate(LOOKED_AT);
    free.sort_by_key(|memory| memory.id);
    let mut groups: Vec<(Vec<&Memory>, Option<String>)> = Vec::new();
    while let Some((seed, rest)) = free.split_first() {
        let near = ground.sight.near(seed.id, NEIGHBOURS);
        let like = |other: &Memory| near.iter().any(|(id, how)| *id == other.id && how.get() >= ALIKE);
        let (mut members, others): (Vec<&Memory>, Vec<&Memory>) =
            rest.iter().copied().partition(|other| share_a_command(seed, other) || like(other));
        members.truncate(LARGEST - 1);
        members.insert(0, seed);
        if members.len() < Rule::of(crate::evolve::Evolving::Induced).sources {
            free = rest.to_vec();
            continue;
        }
        let run = commands_of(seed);
        let shared = |command: &&String| {
            members.iter().filter(|member| commands_of(member).contains(command)).count() == members.len()
        };
        let command = run.iter().find(shared).cloned();
        free = others;
        groups.push((members, command));
    }
    groups.sort_by_key(|(members, _)| Reverse(members.len()));
    named(ground, groups)
}

/// Gives each group a name that no other skill has.
fn named(ground: &Ground<'_>, groups: Vec<(Vec<&Memory>, Option<String>)>) -> Vec<ProcedureCluster> {
    let mut taken: BTreeSet<SkillName> = built_in().into_iter().map(|found| found.skill.name).collect();
    taken.extend(ground.memories.values().filter_map(|memory| Skill::of(memory)).map(|skill| skill.name));
    let cluster = |(members, command): (Vec<&Memory>, Option<String>)| {
        let (why, words) = match &command {
            Some(command) => (format!("{} procedures run `{command}`", members.len()), command.clone()),
            None => (format!("{} procedures are alike", members.len()), members[0].headline().to_owned()),
        };
        let trigger = match command {
            Some(command) => format!("Use when running `{}`, for what belongs to it.", in_one_line(&command)),
            None => format!("Use for what is like this: {}", in_one_line(members[0].headline())),
        };
        let first = short_name(&words)?;
        let free = std::iter::once(first.clone()).chain((2..).map_while(|number| first.numbered(number)));
        let name = free.into_iter().find(|name| !taken.contains(name))?;
        taken.insert(name.clone());
        let members = members.iter().map(|memory| memory.id).collect();
        Some(ProcedureCluster { name, trigger: trigger.replace(['<', '>', '‹'], ""), members, why })
    };
    groups.into_iter().filter_map(cluster).collect()
}

/// A name has so many words.
const NAME_WORDS: usize = 4;

fn short_name(words: &str) -> Option<SkillName> {
    let few = words.split_whitespace().take(NAME_WORDS).collect::<Vec<_>>().join(" ");
    SkillName::of_words(&few).or_else(|| SkillName::of_words(&format!("run {few}")))
}

/// Why a procedure does not hold beyond its occasion.
pub(super) fn unfit(case: &Case<'_>) -> Option<String> {
    let memory = case.memory;
    if Skill::of(memory).is_some() {
        return Some("is a skill itself".to_owned());
    }
    if !matches!(memory.kind, Kind::Procedure | Kind::ErrorFix) {
        return Some(format!("is of the kind {}, which tells no steps", memory.kind));
    }
    if !memory.status.is_current() || memory.status == Status::Challenged {
        return Some(format!("is {}", memory.status));
    }
    if memory.provenance.trust.get() < TRUSTED {
        let trust = short(memory.provenance.trust.get());
        return Some(format!("is trusted with {trust}, and an order wants {}", short(TRUSTED)));
    }
    if case.utility.get() < SERVES {
        return Some(format!("serves badly: {}", case.evidence()));
    }
    // What names a file or a host is of use in its own project only.
    let elsewhere = memory.scope == Scope::User;
    let named = crate::dream::is_project_specific(&memory.content, &[]).filter(|_| elsewhere)?;
    Some(format!("names {named}, which belongs to one project"))
}

/// Whether two procedures are of one sort: the same program leads them, and they
/// have a command in common.
pub(super) fn share_a_command(one: &Memory, other: &Memory) -> bool {
    let (ours, theirs) = (commands_of(one), commands_of(other));
    let program = |commands: &[String]| Some(commands.first()?.split(' ').next()?.to_owned());
    program(&ours).is_some()
        && program(&ours) == program(&theirs)
        && ours.iter().any(|command| theirs.contains(command))
}

/// Whether a procedure is like the one that a skill begins with.
pub(super) fn is_like(first: &Memory, other: &Memory, similarity: Similarity) -> bool {
    similarity.get() >= ALIKE || share_a_command(first, other)
}

/// The commands that a procedure tells to run, in their order: as they were
/// observed, or as its text quotes them.
pub(crate) fn commands_of(memory: &Memory) -> Vec<String> {
    let observed = memory.structured.as_ref().and_then(|came| came.get("commands")?.as_array());
    match observed {
        Some(observed) => observed.iter().filter_map(|command| command.as_str()).map(str::to_owned).collect(),
        None => quoted_in(&memory.content),
    }
}

/// What stands in single ticks and has a blank in it: a lone word is a name.
fn quoted_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        rest = &rest[start..];
        let Some(length) = ticks(rest) else { break };
        let inner = rest[..length].trim_matches('`');
        if length == inner.len() + 2 && inner.trim().contains(' ') {
            found.push(inner.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        rest = &rest[length..];
    }
    found
}
