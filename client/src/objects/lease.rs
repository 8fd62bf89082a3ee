//! One run at a time on a place: an object that the run replaces, while it works, by conditional writes.

use std::{
    io,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use object_store::{
    Error, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, PutPayload, UpdateVersion, path::Path as Key,
};
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;

use super::error::failed;
use crate::destination::{Beginning, Latest};

/// The object.
pub(super) const NAME: &str = ".resourcesync/lease";
/// How long a run excludes others after it was last seen. Clocks of machines that share a place may differ by less.
const TIME: Duration = Duration::from_secs(600);

/// What the object says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Content {
    /// Differs for each state of the object, so that no two are equal.
    holder: String,
    /// Seconds since 1970.
    until: u64,
    /// The last run that changed what is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    changed_by: Option<String>,
    /// The run that saved the state which describes the place; `None` if that state is elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<String>,
}

impl Content {
    /// Which state describes the place, for one that knows these runs. Earlier versions name none.
    fn latest(&self, known: &[String]) -> Latest {
        let Content { changed_by: Some(changed_by), state, .. } = self else { return Latest::Known(None) };
        match [Some(changed_by), state.as_ref()].into_iter().flatten().find(|run| known.contains(run)) {
            Some(run) => Latest::Known(Some(run.clone())),
            None => state.clone().map_or(Latest::Elsewhere, Latest::Saved),
        }
    }
}

/// The lease of a run.
#[derive(Debug, Default)]
pub(super) struct Lease {
    held: Option<Held>,
}

#[derive(Debug)]
struct Held {
    version: UpdateVersion,
    since: Instant,
    /// The same by the clock of the system, which also counts while the machine sleeps.
    at: SystemTime,
    run: String,
    changed_by: Option<String>,
    state: Option<String>,
    renewals: u64,
}

impl Held {
    /// True if a third of the time of the lease is not over. A clock that was set back does not show it.
    fn is_recent(&self) -> bool {
        let is_short = |elapsed: Duration| elapsed < TIME / 3;
        is_short(self.since.elapsed()) && self.at.elapsed().is_ok_and(is_short)
    }

