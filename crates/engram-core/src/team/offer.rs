//! What of one's own may be the team's as well, and what it is then.

use crate::ask::speech::fold;
use crate::change::Cause;
use crate::id::MemberId;
use crate::kind::{Kind, Scope};
use crate::memory::{Memory, PromotionStep};
use crate::status::{Status, StatusChange};
use crate::words::words;
use jiff::Timestamp;

words! {
    /// Whether what a project knows is offered to the team.
    pub enum SharingRule ("sharing rule") {
        /// What proves itself is offered; its owner decides.
        Offer = "offer",
        /// Nothing of it leaves.
        Off = "off",
    }
}

/// Why a memory stays its owner's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotShared {
    #[error("this project shares nothing (sharing.rule = \"off\")")]
    Off,
    #[error("a {0} is a person's own affair")]
    Kind(Kind),
    #[error("somebody speaks of themselves in it")]
    OfSelf,
    #[error("it is tagged {0}")]
    Tagged(String),
    #[error("something was taken out of its text")]
    Masked,
    #[error("it is {0}, not in force")]
    NotInForce(Status),
}

/// Tags that say that a memory is nobody else's business.
const OWN: &[&str] = &["private", "secret", "personal"];
/// Words by which people mean themselves.
const SELF: &[&str] = &["i", "me", "mine", "my", "ben", "bana", "beni", "benim"];
/// What stands where the guard took something out.
const MASKS: &[&str] = &["[secret: ", "[personal: "];

/// Whether a memory may be shared by whoever wants to.
pub fn may_be_shared(memory: &Memory, project: SharingRule) -> Result<(), NotShared> {
    if project == SharingRule::Off {
        return Err(NotShared::Off);
    }
    if !memory.status.is_current() || memory.status == Status::Challenged {
        return Err(NotShared::NotInForce(memory.status));
    }
    if memory.kind.session_only() {
        return Err(NotShared::Kind(memory.kind));
    }
    match memory.tags.iter().find(|tag| OWN.contains(&fold(tag).as_str())) {
        Some(tag) => Err(NotShared::Tagged(tag.clone())),
        None => Ok(()),
    }
}

/// Whether it may be offered to be shared, which nobody has asked for: not what
/// people prefer or plan, and nothing in which somebody speaks of themselves.
pub fn may_be_offered(memory: &Memory, project: SharingRule) -> Result<(), NotShared> {
    use Kind::{Narrative, Observation, Plan, Preference, Summary};
    may_be_shared(memory, project)?;
    if matches!(memory.kind, Preference | Narrative | Observation | Plan | Summary) {
        return Err(NotShared::Kind(memory.kind));
    }
    let said = || [Some(&memory.content), memory.summary.as_ref()].into_iter().flatten();
    if said().any(|text| MASKS.iter().any(|mask| text.contains(mask))) {
        return Err(NotShared::Masked);
    }
    let of_self = |text: &String| {
        fold(text).split(|mark: char| !mark.is_alphanumeric()).any(|word| SELF.contains(&word))
    };
    if said().any(of_self) {
        return Err(NotShared::OfSelf);
    }
    Ok(())
}

/// A memory as it is shared: under the same name, with who shares it. How its
/// owner came to it and how often they used it stays with them. `place` is what
/// the project is called.
pub fn as_shared(memory: &Memory, by: MemberId, place: Option<String>, at: Timestamp) -> Memory {
    let mut shared = memory.clone();
    let reason = format!("shared from the {}", memory.scope);
    shared.scope = Scope::Team;
    shared.status = Status::Created;
    shared.status_change = StatusChange { at, reason, cause: Cause::Share };
    shared.pinned = false;
    shared.trace.access_count = 0;
    shared.trace.last_used_at = at;
    let provenance = &mut shared.provenance;
    provenance.author = Some(by);
    provenance.source_session = None;
    provenance.evidence.clear();
    provenance.promotion_chain.push(PromotionStep {
        scope: memory.scope,
        memory_id: memory.id,
        promoted_at: at,
        by: Some(by),
        place,
    });
    shared.updated_at = at;
    shared.revision = 0;
    shared
}
