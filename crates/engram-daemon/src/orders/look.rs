//! Orders that only look.

use super::{find, of_scopes, page, refuse_missing, window};
use crate::clock::now;
use crate::dreaming::table_of;
use crate::house::{OpenStore, Visible};
use crate::serve::Daemon;
use crate::team::ServerSaid;
use crate::{trouble, web};
use engram_core::ask::{Intent, query_type_of, trivial_of};
use engram_core::law::{self, SubTier, retention_of, strength_at};
use engram_core::learn;
use engram_core::present::{Budget, Form, Presented, Tellable, present};
use engram_core::recalled::{RecallLogged, Strategy, Surface};
use engram_core::{Confidence, Memory, MemoryId, OperationId, RecallId, Scope, Status, Timestamp};
use engram_engine::{Answer, Ask, Filling, FoundOn, Shelf};
use engram_guard::guard;
use engram_index::Filter;
use engram_wire::activity::What;
use engram_wire::message::{List, ListCursor, Narrow, Recall};
use engram_wire::platform;
use engram_wire::project::ProjectPlace;
use engram_wire::reply::{
    Found, Gap, Health, HistoryOf, Inspected, Listed, OperationLine, Operations, ProjectLine, RecallLine,
    Recalled, Recalls, ScopeStats, Searched, SearchedThere, Stats, StoreVectors, Vectors,
};
use engram_wire::spool::Spool;
use engram_wire::{Context, Fault, PROTOCOL, VERSION};
use jiff::tz::TimeZone;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// So many lines of a log are told at once; the reply says where they go on.
const MOST_LINES: usize = 10_000;

