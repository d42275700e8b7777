//! What of several stores is a subject's, decided over all of them at once: a
//! memory goes up under its own name, and dreams make one of several.

use super::{Names, Traces, any_string, is_theirs};
use crate::dream::made_of;
use crate::id::{EntityId, MemoryId, ProjectKey, TurnId};
use crate::link::{KnownEntity, Mention};
use crate::memory::Memory;
use crate::turn::Turn;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Whose text is to go.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// Of a person. Empty: it is a project.
    pub names: Names,
    /// Also what only names them.
    pub mentions: bool,
    pub project: Option<ProjectKey>,
}

/// What one store holds.
#[derive(Debug, Clone, Default)]
pub struct Sight {
    /// All of it is the subject's: it is the project's own store, or a session's
    /// in it.
    pub whole: bool,
    pub memories: Vec<Memory>,
    pub turns: Vec<Turn>,
    pub entities: Vec<KnownEntity>,
    pub mentions: Vec<Mention>,
    /// The former states that its log keeps.
    pub log: Vec<Value>,
}

/// What is the subject's, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Theirs {
    pub memories: BTreeSet<MemoryId>,
    pub turns: BTreeSet<TurnId>,
    pub entities: BTreeSet<EntityId>,
}

/// What is to go, and how its words are found.
#[derive(Debug, Clone, Default)]
pub struct ErasePlan {
    pub theirs: Theirs,
    pub traces: Traces,
    /// What a person is called, with the other names that were found.
    pub names: Names,
    /// So many of the texts are in what stays, too, and leave no trace.
    pub said_by_others: usize,
}

impl ErasePlan {
    /// What stays in these stores is no trace either.
    pub fn spare(&mut self, sights: &[Sight], wanted: &Wanted) {
        let copies = self.traces.clone();
        let Self { theirs, traces, .. } = self;
        each_text(sights, wanted, theirs, &copies, &mut |text, is_theirs| {
            if !is_theirs {
                traces.spare(text);
            }
        });
        traces.settle();
    }
}

/// Decides what goes. `known` is what an earlier look decided; `stays` are texts
/// besides those of the stores that say nothing of the subject: folders, settings.
pub fn plan_erase(sights: &[Sight], wanted: &Wanted, known: &Theirs, stays: &[String]) -> ErasePlan {
    let mut wanted = wanted.clone();
    let mut theirs = known.clone();
    find_entities(sights, &mut wanted, &mut theirs);
    find_said(sights, &wanted, &mut theirs);
    follow(sights, &wanted, &mut theirs);
    let mut copies = texts_of(sights, &wanted, &theirs, &Traces::default());
    copies.settle();
    find_copies(sights, &copies, &mut theirs);
    follow(sights, &wanted, &mut theirs);
    let mut traces = texts_of(sights, &wanted, &theirs, &copies);
    each_text(sights, &wanted, &theirs, &copies, &mut |text, is_theirs| {
        if !is_theirs {
            traces.spare(text);
        }
    });
    stays.iter().for_each(|text| traces.spare(text));
    traces.settle();
    let mut said_by_others = 0;
    each_text(sights, &wanted, &theirs, &copies, &mut |text, is_theirs| {
        said_by_others += usize::from(is_theirs && copies.in_text(text) && !traces.in_text(text));
    });
    ErasePlan { theirs, traces, names: wanted.names, said_by_others }
}

/// Where a person is meant with all that names them, their other names count too.
fn find_entities(sights: &[Sight], wanted: &mut Wanted, theirs: &mut Theirs) {
    if !wanted.mentions {
        return;
    }
    let known = sights.iter().flat_map(|sight| &sight.entities);
    let spellings = |entity: &KnownEntity| {
        [&entity.name, &entity.written].into_iter().chain(&entity.aliases).cloned().collect::<Vec<_>>()
    };
    let meant: Vec<&KnownEntity> =
        known.filter(|entity| spellings(entity).iter().any(|name| wanted.names.is(name))).collect();
    theirs.entities.extend(meant.iter().map(|entity| entity.id));
    wanted.names.extend(meant.into_iter().flat_map(spellings));
}

/// What was said by them, or names them.
fn find_said(sights: &[Sight], wanted: &Wanted, theirs: &mut Theirs) {
    let names = |text: &str| wanted.mentions && wanted.names.stands_in(text);
    for sight in sights {
        for memory in &sight.memories {
            let from = &memory.provenance;
            let said = from.speaker.as_deref().is_some_and(|speaker| wanted.names.is(speaker))
                || from.source_project.is_some() && from.source_project == wanted.project;
            let texts = [Some(&memory.content), memory.summary.as_ref(), memory.domain.as_ref()];
            let named = || {
                texts.into_iter().flatten().chain(&memory.tags).any(|text| names(text))
                    || memory.structured.iter().flat_map(|it| it.values()).any(|it| any_string(it, &names))
            };
            if sight.whole || said || named() {
                theirs.memories.insert(memory.id);
            }
        }
        for turn in &sight.turns {
            let said = turn.speaker.as_deref().is_some_and(|speaker| wanted.names.is(speaker));
            let tool = turn.tool.as_ref();
            let named = || {
                names(&turn.content)
                    || tool.is_some_and(|tool| tool.arguments.values().any(|it| any_string(it, &names)))
                    || tool.and_then(|tool| tool.result_summary.as_deref()).is_some_and(names)
            };
            if sight.whole || said || named() {
                theirs.turns.insert(turn.id);
            }
        }
        let named = sight.mentions.iter().filter(|mention| theirs.entities.contains(&mention.entity));
        let named: Vec<MemoryId> = named.map(|mention| mention.memory).collect();
        theirs.memories.extend(named);
    }
}

