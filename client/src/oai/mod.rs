//! Harvests OAI-PMH repositories: drives the state machine of `resourcesync-oai`, and writes records to an
//! output or a store.

pub mod bridge;
mod check;
mod clock;
mod driver;
mod error;
mod line;
mod pages;
mod store;

pub use self::{
    check::{CheckStep, check, check_file},
    clock::{Clock, SkippingClock, SystemClock},
    driver::{Sink, Step, drive},
    error::HarvestError,
    line::Line,
    pages::Pages,
    store::{
        Catalogue, Config, Counts, Entry, EntryStatus, Items, Quarantined, Run, State, Storage, StoreOptions, Texts,
    },
};
