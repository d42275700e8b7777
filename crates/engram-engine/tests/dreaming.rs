//! Dreaming over a whole store: what is planned is what is done, however often
//! it is interrupted; what somebody changed meanwhile is his; and all of it can
//! be taken back.

mod bed;
mod learning;

use bed::{Bed, Making, Parrot, known, light, tonight, year};
use engram_core::dream::{Dream, Step, StepReport, card_for, is_summary_of, plan_submitted};
use engram_core::observe::EntityKind;
use engram_core::plan::{CannotUndo, Occasion, plan_forget, plan_pin, plan_purge, plan_undo, plan_unforget};
use engram_core::port::Store as _;
use engram_core::{EntityId, Kind, Memory, MemoryId, Span, Status};
use engram_engine::ChangeError;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn report(dream: &Dream, step: Step) -> &StepReport {
    dream.steps.iter().find(|report| report.step == step).expect("the step was planned")
}

/// The memories that a step changed.
fn touched(dream: &Dream, step: Step) -> Vec<MemoryId> {
    report(dream, step).deeds.iter().filter_map(|deed| deed.memory).collect()
}

async fn summaries(bed: &Bed) -> Vec<Memory> {
    let mut all = Vec::new();
    bed.store.scan(&mut |memory| all.push(memory)).await.unwrap();
    all.retain(|memory| is_summary_of(memory) && memory.status.is_current());
    all
}

#[tokio::test]
async fn a_year_gives_every_step_something_to_do() {
    let bed = year().await;
    assert!(bed.lines(false).await.len() >= 350);
    let dream = bed.planned(Step::ALL).await.dream;
    let idle: Vec<Step> = dream.steps.iter().filter(|it| it.done == 0).map(|it| it.step).collect();
    // No rule of retention is set, no model is configured, nothing was used in three
    // sessions and is a rule, no two fields meet, and the log is young.
    use Step::{Abstract, Bridges, Promote, Retain, Tidy};
    assert_eq!(idle, [Retain, Abstract, Promote, Bridges, Tidy], "{:#?}", dream.steps);
}

#[tokio::test]
async fn a_plan_changes_nothing() {
    let bed = year().await;
    let before = (bed.picture().await, bed.lines(true).await);
    let planned = bed.planned(Step::ALL).await;
    assert!(planned.parts.len() > 10, "{} parts", planned.parts.len());
    assert_eq!((bed.picture().await, bed.lines(true).await), before);
    assert_eq!(bed.shelf.unfinished_dream().await.unwrap(), None);
    // The same night planned again is the same plan.
    let again = bed.planned(Step::ALL).await;
    assert_eq!((again.dream, again.parts), (planned.dream, planned.parts));
}

#[tokio::test]
async fn steps_are_done_in_their_own_order_and_each_once() {
    let bed = year().await;
    let planned = bed.planned(&[Step::Tiers, Step::Expire, Step::Tiers]).await;
    let steps: Vec<Step> = planned.dream.steps.iter().map(|report| report.step).collect();
    assert_eq!(steps, [Step::Expire, Step::Tiers]);
}

#[tokio::test]
async fn a_whole_dream_can_be_taken_back() {
    let mut bed = year().await;
    let before = bed.picture().await;
    let dream = bed.dream(Step::ALL).await;
    let dreamt = bed.picture().await;
    assert_ne!(dreamt, before);
    assert_eq!(bed.shelf.find_dream(dream.id).await.unwrap().as_ref(), Some(&dream));
    let occasion = bed.occasion();
    let (whole, memories) = bed.shelf.undo(dream.id, occasion).await.unwrap();
    assert_eq!(whole.id, dream.id);
    assert!(memories.len() > 100);
    let after = bed.picture().await;
    for (was, is) in before.lines.iter().zip(&after.lines) {
        assert_eq!(is, was);
    }
    assert_eq!(after, before);
    // Once.
    let occasion = bed.occasion();
    let again = bed.shelf.undo(dream.id, occasion).await.unwrap_err();
    assert!(matches!(again, ChangeError::CannotUndo(CannotUndo::AlreadyUndone { .. })), "{again}");
    // What took it back can be taken back itself.
    let undo = bed.store.find_operation(dream.id).await.unwrap().unwrap().undone_by.unwrap();
    let occasion = bed.occasion();
    bed.shelf.undo(undo, occasion).await.unwrap();
    assert_eq!(bed.picture().await.lines, dreamt.lines);
}

