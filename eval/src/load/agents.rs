//! One agent, in one conversation after the other, as the hooks of Claude Code
//! tell them: what is turned away or comes too late is left in the spool, as the
//! client leaves it there.

use super::table::Tally;
use super::{Wanted, lock, now};
use crate::bench::timed;
use crate::texts::name_of;
use engram_core::turn::{Event, EventType, ToolUse};
use engram_core::{Actor, IdMint, OperationId, SessionId};
use engram_wire::client::{NoAnswer, Reach};
use engram_wire::config::Settings;
use engram_wire::message::{Hook, HookEvent, Recall, Remember};
use engram_wire::spool::Spool;
use engram_wire::{Context, FaultKind, Order, Request};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// So many rounds make a conversation.
pub(super) const ROUNDS: u32 = 12;
/// Every so many rounds something is stated, and corrected.
const STATED_EVERY: u32 = 4;
/// Of a hook's time, so much is for the daemon.
const FOR_THE_DAEMON: f64 = 0.7;

pub(super) struct Agent {
    reach: Reach,
    folder: PathBuf,
    number: u64,
    thinking: Duration,
    settings: Settings,
    spool: Spool,
    mint: IdMint,
    /// So many services it works on. 0: it never comes back to one.
    services: u64,
    /// How many rounds it had so far.
    rounds: u64,
    /// What it stated so far.
    stated: u64,
}

/// The names of what is stated begin there, behind those of services.
const STATED_FROM: u64 = 500_000;

/// What became of something that was said.
enum Became {
    Done(Value),
    Spooled,
    Refused,
}

impl Agent {
    pub(super) fn new(reach: &Reach, folder: &Path, number: u64, wanted: &Wanted) -> Self {
        Self {
            reach: reach.clone(),
            folder: folder.to_owned(),
            number,
            thinking: wanted.thinking,
            services: wanted.services,
            settings: Settings::default(),
            spool: Spool::new(reach.home.spool_folder()),
            mint: IdMint::seeded(number + 1),
            rounds: 0,
            stated: 0,
        }
    }

    /// Works until it is told to end. It begins after a while of its own: people do
    /// not begin at one moment.
    pub(super) fn work(mut self, after: Duration, tally: &Mutex<Tally>, ends: &AtomicBool) {
        std::thread::sleep(after);
        let mut conversation = 0;
        while !ends.load(Ordering::Relaxed) {
            let session = format!("agent {} conversation {conversation}", self.number);
            self.hook(HookEvent::SessionStart, &session, None, tally);
            for round in 1..=ROUNDS {
                if ends.load(Ordering::Relaxed) {
                    break;
                }
                self.round(&session, round, tally);
                std::thread::sleep(self.thinking);
            }
            self.hook(HookEvent::SessionEnd, &session, None, tally);
            conversation += 1;
        }
    }

    /// A prompt, a tool, an answer, and a question of the agent's own.
    fn round(&mut self, session: &str, round: u32, tally: &Mutex<Tally>) {
        let name = self.service();
        let prompt = format!("The {name} service is written in Rust and owned by {name}-team.");
        self.hook(
            HookEvent::UserPromptSubmit,
            session,
            Some(Event::new(EventType::UserMessage, prompt)),
            tally,
        );
        let tool = ToolUse {
            name: "Bash".to_owned(),
            input: json!({ "command": format!("cargo test {name}") }),
            output: json!("test result: ok. 12 passed; 0 failed"),
            ok: true,
            duration_ms: Some(900),
        };
        let used = Event { tool: Some(tool), ..Event::new(EventType::ToolCall, "") };
        self.hook(HookEvent::PostToolUse, session, Some(used), tally);
        self.recall(session, &format!("who owns the {name} service"), tally);
        if round.is_multiple_of(STATED_EVERY) {
            self.state_and_correct(session, tally);
        }
        let answer = format!("The tests of {name} pass now.");
        self.hook(HookEvent::Stop, session, Some(Event::new(EventType::AssistantMessage, answer)), tally);
    }

    /// A service that nobody else works on.
    fn service(&mut self) -> String {
        self.rounds += 1;
        let number = self.rounds.checked_rem(self.services).unwrap_or(self.rounds);
        name_of(self.number * 1_000_000 + number)
    }

    /// A name that nobody else says, nor he himself a second time.
    fn new_name(&mut self) -> String {
        self.stated += 1;
        name_of(self.number * 1_000_000 + STATED_FROM + self.stated)
    }

