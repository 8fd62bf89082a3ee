//! Documents that cannot be wrong: what the Checker would find is refused before a byte of it is written; and the mending of others.

mod builder;
mod judge;
mod options;
mod proof;
mod refused;
pub mod repair;
mod typed;

pub use builder::Builder;
pub(crate) use builder::{read_again, root};
pub use options::Options;
pub use refused::Refused;
pub use typed::*;
