//! The interface of a tokenizer: it finds the end of markup and keeps its state, so that a token split over many
//! windows is scanned only once.

/// Finds the end of a piece of markup. Bytes are passed in order, each once; after a result the state is reset.
pub(super) trait Feed: core::fmt::Debug + Send + Sync {
    /// Bytes up to and including the `>` of a start tag; called from just after its `<`.
    fn tag(&mut self, bytes: &[u8]) -> Option<usize>;
    /// Bytes up to and including the `-->` of a comment; called from just after its `<!--`.
    fn comment(&mut self, bytes: &[u8]) -> Option<usize>;
    /// Bytes up to and including the `?>` of a processing instruction; called from just after its target.
    fn instruction(&mut self, bytes: &[u8]) -> Option<usize>;
}
