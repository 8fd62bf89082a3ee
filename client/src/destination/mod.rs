//! Keeps a folder in step with a Source (Z39.99-2017 §5.2).
//!
//! | file | what it does |
//! | --- | --- |
//! | `bound` | a Source with the folder of its copy |
//! | `synchronize` | a run on a folder |
//! | `whole` | the same on its next generation, which takes its place in one step |
//! | `run` | the driver of a run: does what [`resourcesync_sync::Destination`] asks for |
//! | `open`, `binding` | the folder, its ledger and its locks; what the first run fixes |
//! | `handover` | runs of several machines on one store |
//! | `documents` | the requests of documents |
//! | `speed` | how fast servers respond |
//! | `fetch` | resources to verified files in staging, several at a time |
//! | `unpack` | packages of dumps to verified files in staging |
//! | `folder` | verified files to their places, durably; deleted ones to the trash |
//! | `ledger` | what is stored, planned and to be tried again, in SQLite |
//! | `direct` | the changes of a notification, before any list has them |
//! | `applied` | the changes of a run, with verified bytes, for the program |
//! | `streaming` | Change Lists as a stream, and the slices of its batches |
//! | `inventory` | what is stored, as the ledger records it |
//! | `audit` | the files compared with the ledger, and with the Source |
//!
//! What is decided about a run is decided in `sync`; this room has the network, the files and the ledger.

mod applied;
mod audit;
mod binding;
mod bound;
mod clock;
mod direct;
mod documents;
mod error;
mod fetch;
mod folder;
mod handover;
mod inventory;
mod ledger;
mod open;
mod options;
mod run;
mod speed;
mod streaming;
mod synchronize;
mod unpack;
mod whole;

pub use resourcesync_sync::{
    audit::Sign,
    destination::{PlanChoice, Settings},
    selection::Selection,
};

pub use self::{
    applied::{AppliedChange, Changes, Content, changes, pending},
    audit::{
        Audit, AuditCounts, AuditHead, AuditOptions, AuditOutcome, Compared, Difference, audit, audit_with,
        fetch_again, undetermined,
    },
    bound::Destination,
    direct::apply,
    error::{SyncError, damaged, no_run},
    folder::{Beginning, CopiedResource, CopyStore, Keep, Latest, StoredBytes},
    inventory::{Inventoried, Republished, VIA, inventory},
    open::{kept_at, related, source},
    options::{Event, Options, Phase, Progress},
    streaming::{advance, has_slice},
    synchronize::sync,
};
