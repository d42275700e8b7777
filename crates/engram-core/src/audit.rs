//! The audit log as a chain: each line holds the digest of the one before it,
//! so that a line that was changed, taken out, moved or cut off is found.
//!
//! A line holds no text, only keyed digests of what a deed was about; without
//! the key none can be made to fit, and short texts cannot be guessed. Files,
//! the key's place and the clock are the caller's.

use crate::change::Actor;
use crate::id::OperationId;
use crate::words::words;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

#[cfg(test)]
mod tests;

words! {
    /// What is written into the audit log.
    pub enum Deed ("deed") {
        /// Texts were to be taken away for good.
        Purge = "purge",
        /// All text of a person or a project was to be taken away.
        Erase = "erase",
        /// Memories were to leave as lines.
        Export = "export",
        /// Memories were to come in as lines.
        Import = "import",
        /// Whole stores were to be written into a file.
        Backup = "backup",
        /// Whole stores were to be put back.
        Restore = "restore",
        /// A text was not kept, because of the personal data in it.
        Refusal = "refusal",
        /// Memories were to be shared with the team.
        Share = "share",
        /// What was shared was to be taken back.
        Withdraw = "withdraw",
        /// A team was to be made, joined or left, or somebody's say in it changed.
        Team = "team",
    }
}

words! {
    /// What is wrong at a place of the audit log.
    pub enum Flaw ("flaw") {
        /// The line does not say what it said when it was written.
        Changed = "changed",
        /// Lines that stood before it are gone.
        Missing = "missing",
        /// It stood elsewhere.
        Moved = "moved",
        /// It is no line of an audit log.
        Unreadable = "unreadable",
        /// The log ends before the line that is known to be its last.
        Cut = "cut",
    }
}

/// What digests are made with. Whoever has it can write a chain anew; it is
/// never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct AuditKey([u8; 32]);

impl AuditKey {
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// A digest of a text that nobody without the key can make: HMAC-SHA-256.
    pub fn digest(&self, text: &[u8]) -> Digest {
        let padded = |with: u8| {
            let mut block = [with; 64];
            block.iter_mut().zip(self.0).for_each(|(byte, key)| *byte ^= key);
            block
        };
        let inner = Sha256::new().chain_update(padded(0x36)).chain_update(text).finalize();
        Digest(Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize().into())
    }
}

impl fmt::Debug for AuditKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuditKey")
    }
}

/// A digest, written as 64 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest([u8; 32]);

/// Not the digits of a digest, or not a head.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not {1}")]
pub struct NotWritten(String, &'static str);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Digest {
    type Err = NotWritten;

    fn from_str(text: &str) -> Result<Self, NotWritten> {
        let bad = || NotWritten(text.to_owned(), "a digest of 64 hexadecimal digits");
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(bad());
        }
        let mut bytes = [0; 32];
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| bad())?;
        }
        Ok(Self(bytes))
    }
}

impl TryFrom<String> for Digest {
    type Error = NotWritten;

    fn try_from(text: String) -> Result<Self, NotWritten> {
        text.parse()
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Digest {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Digest".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "pattern": "^[0-9a-f]{64}$"})
    }
}

/// How far a chain goes: its last line, by number and digest. Written as
/// `12:<digest>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Head {
    pub number: u64,
    pub digest: Digest,
}

impl Head {
    /// Of a chain without a line.
    pub const NONE: Head = Head { number: 0, digest: Digest([0; 32]) };
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.number, self.digest)
    }
}

impl FromStr for Head {
    type Err = NotWritten;

    fn from_str(text: &str) -> Result<Self, NotWritten> {
        let bad = || NotWritten(text.to_owned(), "the head of an audit log, a number, a colon and a digest");
        let (number, digest) = text.split_once(':').ok_or_else(bad)?;
        let number = number.parse().map_err(|_| bad())?;
        Ok(Self { number, digest: digest.parse().map_err(|_| bad())? })
    }
}

/// A deed that is to be written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audited {
    pub at: Timestamp,
    pub deed: Deed,
    pub actor: Actor,
    pub operation: Option<OperationId>,
    /// Of what it is about.
    pub digests: Vec<Digest>,
}

/// One line of the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AuditLine {
    /// Counted from one, without gaps.
    pub number: u64,
    pub at: Timestamp,
    pub deed: Deed,
    pub actor: Actor,
    pub operation: Option<OperationId>,
    /// Of what it was about: which memories, which file.
    pub digests: Vec<Digest>,
    /// The digest of the line before it.
    pub before: Digest,
    /// Of everything else in this line.
    pub digest: Digest,
}

