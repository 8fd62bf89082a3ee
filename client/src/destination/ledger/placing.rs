//! Files on their way to their places, and out of them.

use resourcesync_sync::{StoredState, ledger::StoredResource};
use rusqlite::{Connection, params};

use super::{Ledger, stored};
use crate::destination::SyncError;

/// The number of what is not in staging.
pub(super) const NOT_STAGED: u64 = u64::MAX >> 1;

/// A resource that is being placed.
#[derive(Debug, Clone)]
pub(in crate::destination) struct Placing {
    /// Its number in staging.
    pub(in crate::destination) number: u64,
    pub(in crate::destination) stored: StoredResource,
}

/// A move of a file, recorded before it is done.
#[derive(Debug, Clone)]
pub(in crate::destination) struct Move {
    /// The resource; empty for a file of others.
    pub(in crate::destination) uri: String,
    pub(in crate::destination) place: String,
    /// Its new path; `None` for the trash.
    pub(in crate::destination) target: Option<String>,
    pub(in crate::destination) size: u64,
    pub(in crate::destination) mtime: i64,
    /// True if other programs have changed the file.
    pub(in crate::destination) is_changed: bool,
    /// True if it was moved, but not reported yet.
    pub(in crate::destination) is_done: bool,
    /// The run that moves it.
    pub(in crate::destination) run: u64,
}

impl Ledger {
    /// The resources that were being placed when a run ended.
    pub(in crate::destination) fn placing(&self) -> Result<Vec<Placing>, SyncError> {
        let mut statement = self.db.prepare(
            "SELECT number, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM placing ORDER BY number",
        )?;
        let rows = statement.query_map([], |row| {
            let stored = stored(row)?;
            Ok(Placing { number: u64::try_from(stored.id).unwrap_or(0), stored })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The moves that were recorded and perhaps not done.
    pub(in crate::destination) fn moves(&self) -> Result<Vec<Move>, SyncError> {
        let sql = "SELECT uri, place, target, size, mtime, changed, done, run FROM moving ORDER BY seq";
        let mut statement = self.db.prepare(sql)?;
        let rows = statement.query_map([], |row| {
            Ok(Move {
                uri: row.get(0)?,
                place: row.get(1)?,
                target: row.get(2)?,
                size: row.get(3)?,
                mtime: row.get(4)?,
                is_changed: row.get(5)?,
                is_done: row.get(6)?,
                run: row.get(7)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Records moves in a transaction of their own.
    pub(in crate::destination) fn announce(&mut self, moves: &[Move]) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        announce(&transaction, moves)?;
        transaction.commit()?;
        Ok(())
    }

    /// Records that resources are being placed, and the moves of files that make room for them.
    pub(in crate::destination) fn begin_placing(
        &mut self,
        group: &[Placing],
        moves: &[Move],
        run: u64,
    ) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        begin_placing(&transaction, group, run)?;
        announce(&transaction, moves)?;
        transaction.commit()?;
        Ok(())
    }

    /// Records resources as stored, and all moves as done and durable.
    pub(in crate::destination) fn placed(&mut self, group: &[Placing], run: u64) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        placed(&transaction, group, run)?;
        moved(&transaction)?;
        transaction.commit()?;
        Ok(())
    }

    /// Records which of the resources that a killed run was placing are stored, and which are not.
    pub(in crate::destination) fn recovered(
        &mut self,
        stored: &[Placing],
        lost: &[u64],
        run: u64,
    ) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        placed(&transaction, stored, run)?;
        for number in lost {
            transaction.prepare_cached("DELETE FROM placing WHERE number=?1")?.execute([number])?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Records that all moves are done, and durable; and the new paths of the resources of some.
    pub(in crate::destination) fn moved(&mut self, renamed: &[(&str, &str)]) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        for (uri, path) in renamed {
            transaction.prepare_cached("UPDATE resource SET path=?2 WHERE uri=?1")?.execute([uri, path])?;
        }
        moved(&transaction)?;
        transaction.commit()?;
        Ok(())
    }

    /// Removes stored resources, records when they were deleted, and the moves of their files.
    pub(in crate::destination) fn begin_removing(
        &mut self,
        group: &[StoredResource],
        moves: &[Move],
        run: u64,
    ) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        announce(&transaction, moves)?;
        for stored in group {
            remove(&transaction, stored, run)?;
        }
        transaction.commit()?;
        Ok(())
    }
}

/// Within a transaction: records resources as being placed.
fn begin_placing(db: &Connection, group: &[Placing], run: u64) -> Result<(), SyncError> {
    let mut statement =
        db.prepare_cached("INSERT INTO placing VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)")?;
    for Placing { number, stored: StoredResource { uri, path, state, mtime, .. } } in group {
        let StoredState { hash, length, lastmod, etag, modified, sha256, size } = state;
        statement
            .execute(params![number, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime, run])?;
    }
    Ok(())
}

/// Within a transaction: records moves.
fn announce(db: &Connection, moves: &[Move]) -> Result<(), SyncError> {
    let mut statement = db.prepare_cached("INSERT INTO moving VALUES(NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")?;
    for Move { uri, place, target, size, mtime, is_changed, is_done, run } in moves {
        statement.execute(params![uri, place, target, size, mtime, is_changed, is_done, run])?;
    }
    Ok(())
}

/// Within a transaction: records that all moves are done, and durable.
fn moved(db: &Connection) -> Result<(), SyncError> {
    db.prepare_cached("DELETE FROM moving WHERE NOT changed")?.execute([])?;
    db.prepare_cached("UPDATE moving SET done=1 WHERE NOT done")?.execute([])?;
    Ok(())
}

/// Within a transaction: records resources as stored.
pub(super) fn placed(db: &Connection, group: &[Placing], run: u64) -> Result<(), SyncError> {
    let mut insert = db.prepare_cached(
        "INSERT INTO resource(uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime, run)
         VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
         ON CONFLICT(uri) DO UPDATE SET path=?2, hash=?3, length=?4, lastmod=?5, etag=?6, modified=?7, sha256=?8, size=?9,
         mtime=?10, run=?11",
    )?;
    let mut pay = db.prepare_cached("DELETE FROM debt WHERE uri=?1")?;
    let mut back = db.prepare_cached("DELETE FROM gone WHERE uri=?1")?;
    let mut remove = db.prepare_cached("DELETE FROM placing WHERE number=?1")?;
    for Placing { number, stored: StoredResource { uri, path, state, mtime, .. } } in group {
        let StoredState { hash, length, lastmod, etag, modified, sha256, size } = state;
        insert.execute(params![uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime, run])?;
        pay.execute([uri])?;
        back.execute([uri])?;
        remove.execute([number])?;
    }
    Ok(())
}

/// Within a transaction: removes a stored resource, and records when it was deleted.
fn remove(db: &Connection, stored: &StoredResource, run: u64) -> Result<(), SyncError> {
    let sql = "INSERT OR REPLACE INTO gone SELECT ?1, (SELECT moment FROM marked WHERE id=?2), ?3";
    db.prepare_cached(sql)?.execute(params![stored.uri, stored.id, run])?;
    db.prepare_cached("DELETE FROM resource WHERE id=?1")?.execute([stored.id])?;
    db.prepare_cached("DELETE FROM debt WHERE uri=?1")?.execute([&stored.uri])?;
    db.prepare_cached("DELETE FROM marked WHERE id=?1")?.execute([stored.id])?;
    db.prepare_cached("DELETE FROM links WHERE uri=?1")?.execute([&stored.uri])?;
    Ok(())
}
