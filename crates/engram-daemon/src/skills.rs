//! The files of skills: they follow what is kept, and never a person's file.
//!
//! What stands in a file and whether it may be touched is decided in the core.
//! A daemon that ended between keeping a skill and writing its file is made up
//! for the next time somebody looks.

use crate::house::{House, OpenStore};
use crate::trouble;
use engram_core::skill::{FileStep, OnDisk, Skill, SkillName, SkillSight, on_disk, plan_file, plan_gone};
use engram_core::{Kind, Memory, MemoryId, Scope};
use engram_wire::Fault;
use engram_wire::evolution::{FileDone, SkillFile};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What an agent loads a skill from, in the skill's own folder.
const FILE: &str = "SKILL.md";
/// A longer file is nobody's skill.
const LONGEST: u64 = 1 << 20;

impl House {
    /// Where the skills of a store have their files. None: a session has none.
    pub(crate) fn skills_folder(&self, store: &OpenStore) -> Result<Option<PathBuf>, Fault> {
        Ok(match store.scope() {
            Scope::Project => store.project.as_ref().map(|seen| seen.path.join(".claude").join("skills")),
            Scope::User => {
                let chosen = self.settings_of(store)?.text("evolution.skills_folder").to_owned();
                match chosen.is_empty() {
                    true => self.home.person().map(|person| person.join(".claude").join("skills")),
                    false => Some(PathBuf::from(chosen)),
                }
            }
            Scope::Session => None,
        })
    }

    /// What lies on the disk of each skill of a store.
    pub(crate) async fn skills_on_disk(&self, store: &OpenStore) -> Result<SkillSight, Fault> {
        let Some(folder) = self.skills_folder(store)? else { return Ok(SkillSight::default()) };
        let mut sight = BTreeMap::new();
        for memory in store.shelf.skills() {
            let Some(skill) = Skill::of(&memory) else { continue };
            let lies = self.lies_at(store, &file_of(&folder, &skill.name)).await?;
            sight.insert(memory.id, lies);
        }
        Ok(SkillSight(sight))
    }

    /// Brings the files in line with what is kept: what is in force has its file,
    /// what is not has none, and what a person wrote or edited stays.
    pub(crate) async fn reconcile_skills(&self, store: &OpenStore) -> Result<Vec<SkillFile>, Fault> {
        let Some(folder) = self.skills_folder(store)? else { return Ok(Vec::new()) };
        let mut done = Vec::new();
        let in_force = store.shelf.skills();
        let mut names: BTreeSet<PathBuf> = BTreeSet::new();
        for memory in &in_force {
            let Some(skill) = Skill::of(memory) else { continue };
            let file = file_of(&folder, &skill.name);
            let lies = self.lies_at(store, &file).await?;
            names.insert(file.clone());
            done.extend(self.step(store, file, plan_file(memory, &lies))?);
        }
        for file in files_in(&folder) {
            if names.contains(&file) {
                continue;
            }
            let lies = self.lies_at(store, &file).await?;
            if let OnDisk::Ours { skill, .. } = lies {
                done.extend(self.step(store, file, plan_gone(skill, &lies))?);
            }
        }
        Ok(done)
    }

    /// The same where nobody waits to be told.
    pub(crate) async fn follow_skills(&self, store: &OpenStore) {
        match self.reconcile_skills(store).await {
            Ok(done) => {
                for file in done.iter().filter(|file| file.done != FileDone::Left) {
                    tracing::info!("skill file {}: {}", file.done, file.file.display());
                }
            }
            Err(fault) => tracing::warn!("the files of skills were not looked after: {}", fault.message),
        }
    }

    async fn lies_at(&self, store: &OpenStore, file: &Path) -> Result<OnDisk, Fault> {
        let text = read(file)?;
        match on_disk(text.as_deref(), |_| true) {
            // What another's engram wrote is his.
            OnDisk::Ours { skill, .. } if !self.knows(store, skill).await? => Ok(OnDisk::Foreign),
            lies => Ok(lies),
        }
    }

