//! The I/O of ResourceSync: HTTP, folders, packages and threads for validators, Destinations, subscribers and harvesters.
//!
//! The crate `resourcesync` does no I/O; its state machines request it. This crate performs it:
//!
//! | module | what it does |
//! | --- | --- |
//! | [`batch`] | validates files, folders, pipes and URLs in one run |
//! | [`crawl`] | crawls a whole Source, over HTTP or from a folder that mirrors it |
//! | [`destination`] | keeps a folder in step with a Source |
//! | [`http`] | requests within a policy: allowed hosts and addresses, limits, retries, recordings |
//! | [`listen`] | drives a listener: its durable state, its requests, the runs on its copy, the consumer of its events |
//! | [`notify`] | sends notifications to hubs, from an outbox that survives a kill |
//! | [`folder`] | files and folders that are written atomically |
//! | `objects` | keeps the bytes of a copy in an object store; with the feature `objects` |
//! | [`package`] | verifies packages on several threads, and unpacks their members |
//! | [`publish`] | publishes a folder or an inventory as a Source, with the changes since the last run |
//! | [`parallel`] | the worker pool that all of them use |
//! | [`catalogue()`] | all codes and rules, including those of the other crates |
//! | [`sort`] | sorts more records than fit into memory |
//!
//! No state is process-wide, and nothing is printed or read from a terminal. A run is cancelled by the [`Cancel`] token that was passed
//! to it. Errors are values, with a [`Reason`](resourcesync::diagnostic::Reason) if they can occur in a report. Sizes are in bytes;
//! limits end with their unit.
//!
//! ```
//! use resourcesync::{api::Options, report::Verdict};
//! use resourcesync_client::{Cancel, batch};
//!
//! # let folder = std::env::temp_dir().join(format!("resourcesync-client-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! std::fs::write(
//!     folder.join("resourcelist.xml"),
//!     r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
//!   <rs:ln rel="up" href="https://example.com/capabilitylist.xml"/>
//!   <rs:md capability="resourcelist" at="2025-01-03T09:00:00Z"/>
//!   <url><loc>https://example.com/a</loc></url>
//! </urlset>"#,
//! )?;
//! let cancel = Cancel::default();
//! let steps = batch::steps(vec![batch::Location::Path(folder.clone())], None, None, None, &cancel)?;
//! let report = batch::run(&steps, &Options::default(), batch::jobs(), &cancel, &mut |progress| {
//!     eprintln!("{} of {} bytes", progress.bytes, progress.total);
//! });
//! assert_eq!(report.verdict, Verdict::Valid);
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod batch;
mod cancel;
mod catalogue;
pub mod crawl;
pub mod destination;
pub mod folder;
pub mod http;
pub mod listen;
mod meter;
pub mod notify;
pub mod oai;
#[cfg(feature = "objects")]
pub mod objects;
pub mod package;
pub mod parallel;
mod patch;
mod progress;
pub mod publish;
pub mod sort;
mod system;

pub use self::{
    cancel::Cancel,
    catalogue::{catalogue, families},
    meter::Meter,
    progress::{OnProgress, Progress, TICK},
    system::{reason, seed},
};
