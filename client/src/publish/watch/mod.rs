//! Watches a folder, and publishes what changes in it. When is decided by [`resourcesync::publish::Watch`].

mod noticed;
mod run;

pub use self::run::{WatchOptions, Watching, watch};
