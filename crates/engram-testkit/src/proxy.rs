//! A bad network on this machine: it stands before a server and does to the
//! connections what a test tells it, at any moment. It knows bytes only; TLS goes
//! through unseen.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long whoever lost an answer may go on asking before the connection ends:
/// what was asked together with it arrives too.
const LINGER: Duration = Duration::from_millis(100);

/// What happens to the bytes. A change holds for the connections that are open as
/// well as for new ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Pass,
    /// Every connection is closed, and whoever comes is closed at once.
    Cut,
    /// Connections stay open and nothing comes through. What was sent meanwhile
    /// arrives when it is over.
    Hang,
    /// Each piece arrives so many milliseconds later, both ways.
    Slow(u64),
    /// What is asked arrives. Its answer does not, and the connection ends.
    LoseAnswers,
    /// Each connection ends after so many bytes more, of both ways together.
    Half(u64),
}

/// Bytes that were passed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// From the clients to the server.
    pub up: u64,
    pub down: u64,
}

pub struct Proxy {
    pub port: u16,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    server: SocketAddr,
    state: Mutex<State>,
    /// Told whenever the mode changes.
    changed: Condvar,
}

struct State {
    mode: Mode,
    /// Counts the changes of mode.
    turn: u64,
    carried: Carried,
    /// Connections since the start.
    came: u64,
    open: Vec<Arc<Pair>>,
    ending: bool,
}

/// One connection: both its ends.
struct Pair {
    client: TcpStream,
    server: TcpStream,
    /// In which turn how many bytes went through, for `Half`.
    passed: Mutex<(u64, u64)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

/// What is to be done with a piece now.
enum Fate {
    Forward,
    /// Its first so many bytes, and then the end.
    Part(usize),
    End,
}

impl Proxy {
    pub fn before(server_port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = State {
            mode: Mode::Pass,
            turn: 0,
            carried: Carried::default(),
            came: 0,
            open: Vec::new(),
            ending: false,
        };
        let shared = Arc::new(Shared {
            server: SocketAddr::from(([127, 0, 0, 1], server_port)),
            state: Mutex::new(state),
            changed: Condvar::new(),
        });
        let listening = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                let mut state = listening.state();
                if state.ending {
                    return;
                }
                state.came += 1;
                drop(state);
                if let Ok(client) = stream {
                    let shared = Arc::clone(&listening);
                    thread::spawn(move || shared.connect(client));
                }
            }
        });
        Self { port, shared, thread: Some(thread) }
    }

    pub fn set(&self, mode: Mode) {
        let mut state = self.shared.state();
        (state.mode, state.turn) = (mode, state.turn + 1);
        if mode == Mode::Cut {
            state.close_all();
        }
        self.shared.changed.notify_all();
    }

    pub fn carried(&self) -> Carried {
        self.shared.state().carried
    }

    /// How many connections were tried.
    pub fn came(&self) -> u64 {
        self.shared.state().came
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.ending = true;
        state.close_all();
        drop(state);
        self.shared.changed.notify_all();
        drop(TcpStream::connect(("127.0.0.1", self.port)));
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(matches!(ended, Some(Ok(()))) || thread::panicking(), "the proxy failed");
    }
}

impl State {
    fn close_all(&mut self) {
        for pair in self.open.drain(..) {
            pair.close();
        }
    }
}

impl Pair {
    fn close(&self) {
        let _ = self.client.shutdown(Shutdown::Both);
        let _ = self.server.shutdown(Shutdown::Both);
    }

    /// Whom it is read from, and whom it goes to.
    fn ends(&self, way: Way) -> (&TcpStream, &TcpStream) {
        match way {
            Way::Up => (&self.client, &self.server),
            Way::Down => (&self.server, &self.client),
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// None: this is the end, not a mode.
    fn mode(&self) -> Option<(Mode, u64)> {
        let state = self.changed.wait_while(self.state(), |state| state.mode == Mode::Hang && !state.ending);
        let state = state.unwrap();
        (!state.ending).then_some((state.mode, state.turn))
    }

    fn connect(self: Arc<Self>, client: TcpStream) {
        if !matches!(self.mode(), Some((mode, _)) if mode != Mode::Cut) {
            return;
        }
        let Ok(server) = TcpStream::connect(self.server) else { return };
        for stream in [&client, &server] {
            stream.set_nodelay(true).unwrap();
        }
        let pair = Arc::new(Pair { client, server, passed: Mutex::default() });
        let mut state = self.state();
        if state.ending || state.mode == Mode::Cut {
            return;
        }
        state.open.push(Arc::clone(&pair));
        drop(state);
        let (shared, answered) = (Arc::clone(&self), Arc::clone(&pair));
        let down = thread::spawn(move || shared.carry(&answered, Way::Down));
        self.carry(&pair, Way::Up);
        let _ = down.join();
        self.state().open.retain(|open| !Arc::ptr_eq(open, &pair));
    }

    fn carry(&self, pair: &Pair, way: Way) {
        let (mut from, mut to) = pair.ends(way);
        let mut buffer = vec![0; 16 * 1024];
        loop {
            let Ok(count) = from.read(&mut buffer) else { return pair.close() };
            let (length, last) = match self.fate(pair, way, count) {
                // Who has nothing more to say may still listen.
                Fate::Forward if count == 0 => {
                    let _ = to.shutdown(Shutdown::Write);
                    return;
                }
                Fate::Forward => (count, false),
                Fate::Part(length) => (length, true),
                Fate::End => return pair.close(),
            };
            // First, so that nobody has heard what is not counted.
            let mut state = self.state();
            match way {
                Way::Up => state.carried.up += length as u64,
                Way::Down => state.carried.down += length as u64,
            }
            drop(state);
            if to.write_all(&buffer[..length]).is_err() {
                return pair.close();
            }
            if last {
                return pair.close();
            }
        }
    }

    fn fate(&self, pair: &Pair, way: Way, count: usize) -> Fate {
        let Some((mode, turn)) = self.mode() else { return Fate::End };
        match mode {
            Mode::Pass | Mode::Hang => Fate::Forward,
            Mode::Cut => Fate::End,
            Mode::Slow(milliseconds) => {
                thread::sleep(Duration::from_millis(milliseconds));
                Fate::Forward
            }
            Mode::LoseAnswers if way == Way::Up => Fate::Forward,
            Mode::LoseAnswers => {
                thread::sleep(LINGER);
                Fate::End
            }
            Mode::Half(most) => {
                let mut passed = pair.passed.lock().unwrap();
                if passed.0 != turn {
                    *passed = (turn, 0);
                }
                let left = most - passed.1;
                passed.1 = most.min(passed.1 + count as u64);
                if left > count as u64 { Fate::Forward } else { Fate::Part(left as usize) }
            }
        }
    }
}
