//! What the requests of a check are for.

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Identify,
    /// Without content coding.
    IdentifyAsIs,
    IdentifyByPost,
    Formats,
    Sets,
    Records,
    /// The last page of records, with the same token again.
    RecordsAgain,
    RecordsByPost,
    Identifiers,
    /// The first, the last and a deleted record.
    FirstRecord,
    LastRecord,
    DeletedRecord,
    FormatsOfRecord,
    /// `from` and `until` are the datestamp of a record.
    Second,
    Day,
    /// Everything before `earliestDatestamp`.
    BeforeEarliest,
    /// A set of a record that is known.
    Set,
    /// A second format.
    OtherFormat,
    /// A record that a list lacked, to find out whether it was changed meanwhile.
    Verify,
    /// An invalid request, by its number.
    Invalid(u8),
}
