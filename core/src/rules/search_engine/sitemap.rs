//! Which documents search engines read.

use crate::{model::Kind, rules::CheckContext};

/// True for a document that search engines read as a sitemap. The kind of a sitemap without `rs:md` is known at its end.
pub(super) fn is_sitemap(cx: &CheckContext<'_>) -> bool {
    match cx.kind() {
        Kind::Sitemap | Kind::ResourceList | Kind::ResourceListIndex => true,
        Kind::Unknown => cx.root.shape.is_some() && cx.memory.md.is_none(),
        _ => false,
    }
}
