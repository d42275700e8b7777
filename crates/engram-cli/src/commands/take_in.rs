//! Taking in what was said or written elsewhere. Memories go in as they are;
//! everything else becomes events, and what of them is worth keeping is decided
//! by whoever hears them.

use super::capture::{Batch, Tally, prepared, send, tell};
use super::transfer;
use crate::args::Import;
use crate::ask::Client;
use crate::importing::Format;
use crate::importing::bookmark::{Bookmarks, Seen, Start};
use crate::importing::found::{Found, Listing, find_at, find_of_origin, format_of_lines};
use crate::importing::lines::event_of_line;
use crate::importing::markdown::events_of_markdown;
use crate::importing::transcript::{Conversation, Reading, events_of_line};
use crate::importing::whole_lines::WholeLines;
use crate::out::{self, Out, ProgressLine};
use engram_core::turn::Event;
use engram_core::{Scope, TurnId};
use engram_wire::copies::is_sealed;
use engram_wire::message::Observe;
use engram_wire::reply::Progress;
use engram_wire::{Fault, FaultKind, project};
use std::path::Path;

pub(crate) fn import(client: &mut Client, out: &Out, import: Import) -> Result<(), Fault> {
    let Import { file, from, scope, dry_run, again, identity } = import;
    let named = file.is_some();
    let listing = match (file, from) {
        (Some(file), _) if file == Path::new("-") => {
            let text = crate::given::read(std::io::stdin().lock())?;
            return from_text(client, out, &text, scope, dry_run);
        }
        (Some(file), _) if is_sealed(&file) => {
            let text = transfer::open_sealed(client, &file, identity.as_deref())?;
            return from_text(client, out, &text, scope, dry_run);
        }
        (Some(file), _) => match find_at(&file) {
            // What is wrong with which line is told there.
            Err(fault) if fault.kind == FaultKind::Usage && is_jsonl(&file) => {
                return transfer::import(client, out, &file, scope, dry_run);
            }
            listing => listing?,
        },
        (None, Some(from)) => {
            let project = client.around.place.as_ref().map_or(&client.around.folder, |place| &place.root);
            find_of_origin(from, &client.around.claude_folder()?, project)
        }
        (None, None) => {
            return Err(Fault::usage("nothing was named to import")
                .hint("a file: `engram import notes.md`")
                .hint("what Claude Code has kept of this project: `engram import --from claude-code`"));
        }
    };
    for (path, problem) in &listing.unread {
        out::warn("import", &format!("{} could not be read: {problem}", path.display()));
    }
    if let [Found { path, format: Format::Memories, .. }] = listing.files.as_slice() {
        return transfer::import(client, out, path, scope, dry_run);
    }
    let mut taking = TakingIn {
        client,
        scope,
        dry_run,
        again,
        tally: Tally::default(),
        named,
        batch: Batch::default(),
        elsewhere: 0,
        progress: ProgressLine::new(),
    };
    taking.all(listing)?;
    let TakingIn { tally, elsewhere, mut progress, .. } = taking;
    progress.clear();
    if elsewhere > 0 {
        out::warn("import", &format!("{elsewhere} events belong to another project and were left out"));
    }
    tell(out, "import", &tally)
}

fn is_jsonl(file: &Path) -> bool {
    file.extension().is_some_and(|end| end == "jsonl" || end == "json")
}

/// Memories or events, as the first line tells.
fn from_text(
    client: &mut Client,
    out: &Out,
    text: &str,
    scope: Option<Scope>,
    dry_run: bool,
) -> Result<(), Fault> {
    if format_of_lines(text.as_bytes()) != Some(Format::Events) {
        return transfer::import_bytes(client, out, text.as_bytes(), scope, dry_run);
    }
    let mut tally = Tally::default();
    let mut lines = WholeLines::to_the_end(text.as_bytes());
    let mut batch = Batch::default();
    let order = |events| Observe { events, dry_run, wait: true, import: true, scope, gone: Vec::new() };
    while let Some(line) = lines.next_line().map_err(|error| Fault::environment(error.to_string()))? {
        tally.read("import", line).into_iter().for_each(|event| batch.push(event));
        if batch.is_full() {
            send(client, order(batch.take()), &mut tally)?;
        }
    }
    send(client, order(batch.take()), &mut tally)?;
    tell(out, "import", &tally)
}

/// An import on its way.
struct TakingIn<'c> {
    client: &'c Client,
    scope: Option<Scope>,
    dry_run: bool,
    again: bool,
    /// Somebody named the file, rather than where such files lie.
    named: bool,
    tally: Tally,
    batch: Batch,
    /// Events of other projects.
    elsewhere: usize,
    progress: ProgressLine,
}

