//! Publishes a folder or an inventory as a Source, and the changes in later runs.
//!
//! A run reads all resources, compares them with those of the previous generation, writes a complete new generation next to the published
//! folder, and exchanges the two in one step. [`publish_changes`] publishes stated changes: unless a snapshot is due, it replaces the
//! Change Lists of the published folder and appends to the log of its state. [`watch`] publishes what changes in a folder.

mod bitstreams;
mod changed;
mod changes;
mod compare;
mod contents;
mod digests;
mod dump;
mod error;
mod event;
mod event_intake;
mod files;
mod folder;
mod folder_store;
mod folder_table;
mod generation;
mod grouped;
mod inventory;
mod journal;
mod known;
mod lock;
mod metadata;
mod moment;
mod names;
mod new_generation;
mod new_inventory;
mod notifications;
mod options;
mod outcome;
mod packages;
mod publishing;
mod rebuild;
mod resource_list_input;
mod run;
mod sitemap;
mod sorted;
mod source;
mod sources;
mod spool;
mod state_files;
mod types;
mod update;
mod warning;
mod watch;

pub use resourcesync::{
    build::{Amount, Guard, Rotate},
    publish::{
        BatchCounts, Change, Event as StatedChange, EventVerb, Pair, Record, Remembered, Snapshot, State, check_set,
    },
};

pub use resourcesync::glob::Glob;
pub use resourcesync_notify::publication::Channels;

pub(crate) use self::state_files::version;
pub use self::{
    changes::{Changes, Events, publish_changes, remembered_channels},
    compare::pairs,
    contents::{Contents, Take as TakeContent, Wanted},
    dump::{DumpOptions, dump},
    error::{Dropped, Error},
    event::{Event, OnEvent},
    event_intake::EventIntake,
    folder::FileSelection,
    folder_store::{FolderStore, SetHistory},
    folder_table::Unlisted,
    inventory::{Form, Ignored, Inventory, Table, TextEncoding, Zone, check_quotes, decode},
    journal::Journal,
    lock::lock,
    names::encode as uri_of,
    options::{Collected, Options, Origin, Resources},
    outcome::{Outcome, Summary},
    rebuild::{Verified, rebuild_state, verify_state},
    resource_list_input::{ListHead, read as read_resources},
    run::{Begun, publish},
    sitemap::Sitemap,
    sources::{describe_sources, sources_uri},
    spool::Spool,
    types::media_type,
    warning::{Exclusion, Warning},
    watch::{WatchOptions, Watching, watch},
};
