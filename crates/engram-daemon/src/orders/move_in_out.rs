//! Orders that carry memories out and in, as lines; sealed ones are lines here, too.

use super::{Speaker, occasion, of_scopes, refuse_missing, was_done};
use crate::copying::{CopyFile, not_read};
use crate::personal::places;
use crate::serve::Daemon;
use crate::trouble;
use engram_core::audit::Deed;
use engram_core::{OperationId, Scope};
use engram_engine::{BadLine, export_page, parse_lines};
use engram_wire::copies::{CopiedStore, CopyKind};
use engram_wire::message::{ImportLine, SealedExport};
use engram_wire::reply::{Exported, Imported, Opened};
use engram_wire::{Context, Fault};
use std::collections::BTreeMap;
use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};

/// How many memories are read at once.
const PAGE: usize = 500;

/// Passes the gate for each page, and not while its listener reads: a pager at
/// the other end must not keep the house from being looked after.
pub(super) async fn export(
    daemon: &Daemon,
    context: &Context,
    scopes: &[Scope],
    history: bool,
    sealed: Option<SealedExport>,
    speaker: &Speaker,
) -> Result<Exported, Fault> {
    // The team's is the team's: it leaves only where somebody asks for it.
    let scopes = if scopes.is_empty() { Scope::OWN } else { scopes };
    let mut output = sealed.map(|sealed| Output::begin(daemon, context, &sealed)).transpose()?;
    let stores = async || {
        let visible = of_scopes(daemon.house.visible(context).await?, scopes);
        refuse_missing(&visible)?;
        Ok::<_, Fault>(visible.stores)
    };
    let (copied, total) = {
        let _gate = daemon.house.gate.read().await;
        daemon.house.flush_notes().await;
        let stores = stores().await?;
        let total: usize = stores.iter().map(|store| store.shelf.index().len()).sum();
        (stores.iter().map(|store| store.as_copied()).collect::<Vec<_>>(), total)
    };
    let about: Vec<String> = scopes.iter().map(ToString::to_string).collect();
    daemon.house.audit.note(context, Deed::Export, None, &about)?;
    let mut exported = 0;
    for CopiedStore { scope, .. } in &copied {
        let mut last = None;
        loop {
            let page = {
                let _gate = daemon.house.gate.read().await;
                let stores = stores().await?;
                let Some(store) = stores.iter().find(|store| store.scope() == *scope) else { break };
                export_page(&store.shelf, last, PAGE, history).await.map_err(|error| trouble::read(&error))?
            };
            let Some((end, lines)) = page else { break };
            last = Some(end);
            exported += lines.len();
            for line in lines {
                match &mut output {
                    Some(output) => output.line(&line)?,
                    None => speaker.line(line).await,
                }
            }
            speaker.progress("exporting", exported as u64, Some(total as u64)).await;
        }
    }
    let sealed_for = match output {
        Some(output) => output.finish(copied.clone())?,
        None => Vec::new(),
    };
    Ok(Exported { exported, stores: copied, sealed_for })
}

/// A sealed export on its way into its file.
struct Output {
    file: CopyFile,
    path: PathBuf,
    sealed_for: Vec<String>,
}

impl Output {
    fn begin(daemon: &Daemon, context: &Context, asked: &SealedExport) -> Result<Self, Fault> {
        let sealed_for = daemon.house.sealed_for(context, &asked.to)?.ok_or_else(|| {
            Fault::usage("nobody is named who could open it").hint("name somebody with --to age1...")
        })?;
        let house = &daemon.house;
        let announced = house.announce(&asked.file, CopyKind::Export, Vec::new(), Some(&sealed_for))?;
        let file = CopyFile::begin(announced, &asked.file, Some(&sealed_for))?;
        Ok(Self { file, path: asked.file.clone(), sealed_for: sealed_for.names })
    }

    fn line(&mut self, line: &str) -> Result<(), Fault> {
        writeln!(self.file, "{line}").map_err(|error| trouble::io("writing", &self.path, &error))
    }

    fn finish(self, stores: Vec<CopiedStore>) -> Result<Vec<String>, Fault> {
        self.file.finish(CopyKind::Export, stores)?;
        Ok(self.sealed_for)
    }
}

/// Tells the lines of a sealed file. Whoever asks has to wait for the reply before
/// doing anything with them: only then is the file known to be whole.
pub(super) async fn open_sealed(
    daemon: &Daemon,
    context: &Context,
    file: &Path,
    identity: Option<&Path>,
    speaker: &Speaker,
) -> Result<Opened, Fault> {
    let mut input = daemon.house.open_copy(context, file, identity)?;
    let mut lines = 0;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).map_err(|error| not_read(file, &error))? == 0 {
            return Ok(Opened { lines });
        }
        lines += 1;
        speaker.line(line.trim_end_matches(['\r', '\n']).to_owned()).await;
    }
}

/// Each line goes to `scope`, or to the scope it came from. Every line is read
/// before the first is brought in.
pub(super) async fn import(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    scope: Option<Scope>,
    lines: Vec<ImportLine>,
) -> Result<Imported, Fault> {
    #[derive(serde::Deserialize)]
    struct Head {
        scope: Scope,
    }
    let bad = |problem: BadLine| Fault::usage(problem.to_string());
    let mut by_scope: BTreeMap<Scope, Vec<(usize, &str)>> = BTreeMap::new();
    for ImportLine { number, text } in &lines {
        let own = serde_json::from_str::<Head>(text)
            .map_err(|error| bad(BadLine { number: *number, problem: error.to_string() }))?;
        by_scope.entry(scope.unwrap_or(own.scope)).or_default().push((*number, text));
    }
    let place = daemon.house.place(context)?;
    let settings = daemon.house.settings_for(context, place.as_ref())?;
    let longest = usize::try_from(settings.number("remember.longest")).unwrap_or(usize::MAX);
    let mut arrivals = Vec::new();
    for (scope, lines) in by_scope {
        let count = lines.len();
        let store = daemon.house.target(context, place.clone(), Some(scope)).await?;
        let treatment = settings.treatment(scope).unasked();
        let treat = |text: &str| {
            daemon.house.treated(text, treatment).map_err(|found| {
                daemon.house.note_refusal(context);
                format!("personal data, so it is not kept: {}", places(text, &found))
            })
        };
        arrivals.push((store, count, parse_lines(lines, scope, longest, &treat).map_err(bad)?));
    }
    let about: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    daemon.house.audit.note(context, Deed::Import, Some(operation), &[about.join("\n")])?;
    let mut outcome = Imported { operation, imported: 0, skipped: 0 };
    for (store, count, arrivals) in arrivals {
        if context.again
            && let Some((_, memories)) = was_done(&store, operation).await?
        {
            outcome.imported += memories.len();
            outcome.skipped += count - memories.len().min(count);
            continue;
        }
        let (memories, skipped) = engram_engine::import(&store.shelf, arrivals, occasion(context, operation))
            .await
            .map_err(trouble::change)?;
        outcome.imported += memories.len();
        outcome.skipped += skipped;
    }
    Ok(outcome)
}
