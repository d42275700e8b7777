//! How an answer is sent: packed where whoever asks unpacks it, and named by its
//! content where it may be kept.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use engram_core::OperationId;
use flate2::Compression;
use flate2::write::GzEncoder;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::io::Write as _;

/// Less than this is not worth packing.
const WORTH_PACKING: usize = 1024;

/// Something that takes long has begun; how far it is comes as activity.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Begun")]
pub(crate) struct BegunTold {
    /// The name under which it is told.
    pub(crate) operation: OperationId,
}

/// A reply as JSON. It is never kept: it is about what is so now.
pub(crate) fn json(status: StatusCode, asked: &HeaderMap, reply: &Value) -> Response {
    let text = reply.to_string().into_bytes();
    let packed =
        if text.len() >= WORTH_PACKING && unpacks(asked) { packed(&text, Compression::fast()) } else { None };
    let kind = [
        (header::CONTENT_TYPE, "application/json"),
        (header::CACHE_CONTROL, "no-store"),
        (header::VARY, "accept-encoding"),
    ];
    match packed {
        Some(packed) => (status, kind, [(header::CONTENT_ENCODING, "gzip")], packed).into_response(),
        None => (status, kind, text).into_response(),
    }
}

/// Whether whoever asks unpacks gzip.
pub(crate) fn unpacks(asked: &HeaderMap) -> bool {
    let told = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    told.flat_map(|value| value.split(',')).any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let gzip = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        // A weight of zero says that it does not.
        let refused =
            parts.filter_map(|part| part.strip_prefix("q=")).any(|weight| weight.parse() == Ok(0.0));
        gzip && !refused
    })
}

/// The same in less. None: it is sent as it is.
pub(crate) fn packed(bytes: &[u8], how: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), how);
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

/// A name for bytes: other bytes have another one.
pub(crate) fn etag(bytes: &[u8]) -> HeaderValue {
    let digest: String = Sha256::digest(bytes).iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    // It is weak because the same name stands for the packed bytes.
    HeaderValue::from_str(&format!("W/\"{digest}\"")).unwrap_or_else(|_| HeaderValue::from_static("W/\"\""))
}

/// Whether whoever asks has it already.
pub(crate) fn has_it(asked: &HeaderMap, etag: &HeaderValue) -> bool {
    let told = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let opaque = |name: &str| name.trim().trim_start_matches("W/").to_owned();
    let ours = opaque(etag.to_str().unwrap_or_default());
    told.flat_map(|value| value.split(',')).any(|one| one.trim() == "*" || opaque(one) == ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asks(name: header::HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn only_who_unpacks_it_is_sent_what_is_packed() {
        for yes in ["gzip", "br, GZIP", "gzip;q=0.5", "deflate , gzip ; q=1"] {
            assert!(unpacks(&asks(header::ACCEPT_ENCODING, yes)), "{yes}");
        }
        for no in ["", "br", "gzip;q=0", "gzip; q=0.0", "xgzip", "identity"] {
            assert!(!unpacks(&asks(header::ACCEPT_ENCODING, no)), "{no}");
        }
        assert!(!unpacks(&HeaderMap::new()));
    }

    #[test]
    fn what_is_the_same_has_the_same_name() {
        let name = etag(b"one");
        assert_eq!(name, etag(b"one"));
        assert_ne!(name, etag(b"two"));
        let told = name.to_str().unwrap();
        for yes in [told, "*", &format!("\"x\", {told}"), told.trim_start_matches("W/")] {
            assert!(has_it(&asks(header::IF_NONE_MATCH, yes), &name), "{yes}");
        }
        assert!(!has_it(&asks(header::IF_NONE_MATCH, "\"x\""), &name));
        assert!(!has_it(&HeaderMap::new(), &name));
    }
}
