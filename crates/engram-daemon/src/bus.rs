//! What goes on, told to whoever listens: kept in memory for a while, never on
//! the disk.
//!
//! Whoever says something never waits for those who listen, and never fails for
//! them. Who may hear what is decided by the project that an event is of.

use crate::clock::{now, since};
use engram_core::{MemoryId, ProjectKey, Scope, SessionId, Timestamp};
use engram_wire::activity::{Activity, What};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::broadcast;

/// So many events wait for one who listens; then he has missed some.
const WAITING: usize = 256;
/// So many bytes are kept for each event that may be kept, in the middle.
const BYTES_EACH: usize = 512;
/// A text is told up to so many characters, and so many memories are named.
const LETTERS: usize = 200;
const MOST_NAMED: usize = 100;
/// How far something has come is said in so many steps.
const STEPS: u64 = 20;
/// What goes wrong again and again is said again after so long.
const PEACE: Duration = Duration::from_secs(600);

/// Of whom an event is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Whose {
    pub(crate) scope: Option<Scope>,
    /// None: it is the user's, and may be heard from everywhere.
    pub(crate) project: Option<ProjectKey>,
    pub(crate) session: Option<SessionId>,
    pub(crate) agent: Option<String>,
}

/// Whether somebody in this project may hear of it: of what is done there, and of
/// what is the user's.
pub(crate) fn concerns(activity: &Activity, project: Option<&ProjectKey>) -> bool {
    activity.project.is_none() || activity.project.as_ref() == project
}

pub(crate) struct Bus {
    sender: broadcast::Sender<Arc<Activity>>,
    kept: Mutex<Kept>,
    /// So many events are kept at most.
    most: usize,
}

struct Kept {
    /// Each with its size.
    events: VecDeque<(usize, Arc<Activity>)>,
    bytes: usize,
    /// The number of the latest event.
    latest: u64,
    /// The number of the latest event that is not kept: what a daemon before this
    /// one said is gone with it.
    forgotten: u64,
    /// What has come how far, so that not every small step is said.
    progress: Option<(String, u64)>,
    /// What went wrong last, and when that was said.
    failed: Option<(String, Timestamp)>,
}

