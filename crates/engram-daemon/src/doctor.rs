//! Looks for what is wrong, repairs what can be repaired, and says the rest.

use crate::house::OpenStore;
use crate::orders::Speaker;
use crate::serve::Daemon;
use crate::{identity, trouble, web};
use engram_core::Scope;
use engram_core::skill::OnDisk;
use engram_wire::evolution::SkillFile;
use engram_wire::platform;
use engram_wire::reply::{Check, Examined, Verdict};
use engram_wire::spool::Spool;
use engram_wire::{Context, Fault};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

/// Less free space than this is worth a word, in bytes.
const LITTLE_SPACE: u64 = 100 << 20;

pub(crate) async fn examine(
    daemon: &Daemon,
    context: &Context,
    repair: bool,
    speaker: &Speaker,
) -> Result<Examined, Fault> {
    let mut checks = Vec::new();
    let visible = daemon.house.visible(context).await?;
    for (scope, fault) in visible.missed() {
        checks.push(check(&format!("{scope} store"), Verdict::Broken, fault.message.clone()));
    }
    for (place, store) in visible.stores.iter().enumerate() {
        speaker.progress("examining", place as u64, Some(visible.stores.len() as u64)).await;
        checks.push(check(
            &format!("{} store", store.scope()),
            Verdict::Sound,
            format!("{}: {} memories", store.label(), store.shelf.index().len()),
        ));
        checks.push(index_check(store, repair).await?);
        if let (Scope::Project, Some(home)) = (store.scope(), &store.home) {
            checks.push(git_check(home.folder(), repair));
        }
        checks.extend(skill_check(daemon, store).await?);
    }
    checks.push(embedder_check(daemon));
    checks.push(spool_check(daemon));
    checks.push(session_check(daemon));
    checks.extend(erase_check(daemon));
    checks.extend(team_check(daemon).await);
    checks.extend(audit_check(daemon, repair));
    checks.extend(web_check(daemon, repair));
    checks.push(space_check(daemon));
    let sound = checks.iter().all(|check| matches!(check.verdict, Verdict::Sound | Verdict::Repaired));
    Ok(Examined { checks, sound })
}

async fn index_check(store: &Arc<OpenStore>, repair: bool) -> Result<Check, Fault> {
    let what = format!("{} index", store.scope());
    let differences = store.shelf.differences().await.map_err(|error| trouble::read(&error))?;
    if differences.is_empty() {
        return Ok(check(&what, Verdict::Sound, "equals a full reading of the store".to_owned()));
    }
    let detail = format!("differs from the store in {} memories", differences.len());
    if !repair {
        return Ok(check(&what, Verdict::Repairable, detail));
    }
    store.shelf.rebuild_index().await.map_err(|error| trouble::read(&error))?;
    Ok(check(&what, Verdict::Repaired, format!("{detail}; built again")))
}

fn git_check(folder: &std::path::Path, repair: bool) -> Check {
    let what = "kept out of git";
    match (identity::is_ignored_in_git(folder), repair) {
        (true, _) => check(what, Verdict::Sound, format!("{}/.gitignore", folder.display())),
        (false, false) => check(what, Verdict::Repairable, "its .gitignore is missing or changed".to_owned()),
        (false, true) => match identity::ignore_in_git(folder) {
            Ok(()) => check(what, Verdict::Repaired, "its .gitignore was written again".to_owned()),
            Err(error) => check(what, Verdict::Broken, error.to_string()),
        },
    }
}

/// A file that somebody edited or removed is as somebody wants it: it is told,
/// and is no fault. None: there are no skills.
async fn skill_check(daemon: &Daemon, store: &OpenStore) -> Result<Option<Check>, Fault> {
    let sight = daemon.house.skills_on_disk(store).await?.0;
    let mut notes = Vec::new();
    for (id, file) in daemon.house.skill_files(store) {
        let note = match sight.get(&id) {
            Some(OnDisk::Edited) => "edited by hand",
            Some(OnDisk::Removed) => "removed by hand",
            Some(OnDisk::Absent) => "missing",
            Some(OnDisk::Foreign) => "somebody else's",
            Some(OnDisk::Ours { .. }) | None => continue,
        };
        notes.push(format!("{} is {note}", file.display()));
    }
    let left = daemon.house.left_behind(store).await?;
    for SkillFile { file, why, .. } in &left {
        notes.push(format!("{} was left: {}", file.display(), why.as_deref().unwrap_or_default()));
    }
    let detail = match notes.is_empty() {
        true => format!("{} as written", sight.len()),
        false => notes.join("; "),
    };
    let what = format!("{} skills", store.scope());
    Ok((!sight.is_empty() || !left.is_empty()).then(|| check(&what, Verdict::Sound, detail)))
}

fn embedder_check(daemon: &Daemon) -> Check {
    match daemon.house.without_model() {
        Some(problem) => check("embedder", Verdict::Broken, problem),
        None => check("embedder", Verdict::Sound, daemon.house.settings.text("embedder.name").to_owned()),
    }
}

