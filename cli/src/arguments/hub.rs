//! The options of `resourcesync hub`.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use clap::{ArgGroup, Args, Subcommand, ValueEnum, ValueHint};
use resourcesync::{report::Lang, value::Uri};
use resourcesync_server::{ledger::StoreAddress, settings::AdminAddress};

use super::{Printing, examples, values};

/// `hub`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::HUB)]
pub(crate) struct Hub {
    /// The subcommand.
    #[command(subcommand)]
    pub(crate) command: HubCommand,
}

/// The subcommands of `hub`.
#[derive(Debug, Subcommand)]
pub(crate) enum HubCommand {
    /// Run a hub until it receives SIGTERM or SIGINT
    #[command(after_long_help = examples::HUB_SERVE)]
    Serve(HubServe),
    /// Check the configuration
    #[command(after_long_help = examples::HUB_CHECK)]
    Check(HubCheck),
    /// Create a token for a Source, and print it with its lines of the configuration
    #[command(after_long_help = examples::HUB_TOKEN)]
    Token(HubToken),
    /// Print numbers of a running hub
    #[command(after_long_help = examples::HUB_STATUS)]
    Status(HubAsk),
    /// List the topics, their payloads and subscriptions
    #[command(after_long_help = examples::HUB_TOPICS)]
    Topics(HubAsk),
    /// List the subscriptions
    #[command(after_long_help = examples::HUB_SUBSCRIPTIONS)]
    Subscriptions(HubSubscriptions),
    /// List subscriptions that do not accept deliveries, dead letters, and requests that callbacks did not confirm
    #[command(after_long_help = examples::HUB_FAILURES)]
    Failures(HubAsk),
    /// Deliver stored payloads again
    #[command(after_long_help = examples::HUB_REPLAY)]
    Replay(HubReplay),
    /// End subscriptions, and reject later ones of a host
    #[command(after_long_help = examples::HUB_DENY)]
    Deny(HubDeny),
    /// Lift the limit of subscription requests for a host, whose owner is limited because others name it
    #[command(after_long_help = examples::HUB_LIFT)]
    Lift(HubLift),
    /// Accept payloads, but deliver none
    #[command(after_long_help = examples::HUB_PAUSE)]
    Pause(HubPause),
    /// Deliver again after `pause`
    #[command(after_long_help = examples::HUB_RESUME)]
    Resume(HubPause),
    /// Remove old payloads and dead letters before their retention ends
    #[command(after_long_help = examples::HUB_PRUNE)]
    Prune(HubPrune),
    /// Copy the store of a running or stopped hub
    #[command(after_long_help = examples::HUB_BACKUP)]
    Backup(HubBackup),
    /// Copy a store into an empty one, from SQLite to PostgreSQL or back, while no hub uses them
    #[command(after_long_help = examples::HUB_MIGRATE)]
    Migrate(HubMigrate),
}

/// `hub serve`.
#[derive(Debug, Args)]
pub(crate) struct HubServe {
    /// Listen on this address instead of `listen`
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<SocketAddr>,
    /// The URI of the hub instead of `public_uri`
    #[arg(long, value_name = "URI", value_parser = values::http)]
    pub(crate) public_uri: Option<Uri>,
    /// The store instead of `store`; the password of a database is in PGPASSFILE or PGPASSWORD
    #[arg(long, value_name = "PATH|postgres://…", value_hint = ValueHint::FilePath)]
    pub(crate) store: Option<StoreAddress>,
    /// The address of the administration instead of `admin`: ADDRESS:PORT or unix:PATH
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) admin: Option<AdminAddress>,
}

/// `hub check`.
#[derive(Debug, Args)]
pub(crate) struct HubCheck {
    #[command(flatten)]
    pub(crate) answer: HubAnswer,
}

/// `hub token`.
#[derive(Debug, Args)]
pub(crate) struct HubToken {
    /// The name of the Source
    #[arg(value_name = "NAME")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) answer: HubAnswer,
}

/// How to reach a running hub.
#[derive(Debug, Args)]
pub(crate) struct HubAt {
    /// The address of its administration: ADDRESS:PORT or unix:PATH [default: that of the configuration, with its token]
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) admin: Option<AdminAddress>,
    /// The token of its administration: env:NAME or file:PATH
    #[arg(long, value_name = "TOKEN", requires = "admin")]
    pub(crate) admin_token: Option<String>,
    #[command(flatten)]
    pub(crate) answer: HubAnswer,
}

