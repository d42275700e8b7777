//! Keys: a text that is never shown, and how the system's keychain is asked for
//! one.
//!
//! The keychain is asked through the program the system has for it, so that no
//! D-Bus library comes along; which program is an argument. Where else a key
//! may come from is the binaries' business.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

/// What a keychain says beyond this is no key, in bytes.
const LONGEST: u64 = 4 << 10;
/// How often it is looked whether a program has ended.
const LOOK: Duration = Duration::from_millis(10);

/// A key. It can be sent and not be printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a key is one word of plain characters")]
pub struct BadKey;

impl Key {
    /// What stands around it does not count; a line break at its end is usual.
    pub fn new(text: &str) -> Result<Self, BadKey> {
        let text = text.trim();
        let fits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Key(text.to_owned())) } else { Err(BadKey) }
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// The text without the key, should somebody have put it there.
    pub(crate) fn hide_in(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(hidden)")
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeychainError {
    #[error("no program was named that asks the keychain")]
    NoProgram,
    #[error("{program} cannot be run: {problem}")]
    NotRun { program: String, problem: String },
    #[error("{program} did not answer in time; the keychain may be waiting for its password")]
    TimedOut { program: String },
    #[error("the keychain has no key under this name ({program} said so)")]
    NoKey { program: String },
    #[error("what {program} found cannot be a key: {problem}")]
    NotAKey { program: String, problem: BadKey },
}

/// What the system's own program is called with to find a key that was kept
/// for engram under this name.
pub fn keychain_lookup(name: &str) -> Vec<String> {
    let words: &[&str] = if cfg!(target_os = "macos") {
        &["/usr/bin/security", "find-generic-password", "-s", "engram", "-w", "-a"]
    } else {
        &["secret-tool", "lookup", "service", "engram", "account"]
    };
    words.iter().copied().chain([name]).map(str::to_owned).collect()
}

/// Runs the program and takes what it prints for the key. Blocks, but not
/// longer than twice `patience`.
pub fn key_from_keychain(lookup: &[String], patience: Duration) -> Result<Key, KeychainError> {
    let (program, arguments) = lookup.split_first().ok_or(KeychainError::NoProgram)?;
    let named = || program.clone();
    let not_run =
        |error: std::io::Error| KeychainError::NotRun { program: named(), problem: error.to_string() };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(not_run)?;
    let (tell, heard) = channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            let mut text = String::new();
            let read = output.take(LONGEST).read_to_string(&mut text);
            // Nobody listens any more after the patience is over.
            let _ = tell.send(read.map(|_| text));
        });
    }
    let text = heard.recv_timeout(patience);
    let status = end_of(&mut child, if text.is_ok() { patience } else { Duration::ZERO }).map_err(not_run)?;
    let text = match (text, status) {
        (Err(_), _) | (_, None) => return Err(KeychainError::TimedOut { program: named() }),
        (Ok(text), Some(status)) if status.success() => text.map_err(not_run)?,
        _ => return Err(KeychainError::NoKey { program: named() }),
    };
    if text.trim().is_empty() {
        return Err(KeychainError::NoKey { program: named() });
    }
    Key::new(&text).map_err(|problem| KeychainError::NotAKey { program: named(), problem })
}

/// Waits for the program to end. None if it had to be stopped.
fn end_of(child: &mut Child, patience: Duration) -> std::io::Result<Option<ExitStatus>> {
    let mut waited = Duration::ZERO;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if waited >= patience {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(LOOK);
        waited += LOOK;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look_up(script: &str) -> Result<Key, KeychainError> {
        look_up_within(script, Duration::from_secs(30))
    }

    fn look_up_within(script: &str, patience: Duration) -> Result<Key, KeychainError> {
        let lookup = ["/bin/sh", "-c", script].map(str::to_owned);
        key_from_keychain(&lookup, patience)
    }

    #[test]
    fn a_key_is_not_printed() {
        let key = Key::new(" sk-very-secret\n").unwrap();
        assert_eq!(key.reveal(), "sk-very-secret");
        assert_eq!(format!("{key:?} {:#?}", Some(&key)).matches("secret").count(), 0);
        assert_eq!(key.hide_in("bad key sk-very-secret!"), "bad key [key]!");
        for bad in ["", " ", "two words", "line\nbreak", "gizli\u{1f}", "şifre"] {
            assert_eq!(Key::new(bad), Err(BadKey), "{bad:?}");
        }
    }

    #[test]
    fn the_keychain_answers_or_it_is_said_why_not() {
        assert_eq!(look_up("echo sk-1").unwrap().reveal(), "sk-1");
        let sh = || "/bin/sh".to_owned();
        assert_eq!(look_up("exit 1"), Err(KeychainError::NoKey { program: sh() }));
        assert_eq!(look_up("echo"), Err(KeychainError::NoKey { program: sh() }));
        assert_eq!(look_up("echo sk-1; exit 44"), Err(KeychainError::NoKey { program: sh() }));
        let slow = look_up_within("exec sleep 5", Duration::from_millis(200));
        assert_eq!(slow, Err(KeychainError::TimedOut { program: sh() }));
        let error = look_up("echo sk-secret and more").unwrap_err();
        assert!(matches!(error, KeychainError::NotAKey { .. }) && !error.to_string().contains("secret"));
        let nobody = key_from_keychain(&["/no/such/program".to_owned()], Duration::from_secs(1));
        assert!(matches!(nobody, Err(KeychainError::NotRun { .. })));
        assert_eq!(key_from_keychain(&[], Duration::from_secs(1)), Err(KeychainError::NoProgram));
    }

    #[test]
    fn the_name_is_an_argument_of_its_own() {
        let lookup = keychain_lookup("anthropic; rm -rf /");
        assert_eq!(lookup.last().unwrap(), "anthropic; rm -rf /");
        assert!(lookup.contains(&"engram".to_owned()));
    }
}
