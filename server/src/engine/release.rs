//! What happens after a transaction: replies, exchanges and events.

use std::{
    collections::HashMap,
    sync::{Arc, mpsc::Sender},
    time::Instant,
};

use resourcesync_notify::hub::{Exchange, HostPort, Input, Outbound, Output, Sent};
use tokio::sync::Semaphore;

use super::{
    batch::Engine,
    job::Job,
    results::{Finished, Results},
};
use crate::{
    ledger::Store,
    reach::{Failure, Kind, Reach},
    schedule::Outcome,
};

impl Engine {
    /// Performs what the transaction allows.
    pub(super) fn release(&mut self, outputs: Vec<Output>, turned: Vec<(u64, Arc<str>)>) {
        let now = self.now();
        let mut idle: HashMap<u64, Arc<str>> = turned.into_iter().collect();
        let mut ready = Vec::new();
        let mut lines = self.links.log.lines(now);
        let mut exchanges = Vec::new();
        for output in outputs {
            match output {
                Output::Reply { id, reply } => {
                    let later = |(sender, _)| sender;
                    if let Some(sender) = self.replies.remove(&id).or_else(|| self.later.remove(&id).map(later)) {
                        let _ = sender.send(reply);
                    }
                }
                Output::Later { id } => {
                    self.later.extend(self.replies.remove(&id).map(|sender| (id, (sender, Instant::now()))));
                }
                Output::Done { id, result } => {
                    if let Some(sender) = self.orders.remove(&id) {
                        let _ = sender.send(Some(result));
                    }
                }
                Output::Send { exchange, request } => {
                    let host = match exchange {
                        Exchange::Delivery { subscription, .. } => idle.remove(&subscription),
                        _ => None,
                    };
                    exchanges.push(self.sending(exchange, host, request));
                }
                Output::Ready { subscription, host, at } => ready.push((subscription, host, at)),
                Output::Wake { topic } => self.schedule.wake(topic),
                Output::Event(event) => {
                    let options = self.hub.options();
                    let topic =
                        event.topic.as_ref().and_then(|uri| options.topics().iter().find(|own| own.uri() == uri));
                    self.links.metrics.event(&event, topic.map(|topic| topic.kind));
                    self.links.unconfirmed.event(&event, now);
                    lines.event(&event);
                }
                Output::Wait { until } => self.next_tick = self.next_tick.min(until),
                _ => {}
            }
        }
        lines.write();
        if !exchanges.is_empty() {
            // Within the runtime tasks are started without waking its threads for each.
            self.links
                .runtime
                .spawn(async { exchanges.into_iter().for_each(|sending| drop(tokio::spawn(sending.perform()))) });
        }
        // Turns that sent nothing: the subscription ended, or has nothing to send.
        for (subscription, host) in idle {
            self.schedule.finished(subscription, &host, None);
        }
        for (subscription, host, at) in ready {
            self.schedule.ready(subscription, host, at, now);
            if at > now {
                self.next_retry = Some(self.next_retry.map_or(at, |retry| retry.min(at)));
            }
        }
    }

    /// An exchange to perform. The host of a delivery is known.
    fn sending(&self, exchange: Exchange, host: Option<Arc<str>>, request: Outbound) -> Sending {
        let reach = match exchange {
            Exchange::Topic { .. } => &self.links.topics,
            _ => &self.links.reach,
        };
        Sending {
            exchange,
            host,
            request,
            deadline: match exchange {
                Exchange::Delivery { subscription, .. } => {
                    self.ledger.deadline(subscription).map(|at| (subscription, at))
                }
                _ => None,
            },
            reach: reach.clone(),
            verifications: self.verifications.clone(),
            sender: self.links.sender.clone(),
            results: self.links.results.clone(),
        }
    }

    /// An exchange ended. Its result is an input of the hub; that of a delivery waits for others.
    pub(super) fn finished(&mut self, finished: Finished) -> Option<Input> {
        let Finished { exchange, host, elapsed, result } = finished;
        let outcome = match &result {
            Ok(_) => Outcome::Responded,
            Err(Failure { kind: Kind::Connection | Kind::Address, .. }) => Outcome::Down,
            Err(Failure { kind: Kind::Time | Kind::Response, .. }) => Outcome::Slow,
        };
        let input = match result {
            Ok(answer) => Input::Answered { exchange, answer },
            Err(Failure { kind, reason }) => {
                let sent = match kind {
                    Kind::Address => Sent::NotAllowed,
                    Kind::Connection => Sent::No,
                    Kind::Time | Kind::Response => Sent::Maybe,
                };
                Input::Failed { exchange, reason, sent }
            }
        };
        let Exchange::Delivery { subscription, .. } = exchange else { return Some(input) };
        self.links.metrics.time("hub_delivery_seconds", elapsed);
        self.schedule.finished(subscription, &host, Some((outcome, elapsed)));
        self.outcomes.push(input);
        None
    }
}

/// An exchange that a transaction allows.
struct Sending {
    exchange: Exchange,
    host: Option<Arc<str>>,
    request: Outbound,
    /// When the claim of a subscription is too old to begin.
    deadline: Option<(u64, Instant)>,
    reach: Arc<Reach>,
    verifications: Arc<Semaphore>,
    sender: Sender<Job>,
    results: Arc<Results>,
}

impl Sending {
    /// Performs it, and reports its result to the thread of the store.
    async fn perform(self) {
        let Sending { exchange, host, request, sender, results, .. } = self;
        let target = host.as_ref().and_then(|host| host.parse().ok()).or_else(|| HostPort::of(&request.uri));
        let host = host.or_else(|| Some(target.as_ref()?.to_string().into())).unwrap_or_default();
        let _permit = match exchange {
            Exchange::Delivery { .. } => None,
            _ => self.verifications.acquire_owned().await.ok(),
        };
        let started = Instant::now();
        // This process may have been stopped since the transaction.
        if let Some((subscription, _)) = self.deadline.filter(|(_, at)| started > *at) {
            let _ = sender.send(Job::Unsent { subscription, host });
            return;
        }
        let result = self.reach.exchange(target, &request).await;
        results.push(Finished { exchange, host, elapsed: started.elapsed(), result }, &sender);
    }
}
