//! What an agent is told at its turning points, and what is kept of them.
//!
//! A hook only ever adds: where something fails here, the agent is told nothing
//! and goes on, and the meter says so.

use super::{Speaker, capture, look};
use crate::clock::now;
use crate::house::Visible;
use crate::metering::Hooked as Metered;
use crate::presence::Presence;
use crate::serve::Daemon;
use crate::trouble;
use engram_core::law::is_hot;
use engram_core::observe::command_line;
use engram_core::plan::{Occasion, plan_told};
use engram_core::present::{Budget, Essential, Tellable, essentials, fenced, present};
use engram_core::remind::{Moment, Reminder, is_due, reminder_line};
use engram_core::turn::ToolUse;
use engram_core::{
    Actor, Confidence, Kind, Memory, MemoryId, Mode, Scope, SessionId, Similarity, Timestamp, TurnId,
};
use engram_store::SessionStatus;
use engram_wire::config::Settings;
use engram_wire::message::{Hook, HookEvent, Narrow, Observe, Recall};
use engram_wire::reply::Hooked;
use engram_wire::{Context, Fault};
use jiff::tz::TimeZone;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// How long a new session waits for others to be settled: what the one before
/// it said is worth a moment.
const SETTLING: Duration = Duration::from_millis(250);
/// So many letters of a prompt are looked up; a pasted file is no question.
const LOOKED_UP: usize = 4_000;
/// So many characters are told of what is known about a command.
const ABOUT_A_COMMAND: usize = 800;

/// What is told, and of which memories.
#[derive(Default)]
struct Telling {
    text: String,
    told: Vec<MemoryId>,
}

impl Telling {
    fn add(&mut self, text: &str, told: impl IntoIterator<Item = MemoryId>) {
        self.text += text;
        self.told.extend(told);
    }
}

pub(super) async fn hook(
    daemon: &Daemon,
    context: &Context,
    hook: Hook,
    speaker: &Speaker,
) -> Result<Hooked, Fault> {
    let house = &daemon.house;
    let session = hook.session.as_deref().map(SessionId::named);
    let context = Context { session, ..context.clone() };
    let mut problem = None;
    let mut saved = false;
    if let Some(id) = session.filter(|_| hook.event != HookEvent::SessionEnd || hook.happened.is_some()) {
        // One that goes on has all of it before its eyes.
        let goes_on = hook.event == HookEvent::SessionStart && hook.reason.as_deref() == Some("resume");
        let since = if goes_on { Timestamp::MIN } else { now() };
        let presence = Presence::new(&hook.agent, hook.process, since);
        problem = house.start_session(&context, id, Some(presence)).await.err();
    }
    let telling = tell(daemon, &context, &hook);
    let keeping = async {
        let Some(event) = hook.happened.clone() else { return Ok(false) };
        let order = Observe { events: vec![event], ..Observe::default() };
        capture::observe(daemon, &context, order, speaker).await.map(|observed| observed.heard > 0)
    };
    let (told, kept) = tokio::join!(telling, keeping);
    match &kept {
        Ok(kept) => saved = *kept,
        Err(fault) => problem = Some(fault.clone()),
    }
    let told = told.unwrap_or_else(|fault| {
        problem = Some(fault);
        Telling::default()
    });
    if let Some(id) = session {
        house.telling.note(id, told.told.iter().copied());
        match hook.event {
            HookEvent::Stop | HookEvent::PreCompact | HookEvent::SubagentStop => house.settling.ripen(id),
            HookEvent::SessionEnd => {
                house.telling.end(id);
                house.settling.end(id, SessionStatus::Completed);
            }
            _ => {}
        }
        house.listening.heard.notify_one();
    }
    if let Some(fault) = &problem {
        tracing::warn!("hook {}: {}", hook.event, fault.message);
    }
    house.metering.note(Metered {
        agent: &hook.agent,
        event: hook.event,
        saved,
        chars: told.text.chars().count(),
        shown: told.told.len(),
        problem: problem.map(|fault| fault.message),
        // What waited in the spool has nobody waiting for it.
        started_at: hook.started_at.filter(|_| context.said_at.is_none()),
        at: now(),
    });
    // What could not be kept is not acknowledged: the client leaves it in the
    // spool.
    kept?;
    Ok(Hooked { context: Some(told.text).filter(|text| !text.is_empty()) })
}

