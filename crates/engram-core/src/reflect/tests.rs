//! Each insight at its boundary, and what becomes of one that is seen again.

use super::*;
use crate::ask::{Intent, QueryType, query_type_of};
use crate::id::{MemoryId, RecallId, SessionId};
use crate::kind::Scope;
use crate::law::sample::memory;
use crate::law::{ArchivalRule, Model};
use crate::learn::{LearnedKey, Noise, Rate, Subject};
use crate::memory::Memory;
use crate::recalled::{RecallLogged, Strategy, Surface};
use crate::status::{Status, StatusChange};
use crate::unit::{Confidence, Share};
use crate::{Cause, Ulid};
use std::sync::Arc;

/// So many days after everything here began.
fn day(days: f64) -> Timestamp {
    Timestamp::from_second(1_767_225_600).unwrap() + SignedDuration::from_secs_f64(days * 86_400.0)
}

/// Somebody asks in this session, and nothing is sure enough to be shown.
fn asked(query: &str, days: f64, session: u128) -> RecallLogged {
    let session = Some(SessionId::from_ulid(Ulid(session)));
    RecallLogged {
        id: RecallId::of(day(days), session, query),
        via: Surface::Prompt,
        query: query.to_owned(),
        query_type: query_type_of(query),
        intent: Intent::Factual,
        strategy: Strategy::Hybrid,
        results_returned: 0,
        results_used: 0,
        user_feedback: None,
        latency_ms: 1.0,
        scopes: vec![Scope::Project],
        with_model: false,
        shown: Vec::new(),
        pool: Vec::new(),
        used: Vec::new(),
        settled_at: None,
        confidence: Confidence::clamped(0.39),
        session,
        at: day(days),
    }
}

/// Three questions about one thing, in two sessions.
fn thrice() -> Vec<RecallLogged> {
    vec![
        asked("how is the staging key rotated?", 1.0, 1),
        asked("where do we keep the key for staging", 2.0, 1),
        asked("who rotates the staging key?", 3.0, 2),
    ]
}

fn gaps_in(recalls: &[RecallLogged]) -> Vec<Insight> {
    gaps(recalls, &[], &[], day(5.0))
}

#[test]
fn what_is_asked_three_times_in_two_sessions_and_never_answered_is_a_gap() {
    let recalls = thrice();
    let [gap] = gaps_in(&recalls).try_into().unwrap();
    assert_eq!(gap.id, "memory_gap:key stag");
    assert_eq!(gap.description, "asked 3 times, never answered: who rotates the staging key");
    let latest_first: Vec<String> = recalls.iter().rev().map(|recall| recall.id.to_string()).collect();
    assert_eq!(gap.evidence, latest_first);
    assert_eq!(request_of(&gap), format!("{}. If you learn it, store it.", gap.description));
}

#[test]
fn less_than_that_is_no_gap() {
    assert_eq!(gaps_in(&thrice()[1..]), [], "twice is not often");
    let mut one_session = thrice();
    one_session[2].session = one_session[0].session;
    assert_eq!(gaps_in(&one_session), [], "somebody asks until he gives up");
    let mut other_things = thrice();
    other_things[1].query = "which key opens the vault?".to_owned();
    assert_eq!(gaps_in(&other_things), [], "one word in common is not one thing");
    let mut long_ago = thrice();
    long_ago[0].at = day(5.0 - 30.01);
    assert_eq!(gaps_in(&long_ago), []);
    let mut task = thrice();
    task[0].intent = Intent::General;
    assert_eq!(gaps_in(&task), [], "what tells an agent to do something asks for nothing");
    task[0].via = Surface::Tool;
    assert_eq!(gaps_in(&task).len(), 1, "but whoever searches asks");
    let mut before_anybody_asked = thrice();
    before_anybody_asked[0].via = Surface::SessionStart;
    assert_eq!(gaps_in(&before_anybody_asked), []);
}

