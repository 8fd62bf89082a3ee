//! Reads the entries of a dump before its packages are verified, so that each file is read once.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use crate::{
    codec::GunzipError,
    limits::Limits,
    model::{Entry, Field, Item, Kind, Root},
    read::{Canonical, Input, ReadEvent, Reader, Unpacked},
    rules::KindProfile,
    value::{Hashes, Relation},
};

/// The packages that a document lists.
#[derive(Debug, Clone, Default)]
pub struct DumpListing {
    /// Its kind.
    pub kind: Kind,
    /// The digests it lists of each package, by its URI.
    pub packages: BTreeMap<String, Hashes>,
    /// The URIs of the manifests it links to.
    pub manifests: Vec<String>,
    /// The digest of its content, if it is a manifest that was read to its end.
    pub canonical: Option<[u8; 32]>,
}

/// A document being scanned; it may be gzip-compressed.
#[derive(Debug)]
pub struct DumpScan {
    input: Input,
    document: Document,
}

impl DumpScan {
    /// Starts a scan.
    pub fn new(limits: &Limits) -> DumpScan {
        DumpScan {
            input: Input::new(limits.inflate_ratio),
            document: Document {
                reader: Some(Reader::new(limits)),
                root: Root::default(),
                canonical: Canonical::default(),
                dump: DumpListing::default(),
            },
        }
    }

    /// Reads the next window; false once the rest is irrelevant.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.input.push(bytes, &mut self.document);
        self.document.reader.is_some()
    }

    /// Returns the result.
    pub fn finish(mut self) -> DumpListing {
        self.input.finish(&mut self.document);
        self.document.read(|reader, take| reader.end(take));
        self.document.dump
    }
}

/// The decompressed document.
#[derive(Debug)]
struct Document {
    /// `None` once it is neither dump nor manifest, or cannot be read further.
    reader: Option<Reader>,
    root: Root,
    canonical: Canonical,
    dump: DumpListing,
}

impl Unpacked for Document {
    fn begin(&mut self, _: &[u8], other: Option<(&'static str, Kind)>) {
        if other.is_some() {
            self.reader = None;
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        for window in Reader::windows(bytes) {
            self.read(|reader, take| reader.feed(window, take));
        }
    }

    fn broken(&mut self, _: GunzipError) {
        self.reader = None;
    }
}

impl Document {
    fn read(&mut self, read: impl FnOnce(&mut Reader, &mut dyn FnMut(ReadEvent<'_>))) {
        let Some(mut reader) = self.reader.take() else { return };
        let mut is_over = false;
        read(&mut reader, &mut |event| is_over = is_over || self.take(event));
        self.reader = Some(reader).filter(|_| !is_over);
    }

    /// Processes an event; true once the rest is irrelevant.
    fn take(&mut self, event: ReadEvent<'_>) -> bool {
        let Document { root, canonical, dump, .. } = self;
        let item = match event {
            ReadEvent::Item(item) => item,
            ReadEvent::Encoding(..) => return false,
            ReadEvent::Fault(_) => return true,
        };
        canonical.add(item);
        match item {
            Item::Root(own) => *root = own.clone(),
            Item::Md(md) if dump.kind == Kind::Unknown => {
                let capability = md.attributes.capability().and_then(|field| field.value());
                dump.kind = root
                    .shape
                    .zip(capability)
                    .map_or(Kind::Unknown, |(shape, capability)| Kind::from_parts(shape, capability));
                // The head shows that most documents do not list packages.
                let profile = KindProfile::of(dump.kind);
                return !(profile.is_dump() || profile.is_manifest());
            }
            Item::Entry(entry) => note(entry, dump),
            Item::End(_) if KindProfile::of(dump.kind).is_manifest() => {
                dump.canonical = Some(canonical.finish());
            }
            _ => {}
        }
        false
    }
}

fn note(entry: &Entry, dump: &mut DumpListing) {
    if KindProfile::of(dump.kind).is_manifest() {
        return;
    }
    let Some(uri) = entry.uri() else { return };
    let own = dump.packages.entry(uri.as_str().into()).or_default();
    let hashes = entry.first_md().and_then(|md| md.attributes.hash()).map(Field::readable).unwrap_or_default();
    for hash in hashes.iter() {
        own.push(hash.algorithm.clone(), hash.digest.clone());
    }
    for link in &entry.links {
        let is_contents =
            link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|rel: &Relation| rel.is("contents"));
        let href = link.attributes.href().and_then(|href| href.value()).filter(|_| is_contents);
        dump.manifests.extend(href.map(|href| href.as_str().into()));
    }
}
