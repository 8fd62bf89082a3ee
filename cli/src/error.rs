//! Errors of the command, and messages on standard error.

use std::{fmt, io, io::Write};

use resourcesync::{
    diagnostic::Severity,
    report::{Lang, visible},
};
use resourcesync_client::{publish, reason};

use crate::{status, words};

/// An error of one line; the command exits with status 2.
#[derive(Debug)]
pub(crate) struct CliError(String);

impl CliError {
    /// An error with this message.
    pub(crate) fn new(message: impl Into<String>) -> CliError {
        CliError(message.into())
    }

    /// Writes it and returns the exit status.
    pub(crate) fn report(&self) -> i32 {
        report_error(&self.0);
        status::UNSURE
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<String> for CliError {
    fn from(words: String) -> CliError {
        CliError(words)
    }
}

impl From<&str> for CliError {
    fn from(words: &str) -> CliError {
        CliError(words.to_owned())
    }
}

impl From<publish::Error> for CliError {
    fn from(error: publish::Error) -> CliError {
        CliError(error.to_string())
    }
}

/// Writes an error line.
pub(crate) fn report_error(words: &str) {
    line(Severity::Error, "error", words);
}

/// Writes a warning line.
pub(crate) fn warn(text: &str, lang: Lang) {
    line(Severity::Warning, words::severity(Severity::Warning, lang), text);
}

/// Writes other messages, as whole lines.
pub(crate) fn note(text: &str) {
    let _ = write!(io::stderr(), "{text}");
}

/// Writes a finding in one line.
pub(crate) fn finding(severity: Severity, code: &str, text: &str, lang: Lang) {
    line(severity, &format!("{}[{code}]", words::severity(severity, lang)), text);
}

fn line(severity: Severity, what: &str, words: &str) {
    let color = match severity {
        Severity::Error => "\x1b[1;31m",
        Severity::Warning => "\x1b[1;33m",
        Severity::Info => "\x1b[1;34m",
    };
    // Colours are removed where they are not wanted. If standard error is closed, the message is lost.
    let _ = writeln!(anstream::stderr(), "{color}{what}\x1b[0m: {}", lines(words));
}

/// Escapes invisible characters, except line breaks.
fn lines(words: &str) -> String {
    words.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// Prints help, the version, or a usage error of clap.
pub(crate) fn usage(error: &clap::Error) -> i32 {
    let status = error.exit_code();
    if !error.use_stderr() {
        return match error.print() {
            Ok(()) => status,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => status,
            Err(error) => CliError::new(format!("standard output could not be written: {}", reason(&error))).report(),
        };
    }
    #[cfg(not(feature = "hub"))]
    if let Some(words) = absent::words(error) {
        return CliError::new(words).report();
    }
    // The message repeats arguments, and `*` may expand to hostile file names.
    let _ = write!(io::stderr(), "{}", lines(&error.render().to_string()));
    status
}

/// The subcommands that packages leave out.
#[cfg(not(feature = "hub"))]
mod absent {
    use clap::error::{ContextKind, ContextValue};

    use super::Lang;
    use crate::locale::{locale, variable};

    /// Where a subcommand is that this installation does not have.
    pub(super) fn words(error: &clap::Error) -> Option<String> {
        let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return None };
        let is_absent = ["hub", "listen"].contains(&name.as_str());
        is_absent.then(|| match variable().unwrap_or_else(locale) {
            Lang::En => format!("`{name}` is not in this installation, which was built without the feature `hub`"),
            Lang::Ja => format!("このインストールに `{name}` はありません。機能 `hub` を含めずにビルドされています"),
        })
    }
}
