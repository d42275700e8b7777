//! What an agent is told at its turning points, and what is kept of them.
//!
//! A hook only ever adds: where something fails here, the agent is told nothing
//! and goes on, and the meter says so.

use super::{Speaker, capture, look};
use crate::bus::Whose;
use crate::clock::now;
use crate::house::{OpenStore, Visible};
use crate::metering::Noted;
use crate::presence::Presence;
use crate::serve::Daemon;
use crate::telling::{Delivery, Parcel};
use crate::trouble;
use engram_core::law::{is_hot, utility_now};
use engram_core::observe::command_line;
use engram_core::present::{Budget, Essential, Tellable, essentials, fenced, present};
use engram_core::recalled::{RecallLogged, Surface};
use engram_core::reflect::{gap_to_ask, request_of};
use engram_core::remind::{Moment, Reminder, is_due, reminder_line};
use engram_core::turn::ToolUse;
use engram_core::{Confidence, Kind, Memory, MemoryId, Mode, Scope, SessionId, Similarity, Timestamp};
use engram_store::SessionStatus;
use engram_wire::activity::What;
use engram_wire::config::Settings;
use engram_wire::message::{Hook, HookEvent, Narrow, Observe, Recall};
use engram_wire::reply::Hooked;
use engram_wire::{Context, Fault, FaultKind};
use jiff::tz::TimeZone;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// How long a new session waits for others of its project to be settled: what the one
/// before it said is worth a moment.
const SETTLING: Duration = Duration::from_millis(250);
/// So many letters of a prompt are looked up; a pasted file is no question.
const LOOKED_UP: usize = 4_000;
/// So many characters are told of what is known about a command.
const ABOUT_A_COMMAND: usize = 800;

/// What is said to an agent, and of which memories.
#[derive(Default)]
struct Words {
    text: String,
    told: Vec<MemoryId>,
    /// Those among them that somebody wanted to be reminded of.
    reminders: Vec<(Arc<OpenStore>, MemoryId)>,
    /// What is to be logged as shown, once it arrived.
    shown: Option<(Arc<OpenStore>, RecallLogged)>,
}

impl Words {
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
    let context = Context { session, agent: Some(hook.agent.clone()), ..context.clone() };
    let mut problem = None;
    let mut saved = false;
    if let Some(id) = session.filter(|_| hook.event != HookEvent::SessionEnd || hook.happened.is_some()) {
        // One that goes on has all of it before its eyes; any other what is said
        // from this hook on.
        let goes_on = hook.event == HookEvent::SessionStart && hook.reason.as_deref() == Some("resume");
        let since = if goes_on { Timestamp::MIN } else { hook.started_at.unwrap_or_else(now) };
        let presence = Presence::new(&hook.agent, hook.process, since);
        problem = house.start_session(&context, id, Some(presence)).await.err();
        // What happened belongs into its session; it waits until that opens.
        if let Some(busy) = problem.take_if(|fault| fault.kind == FaultKind::Busy && hook.happened.is_some())
        {
            return Err(busy);
        }
    }
    // What was merely opened is no event; it may be a sign that advice was taken.
    if let (HookEvent::PostToolUse, Some(tool), None, Some(id)) =
        (hook.event, &hook.tool, &hook.happened, session)
    {
        house.opened.note(id, tool.clone(), hook.started_at.unwrap_or_else(now));
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
        Words::default()
    });
    if let Some(id) = session {
        match hook.event {
            HookEvent::Stop | HookEvent::PreCompact | HookEvent::SubagentStop => house.settling.ripen(id),
            HookEvent::SessionEnd => {
                house.telling.end(id);
                house.end_soon(id, SessionStatus::Completed);
            }
            _ => {}
        }
        house.listening.heard.notify_one();
    }
    if let Some(fault) = &problem {
        tracing::warn!("hook {}: {}", hook.event, fault.message);
    }
    // What waited in the spool was counted when nobody could wait for it.
    let started_at = hook.started_at.filter(|_| context.said_at.is_none());
    let whose = Whose { agent: Some(hook.agent.clone()), ..house.asker(&context) };
    let at = now();
    house.bus.say(
        whose.clone(),
        What::Hooked {
            event: hook.event,
            ms: started_at.map(|started| (at.duration_since(started).as_secs_f64() * 1e3).max(0.0)),
            problem: problem.as_ref().map(|fault| fault.message.clone()),
        },
    );
    let chars = told.text.chars().count();
    house.metering.note(Noted {
        agent: &hook.agent,
        event: hook.event,
        saved,
        chars,
        shown: told.told.len(),
        problem: problem.map(|fault| fault.message),
        started_at,
        at,
    });
    // What could not be kept is not acknowledged: the client leaves it in the
    // spool, and tells its agent nothing.
    kept?;
    let Words { text, told, reminders, shown } = told;
    if !told.is_empty() {
        let reminders = reminders.iter().map(|(store, id)| (Arc::downgrade(store), *id)).collect();
        let shown = shown.map(|(store, shown)| (Arc::downgrade(&store), shown));
        let parcel = Parcel { told, reminders, shown, whose, chars };
        house.telling.send(Delivery::for_hook(&hook), parcel);
    }
    Ok(Hooked { context: Some(text).filter(|text| !text.is_empty()) })
}

