//! Files that are written atomically.

use std::path::{Path, PathBuf};

use resourcesync_client::{folder, reason};

use crate::error::CliError;

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
