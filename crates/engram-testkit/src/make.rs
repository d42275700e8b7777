//! Makers: a clock that counts, and memories with only what matters said.

use engram_core::plan::{Draft, Occasion, plan_remember};
use engram_core::{Actor, Changes, IdMint, Memory, OperationId, Provenance, Scope, Span, Timestamp, Write};

/// Hands out occasions one second apart, with identifiers to match.
pub struct Steps {
    mint: IdMint,
    at: Timestamp,
}

impl Default for Steps {
    fn default() -> Self {
        Self { mint: IdMint::seeded(42), at: Timestamp::from_second(1_800_000_000).unwrap() }
    }
}

impl Steps {
    pub fn occasion(&mut self) -> Occasion {
        self.at += Span::from_secs(1);
        let operation = OperationId::from_ulid(self.mint.mint(self.at));
        Occasion { operation, actor: Actor::Human, at: self.at, recorded_at: self.at }
    }

    pub fn wait(&mut self, span: Span) {
        self.at += span;
    }

    pub fn remember(&mut self, text: &str, scope: Scope) -> Changes {
        let occasion = self.occasion();
        plan_remember(Draft::parse(text, 10_000).unwrap(), scope, by_hand(), occasion)
    }

    pub fn memory(&mut self, text: &str, scope: Scope) -> Memory {
        newborn(&self.remember(text, scope))
    }
}

/// The memory that `changes` gives birth to.
pub fn newborn(changes: &Changes) -> Memory {
    match &changes.writes[0] {
        Write::Create { memory } => *memory.clone(),
        other => panic!("not a birth: {other:?}"),
    }
}

pub fn by_hand() -> Provenance {
    Provenance::stated_by(Actor::Human)
}
