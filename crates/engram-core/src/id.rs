//! Identifiers. A memory's ULID is given at birth and survives promotion.
//!
//! Randomness and the time of day come from outside; this module only combines
//! them, so that a test can replay the very same identifiers.

use jiff::Timestamp;
use std::fmt;
use std::str::FromStr;
use ulid::Ulid;

/// Text that is not an identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{found}\" is not the {what}; expected {expected}")]
pub struct BadId {
    pub what: &'static str,
    pub found: String,
    pub expected: &'static str,
}

macro_rules! ulid_id {
    ($(#[$meta:meta])* $name:ident, $what:literal, $expected:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(Ulid);

        impl $name {
            pub const fn from_ulid(ulid: Ulid) -> Self {
                Self(ulid)
            }

            pub const fn ulid(self) -> Ulid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&self.0.to_string())
            }
        }

        impl FromStr for $name {
            type Err = BadId;
            fn from_str(text: &str) -> Result<Self, BadId> {
                Ulid::from_string(text).map(Self).map_err(|_| BadId {
                    what: $what,
                    found: text.to_owned(),
                    expected: $expected,
                })
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadId;
            fn try_from(text: String) -> Result<Self, BadId> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0.to_string()
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                // As a ULID is written, and no larger than its 128 bits.
                schemars::json_schema!({ "type": "string", "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" })
            }
        }
    };
}

ulid_id!(/// Names one memory, in whichever scope it lives.
    MemoryId, "identifier of a memory", "26 letters and digits, as `engram list --json` prints them");
ulid_id!(/// Names one change to a store. The same operation is applied once, however often it arrives.
    OperationId, "identifier of an operation", "26 letters and digits, as `engram operations` prints them");
ulid_id!(/// Names one conversation of an agent.
    SessionId, "identifier of a session", "26 letters and digits, as `engram session start` prints them");

ulid_id!(/// Names one thing that happened, by its own content and its time.
    TurnId, "identifier of a turn", "26 letters and digits, as `engram why` prints them");

ulid_id!(/// Names a pair that somebody has to decide about.
    ReviewId, "identifier of a review", "26 letters and digits, as `engram review list` prints them");
ulid_id!(/// Names one recall, by its moment, its session and what was asked.
    RecallId, "identifier of a recall", "26 letters and digits, as `engram recalls --json` prints them");
ulid_id!(/// Names a thing that has a name, by its kind and that name.
    EntityId, "identifier of an entity", "26 letters and digits");
ulid_id!(/// Names somebody of a team.
    MemberId, "identifier of a member", "26 letters and digits, as `engram team members --json` prints them");

impl MemoryId {
    /// The sheet of a code base that an operation draws for the first time.
    pub(crate) fn of_sheet(operation: OperationId, key: &str) -> Self {
        let name = digest(&[&operation.0.to_string(), key]);
        Self(Ulid::from_parts(operation.0.timestamp_ms(), name >> 48))
    }
}

impl ReviewId {
    pub fn of_pair(at: Timestamp, pair: &str) -> Self {
        Self(named_by(at, &[pair]))
    }
}

impl RecallId {
    /// The same question of the same session at the same moment has the same
    /// name, so that a recall that is written down twice is one row.
    pub fn of(at: Timestamp, session: Option<SessionId>, query: &str) -> Self {
        let session = session.map(String::from).unwrap_or_default();
        Self(named_by(at, &[&at.to_string(), &session, query]))
    }
}

impl EntityId {
    /// The same parts have the same identifier everywhere and at any time, so
    /// that it says nothing of when the thing was first met.
    pub(crate) fn named(parts: &[&str]) -> Self {
        Self(Ulid::from_parts(0, digest(parts) >> 48))
    }
}

impl TurnId {
    /// The same content at the same moment has the same name, so that an event
    /// that arrives twice is one turn.
    pub fn of_content(at: Timestamp, content: &str) -> Self {
        Self(named_by(at, &[content]))
    }

