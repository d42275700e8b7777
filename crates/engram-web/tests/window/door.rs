//! Who is let in at the window, and as whom.

use crate::desk::{HOST, OWNER, READER, get, get_from};
use axum::http::StatusCode;

#[tokio::test]
async fn a_wrong_token_is_refused() {
    for wrong in ["Bearer ", "Bearer owners-keY", "Bearer owners-key2", "Basic owners-key", "owners-key"] {
        let (status, headers, problem) = get("/api/v1", &[HOST, ("Authorization", wrong)]).await;
        assert_eq!(
            (status, &headers["www-authenticate"]),
            (StatusCode::UNAUTHORIZED, &"Bearer".parse().unwrap())
        );
        assert_eq!(
            (&headers["content-type"], &problem["status"]),
            (&"application/problem+json".parse().unwrap(), &401.into())
        );
    }
    assert_eq!(get("/api/v1", &[HOST]).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(get("/api/v1", &[HOST, OWNER]).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_wrong_host_is_refused() {
    for host in
        ["", "127.0.0.1", "127.0.0.1:7655", "evil.example:7654", "127.0.0.1:7654.evil.example", "localhost"]
    {
        let (status, _, problem) = get("/api/v1", &[("Host", host), OWNER]).await;
        assert_eq!((status, &problem["kind"]), (StatusCode::FORBIDDEN, &"elsewhere".into()), "{host}");
    }
    assert_eq!(get("/api/v1", &[OWNER]).await.0, StatusCode::FORBIDDEN, "without one, too");
    for host in ["127.0.0.1:7654", "localhost:7654", "[::1]:7654"] {
        assert_eq!(get("/api/v1", &[("Host", host), OWNER]).await.0, StatusCode::OK, "{host}");
    }
}

#[tokio::test]
async fn a_wrong_origin_is_refused() {
    for origin in ["null", "https://127.0.0.1:7654", "http://127.0.0.1:1", "http://evil.example"] {
        let (status, ..) = get("/api/v1", &[HOST, OWNER, ("Origin", origin)]).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{origin}");
    }
    let ours = ("Origin", "http://localhost:7654");
    assert_eq!(get("/api/v1", &[HOST, OWNER, ours]).await.0, StatusCode::OK);
}

#[tokio::test]
async fn a_page_from_elsewhere_is_refused() {
    for (site, expected) in [
        ("cross-site", StatusCode::FORBIDDEN),
        ("same-site", StatusCode::FORBIDDEN),
        ("same-origin", StatusCode::OK),
        ("none", StatusCode::OK),
    ] {
        assert_eq!(get("/api/v1", &[HOST, OWNER, ("Sec-Fetch-Site", site)]).await.0, expected, "{site}");
    }
}

#[tokio::test]
async fn no_answer_allows_another_origin_and_all_forbid_foreign_scripts() {
    for (path, headers) in
        [("/api/v1", &[HOST, OWNER][..]), ("/api/v1", &[HOST]), ("/nowhere", &[HOST]), ("/", &[])]
    {
        let (_, told, _) = get(path, headers).await;
        assert!(told.keys().all(|name| !name.as_str().starts_with("access-control")), "{path}");
        let policy = told["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{path}: {policy}");
        assert_eq!(told["x-content-type-options"], "nosniff");
        assert_eq!(told["cache-control"], "no-store");
    }
}

#[tokio::test]
async fn a_reader_is_told_that_he_is_one() {
    let read_only = async |only, key| get_from(only, "/api/v1", &[HOST, key]).await.2["read_only"].clone();
    assert_eq!(read_only(false, OWNER).await, false);
    assert_eq!(read_only(false, READER).await, true);
    assert_eq!(read_only(true, OWNER).await, true, "the setting makes everybody one");
}
