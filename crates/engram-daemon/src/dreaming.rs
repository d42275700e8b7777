//! Dreams: when one is due, and that none makes anybody wait.
//!
//! A dream holds the door for one part at a time and gives way to whoever asks
//! for something in between. It is planned, kept, and then done; what a daemon
//! that ended left undone is gone on with by the next one.

use crate::clock::{now, since};
use crate::house::{House, OpenStore, model_of};
use crate::orders::Speaker;
use crate::trouble;
use engram_core::dream::{Caps, Depth, Dream, DreamTrigger, Step};
use engram_core::drift::{Claim, Evidence, judge};
use engram_core::law::ImportanceTable;
use engram_core::port::{Ground, Looked, Pending};
use engram_core::used::{Promotion, PromotionReason};
use engram_core::{IdMint, MemoryId, OperationId, Scope, Span, Status, Timestamp};
use engram_engine::{Ascent, Dreaming, PlannedDream};
use engram_outline::Limits;
use engram_store::StoreHome;
use engram_wire::activity::What;
use engram_wire::config::Settings;
use engram_wire::life::StoreDream;
use engram_wire::project::ProjectPlace;
use engram_wire::{Context, Fault, platform};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A part waits so long at most for those who ask for something.
const MOST_COURTESY: Duration = Duration::from_secs(2);
const NAP: Duration = Duration::from_millis(20);
/// So often it is looked at whether a store is to evolve, where nobody tells
/// anything: time passes, and procedures come in on their own.
const LOOK_EVERY: Span = Span::from_secs(60);
/// How long the history of a project may be searched for what it lost.
const GROUND_WAIT: Duration = Duration::from_secs(20);

/// A store, by what finds it again after a pause.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Bed {
    User,
    Project(ProjectPlace),
}

/// Why it is looked at what is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// Somebody told something: there may be enough of it.
    Told,
    /// The time may have come.
    InTime,
}

/// What is to be dreamt somewhere, and why.
struct Task {
    bed: Bed,
    trigger: DreamTrigger,
    /// None: the steps that evidence asks for.
    depth: Option<Depth>,
    steps: Vec<Step>,
}

/// The dreams that are due, the first first.
#[derive(Default)]
pub(crate) struct Due {
    todo: Mutex<Vec<Task>>,
    /// One dream at a time.
    pub(crate) turn: tokio::sync::Mutex<()>,
    ending: AtomicBool,
    /// Somebody told how memories served since it was looked at what is due.
    evidence: AtomicBool,
    /// When the clock was the reason to look, or when it began.
    looked_at: Mutex<Option<Timestamp>>,
}

impl Due {
    /// Somebody told how memories served: something may be due because of it.
    pub(crate) fn note_evidence(&self) {
        self.evidence.store(true, Ordering::Relaxed);
    }

    /// Why it is to be looked at what is due, if it is. Whoever is told so looks.
    /// One that has just begun has others to serve first.
    pub(crate) fn look(&self, at: Timestamp) -> Option<Look> {
        let mut looked_at = self.looked_at.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let told = self.evidence.swap(false, Ordering::Relaxed);
        let last = *looked_at.get_or_insert(at);
        if at.duration_since(last) >= LOOK_EVERY || at < last {
            *looked_at = Some(at);
            return Some(Look::InTime);
        }
        told.then_some(Look::Told)
    }

    /// A dream is due there. Of two the deeper is dreamt.
    pub(crate) fn add(&self, bed: Bed, depth: Depth) {
        let mut todo = self.todo.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let known = todo.iter_mut().find(|task| task.bed == bed && task.depth.is_some());
        let depth = known.as_ref().and_then(|task| task.depth).map_or(depth, |known| known.max(depth));
        let task = Task {
            bed,
            trigger: DreamTrigger::SessionEnd,
            depth: Some(depth),
            steps: depth.steps().collect(),
        };
        match known {
            Some(known) => *known = task,
            None => todo.push(task),
        }
    }

    /// So are some steps for themselves, unless a dream that has them is due.
    pub(crate) fn add_steps(&self, bed: Bed, trigger: DreamTrigger, steps: &[Step]) {
        let mut todo = self.todo.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let has_them = |task: &Task| task.bed == bed && steps.iter().all(|step| task.steps.contains(step));
        if !todo.iter().any(has_them) {
            todo.push(Task { bed, trigger, depth: None, steps: steps.to_vec() });
        }
    }

    fn next(&self) -> Option<Task> {
        let mut todo = self.todo.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if todo.is_empty() { None } else { Some(todo.remove(0)) }
    }

