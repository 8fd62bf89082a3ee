//! A copy in memory: the smallest driver of a [`Destination`], for programs of one process and for tests.

mod bytes;
mod unpack;

use alloc::{borrow::ToOwned, collections::BTreeMap, string::String, vec::Vec};
use core::time::Duration;

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    model,
};

pub(crate) use self::unpack::manifest;
use self::{
    bytes::{decoded, is_listed, staged},
    unpack::{Supplied, unpack},
};

use crate::{
    change::Change,
    destination::{
        Binding, Destination, Files, Input, Now, Occupant, Output, Placed, Settings, Task, Transferred, Version,
        notified::{is_certain, last_changes},
    },
    ledger::{Ledger, Memory, Resources, StoredResource},
    listed_resource::ListedResource,
    place::{Layout, Places},
    report::{BytesFrom, Origin, Report, StoredCounts},
    stored_state::{Local, StoredState},
    survey::{self, Step},
    transfer::{self, Body, Ending, Failure, Transfer},
};

/// A response to a request.
#[derive(Debug, Clone, Default)]
pub struct Response {
    /// Its status.
    pub status: u16,
    /// Its header fields.
    pub headers: Vec<(String, String)>,
    /// Its body, as sent.
    pub body: Vec<u8>,
    /// True if the connection broke off before the end of the body.
    pub is_cut: bool,
}

/// Responds to a request for a URI with these header fields; `None` if there is no connection.
pub type Respond<'r> = &'r mut dyn FnMut(&str, &[(String, String)]) -> Option<Response>;

/// A copy of a Source in memory.
#[derive(Debug)]
pub struct MemoryCopy {
    binding: Binding,
    /// What it knows.
    pub ledger: Memory,
    /// The resources, by URI.
    pub bodies: BTreeMap<String, Vec<u8>>,
    /// The versions that are kept, by memento and digests.
    pub history: BTreeMap<(String, Option<String>), Vec<u8>>,
}

/// Bodies are never in the way of each other, and nobody else changes them.
impl<L: Ledger> Files<L> for BTreeMap<String, Vec<u8>> {
    fn compare(&mut self, _: &str, stored: &StoredResource) -> Result<Local, L::Error> {
        Ok(match self.get(&stored.uri) {
            None => Local::Missing,
            Some(body) if body.len() as u64 == stored.state.size => Local::Intact,
            Some(_) => Local::Changed,
        })
    }

    fn look(&mut self, _: &str, _: &L) -> Result<Occupant, L::Error> {
        Ok(Occupant::Evaded)
    }
}

impl MemoryCopy {
    /// An empty copy of a Source.
    pub fn new(uri: &str) -> MemoryCopy {
        let places = Places::new(Layout::default(), uri);
        let binding = Binding { uri: uri.to_owned(), sets: Vec::new(), places };
        MemoryCopy { binding, ledger: Memory::default(), bodies: BTreeMap::new(), history: BTreeMap::new() }
    }

    /// Makes the copy hold what the Source lists. `now` is in seconds since 1970.
    pub fn sync(&mut self, settings: Settings, now: i64, respond: Respond<'_>) -> Report {
        self.run(settings, None, now, respond)
    }

    /// Applies the entries of a Change Notification that continues what was applied or pulled before. `set` is the Capability List of its
    /// set. `None` if only the lists of the Source show what to do; then nothing has changed.
    pub fn apply(
        &mut self,
        set: &str,
        entries: &[model::Entry],
        settings: Settings,
        now: i64,
        respond: Respond<'_>,
    ) -> Option<Report> {
        let changes = last_changes(entries)?;
        let Ok(is_certain) = is_certain(&changes, set, &settings, now, &self.ledger);
        is_certain.then(|| self.run(settings, Some(changes), now, respond))
    }

