//! A document being read entry by entry.

use resourcesync::{
    api::{
        self,
        plain::{self, PackedEntries},
    },
    model::{Document, Head, Item, Root},
    report::Diagnostic,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

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
    entries: PackedEntries,
}

#[wasm_bindgen]
impl ItemReader {
    /// Starts a document; `keeping` keeps foreign elements as well.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options, keeping: bool) -> ItemReader {
        let limits = &options.core().limits;
        let inner = if keeping { api::ItemReader::keeping(limits) } else { api::ItemReader::new(limits) };
        ItemReader {
            inner,
            root: Root::default(),
            head: Head::default(),
            failure: None,
            entries: PackedEntries::default(),
        }
    }

    /// Reads the next window; returns the places in memory of the entries it completed, until the next call: start and length of the two texts of
    /// [`PackedEntries`], and of its numbers. Copies would take a tenth of the time of reading.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u32> {
        self.take(|inner, take| inner.push(bytes, take))
    }

    /// Ends the input; returns the last entries in the same way.
    pub fn finish(&mut self) -> Vec<u32> {
        self.take(api::ItemReader::finish)
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
    ) -> Vec<u32> {
        let ItemReader { inner, root, head, failure, entries } = self;
        entries.clear();
        let done = read(inner, &mut |item| match item {
            Item::Root(own) => *root = own.clone(),
            Item::Md(md) => head.md.push(md.clone()),
            Item::Link(link) => head.links.push(link.clone()),
            Item::Other(element) => head.others.push(element.clone()),
            Item::Namespace(namespace) => head.namespaces.push(namespace.clone()),
            Item::Entry(entry) => entries.push(entry),
            Item::Extensions(_) | Item::End(_) => {}
        });
        if let Err(diagnostic) = done {
            *failure = Some(diagnostic);
        }
        let texts = entries.texts().map(|text| [text.as_ptr() as u32, text.len() as u32]);
        let numbers = entries.numbers();
        [texts.as_flattened(), &[numbers.as_ptr() as u32, numbers.len() as u32]].concat()
    }
}

/// The memory of the module.
///
/// # Errors
///
/// Never.
#[wasm_bindgen(js_name = moduleMemory)]
pub fn module_memory() -> Out<JsValue> {
    Ok(wasm_bindgen::memory())
}
