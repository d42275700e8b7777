//! Asks again when asking again may help, each time after a longer while, and
//! never beyond the time that was given.
//!
//! A model that failed all the same is left in peace for a while: until then
//! the same reason is told at once, which costs neither time nor budget.
//!
//! Which problems pass is the port's knowledge. Chance and time are arguments.

use engram_core::port::{Asked, Completion, Llm, LlmError, LlmProblem, Pending, Stopwatch};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many forms of question a server may refuse before one is right.
const FORMS: u32 = 6;
/// A key that was refused is not accepted a moment later.
const REFUSED_REST: Duration = Duration::from_secs(10 * 60);

/// How patient one is with a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    pub tries: u32,
    /// Before the second try; it doubles with each.
    pub first_wait: Duration,
    pub longest_wait: Duration,
    /// How long one try may take, and how long all of them with their waits.
    pub one_try: Duration,
    pub total: Duration,
    /// How long a model that failed is left in peace.
    pub rest: Duration,
}

impl Pace {
    pub const DEFAULT: Pace = Pace {
        tries: 3,
        first_wait: Duration::from_millis(500),
        longest_wait: Duration::from_secs(20),
        one_try: Duration::from_secs(30),
        total: Duration::from_secs(60),
        rest: Duration::from_secs(30),
    };
}

/// How long to wait after `failed` tries. Between half and all of a doubling
/// time, as chance has it, so that many clients do not come back at once; and
/// at least as long as the server asked for.
fn wait_before(pace: &Pace, failed: u32, retry_after: Option<Duration>, chance: u64) -> Duration {
    let doubled = 2u32.saturating_pow(failed.saturating_sub(1));
    let most = pace.first_wait.saturating_mul(doubled).min(pace.longest_wait);
    let share = 0.5 + 0.5 * (chance as f64 / u64::MAX as f64);
    most.mul_f64(share).max(retry_after.unwrap_or_default())
}

pub(super) struct Retried {
    llm: Arc<dyn Llm>,
    pace: Pace,
    stopwatch: Stopwatch,
    chance: Box<dyn Fn() -> u64 + Send + Sync>,
    /// The latest failure, and until when it stands.
    resting: Mutex<Option<(Duration, LlmError)>>,
}

impl Retried {
    pub(super) fn new(
        llm: Arc<dyn Llm>,
        pace: Pace,
        stopwatch: Stopwatch,
        chance: Box<dyn Fn() -> u64 + Send + Sync>,
    ) -> Self {
        Retried { llm, pace, stopwatch, chance, resting: Mutex::default() }
    }

    fn resting(&self) -> MutexGuard<'_, Option<(Duration, LlmError)>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing that is wrong with one question makes it rest.
    fn rest_of(&self, problem: &LlmProblem) -> Option<Duration> {
        match problem {
            LlmProblem::RateLimited { retry_after } => {
                Some(retry_after.unwrap_or_default().max(self.pace.rest))
            }
            LlmProblem::TimedOut | LlmProblem::Server { .. } => Some(self.pace.rest),
            LlmProblem::KeyRefused { .. } => Some(REFUSED_REST.max(self.pace.rest)),
            _ => None,
        }
    }

    async fn ask(&self, asked: Asked) -> Result<Completion, LlmError> {
        let now = (self.stopwatch)();
        let known = self.resting().as_ref().filter(|(until, _)| now < *until).map(|(_, error)| error.clone());
        if let Some(error) = known {
            return Err(error);
        }
        let outcome = self.try_on(asked).await;
        let failed = outcome.as_ref().err();
        let rest = failed.and_then(|error| Some((self.rest_of(&error.problem)?, error.clone())));
        *self.resting() = rest.map(|(rest, error)| ((self.stopwatch)() + rest, error));
        outcome
    }

    async fn try_once(&self, asked: Asked, left: Duration) -> Result<Completion, LlmError> {
        let within = left.min(self.pace.one_try);
        let answer = tokio::time::timeout(within, self.llm.complete(asked)).await;
        let late = LlmError { model: self.llm.id().to_owned(), problem: LlmProblem::TimedOut };
        answer.unwrap_or(Err(late))
    }

