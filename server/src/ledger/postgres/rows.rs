//! Rows in PostgreSQL as values of the hub.

use std::{sync::Arc, time::Duration};

use postgres::{Row, types::FromSql};
use resourcesync_notify::{
    hub::{Accepted, DeadLetter, DeadReason, Mode, Pending, Secret, Subscription, TopicState},
    moment::Timestamp,
};

use crate::ledger::LedgerError;

/// PostgreSQL has signed integers; ids and counters never reach their limit.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

pub(super) fn count(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

pub(super) fn millis(moment: Option<Timestamp>) -> Option<i64> {
    moment.map(Timestamp::millis)
}

pub(super) fn bytes(secret: Option<&Secret>) -> Option<Vec<u8>> {
    secret.map(|secret| secret.0.as_bytes().to_vec())
}

fn value<'r, T: FromSql<'r>>(row: &'r Row, at: usize) -> Result<T, LedgerError> {
    row.try_get(at).map_err(LedgerError::from)
}

pub(super) fn number(row: &Row, at: usize) -> Result<u64, LedgerError> {
    value(row, at).map(unsigned)
}

pub(super) fn maybe_number(row: &Row, at: usize) -> Result<Option<u64>, LedgerError> {
    Ok(value::<Option<i64>>(row, at)?.map(unsigned))
}

pub(super) fn moment(row: &Row, at: usize) -> Result<Timestamp, LedgerError> {
    value(row, at).map(Timestamp::from_millis)
}

pub(super) fn maybe_moment(row: &Row, at: usize) -> Result<Option<Timestamp>, LedgerError> {
    Ok(value::<Option<i64>>(row, at)?.map(Timestamp::from_millis))
}

pub(super) fn text(row: &Row, at: usize) -> Result<String, LedgerError> {
    value(row, at)
}

/// A number that was smaller when it was stored.
fn small<T: TryFrom<i64> + Default>(row: &Row, at: usize) -> Result<T, LedgerError> {
    Ok(T::try_from(value(row, at)?).unwrap_or_default())
}

fn status(row: &Row, at: usize) -> Result<Option<u16>, LedgerError> {
    Ok(value::<Option<i32>>(row, at)?.and_then(|status| u16::try_from(status).ok()))
}

fn secret(row: &Row, at: usize) -> Result<Option<Secret>, LedgerError> {
    let bytes = value::<Option<Vec<u8>>>(row, at)?;
    Ok(bytes.map(|bytes| Secret(String::from_utf8_lossy(&bytes).into())))
}

pub(super) fn topic(row: &Row) -> Result<TopicState, LedgerError> {
    let chain = serde_json::from_str(&text(row, 3)?).map_err(|_| LedgerError::Value("the chain of a topic"))?;
    Ok(TopicState { id: number(row, 0)?, uri: text(row, 1)?, head: number(row, 2)?, chain, is_paused: value(row, 4)? })
}

pub(super) fn accepted(row: &Row) -> Result<Arc<Accepted>, LedgerError> {
    Ok(Arc::new(Accepted {
        seq: number(row, 0)?,
        digest: text(row, 1)?,
        content_type: text(row, 2)?,
        capability_list: value(row, 3)?,
        received: moment(row, 4)?,
        body: value::<&[u8]>(row, 5)?.into(),
    }))
}

pub(super) fn subscription(row: &Row) -> Result<Subscription, LedgerError> {
    Ok(Subscription {
        id: number(row, 0)?,
        topic: number(row, 1)?,
        callback: text(row, 2)?.into(),
        host: text(row, 3)?.into(),
        secret: secret(row, 4)?,
        lease_until: moment(row, 5)?,
        cursor: number(row, 6)?,
        failures: small(row, 7)?,
        refusals: small(row, 8)?,
        failing_since: maybe_moment(row, 9)?,
        retry_at: maybe_moment(row, 10)?,
        last_status: status(row, 11)?,
    })
}

pub(super) fn pending(row: &Row) -> Result<Pending, LedgerError> {
    let mode = if text(row, 4)? == Mode::Subscribe.as_str() { Mode::Subscribe } else { Mode::Unsubscribe };
    Ok(Pending {
        nonce: number(row, 0)?,
        topic: number(row, 1)?,
        callback: text(row, 2)?,
        host: text(row, 3)?,
        mode,
        secret: secret(row, 5)?,
        lease: Duration::from_secs(number(row, 6)?),
        challenge: Secret(text(row, 7)?.into()),
        attempt: small(row, 8)?,
        created: moment(row, 9)?,
        sent: moment(row, 10)?,
        next: moment(row, 11)?,
    })
}

pub(super) fn letter(row: &Row) -> Result<DeadLetter, LedgerError> {
    Ok(DeadLetter {
        subscription: number(row, 0)?,
        topic: number(row, 1)?,
        callback: text(row, 2)?,
        first: number(row, 3)?,
        last: number(row, 4)?,
        reason: serde_json::from_value(text(row, 5)?.into()).unwrap_or(DeadReason::GivenUp),
        status: status(row, 6)?,
        at: moment(row, 7)?,
    })
}
