//! Writes reports to their outputs, atomically.

mod escaped;
mod pair;
pub(crate) mod stdout;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use anstream::AutoStream;
use clap::ColorChoice;
use resourcesync::report::{self, Format, Render, json_pretty};
use resourcesync_client::{batch::LargeReport, folder, reason};
use serde::Serialize;

pub(crate) use self::{
    escaped::Escaped,
    pair::pair,
    stdout::{Taken, open as open_stdout, redirected, write as to_stdout},
};
use crate::error::CliError;

/// One report to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Output {
    /// Its format.
    pub(crate) format: Format,
    /// The file; standard output by default.
    pub(crate) file: Option<PathBuf>,
}

impl Output {
    /// Rejects, before anything is validated, outputs that cannot be written.
    pub(crate) fn check(&self) -> Result<(), CliError> {
        self.file.as_deref().map_or(Ok(()), check)
    }

    /// Writes the report atomically.
    pub(crate) fn write(&self, text: &str, color: bool) -> Result<(), CliError> {
        match &self.file {
            Some(file) => to_file(file, text.as_bytes()),
            None => to_stdout(text, color).map(|_: Taken| ()),
        }
    }

    /// True if the format can be written without all findings in memory.
    pub(crate) fn is_streamed(&self) -> bool {
        matches!(self.format, Format::Json | Format::Ndjson | Format::Text)
    }

    /// Writes the report atomically, piece by piece.
    pub(crate) fn stream(&self, report: &LargeReport, options: &Render) -> Result<(), CliError> {
        let write = |out: &mut dyn Write| match self.format {
            Format::Ndjson => report.write_ndjson(out),
            Format::Text => report.write_text(options, out),
            _ => report.write_json(out),
        };
        let Some(file) = &self.file else { return stdout::stream(&write, options.color) };
        let said = |error: &_| format!("{} could not be written: {}", file.display(), reason(error));
        folder::write_atomic_with(file, &mut |out| write(out)).map_err(|error| said(&error).into())
    }
}

/// Rejects, before anything is done, a path that cannot be written to.
pub(crate) fn check(file: &Path) -> Result<(), CliError> {
    folder::check_writable(file)
        .map_err(|error| format!("{} cannot be written: {}", file.display(), reason(&error)).into())
}

/// Rejects, before anything is read, an output that would replace an input.
pub(crate) fn check_inputs<'a>(output: &Path, inputs: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), CliError> {
    match folder::input_of(output, inputs) {
        Some(input) if input == output => {
            Err(format!("{} is an input and cannot be an output", output.display()).into())
        }
        Some(input) => {
            Err(format!("{} is the input {} and cannot be an output", output.display(), input.display()).into())
        }
        None => Ok(()),
    }
}

/// Writes a file atomically.
pub(crate) fn to_file(file: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let said = |error: &_| format!("{} could not be written: {}", file.display(), reason(error));
    folder::write_atomic(file, bytes).map_err(|error| said(&error).into())
}

/// JSON for people and programs, indented; characters that a terminal would obey are escaped.
pub(crate) fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, CliError> {
    json_pretty(value).map_err(|error| CliError::new(error.to_string()))
}

/// A value as JSON in one line, without a line break.
pub(crate) fn json_line<T: Serialize + ?Sized>(value: &T) -> Result<String, CliError> {
    let line = report::json_line(value).map_err(|error| CliError::new(error.to_string()))?;
    Ok(line.trim_end().to_owned())
}

/// Prints the output of a subcommand and returns its exit status.
pub(crate) fn print(text: &str) -> Result<i32, CliError> {
    to_stdout(text, false).map(|_| crate::status::VALID)
}

/// Files contain colours only with `--color always`.
pub(crate) fn is_coloured(choice: ColorChoice, to_stdout: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            to_stdout && !stdout::is_redirected() && AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
        }
    }
}
