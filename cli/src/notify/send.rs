//! Sends the notifications of an outbox, and reports the results.

use std::{collections::BTreeMap, time::Duration};

use resourcesync::{
    diagnostic::{Arg, Reason},
    report::Lang,
};
use resourcesync_client::{Cancel, http::Client, notify::Outbox};
use resourcesync_notify::{
    catalogue,
    payload::Channel,
    publisher::{Input, Output},
};

use crate::{
    error::{CliError, finding, note},
    outputs::{counted, print},
    status,
    words::counted,
};

/// What to do if a hub wants pings.
const PINGS: &str = "the hub asks for a ping (`hub.mode=publish`), which has no payload; ResourceSync sends notifications to the hub itself: \
    use one that accepts payloads, such as `resourcesync hub`, and drop these with `resourcesync notify --discard`\n";

/// True if a hub answered a payload with a question for the parameters of a ping.
fn asks_for_ping(reason: &Reason) -> bool {
    let asks = |text: &String| ["hub.mode", "hub.topic", "hub.url"].iter().any(|name| text.contains(name));
    reason.args.values().any(asks)
}

/// Options of sending.
pub(super) struct Sending<'a> {
    pub(super) client: &'a Client,
    pub(super) cancel: &'a Cancel,
    /// How long to retry payloads that a hub could not accept.
    pub(super) patience: Duration,
    pub(super) quiet: bool,
    /// The command that sends waiting payloads, if there is one.
    pub(super) again: Option<&'a str>,
}

impl Sending<'_> {
    /// Sends the waiting payloads, with reset retries for those with these numbers. Returns the exit status.
    pub(super) fn run(&self, outbox: &mut Outbox, afresh: Vec<u64>) -> Result<i32, CliError> {
        let channels: BTreeMap<u64, Channel> =
            outbox.publisher().undelivered().map(|left| (left.delivery.payload, left.channel)).collect();
        let mut accepted: BTreeMap<String, BTreeMap<Channel, u64>> = BTreeMap::new();
        let mut reasons: BTreeMap<(String, String), Reason> = BTreeMap::new();
        let mut wants_pings = false;
        let inputs = afresh.into_iter().map(|payload| Input::Retry { payload });
        let sent = outbox.send((self.client, self.cancel), inputs, self.patience, |output| match output {
            Output::Sent { delivery, odd_status } => {
                if let Some(channel) = channels.get(&delivery.payload) {
                    let counts = accepted.entry(delivery.hub.clone()).or_default();
                    let count = counts.entry(*channel).or_default();
                    *count = count.saturating_add(1);
                }
                if let Some(status) = odd_status {
                    report("WS-13", [("hub", delivery.hub.clone().into()), ("status", u32::from(*status).into())]);
                }
            }
            Output::Refused { delivery, reason, .. } => {
                let about =
                    [("hub", &delivery.hub), ("topic", &delivery.topic)].map(|(name, uri)| (name, uri.clone().into()));
                report("HUB-01", about.into_iter().chain([("reason", reason.clone().into())]));
                wants_pings |= asks_for_ping(reason);
            }
            Output::Postponed { delivery, reason, .. } => {
                reasons.insert((delivery.hub.clone(), delivery.topic.clone()), reason.clone());
            }
            Output::Broken { expected, from, .. } => broken(expected, from),
            _ => {}
        });
        if !self.quiet {
            for (hub, counts) in &accepted {
                let counts: Vec<String> = counts
                    .iter()
                    .map(|(channel, count)| counted(*count, &channel.as_str().replace('-', " ")))
                    .collect();
                print(&format!("notified {hub}: {}\n", counts.join(", ")))?;
            }
        }
        sent?;
        if wants_pings {
            note(PINGS);
        }
        self.left(outbox, &reasons)
    }

    /// Reports the remaining payloads, and returns the exit status.
    fn left(&self, outbox: &Outbox, reasons: &BTreeMap<(String, String), Reason>) -> Result<i32, CliError> {
        let (mut refused, mut waiting) = (false, BTreeMap::<String, u64>::new());
        for left in outbox.publisher().undelivered() {
            refused |= left.refused.is_some();
            let count = waiting.entry(left.delivery.hub).or_default();
            *count = count.saturating_add(1);
        }
        for ((hub, topic), reason) in reasons.iter().filter(|((hub, _), _)| waiting.contains_key(hub)) {
            let about = [("hub", hub), ("topic", topic)].map(|(name, uri)| (name, uri.clone().into()));
            report("HUB-02", about.into_iter().chain([("reason", reason.clone().into())]));
        }
        for (hub, count) in &waiting {
            let again = self.again.map(|again| format!("; `{again}` sends again")).unwrap_or_default();
            let verb = if *count == 1 { "waits" } else { "wait" };
            note(&format!("{} {verb} for {hub}{again}\n", payloads(*count)));
        }
        Ok(match (refused, waiting.is_empty()) {
            (true, _) => status::FOUND,
            (false, false) => status::UNSURE,
            (false, true) => status::VALID,
        })
    }
}

/// Reports that the intervals of a topic have a gap or overlap.
pub(super) fn broken(expected: &str, from: &str) {
    let code = if expected < from { "HUB-05" } else { "HUB-06" };
    report(code, [("expected", expected.into()), ("from", from.into())]);
}

fn report(code: &str, args: impl IntoIterator<Item = (&'static str, Arg)>) {
    let args = args.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    finding(catalogue::severity(code), code, &catalogue::message(code, &args, Lang::En));
}

/// A number of payloads as text.
pub(super) fn payloads(count: u64) -> String {
    counted(count, "payload")
}