#[tokio::test]
async fn a_dream_that_is_interrupted_anywhere_ends_as_if_it_had_not_been() {
    let bed = year().await;
    let planned = bed.planned(Step::ALL).await;
    let (dream, parts) = (planned.dream.clone(), planned.parts.len());
    bed.shelf.keep_dream(planned).await.unwrap();
    let whole = bed.copy().await;
    let finished = whole.go_on(dream.clone()).await;
    let expected = (whole.picture().await, whole.lines(true).await);
    let noted = async |bed: &Bed| {
        let evolved = bed.store.latest_evolved(dream.at).await.unwrap();
        let reflected = bed.store.latest_reflections(9).await.unwrap();
        (evolved, bed.store.load_insights().await.unwrap(), reflected)
    };
    let rows = noted(&whole).await;
    assert!(!rows.0.is_empty() && !rows.1.is_empty() && rows.2.len() == 1);
    for done in 0..=parts {
        let cut = bed.copy().await;
        let mut begun = dream.clone();
        for _ in 0..done {
            let part = cut.store.next_part(dream.id).await.unwrap().expect("a part is left");
            cut.shelf.apply_part(&mut begun, part).await.unwrap();
        }
        // Whoever dreamt is gone; another one comes and finds the plan.
        let next = Bed::over(cut.store).await;
        let left = next.shelf.unfinished_dream().await.unwrap().expect("it is not finished");
        assert_eq!(left.id, dream.id);
        let ended = next.go_on(left).await;
        assert_eq!(ended, finished, "after {done} parts");
        assert_eq!(next.shelf.unfinished_dream().await.unwrap(), None);
        assert!((next.picture().await, next.lines(true).await) == expected, "after {done} parts");
        assert_eq!(noted(&next).await, rows, "after {done} parts");
    }
}

#[tokio::test]
async fn a_second_dream_has_next_to_nothing_to_do() {
    use Step::*;
    let bed = year().await;
    bed.dream(Step::ALL).await;
    let again = bed.planned_at(Step::ALL, tonight() + Span::from_secs(30)).await.dream;
    let idle = [
        Expire,
        Fade,
        Settle,
        Emotional,
        Replay,
        Forget,
        Consolidate,
        Summarise,
        Redundancy,
        Tiers,
        Adapt,
        Evolve,
    ];
    for step in idle {
        assert_eq!(report(&again, step).done, 0, "{:?}", report(&again, step));
    }
    assert!(report(&again, Rehearse).skipped.is_some());
}

#[tokio::test]
async fn what_somebody_changed_meanwhile_is_left_to_him_and_told() {
    let mut bed = year().await;
    let planned = bed.planned(Step::ALL).await;
    let fading = touched(&planned.dream, Step::Forget)[0];
    let occasion = bed.occasion();
    bed.shelf.change(&[fading], |memories| plan_pin(&memories[0], true, occasion)).await.unwrap();
    let mine = bed.get(fading).await;
    let dream = bed.do_all(planned).await;
    assert_eq!(bed.get(fading).await, mine);
    assert_eq!(report(&dream, Step::Forget).overtaken, BTreeSet::from([fading]));
    let told = report(&dream, Step::Forget).deeds.iter().any(|deed| deed.memory == Some(fading));
    assert!(!told, "what was not done is not told as done");
    // The rest of the step was done.
    let other = touched(&dream, Step::Forget)[0];
    assert_eq!(bed.get(other).await.status, Status::Archived);
    assert_eq!(bed.shelf.find_dream(dream.id).await.unwrap(), Some(dream));
}

#[tokio::test]
async fn what_was_left_to_somebody_once_is_his_for_the_rest_of_the_dream() {
    let mut making = Making::new();
    let id = making.add("the build takes nine minutes", 363.0, |memory| {
        memory.status = Status::Created;
        memory.trace.access_count = 3;
    });
    let mut bed = Bed::empty().await;
    bed.write(making.writes).await;
    let steps = [Step::Fade, Step::Tiers];
    let planned = bed.planned(&steps).await;
    assert!(steps.iter().all(|step| touched(&planned.dream, *step) == [id]));
    // The second step expects the revision that the first was to make, and finds
    // the one that somebody made.
    let occasion = bed.occasion();
    bed.shelf.change(&[id], |memories| plan_pin(&memories[0], true, occasion)).await.unwrap();
    let mine = bed.get(id).await;
    let dream = bed.do_all(planned).await;
    assert_eq!(bed.get(id).await, mine);
    for step in steps {
        assert_eq!((report(&dream, step).done, &report(&dream, step).overtaken), (0, &BTreeSet::from([id])));
    }
}

