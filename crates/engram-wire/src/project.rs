//! Which project a folder belongs to, and where its store lies.
//!
//! A git repository is one project, however many worktrees it has; a submodule
//! is its own. A folder without git is its own project, unless a folder above
//! it already has a store. The person's home folder is never a project, and
//! neither is the root of the file system. Symbolic links resolve to one place.
//!
//! Only files are read; git itself is not run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A project's place on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectPlace {
    /// The canonical folder of the project: the main worktree, or the bare
    /// repository itself.
    pub root: PathBuf,
    /// Where its store lies.
    pub store: PathBuf,
    /// The repository's common directory, where there is one.
    pub git: Option<PathBuf>,
}

impl ProjectPlace {
    pub fn name(&self) -> String {
        self.root.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    pub fn config_file(&self) -> PathBuf {
        self.store.join("config.toml")
    }

    /// The address of `origin`, as the repository's configuration has it. A
    /// password in it is left out.
    pub fn git_remote(&self) -> Option<String> {
        let text = fs::read_to_string(self.git.as_ref()?.join("config")).ok()?;
        let address = config_value(&text, "remote \"origin\"", "url")?;
        Some(match address.split_once("://") {
            Some((scheme, rest)) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                let host = authority.rsplit('@').next().unwrap_or_default();
                format!("{scheme}://{host}{path}")
            }
            None => address,
        })
    }
}

/// The project of `folder`; None in the person's home or at the root.
pub fn locate(folder: &Path, person: Option<&Path>) -> io::Result<Option<ProjectPlace>> {
    let folder = fs::canonicalize(folder)?;
    let person = person.and_then(|home| fs::canonicalize(home).ok());
    let never = |root: &Path| root.parent().is_none() || Some(root) == person.as_deref();

    for above in folder.ancestors() {
        if let Some(git) = common_directory(above)? {
            let place = place_of_repository(git)?;
            if !never(&place.root) {
                return Ok(Some(place));
            }
            // The home folder is a repository: what lies in it is judged
            // as if it were not.
            break;
        }
    }
    let with_store = folder
        .ancestors()
        .take_while(|above| !never(above))
        .find(|above| store_in(above).join("identity.json").is_file());
    let root = with_store.unwrap_or(&folder);
    if never(root) {
        return Ok(None);
    }
    Ok(Some(ProjectPlace { root: root.to_owned(), store: store_in(root), git: None }))
}

fn store_in(root: &Path) -> PathBuf {
    root.join(".claude").join("engram")
}

/// The common directory of the repository whose top is `folder`, if it is one.
fn common_directory(folder: &Path) -> io::Result<Option<PathBuf>> {
    let dot_git = folder.join(".git");
    if is_repository(&dot_git) {
        return fs::canonicalize(dot_git).map(Some);
    }
    if dot_git.is_file() {
        let text = fs::read_to_string(&dot_git)?;
        let Some(target) = text.trim().strip_prefix("gitdir:") else { return Ok(None) };
        let git = folder.join(target.trim());
        if !git.is_dir() {
            // A worktree whose repository is gone is a plain folder.
            return Ok(None);
        }
        let common = match fs::read_to_string(git.join("commondir")) {
            Ok(text) => git.join(text.trim()),
            Err(_) => git,
        };
        return if is_repository(&common) { fs::canonicalize(common).map(Some) } else { Ok(None) };
    }
    if is_repository(folder) && config_says_bare(folder) {
        return Ok(Some(folder.to_owned()));
    }
    Ok(None)
}

fn is_repository(folder: &Path) -> bool {
    folder.join("HEAD").is_file() && folder.join("objects").is_dir()
}

fn config_says_bare(git: &Path) -> bool {
    fs::read_to_string(git.join("config"))
        .ok()
        .and_then(|text| config_value(&text, "core", "bare"))
        .is_some_and(|value| value == "true")
}

/// A repository's place follows from its common directory alone, so that every
/// worktree arrives at the same answer.
fn place_of_repository(git: PathBuf) -> io::Result<ProjectPlace> {
    let worktree = fs::read_to_string(git.join("config"))
        .ok()
        .and_then(|text| config_value(&text, "core", "worktree"))
        .and_then(|path| fs::canonicalize(git.join(path)).ok());
    let root = match worktree {
        Some(worktree) => worktree,
        None if git.file_name().is_some_and(|name| name == ".git") && !config_says_bare(&git) => {
            git.parent().map(Path::to_owned).unwrap_or_else(|| git.clone())
        }
        // Bare, or kept apart from its worktree: the store lies beside it,
        // under a name of its own, because its neighbours are other projects.
        None => {
            let mut name = git.file_name().unwrap_or_default().to_owned();
            name.push(".engram");
            return Ok(ProjectPlace { store: git.with_file_name(name), root: git.clone(), git: Some(git) });
        }
    };
    Ok(ProjectPlace { store: store_in(&root), root, git: Some(git) })
}

