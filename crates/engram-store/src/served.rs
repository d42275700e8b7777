//! The team's server as its operator sees it: making a team, bringing its
//! schema up to date, switching its indexes on and off.
//!
//! An operator's credentials pass through here and are kept nowhere.

use crate::door::{MET, MOST_TRIES, breath, first_cause};
use crate::far::connect::{TeamAddress, connect};
use crate::far::{Patience, explain_far, sign};
use crate::migrate::{Place, migrate};
use crate::open::OpenError;
use crate::row::{record, to_datetime};
use engram_core::Timestamp;
use engram_core::team::port::FarError;
use engram_core::team::{FarSearch, OperatorLevel, Reviewers, Rulers, TeamName};
use std::fmt;
use std::path::Path;
use std::time::Duration;
use surrealdb::Surreal;
use surrealdb::engine::any::Any;
use surrealdb::opt::auth::{Database, Namespace, Root};
use surrealdb::types::{Duration as StoredDuration, Object, SurrealValue, Value, Variables};

/// Whoever may change the schema of the server.
#[derive(Clone)]
pub struct Operator {
    pub username: String,
    pub password: String,
    pub level: OperatorLevel,
}

impl fmt::Debug for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Operator({}, ...)", self.username)
    }
}

/// What a team begins with.
#[derive(Clone)]
pub struct Founding {
    pub name: TeamName,
    pub review: Reviewers,
    pub rulers: Rulers,
    /// So many lines of the feed are kept.
    pub window: u64,
    /// Mixed into every print; whoever has it can guess short texts.
    pub pepper: String,
    /// `hash_of` the code with which the first maintainer joins.
    pub invitation_hash: String,
    /// How long a token lets in.
    pub token: Duration,
    /// How long a sign-in lasts.
    pub session: Duration,
}

const ACCESS: &str = include_str!("../migrations/access.surql");
const SEARCH: &str = include_str!("../migrations/search.surql");

/// A schema takes its time; its operator sits before it.
const OPERATOR: Patience = Patience { call: Duration::from_secs(120), poll: Duration::from_secs(120) };

/// Makes the team's database, its schema, and one invitation for a maintainer. A
/// team that is there already stays as it is, and that is an error.
pub async fn create_team(
    address: &TeamAddress,
    operator: &Operator,
    founding: Founding,
    at: Timestamp,
) -> Result<(), FarError> {
    let db = operate(address, operator).await?;
    brought_up_to_date(&db, at).await?;
    let mut team = Object::new();
    team.insert("name", founding.name.as_str());
    team.insert("review", founding.review.as_str());
    team.insert("rulers", founding.rulers.as_str());
    team.insert("window", i64::try_from(founding.window).unwrap_or(i64::MAX));
    team.insert("search", false);
    team.insert("pepper", founding.pepper);
    team.insert("token", StoredDuration::from(founding.token));
    team.insert("session", StoredDuration::from(founding.session));
    let text = format!(
        "BEGIN; CREATE team:this CONTENT $team; {INVITE} {} COMMIT;",
        access(founding.token, founding.session)
    );
    let query = db.query(text).bind(("team", team)).bind(invitation(&founding.invitation_hash, at));
    let mut answer = OPERATOR.limit(query).await?;
    match first_cause(&mut answer) {
        Some(error) if error.is_already_exists() => {
            Err(FarError::Refused("there is a team of this name already".to_owned()))
        }
        Some(error) => Err(explain_far(&error)),
        None => Ok(()),
    }
}

const INVITE: &str = "CREATE $invitation CONTENT { role: 'maintainer', since: $at };";

fn invitation(code_hash: &str, at: Timestamp) -> Variables {
    let mut given = Variables::new();
    given.insert("invitation", record("invitation", code_hash));
    given.insert("at", to_datetime(at));
    given
}

