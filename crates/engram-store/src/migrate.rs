//! Brings a store to this program's schema, one numbered step at a time.
//!
//! A step is never edited once released, runs once, and is recorded with the
//! digest of its text. A store that a newer program has touched is left alone.

use crate::door::{MET, breath, first_cause};
use crate::open::OpenError;
use crate::row::to_datetime;
use engram_core::{Scope, Timestamp};
use sha2::{Digest, Sha256};
use surrealdb::types::{SurrealValue, Value};
use surrealdb::{Connection, Surreal};

/// What a store is for, which decides the steps that make it.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) scope: Scope,
    /// Whether people sign in to it: the team's server, not a replica of it.
    pub(crate) served: bool,
}

impl Place {
    pub(crate) const SERVED: Self = Self { scope: Scope::Team, served: true };

    pub(crate) const fn local(scope: Scope) -> Self {
        Self { scope, served: false }
    }

    /// The last step that this program knows.
    pub(crate) fn newest(self) -> i64 {
        steps(self).last().map_or(0, |step| step.number)
    }
}

struct Step {
    number: i64,
    name: &'static str,
    text: &'static str,
}

const SHARED: &str = include_str!("../migrations/0001_memories.surql");
const RECALL: &str = include_str!("../migrations/0003_recall.surql");
const CAPTURE: &str = include_str!("../migrations/0004_capture.surql");
const USE: &str = include_str!("../migrations/0005_use.surql");
const DREAM: &str = include_str!("../migrations/0006_dream.surql");
const EVOLUTION: &str = include_str!("../migrations/0007_evolution.surql");
const SHARING: &str = include_str!("../migrations/0008_team.surql");
const AGENT: &str = include_str!("../migrations/0009_agent.surql");
const SERVED: &str = include_str!("../migrations/0010_served.surql");
const PART: &str = include_str!("../migrations/0011_part.surql");
const SEARCH: &str = include_str!("../migrations/0012_search.surql");
const RECALLS: &str = include_str!("../migrations/0013_recalls.surql");
const WITHDRAWN: &str = include_str!("../migrations/0014_withdrawn.surql");
const OUTBOX: &str = include_str!("../migrations/0015_outbox.surql");
const PROJECT: &str = include_str!("../migrations/0002_project.surql");
const USER: &str = include_str!("../migrations/0002_user.surql");
const TEAM: &str = include_str!("../migrations/0002_team.surql");

fn steps(place: Place) -> Vec<Step> {
    let (name, text) = match place.scope {
        // It is kept in maps, and in no database.
        Scope::Session => return Vec::new(),
        Scope::Project => ("project", PROJECT),
        Scope::User => ("user", USER),
        Scope::Team => ("team", TEAM),
    };
    let mut steps = vec![
        Step { number: 1, name: "memories", text: SHARED },
        Step { number: 2, name, text },
        Step { number: 3, name: "recall", text: RECALL },
        Step { number: 4, name: "capture", text: CAPTURE },
        Step { number: 5, name: "use", text: USE },
        Step { number: 6, name: "dream", text: DREAM },
        Step { number: 7, name: "evolution", text: EVOLUTION },
        Step { number: 8, name: "sharing", text: SHARING },
        Step { number: 9, name: "agent", text: AGENT },
    ];
    if place.served {
        steps.push(Step { number: 10, name: "served", text: SERVED });
        steps.push(Step { number: 12, name: "search", text: SEARCH });
        steps.push(Step { number: 14, name: "withdrawn", text: WITHDRAWN });
    } else if place.scope == Scope::Team {
        steps.push(Step { number: 11, name: "part", text: PART });
    }
    if !place.served {
        steps.push(Step { number: 13, name: "recalls", text: RECALLS });
        steps.push(Step { number: 15, name: "outbox", text: OUTBOX });
    }
    steps
}

#[derive(SurrealValue)]
struct Applied {
    number: i64,
    digest: String,
}

/// The table that remembers what ran. Defined before anything else and part of
/// no step, because it is where the steps are counted.
const LEDGER: &str = "
    DEFINE TABLE IF NOT EXISTS migration TYPE NORMAL SCHEMAFULL;
    DEFINE FIELD IF NOT EXISTS number ON migration TYPE int;
    DEFINE FIELD IF NOT EXISTS name ON migration TYPE string;
    DEFINE FIELD IF NOT EXISTS digest ON migration TYPE string;
    DEFINE FIELD IF NOT EXISTS applied_at ON migration TYPE datetime;";