#[test]
fn a_turkish_question_is_a_gap_as_well() {
    let recalls = [
        asked("staging anahtarı nerede?", 1.0, 1),
        asked("staging anahtarını kim yeniliyor", 2.0, 2),
        asked("staging anahtarına nasıl ulaşırım?", 3.0, 3),
    ];
    let found = gaps_in(&recalls);
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_gap_closes_when_it_is_answered() {
    let known = gaps_in(&thrice());
    for (answered, how) in [
        (RecallLogged { confidence: Confidence::clamped(0.4), ..asked("staging key?", 4.0, 3) }, "shown"),
        (RecallLogged { used: vec![id(1)], ..asked("staging key?", 4.0, 3) }, "used"),
    ] {
        let mut recalls = thrice();
        recalls.push(answered);
        let found = gaps(&recalls, &[], &known, day(5.0));
        let reckoning = reckoned(&known, found, day(5.0));
        assert_eq!((reckoning.new, reckoning.closed), (vec![], vec![known[0].id.clone()]), "{how}");
        assert_eq!(reckoning.rows[0].closed_at, Some(day(5.0)));
    }
}

#[test]
fn a_gap_closes_when_something_is_stored_that_has_its_words() {
    let stored = |text: &str, days: f64| {
        let content = text.to_owned();
        Arc::new(Memory { content, created_at: day(days), ..memory(1) })
    };
    for (text, days, closes) in [
        ("The staging keys are rotated by Ada.", 4.0, true),
        ("The keys are rotated by Ada.", 4.0, false),
        // It was there when somebody asked, and did not answer it.
        ("The staging keys are rotated by Ada.", 2.5, false),
    ] {
        let found = gaps(&thrice(), &[stored(text, days)], &[], day(5.0));
        assert_eq!(found.is_empty(), closes, "{text} on day {days}");
    }
}

#[test]
fn one_question_is_told_of_once_and_a_known_gap_keeps_its_words() {
    // All share four words, and so six pairs of them.
    let ask = |days: f64, session| asked("rotate the staging vault key", days, session);
    let recalls = [ask(1.0, 1), ask(2.0, 2), ask(3.0, 3)];
    let [gap] = gaps_in(&recalls).try_into().unwrap();
    assert_eq!(gap.subject, "key rotat");
    let known = Insight { subject: "rotat vault".to_owned(), ..gap.clone() };
    let subject =
        |known: &Insight| gaps(&recalls, &[], std::slice::from_ref(known), day(5.0))[0].subject.clone();
    assert_eq!(subject(&known), "rotat vault");
    let closed = Insight { closed_at: Some(day(4.0)), ..known };
    assert_eq!(subject(&closed), "key rotat");
}

#[test]
fn the_gap_to_ask_for_is_the_one_that_is_asked_for_most_lately() {
    let gap = |subject: &str, times: usize, seen: f64| {
        let evidence = (0..times).map(|number| number.to_string()).collect();
        let it =
            Insight::seen(InsightType::MemoryGap, subject.to_owned(), String::new(), evidence, day(seen));
        assert!(it.is_open());
        it
    };
    let closed = Insight { closed_at: Some(day(9.0)), ..gap("closed", 9, 9.0) };
    let hub = Insight { insight: InsightType::GraphInsight, ..gap("hub", 9, 9.0) };
    let insights = [gap("few", 3, 9.0), gap("many", 5, 9.0), gap("old", 8, -21.0), closed, hub];
    let chosen = |at: f64| gap_to_ask(&insights, day(at)).map(|gap| gap.subject.as_str());
    assert_eq!(chosen(9.0), Some("old"));
    assert_eq!(chosen(9.1), Some("many"), "nobody has asked for the other in 30 days");
    assert_eq!(chosen(100.0), None);
}

#[test]
fn a_request_fits_into_a_line() {
    let long = format!("how is the staging key of the {} rotated?", "very ".repeat(60));
    let recalls = [asked(&long, 1.0, 1), asked(&long, 2.0, 2), asked(&long, 3.0, 3)];
    let [gap] = gaps_in(&recalls).try_into().unwrap();
    assert!(request_of(&gap).chars().count() <= 160, "{}", request_of(&gap));
}

#[test]
fn an_insight_is_told_once_and_seen_again() {
    let seen = |description: &str, at: f64| {
        let (insight, subject) = (InsightType::GraphInsight, "redis".to_owned());
        vec![Insight::seen(insight, subject, description.to_owned(), vec!["e".to_owned()], day(at))]
    };
    let first = reckoned(&[], seen("tied to 20", 1.0), day(1.0));
    assert_eq!((first.new.len(), first.rows.len()), (1, 1));
    let mut known = first.rows;
    known[0].action_taken = Some("split".to_owned());
    // Right after it there is nothing to write.
    assert_eq!(reckoned(&known, seen("tied to 20", 1.5), day(1.5)), Reckoning::default());
    for (description, at) in [("tied to 20", 2.0), ("tied to 21", 1.5)] {
        let again = reckoned(&known, seen(description, at), day(at));
        assert_eq!((again.new, again.closed), (vec![], vec![]), "it is told once");
        let row = &again.rows[0];
        assert_eq!((row.created_at, row.last_seen_at), (day(1.0), day(at)));
        assert_eq!((row.action_taken.as_deref(), row.closed_at), (Some("split"), None));
    }
    let gone = reckoned(&known, Vec::new(), day(3.0));
    assert_eq!((gone.closed.len(), gone.rows[0].closed_at), (1, Some(day(3.0))));
    assert_eq!(reckoned(&gone.rows, Vec::new(), day(4.0)), Reckoning::default(), "it is closed once");
    let back = reckoned(&gone.rows, seen("tied to 20", 5.0), day(5.0));
    assert_eq!((back.new.len(), back.rows[0].closed_at), (1, None));
    assert_eq!(back.rows[0].created_at, day(1.0));
}

fn id(number: u128) -> MemoryId {
    MemoryId::from_ulid(Ulid(number))
}

/// An episode that was born on day zero, faded, and use brought back on this day.
fn returned(number: u128, back: f64) -> Arc<Memory> {
    let mut it = memory(1);
    (it.id, it.created_at, it.status) = (id(number), day(0.0), Status::Active);
    it.status_change = StatusChange { at: day(back), reason: "used again".into(), cause: Cause::Use };
    it.trace.access_count = 1;
    it.trace.last_used_at = day(back);
    Arc::new(it)
}

/// One that was put away on this day and is away still.
fn away(number: u128, on: f64) -> Arc<Memory> {
    let mut it = memory(1);
    (it.id, it.created_at, it.status) = (id(1_000 + number), day(0.0), Status::Archived);
    let reason = ArchivalRule::Weak.reason("importance .2");
    it.status_change = StatusChange { at: day(on), reason, cause: Cause::Dream };
    it.trace.last_used_at = day(0.0);
    Arc::new(it)
}

fn anomalies(memories: &[Arc<Memory>], scope: Scope, at: f64) -> Vec<Insight> {
    let back: Vec<(MemoryId, Timestamp)> = memories
        .iter()
        .filter(|memory| memory.status_change.cause == Cause::Use)
        .map(|memory| (memory.id, memory.status_change.at))
        .collect();
    decay_anomalies(memories, &back, &[], Model::DEFAULT, scope, day(at))
}

#[test]
fn a_fifth_that_comes_back_was_put_away_too_early() {
    for (came, stayed, at, expected) in [
        (5, 20, 60.0, true),
        (5, 21, 60.0, false),
        (4, 0, 60.0, false),
        (5, 0, 60.0, true),
        // What happened long ago does not count, on either side.
        (5, 0, 150.1, false),
        (5, 21, 111.0, true),
    ] {
        let mut memories: Vec<Arc<Memory>> = (0..came).map(|number| returned(number, 60.0)).collect();
        memories.extend((0..stayed).map(|number| away(number, 20.0)));
        let found = anomalies(&memories, Scope::Project, at);
        assert_eq!(!found.is_empty(), expected, "{came} of {} on day {at}", came + stayed);
        for insight in found {
            assert_eq!((insight.subject.as_str(), insight.evidence.len()), ("episodic", came as usize));
        }
    }
}

#[test]
fn what_somebody_put_away_himself_has_not_faded() {
    let mut memories: Vec<Arc<Memory>> = (0..5).map(|number| returned(number, 60.0)).collect();
    for number in 0..30 {
        let mut by_hand = Memory::clone(&away(number, 50.0));
        by_hand.status_change.cause = Cause::Forget;
        memories.push(Arc::new(by_hand));
    }
    assert_eq!(anomalies(&memories, Scope::Project, 60.0).len(), 1);
}

#[test]
fn an_anomaly_proposes_a_setting_that_exists() {
    // Those that came back had been told by a person and the others were
    // extracted: some curves tell that apart.
    let mut memories: Vec<Arc<Memory>> = (0..8).map(|number| returned(number, 14.0)).collect();
    for number in 0..8 {
        let mut other = Memory::clone(&away(number, 13.0));
        other.provenance.trust = crate::Trust::INGEST;
        memories.push(Arc::new(other));
    }
    let settings = include_str!("../../../engram-wire/src/defaults.toml");
    let (_, retention) = settings.split_once("[retention]").unwrap();
    for (scope, key) in [(Scope::Project, "project"), (Scope::User, "user")] {
        let [insight] = anomalies(&memories, scope, 15.0).try_into().unwrap();
        let proposal = insight.proposal.expect("another curve would have kept the right ones");
        assert_eq!(proposal.setting, format!("retention.{key}"));
        assert!(retention.contains(&format!("\n{key} = ")), "it is in the list of what exists");
        let model: Model = proposal.value.parse().unwrap();
        assert_ne!(model, Model::DEFAULT);
    }
    assert_eq!(anomalies(&memories, Scope::Session, 15.0)[0].proposal, None);
}

#[test]
fn where_no_curve_is_clearly_better_none_is_proposed() {
    // Both are alike, and so no curve tells them apart.
    let memories: Vec<Arc<Memory>> =
        (0..8).flat_map(|number| [returned(number, 60.0), away(number, 60.0)]).collect();
    let [insight] = anomalies(&memories, Scope::Project, 61.0).try_into().unwrap();
    assert_eq!(insight.proposal, None);
}

#[test]
fn a_sure_rate_above_the_half_is_a_pattern() {
    let rate = |word, rate: f64, sure| Rate { word, rate: Share::clamped(rate), votes: 31, off: 3.0, sure };
    let key = |query_type, with_model| LearnedKey { subject: Subject::Arms, query_type, with_model };
    let how_to = vec![rate("words", 0.68, true), rate("table", 0.32, true)];
    let rates = [
        (key(Some(QueryType::HowTo), false), how_to.clone()),
        (key(Some(QueryType::HowTo), true), how_to),
        (key(None, false), vec![rate("words", 0.9, false)]),
    ];
    let [pattern, beside] = patterns(&rates, day(1.0)).try_into().unwrap();
    assert_eq!(pattern.id, "retrieval_pattern:words how_to");
    assert_eq!(pattern.description, "words is right in 68 % of 31 recalls of type how_to");
    assert_ne!(beside.id, pattern.id, "with a model the arms are others");
}

#[test]
fn noise_is_one_insight_with_all_that_make_it() {
    let noise = |(number, shown)| Noise { memory: id(number), shown, ignored: shown };
    assert_eq!(noise_told(&[], day(1.0)), None);
    let told = noise_told(&[(1, 12), (2, 5)].map(noise), day(1.0)).unwrap();
    assert_eq!(told.evidence, [id(1).to_string(), id(2).to_string()]);
    assert!(told.description.starts_with("2 memories were shown up to 12 times"), "{}", told.description);
}
