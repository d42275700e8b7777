//! A language model on this machine that answers every question alike: it keeps
//! nothing. It is there to be asked, so that the budget of its calls is met.

use anyhow::Result;
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Whoever says nothing for so long has gone.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) struct Model {
    address: SocketAddr,
    asked: Arc<AtomicU64>,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Model {
    pub(super) fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let (asked, ends) = (Arc::<AtomicU64>::default(), Arc::<AtomicBool>::default());
        let (counts, ended) = (Arc::clone(&asked), Arc::clone(&ends));
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                // Whoever hung up asks again, or does without.
                if let Ok(true) = stream.and_then(answer) {
                    counts.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        Ok(Self { address, asked, ends, thread: Some(thread) })
    }

    /// How often it was asked.
    pub(super) fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// The settings of a home that asks it so often in a day.
    pub(super) fn settings(&self, calls_per_day: u64) -> String {
        format!(
            "[llm]\ndialect = \"openai\"\nurl = \"http://{}/v1\"\nmodel = \"scripted\"\n\
             calls_per_day = {calls_per_day}\n",
            self.address
        )
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::Relaxed);
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// False: whoever came asked nothing.
fn answer(mut stream: TcpStream) -> std::io::Result<bool> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut read = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let count = stream.read(&mut buffer)?;
        read.extend(&buffer[..count]);
        let text = String::from_utf8_lossy(&read);
        let body = text.split_once("\r\n\r\n").map(|(_, body)| body);
        if body.is_some_and(|body| serde_json::from_str::<Value>(body).is_ok()) {
            break;
        }
        if count == 0 {
            return Ok(false);
        }
    }
    let said = json!({
        "choices": [{ "finish_reason": "stop",
            "message": { "role": "assistant", "content": "{\"facts\": []}" } }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 5 },
    });
    let said = said.to_string();
    let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", said.len());
    stream.write_all((head + &said).as_bytes())?;
    Ok(true)
}
