//! Opens the recordings that a run writes and replays.

use std::{
    fmt,
    fs::{self, File},
    path::{Path, PathBuf},
    sync::Arc,
};

use tempfile::NamedTempFile;

use super::{player::Player, recorder::Recorder};
use crate::{folder::is_same_file, system::reason};

/// The recordings to write and to replay.
#[derive(Debug, Default)]
pub struct Recordings {
    /// True if there are no requests over the network.
    pub(in crate::http) is_closed: bool,
    pub(in crate::http) player: Option<Arc<Player>>,
    pub(in crate::http) earlier: Option<Arc<Player>>,
    pub(in crate::http) recorder: Option<Arc<Recorder>>,
    /// The files that are read.
    read: Vec<PathBuf>,
}

/// Why a file cannot be used as a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordingError {
    path: PathBuf,
    why: String,
}

impl Recordings {
    /// Records everything to a file.
    ///
    /// # Errors
    ///
    /// If it cannot be written, is the file of [`replay`](Recordings::replay) or [`revalidate`](Recordings::revalidate), which must
    /// be called before, or exists and is not a recording.
    pub fn record(&mut self, path: &Path) -> Result<(), RecordingError> {
        self.check_unread(path)?;
        // A mistyped path must not overwrite a document.
        if fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() > 0) && !Player::is_own(path) {
            return Err(failed(path)("it exists and is not a recording of this program, so it is not written over"));
        }
        let recorder = File::create(path).and_then(Recorder::new);
        self.recorder = Some(Arc::new(recorder.map_err(|error| failed(path)(&reason(&error).to_string()))?));
        Ok(())
    }

    /// Replays everything from a file, without the network.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not a recording.
    pub fn replay(&mut self, path: &Path) -> Result<(), RecordingError> {
        self.player = Some(Arc::new(Player::open(path).map_err(|why| failed(path)(&why))?));
        self.read.push(path.to_owned());
        self.is_closed = true;
        Ok(())
    }

    /// Replays the responses in a file, requests others over the network, and adds them to the file, which is created if necessary.
    ///
    /// The file is rewritten with what is used of it. Returns true if its end was missing, as after a killed run.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written, is the file of [`revalidate`](Recordings::revalidate), or is not a recording.
    pub fn resume(&mut self, path: &Path) -> Result<bool, RecordingError> {
        self.check_unread(path)?;
        if !path.exists() {
            return self.record(path).map(|()| false);
        }
        if !Player::is_own(path) {
            return Err(failed(path)("it is not a recording of this program, so it is not added to"));
        }
        let refused = |error: &std::io::Error| failed(path)(&reason(error).to_string());
        let player = Player::open(path).map_err(|why| failed(path)(&why))?.only_good();
        // The old file is there until the new one has everything that is used of it.
        let place = fs::canonicalize(path).map_err(|error| refused(&error))?;
        let file = NamedTempFile::new_in(place.parent().unwrap_or(&place)).map_err(|error| refused(&error))?;
        let recorder = file.reopen().and_then(Recorder::new).map(Arc::new).map_err(|error| refused(&error))?;
        for (key, answer, most) in player.all() {
            recorder.copy(key, answer, most).map_err(|error| failed(path)(&error.to_string()))?;
        }
        file.persist(place).map_err(|error| refused(&error.error))?;
        self.recorder = Some(recorder);
        let is_cut = player.is_cut;
        self.player = Some(Arc::new(player));
        Ok(is_cut)
    }

    /// Makes conditional requests for the responses in a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is not a recording.
    pub fn revalidate(&mut self, path: &Path) -> Result<(), RecordingError> {
        self.earlier = Some(Arc::new(Player::open(path).map_err(|why| failed(path)(&why))?));
        self.read.push(path.to_owned());
        Ok(())
    }

    /// Rejects a file that is read, however it is spelled, since writing it would lose its content.
    fn check_unread(&self, path: &Path) -> Result<(), RecordingError> {
        match self.read.iter().any(|read| is_same_file(read, path)) {
            true => Err(failed(path)("it is also the recording that is read")),
            false => Ok(()),
        }
    }
}

fn failed(path: &Path) -> impl Fn(&str) -> RecordingError {
    move |why| RecordingError { path: path.to_owned(), why: why.to_owned() }
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be used: {}", self.path.display(), self.why)
    }
}

impl std::error::Error for RecordingError {}
