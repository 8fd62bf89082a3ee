//! What is known of the repository.

use alloc::{
    boxed::Box,
    collections::BTreeSet,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};

use crate::{
    page::{Header, Identify, MetadataFormat},
    stamp::{Granularity, Stamp},
};

/// What is known of the repository.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub(super) identify: Option<Box<Identify>>,
    /// The number of the response to `Identify` in the report.
    pub(super) identify_input: u64,
    /// When the check began, by the clock of the repository.
    pub(super) start: Option<Stamp>,
    pub(super) formats: Vec<MetadataFormat>,
    /// The sets, if their list was read to its end.
    pub(super) sets: Option<Arc<BTreeSet<String>>>,
    pub(super) listed_sets: BTreeSet<String>,
    /// True once a response was compressed with gzip.
    pub(super) is_gzipped: bool,
    /// True once a response that could have been compressed was long enough to be.
    pub(super) was_long: bool,
    /// A record that is not deleted.
    pub(super) record: Option<Header>,
    /// Some record, for requests about dates and sets.
    pub(super) any: Option<Header>,
    /// The last record that was listed, and a deleted one.
    pub(super) last: Option<Header>,
    pub(super) deleted: Option<Header>,
}

impl Known {
    pub(super) fn granularity(&self) -> Option<Granularity> {
        self.identify.as_ref()?.granularity().map(|(granularity, _)| granularity)
    }

    pub(super) fn earliest(&self) -> Option<Stamp> {
        self.identify.as_ref()?.earliest_datestamp.as_ref()?.stamp
    }

    /// True for a format that the repository lists, or if it lists none.
    pub(super) fn offers(&self, prefix: &str) -> bool {
        self.formats.is_empty() || self.formats.iter().any(|format| format.prefix.as_deref() == Some(prefix))
    }

    /// The format of all lists: `oai_dc`, or another one if it is not offered.
    pub(super) fn prefix(&self) -> String {
        let first = self.formats.iter().find_map(|format| format.prefix.clone());
        match first {
            Some(first) if !self.offers("oai_dc") => first,
            _ => "oai_dc".to_string(),
        }
    }

    /// The namespace that is declared for a format.
    pub(super) fn namespace(&self, prefix: &str) -> Option<String> {
        let own = self.formats.iter().find(|format| format.prefix.as_deref() == Some(prefix))?;
        own.namespace.clone().filter(|namespace| !namespace.is_empty())
    }

    /// True if a record may have been changed during the check, so that differences prove nothing.
    pub(super) fn may_have_changed(&self, header: &Header) -> bool {
        let stamp = header.datestamp.as_ref().and_then(|own| own.stamp);
        match (stamp, self.start) {
            (Some(stamp), Some(start)) => stamp.last_second() >= start.unix(),
            _ => false,
        }
    }

    /// Remembers the headers of a page.
    pub(super) fn remember(&mut self, headers: &[Header]) {
        for header in headers {
            if header.is_deleted {
                self.deleted.get_or_insert_with(|| header.clone());
            } else {
                self.record.get_or_insert_with(|| header.clone());
                self.last = Some(header.clone());
            }
            let is_old = header.datestamp.as_ref().is_some_and(|own| own.is_exact) && !self.may_have_changed(header);
            if is_old && !header.identifier.is_empty() {
                let has_subset = |own: &Header| own.sets.iter().any(|set| set.contains(':'));
                let is_better = self.any.as_ref().is_none_or(|any| !has_subset(any) && has_subset(header));
                if is_better {
                    self.any = Some(header.clone());
                }
            }
        }
    }
}
