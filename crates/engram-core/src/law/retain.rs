//! How long a text is kept at most, where somebody made a rule for it.
//!
//! The other laws say when a memory may be put away; this one says when its text
//! has to go, however useful it is. What somebody protects is exempt.

use crate::kind::{Kind, Tier};
use crate::memory::Memory;
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A rule keeps a text for no longer than this.
pub const MOST_DAYS: u32 = 36_500;

/// So many days the memories of some kinds are kept, as a setting holds it:
/// `narrative=365,tool_outcome=30`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KindRules {
    days: BTreeMap<Kind, u32>,
}

/// Why a text is no list of such rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadKindRule {
    #[error("\"{0}\" is no rule: it takes a kind, = and a number of days from 1 to {MOST_DAYS}")]
    NoRule(String),
    #[error("there is no kind \"{0}\"; `engram list --help` names them")]
    NoKind(String),
    #[error("there are two rules for {0}")]
    Twice(Kind),
}

impl FromStr for KindRules {
    type Err = BadKindRule;

    fn from_str(text: &str) -> Result<Self, BadKindRule> {
        let mut days = BTreeMap::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let no_rule = || BadKindRule::NoRule(part.to_owned());
            let (kind, number) = part.split_once('=').ok_or_else(no_rule)?;
            let number: u32 = number.trim().parse().map_err(|_| no_rule())?;
            if !(1..=MOST_DAYS).contains(&number) {
                return Err(no_rule());
            }
            let kind: Kind = kind.trim().parse().map_err(|_| BadKindRule::NoKind(kind.trim().to_owned()))?;
            if days.insert(kind, number).is_some() {
                return Err(BadKindRule::Twice(kind));
            }
        }
        Ok(Self { days })
    }
}

