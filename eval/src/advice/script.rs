//! A made-up project: good advice, bad advice and bystanders, and an agent that
//! follows some of it and runs the tests.
//!
//! Every text is made here. What the engine makes of all this is not known.

use crate::texts::{Dice, name_of, remark};
use engram_core::turn::{Event, EventType, ToolUse};
use engram_core::{Span, Timestamp};
use serde_json::json;

/// What a memory of the project is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Group {
    Good,
    Bad,
    /// It speaks of the same thing and gives no advice.
    Bystander,
}

impl Group {
    pub(crate) const ALL: [Group; 3] = [Group::Good, Group::Bad, Group::Bystander];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Group::Good => "good",
            Group::Bad => "bad",
            Group::Bystander => "bystanders",
        }
    }
}

/// One memory of the project.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    pub(crate) group: Group,
    pub(crate) topic: usize,
    pub(crate) text: String,
    /// What whoever follows it writes, or what whoever mentions it says.
    sign: String,
}

/// What the tasks are about, and what goes wrong there. Each has one good
/// advice, one bad one and three bystanders: 20, 20 and 60.
const TOPICS: [(&str, &str); 20] = [
    ("billing", "hang at the end"),
    ("search", "time out"),
    ("checkout", "leak file handles"),
    ("ledger", "round amounts wrongly"),
    ("mailer", "send twice"),
    ("gateway", "drop connections"),
    ("reports", "run out of memory"),
    ("catalogue", "fail on empty pages"),
    ("accounts", "mix up sessions"),
    ("payments", "deadlock"),
    ("shipping", "ignore the time zone"),
    ("inventory", "count below zero"),
    ("pricing", "cache stale values"),
    ("metrics", "lose samples"),
    ("scheduler", "start too late"),
    ("uploader", "stop half way"),
    ("notifier", "flood the queue"),
    ("importer", "choke on long lines"),
    ("renderer", "flicker"),
    ("archiver", "corrupt the last file"),
];
pub(crate) const COUNT: usize = TOPICS.len();

/// Whoever reads advice follows it with this chance, else reads on.
const FOLLOWS: f64 = 0.7;
/// A test says the opposite of what is so with this chance.
const FLAKY: f64 = 0.1;
/// An agent that follows nothing mends it by himself with this chance.
const BY_HIMSELF: f64 = 0.5;
/// Who mends what failed takes out what he had put in with this chance.
const TAKES_OUT: f64 = 0.5;
/// In so many answers a bystander's name falls, without any part in it.
const MENTIONS: f64 = 0.1;

/// A name that no other text has.
fn unlike(number: u64) -> String {
    name_of(number.wrapping_mul(829_367_891).wrapping_add(40_503))
}

/// All memories of the project, in no particular order.
pub(crate) fn texts() -> Vec<Text> {
    let mut texts = Vec::new();
    for (topic, (area, trouble)) in TOPICS.into_iter().enumerate() {
        let name = |place: u64| unlike(topic as u64 * 5 + place);
        let (call, flag) =
            (format!("drain_{}", name(0).to_lowercase()), format!("WITH_{}", name(1).to_uppercase()));
        let (team, board, host) = (name(2), name(3), name(4));
        let mut add = |group, text: String, sign: String| texts.push(Text { group, topic, text, sign });
        add(Group::Good, format!("Where the {area} tests {trouble}, call `{call}` before they start."), call);
        add(Group::Bad, format!("Set `{flag}` in the environment if the {area} tests {trouble}."), flag);
        add(Group::Bystander, format!("Team {team} looks after the {area} tests."), team);
        add(
            Group::Bystander,
            format!("Results of the {area} tests are shown on the board of {board}."),
            board,
        );
        add(Group::Bystander, format!("The {area} tests run every night on {host}."), host);
    }
    texts
}

/// What the user asks of an agent.
pub(crate) fn task(topic: usize) -> String {
    let (area, trouble) = TOPICS[topic];
    format!("The {area} tests {trouble} again. Please mend that.")
}

/// What an agent does about one task.
pub(crate) struct Deeds {
    pub(crate) events: Vec<Event>,
    /// The place of the advice that it followed among what it was shown.
    pub(crate) followed: Option<usize>,
}

/// How agents work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Habits {
    /// Where the tests fail he goes on by himself until they pass, with this
    /// chance.
    pub(crate) mends: f64,
}

