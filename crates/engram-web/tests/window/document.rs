//! What the window says of itself.

use crate::desk::{Canned, HOST, OWNER, READER, ask, documented, get};
use axum::body::Body;
use axum::http::StatusCode;
use engram_core::Kind;
use engram_wire::reply::Listed;
use expect_test::expect_file;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

#[tokio::test]
async fn the_window_says_what_it_is() {
    let (status, headers, shown) = get("/api/v1", &[HOST, OWNER]).await;
    assert_eq!((status, headers["content-type"].to_str().unwrap()), (StatusCode::OK, "application/json"));
    let expected = json!({
        "version": engram_wire::VERSION, "protocol": engram_wire::PROTOCOL, "read_only": false, "home": "/home/ayse/.engram",
        "started_at": "2026-02-03T04:05:06Z",
    });
    assert_eq!(shown, expected);
}

#[tokio::test]
async fn the_document_is_what_is_served() {
    let (status, _, document) = get("/api/v1/openapi.json", &[HOST]).await;
    assert_eq!((status, &document["openapi"]), (StatusCode::OK, &json!("3.1.0")));
    let text = format!("{}\n", serde_json::to_string_pretty(&document).unwrap());
    expect_file!["../../../../docs/reference/openapi.json"].assert_eq(&text);
}

#[tokio::test]
async fn everything_that_is_documented_wants_a_key_unless_it_says_otherwise() {
    let served = Canned::new().served(false);
    for (method, path, operation) in documented().await {
        let path = path.replace("{id}", "7QX3").replace("{name}", "redis");
        let (status, ..) = ask(&served, &method, &path, &[HOST], Body::empty()).await;
        let free = operation["security"] == json!([]);
        assert_eq!(status == StatusCode::UNAUTHORIZED, !free, "{method} {path}: {status}");
        assert!(!operation["responses"][status.as_str()].is_null(), "{method} {path}: {status}");
    }
}

#[tokio::test]
async fn every_address_documents_how_it_may_refuse() {
    for (method, path, operation) in documented().await {
        let told = operation["responses"].as_object().unwrap();
        let has = |status: &str| told.contains_key(status);
        let (reads_body, open) = (!operation["requestBody"].is_null(), operation["security"] == json!([]));
        assert!(has("200") && has("403") && has("405"), "{method} {path}");
        assert_eq!(has("413") && has("415"), reads_body, "{method} {path}");
        assert_eq!(has("404") && has("409") && has("500") && has("503"), !open, "{method} {path}");
        assert_eq!(has("400") && has("401"), !open || reads_body, "{method} {path}");
        assert_eq!(has("429"), path.ends_with("/stream"), "{method} {path}");
        assert_eq!(has("202"), method == "POST" && (path.ends_with("/dreams") || path.ends_with("/backups")));
    }
}

#[tokio::test]
async fn whatever_is_referred_to_is_there() {
    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str));
                fields.values().for_each(|field| references(field, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    let (_, _, document) = get("/api/v1/openapi.json", &[HOST]).await;
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(found.len() > 100, "{}", found.len());
    for reference in found {
        let place = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(place).is_some(), "{reference}");
    }
    let schema = &document["components"]["schemas"]["WindowShown"];
    assert_eq!(schema["properties"]["started_at"]["format"], "date-time");
}

#[tokio::test]
async fn an_address_that_nobody_knows_is_a_problem_as_well() {
    for who in [&[HOST][..], &[HOST, READER], &[HOST, OWNER]] {
        let (status, headers, problem) = get("/api/v1/nowhere", who).await;
        assert_eq!((status, &problem["kind"]), (StatusCode::NOT_FOUND, &json!("not_found")));
        assert_eq!(headers["content-type"], "application/problem+json");
    }
}

/// The schema of a reply, and of what it is made of by name.
fn described<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

#[test]
fn what_is_told_describes_itself_down_to_its_words_and_ranges() {
    let listed = described::<Listed>();
    let defined = &listed["$defs"];
    let words: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
    assert_eq!(defined["Kind"]["enum"], json!(words));
    assert_eq!(
        (&defined["Importance"]["minimum"], &defined["Importance"]["maximum"]),
        (&json!(0.0), &json!(1.0))
    );
    assert_eq!(defined["MemoryId"]["pattern"], "^[0-7][0-9A-HJKMNP-TV-Z]{25}$");
    assert_eq!(defined["Memory"]["properties"]["created_at"]["format"], "date-time");
    // What is kept in a part of a memory is told beside the rest of it.
    assert_eq!(defined["Memory"]["properties"]["valid_from"]["format"], "date-time");
    let required = defined["Memory"]["required"].as_array().unwrap();
    assert!(required.contains(&json!("id")) && !required.contains(&json!("summary")));
}
