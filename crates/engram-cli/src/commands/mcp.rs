//! `engram mcp`: passes on what an agent says in the Model Context Protocol, a
//! message in each line, to the daemon, and its answers back.
//!
//! Nothing is understood here but who waits for an answer. A daemon that ends,
//! is upgraded or killed is reached again, greeted as before, and asked again
//! what it had not answered.

use crate::args::Global;
use crate::around::{self, Around};
use crate::ask::Client;
use crate::out;
use engram_core::SessionId;
use engram_wire::message::Profile;
use engram_wire::reply::McpServed;
use engram_wire::{Fault, Order};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

/// How long what was asked is waited for when the agent has nothing more to say.
const LAST_WAIT: Duration = Duration::from_secs(10);
/// How long a daemon that has to be started is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// The protocol's word for a defect on the other side.
const INTERNAL_ERROR: i64 = -32603;

pub(crate) fn run(mut global: Global, profile: Profile, http: bool) -> Result<u8, Fault> {
    // An agent may walk about; its session belongs to where it was started.
    global.folder = global.folder.or_else(around::agent_folder);
    let around = Around::look(&global)?;
    let settings = around.settings_and_problems().0;
    let session = around::agent_session().as_deref().map(SessionId::named);
    let client = Client::new(around, settings)?.for_agent(PATIENCE).within(session);
    if http {
        let served: McpServed = out::understood(client.ask(Order::McpHttp { profile })?)?;
        out::put(&json!({"url": served.url, "token": served.token}).to_string())?;
        return Ok(0);
    }
    let bridge = Arc::new(Bridge { client, profile, talk: Mutex::default(), answered: Condvar::new() });
    let mut stdin = io::stdin().lock();
    let mut line = Vec::new();
    while stdin.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        // Whatever is no text is not understood by the daemon either, and says so.
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if !text.is_empty() {
            bridge.pass_on(text);
        }
        line.clear();
    }
    bridge.finish();
    Ok(0)
}

struct Bridge {
    client: Client,
    profile: Profile,
    talk: Mutex<Talk>,
    answered: Condvar,
}

/// How a conversation stands.
#[derive(Default)]
struct Talk {
    daemon: Option<UnixStream>,
    /// Counts the connections, so that one that broke is told from the next.
    connection: u64,
    /// What the agent said first, to be said again to a new daemon.
    greeting: Vec<String>,
    /// What waits for an answer, by its identifier, and on which connection it
    /// was asked.
    waiting: BTreeMap<String, (String, u64)>,
    /// The answer to a greeting that was said again is nobody's.
    unasked: Option<String>,
}

impl Bridge {
    fn talk(&self) -> MutexGuard<'_, Talk> {
        self.talk.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn pass_on(self: &Arc<Self>, line: String) {
        let said: Value = serde_json::from_str(&line).unwrap_or_default();
        let method = said.get("method").and_then(Value::as_str);
        let mut talk = self.talk();
        if let (Some(id), Some(_)) = (id_of(&said), method) {
            let connection = talk.connection;
            talk.waiting.insert(id, (line.clone(), connection));
        }
        let sent = talk.daemon.as_mut().is_some_and(|daemon| say(daemon, &line).is_ok());
        if !sent {
            self.connect(&mut talk, Some(&line));
        }
        if matches!(method, Some("initialize" | "notifications/initialized")) {
            talk.greeting.push(line);
        }
    }

    /// Reaches the daemon anew, says again what it has to know, and what is
    /// still to be answered, or was not said yet.
    fn connect(self: &Arc<Self>, talk: &mut Talk, unsaid: Option<&str>) {
        talk.daemon = None;
        talk.unasked = None;
        let reached = self
            .client
            .open(Order::Mcp { profile: self.profile, process: around::parent_process() })
            .and_then(|stream| {
                let hearing = stream.try_clone().map_err(|error| Fault::environment(error.to_string()))?;
                Ok((stream, hearing))
            });
        let (mut stream, hearing) = match reached {
            Ok(reached) => reached,
            Err(fault) => return self.give_up(talk, &fault),
        };
        talk.connection += 1;
        let connection = talk.connection;
        let mut lines = talk.greeting.clone();
        let greeting = talk.greeting.first().and_then(|line| serde_json::from_str::<Value>(line).ok());
        let greeted = greeting.as_ref().and_then(id_of);
        talk.unasked = greeted.filter(|id| !talk.waiting.contains_key(id));
        for (line, asked_on) in talk.waiting.values_mut() {
            *asked_on = connection;
            if !lines.contains(line) {
                lines.push(line.clone());
            }
        }
        lines.extend(unsaid.filter(|line| !lines.iter().any(|said| said == line)).map(str::to_owned));
        let said = lines.iter().try_for_each(|line| say(&mut stream, line));
        if let Err(error) = said {
            return self.give_up(talk, &Fault::environment(error.to_string()));
        }
        talk.daemon = Some(stream);
        let bridge = Arc::clone(self);
        std::thread::spawn(move || bridge.listen(hearing, connection));
    }

    /// Hands answers back until the daemon hangs up.
    fn listen(self: Arc<Self>, hearing: UnixStream, connection: u64) {
        for line in BufReader::new(hearing).lines().map_while(Result::ok) {
            let said: Value = serde_json::from_str(&line).unwrap_or_default();
            let answers = id_of(&said).filter(|_| said.get("method").is_none());
            let mut talk = self.talk();
            if answers.is_some() && answers == talk.unasked {
                talk.unasked = None;
                continue;
            }
            if let Some(id) = answers {
                talk.waiting.remove(&id);
            }
            hand_back(&line);
            self.answered.notify_all();
        }
        let mut talk = self.talk();
        if talk.connection != connection {
            return;
        }
        talk.daemon = None;
        // Nobody waits: it is reached again when there is something to say.
        if !talk.waiting.is_empty() {
            self.connect(&mut talk, None);
        }
    }

    /// Whoever waits is told that there will be no answer.
    fn give_up(&self, talk: &mut Talk, fault: &Fault) {
        for id in std::mem::take(&mut talk.waiting).into_keys() {
            let id: Value = serde_json::from_str(&id).unwrap_or_default();
            let error = json!({"code": INTERNAL_ERROR, "message": format!("engram: {}", fault.message)});
            hand_back(&json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string());
        }
        self.answered.notify_all();
    }

    /// The agent has nothing more to say; what it asked is still answered.
    fn finish(&self) {
        let talk = self.talk();
        let waits = |talk: &mut Talk| !talk.waiting.is_empty();
        let waited = self.answered.wait_timeout_while(talk, LAST_WAIT, waits);
        let (talk, _) = waited.unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(daemon) = &talk.daemon {
            let _ = daemon.shutdown(Shutdown::Both);
        }
    }
}

/// The identifier as it was written, so that a number is not taken for a text.
fn id_of(said: &Value) -> Option<String> {
    said.get("id").filter(|id| !id.is_null()).map(Value::to_string)
}

fn say(daemon: &mut UnixStream, line: &str) -> io::Result<()> {
    daemon.write_all(line.as_bytes())?;
    daemon.write_all(b"\n")
}

/// An agent that does not listen any more is leaving.
fn hand_back(line: &str) {
    let mut agent = io::stdout().lock();
    let _ = agent.write_all(line.as_bytes()).and_then(|()| agent.write_all(b"\n"));
    let _ = agent.flush();
}
