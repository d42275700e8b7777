//! Where values come from, what is refused, and who may set what.

use super::*;
use crate::window::SettingLine;

#[test]
fn a_later_source_wins_and_is_named() {
    let settings = Settings::default()
        .with_file("[recall]\nlimit = 5\nprofile = \"codebase\"\n", Source::User, "user file")
        .unwrap()
        .with_file("recall.limit = 6", Source::Project, "project file")
        .unwrap()
        .with_texts([("recall.limit", "7")], Source::Environment)
        .unwrap();
    let limit = settings.get("recall.limit").unwrap();
    assert_eq!((limit.value.to_string().as_str(), limit.source), ("7", Source::Environment));
    assert_eq!(settings.get("recall.profile").unwrap().source, Source::User);
    assert_eq!(settings.get("remember.longest").unwrap().source, Source::Default);
}

#[test]
fn a_bad_value_is_refused_with_its_name_and_place() {
    let bad = |text| Settings::default().with_file(text, Source::User, "config.toml").unwrap_err();
    assert!(bad("recall.limit = 0").message.contains("config.toml: recall.limit must be between 1"));
    assert!(bad("recall.limit = \"x\"").message.contains("must be a whole number"));
    assert!(bad("recall.colour = 1").message.contains("no setting \"recall.colour\""));
    assert!(bad("recall = [").message.starts_with("config.toml: "));
    assert!(bad("client.color = \"red\"").message.contains("auto, always, never"));
}

#[test]
fn a_decimal_is_any_number_within_its_range() {
    let with = |text| Settings::default().with_file(text, Source::User, "config.toml");
    let words = |text| with(text).unwrap().decimal("weights.words");
    assert_eq!((words("weights.words = 0.25"), words("weights.words = -1")), (0.25, -1.0));
    let given = |text| Settings::default().with_texts([("weights.words", text)], Source::Flag);
    assert_eq!(given("1").unwrap().decimal("weights.words"), 1.0);
    for bad in ["weights.words = nan", "weights.words = inf", "weights.words = 2"] {
        assert!(with(bad).unwrap_err().message.contains("weights.words must be"), "{bad}");
    }
    for bad in ["nan", "-inf", "1.5", "much"] {
        assert!(given(bad).unwrap_err().message.contains("weights.words must be"), "{bad}");
    }
    assert!(with("weights.relevance_share = -0.5").unwrap_err().message.contains("between 0 and 1"));
    assert!(with("recall.limit = 5.0").unwrap_err().message.contains("a whole number"));
    let edited = edited("", "weights.words", &SettingValue::Decimal(1.0)).unwrap();
    assert_eq!(edited, "[weights]\nwords = 1.0\n");
}

#[test]
fn the_weights_of_the_defaults_are_the_weights_of_the_ranking() {
    let settings = Settings::default();
    let keys: BTreeMap<&str, f64> = settings
        .keys()
        .filter_map(|key| key.strip_prefix("weights.").map(|name| (name, settings.decimal(key))))
        .collect();
    let mut weights = Weights::default();
    let named = Weights::NAMES.iter().map(|name| (*name, *weights.named(name).unwrap())).collect();
    assert_eq!(keys, named);
    let other = settings.with_texts([("weights.speaker", "0.9")], Source::Environment).unwrap();
    assert_eq!(other.weights(), Weights { speaker: 0.9, ..Weights::default() });
}

#[test]
fn a_project_cannot_send_memories_elsewhere() {
    let text = "[embedder]\nurl = \"https://collect.example\"";
    let fault = Settings::default().with_file(text, Source::Project, "shop/config.toml").unwrap_err();
    assert!(fault.message.starts_with("shop/config.toml: a project may not set embedder.url"));
    assert!(fault.hints[1].contains("shop/config.toml"));
    Settings::default().with_file(text, Source::User, "config.toml").unwrap();
    for secret in SECRETS {
        assert!(is_personal(secret) && Settings::default().text(secret).is_empty());
    }
}

#[test]
fn a_project_cannot_choose_the_language_model() {
    let defaults = Settings::default();
    let of_llm: Vec<&Setting> = defaults.all().filter(|it| it.key.starts_with("llm.")).collect();
    assert_eq!(of_llm.len(), 10);
    for setting in of_llm {
        let text = edited("", &setting.key, &setting.value).unwrap();
        let read = |source| Settings::default().with_file(&text, source, "shop/config.toml");
        let fault = read(Source::Project).unwrap_err();
        let refused = format!("shop/config.toml: a project may not set {}", setting.key);
        assert!(fault.message.starts_with(&refused), "{}", fault.message);
        read(Source::User).unwrap();
    }
}

