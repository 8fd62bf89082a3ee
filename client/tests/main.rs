//! The tests of copies that need no process of their own, as one program: linking is most of the work.

// Helpers of tests, too.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod applied;
mod change_dumps;
mod dump;
mod dumps;
mod dumps_only;
mod history;
mod mirrors;
mod moves;
mod notified;
mod originals;
mod patches;
mod related;
mod resume;
mod source;
mod sync;
mod sync_documents;
mod sync_options;
mod sync_sets;
mod transfers;
mod whole;