/// What the agent is told. Nothing for what waited in the spool.
async fn tell(daemon: &Daemon, context: &Context, hook: &Hook) -> Result<Telling, Fault> {
    if context.said_at.is_some() {
        return Ok(Telling::default());
    }
    match (hook.event, &hook.prompt, &hook.tool) {
        (HookEvent::SessionStart, ..) => opening(daemon, context, hook).await,
        (HookEvent::UserPromptSubmit, Some(prompt), _) => beside(daemon, context, prompt).await,
        (HookEvent::PreToolUse, _, Some(tool)) => about(daemon, context, tool, false).await,
        (HookEvent::PostToolUseFailure, _, Some(tool)) => about(daemon, context, tool, true).await,
        _ => Ok(Telling::default()),
    }
}

/// The block at the beginning of a session, and what somebody wants to be
/// reminded of now.
async fn opening(daemon: &Daemon, context: &Context, hook: &Hook) -> Result<Telling, Fault> {
    let house = &daemon.house;
    house.find_left_behind();
    house.settling.ended(SETTLING).await;
    let at = now();
    // After a compaction nothing of what was said is before the agent's eyes.
    let compacted = hook.reason.as_deref() == Some("compact");
    if let Some(session) = context.session.filter(|_| hook.reason.as_deref() != Some("resume")) {
        house.begin_context(session, at)?;
    }
    let visible = house.visible(context).await?;
    // One that goes on has before its eyes what it was told then.
    house.told_before(context.session, &visible).await;
    let settings = house.settings_for(context, visible.place.as_ref())?;
    let chars = size(&settings, "hook.start_chars");
    let mut candidates: Vec<(Scope, Arc<Memory>)> = Vec::new();
    for store in visible.stores.iter().filter(|store| store.scope() != Scope::Session || compacted) {
        let holds = |memory: &Memory| {
            memory.status.is_current()
                && memory.validity.holds_at(at)
                && (memory.pinned || memory.trace.fades_at.is_none_or(|fades| fades > at))
        };
        candidates.extend(store.shelf.kept_where(holds).into_iter().map(|memory| (store.scope(), memory)));
    }
    let at_home = domains_of(candidates.iter().filter(|(scope, _)| *scope == Scope::Project));
    let belongs = |scope: Scope, memory: &Memory| {
        let elsewhere = |domain: &String| !at_home.is_empty() && !at_home.contains(domain);
        scope != Scope::User || memory.pinned || !memory.domain.as_ref().is_some_and(elsewhere)
    };
    let essential =
        candidates.iter().filter(|(scope, memory)| belongs(*scope, memory)).map(|(scope, memory)| {
            Essential {
                memory,
                scope: *scope,
                hot: is_hot(memory.tier, memory.utility, &memory.trace, memory.created_at, at),
            }
        });
    let block = essentials(essential, chars, &TimeZone::system());
    let mut telling = Telling::default();
    telling.add(&block.text, block.told.iter().map(|told| told.id));
    let left = chars.saturating_sub(block.text.chars().count());
    remind(daemon, &visible, Moment::SessionStart, left, &mut telling).await?;
    Ok(telling)
}

/// The fields of knowledge that a project's memories are of.
fn domains_of<'m>(memories: impl Iterator<Item = &'m (Scope, Arc<Memory>)>) -> BTreeSet<String> {
    memories.filter_map(|(_, memory)| memory.domain.clone()).collect()
}

/// What is told beside a prompt: what is relevant, sure enough and new to this
/// conversation.
async fn beside(daemon: &Daemon, context: &Context, prompt: &str) -> Result<Telling, Fault> {
    let house = &daemon.house;
    let visible = house.visible(context).await?;
    let settings = house.settings_for(context, visible.place.as_ref())?;
    let chars = size(&settings, "hook.prompt_chars");
    let mut telling = Telling::default();
    if chars == 0 {
        return Ok(telling);
    }
    remind(daemon, &visible, Moment::Prompt(prompt), chars, &mut telling).await?;
    let mut known = house.told_before(context.session, &visible).await;
    known.extend(&telling.told);
    let left = chars.saturating_sub(telling.text.chars().count());
    let order = Recall {
        query: prompt.chars().take(LOOKED_UP).collect(),
        prompt: true,
        mode: Some(Mode::FactsPlusRules),
        chars: Some(left),
        known,
        known_since: house.context_began_at(context.session),
        ..Recall::default()
    };
    let recalled = look::recall(daemon, context, order).await?;
    if let Some(presented) = recalled.context {
        telling.add(&presented.text, presented.told.iter().map(|told| told.id));
    }
    Ok(telling)
}

