//! Documents named by URL, from servers of every kind.

mod hostile;
mod polite;
mod private;
mod recording;
pub(crate) mod server;
mod tls;
