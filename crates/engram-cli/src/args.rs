//! What can be typed: every command, its options and its help.
//!
//! It parses words and knows nothing of what is done with them. Texts arrive
//! as the system hands them over, because only `given` may say how one that is
//! not UTF-8 is refused.

mod capture;
mod erase;
mod evolve;
mod govern;
mod install;
mod life;
mod memory;
mod session;
mod team;
mod upkeep;
mod window;

pub(crate) use capture::{Import, Review};
pub(crate) use erase::Erase;
pub(crate) use evolve::{Evolution, Evolve, Feedback, Reflect, Weights};
pub(crate) use govern::{Audit, Personal};
pub(crate) use install::{Install, Uninstall};
pub(crate) use life::{Consolidation, Demote, Dream, Entity, Graph};
pub(crate) use memory::{Forget, List, Recall, Remember};
pub(crate) use session::{Promote, Reminders, Session};
pub(crate) use team::Team;
pub(crate) use upkeep::{Backup, Config, Copies, Model};
pub(crate) use window::{Days, Edit, Group, Stores, Top, Ui, Watch};

use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use engram_core::dream::Step;
use engram_core::used::Outcome;
use engram_core::{OperationId, Scope, Status};
use engram_wire::message::{HookEvent, Profile};
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

const EXIT_CODES: &str = "\
Exit codes:
  0  done (a write that waits in the spool is done, too)
  1  a defect of engram, or `doctor` or `audit verify` found problems
  2  the request makes no sense as it stands
  3  not found
  4  refused
  5  something outside engram is in the way: disk, permissions, a store
  6  the daemon cannot be reached
  7  this engram and the running daemon do not understand each other
  8  the daemon has too much to do just now, and it cannot wait in the spool";

