//! Retry times: a schedule, jitter, and `Retry-After`.

use core::time::Duration;

use resourcesync::value::retry_after as retry_after_seconds;

use crate::moment::Timestamp;

/// The maximum wait that a server can request.
const LONGEST: Duration = Duration::from_secs(3_600);

/// Waits between the attempts of one request; the last one repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule(&'static [u64]);

impl Schedule {
    /// Payloads sent to a hub.
    pub const PUBLISH: Schedule = Schedule(&[5, 30, 120, 600, 1_800, 3_600]);
    /// Discovery and subscription requests.
    pub const SUBSCRIBE: Schedule = Schedule(&[10, 60, 300, 1_800, 3_600, 14_400, 43_200, 86_400]);
    /// Events passed on to a program or a file.
    pub const CONSUME: Schedule = Schedule(&[1, 5, 30, 120, 600, 3_600]);

    /// The step of the schedule after `failures` (at least 1) failures.
    pub fn step(self, failures: u32) -> Duration {
        let at = usize::try_from(failures.saturating_sub(1)).unwrap_or(usize::MAX);
        self.0.get(at).or(self.0.last()).copied().map_or(LONGEST, Duration::from_secs)
    }

    /// The wait after `failures` (at least 1) failures: the step of the schedule ± 20 %, or longer
    /// if the server requests it, up to one hour.
    pub fn wait(self, failures: u32, retry_after: Option<Duration>, random: [u8; 2]) -> Duration {
        varied(self.step(failures), retry_after, random)
    }
}

/// As [`Schedule::wait`], with steps from a configuration.
pub(crate) fn wait(steps: &[Duration], failures: u32, retry_after: Option<Duration>, random: [u8; 2]) -> Duration {
    let at = usize::try_from(failures.saturating_sub(1)).unwrap_or(usize::MAX);
    varied(steps.get(at).or(steps.last()).copied().unwrap_or(LONGEST), retry_after, random)
}

fn varied(step: Duration, retry_after: Option<Duration>, random: [u8; 2]) -> Duration {
    let wait = between(step, (800, 1_200), random);
    retry_after.map_or(wait, |wanted| wait.max(wanted.min(LONGEST)))
}

/// A random time between two multiples of another, in thousandths.
pub(crate) fn between(time: Duration, (from, to): (u64, u64), random: [u8; 2]) -> Duration {
    let random = u64::from(u16::from_be_bytes(random));
    let share = from.saturating_add(to.saturating_sub(from).saturating_mul(random) / 0xffff);
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    Duration::from_millis(millis.saturating_mul(share) / 1_000)
}

/// The wait requested by a value of `Retry-After`.
pub(crate) fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    retry_after_seconds(value, now.seconds()).map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDDLE: [u8; 2] = [0x80, 0];

    fn wait(failures: u32, retry_after: Option<u64>, random: [u8; 2]) -> u64 {
        Schedule::PUBLISH.wait(failures, retry_after.map(Duration::from_secs), random).as_secs()
    }

    #[test]
    fn waits_grow_to_an_hour_and_vary_by_a_fifth() {
        assert_eq!(
            [1, 2, 3, 6, 7, u32::MAX].map(|failures| wait(failures, None, MIDDLE)),
            [5, 30, 120, 3_600, 3_600, 3_600]
        );
        assert_eq!((wait(1, None, [0, 0]), wait(1, None, [255, 255])), (4, 6));
        assert_eq!(wait(0, None, MIDDLE), 5);
    }

    #[test]
    fn a_server_can_request_more_time_but_no_more_than_an_hour() {
        assert_eq!(wait(1, Some(2), MIDDLE), 5);
        assert_eq!(wait(1, Some(120), MIDDLE), 120);
        assert_eq!(wait(1, Some(99_999_999), MIDDLE), 3_600);
        assert_eq!(wait(6, Some(0), MIDDLE), 3_600);
    }
}
