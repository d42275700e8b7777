//! Three people at one team: whatever happens between them and the server,
//! nothing that was acknowledged is lost or done twice, and all of them come to
//! hold the same.

#[path = "team/outbox.rs"]
mod outbox;

use engram_core::ask::{Intent as Asked, QueryType};
use engram_core::decision::{Pair, Review, Ruling};
use engram_core::plan::{Draft, Occasion, plan_remember};
use engram_core::port::{Embedder, Store as _};
use engram_core::recalled::{RecallLogged, Strategy, Surface};
use engram_core::team::port::{Far as _, FarError};
use engram_core::team::{Intent, Member, Outgoing, Position, Reviewers, Role, Rulers, as_shared};
use engram_core::{
    Actor, Cause, Confidence, IdMint, Memory, MemoryId, OperationId, Provenance, RecallId, RelationKind,
    Scope, Span, Status, Timestamp,
};
use engram_engine::{
    Ask, ChangeError, Embedders, FoundThere, Seat, Shelf, SyncError, question_for, recall, searchable,
};
use engram_maps::MapStore;
use engram_testkit::make::newborn;
use engram_testkit::{FakeEmbedder, FakeFar, FakeServer, Fault};
use jiff::tz::TimeZone;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

/// One person at their machine, with a clock of their own.
struct Desk {
    store: Arc<MapStore>,
    shelf: Arc<Shelf>,
    far: Arc<FakeFar>,
    seat: Seat,
    member: Member,
    mint: IdMint,
    now: Timestamp,
}

struct Lab {
    server: Arc<FakeServer>,
    desks: Vec<Desk>,
    /// What was acknowledged, and by whom.
    acknowledged: Vec<(usize, OperationId, Intent)>,
}

fn table() -> Embedders {
    let table: Arc<dyn Embedder> = Arc::new(FakeEmbedder::new("table", 64, 0));
    Embedders { table: Some(table), models: Vec::new() }
}

async fn shelf_over(store: &Arc<MapStore>, scope: Scope) -> Arc<Shelf> {
    Arc::new(Shelf::open(store.clone(), scope, table()).await.unwrap())
}

impl Desk {
    async fn at(server: &Arc<FakeServer>, member: Member, seed: u64, offset: Span) -> Self {
        let store = Arc::new(MapStore::default());
        let far = server.seen_by(member.id);
        let shelf = shelf_over(&store, Scope::Team).await;
        let charter = far.charter().await.unwrap();
        let seat = Seat::new(shelf.clone(), far.clone(), member.clone(), charter);
        let now = Timestamp::from_second(1_800_000_000).unwrap() + offset;
        Self { store, shelf, far, seat, member, mint: IdMint::seeded(seed), now }
    }

    /// The machine is started again.
    async fn restart(&mut self) {
        self.shelf = shelf_over(&self.store, Scope::Team).await;
        self.seat = Seat::new(self.shelf.clone(), self.far.clone(), self.seat.me(), self.seat.charter());
    }

    /// As the daemon asks the server's indexes.
    async fn looks_for(&self, text: &str) -> FoundThere {
        let asked = question_for(&self.shelf, text, 1_000, 10).await.unwrap();
        self.seat.look_there(asked).await.unwrap()
    }

    /// The machine holds so many memories at most.
    async fn hold(&mut self, most: usize) {
        let seat = Seat::new(self.shelf.clone(), self.far.clone(), self.seat.me(), self.seat.charter());
        self.seat = seat.holding(most);
    }

    fn occasion(&mut self) -> Occasion {
        self.now += Span::from_secs(1);
        let operation = OperationId::from_ulid(self.mint.mint(self.now));
        Occasion { operation, actor: Actor::Human, at: self.now, recorded_at: self.now }
    }

    /// A text as this person would share it.
    fn text(&mut self, text: &str) -> Memory {
        let draft = Draft::parse(text, 10_000).unwrap();
        let birth =
            plan_remember(draft, Scope::Project, Provenance::stated_by(Actor::Human), self.occasion());
        as_shared(&newborn(&birth), self.member.id, Some("shop".into()), self.now)
    }

    async fn queue(&mut self, intent: Intent) -> Result<OperationId, ChangeError> {
        let occasion = self.occasion();
        let (me, charter) = (self.seat.me(), self.seat.charter());
        self.shelf.queue(intent, &me, &charter, occasion).await.map(|()| occasion.operation)
    }

    async fn share(&mut self, text: &str) -> MemoryId {
        let memory = Box::new(self.text(text));
        let id = memory.id;
        self.queue(Intent::Share { memory }).await.unwrap();
        id
    }

    async fn correct(&mut self, of: MemoryId, text: &str) -> MemoryId {
        let base = self.shelf.load(of).await.unwrap().revision;
        let memory = Box::new(self.text(text));
        let id = memory.id;
        self.queue(Intent::Correct { of, base, memory }).await.unwrap();
        id
    }

