//! The command line: subcommands and their options.

mod build;
mod configuration;
mod declared;
mod diff;
mod dump;
mod examples;
mod fix;
mod http;
#[cfg(feature = "hub")]
mod hub;
mod language;
#[cfg(feature = "hub")]
mod listen;
mod merge;
mod notify;
mod oai;
mod oai_bridge;
mod oai_command;
mod packages;
mod printing;
mod resources;
mod serve;
mod short_help;
mod sitemap;
mod stated;
mod sync;
mod table;
mod validate;
mod values;
mod watching;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueHint};

#[cfg(feature = "hub")]
pub(crate) use self::hub::{
    Hub, HubAnswer, HubAsk, HubAt, HubBackup, HubCheck, HubCommand, HubDeny, HubFormat, HubLift, HubMigrate, HubPause,
    HubPrune, HubReplay, HubServe, HubSubscriptions, HubTarget, HubToken,
};
#[cfg(feature = "hub")]
pub(crate) use self::listen::{Listen, ListenFormat, OnBadSignature};
pub(crate) use self::{
    build::Build,
    diff::{Diff, DiffFormat},
    dump::Dump,
    fix::Fix,
    http::{Http, Servers},
    language::Language,
    merge::Merge,
    notify::{Hubs, Notify, When},
    oai::{Harvesting, OaiCommon, OaiGet, OaiHarvest, OaiIdentify, OaiList, OaiValidate, Plain, Tabular},
    oai_bridge::OaiBridge,
    oai_command::{Oai, OaiCommand},
    packages::{Common, Extract, List, ListFormat},
    printing::{Printing, Terminal},
    resources::Resources,
    serve::Serve,
    sitemap::FromSitemap,
    stated::Stated,
    sync::{Audit, Inventory, InventoryFormat, Sync, SyncFormat},
    table::TableOptions,
    validate::Validate,
    watching::WatchedFolder,
};

/// Validates, publishes and copies ResourceSync Sources
///
/// ResourceSync (ANSI/NISO Z39.99-2017) is the standard by which repositories publish their resources and the changes to
/// them. This command checks its documents and packages, publishes folders and inventories as Sources, keeps copies of
/// Sources in sync, sends and receives notifications (WebSub), and harvests OAI-PMH repositories.
#[derive(Debug, Parser)]
#[command(name = "resourcesync", version, max_term_width = 110, disable_help_subcommand = true, after_long_help = examples::COMMAND)]
pub(crate) struct Cli {
    /// The subcommand.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The command line, with a short help that is short.
pub(crate) fn command() -> clap::Command {
    short_help::shorten(configuration::add(Cli::command()))
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Validate documents, folders and standard input
    Validate(Box<Validate>),
    /// Merge JSON reports into the report of one run over all their inputs
    Merge(Merge),
    /// Publish a folder or an inventory as a Source, and on later runs its changes
    Build(Box<Build>),
    /// Notify hubs of what was published and is still unsent, or send notifications made elsewhere
    Notify(Box<Notify>),
    /// Run a WebSub hub, which relays notifications to subscribers, and administer it
    #[cfg(feature = "hub")]
    Hub(Box<Hub>),
    /// Subscribe to a Source, and keep a folder in sync or run a command when it changes
    #[cfg(feature = "hub")]
    Listen(Box<Listen>),
    /// Package a folder or an inventory into a Resource Dump
    Dump(Box<Dump>),
    /// Serve a published folder over HTTP, to try it out
    Serve(Serve),
    /// Compare two Resource Lists or inventories, and print the changes or a Change List
    Diff(Diff),
    /// Repair unambiguous errors in a document, and show the diff
    Fix(Fix),
    /// List the members of a dump package with their resources and states
    List(List),
    /// Extract the verified bitstreams of a dump package, all or none
    Extract(Extract),
    /// Keep a folder in sync with a Source; later runs fetch what changed
    Sync(Box<Sync>),
    /// Compare a copy with its Source, or with what was verified when its files were stored
    Audit(Box<Audit>),
    /// Print what a copy holds, to publish it again or to check its files
    Inventory(Inventory),
    /// Explain a code or rule: what it means, why it matters, how to fix it, and examples
    Explain(Explain),
    /// List all codes and rules
    Rules(Rules),
    /// Harvest OAI-PMH repositories
    Oai(Oai),
    /// Print shell completions
    #[command(after_long_help = examples::COMPLETIONS)]
    Completions(Completions),
    /// Print a manual page (roff)
    #[command(after_long_help = examples::MAN)]
    Man(Man),
    /// Print the help of a subcommand, or the pages about http and limits
    #[command(after_long_help = examples::HELP)]
    Help(Help),
}

/// `explain`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::EXPLAIN)]
pub(crate) struct Explain {
    /// A code (RL-03), a rule (missing-at) or a detail of GEN-01 (XML-07)
    #[arg(value_name = "CODE|RULE")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) printing: Printing,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub(crate) format: ExplainFormat,
}

/// Formats of `explain`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ExplainFormat {
    /// For a terminal
    Text,
    /// Its rows of `rules --format json`
    Json,
    /// For a page
    Markdown,
}

/// `rules`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::RULES)]
pub(crate) struct Rules {
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub(crate) format: RulesFormat,
    #[command(flatten)]
    pub(crate) printing: Printing,
    /// Only these codes, families, rules, or `derived`
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) select: Vec<String>,
}

/// Formats of `rules`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RulesFormat {
    /// One line per code
    Text,
    /// An array with the full text of every rule
    Json,
}

/// `completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// `help`.
#[derive(Debug, Args)]
pub(crate) struct Help {
    /// A subcommand, such as `validate` or `oai harvest`; `http` (requests); or `limits` (every limit with its default and purpose)
    #[arg(value_name = "SUBCOMMAND|PAGE")]
    pub(crate) names: Vec<String>,
}

/// `man`.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Print the page of this subcommand, such as `validate` or `oai harvest`, instead of the main page
    #[arg(value_name = "SUBCOMMAND", value_hint = ValueHint::Other)]
    pub(crate) names: Vec<String>,
}
