//! Publishes stated changes, in proportion to their number.

mod announcements;
mod apply;
mod disk;
mod in_place;
#[cfg(test)]
#[allow(clippy::panic, clippy::unwrap_used, clippy::indexing_slicing)]
mod killed;
mod run;
mod snapshot;
mod staging;

pub use self::run::{Changes, Events, publish_changes, remembered_hubs};
