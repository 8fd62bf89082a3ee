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

/// The object.
pub(super) const NAME: &str = ".resourcesync/lease";
/// How long a run excludes others after it was last seen. Clocks of machines that share a place may differ by less.
const TIME: Duration = Duration::from_secs(600);

/// What the object says.
#[derive(Debug, Serialize, Deserialize)]
struct Content {
    /// Differs for each run, so that no two states of the object are equal.
    holder: String,
    /// Seconds since 1970.
    until: u64,
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
    holder: String,
    renewals: u64,
}

impl Lease {
    /// Takes the lease; [`io::ErrorKind::WouldBlock`] if another run has it.
    pub(super) fn take(&mut self, store: &dyn ObjectStore, key: &Key, runtime: &Runtime) -> io::Result<()> {
        let holder = format!("{:016x}", crate::system::seed());
        match write(store, key, runtime, &holder, PutMode::Create) {
            Err(Error::AlreadyExists { .. }) => {}
            written => return self.hold(written.map_err(failed)?, holder),
        }
        let (content, version) = read(store, key, runtime)?;
        if content.is_some_and(|content| content.until > now()) {
            return Err(taken());
        }
        match write(store, key, runtime, &holder, PutMode::Update(version)) {
            Err(Error::Precondition { .. } | Error::NotFound { .. }) => Err(taken()),
            written => self.hold(written.map_err(failed)?, holder),
        }
    }

    fn hold(&mut self, version: UpdateVersion, holder: String) -> io::Result<()> {
        self.held = Some(Held { version, since: Instant::now(), holder, renewals: 0 });
        Ok(())
    }

    /// Renews the lease when a third of its time is over. Fails if another run has taken it.
    pub(super) fn renew(&mut self, store: &dyn ObjectStore, key: &Key, runtime: &Runtime) -> io::Result<()> {
        let Some(held) = &mut self.held else { return Err(io::Error::other("no run has begun on the store")) };
        if held.since.elapsed() < TIME / 3 {
            return Ok(());
        }
        held.renewals = held.renewals.saturating_add(1);
        let holder = format!("{}-{}", held.holder, held.renewals);
        match write(store, key, runtime, &holder, PutMode::Update(held.version.clone())) {
            Ok(version) => {
                (held.version, held.since) = (version, Instant::now());
                Ok(())
            }
            Err(Error::Precondition { .. } | Error::NotFound { .. }) => {
                self.held = None;
                Err(io::Error::other("another run has taken over the store"))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Lets the next run begin at once. One that has taken over keeps it.
    pub(super) fn release(&mut self, store: &dyn ObjectStore, key: &Key, runtime: &Runtime) -> io::Result<()> {
        let Some(held) = self.held.take() else { return Ok(()) };
        let options = PutOptions { mode: PutMode::Update(held.version), ..PutOptions::default() };
        let put = store.put_opts(key, payload(&Content { holder: format!("{}-", held.holder), until: 0 }), options);
        match runtime.block_on(put) {
            Err(Error::Precondition { .. } | Error::NotFound { .. }) => Ok(()),
            released => released.map(drop).map_err(failed),
        }
    }
}

fn write(
    store: &dyn ObjectStore,
    key: &Key,
    runtime: &Runtime,
    holder: &str,
    mode: PutMode,
) -> Result<UpdateVersion, Error> {
    let content = Content { holder: holder.to_owned(), until: now().saturating_add(TIME.as_secs()) };
    let options = PutOptions { mode, ..PutOptions::default() };
    runtime.block_on(store.put_opts(key, payload(&content), options)).map(UpdateVersion::from)
}

/// What the object says, if it can be read, and its version.
fn read(store: &dyn ObjectStore, key: &Key, runtime: &Runtime) -> io::Result<(Option<Content>, UpdateVersion)> {
    let object = runtime.block_on(store.get(key)).map_err(failed)?;
    let version = UpdateVersion { e_tag: object.meta.e_tag.clone(), version: object.meta.version.clone() };
    let bytes = runtime.block_on(object.bytes()).map_err(failed)?;
    Ok((serde_json::from_slice(&bytes).ok(), version))
}

fn payload(content: &Content) -> PutPayload {
    PutPayload::from(serde_json::to_vec(content).unwrap_or_default())
}

fn taken() -> io::Error {
    io::Error::new(io::ErrorKind::WouldBlock, "another run is at work on the store")
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

    #[test]
    fn one_run_has_the_lease_until_it_releases_it() {
        let (store, key, runtime) = (InMemory::new(), Key::from("lease"), runtime());
        let (mut one, mut other) = (Lease::default(), Lease::default());
        assert!(one.renew(&store, &key, &runtime).is_err());
        one.take(&store, &key, &runtime).unwrap();
        assert_eq!(other.take(&store, &key, &runtime).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        one.renew(&store, &key, &runtime).unwrap();
        one.release(&store, &key, &runtime).unwrap();
        other.take(&store, &key, &runtime).unwrap();
        assert_eq!(one.take(&store, &key, &runtime).unwrap_err().kind(), io::ErrorKind::WouldBlock);
    }

    #[test]
    fn a_lease_whose_time_is_over_is_taken_and_its_run_notices() {
        let (store, key, runtime) = (InMemory::new(), Key::from("lease"), runtime());
        let (mut one, mut other) = (Lease::default(), Lease::default());
        one.take(&store, &key, &runtime).unwrap();
        // The run renews it in time.
        let before = one.held.as_ref().unwrap().version.clone();
        one.held.as_mut().unwrap().since -= TIME / 3;
        one.renew(&store, &key, &runtime).unwrap();
        assert_ne!(one.held.as_ref().unwrap().version, before);
        // It was killed, or slept.
        let over = payload(&Content { holder: "one".to_owned(), until: now() });
        runtime.block_on(store.put(&key, over)).unwrap();
        other.take(&store, &key, &runtime).unwrap();
        one.held.as_mut().unwrap().since -= TIME;
        assert!(one.renew(&store, &key, &runtime).is_err());
        assert!(one.renew(&store, &key, &runtime).is_err());
        one.release(&store, &key, &runtime).unwrap();
        other.held.as_mut().unwrap().since -= TIME;
        other.renew(&store, &key, &runtime).unwrap();
    }
}
