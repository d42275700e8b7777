//! What is done to what is not one's own alone.

use crate::{Ground, act, at, founding, one, operator};
use engram_core::decision::{Pair, Review, Ruling};
use engram_core::memory::PromotionStep;
use engram_core::team::port::{Far as _, FarError};
use engram_core::team::{Deed, Proposal, Role, Sent, Stand};
use engram_core::team::{Reviewers, Rulers};
use engram_core::{Memory, MemoryId, Relation, RelationKind, Scope, Status};
use engram_store::upgrade_team;
use engram_testkit::run;

fn challenge(newer: &Memory, older: MemoryId) -> (Review, Sent) {
    let pair = Pair::Memories { newer: newer.id, older };
    let review = Review::open(pair, "they say that it moved to 1password".into(), None, newer.created_at);
    (review.clone(), act(Deed::Challenge { review: Box::new(review) }))
}

fn stand(memory: &Memory, status: Status) -> Stand {
    Stand { memory: memory.id, status, revision: memory.revision }
}

#[test]
fn two_corrections_challenge_and_one_ruling_decides() {
    run(async {
        let ground = Ground::new("ruling").await;
        let bob = ground.join("bob", Role::Member).await;
        let eve = ground.join("eve", Role::Member).await;
        let fact = ground.share("the staging key is in vault", &ground.ann).await;
        let mut reviews = Vec::new();
        let mut answers = Vec::new();
        for (person, text) in [(&bob, "the key is in 1password"), (&eve, "the key is in the wiki")] {
            let memory = ground.memory(text, person);
            let (review, deed) = challenge(&memory, fact.id);
            let edge = Relation::certain(memory.id, RelationKind::Contradicts, fact.id, at());
            let writes = vec![Sent::Insert(Box::new(memory.clone())), Sent::Relate(edge), deed];
            person.send(ground.operation(), writes).await.unwrap();
            reviews.push(review);
            answers.push(memory.id);
        }
        let everyone = [fact.id, answers[0], answers[1]];
        for id in everyone {
            assert_eq!(one(&eve, id).await.status, Status::Challenged);
        }
        // Challenged twice, changed twice: whoever ruled from the first is told.
        assert_eq!(one(&eve, fact.id).await.revision, fact.revision + 2);
        let (edges, mut open) = bob.far.ties(everyone.to_vec()).await.unwrap();
        open.sort_by_key(|review| review.id);
        reviews.sort_by_key(|review| review.id);
        assert_eq!((edges.len(), &open), (2, &reviews));
        // What is challenged is nobody's to change, not even its author's.
        let mut mine = one(&bob, answers[0]).await;
        let before = mine.revision;
        (mine.content, mine.revision) = ("the key is at home".into(), before + 1);
        let changed =
            bob.send(ground.operation(), vec![Sent::Replace { before, after: Box::new(mine) }]).await;
        assert_eq!(changed, Err(FarError::Conflict(answers[0])));

        let [vault, wallet, wiki] =
            [one(&bob, fact.id).await, one(&bob, answers[0]).await, one(&bob, answers[1]).await];
        let names: Vec<_> = reviews.iter().map(|review| review.id).collect();
        let ruling = |stands: Vec<Stand>| {
            vec![act(Deed::Rule { reviews: names.clone(), ruling: Ruling::Newer, stands })]
        };
        let decided = vec![
            stand(&vault, Status::Superseded),
            stand(&wallet, Status::Active),
            stand(&wiki, Status::Invalidated),
        ];
        let member = bob.send(ground.operation(), ruling(decided.clone())).await;
        assert_eq!(member, Err(FarError::Refused("rule".into())));
        let mut late = decided.clone();
        late[2].revision -= 1;
        let late = ground.ann.send(ground.operation(), ruling(late)).await;
        assert_eq!(late, Err(FarError::Conflict(wiki.id)));
        let unrelated = ground.share("deploys happen on tuesday", &bob).await;
        let mut wide = decided.clone();
        wide.push(stand(&unrelated, Status::Invalidated));
        let wide = ground.ann.send(ground.operation(), ruling(wide)).await;
        assert_eq!(wide, Err(FarError::Refused("ruling".into())));
        assert_eq!(one(&bob, fact.id).await, vault);

        ground.ann.send(ground.operation(), ruling(decided.clone())).await.unwrap();
        for stand in decided {
            let memory = one(&eve, stand.memory).await;
            assert_eq!((memory.status, memory.revision), (stand.status, stand.revision + 1));
        }
        let (_, closed) = eve.far.ties(vec![fact.id]).await.unwrap();
        assert!(closed.iter().all(|review| review.closed.is_some_and(|it| it.ruling == Ruling::Newer)));
        // Whoever rules on the same again has not heard of the first ruling.
        let [vault, wallet] = [one(&bob, fact.id).await, one(&bob, answers[0]).await];
        let again = vec![stand(&wallet, Status::Superseded), stand(&vault, Status::Active)];
        let again = ground.ann.send(ground.operation(), ruling(again)).await;
        assert!(matches!(again, Err(FarError::Conflict(_))), "{again:?}");
        // And what was decided is not taken back by its author alone.
        let mut lost = one(&eve, answers[1]).await;
        let before = lost.revision;
        lost.status = Status::Active;
        (lost.status_change.reason, lost.revision) = ("I think so".into(), before + 1);
        let taken_back =
            eve.send(ground.operation(), vec![Sent::Replace { before, after: Box::new(lost) }]).await;
        assert_eq!(taken_back, Err(FarError::Refused("what was decided stays".into())));
    });
}

