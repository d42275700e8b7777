//! Which procedures make a skill, what its file says, and whose the file is.

use super::*;
use crate::change::{Actor, Changes, Write};
use crate::dream::{Sight, made_of};
use crate::evolve::{CannotEvolve, Case, Ground, Missing, Order};
use crate::id::{IdMint, OperationId};
use crate::kind::{Kind, Scope};
use crate::law::sample::{day, memory};
use crate::memory::{Relation, RelationKind};
use crate::plan::Occasion;
use crate::status::Status;
use crate::unit::{Similarity, Trust, Utility};
use crate::used::{Outcome, Usage};
use std::collections::BTreeSet;
use std::sync::Arc;

fn procedure(number: u64, commands: &[&str]) -> Memory {
    let steps = commands.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", then ");
    let content = format!("Done again and again in this order: {steps}.");
    let mut made = Memory { kind: Kind::Procedure, content, ..memory(number) };
    made.structured.get_or_insert_default().insert("commands".to_owned(), json!(commands));
    made
}

fn releases() -> Vec<Memory> {
    vec![
        procedure(1, &["make build", "make test"]),
        procedure(2, &["make build", "make test", "make push"]),
        procedure(3, &["make build", "make tag"]),
    ]
}

fn how() -> Order<'static> {
    let at = day(2.0);
    let operation = OperationId::from_ulid(IdMint::seeded(77).mint(at));
    let occasion = Occasion { operation, actor: Actor::Assistant, at, recorded_at: at };
    Order { reason: "", justification: None, occasion, number: 0 }
}

fn cases(memories: &[Memory]) -> Vec<Case<'_>> {
    memories.iter().map(|memory| Case::of(memory, &[], day(2.0))).collect()
}

fn name(text: &str) -> SkillName {
    text.parse().unwrap()
}

fn induced(memories: &[Memory], alike: f64, text: Option<&str>) -> Result<Changes, CannotEvolve> {
    let sight = Alike::all(alike, memories);
    let description = "Use when a release is due.";
    plan_induce(&cases(memories), &sight, name("release-build"), description, text, &[], &how())
}

fn skill_in(changes: &Changes) -> Memory {
    let Write::Create { memory } = &changes.writes[0] else { panic!("{changes:?}") };
    Memory::clone(memory)
}

