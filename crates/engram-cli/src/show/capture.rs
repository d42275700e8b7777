//! How it looks what became of events, where a memory comes from, and what
//! waits for a decision.

use super::{Last, Look, clean, clean_line, cut, plural, short, table, wrap};
use engram_core::decision::{Action, Decision, Pair};
use engram_core::observe::Skipped;
use engram_core::turn::Turn;
use engram_wire::reply::{Observed, ReviewLine, Reviews, Side, WhyReply};
use std::collections::BTreeMap;

/// Of each message no more than this is shown beside a decision, in columns.
const SAID: usize = 400;

pub(crate) fn observed(observed: &Observed, spooled: usize, look: &Look) -> String {
    let mut text = String::new();
    let mut skipped: BTreeMap<&str, usize> = BTreeMap::new();
    let mut counts: BTreeMap<Action, usize> = BTreeMap::new();
    for decision in &observed.decisions {
        *counts.entry(decision.action).or_default() += 1;
        match (&decision.fact, decision.action) {
            (None, _) => *skipped.entry(decision.reason.as_str()).or_default() += 1,
            (Some(fact), action) => {
                let head = format!("{:<9}", action.as_str());
                let head = if action == Action::Skip { look.dim(&head) } else { look.bold(&head) };
                // What would be made has no name yet.
                let made = matches!(action, Action::Create | Action::Supersede | Action::Challenge);
                let named = decision.memory.filter(|_| !(observed.dry_run && made));
                let tail = named.map(|id| format!("  {}", short(id))).unwrap_or_default();
                let room = look.width.saturating_sub(12 + tail.len()).max(20);
                text += &format!("{head} {}{}\n", cut(&clean_line(fact), room), look.dim(&tail));
                if let Some(other) = told_other(decision) {
                    text += &format!("{:<10}{}\n", "", look.dim(&other));
                }
            }
        }
    }
    if !skipped.is_empty() {
        let reasons: Vec<String> =
            skipped.iter().map(|(reason, count)| format!("{count} {}", told_reason(reason))).collect();
        text += &format!("{}\n", look.dim(&format!("nothing kept of: {}", reasons.join(", "))));
    }
    let mut parts = Vec::new();
    if observed.dry_run {
        parts.push("Nothing was kept (dry run)".to_owned());
    } else {
        parts.push(format!("Heard {}", plural(observed.heard, "event", "events")));
    }
    if observed.known > 0 {
        parts.push(format!("{} known already", observed.known));
    }
    if spooled > 0 {
        parts.push(format!("{spooled} kept in the spool until the daemon runs again"));
    }
    if !observed.ended.is_empty() {
        parts.push(format!("{} ended: the file says so no more", observed.ended.len()));
    }
    for (action, count) in counts.iter().filter(|(action, _)| **action != Action::Skip) {
        parts.push(format!("{count} {action}"));
    }
    let masked: usize = observed.masked.values().sum();
    if masked > 0 {
        parts.push(format!("{} masked", plural(masked, "secret", "secrets")));
    }
    let personal: usize = observed.personal.values().sum();
    if personal > 0 {
        parts.push(format!("{} masked", plural(personal, "personal detail", "personal details")));
    }
    if observed.refused > 0 {
        parts.push(format!("{} not kept because of personal data", observed.refused));
    }
    if observed.barred > 0 {
        parts.push(format!("{} kept as evidence only, by the rules of authority", observed.barred));
    }
    text += &format!("{}.\n", parts.join(" · "));
    text
}

/// Why nothing of a message was kept, for whoever does not know our words.
fn told_reason(reason: &str) -> String {
    let Ok(why) = reason.parse::<Skipped>() else { return clean_line(reason) };
    match why {
        Skipped::TooShort => "too short",
        Skipped::TooLong => "too long for a message",
        Skipped::MachineText => "written by a program",
        Skipped::OwnText => "what engram said itself",
        Skipped::Instructions => "orders to an agent",
        Skipped::Markup => "markup",
        Skipped::Code => "code or data",
        Skipped::PastedLog => "a pasted log",
        Skipped::Emoji => "emoji",
        Skipped::Chatter => "small talk",
        Skipped::Question => "a question",
        Skipped::Command => "a command",
        Skipped::Request => "work asked for now",
        Skipped::Narration => "an agent telling what it does",
        Skipped::Passing => "true for the moment only",
        Skipped::Thin => "too little that lasts",
    }
    .to_owned()
}

