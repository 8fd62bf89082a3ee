//! One run of a Destination, from the first document to the report, without I/O, clock or threads.
//!
//! 1. [`Destination::poll`] returns what the driver does next, until it returns [`Output::Done`].
//! 2. [`Output::Read`]: it sends the requests of [`Destination::documents`], and lets what it received be processed by
//!    [`Destination::take`]. [`Output::Transfer`]: it transfers each [`Destination::next_task`] and reports the result with
//!    [`Destination::transferred`] and [`Destination::placed`], or that of a version with [`Destination::version_transferred`] and
//!    [`Destination::version_kept`]. [`Output::Unpack`]: it reads each [`Destination::next_package`], takes the
//!    members that are [`Destination::wanted`], and reports them with [`Destination::supplied`] once the package is sound. [`Output::Remove`]: it removes the resources of [`Destination::due`] and
//!    reports each with [`Destination::removed`].
//! 3. [`Destination::handle`] takes the end of each of these, and decides what comes after it.
//! 4. [`Destination::conclude`] determines the outcome, and [`Destination::into_report`] returns the report.
//!
//! | file | what it decides |
//! | --- | --- |
//! | `flow` | what is read, transferred and removed, and what comes after it |
//! | `lists`, `listing` | what the Resource Lists make of each resource |
//! | [`following`] | the Change Lists of several sets |
//! | `changes` | what the last change of each resource makes of it |
//! | `related` | what entries link to, and is copied with them |
//! | `versions` | which versions are kept in the history |
//! | `transfers`, `task`, `queue` | what is transferred, and what its result means |
//! | `packages`, `supply` | what packages of dumps supply in place of transfers |
//! | `deletions` | what is deleted |
//! | [`notified`] | whether and how a notification is applied |
//! | `settings`, `declaration` | what the user decides, and its options for all faces |
//! | `state` | the state of the run, its report and its end |
//! | `files` | the interface to the files of the copy |
//!
//! What it knows of the copy is in a [`Ledger`] and in [`Files`].

mod changes;
mod declaration;
mod deletions;
mod files;
mod flow;
pub mod following;
mod listing;
mod lists;
pub mod notified;
mod packages;
mod queue;
mod related;
mod settings;
mod state;
mod supply;
mod task;
mod transfers;
mod versions;

pub use self::{
    declaration::{Declaration, SetText, Takes},
    files::{Files, Occupant},
    flow::{Input, Output},
    settings::{Fetching, MirrorChoice, Now, OPTIONS, Placing, PlanChoice, Reading, Setting, Settings},
    state::{Binding, Broken, Destination},
    task::{Placed, Task, Transferred, Version},
};
