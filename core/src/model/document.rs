//! A document: its root, its head, its entries.

use alloc::{boxed::Box, vec::Vec};

use super::{Attribute, Element, Entry, Kind, Link, Md, Shape};
use crate::span::Span;

/// The root element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Root {
    /// The name after the prefix: `urlset`, `sitemapindex` or anything else.
    pub local: Box<str>,
    /// The namespace name as written.
    pub namespace: Box<str>,
    /// The shape, if it was recognized.
    pub shape: Option<Shape>,
    /// The start tag.
    pub span: Span,
    /// Attributes of the root element itself, such as `xsi:schemaLocation`.
    pub attributes: Vec<Attribute>,
}

/// A namespace name that is not one of the two of the standard, but was accepted as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Namespace {
    /// As written; empty if there is none.
    pub written: Box<str>,
    /// The name in the standard.
    pub meant: &'static str,
    /// The element it was first seen on.
    pub element: Box<str>,
    /// That element's start tag.
    pub span: Span,
}

/// The children of the root other than entries.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// `rs:md`; there should be exactly one.
    pub md: Vec<Md>,
    /// `rs:ln`.
    pub links: Vec<Link>,
    /// Everything else.
    pub others: Vec<Element>,
    /// Namespace names that were accepted as one of the two of the standard.
    pub namespaces: Vec<Namespace>,
}

/// A whole document in memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// The root element.
    pub root: Root,
    /// The children of the root other than entries, wherever they were.
    pub head: Head,
    /// The entries, in order.
    pub entries: Vec<Entry>,
}

impl Document {
    /// The kind of this document.
    pub fn kind(&self) -> Kind {
        Kind::of(&self.root, &self.head)
    }
}
