//! JSON with comments, edited as text: every byte that is not ours stays.
//!
//! An entry is a member of an object or an element of an array. It is put in
//! behind what is there, in the indentation and with the line ends of its
//! surroundings, and taken out so that what it was put into comes back. What an
//! entry means, and whose it is, is not known here. Each edit is read again
//! before it is handed out, so that no edit breaks a file.

use super::json_room::{Item, Layout, Room};
use jsonc_parser::ast::{Object, Value as Node};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast, parse_to_serde_value};
use serde_json::{Map, Value};

/// Why a text cannot be edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It is not in its format. Lines and columns count from 1.
    Broken { line: usize, column: usize, why: String },
    /// Something else is where a container has to be.
    Shape { at: String, wanted: &'static str },
    /// The edit would change more than it should.
    Unsafe,
}

const BOM: &str = "\u{feff}";

/// Comments and trailing commas are usual in these files; the rest of what
/// JavaScript knows is not.
const fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// The mark at the beginning, if there is one, and the rest.
fn split_bom(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with(BOM) { BOM.len() } else { 0 })
}

fn broken(error: &jsonc_parser::errors::ParseError) -> Trouble {
    Trouble::Broken {
        line: error.line_display(),
        column: error.column_display(),
        why: error.kind().to_string(),
    }
}

fn parse(text: &str) -> Result<Option<Node<'_>>, Trouble> {
    parse_to_ast(text, &CollectOptions::default(), &options())
        .map(|parsed| parsed.value)
        .map_err(|error| broken(&error))
}

/// What the text says; null where it says nothing.
pub(crate) fn value_of(text: &str) -> Result<Value, Trouble> {
    let (_, text) = split_bom(text);
    // The one that has the spans is the stricter one.
    parse(text)?;
    parse_to_serde_value(text, &options()).map_err(|error| broken(&error))
}

/// What lies at a path of keys.
pub(crate) fn look<'a>(value: &'a Value, at: &[String]) -> Option<&'a Value> {
    at.iter().try_fold(value, |value, key| value.as_object()?.get(key))
}

/// What an edit made of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inserted {
    pub(crate) text: String,
    /// The containers that had to be made for it, by their paths.
    pub(crate) made: Vec<Vec<String>>,
}

/// Puts a member at the path `at`, which must not be there yet.
pub(crate) fn insert_member(text: &str, at: &[String], value: &Value) -> Result<Inserted, Trouble> {
    let Some((key, above)) = at.split_last() else { return Err(Trouble::Unsafe) };
    insert(text, above, Last::Member(key), value)
}

/// Puts an element at the end of the array at the path `at`.
pub(crate) fn insert_element(text: &str, at: &[String], value: &Value) -> Result<Inserted, Trouble> {
    insert(text, at, Last::Element, value)
}

#[derive(Clone, Copy)]
enum Last<'a> {
    Member(&'a String),
    Element,
}

fn insert(text: &str, above: &[String], last: Last<'_>, value: &Value) -> Result<Inserted, Trouble> {
    let before = value_of(text)?;
    let (bom, body) = split_bom(text);
    let root = parse(body)?;
    let layout = Layout::of(body, root.as_ref().and_then(Node::as_object));
    let (edited, made) = match &root {
        None => {
            let (whole, made) = nested(above, 0, last, value);
            let start = if body.trim().is_empty() {
                String::new()
            } else {
                format!("{}{}", body.trim_end(), layout.newline)
            };
            (format!("{start}{}{}", layout.spread(&whole, ""), layout.newline), made)
        }
        Some(Node::Object(object)) => insert_into(body, object, &layout, above, last, value)?,
        Some(_) => return Err(Trouble::Shape { at: String::new(), wanted: "an object" }),
    };
    let text = format!("{bom}{edited}");
    let mut expected = if before.is_null() { Value::Object(Map::new()) } else { before };
    put(&mut expected, above, last, value);
    if value_of(&text)? != expected {
        return Err(Trouble::Unsafe);
    }
    Ok(Inserted { text, made })
}

