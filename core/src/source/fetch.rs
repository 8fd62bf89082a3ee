//! Fetches and responses: the plain values that a crawler exchanges with the code that fetches.

use alloc::{collections::BTreeSet, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{
    diagnostic::Reason,
    report::{Report, Via},
};

/// Maximum number of concurrent fetches, unless another is chosen.
const OPEN: usize = 64;

fn is_default_open(open: &usize) -> bool {
    *open == OPEN
}

/// Options of a crawl.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct CrawlOptions {
    /// The starting points. A URI without a path is tried as `/.well-known/resourcesync`, then `/robots.txt`, then itself.
    pub start: Vec<String>,
    /// Existing documents and packages, as in a folder. Those that nothing links to are fetched after all others, unless a list
    /// names them as resources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The URIs of the Capability Lists whose sets of resources a plan is about; all if there are none. They are followed before others that a
    /// Source Description lists, so that a list that several sets have in common is planned as one of these.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub sets: BTreeSet<String>,
    /// Maximum number of documents and packages; resources are not counted.
    pub documents: u64,
    /// Maximum number of fetches in progress at the same time. A driver that divides them among machines performs all that are known in one
    /// round, as many rounds as the Source is deep, with `usize::MAX`. The report does not depend on it.
    #[serde(skip_serializing_if = "is_default_open")]
    pub open: usize,
    /// Which resources to fetch as well.
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
            sets: BTreeSet::new(),
            documents: 10_000,
            open: OPEN,
            resources: Resources::None,
            packages: PackageDepth::Full,
            earlier: None,
        }
    }
}

impl CrawlOptions {
    /// Creates default options with these starting points.
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
    /// This many of each Resource List.
    Sample(u64),
    /// All.
    All,
}

/// How far packages are verified.
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

/// A request of a crawl.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Fetch {
    /// Its number; outcomes are processed in this order.
    pub id: u64,
    /// The URI to fetch.
    pub uri: String,
    /// The purpose.
    pub purpose: Purpose,
    /// The request method.
    pub method: Method,
    /// How it was found.
    pub via: Via,
    /// The URI of the document that links to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The listed digests, if they are to be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The content codings listed for a resource, to be accepted. The resource is compared without decoding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    /// The media type listed for a package.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The listed length of a package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// Whether nothing links to it, so that its absence is not an error.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub probe: bool,
    /// Number of resources to sample from a Resource List; `u64::MAX` for all.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sample: u64,
    /// The hosts to which starts are known to redirect, such as `www.a.example:443`: they may be requested, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub led: Vec<String>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The purpose of a fetch, which determines how the response is processed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Purpose {
    /// A ResourceSync document.
    Document,
    /// A start: a document, a page, anything with a `Link` header.
    Discovery,
    /// A `robots.txt`.
    Robots,
    /// The topic of a notification channel; its headers count.
    Topic,
    /// A package, read by byte ranges.
    Package,
    /// A resource.
    Resource,
}

/// The request method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// GET.
    Get,
    /// HEAD.
    Head,
}

/// The head of a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// The final URI, after redirects.
    pub uri: String,
    /// The status; 200 without HTTP.
    pub status: u16,
    /// The header fields, in order; absent without HTTP.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headers: Option<Vec<(String, String)>>,
    /// True if the body is as sent by the server; false if the HTTP client decoded its `Content-Encoding`. A resource with a content
    /// coding can only be compared with its list without decoding.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub is_raw_body: bool,
}

impl Response {
    /// A response without headers, as from a folder.
    pub fn found(uri: impl Into<String>) -> Response {
        Response { uri: uri.into(), status: 200, headers: None, is_raw_body: false }
    }

    /// The value of the first header field of this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let fields = self.headers.as_deref().unwrap_or_default();
        fields.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim_ascii())
    }

    /// True if the body was not decoded.
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
        /// The reason.
        reason: Reason,
    },
    /// It was not requested, because of a policy.
    Skipped {
        /// The reason.
        reason: Reason,
    },
    /// It is unknown whether it exists.
    Failed {
        /// The reason.
        reason: Reason,
    },
}
