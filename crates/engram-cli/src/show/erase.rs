//! How an erase looks: what was found where, and what is left.

use super::{Last, Look, memories, plural, table};
use engram_wire::erasure::{Erased, PlaceErased};
use std::fmt::Write as _;

pub(crate) fn erased(done: &Erased, look: &Look) -> String {
    let mut text = String::new();
    if done.is_nothing() {
        let _ = writeln!(text, "Nothing of {} was found.", done.subject);
    } else {
        let told = format!("{} and {}", memories(done.memories), plural(done.turns, "turn", "turns"));
        let _ = match done.dry_run {
            true => writeln!(text, "Of {}: {told}. Nothing was changed.", done.subject),
            false => writeln!(text, "Erased of {}: {told}.", done.subject),
        };
        let row = |place: &PlaceErased| {
            let after = place.after.map_or_else(|| "-".to_owned(), |after| after.to_string());
            vec![place.before.to_string(), after, place.how.to_string(), place.place.clone()]
        };
        let rows = done.places.iter().map(row).collect();
        text += &table(&["BEFORE", "AFTER", "HOW", "PLACE"], rows, Last::Wrap, look);
    }
    if done.said_by_others > 0 {
        let texts = plural(done.said_by_others, "text stands", "texts stand");
        let _ = writeln!(text, "{texts} word for word in what others said, too, and that stays.");
    }
    if !done.left.is_empty() {
        let _ = writeln!(text, "Left:");
        for left in &done.left {
            let _ = writeln!(text, "  {}: {}", super::clean_line(&left.place), super::clean_line(&left.why));
        }
    }
    let searched = plural(done.searched, "file", "files");
    let _ = writeln!(text, "{searched} searched.");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::tests::look;
    use engram_wire::erasure::{PlaceLeft, Way};
    use expect_test::expect;

    #[test]
    fn an_erase_is_a_table_of_places_and_what_is_left() {
        let place = |place: &str, before, after, how| PlaceErased { place: place.into(), before, after, how };
        let done = Erased {
            subject: "person:Ada".parse().unwrap(),
            dry_run: false,
            memories: 3,
            turns: 1,
            places: vec![
                place("store: user", 9, Some(0), Way::Rewritten),
                place("/home/ada/spool/waiting.jsonl", 1, Some(0), Way::Filtered),
            ],
            left: vec![PlaceLeft { place: "/mnt/x.backup".into(), why: "it is sealed".into() }],
            searched: 12,
            copies: 1,
            said_by_others: 1,
        };
        expect![[r#"
            Erased of person:Ada: 3 memories and 1 turn.
            BEFORE  AFTER  HOW        PLACE
            9       0      rewritten  store: user
            1       0      filtered   /home/ada/spool/waiting.jsonl
            1 text stands word for word in what others said, too, and that stays.
            Left:
              /mnt/x.backup: it is sealed
            12 files searched.
        "#]]
        .assert_eq(&erased(&done, &look()));
        let nothing = Erased {
            memories: 0,
            turns: 0,
            places: Vec::new(),
            left: Vec::new(),
            said_by_others: 0,
            ..done.clone()
        };
        expect![[r#"
            Nothing of person:Ada was found.
            12 files searched.
        "#]]
        .assert_eq(&erased(&nothing, &look()));
        let places = vec![place("store: user", 9, None, Way::Filtered)];
        let planned = Erased { dry_run: true, places, left: Vec::new(), said_by_others: 0, ..done };
        expect![[r#"
            Of person:Ada: 3 memories and 1 turn. Nothing was changed.
            BEFORE  AFTER  HOW       PLACE
            9       -      filtered  store: user
            12 files searched.
        "#]]
        .assert_eq(&erased(&planned, &look()));
    }
}