#[tokio::test]
async fn what_was_overtaken_is_still_told_after_a_crash() {
    let mut bed = year().await;
    let planned = bed.planned(&[Step::Expire, Step::Forget]).await;
    let (mut dream, expired) = (planned.dream.clone(), touched(&planned.dream, Step::Expire)[0]);
    bed.shelf.keep_dream(planned).await.unwrap();
    let occasion = bed.occasion();
    bed.shelf.change(&[expired], |memories| plan_pin(&memories[0], true, occasion)).await.unwrap();
    let part = bed.store.next_part(dream.id).await.unwrap().unwrap();
    bed.shelf.apply_part(&mut dream, part).await.unwrap();
    let next = Bed::over(bed.store).await;
    let left = next.shelf.unfinished_dream().await.unwrap().unwrap();
    let ended = next.go_on(left).await;
    assert_eq!(report(&ended, Step::Expire).overtaken, BTreeSet::from([expired]));
}

#[tokio::test]
async fn words_that_were_purged_meanwhile_do_not_come_back_in_a_summary() {
    let (mut bed, ids) = episodes().await;
    let planned = bed.planned(&[Step::Consolidate, Step::Cards]).await;
    assert_eq!(planned.parts.len(), 2);
    let occasion = bed.occasion();
    bed.shelf.change(&ids[1..2], |memories| plan_purge(memories, occasion)).await.unwrap();
    let dream = bed.do_all(planned).await;
    assert!(!bed.lines(false).await.iter().any(|line| line.contains("lost its keys")));
    assert!(report(&dream, Step::Consolidate).overtaken.contains(&ids[1]));
    for step in [Step::Consolidate, Step::Cards] {
        assert_eq!(report(&dream, step).done, 0);
    }
    for id in [&ids[..1], &ids[2..]].concat() {
        assert_eq!(bed.get(id).await.status, Status::Active, "they wait for another night");
    }
    assert_eq!(bed.store.awaiting().await.unwrap(), []);
    // The next night sums up what is left.
    let next = tonight() + Span::from_hours(24);
    bed.do_all(bed.planned_at(&[Step::Consolidate], next).await).await;
    assert_eq!(summaries(&bed).await.len(), 1);
}

#[tokio::test]
async fn words_that_were_purged_meanwhile_do_not_come_back_on_a_card() {
    let (mut bed, ids) = episodes().await;
    let planned = bed.planned(&[Step::Cards]).await;
    let occasion = bed.occasion();
    bed.shelf.change(&ids[1..2], |memories| plan_purge(memories, occasion)).await.unwrap();
    let dream = bed.do_all(planned).await;
    assert!(!bed.lines(false).await.iter().any(|line| line.contains("lost its keys")));
    assert!(dream.steps[0].overtaken.contains(&ids[1]) && dream.steps[0].done == 0);
}

#[tokio::test]
async fn a_thing_that_was_named_meanwhile_stays_with_its_bonds() {
    let mut bed = year().await;
    let frotz = EntityId::of(EntityKind::Tool, "frotz");
    let planned = bed.planned(&[Step::Entities]).await;
    let bonds = bed.store.load_bonds().await.unwrap();
    let occasion = bed.occasion();
    bed.shelf.call_entity(frotz, "the frotz", occasion).await.unwrap();
    let copy = bed.copy().await;
    bed.do_all(planned).await;
    assert_eq!(bed.shelf.entities_called("the frotz").len(), 1);
    assert_eq!(bed.store.load_bonds().await.unwrap(), bonds);
    // Where nobody named it, it goes with them.
    copy.dream(&[Step::Entities]).await;
    assert!(copy.shelf.entities_called("frotz").is_empty());
    assert_eq!(copy.store.load_bonds().await.unwrap(), []);
}