/// Reads what he is shown from the top, follows advice on his task or none, and
/// runs the tests.
pub(crate) fn work(topic: usize, shown: &[&Text], habits: Habits, at: Timestamp, dice: &mut Dice) -> Deeds {
    let advises = |text: &Text| text.topic == topic && text.group != Group::Bystander;
    let followed = (0..shown.len()).find(|place| advises(shown[*place]) && dice.happens(FOLLOWS));
    let mut events = Vec::new();
    let mut say = |seconds: i64, event: Event| {
        events.push(Event { time: Some(at + Span::from_secs(seconds)), ..event });
    };
    let chatter = remark(dice);
    let mut written = None;
    let mention = match shown.iter().find(|text| text.group == Group::Bystander) {
        Some(text) if dice.happens(MENTIONS) => format!(" As {} knows.", text.sign),
        _ => String::new(),
    };
    match followed.map(|place| shown[place]) {
        Some(text) => {
            if dice.below(2) == 0 {
                let said = format!("I shall use `{}` for it: {chatter}.", text.sign);
                say(10, Event::new(EventType::AssistantMessage, said));
            }
            let with = format!("begin(\"{}\");", text.sign);
            let input =
                json!({ "file_path": "tests/common.rs", "old_string": "begin();", "new_string": with });
            say(20, used("Edit", input, true));
            written = Some(with);
            say(30, Event::new(EventType::AssistantMessage, format!("It is changed: {chatter}.{mention}")));
        }
        None => {
            say(20, Event::new(EventType::AssistantMessage, format!("I looked at it: {chatter}.{mention}")))
        }
    }
    let works = match followed.map(|place| shown[place].group) {
        Some(group) => group == Group::Good,
        None => dice.happens(BY_HIMSELF),
    };
    let passed = works != dice.happens(FLAKY);
    let tests = json!({ "command": format!("cargo test -p {}", TOPICS[topic].0) });
    say(60, used("Bash", tests.clone(), passed));
    if !passed && dice.happens(habits.mends) {
        // He cannot know what was wrong: he takes out what he had put in, or
        // changes something else.
        let edit = match written.filter(|_| dice.happens(TAKES_OUT)) {
            Some(written) => json!({ "file_path": "tests/common.rs", "old_string": written,
                "new_string": format!("begin(); // {}", remark(dice)) }),
            None => json!({ "file_path": "src/lib.rs", "old_string": "a", "new_string": remark(dice) }),
        };
        say(90, used("Edit", edit, true));
        say(120, used("Bash", tests, true));
    }
    Deeds { events, followed }
}

fn used(name: &str, input: serde_json::Value, ok: bool) -> Event {
    let tool =
        ToolUse { name: name.to_owned(), input, output: serde_json::Value::Null, ok, duration_ms: None };
    Event { tool: Some(tool), ..Event::new(EventType::ToolCall, "") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn twenty_are_good_twenty_bad_and_sixty_stand_by() {
        let texts = texts();
        let count = |group| texts.iter().filter(|text| text.group == group).count();
        assert_eq!(Group::ALL.map(count), [20, 20, 60]);
        let signs: BTreeSet<&str> = texts.iter().map(|text| text.sign.as_str()).collect();
        assert_eq!(signs.len(), 100, "every sign belongs to one text");
        let said: Vec<String> = (0..COUNT).map(task).collect();
        assert!(signs.iter().all(|sign| said.iter().all(|task| !task.contains(sign))));
    }

    #[test]
    fn an_agent_follows_what_stands_first_most_often_and_the_tests_tell() {
        let texts = texts();
        let shown: Vec<&Text> = texts.iter().filter(|text| text.topic == 3).collect();
        let (mut dice, at) = (Dice::new(1), Timestamp::UNIX_EPOCH);
        let mut counted = [0; 3];
        let mut failed = 0;
        for _ in 0..2_000 {
            let deeds = work(3, &shown, Habits { mends: 0.0 }, at, &mut dice);
            counted[deeds.followed.unwrap_or(2)] += 1;
            let ran =
                deeds.events.iter().filter_map(|event| event.tool.as_ref()).find(|tool| tool.name == "Bash");
            failed += usize::from(deeds.followed == Some(1) && !ran.unwrap().ok);
        }
        let share = |count: usize, of: usize| count as f64 / of as f64;
        assert!((share(counted[0], 2_000) - 0.7).abs() < 0.04, "{counted:?}");
        assert!((share(counted[1], 2_000) - 0.21).abs() < 0.04, "{counted:?}");
        assert!((share(failed, counted[1]) - 0.9).abs() < 0.05, "{failed} of {counted:?}");
    }
}
