//! Publications of changes that a program states: what they change, when, and which documents are written.

mod batch;
mod change_documents;
mod event;
mod event_times;
mod journal;
mod snapshot;
mod watch;

pub use self::{
    batch::{Batch, BatchCounts, Net, Unexpected},
    change_documents::{ChangeDocuments, Written},
    event::{Event, EventVerb},
    event_times::EventTimes,
    journal::{JOURNAL, Journal, TAKEN},
    snapshot::{LOG_BYTES, SinceSnapshot, Snapshot},
    watch::{Due, Watch, WatchTimes},
};
