//! Keeps the outline of each open project's code up to date, away from every
//! request: git is asked, files that changed are read, and what they offer is
//! written down.

use crate::clock::now;
use crate::house::{House, OpenStore};
use engram_core::plan::{Occasion, Sheet};
use engram_core::{Actor, IdMint, OperationId, Provenance, Span, Timestamp};
use engram_guard::guard;
use engram_outline::git::{Stamp, fingerprints, head_of, load_text};
use engram_outline::{Snapshot, is_wanted};
use engram_wire::platform;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long git may take to list the files.
const GIT_WAIT: Duration = Duration::from_secs(10);

/// What is known of the code of the open projects.
#[derive(Default)]
pub(crate) struct Outlining {
    projects: Mutex<HashMap<PathBuf, Known>>,
}

#[derive(Default)]
struct Known {
    looked_at: Option<Timestamp>,
    /// Where the working tree stood then.
    stamp: Option<Stamp>,
    snapshot: Snapshot,
}

impl House {
    /// Looks at the code of every open project whose turn it is.
    pub(crate) async fn outline_projects(&self) {
        let keys: Vec<PathBuf> = self.projects.open().into_iter().map(|(key, _)| key).collect();
        for key in keys {
            if let Err(problem) = self.outline_project(&key).await {
                tracing::warn!("the outline of {} was not drawn: {problem}", key.display());
            }
        }
    }

    /// No store is held on to while the code is read, which may take seconds.
    async fn outline_project(&self, key: &Path) -> Result<(), String> {
        let (root, most, snapshot, before) = {
            let _gate = self.gate.read().await;
            let Some((store, root)) = self.project_at(key) else { return Ok(()) };
            let settings = self.settings_of(&store).map_err(|fault| fault.message)?;
            let every = i64::try_from(settings.number("codebase.every_s")).unwrap_or(i64::MAX);
            if settings.text("codebase.outline") != "on" {
                return Ok(());
            }
            let turn = self.outlining.take_turn(&root, now(), Span::from_secs(every));
            let Some(snapshot) = turn else { return Ok(()) };
            let most = usize::try_from(settings.number("codebase.most_files")).unwrap_or(usize::MAX);
            let before = store.shelf.outlined().await.map_err(|error| error.to_string())?;
            (root, most, snapshot, before)
        };
        let folder = root.clone();
        let drawing = tokio::task::spawn_blocking(move || draw(&folder, snapshot, before.as_deref(), most));
        let drawn = drawing.await.map_err(|error| error.to_string())?;
        self.outlining.keep(&root, drawn.snapshot);
        let Some((sheets, digest)) = drawn.sheets else { return Ok(()) };
        let _gate = self.gate.read().await;
        let Some((store, _)) = self.project_at(key) else { return Ok(()) };
        let at = now();
        let operation = OperationId::from_ulid(IdMint::seeded(platform::chance()).mint(at));
        let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
        let provenance = Provenance {
            source_project: store.project.as_ref().map(|seen| seen.key.clone()),
            ..Provenance::stated_by(Actor::Ingest)
        };
        let changed = store.shelf.put_outline(&sheets, &digest, &provenance, occasion).await;
        let changed = changed.map_err(|error| error.to_string())?;
        if changed > 0 {
            tracing::info!("{changed} sheets of the outline of {} were drawn", store.label());
        }
        Ok(())
    }

    /// An open project, and where its code lies.
    fn project_at(&self, key: &Path) -> Option<(Arc<OpenStore>, PathBuf)> {
        let (_, store) = self.projects.open().into_iter().find(|(known, _)| known == key)?;
        let root = store.project.as_ref()?.path.clone();
        Some((store, root))
    }
}

impl Outlining {
    /// The snapshot of a project, if it is time to look at it again.
    fn take_turn(&self, root: &Path, at: Timestamp, every: Span) -> Option<Snapshot> {
        let mut projects = self.projects.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let known = projects.entry(root.to_owned()).or_default();
        // A commit or a checkout shows at once, a mere edit only to who looks.
        let stamp = head_of(root);
        let early = known.looked_at.is_some_and(|looked_at| at.duration_since(looked_at) < every);
        if early && stamp == known.stamp {
            return None;
        }
        known.looked_at = Some(at);
        known.stamp = stamp;
        Some(std::mem::take(&mut known.snapshot))
    }

    fn keep(&self, root: &Path, snapshot: Snapshot) {
        let mut projects = self.projects.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        projects.entry(root.to_owned()).or_default().snapshot = snapshot;
    }
}

struct Drawn {
    snapshot: Snapshot,
    /// None: nothing changed, or there is nothing to ask.
    sheets: Option<(Vec<Sheet>, String)>,
}

/// `before` tells the state that the outline on the shelf was drawn from.
fn draw(root: &Path, mut snapshot: Snapshot, before: Option<&str>, most: usize) -> Drawn {
    let Some(prints) = fingerprints(root, GIT_WAIT) else { return Drawn { snapshot, sheets: None } };
    let digest = digest_of(&prints);
    if before == Some(digest.as_str()) || prints.len() > most {
        return Drawn { snapshot, sheets: None };
    }
    snapshot.apply_refresh(prints, |path| load_text(root, path));
    let sheets = snapshot
        .sheets()
        .into_iter()
        .map(|sheet| Sheet { key: sheet.key, text: guard(&sheet.text).text, files: sheet.files })
        .collect();
    Drawn { snapshot, sheets: Some((sheets, digest)) }
}

/// One name for the state of all files that say something.
fn digest_of(prints: &BTreeMap<String, String>) -> String {
    use sha2::{Digest as _, Sha256};
    let mut digest = Sha256::new();
    for (path, print) in prints.iter().filter(|(path, _)| is_wanted(path)) {
        digest.update(path.as_bytes());
        digest.update([0]);
        digest.update(print.as_bytes());
        digest.update([0]);
    }
    digest.update(prints.len().to_le_bytes());
    digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
