//! Where writes wait when the daemon cannot be reached.
//!
//! A client appends one line and syncs it; the daemon takes the whole file
//! aside, does its lines in order, and only then removes it. Doing a line
//! twice changes nothing, because every line carries its operation. A line
//! that cannot be done is kept in `rejected.jsonl` with the reason.

use crate::fault::Fault;
use crate::message::Request;
use crate::platform::{private_append, private_create, private_folder};
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

const WAITING: &str = "waiting.jsonl";
const TAKEN: &str = "taken.jsonl";
const REJECTED: &str = "rejected.jsonl";
const LOCK: &str = "lock";

#[derive(Debug, thiserror::Error)]
pub enum SpoolError {
    #[error("the spool is full ({bytes} bytes of {largest})")]
    Full { bytes: u64, largest: u64 },
    #[error("the spool could not be written: {0}")]
    Io(#[from] io::Error),
}

/// The spool of one home.
#[derive(Debug, Clone)]
pub struct Spool {
    folder: PathBuf,
}

impl Spool {
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Durable when this returns. `largest` bounds the waiting file in bytes.
    pub fn append(&self, request: &Request, largest: u64) -> Result<(), SpoolError> {
        let mut line = serde_json::to_vec(request).map_err(io::Error::from)?;
        line.push(b'\n');
        private_folder(&self.folder)?;
        let _lock = self.lock()?;
        let mut file = private_append(&self.folder.join(WAITING))?;
        let bytes = file.metadata()?.len();
        if bytes + line.len() as u64 > largest {
            return Err(SpoolError::Full { bytes, largest });
        }
        // A line that was cut short by a crash must not swallow this one.
        if bytes > 0 && !ends_with_newline(&file, bytes)? {
            line.insert(0, b'\n');
        }
        file.write_all(&line)?;
        file.sync_all()?;
        File::open(&self.folder)?.sync_all()?;
        Ok(())
    }

    /// What waits, in order, taken aside so that clients can go on appending.
    /// Lines taken before, and not done yet, come first; they do not hold up
    /// the others.
    pub fn take(&self) -> io::Result<Vec<String>> {
        let waiting = self.folder.join(WAITING);
        let taken = self.folder.join(TAKEN);
        if waiting.exists() {
            let _lock = self.lock()?;
            if taken.exists() {
                // A crash between these two leaves lines in both; each is done
                // once all the same.
                let mut all = lines(&taken)?;
                all.extend(lines(&waiting)?);
                self.keep(&all)?;
                fs::remove_file(&waiting)?;
            } else {
                fs::rename(&waiting, &taken)?;
            }
        }
        if taken.exists() { lines(&taken) } else { Ok(Vec::new()) }
    }

    /// Of what was taken, only these are still to be done.
    pub fn keep(&self, rest: &[String]) -> io::Result<()> {
        let draft = self.folder.join("taken.new");
        let mut file = private_create(&draft)?;
        for line in rest {
            writeln!(file, "{line}")?;
        }
        file.sync_all()?;
        fs::rename(&draft, self.folder.join(TAKEN))?;
        File::open(&self.folder)?.sync_all()
    }

    /// What was taken is done.
    pub fn done(&self) -> io::Result<()> {
        fs::remove_file(self.folder.join(TAKEN))?;
        File::open(&self.folder)?.sync_all()
    }

    /// Keeps a line that cannot be done, with the reason.
    pub fn reject(&self, line: &str, fault: &Fault) -> io::Result<()> {
        let entry = serde_json::json!({ "line": line, "fault": fault });
        let mut file = private_append(&self.folder.join(REJECTED))?;
        writeln!(file, "{entry}")?;
        file.sync_all()
    }

    /// Leaves of each line what `stays` says, which may be nothing: of what waits, of
    /// what was taken and of what was rejected. Tells of each file whether it changed.
    pub fn take_out(&self, stays: &dyn Fn(&str) -> Option<String>) -> Vec<(&'static str, io::Result<bool>)> {
        [WAITING, TAKEN, REJECTED].map(|name| (name, self.without(name, stays))).into()
    }

