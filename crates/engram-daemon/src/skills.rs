//! The files of skills: they follow what is kept, and never a person's file.
//!
//! What stands in a file and whether it may be touched is decided in the core.
//! A daemon that ended between keeping a skill and writing its file is made up
//! for the next time somebody looks. Which files were written is noted beside the
//! store, not in it: where the store is taken to another machine, no file was.

use crate::house::{House, OpenStore};
use crate::trouble;
use engram_core::skill::{
    FileStep, OnDisk, Skill, SkillName, SkillSight, on_disk, plan_file, plan_gone, skill_marked_in,
};
use engram_core::{Kind, Memory, MemoryId, Scope};
use engram_wire::Fault;
use engram_wire::evolution::{FileDone, SkillFile};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The skills whose files were written once, as a list of their identifiers.
const WRITTEN: &str = "skills.json";
/// What an agent loads a skill from, in the skill's own folder.
const FILE: &str = "SKILL.md";
/// A longer file is nobody's skill.
const LONGEST: u64 = 1 << 20;
/// Why a file is still there although its skill is not.
const LEFT_BEHIND: &str = "somebody edited it, and its skill is no longer in force; remove it by hand";

impl House {
    /// Where the skills of a store have their files. None: a session and a team
    /// have none.
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
            Scope::Session | Scope::Team => None,
        })
    }

    /// What lies on the disk of each skill of a store.
    pub(crate) async fn skills_on_disk(&self, store: &OpenStore) -> Result<SkillSight, Fault> {
        let Some(folder) = self.skills_folder(store)? else { return Ok(SkillSight::default()) };
        let written = self.written(store)?;
        let mut sight = BTreeMap::new();
        for memory in store.shelf.skills() {
            let Some(skill) = Skill::of(&memory) else { continue };
            let lies = self.lies_at(store, &file_of(&folder, &skill.name)).await?;
            sight.insert(memory.id, or_removed(lies, written.contains(&memory.id)));
        }
        Ok(SkillSight(sight))
    }

    /// The skills of a store that are in force, each with its file.
    pub(crate) fn skill_files(&self, store: &OpenStore) -> Vec<(MemoryId, PathBuf)> {
        let Ok(Some(folder)) = self.skills_folder(store) else { return Vec::new() };
        let skills = store.shelf.skills();
        skills
            .iter()
            .filter_map(|memory| Some((memory.id, file_of(&folder, &Skill::of(memory)?.name))))
            .collect()
    }

    /// Those of these files that stay although their skill is no longer in force
    /// in any of the stores, because somebody edited them.
    pub(crate) fn left_of(
        &self,
        stores: &[Arc<OpenStore>],
        before: &[(MemoryId, PathBuf)],
    ) -> Vec<SkillFile> {
        let now: Vec<_> = stores.iter().flat_map(|store| self.skill_files(store)).collect();
        let in_force = |id: MemoryId, file: &Path| now.iter().any(|known| known.0 == id || known.1 == file);
        let ended = before.iter().filter(|(id, file)| !in_force(*id, file));
        let left = |(id, file): &(MemoryId, PathBuf)| {
            let lies = on_disk(read(file).ok()?.as_deref(), |_| true);
            match plan_gone(*id, &lies) {
                FileStep::Leave(why) if lies == OnDisk::Edited => {
                    Some(SkillFile { file: file.clone(), done: FileDone::Left, why: Some(why.to_owned()) })
                }
                _ => None,
            }
        };
        ended.filter_map(left).collect()
    }

    /// The files that bear engram's mark and whose skill is no longer in force:
    /// what is as engram wrote it goes by itself, so that somebody edited them.
    pub(crate) async fn left_behind(&self, store: &OpenStore) -> Result<Vec<SkillFile>, Fault> {
        let Some(folder) = self.skills_folder(store)? else { return Ok(Vec::new()) };
        let in_force = self.skill_files(store);
        let mut left = Vec::new();
        for file in files_in(&folder) {
            let Some(text) = read(&file)? else { continue };
            let Some(skill) = skill_marked_in(&text) else { continue };
            let stands = in_force.iter().any(|(id, known)| *id == skill || *known == file);
            if !stands
                && self.lies_at(store, &file).await? == OnDisk::Edited
                && self.knows(store, skill).await?
            {
                left.push(SkillFile { file, done: FileDone::Left, why: Some(LEFT_BEHIND.to_owned()) });
            }
        }
        Ok(left)
    }

    /// Brings the files in line with what is kept: what is in force has its file,
    /// what is not has none, and what a person wrote, edited or removed stays so.
    pub(crate) async fn reconcile_skills(&self, store: &OpenStore) -> Result<Vec<SkillFile>, Fault> {
        let Some(folder) = self.skills_folder(store)? else { return Ok(Vec::new()) };
        let mut done = Vec::new();
        let in_force = store.shelf.skills();
        let mut names: BTreeSet<PathBuf> = BTreeSet::new();
        let written_before = self.written(store)?;
        let mut written: BTreeSet<MemoryId> = BTreeSet::new();
        for memory in &in_force {
            let Some(skill) = Skill::of(memory) else { continue };
            let file = file_of(&folder, &skill.name);
            let lies = self.lies_at(store, &file).await?;
            let lies = or_removed(lies, written_before.contains(&memory.id));
            names.insert(file.clone());
            let told = self.step(store, file, plan_file(memory, &lies))?;
            let ours = match lies {
                OnDisk::Ours { skill, .. } => skill == memory.id,
                OnDisk::Edited | OnDisk::Removed => true,
                OnDisk::Absent | OnDisk::Foreign => false,
            };
            if ours || told.as_ref().is_some_and(|told| told.done == FileDone::Written) {
                written.insert(memory.id);
            }
            done.extend(told);
        }
        if written != written_before {
            self.note_written(store, &written)?;
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

    /// The same where nothing fails because of it.
    pub(crate) async fn follow_skills(&self, store: &OpenStore) -> Vec<SkillFile> {
        match self.reconcile_skills(store).await {
            Ok(done) => {
                for file in done.iter().filter(|file| file.done != FileDone::Left) {
                    tracing::info!("skill file {}: {}", file.done, file.file.display());
                }
                done
            }
            Err(fault) => {
                tracing::warn!("the files of skills were not looked after: {}", fault.message);
                Vec::new()
            }
        }
    }

    /// Where it is noted which files of skills were written.
    fn written_file(&self, store: &OpenStore) -> Option<PathBuf> {
        match store.scope() {
            Scope::Project => store.home.as_ref().map(|home| home.folder().join(WRITTEN)),
            Scope::User => Some(self.home.root().join(WRITTEN)),
            Scope::Session | Scope::Team => None,
        }
    }

    /// The skills whose files were written once. A note that cannot be understood
    /// tells nothing.
    fn written(&self, store: &OpenStore) -> Result<BTreeSet<MemoryId>, Fault> {
        let Some(file) = self.written_file(store) else { return Ok(BTreeSet::new()) };
        let Some(text) = read(&file)? else { return Ok(BTreeSet::new()) };
        Ok(serde_json::from_str(&text).unwrap_or_else(|error| {
            tracing::warn!("{} is not understood: {error}", file.display());
            BTreeSet::new()
        }))
    }

    fn note_written(&self, store: &OpenStore, written: &BTreeSet<MemoryId>) -> Result<(), Fault> {
        let Some(file) = self.written_file(store) else { return Ok(()) };
        let text = serde_json::to_string(written).map_err(|error| Fault::internal(error.to_string()))?;
        write(&file, &text).map_err(|error| trouble::io("writing", &file, &error))
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
            FileStep::Keep => None,
            // Of a file that is not there nobody needs to be told.
            FileStep::Leave(why) => file.exists().then(|| told(FileDone::Left, Some(why))),
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

/// What is not there, and was written once, was removed.
fn or_removed(lies: OnDisk, written: bool) -> OnDisk {
    match lies {
        OnDisk::Absent if written => OnDisk::Removed,
        lies => lies,
    }
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
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    fs::create_dir_all(folder)?;
    let beside = folder.join(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
    // One may be left from a crash, or be a stranger's link, which must not be
    // followed.
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut draft = fs::OpenOptions::new().write(true).create_new(true).open(&beside)?;
    draft.write_all(text.as_bytes())?;
    drop(draft);
    fs::rename(&beside, file)
}

/// Whether a memory is or was a skill.
pub(crate) fn is_skill(memory: &Memory) -> bool {
    memory.kind == Kind::Procedure && Skill::of(memory).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_that_lies_where_the_draft_goes_is_not_followed() {
        let ground = tempfile::tempdir().unwrap();
        let (file, elsewhere) = (ground.path().join("skill").join(FILE), ground.path().join("mine"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&elsewhere, "mine").unwrap();
        let draft = file.with_file_name(format!(".{FILE}.{}", std::process::id()));
        std::os::unix::fs::symlink(&elsewhere, draft).unwrap();
        write(&file, "ours").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "ours");
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine");
        assert!(!file.is_symlink());
    }

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
