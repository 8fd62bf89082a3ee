//! The lease of a subscription.

use core::time::Duration;

use crate::{
    retry::between,
    rules::{LEASE, LONGEST_LEASE, SHORTEST_LEASE},
};

/// Bounds of the leases that a subscriber accepts, so that renewals are neither too frequent nor too rare.
const PLANNED: (Duration, Duration) = (Duration::from_secs(60), LONGEST_LEASE);

/// The seconds in a parameter; `None` if it is not a positive number. Larger numbers are saturated.
pub fn read(text: &str) -> Option<Duration> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
    let seconds = digits.then(|| text.parse().unwrap_or(u64::MAX))?;
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

/// The lease granted by a hub: the requested one, clamped to the recommended range.
pub fn granted(requested: Option<&str>) -> Duration {
    requested.and_then(read).map_or(LEASE, |lease| lease.clamp(SHORTEST_LEASE, LONGEST_LEASE))
}

/// The lease used by a subscriber, given the one in the verification of the hub, and the requested one.
pub fn planned(said: Option<&str>, requested: Duration) -> Duration {
    said.and_then(read).unwrap_or(requested).clamp(PLANNED.0, PLANNED.1)
}

/// The time of renewal: after 70 % of a lease, plus or minus a tenth of it, to spread the subscribers of a hub.
pub(crate) fn renewal(lease: Duration, random: [u8; 2]) -> Duration {
    between(lease, (600, 800), random)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(lease: Duration) -> u64 {
        lease.as_secs()
    }

    #[test]
    fn a_hub_grants_what_is_recommended() {
        for (requested, lease) in [
            (None, 864_000),
            (Some("0"), 864_000),
            (Some("-1"), 864_000),
            (Some("abc"), 864_000),
            (Some(""), 864_000),
            (Some("299"), 300),
            (Some("300"), 300),
            (Some("2678400"), 2_678_400),
            (Some("1000000000000"), 2_678_400),
            (Some("99999999999999999999999"), 2_678_400),
        ] {
            assert_eq!(seconds(granted(requested)), lease, "{requested:?}");
        }
    }

    #[test]
    fn a_subscriber_plans_with_what_can_be_planned() {
        let requested = Duration::from_secs(3_600);
        for (said, lease) in
            [(Some("5"), 60), (None, 3_600), (Some("-1"), 3_600), (Some("315360000"), 2_678_400), (Some("7200"), 7_200)]
        {
            assert_eq!(seconds(planned(said, requested)), lease, "{said:?}");
        }
    }

    #[test]
    fn renewals_fall_between_three_and_four_fifths_of_the_lease() {
        let lease = Duration::from_secs(1_000);
        assert_eq!(seconds(renewal(lease, [0, 0])), 600);
        assert_eq!(seconds(renewal(lease, [0x80, 0])), 700);
        assert_eq!(seconds(renewal(lease, [255, 255])), 800);
    }
}
