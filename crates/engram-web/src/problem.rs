//! What goes wrong, as RFC 9457 has it: a `Fault` with the status of HTTP that
//! fits its kind.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use engram_wire::{Fault, FaultKind};
use schemars::JsonSchema;
use serde::Serialize;

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    status: StatusCode,
    kind: &'static str,
    detail: String,
    hints: Vec<String>,
}

/// The same as it is told.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub(crate) struct ProblemTold {
    /// `urn:engram:fault:` and its kind.
    #[serde(rename = "type")]
    name: String,
    title: String,
    status: u16,
    /// What went wrong, in a sentence.
    detail: String,
    /// One word for it: that of a fault, or `no_key`, `elsewhere`, `read_only`,
    /// `method`, `too_large`, `not_json` or `too_many`.
    kind: String,
    /// What to do about it.
    hints: Vec<String>,
}

impl From<Problem> for ProblemTold {
    fn from(problem: Problem) -> Self {
        Self {
            name: format!("urn:engram:fault:{}", problem.kind),
            title: problem.status.canonical_reason().unwrap_or_default().to_owned(),
            status: problem.status.as_u16(),
            detail: problem.detail,
            kind: problem.kind.to_owned(),
            hints: problem.hints,
        }
    }
}

impl Problem {
    fn new(status: StatusCode, kind: &'static str, detail: impl Into<String>, hints: Vec<String>) -> Self {
        Self { status, kind, detail: detail.into(), hints }
    }

    /// No key, or a wrong one.
    pub(crate) fn no_key() -> Self {
        let hints = vec!["`engram ui` opens the window".to_owned()];
        Self::new(StatusCode::UNAUTHORIZED, "no_key", "this needs a key of the window", hints)
    }

    /// A ticket that was never given, was used, or is too old.
    pub(crate) fn no_ticket() -> Self {
        let hints = vec!["`engram ui` gives another one".to_owned()];
        Self::new(StatusCode::UNAUTHORIZED, "no_key", "this ticket is used up, too old or unknown", hints)
    }

    /// A request that comes from elsewhere.
    pub(crate) fn elsewhere(detail: &str) -> Self {
        Self::new(StatusCode::FORBIDDEN, "elsewhere", detail, Vec::new())
    }

    /// Somebody who may look wants to change something.
    pub(crate) fn read_only() -> Self {
        let hints = vec!["`engram ui` opens one that can, unless `window.read_only` is on".to_owned()];
        Self::new(StatusCode::FORBIDDEN, "read_only", "this window is for looking only", hints)
    }

    /// A method that an address does not have; these it has.
    pub(crate) fn other_method(allow: &str) -> Self {
        let detail = format!("this address knows {allow} only");
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method", detail, Vec::new())
    }

    pub(crate) fn too_large(most: usize) -> Self {
        let detail = format!("more than {most} bytes were sent");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", detail, Vec::new())
    }

    pub(crate) fn not_json() -> Self {
        let hints = vec!["send it with `Content-Type: application/json`".to_owned()];
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", "only JSON is understood", hints)
    }

    pub(crate) fn too_many_listen(most: usize) -> Self {
        let hints = vec!["close a page of the window".to_owned()];
        let detail = format!("{most} listen already, and more cannot");
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many", detail, hints)
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Self {
        let status = match fault.kind {
            FaultKind::Usage => StatusCode::BAD_REQUEST,
            FaultKind::NotFound => StatusCode::NOT_FOUND,
            FaultKind::Refused => StatusCode::CONFLICT,
            FaultKind::Environment | FaultKind::Busy | FaultKind::Unreachable | FaultKind::Version => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            FaultKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, fault.kind.as_str(), fault.message, fault.hints)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status;
        let body = serde_json::to_vec(&ProblemTold::from(self)).unwrap_or_default();
        let kind = [(header::CONTENT_TYPE, "application/problem+json"), (header::CACHE_CONTROL, "no-store")];
        let mut response = (status, kind, body).into_response();
        if status == StatusCode::UNAUTHORIZED {
            let challenge = axum::http::HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_becomes_a_problem() {
        for kind in FaultKind::ALL {
            let problem =
                ProblemTold::from(Problem::from(Fault::new(*kind, "it went wrong").hint("try again")));
            assert!((400..600).contains(&problem.status), "{kind}");
            assert_eq!(problem.name, format!("urn:engram:fault:{kind}"));
            assert_eq!((problem.detail.as_str(), problem.hints.len()), ("it went wrong", 1));
        }
        assert_eq!(Problem::from(Fault::refused("no")).status, StatusCode::CONFLICT);
        assert_eq!(Problem::from(Fault::busy("later")).status, StatusCode::SERVICE_UNAVAILABLE);
    }
}
