//! The document about the API, made of the same table as the router.

use crate::answer::BegunTold;
use crate::asked::{Common, Line};
use crate::problem::ProblemTold;
use crate::routes::{Access, BASE, Does, Route, table};
use crate::stream;
use axum::http::StatusCode;
use engram_core::{OperationId, SessionId};
use engram_wire::activity::Activity;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The document; it is made once.
pub(crate) fn document() -> &'static Value {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(make);
    &DOCUMENT
}

fn make() -> Value {
    let mut generators = Generators::new();
    let mut paths = Map::new();
    for route in table() {
        let operation = operation(&route, &mut generators);
        let methods = paths.entry(format!("{BASE}{}", route.path)).or_insert_with(|| json!({}));
        methods[route.method.as_str().to_lowercase()] = operation;
    }
    let responses = told_problems(&mut generators.gives);
    let common = in_query(&Common::json_schema(&mut generators.takes)).into_iter();
    let common: Map<_, _> = common.filter_map(|one| Some((one["name"].as_str()?.to_owned(), one))).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "engram",
            "version": engram_wire::VERSION,
            "description": "What the window of engram asks. Served on this machine only.",
        },
        "paths": paths,
        "components": {
            "schemas": generators.definitions(),
            "parameters": common,
            "responses": responses,
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer" } },
        },
    })
}

/// What is taken may look otherwise than what is given: there, what has a default
/// may be left out.
struct Generators {
    takes: SchemaGenerator,
    gives: SchemaGenerator,
}

impl Generators {
    fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.meta_schema = None;
            settings.definitions_path = "/components/schemas".into();
        });
        let gives = settings.clone().for_serialize().into_generator();
        Self { takes: settings.for_deserialize().into_generator(), gives }
    }

    /// Everything by its name. What is taken is made of words, identifiers and
    /// ranges, which are the same both ways.
    fn definitions(&mut self) -> BTreeMap<String, Value> {
        // No answer is made of it, but each event of the stream is one.
        self.gives.subschema_for::<Activity>();
        let mut all: BTreeMap<_, _> = self.takes.take_definitions(true).into_iter().collect();
        all.extend(self.gives.take_definitions(true));
        all
    }
}

fn operation(route: &Route, generators: &mut Generators) -> Value {
    let security = match route.access {
        Access::Open => json!([]),
        Access::Read | Access::Write => json!([{ "key": [] }]),
    };
    let mut operation = json!({
        "operationId": route.id,
        "summary": route.summary,
        "tags": [route.tag],
        "security": security,
        "parameters": parameters(route, &mut generators.takes),
    });
    if let Some(body) = route.body {
        let mut schema = body(&mut generators.takes);
        schema.remove("title");
        // What is open changes no memory, and so has no operation.
        if route.access == Access::Write {
            let named = generators.takes.subschema_for::<Option<OperationId>>();
            with_operation(&mut schema, &named);
        }
        let content = json!({ "application/json": { "schema": schema } });
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    operation["responses"] = responses(route, &mut generators.gives);
    operation
}

/// Every change may be named by whoever asks, so that it may be sent again.
fn with_operation(schema: &mut Schema, named: &Schema) {
    let mut told = json!({ "description": "Names the change: sent again, it is still done once." });
    if let (Some(told), Some(named)) = (told.as_object_mut(), named.as_object()) {
        told.extend(named.clone());
    }
    let properties = schema.ensure_object().entry("properties").or_insert_with(|| json!({}));
    properties["operation"] = told;
}

fn parameters(route: &Route, generator: &mut SchemaGenerator) -> Vec<Value> {
    let mut parameters = Vec::new();
    if let Some(name) = named(route.path) {
        let (schema, description) = match route.path.split('/').nth(1) {
            Some("sessions") => (generator.subschema_for::<SessionId>(), "Its identifier."),
            Some("entities") => (Line::json_schema(generator), "What it is called."),
            _ => (Line::json_schema(generator), "Its identifier, or the end of it."),
        };
        parameters.push(json!({
            "name": name, "in": "path", "required": true, "description": description, "schema": schema,
        }));
    }
    if let Some(query) = route.query {
        parameters.extend(in_query(&query(generator)));
    }
    if route.common {
        let common = in_query(&Common::json_schema(generator)).into_iter();
        parameters.extend(common.filter_map(|one| {
            Some(json!({ "$ref": format!("#/components/parameters/{}", one["name"].as_str()?) }))
        }));
    }
    if matches!(route.does, Does::Listens) {
        parameters.push(json!({
            "name": stream::LAST, "in": "header", "required": false,
            "description": "The number of the event that was heard last; what came since is told first.",
            "schema": { "type": "integer", "format": "uint64", "minimum": 0 },
        }));
    }
    parameters
}

/// What a path names: what stands between its braces.
fn named(path: &str) -> Option<&str> {
    path.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(name, _)| name)
}

