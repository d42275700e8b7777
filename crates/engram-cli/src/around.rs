//! What the process finds around it: the time, the environment, home, folder,
//! project, settings, and where the daemon's program lies.
//!
//! This is the only file of the client that reads the clock or the environment. It asks
//! nobody and prints nothing.

use crate::args::Global;
use engram_core::Timestamp;
use engram_wire::config::{SECRETS, Settings, Source};
use engram_wire::project::{self, ProjectPlace};
use engram_wire::{Fault, Home};
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub(crate) struct Around {
    pub(crate) home: Home,
    /// The folder someone works in.
    pub(crate) folder: PathBuf,
    pub(crate) place: Option<ProjectPlace>,
    /// The session that was named, as it was typed.
    pub(crate) session: Option<String>,
    /// Settings from the environment, then from flags.
    from_environment: Vec<(String, String)>,
    from_flags: Vec<(String, String)>,
}

impl Around {
    pub(crate) fn look(global: &Global) -> Result<Self, Fault> {
        let home = Home::locate(env::var_os("ENGRAM_HOME"), env::var_os("HOME"))
            .map_err(|error| Fault::environment(error.to_string()).hint("set ENGRAM_HOME to a folder"))?;
        let folder = match &global.folder {
            Some(folder) => std::path::absolute(folder),
            None => env::current_dir(),
        };
        let folder = folder
            .map_err(|error| Fault::environment(format!("the current folder cannot be used: {error}")))?;
        let place = project::locate(&folder, home.person()).map_err(|error| {
            Fault::environment(format!("the folder {} cannot be used: {error}", folder.display()))
        })?;
        let session = match &global.session {
            Some(session) => Some(session.clone()),
            None => text_of("ENGRAM_SESSION").transpose()?,
        };
        let from_environment = Settings::default().keys().filter_map(variable).collect::<Result<_, _>>()?;
        let from_flags = global.set.iter().map(|text| pair(text)).collect::<Result<_, _>>()?;
        Ok(Self { home, folder, place, session, from_environment, from_flags })
    }

    /// Where Claude Code keeps its files.
    pub(crate) fn claude_folder(&self) -> Result<PathBuf, Fault> {
        let named = env::var_os("CLAUDE_CONFIG_DIR").filter(|folder| !folder.is_empty());
        let usual = || self.home.person().map(|home| home.join(".claude"));
        named.map(PathBuf::from).or_else(usual).ok_or_else(|| {
            Fault::environment("there is no home folder to look for Claude Code's files in")
                .hint("set CLAUDE_CONFIG_DIR, or name the file")
        })
    }

    /// Every setting in force. A file that cannot be understood is a fault.
    pub(crate) fn settings(&self) -> Result<Settings, Fault> {
        let (settings, mut problems) = self.settings_and_problems();
        if problems.is_empty() { Ok(settings) } else { Err(problems.swap_remove(0)) }
    }

    /// Every setting in force, and why some sources had to be left out.
    pub(crate) fn settings_and_problems(&self) -> (Settings, Vec<Fault>) {
        let mut settings = Settings::default();
        let mut problems = Vec::new();
        let mut lay = |with: &dyn Fn(Settings) -> Result<Settings, Fault>| match with(settings.clone()) {
            Ok(more) => settings = more,
            Err(problem) => problems.push(problem),
        };
        for (file, source) in self.files() {
            match load(&file) {
                Ok(Some(text)) => {
                    lay(&|settings| settings.with_file(&text, source, &file.display().to_string()));
                }
                Ok(None) => {}
                Err(problem) => lay(&|_| Err(problem.clone())),
            }
        }
        for (key, value) in &self.from_environment {
            lay(&|settings| {
                settings
                    .with_texts([(key.as_str(), value.as_str())], Source::Environment)
                    .map_err(|fault| fault.hint(format!("it comes from {}", Settings::variable(key))))
            });
        }
        for (key, value) in &self.from_flags {
            lay(&|settings| {
                settings
                    .with_texts([(key.as_str(), value.as_str())], Source::Flag)
                    .map_err(|fault| fault.hint(format!("it comes from --set {key}")))
            });
        }
        (settings, problems)
    }

