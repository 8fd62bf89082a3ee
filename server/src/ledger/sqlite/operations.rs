//! What the hub asks of its store.

use std::{collections::BTreeMap, mem, rc::Rc, sync::Arc};

use resourcesync_notify::{
    hub::{Accepted, DeadLetter, Due, Ledger, Pending, Position, Subscription, TopicHead, TopicState},
    interval::Chain,
    moment::Timestamp,
};
use rusqlite::{OptionalExtension, Row, params, types::Value};

use super::{
    PENDING, SUBSCRIPTION, SqliteLedger,
    known::Progress,
    rows::{accepted, count, maybe_moment, number, pending, signed, subscription, topic, unsigned},
};

impl SqliteLedger {
    /// Writes what is known of the progress of subscriptions: one statement for all with the same.
    pub(super) fn settle(&mut self) -> rusqlite::Result<()> {
        let mut groups: BTreeMap<Progress, Vec<Value>> = BTreeMap::new();
        for (id, progress) in mem::take(&mut self.known.moved) {
            groups.entry(progress).or_default().push(signed(id).into());
        }
        for (progress, ids) in groups {
            let Progress { cursor, failures, refusals, failing_since, last_status } = progress;
            let mut stored = self.db.prepare_cached(
                "UPDATE subscription SET cursor=?2, failures=?3, refusals=?4, failing_since=?5, last_status=?6
                    WHERE id IN rarray(?1)",
            )?;
            let failing_since = failing_since.map(Timestamp::millis);
            stored.execute(params![Rc::new(ids), signed(cursor), failures, refusals, failing_since, last_status])?;
        }
        Ok(())
    }
}

impl Ledger for SqliteLedger {
    type Error = rusqlite::Error;

    fn topic(&mut self, uri: &str) -> rusqlite::Result<Option<TopicState>> {
        let mut found = self.db.prepare_cached("SELECT id, uri, head, chain, paused FROM topic WHERE uri=?1")?;
        found.query_row([uri], topic).optional()
    }

    fn topic_by_id(&mut self, id: u64) -> rusqlite::Result<Option<TopicState>> {
        let mut found = self.db.prepare_cached("SELECT id, uri, head, chain, paused FROM topic WHERE id=?1")?;
        found.query_row([signed(id)], topic).optional()
    }

    fn topic_head(&mut self, id: u64) -> rusqlite::Result<Option<TopicHead>> {
        if let Some(head) = self.known.topics.get(&id) {
            return Ok(Some(head.clone()));
        }
        let mut found = self.db.prepare_cached("SELECT uri, head, paused FROM topic WHERE id=?1")?;
        let head = |row: &Row<'_>| Ok(TopicHead { uri: row.get(0)?, head: number(row, 1)?, is_paused: row.get(2)? });
        let head = found.query_row([signed(id)], head).optional()?;
        head.iter().for_each(|head| drop(self.known.topics.insert(id, head.clone())));
        Ok(head)
    }

    fn topics(&mut self) -> rusqlite::Result<Vec<TopicState>> {
        let mut found = self.db.prepare_cached("SELECT id, uri, head, chain, paused FROM topic ORDER BY id")?;
        found.query_map([], topic)?.collect()
    }

    fn add_topic(&mut self, uri: &str) -> rusqlite::Result<TopicState> {
        self.db.prepare_cached("INSERT INTO topic(uri, head, chain, paused) VALUES(?1, 0, '{}', 0)")?.execute([uri])?;
        let id = unsigned(self.db.last_insert_rowid());
        Ok(TopicState { id, uri: uri.to_owned(), head: 0, chain: Chain::default(), is_paused: false })
    }

    fn put_topic(&mut self, topic: &TopicState) -> rusqlite::Result<()> {
        let chain = serde_json::to_string(&topic.chain)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
        self.known.topics.remove(&topic.id);
        let mut stored = self.db.prepare_cached("UPDATE topic SET head=?2, chain=?3, paused=?4 WHERE id=?1")?;
        stored.execute(params![signed(topic.id), signed(topic.head), chain, topic.is_paused]).map(drop)
    }

