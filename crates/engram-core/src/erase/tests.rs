//! Names, traces and strings.

mod planned;

use super::*;
use serde_json::json;

fn traces(texts: &[&str], stays: &[&str]) -> Traces {
    let mut traces = Traces::default();
    texts.iter().for_each(|text| traces.add(text));
    stays.iter().for_each(|text| traces.spare(text));
    traces.settle();
    traces
}

#[test]
fn a_subject_is_a_person_or_a_project() {
    assert_eq!("person: Ada ".parse(), Ok(Subject::Person("Ada".into())));
    assert_eq!("project:/a/b:c".parse(), Ok(Subject::Project("/a/b:c".into())));
    for bad in ["Ada", "person:", "team:x", ""] {
        assert!(bad.parse::<Subject>().is_err(), "{bad}");
    }
    assert_eq!(Subject::Person("Ada".into()).to_string(), "person:Ada");
}

#[test]
fn a_name_is_found_as_whole_words() {
    let names = Names::new(["Ada".into(), "Ayşe Yılmaz".into()]);
    assert!(names.is("ada") && !names.is("Adam"));
    for (text, found) in [
        ("ask Ada.", true),
        ("ADA's drawer", true),
        ("the armada sails", false),
        ("Adam came", false),
        ("seen by ayşe yılmaz today", true),
    ] {
        assert_eq!(names.stands_in(text), found, "{text}");
    }
    assert!(!Names::default().stands_in("Ada"));
}

#[test]
fn words_are_found_as_they_are_and_as_they_are_written_in_json() {
    let said = "she said \"it is in the\nxyzzy drawer\"";
    let traces = traces(&[said], &[]);
    let line = json!({ "text": said }).to_string();
    let rejected = json!({ "line": line }).to_string();
    for written in [said, &line, &rejected] {
        assert_eq!(traces.found_in(written.as_bytes()), 1, "{written}");
        assert!(traces.in_text(written));
    }
    assert_eq!(traces.found_in(b"it is in another place"), 0);
    assert_eq!(traces.found_in(format!("{said} - and then - {said}").as_bytes()), 2);
}

#[test]
fn what_others_say_too_is_no_trace() {
    let traces = traces(&["the staging key is in the drawer"], &["the staging key is in the safe"]);
    assert!(!traces.in_text("the staging key is in the office"));
    assert!(traces.in_text("look: the staging key is in the drawer"));
}

#[test]
fn what_others_say_word_for_word_leaves_no_trace() {
    assert!(traces(&["tea, not coffee"], &["Bob: tea, not coffee, please"]).is_empty());
}

#[test]
fn a_short_text_is_looked_for_as_a_whole() {
    let traces = traces(&["tea at five", "yes"], &[]);
    assert_eq!(traces.found_in(b"...tea at five..."), 1);
    assert_eq!(traces.found_in(b"yes, tea at six"), 0, "three letters are in every file");
}

#[test]
fn a_copy_is_told_from_a_quotation() {
    let traces = traces(&["the staging key is in the xyzzy drawer"], &[]);
    assert!(traces.make_up("the staging key is in the xyzzy drawer."));
    assert!(!traces.make_up(
        "Ada said the staging key is in the xyzzy drawer, but I moved it to the safe in the cellar yesterday"
    ));
}

#[test]
fn lines_and_gaps_are_no_traces() {
    assert!(traces(&["------------------------------------"], &[]).is_empty());
}

#[test]
fn much_text_leaves_fewer_traces_and_every_sentence_is_still_found() {
    let sentence = |number: usize| format!("sentence number {number} speaks of the thing {}", number * 7919);
    let mut traces = Traces::thinned_beyond(16 << 10);
    (0..1_000).for_each(|number| traces.add(&sentence(number)));
    traces.settle();
    assert!(traces.len() < 20_000, "{}", traces.len());
    assert!((0..1_000).all(|number| traces.in_text(&sentence(number))));
}

#[test]
fn a_copy_of_much_text_is_still_told() {
    let told = (0..1_000).map(|number| format!("{} things of the {number} day; ", number * 7919));
    let told = told.collect::<String>();
    let mut traces = Traces::thinned_beyond(1 << 10);
    traces.add(&told);
    traces.settle();
    assert!(traces.make_up(&told[..2_000]));
    assert!(!traces.make_up(&format!("{}{}", &told[..500], "of this nobody ever said a word. ".repeat(40))));
}

#[test]
fn the_traces_of_much_text_stay_few() {
    let mut traces = Traces::default();
    for number in 0..100_000_u64 {
        let far = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        traces.add(&format!("{far:016x} was said on the day {number} by somebody"));
    }
    assert!(traces.len() <= 2 << 20, "{}", traces.len());
}

#[test]
fn whose_a_line_is_stands_in_it() {
    let names = Names::new(["Ada".into()]);
    let key: ProjectKey = "p_0123456789ab".parse().unwrap_or_else(|error| panic!("{error}"));
    let line = json!({ "order": { "events": [{ "text": "x", "speaker": "ada" }] } });
    assert!(is_theirs(&line, &names, None));
    assert!(is_theirs(&json!({ "line": line.to_string() }), &names, None));
    assert!(!is_theirs(&line, &Names::new(["Bob".into()]), None));
    let memory = json!({ "content": "x", "source_project": key.as_str() });
    assert!(is_theirs(&memory, &Names::default(), Some(&key)));
    assert!(!is_theirs(&memory, &names, None));
}

#[test]
fn strings_are_reworded_wherever_they_are() {
    let says = |text: &str| text.contains("xyzzy");
    let mut value = json!({ "a": ["xyzzy", "kept"], "b": "[{\"c\":\"an xyzzy\",\"d\":1}]" });
    assert!(any_string(&value, &says));
    assert_eq!(reword(&mut value, &says, "[purged]"), 2);
    assert_eq!(value, json!({ "a": ["[purged]", "kept"], "b": "[{\"c\":\"[purged]\",\"d\":1}]" }));
    assert!(!any_string(&value, &says));
}
