//! One bitstream that is being packaged.

use alloc::{boxed::Box, vec::Vec};

use crate::{
    diagnostic::{Code, Finding},
    fixity::{Algorithms, Digester, digest},
    model::{AttributeValue, Entry, Field, Md},
    value::{Hashes, Length, MediaType, to_hex},
};

/// Media types of compressed formats.
const COMPRESSED: [&str; 16] = [
    "application/epub+zip",
    "application/gzip",
    "application/java-archive",
    "application/vnd.rar",
    "application/x-7z-compressed",
    "application/x-bzip2",
    "application/x-xz",
    "application/zip",
    "application/zstd",
    "image/avif",
    "image/gif",
    "image/heic",
    "image/jp2",
    "image/jpeg",
    "image/png",
    "image/webp",
];

/// A bitstream that is being packaged.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) entry: Entry,
    set: Algorithms,
    digester: Digester,
    length: u64,
}

impl Member {
    pub(super) fn new(entry: Entry) -> Member {
        let set = hashes(&entry).map(Algorithms::of).unwrap_or_default();
        Member { entry, set, digester: Digester::of(set), length: 0 }
    }

    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.length = self.length.saturating_add(bytes.len() as u64);
        self.digester.push(bytes);
    }

    /// The entry with its length; rejected if the bytes do not match the description.
    pub(super) fn finish(self) -> Result<Entry, Box<Finding>> {
        let Member { mut entry, set, digester, length } = self;
        let path = path(&entry);
        let declared = entry.first_md().and_then(|md| md.attributes.length()).and_then(|field| field.value()).copied();
        match declared {
            Some(declared) if declared.0 != length => {
                let finding = Finding::new(Code::PKG_06).arg("value", path).arg("actual", length);
                return Err(Box::new(finding.arg("expected", declared.0)));
            }
            Some(_) => {}
            None => self::set(&mut entry, AttributeValue::Length(Field::new(Length(length)))),
        }
        let mut digests = Vec::new();
        digester.finish_into(&mut digests);
        for hash in hashes(&entry).into_iter().flat_map(Hashes::iter) {
            let actual = digest(set, &digests, &hash.algorithm);
            if let Some(actual) = actual.filter(|actual| *actual != hash.digest.as_ref()) {
                let finding = Finding::new(Code::PKG_05).arg("algorithm", hash.algorithm.as_str()).arg("value", path);
                return Err(Box::new(finding.arg("actual", to_hex(actual)).arg("expected", to_hex(&hash.digest))));
            }
        }
        Ok(entry)
    }
}

fn hashes(entry: &Entry) -> Option<&Hashes> {
    entry.first_md().and_then(|md| md.attributes.hash()).and_then(|field| field.value())
}

/// Its path, for messages.
pub(super) fn path(entry: &Entry) -> alloc::string::String {
    let field = entry.first_md().and_then(|md| md.attributes.path()).and_then(|field| field.value());
    field.map(|path| path.as_str().into()).unwrap_or_default()
}

/// Sets an attribute of the entry's `rs:md`.
pub(super) fn set(entry: &mut Entry, value: AttributeValue) {
    if entry.md.is_empty() {
        entry.md.push(Md::default());
    }
    if let Some(md) = entry.md.first_mut() {
        md.attributes.set(value);
    }
}

/// True if the bitstream of an entry is in a compressed format.
pub(super) fn is_stored(entry: &Entry) -> bool {
    let media_type = entry.first_md().and_then(|md| md.attributes.media_type()).and_then(|field| field.value());
    let Some(essence) = media_type.map(MediaType::essence) else { return false };
    let moving = essence.starts_with("video/") || essence.starts_with("audio/") && essence != "audio/wav";
    moving || COMPRESSED.contains(&essence.as_str())
}
