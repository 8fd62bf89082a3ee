//! The page that describes a Source unless another document does.

use crate::{
    build::{Store, about_page},
    value::Uri,
};

/// Its path.
pub const ABOUT: &str = "about.html";

/// Its URI.
#[must_use]
pub fn about_uri(documents: &Uri) -> Uri {
    Uri::from_iri(&alloc::format!("{documents}{ABOUT}")).unwrap_or_else(|_| documents.clone())
}

/// Writes it, with more HTML at its end.
///
/// # Errors
///
/// If the store fails.
pub fn write_about<'a, S: Store>(
    store: &mut S,
    documents: &Uri,
    sets: impl Iterator<Item = &'a str> + Clone,
    suffix: &str,
    more: &str,
) -> Result<(), S::Error> {
    store.begin(ABOUT)?;
    store.write(about_page(documents, sets, suffix, more).as_bytes())?;
    store.end()
}
