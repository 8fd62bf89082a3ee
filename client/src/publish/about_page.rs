//! The default page that describes a Source.

use std::{fs, path::Path};

use resourcesync::{build::about_page, value::Uri};

use super::{Error, grouped::unwritten};

/// Its file name.
pub(crate) const ABOUT: &str = "about.html";

/// Its URI.
pub(crate) fn uri(documents: &Uri) -> Uri {
    Uri::from_iri(&format!("{documents}{ABOUT}")).unwrap_or_else(|_| documents.clone())
}

/// Writes the page.
pub(crate) fn write<'a>(
    folder: &Path,
    documents: &Uri,
    sets: impl Iterator<Item = &'a String> + Clone,
    suffix: &str,
) -> Result<(), Error> {
    let place = folder.join(ABOUT);
    let page = about_page(documents, sets.map(String::as_str), suffix);
    fs::write(&place, page).map_err(|error| unwritten(&place, &error))
}
