//! What stands in a query or a body: numbers with their range, texts with their
//! length, and lists with commas. Each refuses what it is not, and says in the
//! document what it is.

use engram_core::Timestamp;
use engram_wire::Fault;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error};
use std::borrow::Cow;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// So many at least, so many at most, and so many where nobody says how many.
/// A `USUAL` of 0 is none: then whoever obeys knows how many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count<const LEAST: u32, const MOST: u32, const USUAL: u32>(u32);

impl<const LEAST: u32, const MOST: u32, const USUAL: u32> Count<LEAST, MOST, USUAL> {
    pub(crate) const fn small(self) -> u32 {
        self.0
    }

    pub(crate) const fn get(self) -> usize {
        self.0 as usize
    }
}

impl<const LEAST: u32, const MOST: u32, const USUAL: u32> Default for Count<LEAST, MOST, USUAL> {
    fn default() -> Self {
        Self(USUAL)
    }
}

impl<'de, const LEAST: u32, const MOST: u32, const USUAL: u32> Deserialize<'de>
    for Count<LEAST, MOST, USUAL>
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u32::deserialize(deserializer)
            .map_err(|_| D::Error::custom(format!("a whole number from {LEAST} to {MOST} is expected")))?;
        if (LEAST..=MOST).contains(&number) {
            return Ok(Self(number));
        }
        Err(D::Error::custom(format!("{number} is not from {LEAST} to {MOST}")))
    }
}

impl<const LEAST: u32, const MOST: u32, const USUAL: u32> JsonSchema for Count<LEAST, MOST, USUAL> {
    fn schema_name() -> Cow<'static, str> {
        format!("Count{LEAST}To{MOST}Usually{USUAL}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({ "type": "integer", "minimum": LEAST, "maximum": MOST });
        if USUAL > 0 {
            schema.insert("default".to_owned(), USUAL.into());
        }
        schema
    }
}

/// A text of one letter at least and of so many at most.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said<const MOST: usize>(pub(crate) String);

/// What somebody searches for.
pub(crate) type Query = Said<4_000>;
/// One line: a name, a reason, a tag.
pub(crate) type Line = Said<1_000>;
/// What a memory says; how long it may really be is a setting of whoever keeps it.
pub(crate) type Text = Said<100_000>;

impl<const MOST: usize> Said<MOST> {
    /// No letter of a control, save those that end a line or leave a gap: nobody
    /// types them, and no name has them.
    pub(crate) fn parse(text: String) -> Result<Self, Fault> {
        let letters = text.chars().count();
        if text.trim().is_empty() {
            return Err(Fault::usage("a text is expected where there is none"));
        }
        if letters > MOST {
            return Err(Fault::usage(format!("{letters} characters are more than the {MOST} there may be")));
        }
        if text.chars().any(|letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t')) {
            return Err(Fault::usage("a text may not have control characters"));
        }
        Ok(Self(text))
    }
}

impl<'de, const MOST: usize> Deserialize<'de> for Said<MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl<const MOST: usize> JsonSchema for Said<MOST> {
    fn schema_name() -> Cow<'static, str> {
        format!("Said{MOST}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": MOST })
    }
}

/// Several in one parameter of a query, with commas between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Comma<T>(pub(crate) Vec<T>);

impl<T> Default for Comma<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Comma<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(|part| part.parse().map_err(D::Error::custom)).collect::<Result<_, _>>().map(Self)
    }
}

impl<T: JsonSchema> JsonSchema for Comma<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("CommaOf{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": generator.subschema_for::<T>() })
    }
}

/// A tag as it stands in a list with commas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tag(pub(crate) String);

impl FromStr for Tag {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        Line::parse(text.to_owned()).map(|Said(text)| Self(text))
    }
}

impl JsonSchema for Tag {
    fn schema_name() -> Cow<'static, str> {
        "Tag".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "minLength": 1, "maxLength": 1000, "pattern": "^[^,]+$" })
    }
}

/// A moment that is some way from the ends of what a clock can say, so that
/// nobody who counts from it falls off them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment(pub(crate) Timestamp);

/// The years 1 to 9000, in seconds.
const SAYABLE: RangeInclusive<i64> = -62_135_596_800..=221_845_392_000;

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let at: Timestamp = text.parse().map_err(|_| {
            D::Error::custom(format!("\"{text}\" is not a moment such as 2026-02-03T04:05:06Z"))
        })?;
        if SAYABLE.contains(&at.as_second()) {
            return Ok(Self(at));
        }
        Err(D::Error::custom(format!("{at} is not in the years 1 to 9000")))
    }
}

impl JsonSchema for Moment {
    fn schema_name() -> Cow<'static, str> {
        "Moment".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

/// A query with nothing besides what every route takes.
#[derive(Debug, serde::Deserialize, JsonSchema)]
pub(crate) struct Nothing {}

/// A body with nothing besides what every body has.
#[derive(Debug, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Empty {}

#[cfg(test)]
mod tests {
    use super::*;
    use engram_core::Kind;
    use serde_json::{Value, json};

    fn read<T: for<'de> Deserialize<'de>>(value: Value) -> Result<T, String> {
        serde_json::from_value(value).map_err(|error| error.to_string())
    }

    #[test]
    fn a_number_outside_its_range_is_refused_with_the_range() {
        type Limit = Count<1, 200, 50>;
        assert_eq!(Limit::default().get(), 50);
        assert_eq!(read::<Limit>(json!(200)).unwrap().get(), 200);
        assert_eq!(read::<Limit>(json!(0)).unwrap_err(), "0 is not from 1 to 200");
        assert_eq!(read::<Limit>(json!(201)).unwrap_err(), "201 is not from 1 to 200");
        assert_eq!(read::<Limit>(json!(-1)).unwrap_err(), "a whole number from 1 to 200 is expected");
    }

    #[test]
    fn a_text_is_neither_empty_nor_too_long_nor_full_of_bells() {
        assert_eq!(read::<Said<3>>(json!("a\nb")).unwrap(), Said("a\nb".to_owned()));
        assert_eq!(read::<Said<3>>(json!("çöü")).unwrap(), Said("çöü".to_owned()), "letters, not bytes");
        for wrong in ["", " \n", "abcd", "a\u{7}", "\0"] {
            assert!(read::<Said<3>>(json!(wrong)).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_moment_is_not_at_the_end_of_time() {
        assert!(read::<Moment>(json!("2026-02-03T04:05:06Z")).is_ok());
        for wrong in ["", "yesterday", "2026-02-03", "-009999-01-02T01:59:59Z", "9999-12-30T22:00:00Z"] {
            assert!(read::<Moment>(json!(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_list_has_commas_and_only_words_that_are_known() {
        let kinds = |text: &str| read::<Comma<Kind>>(json!(text));
        assert_eq!(kinds("fact, decision,").unwrap(), Comma(vec![Kind::Fact, Kind::Decision]));
        assert_eq!(kinds("").unwrap(), Comma::default());
        assert!(kinds("fact,opinion").unwrap_err().contains("unknown kind \"opinion\""));
    }
}
