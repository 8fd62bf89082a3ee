//! The heads of all fifteen kinds.

use alloc::string::String;

use super::{
    Document, Writing,
    entry::*,
    setters::{head_aspect, set_in},
};
use crate::{
    build::{BuildOptions, Refused},
    model::{AttributeValue, Field, Head, Kind, Link},
    value::{Datetime, Relation, Uri},
};

/// The single list of kinds: entry type, mandatory and optional values of each.
macro_rules! documents {
    ($(
        $(#[$doc:meta])*
        $name:ident of $entry:ident, links [$($argument:ident: $relation:ident)*], times [$($time:ident: $value:ident)*], may [$($aspect:ident)*]
    )*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name(Head);

        impl $name {
            /// The mandatory values.
            #[allow(clippy::new_without_default)] // the others have arguments
            pub fn new($($argument: Uri,)* $($time: Datetime),*) -> Self {
                #[allow(unused_mut)] // some have no attribute but their capability
                let mut head = Head::default();
                $(head.links.push(Link::new(Relation::$relation, $argument));)*
                $(set_in(&mut head.md, AttributeValue::$value(Field::new($time)));)*
                Self(head)
            }

            $(head_aspect!($aspect);)*

            /// Starts writing.
            ///
            /// # Errors
            ///
            /// If the root metadata is not valid.
            pub fn begin(self) -> Result<Writing<Self>, Refused> {
                self.begin_with(BuildOptions::default())
            }

            /// Starts writing with these options.
            ///
            /// # Errors
            ///
            /// If the root metadata is not valid for another reason.
            pub fn begin_with(self, options: BuildOptions) -> Result<Writing<Self>, Refused> {
                Writing::begin(self, options)
            }

            /// The whole document.
            ///
            /// # Errors
            ///
            /// If any part of the document is invalid.
            pub fn with(self, entries: impl IntoIterator<Item = $entry>) -> Result<String, Refused> {
                let mut writing = self.begin()?;
                entries.into_iter().try_for_each(|entry| writing.push(entry))?;
                writing.finish()
            }
        }

        impl Document for $name {
            type Entry = $entry;
            const KIND: Kind = Kind::$name;

            fn into_head(self) -> Head {
                self.0
            }
        }
    )*};
}

documents! {
    /// Lists the Capability Lists of a Source; described by a document about the Source.
    SourceDescription of CapabilityListEntry, links [describedby: DESCRIBEDBY], times [], may [index]
    /// Groups Source Descriptions.
    SourceDescriptionIndex of SourceDescriptionEntry, links [], times [], may [describedby]
    /// Lists the capabilities of one set of resources; up is the Source Description, described by a document about the set.
    CapabilityList of CapabilityEntry, links [up: UP describedby: DESCRIBEDBY], times [], may []
    /// Lists the resources of a set at a moment; up is the Capability List.
    ResourceList of Resource, links [up: UP], times [at: At], may [completed index]
    /// Groups Resource Lists; up is the Capability List.
    ResourceListIndex of SnapshotEntry, links [up: UP], times [at: At], may [completed]
    /// Lists packages of bitstreams; up is the Capability List.
    ResourceDump of Package, links [up: UP], times [at: At], may [completed index]
    /// Groups Resource Dumps; up is the Capability List.
    ResourceDumpIndex of SnapshotEntry, links [up: UP], times [at: At], may [completed]
    /// Lists the bitstreams of a package; up is the Capability List.
    ResourceDumpManifest of Bitstream, links [up: UP], times [at: At], may [completed]
    /// Lists the changes of an interval in the order they happened; up is the Capability List.
    ///
    /// ```
    /// use resourcesync::{build::{ChangeList, ResourceChange}, value::Uri};
    ///
    /// let up: Uri = "http://example.com/capabilitylist.xml".parse()?;
    /// let mut changes = ChangeList::new(up, "2024-05-01T00:00:00Z".parse()?).begin()?;
    /// changes.push(ResourceChange::deleted("http://example.com/1".parse()?).at("2024-05-02T09:00:00Z".parse()?))?;
    /// // Rejected: it is not in order. The document is unchanged.
    /// let earlier = ResourceChange::created("http://example.com/2".parse()?).at("2024-05-01T09:00:00Z".parse()?);
    /// assert_eq!(changes.push(earlier).unwrap_err().code(), "CL-13");
    /// assert_eq!(changes.finish()?.matches("<url>").count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ChangeList of ResourceChange, links [up: UP], times [from: From], may [until index]
    /// Groups Change Lists; up is the Capability List.
    ChangeListIndex of IntervalEntry, links [up: UP], times [from: From], may [until]
    /// Lists packages of changed bitstreams; up is the Capability List.
    ChangeDump of ChangePackage, links [up: UP], times [from: From], may [until index]
    /// Groups Change Dumps; up is the Capability List.
    ChangeDumpIndex of IntervalEntry, links [up: UP], times [from: From], may [until]
    /// Lists the changed bitstreams of a package; up is the Capability List.
    ChangeDumpManifest of ChangedBitstream, links [up: UP], times [from: From], may [until]
    /// Announces the changes of an interval.
    ChangeNotification of NotifiedChange, links [], times [from: From until: Until], may [up]
    /// Announces changes of ResourceSync documents.
    FrameworkNotification of FrameworkChange, links [], times [], may [up from until]
}
