//! Whether engram lives in an agent: what is in the agent's files, held against
//! what its hooks did.
//!
//! Pure: what was found and what was counted go in, one verdict for each agent
//! comes out.

use engram_core::Timestamp;
use engram_core::present::age;
use engram_wire::message::HookEvent;
use engram_wire::reply::{Check, HookStats, Verdict};
use std::collections::BTreeMap;

/// Prompts that leave nothing behind for so long are not kept.
const TOO_LONG: i64 = 7 * 24 * 60 * 60;
/// An agent that was installed for within this time, in seconds, may not have
/// been started since.
const FRESH: i64 = 24 * 60 * 60;

/// What of engram was found in one agent's files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Fitted {
    pub(crate) agent: String,
    pub(crate) title: String,
    /// When something was installed last, where that is known.
    pub(crate) since: Option<Timestamp>,
    /// The plugin that is enabled.
    pub(crate) plugin: Option<String>,
    pub(crate) server: Part,
    pub(crate) hooks: Part,
    /// The first file that lacks something, and whether it is a project's.
    pub(crate) gone_from: Option<(String, bool)>,
    /// Why a file could not be looked into.
    pub(crate) unreadable: Option<String>,
    /// Programs that the hooks call and that are not there.
    pub(crate) missing_programs: Vec<String>,
}

/// How many entries of the server, or of the hooks, are as they were written,
/// were changed by hand, and are gone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) whole: usize,
    pub(crate) changed: usize,
    pub(crate) gone: usize,
}

impl Part {
    const fn is_there(self) -> bool {
        self.whole + self.changed > 0
    }

    const fn all(self) -> usize {
        self.whole + self.changed + self.gone
    }
}

/// One check for each agent that is installed or whose hooks came. Without
/// `counted` nobody could tell what hooks did.
pub(crate) fn examine(
    fitted: &[Fitted],
    counted: Option<&BTreeMap<String, HookStats>>,
    now: Timestamp,
) -> Vec<Check> {
    let mut checks: Vec<Check> = fitted
        .iter()
        .map(|fitted| {
            let fault = fault_in_files(fitted).or_else(|| match counted.map(|all| all.get(&fitted.agent)) {
                None => None,
                Some(did) => fault_in_hooks(fitted, did, now),
            });
            let did = counted.and_then(|all| all.get(&fitted.agent));
            check(&fitted.agent, fault, || lives(fitted, did, counted.is_some(), now))
        })
        .collect();
    let strangers = counted.into_iter().flatten();
    let strangers = strangers.filter(|(agent, _)| !fitted.iter().any(|fitted| fitted.agent == **agent));
    checks.extend(strangers.map(|(agent, did)| {
        check(agent, fault_counted(did, now), || {
            format!("its hooks come, though `engram install` did not put them there: {}", last(did, now))
        })
    }));
    checks
}

fn check(agent: &str, fault: Option<String>, lives: impl FnOnce() -> String) -> Check {
    let (verdict, detail) = match fault {
        Some(fault) => (Verdict::Broken, fault),
        None => (Verdict::Sound, lives()),
    };
    Check { what: format!("agent {agent}"), verdict, detail }
}

/// What is wrong with what is in the files.
fn fault_in_files(fitted: &Fitted) -> Option<String> {
    let Fitted { agent, hooks, server, .. } = fitted;
    let (file, in_project) =
        fitted.gone_from.as_ref().map_or(("its files", false), |(file, is)| (file.as_str(), *is));
    let again = if in_project { " --project" } else { "" };
    let again = format!("`engram install {agent}{again}` puts back what is missing");
    if let Some(why) = &fitted.unreadable {
        return Some(format!("{why}; correct that file, then run `engram install {agent}`"));
    }
    if let Some(program) = fitted.missing_programs.first() {
        let place =
            if program.starts_with('/') { "there is no such program" } else { "it is not on the PATH" };
        return Some(format!("its files call {program}, but {place}; put it there"));
    }
    if !hooks.is_there() && fitted.plugin.is_none() {
        return Some(if server.is_there() {
            format!("its server is there but its hooks are not, so nothing is kept by itself; {again}")
        } else {
            format!("what was installed is no longer in {file}; {again}")
        });
    }
    if hooks.gone > 0 {
        return Some(format!("{} of {} hooks went missing from {file}; {again}", hooks.gone, hooks.all()));
    }
    if server.gone > 0 {
        return Some(format!("its server is no longer in {file}; {again}"));
    }
    None
}

