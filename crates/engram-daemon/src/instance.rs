//! One daemon per home: the lock decides, the socket announces.
//!
//! The lock is the kernel's and goes with its process, so it is never stale; a
//! socket file without a lock behind it is, and is replaced by whoever wins.

use anyhow::{Context as _, Result};
use engram_wire::{Home, platform};
use std::fs::{self, File};
use std::io::ErrorKind;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::time::Duration;

/// The socket to serve a home on.
pub(crate) struct Instance {
    pub(crate) listener: UnixListener,
    pub(crate) socket: PathBuf,
}

/// The right to serve a home: kept until nothing is written any more, for `engram stop` waits for it.
pub(crate) struct Right {
    _lock: File,
}

/// How long a new daemon waits for one that is on its way out.
const PATIENCE: Duration = Duration::from_secs(5);
const NAP: Duration = Duration::from_millis(20);

/// None when another daemon already serves this home.
pub(crate) fn elect(home: &Home) -> Result<Option<(Right, Instance)>> {
    let file = platform::private_append(&home.lock_file())
        .with_context(|| format!("opening {}", home.lock_file().display()))?;
    let socket = home.socket();
    let mut left = PATIENCE;
    while file.try_lock().is_err() {
        // One who takes nobody in is waited for as long as a nap is.
        let asked = match platform::connect(&socket, NAP) {
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == ErrorKind::TimedOut => NAP,
            Err(_) => Duration::ZERO,
        };
        if left.is_zero() {
            return Ok(None);
        }
        left = left.saturating_sub(NAP + asked);
        std::thread::sleep(NAP);
    }
    let _ = fs::remove_file(&socket);
    let listener =
        UnixListener::bind(&socket).with_context(|| format!("listening on {}", socket.display()))?;
    listener.set_nonblocking(true).context("preparing the socket")?;
    Ok(Some((Right { _lock: file }, Instance { listener, socket })))
}
