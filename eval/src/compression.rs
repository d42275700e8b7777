//! How well a direction is kept in fewer bits, and which comparison of mixed
//! precisions puts pairs into their true order.

use crate::sets;
use anyhow::{Context as _, Result};
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use engram_core::port::Purpose;
use engram_core::vector::{Packed, Precision, distance_across, similarity_across};
use std::path::Path;

/// So many texts are looked at.
const TEXTS: usize = 400;
/// What the fourth seed gives: compression and fidelity.
const GIVEN: [(Precision, &str, &str); 4] = [
    (Precision::F32, "1x", "1.000"),
    (Precision::I8, "3.9x", "0.9999"),
    (Precision::I4, "7.6x", "0.97"),
    (Precision::I2, "14.6x", "0.59"),
];

pub(crate) async fn run(folder: &Path) -> Result<()> {
    let rows = sets::read(folder)?.into_values().flat_map(|scope| scope.rows);
    let texts: Vec<String> = rows.map(|(_, row)| row.content()).take(TEXTS).collect();
    let table = crate::bench::embedders()?.table.context("the table is built in")?;
    let vectors = table.embed(Purpose::Document, texts).await?;
    let vectors: Vec<Vec<f32>> =
        vectors.into_iter().filter(|vector| vector.iter().any(|x| *x != 0.0)).collect();
    let mut kept = Table::new();
    kept.load_style(ASCII_MARKDOWN).set_header([
        "precision",
        "compression",
        "fidelity",
        "given",
        "given fidelity",
    ]);
    for (precision, compression, fidelity) in GIVEN {
        let packed: Vec<Packed> =
            vectors.iter().filter_map(|vector| Packed::pack(vector, precision)).collect();
        let bytes = packed.iter().map(|packed| packed.to_bytes().len()).sum::<usize>() as f64;
        let whole = vectors.iter().map(|vector| 4 * vector.len()).sum::<usize>() as f64;
        let shares = packed.iter().zip(&vectors).filter_map(|(packed, vector)| packed.fidelity(vector));
        let mean = shares.map(|share| share.get()).sum::<f64>() / packed.len().max(1) as f64;
        kept.add_row([
            precision.to_string(),
            format!("{:.1}x", whole / bytes),
            format!("{mean:.4}"),
            compression.to_owned(),
            fidelity.to_owned(),
        ]);
    }
    println!("{} texts, {} dimensions\n\n{kept}", vectors.len(), table.dimensions());
    print_order(&vectors);
    Ok(())
}

/// Two pairs with one text in common: which of the two is nearer, by each way of
/// comparing, where the others are kept in different precisions.
fn print_order(vectors: &[Vec<f32>]) {
    let precisions = [Precision::F32, Precision::I8, Precision::I4, Precision::I2];
    let pack = |at: usize, precision| Packed::pack(&vectors[at % vectors.len()], precision);
    let (mut all, mut raw, mut corrected, mut distance) = (0, 0, 0, 0);
    for at in 0..vectors.len() {
        for (place, precision) in precisions.iter().enumerate() {
            let other = precisions[(place + 1 + at % 3) % precisions.len()];
            let whole = [at, at + 7, at + 31].map(|at| pack(at, Precision::F32));
            let [Some(query), Some(first), Some(second)] = whole else { continue };
            let (Some(one), Some(two)) = (pack(at + 7, *precision), pack(at + 31, other)) else { continue };
            let dot = |a: &Packed, b: &Packed| {
                let (a, b) = (a.unpack(), b.unpack());
                a.iter().zip(&b).map(|(x, y)| f64::from(*x) * f64::from(*y)).sum::<f64>()
            };
            let truly = dot(&query, &first) > dot(&query, &second);
            let across = |a: &Packed, b: &Packed| similarity_across(a, b).map_or(0.0, |cosine| cosine.get());
            let apart = |a: &Packed, b: &Packed| distance_across(a, b).map_or(0.0, |distance| distance.get());
            all += 1;
            raw += usize::from((dot(&query, &one) > dot(&query, &two)) == truly);
            corrected += usize::from((across(&query, &one) > across(&query, &two)) == truly);
            distance += usize::from((apart(&query, &one) < apart(&query, &two)) == truly);
        }
    }
    let percent = |part: usize| format!("{:.1} %", 100.0 * part as f64 / f64::from(all.max(1)));
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(["pairs in their true order by", "share"]);
    table.add_row(["raw products".to_owned(), percent(raw)]);
    table.add_row(["Fisher-Rao distance".to_owned(), percent(distance)]);
    table.add_row(["corrected cosine (what recall uses)".to_owned(), percent(corrected)]);
    println!("\n{table}");
}
