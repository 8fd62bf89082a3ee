//! The tables `[[source]]` of a configuration: the Sources of one run of `sync`, each with options of its own.

use std::{
    ffi::OsString,
    path::{Component, PathBuf},
};

use clap::{ArgAction, ArgMatches, Command, FromArgMatches, parser::ValueSource};
use resourcesync::edit_distance::unknown;
use resourcesync_client::http::Policy;
use toml::de::{DeTable, DeValue};

use super::{
    file::{Complaint, ConfigFile, Value},
    tables::{Given, check, in_order, pairs, text, texts},
};
use crate::{
    arguments::{self, Sync},
    error::CliError,
};

/// The name of the tables.
pub(super) const SOURCE: &str = "source";

/// Options that are of the whole run, and stand on the command line only.
const OF_THE_RUN: &[&str] =
    &["config", "no-config", "watch", "jobs", "format", "output", "lang", "color", "quiet", "log", "help"];

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

/// A table, checked.
#[derive(Debug)]
pub(super) struct Source {
    /// Its place in the file.
    at: usize,
    uri: String,
    dir: String,
    /// The options that it sets, by their names, as the command line has them.
    options: Vec<(String, Vec<String>)>,
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
            sources.iter().map(|source| source.run(&sync, &named, &limits, &self.arguments)).collect()
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

/// Reads and checks the tables.
pub(super) fn read(value: &Value<'_>, command: &Command) -> Result<Vec<Source>, Complaint> {
    let wrong = |at| (at, format!("expected tables `[[{SOURCE}]]`"));
    let DeValue::Array(items) = value.get_ref() else { return Err(wrong(value.span().start)) };
    let Some(sync) = command.find_subcommand("sync") else { return Ok(Vec::new()) };
    let mut sources: Vec<Source> = Vec::new();
    for item in items.iter() {
        let DeValue::Table(table) = item.get_ref() else { return Err(wrong(item.span().start)) };
        let source = Source::read(table, item.span().start, sync)?;
        let folder = folder(&source.dir);
        if let Some(other) = sources.iter().find(|other| self::folder(&other.dir) == folder) {
            return Err((source.at, format!("`{}` is the folder of {}, too", source.dir, other.uri)));
        }
        sources.push(source);
    }
    Ok(sources)
}

impl Source {
    /// Reads a table.
    fn read(table: &DeTable<'_>, at: usize, sync: &Command) -> Result<Source, Complaint> {
        let mut source = Source { at, uri: String::new(), dir: String::new(), options: Vec::new() };
        for (key, value) in in_order(table) {
            let name: &str = key.get_ref();
            let start = value.span().start;
            if name == "uri" {
                source.uri = text(value)?;
                Policy::default().start(&source.uri).map_err(|error| (start, error.to_string()))?;
                continue;
            }
            if name == "dir" {
                source.dir = text(value)?;
                continue;
            }
            let is_own = |name: &str| !OF_THE_RUN.contains(&name);
            let Some(arg) = sync.get_arguments().find(|arg| arg.get_long() == Some(name) && is_own(name)) else {
                let names = sync.get_arguments().filter_map(clap::Arg::get_long).filter(|name| is_own(name));
                return Err((key.span().start, unknown("key", name, ["uri", "dir"].into_iter().chain(names))));
            };
            let is_pair = arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.contains('=')));
            // Hosts that get a header or a token are written as on the command line.
            let is_table = is_pair && matches!(value.get_ref(), DeValue::Table(_));
            let texts = if is_table { pairs(value)? } else { texts(arg, value)? };
            for (at, text) in &texts {
                check(sync, arg, text).map_err(|words| (*at, words))?;
            }
            source.options.push((name.to_owned(), texts.into_iter().map(|(_, text)| text).collect()));
        }
        match (source.uri.is_empty(), source.dir.is_empty()) {
            (true, _) => Err((at, "a Source needs a key `uri`".to_owned())),
            (_, true) => Err((at, format!("the Source {} needs a key `dir`, the folder of its copy", source.uri))),
            _ => Ok(source),
        }
    }
}

/// A folder as it is compared: without `.`, and without a separator at its end.
fn folder(dir: &str) -> PathBuf {
    PathBuf::from(dir).components().filter(|part| *part != Component::CurDir).collect()
}
