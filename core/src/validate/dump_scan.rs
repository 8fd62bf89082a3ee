//! Reads what a dump lists before its packages are verified, so that each file is read once.

use alloc::{boxed::Box, collections::BTreeMap, string::String, vec::Vec};

use crate::{
    codec::Gunzip,
    limits::Limits,
    model::{Entry, Field, Item, Kind, Root},
    read::{Canonical, ReadEvent, Reader},
    rules::last_segment,
    value::{Hashes, Relation},
};

/// What a document lists about packages.
#[derive(Debug, Clone, Default)]
pub struct DumpListing {
    /// What it is.
    pub kind: Kind,
    /// The digests it lists of each package, by the last segment of its URI.
    pub packages: BTreeMap<String, Hashes>,
    /// The last segments of the manifests it links to.
    pub manifests: Vec<String>,
    /// What it says, as a digest, if it is a manifest that was read to its end.
    pub canonical: Option<[u8; 32]>,
}

/// A document being scanned; it may be packed as gzip.
#[derive(Debug)]
pub struct DumpScan {
    ratio: u32,
    begun: bool,
    gunzip: Option<Box<Gunzip>>,
    reader: Reader,
    root: Root,
    canonical: Canonical,
    dump: DumpListing,
    /// It is neither dump nor manifest, or cannot be read further.
    over: bool,
}

impl DumpScan {
    /// At the beginning of a document.
    pub fn new(limits: &Limits) -> DumpScan {
        DumpScan {
            ratio: limits.inflate_ratio,
            begun: false,
            gunzip: None,
            reader: Reader::new(limits),
            root: Root::default(),
            canonical: Canonical::default(),
            dump: DumpListing::default(),
            over: false,
        }
    }

    /// Takes the next window; false once no more is of interest.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        if let Some(first) = bytes.first().filter(|_| !self.begun) {
            self.begun = true;
            // No document begins so, and gzip always does.
            self.gunzip = (*first == 0x1f).then(|| Box::new(Gunzip::new(self.ratio)));
        }
        match self.gunzip.take() {
            None => self.plain(bytes),
            Some(mut gunzip) => {
                self.over |= gunzip.push(bytes, &mut |unpacked| self.plain(unpacked)).is_err();
                self.gunzip = Some(gunzip);
            }
        }
        !self.over
    }

    fn plain(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() && !self.over {
            let taken = self.reader.push(bytes);
            bytes = bytes.get(taken..).unwrap_or(&[]);
            self.drain();
        }
    }

    /// What the document lists.
    pub fn finish(mut self) -> DumpListing {
        if let Some(mut gunzip) = self.gunzip.take() {
            self.over |= gunzip.finish(&mut |unpacked| self.plain(unpacked)).is_err();
        }
        if !self.over {
            self.reader.finish();
            self.drain();
        }
        self.dump
    }

    fn drain(&mut self) {
        let DumpScan { reader, root, canonical, dump, over, .. } = self;
        while let Some(read) = reader.next() {
            let item = match read {
                ReadEvent::Item(item) => item,
                ReadEvent::Encoding(..) => continue,
                ReadEvent::Fault(_) => {
                    *over = true;
                    return;
                }
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
                    // Most documents have nothing to do with packages: their head says so.
                    *over = !matches!(
                        dump.kind,
                        Kind::ResourceDump | Kind::ChangeDump | Kind::ResourceDumpManifest | Kind::ChangeDumpManifest
                    );
                }
                Item::Entry(entry) => note(entry, dump),
                Item::End(_) if matches!(dump.kind, Kind::ResourceDumpManifest | Kind::ChangeDumpManifest) => {
                    dump.canonical = Some(canonical.finish());
                }
                _ => {}
            }
        }
    }
}

fn note(entry: &Entry, dump: &mut DumpListing) {
    if matches!(dump.kind, Kind::ResourceDumpManifest | Kind::ChangeDumpManifest) {
        return;
    }
    let Some(name) = entry.uri().and_then(|uri| last_segment(uri.as_str())) else { return };
    let own = dump.packages.entry(name).or_default();
    let hashes = entry.first_md().and_then(|md| md.attributes.hash()).map(Field::readable).unwrap_or_default();
    for hash in hashes.iter() {
        own.push(hash.algorithm.clone(), hash.digest.clone());
    }
    for link in &entry.links {
        let is_contents =
            link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|rel: &Relation| rel.is("contents"));
        let href = link.attributes.href().and_then(|href| href.value()).filter(|_| is_contents);
        dump.manifests.extend(href.and_then(|href| last_segment(href.as_str())));
    }
}