pub(super) async fn recall(daemon: &Daemon, context: &Context, order: Recall) -> Result<Recalled, Fault> {
    if order.query.trim().is_empty() {
        return Err(
            Fault::usage("there is nothing to look for").hint("engram recall \"how do I run the tests\"")
        );
    }
    let all = daemon.house.visible(context).await?;
    // Where it was asked decides who may see it in the log, not what was searched.
    let asked_in = asked_in(&all);
    let visible = of_scopes(all, &order.narrow.scopes);
    let settings = daemon.house.settings_for(context, visible.place.as_ref())?;
    let profile = order.profile.unwrap_or_else(|| settings.text("recall.profile").to_owned());
    let weights = daemon.house.weights(&profile).await?;
    let limit = match order.limit {
        Some(0) => return Err(Fault::usage("a limit must be at least 1")),
        Some(limit) => limit.min(1_000),
        None => usize::try_from(settings.number("recall.limit")).unwrap_or(1_000),
    };
    // Where it is asked decides what was learned about asking.
    let query_type = query_type_of(&order.query);
    let learned = asked_in.as_ref().map(|store| store.shelf.learned()).unwrap_or_default();
    let with_model = visible.stores.iter().any(|store| store.shelf.serving().is_some());
    let given = settings.weights();
    let applied = match settings.learning().on {
        true => learn::applied(given, &learned, query_type, with_model, &settings.set_by_hand()),
        false => given,
    };
    let ask = Ask {
        query: order.query,
        filter: Filter { mode: order.mode, ..filter(&order.narrow) },
        limit,
        scopes: weights,
        weights: applied,
        archived: order.archived,
        as_of: order.as_of,
        timeline: order.timeline,
        session: context.session,
        prompt: order.prompt,
        literal: order.literal,
    };
    let shelves: Vec<Arc<Shelf>> = visible.stores.iter().map(|store| store.shelf.clone()).collect();
    let trivial = ask.prompt && trivial_of(&ask.query).is_some();
    // Behind a hook somebody waits: most of that time is for what is here.
    let by_hook = matches!(order.via, Some(Surface::Prompt | Surface::Command | Surface::SessionStart));
    let millis = match ask.prompt || by_hook {
        true => settings.number("team.search_ms").min(settings.number("hook.prompt_ms") / 3),
        false => settings.number("team.search_ms"),
    };
    let server = match trivial {
        true => None,
        false => {
            let limit = Duration::from_millis(millis);
            let treatment = settings.treatment(Scope::Team);
            daemon.house.ask_server(&visible.stores, &ask.query, treatment, limit).await
        }
    };
    let (said, not_asked) = match server {
        Some(Ok(said)) => (Some(said), None),
        Some(Err(problem)) => (None, Some(problem)),
        None => (None, None),
    };
    let found_there = |hit: &FoundOn| {
        hit.why.scope == Scope::Team && said.as_ref().is_some_and(|said| said.found.contains(&hit.memory.id))
    };
    let at = now();
    // Beside whatever else is done for the same request.
    let asked = (shelves.clone(), ask.clone(), at.to_zoned(TimeZone::system()));
    let work = tokio::spawn(async move { engram_engine::recall(&asked.0, &asked.1, &asked.2).await });
    let answer = work.await.map_err(|defect| trouble::unfinished("recall", &defect))?;
    let mut answer = answer.map_err(|error| trouble::read(&error))?;
    // What whoever asks has before his eyes is not told again.
    answer.found.retain(|found| {
        let said_here = found.memory.provenance.source_session == context.session;
        let just_said = |since| context.session.is_some() && said_here && found.memory.created_at >= since;
        !order.known.contains(&found.memory.id) && !order.known_since.is_some_and(just_said)
    });
    let budget = match (order.chars, order.context) {
        (Some(chars), _) => Some(Budget::Chars(chars)),
        (None, Some(0)) => Some(Budget::Tokens(settings.number("recall.budget") as usize)),
        (None, tokens) => tokens.map(Budget::Tokens),
    };
    let told = budget.map(|budget| {
        let tellable = answer.found.iter().map(|found| Tellable {
            memory: &found.memory,
            scope: found.why.scope,
            confidence: found.confidence,
            note: changed_since(&found.memory, visible.place.as_ref()),
        });
        present(tellable, budget, at)
    });
    if !order.preview {
        // What an agent was not told was not used.
        let shown: Vec<&FoundOn> = answer
            .found
            .iter()
            .filter(|found| {
                let is_told = |told: &Presented| told.told.iter().any(|told| told.id == found.memory.id);
                told.as_ref().is_none_or(is_told)
            })
            .collect();
        if let Some(store) = asked_in {
            let scopes = visible.stores.iter().map(|store| store.scope()).collect();
            let query = to_log(&ask.query);
            let via = order.via.unwrap_or(Surface::Search);
            let logged = logged(context, (via, query), &answer, &shown, scopes, at);
            say_recalled(daemon, &store, &logged);
            store.shelf.note_recall(logged);
        }
        if order.as_of.is_none() && !order.timeline {
            // What nobody would believe to be the answer was not used.
            let used = shown.iter().filter(|hit| Form::at(hit.confidence).is_some());
            used.for_each(|hit| shelves[hit.shelf].note_use([hit.memory.id], at));
        }
    }
    // That a model is not there says more than how asking it failed.
    let failed = answer.without_model.map(|error| error.to_string());
    let without_model = daemon.house.without_model().or(failed);
    let found = answer.found;
    let hits = found.into_iter().map(|hit| Found {
        by_server: found_there(&hit),
        retention: retention_of(&hit.memory, shelves[hit.shelf].model(), at),
        confidence: hit.confidence,
        evidence: hit.evidence,
        why: hit.why,
        supersedes: hit.supersedes,
        status: hit.status,
        memory: hit.memory,
    });
    Ok(Recalled {
        learned: applied != given,
        query: ask.query,
        hits: hits.collect(),
        confidence: answer.confidence,
        intent: answer.intent,
        query_type: answer.query_type,
        strategy: answer.strategy,
        trivial: answer.trivial,
        gaps: daemon
            .house
            .embedders
            .table
            .is_none()
            .then_some(Gap::NoVectors)
            .into_iter()
            .chain(without_model.map(|problem| Gap::NoModel { problem }))
            .chain(gaps(&visible))
            .chain(not_asked.map(|problem| Gap::ServerNotAsked { problem }))
            .collect(),
        searched: visible.stores.iter().map(|store| searched(store, said.as_ref())).collect(),
        profile,
        weights,
        together: answer.together,
        context: told,
        oldest_at: order.preview.then(|| oldest_at(&visible)).flatten(),
    })
}

