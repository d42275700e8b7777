//! Doing what a plan says: files are written whole, what was there is kept, and
//! the record is never behind.
//!
//! The record is written before the files when installing, and after them when
//! uninstalling: a record of something that was not done does no harm, something
//! that was done without a record cannot be undone.

use super::files;
use super::plan::{Action, Step};
use super::record::Installed;
use engram_wire::{Fault, Home};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Installs. When a file cannot be written, those before it are put back.
pub(crate) fn apply_install(steps: &[Step], installed: &Installed, home: &Home) -> Result<(), Fault> {
    let steps: Vec<&Step> = steps.iter().filter(|step| step.action() != Action::Nothing).collect();
    if steps.is_empty() {
        return Ok(());
    }
    let mut next = installed.clone();
    // Remembered before they are made.
    let record = home.installed_folder().join("x");
    let mut folders: Vec<(PathBuf, bool)> =
        files::missing_folders(&record).into_iter().map(|folder| (folder, false)).collect();
    for step in &steps {
        let missing = files::missing_folders(&step.found.target);
        folders.extend(missing.into_iter().map(|folder| (folder, step.project.is_some())));
        next.set(&step.agent, &step.file, step.record.clone());
    }
    for (folder, _) in &folders {
        if !next.folders.contains(folder) {
            next.folders.push(folder.clone());
        }
    }
    let done = write_all(&steps, &folders, &next, home);
    if let Err((fault, written)) = done {
        take_back(&steps[..written], installed, &next, home);
        return Err(fault.hint("nothing was changed: what had been written was put back"));
    }
    Ok(())
}

fn write_all(
    steps: &[&Step],
    folders: &[(PathBuf, bool)],
    next: &Installed,
    home: &Home,
) -> Result<(), (Fault, usize)> {
    let none = |fault| (fault, 0);
    for (folder, in_project) in folders.iter().filter(|(folder, _)| home.root().starts_with(folder)) {
        files::make_folder(folder, *in_project).map_err(none)?;
    }
    files::make_folder(&home.installed_folder(), false).map_err(none)?;
    for (kept, text) in steps.iter().filter_map(|step| step.backup.as_ref()) {
        let backup = home.installed_folder().join(&kept.name);
        files::write(&backup, text, files::PRIVATE_FILE).map_err(none)?;
    }
    next.save(home).map_err(none)?;
    for (folder, in_project) in folders {
        files::make_folder(folder, *in_project).map_err(none)?;
    }
    for (index, step) in steps.iter().enumerate() {
        write_step(step).map_err(|fault| (fault, index))?;
    }
    Ok(())
}

/// As well as it can be done; the fault that led here is what is told.
fn take_back(written: &[&Step], installed: &Installed, next: &Installed, home: &Home) {
    for step in written {
        let _ = match &step.found.text {
            Some(text) => files::write(&step.found.target, text, step.found.mode(step.project.is_some())),
            None => files::remove(&step.found.target),
        };
    }
    let _ = installed.save(home);
    let fresh = next.folders.iter().filter(|folder| !installed.folders.contains(folder));
    remove_backups(installed, home);
    remove_folders(fresh.cloned().collect());
}

fn write_step(step: &Step) -> Result<(), Fault> {
    // Another program may have written since the plan was made.
    if files::look(&step.file)?.text != step.found.text {
        return Err(Fault::refused(format!("{} was changed meanwhile", step.file.display()))
            .hint("run it again; an agent that is running may have written it"));
    }
    match &step.after {
        Some(text) => files::write(&step.found.target, text, step.found.mode(step.project.is_some())),
        None => files::remove(&step.found.target),
    }
}

/// Uninstalls.
pub(crate) fn apply_uninstall(steps: &[Step], installed: &Installed, home: &Home) -> Result<(), Fault> {
    let mut next = installed.clone();
    for step in steps {
        if step.action() != Action::Nothing {
            write_step(step)?;
        }
        next.set(&step.agent, &step.file, step.record.clone());
        // After each, so that what was done is known whatever comes.
        next.save(home)?;
    }
    remove_backups(&next, home);
    let gone = remove_folders(next.folders.clone());
    next.folders.retain(|folder| !gone.contains(folder));
    if !next.files.is_empty() {
        next.save(home)?;
    }
    Ok(())
}

