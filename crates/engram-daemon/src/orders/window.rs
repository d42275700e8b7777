//! Orders about the whole of it, which the window asks and commands as well:
//! projects, stores, settings, what happened on which day, and what may be spent.

use super::{look, page, refuse_missing};
use crate::clock::now;
use crate::dreaming::capacity_of;
use crate::house::{House, OpenStore};
use crate::serve::Daemon;
use crate::{backup, trouble};
use engram_core::budget::{Behaviour, Gauge, Pressure, pressure};
use engram_core::change::Inverse;
use engram_core::days::{Happened, happened, told_causes};
use engram_core::dream::Depth;
use engram_core::law;
use engram_core::status::StatusStep;
use engram_core::{
    Cause, Date, Memory, MemoryId, Operation, OperationId, Scope, SessionId, Status, Tier, Timestamp,
};
use engram_store::StoreHome;
use engram_wire::message::HookEvent;
use engram_wire::project::{self, ProjectPlace};
use engram_wire::reply::{LlmHealth, OperationLine, ProjectLine, Times};
use engram_wire::window::{
    BudgetLine, Day, DayCount, DayLine, DayRest, DaySession, Days, NextDream, ProjectFound, Projects,
    SettingLine, SettingsListed, StoreLine, Stores, TierLine,
};
use engram_wire::{Context, Fault, platform};
use jiff::tz::TimeZone;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// So many days of growth are told at most.
const MOST_DAYS: u32 = 366;
/// So many operations are told day by day at most.
const MOST_OPERATIONS: usize = 1_000;
/// So many memories of one operation are told; the rest is counted. An import does
/// the same to thousands.
const MOST_LINES: usize = 20;

/// Every project that somebody ever worked in. Nothing is opened for it.
pub(super) async fn projects(daemon: &Daemon) -> Result<Projects, Fault> {
    let house = &daemon.house;
    let open: BTreeMap<_, _> = house.projects.open().into_iter().collect();
    let known = house.known_projects().await?;
    let found = known.into_iter().map(|entry| {
        let place = project::locate(&entry.path, house.home.person()).ok().flatten();
        let home = place.as_ref().map(|place| StoreHome::new(&place.store)).filter(StoreHome::exists);
        let store = place.as_ref().and_then(|place| open.get(&place.store));
        let last = entry.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        ProjectFound {
            key: entry.key,
            name: place.as_ref().map_or(last, ProjectPlace::name),
            path: entry.path,
            there: home.is_some(),
            open: store.is_some(),
            memories: store.map(|store| memories_and_sheets(store)[0]),
            bytes: home.as_ref().map_or(0, StoreHome::bytes),
        }
    });
    Ok(Projects { projects: found.collect() })
}

pub(super) fn settings(daemon: &Daemon, context: &Context) -> Result<SettingsListed, Fault> {
    let place = daemon.house.place(context)?;
    let settings = daemon.house.settings_for(context, place.as_ref())?;
    let lines = settings.all().map(SettingLine::of).collect::<Result<_, _>>()?;
    let of_project = place.as_ref().map(ProjectPlace::config_file);
    let files = [Some(daemon.house.home.config_file()), of_project].into_iter().flatten().collect();
    Ok(SettingsListed { settings: lines, files })
}

pub(super) async fn stores(daemon: &Daemon, context: &Context, days: u32) -> Result<Stores, Fault> {
    if !(1..=MOST_DAYS).contains(&days) {
        return Err(Fault::usage(format!("days must be between 1 and {MOST_DAYS}, not {days}")));
    }
    let house = &daemon.house;
    house.flush_notes().await;
    let visible = house.visible(context).await?;
    refuse_missing(&visible)?;
    let mut lines = Vec::with_capacity(visible.stores.len());
    for store in &visible.stores {
        lines.push(line_of(house, store, days).await?);
    }
    Ok(Stores {
        stores: lines,
        backups: backup::list(&house.home),
        sessions: house.journals().len(),
        free_bytes: platform::free_bytes(house.home.root()),
    })
}