fn insert_into(
    text: &str,
    root: &Object<'_>,
    layout: &Layout,
    above: &[String],
    last: Last<'_>,
    value: &Value,
) -> Result<(String, Vec<Vec<String>>), Trouble> {
    let mut object = root;
    for (depth, key) in above.iter().enumerate() {
        let shape = |wanted| Trouble::Shape { at: above[..=depth].join("."), wanted };
        let is_array = depth + 1 == above.len() && matches!(last, Last::Element);
        match member(object, key) {
            None => {
                let (inner, made) = nested(above, depth + 1, last, value);
                let item = Item::Member(key, &inner);
                return Ok((Room::of_object(object).with_last(text, layout, &item), made));
            }
            Some(Node::Array(array)) if is_array => {
                let item = Item::Element(value);
                return Ok((Room::of_array(array).with_last(text, layout, &item), Vec::new()));
            }
            Some(_) if is_array => return Err(shape("an array")),
            Some(Node::Object(inner)) => object = inner,
            Some(_) => return Err(shape("an object")),
        }
    }
    match last {
        Last::Member(key) => {
            let item = Item::Member(key, value);
            Ok((Room::of_object(object).with_last(text, layout, &item), Vec::new()))
        }
        Last::Element => Err(Trouble::Shape { at: String::new(), wanted: "an array" }),
    }
}

/// The value that stands for the containers from `depth` on, and their paths.
fn nested(above: &[String], depth: usize, last: Last<'_>, value: &Value) -> (Value, Vec<Vec<String>>) {
    let mut whole = match last {
        Last::Member(key) => Value::Object(Map::from_iter([(key.clone(), value.clone())])),
        Last::Element => Value::Array(vec![value.clone()]),
    };
    for key in above.iter().skip(depth).rev() {
        whole = Value::Object(Map::from_iter([(key.clone(), whole)]));
    }
    let made = (depth.max(1)..=above.len()).map(|length| above[..length].to_vec()).collect();
    (whole, made)
}

/// The same edit on a value, to compare with.
fn put(whole: &mut Value, above: &[String], last: Last<'_>, value: &Value) {
    let mut inner = whole;
    for key in above {
        let Value::Object(object) = inner else { return };
        inner = object.entry(key.clone()).or_insert(Value::Null);
        if inner.is_null() {
            *inner = Value::Object(Map::new());
        }
    }
    match last {
        Last::Member(key) => {
            if let Value::Object(object) = inner {
                object.insert(key.clone(), value.clone());
            }
        }
        Last::Element => match inner {
            Value::Array(array) => array.push(value.clone()),
            other => *other = Value::Array(vec![value.clone()]),
        },
    }
}

/// The member of this name; the last one, where there are several.
fn member<'a, 'b>(object: &'b Object<'a>, key: &str) -> Option<&'b Node<'a>> {
    object.properties.iter().rev().find(|member| member.name.as_str() == key).map(|member| &member.value)
}

fn object_at<'a, 'b>(root: &'b Node<'a>, at: &[String]) -> Option<&'b Object<'a>> {
    at.iter().try_fold(root.as_object()?, |object, key| member(object, key)?.as_object())
}

/// Takes the member at the path `at` out. None: there is none.
pub(crate) fn remove_member(text: &str, at: &[String]) -> Result<Option<String>, Trouble> {
    let Some((key, above)) = at.split_last() else { return Err(Trouble::Unsafe) };
    let (bom, body) = split_bom(text);
    let root = parse(body)?;
    let Some(object) = root.as_ref().and_then(|root| object_at(root, above)) else { return Ok(None) };
    let Some(index) = object.properties.iter().rposition(|member| member.name.as_str() == key) else {
        return Ok(None);
    };
    let mut expected = value_of(text)?;
    if let Some(Value::Object(object)) = reach(&mut expected, above) {
        object.shift_remove(key);
    }
    proved(format!("{bom}{}", Room::of_object(object).without(body, index)), &expected)
}

