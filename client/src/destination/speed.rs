//! How fast servers respond, as far as this run has measured it.

use std::{num::NonZeroUsize, time::Duration};

use resourcesync_sync::origin::Rates;

/// Requests from which on their rate says something.
const REQUESTS: u64 = 20;
/// Bytes from which on their rate says something.
const BYTES: u64 = 4 << 20;

/// What responses took.
#[derive(Debug, Default)]
pub(super) struct Speed {
    requests: u64,
    waited: Duration,
    bytes: u64,
    received: Duration,
}

impl Speed {
    /// Adds a response: the time until it began, and its body with the time that it took.
    pub(super) fn add(&mut self, waited: Duration, bytes: u64, received: Duration) {
        self.requests = self.requests.saturating_add(1);
        self.waited = self.waited.saturating_add(waited);
        self.bytes = self.bytes.saturating_add(bytes);
        self.received = self.received.saturating_add(received);
    }

    /// What so many connections respond per second. Too few show nothing, and leave the usual rates.
    pub(super) fn rates(&self, connections: NonZeroUsize) -> Rates {
        let usual = Rates::default();
        let rate = |amount: u64, least: u64, time: Duration, usual: u64| {
            let milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1);
            let measured = amount.saturating_mul(1_000).checked_div(milliseconds).unwrap_or(usual).max(1);
            if amount >= least { measured } else { usual }
        };
        let requests = rate(self.requests, REQUESTS, self.waited, 0).saturating_mul(connections.get() as u64);
        Rates {
            requests: if requests == 0 { usual.requests } else { requests },
            bytes: rate(self.bytes, BYTES, self.received, usual.bytes),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_measured_once_there_is_enough_to_measure() {
        let connections = NonZeroUsize::new(4).unwrap();
        let mut speed = Speed::default();
        (0..19).for_each(|_| speed.add(Duration::from_millis(50), 1 << 10, Duration::from_millis(1)));
        assert_eq!(speed.rates(connections), Rates::default());
        speed.add(Duration::from_millis(50), 8 << 20, Duration::from_millis(981));
        // 20 requests in a second, on each of four connections.
        assert_eq!(speed.rates(connections), Rates { requests: 80, bytes: (8 << 20) + (19 << 10) });
    }
}