/// How many memories there are, and how many sheets of a code base's outline, which are
/// drawn, not remembered.
fn memories_and_sheets(store: &OpenStore) -> [usize; 2] {
    let by_sheet = store.shelf.index().count_by(|entry| entry.tier == Tier::Codebase);
    [false, true].map(|sheet| by_sheet.get(&sheet).copied().unwrap_or(0))
}

async fn line_of(house: &House, store: &OpenStore, days: u32) -> Result<StoreLine, Fault> {
    let ids: Vec<MemoryId> = {
        let index = store.shelf.index();
        index
            .count_by(|entry| (entry.id, entry.tier == Tier::Codebase))
            .into_keys()
            .filter_map(|(id, sheet)| (!sheet).then_some(id))
            .collect()
    };
    let memories = store.shelf.load_shared(ids).await.map_err(|error| trouble::read(&error))?;
    let (at, model) = (now(), store.shelf.model());
    let mut line = StoreLine {
        scope: store.scope(),
        store: store.label(),
        project: store.project.as_ref().map(|seen| ProjectLine {
            key: seen.key.clone(),
            path: seen.path.clone(),
            name: seen.name.clone(),
        }),
        memories: memories.len(),
        capacity: capacity_of(&house.settings_of(store)?, store.scope()),
        bytes: store.bytes(),
        sheets: memories_and_sheets(store)[1],
        by_status: BTreeMap::new(),
        by_kind: BTreeMap::new(),
        tiers: Vec::new(),
        growth: grown(&memories, at, days, &TimeZone::system()),
        oldest_at: memories.iter().map(|memory| memory.created_at).min(),
        vectors: look::vectors(store),
    };
    let mut tiers: BTreeMap<Tier, [usize; 10]> = BTreeMap::new();
    for memory in &memories {
        *line.by_status.entry(memory.status).or_default() += 1;
        *line.by_kind.entry(memory.kind).or_default() += 1;
        if memory.status.is_current() {
            let held = law::held_at(memory, model, at).get();
            tiers.entry(memory.tier).or_default()[((held * 10.0) as usize).min(9)] += 1;
        }
    }
    let of_tier = |(tier, held): (Tier, [usize; 10])| TierLine { tier, memories: held.iter().sum(), held };
    line.tiers = tiers.into_iter().map(of_tier).collect();
    Ok(line)
}

/// How many were learned and how many ceased to be in force on each of the last
/// days, today among them.
fn grown(memories: &[Arc<Memory>], at: Timestamp, days: u32, zone: &TimeZone) -> Vec<DayCount> {
    let day_of = |at: Timestamp| zone.to_datetime(at).date();
    let since = day_of(at).saturating_sub(jiff::Span::new().days(days.saturating_sub(1)));
    let mut counts: BTreeMap<Date, (usize, usize)> = BTreeMap::new();
    for memory in memories {
        counts.entry(day_of(memory.created_at)).or_default().0 += 1;
        if !memory.status.is_current() {
            counts.entry(day_of(memory.status_change.at)).or_default().1 += 1;
        }
    }
    let told = counts.range(since..);
    told.map(|(day, (learned, gone))| DayCount { day: *day, learned: *learned, gone: *gone }).collect()
}

/// An operation of a store, with what was done as parts of it.
struct Done {
    place: usize,
    operation: Operation,
    parts: Vec<Operation>,
}

impl Done {
    /// A dream is told by its parts; anything else is one part.
    fn parts(&self) -> &[Operation] {
        match self.operation.cause {
            Cause::Dream => &self.parts,
            _ => std::slice::from_ref(&self.operation),
        }
    }
}

