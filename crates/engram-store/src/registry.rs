//! What a store knows besides memories: which project it is, which projects
//! and sessions there were, how scopes are weighed.
//!
//! Times and counts are given; nothing here decides anything.

use crate::door::{MET, MOST_TRIES, variables};
use crate::open::SurrealStore;
use crate::row::{record, to_datetime, to_timestamp};
use engram_core::port::{CommitError, ReadError};
use engram_core::rank::ScopeWeights;
use engram_core::words::UnknownWord;
use engram_core::{ProjectKey, SessionId, Timestamp};
use std::path::{Path, PathBuf};
use surrealdb::types::{Datetime, RecordId, SurrealValue, Value};

/// How a project looks at the moment someone works in it.
#[derive(Debug, Clone)]
pub struct ProjectSeen {
    pub key: ProjectKey,
    pub path: PathBuf,
    pub name: String,
    pub git_remote: Option<String>,
}

/// A line of the user's list of projects.
#[derive(Debug, Clone)]
pub struct ProjectEntry {
    pub key: ProjectKey,
    pub path: PathBuf,
}

/// Whether a session is going on, over, or was left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionStatus {
    Active,
    Completed,
    Abandoned,
}

impl SessionStatus {
    pub const fn as_str(self) -> &'static str {
        match self {
            SessionStatus::Active => "active",
            SessionStatus::Completed => "completed",
            SessionStatus::Abandoned => "abandoned",
        }
    }

    fn parse(word: &str) -> Result<Self, UnknownWord> {
        [SessionStatus::Active, SessionStatus::Completed, SessionStatus::Abandoned]
            .into_iter()
            .find(|status| status.as_str() == word)
            .ok_or_else(|| UnknownWord {
                what: "session status",
                found: word.to_owned(),
                allowed: "active, completed, abandoned".to_owned(),
            })
    }
}

/// A line of a project's list of sessions.
#[derive(Debug, Clone)]
pub struct SessionEntry {
    pub id: SessionId,
    pub started_at: Timestamp,
    pub ended_at: Option<Timestamp>,
    pub status: SessionStatus,
    pub memories_promoted: u32,
    pub summary: Option<String>,
}

/// How much each scope counts, under a name.
#[derive(Debug, Clone)]
pub struct WeightProfile {
    pub name: String,
    pub weights: ScopeWeights,
}

#[derive(SurrealValue)]
struct ProjectRow {
    project_db: String,
    project_path: String,
}

#[derive(SurrealValue)]
struct SessionRow {
    session_id: String,
    started_at: Datetime,
    ended_at: Option<Datetime>,
    status: String,
    memories_promoted: i64,
    summary: Option<String>,
}

#[derive(SurrealValue)]
struct ProfileRow {
    profile_name: String,
    session_weight: f64,
    project_weight: f64,
    user_weight: f64,
}

impl SurrealStore {
    /// In a project's store: what this project is called and where it lies.
    pub async fn note_project(&self, seen: &ProjectSeen) -> Result<(), CommitError> {
        self.write(
            "UPSERT project_meta:this SET project_path = $path, project_name = $name,
                git_remote = $remote, session_count = session_count ?? 0 RETURN NONE",
            [
                ("path", path_text(&seen.path).into_value()),
                ("name", seen.name.clone().into_value()),
                ("remote", seen.git_remote.clone().into_value()),
            ],
        )
        .await
    }

    /// In the user's store: this project exists and was seen.
    pub async fn register_project(&self, seen: &ProjectSeen, at: Timestamp) -> Result<(), CommitError> {
        self.write(
            "BEGIN;
             UPSERT $id SET project_db = $key, project_path = $path, project_name = $name,
                git_remote = $remote, first_seen = first_seen ?? $at, last_seen = $at,
                session_count = session_count ?? 0 RETURN NONE;
             UPSERT user_profile:this SET created_at = created_at ?? $at, last_active = $at,
                total_sessions = total_sessions ?? 0,
                total_projects = array::len(SELECT VALUE id FROM project_registry) RETURN NONE;
             COMMIT;",
            [
                ("id", record("project_registry", &seen.key).into_value()),
                ("key", seen.key.to_string().into_value()),
                ("path", path_text(&seen.path).into_value()),
                ("name", seen.name.clone().into_value()),
                ("remote", seen.git_remote.clone().into_value()),
                ("at", to_datetime(at).into_value()),
            ],
        )
        .await
    }

    pub async fn list_projects(&self) -> Result<Vec<ProjectEntry>, ReadError> {
        let rows: Vec<ProjectRow> =
            self.read("SELECT * FROM project_registry ORDER BY project_path", []).await?;
        rows.into_iter()
            .map(|row| {
                let bad = |problem: String| ReadError::BadRow {
                    row: format!("project_registry {}", row.project_db),
                    problem,
                };
                Ok(ProjectEntry {
                    key: row.project_db.parse().map_err(|error| bad(format!("{error}")))?,
                    path: PathBuf::from(&row.project_path),
                })
            })
            .collect()
    }