fn spool_check(daemon: &Daemon) -> Check {
    let spool = Spool::new(daemon.house.home.spool_folder());
    match (spool.waiting(), spool.rejected()) {
        (0, 0) => check("spool", Verdict::Sound, "empty".to_owned()),
        (0, rejected) => check(
            "spool",
            Verdict::Broken,
            format!("{rejected} lines could not be done; they are in {}", spool.rejected_file().display()),
        ),
        (waiting, _) => check(
            "spool",
            Verdict::Broken,
            format!(
                "{waiting} lines wait; they are tried twice a second, and the log says what is in the way"
            ),
        ),
    }
}

fn session_check(daemon: &Daemon) -> Check {
    let problems = daemon.house.settling.problems();
    match problems.first() {
        Some((id, problem)) => check(
            "sessions",
            Verdict::Broken,
            format!("{} cannot hand on what they know; session {id}: {problem}", problems.len()),
        ),
        None => {
            let open = daemon.house.journals().len();
            check("sessions", Verdict::Sound, format!("{open} open"))
        }
    }
}

/// An erase has the house for itself: whoever sees its plan sees one that was broken
/// off. None: there is none.
fn erase_check(daemon: &Daemon) -> Option<Check> {
    let file = daemon.house.home.erase_file();
    let detail = format!(
        "one was broken off, see {}; it is gone on with when the daemon starts, and before the next one",
        file.display()
    );
    file.exists().then(|| check("erase", Verdict::Broken, detail))
}

/// Whoever can read the keys can look in. None: nobody ever asked to be served.
fn web_check(daemon: &Daemon, repair: bool) -> Option<Check> {
    let what = "served over HTTP";
    let file = daemon.house.home.web_file();
    let mode = fs::symlink_metadata(&file).ok()?.permissions().mode();
    if let Some(problem) = web::problem_in(&file) {
        return Some(check(what, Verdict::Broken, problem));
    }
    let open = mode & 0o077 != 0;
    let name = file.display();
    Some(match (open, repair) {
        (false, _) => check(what, Verdict::Sound, format!("only you can read the keys in {name}")),
        (true, false) => check(what, Verdict::Repairable, format!("others can read the keys in {name}")),
        (true, true) => match fs::set_permissions(&file, fs::Permissions::from_mode(0o600)) {
            Ok(()) => check(what, Verdict::Repaired, format!("only you can read the keys in {name} again")),
            Err(error) => check(what, Verdict::Broken, format!("{name}: {error}")),
        },
    })
}

/// The log must be whole, and nobody else may read what its digests are made
/// with. None: nothing was done that is audited.
fn audit_check(daemon: &Daemon, repair: bool) -> Option<Check> {
    let what = "audit log";
    let audit = &daemon.house.audit;
    let there = audit.files().into_iter().filter_map(|file| Some((file, fs::symlink_metadata(file).ok()?)));
    let there: Vec<_> = there.collect();
    if there.is_empty() {
        return None;
    }
    let verified = match audit.verified(None) {
        Ok(verified) => verified,
        Err(fault) => return Some(check(what, Verdict::Broken, fault.message)),
    };
    if let Some(first) = verified.breaks.first() {
        let detail = format!("line {} is {}; `engram audit verify` tells all", first.line, first.flaw);
        return Some(check(what, Verdict::Broken, detail));
    }
    let open: Vec<_> = there
        .into_iter()
        .filter(|(_, meta)| meta.permissions().mode() & 0o077 != 0)
        .map(|(file, _)| file)
        .collect();
    let Some(first) = open.first().map(|file| file.display().to_string()) else {
        return Some(check(what, Verdict::Sound, format!("{} lines, whole", verified.lines)));
    };
    if !repair {
        return Some(check(what, Verdict::Repairable, format!("others can read {first}")));
    }
    let closed =
        open.into_iter().try_for_each(|file| fs::set_permissions(file, fs::Permissions::from_mode(0o600)));
    Some(match closed {
        Ok(()) => check(what, Verdict::Repaired, format!("only you can read {first} again")),
        Err(error) => check(what, Verdict::Broken, format!("{first}: {error}")),
    })
}

/// A server that is away is nobody's fault here; what it refused is somebody's to
/// look at. None: no team was joined.
async fn team_check(daemon: &Daemon) -> Option<Check> {
    let health = match daemon.house.team_health().await {
        Ok(health) => health?,
        Err(fault) => return Some(check("team", Verdict::Broken, fault.message)),
    };
    let mut detail = match &health.problem {
        Some(problem) => format!("{}: {problem}", health.name),
        None => format!("{}: level with its server", health.name),
    };
    if health.queued > 0 {
        detail += &format!("; {} changes wait for it", health.queued);
    }
    if health.refused > 0 {
        detail += &format!("; it refused {}, see `engram team status`", health.refused);
    }
    let verdict = if health.refused > 0 { Verdict::Broken } else { Verdict::Sound };
    Some(check("team", verdict, detail))
}

fn space_check(daemon: &Daemon) -> Check {
    match platform::free_bytes(daemon.house.home.root()) {
        Some(free) if free < LITTLE_SPACE => {
            check("disk space", Verdict::Broken, format!("only {} MB are free", free >> 20))
        }
        Some(free) => check("disk space", Verdict::Sound, format!("{} MB are free", free >> 20)),
        None => check("disk space", Verdict::Sound, "the system does not tell".to_owned()),
    }
}

fn check(what: &str, verdict: Verdict, detail: String) -> Check {
    Check { what: what.to_owned(), verdict, detail }
}
