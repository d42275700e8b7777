//! `uninstall`: engram out of agents' files and, if that is wanted, its data off
//! the machine.

use super::{copies, daemon};
use crate::args::{Global, Uninstall};
use crate::around::{self, Around};
use crate::ask::Client;
use crate::installing::agents::AGENTS;
use crate::installing::apply::{apply_uninstall, own_to_go};
use crate::installing::places::Places;
use crate::installing::plan::{Step, find_unrecorded, leave_unrecorded, plan_uninstall};
use crate::installing::record::{FileRecord, Installed};
use crate::out::{self, Out};
use crate::show::{self, Rest, Told};
use engram_core::skill::FILE_MARK;
use engram_wire::reply::{Health, Stats};
use engram_wire::{Fault, Order, project};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn run(global: &Global, uninstall: &Uninstall) -> Result<u8, Fault> {
    let around = Around::look(global)?;
    let (settings, _) = around.settings_and_problems();
    let out = Out::new(global.json, global.color, settings.text("client.color"), around::no_color());
    let installed = Installed::load(&around.home)?;
    let Chosen { mut records, unrecorded } = chosen(&around, &installed, uninstall)?;
    let mut left: Vec<Step> = Vec::new();
    if uninstall.force {
        records.extend(unrecorded);
    } else {
        left = unrecorded.iter().map(leave_unrecorded).collect();
    }
    let mut steps = plan_uninstall(&records, &around.home);
    steps.extend(left);
    let whole = uninstall.agent.is_none() && !uninstall.project;
    let client = Client::new(around, settings)?;
    let (own, folders) = own_to_go(&steps, &installed, &client.around.home);
    let mut rest = Rest { own, folders, ..Rest::default() };
    if whole {
        rest.process = process(&client, uninstall.data)?;
        rest.data = data(&client.around, &installed, worked_in(&client, rest.process.is_some()));
        rest.data_goes = uninstall.data;
        rest.copies = copies_outside(&client.around, &rest.data);
        rest.keys = Some(client.around.home.web_file()).filter(|file| file.exists());
        let own_folder = client.settings.text("evolution.skills_folder");
        rest.skills = skills(&rest.data, Some(own_folder).filter(|folder| !folder.is_empty()).map(Path::new));
    }
    let told: Vec<Told> = steps.iter().map(Told::of).collect();
    let tell = |done: bool| show::uninstalled(&told, &rest, done, whole, &out.look);
    if !uninstall.dry_run {
        if uninstall.data && !uninstall.yes {
            out::confirm(&tell(false), "Remove all of it?")?;
        }
        apply(&client, &steps, &installed, &rest)?;
    }
    let value = json!({ "dry_run": uninstall.dry_run, "files": told, "engram": rest });
    out.own(&value, &tell(!uninstall.dry_run))?;
    Ok(0)
}

/// The files that are meant.
struct Chosen {
    records: Vec<FileRecord>,
    /// Those that nobody recorded.
    unrecorded: Vec<FileRecord>,
}

fn chosen(around: &Around, installed: &Installed, uninstall: &Uninstall) -> Result<Chosen, Fault> {
    let places = Places::look(around)?;
    let project = if uninstall.project { Some(places.project()?.to_owned()) } else { None };
    let is_meant = |agent: &str| uninstall.agent.as_ref().is_none_or(|meant| meant == agent);
    let meant =
        |record: &&FileRecord| is_meant(&record.agent) && (project.is_none() || record.project == project);
    let records = installed.files.iter().filter(meant).cloned().collect();
    let mut unrecorded = Vec::new();
    for agent in AGENTS.iter().filter(|agent| is_meant(agent.name)) {
        if project.is_none() {
            unrecorded.extend(find_unrecorded(agent, false, &places, installed));
        }
        unrecorded.extend(find_unrecorded(agent, true, &places, installed));
    }
    Ok(Chosen { records, unrecorded })
}

/// The daemon's, if one runs. One that cannot be asked cannot be ended either;
/// then its data must stay.
fn process(client: &Client, data_goes: bool) -> Result<Option<u32>, Fault> {
    let Some(answer) = client.ask_running(Order::Status) else { return Ok(None) };
    match answer.and_then(out::understood::<Health>) {
        Ok(health) => Ok(Some(health.process)),
        Err(fault) if data_goes => Err(fault),
        Err(fault) => {
            out::warn("uninstall", &format!("a daemon runs and stays: {}", fault.message));
            Ok(None)
        }
    }
}

