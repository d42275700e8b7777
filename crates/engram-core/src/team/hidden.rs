//! When a narrower scope's copy is not shown for what became of the team's.

use crate::status::Status;

/// Whether the copy of a memory in a narrower scope is hidden because the
/// team's has this status. What was withdrawn is the team's no longer and stays
/// its owner's; what the team replaced or rejected is so for everybody.
pub const fn hidden_by_wider(status: Status) -> bool {
    matches!(status, Status::Superseded | Status::Merged | Status::Invalidated)
}
