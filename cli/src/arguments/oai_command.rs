//! The subcommands of `resourcesync oai`.

use clap::{Args, Subcommand};

use super::{OaiBridge, OaiGet, OaiHarvest, OaiIdentify, OaiList, OaiValidate, Printing, examples};

/// `oai`.
#[derive(Debug, Args)]
#[command(after_long_help = examples::OAI)]
pub(crate) struct Oai {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: OaiCommand,
}

/// The subcommands of `oai`.
#[derive(Debug, Subcommand)]
pub(crate) enum OaiCommand {
    /// Describe a repository: formats, sets, granularity, deletions, and how it would be harvested
    Identify(Box<OaiIdentify>),
    /// List the formats, sets or identifiers of a repository, or the records of a store
    List(Box<OaiList>),
    /// Print the metadata of records, byte for byte
    Get(Box<OaiGet>),
    /// Harvest all records, or those changed since the last harvest
    Harvest(Box<OaiHarvest>),
    /// Publish the records of a repository as a ResourceSync Source, and on later runs what changed
    Bridge(Box<OaiBridge>),
    /// Check a repository against the protocol: what is wrong, why it matters, how to fix it
    Validate(Box<OaiValidate>),
}

impl OaiCommand {
    /// How it prints.
    pub(crate) fn printing(&self) -> &Printing {
        let common = match self {
            OaiCommand::Identify(arguments) => &arguments.common,
            OaiCommand::List(arguments) => &arguments.common,
            OaiCommand::Get(arguments) => &arguments.common,
            OaiCommand::Harvest(arguments) => &arguments.common,
            OaiCommand::Bridge(arguments) => &arguments.common,
            OaiCommand::Validate(arguments) => &arguments.common,
        };
        &common.printing
    }
}
