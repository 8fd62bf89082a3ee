//! Requests: a verb and its arguments, as a query and as a form.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use resourcesync::named_enum;
use serde::{Deserialize, Serialize};

use crate::stamp::Stamp;

named_enum! {
    /// The six requests of OAI-PMH.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Verb {
        /// Describes the repository.
        Identify = "Identify",
        /// The available formats.
        ListMetadataFormats = "ListMetadataFormats",
        /// The available sets.
        ListSets = "ListSets",
        /// Headers.
        ListIdentifiers = "ListIdentifiers",
        /// Records.
        ListRecords = "ListRecords",
        /// One record.
        GetRecord = "GetRecord",
    }
}

impl Verb {
    /// True for verbs whose response may have several pages (OAI-PMH 2.0 §3.5).
    pub fn is_list(self) -> bool {
        matches!(self, Verb::ListSets | Verb::ListIdentifiers | Verb::ListRecords)
    }
}

/// A verb and its arguments, in the order in which they are sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The verb.
    pub verb: Verb,
    /// Names and values, not encoded.
    pub arguments: Vec<(String, String)>,
}

/// The characters that OAI-PMH 2.0 §3.1.1.3 does not encode: the unreserved ones of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Requests with longer URLs are sent as a form.
pub const LONGEST_URL: usize = 8 << 10;

impl Request {
    /// Creates a request without arguments.
    pub fn new(verb: Verb) -> Request {
        Request { verb, arguments: Vec::new() }
    }

    /// The next page of a list: the token is the only argument (OAI-PMH 2.0 §4.3 to §4.6, `exclusive`).
    pub fn resume(verb: Verb, token: &str) -> Request {
        Request::new(verb).with("resumptionToken", token)
    }

    /// Adds an argument.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Request {
        self.arguments.push((name.into(), value.into()));
        self
    }

    /// Adds `from` and `until` if present.
    #[must_use]
    pub fn between(self, from: Option<Stamp>, until: Option<Stamp>) -> Request {
        let dates = [("from", from), ("until", until)];
        dates.into_iter().fold(self, |request, (name, stamp)| match stamp {
            Some(stamp) => request.with(name, &stamp.to_string()),
            None => request,
        })
    }

    /// The value of an argument.
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// `verb=…&name=value`, percent-encoded: the query of GET, and the body of POST.
    pub fn query(&self) -> String {
        let arguments = self.arguments.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        query([("verb", self.verb.as_str())].into_iter().chain(arguments))
    }

    /// The URL of GET. A query of the base URL is kept.
    pub fn url(&self, base: &str) -> String {
        url(base, &self.query())
    }
}

/// Arguments as the query of a URL, percent-encoded.
pub(crate) fn query<'a>(arguments: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut query = String::new();
    for (name, value) in arguments {
        if !query.is_empty() {
            query.push('&');
        }
        query.push_str(name);
        query.push('=');
        query.extend(utf8_percent_encode(value, ENCODED));
    }
    query
}

/// A base URL with a query, in addition to its own.
pub(crate) fn url(base: &str, query: &str) -> String {
    let base = base.split('#').next().unwrap_or_default();
    let separator = match base.split_once('?') {
        _ if query.is_empty() => "",
        None => "?",
        Some((_, "")) => "",
        Some((_, query)) if query.ends_with('&') => "",
        Some(_) => "&",
    };
    format!("{base}{separator}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_base_url_keeps_its_own_query() {
        let request = Request::new(Verb::Identify);
        for (base, url) in [
            ("http://a.example/oai", "http://a.example/oai?verb=Identify"),
            ("http://a.example/oai?", "http://a.example/oai?verb=Identify"),
            ("http://a.example/oai?x=1", "http://a.example/oai?x=1&verb=Identify"),
            ("http://a.example/oai?x=1&", "http://a.example/oai?x=1&verb=Identify"),
            ("http://a.example/oai#top", "http://a.example/oai?verb=Identify"),
        ] {
            assert_eq!(request.url(base), url);
        }
    }

    #[test]
    fn reserved_characters_are_encoded() {
        let request = Request::resume(Verb::ListRecords, "/?#=&:;+% 東");
        assert_eq!(request.query(), "verb=ListRecords&resumptionToken=%2F%3F%23%3D%26%3A%3B%2B%25%20%E6%9D%B1");
    }

    proptest! {
        #[test]
        fn tokens_survive(token in any::<String>()) {
            let query = Request::resume(Verb::ListSets, &token).query();
            let encoded = query.strip_prefix("verb=ListSets&resumptionToken=").unwrap();
            prop_assert!(encoded.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte)));
            let decoded = percent_encoding::percent_decode_str(encoded).decode_utf8().unwrap();
            prop_assert_eq!(decoded, token);
        }
    }
}
