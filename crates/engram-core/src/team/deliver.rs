//! What a line of the outbox comes to: on the server, and here until the server
//! has answered.
//!
//! Planned anew at every try, against what is seen then. Whether the server
//! lets it be done is the server's business; what is refused here is what it
//! would refuse, in words.

use super::conflict::{CannotRule, Corrected, corrected, plan_ruled, winner_of};
use super::view::{View, in_force, pair_of};
use super::{
    Act, Charter, Deed, Delivery, Intent, Member, Outgoing, Proposal, Reviewers, Role, Rulers, Sent,
};
use crate::change::{Actor, Cause, Write};
use crate::decision::{Closed, Pair, Review, Ruling};
use crate::id::{MemoryId, ReviewId};
use crate::kind::Scope;
use crate::memory::{Memory, Relation, RelationKind};
use crate::status::{Status, StatusChange};
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Why an intent cannot be done, now or ever.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Undeliverable {
    /// It is as it was wanted; there is nothing to refuse.
    #[error("it is done already")]
    Done,
    #[error("readers of a team share and change nothing")]
    Reader,
    #[error("only a maintainer of the team may do that")]
    NotAMaintainer,
    #[error("memory {0} is not the team's")]
    NotThere(MemoryId),
    #[error("memory {0} is somebody else's; it can be corrected, or a maintainer be asked")]
    NotYours(MemoryId),
    #[error("memory {0} was shared by somebody else")]
    Taken(MemoryId),
    #[error("memory {0} is the team's already, or was")]
    There(MemoryId),
    #[error("the team has no review {0}")]
    NoReview(ReviewId),
    #[error("the team has no proposal {0}")]
    NoProposal(MemoryId),
    #[error("this was decided already: {0}")]
    Decided(Ruling),
    #[error(transparent)]
    CannotRule(#[from] CannotRule),
}

/// What the server is to be asked for, seen from this view of it.
pub fn plan_delivery(
    outgoing: &Outgoing,
    me: &Member,
    charter: &Charter,
    view: &View,
) -> Result<Delivery, Undeliverable> {
    let at = outgoing.queued_at;
    let maintainer = me.role == Role::Maintainer;
    let act = |deed, reason: &str| Sent::Act(Box::new(Act { deed, reason: reason.to_owned() }));
    if me.role == Role::Reader {
        return Err(Undeliverable::Reader);
    }
    let writes = match &outgoing.intent {
        Intent::Share { memory } => {
            let other = view.memories.get(&memory.id);
            if other.is_some_and(|other| other.provenance.author != Some(me.id)) {
                return Err(Undeliverable::Taken(memory.id));
            }
            vec![brought(sent_by(memory, me), None, charter, at)]
        }
        Intent::Correct { of, base, memory } => {
            let new = sent_by(memory, me);
            let proposed = charter.review == Reviewers::Maintainer;
            // What is there came with this very operation, and the server knows.
            if proposed || view.memories.contains_key(&new.id) {
                vec![brought(new, Some((*of, *base)), charter, at)]
            } else {
                corrections(new, *of, *base, me, view, at)
            }
        }
        Intent::Withdraw { memory } => {
            let (known, is_proposed) = shared_or_proposed(*memory, view)?;
            if known.status == Status::Forgotten {
                return Err(Undeliverable::Done);
            }
            let own = known.provenance.author == Some(me.id);
            vec![match is_proposed {
                _ if !own && !maintainer => return Err(Undeliverable::NotYours(*memory)),
                true if own => Sent::TakeBack { proposal: *memory },
                true => act(Deed::Refuse { proposal: *memory }, "refused"),
                false => act(Deed::Withdraw { memory: *memory }, "withdrawn"),
            }]
        }
        Intent::Rule { review, ruling } => {
            if !maintainer && charter.rulers == Rulers::Maintainer {
                return Err(Undeliverable::NotAMaintainer);
            }
            vec![act(ruled(*review, *ruling, view)?, "decided in a review")]
        }
        Intent::Answer { proposal, approve } if maintainer => answered(*proposal, *approve, view, at)?,
        Intent::SetMember { member, role, active } if maintainer => {
            vec![Sent::Member { member: *member, role: *role, active: *active }]
        }
        Intent::Answer { .. } | Intent::SetMember { .. } => return Err(Undeliverable::NotAMaintainer),
        Intent::Sight { prints } => vec![Sent::Sight(prints.clone())],
    };
    Ok(Delivery { operation: outgoing.operation, author: me.id, at, writes })
}

/// What is to be withdrawn, and whether nobody has said yes to it so far.
fn shared_or_proposed(id: MemoryId, view: &View) -> Result<(&Memory, bool), Undeliverable> {
    let proposed = || view.proposals.iter().map(|proposal| &proposal.memory).find(|memory| memory.id == id);
    let shared = view.memories.get(&id).map(|memory| (memory, false));
    shared.or_else(|| Some((proposed()?, true))).ok_or(Undeliverable::NotThere(id))
}

/// As the server takes it from this member.
fn sent_by(memory: &Memory, me: &Member) -> Memory {
    let mut sent = memory.clone();
    sent.scope = Scope::Team;
    sent.provenance.author = Some(me.id);
    sent.revision = 0;
    sent
}

/// A new memory, or the proposal of one.
fn brought(memory: Memory, corrects: Option<(MemoryId, u32)>, charter: &Charter, at: Timestamp) -> Sent {
    match charter.review {
        Reviewers::Author => Sent::Insert(Box::new(memory)),
        Reviewers::Maintainer => Sent::Propose(Box::new(Proposal { memory, corrects, at })),
    }
}

fn corrections(new: Memory, of: MemoryId, base: u32, me: &Member, view: &View, at: Timestamp) -> Vec<Sent> {
    let id = new.id;
    let mut writes = vec![Sent::Insert(Box::new(new))];
    let tie = |kind, to| Sent::Relate(Relation::certain(id, kind, to, at));
    match corrected(of, base, Some(me.id), view) {
        Corrected::StandsAlone => {}
        Corrected::Challenges(other) => {
            writes.push(tie(RelationKind::Contradicts, other));
            writes.push(challenge(id, other, at));
        }
        Corrected::Replaces => {
            let Some(old) = view.memories.get(&of) else { return writes };
            let mut after = old.clone();
            after.status = Status::Superseded;
            after.status_change =
                StatusChange { at, reason: format!("corrected by {id}"), cause: Cause::Correct };
            after.validity.valid_until = Some(at.max(old.validity.valid_from));
            after.updated_at = at;
            after.revision = old.revision + 1;
            writes.push(Sent::Replace { before: old.revision, after: Box::new(after) });
            writes.push(tie(RelationKind::Supersedes, of));
        }
    }
    writes
}

fn challenge(newer: MemoryId, older: MemoryId, at: Timestamp) -> Sent {
    let reason = "corrected by somebody else, or from an older state".to_owned();
    let review = Review::open(Pair::Memories { newer, older }, reason.clone(), None, at);
    Sent::Act(Box::new(Act { deed: Deed::Challenge { review: Box::new(review) }, reason }))
}

fn ruled(review: ReviewId, ruling: Ruling, view: &View) -> Result<Deed, Undeliverable> {
    let known = view.reviews.get(&review).ok_or(Undeliverable::NoReview(review))?;
    match known.closed {
        Some(closed) if closed.ruling == ruling => return Err(Undeliverable::Done),
        Some(closed) => return Err(Undeliverable::Decided(closed.ruling)),
        None => {}
    }
    let winner = winner_of(known, ruling)?;
    let (newer, _) = pair_of(known).ok_or(CannotRule::Names)?;
    let component = view.component(newer);
    let memories: Vec<Memory> =
        component.memories.iter().filter_map(|id| view.memories.get(id)).cloned().collect();
    let stands = plan_ruled(&component.reviews, winner, &memories)?;
    let reviews = component.reviews.iter().map(|review| review.id).collect();
    Ok(Deed::Rule { reviews, ruling, stands })
}

/// What a maintainer says to a proposal. Nobody but its author could change
/// what it corrects, so it challenges that.
fn answered(
    proposal: MemoryId,
    approve: bool,
    view: &View,
    at: Timestamp,
) -> Result<Vec<Sent>, Undeliverable> {
    let Some(known) = view.proposals.iter().find(|known| known.memory.id == proposal) else {
        let there = view.memories.contains_key(&proposal);
        return Err(if there == approve { Undeliverable::Done } else { Undeliverable::NoProposal(proposal) });
    };
    let deed = if approve { Deed::Approve { proposal } } else { Deed::Refuse { proposal } };
    let reason = if approve { "approved" } else { "refused" }.to_owned();
    let mut writes = vec![Sent::Act(Box::new(Act { deed, reason }))];
    if let Some((of, base)) = known.corrects.filter(|_| approve)
        && let Corrected::Challenges(other) = corrected(of, base, None, view)
    {
        writes.push(challenge(proposal, other, at));
    }
    Ok(writes)
}

/// What a delivery will have done, shown here at once. The revisions stay the
/// server's, and so does the last word. What is withdrawn is out of sight; its
/// text goes when the server has let go of it.
pub fn plan_shown(delivery: &Delivery, local: &View) -> Vec<Write> {
    let at = delivery.at;
    let mut now: BTreeMap<MemoryId, Memory> = BTreeMap::new();
    let mut others = Vec::new();
    let known = |now: &BTreeMap<MemoryId, Memory>, id: &MemoryId| {
        now.get(id).or_else(|| local.memories.get(id)).cloned()
    };
    let put = |now: &mut BTreeMap<MemoryId, Memory>, id: MemoryId, status: Status, reason: &str, cause| {
        if let Some(mut memory) = known(now, &id) {
            memory.status = status;
            memory.status_change = StatusChange { at, reason: reason.to_owned(), cause };
            now.insert(id, memory);
        }
    };
    for sent in &delivery.writes {
        match sent {
            Sent::Insert(memory) if local.memories.contains_key(&memory.id) => {}
            Sent::Insert(memory) => drop(now.insert(memory.id, Memory::clone(memory))),
            Sent::Replace { before, after } => {
                let mut after = Memory::clone(after);
                after.revision = *before;
                now.insert(after.id, after);
            }
            Sent::Relate(relation) => {
                let joins = |edge: &Relation| (edge.from, edge.kind, edge.to);
                if !local.relations.iter().any(|edge| joins(edge) == joins(relation)) {
                    others.push(Write::Relate { relation: relation.clone() });
                }
            }
            Sent::Act(act) => match &act.deed {
                Deed::Challenge { review } => {
                    let pair = pair_of(review).map_or(Vec::new(), |(newer, older)| vec![newer, older]);
                    for id in pair {
                        if known(&now, &id).is_some_and(|memory| in_force(memory.status)) {
                            put(&mut now, id, Status::Challenged, &act.reason, Cause::Review);
                        }
                    }
                }
                // What the server says in the end may be another step: it has a reason of
                // its own.
                Deed::Rule { reviews, ruling, stands } => {
                    for stand in stands {
                        put(&mut now, stand.memory, stand.status, "being decided", Cause::Review);
                    }
                    let closed = Some(Closed { ruling: *ruling, actor: Actor::Human, at });
                    for before in reviews.iter().filter_map(|id| local.reviews.get(id)) {
                        let after = Box::new(Review { closed, ..before.clone() });
                        others.push(Write::Review { before: Some(Box::new(before.clone())), after });
                    }
                }
                Deed::Withdraw { memory } => {
                    put(&mut now, *memory, Status::Archived, "being withdrawn", Cause::Withdraw);
                }
                Deed::Approve { .. } | Deed::Refuse { .. } => {}
            },
            Sent::Propose(_) | Sent::TakeBack { .. } | Sent::Sight(_) | Sent::Member { .. } => {}
        }
    }
    let shown = now.into_values().map(|after| match local.memories.get(&after.id) {
        Some(before) => Write::Replace { before: Box::new(before.clone()), after: Box::new(after) },
        None => Write::Create { memory: Box::new(after) },
    });
    shown.chain(others).collect()
}
