//! As much of HTTP as a test of the window needs.

use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

/// Somebody who looks through the window with a key, or without one.
pub struct Looker {
    pub port: u16,
    pub key: Option<String>,
}

pub struct Answered {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answered {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

impl Looker {
    fn send(&self, method: &str, path: &str, body: Option<&Value>) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut head =
            format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", self.port);
        if let Some(key) = &self.key {
            head += &format!("Authorization: Bearer {key}\r\n");
        }
        let body = body.map(Value::to_string).unwrap_or_default();
        if !body.is_empty() {
            head += &format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        }
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
        BufReader::new(stream)
    }

    pub fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Answered {
        let mut reader = self.send(method, path, body);
        let (status, headers) = head(&mut reader);
        let mut answered = Answered { status, headers, body: String::new() };
        if answered.header("transfer-encoding") == Some("chunked") {
            while let Some(chunk) = chunk(&mut reader) {
                answered.body += &chunk;
            }
        } else {
            reader.read_to_string(&mut answered.body).unwrap();
        }
        answered
    }

    /// What is there, which has to be there.
    pub fn get(&self, path: &str) -> Value {
        self.done("GET", path, None, 200)
    }

    pub fn post(&self, path: &str, body: Value) -> Value {
        self.done("POST", path, Some(&body), 200)
    }

    pub fn done(&self, method: &str, path: &str, body: Option<&Value>, status: u16) -> Value {
        let answered = self.ask(method, path, body);
        assert_eq!(answered.status, status, "{method} {path}: {}", answered.body);
        answered.json()
    }

    pub fn listen(&self, path: &str) -> Stream {
        let mut reader = self.send("GET", path, None);
        let (status, _) = head(&mut reader);
        assert_eq!(status, 200, "{path}");
        Stream { reader, rest: String::new() }
    }
}

fn head(reader: &mut BufReader<TcpStream>) -> (u16, Vec<(String, String)>) {
    let status = line(reader).split(' ').nth(1).unwrap().parse().unwrap();
    let mut headers = Vec::new();
    loop {
        let line = line(reader);
        let Some((name, value)) = line.split_once(':') else { return (status, headers) };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
}

fn line(reader: &mut BufReader<TcpStream>) -> String {
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    line.trim_end().to_owned()
}

/// None: that was all.
fn chunk(reader: &mut BufReader<TcpStream>) -> Option<String> {
    let length = usize::from_str_radix(&line(reader), 16).ok().filter(|length| *length > 0)?;
    let mut bytes = vec![0; length + 2];
    reader.read_exact(&mut bytes).unwrap();
    bytes.truncate(length);
    Some(String::from_utf8(bytes).unwrap())
}

/// Events as the server sends them.
pub struct Stream {
    reader: BufReader<TcpStream>,
    rest: String,
}

impl Stream {
    /// The next event of this name, with its number; others are passed over.
    pub fn next(&mut self, name: &str) -> Value {
        loop {
            while let Some((event, rest)) = self.rest.split_once("\n\n") {
                let field = |field: &str| {
                    event.lines().find_map(|line| line.strip_prefix(field)).map(|text| text.trim().to_owned())
                };
                let (called, id, data) = (field("event:"), field("id:"), field("data:"));
                self.rest = rest.to_owned();
                if called.as_deref() == Some(name) {
                    let told: Value = serde_json::from_str(&data.unwrap()).unwrap();
                    assert_eq!(told["what"], name);
                    assert_eq!(id, Some(told["number"].to_string()));
                    return told;
                }
            }
            self.rest += &chunk(&mut self.reader).expect("the stream goes on");
        }
    }
}
