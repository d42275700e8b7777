//! `team`: joining, sharing, and what those do who look after a team.

use super::govern::asks;
use crate::args::{Personal, Team};
use crate::ask::Client;
use crate::out::{self, Out};
use crate::show;
use engram_core::Scope;
use engram_core::personal::Treatment;
use engram_wire::message::{Hidden, Operator, TeamCreate, TeamJoin, TeamOrder};
use engram_wire::team::{
    Invitation, TeamCreated, TeamDone, TeamDoor, TeamHealth, TeamLeft, TeamLines, TeamMembers, TeamQueued,
    TeamStatus,
};
use engram_wire::{Fault, Order};
use serde_json::Value;
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

pub(crate) fn run(client: &mut Client, out: &Out, team: Team) -> Result<(), Fault> {
    match team {
        Team::Join(join) => {
            let given = match join.address {
                Some(address) => address,
                None => invitation_from_input()?,
            };
            let door: TeamDoor = given.parse().map_err(|problem| Fault::usage(format!("{problem}")))?;
            let code = door.code.ok_or_else(|| {
                Fault::usage("this address has no code, so nobody is invited by it")
                    .hint("a maintainer makes one with `engram team invite`")
            })?;
            let handle = join.handle.or_else(|| std::env::var("USER").ok()).unwrap_or_default();
            let ca = join.ca.as_deref().map(certificate).transpose()?;
            let (url, namespace, name) = (door.url, door.namespace, door.name);
            let order = TeamJoin { url, namespace, name, code, handle, ca };
            out.reply::<TeamHealth>(say(client, TeamOrder::Join(order))?, show::team_joined)
        }
        Team::Leave { force, withdraw } => {
            out.reply::<TeamLeft>(say(client, TeamOrder::Leave { force, withdraw })?, show::team_left)
        }
        Team::Status => out.reply::<TeamStatus>(say(client, TeamOrder::Status)?, show::team_status),
        Team::Dismiss => done(out, say(client, TeamOrder::Dismiss)?),
        Team::Members => out.reply::<TeamMembers>(say(client, TeamOrder::Members)?, show::team_members),
        Team::Share(given) => share(client, out, given.memories, given.about_people),
        Team::Withdraw { memories } => {
            let operation = client.new_operation();
            let order = TeamOrder::Withdraw { operation, memories };
            out.reply::<TeamQueued>(say(client, order)?, show::team_withdrawn)
        }
        Team::Offers => out.reply::<TeamLines>(say(client, TeamOrder::Offers)?, show::team_offers),
        Team::Never { memories } => done(out, say(client, TeamOrder::Never { memories })?),
        Team::Proposals => out.reply::<TeamLines>(say(client, TeamOrder::Proposals)?, show::team_proposals),
        Team::Approve { memories } => answer(client, out, memories, true),
        Team::Refuse { memories } => answer(client, out, memories, false),
        Team::Invite { role, operator_file } => {
            let operator = operator_file.as_deref().map(operator).transpose()?;
            out.reply::<Invitation>(say(client, TeamOrder::Invite { role, operator })?, show::team_invitation)
        }
        Team::Role { member, role } => set_member(client, out, member, Some(role), None),
        Team::Remove { member } => set_member(client, out, member, None, Some(false)),
        Team::Rotate => done(out, say(client, TeamOrder::Rotate)?),
        Team::Create(create) => {
            let order = TeamCreate {
                url: create.url,
                name: create.name,
                namespace: create.namespace,
                operator: operator(&create.operator.operator_file)?,
                review: create.review,
                ca: create.ca.as_deref().map(certificate).transpose()?,
                session_s: create.sign_in,
            };
            out.reply::<TeamCreated>(say(client, TeamOrder::Create(order))?, show::team_created)
        }
        Team::Upgrade(file) => {
            done(out, say(client, TeamOrder::Upgrade { operator: operator(&file.operator_file)? })?)
        }
        Team::Search { index, file } => {
            let operator = operator(&file.operator_file)?;
            done(out, say(client, TeamOrder::Search { operator, index })?)
        }
    }
}

