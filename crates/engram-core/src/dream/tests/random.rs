//! What holds of any night: nights made by chance, and all steps in order.

use super::*;
use crate::dream::{
    Drifted, clusters, plan_adapt, plan_bridges, plan_cards, plan_consolidation, plan_contradictions,
    plan_drift, plan_emotional, plan_entities, plan_evolve, plan_expire, plan_fade, plan_forget,
    plan_patterns, plan_probe, plan_promotions, plan_redundancy, plan_reflect, plan_rehearse, plan_replay,
    plan_retain, plan_settle, plan_summaries, plan_tiers,
};
use crate::drift::{Claim, Finding};
use crate::graph::BondKind;
use crate::law::guarded;
use crate::memory::RelationKind;
use crate::rank::Weights;
use crate::recalled::Pooled;
use crate::remind::Reminder;
use crate::skill::SkillMode;
use crate::unit::{Importance, Stability};

/// So many nights are tried.
const NIGHTS: u64 = 60;

/// The steps that the core plans.
fn steps() -> Vec<Step> {
    let elsewhere = |step: &Step| matches!(step, Step::Compress | Step::Tidy);
    Step::ALL.iter().copied().filter(|step| !elsewhere(step)).collect()
}

fn run(step: Step, night: &mut Night<'_>) -> StepPlan {
    match step {
        Step::Retain => plan_retain(night),
        Step::Expire => plan_expire(night),
        Step::Fade => plan_fade(night),
        Step::Settle => plan_settle(night),
        Step::Rehearse => plan_rehearse(night),
        Step::Emotional => plan_emotional(night),
        Step::Replay => plan_replay(night),
        Step::Forget => plan_forget(night),
        Step::Consolidate => {
            let (found, left) = clusters(night);
            plan_consolidation(night, &found, left, &BTreeMap::new())
        }
        Step::Summarise => plan_summaries(night),
        Step::Redundancy => plan_redundancy(night),
        Step::Abstract => {
            let (found, _) = clusters(night);
            let seen: Vec<(String, Vec<MemoryId>)> =
                found.iter().take(3).map(|it| (format!("always {}", it.topic), it.members.clone())).collect();
            plan_patterns(night, &seen, None)
        }
        Step::Tiers => plan_tiers(night),
        Step::Promote => plan_promotions(night, &|memory| memory.importance.get(), &["engram".to_owned()]),
        Step::Entities => plan_entities(night),
        Step::Contradictions => plan_contradictions(night),
        Step::Cards => plan_cards(night),
        Step::Bridges => plan_bridges(night),
        Step::Probe => plan_probe(night),
        Step::Drift => {
            let finding = |id: &MemoryId| match id.ulid().0 % 7 {
                0 => Finding::Gone { reason: "it went".to_owned() },
                1 => Finding::Unknown,
                _ => Finding::Holds,
            };
            let drifted: Vec<Drifted> = night
                .memories
                .keys()
                .map(|id| Drifted { memory: *id, findings: vec![(Claim::Port(80), finding(id))] })
                .collect();
            plan_drift(night, &drifted, 0, None)
        }
        Step::Adapt => plan_adapt(night, &Weights::default()),
        Step::Evolve => plan_evolve(night, &|_| true),
        Step::Reflect => {
            let (found, _) = clusters(night);
            plan_reflect(night, &Weights::default(), &found)
        }
        Step::Compress | Step::Tidy => unreachable!("the engine's"),
    }
}

/// Chance that can be repeated.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }

    fn share(&mut self) -> f64 {
        (self.next() % 10_001) as f64 / 10_000.0
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn of<T: Clone>(&mut self, some: &[T]) -> T {
        some[self.below(some.len())].clone()
    }
}

const TEXTS: [&str; 14] = [
    "The API listens on port 8080.",
    "The API listens on port 9090.",
    "We use Postgres 14 for billing.",
    "We use Postgres 16 for billing.",
    "We use Postgres 16 for billing. Backups run at night.",
    "The build takes nine minutes.",
    "The build takes nine minutes on the slow runner.",
    "redis caches the sessions",
    "redis is restarted every night",
    "nginx was slow on Monday because redis was full",
    "Always write the test before the code.",
    "The parser is in src/parse.rs.",
    "engram keeps everything in one store",
    "lunch was late",
];
const TOOLS: [&str; 7] = ["redis", "nginx", "postgres", "kubernetes", "kubernets", "engram", "arrow"];

