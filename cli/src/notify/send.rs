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

use serde_json::json;

use crate::{
    arguments::Plain,
    error::{CliError, finding, note},
    outputs::{json, print},
    status,
    words::counted,
};

/// What to do if a hub wants pings, in English and Japanese.
const PINGS: [&str; 2] = [
    "the hub asks for a ping (`hub.mode=publish`), which has no payload; ResourceSync sends notifications to the hub itself: \
    use one that accepts payloads, such as `resourcesync hub`, and drop these with `resourcesync notify --discard`\n",
    "このハブが求めているのは、本文のない ping（`hub.mode=publish`）です。ResourceSync では通知そのものをハブに送ります。\
     `resourcesync hub` など、本文を受け付けるハブを使い、これらの通知は `resourcesync notify --discard` で破棄してください\n",
];

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
    /// How the result is printed; not at all by default.
    pub(super) printed: Option<Plain>,
    pub(super) lang: Lang,
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
                    self.report("WS-13", [("hub", delivery.hub.clone().into()), ("status", u32::from(*status).into())]);
                }
            }
            Output::Refused { delivery, reason, .. } => {
                let about =
                    [("hub", &delivery.hub), ("topic", &delivery.topic)].map(|(name, uri)| (name, uri.clone().into()));
                self.report("HUB-01", about.into_iter().chain([("reason", reason.clone().into())]));
                wants_pings |= asks_for_ping(reason);
            }
            Output::Postponed { delivery, reason, .. } => {
                reasons.insert((delivery.hub.clone(), delivery.topic.clone()), reason.clone());
            }
            Output::Broken { expected, from, .. } => broken(expected, from, self.lang),
            _ => {}
        });
        if self.printed == Some(Plain::Text) {
            for (hub, counts) in &accepted {
                let counts: Vec<String> =
                    counts.iter().map(|(channel, count)| self.notified(*channel, *count)).collect();
                print(&match self.lang {
                    Lang::En => format!("notified {hub}: {}\n", counts.join(", ")),
                    Lang::Ja => format!("{hub} に通知しました: {}\n", counts.join("、")),
                })?;
            }
        }
        sent?;
        if wants_pings {
            note(if self.lang == Lang::Ja { PINGS[1] } else { PINGS[0] });
        }
        let (waiting, status) = self.left(outbox, &reasons);
        if self.printed == Some(Plain::Json) {
            let accepted = accepted.iter().flat_map(|(hub, counts)| {
                counts.iter().map(move |(kind, count)| json!({ "hub": hub, "kind": kind.as_str(), "payloads": count }))
            });
            let accepted: Vec<_> = accepted.collect();
            let waiting = waiting.iter().map(|(hub, count)| json!({ "hub": hub, "payloads": count }));
            let waiting: Vec<_> = waiting.collect();
            print(&json(&json!({ "accepted": accepted, "pending": waiting, "refused": status == status::FOUND }))?)?;
        }
        Ok(status)
    }

    fn notified(&self, channel: Channel, count: u64) -> String {
        match (self.lang, channel) {
            (Lang::En, _) => counted(count, &channel.as_str().replace('-', " ")),
            (Lang::Ja, Channel::ChangeNotification) => format!("変更通知 {count} 件"),
            (Lang::Ja, Channel::FrameworkNotification) => format!("フレームワーク通知 {count} 件"),
        }
    }

    /// Reports the remaining payloads, and returns their number for each hub and the exit status.
    fn left(&self, outbox: &Outbox, reasons: &BTreeMap<(String, String), Reason>) -> (BTreeMap<String, u64>, i32) {
        let (mut refused, mut waiting) = (false, BTreeMap::<String, u64>::new());
        for left in outbox.publisher().undelivered() {
            refused |= left.refused.is_some();
            let count = waiting.entry(left.delivery.hub).or_default();
            *count = count.saturating_add(1);
        }
        for ((hub, topic), reason) in reasons.iter().filter(|((hub, _), _)| waiting.contains_key(hub)) {
            let about = [("hub", hub), ("topic", topic)].map(|(name, uri)| (name, uri.clone().into()));
            self.report("HUB-02", about.into_iter().chain([("reason", reason.clone().into())]));
        }
        for (hub, count) in &waiting {
            let payloads = payloads(*count, self.lang);
            note(&match (self.lang, self.again) {
                (Lang::En, Some(again)) => {
                    let verb = if *count == 1 { "waits" } else { "wait" };
                    format!("{payloads} {verb} for {hub}; `{again}` sends again\n")
                }
                (Lang::Ja, Some(again)) => format!("{hub} への{payloads}が未送信です（`{again}` で再送信）\n"),
                (Lang::En, None) => {
                    let verb = if *count == 1 { "was" } else { "were" };
                    format!("{payloads} {verb} not sent to {hub}, and not kept; run the command again\n")
                }
                (Lang::Ja, None) => {
                    format!("{hub} への{payloads}は未送信で、保存もされていません。もう一度実行してください\n")
                }
            });
        }
        let status = match (refused, waiting.is_empty()) {
            (true, _) => status::FOUND,
            (false, false) => status::UNSURE,
            (false, true) => status::VALID,
        };
        (waiting, status)
    }

    fn report(&self, code: &str, args: impl IntoIterator<Item = (&'static str, Arg)>) {
        report(code, args, self.lang);
    }
}

/// Reports that the intervals of a topic have a gap or overlap.
pub(super) fn broken(expected: &str, from: &str, lang: Lang) {
    let code = if expected < from { "HUB-05" } else { "HUB-06" };
    report(code, [("expected", expected.into()), ("from", from.into())], lang);
}

fn report(code: &str, args: impl IntoIterator<Item = (&'static str, Arg)>, lang: Lang) {
    let args = args.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    finding(catalogue::severity(code), code, &catalogue::message(code, &args, lang), lang);
}

/// A number of payloads as text.
pub(super) fn payloads(count: u64, lang: Lang) -> String {
    match lang {
        Lang::En => counted(count, "payload"),
        Lang::Ja => format!("ペイロード {count} 件"),
    }
}