/// What the agent is told. Nothing for what waited in the spool.
async fn tell(daemon: &Daemon, context: &Context, hook: &Hook) -> Result<Words, Fault> {
    if context.said_at.is_some() {
        return Ok(Words::default());
    }
    match (hook.event, &hook.prompt, &hook.tool) {
        (HookEvent::SessionStart, ..) => opening(daemon, context, hook).await,
        (HookEvent::UserPromptSubmit, Some(prompt), _) => beside(daemon, context, prompt).await,
        (HookEvent::PreToolUse, _, Some(tool)) => about(daemon, context, tool, false).await,
        (HookEvent::PostToolUseFailure, _, Some(tool)) => about(daemon, context, tool, true).await,
        _ => Ok(Words::default()),
    }
}

/// The block at the beginning of a session, and what somebody wants to be
/// reminded of now.
async fn opening(daemon: &Daemon, context: &Context, hook: &Hook) -> Result<Words, Fault> {
    let house = &daemon.house;
    house.find_left_behind();
    let project = house.place(context)?.map(|place| place.store);
    house.settling.ended(&project, SETTLING).await;
    let at = now();
    // After a compaction nothing of what was said is before the agent's eyes.
    let compacted = hook.reason.as_deref() == Some("compact");
    if let Some(session) = context.session.filter(|_| hook.reason.as_deref() != Some("resume")) {
        house.begin_context(session, at)?;
    }
    let visible = house.visible(context).await?;
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
    // The fields of knowledge that the project's memories are of.
    let of_project = candidates.iter().filter(|(scope, _)| *scope == Scope::Project);
    let at_home: BTreeSet<&String> = of_project.filter_map(|(_, memory)| memory.domain.as_ref()).collect();
    let belongs = |scope: Scope, memory: &Memory| {
        let elsewhere = |domain: &String| !at_home.is_empty() && !at_home.contains(domain);
        scope < Scope::User || memory.pinned || !memory.domain.as_ref().is_some_and(elsewhere)
    };
    let essential =
        candidates.iter().filter(|(scope, memory)| belongs(*scope, memory)).map(|(scope, memory)| {
            Essential {
                memory,
                scope: *scope,
                hot: is_hot(memory.tier, utility_now(memory, at), &memory.trace, memory.created_at, at),
            }
        });
    let block = essentials(essential, chars, &TimeZone::system());
    let mut words = Words::default();
    words.add(&block.text, block.told.iter().map(|told| told.id));
    words.shown = look::told_unasked(context, &visible, Surface::SessionStart, "", &words.told);
    let left = chars.saturating_sub(block.text.chars().count());
    let known = house.told_before(context.session, &visible).await;
    remind(daemon, &waiting(&visible), &known, Moment::SessionStart, left, &mut words).await;
    if hook.reason.as_deref() == Some("startup") && settings.text("reflection.gaps") == "on" {
        let left = chars.saturating_sub(words.text.chars().count());
        // What is known is told even where what is missing cannot be looked up.
        match missing(&visible, left, at).await {
            Ok(line) => words.text += &line,
            Err(fault) => tracing::warn!("what nobody answered is not asked for: {}", fault.message),
        }
    }
    Ok(words)
}

/// What was asked here often and never answered: whoever learns it is asked to
/// store it. One line, or none.
async fn missing(visible: &Visible, chars: usize, at: Timestamp) -> Result<String, Fault> {
    for store in visible.stores.iter().filter(|store| store.scope() == Scope::Project) {
        let insights = store.shelf.store().load_insights().await.map_err(|error| trouble::read(&error))?;
        if let Some(gap) = gap_to_ask(&insights, at) {
            let text = fenced(&[format!("{}\n", request_of(gap))]);
            return Ok(if text.chars().count() <= chars { text } else { String::new() });
        }
    }
    Ok(String::new())
}

/// What is told beside a prompt: what is relevant, sure enough and new to this
/// conversation.
async fn beside(daemon: &Daemon, context: &Context, prompt: &str) -> Result<Words, Fault> {
    let house = &daemon.house;
    let visible = house.visible(context).await?;
    let settings = house.settings_for(context, visible.place.as_ref())?;
    let chars = size(&settings, "hook.prompt_chars");
    let mut words = Words::default();
    if chars == 0 {
        return Ok(words);
    }
    let mut known = house.told_before(context.session, &visible).await;
    let waiting = waiting(&visible);
    remind(daemon, &waiting, &known, Moment::Prompt(prompt), chars, &mut words).await;
    // A reminder comes at its own moment, not when it is looked for.
    known.extend(waiting.iter().map(|(_, memory)| memory.id));
    let left = chars.saturating_sub(words.text.chars().count());
    let order = Recall {
        query: prompt.chars().take(LOOKED_UP).collect(),
        prompt: true,
        mode: Some(Mode::FactsPlusRules),
        chars: Some(left),
        known,
        via: Some(Surface::Prompt),
        ..Recall::default()
    };
    look_up(daemon, context, order, &mut words).await?;
    Ok(words)
}

