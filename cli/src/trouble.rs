//! What keeps the command from doing its work, said on the standard error.

use std::{fmt, io, io::Write};

use resourcesync::report::visible;

use crate::status;

/// One line for the user; the command ends with status 2.
#[derive(Debug)]
pub(crate) struct Trouble(String);

impl Trouble {
    /// A trouble in these words.
    pub(crate) fn new(words: impl Into<String>) -> Trouble {
        Trouble(words.into())
    }

    /// Says it and gives the exit status.
    pub(crate) fn say(&self) -> i32 {
        complain(&self.0);
        status::UNSURE
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<T: Into<String>> From<T> for Trouble {
    fn from(words: T) -> Trouble {
        Trouble(words.into())
    }
}

/// Writes an error line.
pub(crate) fn complain(words: &str) {
    line("error", words);
}

/// Writes a warning line.
pub(crate) fn warn(words: &str) {
    line("warning", words);
}

/// Writes what is neither, whole lines.
pub(crate) fn note(text: &str) {
    let _ = write!(io::stderr(), "{text}");
}

/// Writes a finding in one line.
pub(crate) fn finding(severity: &str, code: &str, words: &str) {
    line(&format!("{severity}[{code}]"), words);
}

fn line(what: &str, words: &str) {
    // If even the standard error is gone there is nobody to tell.
    let _ = writeln!(io::stderr(), "{what}: {}", lines(words));
}

/// Visible text whose line breaks stay.
fn lines(words: &str) -> String {
    words.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// Answers what clap could not or need not parse: help and version, or a complaint.
pub(crate) fn usage(error: &clap::Error) -> i32 {
    let status = error.exit_code();
    if !error.use_stderr() {
        return match error.print() {
            Ok(()) => status,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => status,
            Err(error) => Trouble::new(format!("the standard output could not be written: {}", reason(&error))).say(),
        };
    }
    // The complaint repeats arguments, and `*` may have put hostile file names among them.
    let _ = write!(io::stderr(), "{}", lines(&error.render().to_string()));
    status
}

/// Why the system refused, in words that are the same on every platform where they can be.
pub(crate) fn reason(error: &io::Error) -> String {
    let words = match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::IsADirectory => "it is a folder",
        io::ErrorKind::NotADirectory => "a part of the path is not a folder",
        io::ErrorKind::StorageFull => "no space left on the device",
        io::ErrorKind::QuotaExceeded => "the disk quota is used up",
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        io::ErrorKind::InvalidFilename => "not a possible file name",
        _ => {
            let text = error.to_string();
            return match text.rfind(" (os error ") {
                Some(end) => text.get(..end).unwrap_or(&text).to_owned(),
                None => text,
            };
        }
    };
    words.to_owned()
}
