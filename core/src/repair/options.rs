//! The options of repairs.

/// Information that the document does not contain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepairOptions {
    /// The time zone of datetimes without one, in minutes east of UTC; `None` leaves them unchanged.
    pub zone: Option<i16>,
}
