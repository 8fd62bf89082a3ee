//! The list item being assembled, and its markup.

use alloc::{string::String, sync::Arc, vec::Vec};

use resourcesync::span::{Place, Span};

use super::{Damage, Header, Name, Scope, markup::Markup};
use crate::bytes::Bytes;

/// The current item.
#[derive(Debug, Default)]
pub(super) struct Item {
    /// Its start offset.
    pub(super) start: Option<Place>,
    /// Its number in the page.
    pub(super) number: u64,
    pub(super) header: Header,
    pub(super) has_header: bool,
    pub(super) datestamp_span: Span,
    pub(super) metadata: Option<Pending>,
    pub(super) has_metadata: bool,
    pub(super) about: Vec<Pending>,
    /// Comments and processing instructions next to the root of the open `metadata` or `about`.
    pub(super) asides: Asides,
    pub(super) damage: Option<Damage>,
}

/// Which comments and processing instructions belong to the markup of a container.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asides {
    /// The next one, if it stands before the root.
    #[default]
    None,
    /// All from this offset to the root.
    From(u64),
    /// All after the root.
    After,
}

/// Markup whose bytes have not been extracted yet.
#[derive(Debug, Default, Clone)]
pub(super) struct Pending {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) scope: Arc<Scope>,
    pub(super) root: Name,
    pub(super) lang: Option<String>,
    pub(super) space: Option<String>,
}

impl Pending {
    pub(super) fn cut(self, all: &Bytes, base: u64) -> Markup {
        let index = |offset: u64| usize::try_from(offset.saturating_sub(base)).unwrap_or(usize::MAX);
        let Pending { scope, root, lang, space, .. } = self;
        Markup { raw: all.slice(index(self.from)..index(self.to)), scope, root, lang, space }
    }
}
