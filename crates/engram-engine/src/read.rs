//! Reads a question into what every shelf can be asked: its words, its
//! directions, its time, whom it names.
//!
//! Shelves are looked at only for what the reading itself needs: how rare a
//! word is, who speaks here, when an event was. Nothing is ranked.

use crate::recall::Ask;
use crate::shelf::Shelf;
use engram_core::ask::when::{self, Mention, Order, Period, Sessions, SessionsFrom, Side, TimeAsked};
use engram_core::ask::{Intent, expansions_of, intent_of};
use engram_core::port::{EmbedError, Embedder, Purpose};
use engram_core::rank::Weights;
use engram_core::{Codes, SessionId, Status, Timestamp};
use engram_index::{Filter, Query, Statistics, When};
use jiff::Zoned;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A text of so many words is a message that goes on with something, not a
/// question about the past.
const MESSAGE_WORDS: usize = 30;

/// So many bytes of a long text are read.
const BEGINNING: usize = 1_024;
const END: usize = 3_072;

/// So many moments that a question names are looked at.
const MOST_MENTIONS: usize = 8;

/// A question, ready to be put to every shelf.
pub(crate) struct Question {
    pub(crate) words: Query,
    pub(crate) statistics: Statistics,
    /// The question's direction, by the embedder that made it.
    pub(crate) directions: BTreeMap<String, Codes>,
    pub(crate) filter: Filter,
    /// What falls into it is preferred, not required.
    pub(crate) when: Option<When>,
    /// The one speaker the question names.
    pub(crate) named: Option<String>,
    pub(crate) of_self: bool,
    /// A message that goes on with something, not a question about the past.
    pub(crate) message: bool,
    pub(crate) intent: Intent,
    /// It asks for the latest or the earliest.
    pub(crate) order: Option<Order>,
    /// The names in it, where they count.
    pub(crate) names: Query,
    pub(crate) weights: Weights,
    pub(crate) session: Option<SessionId>,
    /// What has ended by now is left out. None for a look into the past.
    pub(crate) valid_at: Option<Timestamp>,
    pub(crate) at: Timestamp,
}

/// Which embedders a question is read by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Through {
    Everything,
    /// The table alone.
    Table,
}

/// A text that is too long to be read whole: its beginning, and more of its
/// end, where who writes at length comes to the point.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= BEGINNING + END {
        return Cow::Borrowed(text);
    }
    let (head, tail) = (text.floor_char_boundary(BEGINNING), text.ceil_char_boundary(text.len() - END));
    Cow::Owned(format!("{}\n{}", &text[..head], &text[tail..]))
}

/// Reads `text`, which is the question or a part of it. Tells of a model that
/// could not be asked.
pub(crate) async fn read(
    shelves: &[Arc<Shelf>],
    ask: &Ask,
    text: &str,
    at: &Zoned,
    through: Through,
) -> (Question, Option<EmbedError>) {
    let text = &*shortened(text);
    let time = when::read(text, at);
    let mut filter = filter(ask);
    let (periods, sessions) = times(shelves, &filter, &time);
    let when = when_of(&periods, &sessions, shelves);
    let said = if time.about_talk { &time.rest } else { text };
    if time.about_talk {
        // A session that never was has nothing in it.
        filter.when = Some(when.clone());
    }
    let words = Query::parse(said);
    let (named, without_names) = names(shelves, said);
    let (directions, without_model) =
        directions(shelves, &without_names, ask.weights.expansion, through).await;
    let question = Question {
        of_self: words.of_self,
        message: text.split_whitespace().count() >= MESSAGE_WORDS,
        statistics: statistics(shelves, &words),
        words,
        directions,
        filter,
        intent: intent_of(text, !time.mentions.is_empty()),
        order: time.order,
        when: (!time.mentions.is_empty()).then_some(when),
        named,
        names: if ask.weights.entity == 0.0 { Query::default() } else { Query::parse(&names_in(said)) },
        weights: ask.weights,
        session: ask.session,
        valid_at: (ask.as_of.is_none() && !ask.timeline).then_some(at.timestamp()),
        at: at.timestamp(),
    };
    (question, without_model)
}

