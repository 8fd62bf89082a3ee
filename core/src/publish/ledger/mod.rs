//! The ledger: the published resources as a sorted *base* that is searched by blocks, and a *log* of the publications since it was written.

mod block_index;
mod group;
mod log;
mod merged;
mod published;
mod recovery;

pub use self::{
    block_index::{Block, BlockIndex, BlockIndexWriter, INDEX},
    group::{Group, SetUpdate},
    log::{LOG, LogReader},
    merged::{Overlay, merged},
    published::{Found, Ledger, OpenChanges},
    recovery::{Recovery, staged, staged_number},
};
