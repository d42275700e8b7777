//! Other programs' files on the disk: read with care, written as a whole or not
//! at all, with the mode they had. A link stays a link.

use engram_wire::Fault;
use sha2::{Digest as _, Sha256};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

pub(crate) const PRIVATE_FILE: u32 = 0o600;
const SHARED_FILE: u32 = 0o644;
const PRIVATE_FOLDER: u32 = 0o700;
const SHARED_FOLDER: u32 = 0o755;

/// A file as it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    /// Where it really lies.
    pub(crate) target: PathBuf,
    /// None: there is no file.
    pub(crate) text: Option<String>,
    mode: Option<u32>,
}

impl Found {
    /// No file at all.
    pub(crate) fn nowhere(file: &Path) -> Self {
        Self { target: file.to_owned(), text: None, mode: None }
    }

    /// The mode for what is written: the one it has, else one for its owner or,
    /// in a project, for everybody.
    pub(crate) fn mode(&self, in_project: bool) -> u32 {
        self.mode.unwrap_or(if in_project { SHARED_FILE } else { PRIVATE_FILE })
    }
}

/// SHA-256, in hexadecimal.
pub(crate) fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn cannot(verb: &str, path: &Path, error: &io::Error) -> Fault {
    Fault::environment(format!("{} could not be {verb}: {error}", path.display()))
}

/// Reads a file, wherever a link leads to.
pub(crate) fn look(file: &Path) -> Result<Found, Fault> {
    let meta = match fs::symlink_metadata(file) {
        Ok(meta) => meta,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Found::nowhere(file));
        }
        Err(error) => return Err(cannot("read", file, &error)),
    };
    let target = if meta.is_symlink() {
        fs::canonicalize(file).map_err(|error| {
            Fault::refused(format!("{} is a link that leads nowhere: {error}", file.display()))
                .hint("repair the link or remove it")
        })?
    } else {
        file.to_owned()
    };
    let meta = fs::metadata(&target).map_err(|error| cannot("read", &target, &error))?;
    if !meta.is_file() {
        return Err(Fault::refused(format!("{} is not a file", file.display())));
    }
    let bytes = fs::read(&target).map_err(|error| cannot("read", &target, &error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Fault::refused(format!("{} is not UTF-8, from byte {at} on", file.display()))
    })?;
    Ok(Found { target, text: Some(text), mode: Some(meta.permissions().mode() & 0o7777) })
}

/// Whether a file may be changed, before anything is.
pub(crate) fn check_writable(found: &Found) -> Result<(), Fault> {
    let refused = |what: &Path| {
        Fault::refused(format!("{} is read-only", what.display()))
            .hint("make it writable if engram may change it")
    };
    if found.mode.is_some_and(|mode| mode & 0o200 == 0) {
        return Err(refused(&found.target));
    }
    let folder = found.target.ancestors().skip(1).find(|folder| folder.exists());
    match folder {
        Some(folder) if rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_err() => {
            Err(refused(folder))
        }
        Some(folder) if !folder.is_dir() => {
            Err(Fault::refused(format!("{} is not a folder", folder.display())))
        }
        _ => Ok(()),
    }
}

/// The folders that have to be made for a file, the outer ones first.
pub(crate) fn missing_folders(file: &Path) -> Vec<PathBuf> {
    let missing = file.ancestors().skip(1).take_while(|folder| !folder.exists());
    let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// Makes one folder, whose outer one exists.
pub(crate) fn make_folder(folder: &Path, in_project: bool) -> Result<(), Fault> {
    let mode = if in_project { SHARED_FOLDER } else { PRIVATE_FOLDER };
    match DirBuilder::new().mode(mode).create(folder) {
        Err(error) if !folder.is_dir() => Err(cannot("made", folder, &error)),
        _ => Ok(()),
    }
}

/// Writes a file: at every moment the old one or the new one is there.
pub(crate) fn write(target: &Path, text: &str, mode: u32) -> Result<(), Fault> {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.engram", std::process::id()));
    let draft = target.with_file_name(name);
    let written = write_draft(&draft, text, mode)
        .and_then(|()| fs::rename(&draft, target))
        .and_then(|()| sync_folder_of(target));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written.map_err(|error| cannot("written", target, &error))
}

fn write_draft(draft: &Path, text: &str, mode: u32) -> io::Result<()> {
    // What an earlier try left may be readable for others.
    let _ = fs::remove_file(draft);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(PRIVATE_FILE).open(draft)?;
    file.write_all(text.as_bytes())?;
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    file.sync_all()
}

fn sync_folder_of(file: &Path) -> io::Result<()> {
    match file.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

/// Removes a file; one that is gone already is removed.
pub(crate) fn remove(target: &Path) -> Result<(), Fault> {
    match fs::remove_file(target) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(cannot("removed", target, &error)),
        _ => Ok(()),
    }
}

/// Removes a folder if nothing is in it. Whether it is gone.
pub(crate) fn remove_empty_folder(folder: &Path) -> bool {
    match fs::remove_dir(folder) {
        Ok(()) => true,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}