/// What goes of engram's own once the steps are done: its record and its backups,
/// and the folders that it made and in which nothing else lies.
pub(crate) fn own_to_go(steps: &[Step], installed: &Installed, home: &Home) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let mut next = installed.clone();
    for step in steps {
        next.set(&step.agent, &step.file, step.record.clone());
    }
    let mut own = needless_backups(&next, home);
    if next.files.is_empty() && home.installed_file().exists() {
        own.push(home.installed_file());
    }
    let removed = steps.iter().filter(|step| step.after.is_none()).map(|step| step.found.target.clone());
    let mut gone: Vec<PathBuf> = own.iter().cloned().chain(removed).collect();
    let mut folders = inner_first(installed.folders.clone());
    folders.retain(|folder| {
        let Ok(inside) = std::fs::read_dir(folder) else { return false };
        let goes = inside.flatten().all(|entry| gone.contains(&entry.path()));
        if goes {
            gone.push(folder.clone());
        }
        goes
    });
    (own, folders)
}

/// Backups of files that are not remembered any more.
fn needless_backups(installed: &Installed, home: &Home) -> Vec<PathBuf> {
    let needed = |name: &OsStr| {
        installed.files.iter().filter_map(|file| file.before.as_ref()).any(|kept| name == kept.name.as_str())
    };
    let there = std::fs::read_dir(home.installed_folder()).into_iter().flatten().flatten();
    there.filter(|entry| !needed(&entry.file_name())).map(|entry| entry.path()).collect()
}

fn remove_backups(installed: &Installed, home: &Home) {
    for backup in needless_backups(installed, home) {
        // What stays is in nobody's way.
        let _ = files::remove(&backup);
    }
}

fn inner_first(mut folders: Vec<PathBuf>) -> Vec<PathBuf> {
    folders.sort_by_key(|folder| std::cmp::Reverse(folder.components().count()));
    folders
}

/// Removes those that are empty, the inner ones first.
fn remove_folders(folders: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut folders = inner_first(folders);
    folders.retain(|folder| is_safe(folder) && files::remove_empty_folder(folder));
    folders
}

/// The record comes from a file: nothing but an absolute path is a folder of
/// ours.
fn is_safe(folder: &Path) -> bool {
    folder.is_absolute() && folder.parent().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::installing::plan::plan_uninstall;
    use crate::installing::record::{FileRecord, Kept};
    use std::fs;

    /// A step that puts `after` in the place of what is there.
    fn step(file: &Path, after: &str) -> Step {
        let found = files::look(file).unwrap();
        let before = found.text.clone().map(|text| (Kept::of(file, &text), text));
        let record = FileRecord {
            agent: "a".into(),
            project: None,
            file: file.to_owned(),
            created: before.is_none(),
            before: before.as_ref().map(|(kept, _)| kept.clone()),
            after: files::digest(after),
            entries: Vec::new(),
            made: Vec::new(),
        };
        Step {
            agent: "a".into(),
            project: None,
            file: file.to_owned(),
            found,
            after: Some(after.to_owned()),
            record: Some(record),
            backup: before,
            left: Vec::new(),
        }
    }

    #[test]
    fn when_one_file_cannot_be_written_the_others_are_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::locate(Some(folder.path().join("home").into()), None).unwrap();
        let [one, fresh, three] = ["one", "deep/er/two", "three"].map(|name| folder.path().join(name));
        fs::write(&one, "1").unwrap();
        fs::write(&three, "3").unwrap();
        let steps = [step(&one, "11"), step(&fresh, "22"), step(&three, "33")];
        // Somebody writes between the plan and the deed.
        fs::write(&three, "4").unwrap();
        let fault = apply_install(&steps, &Installed::default(), &home).unwrap_err();
        assert!(fault.message.contains("was changed meanwhile"), "{}", fault.message);
        assert_eq!(fs::read_to_string(&one).unwrap(), "1");
        assert_eq!(fs::read_to_string(&three).unwrap(), "4");
        let mut left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["one", "three"]);

        let steps = [step(&one, "11"), step(&fresh, "22")];
        apply_install(&steps, &Installed::default(), &home).unwrap();
        let installed = Installed::load(&home).unwrap();
        let steps = plan_uninstall(&installed.files, &home);
        apply_uninstall(&steps, &installed, &home).unwrap();
        assert_eq!(fs::read_to_string(&one).unwrap(), "1");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
