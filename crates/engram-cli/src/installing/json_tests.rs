//! The JSON editor: what it writes, what it leaves, and that it takes back.

use super::json_text::{
    Trouble, insert_element, insert_member, put_back, remove_element, remove_empty, remove_member, replace,
    value_of,
};
use expect_test::expect;
use proptest::prelude::*;
use serde_json::{Value, json};

fn at(path: &str) -> Vec<String> {
    path.split('.').map(str::to_owned).collect()
}

fn with_server(text: &str) -> String {
    insert_member(text, &at("servers.engram"), &json!({"command": "engram", "args": ["mcp"]})).unwrap().text
}

fn with_hook(text: &str) -> String {
    insert_element(text, &at("hooks.Stop"), &json!({"run": "engram"})).unwrap().text
}

/// Everything that is in `before` is in `after`, in its order.
fn is_kept(before: &str, after: &str) -> bool {
    let mut rest = after.chars();
    before.chars().all(|wanted| rest.any(|there| there == wanted))
}

#[test]
fn an_entry_is_put_behind_the_others_in_their_indentation() {
    expect![[r#"
        {
            // servers of mine
            "servers": {
                "other": { "command": "x" }, // keep
                "engram": {
                    "command": "engram",
                    "args": [
                        "mcp"
                    ]
                }
                /* the end */
            },
            "theme": "dark", // trailing
        }
    "#]]
    .assert_eq(&with_server(
        "{\n    // servers of mine\n    \"servers\": {\n        \"other\": { \"command\": \"x\" } // keep\n        \
         /* the end */\n    },\n    \"theme\": \"dark\", // trailing\n}\n",
    ));
}

#[test]
fn what_is_missing_is_made() {
    let inserted = insert_element("{\"a\": 1}", &at("hooks.Stop"), &json!(1)).unwrap();
    assert_eq!(inserted.text, r#"{"a": 1, "hooks": {"Stop":[1]}}"#);
    assert_eq!(inserted.made, [at("hooks"), at("hooks.Stop")]);
    let inserted = insert_member("{\n\t\"servers\": {}\n}\n", &at("servers.x"), &json!({"a": 1})).unwrap();
    assert_eq!(inserted.text, "{\n\t\"servers\": {\n\t\t\"x\": {\n\t\t\t\"a\": 1\n\t\t}\n\t}\n}\n");
    assert!(inserted.made.is_empty());
}

#[test]
fn small_files_are_filled() {
    for (before, after) in [
        ("", "{\n  \"k\": 1\n}\n"),
        ("  \n", "{\n  \"k\": 1\n}\n"),
        ("{}", "{\n  \"k\": 1\n}"),
        ("{ }\n", "{\n  \"k\": 1\n}\n"),
        ("{\n}\n", "{\n  \"k\": 1\n}\n"),
        ("{\n  // nothing yet\n}\n", "{\n  // nothing yet\n  \"k\": 1\n}\n"),
        ("// why\n", "// why\n{\n  \"k\": 1\n}\n"),
        ("{\"a\":1}", "{\"a\":1, \"k\": 1}"),
        ("{\"a\":1,}", "{\"a\":1, \"k\": 1,}"),
        ("{\r\n\t\"a\": 1\r\n}\r\n", "{\r\n\t\"a\": 1,\r\n\t\"k\": 1\r\n}\r\n"),
        ("\u{feff}{\n \"a\": 1\n}", "\u{feff}{\n \"a\": 1,\n \"k\": 1\n}"),
        ("{\n  \"a\": 1,\n}\n", "{\n  \"a\": 1,\n  \"k\": 1,\n}\n"),
        ("{\n  \"a\": 1 // x\n  ,\n}\n", "{\n  \"a\": 1 // x\n  ,\n  \"k\": 1,\n}\n"),
        ("{ \"a\": 1 // x\n}", "{ \"a\": 1, // x\n\"k\": 1\n}"),
        ("{\n  \"a\": \"// no, /* comment\"\n}", "{\n  \"a\": \"// no, /* comment\",\n  \"k\": 1\n}"),
    ] {
        let inserted = insert_member(before, &at("k"), &json!(1)).unwrap();
        assert_eq!(inserted.text, after, "{before:?}");
        assert!(inserted.made.is_empty());
    }
}

#[test]
fn what_is_taken_out_leaves_what_was_there() {
    for before in [
        "{\n  \"servers\": {\n    \"a\": 1\n  }\n}\n",
        "{\n  \"servers\": {\n    \"a\": 1, // x\n  }, // y\n}\n",
        "{\r\n    \"servers\": {\r\n        \"a\": 1 // x\r\n    }\r\n}\r\n",
        "{\"servers\": {\"a\": 1}, \"b\": [2]}",
        "{\n  \"servers\": {\n    \"a\": 1 /* one */ // two\n    // three\n  }\n}",
    ] {
        let filled = with_server(before);
        assert!(is_kept(before, &filled), "{filled}");
        assert_eq!(remove_member(&filled, &at("servers.engram")).unwrap().unwrap(), before);
    }
    let before =
        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"run\": \"mine\"\n      }\n    ]\n  }\n}\n";
    let filled = with_hook(before);
    assert_eq!(
        remove_element(&filled, &at("hooks.Stop"), &json!({"run": "engram"})).unwrap().unwrap(),
        before
    );
    assert_eq!(remove_element(before, &at("hooks.Stop"), &json!({"run": "engram"})).unwrap(), None);
    assert_eq!(remove_member(before, &at("servers.engram")).unwrap(), None);
}

#[test]
fn what_came_after_ours_and_every_comment_stays() {
    let text = "{\n  \"a\": 1, // of a\n  // above ours\n  \"k\": 2, // behind ours\n  \"z\": 3\n}\n";
    expect![[r#"
        {
          "a": 1, // of a
          // above ours
           // behind ours
          "z": 3
        }
    "#]]
    .assert_eq(&remove_member(text, &at("k")).unwrap().unwrap());
    for (text, rest) in [
        ("{\"k\": 1, \"z\": 2}", "{ \"z\": 2}"),
        ("{\n  \"k\": 1,\n  \"z\": 2\n}", "{\n  \"z\": 2\n}"),
        ("{\n  \"a\": 1, // c\n  \"k\": 1, \"z\": 2\n}", "{\n  \"a\": 1, // c\n   \"z\": 2\n}"),
        ("{\n  \"k\": 1\n}", "{}"),
        ("{\n  // why\n  \"k\": 1\n}", "{\n  // why\n}"),
        ("{\n  \"k\": 1 // c\n  ,\n}", "{ // c\n  \n}"),
    ] {
        assert_eq!(remove_member(text, &at("k")).unwrap().unwrap(), rest, "{text}");
    }
}

#[test]
fn an_empty_container_goes_and_one_with_a_comment_stays() {
    assert_eq!(remove_empty("{\"a\": 1, \"h\": {}}", &at("h")).unwrap().unwrap(), "{\"a\": 1}");
    for text in ["{\"h\": {\"x\": 1}}", "{\"h\": { /* mine */ }}", "{\"h\": 1}", "{}"] {
        assert_eq!(remove_empty(text, &at("h")).unwrap(), None);
    }
}

#[test]
fn a_value_is_replaced_and_put_back_as_it_was_written() {
    let text = "{\n  \"s\": {\n    \"engram\": { \"command\" : \"mine\" } // c\n  }\n}\n";
    let (edited, old) = replace(text, &at("s.engram"), &json!({"command": "engram"})).unwrap().unwrap();
    assert_eq!(old, "{ \"command\" : \"mine\" }");
    assert_eq!(value_of(&edited).unwrap(), json!({"s": {"engram": {"command": "engram"}}}));
    assert_eq!(put_back(&edited, &at("s.engram"), &old).unwrap().unwrap(), text);
}

#[test]
fn what_cannot_be_understood_is_told_with_its_place() {
    let broken = |text: &str| match insert_member(text, &at("k"), &json!(1)) {
        Err(Trouble::Broken { line, column, .. }) => (line, column),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(broken("{\n  \"a\": 1\n  \"b\": 2\n}"), (2, 9));
    assert_eq!(broken("{\n  a: 1\n}"), (2, 3));
    assert_eq!(broken("{} {}"), (1, 4));
    broken("{'a': 1}");
    broken("{\"a\": .5}");
    broken("{");
    let shape = |text: &str, path: &str| match insert_element(text, &at(path), &json!(1)) {
        Err(Trouble::Shape { at, wanted }) => format!("{at}: {wanted}"),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(shape("[]", "h.s"), ": an object");
    assert_eq!(shape("{\"h\": 1}", "h.s"), "h: an object");
    assert_eq!(shape("{\"h\": {\"s\": {}}}", "h.s"), "h.s: an array");
}

fn gap() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "",
        " ",
        "\n",
        "\n  ",
        "\n\t",
        "\r\n    ",
        " // c\n",
        " /* d */ ",
        "\n  /* e\n */ ",
    ])
}

/// JSON as people write it: any spacing, comments, trailing commas.
fn document(depth: u32) -> BoxedStrategy<String> {
    let leaf = prop::sample::select(vec!["1", "null", "\"x // y\"", "[]", "{}", "[ 1 , 2 ]", "\"ü\\n\""])
        .prop_map(str::to_owned);
    if depth == 0 {
        return leaf.boxed();
    }
    let member = (gap(), gap(), prop_oneof![leaf, document(depth - 1)], gap());
    (prop::collection::vec(member, 0..4), gap(), any::<bool>())
        .prop_map(|(members, end, trailing)| {
            let names = ["a", "hooks", "servers", "z"];
            let items: Vec<String> = members
                .iter()
                .zip(names)
                .map(|((before, middle, value, after), name)| {
                    format!("{before}\"{name}\":{middle}{value}{after}")
                })
                .collect();
            let comma = if trailing && !items.is_empty() { "," } else { "" };
            format!("{{{}{comma}{end}}}", items.join(","))
        })
        .boxed()
}

proptest! {
    #[test]
    fn every_edit_keeps_what_is_there_and_can_be_taken_back(
        text in (document(3), gap()).prop_map(|(text, end)| text + end),
    ) {
        let before: Value = value_of(&text).unwrap();
        if let Ok(inserted) = insert_member(&text, &at("servers.engram"), &json!({"a": [1]})) {
            // White space in an empty container may go; nothing else does.
            let solid = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert!(is_kept(&solid(&text), &solid(&inserted.text)), "{}", inserted.text);
            let mut removed = remove_member(&inserted.text, &at("servers.engram")).unwrap().unwrap();
            for made in inserted.made.iter().rev() {
                removed = remove_empty(&removed, made).unwrap().unwrap();
            }
            prop_assert_eq!(value_of(&removed).unwrap(), before.clone());
            prop_assert_eq!(solid(&removed), solid(&text));
        }
        if let Ok(inserted) = insert_element(&text, &at("hooks.a"), &json!("engram")) {
            let mut removed = remove_element(&inserted.text, &at("hooks.a"), &json!("engram")).unwrap().unwrap();
            for made in inserted.made.iter().rev() {
                removed = remove_empty(&removed, made).unwrap().unwrap();
            }
            prop_assert_eq!(value_of(&removed).unwrap(), before);
        }
    }

    #[test]
    fn no_text_breaks_the_editor(text in "[{}\\[\\]\",:/*\\r\\n kü1\u{feff}]{0,30}") {
        let key = at("k");
        if let Ok(inserted) = insert_member(&text, &key, &json!(1)) {
            prop_assert!(remove_member(&inserted.text, &key).unwrap().is_some());
        }
        let _ = insert_element(&text, &at("k.k"), &json!(1));
        let _ = remove_member(&text, &key);
        let _ = remove_empty(&text, &key);
        let _ = replace(&text, &key, &json!({"a": 1}));
    }

    #[test]
    fn any_member_can_be_taken_out(text in document(2)) {
        let Value::Object(members) = value_of(&text).unwrap() else { return Ok(()) };
        for key in members.keys() {
            prop_assert!(remove_member(&text, std::slice::from_ref(key)).unwrap().is_some());
        }
    }
}
