//! A document being read entry by entry.

use js_sys::{Array, JSON, Number};
use resourcesync::{
    api::{self, plain},
    model::{Document, Head, Item, Root},
    report::Diagnostic,
};
use wasm_bindgen::{JsCast, JsValue, prelude::wasm_bindgen};

use crate::{
    fail,
    object::{Out, object},
    options::Options,
};

/// A document being read: push bytes, take the complete entries.
#[wasm_bindgen]
#[derive(Debug)]
pub struct ItemReader {
    inner: api::ItemReader,
    root: Root,
    head: Head,
    failure: Option<Box<Diagnostic>>,
}

#[wasm_bindgen]
impl ItemReader {
    /// Starts a document; `keeping` keeps foreign elements as well.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options, keeping: bool) -> ItemReader {
        let limits = &options.core().limits;
        let inner = if keeping { api::ItemReader::keeping(limits) } else { api::ItemReader::new(limits) };
        ItemReader { inner, root: Root::default(), head: Head::default(), failure: None }
    }

    /// Reads the next window; returns the entries it completed.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn push(&mut self, bytes: &[u8]) -> Out<Array> {
        Ok(self.take(|inner, take| inner.push(bytes, take)))
    }

    /// Ends the input; returns the last entries.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn finish(&mut self) -> Out<Array> {
        Ok(self.take(api::ItemReader::finish))
    }

    /// The head of the document, as far as it was read: `{ kind, head }`, with empty `entries`.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn head(&self) -> Out<JsValue> {
        let (root, head) = (self.root.clone(), self.head.clone());
        Ok(object(&plain::Document::from(&Document { root, head, entries: Vec::new() })))
    }

    /// The reason why the rest cannot be read, as JSON.
    pub fn failure(&self) -> Option<String> {
        self.failure.as_deref().map(fail::json)
    }
}

impl ItemReader {
    fn take(
        &mut self,
        read: impl FnOnce(&mut api::ItemReader, &mut api::OnItem<'_>) -> Result<(), Box<Diagnostic>>,
    ) -> Array {
        let ItemReader { inner, root, head, failure } = self;
        let mut entries = Entries::default();
        let done = read(inner, &mut |item| match item {
            Item::Root(own) => *root = own.clone(),
            Item::Md(md) => head.md.push(md.clone()),
            Item::Link(link) => head.links.push(link.clone()),
            Item::Other(element) => head.others.push(element.clone()),
            Item::Namespace(namespace) => head.namespaces.push(namespace.clone()),
            Item::Entry(entry) => entries.push(&plain::Entry::from(entry)),
            Item::Extensions(_) | Item::End(_) => {}
        });
        if let Err(diagnostic) = done {
            *failure = Some(diagnostic);
        }
        entries.finish()
    }
}

/// Entries on their way out. As one text that JavaScript parses they cost less than objects made from here, value by value.
#[derive(Default)]
struct Entries {
    parsed: Array,
    /// A JSON array of the entries after those, without its end; empty if there are none.
    text: Vec<u8>,
}

impl Entries {
    fn push(&mut self, entry: &plain::Entry) {
        // JSON has no `bigint`.
        let is_exact = |length: Option<u64>| length.is_none_or(|length| length as f64 <= Number::MAX_SAFE_INTEGER);
        if !is_exact(entry.length) || !entry.links.iter().all(|link| is_exact(link.length)) {
            self.parse();
            self.parsed.push(&object(entry));
            return;
        }
        self.text.push(if self.text.is_empty() { b'[' } else { b',' });
        // Writing to memory cannot fail.
        let _ = serde_json::to_writer(&mut self.text, entry);
    }

    fn parse(&mut self) {
        if self.text.is_empty() {
            return;
        }
        self.text.push(b']');
        let text = core::mem::take(&mut self.text);
        // The text is JSON.
        let entries = str::from_utf8(&text).ok().and_then(|text| JSON::parse(text).ok());
        let entries: Array = entries.map(JsCast::unchecked_into).unwrap_or_default();
        self.parsed = if self.parsed.length() == 0 { entries } else { self.parsed.concat(&entries) };
    }

    fn finish(mut self) -> Array {
        self.parse();
        self.parsed
    }
}
