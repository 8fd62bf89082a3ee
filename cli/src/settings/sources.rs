//! The tables `[[source]]` of a configuration: the Sources of one run of `sync`, each with options of its own.

use std::path::{self, Component, PathBuf};

use clap::Command;
use resourcesync::edit_distance::unknown;
use resourcesync_client::http::Policy;
use toml::de::{DeTable, DeValue};

use super::{
    file::{Complaint, Value},
    values::{check, in_order, pairs, text, texts},
};

/// The name of the tables.
pub(super) const SOURCE: &str = "source";

/// Options that are of the whole run, and stand on the command line only.
const OF_THE_RUN: &[&str] =
    &["config", "no-config", "watch", "jobs", "format", "output", "lang", "color", "quiet", "log", "help"];

/// A table, checked.
#[derive(Debug)]
pub(super) struct Source {
    /// Its place in the file.
    pub(super) at: usize,
    pub(super) uri: String,
    pub(super) dir: String,
    /// The options that it sets, by their names, as the command line has them.
    pub(super) options: Vec<(String, Vec<String>)>,
}

/// Reads and checks the tables.
pub(super) fn read(value: &Value<'_>, command: &Command) -> Result<Vec<Source>, Complaint> {
    let wrong = |at| (at, format!("expected tables `[[{SOURCE}]]`"));
    let DeValue::Array(items) = value.get_ref() else { return Err(wrong(value.span().start)) };
    let Some(sync) = command.find_subcommand("sync") else { return Ok(Vec::new()) };
    let mut sources: Vec<Source> = Vec::new();
    for item in items.iter() {
        let DeValue::Table(table) = item.get_ref() else { return Err(wrong(item.span().start)) };
        let source = Source::read(table, item.span().start, sync)?;
        let folder = folder(&source.dir);
        if let Some(other) = sources.iter().find(|other| self::folder(&other.dir) == folder) {
            return Err((source.at, format!("`{}` is the folder of {}, too", source.dir, other.uri)));
        }
        sources.push(source);
    }
    Ok(sources)
}

/// Checks that no copy is in a folder that is replaced as a whole, that of the copy of a Source.
pub(super) fn check_apart(sources: &[Source], outer: &str, uri: &str) -> Result<(), Complaint> {
    let outer = folder(outer);
    let is_inside = |dir: &str| folder(dir).strip_prefix(&outer).is_ok_and(|rest| !rest.as_os_str().is_empty());
    match sources.iter().find(|source| is_inside(&source.dir)) {
        Some(Source { at, dir, .. }) => {
            Err((*at, format!("`{dir}` is in the folder of {uri}, which `whole` replaces")))
        }
        None => Ok(()),
    }
}

impl Source {
    /// Reads a table.
    fn read(table: &DeTable<'_>, at: usize, sync: &Command) -> Result<Source, Complaint> {
        let mut source = Source { at, uri: String::new(), dir: String::new(), options: Vec::new() };
        for (key, value) in in_order(table) {
            let name: &str = key.get_ref();
            let start = value.span().start;
            if name == "uri" {
                source.uri = text(value)?;
                Policy::default().start(&source.uri).map_err(|error| (start, error.to_string()))?;
                continue;
            }
            if name == "dir" {
                source.dir = text(value)?;
                continue;
            }
            let is_own = |name: &str| !OF_THE_RUN.contains(&name);
            let Some(arg) = sync.get_arguments().find(|arg| arg.get_long() == Some(name) && is_own(name)) else {
                let names = sync.get_arguments().filter_map(clap::Arg::get_long).filter(|name| is_own(name));
                return Err((key.span().start, unknown("key", name, ["uri", "dir"].into_iter().chain(names))));
            };
            let is_pair = arg.get_value_names().is_some_and(|names| names.iter().any(|name| name.contains('=')));
            // Hosts that get a header or a token are written as on the command line.
            let is_table = is_pair && matches!(value.get_ref(), DeValue::Table(_));
            let texts = if is_table { pairs(value)? } else { texts(arg, value)? };
            for (at, text) in &texts {
                check(sync, arg, text).map_err(|words| (*at, words))?;
            }
            source.options.push((name.to_owned(), texts.into_iter().map(|(_, text)| text).collect()));
        }
        match (source.uri.is_empty(), source.dir.is_empty()) {
            (true, _) => Err((at, "a Source needs a key `uri`".to_owned())),
            (_, true) => Err((at, format!("the Source {} needs a key `dir`, the folder of its copy", source.uri))),
            _ => Ok(source),
        }
    }
}

/// A folder as it is compared: absolute, without `.`, `..` and a separator at its end.
fn folder(dir: &str) -> PathBuf {
    let mut folder = PathBuf::new();
    for part in path::absolute(dir).unwrap_or_else(|_| dir.into()).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(folder.pop()),
            part => folder.push(part),
        }
    }
    folder
}
