//! The network all known models share: BERT, from token numbers to one vector
//! per text.
//!
//! It reads its weights from a file in the form `tensors` writes, and knows
//! neither words nor which model it is. The table of token vectors, half of the
//! file, stays on disk: a text needs a few rows of it, and the system keeps
//! those that are used.

use super::arithmetic::{Machine, Panels, Rows, add_and_normalise, gelu, multiply, softmax};
use crate::tensors::{TensorError, TensorFile};

/// The numbers that the weights alone do not tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    pub(crate) pooling: Pooling,
}

/// How the vectors of the tokens become the vector of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// The mean over all tokens.
    Mean,
    /// The first token's.
    First,
}

pub(crate) struct Bert {
    machine: Machine,
    heads: usize,
    pooling: Pooling,
    width: usize,
    file: TensorFile,
    /// Positions, each with the vector of the only segment added.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

struct Dense {
    weight: Panels,
    bias: Vec<f32>,
}

struct Layer {
    /// Query, key and value beside each other.
    attention: Dense,
    projection: Dense,
    attention_norm: Norm,
    wide: Dense,
    narrow: Dense,
    norm: Norm,
}

const WORDS: &str = "embeddings.word_embeddings.weight";
const POSITIONS: &str = "embeddings.position_embeddings.weight";
const SEGMENTS: &str = "embeddings.token_type_embeddings.weight";

/// The tensors the network reads, in the order of their file. Each is asked for
/// with `shape_of` and must be as wide as the network where it is given; the
/// numbers of words, positions and inner columns are the weights' own.
pub(crate) fn needed_tensors<E: From<TensorError>>(
    layers: usize,
    width: usize,
    shape_of: impl Fn(&str) -> Result<Vec<usize>, E>,
) -> Result<Vec<(String, Vec<usize>)>, E> {
    let (vector, table) = (&[Some(width)][..], &[None, Some(width)][..]);
    let (square, turned, any) = (&[Some(width), Some(width)][..], &[Some(width), None][..], &[None][..]);
    let mut expected: Vec<(String, &[Option<usize>])> = vec![
        (WORDS.to_owned(), table),
        (POSITIONS.to_owned(), table),
        (SEGMENTS.to_owned(), table),
        ("embeddings.LayerNorm.weight".to_owned(), vector),
        ("embeddings.LayerNorm.bias".to_owned(), vector),
    ];
    for layer in 0..layers {
        for (part, weight, bias) in [
            ("attention.self.query", square, vector),
            ("attention.self.key", square, vector),
            ("attention.self.value", square, vector),
            ("attention.output.dense", square, vector),
            ("attention.output.LayerNorm", vector, vector),
            ("intermediate.dense", table, any),
            ("output.dense", turned, vector),
            ("output.LayerNorm", vector, vector),
        ] {
            expected.push((format!("encoder.layer.{layer}.{part}.weight"), weight));
            expected.push((format!("encoder.layer.{layer}.{part}.bias"), bias));
        }
    }
    let checked = expected.into_iter().map(|(name, expected)| {
        let found = shape_of(&name)?;
        let mut sizes = found.iter().zip(expected);
        let fits = found.len() == expected.len()
            && sizes.all(|(found, expected)| expected.is_none_or(|size| size == *found));
        if fits { Ok((name, found)) } else { Err(TensorError::Shape { name, found }.into()) }
    });
    checked.collect()
}

impl Bert {
    pub(crate) fn load(file: TensorFile, shape: Shape) -> Result<Self, TensorError> {
        let width = *file.shape(WORDS)?.last().unwrap_or(&0);
        if width == 0 || width % shape.heads != 0 {
            return Err(TensorError::Shape { name: WORDS.to_owned(), found: file.shape(WORDS)?.to_vec() });
        }
        needed_tensors(shape.layers, width, |name| Ok::<_, TensorError>(file.shape(name)?.to_vec()))?;
        let machine = Machine::detect();
        let norm = |name: &str| -> Result<Norm, TensorError> {
            Ok(Norm {
                weight: file.read(&format!("{name}.weight"))?,
                bias: file.read(&format!("{name}.bias"))?,
            })
        };
        let dense = |names: &[String]| -> Result<Dense, TensorError> {
            let (mut lines, mut bias) = (Vec::new(), Vec::new());
            let inner = file.shape(&format!("{}.weight", names[0]))?[1];
            for name in names {
                lines.extend(file.read(&format!("{name}.weight"))?);
                bias.extend(file.read(&format!("{name}.bias"))?);
            }
            if bias.len() * inner != lines.len() {
                let found = vec![bias.len()];
                return Err(TensorError::Shape { name: format!("{}.bias", names[0]), found });
            }
            let weight = Panels::of_columns(inner, lines.chunks_exact(inner)).halved(machine);
            Ok(Dense { weight, bias })
        };
        let segment = file.read(SEGMENTS)?;
        let mut positions = file.read(POSITIONS)?;
        for position in positions.chunks_exact_mut(width) {
            position.iter_mut().zip(&segment).for_each(|(value, segment)| *value += segment);
        }
        let mut layers = Vec::with_capacity(shape.layers);
        for layer in 0..shape.layers {
            let name = |part: &str| format!("encoder.layer.{layer}.{part}");
            let attention = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
            layers.push(Layer {
                attention: dense(&attention)?,
                projection: dense(&[name("attention.output.dense")])?,
                attention_norm: norm(&name("attention.output.LayerNorm"))?,
                wide: dense(&[name("intermediate.dense")])?,
                narrow: dense(&[name("output.dense")])?,
                norm: norm(&name("output.LayerNorm"))?,
            });
        }
        let norm = norm("embeddings.LayerNorm")?;
        let (heads, pooling) = (shape.heads, shape.pooling);
        Ok(Bert { machine, heads, pooling, width, positions, norm, layers, file })
    }