#[test]
fn members_rule_where_the_team_says_so() {
    run(async {
        let rules = engram_store::Founding { rulers: Rulers::Member, ..founding("rulers") };
        let ground = Ground::founded("rulers", rules).await;
        let bob = ground.join("bob", Role::Member).await;
        let fact = ground.share("the staging key is in vault", &ground.ann).await;
        let memory = ground.memory("the key is in 1password", &bob);
        let (review, deed) = challenge(&memory, fact.id);
        bob.send(ground.operation(), vec![Sent::Insert(Box::new(memory.clone())), deed]).await.unwrap();
        let stands = vec![
            stand(&one(&bob, fact.id).await, Status::Active),
            stand(&one(&bob, memory.id).await, Status::Active),
        ];
        let rule = act(Deed::Rule { reviews: vec![review.id], ruling: Ruling::Both, stands });
        bob.send(ground.operation(), vec![rule]).await.unwrap();
        assert_eq!(one(&bob, fact.id).await.status, Status::Active);
        // A ruling is about what reviews connect, whoever makes it.
        let stands = vec![stand(&one(&bob, fact.id).await, Status::Invalidated)];
        let alone = act(Deed::Rule { reviews: Vec::new(), ruling: Ruling::Older, stands });
        let refused = bob.send(ground.operation(), vec![alone]).await;
        assert_eq!(refused, Err(FarError::Refused("ruling".into())));
    });
}

#[test]
fn a_withdrawal_takes_the_text_out_of_everything() {
    run(async {
        let ground = Ground::new("withdrawn").await;
        let bob = ground.join("bob", Role::Member).await;
        let fact = ground.share("the staging key is in vault", &ground.ann).await;
        let mut memory = ground.memory("it moved to 1password", &bob);
        memory.summary = Some("moved to 1password".into());
        memory.tags = ["1password".to_owned()].into();
        let (_, deed) = challenge(&memory, fact.id);
        bob.send(ground.operation(), vec![Sent::Insert(Box::new(memory.clone())), deed]).await.unwrap();
        bob.raw(&format!("CREATE search:{} CONTENT {{ words: '1password', direction: [] }}", memory.id))
            .await
            .unwrap();
        assert!(ground.everything().await.contains("1password"));
        // Not the maintainer's alone: its author's as well, and nobody else's.
        let refused = bob.send(ground.operation(), vec![act(Deed::Withdraw { memory: fact.id })]).await;
        assert_eq!(refused, Err(FarError::Refused("withdraw".into())));
        bob.send(ground.operation(), vec![act(Deed::Withdraw { memory: memory.id })]).await.unwrap();
        let left = ground.everything().await;
        assert!(!left.contains("1password"), "{left}");
        let gone = one(&ground.ann, memory.id).await;
        assert_eq!((gone.status, gone.content.as_str()), (Status::Forgotten, ""));
        // What is withdrawn is not brought back by a change.
        let mut back = memory.clone();
        back.revision = gone.revision + 1;
        let sent = Sent::Replace { before: gone.revision, after: Box::new(back) };
        assert!(bob.send(ground.operation(), vec![sent]).await.is_err());
        ground.ann.send(ground.operation(), vec![act(Deed::Withdraw { memory: fact.id })]).await.unwrap();
        assert!(!ground.everything().await.contains("vault"));
    });
}

