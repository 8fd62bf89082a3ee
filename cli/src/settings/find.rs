//! Finds the configuration file.

use std::path::PathBuf;

use clap::{ArgMatches, FromArgMatches};
use resourcesync::report::Lang;
use resourcesync_client::folder::is_of_other_user;

use super::file::ConfigFile;
use crate::{arguments::Language, error::warn};

/// Its name.
const NAME: &str = "resourcesync.toml";

/// The configuration file that applies to a subcommand with these arguments.
pub(super) fn configuration(arguments: &ArgMatches) -> Option<ConfigFile> {
    // `completions` and the like lack both options: an error in a debug build, no value in another one.
    let Ok(Some(&is_refused)) = arguments.try_get_one::<bool>("no-config") else { return None };
    match arguments.get_one::<PathBuf>("config") {
        Some(path) => Some(ConfigFile {
            path: path.clone(),
            name: path.display().to_string(),
            is_named: true,
            arguments: Vec::new(),
        }),
        None if is_refused => None,
        None => nearest(Language::from_arg_matches(arguments).unwrap_or_default().for_people()),
    }
}

/// The nearest one in the working folder or its parents, up to the first folder with `.git`.
fn nearest(lang: Lang) -> Option<ConfigFile> {
    let working = std::env::current_dir().ok()?;
    for (level, folder) in working.ancestors().enumerate() {
        let path = folder.join(NAME);
        if path.is_file() {
            if !is_of_other_user(&path) {
                let name = format!("{}{NAME}", "../".repeat(level));
                return Some(ConfigFile { path, name, is_named: false, arguments: Vec::new() });
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
