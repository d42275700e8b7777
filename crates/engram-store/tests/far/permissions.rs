//! Who may do what, tried straight against the server.

use crate::{Ground, TABLES, act, address, at, founding, member_id, one, operator};
use engram_core::team::port::{Far as _, FarError};
use engram_core::team::{Deed, Position, Print, Role, Sent, Stand};
use engram_core::{Memory, MemoryId, Relation, RelationKind, Status};
use engram_store::{RawSession, create_team};
use engram_testkit::run;

/// What somebody could try who has a key and speaks the server's language.
/// `M` is another's memory, `O` one's own, `B` oneself, `A` the maintainer.
const TRIED: [&str; 42] = [
    "UPDATE memory:M SET content = 'evil', revision += 1",
    "UPDATE memory:M SET author = 'B', revision += 1",
    "UPDATE memory SET content = 'evil', revision += 1 WHERE author = 'A'",
    "UPSERT memory:M SET content = 'evil', revision += 1",
    "UPDATE memory:M MERGE { content: 'evil', revision: 1 }",
    "UPDATE memory:M PATCH [{ op: 'replace', path: '/content', value: 'evil' }]",
    "LET $row = SELECT * FROM ONLY memory:M; UPSERT memory:M CONTENT $row",
    "LET $row = SELECT * FROM ONLY memory:M; INSERT INTO memory [$row] ON DUPLICATE KEY UPDATE content = 'evil'",
    "LET $row = SELECT * FROM ONLY memory:M; INSERT IGNORE INTO memory [$row]",
    "LET $row = SELECT * FROM ONLY memory:O; $row.id = memory:01ARZ3NDEKTSV4RRFFQ69G5FAV; INSERT INTO memory $row",
    "CREATE memory:01ARZ3NDEKTSV4RRFFQ69G5FAV CONTENT (SELECT * OMIT id FROM ONLY memory:M)",
    "CREATE memory:bad CONTENT (SELECT * OMIT id FROM ONLY memory:O)",
    "DELETE memory:M",
    "DELETE memory",
    "DELETE memory:O",
    "FOR $one IN (SELECT VALUE id FROM memory:M) { UPDATE $one SET content = 'evil', revision += 1; DELETE $one }",
    "UPDATE memory:O SET author = 'A', revision += 1",
    "UPDATE memory:O SET revision += 2",
    "UPDATE memory:O SET content = 'silent'",
    "UPDATE memory:O SET status = 'forgotten', status_reason = 'x', revision += 1",
    "RELATE memory:M->relates_to->memory:O SET kind = 'supersedes', created_at = d'2027-01-01T00:00:00Z'",
    "UPDATE head:feed SET latest = 0",
    "UPDATE head SET chain = ''",
    "DELETE head",
    "DELETE feed",
    "CREATE feed:[9999] CONTENT { what: 'memory', key: 'x', gone: true }",
    "DELETE audit",
    "UPDATE audit SET digest = ''",
    "UPDATE member:B SET role = 'maintainer'",
    "UPDATE member:A SET active = false",
    "CREATE member:01ARZ3NDEKTSV4RRFFQ69G5FAV CONTENT { handle: 'x', role: 'maintainer', active: true, since: d'2027-01-01T00:00:00Z' }",
    "DELETE seat WHERE member = member:A",
    "CREATE seat:x CONTENT { member: member:A, name: 'x', since: d'2027-01-01T00:00:00Z' }",
    "CREATE invitation:x CONTENT { role: 'maintainer', since: d'2027-01-01T00:00:00Z' }",
    "UPDATE team:this SET review = 'author', rulers = 'member', pepper = ''",
    "UPDATE status_history SET reason = 'never happened'",
    "CREATE review:01ARZ3NDEKTSV4RRFFQ69G5FAV CONTENT { pair: 'memories', newer: 'M', older: 'O', reason: 'x', opened_at: d'2027-01-01T00:00:00Z' }",
    "CREATE operation:01ARZ3NDEKTSV4RRFFQ69G5FAV CONTENT { cause: 'x', actor: 'human', at: d'2027-01-01T00:00:00Z', memories: [], author: 'A', inverse: '[]' }",
    "CREATE act:1 CONTENT { what: 'withdraw', by: 'B', at: d'2027-01-01T00:00:00Z', reason: 'x', about: memory:M }",
    "CREATE act:1 CONTENT { what: 'withdraw', by: 'A', at: d'2027-01-01T00:00:00Z', reason: 'x', about: memory:M }",
    "CREATE act:1 CONTENT { what: 'rule', by: 'B', at: d'2027-01-01T00:00:00Z', reason: 'x', reviews: [], ruling: 'newer', stands: [{ memory: 'M', status: 'invalidated', revision: 0 }] }",
    "CREATE act:1 CONTENT { what: 'challenge', by: 'B', at: d'2027-01-01T00:00:00Z', reason: 'x', review: { key: '01ARZ3NDEKTSV4RRFFQ69G5FAV', newer: 'M', older: 'O', reason: 'x', opened_at: d'2027-01-01T00:00:00Z' } }",
];

