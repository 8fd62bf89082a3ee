//! What a generation is published from: its options, and the previous one.

use resourcesync::publish::{Plan, State};
use resourcesync_notify::publication::Channels;

use super::{known::Known, source::Source};
use crate::folder::Current;

/// The options of a generation.
pub(crate) struct Publishing<'a> {
    pub(crate) source: &'a Source<'a>,
    pub(crate) plan: Plan,
    pub(crate) dump: bool,
    pub(crate) new_dump: bool,
    /// Notification channels.
    pub(crate) channels: Option<&'a Channels>,
    /// Leaves files that cannot be read out of a Resource Dump.
    pub(crate) skip_unreadable: bool,
}

/// The previous generation.
pub(crate) struct Before<'a> {
    pub(crate) current: &'a Current,
    pub(crate) known: &'a Known,
    pub(crate) state: &'a State,
}

impl<'a> Before<'a> {
    pub(crate) fn new(current: &'a Current, known: &'a Known) -> Before<'a> {
        Before { current, known, state: &known.ledger.state }
    }
}
