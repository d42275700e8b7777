//! Compares a model in a folder with the vectors of the reference
//! implementation (tools/reference_vectors.py), and takes the time.
//!
//! `cargo run --release -p engram-providers --example reference -- NAME FOLDER VECTORS.json`

use engram_core::port::Purpose;
use engram_providers::{Transformer, find_model};
use serde_json::Value;
use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, folder, vectors] = &arguments[..] else {
        return Err("usage: reference NAME FOLDER VECTORS.json".into());
    };
    let spec = find_model(name).ok_or("there is no such model")?;
    let model = Transformer::new(spec, PathBuf::from(folder), 1);
    let rows: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(vectors)?)?;
    let (mut largest, mut at, mut other_tokens, mut compared) = (0.0_f64, "", 0, 0);
    for row in &rows {
        let text = row["text"].as_str().ok_or("a row without text")?;
        let purpose = if row["purpose"] == "query" { Purpose::Query } else { Purpose::Document };
        let tokens = model.tokens(purpose, text)?;
        if row["tokens"] != Value::from(tokens) {
            other_tokens += 1;
            println!("other tokens: {text:?}");
        }
        let Some(expected) = row["vector"].as_array() else { continue };
        let found = model.embed_here(purpose, &[text.to_owned()])?;
        compared += 1;
        for (found, expected) in found[0].iter().zip(expected) {
            let deviation = (f64::from(*found) - expected.as_f64().ok_or("a vector without numbers")?).abs();
            if deviation > largest {
                (largest, at) = (deviation, text);
            }
        }
    }
    println!("{name}: {} texts, {other_tokens} with other tokens", rows.len());
    println!(
        "{compared} vectors, largest deviation {largest:.1e} at {:?}",
        at.chars().take(40).collect::<String>()
    );
    if compared > 0 {
        time(&model, spec.name)?;
        let two = Transformer::new(spec, PathBuf::from(folder), 2);
        two.embed_here(Purpose::Query, &[String::new()])?;
        time(&two, "two threads")?;
    }
    Ok(())
}

/// The best of several runs: the machine may be busy with something else.
#[expect(clippy::disallowed_methods, reason = "it measures")]
fn time(model: &Transformer, what: &str) -> Result<(), Box<dyn Error>> {
    let query = "where is the staging key kept now".to_owned();
    let document = "The staging key was moved to the other vault on Tuesday. ".repeat(8);
    let batch: Vec<String> = (0..32).map(|_| document.clone()).collect();
    for (name, purpose, texts, runs) in [
        ("query", Purpose::Query, vec![query], 50),
        ("document", Purpose::Document, vec![document], 20),
        ("32 documents", Purpose::Document, batch, 3),
    ] {
        let tokens = model.tokens(purpose, &texts[0])?.len();
        let mut best = f64::INFINITY;
        for _ in 0..runs {
            let start = Instant::now();
            model.embed_here(purpose, &texts)?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{what}: {name} of {tokens} tokens in {:.2} ms", best * 1e3);
    }
    Ok(())
}
