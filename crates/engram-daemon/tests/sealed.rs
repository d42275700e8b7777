//! Sealed exports and backups: whoever has the key gets everything back, and
//! nobody else gets anything. The list knows every file that was written.

mod common;

use common::{Ground, Place, numbered};
use engram_core::Scope;
use engram_wire::client::NoAnswer;
use engram_wire::copies::{Copies, CopyKind, KnownCopy, is_sealed};
use engram_wire::message::SealedExport;
use engram_wire::reply::{BackedUp, Exported, Imported, Restored};
use engram_wire::window::Stores;
use engram_wire::{Answer, Fault, FaultKind, Order, Request};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

const HERS: &str = "age16n0y6yxg5hs2u6wpq3fhc03333ty0yudm0k8pf553vp3varmpdmsgqhftp";
const HER_KEY: &str = "AGE-SECRET-KEY-16SQWCQX7DHDL6RXZGXENEGG3TMGFVTP4X7TKVV6UE39PMP7HN8KSXRKX7V";
const A_STRANGERS_KEY: &str = "AGE-SECRET-KEY-1KQM4H7XE4GKSXN0YVT6SA2XM9D0T3020JTYE6ELP8CTCQ5FMRW8SGNPY78";

const MARKED: &str = "the staging key is in the xyzzy drawer";

fn key(ground: &Ground, name: &str, text: &str) -> PathBuf {
    let file = ground.root().join(name);
    fs::write(&file, format!("# made for a test\n{text}\n")).unwrap();
    file
}

fn lived_in<'a>(ground: &'a Ground, folder: &Path) -> Place<'a> {
    let place = ground.at(folder);
    place.remember(MARKED, None);
    place.remember("tea, not coffee", Some(Scope::User));
    place
}

fn sealed_backup(place: &Place<'_>, file: &Path) -> BackedUp {
    let to = vec![HERS.to_owned()];
    place.ask(Order::Backup { file: file.to_owned(), all_projects: false, to })
}

fn sealed_export(place: &Place<'_>, file: &Path) -> Exported {
    let sealed = Some(SealedExport { file: file.to_owned(), to: vec![HERS.to_owned()] });
    place.ask(Order::Export { scopes: Vec::new(), no_history: false, sealed })
}

/// The lines of a sealed file, if it opens.
fn opened(ground: &Ground, file: &Path, identity: Option<PathBuf>) -> Result<Vec<String>, Fault> {
    let mut lines = Vec::new();
    let order = Order::OpenSealed { file: file.to_owned(), identity };
    let request = Request { context: ground.at(&ground.root()).context(), order };
    let mut hear = |answer| {
        if let Answer::Line { line } = answer {
            lines.push(line);
        }
    };
    ground.reach.ask(&request, &mut hear).map_err(NoAnswer::into_fault)?;
    Ok(lines)
}

fn known(ground: &Ground) -> Vec<KnownCopy> {
    Copies::new(&ground.reach.home).load().unwrap()
}

fn holds(file: &Path, text: &str) -> bool {
    fs::read(file).unwrap().windows(text.len()).any(|window| window == text.as_bytes())
}

/// What begins with a dot is a draft or a dump on its way.
fn drafts(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with('.') && name.len() > 1).collect()
}

#[test]
fn a_sealed_backup_is_put_back_with_its_key() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = lived_in(&ground, &folder);
    let before = place.export();
    let shelf = ground.folder("shelf");
    let file = shelf.join("kept.backup");
    let done = sealed_backup(&place, &file);
    assert_eq!((done.sealed_for.as_slice(), done.stores.len()), (&[HERS.to_owned()][..], 2));
    assert_eq!(done.bytes, fs::metadata(&file).unwrap().len());
    assert!(is_sealed(&file) && !holds(&file, "xyzzy") && !holds(&file, "engram_backup"));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let backups = ground.reach.home.backups_folder();
    assert_eq!((drafts(&shelf), drafts(&backups)), (Vec::new(), Vec::new()));

    place.remember("said later", None);
    let identity = Some(key(&ground, "her.key", HER_KEY));
    let restored: Restored = place.ask(Order::Restore { file: file.clone(), identity });
    assert_eq!(restored.restored, done.stores);
    assert_eq!(place.export(), before);
    assert!(place.doctor().sound);
    assert_eq!(drafts(&backups), Vec::<String>::new());
    // Nobody asked for what was there before to be sealed.
    assert!(!is_sealed(&restored.kept));
}

#[test]
fn without_its_key_a_sealed_backup_changes_nothing() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = lived_in(&ground, &folder);
    let file = ground.root().join("kept.backup");
    sealed_backup(&place, &file);
    place.remember("said later", None);
    let after = place.export();
    let copies = known(&ground);

    let restore = |file: &Path, identity| place.fault(Order::Restore { file: file.to_owned(), identity });
    let none = restore(&file, None);
    assert_eq!(none.kind, FaultKind::Refused);
    assert!(none.message.contains("is sealed, and no key was named"), "{none:?}");
    let other = restore(&file, Some(key(&ground, "other.key", A_STRANGERS_KEY)));
    assert!(other.message.contains("none of the keys opens it"), "{other:?}");
    let no_key = restore(&file, Some(key(&ground, "no.key", "not a key")));
    assert!(no_key.message.contains("no.key"), "{no_key:?}");

    // Cut anywhere, or changed by one bit, it is no backup.
    let whole = fs::read(&file).unwrap();
    let identity = key(&ground, "her.key", HER_KEY);
    let broken = ground.root().join("broken.backup");
    let mut changed = whole.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    let cut = [&whole[..whole.len() - 1], &whole[..middle], &whole[..60], &changed];
    for part in cut {
        fs::write(&broken, part).unwrap();
        let fault = restore(&broken, Some(identity.clone()));
        assert!(fault.hints.iter().any(|hint| hint == "nothing was changed"), "{fault:?}");
    }
    assert_eq!(place.export(), after);
    assert_eq!(known(&ground), copies, "nothing was kept aside, because nothing was put back");
    assert_eq!(drafts(&ground.reach.home.backups_folder()), Vec::<String>::new());
}

