//! The store of a hub: durable at every commit.

mod address;
mod any;
mod error;
mod migrate;
#[cfg(feature = "postgres")]
mod postgres;
mod sqlite;
mod store;

#[cfg(feature = "postgres")]
pub use self::postgres::PostgresLedger;
#[cfg(feature = "postgres")]
pub(crate) use self::postgres::{Wake, wake};
pub use self::{
    address::StoreAddress,
    any::AnyStore,
    error::{LedgerError, StoreError},
    migrate::migrate,
    sqlite::{SqliteLedger, back_up},
    store::{Counts, Store, TopicCounts, Transaction},
};
