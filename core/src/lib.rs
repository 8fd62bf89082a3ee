//! Parse, validate and write every ResourceSync (ANSI/NISO Z39.99-2017) document, and verify its dump packages.
//!
//! ```
//! use resourcesync::{api::{Options, Source, validate}, report::Verdict};
//!
//! let list = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
//!                        xmlns:rs="http://www.openarchives.org/rs/terms/">
//!   <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
//!   <rs:md capability="resourcelist"/>
//! </urlset>"#;
//! let report = validate(list, Source::named("resourcelist.xml"), &Options::default());
//! assert_eq!(report.verdict, Verdict::Invalid);
//! assert_eq!(report.diagnostics[0].code, "RL-03");
//! ```
//!
//! # The house
//!
//! Rooms know those below them and nothing of those above.
//!
//! | floor | room | what it does |
//! | --- | --- | --- |
//! | 5 | [`api`] | the verbs of every face: [`api::validate`], [`api::Validation`] by windows, [`api::Verification`] of packages and [`api::Contents`] of their members, [`api::Run`] over many inputs, [`api::Walk`] over a whole Source |
//! | 4 | [`build`] | documents that cannot be wrong, refused before they are written; the mending of others |
//! |   | `package` | the structure of a ZIP, its manifest against its members, digests |
//! |   | `set` | a whole Source: what is remembered of each document, what only several can show |
//! | 3 | [`rules`] | every requirement once: catalogue, table of kinds, rules, Checker |
//! |   | [`read`], [`write`](mod@write) | items from bytes, bytes from items |
//! |   | [`report`] | what a run found, and the formats it is written in |
//! | 2 | [`model`] | one open shape for all fifteen kinds: nothing is dropped, nothing is judged |
//! | 1 | [`value`] | the words of the standard as types |
//! |   | [`xml`] | strict XML as a stream of bounded events |
//! |   | [`diagnostic`], [`span`], [`limits`] | findings, places, bounds |
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
pub mod diagnostic;
pub mod limits;
pub mod model;
mod package;
pub mod read;
pub mod report;
pub mod rules;
mod set;
pub mod span;
pub mod value;
pub mod words;
pub mod write;
pub mod xml;