/// What became of a text that did not simply become a new memory.
pub(super) fn told(decision: &Decision) -> String {
    let did = match decision.action {
        Action::Create => "kept",
        Action::Update => "known already; what is new in it was added",
        Action::Reinforce => "known already",
        Action::Supersede => "takes the place of what was known",
        Action::Challenge => "kept beside what it may contradict; see `engram review list`",
        Action::Skip => "not kept",
    };
    match told_other(decision) {
        Some(other) => format!("{did} ({other})"),
        None => did.to_owned(),
    }
}

/// What a decision was held against, in words.
fn told_other(decision: &Decision) -> Option<String> {
    if decision.action == Action::Create {
        return None;
    }
    let other = decision.other.map(short).unwrap_or_default();
    let reason = clean_line(decision.in_short());
    Some(if other.is_empty() { reason } else { format!("{other}: {reason}") })
}

pub(crate) fn why(why: &WhyReply, look: &Look) -> String {
    let memory = &why.memory;
    let mut text = format!("{}\n", look.bold(&clean_line(memory.headline())));
    let mut facts = vec![
        memory.scope.to_string(),
        memory.kind.to_string(),
        memory.tier.to_string(),
        memory.status.to_string(),
        format!("importance {:.2}", memory.importance.get()),
        format!("confidence {:.2}", memory.confidence.get()),
        format!("trust {:.1}", memory.provenance.trust.get()),
    ];
    if let Some(surprise) = memory.surprise {
        facts.push(format!("surprise {:.2}", surprise.get()));
    }
    if let Some(feeling) = memory.emotion.and_then(|emotion| emotion.feeling) {
        facts.push(feeling.to_string());
    }
    text += &format!("{}\n", look.dim(&facts.join(" · ")));
    let kept = why.kept_until.map_or_else(|| "for good".to_owned(), |at| format!("until {}", look.date(at)));
    text += &format!("{}\n", look.dim(&format!("kept at least {kept}")));
    text += "\nEvidence\n";
    if why.evidence.is_empty() {
        text += "  none was recorded: it was stated outright or imported as it is\n";
    }
    for turn in &why.evidence {
        text += &told_turn(turn, look);
    }
    text += "\nDecisions\n";
    if why.decisions.is_empty() {
        text += "  none: nobody had to weigh it\n";
    }
    for decision in &why.decisions {
        let by = if decision.by.as_str() == "model" { " by the language model" } else { "" };
        let similarity =
            decision.similarity.map(|it| format!(", likeness {:.2}", it.get())).unwrap_or_default();
        let role = match (decision.memory == Some(memory.id), decision.other) {
            (true, Some(other)) if decision.action != Action::Create => format!(" (beside {})", short(other)),
            (true, _) => String::new(),
            (false, _) => decision.memory.map_or_else(
                || " (of something else, held against this)".to_owned(),
                |id| format!(" ({} beside this)", short(id)),
            ),
        };
        text += &format!("  {} {}{role}{by}{similarity}\n", look.date(decision.at), decision.action);
        for line in wrap(&clean_line(&decision.reason), look.width.saturating_sub(6)) {
            text += &format!("      {line}\n");
        }
        if let Some(turn) = why.others.iter().find(|turn| turn.id == decision.turn) {
            text += &told_turn(turn, look);
        }
    }
    if !why.entities.is_empty() {
        let named: Vec<String> = why
            .entities
            .iter()
            .map(|entity| format!("{} ({})", clean_line(&entity.written), entity.kind))
            .collect();
        text += &format!("\nNames {}\n", named.join(", "));
    }
    if !why.relations.is_empty() {
        text += "\nRelations\n";
        for edge in &why.relations {
            let (other, arrow) = match edge.from == memory.id {
                true => (edge.to, "->"),
                false => (edge.from, "<-"),
            };
            text += &format!("  {arrow} {} {} ({:.2})\n", edge.kind, short(other), edge.confidence.get());
        }
    }
    text
}

