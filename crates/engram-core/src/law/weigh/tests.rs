//! What is weighed, by example and by property.

use super::*;
use crate::law::captures;
use crate::observe::{Heard, Observed, emotion_of, observe};
use crate::unit::{Arousal, Valence};
use proptest::prelude::*;

fn feeling(valence: f64, arousal: f64) -> Emotion {
    Emotion { valence: Valence::clamped(valence), arousal: Arousal::clamped(arousal), feeling: None }
}

/// One memory is somewhat near.
const HALF_KNOWN: &[f64] = &[0.5];

fn nearest(likenesses: &[f64]) -> Vec<Similarity> {
    likenesses.iter().map(|likeness| Similarity::clamped(*likeness)).collect()
}

/// Something ordinary: calm, and of four things.
fn plain(kind: Kind, event: EventType, nearest: &[Similarity]) -> Encoded<'_> {
    let emotion = feeling(0.0, 0.0);
    Encoded { kind, event, nearest, contradicts: false, emotion, density: Some(4), asked: false }
}

fn importance(kind: Kind, event: EventType, likenesses: &[f64]) -> f64 {
    weigh(&plain(kind, event, &nearest(likenesses))).importance.get()
}

/// The importance of each kind by who said it: half known, then wholly new.
#[test]
fn the_importance_of_ordinary_things() {
    use EventType::*;
    for (kind, event, half_known, new) in [
        (Kind::Fact, Remember, 0.7, 0.825),
        (Kind::Scratchpad, Remember, 0.7, 0.825),
        (Kind::Correction, UserMessage, 0.76, 0.885),
        (Kind::ErrorFix, UserMessage, 0.6775, 0.8025),
        (Kind::Decision, UserMessage, 0.59, 0.715),
        (Kind::Convention, UserMessage, 0.59, 0.715),
        (Kind::Preference, UserMessage, 0.59, 0.715),
        (Kind::Architecture, UserMessage, 0.5375, 0.6625),
        (Kind::Procedure, UserMessage, 0.53, 0.655),
        (Kind::Plan, UserMessage, 0.4975, 0.6225),
        (Kind::Fact, UserMessage, 0.465, 0.59),
        (Kind::Entity, UserMessage, 0.4175, 0.5425),
        (Kind::Narrative, UserMessage, 0.3225, 0.4475),
        (Kind::Correction, AssistantMessage, 0.68, 0.805),
        (Kind::ErrorFix, ToolCall, 0.6135, 0.7385),
        (Kind::Decision, AssistantMessage, 0.522, 0.647),
        (Kind::Fact, AssistantMessage, 0.409, 0.534),
        (Kind::Fact, SubagentResult, 0.395, 0.52),
        (Kind::Fact, File, 0.423, 0.548),
    ] {
        for (likenesses, expected) in [(HALF_KNOWN, half_known), (&[], new)] {
            let found = importance(kind, event, likenesses);
            assert!((found - expected).abs() < 1e-9, "{kind} {event} {likenesses:?}: {found}");
        }
    }
}

#[test]
fn what_is_known_already_matters_clearly_less_and_is_flagged() {
    for kind in [Kind::Fact, Kind::Decision, Kind::Preference, Kind::ErrorFix] {
        let near = nearest(&[0.97, 0.5, 0.4]);
        let again = weigh(&plain(kind, EventType::UserMessage, &near));
        assert!(again.redundant, "{kind}");
        let half = importance(kind, EventType::UserMessage, HALF_KNOWN);
        assert!(again.importance.get() < half - 0.1, "{kind}");
    }
}

#[test]
fn a_contradiction_is_news_however_near_it_is() {
    let near = nearest(&[0.97]);
    let said = Encoded { contradicts: true, ..plain(Kind::Fact, EventType::UserMessage, &near) };
    let weighed = weigh(&said);
    assert!(!weighed.redundant);
    assert!((weighed.surprise.get() - 0.03).abs() < 1e-12);
    assert_eq!(weighed.importance.get(), importance(Kind::Fact, EventType::UserMessage, &[]));
}

#[test]
fn what_a_person_asked_for_or_set_right_is_strong_in_however_few_words() {
    let near = nearest(&[0.99; 5]);
    for density in [None, Some(0), Some(1), Some(2)] {
        for kind in Kind::ALL {
            let asked = Encoded { density, ..plain(*kind, EventType::Remember, &near) };
            assert!(captures(weigh(&asked).importance), "{kind} {density:?}");
            let in_words = Encoded { asked: true, density, ..plain(*kind, EventType::UserMessage, &near) };
            assert!(captures(weigh(&in_words).importance), "{kind} {density:?}");
        }
        let right = Encoded { density, ..plain(Kind::Correction, EventType::UserMessage, &near) };
        assert!(captures(weigh(&right).importance), "{density:?}");
    }
}

