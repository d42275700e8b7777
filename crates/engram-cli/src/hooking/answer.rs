//! What a hook prints: nothing, or one JSON object that its agent understands.

use engram_wire::message::HookEvent;
use serde_json::json;

/// The text to print for a context. At a stop a context would make the agent go
/// on, and where it is not taken it would be an error: nothing is printed then.
pub(crate) fn answer_of(event: HookEvent, context: Option<&str>) -> Option<String> {
    let takes = matches!(
        event,
        HookEvent::SessionStart
            | HookEvent::UserPromptSubmit
            | HookEvent::PreToolUse
            | HookEvent::PostToolUse
            | HookEvent::PostToolUseFailure
    );
    let context = context.filter(|context| takes && !context.trim().is_empty())?;
    let told = json!({"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}});
    Some(told.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_context_is_one_object_under_the_name_of_its_event() {
        let told = answer_of(HookEvent::UserPromptSubmit, Some("<memory>x</memory>")).unwrap();
        assert_eq!(
            told,
            r#"{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"<memory>x</memory>"}}"#
        );
    }

    #[test]
    fn nothing_is_printed_where_nothing_may_be_said() {
        for event in [HookEvent::Stop, HookEvent::SubagentStop, HookEvent::PreCompact, HookEvent::SessionEnd]
        {
            assert_eq!(answer_of(event, Some("x")), None, "{event}");
        }
        assert_eq!(answer_of(HookEvent::SessionStart, None), None);
        assert_eq!(answer_of(HookEvent::SessionStart, Some(" \n")), None);
    }
}
