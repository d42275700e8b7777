//! What of engram is in agents' files now: read, and compared with what was
//! written there. Nothing is judged here.

use super::agents::{AGENTS, Agent};
use super::entry::{Entry, EntryKind, Presence};
use super::files;
use super::json_text;
use super::places::Places;
use super::plan::{find_plugin, find_unrecorded};
use super::record::{FileRecord, Installed};
use super::vitals::{Fitted, Part};
use crate::around;
use engram_core::Timestamp;
use engram_wire::Home;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Every agent that engram is installed for, by whatever way.
pub(crate) fn look(installed: &Installed, places: &Places, home: &Home) -> Vec<Fitted> {
    let since = written_at(&home.installed_file());
    AGENTS.iter().filter_map(|agent| look_at(agent, installed, places, since)).collect()
}

fn look_at(
    agent: &Agent,
    installed: &Installed,
    places: &Places,
    since: Option<Timestamp>,
) -> Option<Fitted> {
    let recorded = installed.files.iter().filter(|record| record.agent == agent.name);
    // A project that is gone took its files with it.
    let recorded = recorded.filter(|record| record.project.as_ref().is_none_or(|project| project.is_dir()));
    let mut records: Vec<FileRecord> = recorded.cloned().collect();
    let is_recorded = !records.is_empty();
    for in_project in [false, true] {
        records.extend(find_unrecorded(agent, in_project, places, installed));
    }
    let mut fitted = Fitted {
        agent: agent.name.to_owned(),
        title: agent.title.to_owned(),
        since: since.filter(|_| is_recorded),
        ..Fitted::default()
    };
    match find_plugin(agent, places) {
        Ok(plugin) => fitted.plugin = plugin.map(|(name, _)| name),
        Err(fault) => fitted.unreadable = Some(fault.message),
    }
    if records.is_empty() && fitted.plugin.is_none() {
        return None;
    }
    let mut programs = Vec::new();
    if fitted.plugin.is_some() {
        programs.push("engram".to_owned());
    }
    for record in &records {
        if let Err(problem) = compare(agent, record, &mut fitted, &mut programs) {
            fitted.unreadable.get_or_insert(problem);
        }
    }
    programs.sort();
    programs.dedup();
    programs.retain(|program| !is_there(program));
    fitted.missing_programs = programs;
    Some(fitted)
}

/// Adds what is still there of one file, and the programs that it names.
fn compare(
    agent: &Agent,
    record: &FileRecord,
    fitted: &mut Fitted,
    programs: &mut Vec<String>,
) -> Result<(), String> {
    let text = files::look(&record.file).map_err(|fault| fault.message)?.text.unwrap_or_default();
    // What somebody else had written there already is in no record.
    let wanted = agent.wanted(record.project.is_some()).into_iter().flat_map(|(_, content)| content.entries);
    let others: Vec<Entry> = wanted
        .filter(|entry| !record.entries.iter().any(|ours| ours.is_at_place_of(entry)))
        .filter(|entry| entry.presence(&text) == Ok(Presence::Same))
        .collect();
    let all = record.entries.iter().chain(&others);
    for entry in all.filter(|entry| entry.kind != EntryKind::Needed) {
        let presence =
            entry.presence(&text).map_err(|_| format!("{} cannot be read", record.file.display()))?;
        let part: &mut Part = if entry.is_server() { &mut fitted.server } else { &mut fitted.hooks };
        match presence {
            Presence::Same => part.whole += 1,
            Presence::Other => part.changed += 1,
            Presence::Absent => {
                part.gone += 1;
                let place = (record.file.display().to_string(), record.project.is_some());
                fitted.gone_from.get_or_insert(place);
            }
        }
        if presence == Presence::Same {
            programs.push("engram".to_owned());
        }
    }
    // What somebody changed may call it from elsewhere.
    if let Ok(whole) = json_text::value_of(&text) {
        called_in(&whole, &format!(" hook --agent {}", record.agent), programs);
    }
    Ok(())
}

fn called_in(value: &Value, words: &str, programs: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let before = text.split_once(words).map(|(before, _)| before);
            programs.extend(before.and_then(program_of));
        }
        Value::Array(list) => list.iter().for_each(|value| called_in(value, words, programs)),
        Value::Object(object) => object.values().for_each(|value| called_in(value, words, programs)),
        _ => {}
    }
}

/// The program at the end of the beginning of a shell's line. One that only the
/// shell knows is nobody's to look for.
fn program_of(line: &str) -> Option<String> {
    let line = line.trim_end();
    let program = match line.strip_suffix(['"', '\'']) {
        Some(quoted) => quoted.rsplit(['"', '\'']).next(),
        None => line.split_whitespace().next_back(),
    };
    program.filter(|program| !program.is_empty() && !program.contains(['$', '~', '\\'])).map(str::to_owned)
}

fn is_there(program: &str) -> bool {
    let path = Path::new(program);
    if !path.is_absolute() {
        return around::is_on_path(program);
    }
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

fn written_at(file: &Path) -> Option<Timestamp> {
    fs::metadata(file).and_then(|meta| meta.modified()).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_of_a_shells_line_is_its_last_word() {
        for (line, program) in [
            ("engram", Some("engram")),
            ("/opt/engram/bin/engram", Some("/opt/engram/bin/engram")),
            ("ENGRAM_HOME=/x engram", Some("engram")),
            ("\"/opt/my tools/engram\"", Some("/opt/my tools/engram")),
            ("command -v engram >/dev/null 2>&1 || exit 0; exec engram", Some("engram")),
            (
                "[ -x '/opt/my tools/engram' ] || exit 0; exec '/opt/my tools/engram'",
                Some("/opt/my tools/engram"),
            ),
            ("~/bin/engram", None),
            ("${CLAUDE_PLUGIN_ROOT}/bin/engram", None),
            ("", None),
        ] {
            assert_eq!(program_of(line).as_deref(), program, "{line}");
        }
    }

    #[test]
    fn the_programs_that_hooks_call_are_found_wherever_they_stand() {
        let whole = serde_json::json!({"hooks": {"Stop": [
            {"hooks": [{"command": "/opt/engram hook --agent codex Stop"}]},
            {"hooks": [{"command": "bell"}, {"command": "x hook --agent other Stop"}]},
        ]}});
        let mut programs = Vec::new();
        called_in(&whole, " hook --agent codex", &mut programs);
        assert_eq!(programs, ["/opt/engram"]);
    }
}
