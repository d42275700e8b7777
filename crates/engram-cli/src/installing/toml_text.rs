//! TOML, edited as text: a table of ours is put at the end of the file and taken
//! out again; every other byte stays.
//!
//! What the table means is not known here.

use super::json_text::Trouble;
use serde_json::{Map, Value};
use toml_edit::{DocumentMut, Item, Table};

const BOM: char = '\u{feff}';

fn parse(text: &str) -> Result<DocumentMut, Trouble> {
    let body = text.strip_prefix(BOM).unwrap_or(text);
    body.parse::<DocumentMut>().map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let before = body.get(..at).unwrap_or(body);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Trouble::Broken {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            why: error.message().to_owned(),
        }
    })
}

/// What the text says.
pub(crate) fn value_of(text: &str) -> Result<Value, Trouble> {
    Ok(table_value(parse(text)?.as_table()))
}

fn table_value(table: &Table) -> Value {
    Value::Object(table.iter().map(|(key, item)| (key.to_owned(), item_value(item))).collect())
}

fn item_value(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => plain(value),
        Item::Table(table) => table_value(table),
        Item::ArrayOfTables(tables) => tables.iter().map(table_value).collect(),
    }
}

fn plain(value: &toml_edit::Value) -> Value {
    use toml_edit::Value as Toml;
    match value {
        Toml::String(text) => text.value().as_str().into(),
        Toml::Integer(number) => (*number.value()).into(),
        Toml::Float(number) => (*number.value()).into(),
        Toml::Boolean(truth) => (*truth.value()).into(),
        Toml::Datetime(moment) => moment.value().to_string().into(),
        Toml::Array(array) => array.iter().map(plain).collect(),
        Toml::InlineTable(table) => {
            Value::Object(table.iter().map(|(key, value)| (key.to_owned(), plain(value))).collect())
        }
    }
}

/// A table with its values: `[a.b]` and a line for each.
fn block(at: &[String], value: &Value, newline: &str) -> String {
    let mut text = format!("[{}]{newline}", at.join("."));
    for (key, value) in value.as_object().into_iter().flatten() {
        // JSON's strings, lists and numbers are TOML's, too.
        let value = match value {
            Value::Array(list) => {
                format!("[{}]", list.iter().map(Value::to_string).collect::<Vec<_>>().join(", "))
            }
            other => other.to_string(),
        };
        text += &format!("{key} = {value}{newline}");
    }
    text
}

/// The text with a table at its end, and exactly what was put there.
pub(crate) fn append(text: &str, at: &[String], value: &Value) -> Result<(String, String), Trouble> {
    let mut expected = value_of(text)?;
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let body = text.strip_prefix(BOM).unwrap_or(text);
    let gap = match body {
        "" => String::new(),
        body if body.ends_with('\n') => newline.to_owned(),
        _ => newline.repeat(2),
    };
    let fresh = format!("{gap}{}", block(at, value, newline));
    let edited = format!("{text}{fresh}");
    set(&mut expected, at, value);
    match value_of(&edited) {
        Ok(value) if value == expected => Ok((edited, fresh)),
        // A table that is written in one line cannot be added to from outside.
        _ => Err(Trouble::Shape {
            at: at[..at.len().saturating_sub(1)].join("."),
            wanted: "tables of their own",
        }),
    }
}

fn set(whole: &mut Value, at: &[String], value: &Value) {
    let Some((key, above)) = at.split_last() else { return };
    let mut inner = whole;
    for key in above {
        let Value::Object(object) = inner else { return };
        inner = object.entry(key.clone()).or_insert_with(|| Value::Object(Map::new()));
    }
    if let Value::Object(object) = inner {
        object.insert(key.clone(), value.clone());
    }
}

/// Takes the table at `at` out; `written` is what `append` put there. None:
/// there is no such table.
pub(crate) fn remove(text: &str, at: &[String], written: &str) -> Result<Option<String>, Trouble> {
    let mut expected = value_of(text)?;
    let Some((key, above)) = at.split_last() else { return Err(Trouble::Unsafe) };
    let inner = above.iter().try_fold(&mut expected, |value, key| value.as_object_mut()?.get_mut(key));
    let Some(Value::Object(object)) = inner else { return Ok(None) };
    if object.shift_remove(key).is_none() {
        return Ok(None);
    }
    without_empty(&mut expected, above);

    let says_so = |edited: &String| {
        value_of(edited).is_ok_and(|mut value| {
            without_empty(&mut value, above);
            value == expected
        })
    };
    let plain = written.trim_start_matches(['\r', '\n']);
    let as_written = [written, plain].into_iter().filter_map(|part| {
        let (before, after) = text.split_once(part).filter(|_| !part.is_empty())?;
        Some(format!("{before}{after}"))
    });
    if let Some(edited) = as_written.into_iter().find(says_so) {
        return Ok(Some(edited));
    }
    // It was laid out anew since.
    let mut document = parse(text)?;
    let table = above.iter().try_fold(document.as_item_mut(), |item, key| item.get_mut(key));
    if let Some(table) = table.and_then(Item::as_table_like_mut) {
        table.remove(key);
    }
    let bom = if text.starts_with(BOM) { BOM.to_string() } else { String::new() };
    let edited = format!("{bom}{document}");
    if says_so(&edited) { Ok(Some(edited)) } else { Err(Trouble::Unsafe) }
}

/// A table above ours that holds nothing is as good as none.
fn without_empty(whole: &mut Value, above: &[String]) {
    for length in (1..=above.len()).rev() {
        let Some((key, outer)) = above[..length].split_last() else { return };
        let outer = outer.iter().try_fold(&mut *whole, |value, key| value.as_object_mut()?.get_mut(key));
        let Some(Value::Object(object)) = outer else { return };
        if object.get(key).and_then(Value::as_object).is_some_and(Map::is_empty) {
            object.shift_remove(key);
        }
    }
}
