//! A whole Source: discovery, the crawl, and the checks that need several documents.

mod checks;
mod crawler;
pub mod discovery;
mod entry;
mod fetch;
mod graph;
mod leaf;
mod mirror;
mod partition;
mod plan_filter;
mod planner;
mod set_summary;

pub(crate) use checks::{CheckInput, CrossFinding, check, promise};
pub use crawler::{CrawlStep, Crawler, FetchOutcome, Readers, ResponseReader};
pub(crate) use entry::{coding, codings, href, relates};
pub use fetch::{CrawlOptions, Fetch, FetchError, Method, PackageDepth, Purpose, Resources, Response};
pub(crate) use graph::{Content, Fetched, FetchedResource, LinkGraph, Node, NodeState};
pub(crate) use leaf::Leaf;
pub use mirror::Mirror;
pub use partition::{Division, Partition};
pub use plan_filter::PlanFilter;
pub use planner::{PlannedInput, PlannerStep, SourcePlanner};
pub(crate) use set_summary::{below, summaries};
