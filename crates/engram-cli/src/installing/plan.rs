//! What installing or uninstalling would do: decided before anything is done.
//!
//! A plan is a list of steps, one for each file. It can be shown, refused or
//! applied; making it changes nothing.

use super::agents::Agent;
use super::entry::{self, Entry, EntryKind, Presence};
use super::files::{self, Found};
use super::json_text::{self, Trouble};
use super::lines::{Line, changed_lines};
use super::places::Places;
use super::record::{FileRecord, Installed, Kept};
use engram_wire::{Fault, Home};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// What happens to one file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Step {
    pub(crate) agent: String,
    /// The project it belongs to; None: the user.
    pub(crate) project: Option<PathBuf>,
    pub(crate) file: PathBuf,
    pub(crate) found: Found,
    /// The text it will have; None: there will be no file.
    pub(crate) after: Option<String>,
    /// What is remembered of it then.
    pub(crate) record: Option<FileRecord>,
    /// What is kept of it as it was.
    pub(crate) backup: Option<(Kept, String)>,
    /// What a person should know.
    pub(crate) left: Vec<String>,
}

/// What a step amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    Create,
    Change,
    Remove,
    Nothing,
}

impl Step {
    pub(crate) fn action(&self) -> Action {
        match (&self.found.text, &self.after) {
            (None, Some(_)) => Action::Create,
            (Some(_), None) => Action::Remove,
            (Some(before), Some(after)) if before != after => Action::Change,
            _ => Action::Nothing,
        }
    }

    pub(crate) fn lines(&self) -> Vec<Line> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        changed_lines(&text(&self.found.text), &text(&self.after))
    }
}

/// Installing for one agent, for the user or in the project.
pub(crate) fn plan_install(
    agent: &Agent,
    in_project: bool,
    places: &Places,
    home: &Home,
    installed: &Installed,
    force: bool,
) -> Result<Vec<Step>, Fault> {
    let project = if in_project { Some(places.project()?.to_owned()) } else { None };
    if !force {
        refuse_beside_plugin(agent, places)?;
    }
    let wanted = agent.wanted(in_project);
    let mut steps = Vec::with_capacity(wanted.len());
    for (place, content) in wanted {
        let file = places.path(place)?;
        let found = files::look(&file)?;
        let record = installed.of_file(agent.name, &file);
        let ground = Ground { found: &found, record, home };
        let planned =
            planned_install(&ground, &content.entries, force).map_err(|problem| problem.into_fault(&file))?;
        let mut step = Step {
            agent: agent.name.to_owned(),
            project: project.clone(),
            after: found.text.clone(),
            record: record.cloned(),
            file,
            found,
            backup: None,
            left: planned.left,
        };
        if let Some((base, after, entries, made)) = planned.change {
            let before = base.as_ref().map(|text| (Kept::of(&step.file, text), text.clone()));
            step.record = Some(FileRecord {
                agent: agent.name.to_owned(),
                project: project.clone(),
                file: step.file.clone(),
                created: before.is_none() || record.is_some_and(|record| record.created),
                before: before.as_ref().map(|(kept, _)| kept.clone()),
                after: files::digest(&after),
                entries,
                made,
            });
            step.backup = before;
            step.after = Some(after);
            files::check_writable(&step.found)?;
        }
        steps.push(step);
    }
    Ok(steps)
}

/// The same twice would tell everything twice.
fn refuse_beside_plugin(agent: &Agent, places: &Places) -> Result<(), Fault> {
    match find_plugin(agent, places)? {
        None => Ok(()),
        Some((name, file)) => Err(Fault::refused(format!(
            "the plugin {name} is enabled in {}; with both, everything would be told twice",
            file.display()
        ))
        .hint("the plugin is enough; --force installs both")),
    }
}

/// Our plugin for an agent, by its name, and the file that says it is enabled.
pub(crate) fn find_plugin(agent: &Agent, places: &Places) -> Result<Option<(String, PathBuf)>, Fault> {
    let Some(key) = agent.plugins else { return Ok(None) };
    for place in agent.hook_places() {
        // In no project there are no files of one.
        let Ok(file) = places.path(place) else { continue };
        let Some(text) = files::look(&file)?.text else { continue };
        // What cannot be read is told when it is to be changed.
        let Ok(whole) = json_text::value_of(&text) else { continue };
        let enabled = whole.get(key).and_then(Value::as_object).into_iter().flatten();
        let ours = |(name, on): &(&String, &Value)| name.starts_with("engram@") && **on == Value::Bool(true);
        if let Some((name, _)) = enabled.into_iter().find(ours) {
            return Ok(Some((name.clone(), file)));
        }
    }
    Ok(None)
}

