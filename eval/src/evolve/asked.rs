//! The questions of a set, through the real engine: what recall finds for the
//! half that is learned from, and what each table of weights is worth on the
//! other half.
//!
//! Who judges what was found, and what is learned from that, is not known here.

use crate::marks::Mark;
use crate::recall::{ADVERSARIAL, Filled, Waiting, Way, answer_to, ask, name_in};
use crate::sets::{self, Question, Row};
use anyhow::{Context as _, Result};
use engram_core::ask::{Intent, QueryType, query_type_of};
use engram_core::learn::{Learned, applied};
use engram_core::rank::Weights;
use engram_core::recalled::{Pooled, Strategy};
use engram_core::{Confidence, Timestamp};
use engram_engine::Embedders;
use std::collections::BTreeSet;
use std::path::Path;

/// So many of what recall finds may come to be among the first, whatever the
/// weights are.
const DEEP: usize = 50;

/// One question of the half that is learned from.
pub(crate) struct Pool {
    pub(crate) question: String,
    pub(crate) query_type: QueryType,
    pub(crate) intent: Intent,
    pub(crate) strategy: Strategy,
    pub(crate) confidence: Confidence,
    /// What each arm said of what was found, and whether it is right.
    pub(crate) found: Vec<(Pooled, bool)>,
}

/// Which part a question has in the experiment.
#[derive(Clone, Copy, PartialEq)]
enum Half {
    Learning,
    Measuring,
}

/// What recall finds for the questions that are learned from.
pub(crate) async fn pools(folder: &Path, embedders: &Embedders, weights: Weights) -> Result<Vec<Pool>> {
    let mut pools = Vec::new();
    visit(folder, embedders, async |filled, question, half, rows| {
        if half == Half::Learning {
            let answer = answer_to(filled, question, (DEEP, weights), rows).await?;
            let (gold, _) = question.wanted();
            let right =
                |memory| name_in(filled, question, memory, rows).is_some_and(|name| gold.contains(name));
            pools.push(Pool {
                question: question.text.clone(),
                query_type: query_type_of(&question.text),
                intent: answer.intent,
                strategy: answer.strategy,
                confidence: answer.confidence,
                found: answer.found.iter().map(|hit| (Pooled::of(&hit.why), right(hit.memory.id))).collect(),
            });
        }
        Ok(())
    })
    .await?;
    Ok(pools)
}

/// What was in force while a question was asked.
pub(crate) enum Table {
    /// One arm alone. It is asked on both halves, to be surer which is best.
    Alone(Weights),
    /// The same weights for every question.
    Fixed(Weights),
    /// The defaults with what was learned.
    Learned(Vec<Learned>),
}

/// What each table is worth, in the same order: nDCG at ten, question by
/// question.
pub(crate) async fn worth(
    folder: &Path,
    embedders: &Embedders,
    home: Weights,
    tables: &[Table],
) -> Result<Vec<Vec<f64>>> {
    let with_model = !embedders.models.is_empty();
    let mut worth: Vec<Vec<f64>> = vec![Vec::new(); tables.len()];
    visit(folder, embedders, async |filled, question, half, rows| {
        let (gold, _) = question.wanted();
        let wanted: BTreeSet<&str> = gold.iter().map(String::as_str).collect();
        // Most cycles move nothing: what was asked already is not asked again.
        let mut known: Vec<(Weights, f64)> = Vec::new();
        for (table, worth) in tables.iter().zip(&mut worth) {
            let weights = match table {
                Table::Alone(weights) => *weights,
                _ if half == Half::Learning => continue,
                Table::Fixed(weights) => *weights,
                Table::Learned(rows) => {
                    let query_type = query_type_of(&question.text);
                    applied(home, rows, query_type, with_model, &BTreeSet::new())
                }
            };
            let ndcg = match known.iter().find(|(asked, _)| *asked == weights) {
                Some((_, ndcg)) => *ndcg,
                None => {
                    let way = Way { name: String::new(), weights, limit_by_intent: false };
                    let (found, _) = ask(filled, question, &way, rows).await?;
                    let ndcg = Mark::of(&found, &wanted).ndcg;
                    known.push((weights, ndcg));
                    ndcg
                }
            };
            worth.push(ndcg);
        }
        Ok(())
    })
    .await?;
    Ok(worth)
}

/// Fills every scope and stops at each question that has an answer. Where rows
/// come in an order, the earlier half of the questions is learned from, so that
/// nothing is known before its time; elsewhere the half is drawn by the name.
async fn visit(
    folder: &Path,
    embedders: &Embedders,
    mut look: impl AsyncFnMut(&Filled, &Question, Half, &[(Timestamp, Row)]) -> Result<()>,
) -> Result<()> {
    for (name, mut scope) in sets::read(folder)? {
        scope.questions.retain(|question| !question.wanted().0.is_empty() && question.kind != ADVERSARIAL);
        scope.questions.sort_by_key(|question| question.order);
        let mut filled = Filled::open(embedders, false).await.with_context(|| format!("scope {name}"))?;
        let mut waiting = Waiting::of(&scope.rows);
        for (place, question) in scope.questions.iter().enumerate() {
            filled.add(&waiting.before(question)).await?;
            let learning = match question.order {
                Some(_) => place < scope.questions.len() / 2,
                None => drawn(&question.id),
            };
            let half = if learning { Half::Learning } else { Half::Measuring };
            look(&filled, question, half, &scope.rows).await?;
        }
    }
    Ok(())
}

/// A coin that falls the same way for the same name: FNV-1a, stirred at the end,
/// for names that differ in one letter must not fall alike.
fn drawn(name: &str) -> bool {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let stirred = (hash ^ (hash >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (stirred ^ (stirred >> 29)) & 1 == 0
}

#[cfg(test)]
mod tests {
    use super::drawn;

    #[test]
    fn about_half_of_the_names_are_drawn_and_always_the_same_ones() {
        for sort in ["", "q", "conv-26_q", "beam_100k-1-"] {
            let names: Vec<String> = (0..1_000).map(|number| format!("{sort}{number}")).collect();
            let learned: Vec<bool> = names.iter().map(|name| drawn(name)).collect();
            let half = learned.iter().filter(|drawn| **drawn).count();
            assert!((450..=550).contains(&half), "{half} of 1000 that begin with \"{sort}\"");
            assert_eq!(learned, names.iter().map(|name| drawn(name)).collect::<Vec<_>>());
        }
    }
}