/// Two programs that migrate at once meet at this row in every step, and one of
/// them begins anew. It holds nothing that a crash could leave behind.
const LOCK: &str = "UPSERT migration:0 CONTENT \
    { number: 0, name: 'lock', digest: <string> rand::uuid(), applied_at: $at };";

/// How often others may come first. A step of theirs is a step less for us.
const MOST_MEETINGS: u32 = 100;

/// Returns the steps that it took itself.
pub(crate) async fn migrate(
    db: &Surreal<impl Connection>,
    place: Place,
    at: Timestamp,
) -> Result<Vec<i64>, OpenError> {
    let mut taken = Vec::new();
    for meeting in 0..MOST_MEETINGS {
        match take_steps(db, place, at, &mut taken).await {
            Err(OpenError::Migration(problem)) if met(&problem) => breath(meeting).await,
            outcome => return outcome.map(|()| taken),
        }
    }
    Err(OpenError::Migration("others are changing the schema at the same time".to_owned()))
}

/// Somebody else was there at the same time, or a moment before.
fn met(problem: &str) -> bool {
    problem.contains(MET) || problem.contains("migration:") && problem.contains("already exists")
}

/// Takes the steps that are missing, one after the other, and notes each.
async fn take_steps(
    db: &Surreal<impl Connection>,
    place: Place,
    at: Timestamp,
    taken: &mut Vec<i64>,
) -> Result<(), OpenError> {
    let failed = |error: surrealdb::Error| OpenError::Migration(error.to_string());
    let mut answer = db
        .query(LEDGER)
        .query("SELECT number, digest FROM migration ORDER BY number")
        .await
        .and_then(|answer| answer.check())
        .map_err(failed)?;
    let last = answer.num_statements() - 1;
    let applied: Vec<Applied> = answer.take(last).map_err(failed)?;
    let known = place.newest();
    if known == 0 {
        return Err(OpenError::Migration(format!("a {} is kept in no database", place.scope)));
    }
    if let Some(newest) = applied.iter().map(|row| row.number).max().filter(|newest| *newest > known) {
        return Err(OpenError::FromTheFuture { found: newest, known });
    }
    let mut missing = Vec::new();
    for step in steps(place) {
        match applied.iter().find(|row| row.number == step.number) {
            Some(row) if row.digest == digest(step.text) => {}
            Some(_) => return Err(OpenError::ForeignSchema { number: step.number }),
            None => missing.push(step),
        }
    }
    for step in missing {
        let text = format!(
            "BEGIN;\n{LOCK}\n{}\nCREATE type::record('migration', $number) CONTENT \
             {{ number: $number, name: $name, digest: $digest, applied_at: $at }};\nCOMMIT;",
            step.text
        );
        let mut answer = db
            .query(text)
            .bind(("number", step.number))
            .bind(("name", step.name))
            .bind(("digest", digest(step.text)))
            .bind(("at", Value::Datetime(to_datetime(at))))
            .await
            .map_err(failed)?;
        if let Some(error) = first_cause(&mut answer) {
            return Err(failed(error));
        }
        taken.push(step.number);
    }
    Ok(())
}

pub(crate) fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A released step is never edited: change the schema with a new step.
    #[test]
    fn released_migrations_keep_their_text() {
        let digests: Vec<String> = [
            SHARED, PROJECT, USER, RECALL, CAPTURE, USE, DREAM, EVOLUTION, TEAM, SHARING, AGENT, SERVED,
            PART, SEARCH, RECALLS, WITHDRAWN, OUTBOX,
        ]
        .iter()
        .map(|text| digest(text)[..16].to_owned())
        .collect();
        assert_eq!(digests, RELEASED);
    }

    const RELEASED: [&str; 17] = [
        "65cd74b663aaa850",
        "350ea5875759ef7a",
        "c4a66996433b64a4",
        "1d50c338791a77de",
        "e47c130739c9e6e3",
        "6b6cb51944f84ec3",
        "287c05c5914415bb",
        "95eb6036b1696fb6",
        "74ec342ddd412135",
        "3c3085b8633bae77",
        "719a264eb3325637",
        "48c4c32ac3462c81",
        "efaa7bcde3fce2ed",
        "d00c8a1bef692a29",
        "491b039407b892f5",
        "b55e48247a1b9b2b",
        "56b2af3b210e2d24",
    ];
}
