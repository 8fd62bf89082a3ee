//! Builds a document of a kind chosen at run time from plain values.

use alloc::string::String;

use super::plain;
use crate::{
    build::{self, Refused},
    model::{Kind, Root},
    validate::Options,
};

/// A document being built from plain values, for all language bindings.
///Anything that the Checker would report (error, warning or info) is rejected with [`Refused`] before it is written; of the options, `selection`
/// defines the exceptions, and `limits` bounds lengths. If the output is taken regularly, memory grows by 32 bytes per entry only.
///
/// ```
/// use resourcesync::{api::{Builder, Options, plain}, model::Kind};
///
/// let head: plain::Head = serde_json::from_str(r#"{
///     "from": "2024-05-01T00:00:00Z",
///     "links": [{"rel": "up", "href": "http://example.com/capabilitylist.xml"}]
/// }"#)?;
/// let mut changes = Builder::new(Kind::ChangeList, &head, &Options::default())?;
/// let deleted: plain::Entry = serde_json::from_str(
///     r#"{"uri": "http://example.com/1", "change": "deleted", "datetime": "2024-05-02T09:00:00Z"}"#,
/// )?;
/// changes.push(&deleted)?;
/// let earlier = plain::Entry { datetime: Some("2024-05-01T09:00:00Z".into()), ..deleted };
/// assert_eq!(changes.push(&earlier).unwrap_err().code(), "CL-13");
/// let start = changes.take();
/// assert_eq!(start + &changes.finish()?, r#"<?xml version="1.0" encoding="UTF-8"?>
/// <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
///         xmlns:rs="http://www.openarchives.org/rs/terms/">
///   <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
///   <rs:md capability="changelist" from="2024-05-01T00:00:00Z"/>
///   <url>
///     <loc>http://example.com/1</loc>
///     <rs:md change="deleted" datetime="2024-05-02T09:00:00Z"/>
///   </url>
/// </urlset>
/// "#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Builder {
    inner: build::Builder,
}

impl Builder {
    /// Starts a document.
    ///
    /// # Errors
    ///
    /// If the head is invalid or incomplete.
    pub fn new(kind: Kind, head: &plain::Head, options: &Options) -> Result<Builder, Refused> {
        let (head, attributes) = head.to_model();
        let root = Root { attributes, ..build::root(kind) };
        let own = build::BuildOptions { selection: options.selection.clone(), limits: options.limits.clone() };
        Ok(Builder { inner: build::Builder::with_root(kind, &root, head, own)? })
    }

    /// Adds an entry.
    ///
    /// # Errors
    ///
    /// If the entry is invalid, or invalid at this position; the document is then unchanged.
    pub fn push(&mut self, entry: &plain::Entry) -> Result<(), Refused> {
        self.inner.push(entry.to_model(self.inner.shape()))
    }

    /// Returns the output built since the last call.
    pub fn take(&mut self) -> String {
        self.inner.take()
    }

    /// Ends the document and returns the output that was not taken yet.
    ///
    /// # Errors
    ///
    /// If the document as a whole is invalid; discard the output that was already taken.
    pub fn finish(self) -> Result<String, Refused> {
        self.inner.finish()
    }

    /// The number of entries so far.
    pub fn entries(&self) -> u64 {
        self.inner.entries()
    }

    /// Bytes of output so far, including those already taken.
    pub fn bytes(&self) -> u64 {
        self.inner.bytes()
    }
}
