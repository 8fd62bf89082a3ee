//! The command line: subcommands and their options.

mod build;
mod diff;
mod dump;
mod examples;
mod fix;
mod http;
mod notify;
mod oai;
mod packages;
mod resources;
mod validate;
mod values;

use clap::{Args, Parser, Subcommand, ValueHint};
use resourcesync::report::Lang;

pub(crate) use self::{
    build::Build,
    diff::Diff,
    dump::Dump,
    fix::Fix,
    http::{Http, Servers},
    notify::{Hubs, Notify, When},
    oai::{Oai, OaiCommand, OaiCommon, OaiGet, OaiHarvest, OaiIdentify, OaiList, Plain, Tabular},
    packages::{Common, Extract, List, ListFormat},
    resources::Resources,
    validate::Validate,
    values::severity_to_fail_on,
};

/// Validates ResourceSync documents
///
/// Checks Source Descriptions, Capability Lists, Resource and Change Lists, Dumps, Manifests and Notifications against
/// ANSI/NISO Z39.99-2017 (ResourceSync), Change Notification 1.0.1 and Framework Notification 1.0.1, says where and why
/// something is wrong, and how to fix it.
#[derive(Debug, Parser)]
#[command(name = "resourcesync", version, max_term_width = 110, after_long_help = examples::COMMAND)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Validate documents, folders and standard input
    Validate(Box<Validate>),
    /// Publish a folder or an inventory as a Source; run again, publish what changed
    Build(Box<Build>),
    /// Notify hubs of what was published and is still unsent, or send notifications made elsewhere
    Notify(Box<Notify>),
    /// Package a folder or an inventory into a Resource Dump
    Dump(Box<Dump>),
    /// Say what changed between two Resource Lists or inventories, in words or as a Change List
    Diff(Diff),
    /// Repair a document where what was meant is certain, and show the difference
    Fix(Fix),
    /// List the members of a dump package, the resources that lead to them, and which are verified
    List(List),
    /// Unpack the verified bitstreams of a dump package, all of them or nothing
    Extract(Extract),
    /// Explain a code or rule: what, why it matters, how to fix it, wrong and right examples
    Explain(Explain),
    /// List every rule and code
    Rules(Rules),
    /// Harvest OAI-PMH repositories
    Oai(Oai),
    /// Print completions for a shell
    #[command(after_long_help = examples::COMPLETIONS)]
    Completions(Completions),
    /// Print a manual page (roff)
    #[command(after_long_help = examples::MAN)]
    Man(Man),
}

/// `explain`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::EXPLAIN)]
pub(crate) struct Explain {
    /// A code (RL-03), a rule (missing-at) or a detail of GEN-01 (XML-07)
    #[arg(value_name = "CODE|RULE")]
    pub(crate) name: String,
    /// Language of the words: en or ja
    #[arg(long, value_name = "LANG", default_value = "en", value_parser = values::lang(), hide_possible_values = true)]
    pub(crate) lang: Lang,
    /// How to print it
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub(crate) format: ExplainFormat,
}

/// Formats of `explain`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ExplainFormat {
    /// For reading in a terminal
    Text,
    /// The rows of `rules --format json` it belongs to
    Json,
    /// For a page
    Markdown,
}

/// `rules`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::RULES)]
pub(crate) struct Rules {
    /// How to print them
    #[arg(long, value_name = "FORMAT", default_value = "text", value_enum)]
    pub(crate) format: RulesFormat,
    /// Language of the words: en or ja
    #[arg(long, value_name = "LANG", default_value = "en", value_parser = values::lang(), hide_possible_values = true)]
    pub(crate) lang: Lang,
    /// Only these codes, families, rules, or `derived`
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    pub(crate) select: Vec<String>,
}

/// Formats of `rules`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum RulesFormat {
    /// One line a code
    Text,
    /// An array with everything the catalogue and the rules say
    Json,
}

/// `completions`.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// `man`.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The page of this subcommand instead of the main page
    #[arg(value_hint = ValueHint::Other)]
    pub(crate) command: Option<String>,
}
