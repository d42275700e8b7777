//! Which files there are to import, and what each of them holds.
//!
//! It knows where Claude Code keeps its files and how a format is told from a
//! file's beginning. It parses none of them and asks no environment: the
//! folders are given.

use super::bookmark::Stamp;
use super::{Format, Line, Place, lines};
use engram_wire::Fault;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// A file that can be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    pub(crate) stamp: Stamp,
}

/// What was found, the oldest file first, and what could not be looked at.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    pub(crate) files: Vec<Found>,
    pub(crate) unread: Vec<(PathBuf, String)>,
}

/// A place where files of a well-known sort lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Origin {
    /// The transcripts of the project's conversations, ~/.claude/projects/.../*.jsonl
    #[value(name = "claude-code")]
    Transcripts,
    /// What Claude Code noted about the project by itself, .../memory/*.md
    #[value(name = "claude-memory")]
    OwnNotes,
    /// What people wrote for agents into the project: CLAUDE.md, AGENTS.md, .claude/rules
    #[value(name = "claude-md")]
    Instructions,
}

/// A name of a folder in `projects` is cut after so many characters; a digest
/// that only the client can make follows.
const LONGEST_SLUG: usize = 200;
/// What a file holds is told from no more than its first bytes.
const LOOK_BYTES: u64 = 1 << 20;
/// Folders inside of each other, no deeper than this.
const DEEPEST: usize = 12;

/// Folders whose files are somebody else's, or are told elsewhere: what
/// subagents did ends up in the transcript beside them.
const NOT_ENTERED: &[&str] = &["node_modules", "target", "vendor", "subagents", "tool-results"];

/// The files of an origin for a project. `claude` is the client's folder,
/// `~/.claude` as a rule; `project` is the folder that somebody works in.
pub(crate) fn find_of_origin(origin: Origin, claude: &Path, project: &Path) -> Listing {
    let mut listing = Listing::default();
    match origin {
        Origin::Transcripts => {
            for folder in project_folders(claude, project) {
                listing.add_flat(&folder, |format| format == Format::Transcript);
            }
        }
        Origin::OwnNotes => {
            for folder in project_folders(claude, project) {
                listing.add_flat(&folder.join("memory"), |format| format == Format::Markdown);
            }
        }
        Origin::Instructions => {
            for name in ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md"] {
                listing.add_file(&project.join(name), |format| format == Format::Markdown);
            }
            listing.add_folder(&project.join(".claude").join("rules"), 0);
        }
    }
    listing.in_order()
}

/// The file that was named, or all that lie in the folder that was named. A
/// file that cannot be imported is a fault when it was named, and passed over
/// when it only lies in a folder.
pub(crate) fn find_at(path: &Path) -> Result<Listing, Fault> {
    let meta = fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Fault::not_found(format!("there is no file {}", path.display())),
        _ => Fault::environment(format!("{} could not be read: {error}", path.display())),
    })?;
    let mut listing = Listing::default();
    if meta.is_dir() {
        listing.add_folder(path, 0);
        return Ok(listing.in_order());
    }
    listing.add_file(path, |_| true);
    if let Some((_, problem)) = listing.unread.first() {
        return Err(Fault::environment(format!("{} could not be read: {problem}", path.display())));
    }
    if listing.files.is_empty() {
        return Err(Fault::usage(format!("{} is nothing that can be imported", path.display()))
            .hint("it can be a transcript of Claude Code, Markdown, events or memories as JSON lines"));
    }
    Ok(listing)
}

/// How Claude Code calls the folder of a project: every character that is not
/// a letter or a digit of ASCII becomes a hyphen. JavaScript counts characters
/// outside the basic plane twice, and so must we.
pub(crate) fn slug_of(folder: &Path) -> String {
    let text = folder.to_string_lossy();
    let mark = |unit: u16| u8::try_from(unit).ok().filter(u8::is_ascii_alphanumeric).map_or('-', char::from);
    text.encode_utf16().map(mark).collect()
}

