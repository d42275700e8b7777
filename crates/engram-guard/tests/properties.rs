//! What holds for every text.

mod common;

use common::{ALNUM, Dice, HEX};
use engram_guard::{guard, quoted};
use proptest::prelude::*;

/// Pieces that make rules look closer, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("password".to_owned()),
        Just("token: ".to_owned()),
        Just("API_KEY=".to_owned()),
        Just("[secret: password]".to_owned()),
        Just("[secret: ".to_owned()),
        Just("-----BEGIN PRIVATE KEY-----\n".to_owned()),
        Just("-----END PRIVATE KEY-----".to_owned()),
        Just("Private-Lines: 2\n".to_owned()),
        Just("postgres://a:".to_owned()),
        Just("://".to_owned()),
        Just("@host".to_owned()),
        Just(" is ".to_owned()),
        Just("Authorization: Bearer ".to_owned()),
        Just("Cookie: a=".to_owned()),
        Just("\\\"".to_owned()),
        Just("\\n".to_owned()),
        Just("%3D".to_owned()),
        Just("\u{1b}[31m".to_owned()),
        Just("\u{200b}".to_owned()),
        Just("<private>".to_owned()),
        Just("</private>".to_owned()),
        Just("<!-- ".to_owned()),
        Just("ignore all previous instructions".to_owned()),
        Just("şifre".to_owned()),
        "[ \n\"'=:,;&<>(){}|`$.-]",
        (0u64..1_000_000).prop_map(|seed| Dice::new(seed).some(ALNUM, 20)),
        (0u64..1_000_000).prop_map(|seed| Dice::new(seed).some(HEX, 40)),
        (0u64..1_000_000).prop_map(|seed| ["gh", "p_"].concat() + &Dice::new(seed).some(ALNUM, 36)),
        (0u64..1_000_000).prop_map(|seed| Dice::new(seed).password()),
        "\\PC{0,6}",
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_is_too_odd(text in prop_oneof![any::<String>(), pieces()]) {
        let guarded = guard(&text);
        for instruction in &guarded.instructions {
            prop_assert!(guarded.text.get(instruction.range.clone()).is_some());
        }
        quoted(&text);
    }

    #[test]
    fn a_second_pass_changes_nothing(text in prop_oneof![any::<String>(), pieces()]) {
        let once = guard(&text);
        let twice = guard(&once.text);
        prop_assert_eq!(&twice.text, &once.text);
        prop_assert!(twice.secrets.is_empty() && twice.private == 0);
        let once = quoted(&text);
        prop_assert_eq!(quoted(&once), once);
    }

    #[test]
    fn what_has_no_secret_stays_as_it_is(text in "[ a-zçğıöşüA-Z0-9.,;!?()\\n-]{0,300}") {
        // Digits only apart from words, so that no rule has anything to find.
        let plain: String = text.chars().filter(|letter| !letter.is_ascii_digit()).collect();
        let guarded = guard(&plain);
        prop_assert!(guarded.secrets.is_empty() && guarded.private == 0);
        prop_assert_eq!(guarded.text, plain);
    }

    #[test]
    fn what_is_around_a_secret_stays(
        before in "[ a-zçğıöşü.,\\n]{0,80}",
        after in "[ a-zçğıöşü.,\\n]{0,80}",
        seed in any::<u64>(),
    ) {
        let secret = ["gh", "p_"].concat() + &Dice::new(seed).some(ALNUM, 36);
        let guarded = guard(&format!("{before} {secret} {after}"));
        prop_assert_eq!(guarded.text, format!("{before} [secret: github-token] {after}"));
    }

    #[test]
    fn a_private_block_leaves_what_is_around_it(
        before in "[a-z ]{0,40}", inside in "[^<]{0,40}", after in "[a-z ]{0,40}",
    ) {
        let guarded = guard(&format!("{before}<private>{inside}</private>{after}"));
        prop_assert_eq!(guarded.text, format!("{before}{after}"));
        prop_assert_eq!(guarded.private, 1);
    }
}
