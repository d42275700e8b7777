//! What a day may cost: calls and tokens, counted before a call is made.
//!
//! A call is entered with what it may cost before it is made, and corrected
//! when the server has counted; one that fails stays entered, for it may have
//! been paid all the same. A day ends at midnight UTC. If the ledger cannot be
//! kept, nobody is asked: a budget that a restart forgets would be none.

use super::estimated_tokens;
use engram_core::Timestamp;
use engram_core::port::{Asked, Clock, Completion, Llm, LlmError, LlmProblem, Pending};
use serde_json::{Value, json};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What one day may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub calls: u64,
    pub tokens: u64,
}

/// What one day has cost.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ledger {
    /// In UTC, as 2026-03-01.
    pub day: String,
    pub calls: u64,
    pub tokens: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum BadLedger {
    #[error("the ledger of language model calls cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("the ledger of language model calls makes no sense; whoever takes it away starts a new one")]
    Senseless,
}

impl Ledger {
    fn day_of(at: Timestamp) -> String {
        at.strftime("%Y-%m-%d").to_string()
    }

    /// The ledger of this moment: a new one if the day is another.
    pub fn on(self, at: Timestamp) -> Ledger {
        let day = Ledger::day_of(at);
        if day == self.day { self } else { Ledger { day, calls: 0, tokens: 0 } }
    }

    /// Whether a call that may cost so much still fits; if not, what is spent.
    pub fn may_call(&self, budget: &Budget, tokens: u64) -> Result<(), String> {
        if self.calls >= budget.calls {
            return Err(format!("{} of {} calls", self.calls, budget.calls));
        }
        if self.tokens.saturating_add(tokens) > budget.tokens {
            return Err(format!("{} of {} tokens, {tokens} more are needed", self.tokens, budget.tokens));
        }
        Ok(())
    }

    /// Enters a call with what it may cost.
    pub fn note(&mut self, tokens: u64) {
        self.calls = self.calls.saturating_add(1);
        self.tokens = self.tokens.saturating_add(tokens);
    }

    /// Replaces what a call might have cost by what it did.
    pub fn correct(&mut self, noted: u64, counted: u64) {
        self.tokens = self.tokens.saturating_sub(noted).saturating_add(counted);
    }

    pub fn to_json(&self) -> Vec<u8> {
        json!({"day": self.day, "calls": self.calls, "tokens": self.tokens}).to_string().into_bytes()
    }

    pub fn from_json(bytes: &[u8]) -> Result<Ledger, BadLedger> {
        let value: Value = serde_json::from_slice(bytes).map_err(|_| BadLedger::Senseless)?;
        let number = |name: &str| value[name].as_u64().ok_or(BadLedger::Senseless);
        let day = value["day"].as_str().ok_or(BadLedger::Senseless)?.to_owned();
        Ok(Ledger { day, calls: number("calls")?, tokens: number("tokens")? })
    }
}

/// Where a ledger is kept.
pub trait LedgerPlace: Send + Sync {
    /// None if there is none yet.
    fn load(&self) -> io::Result<Option<Vec<u8>>>;
    fn keep(&self, ledger: &[u8]) -> io::Result<()>;
}

/// A ledger in a file of its own, which only its owner can read.
pub struct LedgerFile {
    pub path: PathBuf,
}

impl LedgerPlace for LedgerFile {
    fn load(&self) -> io::Result<Option<Vec<u8>>> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whole or not at all.
    fn keep(&self, ledger: &[u8]) -> io::Result<()> {
        let draft = self.path.with_extension("draft");
        let mut file = OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&draft)?;
        file.write_all(ledger)?;
        fs::rename(draft, &self.path)
    }
}

/// What is spent of what, for whoever asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spending {
    pub budget: Budget,
    pub spent: Ledger,
}

pub struct Budgeted {
    llm: Arc<dyn Llm>,
    budget: Budget,
    ledger: Mutex<Ledger>,
    place: Box<dyn LedgerPlace>,
    clock: Clock,
}

impl Budgeted {
    pub(super) fn open(
        llm: Arc<dyn Llm>,
        budget: Budget,
        place: Box<dyn LedgerPlace>,
        clock: Clock,
    ) -> Result<Self, BadLedger> {
        let ledger = place.load()?.map_or(Ok(Ledger::default()), |bytes| Ledger::from_json(&bytes))?;
        Ok(Budgeted { llm, budget, ledger: Mutex::new(ledger), place, clock })
    }