    fn append(&mut self, topic: u64, payload: &Accepted) -> rusqlite::Result<()> {
        let mut stored = self.db.prepare_cached(
            "INSERT INTO payload(topic, seq, sha256, type, resourcesync, received, length, body) VALUES(?1,?2,?3,?4,?5,?6,?7,?8)",
        )?;
        stored.execute(params![
            signed(topic),
            signed(payload.seq),
            payload.digest,
            payload.content_type,
            payload.capability_list,
            payload.received.millis(),
            count(payload.body.len()),
            &*payload.body
        ])?;
        Ok(())
    }

    fn find_payload(&mut self, topic: u64, digest: &str) -> rusqlite::Result<Option<u64>> {
        let mut found = self.db.prepare_cached("SELECT seq FROM payload WHERE topic=?1 AND sha256=?2")?;
        found.query_row(params![signed(topic), digest], |row| number(row, 0)).optional()
    }

    fn payload_after(&mut self, topic: u64, seq: u64) -> rusqlite::Result<Option<Arc<Accepted>>> {
        let next = seq.saturating_add(1);
        // Only the next number is certain to be the first one after it.
        if let Some(known) = self.known.payloads.get(&(topic, next)) {
            return Ok(Some(known.clone()));
        }
        let mut found = self.db.prepare_cached(
            "SELECT seq, sha256, type, resourcesync, received, body FROM payload WHERE topic=?1 AND seq>?2 ORDER BY seq LIMIT 1",
        )?;
        let payload = found.query_row([signed(topic), signed(seq)], accepted).optional()?;
        payload.iter().for_each(|payload| drop(self.known.payloads.insert((topic, payload.seq), payload.clone())));
        Ok(payload)
    }

