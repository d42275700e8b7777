//! The laws of a team, on a server that is a view.

use super::*;
use crate::change::{Actor, Changes, Write};
use crate::decision::{Closed, Pair};
use crate::id::{IdMint, OperationId};
use crate::kind::{Kind, Scope};
use crate::memory::{DataSource, Provenance, RelationKind};
use crate::plan::{Draft, Occasion, plan_remember};
use crate::status::StatusChange;
use crate::unit::Utility;
use proptest::prelude::*;
use std::collections::BTreeSet;
use ulid::Ulid;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_000_000 + second).unwrap()
}

fn id(number: u128) -> MemoryId {
    MemoryId::from_ulid(Ulid(number))
}

fn member(number: u128) -> MemberId {
    MemberId::from_ulid(Ulid(number))
}

fn seat(number: u128, role: Role) -> Member {
    Member { id: member(number), handle: format!("m{number}"), role, active: true, since: at(0) }
}

fn charter() -> Charter {
    Charter {
        name: "lab".parse().unwrap(),
        review: Reviewers::Author,
        rulers: Rulers::Maintainer,
        pepper: "pepper".to_owned(),
        search: false,
    }
}

fn memory(number: u128, by: u128, text: &str) -> Memory {
    let operation = OperationId::from_ulid(Ulid(number));
    let occasion = Occasion { operation, actor: Actor::Human, at: at(0), recorded_at: at(0) };
    let draft = Draft::parse(text, 1_000).unwrap();
    let birth = plan_remember(draft, Scope::Project, Provenance::stated_by(Actor::Human), occasion);
    match &birth.writes[0] {
        Write::Create { memory } => as_shared(memory, member(by), None, at(0)),
        other => panic!("not a birth: {other:?}"),
    }
}

fn standing(number: u128, by: u128, status: Status, revision: u32) -> Memory {
    Memory { status, revision, ..memory(number, by, "the port is 80") }
}

fn pair(newer: u128, older: u128, closed: Option<Ruling>) -> Review {
    let pair = Pair::Memories { newer: id(newer), older: id(older) };
    let closed = closed.map(|ruling| Closed { ruling, actor: Actor::Human, at: at(9) });
    Review { closed, ..Review::open(pair, "why".to_owned(), None, at(1)) }
}

fn view(memories: Vec<Memory>, reviews: Vec<Review>, edges: &[(u128, u128)]) -> View {
    let tie =
        |(from, to): &(u128, u128)| Relation::certain(id(*from), RelationKind::Supersedes, id(*to), at(1));
    View {
        relations: edges.iter().map(tie).collect(),
        reviews: reviews.into_iter().map(|review| (review.id, review)).collect(),
        ..View::of(memories)
    }
}

fn correction(operation: u128, of: u128, base: u32, new: Memory) -> Outgoing {
    let intent = Intent::Correct { of: id(of), base, memory: Box::new(new) };
    line(operation, intent)
}

fn line(operation: u128, intent: Intent) -> Outgoing {
    let operation = OperationId::from_ulid(Ulid(operation));
    Outgoing { operation, intent, queued_at: at(5), tries: 0, problem: None, refused_at: None }
}

