//! What is understood, what is refused, and the reference page.

use super::*;
use clap::CommandFactory as _;
use expect_test::expect_file;

fn parse(line: &str) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(line.split_whitespace())
}

#[test]
fn the_commands_are_put_together_properly() {
    Cli::command().debug_assert();
}

#[test]
fn every_command_is_called_as_it_is_named_in_errors() {
    for line in [
        "recall x",
        "log",
        "recalls -n 3",
        "reindex",
        "undo",
        "backup create",
        "session list",
        "promote",
        "outcome 7QX3 partial",
        "demote 7QX3 --tier episodic",
        "dream",
        "curve 7QX3",
        "entity list",
        "graph redis",
        "days",
        "edit 7QX3 --domain ci",
        "stores",
        "projects",
        "ui",
        "watch",
        "top --once",
        "consolidation next",
        "compact",
        "feedback helpful",
        "weights",
        "evolve --dry-run",
        "reflect",
        "reminders",
        "config list",
        "stop",
    ] {
        let name = parse(&format!("engram {line}")).unwrap().command.name();
        let typed = line.split(' ').next().unwrap();
        assert_eq!(name, if typed == "log" { "operations" } else { typed });
    }
}

#[test]
fn words_and_flags_are_read() {
    let cli = parse("engram recall --scope user --scope project where is it --limit 3 --json").unwrap();
    assert!(cli.global.json);
    let Command::Recall(recall) = cli.command else { panic!() };
    assert_eq!(recall.narrow.scopes, [Scope::User, Scope::Project]);
    assert_eq!((recall.query.len(), recall.limit), (3, Some(3)));
}

#[test]
fn what_makes_no_sense_is_refused() {
    for line in [
        "engram recall",
        "engram recall x --limit 0",
        "engram remember x --kind opinion",
        "engram forget",
        "engram forget 7QX3 --query x",
        "engram forget 7QX3 --limit 3",
        "engram mark 7QX3 archived",
        "engram undo 7QX3",
        "engram undo --step drift",
        "engram undo 01JD3V8Q2Y6K4M5N7P9R1S3T5V --step breathe",
        "engram install emacs",
        "engram uninstall codex --data",
        "engram uninstall --yes",
        "engram promote --to session",
        "engram promote --tier semantic",
        "engram promote 7QX3 --tier semantic --to user",
        "engram demote 7QX3",
        "engram demote --tier episodic",
        "engram dream --only drift,breathe",
        "engram dream --only drift --depth full",
        "engram dream --scope session",
        "engram dream --limit 3",
        "engram dream --report --dry-run",
        "engram curve 7QX3 --days 0",
        "engram entity merge redis",
        "engram graph redis --hops 0",
        "engram graph redis --only likes",
        "engram graph",
        "engram graph redis --all",
        "engram graph --all --dot",
        "engram graph --all --hops 3",
        "engram graph redis --limit 3",
        "engram graph --all --limit 5001",
        "engram edit 7QX3",
        "engram edit --domain ci",
        "engram days --before 7QX3",
        "engram stores --days 367",
        "engram watch --last 0",
        "engram watch --only captures,naps",
        "engram outcome 7QX3",
        "engram outcome 7QX3 splendid",
        "engram reminders dismiss",
        "engram feedback",
        "engram feedback 9PZ4",
        "engram feedback splendid",
        "engram weights --reset --history 3",
        "engram weights --scope session",
        "engram evolve --since 3d",
        "engram evolve --report --dry-run",
        "engram evolve --dry-run candidates",
        "engram evolve candidates --criteria bad",
        "engram evolve deprecate 7QX3",
        "engram evolve refine 7QX3 text",
        "engram evolve merge 7QX3",
        "engram evolve induce 7QX3 7QX4 --name n --description d",
        "engram evolve induce 7QX3 7QX4 7QX5 --name n",
        "engram reflect --limit 0",
    ] {
        let error = parse(line).expect_err(line);
        assert_eq!(error.exit_code(), 2, "{line}");
    }
}

#[test]
fn a_session_to_end_is_not_the_session_it_is_said_in() {
    let [one, other] = ["01JD3V8Q2Y6K4M5N7P9R1S3T5V", "01JD3V8Q2Y6K4M5N7P9R1S3T60"];
    let cli = parse(&format!("engram --session {one} session end {other}")).unwrap();
    assert_eq!(cli.global.session.as_deref(), Some(one));
    let Command::Session(Session::End { ended }) = cli.command else { panic!() };
    assert_eq!(ended.as_deref(), Some(other));
}

#[test]
fn a_session_may_have_any_name() {
    let cli = parse("engram session show 4f1c-mine --session another/one").unwrap();
    assert_eq!(cli.global.session.as_deref(), Some("another/one"));
    let Command::Session(Session::Show { shown }) = cli.command else { panic!() };
    assert_eq!(shown.as_deref(), Some("4f1c-mine"));
    let Command::Promote(promote) = parse("engram promote 7QX3 --to user --session s").unwrap().command
    else {
        panic!()
    };
    assert_eq!((promote.memories.as_slice(), promote.to), (&["7QX3".to_owned()][..], Scope::User));
}

