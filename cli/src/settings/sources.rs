//! The tables `[[source]]` of a configuration: the Sources of one run of `sync`, each with options of its own.

use std::path::{Component, PathBuf};

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
    apart(&sources, |source| source.options.iter().any(|(name, texts)| name == "whole" && *texts == ["true"]))?;
    Ok(sources)
}

/// Checks that no copy is in the folder of one that is replaced as a whole.
pub(super) fn apart(sources: &[Source], is_whole: impl Fn(&Source) -> bool) -> Result<(), Complaint> {
    for outer in sources.iter().filter(|source| is_whole(source)) {
        let (own, uri) = (folder(&outer.dir), &outer.uri);
        let is_inside = |dir: &str| folder(dir).strip_prefix(&own).is_ok_and(|rest| !rest.as_os_str().is_empty());
        if let Some(Source { at, dir, .. }) = sources.iter().find(|source| is_inside(&source.dir)) {
            return Err((*at, format!("`{dir}` is in the folder of {uri}, which `whole` replaces")));
        }
    }
    Ok(())
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

/// A folder as it is compared: without `.`, and without a separator at its end.
fn folder(dir: &str) -> PathBuf {
    PathBuf::from(dir).components().filter(|part| *part != Component::CurDir).collect()
}
