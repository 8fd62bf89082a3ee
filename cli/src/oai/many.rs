//! Many repositories in one run: one folder for each, several hosts in parallel, one table at the end.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    num::NonZeroUsize,
    path::{Path, PathBuf},
};

use resourcesync::{diagnostic::Severity, report::Lang};
use resourcesync_client::{
    Cancel,
    http::per_host,
    oai::{Config, HarvestError},
    publish::{check_quotes, decode},
    reason,
};

use resourcesync_oai::bridge::short_digest;

use super::{
    one::{Options, Outcome, Target, into_store},
    progress::Progress,
    session, summary,
    summary::Summary,
    table,
};
use crate::{
    arguments::{Harvesting, OaiCommon, OaiHarvest, Tabular},
    error::{CliError, warn},
    outputs::stdout,
    status,
};

/// Runs it.
pub(super) fn run(arguments: &OaiHarvest, cancel: &Cancel) -> Result<i32, CliError> {
    let Listed { targets, status } = targets(arguments)?;
    let outcomes = harvest(arguments.into(), &targets, arguments.jobs, cancel);
    outcomes.values().flatten().for_each(|outcome| summary::name_limit(&outcome.proof, cancel, arguments.lang()));
    Ok(status::worse(status, report(arguments, &targets, &outcomes)?))
}

/// The outcomes of harvests, by the number of the repository.
pub(super) type Outcomes = BTreeMap<usize, Result<Outcome, CliError>>;

/// Harvests repositories into their stores.
pub(super) fn harvest(options: Options<'_>, targets: &[Target], jobs: NonZeroUsize, cancel: &Cancel) -> Outcomes {
    let (count, mut done, mut outcomes) = (targets.len(), 0, BTreeMap::new());
    let mut progress = Progress::new(options.common);
    // Requests to one host are sequential, and keep its pace from one repository to the next.
    let work = |pause: &mut u64, target: Target| -> Result<Outcome, CliError> {
        let outcome = into_store(options, &target, *pause, cancel, &mut |_, _| {});
        *pause = outcome.as_ref().map_or(*pause, |outcome| outcome.pause);
        outcome
    };
    per_host(
        targets.to_vec(),
        |target| &target.url,
        jobs,
        work,
        |number, outcome| {
            outcomes.insert(number, outcome);
            done += 1;
            progress.repositories(done, count);
        },
    );
    progress.end();
    outcomes
}

fn report(arguments: &OaiHarvest, targets: &[Target], outcomes: &Outcomes) -> Result<i32, CliError> {
    let lang = arguments.lang();
    let (text, exit) = table((targets, outcomes), arguments.harvesting.fail_on, (arguments.format, lang))?;
    stdout::write(&text, false)?;
    Ok(exit)
}

/// The table of the outcomes, and their exit status.
pub(super) fn table(
    (targets, outcomes): (&[Target], &Outcomes),
    fail_on: Option<Severity>,
    (format, lang): (Tabular, Lang),
) -> Result<(String, i32), CliError> {
    let errors: BTreeMap<usize, String> =
        outcomes.iter().filter_map(|(number, outcome)| Some((*number, outcome.as_ref().err()?.to_string()))).collect();
    let (mut rows, mut exit) = (Vec::new(), status::VALID);
    for (number, target) in targets.iter().enumerate() {
        let outcome = outcomes.get(&number).and_then(|outcome| outcome.as_ref().ok());
        let proof = outcome.map(|outcome| outcome.proof.as_ref());
        let mut row = Summary::new(&target.url, proof, outcome.and_then(|outcome| outcome.counts), lang);
        row.folder = target.folder.as_ref().map(|folder| folder.display().to_string());
        row.proof = outcome.and_then(|outcome| outcome.path.as_ref()).map(|path| path.display().to_string());
        row.error = errors.get(&number).map(String::as_str);
        rows.push(row);
        let own = proof.map_or(status::UNSURE, |proof| summary::exit(proof, fail_on));
        exit = status::worse(exit, own);
    }
    Ok((table::write(&rows, format, lang)?, exit))
}

/// Repositories, and the status of having left out others.
pub(super) struct Listed {
    pub(super) targets: Vec<Target>,
    pub(super) status: i32,
}

impl From<Vec<Target>> for Listed {
    fn from(targets: Vec<Target>) -> Listed {
        Listed { targets, status: status::VALID }
    }
}

