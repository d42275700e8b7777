//! `doctor`: the client's own checks, then the daemon's, then the agents'.
//!
//! It works where the configuration is broken and no daemon can be reached;
//! those are things it finds.

use crate::args::Global;
use crate::around::{self, Around};
use crate::ask::Client;
use crate::installing::places::Places;
use crate::installing::record::Installed;
use crate::installing::{found, vitals};
use crate::out::{self, Out};
use crate::show;
use engram_core::Timestamp;
use engram_wire::reply::{Check, Examined, Stats, Verdict};
use engram_wire::{Fault, Order, platform};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::{fs, io};

pub(crate) fn run(global: &Global, repair: bool) -> Result<u8, Fault> {
    let around = Around::look(global)?;
    let (settings, problems) = around.settings_and_problems();
    let out = Out::new(global.json, global.color, settings.text("client.color"), around::no_color());

    let mut checks = vec![home(around.home.root(), repair)];
    checks.extend(configuration(&around, &problems));
    checks.push(program(around::daemon().as_deref()));
    let client = Client::new(around, settings)?;
    match client.ask(Order::Doctor { repair }).and_then(out::understood::<Examined>) {
        Ok(theirs) => checks.extend(theirs.checks),
        Err(fault) => checks.push(check("daemon", Verdict::Broken, fault.message)),
    }
    checks.extend(agents(&client, out.look.now));
    let examined = judged(checks);
    out.own(&examined, &show::examined(&examined, &out.look))?;
    Ok(u8::from(!examined.sound))
}

/// Whether engram lives in the agents it is installed for. Whoever cannot be
/// asked what hooks did was told above.
fn agents(client: &Client, now: Timestamp) -> Vec<Check> {
    let installed = match Installed::load(&client.around.home) {
        Ok(installed) => installed,
        Err(fault) => return vec![check("agents", Verdict::Broken, fault.message)],
    };
    let places = Places::look(&client.around);
    let fitted = places.map(|places| found::look(&installed, &places, &client.around.home));
    let counted = client.ask_running(Order::Stats).and_then(Result::ok);
    let counted = counted.and_then(|reply| out::understood::<Stats>(reply).ok());
    vitals::examine(&fitted.unwrap_or_default(), counted.as_ref().map(|stats| &stats.hooks), now)
}

fn judged(checks: Vec<Check>) -> Examined {
    let sound = checks.iter().all(|check| matches!(check.verdict, Verdict::Sound | Verdict::Repaired));
    Examined { checks, sound }
}

fn check(what: &str, verdict: Verdict, detail: impl Into<String>) -> Check {
    Check { what: what.to_owned(), verdict, detail: detail.into() }
}

/// The home folder must be ours alone.
fn home(root: &Path, repair: bool) -> Check {
    let name = root.display();
    let meta = match fs::metadata(root) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return check("home", Verdict::Sound, format!("{name} is made when something is remembered"));
        }
        Err(error) => return check("home", Verdict::Broken, format!("{name} cannot be used: {error}")),
    };
    if !meta.is_dir() {
        return check("home", Verdict::Broken, format!("{name} is not a folder"));
    }
    if meta.uid() != platform::user() {
        return check("home", Verdict::Broken, format!("{name} belongs to another user"));
    }
    if let Err(error) = platform::private_append(&root.join("engramd.lock")) {
        return check("home", Verdict::Broken, format!("{name} cannot be written: {error}"));
    }
    if meta.permissions().mode() & 0o077 == 0 {
        return check("home", Verdict::Sound, format!("{name} is private"));
    }
    if !repair {
        return check("home", Verdict::Repairable, format!("{name} can be entered by others"));
    }
    match platform::private_folder(root) {
        Ok(()) => check("home", Verdict::Repaired, format!("{name} is private now")),
        Err(error) => check("home", Verdict::Broken, format!("{name} cannot be made private: {error}")),
    }
}

/// Configuration is a person's: what is wrong in it is not repaired for them.
fn configuration(around: &Around, problems: &[Fault]) -> Vec<Check> {
    if problems.is_empty() {
        let files = around.files().into_iter().filter(|(file, _)| file.exists());
        let files: Vec<String> = files.map(|(file, _)| file.display().to_string()).collect();
        let detail = if files.is_empty() { "only defaults".to_owned() } else { files.join(", ") };
        return vec![check("configuration", Verdict::Sound, detail)];
    }
    let broken = |problem: &Fault| {
        let hint = problem.hints.first().map(|hint| format!("; {hint}")).unwrap_or_default();
        check("configuration", Verdict::Broken, format!("{}{hint}", problem.message.trim_end()))
    };
    problems.iter().map(broken).collect()
}

fn program(daemon: Option<&Path>) -> Check {
    match daemon {
        None => check(
            "engramd",
            Verdict::Broken,
            "not found beside engram nor on the PATH; ENGRAM_DAEMON can name it",
        ),
        Some(program) => match fs::metadata(program) {
            Ok(meta) if meta.is_file() && meta.permissions().mode() & 0o111 != 0 => {
                check("engramd", Verdict::Sound, program.display().to_string())
            }
            Ok(_) => check("engramd", Verdict::Broken, format!("{} is not a program", program.display())),
            Err(error) => check("engramd", Verdict::Broken, format!("{}: {error}", program.display())),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::around::tests::around;

    #[test]
    fn an_open_home_is_found_and_closed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("home");
        assert_eq!(home(&root, false).verdict, Verdict::Sound);
        fs::create_dir(&root).unwrap();
        fs::set_permissions(&root, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(home(&root, false).verdict, Verdict::Repairable);
        assert_eq!(home(&root, true).verdict, Verdict::Repaired);
        assert_eq!(home(&root, false).verdict, Verdict::Sound);
        assert_eq!(home(&folder.path().join("home/none/x"), false).verdict, Verdict::Sound);
        fs::write(folder.path().join("file"), "").unwrap();
        assert_eq!(home(&folder.path().join("file"), true).verdict, Verdict::Broken);
    }

    #[test]
    fn broken_configuration_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let around = around(folder.path());
        assert_eq!(configuration(&around, &[])[0].detail, "only defaults");
        let checks = configuration(&around, &[Fault::usage("config.toml: no").hint("edit it")]);
        assert_eq!(
            (checks[0].verdict, checks[0].detail.as_str()),
            (Verdict::Broken, "config.toml: no; edit it")
        );
    }

    #[test]
    fn a_program_that_cannot_run_is_broken() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("engramd");
        assert_eq!(program(None).verdict, Verdict::Broken);
        assert_eq!(program(Some(&file)).verdict, Verdict::Broken);
        fs::write(&file, "").unwrap();
        assert_eq!(program(Some(&file)).verdict, Verdict::Broken);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o700)).unwrap();
        assert_eq!(program(Some(&file)).verdict, Verdict::Sound);
    }

    #[test]
    fn what_was_repaired_is_sound() {
        let verdicts =
            |list: &[Verdict]| judged(list.iter().map(|verdict| check("x", *verdict, "")).collect()).sound;
        assert!(verdicts(&[Verdict::Sound, Verdict::Repaired]));
        assert!(!verdicts(&[Verdict::Sound, Verdict::Repairable]));
        assert!(!verdicts(&[Verdict::Broken]));
    }
}
