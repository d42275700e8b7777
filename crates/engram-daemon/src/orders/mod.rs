//! From an order to its answer: finds the stores, asks the engine, words the
//! result.
//!
//! Each order is obeyed in one place. What a request may see is decided by
//! `House::visible`, nowhere else.

mod capture;
mod change;
mod dream;
mod entity;
mod evolve;
mod hook;
mod look;
mod models;
mod move_in_out;
mod reindex;
mod said;
mod session;
mod team;
mod weights;
mod window;

pub(crate) use weights::learning_state;

use crate::bus::{Bus, Whose};
use crate::clock::now;
use crate::house::{House, OpenStore, Visible};
use crate::serve::Daemon;
use crate::{backup, doctor, erase, trouble, watching};
use engram_core::evolve::Evolving;
use engram_core::plan::Occasion;
use engram_core::{Cause, Memory, MemoryId, Operation, OperationId, Scope};
use engram_store::SessionStatus;
use engram_wire::evolution::{FileDone, SkillFile};
use engram_wire::reply::{Changed, Progress, Stopping};
use engram_wire::{Answer, Context, Fault, Order, Request};
use said::{Doing, refuse_other, takes_long};
use serde::Serialize;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;

/// So often somebody who waits is told that it goes on.
const REASSURING: Duration = Duration::from_secs(1);

/// What is said while an order is being obeyed.
pub(crate) struct Speaker {
    asker: Option<mpsc::Sender<Answer>>,
    /// Where everybody hears of it.
    bus: Option<(Arc<Bus>, Whose)>,
    /// How often something was said.
    said: AtomicU64,
}

impl Speaker {
    pub(crate) fn pair() -> (Self, mpsc::Receiver<Answer>) {
        let (sender, receiver) = mpsc::channel(64);
        (Self { asker: Some(sender), bus: None, said: AtomicU64::new(0) }, receiver)
    }

    /// For orders that nobody listens to.
    pub(crate) const fn silent() -> Self {
        Self { asker: None, bus: None, said: AtomicU64::new(0) }
    }

    /// The same, and everybody hears how far it has come.
    fn aloud(&self, house: &House, context: &Context) -> Self {
        let bus = Some((house.bus.clone(), house.asker(context)));
        Self { asker: self.asker.clone(), bus, said: AtomicU64::new(0) }
    }

    pub(crate) async fn progress(&self, what: &str, done: u64, total: Option<u64>) {
        if let Some((bus, whose)) = &self.bus {
            bus.work(whose.clone(), what, done, total);
        }
        self.say(Answer::Progress(Progress { what: what.to_owned(), done, total })).await;
    }

    pub(crate) async fn line(&self, line: String) {
        self.say(Answer::Line { line }).await;
    }