#[track_caller]
fn lacking(outcome: Result<Changes, CannotEvolve>) -> Vec<Missing> {
    match outcome {
        Err(CannotEvolve::Evidence { missing, .. }) => missing,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_skill_needs_three_procedures_that_are_alike() {
    let all = releases();
    assert!(induced(&all, 0.0, None).is_ok(), "they share a command");
    assert_eq!(lacking(induced(&all[..2], 0.0, None)), [Missing::Sources { is: 2, least: 3 }]);
    let mut others = all.clone();
    others[2] = procedure(3, &["docker push", "make build"]);
    assert_eq!(lacking(induced(&others, 0.7499, None)), [Missing::NotAlike(others[2].id)]);
    assert!(induced(&others, 0.75, None).is_ok());
}

#[test]
fn a_skill_is_made_of_what_holds_beyond_its_occasion() {
    let wrong = |change: &dyn Fn(&mut Memory)| {
        let mut all = releases();
        change(&mut all[1]);
        match &lacking(induced(&all, 1.0, None))[..] {
            [Missing::Generalizable(id, why)] if *id == all[1].id => why.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(wrong(&|it| it.kind = Kind::Fact), "is of the kind fact, which tells no steps");
    assert_eq!(wrong(&|it| it.status = Status::Archived), "is archived");
    assert_eq!(wrong(&|it| it.status = Status::Challenged), "is challenged");
    let trust = |it: &mut Memory| it.provenance.trust = Trust::clamped(0.69);
    assert_eq!(wrong(&trust), "is trusted with .69, and an order wants .7");
    let badly = |it: &mut Memory| {
        it.utility = Utility::clamped(0.29);
        it.trace.last_used_at = day(2.0);
    };
    assert_eq!(wrong(&badly), "serves badly: utility .29, never used");
    let skill = skill_in(&induced(&releases(), 1.0, None).unwrap());
    assert_eq!(wrong(&|it| it.structured.clone_from(&skill.structured)), "is a skill itself");
    // A file of one project is of no use to the user in another.
    let file = |it: &mut Memory| it.content.push_str(" See src/release.rs.");
    let mut in_project = releases();
    file(&mut in_project[1]);
    assert!(induced(&in_project, 1.0, None).is_ok());
    let of_user = |it: &mut Memory| {
        it.scope = Scope::User;
        file(it);
    };
    assert_eq!(wrong(&of_user), "names src/release.rs, which belongs to one project");
}

#[test]
fn a_skill_is_tied_to_its_procedures_and_trusted_no_more_than_they_are() {
    let mut all = releases();
    all[0].tags = ["ci".to_owned()].into();
    all[1].provenance.trust = Trust::ASSISTANT;
    let changes = induced(&all, 1.0, None).unwrap();
    let skill = skill_in(&changes);
    let ids: Vec<MemoryId> = all.iter().map(|memory| memory.id).collect();
    assert_eq!((skill.kind, skill.utility), (Kind::Procedure, Utility::DEFAULT));
    assert_eq!(skill.provenance.trust, Trust::ASSISTANT);
    assert_eq!(skill.tags, ["ci".to_owned()].into());
    assert_eq!(made_of(&skill), ids, "a purge of one finds what repeats it");
    let edges = changes.writes.iter().filter_map(|write| match write {
        Write::Relate { relation } => Some((relation.from, relation.kind, relation.to)),
        _ => None,
    });
    let expected: Vec<_> = ids.iter().map(|id| (*id, RelationKind::InstanceOf, skill.id)).collect();
    assert_eq!(edges.collect::<Vec<_>>(), expected);
    assert_eq!(skill.status_change.reason, "skill release-build, made of 3 procedures");
}

#[test]
fn the_file_is_what_the_client_loads() {
    let mut all = releases();
    let fix = "`make push` failed: error: no such host. It worked after `make vpn`.";
    all.push(Memory {
        content: fix.to_owned(),
        kind: Kind::ErrorFix,
        structured: None,
        ..procedure(4, &["make push"])
    });
    let usages = [
        Usage {
            note: Some("the tag was there already".into()),
            ..Usage::told(all[2].id, Outcome::Failure, day(1.0))
        },
        Usage { note: Some("all went well".into()), ..Usage::told(all[2].id, Outcome::Success, day(1.5)) },
    ];
    let mut cases = cases(&all);
    cases[2].usages = &usages;
    let sight = Alike::all(0.8, &all);
    let description = "Use when a \"release\" is due,\nor a back\\port.";
    let changes = plan_induce(&cases, &sight, name("release-build"), description, None, &[], &how()).unwrap();
    let skill = skill_in(&changes);
    let file = file_of(&skill).unwrap();
    let ids: Vec<String> = all.iter().map(|memory| memory.id.to_string()).collect();
    let told = file.lines().last().unwrap().split([' ', ':']).nth(3).unwrap();
    let expected = format!(
        r#"---
name: release-build
description: "Use when a \"release\" is due, or a back\\port."
---

# Release build

## When

Use when a "release" is due, or a back\port.

## Steps

1. `make build`
2. `make test`
3. `make push`
4. `make tag`

## What went wrong before

- `make push` failed: error: no such host. It worked after `make vpn`.
- the tag was there already

## Where this comes from

- {}, 1970-01-12
- {}, 1970-01-12
- {}, 1970-01-12
- {}, 1970-01-12

<!-- engram-skill {} {told}: made from 4 procedures. Edit it freely: engram does not write over an edited file. -->
"#,
        ids[0], ids[1], ids[2], ids[3], skill.id
    );
    assert_eq!(file, expected);
    assert_eq!(told.len(), 32);
}

#[test]
fn a_text_of_ones_own_is_told_as_it_is() {
    let headed = "# Steps\n1. Capture a heap dump";
    let skill = skill_in(&induced(&releases(), 1.0, Some(headed)).unwrap());
    let file = file_of(&skill).unwrap();
    assert!(
        file.contains("Use when a release is due.\n\n# Steps\n1. Capture a heap dump\n\n## Where"),
        "{file}"
    );
    let bare = skill_in(&induced(&releases(), 1.0, Some("Capture a heap dump.")).unwrap());
    assert!(file_of(&bare).unwrap().contains("## Steps\n\nCapture a heap dump.\n"));
    assert_eq!(file_of(&releases()[0]), None, "a procedure is no skill");
}

#[test]
fn what_came_in_from_elsewhere_cannot_write_the_head_of_the_file() {
    let mut skill = release_skill();
    assert!(Skill::of(&skill).is_some());
    let kept = skill.structured.as_mut().and_then(|kept| kept.get_mut("skill")).unwrap();
    kept["description"] = json!("x\nallowed-tools: Bash");
    assert_eq!((Skill::of(&skill), file_of(&skill)), (None, None));
}

#[test]
fn names_are_what_the_client_loads() {
    for good in ["release-build", "a", "oom2", &"a".repeat(64)] {
        assert!(good.parse::<SkillName>().is_ok(), "{good}");
    }
    for bad in
        ["", "Release", "release build", "-a", "a-", "a--b", "2fa", "çay", "a/b", "..", &"a".repeat(65)]
    {
        assert!(matches!(bad.parse::<SkillName>(), Err(BadSkill::Name(_))), "{bad}");
    }
    for reserved in ["claude", "my-claude-skill", "anthropic", "true", "null"] {
        assert!(matches!(reserved.parse::<SkillName>(), Err(BadSkill::Reserved(_))), "{reserved}");
    }
    for (words, made) in [
        ("cargo test --workspace", Some("cargo-test-workspace")),
        ("./Deploy İzmir.sh", Some("deploy-izmir-sh")),
        ("claude 2 run", Some("run")),
        ("--- 42", None),
    ] {
        assert_eq!(SkillName::of_words(words).map(String::from).as_deref(), made, "{words}");
    }
    let long = SkillName::of_words(&"word ".repeat(40)).unwrap();
    assert!(long.as_str().len() <= 64 && long.numbered(12).unwrap().as_str().ends_with("-12"));
}

#[test]
fn descriptions_are_what_the_client_loads() {
    let most = "x".repeat(1_024);
    assert_eq!(check_description(&most), Ok(most.clone()));
    assert_eq!(
        check_description(&format!("{most}x")),
        Err(BadSkill::LongDescription { found: 1_025, most: 1_024 })
    );
    assert_eq!(check_description(" \n"), Err(BadSkill::NoDescription));
    assert_eq!(check_description("Use <b>now</b>"), Err(BadSkill::Markup));
    assert_eq!(check_description("Use\twhen\n due"), Ok("Use when due".to_owned()));
}

#[test]
fn a_name_is_given_once() {
    let all = releases();
    let sight = Alike::all(1.0, &all);
    let induce = |called: &str, known: &[Skill]| {
        plan_induce(&cases(&all), &sight, name(called), "Use it.", None, known, &how())
    };
    let known = Skill::of(&skill_in(&induce("release-build", &[]).unwrap())).unwrap();
    let known = Skill { sources: Vec::new(), ..known };
    let taken = Err(CannotEvolve::Skill(BadSkill::Taken(name("release-build"))));
    assert_eq!(induce("release-build", std::slice::from_ref(&known)), taken);
    assert!(induce("release-build-2", &[known]).is_ok());
    let built_in = Err(CannotEvolve::Skill(BadSkill::Taken(name("skill-editing"))));
    assert_eq!(induce("skill-editing", &[]), built_in);
}

#[test]
fn what_belongs_to_a_skill_in_force_makes_no_other() {
    let all = releases();
    let first = Skill::of(&release_skill()).unwrap();
    let sight = Alike::all(1.0, &all);
    let other = plan_induce(&cases(&all), &sight, name("ship-it"), "Use it.", None, &[first], &how());
    let missing = lacking(other);
    let told: Vec<Missing> =
        all.iter().map(|memory| Missing::Instance(memory.id, "release-build".to_owned())).collect();
    assert_eq!(missing, told);
    assert!(missing[0].to_string().contains("belongs to \"release-build\": refine that one"));
}

#[test]
fn whether_procedures_make_a_skill_does_not_depend_on_their_order() {
    let mut all = releases();
    // Two that have nothing in common with each other, and both with the third.
    all[0] = procedure(1, &["make build", "make test"]);
    all[1] = procedure(2, &["make test", "make push"]);
    all[2] = procedure(3, &["make push", "make tag"]);
    let orders = [[0, 1, 2], [1, 0, 2], [2, 1, 0], [0, 2, 1]];
    for order in orders {
        let ordered: Vec<Memory> = order.iter().map(|place| all[*place].clone()).collect();
        assert!(induced(&ordered, 0.0, None).is_ok(), "{order:?}");
    }
    all[2] = procedure(3, &["docker push"]);
    for order in orders {
        let ordered: Vec<Memory> = order.iter().map(|place| all[*place].clone()).collect();
        assert_eq!(lacking(induced(&ordered, 0.0, None)), [Missing::NotAlike(all[2].id)], "{order:?}");
    }
}

#[test]
fn what_is_told_in_words_is_told_as_ways_and_not_as_steps() {
    let told = |number: u64, text: &str| Memory {
        content: text.to_owned(),
        structured: None,
        ..procedure(number, &[])
    };
    let mut all = vec![
        told(1, "To release, sign the tag first."),
        told(2, "To release, pack the archive first."),
        told(3, "To release, check the notes first."),
    ];
    let skill = skill_in(&induced(&all, 0.9, None).unwrap());
    assert_eq!(
        skill.content,
        "## Ways it was done\n\n- To release, sign the tag first.\n- To release, pack the archive first.\n\
         - To release, check the notes first."
    );
    assert!(!file_of(&skill).unwrap().contains("## Steps"));
    all[2] = procedure(3, &["make tag", "make push"]);
    let mixed = skill_in(&induced(&all, 0.9, None).unwrap()).content;
    assert!(
        mixed.starts_with("## Steps\n\n1. `make tag`\n2. `make push`\n\n## Ways it was done\n\n- To"),
        "{mixed}"
    );
}

fn release_skill() -> Memory {
    skill_in(&induced(&releases(), 1.0, None).unwrap())
}

#[test]
fn the_file_follows_the_skill() {
    let skill = release_skill();
    let file = file_of(&skill).unwrap();
    let knows = |id: MemoryId| id == skill.id;
    assert_eq!(on_disk(None, knows), OnDisk::Absent);
    assert_eq!(plan_file(&skill, &OnDisk::Absent), FileStep::Write { text: file.clone() });
    let ours = on_disk(Some(&file), knows);
    assert!(matches!(&ours, OnDisk::Ours { skill: of, .. } if *of == skill.id), "{ours:?}");
    assert_eq!(plan_file(&skill, &ours), FileStep::Keep);
    // What somebody removed does not come back.
    assert_eq!(plan_file(&skill, &OnDisk::Removed), FileStep::Leave("somebody removed it"));
    // What was changed in the store is written again.
    let changed = Memory { content: "1. `make all`".to_owned(), ..skill.clone() };
    let text = file_of(&changed).unwrap();
    assert_eq!(plan_file(&changed, &ours), FileStep::Write { text });
    // A working tree may be checked out with other ends of lines.
    assert_eq!(on_disk(Some(&file.replace('\n', "\r\n")), knows), ours);
}

#[test]
fn a_deprecated_skill_goes_if_it_is_as_we_wrote_it() {
    let skill = release_skill();
    let ours = on_disk(file_of(&skill).as_deref(), |_| true);
    for status in [Status::Deprecated, Status::Superseded, Status::Archived, Status::Merged] {
        let gone = Memory { status, ..skill.clone() };
        assert_eq!(plan_file(&gone, &ours), FileStep::Remove, "{status}");
        for lies in [OnDisk::Absent, OnDisk::Removed] {
            assert_eq!(plan_file(&gone, &lies), FileStep::Keep);
        }
    }
    // Its text was purged, and its file goes with it.
    let purged = Memory { content: String::new(), ..skill.clone() };
    assert_eq!(plan_file(&purged, &ours), FileStep::Remove);
    // It was taken back altogether.
    assert_eq!(plan_gone(skill.id, &ours), FileStep::Remove);
    // The one that was refined does not take the file of the refined one away.
    let refined = Memory { id: MemoryId::from_ulid(ulid::Ulid(9)), ..skill.clone() };
    let theirs = on_disk(file_of(&refined).as_deref(), |_| true);
    assert!(matches!(plan_file(&refined, &ours), FileStep::Write { .. }));
    let superseded = Memory { status: Status::Superseded, ..skill };
    assert_eq!(plan_file(&superseded, &theirs), FileStep::Leave("another skill took its place"));
}

#[test]
fn a_file_that_a_person_edited_is_left_alone() {
    let skill = release_skill();
    let gone = Memory { status: Status::Deprecated, ..skill.clone() };
    let file = file_of(&skill).unwrap();
    let edited = [
        file.replace("`make test`", "`make check`"),
        file.replace("description: \"Use when", "description: \"Always use when"),
        format!("{file}\nAnd call Ayşe first.\n"),
        file.replace("made from 3 procedures. ", "made from 3 procedures.\n"),
    ];
    for text in edited {
        assert_ne!(text, file);
        let found = on_disk(Some(&text), |_| true);
        assert_eq!(found, OnDisk::Edited, "{text}");
        for memory in [&skill, &gone] {
            assert_eq!(plan_file(memory, &found), FileStep::Leave("somebody edited it"));
        }
    }
    let person = "---\nname: release-build\ndescription: mine\n---\nDo it.";
    for (text, knows) in [(person, true), (file.as_str(), false)] {
        let found = on_disk(Some(text), |_| knows);
        assert_eq!(found, OnDisk::Foreign);
        for memory in [&skill, &gone] {
            assert_eq!(plan_file(memory, &found), FileStep::Leave("somebody else wrote it"));
        }
    }
}

/// All are as alike as this.
struct Alike(f64, Vec<MemoryId>);

impl Alike {
    fn all(alike: f64, memories: &[Memory]) -> Self {
        Self(alike, memories.iter().map(|memory| memory.id).collect())
    }
}

impl Sight for Alike {
    fn near(&self, id: MemoryId, most: usize) -> Vec<(MemoryId, Similarity)> {
        let others = self.1.iter().filter(|other| **other != id);
        others.take(most).map(|other| (*other, Similarity::clamped(self.0))).collect()
    }

    fn names(&self, _: &[&str]) -> Vec<(usize, usize, Similarity)> {
        Vec::new()
    }
}

fn clusters(memories: &[Memory], edges: &[Relation], alike: f64) -> Vec<ProcedureCluster> {
    let sight = Alike::all(alike, memories);
    let memories = memories.iter().map(|memory| (memory.id, Arc::new(memory.clone()))).collect();
    let edges: BTreeSet<Relation> = edges.iter().cloned().collect();
    let usages = BTreeMap::new();
    let ground = Ground {
        memories: &memories,
        usages: &usages,
        edges: &edges,
        sight: &sight,
        noise: &[],
        at: day(2.0),
    };
    procedure_clusters(&ground)
}

#[test]
fn procedures_with_a_command_in_common_or_that_are_alike_could_make_a_skill() {
    let all = releases();
    let [found] = clusters(&all, &[], 0.0).try_into().expect("one cluster");
    assert_eq!(found.members.len(), 3);
    assert_eq!((found.name.as_str(), found.why.as_str()), ("make-build", "3 procedures run `make build`"));
    assert_eq!(
        check_description(&found.trigger),
        Ok("Use when running `make build`, for what belongs to it.".into())
    );
    assert_eq!(clusters(&all[..2], &[], 0.0), []);
    let mut apart: Vec<Memory> =
        (1..=3).map(|number| procedure(number, &[&format!("tool{number} run")])).collect();
    assert_eq!(clusters(&apart, &[], 0.7499), []);
    let [found] = clusters(&apart, &[], 0.75).try_into().expect("one cluster");
    assert_eq!(found.why, "3 procedures are alike");
    // What comes from a page makes no orders.
    apart[0].provenance.trust = Trust::INGEST;
    assert_eq!(clusters(&apart, &[], 0.99), []);
}

#[test]
fn what_belongs_to_a_skill_makes_no_other_and_names_are_not_given_twice() {
    let all = releases();
    let skill = release_skill();
    let tied = Relation::certain(all[0].id, RelationKind::InstanceOf, skill.id, day(1.0));
    assert_eq!(clusters(&all, &[tied], 0.0), []);
    let mut with_skill = all.clone();
    with_skill.push(skill);
    let mut called = with_skill[3].clone();
    Skill { name: name("make-build"), ..Skill::of(&called).unwrap() }.put(&mut called);
    with_skill[3] = called;
    let [found] = clusters(&with_skill, &[], 0.0).try_into().expect("one cluster");
    assert_eq!(found.name.as_str(), "make-build-2");
    assert_eq!(found.members.len(), 3, "the skill itself is not among them");
}

#[test]
fn what_a_group_could_make_it_can() {
    let all = releases();
    let [found] = clusters(&all, &[], 0.0).try_into().expect("one cluster");
    let sight = Alike(0.0, found.members.clone());
    let made = plan_induce(&cases(&all), &sight, found.name, &found.trigger, None, &[], &how());
    assert!(made.is_ok(), "{made:?}");
}

#[test]
fn commands_are_read_from_a_text_that_quotes_them() {
    let told = Memory {
        content: "To release run `make build` on `main`, then\n```\nrm -rf x\n```\nand `make  push`."
            .to_owned(),
        structured: None,
        ..procedure(1, &[])
    };
    assert_eq!(cluster::commands_of(&told), ["make build", "make push"]);
}

#[test]
fn skills_are_found_by_name_and_by_what_they_are_for() {
    let skill = Arc::new(release_skill());
    let names = |query: Option<&str>| -> Vec<String> {
        search(query, std::slice::from_ref(&skill), 9).into_iter().map(|it| it.skill.name.into()).collect()
    };
    assert_eq!(names(None).len(), 4);
    assert_eq!(names(Some("skill-editing"))[0], "skill-editing");
    assert_eq!(names(Some("when is a release due"))[0], "release-build");
    assert_eq!(names(Some("releasing"))[0], "release-build");
    assert_eq!(names(Some("feedback from experience"))[0], "learning-from-experience");
    assert_eq!(names(Some("zeppelin")), [""; 0]);
    let gone = Arc::new(Memory { status: Status::Deprecated, ..Memory::clone(&skill) });
    assert_eq!(search(None, &[gone], 9).len(), 3);
    assert_eq!(search(None, &[skill], 2).len(), 2);
    for found in search(None, &[], 9) {
        assert!(found.skill.protected && found.memory.is_none() && found.text.starts_with("# "));
        assert_eq!(check_description(&found.skill.description), Ok(found.skill.description));
    }
}