impl fmt::Display for KindRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (kind, days)) in self.days.iter().enumerate() {
            write!(f, "{}{kind}={days}", if place > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl KindRules {
    /// So many days a memory of this kind is kept. None: for ever.
    pub fn days_of(&self, kind: Kind) -> Option<u32> {
        self.days.get(&kind).copied()
    }

    pub fn is_empty(&self) -> bool {
        self.days.is_empty()
    }

    /// The first rule of `other` that keeps longer than these do.
    pub fn lengthened_by(&self, other: &Self) -> Option<(Kind, u32)> {
        let longer = |(kind, days): &(&Kind, &u32)| self.days_of(**kind).is_some_and(|mine| **days > mine);
        other.days.iter().find(longer).map(|(kind, days)| (*kind, *days))
    }

    /// Both lists in one: of each kind the shorter.
    pub fn with(&self, other: &Self) -> Self {
        let mut days = self.days.clone();
        for (kind, number) in &other.days {
            days.entry(*kind).and_modify(|mine| *mine = (*mine).min(*number)).or_insert(*number);
        }
        Self { days }
    }
}

/// Every rule about how long texts are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetainRules {
    pub kinds: KindRules,
    /// What was said, word for word. None: for ever.
    pub turns_days: Option<u32>,
    /// What was asked, and what was shown.
    pub recalls_days: u32,
}

impl Default for RetainRules {
    /// Texts are kept for ever, the log of recalls for half a year.
    fn default() -> Self {
        Self { kinds: KindRules::default(), turns_days: None, recalls_days: 180 }
    }
}

impl RetainRules {
    /// What was said before this moment loses its text at `at`.
    pub fn turns_kept_from(&self, at: Timestamp) -> Option<Timestamp> {
        self.turns_days.map(|number| at.saturating_sub(days(number)).unwrap_or(Timestamp::MIN))
    }
}

/// Until when a memory keeps its text. None: no rule says that it has to go, or
/// somebody protects it. The outline of a code base is drawn anew all the time
/// and is nobody's text.
pub fn retained_until(memory: &Memory, rules: &RetainRules) -> Option<Timestamp> {
    if memory.pinned || memory.immutable || memory.tier == Tier::Codebase {
        return None;
    }
    let number = rules.kinds.days_of(memory.kind)?;
    Some(memory.created_at.saturating_add(days(number)).unwrap_or(Timestamp::MAX))
}

/// Whether a rule takes the text of a memory away at `at`: it has one, and the
/// last of its days is over.
pub fn is_over(memory: &Memory, rules: &RetainRules, at: Timestamp) -> bool {
    !memory.content.is_empty() && retained_until(memory, rules).is_some_and(|until| until <= at)
}

fn days(number: u32) -> SignedDuration {
    SignedDuration::from_hours(24 * i64::from(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::sample::memory as sample;
    use proptest::prelude::*;

    fn rules(text: &str) -> RetainRules {
        RetainRules { kinds: text.parse().unwrap(), ..RetainRules::default() }
    }

    fn made(kind: Kind, created_at: &str) -> Memory {
        Memory { kind, created_at: created_at.parse().unwrap(), ..sample(1) }
    }

    #[test]
    fn a_text_goes_when_the_last_of_its_days_is_over() {
        let rules = rules("narrative=365,tool_outcome=30");
        let memory = made(Kind::ToolOutcome, "2026-01-01T12:00:00Z");
        assert_eq!(retained_until(&memory, &rules), Some("2026-01-31T12:00:00Z".parse().unwrap()));
        for (at, over) in
            [("2026-01-31T11:59:59Z", false), ("2026-01-31T12:00:00Z", true), ("2027-01-01T00:00:00Z", true)]
        {
            assert_eq!(is_over(&memory, &rules, at.parse().unwrap()), over, "{at}");
        }
        let narrative = made(Kind::Narrative, "2026-01-01T12:00:00Z");
        assert!(!is_over(&narrative, &rules, "2026-12-31T12:00:00Z".parse().unwrap()));
        assert!(is_over(&narrative, &rules, "2027-01-01T12:00:00Z".parse().unwrap()));
        let empty = Memory { content: String::new(), ..narrative };
        assert!(!is_over(&empty, &rules, Timestamp::MAX), "what has no text has none to lose");
    }

    #[test]
    fn what_is_protected_or_of_another_kind_stays() {
        let rules = rules("fact=1");
        let fact = made(Kind::Fact, "2020-01-01T00:00:00Z");
        assert!(retained_until(&fact, &rules).is_some());
        for stays in [
            Memory { pinned: true, ..fact.clone() },
            Memory { immutable: true, ..fact.clone() },
            Memory { tier: Tier::Codebase, ..fact.clone() },
            Memory { kind: Kind::Decision, ..fact.clone() },
        ] {
            assert_eq!(retained_until(&stays, &rules), None, "{stays:?}");
        }
        assert_eq!(retained_until(&fact, &RetainRules::default()), None);
    }

    #[test]
    fn what_is_no_rule_is_told() {
        for bad in ["narrative", "narrative=0", "narrative=36501", "narrative=-3", "narrative=a year"] {
            assert!(matches!(bad.parse::<KindRules>(), Err(BadKindRule::NoRule(_))), "{bad}");
        }
        assert_eq!("story=3".parse::<KindRules>(), Err(BadKindRule::NoKind("story".into())));
        assert_eq!("fact=3,fact=4".parse::<KindRules>(), Err(BadKindRule::Twice(Kind::Fact)));
        assert_eq!(
            " tool_outcome = 30,narrative=365 ".parse::<KindRules>().unwrap().to_string(),
            "narrative=365,tool_outcome=30"
        );
    }

    #[test]
    fn a_longer_rule_is_found_and_a_new_one_is_none() {
        let mine: KindRules = "narrative=365".parse().unwrap();
        let longer = |text: &str| mine.lengthened_by(&text.parse().unwrap());
        assert_eq!(longer("narrative=366"), Some((Kind::Narrative, 366)));
        assert_eq!([longer("narrative=365"), longer("fact=36500"), longer("")], [None; 3]);
    }

    #[test]
    fn turns_are_kept_for_ever_unless_somebody_says_otherwise() {
        let at = "2026-03-03T00:00:00Z".parse().unwrap();
        assert_eq!(RetainRules::default().turns_kept_from(at), None);
        let rules = RetainRules { turns_days: Some(2), ..RetainRules::default() };
        assert_eq!(rules.turns_kept_from(at), Some("2026-03-01T00:00:00Z".parse().unwrap()));
    }

    fn any_rules() -> impl Strategy<Value = KindRules> {
        prop::collection::btree_map(prop::sample::select(Kind::ALL), 1..=MOST_DAYS, 0..6)
            .prop_map(|days| KindRules { days })
    }

    proptest! {
        #[test]
        fn two_lists_in_one_keep_nothing_longer(one in any_rules(), other in any_rules()) {
            let both = one.with(&other);
            for kind in Kind::ALL {
                let shorter = [one.days_of(*kind), other.days_of(*kind)].into_iter().flatten().min();
                prop_assert_eq!(both.days_of(*kind), shorter);
            }
            prop_assert_eq!(both.to_string().parse::<KindRules>().unwrap(), both);
        }

        #[test]
        fn what_is_over_stays_over(kind in prop::sample::select(Kind::ALL), some in any_rules(), later in 0i64..1_000_000) {
            let rules = RetainRules { kinds: some, ..RetainRules::default() };
            let memory = made(kind, "2026-01-01T00:00:00Z");
            let Some(until) = retained_until(&memory, &rules) else { return Ok(()) };
            prop_assert!(is_over(&memory, &rules, until.saturating_add(SignedDuration::from_secs(later)).unwrap()));
            prop_assert!(!is_over(&memory, &rules, until - SignedDuration::from_secs(1)));
        }
    }
}
