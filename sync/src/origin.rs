//! Where the bytes of resources come from: whether packages or requests for each resource take less time, and which mirrors are asked
//! before the URI of a resource.

use alloc::{collections::BTreeMap, string::String, vec::Vec};

use resourcesync::source::discovery::host;

use crate::listed_resource::{ListedResource, Mirror};

/// Failures after which a host is no longer asked for copies.
const FAILURES: u32 = 2;

/// What a server responds per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rates {
    /// Requests.
    pub requests: u64,
    /// Bytes.
    pub bytes: u64,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates { requests: 10, bytes: 10_000_000 }
    }
}

/// What has to be requested.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cost {
    /// Requests.
    pub requests: u64,
    /// Bytes.
    pub bytes: u64,
}

impl Cost {
    /// The time that it takes, in milliseconds.
    pub fn milliseconds(self, rates: Rates) -> u64 {
        let time = |amount: u64, rate: u64| amount.saturating_mul(1_000).checked_div(rate.max(1)).unwrap_or(0);
        time(self.requests, rates.requests).saturating_add(time(self.bytes, rates.bytes))
    }

    /// True if it takes so much less time than another way that the estimate may be wrong by a fifth.
    pub fn is_well_below(self, other: Cost, rates: Rates) -> bool {
        let (own, other) = (self.milliseconds(rates), other.milliseconds(rates));
        own.saturating_mul(10) < other.saturating_mul(8)
    }
}

/// The mirrors of a run.
#[derive(Debug, Default)]
pub struct Mirrors {
    /// Of each host, how many copies could not be fetched from it.
    failures: BTreeMap<String, u32>,
    /// The number of resources that were asked for.
    turn: usize,
}

impl Mirrors {
    /// The mirrors of a resource in the order in which they are tried; those of the same priority take turns. Without a listed digest there
    /// are none, since nothing would show that their bytes are other ones.
    pub fn of(&mut self, resource: &ListedResource) -> Vec<String> {
        if resource.hashes().iter().next().is_none() {
            return Vec::new();
        }
        let is_used = |mirror: &&Mirror| self.failures.get(&host_of(&mirror.uri)).is_none_or(|count| *count < FAILURES);
        let mut mirrors: Vec<&Mirror> = resource.mirrors.iter().filter(is_used).collect();
        for group in mirrors.chunk_by_mut(|one, other| one.pri == other.pri) {
            let turn = self.turn.checked_rem(group.len()).unwrap_or(0);
            group.rotate_left(turn);
        }
        self.turn = self.turn.wrapping_add(1);
        mirrors.into_iter().map(|mirror| mirror.uri.clone()).collect()
    }

    /// Notes that a mirror did not supply a resource: it was not there, or other bytes were, also past caches.
    pub fn failed(&mut self, uri: &str) {
        let count = self.failures.entry(host_of(uri)).or_default();
        *count = count.saturating_add(1);
    }
}

fn host_of(uri: &str) -> String {
    host(uri).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use alloc::{borrow::ToOwned, vec};

    use super::*;

    fn resource(mirrors: &[(&str, u32)]) -> ListedResource {
        ListedResource {
            hash: Some("md5:1584abdf8ebdc9802ac0c6a7402c03b6".to_owned()),
            mirrors: mirrors.iter().map(|(uri, pri)| Mirror { uri: (*uri).to_owned(), pri: *pri }).collect(),
            ..ListedResource::default()
        }
    }

    #[test]
    fn mirrors_of_the_same_priority_take_turns() {
        let own = resource(&[("http://a.example/1", 1), ("http://b.example/1", 2), ("http://c.example/1", 2)]);
        let mut mirrors = Mirrors::default();
        assert_eq!(mirrors.of(&own), ["http://a.example/1", "http://b.example/1", "http://c.example/1"]);
        assert_eq!(mirrors.of(&own), ["http://a.example/1", "http://c.example/1", "http://b.example/1"]);
        assert_eq!(mirrors.of(&own), ["http://a.example/1", "http://b.example/1", "http://c.example/1"]);
    }

    #[test]
    fn a_host_that_failed_twice_is_asked_no_more() {
        let own = resource(&[("http://a.example/1", 1), ("http://b.example/1", 2)]);
        let mut mirrors = Mirrors::default();
        mirrors.failed("http://A.example:80/1");
        assert_eq!(mirrors.of(&own).len(), 2);
        mirrors.failed("http://a.example/2");
        assert_eq!(mirrors.of(&own), ["http://b.example/1"]);
        mirrors.failed("http://b.example/2");
        mirrors.failed("http://b.example/3");
        assert_eq!(mirrors.of(&own), vec![""; 0]);
    }

    #[test]
    fn without_a_digest_there_are_no_mirrors() {
        let own = ListedResource { hash: None, length: Some(1), ..resource(&[("http://a.example/1", 1)]) };
        assert_eq!(Mirrors::default().of(&own), vec![""; 0]);
    }

    #[test]
    fn packages_are_chosen_only_where_they_take_less_than_four_fifths_of_the_time() {
        let rates = Rates { requests: 10, bytes: 1_000_000 };
        for (packages, resources, is_chosen) in [
            // 0.1 s + 0.1 s, and 10 s + 0.1 s.
            (Cost { requests: 1, bytes: 100_000 }, Cost { requests: 100, bytes: 100_000 }, true),
            // A change of one resource is not worth a package.
            (Cost { requests: 1, bytes: 100_000 }, Cost { requests: 1, bytes: 1_000 }, false),
            // 0.8 s of 1.0 s is not enough, 0.79 s is.
            (Cost { requests: 8, bytes: 0 }, Cost { requests: 10, bytes: 0 }, false),
            (Cost { requests: 7, bytes: 90_000 }, Cost { requests: 10, bytes: 0 }, true),
            // A package of 100 MB for a few resources takes too long.
            (Cost { requests: 1, bytes: 100_000_000 }, Cost { requests: 50, bytes: 50_000 }, false),
            (Cost::default(), Cost::default(), false),
        ] {
            assert_eq!(packages.is_well_below(resources, rates), is_chosen, "{packages:?} {resources:?}");
        }
    }

    #[test]
    fn costs_do_not_overflow() {
        let most = Cost { requests: u64::MAX, bytes: u64::MAX };
        assert!(!most.is_well_below(most, Rates { requests: 0, bytes: 0 }));
    }
}
