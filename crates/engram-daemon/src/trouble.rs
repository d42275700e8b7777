//! How the errors inside become the one fault that people see.

use engram_core::plan::{BadDraft, CannotChange};
use engram_core::port::{CommitError, ReadError};
use engram_engine::ChangeError;
use engram_store::OpenError;
use engram_wire::{Fault, FaultKind};
use std::path::Path;
use tokio::task::JoinError;

/// Work that did not come to its end: the daemon ends before it, or there is a defect.
pub(crate) fn unfinished(verb: &str, defect: &JoinError) -> Fault {
    if defect.is_cancelled() {
        return Fault::new(FaultKind::Unreachable, "the daemon is ending; ask again");
    }
    tracing::error!("{verb} failed inside: {defect}");
    Fault::internal(format!("{verb} failed inside the daemon"))
}

pub(crate) fn change(error: ChangeError) -> Fault {
    match error {
        ChangeError::NotFound(_) | ChangeError::NoOperation(_) | ChangeError::NoEntity(_) => {
            Fault::not_found(error.to_string())
        }
        ChangeError::CannotChange(CannotChange::Draft(problem)) => draft(&problem),
        ChangeError::CannotChange(CannotChange::NoReason) => {
            Fault::usage(error.to_string()).hint("say why with --reason")
        }
        ChangeError::CannotChange(CannotChange::NotShown(_)) => {
            Fault::refused(error.to_string()).hint("`engram recalls` shows what each answer showed")
        }
        ChangeError::CannotChange(_) => Fault::refused(error.to_string()),
        ChangeError::CannotUndo(_) => {
            Fault::refused(error.to_string()).hint("`engram operations` lists what was done")
        }
        ChangeError::Commit(problem) => commit(&problem),
        ChangeError::Embed(problem) => Fault::environment(problem.to_string()),
        ChangeError::Read(problem) => read(&problem),
    }
}

pub(crate) fn draft(problem: &BadDraft) -> Fault {
    let fault = Fault::usage(problem.to_string());
    match problem {
        BadDraft::TooLong { .. } => fault
            .hint("split it into several memories, or raise it with `engram config set remember.longest N`"),
        BadDraft::SessionOnly(_) => fault.hint("use --scope session"),
        _ => fault,
    }
}

pub(crate) fn commit(error: &CommitError) -> Fault {
    match error {
        CommitError::AlreadyApplied(_) | CommitError::Conflict(_) => Fault::refused(error.to_string()),
        CommitError::Refused(_) => Fault::internal(error.to_string()),
        CommitError::Unavailable(problem) => {
            let fault = Fault::environment(error.to_string());
            match problem.contains("No space left") {
                true => fault.hint("the disk is full; nothing that was acknowledged is lost"),
                false => fault.hint("`engram doctor` looks for the cause"),
            }
        }
    }
}

pub(crate) fn read(error: &ReadError) -> Fault {
    Fault::environment(error.to_string()).hint("`engram doctor` looks for the cause")
}

pub(crate) fn open(error: &OpenError, folder: &Path) -> Fault {
    let message = format!("{}: {error}", folder.display());
    match error {
        OpenError::FromTheFuture { .. } => {
            Fault::new(FaultKind::Version, message).hint("install the engram that wrote it, or a newer one")
        }
        OpenError::ForeignSchema { .. } => Fault::new(FaultKind::Version, message),
        OpenError::Folder(_) | OpenError::Taken => Fault::environment(message),
        OpenError::BadName => {
            Fault::refused(message).hint("rename the folder, or remember with --scope user")
        }
        OpenError::Damaged(_) | OpenError::Migration(_) | OpenError::Copy(_) => Fault::environment(message)
            .hint("`engram doctor` says more; `engram backup restore` brings a backup back"),
    }
}

pub(crate) fn io(doing: &str, path: &Path, error: &std::io::Error) -> Fault {
    Fault::environment(format!("{doing} {}: {error}", path.display()))
}