#[tokio::test]
async fn one_step_can_be_taken_back_and_then_the_rest() {
    let mut bed = year().await;
    let before = bed.picture().await;
    let dream = bed.dream(&[Step::Expire, Step::Forget, Step::Redundancy]).await;
    let dreamt = bed.picture().await;
    let [expired, redundant] = [Step::Expire, Step::Redundancy].map(|step| touched(&dream, step)[0]);
    let occasion = bed.occasion();
    bed.undo_step(&dream, Step::Expire, occasion).await.unwrap();
    assert_eq!(bed.get(expired).await.status, Status::Active);
    assert_eq!(bed.get(redundant).await.status, Status::Archived);
    let differing = bed.picture().await.lines.iter().zip(&dreamt.lines).filter(|(is, was)| is != was).count();
    assert_eq!(differing, report(&dream, Step::Expire).done);
    let occasion = bed.occasion();
    let again = bed.undo_step(&dream, Step::Expire, occasion).await.unwrap_err();
    assert!(matches!(again, ChangeError::CannotUndo(CannotUndo::AlreadyUndone { .. })), "{again}");
    let occasion = bed.occasion();
    bed.shelf.undo(dream.id, occasion).await.unwrap();
    assert_eq!(bed.picture().await, before);
}

#[tokio::test]
async fn what_did_nothing_cannot_be_taken_back_and_says_so() {
    let mut bed = year().await;
    let dream = bed.dream(&[Step::Expire, Step::Promote]).await;
    let occasion = bed.occasion();
    let refused = bed.undo_step(&dream, Step::Promote, occasion).await.unwrap_err().to_string();
    assert!(refused.ends_with("it changed nothing that could be taken back"), "{refused}");
    // A dream without any change is no operation, and is over all the same.
    let mut bed = Bed::empty().await;
    let dream = bed.dream(Step::ALL).await;
    assert_eq!(bed.shelf.unfinished_dream().await.unwrap(), None);
    assert_eq!(bed.shelf.find_dream(dream.id).await.unwrap().as_ref(), Some(&dream));
    let occasion = bed.occasion();
    let refused = bed.shelf.undo(dream.id, occasion).await.unwrap_err();
    assert!(matches!(refused, ChangeError::NoOperation(_)), "{refused}");
}

#[tokio::test]
async fn nothing_is_taken_back_if_somebody_changed_any_of_it_since() {
    let mut bed = year().await;
    let dream = bed.dream(Step::ALL).await;
    let archived = touched(&dream, Step::Forget)[0];
    let occasion = bed.occasion();
    bed.shelf.change(&[archived], |memories| plan_unforget(&memories[0], occasion)).await.unwrap();
    let before = bed.picture().await;
    let occasion = bed.occasion();
    let refused = bed.shelf.undo(dream.id, occasion).await.unwrap_err();
    assert!(
        matches!(refused, ChangeError::CannotUndo(CannotUndo::ChangedSince(id)) if id == archived),
        "{refused}"
    );
    let occasion = bed.occasion();
    let refused = bed.undo_step(&dream, Step::Forget, occasion).await.unwrap_err();
    assert!(
        matches!(refused, ChangeError::CannotUndo(CannotUndo::ChangedSince(id)) if id == archived),
        "{refused}"
    );
    assert_eq!(bed.picture().await, before);
    // A step that has nothing to do with it can be taken back.
    let occasion = bed.occasion();
    bed.undo_step(&dream, Step::Redundancy, occasion).await.unwrap();
    let redundant = touched(&dream, Step::Redundancy)[0];
    assert_eq!(bed.get(redundant).await.status, Status::Active);
}

#[tokio::test]
async fn use_between_a_dream_and_its_undo_survives() {
    let mut bed = year().await;
    let dream = bed.dream(Step::ALL).await;
    let archived = touched(&dream, Step::Forget)[0];
    let rehearsed = touched(&dream, Step::Rehearse)[0];
    let uses = bed.get(rehearsed).await.trace.access_count;
    bed.use_now(&[archived, rehearsed]).await;
    let used_at = bed.get(rehearsed).await.trace.last_used_at;
    assert_eq!(bed.get(archived).await.status, Status::Active);
    let occasion = bed.occasion();
    bed.shelf.undo(dream.id, occasion).await.unwrap();
    let [back, again] = [bed.get(archived).await, bed.get(rehearsed).await];
    assert_eq!((back.status, back.trace.access_count), (Status::Active, 1));
    assert_eq!((again.trace.access_count, again.trace.last_used_at), (uses + 1, used_at));
}

