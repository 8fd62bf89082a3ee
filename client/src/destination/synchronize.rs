//! A run on a folder, in place or on its next generation.

use std::{path::Path, sync::Arc};

use resourcesync_sync::report::Report;

use super::{
    Event, Options, SyncError,
    clock::now,
    open::{check_is_copy, locked, open},
    run::sync_opened,
    whole,
};
use crate::{cancel::Cancel, folder::FolderError, http::Client};

/// Synchronizes a folder with a Source.
///
/// # Errors
///
/// If no run is possible: the folder or its state cannot be used, or it contains another copy. Later errors are in the report.
pub fn sync(
    uri: &str,
    folder: &Path,
    client: &Arc<Client>,
    options: &Options,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Report, SyncError> {
    check_is_copy(folder)?;
    if options.settings.placing.whole && !options.settings.dry_run {
        return whole::sync(uri, folder, client, options, cancel, on_event);
    }
    let started = now();
    match open(folder, options, cancel) {
        Err(SyncError::Folder(FolderError::Locked(_))) => Ok(locked(uri, folder, options, started)),
        opened => Ok(sync_opened(opened?, started, uri, client, options, cancel, on_event)?.0),
    }
}