    /// How deep the dream is that waits for a quiet moment there. The inner none:
    /// only some steps wait, the outer: nothing does.
    pub(crate) fn waits_for(&self, store: &OpenStore) -> Option<Option<Depth>> {
        let todo = self.todo.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let folder = store.home.as_ref().map(StoreHome::folder);
        let there = |task: &&Task| match &task.bed {
            Bed::User => store.scope() == Scope::User,
            Bed::Project(place) => store.scope() == Scope::Project && folder == Some(place.store.as_path()),
        };
        todo.iter().find(there).map(|task| task.depth)
    }

    /// No new part is begun.
    pub(crate) fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
    }

    pub(crate) fn ends(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }
}

/// What is wanted of a dream.
pub(crate) struct Wanted {
    pub(crate) id: OperationId,
    pub(crate) trigger: DreamTrigger,
    pub(crate) depth: Option<Depth>,
    pub(crate) steps: Vec<Step>,
    pub(crate) at: Timestamp,
    pub(crate) dry_run: bool,
    /// How long planning and doing may take together. None: as long as it does.
    pub(crate) budget: Option<Duration>,
}

impl House {
    /// A session has ended here: a dream is due, the deeper the more there were.
    pub(crate) async fn dream_after(&self, place: &ProjectPlace) -> Result<(), Fault> {
        let project = self.project(place).await?;
        if self.settings_of(&project)?.text("dream.schedule") != "on" {
            return Ok(());
        }
        let count = project.surreal()?.count_sessions().await.map_err(|error| trouble::read(&error))?;
        let depth = Depth::after(count);
        self.dreaming.add(Bed::Project(place.clone()), depth);
        self.dreaming.add(Bed::User, depth);
        Ok(())
    }

    /// Dreams what is due, while nobody asks for anything. `asked` tells whether
    /// somebody does.
    pub(crate) async fn dream_on(&self, asked: &(dyn Fn() -> bool + Send + Sync)) {
        if let Some(look) = self.dreaming.look(now()) {
            let _gate = self.gate.read().await;
            self.evolve_what_is_due(look).await;
        }
        while let Some(Task { bed, trigger, depth, steps }) = self.dreaming.next() {
            let _turn = self.dreaming.turn.lock().await;
            let id = OperationId::from_ulid(IdMint::seeded(platform::chance()).mint(now()));
            let wanted = Wanted {
                id,
                trigger,
                depth,
                steps,
                at: now(),
                dry_run: false,
                budget: Some(Duration::from_secs(depth.unwrap_or(Depth::Full).seconds())),
            };
            match self.dream(&bed, wanted, &Speaker::silent(), asked).await {
                Ok(dreamt) => {
                    let done: usize = dreamt.dream.steps.iter().map(|step| step.done).sum();
                    tracing::info!(
                        "{}: dreamt ({trigger}), {done} changes in {:.1} s",
                        dreamt.store,
                        dreamt.seconds
                    );
                }
                Err(fault) => {
                    tracing::warn!("a dream did not come to its end: {}", fault.message);
                    let place = match bed {
                        Bed::User => None,
                        Bed::Project(place) => Some(place.root),
                    };
                    let context = Context { folder: place, ..Context::of(engram_core::Actor::Engram) };
                    self.bus.fail(self.asker(&context), "dream", &fault.message);
                }
            }
            if self.dreaming.ends() {
                return;
            }
        }
    }

    /// The store to dream in.
    pub(crate) async fn bed(&self, bed: &Bed) -> Result<Arc<OpenStore>, Fault> {
        match bed {
            Bed::User => self.user().await,
            // It may have been erased since; a dream does not bring it back.
            Bed::Project(place) if !StoreHome::new(&place.store).exists() => {
                Err(Fault::not_found(format!("{} has no memory any more", place.root.display())))
            }
            Bed::Project(place) => self.project(place).await,
        }
    }

