//! One open data model for all fifteen kinds of documents: nothing is dropped, and nothing is checked.

mod attribute;
mod compact;
mod document;
mod entry;
mod field;
mod item;
mod kind;
mod namespace;
mod parcel;

pub(crate) use attribute::Layout;
pub use attribute::{Attribute, AttributeValue, Attributes, ForeignAttribute, Name};
pub use compact::CompactEntries;
pub use document::{Document, Head, Namespace, Root, Shape};
pub use entry::{Child, Element, Entry, EntryElement, Inside, Link, Md, Space};
pub use field::{AnyField, Field};
pub use item::Item;
pub use kind::Kind;
pub use namespace::{RESOURCESYNC, SITEMAP};