#[test]
fn a_sealed_export_is_the_same_elsewhere() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = lived_in(&ground, &folder);
    let shelf = ground.folder("shelf");
    let file = shelf.join("memories.jsonl.age");
    let done = sealed_export(&place, &file);
    assert_eq!((done.exported, done.sealed_for.as_slice()), (2, &[HERS.to_owned()][..]));
    assert!(is_sealed(&file) && !holds(&file, "xyzzy") && !holds(&file, "tea"));
    assert_eq!(drafts(&shelf), Vec::<String>::new());

    let other = Ground::new();
    let other_folder = other.folder("plain");
    let elsewhere = other.at(&other_folder);
    let lines = opened(&other, &file, Some(key(&other, "her.key", HER_KEY))).unwrap();
    let operation = other.operation();
    let imported: Imported = elsewhere.ask(Order::Import { operation, scope: None, lines: numbered(&lines) });
    assert_eq!(imported.imported, 2);
    assert_eq!(elsewhere.export(), place.export());

    let strangers = Some(key(&other, "other.key", A_STRANGERS_KEY));
    assert!(opened(&other, &file, strangers).unwrap_err().message.contains("none of the keys"));
    assert!(opened(&other, &file, None).unwrap_err().message.contains("no key was named"));
    let whole = fs::read(&file).unwrap();
    let cut = other.root().join("cut.age");
    fs::write(&cut, &whole[..whole.len() - 1]).unwrap();
    assert!(opened(&other, &cut, Some(other.root().join("her.key"))).is_err());
}

#[test]
fn a_name_that_is_no_key_writes_nothing() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = lived_in(&ground, &folder);
    let file = ground.root().join("kept.backup");
    let to = vec!["bob@example.com".to_owned()];
    let fault = place.fault(Order::Backup { file: file.clone(), all_projects: false, to: to.clone() });
    assert!(fault.message.contains("bob@example.com"), "{fault:?}");
    let sealed = Some(SealedExport { file: file.clone(), to });
    let fault = place.fault(Order::Export { scopes: Vec::new(), no_history: false, sealed });
    assert!(fault.message.contains("bob@example.com"), "{fault:?}");
    assert!(!file.exists() && known(&ground).is_empty());
}

#[test]
fn with_the_setting_every_copy_is_sealed_and_opens_by_itself() {
    let ground = Ground::new();
    let identity = key(&ground, "her.key", HER_KEY);
    ground.configure(&format!("[sealing]\nrecipients = \"{HERS}\"\nidentity = \"{}\"\n", identity.display()));
    let folder = ground.folder("plain");
    let place = lived_in(&ground, &folder);
    let before = place.export();
    let file = ground.reach.home.backups_folder().join("kept.backup");
    let _: Value = place.ask(Order::Backup { file: file.clone(), all_projects: false, to: Vec::new() });
    assert!(is_sealed(&file));
    place.remember("said later", None);
    let restored: Restored = place.ask(Order::Restore { file: file.clone(), identity: None });
    assert_eq!(place.export(), before);
    // What was there before is a backup that nobody asked for, and is sealed, too.
    assert!(is_sealed(&restored.kept) && !holds(&restored.kept, "xyzzy"));
    let listed: Stores = place.ask(Order::Stores { days: 1 });
    let lines: Vec<(PathBuf, bool, usize)> =
        listed.backups.into_iter().map(|line| (line.file, line.sealed, line.stores.len())).collect();
    assert_eq!(lines, [(restored.kept, true, 2), (file, true, 2)]);
}

#[test]
fn the_list_knows_every_copy_and_for_whom_it_is() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = lived_in(&ground, &folder);
    let (clear, sealed, lines) = (
        ground.root().join("clear.backup"),
        ground.root().join("sealed.backup"),
        ground.root().join("e.age"),
    );
    let _: Value = place.ask(Order::Backup { file: clear.clone(), all_projects: false, to: Vec::new() });
    sealed_backup(&place, &sealed);
    sealed_export(&place, &lines);
    let known = known(&ground);
    let told: Vec<(&Path, CopyKind, usize, usize)> = known
        .iter()
        .map(|copy| (copy.file.as_path(), copy.kind, copy.stores.len(), copy.sealed_for.len()))
        .collect();
    assert_eq!(
        told,
        [
            (clear.as_path(), CopyKind::Backup, 2, 0),
            (sealed.as_path(), CopyKind::Backup, 2, 1),
            (lines.as_path(), CopyKind::Export, 2, 1),
        ]
    );
    let project = known[0].stores.iter().find(|store| store.scope == Scope::Project).unwrap();
    assert_eq!(project.path.as_deref(), Some(folder.as_path()));
}

#[test]
fn what_a_killed_daemon_left_of_a_backup_is_swept_by_the_next() {
    let ground = Ground::new();
    let folder = ground.folder("plain");
    let place = lived_in(&ground, &folder);
    ground.kill();
    let backups = ground.reach.home.backups_folder();
    fs::create_dir_all(&backups).unwrap();
    fs::write(backups.join(".kept.backup.0.0.surql"), MARKED).unwrap();
    fs::write(backups.join("mine.txt"), "not engram's").unwrap();
    assert_eq!(place.recall("xyzzy"), [MARKED]);
    assert_eq!(drafts(&backups), Vec::<String>::new());
    assert!(backups.join("mine.txt").exists());
}
