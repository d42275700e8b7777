//! An agent at its turning points, as its hooks tell them.

use super::{Ground, Place};
use engram_core::SessionId;
use engram_core::turn::{Event, EventType, ToolUse};
use engram_wire::Order;
use engram_wire::message::{Hook, HookEvent};
use engram_wire::reply::{Hooked, SessionShown};
use serde_json::json;
use std::path::Path;

/// An agent in a conversation.
pub struct Agent<'g> {
    pub place: Place<'g>,
    pub name: &'static str,
    pub process: Option<u32>,
}

pub fn agent<'g>(ground: &'g Ground, folder: &Path, name: &'static str) -> Agent<'g> {
    Agent { place: ground.at(folder), name, process: Some(std::process::id()) }
}

impl Agent<'_> {
    pub fn hook(&self, event: HookEvent) -> Hook {
        Hook {
            event,
            agent: "claude-code".to_owned(),
            session: Some(self.name.to_owned()),
            reason: None,
            prompt: None,
            tool: None,
            happened: None,
            process: self.process,
            started_at: Some(super::now()),
        }
    }

    pub fn tell(&self, hook: Hook) -> String {
        let hooked: Hooked = self.place.ask(Order::Hook(Box::new(hook)));
        hooked.context.unwrap_or_default()
    }

    fn happened(&self, event: EventType, text: &str) -> Option<Event> {
        let session = Some(self.name.to_owned());
        Some(Event { time: Some(super::now()), session, ..Event::new(event, text) })
    }

    pub fn start(&self, reason: &str) -> String {
        self.tell(Hook { reason: Some(reason.to_owned()), ..self.hook(HookEvent::SessionStart) })
    }

    pub fn prompt(&self, text: &str) -> String {
        let happened = self.happened(EventType::UserMessage, text);
        self.tell(Hook { prompt: Some(text.to_owned()), happened, ..self.hook(HookEvent::UserPromptSubmit) })
    }

    pub fn stop(&self) {
        self.answer("Done.");
    }

    pub fn answer(&self, text: &str) {
        let happened = self.happened(EventType::AssistantMessage, text);
        self.tell(Hook { happened, ..self.hook(HookEvent::Stop) });
    }

    pub fn end(&self) {
        self.tell(Hook { reason: Some("other".to_owned()), ..self.hook(HookEvent::SessionEnd) });
    }

    pub fn tool(&self, event: HookEvent, command: &str, error: Option<&str>) -> String {
        let tool = ToolUse {
            name: "Bash".to_owned(),
            input: json!({ "command": command }),
            output: json!(error.unwrap_or("ok")),
            ok: error.is_none(),
            duration_ms: None,
        };
        let happened = (event != HookEvent::PreToolUse)
            .then(|| Event { tool: Some(tool.clone()), ..self.happened(EventType::ToolCall, "").unwrap() });
        self.tell(Hook { tool: Some(tool), happened, ..self.hook(event) })
    }

    pub fn id(&self) -> SessionId {
        SessionId::named(self.name)
    }

    pub fn shown(&self) -> SessionShown {
        self.place.ask(Order::SessionShow { session: Some(self.id()) })
    }
}
