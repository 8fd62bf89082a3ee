//! Rows of the store as values of the hub.

use std::{sync::Arc, time::Duration};

use resourcesync_notify::{
    hub::{Accepted, DeadReason, Mode, Pending, Secret, Subscription, TopicState},
    interval::Chain,
    moment::Timestamp,
};
use rusqlite::Row;

/// SQLite has signed integers; ids and counters never reach their limit.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

pub(super) fn count(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

pub(super) fn number(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(at).map(unsigned)
}

pub(super) fn moment(row: &Row<'_>, at: usize) -> rusqlite::Result<Timestamp> {
    row.get(at).map(Timestamp::from_millis)
}

pub(super) fn maybe_moment(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<i64>>(at)?.map(Timestamp::from_millis))
}

pub(super) fn secret(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Secret>> {
    Ok(row.get::<_, Option<Arc<str>>>(at)?.map(Secret))
}

pub(super) fn reason(name: &str) -> DeadReason {
    serde_json::from_value(name.into()).unwrap_or(DeadReason::GivenUp)
}

pub(super) fn topic(row: &Row<'_>) -> rusqlite::Result<TopicState> {
    let chain: String = row.get(3)?;
    let wrong = |error| rusqlite::Error::FromSqlConversionFailure(3, rusqlite::types::Type::Text, Box::new(error));
    let chain: Chain = serde_json::from_str(&chain).map_err(wrong)?;
    Ok(TopicState { id: number(row, 0)?, uri: row.get(1)?, head: number(row, 2)?, chain, is_paused: row.get(4)? })
}

pub(super) fn accepted(row: &Row<'_>) -> rusqlite::Result<Arc<Accepted>> {
    Ok(Arc::new(Accepted {
        seq: number(row, 0)?,
        digest: row.get(1)?,
        content_type: row.get(2)?,
        capability_list: row.get(3)?,
        received: moment(row, 4)?,
        body: row.get::<_, Vec<u8>>(5)?.into(),
    }))
}

pub(super) fn subscription(row: &Row<'_>) -> rusqlite::Result<Subscription> {
    Ok(Subscription {
        id: number(row, 0)?,
        topic: number(row, 1)?,
        callback: row.get(2)?,
        host: row.get(3)?,
        secret: secret(row, 4)?,
        lease_until: moment(row, 5)?,
        cursor: number(row, 6)?,
        failures: row.get(7)?,
        refusals: row.get(8)?,
        failing_since: maybe_moment(row, 9)?,
        retry_at: maybe_moment(row, 10)?,
        last_status: row.get(11)?,
    })
}

pub(super) fn pending(row: &Row<'_>) -> rusqlite::Result<Pending> {
    let mode = if row.get::<_, String>(4)? == Mode::Subscribe.as_str() { Mode::Subscribe } else { Mode::Unsubscribe };
    Ok(Pending {
        nonce: number(row, 0)?,
        topic: number(row, 1)?,
        callback: row.get(2)?,
        host: row.get(3)?,
        mode,
        secret: secret(row, 5)?,
        lease: Duration::from_secs(number(row, 6)?),
        challenge: Secret(row.get(7)?),
        attempt: row.get(8)?,
        created: moment(row, 9)?,
        sent: moment(row, 10)?,
        next: moment(row, 11)?,
    })
}