#[test]
fn words_that_ask_settle_it_as_the_command_does() {
    let asked = Encoded { asked: true, ..plain(Kind::Fact, EventType::UserMessage, &[]) };
    assert_eq!(weigh(&asked).tier, Tier::Semantic);
    let said = plain(Kind::Fact, EventType::UserMessage, &[]);
    assert_eq!(weigh(&said).tier, Tier::Episodic);
}

#[test]
fn feeling_makes_it_matter_more() {
    let arousal_of = |value: f64| {
        let said = plain(Kind::Fact, EventType::UserMessage, &[]);
        channels_of(&Encoded { emotion: feeling(0.0, value), ..said }).arousal.get()
    };
    for (value, expected) in [(0.0, 0.25), (0.4, 0.55), (1.0, 1.0)] {
        assert!((arousal_of(value) - expected).abs() < 1e-12, "{value}");
    }
    let reward_of = |valence: f64| {
        let said = plain(Kind::Fact, EventType::UserMessage, &[]);
        channels_of(&Encoded { emotion: feeling(valence, 0.0), ..said }).reward.get()
    };
    for (valence, expected) in [(0.0, 0.5), (0.5, 0.55), (-0.5, 0.55), (1.0, 0.6)] {
        assert!((reward_of(valence) - expected).abs() < 1e-12, "{valence}");
    }
}

/// S3: from an arousal of .8 on a memory is pinned, its importance at least .9
/// and its stability half as much again.
#[test]
fn a_flashbulb_is_pinned_and_lasts() {
    assert!(is_flashbulb(&feeling(-0.5, 0.8)));
    assert!(!is_flashbulb(&feeling(-0.5, 0.79)));
    let near = nearest(HALF_KNOWN);
    let stirred = |event| weigh(&Encoded { emotion: feeling(-0.8, 0.85), ..plain(Kind::Fact, event, &near) });
    let felt = stirred(EventType::UserMessage);
    assert!(felt.pinned);
    assert_eq!(felt.importance.get(), 0.9);
    assert_eq!(felt.stability, first_stability(Importance::clamped(0.9), true));
    for event in [EventType::AssistantMessage, EventType::ToolCall, EventType::File] {
        assert!(!stirred(event).pinned, "{event}");
    }
}

#[test]
fn the_first_stability_follows_the_importance_a_little() {
    for (importance, flashbulb, expected) in [
        (0.0, false, 0.75 * 2.3065),
        (0.5, false, 2.3065),
        (1.0, false, 1.25 * 2.3065),
        (0.9, true, 1.2 * 1.5 * 2.3065),
    ] {
        let found = first_stability(Importance::clamped(importance), flashbulb).get();
        assert!((found - expected).abs() < 1e-9, "{importance} {flashbulb}: {found}");
    }
}

#[test]
fn the_importance_says_what_it_is_made_of() {
    let near = nearest(&[0.2]);
    let said = Encoded { emotion: feeling(0.0, 0.4), ..plain(Kind::Fact, EventType::UserMessage, &near) };
    assert_eq!(
        weigh(&said).because,
        [
            "novelty .80 x .25",
            "arousal .55 x .30",
            "reward .50 x .25",
            "attention .70 x .20",
            "4 things said: x 1.00",
            "importance .63"
        ]
    );
    let near = nearest(&[1.0]);
    let asked = Encoded { density: Some(1), ..plain(Kind::Fact, EventType::Remember, &near) };
    assert_eq!(
        weigh(&asked).because[4..],
        ["1 thing said: x .82", "redundant: surprise .00", "asked for: at least .70", "importance .70"]
    );
    let near = nearest(&[0.95]);
    let wrong = Encoded {
        contradicts: true,
        density: None,
        emotion: feeling(-0.6, 0.9),
        ..plain(Kind::Correction, EventType::UserMessage, &near)
    };
    assert_eq!(
        weigh(&wrong).because,
        [
            "novelty 1.00 x .25",
            "arousal .97 x .30",
            "reward .91 x .25",
            "attention 1.00 x .20",
            "contradicts what is kept: wholly new",
            "set right by the user: at least .70",
            "flashbulb, pinned: at least .90",
            "importance .97"
        ]
    );
}

