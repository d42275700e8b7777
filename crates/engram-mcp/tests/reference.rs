//! The reference page is what a client is told.

mod desk;

use desk::{Client, Revision};
use engram_mcp::Profile;
use expect_test::expect_file;
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::Arc;

const HEAD: &str = "\
# MCP

<!-- Written by `UPDATE_EXPECT=1 cargo test -p engram-mcp`; the test fails when this page is not what a client is told. -->

What `engramd` offers to clients of the Model Context Protocol, in the revisions 2026-07-28 and 2025-11-25. Every \
answer has structured content in the fields given; where it carries the text of memories, it carries a `note` that \
this is data. What goes wrong is told in the result, with `isError` and one hint in each line.

";

/// What a field holds, in a few words.
fn holds(schema: &Value) -> String {
    match schema["type"].as_str().unwrap_or_default() {
        "array" => format!("list of {}", holds(&schema["items"])),
        "object" => match schema["properties"].as_object() {
            Some(fields) => {
                let fields: Vec<&str> = fields.keys().map(String::as_str).collect();
                format!("{{{}}}", fields.join(", "))
            }
            None => "object".to_owned(),
        },
        "string" => match schema["enum"].as_array() {
            Some(words) => {
                let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
                format!("one of {}", words.join(", "))
            }
            None => "text".to_owned(),
        },
        other => other.to_owned(),
    }
}

fn fields(page: &mut String, schema: &Value) {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let mut line = format!("- `{name}`: {}", holds(field));
        if !required.contains(&name.as_str()) {
            line += "; optional";
        }
        if let Some(default) = field.get("default") {
            line += &format!(", {default} if left out");
        }
        if let Some(about) = field["description"].as_str() {
            line += &format!(". {about}");
        }
        writeln!(page, "{line}").unwrap();
    }
}

fn tool(page: &mut String, tool: &Value) {
    let hints = &tool["annotations"];
    let nature = match (hints["readOnlyHint"] == true, hints["destructiveHint"] == true) {
        (true, _) => "only looks",
        (_, true) => "may take something away",
        _ => "adds or settles something",
    };
    writeln!(page, "### `{}`\n", tool["name"].as_str().unwrap()).unwrap();
    writeln!(page, "{} ({nature})\n", tool["description"].as_str().unwrap()).unwrap();
    if tool["inputSchema"]["properties"].as_object().is_some_and(|fields| !fields.is_empty()) {
        writeln!(page, "Takes:\n").unwrap();
        fields(page, &tool["inputSchema"]);
        writeln!(page).unwrap();
    }
    writeln!(page, "Gives:\n").unwrap();
    fields(page, &tool["outputSchema"]);
    writeln!(page).unwrap();
}

#[tokio::test]
async fn the_reference_page_is_what_a_client_is_told() {
    let (mut client, welcome) = Client::greet(Arc::default(), Profile::Full, Revision::Of2026).await;
    let mut page = HEAD.to_owned();
    writeln!(page, "## Instructions\n\n> {}\n", welcome["instructions"].as_str().unwrap()).unwrap();

    let tools = client.ask("tools/list", json!({})).await["result"]["tools"].clone();
    let (everyday, wider) = tools.as_array().unwrap().split_at(8);
    for (title, tools) in [("Tools", everyday), ("Tools of the profile `full`", wider)] {
        writeln!(page, "## {title}\n").unwrap();
        tools.iter().for_each(|one| tool(&mut page, one));
    }
    for (profile, does) in [(Profile::Consolidator, "sums up"), (Profile::Evolver, "lets memories evolve")] {
        let (mut narrow, _) = Client::greet(Arc::default(), profile, Revision::Of2026).await;
        let tools = narrow.ask("tools/list", json!({})).await["result"]["tools"].clone();
        writeln!(page, "## Tools of the profile `{profile}`\n").unwrap();
        writeln!(page, "For an agent that only {does}; no instructions, no resources, no prompts.\n")
            .unwrap();
        for one in tools.as_array().unwrap() {
            writeln!(page, "- `{}`, as above", one["name"].as_str().unwrap()).unwrap();
        }
        writeln!(page).unwrap();
    }

    let resources = client.ask("resources/list", json!({})).await["result"]["resources"].clone();
    let templates = client.ask("resources/templates/list", json!({})).await;
    writeln!(page, "## Resources\n").unwrap();
    let templates = templates["result"]["resourceTemplates"].as_array().unwrap();
    for one in templates.iter().chain(resources.as_array().unwrap()) {
        let address = one["uriTemplate"].as_str().or(one["uri"].as_str()).unwrap();
        writeln!(page, "- `{address}`: {}", one["description"].as_str().unwrap()).unwrap();
    }

    writeln!(page, "\n## Prompts\n").unwrap();
    let prompts = client.ask("prompts/list", json!({})).await["result"]["prompts"].clone();
    for one in prompts.as_array().unwrap() {
        let argument = &one["arguments"][0];
        let (name, about) = (one["name"].as_str().unwrap(), one["description"].as_str().unwrap());
        let (takes, takes_about) =
            (argument["name"].as_str().unwrap(), argument["description"].as_str().unwrap());
        writeln!(page, "- `{name}`: {about} Takes `{takes}`: {takes_about}").unwrap();
    }
    expect_file!["../../../docs/reference/mcp.md"].assert_eq(&page);
}
