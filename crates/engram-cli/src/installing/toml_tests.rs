//! The TOML editor: what it writes, what it leaves, and that it takes back.

use super::json_text::Trouble;
use super::toml_text::{append, remove, value_of};
use expect_test::expect;
use serde_json::{Value, json};

fn at() -> Vec<String> {
    vec!["mcp_servers".to_owned(), "engram".to_owned()]
}

fn server() -> Value {
    json!({"command": "engram", "args": ["mcp"]})
}

#[test]
fn a_table_is_put_at_the_end_and_the_rest_stays() {
    let text = "# mine\nmodel = \"o5\" # why\n\n[mcp_servers.docs]\ncommand = \"docs\"\n";
    let (edited, _) = append(text, &at(), &server()).unwrap();
    expect![[r#"
        # mine
        model = "o5" # why

        [mcp_servers.docs]
        command = "docs"

        [mcp_servers.engram]
        command = "engram"
        args = ["mcp"]
    "#]]
    .assert_eq(&edited);
}

#[test]
fn what_is_taken_out_leaves_what_was_there() {
    for text in [
        "",
        "a = 1",
        "a = 1\n",
        "a = 1\r\n[mcp_servers.x]\r\ncommand = \"x\"\r\n",
        "\u{feff}a = 1\n",
        "[mcp_servers]\n",
        "mcp_servers.x.command = \"x\"\n[profile.a]\nb = 1\n\n# end\n",
        "[[list]]\na = 1\n\n\n",
    ] {
        let (edited, written) = append(text, &at(), &server()).unwrap();
        assert!(edited.starts_with(text), "{text:?}");
        assert_eq!(remove(&edited, &at(), &written).unwrap().as_deref(), Some(text));
        // What came after it stays.
        let later = format!("{edited}\n[mcp_servers.later]\ncommand = \"y\"\n");
        let rest = remove(&later, &at(), &written).unwrap().unwrap();
        assert_eq!(rest, format!("{text}\n[mcp_servers.later]\ncommand = \"y\"\n"));
    }
    assert_eq!(remove("a = 1\n", &at(), "").unwrap(), None);
}

#[test]
fn a_table_that_was_laid_out_anew_is_found_all_the_same() {
    let text = "# mine\n[mcp_servers.engram]\nargs    = [ \"mcp\" ]\ncommand = 'engram'\n\n[z]\na = 1 # b\n";
    assert_eq!(value_of(text).unwrap()["mcp_servers"]["engram"], server());
    let rest = remove(text, &at(), "[mcp_servers.engram]\ncommand").unwrap().unwrap();
    assert_eq!(value_of(&rest).unwrap()["z"], json!({"a": 1}));
    assert!(rest.contains("[z]\na = 1 # b\n"), "{rest}");
}

#[test]
fn what_cannot_be_understood_or_added_to_is_told() {
    let broken = append("a = 1\nb = [\n", &at(), &server()).unwrap_err();
    assert!(matches!(broken, Trouble::Broken { line: 2 | 3, .. }), "{broken:?}");
    let shape = append("mcp_servers = { x = { command = \"x\" } }\n", &at(), &server()).unwrap_err();
    assert_eq!(shape, Trouble::Shape { at: "mcp_servers".into(), wanted: "tables of their own" });
}
