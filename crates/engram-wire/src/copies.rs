//! The list of known copies: every file with memories that engram wrote outside
//! of its stores, so that whoever has to find them all can.
//!
//! It owns `copies.json` in the home, which both programs write, and the mark by
//! which a sealed file is told. It knows nothing of what is in a copy, and cannot
//! open a sealed one.

use crate::fault::Fault;
use crate::home::Home;
use crate::platform::{private_folder, private_replace};
use engram_core::words::words;
use engram_core::{Scope, Timestamp};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// How a file begins that was sealed, by engram or by `age` itself.
const SEALED: &[u8] = b"age-encryption.org/v1\n";

words! {
    /// What sort of file a copy is.
    pub enum CopyKind ("kind of copy") {
        Export = "export",
        Backup = "backup",
    }
}

/// A store of which there is a copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CopiedStore {
    pub scope: Scope,
    pub database: String,
    /// Where the project was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathBuf>,
}

impl CopiedStore {
    pub fn label(&self) -> String {
        match &self.path {
            Some(path) => format!("{} {} ({})", self.scope, self.database, path.display()),
            None => self.scope.to_string(),
        }
    }
}

/// A file that engram wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnownCopy {
    pub file: PathBuf,
    pub kind: CopyKind,
    pub made_at: Timestamp,
    pub stores: Vec<CopiedStore>,
    /// Those who can open it. Empty: it is in the clear.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sealed_for: Vec<String>,
}

/// The file as it is written.
#[derive(Default, Serialize, Deserialize)]
struct Listed {
    copies: Vec<KnownCopy>,
}

/// The list of one home.
#[derive(Debug, Clone)]
pub struct Copies {
    file: PathBuf,
}

impl Copies {
    pub fn new(home: &Home) -> Self {
        Self { file: home.copies_file() }
    }

    /// Every copy, in the order they were made.
    pub fn load(&self) -> Result<Vec<KnownCopy>, Fault> {
        let text = match fs::read(&self.file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.failed(&error)),
        };
        serde_json::from_slice::<Listed>(&text).map(|listed| listed.copies).map_err(|error| {
            Fault::environment(format!("{} is no list of copies: {error}", self.file.display()))
                .hint("mend it, or move it away: copies that only it knows are then not found by engram")
        })
    }

    /// Enters a copy, in the place of an older one of the same name. It is to be
    /// called before the file takes its name: a name that leads nowhere can be
    /// told, a file that nobody knows of cannot.
    pub fn note(&self, copy: KnownCopy) -> Result<(), Fault> {
        self.change(|copies| {
            copies.retain(|known| known.file != copy.file);
            copies.push(copy);
        })
    }

    /// Enters a copy before the first byte of it is written: whatever a kill leaves
    /// lies beside a name that is known.
    pub fn announce(&self, copy: KnownCopy) -> Result<Announced, Fault> {
        let file = copy.file.clone();
        let mut is_new = true;
        self.change(|copies| {
            is_new = !copies.iter().any(|known| known.file == copy.file);
            copies.extend(is_new.then_some(copy));
        })?;
        Ok(Announced { copies: self.clone(), file, is_new })
    }

    /// Takes the names of files off the list; the files are left alone. Tells
    /// which were on it.
    pub fn drop_names(&self, files: &[PathBuf]) -> Result<Vec<KnownCopy>, Fault> {
        let mut dropped = Vec::new();
        self.change(|copies| {
            let (gone, kept) = copies.drain(..).partition(|known| files.contains(&known.file));
            (dropped, *copies) = (gone, kept);
        })?;
        Ok(dropped)
    }

    fn change(&self, change: impl FnOnce(&mut Vec<KnownCopy>)) -> Result<(), Fault> {
        let folder = self.file.parent().unwrap_or(Path::new("/"));
        private_folder(folder).map_err(|error| self.failed(&error))?;
        // Both programs write the list, and neither may lose what the other wrote.
        let lock = File::open(folder).map_err(|error| self.failed(&error))?;
        lock.lock().map_err(|error| self.failed(&error))?;
        let mut copies = self.load()?;
        change(&mut copies);
        serde_json::to_vec_pretty(&Listed { copies })
            .map_err(io::Error::from)
            .and_then(|text| private_replace(&self.file, &text))
            .and_then(|()| lock.sync_all())
            .map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> Fault {
        Fault::environment(format!("the list of copies {}: {error}", self.file.display()))
    }
}

/// A copy on its way. Where it is given up, so is its name.
#[derive(Debug)]
pub struct Announced {
    copies: Copies,
    file: PathBuf,
    is_new: bool,
}

impl Announced {
    /// It is whole, and about to take its name.
    pub fn finish(mut self, copy: KnownCopy) -> Result<(), Fault> {
        self.copies.note(copy)?;
        self.is_new = false;
        Ok(())
    }
}

impl Drop for Announced {
    fn drop(&mut self) {
        if self.is_new {
            // What stays on the list leads nowhere, and is told so.
            let _ = self.copies.drop_names(std::slice::from_ref(&self.file));
        }
    }
}