    /// Whoever waits while somebody else is asked, or a disk is busy, hears now and
    /// then that it goes on, and does not take the daemon for gone. Work that tells
    /// of itself is not talked over.
    async fn reassuring<T>(
        &self,
        every: Duration,
        telling: impl Fn(Duration) -> (&'static str, u64, Option<u64>),
        work: impl Future<Output = T>,
    ) -> T {
        let mut work = std::pin::pin!(work);
        let mut waited = Duration::ZERO;
        loop {
            let said = self.said.load(Ordering::Relaxed);
            tokio::select! {
                outcome = &mut work => return outcome,
                () = tokio::time::sleep(every) => {}
            }
            waited += every;
            if self.said.load(Ordering::Relaxed) == said {
                let (what, done, total) = telling(waited);
                self.progress(what, done, total).await;
            }
        }
    }

    async fn say(&self, answer: Answer) {
        self.said.fetch_add(1, Ordering::Relaxed);
        if let Some(sender) = &self.asker {
            // The listener may have gone; the work goes on.
            let _ = sender.send(answer).await;
        }
    }
}

pub(crate) async fn obey(daemon: &Daemon, request: Request, speaker: &Speaker) -> Result<Value, Fault> {
    let Request { context, order } = request;
    daemon.house.authorise(&context, &order)?;
    let doing = Doing::of(&order);
    let aloud = takes_long(&order).then(|| speaker.aloud(&daemon.house, &context));
    let reply = carry_out(daemon, &context, order, aloud.as_ref().unwrap_or(speaker)).await?;
    if let Some(doing) = doing {
        daemon.house.say_changed(&context, doing, &reply);
    }
    Ok(reply)
}

async fn carry_out(
    daemon: &Daemon,
    context: &Context,
    order: Order,
    speaker: &Speaker,
) -> Result<Value, Fault> {
    match order {
        // This looks at nothing but what was said.
        Order::Activity { limit, all } => value(watching::lately(daemon, context, limit, all)?),
        // These want the house for themselves.
        Order::Restore { file, identity } => {
            value(backup::restore(daemon, context, &file, identity.as_deref(), speaker).await?)
        }
        Order::Erase(order) => value(erase::erase(daemon, context, order, speaker).await?),
        // This looks into no store.
        Order::OpenSealed { file, identity } => {
            value(move_in_out::open_sealed(daemon, context, &file, identity.as_deref(), speaker).await?)
        }
        Order::Forget { operation, memories, purge: true } => {
            let before = {
                let _gate = daemon.house.gate.read().await;
                skill_files(daemon, context).await
            };
            let purged = change::purge(daemon, context, operation, &memories).await?;
            let _gate = daemon.house.gate.read().await;
            let files = follow_skills(daemon, context, &before).await;
            value(Changed { files, ..purged })
        }
        // A download may take long, and needs no store.
        Order::ModelInstall { name, from, unverified } => {
            value(models::install(daemon, name, from, unverified, speaker).await?)
        }
        // This may take hours, and lets others in between.
        Order::Reindex { all_projects, again } => {
            value(reindex::reindex(daemon, context, all_projects, again, speaker).await?)
        }
        // These let others in between their parts.
        Order::Dream(order) => value(dream::dream(daemon, context, order, speaker).await?),
        Order::Evolve(order) => value(evolve::run(daemon, context, order, speaker).await?),
        // This one wants the house for itself, too.
        Order::Compact => value(dream::compact(daemon, context, speaker).await?),
        // The team's server may take its time; whoever waits for it does not hold
        // the gate.
        Order::Team(order) => team::obey_outside(daemon, context, *order, speaker).await,
        // This one waits for its listener, and must not keep the house meanwhile.
        Order::Export { scopes, no_history, sealed } => {
            value(move_in_out::export(daemon, context, &scopes, !no_history, sealed, speaker).await?)
        }
        order => {
            let _gate = daemon.house.gate.read().await;
            let may_end_a_skill = matches!(
                order,
                Order::Undo { .. }
                    | Order::Mark { .. }
                    | Order::Forget { .. }
                    | Order::Unforget { .. }
                    | Order::ReviewDecide { .. }
            );
            if !may_end_a_skill {
                return obey_inside(daemon, context, order, speaker).await;
            }
            let before = skill_files(daemon, context).await;
            let mut reply = obey_inside(daemon, context, order, speaker).await?;
            let files = follow_skills(daemon, context, &before).await;
            // What they all answer, `Changed` and `Undone`, has room for it.
            if let Some(reply) = reply.as_object_mut().filter(|_| !files.is_empty()) {
                reply.insert("files".to_owned(), value(files)?);
            }
            Ok(reply)
        }
    }
}

/// The skills that can be seen and are in force, each with its file.
async fn skill_files(daemon: &Daemon, context: &Context) -> Vec<(MemoryId, PathBuf)> {
    let Ok(visible) = daemon.house.visible(context).await else { return Vec::new() };
    visible.stores.iter().flat_map(|store| daemon.house.skill_files(store)).collect()
}

/// The files of skills go with the skills, and what became of them is told. What
/// was done is done, whatever becomes of them.
async fn follow_skills(daemon: &Daemon, context: &Context, before: &[(MemoryId, PathBuf)]) -> Vec<SkillFile> {
    let mut told = Vec::new();
    match daemon.house.visible(context).await {
        Ok(visible) => {
            for store in &visible.stores {
                let known = |file: &SkillFile| before.iter().any(|(_, known)| *known == file.file);
                let done = daemon.house.follow_skills(store).await;
                // What was left alone before, and still is, is no news.
                told.extend(done.into_iter().filter(|file| file.done != FileDone::Left || !known(file)));
            }
            told.extend(daemon.house.left_of(&visible.stores, before));
        }
        Err(fault) => tracing::warn!("the files of skills were not looked after: {}", fault.message),
    }
    told
}

async fn obey_inside(
    daemon: &Daemon,
    context: &Context,
    order: Order,
    speaker: &Speaker,
) -> Result<Value, Fault> {
    if context.again
        && let Some(reply) = done_before(daemon, context, &order).await?
    {
        return Ok(reply);
    }
    let house = &daemon.house;
    let _coming = house.admit(&order, now())?;
    match order {
        Order::Remember(remember) => value(change::remember(daemon, context, remember).await?),
        Order::Correct { operation, memory, text } => {
            value(change::correct(daemon, context, operation, &memory, &text).await?)
        }
        Order::Confirm { operation, memory } => {
            value(change::confirm(daemon, context, operation, &memory).await?)
        }
        Order::Mark { operation, memory, status, reason } => {
            value(change::mark(daemon, context, operation, &memory, status, &reason).await?)
        }
        Order::Forget { operation, memories, .. } => {
            value(change::forget(daemon, context, operation, &memories).await?)
        }
        Order::Unforget { operation, memory } => {
            value(change::unforget(daemon, context, operation, &memory).await?)
        }
        Order::Pin { operation, memory, pinned } => {
            value(change::pin(daemon, context, operation, &memory, pinned).await?)
        }
        Order::Edit(edit) => value(change::edit(daemon, context, edit).await?),
        Order::Undo { operation, target, step } => {
            value(change::undo(daemon, context, operation, target, step).await?)
        }
        Order::Recall(recall) => value(look::recall(daemon, context, recall).await?),
        Order::List(list) => value(look::list(daemon, context, list).await?),
        Order::Inspect { memory } => value(look::inspect(daemon, context, &memory).await?),
        Order::History { memory } => value(look::history(daemon, context, &memory).await?),
        Order::Observe(observe) => value(capture::observe(daemon, context, observe, speaker).await?),
        Order::Why { memory } => value(capture::why(daemon, context, &memory).await?),
        Order::ReviewList { all } => value(capture::review_list(daemon, context, all).await?),
        Order::ReviewShow { review } => value(capture::review_show(daemon, context, &review).await?),
        Order::ReviewDecide { operation, review, ruling } => {
            value(capture::review_decide(daemon, context, operation, &review, ruling).await?)
        }
        Order::Operations { limit, before } => value(look::operations(daemon, context, before, limit).await?),
        Order::Recalls { limit, before } => value(look::recalls(daemon, context, before, limit).await?),
        Order::Stats => value(look::stats(daemon, context).await?),
        Order::Status => value(look::health(daemon).await),
        Order::Import { operation, scope, lines } => {
            value(move_in_out::import(daemon, context, operation, scope, lines).await?)
        }
        Order::Backup { file, all_projects, to } => {
            value(backup::create(daemon, context, &file, all_projects, &to, speaker).await?)
        }
        Order::Hook(hook) => value(hook::hook(daemon, context, *hook, speaker).await?),
        Order::SessionStart { session } => {
            let store = house.start_session(context, session, None).await?;
            value(house.line_of(session, &store)?)
        }
        Order::SessionEnd { session } => {
            house.session_at(session, house.place(context)?.as_ref()).await?;
            let ended = house.end_session(session, SessionStatus::Completed).await;
            if ended.is_err() {
                // It is tried again in the background.
                house.end_soon(session, SessionStatus::Completed);
            }
            value(ended?)
        }
        Order::SessionShow { session } => value(session::show(daemon, context, session).await?),
        Order::Promote(promote) => value(session::promote(daemon, context, promote).await?),
        Order::RecordOutcome { operation, memory, outcome, note } => {
            value(session::record_outcome(daemon, context, operation, &memory, outcome, note).await?)
        }
        Order::DreamReport { limit } => value(dream::report(daemon, context, limit).await?),
        Order::SetTier { operation, memory, tier } => {
            value(dream::set_tier(daemon, context, operation, &memory, tier).await?)
        }
        Order::Curve { memory, days } => value(dream::curve(daemon, context, &memory, days).await?),
        Order::EntityList { query, limit } => {
            value(entity::list(daemon, context, query.as_deref(), limit).await?)
        }
        Order::EntityShow { entity } => value(entity::show(daemon, context, &entity).await?),
        Order::EntityMerge { operation, entity, into } => {
            value(entity::merge(daemon, context, operation, &entity, &into).await?)
        }
        Order::EntityAlias { operation, entity, alias } => {
            value(entity::alias(daemon, context, operation, &entity, &alias).await?)
        }
        Order::Graph { entity, hops, kinds } => {
            value(entity::graph(daemon, context, &entity, hops, &kinds).await?)
        }
        Order::GraphWhole(order) => value(entity::whole(daemon, context, order).await?),
        Order::Projects => value(window::projects(daemon).await?),
        Order::Stores { days } => value(window::stores(daemon, context, days).await?),
        Order::Days { before, limit } => value(window::days(daemon, context, before, limit).await?),
        Order::Settings => value(window::settings(daemon, context)?),
        Order::Audit { limit, about } => value(house.audit.shown(limit, about.as_deref())?),
        Order::AuditVerify { head } => value(house.audit.verified(head)?),
        Order::ConsolidationNext => value(dream::next(daemon, context).await?),
        Order::ConsolidationSubmit { operation, summary, text } => {
            value(dream::submit(daemon, context, operation, &summary, &text).await?)
        }
        Order::RecordFeedback(order) => value(evolve::feedback(daemon, context, order).await?),
        Order::Usage { memory, limit } => value(evolve::usage(daemon, context, &memory, limit).await?),
        Order::Weights { scope, history } => value(weights::show(daemon, context, scope, history).await?),
        Order::WeightsReset { operation, scope } => {
            value(weights::reset(daemon, context, operation, scope).await?)
        }
        Order::EvolutionReport { since } => value(evolve::report(daemon, context, since).await?),
        Order::EvolutionCandidates(order) => value(evolve::candidates(daemon, context, order).await?),
        Order::EvolveDeprecate(order) => value(evolve::deprecate(daemon, context, order).await?),
        Order::EvolveArchive(order) => value(evolve::archive(daemon, context, order).await?),
        Order::EvolveRefine(order) => value(evolve::refine(daemon, context, order).await?),
        Order::EvolveMerge(order) => value(evolve::merge(daemon, context, order).await?),
        Order::InduceSkill(order) => value(evolve::induce(daemon, context, order).await?),
        Order::Skills { query, limit } => {
            value(evolve::skills(daemon, context, query.as_deref(), limit).await?)
        }
        Order::Reflect { limit, all } => value(evolve::reflections(daemon, context, limit, all).await?),
        Order::Reminders => value(session::reminders(daemon, context).await?),
        Order::SessionList => value(house.list_sessions(context).await?),
        Order::Doctor { repair } => value(doctor::examine(daemon, context, repair, speaker).await?),
        Order::Stop => value(Stopping { stopping: true, process: std::process::id() }),
        Order::ModelList => value(models::list(daemon)),
        Order::ModelRemove { name } => value(models::remove(daemon, &name)?),
        Order::Restore { .. }
        | Order::OpenSealed { .. }
        | Order::Erase(_)
        | Order::Export { .. }
        | Order::ModelInstall { .. }
        | Order::Reindex { .. }
        | Order::Dream(_)
        | Order::Evolve(_)
        | Order::Compact
        | Order::Team(_)
        | Order::Activity { .. }
        | Order::Mcp { .. }
        | Order::McpHttp { .. }
        | Order::Ui { .. }
        | Order::Watch { .. } => Err(Fault::internal("this order does not pass the gate")),
    }
}

pub(crate) fn value(reply: impl Serialize) -> Result<Value, Fault> {
    serde_json::to_value(reply).map_err(|error| Fault::internal(error.to_string()))
}

/// The moment an order speaks of, and the identifier of what it does.
fn occasion(context: &Context, operation: OperationId) -> Occasion {
    let recorded_at = now();
    Occasion { operation, actor: context.actor, at: context.said_at.unwrap_or(recorded_at), recorded_at }
}

/// The answer to an order that arrived before. Orders that go to several stores
/// look for themselves, store by store.
async fn done_before(daemon: &Daemon, context: &Context, order: &Order) -> Result<Option<Value>, Fault> {
    let Some(operation) = order.operation() else { return Ok(None) };
    let stores = daemon.house.visible(context).await?.stores;
    if let Some(doing) = Doing::of(order) {
        refuse_taken(&stores, operation, doing.cause).await?;
    }
    if let Some((operation, action, names)) = evolution_of(order) {
        let done = evolve::evolved_before(daemon, context, operation, action, &names).await?;
        return done.map(value).transpose();
    }
    if matches!(
        order,
        Order::Forget { .. }
            | Order::Import { .. }
            | Order::Promote(_)
            | Order::RecordOutcome { .. }
            | Order::RecordFeedback(_)
    ) {
        return Ok(None);
    }
    for store in stores {
        let Some((done, memories)) = was_done(&store, operation).await? else { continue };
        let reply = match order {
            Order::SetTier { .. } => dream::tier_set_before(&done, memories),
            Order::EntityMerge { into: name, .. } | Order::EntityAlias { entity: name, .. } => {
                entity::changed_before(daemon, context, operation, name).await
            }
            Order::WeightsReset { .. } => value(weights::reset_before(&store, &done)),
            Order::Undo { target, .. } => {
                value(change::undone_before(&store, &done, *target, memories).await?)
            }
            _ => value(Changed::of(operation, memories, true)),
        };
        return reply.map(Some);
    }
    Ok(None)
}

/// Refuses a name that something else was done under, or that is a memory's: what
/// is born of an operation has its name, and would meet that memory.
async fn refuse_taken(stores: &[Arc<OpenStore>], operation: OperationId, cause: Cause) -> Result<(), Fault> {
    let failed = |error| trouble::read(&error);
    let mut done = false;
    for store in stores {
        if let Some(known) = store.shelf.store().find_operation(operation).await.map_err(failed)? {
            refuse_other(&known, cause)?;
            done = true;
        }
    }
    for store in stores.iter().filter(|_| !done) {
        if !store.shelf.store().load(vec![operation.newborn()]).await.map_err(failed)?.is_empty() {
            return Err(Fault::refused(format!(
                "{operation} names a memory, and no operation can have its name"
            ))
            .hint("every change has an `operation` of its own"));
        }
    }
    Ok(())
}

/// What an order would have evolve: by which operation, how, and which memories.
fn evolution_of(order: &Order) -> Option<(OperationId, Evolving, Vec<String>)> {
    Some(match order {
        Order::EvolveDeprecate(one) => (one.operation, Evolving::Deprecated, vec![one.memory.clone()]),
        Order::EvolveArchive(one) => (one.operation, Evolving::Archived, vec![one.memory.clone()]),
        Order::EvolveRefine(refine) => {
            (refine.one.operation, Evolving::Refined, vec![refine.one.memory.clone()])
        }
        Order::EvolveMerge(merge) => (merge.operation, Evolving::Merged, merge.memories.clone()),
        Order::InduceSkill(induce) => (induce.operation, Evolving::Induced, induce.memories.clone()),
        _ => return None,
    })
}

/// The first of these, the latest first, and where they go on. What has the name
/// of the last one belongs to it, for an operation may have gone to several
/// stores.
fn page<T, K: Ord + Copy>(mut all: Vec<T>, limit: usize, key: impl Fn(&T) -> K) -> (Vec<T>, Option<K>) {
    all.sort_by_key(|one| std::cmp::Reverse(key(one)));
    let Some(last) = limit.checked_sub(1).and_then(|last| all.get(last)).map(&key) else {
        all.truncate(limit);
        return (all, None);
    };
    let whole = all.partition_point(|one| key(one) >= last);
    let next = (whole < all.len()).then_some(last);
    all.truncate(whole);
    (all, next)
}

/// What an operation left in a store, if it was applied there.
async fn was_done(
    store: &OpenStore,
    operation: OperationId,
) -> Result<Option<(Operation, Vec<Memory>)>, Fault> {
    let failed = |error| trouble::read(&error);
    let Some(done) = store.shelf.store().find_operation(operation).await.map_err(failed)? else {
        return Ok(None);
    };
    let memories = store.shelf.store().load(done.memories.clone()).await.map_err(failed)?;
    Ok(Some((done, memories)))
}

/// The memory that people mean by `name`, and the store it is in. Of copies in
/// several scopes the highest is meant.
fn find(visible: &Visible, name: &str) -> Result<(Arc<OpenStore>, MemoryId), Fault> {
    let mut found: Vec<(Arc<OpenStore>, MemoryId)> = Vec::new();
    for store in &visible.stores {
        found.extend(store.shelf.named(name).into_iter().map(|id| (store.clone(), id)));
    }
    let mut ids: Vec<MemoryId> = found.iter().map(|(_, id)| *id).collect();
    ids.sort();
    ids.dedup();
    match ids.as_slice() {
        [] => Err(not_found(visible, format!("there is no memory \"{name}\" here"))
            .hint("`engram list` shows the memories of this project and yours")
            .hint("a memory is named by its identifier or the last letters of it, at least four")),
        [_] => {
            found.sort_by_key(|(store, _)| store.scope());
            found.pop().ok_or_else(|| Fault::internal("a memory was found and lost"))
        }
        several => Err(several
            .iter()
            .take(5)
            .fold(Fault::usage(format!("\"{name}\" names {} memories", several.len())), |fault, id| {
                fault.hint(format!("one of them is {id}"))
            })),
    }
}

/// What is one's own of a memory; what only the team has stands as the team has
/// it.
fn find_own(visible: &Visible, name: &str) -> Result<(Arc<OpenStore>, MemoryId), Fault> {
    let (store, id) = find(visible, name)?;
    if store.scope() != Scope::Team {
        return Ok((store, id));
    }
    own_copy(visible, id).map(|own| (own, id)).ok_or_else(|| {
        Fault::refused(format!("memory {id} is the team's"))
            .hint("correct it: engram correct")
            .hint("or take back what you shared: engram team withdraw")
    })
}

/// Where one has it oneself.
fn own_copy(visible: &Visible, id: MemoryId) -> Option<Arc<OpenStore>> {
    let own = visible.stores.iter().rev().filter(|store| Scope::OWN.contains(&store.scope()));
    own.into_iter().find(|store| store.shelf.index().contains(id)).cloned()
}

/// Nothing was found, and where it could not be looked for.
fn not_found(visible: &Visible, message: String) -> Fault {
    visible.missing.iter().fold(Fault::not_found(message), |fault, (scope, problem)| {
        fault.hint(format!("the {scope} store could not be searched: {}", problem.message))
    })
}

/// The stores of the scope that is named; all that can be seen if none is.
fn of_one_scope(visible: Visible, scope: Option<Scope>) -> Visible {
    of_scopes(visible, scope.as_slice())
}

/// The stores of the scopes asked for; all that can be seen if none is.
fn of_scopes(visible: Visible, scopes: &[Scope]) -> Visible {
    let wanted = |scope: Scope| scopes.is_empty() || scopes.contains(&scope);
    Visible {
        stores: visible.stores.into_iter().filter(|store| wanted(store.scope())).collect(),
        missing: visible.missing.into_iter().filter(|(scope, _)| wanted(*scope)).collect(),
        place: visible.place,
    }
}

/// Where a partial answer would mislead, there is none.
fn refuse_missing(visible: &Visible) -> Result<(), Fault> {
    visible.missed().next().map_or(Ok(()), |(_, fault)| Err(fault.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(spoken: &mut mpsc::Receiver<Answer>) -> Vec<Progress> {
        let answers = std::iter::from_fn(|| spoken.try_recv().ok());
        let progress = |answer| match answer {
            Answer::Progress(progress) => progress,
            other => panic!("{other:?}"),
        };
        answers.map(progress).collect()
    }

    #[tokio::test]
    async fn whoever_waits_for_long_hears_that_it_goes_on() {
        let (speaker, mut spoken) = Speaker::pair();
        let work = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            7
        };
        let beat = Duration::from_millis(10);
        let millis = |waited: Duration| ("waiting", waited.as_millis() as u64, None);
        assert_eq!(speaker.reassuring(beat, millis, work).await, 7);
        let told = told(&mut spoken);
        assert!(told.len() >= 3, "{told:?}");
        assert_eq!([told[0].done, told[1].done, told[2].done], [10, 20, 30]);
    }

    #[tokio::test]
    async fn work_that_tells_of_itself_is_not_talked_over() {
        let (speaker, mut spoken) = Speaker::pair();
        let work = async {
            for step in 0..10 {
                speaker.progress("taking in", step, None).await;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        speaker.reassuring(Duration::from_millis(100), |_| ("waiting", 0, None), work).await;
        assert!(told(&mut spoken).iter().all(|told| told.what == "taking in"));
    }

    #[test]
    fn a_page_ends_behind_all_of_its_last_operation_and_says_where_it_goes_on() {
        let cut = |limit| page(vec![3, 1, 5, 3, 2], limit, |one| *one);
        assert_eq!(cut(1), (vec![5], Some(5)));
        assert_eq!(cut(2), (vec![5, 3, 3], Some(3)), "one operation of two stores");
        assert_eq!(cut(4), (vec![5, 3, 3, 2], Some(2)));
        assert_eq!(cut(5), (vec![5, 3, 3, 2, 1], None));
        assert_eq!(cut(9), (vec![5, 3, 3, 2, 1], None));
        assert_eq!(cut(0), (vec![], None));
    }
}
