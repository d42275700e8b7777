//! How well claims are read, measured on two public sets of sentence pairs.
//!
//! `cargo run --release -p engram-core --example claims -- <folder>` reads
//! `SICK_train.txt` and `sts-dev-tr.csv` from the folder. With `errors` after
//! it, the pairs that were read wrongly in the first half are listed; the
//! second half is never shown, so that no rule is made for it.

use engram_core::claim::{Bearing, compare, likeness};
use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("which folder holds SICK_train.txt and sts-dev-tr.csv?")?;
    let errors = arguments.next().is_some_and(|word| word == "errors");
    let english = fs::read_to_string(Path::new(&folder).join("SICK_train.txt"))?;
    let turkish = fs::read_to_string(Path::new(&folder).join("sts-dev-tr.csv"))?;
    contradictions(&english, errors);
    similarities("English", &scored_english(&english));
    similarities("Turkish", &scored_turkish(&turkish));
    Ok(())
}

#[derive(Default)]
struct Count {
    entailments: usize,
    neutrals: usize,
    contradictions: usize,
    entailments_called: usize,
    neutrals_called: usize,
    found: usize,
    /// Called the same, of the pairs of each judgement in the order above.
    same: [usize; 3],
}

fn contradictions(table: &str, errors: bool) {
    let rows: Vec<Vec<&str>> =
        table.lines().skip(1).map(|line| line.trim_end().split('\t').collect()).collect();
    let half = rows.len() / 2;
    for (name, rows, first) in [
        ("all", &rows[..], false),
        ("first half", &rows[..half], true),
        ("second half", &rows[half..], false),
    ] {
        let mut count = Count::default();
        for row in rows.iter().filter(|row| row.len() >= 5) {
            let bearing = compare(row[1], row[2]);
            let called = matches!(bearing, Bearing::Contradicts(_));
            let (seen, hits, same) = match row[4] {
                "CONTRADICTION" => (&mut count.contradictions, &mut count.found, 2),
                "ENTAILMENT" => (&mut count.entailments, &mut count.entailments_called, 0),
                _ => (&mut count.neutrals, &mut count.neutrals_called, 1),
            };
            count.same[same] += usize::from(bearing == Bearing::Same);
            *seen += 1;
            *hits += usize::from(called);
            if errors && first && called != (row[4] == "CONTRADICTION") {
                println!("{}\t{}\t{}\t{bearing:?}", row[4], row[1], row[2]);
            }
        }
        let called = count.found + count.entailments_called + count.neutrals_called;
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        let (precision, recall) = (share(count.found, called), share(count.found, count.contradictions));
        let f1 = 2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE);
        println!(
            "contradiction, {name}: precision {precision:.3}, recall {recall:.3}, F1 {f1:.3}; \
             called so: {:.2} % of entailments, {:.2} % of neutrals; \
             called the same: {} of {} entailments, {} of {} neutrals, {} of {} contradictions",
            100.0 * share(count.entailments_called, count.entailments),
            100.0 * share(count.neutrals_called, count.neutrals),
            count.same[0],
            count.entailments,
            count.same[1],
            count.neutrals,
            count.same[2],
            count.contradictions,
        );
    }
}

fn similarities(name: &str, scored: &[(f64, f64)]) {
    let half = scored.len() / 2;
    println!(
        "{name} likeness, Spearman: all {:.3}, first half {:.3}, second half {:.3} ({} pairs)",
        spearman(scored),
        spearman(&scored[..half]),
        spearman(&scored[half..]),
        scored.len()
    );
}

fn scored_turkish(table: &str) -> Vec<(f64, f64)> {
    let rows: Vec<Vec<String>> = table.lines().skip(1).map(cells).filter(|row| row.len() == 3).collect();
    rows.iter().filter_map(|row| Some((row[0].parse().ok()?, likeness(&row[1], &row[2]).get()))).collect()
}

/// The same set of English pairs also says how related its sentences are.
fn scored_english(table: &str) -> Vec<(f64, f64)> {
    let rows = table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter_map(|row| Some((row.get(3)?.parse().ok()?, likeness(row.get(1)?, row.get(2)?).get())))
        .collect()
}

/// The cells of one line of comma-separated values.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut marks = line.trim_end().chars().peekable();
    while let Some(mark) = marks.next() {
        match mark {
            '"' if quoted && marks.peek() == Some(&'"') => {
                marks.next();
                cells.last_mut().expect("there is always one").push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => cells.last_mut().expect("there is always one").push(other),
        }
    }
    cells
}

fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let ones = ranks(pairs.iter().map(|pair| pair.0).collect());
    let others = ranks(pairs.iter().map(|pair| pair.1).collect());
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let sum = |product: &dyn Fn(usize) -> f64| (0..pairs.len()).map(product).sum::<f64>();
    let shared = sum(&|at| (ones[at] - mean) * (others[at] - mean));
    let spread = |ranks: &[f64]| ranks.iter().map(|rank| (rank - mean).powi(2)).sum::<f64>();
    shared / (spread(&ones) * spread(&others)).sqrt()
}

/// Ranks from one; equal values share the mean of theirs.
fn ranks(values: Vec<f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*one].total_cmp(&values[*other]));
    let mut ranks = vec![0.0; values.len()];
    let mut from = 0;
    while from < order.len() {
        let mut to = from;
        while to + 1 < order.len() && values[order[to + 1]] == values[order[from]] {
            to += 1;
        }
        for at in &order[from..=to] {
            ranks[*at] = (from + to) as f64 / 2.0 + 1.0;
        }
        from = to + 1;
    }
    ranks
}