/// The folders in `projects` that can belong to a project. Another project may
/// share the name: `a/b` and `a-b` do. Each line of a transcript tells its own.
fn project_folders(claude: &Path, project: &Path) -> Vec<PathBuf> {
    let projects = claude.join("projects");
    let slug = slug_of(project);
    if slug.len() <= LONGEST_SLUG {
        return vec![projects.join(slug)];
    }
    let beginning = format!("{}-", &slug[..LONGEST_SLUG]);
    let Ok(entries) = fs::read_dir(projects) else { return Vec::new() };
    let mut folders: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&beginning))
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    folders
}

impl Listing {
    /// The files that lie in a folder, those in its folders not. No such
    /// folder: no files.
    fn add_flat(&mut self, folder: &Path, wanted: impl Fn(Format) -> bool) {
        for path in self.entries(folder) {
            if path.is_file() {
                self.add_file(&path, &wanted);
            }
        }
    }

    /// Everything below a folder. Links are not followed, so that no file is
    /// found twice and no walk goes in circles.
    fn add_folder(&mut self, folder: &Path, depth: usize) {
        for path in self.entries(folder) {
            let Ok(meta) = fs::symlink_metadata(&path) else { continue };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if meta.is_file() {
                self.add_file(&path, |format| format != Format::SubagentTranscript);
            } else if meta.is_dir()
                && depth < DEEPEST
                && !name.starts_with('.')
                && !NOT_ENTERED.contains(&name.as_ref())
            {
                self.add_folder(&path, depth + 1);
            }
        }
    }

    fn entries(&mut self, folder: &Path) -> Vec<PathBuf> {
        match fs::read_dir(folder) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Vec::new()
            }
            Err(error) => {
                self.unread.push((folder.to_owned(), error.to_string()));
                Vec::new()
            }
        }
    }

    fn add_file(&mut self, path: &Path, wanted: impl Fn(Format) -> bool) {
        match look(path) {
            Ok(Some(found)) if wanted(found.format) => self.files.push(found),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.unread.push((path.to_owned(), error.to_string())),
        }
    }

    /// What was said first is told first; files of one moment by their names.
    fn in_order(mut self) -> Self {
        self.files.sort_by(|a, b| (a.stamp.modified_at, &a.path).cmp(&(b.stamp.modified_at, &b.path)));
        self.unread.sort();
        self
    }
}

/// What a file holds; None if it is not ours to read.
fn look(path: &Path) -> io::Result<Option<Found>> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let may_be_lines = matches!(ending.as_str(), "jsonl" | "ndjson" | "json");
    if !may_be_lines && !matches!(ending.as_str(), "md" | "markdown" | "mdx") {
        return Ok(None);
    }
    let file = File::open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Ok(None);
    }
    let format = if may_be_lines {
        let mut beginning = Vec::new();
        file.take(LOOK_BYTES).read_to_end(&mut beginning)?;
        format_of_lines(&beginning)
    } else {
        Some(Format::Markdown)
    };
    let stamp = Stamp::of(&meta)?;
    Ok(format.map(|format| Found { path: path.to_owned(), format, stamp }))
}

