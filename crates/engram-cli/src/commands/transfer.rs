//! Memories in and out: export, import, backup and restore. What is sealed is
//! sealed and opened by the daemon, which has the means; the client starts too often
//! to carry them.

use crate::args::Backup;
use crate::ask::Client;
use crate::out::{self, Out, ProgressLine};
use crate::show;
use engram_core::{OperationId, Scope};
use engram_wire::copies::{Copies, CopyKind, KnownCopy};
use engram_wire::message::{ImportLine, SealedExport};
use engram_wire::reply::{BackedUp, Exported, Imported, Opened, Progress, Restored};
use engram_wire::{Fault, Order, platform};
use serde_json::json;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal as _, Read as _, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// One operation of an import holds at most so many lines,
const BATCH_LINES: usize = 500;
/// and so many bytes, unless a single line is longer.
const BATCH_BYTES: usize = 4 << 20;

pub(crate) fn export(
    client: &Client,
    out: &Out,
    file: Option<PathBuf>,
    scopes: Vec<Scope>,
    no_history: bool,
    to: Vec<String>,
) -> Result<(), Fault> {
    if !to.is_empty() || !client.settings.text("sealing.recipients").trim().is_empty() {
        let Some(file) = file else {
            return Err(Fault::usage("a sealed export wants a file")
                .hint("`engram export FILE` names one")
                .hint("`engram --set sealing.recipients= export` writes to standard output, in the clear"));
        };
        let file = absolute(&file)?;
        let sealed = Some(SealedExport { file: file.clone(), to });
        let reply = client.ask_and_hear(Order::Export { scopes, no_history, sealed }, &mut |_| {})?;
        return out.reply::<Exported>(reply, |done, _| show::exported(done, Some(&file)));
    }
    let order = Order::Export { scopes, no_history, sealed: None };
    let Some(file) = file else {
        let mut stdout = BufWriter::new(io::stdout().lock());
        let mut written = Ok(());
        let reply = client.ask_and_hear(order, &mut |line| {
            if written.is_ok() {
                written = writeln!(stdout, "{line}").or_else(out::gone);
            }
        })?;
        written?;
        stdout.flush().or_else(out::gone)?;
        // The lines are the answer; the count goes where it is in nobody's way.
        if io::stderr().is_terminal() {
            let done = out::understood::<Exported>(reply)?;
            let _ = write!(io::stderr(), "{}", show::exported(&done, None));
        }
        return Ok(());
    };
    let file = absolute(&file)?;
    let (kind, made_at) = (CopyKind::Export, out.look.now);
    let of = |stores| KnownCopy { file: file.clone(), kind, made_at, stores, sealed_for: Vec::new() };
    let announced = Copies::new(&client.around.home).announce(of(Vec::new()))?;
    let part = PartFile::create(&file)?;
    let mut writer = BufWriter::new(&part.file);
    let mut written = Ok(());
    let reply = client.ask_and_hear(order, &mut |line| {
        if written.is_ok() {
            written = writeln!(writer, "{line}");
        }
    })?;
    written.and_then(|()| writer.flush()).map_err(|error| cannot_write(&part.path, &error))?;
    drop(writer);
    let stores = out::understood::<Exported>(reply.clone())?.stores;
    announced.finish(of(stores))?;
    part.finish()?;
    out.reply::<Exported>(reply, |done, _| show::exported(done, Some(&file)))
}

/// A file that takes its name only when it is whole.
struct PartFile {
    target: PathBuf,
    path: PathBuf,
    file: File,
}

impl PartFile {
    fn create(target: &Path) -> Result<Self, Fault> {
        let mut name = target.as_os_str().to_owned();
        name.push(".part");
        let path = PathBuf::from(name);
        // What an earlier try left may be readable for others.
        let _ = fs::remove_file(&path);
        let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let file = file.map_err(|error| cannot_write(&path, &error))?;
        Ok(Self { target: target.to_owned(), path, file })
    }

    fn finish(self) -> Result<(), Fault> {
        self.file
            .sync_all()
            .and_then(|()| fs::rename(&self.path, &self.target))
            .map_err(|error| cannot_write(&self.target, &error))
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        // After `finish` there is nothing of that name any more.
        let _ = fs::remove_file(&self.path);
    }
}

fn cannot_write(file: &Path, error: &io::Error) -> Fault {
    Fault::environment(format!("{} could not be written: {error}", file.display()))
}

pub(crate) fn absolute(file: &Path) -> Result<PathBuf, Fault> {
    std::path::absolute(file)
        .map_err(|error| Fault::usage(format!("\"{}\" is not a file name: {error}", file.display())))
}

pub(crate) fn import(
    client: &mut Client,
    out: &Out,
    file: &Path,
    scope: Option<Scope>,
    dry_run: bool,
) -> Result<(), Fault> {
    import_bytes(client, out, &load(file)?, scope, dry_run)
}

pub(crate) fn import_bytes(
    client: &mut Client,
    out: &Out,
    bytes: &[u8],
    scope: Option<Scope>,
    dry_run: bool,
) -> Result<(), Fault> {
    let lines = parse_lines(bytes)?;
    if dry_run {
        let value = json!({ "dry_run": true, "lines": lines.len() });
        return out.own(&value, &format!("{} would be looked at (dry run).\n", show::memories(lines.len())));
    }
    let total = lines.len() as u64;
    let (mut imported, mut skipped) = (0, 0);
    let mut operations: Vec<OperationId> = Vec::new();
    let mut progress = ProgressLine::new();
    for batch in batches(lines) {
        let done = (imported + skipped) as u64;
        progress.show(&Progress { what: "importing".to_owned(), done, total: Some(total) });
        let operation = client.new_operation();
        let reply = client
            .ask(Order::Import { operation, scope, lines: batch })
            .and_then(out::understood::<Imported>)
            .map_err(|fault| cut_short(fault, imported))?;
        imported += reply.imported;
        skipped += reply.skipped;
        operations.push(reply.operation);
    }
    progress.clear();
    let value = json!({ "imported": imported, "skipped": skipped, "operations": operations });
    out.own(&value, &show::imported(imported, skipped))
}