    async fn pull(&mut self) -> Result<engram_engine::Pulled, SyncError> {
        let at = self.occasion().at;
        self.seat.pull(at).await
    }

    async fn push(&mut self) -> Result<engram_engine::Pushed, SyncError> {
        let at = self.occasion().at;
        self.seat.push(at).await
    }

    async fn sync(&mut self) {
        self.pull().await.unwrap();
        self.push().await.unwrap();
        self.pull().await.unwrap();
    }

    async fn memory(&self, id: MemoryId) -> Memory {
        self.shelf.load(id).await.unwrap()
    }

    async fn status(&self, id: MemoryId) -> Status {
        self.memory(id).await.status
    }

    async fn all(&self) -> Vec<Memory> {
        let mut all = Vec::new();
        self.store.scan(&mut |memory| all.push(memory)).await.unwrap();
        all
    }

    async fn reviews(&self) -> Vec<Review> {
        self.store.load_reviews().await.unwrap()
    }

    async fn lines(&self) -> Vec<Outgoing> {
        self.store.outgoing(usize::MAX).await.unwrap()
    }

    async fn check_index(&self) {
        assert_eq!(self.shelf.differences().await.unwrap(), []);
    }
}

impl Lab {
    /// A maintainer and two members; each clock is so far ahead of the last.
    async fn with(window: u64, apart: Span) -> Self {
        let server = FakeServer::new(window);
        let mut desks = Vec::new();
        for (number, role) in [Role::Maintainer, Role::Member, Role::Member].into_iter().enumerate() {
            let member = server.join(&format!("m{number}"), role);
            let seed = number as u64 + 1;
            desks.push(Desk::at(&server, member, seed, apart * i32::try_from(number).unwrap()).await);
        }
        Self { server, desks, acknowledged: Vec::new() }
    }

    async fn new() -> Self {
        Self::with(1_000, Span::ZERO).await
    }

    async fn sync_all(&mut self) {
        for _ in 0..2 {
            for desk in &mut self.desks {
                desk.sync().await;
            }
        }
    }

    /// Every replica holds what the server holds, and what is derived from it.
    async fn check_same(&self) {
        let there = self.server.memories();
        for desk in &self.desks {
            let here = desk.all().await;
            let ids = |all: &[Memory]| all.iter().map(|memory| memory.id).collect::<Vec<_>>();
            assert_eq!(ids(&here), ids(&there));
            for (one, other) in here.iter().zip(&there) {
                let shared = |memory: &Memory| {
                    let author = memory.provenance.author;
                    (memory.content.clone(), memory.revision, author, memory.tags.clone(), memory.importance)
                };
                assert_eq!(shared(one), shared(other));
                let used = one.status_change.cause == Cause::Use && one.status == Status::Active;
                assert!(one.status == other.status || used && other.status == Status::Created);
            }
            assert_eq!(desk.reviews().await, self.server.reviews());
            let mut edges = desk.store.load_edges().await.unwrap();
            edges.sort();
            assert_eq!(edges, self.server.relations());
            desk.check_index().await;
        }
    }

    /// Whoever doubts is heard: what is challenged is in a pair that somebody
    /// can still decide about.
    fn check_challenged(&self) {
        let open: Vec<Review> =
            self.server.reviews().into_iter().filter(|review| review.closed.is_none()).collect();
        for memory in self.server.memories().iter().filter(|one| one.status == Status::Challenged) {
            assert!(open.iter().any(|review| review.is_about(&[memory.id])), "{memory:?}");
        }
    }

    /// What was acknowledged is done once, or kept with the reason why not.
    async fn check_acknowledged(&self) {
        let done = self.server.operations();
        for (desk, operation, intent) in &self.acknowledged {
            let lines = self.desks[*desk].lines().await;
            let line = lines.iter().find(|line| line.operation == *operation);
            let refused = line.is_some_and(|line| line.refused_at.is_some() && line.problem.is_some());
            // What was decided or withdrawn by another in the meantime is done.
            let as_wanted = match intent {
                Intent::Rule { review, ruling } => self.server.reviews().iter().any(|known| {
                    known.id == *review && known.closed.is_some_and(|closed| closed.ruling == *ruling)
                }),
                Intent::Withdraw { memory } => {
                    let one = self.server.memories().into_iter().find(|one| one.id == *memory);
                    one.is_some_and(|one| one.status == Status::Forgotten)
                }
                _ => false,
            };
            assert!(done.contains(operation) || refused || as_wanted, "{intent:?} is lost");
            assert_eq!(line.is_some(), refused, "{intent:?} still waits, or was done and refused");
            if let Some(memory) = intent.newborn() {
                let there = self.server.memories().into_iter().any(|one| one.id == memory.id);
                assert_eq!(there, !refused, "{intent:?}");
            }
        }
    }
}

/// Gives up on what does not answer. Here nothing waits but what hangs.
async fn unless_it_hangs<T>(work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(tokio::task::unconstrained(work));
    poll_fn(|context| {
        Poll::Ready(match work.as_mut().poll(context) {
            Poll::Ready(done) => Some(done),
            Poll::Pending => None,
        })
    })
    .await
}

