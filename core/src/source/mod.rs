//! A whole Source: discovery, the crawl, and the checks that need several documents.

mod checks;
mod crawler;
pub mod discovery;
mod entry;
mod fetch;
mod graph;
mod mirror;
mod set_summary;

pub(crate) use checks::{CheckInput, CrossFinding, check};
pub use crawler::{CrawlStep, Crawler, FetchOutcome, Readers, ResponseReader};
pub(crate) use entry::{coding, codings, href, relates};
pub use fetch::{CrawlOptions, Fetch, FetchError, Method, PackageDepth, Purpose, Resources, Response};
pub(crate) use graph::{Content, Fetched, FetchedResource, LinkGraph, Node, NodeState};
pub use mirror::Mirror;
pub(crate) use set_summary::{below, summaries};
