//! Transactions of the store in PostgreSQL, numbers for the operator, and what processes share.

use std::time::{Duration, Instant};

use resourcesync_notify::{
    hub::{DeadLetter, Due, Position, Subscription, TopicState},
    moment::Timestamp,
};

use super::{
    LOCKS, PostgresLedger,
    rows::{count, letter, maybe_moment, maybe_number, number, signed, subscription},
};
use crate::ledger::{
    LedgerError,
    store::{Counts, Store, TopicCounts, Transaction},
};

/// The time between two measurements of the size.
const SIZE: Duration = Duration::from_secs(5);

impl Store for PostgresLedger {
    fn begin(&mut self, transaction: Transaction) -> Result<(), LedgerError> {
        self.reconnect()?;
        self.forget();
        match transaction {
            Transaction::Changes => {
                self.client.batch_execute(&format!("BEGIN; SELECT pg_advisory_xact_lock({LOCKS}, 2)"))
            }
            Transaction::Deliveries => self.client.batch_execute("BEGIN"),
        }
        .inspect_err(|_| drop(self.client.batch_execute("ROLLBACK")))?;
        self.transaction = Some(transaction);
        Ok(())
    }

    fn commit(&mut self) -> Result<(), LedgerError> {
        let committed = self.flush().and_then(|()| Ok(self.client.batch_execute("COMMIT")?));
        if committed.is_err() {
            self.roll_back();
        }
        self.transaction = None;
        self.forget();
        committed
    }

    fn roll_back(&mut self) {
        self.recent.clear();
        self.forget();
        self.transaction = None;
        // Without a connection the server does it.
        let _ = self.client.batch_execute("ROLLBACK");
    }

    fn save_point(&mut self) -> Result<(), LedgerError> {
        self.flush()?;
        Ok(self.client.batch_execute("SAVEPOINT input")?)
    }

    fn release(&mut self, keeps: bool) -> Result<(), LedgerError> {
        if keeps {
            self.flush()?;
            return Ok(self.client.batch_execute("RELEASE SAVEPOINT input")?);
        }
        self.recent.clear();
        self.forget();
        Ok(self.client.batch_execute("ROLLBACK TO SAVEPOINT input; RELEASE SAVEPOINT input")?)
    }

    fn close(&mut self) -> Result<(), LedgerError> {
        self.claims.clear();
        let sql = "UPDATE subscription SET claimed_by=NULL, claimed_until=NULL WHERE claimed_by=$1";
        let process = self.process;
        self.query(sql, &[&process]).map(drop)
    }

    fn probe(&mut self, body: &[u8]) -> Result<(), LedgerError> {
        self.begin(Transaction::Changes)?;
        // Topics are numbered from 1. The server writes a row also if its transaction removes it.
        let insert = "INSERT INTO payload VALUES(0, 0, '', '', NULL, 0, 0, $1)";
        let written = self.query(insert, &[&body]).and_then(|_| self.query("DELETE FROM payload WHERE topic=0", &[]));
        match written {
            Ok(_) => self.commit(),
            Err(error) => {
                self.roll_back();
                Err(error)
            }
        }
    }

    fn bytes(&mut self) -> Result<u64, LedgerError> {
        if let Some((measured, bytes)) = self.size
            && measured.elapsed() < SIZE
        {
            return Ok(bytes);
        }
        let sql =
            "SELECT ((SELECT coalesce(sum(length), 0) FROM payload) + pg_total_relation_size('subscription'))::int8";
        let bytes = self.first(sql, &[], |row| number(row, 0))?.unwrap_or_default();
        self.size = Some((Instant::now(), bytes));
        Ok(bytes)
    }

    fn counts(&mut self) -> Result<Counts, LedgerError> {
        let sql =
            "SELECT (SELECT count(*) FROM subscription), (SELECT count(*) FROM pending), (SELECT count(*) FROM dead)";
        let counts = self.first(sql, &[], |row| {
            Ok(Counts { subscriptions: number(row, 0)?, pending: number(row, 1)?, dead_letters: number(row, 2)? })
        })?;
        Ok(counts.unwrap_or(Counts { subscriptions: 0, pending: 0, dead_letters: 0 }))
    }

    fn topic_counts(&mut self, topic: &TopicState) -> Result<TopicCounts, LedgerError> {
        let counts = self.first(
            "SELECT (SELECT count(*) FROM subscription WHERE topic=$1), (SELECT count(*) FROM payload WHERE topic=$1),
                (SELECT min(cursor) FROM subscription WHERE topic=$1)",
            &[&signed(topic.id)],
            |row| Ok((number(row, 0)?, number(row, 1)?, maybe_number(row, 2)?)),
        )?;
        let (subscriptions, payloads, behind) = counts.unwrap_or_default();
        let undelivered_since = match behind.filter(|cursor| *cursor < topic.head) {
            Some(cursor) => self
                .first(
                    "SELECT received FROM payload WHERE topic=$1 AND seq>$2 ORDER BY seq LIMIT 1",
                    &[&signed(topic.id), &signed(cursor)],
                    |row| maybe_moment(row, 0),
                )?
                .flatten(),
            None => None,
        };
        Ok(TopicCounts { subscriptions, payloads, undelivered_since })
    }

    fn dead_letters(&mut self, most: usize) -> Result<Vec<DeadLetter>, LedgerError> {
        let sql =
            "SELECT subscription, topic, callback, first, last, reason, status, at FROM dead ORDER BY id DESC LIMIT $1";
        self.query(sql, &[&count(most)])?.iter().map(letter).collect()
    }

    fn failing(&mut self, most: usize) -> Result<Vec<Subscription>, LedgerError> {
        let sql = "SELECT id, topic, callback, host, secret, lease_until, cursor, failures, refusals, failing_since, retry_at,
            last_status FROM subscription WHERE retry_at IS NOT NULL ORDER BY failing_since LIMIT $1";
        self.query(sql, &[&count(most)])?.iter().map(subscription).collect()
    }

    fn poll(&self) -> Option<Duration> {
        Some(self.poll_interval())
    }

    fn claim(&mut self, topic: u64, now: Timestamp, after: Position, most: usize) -> Result<Vec<Due>, LedgerError> {
        self.claim_due(topic, now, after, most)
    }

    fn held(&mut self, subscriptions: &[u64]) -> Result<Vec<bool>, LedgerError> {
        if subscriptions.is_empty() { Ok(Vec::new()) } else { self.lock_claimed(subscriptions) }
    }

    fn deadline(&self, subscription: u64) -> Option<Instant> {
        Some(self.last_begin(subscription))
    }

    fn keep_claims(&mut self, is_used: &dyn Fn(u64) -> bool) -> Result<(), LedgerError> {
        self.renew(is_used)
    }

    fn sweeps(&mut self) -> Result<bool, LedgerError> {
        let found = self.query("SELECT pg_try_advisory_xact_lock(1381219445, 3)", &[])?;
        Ok(found.first().is_some_and(|row| row.try_get(0).unwrap_or(false)))
    }
}