/// SplitMix64, for scripts that can be told again by their seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % sides as u64) as usize
    }

    fn fault(&mut self) -> Option<Fault> {
        use Fault::{Cut, Doubled, Hang, LostAnswer};
        [None, None, None, None, Some(Cut), Some(LostAnswer), Some(Doubled), Some(Hang)][self.roll(8)]
    }
}

const TOPICS: &[&str] = &["deploy on friday", "port 8080", "tabs not blanks", "main branch", "nightly build"];

/// One step of a script at one desk.
async fn step(lab: &mut Lab, dice: &mut Dice, number: usize) {
    let who = dice.roll(lab.desks.len());
    let desk = &mut lab.desks[who];
    let text = format!("{} {number}", TOPICS[dice.roll(TOPICS.len())]);
    let current: Vec<Memory> =
        desk.all().await.into_iter().filter(|memory| memory.status.is_current()).collect();
    let intent = match dice.roll(10) {
        0 | 1 => Some(Intent::Share { memory: Box::new(desk.text(&text)) }),
        2 | 3 if !current.is_empty() => {
            let old = &current[dice.roll(current.len())];
            let (of, base) = (old.id, old.revision);
            Some(Intent::Correct { of, base, memory: Box::new(desk.text(&text)) })
        }
        4 if !current.is_empty() => Some(Intent::Withdraw { memory: current[dice.roll(current.len())].id }),
        5 => {
            let open: Vec<Review> =
                desk.reviews().await.into_iter().filter(|review| review.closed.is_none()).collect();
            let ruling = [Ruling::Newer, Ruling::Older, Ruling::Both][dice.roll(3)];
            (!open.is_empty()).then(|| Intent::Rule { review: open[dice.roll(open.len())].id, ruling })
        }
        6 => {
            let at = desk.occasion().at;
            desk.shelf.note_use(current.iter().take(2).map(|memory| memory.id), at);
            desk.shelf.flush_notes().await.unwrap();
            None
        }
        7 => {
            desk.restart().await;
            None
        }
        _ => None,
    };
    if let Some(intent) = intent {
        let operation = desk.queue(intent.clone()).await.unwrap();
        lab.acknowledged.push((who, operation, intent));
    }
    let desk = &mut lab.desks[who];
    if dice.roll(3) > 0 {
        desk.far.plan((0..4).map(|_| dice.fault()));
        // What hangs is given up; what is cut off is tried again some day.
        let _ = unless_it_hangs(desk.pull()).await;
        desk.far.plan((0..6).map(|_| dice.fault()));
        let _ = unless_it_hangs(desk.push()).await;
        desk.far.calm();
    }
    desk.check_index().await;
}

