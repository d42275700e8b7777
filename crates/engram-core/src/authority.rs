//! Who may write what: the most that each tool and each agent may do.
//!
//! What an event may do is the least of three: what its type may, what the rule
//! for its tool says and what the rule for its agent says. Where several rules of
//! a list fit a name, the most specific one speaks. Who asks, and what becomes of
//! a refusal, is not known here.

use crate::turn::{Authority, EventType, Turn};
use std::fmt;
use std::str::FromStr;

/// The settings that hold the two lists.
pub const TOOLS: &str = "authority.tools";
pub const AGENTS: &str = "authority.agents";

/// A name, or the beginning of names. Upper and lower case are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Pattern {
    /// In lower case, without the star.
    text: String,
    /// It ends in a star: whatever begins so.
    open: bool,
}

impl Pattern {
    fn fits(&self, name: &str) -> bool {
        match self.open {
            true => name.starts_with(&self.text),
            false => name == self.text,
        }
    }

    /// Whether every name that fits `other` fits this, too.
    fn covers(&self, other: &Self) -> bool {
        self.fits(&other.text) && (self.open || !other.open)
    }

    /// Of those that fit one name, the longer is the more specific, and a whole
    /// name more than its beginning.
    fn specific(&self) -> (usize, bool) {
        (self.text.len(), !self.open)
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.text, if self.open { "*" } else { "" })
    }
}

/// One rule: the most that whoever fits may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pattern: Pattern,
    pub most: Authority,
    /// As it was written.
    written: String,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.written, self.most)
    }
}

/// A list of rules, as a setting holds it: `WebFetch=nothing,mcp__*=add`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    rules: Vec<Rule>,
}

/// Why a text is no list of rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRule {
    #[error("\"{0}\" is no rule: it takes a name, = and one of nothing, add, change")]
    NoRule(String),
    #[error("\"{0}\": a star stands at the end of a name, or nowhere")]
    Star(String),
    #[error("there are two rules for \"{0}\"")]
    Twice(String),
}

impl FromStr for Rules {
    type Err = BadRule;

    fn from_str(text: &str) -> Result<Self, BadRule> {
        let mut rules: Vec<Rule> = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let no_rule = || BadRule::NoRule(part.to_owned());
            let (name, word) = part.rsplit_once('=').ok_or_else(no_rule)?;
            let most = word.trim().parse().map_err(|_| no_rule())?;
            let name = name.trim();
            let (text, open) = name.strip_suffix('*').map_or((name, false), |begin| (begin, true));
            if name.is_empty() || text.contains('=') {
                return Err(no_rule());
            }
            if text.contains('*') {
                return Err(BadRule::Star(name.to_owned()));
            }
            let pattern = Pattern { text: text.to_lowercase(), open };
            if rules.iter().any(|known| known.pattern == pattern) {
                return Err(BadRule::Twice(name.to_owned()));
            }
            rules.push(Rule { pattern, most, written: name.to_owned() });
        }
        Ok(Self { rules })
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, rule) in self.rules.iter().enumerate() {
            write!(f, "{}{rule}", if place > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl Rules {
    /// The rule that speaks for a name: the most specific one that fits it.
    pub fn of(&self, name: &str) -> Option<&Rule> {
        let name = name.trim().to_lowercase();
        let fitting = self.rules.iter().filter(|rule| rule.pattern.fits(&name));
        fitting.max_by_key(|rule| rule.pattern.specific())
    }

    /// The most that whoever fits this pattern may do.
    fn most_of(&self, pattern: &Pattern) -> Authority {
        let covering = self.rules.iter().filter(|rule| rule.pattern.covers(pattern));
        covering.max_by_key(|rule| rule.pattern.specific()).map_or(Authority::Change, |rule| rule.most)
    }

    /// The first rule of `other` that lets somebody do more than these do.
    pub fn raised_by<'o>(&self, other: &'o Self) -> Option<&'o Rule> {
        other.rules.iter().find(|rule| rule.most > self.most_of(&rule.pattern))
    }

    /// Both lists in one: what it says of any name is the least of what they say.
    pub fn with(&self, other: &Self) -> Self {
        let mut rules = self.rules.clone();
        for rule in &other.rules {
            if !rules.iter().any(|known| known.pattern == rule.pattern) {
                rules.push(rule.clone());
            }
        }
        for rule in &mut rules {
            rule.most = self.most_of(&rule.pattern).min(other.most_of(&rule.pattern));
        }
        Self { rules }
    }
}

/// Where something comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin<'a> {
    pub event: EventType,
    pub tool: Option<&'a str>,
    pub agent: Option<&'a str>,
}

impl<'a> Origin<'a> {
    pub fn of(turn: &'a Turn) -> Self {
        let tool = turn.tool.as_ref().map(|tool| tool.tool_name.as_str());
        Self { event: turn.event, tool, agent: turn.agent.as_deref() }
    }
}

/// The rules in force.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuthorityRules {
    pub tools: Rules,
    pub agents: Rules,
}

/// What somebody may do, and the rule that allows no more, if one does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowed {
    pub authority: Authority,
    pub by: Option<RuledBy>,
}

/// A rule that lowers what somebody may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuledBy {
    /// The tool or the agent.
    pub who: String,
    pub setting: &'static str,
    /// As it is written there.
    pub rule: String,
}

impl fmt::Display for RuledBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} says {}", self.setting, self.rule)
    }
}

impl From<Authority> for Allowed {
    fn from(authority: Authority) -> Self {
        Self { authority, by: None }
    }
}

