//! What time brings about: ends of leases, repeated verifications, retention, and topics that were removed.

use core::time::Duration;

use super::{DeadReason, Event, EventKind, Hub, Ledger, Output, Turn};
use crate::moment::Timestamp;

/// Maximum subscriptions or requests processed in one tick.
const PAGE: usize = 500;
/// The time between two ticks without other work.
const PAUSE: Duration = Duration::from_secs(60);
/// Dead letters are kept this much longer than payloads.
const DEAD_LETTERS: u32 = 4;

impl Hub {
    /// Does what is due.
    pub(super) fn tick<L: Ledger>(&mut self, turn: &mut Turn<'_, '_, L>) -> Result<(), L::Error> {
        let now = turn.moment.now;
        let mut is_more = false;
        let lapsed = turn.ledger.lapsed(now, PAGE)?;
        is_more |= lapsed.len() >= PAGE;
        for subscription in lapsed {
            Hub::end(turn, subscription, DeadReason::LeaseOver)?;
        }
        self.verify_due(turn, PAGE)?;
        self.end_fetches(turn);
        for topic in turn.ledger.topics()? {
            if self.options_of(&topic.uri).is_none() {
                let removed = turn.ledger.subscriptions(Some(topic.id), None, 0, PAGE)?;
                is_more |= removed.len() >= PAGE;
                for subscription in removed {
                    turn.outputs.push(Hub::denial(&subscription.callback, &topic.uri, "the topic was removed"));
                    Hub::end(turn, subscription, DeadReason::Denied)?;
                }
            }
            let retention = self.options.retention;
            let before = before(now, retention.age);
            let removed = turn.ledger.expire(topic.id, before, retention.bytes)?;
            if removed > 0 {
                let detail = alloc::format!("{removed} payload{}", if removed == 1 { "" } else { "s" });
                turn.event(Event::new(EventKind::Expired).topic(&topic.uri).detail(detail));
            }
        }
        turn.ledger.forget_dead_letters(before(now, self.options.retention.age.saturating_mul(DEAD_LETTERS)))?;
        if is_more {
            turn.outputs.push(Output::Wait { until: now });
            return Ok(());
        }
        Hub::wait(turn)
    }

    /// Names the moment of the next work.
    pub(super) fn wait<L: Ledger>(turn: &mut Turn<'_, '_, L>) -> Result<(), L::Error> {
        let latest = turn.moment.now.after(PAUSE);
        let until = turn.ledger.next_pending()?.map_or(latest, |next| next.min(latest));
        turn.outputs.push(Output::Wait { until });
        Ok(())
    }
}

/// The moment this long before another.
fn before(now: Timestamp, age: Duration) -> Timestamp {
    let age = i64::try_from(age.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(now.millis().saturating_sub(age))
}