    fn expire(&mut self, topic: u64, before: Timestamp, bytes: u64) -> rusqlite::Result<u64> {
        // Bytes are summed from the last payload backwards.
        let removed = self
            .db
            .prepare_cached(
                "DELETE FROM payload WHERE topic=?1 AND seq<(SELECT head FROM topic WHERE id=?1) AND (received<?2 OR seq<=
                    (SELECT coalesce(max(seq), 0) FROM (SELECT seq, sum(length) OVER (ORDER BY seq DESC) AS used
                        FROM payload WHERE topic=?1) WHERE used>?3))",
            )?
            .execute([signed(topic), before.millis(), signed(bytes)])?;
        if removed > 0 {
            self.known.payloads.clear();
        }
        Ok(removed as u64)
    }

    fn subscription(&mut self, id: u64) -> rusqlite::Result<Option<Subscription>> {
        if let Some(own) = self.known.subscriptions.get(&id) {
            return Ok(Some(own.clone()));
        }
        if self.known.moved.contains_key(&id) {
            self.settle()?;
        }
        let mut found = self.db.prepare_cached(&format!("{SUBSCRIPTION} WHERE id=?1"))?;
        let own = found.query_row([signed(id)], subscription).optional()?;
        own.iter().for_each(|own| drop(self.known.subscriptions.insert(id, own.clone())));
        Ok(own)
    }

    fn find_subscription(&mut self, topic: u64, callback: &str) -> rusqlite::Result<Option<Subscription>> {
        self.settle()?;
        let mut found = self.db.prepare_cached(&format!("{SUBSCRIPTION} WHERE topic=?1 AND callback=?2"))?;
        found.query_row(params![signed(topic), callback], subscription).optional()
    }

    fn add_subscription(&mut self, own: &Subscription) -> rusqlite::Result<u64> {
        let mut stored = self.db.prepare_cached(
            "INSERT INTO subscription(topic, callback, host, secret, lease_until, cursor, failures, refusals, failing_since,
                retry_at, last_status) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)",
        )?;
        stored.execute(params![
            signed(own.topic),
            own.callback,
            own.host,
            own.secret.as_ref().map(|secret| &secret.0),
            own.lease_until.millis(),
            signed(own.cursor),
            own.failures,
            own.refusals,
            own.failing_since.map(Timestamp::millis),
            own.retry_at.map(Timestamp::millis),
            own.last_status
        ])?;
        Ok(unsigned(self.db.last_insert_rowid()))
    }

    fn put_subscription(&mut self, own: &Subscription) -> rusqlite::Result<()> {
        let terms = |own: &Subscription| (own.lease_until, own.retry_at);
        // A delivery changes neither lease nor retry, and many deliveries make the same progress.
        if let Some(known) = self.known.subscriptions.get_mut(&own.id)
            && terms(known) == terms(own)
            && known.secret == own.secret
        {
            (known.cursor, known.failures, known.refusals) = (own.cursor, own.failures, own.refusals);
            (known.failing_since, known.last_status) = (own.failing_since, own.last_status);
            self.known.moved.insert(own.id, Progress::of(own));
            return Ok(());
        }
        self.known.moved.remove(&own.id);
        let changed = self
            .db
            .prepare_cached(
                "UPDATE subscription SET cursor=?2, failures=?3, refusals=?4, failing_since=?5, last_status=?6, secret=?7,
                    lease_until=?8, retry_at=?9 WHERE id=?1",
            )?
            .execute(params![
                signed(own.id),
                signed(own.cursor),
                own.failures,
                own.refusals,
                own.failing_since.map(Timestamp::millis),
                own.last_status,
                own.secret.as_ref().map(|secret| &secret.0),
                own.lease_until.millis(),
                own.retry_at.map(Timestamp::millis)
            ])?;
        if changed > 0 {
            self.known.subscriptions.insert(own.id, own.clone());
        }
        Ok(())
    }

    fn remove_subscription(&mut self, id: u64) -> rusqlite::Result<()> {
        self.known.subscriptions.remove(&id);
        self.known.moved.remove(&id);
        self.db.prepare_cached("DELETE FROM subscription WHERE id=?1")?.execute([signed(id)]).map(drop)
    }

    fn subscriptions(
        &mut self,
        topic: Option<u64>,
        host: Option<&str>,
        after: u64,
        most: usize,
    ) -> rusqlite::Result<Vec<Subscription>> {
        self.settle()?;
        let sql = format!(
            "{SUBSCRIPTION} WHERE id>?3 AND (?1 IS NULL OR topic=?1) AND (?2 IS NULL OR host=?2) ORDER BY id LIMIT ?4"
        );
        let mut found = self.db.prepare_cached(&sql)?;
        found.query_map(params![topic.map(signed), host, signed(after), count(most)], subscription)?.collect()
    }

    fn lapsed(&mut self, now: Timestamp, most: usize) -> rusqlite::Result<Vec<Subscription>> {
        self.settle()?;
        let mut found = self
            .db
            .prepare_cached(&format!("{SUBSCRIPTION} WHERE lease_until<=?1 ORDER BY lease_until, id LIMIT ?2"))?;
        found.query_map([now.millis(), count(most)], subscription)?.collect()
    }

    fn due(&mut self, topic: u64, now: Timestamp, after: Position, most: usize) -> rusqlite::Result<Vec<Due>> {
        self.settle()?;
        // One query for both would read all subscriptions with the first cursor again for every page.
        let due = [
            "topic=?1 AND cursor=?3 AND id>?4 AND ?3<(SELECT head FROM topic WHERE id=?1 AND paused=0)",
            "topic=?1 AND cursor>?3 AND ?4>=0 AND cursor<(SELECT head FROM topic WHERE id=?1 AND paused=0)",
        ];
        let mut page = Vec::new();
        for due in due {
            let mut found = self.db.prepare_cached(&format!(
                "{SUBSCRIPTION} WHERE {due} AND (retry_at IS NULL OR retry_at<=?2) ORDER BY cursor, id LIMIT ?5"
            ))?;
            let left = count(most.saturating_sub(page.len()));
            let values = [signed(topic), now.millis(), signed(after.0), signed(after.1), left];
            let mut rows = found.query(values)?;
            while let Some(row) = rows.next()? {
                let due = |own: &Subscription| Due { position: (own.cursor, own.id), host: own.host.clone() };
                if let Some(own) = self.known.subscriptions.get(&number(row, 0)?) {
                    page.push(due(own));
                    continue;
                }
                let own = subscription(row)?;
                page.push(due(&own));
                // Its turn comes soon.
                self.known.subscriptions.insert(own.id, own);
            }
        }
        Ok(page)
    }

    fn next_retry(&mut self, now: Timestamp) -> rusqlite::Result<Option<Timestamp>> {
        let mut found = self.db.prepare_cached(
            "SELECT min(retry_at) FROM subscription INDEXED BY subscription_retry
                WHERE retry_at>?1 AND topic IN (SELECT id FROM topic WHERE paused=0)",
        )?;
        found.query_row([now.millis()], |row| maybe_moment(row, 0))
    }

    fn add_pending(&mut self, own: &Pending) -> rusqlite::Result<u64> {
        let mut stored = self.db.prepare_cached("DELETE FROM pending WHERE topic=?1 AND callback=?2")?;
        stored.execute(params![signed(own.topic), own.callback])?;
        let mut stored = self.db.prepare_cached(
            "INSERT INTO pending(topic, callback, host, mode, secret, lease, challenge, attempt, created, sent, next)
                VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11)",
        )?;
        stored.execute(params![
            signed(own.topic),
            own.callback,
            own.host,
            own.mode.as_str(),
            own.secret.as_ref().map(|secret| &secret.0),
            signed(own.lease.as_secs()),
            own.challenge.0,
            own.attempt,
            own.created.millis(),
            own.sent.millis(),
            own.next.millis()
        ])?;
        Ok(unsigned(self.db.last_insert_rowid()))
    }

    fn pending(&mut self, nonce: u64) -> rusqlite::Result<Option<Pending>> {
        let mut found = self.db.prepare_cached(&format!("{PENDING} WHERE nonce=?1"))?;
        found.query_row([signed(nonce)], pending).optional()
    }

    fn is_pending(&mut self, topic: u64, callback: &str) -> rusqlite::Result<bool> {
        let mut found = self.db.prepare_cached("SELECT 1 FROM pending WHERE topic=?1 AND callback=?2")?;
        found.exists(params![signed(topic), callback])
    }

    fn put_pending(&mut self, own: &Pending) -> rusqlite::Result<()> {
        let mut stored =
            self.db.prepare_cached("UPDATE pending SET challenge=?2, attempt=?3, sent=?4, next=?5 WHERE nonce=?1")?;
        stored.execute(params![
            signed(own.nonce),
            own.challenge.0,
            own.attempt,
            own.sent.millis(),
            own.next.millis()
        ])?;
        Ok(())
    }

    fn remove_pending(&mut self, nonce: u64) -> rusqlite::Result<()> {
        self.db.prepare_cached("DELETE FROM pending WHERE nonce=?1")?.execute([signed(nonce)]).map(drop)
    }

    fn count_pending(&mut self) -> rusqlite::Result<u64> {
        self.db.prepare_cached("SELECT count(*) FROM pending")?.query_row([], |row| number(row, 0))
    }

    fn next_pending(&mut self) -> rusqlite::Result<Option<Timestamp>> {
        let mut found = self.db.prepare_cached("SELECT min(next) FROM pending")?;
        found.query_row([], |row| maybe_moment(row, 0))
    }

    fn pending_due(&mut self, now: Timestamp, most: usize) -> rusqlite::Result<Vec<Pending>> {
        let mut found = self.db.prepare_cached(&format!("{PENDING} WHERE next<=?1 ORDER BY nonce LIMIT ?2"))?;
        found.query_map([now.millis(), count(most)], pending)?.collect()
    }

    fn dead_letter(&mut self, letter: &DeadLetter) -> rusqlite::Result<()> {
        let mut stored = self.db.prepare_cached(
            "INSERT INTO dead(subscription, topic, callback, first, last, reason, status, at) VALUES(?1,?2,?3,?4,?5,?6,?7,?8)",
        )?;
        stored.execute(params![
            signed(letter.subscription),
            signed(letter.topic),
            letter.callback,
            signed(letter.first),
            signed(letter.last),
            letter.reason.as_str(),
            letter.status,
            letter.at.millis()
        ])?;
        Ok(())
    }

    fn forget_dead_letters(&mut self, before: Timestamp) -> rusqlite::Result<()> {
        self.db.prepare_cached("DELETE FROM dead WHERE at<?1")?.execute([before.millis()]).map(drop)
    }

    fn is_denied(&mut self, host: &str) -> rusqlite::Result<bool> {
        self.db.prepare_cached("SELECT 1 FROM denied WHERE host=?1")?.exists([host])
    }

    fn deny(&mut self, host: &str, is_denied: bool) -> rusqlite::Result<()> {
        let sql =
            if is_denied { "INSERT OR IGNORE INTO denied VALUES(?1)" } else { "DELETE FROM denied WHERE host=?1" };
        self.db.prepare_cached(sql)?.execute([host]).map(drop)
    }
}