/// The projects that were ever worked in, as the daemon knows them. One that was
/// started only to be asked ends again.
fn worked_in(client: &Client, running: bool) -> Vec<PathBuf> {
    // Where none ever ran, asking would leave traces.
    if !client.around.home.lock_file().exists() {
        return Vec::new();
    }
    let stats = client.ask(Order::Stats).and_then(out::understood::<Stats>);
    if !running {
        let _ = daemon::end(client);
    }
    stats.map(|stats| stats.projects).unwrap_or_else(|fault| {
        out::warn("uninstall", &format!("other projects are not known: {}", fault.message));
        Vec::new()
    })
}

/// Engram's own folders: its home, and the stores of this project, of those it
/// was installed in and of those that were worked in.
fn data(around: &Around, installed: &Installed, worked_in: Vec<PathBuf>) -> Vec<PathBuf> {
    let home = around.home.root();
    let places = installed
        .files
        .iter()
        .filter_map(|file| file.project.clone())
        .chain(worked_in)
        .filter_map(|folder| project::locate(&folder, around.home.person()).ok().flatten());
    let stores = around.place.clone().into_iter().chain(places).map(|place| place.store);
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in stores.filter(|store| is_store(store)).chain([home.to_owned()]) {
        if folder.is_dir() && !found.contains(&folder) {
            found.push(folder);
        }
    }
    found
}

/// The skills that engram made, beside its stores and where the user wants them.
/// They are read by agents and perhaps edited by people, so they stay.
fn skills(data: &[PathBuf], own_folder: Option<&Path>) -> Vec<PathBuf> {
    let beside = data.iter().filter_map(|folder| Some(folder.parent()?.join("skills")));
    let folders = beside.chain(own_folder.map(Path::to_owned));
    let entries = folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let is_ours = |file: &PathBuf| fs::read_to_string(file).is_ok_and(|text| text.contains(FILE_MARK));
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.path().join("SKILL.md")).filter(is_ours).collect();
    found.sort();
    found.dedup();
    found
}

/// The exports and backups that do not go with engram's own folders.
fn copies_outside(around: &Around, data: &[PathBuf]) -> Vec<PathBuf> {
    let known = copies::known(&around.home).unwrap_or_else(|fault| {
        out::warn("uninstall", &format!("copies elsewhere are not known: {}", fault.message));
        Vec::new()
    });
    let there = known.into_iter().filter_map(|(copy, there)| there.then_some(copy.file));
    there.filter(|file| !data.iter().any(|folder| file.starts_with(folder))).collect()
}

fn is_store(folder: &Path) -> bool {
    folder.join("identity.json").is_file()
}

fn apply(client: &Client, steps: &[Step], installed: &Installed, rest: &Rest) -> Result<(), Fault> {
    let home = &client.around.home;
    if rest.data_goes {
        for folder in &rest.data {
            check_data(folder, &client.around)?;
        }
    }
    apply_uninstall(steps, installed, home)?;
    if rest.process.is_some() {
        daemon::end(client)?;
    }
    if rest.data_goes {
        let outside = [home.socket_folder()].into_iter().filter(|folder| !folder.starts_with(home.root()));
        for folder in rest.data.iter().cloned().chain(outside) {
            match fs::remove_dir_all(&folder) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Fault::environment(format!(
                        "{} could not be removed: {error}",
                        folder.display()
                    )));
                }
                // The folder around it goes if nothing else is in it.
                _ => drop(folder.parent().filter(|above| above.ends_with(".claude")).map(fs::remove_dir)),
            }
        }
    }
    Ok(())
}

/// A folder that is removed with everything in it has to be engram's own.
fn check_data(folder: &Path, around: &Around) -> Result<(), Fault> {
    const OWN: [&str; 5] = ["identity.json", "engramd.lock", "config.toml", "installed.json", "spool"];
    let holds_more = around.home.person().is_some_and(|person| person.starts_with(folder))
        || around.folder.starts_with(folder);
    let looks_own = OWN.iter().any(|name| folder.join(name).exists());
    let is_link = fs::symlink_metadata(folder).map_or(true, |meta| meta.is_symlink());
    if holds_more || !looks_own || is_link || folder.parent().is_none() {
        return Err(Fault::refused(format!("{} does not look like a folder of engram", folder.display()))
            .hint("nothing was removed; remove it yourself if it is one"));
    }
    Ok(())
}