/// What there is to plan with, of one file.
struct Ground<'a> {
    found: &'a Found,
    record: Option<&'a FileRecord>,
    home: &'a Home,
}

impl Ground<'_> {
    /// The file as it was before us, if it was not changed since: no text where
    /// there was no file.
    fn exactly_before(&self) -> Option<Option<String>> {
        let (record, text) = (self.record?, self.found.text.as_ref()?);
        if files::digest(text) != record.after {
            return None;
        }
        match &record.before {
            Some(kept) => kept.load(self.home).map(Some),
            None => record.created.then_some(None),
        }
    }

    /// The file without us, and what of ours somebody changed.
    fn without_us(&self) -> Result<(Option<String>, Vec<Entry>), Trouble> {
        if let Some(before) = self.exactly_before() {
            return Ok((before, Vec::new()));
        }
        let (Some(record), Some(text)) = (self.record, &self.found.text) else {
            return Ok((self.found.text.clone(), Vec::new()));
        };
        let emptied = entry::empty(text, &record.entries, &record.made)?;
        let gone = emptied.bare && record.created;
        Ok(((!gone).then_some(emptied.text), emptied.left))
    }
}

/// Why a file cannot be planned for.
#[derive(Debug)]
enum Problem {
    Trouble(Trouble),
    /// Somebody else's entry is where ours has to be.
    Taken(String),
}

