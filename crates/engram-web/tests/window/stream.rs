//! What whoever listens is told.

use crate::desk::{Canned, HOST, OWNER, PROJECT, ask, send};
use axum::body::{Body, BodyDataStream};
use axum::http::StatusCode;
use engram_wire::activity::{Activity, What};
use futures_core::Stream as _;
use serde_json::json;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A session began, in this project.
fn began(number: u64, project: Option<&str>) -> Arc<Activity> {
    let read =
        json!({"number": number, "at": "2026-02-03T04:05:06Z", "project": project, "what": "session_began"});
    Arc::new(serde_json::from_value(read).unwrap())
}

/// Somebody who listens.
struct Ear(BodyDataStream, String);

impl Ear {
    async fn of(desk: &Arc<Canned>, query: &str, last: Option<&str>) -> Self {
        let mut headers = vec![HOST, OWNER];
        headers.extend(last.map(|last| ("Last-Event-ID", last)));
        let path = format!("/api/v1/activity/stream{query}");
        let response = send(&desk.served(false), "GET", &path, &headers, Body::empty()).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        Self(response.into_body().into_data_stream(), String::new())
    }

    /// The next block, comments left out.
    async fn next(&mut self) -> String {
        loop {
            if let Some((block, rest)) = self.1.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.1 = rest;
                if block.starts_with(':') {
                    continue;
                }
                return block;
            }
            let bytes = poll_fn(|context| Pin::new(&mut self.0).poll_next(context));
            let bytes = tokio::time::timeout(Duration::from_secs(5), bytes).await.expect("something is told");
            self.1.push_str(std::str::from_utf8(&bytes.unwrap().unwrap()).unwrap());
        }
    }

    /// The next event: its word and its number.
    async fn event(&mut self) -> (String, u64) {
        let block = self.next().await;
        let lines: Vec<&str> = block.lines().collect();
        let [event, id, data] = lines.as_slice() else { panic!("{block}") };
        let read: Activity = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        let word = event.strip_prefix("event: ").unwrap();
        let number: u64 = id.strip_prefix("id: ").unwrap().parse().unwrap();
        assert_eq!((read.what.word(), read.number), (word, number));
        if let What::Missed { from, to } = read.what {
            return (format!("missed {from} to {to}"), number);
        }
        (word.to_owned(), number)
    }
}

fn heard(number: u64) -> (String, u64) {
    ("session_began".to_owned(), number)
}

#[tokio::test]
async fn what_happens_is_told_as_it_happens() {
    let desk = Canned::new();
    let mut ear = Ear::of(&desk, "", None).await;
    assert_eq!(ear.next().await, "retry: 2000");
    desk.coming.send(began(7, None)).unwrap();
    assert_eq!(ear.event().await, heard(7));
    desk.coming.send(began(8, None)).unwrap();
    assert_eq!(ear.event().await, heard(8));
    assert!(desk.looked.load(Ordering::SeqCst) > 0, "an open stream is somebody who looks");
}

#[tokio::test]
async fn who_comes_back_is_told_what_he_missed() {
    let desk = Canned::new();
    *desk.past.lock().unwrap() = vec![began(5, None), began(6, None)];
    let mut ear = Ear::of(&desk, "", Some("5")).await;
    ear.next().await;
    assert_eq!(ear.event().await, heard(6));
    // What comes may be told as past already.
    desk.coming.send(began(6, None)).unwrap();
    desk.coming.send(began(7, None)).unwrap();
    assert_eq!(ear.event().await, heard(7));

    let mut late = Ear::of(&desk, "", Some("2")).await;
    late.next().await;
    assert_eq!(late.event().await, ("missed 3 to 4".to_owned(), 4), "nobody has these any more");
    assert_eq!(late.event().await, heard(5));
}

#[tokio::test]
async fn a_number_from_the_future_makes_nobody_deaf() {
    let desk = Canned::new();
    let mut ear = Ear::of(&desk, "", Some("900")).await;
    ear.next().await;
    desk.coming.send(began(7, None)).unwrap();
    assert_eq!(ear.event().await, heard(7));
}

#[tokio::test]
async fn who_is_too_slow_is_told_so_and_holds_nobody_up() {
    let desk = Canned::new();
    let mut ear = Ear::of(&desk, "", None).await;
    for number in 1..=100 {
        desk.coming.send(began(number, None)).unwrap();
        if number == 1 {
            ear.next().await;
            assert_eq!(ear.event().await, heard(1));
        }
    }
    let (word, number) = ear.event().await;
    assert_eq!((word.as_str(), number), ("missed 2 to 96", 96), "the desk keeps four");
    assert_eq!(ear.event().await, heard(97));
}

#[tokio::test]
async fn nobody_hears_of_another_project_unless_he_asks_for_all() {
    let desk = Canned::new();
    let mut alone = Ear::of(&desk, "", None).await;
    let mut within = Ear::of(&desk, &format!("?project={PROJECT}"), None).await;
    let mut all = Ear::of(&desk, "?all=true", None).await;
    for ear in [&mut alone, &mut within, &mut all] {
        ear.next().await;
    }
    for activity in [began(1, Some("p_ffffffffffff")), began(2, Some(PROJECT)), began(3, None)] {
        desk.coming.send(activity).unwrap();
    }
    assert_eq!(alone.event().await, heard(3));
    assert_eq!([within.event().await, within.event().await], [heard(2), heard(3)]);
    assert_eq!([all.event().await, all.event().await, all.event().await], [heard(1), heard(2), heard(3)]);
}

#[tokio::test]
async fn eight_may_listen_and_who_goes_makes_room() {
    let desk = Canned::new();
    let served = desk.served(false);
    let knock = || send(&served, "GET", "/api/v1/activity/stream", &[HOST, OWNER], Body::empty());
    let mut open = Vec::new();
    for _ in 0..8 {
        let response = knock().await;
        assert_eq!(response.status(), StatusCode::OK);
        open.push(response);
    }
    let (status, _, problem) =
        ask(&served, "GET", "/api/v1/activity/stream", &[HOST, OWNER], Body::empty()).await;
    assert_eq!((status, &problem["kind"]), (StatusCode::TOO_MANY_REQUESTS, &json!("too_many")));
    open.pop();
    let mut status = StatusCode::TOO_MANY_REQUESTS;
    // That somebody went away is noticed in a moment, not at once.
    for _ in 0..200 {
        status = knock().await.status();
        if status == StatusCode::OK {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn who_asks_oddly_does_not_listen() {
    let desk = Canned::new();
    let knock = async |path: &str, last: &str| {
        let headers = [HOST, OWNER, ("Last-Event-ID", last)];
        ask(&desk.served(false), "GET", path, &headers, Body::empty()).await.0
    };
    assert_eq!(knock("/api/v1/activity/stream", "the last").await, StatusCode::BAD_REQUEST);
    assert_eq!(knock("/api/v1/activity/stream?all=1", "1").await, StatusCode::BAD_REQUEST);
    assert_eq!(knock("/api/v1/activity/stream?project=p_ffffffffffff", "1").await, StatusCode::NOT_FOUND);
}
