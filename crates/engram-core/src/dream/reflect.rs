//! The step in which the memory looks at itself: what it has to tell is noted,
//! and what is used together is tied. No memory is changed.

use super::Step;
use super::cluster::Cluster;
use super::night::{Night, StepPlan};
use super::note::Note;
use crate::change::Write;
use crate::learn;
use crate::memory::{Memory, Relation, RelationKind};
use crate::rank::Weights;
use crate::reflect::{self, Insight, InsightType, ReflectionLogged};
use crate::status::Status;
use jiff::Timestamp;
use std::sync::Arc;

/// Notes what the memory has to tell of itself. `home` are the weights that
/// nobody learned; `clusters` are those of this night, found before they were
/// summed up.
pub fn plan_reflect(night: &mut Night<'_>, home: &Weights, clusters: &[Cluster]) -> StepPlan {
    let since = night.before.get(&Step::Reflect).copied();
    if !has_news(night, since.unwrap_or(Timestamp::MIN)) {
        return StepPlan::skipped(Step::Reflect, "nothing is new since the last time");
    }
    let mut plan = StepPlan::new(Step::Reflect);
    plan.looked_at = night.memories.len() + night.recalls.len();
    let mut seen = seen_tonight(night, home, clusters);
    seen.extend(tie(night, &mut plan));
    let reckoning = reflect::reckoned(&night.insights, seen, night.at);
    for insight in &reckoning.rows {
        if reckoning.new.contains(&insight.id) {
            plan.tell(None, "noticed", told(insight));
        } else if reckoning.closed.contains(&insight.id) {
            plan.tell(None, "no longer so", told(insight));
        }
    }
    let logged = ReflectionLogged {
        dream: night.dream,
        triggered_by: night.trigger,
        session_count_at: night.sessions,
        insights_generated: count(reckoning.new.len()),
        entities_merged: count(merged_since(night, since)),
        edges_pruned: count(ended_since(night, since)),
        memories_archived: count(archived_since(night, since)),
        duration_ms: 0,
        at: night.at,
    };
    for insight in reckoning.rows {
        night.insights.retain(|known| known.id != insight.id);
        night.insights.push(insight.clone());
        plan.writes.push(Write::Note { note: Box::new(Note::Insight(insight)) });
    }
    plan.writes.push(Write::Note { note: Box::new(Note::Reflected(logged)) });
    plan
}

/// Whether anything was asked, told, made or changed after `since`.
fn has_news(night: &Night<'_>, since: Timestamp) -> bool {
    let changed =
        |memory: &Arc<Memory>| memory.created_at.max(memory.updated_at).max(memory.status_change.at) > since;
    night.recalls.iter().any(|recall| recall.at.max(recall.settled_at.unwrap_or(recall.at)) > since)
        || night.usages.iter().any(|usage| usage.at > since)
        || night.memories.values().any(changed)
}

fn seen_tonight(night: &Night<'_>, home: &Weights, clusters: &[Cluster]) -> Vec<Insight> {
    let at = night.at;
    let memories: Vec<Arc<Memory>> = night.memories.values().cloned().collect();
    let mut seen = reflect::gaps(&night.recalls, &memories, &night.insights, at);
    seen.extend(reflect::decay_anomalies(
        &memories,
        &night.reactivated,
        &night.recalls,
        night.model,
        night.scope,
        at,
    ));
    seen.extend(reflect::hubs(night));
    seen.extend(reflect::signals(night, clusters));
    let rates = learn::effectiveness(&night.recalls, &night.learned, home, &night.learning, at);
    seen.extend(reflect::patterns(&rates, at));
    seen.extend(reflect::noise_told(&learn::noise(&night.recalls, at), at));
    seen
}

/// Ties what is used together. A pair that was noticed before is not tied
/// again: who took the edge away is not overruled.
fn tie(night: &mut Night<'_>, plan: &mut StepPlan) -> Vec<Insight> {
    let mut seen = Vec::new();
    for (one, other, times) in reflect::associations(night, &learn::together(&night.recalls)) {
        let description = format!("{one} and {other} were used together {times} times");
        let evidence = vec![one.to_string(), other.to_string()];
        let mut insight = Insight::seen(
            InsightType::GraphInsight,
            format!("{one} {other}"),
            description,
            evidence,
            night.at,
        );
        if !night.insights.iter().any(|known| known.id == insight.id) {
            let at = night.at;
            let before = plan.writes.len();
            night.relate(plan, Relation::certain(one, RelationKind::RelatedTo, other, at));
            insight.action_taken = (plan.writes.len() > before).then(|| "tied to each other".to_owned());
        }
        seen.push(insight);
    }
    seen
}

/// A report stays when words are purged, and so it quotes no question.
fn told(insight: &Insight) -> String {
    match insight.insight {
        InsightType::MemoryGap => {
            let asked = insight.description.split(':').next().unwrap_or_default();
            format!("{}: {asked}", insight.insight)
        }
        _ => format!("{}: {}", insight.insight, insight.description),
    }
}

fn count(many: usize) -> u32 {
    u32::try_from(many).unwrap_or(u32::MAX)
}

fn is_after(moment: Timestamp, since: Option<Timestamp>) -> bool {
    since.is_none_or(|since| moment > since)
}

fn merged_since(night: &Night<'_>, since: Option<Timestamp>) -> usize {
    let merged = night.reviews.iter().filter(|review| review.merges_names());
    merged.filter_map(|review| review.closed).filter(|closed| is_after(closed.at, since)).count()
}

fn ended_since(night: &Night<'_>, since: Option<Timestamp>) -> usize {
    let ended = night.bonds.iter().filter_map(|bond| bond.invalid_at);
    ended.filter(|ended_at| is_after(*ended_at, since)).count()
}

fn archived_since(night: &Night<'_>, since: Option<Timestamp>) -> usize {
    let archived = night.memories.values().filter(|memory| memory.status == Status::Archived);
    archived.filter(|memory| is_after(memory.status_change.at, since)).count()
}