    fn without(&self, name: &str, stays: &dyn Fn(&str) -> Option<String>) -> io::Result<bool> {
        let file = self.folder.join(name);
        if !file.exists() {
            return Ok(false);
        }
        let _lock = self.lock()?;
        let all = lines(&file)?;
        let kept: Vec<String> = all.iter().filter_map(|line| stays(line)).collect();
        if kept == all {
            return Ok(false);
        }
        let draft = file.with_extension("new");
        let mut written = private_create(&draft)?;
        kept.iter().try_for_each(|line| writeln!(written, "{line}"))?;
        written.sync_all()?;
        fs::rename(&draft, &file)?;
        File::open(&self.folder)?.sync_all()?;
        Ok(true)
    }

    pub fn waiting(&self) -> usize {
        [WAITING, TAKEN].iter().map(|name| count(&self.folder.join(name))).sum()
    }

    pub fn rejected(&self) -> usize {
        count(&self.folder.join(REJECTED))
    }

    pub fn rejected_file(&self) -> PathBuf {
        self.folder.join(REJECTED)
    }

    fn lock(&self) -> io::Result<File> {
        let file = private_append(&self.folder.join(LOCK))?;
        file.lock()?;
        Ok(file)
    }
}

fn ends_with_newline(file: &File, bytes: u64) -> io::Result<bool> {
    use std::os::unix::fs::FileExt as _;
    let mut last = [0];
    file.read_exact_at(&mut last, bytes - 1)?;
    Ok(last == *b"\n")
}

fn lines(file: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for line in BufReader::new(File::open(file)?).split(b'\n') {
        let line = line?;
        if !line.is_empty() {
            found.push(String::from_utf8_lossy(&line).into_owned());
        }
    }
    Ok(found)
}

fn count(file: &Path) -> usize {
    lines(file).map_or(0, |lines| lines.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Context, Order};
    use engram_core::Actor;

    fn request() -> Request {
        Request {
            context: Context {
                folder: None,
                session: None,
                actor: Actor::Human,
                settings: Vec::new(),
                said_at: None,
                again: true,
                quiet: false,
                agent: None,
            },
            order: Order::Stats,
        }
    }

    #[test]
    fn lines_come_out_in_order_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path().join("spool"));
        assert!(spool.take().unwrap().is_empty());
        for _ in 0..3 {
            spool.append(&request(), 10_000).unwrap();
        }
        assert_eq!((spool.waiting(), spool.take().unwrap().len()), (3, 3));
        // The daemon died here: the lines are still there, and a new one joins.
        spool.append(&request(), 10_000).unwrap();
        assert_eq!((spool.waiting(), spool.take().unwrap().len()), (4, 4));
        // Three are done, one cannot be done yet; it does not hold up the next.
        let rest = spool.take().unwrap().split_off(3);
        spool.keep(&rest).unwrap();
        spool.append(&request(), 10_000).unwrap();
        assert_eq!((spool.waiting(), spool.take().unwrap().len()), (2, 2));
        spool.done().unwrap();
        assert_eq!((spool.waiting(), spool.take().unwrap().len()), (0, 0));
    }

    #[test]
    fn a_full_spool_refuses_and_keeps_what_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path());
        spool.append(&request(), 200).unwrap();
        assert!(matches!(spool.append(&request(), 200), Err(SpoolError::Full { .. })));
        assert_eq!(spool.waiting(), 1);
    }

    #[test]
    fn a_torn_line_does_not_swallow_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path());
        fs::write(folder.path().join(WAITING), "{\"torn").unwrap();
        spool.append(&request(), 10_000).unwrap();
        assert_eq!(spool.take().unwrap().len(), 2);
    }

    #[test]
    fn lines_are_taken_out_wherever_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path());
        assert!(spool.take_out(&|_| None).iter().all(|(_, done)| matches!(done, Ok(false))));
        for name in [WAITING, TAKEN, REJECTED] {
            fs::write(folder.path().join(name), "{\"keep\":1}\n{\"xyzzy\":1}\n").unwrap();
        }
        let done = spool.take_out(&|line| (!line.contains("xyzzy")).then(|| line.to_owned()));
        assert!(done.iter().all(|(_, done)| matches!(done, Ok(true))));
        for name in [WAITING, TAKEN, REJECTED] {
            assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), "{\"keep\":1}\n");
        }
    }

    #[test]
    fn a_rejected_line_is_kept_with_its_reason() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path());
        spool.reject("{}", &Fault::usage("no")).unwrap();
        assert_eq!(spool.rejected(), 1);
    }
}
