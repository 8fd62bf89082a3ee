//! The administration: its server next to the hub, its page, and its client for the command.

mod answers;
mod client;
mod guard;
mod page;
mod server;

pub use self::client::request;
pub(crate) use self::server::{Access, Admin};
