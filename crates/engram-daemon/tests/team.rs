//! What only a real server and a bad network show: TLS, lost connections, kills.
//!
//! The server's program is named by `ENGRAM_TEAM_SERVER`; `make team-test` builds
//! it. Without it what needs it is skipped by name, which `ENGRAM_TEAM=all` makes
//! a failure; `ENGRAM_TEAM=off` skips it where there is one.

#![allow(unreachable_pub, reason = "the rooms of this file are its own")]

#[path = "team/certs.rs"]
mod certs;
mod common;
#[path = "team/server.rs"]
mod server;
#[path = "team/wanted.rs"]
mod wanted;

use certs::{Authority, Flaw};
use common::soon;
use engram_testkit::proxy::{Carried, Mode, Proxy};
use serde_json::json;
use server::{Server, health, is_mistrust};
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use wanted::program;

/// A database in which whoever has signed in sees the birds. A server makes
/// neither a namespace nor a database because somebody names it.
const BIRDS: &str = "DEFINE NAMESPACE team; DEFINE DATABASE t_birds;
    DEFINE TABLE bird PERMISSIONS FOR select WHERE $auth != NONE;";

/// Says back what it is told, and keeps it.
struct Echo {
    port: u16,
    heard: Arc<Mutex<Vec<u8>>>,
}

impl Echo {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&heard);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let hears = Arc::clone(&hears);
                thread::spawn(move || echo(stream, &hears));
            }
        });
        Self { port, heard }
    }

    fn heard(&self) -> String {
        String::from_utf8(self.heard.lock().unwrap().clone()).unwrap()
    }
}

fn echo(mut stream: TcpStream, hears: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        hears.lock().unwrap().extend(&buffer[..count]);
        if stream.write_all(&buffer[..count]).is_err() {
            return;
        }
    }
}

/// Somebody on the other side of the proxy.
struct Caller(TcpStream);