    fn hook(&self, event: HookEvent, session: &str, happened: Option<Event>, tally: &Mutex<Tally>) {
        let at = now();
        let text = happened.as_ref().map(|event| event.text.clone());
        let happened =
            happened.map(|event| Event { time: Some(at), session: Some(session.to_owned()), ..event });
        let brings = happened.is_some();
        let hook = Hook {
            event,
            agent: "claude-code".to_owned(),
            session: Some(session.to_owned()),
            reason: (event == HookEvent::SessionStart).then(|| "startup".to_owned()),
            prompt: text.filter(|_| event == HookEvent::UserPromptSubmit),
            tool: happened.as_ref().and_then(|event| event.tool.clone()),
            happened,
            process: None,
            started_at: Some(at),
        };
        let most = Duration::from_millis(self.settings.number(event.deadline()));
        let request = request(&self.folder, None, Order::Hook(Box::new(hook)));
        let (became, time) = timed(|| self.say(&request, most.mul_f64(FOR_THE_DAEMON)));
        let mut tally = lock(tally);
        tally.note_hook(event, time);
        tally.note(&became, brings);
    }

    /// States something, and corrects it.
    fn state_and_correct(&mut self, session: &str, tally: &Mutex<Tally>) {
        let (name, better) = (self.new_name(), self.new_name());
        let order = Order::Remember(Remember {
            operation: self.new_operation(),
            text: format!("The {name} key is in vault {name}."),
            kind: None,
            tags: Vec::new(),
            domain: None,
            scope: None,
            pin: false,
        });
        let patience = Duration::from_millis(self.settings.number("client.deadline_ms"));
        let stated = self.say(&request(&self.folder, Some(session), order), patience);
        lock(tally).note_text(&stated, name);
        let Became::Done(reply) = stated else { return };
        let Some(memory) = reply["memories"][0]["id"].as_str() else { return };
        let text = format!("The {better} key is in safe {better}.");
        let order = Order::Correct { operation: self.new_operation(), memory: memory.to_owned(), text };
        let corrected = self.say(&request(&self.folder, Some(session), order), patience);
        lock(tally).note_text(&corrected, better);
    }

    fn recall(&self, session: &str, query: &str, tally: &Mutex<Tally>) {
        let recall = Recall { query: query.to_owned(), limit: Some(10), ..Recall::default() };
        let request = request(&self.folder, Some(session), Order::Recall(recall));
        let deadline = Duration::from_millis(self.settings.number("client.deadline_ms"));
        let reach = Reach { deadline, ..self.reach.clone() };
        let (answer, time) = timed(|| reach.ask(&request, &mut |_| {}));
        let mut tally = lock(tally);
        tally.note_recall(time);
        match answer {
            Ok(_) => {}
            Err(NoAnswer::Fault(_)) => tally.recalls_refused += 1,
            Err(NoAnswer::Unreachable(_)) => tally.recalls_late += 1,
        }
    }

    fn new_operation(&mut self) -> OperationId {
        OperationId::from_ulid(self.mint.mint(now()))
    }

    /// Says it as the client does. A hook leaves whatever it could not tell in
    /// the spool; anybody else only what a busy daemon turned away, or none heard.
    fn say(&self, request: &Request, patience: Duration) -> Became {
        let reach = Reach { deadline: patience, ..self.reach.clone() };
        let may_wait = match reach.ask(request, &mut |_| {}) {
            Ok(reply) => return Became::Done(reply),
            Err(NoAnswer::Unreachable(_)) => true,
            Err(NoAnswer::Fault(fault)) => {
                fault.kind == FaultKind::Busy || matches!(request.order, Order::Hook(_))
            }
        };
        if !may_wait || !request.order.may_wait() {
            return Became::Refused;
        }
        let mut kept = request.clone();
        kept.context.said_at = Some(now());
        kept.context.again = true;
        if let Order::Hook(hook) = &mut kept.order {
            hook.prompt = None;
            hook.tool = None;
        }
        match self.spool.append(&kept, self.settings.number("client.spool_bytes")) {
            Ok(()) => Became::Spooled,
            Err(_) => Became::Refused,
        }
    }
}

impl Tally {
    fn note(&mut self, became: &Became, brings: bool) {
        match became {
            Became::Done(_) => {}
            Became::Spooled => self.spooled += 1,
            // What brings nothing, such as the beginning of a session, does not
            // wait, and nothing of it is lost.
            Became::Refused => self.refused += u64::from(brings),
        }
        self.events += u64::from(brings && !matches!(became, Became::Refused));
    }

    fn note_text(&mut self, became: &Became, name: String) {
        self.note(became, false);
        match became {
            Became::Done(_) | Became::Spooled => drop(self.names.insert(name)),
            Became::Refused => self.refused += 1,
        }
    }
}

/// From an agent in a folder, in a conversation.
pub(super) fn request(folder: &Path, session: Option<&str>, order: Order) -> Request {
    let context = Context {
        folder: Some(folder.to_owned()),
        session: session.map(SessionId::named),
        actor: Actor::Assistant,
        settings: Vec::new(),
        said_at: None,
        again: false,
        quiet: false,
        agent: None,
    };
    Request { context, order }
}
