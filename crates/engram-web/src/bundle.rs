//! The page itself: files that were built from `web/` and lie beside this crate.
//!
//! Their names never change, so nothing keeps them without asking; whoever has
//! one already is told that it is still the same.

use crate::answer::{etag, has_it, packed, unpacks};
use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use flate2::Compression;
use std::sync::OnceLock;

/// One file of the page.
struct File {
    /// Where it is served.
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
    /// Its etag, and itself in less where that is less.
    sent: OnceLock<(HeaderValue, Option<Vec<u8>>)>,
}

macro_rules! file {
    ($path:literal, $name:literal, $kind:literal) => {
        File {
            path: $path,
            kind: $kind,
            bytes: include_bytes!(concat!("../bundle/", $name)),
            sent: OnceLock::new(),
        }
    };
}

static FILES: [File; 10] = [
    file!("/", "index.html", "text/html; charset=utf-8"),
    file!("/boot.js", "boot.js", "text/javascript; charset=utf-8"),
    file!("/app.js", "app.js", "text/javascript; charset=utf-8"),
    file!("/graph.js", "graph.js", "text/javascript; charset=utf-8"),
    file!("/layout.js", "layout.js", "text/javascript; charset=utf-8"),
    file!("/style.css", "style.css", "text/css; charset=utf-8"),
    file!("/inter-latin.woff2", "inter-latin.woff2", "font/woff2"),
    file!("/inter-latin-ext.woff2", "inter-latin-ext.woff2", "font/woff2"),
    file!("/icon.svg", "icon.svg", "image/svg+xml"),
    file!("/LICENCES.txt", "LICENCES.txt", "text/plain; charset=utf-8"),
];

impl File {
    fn sent(&'static self) -> &'static (HeaderValue, Option<Vec<u8>>) {
        self.sent.get_or_init(|| {
            let less = packed(self.bytes, Compression::best()).filter(|less| less.len() < self.bytes.len());
            // A font is packed in itself; a hundredth less is not worth unpacking.
            (etag(self.bytes), less.filter(|_| !self.kind.starts_with("font/")))
        })
    }

    fn answer(&'static self, asked: &HeaderMap) -> Response {
        let (etag, less) = self.sent();
        let mut response = match less {
            _ if has_it(asked, etag) => StatusCode::NOT_MODIFIED.into_response(),
            Some(less) if unpacks(asked) => {
                ([(header::CONTENT_ENCODING, "gzip")], less.as_slice()).into_response()
            }
            _ => self.bytes.into_response(),
        };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        headers.insert(header::ETAG, etag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        response
    }
}

/// The page, for whoever comes from this machine: there is nothing of anybody's
/// memories in it.
pub(crate) fn router() -> Router {
    FILES.iter().fold(Router::new(), |router, file| {
        let answer = move |headers: HeaderMap| async move { file.answer(&headers) };
        router.route(file.path, get(answer).fallback(crate::routes::other_method("GET, HEAD")))
    })
}
