//! Finds the configuration file.

use std::path::PathBuf;

/// Its name.
const NAME: &str = "resourcesync.toml";

/// The nearest one in the working folder or its parents, up to the first folder with `.git`.
pub(super) fn configuration() -> Option<PathBuf> {
    let working = std::env::current_dir().ok()?;
    for folder in working.ancestors() {
        let path = folder.join(NAME);
        if path.is_file() {
            return Some(path);
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}