    /// The version of the object if this run wrote it: its last write may be stored although all its answers were lost.
    fn stored(&self, store: &dyn ObjectStore, key: &Key, runtime: &Runtime) -> io::Result<Option<UpdateVersion>> {
        match read(store, key, runtime) {
            Ok((found, version)) => {
                let holder = found.map(|found| found.holder).unwrap_or_default();
                let is_own =
                    holder.strip_prefix(&*self.run).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
                Ok(is_own.then_some(version))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes the object; `None` if another run has.
    fn write(
        &mut self,
        store: &dyn ObjectStore,
        key: &Key,
        runtime: &Runtime,
        until: u64,
    ) -> io::Result<Option<UpdateVersion>> {
        let content = self.next(until);
        let written = replace(store, key, runtime, &content, PutMode::Update(self.version.clone()))?;
        match written.is_none().then(|| self.stored(store, key, runtime)).transpose()?.flatten() {
            Some(version) => replace(store, key, runtime, &content, PutMode::Update(version)),
            None => Ok(written),
        }
    }

    /// What the object says next.
    fn next(&mut self, until: u64) -> Content {
        self.renewals = self.renewals.saturating_add(1);
        let holder = format!("{}-{}", self.run, self.renewals);
        Content { holder, until, changed_by: self.changed_by.clone(), state: self.state.clone() }
    }
}

impl Lease {
    /// Takes the lease, if the run has the state that describes the place; [`io::ErrorKind::WouldBlock`] if another run has it.
    pub(super) fn take(
        &mut self,
        store: &dyn ObjectStore,
        key: &Key,
        runtime: &Runtime,
        run: &Beginning<'_>,
    ) -> io::Result<Latest> {
        let mut content = Content { holder: run.run.to_owned(), until: end(), ..Content::default() };
        let (before, version) = match read(store, key, runtime) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let version = replace(store, key, runtime, &content, PutMode::Create)?.ok_or_else(taken)?;
                let version = probe(store, key, runtime, &content, version)?;
                return Ok(self.hold(version, content, Latest::Known(None)));
            }
            read => read?,
        };
        let before = before.unwrap_or_default();
        if before.until > now() {
            return Err(taken());
        }
        let latest = if run.takes_over { Latest::Known(None) } else { before.latest(run.known) };
        if !matches!(latest, Latest::Known(_)) {
            return Ok(latest);
        }
        (content.changed_by, content.state) = match run.takes_over {
            true => (Some(run.run.to_owned()), None),
            false => (before.changed_by, before.state),
        };
        let version = replace(store, key, runtime, &content, PutMode::Update(version))?.ok_or_else(taken)?;
        Ok(self.hold(version, content, latest))
    }

    fn hold(&mut self, version: UpdateVersion, content: Content, latest: Latest) -> Latest {
        let Content { holder: run, changed_by, state, .. } = content;
        self.held =
            Some(Held { version, since: Instant::now(), at: SystemTime::now(), run, changed_by, state, renewals: 0 });
        latest
    }

    /// Which state describes the place, for one that knows these runs.
    pub(super) fn latest(
        store: &dyn ObjectStore,
        key: &Key,
        runtime: &Runtime,
        known: &[String],
    ) -> io::Result<Latest> {
        match read(store, key, runtime) {
            Ok((content, _)) => {
                let content = content.unwrap_or_default();
                match content.latest(known) {
                    latest @ Latest::Known(_) => Ok(latest),
                    // What it leaves is not known before its end.
                    _ if content.until > now() => Err(taken()),
                    latest => Ok(latest),
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Latest::Known(None)),
            Err(error) => Err(error),
        }
    }

    /// The run that has the lease, and the one whose saved state describes the place.
    pub(super) fn runs(&self) -> io::Result<(&str, Option<&str>)> {
        self.held.as_ref().map(|held| (&*held.run, held.state.as_deref())).ok_or_else(not_begun)
    }

    /// Renews the lease when a third of its time is over. Fails if another run has taken it.
    pub(super) fn renew(&mut self, store: &dyn ObjectStore, key: &Key, runtime: &Runtime) -> io::Result<()> {
        match &self.held {
            Some(held) if held.is_recent() => Ok(()),
            _ => self.write(store, key, runtime),
        }
    }

    /// The same before anything is changed in the place: then only the state of this run describes it.
    pub(super) fn before_change(&mut self, store: &dyn ObjectStore, key: &Key, runtime: &Runtime) -> io::Result<()> {
        let held = self.held.as_mut().ok_or_else(not_begun)?;
        if held.changed_by.as_ref() == Some(&held.run) && held.state.is_none() {
            return self.renew(store, key, runtime);
        }
        (held.changed_by, held.state) = (Some(held.run.clone()), None);
        self.write(store, key, runtime)
    }

    /// Records that the state of this run is saved, and describes the place.
    pub(super) fn saved(&mut self, store: &dyn ObjectStore, key: &Key, runtime: &Runtime) -> io::Result<()> {
        let held = self.held.as_mut().ok_or_else(not_begun)?;
        held.state = Some(held.run.clone());
        held.changed_by.get_or_insert_with(|| held.run.clone());
        self.write(store, key, runtime)
    }

    fn write(&mut self, store: &dyn ObjectStore, key: &Key, runtime: &Runtime) -> io::Result<()> {
        let held = self.held.as_mut().ok_or_else(not_begun)?;
        match held.write(store, key, runtime, end())? {
            Some(version) => {
                (held.version, held.since, held.at) = (version, Instant::now(), SystemTime::now());
                Ok(())
            }
            None => {
                self.held = None;
                Err(io::Error::other("another run has taken over the store"))
            }
        }
    }

    /// Fails unless this run still is the only one; what it changed has this name from now on, which no copy of its state from before knows.
    pub(super) fn finish(
        &mut self,
        store: &dyn ObjectStore,
        key: &Key,
        runtime: &Runtime,
        name: &str,
    ) -> io::Result<()> {
        let held = self.held.as_mut().ok_or_else(not_begun)?;
        if held.changed_by.as_ref() == Some(&held.run) {
            held.changed_by = Some(name.to_owned());
        }
        self.write(store, key, runtime)
    }

    /// Lets the next run begin at once. One that has taken over keeps it.
    pub(super) fn release(&mut self, store: &dyn ObjectStore, key: &Key, runtime: &Runtime) -> io::Result<()> {
        let Some(mut held) = self.held.take() else { return Ok(()) };
        held.write(store, key, runtime, 0).map(drop)
    }
}

fn write(
    store: &dyn ObjectStore,
    key: &Key,
    runtime: &Runtime,
    content: &Content,
    mode: PutMode,
) -> Result<UpdateVersion, Error> {
    let payload = PutPayload::from(serde_json::to_vec(content).unwrap_or_default());
    let options = PutOptions { mode, ..PutOptions::default() };
    runtime.block_on(store.put_opts(key, payload, options)).map(UpdateVersion::from)
}

/// Writes it on this condition; `None` if that does not hold.
fn replace(
    store: &dyn ObjectStore,
    key: &Key,
    runtime: &Runtime,
    content: &Content,
    mode: PutMode,
) -> io::Result<Option<UpdateVersion>> {
    // Where an object can be created, what is not found is the place itself.
    let creates = matches!(mode, PutMode::Create);
    match write(store, key, runtime, content, mode) {
        Ok(version) => Ok(Some(version)),
        Err(error @ Error::NotFound { .. }) if creates => Err(io::Error::other(failed(error))),
        // It is repeated if its answer was lost, and finds what it wrote itself.
        Err(Error::AlreadyExists { .. } | Error::Precondition { .. } | Error::NotFound { .. }) => {
            match read(store, key, runtime) {
                Ok((found, version)) => Ok((found.as_ref() == Some(content)).then_some(version)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            }
        }
        Err(error) => Err(failed(error)),
    }
}

/// Refuses a store that writes although a condition does not hold: there no run would notice another one.
fn probe(
    store: &dyn ObjectStore,
    key: &Key,
    runtime: &Runtime,
    content: &Content,
    version: UpdateVersion,
) -> io::Result<UpdateVersion> {
    let other = UpdateVersion { e_tag: Some("\"none\"".to_owned()), version: Some("1".to_owned()) };
    for mode in [PutMode::Create, PutMode::Update(other)] {
        match write(store, key, runtime, content, mode) {
            Ok(_) => {
                // Others find nothing that would exclude them.
                let _ = runtime.block_on(store.delete(key));
                return Err(io::Error::other(
                    "the store ignores conditions of writes (`If-Match`, `If-None-Match`), by which runs exclude each other",
                ));
            }
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(version)
}

/// What the object says, if it can be read, and its version.
fn read(store: &dyn ObjectStore, key: &Key, runtime: &Runtime) -> io::Result<(Option<Content>, UpdateVersion)> {
    let object = runtime.block_on(store.get(key)).map_err(failed)?;
    let version = UpdateVersion { e_tag: object.meta.e_tag.clone(), version: object.meta.version.clone() };
    let bytes = runtime.block_on(object.bytes()).map_err(failed)?;
    Ok((serde_json::from_slice(&bytes).ok(), version))
}

fn not_begun() -> io::Error {
    io::Error::other("no run has begun on the store")
}

fn taken() -> io::Error {
    io::Error::new(io::ErrorKind::WouldBlock, "another run is at work on the store")
}

/// When the lease is over that is taken or renewed now.
fn end() -> u64 {
    now().saturating_add(TIME.as_secs())
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    fn runtime() -> Runtime {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap()
    }

    fn begin<'a>(run: &'a str, known: &'a [String]) -> Beginning<'a> {
        Beginning { run, known, takes_over: false }
    }

    #[test]
    fn one_run_has_the_lease_until_it_releases_it() {
        let (store, key, runtime) = (InMemory::new(), Key::from("lease"), runtime());
        let (mut one, mut other) = (Lease::default(), Lease::default());
        let runs = ["1".to_owned(), "2".to_owned()];
        assert!(one.renew(&store, &key, &runtime).is_err());
        one.take(&store, &key, &runtime, &begin("1", &[])).unwrap();
        let taken = other.take(&store, &key, &runtime, &begin("2", &runs));
        assert_eq!(taken.unwrap_err().kind(), io::ErrorKind::WouldBlock);
        one.renew(&store, &key, &runtime).unwrap();
        one.release(&store, &key, &runtime).unwrap();
        other.take(&store, &key, &runtime, &begin("2", &runs)).unwrap();
        let taken = one.take(&store, &key, &runtime, &begin("3", &runs));
        assert_eq!(taken.unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }

    #[test]
    fn a_lease_whose_time_is_over_is_taken_and_its_run_notices() {
        let (store, key, runtime) = (InMemory::new(), Key::from("lease"), runtime());
        let (mut one, mut other) = (Lease::default(), Lease::default());
        one.take(&store, &key, &runtime, &begin("1", &[])).unwrap();
        // The run renews it in time.
        let before = one.held.as_ref().unwrap().version.clone();
        one.held.as_mut().unwrap().since -= TIME / 3;
        one.renew(&store, &key, &runtime).unwrap();
        assert_ne!(one.held.as_ref().unwrap().version, before);
        let before = one.held.as_ref().unwrap().version.clone();
        one.held.as_mut().unwrap().at -= TIME / 3;
        one.renew(&store, &key, &runtime).unwrap();
        assert_ne!(one.held.as_ref().unwrap().version, before, "the machine slept");
        // It was killed, or slept.
        let over = Content { holder: "one".to_owned(), until: now(), ..Content::default() };
        write(&store, &key, &runtime, &over, PutMode::Overwrite).unwrap();
        other.take(&store, &key, &runtime, &begin("2", &[])).unwrap();
        one.held.as_mut().unwrap().since -= TIME;
        assert!(one.renew(&store, &key, &runtime).is_err());
        assert!(one.renew(&store, &key, &runtime).is_err());
        one.release(&store, &key, &runtime).unwrap();
        other.held.as_mut().unwrap().since -= TIME;
        other.renew(&store, &key, &runtime).unwrap();
    }

    #[test]
    fn a_place_is_described_by_the_state_of_its_last_run_or_by_one_that_is_saved() {
        let known = ["1".to_owned(), "2".to_owned()];
        let of = |changed_by: Option<&str>, state: Option<&str>| {
            let (changed_by, state) = (changed_by.map(str::to_owned), state.map(str::to_owned));
            Content { changed_by, state, ..Content::default() }.latest(&known)
        };
        let is_known = |run: &str| Latest::Known(Some(run.to_owned()));
        assert_eq!(of(None, None), Latest::Known(None));
        assert_eq!(of(Some("2"), None), is_known("2"));
        assert_eq!(of(Some("2"), Some("3")), is_known("2"));
        assert_eq!(of(Some("3"), Some("1")), is_known("1"));
        assert_eq!(of(Some("3"), Some("3")), Latest::Saved("3".to_owned()));
        assert_eq!(of(Some("4"), Some("3")), Latest::Saved("3".to_owned()));
        assert_eq!(of(Some("3"), None), Latest::Elsewhere);
    }

    #[test]
    fn what_changes_a_place_makes_a_saved_state_one_of_the_past() {
        let (store, key, runtime) = (InMemory::new(), Key::from("lease"), runtime());
        let says = || {
            let Content { changed_by, state, .. } = read(&store, &key, &runtime).unwrap().0.unwrap();
            (changed_by.unwrap_or_default(), state.unwrap_or_default())
        };
        let said = |changed_by: &str, state: &str| (changed_by.to_owned(), state.to_owned());
        let mut lease = Lease::default();
        lease.take(&store, &key, &runtime, &begin("1", &[])).unwrap();
        lease.release(&store, &key, &runtime).unwrap();
        // It has changed nothing.
        assert_eq!(says(), said("", ""));
        lease.take(&store, &key, &runtime, &begin("2", &[])).unwrap();
        lease.before_change(&store, &key, &runtime).unwrap();
        assert_eq!(says(), said("2", ""));
        let known = ["2".to_owned()];
        let is_at_work = Lease::latest(&store, &key, &runtime, &[]).unwrap_err().kind();
        assert_eq!(is_at_work, io::ErrorKind::WouldBlock);
        assert!(Lease::latest(&store, &key, &runtime, &known).is_ok());
        lease.saved(&store, &key, &runtime).unwrap();
        lease.finish(&store, &key, &runtime, "2-end").unwrap();
        lease.release(&store, &key, &runtime).unwrap();
        assert_eq!(says(), said("2-end", "2"));
        let mut take = |run: &Beginning<'_>| lease.take(&store, &key, &runtime, run).unwrap();
        assert_eq!(take(&begin("3", &[])), Latest::Saved("2".to_owned()));
        assert_eq!(take(&begin("3", &known)), Latest::Known(Some("2".to_owned())));
        assert_eq!(lease.runs().unwrap(), ("3", Some("2")));
        lease.before_change(&store, &key, &runtime).unwrap();
        lease.release(&store, &key, &runtime).unwrap();
        assert_eq!(says(), said("3", ""));
        // Its state is elsewhere: only a run that compares everything begins.
        assert_eq!(lease.take(&store, &key, &runtime, &begin("4", &known)).unwrap(), Latest::Elsewhere);
        assert!(lease.renew(&store, &key, &runtime).is_err());
        let all = Beginning { takes_over: true, ..begin("4", &[]) };
        assert_eq!(lease.take(&store, &key, &runtime, &all).unwrap(), Latest::Known(None));
        assert_eq!(says(), said("4", ""));
    }

    #[test]
    fn a_write_whose_answer_was_lost_is_that_of_the_run() {
        let (store, key, runtime) = (InMemory::new(), Key::from("lease"), runtime());
        let content = |holder: &str| Content { holder: holder.to_owned(), until: end(), ..Content::default() };
        let (one, other) = (content("1"), content("2"));
        let first = write(&store, &key, &runtime, &one, PutMode::Create).unwrap();
        let again = |content: &Content, mode| replace(&store, &key, &runtime, content, mode).unwrap();
        assert_eq!(again(&one, PutMode::Create), Some(first.clone()));
        assert_eq!(again(&other, PutMode::Create), None);
        let next = write(&store, &key, &runtime, &other, PutMode::Update(first.clone())).unwrap();
        assert_eq!(again(&other, PutMode::Update(first.clone())), Some(next.clone()));
        assert_eq!(again(&one, PutMode::Update(first)), None);
        assert_eq!(probe(&store, &key, &runtime, &other, next.clone()).unwrap(), next);
        // All answers to a renewal were lost.
        let mut lease = Lease::default();
        lease.hold(next.clone(), other, Latest::Known(None));
        let stored = lease.held.as_mut().unwrap().next(end());
        write(&store, &key, &runtime, &stored, PutMode::Update(next)).unwrap();
        lease.saved(&store, &key, &runtime).unwrap();
    }
}
