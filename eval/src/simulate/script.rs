//! A year of work, made with a fixed seed: what is said, what changes, what is
//! asked, and what is nothing but noise.
//!
//! Every text is made here. A topic has one value at a time; whoever asks about
//! it needs the value of that day, and an older one is stale.

use crate::texts::{Dice, remark};
use engram_core::{Span, Timestamp};

/// The projects, by how much of the work is done in each.
pub(crate) const PROJECTS: [(&str, u64); 3] = [("shop", 75), ("atlas", 15), ("relay", 10)];
/// So many days are lived through.
pub(crate) const DAYS: i64 = 365;
/// So many remarks nobody will ever need are made in one session.
const NOISE: u64 = 24;
/// So many questions are asked in one session.
const QUESTIONS: u64 = 4;

/// Something that has a value in one project.
#[derive(Debug, Clone)]
pub(crate) struct Topic {
    pub(crate) project: usize,
    subject: String,
    sort: Sort,
    value: u64,
    /// In how many days, on average, it changes. None: never.
    changes_in: Option<u64>,
    /// How often it is asked about, beside the others.
    pub(crate) wanted: u64,
    pub(crate) known: bool,
    /// It holds in every project, and is said in each.
    pub(crate) general: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Sort {
    Port,
    Owner,
    Version,
    Rule,
}

const THINGS: [&str; 30] = [
    "billing",
    "search",
    "checkout",
    "ledger",
    "mailer",
    "gateway",
    "reports",
    "catalogue",
    "accounts",
    "payments",
    "shipping",
    "inventory",
    "pricing",
    "metrics",
    "scheduler",
    "uploader",
    "notifier",
    "importer",
    "exporter",
    "archive",
    "profile",
    "session",
    "webhook",
    "tracing",
    "audit",
    "backup",
    "preview",
    "sandbox",
    "staging",
    "production",
];
const OWNERS: [&str; 12] =
    ["Ayla", "Bruno", "Carmen", "Dmitri", "Elif", "Farid", "Greta", "Hiro", "Ines", "Jonas", "Kerem", "Lena"];
const RULES: [&str; 10] = [
    "runs its migrations before the rollout",
    "signs its releases with cosign",
    "keeps its fixtures in a separate repository",
    "is reviewed by two people before a merge",
    "never logs request bodies",
    "is deployed from the release branch only",
    "caches its answers for one minute",
    "retries a failed call three times",
    "is tested against a real database",
    "writes its logs as JSON lines",
];

impl Topic {
    fn value_text(&self, value: u64) -> String {
        match self.sort {
            Sort::Port => (4_000 + 7 * value % 5_000).to_string(),
            Sort::Owner => OWNERS[usize::try_from(value).unwrap_or(0) % OWNERS.len()].to_owned(),
            Sort::Version => format!("{}.{}", 1 + value / 10, value % 10),
            Sort::Rule => RULES[usize::try_from(value).unwrap_or(0) % RULES.len()].to_owned(),
        }
    }

    fn said(&self, value: u64) -> String {
        let (subject, value) = (&self.subject, self.value_text(value));
        match self.sort {
            Sort::Port => format!("The {subject} service listens on port {value}."),
            Sort::Owner => format!("The owner of the {subject} service is {value}."),
            Sort::Version => format!("The {subject} service uses protocol version {value}."),
            Sort::Rule => format!("The {subject} service {value}."),
        }
    }

    /// What is said of it today.
    pub(crate) fn statement(&self) -> String {
        self.said(self.value)
    }

    pub(crate) fn question(&self) -> String {
        let subject = &self.subject;
        match self.sort {
            Sort::Port => format!("which port does the {subject} service listen on?"),
            Sort::Owner => format!("who is the owner of the {subject} service?"),
            Sort::Version => format!("which protocol version does the {subject} service use?"),
            Sort::Rule => format!("what do we do about the {subject} service?"),
        }
    }

    /// Whether a text states what is so today.
    pub(crate) fn is_told_by(&self, text: &str) -> bool {
        text.contains(&self.statement())
    }

