//! Fetches and responses: the plain values that a crawler exchanges with the code that fetches.

use alloc::{string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    diagnostic::Reason,
    report::{Report, Via},
};

/// What to follow, and how far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct CrawlOptions {
    /// Where to begin. A URI that ends at its host is tried as `/.well-known/resourcesync`, then `/robots.txt`, then itself.
    pub start: Vec<String>,
    /// Documents and packages that exist whether or not anything links to them, as in a folder. Those that nothing links to are
    /// fetched after all others; resources that a list names are not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// Maximum number of documents and packages; resources are not counted.
    pub documents: u64,
    /// Which resources are read too.
    pub resources: Resources,
    /// How far packages are verified.
    pub packages: PackageDepth,
    /// The report of an earlier crawl of the same Source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub earlier: Option<Report>,
}

impl Default for CrawlOptions {
    fn default() -> CrawlOptions {
        CrawlOptions {
            start: Vec::new(),
            files: Vec::new(),
            documents: 10_000,
            resources: Resources::None,
            packages: PackageDepth::Full,
            earlier: None,
        }
    }
}

impl CrawlOptions {
    /// From these URIs, as far as is usual.
    pub fn from(start: impl IntoIterator<Item = impl Into<String>>) -> CrawlOptions {
        CrawlOptions { start: start.into_iter().map(Into::into).collect(), ..CrawlOptions::default() }
    }
}

/// Which resources are fetched and compared with their metadata.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Resources {
    /// None.
    #[default]
    None,
    /// So many of each Resource List.
    Sample(u64),
    /// All.
    All,
}

/// How far packages met on the way are verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum PackageDepth {
    /// They are not fetched.
    None,
    /// Structure, manifest and declared lengths.
    Structure,
    /// Digests too.
    #[default]
    Full,
}

/// Something to get.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Fetch {
    /// Its number; answers are taken in this order.
    pub id: u64,
    /// What to get.
    pub uri: String,
    /// What it is wanted for.
    pub purpose: Purpose,
    /// How to ask for it.
    pub method: Method,
    /// What led to it.
    pub via: Via,
    /// The URI of the document that led to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The digests listed for it, where it is to be compared with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The content codings listed for it, where it is a resource: what to accept. It is compared as it is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The media type listed for it, where it is a package.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// Whether nothing links to it, so that its absence is not a fault.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub probe: bool,
    /// Resources to remember of a Resource List; all if it is the greatest number.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sample: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What is fetched, and so what is done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Purpose {
    /// A ResourceSync document.
    Document,
    /// Whatever the user named: a document, a page, anything with a `Link` header.
    Discovery,
    /// A `robots.txt`.
    Robots,
    /// The topic of a notification channel; its headers count.
    Topic,
    /// A package, to be read at any place.
    Package,
    /// A resource.
    Resource,
}

/// How to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// For the whole.
    Get,
    /// For the headers.
    Head,
}

/// The head of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// Where it came from in the end.
    pub uri: String,
    /// The status; 200 without HTTP.
    pub status: u16,
    /// The header fields, in order; absent without HTTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headers: Option<Vec<(String, String)>>,
    /// True if the body has the bytes that the server sent; false if the HTTP client has decoded its `Content-Encoding`. A resource with
    /// a content coding can only be compared with its list if the bytes are those that were sent.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub is_raw_body: bool,
}

impl Response {
    /// An answer without headers, as a folder gives it.
    pub fn found(uri: impl Into<String>) -> Response {
        Response { uri: uri.into(), status: 200, headers: None, is_raw_body: false }
    }

    /// The value of the first header field of this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let fields = self.headers.as_deref().unwrap_or_default();
        fields.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim_ascii())
    }

    /// True if the bytes that come are those that were sent.
    pub(crate) fn has_sent_bytes(&self) -> bool {
        let is_identity = |coding: &str| coding.eq_ignore_ascii_case("identity");
        self.is_raw_body || self.header("content-encoding").is_none_or(is_identity)
    }

    /// True for a successful response.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// The reason why there is no response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FetchError {
    /// It does not exist.
    NotFound {
        /// What shows it.
        reason: Reason,
    },
    /// It was not requested, because of a policy.
    Skipped {
        /// Which policy.
        reason: Reason,
    },
    /// It is unknown whether it exists.
    Failed {
        /// What went wrong.
        reason: Reason,
    },
}