    /// In a project's store: a session began here, or goes on. Whether it was
    /// not known before.
    pub async fn register_session(&self, id: SessionId, at: Timestamp) -> Result<bool, CommitError> {
        let known: Vec<RecordId> = self
            .read("SELECT VALUE id FROM $id", [("id", record("session_registry", id).into_value())])
            .await
            .map_err(|error| CommitError::Unavailable(error.to_string()))?;
        self.write(
            "BEGIN;
             IF record::exists($id) {
                UPDATE $id SET status = 'active', ended_at = NONE RETURN NONE;
             } ELSE {
                CREATE $id CONTENT { session_id: $number, started_at: $at, status: 'active',
                    memories_promoted: 0 } RETURN NONE;
                UPDATE project_meta:this SET session_count = (session_count ?? 0) + 1,
                    first_session = first_session ?? $at, last_session = $at RETURN NONE;
             };
             COMMIT;",
            [
                ("id", record("session_registry", id).into_value()),
                ("number", id.to_string().into_value()),
                ("at", to_datetime(at).into_value()),
            ],
        )
        .await?;
        Ok(known.is_empty())
    }

    /// In the user's store: a session began in this project.
    pub async fn count_session(&self, key: &ProjectKey, at: Timestamp) -> Result<(), CommitError> {
        self.write(
            "BEGIN;
             UPDATE $id SET session_count += 1, last_seen = $at RETURN NONE;
             UPDATE user_profile:this SET total_sessions += 1, last_active = $at RETURN NONE;
             COMMIT;",
            [("id", record("project_registry", key).into_value()), ("at", to_datetime(at).into_value())],
        )
        .await
    }

    pub async fn close_session(
        &self,
        id: SessionId,
        status: SessionStatus,
        summary: Option<String>,
        at: Timestamp,
    ) -> Result<(), CommitError> {
        self.write(
            "UPDATE $id SET status = $status, ended_at = $at, summary = $summary ?? summary,
                memories_promoted = count(SELECT VALUE id FROM promotion_log WHERE source_session = $number)
                WHERE status = 'active' RETURN NONE",
            [
                ("number", id.to_string().into_value()),
                ("summary", summary.into_value()),
                ("id", record("session_registry", id).into_value()),
                ("status", status.as_str().into_value()),
                ("at", to_datetime(at).into_value()),
            ],
        )
        .await
    }

    /// How many sessions there were in this project.
    pub async fn count_sessions(&self) -> Result<u64, ReadError> {
        let counts: Vec<i64> = self.read("SELECT VALUE session_count FROM project_meta:this", []).await?;
        Ok(counts.first().and_then(|count| u64::try_from(*count).ok()).unwrap_or(0))
    }

    pub async fn list_sessions(&self) -> Result<Vec<SessionEntry>, ReadError> {
        let rows: Vec<SessionRow> =
            self.read("SELECT * FROM session_registry ORDER BY started_at DESC", []).await?;
        rows.into_iter()
            .map(|row| {
                let bad = |problem: String| ReadError::BadRow {
                    row: format!("session_registry {}", row.session_id),
                    problem,
                };
                let moment = |at| to_timestamp(at).map_err(|error| bad(error.to_string()));
                Ok(SessionEntry {
                    id: row.session_id.parse().map_err(|error| bad(format!("{error}")))?,
                    started_at: moment(row.started_at)?,
                    ended_at: row.ended_at.map(moment).transpose()?,
                    status: SessionStatus::parse(&row.status).map_err(|error| bad(error.to_string()))?,
                    memories_promoted: u32::try_from(row.memories_promoted).unwrap_or(0),
                    summary: row.summary,
                })
            })
            .collect()
    }

    /// In the user's store: the profiles of scope weights.
    pub async fn list_profiles(&self) -> Result<Vec<WeightProfile>, ReadError> {
        let rows: Vec<ProfileRow> =
            self.read("SELECT * FROM scope_weight_profile ORDER BY profile_name", []).await?;
        Ok(rows
            .into_iter()
            .map(|row| WeightProfile {
                name: row.profile_name,
                weights: ScopeWeights {
                    session: row.session_weight,
                    project: row.project_weight,
                    user: row.user_weight,
                },
            })
            .collect())
    }

    pub(crate) async fn write<const N: usize>(
        &self,
        text: &str,
        parameters: [(&str, Value); N],
    ) -> Result<(), CommitError> {
        let (mut last, given) = (String::new(), variables(parameters));
        for _ in 0..MOST_TRIES {
            let db = self.held_to_write().await?;
            // Of several that failed with one, the first says why.
            let mut answer = match db.ask(text, given.clone()).await {
                Ok(answer) => answer,
                Err(error) => return Err(CommitError::Unavailable(error.to_string())),
            };
            let problems: Vec<String> =
                answer.take_errors().into_values().map(|error| error.to_string()).collect();
            drop(db);
            if problems.is_empty() {
                self.database.renew_if_long().await;
                return Ok(());
            }
            last = problems.join("; ");
            if !last.contains(MET) {
                break;
            }
        }
        Err(CommitError::Unavailable(last))
    }
}

fn path_text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