impl From<Trouble> for Problem {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl Problem {
    fn into_fault(self, file: &Path) -> Fault {
        match self {
            Self::Trouble(trouble) => fault_of(trouble, file),
            Self::Taken(name) => {
                Fault::refused(format!("{} already has {name}, and engram did not write it", file.display()))
                    .hint("--force puts engram's in its place; `engram uninstall` brings the old one back")
            }
        }
    }
}

fn fault_of(trouble: Trouble, file: &Path) -> Fault {
    let file = file.display();
    match trouble {
        Trouble::Broken { line, column, why } => {
            Fault::refused(format!("{file} cannot be read, at line {line}, column {column}: {why}"))
                .hint("nothing was changed; correct the file first")
        }
        Trouble::Shape { at, wanted } if at.is_empty() => {
            Fault::refused(format!("{file} has to be {wanted}")).hint("nothing was changed")
        }
        Trouble::Shape { at, wanted } => {
            Fault::refused(format!("{at} in {file} has to be {wanted}")).hint("nothing was changed")
        }
        Trouble::Unsafe => {
            Fault::refused(format!("{file} cannot be changed without touching more than engram's entry"))
                .hint("nothing was changed; `--print` of a fresh install shows what belongs there")
        }
    }
}

/// The file without us, with us, our entries and what was made for them.
type Written = (Option<String>, String, Vec<Entry>, Vec<Vec<String>>);

struct PlannedInstall {
    change: Option<Written>,
    left: Vec<String>,
}

fn planned_install(ground: &Ground<'_>, wanted: &[Entry], force: bool) -> Result<PlannedInstall, Problem> {
    let recorded = ground.record.map(|record| record.entries.as_slice()).unwrap_or_default();
    let text = ground.found.text.as_deref().unwrap_or_default();
    let mut left = Vec::new();
    let mut settled = true;
    for entry in wanted {
        match entry.presence(text)? {
            Presence::Absent => settled = false,
            Presence::Same => {}
            Presence::Other => {
                let ours = recorded.iter().find(|old| old.is_at_place_of(entry));
                let untouched = match ours {
                    Some(old) => old.presence(text)? == Presence::Same,
                    None => false,
                };
                if untouched || (force && entry.kind != EntryKind::Element) {
                    settled = false;
                } else if ours.is_some() || entry.kind == EntryKind::Element {
                    left.push(format!("{} was changed by somebody and stays as it is", entry.name()));
                } else {
                    return Err(Problem::Taken(entry.name()));
                }
            }
        }
    }
    // What an older engram wrote and this one does not want any more.
    for old in recorded {
        let wanted_still = wanted.iter().any(|entry| entry.is_at_place_of(old));
        if !wanted_still && old.presence(text)? == Presence::Same {
            settled = false;
        }
    }
    if settled && ground.found.text.is_some() {
        return Ok(PlannedInstall { change: None, left });
    }
    let (base, changed) = ground.without_us()?;
    let filled = entry::fill(base.as_deref().unwrap_or_default(), wanted, force)?;
    let mut entries = filled.entries;
    // What somebody changed stays remembered as ours, unless it was replaced.
    let kept: Vec<Entry> =
        changed.into_iter().filter(|old| !entries.iter().any(|entry| entry.is_at_place_of(old))).collect();
    entries.extend(kept);
    let mut made = filled.made;
    let made_before = ground.record.map(|record| record.made.as_slice()).unwrap_or_default();
    made.extend(made_before.iter().filter(|at| !made.contains(at)).cloned().collect::<Vec<_>>());
    Ok(PlannedInstall { change: Some((base, filled.text, entries, made)), left })
}

/// What is in an agent's files as this engram would write it, or as an older one
/// did, without a record of that: a record as it would be.
pub(crate) fn find_unrecorded(
    agent: &Agent,
    in_project: bool,
    places: &Places,
    installed: &Installed,
) -> Vec<FileRecord> {
    let project = places.project().ok().filter(|_| in_project).map(Path::to_owned);
    let mut unrecorded = Vec::new();
    let mut known = agent.wanted(in_project);
    if let Some((place, older)) = agent.outdated(in_project)
        && let Some((_, content)) = known.iter_mut().find(|(known, _)| *known == place)
    {
        content.entries.extend(older.entries);
    }
    for (place, content) in known {
        let Ok(file) = places.path(place) else { continue };
        if installed.of_file(agent.name, &file).is_some() {
            continue;
        }
        let Some(text) = files::look(&file).ok().and_then(|found| found.text) else { continue };
        let is_ours =
            |entry: &Entry| entry.kind != EntryKind::Needed && entry.presence(&text) == Ok(Presence::Same);
        let entries: Vec<Entry> = content.entries.into_iter().filter(is_ours).collect();
        if entries.is_empty() {
            continue;
        }
        unrecorded.push(FileRecord {
            agent: agent.name.to_owned(),
            project: project.clone(),
            file,
            created: entries.iter().all(|entry| entry.kind == EntryKind::Whole),
            before: None,
            after: String::new(),
            entries,
            made: Vec::new(),
        });
    }
    unrecorded
}

/// Leaving a file alone that nobody recorded.
pub(crate) fn leave_unrecorded(record: &FileRecord) -> Step {
    let found = files::look(&record.file).unwrap_or_else(|_| Found::nowhere(&record.file));
    Step {
        agent: record.agent.clone(),
        project: record.project.clone(),
        file: record.file.clone(),
        after: found.text.clone(),
        found,
        record: None,
        backup: None,
        left: vec![
            "it has engram in it, but there is no record that engram wrote it; --force removes it".to_owned(),
        ],
    }
}

/// Taking everything out again that was recorded for these files.
pub(crate) fn plan_uninstall(records: &[FileRecord], home: &Home) -> Vec<Step> {
    records.iter().map(|record| planned_uninstall(record, home)).collect()
}

fn planned_uninstall(record: &FileRecord, home: &Home) -> Step {
    let step =
        |found: Found, after: Option<String>, record_after: Option<FileRecord>, left: Vec<String>| Step {
            agent: record.agent.clone(),
            project: record.project.clone(),
            file: record.file.clone(),
            found,
            after,
            record: record_after,
            backup: None,
            left,
        };
    let nowhere = || Found::nowhere(&record.file);
    let found = match files::look(&record.file) {
        Ok(found) => found,
        Err(fault) => return step(nowhere(), None, Some(record.clone()), vec![fault.message]),
    };
    let stays = |found: Found, message: String| {
        let text = found.text.clone();
        step(found, text, Some(record.clone()), vec![message])
    };
    let ground = Ground { found: &found, record: Some(record), home };
    match ground.without_us() {
        Err(trouble) => {
            let message = fault_of(trouble, &record.file).message;
            stays(found, message)
        }
        Ok((after, changed)) => {
            if after != found.text
                && let Err(fault) = files::check_writable(&found)
            {
                return stays(found, fault.message);
            }
            let left: Vec<String> = changed
                .iter()
                .map(|entry| format!("{} was changed by somebody and stays", entry.name()))
                .collect();
            // What stays is remembered; the rest of what was known of the file
            // says nothing about it any more.
            let rest = (!changed.is_empty()).then(|| FileRecord {
                before: None,
                after: String::new(),
                entries: changed,
                ..record.clone()
            });
            step(found, after, rest, left)
        }
    }
}
