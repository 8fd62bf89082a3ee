//! What happens while a run publishes.

use resourcesync::value::Change;

/// Something that happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// One more resource was read.
    Resource,
    /// A resource changed; only reported by a dry run.
    Change(Change, &'a str),
    /// Something is worth a look, and does not stop the run.
    Warning(&'a str),
    /// A resource cannot be read.
    Unreadable(&'a str),
}

/// Receives what happens, on the thread that publishes.
pub type OnEvent<'a> = &'a mut dyn FnMut(Event<'_>);
