//! Files with memories that leave the stores, and come back: sealed or in the
//! clear, whole or not at all, and on the list of known copies before they have
//! their name.
//!
//! It knows for whom a copy is sealed and with which keys one is opened; what is
//! written and read is the caller's.

use crate::clock::now;
use crate::house::{House, OpenStore};
use crate::trouble;
use engram_seal::{Identities, Recipients, SealError, Sealing};
use engram_wire::copies::{Announced, CopiedStore, Copies, CopyKind, KnownCopy, is_sealed};
use engram_wire::platform::{private_create, private_folder};
use engram_wire::{Context, Fault};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Those who will be able to open a copy.
pub(crate) struct SealedFor {
    recipients: Recipients,
    pub(crate) names: Vec<String>,
}

impl House {
    /// For whom a copy is sealed: those who are named, or those of the settings.
    /// None: nobody is, and it is written in the clear.
    pub(crate) fn sealed_for(&self, context: &Context, named: &[String]) -> Result<Option<SealedFor>, Fault> {
        let settings = self.settings_for(context, None)?;
        let chosen = settings.text("sealing.recipients");
        let names: Vec<String> = match named.is_empty() {
            true => {
                chosen.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
            }
            false => named.to_vec(),
        };
        if names.is_empty() {
            return Ok(None);
        }
        let recipients = Recipients::parse(names.iter().map(String::as_str))
            .map_err(|error| Fault::usage(error.to_string()).hint("nothing was written"))?;
        Ok(Some(SealedFor { recipients, names }))
    }

    /// Opens a copy for reading. A sealed one wants its key: from the file that is
    /// named, or from that of the settings.
    pub(crate) fn open_copy(
        &self,
        context: &Context,
        file: &Path,
        identity: Option<&Path>,
    ) -> Result<Box<dyn BufRead + Send>, Fault> {
        let input = File::open(file).map_err(|error| trouble::io("reading", file, &error))?;
        if !is_sealed(file) {
            return Ok(Box::new(BufReader::new(input)));
        }
        let keys = self.keys(context, file, identity)?;
        let opened = keys.open(BufReader::new(input)).map_err(|error| not_opened(file, &error))?;
        Ok(Box::new(BufReader::new(opened)))
    }

    /// Enters a copy in the list before anything of it is written, however it is
    /// sealed.
    pub(crate) fn announce(
        &self,
        file: &Path,
        kind: CopyKind,
        stores: Vec<CopiedStore>,
        sealed_for: Option<&SealedFor>,
    ) -> Result<Announced, Fault> {
        let sealed_for = sealed_for.map(|sealed| sealed.names.clone()).unwrap_or_default();
        let copy = KnownCopy { file: file.to_owned(), kind, made_at: now(), stores, sealed_for };
        Copies::new(&self.home).announce(copy)
    }

    fn keys(&self, context: &Context, file: &Path, named: Option<&Path>) -> Result<Identities, Fault> {
        let settings = self.settings_for(context, None)?;
        let chosen = Path::new(settings.text("sealing.identity"));
        let identity = named.unwrap_or(chosen);
        if identity.as_os_str().is_empty() {
            return Err(Fault::refused(format!("{} is sealed, and no key was named", file.display()))
                .hint("name the file of keys with --identity FILE, or in the setting sealing.identity")
                .hint("nothing was changed"));
        }
        // The daemon stands in no folder of anybody's.
        if !identity.is_absolute() {
            return Err(Fault::usage(format!("{} is not an absolute path", identity.display()))
                .hint("`engram config set sealing.identity /...` says where the file of keys is"));
        }
        let input = File::open(identity).map_err(|error| trouble::io("reading", identity, &error))?;
        Identities::read(BufReader::new(input)).map_err(|error| {
            Fault::usage(format!("{}: {error}", identity.display())).hint("nothing was changed")
        })
    }
}

/// What is told of a sealed file that could not be opened.
fn not_opened(file: &Path, error: &SealError) -> Fault {
    let fault = match error {
        SealError::Io(error) => trouble::io("reading", file, error),
        SealError::OtherKey => Fault::refused(format!("{}: {error}", file.display()))
            .hint("it was sealed for somebody else; `engram copies` says for whom"),
        _ => Fault::usage(format!("{}: {error}", file.display())),
    };
    fault.hint("nothing was changed")
}

/// What is told of a copy that could not be read on. One that is sealed shows only
/// here that it was cut or changed.
pub(crate) fn not_read(file: &Path, error: &io::Error) -> Fault {
    let fault = match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
            Fault::usage(format!("{} is cut or damaged", file.display()))
        }
        _ => trouble::io("reading", file, error),
    };
    fault.hint("nothing was changed")
}

