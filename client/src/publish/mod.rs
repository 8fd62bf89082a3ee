//! Publishes a folder or an inventory as a Source, and the changes in later runs.
//!
//! A run reads all resources, compares them with those of the previous generation, writes a complete new generation next to the published
//! folder, and exchanges the two in one step.

mod about_page;
mod bitstreams;
mod change;
mod compare;
mod digests;
mod dump;
mod entry;
mod error;
mod event;
mod files;
mod folder;
mod folder_store;
mod generation;
mod grouped;
mod inventory;
mod metadata;
mod moment;
mod names;
mod notifications;
mod options;
mod outcome;
mod packages;
mod publishing;
mod rebuild;
mod record;
mod resource_list_input;
mod run;
mod source;
mod spool;
mod state;
mod types;
mod update;
mod warning;

pub use resourcesync::build::{Amount, Guard, Rotate};

pub use resourcesync::glob::Glob;

pub use self::{
    change::Change,
    compare::{Pair, pairs},
    dump::{DumpOptions, dump},
    entry::plain_change,
    error::{Dropped, Error},
    event::{Event, OnEvent},
    folder::FileSelection,
    folder_store::{FolderStore, SetHistory},
    inventory::{Form, Inventory},
    moment::change_moment,
    names::encode as uri_of,
    options::{Channels, Collected, Options, Origin, Resources},
    outcome::{Outcome, Summary},
    rebuild::{Verified, rebuild_state, verify_state},
    record::Record,
    resource_list_input::{ListHead, read as read_resources},
    run::publish,
    source::check_set,
    spool::Spool,
    types::media_type,
    warning::{Exclusion, Warning},
};