fn cut_short(fault: Fault, imported: usize) -> Fault {
    if imported == 0 {
        return fault.hint("nothing was imported");
    }
    fault.hint(format!(
        "{imported} memories were imported before that; importing again leaves them as they are"
    ))
}

/// The text of a sealed export. The daemon has read it to its end when this
/// returns, and so nothing of a file that is cut comes in.
pub(crate) fn open_sealed(client: &Client, file: &Path, identity: Option<&Path>) -> Result<String, Fault> {
    let identity = identity.map(absolute).transpose()?;
    let mut text = String::new();
    let order = Order::OpenSealed { file: absolute(file)?, identity };
    let reply = client.ask_and_hear(order, &mut |line| {
        text += &line;
        text.push('\n');
    })?;
    out::understood::<Opened>(reply)?;
    Ok(text)
}

fn load(file: &Path) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    match File::open(file).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(Fault::not_found(format!("there is no file {}", file.display())))
        }
        Err(error) => Err(Fault::environment(format!("{} could not be read: {error}", file.display()))),
    }
}

/// The lines that say something, each of them a JSON object.
fn parse_lines(bytes: &[u8]) -> Result<Vec<ImportLine>, Fault> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let bad = |problem: String| {
            Fault::usage(format!("line {number} {problem}")).hint("nothing was imported; correct that line")
        };
        let text = std::str::from_utf8(line)
            .map_err(|error| bad(format!("is not UTF-8: byte {}", error.valid_up_to() + 1)))?
            .trim();
        serde_json::from_str::<serde::de::IgnoredAny>(text)
            .map_err(|error| bad(format!("is not JSON: {error}")))?;
        if !text.starts_with('{') {
            return Err(bad("is not a JSON object".to_owned()));
        }
        lines.push(ImportLine { number, text: text.to_owned() });
    }
    Ok(lines)
}

fn batches(lines: Vec<ImportLine>) -> Vec<Vec<ImportLine>> {
    let mut batches: Vec<Vec<ImportLine>> = Vec::new();
    let mut bytes = 0;
    for line in lines {
        match batches.last_mut() {
            Some(batch) if batch.len() < BATCH_LINES && bytes + line.text.len() <= BATCH_BYTES => {
                bytes += line.text.len();
                batch.push(line);
            }
            _ => {
                bytes = line.text.len();
                batches.push(vec![line]);
            }
        }
    }
    batches
}

pub(crate) fn backup(client: &Client, out: &Out, backup: Backup) -> Result<(), Fault> {
    match backup {
        Backup::Create { file, all_projects, to } => {
            let file = match file {
                Some(file) => absolute(&file)?,
                None => {
                    let folder = client.around.home.backups_folder();
                    platform::private_folder(&folder).map_err(|error| cannot_write(&folder, &error))?;
                    let at = out.look.now.strftime("%Y%m%d-%H%M%S%.3f");
                    folder.join(format!("engram-{at}.backup"))
                }
            };
            out.reply::<BackedUp>(client.ask(Order::Backup { file, all_projects, to })?, show::backed_up)
        }
        Backup::Restore { file, identity, yes } => {
            let file = absolute(&file)?;
            let identity = identity.as_deref().map(absolute).transpose()?;
            if !file.exists() {
                return Err(Fault::not_found(format!("there is no file {}", file.display())));
            }
            if !yes {
                let name = show::clean_line(&file.display().to_string());
                out::confirm(
                    "",
                    &format!(
                        "Put {name} in the place of the memories that are there now? They are kept as a backup."
                    ),
                )?;
            }
            out.reply::<Restored>(client.ask(Order::Restore { file, identity })?, show::restored)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_bad_line_is_named_by_its_number() {
        let problem = |bytes: &[u8]| parse_lines(bytes).unwrap_err().message;
        assert!(problem(b"{}\n\n{\"a\": }").starts_with("line 3 is not JSON"));
        assert!(problem(b"{}\n\xff").starts_with("line 2 is not UTF-8: byte 1"));
        assert_eq!(problem(b"[1]"), "line 1 is not a JSON object");
        let lines = parse_lines(b"{\"a\":1}\r\n\n {} \n").unwrap();
        let lines: Vec<(usize, &str)> = lines.iter().map(|line| (line.number, line.text.as_str())).collect();
        assert_eq!(lines, [(1, "{\"a\":1}"), (3, "{}")]);
    }

    #[test]
    fn an_import_goes_in_batches_of_bounded_size() {
        let sizes = |texts: Vec<String>| {
            let lines = (1..).zip(texts).map(|(number, text)| ImportLine { number, text }).collect();
            batches(lines).iter().map(Vec::len).collect::<Vec<_>>()
        };
        assert_eq!(sizes(vec!["{}".to_owned(); 1_001]), [500, 500, 1]);
        let half = "x".repeat(BATCH_BYTES / 2);
        let whole = "x".repeat(BATCH_BYTES + 1);
        assert_eq!(sizes(vec![half.clone(), half.clone(), half, whole, "{}".to_owned()]), [2, 1, 1, 1]);
        assert!(sizes(Vec::new()).is_empty());
    }

    #[test]
    fn a_file_appears_whole_and_private_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.jsonl");
        drop(PartFile::create(&target).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        let part = PartFile::create(&target).unwrap();
        (&part.file).write_all(b"{}\n").unwrap();
        part.finish().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "{}\n");
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
