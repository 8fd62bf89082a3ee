//! Reads one page of a repository: takes bytes and returns records and all other content.

mod assembly;
mod element;
mod ending;
mod held;
mod input;
mod item;
mod item_assembly;
mod markup;
mod order;
mod origin;
mod piece;
mod reader;
mod record;
mod recovery;
mod repair;
mod resume;
mod sniff;
mod tags;
mod values;

#[cfg(test)]
mod tests;

use resourcesync::xml::{Fault, FaultKind};

pub use self::{
    markup::{Markup, Name, Scope, digest},
    origin::Origin,
    piece::{Cut, DeletedRecord, Ending, ErrorCode, Head, Identify, MetadataFormat, OaiError, Piece, SetEntry, Token},
    reader::PageReader,
    record::{Change, Damage, Damaged, Header, Record, Repaired},
    repair::Repair,
    sniff::{Sniffed, SniffedKind},
};

pub(crate) use self::repair::KNOWN_PREFIXES;
pub(crate) use self::tags::root_attributes;

/// The namespace of OAI-PMH 2.0.
pub const OAI: &str = "http://www.openarchives.org/OAI/2.0/";

/// A short identifier of a fault: `XML-16`, the name of a limit, `encoding`.
pub(crate) fn fault_code(fault: &Fault) -> &'static str {
    match fault.kind {
        FaultKind::NotWellFormed(detail) => detail.code(),
        FaultKind::Limit(limit) => limit.as_str(),
        _ => "encoding",
    }
}
