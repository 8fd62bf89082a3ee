//! Completes the metadata of a resource, from its file or from the previous run.

use resourcesync::{
    api::plain::Digests,
    publish::{Compared, Pair, Record, compare},
    value::Algorithm,
};

use super::{
    Error,
    bitstreams::Bitstreams,
    digests::{self, Stamp, in_order, lastmod},
    sitemap::fetch,
    source::Source,
};
use crate::system::reason;

/// The resolution of file system timestamps, in nanoseconds.
const COARSE: i64 = 2_000_000_000;

/// The result for a resource.
#[derive(Debug)]
pub(crate) enum Completed {
    Compared(Compared),
    /// It is as published, down to the last value of its record, apart from its line.
    Identical(Record),
    /// It cannot be read: its published state is kept.
    Skipped(Option<Record>, String),
}

/// The options of completing metadata.
pub(crate) struct Metadata<'a, 'b> {
    pub(crate) source: &'a Source<'b>,
    /// The start of the previous run, in nanoseconds since 1970. Files modified later may have been read too
    /// early.
    pub(crate) before: Option<i64>,
    /// Reads every file.
    pub(crate) rehash: bool,
    /// Skips files that cannot be read.
    pub(crate) skip_unreadable: bool,
    /// Takes copies of the files of changed resources, for a Change Dump.
    pub(crate) bitstreams: Option<&'a Bitstreams<'b>>,
}

impl Metadata<'_, '_> {
    /// Compares a resource whose metadata are completed; fails if it cannot be published.
    pub(crate) fn fill(&self, pair: Pair) -> Result<Completed, Error> {
        let old = match &pair {
            Pair::Both { old, .. } if self.skip_unreadable => Some(old.clone()),
            _ => None,
        };
        match self.compared(pair) {
            Ok(completed) => Ok(completed),
            Err(Error::Unreadable(why)) if self.skip_unreadable => Ok(Completed::Skipped(old, why)),
            Err(error) => Err(error),
        }
    }

    /// True if the file of a new resource may be read.
    pub(crate) fn reads_file(&self, pair: &Pair) -> bool {
        match pair {
            Pair::New(new) | Pair::Both { new, .. } => {
                self.source.is_folder() || new.file.is_some() || self.source.client().is_some()
            }
            Pair::Gone(_) => false,
        }
    }

    fn compared(&self, pair: Pair) -> Result<Completed, Error> {
        let compare = |pair| Completed::Compared(compare(pair, self.source.unknown() > 0));
        match pair {
            Pair::New(new) if !new.refused => self.copied(self.complete(new, None)?.0).map(Pair::New).map(compare),
            Pair::Both { mut old, new } if !new.refused => {
                let (mut new, has_same_bytes) = self.complete(new, Some(&old))?;
                // A row before it moves a resource to another line.
                let line = std::mem::replace(&mut new.line, old.line);
                if new == old {
                    return Ok(Completed::Identical(old));
                }
                new.line = line;
                match has_same_bytes {
                    Some(true) => old.hashes = new.hashes.clone(),
                    Some(false) => return Ok(Completed::Compared(Compared::Updated(self.copied(new)?))),
                    None => {}
                }
                let new = if new.differs(&old) { self.copied(new)? } else { new };
                Ok(compare(Pair::Both { old, new }))
            }
            pair => Ok(compare(pair)),
        }
    }

    /// A changed resource, after a copy of its file was taken if one is needed.
    fn copied(&self, record: Record) -> Result<Record, Error> {
        match self.bitstreams {
            Some(bitstreams) => bitstreams.keep(record),
            None => Ok(record),
        }
    }

