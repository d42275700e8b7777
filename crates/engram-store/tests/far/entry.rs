//! Getting in and staying in: invitations, keys, tokens, operators.

use crate::{Ground, PATIENCE, address, at, founding, join, member_id, operator};
use engram_core::team::port::{Far as _, FarError};
use engram_core::team::{OperatorLevel, Role};
use engram_store::{
    FarTeam, Newcomer, Patience, RawSession, TeamAddress, create_team, hash_of as hash, invite_maintainer,
    rotate, sign_up, upgrade_team,
};
use engram_testkit::run;
use sha2::{Digest as _, Sha512};
use std::time::Duration;
use surrealdb::types::{Datetime, Object};

#[test]
fn an_invitation_is_good_once() {
    run(async {
        let ground = Ground::new("once").await;
        ground.ann.far.invite(&hash("welcome"), Role::Member, at()).await.unwrap();
        let many = ["bob", "eve", "joe", "kim"].map(|handle| {
            let address = ground.address.clone();
            tokio::spawn(async move { join(&address, handle, "welcome").await.map(|person| person.id) })
        });
        let mut joined = Vec::new();
        for one in many {
            joined.extend(one.await.unwrap().ok());
        }
        assert_eq!(joined.len(), 1);
        let again = join(&ground.address, "eve2", "welcome").await.err();
        assert_eq!(again, Some(FarError::Denied("no such invitation".into())));
        assert_eq!(ground.ann.far.members().await.unwrap().len(), 2);
        // A handle that is taken does not use the invitation up.
        ground.ann.far.invite(&hash("second"), Role::Reader, at()).await.unwrap();
        let key = hash("key of a twin");
        let twin = |handle| Newcomer {
            code: "second",
            member: member_id("twin"),
            handle,
            seat: &key,
            machine: "laptop",
            at: at(),
        };
        let taken = sign_up(&ground.address, twin("ann"), PATIENCE.call).await;
        assert!(matches!(taken, Err(FarError::Refused(_))), "{taken:?}");
        sign_up(&ground.address, twin("twin"), PATIENCE.call).await.unwrap();
        // Only a maintainer invites.
        let twin =
            FarTeam::open(&ground.address, "key of a twin", member_id("twin"), PATIENCE).await.unwrap();
        let refused = twin.invite(&hash("third"), Role::Maintainer, at()).await;
        assert!(matches!(refused, Err(FarError::Refused(_))), "{refused:?}");
    });
}

#[test]
fn a_rotation_that_lost_its_answer_is_found_again() {
    run(async {
        let ground = Ground::new("rotation").await;
        let bob = ground.join("bob", Role::Member).await;
        rotate(&ground.address, &bob.key, &hash("next"), at(), PATIENCE.call).await.unwrap();
        // Whoever did not hear of it tries the next key first, and it is in force.
        let far = FarTeam::open(&ground.address, "next", bob.id, PATIENCE).await.unwrap();
        assert_eq!(far.head().await.unwrap(), bob.far.head().await.unwrap());
        let old = FarTeam::open(&ground.address, &bob.key, bob.id, PATIENCE).await.err();
        assert_eq!(old, Some(FarError::Denied("not a seat of this team".into())));
        let twice = rotate(&ground.address, &bob.key, &hash("other"), at(), PATIENCE.call).await;
        assert!(matches!(twice, Err(FarError::Denied(_))), "{twice:?}");
        let wrong = FarTeam::open(&ground.address, "next", ground.ann.id, PATIENCE).await.err();
        assert!(matches!(wrong, Some(FarError::Denied(_))), "{wrong:?}");
        // Who leaves gives up the seat.
        far.leave("next").await.unwrap();
        assert!(FarTeam::open(&ground.address, "next", bob.id, PATIENCE).await.is_err());
        assert!(!ground.everything().await.contains("next\""));
    });
}

#[test]
fn a_session_that_is_over_says_so() {
    run(async {
        let mut short = founding("short");
        short.session = Duration::from_secs(2);
        let ground = Ground::founded("short", short).await;
        // It ends before the server's own end, of which nobody is told.
        assert_eq!(ground.ann.far.wait(Duration::from_secs(60)).await, Err(FarError::Expired));
        ground.ann.far.head().await.unwrap();
        tokio::time::sleep(Duration::from_millis(2500)).await;
        assert_eq!(ground.ann.far.head().await, Err(FarError::Expired));
        let again = FarTeam::open(&ground.address, &ground.ann.key, ground.ann.id, PATIENCE).await.unwrap();
        again.head().await.unwrap();
        drop(again);
    });
}

