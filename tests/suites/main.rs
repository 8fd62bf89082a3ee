//! The suites that are ordinary tests, as one program: linking is most of the work. The others have a harness or an allocator of their own.

// Helpers of tests, too.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod architecture;
mod build;
mod built;
mod coverage;
mod discovery;
mod members;
mod merge;
mod oai;
mod packages;
mod pages;
mod parcels;
mod pieces;
mod properties;
mod provider;
mod publish;
mod repair;
mod repeated;
mod rooms;
mod sarif;
mod simulation;
mod zip;