/// Tells whoever listens what the log says.
fn say_recalled(daemon: &Daemon, store: &OpenStore, logged: &RecallLogged) {
    let what = What::Recalled {
        recall: logged.id,
        via: logged.via,
        query: logged.query.clone(),
        hits: logged.shown.len(),
        confidence: logged.confidence,
        ms: logged.latency_ms,
    };
    daemon.house.bus.say(daemon.house.whose(store, logged.session), what);
}

/// Before this moment nothing was known in these stores.
fn oldest_at(visible: &Visible) -> Option<Timestamp> {
    visible.stores.iter().filter_map(|store| store.shelf.index().oldest_at()).min()
}

/// The file a memory speaks of, where that was changed after the memory was.
fn changed_since(memory: &Memory, place: Option<&ProjectPlace>) -> Option<String> {
    let place = place.filter(|_| memory.scope < Scope::User)?;
    let named = memory.structured.as_ref()?.get("entities")?.as_array()?;
    let files = named.iter().filter_map(|entity| entity.as_str()?.strip_prefix("file:"));
    let changed = |file: &&str| {
        let inside = !file.starts_with('/') && !file.split('/').any(|part| part == "..");
        let meta = std::fs::metadata(place.root.join(file)).ok().filter(|meta| inside && meta.is_file());
        let written = meta.and_then(|meta| Timestamp::try_from(meta.modified().ok()?).ok());
        written.is_some_and(|written| written > memory.updated_at)
    };
    files.into_iter().find(changed).map(|file| format!("{file} has changed since"))
}

/// The store whose log a question belongs into: the lowest that lasts. None
/// where the project has none, for what is asked in one project is nobody's
/// business in another.
fn asked_in(visible: &Visible) -> Option<Arc<OpenStore>> {
    let lowest = visible.stores.iter().find(|store| store.scope() != Scope::Session)?;
    let elsewhere = visible.place.is_some() && lowest.scope() >= Scope::User;
    (!elsewhere).then(|| lowest.clone())
}

/// So many letters of a question are kept in the log, and so many are looked at
/// for secrets: one that is cut off lies far behind what is kept.
const LOGGED_LETTERS: usize = 500;
const GUARDED_LETTERS: usize = 4 * LOGGED_LETTERS;

fn to_log(query: &str) -> String {
    let beginning: String = query.chars().take(GUARDED_LETTERS).collect();
    guard(&beginning).text.chars().take(LOGGED_LETTERS).collect()
}

fn logged(
    context: &Context,
    (via, query): (Surface, String),
    answer: &Answer,
    shown: &[&FoundOn],
    scopes: Vec<Scope>,
    at: Timestamp,
) -> RecallLogged {
    RecallLogged {
        id: RecallId::of(at, context.session, &query),
        via,
        query,
        query_type: answer.query_type,
        intent: answer.intent,
        strategy: answer.strategy,
        results_returned: answer.found.len() as u32,
        results_used: 0,
        user_feedback: None,
        latency_ms: now().duration_since(at).as_secs_f64().max(0.0) * 1e3,
        scopes,
        with_model: answer.with_model,
        shown: shown.iter().map(|found| found.memory.id).collect(),
        pool: answer.pool.clone(),
        used: Vec::new(),
        settled_at: None,
        confidence: answer.confidence,
        session: context.session,
        at,
    }
}

