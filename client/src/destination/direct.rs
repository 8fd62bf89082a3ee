//! Applies the changes of a notification at once, without reading lists. They are unconfirmed until a Change List has them: before that,
//! no run is in step.

use std::{path::Path, sync::Arc};

use resourcesync::model;
use resourcesync_sync::{
    destination::notified::{is_certain, last_changes},
    report::Report,
};

use super::{
    Event, Options, SyncError,
    binding::Binding,
    clock::{now, seconds},
    open::open,
    run::sync_opened,
};
use crate::{cancel::Cancel, folder::FolderError, http::Client};

/// Applies the changes of a Change Notification that continues what was applied or pulled before. `entries` are those of the notification,
/// in order, and `set` is the Capability List of its set.
///
/// `None` if only the lists of the Source show what to do; then nothing has changed. Otherwise the report has what was done. It is never
/// in step, because that takes a list; if something failed, the lists have to be read as well.
///
/// # Errors
///
/// As [`sync`](super::sync).
#[expect(clippy::too_many_arguments, reason = "those of a run, and the notification")]
pub fn apply(
    uri: &str,
    set: &str,
    entries: &[model::Entry],
    folder: &Path,
    client: &Arc<Client>,
    options: &Options,
    cancel: &Cancel,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Option<Report>, SyncError> {
    let Some(changes) = last_changes(entries) else { return Ok(None) };
    let started = now();
    let mut opened = match open(folder, options, cancel) {
        Err(SyncError::Folder(FolderError::Locked(_))) => return Ok(None),
        opened => opened?,
    };
    let is_bound = Binding::bound(&opened.ledger)?.is_some_and(|binding| binding.source == uri);
    if options.settings.dry_run
        || !is_bound
        || !is_certain(&changes, set, &options.settings(), seconds(), &opened.ledger)?
    {
        return Ok(None);
    }
    opened.notified = Some(changes);
    Ok(Some(sync_opened(opened, started, uri, client, options, cancel, on_event)?.0))
}
