//! Brings a store to this program's schema, one numbered step at a time.
//!
//! A step is never edited once released, runs once, and is recorded with the
//! digest of its text. A store that a newer program has touched is left alone.

use crate::open::OpenError;
use crate::row::to_datetime;
use engram_core::{Scope, Timestamp};
use sha2::{Digest, Sha256};
use surrealdb::Surreal;
use surrealdb::engine::any::Any;
use surrealdb::types::{SurrealValue, Value};

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
const SESSION: &str = include_str!("../migrations/0002_session.surql");
const PROJECT: &str = include_str!("../migrations/0002_project.surql");
const USER: &str = include_str!("../migrations/0002_user.surql");

fn steps(scope: Scope) -> [Step; 7] {
    let (name, text) = match scope {
        Scope::Session => ("session", SESSION),
        Scope::Project => ("project", PROJECT),
        Scope::User => ("user", USER),
    };
    [
        Step { number: 1, name: "memories", text: SHARED },
        Step { number: 2, name, text },
        Step { number: 3, name: "recall", text: RECALL },
        Step { number: 4, name: "capture", text: CAPTURE },
        Step { number: 5, name: "use", text: USE },
        Step { number: 6, name: "dream", text: DREAM },
        Step { number: 7, name: "evolution", text: EVOLUTION },
    ]
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

pub(crate) async fn migrate(db: &Surreal<Any>, scope: Scope, at: Timestamp) -> Result<(), OpenError> {
    let failed = |error: surrealdb::Error| OpenError::Migration(error.to_string());
    let mut answer = db
        .query(LEDGER)
        .query("SELECT number, digest FROM migration ORDER BY number")
        .await
        .and_then(|answer| answer.check())
        .map_err(failed)?;
    let last = answer.num_statements() - 1;
    let applied: Vec<Applied> = answer.take(last).map_err(failed)?;
    let steps = steps(scope);
    let known = steps.last().map_or(0, |step| step.number);
    if let Some(newest) = applied.iter().map(|row| row.number).max().filter(|newest| *newest > known) {
        return Err(OpenError::FromTheFuture { found: newest, known });
    }
    for step in steps {
        let digest = digest(step.text);
        match applied.iter().find(|row| row.number == step.number) {
            Some(row) if row.digest == digest => {}
            Some(_) => return Err(OpenError::ForeignSchema { number: step.number }),
            None => {
                let text = format!(
                    "BEGIN;\n{}\nCREATE type::record('migration', $number) CONTENT \
                     {{ number: $number, name: $name, digest: $digest, applied_at: $at }};\nCOMMIT;",
                    step.text
                );
                db.query(text)
                    .bind(("number", step.number))
                    .bind(("name", step.name))
                    .bind(("digest", digest))
                    .bind(("at", Value::Datetime(to_datetime(at))))
                    .await
                    .and_then(|answer| answer.check())
                    .map_err(failed)?;
            }
        }
    }
    Ok(())
}

fn digest(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A released step is never edited: change the schema with a new step.
    #[test]
    fn released_migrations_keep_their_text() {
        let digests: Vec<String> = [SHARED, SESSION, PROJECT, USER, RECALL, CAPTURE, USE, DREAM, EVOLUTION]
            .iter()
            .map(|text| digest(text)[..16].to_owned())
            .collect();
        assert_eq!(digests, RELEASED);
    }

    const RELEASED: [&str; 9] = [
        "65cd74b663aaa850",
        "36aa02beaff1da72",
        "350ea5875759ef7a",
        "c4a66996433b64a4",
        "1d50c338791a77de",
        "e47c130739c9e6e3",
        "6b6cb51944f84ec3",
        "287c05c5914415bb",
        "95eb6036b1696fb6",
    ];
}
