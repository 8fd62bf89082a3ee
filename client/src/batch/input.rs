//! From what the user names to what is read: files, folders, lists, standard input.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use resourcesync::{
    api::InputOrigin,
    diagnostic::{Reason, ReasonCode},
    report::Via,
};

use super::folder;
use crate::{cancel::Cancel, http::Client, system::reason};

/// One thing to do, in the order of the report.
#[derive(Debug)]
pub enum Step {
    /// Validate this.
    Read(Input),
    /// Only list it.
    Skip {
        /// How the report calls it.
        name: String,
        /// Why it is not validated.
        reason: Reason,
    },
    /// All of a folder was named. If none of it was for us, the folder has to answer for it.
    Leave {
        /// What the report says of the folder.
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
    /// What the report says of it.
    pub origin: InputOrigin,
    /// Where its bytes are.
    pub from: From,
    /// How many bytes it will be, where that is known.
    pub size: u64,
}

/// Where the bytes of an input are.
#[derive(Debug)]
pub enum From {
    /// A regular file.
    File(PathBuf),
    /// A pipe or device: reading it may wait without end.
    Stream(PathBuf),
    /// Standard input.
    Stdin,
    /// A server.
    Url {
        /// What is asked for.
        uri: String,
        /// Who asks.
        client: Arc<Client>,
    },
    /// Nowhere, for this reason.
    Nowhere(Reason),
}

impl From {
    /// The path of a regular file.
    pub(super) fn path(&self) -> Option<&Path> {
        if let From::File(path) = self { Some(path) } else { None }
    }

    /// Its name, without the folders.
    pub(super) fn file_name(&self) -> Option<String> {
        let name = self.path()?.file_name()?;
        Some(name.to_string_lossy().into_owned())
    }
}

/// What the user named.
#[derive(Debug, Clone)]
pub enum Named {
    /// `-`.
    Stdin,
    /// A file or folder.
    Path(PathBuf),
    /// What a server has.
    Url(String),
}

/// What to do with what was named; the client is for URLs.
///
/// # Errors
///
/// In one line, if a name or a URI is given for more than one document.
pub fn steps(
    named: Vec<Named>,
    name: Option<&str>,
    uri: Option<&str>,
    client: Option<&Arc<Client>>,
    cancel: &Cancel,
) -> Result<Vec<Step>, String> {
    let single = named.len() == 1;
    let mut steps = Vec::new();
    for one in named {
        match one {
            Named::Stdin => steps.push(read("-".to_owned(), Via::Stdin, From::Stdin, 0)),
            Named::Path(path) => add(path, &mut steps, cancel),
            Named::Url(uri) => steps.push(fetch(uri, client)),
        }
    }
    if name.is_some() || uri.is_some() {
        match steps.as_mut_slice() {
            [Step::Read(input)] if single => {
                if let Some(uri) = uri {
                    input.origin.uri = Some(uri.to_owned());
                }
                if let Some(name) = name {
                    input.origin.name = name.to_owned();
                }
            }
            _ => return Err("--name and --uri are for a single document".to_owned()),
        }
    }
    Ok(steps)
}

fn add(path: PathBuf, steps: &mut Vec<Step>, cancel: &Cancel) {
    let name = path.to_string_lossy().into_owned();
    match fs::metadata(&path) {
        Ok(meta) if meta.is_dir() => {
            folder::walk(&path, &name, steps, cancel);
            steps.push(Step::Leave { folder: InputOrigin::named(name) });
        }
        Ok(meta) if meta.is_file() => steps.push(read(name, Via::Argument, From::File(path), meta.len())),
        Ok(_) => steps.push(read(name, Via::Argument, From::Stream(path), 0)),
        Err(error) => steps.push(read(name, Via::Argument, From::Nowhere(reason(&error)), 0)),
    }
}

fn read(name: String, via: Via, from: From, size: u64) -> Step {
    Step::Read(Input { origin: InputOrigin { name, uri: None, via }, from, size })
}

fn fetch(uri: String, client: Option<&Arc<Client>>) -> Step {
    let origin = InputOrigin { name: uri.clone(), uri: Some(uri.clone()), via: Via::Argument };
    let from = match client {
        Some(client) => From::Url { uri, client: client.clone() },
        None => From::Nowhere(Reason::new(ReasonCode::NoFetching)),
    };
    Step::Read(Input { origin, from, size: 0 })
}