/// The log's line about something that was told without a question: which store
/// it belongs into, and what it says. None where nothing was told.
pub(super) fn told_unasked(
    context: &Context,
    visible: &Visible,
    via: Surface,
    about: &str,
    told: &[MemoryId],
) -> Option<(Arc<OpenStore>, RecallLogged)> {
    let store = asked_in(visible).filter(|_| !told.is_empty())?;
    let (query, at) = (to_log(about), now());
    let recall = RecallLogged {
        id: RecallId::of(at, context.session, &format!("{via} {query}")),
        via,
        query_type: query_type_of(&query),
        query,
        intent: Intent::General,
        strategy: Strategy::Keyword,
        results_returned: u32::try_from(told.len()).unwrap_or(u32::MAX),
        results_used: 0,
        user_feedback: None,
        latency_ms: 0.0,
        scopes: visible.stores.iter().map(|store| store.scope()).collect(),
        with_model: false,
        shown: told.to_vec(),
        pool: Vec::new(),
        used: Vec::new(),
        settled_at: None,
        confidence: Confidence::CERTAIN,
        session: context.session,
        at,
    };
    Some((store, recall))
}

pub(super) async fn list(daemon: &Daemon, context: &Context, order: List) -> Result<Listed, Fault> {
    let visible = of_scopes(daemon.house.visible(context).await?, &order.narrow.scopes);
    refuse_missing(&visible)?;
    let shown = |status: &Status| match order.statuses.as_slice() {
        [] => status.is_current(),
        asked => asked.contains(status),
    };
    let filter = Filter {
        statuses: Some(Status::ALL.iter().copied().filter(shown).collect()),
        pinned: order.pinned.then_some(true),
        ..filter(&order.narrow)
    };
    let filter = filter.without_outline();
    let limit = order.limit.unwrap_or(50);
    let before = order.before.as_deref().map(str::parse::<ListCursor>).transpose();
    let before = before.map_err(|problem| Fault::usage(problem.to_string()))?;
    let mut memories: Vec<Memory> = Vec::new();
    let mut total = 0;
    for store in &visible.stores {
        let ids = {
            let index = store.shelf.index();
            let ids = index.list(&filter, usize::MAX);
            total += ids.len();
            let follows = |id: &MemoryId| {
                let entry = index.entry(*id);
                let key = entry.map(|entry| ListCursor { created_at: entry.created_at, memory: entry.id });
                before.is_none_or(|before| key.is_some_and(|key| key < before))
            };
            // One more than asked for tells whether there is more.
            ids.into_iter().filter(follows).take(limit.saturating_add(1)).collect()
        };
        memories.extend(store.shelf.store().load(ids).await.map_err(|error| trouble::read(&error))?);
    }
    let (memories, next) = page(memories, limit, ListCursor::after);
    Ok(Listed { memories, total, next: next.map(|cursor| cursor.to_string()) })
}

pub(super) async fn inspect(daemon: &Daemon, context: &Context, name: &str) -> Result<Inspected, Fault> {
    let visible = daemon.house.visible(context).await?;
    let (store, id) = find(&visible, name)?;
    let memory = store.shelf.load(id).await.map_err(trouble::change)?;
    let failed = |error| trouble::read(&error);
    let mut histories = store.shelf.store().load_history(vec![id]).await.map_err(failed)?;
    let relations = store.shelf.store().load_relations(vec![id]).await.map_err(failed)?;
    let at = now();
    let model = store.shelf.model();
    let table = table_of(&daemon.house.settings_for(context, visible.place.as_ref())?);
    let again = memory.provenance.evidence.len().saturating_sub(1);
    let held = law::held_at(&memory, model, at);
    let factors = law::factors_of(&memory, u32::try_from(again).unwrap_or(u32::MAX), held, at);
    Ok(Inspected {
        retention: retention_of(&memory, model, at),
        strength: strength_at(&memory, model, at),
        importance: Some(law::living_importance(&factors, table)),
        importance_terms: law::terms(&factors, table).iter().map(ToString::to_string).collect(),
        storage: Some(law::storage_of(&memory.trace).get()),
        sub_tier: Some(SubTier::of(memory.kind, memory.tier, memory.provenance.data_source)),
        memory,
        status_history: histories.pop().map(|(_, steps)| steps).unwrap_or_default(),
        relations,
    })
}

