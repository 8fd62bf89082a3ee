//! Finds the configuration file.

use std::path::PathBuf;

use resourcesync_client::folder::is_of_other_user;

use crate::error::warn;

/// Its name.
const NAME: &str = "resourcesync.toml";

/// The nearest one in the working folder or its parents, up to the first folder with `.git`.
pub(super) fn configuration() -> Option<PathBuf> {
    let working = std::env::current_dir().ok()?;
    for folder in working.ancestors() {
        let path = folder.join(NAME);
        if path.is_file() {
            if !is_of_other_user(&path) {
                return Some(path);
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
