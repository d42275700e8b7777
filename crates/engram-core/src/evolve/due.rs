//! When a store evolves by itself.

use crate::dream::DreamTrigger;
use crate::skill::SkillMode;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// When a store evolves, and what may come of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvolutionSettings {
    pub on: bool,
    pub every: SignedDuration,
    /// After so many signs of how memories served.
    pub updates: u32,
    /// After so many new procedures.
    pub procedures: u32,
    pub skills: SkillMode,
}

impl Default for EvolutionSettings {
    /// Six hours, 100 updates and 20 procedures are the seed's triggers (S1).
    fn default() -> Self {
        Self {
            on: true,
            every: SignedDuration::from_hours(6),
            updates: 100,
            procedures: 20,
            skills: SkillMode::Propose,
        }
    }
}

/// What came in since a store last evolved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// None: it never did.
    pub last_at: Option<Timestamp>,
    pub updates: u32,
    pub procedures: u32,
}

/// When a store evolves next: with the first evidence from this moment on, or
/// before that after so much more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NextRun {
    /// None: with the next evidence, whenever it comes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    pub updates_left: u32,
    pub procedures_left: u32,
    /// It is due already, and comes as soon as nothing else is dreamt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub due: bool,
}

/// Why a store should evolve at `at`. None: it need not. Time alone is no
/// reason: where nothing is new, there is nothing to evolve.
pub fn due(tally: &Tally, settings: &EvolutionSettings, at: Timestamp) -> Option<DreamTrigger> {
    let anything = tally.updates > 0 || tally.procedures > 0;
    if !settings.on || !anything {
        return None;
    }
    if tally.updates >= settings.updates {
        Some(DreamTrigger::Updates)
    } else if tally.procedures >= settings.procedures {
        Some(DreamTrigger::Procedures)
    } else {
        waits_until(tally, settings, at).is_none().then_some(DreamTrigger::Schedule)
    }
}

/// Until when anything new is not yet reason enough. None: it is.
fn waits_until(tally: &Tally, settings: &EvolutionSettings, at: Timestamp) -> Option<Timestamp> {
    let ripe_at = tally.last_at?.checked_add(settings.every).ok()?;
    (ripe_at > at).then_some(ripe_at)
}

/// When a store evolves next. None: it does not by itself.
pub fn next_run(tally: &Tally, settings: &EvolutionSettings, at: Timestamp) -> Option<NextRun> {
    settings.on.then(|| NextRun {
        at: waits_until(tally, settings, at),
        updates_left: settings.updates.saturating_sub(tally.updates),
        procedures_left: settings.procedures.saturating_sub(tally.procedures),
        due: due(tally, settings, at).is_some(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_second(1_767_225_600).unwrap() + SignedDuration::from_mins(minutes)
    }

    fn tally(updates: u32, procedures: u32) -> Tally {
        Tally { last_at: Some(at(0)), updates, procedures }
    }

    #[test]
    fn six_hours_a_hundred_updates_or_twenty_procedures() {
        let settings = EvolutionSettings::default();
        for (updates, procedures, minutes, expected) in [
            (1, 0, 359, None),
            (1, 0, 360, Some(DreamTrigger::Schedule)),
            (0, 1, 360, Some(DreamTrigger::Schedule)),
            (99, 19, 1, None),
            (100, 0, 1, Some(DreamTrigger::Updates)),
            (0, 20, 1, Some(DreamTrigger::Procedures)),
            (100, 20, 360, Some(DreamTrigger::Updates)),
        ] {
            let found = due(&tally(updates, procedures), &settings, at(minutes));
            assert_eq!(found, expected, "{updates} updates, {procedures} procedures, {minutes} minutes");
        }
        let never = Tally { last_at: None, ..tally(1, 0) };
        assert_eq!(due(&never, &settings, at(0)), Some(DreamTrigger::Schedule));
    }

    #[test]
    fn nothing_new_evolves_nothing() {
        let settings = EvolutionSettings::default();
        assert_eq!(due(&tally(0, 0), &settings, at(100_000)), None);
        assert_eq!(due(&Tally::default(), &settings, at(0)), None);
        let off = EvolutionSettings { on: false, ..settings };
        assert_eq!(due(&tally(1_000, 1_000), &off, at(100_000)), None);
    }

    #[test]
    fn the_next_run_is_when_it_would_be_due() {
        let settings = EvolutionSettings::default();
        let next = next_run(&tally(37, 4), &settings, at(10)).unwrap();
        assert_eq!((next.at, next.updates_left, next.procedures_left), (Some(at(360)), 63, 16));
        assert!(!next.due);
        for waiting in [tally(100, 0), tally(105, 4), tally(0, 20)] {
            assert!(next_run(&waiting, &settings, at(10)).unwrap().due, "{waiting:?}");
        }
        assert!(next_run(&tally(1, 0), &settings, at(360)).unwrap().due);
        assert_eq!(due(&tally(37, 4), &settings, at(360)), Some(DreamTrigger::Schedule));
        assert_eq!(due(&tally(37 + next.updates_left, 4), &settings, at(10)), Some(DreamTrigger::Updates));
        for overdue in [tally(0, 0), Tally::default()] {
            let next = next_run(&overdue, &settings, at(500)).unwrap();
            assert_eq!((next.at, due(&overdue, &settings, at(500))), (None, None));
            let first = Tally { updates: 1, ..overdue };
            assert_eq!(
                due(&first, &settings, at(500)),
                Some(DreamTrigger::Schedule),
                "with the next evidence"
            );
        }
        assert_eq!(next_run(&tally(37, 4), &EvolutionSettings { on: false, ..settings }, at(10)), None);
    }
}
