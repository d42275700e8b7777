//! The only clock below the client.

use engram_core::Timestamp;

/// Now, in whole microseconds: what every surface shows is what is stored.
#[expect(clippy::disallowed_methods, reason = "the daemon is where time enters")]
pub(crate) fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
}
