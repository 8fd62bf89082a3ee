//! The hub: the machine, its ledger, and which deliveries are under way.

use std::collections::BTreeSet;

use resourcesync_notify::{
    hub::{Credential, Hub, Input, Ledger, MemoryLedger, Options, Output, Position, Publisher},
    moment::{Moment, Timestamp},
    payload::Channel,
};

use super::{HUB, TOKEN_SHA256, TOPIC};

pub(super) struct HubNode {
    pub(super) machine: Hub,
    /// It is durable: a transaction ends before its outputs are performed.
    pub(super) ledger: MemoryLedger,
    /// Subscriptions with a delivery under way.
    pub(super) busy: BTreeSet<u64>,
}

impl HubNode {
    pub(super) fn new() -> HubNode {
        HubNode { machine: Hub::new(options()), ledger: MemoryLedger::default(), busy: BTreeSet::new() }
    }

    /// The process ends and starts again.
    pub(super) fn restart(&mut self) {
        self.machine = Hub::new(options());
        self.busy.clear();
    }

    pub(super) fn handle(&mut self, moment: &mut Moment<'_>, input: Input) -> Vec<Output> {
        match self.machine.handle(moment, input, &mut self.ledger) {
            Ok(outputs) => outputs,
            Err(never) => match never {},
        }
    }

    /// Subscriptions that may send their next payload.
    pub(super) fn due(&mut self, now: Timestamp) -> Vec<u64> {
        let topics = self.ledger.topics().unwrap_or_default();
        let all = topics.iter().flat_map(|topic| {
            let due = self.ledger.due(topic.id, now, Position::default(), usize::MAX).unwrap_or_default();
            due.into_iter().map(|due| due.position.1)
        });
        let due: Vec<u64> = all.collect();
        due.into_iter().filter(|own| !self.busy.contains(own)).collect()
    }

    /// When a subscription stops waiting.
    pub(super) fn next_retry(&mut self, now: Timestamp) -> Option<Timestamp> {
        self.ledger.next_retry(now).unwrap_or_default()
    }
}

fn options() -> Options {
    let mut options = Options::new(HUB).unwrap();
    let credential = Credential::TokenSha256(TOKEN_SHA256.to_owned());
    options.publishers = vec![Publisher { name: "source".to_owned(), credential }];
    options.add_topic(TOPIC, Channel::ChangeNotification, vec!["source".to_owned()], true, false).unwrap();
    options
}
