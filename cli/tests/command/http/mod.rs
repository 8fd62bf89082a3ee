//! Documents specified by URL, from various servers.

mod follow;
mod hostile;
mod packages;
mod polite;
mod private;
mod recording;
mod resources;
pub(crate) mod tls;
mod topics;
