//! The store of a copy.

use std::{
    fs::File,
    io::{self, Read, Seek as _},
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use futures_util::TryStreamExt as _;
use object_store::{
    Error, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutPayload, PutResult,
    multipart::{MultipartStore, PartId},
    path::Path as Key,
};
use resourcesync::{fixity::Digester, value::Algorithm};
use tokio::runtime::{Builder, Runtime};

use super::{
    error::failed,
    lease::{self, Lease},
    reader::Reader,
    uploads::Uploads,
};
use crate::destination::{Beginning, CopiedResource, CopyStore, Latest, StoredBytes};

/// Bytes of a part of an upload; what is not longer is sent in one request. S3 allows 10,000 parts, so that an object has at most 156 GiB.
const PART: usize = 16 << 20;
/// The folder of the objects that are no resources; no resource has such a name.
const OWN: &str = ".resourcesync";
/// That of the states that runs have saved.
const STATES: &str = ".resourcesync/states";

/// A store of the library with uploads in parts.
pub trait Store: ObjectStore + MultipartStore {}

impl<S: ObjectStore + MultipartStore> Store for S {}

/// The bytes of a copy in an object store. Keys are the paths that files would have, below a prefix.
///
/// An object is whole or not there: an upload is completed only if its bytes have the verified digest, and aborted otherwise.
#[derive(Debug)]
pub struct Objects {
    store: Arc<dyn Store>,
    prefix: String,
    runtime: Arc<Runtime>,
    lease: Lease,
    uploads: Uploads,
    /// Whether objects are found with the version with which they were stored; `None` if none was stored yet.
    has_versions: Option<bool>,
}

impl Objects {
    /// Uses a store below a prefix, which may be empty. `own` is the private folder of the copy.
    ///
    /// # Errors
    ///
    /// If the system refuses what the runtime of the library needs.
    pub fn new(store: Arc<dyn Store>, prefix: &str, own: &Path) -> io::Result<Objects> {
        let runtime = Arc::new(Builder::new_current_thread().enable_time().build()?);
        let prefix = prefix.trim_matches('/').to_owned();
        Ok(Objects { store, prefix, runtime, lease: Lease::default(), uploads: Uploads::of(own), has_versions: None })
    }

    fn key(&self, path: &str) -> io::Result<Key> {
        let text = if self.prefix.is_empty() { path.to_owned() } else { format!("{}/{path}", self.prefix) };
        Key::parse(text).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
    }

    /// Fails unless this run still is the only one, which is about to change what is stored.
    fn before_change(&mut self) -> io::Result<()> {
        let key = self.key(lease::NAME)?;
        self.lease.before_change(&*self.store, &key, &self.runtime)
    }

    /// Stores a file under a key, if it has this SHA-256; what the store says of the object.
    fn upload(&self, key: &Key, mut file: File, sha256: &[u8]) -> io::Result<Option<String>> {
        let first = part(&mut file)?;
        if first.len() < PART {
            let mut digester = Digester::new([Algorithm::Sha256]);
            digester.push(&first);
            check(digester, sha256)?;
            let put = self.store.put(key, PutPayload::from(first));
            return self.runtime.block_on(put).map(version).map_err(failed);
        }
        let id = self.runtime.block_on(self.store.create_multipart(key)).map_err(failed)?;
        self.uploads.note(key.as_ref(), &id)?;
        let sent = self.send(key, &id, first, &mut file, sha256);
        let completed = sent.and_then(|parts| {
            let complete = self.store.complete_multipart(key, &id, parts);
            self.runtime.block_on(complete).map(version).map_err(failed)
        });
        if completed.is_err() {
            self.abort(key, &id);
        }
        completed
    }

    /// Sends the parts of a file; what was sent has still to be completed. Fails if the file does not have this SHA-256.
    fn send(&self, key: &Key, id: &String, first: Vec<u8>, file: &mut File, sha256: &[u8]) -> io::Result<Vec<PartId>> {
        let mut digester = Digester::new([Algorithm::Sha256]);
        let (mut parts, mut bytes) = (Vec::new(), first);
        while !bytes.is_empty() {
            digester.push(&bytes);
            let sent = self.store.put_part(key, id, parts.len(), PutPayload::from(bytes));
            parts.push(self.runtime.block_on(sent).map_err(failed)?);
            bytes = part(file)?;
        }
        check(digester, sha256)?;
        Ok(parts)
    }

    fn abort(&self, key: &Key, id: &String) {
        // The next run tries it again, and the store may have rules that remove it.
        let _ = self.runtime.block_on(self.store.abort_multipart(key, id));
    }

    fn trash_of(&self, path: &str, run: u64) -> io::Result<Key> {
        self.key(&format!("{OWN}/trash/{run}/{path}"))
    }

    /// The folders of the trash, with the numbers of their runs.
    fn trash_runs(&self) -> io::Result<Vec<(u64, Key)>> {
        let trash = self.key(&format!("{OWN}/trash"))?;
        let found = self.runtime.block_on(self.store.list_with_delimiter(Some(&trash))).map_err(failed)?;
        let runs = found.common_prefixes.into_iter();
        Ok(runs.filter_map(|run| Some((run.filename()?.parse().ok()?, run))).collect())
    }

    fn copy_to_trash(&self, key: &Key, trash: &Key) -> io::Result<()> {
        match self.runtime.block_on(self.store.copy(key, trash)) {
            // A killed run has moved it already, or others have removed it.
            Err(Error::NotFound { .. }) => Ok(()),
            copied => copied.map_err(failed),
        }
    }

    fn delete(&self, key: &Key) -> io::Result<()> {
        match self.runtime.block_on(self.store.delete(key)) {
            Err(Error::NotFound { .. }) => Ok(()),
            deleted => deleted.map_err(failed),
        }
    }
}

impl CopyStore for Objects {
    fn begin(&mut self, run: &Beginning<'_>) -> io::Result<Latest> {
        let key = self.key(lease::NAME)?;
        let latest = self.lease.take(&*self.store, &key, &self.runtime, run)?;
        if matches!(latest, Latest::Known(_)) {
            for (key, id) in self.uploads.left()? {
                self.abort(&Key::parse(key).map_err(io::Error::other)?, &id);
            }
            self.uploads.forget()?;
        }
        Ok(latest)
    }

    fn last_trash(&mut self) -> io::Result<u64> {
        // The number of no run is as great as the greatest one.
        let runs = self.trash_runs()?.into_iter().map(|(run, _)| run);
        Ok(runs.filter(|run| i64::try_from(*run).is_ok_and(|run| run < i64::MAX)).max().unwrap_or(0))
    }

    fn finish(&mut self, name: &str) -> io::Result<()> {
        let key = self.key(lease::NAME)?;
        self.lease.finish(&*self.store, &key, &self.runtime, name)
    }

    fn latest(&mut self, known: &[String]) -> io::Result<Latest> {
        Lease::latest(&*self.store, &self.key(lease::NAME)?, &self.runtime, known)
    }

    fn load_state(&mut self, run: &str, into: &mut File) -> io::Result<()> {
        let packed = CopyStore::open(self, &state_of(run))?;
        io::copy(&mut GzDecoder::new(packed), into).map(drop)
    }

    fn save_state(&mut self, mut state: File) -> io::Result<()> {
        let (lease, states) = (self.key(lease::NAME)?, self.key(STATES)?);
        let (run, saved) = self.lease.runs()?;
        let own = self.key(&state_of(run))?;
        if let Some(saved) = saved
            && self.runtime.block_on(self.store.head(&self.key(&state_of(saved))?)).is_ok()
        {
            return Ok(());
        }
        let mut packed = GzEncoder::new(tempfile::tempfile()?, Compression::fast());
        io::copy(&mut state, &mut packed)?;
        let mut packed = packed.finish()?;
        packed.rewind()?;
        let mut digester = Digester::new([Algorithm::Sha256]);
        loop {
            let bytes = part(&mut packed)?;
            digester.push(&bytes);
            if bytes.is_empty() {
                break;
            }
        }
        packed.rewind()?;
        let sha256 = digester.finish();
        self.lease.renew(&*self.store, &lease, &self.runtime)?;
        // Those of later runs are not among them.
        let list = self.store.list(Some(&states)).try_collect::<Vec<_>>();
        let before = self.runtime.block_on(list).map_err(failed)?;
        self.upload(&own, packed, sha256.get(&Algorithm::Sha256).unwrap_or_default())?;
        self.lease.saved(&*self.store, &lease, &self.runtime)?;
        before.iter().filter(|object| object.location != own).try_for_each(|object| self.delete(&object.location))
    }

    fn end(&mut self) -> io::Result<()> {
        self.uploads.forget()?;
        let key = self.key(lease::NAME)?;
        self.lease.release(&*self.store, &key, &self.runtime)
    }

    fn look(&mut self, path: &str) -> io::Result<Option<StoredBytes>> {
        match self.runtime.block_on(self.store.head(&self.key(path)?)) {
            Ok(ObjectMeta { size, e_tag, version, .. }) => {
                Ok(Some(StoredBytes { length: size, version: plain(e_tag.or(version)) }))
            }
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed(error)),
        }
    }

    fn put(&mut self, resource: &CopiedResource, bytes: File) -> io::Result<Option<String>> {
        self.before_change()?;
        let sha256 = resource.hashes.get(&Algorithm::Sha256).unwrap_or_default();
        let own = plain(self.upload(&self.key(&resource.path)?, bytes, sha256)?);
        let is_sent_in_parts = resource.length >= PART as u64;
        if own.is_some() && (self.has_versions.is_none() || is_sent_in_parts) {
            let is_found = self.look(&resource.path)?.is_some_and(|found| found.version == own);
            self.has_versions = Some(is_found && self.has_versions != Some(false));
        }
        Ok(own.filter(|_| self.has_versions == Some(true)))
    }

    fn set_aside(&mut self, path: &str, run: u64) -> io::Result<()> {
        self.before_change()?;
        self.copy_to_trash(&self.key(path)?, &self.trash_of(path, run)?)
    }

    fn open(&mut self, path: &str) -> io::Result<Box<dyn Read + Send>> {
        let object = self.runtime.block_on(self.store.get(&self.key(path)?)).map_err(failed)?;
        Ok(Box::new(Reader::new(object.into_stream(), self.runtime.clone())))
    }

    fn remove(&mut self, _: &str, path: &str) -> io::Result<()> {
        self.before_change()?;
        self.delete(&self.key(path)?)
    }

    fn trash(&mut self, _: &str, path: &str, run: u64) -> io::Result<()> {
        self.before_change()?;
        let key = self.key(path)?;
        self.copy_to_trash(&key, &self.trash_of(path, run)?)?;
        self.delete(&key)
    }

    fn empty_trash(&mut self, before: u64, keep: Option<Duration>) -> io::Result<()> {
        self.lease.renew(&*self.store, &self.key(lease::NAME)?, &self.runtime)?;
        let is_due = |time: SystemTime| keep.is_none_or(|keep| time.elapsed().unwrap_or_default() >= keep);
        for (_, run) in self.trash_runs()?.into_iter().filter(|(run, _)| *run < before) {
            let mut objects = self.store.list(Some(&run));
            while let Some(object) = self.runtime.block_on(objects.try_next()).map_err(failed)? {
                if is_due(object.last_modified.into()) {
                    self.delete(&object.location)?;
                }
            }
        }
        Ok(())
    }
}

fn version(PutResult { e_tag, version, .. }: PutResult) -> Option<String> {
    e_tag.or(version)
}

/// An ETag without its quotes: some services leave them out in some responses.
fn plain(version: Option<String>) -> Option<String> {
    version.map(|version| version.trim_start_matches("W/").trim_matches('"').to_owned())
}

/// The object with the state that a run has saved.
fn state_of(run: &str) -> String {
    format!("{STATES}/{run}.sqlite.gz")
}

/// The next part of a file; less than [`PART`] bytes only at its end.
fn part(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(PART as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Fails if what is being stored does not have the verified SHA-256.
fn check(digester: Digester, sha256: &[u8]) -> io::Result<()> {
    match digester.finish().get(&Algorithm::Sha256) == Some(sha256) {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidData, "the file in staging is not what was verified")),
    }
}
