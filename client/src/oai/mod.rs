//! Harvests OAI-PMH repositories: drives the machine of `resourcesync-oai`, passes records on or stores them.

mod clock;
mod driver;
mod error;
mod line;
mod pages;
mod store;

pub use self::{
    clock::{Clock, SkippingClock, SystemClock},
    driver::{Sink, Step, drive},
    error::HarvestError,
    line::Line,
    pages::Pages,
    store::{
        Catalogue, Config, Counts, Entry, EntryStatus, Quarantined, Run, State, Storage, StoreOptions, short_digest,
    },
};