async fn play(seed: u64, window: u64, apart: Span, rulers: Rulers) -> Lab {
    let mut lab = Lab::with(window, apart).await;
    lab.server.set_charter(|charter| charter.rulers = rulers);
    let mut dice = Dice(seed);
    for number in 0..60 {
        step(&mut lab, &mut dice, number).await;
    }
    lab.sync_all().await;
    lab
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_or_doubled_and_all_replicas_converge() {
    let mut acknowledged = 0;
    for seed in 0..60 {
        let lab = play(seed, 1_000, Span::ZERO, Rulers::Member).await;
        lab.check_same().await;
        lab.check_acknowledged().await;
        lab.check_challenged();
        acknowledged += lab.acknowledged.len();
    }
    assert!(acknowledged > 600, "scripts that do nothing show nothing");
}

#[tokio::test]
async fn a_feed_that_forgets_and_clocks_that_differ_change_nothing_of_that() {
    for seed in 100..130 {
        let lab = play(seed, 7, Span::from_hours(-1), Rulers::Maintainer).await;
        lab.check_same().await;
        lab.check_acknowledged().await;
        lab.check_challenged();
    }
}

/// The same people do the same with clocks an hour apart, and the end is the
/// same but for the names of things.
#[tokio::test]
async fn clocks_an_hour_apart_change_nothing() {
    let mut ends = Vec::new();
    for apart in [Span::ZERO, Span::from_hours(1), Span::from_hours(-1)] {
        let mut lab = Lab::with(1_000, apart).await;
        let fact = lab.desks[1].share("the port is 80").await;
        lab.sync_all().await;
        lab.desks[2].correct(fact, "the port is 81").await;
        lab.desks[1].correct(fact, "the port is 82").await;
        lab.desks[2].sync().await;
        lab.desks[1].sync().await;
        lab.sync_all().await;
        let pairs = lab.server.reviews();
        let pair = |review: &Review| match review.pair {
            Pair::Memories { newer, older } => (newer, older),
            other => panic!("{other:?}"),
        };
        let last = |review: &&Review| !pairs.iter().any(|other| pair(other).1 == pair(review).0);
        let review = pairs.iter().find(last).unwrap();
        let newer = pair(review).0;
        let newest = lab.desks[0].memory(newer).await.content;
        lab.desks[0].queue(Intent::Rule { review: review.id, ruling: Ruling::Newer }).await.unwrap();
        lab.sync_all().await;
        lab.check_same().await;
        let mut end: Vec<(String, Status, u32)> = Vec::new();
        for memory in lab.desks[0].all().await {
            end.push((memory.content, memory.status, memory.revision));
        }
        end.sort();
        assert!(end.iter().any(|(text, status, _)| *text == newest && *status == Status::Active));
        ends.push((end.into_iter().map(|(_, status, _)| status).collect::<Vec<_>>(), lab.server.latest()));
    }
    assert_eq!(ends[0].1, ends[1].1);
    assert_eq!(ends[0].1, ends[2].1);
    for end in &mut ends {
        end.0.sort();
    }
    assert_eq!((&ends[0].0, &ends[0].0), (&ends[1].0, &ends[2].0));
}

/// What 1 shared is corrected by two people who have not heard of each other, in
/// every order, the author among them or not.
#[tokio::test]
async fn two_corrections_end_in_one_review() {
    let rulings = [(Ruling::Newer, 1), (Ruling::Older, 1), (Ruling::Both, 2)];
    for ((one, other), (ruling, least)) in
        [(1, 2), (2, 1), (0, 2), (2, 0)].into_iter().flat_map(|pair| rulings.map(|ruling| (pair, ruling)))
    {
        let mut lab = Lab::new().await;
        let fact = lab.desks[1].share("the port is 80").await;
        lab.sync_all().await;
        let first = lab.desks[one].correct(fact, "the port is 81").await;
        let second = lab.desks[other].correct(fact, "the port is 82").await;
        lab.desks[one].push().await.unwrap();
        lab.desks[other].push().await.unwrap();
        lab.sync_all().await;
        lab.check_same().await;
        for id in [first, second] {
            assert_eq!(lab.desks[0].status(id).await, Status::Challenged, "{one} then {other}");
        }
        let review = lab.server.reviews()[0].id;
        lab.desks[0].queue(Intent::Rule { review, ruling }).await.unwrap();
        lab.sync_all().await;
        assert!(lab.server.reviews().iter().all(|review| review.closed.is_some()), "one decides for all");
        lab.check_same().await;
        let mut statuses = Vec::new();
        for id in [fact, first, second] {
            statuses.push(lab.desks[2].status(id).await);
        }
        assert!(!statuses.contains(&Status::Challenged), "{statuses:?}");
        let active = statuses.iter().filter(|status| **status == Status::Active).count();
        assert!(active == least || ruling == Ruling::Both && active > least, "{ruling}: {statuses:?}");
    }
}

#[tokio::test]
async fn a_ruling_decides_for_all_whatever_the_order() {
    let mut ends = Vec::new();
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let mut lab = Lab::new().await;
        let fact = lab.desks[1].share("the port is 80").await;
        lab.sync_all().await;
        let first = lab.desks[1].correct(fact, "the port is 81").await;
        lab.desks[1].sync().await;
        let second = lab.desks[2].correct(fact, "the port is 82").await;
        lab.desks[2].sync().await;
        lab.desks[0].sync().await;
        let review = lab.desks[0].reviews().await[0].id;
        lab.desks[0].queue(Intent::Rule { review, ruling: Ruling::Newer }).await.unwrap();
        assert_eq!(lab.desks[0].status(second).await, Status::Active, "shown at once");
        lab.desks[0].push().await.unwrap();
        for desk in order {
            lab.desks[desk].pull().await.unwrap();
        }
        lab.check_same().await;
        let mut end = Vec::new();
        for id in [fact, first, second] {
            end.push(lab.desks[1].status(id).await);
        }
        ends.push(end);
    }
    let expected = vec![Status::Superseded, Status::Superseded, Status::Active];
    assert_eq!(ends, vec![expected.clone(), expected.clone(), expected]);
}

#[tokio::test]
async fn a_window_that_passed_is_a_full_resync() {
    let mut lab = Lab::with(10, Span::ZERO).await;
    for desk in &mut lab.desks {
        desk.pull().await.unwrap();
    }
    let waiting = lab.desks[2].share("written while nobody could be reached").await;
    let mut ids = Vec::new();
    for number in 0..30 {
        ids.push(lab.desks[1].share(&format!("fact number {number}")).await);
        lab.desks[1].sync().await;
    }
    lab.server.remove(ids[3]);
    let pulled = lab.desks[2].pull().await.unwrap();
    assert!(pulled.resynced && pulled.position == lab.server.latest(), "{pulled:?}");
    assert_eq!(lab.desks[2].memory(waiting).await.status, Status::Created, "it is still on its way");
    lab.sync_all().await;
    lab.check_same().await;
    assert_eq!(lab.server.memories().len(), 30);
}

