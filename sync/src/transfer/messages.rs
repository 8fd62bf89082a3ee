//! The requests, responses and results of a transfer.

use alloc::string::String;

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    value::Hashes,
};

use crate::{
    listed_resource::ListedResource,
    report::{ItemCode, Seen},
};

/// A request for a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The URI.
    pub uri: String,
    /// The content codings to accept; the body must be passed on as sent.
    pub accept_encoding: String,
    /// The entity tag of the local copy, for `If-None-Match`.
    pub etag: Option<String>,
    /// The date of the local copy, for `If-Modified-Since`.
    pub modified: Option<String>,
    /// True to bypass caches (`Cache-Control: no-cache`).
    pub no_cache: bool,
    /// The bytes that are there already, and the entity tag of their version: `Range` from there on, with `If-Range`.
    pub rest: Option<(u64, String)>,
}

/// The head of a response.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The status.
    pub status: u16,
    /// `ETag`.
    pub etag: Option<String>,
    /// `Last-Modified`.
    pub modified: Option<String>,
    /// `Date`.
    pub date: Option<String>,
    /// `Age`.
    pub age: Option<String>,
    /// `Content-Encoding`.
    pub content_encoding: Option<String>,
    /// `Content-Range`.
    pub content_range: Option<String>,
}

/// What to do with the body of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// Store it as it is sent.
    Store,
    /// Store it after the bytes that are there already.
    Append,
    /// The body is not needed; continue with [`Transfer::end`].
    Ignore,
}

/// The outcome of a transfer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The stored bytes match the list.
    Verified(Fixity),
    /// The local copy is up to date.
    Same,
    /// One more request may help.
    Again,
    /// The resource is newer than the list; a later list will describe it.
    Deferred(Seen),
    /// It failed.
    Failed(Failure),
}

/// The evidence for a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fixity {
    /// The number of bytes that were compared with the list.
    pub length: u64,
    /// All digests of these bytes: those listed, and SHA-256.
    pub hashes: Hashes,
    /// True if the bytes as they were sent are the gzip coding of the resource, to be undone before it is stored.
    pub is_coded: bool,
    /// The property that verified it.
    pub by: Verified,
    /// `ETag` of the response, if it can be compared.
    pub etag: Option<String>,
    /// `Last-Modified` of the response.
    pub modified: Option<String>,
}

/// The property that verified a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verified {
    /// A listed digest.
    Digest,
    /// The listed length.
    Length,
    /// Nothing of what is listed can be read: a digest without a known algorithm, or of another length than its algorithm has.
    Unreadable,
    /// Nothing is listed.
    Nothing,
}

impl Verified {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Verified::Digest => "digest",
            Verified::Length => "length",
            Verified::Unreadable => "unreadable",
            Verified::Nothing => "nothing",
        }
    }

    /// The property by which bytes that are as listed are verified.
    pub fn by(resource: &ListedResource) -> Verified {
        match (resource.hashes().iter().next(), resource.length) {
            (Some(_), _) => Verified::Digest,
            (None, Some(_)) => Verified::Length,
            (None, None) if resource.is_illegible => Verified::Unreadable,
            (None, None) => Verified::Nothing,
        }
    }
}

impl Failure {
    /// No mirror had the listed bytes, and nothing else may be requested.
    pub fn without_mirror() -> Failure {
        let (code, reason) = (ItemCode::Unreadable, Some(Reason::new(ReasonCode::NoMirror)));
        Failure { code, reason, seen: Seen::default(), is_transient: false, is_unanswered: true }
    }
}

/// The failure of a transfer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The code of the reason.
    pub code: ItemCode,
    /// The reason.
    pub reason: Option<Reason>,
    /// The actual property of the body.
    pub seen: Seen,
    /// True if the failure may be temporary.
    pub is_transient: bool,
    /// True if there was no response that says anything about the resource: the request is not allowed, exceeds a limit, or failed.
    pub is_unanswered: bool,
}
