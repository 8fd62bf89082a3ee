//! Claims: which process sends to a subscription.

use std::time::{Duration, Instant};

use resourcesync_notify::{
    hub::{Due, Position},
    moment::Timestamp,
};

use super::{
    PostgresLedger,
    rows::{count, number, signed, subscription, text},
};
use crate::ledger::LedgerError;

impl PostgresLedger {
    /// The part of a claim that must be left when an exchange begins: 35 of 90 seconds, since an exchange takes 30 at most.
    fn margin(&self) -> Duration {
        self.lasting * 35 / 90
    }

    /// The time between two searches for due subscriptions: wake-ups can be lost. 5 of 90 seconds.
    pub(super) fn poll_interval(&self) -> Duration {
        self.lasting * 5 / 90
    }

    /// Claims due subscriptions that no other process has claimed.
    pub(super) fn claim_due(
        &mut self,
        topic: u64,
        now: Timestamp,
        (cursor, id): Position,
        most: usize,
    ) -> Result<Vec<Due>, LedgerError> {
        self.flush()?;
        // Taken before the claim begins at the server, so this end is never later than the one stored there.
        let until = Instant::now() + self.lasting;
        let (process, seconds) = (self.process, self.lasting.as_secs_f64());
        let rows = self.query(
            "WITH due AS (SELECT id FROM subscription WHERE topic=$1 AND (cursor, id)>($3, $4)
                AND cursor<(SELECT head FROM topic WHERE id=$1 AND NOT paused) AND (retry_at IS NULL OR retry_at<=$2)
                AND (claimed_by IS NULL OR claimed_by=$6 OR claimed_until<clock_timestamp())
                ORDER BY cursor, id LIMIT $5 FOR UPDATE SKIP LOCKED)
             UPDATE subscription AS own SET claimed_by=$6, claimed_until=clock_timestamp()+make_interval(secs => $7)
                FROM due WHERE own.id=due.id RETURNING own.cursor, own.id, own.host",
            &[&signed(topic), &now.millis(), &signed(cursor), &signed(id), &count(most), &process, &seconds],
        )?;
        let mut found = Vec::new();
        for row in &rows {
            let position = (number(row, 0)?, number(row, 1)?);
            self.claims.insert(position.1, until);
            found.push(Due { position, host: text(row, 2)?.into() });
        }
        found.sort_by_key(|due| due.position);
        Ok(found)
    }

    /// Reads and locks subscriptions, and returns which of them this process has claimed.
    pub(super) fn lock_claimed(&mut self, ids: &[u64]) -> Result<Vec<bool>, LedgerError> {
        self.flush()?;
        let wanted: Vec<i64> = ids.iter().map(|id| signed(*id)).collect();
        // In the order of their numbers, so that transactions wait for each other in one direction only.
        let rows = self.query(
            "SELECT id, topic, callback, host, secret, lease_until, cursor, failures, refusals, failing_since, retry_at, last_status,
                claimed_by FROM subscription WHERE id=ANY($1) ORDER BY id FOR UPDATE",
            &[&wanted],
        )?;
        self.subscriptions.extend(ids.iter().map(|id| (*id, None)));
        let mut held = std::collections::HashSet::new();
        for row in &rows {
            let own = subscription(row)?;
            if row.try_get::<_, Option<i64>>(12)? == Some(self.process) {
                held.insert(own.id);
            }
            self.subscriptions.insert(own.id, Some(own));
        }
        for id in ids.iter().filter(|id| !held.contains(id)) {
            self.claims.remove(id);
        }
        Ok(ids.iter().map(|id| held.contains(id)).collect())
    }

    /// The last moment at which an exchange may begin.
    pub(super) fn last_begin(&self, subscription: u64) -> Instant {
        let until = self.claims.get(&subscription);
        until.and_then(|until| until.checked_sub(self.margin())).unwrap_or(self.kept)
    }

    /// Renews claims in use after a third of their time, and ends the others.
    pub(super) fn renew(&mut self, is_used: &dyn Fn(u64) -> bool) -> Result<(), LedgerError> {
        if self.kept.elapsed() < self.lasting / 90 {
            return Ok(());
        }
        let now = Instant::now();
        let (process, seconds) = (self.process, self.lasting.as_secs_f64());
        self.kept = now;
        let unused: Vec<u64> = self.claims.keys().copied().filter(|id| !is_used(*id)).collect();
        let renewed = self.lasting * 2 / 3;
        let is_old = |until: &Instant| until.saturating_duration_since(now) < renewed;
        let old: Vec<i64> = self
            .claims
            .iter()
            .filter(|(id, until)| is_used(**id) && is_old(until))
            .map(|(id, _)| signed(*id))
            .collect();
        if !unused.is_empty() {
            let ids: Vec<i64> = unused.iter().map(|id| signed(*id)).collect();
            self.query(
                "UPDATE subscription SET claimed_by=NULL, claimed_until=NULL WHERE claimed_by=$1 AND id=ANY($2)",
                &[&process, &ids],
            )?;
            self.claims.retain(|id, _| is_used(*id));
        }
        if !old.is_empty() {
            let until = Instant::now() + self.lasting;
            let rows = self.query(
                "UPDATE subscription SET claimed_until=clock_timestamp()+make_interval(secs => $3)
                    WHERE claimed_by=$1 AND id=ANY($2) RETURNING id",
                &[&process, &old, &seconds],
            )?;
            // What another process has claimed since then is not ours any more.
            self.claims.retain(|_, until| !is_old(until));
            for row in &rows {
                self.claims.insert(number(row, 0)?, until);
            }
        }
        Ok(())
    }
}
