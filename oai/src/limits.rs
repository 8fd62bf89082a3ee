//! All limits on the resources that a repository may consume, with their defaults and reasons.

/// The limits of a harvest.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of one page, unpacked.
    pub oai_page_bytes: u64,
    /// Bytes of one record, which is also the part of a page held in memory.
    pub oai_record_bytes: u64,
    /// Open elements inside metadata. TEI needs more than the 64 of ResourceSync documents.
    pub oai_metadata_depth: u32,
    /// Bytes of one value of a header or of `Identify`. Texts inside metadata are not limited.
    pub oai_header_values: u32,
    /// `setSpec` elements of one header.
    pub oai_sets_per_record: u32,
    /// `about` containers of one record.
    pub oai_about: u32,
    /// Bytes of a `resumptionToken`.
    pub oai_token_bytes: u32,
    /// Pages of one list.
    pub oai_pages: u64,
    /// Consecutive pages without a new identifier.
    pub oai_barren_pages: u32,
    /// Consecutive pages with the same token.
    pub oai_constant_token_pages: u32,
    /// Repeated requests of one list.
    pub oai_tries: u32,
    /// Stored bytes of damaged records.
    pub oai_quarantine_bytes: u64,
    /// Unpacked bytes for each packed byte, after the first MiB.
    pub inflate_ratio: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            oai_page_bytes: 1 << 30,
            oai_record_bytes: 64 << 20,
            oai_metadata_depth: 256,
            oai_header_values: 64 << 10,
            oai_sets_per_record: 1_000,
            oai_about: 100,
            oai_token_bytes: 64 << 10,
            oai_pages: 1_000_000,
            oai_barren_pages: 5,
            oai_constant_token_pages: 100_000,
            oai_tries: 20,
            oai_quarantine_bytes: 1 << 30,
            inflate_ratio: 200,
        }
    }
}

/// A limit that a response exceeded, by the quantity that it bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PageLimit {
    /// Bytes of one record.
    RecordBytes,
    /// Bytes of one value of a header.
    HeaderValues,
    /// `setSpec` elements of one header.
    SetsPerRecord,
    /// `about` containers of one record.
    Abouts,
    /// Bytes of a `resumptionToken`.
    TokenBytes,
}

impl PageLimit {
    /// The name of the limit in [`Limits`].
    pub fn as_str(self) -> &'static str {
        match self {
            PageLimit::RecordBytes => "oai_record_bytes",
            PageLimit::HeaderValues => "oai_header_values",
            PageLimit::SetsPerRecord => "oai_sets_per_record",
            PageLimit::Abouts => "oai_about",
            PageLimit::TokenBytes => "oai_token_bytes",
        }
    }
}

/// Defines the names of the limits, and access by name.
macro_rules! names {
    ($($name:ident),*) => {
        impl Limits {
            /// The names of all limits, as used in configuration and messages.
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
    oai_page_bytes,
    oai_record_bytes,
    oai_metadata_depth,
    oai_header_values,
    oai_sets_per_record,
    oai_about,
    oai_token_bytes,
    oai_pages,
    oai_barren_pages,
    oai_constant_token_pages,
    oai_tries,
    oai_quarantine_bytes,
    inflate_ratio
);

#[cfg(test)]
mod tests {
    use alloc::{format, vec::Vec};

    use super::*;

    #[test]
    fn every_limit_of_a_page_is_a_limit() {
        use PageLimit::*;
        for limit in [RecordBytes, HeaderValues, SetsPerRecord, Abouts, TokenBytes] {
            assert!(Limits::NAMES.contains(&limit.as_str()), "{limit:?}");
        }
    }

    #[test]
    fn every_limit_can_be_named() {
        let fields = format!("{:?}", Limits::default());
        let fields = fields.split(['{', ',']).skip(1).filter_map(|field| field.split_once(':'));
        assert_eq!(fields.map(|(name, _)| name.trim()).collect::<Vec<_>>(), Limits::NAMES);
    }
}
