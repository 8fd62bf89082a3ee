//! The store of a hub: durable at every commit.

mod any;
mod error;
mod sqlite;
mod store;

pub use self::{
    any::AnyStore,
    error::{LedgerError, StoreError},
    sqlite::{SqliteLedger, back_up},
    store::{Counts, Store, TopicCounts, Transaction},
};
