//! Publishes stated changes, in proportion to their number.

mod apply;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod concurrent;
mod disk;
mod in_place;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod killed;
#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod random_events;
#[cfg(test)]
#[allow(clippy::panic, clippy::unwrap_used)]
mod reader;
mod run;
mod snapshot;
mod staging;
mod stated;

pub(super) use self::run::publish_journal;
pub use self::{
    run::{publish_changes, remembered_channels},
    stated::{Changes, Events},
};