impl AuditLine {
    /// What the line stands for as an end of the chain.
    pub const fn head(&self) -> Head {
        Head { number: self.number, digest: self.digest }
    }

    /// What its digest must be.
    fn expected(&self, key: &AuditKey) -> Digest {
        let Self { number, at, deed, actor, operation, digests, before, digest: _ } = self;
        let operation = operation.map(|operation| operation.to_string()).unwrap_or_default();
        let mut whole = format!("{number}\n{at}\n{deed}\n{actor}\n{operation}\n{before}\n");
        for digest in digests {
            whole += &format!("{digest}\n");
        }
        key.digest(whole.as_bytes())
    }
}

/// The line that comes after `before`.
pub fn chained(before: &Head, audited: Audited, key: &AuditKey) -> AuditLine {
    let Audited { at, deed, actor, operation, digests } = audited;
    let number = before.number + 1;
    let mut line = AuditLine {
        number,
        at,
        deed,
        actor,
        operation,
        digests,
        before: before.digest,
        digest: before.digest,
    };
    line.digest = line.expected(key);
    line
}

/// Something wrong in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Break {
    /// Which line of the file, counted from one; of a log that was cut, the line
    /// after its last.
    pub line: u64,
    pub flaw: Flaw,
}

/// What a look at the whole chain found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verified {
    /// How many lines were read.
    pub lines: u64,
    /// The last sound one.
    pub head: Head,
    /// Empty: the log is whole.
    pub breaks: Vec<Break>,
}

/// Holds a log against itself and against the ends that are known from
/// elsewhere.
pub fn verify<'a>(lines: impl Iterator<Item = &'a str>, known: &[Head], key: &AuditKey) -> Verified {
    let mut breaks = Vec::new();
    let mut digests: BTreeMap<u64, Digest> = BTreeMap::new();
    // Where a gap was found, and the numbers that were not there.
    let mut gaps: Vec<(u64, std::ops::Range<u64>)> = Vec::new();
    let (mut count, mut head) = (0, Head::NONE);
    for text in lines {
        count += 1;
        let flawed = |flaw| Break { line: count, flaw };
        let Ok(line) = serde_json::from_str::<AuditLine>(text) else {
            breaks.push(flawed(Flaw::Unreadable));
            continue;
        };
        // Also a space more is a change.
        let as_written = serde_json::to_string(&line).is_ok_and(|written| written == text);
        let sound = as_written && line.digest == line.expected(key);
        if line.number <= head.number {
            breaks.push(flawed(Flaw::Moved));
        } else if !sound {
            breaks.push(flawed(Flaw::Changed));
        } else if line.number == head.number + 1 && line.before != head.digest {
            // It is whole and stands in its place, so the one before it is not
            // the one that it was written after. That one was told already, if
            // it does not fit itself.
            if breaks.last().is_none_or(|last: &Break| last.line + 1 != count) {
                breaks.push(flawed(Flaw::Changed));
            }
        }
        if line.number > head.number + 1 {
            gaps.push((count, head.number + 1..line.number));
        }
        digests.insert(line.number, line.digest);
        if line.number > head.number {
            head = line.head();
        }
    }
    // What stands elsewhere is not missing, and what cannot be read is told.
    let unreadable = breaks.iter().filter(|found| found.flaw == Flaw::Unreadable).count();
    let absent =
        |gap: &std::ops::Range<u64>| gap.clone().filter(|number| !digests.contains_key(number)).count();
    let mut explained = unreadable;
    for (line, gap) in gaps {
        let absent = absent(&gap);
        if absent > explained {
            breaks.push(Break { line, flaw: Flaw::Missing });
        }
        explained = explained.saturating_sub(absent);
    }
    for known in known.iter().filter(|known| known.number > 0) {
        match digests.get(&known.number) {
            _ if known.number > head.number => breaks.push(Break { line: count + 1, flaw: Flaw::Cut }),
            Some(digest) if *digest != known.digest => {
                breaks.push(Break { line: known.number, flaw: Flaw::Changed });
            }
            _ => {}
        }
    }
    breaks.sort_by_key(|found| found.line);
    breaks.dedup();
    Verified { lines: count, head, breaks }
}
