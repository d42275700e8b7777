//! Who may write: the rules for tools and agents in the house.
//!
//! The law is the core's. Here it is found out which agent asks, what a rule
//! forbids is refused, counted and audited, and whoever reads turns is told what
//! each may do.

use crate::house::House;
use engram_core::SessionId;
use engram_core::authority::{AGENTS, Allowed, AuthorityRules, Origin, authority_of};
use engram_core::turn::{Authority, Event, EventType};
use engram_wire::config::Settings;
use engram_wire::{Context, Fault, Order};
use std::collections::BTreeMap;

/// What each source may do, as the settings want it.
pub(crate) struct Authorities {
    types: BTreeMap<EventType, Authority>,
    rules: AuthorityRules,
}

impl Authorities {
    pub(crate) fn of(settings: &Settings) -> Self {
        let types = EventType::ALL.iter().map(|event| (*event, settings.authority(*event))).collect();
        Self { types, rules: settings.authority_rules() }
    }

    pub(crate) fn allowed(&self, origin: &Origin<'_>) -> Allowed {
        authority_of(self.types[&origin.event], origin, &self.rules)
    }

    /// Whether a rule leaves an event nothing to do. What its type forbids is no
    /// refusal: it is how capture is set.
    pub(crate) fn bars(&self, event: &Event) -> bool {
        let tool = event.tool.as_ref().map(|tool| tool.name.as_str());
        let allowed = self.allowed(&Origin { event: event.event, tool, agent: event.agent.as_deref() });
        allowed.authority == Authority::Nothing && allowed.by.is_some()
    }

    /// Of several names of one agent the one that may do the least.
    fn strictest(&self, names: Vec<String>) -> Option<String> {
        let may = |name: &String| self.rules.agents.of(name).map_or(Authority::Change, |rule| rule.most);
        names.into_iter().min_by_key(may)
    }
}

impl House {
    /// The agent that something comes from. It may say one name itself and have
    /// begun its session under another; the stricter rule holds.
    pub(crate) fn agent_behind(
        &self,
        context: &Context,
        session: Option<SessionId>,
        authorities: &Authorities,
    ) -> Option<String> {
        let of_session = session.and_then(|session| self.agent_of(session));
        authorities.strictest(context.agent.iter().cloned().chain(of_session).collect())
    }

    /// Refuses what a rule does not allow whoever asks.
    pub(crate) fn authorise(&self, context: &Context, order: &Order) -> Result<(), Fault> {
        let Some(needed) = order.needs() else { return Ok(()) };
        let settings = self.settings_for(context, self.place(context)?.as_ref())?;
        let authorities = Authorities::of(&settings);
        let agent = self.agent_behind(context, context.session, &authorities);
        // To correct and to forget is not capture: only rules for agents forbid it.
        let base = match order {
            Order::Remember(_) => settings.authority(EventType::Remember),
            _ => Authority::Change,
        };
        let origin = Origin { event: EventType::Remember, tool: None, agent: agent.as_deref() };
        let allowed = authority_of(base, &origin, &authorities.rules);
        if allowed.authority >= needed {
            return Ok(());
        }
        let verb = order.verb();
        let fault = match &allowed.by {
            Some(by) => {
                let may = match allowed.authority {
                    Authority::Add => "may add memories and change none",
                    _ => "may not write",
                };
                Fault::refused(format!("{} {may}, so it may not {verb}: {by}", by.who))
                    .hint(format!("`engram config set {AGENTS} ...` changes the rule, for yourself"))
                    .hint("a project's own config.toml may have lowered it")
            }
            None => Fault::refused(format!("nobody may {verb}: capture.remember says {}", allowed.authority))
                .hint("`engram config set capture.remember change` allows it"),
        };
        self.listening.note_refused(1);
        Err(match self.note_refusal(context) {
            Some(problem) => fault.hint(format!("it is not in the audit log: {problem}")),
            None => fault,
        })
    }

    /// Counts and audits events that a rule leaves nothing to do. They are kept as
    /// evidence.
    pub(crate) fn note_barred(&self, context: &Context, events: usize) {
        if events > 0 {
            self.listening.note_refused(events);
            self.note_refusal(context);
        }
    }
}