#[test]
fn a_withdrawal_takes_away_what_the_project_is_called() {
    run(async {
        let ground = Ground::new("place").await;
        let bob = ground.join("bob", Role::Member).await;
        let mut memory = ground.memory("it moved to 1password", &bob);
        memory.provenance.source_project = Some("p_0123456789ab".parse().unwrap());
        let (by, place) = (Some(bob.id), Some("bluebird".to_owned()));
        let step =
            PromotionStep { scope: Scope::Project, memory_id: memory.id, promoted_at: at(), by, place };
        memory.provenance.promotion_chain.push(step);
        bob.send(ground.operation(), vec![Sent::Insert(Box::new(memory.clone()))]).await.unwrap();
        assert_eq!(one(&ground.ann, memory.id).await, memory);
        bob.send(ground.operation(), vec![act(Deed::Withdraw { memory: memory.id })]).await.unwrap();
        let left = ground.everything().await;
        assert!(!left.contains("bluebird") && !left.contains("p_0123456789ab"), "{left}");
        // What an older server left goes with the upgrade, and everybody hears of it.
        ground
            .raw(&format!(
                "UPDATE memory:{0} SET source_project = 'p_0123456789ab', revision += 1,
                 promotion_chain = [{{ scope: 'project', memory_id: '{0}', promoted_at: created_at, place: 'bluebird' }}]",
                memory.id
            ))
            .await;
        let before = one(&ground.ann, memory.id).await;
        assert!(ground.everything().await.contains("bluebird"));
        ground.raw("DELETE migration:14").await;
        assert_eq!(upgrade_team(&ground.address, &operator(), at()).await, Ok(vec![14]));
        let left = ground.everything().await;
        assert!(!left.contains("bluebird") && !left.contains("p_0123456789ab"), "{left}");
        assert_eq!(one(&ground.ann, memory.id).await.revision, before.revision + 1);
    });
}

#[test]
fn an_act_writes_nothing_that_nobody_can_read_into_anothers_row() {
    run(async {
        let ground = Ground::new("unreadable").await;
        let bob = ground.join("bob", Role::Member).await;
        let theirs = ground.share("the staging key is in vault", &ground.ann).await;
        let own = ground.share("the staging key is in the wiki", &bob).await;
        let before = ground.everything().await;
        let challenge = |at: &str, opened_at: &str, similarity: &str, key: &str| {
            format!(
                "CREATE act:1 CONTENT {{ what: 'challenge', by: '{}', at: {at}, reason: 'x', review: {{
                    key: '{key}', newer: '{}', older: '{}', reason: 'x', similarity: {similarity},
                    opened_at: {opened_at} }} }}",
                bob.id, own.id, theirs.id
            )
        };
        let (now, late, key) =
            ("d'2027-01-01T00:00:00Z'", "d'9999-12-31T00:00:00Z' + 1000y", "01ARZ3NDEKTSV4RRFFQ69G5FAV");
        for bad in [
            challenge(late, now, "NONE", key),
            challenge(now, late, "NONE", key),
            challenge(now, now, "7f", key),
            challenge(now, now, "-1f", key),
            challenge(now, now, "NONE", &key.to_lowercase()),
        ] {
            let answer = bob.raw(&bad).await;
            assert!(answer.is_err(), "{bad} answered {answer:?}");
            assert_eq!(ground.everything().await, before, "{bad}");
        }
        bob.raw(&challenge(now, now, "0.5f", key)).await.unwrap();
        assert_eq!(one(&ground.ann, theirs.id).await.status, Status::Challenged);
    });
}

