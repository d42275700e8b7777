//! Orders about learning from use: how answers served, what was learned, what
//! evolves on its evidence, skills, and what the memory has to tell of itself.

mod feedback;

pub(super) use feedback::{feedback, gone_from};

use super::{Speaker, dream, find, find_own, occasion, of_one_scope, refuse_missing, was_done};
use crate::clock::now;
use crate::house::{OpenStore, Visible};
use crate::serve::Daemon;
use crate::skills::{file_of, is_skill};
use crate::trouble;
use engram_core::dream::{Depth, Step};
use engram_core::evolve::{self, CannotEvolve, Evolving, cases_of, likeness_to};
use engram_core::law::utility_now;
use engram_core::plan::Occasion;
use engram_core::port::CommitError;
use engram_core::skill::{self, OnDisk, Skill, SkillName};
use engram_core::used::Outcome;
use engram_core::{Changes, Memory, MemoryId, OperationId, Provenance, Scope, Span, Timestamp};
use engram_engine::{ChangeError, EvolveError};
use engram_wire::evolution::{
    CandidateLine, Candidates, EvolutionReports, Evolved, FileDone, Reflections, SkillFile, SkillLine,
    SkillState, SkillsFound, StoreEvolution, StoreReflection, UsageHistory,
};
use engram_wire::life::Dreamt;
use engram_wire::message::{
    self, EvolutionCandidates, Evolve, EvolveMerge, EvolveOne, EvolveRefine, InduceSkill, NodeType,
};
use engram_wire::{Context, Fault};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// How a memory was shown is looked up so far back, and in so many recalls.
const SHOWN_FOR: Span = Span::from_hours(180 * 24);
const MOST_RECALLS: usize = 5_000;

/// What lasts of what can be seen: what learns.
fn lasting(visible: &Visible) -> impl Iterator<Item = &Arc<OpenStore>> {
    visible.stores.iter().filter(|store| store.scope() != Scope::Session)
}

pub(super) async fn usage(
    daemon: &Daemon,
    context: &Context,
    name: &str,
    limit: usize,
) -> Result<UsageHistory, Fault> {
    let visible = daemon.house.visible(context).await?;
    let (store, id) = find(&visible, name)?;
    daemon.house.flush_notes().await;
    let (memory, mut usages) = store.shelf.case_of(id).await.map_err(trouble::change)?;
    let at = now();
    let (mut shown, mut ignored) = (0, 0);
    for store in lasting(&visible) {
        let recalls = store.shelf.store().recalls_since(at - SHOWN_FOR, MOST_RECALLS).await;
        for recall in recalls.map_err(|error| trouble::read(&error))? {
            if recall.shown.contains(&id) {
                shown += 1;
                ignored += usize::from(recall.settled_at.is_some() && !recall.used.contains(&id));
            }
        }
    }
    let counted = |wanted: Outcome| {
        u32::try_from(usages.iter().filter(|usage| usage.outcome == wanted).count()).unwrap_or(u32::MAX)
    };
    let (succeeded, failed) = (counted(Outcome::Success), counted(Outcome::Failure));
    let tried = succeeded + failed + counted(Outcome::Partial);
    let utility = utility_now(&memory, at);
    usages.reverse();
    usages.truncate(limit);
    Ok(UsageHistory { memory, utility, tried, succeeded, failed, shown, ignored, usages })
}

/// A dream of the steps that learn from use.
pub(super) async fn run(
    daemon: &Daemon,
    context: &Context,
    order: Evolve,
    speaker: &Speaker,
) -> Result<Dreamt, Fault> {
    const STEPS: [Step; 3] = [Step::Adapt, Step::Evolve, Step::Reflect];
    let Evolve { operation, dry_run, scope, only } = order;
    if let Some(other) = only.iter().find(|step| !STEPS.contains(step)) {
        return Err(Fault::usage(format!("{other} learns nothing from use"))
            .hint(format!("`engram dream --only {other}` does it alone")));
    }
    let only = if only.is_empty() { STEPS.to_vec() } else { only };
    let order = message::Dream { operation, only, depth: None::<Depth>, dry_run, scope };
    dream::dream(daemon, context, order, speaker).await
}

