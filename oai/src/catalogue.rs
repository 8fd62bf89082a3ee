//! The family `OAI`: how a repository complies with OAI-PMH 2.0, and what a harvest reports; and the limits of a harvest.

use core::fmt;

use resourcesync::diagnostic::{Level, Severity};

/// One row of the catalogue.
#[derive(Debug)]
pub struct Row {
    /// The stable id, such as `OAI-04`.
    pub id: &'static str,
    /// The name in words, such as `damaged-record`.
    pub rule: &'static str,
    /// How strongly the protocol requires it; `None` for what it does not require.
    pub level: Option<Level>,
    /// True where the protocol does not state it in words but it follows from what it states.
    pub derived: bool,
    /// How much it weighs.
    pub severity: Severity,
    /// Where the protocol states it.
    pub section: Option<&'static str>,
    /// The message; `{name}` stands for an argument.
    pub message: &'static str,
}

/// The code of a note.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u8);

impl Code {
    /// All codes, in the order of the catalogue.
    pub fn all() -> impl Iterator<Item = Code> {
        (0..ROWS.len()).map(|at| Code(at as u8))
    }

    /// The code with this id.
    pub fn find(id: &str) -> Option<Code> {
        Code::all().find(|code| code.id() == id)
    }

    /// The row of the catalogue.
    #[allow(clippy::indexing_slicing)] // a code is a number of this table
    pub fn row(self) -> &'static Row {
        &ROWS[usize::from(self.0)]
    }

    /// The id, such as `OAI-04`.
    pub fn id(self) -> &'static str {
        self.row().id
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.id())
    }
}

impl<'de> serde::Deserialize<'de> for Code {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
        let id = alloc::string::String::deserialize(deserializer)?;
        Code::find(&id).ok_or_else(|| serde::de::Error::custom("no such code"))
    }
}

macro_rules! level {
    (Beyond) => {
        None
    };
    ($level:ident) => {
        Some(Level::$level)
    };
}

