//! The changes that a notification lists.

use alloc::{sync::Arc, vec::Vec};

use resourcesync::{
    api::plain,
    limits::Limits,
    model::{Document, Entry},
    read,
    value::Datetime,
};

/// The entries of a valid notification, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Changes(Arc<[Entry]>);

impl Changes {
    /// Those of a document that was validated before.
    pub(crate) fn read(document: &[u8]) -> Changes {
        // What was validated completely can be read completely.
        read::document(document, &Limits::default(), &mut ()).map(Changes::from).unwrap_or_default()
    }

    /// The entries.
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// As plain values.
    pub fn plain(&self) -> Vec<plain::Entry> {
        self.0.iter().map(plain::Entry::from).collect()
    }

    /// The datetime of the last one.
    pub fn last(&self) -> Option<&Datetime> {
        let moments = self.0.iter().filter_map(|entry| entry.first_md()?.attributes.datetime()?.value());
        moments.max_by_key(|moment| moment.start())
    }
}

impl From<Document> for Changes {
    fn from(document: Document) -> Changes {
        Changes(document.entries.into())
    }
}
