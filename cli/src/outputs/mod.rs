//! Writes reports to their outputs, atomically.

mod escaped;
mod file;
mod output;
mod pair;
pub(crate) mod stdout;

use std::io::{self, Write};

use anstream::AutoStream;
use clap::ColorChoice;
use resourcesync::report::{self, json_pretty};
use resourcesync_client::reason;
use serde::Serialize;

pub(crate) use self::{
    escaped::Escaped,
    file::{check, check_inputs, to_file},
    output::Output,
    pair::pair,
    stdout::{Taken, open as open_stdout, redirected, write as to_stdout},
};
use crate::error::CliError;

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

/// Writes a line to standard output at once, from any thread. A reader that closed the pipe needs no more of it.
pub(crate) fn line(text: &str) -> Result<(), CliError> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output could not be written: {}", reason(&error)).into())
        }
        _ => Ok(()),
    }
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
