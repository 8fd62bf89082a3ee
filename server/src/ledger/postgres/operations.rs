//! What the hub asks of its store.

use std::sync::Arc;

use resourcesync_notify::{
    hub::{Accepted, DeadLetter, Due, Ledger, Pending, Position, Subscription, TopicState},
    interval::Chain,
    moment::Timestamp,
};

use super::{
    CACHED, PostgresLedger,
    rows::{accepted, bytes, count, maybe_moment, millis, number, pending, signed, subscription, text, topic},
};
use crate::ledger::LedgerError;

/// A statement about subscriptions; rows that are read in a transaction stay locked until its end.
macro_rules! subscriptions {
    ($self:ident, $condition:literal, $lock:literal) => {
        match $self.transaction {
            Some(_) => concat!(
                "SELECT id, topic, callback, host, secret, lease_until, cursor, failures, refusals, failing_since, retry_at, ",
                "last_status FROM subscription WHERE ", $condition, " ", $lock
            ),
            None => concat!(
                "SELECT id, topic, callback, host, secret, lease_until, cursor, failures, refusals, failing_since, retry_at, ",
                "last_status FROM subscription WHERE ", $condition
            ),
        }
    };
}

impl PostgresLedger {
    /// Reads subscriptions, which are then known in the transaction.
    fn read(
        &mut self,
        sql: &'static str,
        values: &[&(dyn postgres::types::ToSql + Sync)],
    ) -> Result<Vec<Subscription>, LedgerError> {
        self.flush()?;
        let found: Vec<_> = self.query(sql, values)?.iter().map(subscription).collect::<Result<_, _>>()?;
        if self.transaction.is_some() {
            self.subscriptions.extend(found.iter().map(|own| (own.id, Some(own.clone()))));
        }
        Ok(found)
    }
}

impl Ledger for PostgresLedger {
    type Error = LedgerError;

    fn topic(&mut self, uri: &str) -> Result<Option<TopicState>, LedgerError> {
        if let Some(own) = self.topics.values().find(|own| own.uri == uri) {
            return Ok(Some(own.clone()));
        }
        let found = self.first("SELECT id, uri, head, chain, paused FROM topic WHERE uri=$1", &[&uri], topic)?;
        if self.transaction.is_some() {
            self.topics.extend(found.iter().map(|own| (own.id, own.clone())));
        }
        Ok(found)
    }

    fn topic_by_id(&mut self, id: u64) -> Result<Option<TopicState>, LedgerError> {
        if let Some(own) = self.topics.get(&id) {
            return Ok(Some(own.clone()));
        }
        let sql = "SELECT id, uri, head, chain, paused FROM topic WHERE id=$1";
        let found = self.first(sql, &[&signed(id)], topic)?;
        if self.transaction.is_some() {
            self.topics.extend(found.iter().map(|own| (own.id, own.clone())));
        }
        Ok(found)
    }

    fn topics(&mut self) -> Result<Vec<TopicState>, LedgerError> {
        self.query("SELECT id, uri, head, chain, paused FROM topic ORDER BY id", &[])?.iter().map(topic).collect()
    }

    fn add_topic(&mut self, uri: &str) -> Result<TopicState, LedgerError> {
        let sql = "INSERT INTO topic(uri, head, chain, paused) VALUES($1, 0, '{}', FALSE) RETURNING id";
        let id = self.first(sql, &[&uri], |row| number(row, 0))?.unwrap_or_default();
        Ok(TopicState { id, uri: uri.to_owned(), head: 0, chain: Chain::default(), is_paused: false })
    }

    fn put_topic(&mut self, own: &TopicState) -> Result<(), LedgerError> {
        let chain = serde_json::to_string(&own.chain).map_err(|_| LedgerError::Value("the chain of a topic"))?;
        self.query(
            "UPDATE topic SET head=$2, chain=$3, paused=$4 WHERE id=$1",
            &[&signed(own.id), &signed(own.head), &chain, &own.is_paused],
        )?;
        self.topics.insert(own.id, own.clone());
        Ok(())
    }

    fn append(&mut self, topic: u64, payload: &Accepted) -> Result<(), LedgerError> {
        self.query(
            "INSERT INTO payload(topic, seq, sha256, type, resourcesync, received, length, body)
                VALUES($1, $2, $3, $4, $5, $6, $7, $8)",
            &[
                &signed(topic),
                &signed(payload.seq),
                &payload.digest,
                &payload.content_type,
                &payload.capability_list,
                &payload.received.millis(),
                &count(payload.body.len()),
                &&*payload.body,
            ],
        )?;
        // Sent by the server when the transaction is committed.
        self.query("SELECT pg_notify('resourcesync_hub', $1)", &[&topic.to_string()])?;
        Ok(())
    }

    fn find_payload(&mut self, topic: u64, digest: &str) -> Result<Option<u64>, LedgerError> {
        let sql = "SELECT seq FROM payload WHERE topic=$1 AND sha256=$2";
        self.first(sql, &[&signed(topic), &digest], |row| number(row, 0))
    }

