//! The records of one repository in a folder, and everything needed to harvest it again.
//!
//! | name | what it is |
//! | --- | --- |
//! | `harvest.toml` | what is harvested, as configured |
//! | `state.json` | where the last run ended, and where the next one begins |
//! | `catalogue.jsonl` | one line per record, sorted: identifier, format, datestamp, status, digest, sets, path |
//! | `records/`, `records-000001.jsonl.gz` | the metadata, by record or by run |
//! | `quarantine/` | damaged records, and their problems |
//! | `proofs/` | the proof of each run |
//! | `run/` | the journal of the current run, or of one to be resumed; `merging` while records are stored |
//! | `lock` | held by the current run |
//!
//! Records are written to the journal first. At the end of a run the journal is merged: new files, then the catalogue, then `state.json`,
//! which commits the merge. An interrupted merge is repeated with the same result.

mod catalogue;
mod config;
mod items;
mod journal;
mod merge;
mod output;
mod quarantine;
mod run;
mod state;
mod texts;

pub use self::{
    catalogue::{Catalogue, Entry, EntryStatus},
    config::{Config, Storage},
    items::Items,
    merge::Counts,
    quarantine::Quarantined,
    run::{Run, StoreOptions},
    state::State,
    texts::Texts,
};