/// The fields of a query, each as a parameter.
fn in_query(schema: &Schema) -> Vec<Value> {
    let empty = Map::new();
    let fields = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let required = schema.get("required").and_then(Value::as_array);
    let one = |(name, schema): (&String, &Value)| {
        let mut schema = without_null(schema.clone());
        let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        let mut parameter = json!({
            "name": name,
            "in": "query",
            "required": required.is_some_and(|required| required.iter().any(|one| one == name)),
        });
        if schema["type"] == "array" {
            parameter["style"] = "form".into();
            parameter["explode"] = false.into();
        }
        if let Some(description) = description {
            parameter["description"] = description;
        }
        parameter["schema"] = schema;
        parameter
    };
    fields.iter().map(one).collect()
}

/// What may be left out of a query is left out; there is no null in one.
fn without_null(mut schema: Value) -> Value {
    if let Some(first) = schema["type"].as_array().and_then(|types| types.first()).cloned() {
        schema["type"] = first;
    }
    let Some(object) = schema.as_object_mut() else { return schema };
    if let Some(Value::Array(mut any)) = object.remove("anyOf") {
        any.retain(|one| one["type"] != "null");
        for one in any.iter_mut().filter_map(Value::as_object_mut) {
            object.append(one);
        }
    }
    schema
}

/// Everything a route may answer, and nothing else.
fn responses(route: &Route, generator: &mut SchemaGenerator) -> Value {
    let mut responses = Map::new();
    let kind = if matches!(route.does, Does::Listens) { "text/event-stream" } else { "application/json" };
    let content = json!({ kind: { "schema": (route.reply)(generator) } });
    responses.insert("200".to_owned(), json!({ "description": "The answer.", "content": content }));
    if matches!(route.does, Does::Begins(_)) {
        let schema = generator.subschema_for::<BegunTold>();
        responses.insert(
            "202".to_owned(),
            json!({
                "description": "It has begun; how far it is comes as activity.",
                "content": { "application/json": { "schema": schema } },
            }),
        );
    }
    for status in problems(route) {
        let told = json!({ "$ref": format!("#/components/responses/{}", name_of(status)) });
        responses.insert(status.as_u16().to_string(), told);
    }
    Value::Object(responses)
}

/// A status without the gaps in its name.
fn name_of(status: StatusCode) -> String {
    status.canonical_reason().unwrap_or_default().replace(' ', "")
}

/// How it is told that something went wrong; each stands once, by its name.
fn told_problems(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let problem = generator.subschema_for::<ProblemTold>();
    let one = |status: StatusCode| {
        let mut response = json!({
            "description": status.canonical_reason().unwrap_or_default(),
            "content": { "application/problem+json": { "schema": problem } },
        });
        let header = match status {
            StatusCode::UNAUTHORIZED => Some("WWW-Authenticate"),
            StatusCode::METHOD_NOT_ALLOWED => Some("Allow"),
            _ => None,
        };
        if let Some(name) = header {
            response["headers"] = json!({ name: { "required": true, "schema": { "type": "string" } } });
        }
        (name_of(status), response)
    };
    let all: BTreeSet<StatusCode> = table().iter().flat_map(problems).collect();
    all.into_iter().map(one).collect()
}

/// What may go wrong. Whoever comes from elsewhere, or with another method, is
/// refused everywhere; the rest depends on what a route reads and whom it asks.
fn problems(route: &Route) -> Vec<StatusCode> {
    let mut problems = vec![StatusCode::FORBIDDEN, StatusCode::METHOD_NOT_ALLOWED];
    let locked = route.access != Access::Open;
    if locked || route.body.is_some() {
        // A ticket that opens nothing is no key, either.
        problems.push(StatusCode::UNAUTHORIZED);
        problems.push(StatusCode::BAD_REQUEST);
    }
    if route.body.is_some() {
        problems.extend([StatusCode::PAYLOAD_TOO_LARGE, StatusCode::UNSUPPORTED_MEDIA_TYPE]);
    }
    if locked {
        // Whoever obeys may give any fault.
        problems.extend([
            StatusCode::NOT_FOUND,
            StatusCode::CONFLICT,
            StatusCode::INTERNAL_SERVER_ERROR,
            StatusCode::SERVICE_UNAVAILABLE,
        ]);
    }
    if matches!(route.does, Does::Listens) {
        problems.push(StatusCode::TOO_MANY_REQUESTS);
    }
    problems.sort();
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_and_what_is_given_are_the_same_by_name() {
        let mut generators = Generators::new();
        for route in table() {
            operation(&route, &mut generators);
        }
        let gives = generators.gives.take_definitions(true);
        let takes = generators.takes.take_definitions(true);
        assert!(!takes.is_empty());
        for (name, schema) in takes {
            assert_eq!(gives.get(&name).unwrap_or(&schema), &schema, "{name}");
        }
    }

    #[test]
    fn there_is_no_null_in_a_query() {
        assert_eq!(
            without_null(json!({ "type": ["integer", "null"], "minimum": 1 })),
            json!({ "type": "integer", "minimum": 1 })
        );
        let choice = json!({ "description": "d", "anyOf": [{ "$ref": "#/x" }, { "type": "null" }] });
        assert_eq!(without_null(choice), json!({ "description": "d", "$ref": "#/x" }));
    }
}
