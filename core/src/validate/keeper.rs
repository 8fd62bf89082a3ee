//! Keeps a document while it is validated, so that it is read once.

use alloc::boxed::Box;

use super::{DocumentSummary, Observer};
use crate::{
    model::{Document, Item},
    span::Span,
    xml::Cut,
};

#[derive(Debug, Default)]
pub(crate) struct Keeper(Box<Document>);

impl Observer for Keeper {
    fn take(&mut self, item: Item<'_>) {
        self.0.keep(item);
    }

    fn settle(&mut self, _: bool, _: &dyn Fn(&Span) -> Cut) {}

    fn is_resource_sync(&self) -> bool {
        true
    }

    fn finish(self: Box<Self>) -> DocumentSummary {
        DocumentSummary { document: Some(self.0), ..DocumentSummary::default() }
    }
}