pub(super) async fn report(
    daemon: &Daemon,
    context: &Context,
    since: Option<Timestamp>,
) -> Result<EvolutionReports, Fault> {
    let visible = daemon.house.visible(context).await?;
    refuse_missing(&visible)?;
    let at = now();
    let since = since.unwrap_or(Timestamp::UNIX_EPOCH);
    let mut stores = Vec::new();
    for store in lasting(&visible) {
        let report = store.shelf.evolution_report(since, at).await.map_err(trouble::change)?;
        stores.push(StoreEvolution {
            scope: store.scope(),
            store: store.label(),
            report,
            next: daemon.house.next_evolution(store).await?,
        });
    }
    Ok(EvolutionReports { stores })
}

pub(super) async fn candidates(
    daemon: &Daemon,
    context: &Context,
    order: EvolutionCandidates,
) -> Result<Candidates, Fault> {
    let EvolutionCandidates { criteria, limit, scope } = order;
    let visible = of_one_scope(daemon.house.visible(context).await?, scope);
    refuse_missing(&visible)?;
    let at = now();
    let (mut evaluated, mut lines) = (0, Vec::new());
    for store in lasting(&visible) {
        let (all, found) =
            store.shelf.evolution_candidates(criteria, limit, at).await.map_err(trouble::change)?;
        evaluated += all;
        for candidate in found {
            let memories = store.shelf.store().load(candidate.nodes.clone()).await;
            let memories = memories.map_err(|error| trouble::read(&error))?;
            let text = |id: &MemoryId| memories.iter().find(|memory| memory.id == *id);
            let texts = candidate.nodes.iter().filter_map(text).map(|memory| memory.headline().to_owned());
            lines.push(CandidateLine { scope: store.scope(), texts: texts.collect(), candidate });
        }
    }
    lines.sort_by_key(|line| (line.candidate.priority, line.candidate.utility));
    lines.truncate(limit);
    Ok(Candidates { evaluated, candidates: lines })
}

pub(super) async fn deprecate(
    daemon: &Daemon,
    context: &Context,
    order: EvolveOne,
) -> Result<Evolved, Fault> {
    one(daemon, context, &order, Evolving::Deprecated, evolve::plan_deprecate).await
}

pub(super) async fn archive(daemon: &Daemon, context: &Context, order: EvolveOne) -> Result<Evolved, Fault> {
    one(daemon, context, &order, Evolving::Archived, evolve::plan_archive).await
}

pub(super) async fn refine(
    daemon: &Daemon,
    context: &Context,
    order: EvolveRefine,
) -> Result<Evolved, Fault> {
    refuse_built_in(&order.one.memory)?;
    let settings = daemon.house.settings_for(context, daemon.house.place(context)?.as_ref())?;
    let longest = usize::try_from(settings.number("remember.longest")).unwrap_or(usize::MAX);
    let (held_in, _) = find(&daemon.house.visible(context).await?, &order.one.memory)?;
    let text = daemon.house.kept_unasked(context, held_in.scope(), &order.text)?;
    let provenance = Provenance::stated_by(context.actor);
    one(daemon, context, &order.one, Evolving::Refined, |case, how| {
        evolve::plan_refine(case, &text, longest, provenance, how)
    })
    .await
}

/// What is done to one memory on its own evidence.
async fn one(
    daemon: &Daemon,
    context: &Context,
    order: &EvolveOne,
    action: Evolving,
    plan: impl FnOnce(&evolve::Case<'_>, &evolve::Order<'_>) -> Result<Changes, CannotEvolve>,
) -> Result<Evolved, Fault> {
    refuse_built_in(&order.memory)?;
    let visible = daemon.house.visible(context).await?;
    let (store, id) = find_own(&visible, &order.memory)?;
    let occasion = occasion(context, order.operation);
    let kept = |text: &str| daemon.house.kept_unasked(context, store.scope(), text);
    let reason = kept(&order.reason)?;
    let justification = order.justification.as_deref().map(kept).transpose()?;
    fits(&store, order.node_type, &[id]).await?;
    let done = store
        .shelf
        .evolve(&[id], |loaded, _| {
            let how = how(&reason, justification.as_deref(), occasion);
            let cases = cases_of(loaded, occasion.at);
            plan(&cases[0], &how)
        })
        .await;
    evolved(daemon, &store, order.operation, action, vec![id], done).await
}