/// One more maintainer may join with the code that has this hash: for a team whose
/// first code was lost, or whose maintainers were.
pub async fn invite_maintainer(
    address: &TeamAddress,
    operator: &Operator,
    code_hash: &str,
    at: Timestamp,
) -> Result<(), FarError> {
    let db = operate(address, operator).await?;
    let mut answer = OPERATOR.limit(db.query(INVITE).bind(invitation(code_hash, at))).await?;
    first_cause(&mut answer).map_or(Ok(()), |error| Err(explain_far(&error)))
}

#[derive(SurrealValue)]
struct Lasting {
    token: StoredDuration,
    session: StoredDuration,
}

/// Brings the schema up to date and makes a new key for the tokens; members sign
/// in again by themselves. Returns the steps that it took.
pub async fn upgrade_team(
    address: &TeamAddress,
    operator: &Operator,
    at: Timestamp,
) -> Result<Vec<i64>, FarError> {
    let db = operate(address, operator).await?;
    let taken = brought_up_to_date(&db, at).await?;
    let mut answer = OPERATOR.limit(db.query("SELECT token, session FROM team:this")).await?;
    let rows: Vec<Lasting> = answer.take(0).map_err(|error| explain_far(&error))?;
    let Some(lasting) = rows.into_iter().next() else {
        return Err(FarError::Refused("there is no team of this name".to_owned()));
    };
    let text = access(lasting.token.into_inner(), lasting.session.into_inner());
    let mut answer = OPERATOR.limit(db.query(text)).await?;
    first_cause(&mut answer).map_or(Ok(taken), |error| Err(explain_far(&error)))
}

/// Has the server keep indexes of its own, or none. What they are made of is
/// filled in by the maintainers' machines.
pub async fn switch_search(
    address: &TeamAddress,
    operator: &Operator,
    index: FarSearch,
) -> Result<(), FarError> {
    let db = operate(address, operator).await?;
    let say = async |text: String| {
        let mut answer = SWITCHING.limit(db.query(text)).await?;
        first_cause(&mut answer).map_or(Ok(()), |error| Err(explain_far(&error)))
    };
    // Nobody asks an index that is not there.
    match index {
        FarSearch::Off => {
            tell_of_search(&db, false).await?;
            say(NO_INDEXES.to_owned()).await
        }
        FarSearch::Hnsw | FarSearch::Diskann => {
            say(indexes(index)).await?;
            tell_of_search(&db, true).await
        }
    }
}

const NO_INDEXES: &str = "REMOVE INDEX IF EXISTS search_words ON search; \
    REMOVE INDEX IF EXISTS search_direction ON search;";

fn indexes(index: FarSearch) -> String {
    if index == FarSearch::Diskann { SEARCH.replace(HNSW, DISKANN) } else { SEARCH.to_owned() }
}

/// The members hear that there is something new about the team itself.
async fn tell_of_search(db: &Surreal<Any>, on: bool) -> Result<(), FarError> {
    let text = format!("BEGIN; UPDATE team:this SET search = $on RETURN NONE; {TOLD} COMMIT;");
    for meeting in 0.. {
        let mut answer = SWITCHING.limit(db.query(text.as_str()).bind(("on", on))).await?;
        match first_cause(&mut answer) {
            None => break,
            Some(error) if error.to_string().contains(MET) && meeting < MOST_TRIES => {
                breath(u32::try_from(meeting).unwrap_or(u32::MAX)).await;
            }
            Some(error) => return Err(explain_far(&error)),
        }
    }
    Ok(())
}

/// A line of the feed.
const TOLD: &str = "LET $head = UPDATE ONLY head:feed SET latest += 1; \
    CREATE type::record('feed', [$head.latest]) CONTENT { what: 'member', key: 'this', gone: false } \
    RETURN NONE;";

/// An index over all that was shared is not made in a moment.
const SWITCHING: Patience = Patience { call: Duration::from_secs(3_600), poll: Duration::from_secs(3_600) };

