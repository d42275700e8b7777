//! What goes and what stays, over several stores.

use crate::change::Actor;
use crate::erase::{Names, Sight, Theirs, Wanted, plan_erase};
use crate::id::{IdMint, OperationId, ProjectKey, TurnId};
use crate::kind::Scope;
use crate::memory::{Memory, Provenance};
use crate::plan::{Draft, Occasion, plan_remember};
use crate::turn::Turn;
use jiff::Timestamp;
use serde_json::json;

struct World(IdMint);

impl World {
    fn memory(&mut self, text: &str, speaker: Option<&str>, evidence: &[&Turn]) -> Memory {
        let at = Timestamp::from_second(1).unwrap();
        let operation = OperationId::from_ulid(self.0.mint(at));
        let occasion = Occasion { operation, actor: Actor::Human, at, recorded_at: at };
        let provenance = Provenance {
            speaker: speaker.map(str::to_owned),
            evidence: evidence.iter().map(|turn| turn.id).collect(),
            ..Provenance::stated_by(Actor::Human)
        };
        let draft = Draft::parse(text, 1_000).unwrap();
        let changes = plan_remember(draft, Scope::Project, provenance, occasion);
        match changes.writes.into_iter().next() {
            Some(crate::change::Write::Create { memory }) => *memory,
            other => panic!("{other:?}"),
        }
    }
}

fn turn(text: &str, speaker: Option<&str>) -> Turn {
    let at = Timestamp::from_second(1).unwrap();
    serde_json::from_value(json!({
        "id": TurnId::of_content(at, text), "event": "user_message", "role": "user", "turn_number": 1,
        "speaker": speaker, "content": text, "token_count": 1, "said_at": at, "recorded_at": at,
    }))
    .unwrap()
}

fn person(mentions: bool) -> Wanted {
    Wanted { names: Names::new(["Ada".into()]), mentions, project: None }
}

#[test]
fn what_a_person_said_goes_with_what_was_made_of_it() {
    let mut world = World(IdMint::seeded(1));
    let (hers, his) =
        (turn("I moved to the house by the lake", Some("Ada")), turn("I like tea", Some("Bob")));
    let heard = world.memory("moved to the house by the lake", None, &[&hers]);
    let said = world.memory("the boat is green and leaks", Some("ada"), &[]);
    let copy = world.memory("the boat is green and leaks.", None, &[]);
    let other = world.memory("Bob likes tea, says Ada, and not coffee", Some("Bob"), &[&his]);
    let memories = vec![heard.clone(), said.clone(), copy.clone(), other.clone()];
    let sight = Sight { memories, turns: vec![hers.clone(), his.clone()], ..Sight::default() };
    let plan = plan_erase(std::slice::from_ref(&sight), &person(false), &Theirs::default(), &[]);
    assert_eq!(plan.theirs.memories, [heard.id, said.id, copy.id].into());
    assert_eq!(plan.theirs.turns, [hers.id].into());
    assert!(plan.traces.in_text("she wrote: the boat is green and leaks"));
    assert!(!plan.traces.in_text(&other.content));
    assert_eq!(plan.said_by_others, 0);
    let named = plan_erase(&[sight], &person(true), &Theirs::default(), &[]);
    assert!(named.theirs.memories.contains(&other.id) && !named.theirs.turns.contains(&his.id));
}

#[test]
fn what_stays_is_no_trace_and_that_is_told() {
    let mut world = World(IdMint::seeded(1));
    let said = world.memory("the boat is green and leaks", Some("Ada"), &[]);
    let quoted = "it was told to me that the boat is green and leaks, so let us sell it and buy the red one";
    let other = world.memory(quoted, Some("Bob"), &[]);
    let sight = Sight { memories: vec![said.clone(), other], ..Sight::default() };
    let plan = plan_erase(&[sight], &person(false), &Theirs::default(), &[]);
    assert_eq!(plan.theirs.memories, [said.id].into());
    assert!(plan.traces.is_empty());
    assert_eq!(plan.said_by_others, 1);
}

#[test]
fn former_states_of_the_log_are_theirs_too() {
    let mut world = World(IdMint::seeded(1));
    let said = world.memory("the boat is red, they say", Some("Ada"), &[]);
    let undone = json!([{ "inverse": "create", "memory": { "id": "x", "speaker": "Ada",
        "content": "the dinghy is kept in the shed" } }]);
    let copied = json!([{ "memory": { "id": "y", "content": "the boat is red, they say." } }]);
    let former = json!([{ "before": { "id": said.id, "content": "the boat was green in those days" } }]);
    let sight = Sight { memories: vec![said], log: vec![undone, former, copied], ..Sight::default() };
    let plan = plan_erase(&[sight], &person(false), &Theirs::default(), &[]);
    assert!(plan.traces.in_text("the boat is red, they say"), "a copy that was undone does not spare it");
    assert!(plan.traces.in_text("the dinghy is kept in the shed"));
    assert!(plan.traces.in_text("the boat was green in those days"));
}

#[test]
fn a_project_is_all_of_its_store_and_what_came_from_it() {
    let mut world = World(IdMint::seeded(1));
    let key: ProjectKey = "p_0123456789ab".parse().unwrap();
    let own = world.memory("we deploy on fridays only", None, &[]);
    let mut risen = world.memory("tabs and not spaces in makefiles", None, &[]);
    risen.provenance.source_project = Some(key.clone());
    let mine = world.memory("I take my tea without milk", None, &[]);
    let sights = [
        Sight { whole: true, memories: vec![own.clone()], ..Sight::default() },
        Sight { memories: vec![risen.clone(), mine], ..Sight::default() },
    ];
    let wanted = Wanted { project: Some(key), ..Wanted::default() };
    let plan = plan_erase(&sights, &wanted, &Theirs::default(), &[]);
    assert_eq!(plan.theirs.memories, [own.id, risen.id].into());
}

#[test]
fn a_name_is_found_as_a_single_word_too() {
    let mut world = World(IdMint::seeded(1));
    let mut task = world.memory("somebody looks after the roof", None, &[]);
    task.structured = json!({ "assignee": "Ada" }).as_object().cloned();
    let other = world.memory("the roof is made of slate", None, &[]);
    let mut call = turn("a tool was called", None);
    call.tool = serde_json::from_value(
        json!({ "tool_name": "assign", "arguments": { "to": ["ada"] }, "success": true }),
    )
    .ok();
    assert!(call.tool.is_some());
    let sight = Sight { memories: vec![task.clone(), other], turns: vec![call.clone()], ..Sight::default() };
    let plan =
        |mentions| plan_erase(std::slice::from_ref(&sight), &person(mentions), &Theirs::default(), &[]);
    assert_eq!(plan(false).theirs, Theirs::default());
    let theirs = plan(true).theirs;
    assert_eq!((theirs.memories, theirs.turns), ([task.id].into(), [call.id].into()));
}