/// What may be part of the answer at all.
fn filter(ask: &Ask) -> Filter {
    let mut filter = ask.filter.clone();
    match ask.as_of {
        Some(then) => {
            filter.said_by = Some(then);
            filter.valid_at = Some(then);
        }
        None => {
            let shown = |status: &Status| match status {
                Status::Archived => ask.archived || ask.timeline,
                Status::Superseded => ask.timeline,
                other => other.is_current(),
            };
            filter.statuses = Some(Status::ALL.iter().copied().filter(shown).collect());
            // What has faded is found as well, further down, and use brings it
            // back. What somebody put away stays away.
            filter.faded = true;
        }
    }
    filter
}

fn statistics(shelves: &[Arc<Shelf>], words: &Query) -> Statistics {
    let mut statistics = Statistics::default();
    shelves.iter().for_each(|shelf| statistics += shelf.index().statistics(words));
    statistics
}

/// The stretches of time and the sessions that are meant. An event is looked
/// up by its words; one that is not found means nothing.
fn times(shelves: &[Arc<Shelf>], filter: &Filter, time: &TimeAsked) -> (Vec<Period>, Vec<Sessions>) {
    let (mut periods, mut sessions) = (Vec::new(), Vec::new());
    for mention in time.mentions.iter().take(MOST_MENTIONS) {
        match mention {
            Mention::Period(period) => periods.push(*period),
            Mention::Sessions(counted) => sessions.push(*counted),
            Mention::Around { side, event } => {
                let words = Query::parse(event);
                let statistics = statistics(shelves, &words);
                let best = shelves.iter().filter_map(|shelf| {
                    let index = shelf.index();
                    let hit = index.search(&words, &statistics, filter, 1).pop()?;
                    Some((hit.score, index.entry(hit.id)?.created_at))
                });
                let best = best.max_by(|(one, _), (other, _)| one.total_cmp(other));
                periods.extend(best.map(|(_, moment)| match side {
                    Side::Before | Side::Until => Period { from: Timestamp::MIN, until: moment },
                    Side::After | Side::Since => Period { from: moment, until: Timestamp::MAX },
                }));
            }
        }
    }
    (periods, sessions)
}

/// The one speaker whom the text names, and the text without the names of
/// speakers: a name says whose words are meant, not what they are about.
fn names(shelves: &[Arc<Shelf>], text: &str) -> (Option<String>, String) {
    let speakers: BTreeSet<String> = shelves
        .iter()
        .flat_map(|shelf| shelf.index().speakers().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    if speakers.is_empty() {
        return (None, text.to_owned());
    }
    let part_of =
        |speaker: &str, word: &str| speaker.split_whitespace().any(|part| part.to_lowercase() == word);
    let bare = |word: &str| {
        let word = word.trim_matches(|mark: char| !mark.is_alphanumeric()).to_lowercase();
        match word.split_once(['\'', '’']) {
            Some((name, _)) => name.to_owned(),
            None => word,
        }
    };
    let mut named: BTreeSet<&String> = BTreeSet::new();
    let mut rest: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        let bare = bare(word);
        let meant: Vec<&String> = speakers.iter().filter(|speaker| part_of(speaker, &bare)).collect();
        if meant.is_empty() {
            rest.push(word);
        }
        named.extend(meant);
    }
    let one = if named.len() == 1 { named.first().map(|name| (*name).clone()) } else { None };
    (one, rest.join(" "))
}

/// The words in the shape of a name: an identifier, a path, a version, or one
/// that is capitalised within a sentence.
fn names_in(text: &str) -> String {
    let mut begins = true;
    let mut names: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        let bare = word.trim_matches(|mark: char| !mark.is_alphanumeric());
        let mut letters = bare.chars();
        let capital = letters.next().is_some_and(char::is_uppercase) && bare.chars().count() > 1;
        let inner = letters.any(|mark| mark.is_uppercase() || mark.is_numeric() || "_/.:".contains(mark));
        if inner || (capital && !begins) {
            names.push(bare);
        }
        begins = word.ends_with(['.', '?', '!', ':']);
    }
    names.join(" ")
}

