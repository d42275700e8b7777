//! The only clock below the client.

use engram_core::Timestamp;

/// Now, in whole microseconds: what every surface shows is what is stored.
#[expect(clippy::disallowed_methods, reason = "the daemon is where time enters")]
pub(crate) fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
}

/// How long ago that was. A clock that steps back counts as no time.
pub(crate) fn since(then: Timestamp) -> std::time::Duration {
    now().duration_since(then).max(engram_core::Span::ZERO).unsigned_abs()
}