/// What was made of their words, and what a project's memories were made of. A
/// turn that somebody else is known to have said stays that person's.
fn follow(sights: &[Sight], wanted: &Wanted, theirs: &mut Theirs) {
    let speakers: BTreeMap<TurnId, bool> = sights
        .iter()
        .flat_map(|sight| &sight.turns)
        .map(|turn| (turn.id, turn.speaker.as_deref().is_some_and(|name| wanted.names.is(name))))
        .collect();
    loop {
        let before = theirs.memories.len() + theirs.turns.len();
        for memory in sights.iter().flat_map(|sight| &sight.memories) {
            let from = &memory.provenance;
            let made = from.evidence.iter().any(|turn| theirs.turns.contains(turn))
                || made_of(memory).iter().any(|source| theirs.memories.contains(source))
                || from.promotion_chain.iter().any(|step| theirs.memories.contains(&step.memory_id));
            if made {
                theirs.memories.insert(memory.id);
            }
            if theirs.memories.contains(&memory.id) {
                let said = |turn: &&TurnId| wanted.project.is_some() || speakers.get(turn) == Some(&true);
                theirs.turns.extend(from.evidence.iter().filter(said));
            }
        }
        if theirs.memories.len() + theirs.turns.len() == before {
            return;
        }
    }
}

/// What hardly says anything but their words, unless somebody else is named.
fn find_copies(sights: &[Sight], copies: &Traces, theirs: &mut Theirs) {
    for sight in sights {
        for memory in &sight.memories {
            if memory.provenance.speaker.is_none() && copies.make_up(&memory.content) {
                theirs.memories.insert(memory.id);
            }
        }
        for turn in &sight.turns {
            if turn.speaker.is_none() && copies.make_up(&turn.content) {
                theirs.turns.insert(turn.id);
            }
        }
    }
}

fn texts_of(sights: &[Sight], wanted: &Wanted, theirs: &Theirs, copies: &Traces) -> Traces {
    let mut traces = Traces::default();
    each_text(sights, wanted, theirs, copies, &mut |text, is_theirs| {
        if is_theirs {
            traces.add(text);
        }
    });
    if wanted.mentions {
        wanted.names.iter().for_each(|name| traces.add(name));
    }
    traces
}

/// Every text of the stores, and whether it is the subject's. What the log keeps
/// of something that is no more is known by its words alone.
fn each_text(
    sights: &[Sight],
    wanted: &Wanted,
    theirs: &Theirs,
    copies: &Traces,
    take: &mut dyn FnMut(&str, bool),
) {
    for sight in sights {
        for memory in &sight.memories {
            let is_theirs = theirs.memories.contains(&memory.id);
            texts_in(memory).for_each(|text| take(text, is_theirs));
        }
        for turn in &sight.turns {
            let is_theirs = theirs.turns.contains(&turn.id);
            texts_said(turn).for_each(|text| take(&text, is_theirs));
        }
        for former in sight.log.iter().flat_map(states_in) {
            let text_of = |name: &str| former.get(name).and_then(Value::as_str);
            let id = text_of("id").unwrap_or_default();
            let known = id.parse().is_ok_and(|id| theirs.memories.contains(&id))
                || id.parse().is_ok_and(|id| theirs.turns.contains(&id));
            let said = || is_theirs(&Value::Object(former.clone()), &wanted.names, wanted.project.as_ref());
            let copied = || {
                text_of("speaker").is_none() && text_of("content").is_some_and(|text| copies.make_up(text))
            };
            let is_theirs = sight.whole || known || said() || copied();
            ["content", "summary"].into_iter().filter_map(text_of).for_each(|text| take(text, is_theirs));
        }
    }
}

/// The memories and turns that stand in a log entry.
fn states_in(value: &Value) -> Vec<&Map<String, Value>> {
    match value {
        Value::Object(fields) if fields.contains_key("content") => vec![fields],
        Value::Object(fields) => fields.values().flat_map(states_in).collect(),
        Value::Array(values) => values.iter().flat_map(states_in).collect(),
        _ => Vec::new(),
    }
}

fn texts_in(memory: &Memory) -> impl Iterator<Item = &str> {
    let structured = memory.structured.iter().flat_map(|fields| fields.values().flat_map(sentences));
    [Some(memory.content.as_str()), memory.summary.as_deref()].into_iter().flatten().chain(structured)
}

fn texts_said(turn: &Turn) -> impl Iterator<Item = String> {
    let tool = turn.tool.iter().flat_map(|tool| {
        let answered = tool.result_summary.as_deref();
        tool.arguments.values().flat_map(sentences).chain(answered).map(str::to_owned).collect::<Vec<_>>()
    });
    std::iter::once(turn.content.clone()).chain(tool)
}

/// The strings that somebody may have said: a name or a path is none.
fn sentences(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) if text.trim().contains(char::is_whitespace) => vec![text],
        Value::Array(values) => values.iter().flat_map(sentences).collect(),
        Value::Object(fields) => fields.values().flat_map(sentences).collect(),
        _ => Vec::new(),
    }
}
