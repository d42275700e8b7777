//! The client's side of the socket: reach the daemon, start it if need be,
//! send one request, read the answer.
//!
//! It measures no time: waiting is counted in naps, and the socket's own
//! timeouts bound the rest.

use crate::fault::{Fault, FaultKind};
use crate::frame;
use crate::home::Home;
use crate::message::{Context, Hello, Order, Request, Welcome};
use crate::platform;
use crate::reply::Answer;
use crate::{PROTOCOL, VERSION};
use serde_json::Value;
use std::io::{self, Write as _};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How a client reaches its daemon.
#[derive(Debug, Clone)]
pub struct Reach {
    pub home: Home,
    /// The program to start when nobody answers. None: do not start one.
    pub daemon: Option<PathBuf>,
    /// How long to wait for a daemon that is starting or busy.
    pub deadline: Duration,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum NoAnswer {
    /// The daemon answered: it cannot be done.
    Fault(Fault),
    /// Nobody was reached, or the connection broke; a write may be spooled.
    Unreachable(Fault),
}

impl NoAnswer {
    pub fn into_fault(self) -> Fault {
        match self {
            NoAnswer::Fault(fault) | NoAnswer::Unreachable(fault) => fault,
        }
    }
}

const NAP: Duration = Duration::from_millis(5);

impl Reach {
    /// Sends a request and hands every progress or line to `heard`.
    ///
    /// If the daemon dies in between, an order that changes something is sent
    /// once more, for it is done once, however often it arrives; so is one that
    /// asks for what is known. A daemon that is silent is not asked again; it had
    /// its time.
    pub fn ask(&self, request: &Request, heard: &mut dyn FnMut(Answer)) -> Result<Value, NoAnswer> {
        match self.ask_once(request, heard) {
            Err(Failure::Broken(_)) if request.order.may_be_said_again() => {
                let mut again = request.clone();
                again.context.again = true;
                self.ask_once(&again, heard)
            }
            other => other,
        }
        .map_err(NoAnswer::from)
    }

    /// Asks a daemon that is running; starts none. None: nobody is there.
    pub fn ask_running(&self, request: &Request) -> Option<Result<Value, NoAnswer>> {
        let client = self.running(request)?;
        let outcome = client.and_then(|client| client.hear(&request.order, &mut |_| {}));
        Some(outcome.map_err(NoAnswer::from))
    }

    /// A connection on which something else is spoken from now on: the daemon
    /// has agreed to the order, and nothing of what follows was read.
    pub fn open(&self, request: &Request) -> Result<UnixStream, NoAnswer> {
        let client = self.greeted(&mut request.clone())?;
        Ok(client.handed_over(&request.order)?)
    }

    /// The same with a daemon that is running; starts none. None: nobody is
    /// there.
    pub fn open_running(&self, request: &Request) -> Option<Result<UnixStream, NoAnswer>> {
        let client = self.running(request)?;
        let opened = client.and_then(|client| client.handed_over(&request.order));
        Some(opened.map_err(NoAnswer::from))
    }

    /// Says hello, and what is wanted, to a daemon that is running.
    fn running(&self, request: &Request) -> Option<Result<Client, Failure>> {
        let mut client = match Client::connected(&self.home.socket(), self.deadline) {
            Ok(client) => client,
            Err(error) if nobody_listens(&error) => return None,
            // Somebody is there, and does not hear.
            Err(error) => return Some(Err(Failure::of(&error))),
        };
        let greeted = client.greet(request).map_err(|error| Failure::of(&error));
        Some(greeted.map(|_| client))
    }

    /// Reaches a daemon that speaks our language, with the request in the same
    /// breath as the greeting, and hears the answer.
    fn ask_once(&self, request: &Request, heard: &mut dyn FnMut(Answer)) -> Result<Value, Failure> {
        let mut request = request.clone();
        self.greeted(&mut request)?.hear(&request.order, heard)
    }

