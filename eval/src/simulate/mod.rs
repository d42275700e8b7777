//! A year of use in a minute: what is still found, what is stale, what became of
//! the noise, and how large the stores are, for each way of forgetting.
//!
//! The engine is the real one, over stores of maps; the clock is the script's.
//! Dreams come after sessions as they do in the daemon.

mod plot;
mod room;
mod script;

use crate::bench::{embedders, timed_async};
use crate::dreamed::dream;
use anyhow::{Context as _, Result, ensure};
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use engram_core::dream::Depth;
use engram_core::law::Model;
use engram_core::memory::DataSource;
use engram_core::plan::{Draft, Occasion, plan_correct, plan_outcome, plan_remember};
use engram_core::recalled::{RecallLogged, Surface};
use engram_core::turn::{Authority, Event, EventType};
use engram_core::used::{Outcome, PromotionReason, Usage};
use engram_core::{
    Actor, IdMint, Kind, MemoryId, OperationId, ProjectKey, Provenance, RecallId, Scope, SessionId, Span,
    Timestamp, Write,
};
use engram_engine::{Answer, Ascent, Ask, Reader, Shelf, Stated, recall};
use engram_maps::MapStore;
use jiff::tz::TimeZone;
use plot::{Line, Panel};
use room::Room;
use script::{DAYS, Happens, PROJECTS, Script, Session, Topic};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const SEED: u64 = 20_260_101;
/// A month of the table.
const MONTH: i64 = 30;
/// What "keep the newest" keeps in each project.
const NEWEST: usize = 1_000;
/// Somebody says how it went after one answer in so many that served.
const TOLD: usize = 4;

/// A way of forgetting.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Dreams(Model),
    /// Nothing is ever put away or replaced.
    Everything,
    /// Nothing is replaced, and only the newest are kept.
    Newest,
}

impl Way {
    fn name(self) -> String {
        match self {
            Way::Dreams(model) => model.to_string(),
            Way::Everything => "keep everything".to_owned(),
            Way::Newest => format!("keep the newest {NEWEST}"),
        }
    }
}

/// What was counted in one month.
#[derive(Debug, Clone, Copy, Default)]
struct Month {
    asked: usize,
    found: usize,
    stale: usize,
    /// Of what is in force at its end, in the largest project.
    project: usize,
    user: usize,
    noise: usize,
    noise_away: usize,
}

impl Month {
    fn found(&self) -> f64 {
        share(self.found, self.asked)
    }

    fn stale(&self) -> f64 {
        share(self.stale, self.asked)
    }

