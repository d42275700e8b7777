//! Asking the daemon: who asks, how it is reached, and where a write waits
//! when nobody answers.
//!
//! What an answer looks like is not decided here.

use crate::around::{self, Around};
use crate::out::{Out, ProgressLine};
use engram_core::plan::{Draft, Edited};
use engram_core::{Actor, IdMint, OperationId, SessionId, Timestamp};
use engram_wire::client::{NoAnswer, Reach};
use engram_wire::config::{SECRETS, Settings};
use engram_wire::message::{Edit, Remember};
use engram_wire::reply::Changed;
use engram_wire::spool::Spool;
use engram_wire::{Answer, Context, Fault, FaultKind, Order, Request, platform};
use serde_json::{Value, json};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// One run of the program, from the daemon's point of view.
pub(crate) struct Client {
    pub(crate) around: Around,
    pub(crate) settings: Settings,
    session: Option<SessionId>,
    /// On whose behalf.
    actor: Actor,
    /// How long the daemon is waited for.
    patience: Duration,
    /// A screen asks by itself; that keeps no daemon awake.
    quiet: bool,
    /// Settings that somebody chose for this once by a flag of their command.
    once: Vec<(String, String)>,
    mint: IdMint,
}

/// What became of a change.
pub(crate) enum Outcome {
    Done(Value),
    /// It waits in the spool.
    Spooled {
        /// None: events are named by themselves.
        operation: Option<OperationId>,
        reason: String,
    },
}

impl Client {
    pub(crate) fn new(around: Around, settings: Settings) -> Result<Self, Fault> {
        let session = around.session.as_deref().map(session_named).transpose()?;
        let patience = Duration::from_millis(settings.number("client.deadline_ms"));
        let mint = IdMint::seeded(platform::chance());
        Ok(Self {
            around,
            settings,
            session,
            actor: Actor::Human,
            patience,
            quiet: false,
            once: Vec::new(),
            mint,
        })
    }

    /// The same for an agent, which waits no longer than this.
    pub(crate) fn for_agent(self, patience: Duration) -> Self {
        Self { actor: Actor::Assistant, patience, ..self }
    }

    /// The same, said in this session.
    pub(crate) fn within(self, session: Option<SessionId>) -> Self {
        Self { session, ..self }
    }

    /// The same for a screen, which asks by itself.
    pub(crate) fn for_screen(self) -> Self {
        Self { quiet: true, ..self }
    }

    /// A connection on which something else is spoken from now on, with a daemon
    /// that is running. None: nobody is there, or not any more.
    pub(crate) fn open_running(&self, order: Order) -> Option<Result<UnixStream, Fault>> {
        match self.reach().open_running(&self.request(order))? {
            Ok(stream) => Some(Ok(stream)),
            Err(NoAnswer::Fault(fault)) => Some(Err(fault)),
            Err(NoAnswer::Unreachable(_)) => None,
        }
    }

    /// A connection on which something else is spoken from now on.
    pub(crate) fn open(&self, order: Order) -> Result<UnixStream, Fault> {
        self.reach().open(&self.request(order)).map_err(NoAnswer::into_fault)
    }

    /// Has a setting for what is asked from here on.
    pub(crate) fn set_once(&mut self, key: String, value: String) {
        self.once.push((key, value));
    }

    pub(crate) fn new_operation(&mut self) -> OperationId {
        OperationId::from_ulid(self.mint.mint(around::now()))
    }

    /// The session this is said in.
    pub(crate) const fn session(&self) -> Option<SessionId> {
        self.session
    }

    pub(crate) fn new_session(&mut self) -> SessionId {
        SessionId::from_ulid(self.mint.mint(around::now()))
    }

    /// Asks, and shows progress meanwhile.
    pub(crate) fn ask(&self, order: Order) -> Result<Value, Fault> {
        self.ask_and_hear(order, &mut |_| {})
    }

    /// Asks, and hands each line of the answer over as it comes.
    pub(crate) fn ask_and_hear(&self, order: Order, line: &mut dyn FnMut(String)) -> Result<Value, Fault> {
        self.converse(&self.request(order), line).map_err(NoAnswer::into_fault)
    }