#[tokio::test]
async fn a_server_that_was_set_back_is_followed() {
    let mut lab = Lab::new().await;
    let ids = [lab.desks[1].share("one").await, lab.desks[1].share("two").await];
    lab.sync_all().await;
    // Another server stands in its place, as after a restore of an older copy.
    let other = FakeServer::new(1_000);
    let member = other.join("m0", Role::Maintainer);
    assert_eq!(member.id, lab.desks[0].member.id);
    let desk = &mut lab.desks[0];
    desk.seat = Seat::new(desk.shelf.clone(), other.seen_by(member.id), member, desk.seat.charter());
    assert!(desk.pull().await.unwrap().resynced);
    assert!(desk.store.load(ids.to_vec()).await.unwrap().is_empty());
    desk.check_index().await;
}

#[tokio::test]
async fn a_withdrawn_text_is_in_no_replica() {
    let mut lab = Lab::new().await;
    let secret = "the launch is called bluebird";
    let id = lab.desks[1].share(secret).await;
    lab.sync_all().await;
    lab.desks[2].correct(id, "the launch is called redbird").await;
    lab.sync_all().await;
    let desk = &mut lab.desks[2];
    let at = desk.occasion().at;
    let asked = RecallLogged {
        id: RecallId::of(at, None, "what is bluebird"),
        via: Surface::Search,
        query: "what is bluebird".to_owned(),
        query_type: QueryType::General,
        intent: Asked::General,
        strategy: Strategy::Hybrid,
        results_returned: 1,
        results_used: 0,
        user_feedback: None,
        latency_ms: 1.0,
        scopes: vec![Scope::Team],
        with_model: false,
        shown: vec![id],
        pool: Vec::new(),
        used: Vec::new(),
        settled_at: None,
        confidence: Confidence::DEFAULT,
        session: None,
        at,
    };
    desk.shelf.note_recall(asked);
    lab.desks[1].queue(Intent::Withdraw { memory: id }).await.unwrap();
    assert_eq!(lab.desks[1].status(id).await, Status::Archived, "out of sight at once");
    lab.sync_all().await;
    lab.check_same().await;
    for desk in &lab.desks {
        desk.shelf.flush_notes().await.unwrap();
        let memory = desk.memory(id).await;
        assert_eq!((memory.status, memory.content.as_str()), (Status::Forgotten, ""));
        let operations = desk.store.latest_operations(1_000).await.unwrap();
        let recalls = desk.store.latest_recalls(1_000).await.unwrap();
        let reviews = desk.reviews().await;
        let kept =
            format!("{:?} {operations:?} {recalls:?} {reviews:?} {:?}", desk.all().await, desk.lines().await);
        assert!(!kept.contains("bluebird"), "{kept}");
        let mut vectors = 0;
        desk.store.scan_vectors(&mut |vector| vectors += usize::from(vector.memory == id)).await.unwrap();
        assert_eq!(vectors, 0);
    }
}

#[tokio::test]
async fn what_the_team_gave_up_hides_the_projects_copy() {
    let mut lab = Lab::new().await;
    let (store, mut steps) = (Arc::new(MapStore::default()), engram_testkit::make::Steps::default());
    let project = shelf_over(&store, Scope::Project).await;
    let births = ["the deploy waits for friday", "the staging deploy needs the vpn"]
        .map(|text| steps.remember(text, Scope::Project));
    let [old, withdrawn] = births.each_ref().map(newborn);
    for birth in births {
        project.change(&[], |_| Ok(birth)).await.unwrap();
    }
    for memory in [&old, &withdrawn] {
        let desk = &mut lab.desks[1];
        desk.now += Span::from_mins(1);
        let shared = as_shared(memory, desk.member.id, None, desk.now);
        desk.queue(Intent::Share { memory: Box::new(shared) }).await.unwrap();
    }
    lab.sync_all().await;
    let found = async |lab: &Lab| -> Vec<(Scope, String)> {
        let shelves = [project.clone(), lab.desks[1].shelf.clone()];
        let at = lab.desks[1].now.to_zoned(TimeZone::UTC);
        let answer = recall(&shelves, &Ask::about("when is the deploy"), &at).await.unwrap();
        answer.found.into_iter().map(|found| (found.memory.scope, found.memory.content)).collect()
    };
    let text = |scope, text: &str| (scope, text.to_owned());
    assert!(found(&lab).await.contains(&text(Scope::Team, "the deploy waits for friday")));
    lab.desks[1].correct(old.id, "the deploy waits for monday").await;
    lab.desks[1].queue(Intent::Withdraw { memory: withdrawn.id }).await.unwrap();
    lab.sync_all().await;
    let shown = found(&lab).await;
    assert!(shown.contains(&text(Scope::Team, "the deploy waits for monday")), "{shown:?}");
    assert!(!shown.iter().any(|(_, text)| text.contains("friday")), "{shown:?}");
    assert!(shown.contains(&text(Scope::Project, "the staging deploy needs the vpn")), "{shown:?}");
}