#[test]
fn an_expired_token_is_no_token() {
    run(async {
        let ground = Ground::new("tokens").await;
        make_key_known(&ground, "known to the test").await;
        let good = forged(&ground, "known to the test", 4_000_000_000);
        assert!(with_token(&ground.address, &good).await.unwrap().contains("latest"));
        let expired = forged(&ground, "known to the test", 1_600_000_000);
        assert!(with_token(&ground.address, &expired).await.is_err());
    });
}

#[test]
fn a_forged_token_is_refused_after_a_restore() {
    run(async {
        let ground = Ground::new("restored").await;
        if !ground.address.url.starts_with("mem://") {
            return; // A dump does not travel over a socket.
        }
        let memory = ground.share("the staging key is in vault", &ground.ann).await;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("dump");
        ground.operator.dump(&file).await.unwrap();
        let copy = TeamAddress { url: "mem://restored_copy".into(), ..ground.address.clone() };
        let operators = RawSession::open(&copy, Some(&operator())).await.unwrap();
        // An export writes something else in the place of the key, and a restore that
        // took it for one would let everybody in: this one leaves the door out.
        let incomplete = operators.restore(&file).await.unwrap_err();
        assert!(incomplete.contains("redaction placeholder"), "{incomplete}");
        let token = forged(&ground, "[REDACTED]", 4_000_000_000);
        let refused = with_token(&copy, &token).await;
        assert!(refused.is_err(), "{refused:?}");
        assert_eq!(upgrade_team(&copy, &operator(), at()).await, Ok(Vec::new()));
        let refused = with_token(&copy, &token).await;
        assert!(refused.is_err(), "{refused:?}");
        // A member's key is worth what it was.
        let far = FarTeam::open(&copy, &ground.ann.key, ground.ann.id, PATIENCE).await.unwrap();
        assert_eq!(far.page(None, 10).await.unwrap(), vec![memory]);
    });
}

async fn with_token(address: &TeamAddress, token: &str) -> Result<String, String> {
    let session = RawSession::with_token(address, token).await.map_err(|error| error.to_string())?;
    session.run("SELECT * FROM head").await
}

async fn make_key_known(ground: &Ground, key: &str) {
    ground
        .raw(&format!(
            "DEFINE ACCESS OVERWRITE member ON DATABASE TYPE RECORD WITH JWT ALGORITHM HS512 KEY '{key}' \
             DURATION FOR TOKEN 15m, FOR SESSION 1h"
        ))
        .await;
}

/// A token for the maintainer, signed with a key that one happens to know.
fn forged(ground: &Ground, key: &str, expires: i64) -> String {
    let claims = format!(
        r#"{{"iat":1500000000,"nbf":1500000000,"exp":{expires},"iss":"SurrealDB","NS":"{}","DB":"{}","AC":"member","ID":"member:{}"}}"#,
        ground.address.namespace, ground.address.database, ground.ann.id
    );
    let signed = format!("{}.{}", base64(br#"{"typ":"JWT","alg":"HS512"}"#), base64(claims.as_bytes()));
    format!("{signed}.{}", base64(&hmac_sha512(key.as_bytes(), signed.as_bytes())))
}

fn hmac_sha512(key: &[u8], text: &[u8]) -> Vec<u8> {
    let padded =
        |mask: u8| -> Vec<u8> { (0..128).map(|place| key.get(place).copied().unwrap_or(0) ^ mask).collect() };
    let inner = Sha512::new().chain_update(padded(0x36)).chain_update(text).finalize();
    Sha512::new().chain_update(padded(0x5c)).chain_update(inner).finalize().to_vec()
}

fn base64(bytes: &[u8]) -> String {
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits =
            three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..=three.len() {
            text.push(char::from(letters[(bits >> (18 - 6 * place) & 63) as usize]));
        }
    }
    text
}

#[test]
fn a_server_that_is_not_there_or_hangs_is_not_waited_for() {
    run(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let place = TeamAddress { url: format!("ws://127.0.0.1:{port}"), ..address("hangs", "hangs") };
        let patience = Patience { call: Duration::from_millis(500), poll: Duration::from_millis(500) };
        let open = async || {
            let opening = FarTeam::open(&place, "a key", member_id("bob"), patience);
            let error = tokio::time::timeout(Duration::from_secs(10), opening).await.unwrap().err().unwrap();
            assert!(matches!(error, FarError::Unreachable(_)), "{error}");
            assert!(error.is_passing() && !error.to_string().contains("a key"), "{error}");
        };
        // It takes the connection and never says a word.
        open().await;
        drop(listener);
        open().await;
    });
}

