//! `resourcesync notify`: sends the pending notifications of a published folder, or existing notification documents.

mod after_build;
mod documents;
mod send;

use std::path::Path;

use resourcesync::report::Lang;
use resourcesync_client::{
    folder::{FolderError, Generations},
    notify::{self, Break, OUTBOX, Options, Outbox, OutboxError},
    publish,
};
use serde_json::json;

pub(crate) use self::after_build::Hubs;
use self::send::{Sending, broken, payloads};
use crate::{
    arguments::{Notify, Plain},
    error::CliError,
    interrupt::Interrupt,
    outputs::{json, print},
    settings, status,
};

/// Runs it.
pub(crate) fn run(arguments: &Notify) -> Result<i32, CliError> {
    if !arguments.hub.is_empty() {
        return documents::run(arguments);
    }
    let [out] = arguments.paths.as_slice() else {
        return Err("one published folder at a time; for documents made elsewhere name --hub and --topic".into());
    };
    let lang = arguments.printing.terminal.language.for_people();
    let Some((_lock, mut outbox)) = folder(out, arguments.strict_hub, lang)? else {
        return Err(format!("{} was not published by `resourcesync build`", out.display()).into());
    };
    let terminal = &arguments.printing.terminal;
    let quiet = terminal.quiet;
    if arguments.discard {
        let count = outbox.discard()?;
        return match arguments.format {
            Plain::Json => print(&json(&json!({ "discarded": count }))?),
            Plain::Text if quiet => Ok(status::VALID),
            Plain::Text => print(&match lang {
                Lang::En => format!("dropped {}\n", payloads(count, lang)),
                Lang::Ja => format!("{}を破棄しました\n", payloads(count, lang)),
            }),
        };
    }
    let hubs: Vec<String> = outbox.publisher().undelivered().map(|left| left.delivery.hub).collect();
    if hubs.is_empty() {
        return match arguments.format {
            Plain::Json => print(&json(&json!({ "accepted": [], "pending": [], "refused": false }))?),
            Plain::Text if quiet => Ok(status::VALID),
            Plain::Text => print(match lang {
                Lang::En => "nothing waits\n",
                Lang::Ja => "未送信の通知はありません\n",
            }),
        };
    }
    let interrupt = Interrupt::listen();
    let client = settings::client(&arguments.http, &settings::Http::new(lang), None, &hubs, interrupt.cancel())?;
    let again = format!("resourcesync notify {}", out.display());
    let printed = Some(arguments.format).filter(|format| !quiet || *format == Plain::Json);
    let (client, cancel, patience) = (&*client, interrupt.cancel(), arguments.patience);
    let sending = Sending { client, cancel, patience, printed, lang, again: Some(&again) };
    // The user expects that everything is tried now, including payloads refused by a hub.
    let afresh = outbox.publisher().undelivered().map(|left| left.delivery.payload).collect();
    sending.run(&mut outbox, afresh)
}

/// The outbox of a published folder, which is locked, including the payloads of a run that was killed before it added them. `None` if
/// the folder was not published.
fn folder(out: &Path, strict_hub: bool, lang: Lang) -> Result<Option<(Generations, Outbox)>, CliError> {
    match Generations::is_published(out) {
        Ok(true) => {}
        Ok(false) | Err(FolderError::NotOurs(_)) => return Ok(None),
        Err(error) => return Err(publish::Error::Folder(error).into()),
    }
    // This neither publishes nor removes a generation.
    let generations = Generations::open(out, u64::MAX).map_err(publish::Error::Folder)?;
    let mut options = Options::default();
    options.strict_hub = strict_hub;
    let mut outbox = Outbox::open(generations.state(OUTBOX), options)?;
    if let Some(current) = generations.current() {
        for Break { expected, from, .. } in notify::take(&mut outbox, &current)? {
            broken(&expected, &from, lang);
        }
    }
    Ok(Some((generations, outbox)))
}

impl From<OutboxError> for CliError {
    fn from(error: OutboxError) -> CliError {
        CliError::new(error.to_string())
    }
}
