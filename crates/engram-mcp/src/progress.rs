//! How far an order has come, as the protocol wants to hear it.
//!
//! The protocol wants a number that only grows. An order may go through several
//! steps, each of which counts from zero; they are put one behind the other.

use engram_wire::reply::Progress;
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;

/// Tells one client about one request.
pub(crate) struct Report<'a> {
    to: &'a RequestContext<RoleServer>,
    token: ProgressToken,
    ladder: Ladder,
}

impl<'a> Report<'a> {
    /// None: this request does not want to hear of it.
    pub(crate) fn to(to: &'a RequestContext<RoleServer>) -> Option<Self> {
        let token = to.meta.get_progress_token()?;
        Some(Self { to, token, ladder: Ladder::default() })
    }

    pub(crate) async fn pass(&mut self, progress: Progress) {
        let Some(Rung { at, of }) = self.ladder.climb(&progress) else { return };
        let mut told = ProgressNotificationParam::new(self.token.clone(), at).with_message(progress.what);
        if let Some(of) = of {
            told = told.with_total(of);
        }
        // A client that does not listen any more still gets its answer, if
        // anybody does.
        let _ = self.to.peer.notify_progress(told).await;
    }
}

/// The steps of an order, one behind the other.
#[derive(Debug, Default)]
struct Ladder {
    step: String,
    /// Where this step began.
    foot: u64,
    /// Where we are.
    top: Option<u64>,
}

#[derive(Debug, PartialEq)]
struct Rung {
    at: f64,
    of: Option<f64>,
}

impl Ladder {
    /// None where it is no higher than before.
    fn climb(&mut self, progress: &Progress) -> Option<Rung> {
        if progress.what != self.step {
            self.step.clone_from(&progress.what);
            self.foot = self.top.unwrap_or(0);
        }
        let at = self.foot + progress.done;
        if self.top.is_some_and(|top| at <= top) {
            return None;
        }
        self.top = Some(at);
        // What is counted here is far below the point where a float loses count.
        Some(Rung { at: at as f64, of: progress.total.map(|total| (self.foot + total) as f64) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_count_from_zero_are_put_one_behind_the_other() {
        let mut ladder = Ladder::default();
        let mut climb = |what: &str, done, total| {
            ladder.climb(&Progress { what: what.into(), done, total }).map(|rung| (rung.at, rung.of))
        };
        assert_eq!(climb("read", 0, Some(2)), Some((0.0, Some(2.0))));
        assert_eq!(climb("read", 2, Some(2)), Some((2.0, Some(2.0))));
        assert_eq!(climb("read", 2, Some(2)), None);
        assert_eq!(climb("write", 0, None), None);
        assert_eq!(climb("write", 1, None), Some((3.0, None)));
    }
}