pub(super) async fn days(
    daemon: &Daemon,
    context: &Context,
    before: Option<OperationId>,
    limit: usize,
) -> Result<Days, Fault> {
    if !(1..=MOST_OPERATIONS).contains(&limit) {
        return Err(Fault::usage(format!("limit must be between 1 and {MOST_OPERATIONS}, not {limit}")));
    }
    let visible = daemon.house.visible(context).await?;
    refuse_missing(&visible)?;
    let failed = |error| trouble::read(&error);
    let mut done = Vec::new();
    for (place, store) in visible.stores.iter().enumerate() {
        // One more than asked for tells whether there is more.
        let latest = store.shelf.store().operations_before(before, told_causes(), limit + 1).await;
        let latest = latest.map_err(failed)?;
        done.extend(latest.into_iter().map(|operation| Done { place, operation, parts: Vec::new() }));
    }
    let (mut done, next) = page(done, limit, |done| done.operation.id);
    let (mut lines, mut rest) = (Vec::new(), Vec::new());
    let mut sessions = HashMap::new();
    for (place, store) in visible.stores.iter().enumerate() {
        let mut here: Vec<&mut Done> = done.iter_mut().filter(|done| done.place == place).collect();
        for dream in here.iter_mut().filter(|done| done.operation.cause == Cause::Dream) {
            dream.parts = store.shelf.store().parts_done(dream.operation.id).await.map_err(failed)?;
        }
        let here: Vec<&Done> = here.into_iter().map(|done| &*done).collect();
        for told in told(store, &here).await? {
            lines.extend(told.lines);
            rest.extend(told.rest);
        }
        if store.scope() == Scope::Project {
            let known = store.surreal()?.list_sessions().await.map_err(failed)?;
            sessions.extend(known.into_iter().map(|entry| (entry.id, entry.summary)));
        }
    }
    lines.sort_by_key(|(_, line)| (std::cmp::Reverse(line.operation), line.scope, line.memory));
    let session = |id: Option<SessionId>| DaySession {
        session: id,
        agent: id.and_then(|id| daemon.house.agent_of(id)),
        summary: id.and_then(|id| sessions.get(&id).cloned().flatten()),
        lines: Vec::new(),
        rest: Vec::new(),
    };
    Ok(Days { days: by_day(lines, rest, &TimeZone::system(), session), next })
}

/// A line and the session in which its memory was learned, if it was.
type Placed = (Option<SessionId>, DayLine);

/// What one operation did.
#[derive(Default)]
struct Told {
    lines: Vec<Placed>,
    rest: Vec<DayRest>,
}

/// What these operations of one store did.
async fn told(store: &OpenStore, done: &[&Done]) -> Result<Vec<Told>, Fault> {
    let failed = |error| trouble::read(&error);
    let parts = || done.iter().flat_map(|done| done.parts());
    let stood = sorted(parts().flat_map(|part| &part.inverse).filter_map(of_one_that_was));
    let histories = store.shelf.store().load_history(stood).await.map_err(failed)?;
    let histories: HashMap<MemoryId, Vec<StatusStep>> = histories.into_iter().collect();
    let happenings = |done: &Done| -> Vec<(usize, MemoryId, Happened)> {
        let of_part = |(at, part)| {
            let what = happened(part, |id| became(histories.get(&id)?, part));
            what.into_iter().map(move |(id, happened)| (at, id, happened))
        };
        done.parts().iter().enumerate().flat_map(of_part).collect()
    };
    let happenings: Vec<_> = done.iter().map(|done| happenings(done)).collect();
    let ids = sorted(happenings.iter().flat_map(|of| of.iter().take(MOST_LINES)).map(|(_, id, _)| *id));
    let there = store.shelf.load_shared(ids).await.map_err(failed)?;
    let there: HashMap<MemoryId, Arc<Memory>> = there.into_iter().map(|memory| (memory.id, memory)).collect();
    let mut all = Vec::with_capacity(done.len());
    for (done, happenings) in done.iter().zip(happenings) {
        let mut told = Told::default();
        let whole = OperationLine::new(store.scope(), done.operation.clone());
        // What was undone may have taken its memories away; whoever did that
        // could bring them back, and has them.
        let undoing = match whole.undone_by {
            Some(by) => store.shelf.store().find_operation(by).await.map_err(failed)?,
            None => None,
        };
        let (to_tell, to_count) = happenings.split_at(happenings.len().min(MOST_LINES));
        for &(at, id, happened) in to_tell {
            let part = &done.parts()[at];
            let known = there.get(&id).map(|memory| &**memory);
            let lost = || held_by(part, id).or_else(|| held_by(undoing.as_ref()?, id));
            let Some(memory) = known.or_else(lost) else { continue };
            let born = |inverse: &Inverse| matches!(inverse, Inverse::Remove { id: born, .. } if *born == id);
            let session = memory.provenance.source_session.filter(|_| part.inverse.iter().any(born));
            told.lines.push((session, day_line(&whole, memory, happened)));
        }
        let mut counts: BTreeMap<Happened, usize> = BTreeMap::new();
        for (_, _, happened) in to_count {
            *counts.entry(*happened).or_default() += 1;
        }
        let rest = |(happened, memories)| DayRest { operation: whole.id, happened, memories };
        told.rest = counts.into_iter().map(rest).collect();
        all.push(told);
    }
    Ok(all)
}

