//! The runs of `sync` for the Sources of a configuration.

use std::{ffi::OsString, path::PathBuf};

use clap::{ArgAction, ArgMatches, Command, FromArgMatches, parser::ValueSource};

use super::{
    file::{Complaint, ConfigFile},
    sources::{SOURCE, Source, check_apart, read},
    tables::Given,
};
use crate::{
    arguments::{self, Sync},
    error::CliError,
};

/// Options that name a file of one Source, and stand in its table only.
const OF_ONE_SOURCE: &[&str] = &["state", "record", "replay"];

/// A Source, and its run.
#[derive(Debug)]
pub(crate) struct ConfiguredSource {
    pub(crate) uri: String,
    /// The folder of the copy.
    pub(crate) folder: PathBuf,
    /// The options of its table, and those of the command line.
    pub(crate) arguments: Sync,
}

impl ConfigFile {
    /// The Sources of the tables `[[source]]`.
    pub(crate) fn sources(&self) -> Result<Vec<ConfiguredSource>, CliError> {
        let command = arguments::command();
        self.read(|root| {
            let mut given = Given::read(root, &command, "sync")?;
            let limits = std::mem::take(&mut given.pairs);
            let Some(value) = root.get(SOURCE) else { return Ok(Vec::new()) };
            let sources = read(value, &command)?;
            let command = given.apply(command, &["sync".to_owned()]);
            let Some(sync) = command.find_subcommand("sync") else { return Ok(Vec::new()) };
            let sync = sync.clone().no_binary_name(true);
            let named = sync.clone().try_get_matches_from(&self.arguments);
            let named = named.map_err(|error| (0, first_line(&error)))?;
            if let Some(option) = OF_ONE_SOURCE.iter().find(|option| is_named(&named, option)) {
                return Err((value.span().start, format!("`{option}` is of one Source: it stands in its table")));
            }
            let runs = sources.iter().map(|source| source.run(&sync, &named, &limits, &self.arguments));
            let runs: Vec<ConfiguredSource> = runs.collect::<Result<_, _>>()?;
            let is_whole = |run: &ConfiguredSource| run.arguments.options.settings().is_ok_and(|own| own.placing.whole);
            for (outer, _) in sources.iter().zip(&runs).filter(|(_, run)| is_whole(run)) {
                check_apart(&sources, &outer.dir, &outer.uri)?;
            }
            Ok(runs)
        })
    }
}

impl Source {
    /// The arguments of its run.
    fn run(
        &self,
        sync: &Command,
        named: &ArgMatches,
        limits: &[OsString],
        line: &[OsString],
    ) -> Result<ConfiguredSource, Complaint> {
        let (mut sync, mut args) = (sync.clone(), limits.to_vec());
        for (option, texts) in &self.options {
            let Some(arg) = sync.get_arguments().find(|arg| arg.get_long() == Some(option)) else { continue };
            let (id, is_switch) = (arg.get_id().clone(), matches!(arg.get_action(), ArgAction::SetTrue));
            let is_pair = arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.contains('=')));
            if is_named(named, option) && !is_pair {
                continue;
            }
            match (is_switch, &**texts) {
                (true, [truth]) if truth == "true" => args.push(format!("--{option}").into()),
                (true, _) => sync = sync.mut_arg(id, |arg| arg.default_value("false")),
                (false, texts) => args.extend(texts.iter().map(|text| format!("--{option}={text}").into())),
            }
        }
        // Which folder it is does not matter to the other options, and its name may begin like one.
        args.extend([self.uri.as_str(), "."].map(OsString::from));
        args.extend_from_slice(line);
        let matches = sync.try_get_matches_from(args).and_then(|matches| Sync::from_arg_matches(&matches));
        let arguments = matches.map_err(|error| (self.at, first_line(&error)))?;
        Ok(ConfiguredSource { uri: self.uri.clone(), folder: PathBuf::from(&self.dir), arguments })
    }
}

fn is_named(matches: &ArgMatches, option: &str) -> bool {
    let id = matches.ids().find(|id| id.as_str().replace('_', "-") == option);
    id.is_some_and(|id| matches.value_source(id.as_str()) == Some(ValueSource::CommandLine))
}

/// The first line of a message of clap.
fn first_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}
