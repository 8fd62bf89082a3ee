//! What a check of entries depends on: which of them need not run for an entry that repeats others.

/// What the result of a check depends on, besides the kind of document, its root element and the options: the first of these that covers all it
/// looks at. CONTRIBUTING.md says how to choose; where assertions are enabled, checks that were skipped run afterwards and must find nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depends {
    /// Which elements and attributes there are, in which order, and the values of `rel`, `change`, `capability`, `encoding`, `pri`, `changefreq` and
    /// `priority`.
    Shape,
    /// Also on other values, but it finds nothing wrong with those in their usual form ([`EntryShape`](super::EntryShape)).
    Usual,
    /// Also on values in their usual form.
    Values,
    /// Also on what was read before the entry, or on other inputs: anything in [`DocumentState`](super::DocumentState), members or packages.
    State,
}

/// The checks of entries that run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All.
    All,
    /// Those that depend on this or more: the others found nothing in another entry of the same shape.
    From(Depends),
    /// The others.
    Below(Depends),
}

impl Extent {
    pub(super) fn includes(self, depends: Depends) -> bool {
        match self {
            Extent::All => true,
            Extent::From(first) => depends >= first,
            Extent::Below(first) => depends < first,
        }
    }
}
