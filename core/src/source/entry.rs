//! Short queries on entries and links.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    model::{Entry, Link},
    value::Uri,
};

/// The target of a link.
pub(crate) fn href(link: &Link) -> Option<&str> {
    link.attributes.href().and_then(|href| href.value()).map(Uri::as_str)
}

/// Content codings by their current names.
pub(crate) fn codings(text: &str) -> Vec<String> {
    let one = |word: &str| {
        let word = word.trim_ascii().to_ascii_lowercase();
        // Two have an older name (RFC 9110 §8.4.1).
        match word.as_str() {
            "x-gzip" => "gzip".to_string(),
            "x-compress" => "compress".to_string(),
            _ => word,
        }
    };
    text.split(',').map(one).collect()
}

/// The content codings listed for an entry, if their spelling is that of the standard.
pub(crate) fn coding(entry: &Entry) -> Option<String> {
    let listed = entry.first_md()?.attributes.encoding()?.value()?;
    Some(codings(&listed.to_string()).join(", "))
}

/// True if a link has this relation.
pub(crate) fn relates(link: &Link, relation: &str) -> bool {
    link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|rel| rel.is(relation))
}