#[tokio::test]
async fn a_row_that_cannot_be_read_stops_nobody() {
    let mut lab = Lab::with(12, Span::ZERO).await;
    let bad = lab.desks[1].share("a newer engram writes this anew").await;
    lab.sync_all().await;
    assert_eq!(lab.desks[2].status(bad).await, Status::Created);
    lab.server.garble(bad);
    let good = lab.desks[0].share("the port is 80").await;
    lab.desks[0].sync().await;
    let desk = &mut lab.desks[2];
    let waiting = desk.share("the host is blue").await;
    let pulled = desk.pull().await.unwrap();
    assert_eq!((pulled.position, pulled.resynced), (lab.server.latest(), false));
    assert_eq!(pulled.unread, [format!("memory:{bad}")]);
    // What cannot be read counts as not there.
    let held: Vec<MemoryId> = desk.all().await.iter().map(|memory| memory.id).collect();
    assert_eq!(held, [good, waiting]);
    assert_eq!(desk.push().await.unwrap().delivered, 1);
    assert_eq!(desk.pull().await.unwrap().unread, Vec::<String>::new(), "it is told once");
    desk.check_index().await;
    // Whoever joins, or was away for too long, reads everything but that.
    let member = lab.server.join("new", Role::Member);
    let mut new = Desk::at(&lab.server, member, 9, Span::ZERO).await;
    let pulled = new.pull().await.unwrap();
    assert!(pulled.resynced && pulled.unread.len() == 1, "{pulled:?}");
    assert_eq!(new.all().await.len(), 2);
}

#[tokio::test]
async fn what_was_withdrawn_or_is_anothers_is_not_shared_again_under_its_name() {
    let mut lab = Lab::new().await;
    let memory = lab.desks[1].text("the port is 80");
    let again = |by: &Desk| {
        let mut memory = memory.clone();
        memory.provenance.author = Some(by.member.id);
        Intent::Share { memory: Box::new(memory) }
    };
    for desk in [1, 2, 1] {
        let intent = again(&lab.desks[desk]);
        lab.desks[desk].queue(intent).await.unwrap();
        lab.desks[desk].push().await.unwrap();
    }
    let problem = async |desk: &Desk| desk.lines().await[0].problem.clone().unwrap();
    assert_eq!(problem(&lab.desks[2]).await, format!("memory {} was shared by somebody else", memory.id));
    assert_eq!(problem(&lab.desks[1]).await, format!("memory {} is the team's already, or was", memory.id));
    lab.sync_all().await;
    lab.check_same().await;
    assert_eq!(lab.server.memories().len(), 1);
}

#[tokio::test]
async fn an_older_view_is_planned_again_and_a_stale_feed_waits() {
    let mut lab = Lab::new().await;
    let fact = lab.desks[1].share("the port is 80").await;
    lab.sync_all().await;
    // 2 doubts it; 1, the author, plans from the row of before that.
    lab.desks[2].correct(fact, "the port is 81").await;
    lab.desks[2].push().await.unwrap();
    let desk = &mut lab.desks[1];
    let own = desk.correct(fact, "the port is 82").await;
    assert_eq!(desk.status(fact).await, Status::Superseded, "shown as if nobody doubted it");
    // The charter, the members, the ties, and the rows of before the change.
    desk.far.plan([None, None, Some(Fault::Stale), Some(Fault::Stale)]);
    desk.push().await.unwrap();
    lab.sync_all().await;
    lab.check_same().await;
    assert_eq!(lab.desks[0].status(own).await, Status::Challenged);
    assert_eq!(lab.desks[0].status(fact).await, Status::Challenged);
    // A stale head or feed tells less, and never something wrong.
    let new = lab.desks[1].share("one more").await;
    lab.desks[1].push().await.unwrap();
    lab.desks[2].far.plan([None, Some(Fault::Stale)]);
    lab.desks[2].pull().await.unwrap();
    assert!(lab.desks[2].store.load(vec![new]).await.unwrap().is_empty());
    lab.sync_all().await;
    lab.check_same().await;
}

#[tokio::test]
async fn what_a_maintainer_has_to_approve_is_a_proposal_until_then() {
    let mut lab = Lab::new().await;
    let fact = lab.desks[1].share("the port is 80").await;
    lab.sync_all().await;
    lab.server.set_charter(|charter| charter.review = Reviewers::Maintainer);
    // This desk does not know it yet: what it showed goes when it is told.
    let shared = lab.desks[1].share("the host is blue").await;
    let new = lab.desks[2].correct(fact, "the port is 81").await;
    assert_eq!(lab.desks[2].status(fact).await, Status::Challenged);
    // Nor does it when it asks: it is refused, asks again, and proposes.
    lab.desks[1].far.plan([Some(Fault::Stale)]);
    assert_eq!(lab.desks[1].push().await.unwrap().delivered, 1);
    lab.sync_all().await;
    lab.check_same().await;
    assert_eq!(lab.server.memories().len(), 1);
    assert_eq!(lab.desks[2].status(fact).await, Status::Created);
    let seen = |proposals: Vec<engram_core::team::Proposal>| proposals.len();
    assert_eq!(seen(lab.desks[0].far.proposals().await.unwrap()), 2);
    assert_eq!(seen(lab.desks[1].far.proposals().await.unwrap()), 1);
    let answer = |proposal, approve| Intent::Answer { proposal, approve };
    lab.desks[0].queue(answer(new, true)).await.unwrap();
    lab.desks[0].queue(answer(shared, false)).await.unwrap();
    lab.sync_all().await;
    lab.check_same().await;
    let ids: Vec<MemoryId> = lab.server.memories().iter().map(|memory| memory.id).collect();
    assert!(ids.contains(&new) && !ids.contains(&shared));
    for id in [fact, new] {
        assert_eq!(lab.desks[1].status(id).await, Status::Challenged);
    }
    assert_eq!(lab.server.reviews().len(), 1);
}