fn how<'a>(reason: &'a str, justification: Option<&'a str>, occasion: Occasion) -> evolve::Order<'a> {
    evolve::Order { reason, justification, occasion, number: 0 }
}

/// Whoever says what he takes a memory for must be right.
async fn fits(store: &OpenStore, node_type: Option<NodeType>, ids: &[MemoryId]) -> Result<(), Fault> {
    let Some(node_type) = node_type else { return Ok(()) };
    for id in ids {
        let memory = store.shelf.load(*id).await.map_err(trouble::change)?;
        if !node_type.fits(&memory) {
            return Err(Fault::refused(format!("memory {id} is a {}, not a {node_type}", memory.kind)));
        }
    }
    Ok(())
}

pub(super) async fn merge(daemon: &Daemon, context: &Context, order: EvolveMerge) -> Result<Evolved, Fault> {
    let EvolveMerge { operation, memories, node_type, text, reason, justification } = order;
    let visible = daemon.house.visible(context).await?;
    let (store, ids) = of_one_store(&visible, &memories)?;
    let settings = daemon.house.settings_for(context, visible.place.as_ref())?;
    let longest = usize::try_from(settings.number("remember.longest")).unwrap_or(usize::MAX);
    let kept = |text: &str| daemon.house.kept_unasked(context, store.scope(), text);
    let text = text.as_deref().map(kept).transpose()?;
    let reason = kept(&reason)?;
    let justification = justification.as_deref().map(kept).transpose()?;
    let occasion = occasion(context, operation);
    fits(&store, node_type, &ids).await?;
    let done = store
        .shelf
        .evolve(&ids, |loaded, sight| {
            let how = how(&reason, justification.as_deref(), occasion);
            let cases = cases_of(loaded, occasion.at);
            let kept = evolve::kept_of(&cases).map_or(ids[0], |kept| kept.memory.id);
            let others: Vec<MemoryId> = cases.iter().map(|case| case.memory.id).collect();
            let alike = likeness_to(kept, &others, sight);
            let text = text.clone().unwrap_or_else(|| evolve::merged_text(&cases));
            evolve::plan_merge(&cases, &alike, &text, longest, &how)
        })
        .await;
    evolved(daemon, &store, operation, Evolving::Merged, ids, done).await
}

pub(super) async fn induce(daemon: &Daemon, context: &Context, order: InduceSkill) -> Result<Evolved, Fault> {
    let InduceSkill { operation, memories, name, description, text, scope } = order;
    let name: SkillName = name.parse().map_err(|bad: skill::BadSkill| Fault::usage(bad.to_string()))?;
    let visible = daemon.house.visible(context).await?;
    let (store, ids) = of_one_store(&visible, &memories)?;
    if let Some(scope) = scope.filter(|scope| *scope != store.scope()) {
        return Err(Fault::refused(format!(
            "these procedures are of the {}, and a skill of the {scope} is made of the {scope}'s",
            store.scope()
        ))
        .hint(format!("`engram promote ID --to {scope}` takes one there")));
    }
    let occasion = occasion(context, operation);
    let kept = |text: &str| daemon.house.kept_unasked(context, store.scope(), text);
    let description = kept(&description)?;
    let text = text.as_deref().map(kept).transpose()?;
    let known: Vec<Skill> = store.shelf.skills().iter().filter_map(|memory| Skill::of(memory)).collect();
    let done = store
        .shelf
        .evolve(&ids, |loaded, sight| {
            let how = how("", None, occasion);
            let cases = cases_of(loaded, occasion.at);
            skill::plan_induce(&cases, sight, name, &description, text.as_deref(), &known, &how)
        })
        .await;
    evolved(daemon, &store, operation, Evolving::Induced, ids, done).await
}

