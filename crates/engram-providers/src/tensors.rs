//! Named tables of numbers in one file: the safetensors form, 32-bit floats.
//!
//! A header in JSON says where each table lies; the rest are the numbers,
//! little endian. Nothing is trusted before it was compared with the size of
//! the file.

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// A header longer than this is no header.
const LONGEST_HEADER: u64 = 16 << 20;

#[derive(Debug, thiserror::Error)]
pub enum TensorError {
    #[error("the weights cannot be read: {0}")]
    Io(#[from] io::Error),
    #[error("the weights are broken: {0}")]
    Broken(String),
    #[error("the weights have no {0}")]
    Missing(String),
    #[error("{name} of the weights has the wrong shape {found:?}")]
    Shape { name: String, found: Vec<usize> },
}

struct Place {
    shape: Vec<usize>,
    /// From the beginning of the file, in bytes.
    start: u64,
}

/// A file of tensors, open.
pub(crate) struct TensorFile {
    file: File,
    places: BTreeMap<String, Place>,
}

impl TensorFile {
    pub(crate) fn open(path: &Path) -> Result<Self, TensorError> {
        let file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut length = [0; 8];
        file.read_exact_at(&mut length, 0)?;
        let length = u64::from_le_bytes(length);
        if length > LONGEST_HEADER || length + 8 > size {
            return Err(TensorError::Broken("its header is longer than the file".to_owned()));
        }
        let mut header = vec![0; length as usize];
        file.read_exact_at(&mut header, 8)?;
        let header: Map<String, Value> =
            serde_json::from_slice(&header).map_err(|error| TensorError::Broken(error.to_string()))?;
        let mut places = BTreeMap::new();
        for (name, entry) in header {
            // Other types are other things, such as the numbers of positions.
            if entry["dtype"] == "F32" {
                let place = place(&entry, 8 + length, size)
                    .ok_or_else(|| TensorError::Broken(format!("{name} does not lie within it")))?;
                places.insert(name, place);
            }
        }
        Ok(TensorFile { file, places })
    }

    pub(crate) fn shape(&self, name: &str) -> Result<&[usize], TensorError> {
        Ok(&self.place(name)?.shape)
    }

    pub(crate) fn read(&self, name: &str) -> Result<Vec<f32>, TensorError> {
        let place = self.place(name)?;
        let mut values = vec![0.0; place.shape.iter().product()];
        self.read_at(place.start, &mut values)?;
        Ok(values)
    }

    /// One row of a table, as long as `values`.
    pub(crate) fn read_row(&self, name: &str, row: usize, values: &mut [f32]) -> Result<(), TensorError> {
        let place = self.place(name)?;
        if place.shape.len() != 2 || row >= place.shape[0] || values.len() != place.shape[1] {
            return Err(TensorError::Broken(format!("{name} has no row {row} of {}", values.len())));
        }
        self.read_at(place.start + (row * values.len() * 4) as u64, values)
    }

    fn read_at(&self, start: u64, values: &mut [f32]) -> Result<(), TensorError> {
        let mut bytes = vec![0; values.len() * 4];
        self.file.read_exact_at(&mut bytes, start)?;
        for (value, bytes) in values.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *value = f32::from_le_bytes(*bytes);
        }
        Ok(())
    }

    fn place(&self, name: &str) -> Result<&Place, TensorError> {
        self.places.get(name).ok_or_else(|| TensorError::Missing(name.to_owned()))
    }
}

/// Where a header's entry says its numbers are, if the file is that long.
fn place(entry: &Value, after: u64, size: u64) -> Option<Place> {
    let shape = entry["shape"].as_array()?.iter().map(|size| usize::try_from(size.as_u64()?).ok());
    let shape: Vec<usize> = shape.collect::<Option<_>>()?;
    let start = after.checked_add(entry["data_offsets"][0].as_u64()?)?;
    let end = after.checked_add(entry["data_offsets"][1].as_u64()?)?;
    let count = shape.iter().try_fold(4_usize, |product, size| product.checked_mul(*size))?;
    (end <= size && start.checked_add(count as u64)? == end).then_some(Place { shape, start })
}

/// Writes tensors of these names and shapes, in this order, each made when its
/// turn comes: a model is larger than its largest part.
pub(crate) fn write<E: From<io::Error>>(
    output: &mut impl Write,
    shapes: &[(String, Vec<usize>)],
    mut values_of: impl FnMut(&str) -> Result<Vec<f32>, E>,
) -> Result<(), E> {
    let mut header = Map::new();
    let mut start = 0;
    for (name, shape) in shapes {
        let end = start + 4 * shape.iter().product::<usize>();
        header.insert(name.clone(), json!({"dtype": "F32", "shape": shape, "data_offsets": [start, end]}));
        start = end;
    }
    let mut header = Value::Object(header).to_string();
    // The form wants the numbers to begin at a multiple of eight.
    header.push_str(&" ".repeat(header.len().next_multiple_of(8) - header.len()));
    output.write_all(&(header.len() as u64).to_le_bytes())?;
    output.write_all(header.as_bytes())?;
    for (name, shape) in shapes {
        let values = values_of(name)?;
        assert_eq!(values.len(), shape.iter().product::<usize>(), "{name} is not of its shape");
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        output.write_all(&bytes)?;
    }
    Ok(())
}