/// A lasting memory for coding agents.
///
/// `engram` asks the daemon `engramd`, which it starts when none is running.
/// Memories live in four scopes: the session, the project of the current
/// folder, the user, and the team, where one was joined.
#[derive(Debug, Parser)]
#[command(name = "engram", version, after_help = EXIT_CODES, max_term_width = 100)]
#[command(arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Clone, Default, Args)]
pub(crate) struct Global {
    /// Print the answer as JSON.
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,
    /// Use this value for a setting, this once; may be repeated.
    #[arg(long = "set", value_name = "KEY=VALUE", global = true, help_heading = "Everywhere")]
    pub(crate) set: Vec<String>,
    /// The session this belongs to, by any name, instead of the one in
    /// ENGRAM_SESSION. Only `promote` and `session show` look for the session of
    /// the agent whose shell this is, too.
    #[arg(long, value_name = "SESSION", global = true, help_heading = "Everywhere")]
    pub(crate) session: Option<String>,
    /// The folder that decides the project, instead of the current one. Other
    /// file names stay relative to the current folder.
    #[arg(short = 'C', long, value_name = "DIR", global = true, help_heading = "Everywhere")]
    pub(crate) folder: Option<PathBuf>,
    /// When to use colour, instead of the setting client.color.
    #[arg(long, value_enum, value_name = "WHEN", global = true, help_heading = "Everywhere")]
    pub(crate) color: Option<ColorWhen>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Store a text as a memory.
    ///
    /// Example: engram remember --kind decision --tag auth "we sign tokens with ed25519"
    ///
    /// Example: git log -1 --format=%B | engram remember --kind narrative -
    Remember(Remember),
    /// Find memories that answer a question, best first.
    ///
    /// Example: engram recall "where is the staging key"
    ///
    /// Example: engram recall --as-of "3 days ago" --explain deploy procedure
    Recall(Recall),
    /// List memories, newest first.
    ///
    /// Example: engram list --scope project --kind decision --limit 20
    List(List),
    /// Show one memory with everything known about it.
    Inspect(One),
    /// Show what happened to one memory.
    History(One),
    /// Show the latest operations: what changed, when, and on whose behalf.
    #[command(visible_alias = "log")]
    Operations {
        /// How many to show.
        #[arg(long, value_name = "N", default_value = "20", value_parser = count())]
        limit: usize,
    },
    /// Show what was asked lately, how it was read and what was shown.
    ///
    /// Only what was asked here: in this project, and outside of any.
    Recalls {
        /// How many to show.
        #[arg(long, short = 'n', value_name = "N", default_value = "20", value_parser = count())]
        limit: usize,
    },
    /// Show what was learned, corrected, forgotten and changed, day by day.
    ///
    /// Example: engram days --limit 50
    Days(Days),
    /// Put a new text in the place of a memory; the old one stays in its history.
    ///
    /// Example: engram correct 7QX3M9KA "the staging key is in 1password"
    Correct {
        #[arg(value_name = "ID", help = ID)]
        memory: String,
        #[arg(value_name = "TEXT", help = TEXT)]
        text: Vec<OsString>,
        #[command(flatten)]
        about_people: Personal,
    },
    /// Set right what is said about a memory: its kind, tags, domain or summary.
    ///
    /// What it says itself is set right by `engram correct`.
    ///
    /// Example: engram edit 7QX3M9KA --kind decision --tag ci --tag release
    Edit(Edit),
    /// Say that a memory is true; raises its confidence.
    Confirm(One),
    /// Give a memory another status, with a reason.
    ///
    /// Example: engram mark 7QX3M9KA deprecated --reason "we moved to buildkite"
    Mark {
        #[arg(value_name = "ID", help = ID)]
        memory: String,
        /// The status it shall have.
        #[arg(value_parser = word(Status::ALL))]
        status: Status,
        /// Why; kept in its history.
        #[arg(long)]
        reason: String,
    },
    /// Protect a memory from fading away by itself.
    Pin(One),
    /// Stop protecting a memory from forgetting.
    Unpin(One),
    /// Put memories out of sight, or take their text away for good.
    ///
    /// A forgotten memory is archived: `engram unforget` and `engram undo`
    /// bring it back. A purged one is gone.
    ///
    /// Example: engram forget 7QX3M9KA
    ///
    /// Example: engram forget --query "old staging cluster" --dry-run
    Forget(Forget),
    /// Bring a forgotten memory back.
    Unforget(One),
    /// Take the latest operation back, or the one that is named.
    ///
    /// What engram does on its own, and a dream, is not the latest; name it, or
    /// `engram forget` the memory.
    ///
    /// Example: engram undo
    ///
    /// Example: engram undo 01JD3V8Q2Y6K4M5N7P9R1S3T5V --step drift
    Undo {
        /// The operation's identifier, as `engram operations` prints it, or a
        /// dream's, as `engram dream` does.
        #[arg(value_name = "OPERATION")]
        target: Option<OperationId>,
        /// Of a dream only this step.
        #[arg(long, value_parser = word(Step::ALL), requires = "target")]
        step: Option<Step>,
    },
    /// Write memories as JSON lines, to a file or to standard output.
    ///
    /// With --to, or the setting sealing.recipients, the file is sealed: only those
    /// can read it who have the key. A sealed export wants a file.
    ///
    /// Example: engram export memories.jsonl --scope user
    ///
    /// Example: engram export memories.jsonl.age --to age1...
    Export {
        /// The file to write; standard output without it.
        file: Option<PathBuf>,
        /// Only memories of this scope; may be repeated.
        #[arg(long = "scope", value_name = "SCOPE", value_parser = word(Scope::ALL))]
        scopes: Vec<Scope>,
        /// Leave out how each memory came to stand where it stands.
        #[arg(long)]
        no_history: bool,
        #[arg(long, value_name = "RECIPIENT", help = RECIPIENT)]
        to: Vec<String>,
    },
    /// Take in what was said or written elsewhere: transcripts of Claude Code,
    /// CLAUDE.md, AGENTS.md, other Markdown, events and memories as JSON lines.
    ///
    /// Memories, as `engram export` writes them, are stored as they are, at most
    /// 500 at a time, each time as one operation. Of everything else only what
    /// is worth keeping becomes a memory, with the words it came from beside it;
    /// files that were read before are read on from where they were. What is
    /// there already is left as it is, so an import that was cut short can be
    /// run again. What a Markdown file says no more ends with the next import of
    /// it.
    ///
    /// Example: engram import --from claude-code --dry-run
    ///
    /// Example: engram import --from claude-md
    ///
    /// Example: engram import memories.jsonl --scope user
    Import(Import),
    /// Take in what happens: one event a line, as JSON, from standard input.
    ///
    /// An event has a `type` (user_message, assistant_message, tool_call,
    /// subagent_result, remember or file) and a `text`, and may have a `time`, a
    /// `session`, a `speaker`, a `source` (the file it is from), a `kind` and, of
    /// a tool call, a `tool` with `name`, `input`, `output`, `ok` and
    /// `duration_ms`. Each is on the disk before it is answered for; then it is
    /// read, and what of it is worth keeping is kept. The same event with the
    /// same time is kept once; without a time it happens now.
    ///
    /// Example: echo '{"type":"user_message","text":"we moved CI to buildkite"}' | engram observe
    Observe {
        /// Only show what would be kept, and why not the rest.
        #[arg(long)]
        dry_run: bool,
        /// Where it goes, instead of the session, the project or the user.
        #[arg(long, value_parser = word(Scope::OWN))]
        scope: Option<Scope>,
    },
    /// Called by an agent at its turning points; `engram install` sees to that.
    ///
    /// Reads what the agent tells from standard input, keeps what happened, and
    /// prints what the agent should know, if anything, as one JSON object. It
    /// always ends within its deadline (the settings hook.*) with 0, whatever it
    /// is told, also with an event or an option that it does not know.
    Hook(Hook),
    /// Serve the Model Context Protocol on standard input and output.
    ///
    /// An agent starts this by itself; it passes everything on to the daemon,
    /// which it reaches again after a restart. With --http it says where the
    /// daemon serves the same over HTTP, for this folder, and ends.
    Mcp {
        /// Which tools are offered.
        #[arg(long, value_parser = word(Profile::ALL), default_value = "default")]
        profile: Profile,
        /// Serve over HTTP on this machine; prints the address and the token.
        #[arg(long)]
        http: bool,
    },
    /// Show where a memory comes from: the words, and every decision about it.
    Why(One),
    /// Decide about memories that may contradict each other, and about names
    /// that may mean the same.
    #[command(subcommand)]
    Review(Review),
    /// Make a backup, or go back to one.
    #[command(subcommand)]
    Backup(Backup),
    /// List the exports and backups that engram wrote, and whether they are still
    /// there.
    ///
    /// What went to standard output, and what somebody copied on, is not known.
    ///
    /// Example: engram copies
    ///
    /// Example: engram copies drop ~/old/memories.jsonl
    #[command(args_conflicts_with_subcommands = true)]
    Copies {
        #[command(subcommand)]
        what: Option<Copies>,
    },
    /// Take all text of a person or a project away, everywhere, and prove it.
    ///
    /// It goes from stores, logs, journals, the spool, exports and backups that
    /// engram knows of; what is left is told with the reason, and then the exit
    /// code is 1. A person's are the memories and turns in which they speak, and
    /// what was made of those. It cannot be undone.
    ///
    /// Example: engram erase --subject person:Ada --mentions --dry-run
    ///
    /// Example: engram erase --subject project:../old-work
    Erase(Erase),
    /// Install, choose or remove a model that compares texts by their meaning.
    ///
    /// None is needed: a small table is part of the program.
    #[command(subcommand)]
    Model(Model),
    /// Make the vectors that are missing now, and watch.
    ///
    /// Vectors are made in the background anyway; this shows how far that is
    /// and ends when every text has been seen by the model in use. It can be
    /// cut short at any point. Recall answers meanwhile: with the model before
    /// it, where that is still installed, and with the built-in table.
    Reindex {
        /// The memories of every known project, not only of this one.
        #[arg(long, visible_alias = "all")]
        all_projects: bool,
        /// Make those that are there again, too. Each serves until it is
        /// replaced.
        #[arg(long)]
        again: bool,
    },
    /// Begin, end, list or show sessions.
    #[command(subcommand)]
    Session(Session),
    /// Let what a session knows go up to the project, or to you; with --tier put
    /// memories into a more settled tier.
    ///
    /// Without a memory all go up that may leave their session. The session is
    /// the one in --session or ENGRAM_SESSION or, in the shell of an agent, in
    /// CLAUDE_CODE_SESSION_ID. A tier can be given to any memory.
    ///
    /// Example: engram promote
    ///
    /// Example: engram promote 7QX3M9KA --to user
    ///
    /// Example: engram promote 7QX3M9KA --tier semantic
    Promote(Promote),
    /// Put memories into a tier that fades faster, one step down.
    ///
    /// Example: engram demote 7QX3M9KA --tier episodic
    Demote(Demote),
    /// Look after the memories, as engram does by itself when sessions end.
    ///
    /// Fades, rehearses, sums up, puts away, and holds what is said of the code
    /// against the code: everything, or the steps that are named, in the project
    /// and for the user. It says what it did and why; `engram undo ID` takes a
    /// dream back, or a step of it.
    ///
    /// Example: engram dream --dry-run
    ///
    /// Example: engram dream --only drift,redundancy --scope project
    ///
    /// Example: engram dream --report
    Dream(Dream),
    /// Plot how a memory fades: since its birth, and from now on.
    ///
    /// Example: engram curve 7QX3M9KA --days 90
    Curve {
        #[arg(value_name = "ID", help = ID)]
        memory: String,
        /// So many days ahead; until it will have faded, and some, without it. 1
        /// to 3650.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=3_650))]
        days: Option<u32>,
    },
    /// List, show, unite or name the things that memories speak of.
    #[command(subcommand)]
    Entity(Entity),
    /// Show what a thing is bound to, and what that is bound to; or with --all
    /// every thing, the most named first.
    ///
    /// Example: engram graph redis --only uses,depends_on
    ///
    /// Example: engram graph redis --hops 3 --dot | dot -Tsvg > redis.svg
    ///
    /// Example: engram graph --all --limit 30
    Graph(Graph),
    /// Sum up what a dream left for somebody who can write better than it.
    #[command(subcommand)]
    Consolidation(Consolidation),
    /// Say what came of using a memory; what serves is told sooner.
    ///
    /// Example: engram outcome 7QX3M9KA failure --note "the key was not there"
    Outcome {
        #[arg(value_name = "ID", help = ID)]
        memory: String,
        /// How it went.
        #[arg(value_parser = word(Outcome::ALL))]
        outcome: Outcome,
        /// What it was used for, in a few words.
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
    },
    /// Say how an answer served: as a whole, or of the memories that are named.
    ///
    /// Only what was used afterwards, or is named, is credited: what merely stood
    /// beside it is not.
    ///
    /// Example: engram feedback helpful
    ///
    /// Example: engram feedback 9PZ4T0QD not --memory 7QX3M9KA
    Feedback(Feedback),
    /// Show what was learned about searching, and every change with its reason.
    ///
    /// How much words and directions count follows what was used, by the type of
    /// the question, within bounds. Without that the defaults are in force.
    ///
    /// Example: engram weights
    ///
    /// Example: engram weights --reset --scope user
    Weights(Weights),
    /// Let memories evolve on the evidence of their use, or show what did.
    ///
    /// Learns what searching can learn, deprecates what keeps failing, merges what
    /// says the same, and notes what the memory has to tell of itself; engram does
    /// the same by itself (the settings evolution.*). Nothing evolves without its
    /// evidence: a refusal names what is missing. `engram undo ID` takes an action
    /// back.
    ///
    /// Example: engram evolve --dry-run
    ///
    /// Example: engram evolve --report --since "1 week ago"
    ///
    /// Example: engram evolve candidates --criteria low_q
    Evolve(Evolve),
    /// Show what the memory has to tell of itself: what is asked and never
    /// answered, what was put away too early, what belongs together.
    ///
    /// Example: engram reflect --run
    Reflect(Reflect),
    /// List what you or your agents want to be reminded of.
    ///
    /// Example: engram reminders dismiss 7QX3M9KA
    #[command(args_conflicts_with_subcommands = true)]
    Reminders {
        #[command(subcommand)]
        what: Option<Reminders>,
    },
    /// Count memories by scope, status and kind, and what hooks did.
    ///
    /// What has faded is stale: past its deadline, not used since, and not
    /// pinned.
    Stats,
    /// Rewrite the stores without what is gone, and build the index again.
    ///
    /// Nobody else is answered meanwhile. No memory is lost or changed.
    ///
    /// Example: engram compact
    Compact,
    /// Show the stores: how much there is, how it is held, how it grew, and the
    /// backups.
    ///
    /// Of each tier it shows how many memories are held to less than a tenth, to
    /// less than two tenths, and so on up to the whole.
    ///
    /// Example: engram stores --days 30
    Stores(Stores),
    /// List the projects that were ever worked in.
    ///
    /// Only the memories of those that are open are counted; none is opened.
    Projects,
    /// Open the window: the memories, what goes on and how it fares, in a browser.
    ///
    /// The daemon serves it on this machine only. The address opens it once, and
    /// only for some minutes; run this again for another. It is only printed
    /// where there is no browser to be opened, or nobody at a terminal.
    ///
    /// Example: engram ui
    ///
    /// Example: engram ui --read-only --print
    Ui(Ui),
    /// Show what goes on, as it happens.
    ///
    /// On a terminal it is a screen: 1 to 6 show or hide a group, space holds it,
    /// j and k select, Enter shows more of what is selected, q ends. Elsewhere it
    /// is a line for each event, as JSON with --json. A daemon that ends is waited
    /// for; none is started.
    ///
    /// Example: engram watch --only captures,decisions
    ///
    /// Example: engram watch --last 20
    Watch(Watch),
    /// Show how the daemon fares: what it does, what may be spent, how long hooks
    /// take, and when it dreams next.
    ///
    /// On a terminal it is a screen that follows; q ends it. Elsewhere it is
    /// printed once. It starts no daemon, and keeps none awake.
    ///
    /// Example: engram top --once
    Top(Top),
    /// Show the audit log, or whether it is whole.
    ///
    /// A purge, an erase, an export, an import, a backup and a restore are written into it
    /// before they are done, and not done where they cannot be; so is a text that
    /// was refused because of personal data. It holds digests and no text.
    ///
    /// Example: engram audit
    ///
    /// Example: engram audit verify
    #[command(args_conflicts_with_subcommands = true)]
    Audit {
        #[command(subcommand)]
        what: Option<Audit>,
    },
    /// Share memories with a team, through a server that somebody runs.
    ///
    /// What is shared is kept here as well, so that recall needs no network, and
    /// what one shares or corrects while the server is away is said to it later.
    #[command(subcommand)]
    Team(Team),
    /// Say whether the daemon runs, and how it fares. Starts none.
    Status,
    /// End the daemon, if one runs.
    Stop,
    /// Look for problems, and repair what can be repaired.
    ///
    /// Of each agent it says whether what `engram install` wrote is still there,
    /// whether its hooks come, and when something was kept last.
    Doctor {
        /// Repair what can be repaired.
        #[arg(long)]
        repair: bool,
    },
    /// Install engram for an agent: its server, and the hooks that tell it what
    /// happens.
    ///
    /// What is in the agent's files already stays as it is, byte for byte; they
    /// are backed up, and what was written is remembered, so that `engram
    /// uninstall` takes exactly that out again. Once installed, it does nothing.
    ///
    /// Example: engram install codex --print
    ///
    /// Example: engram install claude-code
    Install(Install),
    /// Take out of agents' files what `engram install` put there.
    ///
    /// A file that nobody changed since is byte for byte what it was. Whatever
    /// somebody changed in engram's entries stays, and is told. Without an agent,
    /// the daemon is ended, too, and what else of engram is on this machine is
    /// listed.
    ///
    /// Example: engram uninstall --dry-run
    ///
    /// Example: engram uninstall codex
    Uninstall(Uninstall),
    /// Show or change settings.
    #[command(subcommand)]
    Config(Config),
    /// Print a script that completes engram's commands in a shell.
    ///
    /// Example: engram completions bash > ~/.local/share/bash-completion/completions/engram
    Completions {
        /// The shell it is for.
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

const ID: &str = "The memory's identifier, or at least the last 4 characters of it";
const RECIPIENT: &str =
    "Who will be able to open it: a public key, as `age-keygen` prints it; may be repeated";
const IDENTITY: &str = "The file of keys that opens what is sealed, as `age-keygen` writes it";
const TEXT: &str = "The text; several words are joined by spaces, `-` or nothing reads standard input";

#[derive(Debug, Args)]
pub(crate) struct Hook {
    /// Whose hook it is: a name that `engram install` knows.
    #[arg(long, default_value = "claude-code")]
    pub(crate) agent: String,
    /// The point that was reached.
    #[arg(value_parser = word(HookEvent::ALL))]
    pub(crate) event: HookEvent,
}

#[derive(Debug, Args)]
pub(crate) struct One {
    #[arg(value_name = "ID", help = ID)]
    pub(crate) memory: String,
}

impl Command {
    /// What was asked for, as the beginning of an error message.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Command::Remember(_) => "remember",
            Command::Recall(_) => "recall",
            Command::List(_) => "list",
            Command::Inspect(_) => "inspect",
            Command::History(_) => "history",
            Command::Operations { .. } => "operations",
            Command::Recalls { .. } => "recalls",
            Command::Days(_) => "days",
            Command::Correct { .. } => "correct",
            Command::Edit(_) => "edit",
            Command::Confirm(_) => "confirm",
            Command::Mark { .. } => "mark",
            Command::Pin(_) => "pin",
            Command::Unpin(_) => "unpin",
            Command::Forget(_) => "forget",
            Command::Unforget(_) => "unforget",
            Command::Undo { .. } => "undo",
            Command::Export { .. } => "export",
            Command::Import(_) => "import",
            Command::Observe { .. } => "observe",
            Command::Hook(_) => "hook",
            Command::Mcp { .. } => "mcp",
            Command::Why(_) => "why",
            Command::Review(_) => "review",
            Command::Backup(_) => "backup",
            Command::Copies { .. } => "copies",
            Command::Erase(_) => "erase",
            Command::Model(_) => "model",
            Command::Reindex { .. } => "reindex",
            Command::Session(_) => "session",
            Command::Promote(_) => "promote",
            Command::Demote(_) => "demote",
            Command::Dream(_) => "dream",
            Command::Curve { .. } => "curve",
            Command::Entity(_) => "entity",
            Command::Graph(_) => "graph",
            Command::Consolidation(_) => "consolidation",
            Command::Compact => "compact",
            Command::Outcome { .. } => "outcome",
            Command::Feedback(_) => "feedback",
            Command::Weights(_) => "weights",
            Command::Evolve(_) => "evolve",
            Command::Reflect(_) => "reflect",
            Command::Reminders { .. } => "reminders",
            Command::Stats => "stats",
            Command::Stores(_) => "stores",
            Command::Projects => "projects",
            Command::Ui(_) => "ui",
            Command::Watch(_) => "watch",
            Command::Top(_) => "top",
            Command::Audit { .. } => "audit",
            Command::Team(_) => "team",
            Command::Status => "status",
            Command::Stop => "stop",
            Command::Doctor { .. } => "doctor",
            Command::Install(_) => "install",
            Command::Uninstall(_) => "uninstall",
            Command::Config(_) => "config",
            Command::Completions { .. } => "completions",
        }
    }
}

/// One of a closed set of words; the help and the completions list them.
fn word<T>(all: &'static [T]) -> impl TypedValueParser<Value = T>
where
    T: Copy + Into<&'static str> + FromStr + Send + Sync + 'static,
{
    PossibleValuesParser::new(all.iter().map(|value| -> &'static str { (*value).into() }))
        .map(|text| text.parse().unwrap_or_else(|_| unreachable!("only the words of the list get this far")))
}

/// A scope of one's own above a session.
fn wider() -> impl TypedValueParser<Value = Scope> {
    PossibleValuesParser::new([Scope::Project, Scope::User].map(Scope::as_str))
        .map(|text| text.parse().unwrap_or_else(|_| unreachable!("only the words of the list get this far")))
}

fn count() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=1_000_000)
}

#[cfg(test)]
mod tests;
