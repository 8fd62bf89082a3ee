//! The interface of a tokenizer: it finds the end of markup, and remembers its position, so that a token cut into a
//! thousand windows is still looked at once.

/// Finds the end of a piece of markup. Bytes come in order, each once; after an answer the next question is a new one.
pub(super) trait Feed: core::fmt::Debug + Send + Sync {
    /// Bytes up to and including the `>` of a start tag; asked from just after its `<`.
    fn tag(&mut self, bytes: &[u8]) -> Option<usize>;
    /// Bytes up to and including the `-->` of a comment; asked from just after its `<!--`.
    fn comment(&mut self, bytes: &[u8]) -> Option<usize>;
    /// Bytes up to and including the `?>` of a processing instruction; asked from just after its target.
    fn instruction(&mut self, bytes: &[u8]) -> Option<usize>;
}