    /// Reaches the daemon, and starts it if need be.
    fn greeted(&self, request: &mut Request) -> Result<Client, Failure> {
        let mut left = self.deadline;
        let mut started = false;
        loop {
            match self.greet_running(request, left) {
                Ok(Some(client)) => return Ok(client),
                Ok(None) if !started => {
                    self.start().map_err(Failure::Unreachable)?;
                    started = true;
                }
                Ok(None) => {}
                // One that was leaving hung up on us, perhaps after it had begun.
                Err(Failure::Broken(_)) => request.context.again = true,
                Err(failure) => return Err(failure),
            }
            if left.is_zero() {
                let fault = Fault::new(
                    FaultKind::Unreachable,
                    format!("the daemon did not answer within {} ms", self.deadline.as_millis()),
                );
                return Err(Failure::Unreachable(
                    fault
                        .hint(format!("its log is {}", self.home.log_file().display()))
                        .hint("`engram doctor` looks for the cause"),
                ));
            }
            left = left.saturating_sub(NAP);
            std::thread::sleep(NAP);
        }
    }

    /// None when nobody listens. An older daemon is asked to leave; it may have
    /// done what was asked all the same, so the next one must look.
    fn greet_running(&self, request: &Request, patience: Duration) -> Result<Option<Client>, Failure> {
        // Whoever owns the socket or its folder hears what we say.
        let (folder, socket) = (self.home.socket_folder(), self.home.socket());
        if let Some(strange) = [&folder, &socket].into_iter().find(|path| !platform::is_ours(path)) {
            let message = format!("{} belongs to somebody else; nothing is said there", strange.display());
            return Err(Failure::Unreachable(Fault::environment(message)));
        }
        let mut client = match Client::connected(&socket, patience) {
            Ok(client) => client,
            Err(error) if nobody_listens(&error) => return Ok(None),
            Err(error) => {
                return Err(Failure::Unreachable(Fault::new(
                    FaultKind::Unreachable,
                    format!("the socket {} cannot be used: {error}", socket.display()),
                )));
            }
        };
        let welcome = client.greet(request).map_err(|error| Failure::of(&error))?;
        match compare(&welcome) {
            Terms::Good => Ok(Some(client)),
            Terms::DaemonIsOlder => {
                self.dismiss();
                Err(Failure::Broken(Fault::new(FaultKind::Version, "an older daemon was asked to leave")))
            }
            Terms::ClientIsOlder => {
                let fault = Fault::new(
                    FaultKind::Version,
                    format!(
                        "this engram ({VERSION}, protocol {PROTOCOL}) is older than the running daemon \
                         ({}, protocol {})",
                        welcome.version, welcome.protocol
                    ),
                );
                Err(Failure::Unreachable(fault.hint("use the engram that was installed with that daemon")))
            }
        }
    }

    /// Asks the running daemon to end, and waits until it hangs up.
    fn dismiss(&self) {
        let Ok(mut client) = Client::connected(&self.home.socket(), self.deadline) else { return };
        let stop = Request { context: Context::of(engram_core::Actor::Engram), order: Order::Stop };
        if client.greet(&stop).is_ok() {
            while frame::read::<Value>(&mut client.stream).is_ok() {}
        }
    }

    fn start(&self) -> Result<(), Fault> {
        let Some(program) = &self.daemon else { return Ok(()) };
        let failed = |problem: String| {
            Fault::new(FaultKind::Unreachable, format!("the daemon could not be started: {problem}"))
                .hint(format!("expected it at {}", program.display()))
        };
        // The process started here starts the daemon proper and ends at once,
        // so that the daemon is nobody's child.
        let output = Command::new(program)
            .arg("--detach")
            .env("ENGRAM_HOME", self.home.root())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .output()
            .map_err(|error| failed(error.to_string()))?;
        if output.status.success() {
            return Ok(());
        }
        Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()))
    }
}

struct Client {
    stream: UnixStream,
}

impl Client {
    /// What is left of the patience when it was taken in is for the answer.
    fn connected(socket: &Path, patience: Duration) -> io::Result<Self> {
        let (stream, left) = platform::connect(socket, patience)?;
        // No patience at all would be one without end.
        let left = Some(left.max(NAP));
        stream.set_read_timeout(left)?;
        stream.set_write_timeout(left)?;
        Ok(Self { stream })
    }

    /// Says hello, and what is wanted, in one breath.
    fn greet(&mut self, request: &Request) -> io::Result<Welcome> {
        let mut breath = frame::encode(&Hello { protocol: PROTOCOL, version: VERSION.to_owned() })?;
        breath.extend(frame::encode(request)?);
        self.stream.write_all(&breath)?;
        frame::read(&mut self.stream)
    }

