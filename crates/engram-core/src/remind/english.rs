//! Reminders in English: "remind me to ... when ...", "next time we ..., remind
//! me that ...", "don't let me forget to ...".
//!
//! An order is told from a report and from a question by what stands before
//! "remind me" and right behind it. What a condition or a day means is not
//! known here.

use super::Asked;
use super::sentence::Sentence;
use super::topic::names_something;
use crate::form;
use jiff::Zoned;
use std::ops::Range;

/// How the order is worded, and the word after it.
struct Order {
    start: usize,
    end: usize,
    /// "Set a reminder", behind which a "to" may lead to a thing.
    noun: bool,
}

/// What stands around the order: a condition, a day, or both.
#[derive(Default)]
struct Around {
    when: Option<Range<usize>>,
    moment: Option<form::Moment>,
}

pub(super) fn asked_in(sentence: &Sentence<'_>, said_at: &Zoned) -> Option<Asked> {
    (0..sentence.len()).find_map(|at| {
        let order = order_at(sentence, at).filter(|_| !sentence.is_quoted(at))?;
        let before = before(sentence, order.start, said_at)?;
        told(sentence, &order, before, said_at)
    })
}

fn order_at(sentence: &Sentence<'_>, at: usize) -> Option<Order> {
    let plain = [
        "remind me|us",
        "dont|never let me|us forget",
        "do not let me|us forget",
        "make sure i|we dont forget",
        "make sure i|we do not forget",
        "make sure i|we remember",
    ];
    let noun = ["set|leave|give|create|add|schedule|make a reminder", "set|give me a reminder"];
    let end = plain.iter().find_map(|words| sentence.phrase(at, words));
    let order = end.map(|end| Order { start: at, end, noun: false }).or_else(|| {
        let end = noun.iter().find_map(|words| sentence.phrase(at, words))?;
        let end = sentence.phrase(end, "for me|myself|us").unwrap_or(end);
        Some(Order { start: at, end, noun: true })
    })?;
    let again = sentence.phrase(order.end, "again|please").unwrap_or(order.end);
    Some(Order { end: again, ..order })
}

/// What stands before the order. None: nobody gives an order here.
fn before(sentence: &Sentence<'_>, order: usize, said_at: &Zoned) -> Option<Around> {
    let (end, joined) = without_leads(sentence, order);
    let start = (0..end).find(|at| !sentence.any(*at, LEADS)).unwrap_or(end);
    if start == end {
        return Some(Around::default());
    }
    let parted = sentence.begins_clause(end);
    if !parted && sentence.any(end - 1, NO_ORDER_AFTER) {
        return None;
    }
    let clauses = (start..end).filter(|at| *at == start || sentence.begins_clause(*at));
    for from in clauses {
        if let Some(around) = around(sentence, from..end, said_at) {
            return Some(around);
        }
    }
    let reported = (start..end).any(|at| sentence.any(at, REPORTED));
    ((parted || joined) && !reported).then(Around::default)
}

/// Words of courtesy before the order taken off: where they begin, and whether
/// one of them joins the order to something else.
fn without_leads(sentence: &Sentence<'_>, order: usize) -> (usize, bool) {
    let polite = [
        "can|could|would|will you",
        "i want|need you to",
        "id like|love you to",
        "i would like you to",
        "dont forget to",
        "be|make sure to",
        "make sure you",
        "remember to",
        "i want to ask you to",
    ];
    let (mut end, mut joined) = (order, false);
    while end > 0 {
        // "And only then, remind me": the word belongs to what is before it.
        let closes = sentence.begins_clause(end) && !sentence.begins_clause(end - 1);
        if sentence.any(end - 1, LEADS) && !closes {
            joined |= sentence.any(end - 1, "and but then so");
            end -= 1;
            continue;
        }
        let taken = polite.iter().map(|words| words.split(' ').count()).zip(polite);
        let fits = |(length, words): (usize, &str)| {
            let from = end.checked_sub(length)?;
            sentence.phrase(from, words).map(|_| from)
        };
        match taken.into_iter().find_map(fits) {
            Some(from) => end = from,
            None => break,
        }
    }
    (end, joined)
}

/// A condition, a day, or one behind the other; None: neither.
fn around(sentence: &Sentence<'_>, of: Range<usize>, said_at: &Zoned) -> Option<Around> {
    if let Some(moment) = sentence.moment_of(&of, said_at) {
        return Some(Around { when: None, moment: Some(moment) });
    }
    if let Some(from) = condition_at(sentence, of.start) {
        if from == of.end && sentence.after_any(from, "time") {
            return Some(Around::default());
        }
        let (when, moment) = sentence.without_last_moment(from..of.end, said_at);
        return (!when.is_empty()).then_some(Around { when: Some(when), moment });
    }
    // "Tomorrow when we deploy".
    let (words, moment) = sentence.moments(&of, said_at).into_iter().next()?;
    let from = condition_at(sentence, words.end).filter(|from| words.start == of.start && *from < of.end)?;
    Some(Around { when: Some(from..of.end), moment: Some(moment) })
}