#[test]
fn a_proposal_is_seen_by_its_author_and_maintainers_only() {
    run(async {
        let rules = engram_store::Founding { review: Reviewers::Maintainer, ..founding("proposed") };
        let ground = Ground::founded("proposed", rules).await;
        let bob = ground.join("bob", Role::Member).await;
        let eve = ground.join("eve", Role::Member).await;
        let memory = ground.memory("deploys happen on tuesday", &bob);
        let straight = bob.send(ground.operation(), vec![Sent::Insert(Box::new(memory.clone()))]).await;
        assert_eq!(straight, Err(FarError::Refused("memory".into())));
        let other = ground.memory("deploys happen on friday", &bob);
        let proposed = Proposal { memory: memory.clone(), corrects: Some((other.id, 3)), at: at() };
        let refused = Proposal { memory: other.clone(), corrects: None, at: at() };
        let writes = vec![Sent::Propose(Box::new(proposed.clone())), Sent::Propose(Box::new(refused))];
        bob.send(ground.operation(), writes).await.unwrap();
        assert_eq!(bob.far.proposals().await.unwrap().len(), 2);
        assert!(ground.ann.far.proposals().await.unwrap().contains(&proposed));
        assert_eq!(eve.far.proposals().await.unwrap(), Vec::new());
        assert_eq!(eve.far.page(None, 10).await.unwrap(), Vec::new());
        // Nobody proposes in another's name, or decides about their own.
        let mut forged = ground.memory("ann said this", &bob);
        forged.provenance.author = Some(ground.ann.id);
        let forged = Proposal { memory: forged, corrects: None, at: at() };
        let sent = bob.send(ground.operation(), vec![Sent::Propose(Box::new(forged))]).await;
        assert_eq!(sent, Err(FarError::Refused("proposal".into())));
        let own = bob.send(ground.operation(), vec![act(Deed::Approve { proposal: memory.id })]).await;
        assert_eq!(own, Err(FarError::Refused("approve".into())));
        // Nobody takes back another's, and what is taken back is gone.
        let third = ground.memory("deploys happen on sunday", &bob);
        let proposed = Proposal { memory: third.clone(), corrects: None, at: at() };
        bob.send(ground.operation(), vec![Sent::Propose(Box::new(proposed))]).await.unwrap();
        let back = || vec![Sent::TakeBack { proposal: third.id }];
        for other in [&eve, &ground.ann] {
            assert_eq!(
                other.send(ground.operation(), back()).await,
                Err(FarError::Refused("proposal".into()))
            );
        }
        bob.send(ground.operation(), back()).await.unwrap();
        assert_eq!(bob.send(ground.operation(), back()).await, Err(FarError::Refused("proposal".into())));
        assert_eq!(bob.far.proposals().await.unwrap().len(), 2);
        assert!(!ground.everything().await.contains("sunday"));
        // Approved and challenged in one delivery; refused and gone in another.
        let fact = ground.memory("deploys happen on monday", &ground.ann);
        let first = Proposal { memory: fact.clone(), corrects: None, at: at() };
        ground.ann.send(ground.operation(), vec![Sent::Propose(Box::new(first))]).await.unwrap();
        ground.ann.send(ground.operation(), vec![act(Deed::Approve { proposal: fact.id })]).await.unwrap();
        let (_, deed) = challenge(&memory, fact.id);
        let edge = Relation::certain(memory.id, RelationKind::Contradicts, fact.id, at());
        let writes = vec![act(Deed::Approve { proposal: memory.id }), Sent::Relate(edge), deed];
        ground.ann.send(ground.operation(), writes).await.unwrap();
        let approved = one(&eve, memory.id).await;
        assert_eq!((approved.status, approved.provenance.author), (Status::Challenged, Some(bob.id)));
        assert_eq!(approved.content, memory.content);
        ground.ann.send(ground.operation(), vec![act(Deed::Refuse { proposal: other.id })]).await.unwrap();
        assert_eq!(bob.far.proposals().await.unwrap(), Vec::new());
        assert!(!ground.everything().await.contains("friday"));
        // A text that was reviewed is not changed behind the reviewers' backs.
        let mut sly = one(&ground.ann, fact.id).await;
        let before = sly.revision;
        (sly.content, sly.revision) = ("deploys never happen".into(), before + 1);
        let sly =
            ground.ann.send(ground.operation(), vec![Sent::Replace { before, after: Box::new(sly) }]).await;
        assert!(sly.is_err());
    });
}
