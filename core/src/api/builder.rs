//! Documents of a kind chosen at run time from plain values, for all language bindings.

use super::plain;
use crate::{
    build::{self, BuildOptions, Builder, Refused},
    model::{Kind, Root},
    validate::Options,
};

/// The selection and the limits of a run.
impl From<&Options> for BuildOptions {
    fn from(options: &Options) -> BuildOptions {
        BuildOptions { selection: options.selection.clone(), limits: options.limits.clone(), ..BuildOptions::default() }
    }
}

impl Builder {
    /// Starts a document from plain values.
    ///
    /// Of the options of a run, `selection` defines the exceptions from what is rejected, and `limits` bounds lengths.
    ///
    /// ```
    /// use resourcesync::{api::{Builder, Options, plain}, model::Kind};
    ///
    /// let head: plain::Head = serde_json::from_str(r#"{
    ///     "from": "2024-05-01T00:00:00Z",
    ///     "links": [{"rel": "up", "href": "http://example.com/capabilitylist.xml"}]
    /// }"#)?;
    /// let mut changes = Builder::from_plain(Kind::ChangeList, &head, &Options::default())?;
    /// let deleted: plain::Entry = serde_json::from_str(
    ///     r#"{"uri": "http://example.com/1", "change": "deleted", "datetime": "2024-05-02T09:00:00Z"}"#,
    /// )?;
    /// changes.push_plain(&deleted)?;
    /// let earlier = plain::Entry { datetime: Some("2024-05-01T09:00:00Z".into()), ..deleted };
    /// assert_eq!(changes.push_plain(&earlier).unwrap_err().code(), "CL-13");
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
    ///
    /// # Errors
    ///
    /// As [`Builder::new`].
    pub fn from_plain(kind: Kind, head: &plain::Head, options: impl Into<BuildOptions>) -> Result<Builder, Refused> {
        let (head, attributes) = head.to_model();
        let root = Root { attributes, ..build::root(kind) };
        Builder::with_root(kind, &root, head, options.into())
    }

    /// Adds an entry of plain values.
    ///
    /// # Errors
    ///
    /// As [`Builder::push`].
    pub fn push_plain(&mut self, entry: &plain::Entry) -> Result<(), Refused> {
        self.push(entry.to_model(self.shape()))
    }
}
