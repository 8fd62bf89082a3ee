//! `resourcesync notify`: sends the pending notifications of a published folder, or existing notification documents.

mod after_build;
mod documents;
mod send;

use std::path::Path;

use resourcesync_client::{
    folder::Generations,
    notify::{self, Break, OUTBOX, Options, Outbox, OutboxError},
    publish,
};

pub(crate) use self::after_build::Hubs;
use self::send::{Sending, broken, payloads};
use crate::{arguments::Notify, error::CliError, interrupt::Interrupt, outputs::print, settings, status};

/// Runs it.
pub(crate) fn run(arguments: &Notify) -> Result<i32, CliError> {
    if !arguments.hub.is_empty() {
        return documents::run(arguments);
    }
    let [out] = arguments.paths.as_slice() else {
        return Err("one published folder at a time; for documents made elsewhere name --hub and --topic".into());
    };
    let Some((_lock, mut outbox)) = folder(out, arguments.strict_hub)? else {
        return Err(format!("{} was not published by `resourcesync build`", out.display()).into());
    };
    if arguments.discard {
        let count = outbox.discard()?;
        return if arguments.quiet { Ok(status::VALID) } else { print(&format!("dropped {}\n", payloads(count))) };
    }
    let hubs: Vec<String> = outbox.publisher().undelivered().map(|left| left.delivery.hub).collect();
    if hubs.is_empty() {
        return if arguments.quiet { Ok(status::VALID) } else { print("nothing waits\n") };
    }
    let interrupt = Interrupt::listen();
    let client = settings::client(&arguments.http, &settings::Http::default(), None, &hubs, interrupt.cancel())?;
    let again = format!("resourcesync notify {}", out.display());
    let (patience, quiet) = (arguments.patience, arguments.quiet);
    let sending = Sending { client: &client, cancel: interrupt.cancel(), patience, quiet, again: Some(&again) };
    // The user expects that everything is tried now, including payloads refused by a hub.
    let afresh = outbox.publisher().undelivered().map(|left| left.delivery.payload).collect();
    sending.run(&mut outbox, afresh)
}

/// The outbox of a published folder, which is locked, including the payloads of a run that was killed before it added them. `None` if
/// the folder was not published.
fn folder(out: &Path, strict_hub: bool) -> Result<Option<(Generations, Outbox)>, CliError> {
    if !Generations::is_published(out).map_err(publish::Error::Folder)? {
        return Ok(None);
    }
    // This neither publishes nor removes a generation.
    let generations = Generations::open(out, u64::MAX).map_err(publish::Error::Folder)?;
    let mut options = Options::default();
    options.strict_hub = strict_hub;
    let mut outbox = Outbox::open(generations.state(OUTBOX), options)?;
    if let Some(current) = generations.current() {
        for Break { expected, from, .. } in notify::take(&mut outbox, &current)? {
            broken(&expected, &from);
        }
    }
    Ok(Some((generations, outbox)))
}

impl From<OutboxError> for CliError {
    fn from(error: OutboxError) -> CliError {
        CliError::new(error.to_string())
    }
}
