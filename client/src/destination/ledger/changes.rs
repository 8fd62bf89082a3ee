//! The last change of each resource, and how far the changes of each set have been processed.

use resourcesync_sync::{
    Change, Checkpoint, Wanted,
    chain::{Order, Part},
    survey::Remembered,
};
use rusqlite::{Connection, params};

use super::{Entry, Ledger, entry, set};
use crate::destination::SyncError;

/// The last change of a resource.
#[derive(Debug, Clone)]
pub(in crate::destination) struct Last {
    pub(in crate::destination) seq: i64,
    pub(in crate::destination) wanted: Wanted,
    pub(in crate::destination) is_deleted: bool,
    /// True if the order of its changes is unknown, and only the server knows whether it was deleted.
    pub(in crate::destination) asks: bool,
}

/// What lets the next run skip unchanged work.
#[derive(Debug)]
pub(in crate::destination) struct Settled<'a> {
    /// The documents, for conditional requests.
    pub(in crate::destination) documents: &'a Remembered,
    pub(in crate::destination) checkpoints: &'a [Checkpoint],
    /// The options for which it is valid.
    pub(in crate::destination) options: &'a str,
    /// When the Source Description was requested, in seconds since 1970.
    pub(in crate::destination) described: i64,
    /// The number of resources that were kept although they are no longer listed.
    pub(in crate::destination) kept: u64,
}

impl Ledger {
    /// The state of the Change Lists of each set; none before a run was completed.
    pub(in crate::destination) fn checkpoints(&self) -> Result<Vec<Checkpoint>, SyncError> {
        let Some(text) = self.get("checkpoint")? else { return Ok(Vec::new()) };
        if text.starts_with('{') {
            // Until version 2 there was one, which was empty for several sets.
            let one: Checkpoint = serde_json::from_str(&text)?;
            return Ok(if one.set.is_empty() { Vec::new() } else { vec![one] });
        }
        Ok(serde_json::from_str(&text)?)
    }

    pub(in crate::destination) fn forget_changes(&self) -> Result<(), SyncError> {
        Ok(self.db.execute_batch("DELETE FROM change; DELETE FROM chain; DELETE FROM last")?)
    }

