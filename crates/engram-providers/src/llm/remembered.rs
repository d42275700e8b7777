//! A short memory in front of a language model: who asks the same again within
//! half an hour gets the same answer and pays nothing.
//!
//! Questions are kept as hashes only. Whether an answer was any good is not
//! known here; a bad one is not bought twice either.

use crate::cache::{Kept, Key};
use engram_core::port::{Asked, Completion, Llm, LlmError, Pending, Stopwatch};
use sha2::{Digest, Sha256};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(super) struct Remembered {
    llm: Arc<dyn Llm>,
    stopwatch: Stopwatch,
    kept: Mutex<Kept<Completion>>,
}

impl Remembered {
    pub(super) fn new(llm: Arc<dyn Llm>, stopwatch: Stopwatch) -> Self {
        Remembered { llm, stopwatch, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, Kept<Completion>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn key(&self, asked: &Asked) -> Key {
        let mut digest = Sha256::new();
        let schema = asked.schema.to_string();
        for text in [self.id(), &asked.instruction, &asked.material, &schema] {
            digest.update((text.len() as u64).to_le_bytes());
            digest.update(text);
        }
        digest.finalize().into()
    }
}

impl Llm for Remembered {
    fn id(&self) -> &str {
        self.llm.id()
    }

    fn complete(&self, asked: Asked) -> Pending<'_, Result<Completion, LlmError>> {
        Box::pin(async move {
            let key = self.key(&asked);
            if let Some(completion) = self.kept().find(&key, (self.stopwatch)()) {
                return Ok(Completion { tokens_in: 0, tokens_out: 0, ..completion });
            }
            let completion = self.llm.complete(asked).await?;
            self.kept().keep(key, completion.clone(), (self.stopwatch)());
            Ok(completion)
        })
    }
}
