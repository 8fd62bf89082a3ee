//! A whole Source: what is remembered of each document, how documents hang together, what only several can show.

mod checks;
mod date;
mod entry;
mod exchange;
mod link_header;
mod memo;
mod notes;
mod page;
mod robots;
mod summary;
mod uri;
mod web;

pub(crate) use checks::{Across, Beside, check};
pub(crate) use date::http_date;
pub(crate) use entry::{coding, codings, href, is_channel, relates};
pub use exchange::{Fetch, Following, Method, Missed, PackageDepth, Purpose, Resources, Response};
pub(crate) use link_header::header_targets;
pub(crate) use memo::Memo;
pub(crate) use notes::{Notes, Noting, Sampling, hashed};
pub(crate) use page::{Announcement, announcements};
pub(crate) use robots::sitemaps;
pub(crate) use summary::{below, summaries};
pub(crate) use uri::{WELL_KNOWN, host, is_key, key, resolve};
pub(crate) use web::{Had, Held, Node, Resource, State, Web};
