//! Credit, told as sessions: what was shown, what was said and done, and what
//! is made of it.

mod checks;
mod random;

use super::*;
use crate::turn::{Event, ToolUse};
use jiff::SignedDuration;
use serde_json::{Value, json};
use ulid::Ulid;

/// Everything is rare but these.
pub(super) struct Common(pub(super) &'static [&'static str]);

impl Rarity for Common {
    fn share_with(&self, term: &str) -> Share {
        Share::clamped(if self.0.contains(&term.to_lowercase().as_str()) { 0.5 } else { 0.001 })
    }
}

const COMMON: Common =
    Common(&["cargo", "test", "tests", "deploy", "staging", "main.rs", "make", "node", "key"]);

/// A session in the making. Moments are minutes.
pub(super) struct Scene {
    memories: Vec<(String, Vec<&'static str>)>,
    shown: Vec<Shown>,
    turns: Vec<Turn>,
    corrected: BTreeMap<MemoryId, Timestamp>,
    skills: BTreeMap<String, MemoryId>,
}

pub(super) fn minute(minute: f64) -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap() + SignedDuration::from_secs_f64(minute * 60.0)
}

fn id(number: usize) -> MemoryId {
    MemoryId::from_ulid(Ulid(1 + number as u128))
}

impl Scene {
    pub(super) fn of(memories: &[&str]) -> Self {
        let memories = memories.iter().map(|text| ((*text).to_owned(), Vec::new())).collect();
        let (corrected, skills) = (BTreeMap::new(), BTreeMap::new());
        Self { memories, shown: Vec::new(), turns: Vec::new(), corrected, skills }
    }

