//! How a recall's answer looks, and how it explains itself.

use super::memory::remarkable;
use super::{Look, clean, clean_line, grouped, memories, plural, short, wrap};
use engram_core::present::Presented;
use engram_core::rank::{Evidence, Factor};
use engram_core::{Memory, Scope};
use engram_wire::reply::{Found, Gap, Recalled, SearchedThere};

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct How {
    pub(crate) grouped: bool,
    pub(crate) explain: bool,
    /// From when until when each was true is what matters.
    pub(crate) timeline: bool,
}

pub(crate) fn found(recalled: &Recalled, how: How, look: &Look) -> String {
    if let Some(context) = recalled.context.as_ref().filter(|_| !recalled.hits.is_empty()) {
        return told(context, look);
    }
    let mut text = if recalled.hits.is_empty() {
        nothing(recalled)
    } else if how.grouped {
        groups(recalled, how, look)
    } else {
        let hits = recalled.hits.iter().enumerate();
        hits.map(|(place, hit)| entry(place, hit, how, look)).collect::<Vec<_>>().join("\n")
    };
    if how.explain {
        let weights = recalled.weights;
        text.push('\n');
        text += &note(
            look,
            &format!(
                "profile {}: session {:.2}, project {:.2}, user {:.2}",
                clean_line(&recalled.profile),
                weights.session,
                weights.project,
                weights.user
            ),
        );
        let there = recalled.searched.iter().filter_map(|searched| searched.server.as_ref());
        for there in there {
            text += &note(look, &server_said(there));
        }
        for gap in &recalled.gaps {
            text += &note(look, &describe(gap));
        }
    }
    text
}

fn server_said(there: &SearchedThere) -> String {
    format!(
        "the index of the team's server found {} in {} ms, {} of them new here",
        memories(there.found),
        there.ms,
        there.new
    )
}

/// What an agent gets, as it is, and below it what it took.
fn told(context: &Presented, look: &Look) -> String {
    let text = match (context.told.is_empty(), context.left_out) {
        (false, _) => clean(&context.text),
        (true, 0) => "Nothing is sure enough to be told.\n".to_owned(),
        (true, _) => "What is sure enough does not fit.\n".to_owned(),
    };
    let mut cost = format!("about {} of {} tokens", context.tokens, context.budget);
    if context.left_out > 0 {
        cost += &format!(", {} left out", memories(context.left_out));
    }
    text + &note(look, &cost)
}

/// What could not be searched or asked: said always, because the answer looks
/// whole. That no embedder is wanted is somebody's choice.
pub(crate) fn warnings(gaps: &[Gap]) -> Vec<String> {
    gaps.iter().filter(|gap| **gap != Gap::NoVectors).map(describe).collect()
}

fn describe(gap: &Gap) -> String {
    match gap {
        Gap::NoVectors => "no embedder is configured; only words were compared".to_owned(),
        Gap::NoModel { problem } => format!("without the model: {}", clean_line(problem)),
        Gap::ServerNotAsked { problem } => {
            let problem = clean_line(problem);
            format!("not all of the team's memories are here, and its server was not asked: {problem}")
        }
        Gap::ScopeUnavailable { scope, problem } => {
            format!("the {scope} scope was not searched: {}", clean_line(problem))
        }
    }
}

fn nothing(recalled: &Recalled) -> String {
    let searched: Vec<String> = recalled
        .searched
        .iter()
        .map(|searched| match &searched.server {
            Some(there) => format!(
                "{} ({} here, {} found by its server)",
                searched.scope,
                memories(searched.memories),
                grouped(there.found)
            ),
            None => format!("{} ({})", searched.scope, memories(searched.memories)),
        })
        .collect();
    let searched = if searched.is_empty() { "no scope".to_owned() } else { searched.join(", ") };
    if let Some(trivial) = recalled.trivial {
        let what = trivial.as_str().replace('_', " ");
        return format!("Nothing was looked for: as a message this is {what}.\n");
    }
    format!("Nothing found for \"{}\".\nSearched: {searched}.\n", clean_line(&recalled.query))
}

