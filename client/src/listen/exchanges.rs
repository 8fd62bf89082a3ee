//! Requests to Sources and hubs, several at a time.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc::Sender},
    thread,
    time::{Duration, Instant},
};

use resourcesync::diagnostic::Reason;
use resourcesync_notify::{exchange::Outgoing, listener::Input};

use super::messages::{Clients, DriverEvent, Purpose};
use crate::{http::Client, notify::perform};

/// Maximum requests at a time.
const AT_A_TIME: usize = 8;
/// A client looks up each name once, and counts its requests.
const LIFE_OF_A_CLIENT: Duration = Duration::from_secs(60);

pub(super) struct Exchanges(Arc<Shared>);

struct Shared {
    clients: Clients,
    to: Sender<DriverEvent>,
    work: Mutex<Work>,
}

#[derive(Default)]
struct Work {
    queue: VecDeque<(u64, Outgoing)>,
    threads: usize,
    client: Option<(Instant, Arc<Client>)>,
}

impl Exchanges {
    pub(super) fn new(clients: Clients, to: Sender<DriverEvent>) -> Exchanges {
        Exchanges(Arc::new(Shared { clients, to, work: Mutex::default() }))
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
}

impl Shared {
    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
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
                    None => (self.clients)(Purpose::Exchanges),
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
                Err(error) => Err(Reason::other(error)),
            };
            let _ = self.to.send(DriverEvent::Exchanged(match answer {
                Ok(answer) => Input::Answered { id, answer },
                Err(reason) => Input::Failed { id, reason },
            }));
        }
    }
}