const HNSW: &str = "HNSW DIMENSION 256 DIST COSINE TYPE F32 EFC 150 M 12";
const DISKANN: &str = "DISKANN DIMENSION 256 DIST COSINE TYPE F32 DEGREE 64 L_BUILD 100";

/// A connection on which an operator has signed in.
async fn operate(address: &TeamAddress, operator: &Operator) -> Result<Surreal<Any>, FarError> {
    let db = connect(address, OPERATOR).await?;
    let (username, password) = (operator.username.clone(), operator.password.clone());
    let (namespace, database) = (address.namespace.clone(), address.database.clone());
    match operator.level {
        OperatorLevel::Root => OPERATOR.limit(db.signin(Root { username, password })).await,
        OperatorLevel::Namespace => {
            OPERATOR.limit(db.signin(Namespace { namespace, username, password })).await
        }
        OperatorLevel::Database => {
            OPERATOR.limit(db.signin(Database { namespace, database, username, password })).await
        }
    }?;
    OPERATOR.limit(db.use_ns(&address.namespace).use_db(&address.database)).await?;
    Ok(db)
}

async fn brought_up_to_date(db: &Surreal<Any>, at: Timestamp) -> Result<Vec<i64>, FarError> {
    match tokio::time::timeout(OPERATOR.call, migrate(db, Place::SERVED, at)).await {
        Ok(Ok(taken)) => Ok(taken),
        Ok(Err(OpenError::FromTheFuture { found, .. })) => Err(FarError::FromTheFuture { found }),
        Ok(Err(error)) => Err(FarError::Refused(error.to_string())),
        Err(_) => Err(OPERATOR.over()),
    }
}

/// How one gets in, for so long.
fn access(token: Duration, session: Duration) -> String {
    let lasting = |given: Duration| format!("{}ms", given.as_millis().max(1));
    ACCESS.replace("@TOKEN", &lasting(token)).replace("@SESSION", &lasting(session))
}

/// Any statement at all, for tests that try to get around the rest.
#[doc(hidden)]
pub struct RawSession(Surreal<Any>);

#[doc(hidden)]
impl RawSession {
    /// As an operator, or as a stranger.
    pub async fn open(address: &TeamAddress, operator: Option<&Operator>) -> Result<Self, FarError> {
        match operator {
            Some(operator) => operate(address, operator).await.map(Self),
            None => connect(address, OPERATOR).await.map(Self),
        }
    }

    /// As somebody who introduces themselves in any way at all.
    pub async fn sign_up(&self, address: &TeamAddress, params: Object) -> Result<(), FarError> {
        OPERATOR.limit(self.0.signup(sign::record(address, params))).await.map(drop)
    }

    pub async fn with_token(address: &TeamAddress, token: &str) -> Result<Self, FarError> {
        let db = connect(address, OPERATOR).await?;
        OPERATOR.limit(db.authenticate(token)).await?;
        Ok(Self(db))
    }

    pub async fn dump(&self, file: &Path) -> Result<(), String> {
        self.0.export(file).await.map_err(|error| error.to_string())
    }

    pub async fn restore(&self, file: &Path) -> Result<(), String> {
        self.0.import(file).await.map_err(|error| error.to_string())
    }

    /// Returns what the last statement answered, as text.
    pub async fn run(&self, text: &str) -> Result<String, String> {
        raw(&self.0, text).await
    }
}

pub(crate) async fn raw(db: &Surreal<Any>, text: &str) -> Result<String, String> {
    let told = |error: surrealdb::Error| error.to_string();
    let answer = OPERATOR.limit(db.query(text)).await.map_err(|error| error.to_string())?;
    let mut answer = answer.check().map_err(told)?;
    let last = answer.num_statements() - 1;
    let value: Value = answer.take(last).map_err(told)?;
    Ok(format!("{value:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_index_is_the_one_that_was_named() {
        assert!(indexes(FarSearch::Hnsw).contains(HNSW));
        let other = indexes(FarSearch::Diskann);
        assert!(other.contains(DISKANN) && !other.contains("HNSW"));
    }
}