/// One value of git's configuration format: enough of it for plain settings.
fn config_value(text: &str, section: &str, key: &str) -> Option<String> {
    let mut inside = false;
    let mut found = None;
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            inside = name.trim() == section;
        } else if inside
            && let Some((name, value)) = line.split_once('=')
            && name.trim().eq_ignore_ascii_case(key)
        {
            found = Some(value.trim().trim_matches('"').to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    struct Ground {
        _folder: tempfile::TempDir,
        root: PathBuf,
    }

    impl Ground {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let root = fs::canonicalize(folder.path()).unwrap();
            Self { _folder: folder, root }
        }

        fn folder(&self, name: &str) -> PathBuf {
            let folder = self.root.join(name);
            fs::create_dir_all(&folder).unwrap();
            folder
        }

        fn git(&self, at: &str, arguments: &[&str]) {
            let output = Command::new("git")
                .args(["-c", "user.name=t", "-c", "user.email=t@t", "-c", "protocol.file.allow=always"])
                .args(["-c", "init.defaultBranch=main"])
                .args(arguments)
                .current_dir(self.root.join(at))
                .output()
                .unwrap();
            assert!(output.status.success(), "git {arguments:?}: {output:?}");
        }

        fn repository(&self, name: &str) -> PathBuf {
            let folder = self.folder(name);
            self.git(name, &["init", "-q"]);
            self.git(name, &["commit", "-q", "--allow-empty", "-m", "x"]);
            folder
        }

        fn place(&self, folder: &Path) -> Option<ProjectPlace> {
            locate(folder, Some(&self.root.join("home"))).unwrap()
        }
    }

    #[test]
    fn worktrees_and_subfolders_share_one_place() {
        let ground = Ground::new();
        let main = ground.repository("main");
        ground.git("main", &["worktree", "add", "-q", "../side"]);
        let inner = ground.folder("main/src/deep");
        let place = ground.place(&main).unwrap();
        assert_eq!((&place.root, &place.store), (&main, &main.join(".claude/engram")));
        assert_eq!(ground.place(&inner).unwrap(), place);
        assert_eq!(ground.place(&ground.root.join("side")).unwrap(), place);
    }

    #[test]
    fn a_submodule_is_its_own_project_and_so_are_its_worktrees() {
        let ground = Ground::new();
        ground.repository("library");
        let main = ground.repository("main");
        ground.git("main", &["submodule", "add", "-q", "../library", "lib"]);
        let module = main.join("lib");
        assert_eq!(ground.place(&module).unwrap().root, module);
        ground.git("main/lib", &["worktree", "add", "-q", "../../lib-side"]);
        assert_eq!(ground.place(&ground.root.join("lib-side")).unwrap().root, module);
        assert_eq!(ground.place(&main).unwrap().root, main);
    }

    #[test]
    fn a_bare_repository_keeps_its_store_beside_it() {
        let ground = Ground::new();
        ground.repository("seed");
        ground.git("", &["clone", "-q", "--bare", "seed", "one.git"]);
        ground.git("", &["clone", "-q", "--bare", "seed", "two.git"]);
        ground.git("one.git", &["worktree", "add", "-q", "../tree"]);
        let one = ground.place(&ground.root.join("tree")).unwrap();
        assert_eq!(one.store, ground.root.join("one.git.engram"));
        assert_eq!(ground.place(&ground.root.join("one.git")).unwrap(), one);
        assert_ne!(ground.place(&ground.root.join("two.git")).unwrap().store, one.store);
    }

    #[test]
    fn a_folder_without_git_is_its_own_project_until_one_above_has_a_store() {
        let ground = Ground::new();
        let plain = ground.folder("plain");
        let inner = ground.folder("plain/inner");
        assert_eq!(ground.place(&plain).unwrap().root, plain);
        assert_eq!(ground.place(&inner).unwrap().root, inner);
        ground.folder("plain/.claude/engram");
        fs::write(plain.join(".claude/engram/identity.json"), "{}").unwrap();
        assert_eq!(ground.place(&inner).unwrap().root, plain);
    }

    #[test]
    fn home_is_never_a_project_even_as_a_repository() {
        let ground = Ground::new();
        let home = ground.folder("home");
        assert_eq!(ground.place(&home), None);
        ground.repository("home");
        assert_eq!(ground.place(&home), None);
        let notes = ground.folder("home/notes");
        assert_eq!(ground.place(&notes).unwrap().root, notes);
        assert_eq!(locate(Path::new("/"), None).unwrap(), None);
    }

    #[test]
    fn symbolic_links_resolve_to_one_place() {
        let ground = Ground::new();
        let main = ground.repository("main");
        std::os::unix::fs::symlink(&main, ground.root.join("link")).unwrap();
        assert_eq!(ground.place(&ground.root.join("link")).unwrap().root, main);
    }

    #[test]
    fn a_remote_is_read_without_its_password() {
        let ground = Ground::new();
        ground.repository("main");
        ground.git("main", &["remote", "add", "origin", "https://me:secret@example.org/x.git"]);
        let remote = ground.place(&ground.root.join("main")).unwrap().git_remote();
        assert_eq!(remote.as_deref(), Some("https://example.org/x.git"));
    }
}
