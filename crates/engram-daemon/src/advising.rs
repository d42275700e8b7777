//! From the settings to the language model: who is asked, with which key, and
//! what it may cost. Without one the rules decide.

use crate::clock::now;
use crate::embedding::web;
use anyhow::{Result, bail};
use engram_core::port::{Clock, Llm, Mask, Stopwatch};
use engram_engine::Adviser;
use engram_guard::guard;
use engram_providers::{
    Budget, Budgeted, ChosenLlm, Key, LedgerFile, LlmDialect, LlmSpec, LlmWays, LoggedTexts, OperationLog,
    Pace, choose_llm, key_from_keychain, keychain_lookup,
};
use engram_wire::config::Settings;
use engram_wire::reply::LlmHealth;
use engram_wire::{Home, platform};
use std::sync::Arc;
use std::time::Duration;

/// Where Anthropic's own models are.
const ANTHROPIC: &str = "https://api.anthropic.com";
/// How long the keychain may take; it may want a password.
const KEYCHAIN_WAIT: Duration = Duration::from_secs(5);
/// So many logs of earlier days are kept.
const LOGS_KEPT: usize = 4;

/// The language model of this home, if there is one.
pub(crate) struct Advising {
    pub(crate) adviser: Arc<Adviser>,
    budgeted: Option<Arc<Budgeted>>,
    /// The setting names one that cannot be asked.
    problem: Option<String>,
    chosen: bool,
}

impl Advising {
    /// What the settings choose. A model that cannot be asked is done without,
    /// and `engram status` says why.
    pub(crate) fn open(home: &Home, settings: &Settings) -> Self {
        let (llm, problem, chosen) = match settings.text("llm.dialect") {
            "none" => (None, None, false),
            _ => match choose(home, settings) {
                Ok(chosen) => (Some(chosen), None, true),
                Err(error) => (None, Some(error.to_string()), true),
            },
        };
        if let Some(problem) = &problem {
            tracing::warn!("the language model is done without: {problem}");
        }
        let mask = mask();
        let texts = match settings.text("llm.log_texts") {
            "beginnings" => LoggedTexts::Beginnings,
            _ => LoggedTexts::None,
        };
        let log = OperationLog::new(home.root(), texts, LOGS_KEPT, Arc::clone(&mask));
        let (model, budgeted) = match llm {
            Some(ChosenLlm { llm, budgeted }) => (Some(llm), Some(budgeted)),
            None => (None, None),
        };
        let adviser =
            Adviser { llm: model, log: Some(Arc::new(log)), mask, clock: clock(), stopwatch: stopwatch() };
        Self { adviser: Arc::new(adviser), budgeted, problem, chosen }
    }

    pub(crate) fn health(&self, settings: &Settings) -> Option<LlmHealth> {
        if !self.chosen {
            return None;
        }
        let named = || format!("{}:{}", settings.text("llm.dialect"), settings.text("llm.model"));
        let spending = self.budgeted.as_ref().map(|budgeted| (budgeted.id().to_owned(), budgeted.spending()));
        let (model, spending) = spending.map_or_else(|| (named(), None), |(id, spent)| (id, Some(spent)));
        Some(LlmHealth {
            model,
            day: spending.as_ref().map(|it| it.spent.day.clone()).unwrap_or_default(),
            calls: spending.as_ref().map_or(0, |it| it.spent.calls),
            calls_per_day: settings.number("llm.calls_per_day"),
            tokens: spending.as_ref().map_or(0, |it| it.spent.tokens),
            tokens_per_day: settings.number("llm.tokens_per_day"),
            problem: self.problem.clone(),
        })
    }
}

fn choose(home: &Home, settings: &Settings) -> Result<ChosenLlm> {
    let dialect = match settings.text("llm.dialect") {
        "anthropic" => LlmDialect::Anthropic,
        _ => LlmDialect::OpenAi,
    };
    let base = match settings.text("llm.url") {
        "" if dialect == LlmDialect::Anthropic => ANTHROPIC,
        url => url,
    };
    let model = settings.text("llm.model").to_owned();
    let key = key(settings)?;
    // Texts would go there and only be refused.
    if base == ANTHROPIC && key.is_none() {
        bail!("{ANTHROPIC} wants a key: set ENGRAM_LLM_KEY, llm.keychain or llm.key");
    }
    let spec = LlmSpec { dialect, base: base.to_owned(), model, key };
    spec.check()?;
    let one_try = Duration::from_millis(settings.number("llm.timeout_ms"));
    let tries = u32::try_from(settings.number("llm.tries")).unwrap_or(1);
    let total = one_try.saturating_mul(tries) + Pace::DEFAULT.longest_wait;
    let ways = LlmWays {
        web: web(base, one_try)?,
        pace: Pace { tries, one_try, total, ..Pace::DEFAULT },
        budget: Budget {
            calls: settings.number("llm.calls_per_day"),
            tokens: settings.number("llm.tokens_per_day"),
        },
        ledger: Box::new(LedgerFile { path: home.root().join("llm-ledger.json") }),
        clock: clock(),
        stopwatch: stopwatch(),
        chance: Box::new(platform::chance),
    };
    Ok(choose_llm(spec, ways)?)
}

/// From the settings, which the environment is part of, or from the keychain.
fn key(settings: &Settings) -> Result<Option<Key>> {
    let (given, account) = (settings.text("llm.key"), settings.text("llm.keychain"));
    if !given.is_empty() {
        return Ok(Some(Key::new(given)?));
    }
    if account.is_empty() {
        return Ok(None);
    }
    Ok(Some(key_from_keychain(&keychain_lookup(account), KEYCHAIN_WAIT)?))
}

fn mask() -> Mask {
    Arc::new(|text| guard(text).text)
}

fn clock() -> Clock {
    Arc::new(now)
}

fn stopwatch() -> Stopwatch {
    let begun = now();
    Arc::new(move || now().duration_since(begun).try_into().unwrap_or_default())
}
