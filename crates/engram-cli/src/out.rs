//! The terminal: what is printed, what is asked, how wide and how colourful.
//!
//! It knows no reply; `show` makes the text, this file gets it out.

use crate::args::ColorWhen;
use crate::around;
use crate::show::{self, Look, clean_line};
use engram_wire::reply::Progress;
use engram_wire::{Fault, FaultKind};
use jiff::tz::TimeZone;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::io::{self, BufRead as _, IsTerminal as _, Write};

/// Where answers go, and in which form.
pub(crate) struct Out {
    pub(crate) json: bool,
    pub(crate) look: Look,
}

impl Out {
    /// `when` is the flag, `setting` is client.color.
    pub(crate) fn new(json: bool, when: Option<ColorWhen>, setting: &str, no_color: bool) -> Self {
        let color = match when {
            Some(ColorWhen::Always) => true,
            Some(ColorWhen::Never) => false,
            Some(ColorWhen::Auto) => io::stdout().is_terminal() && !no_color,
            None if no_color => false,
            None => match setting {
                "always" => true,
                "never" => false,
                _ => io::stdout().is_terminal(),
            },
        };
        Self { json, look: Look { now: around::now(), zone: TimeZone::system, color, width: width() } }
    }

    /// Prints a reply: as it came, or as `render` shows it.
    pub(crate) fn reply<T: DeserializeOwned>(
        &self,
        reply: Value,
        render: impl FnOnce(&T, &Look) -> String,
    ) -> Result<(), Fault> {
        if self.json {
            return put_json(&reply);
        }
        put(&render(&understood(reply)?, &self.look))
    }

    /// Prints something of our own: `value` as JSON, or `text`.
    pub(crate) fn own(&self, value: &impl Serialize, text: &str) -> Result<(), Fault> {
        if self.json { put_json(value) } else { put(text) }
    }

    /// An answer that is a failure all the same: as JSON they are one document.
    pub(crate) fn own_failed(&self, value: &impl Serialize, text: &str, fault: Fault) -> Result<(), Fault> {
        if !self.json {
            put(text)?;
            return Err(fault);
        }
        let mut value = serde_json::to_value(value)
            .map_err(|error| Fault::internal(format!("the answer cannot be written: {error}")))?;
        value["error"] = fault_value(&fault);
        put_json(&value)?;
        std::process::exit(exit_code(fault.kind).into())
    }
}

/// The daemon's answer in its type.
pub(crate) fn understood<T: DeserializeOwned>(reply: Value) -> Result<T, Fault> {
    serde_json::from_value(reply)
        .map_err(|error| Fault::internal(format!("the daemon's answer is not understood: {error}")))
}

/// Writes to standard output. A reader that has gone away has seen enough.
pub(crate) fn put(text: &str) -> Result<(), Fault> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).or_else(gone)
}

/// Ends quietly when the reader of standard output has gone away.
pub(crate) fn gone(error: io::Error) -> Result<(), Fault> {
    if error.kind() == io::ErrorKind::BrokenPipe {
        std::process::exit(0);
    }
    Err(Fault::environment(format!("standard output could not be written: {error}")))
}

fn put_json(value: &impl Serialize) -> Result<(), Fault> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Fault::internal(format!("the answer cannot be printed as JSON: {error}")))?;
    put(&(text + "\n"))
}

/// Tells what went wrong, and returns the exit code for it.
pub(crate) fn fail(fault: &Fault, command: &str, json: bool) -> u8 {
    if json {
        let _ = put_json(&json!({ "error": fault_value(fault) }));
    } else {
        let _ = io::stderr().write_all(fault_text(fault, command).as_bytes());
    }
    exit_code(fault.kind)
}

/// The hints are there even when there are none, so that scripts need not ask.
fn fault_value(fault: &Fault) -> Value {
    json!({ "kind": fault.kind, "message": fault.message, "hints": fault.hints })
}

fn fault_text(fault: &Fault, command: &str) -> String {
    let mut text = format!("engram {command}: {}\n", show::clean(&fault.message).trim_end());
    for hint in &fault.hints {
        text += &format!("  hint: {}\n", clean_line(hint));
    }
    text
}

