//! Many repositories in one run: one folder for each, several hosts in parallel, one table at the end.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use resourcesync_client::{
    Cancel,
    oai::{Config, short_digest},
    parallel,
};

use super::{
    harvest::{Outcome, Target, into_store},
    progress::Progress,
    session, summary,
    summary::Summary,
    table,
};
use crate::{arguments::OaiHarvest, error::CliError, outputs::stdout, status};

/// Runs it.
pub(super) fn run(arguments: &OaiHarvest, cancel: &Cancel) -> Result<i32, CliError> {
    let targets = targets(arguments)?;
    let count = targets.len();
    // Requests to one host are sequential, and keep its pace from one repository to the next.
    let mut hosts: BTreeMap<String, Vec<(usize, Target)>> = BTreeMap::new();
    for (number, target) in targets.iter().enumerate() {
        hosts.entry(host(&target.url)).or_default().push((number, target.clone()));
    }
    let mut progress = Progress::new(arguments.common.quiet);
    let (done, mut outcomes) = (AtomicUsize::new(0), BTreeMap::new());
    let work = |of_host: Vec<(usize, Target)>| -> Vec<(usize, Result<Outcome, CliError>)> {
        let mut pause = 0;
        let each = |(number, target): (usize, Target)| {
            let outcome = into_store(arguments, &target, pause, cancel, &mut |_, _| {});
            pause = outcome.as_ref().map_or(pause, |outcome| outcome.pause);
            done.fetch_add(1, Ordering::Relaxed);
            (number, outcome)
        };
        of_host.into_iter().map(each).collect()
    };
    let items = hosts.into_values().map(Ok::<_, CliError>);
    parallel::ordered(items, arguments.jobs, work, |of_host| {
        outcomes.extend(of_host);
        progress.message(format!("{} of {count} repositories", done.load(Ordering::Relaxed)));
        Ok(())
    })?;
    progress.end();
    outcomes.values().flatten().for_each(|outcome| summary::name_limit(&outcome.proof, cancel));
    report(arguments, &targets, &outcomes)
}

fn report(
    arguments: &OaiHarvest,
    targets: &[Target],
    outcomes: &BTreeMap<usize, Result<Outcome, CliError>>,
) -> Result<i32, CliError> {
    let lang = arguments.lang();
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
        let own = proof.map_or(status::UNSURE, |proof| summary::exit(proof, arguments.fail_on));
        exit = match (exit, own) {
            (status::FOUND, _) | (_, status::FOUND) => status::FOUND,
            (status::UNSURE, _) | (_, status::UNSURE) => status::UNSURE,
            _ => status::VALID,
        };
    }
    stdout::write(&table::write(&rows, arguments.format, lang)?, false)?;
    Ok(exit)
}

/// The repositories, each with its own folder.
fn targets(arguments: &OaiHarvest) -> Result<Vec<Target>, CliError> {
    let Some(into) = &arguments.into else {
        return continued(arguments);
    };
    let mut targets = match &arguments.repositories {
        Some(path) => listed(path, arguments)?,
        None => {
            let own = |url: &String| Target {
                url: url.clone(),
                prefixes: arguments.prefix.clone(),
                sets: arguments.set.clone(),
                contact: arguments.common.servers.from.clone(),
                folder: None,
                is_store: false,
            };
            arguments.targets.iter().map(own).collect()
        }
    };
    if let Some(other) = targets.iter().find(|target| !session::is_url(&target.url)) {
        return Err(format!("`{}` is not an http or https URL", other.url).into());
    }
    let mut taken = BTreeSet::new();
    for target in &mut targets {
        let name = name(target);
        // Names that collide, also on a case-insensitive file system.
        let name = match taken.insert(name.to_lowercase()) {
            true => name,
            false => format!("{name}-{}", short_digest(&format!("{target:?}"))),
        };
        if name.contains(&['/', '\\'][..]) {
            return Err(format!("{name} is not a folder name").into());
        }
        target.folder = Some(into.join(name));
    }
    Ok(targets)
}

/// Several existing stores.
fn continued(arguments: &OaiHarvest) -> Result<Vec<Target>, CliError> {
    let store = |folder: &String| -> Result<Target, CliError> {
        let config = Config::read(Path::new(folder))?;
        let config = config.ok_or_else(|| {
            CliError::new(format!("{folder} is not the folder of a store; several URLs require --into DIR"))
        })?;
        Ok(Target {
            url: config.url,
            prefixes: config.prefixes,
            sets: config.sets,
            contact: arguments.common.servers.from.clone().or(config.contact),
            folder: Some(folder.into()),
            is_store: true,
        })
    };
    arguments.targets.iter().map(store).collect()
}

/// The rows of a CSV file: `url`, and optionally `prefix`, `set` and `contact`, which override the command line.
fn listed(path: &Path, arguments: &OaiHarvest) -> Result<Vec<Target>, CliError> {
    let failed = |why: String| CliError::new(format!("{}: {why}", path.display()));
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_path(path)
        .map_err(|error| failed(error.to_string()))?;
    let headers = reader.headers().map_err(|error| failed(error.to_string()))?.clone();
    let column = |name: &str| headers.iter().position(|own| own.trim_start_matches('\u{feff}') == name);
    let url = column("url").ok_or_else(|| failed("no column is named url".into()))?;
    let (prefix, set, contact) = (column("prefix"), column("set"), column("contact"));
    let mut targets = Vec::new();
    for row in reader.records() {
        let row = row.map_err(|error| failed(error.to_string()))?;
        let own = |column: Option<usize>| {
            let cell = column.and_then(|column| row.get(column)).unwrap_or_default();
            Some(cell.to_owned()).filter(|cell| !cell.is_empty())
        };
        let list = |cell: Option<String>, usual: &[String]| {
            cell.map_or(usual.to_vec(), |cell| cell.split_whitespace().map(str::to_owned).collect())
        };
        let Some(url) = own(Some(url)) else { continue };
        targets.push(Target {
            url,
            prefixes: list(own(prefix), &arguments.prefix),
            sets: list(own(set), &arguments.set),
            contact: own(contact).or(arguments.common.servers.from.clone()),
            folder: None,
            is_store: false,
        });
    }
    Ok(targets)
}

/// The host of a URL, whatever the port.
fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    host.trim_end_matches('.').to_lowercase()
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
        for url in ["https://A.example:8443/oai", "http://a.example?x", "https://a.example./"] {
            assert_eq!(host(url), "a.example");
        }
        assert_eq!(host("http://[::1]/oai"), "[::1]");
        assert_eq!(host("http://[::1]:80/oai"), "[::1]");
    }
}
