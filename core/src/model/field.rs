//! A value with its place: parsed, or kept as text.

use alloc::{borrow::Cow, boxed::Box, string::ToString};

use crate::{
    span::Span,
    value::{Hashes, Parsed, Value},
};

/// A value of a document and its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field<T> {
    value: Option<T>,
    /// INVARIANT: present when `value` is absent, or when it was not written as the standard writes it.
    written: Option<Box<str>>,
    span: Span,
}

impl<T: Value> Field<T> {
    /// Reads text; never fails.
    #[inline(always)] // so that a field is made where it stays
    pub fn read(text: &str, span: Span) -> Field<T> {
        let (value, written) = match T::read(text) {
            Parsed::Exact(value) => (Some(value), None),
            Parsed::Lenient(value) => (Some(value), Some(text.into())),
            Parsed::Malformed => (None, Some(text.into())),
        };
        Field { value, written, span }
    }

    /// A value that was not read from anywhere.
    pub fn new(value: T) -> Field<T> {
        Field { value: Some(value), written: None, span: Span::default() }
    }

    /// A value in the place of one that was read.
    pub(crate) fn at(value: T, span: Span) -> Field<T> {
        Field { value: Some(value), written: None, span }
    }

    /// The value, also where it was written loosely but its meaning is certain.
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// The value, only if it was written as the standard writes it.
    pub fn exact(&self) -> Option<&T> {
        self.value.as_ref().filter(|_| self.written.is_none())
    }
}

impl Field<Hashes> {
    /// The digests that can be read, also where others of the list cannot.
    pub fn readable(&self) -> Cow<'_, Hashes> {
        match &self.value {
            Some(hashes) => Cow::Borrowed(hashes),
            None => Cow::Owned(Hashes::readable(self.malformed().unwrap_or_default())),
        }
    }
}

/// The operations on a field of any type.
pub trait AnyField {
    /// The text as written, or its canonical spelling where nothing but harmless detail differed.
    fn text(&self) -> Cow<'_, str>;
    /// The text as written, if it is not how the standard writes such a value.
    fn loose(&self) -> Option<&str>;
    /// The text as written, if it has no meaning at all.
    fn malformed(&self) -> Option<&str>;
    /// Its position.
    fn span(&self) -> Span;
}

impl<T: Value> AnyField for Field<T> {
    fn text(&self) -> Cow<'_, str> {
        match (&self.written, &self.value) {
            (Some(text), _) => Cow::Borrowed(text),
            (None, Some(value)) => Cow::Owned(value.to_string()),
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