/// What is not a member's business at all: an error, not silence.
const FORBIDDEN: [&str; 12] = [
    "INFO FOR DB",
    "INFO FOR ROOT",
    "DEFINE TABLE mine",
    "DEFINE FIELD OVERWRITE author ON memory TYPE any",
    "DEFINE USER me ON DATABASE PASSWORD 'x' ROLES OWNER",
    "DEFINE EVENT mine ON TABLE memory THEN { DELETE memory }",
    "ALTER TABLE memory PERMISSIONS FULL",
    "REMOVE TABLE memory",
    "REMOVE EVENT memory_is_told ON TABLE memory",
    "REMOVE ACCESS member ON DATABASE",
    "SHOW CHANGES FOR TABLE memory SINCE 0",
    "USE NS team DB t_elsewhere; SELECT * FROM memory",
];

const SHARED: &str = "USE NS team DB t_walls; SELECT * FROM memory";

fn filled(statement: &str, theirs: &Memory, own: &Memory, me: &str, ann: &str) -> String {
    statement
        .replace("memory:M", &format!("memory:{}", theirs.id))
        .replace("memory:O", &format!("memory:{}", own.id))
        .replace("member:A", &format!("member:{ann}"))
        .replace("member:B", &format!("member:{me}"))
        .replace("'M'", &format!("'{}'", theirs.id))
        .replace("'O'", &format!("'{}'", own.id))
        .replace("'A'", &format!("'{ann}'"))
        .replace("'B'", &format!("'{me}'"))
}

#[test]
fn a_member_cannot_change_anothers_memory_by_any_statement() {
    run(async {
        let ground = Ground::new("statements").await;
        let bob = ground.join("bob", Role::Member).await;
        let theirs = ground.share("the staging key is in vault", &ground.ann).await;
        let own = ground.share("deploys happen on tuesday", &bob).await;
        let before = ground.everything().await;
        let (me, ann) = (bob.id.to_string(), ground.ann.id.to_string());
        for statement in TRIED {
            let text = filled(statement, &theirs, &own, &me, &ann);
            let answer = bob.raw(&text).await;
            assert_eq!(ground.everything().await, before, "{text} answered {answer:?}");
        }
        for text in FORBIDDEN {
            let answer = bob.raw(text).await;
            assert!(answer.is_err(), "{text} answered {answer:?}");
        }
        assert_eq!(ground.everything().await, before);
        // The same words, said of one's own memory, do something.
        bob.raw(&format!("UPDATE memory:{} SET content = 'on wednesday', revision += 1", own.id))
            .await
            .unwrap();
        assert_ne!(ground.everything().await, before);
    });
}

/// What a member may write of their own and no engram can read.
const UNREADABLE: [&str; 7] = [
    "status_cause: 'x'",
    "source_session: 'yesterday'",
    "source_project: 'x'",
    "evidence: ['x']",
    "promotion_chain: [{ scope: 'x', memory_id: '', promoted_at: d'2027-01-01T00:00:00Z' }]",
    "created_at: d'9999-12-31T00:00:00Z' + 1000y",
    "revision: 4294967296",
];

