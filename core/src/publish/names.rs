//! The names of sets, and of the folders of their documents.

use alloc::{format, string::String};

/// Checks the name of a set, which is also the name of its folder.
///
/// # Errors
///
/// If it contains characters that are not portable, or starts with a dot.
pub fn check_set(name: &str) -> Result<(), String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if name.bytes().all(plain) && !name.starts_with('.') {
        return Ok(());
    }
    Err(format!("`{name}` is not a valid name for a set: use letters, digits, `-`, `_` and `.`, and no leading `.`"))
}

/// The folder of the documents of a set, with a slash; empty without sets.
#[must_use]
pub fn prefix(set: &str) -> String {
    if set.is_empty() { String::new() } else { format!("{set}/") }
}
