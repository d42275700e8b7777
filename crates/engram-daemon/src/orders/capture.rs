//! Orders about what happened: hearing it, telling why, and deciding about
//! pairs.

use super::{REASSURING, Speaker, find, occasion};
use crate::authorising::Authorities;
use crate::house::OpenStore;
use crate::serve::Daemon;
use crate::trouble;
use engram_core::decision::{Pair, Review, Ruling};
use engram_core::law::kept_at_least;
use engram_core::plan::{CannotDecide, close, plan_review};
use engram_core::turn::{Turn, id_of};
use engram_core::{MemoryId, OperationId, Scope, SessionId, TurnId};
use engram_engine::{GuardedEvent, guarded};
use engram_wire::message::Observe;
use engram_wire::reply::{Changed, Observed, ReviewLine, Reviews, Side, WhyReply};
use engram_wire::{Context, Fault};
use std::collections::BTreeMap;
use std::sync::Arc;

/// So many events are heard and read together.
const TOGETHER: usize = 64;

pub(super) async fn observe(
    daemon: &Daemon,
    context: &Context,
    order: Observe,
    speaker: &Speaker,
) -> Result<Observed, Fault> {
    let house = &daemon.house;
    let place = house.place(context)?;
    let settings = house.settings_for(context, place.as_ref())?;
    let mut reply = Observed { dry_run: order.dry_run, ..Observed::default() };
    let authorities = Authorities::of(&settings);
    // By session, in the order in which they came.
    let mut by_session: Vec<(Option<SessionId>, Vec<GuardedEvent>)> = Vec::new();
    let total = order.events.len();
    for mut event in order.events {
        // Nothing has happened in the future, whatever a clock says.
        event.time = event.time.or(context.said_at).map(|time| time.min(crate::clock::now()));
        if !order.import {
            event.session = event.session.or_else(|| context.session.map(|id| id.to_string()));
        }
        let guarded = guarded(event);
        for mask in &guarded.masked {
            *reply.masked.entry(mask.rule.to_owned()).or_default() += mask.count;
        }
        house.note_masked(&guarded.event);
        let session = guarded.event.session.as_deref().map(SessionId::named);
        match by_session.iter_mut().find(|(known, _)| *known == session) {
            Some((_, events)) => events.push(guarded),
            None => by_session.push((session, vec![guarded])),
        }
    }
    // What waited in the spool was said over a longer time.
    let limited = !order.import && context.said_at.is_none();
    let most = settings.number("capture.per_minute");
    let mut refused = 0;
    let mut done = 0;
    for (session, mut events) in by_session {
        let destination =
            house.destination(context, place.as_ref(), session, order.scope, order.dry_run).await?;
        let treatment = settings.treatment(destination.store.scope());
        events = house.heard_treated(context, events, treatment, &mut reply);
        let agent = house.agent_behind(context, session, &authorities);
        for guarded in events.iter_mut().filter(|_| agent.is_some()) {
            guarded.event.agent.clone_from(&agent);
        }
        while !events.is_empty() {
            let rest = events.split_off(events.len().min(TOGETHER));
            let some = std::mem::replace(&mut events, rest);
            done += some.len();
            let reading = |_| ("reading", done as u64, Some(total as u64));
            let barred = some.iter().filter(|guarded| authorities.bars(&guarded.event));
            if order.dry_run {
                reply.barred += barred.count();
                let beside = destination.beside.as_ref().map(|store| &*store.shelf);
                let shelf = &destination.store.shelf;
                let previewed = shelf.preview(some, &destination.reader, beside, crate::clock::now());
                let decided = speaker.reassuring(REASSURING, reading, previewed).await;
                reply.decisions.extend(decided.map_err(trouble::change)?);
            } else {
                let at = crate::clock::now();
                let barred: Vec<TurnId> =
                    barred.map(|it| id_of(&it.event, it.event.time.unwrap_or(at))).collect();
                let awaited = order.wait.then(|| house.listening.awaiting(&some, at));
                let hearing = async {
                    let limit = limited.then_some(most);
                    let heard = house.hear(&destination, session, some, limit, at).await?;
                    if order.wait {
                        house.read_out(&destination).await?;
                    }
                    Ok::<_, Fault>(heard)
                };
                let heard = speaker.reassuring(REASSURING, reading, hearing).await?;
                refused += heard.left_out;
                let barred = barred.iter().filter(|turn| heard.new.contains(turn)).count();
                house.note_barred(context, barred);
                reply.barred += barred;
                reply.heard += heard.new.len();
                reply.known += heard.known;
                reply.decisions.extend(awaited.map(|awaited| awaited.decisions()).unwrap_or_default());
            }
            if total > TOGETHER {
                speaker.progress("reading", done as u64, Some(total as u64)).await;
            }
        }
    }
    if !order.gone.is_empty() {
        let destination =
            house.destination(context, place.as_ref(), None, order.scope, order.dry_run).await?;
        let gone = order.gone.into_iter().collect();
        let ended = destination.store.shelf.end_with(&gone, order.dry_run, crate::clock::now()).await;
        reply.ended = ended.map_err(trouble::change)?;
    }
    match refused {
        0 => Ok(reply),
        refused => Err(Fault::refused(format!(
            "{refused} of {total} events not kept: more than {most} in a minute from one session"
        ))
        .hint("the others were kept; send it again later, and they are not kept twice")
        .hint("`engram config set capture.per_minute N` allows more")
        .hint("what is read from files is not counted: `engram import`")),
    }
}

