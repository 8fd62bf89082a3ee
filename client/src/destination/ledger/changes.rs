//! The last change of each resource, and how far the changes of each set have been processed.

use std::collections::BTreeMap;

use resourcesync_sync::{
    Change, Checkpoint, ListedResource,
    chain::{Order, Part},
    ledger::{Changes, Settled, UNSETTLED},
    reduce::{LastChange, Presence, reduce},
    survey::Remembered,
};
use rusqlite::{Connection, params};

use super::{Ledger, related, set};
use crate::destination::SyncError;

/// Changes of one resource that are examined. Of one with more the server is asked without.
const EXAMINED: u64 = 10_000;

impl Changes for Ledger {
    fn checkpoints(&self) -> Result<Vec<Checkpoint>, SyncError> {
        let Some(text) = self.get("checkpoint")? else { return Ok(Vec::new()) };
        if text.starts_with('{') {
            // Until version 2 there was one, which was empty for several sets.
            let one: Checkpoint = serde_json::from_str(&text)?;
            return Ok(if one.set.is_empty() { Vec::new() } else { vec![one] });
        }
        Ok(serde_json::from_str(&text)?)
    }

    fn forget_changes(&mut self) -> Result<(), SyncError> {
        Ok(self.db.execute_batch("DELETE FROM change; DELETE FROM chain; DELETE FROM last")?)
    }

    fn add_changes(&mut self, list: &mut Vec<(u32, Change)>) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        {
            let mut insert =
                transaction.prepare_cached("INSERT OR REPLACE INTO change VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")?;
            for (document, change) in list.drain(..) {
                let (moment, is_deleted) = (change.nanoseconds(), change.is_deleted);
                let Change { position, resource: Some(resource), datetime, .. } = change else { continue };
                let text = serde_json::to_string(&resource)?;
                insert.execute(params![document, position, resource.uri, is_deleted, moment, datetime, text])?;
            }
        }
        transaction.commit()?;
        Ok(())
    }

    fn drop_changes(&mut self, document: u32) -> Result<(), SyncError> {
        self.db.prepare_cached("DELETE FROM change WHERE document=?1")?.execute([document])?;
        Ok(())
    }

    fn reduce(&mut self, order: &[Part], set: &str) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        for (rank, Part { document, order, from }) in order.iter().enumerate() {
            let values = params![document, rank as u64, direction(*order), from, set];
            transaction.prepare_cached("INSERT INTO chain VALUES(?1, ?2, ?3, ?4, ?5)")?.execute(values)?;
        }
        transaction.execute(
            "INSERT INTO last(uri, deleted, asks, document, datetime, moment, owner, wanted, steps)
                SELECT uri, deleted, 0, document, datetime, moment, owner, wanted, steps FROM (
                    SELECT uri, deleted, document, datetime, moment, owner, wanted,
                        count(*) OVER (PARTITION BY owner, uri) AS steps, row_number() OVER (
                        PARTITION BY owner, uri ORDER BY rank DESC, CASE direction WHEN 0 THEN coalesce(moment, -1) ELSE 0 END DESC,
                        CASE direction WHEN -1 THEN -position ELSE position END DESC) AS place
                    FROM change JOIN chain USING(document) WHERE position>=first AND owner=?1) WHERE place=1",
            [set],
        )?;
        ask(&transaction, order, set)?;
        transaction.commit()?;
        Ok(())
    }

    fn combine(&mut self, compares_lists: bool) -> Result<bool, SyncError> {
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

    fn last_changes(&self, after: i64, most: usize) -> Result<Vec<(i64, LastChange)>, SyncError> {
        let sql = "SELECT seq, wanted, deleted, asks, datetime, steps FROM last WHERE seq>?1 ORDER BY seq LIMIT ?2";
        let mut statement = self.db.prepare_cached(sql)?;
        let mut rows = statement.query(params![after, most as u64])?;
        let mut list = Vec::new();
        while let Some(row) = rows.next()? {
            let mut resource: ListedResource = serde_json::from_str(&row.get::<_, String>(1)?)?;
            if row.get::<_, u64>(5)? > 1 {
                // A patch leads from the state before the last change only.
                resource.patch = None;
            }
            let presence = match (row.get(3)?, row.get(2)?) {
                (true, _) => Presence::Unknown,
                (false, true) => Presence::Deleted,
                (false, false) => Presence::Present,
            };
            list.push((row.get(0)?, LastChange { presence, datetime: row.get(4)?, resource }));
        }
        Ok(list)
    }

    fn has_change(&self, uri: &str) -> Result<bool, SyncError> {
        let mut statement = self.db.prepare_cached("SELECT 1 FROM last WHERE uri=?1")?;
        Ok(statement.exists([uri])?)
    }

    fn remembered(&self) -> Result<Remembered, SyncError> {
        Ok(self.get("documents")?.map(|text| serde_json::from_str(&text)).transpose()?.unwrap_or_default())
    }

    fn settled(&self) -> Result<Option<String>, SyncError> {
        self.get("settled")
    }

    fn described(&self) -> Result<Option<i64>, SyncError> {
        Ok(self.get("described")?.and_then(|text| text.parse().ok()))
    }

    fn put_described(&mut self, seconds: i64) -> Result<(), SyncError> {
        self.put("described", &seconds.to_string())
    }

    fn kept(&self) -> Result<u64, SyncError> {
        Ok(self.get("kept")?.and_then(|text| text.parse().ok()).unwrap_or(0))
    }

    fn begun(&self) -> Result<Option<i64>, SyncError> {
        Ok(self.get("begun")?.and_then(|text| text.parse().ok()))
    }

    fn unsettle(&mut self, lists_are_complete: bool, begun: Option<i64>) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        set(&transaction, "settled", UNSETTLED)?;
        if let Some(begun) = begun {
            set(&transaction, "begun", &begun.to_string())?;
        }
        if lists_are_complete {
            transaction.execute("DELETE FROM debt", [])?;
        }
        transaction.commit()?;
        Ok(())
    }

    fn settle(&mut self, settled: &Settled<'_>) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        set(&transaction, "documents", &serde_json::to_string(settled.documents)?)?;
        set_checkpoints(&transaction, settled.checkpoints, true)?;
        related::settle(&transaction, true)?;
        set(&transaction, "settled", settled.options)?;
        transaction.execute("DELETE FROM meta WHERE key IN ('begun', 'rebuild')", [])?;
        set(&transaction, "described", &settled.described.to_string())?;
        set(&transaction, "kept", &settled.kept.to_string())?;
        forget_kept(&transaction)?;
        transaction.execute_batch("DROP TABLE IF EXISTS unconfirmed")?;
        transaction.commit()?;
        Ok(())
    }

    fn settle_changes(&mut self, to: &[Checkpoint], kept: u64) -> Result<(), SyncError> {
        let transaction = self.transaction()?;
        set_checkpoints(&transaction, to, false)?;
        related::settle(&transaction, false)?;
        forget_kept(&transaction)?;
        if kept > 0 {
            set(&transaction, "kept", &kept.to_string())?;
        }
        transaction.commit()?;
        Ok(())
    }
}