/// The repositories, each with its own folder.
fn targets(arguments: &OaiHarvest) -> Result<Listed, CliError> {
    let Some(into) = &arguments.into else {
        return continued(arguments).map(Listed::from);
    };
    let mut all = match &arguments.repositories {
        Some(path) => listed(path, (&arguments.harvesting, &arguments.common), arguments.lang())?,
        None => {
            let own = |url: &String| Target {
                url: url.clone(),
                prefixes: arguments.harvesting.prefix.clone(),
                sets: arguments.harvesting.set.clone(),
                contact: arguments.common.servers.from.clone(),
                folder: None,
                is_store: false,
            };
            arguments.targets.iter().map(own).collect::<Vec<_>>().into()
        }
    };
    if let Some(other) = all.targets.iter().find(|target| !session::is_url(&target.url)) {
        return Err(format!("`{}` is not an http or https URL", other.url).into());
    }
    let names = names(&all.targets);
    for (target, name) in all.targets.iter_mut().zip(names) {
        target.folder = Some(into.join(name));
    }
    Ok(all)
}

/// The names of the folders of repositories.
pub(super) fn names(targets: &[Target]) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let name_of = |target: &Target| {
        let name = name(target);
        // Names that collide, also on a case-insensitive file system, and those of other files next to these folders.
        let is_other = name.is_empty() || name.eq_ignore_ascii_case("about.html") || name.ends_with(".resourcesync");
        match taken.insert(name.to_lowercase()) && !is_other {
            true => name,
            false => format!("{name}-{}", short_digest(&format!("{target:?}"))),
        }
    };
    targets.iter().map(name_of).collect()
}

/// Several existing stores, or all stores in a folder.
fn continued(arguments: &OaiHarvest) -> Result<Vec<Target>, CliError> {
    let is_other =
        !arguments.harvesting.prefix.is_empty() || !arguments.harvesting.set.is_empty() || arguments.store.is_some();
    if is_other {
        return Err("--prefix, --set, --store and --into apply to a new store only".into());
    }
    let mut targets = Vec::new();
    for named in &arguments.targets {
        let folder = Path::new(named);
        let of_folder = if folder.join(STORE).exists() { vec![folder.to_owned()] } else { stores(folder)? };
        if of_folder.is_empty() {
            return Err(format!("{named} is not the folder of a store; several URLs require --into DIR").into());
        }
        for folder in of_folder {
            let config = Config::read(&folder)?.ok_or_else(|| HarvestError::NotAStore(folder.clone()))?;
            targets.push(Target {
                url: config.url,
                prefixes: config.prefixes,
                sets: config.sets,
                contact: arguments.common.servers.from.clone().or(config.contact),
                folder: Some(folder),
                is_store: true,
            });
        }
    }
    Ok(targets)
}

/// The file that makes a folder a store.
const STORE: &str = "harvest.toml";

/// True if a folder is not a store itself and contains stores.
pub(super) fn has_stores(folder: &Path) -> Result<bool, CliError> {
    Ok(!folder.join(STORE).exists() && !stores(folder)?.is_empty())
}

/// The stores in a folder, by name.
fn stores(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let failed = |error: io::Error| CliError::new(format!("{}: {}", folder.display(), reason(&error)));
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(failed(error)),
    };
    let mut stores = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        if path.join(STORE).exists() {
            stores.push(path);
        }
    }
    stores.sort();
    Ok(stores)
}

/// The rows of a CSV file: `url`, and optionally `prefix`, `set` and `contact`, which override the command line. A row that
/// is not a repository is named and skipped, and unless it is a comment, the status says so.
pub(super) fn listed(
    path: &Path,
    (harvesting, common): (&Harvesting, &OaiCommon),
    lang: Lang,
) -> Result<Listed, CliError> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|error| CliError::new(format!("{name}: {}", reason(&error))))?;
    let (text, encoding) = decode(&bytes).map_err(|_| CliError::new(unknown_encoding(&name.to_string(), lang)))?;
    if let Some(encoding) = encoding {
        warn(&read_as(&name.to_string(), encoding, lang), lang);
    }
    let text = text.trim_start_matches('\u{feff}');
    check_quotes(text).map_err(|(line, why)| CliError::new(format!("{name}:{line}: {why}")))?;
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).flexible(true).from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| CliError::new(format!("{name}: {error}")))?.clone();
    if let Some(twice) = COLUMNS.into_iter().find(|own| headers.iter().filter(|header| header == own).count() > 1) {
        return Err(format!("{name}: several columns are named {twice}").into());
    }
    let column = |name: &str| headers.iter().position(|own| own == name);
    let [url, prefix, set, contact] = COLUMNS.map(column);
    let url = url.ok_or_else(|| {
        let found = headers.iter().collect::<Vec<_>>().join("`, `");
        CliError::new(format!("{name}: no column is named url, there are `{found}`; columns are separated by commas"))
    })?;
    let mut all = Listed::from(Vec::new());
    let lines = lines(text);
    for row in reader.records() {
        let row = row.map_err(|error| CliError::new(format!("{name}: {error}")))?;
        let own = |column: Option<usize>| {
            let cell = column.and_then(|column| row.get(column)).unwrap_or_default();
            Some(cell.to_owned()).filter(|cell| !cell.is_empty())
        };
        let list = |cell: Option<String>, usual: &[String]| {
            let words =
                |cell: String| cell.split(SEPARATORS).map(str::to_owned).filter(|word| !word.is_empty()).collect();
            cell.map_or(usual.to_vec(), words)
        };
        let is_empty = row.iter().all(str::is_empty);
        let found = own(Some(url)).filter(|url| session::is_url(url));
        let Some(url) = found else {
            let start = row.position().map_or(0, |position| position.byte() as usize);
            // The position may be that of the line break before the row, or of empty lines.
            let blank = text.bytes().skip(start).take_while(u8::is_ascii_whitespace).count();
            let line = lines.partition_point(|line| *line <= start.saturating_add(blank));
            let cell = row.get(url).unwrap_or_default();
            if !is_empty {
                warn(&skipped(&format!("{name}:{line}"), cell, lang), lang);
            }
            if !cell.is_empty() && !cell.starts_with('#') {
                all.status = status::UNSURE;
            }
            continue;
        };
        if row.len() > headers.len() {
            let why = "this row has more cells than there are columns; a cell with commas needs quotes";
            return Err(format!("{name}: {url}: {why}").into());
        }
        all.targets.push(Target {
            url,
            prefixes: list(own(prefix), &harvesting.prefix),
            sets: list(own(set), &harvesting.set),
            contact: own(contact).or(common.servers.from.clone()),
            folder: None,
            is_store: false,
        });
    }
    if all.targets.is_empty() {
        return Err(format!("{name} names no repository").into());
    }
    Ok(all)
}