/// Groups in the order of their best hit; a hit keeps its place in the whole.
fn groups(recalled: &Recalled, how: How, look: &Look) -> String {
    let mut scopes: Vec<Scope> = Vec::new();
    for hit in &recalled.hits {
        if !scopes.contains(&hit.why.scope) {
            scopes.push(hit.why.scope);
        }
    }
    let mut parts = Vec::new();
    for scope in scopes {
        let mut part = look.bold(scope.as_str()) + "\n";
        for (place, hit) in recalled.hits.iter().enumerate().filter(|(_, hit)| hit.why.scope == scope) {
            part += &entry(place, hit, how, look);
        }
        parts.push(part);
    }
    parts.join("\n")
}

fn entry(place: usize, hit: &Found, how: How, look: &Look) -> String {
    let number = format!("{}. ", place + 1);
    let indent = " ".repeat(number.len());
    let lines = wrap(&clean(&hit.memory.content), look.width.saturating_sub(number.len()));
    let mut text = number;
    text += &lines.join(&format!("\n{indent}"));
    text.push('\n');

    let memory = &hit.memory;
    let mut facts = vec![
        short(memory.id),
        hit.why.scope.to_string(),
        memory.kind.to_string(),
        if how.timeline { true_from_until(memory, look) } else { look.age(memory.created_at) },
    ];
    facts.push(format!("confidence {:.2}", hit.confidence.get()));
    facts.extend(remarkable(hit.status).map(str::to_owned));
    if memory.pinned {
        facts.push("pinned".to_owned());
    }
    if !hit.supersedes.is_empty() {
        let old: Vec<String> = hit.supersedes.iter().map(short).collect();
        facts.push(format!("supersedes {}", old.join(", ")));
    }
    text += &note(look, &format!("{indent}{}", facts.join(" · ")));
    if how.explain {
        for reason in reasons(hit, look) {
            text += &note(look, &format!("{indent}{reason}"));
        }
    }
    text
}

fn true_from_until(memory: &Memory, look: &Look) -> String {
    let from = look.date(memory.validity.valid_from);
    match memory.validity.valid_until {
        Some(until) => format!("{from} until {}", look.date(until)),
        None => format!("since {from}"),
    }
}

fn reasons(hit: &Found, look: &Look) -> Vec<String> {
    let why = &hit.why;
    let terms: Vec<String> =
        why.text.terms.iter().map(|(word, share)| format!("{} {share:.3}", clean_line(word))).collect();
    let factors: Vec<String> = why.factors.iter().map(factor).collect();
    let mut reasons = vec![format!(
        "score {:.3} = ({}) x {} weight {:.2}",
        why.score,
        factors.join(" + "),
        why.scope,
        why.scope_weight
    )];
    if !terms.is_empty() {
        reasons.push(format!("words {:.3} = {}", why.text.score, terms.join(" + ")));
    }
    reasons.extend([
        sure(&hit.evidence),
        format!(
            "retention {:.2}, used {}, last used {}",
            hit.retention.get(),
            plural(hit.memory.trace.access_count as usize, "time", "times"),
            look.age(hit.memory.trace.last_used_at)
        ),
    ]);
    if hit.by_server {
        reasons.push("found by the index of the team's server".to_owned());
    }
    if !why.also_in.is_empty() {
        let scopes: Vec<&str> = why.also_in.iter().map(|scope| scope.as_str()).collect();
        reasons.push(format!("also in {}", scopes.join(", ")));
    }
    reasons
}

/// What the confidence is made of.
fn sure(evidence: &Evidence) -> String {
    let likeness =
        evidence.likeness.map_or(String::new(), |likeness| format!(", likeness {:.2}", likeness.get()));
    format!(
        "accounts for {:.0} % of the question, missing {:.2}{likeness}",
        100.0 * evidence.covered,
        evidence.missing
    )
}

fn factor(factor: &Factor) -> String {
    format!("{} {:.3}", factor.signal, factor.adds)
}

fn note(look: &Look, line: &str) -> String {
    look.dim(line) + "\n"
}

#[cfg(test)]
mod tests {
    use super::super::tests::{NEW, OLD, look, memory, reply};
    use super::*;
    use expect_test::expect;
    use serde_json::{Value, json};