    fn run(&mut self, settings: Settings, notified: Option<Vec<Change>>, now: i64, respond: Respond<'_>) -> Report {
        let run = self.ledger.begin_run();
        let stored = self.bodies.len() as u64;
        let mut machine = Destination::new(self.binding.clone(), settings, run, String::new(), stored);
        if let Some(changes) = notified {
            machine = machine.applying(changes);
        }
        let now = Now { seconds: now, elapsed: Duration::ZERO, is_cancelled: false };
        loop {
            let input = match machine.poll() {
                Output::Recover => Input::Recovered { stored, conflicts: 0 },
                Output::Read => {
                    self.read(&mut machine, respond);
                    Input::Read { is_late: false }
                }
                Output::Unpack(_) => {
                    self.unpack(&mut machine, now, run, respond);
                    Input::Unpacked
                }
                Output::Transfer(_) => {
                    self.transfer(&mut machine, now, run, respond);
                    Input::Transferred
                }
                Output::Remove => {
                    for stored in machine.due() {
                        self.bodies.remove(&stored.uri);
                        self.ledger.remove(&stored.uri);
                        machine.removed(&stored);
                    }
                    Input::Removed
                }
                Output::Done => break,
            };
            let Ok(()) = machine.handle(now, input, &mut self.ledger, &mut self.bodies);
            machine.tell(&mut |_| {});
        }
        machine.conclude("", &mut self.ledger, |error| match error {});
        let Ok((resources, bytes)) = self.ledger.totals();
        machine.into_report(StoredCounts { resources, bytes })
    }

    fn read(&mut self, machine: &mut Destination, respond: Respond<'_>) {
        while let Some(documents) = machine.documents()
            && let Step::Read(request) = documents.next()
        {
            let mut headers = Vec::new();
            let mut header = |name: &str, value: Option<String>| {
                headers.extend(value.map(|value| (name.to_owned(), value)));
            };
            header("if-none-match", request.etag.clone());
            header("if-modified-since", request.modified.clone());
            header("cache-control", request.no_cache.then(|| "no-cache".to_owned()));
            match respond(&request.uri, &headers) {
                None => documents.failed(Reason::new(ReasonCode::ConnectionClosed)),
                Some(Response { status, headers, body, is_cut }) => {
                    documents.answer(survey::Head { uri: request.uri.clone(), status, headers });
                    let read = match request.is_manifest && status == 200 {
                        true => manifest(&request, &body, &mut |bytes| documents.push(bytes)),
                        false => {
                            documents.push(&body);
                            Ok(())
                        }
                    };
                    match read {
                        _ if is_cut => documents.failed(Reason::new(ReasonCode::ConnectionClosed)),
                        Err(reason) => documents.failed(reason),
                        Ok(()) => documents.end(),
                    }
                }
            }
            let Ok(()) = machine.take(&mut self.ledger, &mut self.bodies);
        }
    }

    fn transfer(&mut self, machine: &mut Destination, now: Now, run: u64, respond: Respond<'_>) {
        while let Ok(Some(task)) = machine.next_task(now, false, &mut self.ledger, &mut self.bodies) {
            if task.is_version {
                let (transferred, body) = fetch(&task.resource, None, respond);
                let Ok(version) = machine.version_transferred(task.resource, transferred, &mut self.ledger);
                if let Some(Version { resource, from, .. }) = version {
                    self.history.insert((resource.loc.clone(), resource.hash.clone()), body);
                    self.ledger.keep_version(&resource);
                    machine.version_kept(&resource, resource.loc.clone(), from);
                }
                continue;
            }
            let own = self.bodies.get(&task.resource.uri);
            let (transferred, body) = perform(&task, own, &mut |mirror| machine.mirror_failed(mirror), respond);
            let Ok(placed) = machine.transferred(task, transferred, &mut self.ledger);
            self.place(machine, placed, body, run);
        }
    }

    fn unpack(&mut self, machine: &mut Destination, now: Now, run: u64, respond: Respond<'_>) {
        while let Ok(Some(package)) = machine.next_package(now, false, &self.ledger) {
            let (transferred, bytes) = fetch(&package.resource, None, respond);
            if !machine.received_package(&package, &transferred) {
                continue;
            }
            let (outcome, supplied) = unpack(&bytes, &package.resource.loc, &mut |verification| {
                let (mut tasks, package) = (BTreeMap::new(), package.confirmed(verification));
                for (index, member) in verification.listed_members() {
                    if let Ok(Some(task)) = machine.wanted(&package, member, &self.ledger, &mut self.bodies) {
                        tasks.entry(index).or_insert(task);
                    }
                }
                tasks
            });
            if !machine.is_sound(&package, &outcome) {
                continue;
            }
            for Supplied { task, transferred, body } in supplied {
                let Ok(placed) = machine.supplied(task, transferred, &mut self.ledger);
                self.place(machine, placed, body, run);
            }
        }
    }