    /// Whether a text states what was so before, and not what is so today.
    pub(crate) fn is_stale_in(&self, text: &str) -> bool {
        !self.is_told_by(text) && (0..self.value).any(|before| text.contains(&self.said(before)))
    }
}

/// One thing that happens.
pub(crate) enum Happens {
    /// Somebody states what is so.
    Says {
        topic: usize,
    },
    /// Somebody corrects what is known, having looked it up.
    Corrects {
        topic: usize,
    },
    /// Something is said that nobody will need.
    Noise {
        text: String,
    },
    Asks {
        topic: usize,
    },
}

/// What happens in one session of one project.
pub(crate) struct Session {
    pub(crate) project: usize,
    pub(crate) begins_at: Timestamp,
    pub(crate) happens: Vec<Happens>,
}

/// The script, session by session. The topics change as it is told.
pub(crate) struct Script {
    dice: Dice,
    pub(crate) topics: Vec<Topic>,
    day: i64,
    begins_at: Timestamp,
    today: Vec<usize>,
}

impl Script {
    pub(crate) fn new(seed: u64, begins_at: Timestamp) -> Self {
        let mut dice = Dice::new(seed);
        let mut topics = Vec::new();
        for (project, (name, _)) in PROJECTS.iter().enumerate() {
            for (place, thing) in THINGS.iter().enumerate() {
                for sort in [Sort::Port, Sort::Owner, Sort::Version, Sort::Rule] {
                    // What never changes is asked for all year; what changes, often.
                    let changes_in = match sort {
                        Sort::Rule => None,
                        _ => [None, Some(45), Some(90), Some(200)][dice.below(4) as usize],
                    };
                    topics.push(Topic {
                        project,
                        subject: format!("{name} {thing}"),
                        sort,
                        value: if sort == Sort::Rule { (place as u64) % 10 } else { 0 },
                        changes_in: if sort == Sort::Rule { None } else { changes_in },
                        wanted: 1 + 400 / (1 + dice.below(200)),
                        known: false,
                        general: false,
                    });
                }
            }
            // A taste of the user's own, which shows in every project.
            topics.push(Topic {
                project,
                subject: "newest".to_owned(),
                sort: Sort::Rule,
                value: 1,
                changes_in: None,
                wanted: 300,
                known: false,
                general: true,
            });
        }
        Self { dice, topics, day: 0, begins_at, today: Vec::new() }
    }

    /// The next session of the year, if there is one.
    pub(crate) fn next(&mut self) -> Option<Session> {
        while self.today.is_empty() {
            self.day += 1;
            if self.day > DAYS {
                return None;
            }
            // Nobody works at the weekend.
            if self.day % 7 < 5 {
                let sessions = 2 + self.dice.below(3);
                self.today = (0..sessions).map(|_| self.some_project()).collect();
            }
        }
        // The fuller the rest of the day, the earlier it is.
        let hour = 17 - 2 * i64::try_from(self.today.len()).unwrap_or(0);
        let project = self.today.pop()?;
        let begins_at = self.begins_at + Span::from_hours(24 * self.day + hour);
        Some(Session { project, begins_at, happens: self.happenings(project) })
    }

    pub(crate) const fn day(&self) -> i64 {
        self.day
    }

    fn some_project(&mut self) -> usize {
        let mut drawn = self.dice.below(100);
        for (place, (_, share)) in PROJECTS.iter().enumerate() {
            if drawn < *share {
                return place;
            }
            drawn -= share;
        }
        0
    }

    fn happenings(&mut self, project: usize) -> Vec<Happens> {
        let mut happens = Vec::new();
        for place in 0..self.topics.len() {
            if self.topics[place].project != project {
                continue;
            }
            if !self.topics[place].known {
                if self.dice.below(40) == 0 {
                    self.topics[place].known = true;
                    happens.push(Happens::Says { topic: place });
                }
                continue;
            }
            // Sessions of a project are about a day apart, less where most work is.
            let sessions_a_day = [2.2, 0.45, 0.3][project];
            let Some(days) = self.topics[place].changes_in else { continue };
            let one_in = ((days as f64) * sessions_a_day).max(1.0) as u64;
            if self.dice.below(one_in) == 0 {
                self.topics[place].value += 1;
                happens.push(match self.dice.below(3) {
                    0 => Happens::Corrects { topic: place },
                    _ => Happens::Says { topic: place },
                });
            }
        }
        for _ in 0..NOISE {
            happens.push(Happens::Noise { text: remark(&mut self.dice) });
        }
        for _ in 0..QUESTIONS {
            if let Some(topic) = self.some_topic(project) {
                happens.push(Happens::Asks { topic });
            }
        }
        happens
    }

    /// A known topic of the project, the more wanted the likelier.
    fn some_topic(&mut self, project: usize) -> Option<usize> {
        let known = |topic: &Topic| topic.project == project && topic.known;
        let all: u64 = self.topics.iter().filter(|topic| known(topic)).map(|topic| topic.wanted).sum();
        let mut drawn = self.dice.below(all.max(1));
        self.topics.iter().position(|topic| {
            if !known(topic) {
                return false;
            }
            let here = drawn < topic.wanted;
            drawn = drawn.saturating_sub(topic.wanted);
            here
        })
    }
}
