//! What waits to be said to the server: in its order, once, and refused with a reason.

use super::*;

#[tokio::test]
async fn what_is_queued_shows_at_once_and_gives_way_to_a_refusal() {
    let mut lab = Lab::new().await;
    let fact = lab.desks[1].share("the port is 80").await;
    lab.sync_all().await;
    let before = lab.desks[2].all().await;
    // Nobody told this desk yet that its member only reads from now on.
    let member = lab.desks[2].member.id;
    let set = Intent::SetMember { member, role: Role::Reader, active: true };
    lab.desks[0].queue(set).await.unwrap();
    lab.desks[0].sync().await;
    let desk = &mut lab.desks[2];
    let new = desk.correct(fact, "the port is 81").await;
    assert_eq!(desk.status(fact).await, Status::Challenged);
    assert_eq!(desk.status(new).await, Status::Challenged);
    assert_eq!(desk.memory(fact).await.revision, before[0].revision, "the revision is the server's");
    let own = desk.share("the host is blue").await;
    desk.check_index().await;
    let pushed = desk.push().await.unwrap();
    assert_eq!((pushed.delivered, pushed.refused), (0, 2), "neither holds up the other");
    assert_eq!(desk.all().await, before, "as the server has it");
    let lines = desk.lines().await;
    assert_eq!(lines.len(), 2);
    for line in &lines {
        assert_eq!(line.problem.as_deref(), Some("readers of a team share and change nothing"));
        assert!(line.refused_at.is_some());
    }
    assert!(lines.iter().any(|line| line.intent.newborn().is_some_and(|memory| memory.id == own)));
    desk.check_index().await;
    assert_eq!(desk.push().await.unwrap(), engram_engine::Pushed::default(), "it is not tried again");
    let at = desk.occasion().at;
    desk.shelf.dismiss(lines[0].operation, at).await.unwrap();
    assert_eq!(desk.lines().await.len(), 1);
}

#[tokio::test]
async fn a_refused_line_holds_up_nobody_and_a_trouble_that_passes_keeps_the_order() {
    let mut lab = Lab::new().await;
    let others = lab.desks[1].share("somebody else's").await;
    lab.sync_all().await;
    let desk = &mut lab.desks[2];
    let one = desk.share("one").await;
    desk.queue(Intent::Withdraw { memory: others }).await.unwrap();
    assert_eq!(desk.status(others).await, Status::Created, "nothing is shown that cannot be");
    let two = desk.share("two").await;
    // The charter, the members, and then the first delivery is cut off.
    desk.far.plan([None, None, Some(Fault::Cut)]);
    assert!(matches!(desk.push().await, Err(SyncError::Far(FarError::Unreachable(_)))));
    let lines = desk.lines().await;
    assert_eq!(lines.iter().map(|line| line.tries).collect::<Vec<_>>(), [1, 0, 0]);
    assert!(lines[0].problem.as_deref().unwrap().contains("cannot be reached"));
    let pushed = desk.push().await.unwrap();
    assert_eq!((pushed.delivered, pushed.refused), (2, 1));
    assert!(desk.lines().await[0].problem.as_deref().unwrap().contains("somebody else's"));
    lab.sync_all().await;
    lab.check_same().await;
    let ids: Vec<MemoryId> = lab.server.memories().iter().map(|memory| memory.id).collect();
    assert!(ids.contains(&one) && ids.contains(&two));
}

#[tokio::test]
async fn what_was_queued_first_is_said_first_whatever_the_clock_says() {
    let mut lab = Lab::new().await;
    lab.sync_all().await;
    let desk = &mut lab.desks[1];
    let shared = desk.share("the port is 80").await;
    // The clock steps back by a day, and the identifiers with it.
    desk.now -= Span::from_hours(24);
    desk.mint = IdMint::seeded(77);
    desk.queue(Intent::Withdraw { memory: shared }).await.unwrap();
    let pushed = desk.push().await.unwrap();
    assert_eq!((pushed.delivered, pushed.refused), (2, 0), "{:?}", desk.lines().await);
    lab.sync_all().await;
    lab.check_same().await;
    assert_eq!(lab.desks[2].memory(shared).await.status, Status::Forgotten);
}

#[tokio::test]
async fn a_line_counts_as_tried_before_anybody_could_have_heard_of_it() {
    let mut lab = Lab::new().await;
    lab.sync_all().await;
    let desk = &mut lab.desks[1];
    desk.share("the port is 80").await;
    assert_eq!(desk.lines().await[0].tries, 0);
    // The charter, the members; the delivery never ends, and the daemon is killed.
    desk.far.plan([None, None, Some(Fault::Hang)]);
    assert!(unless_it_hangs(desk.push()).await.is_none());
    desk.far.calm();
    desk.restart().await;
    assert_eq!(desk.lines().await[0].tries, 1);
    assert_eq!(desk.push().await.unwrap().delivered, 1);
}

#[tokio::test]
async fn an_answer_that_got_lost_is_not_done_twice() {
    let mut lab = Lab::new().await;
    let fact = lab.desks[1].share("the port is 80").await;
    lab.sync_all().await;
    for (number, fault) in [Fault::LostAnswer, Fault::Doubled].into_iter().enumerate() {
        let desk = &mut lab.desks[2];
        let new = desk.correct(fact, &format!("the port is 8{number}")).await;
        // Every call up to the delivery goes well.
        let before = lab.server.operations().len();
        let mut lost = 0;
        for place in 0..12 {
            desk.far.calm();
            desk.far.plan((0..place).map(|_| None).chain([Some(fault)]));
            lost += usize::from(desk.push().await.is_err());
        }
        assert_eq!(lost > 0, fault == Fault::LostAnswer);
        desk.far.calm();
        desk.push().await.unwrap();
        assert_eq!(lab.server.operations().len(), before + 1);
        assert!(lab.server.memories().iter().any(|memory| memory.id == new));
        assert!(lab.desks[2].lines().await.is_empty());
    }
    lab.sync_all().await;
    lab.check_same().await;
}

#[tokio::test]
async fn a_push_or_a_pull_that_hangs_and_is_given_up_leaves_everything_whole() {
    let mut lab = Lab::new().await;
    lab.desks[1].share("the port is 80").await;
    for place in 0..8 {
        let desk = &mut lab.desks[1];
        desk.far.calm();
        desk.far.plan((0..place).map(|_| None).chain([Some(Fault::Hang)]));
        let hung =
            unless_it_hangs(desk.push()).await.is_none() || unless_it_hangs(desk.pull()).await.is_none();
        assert!(hung || place > 2, "something was to hang");
        desk.far.calm();
        desk.check_index().await;
    }
    lab.sync_all().await;
    lab.check_same().await;
    assert_eq!(lab.server.memories().len(), 1);
}