    fn commands(mut self, memory: usize, commands: &[&'static str]) -> Self {
        self.memories[memory].1 = commands.to_vec();
        self
    }

    /// These memories are shown.
    pub(super) fn show(mut self, at: f64, via: Surface, asked: &str, memories: &[usize]) -> Self {
        let at = minute(at);
        let recall = RecallId::of(at, None, asked);
        for number in memories {
            let (text, commands) = &self.memories[*number];
            let files = entities_of(text).into_iter().filter(|entity| entity.kind == EntityKind::File);
            self.shown.push(Shown {
                recall,
                memory: id(*number),
                at,
                via,
                asked: asked.to_owned(),
                text: text.clone(),
                files: files.map(|entity| entity.written).collect(),
                commands: commands.iter().map(|command| (*command).to_owned()).collect(),
            });
        }
        self
    }

    fn event(mut self, at: f64, event: Event) -> Self {
        let event = Event { time: Some(minute(at)), session: Some("s".to_owned()), ..event };
        self.turns.push(Turn::of(event, 1, 0, minute(at)));
        self
    }

    pub(super) fn user(self, at: f64, text: &str) -> Self {
        self.event(at, Event::new(EventType::UserMessage, text))
    }

    pub(super) fn agent(self, at: f64, text: &str) -> Self {
        self.event(at, Event::new(EventType::AssistantMessage, text))
    }

    pub(super) fn call(self, at: f64, name: &str, ok: bool, input: Value, output: &str) -> Self {
        let tool = ToolUse { name: name.to_owned(), input, output: json!(output), ok, duration_ms: None };
        self.event(at, Event { tool: Some(tool), ..Event::new(EventType::ToolCall, "") })
    }

    pub(super) fn bash(self, at: f64, ok: bool, command: &str) -> Self {
        self.call(at, "Bash", ok, json!({ "command": command }), "")
    }

    fn edit(self, at: f64, file: &str, old: &str, new: &str) -> Self {
        self.call(at, "Edit", true, json!({"file_path": file, "old_string": old, "new_string": new}), "")
    }

    fn session<'a>(&'a self, rarity: &'a dyn Rarity, over: bool, at: f64) -> Session<'a> {
        let Self { shown, turns, corrected, skills, .. } = self;
        Session { shown, turns, rarity, corrected, skills, over, at: minute(at) }
    }

    /// As it is known when it is over.
    pub(super) fn credit(&self) -> Credit {
        plan_credit(&self.session(&COMMON, true, 1_000.0))
    }

    #[track_caller]
    fn gives(&self, expected: &[&str]) {
        let told = |usage: &Usage| {
            let note = usage.note.as_deref().unwrap_or_default();
            let memory = usage.memory.ulid().0 - 1;
            let after = usage.at.duration_since(minute(0.0)).as_mins();
            format!("{memory} {}/{} at {after}: {note}", usage.outcome, usage.source)
        };
        let found: Vec<String> = self.credit().usages.iter().map(told).collect();
        assert_eq!(found, expected);
    }
}

/// A question at once answered with this text.
fn answered(memory: &str, prompt: &str, answer: &str) -> Credit {
    let scene = Scene::of(&[memory]).user(0.0, prompt).show(0.0, Surface::Prompt, prompt, &[0]);
    scene.agent(1.0, answer).credit()
}

#[test]
fn a_memory_whose_rare_words_come_up_was_reused() {
    for (memory, answer, reused) in [
        // English: two rare words, whatever their endings; one is too few.
        ("staging deploys go through the bastion tunnel", "Going through the bastions and a tunnel.", true),
        ("staging deploys go through the bastion tunnel", "Going through the bastion.", false),
        ("staging deploys go through the bastion tunnel", "The staging deploy goes out now.", false),
        // Turkish: the same words with other endings.
        ("yedekleme betiği kasada duruyor", "Kasadaki yedeklemenin betiğini çalıştırdım.", true),
        ("yedekleme betiği kasada duruyor", "Betiği bilmiyorum, bir bakayım.", false),
        ("gece derlemesi için vekil sunucu gerekiyor", "Önce vekil sunucuyu açıyorum.", true),
        // One thing that is spelt as only it is.
        ("retries are in `BackoffPolicy`", "I use BackoffPolicy here.", true),
        ("tekrar denemeler `BackoffPolicy` içinde", "BackoffPolicy'yi kullanıyorum.", true),
        ("set RETRY_BUDGET before a run", "export RETRY_BUDGET first", true),
        ("the limit is in ops/limits/prod.toml", "see ops/limits/prod.toml", true),
        ("the gateway gives up after 45 s", "It waits for 45 s at most.", true),
        ("geçit 45 saniye sonra vazgeçiyor", "En çok 45 saniye bekler.", true),
        ("we are pinned to protoc 3.12.4", "Installing 3.12.4 then.", true),
        ("a run takes 5 min", "this takes 5 min or so", false),
        ("tünel `rotate cache` ile açılır", "then rotate cache", true),
        ("put it into `main.rs`", "I opened main.rs.", false),
        ("run `make key` once", "then make key", false),
        // Nothing of it.
        ("the vault is rotated on mondays", "I changed the button to blue.", false),
        ("", "Something else entirely, quite long and telling.", false),
    ] {
        let credit = answered(memory, "go on", answer);
        assert_eq!(credit.usages.len(), usize::from(reused), "{memory} / {answer}: {credit:?}");
        assert_eq!(credit.settled[0].used.len(), usize::from(reused));
    }
}

#[test]
fn two_rare_words_of_a_long_report_prove_nothing() {
    let words: Vec<String> = (0..70)
        .map(|number| format!("zorbl{}ax", (b'a' + number % 26) as char).repeat(1 + number as usize / 26))
        .collect();
    let report = words.join(" ");
    let with = |count: usize| answered(&report, "go on", &words[..count].join(" and ")).usages.len();
    // Seventy terms ask for two more than two.
    assert_eq!((with(2), with(3), with(4)), (0, 0, 1));
}

#[test]
fn words_of_the_prompt_are_no_sign() {
    let memory = "staging deploys go through the bastion tunnel";
    assert!(answered(memory, "is the bastion a tunnel?", "Yes, the bastion is a tunnel.").usages.is_empty());
    assert!(
        answered("retries are in `BackoffPolicy`", "BackoffPolicy?", "BackoffPolicy, yes").usages.is_empty()
    );
    // Nor is what was asked with a tool, nor what was said before or in between,
    // nor what a tool printed, nor what stood in a file already.
    let shown = |scene: Scene| scene.show(5.0, Surface::Tool, "bastion", &[0]);
    let scene = || Scene::of(&[memory]);
    let answer = |scene: Scene| scene.agent(9.0, "The bastion has a tunnel.").credit().usages.len();
    assert_eq!(answer(shown(scene())), 0);
    assert_eq!(answer(shown(scene().agent(1.0, "There is a tunnel."))), 0);
    assert_eq!(answer(scene().show(5.0, Surface::Tool, "", &[0]).user(6.0, "mind the tunnel")), 0);
    let printed = json!({"command": "cat notes"});
    assert_eq!(
        answer(scene().show(5.0, Surface::Tool, "", &[0]).call(6.0, "Bash", true, printed, "tunnel")),
        0
    );
    assert_eq!(answer(scene().show(5.0, Surface::Tool, "", &[0]).edit(6.0, "a.md", "bastion", "x")), 0);
    // What the agent says twice after it was shown, it has from there.
    assert_eq!(answer(scene().show(5.0, Surface::Tool, "", &[0]).agent(6.0, "A bastion it is.")), 1);
}

#[test]
fn words_that_two_memories_share_credit_neither_alone() {
    let memories = ["the bastion is reached by a tunnel", "a tunnel leads to the bastion of blorbland"];
    let scene = |answer: &str| {
        let scene = Scene::of(&memories).show(0.0, Surface::Prompt, "", &[0, 1]);
        scene.agent(1.0, answer).credit().usages.iter().map(|usage| usage.memory).collect::<Vec<_>>()
    };
    assert_eq!(scene("the bastion, by the tunnel"), []);
    assert_eq!(scene("the bastion, by the tunnel, in Blorbland"), [id(1)]);
    // One that was shown when the first had long been done with is no rival.
    let later = Scene::of(&memories).show(0.0, Surface::Prompt, "", &[1]).agent(1.0, "hm");
    let later = later.agent(200.0, "on").show(201.0, Surface::Prompt, "", &[0]);
    assert_eq!(later.agent(202.0, "the bastion, by the tunnel").credit().usages.len(), 1);
}

#[test]
fn a_bystander_beside_a_success_gains_nothing() {
    let scene = Scene::of(&["retries are in `BackoffPolicy`", "the vault is rotated on mondays"]);
    let scene = scene.show(0.0, Surface::Prompt, "mend the retries", &[0, 1]);
    let scene = scene.edit(1.0, "a.rs", "x", "BackoffPolicy::new()").bash(2.0, true, "cargo test");
    scene.gives(&["0 success/check at 2: `cargo test` passed"]);
    assert_eq!(scene.credit().settled[0].used, [id(0)]);
}

/// An advice is followed at minute one.
fn followed() -> Scene {
    Scene::of(&["retries are in `BackoffPolicy`"]).show(0.0, Surface::Prompt, "mend it", &[0]).edit(
        1.0,
        "/p/src/a.rs",
        "retry()",
        "BackoffPolicy::new()",
    )
}

#[test]
fn a_test_that_failed_after_the_advice_counts_against_it() {
    followed().bash(2.0, false, "cargo test").gives(&["0 failure/check at 2: `cargo test` failed"]);
    let other = followed().bash(2.0, false, "cargo test").bash(3.0, true, "cargo build");
    other.gives(&["0 failure/check at 2: `cargo test` failed"]);
    // What failed before is not the fault of the advice, which did not mend it.
    let broken = Scene::of(&["retries are in `BackoffPolicy`"]).bash(-9.0, false, "cargo  test");
    let broken = broken.show(0.0, Surface::Prompt, "mend it", &[0]).edit(1.0, "a.rs", "x", "BackoffPolicy");
    broken
        .bash(2.0, false, "cargo test")
        .gives(&["0 partial/check at 2: `cargo test` failed as it had before"]);
}

#[test]
fn a_failure_that_was_mended_is_partial() {
    let mended = followed().bash(2.0, false, "cargo test").bash(3.0, false, "cargo test").bash(
        4.0,
        true,
        "cargo test",
    );
    mended.gives(&["0 partial/check at 4: `cargo test` failed, and passed later"]);
    // What had to be taken out for it did not serve.
    let out = |scene: Scene| scene.bash(4.0, true, "cargo test");
    let failed = || followed().bash(2.0, false, "cargo test");
    for scene in [
        failed().edit(3.0, "/p/src/a.rs", "BackoffPolicy::new()", "retry(3)"),
        failed().bash(3.0, true, "git checkout -- src/a.rs"),
    ] {
        out(scene).gives(&["0 failure/check at 4: `cargo test` passed when it was taken out"]);
    }
    let more = failed().edit(3.0, "/p/src/a.rs", "BackoffPolicy::new()", "BackoffPolicy::of(3)");
    out(more).gives(&["0 partial/check at 4: `cargo test` failed, and passed later"]);
}

#[test]
fn a_check_of_something_else_says_nothing() {
    let mentioned = || {
        let scene = Scene::of(&["deploys go through `shipit.sh`"]).user(0.0, "how do we deploy?");
        scene.show(0.0, Surface::Prompt, "how do we deploy?", &[0]).agent(1.0, "By shipit.sh.")
    };
    let reused = &["0 success/reuse at 1: came up: shipit.sh"];
    for passed in [true, false] {
        let next = mentioned().user(2.0, "fine, now rename the parser").edit(3.0, "/p/a.rs", "x", "y");
        next.bash(4.0, passed, "cargo test -p parser").gives(reused);
        mentioned().user(2.0, "run the tests").bash(4.0, passed, "cargo test").gives(reused);
    }
    // Who only asks for the check goes on with what was done.
    let asked = followed().user(2.0, "now run the tests").bash(3.0, false, "cargo test");
    asked.gives(&["0 failure/check at 3: `cargo test` failed"]);
    let other = || followed().user(2.0, "now rename the parser");
    let kept = &["0 success/reuse at 1: came up: BackoffPolicy"];
    other().edit(3.0, "/p/src/b.rs", "x", "y").bash(4.0, false, "cargo test").gives(kept);
    other().bash(3.0, true, "sed -i s/x/y/ src/b.rs").bash(4.0, false, "cargo test").gives(kept);
}

#[test]
fn a_command_answers_for_itself_and_for_what_runs_right_after_it() {
    let told = || {
        let scene = Scene::of(&["deploy with shipit"]).commands(0, &["./shipit.sh --now"]);
        scene.show(0.0, Surface::Prompt, "", &[0])
    };
    let ran = |ok| told().bash(1.0, ok, "./shipit.sh --now");
    ran(true).gives(&["0 success/reuse at 1: was run: ./shipit.sh --now"]);
    ran(false).gives(&["0 failure/check at 1: `./shipit.sh --now` failed"]);
    let next = ran(true).bash(2.0, false, "cargo test");
    next.gives(&["0 failure/check at 2: `cargo test` failed"]);
    let later = ran(true).bash(2.0, true, "sed -i s/x/y/ a.rs").bash(3.0, false, "cargo test");
    later.gives(&["0 success/reuse at 1: was run: ./shipit.sh --now"]);
}

#[test]
fn a_check_that_runs_the_advice_itself_decides() {
    let told = Scene::of(&["check it with `zorbl`"]).commands(0, &["tox -e zorbl"]);
    let told = told.show(0.0, Surface::Prompt, "", &[0]).bash(1.0, false, "cd a && tox -e zorbl");
    told.gives(&["0 failure/check at 1: `cd a && tox -e zorbl` failed"]);
}

#[test]
fn a_reverted_edit_is_a_failure() {
    let git = "0 failure/edit at 3: the edit of /p/src/a.rs was taken back";
    followed().bash(3.0, true, "git checkout -- src/a.rs").gives(&[git]);
    followed().edit(3.0, "/p/src/a.rs", "BackoffPolicy::new()", "retry()").gives(&[git]);
    let kept = &["0 success/reuse at 1: came up: BackoffPolicy"];
    followed().bash(3.0, true, "git checkout -- src/b.rs").gives(kept);
    followed().bash(3.0, true, "git stash").bash(4.0, true, "git stash pop").gives(kept);
    // Another edit that was taken back says nothing of the advice.
    followed().edit(2.0, "/p/src/b.rs", "x", "y").edit(3.0, "/p/src/b.rs", "y", "x").gives(kept);
}

#[test]
fn a_correction_by_the_user_is_a_failure() {
    let corrected = |at: f64| {
        let mut scene = followed().bash(2.0, true, "cargo test").user(3.0, "no, that is wrong");
        scene.corrected.insert(id(0), minute(at));
        scene
    };
    corrected(3.0).gives(&["0 failure/correction at 3: the user set it right"]);
    corrected(-5.0).gives(&["0 success/check at 2: `cargo test` passed"]);
    // What was never taken up is not blamed for being set right.
    let mut shown = Scene::of(&["retries are in `BackoffPolicy`"]).show(0.0, Surface::Prompt, "", &[0]);
    shown.corrected.insert(id(0), minute(3.0));
    shown.agent(1.0, "hm").user(3.0, "no").gives(&[]);
}

#[test]
fn a_file_that_is_opened_and_a_command_that_is_run_are_reuse() {
    let file = |tool: &str, path: &str| {
        let scene =
            Scene::of(&["limits are set in ops/limits/prod.toml"]).show(0.0, Surface::SessionStart, "", &[0]);
        scene.call(50.0, tool, true, json!({ "file_path": path }), "")
    };
    let opened = &["0 success/reuse at 50: was opened: ops/limits/prod.toml"];
    file("Read", "/home/u/p/ops/limits/prod.toml").gives(opened);
    file("Edit", "ops/limits/prod.toml").gives(opened);
    file("Read", "/home/u/p/ops/limits/test.toml").gives(&[]);
    let told = || Scene::of(&["how a release is made"]).commands(0, &["zorbl publish"]);
    let told = || told().show(0.0, Surface::Prompt, "", &[0]);
    told()
        .bash(1.0, true, "cd x && zorbl publish --all")
        .gives(&["0 success/reuse at 1: was run: zorbl publish"]);
    told().agent(1.0, "one could zorbl publish it").gives(&[]);
}

#[test]
fn what_a_hint_was_shown_beside_is_no_reuse_of_it() {
    let hint = || Scene::of(&["how a release is made"]).commands(0, &["zorbl publish"]);
    let beside = hint().show(0.0, Surface::Command, "", &[0]).bash(0.1, true, "zorbl publish");
    beside.gives(&[]);
    // A hint about what has just failed is followed by the next call.
    let failed = hint().bash(0.0, false, "npm publish").show(0.01, Surface::Command, "", &[0]);
    failed.bash(1.0, true, "zorbl publish").gives(&["0 success/reuse at 1: was run: zorbl publish"]);
    let before = hint().bash(0.0, false, "npm publish").show(0.5, Surface::Command, "", &[0]);
    before.bash(1.0, true, "zorbl publish").gives(&[]);
}

#[test]
fn what_engram_itself_says_is_not_the_agents() {
    let shown = || Scene::of(&["the bastion is reached by a tunnel"]).show(1.0, Surface::Tool, "", &[0]);
    let fence =
        "<memory note=\"data\">\n- the bastion is reached by a tunnel (project, fact, today)\n</memory>";
    shown().agent(2.0, &format!("I was told:\n{fence}")).gives(&[]);
    shown().bash(2.0, true, "engram outcome X \"bastion tunnel\"").gives(&[]);
    shown().call(2.0, "mcp__engram__remember", true, json!({"text": "bastion tunnel"}), "").gives(&[]);
    // What it answers is no news to anybody, either.
    let asked = json!({"command": "engram recall bastions"});
    let shown = shown().call(2.0, "Bash", true, asked, "1. the bastion is reached by a tunnel");
    shown
        .agent(3.0, "By the tunnel to the bastion.")
        .gives(&["0 success/reuse at 3: came up: bastion, tunnel"]);
}

#[test]
fn an_open_window_is_not_judged() {
    let scene = |messages: usize| {
        (0..messages).fold(followed(), |scene, at| {
            scene.user(2.0 + at as f64, "and now?").agent(2.5 + at as f64, "so")
        })
    };
    let judged = |scene: &Scene, over: bool, at: f64| {
        let credit = plan_credit(&scene.session(&COMMON, over, at));
        (credit.usages.len(), credit.settled.len(), credit.open)
    };
    // The third message of the user closes it, or half an hour of silence, or the end.
    assert_eq!(judged(&scene(2), false, 5.0), (0, 0, 1));
    assert_eq!(judged(&scene(3), false, 5.0), (1, 1, 0));
    assert_eq!(judged(&followed(), false, 30.9), (0, 0, 1));
    assert_eq!(judged(&followed(), false, 31.0), (1, 1, 0));
    assert_eq!(judged(&followed(), true, 1.0), (1, 1, 0));
    // What comes after it is closed is no part of it.
    let late = |at: f64| {
        let scene = Scene::of(&["retries are in `BackoffPolicy`"]).show(0.0, Surface::Prompt, "", &[0]);
        scene.agent(1.0, "hm").agent(at, "BackoffPolicy").credit().usages.len()
    };
    assert_eq!((late(30.9), late(31.0)), (1, 0));
    let fourth = |messages: usize| {
        let scene = Scene::of(&["retries are in `BackoffPolicy`"])
            .show(0.0, Surface::Prompt, "", &[0])
            .agent(0.5, "hm");
        let scene = (1..=messages).fold(scene, |scene, at| scene.user(at as f64, "and?"));
        scene.agent(9.0, "BackoffPolicy").credit().usages.len()
    };
    assert_eq!((fourth(2), fourth(3)), (1, 0));
}

#[test]
fn a_recall_after_which_nothing_was_heard_is_not_settled() {
    let silent = Scene::of(&["retries are in `BackoffPolicy`"]).show(0.0, Surface::Tool, "", &[0]);
    assert_eq!(silent.credit(), Credit::default());
    assert_eq!(silent.user(1.0, "hello?").credit(), Credit::default());
}

#[test]
fn one_reuse_counts_once_for_the_latest_showing() {
    let scene = Scene::of(&["retries are in `BackoffPolicy`"]).show(0.0, Surface::SessionStart, "", &[0]);
    let scene = scene.user(1.0, "mend it").show(1.0, Surface::Prompt, "mend it", &[0]);
    let scene = scene.edit(2.0, "a.rs", "x", "BackoffPolicy").bash(3.0, true, "cargo test");
    scene.gives(&["0 success/check at 3: `cargo test` passed"]);
    let credit = scene.credit();
    let used: Vec<usize> = credit.settled.iter().map(|settled| settled.used.len()).collect();
    assert_eq!(used.iter().sum::<usize>(), 1, "{credit:?}");
    let by_prompt = RecallId::of(minute(1.0), None, "mend it");
    assert_eq!(credit.usages[0].recall, Some(by_prompt));
}

#[test]
fn a_skill_that_is_loaded_is_used_and_what_it_leads_to_counts() {
    let loaded = |ok: bool| {
        let mut scene = Scene::of(&[]);
        scene.skills.insert("release-it".to_owned(), id(7));
        scene.call(1.0, "Skill", ok, json!({"args": "x", "skill": "mine:release-it"}), "")
    };
    loaded(true).gives(&["7 success/reuse at 1: was run: release-it"]);
    loaded(true).bash(2.0, false, "make test").gives(&["7 failure/check at 2: `make test` failed"]);
    loaded(false).gives(&[]);
    let open = plan_credit(&loaded(true).session(&COMMON, false, 2.0));
    assert!(open.usages.is_empty());
}

#[test]
fn judging_twice_gives_the_same_rows() {
    let scene = followed().bash(2.0, true, "cargo test");
    let first = plan_credit(&scene.session(&COMMON, false, 100.0));
    let scene = scene.user(200.0, "go on").bash(201.0, false, "cargo test");
    let again = plan_credit(&scene.session(&COMMON, true, 300.0));
    assert_eq!((first.usages.len(), &first.usages), (1, &again.usages));
}

#[test]
fn a_term_is_rare_in_a_small_store_if_two_memories_have_it() {
    struct Of(usize, usize);
    impl Rarity for Of {
        fn share_with(&self, _: &str) -> Share {
            Share::clamped(self.0 as f64 / self.1 as f64)
        }
        fn memories(&self) -> Option<usize> {
            Some(self.1)
        }
    }
    for (with, of, rare) in [
        (2, 10, true),
        (3, 10, false),
        (2, 100, true),
        (3, 100, false),
        (20, 1_000, true),
        (21, 1_000, false),
    ] {
        let scene = followed();
        let usages = plan_credit(&scene.session(&Of(with, of), true, 9.0)).usages;
        assert_eq!(usages.len(), usize::from(rare), "{with} of {of}");
    }
}

#[test]
fn what_is_shown_names_its_files_and_commands() {
    let mut memory = crate::law::sample::memory(1);
    memory.content = "see src/a.rs".to_owned();
    memory.structured =
        json!({"entities": ["file:src/b.rs", "tool:make"], "commands": ["make it", 7]}).as_object().cloned();
    let recall = RecallLogged {
        id: RecallId::of(minute(0.0), None, "q"),
        via: Surface::Tool,
        query: "q".to_owned(),
        query_type: crate::ask::QueryType::General,
        intent: crate::ask::Intent::General,
        strategy: crate::recalled::Strategy::Hybrid,
        results_returned: 1,
        results_used: 0,
        user_feedback: None,
        latency_ms: 1.0,
        scopes: Vec::new(),
        with_model: false,
        shown: vec![memory.id],
        pool: Vec::new(),
        used: Vec::new(),
        settled_at: None,
        confidence: crate::unit::Confidence::DEFAULT,
        session: None,
        at: minute(0.0),
    };
    let shown = Shown::of(&recall, &memory);
    assert_eq!(shown.files.iter().map(String::as_str).collect::<Vec<_>>(), ["src/a.rs", "src/b.rs"]);
    assert_eq!(
        (shown.commands, shown.asked, shown.via),
        (vec!["make it".to_owned()], "q".to_owned(), Surface::Tool)
    );
}
