//! Keeps a folder in step with a Source (Z39.99-2017 §5.2).
//!
//! | file | what it does |
//! | --- | --- |
//! | `bound` | a Source with the folder of its copy |
//! | `run` | one run from the lock to the report |
//! | `open` | the folder, its ledger and its locks |
//! | `fixed` | what the first run fixes, and the change of names |
//! | `selection` | which resources are copied |
//! | `jobs` | the plan to transfers, and their results to the ledger |
//! | `queue` | the plan, row by row |
//! | `results` | items, progress and the end of a run |
//! | `documents` | the documents that a machine asks for |
//! | `list` | Resource Lists of the Source to what is to be done |
//! | `sets` | Change Lists of each Capability List to the last change of each resource |
//! | `follow` | these changes to what is to be done |
//! | `direct` | the changes of a notification, before any list has them |
//! | `transfer` | resources to verified files in staging, several at a time |
//! | `budget` | the bytes that the transfers of a run may fetch |
//! | `commit` | groups of verified files to their places, durably; recovery after a kill |
//! | `delete` | what is no longer listed, within the guard, to the trash |
//! | `files`, `copies` | the folder, reached by handles only |
//! | `store` | bytes in a place of the program, instead of the folder |
//! | `ledger` | what is stored, planned and to be tried again, in SQLite |
//! | `applied` | these changes, with verified bytes, for the program |
//! | `inventory` | what is held, as the ledger records it |
//! | `audit` | the files compared with the ledger, and with the Source |

mod applied;
mod audit;
mod bits;
mod bound;
mod budget;
mod clock;
mod commit;
mod copies;
mod delete;
mod direct;
mod documents;
mod error;
mod files;
mod fixed;
mod follow;
mod inventory;
mod jobs;
mod ledger;
mod list;
mod open;
mod options;
mod queue;
mod results;
mod run;
mod selection;
mod sets;
mod store;
mod transfer;

pub use resourcesync_sync::audit::Sign;

pub use self::{
    applied::{AppliedChange, Changes, Content, changes, pending},
    audit::{Audit, AuditCounts, AuditOptions, AuditOutcome, Difference, audit, audit_with, fetch_again, undetermined},
    bound::Destination,
    direct::apply,
    error::SyncError,
    inventory::{Holding, inventory},
    open::source,
    options::{Event, Options, Phase, PlanChoice, Progress},
    results::damaged,
    run::sync,
    selection::Selection,
    store::{CopyStore, Keep},
};
