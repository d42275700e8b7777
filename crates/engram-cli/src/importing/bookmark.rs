//! How far each file was imported, kept between two imports.
//!
//! It owns one JSON file and the decision where reading begins. What is read,
//! and where that file lies, it does not know. Too early a place is harmless:
//! an event that arrives twice is one turn. So whatever is in doubt is read
//! again from its start.

use super::Place;
use engram_core::turn::{Event, id_of};
use engram_core::{Timestamp, TurnId};
use engram_wire::{Fault, platform};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// A file is known again by no more than so many of its first bytes.
const HEAD_BYTES: u64 = 4 << 10;

/// The bookmarks of all files, by their path.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bookmarks {
    #[serde(default)]
    files: BTreeMap<String, Bookmark>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Bookmark {
    next: Place,
    /// What the file was like when it was read to its end. None: it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    whole: Option<Stamp>,
    head: Head,
    /// Of a file that is read as a whole: its pieces by their digests, each with
    /// the turn that it became.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pieces: BTreeMap<String, TurnId>,
}

/// The size of a file in bytes, and when it was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stamp {
    pub(crate) size: u64,
    pub(crate) modified_at: Timestamp,
}

/// The beginning of a file, as it was when the bookmark was set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    bytes: u64,
    digest: String,
}

impl Head {
    fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, digest: digest(bytes) }
    }
}

/// A file as it is before it is read. What is written to it later makes it
/// differ, so nothing that arrives meanwhile is missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) stamp: Stamp,
    head: Vec<u8>,
}

impl Seen {
    pub(crate) fn look(file: &Path) -> io::Result<Self> {
        let file = File::open(file)?;
        let stamp = Stamp::of(&file.metadata()?)?;
        let mut head = Vec::new();
        file.take(HEAD_BYTES).read_to_end(&mut head)?;
        Ok(Self { stamp, head })
    }
}

impl Stamp {
    pub(crate) fn of(meta: &fs::Metadata) -> io::Result<Self> {
        let modified_at = Timestamp::try_from(meta.modified()?).map_err(io::Error::other)?;
        Ok(Self { size: meta.len(), modified_at })
    }
}

/// The pieces of a file that was edited, each as it may be kept and with its
/// time.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Edited {
    /// Those that were not in it the last time.
    pub(crate) new: Vec<Event>,
    /// Those that were in it, and are no more.
    pub(crate) gone: BTreeMap<String, TurnId>,
    /// All that are in it now.
    pub(crate) pieces: BTreeMap<String, TurnId>,
}

/// Where reading begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Start {
    /// The file is as it was when it was read to its end.
    Nowhere,
    At(Place),
}

impl Bookmarks {
    /// What `file` holds; nothing if there is none.
    pub(crate) fn load(file: &Path) -> Result<Self, Fault> {
        let bytes = match fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => {
                return Err(Fault::environment(format!("{} could not be read: {error}", file.display())));
            }
        };
        serde_json::from_slice(&bytes).map_err(|error| {
            Fault::environment(format!("{} is not understood: {error}", file.display()))
                .hint("remove it; everything is then read again, and nothing is kept twice")
        })
    }

    /// Puts them in the place of what `file` held: all of it or nothing, and
    /// for its owner only.
    pub(crate) fn save(&self, file: &Path) -> Result<(), Fault> {
        let cannot = |error: io::Error| {
            Fault::environment(format!("{} could not be written: {error}", file.display()))
        };
        let bytes = serde_json::to_vec_pretty(self).map_err(|error| cannot(error.into()))?;
        let mut draft = file.as_os_str().to_owned();
        draft.push(".new");
        let draft = Path::new(&draft);
        // What an earlier try left may be readable for others.
        let _ = fs::remove_file(draft);
        let mut writer = platform::private_create(draft).map_err(cannot)?;
        writer.write_all(&bytes).and_then(|()| writer.sync_all()).map_err(cannot)?;
        fs::rename(draft, file).map_err(cannot)?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all()).map_err(cannot)
    }

    /// Where to go on in a file that looks like `seen` now. One that was
    /// replaced or cut is read from its start.
    pub(crate) fn start_of(&self, file: &Path, seen: &Seen) -> Start {
        let Some(mark) = self.files.get(&name_of(file)) else { return Start::At(Place::default()) };
        let same = usize::try_from(mark.head.bytes)
            .ok()
            .and_then(|bytes| seen.head.get(..bytes))
            .is_some_and(|head| Head::of(head) == mark.head);
        if !same || seen.stamp.size < mark.next.offset {
            Start::At(Place::default())
        } else if mark.whole == Some(seen.stamp) {
            Start::Nowhere
        } else {
            Start::At(mark.next)
        }
    }

    /// The file was read up to `next`: to its end, or only so far.
    pub(crate) fn set(&mut self, file: &Path, seen: &Seen, next: Place, to_its_end: bool) {
        let whole = to_its_end.then_some(seen.stamp);
        let mark = Bookmark { next, whole, head: Head::of(&seen.head), pieces: BTreeMap::new() };
        self.files.insert(name_of(file), mark);
    }

    /// What became of a file that is read as a whole, since the last time. One
    /// that is edited in one line is then not told again in all the others,
    /// which have no time of their own to be recognised by.
    pub(crate) fn edited(&self, file: &Path, pieces: Vec<Event>) -> Edited {
        let before = self.files.get(&name_of(file)).map(|mark| mark.pieces.clone()).unwrap_or_default();
        let mut edited = Edited { gone: before.clone(), ..Edited::default() };
        for piece in pieces {
            let digest = piece_digest(&piece);
            edited.gone.remove(&digest);
            let known = before.get(&digest).copied();
            let turn = known.unwrap_or_else(|| id_of(&piece, piece.time.unwrap_or(Timestamp::UNIX_EPOCH)));
            edited.pieces.insert(digest, turn);
            if known.is_none() {
                edited.new.push(piece);
            }
        }
        edited
    }

    /// The file was read as a whole, and these are all of its pieces.
    pub(crate) fn set_pieces(&mut self, file: &Path, seen: &Seen, pieces: BTreeMap<String, TurnId>) {
        self.set(file, seen, Place { offset: seen.stamp.size, lines: 0 }, true);
        if let Some(mark) = self.files.get_mut(&name_of(file)) {
            mark.pieces = pieces;
        }
    }

    /// The file shall be read from its start.
    pub(crate) fn remove(&mut self, file: &Path) {
        self.files.remove(&name_of(file));
    }
}

