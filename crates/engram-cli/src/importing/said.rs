//! What of a message somebody said, and what the client wrote into it.
//!
//! Claude Code keeps reminders, commands, their output and notices of other
//! agents in messages of the user. This file knows those wrappers and nothing
//! of the lines they come in.

/// Blocks that the client writes, by the name of their tag.
const MACHINE_BLOCKS: &[&str] = &[
    "system-reminder",
    "command-name",
    "command-message",
    "command-args",
    "command-contents",
    "local-command-caveat",
    "local-command-stdout",
    "local-command-stderr",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "user-prompt-submit-hook",
    "session-start-hook",
    "task-notification",
    "teammate-message",
    "cross-session-message",
    "scheduled-task",
    "fork-boilerplate",
    "persisted-output",
    "new-diagnostics",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
];

/// How messages begin that the client writes in the user's name.
const MACHINE_BEGINNINGS: &[&str] = &[
    "Caveat: The messages below were generated",
    "[Request interrupted by user",
    "This session is being continued from a previous conversation",
    "Another Claude session sent a message",
    "The coordinator sent a message",
    "UserPromptSubmit operation blocked by hook",
    "UserPromptSubmit hook additional context:",
    "Stop hook feedback:",
];

/// What a person said in a message; None if it was all the client's.
pub(crate) fn said(text: &str) -> Option<String> {
    let rest = without_blocks(text, MACHINE_BLOCKS);
    let rest = rest.trim();
    let machine = MACHINE_BEGINNINGS.iter().any(|beginning| rest.starts_with(beginning));
    (!machine && !rest.is_empty()).then(|| rest.to_owned())
}

/// The answer of a tool, or the words of an agent, less what the client put
/// beside them.
pub(crate) fn without_reminders(text: &str) -> String {
    without_blocks(text, &MACHINE_BLOCKS[..1]).trim().to_owned()
}

/// What a subagent that ran in the background came to, out of the notice that
/// tells of its end.
pub(crate) fn result_in_notice(text: &str) -> Option<String> {
    let text = text.trim_start();
    if !text.starts_with("<task-notification") {
        return None;
    }
    let begin = text.find("<result>")? + "<result>".len();
    let end = text.rfind("</result>").filter(|end| *end >= begin)?;
    let result = text[begin..end].trim();
    (!result.is_empty()).then(|| result.to_owned())
}

/// What the user answered instead of letting a tool run. The outer None: the
/// tool was not refused. The inner one: it was, without a word.
pub(crate) fn refusal(answer: &str) -> Option<Option<String>> {
    if !answer.trim_start().starts_with("The user doesn't want to ") {
        return None;
    }
    let said_after = answer.split_once("the user said:").and_then(|(_, words)| {
        let words = words.split("\n\nNote: The user's next message").next().unwrap_or_default();
        said(words)
    });
    Some(said_after)
}

/// Whether a tool was stopped before it could answer.
pub(crate) fn is_interrupted(answer: &str) -> bool {
    answer.trim_start().starts_with("[Request interrupted by user")
}

/// Takes blocks out, the first to open first. One that never closes is a block
/// where it begins the text; elsewhere somebody only writes about it.
fn without_blocks(text: &str, names: &[&str]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    let mut from = 0;
    while let Some(found) = rest[from..].find('<') {
        let start = from + found;
        let Some(name) = names.iter().find(|name| opens(&rest[start..], name)) else {
            from = start + 1;
            continue;
        };
        let close = format!("</{name}>");
        match rest[start..].find(&close) {
            Some(length) => {
                kept += &rest[..start];
                rest = &rest[start + length + close.len()..];
                from = 0;
            }
            None if kept.trim().is_empty() && rest[..start].trim().is_empty() => return String::new(),
            None => from = start + 1,
        }
    }
    kept + rest
}

/// Whether `text` begins with the tag `name`, with or without attributes.
fn opens(text: &str, name: &str) -> bool {
    text[1..]
        .strip_prefix(name)
        .is_some_and(|after| after.starts_with('>') || after.starts_with(char::is_whitespace))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reminders_and_wrappers_are_not_what_the_user_said() {
        assert_eq!(
            said("<system-reminder>\nbe brief\n</system-reminder>\nwe use tabs").as_deref(),
            Some("we use tabs")
        );
        assert_eq!(
            said("we <system-reminder>x</system-reminder>use tabs <ide_selection>y</ide_selection>")
                .as_deref(),
            Some("we use tabs")
        );
        for machine in [
            "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>",
            "<local-command-stdout>Set model</local-command-stdout>",
            "<local-command-caveat>Caveat: x",
            "Caveat: The messages below were generated by the user while running local commands.",
            "[Request interrupted by user for tool use]",
            "<teammate-message teammate_id=\"lead\">go on</teammate-message>",
            "  \n ",
        ] {
            assert_eq!(said(machine), None, "{machine}");
        }
    }

    #[test]
    fn who_writes_about_a_wrapper_is_left_alone() {
        let text = "why does <system-reminder> show up in <MyComponent>?";
        assert_eq!(said(text).as_deref(), Some(text));
        assert_eq!(said("a <command-named> thing < b").as_deref(), Some("a <command-named> thing < b"));
    }

    #[test]
    fn a_reminder_inside_an_answer_is_taken_out() {
        let answer = "1\tfn main() {}\n<system-reminder>\nbeware\n</system-reminder>\n";
        assert_eq!(without_reminders(answer), "1\tfn main() {}");
        assert_eq!(without_reminders("<bash-input>ls</bash-input>"), "<bash-input>ls</bash-input>");
    }

    #[test]
    fn a_notice_of_a_background_agent_holds_its_result() {
        let notice = "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n\
                      <result>the cache is <result> keyed by host</result>\n</task-notification>";
        assert_eq!(result_in_notice(notice).as_deref(), Some("the cache is <result> keyed by host"));
        assert_eq!(said(notice), None);
        assert_eq!(result_in_notice("<task-notification><summary>done</summary></task-notification>"), None);
        assert_eq!(result_in_notice("see <result>x</result>"), None);
    }

    #[test]
    fn a_refusal_may_say_how_to_go_on() {
        let refused = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
        assert_eq!(refusal(refused), Some(None));
        let with_words = format!(
            "{refused} To tell you how to proceed, the user said:\nuse pnpm\n\nNote: The user's next message may contain a correction."
        );
        assert_eq!(refusal(&with_words), Some(Some("use pnpm".to_owned())));
        assert_eq!(refusal("Exit code 1"), None);
    }
}
