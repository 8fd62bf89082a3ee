//! The log of repairs, with their positions in the source.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use crate::{named_enum, span::Span};

named_enum! {
    /// Kinds of repairs.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum RepairKind {
        /// A misspelt namespace name.
        Namespace = "namespace",
        /// The head was moved before the entries.
        Head = "head",
        /// An attribute of the standard without a prefix.
        Prefix = "prefix",
        /// A value with a certain meaning, respelled as in the standard.
        Spelling = "spelling",
        /// A full datetime in UTC.
        Utc = "utc",
        /// A datetime with the specified time zone.
        Zone = "zone",
        /// A relation renamed as in the standard.
        Relation = "relation",
        /// Entries sorted in chronological order.
        Order = "order",
    }
}

/// One repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// Its kind.
    pub idea: RepairKind,
    /// Its path, as in reports.
    pub path: String,
    /// Its position in the source.
    pub span: Span,
    /// The original text.
    pub before: String,
    /// The replacement.
    pub after: String,
}

/// An edit of the text that makes a repair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Edit {
    /// Replaces this range.
    Text(Span, String),
    /// Removes the prefix of this attribute; its length includes the colon.
    Unprefix(Span, usize),
    /// Replaces this namespace name.
    Namespace(String, &'static str),
    /// Moves this element of the head before the entries.
    Raise(Span),
    /// Reorders the entries, by their previous positions.
    Permute(Vec<usize>),
}

/// Repairs and the corresponding edits.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) repairs: Vec<Repair>,
    pub(super) edits: Vec<Edit>,
}

impl Log {
    pub(super) fn add(&mut self, repair: Repair, edit: Edit) {
        self.repairs.push(repair);
        self.edits.push(edit);
    }

    /// Logs the new spelling of a value.
    pub(super) fn value(&mut self, idea: RepairKind, path: String, span: Span, (before, after): (&str, &str)) {
        // A value repaired in two steps counts as one repair.
        if let (Some(last), Some(Edit::Text(place, text))) = (self.repairs.last_mut(), self.edits.last_mut())
            && place.start.offset == span.start.offset
            && last.path == path
        {
            (last.idea, last.after, *text) = (idea, after.to_string(), after.to_string());
            return;
        }
        let repair = Repair { idea, path, span, before: before.to_string(), after: after.to_string() };
        self.add(repair, Edit::Text(span, after.to_string()));
    }

    pub(super) fn finish(mut self) -> Vec<Repair> {
        self.repairs.sort_by_key(|repair| repair.span.start.offset);
        self.repairs
    }
}