fn told_turn(turn: &Turn, look: &Look) -> String {
    let mut head = format!("{} {}", look.date(turn.said_at), turn.event);
    if let Some(speaker) = &turn.speaker {
        head += &format!(" by {}", clean_line(speaker));
    }
    if let Some(source) = &turn.source {
        head += &format!(" from {}", clean_line(source));
    }
    if turn.instructions > 0 {
        head += " (reads like orders to an agent; kept as data)";
    }
    let mut text = format!("  {}  {}\n", look.dim(&short(turn.id)), look.dim(&head));
    let said = cut(&clean(&turn.content).replace('\n', " "), SAID);
    for line in wrap(&said, look.width.saturating_sub(6)) {
        text += &format!("      {line}\n");
    }
    text
}

pub(crate) fn reviews(reviews: &Reviews, look: &Look) -> String {
    if reviews.reviews.is_empty() {
        return "Nothing waits for a decision.\n".to_owned();
    }
    let rows = reviews
        .reviews
        .iter()
        .map(|line| {
            let state = match line.review.closed {
                Some(closed) => closed.ruling.as_str(),
                None if line.is_open() => "open",
                None => "settled",
            };
            vec![
                short(line.review.id),
                line.scope.to_string(),
                state.to_owned(),
                look.age(line.review.opened_at),
                format!("{} | {}", in_short(&line.newer), in_short(&line.older)),
            ]
        })
        .collect();
    let text = table(&["REVIEW", "SCOPE", "RULING", "AGE", "NEWER | OLDER"], rows, Last::Wrap, look);
    let next = "engram review show REVIEW · engram review decide REVIEW both|newer|older|merge";
    format!("{text}{}\n", look.dim(next))
}

fn in_short(side: &Side) -> String {
    match side {
        Side::Memory { memory, .. } => clean_line(memory.headline()),
        Side::Entity { entity } => format!("{} ({})", clean_line(&entity.written), entity.kind),
        Side::Gone => "gone".to_owned(),
    }
}

pub(crate) fn review(line: &ReviewLine, look: &Look) -> String {
    let review = &line.review;
    let mut text = format!("{}  {}\n", look.bold(&short(review.id)), look.dim(line.scope.as_str()));
    let likeness = review.similarity.map(|it| format!(" (likeness {:.2})", it.get())).unwrap_or_default();
    text += &format!("{}{likeness}\n", clean_line(&review.reason));
    for (name, side) in [("newer", &line.newer), ("older", &line.older)] {
        text += &format!("\n{}\n", look.bold(name));
        match side {
            Side::Memory { memory, evidence } => {
                for row in wrap(&clean(&memory.content), look.width.saturating_sub(2)) {
                    text += &format!("  {row}\n");
                }
                let facts = format!(
                    "{} · {} · {} · {} · trust {:.1}",
                    short(memory.id),
                    memory.kind,
                    memory.status,
                    look.moment(memory.created_at),
                    memory.provenance.trust.get()
                );
                text += &format!("  {}\n", look.dim(&facts));
                for turn in evidence {
                    text += &told_turn(turn, look);
                }
            }
            Side::Entity { entity } => {
                let aliases: Vec<String> = entity.aliases.iter().map(|alias| clean_line(alias)).collect();
                let also =
                    if aliases.is_empty() { String::new() } else { format!(", also {}", aliases.join(", ")) };
                text += &format!(
                    "  {} ({}{also}), named {} times\n",
                    clean_line(&entity.written),
                    entity.kind,
                    entity.mentions
                );
            }
            Side::Gone => text += "  gone\n",
        }
    }
    let rulings = match review.pair {
        Pair::Memories { .. } => "both|newer|older|merge",
        Pair::Entities { .. } => "both|merge",
    };
    let next = match review.closed {
        Some(closed) => format!("decided: {}, {}", closed.ruling, look.moment(closed.at)),
        None => format!("engram review decide {} {rulings}", short(review.id)),
    };
    text += &format!("\n{}\n", look.dim(&next));
    text
}
