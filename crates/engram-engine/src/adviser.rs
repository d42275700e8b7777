//! A decision with a model's advice and a heuristic beside it, and a line in
//! the log about it.
//!
//! The model is asked with everything masked; whatever goes wrong, the
//! heuristic decides and the reason is told. When the model's answer counts is
//! the core's `advice`.

use engram_core::advice::{Advice, Advised, DecidedBy, LONGEST_MATERIAL, settle};
use engram_core::port::{Clock, Llm, LlmError, LlmProblem, Mask, OperationNote, OperationNotes, Stopwatch};
use std::sync::Arc;

pub struct Adviser {
    /// None: the heuristics decide.
    pub llm: Option<Arc<dyn Llm>>,
    pub log: Option<Arc<dyn OperationNotes>>,
    /// Takes secrets out of what is sent.
    pub mask: Mask,
    pub clock: Clock,
    pub stopwatch: Stopwatch,
}

impl Adviser {
    /// The model's answer if there is one that counts, or else the heuristic's.
    /// Where no model is asked, nothing is logged.
    pub async fn advised<A: Advice>(
        &self,
        advice: A,
        heuristic: impl FnOnce() -> A::Answer,
    ) -> Advised<A::Answer> {
        let advice = advice.masked(self.mask.as_ref());
        let Some(llm) = &self.llm else {
            return settle(&advice, None, heuristic);
        };
        let asked = advice.ask();
        let input = asked.material.clone();
        let (at, began) = ((self.clock)(), (self.stopwatch)());
        let outcome = match input.len() {
            bytes if bytes > LONGEST_MATERIAL => {
                Err(LlmError { model: llm.id().to_owned(), problem: LlmProblem::TooLong { bytes } })
            }
            _ => llm.complete(asked).await,
        };
        let latency = (self.stopwatch)().saturating_sub(began);
        let advised = settle(&advice, Some(outcome.as_ref()), heuristic);
        if let Some(log) = &self.log {
            let completion = outcome.as_ref().ok();
            log.note(&OperationNote {
                at,
                operation: A::OPERATION,
                input: &input,
                output: completion.map(|completion| completion.text.as_str()),
                model: llm.id(),
                latency,
                success: advised.by == DecidedBy::Model,
                reason: advised.reason.as_deref(),
                tokens: completion.map_or(0, |it| it.tokens_in.saturating_add(it.tokens_out)),
            });
        }
        advised
    }
}