    /// One dream in one store. What was begun before is gone on with first.
    /// Whoever calls has the turn.
    pub(crate) async fn dream(
        &self,
        bed: &Bed,
        wanted: Wanted,
        speaker: &Speaker,
        asked: &(dyn Fn() -> bool + Send + Sync),
    ) -> Result<StoreDream, Fault> {
        let began = now();
        let in_time = || wanted.budget.is_none_or(|budget| since(began) < budget);
        let mut resumed = false;
        if !wanted.dry_run {
            let left = {
                let _gate = self.gate.read().await;
                let store = self.bed(bed).await?;
                store.shelf.unfinished_dream().await.map_err(|error| trouble::read(&error))?
            };
            if let Some(left) = left {
                resumed = true;
                let dream = self.do_parts(bed, left, None, speaker, asked, &in_time).await?;
                self.say_dreamt(bed, &dream, began, false).await;
                // A new plan would take the place of what is left of this one.
                if dream.finished_at.is_none() {
                    let _gate = self.gate.read().await;
                    let store = self.bed(bed).await?;
                    return Ok(StoreDream {
                        scope: store.scope(),
                        store: store.label(),
                        dream,
                        memories: store.shelf.index().len(),
                        seconds: since(began).as_secs_f64(),
                        resumed,
                    });
                }
            }
        }
        let (dream, parts, label, scope, memories) = loop {
            let _gate = self.gate.read().await;
            let store = self.bed(bed).await?;
            speaker.progress(&format!("{}: planning", store.label()), 0, None).await;
            self.say_dreaming(&store, wanted.id, None, (0, None), wanted.dry_run);
            let Some(planned) = self.plan_dream(&store, &wanted, began).await? else { continue };
            let memories = store.shelf.index().len();
            let (dream, parts) = (planned.dream.clone(), planned.parts.len());
            // Kept before anybody has the house alone: words that go meanwhile go from
            // the plan, too.
            if !wanted.dry_run {
                store.shelf.keep_dream(planned).await.map_err(trouble::change)?;
            }
            break (dream, parts, store.label(), store.scope(), memories);
        };
        let dream = match wanted.dry_run {
            true => dream,
            false => self.do_parts(bed, dream, Some(parts), speaker, asked, &in_time).await?,
        };
        self.say_dreamt(bed, &dream, began, wanted.dry_run).await;
        Ok(StoreDream { scope, store: label, dream, memories, seconds: since(began).as_secs_f64(), resumed })
    }

    /// Tells whoever listens how far a dream has come.
    fn say_dreaming(
        &self,
        store: &OpenStore,
        dream: OperationId,
        step: Option<Step>,
        (done, total): (u64, Option<u64>),
        dry_run: bool,
    ) {
        let name = step.map(|step| step.to_string()).unwrap_or_default();
        if self.bus.is_news(&format!("{dream} {name}"), done, total) {
            let store_name = store.label();
            let what = What::Dreaming { dream, store: store_name, step, done, total, dry_run };
            self.bus.say(self.whose(store, None), what);
        }
    }

    /// And that it is over, as far as there was time for it.
    async fn say_dreamt(&self, bed: &Bed, dream: &Dream, began: Timestamp, dry_run: bool) {
        let _gate = self.gate.read().await;
        // What was dreamt was dreamt, whether or not the store opens again.
        let Ok(store) = self.bed(bed).await else { return };
        let changes = dream.steps.iter().map(|step| step.done).sum();
        let seconds = since(began).as_secs_f64();
        let what = What::Dreamt { dream: dream.id, store: store.label(), changes, seconds, dry_run };
        self.bus.say(self.whose(&store, None), what);
    }

    /// Planning is thinking, not waiting: it is done where it keeps no request
    /// from being answered. None: somebody wanted the house for himself, and the
    /// plan was given up for that.
    async fn plan_dream(
        &self,
        store: &Arc<OpenStore>,
        wanted: &Wanted,
        began: Timestamp,
    ) -> Result<Option<PlannedDream>, Fault> {
        let settings = self.settings_of(store)?;
        self.follow_settings(store)?;
        let ground = store.project.as_ref().map(|seen| {
            let ground: Arc<dyn Ground> = Arc::new(WorkTree { root: seen.path.clone() });
            ground
        });
        let (id, at, trigger, depth) = (wanted.id, wanted.at, wanted.trigger, wanted.depth);
        let (steps, budget) = (wanted.steps.clone(), wanted.budget);
        let sessions = match store.scope() {
            Scope::Project => {
                store.surreal()?.count_sessions().await.map_err(|error| trouble::read(&error))?
            }
            _ => 0,
        };
        let skills = self.skills_on_disk(store).await?;
        let (adviser, store) = (self.advising.adviser.clone(), store.clone());
        let runtime = tokio::runtime::Handle::current();
        let mut waiting = self.waiting.subscribe();
        let planning = tokio::task::spawn_blocking(move || {
            let how = Dreaming {
                id,
                at,
                trigger,
                depth,
                steps,
                caps: caps_of(&settings),
                importance: table_of(&settings),
                sessions,
                weights: settings.weights(),
                learning: settings.learning(),
                evolution: settings.evolution(),
                retain: settings.retain_rules(),
                capacity: capacity_of(&settings, store.scope()),
                skills,
                adviser: &adviser,
                ground,
                names: names_of(&store),
                in_time: &|| budget.is_none_or(|budget| since(began) < budget),
            };
            runtime.block_on(async {
                tokio::select! {
                    planned = store.shelf.plan_dream(&how) => planned.map(Some),
                    _ = waiting.wait_for(|count| *count > 0) => Ok(None),
                }
            })
        });
        let planned = planning.await.map_err(|error| Fault::internal(error.to_string()))?;
        planned.map_err(trouble::change)
    }

