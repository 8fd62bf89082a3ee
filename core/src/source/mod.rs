//! A whole Source: discovery, the crawl, and the checks that need several documents.

mod checks;
mod crawler;
pub mod discovery;
mod entry;
mod fetch;
mod graph;
mod set_summary;

pub(crate) use checks::{Across, Beside, check};
pub use crawler::{Next, Visit, Visited, Walk};
pub(crate) use entry::{coding, codings, href, is_channel, relates};
pub use fetch::{Fetch, Following, Method, Missed, PackageDepth, Purpose, Resources, Response};
pub(crate) use graph::{Had, Held, Node, Resource, State, Web};
pub(crate) use set_summary::{below, summaries};
