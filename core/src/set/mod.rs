//! A whole Source: what is remembered of each document, how documents hang together, what only several can show.

#![allow(dead_code)]

mod checks;
mod exchange;
mod link_header;
mod memo;
mod page;
mod robots;
mod summary;
mod uri;
mod web;

pub(crate) use checks::{Across, Beside, check};
pub use exchange::{Fetch, Following, Method, Missed, PackageDepth, Purpose, Resources, Response};
pub(crate) use link_header::header_links;
pub(crate) use memo::{Memo, Notes, Sampling};
pub(crate) use page::{Announcement, announcements};
pub(crate) use robots::sitemaps;
pub(crate) use summary::summaries;
pub(crate) use uri::{host, key, resolve};
pub(crate) use web::{Had, Held, Resource, State, Web};