    /// Vectors of length one, a text each. The texts of one call go through
    /// each layer together, which reads the weights once for all of them; no
    /// text sees another.
    pub(crate) fn embed(&self, texts: &[Vec<u32>]) -> Result<Vec<Vec<f32>>, TensorError> {
        let width = self.width;
        let longest = self.positions.len() / width;
        if let Some(text) = texts.iter().find(|text| text.is_empty() || text.len() > longest) {
            return Err(TensorError::Broken(format!("it has no place for a text of {} tokens", text.len())));
        }
        let count: usize = texts.iter().map(Vec::len).sum();
        let mut states = vec![0.0; count * width];
        let mut places = vec![0.0; count * width];
        let rows = states.chunks_exact_mut(width).zip(places.chunks_exact_mut(width));
        let tokens = texts.iter().flat_map(|text| text.iter().zip(self.positions.chunks_exact(width)));
        for ((state, place), (token, position)) in rows.zip(tokens) {
            self.file.read_row(WORDS, *token as usize, state)?;
            place.copy_from_slice(position);
        }
        add_and_normalise(self.machine, &mut states, &places, &self.norm.weight, &self.norm.bias);
        let mut room = Room::new(count, width, &self.layers);
        for layer in &self.layers {
            self.apply(layer, texts, &mut states, &mut room);
        }
        let mut first = 0;
        let vectors = texts.iter().map(|text| {
            let tokens = &states[first * width..(first + text.len()) * width];
            first += text.len();
            let mut vector = tokens[..width].to_vec();
            if self.pooling == Pooling::Mean {
                for token in tokens.chunks_exact(width).skip(1) {
                    vector.iter_mut().zip(token).for_each(|(sum, value)| *sum += value);
                }
            }
            let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
            vector.iter_mut().for_each(|value| *value /= length.max(f32::MIN_POSITIVE));
            vector
        });
        Ok(vectors.collect())
    }

    fn apply(&self, layer: &Layer, texts: &[Vec<u32>], states: &mut [f32], room: &mut Room) {
        let (machine, width) = (self.machine, self.width);
        self.dense(&layer.attention, states, &mut room.attention);
        let mut first = 0;
        for text in texts {
            let inside = &room.attention[first * 3 * width..(first + text.len()) * 3 * width];
            let output = &mut room.mixed[first * width..(first + text.len()) * width];
            self.attend(inside, output, &mut room.panels, &mut room.scores);
            first += text.len();
        }
        self.dense(&layer.projection, &room.mixed, &mut room.narrow);
        let norm = &layer.attention_norm;
        add_and_normalise(machine, states, &room.narrow, &norm.weight, &norm.bias);
        self.dense(&layer.wide, states, &mut room.wide);
        gelu(machine, &mut room.wide);
        self.dense(&layer.narrow, &room.wide, &mut room.narrow);
        add_and_normalise(machine, states, &room.narrow, &layer.norm.weight, &layer.norm.bias);
    }

    fn dense(&self, dense: &Dense, input: &[f32], output: &mut [f32]) {
        let columns = dense.bias.len();
        let count = output.len() / columns;
        let rows = Rows { values: input, stride: input.len() / count, count };
        multiply(self.machine, rows, &dense.weight, Some(&dense.bias), output, columns);
    }

    /// Lets the tokens of one text look at each other: per head, each token's
    /// output is the mean of the values, weighted by how its query meets the
    /// keys. `inside` has query, key and value of a token beside each other.
    fn attend(&self, inside: &[f32], output: &mut [f32], panels: &mut Panels, scores: &mut Vec<f32>) {
        let (machine, width) = (self.machine, self.width);
        let count = output.len() / width;
        let size = width / self.heads;
        scores.resize(count * count, 0.0);
        for head in 0..self.heads {
            let line = |part: usize| {
                inside.chunks_exact(3 * width).map(move |token| &token[part * width + head * size..][..size])
            };
            panels.set_columns(size, line(1));
            let queries = Rows { values: &inside[head * size..], stride: 3 * width, count };
            multiply(machine, queries, panels, None, scores, count);
            softmax(machine, scores, count, 1.0 / (size as f32).sqrt());
            panels.set_rows(size, line(2));
            let weights = Rows { values: scores, stride: count, count };
            multiply(machine, weights, panels, None, &mut output[head * size..], width);
        }
    }
}

/// What a pass writes between the layers.
struct Room {
    attention: Vec<f32>,
    mixed: Vec<f32>,
    narrow: Vec<f32>,
    wide: Vec<f32>,
    scores: Vec<f32>,
    panels: Panels,
}

impl Room {
    fn new(count: usize, width: usize, layers: &[Layer]) -> Self {
        let widest = layers.iter().map(|layer| layer.wide.bias.len()).max().unwrap_or(0);
        Room {
            attention: vec![0.0; count * 3 * width],
            mixed: vec![0.0; count * width],
            narrow: vec![0.0; count * width],
            wide: vec![0.0; count * widest],
            scores: Vec::new(),
            panels: Panels::default(),
        }
    }
}