/// What something may do that comes from there, where its type may do `base`: the
/// least wins.
pub fn authority_of(base: Authority, origin: &Origin<'_>, rules: &AuthorityRules) -> Allowed {
    let mut allowed = Allowed::from(base);
    for (setting, list, who) in [(TOOLS, &rules.tools, origin.tool), (AGENTS, &rules.agents, origin.agent)] {
        let Some(who) = who else { continue };
        let Some(rule) = list.of(who) else { continue };
        if rule.most < allowed.authority {
            let by = RuledBy { who: who.to_owned(), setting, rule: rule.to_string() };
            allowed = Allowed { authority: rule.most, by: Some(by) };
        }
    }
    allowed
}

#[cfg(test)]
mod tests {
    use super::*;
    use Authority::{Add, Change, Nothing};
    use proptest::prelude::*;

    fn from<'a>(tool: Option<&'a str>, agent: Option<&'a str>) -> Origin<'a> {
        Origin { event: EventType::ToolCall, tool, agent }
    }

    fn rules(text: &str) -> Rules {
        text.parse().unwrap()
    }

    #[test]
    fn the_most_specific_rule_speaks() {
        let list = rules("mcp__*=add, mcp__github*=nothing, mcp__github__search=change, Web*=nothing");
        for (name, says) in [
            ("mcp__linear__list", Some(Add)),
            ("mcp__github__fork", Some(Nothing)),
            ("mcp__github__search", Some(Change)),
            ("MCP__GitHub__Search", Some(Change)),
            ("mcp__github__search_code", Some(Nothing)),
            ("WebFetch", Some(Nothing)),
            ("Bash", None),
        ] {
            assert_eq!(list.of(name).map(|rule| rule.most), says, "{name}");
        }
        assert_eq!(rules("a=add,a*=nothing").of("a").unwrap().most, Add, "a whole name before its beginning");
        assert_eq!(rules("*=nothing").of("").unwrap().most, Nothing);
    }

    #[test]
    fn the_least_of_type_tool_and_agent_wins_and_says_so() {
        let all = AuthorityRules { tools: rules("WebFetch=nothing,Bash=change"), agents: rules("codex=add") };
        for (base, tool, agent, says, by) in [
            (Change, None, None, Change, None),
            (Add, Some("Bash"), None, Add, None),
            (Add, Some("WebFetch"), Some("codex"), Nothing, Some(TOOLS)),
            (Change, Some("Bash"), Some("codex"), Add, Some(AGENTS)),
            (Nothing, Some("Bash"), Some("codex"), Nothing, None),
            (Change, None, Some("claude-code"), Change, None),
        ] {
            let allowed = authority_of(base, &from(tool, agent), &all);
            assert_eq!(
                (allowed.authority, allowed.by.map(|by| by.setting)),
                (says, by),
                "{tool:?} {agent:?}"
            );
        }
        let by = authority_of(Change, &from(Some("webfetch"), None), &all).by.unwrap();
        assert_eq!(
            (by.who.as_str(), by.to_string().as_str()),
            ("webfetch", "authority.tools says WebFetch=nothing")
        );
    }

    #[test]
    fn what_is_no_rule_is_told() {
        for bad in ["WebFetch", "=add", "WebFetch=all", "a=b=add", "WebFetch:add"] {
            assert!(matches!(bad.parse::<Rules>(), Err(BadRule::NoRule(_))), "{bad}");
        }
        assert_eq!("mcp__*__read=add".parse::<Rules>(), Err(BadRule::Star("mcp__*__read".into())));
        assert_eq!("Bash=add,bash=nothing".parse::<Rules>(), Err(BadRule::Twice("bash".into())));
        assert_eq!(rules(" , "), Rules::default());
        assert_eq!(rules(" Bash = add ,Web*=nothing").to_string(), "Bash=add,Web*=nothing");
    }

    #[test]
    fn a_list_that_lets_somebody_do_more_is_found() {
        let mine = rules("mcp__*=nothing,mcp__git*=add");
        for (other, raises) in [
            ("mcp__slack=add", Some("mcp__slack=add")),
            ("mcp__github=add", None),
            ("mcp__git*=change", Some("mcp__git*=change")),
            ("m*=change", None),
            ("Bash=nothing", None),
        ] {
            let other = rules(other);
            assert_eq!(mine.raised_by(&other).map(ToString::to_string).as_deref(), raises);
        }
    }

    fn any_list() -> impl Strategy<Value = Rules> {
        let rule = ("[ab]{0,3}", any::<bool>(), prop::sample::select(Authority::ALL));
        prop::collection::vec(rule, 0..6).prop_map(|some| {
            let mut list = Rules::default();
            for (text, open, most) in some {
                let pattern = Pattern { text, open };
                if !list.rules.iter().any(|known| known.pattern == pattern) {
                    list.rules.push(Rule { written: pattern.to_string(), pattern, most });
                }
            }
            list
        })
    }

    proptest! {
        #[test]
        fn two_lists_in_one_say_the_least_of_both(one in any_list(), other in any_list(), name in "[ab]{0,4}") {
            let says = |list: &Rules| list.of(&name).map_or(Change, |rule| rule.most);
            prop_assert_eq!(says(&one.with(&other)), says(&one).min(says(&other)));
        }

        #[test]
        fn no_rule_ever_raises(
            base in prop::sample::select(Authority::ALL),
            tools in any_list(),
            agents in any_list(),
            tool in prop::option::of("[ab]{0,4}"),
            agent in prop::option::of("[ab]{0,4}"),
        ) {
            let allowed = authority_of(base, &from(tool.as_deref(), agent.as_deref()), &AuthorityRules { tools, agents });
            prop_assert!(allowed.authority <= base);
            prop_assert_eq!(allowed.by.is_some(), allowed.authority < base);
        }
    }
}
