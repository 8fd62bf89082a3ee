//! What entries and links say, in a word.

use crate::{
    model::{Entry, Link},
    value::{Capability, Uri},
};

/// Where a link leads.
pub(crate) fn href(link: &Link) -> Option<&str> {
    link.attributes.href().and_then(|href| href.value()).map(Uri::as_str)
}

/// True if a link has this relation.
pub(crate) fn relates(link: &Link, relation: &str) -> bool {
    link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|rel| rel.is(relation))
}

/// True for the entry of a notification channel: its `loc` is a topic.
pub(crate) fn is_channel(entry: &Entry) -> bool {
    let capability = entry.first_md().and_then(|md| md.attributes.capability()).and_then(|field| field.value());
    matches!(capability, Some(Capability::ChangeNotification | Capability::FrameworkNotification))
}
