//! From bytes to items: the root, its parts, the entries, in the order written.
//!
//! Reading never fails and judges nothing. [`Reader`] is pushed bytes and asked for items; everything else is built on it.

mod attributes;
mod capture;
mod document;
mod extensions;
mod namespace;
mod parts;
mod reader;
mod start;
mod text;

pub use document::{ReadError, document};
pub use namespace::{RESOURCESYNC, SITEMAP};
pub use reader::{Read, Reader};
