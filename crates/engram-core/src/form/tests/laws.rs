//! What holds for every text.

use super::super::{Fact, MOST_BYTES, Said, form, form_within, merge};
use crate::ask::when::token::folded;
use jiff::civil::date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};
use proptest::prelude::*;

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

/// Strings by chance hardly ever hold a cue, so these are made of them.
fn pieces() -> impl Strategy<Value = String> {
    let cues = vec![
        "we use",
        "the API",
        "runs on",
        "Fly",
        " and ",
        ", and ",
        "; ",
        "but",
        "is on",
        "Neon",
        ". ",
        ".",
        "\n",
        "\n\n",
        "- ",
        "1. ",
        "# Deploy\n",
        "## Q3\n",
        "Tools:\n",
        "```\n",
        "```",
        "`a b`",
        "``c`d``",
        "\"I am\"",
        "'",
        "’",
        "“",
        "it",
        "they",
        "Ada",
        "she",
        "o",
        "onu",
        "bu",
        "I",
        "I'm",
        "i",
        "my",
        "don't",
        "never",
        "will",
        "plan to",
        "tomorrow",
        "yesterday",
        "next Friday",
        "in two weeks",
        "in 2 weeks",
        "3 days ago",
        "until",
        "by Monday",
        "since March",
        "the end of the month",
        "last week",
        "yarın",
        "dün",
        "gelecek cuma",
        "iki hafta içinde",
        "ay sonuna kadar",
        "pazartesiye kadar",
        "geçen hafta",
        "deploy edeceğiz",
        "ve",
        "kullanıyorum",
        "well,",
        "btw",
        "yani,",
        "şey,",
        "a_b",
        "main.rs",
        "1.2.3",
        "0x1F",
        "v2",
        "42",
        "E0277",
        "src/a.rs",
        "İ",
        "ı",
        "i\u{307}",
        "ß",
        "🙂",
        "|",
        "| a | b |",
        "from",
        "to",
        "between",
        "at 15:00",
        "5pm",
        "(",
        ")",
        ":",
        "*",
        "**Tools**:\n",
        "  - ",
        "?",
        "!",
        "…",
        "on the 3rd",
        "e.g. ",
        "3. ",
        "~~~",
        "2026-11-20",
        "May 8",
        "may",
        "every Friday",
        "99999999 days ago",
        "in 9999 years",
    ];
    let gap = proptest::sample::select(vec!["", " "]);
    (proptest::collection::vec(proptest::sample::select(cues), 0..30), gap)
        .prop_map(|(cues, gap)| cues.join(gap))
}

fn noon() -> Zoned {
    date(2026, 11, 18).at(12, 0, 0, 0).to_zoned(TimeZone::UTC).expect("a time that exists")
}

fn formed(text: &str, most: usize) -> Vec<Fact> {
    let before = ["Redis".to_owned()];
    form_within(text, &Said { at: &noon(), speaker: None, before: &before }, most)
}

/// The evidence lies in the text, in its order, is never too long and leaves
/// nothing out.
fn holds_everything(text: &str, most: usize) {
    let mut from = 0;
    for fact in formed(text, most) {
        assert!(fact.evidence.start >= from && fact.evidence.end <= text.len(), "{text:?} {fact:?}");
        assert!(fact.evidence.len() <= most, "{text:?} {fact:?}");
        assert!(text[from..fact.evidence.start].trim().is_empty(), "{text:?} lost before {fact:?}");
        assert!(!fact.text.trim().is_empty(), "{text:?} {fact:?}");
        from = fact.evidence.end;
    }
    assert!(text[from..].trim().is_empty(), "{text:?} lost its end");
}

/// Code in backticks, numbers and identifiers.
fn precious(evidence: &str) -> Vec<String> {
    let quoted =
        super::super::pieces::quotations(evidence).into_iter().map(|range| evidence[range].to_owned());
    // Ticks at the end of a line may belong to a block of code instead.
    let mut found: Vec<String> = quoted.filter(|quoted| !quoted.contains('\n')).collect();
    let chunks = evidence.split(|c: char| c.is_whitespace() || "`\"'’“”()[]|,;:!?*".contains(c));
    let is_precious = |chunk: &&str| chunk.contains(|c: char| c.is_ascii_digit() || c == '_' || c == '/');
    found.extend(chunks.filter(is_precious).map(|chunk| chunk.trim_matches(['.', '…']).to_owned()));
    found
}

