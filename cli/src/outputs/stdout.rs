//! Writes to standard output.

use std::io::{self, BufWriter, Write};

use anstream::AutoStream;

use resourcesync_client::reason;

use crate::error::CliError;

/// The result of writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    /// Everything was written.
    Whole,
    /// The reader closed the pipe, as `head` does, which is not an error.
    Part,
}

/// Writes the whole text, with colours that also work in old consoles.
pub(crate) fn write(text: &str, color: bool) -> Result<Taken, CliError> {
    let stdout = io::stdout().lock();
    let outcome = if color { put(AutoStream::always(stdout), text) } else { put(stdout, text) };
    match outcome {
        Ok(()) => Ok(Taken::Whole),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Taken::Part),
        Err(error) => Err(format!("standard output could not be written: {}", reason(&error)).into()),
    }
}

/// Writes piece by piece, with colours that also work in old consoles.
pub(crate) fn stream(fill: &dyn Fn(&mut dyn Write) -> io::Result<()>, color: bool) -> Result<(), CliError> {
    let stdout = io::stdout().lock();
    let stdout: Box<dyn Write> = if color { Box::new(AutoStream::always(stdout)) } else { Box::new(stdout) };
    let mut out = BufWriter::new(stdout);
    match fill(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output could not be written: {}", reason(&error)).into())
        }
        _ => Ok(()),
    }
}

fn put(mut stream: impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}
