//! The weights of a BERT out of an ONNX file.
//!
//! Only what is needed: the stored tensors, and of the graph which product
//! uses which of them. Exporters keep the names of most weights; those of the
//! products get numbers, and the name of the node says whose they are. They
//! are stored the other way round.

use crate::tensors::TensorError;
use std::collections::HashMap;

/// A message of protocol buffers: fields with a number, in any order.
#[derive(Clone, Copy)]
struct Fields<'a>(&'a [u8]);

enum Content<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl<'a> Iterator for Fields<'a> {
    type Item = Option<(u64, Content<'a>)>;

    /// `Some(None)` is a broken message.
    fn next(&mut self) -> Option<Self::Item> {
        (!self.0.is_empty()).then(|| {
            let key = self.number()?;
            let content = match key & 7 {
                0 => Content::Number(self.number()?),
                1 => Content::Bytes(self.take(8)?),
                2 => {
                    let length = usize::try_from(self.number()?).ok()?;
                    Content::Bytes(self.take(length)?)
                }
                5 => Content::Bytes(self.take(4)?),
                _ => return None,
            };
            Some((key >> 3, content))
        })
    }
}

impl<'a> Fields<'a> {
    /// Seven bits a byte, the lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// Empties what is left if there is not enough, so that an iteration ends.
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let taken = self.0.split_at_checked(count);
        let (taken, rest) = taken.map_or((None, &[][..]), |(taken, rest)| (Some(taken), rest));
        self.0 = rest;
        taken
    }
}

struct Stored<'a> {
    shape: Vec<usize>,
    values: &'a [u8],
    /// Stored by its inputs first, as products want it.
    turned: bool,
}

/// The 32-bit weights of a file, by the names that BERT's own have.
pub(crate) struct OnnxWeights<'a> {
    stored: HashMap<String, Stored<'a>>,
}

impl<'a> OnnxWeights<'a> {
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, TensorError> {
        let broken = || TensorError::Broken("it is no ONNX model with 32-bit weights".to_owned());
        let stored = parse(bytes).ok_or_else(broken)?;
        if stored.is_empty() {
            return Err(broken());
        }
        Ok(OnnxWeights { stored })
    }

    pub(crate) fn shape(&self, name: &str) -> Result<Vec<usize>, TensorError> {
        let stored = self.stored(name)?;
        let mut shape = stored.shape.clone();
        if stored.turned {
            shape.reverse();
        }
        Ok(shape)
    }

    pub(crate) fn read(&self, name: &str) -> Result<Vec<f32>, TensorError> {
        let stored = self.stored(name)?;
        let values = stored.values.as_chunks::<4>().0;
        let Stored { shape, turned: true, .. } = stored else {
            return Ok(values.iter().map(|value| f32::from_le_bytes(*value)).collect());
        };
        let (rows, columns) = (shape[0], shape[1]);
        let places = (0..columns).flat_map(|column| (0..rows).map(move |row| row * columns + column));
        Ok(places.map(|place| f32::from_le_bytes(values[place])).collect())
    }

    fn stored(&self, name: &str) -> Result<&Stored<'a>, TensorError> {
        self.stored.get(name).ok_or_else(|| TensorError::Missing(name.to_owned()))
    }
}

fn parse(bytes: &[u8]) -> Option<HashMap<String, Stored<'_>>> {
    let mut found = HashMap::new();
    let mut owners = Vec::new();
    for field in Fields(bytes) {
        let (7, Content::Bytes(graph)) = field? else { continue };
        for field in Fields(graph) {
            match field? {
                (1, Content::Bytes(node)) => owners.extend(product(node)?),
                (5, Content::Bytes(tensor)) => found.extend(stored(tensor)?),
                _ => {}
            }
        }
    }
    for (owner, weight) in owners {
        if let Some(mut tensor) = found.remove(&weight).filter(|tensor: &Stored<'_>| tensor.shape.len() == 2)
        {
            tensor.turned = true;
            found.insert(owner, tensor);
        }
    }
    Some(found)
}

/// The name BERT gives to the weight of a product, and the name it has here.
/// The outer option is a broken message, the inner one another kind of node.
fn product(node: &[u8]) -> Option<Option<(String, String)>> {
    let (mut inputs, mut name, mut kind) = (Vec::new(), "", "");
    for field in Fields(node) {
        match field? {
            (1, Content::Bytes(text)) => inputs.push(std::str::from_utf8(text).ok()?),
            (3, Content::Bytes(text)) => name = std::str::from_utf8(text).ok()?,
            (4, Content::Bytes(text)) => kind = std::str::from_utf8(text).ok()?,
            _ => {}
        }
    }
    let owner = name.strip_prefix('/').and_then(|name| name.strip_suffix("/MatMul"));
    Some(match (kind, owner, inputs.get(1)) {
        ("MatMul", Some(owner), Some(weight)) => {
            Some((format!("{}.weight", owner.replace('/', ".")), (*weight).to_owned()))
        }
        _ => None,
    })
}

/// A tensor of 32-bit floats with its name; the inner option is another type.
fn stored(tensor: &[u8]) -> Option<Option<(String, Stored<'_>)>> {
    const FLOAT: u64 = 1;
    let (mut shape, mut kind, mut name, mut values) = (Vec::new(), 0, "", &[][..]);
    for field in Fields(tensor) {
        match field? {
            (1, Content::Number(size)) => shape.push(usize::try_from(size).ok()?),
            (1, Content::Bytes(packed)) => {
                let mut packed = Fields(packed);
                while !packed.0.is_empty() {
                    shape.push(usize::try_from(packed.number()?).ok()?);
                }
            }
            (2, Content::Number(number)) => kind = number,
            (8, Content::Bytes(text)) => name = std::str::from_utf8(text).ok()?,
            // Floats packed one after the other are the same bytes as raw ones.
            (4 | 9, Content::Bytes(bytes)) => values = bytes,
            _ => {}
        }
    }
    let count = shape.iter().try_fold(4_usize, |product, size| product.checked_mul(*size))?;
    let whole = kind == FLOAT && count == values.len();
    Some(whole.then(|| (name.to_owned(), Stored { shape, values, turned: false })))
}