impl Bus {
    /// `most` events are kept. Numbers begin at the moment, so that they grow from
    /// one daemon to the next.
    pub(crate) fn new(most: usize, at: Timestamp) -> Self {
        let begin = u64::try_from(at.as_microsecond()).unwrap_or(0);
        let kept = Kept {
            events: VecDeque::new(),
            bytes: 0,
            latest: begin,
            forgotten: begin,
            progress: None,
            failed: None,
        };
        Self { sender: broadcast::Sender::new(WAITING), kept: Mutex::new(kept), most }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub(crate) fn say(&self, whose: Whose, mut what: What) {
        cut(&mut what);
        let Whose { scope, project, session, agent } = whose;
        let mut kept = self.kept();
        kept.latest += 1;
        let activity =
            Arc::new(Activity { number: kept.latest, at: now(), scope, project, session, agent, what });
        let size = size_of(&activity);
        kept.bytes += size;
        kept.events.push_back((size, activity.clone()));
        while kept.events.len() > self.most || kept.bytes > self.most * BYTES_EACH {
            let Some((size, gone)) = kept.events.pop_front() else { break };
            kept.bytes -= size;
            kept.forgotten = gone.number;
        }
        // Nobody may be listening. It is sent before the next one has a number, so
        // that they arrive in order.
        let _ = self.sender.send(activity);
    }

    /// Something that takes long has come so far.
    pub(crate) fn work(&self, whose: Whose, doing: &str, done: u64, total: Option<u64>) {
        if self.is_news(doing, done, total) {
            self.say(whose, What::Working { doing: doing.to_owned(), done, total });
        }
    }

    /// Whether something has come far enough since it was said last.
    pub(crate) fn is_news(&self, doing: &str, done: u64, total: Option<u64>) -> bool {
        let Some(total) = total.filter(|total| *total > 0) else { return true };
        let come = (doing.to_owned(), done.saturating_mul(STEPS) / total);
        let mut kept = self.kept();
        let news = kept.progress.as_ref() != Some(&come);
        kept.progress = Some(come);
        news
    }

    /// Something that nobody waits for went wrong. While it goes wrong in the same
    /// way again and again, that is said now and then.
    pub(crate) fn fail(&self, whose: Whose, doing: &str, problem: &str) {
        let (said, at) = (format!("{doing}: {problem}"), now());
        {
            let mut kept = self.kept();
            if kept.failed.as_ref().is_some_and(|(known, then)| *known == said && since(*then) < PEACE) {
                return;
            }
            kept.failed = Some((said, at));
        }
        self.say(whose, What::Failed { doing: doing.to_owned(), problem: problem.to_owned() });
    }

    /// What went on after this event, the oldest first, and what comes. What is
    /// not kept any more is told as missed. Nothing is named: only what comes.
    pub(crate) fn listen(
        &self,
        after: Option<u64>,
    ) -> (Vec<Arc<Activity>>, broadcast::Receiver<Arc<Activity>>) {
        // Nobody says anything meanwhile, so nothing is told twice or not at all.
        let kept = self.kept();
        let coming = self.sender.subscribe();
        let Some(after) = after else { return (Vec::new(), coming) };
        let missed = (kept.forgotten > after).then(|| Arc::new(missed(after + 1, kept.forgotten)));
        let past =
            kept.events.iter().map(|(_, activity)| activity).filter(|activity| activity.number > after);
        (missed.into_iter().chain(past.cloned()).collect(), coming)
    }

    /// What is kept, the oldest first, and the number of the latest.
    pub(crate) fn lately(&self) -> (Vec<Arc<Activity>>, u64) {
        let kept = self.kept();
        (kept.events.iter().map(|(_, activity)| activity.clone()).collect(), kept.latest)
    }

    /// Nothing of what was said is kept: it may hold words that are to be nowhere.
    pub(crate) fn clear(&self) {
        let mut kept = self.kept();
        kept.forgotten = kept.latest;
        kept.events.clear();
        kept.bytes = 0;
        kept.failed = None;
    }

    /// So many listen.
    pub(crate) fn listeners(&self) -> usize {
        self.sender.receiver_count()
    }
}

/// What is told to one for whom these events are gone. It has the number of the
/// last of them: whoever goes on behind it misses nothing more.
pub(crate) fn missed(from: u64, to: u64) -> Activity {
    let what = What::Missed { from, to };
    Activity { number: to, at: now(), scope: None, project: None, session: None, agent: None, what }
}

/// Nothing is longer than one reads in a line.
fn cut(what: &mut What) {
    let shorten = |text: &mut String| {
        if let Some((end, _)) = text.char_indices().nth(LETTERS) {
            text.truncate(end);
        }
    };
    let fewer = |memories: &mut Vec<MemoryId>| memories.truncate(MOST_NAMED);
    match what {
        What::Decided { text, reason, .. } => {
            text.iter_mut().for_each(shorten);
            shorten(reason);
        }
        What::Recalled { query, .. } => shorten(query),
        What::Told { memories, .. } => fewer(memories),
        What::Hooked { problem, .. } => problem.iter_mut().for_each(shorten),
        What::Changed { memories, text, .. } => {
            fewer(memories);
            text.iter_mut().for_each(shorten);
        }
        What::Working { doing, .. } => shorten(doing),
        What::Failed { doing, problem } => {
            shorten(doing);
            shorten(problem);
        }
        What::Dreaming { store, .. } | What::Dreamt { store, .. } => shorten(store),
        What::Heard { .. } | What::SessionBegan | What::SessionEnded { .. } | What::Missed { .. } => {}
    }
}

/// About as many bytes as it takes.
fn size_of(activity: &Activity) -> usize {
    let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let more = match &activity.what {
        What::Decided { text: fact, reason, .. } => text(fact) + reason.len(),
        What::Recalled { query, .. } => query.len(),
        What::Told { memories, .. } => std::mem::size_of_val(memories.as_slice()),
        What::Hooked { problem, .. } => text(problem),
        What::Changed { memories, text: of, .. } => std::mem::size_of_val(memories.as_slice()) + text(of),
        What::Working { doing, .. } => doing.len(),
        What::Failed { doing, problem } => doing.len() + problem.len(),
        What::Dreaming { store, .. } | What::Dreamt { store, .. } => store.len(),
        What::Heard { .. } | What::SessionBegan | What::SessionEnded { .. } | What::Missed { .. } => 0,
    };
    std::mem::size_of::<Activity>() + text(&activity.agent) + more
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bus(most: usize) -> Bus {
        Bus::new(most, Timestamp::from_microsecond(1_000).unwrap())
    }

    fn working(doing: &str) -> What {
        What::Working { doing: doing.to_owned(), done: 0, total: None }
    }

    fn numbers(events: &[Arc<Activity>]) -> Vec<u64> {
        events.iter().map(|activity| activity.number).collect()
    }

    #[test]
    fn who_listens_hears_what_was_kept_after_an_event_and_then_what_comes() {
        let bus = bus(16);
        (0..3).for_each(|_| bus.say(Whose::default(), working("a")));
        let (past, mut coming) = bus.listen(Some(1_001));
        assert_eq!(numbers(&past), [1_002, 1_003]);
        bus.say(Whose::default(), working("b"));
        assert_eq!(coming.try_recv().unwrap().number, 1_004);
        assert!(coming.try_recv().is_err(), "nothing comes twice");
        assert!(bus.listen(None).0.is_empty(), "who names no event hears only what comes");
        assert_eq!(bus.listeners(), 1);
    }

    #[test]
    fn what_is_not_kept_any_more_is_told_as_missed() {
        let bus = bus(16);
        (0..20).for_each(|_| bus.say(Whose::default(), working("a")));
        let (past, _) = bus.listen(Some(1_002));
        assert_eq!(past[0].what, What::Missed { from: 1_003, to: 1_004 });
        assert_eq!(numbers(&past), (1_004..=1_020).collect::<Vec<_>>());
        let (past, _) = bus.listen(Some(1_004));
        assert_eq!(numbers(&past), (1_005..=1_020).collect::<Vec<_>>(), "nothing of these is missing");
        let (past, _) = Bus::new(16, Timestamp::from_microsecond(5_000).unwrap()).listen(Some(1_020));
        assert_eq!(past[0].what, What::Missed { from: 1_021, to: 5_000 }, "of another daemon");
    }

    #[test]
    fn what_is_kept_is_bounded_and_a_purge_leaves_nothing_of_it() {
        let bus = bus(64);
        let long = "ş".repeat(5_000);
        let memories = vec![MemoryId::from_ulid(engram_core::Ulid(7)); 5_000];
        for _ in 0..1_000 {
            let (memories, text) = (memories.clone(), Some(long.clone()));
            let operation = engram_core::OperationId::from_ulid(engram_core::Ulid(9));
            let (cause, actor) = (engram_core::Cause::Import, engram_core::Actor::Human);
            bus.say(Whose::default(), What::Changed { operation, cause, actor, memories, text });
        }
        let (kept, latest) = bus.lately();
        assert_eq!((latest, kept.last().unwrap().number), (2_000, 2_000));
        let What::Changed { memories, text, .. } = &kept[0].what else { panic!("{:?}", kept[0]) };
        assert_eq!((memories.len(), text.as_ref().unwrap().chars().count()), (MOST_NAMED, LETTERS));
        let bytes: usize = kept.iter().map(|activity| size_of(activity)).sum();
        assert!(bytes <= 64 * BYTES_EACH, "{bytes}");
        bus.clear();
        assert!(bus.lately().0.is_empty());
        let (past, _) = bus.listen(Some(1_999));
        assert_eq!(past[0].what, What::Missed { from: 2_000, to: 2_000 }, "whoever goes on is told");
    }

    #[test]
    fn one_who_does_not_listen_makes_nobody_wait() {
        let bus = bus(512);
        let (_, mut stuck) = bus.listen(None);
        let began = now();
        (0..100_000).for_each(|_| bus.say(Whose::default(), working("reindex")));
        let taken = since(began);
        assert!(taken < Duration::from_secs(5), "{taken:?}");
        assert!(matches!(stuck.try_recv(), Err(broadcast::error::TryRecvError::Lagged(_))));
    }

    #[test]
    fn small_steps_and_what_fails_again_are_not_said_each_time() {
        let bus = bus(512);
        (0..=1_000).for_each(|done| bus.work(Whose::default(), "reindex", done, Some(1_000)));
        assert_eq!(bus.lately().0.len(), 21);
        (0..5).for_each(|_| bus.fail(Whose::default(), "reading", "the disk is full"));
        bus.fail(Whose::default(), "reading", "the store is damaged");
        assert_eq!(bus.lately().0.len(), 23);
    }

    #[test]
    fn a_project_hears_of_itself_and_of_the_user() {
        let bus = bus(16);
        let key = |letter: &str| Some(format!("p_{}", letter.repeat(12)).parse::<ProjectKey>().unwrap());
        for project in [key("a"), key("b"), None] {
            bus.say(Whose { project, ..Whose::default() }, working("x"));
        }
        let heard = |project: Option<ProjectKey>| {
            let (kept, _) = bus.lately();
            let mine = kept.into_iter().filter(|activity| concerns(activity, project.as_ref()));
            mine.map(|activity| activity.number).collect::<Vec<_>>()
        };
        assert_eq!(heard(key("a")), [1_001, 1_003]);
        assert_eq!(heard(key("b")), [1_002, 1_003]);
        assert_eq!(heard(None), [1_003]);
    }
}
