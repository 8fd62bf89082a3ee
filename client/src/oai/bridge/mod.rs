//! Publishes the records of a store as a Source.
//!
//! The first run publishes everything. Later ones publish what harvests changed since, as stated changes; unless that is much, or something
//! else than records changed, such as an option: then everything is compared. A run that was killed is repeated by the next one, with the
//! same result, since `bridge.json` is written last and what is published already is no change.

mod error;
mod options;
mod progress;
mod records;
mod repository;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use resourcesync_oai::{
    bridge::{About, Form},
    harvest::{Proof, Status},
};

pub use self::{
    error::BridgeError,
    options::{BridgeOptions, harvest_folder},
    repository::{Harvested, Repository, harvest_and_bridge},
};
use self::{progress::Progress, records::Records};
use super::{
    HarvestError,
    store::{Config, State, Storage},
};
use crate::{
    cancel::Cancel,
    folder::{Generations, Lock},
    publish::{self, Amount, Changes, Events, OnEvent, Options, Origin, Snapshot, publish_changes},
};

/// The entries of one Resource List.
const ONE_LIST: u64 = 50_000;

/// What became of the records.
#[derive(Debug)]
#[non_exhaustive]
pub enum Bridged {
    /// They were published, or there was nothing to publish.
    Done(Box<publish::Outcome>),
    /// Nothing was published, because the last harvest is not complete; `None` if there was none.
    Withheld(Option<Status>),
    /// Nothing was published, because there are no records yet.
    Empty,
}

/// Publishes the records of a store.
///
/// # Errors
///
/// If the store or the published folder cannot be used; what is published then stays as it was.
pub fn bridge(
    store: &Path,
    options: &BridgeOptions,
    cancel: &Cancel,
    event: OnEvent<'_>,
) -> Result<Bridged, BridgeError> {
    let Some(run) = Prepared::new(store, options)? else { return Ok(Bridged::Withheld(None)) };
    let status = run.proof.status;
    if status != Status::Complete && !options.publish_incomplete {
        return Ok(Bridged::Withheld(Some(status)));
    }
    run.publish(cancel, event)
}

/// True if a complete harvest of a store was not published, because a run was killed in between.
///
/// # Errors
///
/// If the store or the published folder cannot be read.
pub fn is_unpublished(store: &Path, options: &BridgeOptions) -> Result<bool, BridgeError> {
    if Config::read(store)?.is_none() {
        return Ok(false);
    }
    let (state, progress) = (State::read(store)?, Progress::read(&options.publication.out)?);
    let is_behind = progress.is_none_or(|progress| progress.run < state.run) && !state.is_interrupted(store);
    Ok(is_behind && state.last_proof(store)?.is_some_and(|proof| proof.status == Status::Complete))
}

/// A store that is locked, with what is published of it.
struct Prepared<'a> {
    options: &'a BridgeOptions,
    /// The folder of the store, whatever the working directory is.
    store: PathBuf,
    config: Config,
    state: State,
    proof: Proof,
    _lock: Lock,
}

impl<'a> Prepared<'a> {
    /// `None` before the first harvest.
    fn new(store: &Path, options: &'a BridgeOptions) -> Result<Option<Prepared<'a>>, BridgeError> {
        let config = Config::read(store)?.ok_or_else(|| HarvestError::NotAStore(store.to_owned()))?;
        options.check()?;
        let has_bytes = options.form == Form::Dump || options.form == Form::Pointers && !options.publication.dump;
        if config.store == Storage::Jsonl && !has_bytes {
            return Err(BridgeError::NoFiles(store.to_owned()));
        }
        let store = store.canonicalize().map_err(|error| HarvestError::read(store, error))?;
        let lock = Lock::take(&store).map_err(HarvestError::from)?;
        let state = State::read(&store)?;
        let Some(proof) = state.last_proof(&store)? else { return Ok(None) };
        Ok(Some(Prepared { options, store, config, state, proof, _lock: lock }))
    }

    /// A Source of one list is written as a whole: then its Resource Lists describe the files as they are. That of a larger one costs more than
    /// what changed, and is written as usual. Packages are added to.
    fn snapshot(&self) -> Option<Snapshot> {
        if self.options.form == Form::Dump {
            return Some(Snapshot::Never);
        }
        let is_small = self.state.catalogue.as_ref().is_none_or(|catalogue| catalogue.active <= ONE_LIST);
        is_small.then_some(Snapshot::Now)
    }

    fn publish(&self, cancel: &Cancel, event: OnEvent<'_>) -> Result<Bridged, BridgeError> {
        let out = &self.options.publication.out;
        let about = About {
            repository: &self.config.url,
            facts: self.proof.identify.as_ref(),
            since: self.config.since.as_deref(),
            status: self.proof.status,
        };
        let mut options = Options { about: Some(about.html()), ..self.options.publication.clone() };
        if self.options.form == Form::Dump {
            (options.dump, options.lists) = (true, false);
        }
        let records = Records::new(self.options, &self.store, &self.config, &self.state, &self.proof);
        let now = Progress::new(&self.store, &self.state, &records.bridge, &options);
        let is_published = Generations::is_published(out).map_err(publish::Error::from)?;
        let before = Progress::read(out)?.filter(|_| is_published);
        let known = before.as_ref().filter(|before| before.is_continued(&now, &self.state));
        // Only what later runs changed.
        let changed = known.filter(|before| before.is_published(out)).map(|before| records.since(before.run));
        let changes = match &changed {
            Some(changed) => changed.changes(cancel)?,
            None => None,
        };
        let contents = if changes.is_some() { changed } else { Some(records.clone()) };
        options.resources.contents = contents.filter(|all| !all.has_files()).map(|all| Arc::new(all) as _);
        let outcome = match changes {
            Some(events) => {
                let changes = Changes {
                    events: Events::Stated(events),
                    strict: false,
                    snapshot: self.options.snapshot.or_else(|| self.snapshot()),
                    wait: options.wait,
                };
                let given = |_: Option<&publish::State>| Ok(Options { max_delete: None, ..options.clone() });
                publish_changes(out, &changes, &given, cancel, event)?
            }
            None => {
                let all = records.all(cancel)?;
                // Of what is published, all was deleted.
                if all.is_empty() && !is_published {
                    return Ok(Bridged::Empty);
                }
                // What harvests report is not an accident, however much it is.
                let max_delete = if known.is_some() { Some(Amount::Percent(100)) } else { options.max_delete };
                let mut options = Options { max_delete, ..options };
                options.resources.origin = Origin::Records(all.collected());
                publish::publish(&options, cancel, event)?
            }
        };
        if !matches!(outcome, publish::Outcome::Dry { .. }) {
            now.write(out)?;
        }
        Ok(Bridged::Done(Box::new(outcome)))
    }
}
