//! Parses bytes into items: the root, its parts, the entries, in document order.
//!
//! Reading never fails and validates nothing. [`Reader`] turns pushed bytes into items; everything else is built on it.

mod attributes;
mod canonical;
mod capture;
mod document;
mod extensions;
mod fault;
mod input;
mod item_reader;
mod namespace;
mod parts;
mod reader;
mod repeat;
pub(crate) mod sniff;
mod start;
mod text;

pub(crate) use canonical::Canonical;
pub use document::{ReadError, document};
pub use fault::{encoding_finding, fault_finding, fault_text};
pub(crate) use input::{Input, Unpacked};
pub use item_reader::{ItemReader, OnItem};
pub use reader::{ReadEvent, Reader};
pub use sniff::{counts_in_folder, is_package, is_package_name};
