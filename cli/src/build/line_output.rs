//! Buffered lines for standard output, since there may be one per resource.

use resourcesync::report::visible;

use crate::{
    error::CliError,
    outputs::{Taken, to_stdout},
};

const STRETCH: usize = 256 << 10;

/// Lines not written yet.
#[derive(Debug, Default)]
pub(super) struct LineOutput {
    text: String,
    said: bool,
    /// The reader closed the pipe.
    over: bool,
}

impl LineOutput {
    /// Writes a line; invisible characters are escaped.
    pub(super) fn line(&mut self, line: &str) -> Result<(), CliError> {
        self.exact(&visible(line))
    }

    /// Writes a line as it is.
    pub(super) fn exact(&mut self, line: &str) -> Result<(), CliError> {
        self.said = true;
        self.text.push_str(line);
        self.text.push('\n');
        if self.text.len() < STRETCH { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<(), CliError> {
        let text = std::mem::take(&mut self.text);
        if !self.over && !text.is_empty() {
            self.over = to_stdout(&text, false)? == Taken::Part;
        }
        Ok(())
    }

    /// Writes the rest; false if there was no output.
    pub(super) fn end(mut self) -> Result<bool, CliError> {
        self.flush()?;
        Ok(self.said)
    }
}