    pub fn spending(&self) -> Spending {
        let spent = self.ledger().clone().on((self.clock)());
        Spending { budget: self.budget, spent }
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a call, on which day it says, or says why it cannot be made.
    fn enter(&self, tokens: u64) -> Result<String, LlmError> {
        let refused =
            |reason| LlmError { model: self.llm.id().to_owned(), problem: LlmProblem::OverBudget { reason } };
        let mut ledger = self.ledger();
        let mut entered = ledger.clone().on((self.clock)());
        entered.may_call(&self.budget, tokens).map_err(refused)?;
        entered.note(tokens);
        let kept = self.place.keep(&entered.to_json());
        kept.map_err(|error| refused(format!("the ledger cannot be kept: {error}")))?;
        *ledger = entered;
        Ok(ledger.day.clone())
    }

    fn correct(&self, day: &str, noted: u64, counted: u64) {
        let mut ledger = self.ledger();
        if ledger.day == day {
            ledger.correct(noted, counted);
            // The next call keeps it or is not made.
            let _ = self.place.keep(&ledger.to_json());
        }
    }
}

impl Llm for Budgeted {
    fn id(&self) -> &str {
        self.llm.id()
    }

    fn complete(&self, asked: Asked) -> Pending<'_, Result<Completion, LlmError>> {
        Box::pin(async move {
            let words = [&asked.instruction, &asked.material, &asked.schema.to_string()];
            let question: u64 = words.iter().map(|text| estimated_tokens(text)).sum();
            let noted = question + u64::from(asked.most_tokens);
            let day = self.enter(noted)?;
            let outcome = self.llm.complete(asked).await;
            match &outcome {
                Ok(completion) => {
                    self.correct(&day, noted, completion.tokens_in.saturating_add(completion.tokens_out));
                }
                // What was refused at once was read at most.
                Err(error)
                    if !matches!(error.problem, LlmProblem::TimedOut | LlmProblem::Malformed { .. }) =>
                {
                    self.correct(&day, noted, question);
                }
                Err(_) => {}
            }
            outcome
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn a_day_has_so_many_calls_and_tokens() {
        let budget = Budget { calls: 2, tokens: 100 };
        let mut ledger = Ledger::default().on(at("2026-03-01T10:00:00Z"));
        assert_eq!(ledger.may_call(&budget, 100), Ok(()));
        assert_eq!(ledger.may_call(&budget, 101).unwrap_err(), "0 of 100 tokens, 101 more are needed");
        ledger.note(60);
        ledger.correct(60, 30);
        assert_eq!((ledger.calls, ledger.tokens), (1, 30));
        assert!(ledger.may_call(&budget, 71).is_err());
        ledger.note(1);
        assert_eq!(ledger.may_call(&budget, 1).unwrap_err(), "2 of 2 calls");
        assert!(Ledger::default().may_call(&Budget { calls: 0, tokens: 9 }, 1).is_err());
    }

    #[test]
    fn midnight_in_utc_begins_a_new_ledger() {
        let mut ledger = Ledger::default().on(at("2026-03-01T23:59:59Z"));
        ledger.note(5);
        assert_eq!(ledger.clone().on(at("2026-03-01T00:00:01Z")).calls, 1);
        assert_eq!(ledger.clone().on(at("2026-03-01T23:59:59.999Z")).calls, 1);
        let next = ledger.on(at("2026-03-02T00:00:00Z"));
        assert_eq!((next.day.as_str(), next.calls, next.tokens), ("2026-03-02", 0, 0));
    }

    #[test]
    fn a_ledger_is_read_back_and_nonsense_is_not_taken_for_one() {
        let ledger = Ledger { day: "2026-03-01".to_owned(), calls: 3, tokens: 9 };
        assert_eq!(Ledger::from_json(&ledger.to_json()).unwrap(), ledger);
        for bad in ["", "{}", r#"{"day": "x", "calls": -1, "tokens": 1}"#] {
            assert!(matches!(Ledger::from_json(bad.as_bytes()), Err(BadLedger::Senseless)), "{bad}");
        }
        let folder = tempfile::tempdir().unwrap();
        let place = LedgerFile { path: folder.path().join("ledger.json") };
        assert!(place.load().unwrap().is_none());
        place.keep(&ledger.to_json()).unwrap();
        assert_eq!(place.load().unwrap().unwrap(), ledger.to_json());
    }
}
