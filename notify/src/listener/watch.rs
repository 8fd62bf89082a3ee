//! Whether there is anything left to listen to.

use alloc::{collections::BTreeSet, string::String};
use core::time::Duration;

use super::messages::Ending;
use crate::{
    moment::Timestamp,
    subscriber::{FoundCode, Output, Phase, Subscriber},
};

/// How long hubs have for the end of their subscriptions.
const PATIENCE: Duration = Duration::from_secs(120);

/// What the subscriptions of this process went through.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Watch {
    purpose: Purpose,
    /// True once a subscription was active.
    was_active: bool,
    /// Subscriptions that a hub denied.
    denied: BTreeSet<String>,
    /// True if the search for the channels of a Source found none.
    found_none: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Follow,
    /// To end subscriptions until this moment.
    Stop(Timestamp),
}

impl Watch {
    pub(super) fn new(subscriber: &Subscriber) -> Watch {
        let was_active = subscriber.phases().any(|(_, phase)| phase == Phase::Active);
        Watch { purpose: Purpose::Follow, was_active, denied: BTreeSet::new(), found_none: false }
    }

    pub(super) fn follow(&mut self) {
        self.purpose = Purpose::Follow;
    }

    pub(super) fn stop(&mut self, now: Timestamp) {
        self.purpose = Purpose::Stop(now.after(PATIENCE));
    }

    pub(super) fn note(&mut self, output: &Output) {
        match output {
            Output::Changed(change) => self.was_active |= change.phase == Phase::Active,
            Output::Found(found) => {
                self.found_none |= found.code == FoundCode::NoChannel;
                self.denied.extend(found.channel.clone().filter(|_| found.code == FoundCode::Denied));
            }
            _ => {}
        }
    }

    /// When the process ends at the latest.
    pub(super) fn latest(&self) -> Option<Timestamp> {
        match self.purpose {
            Purpose::Follow => None,
            Purpose::Stop(until) => Some(until),
        }
    }

    /// Why the process ends, if it does.
    pub(super) fn ending(&self, now: Timestamp, subscriber: &Subscriber) -> Option<Ending> {
        let mut live = subscriber.phases().filter(|(_, phase)| *phase != Phase::Gone).peekable();
        match self.purpose {
            Purpose::Stop(_) if !live.any(|(_, phase)| phase == Phase::Leaving) => Some(Ending::Unsubscribed),
            Purpose::Stop(until) => (until <= now).then_some(Ending::Unconfirmed),
            Purpose::Follow if live.peek().is_none() => self.found_none.then_some(Ending::NoChannel),
            Purpose::Follow => {
                let is_denied = live.all(|(channel, _)| self.denied.contains(channel));
                (is_denied && !self.was_active).then_some(Ending::Denied)
            }
        }
    }
}
