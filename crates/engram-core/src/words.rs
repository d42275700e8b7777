//! How a closed set of words becomes an enum.
//!
//! One spelling serves the schema, the CLI, the wire and the documents, so it
//! is written once, beside the variant. This module knows no particular word.

/// A word that is not one of the allowed ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {what} \"{found}\"; one of: {allowed}")]
pub struct UnknownWord {
    pub what: &'static str,
    pub found: String,
    pub allowed: String,
}

/// Declares an enum whose variants are spelled as given in every surface.
#[macro_export]
#[doc(hidden)]
macro_rules! words_enum {
    (
        $(#[$meta:meta])*
        pub enum $name:ident ($what:literal) {
            $( $(#[$vmeta:meta])* $variant:ident = $word:literal ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String", into = "&'static str")]
        pub enum $name { $( $(#[$vmeta])* $variant ),+ }

        impl $name {
            /// Every value, in the order of the glossary.
            pub const ALL: &'static [$name] = &[$( $name::$variant ),+];

            /// The one spelling of this value.
            pub const fn as_str(self) -> &'static str {
                match self { $( $name::$variant => $word ),+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::words::UnknownWord;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL
                    .iter()
                    .copied()
                    .find(|value| value.as_str() == text)
                    .ok_or_else(|| $crate::words::UnknownWord {
                        what: $what,
                        found: text.to_owned(),
                        allowed: Self::ALL.iter().map(|v| v.as_str()).collect::<Vec<_>>().join(", "),
                    })
            }
        }

        impl TryFrom<String> for $name {
            type Error = $crate::words::UnknownWord;
            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        impl From<$name> for &'static str {
            fn from(value: $name) -> &'static str {
                value.as_str()
            }
        }

        $crate::words_schema!($name, $( $word ),+);
    };
}

/// Describes the words to whoever reads a schema. It stands for itself because a
/// feature that is asked for inside a macro is one of the crate that calls it.
#[cfg(feature = "schema")]
#[macro_export]
#[doc(hidden)]
macro_rules! words_schema {
    ($name:ident, $($word:literal),+) => {
        impl $crate::schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn schema_id() -> std::borrow::Cow<'static, str> {
                concat!(module_path!(), "::", stringify!($name)).into()
            }

            fn json_schema(_: &mut $crate::schemars::SchemaGenerator) -> $crate::schemars::Schema {
                $crate::schemars::json_schema!({ "type": "string", "enum": [$($word),+] })
            }
        }
    };
}

/// Nobody reads a schema.
#[cfg(not(feature = "schema"))]
#[macro_export]
#[doc(hidden)]
macro_rules! words_schema {
    ($name:ident, $($word:literal),+) => {};
}
pub use crate::words_enum as words;
