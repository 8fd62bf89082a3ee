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
//! # The house
//!
//! A room imports only rooms below it; `tests/suites/rooms.rs` checks that.
//!
//! | floor | room | what it does |
//! | --- | --- | --- |
//! | 5 | [`api`] | what every face uses: re-exports, and the plain values that cross language borders |
//! | 4 | [`validate`] | the pipeline for one input, pushed in windows of any size, and [`validate::Run`] over many inputs |
//! |   | [`package`] | the structure of a ZIP, its manifest against its members, fixity |
//! |   | [`source`] | the crawl of a whole Source, and what only several documents can show |
//! |   | [`build`] | builders that reject an invalid document before it is written |
//! |   | [`repair`] | the repairs whose result is certain |
//! | 3 | [`rules`] | every requirement once: the table of kinds, the rules, the Checker |
//! |   | [`read`], [`write`](mod@write) | items from bytes, bytes from items |
//! |   | [`report`] | the result of a run, and the formats it is written in |
//! | 2 | [`model`] | one open shape for all fifteen kinds: reading drops nothing |
//! | 1 | [`diagnostic`] | codes, the catalogue of requirements, findings |
//! |   | [`value`] | the words of the standard as types |
//! |   | [`fixity`], [`codec`] | digests and gzip, by pushed bytes |
//! |   | [`xml`] | strict XML as a stream of bounded events |
//! |   | [`span`], [`limits`], [`edit_distance`], `bytes` | places, bounds, small helpers |
//!
//! Bytes are pushed in windows of any size; [`read::Reader`] turns them into items (the root, its parts, entries), [`rules::Checker`] looks at each
//! item and reports, [`report`] counts and keeps. Memory does not grow with the document. There is no I/O, no clock and no thread here: a face
//! brings the bytes and takes the report away.
//!
//! # Features
//!
//! - `std` (default): the tokenizer is quick-xml and inflating is faster. Without it everything works on `alloc` alone.
//! - `texts` (default): the explanations of rules, and everything Japanese. Without it messages are English.
#![no_std]
// Input is hostile: every index and every sum on it is checked.
#![cfg_attr(not(test), warn(clippy::indexing_slicing, clippy::arithmetic_side_effects))]

extern crate alloc;

pub mod api;
pub mod build;
mod bytes;
pub mod codec;
pub mod diagnostic;
pub mod edit_distance;
pub mod fixity;
pub mod limits;
pub mod model;
pub mod package;
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
