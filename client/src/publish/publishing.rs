//! What a generation is published from: its options, and the previous one.

use resourcesync::{
    diagnostic::Severity,
    report::Selector,
    value::{Datetime, Uri},
};

use super::{Rotate, options::Channels, source::Source, state::State};
use crate::folder::Current;

/// The options of a generation.
pub(crate) struct Publishing<'a> {
    pub(crate) source: &'a Source<'a>,
    pub(crate) documents: Uri,
    pub(crate) at: Datetime,
    /// Its description; by default a generated page.
    pub(crate) describedby: Option<Uri>,
    pub(crate) dump: bool,
    pub(crate) new_dump: bool,
    /// The extension of documents.
    pub(crate) suffix: &'static str,
    pub(crate) rotate: Rotate,
    /// Number of closed Change Lists to keep.
    pub(crate) keep: Option<usize>,
    /// Findings to accept.
    pub(crate) ignore: &'a [Selector],
    pub(crate) fail_on: Severity,
    /// Notification channels.
    pub(crate) channels: Option<&'a Channels>,
    /// Leaves files that cannot be read out of a Resource Dump.
    pub(crate) skip_unreadable: bool,
}

/// The previous generation.
pub(crate) struct Before<'a> {
    pub(crate) current: &'a Current,
    pub(crate) state: &'a State,
}
