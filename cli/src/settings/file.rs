//! The configuration file `resourcesync.toml`; errors in it have their line.

use std::{ffi::OsString, fs, path::PathBuf};

use resourcesync_client::reason;
use toml::{Spanned, de::DeTable};

use crate::error::CliError;

/// The byte offset of a problem, and the problem.
pub(super) type Complaint = (usize, String);
pub(super) type Value<'a> = Spanned<toml::de::DeValue<'a>>;

/// A configuration file.
#[derive(Debug)]
pub(crate) struct ConfigFile {
    pub(super) path: PathBuf,
    /// Its name in the report: relative to the working folder, so that reports do not depend on where that is.
    pub(crate) name: String,
    /// The command line names it.
    pub(crate) is_named: bool,
    /// The arguments of the subcommand, which take precedence over the file.
    pub(super) arguments: Vec<OsString>,
}

impl ConfigFile {
    /// Where it is.
    pub(crate) fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Reads the file, and with `take` what is wanted of it.
    pub(super) fn read<T>(&self, take: impl FnOnce(&DeTable<'_>) -> Result<T, Complaint>) -> Result<T, CliError> {
        let shown = self.path.display();
        let text = fs::read_to_string(&self.path)
            .map_err(|error| format!("the configuration {shown} could not be read: {}", reason(&error)))?;
        parse(&text, take).map_err(|(line, words)| CliError::new(format!("{shown}:{line}: {words}")))
    }

    /// The file, for subcommands that cannot do without.
    #[cfg(feature = "hub")]
    pub(crate) fn needed(config: Option<&ConfigFile>) -> Result<&ConfigFile, CliError> {
        config.ok_or_else(|| "no resourcesync.toml was found here; name the configuration with --config".into())
    }

    /// The settings of a hub: the table `hub`.
    #[cfg(feature = "hub")]
    pub(crate) fn hub(
        &self,
        overrides: &resourcesync_server::settings::Overrides,
    ) -> Result<resourcesync_server::settings::Settings, CliError> {
        use resourcesync_server::settings::Settings;
        self.read(|root| match root.get("hub") {
            Some(value) => match value.get_ref() {
                toml::de::DeValue::Table(table) => Settings::from_table(table, value.span().start, overrides),
                _ => Err((value.span().start, "expected a table `hub`".to_owned())),
            },
            None => Settings::from_table(&DeTable::new(), 0, overrides),
        })
    }
}

/// Parses the text of a file; errors have a line number.
pub(super) fn parse<T>(
    text: &str,
    take: impl FnOnce(&DeTable<'_>) -> Result<T, Complaint>,
) -> Result<T, (usize, String)> {
    let line = |at| text.as_bytes().iter().take(at).filter(|byte| **byte == b'\n').count().saturating_add(1);
    DeTable::parse(text)
        .map_err(|error| (error.span().map_or(0, |span| span.start), error.message().to_owned()))
        .and_then(|table| take(table.get_ref()))
        .map_err(|(at, words)| (line(at), words))
}
