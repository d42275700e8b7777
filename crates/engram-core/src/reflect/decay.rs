//! Decay anomalies: what was put away too early (S0 7.3).
//!
//! What faded and then came back by use was put away too early. Of a tier of
//! which that holds often, another curve may have kept the right ones; it is
//! proposed, and chosen by somebody else.

use super::{Insight, InsightType, Proposal};
use crate::id::MemoryId;
use crate::kind::{Scope, Tier};
use crate::law::{Model, fades_at, has_faded, lives_of};
use crate::memory::Memory;
use crate::recalled::RecallLogged;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What was put away, or came back, is looked at so far back.
const WINDOW: SignedDuration = SignedDuration::from_hours(90 * 24);
/// So many of a tier came back,
const LEAST: usize = 5;
/// and they are so large a share of what had been put away.
const OFTEN: f64 = 0.2;
/// A curve is proposed that tells them from the others better by so much.
const BETTER: f64 = 0.2;
/// At most so many memories are named.
const MOST_EVIDENCE: usize = 20;

/// One that faded: as it was while it faded, and until when.
struct Faded {
    life: Memory,
    until: Timestamp,
}

/// The tiers of which too much came back. `reactivated` says what use brought
/// back, and when; `recalls` when each was shown before that.
pub fn decay_anomalies(
    memories: &[Arc<Memory>],
    reactivated: &[(MemoryId, Timestamp)],
    recalls: &[RecallLogged],
    model: Model,
    scope: Scope,
    at: Timestamp,
) -> Vec<Insight> {
    let lately = |moment: Timestamp| moment <= at && at.duration_since(moment) <= WINDOW;
    let back: BTreeMap<MemoryId, Timestamp> =
        reactivated.iter().copied().filter(|(_, moment)| lately(*moment)).collect();
    let mut found = Vec::new();
    for tier in Tier::ALL {
        let of_tier = || memories.iter().filter(|memory| memory.tier == *tier);
        let returned: Vec<(&Memory, Timestamp)> =
            of_tier().filter_map(|memory| Some((&**memory, *back.get(&memory.id)?))).collect();
        let away: Vec<&Memory> = of_tier()
            .filter(|memory| has_faded(memory) && lately(memory.status_change.at))
            .map(|memory| &**memory)
            .collect();
        let all = returned.len() + away.len();
        if returned.len() < LEAST || (returned.len() as f64) < OFTEN * all as f64 {
            continue;
        }
        let description = format!(
            "{tier} memories fade too fast here: of {all} that were put away in 90 days use brought {} back",
            returned.len()
        );
        let evidence = returned.iter().take(MOST_EVIDENCE).map(|(memory, _)| memory.id.to_string()).collect();
        let subject = tier.to_string();
        let mut insight = Insight::seen(InsightType::DecayAnomaly, subject, description, evidence, at);
        insight.proposal = proposal(&returned, &away, recalls, model, scope);
        found.push(insight);
    }
    found
}

/// The curve under which most of those that came back had still been there and
/// fewest of the others, if it is clearly better than the one in force.
fn proposal(
    returned: &[(&Memory, Timestamp)],
    away: &[&Memory],
    recalls: &[RecallLogged],
    model: Model,
    scope: Scope,
) -> Option<Proposal> {
    let setting = match scope {
        Scope::Project => "retention.project",
        Scope::User => "retention.user",
        // Nothing fades inside a session, and the team's is not one person's to set.
        Scope::Session | Scope::Team => return None,
    };
    let told_apart = |model: Model| {
        let then = |(memory, back): &(&Memory, Timestamp)| while_away(memory, *back, recalls, model);
        let came_back: Vec<Faded> = returned.iter().map(then).collect();
        let stayed: Vec<Faded> = away
            .iter()
            .map(|memory| Faded { life: Memory::clone(memory), until: memory.status_change.at })
            .collect();
        (kept_by(model, &came_back), kept_by(model, &stayed))
    };
    let worth = |(right, wrong): (f64, f64)| right - wrong;
    let now = worth(told_apart(model));
    let others = Model::ALL.iter().copied().filter(|other| *other != model);
    let best = others
        .map(|other| (other, told_apart(other)))
        .reduce(|best, other| if worth(other.1) > worth(best.1) { other } else { best })?;
    let (value, (right, wrong)) = (best.0, best.1);
    (worth((right, wrong)) >= now + BETTER).then(|| Proposal {
        setting: setting.to_owned(),
        value: value.to_string(),
        why: format!(
            "by this curve {:.0} % of those that came back had not faded, and {:.0} % of the others",
            right * 100.0,
            wrong * 100.0
        ),
    })
}

/// As it was before use brought it back. Its use since has changed it, and so it
/// is lived through again.
fn while_away(memory: &Memory, back_at: Timestamp, recalls: &[RecallLogged], model: Model) -> Faded {
    let shown = recalls.iter().filter(|recall| recall.at < back_at && recall.shown.contains(&memory.id));
    let uses: Vec<Timestamp> = shown.map(|recall| recall.at).collect();
    let lives = lives_of(memory, &uses, model);
    let life = lives.iter().rfind(|life| life.trace.last_used_at < back_at).unwrap_or(memory);
    Faded { life: life.clone(), until: back_at }
}

/// The share of them that would not have faded by this curve.
fn kept_by(model: Model, faded: &[Faded]) -> f64 {
    let kept = |one: &&Faded| fades_at(&one.life, model).is_none_or(|fades| fades > one.until);
    faded.iter().filter(kept).count() as f64 / faded.len().max(1) as f64
}