/// The question's direction for every embedder that serves on some shelf, drawn
/// as far as is asked towards statements that might answer it.
async fn directions(
    shelves: &[Arc<Shelf>],
    text: &str,
    expansion: f64,
    through: Through,
) -> (BTreeMap<String, Codes>, Option<EmbedError>) {
    let mut directions = BTreeMap::new();
    let mut failed = None;
    if text.trim().is_empty() {
        return (directions, failed);
    }
    let every_word = Query::every_word(text);
    let statistics = statistics(shelves, &every_word);
    // A common word says little of what is meant. The root keeps it from
    // saying nothing.
    let weighted: Vec<(&str, f32)> =
        every_word.rarities(&statistics).map(|(word, rarity)| (word, rarity.sqrt() as f32)).collect();
    for shelf in shelves {
        let model = if through == Through::Everything { shelf.serving_model() } else { None };
        for embedder in shelf.table().into_iter().chain(model.as_ref()) {
            if directions.contains_key(embedder.id()) {
                continue;
            }
            let vector = match sum(&**embedder, &weighted) {
                Some(vector) => Ok(vec![vector]),
                None => embedder.embed(Purpose::Query, vec![text.to_owned()]).await,
            };
            let drawn = match vector {
                Ok(mut vectors) => match vectors.pop() {
                    Some(vector) => draw_towards_answers(&**embedder, vector, text, expansion).await,
                    None => continue,
                },
                Err(error) => Err(error),
            };
            match drawn {
                Ok(vector) => {
                    if let Some(codes) = Codes::of(&vector) {
                        directions.insert(embedder.id().to_owned(), codes);
                    }
                }
                Err(error) => failed = Some(error),
            }
        }
    }
    (directions, failed)
}

/// `share` of the direction is the mean of that of statements which might
/// answer the question.
async fn draw_towards_answers(
    embedder: &dyn Embedder,
    mut direction: Vec<f32>,
    text: &str,
    share: f64,
) -> Result<Vec<f32>, EmbedError> {
    let statements = if share == 0.0 { Vec::new() } else { expansions_of(text) };
    if statements.is_empty() {
        return Ok(direction);
    }
    let length = direction.iter().map(|number| number * number).sum::<f32>().sqrt();
    let towards = embedder.embed(Purpose::Document, statements).await?;
    let step = share as f32 * length / towards.len() as f32;
    direction.iter_mut().for_each(|number| *number *= 1.0 - share as f32);
    for statement in towards {
        direction.iter_mut().zip(statement).for_each(|(number, adds)| *number += step * adds);
    }
    Ok(direction)
}

/// The direction of words that do not all count the same; None from an embedder
/// that reads whole texts only.
fn sum(embedder: &dyn Embedder, words: &[(&str, f32)]) -> Option<Vec<f32>> {
    let mut sum = vec![0.0; embedder.dimensions()];
    for (word, weight) in words {
        let adds = embedder.embed_word(word)?;
        sum.iter_mut().zip(adds).for_each(|(sum, adds)| *sum += weight * adds);
    }
    (!words.is_empty()).then_some(sum)
}

/// The time a question names, as the index understands it. Sessions are those
/// of all shelves together, in their order.
fn when_of(periods: &[Period], sessions: &[Sessions], shelves: &[Arc<Shelf>]) -> When {
    let mut when = When {
        periods: periods.iter().map(|period| (period.from, period.until)).collect(),
        ..When::default()
    };
    if sessions.is_empty() {
        return when;
    }
    // A session that stands on two shelves began when it first began.
    let mut begun: BTreeMap<SessionId, Timestamp> = BTreeMap::new();
    for (session, from) in shelves.iter().flat_map(|shelf| shelf.index().sessions()) {
        begun.entry(session).and_modify(|known| *known = from.min(*known)).or_insert(from);
    }
    let mut all: Vec<(Timestamp, SessionId)> =
        begun.into_iter().map(|(session, from)| (from, session)).collect();
    all.sort_unstable();
    for asked in sessions {
        let (first, last) = (asked.first as usize - 1, asked.last as usize);
        let range = match asked.from {
            SessionsFrom::Start => first..last.min(all.len()),
            SessionsFrom::Now => all.len().saturating_sub(last)..all.len().saturating_sub(first),
        };
        when.sessions.extend(all.get(range).unwrap_or_default().iter().map(|(_, session)| *session));
    }
    when
}
