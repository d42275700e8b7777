//! A model small enough for tests, in every form a model comes in.

use crate::scale::Scale;
use crate::spec::{ModelSpec, Package, Prefixes};
use crate::tensors;
use crate::transformer::{Pooling, needed_tensors};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use sha2::{Digest, Sha256};
use std::io::Write;

pub(crate) const WIDTH: usize = 8;
pub(crate) const HEADS: usize = 2;
pub(crate) const LAYERS: usize = 2;
pub(crate) const INNER: usize = 12;
pub(crate) const POSITIONS: usize = 40;

pub(crate) const VOCABULARY: [&str; 30] = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b", "c", "the", "key", "is", "in", "vault", "query", "doc",
    ":", "##a", "##b", "##s", "where", "?", ".", "staging", "old", "new", "run", "test", "##ing", "on", "i",
    "we",
];

/// Numbers between -1 and 1 that look random, are always the same, and have a
/// form of 16 bits.
pub(crate) fn noise(seed: u32, count: usize) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 21) as f32 / 1024.0 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// Names, shapes and numbers.
pub(crate) fn weights() -> Vec<(String, Vec<usize>, Vec<f32>)> {
    let shape_of = |name: &str| {
        let vector = |size| Ok::<_, tensors::TensorError>(vec![size]);
        let table = |rows, columns| Ok(vec![rows, columns]);
        match name {
            "embeddings.word_embeddings.weight" => table(VOCABULARY.len(), WIDTH),
            "embeddings.position_embeddings.weight" => table(POSITIONS, WIDTH),
            "embeddings.token_type_embeddings.weight" => table(2, WIDTH),
            name if name.ends_with("intermediate.dense.weight") => table(INNER, WIDTH),
            name if name.ends_with("intermediate.dense.bias") => vector(INNER),
            name if name.contains("LayerNorm") || name.ends_with("bias") => vector(WIDTH),
            name if name.contains("attention") => table(WIDTH, WIDTH),
            _ => table(WIDTH, INNER),
        }
    };
    let needed = needed_tensors(LAYERS, WIDTH, shape_of).unwrap();
    let numbered = (1..).zip(needed);
    numbered.map(|(seed, (name, shape))| (name, shape.clone(), noise(seed, shape.iter().product()))).collect()
}

pub(crate) fn safetensors() -> Vec<u8> {
    let weights = weights();
    let shapes: Vec<_> = weights.iter().map(|(name, shape, _)| (name.clone(), shape.clone())).collect();
    let mut bytes = Vec::new();
    tensors::write(&mut bytes, &shapes, |name| {
        Ok::<_, std::io::Error>(weights.iter().find(|(known, ..)| known == name).unwrap().2.clone())
    })
    .unwrap();
    bytes
}

fn number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn field(key: u64, content: &[u8], bytes: &mut Vec<u8>) {
    number(key << 3 | 2, bytes);
    number(content.len() as u64, bytes);
    bytes.extend(content);
}

/// As exporters write it: the weights of products without their names, and
/// turned.
pub(crate) fn onnx() -> Vec<u8> {
    let mut graph = Vec::new();
    for (at, (name, mut shape, mut values)) in weights().into_iter().enumerate() {
        let mut stored_name = name.clone();
        if shape.len() == 2 && name.starts_with("encoder") {
            values = (0..values.len()).map(|at| values[at % shape[0] * shape[1] + at / shape[0]]).collect();
            shape.reverse();
            stored_name = format!("onnx::MatMul_{at}");
            let mut node = Vec::new();
            field(1, b"some input", &mut node);
            field(1, stored_name.as_bytes(), &mut node);
            field(
                3,
                format!(
                    "/{}/MatMul",
                    name.trim_end_matches(".weight").replace('.', "/").replace("layer/", "layer.")
                )
                .as_bytes(),
                &mut node,
            );
            field(4, b"MatMul", &mut node);
            field(1, &node, &mut graph);
        }
        let mut tensor = Vec::new();
        for size in shape {
            number(1 << 3, &mut tensor);
            number(size as u64, &mut tensor);
        }
        number(2 << 3, &mut tensor);
        number(1, &mut tensor);
        field(8, stored_name.as_bytes(), &mut tensor);
        field(9, &values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>(), &mut tensor);
        field(5, &tensor, &mut graph);
    }
    let mut model = Vec::new();
    number(1 << 3, &mut model);
    number(8, &mut model);
    field(7, &graph, &mut model);
    model
}

pub(crate) fn vocabulary() -> String {
    VOCABULARY.iter().flat_map(|token| [token, "\n"]).collect()
}

pub(crate) fn tokenizer_json() -> String {
    let vocabulary: serde_json::Map<String, serde_json::Value> =
        VOCABULARY.iter().zip(0..).map(|(token, number)| ((*token).to_owned(), i64::into(number))).collect();
    serde_json::json!({"padding": {"strategy": {"Fixed": 128}}, "model": {"type": "WordPiece", "vocab": vocabulary}})
        .to_string()
}

/// A zip of these files, every second one packed.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for (at, (name, content)) in files.iter().enumerate() {
        let mut checksum = flate2::Crc::new();
        checksum.update(content);
        let mut packed = content.to_vec();
        if at % 2 == 1 {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(content).unwrap();
            packed = encoder.finish().unwrap();
        }
        let start = bytes.len() as u32;
        let mut common = vec![20, 0, 0, 0, if at % 2 == 1 { 8 } else { 0 }, 0, 0, 0, 0, 0];
        for size in [checksum.sum(), packed.len() as u32, content.len() as u32] {
            common.extend(size.to_le_bytes());
        }
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        bytes.extend([b"PK\x03\x04", &common[..], name.as_bytes(), &packed].concat());
        list.extend(
            [b"PK\x01\x02\x14\0", &common[..], &[0; 10], &start.to_le_bytes(), name.as_bytes()].concat(),
        );
    }
    let start = bytes.len() as u32;
    let count = (files.len() as u16).to_le_bytes();
    bytes.extend(&list);
    bytes.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &(list.len() as u32).to_le_bytes()].concat());
    bytes.extend([&start.to_le_bytes()[..], &[0, 0]].concat());
    bytes
}

/// Known by the weights of `safetensors` and `onnx`.
pub(crate) fn spec(pooling: Pooling) -> &'static ModelSpec {
    let sha256 = |bytes: &[u8]| -> &'static str {
        let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Box::leak(hex.into_boxed_str())
    };
    let package = |bytes: &[u8]| Package { from: "nowhere", bytes: 0, sha256: sha256(bytes) };
    Box::leak(Box::new(ModelSpec {
        name: "tiny",
        dimensions: WIDTH,
        layers: LAYERS,
        heads: HEADS,
        pooling,
        prefixes: Prefixes { query: "query: ", document: "doc: " },
        max_tokens: 32,
        licence: "none",
        vocabulary_sha256: sha256(vocabulary().as_bytes()),
        packages: Box::leak(Box::new([package(&safetensors()), package(&onnx())])),
        scale: Scale::UNKNOWN,
    }))
}