/// What comes with the program is no memory that could evolve.
fn refuse_built_in(name: &str) -> Result<(), Fault> {
    if !skill::is_built_in(name) {
        return Ok(());
    }
    let name = name.trim();
    Err(Fault::refused(format!(
        "the skill {name} is built in: it is a text of the program, lies in no store and does not evolve"
    ))
    .hint("it is shown only where somebody looks for skills, and so there is nothing to switch off")
    .hint("a skill of your own that says it otherwise is made with `engram evolve induce`"))
}

/// The memories of these names, which are all in one store.
fn of_one_store(visible: &Visible, names: &[String]) -> Result<(Arc<OpenStore>, Vec<MemoryId>), Fault> {
    let mut found: Option<(Arc<OpenStore>, Vec<MemoryId>)> = None;
    for name in names {
        refuse_built_in(name)?;
        let (store, id) = find_own(visible, name)?;
        match &mut found {
            None => found = Some((store, vec![id])),
            Some((known, ids)) if Arc::ptr_eq(known, &store) => {
                if !ids.contains(&id) {
                    ids.push(id);
                }
            }
            Some((known, _)) => {
                return Err(Fault::refused(format!(
                    "\"{name}\" is of the {} and another of the {}; only memories of one scope go together",
                    store.scope(),
                    known.scope()
                )));
            }
        }
    }
    found.ok_or_else(|| Fault::usage("no memory was named"))
}

/// Words what was done, and lets the files of skills follow.
async fn evolved(
    daemon: &Daemon,
    store: &Arc<OpenStore>,
    operation: OperationId,
    action: Evolving,
    nodes: Vec<MemoryId>,
    done: Result<Vec<Memory>, EvolveError>,
) -> Result<Evolved, Fault> {
    let (memories, already) = match done {
        Ok(memories) => (memories, false),
        Err(EvolveError::Refused(refused)) => return Err(refusal(&refused)),
        Err(EvolveError::Change(ChangeError::Commit(CommitError::AlreadyApplied(_)))) => {
            let memories = was_done(store, operation).await?.map(|(_, memories)| memories);
            (memories.unwrap_or_default(), true)
        }
        Err(EvolveError::Change(error)) => return Err(trouble::change(error)),
    };
    let rows = store.shelf.store().evolved_by(operation).await.map_err(|error| trouble::read(&error))?;
    let row = rows.into_iter().next_back();
    let new = row.as_ref().and_then(|row| row.made);
    let reason = row.map(|row| row.reason).unwrap_or_default();
    let files = files_of(daemon, store, &memories).await;
    let nodes = nodes.into_iter().filter(|id| Some(*id) != new).collect();
    Ok(Evolved { operation, action, nodes, new, memories, reason, files, already })
}

/// What became of the files of the skills among these.
async fn files_of(daemon: &Daemon, store: &Arc<OpenStore>, memories: &[Memory]) -> Vec<SkillFile> {
    let folder = daemon.house.skills_folder(store).ok().flatten().unwrap_or_default();
    let named = memories.iter().filter(|memory| is_skill(memory)).filter_map(|memory| {
        let skill = Skill::of(memory)?;
        Some((memory.id, file_of(&folder, &skill.name)))
    });
    let touched: Vec<(MemoryId, PathBuf)> = named.collect();
    if touched.is_empty() {
        return Vec::new();
    }
    match daemon.house.reconcile_skills(store).await {
        Ok(mut files) => {
            let about = |file: &SkillFile| touched.iter().any(|(_, known)| *known == file.file);
            files.retain(|file| file.done != FileDone::Left || about(file));
            files.extend(daemon.house.left_of(std::slice::from_ref(store), &touched));
            files
        }
        // It is kept, even where its file could not be written.
        Err(fault) => vec![SkillFile { file: folder, done: FileDone::Left, why: Some(fault.message) }],
    }
}

