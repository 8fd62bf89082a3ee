//! One snapshot: the times of the members of an index agree with what the index states, and with each other.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
};
use core::cmp::Ordering;

use resourcesync::value::{Datetime, Instant, Precision, key};

use super::content::{Child, Content};
use crate::listed_resource::moment;

/// When a list was made, as it is written somewhere.
#[derive(Debug, Clone, Default)]
struct Times {
    at: Option<Datetime>,
    completed: Option<Datetime>,
}

impl Times {
    fn read(at: Option<&str>, completed: Option<&str>) -> Times {
        Times { at: at.and_then(moment), completed: completed.and_then(moment) }
    }
}

/// What an index, or the first page of a list, states of its members.
#[derive(Debug, Default)]
pub(super) struct Snapshot {
    own: Times,
    /// Of its members, by their keys.
    members: BTreeMap<String, Times>,
    /// The most precise time of the members for which the index states this one, or none.
    seen: BTreeMap<Option<Instant>, Datetime>,
    /// The digests of the members, and of the index.
    bodies: BTreeSet<String>,
}

impl Snapshot {
    pub(super) fn of(content: &Content, digest: &str, children: &[Child]) -> Snapshot {
        let times = |child: &Child| Times::read(child.at.as_deref(), child.completed.as_deref());
        Snapshot {
            own: Times::read(content.at.as_deref(), content.completed.as_deref()),
            members: children.iter().map(|child| (key(&child.uri), times(child))).collect(),
            seen: BTreeMap::new(),
            bodies: [digest.into()].into(),
        }
    }

    /// Notes a member; false if it is of another snapshot. Times that are not written are those of the index.
    pub(super) fn takes(&mut self, uri: &str, content: &Content) -> bool {
        let Times { at, completed } = Times::read(content.at.as_deref(), content.completed.as_deref());
        let stated = self.members.get(&key(uri)).cloned().unwrap_or_default();
        let agree = |one: Option<&Datetime>, other: Option<&Datetime>| {
            one.zip(other).is_none_or(|(one, other)| compare(one, other) == Ordering::Equal)
        };
        if !agree(stated.completed.as_ref(), completed.as_ref()) {
            return false;
        }
        let Some(at) = at else { return true };
        let own = stated.at.as_ref().or(self.own.at.as_ref());
        // A snapshot takes its time.
        if stated.at.is_none()
            && let Some(end) = &self.own.completed
        {
            return own.is_none_or(|own| compare(own, &at) != Ordering::Greater)
                && compare(&at, end) != Ordering::Greater;
        }
        if !agree(own, Some(&at)) {
            return false;
        }
        if stated.completed.is_some() || self.own.completed.is_some() {
            return true;
        }
        // An index that states a day agrees with each of its moments, of which the members have the same.
        let seen = self.seen.entry(own.map(Datetime::start)).or_insert_with(|| at.clone());
        let is_same = compare(seen, &at) == Ordering::Equal;
        if at.precision() > seen.precision() {
            *seen = at;
        }
        is_same
    }

    /// Notes the body of a member; false if another one, or the index, has the same.
    pub(super) fn is_new(&mut self, digest: &str) -> bool {
        self.bodies.insert(digest.into())
    }

    /// True if a member that is written again now could have the same time.
    pub(super) fn is_current(&self, uri: &str, at: Option<&str>, now: i64) -> bool {
        let stated = self.members.get(&key(uri)).and_then(|times| times.at.clone());
        let at = at.and_then(moment).or(stated).or_else(|| self.own.at.clone());
        at.zip(Datetime::from_unix(now, 0)).is_none_or(|(at, now)| compare(&at, &now) != Ordering::Less)
    }
}

/// Compares two times as far as both are known: a day is equal to each of its moments.
pub(crate) fn compare(one: &Datetime, other: &Datetime) -> Ordering {
    let precision = one.precision().min(other.precision());
    if precision == Precision::Fraction {
        return one.start().cmp(&other.start());
    }
    let parts = |time: &Datetime| {
        let time = time.to_utc();
        let ((year, month, day), (hour, minute, second)) = (time.ymd(), time.hms());
        [year, month.into(), day.into(), hour.into(), minute.into(), second.into()]
    };
    let known = match precision {
        Precision::Year => 1,
        Precision::Month => 2,
        Precision::Day => 3,
        Precision::Minute => 5,
        Precision::Second | Precision::Fraction => 6,
    };
    let (one, other): ([u16; 6], [u16; 6]) = (parts(one), parts(other));
    one.iter().take(known).cmp(other.iter().take(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_compared_as_far_as_both_are_known() {
        let time = |text| moment(text).unwrap();
        for (one, other, order) in [
            ("2020-01-01", "2020-01-01T23:59:59Z", Ordering::Equal),
            ("2020-01-02", "2020-01-01T23:59:59Z", Ordering::Greater),
            ("2020", "2020-06-01", Ordering::Equal),
            ("2020-05", "2020-06-01", Ordering::Less),
            ("2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00Z", Ordering::Equal),
            ("2020-01-01T00:00Z", "2020-01-01T00:00:59Z", Ordering::Equal),
            ("2020-01-01T00:00:00.5Z", "2020-01-01T00:00:00Z", Ordering::Equal),
            ("2020-01-01T00:00:00.5Z", "2020-01-01T00:00:00.25Z", Ordering::Greater),
        ] {
            assert_eq!(compare(&time(one), &time(other)), order, "{one} {other}");
        }
    }
}