fn count_negations(text: &str) -> usize {
    let text = folded(text);
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    words.filter(|word| matches!(*word, "not" | "never" | "no" | "degil") || word.ends_with("n't")).count()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_string_is_held_whole(text in any::<String>(), most in 8_usize..2_000) {
        holds_everything(&text, most);
    }

    #[test]
    fn any_mix_of_cues_is_held_whole(text in pieces(), most in 8_usize..200) {
        holds_everything(&text, most);
        holds_everything(&text, MOST_BYTES);
    }

    #[test]
    fn code_numbers_and_names_stay_as_they_are(text in pieces()) {
        for fact in formed(&text, MOST_BYTES) {
            let evidence = &text[fact.evidence.clone()];
            for word in precious(evidence) {
                prop_assert!(fact.text.contains(&word), "{word:?} of {evidence:?} is not in {:?}", fact.text);
            }
            prop_assert!(count_negations(evidence) <= count_negations(&fact.text), "{evidence:?} / {:?}", fact.text);
        }
    }

    /// The date that is written is the date that counts, in every zone, over
    /// changes of the clock and ends of months.
    #[test]
    fn the_date_in_the_text_is_the_date_of_the_bounds(
        days in 0_i64..3_000,
        minutes in 0_i64..1_440,
        zone in proptest::sample::select(vec!["CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "<-03>3<-02>,M10.3.0/0,M2.3.0/0", "<+0545>-5:45"]),
        said in proptest::sample::select(vec![
            "We moved yesterday.", "We moved 3 days ago.", "We moved two weeks ago.", "We moved a month ago.", "We moved last Friday.",
            "We moved last week.", "Last month we moved.", "Since March we use Fly.", "We will move tomorrow.",
            "We will move next Friday.", "We will move in two weeks.", "We will move in 31 days.", "We'll move next month.",
            "The freeze lasts until the end of the month.", "The report is due by Monday.", "We'll move next week.",
            "We'll move on May 8th.", "We moved on May 8th.", "The sale runs until the end of the year.",
            "We'll be away from Monday to Friday.", "We will move on the 3rd.", "We moved this morning.",
            "Dün taşındık.", "Yarın taşınacağız.", "Gelecek cuma taşınacağız.", "İki hafta içinde taşınacağız.",
            "Ay sonuna kadar bekliyoruz.", "Pazartesiye kadar bekliyoruz.", "Geçen hafta taşındık.",
            "Marttan beri Fly kullanıyoruz.", "3 gün önce taşındık.", "Önümüzdeki ay taşınacağız.", "Geçen salı çöktü.",
        ]),
    ) {
        let zone = TimeZone::posix(zone).expect("a zone");
        let start = date(2023, 12, 25).at(0, 0, 0, 0).to_zoned(zone.clone()).expect("a time");
        let at = start.checked_add(days.days()).and_then(|at| at.checked_add(minutes.minutes())).expect("a time");
        let facts = form(said, &Said { at: &at, speaker: None, before: &[] });
        prop_assert_eq!(facts.len(), 1);
        let fact = &facts[0];
        prop_assert!(fact.valid_from.is_some() || fact.valid_until.is_some(), "{} is not dated: {:?}", said, fact);
        let says = |at: Timestamp| {
            let day = at.to_zoned(zone.clone()).date();
            fact.text.contains(&day.to_string()) || {
                // A month is written without a day and begins or ends here.
                let edge = day.day() == 1 || day == day.last_of_month();
                let month = day.strftime("%Y-%m").to_string();
                edge && fact.text.contains(&month) && !fact.text.contains(&format!("{month}-"))
            }
        };
        if let Some(from) = fact.valid_from {
            prop_assert!(says(from), "{said} at {at}: {fact:?}");
        }
        if let Some(until) = fact.valid_until {
            let last = until.checked_sub(1.nanosecond()).expect("a time");
            prop_assert!(says(last), "{said} at {at}: {fact:?}");
        }
    }

    #[test]
    fn no_moment_is_too_early_or_too_late(text in pieces(), late in any::<bool>()) {
        let edge = if late { Timestamp::MAX } else { Timestamp::MIN };
        form(&text, &Said { at: &edge.to_zoned(TimeZone::UTC), speaker: Some("Ada"), before: &[] });
    }

    #[test]
    fn a_merge_keeps_every_word(old in pieces(), new in pieces(), any_old in any::<String>()) {
        for old in [&old, &any_old] {
            let merged = merge(old, &new);
            for word in old.split_whitespace().chain(new.split_whitespace()) {
                let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
                let small = matches!(folded(inner).as_str(), "" | "a" | "an" | "the" | "also" | "ayrica");
                prop_assert!(small || folded(&merged).contains(&folded(inner)), "{inner:?} of {old:?} and {new:?} is not in {merged:?}");
            }
            prop_assert_eq!(merge(old, old), old.trim());
        }
    }
}

#[test]
fn a_long_text_takes_no_longer_than_its_length() {
    for text in [
        "“".repeat(15_000),
        "`".repeat(15_000),
        "- a\n".repeat(5_000),
        "a ".repeat(15_000),
        "(".repeat(15_000),
    ] {
        holds_everything(&text, MOST_BYTES);
    }
}

#[test]
fn code_stays_whole_where_it_fits_and_is_cut_at_lines_where_not() {
    let code = format!("```rust\n{}```", "let a = 1;\n".repeat(20));
    let text = format!("Before.\n\n{code}\n\nAfter.");
    let whole: Vec<String> = formed(&text, 400).into_iter().map(|fact| fact.text).collect();
    assert_eq!(whole, ["Before.", &code, "After."]);
    let parts = formed(&text, 60);
    assert!(parts.len() > 4);
    for part in &parts[1..parts.len() - 1] {
        assert!(part.text.lines().all(|line| line == "let a = 1;" || line.starts_with("```")), "{part:?}");
    }
}
