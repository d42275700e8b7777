//! Who is let in: only under a name of this machine, only from a page of ours,
//! and only with a key.
//!
//! A page of another site can send requests here, too; that is why the host, the
//! origin and what the browser says of both are looked at before the key.

use crate::problem::Problem;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use engram_wire::token::bears;
use std::sync::Arc;

/// What somebody may do who was let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Owner,
    /// Looks, and changes nothing.
    Reader,
}

/// The keys of the window. They are no tokens of the Model Context Protocol: an
/// agent that has one of those must not speak as a person.
#[derive(Clone)]
pub struct Keys {
    pub owner: String,
    pub reader: String,
    /// The setting `window.read_only`: whoever comes is a reader.
    pub read_only: bool,
}

/// Where the window is.
#[derive(Debug, Clone, Copy)]
pub struct Hosts {
    pub port: u16,
}

impl Hosts {
    /// The names under which this machine speaks to itself. Any other means that
    /// somebody made his own name lead here.
    fn names(self) -> [String; 3] {
        ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{}", self.port))
    }
}

pub(crate) struct Door {
    pub(crate) keys: Keys,
    pub(crate) hosts: Hosts,
}

impl Door {
    /// As whom the bearer of a key is let in. None: he has none.
    pub(crate) fn mode_of(&self, headers: &HeaderMap) -> Option<Mode> {
        let sent = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
        // Both are compared, whichever it is.
        let (owner, reader) = (bears(sent, &self.keys.owner), bears(sent, &self.keys.reader));
        match (owner, reader) {
            (true, _) if !self.keys.read_only => Some(Mode::Owner),
            (true, _) | (_, true) => Some(Mode::Reader),
            (false, false) => None,
        }
    }

    /// Whether a request comes from this machine and from a page of ours.
    fn knows(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let names = self.hosts.names();
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let host = text(header::HOST).unwrap_or_default();
        if !names.iter().any(|name| name == host) {
            return Err(Problem::elsewhere("this host is not one of the window's"));
        }
        let ours = |origin: &str| names.iter().any(|name| origin == format!("http://{name}"));
        if text(header::ORIGIN).is_some_and(|origin| !ours(origin)) {
            return Err(Problem::elsewhere("this origin is not the window's"));
        }
        match text(HeaderName::from_static("sec-fetch-site")) {
            None | Some("same-origin" | "none") => Ok(()),
            Some(_) => Err(Problem::elsewhere("a page of another site may not ask here")),
        }
    }
}

/// Everything the window answers goes through here, what it does not know as well.
pub(crate) fn guarded(router: Router, door: Arc<Door>) -> Router {
    router.layer(from_fn_with_state(door, pass))
}

async fn pass(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    let mut response = match door.knows(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// No script, style, font or picture of anybody else, no frame around it, nothing
/// told to where one goes from here.
const HEADERS: [(&str, &str); 7] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; font-src 'self'; \
         img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types engram",
    ),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("x-frame-options", "DENY"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
];
