//! Where the bytes of resources come from: whether packages or requests for each resource take less time.

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

#[cfg(test)]
mod tests {
    use super::*;

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