    /// The memory that the turn's fact of this number gives birth to in this
    /// place. The same words heard in two places are two memories.
    pub fn newborn(self, place: &str, number: usize) -> MemoryId {
        let name = digest(&[&self.0.to_string(), "memory", place, &number.to_string()]);
        MemoryId(Ulid::from_parts(self.0.timestamp_ms(), name >> 48))
    }

    /// The operation that did something with the turn at `at`.
    pub fn operation(self, what: &str, number: usize, at: Timestamp) -> OperationId {
        OperationId(named_by(at, &[&self.0.to_string(), what, &number.to_string()]))
    }
}

/// An identifier with the moment in front and the digest of what it names
/// behind it.
fn named_by(at: Timestamp, parts: &[&str]) -> Ulid {
    let millis = u64::try_from(at.as_millisecond()).unwrap_or(0);
    Ulid::from_parts(millis, digest(parts) >> 48)
}

/// FNV-1a in 128 bits, stirred at the end, for people know a thing by the last
/// letters of its name. It names things, and keeps nobody out.
pub(crate) fn digest(parts: &[&str]) -> u128 {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for part in parts {
        for byte in part.bytes().chain([0xff]) {
            hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
    let (high, low) = ((hash >> 64) as u64, hash as u64);
    let low = stirred(low ^ stirred(high));
    (u128::from(stirred(high.wrapping_add(low))) << 64) | u128::from(low)
}

impl OperationId {
    /// The memory that an operation gives birth to carries its identifier, so
    /// that a request sent twice cannot create two.
    pub const fn newborn(self) -> MemoryId {
        MemoryId(self.0)
    }

    /// The operation that does the part of this number. The parts of one whole
    /// sort after it and in their order.
    pub fn part(self, number: u32) -> OperationId {
        let name = digest(&[&self.0.to_string(), "part"]) >> 80;
        OperationId(Ulid::from_parts(self.0.timestamp_ms(), (u128::from(number) << 48) | name))
    }

    /// The operation that takes in what the team's server told: how far, and
    /// which part of it.
    pub fn of_sync(at: Timestamp, told: &str, number: usize) -> Self {
        Self(named_by(at, &[&at.to_string(), told, &number.to_string()]))
    }

    /// The memory of this number that a dream makes.
    pub(crate) fn dreamt(self, number: usize) -> MemoryId {
        let name = digest(&[&self.0.to_string(), "dreamt", &number.to_string()]);
        MemoryId(Ulid::from_parts(self.0.timestamp_ms(), name >> 48))
    }
}

impl SessionId {
    /// The session that an agent calls by this name: ours, a UUID, or any text.
    pub fn named(name: &str) -> Self {
        let name = name.trim();
        if let Ok(ours) = name.parse() {
            return ours;
        }
        let digits: String = name.chars().filter(|mark| *mark != '-').collect();
        match u128::from_str_radix(&digits, 16) {
            Ok(uuid) if digits.len() == 32 => Self(Ulid(uuid)),
            _ => Self(Ulid(digest(&[name]))),
        }
    }

    /// What its journal is called, and its store.
    pub fn name(self) -> String {
        format!("s_{}", self.0)
    }
}

/// A project's database name: `p_` and twelve hexadecimal digits.
///
/// Computed once from the canonical path, then recorded beside the store; a
/// project that moves keeps it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ProjectKey(String);

impl ProjectKey {
    pub fn from_digest(digest: &[u8; 32]) -> Self {
        let hex: String = digest[..6].iter().map(|byte| format!("{byte:02x}")).collect();
        Self(format!("p_{hex}"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for ProjectKey {
    type Err = BadId;
    fn from_str(text: &str) -> Result<Self, BadId> {
        let digits = text.strip_prefix("p_").unwrap_or_default();
        if digits.len() == 12 && digits.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)) {
            Ok(Self(text.to_owned()))
        } else {
            Err(BadId {
                what: "key of a project",
                found: text.to_owned(),
                expected: "p_ and twelve hexadecimal digits",
            })
        }
    }
}

impl TryFrom<String> for ProjectKey {
    type Error = BadId;
    fn try_from(text: String) -> Result<Self, BadId> {
        text.parse()
    }
}

impl From<ProjectKey> for String {
    fn from(key: ProjectKey) -> String {
        key.0
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for ProjectKey {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ProjectKey".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^p_[0-9a-f]{12}$" })
    }
}

/// Mints identifiers that sort by the moment they were minted.
///
/// Within one millisecond, or when the clock steps back, the last identifier is
/// counted up, so that one mint never repeats itself and never goes backwards.
#[derive(Debug)]
pub struct IdMint {
    state: u64,
    last: Ulid,
}

impl IdMint {
    /// `seed` must differ between processes; it is the only source of chance.
    pub const fn seeded(seed: u64) -> Self {
        Self { state: seed, last: Ulid(0) }
    }

    pub fn mint(&mut self, at: Timestamp) -> Ulid {
        let millis = u64::try_from(at.as_millisecond()).unwrap_or(0);
        self.last = if millis > self.last.timestamp_ms() {
            let random = (u128::from(self.draw()) << 64) | u128::from(self.draw());
            Ulid::from_parts(millis, random >> 49)
        } else {
            Ulid(self.last.0 + 1)
        };
        self.last
    }

    /// SplitMix64: two lines, well mixed, and all that uniqueness needs here.
    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        stirred(self.state)
    }
}

/// The last steps of SplitMix64: every bit comes to bear on every other.
const fn stirred(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_sort_by_the_moment_they_were_minted() {
        let mut mint = IdMint::seeded(7);
        let early = Timestamp::from_millisecond(1_000).unwrap();
        let late = Timestamp::from_millisecond(2_000).unwrap();
        let ids = [mint.mint(early), mint.mint(early), mint.mint(late), mint.mint(early)];
        assert!(ids.is_sorted() && ids.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn what_one_turn_gives_birth_to_is_told_apart_by_its_last_letters() {
        let turn = TurnId::of_content(Timestamp::from_millisecond(1_000).unwrap(), "we use tabs");
        let ends: std::collections::BTreeSet<String> =
            (0..50).map(|number| turn.newborn("project", number).to_string()[22..].to_owned()).collect();
        assert_eq!(ends.len(), 50);
    }

    #[test]
    fn a_recall_is_named_by_its_moment_its_session_and_its_question() {
        let at = |micros: i64| Timestamp::from_microsecond(1_000_000 + micros).unwrap();
        let session = |name: &str| Some(SessionId::named(name));
        let recall = RecallId::of(at(0), session("a"), "where");
        assert_eq!(RecallId::of(at(0), session("a"), "where"), recall);
        let others = [
            RecallId::of(at(1), session("a"), "where"),
            RecallId::of(at(0), session("b"), "where"),
            RecallId::of(at(0), None, "where"),
            RecallId::of(at(0), session("a"), "when"),
        ];
        assert!(!others.contains(&recall));
        assert!(RecallId::of(at(2_000), None, "") > recall, "the later one sorts behind");
    }

    #[test]
    fn two_seeds_do_not_meet() {
        let at = Timestamp::from_millisecond(1_000).unwrap();
        assert_ne!(IdMint::seeded(1).mint(at), IdMint::seeded(2).mint(at));
    }

    #[test]
    fn a_project_key_is_twelve_hex_digits() {
        let key = ProjectKey::from_digest(&[0xab; 32]);
        assert_eq!(key.as_str(), "p_abababababab");
        assert_eq!(key.as_str().parse(), Ok(key));
        assert!("p_xyz".parse::<ProjectKey>().is_err());
    }
}