#[tokio::test]
async fn an_undo_that_was_cut_short_is_gone_on_with_under_the_same_name() {
    let mut bed = year().await;
    let before = bed.picture().await;
    let dream = bed.dream(&[Step::Expire, Step::Forget, Step::Redundancy]).await;
    let occasion = bed.occasion();
    // The latest part was taken back by this very undo, and then the light went out.
    let last = bed.store.parts_done(dream.id).await.unwrap().pop().unwrap();
    let current = bed.store.load(last.memories.clone()).await.unwrap();
    let current = current.into_iter().map(|memory| (memory.id, memory)).collect();
    let name = occasion.operation.part(0);
    let named = Occasion { operation: name, ..occasion };
    let mut changes = plan_undo(&last, &current, named).unwrap();
    changes.part_of = Some(occasion.operation);
    bed.store.commit(changes, Vec::new()).await.unwrap();
    let bed = Bed::over(bed.store).await;
    bed.shelf.undo(dream.id, occasion).await.unwrap();
    assert_eq!(bed.picture().await, before);
}

#[tokio::test]
async fn what_was_extracted_can_be_said_better_and_that_can_be_taken_back() {
    let mut bed = year().await;
    bed.dream(&[Step::Consolidate]).await;
    let waiting = bed.store.awaiting().await.unwrap();
    let item = waiting[0].clone();
    let extracted = bed.get(item.summary).await;
    let occasion = bed.occasion();
    let text = "redis takes some seconds and gets slower";
    let submit = |memories: &[Memory]| plan_submitted(&item, &memories[0], text, 1_000, occasion);
    bed.shelf.change(&[item.summary], submit).await.unwrap();
    assert_eq!(bed.get(item.summary).await.content, text);
    assert_eq!(bed.store.awaiting().await.unwrap().len(), waiting.len() - 1);
    let undoing = bed.occasion();
    bed.shelf.undo(occasion.operation, undoing).await.unwrap();
    assert_eq!(bed.get(item.summary).await, extracted);
    assert_eq!(bed.shelf.differences().await.unwrap(), []);
}

/// Episodes about redis, and nothing else.
async fn episodes() -> (Bed, Vec<MemoryId>) {
    let mut making = Making::new();
    let told = [
        "redis restarts every night",
        "redis lost its keys on tuesday",
        "redis runs out of room",
        "only the intern may stop redis",
    ];
    let ids: Vec<MemoryId> = told.iter().map(|text| making.add(text, 360.0, |_| {})).collect();
    making.tool("redis", &ids);
    making.add("the office has a new kettle", 361.0, |_| {});
    let mut bed = Bed::empty().await;
    bed.write(making.writes).await;
    (bed, ids)
}

fn kinds(answer: &engram_engine::Answer) -> Vec<Kind> {
    answer.found.iter().map(|found| found.memory.kind).collect()
}

#[tokio::test]
async fn a_summary_is_not_shown_beside_its_sources_and_goes_out_of_sight_with_them() {
    let (mut bed, ids) = episodes().await;
    bed.dream(&[Step::Consolidate, Step::Cards]).await;
    assert_eq!(summaries(&bed).await.len(), 1);
    let answer = bed.ask("what about redis").await;
    assert_eq!(kinds(&answer), [Kind::Fact; 4]);
    let occasion = bed.occasion();
    bed.shelf.change(&ids, |memories| plan_forget(memories, occasion)).await.unwrap();
    let answer = bed.ask("what about redis").await;
    assert_eq!(kinds(&answer), [], "what somebody put away is told by nobody");
}

#[tokio::test]
async fn what_has_faded_is_found_behind_what_is_current_and_use_brings_it_back() {
    let mut making = Making::new();
    let faded = making.add("the ferret sleeps in the barn", 100.0, light);
    let current = making.add("the ferret eats in the barn", 360.0, known);
    let mut bed = Bed::empty().await;
    bed.write(making.writes).await;
    bed.dream(&[Step::Forget]).await;
    assert_eq!(bed.get(faded).await.status, Status::Archived);
    let answer = bed.ask("where is the ferret").await;
    let found: Vec<MemoryId> = answer.found.iter().map(|found| found.memory.id).collect();
    assert_eq!(found, [current, faded]);
    bed.use_now(&found).await;
    assert_eq!(bed.get(faded).await.status, Status::Active);
    assert_eq!(bed.get(faded).await.status_change.reason, "used again");
    // Used tonight, it does not fade tonight.
    let again = bed.planned_at(&[Step::Forget], tonight() + Span::from_hours(1)).await;
    assert_eq!(again.dream.steps[0].done, 0);
}

