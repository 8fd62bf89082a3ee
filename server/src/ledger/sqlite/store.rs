//! Transactions of the store in SQLite, and numbers for the operator.

use resourcesync_notify::{
    hub::{DeadLetter, Subscription, TopicState},
    moment::Timestamp,
};
use rusqlite::OptionalExtension;

use super::{
    SUBSCRIPTION, SqliteLedger,
    known::Known,
    rows::{count, moment, number, reason, signed, subscription, unsigned},
};
use crate::ledger::store::{Counts, Store, TopicCounts, Transaction};

impl Store for SqliteLedger {
    fn begin(&mut self, _: Transaction) -> rusqlite::Result<()> {
        self.db.execute_batch("BEGIN IMMEDIATE")
    }

    fn commit(&mut self) -> rusqlite::Result<()> {
        let committed = self.settle().and_then(|()| self.db.execute_batch("COMMIT"));
        if committed.is_err() {
            self.roll_back();
        }
        committed
    }

    fn roll_back(&mut self) {
        *self.known = Known::default();
        // After some errors SQLite has already done it.
        let _ = self.db.execute_batch("ROLLBACK");
    }

    fn save_point(&mut self) -> rusqlite::Result<()> {
        self.settle()?;
        self.db.execute_batch("SAVEPOINT input")
    }

    fn release(&mut self, keeps: bool) -> rusqlite::Result<()> {
        if keeps {
            return self.db.execute_batch("RELEASE input");
        }
        *self.known = Known::default();
        self.db.execute_batch("ROLLBACK TO input; RELEASE input")
    }

    fn close(&mut self) -> rusqlite::Result<()> {
        self.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }

    fn probe(&mut self, body: &[u8]) -> rusqlite::Result<()> {
        // Topics are numbered from 1. It takes two transactions: pages that are freed by the one that fills them are never written.
        for sql in [
            "INSERT OR REPLACE INTO payload VALUES(0, 0, '', '', NULL, 0, 0, ?1)",
            "DELETE FROM payload WHERE topic=0 AND ?1<>''",
        ] {
            self.begin(Transaction::Changes)?;
            if let Err(error) = self.db.execute(sql, [body]) {
                self.roll_back();
                return Err(error);
            }
            self.commit()?;
        }
        Ok(())
    }

    fn bytes(&mut self) -> rusqlite::Result<u64> {
        let number = |pragma: &str| self.db.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i64>(0));
        let used = number("page_count")?.saturating_sub(number("freelist_count")?);
        Ok(unsigned(used.saturating_mul(number("page_size")?)))
    }

    fn counts(&mut self) -> rusqlite::Result<Counts> {
        let count = |table: &str| {
            self.db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0)).map(unsigned)
        };
        Ok(Counts { subscriptions: count("subscription")?, pending: count("pending")?, dead_letters: count("dead")? })
    }

    fn topic_counts(&mut self, topic: &TopicState) -> rusqlite::Result<TopicCounts> {
        let one = |sql: &str| self.db.query_row(sql, [signed(topic.id)], |row| row.get::<_, Option<i64>>(0));
        let subscriptions = one("SELECT count(*) FROM subscription WHERE topic=?1")?.map_or(0, unsigned);
        let payloads = one("SELECT count(*) FROM payload WHERE topic=?1")?.map_or(0, unsigned);
        let behind = one("SELECT min(cursor) FROM subscription WHERE topic=?1")?.map(unsigned);
        let oldest = match behind.filter(|cursor| *cursor < topic.head) {
            Some(cursor) => self
                .db
                .query_row(
                    "SELECT received FROM payload WHERE topic=?1 AND seq>?2 ORDER BY seq LIMIT 1",
                    [signed(topic.id), signed(cursor)],
                    |row| row.get::<_, i64>(0),
                )
                .optional()?,
            None => None,
        };
        Ok(TopicCounts { subscriptions, payloads, undelivered_since: oldest.map(Timestamp::from_millis) })
    }

    fn dead_letters(&mut self, most: usize) -> rusqlite::Result<Vec<DeadLetter>> {
        let mut found = self.db.prepare_cached(
            "SELECT subscription, topic, callback, first, last, reason, status, at FROM dead ORDER BY id DESC LIMIT ?1",
        )?;
        let rows = found.query_map([count(most)], |row| {
            Ok(DeadLetter {
                subscription: number(row, 0)?,
                topic: number(row, 1)?,
                callback: row.get(2)?,
                first: number(row, 3)?,
                last: number(row, 4)?,
                reason: reason(&row.get::<_, String>(5)?),
                status: row.get(6)?,
                at: moment(row, 7)?,
            })
        })?;
        rows.collect()
    }

    fn failing(&mut self, most: usize) -> rusqlite::Result<Vec<Subscription>> {
        let sql = format!("{SUBSCRIPTION} WHERE retry_at IS NOT NULL ORDER BY failing_since LIMIT ?1");
        let mut found = self.db.prepare_cached(&sql)?;
        found.query_map([count(most)], subscription)?.collect()
    }
}
