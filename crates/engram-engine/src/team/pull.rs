//! Takes in what changed on the server, in the order of its feed.

use super::{Seat, SyncError, With};
use engram_core::team::{FeedLine, Head, Position, Told, wants_more};
use engram_core::{MemoryId, ReviewId, Timestamp};
use std::collections::BTreeSet;

/// So many lines of the feed are taken in at once.
const LINES: usize = 500;

/// What was taken in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pulled {
    pub position: Position,
    /// So many lines of the feed.
    pub lines: usize,
    /// So many memories are new here, changed or gone.
    pub memories: usize,
    /// Somebody came, went, or may do other things than before.
    pub members: bool,
    /// There is something new to be approved, or less of it.
    pub proposals: bool,
    /// Everything was read anew, because the feed did not go back far enough.
    pub resynced: bool,
    /// What this member shared and the feed told of: the server's indexes are to
    /// know its words.
    pub own: BTreeSet<MemoryId>,
    /// Rows of the server that could not be read and count as not there; each is
    /// told once.
    pub unread: Vec<String>,
}

impl Seat {
    /// Follows the feed to its end, from where it was left.
    pub async fn pull(&self, at: Timestamp) -> Result<Pulled, SyncError> {
        let _turn = self.turn.lock().await;
        let mut pulled = self.follow(at).await?;
        pulled.unread = self.far.take_unread();
        Ok(pulled)
    }

    /// The same, for whoever has the turn.
    pub(super) async fn follow(&self, at: Timestamp) -> Result<Pulled, SyncError> {
        let Some(mut position) = self.shelf.store.heard().await? else {
            return self.read_anew(at).await;
        };
        let held = self.shelf.store.held_most().await?;
        if has_passed(position, self.far.head().await?) || wants_more(held, self.most()) {
            return self.read_anew(at).await;
        }
        let mut pulled = Pulled { position, ..Pulled::default() };
        loop {
            let lines = self.far.feed(position, LINES).await?;
            let Some(last) = lines.last().map(|line| line.number) else { break };
            let whole = lines.iter().zip(position.0 + 1..).all(|(line, number)| line.number.0 == number);
            if !whole {
                return self.read_anew(at).await;
            }
            let fetched = self.fetch(self.named_in(&lines).await?).await?;
            let me = self.me().id;
            let mine = fetched.memories.iter().filter(|memory| memory.provenance.author == Some(me));
            pulled.own.extend(mine.filter(|memory| !memory.content.is_empty()).map(|memory| memory.id));
            let with = With { position: Some(last), ..With::default() };
            pulled.memories += self.take_in(fetched, with, at).await?;
            pulled.lines += lines.len();
            pulled.members |= lines.iter().any(|line| line.told == Some(Told::Member));
            pulled.proposals |= lines.iter().any(|line| line.told == Some(Told::Proposal));
            (position, pulled.position) = (last, last);
            if lines.len() < LINES {
                break;
            }
        }
        if pulled.members {
            self.ask_who_i_am().await?;
        }
        self.let_go(at).await?;
        Ok(pulled)
    }

    /// The memories that lines of the feed are about. A review is known by its
    /// memories: a new one is told with a new memory.
    async fn named_in(&self, lines: &[FeedLine]) -> Result<BTreeSet<MemoryId>, SyncError> {
        let mut named = BTreeSet::new();
        let mut reviews: BTreeSet<ReviewId> = BTreeSet::new();
        for line in lines {
            match line.told {
                Some(Told::Memory | Told::Relation) => {
                    let words = line.key.split(|mark: char| !mark.is_ascii_alphanumeric());
                    named.extend(words.filter_map(|word| word.parse::<MemoryId>().ok()));
                }
                Some(Told::Review) => reviews.extend(line.key.parse::<ReviewId>().ok()),
                Some(Told::Member | Told::Proposal | Told::Sighting) | None => {}
            }
        }
        if !reviews.is_empty() {
            let known = self.shelf.store.load_reviews().await?;
            for review in known.iter().filter(|review| reviews.contains(&review.id)) {
                named.extend(super::memories_of(review));
            }
        }
        Ok(named)
    }
}

/// Whether the feed does not lead on from here: its lines are gone, or it never
/// came so far, as after an older copy of the server was restored.
fn has_passed(position: Position, head: Head) -> bool {
    position.0 + 1 < head.oldest.0 || position > head.latest
}