#[tokio::test]
async fn a_proposal_is_taken_back_by_its_author_also_before_it_was_said() {
    let mut lab = Lab::new().await;
    lab.server.set_charter(|charter| charter.review = Reviewers::Maintainer);
    lab.sync_all().await;
    let said = lab.desks[1].share("the host is blue").await;
    lab.desks[1].sync().await;
    let unsaid = lab.desks[1].share("the host is green").await;
    for memory in [said, unsaid] {
        lab.desks[1].queue(Intent::Withdraw { memory }).await.unwrap();
    }
    // Whose answer is lost is asked again, and was done.
    lab.desks[1].far.plan([None, None, None, None, Some(Fault::LostAnswer)]);
    lab.desks[1].push().await.unwrap_err();
    lab.desks[1].far.calm();
    lab.sync_all().await;
    assert!(lab.desks[1].lines().await.is_empty(), "{:?}", lab.desks[1].lines().await);
    assert_eq!(lab.desks[0].far.proposals().await.unwrap(), []);
    assert_eq!(lab.server.memories(), []);
    lab.check_same().await;
}

#[tokio::test]
async fn whoever_is_removed_keeps_what_waits_and_gets_nothing_more() {
    let mut lab = Lab::new().await;
    lab.sync_all().await;
    let member = lab.desks[2].member.id;
    lab.desks[0].queue(Intent::SetMember { member, role: Role::Member, active: false }).await.unwrap();
    lab.desks[0].sync().await;
    lab.desks[2].share("said too late").await;
    lab.desks[1].share("not for everybody").await;
    lab.desks[1].sync().await;
    let desk = &mut lab.desks[2];
    assert!(matches!(desk.push().await, Err(SyncError::Far(FarError::Denied(_)))));
    assert!(matches!(desk.pull().await, Err(SyncError::Far(FarError::Denied(_)))));
    let lines = desk.lines().await;
    assert!(lines.len() == 1 && lines[0].refused_at.is_none(), "{lines:?}");
    assert!(!desk.all().await.iter().any(|memory| memory.content == "not for everybody"));
}

#[tokio::test]
async fn what_others_share_keeps_the_traces_of_its_use_here() {
    let mut lab = Lab::new().await;
    let fact = lab.desks[1].share("the port is 80").await;
    lab.sync_all().await;
    let desk = &mut lab.desks[2];
    let at = desk.occasion().at;
    desk.shelf.note_use([fact], at);
    desk.shelf.flush_notes().await.unwrap();
    let used = desk.memory(fact).await;
    assert_eq!((used.status, used.trace.access_count, used.revision), (Status::Active, 1, 0));
    lab.desks[0].correct(fact, "the port is 81").await;
    lab.sync_all().await;
    let after = lab.desks[2].memory(fact).await;
    assert_eq!((after.status, after.trace.access_count), (Status::Challenged, 1));
    assert_eq!(after.provenance.data_source.as_str(), "federation");
    assert_eq!(lab.desks[1].memory(fact).await.provenance.data_source.as_str(), "user_message");
    let edges = lab.desks[2].store.load_edges().await.unwrap();
    assert!(edges.iter().all(|edge| edge.kind == RelationKind::Contradicts) && edges.len() == 1);
}

#[tokio::test]
async fn joining_reads_everything_in_few_commits() {
    let mut lab = Lab::new().await;
    let rows: Vec<Memory> =
        (0..4_100).map(|number| lab.desks[1].text(&format!("fact number {number}"))).collect();
    lab.server.fill(rows);
    let desk = &mut lab.desks[2];
    assert_eq!(desk.pull().await.unwrap().memories, 4_100);
    let operations = desk.store.latest_operations(100).await.unwrap();
    assert_eq!(operations.len(), 3, "one for each page");
    assert!(operations.iter().all(|one| one.cause == Cause::Sync && one.inverse.is_empty()));
    assert_eq!(desk.store.heard().await.unwrap(), Some(lab.server.latest()));
    let again = desk.pull().await.unwrap();
    assert_eq!((again.lines, again.resynced, again.position), (0, false, lab.server.latest()));
    assert_ne!(again.position, Position(0));
    desk.check_index().await;
}