    fn payload_after(&mut self, topic: u64, seq: u64) -> Result<Option<Arc<Accepted>>, LedgerError> {
        let next = seq.saturating_add(1);
        // Only the next number is certain to be the first one after it.
        if let Some((_, recent)) = self.recent.iter().find(|(own, recent)| *own == topic && recent.seq == next) {
            return Ok(Some(recent.clone()));
        }
        let payload = self.first(
            "SELECT seq, sha256, type, resourcesync, received, body FROM payload WHERE topic=$1 AND seq>$2
                ORDER BY seq LIMIT 1",
            &[&signed(topic), &signed(seq)],
            accepted,
        )?;
        if let Some(payload) = &payload {
            self.recent.push_front((topic, payload.clone()));
            self.recent.truncate(CACHED);
        }
        Ok(payload)
    }

    fn expire(&mut self, topic: u64, before: Timestamp, bytes: u64) -> Result<u64, LedgerError> {
        // Bytes are summed from the last payload backwards.
        let removed = self.query(
            "DELETE FROM payload WHERE topic=$1 AND seq<(SELECT head FROM topic WHERE id=$1) AND (received<$2 OR seq<=
                (SELECT coalesce(max(seq), 0) FROM (SELECT seq, sum(length) OVER (ORDER BY seq DESC) AS used
                    FROM payload WHERE topic=$1) AS lengths WHERE used>$3::int8)) RETURNING seq",
            &[&signed(topic), &before.millis(), &signed(bytes)],
        )?;
        if !removed.is_empty() {
            self.recent.clear();
        }
        Ok(removed.len() as u64)
    }

    fn subscription(&mut self, id: u64) -> Result<Option<Subscription>, LedgerError> {
        if let Some(known) = self.subscriptions.get(&id) {
            return Ok(known.clone());
        }
        Ok(self.read(subscriptions!(self, "id=$1", "FOR UPDATE"), &[&signed(id)])?.pop())
    }

    fn find_subscription(&mut self, topic: u64, callback: &str) -> Result<Option<Subscription>, LedgerError> {
        let sql = subscriptions!(self, "topic=$1 AND callback=$2", "FOR UPDATE");
        Ok(self.read(sql, &[&signed(topic), &callback])?.pop())
    }

    fn add_subscription(&mut self, own: &Subscription) -> Result<u64, LedgerError> {
        let id = self.first(
            "INSERT INTO subscription(topic, callback, host, secret, lease_until, cursor, failures, refusals, failing_since,
                retry_at, last_status) VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id",
            &[
                &signed(own.topic),
                &&*own.callback,
                &&*own.host,
                &bytes(own.secret.as_ref()),
                &own.lease_until.millis(),
                &signed(own.cursor),
                &i64::from(own.failures),
                &i64::from(own.refusals),
                &millis(own.failing_since),
                &millis(own.retry_at),
                &own.last_status.map(i32::from),
            ],
            |row| number(row, 0),
        )?;
        Ok(id.unwrap_or_default())
    }

    fn put_subscription(&mut self, own: &Subscription) -> Result<(), LedgerError> {
        self.subscriptions.insert(own.id, Some(own.clone()));
        self.changed.insert(own.id);
        if self.transaction.is_none() { self.flush().map(|()| self.subscriptions.clear()) } else { Ok(()) }
    }

    fn remove_subscription(&mut self, id: u64) -> Result<(), LedgerError> {
        self.subscriptions.insert(id, None);
        self.changed.remove(&id);
        self.query("DELETE FROM subscription WHERE id=$1", &[&signed(id)]).map(drop)
    }

    fn subscriptions(
        &mut self,
        topic: Option<u64>,
        host: Option<&str>,
        after: u64,
        most: usize,
    ) -> Result<Vec<Subscription>, LedgerError> {
        let sql = subscriptions!(
            self,
            "id>$3 AND ($1::int8 IS NULL OR topic=$1) AND ($2::text IS NULL OR host=$2) ORDER BY id LIMIT $4",
            "FOR UPDATE"
        );
        self.read(sql, &[&topic.map(signed), &host, &signed(after), &count(most)])
    }

    fn lapsed(&mut self, now: Timestamp, most: usize) -> Result<Vec<Subscription>, LedgerError> {
        // One that is being delivered to ends in another turn.
        let sql = subscriptions!(self, "lease_until<=$1 ORDER BY lease_until, id LIMIT $2", "FOR UPDATE SKIP LOCKED");
        self.read(sql, &[&now.millis(), &count(most)])
    }

    fn due(&mut self, topic: u64, now: Timestamp, after: Position, most: usize) -> Result<Vec<Due>, LedgerError> {
        self.flush()?;
        let rows = self.query(
            "SELECT cursor, id, host FROM subscription WHERE topic=$1 AND (cursor, id)>($3, $4)
                AND cursor<(SELECT head FROM topic WHERE id=$1 AND NOT paused) AND (retry_at IS NULL OR retry_at<=$2)
                ORDER BY cursor, id LIMIT $5",
            &[&signed(topic), &now.millis(), &signed(after.0), &signed(after.1), &count(most)],
        )?;
        let due = |row| Ok(Due { position: (number(row, 0)?, number(row, 1)?), host: text(row, 2)?.into() });
        rows.iter().map(due).collect()
    }

    fn next_retry(&mut self, now: Timestamp) -> Result<Option<Timestamp>, LedgerError> {
        self.flush()?;
        let sql = "SELECT min(retry_at) FROM subscription WHERE retry_at>$1
            AND topic IN (SELECT id FROM topic WHERE NOT paused)";
        Ok(self.first(sql, &[&now.millis()], |row| maybe_moment(row, 0))?.flatten())
    }

    fn add_pending(&mut self, own: &Pending) -> Result<u64, LedgerError> {
        self.query("DELETE FROM pending WHERE topic=$1 AND callback=$2", &[&signed(own.topic), &own.callback])?;
        let nonce = self.first(
            "INSERT INTO pending(topic, callback, host, mode, secret, lease, challenge, attempt, created, sent, next)
                VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING nonce",
            &[
                &signed(own.topic),
                &own.callback,
                &own.host,
                &own.mode.as_str(),
                &bytes(own.secret.as_ref()),
                &signed(own.lease.as_secs()),
                &&*own.challenge.0,
                &i64::from(own.attempt),
                &own.created.millis(),
                &own.sent.millis(),
                &own.next.millis(),
            ],
            |row| number(row, 0),
        )?;
        Ok(nonce.unwrap_or_default())
    }

    fn pending(&mut self, nonce: u64) -> Result<Option<Pending>, LedgerError> {
        self.first(
            "SELECT nonce, topic, callback, host, mode, secret, lease, challenge, attempt, created, sent, next FROM pending
                WHERE nonce=$1",
            &[&signed(nonce)],
            pending,
        )
    }

    fn is_pending(&mut self, topic: u64, callback: &str) -> Result<bool, LedgerError> {
        let found = self.query("SELECT 1 FROM pending WHERE topic=$1 AND callback=$2", &[&signed(topic), &callback])?;
        Ok(!found.is_empty())
    }

    fn put_pending(&mut self, own: &Pending) -> Result<(), LedgerError> {
        self.query(
            "UPDATE pending SET challenge=$2, attempt=$3, sent=$4, next=$5 WHERE nonce=$1",
            &[&signed(own.nonce), &&*own.challenge.0, &i64::from(own.attempt), &own.sent.millis(), &own.next.millis()],
        )
        .map(drop)
    }

    fn remove_pending(&mut self, nonce: u64) -> Result<(), LedgerError> {
        self.query("DELETE FROM pending WHERE nonce=$1", &[&signed(nonce)]).map(drop)
    }

    fn count_pending(&mut self) -> Result<u64, LedgerError> {
        Ok(self.first("SELECT count(*) FROM pending", &[], |row| number(row, 0))?.unwrap_or_default())
    }

    fn next_pending(&mut self) -> Result<Option<Timestamp>, LedgerError> {
        Ok(self.first("SELECT min(next) FROM pending", &[], |row| maybe_moment(row, 0))?.flatten())
    }

    fn pending_due(&mut self, now: Timestamp, most: usize) -> Result<Vec<Pending>, LedgerError> {
        let rows = self.query(
            "SELECT nonce, topic, callback, host, mode, secret, lease, challenge, attempt, created, sent, next FROM pending
                WHERE next<=$1 ORDER BY nonce LIMIT $2",
            &[&now.millis(), &count(most)],
        )?;
        rows.iter().map(pending).collect()
    }

    fn dead_letter(&mut self, letter: &DeadLetter) -> Result<(), LedgerError> {
        self.query(
            "INSERT INTO dead(subscription, topic, callback, first, last, reason, status, at)
                VALUES($1, $2, $3, $4, $5, $6, $7, $8)",
            &[
                &signed(letter.subscription),
                &signed(letter.topic),
                &letter.callback,
                &signed(letter.first),
                &signed(letter.last),
                &letter.reason.as_str(),
                &letter.status.map(i32::from),
                &letter.at.millis(),
            ],
        )
        .map(drop)
    }

    fn forget_dead_letters(&mut self, before: Timestamp) -> Result<(), LedgerError> {
        self.query("DELETE FROM dead WHERE at<$1", &[&before.millis()]).map(drop)
    }

    fn is_denied(&mut self, host: &str) -> Result<bool, LedgerError> {
        Ok(!self.query("SELECT 1 FROM denied WHERE host=$1", &[&host])?.is_empty())
    }

    fn deny(&mut self, host: &str, is_denied: bool) -> Result<(), LedgerError> {
        let sql = if is_denied {
            "INSERT INTO denied VALUES($1) ON CONFLICT DO NOTHING"
        } else {
            "DELETE FROM denied WHERE host=$1"
        };
        self.query(sql, &[&host]).map(drop)
    }
}
