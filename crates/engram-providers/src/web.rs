//! The one place that speaks HTTP.
//!
//! A proxy is an argument: the environment is read by the binaries only. Who is
//! to be trusted is the system's decision, because many companies have their
//! own certificates there.

use std::time::Duration;
use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body, Error, Proxy};

/// A server that does not answer at all within this is not there.
const CONNECT: Duration = Duration::from_secs(10);

/// A way to the network.
#[derive(Clone)]
pub struct Web {
    agent: Agent,
}

/// Why no answer came.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebError {
    #[error("\"{0}\" is not the address of a proxy")]
    Proxy(String),
    #[error("{address} is not an address")]
    Address { address: String },
    #[error("{address} cannot be reached: {problem}")]
    Unreachable { address: String, problem: String },
    #[error("{address} did not answer in time")]
    Timeout { address: String },
}

impl Web {
    /// `wait` is how long an answer may take to begin, and how long it may
    /// then say nothing.
    pub fn new(wait: Duration, proxy: Option<&str>) -> Result<Self, WebError> {
        let unusable = |text: &str| WebError::Proxy(text.to_owned());
        let proxy = proxy.map(|text| Proxy::new(text).map_err(|_| unusable(text))).transpose()?;
        let config = Agent::config_builder()
            .proxy(proxy)
            .tls_config(TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build())
            .user_agent("engram")
            .http_status_as_error(false)
            .timeout_connect(Some(CONNECT.min(wait)))
            .timeout_recv_response(Some(wait))
            .timeout_per_read(Some(wait))
            .build();
        Ok(Web { agent: config.new_agent() })
    }

    /// Any status is an answer.
    pub(crate) fn get(&self, address: &str, from: u64) -> Result<Response<Body>, WebError> {
        let request = self.agent.get(address);
        let request = if from > 0 { request.header("range", format!("bytes={from}-")) } else { request };
        request.call().map_err(|error| why(address, error))
    }

    pub(crate) fn post(
        &self,
        address: &str,
        key: Option<&str>,
        json: &str,
    ) -> Result<Response<Body>, WebError> {
        let mut request = self.agent.post(address).header("content-type", "application/json");
        if let Some(key) = key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        request.send(json).map_err(|error| why(address, error))
    }

    /// Asks once, and is done with it after `within`, however the answer drips.
    /// Who else might answer is not followed: the key is for this address.
    pub(crate) fn post_within(
        &self,
        address: &str,
        headers: &[(&str, &str)],
        json: &str,
        within: Duration,
    ) -> Result<Response<Body>, WebError> {
        let request = self.agent.post(address).header("content-type", "application/json");
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        let request = request.config().timeout_global(Some(within)).max_redirects(0).build();
        request.send(json).map_err(|error| why(address, error))
    }
}

/// An error by what the reader can do about it.
pub(crate) fn why(address: &str, error: Error) -> WebError {
    let address = address.to_owned();
    match error {
        Error::BadUri(_) | Error::Http(_) => WebError::Address { address },
        Error::Timeout(_) => WebError::Timeout { address },
        other => WebError::Unreachable { address, problem: other.to_string() },
    }
}

/// A server for tests: gives the answers it was made with, one a connection,
/// and remembers what it heard.
#[cfg(test)]
pub(crate) mod testing {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;
    use std::time::Duration;

    pub(crate) enum Answer {
        /// Status, further header lines, content; the connection closes after it.
        Given(u16, String, Vec<u8>),
        /// Takes the request and says nothing.
        Silence,
        /// Begins to answer and sends a byte now and then.
        Dripping,
    }

    impl Answer {
        pub(crate) fn json(status: u16, body: &str) -> Self {
            Answer::Given(status, format!("content-length: {}\r\n", body.len()), body.as_bytes().to_vec())
        }
    }

    pub(crate) struct Server {
        pub(crate) base: String,
        heard: Receiver<String>,
    }

    impl Server {
        pub(crate) fn requests(&self) -> Vec<String> {
            self.heard.try_iter().collect()
        }
    }

    pub(crate) fn serve(answers: Vec<Answer>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let (tell, heard) = channel();
        thread::spawn(move || {
            for answer in answers {
                let (mut stream, _) = listener.accept().unwrap();
                let request = hear(&mut stream);
                // Before the answer: whoever has that may ask for this.
                if tell.send(request).is_err() {
                    return;
                }
                match answer {
                    Answer::Given(status, headers, body) => {
                        let head = format!("HTTP/1.1 {status} x\r\nconnection: close\r\n{headers}\r\n");
                        // A client that has heard enough may be gone.
                        let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
                    }
                    Answer::Silence => thread::sleep(Duration::from_secs(3)),
                    Answer::Dripping => {
                        let head = b"HTTP/1.1 200 x\r\nconnection: close\r\ncontent-length: 9999\r\n\r\n";
                        let mut written = stream.write_all(head);
                        while written.is_ok() {
                            thread::sleep(Duration::from_millis(20));
                            written = stream.write_all(b" ");
                        }
                    }
                }
            }
        });
        Server { base, heard }
    }

    fn hear(stream: &mut TcpStream) -> String {
        let mut heard = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            let text = String::from_utf8_lossy(&heard).into_owned();
            if let Some((head, body)) = text.split_once("\r\n\r\n") {
                let length = head.to_lowercase().lines().find_map(|line| {
                    line.strip_prefix("content-length:")
                        .and_then(|length| length.trim().parse::<usize>().ok())
                });
                if body.len() >= length.unwrap_or(0) {
                    return text;
                }
            }
            let count = stream.read(&mut buffer).unwrap();
            heard.extend(&buffer[..count]);
            if count == 0 {
                return String::from_utf8_lossy(&heard).into_owned();
            }
        }
    }
}
