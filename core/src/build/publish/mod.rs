//! Publishes a whole Source: lists, dumps, and the documents that link them.

mod change_lists;
mod dump;
mod files;
mod history;
mod layout;
mod publication;
mod resource_lists;
mod settings;
mod store;

pub use history::{ChangeHistory, DumpHistory, Interval, Opened, PackageRecord};
pub use publication::{Publication, Published, PublishedDocument, PublishedSet};
pub use settings::Settings;
pub use store::{MemoryStore, Outbox, Output, Store};
