//! Records, their headers, and damaged records.

use alloc::{boxed::Box, string::String, sync::Arc, vec::Vec};

use resourcesync::{
    read::fault_text,
    span::Span,
    xml::{Fault, FaultKind, LimitKind},
};
use serde::{Deserialize, Serialize};

use super::{markup::Markup, origin::Origin};
use crate::{bytes::Bytes, catalogue::Code, limits::PageLimit, stamp::Datestamp};

/// The header of a record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Header {
    /// The identifier of the item, without surrounding white space.
    pub identifier: String,
    /// The time of creation, change or deletion; `None` if missing.
    pub datestamp: Option<Datestamp>,
    /// `setSpec`, in the order of the header.
    pub sets: Vec<String>,
    /// `status="deleted"`
    pub is_deleted: bool,
    /// Elements that the protocol does not define.
    pub extra: Vec<Markup>,
}

impl Header {
    /// True if the record is in the set or in one of its subsets (OAI-PMH 2.0 §2.6).
    pub fn is_in(&self, set: &str) -> bool {
        self.sets.iter().any(|own| own.strip_prefix(set).is_some_and(|rest| rest.is_empty() || rest.starts_with(':')))
    }
}

/// A record.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its header.
    pub header: Header,
    /// The metadata; `None` for a deleted record.
    pub metadata: Option<Markup>,
    /// The contents of `about`.
    pub about: Vec<Markup>,
    /// Its number in the page, from 1, including damaged records.
    pub number: u64,
    /// Its position in the page.
    pub span: Span,
    /// The whole record, as sent.
    pub raw: Bytes,
}

/// An unusable list item.
#[derive(Debug, Clone, PartialEq)]
pub struct Damaged {
    /// Its bytes, up to where reading resumed.
    pub raw: Bytes,
    /// The defect.
    pub why: Damage,
    /// Its identifier, if readable.
    pub identifier: Option<String>,
    /// Its number in the page, from 1.
    pub number: u64,
    /// Its position in the page.
    pub span: Span,
    /// Its context, for reading it again; `None` if that would not help.
    pub origin: Option<Arc<Origin>>,
    /// The repaired record, if the plan of a harvest permits the repair. The page reader itself repairs nothing.
    pub repaired: Option<Box<Repaired>>,
}

/// The defect of an item.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Damage {
    /// The item is not well-formed, or exceeds a limit of the XML reader.
    Fault(Fault),
    /// This element is missing.
    Missing(&'static str),
    /// This element occurs several times but is allowed once.
    Several(&'static str),
    /// The item exceeds this limit.
    Limit(PageLimit),
}

impl Damage {
    /// The reason in one line, in English.
    pub fn reason(&self) -> String {
        match self {
            Damage::Fault(fault) => fault_text(fault),
            Damage::Missing(part) => alloc::format!("the record has no `{part}`"),
            Damage::Several(part) => alloc::format!("the record has several `{part}` elements"),
            Damage::Limit(limit) => alloc::format!("the record is beyond the limit {}", limit.as_str()),
        }
    }

    /// The code of the limit that the item exceeds, if it does.
    pub fn limit(&self) -> Option<Code> {
        match self {
            Damage::Limit(PageLimit::RecordBytes) => Some(Code::LIM_41),
            Damage::Limit(PageLimit::HeaderValues) => Some(Code::LIM_43),
            Damage::Limit(PageLimit::SetsPerRecord) => Some(Code::LIM_44),
            Damage::Limit(PageLimit::Abouts) => Some(Code::LIM_45),
            Damage::Limit(PageLimit::TokenBytes) => Some(Code::LIM_46),
            Damage::Fault(Fault { kind: FaultKind::Limit(LimitKind::Depth), .. }) => Some(Code::LIM_42),
            Damage::Fault(_) | Damage::Missing(_) | Damage::Several(_) => None,
        }
    }

    /// A short identifier for data: `XML-16`, `missing`, `several`, or the name of a limit.
    pub fn code(&self) -> &'static str {
        match self {
            Damage::Fault(fault) => crate::page::fault_code(fault),
            Damage::Missing(_) => "missing",
            Damage::Several(_) => "several",
            Damage::Limit(limit) => limit.as_str(),
        }
    }
}

/// A repaired record.
#[derive(Debug, Clone, PartialEq)]
pub struct Repaired {
    /// The record after the repairs.
    pub record: Record,
    /// The changes, in the order of the record.
    pub changes: Vec<Change>,
}

/// A change to a damaged record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The byte offset in the damaged record.
    pub offset: u64,
    /// The original: a character, a reference, bytes.
    pub was: String,
    /// The replacement; empty if removed.
    pub now: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_in_the_sets_above_its_own() {
        let header = Header { sets: alloc::vec!["aaa:bbb".into(), "c".into()], ..Header::default() };
        for (set, is_in) in
            [("aaa", true), ("aaa:bbb", true), ("aa", false), ("aaa:bbb:d", false), ("c", true), ("bbb", false)]
        {
            assert_eq!(header.is_in(set), is_in, "{set}");
        }
    }
}