    /// Asks for a change. If nobody can be reached, or the daemon has too much to
    /// do, it waits in the spool.
    pub(crate) fn change(&self, order: Order) -> Result<Outcome, Fault> {
        let request = self.request(order);
        match self.converse(&request, &mut |_| {}) {
            Ok(reply) => Ok(Outcome::Done(reply)),
            Err(NoAnswer::Fault(fault)) if fault.kind != FaultKind::Busy => Err(fault),
            Err(NoAnswer::Fault(fault) | NoAnswer::Unreachable(fault)) => {
                let operation = self.spool(request, fault.clone())?;
                Ok(Outcome::Spooled { operation, reason: fault.message })
            }
        }
    }

    /// Leaves what happened in the spool, whatever became of the daemon.
    pub(crate) fn leave(&self, order: Order) -> Result<(), Fault> {
        let fault = Fault::environment("nobody was reached");
        self.spool(self.request(order), fault).map(drop)
    }

    fn spool(&self, request: Request, unreachable: Fault) -> Result<Option<OperationId>, Fault> {
        let largest = self.settings.number("client.spool_bytes");
        let longest = self.settings.number("remember.longest");
        let spool = Spool::new(self.around.home.spool_folder());
        keep(request, around::now(), longest, unreachable, |request| {
            spool.append(request, largest).map_err(|error| error.to_string())
        })
    }

    /// Asks a daemon that is running. None: there is none.
    pub(crate) fn ask_running(&self, order: Order) -> Option<Result<Value, Fault>> {
        let answer = self.reach().ask_running(&self.request(order))?;
        Some(answer.map_err(NoAnswer::into_fault))
    }

    fn converse(&self, request: &Request, line: &mut dyn FnMut(String)) -> Result<Value, NoAnswer> {
        let mut progress = ProgressLine::new();
        self.reach().ask(request, &mut |answer| match answer {
            Answer::Progress(step) => progress.show(&step),
            Answer::Line { line: text } => {
                progress.clear();
                line(text);
            }
            Answer::Done { .. } | Answer::Fault { .. } => {}
        })
    }

    fn request(&self, order: Order) -> Request {
        let context = Context {
            folder: Some(self.around.folder.clone()),
            session: self.session,
            actor: self.actor,
            settings: self.around.said().into_iter().chain(self.once.iter().cloned()).collect(),
            said_at: None,
            again: false,
            quiet: self.quiet,
            agent: None,
        };
        Request { context, order }
    }

    fn reach(&self) -> Reach {
        Reach {
            home: self.around.home.clone(),
            // Without a program there is nothing to wait for: starting it
            // fails at once, and says what is missing.
            daemon: Some(around::daemon().unwrap_or_else(|| "engramd".into())),
            deadline: self.patience,
        }
    }
}

/// The session that somebody calls so: by its identifier, or by whatever name an
/// agent gives it.
pub(crate) fn session_named(name: &str) -> Result<SessionId, Fault> {
    if name.trim().is_empty() {
        return Err(Fault::usage("a session without a name was named")
            .hint("a session comes from --session or ENGRAM_SESSION; `engram session start` begins one"));
    }
    Ok(SessionId::named(name))
}

impl Out {
    /// Prints what became of a change.
    pub(crate) fn outcome(&self, outcome: Outcome) -> Result<(), Fault> {
        match outcome {
            Outcome::Done(reply) => self.reply::<Changed>(reply, crate::show::changed),
            spooled => self.spooled(&spooled),
        }
    }

    pub(crate) fn spooled(&self, outcome: &Outcome) -> Result<(), Fault> {
        let Outcome::Spooled { operation, reason } = outcome else { return Ok(()) };
        let (value, text) = waits(*operation, reason);
        self.own(&value, &text)
    }
}

/// What is told of a change that waits in the spool: as JSON, and in words.
pub(crate) fn waits(operation: Option<OperationId>, reason: &str) -> (Value, String) {
    let text = format!(
        "kept in the spool; it will be stored as soon as the daemon can ({})\n",
        crate::show::clean_line(reason)
    );
    (json!({ "spooled": true, "operation": operation, "reason": reason }), text)
}