/// Tells what is found, less what was said in this very conversation.
async fn look_up(daemon: &Daemon, context: &Context, order: Recall, words: &mut Words) -> Result<(), Fault> {
    let known_since = daemon.house.context_began_at(context.session);
    let recalled = look::recall(daemon, context, Recall { known_since, ..order }).await?;
    if let Some(presented) = recalled.context {
        words.add(&presented.text, presented.told.iter().map(|told| told.id));
    }
    Ok(())
}

/// What is known of this very command: before it runs that it failed, and
/// afterwards what helped. After a failure the error itself is looked up, too.
async fn about(daemon: &Daemon, context: &Context, tool: &ToolUse, failed: bool) -> Result<Words, Fault> {
    let house = &daemon.house;
    let visible = house.visible(context).await?;
    let settings = house.settings_for(context, visible.place.as_ref())?;
    let chars = size(&settings, "hook.prompt_chars").min(ABOUT_A_COMMAND);
    let input = tool.input.get("command").and_then(|command| command.as_str()).unwrap_or_default();
    let mut words = Words::default();
    let Some(command) = command_line(&tool.name, input).filter(|_| chars > 0) else { return Ok(words) };
    let known = house.told_before(context.session, &visible).await;
    let at = now();
    let of_command = |memory: &Memory| {
        memory.status.is_current()
            && !known.contains(&memory.id)
            && commands_of(memory).any(|told| told == command)
    };
    let mut found: Vec<(Scope, Arc<Memory>)> = Vec::new();
    for store in &visible.stores {
        found.extend(
            store.shelf.kept_of_kind(Kind::ErrorFix, of_command).into_iter().map(|it| (store.scope(), it)),
        );
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
    words.add(&told.text, told.told.iter().map(|told| told.id));
    words.shown = look::told_unasked(context, &visible, Surface::Command, &command, &words.told);
    if !failed || !words.text.is_empty() {
        return Ok(words);
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
        via: Some(Surface::Command),
        ..Recall::default()
    };
    look_up(daemon, context, order, &mut words).await?;
    Ok(words)
}

fn commands_of(memory: &Memory) -> impl Iterator<Item = &str> {
    let commands = memory.structured.as_ref().and_then(|came| came.get("commands")?.as_array());
    commands.into_iter().flatten().filter_map(|command| command.as_str())
}

/// What of this somebody wanted to be reminded of at this moment, less what this
/// session was told.
async fn remind(
    daemon: &Daemon,
    waiting: &[(Arc<OpenStore>, Arc<Memory>)],
    known: &BTreeSet<MemoryId>,
    moment: Moment<'_>,
    chars: usize,
    words: &mut Words,
) {
    let at = now();
    let mut due = Vec::new();
    for (store, memory) in waiting.iter().filter(|(_, memory)| !known.contains(&memory.id)) {
        let Some(reminder) = Reminder::of(memory) else { continue };
        let likeness = likeness(daemon, &reminder, moment).await;
        if is_due(&reminder, moment, likeness, at) {
            due.push((store.clone(), memory.id, format!("{}\n", reminder_line(memory, &reminder, at))));
        }
    }
    due.sort_by_key(|(_, id, _)| *id);
    let mut lines: Vec<String> = Vec::new();
    for (store, id, line) in due {
        if fenced(&lines).chars().count() + line.chars().count() > chars {
            break;
        }
        lines.push(line);
        words.told.push(id);
        words.reminders.push((store, id));
    }
    words.text += &fenced(&lines);
}

/// What somebody still wants to be reminded of. A session's own that went up
/// waits above.
fn waiting(visible: &Visible) -> Vec<(Arc<OpenStore>, Arc<Memory>)> {
    let waits = |memory: &Memory| memory.status.is_current() && Reminder::of(memory).is_some();
    let in_store = |store: &Arc<OpenStore>| {
        let waiting = store.shelf.kept_of_kind(Kind::Plan, waits);
        waiting.into_iter().map(|memory| (store.clone(), memory)).collect::<Vec<_>>()
    };
    // Nobody is reminded of what somebody else wanted to be reminded of.
    let own = visible.stores.iter().filter(|store| store.scope() != Scope::Team);
    own.flat_map(in_store).collect()
}

/// How near a prompt is to what a reminder waits for.
async fn likeness(daemon: &Daemon, reminder: &Reminder, moment: Moment<'_>) -> Option<Similarity> {
    let (Moment::Prompt(prompt), Some(when)) = (moment, &reminder.when) else { return None };
    daemon.house.embedders.likeness(prompt, when).await
}

fn size(settings: &Settings, key: &str) -> usize {
    usize::try_from(settings.number(key)).unwrap_or(0)
}