/// Within a transaction: has the server asked for the resources of a set of which the changes do not show whether they exist. Only several
/// changes can contradict one another.
fn ask(db: &Connection, order: &[Part], set: &str) -> Result<(), SyncError> {
    db.execute("UPDATE last SET asks=1 WHERE owner=?1 AND steps>?2", params![set, EXAMINED])?;
    let mut several = db.prepare(
        "SELECT seq, uri FROM last WHERE owner=?1 AND seq>?2 AND steps>1 AND NOT asks
            AND (deleted OR document IN (SELECT document FROM chain WHERE direction=0)) ORDER BY seq LIMIT 1000",
    )?;
    let mut after = 0;
    loop {
        let rows = several.query_map(params![set, after], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let rows = rows.collect::<Result<Vec<(i64, String)>, _>>()?;
        let Some((last, _)) = rows.last() else { return Ok(()) };
        after = *last;
        db.execute_batch("CREATE INDEX IF NOT EXISTS temp.change_uri ON change(uri)")?;
        for (seq, uri) in rows {
            for last in last_of(db, order, set, &uri)?.into_iter().filter(|last| last.presence == Presence::Unknown) {
                let text = serde_json::to_string(&last.resource)?;
                db.prepare_cached("UPDATE last SET asks=1, wanted=?2, datetime=?3, moment=?4 WHERE seq=?1")?
                    .execute(params![seq, text, last.datetime, last.nanoseconds()])?;
            }
        }
    }
}

/// The last change of a resource in a set.
fn last_of(db: &Connection, order: &[Part], set: &str, uri: &str) -> Result<Vec<LastChange>, SyncError> {
    let mut statement = db.prepare_cached(
        "SELECT document, rank, position, deleted, datetime, wanted FROM change JOIN chain USING(document)
            WHERE uri=?1 AND owner=?2 ORDER BY rank",
    )?;
    let mut rows = statement.query([uri, set])?;
    let (mut parts, mut changes) = (BTreeMap::new(), BTreeMap::<u32, Vec<Change>>::new());
    while let Some(row) = rows.next()? {
        let document = row.get(0)?;
        let rank: usize = row.get(1)?;
        parts.extend(order.get(rank).map(|part| (rank, *part)));
        changes.entry(document).or_default().push(Change {
            position: row.get(2)?,
            resource: Some(serde_json::from_str(&row.get::<_, String>(5)?)?),
            is_deleted: row.get(3)?,
            datetime: row.get(4)?,
            identity: String::new(),
        });
    }
    let parts: Vec<Part> = parts.into_values().collect();
    Ok(reduce(&parts, changes))
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
