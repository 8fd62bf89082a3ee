//! `bridge.json` next to the published folder: what of a store is published.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use resourcesync::value::to_hex;
use resourcesync_oai::bridge::Bridge;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    folder::{Generations, write_atomic},
    oai::{HarvestError, store::State},
    publish::{Error, Options, version},
};

const NAME: &str = "bridge.json";
const FORMAT: &str = "resourcesync-oai-bridge";

/// What of a store is published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Progress {
    format: String,
    format_version: u32,
    /// The folder of the store.
    store: PathBuf,
    /// The last run of the store.
    pub(super) run: u64,
    /// Its proof: a store that was recreated has other ones.
    #[serde(default)]
    proof: Option<String>,
    /// What is published: another publication, or an earlier one that was restored, has other resources.
    #[serde(default)]
    published: Option<String>,
    /// A digest of the options: everything is compared after they changed.
    options: String,
}

impl Progress {
    pub(super) fn new(store: &Path, state: &State, bridge: &Bridge, options: &Options) -> Progress {
        let Options { documents_uri, channels, dump, gzip, rotate, keep, about, resources, no_hub, no_dump, .. } =
            options;
        let own = format!(
            "{bridge:?} {documents_uri:?} {channels:?} {dump} {gzip} {rotate:?} {keep:?} {about:?} {:?} {no_hub} {no_dump}",
            resources.hash
        );
        Progress {
            format: FORMAT.to_owned(),
            format_version: 1,
            store: store.to_owned(),
            run: state.run,
            proof: state.proof.clone(),
            published: None,
            options: to_hex(&Sha256::digest(own)),
        }
    }

    /// That of a published folder. Another version is as good as none: everything is compared then.
    pub(super) fn read(out: &Path) -> Result<Option<Progress>, HarvestError> {
        let path = Generations::state_folder(out)?.join(NAME);
        match fs::read(&path) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok().filter(|own: &Progress| own.format_version == 1)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(HarvestError::read(path, error)),
        }
    }

    /// True if the store was continued since, with the same options.
    pub(super) fn is_continued(&self, now: &Progress, state: &State) -> bool {
        let is_known = self.proof.is_some() && state.proofs.get(&self.run) == self.proof.as_ref();
        let Progress { run, proof, published, .. } = now.clone();
        is_known && self.run <= run && Progress { run, proof, published, ..self.clone() } == *now
    }

    /// True if what was published is still there, and nothing else.
    pub(super) fn is_published(&self, out: &Path) -> bool {
        self.published.is_some() && self.published == version(out)
    }

    /// Stores it, for what was published now.
    pub(super) fn write(self, out: &Path) -> Result<(), Error> {
        let path = Generations::state_folder(out)?.join(NAME);
        let written = serde_json::to_vec(&Progress { published: version(out), ..self })
            .map_err(io::Error::from)
            .and_then(|bytes| write_atomic(&path, &bytes));
        written.map_err(|error| Error::new(HarvestError::write(&path, error).to_string()))
    }
}