fn sorted(ids: impl Iterator<Item = MemoryId>) -> Vec<MemoryId> {
    ids.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The memory that was there before an operation changed it: only of such a one
/// the history has to say what it became.
fn of_one_that_was(inverse: &Inverse) -> Option<MemoryId> {
    match inverse {
        Inverse::Restore { before, .. } => Some(before.id),
        Inverse::Stand { id, .. } => Some(*id),
        _ => None,
    }
}

fn day_line(whole: &OperationLine, memory: &Memory, happened: Happened) -> DayLine {
    DayLine {
        operation: whole.id,
        at: whole.at,
        scope: whole.scope,
        happened,
        cause: whole.cause,
        actor: whole.actor,
        memory: memory.id,
        kind: memory.kind,
        text: memory.headline().to_owned(),
        undoable: whole.undoable,
        undone: whole.undone_by.is_some(),
    }
}

/// The status that a memory took by this operation: the history names its moment
/// and its cause.
fn became(steps: &[StatusStep], operation: &Operation) -> Option<Status> {
    let by_it =
        steps.iter().rfind(|step| (step.change.at, step.change.cause) == (operation.at, operation.cause))?;
    Some(by_it.to)
}

/// A memory as what takes the operation back would put it.
fn held_by(operation: &Operation, id: MemoryId) -> Option<&Memory> {
    operation.inverse.iter().find_map(|inverse| match inverse {
        Inverse::Restore { before: memory, .. } | Inverse::Create { memory } if memory.id == id => {
            Some(&**memory)
        }
        _ => None,
    })
}

/// Lines in their order, under the day and the session they belong to; what is
/// only counted stands with the first line of its operation.
fn by_day(
    lines: Vec<Placed>,
    mut rest: Vec<DayRest>,
    zone: &TimeZone,
    session: impl Fn(Option<SessionId>) -> DaySession,
) -> Vec<Day> {
    let mut days: Vec<Day> = Vec::new();
    for (of, line) in lines {
        let date = zone.to_datetime(line.at).date();
        let known = days.iter().position(|day| day.day == date);
        let place = known.unwrap_or_else(|| {
            days.push(Day { day: date, sessions: Vec::new() });
            days.len() - 1
        });
        let sessions = &mut days[place].sessions;
        let known = sessions.iter().position(|session| session.session == of);
        let place = known.unwrap_or_else(|| {
            sessions.push(session(of));
            sessions.len() - 1
        });
        sessions[place].rest.extend(rest.extract_if(.., |rest| rest.operation == line.operation));
        sessions[place].lines.push(line);
    }
    // What waited in the spool speaks of an earlier day than its neighbours.
    days.sort_by_key(|day| std::cmp::Reverse(day.day));
    days
}

/// What may be spent, and what was: of the machine, on a language model today, and
/// on the time of whoever waits for a hook.
pub(super) fn budgets(house: &House, llm: Option<&LlmHealth>) -> Vec<BudgetLine> {
    let mut gauges = house.gauges(now());
    if let Some(llm) = llm {
        // Without an answer the rules decide.
        let model = |used, limit, unit| Gauge {
            what: "language model".to_owned(),
            used,
            limit,
            unit,
            behaviour: Behaviour::Refuse,
        };
        gauges.push(model(llm.calls, llm.calls_per_day, "calls a day"));
        gauges.push(model(llm.tokens, llm.tokens_per_day, "tokens a day"));
    }
    let told = |gauge: Gauge| BudgetLine {
        over: pressure(&gauge) == Pressure::Over,
        used: gauge.used as f64,
        limit: gauge.limit as f64,
        unit: gauge.unit.to_owned(),
        behaviour: Some(gauge.behaviour),
        what: gauge.what,
    };
    let mut lines: Vec<BudgetLine> = gauges.into_iter().map(told).collect();
    let mut taken: BTreeMap<HookEvent, Times> = BTreeMap::new();
    for (event, times) in house.metering.agents().into_values().flat_map(|stats| stats.events) {
        taken.entry(event).or_default().add(&times);
    }
    for (event, times) in taken {
        // The slowest of a hundred: what people notice.
        let Some(slowest) = times.quantile(0.99) else { continue };
        let (used, limit) = (slowest.min(Times::LONGEST), house.settings.number(event.deadline()));
        lines.push(BudgetLine {
            what: format!("hook {event}"),
            used: used as f64,
            limit: limit as f64,
            unit: "ms".to_owned(),
            // An agent waits no longer; what it has to say is left in the spool.
            behaviour: Some(Behaviour::Spool),
            over: used > limit,
        });
    }
    lines
}

/// When the open stores are looked after next, as far as that is known: a project
/// after each of its sessions, the user when one of them is.
pub(super) async fn next_dreams(house: &House) -> Vec<NextDream> {
    let mut next = Vec::new();
    for store in house.all_open() {
        let due = house.dreaming.waits_for(&store);
        let after = match store.scope() {
            Scope::Project => {
                // What cannot be counted or read is said by those who need it.
                let on = house.settings_of(&store).is_ok_and(|own| own.text("dream.schedule") == "on");
                let count = match store.surreal() {
                    Ok(surreal) => surreal.count_sessions().await.unwrap_or(0),
                    Err(_) => 0,
                };
                Some((on.then_some(1), Depth::after(count + 1)))
            }
            Scope::User => due.flatten().map(|depth| (None, depth)),
            Scope::Session | Scope::Team => None,
        };
        if let Some((after_sessions, depth)) = after {
            let depth = due.flatten().unwrap_or(depth);
            next.push(NextDream { store: store.label(), after_sessions, depth, due: due.is_some() });
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use engram_core::Actor;

    fn line(number: u128, at: &str) -> DayLine {
        DayLine {
            operation: OperationId::from_ulid(engram_core::Ulid(number)),
            at: at.parse().unwrap(),
            scope: Scope::User,
            happened: Happened::Learned,
            cause: Cause::Remember,
            actor: Actor::Human,
            memory: MemoryId::from_ulid(engram_core::Ulid(number)),
            kind: engram_core::Kind::Fact,
            text: number.to_string(),
            undoable: true,
            undone: false,
        }
    }

    #[test]
    fn lines_stand_under_the_day_of_this_machine_and_their_session() {
        let one = Some(SessionId::named("one"));
        let lines = vec![
            (None, line(4, "2026-05-02T23:30:00Z")),
            (one, line(3, "2026-05-02T10:00:00Z")),
            (None, line(2, "2026-05-02T09:00:00Z")),
            (one, line(1, "2026-05-01T22:30:00Z")),
        ];
        let bare =
            |session| DaySession { session, agent: None, summary: None, lines: Vec::new(), rest: Vec::new() };
        let more = |number, memories| DayRest {
            operation: OperationId::from_ulid(engram_core::Ulid(number)),
            happened: Happened::Learned,
            memories,
        };
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let told: Vec<(String, Option<SessionId>, Vec<String>)> =
            by_day(lines, vec![more(3, 7)], &zone, bare)
                .into_iter()
                .flat_map(|day| day.sessions.into_iter().map(move |session| (day.day.to_string(), session)))
                .map(|(day, of)| {
                    let lines = of.lines.into_iter().map(|line| line.text);
                    let rest = of.rest.into_iter().map(|rest| format!("and {} more", rest.memories));
                    (day, of.session, lines.chain(rest).collect())
                })
                .collect();
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            told,
            [
                ("2026-05-03".to_owned(), None, texts(&["4"])),
                ("2026-05-02".to_owned(), one, texts(&["3", "1", "and 7 more"])),
                ("2026-05-02".to_owned(), None, texts(&["2"])),
            ]
        );
    }
}