/// Writes the table once and numbers the constants after it.
macro_rules! catalogue {
    ($($name:ident = $id:literal, $rule:literal, $level:ident, $derived:literal, $severity:ident, $section:expr, $message:literal;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[repr(u8)]
        enum Number { $($name),* }

        impl Code {
            $(#[doc = concat!("`", $rule, "`: ", $message)] pub const $name: Code = Code(Number::$name as u8);)*
        }

        static ROWS: &[Row] = &[$(Row {
            id: $id,
            rule: $rule,
            level: level!($level),
            derived: $derived,
            severity: Severity::$severity,
            section: $section,
            message: $message,
        }),*];
    };
}

catalogue! {
    OAI_01 = "OAI-01", "not-oai-pmh", Must, false, Error, Some("OAI-PMH 2.0 §3.2"), "the response is not an OAI-PMH document but {kind}: `{line}`";
    OAI_02 = "OAI-02", "oai-namespace", Must, false, Error, Some("OAI-PMH 2.0 §3.2"), "the root element is in the namespace `{namespace}`";
    OAI_03 = "OAI-03", "before-declaration", Must, false, Error, Some("OAI-PMH 2.0 §3.2"), "{bytes} bytes precede the XML declaration";
    OAI_04 = "OAI-04", "damaged-record", Must, false, Error, Some("OAI-PMH 2.0 §3.2"), "the page is not well-formed: {reason}";
    OAI_05 = "OAI-05", "page-encoding", Must, false, Error, Some("OAI-PMH 2.0 §3.2"), "the encoding is {encoding}, not UTF-8";
    OAI_06 = "OAI-06", "response-date", Must, false, Error, Some("OAI-PMH 2.0 §3.2"), "`responseDate` is `{value}`";
    OAI_07 = "OAI-07", "request-echo", Must, false, Error, Some("OAI-PMH 2.0 §3.2"), "`request` has {argument} `{value}`, and `{sent}` was sent";
    OAI_08 = "OAI-08", "doctype", MustNot, true, Error, Some("OAI-PMH 2.0 §3.2"), "the page has a DOCTYPE, or refers to an entity that is not predefined";
    OAI_09 = "OAI-09", "page-structure", Must, false, Error, Some("OAI-PMH 2.0 §3.2"), "`{element}` is not allowed here, or an element is missing";
    OAI_10 = "OAI-10", "identify-element", Must, false, Error, Some("OAI-PMH 2.0 §4.2"), "`Identify` has no `{element}`";
    OAI_11 = "OAI-11", "granularity", Must, false, Error, Some("OAI-PMH 2.0 §4.2"), "`granularity` is `{value}`";
    OAI_12 = "OAI-12", "protocol-version", Must, false, Error, Some("OAI-PMH 2.0 §4.2"), "`protocolVersion` is `{value}`, not `2.0`";
    OAI_13 = "OAI-13", "base-url", Must, true, Warning, Some("OAI-PMH 2.0 §4.2"), "`baseURL` is `{value}`, and `{sent}` was requested";
    OAI_14 = "OAI-14", "earliest-datestamp", Must, false, Error, Some("OAI-PMH 2.0 §4.2"), "`earliestDatestamp` is `{value}`";
    OAI_15 = "OAI-15", "deleted-record", Must, false, Error, Some("OAI-PMH 2.0 §2.5.1, §4.2"), "`deletedRecord` is `{value}`";
    OAI_18 = "OAI-18", "before-earliest", MustNot, false, Error, Some("OAI-PMH 2.0 §4.2"), "the datestamp `{value}` is before `earliestDatestamp`";
    OAI_20 = "OAI-20", "empty-list", Must, false, Error, Some("OAI-PMH 2.0 §4.3, §4.5, §4.6"), "`{verb}` lists nothing";
    OAI_22 = "OAI-22", "token-attribute", Must, false, Error, Some("OAI-PMH 2.0 §3.5"), "`{attribute}` of `resumptionToken` is `{value}`";
    OAI_23 = "OAI-23", "token-blanks", Must, true, Warning, Some("OAI-PMH 2.0 §3.5"), "white space around the `resumptionToken`";
    OAI_24 = "OAI-24", "constant-token", Must, true, Warning, Some("OAI-PMH 2.0 §3.5"), "one `resumptionToken` for pages with different content";
    OAI_25 = "OAI-25", "no-last-token", Must, false, Error, Some("OAI-PMH 2.0 §3.5"), "the last page has no empty `resumptionToken`";
    OAI_26 = "OAI-26", "more-than-declared", Beyond, false, Warning, None, "{delivered} items were delivered, and `completeListSize` is {declared}";
    OAI_27 = "OAI-27", "cursor", Must, true, Warning, Some("OAI-PMH 2.0 §3.5"), "`cursor` is {cursor} after {delivered} items";
    OAI_30 = "OAI-30", "outside-interval", Must, false, Error, Some("OAI-PMH 2.0 §2.7.1"), "the datestamp `{value}` is outside the interval that was requested";
    OAI_32 = "OAI-32", "datestamp", Must, false, Error, Some("OAI-PMH 2.0 §3.3"), "the datestamp is `{value}`";
    OAI_33 = "OAI-33", "outside-set", Must, false, Error, Some("OAI-PMH 2.0 §2.7.2"), "the record is not in the set `{set}`";
    OAI_35 = "OAI-35", "set-spec", Must, false, Error, Some("OAI-PMH 2.0 §2.6"), "the set `{set}` is not listed by `ListSets`";
    OAI_38 = "OAI-38", "unannounced-deletion", MustNot, false, Error, Some("OAI-PMH 2.0 §2.5.1"), "a record is deleted, and `deletedRecord` is `no`";
    OAI_39 = "OAI-39", "deleted-with-metadata", MustNot, false, Error, Some("OAI-PMH 2.0 §2.5.1"), "a deleted record has metadata";
    OAI_40 = "OAI-40", "no-oai-dc", Must, false, Error, Some("OAI-PMH 2.0 §2.5"), "the format `oai_dc` is not offered";
    OAI_42 = "OAI-42", "record-part", Must, false, Error, Some("OAI-PMH 2.0 §2.5"), "the record has no `{part}`";
    OAI_44 = "OAI-44", "other-record", Must, false, Error, Some("OAI-PMH 2.0 §4.1"), "`{identifier}` was requested, and `{value}` was sent";
    OAI_46 = "OAI-46", "repeated-identifier", Beyond, false, Info, None, "{count} records were delivered again in one list";
    OAI_51 = "OAI-51", "error-status", Must, true, Warning, Some("OAI-PMH 2.0 §3.1.2, §3.6"), "an OAI-PMH error has the HTTP status {status}";
    OAI_52 = "OAI-52", "error-code", Must, false, Error, Some("OAI-PMH 2.0 §3.6"), "the protocol has no error `{code}`";
    OAI_53 = "OAI-53", "no-retry-after", Should, false, Warning, Some("OAI-PMH 2.0 §3.1.2.2"), "status {status} has no `Retry-After`";
    OAI_55 = "OAI-55", "content-type", Must, false, Warning, Some("OAI-PMH 2.0 §3.1.2.1"), "the Content-Type is `{value}`, not `text/xml`";
    OAI_56 = "OAI-56", "redirect", Must, true, Error, Some("OAI-PMH 2.0 §3.1.2.2"), "a redirect ({status}) without `Location`";
    OAI_57 = "OAI-57", "moved", Beyond, false, Info, None, "the base URL has moved to `{uri}`";
    OAI_58 = "OAI-58", "content-coding", Must, true, Warning, Some("OAI-PMH 2.0 §3.1.3"), "the body is compressed with {coding}, which is not labelled or was not offered";
    OAI_60 = "OAI-60", "loop", Beyond, false, Warning, None, "page {page} has the content of page {earlier} again";
    OAI_61 = "OAI-61", "nothing-new", Beyond, false, Warning, None, "{pages} pages in a row without a new identifier";
    OAI_62 = "OAI-62", "restarted", Beyond, false, Warning, None, "the list was requested again from its start: {why}";
    OAI_63 = "OAI-63", "cut", Beyond, false, Warning, None, "the list did not end: {why}";
    OAI_64 = "OAI-64", "fewer-than-declared", Beyond, false, Warning, None, "{delivered} items were delivered, and `completeListSize` is {declared}";
    OAI_65 = "OAI-65", "server-clock", Beyond, false, Warning, None, "`responseDate` is `{value}`, which is in the future or earlier than before";
    OAI_66 = "OAI-66", "too-many-deletions", Beyond, false, Error, None, "{missing} of {total} records are no longer listed: nothing is deleted";
    OAI_67 = "OAI-67", "list-contradicted", Beyond, false, Warning, None, "`{identifier}` is not listed, and GetRecord returns it: nothing is deleted";
    OAI_68 = "OAI-68", "quarantine", Beyond, false, Warning, None, "{quarantined} records are quarantined, more than {allowed}";
    OAI_69 = "OAI-69", "unexpected-response", Beyond, false, Warning, None, "stopped: {why}";
    LIM_40 = "LIM-40", "oai-page-limit", Beyond, false, Warning, None, "a page is larger than {limit} bytes (limit oai_page_bytes)";
    LIM_41 = "LIM-41", "oai-record-limit", Beyond, false, Warning, None, "a record is larger than {limit} bytes (limit oai_record_bytes)";
    LIM_42 = "LIM-42", "oai-depth-limit", Beyond, false, Warning, None, "metadata is nested more than {limit} deep (limit oai_metadata_depth)";
    LIM_43 = "LIM-43", "oai-header-limit", Beyond, false, Warning, None, "a value of a header is longer than {limit} bytes (limit oai_header_values)";
    LIM_44 = "LIM-44", "oai-sets-limit", Beyond, false, Warning, None, "a record is in more than {limit} sets (limit oai_sets_per_record)";
    LIM_45 = "LIM-45", "oai-about-limit", Beyond, false, Warning, None, "a record has more than {limit} `about` containers (limit oai_about)";
    LIM_46 = "LIM-46", "oai-token-limit", Beyond, false, Warning, None, "a `resumptionToken` is longer than {limit} bytes (limit oai_token_bytes)";
    LIM_47 = "LIM-47", "oai-pages-limit", Beyond, false, Warning, None, "a list has more than {limit} pages (limit oai_pages)";
    LIM_48 = "LIM-48", "oai-constant-token-limit", Beyond, false, Warning, None, "more than {limit} pages with one token (limit oai_constant_token_pages)";
    LIM_49 = "LIM-49", "oai-tries-limit", Beyond, false, Warning, None, "more than {limit} requests of one list had to be repeated (limit oai_tries)";
    LIM_50 = "LIM-50", "oai-quarantine-limit", Beyond, false, Warning, None, "more than {limit} bytes of damaged records (limit oai_quarantine_bytes)";
}