/// A word of its own for each number.
fn spelled(number: usize) -> String {
    format!(
        "w{}",
        number.to_string().bytes().map(|digit| char::from(digit + b'a' - b'0')).collect::<String>()
    )
}

/// A server with so many memories of the second desk, which its indexes know.
async fn many(lab: &mut Lab, count: usize) -> Vec<MemoryId> {
    let rows: Vec<Memory> =
        (0..count).map(|number| lab.desks[1].text(&format!("fact {}", spelled(number)))).collect();
    let ids = rows.iter().map(|memory| memory.id).collect();
    lab.server.fill(rows.clone());
    lab.server.set_charter(|charter| charter.search = true);
    let told = searchable(&table(), &rows).await.unwrap();
    assert_eq!(told.len(), count);
    lab.desks[1].far.keep_searchable(told).await.unwrap();
    ids
}

#[tokio::test]
async fn a_machine_holds_a_part_and_the_server_finds_the_rest() {
    let mut lab = Lab::new().await;
    let ids = many(&mut lab, 4_100).await;
    let desk = &mut lab.desks[2];
    desk.hold(2_000).await;
    desk.pull().await.unwrap();
    assert_eq!(desk.all().await.len(), 2_000);
    assert_eq!(desk.store.held_most().await.unwrap(), Some(2_000));
    assert!(desk.store.load(vec![ids[4_099]]).await.unwrap().len() == 1, "the newest are here");
    let found = desk.looks_for(&format!("where is {}", spelled(7))).await;
    assert!(found.ids.contains(&ids[7]));
    let at = desk.occasion().at;
    assert_eq!(desk.seat.take_found(found.clone(), at).await.unwrap(), 1);
    assert_eq!(desk.memory(ids[7]).await.content, format!("fact {}", spelled(7)));
    assert_eq!(desk.seat.take_found(found, at).await.unwrap(), 0, "it is here already");
    let again = desk.pull().await.unwrap();
    assert_eq!((again.lines, again.resynced), (0, false), "finding something is not hearing of it");
    desk.check_index().await;
}

#[tokio::test]
async fn what_is_withdrawn_while_it_is_found_does_not_come_back() {
    let mut lab = Lab::new().await;
    let ids = many(&mut lab, 2_300).await;
    lab.desks[2].hold(2_000).await;
    lab.desks[2].pull().await.unwrap();
    let found = lab.desks[2].looks_for(&spelled(5)).await;
    assert!(found.ids.contains(&ids[5]));
    lab.desks[1].pull().await.unwrap();
    lab.desks[1].queue(Intent::Withdraw { memory: ids[5] }).await.unwrap();
    lab.desks[1].sync().await;
    let desk = &mut lab.desks[2];
    desk.pull().await.unwrap();
    let at = desk.occasion().at;
    desk.seat.take_found(found, at).await.unwrap();
    let all = desk.all().await;
    assert!(all.iter().all(|memory| memory.id != ids[5] || memory.content.is_empty()));
    desk.check_index().await;
}

#[tokio::test]
async fn a_part_becomes_whole_where_it_may_or_must() {
    let mut lab = Lab::new().await;
    many(&mut lab, 4_100).await;
    let desk = &mut lab.desks[2];
    desk.hold(2_000).await;
    desk.pull().await.unwrap();
    desk.hold(3_000).await;
    assert!(desk.pull().await.unwrap().resynced);
    assert_eq!(desk.store.held_most().await.unwrap(), Some(3_000));
    assert!(desk.all().await.len() >= 3_000);
    lab.server.set_charter(|charter| charter.search = false);
    lab.server.join("m3", Role::Member);
    let desk = &mut lab.desks[2];
    desk.pull().await.unwrap();
    assert!(desk.pull().await.unwrap().resynced, "only what is here is found now");
    assert_eq!((desk.all().await.len(), desk.store.held_most().await.unwrap()), (4_100, None));
    desk.check_index().await;
}

#[tokio::test]
async fn what_is_ones_own_or_to_be_decided_stays_in_a_part() {
    let mut lab = Lab::new().await;
    let own = lab.desks[2].share("this is mine").await;
    let doubted = lab.desks[0].share("the port is 80").await;
    lab.sync_all().await;
    let rival = lab.desks[1].correct(doubted, "the port is 8080").await;
    lab.sync_all().await;
    assert_eq!(lab.desks[2].status(doubted).await, Status::Challenged);
    many(&mut lab, 300).await;
    lab.server.join("m3", Role::Member);
    let desk = &mut lab.desks[2];
    desk.hold(100).await;
    desk.pull().await.unwrap();
    desk.pull().await.unwrap();
    assert_eq!(desk.all().await.len(), 100);
    assert_eq!(desk.store.load(vec![own, doubted, rival]).await.unwrap().len(), 3);
    desk.check_index().await;
}
