//! What the driver of a listener needs from the command: its clients, its copy and consumer, and the output.

use std::{sync::Arc, time::Duration};

use resourcesync::{limits::Limits, report::Lang, value::Uri};
use resourcesync_client::{
    Cancel,
    destination::Options,
    http::Recordings,
    listen::{Clients, Consumer, Copy, DriverEvent, Face, Purpose, Shown},
};
use resourcesync_notify::{moment::Timestamp, subscriber::Output};
use resourcesync_server::listen::{CallbackServer, Happening};

use super::{
    event::{self, Event},
    text,
};
use crate::{
    arguments::{Listen, ListenFormat},
    error::{CliError, report_error, warn},
    settings::{self, Http},
    sync::limits,
};

/// How long to wait for another run on the folder.
const LOCKED: Duration = Duration::from_secs(3_600);
/// Items in the report of a run.
const LISTED: usize = 100;

/// The terminal, and the server of the callbacks.
pub(super) struct Terminal {
    format: ListenFormat,
    quiet: bool,
    lang: Lang,
    server: CallbackServer,
}

impl Terminal {
    pub(super) fn new(arguments: &Listen, server: CallbackServer) -> Terminal {
        let Listen { format, terminal, .. } = arguments;
        let terminal =
            Terminal { format: *format, quiet: terminal.quiet, lang: terminal.language.for_people(), server };
        terminal.print(&event::listening(terminal.server.address()));
        terminal
    }

    fn print(&self, event: &Event) {
        if !self.quiet {
            event::print_event(event, self.format, self.lang);
        }
    }
}

impl Face for Terminal {
    fn event(&self, output: &Output, at: Timestamp) -> Option<String> {
        Event::of(output, at, true)?.line()
    }

    fn show(&mut self, shown: Shown<'_>, at: Timestamp) {
        match shown {
            Shown::Output(output) => Event::of(output, at, false).iter().for_each(|event| self.print(event)),
            Shown::Synced(why, report) => self.print(&event::pulled(why, report, at)),
            Shown::Applied(report) => self.print(&event::applied(report, at)),
            Shown::NotConsumed(error) => warn(&text::not_consumed(error, self.lang), self.lang),
            Shown::Failed(why) => report_error(why),
        }
    }

    fn close(&mut self) {
        self.server.close();
    }
}

/// The event of the driver for one of the server.
pub(super) fn driver_event(happening: Happening) -> DriverEvent {
    match happening {
        Happening::Stop => DriverEvent::Stop,
        Happening::Arrived(arrival) => {
            let (request, responder) = arrival.take();
            let respond = |reply| match reply {
                Some(reply) => responder.reply(reply),
                None => responder.unavailable(),
            };
            DriverEvent::Arrived(request, Box::new(respond))
        }
    }
}

pub(super) fn consumer(arguments: &Listen) -> Option<Consumer> {
    let Listen { exec, exec_arg, exec_timeout, log, .. } = arguments;
    let program = |program| Consumer::Program { program, arguments: exec_arg.clone(), most: *exec_timeout };
    exec.clone().map(program).or(log.clone().map(Consumer::File))
}

pub(super) fn copy(arguments: &Listen) -> Result<Option<Copy>, CliError> {
    let mut settings = arguments.copy.settings()?;
    settings.selection = arguments.selected.settings()?.selection;
    settings.wait = LOCKED;
    settings.max_listed = LISTED;
    settings.reading.limits = limits(&arguments.limit, Lang::En).0;
    let options = Options { settings, state: arguments.state.clone(), ..Options::default() };
    let uri = arguments.uris.first().map(ToString::to_string).unwrap_or_default();
    Ok(arguments.sync.clone().map(|folder| Copy { uri, folder, options }))
}

pub(super) fn clients(arguments: &Listen, cancel: &Cancel) -> Clients {
    let lang = arguments.terminal.language.for_people();
    let (core, copy) = limits(&arguments.limit, lang);
    let exchanges = Http { limits: copy.limits.clone(), ..Http::new(lang) };
    let (uris, servers, cancel) = (arguments.uris.clone(), arguments.servers.clone(), cancel.clone());
    Arc::new(move |purpose| {
        let mut servers = servers.clone();
        let (http, ratio) = match purpose {
            Purpose::Exchanges => {
                servers.allow_host.push("*".to_owned());
                (&exchanges, Limits::default().inflate_ratio)
            }
            Purpose::Copy { is_retry } => {
                let origin = uris.first().filter(|_| is_retry).and_then(origin);
                servers.header.extend(origin.map(|origin| format!("{origin}=Cache-Control:no-cache")));
                (&copy, core.inflate_ratio)
            }
        };
        let urls: Vec<String> = uris.iter().map(|uri| uri.as_str().to_owned()).collect();
        let client = settings::client_with(&servers, Recordings::default(), http, ratio, &urls, &cancel);
        client.map_err(|error| error.to_string())
    })
}

/// The origin of a URI.
fn origin(uri: &Uri) -> Option<String> {
    let text = uri.as_str();
    let start = text.find("://")?.checked_add(3)?;
    let end = text.get(start..)?.find(['/', '?', '#']).map_or(text.len(), |at| start.saturating_add(at));
    text.get(..end).map(str::to_owned)
}
