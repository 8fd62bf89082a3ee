//! The steps of a run: what is validated, and what is only listed.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use resourcesync::{api::InputOrigin, diagnostic::Reason};

use crate::http::Client;

/// One step of a run, in the order of the report.
#[derive(Debug)]
pub enum Step {
    /// Validate this.
    Read(Input),
    /// Only list it as skipped.
    Skip {
        /// Its name in the report.
        name: String,
        /// The reason.
        reason: Reason,
    },
    /// The end of a folder, after its contents. If it has no inputs, the folder itself is reported.
    EndFolder {
        /// The origin of the folder for the report.
        folder: InputOrigin,
    },
}

impl Step {
    /// The input to validate, if this step is one.
    #[must_use]
    pub fn input(&self) -> Option<&Input> {
        if let Step::Read(input) = self { Some(input) } else { None }
    }
}

/// One input.
#[derive(Debug)]
pub struct Input {
    /// Its origin for the report.
    pub origin: InputOrigin,
    /// The location of its bytes.
    pub from: ReadFrom,
    /// Its size in bytes, if known.
    pub size: u64,
}

/// The location of the bytes of an input.
#[derive(Debug)]
pub enum ReadFrom {
    /// A regular file.
    File(PathBuf),
    /// A pipe or device: reading it may block indefinitely.
    Stream(PathBuf),
    /// Standard input.
    Stdin,
    /// A server.
    Url {
        /// The URL.
        uri: String,
        /// The client for requests.
        client: Arc<Client>,
        /// True if the user specified the URL, false if a document lists it.
        is_start: bool,
    },
    /// Unavailable, for this reason.
    Nowhere(Reason),
}

impl ReadFrom {
    /// The path of a regular file.
    pub(super) fn path(&self) -> Option<&Path> {
        if let ReadFrom::File(path) = self { Some(path) } else { None }
    }

    /// Its file name.
    pub(super) fn file_name(&self) -> Option<String> {
        let name = self.path()?.file_name()?;
        Some(name.to_string_lossy().into_owned())
    }
}
