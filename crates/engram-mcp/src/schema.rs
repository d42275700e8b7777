//! The schemas of what goes in and comes out, as short as they can be: every
//! client sends them to its model.
//!
//! No null, no titles, no formats, no references. An optional field is one that
//! may be left out.

use rmcp::model::JsonObject;
use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};
use std::sync::Arc;

/// What a tool takes. What a field is for is said beside it.
pub(crate) fn of_input<T: JsonSchema>() -> Arc<JsonObject> {
    let mut schema = generate::<T>(Contract::Deserialize);
    // Some clients refuse a schema without them.
    schema.entry("properties").or_insert_with(|| json!({}));
    shorten(&mut schema, Keep::Descriptions);
    schema.remove("description");
    Arc::new(schema)
}

/// What a tool gives. The names of the fields have to be enough.
pub(crate) fn of_output<T: JsonSchema>() -> Arc<JsonObject> {
    let mut schema = generate::<T>(Contract::Serialize);
    shorten(&mut schema, Keep::Nothing);
    Arc::new(schema)
}

/// A closed set of words.
pub(crate) fn words(words: impl IntoIterator<Item = &'static str>) -> Schema {
    let words: Vec<&str> = words.into_iter().collect();
    json_schema!({ "type": "string", "enum": words })
}

pub(crate) fn kind(_: &mut SchemaGenerator) -> Schema {
    words(engram_core::Kind::ALL.iter().map(|word| word.as_str()))
}

pub(crate) fn kinds(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": kind(generator) })
}

pub(crate) fn scope(_: &mut SchemaGenerator) -> Schema {
    words(engram_core::Scope::ALL.iter().map(|word| word.as_str()))
}

pub(crate) fn scopes(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": scope(generator) })
}

pub(crate) fn outcome(_: &mut SchemaGenerator) -> Schema {
    words(engram_core::used::Outcome::ALL.iter().map(|word| word.as_str()))
}

pub(crate) fn ruling(_: &mut SchemaGenerator) -> Schema {
    words(engram_core::decision::Ruling::ALL.iter().map(|word| word.as_str()))
}

pub(crate) fn depth(_: &mut SchemaGenerator) -> Schema {
    words(engram_core::dream::Depth::ALL.iter().map(|word| word.as_str()))
}

pub(crate) fn step(_: &mut SchemaGenerator) -> Schema {
    words(engram_core::dream::Step::ALL.iter().map(|word| word.as_str()))
}

pub(crate) fn steps(generator: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": step(generator) })
}

pub(crate) fn statuses(_: &mut SchemaGenerator) -> Schema {
    let any = words(engram_core::Status::ALL.iter().map(|word| word.as_str()));
    json_schema!({ "type": "array", "items": any })
}

pub(crate) fn criteria(_: &mut SchemaGenerator) -> Schema {
    words(engram_core::evolve::Criteria::ALL.iter().map(|word| word.as_str()))
}

pub(crate) fn feedback(_: &mut SchemaGenerator) -> Schema {
    words(engram_core::recalled::Feedback::ALL.iter().map(|word| word.as_str()))
}

/// A class or a kind.
pub(crate) fn node_type(_: &mut SchemaGenerator) -> Schema {
    words(engram_wire::message::NodeType::words())
}

#[derive(Clone, Copy)]
enum Keep {
    Descriptions,
    Nothing,
}

fn generate<T: JsonSchema>(contract: Contract) -> JsonObject {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    settings.contract = contract;
    let schema = settings.into_generator().into_root_schema_for::<T>();
    schema.as_object().cloned().unwrap_or_default()
}

fn shorten(schema: &mut JsonObject, keep: Keep) {
    schema.remove("title");
    schema.remove("format");
    if matches!(keep, Keep::Nothing) {
        schema.remove("description");
    }
    if schema.get("minimum") == Some(&json!(0)) {
        schema.remove("minimum");
    }
    if schema.get("default").is_some_and(says_nothing) {
        schema.remove("default");
    }
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Object(fields)) = schema.get_mut("properties") {
        fields.values_mut().filter_map(Value::as_object_mut).for_each(|field| shorten(field, keep));
    }
    for below in ["items", "additionalProperties"] {
        if let Some(Value::Object(inner)) = schema.get_mut(below) {
            shorten(inner, keep);
        }
    }
}

/// A default that anybody would guess.
fn says_nothing(default: &Value) -> bool {
    match default {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        _ => false,
    }
}
