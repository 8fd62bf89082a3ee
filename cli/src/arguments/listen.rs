//! The options of `resourcesync listen`.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{Arg, ArgGroup, Args, ValueEnum, ValueHint};
use resourcesync::value::Uri;
use resourcesync_notify::payload::Channel;
use resourcesync_sync::destination::Setting;

use super::{
    Servers, Terminal,
    declared::{Declared, Part, Selected},
    examples, values,
};

const COPY: &str = "Copy";
const PROGRAM: &str = "Program";
const SUBSCRIPTION: &str = "Subscription";

/// `listen`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::LISTEN)]
#[command(group = ArgGroup::new("place").args(["sync", "state"]).required(true).multiple(true))]
pub(crate) struct Listen {
    /// The Sources: hosts, pages, Source Descriptions, Capability Lists or topics
    #[arg(value_name = "URI", required_unless_present = "stop", value_parser = values::http)]
    pub(crate) uris: Vec<Uri>,
    /// The public base URI of the callbacks, which hubs send notifications to
    #[arg(long, value_name = "URI", required_unless_present = "stop", value_parser = values::base)]
    pub(crate) callback: Option<Uri>,
    /// Listen on this address [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<SocketAddr>,
    /// The folder of the state [default: .resourcesync in the folder of --sync]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) state: Option<PathBuf>,
    /// Keep this folder in sync with the Source
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with_all = ["exec", "log", "stop"])]
    pub(crate) sync: Option<PathBuf>,
    /// Run this program for each event, with the event as JSON on standard input
    #[arg(long, value_name = "PROGRAM", value_hint = ValueHint::CommandName, conflicts_with_all = ["log", "stop"])]
    pub(crate) exec: Option<PathBuf>,
    /// Append the events to this file, one line of JSON each
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "stop")]
    pub(crate) log: Option<PathBuf>,
    /// Unsubscribe from these Sources, or all, wait for the hubs to confirm it, and end
    #[arg(long, requires = "state")]
    pub(crate) stop: bool,

    /// Only channels of this kind [default: both]
    #[arg(long, value_name = "KIND", value_parser = values::channel(), help_heading = SUBSCRIPTION)]
    pub(crate) kind: Option<Channel>,
    /// Subscribe at every hub of a channel instead of one
    #[arg(long, help_heading = SUBSCRIPTION)]
    pub(crate) all_hubs: bool,
    /// Also send secrets to hubs without TLS, so that their notifications are signed
    #[arg(long, help_heading = SUBSCRIPTION)]
    pub(crate) allow_http: bool,
    /// Also accept SHA-1 signatures
    #[arg(long, help_heading = SUBSCRIPTION)]
    pub(crate) allow_sha1: bool,
    /// Replace the callback of every channel by a new one
    #[arg(long, help_heading = SUBSCRIPTION, conflicts_with = "stop")]
    pub(crate) rotate: bool,
    /// What to do with notifications without a valid signature: reject (the hub sends them again) or drop
    #[arg(long, value_name = "HOW", default_value = "reject", value_enum, help_heading = SUBSCRIPTION, hide_possible_values = true)]
    pub(crate) on_bad_signature: OnBadSignature,

    /// Also synchronize this long after the last time, without a notification
    #[arg(long, value_name = "DURATION", default_value = "1h", value_parser = values::duration, help_heading = COPY)]
    pub(crate) poll: Duration,
    /// Apply the changes of notifications at once; read the lists in case of doubt, and after --poll
    #[arg(long, requires = "sync", help_heading = COPY)]
    pub(crate) direct: bool,
    #[command(flatten)]
    pub(crate) copy: Declared<Copied>,
    #[command(flatten)]
    pub(crate) selected: Declared<Selected>,

    /// An argument of the program; repeatable
    #[arg(long, value_name = "ARG", requires = "exec", allow_hyphen_values = true, help_heading = PROGRAM)]
    pub(crate) exec_arg: Vec<String>,
    /// End the program after this time, and run it again later
    #[arg(long, value_name = "DURATION", default_value = "10m", value_parser = values::duration, help_heading = PROGRAM)]
    pub(crate) exec_timeout: Duration,

    /// Output format: text, or ndjson with one line per event
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true)]
    pub(crate) format: ListenFormat,
    #[command(flatten)]
    pub(crate) terminal: Terminal,
    /// Override a limit, e.g. http_requests_per_second=20; repeatable (see `resourcesync help limits`)
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::limit)]
    pub(crate) limit: Vec<(&'static str, u64)>,
    #[command(flatten)]
    pub(crate) servers: Servers,
}

/// The options of runs that keep the folder of `--sync`.
#[derive(Debug)]
pub(crate) struct Copied;

impl Part for Copied {
    fn has(option: &Setting) -> bool {
        ["require-hash", "with-metadata", "alternates", "no-delete", "max-delete", "trash"].contains(&option.name)
    }

    fn adapt(arg: Arg) -> Arg {
        arg.requires("sync").help_heading(COPY)
    }
}

/// What happens to a notification without a valid signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnBadSignature {
    /// 403: the hub sends it again
    Reject,
    /// 202: it is dropped
    Drop,
}

/// Formats of `listen`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListenFormat {
    /// For reading in a terminal
    Text,
    /// One line of JSON per event
    Ndjson,
}
