//! Finds the configuration file.

use std::path::PathBuf;

use resourcesync::report::Lang;
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
pub(super) fn configuration(lang: Lang) -> Option<Found> {
    let working = std::env::current_dir().ok()?;
    for (level, folder) in working.ancestors().enumerate() {
        let path = folder.join(NAME);
        if path.is_file() {
            if !is_of_other_user(&path) {
                return Some(Found { path, name: format!("{}{NAME}", "../".repeat(level)) });
            }
            let shown = path.display();
            let words = match lang {
                Lang::En => format!(
                    "the configuration {shown} belongs to another user and is ignored; to use it, pass --config"
                ),
                Lang::Ja => format!(
                    "設定ファイル {shown} の所有者がほかの利用者のため、使用しません。使用するには --config で指定してください"
                ),
            };
            warn(&words, lang);
        }
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}