/// Whole messages, as the observer reads them.
#[test]
fn messages_are_weighed_as_a_person_would() {
    let near = nearest(&[0.45, 0.35, 0.3, 0.3, 0.25]);
    for (text, event, low, high) in [
        (
            "No, that's wrong: the staging database listens on port 5433, not 5432.",
            EventType::UserMessage,
            0.7,
            0.95,
        ),
        ("We decided to go with pnpm instead of npm for the monorepo.", EventType::UserMessage, 0.55, 0.78),
        ("I prefer tabs over spaces in Go files.", EventType::UserMessage, 0.5, 0.75),
        ("The billing service runs on Fly.io in Frankfurt.", EventType::UserMessage, 0.42, 0.62),
        ("The billing service runs on Fly.io in Frankfurt.", EventType::AssistantMessage, 0.35, 0.58),
    ] {
        let Observed::Keep(observation) = observe(&Heard { text, role: event.role() }) else {
            panic!("not kept: {text}")
        };
        let weighed = weigh(&Encoded {
            emotion: observation.emotion,
            density: Some(observation.density),
            ..plain(observation.kind, event, &near)
        });
        let found = weighed.importance.get();
        assert!((low..=high).contains(&found), "{text} ({}): {:?}", observation.kind, weighed.because);
        assert!(!weighed.pinned);
    }
}

#[test]
fn a_shout_is_stirred_enough_for_a_flashbulb_and_is_not_kept() {
    let text = "THIS IS TERRIBLE, WHY IS THIS BROKEN AGAIN!!!";
    assert!(is_flashbulb(&emotion_of(text)));
    let heard = Heard { text, role: EventType::UserMessage.role() };
    assert!(matches!(observe(&heard), Observed::Skip(_)));
}

fn any_encoded() -> impl Strategy<Value = (Encoded<'static>, Vec<f64>)> {
    let kind = prop::sample::select(Kind::ALL);
    let event = prop::sample::select(EventType::ALL);
    let density = prop::option::of(0_u32..40);
    let likenesses = prop::collection::vec(0.0..=1.0, 0..7);
    (kind, event, any::<bool>(), any::<bool>(), -1.0..=1.0, 0.0..=1.0, density, likenesses).prop_map(
        |(kind, event, contradicts, asked, valence, arousal, density, likenesses)| {
            let emotion = feeling(valence, arousal);
            (Encoded { kind, event, nearest: &[], contradicts, emotion, density, asked }, likenesses)
        },
    )
}

proptest! {
    #[test]
    fn what_is_more_surprising_never_matters_less(
        (encoded, likenesses) in any_encoded(),
        share in 0.0..=1.0,
    ) {
        let near = nearest(&likenesses);
        let further: Vec<f64> = likenesses.iter().map(|likeness| likeness * share).collect();
        let far = nearest(&further);
        let known = weigh(&Encoded { nearest: &near, ..encoded });
        let newer = weigh(&Encoded { nearest: &far, ..encoded });
        prop_assert!(newer.surprise >= known.surprise);
        prop_assert!(newer.importance.get() >= known.importance.get() - 1e-12);
        prop_assert!(newer.stability.get() >= known.stability.get() - 1e-12);
    }

    #[test]
    fn the_user_is_heard_before_the_agents((encoded, likenesses) in any_encoded()) {
        let near = nearest(&likenesses);
        let said_by = |event| weigh(&Encoded { event, nearest: &near, ..encoded }).importance.get();
        let user = said_by(EventType::UserMessage);
        for event in [EventType::AssistantMessage, EventType::SubagentResult, EventType::File] {
            prop_assert!(user >= said_by(event), "{event}");
        }
    }

    #[test]
    fn what_is_weighed_stays_in_its_range((encoded, likenesses) in any_encoded()) {
        let near = nearest(&likenesses);
        let weighed = weigh(&Encoded { nearest: &near, ..encoded });
        prop_assert!((0.0..=1.0).contains(&weighed.importance.get()));
        let first = Stability::FIRST.get();
        prop_assert!((0.75 * first..=1.25 * 1.5 * first).contains(&weighed.stability.get()));
        prop_assert!(!weighed.pinned || weighed.importance.get() >= FLASHBULB_IMPORTANCE);
        prop_assert!(!(weighed.redundant && encoded.contradicts));
    }
}