/// Documented in the help and in docs/reference/cli.md.
const fn exit_code(kind: FaultKind) -> u8 {
    match kind {
        FaultKind::Internal => 1,
        FaultKind::Usage => 2,
        FaultKind::NotFound => 3,
        FaultKind::Refused => 4,
        FaultKind::Environment => 5,
        FaultKind::Unreachable => 6,
        FaultKind::Version => 7,
        FaultKind::Busy => 8,
    }
}

/// Whether somebody sits in front of it, who sees and types.
pub(crate) fn is_at_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// Something to know that is not the answer.
pub(crate) fn warn(command: &str, warning: &str) {
    let _ = writeln!(io::stderr(), "engram {command}: warning: {}", clean_line(warning));
}

/// Asks before something is done; without a terminal nobody can be asked.
/// `shown` is what the question is about.
pub(crate) fn confirm(shown: &str, question: &str) -> Result<(), Fault> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(Fault::refused("this needs a yes, and there is no terminal to ask on")
            .hint("add --yes to do it without being asked"));
    }
    let mut answer = String::new();
    let asked = write!(io::stderr(), "{shown}{question} [y/N] ")
        .and_then(|()| io::stdin().lock().read_line(&mut answer));
    match asked {
        Ok(_) if is_yes(&answer) => Ok(()),
        Ok(_) => Err(Fault::refused("not confirmed; nothing was changed")),
        Err(error) => Err(Fault::environment(format!("the terminal could not be used: {error}"))),
    }
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_lowercase().as_str(), "y" | "yes")
}

/// One line on a terminal that is written again and again, and cleared.
pub(crate) struct ProgressLine {
    terminal: bool,
    shown: bool,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        Self { terminal: io::stderr().is_terminal(), shown: false }
    }

    pub(crate) fn show(&mut self, progress: &Progress) {
        if self.terminal {
            self.shown = true;
            let _ = write!(io::stderr(), "\r\x1b[2K{}", progress_text(progress));
        }
    }

    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(io::stderr(), "\r\x1b[2K");
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

fn progress_text(progress: &Progress) -> String {
    let Progress { what, done, total } = progress;
    let what = clean_line(what);
    match total {
        Some(total) if *total > 0 => format!("{what}: {done} of {total} ({}%)", done * 100 / total),
        _ => format!("{what}: {done}"),
    }
}

/// Columns of the terminal; of a page where there is no terminal.
fn width() -> usize {
    match rustix::termios::tcgetwinsize(rustix::stdio::stdout()) {
        Ok(size) if size.ws_col >= 20 => usize::from(size.ws_col),
        _ => 100,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_fault_is_told_with_its_hints_and_cannot_command_the_terminal() {
        let fault = Fault::not_found("no memory ends in \u{1b}[2JABCD").hint("`engram list` shows them");
        expect![[r#"
            engram inspect: no memory ends in ␛[2JABCD
              hint: `engram list` shows them
        "#]]
        .assert_eq(&fault_text(&fault, "inspect"));
        expect![[r#"{"kind":"usage","message":"no","hints":[]}"#]]
            .assert_eq(&fault_value(&Fault::usage("no")).to_string());
    }

    #[test]
    fn every_kind_of_fault_has_its_exit_code() {
        let codes: Vec<u8> = FaultKind::ALL.iter().map(|kind| exit_code(*kind)).collect();
        assert_eq!(codes, [2, 3, 4, 5, 8, 6, 7, 1]);
    }

    #[test]
    fn only_a_yes_is_a_yes() {
        assert!(is_yes("y\n") && is_yes("YES\n"));
        assert!(!is_yes("\n") && !is_yes("") && !is_yes("yep") && !is_yes("n"));
    }

    #[test]
    fn progress_is_told_with_what_is_known() {
        let told = |done, total| progress_text(&Progress { what: "scan\u{7}".into(), done, total });
        assert_eq!(told(5, Some(20)), "scan␇: 5 of 20 (25%)");
        assert_eq!(told(5, Some(0)), "scan␇: 5");
        assert_eq!(told(5, None), "scan␇: 5");
    }

    #[test]
    fn the_flag_goes_before_the_environment_and_that_before_the_setting() {
        let color = |when, setting, no_color| Out::new(false, when, setting, no_color).look.color;
        assert!(color(Some(ColorWhen::Always), "never", true));
        assert!(!color(Some(ColorWhen::Never), "always", false));
        assert!(!color(None, "always", true));
        assert!(color(None, "always", false));
        assert!(!color(None, "never", false));
    }
}