#[test]
fn a_project_may_have_less_captured_and_not_more() {
    let with = |text: &str| Settings::default().with_file(text, Source::Project, "shop/config.toml");
    assert!(with("capture.user_message = \"nothing\"").is_ok());
    assert!(with("capture.per_minute = 10").is_ok());
    for more in ["capture.tool_call = \"change\"", "capture.per_minute = 6001"] {
        assert!(with(more).unwrap_err().message.contains("not raise it"), "{more}");
    }
}

#[test]
fn a_project_may_lower_what_tools_and_agents_may_do_and_not_raise_it() {
    let text = "[authority]\ntools = \"mcp__*=add\"\nagents = \"codex=nothing\"\n";
    let mine = || Settings::default().with_file(text, Source::User, "mine").unwrap();
    let with = |text: &str| mine().with_file(text, Source::Project, "shop/config.toml");
    // What the user said is not lost by what the project says beside it.
    let both = with("authority.tools = \"mcp__slack*=nothing,WebFetch=nothing\"").unwrap();
    assert_eq!(both.text("authority.tools"), "mcp__*=add,mcp__slack*=nothing,WebFetch=nothing");
    assert_eq!(both.get("authority.tools").unwrap().source, Source::Project);
    assert_eq!(both.authority_rules().agents.of("codex").unwrap().most, Authority::Nothing);
    assert_eq!(with("authority.agents = \"\"").unwrap().text("authority.agents"), "codex=nothing");
    for more in ["tools = \"mcp__slack=change\"", "agents = \"codex=add\"", "agents = \"codex*=add\""] {
        let outcome = with(&format!("authority.{more}"));
        match more.contains('*') {
            // The user's own rule is the more specific one and still holds.
            true => assert_eq!(outcome.unwrap().text("authority.agents"), "codex=nothing,codex*=add"),
            false => assert!(outcome.unwrap_err().message.contains("not raise it"), "{more}"),
        }
    }
    let bad = |text: &str| Settings::default().with_file(text, Source::User, "mine").unwrap_err().message;
    assert!(bad("authority.tools = \"WebFetch\"").contains("\"WebFetch\" is no rule"));
    assert!(bad("authority.agents = \"a*b=add\"").contains("a star stands at the end"));
}

#[test]
fn a_project_may_shorten_how_long_texts_are_kept_and_not_lengthen_it() {
    let defaults = Settings::default();
    assert_eq!(defaults.retain_rules(), engram_core::law::RetainRules::default());
    let text = "[retain]\nrules = \"narrative=365\"\nturns_days = 90\n";
    let mine = || Settings::default().with_file(text, Source::User, "mine").unwrap();
    let with = |text: &str| mine().with_file(text, Source::Project, "shop/config.toml");
    let shorter = with("[retain]\nrules = \"tool_outcome=30\"\nturns_days = 7\nrecalls_days = 30\n").unwrap();
    assert_eq!(shorter.text("retain.rules"), "narrative=365,tool_outcome=30");
    assert_eq!((shorter.retain_rules().turns_days, shorter.retain_rules().recalls_days), (Some(7), 30));
    for longer in ["rules = \"narrative=366\"", "turns_days = 91", "turns_days = 0", "recalls_days = 181"] {
        let fault = with(&format!("retain.{longer}")).unwrap_err();
        assert!(fault.message.contains("not lengthen it"), "{longer}: {}", fault.message);
    }
    let project = Settings::default().with_file("retain.turns_days = 36500", Source::Project, "shop");
    assert!(project.is_ok(), "longer than for ever is nothing");
    let bad = |text: &str| Settings::default().with_file(text, Source::User, "mine").unwrap_err().message;
    assert!(bad("retain.rules = \"story=3\"").contains("no kind \"story\""));
    assert!(bad("retain.rules = \"narrative=0\"").contains("1 to 36500"));
    assert!(bad("retain.recalls_days = 0").contains("must be between 1 and 36500"));
}

#[test]
fn a_project_may_be_more_careful_with_personal_data_and_not_less() {
    let mine = || Settings::default().with_file("personal.project = \"ask\"", Source::User, "mine").unwrap();
    let with = |text: &str| mine().with_file(text, Source::Project, "shop/config.toml");
    for more in ["mask", "refuse"] {
        assert!(with(&format!("personal.project = \"{more}\"")).is_ok(), "{more}");
    }
    assert!(with("personal.project = \"off\"").unwrap_err().message.contains("more careful"));
    assert!(with("personal.user = \"hide\"").unwrap_err().message.contains("off, ask, mask, refuse"));
}

