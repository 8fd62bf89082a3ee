//! Documents named by URL, from servers of every kind.

mod follow;
mod hostile;
mod packages;
mod polite;
mod private;
mod recording;
mod resources;
pub(crate) mod tls;
mod topics;
