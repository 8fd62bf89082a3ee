//! From what the user names to what is read: files, folders, lists, standard input.

mod folder;
mod list;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use resourcesync::{api::Source, report::Via};
use resourcesync_client::Cancel;

use crate::{
    arguments::Validate,
    http::Client,
    trouble::{Trouble, reason, warn},
};

/// One thing to do, in the order of the report.
#[derive(Debug)]
pub(crate) enum Step {
    /// Validate this.
    Read(Input),
    /// Only list it.
    Skip { name: String, reason: &'static str },
    /// All of a folder was named. If none of it was for us, the folder has to answer for it.
    Leave { folder: Source },
}

impl Step {
    /// The input to validate, if this step is one.
    pub(crate) fn input(&self) -> Option<&Input> {
        if let Step::Read(input) = self { Some(input) } else { None }
    }
}

/// One input.
#[derive(Debug)]
pub(crate) struct Input {
    /// What the report says of it.
    pub(crate) source: Source,
    /// Where its bytes are.
    pub(crate) from: From,
    /// How many bytes it will be, where that is known.
    pub(crate) size: u64,
}

/// Where the bytes of an input are.
#[derive(Debug)]
pub(crate) enum From {
    /// A regular file.
    File(PathBuf),
    /// A pipe or device: reading it may wait without end.
    Stream(PathBuf),
    /// Standard input.
    Stdin,
    /// A server.
    Url { uri: String, client: Arc<Client> },
    /// Nowhere, for this reason.
    Nowhere(String),
}

/// What the user named.
#[derive(Debug, Clone)]
pub(crate) enum Named {
    /// `-`.
    Stdin,
    /// A file or folder.
    Path(PathBuf),
    /// What a server has.
    Url(String),
}

/// What the arguments name, in their order; what a list names comes last.
pub(crate) fn named(arguments: &Validate) -> Result<Vec<Named>, Trouble> {
    let argument = |path: &PathBuf| if is_dash(path) { Named::Stdin } else { place(path.clone()) };
    let mut named: Vec<Named> = arguments.paths.iter().map(argument).collect();
    let is_stdin = |named: &&Named| matches!(named, Named::Stdin);
    let listed_there = usize::from(arguments.files_from.as_deref().is_some_and(is_dash));
    if named.iter().filter(is_stdin).count().saturating_add(listed_there) > 1 {
        return Err("standard input (`-`) can be given only once".into());
    }
    if let Some(file) = &arguments.files_from {
        let listed = list::read(file, arguments.null)?;
        if listed.is_empty() && named.is_empty() {
            warn(&format!("the list {} names no file; nothing was validated", file.display()));
        }
        named.extend(listed.into_iter().map(place));
    }
    Ok(named)
}

/// A URL, or else a path.
fn place(path: PathBuf) -> Named {
    url(&path).map(str::to_owned).map_or(Named::Path(path), Named::Url)
}

/// The URLs among what was named.
pub(crate) fn urls(named: &[Named]) -> Vec<String> {
    named.iter().filter_map(|named| if let Named::Url(url) = named { Some(url.clone()) } else { None }).collect()
}

/// What to do with what was named; the client is for URLs.
pub(crate) fn steps(
    named: Vec<Named>,
    name: Option<&str>,
    uri: Option<&str>,
    client: Option<&Arc<Client>>,
    cancel: &Cancel,
) -> Result<Vec<Step>, Trouble> {
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
                    input.source.uri = Some(uri.to_owned());
                }
                if let Some(name) = name {
                    input.source.name = name.to_owned();
                }
            }
            _ => return Err("--name and --uri are for a single document".into()),
        }
    }
    Ok(steps)
}

fn add(path: PathBuf, steps: &mut Vec<Step>, cancel: &Cancel) {
    let name = path.to_string_lossy().into_owned();
    match fs::metadata(&path) {
        Ok(meta) if meta.is_dir() => {
            folder::walk(&path, &name, steps, cancel);
            steps.push(Step::Leave { folder: Source::named(name) });
        }
        Ok(meta) if meta.is_file() => steps.push(read(name, Via::Argument, From::File(path), meta.len())),
        Ok(_) => steps.push(read(name, Via::Argument, From::Stream(path), 0)),
        Err(error) => steps.push(read(name, Via::Argument, From::Nowhere(reason(&error)), 0)),
    }
}

fn read(name: String, via: Via, from: From, size: u64) -> Step {
    Step::Read(Input { source: Source { name, uri: None, via }, from, size })
}

fn fetch(uri: String, client: Option<&Arc<Client>>) -> Step {
    let source = Source { name: uri.clone(), uri: Some(uri.clone()), via: Via::Argument };
    let from = match client {
        Some(client) => From::Url { uri, client: client.clone() },
        None => From::Nowhere("URLs are not fetched here".to_owned()),
    };
    Step::Read(Input { source, from, size: 0 })
}

fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The argument, if it is a URL and not a path.
fn url(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)).then_some(text)
}
