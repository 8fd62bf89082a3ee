//! Rows of a copy in PostgreSQL, which keep their numbers.

use resourcesync_notify::hub::{Ledger, Pending, Subscription, TopicState};

use super::{
    PostgresLedger,
    rows::{number, signed, text},
};
use crate::ledger::{LedgerError, store::Rows};

impl Rows for PostgresLedger {
    fn denied(&mut self) -> Result<Vec<String>, LedgerError> {
        self.query("SELECT host FROM denied ORDER BY host", &[])?.iter().map(|row| text(row, 0)).collect()
    }

    fn insert_topic(&mut self, topic: &TopicState) -> Result<(), LedgerError> {
        self.query(
            "INSERT INTO topic(id, uri, head, chain, paused) VALUES($1, $2, 0, '{}', FALSE)",
            &[&signed(topic.id), &topic.uri],
        )?;
        self.put_topic(topic)
    }

    fn insert_subscription(&mut self, own: &Subscription) -> Result<(), LedgerError> {
        let next = "SELECT setval(pg_get_serial_sequence('subscription', 'id'), $1, FALSE)";
        self.query(next, &[&signed(own.id)])?;
        self.add_subscription(own).map(drop)
    }

    fn insert_pending(&mut self, own: &Pending) -> Result<(), LedgerError> {
        let next = "SELECT setval(pg_get_serial_sequence('pending', 'nonce'), $1, FALSE)";
        self.query(next, &[&signed(own.nonce)])?;
        self.add_pending(own).map(drop)
    }

    fn last_numbers(&mut self) -> Result<[u64; 3], LedgerError> {
        let last = self.first(
            "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('topic', 'id')::regclass), 0),
                coalesce(pg_sequence_last_value(pg_get_serial_sequence('subscription', 'id')::regclass), 0),
                coalesce(pg_sequence_last_value(pg_get_serial_sequence('pending', 'nonce')::regclass), 0)",
            &[],
            |row| Ok([number(row, 0)?, number(row, 1)?, number(row, 2)?]),
        )?;
        Ok(last.unwrap_or_default())
    }

    fn continue_after(&mut self, [topics, subscriptions, nonces]: [u64; 3]) -> Result<(), LedgerError> {
        self.query(
            "SELECT setval(pg_get_serial_sequence('topic', 'id'), greatest($1::int8, 1), $1>0),
                setval(pg_get_serial_sequence('subscription', 'id'), greatest($2::int8, 1), $2>0),
                setval(pg_get_serial_sequence('pending', 'nonce'), greatest($3::int8, 1), $3>0)",
            &[&signed(topics), &signed(subscriptions), &signed(nonces)],
        )
        .map(drop)
    }
}