    /// The record with all that is published, and whether the file has the published bytes, if only digests of other algorithms are published.
    fn complete(&self, mut record: Record, old: Option<&Record>) -> Result<(Record, Option<bool>), Error> {
        let Some(path) = self.source.file(&record) else { return Ok((self.requested(record, old)?, None)) };
        let place = self.source.place(&record, &path);
        let complaint = |why: String| Error::Unreadable(format!("{place}: {why}"));
        let algorithms = &self.source.algorithms;
        let missing: Vec<Algorithm> =
            algorithms.iter().filter(|wanted| record.hashes.get(wanted.as_str()).is_none()).cloned().collect();
        if !self.source.is_folder() && missing.is_empty() && record.length.is_some() {
            let file = std::fs::metadata(&path).map_err(|error| complaint(reason(&error).to_string()))?;
            return match (record.length, file.is_file()) {
                (_, false) => Err(complaint("it is not a regular file".to_owned())),
                (Some(listed), true) if listed != file.len() => Err(complaint(other_length(listed, file.len()))),
                _ => {
                    record.media_type = record.media_type.or_else(|| self.source.types.of(&path));
                    record.lastmod = record.lastmod.or_else(|| lastmod(Stamp::of(&file).modified?));
                    Ok((record, None))
                }
            };
        }
        record.media_type = record.media_type.or_else(|| self.source.types.of(&path));
        if let Some(old) = old.filter(|old| self.is_as_before(&record, old)) {
            record.lastmod = record.lastmod.or_else(|| old.lastmod.clone());
            record.hashes = old.hashes.clone();
            return Ok((record, None));
        }
        let former = old.map(|old| former(old, algorithms)).unwrap_or_default();
        let computed: Vec<Algorithm> = missing.iter().chain(&former).cloned().collect();
        let fixed = digests::fix(self.source.reading(&path), &computed, &self.source.cancel).map_err(&complaint)?;
        let has_same_bytes = old.filter(|_| !former.is_empty()).map(|old| {
            let now = in_order(&former, &Digests::default(), fixed.hash.as_deref());
            now.iter().all(|(name, digest)| old.hashes.get(name) == Some(digest))
        });
        if let Some(length) = record.length.filter(|length| *length != fixed.length && !self.source.is_folder()) {
            return Err(complaint(other_length(length, fixed.length)));
        }
        record.length = Some(fixed.length);
        fixed.stamp.set(&mut record);
        record.lastmod = record.lastmod.or_else(|| lastmod(fixed.stamp.modified?));
        record.hashes = in_order(algorithms, &record.hashes, fixed.hash.as_deref());
        Ok((record, has_same_bytes))
    }

    /// A resource without a file: what is unknown of it is requested, if that is wanted and it is not known from an earlier run.
    fn requested(&self, mut record: Record, old: Option<&Record>) -> Result<Record, Error> {
        let algorithms = &self.source.algorithms;
        let is_complete = |record: &Record| {
            record.length.is_some() && algorithms.iter().all(|wanted| record.hashes.get(wanted.as_str()).is_some())
        };
        let Some(client) = self.source.client().filter(|_| !is_complete(&record)) else { return Ok(record) };
        let is_dated = |old: &Record| record.lastmod.is_some() && record.lastmod == old.lastmod && is_complete(old);
        if let Some(old) = old.filter(|old| !self.rehash && is_dated(old)) {
            let known = old.clone();
            return Ok(Record { length: known.length, hashes: known.hashes, media_type: known.media_type, ..record });
        }
        let missing: Vec<Algorithm> =
            algorithms.iter().filter(|wanted| record.hashes.get(wanted.as_str()).is_none()).cloned().collect();
        let fetched = fetch(client, &record.uri, &missing, &self.source.cancel);
        let fetched = fetched.map_err(|why| Error::Unreadable(format!("{}: {why}", record.uri)))?;
        record.length = Some(fetched.length);
        record.media_type = record.media_type.or(fetched.media_type);
        record.lastmod = record.lastmod.or(fetched.modified);
        record.hashes = in_order(algorithms, &record.hashes, fetched.hash.as_deref());
        Ok(record)
    }

    /// True if a file need not be read again.
    fn is_as_before(&self, new: &Record, old: &Record) -> bool {
        let state = |record: &Record| (record.length, record.modified, record.changed, record.inode);
        let same = new.modified.is_some() && state(new) == state(old);
        let is_settled = |moment: i64| {
            let after = moment.checked_add(COARSE);
            self.before.zip(after).is_some_and(|(before, moment)| moment < before)
        };
        let settled = new.modified.is_some_and(is_settled) && new.changed.is_none_or(is_settled);
        let own: Vec<&str> = old.hashes.iter().map(|(name, _)| name).collect();
        let wanted: Vec<&str> = self.source.algorithms.iter().map(Algorithm::as_str).collect();
        // Digests that a table states replace those of the file.
        let is_stated = new.hashes.iter().all(|(name, digest)| old.hashes.get(name) == Some(digest));
        same && settled && own == wanted && is_stated && self.source.is_folder() && !self.rehash
    }
}

/// The algorithms of the published digests, if none of them is wanted any more.
fn former(old: &Record, wanted: &[Algorithm]) -> Vec<Algorithm> {
    let is_old = |algorithm: &&Algorithm| old.hashes.get(algorithm.as_str()).is_some();
    if wanted.is_empty() || wanted.iter().any(|algorithm| is_old(&algorithm)) {
        return Vec::new();
    }
    Algorithm::KNOWN.iter().filter(is_old).cloned().collect()
}

fn other_length(listed: u64, actual: u64) -> String {
    format!("the inventory states a length of {listed}, but the file has {actual}")
}