pub(super) fn share(
    client: &mut Client,
    out: &Out,
    memories: Vec<String>,
    about_people: Personal,
) -> Result<(), Fault> {
    if memories.is_empty() {
        return Err(Fault::usage("name what is to be shared").hint("nothing goes to the team by itself"));
    }
    let operation = client.new_operation();
    as_said(client, about_people);
    out.reply::<TeamQueued>(say(client, TeamOrder::Share { operation, memories })?, show::team_shared)
}

fn say(client: &Client, order: TeamOrder) -> Result<Value, Fault> {
    client.ask(Order::Team(Box::new(order)))
}

fn done(out: &Out, reply: Value) -> Result<(), Fault> {
    out.reply::<TeamDone>(reply, |told, _| format!("{}\n", told.done))
}

fn answer(client: &mut Client, out: &Out, memories: Vec<String>, approve: bool) -> Result<(), Fault> {
    let operation = client.new_operation();
    let order = TeamOrder::Answer { operation, memories, approve };
    out.reply::<TeamQueued>(say(client, order)?, show::team_answered)
}

fn set_member(
    client: &mut Client,
    out: &Out,
    member: String,
    role: Option<engram_core::team::Role>,
    active: Option<bool>,
) -> Result<(), Fault> {
    let operation = client.new_operation();
    done(out, say(client, TeamOrder::SetMember { operation, member, role, active })?)
}

/// What somebody says about personal data in what they share. That counts only
/// where the settings ask.
fn as_said(client: &mut Client, said: Personal) {
    let treatment = match said {
        Personal { mask: true, .. } => Treatment::Mask,
        Personal { as_it_is: true, .. } if asks(client, Scope::Team) => Treatment::Off,
        _ => return,
    };
    client.set_once(format!("personal.{}", Scope::Team), treatment.to_string());
}

fn invitation_from_input() -> Result<String, Fault> {
    if out::is_at_terminal() {
        return Err(Fault::usage("there is no invitation")
            .hint("give it as an argument, or send it to standard input"));
    }
    let mut text = String::new();
    io::stdin()
        .take(4_096)
        .read_to_string(&mut text)
        .map_err(|error| Fault::environment(format!("standard input: {error}")))?;
    Ok(text)
}

/// The credentials of whoever runs the server. A file that others can read is not
/// used.
fn operator(file: &Path) -> Result<Operator, Fault> {
    let name = show::clean_line(&file.display().to_string());
    let meta = fs::metadata(file).map_err(|error| Fault::environment(format!("{name}: {error}")))?;
    if meta.permissions().mode() & 0o077 != 0 {
        return Err(Fault::refused(format!("others can read {name}"))
            .hint(format!("make it yours alone first: chmod 600 {name}")));
    }
    let text = fs::read_to_string(file).map_err(|error| Fault::environment(format!("{name}: {error}")))?;
    let said = |problem: &str| {
        Fault::usage(format!("{name}: {problem}"))
            .hint("it holds username = \"...\", password = \"...\" and level = \"root\", \"namespace\" or \"database\"")
    };
    // What the parser says would repeat a part of the password.
    let table: toml_edit::DocumentMut = text.parse().map_err(|_| said("this is no TOML"))?;
    let field = |key: &str| {
        let text = table.get(key).and_then(|item| item.as_str());
        text.map(str::to_owned).ok_or_else(|| said(&format!("{key} is missing")))
    };
    Ok(Operator {
        username: field("username")?,
        password: Hidden::new(field("password")?),
        level: field("level")?.parse().map_err(|problem| said(&format!("{problem}")))?,
    })
}

fn certificate(file: &Path) -> Result<String, Fault> {
    let name = show::clean_line(&file.display().to_string());
    let text = fs::read_to_string(file).map_err(|error| Fault::environment(format!("{name}: {error}")))?;
    match text.contains("-----BEGIN CERTIFICATE-----") {
        true => Ok(text),
        false => Err(Fault::usage(format!("{name} is no certificate in PEM"))),
    }
}
