//! All limits on inputs, with their defaults and reasons.

/// Declares a struct of limits from one list: the reason, name, type and default of each, and the greatest value if it is less than what the
/// type holds.
#[doc(hidden)]
#[macro_export]
macro_rules! limits {
    (
        $(#[$about:meta])*
        pub struct Limits {
            $($(#[doc = $why:literal])+ $name:ident: $type:ty = $default:expr $(, $greatest:expr)?;)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Limits {
            $($(#[doc = $why])+ pub $name: $type,)+
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($name: $default,)+ }
            }
        }

        impl Limits {
            /// The names of all limits, as configuration and messages write them.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];

            /// What each limit bounds, and the reason for its default, in the order of the names.
            pub const PURPOSES: &'static [&'static str] = &[$(concat!($($why),+)),+];

            /// Sets a limit by its name. False if there is no such limit, or the value is too large for it.
            #[must_use]
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($name) => match value.try_into() {
                        Ok(value) if (..=[$($greatest,)? <$type>::MAX][0]).contains(&value) => self.$name = value,
                        _ => return false,
                    },)+
                    _ => return false,
                }
                true
            }

            /// The values of all limits, in the order of the names.
            pub fn values(&self) -> [u64; Limits::NAMES.len()] {
                [$(self.$name.into()),+]
            }

            /// The value of a limit by its name.
            pub fn get(&self, name: &str) -> Option<u64> {
                match name {
                    $(stringify!($name) => Some(self.$name.into()),)+
                    _ => None,
                }
            }
        }
    };
}

limits! {
    /// Limits on inputs. An exceeded limit is a finding (`LIM-nn`) and makes the verdict undetermined.
    pub struct Limits {
        /// Bytes of one unpacked document. The standard allows 50 MB (GEN-19); larger documents are still read, up to
        /// this limit.
        document_bytes: u64 = 1 << 30;
        /// Entries of one document. The standard allows 50,000 (GEN-18).
        entries: u64 = 5_000_000;
        /// Open elements at one time. ResourceSync needs 4.
        depth: u32 = 64;
        /// Attributes of one element, including namespace declarations. `rs:md` has about ten.
        attributes: u32 = 64;
        /// Namespace declarations in scope at one time.
        namespaces: u32 = 128;
        /// Bytes of an element or attribute name.
        name_bytes: u32 = 256;
        /// Bytes of one attribute value, or of one text value (`loc`, `lastmod` …).
        value_bytes: u32 = 64 << 10;
        /// Bytes of one start tag. This also bounds the reading buffer.
        tag_bytes: u32 = 256 << 10;
        /// `rs:ln` elements in one entry or under the root.
        links: u32 = 1_000;
        /// Digests in one `hash`.
        digests: u32 = 16;
        /// Decompressed bytes per compressed byte of a document (gzip, or a manifest in its package) or of a member that is
        /// unpacked, after the first MiB. Real documents stay below 70.
        inflate_ratio: u32 = 200;
        /// Entries, links and other elements buffered until the root `rs:md` is read.
        late_head_entries: u32 = 10_000;
        /// Bytes of foreign elements kept for writing, for each entry and for the head.
        extension_bytes: u32 = 64 << 10;
        /// Members of one package. Each costs about 100 bytes of memory.
        members: u64 = 1_000_000;
        /// Bytes of the name of a member.
        member_name_bytes: u32 = 1_024;
        /// Bytes of one segment of such a name. Most file systems have this limit.
        member_part_bytes: u32 = 255;
        /// Segments of such a name.
        member_depth: u32 = 64;
        /// Unpacked bytes of all members of one package together, as declared.
        package_bytes: u64 = 64 << 30;
        /// Bytes that are unpacked from a package together: one member, or the members of one extraction. A small package that
        /// is not trusted must not fill a disk.
        unpacked_bytes: u64 = 16 << 30;
        /// Bytes of an HTML page or a `robots.txt` that a crawl reads. The links that matter are in the head of a page.
        page_bytes: u32 = 1 << 20;
        /// Entries of one document that a crawl keeps to follow them. Twice the number that the standard allows; each costs
        /// about 1 KB of memory.
        kept_entries: u64 = 2 * STANDARD_ENTRIES;
        /// Entries that a crawl keeps of all documents together.
        crawl_entries: u64 = 500_000;
        /// Bytes of an entry that a crawl keeps.
        kept_entry_bytes: u32 = 4 << 10;
    }
}

/// Entries a document may have (Sitemap protocol, adopted by Z39.99-2017 §7).
pub const STANDARD_ENTRIES: u64 = 50_000;
/// 50 MB in powers of ten: some readers reject larger documents.
pub const STANDARD_BYTES: u64 = 50_000_000;
/// 50 MB in powers of two: all readers may reject larger documents.
pub const STANDARD_BYTES_BINARY: u64 = 52_428_800;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_set_by_its_name_as_far_as_it_fits() {
        let mut limits = Limits::default();
        for name in Limits::NAMES {
            assert!(limits.set(name, 7), "{name}");
            assert_eq!(limits.get(name), Some(7), "{name}");
        }
        assert!(limits.set("depth", u32::MAX.into()));
        assert!(!limits.set("depth", 1 << 32));
        assert!(!limits.set("http_redirects", 1));
        assert_eq!((limits.depth, limits.get("http_redirects")), (u32::MAX, None));
    }
}
