//! Sends the notifications of a publication, and pending ones of earlier publications.

use std::{path::Path, sync::Arc, time::Duration};

use resourcesync::{report::Lang, value::Uri};
use resourcesync_client::{folder::Generations, http::Client, notify::OUTBOX, publish};

use super::{Sending, folder, payloads};
use crate::{
    arguments::{self, Build, Plain, When},
    error::{CliError, note},
    interrupt::Interrupt,
    settings, status,
};

/// Creates a client for these URLs.
type MakeClient<'a> = &'a dyn Fn(&[String]) -> Result<Arc<Client>, CliError>;

/// The hubs of a publication.
pub(crate) struct Hubs<'a> {
    hubs: &'a arguments::Hubs,
    out: &'a Path,
    lang: Lang,
    interrupt: &'a Interrupt,
    /// Print nothing.
    quiet: bool,
    /// `None` without a hub: nothing is sent.
    client: Option<Arc<Client>>,
}

impl<'a> Hubs<'a> {
    /// Of a build. Options are validated here, before anything is read.
    pub(crate) fn new(arguments: &'a Build, interrupt: &'a Interrupt, quiet: bool) -> Result<Hubs<'a>, CliError> {
        let Build { hubs, http, out, .. } = arguments;
        let lang = arguments.printing.terminal.language.for_people();
        let is_continued = arguments.stated.changes(&arguments.resources).is_some() && !hubs.no_hub;
        let named = match hubs.hub.is_empty() && is_continued {
            true => publish::remembered_channels(out).map(|own| own.hubs).unwrap_or_default(),
            false => hubs.hub.clone(),
        };
        if named.is_empty() {
            settings::without_urls(http)?;
        }
        let client =
            |urls: &[String]| settings::client(http, &settings::Http::new(lang), None, urls, interrupt.cancel());
        Hubs::of((hubs, out, lang), &named, &client, interrupt, quiet)
    }

    /// Of any publication, with a client for the URLs of its hubs.
    pub(crate) fn of(
        (hubs, out, lang): (&'a arguments::Hubs, &'a Path, Lang),
        named: &[Uri],
        client: MakeClient<'_>,
        interrupt: &'a Interrupt,
        quiet: bool,
    ) -> Result<Hubs<'a>, CliError> {
        let own = Hubs { hubs, out, lang, interrupt, quiet, client: None };
        if named.is_empty() {
            return Ok(own);
        }
        // Earlier publications may have had other hubs.
        let waiting = folder(out, false, lang)?.map(|(_, outbox)| outbox);
        let waiting = waiting.iter().flat_map(|outbox| outbox.publisher().undelivered()).map(|left| left.delivery.hub);
        let urls: Vec<String> = named.iter().map(|hub| hub.as_str().to_owned()).chain(waiting).collect();
        Ok(Hubs { client: Some(client(&urls)?), ..own })
    }

    /// Sends the waiting payloads, with one attempt each, also those that a hub has refused before.
    pub(crate) fn send(&self) -> Result<i32, CliError> {
        let Hubs { hubs, out, lang, .. } = *self;
        if self.client.is_none() && !Generations::state_folder(out).is_ok_and(|state| state.join(OUTBOX).exists()) {
            return Ok(status::VALID);
        }
        let Some((_lock, mut outbox)) = folder(out, hubs.strict_hub, lang)? else { return Ok(status::VALID) };
        let again = format!("resourcesync notify {}", out.display());
        let Some(client) = self.client.as_ref().filter(|_| hubs.notify != When::Later) else {
            let waiting = outbox.publisher().waiting();
            if waiting > 0 && !self.quiet {
                let waiting = payloads(waiting as u64, lang);
                note(&match lang {
                    Lang::En => format!("{waiting} to send; `{again}` sends them\n"),
                    Lang::Ja => format!("{waiting}が未送信です（`{again}` で送信）\n"),
                });
            }
            return Ok(status::VALID);
        };
        let cancel = self.interrupt.cancel();
        let printed = (!self.quiet).then_some(Plain::Text);
        let sending = Sending { client, cancel, patience: Duration::ZERO, printed, lang, again: Some(&again) };
        let refused = outbox.publisher().undelivered().filter(|left| left.refused.is_some());
        let refused = refused.map(|left| left.delivery.payload).collect();
        sending.run(&mut outbox, refused)
    }
}
