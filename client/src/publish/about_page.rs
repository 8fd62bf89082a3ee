//! The default page that describes a Source.

use std::{fs, path::Path};

use resourcesync::value::Uri;

use super::Error;
use super::{grouped::unwritten, packages::prefix};

/// Its file name.
pub(crate) const ABOUT: &str = "about.html";

/// Its URI.
pub(crate) fn uri(documents: &Uri) -> Uri {
    Uri::from_iri(&format!("{documents}{ABOUT}")).unwrap_or_else(|_| documents.clone())
}

/// Writes the page: a description, the starting point, and the links by which browser extensions and harvesters find
/// Capability Lists.
pub(crate) fn write<'a>(
    folder: &Path,
    documents: &Uri,
    sets: impl Iterator<Item = &'a String>,
    suffix: &str,
) -> Result<(), Error> {
    let base = escaped(documents.as_str());
    let lists: Vec<String> = sets.map(|set| format!("{base}{}capabilitylist{suffix}", prefix(set))).collect();
    let links: String = lists.iter().map(|list| format!("<link rel=\"resourcesync\" href=\"{list}\">\n")).collect();
    let items: String = lists.iter().map(|list| format!("<li><a href=\"{list}\">{list}</a></li>\n")).collect();
    let start = format!("{base}.well-known/resourcesync");
    let page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>ResourceSync at {base}</title>\n{links}</head>\n\
         <body>\n<h1>ResourceSync at {base}</h1>\n\
         <p>The resources of this site can be harvested and kept in step with by \
         <a href=\"https://www.openarchives.org/rs/toc\">ResourceSync</a> (ANSI/NISO Z39.99-2017). \
         Harvesters begin at <a href=\"{start}\">{start}</a>.</p>\n<ul>\n{items}</ul>\n</body>\n</html>\n"
    );
    let place = folder.join(ABOUT);
    fs::write(&place, page).map_err(|error| unwritten(&place, &error))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}
