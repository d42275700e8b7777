//! The page that is served, as it was built.

use crate::desk::{Canned, HOST, send};
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{HeaderMap, StatusCode};
use std::collections::BTreeMap;
use std::path::Path;

/// What a browser makes of a file depends on what it is called.
const KINDS: [(&str, &str); 6] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("woff2", "font/woff2"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
];

fn built() -> BTreeMap<String, Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bundle");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap());
    files.map(|file| (file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap())).collect()
}

async fn fetch(path: &str, more: &[(&str, &str)]) -> (StatusCode, HeaderMap, Bytes) {
    let headers: Vec<_> = [HOST].into_iter().chain(more.iter().copied()).collect();
    let response = send(&Canned::new().served(false), "GET", path, &headers, Body::empty()).await;
    let (status, headers) = (response.status(), response.headers().clone());
    (status, headers, to_bytes(response.into_body(), 1 << 21).await.unwrap())
}

fn path_of(name: &str) -> String {
    if name == "index.html" { "/".to_owned() } else { format!("/{name}") }
}

#[tokio::test]
async fn every_file_that_was_built_is_served_as_what_it_is() {
    let built = built();
    assert_eq!(built.len(), 10, "{:?}", built.keys());
    for (name, bytes) in built {
        let (status, headers, sent) = fetch(&path_of(&name), &[]).await;
        let end = name.rsplit('.').next().unwrap();
        let kind = KINDS.iter().find(|(known, _)| *known == end).unwrap().1;
        assert_eq!((status, headers["content-type"].to_str().unwrap()), (StatusCode::OK, kind), "{name}");
        assert_eq!(headers["cache-control"], "no-cache", "{name}");
        assert!(headers["content-security-policy"].to_str().unwrap().contains("script-src 'self'"), "{name}");
        assert!(sent == bytes, "{name} is not what was built");
    }
}

#[tokio::test]
async fn who_has_a_file_is_not_sent_it_again() {
    let (_, headers, _) = fetch("/app.js", &[]).await;
    let etag = headers["etag"].to_str().unwrap();
    let (status, headers, body) = fetch("/app.js", &[("If-None-Match", etag)]).await;
    assert_eq!((status, body.len()), (StatusCode::NOT_MODIFIED, 0));
    assert_eq!(headers["etag"], etag);
    assert_eq!(fetch("/style.css", &[("If-None-Match", etag)]).await.0, StatusCode::OK);
}

#[tokio::test]
async fn scripts_and_styles_are_packed_and_small() {
    let mut total = 0;
    for (name, bytes) in built() {
        let (_, headers, sent) = fetch(&path_of(&name), &[("Accept-Encoding", "gzip, br")]).await;
        let packed = headers.get("content-encoding").is_some_and(|encoding| encoding == "gzip");
        assert_eq!(packed, sent.len() < bytes.len(), "{name}");
        assert!(!(packed && name.ends_with(".woff2")), "{name} is packed in itself");
        if name.ends_with(".js") || name.ends_with(".css") {
            assert!(packed || bytes.len() < 200, "{name}");
            total += sent.len();
        }
    }
    assert!(total <= 120_000, "{total} bytes of scripts and styles");
}

#[test]
fn the_page_names_no_other_host() {
    let built = built();
    let index = String::from_utf8(built["index.html"].clone()).unwrap();
    assert!(!index.contains("//"), "{index}");
    let named = ["src=\"", "href=\""].iter().flat_map(|names| index.split(names).skip(1));
    let named: Vec<&str> = named.map(|part| part.split('"').next().unwrap()).collect();
    assert!(named.contains(&"/app.js"), "{named:?}");
    for path in named {
        assert!(path.strip_prefix('/').is_some_and(|name| built.contains_key(name)), "{path}");
    }
}
