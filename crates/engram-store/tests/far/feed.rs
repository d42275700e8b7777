//! The feed: in order, without gaps, and somebody is woken when it grows.

use crate::{Ground, Person, founding, one, operator};
use engram_core::team::FarSearch;
use engram_core::team::port::{Far as _, FarError, FarQuestion, Searchable};
use engram_core::team::{Position, Print, Role, Sent, Told};
use engram_store::switch_search;
use engram_testkit::run;
use std::sync::Arc;
use std::time::Duration;

#[test]
fn the_feed_has_no_gaps_under_many_writers() {
    run(async {
        let ground = Arc::new(Ground::new("gaps").await);
        let mut people: Vec<Person> = Vec::new();
        for number in 0..5 {
            people.push(ground.join(&format!("p{number}"), Role::Member).await);
        }
        let people = Arc::new(people);
        let writers: Vec<_> = (0..20)
            .map(|number| {
                let (ground, people) = (Arc::clone(&ground), Arc::clone(&people));
                tokio::spawn(async move {
                    let by = &people[number % people.len()];
                    let memory = ground.memory(&format!("thing {number}"), by);
                    let operation = ground.operation();
                    // As an outbox does it: the same operation until it is done.
                    loop {
                        let sent = by.send(operation, vec![Sent::Insert(Box::new(memory.clone()))]).await;
                        match sent {
                            Ok(()) | Err(FarError::AlreadyDone(_)) => return,
                            Err(error) => assert!(error.is_passing(), "{error}"),
                        }
                    }
                })
            })
            .collect();
        let reader = {
            let ground = Arc::clone(&ground);
            tokio::spawn(async move {
                let (mut after, mut told) = (Position(0), 0);
                while told < 20 {
                    for line in ground.ann.far.feed(after, 7).await.unwrap() {
                        assert_eq!(line.number.0, after.0 + 1);
                        if line.told == Some(Told::Memory) {
                            told += 1;
                            one(&ground.ann, line.key.parse().unwrap()).await;
                        }
                        after = line.number;
                    }
                }
                after
            })
        };
        for writer in writers {
            writer.await.unwrap();
        }
        let read = reader.await.unwrap();
        assert_eq!(ground.ann.far.head().await.unwrap().latest, read);
        assert_eq!(ground.ann.far.page(None, 100).await.unwrap().len(), 20);
    });
}

/// What every memory's line of the audit comes to, one after the other.
const FOLDED: &str = "RETURN array::fold((SELECT * FROM audit ORDER BY id), '', |$chain, $line| \
    crypto::sha256(string::concat($chain, <string> record::id($line.id)[0], $line.what, $line.key, $line.digest))) \
    = head:feed.chain";

#[test]
fn the_chain_of_the_server_holds() {
    run(async {
        let ground = Ground::new("chain").await;
        let bob = ground.join("bob", Role::Member).await;
        ground.share("the staging key is in vault", &ground.ann).await;
        let mut memory = ground.share("deploys happen on tuesday", &bob).await;
        let before = memory.revision;
        memory.content = "deploys happen on wednesday".into();
        memory.revision += 1;
        bob.send(ground.operation(), vec![Sent::Replace { before, after: Box::new(memory.clone()) }])
            .await
            .unwrap();
        assert_eq!(one(&ground.ann, memory.id).await, memory);
        assert_eq!(ground.raw(FOLDED).await, "Bool(true)");
        let audit = ground.raw("SELECT * FROM audit").await;
        assert!(!audit.contains("tuesday") && audit.contains(&bob.id.to_string()), "{audit}");
        ground.raw("UPDATE audit SET digest = crypto::sha256('another') WHERE what = 'UPDATE'").await;
        assert_eq!(ground.raw(FOLDED).await, "Bool(false)");
    });
}

#[test]
fn an_operation_is_done_once() {
    run(async {
        let ground = Ground::new("done_once").await;
        let operation = ground.operation();
        let sent = Sent::Insert(Box::new(ground.memory("the staging key is in vault", &ground.ann)));
        ground.ann.send(operation, vec![sent.clone()]).await.unwrap();
        let before = ground.everything().await;
        let again = ground.ann.send(operation, vec![sent.clone()]).await;
        assert_eq!(again, Err(FarError::AlreadyDone(operation)));
        // Under another operation it is somebody's who has not heard of it yet.
        let Sent::Insert(memory) = &sent else { unreachable!() };
        let id = memory.id;
        let other = ground.ann.send(ground.operation(), vec![sent]).await;
        assert_eq!(other, Err(FarError::Conflict(id)));
        assert_eq!(ground.everything().await, before);
    });
}

