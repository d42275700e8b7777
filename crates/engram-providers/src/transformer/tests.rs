//! The network against a slow, obvious one in double precision.

use super::*;
use crate::tiny::{self, HEADS, LAYERS, WIDTH};
use std::collections::HashMap;

type Table = Vec<Vec<f64>>;

/// BERT as its paper has it, one number at a time.
struct Reference {
    tensors: HashMap<String, (Vec<usize>, Vec<f32>)>,
}

impl Reference {
    fn new() -> Self {
        let tensors = tiny::weights().into_iter().map(|(name, shape, values)| (name, (shape, values)));
        Reference { tensors: tensors.collect() }
    }

    fn vector(&self, name: &str) -> Vec<f64> {
        self.tensors[name].1.iter().map(|value| f64::from(*value)).collect()
    }

    fn table(&self, name: &str) -> Table {
        let columns = self.tensors[name].0[1];
        self.vector(name).chunks(columns).map(<[f64]>::to_vec).collect()
    }

    fn dense(&self, name: &str, rows: &Table) -> Table {
        let weight = self.table(&format!("{name}.weight"));
        let bias = self.vector(&format!("{name}.bias"));
        let line = |row: &Vec<f64>| {
            let cell = |(weight, bias): (&Vec<f64>, &f64)| dot(weight, row) + bias;
            weight.iter().zip(&bias).map(cell).collect()
        };
        rows.iter().map(line).collect()
    }

    fn norm(&self, name: &str, rows: &Table, added: &Table) -> Table {
        let weight = self.vector(&format!("{name}.weight"));
        let bias = self.vector(&format!("{name}.bias"));
        let line = |(row, added): (&Vec<f64>, &Vec<f64>)| -> Vec<f64> {
            let sum: Vec<f64> = row.iter().zip(added).map(|(a, b)| a + b).collect();
            let mean = sum.iter().sum::<f64>() / sum.len() as f64;
            let variance = sum.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / sum.len() as f64;
            let cell = |at: usize| (sum[at] - mean) / (variance + 1e-12).sqrt() * weight[at] + bias[at];
            (0..sum.len()).map(cell).collect()
        };
        rows.iter().zip(added).map(line).collect()
    }

