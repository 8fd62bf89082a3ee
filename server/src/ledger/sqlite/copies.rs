//! Rows of a copy in SQLite, which keep their numbers.

use resourcesync_notify::hub::{Ledger, Pending, Subscription, TopicState};
use rusqlite::{OptionalExtension, params};

use super::{
    SqliteLedger,
    rows::{signed, unsigned},
};
use crate::ledger::store::Rows;

impl Rows for SqliteLedger {
    fn denied(&mut self) -> rusqlite::Result<Vec<String>> {
        self.db.prepare("SELECT host FROM denied ORDER BY host")?.query_map([], |row| row.get(0))?.collect()
    }

    fn insert_topic(&mut self, topic: &TopicState) -> rusqlite::Result<()> {
        let chain = serde_json::to_string(&topic.chain)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        let mut stored =
            self.db.prepare_cached("INSERT INTO topic(id, uri, head, chain, paused) VALUES(?1, ?2, ?3, ?4, ?5)")?;
        stored.execute(params![signed(topic.id), topic.uri, signed(topic.head), chain, topic.is_paused]).map(drop)
    }

    fn insert_subscription(&mut self, own: &Subscription) -> rusqlite::Result<()> {
        // The next row has the number after the last one.
        self.continue_with("subscription", own.id.saturating_sub(1))?;
        self.add_subscription(own).map(drop)
    }

    fn insert_pending(&mut self, own: &Pending) -> rusqlite::Result<()> {
        self.continue_with("pending", own.nonce.saturating_sub(1))?;
        self.add_pending(own).map(drop)
    }

    fn last_numbers(&mut self) -> rusqlite::Result<[u64; 3]> {
        let last = |name: &str| -> rusqlite::Result<u64> {
            let sql = "SELECT seq FROM sqlite_sequence WHERE name=?1";
            let found = self.db.query_row(sql, [name], |row| row.get::<_, i64>(0)).optional()?;
            Ok(found.map_or(0, unsigned))
        };
        // Topics are never removed.
        let topics = self.db.query_row("SELECT coalesce(max(id), 0) FROM topic", [], |row| row.get::<_, i64>(0))?;
        Ok([unsigned(topics), last("subscription")?, last("pending")?])
    }

    fn continue_after(&mut self, [_, subscriptions, nonces]: [u64; 3]) -> rusqlite::Result<()> {
        self.continue_with("subscription", subscriptions)?;
        self.continue_with("pending", nonces)
    }
}

impl SqliteLedger {
    /// Sets the last number of a table.
    fn continue_with(&mut self, table: &str, last: u64) -> rusqlite::Result<()> {
        let mut changed = self.db.prepare_cached("UPDATE sqlite_sequence SET seq=?2 WHERE name=?1")?;
        if changed.execute(params![table, signed(last)])? == 0 {
            let mut stored = self.db.prepare_cached("INSERT INTO sqlite_sequence(name, seq) VALUES(?1, ?2)")?;
            stored.execute(params![table, signed(last)])?;
        }
        Ok(())
    }
}
