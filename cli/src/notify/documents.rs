//! Sends existing notification documents.

use std::{fs, io, io::Read, path::Path};

use resourcesync::report::Lang;
use resourcesync_client::{notify::Outbox, reason};
use resourcesync_notify::{
    payload::{Channel, Payload},
    publisher::Options,
    topic::Topic,
};

use super::Sending;
use crate::{
    arguments::{Notify, Plain},
    error::{CliError, finding, note},
    interrupt::Interrupt,
    settings, status,
};

/// Runs it. Nothing is sent unless every document is valid.
pub(super) fn run(arguments: &Notify) -> Result<i32, CliError> {
    let interrupt = Interrupt::listen();
    let lang = arguments.printing.terminal.language.for_people();
    let hubs: Vec<String> = arguments.hub.iter().map(|hub| hub.as_str().to_owned()).collect();
    let client = settings::client(&arguments.http, &settings::Http::new(lang), None, &hubs, interrupt.cancel())?;
    let uri = arguments.topic.as_ref().map(|topic| topic.as_str().to_owned()).unwrap_or_default();
    let topic = Topic { uri, hubs, capability_list: None };
    let mut options = Options::default();
    options.strict_hub = arguments.strict_hub;
    let mut outbox = Outbox::in_memory(options);
    let mut is_valid = true;
    for path in &arguments.paths {
        match document(path, arguments.kind, lang)? {
            Some(payload) => drop(outbox.take("", topic.clone(), payload)?),
            None => is_valid = false,
        }
    }
    if !is_valid {
        note(match lang {
            Lang::En => "nothing was sent\n",
            Lang::Ja => "何も送信していません\n",
        });
        return Ok(status::FOUND);
    }
    let (format, quiet) = (arguments.format, arguments.printing.terminal.quiet);
    let printed = Some(format).filter(|format| !quiet || *format == Plain::Json);
    let (client, cancel, patience) = (&*client, interrupt.cancel(), arguments.patience);
    let sending = Sending { client, cancel, patience, printed, lang, again: None };
    sending.run(&mut outbox, Vec::new())
}

/// Reads a document; `None` if it is not valid.
fn document(path: &Path, kind: Channel, lang: Lang) -> Result<Option<Payload>, CliError> {
    let mut bytes = Vec::new();
    let read = match path.to_str() {
        Some("-") => io::stdin().lock().read_to_end(&mut bytes).map(|_| ()),
        _ => fs::read(path).map(|read| bytes = read),
    };
    read.map_err(|error| format!("{} could not be read: {}", path.display(), reason(&error)))?;
    Ok(match Payload::read(bytes, kind) {
        Ok(payload) => Some(payload),
        Err(rejected) => {
            for found in &rejected.report.diagnostics {
                let words = format!("{}: {}", path.display(), found.message_in(lang));
                finding(found.severity, &found.code, &words, lang);
            }
            None
        }
    })
}