impl Caller {
    fn new(proxy: &Proxy) -> Self {
        let stream = TcpStream::connect(("127.0.0.1", proxy.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        Self(stream)
    }

    fn say(&mut self, text: &str) {
        self.0.write_all(text.as_bytes()).unwrap();
    }

    /// So many bytes of what comes back.
    fn hear(&mut self, length: usize) -> String {
        let mut bytes = vec![0; length];
        self.0.read_exact(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// Whether nothing comes back for a while, and the connection stays.
    fn hears_nothing(&mut self) -> bool {
        self.0.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
        let heard = self.0.read(&mut [0; 1]);
        self.0.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        matches!(heard, Err(error) if error.kind() == ErrorKind::WouldBlock)
    }

    /// What still came before the connection ended.
    fn rest(mut self) -> String {
        let mut rest = Vec::new();
        match self.0.read_to_end(&mut rest) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset, "the connection stays open"),
        }
        String::from_utf8(rest).unwrap()
    }
}

#[test]
fn a_good_network_passes_everything_and_counts_it() {
    let echo = Echo::start();
    let proxy = Proxy::before(echo.port);
    let (mut one, mut other) = (Caller::new(&proxy), Caller::new(&proxy));
    one.say("good morning");
    assert_eq!(one.hear(12), "good morning");
    other.say("evening");
    assert_eq!(other.hear(7), "evening");
    assert_eq!(proxy.carried(), Carried { up: 19, down: 19 });
    assert_eq!(proxy.came(), 2);
    let long = "a long letter ".repeat(100_000);
    let (text, mut reading) = (long.clone(), Caller(one.0.try_clone().unwrap()));
    let writing = thread::spawn(move || one.say(&text));
    assert!(reading.hear(long.len()) == long);
    writing.join().unwrap();
}

#[test]
fn who_has_said_everything_still_hears_the_answer() {
    let echo = Echo::start();
    let proxy = Proxy::before(echo.port);
    let mut caller = Caller::new(&proxy);
    caller.say("that was all");
    caller.0.shutdown(std::net::Shutdown::Write).unwrap();
    assert_eq!(caller.rest(), "that was all");
}

#[test]
fn a_cut_ends_what_is_open_and_whoever_comes() {
    let echo = Echo::start();
    let proxy = Proxy::before(echo.port);
    let mut open = Caller::new(&proxy);
    open.say("before");
    assert_eq!(open.hear(6), "before");
    proxy.set(Mode::Cut);
    assert_eq!(open.rest(), "");
    assert_eq!(Caller::new(&proxy).rest(), "");
    assert_eq!(echo.heard(), "before");
    proxy.set(Mode::Pass);
    let mut again = Caller::new(&proxy);
    again.say(" and after");
    assert_eq!(again.hear(10), " and after");
}

#[test]
fn what_hangs_arrives_when_it_is_over() {
    let echo = Echo::start();
    let proxy = Proxy::before(echo.port);
    let mut open = Caller::new(&proxy);
    open.say("one");
    assert_eq!(open.hear(3), "one");
    proxy.set(Mode::Hang);
    open.say("two");
    let mut new = Caller::new(&proxy);
    new.say("six");
    assert!(open.hears_nothing() && new.hears_nothing());
    assert_eq!(echo.heard(), "one");
    proxy.set(Mode::Pass);
    assert_eq!((open.hear(3), new.hear(3)), ("two".to_owned(), "six".to_owned()));
    // And it can be cut off while it hangs.
    proxy.set(Mode::Hang);
    open.say("lost");
    assert!(open.hears_nothing());
    proxy.set(Mode::Cut);
    assert_eq!(open.rest(), "");
    assert!(!echo.heard().contains("lost"));
}

#[test]
fn a_slow_network_is_late_both_ways() {
    let echo = Echo::start();
    let proxy = Proxy::before(echo.port);
    let mut caller = Caller::new(&proxy);
    proxy.set(Mode::Slow(150));
    let began = common::now();
    caller.say("late");
    assert_eq!(caller.hear(4), "late");
    assert!(common::now().as_millisecond() - began.as_millisecond() >= 299);
}

#[test]
fn a_lost_answer_was_still_asked() {
    let echo = Echo::start();
    let proxy = Proxy::before(echo.port);
    let mut caller = Caller::new(&proxy);
    caller.say("one");
    assert_eq!(caller.hear(3), "one");
    proxy.set(Mode::LoseAnswers);
    caller.say("two");
    assert_eq!(caller.rest(), "", "the answer is lost and the connection with it");
    assert_eq!(echo.heard(), "onetwo", "the request is not");
    assert_eq!(proxy.carried(), Carried { up: 6, down: 3 });
}

#[test]
fn half_a_message_is_what_arrives() {
    let echo = Echo::start();
    let proxy = Proxy::before(echo.port);
    let mut caller = Caller::new(&proxy);
    caller.say("whole");
    assert_eq!(caller.hear(5), "whole");
    proxy.set(Mode::Half(4));
    caller.say("a message");
    assert_eq!(caller.rest(), "");
    soon("half of it arrives", || echo.heard() == "wholea me");
    // Half of the answer: nine bytes there, four of them back.
    proxy.set(Mode::Half(13));
    let mut caller = Caller::new(&proxy);
    caller.say("a message");
    assert_eq!(caller.rest(), "a me");
}

#[test]
fn a_server_answers_over_tls_and_outlives_a_kill() {
    let Some(program) = program() else { return };
    let authority = Authority::new();
    let began = common::now();
    let mut server = Server::start(&program, &authority);
    let ready = common::now().as_millisecond() - began.as_millisecond();
    println!("ready after {ready} ms, {} KiB resident", server.resident_kib().unwrap_or_default());
    assert_eq!(server.health(), Ok(200));
    assert_eq!(server.address(), format!("wss://127.0.0.1:{}", server.port));
    let plain = ureq::get(format!("http://127.0.0.1:{}/health", server.port)).call();
    assert!(plain.is_err(), "it answers without TLS");
    server.query("team", "t_birds", BIRDS);
    server.query("team", "t_birds", "CREATE bird:kestrel SET seen = 3");
    let port = server.port;
    server.kill();
    assert!(server.health().is_err());
    server.restart();
    assert_eq!((server.health(), server.port), (Ok(200), port));
    let rows = server.query("team", "t_birds", "SELECT VALUE seen FROM bird");
    assert_eq!(rows, [json!([3])]);
    let stranger = server.query_as("nobody", "team", "t_birds", "SELECT * FROM bird");
    assert!(stranger.is_err(), "{stranger:?}");
}

#[test]
fn a_frozen_server_is_silent_until_it_is_thawed() {
    let Some(program) = program() else { return };
    let server = Server::start(&program, &Authority::new());
    server.freeze();
    let problem = server.health().unwrap_err();
    assert!(problem.contains("timeout"), "{problem}");
    server.thaw();
    assert_eq!(server.health(), Ok(200));
}

#[test]
fn a_flawed_certificate_is_mistrusted() {
    let Some(program) = program() else { return };
    let authority = Authority::new();
    for flaw in Flaw::ALL {
        let server = Server::showing(&program, &authority, &authority.flawed(flaw));
        let problem = server.health().unwrap_err();
        assert!(is_mistrust(&problem), "{flaw:?}: {problem}");
    }
}

#[test]
fn a_server_is_reached_through_a_network_as_bad_as_it_is() {
    let Some(program) = program() else { return };
    let authority = Authority::new();
    let server = Server::start(&program, &authority);
    let proxy = Proxy::before(server.port);
    let agent = server::agent(&authority);
    assert_eq!(health(&agent, proxy.port), Ok(200));
    let carried = proxy.carried();
    assert!(carried.up > 300 && carried.down > 300, "{carried:?}");
    for mode in [Mode::Cut, Mode::Hang, Mode::LoseAnswers, Mode::Half(600)] {
        proxy.set(mode);
        let answered = health(&agent, proxy.port);
        assert!(answered.is_err(), "{mode:?}: {answered:?}");
    }
    for mode in [Mode::Slow(20), Mode::Pass] {
        proxy.set(mode);
        assert_eq!(health(&agent, proxy.port), Ok(200), "{mode:?}");
    }
}

#[test]
fn a_rewritten_server_has_everything_but_what_was_erased() {
    let Some(program) = program() else { return };
    let mut server = Server::start(&program, &Authority::new());
    let erased = "the kestrel nests behind the old transformer";
    let schema = "DEFINE USER keeper ON NAMESPACE PASSWORD 'of-birds' ROLES OWNER;
        DEFINE TABLE watcher PERMISSIONS NONE;
        DEFINE ACCESS watcher ON DATABASE TYPE RECORD
            SIGNUP (CREATE watcher SET name = $name, key = $key)
            SIGNIN (SELECT * FROM watcher WHERE name = $name AND key = $key);";
    server.query("team", "t_birds", BIRDS);
    server.query("team", "t_birds", schema);
    server.query("team", "t_birds", &format!("CREATE bird:kestrel SET seen = 3, place = '{erased}'"));
    server.query("team", "t_birds", "UPDATE bird:kestrel UNSET place; CREATE bird:wren SET seen = 1");
    let watcher = json!({ "ns": "team", "db": "t_birds", "ac": "watcher", "name": "ada", "key": "3f9c" });
    let token = server.sign("signup", &watcher).expect("a watcher signs up");

    let refused = server.rewrite();
    assert!(!refused.status.success(), "it was rewritten while it ran");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is the server stopped?"), "{refused:?}");
    assert_eq!(server.health(), Ok(200));
    server.kill();
    assert!(holds(&server.folder(), erased), "it is gone before anybody looked");
    // What one that was interrupted left beside it.
    let left = server.folder().with_extension("rewriting");
    std::fs::create_dir(&left).unwrap();
    std::fs::write(left.join("half"), erased).unwrap();
    let done = server.rewrite();
    assert!(done.status.success(), "{done:?}");
    println!("{}", String::from_utf8_lossy(&done.stdout).trim());
    assert!(!holds(server.folder().parent().unwrap(), erased), "what was erased is on the disk");

    server.restart();
    let rows = server.query("team", "t_birds", "SELECT * FROM bird");
    assert_eq!(rows, [json!([{ "id": "bird:kestrel", "seen": 3 }, { "id": "bird:wren", "seen": 1 }])]);
    // Whoever was let in before is let in now, and nobody else.
    let seen = server.query_as(&token, "team", "t_birds", "SELECT VALUE seen FROM bird");
    assert_eq!(seen, Ok(vec![json!([3, 1])]));
    assert!(server.sign("signin", &watcher).is_some());
    assert!(server.sign("signin", &json!({ "ns": "team", "user": "keeper", "pass": "of-birds" })).is_some());
    assert!(server.sign("signin", &json!({ "ns": "team", "user": "keeper", "pass": "of-prey" })).is_none());
}

/// Whether a text is in some file of the folder.
fn holds(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return holds(&path, text);
        }
        let bytes = std::fs::read(path).unwrap();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}
