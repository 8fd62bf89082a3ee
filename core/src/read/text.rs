//! The text of an element such as `loc`, assembled from its pieces.

use alloc::string::String;

use crate::{
    model::{Child, Field},
    span::Span,
    value::Value,
};

/// Text being assembled.
#[derive(Debug, Default)]
pub(super) struct Gathering {
    text: String,
    span: Option<Span>,
    pieces: u32,
    /// The start tag.
    tag: Span,
    aside: Option<Span>,
    cut: bool,
}

impl Gathering {
    pub(super) fn begin(&mut self, tag: Span) {
        self.text.clear();
        (self.span, self.pieces, self.tag, self.aside, self.cut) = (None, 0, tag, None, false);
    }

    pub(super) fn add(&mut self, text: &str, span: Span, cut: bool, limit: usize) {
        let room = limit.saturating_sub(self.text.len());
        let end = (0..=room.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        self.text.push_str(text.get(..end).unwrap_or(""));
        self.cut |= cut || end < text.len();
        self.span = Some(self.span.map_or(span, |first| first.to(&span)));
        self.pieces = self.pieces.saturating_add(1);
    }

    pub(super) fn aside(&mut self, span: Span) {
        self.aside.get_or_insert(span);
    }

    /// The value of the text without surrounding XML white space; an ideographic space is part of the value.
    pub(super) fn value<T: Value>(&self) -> Child<T> {
        let text = self.text.trim_ascii();
        let span = match self.span {
            Some(span) if self.pieces == 1 && !self.cut && !text.is_empty() => {
                let before = self.text.len().saturating_sub(self.text.trim_ascii_start().len());
                span.part(&self.text, before..before.saturating_add(text.len()))
            }
            Some(span) if !text.is_empty() => span,
            _ => self.tag,
        };
        Child { field: Field::read(text, span), span: self.tag, aside: self.aside, cut: self.cut }
    }
}
