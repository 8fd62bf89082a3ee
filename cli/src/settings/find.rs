//! Finds the configuration file.

use std::path::PathBuf;

use resourcesync_client::folder::is_of_other_user;

use crate::error::warn;

/// Its name.
const NAME: &str = "resourcesync.toml";

/// A configuration file that was found.
pub(super) struct Found {
    pub(super) path: PathBuf,
    /// Its name in the report: relative to the working folder, so that reports do not depend on where that is.
    pub(super) name: String,
}

/// The nearest one in the working folder or its parents, up to the first folder with `.git`.
pub(super) fn configuration() -> Option<Found> {
    let working = std::env::current_dir().ok()?;
    for (level, folder) in working.ancestors().enumerate() {
        let path = folder.join(NAME);
        if path.is_file() {
            if !is_of_other_user(&path) {
                return Some(Found { path, name: format!("{}{NAME}", "../".repeat(level)) });
            }
            let shown = path.display();
            warn(&format!(
                "the configuration {shown} belongs to another user and is ignored; to use it, pass --config"
            ));
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}