    /// The configuration files, in rising order of precedence.
    pub(crate) fn files(&self) -> Vec<(PathBuf, Source)> {
        let project = self.place.iter().map(|place| (place.config_file(), Source::Project));
        std::iter::once((self.home.config_file(), Source::User)).chain(project).collect()
    }

    /// What the daemon must know of this client's settings. Secrets it reads
    /// for itself, when it starts.
    pub(crate) fn said(&self) -> Vec<(String, String)> {
        let all = self.from_environment.iter().chain(&self.from_flags);
        all.filter(|(key, _)| !SECRETS.contains(&key.as_str())).cloned().collect()
    }
}

/// A folder that a variable of the environment names, as other programs are told
/// where their files are.
pub(crate) fn folder_of(variable: &str) -> Option<PathBuf> {
    env::var_os(variable).map(PathBuf::from).filter(|folder| folder.is_absolute())
}

/// Whether a program of this name would be found by others.
pub(crate) fn is_on_path(program: &str) -> bool {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// The text of a file; None when there is none.
pub(crate) fn load(file: &Path) -> Result<Option<String>, Fault> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            Err(Fault::usage(format!("{} is not UTF-8", file.display())))
        }
        Err(error) => Err(Fault::environment(format!("{} could not be read: {error}", file.display()))),
    }
}

/// The daemon's program: the one that is named, else the one beside us, else
/// the first on the path.
pub(crate) fn daemon() -> Option<PathBuf> {
    if let Some(named) = env::var_os("ENGRAM_DAEMON").filter(|name| !name.is_empty()) {
        return Some(named.into());
    }
    let beside = env::current_exe().ok().map(|program| program.with_file_name("engramd"));
    let on_path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&on_path).map(|folder| folder.join("engramd"));
    beside.into_iter().chain(on_path).find(|program| program.is_file())
}

/// The client's only clock.
#[expect(clippy::disallowed_methods, reason = "one of the two programs; time enters here")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

/// Whether someone asked programs not to use colour.
pub(crate) fn no_color() -> bool {
    env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}

/// Whether the terminal can be drawn on.
pub(crate) fn can_draw() -> bool {
    env::var_os("TERM").is_some_and(|name| !name.is_empty() && name != "dumb")
}

/// Whether whoever types sits at another machine.
pub(crate) fn is_far() -> bool {
    env::var_os("SSH_CONNECTION").is_some_and(|value| !value.is_empty())
}

/// The words of a command that opens an address in a browser. None: there is
/// none, or nobody could see it.
pub(crate) fn browser(address: &str) -> Option<Vec<String>> {
    let named = env::var("BROWSER").unwrap_or_default();
    let display =
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| env::var_os(name).is_some_and(|it| !it.is_empty()));
    let (program, mut words) = opener(&named, display, is_on_path)?;
    if words.iter().any(|word| word.contains("%s")) {
        words.iter_mut().for_each(|word| *word = word.replace("%s", address));
    } else {
        words.push(address.to_owned());
    }
    words.insert(0, program);
    Some(words)
}

/// The first that is there of what is named, commands with a colon between them,
/// and of what systems bring along.
fn opener(named: &str, display: bool, is_there: impl Fn(&str) -> bool) -> Option<(String, Vec<String>)> {
    let usual = [("xdg-open", display), ("open", cfg!(target_os = "macos")), ("wslview", true)];
    let usual = usual.into_iter().filter(|(_, fits)| *fits).map(|(program, _)| program);
    named.split(':').chain(usual).find_map(|command| {
        let mut words = command.split_whitespace().map(str::to_owned);
        let program = words.next().filter(|program| is_there(program))?;
        Some((program, words.collect()))
    })
}

fn variable(key: &str) -> Option<Result<(String, String), Fault>> {
    let text = text_of(&Settings::variable(key))?;
    Some(text.map(|text| (key.to_owned(), text)))
}