/// What is known of this very command: before it runs that it failed, and
/// afterwards what helped. After a failure the error itself is looked up, too.
async fn about(daemon: &Daemon, context: &Context, tool: &ToolUse, failed: bool) -> Result<Telling, Fault> {
    let house = &daemon.house;
    let visible = house.visible(context).await?;
    let settings = house.settings_for(context, visible.place.as_ref())?;
    let chars = size(&settings, "hook.prompt_chars").min(ABOUT_A_COMMAND);
    let input = tool.input.get("command").and_then(|command| command.as_str()).unwrap_or_default();
    let mut telling = Telling::default();
    let Some(command) = command_line(&tool.name, input).filter(|_| chars > 0) else { return Ok(telling) };
    let known = house.told_before(context.session, &visible).await;
    let at = now();
    let of_command = |memory: &Memory| {
        memory.kind == Kind::ErrorFix
            && memory.status.is_current()
            && !known.contains(&memory.id)
            && commands_of(memory).any(|told| told == command)
    };
    let mut found: Vec<(Scope, Arc<Memory>)> = Vec::new();
    for store in &visible.stores {
        found.extend(store.shelf.kept_where(of_command).into_iter().map(|it| (store.scope(), it)));
    }
    found.sort_by_key(|(_, memory)| std::cmp::Reverse((memory.updated_at, memory.id)));
    found.truncate(2);
    let tellable = found.iter().map(|(scope, memory)| Tellable {
        memory,
        scope: *scope,
        confidence: Confidence::CERTAIN,
        note: None,
    });
    let told = present(tellable, Budget::Chars(chars), at);
    telling.add(&told.text, told.told.iter().map(|told| told.id));
    if !failed || !telling.text.is_empty() {
        return Ok(telling);
    }
    let error = match &tool.output {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let order = Recall {
        query: format!("{command} {error}").chars().take(LOOKED_UP / 4).collect(),
        narrow: Narrow {
            kinds: vec![Kind::ErrorFix, Kind::Procedure, Kind::Convention],
            ..Narrow::default()
        },
        chars: Some(chars),
        known,
        known_since: house.context_began_at(context.session),
        ..Recall::default()
    };
    let recalled = look::recall(daemon, context, order).await?;
    if let Some(presented) = recalled.context {
        telling.add(&presented.text, presented.told.iter().map(|told| told.id));
    }
    Ok(telling)
}

fn commands_of(memory: &Memory) -> impl Iterator<Item = &str> {
    let commands = memory.structured.as_ref().and_then(|came| came.get("commands")?.as_array());
    commands.into_iter().flatten().filter_map(|command| command.as_str())
}

/// What somebody wanted to be reminded of at this moment. Once told, it is done.
async fn remind(
    daemon: &Daemon,
    visible: &Visible,
    moment: Moment<'_>,
    chars: usize,
    telling: &mut Telling,
) -> Result<(), Fault> {
    let at = now();
    let mut lines = Vec::new();
    for store in &visible.stores {
        let waits = |memory: &Memory| memory.status.is_current() && Reminder::of(memory).is_some();
        for memory in store.shelf.kept_where(waits) {
            let Some(reminder) = Reminder::of(&memory) else { continue };
            let likeness = likeness(daemon, &reminder, moment).await;
            if is_due(&reminder, moment, likeness, at) {
                let line = format!("{}\n", reminder_line(&memory, &reminder, at));
                lines.push((store.clone(), memory.id, line));
            }
        }
    }
    lines.sort_by_key(|(_, id, _)| *id);
    let mut told: Vec<String> = Vec::new();
    for (store, id, line) in lines {
        if fenced(&told).chars().count() + line.chars().count() > chars {
            break;
        }
        let operation = TurnId::of_content(at, &id.to_string()).operation("remind", 0, at);
        let occasion = Occasion { operation, actor: Actor::Engram, at, recorded_at: at };
        let marked = store.shelf.change(&[id], |memories| plan_told(&memories[0], occasion)).await;
        marked.map_err(trouble::change)?;
        told.push(line);
        telling.told.push(id);
    }
    telling.text += &fenced(&told);
    Ok(())
}

/// How near a prompt is to what a reminder waits for.
async fn likeness(daemon: &Daemon, reminder: &Reminder, moment: Moment<'_>) -> Option<Similarity> {
    let (Moment::Prompt(prompt), Some(when)) = (moment, &reminder.when) else { return None };
    daemon.house.embedders.likeness(prompt, when).await
}

fn size(settings: &Settings, key: &str) -> usize {
    usize::try_from(settings.number(key)).unwrap_or(0)
}