#[tokio::test]
async fn what_a_person_forgot_stays_away_however_often_it_is_dreamt() {
    let mut making = Making::new();
    let gone = making.add("the ferret sleeps in the barn", 360.0, known);
    making.add("the ferret eats in the barn", 360.0, known);
    let mut bed = Bed::empty().await;
    bed.write(making.writes).await;
    let occasion = bed.occasion();
    bed.shelf.change(&[gone], |memories| plan_forget(memories, occasion)).await.unwrap();
    bed.dream(Step::ALL).await;
    let found = bed.ask("where does the ferret sleep").await.found;
    assert!(found.iter().all(|found| found.memory.id != gone));
    assert_eq!(bed.get(gone).await.status, Status::Archived);
}

#[tokio::test]
async fn a_card_that_a_person_forgot_is_not_made_again() {
    let (mut bed, _) = episodes().await;
    bed.dream(&[Step::Cards]).await;
    let card = bed.shelf.card_of(EntityId::of(EntityKind::Tool, "redis")).expect("there is a card");
    let occasion = bed.occasion();
    bed.shelf.change(&[card.id], |memories| plan_forget(memories, occasion)).await.unwrap();
    let next = tonight() + Span::from_hours(24);
    let dream = bed.do_all(bed.planned_at(&[Step::Cards], next).await).await;
    assert_eq!(dream.steps[0].done, 0);
    let mut cards = 0;
    bed.store.scan(&mut |memory| cards += usize::from(card_for(&memory).is_some())).await.unwrap();
    assert_eq!(cards, 1);
}

#[tokio::test]
async fn a_dream_without_time_does_nothing_and_says_so() {
    let bed = year().await;
    let looked = AtomicUsize::new(0);
    let in_time = || looked.fetch_add(1, Ordering::Relaxed) < 3;
    let dream = bed.planned_while(Step::ALL, tonight(), &in_time).await.dream;
    let skipped: Vec<Step> = dream
        .steps
        .iter()
        .filter(|report| report.skipped.as_deref() == Some("there was no time left for it"))
        .map(|report| report.step)
        .collect();
    assert_eq!(skipped.first(), Some(&Step::Settle), "three were in time");
    assert_eq!(skipped.len(), Step::ALL.len() - 3);
}

#[tokio::test]
async fn a_model_is_asked_five_times_in_a_night_whatever_for() {
    let mut making = Making::new();
    for tool in 0..4 {
        let told = |at: usize| format!("tool t{tool} took {at} seconds in a run");
        let ids: Vec<MemoryId> = (0..3).map(|at| making.add(&told(at), 360.0, |_| {})).collect();
        making.tool(&format!("t{tool}"), &ids);
    }
    let parrot = Arc::new(Parrot::default());
    let mut bed = Bed::empty().await;
    bed.llm = Some(parrot.clone());
    bed.write(making.writes).await;
    bed.dream(&[Step::Consolidate, Step::Abstract]).await;
    assert_eq!(parrot.asked.load(Ordering::Relaxed), 5, "four summaries, and one pattern instead of three");
    let made = summaries(&bed).await;
    let of = |kind: Kind| made.iter().filter(|memory| memory.kind == kind).count();
    assert_eq!((of(Kind::Summary), of(Kind::Pattern)), (4, 1));
    assert!(made.iter().all(|memory| memory.content == "tool took seconds in a run"), "{made:?}");
    assert_eq!(bed.store.awaiting().await.unwrap(), [], "what a model wrote waits for nobody");
}

#[tokio::test]
async fn what_was_said_of_lost_code_is_challenged_and_the_store_keeps_its_words() {
    let bed = year().await;
    let dream = bed.dream(&[Step::Drift]).await;
    let [id] = touched(&dream, Step::Drift).try_into().expect("one memory speaks of lost code");
    let doubted = bed.get(id).await;
    assert_eq!(
        (doubted.status, doubted.content.as_str()),
        (Status::Challenged, "the parser lives in src/old.rs")
    );
    assert_eq!(doubted.status_change.reason, "the code says otherwise: src/old.rs went");
}

#[tokio::test]
async fn the_vectors_of_what_has_faded_take_less_room_and_are_found_again() {
    let bed = year().await;
    bed.dream(&[Step::Forget, Step::Compress]).await;
    let mut coarse = 0;
    bed.store
        .scan_vectors(&mut |vector| {
            coarse += usize::from(vector.packed.precision() > engram_core::Precision::I8);
        })
        .await
        .unwrap();
    assert!(coarse > 50, "{coarse} vectors take less room");
    // Opened anew, a faded text is still found by its direction.
    let bed = Bed::over(bed.store).await;
    let answer = bed.ask("near x40 that day happened n40 on").await;
    assert_eq!(answer.found[0].memory.content, "on that day n40 happened near x40");
}