/// How an answer is printed.
#[derive(Debug, Args)]
pub(crate) struct HubAnswer {
    /// Output format: text or json
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum, hide_possible_values = true)]
    pub(crate) format: HubFormat,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

impl HubAnswer {
    /// The language of text.
    pub(crate) fn lang(&self) -> Lang {
        self.printing.terminal.language.for_people()
    }
}

/// Output formats of `hub`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HubFormat {
    /// For a terminal
    Text,
    /// For programs
    Json,
}

/// `hub status`, `hub topics`, `hub failures`.
#[derive(Debug, Args)]
pub(crate) struct HubAsk {
    #[command(flatten)]
    pub(crate) at: HubAt,
}

/// `hub subscriptions`.
#[derive(Debug, Args)]
pub(crate) struct HubSubscriptions {
    #[command(flatten)]
    pub(crate) ask: HubAsk,
    /// Only those of this topic
    #[arg(long, value_name = "URI")]
    pub(crate) topic: Option<String>,
    /// Only those with callbacks at this host and port
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) host: Option<String>,
    /// Only those after this number; at most 1,000 are listed
    #[arg(long, value_name = "ID", default_value_t = 0)]
    pub(crate) after: u64,
    /// Show complete callbacks, which only subscribers may know
    #[arg(long)]
    pub(crate) reveal: bool,
}

/// The subscriptions that an order concerns.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("target").required(true).args(["subscription", "topic", "host"])))]
pub(crate) struct HubTarget {
    /// This subscription
    #[arg(long, value_name = "ID")]
    pub(crate) subscription: Option<u64>,
    /// All subscriptions of this topic
    #[arg(long, value_name = "URI")]
    pub(crate) topic: Option<String>,
    /// All subscriptions with callbacks at this host and port
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) host: Option<String>,
}

/// `hub replay`.
#[derive(Debug, Args)]
pub(crate) struct HubReplay {
    #[command(flatten)]
    pub(crate) target: HubTarget,
    /// The number of the first payload
    #[arg(long, value_name = "NUMBER")]
    pub(crate) first: u64,
    #[command(flatten)]
    pub(crate) at: HubAt,
}

/// `hub deny`.
#[derive(Debug, Args)]
pub(crate) struct HubDeny {
    #[command(flatten)]
    pub(crate) target: HubTarget,
    /// The reason, for the subscribers
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) reason: String,
    /// Accept subscriptions of the host again
    #[arg(long, conflicts_with_all = ["subscription", "topic"])]
    pub(crate) undo: bool,
    #[command(flatten)]
    pub(crate) at: HubAt,
}

/// `hub lift`.
#[derive(Debug, Args)]
pub(crate) struct HubLift {
    /// The host and port of the callbacks; `hub status` names those that are limited
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) host: String,
    /// Restore the limit; so does the next start of the hub
    #[arg(long)]
    pub(crate) undo: bool,
    #[command(flatten)]
    pub(crate) at: HubAt,
}

/// `hub pause`, `hub resume`.
#[derive(Debug, Args)]
pub(crate) struct HubPause {
    /// Only this topic
    #[arg(long, value_name = "URI")]
    pub(crate) topic: Option<String>,
    #[command(flatten)]
    pub(crate) at: HubAt,
}

/// `hub prune`.
#[derive(Debug, Args)]
pub(crate) struct HubPrune {
    /// Remove what is older than this: 90s, 10m, 2h
    #[arg(long, value_name = "DURATION", value_parser = values::duration)]
    pub(crate) older_than: Duration,
    #[command(flatten)]
    pub(crate) at: HubAt,
}

/// `hub backup`.
#[derive(Debug, Args)]
pub(crate) struct HubBackup {
    /// The new file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// The store [default: that of the configuration]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(crate) store: Option<PathBuf>,
}

/// `hub migrate`.
#[derive(Debug, Args)]
pub(crate) struct HubMigrate {
    /// The store to copy: the path of a SQLite file, or postgres://USER@HOST/DATABASE
    #[arg(value_name = "FROM", value_hint = ValueHint::FilePath)]
    pub(crate) from: StoreAddress,
    /// The copy, which must be empty or not exist
    #[arg(value_name = "TO", value_hint = ValueHint::FilePath)]
    pub(crate) to: StoreAddress,
    #[command(flatten)]
    pub(crate) answer: HubAnswer,
}
