//! The time of a change.

use crate::value::{Change, Datetime};

/// The time of a change that was found by comparing two runs, to the second unless both were in it: the last modification of the resource if it is between the
/// two runs, otherwise the time of the later run.
#[must_use]
pub fn change_moment(lastmod: Option<&str>, change: &Change, before: Option<&Datetime>, now: &Datetime) -> Datetime {
    let second = |moment: &Datetime| Datetime::from_unix(moment.to_unix().0, 0);
    let own = lastmod.and_then(|lastmod| lastmod.parse::<Datetime>().ok()).filter(|own| !own.is_partial());
    // The second may begin before a previous run that has a fraction, although the modification is after it.
    let within = own.as_ref().and_then(second).filter(|own| {
        let after = before.is_some_and(|before| before.start() < own.start());
        *change != Change::Deleted && after && own.start() <= now.start()
    });
    let is_after = |own: &Datetime| before.is_none_or(|before| before.start() <= own.start());
    within.or_else(|| second(now).filter(is_after)).unwrap_or_else(|| now.clone())
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

    #[test]
    fn a_change_in_the_second_of_the_previous_run_is_not_listed_before_it() {
        let [before, now] =
            ["2024-05-01T00:00:10.379Z", "2024-05-01T00:00:11Z"].map(|text| text.parse::<Datetime>().unwrap());
        let moment = change_moment(Some("2024-05-01T00:00:10.379364Z"), &Change::Updated, Some(&before), &now);
        assert_eq!(moment.to_string(), "2024-05-01T00:00:11Z");
        // Both may be in one second.
        let later = "2024-05-01T00:00:10.700Z".parse::<Datetime>().unwrap();
        let moment = change_moment(None, &Change::Created, Some(&before), &later);
        assert_eq!(moment.to_string(), "2024-05-01T00:00:10.700Z");
    }
}
