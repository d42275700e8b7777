//! The gate's decisions, one by one.

use super::*;
use crate::change::Actor;
use crate::claim::Doubt;
use crate::id::{IdMint, OperationId};
use crate::kind::Scope;
use crate::memory::Provenance;
use crate::plan::{Draft, Occasion, plan_remember};
use crate::status::StatusChange;
use crate::{Span, Write};
use proptest::prelude::*;

fn day(number: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap() + Span::from_hours(24 * number)
}

/// Something a person said on the first day.
fn memory(number: u64, text: &str) -> Memory {
    let at = day(1);
    let operation = OperationId::from_ulid(IdMint::seeded(number).mint(at));
    let occasion = Occasion { operation, actor: Actor::Human, at, recorded_at: at };
    let draft = Draft::parse(text, 10_000).unwrap();
    let changes = plan_remember(draft, Scope::Project, Provenance::stated_by(Actor::Human), occasion);
    let [Write::Create { memory }] = &changes.writes[..] else { panic!("no birth") };
    *memory.clone()
}

fn in_status(mut memory: Memory, status: Status, cause: Cause) -> Memory {
    memory.status = status;
    memory.status_change = StatusChange { at: day(2), reason: "for some reason".to_owned(), cause };
    memory
}

/// Something a person says on the tenth day.
fn said(text: &str) -> Arrival<'_> {
    Arrival {
        text,
        kind: Kind::Fact,
        asked: false,
        said_at: day(10),
        trust: Trust::HUMAN,
        authority: Authority::Change,
        importance: Importance::clamped(0.6),
    }
}

fn near(memory: &Memory, similarity: f64) -> Near<'_> {
    Near {
        memory,
        similarity: Similarity::clamped(similarity),
        judged: None,
        by_words: true,
        together: false,
    }
}

/// What becomes of a fact beside one memory that is so near.
fn beside(known: &Memory, similarity: f64, arrival: &Arrival<'_>) -> Gated {
    gate(arrival, &[near(known, similarity)])
}

