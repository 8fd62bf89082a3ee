//! Where a copy keeps its bytes: in its folder, or in the object store of `--copies`.

use std::path::Path;

use resourcesync_client::{
    destination::{self, Keep, SyncError},
    http::Client,
};

use crate::error::CliError;

/// The place that the user names, or else that of the first run.
pub(super) fn keep(
    named: Option<&str>,
    folder: &Path,
    state: Option<&Path>,
    client: &Client,
) -> Result<Keep, CliError> {
    let recorded = match destination::kept_at(folder, state) {
        // What it is a copy of is reported where it is used.
        Err(SyncError::State(_)) => None,
        recorded => recorded?,
    };
    match named.or(recorded.as_deref()) {
        Some(uri) => open(uri, folder, client),
        None => Ok(Keep::Folder),
    }
}

#[cfg(feature = "objects")]
fn open(uri: &str, folder: &Path, client: &Client) -> Result<Keep, CliError> {
    let objects = resourcesync_client::objects::open(uri, &folder.join(".resourcesync"), client);
    Ok(Keep::named(uri, objects.map_err(|error| format!("--copies: {error}"))?))
}

#[cfg(not(feature = "objects"))]
fn open(uri: &str, _: &Path, _: &Client) -> Result<Keep, CliError> {
    Err(format!("the bytes are at {uri}: this command was built without the feature `objects`").into())
}
