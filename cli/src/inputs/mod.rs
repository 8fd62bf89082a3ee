//! Converts arguments to inputs: files, folders, lists, standard input, URLs.

mod list;

use std::path::{Path, PathBuf};

use resourcesync::report::Lang;
use resourcesync_client::batch::Location;

use self::list::is_dash;
use crate::{
    arguments::Validate,
    error::{CliError, warn},
};

/// The inputs named by the arguments, in order, followed by those in lists.
pub(crate) fn named(arguments: &Validate) -> Result<Vec<Location>, CliError> {
    let argument = |path: &PathBuf| if is_dash(path) { Location::Stdin } else { place(path.clone()) };
    let mut named: Vec<Location> = arguments.paths.iter().map(argument).collect();
    let is_stdin = |named: &&Location| matches!(named, Location::Stdin);
    let listed_there = usize::from(arguments.files_from.as_deref().is_some_and(is_dash));
    if named.iter().filter(is_stdin).count().saturating_add(listed_there) > 1 {
        return Err("standard input (`-`) can be used only once".into());
    }
    if let Some(file) = &arguments.files_from {
        let listed = list::read(file, arguments.null)?;
        if listed.is_empty() && named.is_empty() {
            let (lang, file) = (arguments.terminal.language.for_people(), file.display());
            let words = match lang {
                Lang::En => format!("the list {file} is empty; nothing was validated"),
                Lang::Ja => format!("リスト {file} が空のため、何も検証していません"),
            };
            warn(&words, lang);
        }
        named.extend(listed.into_iter().map(place));
    }
    Ok(named)
}

/// The paths named by the arguments, followed by those in a list.
pub(crate) fn listed(named: &[PathBuf], file: Option<&Path>, null: bool) -> Result<Vec<PathBuf>, CliError> {
    let listed = file.map(|file| list::read(file, null)).transpose()?;
    Ok(named.iter().cloned().chain(listed.into_iter().flatten()).collect())
}

/// A URL, or otherwise a path.
fn place(path: PathBuf) -> Location {
    url(&path).map(str::to_owned).map_or(Location::Path(path), Location::Url)
}

/// The URLs among the inputs.
pub(crate) fn urls(named: &[Location]) -> Vec<String> {
    named.iter().filter_map(|named| if let Location::Url(url) = named { Some(url.clone()) } else { None }).collect()
}

/// Rejects a URL where only files can be read.
pub(crate) fn without_url(path: &Path) -> Result<(), CliError> {
    match url(path) {
        Some(url) => {
            let accepted = "`validate`, `list`, `extract`, `sync` and `oai` accept URLs";
            Err(format!("{url} is a URL; download it first ({accepted})").into())
        }
        None => Ok(()),
    }
}

/// The argument, if it is a URL and not a path.
pub(crate) fn url(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)).then_some(text)
}
