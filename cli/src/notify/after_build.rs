//! Sends the notifications of a build, and pending ones of earlier builds.

use std::{sync::Arc, time::Duration};

use resourcesync::report::Lang;
use resourcesync_client::{http::Client, publish};

use super::{Sending, folder, payloads};
use crate::{
    arguments::{Build, Plain, When},
    error::{CliError, note},
    interrupt::Interrupt,
    settings, status,
};

/// The hubs of a build.
pub(crate) struct Hubs<'a> {
    arguments: &'a Build,
    interrupt: &'a Interrupt,
    /// Print nothing.
    quiet: bool,
    /// `None` without a hub: nothing is sent.
    client: Option<Arc<Client>>,
}

impl<'a> Hubs<'a> {
    /// Options are validated here, before anything is read.
    pub(crate) fn new(arguments: &'a Build, interrupt: &'a Interrupt, quiet: bool) -> Result<Hubs<'a>, CliError> {
        let Build { hubs, http, out, .. } = arguments;
        let lang = arguments.printing.terminal.language.for_people();
        let is_continued = arguments.stated.changes(&arguments.resources).is_some() && !hubs.no_hub;
        let named = match hubs.hub.is_empty() && is_continued {
            true => publish::remembered_hubs(out),
            false => hubs.hub.clone(),
        };
        if named.is_empty() {
            settings::without_urls(http)?;
            return Ok(Hubs { arguments, interrupt, quiet, client: None });
        }
        // Earlier builds may have had other hubs.
        let waiting = folder(out, false, lang)?.map(|(_, outbox)| outbox);
        let waiting = waiting.iter().flat_map(|outbox| outbox.publisher().undelivered()).map(|left| left.delivery.hub);
        let urls: Vec<String> = named.iter().map(|hub| hub.as_str().to_owned()).chain(waiting).collect();
        let client = settings::client(http, &settings::Http::new(lang), None, &urls, interrupt.cancel())?;
        Ok(Hubs { arguments, interrupt, quiet, client: Some(client) })
    }

    /// Sends the waiting payloads, with one attempt each.
    pub(crate) fn send(&self) -> Result<i32, CliError> {
        let Build { hubs, out, .. } = self.arguments;
        let lang = self.arguments.printing.terminal.language.for_people();
        let Some(client) = &self.client else { return Ok(status::VALID) };
        let Some((_lock, mut outbox)) = folder(out, hubs.strict_hub, lang)? else { return Ok(status::VALID) };
        let again = format!("resourcesync notify {}", out.display());
        if hubs.notify == When::Later {
            let waiting = outbox.publisher().waiting();
            if waiting > 0 && !self.quiet {
                let waiting = payloads(waiting as u64, lang);
                note(&match lang {
                    Lang::En => format!("{waiting} to send; `{again}` sends them\n"),
                    Lang::Ja => format!("{waiting}が未送信です（`{again}` で送信）\n"),
                });
            }
            return Ok(status::VALID);
        }
        let cancel = self.interrupt.cancel();
        let printed = (!self.quiet).then_some(Plain::Text);
        let sending = Sending { client, cancel, patience: Duration::ZERO, printed, lang, again: Some(&again) };
        sending.run(&mut outbox, Vec::new())
    }
}