/// Two names that differ only in what is not UTF-8 share a bookmark, and are
/// told apart by their beginnings.
fn name_of(file: &Path) -> String {
    file.to_string_lossy().into_owned()
}

/// Where a piece stands may change; what it says makes it new.
fn piece_digest(piece: &Event) -> String {
    let mut digest = digest(piece.text.as_bytes());
    digest.truncate(32);
    digest
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engram_core::turn::EventType;
    use std::os::unix::fs::PermissionsExt as _;

    const FILE: &str = "/t/a.jsonl";

    fn seen(text: &str, second: i64) -> Seen {
        let modified_at = Timestamp::from_second(second).unwrap();
        let head = text.as_bytes().iter().copied().take(HEAD_BYTES as usize).collect();
        Seen { stamp: Stamp { size: text.len() as u64, modified_at }, head }
    }

    fn at(offset: u64) -> Start {
        Start::At(place(offset))
    }

    fn place(offset: u64) -> Place {
        Place { offset, lines: offset / 3 }
    }

    fn start(marks: &Bookmarks, seen: &Seen) -> Start {
        marks.start_of(Path::new(FILE), seen)
    }

    #[test]
    fn a_file_that_grew_is_read_on_and_one_that_did_not_is_not_read() {
        let mut marks = Bookmarks::default();
        let first = seen("{}\n{}\n", 1);
        assert_eq!(start(&marks, &first), at(0));
        marks.set(Path::new(FILE), &first, place(6), true);
        assert_eq!(start(&marks, &first), Start::Nowhere);
        assert_eq!(start(&marks, &seen("{}\n{}\n{}\n", 2)), at(6));
        let long = format!("{{}}\n{{}}\n{}", "x".repeat(9_000));
        assert_eq!(start(&marks, &seen(&long, 2)), at(6));
    }

    #[test]
    fn an_import_that_was_cut_short_goes_on_where_it_was() {
        let mut marks = Bookmarks::default();
        let file = seen("{}\n{}\n", 1);
        marks.set(Path::new(FILE), &file, place(3), false);
        assert_eq!(start(&marks, &file), at(3));
    }

    #[test]
    fn a_file_that_was_replaced_or_cut_is_read_from_its_start() {
        let mut marks = Bookmarks::default();
        marks.set(Path::new(FILE), &seen("{}\n{}\n", 1), place(6), true);
        assert_eq!(start(&marks, &seen("[]\n[]\n[]\n", 2)), at(0));
        assert_eq!(start(&marks, &seen("{}\n", 2)), at(0));
        marks.remove(Path::new(FILE));
        assert_eq!(start(&marks, &seen("{}\n{}\n", 1)), at(0));
    }

    #[test]
    fn of_an_edited_file_only_what_is_new_is_told_again() {
        let piece = |text: &str, second: i64| Event {
            time: Some(Timestamp::from_second(second).unwrap()),
            ..Event::new(EventType::File, text)
        };
        let turn = |event: &Event| id_of(event, event.time.unwrap());
        let mut marks = Bookmarks::default();
        let file = Path::new("/p/CLAUDE.md");
        let before = [piece("we use tabs", 1), piece("we deploy on fridays", 1)];
        let first = marks.edited(file, before.to_vec());
        assert_eq!((first.new.len(), first.gone.len()), (2, 0));
        marks.set_pieces(file, &seen("old", 1), first.pieces);
        let after = [piece("we use tabs", 2), piece("we deploy on mondays", 2)];
        let edited = marks.edited(file, after.to_vec());
        assert_eq!(edited.new, after[1..]);
        assert_eq!(edited.gone.into_values().collect::<Vec<_>>(), [turn(&before[1])]);
        // What stayed is still the turn that it became the first time.
        assert!(edited.pieces.values().any(|kept| *kept == turn(&before[0])));
    }

    #[test]
    fn bookmarks_are_kept_privately_and_a_broken_file_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("imports.json");
        assert_eq!(Bookmarks::load(&file).unwrap(), Bookmarks::default());
        let mut marks = Bookmarks::default();
        marks.set(Path::new(FILE), &seen("{}\n", 1), place(3), true);
        marks.save(&file).unwrap();
        marks.save(&file).unwrap();
        assert_eq!(Bookmarks::load(&file).unwrap(), marks);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        fs::write(&file, "{").unwrap();
        assert!(Bookmarks::load(&file).unwrap_err().hints[0].starts_with("remove it"));
    }

    #[test]
    fn a_file_on_disk_is_known_by_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.jsonl");
        fs::write(&file, "x".repeat(10_000)).unwrap();
        let seen = Seen::look(&file).unwrap();
        assert_eq!((seen.stamp.size, seen.head.len() as u64), (10_000, HEAD_BYTES));
    }
}
