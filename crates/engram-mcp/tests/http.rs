//! A client over HTTP: who is let in, and that it is the same server.

mod desk;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use desk::{Canned, context, meta};
use engram_mcp::{Profile, http_service};
use engram_wire::reply::Progress;
use serde_json::{Value, json};
use std::sync::Arc;
use tower::ServiceExt;

const TOKEN: &str = "a-token-of-some-length";

/// The headers beside those that every request has, and the message.
async fn post(headers: &[(&str, &str)], message: &Value) -> (StatusCode, String) {
    post_to(Arc::default(), headers, message).await
}

async fn post_to(desk: Arc<Canned>, headers: &[(&str, &str)], message: &Value) -> (StatusCode, String) {
    let service = http_service(desk, context(), Profile::Default, TOKEN.to_owned());
    let mut request = Request::post("/mcp")
        .header("Content-Type", "application/json")
        .header("Accept", "application/json, text/event-stream");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::from(message.to_string())).unwrap();
    let response = service.oneshot(request).await.unwrap();
    let status = response.status();
    let body = to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

fn initialize() -> Value {
    json!({
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "test", "version": "1" },
        },
    })
}

fn request(method: &str, mut params: Value) -> Value {
    params["_meta"] = meta();
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

const HERE: (&str, &str) = ("Host", "127.0.0.1:7654");
const BEARER: (&str, &str) = ("Authorization", "Bearer a-token-of-some-length");

#[tokio::test]
async fn who_does_not_know_the_token_is_not_let_in() {
    for wrong in [
        "Bearer a-token-of-some-lengtH",
        "Bearer a-token-of-some-lengthy",
        "Bearer ",
        "Basic a-token-of-some-length",
        "a-token-of-some-length",
    ] {
        let (status, text) = post(&[HERE, ("Authorization", wrong)], &initialize()).await;
        assert_eq!((status, text.lines().count()), (StatusCode::UNAUTHORIZED, 1), "{wrong}");
    }
    assert_eq!(post(&[HERE], &initialize()).await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn an_empty_token_lets_nobody_in() {
    let service = http_service(Arc::<Canned>::default(), context(), Profile::Default, String::new());
    let request = Request::post("/mcp").header("Host", "localhost").header("Authorization", "Bearer ");
    let response = service.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_page_from_elsewhere_is_not_let_in_even_with_the_token() {
    for origin in ["https://example.com", "http://localhost.example.com", "null"] {
        let (status, text) = post(&[HERE, BEARER, ("Origin", origin)], &initialize()).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{origin}: {text}");
    }
    for origin in ["http://localhost:7654", "http://127.0.0.1:1", "http://[::1]:7654"] {
        let (status, text) = post(&[HERE, BEARER, ("Origin", origin)], &initialize()).await;
        assert_eq!(status, StatusCode::OK, "{origin}: {text}");
    }
}

#[tokio::test]
async fn a_name_that_somebody_pointed_here_is_not_let_in() {
    for host in ["example.com", "example.com:7654", "10.0.0.1:7654"] {
        let (status, text) = post(&[("Host", host), BEARER], &initialize()).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{host}: {text}");
    }
    for host in ["localhost:7654", "127.0.0.1", "[::1]:7654"] {
        let (status, text) = post(&[("Host", host), BEARER], &initialize()).await;
        assert_eq!(status, StatusCode::OK, "{host}: {text}");
    }
}

#[tokio::test]
async fn both_revisions_are_answered() {
    let (status, text) = post(&[HERE, BEARER], &initialize()).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let welcome: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(welcome["result"]["protocolVersion"], "2025-11-25");

    let old = [HERE, BEARER, ("MCP-Protocol-Version", "2025-11-25")];
    let list = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    let (status, text) = post(&old, &list).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let listed: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 8);

    let new = [HERE, BEARER, ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "server/discover")];
    let (status, text) = post(&new, &request("server/discover", json!({}))).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    assert!(text.contains("supportedVersions"), "{text}");

    let call = request("tools/call", json!({ "name": "memory_stats", "arguments": {} }));
    let new = [
        HERE,
        BEARER,
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "memory_stats"),
    ];
    let (status, text) = post(&new, &call).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["result"]["structuredContent"]["scopes"][0]["memories"], 12);
}

#[tokio::test]
async fn progress_comes_before_the_answer() {
    let progress = (1..=2).map(|done| Progress { what: "erase".into(), done, total: Some(2) }).collect();
    let desk = Arc::new(Canned { progress, ..Canned::default() });
    let mut call = request(
        "tools/call",
        json!({ "name": "forget_memory", "arguments": { "memories": ["ABC"], "purge": true } }),
    );
    call["params"]["_meta"]["progressToken"] = json!(9);
    let headers = [
        HERE,
        BEARER,
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "forget_memory"),
    ];
    let (status, text) = post_to(desk, &headers, &call).await;
    assert_eq!(status, StatusCode::OK, "{text}");
    let events = text.lines().filter_map(|line| line.strip_prefix("data:")).map(str::trim);
    let messages: Vec<Value> = events.filter_map(|event| serde_json::from_str(event).ok()).collect();
    let [first, second, answer] = messages.as_slice() else { panic!("{text}") };
    assert_eq!(first["params"]["progress"], 1.0);
    assert_eq!(second["params"]["progress"], 2.0);
    assert_eq!(answer["result"]["isError"], false);
}
