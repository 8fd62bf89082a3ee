//! Opens the recordings of a run: which file is written, which ones are replayed.

use std::{
    fmt,
    fs::{self, File, OpenOptions},
    io::{Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{player::Player, recorder::Recorder};
use crate::system::reason;

/// Where responses are recorded to, and replayed from.
#[derive(Debug, Default)]
pub struct Recordings {
    /// True if nothing is requested over the network.
    pub(in crate::http) is_closed: bool,
    pub(in crate::http) player: Option<Arc<Player>>,
    pub(in crate::http) earlier: Option<Arc<Player>>,
    pub(in crate::http) recorder: Option<Arc<Recorder>>,
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
    /// If it cannot be written, or is there already and not a recording.
    pub fn record(&mut self, path: &Path) -> Result<(), RecordingError> {
        // A mistyped path must not overwrite a document.
        if fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() > 0) && !Player::is_recording(path) {
            return Err(failed(path)("it exists and is not a recording, so it is not written over"));
        }
        let recorder = File::create(path).and_then(Recorder::new);
        self.recorder = Some(Arc::new(recorder.map_err(|error| failed(path)(&reason(&error).to_string()))?));
        Ok(())
    }

    /// Replays everything from a file, without the network.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no recording.
    pub fn replay(&mut self, path: &Path) -> Result<(), RecordingError> {
        self.player = Some(Arc::new(Player::open(path).map_err(|why| failed(path)(&why))?));
        self.is_closed = true;
        Ok(())
    }

    /// Replays what a file has, requests the rest over the network, and adds it to the file, which is created if it does not exist.
    ///
    /// True if the last line of the file was incomplete, as after a run that was killed, and is dropped.
    ///
    /// # Errors
    ///
    /// If it cannot be read or written, or is no recording.
    pub fn resume(&mut self, path: &Path) -> Result<bool, RecordingError> {
        if !path.exists() {
            return self.record(path).map(|()| false);
        }
        let refused = |error: &std::io::Error| failed(path)(&reason(error).to_string());
        let player = Player::open(path).map_err(|why| failed(path)(&why))?.only_good();
        let mut file = OpenOptions::new().write(true).open(path).map_err(|error| refused(&error))?;
        let length = file.metadata().map_err(|error| refused(&error))?.len();
        let end = file.set_len(player.length).and_then(|()| file.seek(SeekFrom::End(0)));
        end.map_err(|error| refused(&error))?;
        let is_cut = length > player.length;
        self.recorder = Some(Arc::new(Recorder::after(file, player.next)));
        self.player = Some(Arc::new(player));
        Ok(is_cut)
    }

    /// Requests what a file has on the condition that it changed.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no recording.
    pub fn revalidate(&mut self, path: &Path) -> Result<(), RecordingError> {
        self.earlier = Some(Arc::new(Player::open(path).map_err(|why| failed(path)(&why))?));
        Ok(())
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
