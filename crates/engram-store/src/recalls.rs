//! The log of recalls: what was asked and shown, and what became of it.

use crate::door::Transaction;
use crate::open::SurrealStore;
use crate::row::{RecallRow, recall_record, to_datetime};
use engram_core::change::PURGED;
use engram_core::law::LogsKept;
use engram_core::port::{CommitError, ReadError};
use engram_core::recalled::{Rating, RecallLogged, RecallSettled};
use engram_core::{MemoryId, RecallId, SessionId, Timestamp};
use surrealdb::types::{Object, RecordId, SurrealValue};

impl Transaction {
    /// A question that found a purged memory may repeat its words.
    pub(crate) fn scrub_recalls(&mut self, purged: &[MemoryId]) {
        let found = self.found_one_of(purged);
        let word = self.parameter(PURGED);
        self.say(format!("UPDATE retrieval_log SET query = ${word}, pool = NONE WHERE {found} RETURN NONE;"));
    }

    /// The condition that a recall found one of these, whether it was shown or
    /// not.
    pub(crate) fn found_one_of(&mut self, memories: &[MemoryId]) -> String {
        let names: Vec<String> = memories.iter().copied().map(String::from).collect();
        let all = self.parameter(names.clone());
        let mut found = format!("shown CONTAINSANY ${all} OR used CONTAINSANY ${all}");
        // The pool is one text.
        for name in names {
            let name = self.parameter(name);
            found.push_str(&format!(" OR string::contains(pool ?? '', ${name})"));
        }
        found
    }

    /// What was found out about the recall meanwhile stays. One that is gone is
    /// passed over.
    pub(crate) fn rate(&mut self, rating: &Rating) {
        let names = |ids: Vec<MemoryId>| ids.into_iter().map(String::from).collect::<Vec<String>>();
        let id = self.parameter(recall_record(rating.recall));
        let feedback = self.parameter(rating.after.feedback.map(|word| word.to_string()));
        let (added, dropped) =
            (self.parameter(names(rating.added())), self.parameter(names(rating.dropped())));
        let before = self.parameter(rating.before.settled_at.map(to_datetime));
        let after = self.parameter(rating.after.settled_at.map(to_datetime));
        self.say(format!(
            "UPDATE ${id} SET user_feedback = ${feedback},
                used = array::union(array::complement(used ?? [], ${dropped}), ${added}) RETURN NONE;"
        ));
        self.say(format!("UPDATE ${id} SET results_used = array::len(used) RETURN NONE;"));
        self.say(format!("UPDATE ${id} SET settled_at = ${after} WHERE settled_at = ${before} RETURN NONE;"));
    }
}

impl SurrealStore {
    /// The identifiers grow with time, so that the latest are at the end. One
    /// that is there may have been settled, and stays.
    pub(crate) async fn keep_recalls(&self, recalls: Vec<RecallLogged>) -> Result<(), CommitError> {
        if recalls.is_empty() {
            return Ok(());
        }
        let mut transaction = Transaction::default();
        let rows: Vec<RecallRow> = recalls.iter().map(RecallRow::from_recall).collect();
        let rows = transaction.parameter(rows);
        transaction.say(format!("INSERT IGNORE INTO retrieval_log ${rows} RETURN NONE;"));
        self.run(transaction, None).await
    }

    pub(crate) async fn recalls(
        &self,
        before: Option<RecallId>,
        limit: usize,
    ) -> Result<Vec<RecallLogged>, ReadError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX).into_value();
        let from = before.map_or_else(|| "retrieval_log".to_owned(), |id| format!("retrieval_log:..{id}"));
        let text = format!("SELECT * FROM {from} ORDER BY id DESC LIMIT $limit");
        let rows: Vec<RecallRow> = self.read(&text, [("limit", limit)]).await?;
        rows.into_iter().map(RecallRow::into_recall).collect()
    }

    pub(crate) async fn recall_named(&self, id: RecallId) -> Result<Option<RecallLogged>, ReadError> {
        let rows: Vec<RecallRow> =
            self.read("SELECT * FROM $id", [("id", recall_record(id).into_value())]).await?;
        rows.into_iter().next().map(RecallRow::into_recall).transpose()
    }

    /// Of one session, or of all.
    pub(crate) async fn recalls_after(
        &self,
        session: Option<SessionId>,
        since: Timestamp,
        limit: usize,
    ) -> Result<Vec<RecallLogged>, ReadError> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX).into_value();
        let since = to_datetime(since).into_value();
        let own = if session.is_some() { "session = $asker AND" } else { "" };
        let text =
            format!("SELECT * FROM retrieval_log WHERE {own} at >= $since ORDER BY id DESC LIMIT $limit");
        let asker = session.map(String::from).into_value();
        let rows: Vec<RecallRow> =
            self.read(&text, [("asker", asker), ("since", since), ("limit", limit)]).await?;
        rows.into_iter().rev().map(RecallRow::into_recall).collect()
    }

    /// What somebody said of an answer is not taken back by what is found out
    /// later.
    pub(crate) async fn settle(&self, settled: Vec<RecallSettled>) -> Result<(), CommitError> {
        let row = |settled: &RecallSettled| {
            let used: Vec<String> = settled.used.iter().copied().map(String::from).collect();
            let mut row = Object::new();
            row.insert("id", recall_record(settled.recall));
            row.insert("results_used", i64::try_from(used.len()).unwrap_or(i64::MAX));
            row.insert("used", used);
            row.insert("settled_at", to_datetime(settled.at));
            row
        };
        let mut transaction = Transaction::default();
        let rows = transaction.parameter(settled.iter().map(row).collect::<Vec<Object>>());
        transaction.say(format!(
            "FOR $row IN ${rows} {{
                UPDATE $row.id SET used = $row.used, results_used = $row.results_used,
                    settled_at = $row.settled_at RETURN NONE;
            }};"
        ));
        self.run(transaction, None).await
    }

    /// Says how many recalls went.
    pub(crate) async fn tidy(&self, kept: LogsKept) -> Result<usize, CommitError> {
        let unavailable = |error: ReadError| CommitError::Unavailable(error.to_string());
        let bound = to_datetime(kept.recalls).into_value();
        let old: Vec<RecordId> = self
            .read("SELECT VALUE id FROM retrieval_log WHERE at < $before", [("before", bound)])
            .await
            .map_err(unavailable)?;
        let count = old.len();
        let mut transaction = Transaction::default();
        if count > 0 {
            let old = transaction.parameter(old);
            transaction.say(format!("DELETE ${old} RETURN NONE;"));
        }
        let pools = transaction.parameter(to_datetime(kept.pools));
        transaction.say(format!(
            "UPDATE retrieval_log SET pool = NONE WHERE at < ${pools} AND pool IS NOT NONE RETURN NONE;"
        ));
        transaction.tidy_evolved(kept);
        self.run(transaction, None).await?;
        Ok(count)
    }
}
