//! The settings of a run: the configuration file, overridden by the command line.

mod credentials;
mod file;
mod find;
mod http;

use resourcesync::{
    api::Options,
    diagnostic::Severity,
    report::{Lang, Selection},
};
use resourcesync_client::{http::Limits, seed};

#[cfg(feature = "hub")]
pub(crate) use self::credentials::referred;
pub(crate) use self::http::{client, with as client_with, without_urls};
use self::{file::Configuration, find::Found};
use crate::{
    arguments::Validate,
    error::CliError,
    locale::{locale, variable},
};

/// Default number of findings stored for each code, severity and input.
const STORED: u64 = 100;
/// Default number of findings shown for each of them in text.
const SHOWN: u64 = 5;

/// Validates the text of a configuration file; the error has the line number, a colon, and a message.
///
/// # Errors
///
/// If anything in it is invalid or unknown.
pub fn check_configuration(text: &str) -> Result<(), String> {
    file::understand(text).map(|_| ()).map_err(|(line, words)| format!("{line}: {words}"))
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
    /// The name of the configuration file that applied.
    pub(crate) configuration: Option<String>,
}

/// The HTTP settings of a run, in addition to the command line.
#[derive(Debug)]
pub(crate) struct Http {
    pub(crate) limits: Limits,
    pub(crate) from: Option<String>,
    pub(crate) robots: bool,
    /// The rate of requests follows how well a host responds.
    pub(crate) adapts: bool,
    /// The language of notices.
    pub(crate) lang: Lang,
}

impl Http {
    /// The defaults.
    pub(crate) fn new(lang: Lang) -> Http {
        Http { limits: Limits::default(), from: None, robots: false, adapts: false, lang }
    }
}

impl Settings {
    /// Combines configuration and arguments.
    pub(crate) fn new(arguments: &Validate) -> Result<Settings, CliError> {
        let (name, configuration) = configuration(arguments)?;
        let profile = arguments.profile.or(configuration.profile).unwrap_or_default();
        let select = if arguments.select.is_empty() { configuration.select } else { arguments.select.clone() };
        let ignore = if arguments.ignore.is_empty() { configuration.ignore } else { arguments.ignore.clone() };
        // Later ones take precedence.
        let severities: Vec<_> = configuration.severity.into_iter().chain(arguments.severity.iter().cloned()).collect();

        let lang = arguments.terminal.language.named().or_else(variable).or(configuration.lang).unwrap_or_else(locale);
        let mut http = Http { from: configuration.from, robots: configuration.robots, ..Http::new(lang) };
        let mut options = Options::default();
        options.expect = arguments.expect;
        options.profile = profile;
        options.selection = Selection::new(profile, &select, &ignore, &severities);
        // Findings that were not stored could not be compared with a baseline.
        options.max_per_rule = if arguments.baseline.is_some() { 0 } else { arguments.max_per_rule.unwrap_or(STORED) };
        options.no_fixity = arguments.no_fixity;
        options.seed = seed();
        for (name, value) in configuration.limits.iter().chain(&arguments.limit) {
            // Invalid names and values were rejected by the argument parser.
            let _ = options.limits.set(name, *value) || http.limits.set(name, *value);
        }
        Ok(Settings {
            options,
            fail_on: arguments.fail_on.or(configuration.fail_on).unwrap_or(Severity::Error),
            lang,
            shown: arguments.max_per_rule.unwrap_or(SHOWN),
            http,
            configuration: name,
        })
    }
}

/// The configuration file that applies, and its name.
fn configuration(arguments: &Validate) -> Result<(Option<String>, Configuration), CliError> {
    let found = match &arguments.config {
        _ if arguments.no_config => None,
        Some(path) => Some(Found { path: path.clone(), name: path.display().to_string() }),
        None => find::configuration(arguments.terminal.language.for_people()),
    };
    match found {
        Some(Found { path, name }) => file::read(&path).map(|configuration| (Some(name), configuration)),
        None => Ok((None, Configuration::default())),
    }
}