    /// The curve may have been changed since the store was opened.
    pub(crate) fn follow_settings(&self, store: &OpenStore) -> Result<(), Fault> {
        let key = match store.scope() {
            Scope::User => "retention.user",
            Scope::Project => "retention.project",
            Scope::Session | Scope::Team => return Ok(()),
        };
        store.shelf.set_model(model_of(&self.settings_of(store)?, key));
        Ok(())
    }

    /// Does what is planned, part by part, and keeps the report. What there is no
    /// time for is gone on with by the next one.
    async fn do_parts(
        &self,
        bed: &Bed,
        mut dream: Dream,
        parts: Option<usize>,
        speaker: &Speaker,
        asked: &(dyn Fn() -> bool + Send + Sync),
        in_time: &(dyn Fn() -> bool + Send + Sync),
    ) -> Result<Dream, Fault> {
        let mut done = 0;
        let mut times = self.times_alone();
        if !self.retain(bed, &mut dream, in_time).await? {
            return Ok(dream);
        }
        loop {
            give_way(asked).await;
            if !in_time() {
                return Ok(dream);
            }
            if self.dreaming.ends() {
                return Err(Fault::environment("the daemon ends; the dream goes on with the next one"));
            }
            let _gate = self.gate.read().await;
            let store = self.bed(bed).await?;
            // Whoever had the house alone may have taken words out of the report.
            if times != self.times_alone() {
                times = self.times_alone();
                let kept = store.shelf.find_dream(dream.id).await.map_err(|error| trouble::read(&error))?;
                dream = kept.map_or(dream.clone(), |kept| retained_as_in(kept, &dream));
            }
            let next =
                store.shelf.store().next_part(dream.id).await.map_err(|error| trouble::read(&error))?;
            let Some(part) = next else {
                let retain = self.settings_of(&store)?.retain_rules();
                let finished = store.shelf.finish_dream(dream, &retain, now()).await;
                let dream = finished.map_err(trouble::change)?;
                self.follow_skills(&store).await;
                return Ok(dream);
            };
            let mut part = part;
            for id in part.rising.clone() {
                let whole = Some((dream.id, dream.at));
                if self.send_up(&store, id, PromotionReason::Score, whole).await?.is_some() {
                    store.shelf.went_up(&mut dream, &mut part, id).await.map_err(trouble::change)?;
                }
            }
            let (step, total) = (part.step, parts.map(|parts| parts as u64));
            store.shelf.apply_part(&mut dream, part).await.map_err(trouble::change)?;
            done += 1;
            self.say_dreaming(&store, dream.id, Some(step), (done, total), false);
            speaker.progress(&format!("{}: {step}", store.label()), done, total).await;
        }
    }

    /// A memory of a project goes up to the user and answers in the project no
    /// more. None: it is not wanted there, or is not here any more.
    pub(crate) async fn rise(
        &self,
        project: &Arc<OpenStore>,
        id: MemoryId,
        reason: PromotionReason,
    ) -> Result<Option<Promotion>, Fault> {
        let promotion = self.send_up(project, id, reason, None).await?;
        if let Some(promotion) = &promotion {
            project.shelf.let_go(promotion).await.map_err(trouble::change)?;
        }
        Ok(promotion)
    }

    /// The user's half of it. A dream does it under its own name, at its own
    /// moment.
    async fn send_up(
        &self,
        project: &Arc<OpenStore>,
        id: MemoryId,
        reason: PromotionReason,
        dream: Option<(OperationId, Timestamp)>,
    ) -> Result<Option<Promotion>, Fault> {
        let memory = match project.shelf.load(id).await {
            Ok(memory) if memory.status.is_current() && memory.status != Status::Challenged => memory,
            Ok(_) | Err(engram_engine::ChangeError::NotFound(_)) => return Ok(None),
            Err(error) => return Err(trouble::change(error)),
        };
        let user = self.user().await?;
        match self.room_in(&user) {
            // The next dream tries it again.
            Err(_) if dream.is_some() => return Ok(None),
            room => room?,
        }
        let reader = self.destination_of(user.clone(), &self.settings).await.reader;
        let score = project.shelf.worth(&memory);
        let ascent = Ascent { memory: &memory, reason, score, part_of: dream.map(|(id, _)| id) };
        let at = dream.map_or_else(now, |(_, at)| at);
        user.shelf.receive(&project.shelf, ascent, &reader, at).await.map_err(trouble::change)
    }
}