/// What a copy is called while it is written: by this home's daemon `.NAME.1.part` and
/// `.NAME.1.0.surql`, by a client `NAME.part`.
pub fn drafts_beside(file: &Path) -> Vec<PathBuf> {
    let Some(name) = file.file_name().map(|name| name.to_string_lossy().into_owned()) else {
        return Vec::new();
    };
    let is_draft = |other: &str| {
        let middle = other.strip_prefix('.').and_then(|rest| rest.strip_prefix(name.as_str()));
        let middle = middle.and_then(|rest| rest.strip_suffix(".part").or(rest.strip_suffix(".surql")));
        let numbers = |middle: &str| {
            middle.starts_with('.') && middle.chars().all(|letter| letter == '.' || letter.is_ascii_digit())
        };
        middle.is_some_and(numbers) || other.strip_suffix(".part") == Some(name.as_str())
    };
    let entries = fs::read_dir(file.parent().unwrap_or(Path::new("/"))).into_iter().flatten().flatten();
    let files = entries.filter(|entry| is_draft(&entry.file_name().to_string_lossy()));
    files.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
}

/// Whether a file is sealed; one that cannot be read is not known to be.
pub fn is_sealed(file: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = File::open(file).and_then(|file| file.take(SEALED.len() as u64).read_to_end(&mut beginning));
    read.is_ok() && beginning == SEALED
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn copy(file: &str, sealed_for: &[&str]) -> KnownCopy {
        KnownCopy {
            file: file.into(),
            kind: CopyKind::Backup,
            made_at: "2026-11-16T10:00:00Z".parse().unwrap(),
            stores: vec![CopiedStore { scope: Scope::User, database: "default".to_owned(), path: None }],
            sealed_for: sealed_for.iter().map(ToString::to_string).collect(),
        }
    }

    fn ground() -> (tempfile::TempDir, Copies) {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::locate(Some(folder.path().join("home").into()), None).unwrap();
        (folder, Copies::new(&home))
    }

    #[test]
    fn the_list_knows_what_was_noted_and_is_private() {
        let (_folder, copies) = ground();
        assert_eq!(copies.load().unwrap(), []);
        copies.note(copy("/a", &[])).unwrap();
        copies.note(copy("/b", &["age1x"])).unwrap();
        // What is written again takes the place of what was there.
        copies.note(copy("/a", &["age1y"])).unwrap();
        assert_eq!(copies.load().unwrap(), [copy("/b", &["age1x"]), copy("/a", &["age1y"])]);
        assert_eq!(fs::metadata(&copies.file).unwrap().permissions().mode() & 0o777, 0o600);
        let dropped = copies.drop_names(&["/b".into(), "/unknown".into()]).unwrap();
        assert_eq!(dropped, [copy("/b", &["age1x"])]);
        assert_eq!(copies.load().unwrap(), [copy("/a", &["age1y"])]);
    }

    #[test]
    fn a_copy_is_known_while_it_is_written_and_not_when_it_is_given_up() {
        let (_folder, copies) = ground();
        let begun = copies.announce(copy("/a", &[])).unwrap();
        assert_eq!(copies.load().unwrap(), [copy("/a", &[])]);
        drop(begun);
        assert_eq!(copies.load().unwrap(), []);
        copies.announce(copy("/a", &[])).unwrap().finish(copy("/a", &["age1x"])).unwrap();
        // One that is there stays what it is until the next has taken its name.
        drop(copies.announce(copy("/a", &[])).unwrap());
        assert_eq!(copies.load().unwrap(), [copy("/a", &["age1x"])]);
    }

    #[test]
    fn drafts_are_known_by_the_name_they_will_take() {
        let folder = tempfile::tempdir().unwrap();
        let drafts = [".kept.3.part", ".kept.0.1.surql", "kept.part"];
        let others = ["kept", ".kept.part", ".kept.mine.part", ".kept2.3.part", "kept.surql"];
        drafts.iter().chain(&others).for_each(|name| fs::write(folder.path().join(name), "").unwrap());
        let mut found = drafts_beside(&folder.path().join("kept"));
        found.sort();
        let mut wanted = drafts.map(|name| folder.path().join(name)).to_vec();
        wanted.sort();
        assert_eq!(found, wanted);
    }

    #[test]
    fn two_who_note_at_once_lose_nothing() {
        let (_folder, copies) = ground();
        std::thread::scope(|scope| {
            for who in ["x", "y"] {
                let copies = &copies;
                scope.spawn(move || {
                    (0..20).for_each(|number| copies.note(copy(&format!("/{who}{number}"), &[])).unwrap());
                });
            }
        });
        assert_eq!(copies.load().unwrap().len(), 40);
    }

    #[test]
    fn a_damaged_list_is_named_and_not_written_over() {
        let (_folder, copies) = ground();
        copies.note(copy("/a", &[])).unwrap();
        fs::write(&copies.file, "{").unwrap();
        assert!(copies.note(copy("/b", &[])).unwrap_err().message.contains("copies.json is no list"));
        assert_eq!(fs::read_to_string(&copies.file).unwrap(), "{");
    }

    #[test]
    fn a_sealed_file_is_told_by_how_it_begins() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x");
        assert!(!is_sealed(&file));
        for (text, sealed) in
            [("age-encryption.org/v1\n-> X25519 a", true), ("age-enc", false), ("{}", false)]
        {
            fs::write(&file, text).unwrap();
            assert_eq!(is_sealed(&file), sealed, "{text}");
        }
    }
}
