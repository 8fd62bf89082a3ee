//! The options of `resourcesync notify`, and those of `resourcesync build` about hubs.

use std::{path::PathBuf, time::Duration};

use clap::{Args, ValueEnum, ValueHint};
use resourcesync::value::Uri;
use resourcesync_client::publish::Channels;
use resourcesync_notify::payload::Channel;

use super::{Http, Plain, Printing, examples, values};

const NOTIFICATION: &str = "Notification";

/// How `build` notifies hubs.
#[derive(Debug, Args)]
#[command(next_help_heading = NOTIFICATION)]
pub(crate) struct Hubs {
    /// Advertise notification channels with this WebSub hub, and notify it of publications; repeatable
    ///
    /// Undelivered notifications are kept in an outbox next to --out; the next run and `resourcesync notify` send them.
    #[arg(long, value_name = "URI", value_parser = values::http)]
    pub(crate) hub: Vec<Uri>,
    /// Withdraw the notification channels that earlier runs published with --hub
    #[arg(long, conflicts_with = "hub")]
    pub(crate) no_hub: bool,
    /// The base URI of the topics, if they are not served from --out but e.g. by the hub
    #[arg(long, value_name = "URI", value_parser = values::base, requires = "hub")]
    pub(crate) topics_uri: Option<Uri>,
    /// When to notify: right after publishing, or with `resourcesync notify`
    #[arg(long, value_name = "WHEN", default_value = "now", value_enum, requires = "notified")]
    pub(crate) notify: When,
    /// Accept only 200 from a hub, as the specifications require
    #[arg(long)]
    pub(crate) strict_hub: bool,
}

impl Hubs {
    /// The channels that are advertised; none without a hub.
    pub(crate) fn channels(&self) -> Option<Channels> {
        let mut hubs: Vec<Uri> = Vec::new();
        for hub in &self.hub {
            if !hubs.contains(hub) {
                hubs.push(hub.clone());
            }
        }
        (!hubs.is_empty()).then(|| Channels { hubs, topics_uri: self.topics_uri.clone() })
    }
}

/// When `build` notifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// Right after publishing
    Now,
    /// With `resourcesync notify`
    Later,
}

/// `notify`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::NOTIFY)]
pub(crate) struct Notify {
    /// A folder published by `resourcesync build`; with --hub, notification documents or `-` for standard input
    #[arg(value_name = "OUT|FILE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// Send existing notification documents to this hub
    #[arg(long, value_name = "URI", value_parser = values::http, requires = "topic")]
    pub(crate) hub: Vec<Uri>,
    /// The topic of these documents
    #[arg(long, value_name = "URI", value_parser = values::http, requires = "hub")]
    pub(crate) topic: Option<Uri>,
    /// The kind of these documents
    #[arg(long, value_name = "KIND", default_value = "change-notification", value_parser = values::channel(), requires = "hub")]
    pub(crate) kind: Channel,
    /// How long to retry failed notifications: 90s, 10m, 2h
    #[arg(long = "for", value_name = "DURATION", default_value = "60s", value_parser = values::duration)]
    pub(crate) patience: Duration,
    /// Discard pending notifications instead of sending them; subscribers notice the gap and read the Change List
    #[arg(long, conflicts_with = "hub")]
    pub(crate) discard: bool,
    /// Accept only 200 from a hub, as the specifications require
    #[arg(long)]
    pub(crate) strict_hub: bool,
    /// Output format: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true)]
    pub(crate) format: Plain,
    #[command(flatten)]
    pub(crate) printing: Printing,
    #[command(flatten)]
    pub(crate) http: Http,
}
