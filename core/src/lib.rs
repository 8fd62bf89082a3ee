//! Parse, validate and write every ResourceSync (ANSI/NISO Z39.99-2017) document, and verify its dump packages.
//!
//! ```
//! use resourcesync::{api::{Options, InputOrigin, validate}, report::Verdict};
//!
//! let list = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
//!                        xmlns:rs="http://www.openarchives.org/rs/terms/">
//!   <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
//!   <rs:md capability="resourcelist"/>
//! </urlset>"#;
//! let report = validate(list, InputOrigin::named("resourcelist.xml"), &Options::default());
//! assert_eq!(report.verdict, Verdict::Invalid);
//! assert_eq!(report.diagnostics[0].code, "RL-03");
//! ```
//!
//! # Modules
//!
//! Each module is a room on a floor. It imports rooms of lower floors, and on its own floor those that stand below it in this table, which
//! `tests/suites/rooms.rs` checks. `docs/architecture.md` describes the data flow, and where to make a change.
//!
//! | floor | room | what it does |
//! | --- | --- | --- |
//! | 6 | [`publish`] | what a run that publishes decides: changes, documents, and the state for the next run |
//! | 5 | [`api`] | the API for all language bindings: re-exports and plain values |
//! | 4 | [`repair`] | unambiguous repairs of documents |
//! |   | [`build`] | builders that reject an invalid document before it is written |
//! |   | [`source`] | the crawl of a whole Source, and the checks across documents |
//! |   | [`package`] | the structure of a ZIP, its manifest against its members, fixity |
//! |   | [`validate`] | the pipeline for one input, pushed in windows of any size, and [`validate::Run`] over many inputs |
//! | 3 | [`read`], [`write`](mod@write) | bytes to items, items to bytes |
//! |   | [`report`] | the result of a run, and its output formats |
//! |   | [`rules`] | the table of kinds, the rules, the Checker |
//! | 2 | [`model`] | one open data model for all fifteen kinds of documents |
//! | 1 | [`diagnostic`] | codes, the catalogue of requirements, findings |
//! |   | [`fixity`] | digests of pushed bytes |
//! |   | [`value`] | the values of the standard as types |
//! |   | [`xml`] | strict XML as a stream of bounded events |
//! |   | [`codec`] | gzip of pushed bytes |
//! |   | `parcel`, [`span`], [`limits`], [`glob`], [`edit_distance`], `bytes`, `named_enum` | values as bytes, positions, limits, suggestions for misspelt names, patterns of paths |
//!
//! Bytes are pushed in windows of any size; [`read::Reader`] turns them into items (the root, its parts, entries), [`rules::Checker`] checks each
//! item and reports findings, and [`report`] counts and stores them. Memory does not grow with the document. There is no I/O, no clock and no
//! thread: the caller supplies the bytes and receives the report.
//!
//! # Features
//!
//! - `std` (default): errors of the system as reasons. Without it only `alloc` is needed.
//! - `zlib` (default): faster decompression. Without it the library is smaller.
//! - `repeat` (default): faster reading of lists whose entries repeat each other. Without it the library is smaller.
//! - `texts` (default): the explanations of rules, and all Japanese texts. Without it messages are in English.
#![no_std]
// Input is hostile: every index and every sum on it is checked.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod api;
pub mod build;
mod bytes;
pub mod codec;
pub mod diagnostic;
pub mod edit_distance;
pub mod fixity;
pub mod glob;
pub mod limits;
pub mod model;
mod named_enum;
pub mod package;
mod parcel;
pub mod publish;
pub mod read;
pub mod repair;
pub mod report;
pub mod rules;
pub mod source;
pub mod span;
pub mod validate;
pub mod value;
pub mod write;
pub mod xml;
