//! Where a memory lives (scope), how settled it is (tier) and what it says
//! (kind, class).
//!
//! Only the words and what follows from them; a memory's state over time is in
//! `status`.

use crate::words::words;

words! {
    /// The reach of a memory. A store holds exactly one scope.
    pub enum Scope ("scope") {
        Session = "session",
        Project = "project",
        User = "user",
        Team = "team",
    }
}

impl Scope {
    /// The scopes of one person's own, which are written to directly. The
    /// team's is reached by sharing.
    pub const OWN: &'static [Scope] = &[Scope::Session, Scope::Project, Scope::User];
}

words! {
    /// How settled a memory is; sets how fast it fades.
    pub enum Tier ("tier") {
        Working = "working",
        Episodic = "episodic",
        Semantic = "semantic",
        Procedural = "procedural",
        Codebase = "codebase",
    }
}

words! {
    /// What a memory says.
    pub enum Kind ("kind") {
        Observation = "observation",
        Decision = "decision",
        Pattern = "pattern",
        Convention = "convention",
        Fact = "fact",
        Preference = "preference",
        Correction = "correction",
        ErrorFix = "error_fix",
        Architecture = "architecture",
        Procedure = "procedure",
        Plan = "plan",
        Entity = "entity",
        Narrative = "narrative",
        Summary = "summary",
        Scratchpad = "scratchpad",
        ToolOutcome = "tool_outcome",
    }
}

words! {
    /// The coarse reading of a kind: what is so, how to do it, what happened.
    pub enum Class ("class") {
        Fact = "fact",
        Procedure = "procedure",
        Narrative = "narrative",
    }
}

words! {
    /// Which classes a recall may return.
    pub enum Mode ("mode") {
        FactsOnly = "facts_only",
        FactsPlusRules = "facts_plus_rules",
        FullContext = "full_context",
    }
}

impl Kind {
    pub const fn class(self) -> Class {
        use Kind::*;
        match self {
            Fact | Preference | Correction | Entity | Architecture | Observation | Plan => Class::Fact,
            Procedure | Pattern | Convention | Decision | ErrorFix => Class::Procedure,
            Narrative | Summary | Scratchpad | ToolOutcome => Class::Narrative,
        }
    }

    /// The tier a memory of this kind is born into when someone states it
    /// outright. What is merely observed starts as an episode.
    pub const fn first_tier(self) -> Tier {
        use Kind::*;
        match self {
            Scratchpad => Tier::Working,
            Observation | Narrative | Plan | ToolOutcome => Tier::Episodic,
            Fact | Preference | Correction | Entity | Architecture | Summary => Tier::Semantic,
            Procedure | Pattern | Convention | Decision | ErrorFix => Tier::Procedural,
        }
    }

    /// Working state that means nothing once its session is over.
    pub const fn session_only(self) -> bool {
        matches!(self, Kind::Scratchpad | Kind::ToolOutcome)
    }
}

impl Mode {
    pub const fn includes(self, class: Class) -> bool {
        match self {
            Mode::FactsOnly => matches!(class, Class::Fact),
            Mode::FactsPlusRules => matches!(class, Class::Fact | Class::Procedure),
            Mode::FullContext => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_back_as_it_is_written() {
        for kind in Kind::ALL {
            assert_eq!(kind.as_str().parse::<Kind>().as_ref(), Ok(kind));
        }
        for scope in Scope::ALL {
            assert_eq!(scope.as_str().parse::<Scope>().as_ref(), Ok(scope));
        }
    }

    #[test]
    fn an_unknown_kind_names_the_allowed_ones() {
        let error = "opinion".parse::<Kind>().unwrap_err().to_string();
        assert!(error.starts_with("unknown kind \"opinion\"; one of: observation, decision"));
    }

    #[test]
    fn modes_widen_from_facts_to_everything() {
        let counts: Vec<usize> = Mode::ALL
            .iter()
            .map(|mode| Class::ALL.iter().filter(|class| mode.includes(**class)).count())
            .collect();
        assert_eq!(counts, [1, 2, 3]);
    }
}
