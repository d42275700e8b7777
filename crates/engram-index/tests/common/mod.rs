//! Memories to index, made from as little as a test wants to say.

use engram_core::{
    Actor, Cause, Confidence, Importance, Kind, Memory, MemoryId, Provenance, Scope, Stability, Status,
    StatusChange, Timestamp, Trace, Utility, Validity,
};

pub(crate) fn id(number: u64) -> MemoryId {
    format!("{number:026}").parse().unwrap()
}

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

pub(crate) fn memory(number: u64, content: &str) -> Memory {
    let born = at(number as i64);
    Memory {
        id: id(number),
        scope: Scope::Project,
        tier: Kind::Fact.first_tier(),
        kind: Kind::Fact,
        status: Status::Active,
        status_change: StatusChange { at: born, reason: "test".into(), cause: Cause::Remember },
        content: content.to_owned(),
        summary: None,
        tags: Default::default(),
        domain: None,
        structured: None,
        importance: Importance::DEFAULT,
        confidence: Confidence::DEFAULT,
        utility: Utility::DEFAULT,
        surprise: None,
        emotion: None,
        pinned: false,
        immutable: false,
        trace: Trace {
            access_count: 0,
            last_used_at: born,
            stability: Stability::FIRST,
            difficulty: None,
            fades_at: None,
        },
        validity: Validity { valid_from: born, valid_until: None, recorded_at: born },
        provenance: Provenance::stated_by(Actor::Human),
        created_at: born,
        updated_at: born,
        revision: 0,
    }
}
