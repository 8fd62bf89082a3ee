//! The records of one repository in a folder, and everything needed to harvest it again.
//!
//! | name | what it is |
//! | --- | --- |
//! | `harvest.toml` | what is harvested, as configured |
//! | `state.json` | where the last run ended, and where the next one begins |
//! | `catalogue.jsonl` | one line a record, sorted: identifier, format, datestamp, status, digest, sets, place |
//! | `records/`, `records-000001.jsonl.gz` | the metadata, by record or by run |
//! | `quarantine/` | damaged records, and what is wrong with them |
//! | `proofs/` | what each run proves |
//! | `run/` | the journal of the run at work, or of one that goes on later |
//! | `lock` | held by the run at work |
//!
//! Records go to the journal first. At the end of a run the journal is merged: new files, then the catalogue, then `state.json`, which makes
//! the merge count; a merge that was interrupted is done again, with the same result.

mod catalogue;
mod config;
mod journal;
mod merge;
mod names;
mod output;
mod quarantine;
mod run;
mod state;

pub use self::{
    catalogue::{Catalogue, Entry, EntryStatus},
    config::{Config, Storage},
    merge::Counts,
    names::short_digest,
    quarantine::Quarantined,
    run::{Run, StoreOptions},
    state::State,
};