#[test]
fn one_row_that_cannot_be_read_stops_nobody() {
    run(async {
        let ground = Ground::new("stops").await;
        let bob = ground.join("bob", Role::Member).await;
        let first = ground.share("the staging key is in vault", &bob).await;
        let last = ground.share("deploys happen on tuesday", &ground.ann).await;
        let write = async |name: &str, fields: &str| {
            let text = format!(
                "LET $row = SELECT * OMIT id FROM ONLY memory:{}; \
                 CREATE memory:`{name}` CONTENT object::extend($row, {{ {fields} }})",
                first.id
            );
            bob.raw(&text).await.unwrap();
        };
        // They have later names than those that can be read, so they come first.
        let mut bad = Vec::new();
        for (place, fields) in UNREADABLE.iter().enumerate() {
            let name = format!("7777777777777777777777777{place}");
            write(&name, fields).await;
            bad.push(name);
        }
        bad.push("7zzzzzzzzzzzzzzzzzzzzzzzzz".to_owned());
        write(&bad[UNREADABLE.len()], "").await;
        // A name of digits alone is a name and no number.
        write("66666666666666666666666666", "").await;
        let digits = Memory { id: "66666666666666666666666666".parse().unwrap(), ..first.clone() };
        assert_eq!(ground.ann.far.page(None, 2).await.unwrap(), [digits.clone(), last.clone()]);
        assert_eq!(ground.ann.far.page(Some(digits.id), 2).await.unwrap(), [last, first.clone()]);
        let mut told: Vec<String> = bad.iter().map(|name| format!("memory:{name}")).collect();
        let mut unread = ground.ann.far.take_unread();
        told.sort();
        unread.sort();
        assert_eq!(unread, told);
        assert_eq!(ground.ann.far.take_unread(), Vec::<String>::new(), "each is told once");
        let mut named: Vec<MemoryId> = bad.iter().map(|name| name.parse().unwrap()).collect();
        named.push(first.id);
        assert_eq!(ground.ann.far.load(named).await.unwrap(), std::slice::from_ref(&first));
        assert!(ground.ann.far.unsearched(None).await.unwrap().unsearched.contains(&first.id));

        // The same of whatever else a member can write.
        let (me, now) = (bob.id, "d'2027-01-01T00:00:00Z'");
        for text in [
            format!(
                "RELATE memory:{0}->relates_to->memory:{0} SET kind = 'supports', created_at = {now}, confidence = 7f",
                first.id
            ),
            format!(
                "CREATE proposal:`{}` CONTENT {{ author: '{me}', memory: {{ author: '{me}', content: 7 }}, at: {now} }}",
                bad[0]
            ),
        ] {
            bob.raw(&text).await.unwrap();
        }
        assert_eq!(ground.ann.far.ties(vec![first.id]).await.unwrap(), (Vec::new(), Vec::new()));
        assert_eq!(ground.ann.far.proposals().await.unwrap(), []);
        assert_eq!(ground.ann.far.take_unread().len(), 2);
        // And of what a newer server has words for.
        ground.raw("DEFINE FIELD OVERWRITE what ON feed TYPE string; UPDATE feed SET what = 'rumour' WHERE what = 'member'").await;
        let lines = ground.ann.far.feed(Position(0), 100).await.unwrap();
        assert_eq!(lines.iter().filter(|line| line.told.is_none()).count(), 2);
        assert_eq!(lines.last().map(|line| line.number), Some(ground.ann.far.head().await.unwrap().latest));
        ground.raw("DEFINE FIELD OVERWRITE handle ON member TYPE any; DEFINE FIELD OVERWRITE role ON member TYPE string").await;
        ground.raw(&format!("UPDATE member:{me} SET role = 'janitor'")).await;
        assert_eq!(ground.ann.far.members().await.unwrap().len(), 1);
    });
}