#[test]
fn personal_data_are_treated_as_a_scope_and_the_wider_ones_want_it() {
    let treated = |text: &str| {
        let settings = Settings::default().with_file(text, Source::User, "mine").unwrap();
        assert_eq!(settings.treatment(Scope::Team), Treatment::Ask, "nothing goes there by itself");
        Scope::OWN.iter().map(|scope| settings.treatment(*scope)).collect::<Vec<_>>()
    };
    use Treatment::{Ask, Mask, Off};
    assert_eq!(treated(""), [Off, Off, Off]);
    assert_eq!(treated("personal.user = \"mask\""), [Mask, Mask, Mask]);
    assert_eq!(treated("personal.session = \"mask\"\npersonal.project = \"ask\""), [Mask, Ask, Off]);
}

#[test]
fn a_language_model_has_bounds() {
    let with = |text: &str| Settings::default().with_file(text, Source::User, "config.toml");
    assert!(with("llm.dialect = \"ollama\"").unwrap_err().message.contains("none, anthropic, openai"));
    assert!(with("llm.log_texts = \"all\"").unwrap_err().message.contains("none, beginnings"));
    for bad in ["timeout_ms = 99", "tries = 0", "calls_per_day = -1", "tokens_per_day = 1000000001"] {
        assert!(with(&format!("llm.{bad}")).unwrap_err().message.contains("must be between"), "{bad}");
    }
    assert_eq!(with("llm.calls_per_day = 0").unwrap().number("llm.calls_per_day"), 0);
}

#[test]
fn every_type_of_event_has_its_authority() {
    use EventType::*;
    let settings = Settings::default();
    for event in EventType::ALL {
        let expected = match event {
            UserMessage | Remember | File => Authority::Change,
            AssistantMessage | ToolCall | SubagentResult => Authority::Add,
        };
        assert_eq!(settings.authority(*event), expected, "{event}");
    }
    let words = settings.keys().filter(|key| key.starts_with("capture.")).count() - 1;
    assert_eq!(words, EventType::ALL.len(), "all but per_minute are types of events");
    let other = settings.clone().with_texts([("capture.tool_call", "nothing")], Source::Flag).unwrap();
    assert_eq!(other.authority(ToolCall), Authority::Nothing);
    let fault = settings.with_texts([("capture.tool_call", "all")], Source::Flag).unwrap_err();
    assert!(fault.message.contains("nothing, add, change"), "{}", fault.message);
    assert!(Authority::ALL.iter().map(|word| word.as_str()).eq(AUTHORITIES));
}

#[test]
fn setting_a_value_keeps_the_comments() {
    let text = "# mine\n[recall]\n# why\nlimit = 5\n";
    let edited = edited(text, "recall.limit", &SettingValue::Integer(9)).unwrap();
    assert_eq!(edited, "# mine\n[recall]\n# why\nlimit = 9\n");
}

#[test]
fn every_default_passes_its_own_check() {
    let defaults = Settings::default();
    for setting in defaults.all() {
        check(&setting.key, &setting.value).unwrap();
    }
    assert!(defaults.keys().count() >= 10);
}

#[test]
fn learning_and_evolution_are_set_as_the_core_has_them() {
    let settings = Settings::default();
    assert_eq!(
        (settings.learning(), settings.evolution()),
        (LearningSettings::default(), EvolutionSettings::default())
    );
    let text = "[learning]\nweights = \"off\"\nrate = 0.3\nbound = 0\nleast = 9\n\
        [evolution]\nschedule = \"off\"\nevery_h = 1\nupdates = 3\nprocedures = 2\nskills = \"write\"\n";
    let settings = settings.with_file(text, Source::User, "config.toml").unwrap();
    let learning = LearningSettings { on: false, rate: 0.3, bound: Share::clamped(0.0), least: 9 };
    assert_eq!(settings.learning(), learning);
    let evolution = settings.evolution();
    assert_eq!(
        (evolution.on, evolution.every, evolution.skills),
        (false, Span::from_hours(1), SkillMode::Write)
    );
    assert_eq!((evolution.updates, evolution.procedures), (3, 2));
    let bad =
        |text: &str| Settings::default().with_file(text, Source::User, "config.toml").unwrap_err().message;
    for text in [
        "learning.rate = 0.6",
        "learning.bound = -0.1",
        "learning.least = 0",
        "evolution.every_h = 721",
        "evolution.updates = 0",
        "evolution.procedures = 1001",
        "capacity.user = 99",
        "capacity.project = 1000001",
    ] {
        assert!(bad(text).contains("must be between"), "{text}");
    }
    for text in ["learning.weights = \"yes\"", "credit.implicit = \"\"", "reflection.gaps = \"some\""] {
        assert!(bad(text).contains("one of on, off"), "{text}");
    }
    assert!(bad("evolution.skills = \"all\"").contains("one of off, propose, write"));
    assert!(SkillMode::ALL.iter().map(|word| word.as_str()).eq(SKILL_MODES));
}

