//! Expands locations to inputs: files, folders and their contents, URLs, standard input.

use std::{error::Error, fmt, fs, path::PathBuf, sync::Arc};

use resourcesync::{
    api::InputOrigin,
    diagnostic::{Reason, ReasonCode},
    report::Via,
};

use super::{
    folder,
    step::{Input, ReadFrom, Step},
};
use crate::{cancel::Cancel, http::Client, system::reason};

/// The location of something to validate.
#[derive(Debug, Clone)]
pub enum Location {
    /// Standard input.
    Stdin,
    /// A file or folder.
    Path(PathBuf),
    /// A URL.
    Url(String),
}

/// A name or a URI was given for something else than a single document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotSingle;

impl fmt::Display for NotSingle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name and a URI are for a single document")
    }
}

impl Error for NotSingle {}

/// The steps of a run over these locations. A name and a URI override those of a single document; the client fetches
/// URLs.
///
/// # Errors
///
/// If a name or a URI is given for something else than a single document.
pub fn steps(
    locations: Vec<Location>,
    name: Option<&str>,
    uri: Option<&str>,
    client: Option<&Arc<Client>>,
    cancel: &Cancel,
) -> Result<Vec<Step>, NotSingle> {
    let single = locations.len() == 1;
    let mut steps = Vec::new();
    for one in locations {
        match one {
            Location::Stdin => steps.push(read("-".to_owned(), Via::Stdin, ReadFrom::Stdin, 0)),
            Location::Path(path) => add(path, &mut steps, cancel),
            Location::Url(uri) => steps.push(fetch(uri, client)),
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
            _ => return Err(NotSingle),
        }
    }
    Ok(steps)
}

fn add(path: PathBuf, steps: &mut Vec<Step>, cancel: &Cancel) {
    let name = path.to_string_lossy().into_owned();
    match fs::metadata(&path) {
        Ok(meta) if meta.is_dir() => {
            folder::walk(&path, &name, steps, cancel);
            steps.push(Step::EndFolder { folder: InputOrigin::named(name) });
        }
        Ok(meta) if meta.is_file() => steps.push(read(name, Via::Argument, ReadFrom::File(path), meta.len())),
        Ok(_) => steps.push(read(name, Via::Argument, ReadFrom::Stream(path), 0)),
        Err(error) => steps.push(read(name, Via::Argument, ReadFrom::Nowhere(reason(&error)), 0)),
    }
}

fn read(name: String, via: Via, from: ReadFrom, size: u64) -> Step {
    Step::Read(Input { origin: InputOrigin { name, uri: None, via }, from, size })
}

fn fetch(uri: String, client: Option<&Arc<Client>>) -> Step {
    let origin = InputOrigin { name: uri.clone(), uri: Some(uri.clone()), via: Via::Argument };
    let from = match client {
        Some(client) => ReadFrom::Url { uri, client: client.clone(), is_start: true },
        None => ReadFrom::Nowhere(Reason::new(ReasonCode::NoFetching)),
    };
    Step::Read(Input { origin, from, size: 0 })
}