#[test]
fn eight_operators_migrate_at_once() {
    run(async {
        let place = address("eight", "eight");
        let many: Vec<_> = (0..8)
            .map(|_| {
                let place = place.clone();
                tokio::spawn(async move { create_team(&place, &operator(), founding("eight"), at()).await })
            })
            .collect();
        let mut outcomes = Vec::new();
        for one in many {
            outcomes.push(one.await.unwrap());
        }
        let founded = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
        assert_eq!(founded, 1, "{outcomes:?}");
        let steps =
            "RETURN (SELECT VALUE number FROM migration ORDER BY number) = [0,1,2,3,4,5,6,7,8,9,10,12,14]";
        let steps = RawSession::open(&place, Some(&operator())).await.unwrap().run(steps).await.unwrap();
        assert_eq!(steps, "Bool(true)");
        // The first code was lost with whoever should have told it.
        invite_maintainer(&place, &operator(), &hash("another code"), at()).await.unwrap();
        let ann = join(&place, "ann", "another code").await.unwrap();
        assert_eq!(ann.far.members().await.unwrap()[0].role, Role::Maintainer);
        let wrong = engram_store::Operator { password: "wrong".into(), ..operator() };
        let refused = upgrade_team(&place, &wrong, at()).await;
        assert!(matches!(refused, Err(FarError::Denied(_))), "{refused:?}");
        assert!(!format!("{wrong:?}").contains("wrong"));
    });
}

#[test]
fn an_operator_of_one_namespace_runs_a_team() {
    run(async {
        let place = TeamAddress { namespace: "small".into(), ..address("small", "small") };
        let root = RawSession::open(&address("small", "root"), Some(&operator())).await.unwrap();
        // As docs/team.md has it.
        root.run(
            "DEFINE NAMESPACE small; USE NS small; \
             DEFINE USER engram_ops ON NAMESPACE PASSWORD 'of one' ROLES OWNER;",
        )
        .await
        .unwrap();
        let small = engram_store::Operator {
            username: "engram_ops".into(),
            password: "of one".into(),
            level: OperatorLevel::Namespace,
        };
        create_team(&place, &small, founding("small"), at()).await.unwrap();
        let ann = join(&place, "ann", "the first code").await.unwrap();
        assert_eq!(upgrade_team(&place, &small, at()).await, Ok(Vec::new()));
        invite_maintainer(&place, &small, &hash("another code"), at()).await.unwrap();
        join(&place, "bob", "another code").await.unwrap();
        assert_eq!(ann.far.members().await.unwrap().len(), 2);
        // What is beside it is not theirs.
        let beside = TeamAddress { namespace: "beside".into(), ..place };
        let refused = create_team(&beside, &small, founding("beside"), at()).await;
        assert!(matches!(refused, Err(FarError::Denied(_))), "{refused:?}");
    });
}

#[test]
fn nobody_joins_whom_nobody_could_see() {
    run(async {
        let ground = Ground::new("unseen").await;
        ground.ann.far.invite(&hash("welcome"), Role::Member, at()).await.unwrap();
        let seat = hash("a key");
        let small = member_id("bob").to_string().to_lowercase();
        let (well, now) = (member_id("bob").to_string(), Datetime::from_timestamp(1_800_000_000, 0).unwrap());
        for (member, at) in [(small, now), (well, Datetime::MAX_UTC)] {
            let mut params = Object::new();
            for (name, value) in
                [("code", "welcome"), ("member", &member), ("handle", "bob"), ("seat", &seat)]
            {
                params.insert(name, value.to_owned());
            }
            params.insert("machine", "laptop");
            params.insert("at", at);
            let stranger = RawSession::open(&ground.address, None).await.unwrap();
            let refused = stranger.sign_up(&ground.address, params).await;
            assert!(matches!(refused, Err(FarError::Denied(_))), "{refused:?}");
        }
        join(&ground.address, "bob", "welcome").await.unwrap();
        assert_eq!(ground.ann.far.members().await.unwrap().len(), 2);
    });
}

#[test]
fn another_schema_is_told_at_the_door() {
    run(async {
        let ground = Ground::new("schemas").await;
        let open = || FarTeam::open(&ground.address, &ground.ann.key, ground.ann.id, PATIENCE);
        ground.raw("CREATE migration:99 CONTENT { number: 99, name: 'x', digest: 'x', applied_at: d'2027-01-01T00:00:00Z' }").await;
        assert_eq!(open().await.err(), Some(FarError::FromTheFuture { found: 99 }));
        let newer = upgrade_team(&ground.address, &operator(), at()).await;
        assert_eq!(newer, Err(FarError::FromTheFuture { found: 99 }));
        ground.raw("DELETE migration WHERE number > 9").await;
        assert_eq!(open().await.err(), Some(FarError::Behind { found: 9 }));
    });
}