    async fn try_on(&self, asked: Asked) -> Result<Completion, LlmError> {
        let began = (self.stopwatch)();
        let left = || self.pace.total.saturating_sub((self.stopwatch)().saturating_sub(began));
        let (mut failed, mut forms) = (0, 0);
        loop {
            let error = match self.try_once(asked.clone(), left()).await {
                Ok(completion) => return Ok(completion),
                Err(error) => error,
            };
            let retry_after = match error.problem {
                LlmProblem::OtherForm { .. } if forms < FORMS => {
                    forms += 1;
                    continue;
                }
                LlmProblem::RateLimited { retry_after } => retry_after,
                _ => None,
            };
            failed += 1;
            let wait = wait_before(&self.pace, failed, retry_after, (self.chance)());
            if !error.problem.is_passing() || failed >= self.pace.tries || wait >= left() {
                return Err(error);
            }
            tokio::time::sleep(wait).await;
        }
    }
}

impl Llm for Retried {
    fn id(&self) -> &str {
        self.llm.id()
    }

    fn complete(&self, asked: Asked) -> Pending<'_, Result<Completion, LlmError>> {
        Box::pin(self.ask(asked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn the_wait_doubles_and_the_server_has_the_last_word() {
        let pace = Pace::DEFAULT;
        let seconds = |failed, asked: Option<u64>, chance| {
            wait_before(&pace, failed, asked.map(Duration::from_secs), chance).as_secs_f64()
        };
        assert_eq!(seconds(1, None, u64::MAX), 0.5);
        assert_eq!(seconds(1, None, 0), 0.25);
        assert_eq!(seconds(3, None, u64::MAX), 2.0);
        assert_eq!(seconds(99, None, u64::MAX), 20.0);
        assert_eq!(seconds(1, Some(7), 0), 7.0);
        assert_eq!(seconds(3, Some(1), u64::MAX), 2.0);
    }

    /// Is asked too often, always.
    struct Busy(AtomicU64);

    impl Llm for Busy {
        fn id(&self) -> &str {
            "busy"
        }
        fn complete(&self, _: Asked) -> Pending<'_, Result<Completion, LlmError>> {
            self.0.fetch_add(1, Ordering::Relaxed);
            let problem = LlmProblem::RateLimited { retry_after: None };
            Box::pin(async move { Err(LlmError { model: "busy".to_owned(), problem }) })
        }
    }

    #[test]
    fn all_tries_together_end_in_time() {
        let busy = Arc::new(Busy(AtomicU64::new(0)));
        let ticks = AtomicU64::new(0);
        let stopwatch: Stopwatch =
            Arc::new(move || Duration::from_secs(ticks.fetch_add(1, Ordering::Relaxed)));
        let pace = Pace { tries: 1_000, total: Duration::from_secs(10), ..quick() };
        let retried = Retried::new(Arc::clone(&busy) as Arc<dyn Llm>, pace, stopwatch, Box::new(|| 0));
        let error = ask(&retried).unwrap_err();
        assert!(matches!(error.problem, LlmProblem::RateLimited { .. }));
        // Two looks at the stopwatch a try, one at the beginning.
        assert_eq!(busy.0.load(Ordering::Relaxed), 5);
    }

    #[test]
    fn one_that_failed_is_left_in_peace_for_a_while() {
        let busy = Arc::new(Busy(AtomicU64::new(0)));
        let seconds = Arc::new(AtomicU64::new(100));
        let passed = Arc::clone(&seconds);
        let stopwatch: Stopwatch = Arc::new(move || Duration::from_secs(passed.load(Ordering::Relaxed)));
        let retried = Retried::new(Arc::clone(&busy) as Arc<dyn Llm>, quick(), stopwatch, Box::new(|| 0));
        let first = ask(&retried).unwrap_err();
        seconds.store(129, Ordering::Relaxed);
        assert_eq!(ask(&retried).unwrap_err(), first);
        assert_eq!(busy.0.load(Ordering::Relaxed), 3);
        seconds.store(130, Ordering::Relaxed);
        assert!(ask(&retried).is_err());
        assert_eq!(busy.0.load(Ordering::Relaxed), 6);
    }

    fn quick() -> Pace {
        let wait = Duration::from_micros(1);
        Pace { first_wait: wait, longest_wait: wait, ..Pace::DEFAULT }
    }

    fn ask(retried: &Retried) -> Result<Completion, LlmError> {
        let asked = Asked {
            operation: "x",
            instruction: String::new(),
            material: String::new(),
            schema: serde_json::Value::Null,
            most_tokens: 1,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(retried.complete(asked))
    }
}