pub(super) async fn why(daemon: &Daemon, context: &Context, name: &str) -> Result<WhyReply, Fault> {
    let visible = daemon.house.visible(context).await?;
    let (store, id) = find(&visible, name)?;
    let failed = |error| trouble::read(&error);
    let memory = store.shelf.load(id).await.map_err(trouble::change)?;
    let decisions = store.shelf.store().decisions_on(id).await.map_err(failed)?;
    let evidence = turns(&store, memory.provenance.evidence.clone()).await?;
    let others: Vec<TurnId> = decisions
        .iter()
        .map(|decision| decision.turn)
        .filter(|turn| !memory.provenance.evidence.contains(turn))
        .collect();
    let others = turns(&store, others).await?;
    let mentions = store.shelf.store().load_mentions(vec![id]).await.map_err(failed)?;
    let entities = store.shelf.entities(mentions.iter().map(|mention| mention.entity));
    let relations = store.shelf.store().load_relations(vec![id]).await.map_err(failed)?;
    let kept_until = kept_at_least(memory.kind).until(memory.created_at);
    Ok(WhyReply { memory, evidence, decisions, others, entities, relations, kept_until })
}

async fn turns(store: &OpenStore, ids: Vec<TurnId>) -> Result<Vec<Turn>, Fault> {
    store.shelf.store().load_turns(ids).await.map_err(|error| trouble::read(&error))
}

pub(super) async fn review_list(daemon: &Daemon, context: &Context, all: bool) -> Result<Reviews, Fault> {
    let mut reviews = Vec::new();
    for (store, review) in all_reviews(daemon, context).await? {
        let line = side_by_side(&store, review).await?;
        if all || line.is_open() {
            reviews.push(line);
        }
    }
    Ok(Reviews { reviews })
}

async fn all_reviews(daemon: &Daemon, context: &Context) -> Result<Vec<(Arc<OpenStore>, Review)>, Fault> {
    let visible = daemon.house.visible(context).await?;
    super::refuse_missing(&visible)?;
    let mut reviews = Vec::new();
    for store in visible.stores {
        let found = store.shelf.store().load_reviews().await.map_err(|error| trouble::read(&error))?;
        reviews.extend(found.into_iter().map(|review| (store.clone(), review)));
    }
    reviews.sort_by_key(|(_, review)| review.id);
    Ok(reviews)
}

