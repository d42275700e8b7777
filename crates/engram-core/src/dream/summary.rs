//! Texts that a dream makes of several memories, and what is honest about them:
//! each says how it was made, and stays tied to what it was made of.

use super::Step;
use super::night::{Made, Night, StepPlan};
use super::note::{Awaiting, ConsolidationLogged, ConsolidationMethod, Note};
use crate::change::{Cause, Changes, Write};
use crate::claim::{Bearing, compare};
use crate::id::MemoryId;
use crate::kind::{Class, Kind};
use crate::memory::{Memory, WriteSource};
use crate::plan::{CannotChange, Draft, Occasion};
use crate::present::shortened;
use crate::skill::Skill;
use crate::status::Status;
use crate::unit::Importance;
use crate::words::words;
use jiff::SignedDuration;
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

words! {
    /// How a summary was made.
    pub enum SummaryMethod ("summary method") {
        /// Sentences of the sources, word for word.
        Extractive = "extractive",
        /// Written by the configured language model.
        Model = "model",
        /// Written by an agent that was asked to.
        Agent = "agent",
    }
}

const METHOD: &str = "method";
const TOPIC: &str = "topic";
const SOURCES: &str = "sources";
const CATEGORY: &str = "category";

impl SummaryMethod {
    /// As a summary keeps it beside its text.
    pub(super) fn structured(self, topic: &str) -> Map<String, Value> {
        let fields = [(METHOD, json!(self.as_str())), (TOPIC, json!(topic))];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Whether a memory was made by a dream to stand for others.
pub fn is_summary_of(memory: &Memory) -> bool {
    memory.provenance.write_source == WriteSource::Dream
        && memory.structured.as_ref().is_some_and(|kept| kept.contains_key(METHOD))
}

/// The memories that a dream made this one of, or that it is a skill of. It keeps
/// their names itself: an edge may go, and whoever purges one of them must find
/// what repeats it.
pub fn made_of(memory: &Memory) -> Vec<MemoryId> {
    if let Some(skill) = Skill::of(memory) {
        return skill.sources;
    }
    let sources = memory.structured.as_ref().and_then(|kept| kept.get(SOURCES)?.as_array());
    let dreamt = memory.provenance.write_source == WriteSource::Dream;
    let names = sources.filter(|_| dreamt).into_iter().flatten().filter_map(Value::as_str);
    names.filter_map(|name| name.parse().ok()).collect()
}

pub(super) fn set_sources(memory: &mut Memory, sources: &[MemoryId]) {
    let names = sources.iter().map(ToString::to_string).collect::<Vec<_>>();
    memory.structured.get_or_insert_default().insert(SOURCES.to_owned(), json!(names));
}

/// A summary is not longer than this, in characters.
const LONGEST: usize = 900;

/// The texts of these memories, word for word: the weightiest first, none that
/// another one says already, and of two that contradict each other the newer.
pub fn extract(topic: &str, sources: &[Arc<Memory>]) -> String {
    let mut newest: Vec<&Memory> = sources.iter().map(|memory| &**memory).collect();
    newest.sort_by_key(|memory| Reverse((memory.validity.valid_from, memory.id)));
    let mut said: Vec<&Memory> = Vec::new();
    for memory in newest {
        let bearings: Vec<Bearing> =
            said.iter().map(|newer| compare(&memory.content, &newer.content)).collect();
        let known =
            |bearing: &Bearing| matches!(bearing, Bearing::Same | Bearing::Adds | Bearing::Contradicts(_));
        if bearings.iter().any(known) {
            continue;
        }
        // The older one says all of a newer, and more.
        let mut bearings = bearings.iter();
        said.retain(|_| bearings.next() != Some(&Bearing::Contained));
        said.push(memory);
    }
    said.sort_by_key(|memory| Reverse((memory.importance, memory.validity.valid_from, memory.id)));
    let mut text = format!("{topic}, extracted from {} memories:", sources.len());
    let mut room = LONGEST.saturating_sub(text.chars().count());
    for memory in said {
        let whole = memory.content.split_whitespace().collect::<Vec<_>>().join(" ");
        // What is too long for the whole is begun, and shows that it goes on.
        let forms = [whole.clone(), shortened(&whole)];
        let fitting =
            forms.iter().map(|form| format!("\n- {form}")).find(|line| line.chars().count() <= room);
        if let Some(line) = fitting {
            room -= line.chars().count();
            text.push_str(&line);
        }
    }
    text
}

/// A kind with so many memories has a summary of its own,
const CROWDED: usize = 10;
/// which is made again no sooner than this.
const APART: SignedDuration = SignedDuration::from_secs(60);
/// It names so many of the weightiest.
const NAMED: usize = 10;
const SUMMARY_IMPORTANCE: f64 = 0.8;

/// The summary of each kind that has many memories, brought up to date in its
/// place. One that somebody put away is not made again.
pub fn plan_summaries(night: &mut Night<'_>) -> StepPlan {
    let mut plan = StepPlan::new(Step::Summarise);
    let current = night.current();
    for kind in Kind::ALL.iter().copied().filter(|kind| kind.class() != Class::Narrative) {
        let mut of_kind: Vec<&Arc<Memory>> = current
            .iter()
            .filter(|memory| memory.kind == kind && memory.status != Status::Challenged)
            .filter(|memory| memory.provenance.write_source != WriteSource::Dream)
            .collect();
        plan.looked_at += of_kind.len();
        let of_them = night.memories.values().filter(|memory| category_of(memory) == Some(kind));
        let known = of_them.max_by_key(|memory| (memory.status.is_current(), memory.id)).cloned();
        if of_kind.len() < CROWDED {
            continue;
        }
        let count = of_kind.len();
        of_kind.sort_by_key(|memory| Reverse((night.living(memory), memory.id)));
        of_kind.truncate(NAMED);
        let weightiest: Vec<Arc<Memory>> = of_kind.into_iter().cloned().collect();
        let sources: Vec<MemoryId> = weightiest.iter().map(|memory| memory.id).collect();
        let text = extract(&format!("{kind}: the weightiest of {count}"), &weightiest);
        match known {
            Some(known) if known.content == text || !known.status.is_current() => {}
            Some(known) if night.at.duration_since(known.updated_at) < APART => {}
            Some(known) => update(night, &mut plan, &known, text, &sources),
            None => {
                let mut structured = SummaryMethod::Extractive.structured(kind.as_str());
                structured.insert(CATEGORY.to_owned(), json!(kind.as_str()));
                let made = Made {
                    kind: Kind::Summary,
                    content: text,
                    tags: BTreeSet::new(),
                    structured,
                    importance: Importance::clamped(SUMMARY_IMPORTANCE),
                    reason: format!("{count} memories of the kind {kind}, extractive"),
                    told: "summed up",
                };
                night.give_birth(&mut plan, made, &sources);
            }
        }
    }
    plan
}

/// The kind whose memories this one sums up.
pub(super) fn category_of(memory: &Memory) -> Option<Kind> {
    let kept = memory.structured.as_ref().filter(|_| is_summary_of(memory))?;
    kept.get(CATEGORY)?.as_str()?.parse().ok()
}

fn update(night: &mut Night<'_>, plan: &mut StepPlan, known: &Memory, text: String, sources: &[MemoryId]) {
    let (id, at) = (known.id, night.at);
    let done = night.rewrite(plan, id, |memory| {
        memory.content = text;
        memory.updated_at = at;
        set_sources(memory, sources);
    });
    if done {
        plan.tell(id, "brought up to date", "what it sums up has changed");
        night.make_of(plan, id, sources);
    }
}

/// What a pattern matters.
const PATTERN_IMPORTANCE: f64 = 0.85;

/// Patterns that a model saw in what was summed up: each with what it was seen
/// in. `why_none` tells why there are none.
pub fn plan_patterns(
    night: &mut Night<'_>,
    seen: &[(String, Vec<MemoryId>)],
    why_none: Option<String>,
) -> StepPlan {
    if let Some(why) = why_none {
        return StepPlan::skipped(Step::Abstract, why);
    }
    let mut plan = StepPlan::new(Step::Abstract);
    for (text, sources) in seen {
        plan.looked_at += sources.len();
        let made = Made {
            kind: Kind::Pattern,
            content: text.clone(),
            tags: BTreeSet::new(),
            structured: SummaryMethod::Model.structured("pattern"),
            importance: Importance::clamped(PATTERN_IMPORTANCE),
            reason: format!("seen in {} memories by the language model", sources.len()),
            told: "pattern",
        };
        night.give_birth(&mut plan, made, sources);
    }
    plan
}

/// Somebody sums up what was only extracted: the summary says it in his words.
pub fn plan_submitted(
    awaiting: &Awaiting,
    summary: &Memory,
    text: &str,
    longest: usize,
    occasion: Occasion,
) -> Result<Changes, CannotChange> {
    let draft = Draft::parse(text, longest)?;
    if summary.immutable {
        return Err(CannotChange::Immutable(summary.id));
    }
    if !summary.status.is_current() {
        return Err(CannotChange::Already { id: summary.id, status: summary.status });
    }
    let mut after = summary.clone();
    after.content = draft.content;
    let kept = after.structured.get_or_insert_default();
    kept.insert(METHOD.to_owned(), json!(SummaryMethod::Agent.as_str()));
    after.updated_at = occasion.at;
    after.revision += 1;
    let done = Awaiting { done_at: Some(occasion.at), ..awaiting.clone() };
    let logged = ConsolidationLogged {
        operation: occasion.operation,
        number: 0,
        method: ConsolidationMethod::SummarizeCluster,
        sources: awaiting.sources.clone(),
        results: vec![summary.id],
        at: occasion.at,
    };
    let writes = vec![
        Write::Replace { before: Box::new(summary.clone()), after: Box::new(after) },
        Write::Note { note: Box::new(Note::Awaiting(done)) },
        Write::Note { note: Box::new(Note::Consolidated(logged)) },
    ];
    let Occasion { operation, actor, at, .. } = occasion;
    Ok(Changes { operation, cause: Cause::Consolidate, actor, at, undoes: None, part_of: None, writes })
}