    fn place(&mut self, machine: &mut Destination, placed: Option<Placed>, body: Vec<u8>, run: u64) {
        if let Some(Placed { stored, resource, from, .. }) = placed {
            self.bodies.insert(resource.uri.clone(), body);
            let is_update = stored.id != 0;
            self.ledger.store(stored, run);
            machine.placed(&resource, is_update, None, from);
        }
        machine.tell(&mut |_| {});
    }
}

/// Performs a task: the result, and the bytes. `own` are those that are stored.
fn perform(
    task: &Task,
    own: Option<&Vec<u8>>,
    mirror_failed: &mut dyn FnMut(&str),
    respond: Respond<'_>,
) -> (Transferred, Vec<u8>) {
    if task.compares_file && own.is_some_and(|own| is_listed(own, &task.resource)) {
        return (Transferred::Same, Vec::new());
    }
    for mirror in &task.mirrors {
        let copy = task.resource.at(mirror);
        let (transferred, body) = fetch(&copy, None, respond);
        if let Transferred::Staged { number, state, mtime, by, received, .. } = transferred {
            let from = Origin::at(BytesFrom::Mirror, mirror);
            return (Transferred::Staged { number, state, mtime, by, received, from }, body);
        }
        mirror_failed(mirror);
    }
    if task.avoids_loc {
        return (Transferred::Failed(Failure::without_mirror()), Vec::new());
    }
    let state = task.stored.as_ref().map(|stored| &stored.state).filter(|_| task.is_conditional);
    fetch(&task.resource, state, respond)
}

/// Fetches a resource: the result, and its bytes.
fn fetch(resource: &ListedResource, state: Option<&StoredState>, respond: Respond<'_>) -> (Transferred, Vec<u8>) {
    let nothing = |transferred| (transferred, Vec::new());
    let mut transfer = Transfer::new(resource, state);
    loop {
        let request = transfer.request();
        let mut headers = alloc::vec![("accept-encoding".to_owned(), request.accept_encoding)];
        let mut header =
            |name: &str, value: Option<String>| headers.extend(value.map(|value| (name.to_owned(), value)));
        header("if-none-match", request.etag);
        header("if-modified-since", request.modified);
        header("cache-control", request.no_cache.then(|| "no-cache".to_owned()));
        let Some(Response { status, headers, body, is_cut }) = respond(&request.uri, &headers) else {
            return nothing(outcome(transfer.failed(Reason::new(ReasonCode::ConnectionClosed), true)));
        };
        if (300..304).contains(&status) {
            return nothing(outcome(transfer.failed(Reason::new(ReasonCode::HttpStatus).arg("status", status), false)));
        }
        let field = |name: &str| {
            let field = headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
            field.map(|(_, value)| value.clone())
        };
        let does = transfer.answer(transfer::Head {
            status,
            etag: field("etag"),
            modified: field("last-modified"),
            date: field("date"),
            age: field("age"),
            content_encoding: field("content-encoding"),
            content_range: field("content-range"),
        });
        if does != Body::Ignore {
            transfer.push(&body);
            if is_cut {
                return nothing(outcome(transfer.failed(Reason::new(ReasonCode::ConnectionClosed), true)));
            }
        }
        return match transfer.end() {
            Ending::Again => continue,
            Ending::Verified(fixity) => match decoded(body, fixity.is_coded) {
                Ok(body) => {
                    let received = body.len() as u64;
                    (staged(fixity, resource, &body, transfer.origin(), received), body)
                }
                Err(reason) => nothing(outcome(Transfer::undecoded(reason))),
            },
            ending => nothing(outcome(ending)),
        };
    }
}

/// The result of a transfer without bytes.
fn outcome(ending: Ending) -> Transferred {
    match ending {
        Ending::Same => Transferred::Same,
        Ending::Deferred(seen) => Transferred::Deferred(seen),
        Ending::Failed(failure) => Transferred::Failed(failure),
        Ending::Again | Ending::Verified(_) => Transferred::Interrupted,
    }
}