fn refusal(refused: &CannotEvolve) -> Fault {
    match refused {
        CannotEvolve::Evidence { .. } => {
            Fault::refused(refused.to_string()).hint("`engram evolve candidates` shows what has its evidence")
        }
        other => Fault::refused(other.to_string()),
    }
}

/// The answer to one that had been done.
pub(super) async fn evolved_before(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    action: Evolving,
    names: &[String],
) -> Result<Option<Evolved>, Fault> {
    let visible = daemon.house.visible(context).await?;
    for store in &visible.stores {
        if let Some((done, memories)) = was_done(store, operation).await? {
            let nodes = match of_one_store(&visible, names) {
                Ok((_, ids)) => ids,
                Err(_) => done.memories.clone(),
            };
            let evolved = evolved(daemon, store, operation, action, nodes, Ok(memories)).await?;
            return Ok(Some(Evolved { already: true, ..evolved }));
        }
    }
    Ok(None)
}

pub(super) async fn skills(
    daemon: &Daemon,
    context: &Context,
    query: Option<&str>,
    limit: usize,
) -> Result<SkillsFound, Fault> {
    let visible = daemon.house.visible(context).await?;
    refuse_missing(&visible)?;
    let mut known: Vec<Arc<Memory>> = Vec::new();
    let mut homes: Vec<(MemoryId, Arc<OpenStore>)> = Vec::new();
    let (mut on_disk, mut left) = (BTreeMap::new(), Vec::new());
    for store in lasting(&visible) {
        for memory in store.shelf.skills() {
            homes.push((memory.id, store.clone()));
            known.push(memory);
        }
        on_disk.extend(daemon.house.skills_on_disk(store).await?.0);
        left.extend(daemon.house.left_behind(store).await?);
    }
    let mut skills = Vec::new();
    for found in skill::search(query, &known, limit) {
        let home = found.memory.as_ref().and_then(|memory| homes.iter().find(|(id, _)| *id == memory.id));
        let mut line = SkillLine {
            name: found.skill.name.to_string(),
            description: found.skill.description.clone(),
            scope: home.map(|(_, store)| store.scope()),
            memory: found.memory.as_ref().map(|memory| memory.id),
            protected: found.skill.protected,
            utility: None,
            tried: 0,
            failed: 0,
            file: None,
            state: None,
            text: found.text,
        };
        if let Some((id, store)) = home {
            let (memory, usages) = store.shelf.case_of(*id).await.map_err(trouble::change)?;
            let case = evolve::Case::of(&memory, &usages, now());
            (line.utility, line.tried, line.failed) = (Some(case.utility), case.tried(), case.failures());
            let folder = daemon.house.skills_folder(store)?;
            line.file = folder.map(|folder| file_of(&folder, &found.skill.name));
            line.state = on_disk.get(id).map(state_of);
        }
        skills.push(line);
    }
    Ok(SkillsFound { skills, left })
}

const fn state_of(lies: &OnDisk) -> SkillState {
    match lies {
        OnDisk::Absent => SkillState::Missing,
        OnDisk::Removed => SkillState::RemovedByHand,
        OnDisk::Ours { .. } => SkillState::AsWritten,
        OnDisk::Edited => SkillState::Edited,
        OnDisk::Foreign => SkillState::Foreign,
    }
}

pub(super) async fn reflections(
    daemon: &Daemon,
    context: &Context,
    limit: usize,
    all: bool,
) -> Result<Reflections, Fault> {
    let visible = daemon.house.visible(context).await?;
    refuse_missing(&visible)?;
    let failed = |error| trouble::read(&error);
    let mut stores = Vec::new();
    for store in lasting(&visible) {
        let mut insights = store.shelf.store().load_insights().await.map_err(failed)?;
        insights.retain(|insight| all || insight.closed_at.is_none());
        insights.sort_by_key(|insight| std::cmp::Reverse(insight.last_seen_at));
        insights.truncate(limit);
        let reflections = store.shelf.store().latest_reflections(limit).await.map_err(failed)?;
        stores.push(StoreReflection { scope: store.scope(), store: store.label(), insights, reflections });
    }
    Ok(Reflections { stores })
}
