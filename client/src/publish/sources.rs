//! One description over several Sources that are published below one folder.

use std::{fs, io, path::Path};

use resourcesync::{
    build::{SourceDescriptionEntry, SourceDescriptionIndex},
    publish::{ABOUT, about_uri},
    value::Uri,
};

use super::Error;
use crate::{
    folder::{Generations, write_atomic},
    system::reason,
};

/// The path of a Source Description.
const DESCRIPTION: &str = ".well-known/resourcesync";

/// The URI of the description over the Sources below a base.
#[must_use]
pub fn sources_uri(documents: &Uri) -> Uri {
    Uri::from_iri(&format!("{documents}{DESCRIPTION}")).unwrap_or_else(|_| documents.clone())
}

/// Writes the Source Description Index and the page of the Sources that are published in folders of these names below a folder, and of
/// those that the index had before. Returns the names of the latter.
///
/// # Errors
///
/// If the folder is a Source itself, or was published at another URI, or something else has the name of one of these files; or if they cannot
/// be written.
pub fn describe_sources(out: &Path, documents: &Uri, names: &[String]) -> Result<Vec<String>, Error> {
    if Generations::published_state(out).ok().flatten().is_some() {
        return Err(format!("{} is a Source itself; publish several to another --out", out.display()).into());
    }
    let is_published = |name: &String| out.join(name).join(DESCRIPTION).is_file();
    let uri = |path: &str| Uri::from_iri(&format!("{documents}{path}")).map_err(|error| Error::new(error.to_string()));
    let before = fs::read_to_string(out.join(DESCRIPTION)).unwrap_or_default();
    let has = |uri: &Uri| before.contains(&uri.as_str().replace('&', "&amp;"));
    if before.contains(INDEX) && !has(&about_uri(documents)) {
        let why = "was published at another URI; publish to another --out";
        return Err(format!("{} {why}", out.display()).into());
    }
    let mut others = Vec::new();
    let entries = match fs::read_dir(out) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        entries => entries
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .map_err(|error| format!("{} could not be read: {}", out.display(), reason(&error)))?,
    };
    for entry in entries {
        let Ok(name) = entry.file_name().into_string() else { continue };
        if !names.contains(&name) && is_published(&name) && has(&uri(&format!("{name}/{DESCRIPTION}"))?) {
            others.push(name);
        }
    }
    others.sort();
    let published: Vec<&String> = names.iter().filter(|name| is_published(name)).chain(&others).collect();
    if published.is_empty() || names.is_empty() {
        return Ok(others);
    }
    let mut index = SourceDescriptionIndex::new().describedby(about_uri(documents)).begin()?;
    for name in &published {
        index.push(SourceDescriptionEntry::new(uri(&format!("{name}/{DESCRIPTION}"))?))?;
    }
    replace(out, ABOUT, &page(documents, &published), MARK)?;
    replace(out, DESCRIPTION, &index.finish()?, INDEX)?;
    Ok(others)
}

/// What the index has that is written here.
const INDEX: &str = "<sitemapindex";
/// What the page has that is written here.
const MARK: &str = "<!-- resourcesync: several Sources -->";

fn page(documents: &Uri, names: &[&String]) -> String {
    let item = |name: &&String| format!("<li><a href=\"{documents}{name}/{ABOUT}\">{name}</a></li>\n");
    let items: String = names.iter().map(item).collect();
    let start = format!("{documents}{DESCRIPTION}");
    format!(
        "<!DOCTYPE html>\n{MARK}\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>ResourceSync at {documents}</title>\n</head>\n\
         <body>\n<h1>ResourceSync at {documents}</h1>\n\
         <p>These Sources can be harvested and kept in step with by \
         <a href=\"https://www.openarchives.org/rs/toc\">ResourceSync</a> (ANSI/NISO Z39.99-2017), each by itself or all of them from \
         <a href=\"{start}\">{start}</a>.</p>\n<ul>\n{items}</ul>\n</body>\n</html>\n"
    )
}

/// Replaces a file that was written here, if it differs.
fn replace(out: &Path, name: &str, text: &str, mark: &str) -> Result<(), Error> {
    let path = out.join(name);
    let failed = |error: &io::Error| Error::new(format!("{} could not be written: {}", path.display(), reason(error)));
    match fs::read_to_string(&path) {
        Ok(known) if known == text => return Ok(()),
        Ok(known) if known.contains(mark) => {}
        Ok(_) => return Err(format!("{} was not published here; move it away", path.display()).into()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(&error)),
    }
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| write_atomic(&path, text.as_bytes()));
    written.map_err(|error| failed(&error))
}