    /// Adds changes of documents.
    pub(in crate::destination) fn add_changes(&mut self, list: &mut Vec<(u32, Change)>) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        {
            let mut insert =
                transaction.prepare_cached("INSERT OR REPLACE INTO change VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
            for (document, change) in list.drain(..) {
                let (moment, is_deleted) = (change.nanoseconds(), change.is_deleted);
                let Change { position, wanted: Some(wanted), datetime, .. } = change else { continue };
                let text = serde_json::to_string(&wanted)?;
                insert.execute(params![document, position, wanted.uri, is_deleted, moment, datetime, text])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    /// Removes the changes of a document.
    pub(in crate::destination) fn drop_changes(&self, document: u32) -> Result<(), SyncError> {
        self.db.prepare_cached("DELETE FROM change WHERE document=?1")?.execute([document])?;
        Ok(())
    }

    /// Reduces the changes of these documents of a set to the last one of each resource.
    pub(in crate::destination) fn reduce(&mut self, order: &[Part], owner: &str) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        for (rank, Part { document, order, from }) in order.iter().enumerate() {
            let values = params![document, rank as u64, direction(*order), from, owner];
            transaction.prepare_cached("INSERT INTO chain VALUES(?1, ?2, ?3, ?4, ?5)")?.execute(values)?;
        }
        transaction.execute(
            "INSERT INTO last(uri, deleted, asks, document, datetime, moment, owner, wanted)
                SELECT uri, deleted, 0, document, datetime, moment, owner, wanted FROM (
                    SELECT uri, deleted, document, datetime, moment, owner, wanted, row_number() OVER (
                        PARTITION BY owner, uri ORDER BY rank DESC, CASE direction WHEN 0 THEN coalesce(moment, -1) ELSE 0 END DESC,
                        CASE direction WHEN -1 THEN -position ELSE position END DESC) AS place
                    FROM change JOIN chain USING(document) WHERE position>=first AND owner=?1) WHERE place=1",
            [owner],
        )?;
        transaction.execute_batch(
            "UPDATE last SET asks=1 WHERE document IN (SELECT document FROM chain WHERE direction=0) AND EXISTS (
                SELECT 1 FROM change WHERE change.uri=last.uri AND change.document=last.document
                AND change.deleted<>last.deleted);
             UPDATE last SET wanted=(
                SELECT wanted FROM change WHERE change.uri=last.uri AND change.document=last.document AND change.deleted=0
                ORDER BY coalesce(moment, -1) DESC, position DESC LIMIT 1) WHERE asks=1",
        )?;
        transaction.commit()?;
        Ok(())
    }

    /// Combines the last changes of several sets: a resource is what the set states that changed it last, and it is deleted when no set lists
    /// it any more. True if some order is unknown, so that only Resource Lists show which sets list the resource. If `compares_lists` is true,
    /// these have just been read: what sets listed before does not count, and what another set lists exists.
    pub(in crate::destination) fn combine(&mut self, compares_lists: bool) -> Result<bool, SyncError> {
        let transaction = self.transaction()?;
        // Several states of a resource of which not all have a time, and a deletion of what is a debt of another set, are unclear as well.
        let is_unclear = transaction.query_row(
            "SELECT EXISTS(SELECT 1 FROM last WHERE asks)
                OR EXISTS(SELECT 1 FROM last WHERE NOT deleted GROUP BY uri HAVING count(*)>count(moment) AND count(*)>1)
                OR EXISTS(SELECT 1 FROM last JOIN debt USING(uri) WHERE deleted)",
            [],
            |row| row.get(0),
        )?;
        transaction.execute_batch(
            "INSERT OR REPLACE INTO owning SELECT uri, owner, 0, asks OR NOT deleted FROM last;
             DELETE FROM last WHERE deleted AND NOT asks AND EXISTS(
                SELECT 1 FROM last AS other WHERE other.uri=last.uri AND (other.asks OR NOT other.deleted));
             DELETE FROM last WHERE seq NOT IN (SELECT seq FROM (
                SELECT seq, row_number() OVER (PARTITION BY uri ORDER BY coalesce(moment, -1) DESC, seq DESC) AS place FROM last)
                WHERE place=1)",
        )?;
        let kept = "DELETE FROM last WHERE deleted AND NOT asks AND (
            EXISTS(SELECT 1 FROM owning WHERE owning.uri=last.uri AND owns)
            OR (NOT ?1 AND EXISTS(SELECT 1 FROM owner WHERE owner.uri=last.uri AND NOT EXISTS(
                SELECT 1 FROM owning WHERE owning.uri=owner.uri AND owning.owner=owner.owner))))";
        transaction.execute(kept, [compares_lists])?;
        if compares_lists {
            transaction.execute_batch(
                "UPDATE last SET asks=0, deleted=0 WHERE asks AND EXISTS(
                    SELECT 1 FROM owning WHERE owning.uri=last.uri AND owning.owner<>last.owner AND owns)",
            )?;
        }
        transaction.commit()?;
        Ok(is_unclear)
    }

    /// The last changes after this one.
    pub(in crate::destination) fn last_changes(&self, after: i64, most: usize) -> Result<Vec<Last>, SyncError> {
        let sql = "SELECT seq, wanted, deleted, asks FROM last WHERE seq>?1 ORDER BY seq LIMIT ?2";
        let mut statement = self.db.prepare_cached(sql)?;
        let mut rows = statement.query(params![after, most as u64])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            let wanted = serde_json::from_str(&row.get::<_, String>(1)?)?;
            list.push(Last { seq: row.get(0)?, wanted, is_deleted: row.get(2)?, asks: row.get(3)? });
        }
        Ok(list)
    }

    /// True if the changes have a later state of a resource.
    pub(in crate::destination) fn is_replaced(&self, uri: &str) -> Result<bool, SyncError> {
        let mut statement = self.db.prepare_cached("SELECT 1 FROM last WHERE uri=?1")?;
        Ok(statement.exists([uri])?)
    }

    /// Marks a resource as deleted by a Change List.
    pub(in crate::destination) fn mark_deleted(&self, entry: &Entry) -> Result<(), SyncError> {
        let sql = "INSERT OR REPLACE INTO marked SELECT ?1, (SELECT datetime FROM last WHERE uri=?2)";
        self.db.prepare_cached(sql)?.execute(params![entry.id, entry.uri])?;
        Ok(())
    }

    /// Removes the mark.
    pub(in crate::destination) fn unmark_deleted(&self, id: i64) -> Result<(), SyncError> {
        self.db.prepare_cached("DELETE FROM marked WHERE id=?1")?.execute([id])?;
        Ok(())
    }

    /// The resources marked as deleted.
    pub(in crate::destination) fn marked_deleted(&self) -> Result<Vec<Entry>, SyncError> {
        let mut statement = self.db.prepare(
            "SELECT id, uri, path, hash, length, lastmod, etag, modified, sha256, size, mtime FROM resource
             WHERE id IN (SELECT id FROM marked) ORDER BY id",
        )?;
        let rows = statement.query_map([], entry)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Forgets that the last run came to an end; if `lists_are_complete`, also what is to be tried again, since the lists have it.
    pub(in crate::destination) fn unsettle(&mut self, lists_are_complete: bool) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        set(&transaction, "settled", "no")?;
        if lists_are_complete {
            transaction.execute("DELETE FROM debt", [])?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Records what lets the next run skip unchanged work, after everything was compared with the lists.
    pub(in crate::destination) fn settle(&mut self, settled: &Settled<'_>) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        set(&transaction, "documents", &serde_json::to_string(settled.documents)?)?;
        set_checkpoints(&transaction, settled.checkpoints, true)?;
        set(&transaction, "settled", settled.options)?;
        set(&transaction, "described", &settled.described.to_string())?;
        set(&transaction, "kept", &settled.kept.to_string())?;
        forget_kept(&transaction)?;
        transaction.execute_batch("DROP TABLE IF EXISTS unconfirmed")?;
        transaction.commit()?;
        Ok(())
    }

    /// Records how far changes have been processed, and the number of resources that were kept although they were deleted.
    pub(in crate::destination) fn settle_changes(&mut self, to: &[Checkpoint], kept: u64) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        set_checkpoints(&transaction, to, false)?;
        forget_kept(&transaction)?;
        if kept > 0 {
            set(&transaction, "kept", &kept.to_string())?;
        }
        transaction.commit()?;
        Ok(())
    }
}