/// The columns of a table of repositories.
const COLUMNS: [&str; 4] = ["url", "prefix", "set", "contact"];

/// Separates several formats or sets in a cell; no format and no set contains one of them.
const SEPARATORS: [char; 9] = [' ', '\t', '\n', '\r', ',', ';', '、', '，', '；'];

/// Where the lines of a text begin, whether they end with LF, CRLF or CR.
fn lines(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_end = |at: &usize| match bytes.get(*at) {
        Some(b'\n') => true,
        Some(b'\r') => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    std::iter::once(0).chain((0..bytes.len()).filter(is_end).map(|at| at + 1)).collect()
}

fn unknown_encoding(name: &str, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!(
            "{name}: 文字コードが UTF-8、Shift_JIS、UTF-16 のいずれでもありません。UTF-8 で保存し直してください（Excel では「CSV UTF-8（コンマ区切り）」）"
        ),
        _ => format!(
            "{name}: the file is neither UTF-8 nor Shift_JIS nor UTF-16; save it as UTF-8 (in Excel: \"CSV UTF-8 (Comma delimited)\")"
        ),
    }
}

fn read_as(name: &str, encoding: &str, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("{name} を {encoding} として読み取りました。違う場合は UTF-8 で保存し直してください"),
        _ => format!("{name} was read as {encoding}; if that is wrong, save it as UTF-8"),
    }
}

fn skipped(place: &str, cell: &str, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("{place}: `{cell}` は http または https の URL ではないため、この行を飛ばします"),
        _ => format!("{place}: `{cell}` is not an http or https URL; the row is skipped"),
    }
}

/// The folder name of a repository: host, path, formats and sets.
fn name(target: &Target) -> String {
    let rest = target.url.split_once("://").map_or(target.url.as_str(), |(_, rest)| rest);
    let parts = [rest].into_iter().chain(target.prefixes.iter().map(String::as_str));
    let parts = parts.chain(target.sets.iter().map(String::as_str));
    let plain = |text: &str| -> String {
        let is_plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '.' | '-');
        text.chars().map(|character| if is_plain(character) { character } else { '_' }).collect()
    };
    let joined = parts.map(plain).collect::<Vec<_>>().join("_");
    joined.trim_matches(['_', '.']).chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_named_after_the_repository() {
        let target = |url: &str, set: &str| Target {
            url: url.into(),
            prefixes: vec!["oai_dc".into()],
            sets: vec![set.into()],
            contact: None,
            folder: None,
            is_store: false,
        };
        assert_eq!(
            name(&target("https://a.example:8443/oai/request?x=1", "b:c")),
            "a.example_8443_oai_request_x_1_oai_dc_b_c"
        );
        assert_eq!(name(&target("https://../..", "")), "oai_dc");
    }

    #[test]
    fn lines_are_counted_whatever_ends_them() {
        for text in ["a\nb\n\nc", "a\r\nb\r\n\r\nc", "a\rb\r\rc"] {
            let at = text.find('c').unwrap();
            assert_eq!(lines(text).partition_point(|line| *line <= at), 4, "{text:?}");
        }
    }
}
