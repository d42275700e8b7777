//! What git says, asked in throw-away repositories and in this one.

use engram_outline::{Snapshot, git};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(20);

fn git(root: &Path, words: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=trunk"])
        .args(words)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

fn repository() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("repo");
    fs::create_dir_all(root.join("src")).unwrap();
    git(&root, &["init", "-q"]);
    fs::write(root.join("src/lib.rs"), "pub fn first() {}\n").unwrap();
    fs::write(root.join("ü ä.py"), "def second(): pass\n").unwrap();
    git(&root, &["add", "."]);
    (folder, root)
}

#[test]
fn an_edit_changes_one_fingerprint() {
    let (_folder, root) = repository();
    let before = git::fingerprints(&root, LIMIT).unwrap();
    assert_eq!(before.keys().collect::<Vec<_>>(), ["src/lib.rs", "ü ä.py"]);
    fs::write(root.join("src/lib.rs"), "pub fn other() {}\n//\n").unwrap();
    fs::write(root.join("untracked.rs"), "").unwrap();
    let after = git::fingerprints(&root, LIMIT).unwrap();
    assert_eq!(engram_outline::plan_refresh(&before, &after).read, ["src/lib.rs"]);
    assert!(engram_outline::plan_refresh(&before, &after).gone.is_empty());
    fs::remove_file(root.join("src/lib.rs")).unwrap();
    let after = git::fingerprints(&root, LIMIT).unwrap();
    assert_eq!(engram_outline::plan_refresh(&before, &after).gone, ["src/lib.rs"]);
}

#[test]
fn a_folder_of_a_repository_knows_its_own_files() {
    let (_folder, root) = repository();
    fs::write(root.join("src/lib.rs"), "pub fn other() {}\n//\n").unwrap();
    let prints = git::fingerprints(&root.join("src"), LIMIT).unwrap();
    assert_eq!(prints.keys().collect::<Vec<_>>(), ["lib.rs"]);
    assert!(prints["lib.rs"].starts_with("edited "));
}

#[test]
fn without_a_repository_nothing_is_known() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(git::fingerprints(folder.path(), LIMIT), None);
    assert_eq!(git::head_of(folder.path()), None);
    assert_eq!(git::fingerprints(&folder.path().join("missing"), LIMIT), None);
}

#[test]
fn a_limit_that_has_passed_gives_nothing() {
    let (_folder, root) = repository();
    assert_eq!(git::fingerprints(&root, Duration::ZERO), None);
}

#[test]
fn a_commit_moves_the_head_loose_packed_detached_and_in_a_worktree() {
    let (_folder, root) = repository();
    assert_eq!(git::head_of(&root).unwrap().head, None);
    git(&root, &["commit", "-qm", "one"]);
    let first = git::head_of(&root).unwrap();
    assert!(first.head.is_some() && first.index_at.is_some());
    git(&root, &["pack-refs", "--all"]);
    assert_eq!(git::head_of(&root).unwrap().head, first.head);
    git(&root, &["worktree", "add", "-q", "-b", "side", "../side"]);
    let side = root.parent().unwrap().join("side");
    assert_eq!(git::head_of(&side).unwrap().head, first.head);
    assert!(git::fingerprints(&side, LIMIT).is_some());
    git(&root, &["commit", "-q", "--allow-empty", "-m", "two"]);
    let second = git::head_of(&root).unwrap().head;
    assert_ne!(second, first.head);
    assert_eq!(git::head_of(&side).unwrap().head, first.head);
    git(&root, &["checkout", "-q", "--detach"]);
    assert_eq!(git::head_of(&root).unwrap().head, second);
}

#[test]
fn a_link_out_of_the_working_tree_is_not_followed() {
    let (folder, root) = repository();
    fs::write(folder.path().join("secret.rs"), "pub fn secret() {}\n").unwrap();
    std::os::unix::fs::symlink("../secret.rs", root.join("link.rs")).unwrap();
    std::os::unix::fs::symlink("..", root.join("up")).unwrap();
    git(&root, &["add", "link.rs"]);
    assert!(!git::fingerprints(&root, LIMIT).unwrap().contains_key("link.rs"));
    for path in ["link.rs", "up/secret.rs", "../secret.rs", "src", "missing.rs"] {
        assert_eq!(git::load_text(&root, path), None, "{path}");
    }
    assert_eq!(git::load_text(&root, "src/lib.rs").as_deref(), Some("pub fn first() {}\n"));
}

#[test]
fn git_is_asked_without_being_changed() {
    let (_folder, root) = repository();
    git(&root, &["commit", "-qm", "one"]);
    let before = git::head_of(&root).unwrap();
    // Touched but the same: git would like to write its index anew.
    fs::write(root.join("src/lib.rs"), "pub fn first() {}\n").unwrap();
    git::fingerprints(&root, LIMIT).unwrap();
    assert_eq!(git::head_of(&root).unwrap(), before);
    assert!(!root.join(".git/index.lock").exists());
}

#[test]
fn this_repository_is_outlined() {
    let here = std::env::var("CARGO_MANIFEST_DIR").unwrap();
    let root = Path::new(&here).join("../..").canonicalize().unwrap();
    let path = "crates/engram-core/src/law/tier.rs";
    let outline = engram_outline::outline_of(path, &git::load_text(&root, path).unwrap()).unwrap();
    assert!(outline.signatures.iter().any(|one| one.name == "sub_tier_of"), "{outline:?}");

    // A copy of the sources without git has no code base to tell.
    let Some(prints) = git::fingerprints(&root, LIMIT) else { return };
    let mut snapshot = Snapshot::default();
    snapshot.apply_refresh(prints, |path| git::load_text(&root, path));
    let sheets = snapshot.sheets();
    let law: Vec<_> = sheets.iter().filter(|sheet| sheet.files.iter().any(|file| file == path)).collect();
    assert!(law.iter().any(|sheet| sheet.text.contains("sub_tier_of")), "{law:?}");
    assert_eq!(sheets[0].key, "tree");
    assert_eq!(sheets[1].key, "entry points");
}