/// A store with memories of every kind, tier, status and flag, of every age and
/// use, with edges, names, bonds and a past.
fn scene(seed: u64) -> Scene {
    let mut chance = Chance(seed);
    let mut scene = Scene::on(400.0);
    if chance.once_in(4) {
        scene.scope = Scope::User;
    }
    let many = 25 + chance.below(30);
    let ids: Vec<MemoryId> = (0..many).map(|_| any_memory(&mut scene, &mut chance)).collect();
    for (place, one) in ids.iter().enumerate() {
        for other in &ids[place + 1..] {
            let same = scene.get(*one).content == scene.get(*other).content;
            if same || chance.once_in(6) {
                let likeness = if same { 0.97 } else { 0.4 + 0.6 * chance.share() };
                scene.alike(*one, *other, likeness);
            }
        }
        for _ in 0..chance.below(3) {
            let tool = chance.of(&TOOLS);
            scene.names(*one, tool);
        }
        if chance.once_in(4) {
            let (kind, other) = (chance.of(RelationKind::ALL), chance.of(&ids));
            scene.edges.insert(Relation::certain(*one, kind, other, day(chance.share() * 400.0)));
        }
    }
    // A thing that is no thing any more, and one that nobody names.
    scene.entities.remove(&EntityId::of(EntityKind::Tool, "arrow"));
    scene.tool("frotz");
    let known: Vec<EntityId> = scene.entities.keys().copied().collect();
    for _ in 0..chance.below(6) {
        let key = (chance.of(&known), chance.of(BondKind::ALL), chance.of(&known));
        if key.0 != key.2 && !scene.bonds.iter().any(|bond| bond.key() == key) {
            let confidence = Confidence::clamped(chance.share());
            scene
                .bonds
                .push(Bond { confidence, ..Bond::new(key, chance.of(&ids), day(chance.share() * 400.0)) });
        }
    }
    for number in 0..chance.below(20) {
        let shown: Vec<MemoryId> = (0..1 + chance.below(5)).map(|_| chance.of(&ids[..8])).collect();
        scene.shown(&shown, 300.0 + number as f64, number as u128 % 5);
    }
    scene.evolution.skills = chance.of(SkillMode::ALL);
    for number in 0..chance.below(5) {
        scene.add(&format!("To ship part {number}, run `cargo xtask ship`."), |memory| {
            of_kind(memory, Kind::Procedure);
            memory.tier = Tier::Procedural;
            memory.created_at = day(380.0);
            used(memory, 1, 395.0);
        });
    }
    evidence(&mut scene, &mut chance, &ids);
    scene
}

/// How using these memories went: some served badly, some were followed often,
/// and of some recalls it is known what became of them.
fn evidence(scene: &mut Scene, chance: &mut Chance, ids: &[MemoryId]) {
    for id in ids {
        let often = chance.of(&[0, 0, 1, 3, 6, 12]);
        let bad = scene.get(*id).utility.get() < 0.3;
        for number in 0..often {
            let outcome = if bad { Outcome::Failure } else { chance.of(Outcome::ALL) };
            scene.served(*id, outcome, 300.0 + f64::from(number) + 80.0 * chance.share());
        }
    }
    for number in 0..60 {
        let shown: Vec<MemoryId> = [0, 1, 2, 3].map(|nth| ids[(number + nth) % 8]).to_vec();
        scene.shown(&shown, 375.0 + 0.4 * number as f64, number as u128);
        let recall = scene.recalls.last_mut().unwrap();
        recall.settled_at = Some(recall.at);
        let value = |chance: &mut Chance| chance.share() as f32 * 0.3;
        for memory in &shown {
            let (words, table) = (value(chance), value(chance));
            let of = |memory| Pooled { memory, words, table, model: 0.0, graph: 0.0, rest: 0.0, scale: 1.0 };
            recall.pool.push(of(*memory));
        }
        // Words are right more often than not.
        let best = recall.pool.iter().max_by(|one, other| one.words.total_cmp(&other.words)).unwrap().memory;
        recall.used = if chance.once_in(5) { vec![chance.of(&shown)] } else { vec![best, shown[0]] };
    }
}

