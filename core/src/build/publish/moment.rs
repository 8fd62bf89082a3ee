//! The time of a change.

use crate::value::{Change, Datetime};

/// The time of a change that was found by comparing two runs, to the second: the last modification of the resource if it is between the
/// two runs, otherwise the time of the later run.
#[must_use]
pub fn change_moment(lastmod: Option<&str>, change: &Change, before: Option<&Datetime>, now: &Datetime) -> Datetime {
    let own = lastmod.and_then(|lastmod| lastmod.parse::<Datetime>().ok());
    let within = own.filter(|own| {
        let after = before.is_some_and(|before| before.start() < own.start());
        *change != Change::Deleted && after && own.start() <= now.start() && !own.is_partial()
    });
    let (seconds, _) = within.as_ref().unwrap_or(now).to_unix();
    Datetime::from_unix(seconds, 0).unwrap_or_else(|| now.clone())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn a_change_happened_when_the_resource_was_modified_if_that_is_between_the_runs() {
        let [before, now] =
            ["2024-05-01T00:00:00Z", "2024-05-03T00:00:00Z"].map(|text| text.parse::<Datetime>().unwrap());
        for (lastmod, change, expected) in [
            (Some("2024-05-02T12:00:00.5+02:00"), Change::Updated, "2024-05-02T10:00:00Z"),
            (Some("2024-05-02T12:00:00Z"), Change::Deleted, "2024-05-03T00:00:00Z"),
            (Some("2024-05-02"), Change::Updated, "2024-05-03T00:00:00Z"),
            (Some("2024-05-01T00:00:00Z"), Change::Created, "2024-05-03T00:00:00Z"),
            (Some("2024-05-04T00:00:00Z"), Change::Created, "2024-05-03T00:00:00Z"),
            (None, Change::Created, "2024-05-03T00:00:00Z"),
        ] {
            assert_eq!(change_moment(lastmod, &change, Some(&before), &now).to_string(), expected, "{lastmod:?}");
        }
    }
}
