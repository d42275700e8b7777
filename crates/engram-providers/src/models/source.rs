//! What a model is installed from: a folder, or an archive that is unpacked
//! into one.

use super::archive::Archive;
use super::{InstallError, hex, io_at};
use crate::onnx::OnnxWeights;
use crate::tensors::{TensorError, TensorFile};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// How the files are called that a model is made of, the better ones first.
const WEIGHTS: [&str; 2] = [".safetensors", ".onnx"];
const VOCABULARIES: [&str; 2] = ["vocab.txt", "tokenizer.json"];

pub(super) struct Source {
    weights: PathBuf,
    vocabulary: PathBuf,
    /// What was unpacked, and is to go again.
    unpacked: Option<PathBuf>,
}

/// The weights of a source, whatever form they have.
pub(super) enum Weights<'a> {
    Tensors(TensorFile),
    Onnx(OnnxWeights<'a>),
}

impl Weights<'_> {
    pub(super) fn shape(&self, name: &str) -> Result<Vec<usize>, TensorError> {
        match self {
            Weights::Tensors(file) => Ok(file.shape(name)?.to_vec()),
            Weights::Onnx(weights) => weights.shape(name),
        }
    }

    pub(super) fn read(&self, name: &str) -> Result<Vec<f32>, TensorError> {
        match self {
            Weights::Tensors(file) => file.read(name),
            Weights::Onnx(weights) => weights.read(name),
        }
    }
}

impl Source {
    /// An archive is unpacked inside `folder`, as far as it is needed.
    pub(super) fn open(path: &Path, source_name: &str, folder: &Path) -> Result<Self, InstallError> {
        let is_folder = path.metadata().map_err(|error| io_at(path, error))?.is_dir();
        if is_folder {
            let entries = fs::read_dir(path).map_err(|error| io_at(path, error))?.flatten();
            let names: Vec<String> =
                entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            let weights = path.join(choose(&names, &WEIGHTS, "weights", source_name)?);
            let vocabulary = path.join(choose(&names, &VOCABULARIES, "vocabulary", source_name)?);
            return Ok(Source { weights, vocabulary, unpacked: None });
        }
        let mut magic = [0; 4];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut magic));
        if read.is_err() || &magic != b"PK\x03\x04" {
            return Err(InstallError::Source { source_name: source_name.to_owned() });
        }
        let archive = Archive::open(path)?;
        let names: Vec<String> = archive.entries.iter().map(|entry| entry.name.clone()).collect();
        let unpacked = folder.join("unpacked");
        fs::create_dir(&unpacked).map_err(|error| io_at(&unpacked, error))?;
        let unpack = |endings, what| {
            let name = choose(&names, endings, what, source_name)?;
            // Only the ending is kept: names in archives are anybody's.
            let place = unpacked.join(format!("{what}.{}", name.rsplit('.').next().unwrap_or_default()));
            let mut file = File::create(&place).map_err(|error| io_at(&place, error))?;
            for entry in archive.entries.iter().filter(|entry| &entry.name == name) {
                archive.copy(entry, &mut file)?;
            }
            Ok::<_, InstallError>(place)
        };
        let weights = unpack(&WEIGHTS, "weights")?;
        let vocabulary = unpack(&VOCABULARIES, "vocabulary")?;
        Ok(Source { weights, vocabulary, unpacked: Some(unpacked.clone()) })
    }

    pub(super) fn weights_sha256(&self) -> Result<String, InstallError> {
        let mut digest = Sha256::new();
        File::open(&self.weights)
            .and_then(|mut file| std::io::copy(&mut file, &mut digest))
            .map_err(|error| io_at(&self.weights, error))?;
        Ok(hex(digest.finalize()))
    }

    pub(super) fn with_weights(
        &self,
        used: impl FnOnce(&Weights<'_>) -> Result<(), InstallError>,
    ) -> Result<(), InstallError> {
        if self.weights.extension().is_some_and(|ending| ending == "safetensors") {
            return used(&Weights::Tensors(TensorFile::open(&self.weights)?));
        }
        let bytes = fs::read(&self.weights).map_err(|error| io_at(&self.weights, error))?;
        used(&Weights::Onnx(OnnxWeights::parse(&bytes)?))
    }

    /// One token a line, in the order of their numbers.
    pub(super) fn vocabulary(&self) -> Result<String, InstallError> {
        let text = fs::read_to_string(&self.vocabulary).map_err(|error| io_at(&self.vocabulary, error))?;
        if self.vocabulary.extension().is_some_and(|ending| ending == "txt") {
            return Ok(text);
        }
        let broken = |problem: &str| InstallError::Vocabulary(problem.to_owned());
        let file: Value = serde_json::from_str(&text).map_err(|error| broken(&error.to_string()))?;
        if file["model"]["type"] != "WordPiece" {
            return Err(broken("it is not of the WordPiece kind"));
        }
        let numbers = file["model"]["vocab"].as_object().ok_or_else(|| broken("it has no tokens"))?;
        let mut tokens = vec![""; numbers.len()];
        for (token, number) in numbers {
            let place = number.as_u64().and_then(|number| tokens.get_mut(usize::try_from(number).ok()?));
            *place.ok_or_else(|| broken("its numbers have gaps"))? = token;
        }
        Ok(tokens.into_iter().flat_map(|token| [token, "\n"]).collect())
    }

    /// Gives back the room of what was unpacked.
    pub(super) fn clear(self) -> Result<(), InstallError> {
        match &self.unpacked {
            Some(folder) => fs::remove_dir_all(folder).map_err(|error| io_at(folder, error)),
            None => Ok(()),
        }
    }
}

/// The one file with the first of these endings that any file has.
fn choose<'a>(
    names: &'a [String],
    endings: &[&str],
    what: &'static str,
    source_name: &str,
) -> Result<&'a String, InstallError> {
    for ending in endings {
        let found: Vec<&String> = names.iter().filter(|name| name.ends_with(ending)).collect();
        match found[..] {
            [] => {}
            [name] => return Ok(name),
            _ => {
                let names = found.into_iter().cloned().collect::<Vec<_>>().join(", ");
                return Err(InstallError::Ambiguous { source_name: source_name.to_owned(), what, names });
            }
        }
    }
    Err(InstallError::Incomplete { source_name: source_name.to_owned(), missing: what })
}