/// A dream as it is kept. What was purged in it by rule is told as it went; there are
/// no words in that.
fn retained_as_in(mut kept: Dream, told: &Dream) -> Dream {
    for report in kept.steps.iter_mut().filter(|report| report.step == Step::Retain) {
        let done = told.steps.iter().find(|report| report.step == Step::Retain);
        *report = done.unwrap_or(report).clone();
    }
    kept
}

/// Waits while somebody asks for something, but not for ever.
async fn give_way(asked: &(dyn Fn() -> bool + Send + Sync)) {
    let began = now();
    while asked() && since(began) < MOST_COURTESY {
        tokio::time::sleep(NAP).await;
    }
    tokio::task::yield_now().await;
}

fn caps_of(settings: &Settings) -> Caps {
    let number = |key: &str| usize::try_from(settings.number(key)).unwrap_or(usize::MAX);
    Caps {
        memories: number("dream.memories"),
        comparisons: number("dream.comparisons"),
        rehearsals: number("dream.rehearsals"),
        model_calls: number("dream.model_calls"),
    }
}

/// So many memories in force a store holds. None: a session's go with it, and
/// the team's are not one person's.
pub(crate) fn capacity_of(settings: &Settings, scope: Scope) -> Option<usize> {
    let key = match scope {
        Scope::Project => "capacity.project",
        Scope::User => "capacity.user",
        Scope::Session | Scope::Team => return None,
    };
    usize::try_from(settings.number(key)).ok()
}

pub(crate) fn table_of(settings: &Settings) -> ImportanceTable {
    settings.text("importance.table").parse().unwrap_or(ImportanceTable::Nine)
}

/// What a project is called: its folder, and its repository.
fn names_of(store: &OpenStore) -> Vec<String> {
    let Some(seen) = &store.project else { return Vec::new() };
    let repository = seen.git_remote.as_deref().and_then(|remote| remote.rsplit(['/', ':']).next());
    let repository = repository.map(|name| name.trim_end_matches(".git").to_owned());
    [Some(seen.name.clone()), repository].into_iter().flatten().filter(|name| name.len() > 2).collect()
}

/// The files of a project and their history.
struct WorkTree {
    root: PathBuf,
}

impl Ground for WorkTree {
    fn look(&self, claims: Vec<Claim>) -> Pending<'_, Result<Looked, String>> {
        let root = self.root.clone();
        Box::pin(async move {
            let looking = tokio::task::spawn_blocking(move || look(&root, &claims));
            looking.await.map_err(|error| error.to_string())?
        })
    }
}

/// Without git nothing can be told to have gone, and nothing is looked at.
fn look(root: &std::path::Path, claims: &[Claim]) -> Result<Looked, String> {
    let limits = Limits { answer: GROUND_WAIT, ..Limits::default() };
    let ground = engram_outline::Ground::open(root, limits).map_err(|error| error.to_string())?;
    let Some(mut ground) = ground else {
        return Err("the project is no working tree of git".to_owned());
    };
    let evidence = ground.evidence_for(claims).map_err(|error| error.to_string())?;
    let unseen = evidence.iter().filter(|evidence| **evidence == Evidence::NotLooked).count();
    let found = claims.iter().zip(&evidence).map(|(claim, evidence)| judge(claim, evidence)).collect();
    Ok(Looked { found, unseen })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_looked_at_what_is_due_when_somebody_told_something_and_every_minute() {
        let due = Due::default();
        let at = |seconds: i64| Timestamp::from_second(1_767_225_600 + seconds).unwrap();
        assert_eq!([0, 1, 59].map(|seconds| due.look(at(seconds))), [None; 3]);
        due.note_evidence();
        assert_eq!(due.look(at(59)), Some(Look::Told));
        assert_eq!(due.look(at(59)), None, "once for it");
        assert_eq!([60, 61].map(|seconds| due.look(at(seconds))), [Some(Look::InTime), None]);
        assert_eq!(due.look(at(5)), Some(Look::InTime), "the clock stepped back");
    }
}
