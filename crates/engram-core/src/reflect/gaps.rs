//! Gaps: what is asked often and answered never (S0 7.3).
//!
//! Two questions are about one thing if they share two telling words, whatever
//! else they say. Nothing here knows an answer.

use super::{Insight, InsightType};
use crate::ask::Intent;
use crate::ask::speech::{Language, fold, is_content, language_of, words_of};
use crate::ask::telling;
use crate::claim::stem_of;
use crate::id::SessionId;
use crate::memory::Memory;
use crate::present::{Form, in_one_line};
use crate::recalled::{RecallLogged, Surface};
use jiff::{SignedDuration, Timestamp};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What was asked is looked at so far back, as the seed looks at its log (S0 6.2).
const WINDOW: SignedDuration = SignedDuration::from_hours(30 * 24);
/// So often, and in so many sessions: somebody who asks in other words until he
/// gives up asks once.
const TIMES: usize = 3;
const SESSIONS: usize = 2;
/// A message with more telling words is a task, and not a question about one
/// thing.
const MOST_WORDS: usize = 12;
/// At most so many gaps are told, those that are asked for most.
const MOST: usize = 10;
/// At most so many recalls are named for one, the latest.
const MOST_EVIDENCE: usize = 20;
/// A question is quoted so far, in characters: the request to fill the gap has
/// to fit into a line of 160.
const QUOTED: usize = 80;

/// A question, with the stems of its telling words.
struct Question<'r> {
    recall: &'r RecallLogged,
    words: BTreeSet<String>,
}

impl Question<'_> {
    /// Something was sure enough to be shown, or helped although it was not.
    fn is_answered(&self) -> bool {
        let RecallLogged { confidence, used, results_used, .. } = self.recall;
        Form::at(*confidence).is_some() || !used.is_empty() || *results_used > 0
    }
}

/// The gaps there are at `at`, of recalls that are oldest first. Something that
/// was stored since the last question, and has its words, fills a gap; that is
/// looked for among `memories`. A gap in `known` that still is one keeps its
/// words, so that it stays the same.
pub fn gaps(
    recalls: &[RecallLogged],
    memories: &[Arc<Memory>],
    known: &[Insight],
    at: Timestamp,
) -> Vec<Insight> {
    let questions: Vec<Question<'_>> = recalls.iter().filter_map(|recall| question_of(recall, at)).collect();
    let mut sharing: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (place, question) in questions.iter().enumerate() {
        for (nth, one) in question.words.iter().enumerate() {
            for other in question.words.iter().skip(nth + 1) {
                sharing.entry((one, other)).or_default().push(place);
            }
        }
    }
    sharing.retain(|_, places| {
        is_often(&questions, places) && !places.iter().any(|place| questions[*place].is_answered())
    });
    let known: BTreeSet<&str> = known
        .iter()
        .filter(|insight| insight.is_open() && insight.insight == InsightType::MemoryGap)
        .map(|insight| insight.subject.as_str())
        .collect();
    let mut order: Vec<((&str, &str), Vec<usize>)> = sharing.into_iter().collect();
    order.sort_by_key(|(pair, places)| {
        (!known.contains(subject_of(*pair).as_str()), Reverse(places.len()), *pair)
    });
    let mut told: BTreeSet<usize> = BTreeSet::new();
    let mut found: Vec<(usize, Insight)> = Vec::new();
    for (pair, mut places) in order {
        // A question that shares many words with others is told of once.
        places.retain(|place| !told.contains(place));
        if !is_often(&questions, &places) {
            continue;
        }
        told.extend(&places);
        if let Some(insight) = gap(pair, &questions, &places, memories, at) {
            found.push((places.len(), insight));
        }
    }
    found.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.subject.cmp(&other.1.subject)));
    found.into_iter().take(MOST).map(|(_, insight)| insight).collect()
}

/// None: nobody asked for anything, or too long ago.
fn question_of(recall: &RecallLogged, at: Timestamp) -> Option<Question<'_>> {
    let asked = match recall.via {
        Surface::Search | Surface::Tool => true,
        // What is said to an agent is a question only where it reads like one.
        Surface::Prompt => recall.intent != Intent::General,
        Surface::SessionStart | Surface::Command => false,
    };
    let ago = at.duration_since(recall.at);
    if !asked || ago > WINDOW || recall.at > at {
        return None;
    }
    let query = recall.query.as_str();
    let turkish = language_of(query) == Language::Turkish;
    let words = words_of(query);
    let words = telling(words.iter().map(|word| &query[word.at.clone()]));
    let words: BTreeSet<String> = words.into_iter().map(|word| stem_of(&fold(word), turkish)).collect();
    (2..=MOST_WORDS).contains(&words.len()).then_some(Question { recall, words })
}

fn is_often(questions: &[Question<'_>], places: &[usize]) -> bool {
    let sessions: BTreeSet<Option<SessionId>> =
        places.iter().map(|place| questions[*place].recall.session).collect();
    places.len() >= TIMES && sessions.len() >= SESSIONS
}

fn subject_of((one, other): (&str, &str)) -> String {
    format!("{one} {other}")
}

/// None: it was filled since.
fn gap(
    pair: (&str, &str),
    questions: &[Question<'_>],
    places: &[usize],
    memories: &[Arc<Memory>],
    at: Timestamp,
) -> Option<Insight> {
    let last = questions[*places.last()?].recall;
    let fills = |memory: &Arc<Memory>| {
        memory.status.is_current() && memory.created_at > last.at && has_words(&memory.content, pair)
    };
    if memories.iter().any(fills) {
        return None;
    }
    let description =
        format!("asked {} times, never answered: {}", places.len(), quoted(&in_one_line(&last.query)));
    let latest = places.iter().rev().take(MOST_EVIDENCE);
    let evidence = latest.map(|place| questions[*place].recall.id.to_string()).collect();
    Some(Insight::seen(InsightType::MemoryGap, subject_of(pair), description, evidence, at))
}

fn has_words(text: &str, (one, other): (&str, &str)) -> bool {
    let turkish = language_of(text) == Language::Turkish;
    let words = words_of(text);
    let stems: BTreeSet<String> =
        words.iter().filter(|word| is_content(word)).map(|word| stem_of(&word.folded, turkish)).collect();
    stems.contains(one) && stems.contains(other)
}

/// The beginning of a question, up to the end of a word.
fn quoted(question: &str) -> String {
    if question.chars().count() <= QUOTED {
        return question.trim_end_matches(['?', '.', ' ']).to_owned();
    }
    let head: String = question.chars().take(QUOTED).collect();
    let end = head.rfind(' ').unwrap_or(head.len());
    format!("{} ...", head[..end].trim_end())
}

/// The gap that is worth a line at the start of a session, if any: the one that
/// is asked for most of those that anybody asked for lately.
pub fn gap_to_ask(insights: &[Insight], at: Timestamp) -> Option<&Insight> {
    let asked = |insight: &&Insight| {
        let lately = at.duration_since(insight.last_seen_at) <= WINDOW;
        insight.insight == InsightType::MemoryGap && insight.is_open() && lately
    };
    let most =
        |insight: &&Insight| (insight.evidence.len(), Reverse((insight.created_at, insight.id.clone())));
    insights.iter().filter(asked).max_by_key(most)
}

/// The line that asks for a gap to be filled, in no more than 160 characters.
pub fn request_of(gap: &Insight) -> String {
    format!("{}. If you learn it, store it.", gap.description.trim_end_matches(" ..."))
}