#[test]
fn a_reader_writes_nothing() {
    run(async {
        let ground = Ground::new("reader").await;
        let eve = ground.join("eve", Role::Member).await;
        let own = ground.share("what eve said while she could", &eve).await;
        let theirs = ground.share("the staging key is in vault", &ground.ann).await;
        let reader = Sent::Member { member: eve.id, role: Role::Reader, active: true };
        ground.ann.send(ground.operation(), vec![reader]).await.unwrap();
        let before = ground.everything().await;
        let (me, ann) = (eve.id.to_string(), ground.ann.id.to_string());
        let own_ways = [
            "UPDATE memory:O SET content = 'better', revision += 1",
            "RELATE memory:O->relates_to->memory:M SET kind = 'supports', created_at = d'2027-01-01T00:00:00Z'",
            "CREATE sighting:['p', 'B'] CONTENT { print: 'p', member: 'B', at: d'2027-01-01T00:00:00Z' }",
            "CREATE act:1 CONTENT { what: 'withdraw', by: 'B', at: d'2027-01-01T00:00:00Z', reason: 'x', about: memory:O }",
            "CREATE operation:01ARZ3NDEKTSV4RRFFQ69G5FAV CONTENT { cause: 'x', actor: 'human', at: d'2027-01-01T00:00:00Z', memories: [], author: 'B', inverse: '[]' }",
            "CREATE search:O CONTENT { words: 'x', direction: [] }",
        ];
        for statement in TRIED.iter().chain(&own_ways) {
            let text = filled(statement, &theirs, &own, &me, &ann);
            let answer = eve.raw(&text).await;
            assert_eq!(ground.everything().await, before, "{text} answered {answer:?}");
        }
        assert_eq!(eve.far.page(None, 10).await.unwrap().len(), 2);
        let sent = eve.send(ground.operation(), vec![Sent::Sight(vec![Print("p".into())])]).await;
        assert!(matches!(sent, Err(FarError::Refused(_))), "{sent:?}");
    });
}

#[test]
fn a_member_reads_what_is_shared_and_nothing_else() {
    run(async {
        let ground = Ground::new("reads").await;
        let bob = ground.join("bob", Role::Member).await;
        let shared = ground.share("the staging key is in vault", &ground.ann).await;
        assert_eq!(one(&bob, shared.id).await, shared);
        assert_eq!(bob.far.page(None, 10).await.unwrap(), vec![shared.clone()]);
        assert_eq!(bob.far.page(Some(shared.id), 10).await.unwrap(), Vec::new());
        assert_eq!(bob.far.load(vec![ground.memory("never sent", &bob).id]).await.unwrap(), Vec::new());
        let members = bob.far.members().await.unwrap();
        let mut handles: Vec<&str> = members.iter().map(|member| member.handle.as_str()).collect();
        handles.sort_unstable();
        assert_eq!(handles, ["ann", "bob"]);
        assert_eq!(bob.far.feed(Position(0), 100).await.unwrap().len(), 3);
        // How many rows of each table bob sees: his own seat, and what all share.
        let mut seen = Vec::new();
        for table in TABLES {
            let rows = bob.raw(&format!("RETURN array::len(SELECT * FROM {table})")).await.unwrap();
            if !rows.contains("Int(0)") {
                seen.push(table);
            }
        }
        assert_eq!(seen, ["memory", "head", "feed", "member", "seat", "team", "migration"]);
        let seats = bob.raw("SELECT VALUE member FROM seat").await.unwrap();
        assert!(!seats.contains(&ground.ann.id.to_string()), "{seats}");
    });
}

#[test]
fn a_stranger_and_another_team_get_nothing() {
    run(async {
        let ground = Ground::new("walls").await;
        ground.share("the staging key is in vault", &ground.ann).await;
        let stranger = RawSession::open(&ground.address, None).await.unwrap().run(SHARED).await;
        assert!(!format!("{stranger:?}").contains("vault"), "{stranger:?}");
        // Another team on the same server, with a member of its own.
        let elsewhere = address("walls", "elsewhere");
        create_team(&elsewhere, &operator(), founding("elsewhere"), at()).await.unwrap();
        let zoe = crate::join(&elsewhere, "zoe", "the first code").await.unwrap();
        for text in [
            SHARED,
            "USE NS team DB t_walls; UPDATE memory SET content = 'evil', revision += 1; SELECT * FROM memory",
            "USE NS other; SELECT * FROM memory",
        ] {
            let answer = zoe.raw(text).await;
            assert!(!format!("{answer:?}").contains("vault"), "{text} answered {answer:?}");
        }
        assert!(ground.everything().await.contains("the staging key is in vault"));
        let opened = engram_store::FarTeam::open(&ground.address, &zoe.key, zoe.id, crate::PATIENCE).await;
        assert!(matches!(opened, Err(FarError::Denied(_))), "{opened:?}");
    });
}

