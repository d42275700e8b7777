//! Which memories serve together.

use crate::id::MemoryId;
use crate::recalled::RecallLogged;
use std::collections::BTreeMap;

/// Used together so often, two memories belong together (S0 7.2, S3).
pub const OFTEN: u32 = 3;

/// How often each two memories were taken up after one recall, the lesser
/// identifier first. That they were shown together says nothing of it.
pub fn together(recalls: &[RecallLogged]) -> BTreeMap<(MemoryId, MemoryId), u32> {
    used_together(recalls.iter().map(|recall| recall.used.as_slice()))
}

/// The same, of what was used each time.
pub fn used_together<'u>(
    used: impl IntoIterator<Item = &'u [MemoryId]>,
) -> BTreeMap<(MemoryId, MemoryId), u32> {
    let mut pairs = BTreeMap::new();
    for used in used {
        let mut used = used.to_vec();
        used.sort();
        used.dedup();
        for (place, one) in used.iter().enumerate() {
            for other in &used[place + 1..] {
                *pairs.entry((*one, *other)).or_default() += 1;
            }
        }
    }
    pairs
}