    fn hit(id: &str, content: &str, scope: &str, status: &str) -> Value {
        json!({
            "memory": memory(id, content),
            "id": id, "scope": scope, "score": 0.7311, "scope_weight": 0.35,
            "factors": [{"signal": "words", "value": 1.0, "weight": 0.6, "adds": 0.6},
                        {"signal": "table", "value": 0.5, "weight": 0.4, "adds": 0.2}],
            "confidence": 0.82, "evidence": {"likeness": 0.6, "covered": 0.9, "missing": 0.2},
            "text": {"score": 2.0889, "terms": [["staging", 1.2029], ["key", 0.886]]},
            "retention": 0.91, "status": status
        })
    }

    fn recalled() -> Recalled {
        let mut first = hit(
            NEW,
            "the staging key is in 1password, in the vault that is called operations, and \u{1b}]0;x\u{7}\n\
             ask ada for it",
            "project",
            "active",
        );
        first["supersedes"] = json!([OLD]);
        let mut second = hit(OLD, "keys are rotated on mondays", "user", "challenged");
        second["also_in"] = json!(["session"]);
        reply(json!({
            "query": "staging key", "hits": [first, second], "confidence": 0.82,
            "together": {"likeness": 0.6, "covered": 0.9, "missing": 0.2},
            "intent": "factual", "query_type": "recall_fact", "strategy": "hybrid",
            "gaps": [{"gap": "no_vectors"},
                     {"gap": "scope_unavailable", "scope": "session", "problem": "it is \u{1b}closed"}],
            "searched": [], "profile": "default",
            "weights": {"session": 0.5, "project": 0.35, "user": 0.15}
        }))
    }

    #[test]
    fn hits_are_numbered_and_dated() {
        expect![[r#"
            1. the staging key is in 1password, in the vault that is called
               operations, and ␛]0;x␇
               ask ada for it
               9R1S3T60 · project · fact · 9 days ago · confidence 0.82 · supersedes 9R1S3T5V

            2. keys are rotated on mondays
               9R1S3T5V · user · fact · 9 days ago · confidence 0.82 · challenged
        "#]]
        .assert_eq(&found(&recalled(), How::default(), &look()));
    }

    #[test]
    fn an_explained_hit_gives_its_reasons() {
        let how = How { explain: true, grouped: true, timeline: false };
        expect![[r#"
            project
            1. the staging key is in 1password, in the vault that is called
               operations, and ␛]0;x␇
               ask ada for it
               9R1S3T60 · project · fact · 9 days ago · confidence 0.82 · supersedes 9R1S3T5V
               score 0.731 = (words 0.600 + table 0.200) x project weight 0.35
               words 2.089 = staging 1.203 + key 0.886
               accounts for 90 % of the question, missing 0.20, likeness 0.60
               retention 0.91, used 3 times, last used 2 days ago

            user
            2. keys are rotated on mondays
               9R1S3T5V · user · fact · 9 days ago · confidence 0.82 · challenged
               score 0.731 = (words 0.600 + table 0.200) x user weight 0.35
               words 2.089 = staging 1.203 + key 0.886
               accounts for 90 % of the question, missing 0.20, likeness 0.60
               retention 0.91, used 3 times, last used 2 days ago
               also in session

            profile default: session 0.50, project 0.35, user 0.15
            no embedder is configured; only words were compared
            the session scope was not searched: it is ␛closed
        "#]]
        .assert_eq(&found(&recalled(), how, &look()));
    }

    #[test]
    fn finding_nothing_says_where_it_looked() {
        let nothing = Recalled {
            hits: Vec::new(),
            searched: reply(json!([{"scope": "project", "memories": 1}, {"scope": "user", "memories": 12}])),
            ..recalled()
        };
        expect![[r#"
            Nothing found for "staging key".
            Searched: project (1 memory), user (12 memories).
        "#]]
        .assert_eq(&found(&nothing, How::default(), &look()));
    }

    #[test]
    fn what_is_missing_against_ones_will_is_a_warning() {
        assert_eq!(warnings(&recalled().gaps), ["the session scope was not searched: it is ␛closed"]);
        let problem = "e5 is not installed".to_owned();
        assert_eq!(warnings(&[Gap::NoModel { problem }]), ["without the model: e5 is not installed"]);
    }

    #[test]
    fn colour_is_only_added_around_the_text() {
        let colored = found(&recalled(), How::default(), &Look { color: true, ..look() });
        assert!(colored.contains("\u{1b}[2m   9R1S3T60"));
        assert_eq!(colored.matches('\u{1b}').count(), 4);
    }
}