/// Puts a change into the spool, unless it could only be refused later, when
/// nobody is there to hear it. `unreachable` is why it cannot be done now.
fn keep(
    mut request: Request,
    now: Timestamp,
    longest: u64,
    unreachable: Fault,
    append: impl FnOnce(&Request) -> Result<(), String>,
) -> Result<Option<OperationId>, Fault> {
    let longest = usize::try_from(longest).unwrap_or(usize::MAX);
    if !request.order.may_wait() {
        return Err(unreachable);
    }
    let sound = match &request.order {
        Order::Remember(Remember { text, tags, .. }) => {
            Draft::parse(text, longest).and_then(|draft| draft.tagged(tags.clone())).map(drop)
        }
        Order::Correct { text, .. } | Order::ConsolidationSubmit { text, .. } => {
            Draft::parse(text, longest).map(drop)
        }
        Order::Edit(Edit { kind, tags, domain, summary, .. }) => {
            let (tags, domain, summary) = (tags.clone(), domain.clone(), summary.clone());
            Edited { kind: *kind, tags, domain, summary }.check()
        }
        _ => Ok(()),
    };
    sound.map_err(|error| Fault::usage(error.to_string()))?;

    request.context.said_at = Some(now);
    request.context.again = true;
    request.context.settings.retain(|(key, _)| !SECRETS.contains(&key.as_str()));
    match append(&request) {
        Ok(()) => Ok(request.order.operation()),
        Err(problem) => {
            let message = format!("{}; and it could not be kept for later: {problem}", unreachable.message);
            Err(Fault { message, ..unreachable })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operation() -> OperationId {
        "01JD3V8Q2Y6K4M5N7P9R1S3T5V".parse().unwrap()
    }

    fn kept(order: Order, full: bool) -> (Result<Option<OperationId>, Fault>, Option<Request>) {
        let context = Context {
            folder: None,
            session: None,
            actor: Actor::Human,
            settings: SECRETS
                .iter()
                .map(|key| ((*key).to_owned(), "hush".to_owned()))
                .chain([("recall.limit".to_owned(), "3".to_owned())])
                .collect(),
            said_at: None,
            again: false,
            quiet: false,
            agent: None,
        };
        let mut written = None;
        let unreachable = Fault::new(FaultKind::Unreachable, "nobody is there");
        let result = keep(Request { context, order }, Timestamp::UNIX_EPOCH, 10, unreachable, |request| {
            if full {
                return Err("the spool is full".to_owned());
            }
            written = Some(request.clone());
            Ok(())
        });
        (result, written)
    }

    fn remember(text: &str) -> Order {
        Order::Remember(Remember {
            operation: operation(),
            text: text.into(),
            kind: None,
            tags: Vec::new(),
            domain: None,
            scope: None,
            pin: false,
        })
    }

    #[test]
    fn a_change_waits_with_its_moment_and_without_secrets() {
        let (result, written) = kept(remember("short"), false);
        assert_eq!(result, Ok(Some(operation())));
        let context = written.unwrap().context;
        assert_eq!((context.said_at, context.again), (Some(Timestamp::UNIX_EPOCH), true));
        assert_eq!(context.settings, [("recall.limit".to_owned(), "3".to_owned())]);
    }

    #[test]
    fn what_must_not_wait_is_a_fault() {
        for order in [
            Order::Stats,
            Order::Undo { operation: operation(), target: None, step: None },
            Order::Import { operation: operation(), scope: None, lines: Vec::new() },
        ] {
            let (result, written) = kept(order, false);
            assert_eq!(result.unwrap_err().message, "nobody is there");
            assert!(written.is_none());
        }
        let submit = |text: &str| Order::ConsolidationSubmit {
            operation: operation(),
            summary: "7QX3".into(),
            text: text.into(),
        };
        let edit = Order::Edit(Edit {
            operation: operation(),
            memory: "7QX3".into(),
            kind: None,
            tags: Some(vec!["two words".into()]),
            domain: None,
            summary: None,
        });
        for order in [remember("far too long a text"), submit("far too long a text"), submit(" "), edit] {
            let (result, written) = kept(order, false);
            assert_eq!(result.unwrap_err().kind, FaultKind::Usage);
            assert!(written.is_none());
        }
    }

    #[test]
    fn a_spool_that_fails_too_is_named_beside_the_daemon() {
        let fault = kept(remember("short"), true).0.unwrap_err();
        assert_eq!(fault.kind, FaultKind::Unreachable);
        assert_eq!(fault.message, "nobody is there; and it could not be kept for later: the spool is full");
    }
}
