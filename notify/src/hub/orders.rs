//! Orders of the operator: replay, deny, lift, pause, resume, prune.

use alloc::{string::ToString, vec::Vec};

use super::{DeadReason, HostPort, Hub, Ledger, Order, OrderResult, Output, Subscription, Target, Turn};

/// Subscriptions read at a time.
const PAGE: usize = 500;

impl Hub {
    /// Performs an order.
    pub(super) fn order<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        order: Order,
    ) -> Result<OrderResult, L::Error> {
        match order {
            Order::Replay { target, from } => {
                let mut moved = 0_u64;
                let count = Hub::each(turn, &target, |turn, mut own| {
                    let topic = turn.ledger.topic_by_id(own.topic)?;
                    // Only back: skipping payloads would lose them without a dead letter.
                    if from <= own.cursor {
                        own.advance(from.saturating_sub(1));
                        turn.ledger.put_subscription(&own)?;
                        moved = moved.saturating_add(1);
                    }
                    turn.outputs.extend(topic.map(|topic| Output::Wake { topic: topic.id }));
                    Ok(())
                })?;
                turn.outputs.dedup();
                Ok(count.map_or(OrderResult::NotFound, |_| OrderResult::Done(moved)))
            }
            Order::Deny { target, reason } => {
                let target = match target {
                    // As the hosts of callbacks are written.
                    Target::Host(host) => match host.to_ascii_lowercase().parse::<HostPort>() {
                        Ok(host) => Target::Host(host.to_string()),
                        Err(_) => return Ok(OrderResult::NotFound),
                    },
                    other => other,
                };
                if let Target::Host(host) = &target {
                    turn.ledger.deny(host, true)?;
                }
                let count = Hub::each(turn, &target, |turn, own| {
                    let topic = turn.ledger.topic_by_id(own.topic)?.map(|topic| topic.uri).unwrap_or_default();
                    turn.outputs.push(Hub::denial(&own.callback, &topic, &reason));
                    Hub::end(turn, own, DeadReason::Denied)
                })?;
                Ok(count.map_or(OrderResult::NotFound, OrderResult::Done))
            }
            Order::Allow { host } => {
                let host = host.to_ascii_lowercase();
                if !turn.ledger.is_denied(&host)? {
                    return Ok(OrderResult::NotFound);
                }
                turn.ledger.deny(&host, false).map(|()| OrderResult::Done(1))
            }
            Order::Lift { host, undo } => Ok(match host.parse::<HostPort>() {
                Ok(host) if self.rates.lift(&host.to_string(), !undo) => OrderResult::Done(1),
                _ => OrderResult::NotFound,
            }),
            Order::Pause { topic } => self.pause(turn, topic.as_deref(), true),
            Order::Resume { topic } => self.pause(turn, topic.as_deref(), false),
            Order::Prune { before } => {
                let mut removed = 0_u64;
                for topic in turn.ledger.topics()? {
                    removed = removed.saturating_add(turn.ledger.expire(topic.id, before, u64::MAX)?);
                }
                turn.ledger.forget_dead_letters(before)?;
                Ok(OrderResult::Done(removed))
            }
        }
    }

    fn pause<L: Ledger>(
        &mut self,
        turn: &mut Turn<'_, '_, L>,
        topic: Option<&str>,
        is_paused: bool,
    ) -> Result<OrderResult, L::Error> {
        let mut states = Vec::new();
        for options in self.options.topics.iter().filter(|options| topic.is_none_or(|topic| options.uri == topic)) {
            states.push(Hub::state(turn, &options.uri)?);
        }
        if states.is_empty() {
            return Ok(OrderResult::NotFound);
        }
        let mut changed = 0_u64;
        for mut state in states.into_iter().filter(|state| state.is_paused != is_paused) {
            state.is_paused = is_paused;
            turn.ledger.put_topic(&state)?;
            turn.outputs.push(Output::Wake { topic: state.id });
            changed = changed.saturating_add(1);
        }
        Ok(OrderResult::Done(changed))
    }

    /// Performs an action for each subscription of a target, and counts them; `None` if there is no such target.
    fn each<L: Ledger>(
        turn: &mut Turn<'_, '_, L>,
        target: &Target,
        mut action: impl FnMut(&mut Turn<'_, '_, L>, Subscription) -> Result<(), L::Error>,
    ) -> Result<Option<u64>, L::Error> {
        let (topic, host) = match target {
            Target::Subscription(id) => {
                let Some(own) = turn.ledger.subscription(*id)? else { return Ok(None) };
                action(turn, own)?;
                return Ok(Some(1));
            }
            Target::Topic(uri) => match turn.ledger.topic(uri)? {
                Some(topic) => (Some(topic.id), None),
                None => return Ok(None),
            },
            Target::Host(host) => (None, Some(&**host)),
        };
        let (mut count, mut after) = (0_u64, 0);
        loop {
            let page = turn.ledger.subscriptions(topic, host, after, PAGE)?;
            let Some(last) = page.last() else { return Ok(Some(count)) };
            after = last.id;
            for own in page {
                action(turn, own)?;
                count = count.saturating_add(1);
            }
        }
    }
}