/// What is wrong with what the hooks did.
fn fault_in_hooks(fitted: &Fitted, did: Option<&HookStats>, now: Timestamp) -> Option<String> {
    if let Some(did) = did.filter(|did| has_fired(did)) {
        return fault_counted(did, now);
    }
    // Of a plugin nobody knows when it came; it may be new.
    let is_old = fitted.since.is_some_and(|since| now.as_second() - since.as_second() >= FRESH);
    is_old.then(|| {
        format!(
            "it is installed, but no hook ever came; start {} anew, and see whether it wants its hooks to be trusted",
            fitted.title
        )
    })
}

fn has_fired(did: &HookStats) -> bool {
    did.last_at.is_some() || !did.events.is_empty()
}

fn fault_counted(did: &HookStats, now: Timestamp) -> Option<String> {
    if let Some(problem) = &did.problem {
        let at = did.last_at.map(|at| age(at, now)).unwrap_or_default();
        return Some(format!(
            "its last hook, {at}, failed: {problem}; engramd.log in engram's home says more"
        ));
    }
    let prompts = did.events.get(&HookEvent::UserPromptSubmit).map_or(0, |times| times.count);
    let silent = match (did.last_saved_at, did.last_prompt_at) {
        (None, _) => prompts > 0,
        (Some(saved), Some(prompt)) => prompt.as_second() - saved.as_second() >= TOO_LONG,
        (Some(_), None) => false,
    };
    silent.then(|| {
        let since = did.last_saved_at.map_or_else(
            || "nothing was ever saved".to_owned(),
            |at| format!("the last time something was saved was {}", age(at, now)),
        );
        format!("its hooks come and somebody types, but {since}; engramd.log in engram's home says more")
    })
}

fn lives(fitted: &Fitted, did: Option<&HookStats>, is_counted: bool, now: Timestamp) -> String {
    let way = match &fitted.plugin {
        Some(plugin) if !fitted.hooks.is_there() => format!("the plugin {plugin} is enabled"),
        Some(plugin) => {
            format!("it is installed and the plugin {plugin} is enabled, so everything may be told twice")
        }
        None => "what was installed is there".to_owned(),
    };
    let changed = match fitted.hooks.changed + fitted.server.changed {
        0 => String::new(),
        1 => ", one entry changed by hand".to_owned(),
        many => format!(", {many} entries changed by hand"),
    };
    let hooks = match did.filter(|did| has_fired(did)) {
        Some(did) => last(did, now),
        None if is_counted => format!("it has not fired yet; start a session of {}", fitted.title),
        None => "whether its hooks come is not known".to_owned(),
    };
    format!("{way}{changed}; {hooks}")
}

