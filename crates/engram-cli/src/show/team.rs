//! How the team looks.

use super::{Last, Look, clean_line, grouped, memories, plural, short, table};
use engram_wire::team::{
    Invitation, TeamCreated, TeamHealth, TeamLeft, TeamLine, TeamLines, TeamMembers, TeamQueued, TeamStatus,
};
use std::fmt::Write as _;

pub(crate) fn team_created(created: &TeamCreated, _look: &Look) -> String {
    format!(
        "The team {} is on {}.\nIts first maintainer joins with this, once; it is not shown again:\n\n  \
         engram team join '{}'\n",
        created.name,
        clean_line(&created.url),
        clean_line(&created.invitation.address)
    )
}

pub(crate) fn team_invitation(invitation: &Invitation, _look: &Look) -> String {
    format!(
        "Whoever says this first is a {} of the team; it is good once and not shown again:\n\n  \
         engram team join '{}'\n",
        invitation.role,
        clean_line(&invitation.address)
    )
}

pub(crate) fn team_joined(health: &TeamHealth, look: &Look) -> String {
    let mut text =
        format!("You are {} ({}) of the team {}.\n", clean_line(&health.handle), health.role, health.name);
    let _ = match health.most {
        Some(_) => writeln!(
            text,
            "The latest {} are here; recall asks the team's server for the others.",
            memories(health.memories)
        ),
        None => writeln!(text, "{} shared; recall finds them here now.", memories(health.memories)),
    };
    text += &look.dim("Share one of yours: engram team share <memory>\n");
    text
}

pub(crate) fn team_left(left: &TeamLeft, _look: &Look) -> String {
    let mut text = format!("You have left the team {}; its memories are gone from here.\n", left.name);
    if left.lost > 0 {
        let changes = plural(left.lost, "change was", "changes were");
        let _ = writeln!(text, "{changes} never said to the server, and are lost.");
    }
    if !left.told {
        text += "The server was not told; a maintainer can remove you there: engram team remove\n";
    }
    text
}

/// In `team status`, and among what `status` tells.
pub(super) fn team_health(health: &TeamHealth, look: &Look) -> String {
    let mut text = format!(
        "team      {}, as {} ({})\nserver    {}{}\n",
        health.name,
        clean_line(&health.handle),
        health.role,
        clean_line(&health.url),
        if health.reachable { "" } else { " (not reached)" }
    );
    if let Some(problem) = &health.problem {
        let _ = writeln!(text, "          {}", clean_line(problem));
    }
    let level = match (health.behind, health.level_at) {
        (0, Some(at)) => format!("level {}", look.age(at)),
        (0, None) => "not level yet".to_owned(),
        (behind, Some(at)) => format!("{} behind, level {}", grouped_lines(behind), look.age(at)),
        (behind, None) => format!("{} behind", grouped_lines(behind)),
    };
    let _ = writeln!(text, "memories  {}, {level}", grouped(health.memories));
    match health.most {
        Some(most) => {
            let _ = writeln!(
                text,
                "          {} at most are kept here; its server finds the rest",
                grouped(most)
            );
        }
        None if health.searched => text += "          all of them are here; its server could search, too\n",
        None => {}
    }
    let _ = write!(text, "outbox    {}", plural(health.queued, "change waits", "changes wait"));
    if health.refused > 0 {
        let _ = write!(text, ", {} refused", health.refused);
    }
    text.push('\n');
    text
}

fn grouped_lines(behind: u64) -> String {
    plural(usize::try_from(behind).unwrap_or(usize::MAX), "line", "lines")
}

pub(crate) fn team_status(status: &TeamStatus, look: &Look) -> String {
    let Some(health) = &status.team else {
        return "No team was joined. A maintainer invites with `engram team invite`.\n".to_owned();
    };
    let mut text = team_health(health, look);
    if !status.refused.is_empty() {
        text += "\nThe server refused:\n";
        for line in &status.refused {
            let memory = line.memory.map(short).unwrap_or_default();
            let _ = writeln!(
                text,
                "  {} {memory} ({}): {}",
                line.intent,
                look.moment(line.at),
                clean_line(&line.problem)
            );
        }
        text += &look.dim("`engram team dismiss` lets go of them.\n");
    }
    text
}

