//! Requests to Sources and hubs, several at a time.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc::Sender},
    thread,
    time::{Duration, Instant},
};

use resourcesync::{diagnostic::Reason, limits::Limits};
use resourcesync_client::{
    Cancel,
    http::{Client, Recordings},
    notify::perform,
};
use resourcesync_notify::{exchange::Outgoing, subscriber::Input};

use super::driver::Happened;
use crate::{
    arguments::{Listen, Servers},
    error::CliError,
    settings::{self, Http},
};

/// Maximum requests at a time.
const AT_A_TIME: usize = 8;
/// A client looks up each name once, and counts its requests.
const LIFE_OF_A_CLIENT: Duration = Duration::from_secs(60);

pub(super) struct Exchanges(Arc<Shared>);

struct Shared {
    servers: Servers,
    http: Http,
    urls: Vec<String>,
    cancel: Cancel,
    to: Sender<Happened>,
    work: Mutex<Work>,
}

#[derive(Default)]
struct Work {
    queue: VecDeque<(u64, Outgoing)>,
    threads: usize,
    client: Option<(Instant, Arc<Client>)>,
}

impl Exchanges {
    pub(super) fn new(arguments: &Listen, cancel: &Cancel, to: Sender<Happened>) -> Result<Exchanges, CliError> {
        let mut servers = arguments.servers.clone();
        // A Source chooses its hubs: they may be on any public host.
        servers.allow_host.push("*".to_owned());
        let mut http = Http::new(arguments.terminal.language.for_people());
        for (name, value) in &arguments.limit {
            let _ = http.limits.set(name, *value);
        }
        let urls = arguments.uris.iter().map(|uri| uri.as_str().to_owned()).collect();
        let shared = Shared { servers, http, urls, cancel: cancel.clone(), to, work: Mutex::default() };
        // Wrong options are reported at the start.
        shared.client()?;
        Ok(Exchanges(Arc::new(shared)))
    }

    /// Sends a request; its result is passed on.
    pub(super) fn send(&self, id: u64, request: Outgoing) {
        let mut work = self.0.work();
        work.queue.push_back((id, request));
        if work.threads < AT_A_TIME {
            let shared = self.0.clone();
            let begun = thread::Builder::new().name("exchange".to_owned()).spawn(move || shared.run());
            // Without a thread, one that exists sends it, or the next request begins one.
            work.threads = work.threads.saturating_add(usize::from(begun.is_ok()));
        }
    }

    /// True once a signal arrived.
    pub(super) fn is_cancelled(&self) -> bool {
        self.0.cancel.is_cancelled()
    }

    /// Ends all requests.
    pub(super) fn cancel(&self) {
        self.0.cancel.cancel();
    }
}

impl Shared {
    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn client(&self) -> Result<Arc<Client>, CliError> {
        let ratio = Limits::default().inflate_ratio;
        settings::client_with(&self.servers, Recordings::default(), &self.http, ratio, &self.urls, &self.cancel)
    }

    /// Sends requests until none is left.
    fn run(&self) {
        loop {
            let (next, client) = {
                let mut work = self.work();
                let Some(next) = work.queue.pop_front() else {
                    work.threads = work.threads.saturating_sub(1);
                    if work.threads == 0 {
                        work.client = None;
                    }
                    return;
                };
                let usable = work.client.as_ref().filter(|(made, _)| made.elapsed() < LIFE_OF_A_CLIENT);
                let client = match usable {
                    Some((_, client)) => Ok(client.clone()),
                    None => self.client(),
                };
                if let Ok(client) = &client
                    && usable.is_none()
                {
                    work.client = Some((Instant::now(), client.clone()));
                }
                (next, client)
            };
            let (id, request) = next;
            let answer = match client {
                Ok(client) => perform(&client, &request),
                Err(error) => Err(Reason::other(error.to_string())),
            };
            let _ = self.to.send(Happened::Exchanged(match answer {
                Ok(answer) => Input::Answered { id, answer },
                Err(reason) => Input::Failed { id, reason },
            }));
        }
    }
}