/// Takes the element with this value out of the array at `at`. None: there is
/// none.
pub(crate) fn remove_element(text: &str, at: &[String], value: &Value) -> Result<Option<String>, Trouble> {
    let Some((key, above)) = at.split_last() else { return Err(Trouble::Unsafe) };
    let mut expected = value_of(text)?;
    let (bom, body) = split_bom(text);
    let root = parse(body)?;
    let array = root.as_ref().and_then(|root| member(object_at(root, above)?, key)?.as_array());
    let (Some(array), Some(Value::Array(values))) = (array, reach(&mut expected, at)) else {
        return Ok(None);
    };
    let Some(index) = values.iter().rposition(|there| there == value) else { return Ok(None) };
    values.remove(index);
    proved(format!("{bom}{}", Room::of_array(array).without(body, index)), &expected)
}

/// Takes the container at `at` out if nothing is in it, not even a comment.
pub(crate) fn remove_empty(text: &str, at: &[String]) -> Result<Option<String>, Trouble> {
    let (_, body) = split_bom(text);
    let root = parse(body)?;
    let Some((key, above)) = at.split_last() else { return Ok(None) };
    let Some(node) = root.as_ref().and_then(|root| member(object_at(root, above)?, key)) else {
        return Ok(None);
    };
    let range = node.range();
    let inside = &body[range.start + 1..range.end.saturating_sub(1).max(range.start + 1)];
    if matches!(node, Node::Object(_) | Node::Array(_)) && inside.trim().is_empty() {
        return remove_member(text, at);
    }
    Ok(None)
}

/// Puts a value in the place of the one at `at`, and returns the text of that.
pub(crate) fn replace(text: &str, at: &[String], value: &Value) -> Result<Option<(String, String)>, Trouble> {
    let (_, body) = split_bom(text);
    let root = parse(body)?;
    let layout = Layout::of(body, root.as_ref().and_then(Node::as_object));
    let fresh = |start| layout.spread(value, layout.indent_at(body, start));
    replaced_by(text, at, value, fresh)
}

/// Puts the text of a value back to where `replace` took it from.
pub(crate) fn put_back(text: &str, at: &[String], raw: &str) -> Result<Option<String>, Trouble> {
    let value = value_of(raw)?;
    Ok(replaced_by(text, at, &value, |_| raw.to_owned())?.map(|(text, _)| text))
}

fn replaced_by(
    text: &str,
    at: &[String],
    value: &Value,
    fresh: impl FnOnce(usize) -> String,
) -> Result<Option<(String, String)>, Trouble> {
    let Some((key, above)) = at.split_last() else { return Err(Trouble::Unsafe) };
    let (bom, body) = split_bom(text);
    let root = parse(body)?;
    let Some(node) = root.as_ref().and_then(|root| member(object_at(root, above)?, key)) else {
        return Ok(None);
    };
    let (start, end) = (node.range().start, node.range().end);
    let mut expected = value_of(text)?;
    if let Some(there) = reach(&mut expected, at) {
        *there = value.clone();
    }
    let edited = format!("{bom}{}{}{}", &body[..start], fresh(start), &body[end..]);
    Ok(proved(edited, &expected)?.map(|edited| (edited, body[start..end].to_owned())))
}

fn reach<'a>(value: &'a mut Value, at: &[String]) -> Option<&'a mut Value> {
    at.iter().try_fold(value, |value, key| value.as_object_mut()?.get_mut(key))
}

/// The text, if it says what it should.
fn proved(text: String, expected: &Value) -> Result<Option<String>, Trouble> {
    match value_of(&text) {
        Ok(value) if value == *expected => Ok(Some(text)),
        _ => Err(Trouble::Unsafe),
    }
}
