//! Keeps a folder in step with a Source (Z39.99-2017 §5.2).
//!
//! | file | what it does |
//! | --- | --- |
//! | `run` | one run from the lock to the report |
//! | `list` | documents of the Source to what is to be done |
//! | `transfer` | resources to verified files in staging, several at a time |
//! | `commit` | groups of verified files to their places, durably; recovery after a kill |
//! | `delete` | what is no longer listed, within the guard, to the trash |
//! | `copies` | the folder, reached by handles only |
//! | `ledger` | what is held, in SQLite |
//! | `audit` | the files compared with the ledger |

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
