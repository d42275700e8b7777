//! The settings' own commands. They ask no daemon, and they work on broken
//! configuration files, because that is where they are needed.

use crate::args::{Config, Global};
use crate::around::{self, Around};
use crate::out::{self, Out};
use crate::show;
use engram_wire::config::{self, SettingValue, Settings, veil};
use engram_wire::window::{SettingLine, SettingsListed};
use engram_wire::{Fault, platform};
use serde_json::json;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

pub(crate) fn run(global: &Global, command: Config) -> Result<u8, Fault> {
    let around = Around::look(global)?;
    let (settings, problems) = around.settings_and_problems();
    let out = Out::new(global.json, global.color, settings.text("client.color"), around::no_color());
    match command {
        Config::List => {
            warn_of(&problems);
            let all = settings.all().map(SettingLine::of).collect::<Result<Vec<_>, _>>()?;
            let files = around.files().into_iter().map(|(file, _)| file).collect();
            let listed = SettingsListed { settings: all, files };
            out.own(&listed, &show::settings(&listed.settings, &out.look))
        }
        Config::Get { key } => {
            warn_of(&problems);
            let setting = SettingLine::of(settings.get(&key)?)?;
            out.own(&setting, &format!("{}\n", show::clean_line(&setting.value.to_string())))
        }
        Config::Set { key, value, project } => {
            let value = settings.read(&key, &value)?;
            let file = file(&around, project)?;
            if project && config::is_personal(&key) {
                return Err(config::not_a_projects(&key, &file.display().to_string()));
            }
            set(&file, &key, &value)?;
            let (settings, problems) = around.settings_and_problems();
            warn_of(&problems);
            warn_if_hidden(&settings, &key, &value)?;
            let shown = veil(&key, &value);
            let text = format!("{key} = {shown} in {}\n", file.display());
            out.own(&json!({ "key": key, "value": shown, "file": file }), &show::clean(&text))
        }
        Config::Path { project } => {
            let file = file(&around, project)?;
            let text = format!("{}\n", file.display());
            out.own(&json!({ "file": file, "exists": file.exists() }), &text)
        }
    }?;
    Ok(0)
}

fn warn_of(problems: &[Fault]) {
    for problem in problems {
        let hints = problem.hints.iter().map(|hint| format!("; {hint}")).collect::<String>();
        out::warn("config", &format!("{}{hints}", problem.message.trim_end()));
    }
}

/// A value that was set and is not in force surprises; say what goes first.
fn warn_if_hidden(settings: &Settings, key: &str, value: &SettingValue) -> Result<(), Fault> {
    let setting = settings.get(key)?;
    if setting.value != *value {
        out::warn("config", &format!("another value is in force here; it comes from: {}", setting.source));
    }
    Ok(())
}

fn file(around: &Around, project: bool) -> Result<PathBuf, Fault> {
    match (project, &around.place) {
        (false, _) => Ok(around.home.config_file()),
        (true, Some(place)) => Ok(place.config_file()),
        (true, None) => Err(Fault::not_found(format!("{} is in no project", around.folder.display()))
            .hint("a folder with git is a project; the home folder never is one")),
    }
}

const FIRST_LINE: &str = "# Settings of engram. `engram config list` shows all there are.\n";

/// Writes one value into a file of settings.
pub(crate) fn set(file: &Path, key: &str, value: &SettingValue) -> Result<(), Fault> {
    let there = around::load(file)?;
    let mut text = config::edited(there.as_deref().unwrap_or_default(), key, value)
        .map_err(|fault| fault.hint(format!("edit {}", file.display())))?;
    if there.is_none() {
        text.insert_str(0, FIRST_LINE);
    }
    write_whole(file, &text)
        .map_err(|error| Fault::environment(format!("{} could not be written: {error}", file.display())))
}

/// The file as a whole, old or new, at every moment; private, as it may hold
/// a secret. A link stays a link.
fn write_whole(file: &Path, text: &str) -> io::Result<()> {
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().ok_or(io::ErrorKind::NotFound)?;
    if !folder.exists() {
        platform::private_folder(folder)?;
    }
    let part = file.with_extension(format!("toml.{}.part", std::process::id()));
    let written = platform::private_create(&part).and_then(|mut part| {
        part.write_all(text.as_bytes())?;
        part.sync_all()
    });
    let written =
        written.and_then(|()| fs::rename(&part, &file)).and_then(|()| File::open(folder)?.sync_all());
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_value_is_written_into_a_private_file_that_keeps_its_comments() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("home/config.toml");
        set(&file, "recall.limit", &SettingValue::Integer(5)).unwrap();
        set(&file, "recall.limit", &SettingValue::Integer(6)).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), format!("{FIRST_LINE}[recall]\nlimit = 6\n"));
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_to_the_file_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("mine.toml"), folder.path().join("config.toml"));
        fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        set(&link, "recall.limit", &SettingValue::Integer(5)).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::read_to_string(&file).unwrap().contains("limit = 5"));
    }

    #[test]
    fn a_file_that_is_not_toml_is_left_alone_and_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        fs::write(&file, "recall = [").unwrap();
        let fault = set(&file, "recall.limit", &SettingValue::Integer(5)).unwrap_err();
        assert!(fault.hints[0].contains("config.toml"));
        assert_eq!(fs::read_to_string(&file).unwrap(), "recall = [");
    }
}