    /// Waits until the daemon agrees to the order, and lets go of the connection.
    fn handed_over(self, order: &Order) -> Result<UnixStream, Failure> {
        let mut stream = self.stream.try_clone().map_err(|error| Failure::of(&error))?;
        self.hear(order, &mut |_| {})?;
        stream.set_read_timeout(None).map_err(|error| Failure::of(&error))?;
        stream.flush().map_err(|error| Failure::of(&error))?;
        Ok(stream)
    }

    fn hear(mut self, order: &Order, heard: &mut dyn FnMut(Answer)) -> Result<Value, Failure> {
        let failure = |error: io::Error| Failure::of(&error);
        if is_long(order) {
            self.stream.set_read_timeout(None).map_err(failure)?;
        }
        loop {
            match frame::read(&mut self.stream).map_err(failure)? {
                Answer::Done { reply } => return Ok(reply),
                Answer::Fault { fault } => return Err(Failure::Fault(fault)),
                between => heard(between),
            }
        }
    }
}

/// Orders whose duration depends on how much there is.
const fn is_long(order: &Order) -> bool {
    matches!(
        order,
        Order::Export { .. }
            | Order::Import { .. }
            | Order::Backup { .. }
            | Order::Restore { .. }
            | Order::OpenSealed { .. }
            | Order::Erase(_)
            | Order::Doctor { .. }
            | Order::ModelInstall { .. }
            | Order::Reindex { .. }
            | Order::Dream(_)
            | Order::Evolve(_)
            | Order::EvolutionCandidates(_)
            | Order::EvolutionReport { .. }
            | Order::Undo { .. }
            | Order::Compact
            | Order::Stores { .. }
            | Order::GraphWhole(_)
            | Order::Forget { purge: true, .. }
    )
}

enum Terms {
    Good,
    DaemonIsOlder,
    ClientIsOlder,
}

/// A newer daemon that speaks our protocol is fine; an older one makes way.
fn compare(welcome: &Welcome) -> Terms {
    let ours = (PROTOCOL, numbers(VERSION));
    let theirs = (welcome.protocol, numbers(&welcome.version));
    if theirs < ours {
        Terms::DaemonIsOlder
    } else if welcome.protocol == PROTOCOL {
        Terms::Good
    } else {
        Terms::ClientIsOlder
    }
}

fn numbers(version: &str) -> Vec<u64> {
    version.split(['.', '-', '+']).map_while(|part| part.parse().ok()).collect()
}

fn nobody_listens(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused)
}

/// Why a conversation came to nothing, as far as it matters for trying again.
enum Failure {
    Fault(Fault),
    Unreachable(Fault),
    /// The other side went away in the middle of it.
    Broken(Fault),
}

impl Failure {
    fn of(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::InvalidData {
            return Failure::Fault(Fault::usage(format!("the request or its answer is too large: {error}")));
        }
        let fault = |text: &str| {
            Fault::new(FaultKind::Unreachable, format!("the daemon could not be reached: {text}"))
        };
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                Failure::Unreachable(fault("it did not answer in time; it may be busy"))
            }
            io::ErrorKind::UnexpectedEof => Failure::Broken(fault("it closed the connection")),
            _ => Failure::Broken(fault(&error.to_string())),
        }
    }
}

impl From<Failure> for NoAnswer {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Fault(fault) => NoAnswer::Fault(fault),
            Failure::Unreachable(fault) | Failure::Broken(fault) => NoAnswer::Unreachable(fault),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        let welcome = |protocol, version: &str| Welcome { protocol, version: version.into(), process: 1 };
        assert!(matches!(compare(&welcome(PROTOCOL, VERSION)), Terms::Good));
        assert!(matches!(compare(&welcome(PROTOCOL, "99.10.0")), Terms::Good));
        assert!(matches!(compare(&welcome(PROTOCOL, "0.0.9")), Terms::DaemonIsOlder));
        assert!(matches!(compare(&welcome(PROTOCOL - 1, "99.0.0")), Terms::DaemonIsOlder));
        assert!(matches!(compare(&welcome(PROTOCOL + 1, VERSION)), Terms::ClientIsOlder));
        assert!(numbers("0.10.0") > numbers("0.9.9"));
    }
}
