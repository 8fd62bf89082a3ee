//! Opens the recordings that the command line names.

use std::{
    fs::{self, File, OpenOptions},
    io::{Seek, SeekFrom},
    path::Path,
    sync::Arc,
};

use super::{player::Player, recorder::Recorder};
use crate::trouble::{reason, warn};

/// What is recorded, and what is played.
#[derive(Debug, Default)]
pub(crate) struct Recordings {
    /// Only what is recorded is answered; nothing is asked over the network.
    pub(in crate::http) is_closed: bool,
    pub(in crate::http) player: Option<Arc<Player>>,
    pub(in crate::http) earlier: Option<Arc<Player>>,
    pub(in crate::http) recorder: Option<Arc<Recorder>>,
}

impl Recordings {
    /// Writes everything to a file.
    pub(crate) fn record(&mut self, path: &Path) -> Result<(), String> {
        let failed = |why: &str| failed("--record", path, why);
        // A slip of the hand must not cost a document.
        if fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() > 0) && !Player::is_recording(path) {
            return Err(failed("it exists and is not a recording, so it is not written over"));
        }
        let recorder = File::create(path).and_then(Recorder::new);
        self.recorder = Some(Arc::new(recorder.map_err(|error| failed(&reason(&error)))?));
        Ok(())
    }

    /// Takes everything from a file.
    pub(crate) fn replay(&mut self, path: &Path) -> Result<(), String> {
        self.player = Some(Arc::new(Player::open(path).map_err(|why| failed("--replay", path, &why))?));
        self.is_closed = true;
        Ok(())
    }

    /// Takes from a file what it has, asks for the rest, and adds it there. Where there is no file yet, one is begun.
    pub(crate) fn resume(&mut self, path: &Path) -> Result<(), String> {
        if !path.exists() {
            return self.record(path);
        }
        let failed = |why: &str| failed("--resume", path, why);
        let player = Player::open(path).map_err(|why| failed(&why))?.only_good();
        let mut file = OpenOptions::new().write(true).open(path).map_err(|error| failed(&reason(&error)))?;
        let length = file.metadata().map_err(|error| failed(&reason(&error)))?.len();
        if length > player.length {
            warn(&format!("the last line of {} is cut; it is dropped", path.display()));
        }
        let end = file.set_len(player.length).and_then(|()| file.seek(SeekFrom::End(0)));
        end.map_err(|error| failed(&reason(&error)))?;
        self.recorder = Some(Arc::new(Recorder::after(file, player.next)));
        self.player = Some(Arc::new(player));
        Ok(())
    }

    /// Asks only whether what a file has still holds.
    pub(crate) fn revalidate(&mut self, path: &Path) -> Result<(), String> {
        self.earlier = Some(Arc::new(Player::open(path).map_err(|why| failed("--revalidate", path, &why))?));
        Ok(())
    }
}

fn failed(option: &str, path: &Path, why: &str) -> String {
    format!("{option}: {} cannot be used: {why}", path.display())
}
