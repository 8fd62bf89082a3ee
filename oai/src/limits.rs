//! All limits on the resources that a repository may consume, with their defaults and reasons.

use resourcesync::named_enum;

resourcesync::limits! {
    /// The limits of a harvest.
    pub struct Limits {
        /// Bytes of one page, unpacked.
        oai_page_bytes: u64 = 1 << 30;
        /// Bytes of one record, which is also the part of a page held in memory.
        oai_record_bytes: u64 = 64 << 20;
        /// Open elements inside metadata. TEI needs more than the 64 of ResourceSync documents.
        oai_metadata_depth: u32 = 256;
        /// Bytes of one value of a header or of `Identify`. Texts inside metadata are not limited.
        oai_header_values: u32 = 64 << 10;
        /// `setSpec` elements of one header.
        oai_sets_per_record: u32 = 1_000;
        /// `about` containers of one record.
        oai_about: u32 = 100;
        /// Bytes of a `resumptionToken`.
        oai_token_bytes: u32 = 64 << 10;
        /// Pages of one list.
        oai_pages: u64 = 1_000_000;
        /// Consecutive pages without a new identifier.
        oai_barren_pages: u32 = 5;
        /// Consecutive pages with the same token.
        oai_constant_token_pages: u32 = 100_000;
        /// Repeated requests of one run.
        oai_tries: u32 = 20;
        /// `GetRecord` requests of one run for records that are owed.
        oai_owed_requests: u32 = 500;
        /// Stored bytes of damaged records.
        oai_quarantine_bytes: u64 = 1 << 30;
        /// Unpacked bytes for each packed byte, after the first MiB.
        inflate_ratio: u32 = 200;
    }
}

named_enum! {
    /// A limit that a response exceeded, by the quantity that it bounds.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum PageLimit {
        /// Bytes of one record.
        RecordBytes = "oai_record_bytes",
        /// Bytes of one value of a header.
        HeaderValues = "oai_header_values",
        /// `setSpec` elements of one header.
        SetsPerRecord = "oai_sets_per_record",
        /// `about` containers of one record.
        Abouts = "oai_about",
        /// Bytes of a `resumptionToken`.
        TokenBytes = "oai_token_bytes",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_of_a_page_is_a_limit() {
        use PageLimit::*;
        for limit in [RecordBytes, HeaderValues, SetsPerRecord, Abouts, TokenBytes] {
            assert!(Limits::NAMES.contains(&limit.as_str()), "{limit:?}");
        }
    }
}
