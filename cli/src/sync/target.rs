//! The Source and the folder that a command line names.

use std::path::Path;

use resourcesync_client::destination::{self, SyncError};

use crate::error::CliError;

/// The Source and the folder.
pub(super) fn target<'a>(
    targets: &'a [String],
    state: Option<&Path>,
    command: &str,
) -> Result<(String, &'a Path), CliError> {
    match targets {
        [uri, folder] => {
            if !uri.contains("://") {
                return Err(format!("`{uri}` is not a URI; expected: resourcesync {command} [URI] DIR").into());
            }
            Ok((uri.clone(), Path::new(folder)))
        }
        [folder] if folder.contains("://") => Err(format!("expected a folder: resourcesync {command} URI DIR").into()),
        [folder] => {
            let folder = Path::new(folder);
            let source = destination::source(folder, state)?;
            let missing = || format!("{} is no copy of a Source yet; name its URI", folder.display());
            Ok((source.ok_or_else(missing)?, folder))
        }
        _ => Err(format!("expected: resourcesync {command} [URI] DIR").into()),
    }
}

/// The URI and the folder of a copy whose state cannot be used, and why.
pub(super) fn damage<'a>(targets: &'a [String], state: Option<&Path>) -> Option<(Option<&'a str>, &'a Path, String)> {
    let (uri, folder) = match targets {
        [folder] => (None, Path::new(folder)),
        [uri, folder] => (Some(uri.as_str()), Path::new(folder)),
        _ => return None,
    };
    match destination::source(folder, state) {
        Err(SyncError::State(why)) => Some((uri, folder, why)),
        _ => None,
    }
}