pub(crate) fn team_members(members: &TeamMembers, look: &Look) -> String {
    let rows = members.members.iter().map(|member| {
        let mut state = if member.active { String::new() } else { "removed".to_owned() };
        if member.id == members.me {
            "you".clone_into(&mut state);
        }
        vec![clean_line(&member.handle), member.role.to_string(), look.date(member.since), state]
    });
    let mut text = table(&["HANDLE", "ROLE", "SINCE", ""], rows.collect(), Last::Wrap, look);
    if let Some(problem) = &members.problem {
        let when = members.told_at.map_or("at some time".to_owned(), |at| look.age(at));
        let _ = writeln!(
            text,
            "This is what the server told {when}; it was not asked now: {}",
            clean_line(problem)
        );
    }
    text
}

fn lines_of(lines: &[TeamLine], look: &Look) -> String {
    let rows = lines.iter().map(|line| {
        vec![
            short(line.memory),
            line.kind.to_string(),
            line.author.as_deref().or(line.place.as_deref()).map(clean_line).unwrap_or_default(),
            line.why.as_deref().map(clean_line).unwrap_or_default(),
            clean_line(&line.text),
        ]
    });
    table(&["ID", "KIND", "FROM", "WHY", "TEXT"], rows.collect(), Last::Wrap, look)
}

pub(crate) fn team_offers(offers: &TeamLines, look: &Look) -> String {
    if offers.lines.is_empty() {
        return "Nothing is offered. What several people use, each on their own, is.\n".to_owned();
    }
    lines_of(&offers.lines, look) + "Share one: engram team share <ID>; or: engram team never <ID>\n"
}

pub(crate) fn team_proposals(proposals: &TeamLines, look: &Look) -> String {
    if proposals.lines.is_empty() {
        return "Nothing waits for a maintainer.\n".to_owned();
    }
    lines_of(&proposals.lines, look) + "Decide: engram team approve <ID>, engram team refuse <ID>\n"
}

fn queued(queued: &TeamQueued, done: &str, look: &Look) -> String {
    let mut text: String = queued
        .memories
        .iter()
        .map(|line| format!("{} {}  {}\n", done, short(line.memory), clean_line(&line.text)))
        .collect();
    if queued.proposed {
        text += "A maintainer has to say yes before the team sees it.\n";
    }
    if !queued.done {
        text += &look.dim("It waits to be said to the server.\n");
    }
    text
}

pub(crate) fn team_shared(shared: &TeamQueued, look: &Look) -> String {
    queued(shared, if shared.proposed { "proposed" } else { "shared" }, look)
}

pub(crate) fn team_withdrawn(withdrawn: &TeamQueued, look: &Look) -> String {
    queued(withdrawn, "withdrawn", look)
}

pub(crate) fn team_answered(answered: &TeamQueued, look: &Look) -> String {
    queued(answered, "decided", look)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engram_core::team::{Member, Role};
    use engram_core::{IdMint, MemberId, Timestamp};
    use jiff::tz::TimeZone;

    #[test]
    fn a_list_of_members_that_is_old_says_so() {
        let at = |seconds: i64| Timestamp::from_second(1_767_225_600 + seconds).unwrap();
        let look = Look { now: at(7_200), zone: || TimeZone::UTC, color: false, width: 80 };
        let id = MemberId::from_ulid(IdMint::seeded(1).mint(at(0)));
        let ada = Member { id, handle: "ada".to_owned(), role: Role::Member, active: true, since: at(0) };
        let now = TeamMembers { members: vec![ada], me: id, told_at: Some(at(7_200)), problem: None };
        assert!(!team_members(&now, &look).contains("told"));
        let problem = Some("the team's server cannot be reached (no answer within 10 ms)".to_owned());
        let old = TeamMembers { told_at: Some(at(0)), problem, ..now };
        let told = team_members(&old, &look);
        assert!(told.contains("ada") && told.contains("it was not asked now"), "{told}");
        assert!(told.contains("2 hours ago") && told.contains("no answer within 10 ms"), "{told}");
    }
}