impl TakingIn<'_> {
    /// File after file. How far each was read is noted when its events are
    /// durable, so that an import that is cut short goes on there.
    fn all(&mut self, listing: Listing) -> Result<(), Fault> {
        let marks_file = self.client.around.home.imports_file();
        let mut marks = Bookmarks::load(&marks_file)?;
        let total = listing.files.len() as u64;
        for (done, Found { path, format, .. }) in listing.files.into_iter().enumerate() {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            self.progress.show(&Progress {
                what: format!("reading {name}"),
                done: done as u64,
                total: Some(total),
            });
            if self.again {
                marks.remove(&path);
            }
            let read = match format {
                Format::Memories => {
                    out::warn("import", &format!("{}: import it by its name", path.display()));
                    continue;
                }
                Format::Markdown => self.markdown(&path, &mut marks),
                Format::Transcript => self.lines(&path, &mut marks, Some(Conversation::Users)),
                Format::SubagentTranscript => self.lines(&path, &mut marks, Some(Conversation::Subagents)),
                Format::Events => self.lines(&path, &mut marks, None),
            };
            read?;
            if !self.dry_run {
                marks.save(&marks_file)?;
            }
        }
        Ok(())
    }

    fn markdown(&mut self, path: &Path, marks: &mut Bookmarks) -> Result<(), Fault> {
        let cannot = |error: std::io::Error| cannot_read(path, &error);
        let seen = Seen::look(path).map_err(cannot)?;
        if marks.start_of(path, &seen) == Start::Nowhere {
            return Ok(());
        }
        let bytes = std::fs::read(path).map_err(cannot)?;
        let text = String::from_utf8_lossy(&bytes);
        let name = self.name_of(path);
        let events: Vec<Event> = events_of_markdown(&text, &name)
            .into_iter()
            .map(|event| Event { time: event.time.or(Some(seen.stamp.modified_at)), ..event })
            .map(|event| prepared(event, &mut self.tally))
            .collect();
        let edited = marks.edited(path, events);
        for event in edited.new {
            self.put(event)?;
        }
        self.flush()?;
        let gone: Vec<TurnId> = edited.gone.into_values().collect();
        if !gone.is_empty() {
            let order = Observe { gone, ..self.order(Vec::new()) };
            send(self.client, order, &mut self.tally)?;
        }
        marks.set_pieces(path, &seen, edited.pieces);
        Ok(())
    }

    /// Relative to the project where it lies in it, so that it says the same on
    /// every machine.
    fn name_of(&self, path: &Path) -> String {
        let root = self.client.around.place.as_ref().map(|place| place.root.as_path());
        let near = root.and_then(|root| path.strip_prefix(root).ok());
        let last = path.file_name().map(Path::new);
        near.or(last).unwrap_or(path).display().to_string()
    }

    fn lines(
        &mut self,
        path: &Path,
        marks: &mut Bookmarks,
        conversation: Option<Conversation>,
    ) -> Result<(), Fault> {
        let cannot = |error: std::io::Error| cannot_read(path, &error);
        let seen = Seen::look(path).map_err(cannot)?;
        let Start::At(place) = marks.start_of(path, &seen) else { return Ok(()) };
        let mut lines = WholeLines::open(path, place).map_err(cannot)?;
        let mut reading = conversation.map(Reading::new);
        while let Some(line) = lines.next_line().map_err(cannot)? {
            let events = line.and_then(|line| match &mut reading {
                Some(reading) => events_of_line(&line, reading),
                None => event_of_line(&line).map(|told| {
                    let event = self.tally.note(told);
                    // The same however often the file is read.
                    vec![Event { time: event.time.or(Some(seen.stamp.modified_at)), ..event }]
                }),
            });
            match events {
                Ok(events) => {
                    let here = self.belongs_here(reading.as_ref().and_then(Reading::folder));
                    for event in events {
                        if here { self.take(event)? } else { self.elsewhere += 1 }
                    }
                }
                Err(bad) => self.tally.note_bad("import", &format!("{}: {bad}", path.display())),
            }
        }
        let next = reading.as_ref().map_or_else(|| lines.place(), |reading| reading.next_from(lines.place()));
        let last = reading.map(Reading::finish).unwrap_or_default();
        for event in last {
            self.take(event)?;
        }
        self.flush()?;
        marks.set(path, &seen, next, true);
        Ok(())
    }

    /// Two projects may share a folder of transcripts; each line tells its own.
    /// A folder that is gone may have been this project's only if somebody says
    /// so by naming the file.
    fn belongs_here(&self, folder: Option<&Path>) -> bool {
        let (Some(folder), Some(place)) = (folder, &self.client.around.place) else { return true };
        if folder.starts_with(&place.root) {
            return true;
        }
        let other = project::locate(folder, self.client.around.home.person()).ok().flatten();
        other.map_or(self.named || folder.is_dir(), |other| other.store == place.store)
    }

    fn take(&mut self, event: Event) -> Result<(), Fault> {
        let event = prepared(event, &mut self.tally);
        self.put(event)
    }

    fn put(&mut self, event: Event) -> Result<(), Fault> {
        self.batch.push(event);
        if self.batch.is_full() { self.flush() } else { Ok(()) }
    }

    fn order(&self, events: Vec<Event>) -> Observe {
        let (scope, dry_run) = (self.scope, self.dry_run);
        Observe { events, dry_run, wait: true, import: true, scope, gone: Vec::new() }
    }

    fn flush(&mut self) -> Result<(), Fault> {
        let events = self.batch.take();
        let order = self.order(events);
        send(self.client, order, &mut self.tally)
            .map_err(|fault| fault.hint("what was read before that is kept; import again to go on"))
    }
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Fault {
    Fault::environment(format!("{} could not be read: {error}", path.display()))
}
