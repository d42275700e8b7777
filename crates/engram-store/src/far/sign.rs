//! Getting in: with an invitation once, with a seat's key ever after.
//!
//! A key is named on the server by its hash, and a new one is sent as that hash
//! only: it never crosses the wire before it is in force.

use super::connect::{TeamAddress, connect};
use super::{Patience, explain_far};
use crate::migrate::digest;
use crate::row::to_datetime;
use engram_core::team::port::FarError;
use engram_core::{MemberId, Timestamp};
use std::time::Duration;
use surrealdb::Surreal;
use surrealdb::engine::any::Any;
use surrealdb::opt::auth::Record;
use surrealdb::types::{Object, Value};

/// What the server keeps of a key or of an invitation's code.
pub fn hash_of(secret: &str) -> String {
    digest(secret)
}

/// Somebody who was invited, as they introduce themselves.
pub struct Newcomer<'a> {
    /// The invitation's code.
    pub code: &'a str,
    /// Minted here, so that a sign-up whose answer was lost is found again.
    pub member: MemberId,
    pub handle: &'a str,
    /// `hash_of` this machine's key.
    pub seat: &'a str,
    /// What this machine is called among the member's seats.
    pub machine: &'a str,
    pub at: Timestamp,
}

/// Uses up the invitation. The connection is one of its own and is gone when this
/// returns: one that lives would send the sign-up again after every trouble.
pub async fn sign_up(
    address: &TeamAddress,
    newcomer: Newcomer<'_>,
    patience: Duration,
) -> Result<(), FarError> {
    let patience = Patience::of_call(patience);
    let db = connect(address, patience).await?;
    let mut params = Object::new();
    params.insert("code", newcomer.code.to_owned());
    params.insert("member", newcomer.member.to_string());
    params.insert("handle", newcomer.handle.to_owned());
    params.insert("seat", newcomer.seat.to_owned());
    params.insert("machine", newcomer.machine.to_owned());
    params.insert("at", to_datetime(newcomer.at));
    patience.limit(db.signup(record(address, params))).await.map(drop)
}

/// Puts the key whose hash is `next_hash` in the place of `secret`. Where the
/// answer is lost, one of the two is in force: try the next one first.
pub async fn rotate(
    address: &TeamAddress,
    secret: &str,
    next_hash: &str,
    at: Timestamp,
    patience: Duration,
) -> Result<(), FarError> {
    let patience = Patience::of_call(patience);
    let db = connect(address, patience).await?;
    let mut params = Object::new();
    params.insert("secret", secret.to_owned());
    params.insert("next", next_hash.to_owned());
    params.insert("at", to_datetime(at));
    patience.limit(db.signin(record(address, params))).await.map(drop)
}

pub(super) async fn sign_in(
    db: &Surreal<Any>,
    address: &TeamAddress,
    secret: &str,
    patience: Patience,
) -> Result<(), FarError> {
    let mut params = Object::new();
    params.insert("secret", secret.to_owned());
    patience.limit(db.signin(record(address, params))).await.map(drop)
}

pub(crate) fn record(address: &TeamAddress, params: Object) -> Record<Value> {
    Record {
        namespace: address.namespace.clone(),
        database: address.database.clone(),
        access: "member".to_owned(),
        params: Value::Object(params),
    }
}

impl Patience {
    const fn of_call(call: Duration) -> Self {
        Self { call, poll: call }
    }

    /// What did not come in time did not come.
    pub(crate) async fn limit<T>(
        self,
        asked: impl IntoFuture<Output = Result<T, surrealdb::Error>>,
    ) -> Result<T, FarError> {
        match tokio::time::timeout(self.call, asked).await {
            Ok(answer) => answer.map_err(|error| explain_far(&error)),
            Err(_) => Err(self.over()),
        }
    }

    pub(crate) fn over(self) -> FarError {
        FarError::Unreachable(format!("no answer within {} ms", self.call.as_millis()))
    }
}
