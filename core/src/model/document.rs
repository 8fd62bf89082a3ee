//! A document: its root, its head, its entries.

use alloc::{boxed::Box, vec::Vec};

use super::{Attribute, Element, Entry, Link, Md};
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

/// The two shapes of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// `urlset` with `url` entries.
    UrlSet,
    /// `sitemapindex` with `sitemap` entries.
    SitemapIndex,
}

impl Shape {
    /// The name of the root element.
    pub fn root(self) -> &'static str {
        match self {
            Shape::UrlSet => "urlset",
            Shape::SitemapIndex => "sitemapindex",
        }
    }

    /// The name of the entry element.
    pub fn entry(self) -> &'static str {
        match self {
            Shape::UrlSet => "url",
            Shape::SitemapIndex => "sitemap",
        }
    }
}
