//! What is asked over HTTP becomes the order that the client would have given.

use crate::desk::{
    Canned, FOLDER, HOST, JSON, MINTED, OWNER, PROJECT, READER, ask, documented, get, owner, send,
};
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::{Value, json};

const ID: &str = "01JD3V8Q2Y6K4M5N7P9R1S3T5V";

/// A request, and the order it means.
type Row = (&'static str, String, Option<Value>, Value);

fn look(path: impl Into<String>, order: Value) -> Row {
    ("GET", path.into(), None, order)
}

/// Changes are sent without an operation here, so the desk names them.
fn change(method: &'static str, path: &str, body: Value, mut order: Value) -> Row {
    order["operation"] = MINTED.into();
    (method, path.to_owned(), Some(body), order)
}

fn looks() -> Vec<Row> {
    let narrow = |mut order: Value| {
        for name in ["scopes", "kinds", "tiers", "tags"] {
            order[name] = json!([]);
        }
        order["domain"] = Value::Null;
        order
    };
    let cursor = format!("1770000000000000-{ID}");
    vec![
        look("/activity", json!({"order": "activity", "limit": 50, "all": false})),
        look("/activity?limit=7&all=true", json!({"order": "activity", "limit": 7, "all": true})),
        look("/health", json!({"order": "status"})),
        look("/stats", json!({"order": "stats"})),
        look("/checks", json!({"order": "doctor", "repair": false})),
        look("/projects", json!({"order": "projects"})),
        look("/stores", json!({"order": "stores", "days": 90})),
        look("/settings", json!({"order": "settings"})),
        look(
            format!("/memories?pinned=true&before={cursor}"),
            narrow(json!({"order": "list", "statuses": [], "limit": 50, "pinned": true, "before": cursor})),
        ),
        look(
            "/memories?scope=user,project&kind=fact,decision&tier=working&status=challenged&tag=a,b%20c&domain=d",
            json!({"order": "list", "scopes": ["user", "project"], "kinds": ["fact", "decision"],
                "tiers": ["working"], "tags": ["a", "b c"], "domain": "d", "statuses": ["challenged"],
                "limit": 50, "pinned": false, "before": null}),
        ),
        look(
            "/recall?q=where%20is%20it&as_of=2026-02-03T04:05:06Z&timeline=true&literal=true",
            narrow(json!({"order": "recall", "query": "where is it", "mode": null, "limit": null,
                "as_of": "2026-02-03T04:05:06Z", "timeline": true, "context": null, "profile": null,
                "archived": false, "prompt": false, "literal": true, "preview": true})),
        ),
        look("/memories/7QX3", json!({"order": "inspect", "memory": "7QX3"})),
        look("/memories/7QX3/why", json!({"order": "why", "memory": "7QX3"})),
        look("/memories/7QX3/history", json!({"order": "history", "memory": "7QX3"})),
        look("/memories/7QX3/curve", json!({"order": "curve", "memory": "7QX3", "days": null})),
        look("/memories/7QX3/usage?limit=3", json!({"order": "usage", "memory": "7QX3", "limit": 3})),
        look(format!("/operations?before={ID}"), json!({"order": "operations", "limit": 50, "before": ID})),
        look("/recalls", json!({"order": "recalls", "limit": 50, "before": null})),
        look("/days?limit=200", json!({"order": "days", "before": null, "limit": 200})),
        look("/reviews?all=true", json!({"order": "review_list", "all": true})),
        look("/reviews/AB12", json!({"order": "review_show", "review": "AB12"})),
        look("/entities?q=red", json!({"order": "entity_list", "query": "red", "limit": 50})),
        look("/entities/src%2Fmain.rs", json!({"order": "entity_show", "entity": "src/main.rs"})),
        look(
            "/entities/redis/graph?hops=3",
            json!({"order": "graph", "entity": "redis", "hops": 3, "kinds": []}),
        ),
        look(
            "/graph?scope=user",
            json!({"order": "graph_whole", "scope": "user", "kinds": [], "limit": 2000}),
        ),
        look("/dreams", json!({"order": "dream_report", "limit": 10})),
        look("/sessions", json!({"order": "session_list"})),
        look(format!("/sessions/{ID}"), json!({"order": "session_show", "session": ID})),
        look("/reminders", json!({"order": "reminders"})),
        look("/consolidation", json!({"order": "consolidation_next"})),
        look("/weights", json!({"order": "weights", "scope": null, "history": 50})),
        look(
            "/evolution/candidates?criteria=stale",
            json!({"order": "evolution_candidates", "criteria": "stale", "limit": 50, "scope": null}),
        ),
        look(
            "/evolution/report?since=2026-02-03T04:05:06Z",
            json!({"order": "evolution_report", "since": "2026-02-03T04:05:06Z"}),
        ),
        look("/skills?q=deploy&limit=5", json!({"order": "skills", "query": "deploy", "limit": 5})),
        look("/insights", json!({"order": "reflect", "limit": 50, "all": false})),
    ]
}

fn changes() -> Vec<Row> {
    let one = |order: &str| json!({"order": order, "memory": "7QX3"});
    let with = |mut order: Value, more: Value| {
        order.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        order
    };
    let memory = "/memories/7QX3";
    let acts = "/evolution/actions";
    let evolve = json!({"node_type": null, "reason": "r", "justification": null});
    vec![
        change(
            "POST",
            "/memories",
            json!({"text": "we deploy on fridays", "kind": "convention", "tags": ["ops"], "pin": true}),
            json!({"order": "remember", "text": "we deploy on fridays", "kind": "convention", "tags": ["ops"],
                "domain": null, "scope": null, "pin": true}),
        ),
        change(
            "PATCH",
            memory,
            json!({"tags": [], "domain": ""}),
            with(one("edit"), json!({"tags": [], "domain": ""})),
        ),
        change(
            "POST",
            &format!("{memory}/correction"),
            json!({"text": "t"}),
            with(one("correct"), json!({"text": "t"})),
        ),
        change("POST", &format!("{memory}/confirmation"), json!({}), one("confirm")),
        change(
            "PUT",
            &format!("{memory}/pin"),
            json!({"pinned": true}),
            with(one("pin"), json!({"pinned": true})),
        ),
        change(
            "PUT",
            &format!("{memory}/status"),
            json!({"status": "invalidated", "reason": "it is wrong"}),
            with(one("mark"), json!({"status": "invalidated", "reason": "it is wrong"})),
        ),
        change(
            "PUT",
            &format!("{memory}/tier"),
            json!({"tier": "working"}),
            with(one("set_tier"), json!({"tier": "working"})),
        ),
        change(
            "POST",
            &format!("{memory}/outcome"),
            json!({"outcome": "success"}),
            with(one("record_outcome"), json!({"outcome": "success", "note": null})),
        ),
        change(
            "POST",
            &format!("{memory}/forgetting"),
            json!({}),
            json!({"order": "forget", "memories": ["7QX3"], "purge": false}),
        ),
        change("POST", &format!("{memory}/recovery"), json!({}), one("unforget")),
        change("POST", "/undo", json!({"target": ID}), json!({"order": "undo", "target": ID, "step": null})),
        change(
            "POST",
            "/reviews/AB12/ruling",
            json!({"ruling": "newer"}),
            json!({"order": "review_decide", "review": "AB12", "ruling": "newer"}),
        ),
        change(
            "POST",
            "/entities/redis/merge",
            json!({"into": "Redis"}),
            json!({"order": "entity_merge", "entity": "redis", "into": "Redis"}),
        ),
        change(
            "POST",
            "/entities/redis/alias",
            json!({"alias": "the cache"}),
            json!({"order": "entity_alias", "entity": "redis", "alias": "the cache"}),
        ),
        change(
            "POST",
            "/dreams",
            json!({"depth": "light"}),
            json!({"order": "dream", "only": [], "depth": "light", "dry_run": false, "scope": null}),
        ),
        (
            "POST",
            "/backups".into(),
            Some(json!({"all_projects": true})),
            json!({"order": "backup", "file": "/home/ayse/.engram/backups/now.backup", "all_projects": true}),
        ),
        change(
            "POST",
            acts,
            json!({"action": "deprecate", "memories": ["7QX3"], "reason": "r"}),
            with(one("evolve_deprecate"), evolve.clone()),
        ),
        change(
            "POST",
            acts,
            json!({"action": "archive", "memories": ["7QX3"], "reason": "r"}),
            with(one("evolve_archive"), evolve.clone()),
        ),
        change(
            "POST",
            acts,
            json!({"action": "refine", "memories": ["7QX3"], "reason": "r", "text": "t"}),
            with(with(one("evolve_refine"), evolve.clone()), json!({"text": "t"})),
        ),
        change(
            "POST",
            acts,
            json!({"action": "merge", "memories": ["7QX3", "7QX4"], "reason": "r"}),
            with(evolve, json!({"order": "evolve_merge", "memories": ["7QX3", "7QX4"], "text": null})),
        ),
        change(
            "POST",
            acts,
            json!({"action": "induce", "memories": ["A", "B", "C"], "name": "n", "description": "d", "reason": "r"}),
            json!({"order": "induce_skill", "memories": ["A", "B", "C"], "name": "n", "description": "d",
                "text": null, "scope": null}),
        ),
    ]
}

/// The documented address that a request goes to.
fn address(method: &str, path: &str, all: &[(String, String, Value)]) -> String {
    let path = path.split('?').next().unwrap();
    let fits = |known: &str| {
        let (known, asked): (Vec<_>, Vec<_>) = (known.split('/').collect(), path.split('/').collect());
        known.len() == asked.len() && known.iter().zip(asked).all(|(k, a)| k.starts_with('{') || *k == a)
    };
    let mut found: Vec<&String> = all
        .iter()
        .filter(|(known, path, _)| known == method && fits(path))
        .map(|(_, path, _)| path)
        .collect();
    // Of `/memories/{id}` and a literal one the literal one is meant.
    found.sort_by_key(|path| path.matches('{').count());
    found.first().unwrap_or_else(|| panic!("{method} {path} is not documented")).to_string()
}

#[tokio::test]
async fn every_request_becomes_the_order_that_it_means() {
    let all = documented().await;
    let mut asked = Vec::new();
    for (method, path, body, expected) in looks().into_iter().chain(changes()) {
        let path = format!("/api/v1{path}");
        let desk = Canned::new();
        let (status, _, reply) = owner(&desk, method, &path, body.as_ref()).await;
        assert!(status.is_success(), "{method} {path}: {status} {reply}");
        let orders = desk.orders();
        let [(context, order)] = orders.as_slice() else { panic!("{method} {path}: {orders:?}") };
        assert_eq!(order, &expected, "{method} {path}");
        assert_eq!((context.actor.as_str(), &context.folder, context.again), ("human", &None, false));
        asked.push((method.to_owned(), address(method, &path, &all)));
    }
    // These four are the window's own.
    let own = ["window", "document", "admit", "listen"].map(Value::from);
    for (method, path, operation) in all {
        let is_own = own.contains(&operation["operationId"]);
        assert_ne!(is_own, asked.contains(&(method.clone(), path.clone())), "{method} {path}");
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_with_its_place() {
    for (path, says) in [
        ("/memories?limit=0", "limit: 0 is not from 1 to 200"),
        ("/memories?limit=201", "limit: 201 is not from 1 to 200"),
        ("/memories?limit=many", "limit: a whole number from 1 to 200 is expected"),
        ("/memories?kind=opinion", "unknown kind \"opinion\""),
        ("/memories?pinned=perhaps", "pinned: "),
        ("/memories?before=yesterday", "take the `next` of the part before"),
        ("/memories?session=me", "session: "),
        ("/memories?project=engram", "project: "),
        ("/memories?limit=1&limit=2", "duplicate field"),
        ("/recall", "missing field `q`"),
        ("/recall?q=", "a text is expected"),
        ("/recall?q=x&as_of=-009999-01-02T01:59:59Z", "not in the years"),
        ("/recall?q=x&mode=loud", "unknown mode"),
        ("/stores?days=367", "days: 367 is not from 1 to 366"),
        ("/operations?before=1", "before: "),
        ("/graph?limit=5001", "limit: 5001 is not from 1 to 5000"),
        ("/entities/redis/graph?hops=7", "hops: 7 is not from 1 to 6"),
        ("/entities/%00", "control characters"),
        ("/entities/%20", "a text is expected"),
        ("/entities/%FF", "not text"),
        ("/sessions/me", "is not the identifier of a session"),
    ] {
        let desk = Canned::new();
        let (status, headers, problem) = owner(&desk, "GET", &format!("/api/v1{path}"), None).await;
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert_eq!(
            (status, &problem["kind"]),
            (StatusCode::BAD_REQUEST, &json!("usage")),
            "{path}: {detail}"
        );
        assert_eq!(headers["content-type"], "application/problem+json");
        assert!(detail.contains(says), "{path}: {detail}");
        assert!(desk.orders().is_empty(), "{path}");
    }
}

#[tokio::test]
async fn a_body_that_makes_no_sense_is_refused_with_its_place() {
    for (method, path, body, says) in [
        ("POST", "/memories", json!({}), "missing field `text`"),
        ("POST", "/memories", json!({"text": " "}), "text: a text is expected"),
        ("POST", "/memories", json!({"text": "t", "kind": "opinion"}), "kind: unknown kind"),
        ("POST", "/memories", json!({"text": "t", "tags": ["a", 1]}), "tags[1]: "),
        ("POST", "/memories", json!({"text": "t", "colour": "red"}), "unknown field `colour`"),
        ("POST", "/memories", json!({"text": "t", "operation": "mine"}), "operation: "),
        ("POST", "/memories", json!(["text"]), "an object of JSON"),
        ("PATCH", "/memories/7QX3", json!({"domain": "a\u{7}"}), "control characters"),
        ("POST", "/memories/7QX3/confirmation", json!({"yes": true}), "unknown field `yes`"),
        ("PUT", "/memories/7QX3/pin", json!({"pinned": "yes"}), "pinned: "),
        ("POST", "/evolution/actions", json!({"action": "explode", "memories": []}), "action: "),
        (
            "POST",
            "/evolution/actions",
            json!({"action": "archive", "memories": ["A", "B"]}),
            "has to name one",
        ),
        ("POST", "/evolution/actions", json!({"action": "archive", "memories": ["A"]}), "`reason` is needed"),
        (
            "POST",
            "/evolution/actions",
            json!({"action": "refine", "memories": ["A"], "reason": "r"}),
            "`text` is needed",
        ),
        ("POST", "/evolution/actions", json!({"action": "induce", "memories": ["A"]}), "`name` is needed"),
    ] {
        let desk = Canned::new();
        let (status, _, problem) = owner(&desk, method, &format!("/api/v1{path}"), Some(&body)).await;
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path} {body}: {detail}");
        assert!(detail.contains(says), "{path} {body}: {detail}");
        assert!(desk.orders().is_empty(), "{path} {body}");
    }
}

#[tokio::test]
async fn a_change_that_is_named_may_be_sent_again() {
    let desk = Canned::new();
    owner(&desk, "POST", "/api/v1/memories", Some(&json!({"text": "t", "operation": ID}))).await;
    let (context, order) = desk.orders().remove(0);
    assert_eq!((context.again, &order["operation"]), (true, &json!(ID)));
}

#[tokio::test]
async fn a_project_and_a_session_say_for_whom_it_is_asked() {
    let desk = Canned::new();
    let path = format!("/api/v1/stats?project={PROJECT}&session={ID}&colour=red");
    assert_eq!(owner(&desk, "GET", &path, None).await.0, StatusCode::OK);
    let (context, _) = desk.orders().remove(0);
    assert_eq!(context.folder.as_deref(), Some(FOLDER.as_ref()));
    assert_eq!(context.session.map(String::from).as_deref(), Some(ID));

    let (status, _, problem) = owner(&desk, "GET", "/api/v1/stats?project=p_ffffffffffff", None).await;
    assert_eq!((status, &problem["kind"]), (StatusCode::NOT_FOUND, &json!("not_found")));
    assert!(desk.orders().is_empty(), "nobody is asked about a project that nobody knows");
}

#[tokio::test]
async fn what_goes_wrong_behind_the_desk_is_told_as_a_problem() {
    for (kind, expected) in [
        ("usage", 400),
        ("not_found", 404),
        ("refused", 409),
        ("internal", 500),
        ("environment", 503),
        ("unreachable", 503),
        ("version", 503),
    ] {
        let (status, headers, problem) = get(&format!("/api/v1/memories/{kind}"), &[HOST, OWNER]).await;
        assert_eq!(
            (status.as_u16(), headers["content-type"].to_str().unwrap()),
            (expected, "application/problem+json")
        );
        let told = json!({
            "type": format!("urn:engram:fault:{kind}"), "title": status.canonical_reason(), "status": expected,
            "detail": "it went wrong", "kind": kind, "hints": ["try again"],
        });
        assert_eq!(problem, told);
    }
}

#[tokio::test]
async fn a_reader_changes_nothing() {
    let desk = Canned::new();
    for (method, path, operation) in documented().await {
        let path = path.replace("{id}", ID).replace("{name}", "redis");
        let looks = method == "GET" || operation["operationId"] == "admit";
        for (read_only, key) in [(false, READER), (true, OWNER)] {
            let (status, _, problem) =
                ask(&desk.served(read_only), &method, &path, &[HOST, key, JSON], Body::from("{}")).await;
            let refused = (status, &problem["kind"]) == (StatusCode::FORBIDDEN, &json!("read_only"));
            assert_ne!(refused, looks, "{method} {path}: {status}");
            assert!(looks || desk.orders().is_empty(), "{method} {path}");
            desk.orders();
        }
    }
}

#[tokio::test]
async fn an_address_says_which_methods_it_has() {
    let desk = Canned::new();
    for (method, path, allow) in [
        ("DELETE", "/api/v1/memories/7QX3", "GET, HEAD, PATCH"),
        ("OPTIONS", "/api/v1/memories", "GET, HEAD, POST"),
        ("TRACE", "/api/v1/health", "GET, HEAD"),
        ("GET", "/api/v1/undo", "POST"),
        ("POST", "/", "GET, HEAD"),
    ] {
        let (status, headers, problem) = owner(&desk, method, path, None).await;
        assert_eq!((status, &problem["kind"]), (StatusCode::METHOD_NOT_ALLOWED, &json!("method")), "{path}");
        assert_eq!(headers["allow"], allow, "{path}");
    }
    let (status, ..) = owner(&desk, "HEAD", "/api/v1/openapi.json", None).await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn only_json_of_a_fair_size_is_read() {
    let desk = Canned::new();
    let post = async |kind: &'static str, body: String| {
        let headers = [HOST, OWNER, ("Content-Type", kind)];
        ask(&desk.served(false), "POST", "/api/v1/memories", &headers, Body::from(body)).await
    };
    let good = json!({"text": "t"}).to_string();
    assert_eq!(post("application/json; charset=utf-8", good.clone()).await.0, StatusCode::OK);
    for kind in ["", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
        let (status, _, problem) = post(kind, good.clone()).await;
        assert_eq!(
            (status, &problem["kind"]),
            (StatusCode::UNSUPPORTED_MEDIA_TYPE, &json!("not_json")),
            "{kind}"
        );
    }
    let large = json!({"text": "t".repeat(256 * 1024)}).to_string();
    let (status, _, problem) = post("application/json", large).await;
    assert_eq!((status, &problem["kind"]), (StatusCode::PAYLOAD_TOO_LARGE, &json!("too_large")));
    for broken in ["", "{", "nonsense"] {
        assert_eq!(post("application/json", broken.into()).await.0, StatusCode::BAD_REQUEST, "{broken}");
    }
    let told = [HOST, OWNER, JSON, ("Content-Length", "999999999")];
    let (status, ..) = ask(&desk.served(false), "POST", "/api/v1/undo", &told, Body::from("{}")).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "it is not even waited for");
}

#[tokio::test]
async fn what_takes_long_has_begun_and_a_plan_is_waited_for() {
    let desk = Canned::new();
    let (status, _, reply) = owner(&desk, "POST", "/api/v1/dreams", Some(&json!({"operation": ID}))).await;
    assert_eq!((status, reply), (StatusCode::ACCEPTED, json!({"operation": ID})));
    let (status, _, reply) = owner(&desk, "POST", "/api/v1/dreams", Some(&json!({"dry_run": true}))).await;
    assert_eq!((status, reply), (StatusCode::OK, json!({"obeyed": "dream"})));
    let (status, _, reply) = owner(&desk, "POST", "/api/v1/backups", Some(&json!({}))).await;
    assert_eq!((status, reply), (StatusCode::OK, json!({"done": "backup create"})));
}

#[tokio::test]
async fn a_long_answer_is_packed_for_who_unpacks_it() {
    let desk = Canned::new();
    let encoded = async |path: &'static str, accepts: &'static str| {
        let headers = [HOST, OWNER, ("Accept-Encoding", accepts)];
        let response = send(&desk.served(false), "GET", path, &headers, Body::empty()).await;
        let encoding = response.headers().get("content-encoding").cloned();
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        (encoding.map(|encoding| encoding.to_str().unwrap().to_owned()), bytes)
    };
    let (encoding, bytes) = encoded("/api/v1/projects", "br, gzip").await;
    assert_eq!((encoding.as_deref(), &bytes[..2]), (Some("gzip"), &[0x1f, 0x8b][..]));
    assert!(bytes.len() < 1000, "{}", bytes.len());
    let (encoding, bytes) = encoded("/api/v1/projects", "br").await;
    assert_eq!((encoding, bytes[0]), (None, b'{'));
    assert_eq!(encoded("/api/v1/stats", "gzip").await.0, None, "a short one is not worth it");
}

#[tokio::test]
async fn a_ticket_is_good_for_a_key_and_only_once() {
    let desk = Canned::new();
    let admit = async |read_only: bool, ticket: &str| {
        let body = Body::from(json!({"ticket": ticket}).to_string());
        ask(&desk.served(read_only), "POST", "/api/v1/tickets", &[HOST, JSON], body).await
    };
    let (status, _, told) = admit(false, "owners-ticket").await;
    assert_eq!((status, told), (StatusCode::OK, json!({"token": "owners-key", "read_only": false})));
    let (status, headers, problem) = admit(false, "owners-ticket").await;
    assert_eq!((status, &problem["kind"]), (StatusCode::UNAUTHORIZED, &json!("no_key")));
    assert_eq!(headers["www-authenticate"], "Bearer");
    assert_eq!(admit(false, "readers-ticket").await.2, json!({"token": "readers-key", "read_only": true}));

    let desk = Canned::new();
    let body = Body::from(json!({"ticket": "owners-ticket"}).to_string());
    let (_, _, told) = ask(&desk.served(true), "POST", "/api/v1/tickets", &[HOST, JSON], body).await;
    assert_eq!(
        told,
        json!({"token": "readers-key", "read_only": true}),
        "the setting makes everybody a reader"
    );
}
