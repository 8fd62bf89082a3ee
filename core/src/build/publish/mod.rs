//! Publishes a whole Source: lists, dumps, and the documents that link them.

mod about_page;
mod change_lists;
mod dump;
mod files;
mod guard;
mod history;
mod layout;
mod moment;
mod publication;
mod resource_lists;
mod rotate;
mod settings;
mod store;

pub use about_page::about_page;
pub use files::PublishedDocument;
pub use guard::{Amount, Effect, Guard};
pub use history::{ChangeHistory, DumpHistory, Interval, Opened, PackageRecord};
pub use moment::change_moment;
pub use publication::{Publication, Published, PublishedSet};
pub use rotate::Rotate;
pub use settings::Settings;
pub use store::{MemoryStore, Outbox, Output, Store};
