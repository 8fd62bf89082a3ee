//! The conformance corpus as Rust values. The format is described in `corpus/README.md`.

mod case;
mod generate;
pub mod package;
mod verify;

pub use case::{Case, Must, Settings, all, corpus};
pub use verify::verify;