#[test]
fn a_removed_member_is_out_at_once() {
    run(async {
        let ground = Ground::new("removed").await;
        let bob = ground.join("bob", Role::Member).await;
        let own = ground.share("deploys happen on tuesday", &bob).await;
        let gone = Sent::Member { member: bob.id, role: Role::Member, active: false };
        ground.ann.send(ground.operation(), vec![gone]).await.unwrap();
        // Not an empty answer, which would look as if everything were gone.
        assert!(matches!(bob.far.head().await, Err(FarError::Denied(_))));
        assert!(matches!(bob.far.load(vec![own.id]).await, Err(FarError::Denied(_))));
        assert!(matches!(bob.far.feed(Position(0), 10).await, Err(FarError::Denied(_))));
        let sent = Sent::Insert(Box::new(ground.memory("one more", &bob)));
        assert!(matches!(bob.send(ground.operation(), vec![sent]).await, Err(FarError::Denied(_))));
        let before = ground.everything().await;
        for table in TABLES {
            let rows = bob.raw(&format!("RETURN array::len(SELECT * FROM {table})")).await.unwrap();
            assert!(rows.contains("Int(0)"), "{table}: {rows}");
        }
        bob.raw(&format!("UPDATE memory:{} SET content = 'evil', revision += 1", own.id)).await.unwrap();
        assert_eq!(ground.everything().await, before);
        let again = engram_store::FarTeam::open(&ground.address, &bob.key, bob.id, crate::PATIENCE).await;
        assert!(matches!(again, Err(FarError::Denied(_))), "{again:?}");
        // No maintainer steps down alone, so that there is always one.
        let alone = Sent::Member { member: ground.ann.id, role: Role::Member, active: true };
        let refused = ground.ann.send(ground.operation(), vec![alone]).await;
        assert_eq!(refused, Err(FarError::Refused("member".into())));
    });
}

#[test]
fn every_refused_write_says_so() {
    run(async {
        let ground = Ground::new("says_so").await;
        let bob = ground.join("bob", Role::Member).await;
        let theirs = ground.share("the staging key is in vault", &ground.ann).await;
        let own = ground.share("deploys happen on tuesday", &bob).await;
        let before = ground.everything().await;
        let mut forged = ground.memory("ann said this", &bob);
        forged.provenance.author = Some(ground.ann.id);
        let mut changed = theirs.clone();
        changed.content = "the staging key is public".into();
        changed.revision += 1;
        let mut twice = own.clone();
        twice.revision += 2;
        let edge = |from: &Memory, to: &Memory| {
            Sent::Relate(Relation::certain(from.id, RelationKind::Supersedes, to.id, at()))
        };
        let stand = Stand { memory: theirs.id, status: Status::Invalidated, revision: theirs.revision };
        let rule = Deed::Rule {
            reviews: Vec::new(),
            ruling: engram_core::decision::Ruling::Newer,
            stands: vec![stand],
        };
        let proposal = theirs.id;
        let refused: Vec<(&str, Sent)> = vec![
            ("memory", Sent::Insert(Box::new(forged))),
            ("relation", edge(&theirs, &own)),
            ("rule", act(rule)),
            ("withdraw", act(Deed::Withdraw { memory: theirs.id })),
            ("approve", act(Deed::Approve { proposal })),
            ("refuse", act(Deed::Refuse { proposal })),
            ("member", Sent::Member { member: bob.id, role: Role::Maintainer, active: true }),
            ("a change counts one revision", Sent::Replace { before: own.revision, after: Box::new(twice) }),
        ];
        for (what, sent) in refused {
            let answer = bob.send(ground.operation(), vec![sent]).await;
            assert_eq!(answer, Err(FarError::Refused(what.to_owned())), "{what}");
        }
        let replaced = Sent::Replace { before: theirs.revision, after: Box::new(changed) };
        let answer = bob.send(ground.operation(), vec![replaced]).await;
        assert_eq!(answer, Err(FarError::Conflict(theirs.id)));
        // One that is refused takes the rest of its delivery with it.
        let good = Sent::Insert(Box::new(ground.memory("a good one", &bob)));
        let bad = act(Deed::Withdraw { memory: theirs.id });
        assert!(bob.send(ground.operation(), vec![good, bad]).await.is_err());
        assert_eq!(ground.everything().await, before);
        assert_eq!(member_id("bob"), bob.id);
    });
}