fn any_memory(scene: &mut Scene, chance: &mut Chance) -> MemoryId {
    let text = chance.of(&TEXTS);
    scene.add(text, |memory| {
        let age = chance.of(&[0.0, 0.02, 0.5, 3.0, 8.0, 20.0, 50.0, 100.0, 200.0, 399.0]);
        let born = 400.0 - age - chance.share() / 100.0;
        memory.created_at = day(born);
        memory.updated_at = if chance.once_in(3) { day(born + age * chance.share()) } else { day(born) };
        memory.validity.valid_from = day(born);
        memory.status_change.at = day(born + age * chance.share());
        memory.status = if chance.once_in(3) { chance.of(Status::ALL) } else { Status::Active };
        memory.kind = chance.of(Kind::ALL);
        memory.tier = if chance.once_in(3) { chance.of(Tier::ALL) } else { Tier::Episodic };
        memory.importance = Importance::clamped(chance.of(&[0.02, 0.1, 0.3, 0.5, 0.7, 0.95]));
        memory.confidence = Confidence::clamped(chance.share());
        useful(memory, chance.of(&[0.0, 0.1, 0.18, 0.3, 0.5, 0.5, 0.5, 0.75, 0.95]));
        memory.trace.stability = Stability::clamped(chance.of(&[0.5, 2.3, 10.0, 200.0]));
        let uses = chance.of(&[0, 0, 1, 2, 3, 9]);
        used(memory, uses, if uses == 0 { born } else { born + age * chance.share() });
        memory.pinned = chance.once_in(10);
        memory.immutable = chance.once_in(10);
        if chance.once_in(10) {
            stirred(memory);
        }
        if chance.once_in(6) {
            memory.validity.valid_until = Some(day(390.0 + 20.0 * chance.share()).max(day(born)));
        }
        if chance.once_in(12) {
            let reminder = Reminder { text: "it".to_owned(), when: None, due_at: Some(day(500.0)) };
            memory.structured = Some(reminder.to_structured());
        }
        if chance.once_in(4) {
            memory.provenance = Provenance::stated_by(chance.of(Actor::ALL));
        }
        if chance.once_in(3) {
            memory.domain = Some(chance.of(&["rust", "python"]).to_owned());
        }
        memory.revision = chance.below(5) as u32;
        if memory.status == Status::Forgotten {
            memory.clear_text();
        }
    })
}

/// All steps of one night, each on what the steps before it leave.
fn whole_night(scene: &Scene) -> Vec<StepPlan> {
    let mut night = scene.night();
    steps().into_iter().map(|step| run(step, &mut night)).collect()
}

fn lived_through(scene: &Scene, plans: &[StepPlan]) -> Scene {
    let mut after = scene.clone();
    plans.iter().for_each(|plan| after.apply(plan));
    after
}

/// Each step alone, and all in order, with what each of them makes of a night.
fn each(check: impl Fn(&str, &Scene, &Scene)) {
    for seed in 0..NIGHTS {
        let scene = scene(seed);
        for step in steps() {
            let plan = scene.plan(|night| run(step, night));
            check(&format!("{step}, night {seed}"), &scene, &lived_through(&scene, &[plan]));
        }
        let plans = whole_night(&scene);
        check(&format!("all, night {seed}"), &scene, &lived_through(&scene, &plans));
    }
}

#[test]
fn these_nights_give_every_step_that_learns_something_to_do() {
    let mut done: BTreeSet<String> = BTreeSet::new();
    for seed in 0..NIGHTS {
        for plan in whole_night(&scene(seed)) {
            let told = plan.deeds.iter().map(|deed| format!("{} {}", plan.step, deed.what));
            done.extend(told);
        }
    }
    for deed in ["adapt learned", "evolve deprecated", "evolve merged", "evolve skill", "reflect noticed"] {
        assert!(done.contains(deed), "no night has {deed}: {done:?}");
    }
}

#[test]
fn what_is_protected_is_never_harmed() {
    each(|what, before, after| {
        for was in before.memories.values().filter(|memory| guarded(memory).is_some()) {
            let is = after.get(was.id);
            let told = format!("{what}: {was:?}\nbecame {is:?}");
            if was.immutable || was.tier == Tier::Codebase {
                assert_eq!(is, &**was, "{what}");
            }
            let better = matches!(was.status, Status::Created | Status::Challenged);
            assert!(is.status == was.status || better && is.status == Status::Active, "{told}");
            assert!(is.importance >= was.importance && is.confidence >= was.confidence, "{told}");
            assert!(is.utility >= was.utility, "{told}");
            assert!(is.trace.stability >= was.trace.stability, "{told}");
            assert_eq!((&is.content, is.tier, &is.structured), (&was.content, was.tier, &was.structured));
            assert!(is.pinned >= was.pinned, "{told}");
        }
    });
}

#[test]
fn no_dream_makes_anything_truer_or_more_used_and_none_takes_a_memory_away() {
    each(|what, before, after| {
        for was in before.memories.values() {
            let is = after.memories.get(&was.id).unwrap_or_else(|| panic!("{what} took {} away", was.id));
            assert!(is.confidence <= was.confidence, "{what}");
            assert_eq!(is.trace.access_count, was.trace.access_count, "{what}");
            assert_eq!(is.trace.last_used_at, was.trace.last_used_at, "{what}");
            assert_eq!(
                (is.validity.clone(), is.created_at),
                (was.validity.clone(), was.created_at),
                "{what}"
            );
            let lifecycle = is.status == was.status || leads_to(was.status, is.status);
            assert!(lifecycle, "{what}: {} became {}", was.status, is.status);
            let lost = !was.content.is_empty() && is.content.is_empty();
            assert!(!lost || is.status == Status::Forgotten && was.status == Status::Archived, "{what}");
        }
    });
}