    /// Whether a skill is or was one of this store.
    async fn knows(&self, store: &OpenStore, skill: MemoryId) -> Result<bool, Fault> {
        if store.shelf.index().contains(skill) {
            return Ok(true);
        }
        let done = store.shelf.store().operations_on(skill).await.map_err(|error| trouble::read(&error))?;
        Ok(!done.is_empty())
    }

    fn step(&self, store: &OpenStore, file: PathBuf, step: FileStep) -> Result<Option<SkillFile>, Fault> {
        let told = |done: FileDone, why: Option<&str>| SkillFile {
            file: file.clone(),
            done,
            why: why.map(str::to_owned),
        };
        Ok(match step {
            FileStep::Leave(why) => {
                let of_interest = read(&file)?.is_some() && why != "it is as it should be";
                of_interest.then(|| told(FileDone::Left, Some(why)))
            }
            FileStep::Write { text } => {
                if let Some(root) = store.project.as_ref().map(|seen| &seen.path)
                    && !lies_within(&file, root)
                {
                    return Ok(Some(told(FileDone::Left, Some("its folder leads out of the project"))));
                }
                write(&file, &text).map_err(|error| trouble::io("writing", &file, &error))?;
                Some(told(FileDone::Written, None))
            }
            FileStep::Remove => {
                fs::remove_file(&file).map_err(|error| trouble::io("removing", &file, &error))?;
                // The folder goes with its only file.
                if let Some(folder) = file.parent() {
                    let _ = fs::remove_dir(folder);
                }
                Some(told(FileDone::Removed, None))
            }
        })
    }
}

pub(crate) fn file_of(folder: &Path, name: &SkillName) -> PathBuf {
    folder.join(name.as_str()).join(FILE)
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path().join(FILE)).collect();
    files.retain(|file| file.is_file());
    files.sort();
    files
}

/// None where there is no such file. One that is no text is somebody else's.
fn read(file: &Path) -> Result<Option<String>, Fault> {
    match fs::metadata(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(trouble::io("reading", file, &error)),
        Ok(meta) if !meta.is_file() || meta.len() > LONGEST => return Ok(Some(String::new())),
        Ok(_) => {}
    }
    let bytes = fs::read(file).map_err(|error| trouble::io("reading", file, &error))?;
    Ok(Some(String::from_utf8(bytes).unwrap_or_default()))
}

/// A repository may come from a stranger, and its folders may be links.
fn lies_within(file: &Path, root: &Path) -> bool {
    let Ok(root) = root.canonicalize() else { return false };
    let there = file.ancestors().skip(1).find_map(|folder| folder.canonicalize().ok());
    there.is_some_and(|there| there.starts_with(&root)) && !file.is_symlink()
}

/// Whoever reads it sees the old text or the new one.
fn write(file: &Path, text: &str) -> io::Result<()> {
    let Some(folder) = file.parent() else { return Err(io::ErrorKind::InvalidInput.into()) };
    fs::create_dir_all(folder)?;
    let beside = folder.join(format!(".{FILE}.{}", std::process::id()));
    fs::write(&beside, text)?;
    fs::rename(&beside, file)
}

/// Whether a memory is or was a skill.
pub(crate) fn is_skill(memory: &Memory) -> bool {
    memory.kind == Kind::Procedure && Skill::of(memory).is_some()
}

/// Whether one of these is.
pub(crate) fn any_skill(memories: &[Memory]) -> bool {
    memories.iter().any(is_skill)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_leads_out_of_the_project_is_left_alone() {
        let ground = tempfile::tempdir().unwrap();
        let (project, elsewhere) = (ground.path().join("project"), ground.path().join("elsewhere"));
        fs::create_dir_all(project.join(".claude")).unwrap();
        fs::create_dir_all(&elsewhere).unwrap();
        let file = project.join(".claude/skills/deploy/SKILL.md");
        assert!(lies_within(&file, &project));
        std::os::unix::fs::symlink(&elsewhere, project.join(".claude/skills")).unwrap();
        assert!(!lies_within(&file, &project));
    }
}