/// Every row is a known text, a new one, and what becomes of the new one; the
/// reason is told where there is a contradiction.
#[track_caller]
fn check(rows: &[(&str, &str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(old, new, expected)| {
            let gated = beside(&memory(1, old), 0.8, &said(new));
            let why = gated.why.map(|why| format!(": {why}")).unwrap_or_default();
            let found = format!("{}{why}", gated.action);
            (found != *expected)
                .then(|| format!("{old} | {new}\n   expected {expected}\n   found    {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

const KEY: &str = "the staging key is in vault";
const KEY_MOVED: &str = "the staging key is in 1password";
const ELSEWHERE_SAID: &str = "standup is at half past nine";

#[test]
fn what_nothing_is_like_is_new() {
    let gated = gate(&said(KEY), &[]);
    assert_eq!((gated.action, gated.others, gated.similarity), (Action::Create, Vec::new(), None));
    let known = memory(1, KEY);
    for similarity in [0.0, 0.5, 0.699] {
        let gated = beside(&known, similarity, &said(ELSEWHERE_SAID));
        assert_eq!(gated.action, Action::Create, "{similarity}");
        assert_eq!(gated.reason, "nothing known is like it");
    }
}

#[test]
fn what_is_rather_like_something_known_is_kept_if_it_matters() {
    let known = memory(1, KEY);
    let weighing = |importance: f64| Arrival {
        importance: Importance::clamped(importance),
        authority: Authority::Add,
        ..said(ELSEWHERE_SAID)
    };
    for similarity in [0.7, 0.72, 0.749] {
        assert_eq!(beside(&known, similarity, &weighing(0.5)).action, Action::Create, "{similarity}");
        assert_eq!(beside(&known, similarity, &weighing(0.49)).action, Action::Skip, "{similarity}");
        let personal = Arrival { authority: Authority::Change, ..weighing(0.1) };
        assert_eq!(beside(&known, similarity, &personal).action, Action::Create, "{similarity}");
    }
}

#[test]
fn likeness_alone_merges_nothing() {
    let known = memory(1, KEY);
    for similarity in [0.75, 0.92, 0.999, 1.0] {
        let gated = beside(&known, similarity, &said(ELSEWHERE_SAID));
        assert_eq!(gated.action, Action::Create, "{similarity}");
        assert_eq!(gated.reason, "like what is known, and says something else");
        assert_eq!(gated.others, [known.id]);
    }
}

#[test]
fn saying_the_same_or_less_reinforces() {
    check(&[
        (KEY, "The staging key lives in vault.", "reinforce"),
        (KEY, KEY, "reinforce"),
        (
            "The orders service talks to payments over gRPC with mutual TLS.",
            "The orders service talks to payments over gRPC.",
            "reinforce",
        ),
        ("Staging anahtarı vault'ta duruyor.", "Staging anahtarı vault içinde duruyor.", "reinforce"),
    ]);
    let known = memory(1, "The orders service talks to payments over gRPC with mutual TLS.");
    let less = beside(&known, 0.8, &said("The orders service talks to payments over gRPC."));
    assert_eq!((less.reason.as_str(), less.others), ("says less than what is known", vec![known.id]));
    assert_eq!(beside(&memory(1, KEY), 0.8, &said(KEY)).reason, "says the same");
}

#[test]
fn saying_more_updates_and_keeps_both_facts() {
    let known = memory(1, "The orders service talks to payments over gRPC.");
    let more = "The orders service talks to payments over gRPC. The calls are retried three times.";
    let gated = beside(&known, 0.8, &said(more));
    assert_eq!((gated.action, gated.others), (Action::Update, vec![known.id]));
    let merged = gated.merged.unwrap();
    for fact in ["over gRPC", "retried three times"] {
        assert!(merged.contains(fact), "{merged}");
    }
}

#[test]
fn only_who_may_change_updates_and_nothing_immutable_is_updated() {
    let mut known = memory(1, "The orders service talks to payments over gRPC.");
    let more = "The orders service talks to payments over gRPC with mutual TLS.";
    assert_eq!(beside(&known, 0.8, &said(more)).action, Action::Update);
    let adding = Arrival { authority: Authority::Add, ..said(more) };
    assert_eq!(beside(&known, 0.8, &adding).action, Action::Create);
    known.immutable = true;
    assert_eq!(beside(&known, 0.8, &said(more)).action, Action::Create);
}

#[test]
fn a_memory_does_not_grow_for_ever() {
    let sentence = "The orders service talks to payments over gRPC.";
    let long: Vec<String> =
        (0..40).map(|at| format!("Queue number{at} feeds worker{at} at night.")).collect();
    let known = memory(1, &format!("{sentence} {}", long.join(" ")));
    assert!(known.content.len() > MOST_BYTES);
    let mut held = hold(&said("x"), &Text::of("x"), &near(&known, 0.9));
    held.bearing = Bearing::Adds;
    let more = format!("{sentence} The calls are retried three times.");
    assert_eq!(more_of_it(&said(&more), &[&held]), None);
}

#[test]
fn a_contradiction_supersedes() {
    check(&[
        ("the api listens on port 8080", "the api listens on port 9090", "supersede: number"),
        ("we use Postgres 14 for billing", "we use Postgres 16 for billing", "supersede: version"),
        (KEY, KEY_MOVED, "supersede: value"),
        (KEY, "we moved the staging key to 1password", "supersede: moved"),
        (KEY, "the staging key is in 1password, not in vault", "supersede: instead"),
        ("we use Redis for sessions", "we no longer use Redis for sessions", "supersede: no_longer"),
        ("the feature flag is enabled", "the feature flag is disabled", "supersede: state"),
        ("tests need a database", "tests do not need a database", "supersede: negation"),
        ("Staging anahtarı vault'ta.", "Staging anahtarı artık 1password'de.", "supersede: value"),
        ("Staging anahtarı vault'ta.", "Staging anahtarını 1password'e taşıdık.", "supersede: moved"),
        ("Testler için Jest kullanıyoruz.", "Testler için artık Jest kullanmıyoruz.", "supersede: no_longer"),
        ("the api listens on port 8080", "Correction: the api listens on port 9090", "supersede: number"),
        ("We deploy with Jenkins.", "We deploy with GitHub Actions.", "supersede: value"),
        ("Anahtar vault'ta duruyor.", "Aslında anahtar vault'ta değil, kasada.", "supersede: instead"),
    ]);
}

#[test]
fn a_contradiction_tells_what_was_and_what_is() {
    let known = memory(1, KEY);
    let gated = beside(&known, 0.8, &said(KEY_MOVED));
    assert_eq!(gated.reason, "value: \"1password\" was \"vault\"");
    assert_eq!((gated.others, gated.similarity), (vec![known.id], Some(Similarity::clamped(0.8))));
    assert!(matches!(&gated.bearings[..], [(id, _, Bearing::Contradicts(_))] if *id == known.id));
}

#[test]
fn words_that_clash_by_chance_contradict_nothing() {
    let known = memory(1, "the staging key for the old billing cluster of the Berlin office is in vault");
    let far = |text| beside(&known, 0.1, &said(text)).action;
    assert_eq!(far("the lunch menu is in the kitchen"), Action::Create);
}

#[test]
fn who_may_only_add_or_is_less_trusted_challenges() {
    let known = memory(1, KEY);
    let refused = |arrival: Arrival<'_>| {
        let gated = beside(&known, 0.8, &arrival);
        assert_eq!(
            (gated.action, gated.others, gated.why),
            (Action::Challenge, vec![known.id], Some(Why::Value))
        );
        gated.reason.split_once("; ").unwrap().1.to_owned()
    };
    let adding = Arrival { authority: Authority::Add, ..said(KEY_MOVED) };
    assert_eq!(refused(adding), "this source may not replace anything");
    let doubted = Arrival { trust: Trust::ASSISTANT, ..said(KEY_MOVED) };
    assert_eq!(refused(doubted), "whoever says so is less trusted");
    let mut weaker = memory(2, KEY);
    weaker.provenance.trust = Trust::ASSISTANT;
    assert_eq!(beside(&weaker, 0.8, &doubted).action, Action::Supersede);
    let file = Arrival { trust: Trust::INGEST, ..said(KEY_MOVED) };
    assert_eq!(beside(&weaker, 0.8, &file).action, Action::Supersede);
}

#[test]
fn who_challenges_again_opens_no_second_review() {
    let known = memory(1, KEY);
    let challenger = in_status(memory(2, KEY_MOVED), Status::Challenged, Cause::Capture);
    let near = [near(&known, 0.8), near(&challenger, 0.9)];
    let adding = Arrival { authority: Authority::Add, ..said("the staging key is stored in 1password") };
    let gated = gate(&adding, &near);
    assert_eq!((gated.action, gated.others), (Action::Reinforce, vec![challenger.id]));
    let third = Arrival { text: "the staging key is in bitwarden", ..adding };
    assert_eq!(gate(&third, &near).action, Action::Challenge);
}

#[test]
fn an_immutable_memory_is_challenged_by_anybody() {
    let mut known = memory(1, KEY);
    known.immutable = true;
    let gated = beside(&known, 0.8, &said(KEY_MOVED));
    assert_eq!(gated.action, Action::Challenge);
    assert!(gated.reason.ends_with("it is immutable"), "{}", gated.reason);
}

#[test]
fn what_is_older_than_what_is_known_does_not_overrule_it() {
    let known = memory(1, KEY);
    let older = Arrival { said_at: day(0), ..said(KEY_MOVED) };
    let gated = beside(&known, 0.8, &older);
    assert_eq!((gated.action, gated.others), (Action::Skip, vec![known.id]));
    assert!(gated.reason.starts_with("older than what is known"), "{}", gated.reason);
}

#[test]
fn every_contradicted_memory_gives_way_the_likest_first() {
    let known: Vec<Memory> = [KEY, "the staging key lives in vault", "the staging key is stored in vault"]
        .iter()
        .zip(1..)
        .map(|(text, number)| memory(number, text))
        .collect();
    let others = |known: &[Memory], arrival: &Arrival<'_>| {
        let near: Vec<Near<'_>> =
            known.iter().zip([0.8, 0.9, 0.85]).map(|(memory, at)| near(memory, at)).collect();
        let gated = gate(arrival, &near);
        assert_eq!(gated.action, Action::Supersede);
        gated.others
    };
    let arrival = said(KEY_MOVED);
    assert_eq!(others(&known, &arrival), [known[1].id, known[2].id, known[0].id]);
    // One that is protected, younger or better trusted stays, and the others go.
    let mut protected = known.clone();
    protected[0].immutable = true;
    assert_eq!(others(&protected, &arrival), [known[1].id, known[2].id]);
    let mut younger = known.clone();
    younger[2].validity.valid_from = day(11);
    assert_eq!(others(&younger, &arrival), [known[1].id, known[0].id]);
    let mut doubted = known.clone();
    doubted[1].provenance.trust = Trust::ASSISTANT;
    let agent = Arrival { trust: Trust::ASSISTANT, ..arrival };
    assert_eq!(others(&doubted, &agent), [known[1].id]);
}

#[test]
fn at_most_three_give_way_at_once() {
    let known: Vec<Memory> = (1..=5).map(|number| memory(number, KEY)).collect();
    let near: Vec<Near<'_>> = known.iter().map(|memory| near(memory, 0.9)).collect();
    assert_eq!(gate(&said(KEY_MOVED), &near).others.len(), MOST_SUPERSEDED);
}

#[test]
fn what_has_ended_is_no_obstacle() {
    let mut known = memory(1, "the code freeze is until Friday");
    known.validity.valid_until = Some(day(5));
    for text in ["the code freeze is until Friday", "the code freeze is until Monday"] {
        let gated = beside(&known, 0.9, &said(text));
        assert_eq!((gated.action, gated.others), (Action::Create, Vec::new()), "{text}");
        assert!(gated.bearings.is_empty());
    }
    known.validity.valid_until = Some(day(20));
    assert_eq!(beside(&known, 0.9, &said("the code freeze is until Friday")).action, Action::Reinforce);
}

/// The ways in which a value is rejected.
const REJECTED: [(Status, Cause); 5] = [
    (Status::Superseded, Cause::Capture),
    (Status::Superseded, Cause::Correct),
    (Status::Invalidated, Cause::Review),
    (Status::Deprecated, Cause::Mark),
    (Status::Archived, Cause::Forget),
];

/// A rejected value, what is known instead, and the rejected value in other
/// words.
const PARAPHRASED: [(&str, &str, &[&str]); 4] = [
    (
        KEY,
        KEY_MOVED,
        &[
            "The staging key lives in vault.",
            "the staging key is kept in vault",
            "the staging key is in the vault",
        ],
    ),
    (
        "The API listens on port 8080.",
        "Correction: the API listens on port 9090, not 8080.",
        &["The API is listening on port 8080.", "the api listens on 8080"],
    ),
    (
        "Staging anahtarı vault içinde duruyor.",
        "Aslında staging anahtarı vault'ta değil, 1password'de.",
        &["Staging anahtarı vault'ta.", "Staging anahtarı vault içinde saklanıyor."],
    ),
    (
        "Testler için Jest kullanıyoruz.",
        "Testler için artık Vitest kullanıyoruz.",
        &["Testlerde Jest kullanıyoruz.", "Testler için Jest kullanıyoruz!"],
    ),
];

#[test]
fn a_paraphrase_of_a_rejected_value_is_not_written_back() {
    for (old, new, paraphrases) in PARAPHRASED {
        for (status, cause) in REJECTED {
            let dead = in_status(memory(1, old), status, cause);
            let alive = memory(2, new);
            for text in paraphrases {
                let gated = gate(&said(text), &[near(&dead, 0.85), near(&alive, 0.8)]);
                assert_eq!((gated.action, gated.others), (Action::Skip, vec![dead.id]), "{status}: {text}");
                assert_eq!(
                    gated.reason,
                    format!("says again what is {status} since 2027-01-17: for some reason")
                );
            }
        }
    }
}

#[test]
fn what_was_merely_put_away_may_come_back() {
    for (status, cause) in
        [(Status::Archived, Cause::Mark), (Status::Merged, Cause::Review), (Status::Promoted, Cause::Mark)]
    {
        let away = in_status(memory(1, KEY), status, cause);
        assert_eq!(beside(&away, 0.9, &said(KEY)).action, Action::Create, "{status}");
    }
}

#[test]
fn who_says_that_it_changed_back_or_asks_for_it_is_believed() {
    let dead = in_status(memory(1, KEY), Status::Superseded, Cause::Capture);
    let alive = memory(2, KEY_MOVED);
    let both = [near(&dead, 0.85), near(&alive, 0.8)];
    for text in ["we moved the staging key back to vault", "the staging key is now in vault"] {
        let gated = gate(&said(text), &both);
        assert_eq!((gated.action, gated.others), (Action::Supersede, vec![alive.id]), "{text}");
    }
    let right = Arrival { kind: Kind::Correction, ..said(KEY) };
    assert_eq!(gate(&right, &both).action, Action::Supersede);
    let asked = Arrival { asked: true, ..said(KEY) };
    assert_eq!(gate(&asked, &both).action, Action::Supersede);
    let turkish = in_status(memory(3, "Staging anahtarı vault'ta."), Status::Superseded, Cause::Capture);
    let instead = memory(4, "Staging anahtarı 1password'de.");
    let gated = gate(
        &said("Staging anahtarını tekrar vault'a taşıdık."),
        &[near(&turkish, 0.85), near(&instead, 0.8)],
    );
    assert_eq!((gated.action, gated.others), (Action::Supersede, vec![instead.id]));
}

#[test]
fn a_third_value_is_no_rejected_one() {
    let dead = in_status(memory(1, KEY), Status::Superseded, Cause::Capture);
    let alive = memory(2, KEY_MOVED);
    let gated = gate(&said("the staging key is in bitwarden"), &[near(&dead, 0.85), near(&alive, 0.8)]);
    assert_eq!((gated.action, gated.others), (Action::Supersede, vec![alive.id]));
}

#[test]
fn a_memory_that_tells_of_the_change_remembers_what_was_left() {
    for (known, restated) in [
        ("We switched the web app from Heroku to Fly.io.", "The web app is deployed with Heroku."),
        ("Actually the staging key is in 1password, not in vault.", KEY),
        ("the config moved from config/ to etc/", "the config is in config/"),
    ] {
        let known = memory(1, known);
        let gated = beside(&known, 0.8, &said(restated));
        assert_eq!((gated.action, gated.others), (Action::Skip, vec![known.id]), "{restated}");
        assert_eq!(gated.reason, "says again what is over since 2027-01-16");
    }
    let known = memory(1, "We switched the web app from Heroku to Fly.io.");
    for back in
        ["We switched the web app back to Heroku.", "We went back from Fly.io to Heroku for the web app."]
    {
        assert_eq!(beside(&known, 0.8, &said(back)).action, Action::Supersede, "{back}");
    }
}

#[test]
fn an_unsure_pair_is_challenged_and_what_claims_nothing_is_not() {
    check(&[
        ("we use Postgres", "we use Redis", "challenge"),
        ("the client opens the connection", "the client closes the connection", "challenge"),
        (KEY, "where is the staging key?", "create"),
        ("we use Postgres 15", "we plan to use Postgres 16", "create"),
        (KEY, "Ada says the staging key is in 1password", "create"),
        ("the timeout is 30s", "the timeout is about 45s", "create"),
    ]);
    let known = memory(1, "we use Postgres");
    let gated = beside(&known, 0.8, &said("we use Redis"));
    assert_eq!(gated.reason, format!("it is not sure how they differ ({})", Doubt::Several));
    assert_eq!(gated.why, None);
    // Far apart, two things that are not understood are two things.
    assert_eq!(beside(&known, 0.6, &said("we use Redis")).action, Action::Create);
}

#[test]
fn the_verdict_of_a_language_model_counts_where_the_rules_are_unsure() {
    let known = memory(1, "the client opens the connection");
    let decided = |known: &Memory, text: &str, verdict| {
        let near = Near { judged: Some(verdict), ..near(known, 0.8) };
        gate(&said(text), &[near]).action
    };
    let unsure = "the client closes the connection";
    assert_eq!(decided(&known, unsure, Verdict::Same), Action::Reinforce);
    assert_eq!(decided(&known, unsure, Verdict::Contradicts), Action::Supersede);
    assert_eq!(decided(&known, unsure, Verdict::Unrelated), Action::Create);
    assert_eq!(decided(&known, unsure, Verdict::Adds), Action::Update);
    let sure = memory(1, KEY);
    for verdict in Verdict::ALL {
        assert_eq!(decided(&sure, KEY_MOVED, *verdict), Action::Supersede, "{verdict}");
        assert_eq!(decided(&sure, KEY, *verdict), Action::Reinforce, "{verdict}");
        assert_eq!(decided(&sure, ELSEWHERE_SAID, *verdict), Action::Create, "{verdict}");
    }
}

#[rustfmt::skip]
const CLAIMS: &[&str] = &[
    KEY, KEY_MOVED, ELSEWHERE_SAID, "the staging key lives in vault", "we moved the staging key to 1password",
    "we no longer keep the staging key in vault", "where is the staging key?", "the staging key is in vault, not in 1password",
    "the staging key is in vault and is rotated monthly", "the api listens on port 8080",
    "the api listens on port 9090 now", "we use Postgres", "we use Redis", "Staging anahtarı vault'ta.",
    "Staging anahtarını 1password'e taşıdık.", "Correction: the staging key is in 1password",
];

fn any_known() -> impl Strategy<Value = (Memory, f64, Option<Verdict>)> {
    let status = prop::sample::select(Status::ALL);
    let cause = prop::sample::select(vec![Cause::Forget, Cause::Capture, Cause::Use]);
    let judged = prop::option::of(prop::sample::select(Verdict::ALL));
    let text = prop::sample::select(CLAIMS);
    (1..1_000u64, text, status, cause, any::<bool>(), 0.0..=1.0f64, judged, 0..30i64).prop_map(
        |(number, text, status, cause, immutable, similarity, judged, from)| {
            let mut memory = in_status(memory(number, text), status, cause);
            memory.immutable = immutable;
            memory.validity.valid_from = day(from);
            (memory, similarity, judged)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_immutable_is_changed_and_nothing_that_is_not_near_is_touched(
        known in prop::collection::vec(any_known(), 0..6),
        text in prop::sample::select(CLAIMS),
        authority in prop::sample::select(Authority::ALL),
        asked in any::<bool>(),
        importance in 0.0..=1.0f64,
    ) {
        let near: Vec<Near<'_>> =
            known.iter().map(|(memory, similarity, judged)| Near { judged: *judged, ..near(memory, *similarity) }).collect();
        let arrival =
            Arrival { authority, asked, importance: Importance::clamped(importance), ..said(text) };
        let gated = gate(&arrival, &near);
        let of = |id: &MemoryId| known.iter().map(|(memory, ..)| memory).find(|memory| memory.id == *id);
        for id in gated.others.iter().chain(gated.bearings.iter().map(|(id, ..)| id)) {
            prop_assert!(of(id).is_some(), "{id} is not near");
        }
        if matches!(gated.action, Action::Update | Action::Supersede) {
            prop_assert_eq!(authority, Authority::Change);
            prop_assert!(!gated.others.is_empty());
            for id in &gated.others {
                // The same identifier may have been drawn twice.
                let all = known.iter().map(|(memory, ..)| memory).filter(|memory| memory.id == *id);
                prop_assert!(all.clone().any(|memory| !memory.immutable && memory.status.is_current()));
            }
        }
        prop_assert_eq!(gated.merged.is_some(), gated.action == Action::Update);
    }
}