/// Whether the lifecycle leads from one status to another, in some steps.
fn leads_to(from: Status, to: Status) -> bool {
    let next = from.successors();
    next.contains(&to) || next.iter().any(|between| between.successors().contains(&to))
}

#[test]
fn the_same_night_gives_the_same_plan_and_what_is_made_is_named_by_the_dream() {
    for seed in 0..NIGHTS {
        let scene = scene(seed);
        let plans = whole_night(&scene);
        assert_eq!(plans, whole_night(&scene), "night {seed}");
        let dream = scene.night().dream;
        let born: Vec<MemoryId> = plans.iter().flat_map(newborns).map(|memory| memory.id).collect();
        let by_the_night = |it: &&StepPlan| it.step != Step::Evolve;
        let born_of_it: Vec<MemoryId> =
            plans.iter().filter(by_the_night).flat_map(newborns).map(|memory| memory.id).collect();
        let named: Vec<MemoryId> = (0..born_of_it.len()).map(|number| dream.dreamt(number)).collect();
        assert_eq!(born_of_it, named, "night {seed}");
        let other = Scene { dreams: 2, ..scene };
        let others: BTreeSet<MemoryId> =
            whole_night(&other).iter().flat_map(newborns).map(|memory| memory.id).collect();
        assert!(born.iter().all(|id| !others.contains(id)));
    }
}

#[test]
fn a_second_dream_right_after_the_first_has_nothing_to_do() {
    use Step::*;
    let idle = [
        Expire,
        Fade,
        Settle,
        Emotional,
        Replay,
        Forget,
        Redundancy,
        Tiers,
        Consolidate,
        Summarise,
        Adapt,
        Evolve,
    ];
    for seed in 0..NIGHTS {
        let scene = scene(seed);
        let plans = whole_night(&scene);
        let mut after = lived_through(&scene, &plans);
        after.pass(SignedDuration::from_secs(1), &steps());
        for plan in whole_night(&after).into_iter().filter(|plan| idle.contains(&plan.step)) {
            let told: Vec<_> = plan.deeds.iter().map(|deed| (&deed.what, &deed.why)).collect();
            assert!(plan.writes.is_empty(), "night {seed}, {}: {told:?}", plan.step);
        }
    }
}

#[test]
fn what_is_told_was_done_and_what_was_done_is_told() {
    for seed in 0..NIGHTS {
        for plan in whole_night(&scene(seed)) {
            let at = format!("night {seed}, {}", plan.step);
            let touched: BTreeSet<MemoryId> = plan.writes.iter().filter_map(Write::memory_id).collect();
            let told: BTreeSet<MemoryId> = plan.deeds.iter().filter_map(|deed| deed.memory).collect();
            assert!(touched.is_subset(&told), "{at}: something was done in silence");
            let changed = statuses(&plan);
            for (id, status) in &changed {
                let says =
                    |deed: &super::super::Deed| deed.memory == Some(*id) && deed.what == status.as_str();
                assert!(plan.deeds.iter().any(says), "{at}: {id} became {status} in silence");
            }
            let left = ["left alone", "stays", "converged", "rolled back", "noise", "above the capacity"];
            let is_left = |deed: &super::super::Deed| {
                left.contains(&deed.what.as_str()) || deed.memory.is_some() && deed.what == "proposed"
            };
            let spared = plan.deeds.iter().filter(|deed| is_left(deed)).count();
            for deed in plan.deeds.iter().filter(|deed| !is_left(deed)) {
                let Some(id) = deed.memory else { continue };
                match deed.what.parse::<Status>() {
                    Ok(Status::Promoted) => assert!(plan.rising.contains(&id), "{at}"),
                    Ok(status) => assert!(changed.contains(&(id, status)), "{at}: {deed:?}"),
                    Err(_) if deed.what == "queued for review" => {}
                    Err(_) => assert!(touched.contains(&id), "{at}: {deed:?}"),
                }
            }
            assert_eq!(spared, plan.spared, "{at}");
        }
    }
}

#[test]
fn no_step_does_more_than_its_cap_allows() {
    for seed in 0..NIGHTS {
        let mut scene = scene(seed);
        scene.caps = Caps { memories: 6, comparisons: 2, rehearsals: 1, model_calls: 1 };
        for plan in whole_night(&scene) {
            let pairs = matches!(plan.step, Step::Redundancy | Step::Probe);
            assert!(!pairs || plan.looked_at <= 2, "night {seed}, {}: {}", plan.step, plan.looked_at);
            assert!(plan.step != Step::Rehearse || plan.writes.len() <= 1);
            assert!(plan.step != Step::Consolidate || newborns(&plan).len() <= 2);
        }
    }
}