    fn away(&self) -> f64 {
        share(self.noise_away, self.noise)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

struct Year {
    way: Way,
    months: Vec<Month>,
    room: Room,
    took: Duration,
}

impl Year {
    fn all(&self) -> Month {
        let mut all = self.months.last().copied().unwrap_or_default();
        (all.asked, all.found, all.stale) = (0, 0, 0);
        for month in &self.months {
            all.asked += month.asked;
            all.found += month.found;
            all.stale += month.stale;
        }
        all
    }

    fn largest(&self, of: impl Fn(&Month) -> usize) -> usize {
        self.months.iter().map(of).max().unwrap_or(0)
    }
}

/// The stores of one way, and who writes in them.
struct World {
    way: Way,
    projects: Vec<(Arc<Shelf>, ProjectKey)>,
    user: Arc<Shelf>,
    mint: IdMint,
    noise: BTreeSet<MemoryId>,
    sessions: Vec<u64>,
    served: usize,
    room: Room,
}

pub(crate) async fn run(plotted: Option<&Path>) -> Result<()> {
    let mut ways: Vec<Way> = Model::ALL.iter().copied().map(Way::Dreams).collect();
    ways.extend([Way::Everything, Way::Newest]);
    let mut years = Vec::new();
    for way in ways {
        eprintln!("living a year with {}", way.name());
        let (lived, took) = timed_async(live(way)).await;
        let (months, room) = lived?;
        years.push(Year { way, months, room, took });
    }
    print_months(&years);
    print_years(&years);
    if let Some(year) = years.iter().find(|year| year.way == Way::Dreams(Model::DEFAULT)) {
        year.room.print();
    }
    if let Some(file) = plotted {
        std::fs::write(file, plot::svg(&panels(&years))).with_context(|| file.display().to_string())?;
        println!("\nplotted in {}", file.display());
    }
    check(&years)
}

/// What the default has to hold.
fn check(years: &[Year]) -> Result<()> {
    let of = |way: Way| {
        let year = years.iter().find(|year| year.way == way).context("every way was lived")?;
        Ok::<_, anyhow::Error>((
            year.all(),
            year.largest(|month| month.project),
            year.largest(|month| month.user),
        ))
    };
    let (ours, project, user) = of(Way::Dreams(Model::DEFAULT))?;
    let (everything, ..) = of(Way::Everything)?;
    let (newest, ..) = of(Way::Newest)?;
    ensure!(ours.found() >= 0.95, "only {:.1} % of what was needed was found", 100.0 * ours.found());
    ensure!(ours.stale == 0, "{} answers had a superseded value", ours.stale);
    ensure!(project < 10_000 && user < 5_000, "{project} and {user} are in force");
    ensure!(ours.stale() < everything.stale(), "keeping everything is not staler");
    ensure!(ours.stale() < newest.stale(), "keeping the newest is not staler");
    println!("\nthe default holds what it has to: found, nothing stale, within both capacities");
    Ok(())
}

async fn live(way: Way) -> Result<(Vec<Month>, Room)> {
    let begins_at: Timestamp = "2026-01-01T00:00:00Z".parse()?;
    let mut script = Script::new(SEED, begins_at);
    let mut world = World::open(way).await?;
    let mut months = Vec::new();
    let mut month = Month::default();
    while let Some(session) = script.next() {
        while script.day() > MONTH * i64::try_from(months.len() + 1).unwrap_or(1) {
            months.push(world.counted(month));
            month = Month::default();
        }
        world.live(&session, &script.topics, &mut month).await?;
    }
    months.push(world.counted(month));
    ensure!(script.day() > DAYS, "the year is over");
    Ok((months, world.room))
}

impl World {
    async fn open(way: Way) -> Result<Self> {
        let mut projects = Vec::new();
        for place in 0..PROJECTS.len() {
            let key: ProjectKey = format!("p_00000000000{place}").parse()?;
            let shelf = Shelf::open(Arc::new(MapStore::default()), Scope::Project, embedders()?).await?;
            projects.push((Arc::new(shelf), key));
        }
        let user = Arc::new(Shelf::open(Arc::new(MapStore::default()), Scope::User, embedders()?).await?);
        if let Way::Dreams(model) = way {
            projects.iter().for_each(|(shelf, _)| shelf.set_model(model));
            user.set_model(model);
        }
        let sessions = vec![0; PROJECTS.len()];
        Ok(Self {
            way,
            projects,
            user,
            mint: IdMint::seeded(SEED),
            noise: BTreeSet::new(),
            sessions,
            served: 0,
            room: Room::default(),
        })
    }

    fn reader(&self, project: usize) -> Reader {
        Reader {
            authority: Box::new(|_| Authority::Change.into()),
            zone: TimeZone::UTC,
            project: Some(self.projects[project].1.clone()),
            adviser: None,
        }
    }

    fn occasion(&mut self, at: Timestamp, actor: Actor) -> Occasion {
        let operation = OperationId::from_ulid(self.mint.mint(at));
        Occasion { operation, actor, at, recorded_at: at }
    }

    async fn live(&mut self, session: &Session, topics: &[Topic], month: &mut Month) -> Result<()> {
        let shelf = self.projects[session.project].0.clone();
        self.sessions[session.project] += 1;
        let id = SessionId::from_ulid(self.mint.mint(session.begins_at));
        let mut at = session.begins_at;
        for happens in &session.happens {
            at += Span::from_secs(60);
            match happens {
                Happens::Says { topic } => self.say(session.project, &topics[*topic], id, at).await?,
                Happens::Corrects { topic } => self.correct(session.project, &topics[*topic], id, at).await?,
                Happens::Noise { text } => self.remark(&shelf, text, at).await?,
                Happens::Asks { topic } => self.ask(&shelf, &topics[*topic], id, at, month).await?,
            }
        }
        match self.way {
            Way::Dreams(_) => self.dream(session.project, at).await,
            Way::Everything => Ok(()),
            Way::Newest => self.keep_newest(&shelf, at).await,
        }
    }

    /// A memory as it is written without a gate.
    fn written(&mut self, text: &str, kind: Kind, actor: Actor, at: Timestamp) -> Result<(Occasion, Write)> {
        let occasion = self.occasion(at, actor);
        let draft = Draft { kind, ..Draft::parse(text, 10_000)? };
        let provenance = Provenance {
            data_source: match actor {
                Actor::Human => DataSource::UserMessage,
                _ => DataSource::AssistantMessage,
            },
            ..Provenance::stated_by(actor)
        };
        let changes = plan_remember(draft, Scope::Project, provenance, occasion);
        let write = changes.writes.into_iter().next().context("a birth")?;
        Ok((occasion, write))
    }

    async fn say(&mut self, project: usize, topic: &Topic, id: SessionId, at: Timestamp) -> Result<()> {
        let shelf = self.projects[project].0.clone();
        let text = topic.statement();
        let kind = if topic.general { Kind::Preference } else { Kind::Fact };
        if !matches!(self.way, Way::Dreams(_)) {
            let (occasion, write) = self.written(&text, kind, Actor::Human, at)?;
            let changes = plan_of(occasion, write);
            shelf.change(&[], |_| Ok(changes)).await?;
            return Ok(());
        }
        let occasion = self.occasion(at, Actor::Human);
        let event = Event {
            time: Some(at),
            session: Some(id.to_string()),
            kind: Some(kind),
            ..Event::new(EventType::Remember, text)
        };
        let stated = Stated {
            operation: occasion.operation,
            actor: Actor::Human,
            event,
            tags: BTreeSet::new(),
            domain: None,
            pinned: false,
        };
        shelf.remember(stated, &self.reader(project), at).await?;
        Ok(())
    }

    async fn correct(&mut self, project: usize, topic: &Topic, id: SessionId, at: Timestamp) -> Result<()> {
        if !matches!(self.way, Way::Dreams(_)) {
            return self.say(project, topic, id, at).await;
        }
        let shelf = self.projects[project].0.clone();
        let answer =
            recall(std::slice::from_ref(&shelf), &Ask::about(topic.question()), &at.to_zoned(TimeZone::UTC))
                .await?;
        let stale =
            answer.found.iter().find(|hit| topic.is_stale_in(&hit.memory.content)).map(|hit| hit.memory.id);
        let Some(old) = stale else { return self.say(project, topic, id, at).await };
        let occasion = self.occasion(at, Actor::Human);
        let text = topic.statement();
        let provenance = Provenance {
            source_project: Some(self.projects[project].1.clone()),
            ..Provenance::stated_by(Actor::Human)
        };
        shelf
            .change(&[old], |memories| plan_correct(&memories[0], &text, provenance, 10_000, occasion))
            .await?;
        Ok(())
    }

    async fn remark(&mut self, shelf: &Arc<Shelf>, text: &str, at: Timestamp) -> Result<()> {
        let (occasion, write) = self.written(text, Kind::Observation, Actor::Assistant, at)?;
        self.noise.extend(write.memory_id());
        let changes = plan_of(occasion, write);
        shelf.change(&[], |_| Ok(changes)).await?;
        Ok(())
    }

    async fn ask(
        &mut self,
        shelf: &Arc<Shelf>,
        topic: &Topic,
        id: SessionId,
        at: Timestamp,
        month: &mut Month,
    ) -> Result<()> {
        if self.way == Way::Dreams(Model::DEFAULT) {
            self.room.ask(shelf, |memory| topic.is_told_by(&memory.content), at);
        }
        let shelves = [shelf.clone(), self.user.clone()];
        let answer = recall(&shelves, &Ask::about(topic.question()), &at.to_zoned(TimeZone::UTC)).await?;
        month.asked += 1;
        let needed = answer.found.iter().find(|hit| topic.is_told_by(&hit.memory.content));
        month.stale += usize::from(answer.found.iter().any(|hit| topic.is_stale_in(&hit.memory.content)));
        if let Some(needed) = needed {
            month.found += 1;
            let (on, used) = (shelves[needed.shelf].clone(), needed.memory.id);
            on.note_use([used], at);
            self.served += 1;
            if self.served.is_multiple_of(TOLD) && matches!(self.way, Way::Dreams(_)) {
                on.flush_notes().await?;
                let occasion = self.occasion(at, Actor::Assistant);
                let usage = Usage { session: Some(id), ..Usage::told(used, Outcome::Success, at) };
                let model = on.model();
                on.tell(&[used], |told| plan_outcome(&told[0], model, usage, occasion)).await?;
            }
        }
        let used = needed.map(|needed| needed.memory.id);
        shelf.note_recall(logged(topic, &answer, used, id, at));
        Ok(())
    }

    /// After a session, as deep as its number says, in the project and for the
    /// user.
    async fn dream(&mut self, project: usize, at: Timestamp) -> Result<()> {
        let depth = Depth::after(self.sessions[project]);
        for shelf in [self.projects[project].0.clone(), self.user.clone()] {
            let id = self.occasion(at, Actor::Engram).operation;
            let names = vec![PROJECTS[project].0.to_owned()];
            let dreamed = dream(&shelf, id, at, depth.steps().collect(), names).await?;
            for rising in dreamed.rising {
                self.rise(project, &shelf, rising, at).await?;
            }
        }
        Ok(())
    }

    async fn rise(&self, project: usize, shelf: &Shelf, id: MemoryId, at: Timestamp) -> Result<()> {
        let memory = shelf.load(id).await?;
        let ascent = Ascent {
            memory: &memory,
            reason: PromotionReason::Score,
            score: shelf.worth(&memory),
            part_of: None,
        };
        if let Some(promotion) = self.user.receive(shelf, ascent, &self.reader(project), at).await? {
            shelf.let_go(&promotion).await?;
        }
        Ok(())
    }

    /// Whatever is beyond the newest goes for good.
    async fn keep_newest(&mut self, shelf: &Arc<Shelf>, at: Timestamp) -> Result<()> {
        let mut all = shelf.kept_where(|memory| memory.status.is_current());
        all.sort_by_key(|memory| std::cmp::Reverse((memory.created_at, memory.id)));
        let surplus: Vec<Write> = all
            .into_iter()
            .skip(NEWEST)
            .map(|memory| Write::Remove { memory: Box::new(Arc::unwrap_or_clone(memory)) })
            .collect();
        if surplus.is_empty() {
            return Ok(());
        }
        let occasion = self.occasion(at, Actor::Engram);
        let (_, write) = self.written("gone", Kind::Fact, Actor::Engram, at)?;
        let mut changes = plan_of(occasion, write);
        changes.writes = surplus;
        shelf.change(&[], |_| Ok(changes)).await?;
        Ok(())
    }

    fn counted(&self, mut month: Month) -> Month {
        let current = |shelf: &Shelf| shelf.kept_where(|memory| memory.status.is_current()).len();
        month.project = current(&self.projects[0].0);
        month.user = current(&self.user);
        month.noise = self.noise.len();
        let in_force = self.projects.iter().map(|(shelf, _)| {
            shelf.kept_where(|memory| memory.status.is_current() && self.noise.contains(&memory.id)).len()
        });
        month.noise_away = month.noise - in_force.sum::<usize>();
        month
    }
}

fn plan_of(occasion: Occasion, write: Write) -> engram_core::Changes {
    let Occasion { operation, actor, at, .. } = occasion;
    let writes = vec![write];
    engram_core::Changes {
        operation,
        cause: engram_core::Cause::Remember,
        actor,
        at,
        undoes: None,
        part_of: None,
        writes,
    }
}

fn logged(
    topic: &Topic,
    answer: &Answer,
    used: Option<MemoryId>,
    id: SessionId,
    at: Timestamp,
) -> RecallLogged {
    let query = topic.question();
    RecallLogged {
        id: RecallId::of(at, Some(id), &query),
        via: Surface::Search,
        query,
        query_type: answer.query_type,
        intent: answer.intent,
        strategy: answer.strategy,
        results_returned: u32::try_from(answer.found.len()).unwrap_or(u32::MAX),
        results_used: u32::from(used.is_some()),
        user_feedback: None,
        latency_ms: 0.0,
        scopes: vec![Scope::Project, Scope::User],
        with_model: false,
        shown: answer.found.iter().map(|hit| hit.memory.id).collect(),
        pool: answer.pool.clone(),
        used: used.into_iter().collect(),
        settled_at: Some(at),
        confidence: answer.confidence,
        session: Some(id),
        at,
    }
}

fn print_months(years: &[Year]) {
    for (title, value) in [
        (
            "In force in the largest project, by month",
            (|month| month.project.to_string()) as fn(&Month) -> String,
        ),
        ("Found of what was needed, in percent", |month| format!("{:.1}", 100.0 * month.found())),
        ("Answers with a stale value, in percent", |month| format!("{:.1}", 100.0 * month.stale())),
        ("Noise put away, in percent", |month| format!("{:.1}", 100.0 * month.away())),
    ] {
        let mut table = Table::new();
        table.load_style(ASCII_MARKDOWN);
        let months = years.first().map_or(0, |year| year.months.len());
        table.set_header(std::iter::once(String::new()).chain((1..=months).map(|month| month.to_string())));
        for year in years {
            table.add_row(std::iter::once(year.way.name()).chain(year.months.iter().map(value)));
        }
        println!("\n{title}\n\n{table}");
    }
}

fn print_years(years: &[Year]) {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN);
    table.set_header([
        "the year",
        "asked",
        "found",
        "stale",
        "noise put away",
        "most in project",
        "most for user",
        "seconds",
    ]);
    for year in years {
        let all = year.all();
        table.add_row([
            year.way.name(),
            all.asked.to_string(),
            format!("{:.2} %", 100.0 * all.found()),
            format!("{:.2} %", 100.0 * all.stale()),
            format!("{:.1} %", 100.0 * all.away()),
            year.largest(|month| month.project).to_string(),
            year.largest(|month| month.user).to_string(),
            format!("{:.1}", year.took.as_secs_f64()),
        ]);
    }
    println!("\n{table}");
}

fn panels(years: &[Year]) -> Vec<Panel> {
    let lines = |value: fn(&Month) -> f64| {
        let line =
            |year: &Year| Line { name: year.way.name(), values: year.months.iter().map(value).collect() };
        years.iter().map(line).collect::<Vec<_>>()
    };
    vec![
        Panel {
            title: "in force in the largest project",
            lines: lines(|month| month.project as f64),
            percent: false,
        },
        Panel { title: "found of what was needed", lines: lines(Month::found), percent: true },
        Panel { title: "answers with a stale value", lines: lines(Month::stale), percent: true },
        Panel { title: "noise put away", lines: lines(Month::away), percent: true },
    ]
}
