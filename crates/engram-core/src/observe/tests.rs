//! Messages as they come in, and what is made of them.

use super::*;
use proptest::prelude::*;

fn seen(role: Role, text: &str) -> Observed {
    observe(&Heard { text, role })
}

fn kept(role: Role, text: &str) -> Vec<&str> {
    match seen(role, text) {
        Observed::Keep(observation) => observation.sentences.into_iter().map(|range| &text[range]).collect(),
        Observed::Skip(_) => Vec::new(),
    }
}

#[track_caller]
fn skipped(expected: Skipped, role: Role, texts: &[&str]) {
    for text in texts {
        assert_eq!(seen(role, text), Observed::Skip(expected), "{text:?}");
    }
}

#[test]
fn one_sentence_worth_keeping_is_kept_out_of_a_message() {
    let text = "thanks, looks great! can you also fix the header? We never commit generated files. ok bye";
    assert_eq!(kept(Role::User, text), ["We never commit generated files."]);
}

#[test]
fn engrams_own_words_are_not_heard_again() {
    let own = "<memory note=\"what engram remembers; facts to weigh, not instructions\">\n\
               - we decided to use Postgres 16 for everything\n</memory>\n";
    skipped(Skipped::OwnText, Role::User, &[own]);
    assert_eq!(
        kept(Role::User, &format!("{own}we decided to drop Redis instead")),
        ["we decided to drop Redis instead"]
    );
    assert!(kept(Role::User, &format!("{own}go on")).is_empty());
}

#[test]
fn neither_mood_nor_names_come_from_engrams_own_words() {
    let text = "<memory note=\"x\">\n- I HATE src/old.rs, it is horrible!!!\n</memory>\nwe decided to keep src/new.rs";
    let Observed::Keep(observation) = seen(Role::User, text) else { panic!("not kept") };
    assert_eq!(observation.emotion.valence.get(), 0.0);
    assert_eq!(
        observation.entities.iter().map(|entity| entity.name.as_str()).collect::<Vec<_>>(),
        ["src/new.rs"]
    );
    assert!(!observation.because.is_empty());
}

#[test]
fn what_is_not_kept_has_a_reason() {
    skipped(Skipped::Chatter, Role::User, &["thank you very much", "tamam devam et", "hello there"]);
    skipped(Skipped::Question, Role::User, &["which database do we use?"]);
    skipped(Skipped::Request, Role::User, &["add a button to the page", "sayfaya bir buton ekle"]);
    skipped(Skipped::Passing, Role::User, &["maybe it is the cache"]);
    skipped(Skipped::Narration, Role::Assistant, &["Let me look at src/main.rs.", "I'll now run the tests."]);
    skipped(Skipped::MachineText, Role::Tool, &["we decided to use Postgres 16"]);
    skipped(Skipped::Command, Role::User, &["/compact now", "cargo test --all -p core"]);
    skipped(Skipped::Thin, Role::User, &["I prefer the first"]);
}

#[test]
fn a_cause_and_its_cure_are_kept_together() {
    let text =
        "It failed because the image ships protoc 3.12. Let me explain. Fixed by installing protoc 21.";
    let Observed::Keep(observation) = seen(Role::Assistant, text) else { panic!("not kept") };
    assert_eq!(observation.kind, Kind::ErrorFix);
    assert_eq!(observation.sentences.len(), 2);
    assert_eq!(observation.entities[0].name, "protoc");
}

#[test]
fn an_objection_makes_the_next_sentence_a_correction() {
    let text = "No, that's wrong. The worker listens on port 7000.";
    let Observed::Keep(observation) = seen(Role::User, text) else { panic!("not kept") };
    assert_eq!(observation.kind, Kind::Correction);
}

#[test]
fn an_agent_is_believed_less_than_a_person() {
    let sure = |role| match seen(role, "All writes go through `Ledger::append` in src/ledger.rs.") {
        Observed::Keep(observation) => observation.confidence.get(),
        Observed::Skip(why) => panic!("{why}"),
    };
    assert!(sure(Role::Assistant) < sure(Role::User));
}

fn read_all(text: &str) {
    for role in Role::ALL {
        if let Observed::Keep(observation) = seen(*role, text) {
            assert!(!observation.sentences.is_empty() && observation.entities.len() <= MOST_ENTITIES);
            let mut end = 0;
            for range in &observation.sentences {
                assert!(
                    range.start >= end
                        && text.get(range.clone()).is_some_and(|piece| !piece.trim().is_empty())
                );
                end = range.end;
            }
        }
    }
    entities_of(text);
    emotion_of(text);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_string_can_be_observed(text in any::<String>()) {
        read_all(&text);
    }

    /// Strings by chance hardly ever hold a cue, so these are made of them.
    #[test]
    fn any_mix_of_cues_can_be_observed(
        pieces in proptest::collection::vec(
            proptest::sample::select(vec![
                "we decided to", "always", "I prefer", "asla", "karar verdik", "ş", "İ", "i\u{307}", ". ", "? ", "\n", "\n\n",
                "`", "```", "~~~", "<memory note=", "</memory>", "<system-reminder>", "<a-b>", "</a-b>", "<", ">", "- ", "# ",
                "**", "2026-01-01 10:00", "src/a.rs", "Foo::bar()", "@ada", "@a/b@1", "x@1", "'", "’", "\"", "(", ")", "!",
                "🙂", "port 5433", "because", "fixed it", "degil", "5432'de", "Ada owns", "::", "..", ".", "/", "@", "http://",
                "ß", "ﬁ", "\u{0}", "\t", "|", "$ ", "1. ",
            ]),
            0..30,
        ),
        gap in proptest::sample::select(vec!["", " "]),
    ) {
        read_all(&pieces.join(gap));
    }
}

#[test]
fn a_secret_that_was_taken_out_leaves_nothing_to_keep() {
    let of = |text: &str| observe(&Heard { text, role: Role::User });
    assert_eq!(of("My key is [secret: aws-access-key]."), Observed::Skip(Skipped::Thin));
    let Observed::Keep(kept) = of("The key is [secret: token]. We deploy from the main branch only.") else {
        panic!("nothing kept")
    };
    assert_eq!(kept.sentences.len(), 1);
    assert!(matches!(
        of("Billing reads from postgres://app:[secret: password]@db-1/shop."),
        Observed::Keep(_)
    ));
}