async fn one_review(
    daemon: &Daemon,
    context: &Context,
    name: &str,
) -> Result<(Arc<OpenStore>, Review), Fault> {
    let wanted = name.trim().to_uppercase();
    let mut found = all_reviews(daemon, context).await?;
    found.retain(|(_, review)| wanted.len() >= 4 && review.id.to_string().ends_with(&wanted));
    match found.len() {
        0 => Err(Fault::not_found(format!("there is no review \"{name}\" here"))
            .hint("`engram review list` shows what waits")
            .hint("a review is named by its identifier or the last letters of it, at least four")),
        1 => Ok(found.remove(0)),
        several => Err(Fault::usage(format!("\"{name}\" names {several} reviews"))),
    }
}

pub(super) async fn review_show(daemon: &Daemon, context: &Context, name: &str) -> Result<ReviewLine, Fault> {
    let (store, review) = one_review(daemon, context, name).await?;
    side_by_side(&store, review).await
}

async fn side_by_side(store: &OpenStore, review: Review) -> Result<ReviewLine, Fault> {
    let (newer, older) = match review.pair {
        Pair::Memories { newer, older } => (side(store, newer).await?, side(store, older).await?),
        Pair::Entities { newer, older } => {
            let one = |id| match store.shelf.entities([id]).pop() {
                Some(entity) => Side::Entity { entity },
                None => Side::Gone,
            };
            (one(newer), one(older))
        }
    };
    Ok(ReviewLine { scope: store.scope(), review, newer, older })
}

async fn side(store: &OpenStore, id: MemoryId) -> Result<Side, Fault> {
    let found = store.shelf.store().load(vec![id]).await.map_err(|error| trouble::read(&error))?.pop();
    Ok(match found {
        Some(memory) => {
            let evidence = turns(store, memory.provenance.evidence.clone()).await?;
            Side::Memory { memory: Box::new(memory), evidence }
        }
        None => Side::Gone,
    })
}

pub(super) async fn review_decide(
    daemon: &Daemon,
    context: &Context,
    operation: OperationId,
    name: &str,
    ruling: Ruling,
) -> Result<Changed, Fault> {
    let (store, review) = one_review(daemon, context, name).await?;
    let occasion = occasion(context, operation);
    let place = daemon.house.place(context)?;
    let settings = daemon.house.settings_for(context, place.as_ref())?;
    let longest = usize::try_from(settings.number("remember.longest")).unwrap_or(usize::MAX);
    if let (Scope::Team, Pair::Memories { newer, older }) = (store.scope(), review.pair) {
        return super::team::decide(daemon, context, operation, &store, review.id, ruling, &[newer, older])
            .await;
    }
    let memories = match review.pair {
        Pair::Memories { newer, older } => {
            let known = store.shelf.store().load(vec![newer, older]).await;
            let known: BTreeMap<MemoryId, _> = known
                .map_err(|error| trouble::read(&error))?
                .into_iter()
                .map(|memory| (memory.id, memory))
                .collect();
            let (Some(one), Some(other)) = (known.get(&newer), known.get(&older)) else {
                return Err(cannot_decide(CannotDecide::Gone));
            };
            let changes =
                plan_review(&review, one, other, ruling, longest, occasion).map_err(cannot_decide)?;
            store.shelf.change(&[], |_| Ok(changes)).await
        }
        Pair::Entities { newer, older } => {
            let closed = close(&review, ruling, occasion).map_err(cannot_decide)?;
            match ruling {
                Ruling::Both => store.shelf.decide_entities(None, closed, occasion).await,
                Ruling::Merge => store.shelf.decide_entities(Some((newer, older)), closed, occasion).await,
                Ruling::Newer | Ruling::Older => return Err(cannot_decide(CannotDecide::NotForEntities)),
            }
        }
    };
    let memories = memories.map_err(trouble::change)?;
    Ok(Changed::of(operation, memories, false))
}

fn cannot_decide(problem: CannotDecide) -> Fault {
    match problem {
        CannotDecide::CannotChange(problem) => trouble::change(problem.into()),
        CannotDecide::NotForEntities => Fault::usage(problem.to_string()),
        CannotDecide::Decided(_) => {
            Fault::refused(problem.to_string()).hint("`engram undo` takes a decision back")
        }
        CannotDecide::Gone => Fault::refused(problem.to_string()),
    }
}
