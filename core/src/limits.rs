//! All limits on inputs, with their defaults and reasons.

/// Limits on inputs. An exceeded limit is a finding (`LIM-nn`) and makes the verdict undetermined.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one unpacked document. The standard allows 50 MB (GEN-19); larger documents are still read, up to
    /// this limit.
    pub document_bytes: u64,
    /// Entries of one document. The standard allows 50,000 (GEN-18).
    pub entries: u64,
    /// Open elements at one time. ResourceSync needs 4.
    pub depth: u32,
    /// Attributes of one element, including namespace declarations. `rs:md` has about ten.
    pub attributes: u32,
    /// Namespace declarations in scope at one time.
    pub namespaces: u32,
    /// Bytes of an element or attribute name.
    pub name_bytes: u32,
    /// Bytes of one attribute value, or of one text value (`loc`, `lastmod` …).
    pub value_bytes: u32,
    /// Bytes of one start tag. This also bounds the reading buffer.
    pub tag_bytes: u32,
    /// `rs:ln` elements in one entry or under the root.
    pub links: u32,
    /// Digests in one `hash`.
    pub digests: u32,
    /// Decompressed bytes per compressed byte of a document (gzip, or a manifest in its package), after the first MiB. Real
    /// documents stay below 70.
    pub inflate_ratio: u32,
    /// Entries, links and other elements buffered until the root `rs:md` is read.
    pub late_head_entries: u32,
    /// Bytes of foreign elements kept for writing, for each entry and for the head.
    pub extension_bytes: u32,
    /// Members of one package. Each costs about 100 bytes of memory.
    pub members: u64,
    /// Bytes of the name of a member.
    pub member_name_bytes: u32,
    /// Bytes of one segment of such a name. Most file systems have this limit.
    pub member_part_bytes: u32,
    /// Segments of such a name.
    pub member_depth: u32,
    /// Unpacked bytes of all members of one package together, as declared.
    pub package_bytes: u64,
    /// Bytes of an HTML page or a `robots.txt` that a crawl reads. The links that matter are in the head of a page.
    pub page_bytes: u32,
    /// Entries of one document that a crawl keeps to follow them. Twice the number that the standard allows; each costs
    /// about 1 KB of memory.
    pub kept_entries: u64,
    /// Entries that a crawl keeps of all documents together.
    pub crawl_entries: u64,
    /// Bytes of an entry that a crawl keeps.
    pub kept_entry_bytes: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            document_bytes: 1 << 30,
            entries: 5_000_000,
            depth: 64,
            attributes: 64,
            namespaces: 128,
            name_bytes: 256,
            value_bytes: 64 << 10,
            tag_bytes: 256 << 10,
            links: 1_000,
            digests: 16,
            inflate_ratio: 200,
            late_head_entries: 10_000,
            extension_bytes: 64 << 10,
            members: 1_000_000,
            member_name_bytes: 1_024,
            member_part_bytes: 255,
            member_depth: 64,
            package_bytes: 64 << 30,
            page_bytes: 1 << 20,
            kept_entries: 2 * STANDARD_ENTRIES,
            crawl_entries: 500_000,
            kept_entry_bytes: 4 << 10,
        }
    }
}

/// Entries a document may have (Sitemap protocol, adopted by Z39.99-2017 §7).
pub const STANDARD_ENTRIES: u64 = 50_000;
/// 50 MB in powers of ten: some readers reject larger documents.
pub const STANDARD_BYTES: u64 = 50_000_000;
/// 50 MB in powers of two: all readers may reject larger documents.
pub const STANDARD_BYTES_BINARY: u64 = 52_428_800;

/// Generates the names of limits and access by name from one list.
macro_rules! names {
    ($($name:ident),*) => {
        impl Limits {
            /// The names of all limits, as configuration and messages write them.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// Sets a limit by its name. False if there is no such limit, or the value is too large for it.
            #[must_use]
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($name) => match value.try_into() {
                        Ok(value) => self.$name = value,
                        Err(_) => return false,
                    },)*
                    _ => return false,
                }
                true
            }

            /// The value of a limit by its name.
            pub fn get(&self, name: &str) -> Option<u64> {
                match name {
                    $(stringify!($name) => Some(self.$name.into()),)*
                    _ => None,
                }
            }
        }
    };
}

names!(
    document_bytes,
    entries,
    depth,
    attributes,
    namespaces,
    name_bytes,
    value_bytes,
    tag_bytes,
    links,
    digests,
    inflate_ratio,
    late_head_entries,
    extension_bytes,
    members,
    member_name_bytes,
    member_part_bytes,
    member_depth,
    package_bytes,
    page_bytes,
    kept_entries,
    crawl_entries,
    kept_entry_bytes
);

#[cfg(test)]
mod tests {
    use alloc::{format, vec::Vec};

    use super::*;

    #[test]
    fn every_limit_can_be_named() {
        let fields = format!("{:?}", Limits::default());
        let fields = fields.split(['{', ',']).skip(1).filter_map(|field| field.split_once(':'));
        assert_eq!(fields.map(|(name, _)| name.trim()).collect::<Vec<_>>(), Limits::NAMES);
    }
}
