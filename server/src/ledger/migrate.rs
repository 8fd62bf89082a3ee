//! Copies a whole store into an empty one of another kind, in one transaction.

use std::{fs, io, path::Path};

use resourcesync_notify::{hub::Ledger, moment::Timestamp};

#[cfg(feature = "postgres")]
use super::PostgresLedger;
use super::{
    AnyStore, LedgerError, SqliteLedger, StoreAddress, StoreError,
    store::{Counts, Rows, Store, Transaction},
};

/// Subscriptions read at a time.
const PAGE: usize = 500;

/// Copies a store. The copy is complete or, after an error, empty. No hub may use either of them.
///
/// # Errors
///
/// If a store cannot be used or is in use, or if the destination is not empty.
pub fn migrate(from: &StoreAddress, to: &StoreAddress) -> Result<Counts, StoreError> {
    if let StoreAddress::Sqlite(path) = from
        && !path.exists()
    {
        return Err(StoreError::Io(path.clone(), io::Error::new(io::ErrorKind::NotFound, "no such file")));
    }
    if from == to {
        return Err(StoreError::Format(to.to_string(), "it is the store to copy".to_owned()));
    }
    let mut source = alone(from)?;
    let created = match to {
        StoreAddress::Sqlite(path) if !path.exists() => Some(path),
        _ => None,
    };
    let copied = alone(to).and_then(|mut store| copy(&mut source, &mut store, to));
    if let (Err(_), Some(path)) = (&copied, created) {
        remove(path);
    }
    copied
}

fn alone(address: &StoreAddress) -> Result<AnyStore, StoreError> {
    match address {
        StoreAddress::Sqlite(path) => SqliteLedger::open(path).map(AnyStore::Sqlite),
        #[cfg(feature = "postgres")]
        StoreAddress::Postgres(url) => Ok(AnyStore::Postgres(Box::new(PostgresLedger::alone(url)?))),
        #[cfg(not(feature = "postgres"))]
        StoreAddress::Postgres(_) => AnyStore::open(address, std::time::Duration::ZERO),
    }
}

/// Removes an empty store that was created for the copy.
fn remove(path: &Path) {
    for ending in ["", "-wal", "-shm", ".lock"] {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        let _ = fs::remove_file(name);
    }
}

fn copy(from: &mut AnyStore, to: &mut AnyStore, address: &StoreAddress) -> Result<Counts, StoreError> {
    from.begin(Transaction::Changes)?;
    to.begin(Transaction::Changes)?;
    let is_empty = to.topics()?.is_empty() && to.counts()? == Counts::default() && to.denied()?.is_empty();
    if !is_empty {
        to.roll_back();
        return Err(StoreError::Format(address.to_string(), "it is not empty".to_owned()));
    }
    let copied = rows(from, to).and_then(|()| Ok((from.counts()?, to.counts()?)));
    from.roll_back();
    match copied {
        Ok((expected, counts)) if expected == counts => {
            to.commit()?;
            to.close()?;
            Ok(counts)
        }
        Ok(_) => {
            to.roll_back();
            Err(LedgerError::Value("the copied store").into())
        }
        Err(error) => {
            to.roll_back();
            Err(error.into())
        }
    }
}

fn rows(from: &mut AnyStore, to: &mut AnyStore) -> Result<(), LedgerError> {
    for topic in from.topics()? {
        to.insert_topic(&topic)?;
        let mut seq = 0;
        while let Some(payload) = from.payload_after(topic.id, seq)? {
            to.append(topic.id, &payload)?;
            seq = payload.seq;
        }
    }
    let mut after = 0;
    loop {
        let page = from.subscriptions(None, None, after, PAGE)?;
        let Some(last) = page.last() else { break };
        after = last.id;
        for own in &page {
            to.insert_subscription(own)?;
        }
    }
    for pending in from.pending_due(Timestamp::from_millis(i64::MAX), usize::MAX)? {
        to.insert_pending(&pending)?;
    }
    // The newest comes first.
    for letter in from.dead_letters(usize::MAX)?.iter().rev() {
        to.dead_letter(letter)?;
    }
    for host in from.denied()? {
        to.deny(&host, true)?;
    }
    let last = from.last_numbers()?;
    to.continue_after(last)
}