    fn embed(&self, tokens: &[u32], pooling: Pooling) -> Vec<f64> {
        let words = self.table("embeddings.word_embeddings.weight");
        let positions = self.table("embeddings.position_embeddings.weight");
        let segment = self.table("embeddings.token_type_embeddings.weight").remove(0);
        let states: Table = tokens.iter().map(|token| words[*token as usize].clone()).collect();
        let places: Table = (0..tokens.len())
            .map(|at| positions[at].iter().zip(&segment).map(|(place, segment)| place + segment).collect())
            .collect();
        let mut states = self.norm("embeddings.LayerNorm", &states, &places);
        for layer in 0..LAYERS {
            let name = |part: &str| format!("encoder.layer.{layer}.{part}");
            let [queries, keys, values] = ["query", "key", "value"]
                .map(|part| self.dense(&name(&format!("attention.self.{part}")), &states));
            let size = WIDTH / HEADS;
            let mut mixed = vec![vec![0.0; WIDTH]; tokens.len()];
            for (token, row) in mixed.iter_mut().enumerate() {
                for head in 0..HEADS {
                    let part = head * size..(head + 1) * size;
                    let meet = |key: &Vec<f64>| dot(&queries[token][part.clone()], &key[part.clone()]);
                    let scores: Vec<f64> =
                        keys.iter().map(|key| (meet(key) / (size as f64).sqrt()).exp()).collect();
                    let sum: f64 = scores.iter().sum();
                    for (score, value) in scores.iter().zip(&values) {
                        for at in part.clone() {
                            row[at] += score / sum * value[at];
                        }
                    }
                }
            }
            let projected = self.dense(&name("attention.output.dense"), &mixed);
            states = self.norm(&name("attention.output.LayerNorm"), &states, &projected);
            let mut wide = self.dense(&name("intermediate.dense"), &states);
            wide.iter_mut().flatten().for_each(|x| *x *= normal(*x));
            let narrow = self.dense(&name("output.dense"), &wide);
            states = self.norm(&name("output.LayerNorm"), &states, &narrow);
        }
        let count = if pooling == Pooling::First { 1 } else { tokens.len() };
        let sum: Vec<f64> = (0..WIDTH).map(|at| states[..count].iter().map(|row| row[at]).sum()).collect();
        let length = dot(&sum, &sum).sqrt();
        sum.iter().map(|x| x / length).collect()
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The share of the normal distribution below `x`, by its series.
fn normal(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for k in 1..300 {
        term *= -x * x / (2.0 * f64::from(k));
        sum += term / f64::from(2 * k + 1);
    }
    0.5 + sum / (2.0 * std::f64::consts::PI).sqrt()
}

fn texts() -> Vec<String> {
    let texts =
        ["", "a", "where is the staging key?", "The key IS in the new vault.", "zzz unknown", "a b c"];
    let long = "we run the old test on the staging vault. ".repeat(20);
    texts.into_iter().map(str::to_owned).chain([long]).collect()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(WEIGHTS), tiny::safetensors()).unwrap();
    fs::write(folder.path().join(VOCABULARY), tiny::vocabulary()).unwrap();
    folder
}

#[test]
fn vectors_are_those_of_the_reference() {
    let folder = folder();
    let reference = Reference::new();
    for pooling in [Pooling::Mean, Pooling::First] {
        let model = Transformer::new(tiny::spec(pooling), folder.path().to_owned(), 1);
        for purpose in [Purpose::Query, Purpose::Document] {
            let vectors = model.embed_here(purpose, &texts()).unwrap();
            for (text, found) in texts().iter().zip(vectors) {
                let expected = reference.embed(&model.tokens(purpose, text).unwrap(), pooling);
                assert_eq!(found.len(), WIDTH);
                for (found, expected) in found.iter().zip(expected) {
                    assert!((f64::from(*found) - expected).abs() < 1e-5, "{text:?}: {found}, not {expected}");
                }
            }
        }
    }
}

#[test]
fn neither_neighbours_nor_threads_change_a_vector() {
    let folder = folder();
    let spec = tiny::spec(Pooling::Mean);
    let alone = Transformer::new(spec, folder.path().to_owned(), 1);
    let shared = Transformer::new(spec, folder.path().to_owned(), 3);
    let many: Vec<String> = texts().into_iter().cycle().take(40).collect();
    let vectors = shared.embed_here(Purpose::Document, &many).unwrap();
    for (text, vector) in many.iter().zip(vectors) {
        let expected = alone.embed_here(Purpose::Document, std::slice::from_ref(text)).unwrap();
        let nearest = vector.iter().zip(&expected[0]).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(nearest, "{text:?}");
    }
    assert!(shared.embed_here(Purpose::Query, &[]).unwrap().is_empty());
}

#[test]
fn purposes_have_their_prefixes_and_long_texts_are_cut() {
    let folder = folder();
    let model = Transformer::new(tiny::spec(Pooling::Mean), folder.path().to_owned(), 1);
    assert_eq!(model.tokens(Purpose::Query, "a").unwrap(), [2, 12, 14, 4, 3]);
    assert_eq!(model.tokens(Purpose::Document, "a").unwrap(), [2, 13, 14, 4, 3]);
    assert_eq!(model.tokens(Purpose::Query, &"a ".repeat(100)).unwrap().len(), 32);
}

#[test]
fn groups_are_neighbours_and_leave_no_thread_idle() {
    let lengths = |lengths: &[usize]| lengths.iter().map(|length| vec![0; *length]).collect::<Vec<_>>();
    assert_eq!(groups(&lengths(&[100, 100, 100, 300, 10]), 1), [0..2, 2..3, 3..4, 4..5]);
    assert_eq!(groups(&lengths(&[200, 50, 7, 10]), 1), [0..2, 2..4]);
    assert_eq!(groups(&lengths(&[10, 10, 10, 10]), 2), [0..2, 2..4]);
    assert!(groups(&[], 2).is_empty());
}

#[test]
fn a_model_that_is_missing_or_broken_says_so_and_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let model = Transformer::new(tiny::spec(Pooling::Mean), folder.path().to_owned(), 1);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let ask = || runtime.block_on(model.embed(Purpose::Query, vec!["a".to_owned()]));
    let says = |words: &str| {
        let problem = ask().unwrap_err().to_string();
        assert!(problem.contains("tiny") && problem.contains(words), "{problem}");
    };
    says("its vocabulary cannot be read");
    fs::write(folder.path().join(VOCABULARY), "a\nb\n").unwrap();
    says("has no [UNK]");
    fs::write(folder.path().join(VOCABULARY), tiny::vocabulary()).unwrap();
    says("the weights cannot be read");
    let weights = tiny::safetensors();
    fs::write(folder.path().join(WEIGHTS), &weights[..weights.len() - 4]).unwrap();
    says("does not lie within it");
    fs::write(folder.path().join(WEIGHTS), b"\x02\0\0\0\0\0\0\0{}").unwrap();
    says("have no embeddings.word_embeddings.weight");
    fs::write(folder.path().join(WEIGHTS), weights).unwrap();
    assert_eq!(ask().unwrap()[0].len(), WIDTH);
}
