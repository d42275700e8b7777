//! What is known of a code base, and what of it has to be read anew.
//!
//! Knows neither git nor files: fingerprints come as an argument, and a file's
//! text through a closure.

use crate::{EntryPoint, FileOutline, Sheet, compress, entry_points_of, is_wanted, outline_of};
use std::collections::BTreeMap;

/// What changed between two looks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Refresh {
    /// New, or with another fingerprint than before.
    pub read: Vec<String>,
    pub gone: Vec<String>,
}

impl Refresh {
    pub fn is_empty(&self) -> bool {
        self.read.is_empty() && self.gone.is_empty()
    }
}

/// Which files to read and which to forget, in the order of their paths. Both
/// maps go from a path to a fingerprint.
pub fn plan_refresh(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Refresh {
    let changed = after.iter().filter(|(path, print)| before.get(*path) != Some(print));
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    Refresh { read: changed.map(|(path, _)| path.clone()).collect(), gone: gone.cloned().collect() }
}

/// A code base as it was when last looked at.
#[derive(Debug, Clone, Default)]
pub struct Snapshot {
    prints: BTreeMap<String, String>,
    outlines: BTreeMap<String, FileOutline>,
    entry_points: BTreeMap<String, Vec<EntryPoint>>,
}

impl Snapshot {
    /// The fingerprint of each file, by path.
    pub fn prints(&self) -> &BTreeMap<String, String> {
        &self.prints
    }

    /// Follows the files to `after`, reading only what changed. A file that
    /// cannot be read is counted in the tree and otherwise unknown.
    pub fn apply_refresh(
        &mut self,
        after: BTreeMap<String, String>,
        mut read: impl FnMut(&str) -> Option<String>,
    ) -> Refresh {
        let refresh = plan_refresh(&self.prints, &after);
        for path in refresh.gone.iter().chain(&refresh.read) {
            self.outlines.remove(path);
            self.entry_points.remove(path);
        }
        for path in refresh.read.iter().filter(|path| is_wanted(path)) {
            let Some(text) = read(path) else { continue };
            if let Some(outline) = outline_of(path, &text) {
                self.outlines.insert(path.clone(), outline);
            }
            let entry_points = entry_points_of(path, &text);
            if !entry_points.is_empty() {
                self.entry_points.insert(path.clone(), entry_points);
            }
        }
        self.prints = after;
        refresh
    }

    /// The whole as short texts.
    pub fn sheets(&self) -> Vec<Sheet> {
        let outlines: Vec<FileOutline> = self.outlines.values().cloned().collect();
        let entry_points: Vec<EntryPoint> = self.entry_points.values().flatten().cloned().collect();
        let tree: Vec<String> = self.prints.keys().cloned().collect();
        compress(&outlines, &entry_points, &tree)
    }
}