/// What the order says, behind it.
fn told(sentence: &Sentence<'_>, order: &Order, before: Around, said_at: &Zoned) -> Option<Asked> {
    let Some((link, from)) = linked(sentence, order, &before) else {
        // "Remind me tomorrow": of what was said before.
        let rest = order.end..sentence.len();
        let moment = sentence.moment_of(&rest, said_at)?;
        return Some(Asked { text: String::new(), when: None, moment: Some(moment) });
    };
    let middle = match order.end..link {
        none if none.is_empty() => Around::default(),
        some => {
            let led = order.noun && sentence.any(some.start, "for on");
            around(sentence, some.start + usize::from(led)..some.end, said_at)?
        }
    };
    let mut end = sentence.len();
    while end > from && sentence.any(end - 1, "please pls thanks thank you ok okay") {
        end -= 1;
    }
    let that = sentence.any(link, "that");
    let mut when = middle.when.or(before.when);
    let mut moment = middle.moment.or(before.moment);
    let mut text = from..end;
    if when.is_none()
        && let Some(parted) = parted(sentence, &text, that, said_at)
    {
        (text, when) = (parted.text, Some(parted.when));
        moment = moment.or(parted.moment);
    }
    // What is so on some day says nothing of when to be told of it.
    let tells = that || text.clone().skip(1).any(|at| sentence.any(at, "that"));
    if moment.is_none() && !tells {
        let pointing = sentence.any(text.start, "this that it these");
        let behind = text.start + usize::from(pointing)..text.end;
        match sentence.moment_of(&behind, said_at).filter(|_| pointing) {
            // "This next week" is not the week that comes.
            Some(found) => (text.end, moment) = (text.start + 1, Some(found)),
            None => (text, moment) = sentence.without_last_moment(text, said_at),
        }
    }
    let written = sentence.written(&text);
    let about = sentence.any(link, "about of it we theres there");
    let asks_back = about && when.is_none() && moment.is_none();
    if written.is_empty() || asks_back {
        return None;
    }
    let when = when.map(|when| sentence.written(&plain_condition(sentence, when)).to_owned());
    Some(Asked { text: written.to_owned(), when: when.filter(|when| !when.is_empty()), moment })
}

/// What is to be told, and the condition that stood beside it.
struct Parted {
    text: Range<usize>,
    when: Range<usize>,
    moment: Option<form::Moment>,
}

fn parted(sentence: &Sentence<'_>, of: &Range<usize>, that: bool, said_at: &Zoned) -> Option<Parted> {
    // "To, when we deploy, check the logs".
    let opens = !that && sentence.any(of.start, "when whenever once if before after while as");
    if let Some(condition) = condition_at(sentence, of.start).filter(|_| opens)
        && let Some(behind) = (condition + 1..of.end).find(|at| sentence.begins_clause(*at))
    {
        return Some(Parted { text: behind..of.end, when: condition..behind, moment: None });
    }
    let (at, condition) = trailing_condition(sentence, of, that, said_at)?;
    let (when, moment) = sentence.without_last_moment(condition..of.end, said_at);
    // What names nothing stays where it is: "to ask Bob when it is over".
    let named = names_something(sentence.written(&when)) || sentence.after_any(when.start, "time");
    (named && !when.is_empty()).then_some(Parted { text: of.start..at, when, moment })
}

/// The word that leads from the order to what it is about, and the first word
/// of that. None: it asks about the past, or says nothing.
fn linked(sentence: &Sentence<'_>, order: &Order, before: &Around) -> Option<(usize, usize)> {
    let conditional = condition_at(sentence, order.end).is_some();
    let asks = !conditional && sentence.any(order.end, ASKING)
        || sentence.phrase(order.end, "to what|which|whom|where").is_some()
        || sentence.phrase(order.end, POINTED_AT).is_some();
    if asks {
        return None;
    }
    // "When I touch the parser, remind me it has no tests".
    let known = before.when.is_some() || before.moment.is_some();
    let stated = if known { "it its the we our there theres this" } else { "it we there theres" };
    if !order.noun && sentence.any(order.end, stated) {
        return Some((order.end, order.end));
    }
    for at in order.end..sentence.len().min(order.end + LONGEST_MIDDLE) {
        if sentence.phrase(at, "not to").is_some() {
            return Some((at, at));
        }
        if sentence.any(at, "to") {
            let thing = sentence.any(at + 1, "the a an our my your this each every") && order.noun;
            if thing {
                return None;
            }
            let belongs = at > order.end && sentence.after_any(at, BEFORE_TO)
                || sentence.any(at + 1, "the a an our my your this");
            if !belongs {
                return Some((at, at + 1));
            }
        }
        if sentence.any(at, "that about") || at == order.end && sentence.any(at, "of") {
            return Some((at, at + 1));
        }
        if sentence.after_colon(at) {
            return Some((at, at));
        }
    }
    None
}

