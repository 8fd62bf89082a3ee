//! Keeps a folder in step with a Source (Z39.99-2017 §5.2).
//!
//! | file | what it does |
//! | --- | --- |
//! | `run` | one run from the lock to the report |
//! | `list` | builds the plan from the documents of the Source |
//! | `transfer` | fetches resources to verified files in staging, concurrently |
//! | `commit` | places verified files in durable groups; recovers after a kill |
//! | `delete` | moves resources that are no longer listed to the trash, within the guard |
//! | `copies` | the folder, accessed by directory handles only |
//! | `ledger` | the state of the copy, in SQLite |
//! | `audit` | compares the files with the ledger |

mod audit;
mod commit;
mod copies;
mod delete;
mod error;
mod ledger;
mod list;
mod options;
mod run;
mod transfer;

pub use self::{
    audit::{Audit, Difference, Sign, audit},
    error::SyncError,
    options::{Event, Options, Phase, Progress},
    run::{source, sync},
};
