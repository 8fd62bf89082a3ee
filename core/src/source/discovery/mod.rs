//! Discovery of a Source from its host: the well-known URI, `robots.txt`, pages and `Link` headers.

mod link_header;
mod page;
mod robots;
mod uri;

pub use link_header::{HeaderLink, header_links, header_targets, links, write_links};
pub use page::{Announcement, announcements};
pub use robots::sitemaps;
pub(crate) use uri::resolve_iri;
pub use uri::{WELL_KNOWN, host, resolve};
