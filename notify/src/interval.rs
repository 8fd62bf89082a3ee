//! The intervals of the notifications of one channel: contiguous, without overlap (Change Notification 1.0.1 §3).

use alloc::{string::String, vec::Vec};

use resourcesync::{model::Attributes, value::Datetime};
use serde::{Deserialize, Serialize};

/// Maximum payloads stored by digest, the last ones.
const REMEMBERED: usize = 32;

/// The interval of a notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// The beginning.
    pub from: Datetime,
    /// The end.
    pub until: Datetime,
}

impl Interval {
    /// That of the attributes of a head.
    pub(crate) fn of(attributes: &Attributes) -> Option<Interval> {
        let from = attributes.from().and_then(|from| from.value()).cloned();
        let until = attributes.until().and_then(|until| until.value()).cloned();
        from.zip(until).map(|(from, until)| Interval { from, until })
    }
}

/// The interval covered by a channel so far.
///
/// The identity of a notification is its interval and the SHA-256 of its bytes: too many changes of one moment are several payloads
/// with one interval.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Chain {
    /// The end of the last interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<Datetime>,
    /// Digests of the last payloads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    recent: Vec<String>,
}

/// The position of a notification in its channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// It continues or starts the channel.
    Follows,
    /// It continues the channel, and overlaps with it.
    Overlaps,
    /// It was received before.
    Repeats,
    /// Its interval is already covered.
    Stale,
    /// Its moment is already covered, but it was not received before: possibly one of several payloads of that
    /// moment.
    Late,
    /// There is a gap before it.
    Early,
}

impl Chain {
    /// The end of the last interval; `None` before the first.
    pub fn until(&self) -> Option<&Datetime> {
        self.until.as_ref()
    }

    /// The position of a notification. One without an interval is only compared with the last ones.
    pub fn place(&self, interval: Option<&Interval>, digest: &str) -> Place {
        if self.recent.iter().any(|recent| recent == digest) {
            return Place::Repeats;
        }
        let Some((Interval { from, until }, last)) = interval.zip(self.until.as_ref()) else { return Place::Follows };
        let (from, until, last) = (from.start(), until.start(), last.start());
        if from > last {
            Place::Early
        } else if from == last {
            Place::Follows
        } else if until > last {
            Place::Overlaps
        } else if from == until {
            Place::Late
        } else {
            Place::Stale
        }
    }

    /// Advances to the end of a notification.
    pub fn accept(&mut self, interval: Option<&Interval>, digest: &str) {
        if let Some(Interval { until, .. }) = interval
            && self.until.as_ref().is_none_or(|last| last.start() < until.start())
        {
            self.skip_to(until.clone());
        }
        if self.recent.len() >= REMEMBERED {
            self.recent.remove(0);
        }
        self.recent.push(digest.into());
    }

    /// Advances to a moment although there is a gap before it.
    pub fn skip_to(&mut self, until: Datetime) {
        self.until = Some(until);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn interval(from: u8, until: u8) -> Interval {
        let moment = |minute| Datetime::utc(2026, 11, 21, 9, minute, 0).unwrap();
        Interval { from: moment(from), until: moment(until) }
    }

    fn chain(intervals: &[(u8, u8, &str)]) -> Chain {
        let mut chain = Chain::default();
        intervals.iter().for_each(|(from, until, digest)| chain.accept(Some(&interval(*from, *until)), digest));
        chain
    }

    #[test]
    fn a_notification_follows_where_the_last_one_ends() {
        let chain = chain(&[(0, 5, "a"), (5, 10, "b")]);
        for (from, until, digest, place) in [
            (10, 15, "c", Place::Follows),
            (10, 10, "c", Place::Follows),
            (5, 10, "b", Place::Repeats),
            (5, 10, "c", Place::Stale),
            (0, 5, "a", Place::Repeats),
            (0, 5, "c", Place::Stale),
            (8, 15, "c", Place::Overlaps),
            (11, 15, "c", Place::Early),
            (9, 9, "c", Place::Late),
        ] {
            assert_eq!(chain.place(Some(&interval(from, until)), digest), place, "{from} {until}");
        }
        assert_eq!(Chain::default().place(Some(&interval(7, 8)), "a"), Place::Follows);
    }

    #[test]
    fn the_same_moment_in_another_zone_is_the_same() {
        let chain = chain(&[(0, 5, "a")]);
        let from = "2026-11-21T18:05:00+09:00".parse().unwrap();
        let until = "2026-11-21T18:06:00.5+09:00".parse().unwrap();
        assert_eq!(chain.place(Some(&Interval { from, until }), "b"), Place::Follows);
    }

    #[test]
    fn parts_of_one_moment_follow_each_other_and_none_is_taken_for_a_repetition() {
        let mut chain = chain(&[(0, 5, "a")]);
        for part in ["b", "c"] {
            assert_eq!(chain.place(Some(&interval(5, 5)), part), Place::Follows);
            chain.accept(Some(&interval(5, 5)), part);
            assert_eq!(chain.place(Some(&interval(5, 5)), part), Place::Repeats);
        }
        assert_eq!(chain.place(Some(&interval(0, 5)), "a"), Place::Repeats);
        chain.accept(Some(&interval(5, 6)), "d");
        assert_eq!(chain.place(Some(&interval(5, 5)), "e"), Place::Late);
        assert_eq!(chain.recent, ["a", "b", "c", "d"]);
    }

    #[test]
    fn without_intervals_only_the_last_payloads_are_known() {
        let mut chain = Chain::default();
        (0..40).for_each(|number| chain.accept(None, &alloc::format!("{number}")));
        assert_eq!((chain.place(None, "39"), chain.place(None, "8")), (Place::Repeats, Place::Repeats));
        assert_eq!((chain.place(None, "7"), chain.place(None, "40")), (Place::Follows, Place::Follows));
    }

    #[test]
    fn a_gap_is_skipped_once() {
        let mut chain = chain(&[(0, 5, "a")]);
        chain.skip_to(interval(10, 10).until);
        assert_eq!(chain.place(Some(&interval(10, 12)), "c"), Place::Follows);
        assert_eq!(chain.place(Some(&interval(5, 10)), "b"), Place::Stale);
        assert_eq!(chain.until(), Some(&interval(10, 10).until));
    }
}