/// What a delivery asks for, in short.
fn told(delivery: &Delivery) -> String {
    let short = |id: &MemoryId| id.ulid().0.to_string();
    let parts = delivery.writes.iter().map(|sent| match sent {
        Sent::Insert(memory) => format!("insert {}", short(&memory.id)),
        Sent::Replace { before, after } => format!("{} at {before} {}", short(&after.id), after.status),
        Sent::Relate(edge) => format!("{} {} {}", short(&edge.from), edge.kind, short(&edge.to)),
        Sent::Propose(proposal) => format!("propose {} {:?}", short(&proposal.memory.id), proposal.corrects),
        Sent::TakeBack { proposal } => format!("take back {}", short(proposal)),
        Sent::Sight(prints) => format!("sight {}", prints.len()),
        Sent::Member { role, active, .. } => format!("member {role} {active}"),
        Sent::Act(act) => match &act.deed {
            Deed::Challenge { review } => match review.pair {
                Pair::Memories { newer, older } => format!("challenge {} {}", short(&newer), short(&older)),
                other => panic!("{other:?}"),
            },
            Deed::Rule { reviews, ruling, stands } => {
                let stands = stands.iter().map(|stand| format!(" {} {}", short(&stand.memory), stand.status));
                format!("rule {ruling} over {}:{}", reviews.len(), stands.collect::<String>())
            }
            Deed::Withdraw { memory } => format!("withdraw {}", short(memory)),
            Deed::Approve { proposal } => format!("approve {}", short(proposal)),
            Deed::Refuse { proposal } => format!("refuse {}", short(proposal)),
        },
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The table of the conflict law: 1 is corrected by member 7 with memory 5, from
/// revision 2.
#[test]
fn what_a_correction_comes_to() {
    use Status::{Active, Challenged, Forgotten, Invalidated, Superseded};
    let check = |view: View, expected: &str| {
        let outgoing = correction(50, 1, 2, memory(5, 7, "the port is 81"));
        let plan = plan_delivery(&outgoing, &seat(7, Role::Member), &charter(), &view).unwrap();
        assert_eq!(told(&plan), expected);
    };
    let one = |by, status, revision| view(vec![standing(1, by, status, revision)], vec![], &[]);
    check(one(7, Active, 2), "insert 5, 1 at 2 superseded, 5 supersedes 1");
    check(one(8, Active, 2), "insert 5, 5 contradicts 1, challenge 5 1");
    check(one(7, Active, 3), "insert 5, 5 contradicts 1, challenge 5 1");
    check(one(7, Forgotten, 3), "insert 5");
    check(View::default(), "insert 5");
    check(one(8, Superseded, 3), "insert 5");
    let chain = vec![standing(1, 8, Superseded, 3), standing(2, 8, Superseded, 1), standing(3, 8, Active, 0)];
    check(view(chain, vec![], &[(2, 1), (3, 2)]), "insert 5, 5 contradicts 3, challenge 5 3");
    let doubted = vec![standing(1, 7, Challenged, 3), standing(2, 8, Challenged, 1)];
    let open = pair(2, 1, None);
    check(view(doubted.clone(), vec![open.clone()], &[]), "insert 5, 5 contradicts 2, challenge 5 2");
    // The last of a chain, whatever its name.
    let mut longer = doubted;
    longer.push(standing(0, 9, Challenged, 1));
    check(view(longer, vec![open, pair(0, 2, None)], &[]), "insert 5, 5 contradicts 0, challenge 5 0");
    // What lost in a review leads to what won.
    let lost = vec![standing(1, 8, Invalidated, 3), standing(2, 9, Active, 2)];
    check(view(lost, vec![pair(2, 1, Some(Ruling::Newer))], &[]), "insert 5, 5 contradicts 2, challenge 5 2");
    // It came with this operation, and the server knows.
    let there = vec![standing(1, 7, Superseded, 3), memory(5, 7, "the port is 81")];
    check(view(there, vec![], &[(5, 1)]), "insert 5");
}

#[test]
fn a_ruling_decides_for_everything_that_open_reviews_connect() {
    use Status::{Challenged, Forgotten};
    let rows = vec![
        standing(1, 7, Challenged, 1),
        standing(2, 8, Challenged, 1),
        standing(3, 9, Challenged, 4),
        standing(4, 9, Forgotten, 2),
        standing(6, 9, Challenged, 2),
    ];
    let reviews = vec![pair(2, 1, None), pair(3, 2, None), pair(4, 3, None), pair(6, 1, Some(Ruling::Both))];
    let seen = view(rows, reviews, &[]);
    let rule = |newer, older, ruling| {
        let review = pair(newer, older, None).id;
        let outgoing = line(60, Intent::Rule { review, ruling });
        plan_delivery(&outgoing, &seat(7, Role::Maintainer), &charter(), &seen).map(|plan| told(&plan))
    };
    assert_eq!(rule(3, 2, Ruling::Newer).unwrap(), "rule newer over 3: 1 superseded 2 superseded 3 active");
    assert_eq!(rule(3, 2, Ruling::Older).unwrap(), "rule older over 3: 1 superseded 2 active 3 invalidated");
    assert_eq!(rule(2, 1, Ruling::Older).unwrap(), "rule older over 3: 1 active 2 invalidated 3 invalidated");
    assert_eq!(rule(2, 1, Ruling::Both).unwrap(), "rule both over 3: 1 active 2 active 3 active");
    assert_eq!(rule(4, 3, Ruling::Newer), Err(CannotRule::Gone(id(4)).into()));
    assert_eq!(rule(3, 2, Ruling::Merge), Err(CannotRule::Merge.into()));
    assert_eq!(rule(6, 1, Ruling::Both), Err(Undeliverable::Done));
    assert_eq!(rule(6, 1, Ruling::Newer), Err(Undeliverable::Decided(Ruling::Both)));
    assert_eq!(rule(9, 8, Ruling::Both), Err(Undeliverable::NoReview(pair(9, 8, None).id)));
}

#[test]
fn who_may_not_is_told_so_before_the_server_is_asked() {
    let seen = view(vec![standing(1, 8, Status::Active, 2)], vec![], &[]);
    let plan = |intent, role| {
        let plan = plan_delivery(&line(60, intent), &seat(7, role), &charter(), &seen);
        plan.map(|plan| told(&plan)).map_err(|problem| problem.to_string())
    };
    let share = |number| Intent::Share { memory: Box::new(memory(number, 7, "the port is 80")) };
    let error = |text: String| Err::<String, String>(text);
    assert_eq!(plan(share(3), Role::Reader), error(Undeliverable::Reader.to_string()));
    assert_eq!(plan(share(1), Role::Member), error(Undeliverable::Taken(id(1)).to_string()));
    assert_eq!(plan(share(3), Role::Member).unwrap(), "insert 3");
    let withdraw = |number| Intent::Withdraw { memory: id(number) };
    assert_eq!(plan(withdraw(1), Role::Member), error(Undeliverable::NotYours(id(1)).to_string()));
    assert_eq!(plan(withdraw(2), Role::Member), error(Undeliverable::NotThere(id(2)).to_string()));
    assert_eq!(plan(withdraw(1), Role::Maintainer).unwrap(), "withdraw 1");
    let rule = || Intent::Rule { review: pair(2, 1, None).id, ruling: Ruling::Both };
    assert_eq!(plan(rule(), Role::Member), error(Undeliverable::NotAMaintainer.to_string()));
    let answer = || Intent::Answer { proposal: id(1), approve: false };
    assert_eq!(plan(answer(), Role::Member), error(Undeliverable::NotAMaintainer.to_string()));
    assert_eq!(plan(answer(), Role::Maintainer), error(Undeliverable::NoProposal(id(1)).to_string()));
    let set = || Intent::SetMember { member: member(8), role: Role::Reader, active: false };
    assert_eq!(plan(set(), Role::Member), error(Undeliverable::NotAMaintainer.to_string()));
    assert_eq!(plan(set(), Role::Maintainer).unwrap(), "member reader false");
}

#[test]
fn where_maintainers_review_a_correction_is_proposed_and_challenges_when_it_is_approved() {
    let reviewed = Charter { review: Reviewers::Maintainer, ..charter() };
    // Even the author's own: nobody else can change that row for them.
    let mut seen = view(vec![standing(1, 7, Status::Active, 2)], vec![], &[]);
    let outgoing = correction(50, 1, 2, memory(5, 7, "the port is 81"));
    let plan = plan_delivery(&outgoing, &seat(7, Role::Member), &reviewed, &seen).unwrap();
    let [Sent::Propose(proposal)] = &plan.writes[..] else { panic!("{plan:?}") };
    assert_eq!(proposal.corrects, Some((id(1), 2)));
    assert_eq!(plan_shown(&plan, &seen), [], "a proposal is not shared");
    seen.proposals.push(Proposal::clone(proposal));
    let answer = |approve| {
        let outgoing = line(61, Intent::Answer { proposal: id(5), approve });
        told(&plan_delivery(&outgoing, &seat(9, Role::Maintainer), &reviewed, &seen).unwrap())
    };
    assert_eq!(answer(true), "approve 5, challenge 5 1");
    assert_eq!(answer(false), "refuse 5");
    // Its author takes it back; to a maintainer, withdrawing it is refusing it.
    let withdraw = |number, role| {
        let plan = plan_delivery(
            &line(62, Intent::Withdraw { memory: id(5) }),
            &seat(number, role),
            &reviewed,
            &seen,
        );
        plan.map(|plan| {
            assert_eq!(plan_shown(&plan, &seen), [], "nothing of it was shown");
            told(&plan)
        })
    };
    assert_eq!(withdraw(7, Role::Member).unwrap(), "take back 5");
    assert_eq!(withdraw(9, Role::Maintainer).unwrap(), "refuse 5");
    assert_eq!(withdraw(9, Role::Member), Err(Undeliverable::NotYours(id(5))));
}

/// What the server does with a delivery, as far as these tests need it. None:
/// something changed in the meantime.
fn served(server: &View, delivery: &Delivery) -> Option<View> {
    let mut after = server.clone();
    let put = |after: &mut View, id: MemoryId, status| {
        let memory = after.memories.get_mut(&id)?;
        memory.status = status;
        memory.revision += 1;
        Some(())
    };
    for sent in &delivery.writes {
        match sent {
            Sent::Insert(memory) => drop(after.memories.insert(memory.id, Memory::clone(memory))),
            Sent::Replace { before, after: row } => {
                let old = after.memories.get(&row.id).filter(|old| old.revision == *before)?;
                assert!(old.status != Status::Challenged);
                after.memories.insert(row.id, Memory::clone(row));
            }
            Sent::Relate(edge) => after.relations.push(edge.clone()),
            Sent::Act(act) => match &act.deed {
                Deed::Challenge { review } => {
                    let Pair::Memories { newer, older } = review.pair else { panic!("{review:?}") };
                    for id in [newer, older] {
                        after.memories.get(&id).filter(|memory| memory.status.is_current())?;
                        put(&mut after, id, Status::Challenged)?;
                    }
                    assert!(after.reviews.insert(review.id, Review::clone(review)).is_none());
                }
                Deed::Rule { reviews, ruling, stands } => {
                    for stand in stands {
                        let now = after.memories.get(&stand.memory)?;
                        if now.revision != stand.revision {
                            return None;
                        }
                        put(&mut after, stand.memory, stand.status)?;
                    }
                    for review in after.reviews.values_mut().filter(|one| reviews.contains(&one.id)) {
                        review.closed =
                            Some(Closed { ruling: *ruling, actor: Actor::Human, at: delivery.at });
                    }
                }
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }
    Some(after)
}

/// Plans from an older view first, and from the newest where that was too old.
fn deliver(states: &mut Vec<View>, outgoing: &Outgoing, me: &Member, behind: usize) {
    let newest = states.len() - 1;
    let seen = &states[newest - behind.min(newest)];
    let first = plan_delivery(outgoing, me, &charter(), seen).ok();
    let done = first.and_then(|plan| served(&states[newest], &plan)).or_else(|| {
        let plan = plan_delivery(outgoing, me, &charter(), &states[newest]).unwrap();
        served(&states[newest], &plan)
    });
    states.push(done.unwrap());
}

proptest! {
    /// However many people correct one fact, in whatever order and from however
    /// old a view: every text is kept, all that stand are one component, and one
    /// ruling leaves nothing undecided.
    #[test]
    fn many_corrections_are_one_question_and_one_ruling_answers_it(
        corrections in prop::collection::vec((1u128..4, 0usize..4), 2..6),
        asked in any::<prop::sample::Index>(),
        ruling in prop::sample::select(vec![Ruling::Newer, Ruling::Older, Ruling::Both]),
        behind in 0usize..3,
    ) {
        let fact = memory(100, 1, "the port is 80");
        let mut states = vec![View::of([fact.clone()])];
        for (number, (by, behind)) in corrections.iter().enumerate() {
            // Names do not follow the order in which things happen.
            let name = 50 + (number as u128 * 37) % 101;
            let new = memory(name, *by, "the port is another");
            let outgoing = correction(1_000 + number as u128, 100, 0, new);
            deliver(&mut states, &outgoing, &seat(*by, Role::Member), *behind);
        }
        let end = states.last().unwrap().clone();
        prop_assert_eq!(end.memories.len(), corrections.len() + 1);
        let stands: BTreeSet<MemoryId> =
            end.memories.values().filter(|one| one.status.is_current()).map(|one| one.id).collect();
        let first = *stands.first().unwrap();
        let component = end.component(first);
        prop_assert!(stands.is_subset(&component.memories), "{stands:?} {:?}", component.memories);
        prop_assert!(end.memories.values().all(|one| one.id == fact.id || one.status == Status::Challenged));
        let review = component.reviews[asked.index(component.reviews.len())].id;
        let outgoing = line(2_000, Intent::Rule { review, ruling });
        deliver(&mut states, &outgoing, &seat(9, Role::Maintainer), behind);
        let end = states.last().unwrap();
        prop_assert!(end.reviews.values().all(|review| review.closed.is_some()));
        prop_assert!(end.memories.values().all(|one| one.status != Status::Challenged));
        let active = end.memories.values().filter(|one| one.status.is_current()).count();
        prop_assert_eq!(active, if ruling == Ruling::Both { stands.len() } else { 1 });
    }
}

#[test]
fn what_is_shared_is_the_servers_and_the_traces_of_use_are_ones_own() {
    let mut far = memory(1, 8, "the port is 80");
    let first = received(None, far.clone(), member(7));
    assert_eq!(first.provenance.data_source, DataSource::Federation);
    assert_eq!(received(None, far.clone(), member(8)).provenance.data_source, DataSource::UserMessage);
    let mut local = first;
    local.trace.access_count = 4;
    local.utility = Utility::clamped(0.9);
    local.status = Status::Active;
    local.status_change = StatusChange { at: at(3), reason: "first use".to_owned(), cause: Cause::Use };
    assert_eq!(received(Some(&local), far.clone(), member(7)), local, "nothing changed there");
    // What was shown ahead of the server's answer gives way to it.
    let mut shown = local.clone();
    (shown.status, shown.status_change.cause) = (Status::Challenged, Cause::Review);
    assert_eq!(received(Some(&shown), far.clone(), member(7)).status, Status::Created);
    (far.status, far.revision) = (Status::Challenged, 1);
    let after = received(Some(&local), far, member(7));
    assert_eq!((after.status, after.revision), (Status::Challenged, 1));
    assert_eq!((after.trace.access_count, after.utility), (4, local.utility));
}

fn taken(local: &View, far: Fetched, queued: &[u128], position: Option<Position>) -> Received {
    let knows = |id: MemoryId| local.memories.contains_key(&id);
    let operation = OperationId::of_sync(at(9), "heard", 0);
    let queued = queued.iter().map(|number| id(*number)).collect();
    let taking = Taking { me: member(7), queued, knows: &knows, position, operation, at: at(9) };
    plan_received(local, far, &taking)
}

fn kinds(changes: &Changes) -> Vec<String> {
    let kind = |write: &Write| serde_json::to_value(write).unwrap()["write"].as_str().unwrap().to_owned();
    changes.writes.iter().map(kind).collect()
}

#[test]
fn what_is_told_is_taken_in_and_what_is_gone_goes() {
    let mine = |memory: Memory| received(None, memory, member(7));
    let local = View {
        relations: vec![
            Relation::certain(id(1), RelationKind::Contradicts, id(2), at(1)),
            Relation::certain(id(1), RelationKind::SimilarTo, id(2), at(1)),
        ],
        ..View::of([mine(memory(1, 8, "one")), mine(memory(2, 8, "two")), mine(memory(3, 7, "three"))])
    };
    let changed = Memory { revision: 1, ..memory(1, 8, "one") };
    let ids = |numbers: &[u128]| numbers.iter().map(|number| id(*number)).collect::<BTreeSet<_>>();
    let far = Fetched {
        asked: ids(&[1, 2, 3, 4, 5]),
        memories: vec![changed, memory(4, 8, "four")],
        tied: ids(&[1, 4]),
        relations: vec![
            Relation::certain(id(4), RelationKind::Contradicts, id(1), at(2)),
            Relation::certain(id(4), RelationKind::Contradicts, id(2), at(2)),
        ],
        reviews: vec![pair(4, 1, None)],
    };
    let received = taken(&local, far, &[3, 5], Some(Position(17)));
    assert_eq!(received.purge, None);
    // 3 is on its way there; the edge to 2 has nowhere to go; one's own stays.
    let expected = ["replace", "create", "remove", "relate", "unrelate", "review", "heard"];
    assert_eq!(kinds(&received.rest), expected);
    assert_eq!(received.rest.cause, Cause::Sync);
    assert!(matches!(&received.rest.writes[2], Write::Remove { memory } if memory.id == id(2)));
    assert!(received.rest.log_entry().inverse.is_empty());
    // Told again, nothing is left to do but to have heard it.
    let same = Fetched {
        asked: ids(&[3]),
        memories: vec![memory(3, 7, "three")],
        tied: ids(&[3]),
        ..Fetched::default()
    };
    assert_eq!(kinds(&taken(&local, same, &[], Some(Position(18))).rest), ["heard"]);
}

#[test]
fn a_withdrawn_text_is_purged_here() {
    let local = View::of([received(None, memory(1, 8, "one"), member(7))]);
    let mut empty = Memory { status: Status::Forgotten, revision: 1, ..memory(1, 8, "one") };
    empty.clear_text();
    let asked = BTreeSet::from([id(1)]);
    let far = Fetched { asked, memories: vec![empty.clone()], ..Fetched::default() };
    let gone = taken(&local, far.clone(), &[], Some(Position(3)));
    let purge = gone.purge.unwrap();
    assert_eq!((purge.cause, kinds(&purge)), (Cause::Purge, vec!["replace".to_owned()]));
    assert_eq!(kinds(&gone.rest), ["heard"]);
    // What was never here is here as what it is now.
    let unknown = taken(&View::default(), far, &[], None);
    assert_eq!((unknown.purge, kinds(&unknown.rest)), (None, vec!["create".to_owned()]));
}

#[test]
fn what_is_queued_is_shown_with_the_servers_revisions() {
    let local = view(vec![standing(1, 8, Status::Active, 2)], vec![], &[]);
    let shown = |by| {
        let outgoing = correction(50, 1, 2, memory(5, by, "the port is 81"));
        let plan = plan_delivery(&outgoing, &seat(by, Role::Member), &charter(), &local).unwrap();
        plan_shown(&plan, &local)
    };
    for (by, old, new) in
        [(7, Status::Challenged, Status::Challenged), (8, Status::Superseded, Status::Created)]
    {
        let writes = shown(by);
        let [Write::Replace { after, .. }, Write::Create { memory }, Write::Relate { .. }] = &writes[..]
        else {
            panic!("{writes:?}")
        };
        assert_eq!((after.status, after.revision), (old, 2));
        assert_eq!((memory.status, memory.revision), (new, 0));
    }
    let outgoing = line(60, Intent::Withdraw { memory: id(1) });
    let plan = plan_delivery(&outgoing, &seat(8, Role::Member), &charter(), &local).unwrap();
    let writes = plan_shown(&plan, &local);
    let [Write::Replace { before, after }] = &writes[..] else { panic!("{writes:?}") };
    assert_eq!((after.status, after.revision, &after.content), (Status::Archived, 2, &before.content));
}

#[test]
fn what_was_said_to_the_team_has_no_inverse() {
    let mut mint = IdMint::seeded(3);
    let operation = OperationId::from_ulid(mint.mint(at(1)));
    let new = memory(5, 7, "the port is 81");
    let outgoing = line(1, Intent::Share { memory: Box::new(new.clone()) });
    let writes = vec![
        Write::Queue { outgoing: Box::new(outgoing.clone()) },
        Write::Create { memory: Box::new(new.clone()) },
    ];
    let cause = outgoing.intent.cause();
    let changes =
        Changes { operation, cause, actor: Actor::Human, at: at(1), undoes: None, part_of: None, writes };
    assert!(changes.is_logged() && changes.log_entry().inverse.is_empty());
    assert_eq!(outgoing.awaited(), Some(new.id));
    assert_eq!(Outgoing { refused_at: Some(at(2)), ..outgoing }.awaited(), None);
}

#[test]
fn several_steps_between_two_looks_are_one_step_with_a_time_of_its_own() {
    let here = memory(1, 7, "the port is 80");
    let told = Memory { status: Status::Archived, revision: here.revision + 2, ..here.clone() };
    assert_eq!(told.status_change, here.status_change, "what came between is not known here");
    let fetched = Fetched { asked: [here.id].into(), memories: vec![told.clone()], ..Fetched::default() };
    let operation = OperationId::from_ulid(IdMint::seeded(3).mint(at(9)));
    let knows = |_| true;
    let taking = Taking {
        me: member(8),
        queued: Default::default(),
        knows: &knows,
        position: None,
        operation,
        at: at(9),
    };
    let received = plan_received(&View::of([here]), fetched, &taking);
    let [Write::Replace { after, .. }] = &received.rest.writes[..] else { panic!("{received:?}") };
    assert_eq!((after.status, after.status_change.at), (Status::Archived, at(9)));
    assert_eq!(after.status_change.reason, told.status_change.reason);
}

#[test]
fn what_is_somebodys_own_is_not_shared() {
    let plain = Memory { scope: Scope::Project, ..memory(1, 7, "the deploy needs the VPN") };
    let check = |memory: Memory| may_be_offered(&memory, SharingRule::Offer);
    assert_eq!(check(plain.clone()), Ok(()));
    assert_eq!(may_be_offered(&plain, SharingRule::Off), Err(NotShared::Off));
    for kind in Kind::ALL {
        use Kind::{
            Architecture, Convention, Correction, Decision, Entity, ErrorFix, Fact, Pattern, Procedure,
        };
        let shared =
            [Architecture, Convention, Correction, Decision, Entity, ErrorFix, Fact, Pattern, Procedure];
        let expected = if shared.contains(kind) { Ok(()) } else { Err(NotShared::Kind(*kind)) };
        assert_eq!(check(Memory { kind: *kind, ..plain.clone() }), expected);
    }
    for tag in ["private", "Secret"] {
        let tagged = Memory { tags: [tag.to_owned()].into(), ..plain.clone() };
        assert_eq!(check(tagged), Err(NotShared::Tagged(tag.to_owned())));
    }
    let says = |content: &str| check(Memory { content: content.to_owned(), ..plain.clone() });
    assert_eq!(says("The key is [secret: token]."), Err(NotShared::Masked));
    assert_eq!(says("Ask [personal: email] for it."), Err(NotShared::Masked));
    assert_eq!(says("I deploy from my laptop."), Err(NotShared::OfSelf));
    assert_eq!(says("Bunu benim makinede denedik."), Err(NotShared::OfSelf));
    assert_eq!(says("The MY_HOME variable is set."), Err(NotShared::OfSelf), "rather once too often");
    let doubted = Memory { status: Status::Challenged, ..plain };
    assert_eq!(check(doubted), Err(NotShared::NotInForce(Status::Challenged)));
}

#[test]
fn a_print_is_the_same_for_the_same_claim_and_another_with_another_pepper() {
    let print = |text: &str, pepper: &str| print_of(&memory(1, 7, text), pepper);
    let one = print("The deploy needs the VPN.", "a");
    assert_eq!(print("the deploy needs a vpn", "a"), one);
    assert_ne!(print("the deploy needs no vpn", "a"), one);
    assert_ne!(print("The deploy needs the VPN.", "b"), one);
    assert!(one.0.len() == 64 && !one.0.contains("vpn"));
}

#[test]
fn what_the_team_gave_up_hides_ones_own_copy_and_what_it_was_told_to_forget_does_not() {
    let hidden: Vec<&str> =
        Status::ALL.iter().filter(|status| hidden_by_wider(**status)).map(|status| status.as_str()).collect();
    assert_eq!(hidden, ["superseded", "merged", "invalidated"]);
}

#[test]
fn a_replica_that_holds_too_many_lets_go_of_what_was_longest_untouched() {
    let held =
        |number: u128, second: i64, stays: bool| Held { id: id(number), stays, touched_at: at(second) };
    let all: Vec<Held> = (0..22).map(|number| held(number, number as i64, number < 2)).collect();
    let gone = |most| too_many(all.clone(), most).iter().map(|id| id.ulid().0).collect::<Vec<_>>();
    assert!(gone(22).is_empty() && gone(20).is_empty(), "a tenth more is borne");
    assert_eq!(gone(19), [2, 3, 4]);
    assert_eq!(gone(0).len(), 20, "what is to stay stays");
}

#[test]
fn a_replica_reads_anew_when_it_may_hold_more_than_it_did() {
    assert!(!wants_more(None, None) && !wants_more(None, Some(5)));
    assert!(wants_more(Some(5), None) && wants_more(Some(5), Some(6)));
    assert!(!wants_more(Some(5), Some(5)) && !wants_more(Some(5), Some(4)));
}