/// The format of the first line that tells.
pub(crate) fn format_of_lines(beginning: &[u8]) -> Option<Format> {
    let lines = beginning.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    lines.filter_map(|line| std::str::from_utf8(line).ok()).find_map(|text| {
        let line = Line { place: Place::default(), text: text.to_owned() };
        // A line that is broken here is named when the file is read.
        lines::sort_of(&line).ok().flatten()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    const MESSAGE: &str = r#"{"type":"user","sessionId":"s","message":{"role":"user","content":"hi"}}"#;
    const ASIDE: &str = r#"{"type":"user","sessionId":"s","isSidechain":true,"agentId":"a1"}"#;

    fn with_file(root: &Path, name: &str, text: &str, second: u64) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        let at = SystemTime::UNIX_EPOCH + Duration::from_secs(second);
        File::options().write(true).open(&path).unwrap().set_modified(at).unwrap();
    }

    /// The names that were found, from `root` on.
    fn names(root: &Path, listing: &Listing) -> Vec<(String, Format)> {
        let name = |found: &Found| found.path.strip_prefix(root).unwrap().display().to_string();
        listing.files.iter().map(|found| (name(found), found.format)).collect()
    }

    #[test]
    fn a_project_has_the_folder_that_claude_code_gives_it() {
        assert_eq!(slug_of(Path::new("/home/u/my_shop.v2")), "-home-u-my-shop-v2");
        assert_eq!(slug_of(Path::new("/ü/😀")), "-----");
    }

    #[test]
    fn the_transcripts_of_a_project_are_found_oldest_first() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let folder = "projects/-home-u-shop";
        with_file(root, &format!("{folder}/b.jsonl"), MESSAGE, 100);
        with_file(root, &format!("{folder}/a.jsonl"), &format!("{{broken\n\n{MESSAGE}"), 200);
        with_file(root, &format!("{folder}/c.jsonl"), MESSAGE, 100);
        with_file(root, &format!("{folder}/agent-a1.jsonl"), ASIDE, 50);
        with_file(root, &format!("{folder}/b/subagents/agent-a2.jsonl"), ASIDE, 50);
        with_file(root, &format!("{folder}/memory/MEMORY.md"), "- we use tabs", 60);
        with_file(root, "projects/-home-u-other/d.jsonl", MESSAGE, 1);
        let project = Path::new("/home/u/shop");
        let of = |origin| names(&root.join(folder), &find_of_origin(origin, root, project));
        let transcripts = ["b.jsonl", "c.jsonl", "a.jsonl"].map(|name| (name.to_owned(), Format::Transcript));
        assert_eq!(of(Origin::Transcripts), transcripts);
        assert_eq!(of(Origin::OwnNotes), [("memory/MEMORY.md".to_owned(), Format::Markdown)]);
        let nobody = find_of_origin(Origin::Transcripts, root, Path::new("/home/u/new"));
        assert_eq!(nobody, Listing::default());
    }

    #[test]
    fn a_project_whose_name_is_too_long_is_found_by_its_beginning() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let project = format!("/{}", "deep/".repeat(60));
        let folder = format!("projects/{}-1x2y3z", &slug_of(Path::new(&project))[..LONGEST_SLUG]);
        with_file(root, &format!("{folder}/a.jsonl"), MESSAGE, 1);
        assert_eq!(find_of_origin(Origin::Transcripts, root, Path::new(&project)).files.len(), 1);
    }

    #[test]
    fn what_people_wrote_for_agents_is_found_in_its_places() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        with_file(root, "CLAUDE.md", "x", 3);
        with_file(root, "AGENTS.md", "x", 2);
        with_file(root, "README.md", "x", 1);
        with_file(root, ".claude/rules/rust/style.md", "x", 1);
        let found = names(root, &find_of_origin(Origin::Instructions, Path::new("/nowhere"), root));
        let found: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(found, [".claude/rules/rust/style.md", "AGENTS.md", "CLAUDE.md"]);
    }

    #[test]
    fn a_folder_gives_what_is_ours_and_passes_over_the_rest() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        with_file(root, "notes/a.md", "x", 1);
        with_file(root, "events.jsonl", r#"{"type":"remember","text":"x"}"#, 2);
        with_file(root, "rollout.jsonl", r#"{"type":"session_meta","payload":{}}"#, 2);
        with_file(root, "agent-a1.jsonl", ASIDE, 2);
        with_file(root, "picture.png", "x", 2);
        with_file(root, "node_modules/m/README.md", "x", 2);
        with_file(root, ".git/x.md", "x", 2);
        std::os::unix::fs::symlink(root, root.join("notes/again")).unwrap();
        let listing = find_at(root).unwrap();
        let expected =
            [("notes/a.md".to_owned(), Format::Markdown), ("events.jsonl".to_owned(), Format::Events)];
        assert_eq!(names(root, &listing), expected);
        assert!(listing.unread.is_empty());
    }

    #[test]
    fn a_file_that_was_named_is_read_or_refused() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        with_file(root, "agent-a1.jsonl", ASIDE, 2);
        with_file(root, "rollout.jsonl", r#"{"type":"session_meta","payload":{}}"#, 2);
        let found = find_at(&root.join("agent-a1.jsonl")).unwrap();
        assert_eq!(found.files[0].format, Format::SubagentTranscript);
        let problem = find_at(&root.join("rollout.jsonl")).unwrap_err();
        assert!(problem.message.ends_with("is nothing that can be imported"), "{}", problem.message);
        let problem = find_at(&root.join("no.md")).unwrap_err();
        assert!(problem.message.starts_with("there is no file"), "{}", problem.message);
    }
}
