//! A server on this machine that answers as a test tells it to.

use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What it answers to one question.
pub enum Reply {
    Says(String),
    Refuses(u16, String),
    /// Nothing, for so long.
    Silence(Duration),
}

/// A question as it arrived.
#[derive(Clone)]
pub struct Heard {
    pub head: String,
    pub body: Value,
}

pub struct Server {
    pub address: String,
    ending: Arc<AtomicBool>,
    heard: Arc<Mutex<Vec<Heard>>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub fn start(reply: impl Fn(&Value) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let (ending, heard) = (Arc::default(), Arc::default());
        let (ended, hears) = (Arc::clone(&ending), Arc::clone(&heard));
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if AtomicBool::load(&ended, Ordering::Relaxed) {
                    return;
                }
                let _ = answer(stream.unwrap(), &reply, &hears);
            }
        });
        Self { address, ending, heard, thread: Some(thread) }
    }

    pub fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }

    /// Afterwards nobody listens there.
    pub fn end(&mut self) {
        self.ending.store(true, Ordering::Relaxed);
        let place = self.address.trim_start_matches("http://").trim_end_matches("/v1");
        drop(TcpStream::connect(place));
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

fn answer(
    mut stream: TcpStream,
    reply: &impl Fn(&Value) -> Reply,
    hears: &Mutex<Vec<Heard>>,
) -> std::io::Result<()> {
    let mut read = Vec::new();
    let mut buffer = [0; 8192];
    let body: Value = loop {
        let count = stream.read(&mut buffer)?;
        read.extend(&buffer[..count]);
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n")
            && let Ok(body) = serde_json::from_str::<Value>(body)
        {
            hears.lock().unwrap().push(Heard { head: head.to_owned(), body: body.clone() });
            break body;
        }
        if count == 0 {
            return Ok(());
        }
    };
    let (status, body) = match reply(&body) {
        Reply::Says(body) => (200, body),
        Reply::Refuses(status, body) => (status, body),
        Reply::Silence(time) => {
            thread::sleep(time);
            return Ok(());
        }
    };
    let head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all((head + &body).as_bytes())
}