fn last(did: &HookStats, now: Timestamp) -> String {
    let told = |at: Option<Timestamp>| at.map_or_else(|| "never".to_owned(), |at| age(at, now));
    format!("last hook {}, last save {}", told(did.last_at), told(did.last_saved_at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engram_wire::reply::Times;
    use expect_test::expect;

    /// What it is about, what was found, and what was counted.
    type Case = (&'static str, Fitted, Option<Vec<(&'static str, HookStats)>>);

    fn moment(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn now() -> Timestamp {
        moment("2026-11-15T10:30:00Z")
    }

    fn installed() -> Fitted {
        Fitted {
            agent: "codex".into(),
            title: "Codex CLI".into(),
            since: Some(moment("2026-11-01T00:00:00Z")),
            server: Part { whole: 1, ..Part::default() },
            hooks: Part { whole: 8, ..Part::default() },
            ..Fitted::default()
        }
    }

    /// Hooks that came today, of which the last save was then.
    fn came(saved: Option<&str>, prompt: Option<&str>) -> HookStats {
        let mut did = HookStats {
            last_at: Some(moment("2026-11-15T10:25:00Z")),
            last_saved_at: saved.map(moment),
            last_prompt_at: prompt.map(moment),
            ..HookStats::default()
        };
        if prompt.is_some() {
            did.events.insert(HookEvent::UserPromptSubmit, Times { count: 4, ..Times::default() });
        }
        did
    }

    fn told(fitted: &[Fitted], counted: Option<&[(&str, HookStats)]>) -> String {
        let counted: Option<BTreeMap<String, HookStats>> =
            counted.map(|all| all.iter().map(|(name, did)| ((*name).to_owned(), did.clone())).collect());
        let checks = examine(fitted, counted.as_ref(), now());
        checks.iter().map(|check| format!("{:?} {}: {}\n", check.verdict, check.what, check.detail)).collect()
    }

    #[test]
    fn each_agent_is_judged_by_its_files_and_by_its_hooks() {
        let today = "2026-11-15T10:20:00Z";
        let fine = || [("codex", came(Some(today), Some(today)))];
        let with = |change: &dyn Fn(&mut Fitted)| {
            let mut fitted = installed();
            change(&mut fitted);
            fitted
        };
        let file = |fitted: &mut Fitted| fitted.gone_from = Some(("/h/.codex/hooks.json".into(), false));
        let cases: Vec<Case> = vec![
            ("sound", installed(), Some(fine().into())),
            ("nobody counted", installed(), None),
            ("changed", with(&|it| it.hooks = Part { whole: 7, changed: 1, gone: 0 }), Some(fine().into())),
            (
                "plugin",
                with(&|it| {
                    (it.plugin, it.hooks, it.server) =
                        (Some("engram@engram".into()), Part::default(), Part::default())
                }),
                Some(fine().into()),
            ),
            (
                "a plugin that did not fire yet",
                with(&|it| {
                    (it.since, it.plugin, it.hooks, it.server) =
                        (None, Some("engram@engram".into()), Part::default(), Part::default())
                }),
                Some(vec![]),
            ),
            (
                "a plugin that fired and keeps nothing any more",
                with(&|it| {
                    (it.since, it.plugin, it.hooks, it.server) =
                        (None, Some("engram@engram".into()), Part::default(), Part::default())
                }),
                Some(vec![("codex", came(Some("2026-11-08T10:20:00Z"), Some(today)))]),
            ),
            ("of unknown age", with(&|it| it.since = None), Some(vec![])),
            ("both", with(&|it| it.plugin = Some("engram@engram".into())), Some(fine().into())),
            ("fresh", with(&|it| it.since = Some(moment(today))), Some(vec![])),
            (
                "a holiday",
                installed(),
                Some(vec![("codex", came(Some("2026-10-01T00:00:00Z"), Some("2026-10-01T00:00:00Z")))]),
            ),
            ("only tools", installed(), Some(vec![("codex", came(None, None))])),
            (
                "unreadable",
                with(&|it| it.unreadable = Some("/h/x.json cannot be read".into())),
                Some(fine().into()),
            ),
            ("not on the path", with(&|it| it.missing_programs = vec!["engram".into()]), Some(fine().into())),
            (
                "no such program",
                with(&|it| it.missing_programs = vec!["/opt/engram".into()]),
                Some(fine().into()),
            ),
            (
                "hooks gone",
                with(&|it| {
                    it.hooks = Part { whole: 6, changed: 0, gone: 2 };
                    file(it)
                }),
                Some(fine().into()),
            ),
            (
                "server only",
                with(&|it| {
                    it.hooks = Part { whole: 0, changed: 0, gone: 8 };
                    file(it)
                }),
                Some(fine().into()),
            ),
            (
                "all gone",
                with(&|it| {
                    it.hooks = Part { gone: 8, ..Part::default() };
                    it.server = Part { gone: 1, ..Part::default() };
                    file(it)
                }),
                None,
            ),
            (
                "gone from a project",
                with(&|it| {
                    it.hooks.gone = 1;
                    it.gone_from = Some(("/p/.codex/hooks.json".into(), true));
                }),
                Some(fine().into()),
            ),
            (
                "server gone",
                with(&|it| {
                    it.server = Part { whole: 0, changed: 0, gone: 1 };
                    file(it)
                }),
                Some(fine().into()),
            ),
            ("never fired", installed(), Some(vec![])),
            (
                "problem",
                installed(),
                Some(vec![(
                    "codex",
                    HookStats { problem: Some("the disk is full".into()), ..came(Some(today), None) },
                )]),
            ),
            (
                "silent for long",
                installed(),
                Some(vec![("codex", came(Some("2026-11-08T10:20:00Z"), Some(today)))]),
            ),
            ("never saved", installed(), Some(vec![("codex", came(None, Some(today)))])),
        ];
        let page: String = cases
            .iter()
            .map(|(name, fitted, counted)| {
                format!("{name}\n  {}", told(std::slice::from_ref(fitted), counted.as_deref()))
            })
            .collect();
        expect![[r#"
            sound
              Sound agent codex: what was installed is there; last hook 5 minutes ago, last save 10 minutes ago
            nobody counted
              Sound agent codex: what was installed is there; whether its hooks come is not known
            changed
              Sound agent codex: what was installed is there, one entry changed by hand; last hook 5 minutes ago, last save 10 minutes ago
            plugin
              Sound agent codex: the plugin engram@engram is enabled; last hook 5 minutes ago, last save 10 minutes ago
            a plugin that did not fire yet
              Sound agent codex: the plugin engram@engram is enabled; it has not fired yet; start a session of Codex CLI
            a plugin that fired and keeps nothing any more
              Broken agent codex: its hooks come and somebody types, but the last time something was saved was 7 days ago; engramd.log in engram's home says more
            of unknown age
              Sound agent codex: what was installed is there; it has not fired yet; start a session of Codex CLI
            both
              Sound agent codex: it is installed and the plugin engram@engram is enabled, so everything may be told twice; last hook 5 minutes ago, last save 10 minutes ago
            fresh
              Sound agent codex: what was installed is there; it has not fired yet; start a session of Codex CLI
            a holiday
              Sound agent codex: what was installed is there; last hook 5 minutes ago, last save 1 month ago
            only tools
              Sound agent codex: what was installed is there; last hook 5 minutes ago, last save never
            unreadable
              Broken agent codex: /h/x.json cannot be read; correct that file, then run `engram install codex`
            not on the path
              Broken agent codex: its files call engram, but it is not on the PATH; put it there
            no such program
              Broken agent codex: its files call /opt/engram, but there is no such program; put it there
            hooks gone
              Broken agent codex: 2 of 8 hooks went missing from /h/.codex/hooks.json; `engram install codex` puts back what is missing
            server only
              Broken agent codex: its server is there but its hooks are not, so nothing is kept by itself; `engram install codex` puts back what is missing
            all gone
              Broken agent codex: what was installed is no longer in /h/.codex/hooks.json; `engram install codex` puts back what is missing
            gone from a project
              Broken agent codex: 1 of 9 hooks went missing from /p/.codex/hooks.json; `engram install codex --project` puts back what is missing
            server gone
              Broken agent codex: its server is no longer in /h/.codex/hooks.json; `engram install codex` puts back what is missing
            never fired
              Broken agent codex: it is installed, but no hook ever came; start Codex CLI anew, and see whether it wants its hooks to be trusted
            problem
              Broken agent codex: its last hook, 5 minutes ago, failed: the disk is full; engramd.log in engram's home says more
            silent for long
              Broken agent codex: its hooks come and somebody types, but the last time something was saved was 7 days ago; engramd.log in engram's home says more
            never saved
              Broken agent codex: its hooks come and somebody types, but nothing was ever saved; engramd.log in engram's home says more
        "#]].assert_eq(&page);
    }

    #[test]
    fn hooks_that_nobody_installed_are_told_too() {
        let broken = HookStats { problem: Some("no".into()), ..came(None, None) };
        let all = [("mine", came(Some("2026-11-15T10:20:00Z"), None)), ("other", broken)];
        expect![[r#"
            Sound agent mine: its hooks come, though `engram install` did not put them there: last hook 5 minutes ago, last save 10 minutes ago
            Broken agent other: its last hook, 5 minutes ago, failed: no; engramd.log in engram's home says more
        "#]].assert_eq(&told(&[], Some(&all)));
        assert_eq!(told(&[], None), "");
    }
}