#[test]
fn a_project_may_not_have_skills_written_nor_say_where() {
    let with = |text: &str| Settings::default().with_file(text, Source::Project, "shop/config.toml");
    assert!(with("evolution.skills = \"off\"").is_ok());
    assert!(with("evolution.skills = \"write\"").unwrap_err().message.contains("not raise it"));
    let fault = with("evolution.skills_folder = \"/tmp\"").unwrap_err();
    assert!(fault.message.contains("a project may not set evolution.skills_folder"), "{}", fault.message);
}

#[test]
fn a_weight_that_somebody_set_is_known_by_its_name() {
    let settings = Settings::default();
    assert!(settings.set_by_hand().is_empty());
    let settings =
        settings.with_texts([("weights.words", "0.5"), ("recall.limit", "3")], Source::Flag).unwrap();
    assert!(settings.set_by_hand().into_iter().eq(["words"]), "also where it is the default's value");
}

#[test]
fn a_secret_is_only_set_or_not() {
    for secret in SECRETS {
        let shown = |text: &str| veil(secret, &SettingValue::Text(text.into())).to_string();
        assert_eq!((shown("hush").as_str(), shown("").as_str()), ("set", ""));
    }
    assert_eq!(veil("store.url", &SettingValue::Text("ws://x".into())).to_string(), "ws://x");
}

#[test]
fn every_setting_says_what_it_is_for() {
    for key in Settings::default().keys() {
        let words = about(key).unwrap();
        assert!(words.len() > 10 && !words.contains(['#', '\n']), "{key}: {words:?}");
    }
    assert_eq!(
        about("recall.limit").unwrap(),
        "How many memories one recall returns, if nothing else is said. 1 to 1000."
    );
    assert_eq!(about("hook.capture_ms").unwrap(), about("hook.start_ms").unwrap());
    assert_ne!(about("hook.start_chars").unwrap(), about("hook.start_ms").unwrap());
    assert!(about("recall.nothing").unwrap_err().message.contains("there is no setting"));
}

#[test]
fn only_a_person_opens_doors() {
    let from = |source| Settings::default().with_file("window.read_only = \"on\"", source, "config.toml");
    assert_eq!(from(Source::User).unwrap().text("window.read_only"), "on");
    let fault = from(Source::Project).unwrap_err();
    assert!(fault.message.contains("a project may not set window.read_only"), "{}", fault.message);
    for text in ["window.port = 65536", "window.events = 15"] {
        let fault = Settings::default().with_file(text, Source::User, "config.toml").unwrap_err();
        assert!(fault.message.contains("must be between"), "{}", fault.message);
    }
}

#[test]
fn a_value_is_read_back_as_what_it_is() {
    for setting in Settings::default().all() {
        let told = serde_json::to_string(&setting.value).unwrap();
        assert_eq!(serde_json::from_str::<SettingValue>(&told).unwrap(), setting.value, "{}", setting.key);
    }
}

#[test]
fn a_line_about_a_setting_tells_its_default_and_no_secret() {
    let settings = Settings::default()
        .with_texts([("llm.key", "hush"), ("recall.limit", "3")], Source::Environment)
        .unwrap();
    let line = |key: &str| SettingLine::of(settings.get(key).unwrap()).unwrap();
    let key = line("llm.key");
    assert_eq!((key.value.to_string().as_str(), key.personal), ("set", true));
    let limit = line("recall.limit");
    assert_eq!((limit.value, limit.default), (SettingValue::Integer(3), SettingValue::Integer(10)));
    assert_eq!((limit.source, limit.personal), (Source::Environment, false));
}

#[test]
fn a_project_cannot_say_for_whom_copies_are_sealed() {
    for key in ["sealing.recipients", "sealing.identity"] {
        let from = |source| Settings::default().with_file(&format!("{key} = \"x\""), source, "config.toml");
        assert_eq!(from(Source::User).unwrap().text(key), "x");
        let fault = from(Source::Project).unwrap_err();
        assert!(fault.message.contains(&format!("a project may not set {key}")), "{}", fault.message);
    }
}
