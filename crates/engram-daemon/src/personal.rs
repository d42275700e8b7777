//! What becomes of personal data in what is to be kept, as the settings
//! `personal.*` want it.
//!
//! What is personal the guard says, how careful a scope is the core. Here the
//! text is masked or refused, masks are counted, and a refusal is told and
//! audited; the audit log hears that there was one, and not of what.

use crate::house::House;
use engram_core::Scope;
use engram_core::audit::Deed;
use engram_core::personal::Treatment;
use engram_engine::GuardedEvent;
use engram_guard::{Personal, personal, without_personal};
use engram_wire::reply::Observed;
use engram_wire::{Context, Fault};
use std::sync::atomic::Ordering;

impl House {
    /// What is done about personal data in what a scope is to keep for whoever
    /// asks.
    fn treatment(&self, context: &Context, scope: Scope) -> Result<Treatment, Fault> {
        let place = self.place(context)?;
        Ok(self.settings_for(context, place.as_ref())?.treatment(scope))
    }

    /// The text as a scope may keep it: without secrets and private blocks, and
    /// with its personal data masked or refused. Whoever said it can be asked.
    pub(crate) fn kept(&self, context: &Context, scope: Scope, text: &str) -> Result<String, Fault> {
        let text = self.masked(text);
        let treatment = match self.treatment(context, scope)? {
            // What waited in the spool was said by somebody who is gone.
            treatment if context.said_at.is_some() => treatment.unasked(),
            treatment => treatment,
        };
        self.treated(&text, treatment).map_err(|found| self.refusal(context, &text, &found, treatment))
    }

    /// The same for what is said beside a text, where nobody is asked.
    pub(crate) fn kept_unasked(&self, context: &Context, scope: Scope, text: &str) -> Result<String, Fault> {
        let text = self.masked(text);
        let treatment = self.treatment(context, scope)?.unasked();
        self.treated(&text, treatment).map_err(|found| self.refusal(context, &text, &found, treatment))
    }

    /// The text as it may be kept; what is in the way, where it may not.
    pub(crate) fn treated(&self, text: &str, treatment: Treatment) -> Result<String, Vec<Personal>> {
        match treatment {
            Treatment::Off => Ok(text.to_owned()),
            Treatment::Mask => {
                let (masked, found) = without_personal(text);
                self.count_personal(found.iter().map(|found| found.count).sum());
                Ok(masked)
            }
            Treatment::Ask | Treatment::Refuse => match personal(text) {
                found if found.is_empty() => Ok(text.to_owned()),
                found => Err(found),
            },
        }
    }

    /// Treats what was heard: masks it, or leaves it out. Nobody can be asked.
    pub(crate) fn heard_treated(
        &self,
        context: &Context,
        events: Vec<GuardedEvent>,
        treatment: Treatment,
        reply: &mut Observed,
    ) -> Vec<GuardedEvent> {
        let treatment = treatment.unasked();
        if treatment == Treatment::Off {
            return events;
        }
        let mut kept = Vec::with_capacity(events.len());
        let mut refused = 0;
        for guarded in events {
            let mut found = Vec::new();
            let event = guarded.event.masked(&mut |text, _| {
                let (masked, more) = without_personal(text);
                found.extend(more);
                masked
            });
            if treatment == Treatment::Refuse && !found.is_empty() {
                refused += 1;
                continue;
            }
            self.count_personal(found.iter().map(|found| found.count).sum());
            for found in found {
                *reply.personal.entry(found.rule).or_default() += found.count;
            }
            kept.push(GuardedEvent { event, ..guarded });
        }
        reply.refused += refused;
        if refused > 0 && !reply.dry_run {
            self.note_refusal(context);
        }
        kept
    }

    fn count_personal(&self, count: usize) {
        self.personal.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// How many personal data were masked since the start.
    pub(crate) fn count_masked_personal(&self) -> u64 {
        self.personal.load(Ordering::Relaxed)
    }

    /// Notes that something was refused. It stays refused if that fails.
    pub(crate) fn note_refusal(&self, context: &Context) -> Option<String> {
        let failed = self.audit.note(context, Deed::Refusal, None, &[]).err()?;
        tracing::warn!("a refusal is not in the audit log: {}", failed.message);
        Some(failed.message)
    }

    fn refusal(&self, context: &Context, text: &str, found: &[Personal], treatment: Treatment) -> Fault {
        let fault = Fault::refused(format!("personal data, so it is not kept: {}", places(text, found)));
        let fault = match treatment {
            Treatment::Ask => {
                fault.hint("say it again with --mask to mask them, or with --as-it-is to keep them")
            }
            _ => fault.hint("say it again with --mask to mask them, or without them"),
        };
        let fault = fault.hint("the settings personal.* say so");
        match self.note_refusal(context) {
            Some(problem) => fault.hint(format!("it is not in the audit log: {problem}")),
            None => fault,
        }
    }
}

/// Where in a text they stand, counted in characters from one, and never what
/// they say.
pub(crate) fn places(text: &str, found: &[Personal]) -> String {
    let place = |found: &Personal| {
        let from = text[..found.range.start].chars().count() + 1;
        let to = text[..found.range.end].chars().count();
        format!("{} (characters {from} to {to})", found.rule)
    };
    found.iter().map(place).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_told_in_characters_and_without_its_words() {
        let text = "çağrı: ada@acme.io, +90 532 123 45 67";
        let told = places(text, &personal(text));
        assert_eq!(told, "email (characters 8 to 18), phone (characters 21 to 37)");
    }
}