/// Within a transaction: records which sets list what, and how far the changes of each set have been processed. If `compared_lists` is true,
/// what sets listed before does not count.
fn set_checkpoints(db: &Connection, checkpoints: &[Checkpoint], compared_lists: bool) -> Result<(), SyncError> {
    if compared_lists {
        db.execute("DELETE FROM owner", [])?;
    }
    db.execute_batch(
        "DELETE FROM owner WHERE EXISTS(SELECT 1 FROM owning WHERE owning.uri=owner.uri AND owning.owner=owner.owner AND NOT owns);
         INSERT OR IGNORE INTO owner SELECT uri, owner FROM owning WHERE owns",
    )?;
    set(db, "checkpoint", &serde_json::to_string(checkpoints)?)
}

/// Within a transaction: forgets to try resources again that are kept although the Source deleted them.
fn forget_kept(db: &Connection) -> Result<(), SyncError> {
    let sql = "DELETE FROM debt WHERE uri IN (SELECT uri FROM resource WHERE id IN (SELECT id FROM marked))";
    db.prepare_cached(sql)?.execute([])?;
    Ok(())
}

/// The direction of a document.
fn direction(order: Order) -> i64 {
    match order {
        Order::Forward => 1,
        Order::Reverse => -1,
        Order::None => 0,
    }
}