/// More words than this between the order and what it is about are no longer a
/// condition or a day.
const LONGEST_MIDDLE: usize = 16;

/// The words with which a condition begins here; the word after them.
fn condition_at(sentence: &Sentence<'_>, at: usize) -> Option<usize> {
    let leads = [
        "at the start|beginning of the next",
        "at the start|beginning of next",
        "on|at|with|in|during|before|after the|my|our|your next|upcoming",
        "the very next time",
        "the next time",
        "next time",
        "every|each|any time",
        "the moment|minute|second",
        "as soon as",
        "the next",
        "next",
        "when|whenever|once|if|while|before|after|during",
    ];
    let from = leads.iter().find_map(|words| sentence.phrase(at, words))?;
    let counted = sentence.any(at, "once") && sentence.any(from, "a an per every again more daily weekly");
    let later = sentence.any(at, "while") && sentence.after_any(at, "a");
    // "When possible", "if you can": no condition that comes up.
    let empty = sentence.any(at, "when if")
        && (sentence.any(from, "possible needed necessary")
            || sentence.phrase(from, "you can|could|have|get|want|like").is_some());
    (from < sentence.len() && !counted && !later && !empty).then_some(from)
}

/// Where a condition begins behind what is to be done, and its first word.
fn trailing_condition(
    sentence: &Sentence<'_>,
    of: &Range<usize>,
    that: bool,
    said_at: &Zoned,
) -> Option<(usize, usize)> {
    let moments = sentence.moments(of, said_at);
    (of.start + 1..of.end).find_map(|at| {
        let condition = condition_at(sentence, at)?;
        // "To check if it runs", "to ask when it ends".
        let asked = sentence.any(at, "if when") && sentence.after_any(at, ASKED_OF)
            || sentence.any(at, "if") && sentence.any(of.start, "ask tell find wonder decide see");
        // "That the migration runs before the deploy" tells of an order.
        let ordered = that && sentence.any(at, "before after during while if");
        // "To plan the next release" and "to do it in the next two days".
        let thing =
            sentence.any(at, "next the") && !sentence.after_any(condition, "time moment minute second");
        let dated = moments.iter().any(|(words, _)| words.contains(&at));
        (!asked && !ordered && !thing && !dated && condition < of.end).then_some((at, condition))
    })
}

/// A condition without who does it and without a verb that says nothing:
/// "I touch the billing module" is about the billing module.
fn plain_condition(sentence: &Sentence<'_>, when: Range<usize>) -> Range<usize> {
    let mut at = when.start;
    while at < when.end && sentence.any(at, "i we you someone somebody anyone im were are am next ever again")
    {
        at += 1;
    }
    let who = at > when.start;
    let verbs = [
        "get|getting|go|going|come|coming back to",
        "work|working|start|starting on",
        "start|starting working on",
        "get|getting|come|coming to",
        "look|looking at|into",
        "deal|dealing|start|starting|work|working with",
        "touch|touching|edit|editing|change|changing|modify|modifying|open|opening",
    ];
    let thing = verbs.iter().find_map(|words| sentence.phrase(at, words));
    match thing.filter(|thing| who && *thing < when.end) {
        Some(thing) => thing..when.end,
        None => when,
    }
}

const LEADS: &str = "please pls kindly just also and but then so ok okay hey hi hello oh btw yes yeah well now \
                     claude engram great cool thanks";

/// What stands right before a "remind me" that somebody else does or did.
const NO_ORDER_AFTER: &str = "should will would must to can could may might does did do dont not never always \
                              they you it that which who he she and or really often sometimes just cant wont \
                              doesnt shouldnt helps help";

const REPORTED: &str = "said says asked asks wrote writes reads they should would must says button label";

/// What somebody has forgotten the name of.
const POINTED_AT: &str = "that thing|stuff|one|part|name|command|url|trick|again|time|guy";

const ASKING: &str = "what whats how where wheres which who whos why whether whose when if";

/// A "to" behind these belongs to them.
const BEFORE_TO: &str = "get gets getting got go goes going come comes coming back need needs want wants have has \
                         had try trying next up start starts begin begins ready about used switch switching move \
                         moving return returning migrate migrating push pushing merge merging deploy deploying \
                         upgrade upgrading write writing connect connecting talk talking speak speaking";

const ASKED_OF: &str = "check see ask verify know find out confirm decide wonder determine sure tell";