#[test]
fn whoever_waits_is_woken_when_the_feed_grows() {
    run(async {
        let ground = Arc::new(Ground::new("woken").await);
        let bob = ground.join("bob", Role::Member).await;
        let head = bob.far.head().await.unwrap();
        assert_eq!(bob.far.feed(Position(0), 100).await.unwrap().len() as u64, head.latest.0);
        // Nothing new: the patience ends, and that is no error.
        bob.far.wait(Duration::from_millis(300)).await.unwrap();
        assert_eq!(bob.far.head().await.unwrap(), head);
        let waiting = tokio::spawn(async move {
            // The poll comes after a minute; this is the server's wake.
            tokio::time::timeout(Duration::from_secs(20), bob.far.wait(Duration::from_secs(50)))
                .await
                .unwrap()
                .unwrap();
            bob
        });
        tokio::time::sleep(Duration::from_millis(300)).await;
        assert!(!waiting.is_finished());
        ground.share("the staging key is in vault", &ground.ann).await;
        let bob = waiting.await.unwrap();
        assert!(bob.far.head().await.unwrap().latest > head.latest);
        // What came before the wait began is not waited for.
        tokio::time::timeout(Duration::from_secs(10), bob.far.wait(Duration::from_secs(50)))
            .await
            .unwrap()
            .unwrap();
    });
}

#[test]
fn what_is_older_than_the_window_goes() {
    run(async {
        let ground = Ground::founded("window", founding("window")).await;
        for batch in 0..7 {
            let many = (0..300).map(|number| Print(format!("{batch} {number}"))).collect();
            ground.ann.send(ground.operation(), vec![Sent::Sight(many)]).await.unwrap();
        }
        let head = ground.ann.far.head().await.unwrap();
        assert_eq!((head.latest, head.oldest), (Position(2101), Position(1000)));
        let lines = ground.ann.far.feed(Position(999), 2000).await.unwrap();
        assert_eq!((lines[0].number, lines.len()), (Position(1000), 1102));
        let late = ground.ann.far.feed(Position(0), 10).await.unwrap();
        assert_eq!(late[0].number, Position(1000), "whoever was away sees the gap");
    });
}

#[test]
fn sightings_count_people_and_not_how_often() {
    run(async {
        let ground = Ground::new("sighted").await;
        let bob = ground.join("bob", Role::Member).await;
        let print = |text: &str| Print(text.to_owned());
        let sight = |prints: Vec<Print>| vec![Sent::Sight(prints)];
        ground.ann.send(ground.operation(), sight(vec![print("a"), print("b"), print("a")])).await.unwrap();
        ground.ann.send(ground.operation(), sight(vec![print("a")])).await.unwrap();
        bob.send(ground.operation(), sight(vec![print("a"), print("c")])).await.unwrap();
        let asked = vec![print("c"), print("a"), print("none"), print("b")];
        let counted = bob.far.sighted(asked).await.unwrap();
        assert_eq!(counted, [(print("c"), 1), (print("a"), 2), (print("none"), 0), (print("b"), 1)]);
        let told = bob.far.feed(Position(0), 100).await.unwrap();
        assert_eq!(told.iter().filter(|line| line.told == Some(Told::Sighting)).count(), 4);
    });
}

#[test]
fn the_servers_own_indexes_find_when_they_are_switched_on() {
    run(async {
        let ground = Ground::new("indexes").await;
        let vault = ground.share("the staging key is in vault", &ground.ann).await;
        let deploys = ground.share("deploys happen on tuesday", &ground.ann).await;
        let asked = FarQuestion { words: "vault".into(), direction: Vec::new(), limit: 5 };
        assert!(matches!(ground.ann.far.search(asked.clone()).await, Err(FarError::Refused(_))));
        switch_search(&ground.address, &operator(), FarSearch::Hnsw).await.unwrap();
        assert_eq!(ground.ann.far.unsearched(None).await.unwrap().unsearched, [vault.id, deploys.id]);
        let axis =
            |place: usize| (0..256).map(|it| if it == place { 1.0 } else { 0.0 }).collect::<Vec<f32>>();
        let rows = vec![
            Searchable { memory: vault.id, words: "staging key vault".into(), direction: axis(0) },
            Searchable { memory: deploys.id, words: "deploys happen tuesday".into(), direction: axis(1) },
        ];
        let bob = ground.join("bob", Role::Member).await;
        let theirs = bob.far.keep_searchable(rows.clone()).await;
        assert!(matches!(theirs, Err(FarError::Refused(_))), "{theirs:?}");
        for _ in 0..2 {
            ground.ann.far.keep_searchable(rows.clone()).await.unwrap();
        }
        assert_eq!(ground.ann.far.unsearched(None).await.unwrap().unsearched, []);
        assert_eq!(ground.ann.far.search(asked).await.unwrap(), [vault.id]);
        let near = FarQuestion { words: String::new(), direction: axis(1), limit: 1 };
        assert_eq!(ground.ann.far.search(near).await.unwrap(), [deploys.id]);
        switch_search(&ground.address, &operator(), FarSearch::Off).await.unwrap();
        assert!(!ground.ann.far.charter().await.unwrap().search);
    });
}
