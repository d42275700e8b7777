//! What a hook prints: nothing, or one JSON object that its agent understands.

use engram_wire::message::HookEvent;
use serde_json::json;

/// The text to print for a context. At a stop a context would make the agent go
/// on, and where it is not taken it would be an error: nothing is printed then.
/// An agent of an unknown name is taken to understand what Claude Code does.
pub(crate) fn answer_of(agent: &str, event: HookEvent, context: Option<&str>) -> Option<String> {
    let asks = matches!(
        event,
        HookEvent::SessionStart
            | HookEvent::UserPromptSubmit
            | HookEvent::PreToolUse
            | HookEvent::PostToolUse
            | HookEvent::PostToolUseFailure
    );
    let context = context.filter(|context| asks && !context.trim().is_empty())?;
    let specific = |name: &str| json!({"hookEventName": name, "additionalContext": context});
    let told = match agent {
        "windsurf" => return None,
        "cursor" if event == HookEvent::SessionStart => json!({"additional_context": context}),
        "cursor" => return None,
        "gemini" => json!({"hookSpecificOutput": specific(gemini_name(event)?)}),
        // The editor reads the one, Copilot's own program the other.
        "vscode" if event != HookEvent::UserPromptSubmit => {
            json!({"additionalContext": context, "hookSpecificOutput": specific(event.as_str())})
        }
        "vscode" => return None,
        _ => json!({"hookSpecificOutput": specific(event.as_str())}),
    };
    Some(told.to_string())
}

/// Gemini's name of an event, where it takes a context.
const fn gemini_name(event: HookEvent) -> Option<&'static str> {
    match event {
        HookEvent::SessionStart => Some("SessionStart"),
        HookEvent::UserPromptSubmit => Some("BeforeAgent"),
        HookEvent::PostToolUse => Some("AfterTool"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use HookEvent::{PostToolUse, PostToolUseFailure, PreToolUse, SessionStart, UserPromptSubmit};

    #[test]
    fn a_context_is_one_object_under_the_name_of_its_event() {
        let told = answer_of("claude-code", UserPromptSubmit, Some("<memory>x</memory>")).unwrap();
        assert_eq!(
            told,
            r#"{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"<memory>x</memory>"}}"#
        );
    }

    #[test]
    fn each_agent_is_told_in_its_own_form_or_not_at_all() {
        let claudes = |name: &str| {
            format!(r#"{{"hookSpecificOutput":{{"hookEventName":"{name}","additionalContext":"x"}}}}"#)
        };
        let cursors = r#"{"additional_context":"x"}"#.to_owned();
        let both = |name: &str| claudes(name).replacen('{', r#"{"additionalContext":"x","#, 1);
        for (agent, event, told) in [
            ("codex", PreToolUse, Some(claudes("PreToolUse"))),
            ("opencode", SessionStart, Some(claudes("SessionStart"))),
            ("of-somebody", PostToolUseFailure, Some(claudes("PostToolUseFailure"))),
            ("gemini", SessionStart, Some(claudes("SessionStart"))),
            ("gemini", UserPromptSubmit, Some(claudes("BeforeAgent"))),
            ("gemini", PostToolUse, Some(claudes("AfterTool"))),
            ("gemini", PreToolUse, None),
            ("cursor", SessionStart, Some(cursors)),
            ("cursor", UserPromptSubmit, None),
            ("cursor", PreToolUse, None),
            ("vscode", SessionStart, Some(both("SessionStart"))),
            ("vscode", PostToolUseFailure, Some(both("PostToolUseFailure"))),
            ("vscode", UserPromptSubmit, None),
            ("windsurf", SessionStart, None),
            ("windsurf", UserPromptSubmit, None),
        ] {
            assert_eq!(answer_of(agent, event, Some("x")), told, "{agent} {event}");
        }
    }

    #[test]
    fn nothing_is_printed_where_nothing_may_be_said() {
        for agent in ["claude-code", "codex", "gemini", "cursor", "vscode", "opencode", "windsurf"] {
            for event in
                [HookEvent::Stop, HookEvent::SubagentStop, HookEvent::PreCompact, HookEvent::SessionEnd]
            {
                assert_eq!(answer_of(agent, event, Some("x")), None, "{agent} {event}");
            }
            assert_eq!(answer_of(agent, SessionStart, None), None);
            assert_eq!(answer_of(agent, SessionStart, Some(" \n")), None);
        }
    }
}
