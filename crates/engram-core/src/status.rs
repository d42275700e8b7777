//! The lifecycle: the statuses, which change is allowed, and which of them
//! recall returns.
//!
//! The table is the law; whoever changes a status asks it first. The reason and
//! the cause of a change travel with it into the history.

use crate::change::Cause;
use crate::words::words;
use jiff::Timestamp;

words! {
    /// Where a memory stands in its life.
    pub enum Status ("status") {
        Created = "created",
        Active = "active",
        Challenged = "challenged",
        Consolidated = "consolidated",
        Superseded = "superseded",
        Merged = "merged",
        Deprecated = "deprecated",
        Invalidated = "invalidated",
        Promoted = "promoted",
        Archived = "archived",
        Forgotten = "forgotten",
    }
}

/// A change that the lifecycle does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a memory that is {from} cannot become {to}; from {from} it can become: {allowed}")]
pub struct Refused {
    pub from: Status,
    pub to: Status,
    pub allowed: String,
}

impl Status {
    /// What a memory in this status may become.
    pub const fn successors(self) -> &'static [Status] {
        use Status::*;
        match self {
            Created => &[
                Active,
                Challenged,
                Consolidated,
                Superseded,
                Merged,
                Deprecated,
                Invalidated,
                Promoted,
                Archived,
                Forgotten,
            ],
            Active => &[
                Challenged,
                Consolidated,
                Superseded,
                Merged,
                Deprecated,
                Invalidated,
                Promoted,
                Archived,
                Forgotten,
            ],
            Challenged => &[Active, Superseded, Merged, Deprecated, Invalidated, Archived, Forgotten],
            Consolidated => &[
                Active,
                Challenged,
                Superseded,
                Merged,
                Deprecated,
                Invalidated,
                Promoted,
                Archived,
                Forgotten,
            ],
            Archived => &[Active, Superseded, Merged, Invalidated, Forgotten],
            // Archived would be a way back to active, and these are not coming back.
            Superseded | Merged | Deprecated | Invalidated | Promoted => &[Forgotten],
            Forgotten => &[],
        }
    }

    pub fn may_become(self, to: Status) -> Result<(), Refused> {
        if self.successors().contains(&to) {
            return Ok(());
        }
        let allowed = match self.successors() {
            [] => "nothing".to_owned(),
            some => some.iter().map(|s| s.as_str()).collect::<Vec<_>>().join(", "),
        };
        Err(Refused { from: self, to, allowed })
    }

    /// Recall returns these unless it is asked for more.
    pub const fn is_current(self) -> bool {
        matches!(self, Status::Created | Status::Active | Status::Consolidated | Status::Challenged)
    }
}

/// Why a memory has the status it has. The schema refuses a status without it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatusChange {
    pub at: Timestamp,
    pub reason: String,
    pub cause: Cause,
}

/// One line of a memory's history; the database writes it by itself.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StatusStep {
    pub from: Option<Status>,
    pub to: Status,
    #[serde(flatten)]
    pub change: StatusChange,
}

/// The status a memory had at `at`, from its history in the order it was written.
pub fn status_at(history: &[StatusStep], at: Timestamp) -> Option<Status> {
    // A change that waited in the spool speaks of an earlier moment than the
    // ones recorded before it, so the order of time is not the order of steps.
    history.iter().rfind(|step| step.change.at <= at).map(|step| step.to)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The whole table in one picture: rows become columns.
    #[test]
    fn the_table_of_allowed_changes() {
        let mut picture = String::new();
        for from in Status::ALL {
            let row: String =
                Status::ALL.iter().map(|to| if from.may_become(*to).is_ok() { 'x' } else { '.' }).collect();
            picture += &format!("{from:<13}{row}\n");
        }
        assert_eq!(
            picture,
            "created      .xxxxxxxxxx\n\
             active       ..xxxxxxxxx\n\
             challenged   .x..xxxx.xx\n\
             consolidated .xx.xxxxxxx\n\
             superseded   ..........x\n\
             merged       ..........x\n\
             deprecated   ..........x\n\
             invalidated  ..........x\n\
             promoted     ..........x\n\
             archived     .x..xx.x..x\n\
             forgotten    ...........\n"
        );
    }

    #[test]
    fn a_refusal_names_what_would_be_allowed() {
        let refused = Status::Superseded.may_become(Status::Active).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "a memory that is superseded cannot become active; from superseded it can become: forgotten"
        );
    }

    #[test]
    fn the_past_status_is_read_from_the_history() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let step = |from, to, second| StatusStep {
            from,
            to,
            change: StatusChange { at: at(second), reason: "r".into(), cause: Cause::Remember },
        };
        let history = [step(None, Status::Created, 10), step(Some(Status::Created), Status::Superseded, 20)];
        assert_eq!(status_at(&history, at(5)), None);
        assert_eq!(status_at(&history, at(15)), Some(Status::Created));
        assert_eq!(status_at(&history, at(20)), Some(Status::Superseded));
    }
}
