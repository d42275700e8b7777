//! The audit log on the disk: one JSON line for each deed, in a file that only
//! grows, with its key and its head beside it.
//!
//! A line is on the disk before its deed begins; where it cannot be written, the
//! deed is refused. How a line is chained and what a break is the core knows;
//! here are only the files. No text is ever written into them.

use crate::clock::now;
use crate::trouble;
use engram_core::OperationId;
use engram_core::audit::{AuditKey, AuditLine, Audited, Deed, Digest, Head, Verified, chained, verify};
use engram_wire::governance::AuditShown;
use engram_wire::home::Home;
use engram_wire::platform::{private_append, private_replace, secret};
use engram_wire::{Context, Fault};
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// So many things one line is about; a deed about more has several lines.
const MOST_DIGESTS: usize = 64;
/// A line is shorter than this, so the last one is within so many bytes.
const LONGEST_LINE: u64 = 16 << 10;

pub(crate) struct AuditLog {
    log: PathBuf,
    key: PathBuf,
    head: PathBuf,
    /// One deed is written at a time.
    door: Mutex<()>,
}

impl AuditLog {
    pub(crate) fn of(home: &Home) -> Self {
        Self {
            log: home.audit_file(),
            key: home.audit_key_file(),
            head: home.audit_head_file(),
            door: Mutex::default(),
        }
    }

    /// The files, for whoever looks after them.
    pub(crate) fn files(&self) -> [&Path; 3] {
        [&self.log, &self.key, &self.head]
    }

    fn door(&self) -> MutexGuard<'_, ()> {
        self.door.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Writes a deed down. When this returns, it is on the disk; when it fails,
    /// the deed must not be done.
    pub(crate) fn note(
        &self,
        context: &Context,
        deed: Deed,
        operation: Option<OperationId>,
        about: &[String],
    ) -> Result<(), Fault> {
        let noted = self.append(context, deed, operation, about);
        noted.map_err(|error| {
            trouble::io("writing the audit log", &self.log, &error)
                .hint(format!("without its line in the audit log a {deed} is not done"))
                .hint("`engram doctor` looks for the cause")
        })
    }

    fn append(
        &self,
        context: &Context,
        deed: Deed,
        operation: Option<OperationId>,
        about: &[String],
    ) -> io::Result<()> {
        let _door = self.door();
        let key = match self.load_key()? {
            Some(key) => key,
            None => self.make_key()?,
        };
        let is_new = !self.log.exists();
        let mut file = private_append(&self.log)?;
        let mut head = self.end_of(&mut file)?;
        let digests: Vec<Digest> = about.iter().map(|thing| key.digest(thing.as_bytes())).collect();
        let mut parts: Vec<Vec<Digest>> = digests.chunks(MOST_DIGESTS).map(<[Digest]>::to_vec).collect();
        if parts.is_empty() {
            parts.push(Vec::new());
        }
        let mut text = String::new();
        for digests in parts {
            let audited = Audited { at: now(), deed, actor: context.actor, operation, digests };
            let line = chained(&head, audited, &key);
            text += &serde_json::to_string(&line)?;
            text.push('\n');
            head = line.head();
        }
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        if let Some(folder) = self.log.parent().filter(|_| is_new) {
            File::open(folder)?.sync_all()?;
        }
        // After the line: a head that is one behind is sound, one ahead is not.
        private_replace(&self.head, format!("{head}\n").as_bytes())
    }

    /// Where the chain goes on: after its last line, or after the head, if that
    /// knows of more. What was cut off then stays a gap that is found.
    fn end_of(&self, file: &mut File) -> io::Result<Head> {
        let length = file.metadata()?.len();
        let from = length.saturating_sub(LONGEST_LINE);
        file.seek(SeekFrom::Start(from))?;
        let mut tail = Vec::new();
        file.read_to_end(&mut tail)?;
        let whole = tail.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        // A line that was cut short by a crash was never acknowledged.
        if whole < tail.len() {
            file.set_len(from + whole as u64)?;
        }
        let mut lines = tail[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let last = lines.next_back().and_then(|line| serde_json::from_slice::<AuditLine>(line).ok());
        let last = last.map_or(Head::NONE, |line| line.head());
        let known = self.load_head()?.unwrap_or(Head::NONE);
        Ok(if known.number > last.number { known } else { last })
    }

    fn load_key(&self) -> io::Result<Option<AuditKey>> {
        let Some(text) = text_of(&self.key)? else { return Ok(None) };
        let bad = || io::Error::new(io::ErrorKind::InvalidData, "its key file does not hold a key");
        let text = text.trim();
        if text.len() != 64 || !text.is_ascii() {
            return Err(bad());
        }
        let mut bytes = [0; 32];
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| bad())?;
        }
        Ok(Some(AuditKey::new(bytes)))
    }

    /// Made once, by chance.
    fn make_key(&self) -> io::Result<AuditKey> {
        let bytes = secret()?;
        let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        private_replace(&self.key, format!("{text}\n").as_bytes())?;
        Ok(AuditKey::new(bytes))
    }

    fn load_head(&self) -> io::Result<Option<Head>> {
        // One that cannot be read knows nothing; the log is held against itself.
        Ok(text_of(&self.head)?.and_then(|text| text.trim().parse().ok()))
    }

    /// The log, its key and its head as they are; None: nothing was ever done.
    fn load(&self) -> io::Result<Option<(String, AuditKey, Option<Head>)>> {
        let _door = self.door();
        let (log, key, head) = (text_of(&self.log)?, self.load_key()?, self.load_head()?);
        match (log, key) {
            (None, None) => Ok(None),
            (log, Some(key)) => Ok(Some((log.unwrap_or_default(), key, head))),
            (Some(_), None) => Err(io::Error::new(
                io::ErrorKind::NotFound,
                format!("its key {} is gone", self.key.display()),
            )),
        }
    }

    fn failed(&self, error: &io::Error) -> Fault {
        trouble::io("reading the audit log", &self.log, error)
    }

    /// The latest lines; with `about` only those about that.
    pub(crate) fn shown(&self, limit: usize, about: Option<&str>) -> Result<AuditShown, Fault> {
        let Some((log, key, head)) = self.load().map_err(|error| self.failed(&error))? else {
            return Ok(AuditShown { lines: Vec::new(), total: 0, head: Head::NONE });
        };
        let wanted = about.map(|about| key.digest(about.as_bytes()));
        let lines: Vec<AuditLine> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let (total, last) = (lines.len(), lines.last().map_or(Head::NONE, AuditLine::head));
        let head = head.filter(|head| head.number > last.number).unwrap_or(last);
        let is_wanted = |line: &AuditLine| wanted.is_none_or(|wanted| line.digests.contains(&wanted));
        let lines = lines.into_iter().rev().filter(is_wanted).take(limit).collect();
        Ok(AuditShown { lines, total, head })
    }

    /// Whether the log is whole, held against its head and one that was noted.
    pub(crate) fn verified(&self, noted: Option<Head>) -> Result<Verified, Fault> {
        let loaded = self.load().map_err(|error| self.failed(&error))?;
        // Without a key nothing was ever written here; a noted head is not met.
        let (log, key, head) = loaded.unwrap_or_else(|| (String::new(), AuditKey::new([0; 32]), None));
        let known: Vec<Head> = head.into_iter().chain(noted).collect();
        // What a crash cut short is no line yet.
        let whole = log.rfind('\n').map_or("", |end| &log[..end]);
        Ok(verify(whole.lines(), &known, &key))
    }
}

fn text_of(file: &Path) -> io::Result<Option<String>> {
    match fs::read(file) {
        // What is no text is no line, and is told so.
        Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
