//! The conformance corpus as Rust values. The format is described in `corpus/README.md`.

// Invalid cases fail the tests.
#![allow(clippy::panic)]

mod archive;
mod case;
pub mod coverage;
mod expected;
mod file;
mod generate;
pub mod oai;
pub mod package;
pub mod repeated;
pub mod server;
pub mod simulate;
mod source;
mod suite;
mod told;
mod verify;
mod web;

pub use archive::{assert_read_alike, members, members_by_zip};
pub use case::{Case, all, corpus};
pub use expected::{Demand, Expected};
pub use source::{SourceCase, sources};
pub use suite::write_suite;
pub use told::told;
pub use verify::verify;
pub use web::{Answer, Web, crawl, crawl_in_rounds, parcels, plan};

/// Compiles the Rust examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
