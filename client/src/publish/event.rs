//! Events of a run that publishes.

use resourcesync::{publish::Change, value::Change as Verb};

use super::Warning;

/// An event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// One more resource was read.
    Resource,
    /// A resource changed; only reported by a dry run.
    Change(Verb, &'a str),
    /// A change was added to a Change List, which is published if the run succeeds.
    Listed(&'a Change),
    /// A warning, which does not stop the run.
    Warning(&'a Warning),
    /// A resource cannot be read.
    Unreadable(&'a str),
}

/// Receives events, on the thread that publishes.
pub type OnEvent<'a> = &'a mut dyn FnMut(Event<'_>);
