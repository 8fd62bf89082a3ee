//! The settings of a run: the configuration file, and the command line, which takes precedence.

mod credentials;
mod file;
mod find;
mod http;
mod runs;
mod sources;
mod tables;
mod values;

use std::ffi::OsString;

use clap::ArgMatches;
use resourcesync::{
    api::Options,
    diagnostic::Severity,
    report::{Lang, Selection},
};
use resourcesync_client::{http::Limits, seed};

#[cfg(feature = "hub")]
pub(crate) use self::credentials::referred;
use self::tables::Given;
pub(crate) use self::{
    file::ConfigFile,
    http::{client, with as client_with, without_urls},
    runs::ConfiguredSource,
};
use crate::{
    arguments::{self, Validate},
    error::usage,
};

/// Default number of findings stored for each code, severity and input.
const STORED: u64 = 100;
/// Default number of findings shown for each of them in text.
pub(crate) const SHOWN: u64 = 5;

/// Reads the command line, and what a configuration file says of the same subcommand; also returns that file. The error has
/// been reported, and is the exit status.
pub(crate) fn read(mut args: Vec<OsString>) -> Result<(ArgMatches, Option<ConfigFile>), i32> {
    let command = arguments::command();
    let matches = command.clone().try_get_matches_from(&args).map_err(|error| usage(&error))?;
    let (mut path, mut leaf) = (Vec::new(), &matches);
    while let Some((name, inner)) = leaf.subcommand() {
        path.push(name.to_owned());
        leaf = inner;
    }
    let Some(mut file) = find::configuration(leaf) else { return Ok((matches, None)) };
    let mut given = file.read(|root| Given::read(root, &command, &path.join(" "))).map_err(|error| error.report())?;
    // Between the subcommand and its arguments, of which the later ones take precedence.
    let at = path.len().saturating_add(1).min(args.len());
    file.arguments = args.get(at..).unwrap_or_default().to_vec();
    args.splice(at..at, given.pairs.drain(..));
    let matches = given.apply(command, &path).try_get_matches_from(args).map_err(|error| usage(&error))?;
    Ok((matches, Some(file)))
}

/// Validates the text of a configuration file, apart from the table of a hub; the error has the line number, a colon, and a
/// message.
///
/// # Errors
///
/// If anything in it is invalid or unknown.
pub fn check_configuration(text: &str) -> Result<(), String> {
    let checked = file::parse(text, |root| Given::read(root, &arguments::command(), "validate"));
    checked.map(drop).map_err(|(line, words)| format!("{line}: {words}"))
}

/// The settings of a run.
pub(crate) struct Settings {
    /// The options of the core.
    pub(crate) options: Options,
    /// The lowest severity with exit status 1.
    pub(crate) fail_on: Severity,
    /// The options of formats for people.
    pub(crate) lang: Lang,
    /// Findings shown for each code, severity and input.
    pub(crate) shown: u64,
    /// The HTTP settings.
    pub(crate) http: Http,
}

/// The HTTP settings of a run, in addition to the command line.
#[derive(Debug)]
pub(crate) struct Http {
    pub(crate) limits: Limits,
    /// The rate of requests follows how well a host responds.
    pub(crate) adapts: bool,
    /// The language of notices.
    pub(crate) lang: Lang,
}

impl Http {
    /// The defaults.
    pub(crate) fn new(lang: Lang) -> Http {
        Http { limits: Limits::default(), adapts: false, lang }
    }
}

impl Settings {
    /// The settings that the arguments of `validate` make.
    pub(crate) fn new(arguments: &Validate) -> Settings {
        let profile = arguments.profile.unwrap_or_default();
        let lang = arguments.terminal.language.for_people();
        let mut http = Http::new(lang);
        let mut options = Options::default();
        options.expect = arguments.expect;
        options.profile = profile;
        options.selection = Selection::new(profile, &arguments.select, &arguments.ignore, &arguments.severity);
        // Findings that were not stored could not be compared with a baseline.
        options.max_per_rule = if arguments.baseline.is_some() { 0 } else { arguments.max_per_rule.unwrap_or(STORED) };
        options.no_fixity = arguments.no_fixity;
        options.seed = seed();
        for (name, value) in &arguments.limit {
            // Invalid names and values were rejected by the argument parser.
            let _ = options.limits.set(name, *value) || http.limits.set(name, *value);
        }
        Settings {
            options,
            fail_on: arguments.fail_on.unwrap_or(Severity::Error),
            lang,
            shown: arguments.max_per_rule.unwrap_or(SHOWN),
            http,
        }
    }
}
