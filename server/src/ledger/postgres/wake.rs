//! Wake-ups: payloads that another process accepted.

use std::{
    thread,
    time::{Duration, Instant},
};

use postgres::fallible_iterator::FallibleIterator as _;

use super::connect::Connector;

/// The wait before another connection.
const AGAIN: Duration = Duration::from_secs(1);
/// How often the receiver is asked whether it still needs wake-ups.
const PAUSE: Duration = Duration::from_millis(500);

/// Something that another process did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wake {
    /// A topic has a new payload.
    Topic(u64),
    /// Wake-ups may have been lost.
    All,
    /// Nothing happened.
    Nothing,
}

/// Waits for wake-ups on a connection of its own until `receive` returns false.
pub(crate) fn wake(connector: &Connector, receive: impl Fn(Wake) -> bool) {
    loop {
        let connected = connector.connect().and_then(|mut client| {
            client.batch_execute("LISTEN resourcesync_hub")?;
            if !receive(Wake::All) {
                return Ok(false);
            }
            while !client.is_closed() {
                let mut notifications = client.notifications();
                let found = notifications.timeout_iter(PAUSE).next()?;
                let wake = found.map_or(Wake::Nothing, |found| found.payload().parse().map_or(Wake::All, Wake::Topic));
                if !receive(wake) {
                    return Ok(false);
                }
            }
            Ok(true)
        });
        let since = Instant::now();
        while since.elapsed() < AGAIN {
            if matches!(connected, Ok(false)) || !receive(Wake::Nothing) {
                return;
            }
            thread::sleep(PAUSE);
        }
    }
}