pub(super) async fn history(daemon: &Daemon, context: &Context, name: &str) -> Result<HistoryOf, Fault> {
    let visible = daemon.house.visible(context).await?;
    let (store, id) = find(&visible, name)?;
    let failed = |error| trouble::read(&error);
    let mut histories = store.shelf.store().load_history(vec![id]).await.map_err(failed)?;
    let operations = store.shelf.store().operations_on(id).await.map_err(failed)?;
    Ok(HistoryOf {
        memory_id: id,
        status_history: histories.pop().map(|(_, steps)| steps).unwrap_or_default(),
        operations_on: operations.into_iter().map(|done| OperationLine::new(store.scope(), done)).collect(),
    })
}

pub(super) async fn operations(
    daemon: &Daemon,
    context: &Context,
    before: Option<OperationId>,
    limit: usize,
) -> Result<Operations, Fault> {
    let limit = limit.min(MOST_LINES);
    let visible = daemon.house.visible(context).await?;
    refuse_missing(&visible)?;
    let mut operations = Vec::new();
    for store in &visible.stores {
        // One more than asked for tells whether there is more.
        let latest = store.shelf.store().operations_before(before, Vec::new(), limit + 1).await;
        let latest = latest.map_err(|error| trouble::read(&error))?;
        operations.extend(latest.into_iter().map(|done| OperationLine::new(store.scope(), done)));
    }
    let (operations, next) = page(operations, limit, |line: &OperationLine| line.id);
    Ok(Operations { operations, next })
}

/// What was asked where this request may look.
pub(super) async fn recalls(
    daemon: &Daemon,
    context: &Context,
    before: Option<RecallId>,
    limit: usize,
) -> Result<Recalls, Fault> {
    let limit = limit.min(MOST_LINES);
    daemon.house.flush_notes().await;
    let visible = daemon.house.visible(context).await?;
    refuse_missing(&visible)?;
    let mut recalls = Vec::new();
    for store in &visible.stores {
        let latest = store.shelf.store().recalls_before(before, limit + 1).await;
        let latest = latest.map_err(|error| trouble::read(&error))?;
        recalls.extend(latest.into_iter().map(|recall| RecallLine { scope: store.scope(), recall }));
    }
    let (recalls, next) = page(recalls, limit, |line: &RecallLine| line.recall.id);
    Ok(Recalls { recalls, next })
}

pub(super) async fn stats(daemon: &Daemon, context: &Context) -> Result<Stats, Fault> {
    daemon.house.flush_notes().await;
    let visible = daemon.house.visible(context).await?;
    let at = now();
    let scopes = visible.stores.iter().map(|store| {
        // Nobody waits for the index while files are looked at.
        let (bytes_on_disk, vectors) = (store.bytes(), vectors(store));
        let index = store.shelf.index();
        // The sheets of a code base's outline are drawn, not remembered.
        let is_sheet = |entry: &engram_index::Entry| entry.tier == engram_core::Tier::Codebase;
        let count = |test: &dyn Fn(&engram_index::Entry) -> bool| {
            index.count_by(|entry| !is_sheet(entry) && test(entry)).get(&true).copied().unwrap_or(0)
        };
        let uses: BTreeMap<u32, usize> = index.count_by(|entry| entry.trace.access_count);
        let sheets = index.count_by(is_sheet).get(&true).copied().unwrap_or(0);
        ScopeStats {
            scope: store.scope(),
            memories: index.len() - sheets,
            sheets,
            by_status: remembered(index.count_by(|entry| (is_sheet(entry), entry.status))),
            by_kind: remembered(index.count_by(|entry| (is_sheet(entry), entry.kind))),
            pinned: count(&|entry| entry.pinned),
            faded: count(&|entry| {
                entry.status.is_current()
                    && !entry.pinned
                    && entry.trace.fades_at.is_some_and(|fades| fades <= at)
            }),
            uses: uses.into_iter().map(|(times, memories)| u64::from(times) * memories as u64).sum(),
            bytes_on_disk,
            vectors,
        }
    });
    let project = visible.stores.iter().find_map(|store| store.project.as_ref());
    Ok(Stats {
        scopes: scopes.collect(),
        project: project.map(|seen| ProjectLine {
            key: seen.key.clone(),
            path: seen.path.clone(),
            name: seen.name.clone(),
        }),
        projects: daemon.house.known_projects().await?.into_iter().map(|entry| entry.path).collect(),
        hooks: daemon.house.metering.agents(),
        gaps: gaps(&visible).collect(),
    })
}

