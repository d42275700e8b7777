//! Tools of the full profile for looking after the memory: listing, correcting,
//! confirming, pinning, deciding, and taking back.

use crate::catalogue::{Effect, Tool, id_or_none};
use crate::evolution::FileShown;
use crate::schema;
use crate::shown::{Brief, ChangeShown, NOTE, briefs, cut};
use engram_core::decision::Ruling;
use engram_core::dream::Step;
use engram_core::{Kind, OperationId, Scope, Status, Timestamp};
use engram_wire::message::{List, Narrow};
use engram_wire::reply::{Changed, Listed, ReviewLine, Reviews, Side, Undone};
use engram_wire::{Fault, Order};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many lines are listed where nobody says how many, and at most.
const SOME: usize = 20;
const MOST: usize = 50;

fn some() -> usize {
    SOME
}

fn yes() -> bool {
    true
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListMemories {
    #[serde(default)]
    #[schemars(schema_with = "schema::scopes")]
    scopes: Vec<Scope>,
    #[serde(default)]
    #[schemars(schema_with = "schema::kinds")]
    kinds: Vec<Kind>,
    #[serde(default)]
    tags: Vec<String>,
    /// Left out: those that hold now.
    #[serde(default)]
    #[schemars(schema_with = "schema::statuses")]
    statuses: Vec<Status>,
    /// Only pinned ones.
    #[serde(default)]
    pinned: bool,
    #[serde(default = "some")]
    #[schemars(range(min = 1, max = 50))]
    limit: usize,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ListShown {
    note: &'static str,
    memories: Vec<Brief>,
    total: usize,
}

impl Tool for ListMemories {
    const NAME: &'static str = "list_memories";
    const TITLE: &'static str = "List memories";
    const ABOUT: &'static str = "The newest memories, without a question. Use to look through what there is.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = Listed;
    type Shown = ListShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        let Self { scopes, kinds, tags, statuses, pinned, limit } = self;
        let narrow = Narrow { scopes, kinds, tags, ..Narrow::default() };
        Ok(Order::List(List { narrow, statuses, limit: Some(limit.clamp(1, MOST)), pinned, before: None }))
    }

    fn shown(reply: Listed, now: Timestamp) -> ListShown {
        ListShown { note: NOTE, memories: briefs(reply.memories.iter().take(MOST), now), total: reply.total }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Correct {
    /// Its id, or the end of it.
    memory: String,
    /// What is so instead.
    text: String,
}

impl Tool for Correct {
    const NAME: &'static str = "correct_memory";
    const TITLE: &'static str = "Correct a memory";
    const ABOUT: &'static str = "Put a new text in the place of a memory that is wrong; the old one is kept as \
        superseded.";
    const EFFECT: Effect = Effect::Takes;
    type Reply = Changed;
    type Shown = ChangeShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        Ok(Order::Correct { operation, memory: self.memory, text: self.text })
    }

    fn shown(reply: Changed, now: Timestamp) -> ChangeShown {
        ChangeShown::of(&reply, now)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Confirm {
    /// Its id, or the end of it.
    memory: String,
}

impl Tool for Confirm {
    const NAME: &'static str = "confirm_memory";
    const TITLE: &'static str = "Confirm a memory";
    const ABOUT: &'static str = "Say that a memory is still so. Use when it was checked, not merely read.";
    const EFFECT: Effect = Effect::Adds;
    type Reply = Changed;
    type Shown = ChangeShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        Ok(Order::Confirm { operation, memory: self.memory })
    }

    fn shown(reply: Changed, now: Timestamp) -> ChangeShown {
        ChangeShown::of(&reply, now)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pin {
    /// Its id, or the end of it.
    memory: String,
    /// False lets it go again.
    #[serde(default = "yes")]
    pinned: bool,
}

impl Tool for Pin {
    const NAME: &'static str = "pin_memory";
    const TITLE: &'static str = "Pin a memory";
    const ABOUT: &'static str = "Protect a memory from forgetting, or let it go again.";
    const EFFECT: Effect = Effect::Settles;
    type Reply = Changed;
    type Shown = ChangeShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        Ok(Order::Pin { operation, memory: self.memory, pinned: self.pinned })
    }

    fn shown(reply: Changed, now: Timestamp) -> ChangeShown {
        ChangeShown::of(&reply, now)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Undo {
    /// Its id. Left out: the latest one.
    #[serde(default)]
    operation: String,
    /// Of a dream: this step alone.
    #[serde(default)]
    #[schemars(schema_with = "schema::step")]
    step: Option<Step>,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct UndoShown {
    note: &'static str,
    operation: String,
    undone: String,
    cause: &'static str,
    memories: Vec<Brief>,
    /// Of skills.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    files: Vec<FileShown>,
}

impl Tool for Undo {
    const NAME: &'static str = "undo";
    const TITLE: &'static str = "Undo";
    const ABOUT: &'static str = "Take back one operation on the memory: whole, or of a dream one step.";
    const EFFECT: Effect = Effect::Takes;
    type Reply = Undone;
    type Shown = UndoShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        Ok(Order::Undo { operation, target: id_or_none(&self.operation)?, step: self.step })
    }

    fn shown(reply: Undone, now: Timestamp) -> UndoShown {
        UndoShown {
            note: NOTE,
            operation: reply.operation.to_string(),
            undone: reply.undone.to_string(),
            cause: reply.cause.as_str(),
            memories: briefs(&reply.memories, now),
            files: reply.files.into_iter().map(FileShown::of).collect(),
        }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListReviews {
    /// Those that were decided, too.
    #[serde(default)]
    all: bool,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct ReviewsShown {
    note: &'static str,
    reviews: Vec<ReviewShown>,
}

#[derive(Serialize, JsonSchema)]
struct ReviewShown {
    id: String,
    scope: &'static str,
    reason: String,
    newer: String,
    older: String,
    open: bool,
}

impl ReviewShown {
    fn of(line: &ReviewLine) -> Self {
        Self {
            id: line.review.id.to_string(),
            scope: line.scope.as_str(),
            reason: line.review.reason.clone(),
            newer: side(&line.newer),
            older: side(&line.older),
            open: line.is_open(),
        }
    }
}

fn side(side: &Side) -> String {
    match side {
        Side::Memory { memory, .. } => cut(&memory.content),
        Side::Entity { entity } => entity.written.clone(),
        Side::Gone => "gone".to_owned(),
    }
}

impl Tool for ListReviews {
    const NAME: &'static str = "list_reviews";
    const TITLE: &'static str = "List reviews";
    const ABOUT: &'static str = "Pairs that may be one or may exclude each other, and wait for a decision. Ask \
        the user before deciding one.";
    const EFFECT: Effect = Effect::Looks;
    type Reply = Reviews;
    type Shown = ReviewsShown;

    fn order(self, _: OperationId) -> Result<Order, Fault> {
        Ok(Order::ReviewList { all: self.all })
    }

    fn shown(reply: Reviews, _: Timestamp) -> ReviewsShown {
        ReviewsShown { note: NOTE, reviews: reply.reviews.iter().take(MOST).map(ReviewShown::of).collect() }
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DecideReview {
    /// Its id, or the end of it.
    review: String,
    #[schemars(schema_with = "schema::ruling")]
    ruling: Ruling,
}

impl Tool for DecideReview {
    const NAME: &'static str = "decide_review";
    const TITLE: &'static str = "Decide a review";
    const ABOUT: &'static str = "Decide about a pair: both are right, the newer or the older stays, or they are \
        one. Only with the user's word.";
    const EFFECT: Effect = Effect::Takes;
    type Reply = Changed;
    type Shown = ChangeShown;

    fn order(self, operation: OperationId) -> Result<Order, Fault> {
        Ok(Order::ReviewDecide { operation, review: self.review, ruling: self.ruling })
    }

    fn shown(reply: Changed, now: Timestamp) -> ChangeShown {
        ChangeShown::of(&reply, now)
    }
}
