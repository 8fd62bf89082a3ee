//! A value with its position: parsed, or kept as text.

use alloc::{borrow::Cow, boxed::Box};

use crate::{
    span::Span,
    value::{Hashes, Parsed, Value},
};

/// A value of a document and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field<T> {
    value: Option<T>,
    /// INVARIANT: present if `value` is absent, or if its spelling is not that of the standard.
    written: Option<Box<str>>,
    span: Span,
}

impl<T: Value> Field<T> {
    /// Reads text; never fails.
    #[inline(always)] // so that a field is constructed in place
    pub fn read(text: &str, span: Span) -> Field<T> {
        let (value, written) = match T::read(text) {
            Parsed::Exact(value) => (Some(value), None),
            Parsed::Lenient(value) => (Some(value), Some(text.into())),
            Parsed::Malformed => (None, Some(text.into())),
        };
        Field { value, written, span }
    }

    /// A value without a source.
    pub fn new(value: T) -> Field<T> {
        Field { value: Some(value), written: None, span: Span::default() }
    }

    /// A value in the place of one that was read.
    pub(crate) fn at(value: T, span: Span) -> Field<T> {
        Field { value: Some(value), written: None, span }
    }

    /// The place for a value in the spelling of the standard.
    pub(crate) fn exact_mut(&mut self) -> &mut Option<T> {
        self.written = None;
        &mut self.value
    }

    /// Its position, mutably.
    #[inline]
    pub(crate) fn span_mut(&mut self) -> &mut Span {
        &mut self.span
    }

    /// The value, even if its spelling is not that of the standard but its meaning is certain.
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// The value, only if its spelling is that of the standard.
    pub fn exact(&self) -> Option<&T> {
        self.value.as_ref().filter(|_| self.written.is_none())
    }
}

impl Field<Hashes> {
    /// The digests that can be read, even if others in the list cannot.
    pub fn readable(&self) -> Cow<'_, Hashes> {
        match &self.value {
            Some(hashes) => Cow::Borrowed(hashes),
            None => Cow::Owned(Hashes::readable(self.malformed().unwrap_or_default())),
        }
    }
}

/// The operations on a field of any type.
pub trait AnyField {
    /// The text as written, or its canonical spelling if only harmless details differ.
    fn text(&self) -> Cow<'_, str>;
    /// The text as written, if it is not the standard spelling.
    fn loose(&self) -> Option<&str>;
    /// The text as written, if it could not be parsed.
    fn malformed(&self) -> Option<&str>;
    /// Its position.
    fn span(&self) -> Span;
}

impl<T: Value> AnyField for Field<T> {
    fn text(&self) -> Cow<'_, str> {
        match (&self.written, &self.value) {
            (Some(text), _) => Cow::Borrowed(text),
            (None, Some(value)) => value.spelling(),
            (None, None) => Cow::Borrowed(""),
        }
    }

    fn loose(&self) -> Option<&str> {
        self.written.as_deref()
    }

    fn malformed(&self) -> Option<&str> {
        self.written.as_deref().filter(|_| self.value.is_none())
    }

    fn span(&self) -> Span {
        self.span
    }
}