/// The counts of what is no sheet.
fn remembered<K: Ord>(counts: BTreeMap<(bool, K), usize>) -> BTreeMap<K, usize> {
    counts.into_iter().filter(|((sheet, _), _)| !sheet).map(|((_, key), count)| (key, count)).collect()
}

pub(super) async fn health(daemon: &Daemon) -> Health {
    let house = &daemon.house;
    let spool = Spool::new(house.home.spool_folder());
    let llm = house.advising.health(&house.settings);
    let (team, team_problem) = match house.team_health().await {
        Ok(team) => (team, None),
        Err(fault) => (None, Some(fault.message)),
    };
    Health {
        window: web::health(daemon).await,
        team,
        team_problem,
        budgets: window::budgets(house, llm.as_ref()),
        next_dream: window::next_dreams(house).await,
        version: VERSION.to_owned(),
        protocol: PROTOCOL,
        process: std::process::id(),
        home: house.home.root().to_owned(),
        socket: house.home.socket(),
        started_at: daemon.started_at,
        requests: daemon.requests(),
        open_stores: house.all_open().iter().map(|store| store.label()).collect(),
        open_sessions: house.journals().len(),
        resident_bytes: platform::resident_bytes(std::process::id()),
        idle_exit_at: daemon.idle_exit_at(),
        spooled: spool.waiting(),
        rejected: spool.rejected(),
        capture: house.capture_health(),
        llm,
        masked: house.count_masked(),
        personal: house.count_masked_personal(),
        embedder: house.settings.text("embedder.name").to_owned(),
        without_model: house.without_model(),
        vectors: house
            .all_open()
            .iter()
            .filter_map(|store| Some(StoreVectors { store: store.label(), vectors: vectors(store)? }))
            .collect(),
        evolution: house.evolution_health().await,
    }
}

pub(super) fn vectors(store: &OpenStore) -> Option<Vectors> {
    let Filling { embedder, done, total } = store.shelf.filling()?;
    Some(Vectors { embedder, made: done, total, serving: store.shelf.serving() })
}

fn filter(narrow: &Narrow) -> Filter {
    Filter {
        kinds: narrow.kinds.clone(),
        tiers: narrow.tiers.clone(),
        tags: narrow.tags.iter().cloned().collect(),
        domain: narrow.domain.clone(),
        ..Filter::default()
    }
}

fn searched(store: &OpenStore, said: Option<&ServerSaid>) -> Searched {
    let scope = store.scope();
    let server = said.filter(|_| scope == Scope::Team).map(|said| SearchedThere {
        found: said.found.len(),
        new: said.new,
        ms: u64::try_from(said.took.as_millis()).unwrap_or(u64::MAX),
    });
    Searched { scope, memories: store.shelf.index().len(), server }
}

fn gaps(visible: &Visible) -> impl Iterator<Item = Gap> {
    visible
        .missing
        .iter()
        .map(|(scope, fault)| Gap::ScopeUnavailable { scope: *scope, problem: fault.message.clone() })
}