impl OpenStore {
    /// How the list of known copies names it.
    pub(crate) fn as_copied(&self) -> CopiedStore {
        let path = self.project.as_ref().map(|seen| seen.path.clone());
        CopiedStore { scope: self.scope(), database: self.database.clone(), path }
    }
}

/// A copy that is being written: under another name until it is whole.
pub(crate) struct CopyFile {
    file: PathBuf,
    output: Output,
    /// Those who can open it.
    sealed_for: Vec<String>,
    draft: PathBuf,
    leftovers: Leftovers,
    announced: Announced,
}

enum Output {
    Clear(BufWriter<File>),
    Sealed(Box<Sealing<BufWriter<File>>>),
}

impl CopyFile {
    /// Begins a copy that is on the list. What is sealed never touches the disk in the
    /// clear here.
    pub(crate) fn begin(
        announced: Announced,
        file: &Path,
        sealed_for: Option<&SealedFor>,
    ) -> Result<Self, Fault> {
        let failed = |error: io::Error| trouble::io("writing", file, &error);
        let folder = file.parent().unwrap_or(Path::new("/"));
        if !folder.exists() {
            private_folder(folder).map_err(failed)?;
        }
        let mut leftovers = Leftovers::default();
        let draft = leftovers.beside(file, "part");
        let output = BufWriter::new(private_create(&draft).map_err(failed)?);
        let output = match sealed_for {
            None => Output::Clear(output),
            Some(sealed_for) => {
                let sealing = sealed_for.recipients.seal(output);
                let sealing = sealing.map_err(|error| Fault::environment(error.to_string()))?;
                Output::Sealed(Box::new(sealing))
            }
        };
        let sealed_for = sealed_for.map(|sealed| sealed.names.clone()).unwrap_or_default();
        Ok(Self { file: file.to_owned(), output, sealed_for, draft, leftovers, announced })
    }

    /// Ends it, enters in the list what it holds, and gives it its name; the number is
    /// its length in bytes.
    pub(crate) fn finish(self, kind: CopyKind, stores: Vec<CopiedStore>) -> Result<u64, Fault> {
        let Self { file, output, sealed_for, draft, leftovers, announced } = self;
        let failed = |error: io::Error| trouble::io("writing", &file, &error);
        let output = match output {
            Output::Clear(output) => output,
            Output::Sealed(sealing) => sealing
                .finish()
                .map_err(|error| Fault::environment(format!("{}: {error}", file.display())))?,
        };
        let output = output.into_inner().map_err(|error| failed(error.into_error()))?;
        output.sync_all().map_err(failed)?;
        let bytes = output.metadata().map_err(failed)?.len();
        let copy = KnownCopy { file: file.clone(), kind, made_at: now(), stores, sealed_for };
        announced.finish(copy)?;
        fs::rename(&draft, &file).map_err(failed)?;
        let folder = file.parent().unwrap_or(Path::new("/"));
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
        drop(leftovers);
        Ok(bytes)
    }
}

impl Write for CopyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.output {
            Output::Clear(output) => output.write(bytes),
            Output::Sealed(sealing) => sealing.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.output {
            Output::Clear(output) => output.flush(),
            Output::Sealed(sealing) => sealing.flush(),
        }
    }
}

/// Files that hold everyone's text and are gone when this is.
#[derive(Default)]
pub(crate) struct Leftovers(pub(crate) Vec<PathBuf>);

impl Leftovers {
    /// A name of its own beside `file`.
    pub(crate) fn beside(&mut self, file: &Path, ending: &str) -> PathBuf {
        // Two copies to one name may be under way at once.
        static TURN: AtomicU64 = AtomicU64::new(0);
        let turn = TURN.fetch_add(1, Ordering::Relaxed);
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let path = file.with_file_name(format!(".{name}.{turn}.{ending}"));
        self.0.push(path.clone());
        path
    }
}

impl Drop for Leftovers {
    fn drop(&mut self) {
        for file in &self.0 {
            let _ = fs::remove_file(file);
        }
    }
}

/// Removes what a daemon left in the folder of backups that was killed while it
/// wrote or read one. No other daemon of this home may run.
pub(crate) fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') && (name.ends_with(".surql") || name.ends_with(".part")) {
            let _ = fs::remove_file(entry.path());
        }
        // A store that was built of a backup, to take something out of it.
        if name.starts_with(".erasing-") {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
