//! The record of a resource in a run, in inventories and in the state: one line of JSON.

use alloc::{borrow::ToOwned, collections::BTreeSet, string::String, vec::Vec};
use core::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::{
    api::plain::{self, Digests, Link},
    build::is_same_version,
    model::{Entry, Shape},
};

/// One resource.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Record {
    /// Its URI.
    pub uri: String,
    /// Its set; empty if there is only one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub set: String,
    /// The path of its bitstream; for a resource of the folder derived from the URI.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its length in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// When it was last modified.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lastmod: Option<String>,
    /// Its media type.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Its content coding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// How often it changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changefreq: Option<String>,
    /// Its priority, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<String>,
    /// Elements of other namespaces, as XML.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub elements: Vec<String>,
    /// Its digests.
    #[serde(skip_serializing_if = "Digests::is_empty")]
    pub hashes: Digests,
    /// Its links.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<Link>,
    /// Modification time of the file in nanoseconds since 1970, to detect whether it must be read again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modified: Option<i64>,
    /// Time of the last change of the file or its attributes (ctime) in nanoseconds since 1970; unlike `modified`, programs
    /// cannot set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<i64>,
    /// The inode number, to detect another file moved to this path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inode: Option<u64>,
    /// Its line in the inventory.
    #[serde(skip_serializing_if = "is_zero")]
    pub line: u64,
    /// It was rejected: it is not published, and what is published of it stays.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub refused: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it; it fires on 64-bit targets only
fn is_zero(line: &u64) -> bool {
    *line == 0
}

impl Record {
    /// Uses the published record if nothing differs, so that lists of resources and of changes agree.
    #[must_use]
    pub fn unchanged(self, old: Record) -> Record {
        let Record { file, hashes, modified, changed, inode, line, .. } = self;
        Record { file, hashes, modified, changed, inode, line, ..old }
    }

    /// The sort key of resources.
    #[must_use]
    pub fn key(&self) -> (&str, &str) {
        (&self.set, &self.uri)
    }

    /// Its approximate size in memory.
    #[must_use]
    pub fn size(&self) -> usize {
        let texts =
            [&self.lastmod, &self.media_type, &self.encoding].into_iter().flatten().map(String::len).sum::<usize>();
        let digests = self.hashes.iter().map(|(name, digest)| name.len().saturating_add(digest.len())).sum::<usize>();
        let links = self.links.len().saturating_mul(300);
        [self.uri.len(), self.set.len(), texts, digests, links].into_iter().fold(0, usize::saturating_add)
    }

    /// The order of inventories: by set and URI.
    #[must_use]
    pub fn order(&self, other: &Record) -> Ordering {
        self.key().cmp(&other.key())
    }

    /// Its entry in a Resource List.
    #[must_use]
    pub fn entry(&self) -> Entry {
        self.plain().to_model(Shape::UrlSet)
    }

    /// Its entry as a plain value.
    #[must_use]
    pub fn plain(&self) -> plain::Entry {
        plain::Entry {
            uri: self.uri.clone(),
            lastmod: self.lastmod.clone(),
            hashes: self.hashes.clone(),
            length: self.length,
            media_type: self.media_type.clone(),
            encoding: self.encoding.clone(),
            changefreq: self.changefreq.clone(),
            priority: self.priority.clone(),
            elements: self.elements.clone(),
            links: self.links.clone(),
            ..plain::Entry::default()
        }
    }

    /// True if a harvester must fetch the resource or its description again.
    #[must_use]
    pub fn differs(&self, other: &Record) -> bool {
        // Most resources are equal in every field, which is a cheap test.
        let is_alike = self.lastmod == other.lastmod
            && self.length == other.length
            && self.hashes == other.hashes
            && self.media_type == other.media_type
            && self.encoding == other.encoding
            && self.links == other.links;
        // Without digests, a file that was written again within a second has the same time in documents.
        let is_rewritten = || {
            self.hashes.iter().next().is_none()
                && self.modified.zip(other.modified).is_some_and(|(own, other)| own != other)
        };
        is_alike && is_rewritten() || !is_alike && !is_same_version(&other.entry(), &self.entry())
    }

    /// True if what was stated of a resource takes the place of what is published: also what is no other version of it, such as a digest of another
    /// algorithm, or none any more.
    #[must_use]
    pub fn replaces(&self, published: &Record) -> bool {
        let names =
            |record: &Record| record.hashes.iter().map(|(name, _)| name.to_owned()).collect::<BTreeSet<String>>();
        self.differs(published)
            || names(self) != names(published)
            || self.changefreq != published.changefreq
            || self.priority != published.priority
            || self.elements != published.elements
    }
}

impl From<plain::Entry> for Record {
    fn from(entry: plain::Entry) -> Record {
        let plain::Entry {
            uri,
            lastmod,
            hashes,
            length,
            media_type,
            encoding,
            changefreq,
            priority,
            elements,
            links,
            ..
        } = entry;
        Record {
            uri,
            lastmod,
            hashes,
            length,
            media_type,
            encoding,
            changefreq,
            priority,
            elements,
            links,
            ..Record::default()
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloc::format;

    use super::*;

    fn record(json: &str) -> Record {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn what_a_harvester_would_notice_is_a_difference() {
        let md5 = "0cc175b9c0f1b6a831c399e269772661";
        let described = |hashes: &str| {
            record(&format!(
                r#"{{"uri":"http://example.com/a","length":1,"lastmod":"2024-01-01T00:00:00Z","hashes":{{{hashes}}}}}"#
            ))
        };
        let old = described(&format!(r#""md5":"{md5}""#));
        let touched = Record { lastmod: Some("2024-02-02T00:00:00Z".into()), ..old.clone() };
        assert!(!touched.differs(&old), "the digest says it is the same");
        assert!(Record { length: Some(2), ..old.clone() }.differs(&old));
        let sha = "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8";
        let more = described(&format!(r#""md5":"{md5}","sha-1":"{sha}""#));
        assert!(!more.differs(&old), "another algorithm is no change");
        let undigested = Record { hashes: Digests::default(), ..touched };
        assert!(undigested.differs(&old));
    }
}