/// A variable that is set but empty says nothing.
fn text_of(name: &str) -> Option<Result<String, Fault>> {
    let value = env::var_os(name).filter(|value| !value.is_empty())?;
    Some(value.into_string().map_err(|_| Fault::usage(format!("the environment's {name} is not UTF-8"))))
}

fn pair(text: &str) -> Result<(String, String), Fault> {
    match text.split_once('=') {
        Some((key, value)) => Ok((key.trim().to_owned(), value.to_owned())),
        None => Err(Fault::usage(format!("--set needs KEY=VALUE, not \"{text}\""))
            .hint("for example: --set recall.limit=5")),
    }
}

/// The folder that the agent was started in, where it says so.
pub(crate) fn agent_folder() -> Option<PathBuf> {
    folder_of("CLAUDE_PROJECT_DIR").filter(|folder| folder.is_dir())
}

/// The session of the agent whose shell this is, where it says so.
pub(crate) fn agent_session() -> Option<String> {
    env::var("CLAUDE_CODE_SESSION_ID").ok().filter(|name| !name.trim().is_empty())
}

/// The process that started this one: of a server, its agent.
pub(crate) fn parent_process() -> Option<u32> {
    Some(std::os::unix::process::parent_id())
}

/// The process of the agent that runs this hook, where it says so.
pub(crate) fn agent_process() -> Option<u32> {
    env::var("CLAUDE_PID").ok()?.parse().ok()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn around(folder: &Path) -> Around {
        Around {
            home: Home::locate(Some(folder.join("home").into()), None).unwrap(),
            folder: folder.to_owned(),
            place: project::locate(folder, None).unwrap(),
            session: None,
            from_environment: Vec::new(),
            from_flags: Vec::new(),
        }
    }

    fn with_file(file: &Path, text: &str) {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    #[test]
    fn later_sources_go_first() {
        let folder = tempfile::tempdir().unwrap();
        let mut around = around(folder.path());
        with_file(&around.files()[0].0, "[recall]\nlimit = 2\nprofile = \"codebase\"\n");
        with_file(&around.files()[1].0, "recall.limit = 3");
        around.from_environment =
            vec![("recall.limit".into(), "4".into()), ("embedder.key".into(), "hush".into())];
        around.from_flags = vec![("recall.limit".into(), "5".into())];
        let settings = around.settings().unwrap();
        assert_eq!(settings.number("recall.limit"), 5);
        assert_eq!(settings.text("recall.profile"), "codebase");
        assert_eq!(around.said().len(), 2);
    }

    #[test]
    fn a_broken_source_is_a_fault_and_can_be_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let mut around = around(folder.path());
        with_file(&around.files()[0].0, "recall = [");
        with_file(&around.files()[1].0, "recall.limit = 3");
        around.from_environment = vec![("recall.limit".into(), "many".into())];
        let fault = around.settings().unwrap_err();
        assert!(fault.message.contains("home/config.toml"), "{}", fault.message);
        let (settings, problems) = around.settings_and_problems();
        assert_eq!((settings.number("recall.limit"), problems.len()), (3, 2));
        assert!(problems[1].hints.iter().any(|hint| hint.contains("ENGRAM_RECALL_LIMIT")));
    }

    #[test]
    fn a_browser_that_is_named_goes_first_and_none_opens_where_nobody_sees_it() {
        let found = |named: &str, display: bool, there: &[&str]| {
            opener(named, display, |program| there.contains(&program))
                .map(|(program, words)| (program, words.len()))
        };
        let all = ["xdg-open", "firefox", "w3m"];
        assert_eq!(found("lynx:firefox --new-tab %s:w3m", true, &all), Some(("firefox".into(), 2)));
        assert_eq!(found("", true, &all), Some(("xdg-open".into(), 0)));
        assert_eq!(found("", false, &all), None);
        assert_eq!(found("", false, &["wslview"]), Some(("wslview".into(), 0)));
    }

    #[test]
    fn a_flag_is_a_key_and_a_value() {
        assert_eq!(pair("store.url=ws://a?b=c").unwrap(), ("store.url".into(), "ws://a?b=c".into()));
        assert!(pair("recall.limit").is_err());
    }
}
