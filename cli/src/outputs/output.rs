//! One report to write.

use std::{io::Write, path::PathBuf};

use resourcesync::report::{Format, Render};
use resourcesync_client::{batch::LargeReport, folder, reason};

use super::{
    file::{check, to_file},
    stdout::{self, Taken, write as to_stdout},
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
