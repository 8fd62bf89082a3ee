//! The conformance corpus as Rust values. The format is described in `corpus/README.md`.

mod case;
mod generate;

pub use case::{Case, Must, Settings, all, corpus};