#[test]
fn several_words_of_one_option_may_be_parted_by_commas() {
    let Command::Dream(dream) = parse("engram dream --only drift,expire --only tidy").unwrap().command else {
        panic!()
    };
    assert_eq!(dream.only, [Step::Drift, Step::Expire, Step::Tidy]);
    let Command::Graph(graph) = parse("engram graph redis --only uses,depends_on").unwrap().command else {
        panic!()
    };
    assert_eq!((graph.only.len(), graph.hops, graph.dot), (2, 2, false));
    let Command::Watch(watch) = parse("engram watch --only captures,hooks").unwrap().command else {
        panic!()
    };
    assert_eq!(watch.only, [Group::Captures, Group::Hooks]);
}

#[test]
fn an_edit_replaces_all_tags_and_an_empty_one_takes_them_away() {
    let tags = |words: &[&str]| {
        let line = ["engram", "edit", "7QX3", "--domain", ""].iter().chain(words);
        let Command::Edit(edit) = Cli::try_parse_from(line).unwrap().command else { panic!() };
        edit.about.tags()
    };
    assert_eq!(tags(&[]), None);
    assert_eq!(tags(&["--tag", "ci", "--tag", "release"]), Some(vec!["ci".into(), "release".into()]));
    assert_eq!(tags(&["--tag", ""]), Some(Vec::new()));
}

#[test]
fn feedback_is_of_the_last_answer_unless_one_is_named() {
    let said = |line: &str| match parse(line).unwrap().command {
        Command::Feedback(Feedback { recall, feedback, memories }) => {
            (recall, feedback.as_str(), memories.len())
        }
        _ => panic!(),
    };
    assert_eq!(said("engram feedback helpful"), (None, "helpful", 0));
    assert_eq!(said("engram feedback not --memory 7QX3"), (None, "not_helpful", 1));
    let named = said("engram feedback 9PZ4T0QD partially_helpful --memory 7QX3 --memory 7QX4");
    assert_eq!(named, (Some("9PZ4T0QD".to_owned()), "partially_helpful", 2));
}

#[test]
fn evolve_does_something_or_is_told_what() {
    let what = |line: &str| match parse(line).unwrap().command {
        Command::Evolve(evolve) => (evolve.what, evolve.report),
        _ => panic!(),
    };
    assert!(matches!(what("engram evolve"), (None, false)));
    assert!(matches!(what("engram evolve --report --since yesterday"), (None, true)));
    let (Some(Evolution::Merge { memories, .. }), _) = what("engram evolve merge 7QX3 7QX4 --text -") else {
        panic!()
    };
    assert_eq!(memories, ["7QX3", "7QX4"]);
}

#[test]
fn reminders_are_listed_unless_something_is_to_be_done_with_them() {
    let done = |line: &str| match parse(line).unwrap().command {
        Command::Reminders { what } => what.map(|Reminders::Dismiss { memories }| memories.len()),
        _ => panic!(),
    };
    assert_eq!(done("engram reminders"), None);
    assert_eq!(done("engram reminders dismiss 7QX3 7QX4"), Some(2));
}

#[test]
fn a_single_dash_is_a_text() {
    let Command::Remember(remember) = parse("engram remember -").unwrap().command else { panic!() };
    assert_eq!(remember.text, ["-"]);
}

/// The reference page is the help itself, so that it cannot drift.
#[test]
fn the_reference_page_is_the_help() {
    let mut page = String::from(
        "# The commands of engram\n\n\
         Generated from the help texts by a test; \
         `UPDATE_EXPECT=1 cargo test -p engram-cli` writes it anew.\n",
    );
    // Rendering hands the options of `engram` itself down to every command;
    // once on the page is enough, so the commands come from a fresh copy.
    write_help(&mut page, "engram", &mut Cli::command().term_width(100));
    page += "\nThe options under \"Everywhere\" belong to every command below, too.\n";
    for command in Cli::command().get_subcommands() {
        write_page(&mut page, "engram", command.clone());
    }
    expect_file!["../../../../docs/reference/cli.md"].assert_eq(&page);
}

fn write_page(page: &mut String, above: &str, command: clap::Command) {
    if command.get_name() == "help" {
        return;
    }
    let name = format!("{above} {}", command.get_name());
    write_help(page, &name, &mut command.clone().bin_name(&name).display_name(&name).term_width(100));
    for inner in command.get_subcommands() {
        write_page(page, &name, inner.clone());
    }
}

fn write_help(page: &mut String, name: &str, command: &mut clap::Command) {
    let help = command.render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    *page += &format!("\n## {name}\n\n```text\n{}\n```\n", lines.join("\n").trim_end());
}
