//! Tests of the chain: what happens to a log that somebody touched.

use super::*;
use proptest::prelude::*;

fn key() -> AuditKey {
    AuditKey::new([7; 32])
}

/// A log of so many lines.
fn log(count: u64) -> Vec<String> {
    let mut head = Head::NONE;
    let line = |number: u64| {
        let deed = Deed::ALL[usize::try_from(number).unwrap() % Deed::ALL.len()];
        let at = Timestamp::from_second(1_800_000_000 + i64::try_from(number).unwrap()).unwrap();
        let digests = vec![key().digest(format!("memory {number}").as_bytes())];
        let audited = Audited { at, deed, actor: Actor::Human, operation: None, digests };
        let line = chained(&head, audited, &key());
        head = line.head();
        serde_json::to_string(&line).unwrap()
    };
    (1..=count).map(line).collect()
}

fn head_of(log: &[String]) -> Head {
    serde_json::from_str::<AuditLine>(log.last().unwrap()).unwrap().head()
}

fn check(log: &[String], known: Head) -> Vec<(u64, Flaw)> {
    let found = verify(log.iter().map(String::as_str), &[known], &key());
    found.breaks.into_iter().map(|found| (found.line, found.flaw)).collect()
}

#[test]
fn a_log_that_nobody_touched_is_whole() {
    let log = log(6);
    let verified = verify(log.iter().map(String::as_str), &[head_of(&log)], &key());
    assert_eq!(verified, Verified { lines: 6, head: head_of(&log), breaks: Vec::new() });
    let none = verify(std::iter::empty(), &[Head::NONE], &key());
    assert_eq!((none.lines, none.breaks), (0, Vec::new()), "nothing was done yet");
}

#[test]
fn each_way_to_touch_a_log_is_found_where_it_is() {
    let whole = log(6);
    let head = head_of(&whole);
    let changed = |at: usize, from: &str, to: &str| {
        let mut log = whole.clone();
        log[at] = log[at].replace(from, to);
        assert_ne!(log, whole);
        log
    };
    assert_eq!(check(&changed(2, "human", "engram"), head), [(3, Flaw::Changed)]);
    assert_eq!(check(&changed(5, "human", "engram"), head), [(6, Flaw::Changed)], "the last one, too");
    assert_eq!(check(&changed(1, ",\"at\"", ", \"at\""), head), [(2, Flaw::Changed)], "also a space");
    assert_eq!(check(&changed(1, "{", "{\"more\":1,"), head), [(2, Flaw::Unreadable)]);
    let mut log = whole.clone();
    log.remove(2);
    assert_eq!(check(&log, head), [(3, Flaw::Missing)]);
    let mut log = whole.clone();
    log.remove(0);
    assert_eq!(check(&log, head), [(1, Flaw::Missing)]);
    let mut log = whole.clone();
    log.swap(1, 2);
    assert_eq!(check(&log, head), [(3, Flaw::Moved)]);
    let mut log = whole.clone();
    log.insert(3, whole[1].clone());
    assert_eq!(check(&log, head), [(4, Flaw::Moved)], "said twice");
    assert_eq!(check(&whole[..4], head), [(5, Flaw::Cut)]);
    assert_eq!(check(&[], head), [(1, Flaw::Cut)], "taken away whole");
    let mut log = whole.clone();
    log[4] = "not a line".to_owned();
    assert_eq!(check(&log, head), [(5, Flaw::Unreadable)]);
}

#[test]
fn a_log_that_was_written_anew_does_not_fit_a_head_that_somebody_noted() {
    let noted = head_of(&log(4));
    let mut other = Head::NONE;
    let mut anew = Vec::new();
    for number in 1..=5 {
        let at = Timestamp::from_second(number).unwrap();
        let audited =
            Audited { at, deed: Deed::Export, actor: Actor::Human, operation: None, digests: Vec::new() };
        let line = chained(&other, audited, &key());
        other = line.head();
        anew.push(serde_json::to_string(&line).unwrap());
    }
    assert_eq!(check(&anew, other), []);
    assert_eq!(check(&anew, noted), [(4, Flaw::Changed)]);
}

#[test]
fn a_line_after_the_known_head_is_sound() {
    let log = log(4);
    assert_eq!(check(&log, head_of(&log[..3])), [], "the head is written after the line");
}

#[test]
fn without_the_key_no_line_fits() {
    let log = log(2);
    let found = verify(log.iter().map(String::as_str), &[], &AuditKey::new([8; 32]));
    assert_eq!(found.breaks.len(), 2);
}

#[test]
fn digests_are_those_of_hmac() {
    // RFC 4231 has no case with a key of 32 bytes; this one was made with openssl.
    let digest = AuditKey::new([0x0b; 32]).digest(b"Hi There");
    assert_eq!(digest.to_string(), "198a607eb44bfbc69903a0f1cf2bbdc5ba0aa3f3d9ae3c1c7a3b1696a0b68cf7");
}

#[test]
fn a_head_is_read_as_it_is_written() {
    let head = head_of(&log(3));
    assert_eq!(head.to_string().parse(), Ok(head));
    for bad in ["", "3", "3:ab", "x:00", ":"] {
        assert!(bad.parse::<Head>().is_err(), "{bad}");
    }
}

#[test]
fn a_key_is_not_shown() {
    assert_eq!(format!("{:?}", key()), "AuditKey");
}

proptest! {
    #[test]
    fn whatever_byte_is_changed_is_found(line in 0usize..5, at in 0usize..200, with in 0u8..128) {
        let whole = log(5);
        let mut touched = whole.clone();
        let mut bytes = touched[line].clone().into_bytes();
        let at = at % bytes.len();
        bytes[at] = with;
        touched[line] = String::from_utf8(bytes).unwrap();
        prop_assume!(touched != whole);
        prop_assert!(!check(&touched, head_of(&whole)).is_empty());
    }

    #[test]
    fn whatever_is_taken_out_is_found(from in 0usize..6, count in 1usize..6) {
        let whole = log(6);
        let mut touched = whole.clone();
        touched.drain(from..(from + count).min(6));
        prop_assume!(touched != whole);
        prop_assert!(!check(&touched, head_of(&whole)).is_empty());
    }
}
