//! The course of a run.

use std::{
    collections::BTreeMap,
    num::NonZeroUsize,
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use resourcesync::{
    build::Published,
    report::Lang,
    value::{Datetime, Uri},
};
use resourcesync_client::folder::Generations;

use super::{
    files::{PACKED, PLAIN},
    line_output::LineOutput,
    metadata::Metadata,
    publish::{Before, Failure, Publishing},
    source::Source,
    state::State,
    update::{Paths, Times, Update, gather},
};
use crate::{
    arguments::Build,
    error::{CliError, report_error, warn},
    interrupt::Interrupt,
    outputs::print,
    status,
};

/// Runs it. What can be refused is refused before anything is read.
pub(crate) fn run(arguments: &Build) -> Result<i32, CliError> {
    let documents = arguments.documents_uri.as_ref().unwrap_or(&arguments.resources.base_uri);
    let interrupt = Interrupt::listen();
    let source = Source::new(&arguments.resources, documents, &arguments.set, interrupt.cancel())?;
    let generations = Generations::open(&arguments.out, arguments.keep_generations)?;
    let current = generations.current();
    let state = current.as_ref().map(|current| State::read(&current.known)).transpose()?;
    let suffix = if arguments.gzip { PACKED } else { PLAIN };
    let before = current.as_ref().zip(state.as_ref()).map(|(current, state)| Before { current, state });
    if let Some(before) = &before {
        same(before.state, source.base(), documents.as_str(), suffix)?;
    }
    let past = before.as_ref().map(|before| before.state.moment()).transpose()?;
    let now = moment(arguments.at.clone(), past.as_ref())?;

    let next = generations.begin()?;
    let jobs = arguments.resources.jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let filling = Metadata {
        source: &source,
        before: past.as_ref().and_then(|past| past.to_unix().0.checked_mul(1_000_000_000)),
        rehash: arguments.rehash,
    };
    let old = before.as_ref().map(|before| before.current.known.join("inventory.jsonl"));
    let places = Paths {
        old: old.as_deref(),
        new: &next.folder.join("inventory.jsonl"),
        work: &next.folder,
        own: generations.own(),
    };
    let mut gathered = gather(&filling, places, &Times { before: past.as_ref(), now: &now }, (jobs, arguments.quiet))?;
    sets(&mut gathered.sets, arguments, before.as_ref());
    let wanted = wanted(arguments);
    if arguments.dry_run {
        return dry(gathered, before.is_some());
    }
    if let Some(before) = before.as_ref().filter(|before| !arguments.force && before.state.wanted == wanted)
        && gathered.counts.is_empty()
        && !arguments.new_dump
    {
        let said = format!("nothing changed since {}\n", before.state.at);
        return if arguments.quiet { Ok(status::VALID) } else { print(&said) };
    }
    let site = Publishing {
        source: &source,
        documents: documents.clone(),
        at: now.clone(),
        describedby: arguments.describedby.as_deref().and_then(|uri| Uri::from_iri(uri).ok()),
        dump: arguments.dump,
        new_dump: arguments.new_dump,
        suffix,
        rotate: arguments.rotate,
        keep: arguments.keep.map(NonZeroUsize::get),
        ignore: &arguments.ignore,
    };
    let mut fresh = State::new(&now, (source.base(), documents.as_str(), suffix), wanted);
    let (counts, resources) = (gathered.counts.clone(), gathered.sets.values().sum::<u64>());
    match site.write(&next, before.as_ref(), gathered, &mut fresh) {
        Ok(published) => {
            next.publish()?;
            if arguments.quiet { Ok(status::VALID) } else { print(&said(arguments, resources, &counts, &published)) }
        }
        Err(Failure::Error(error)) => Err(error),
        Err(Failure::Refused(refused)) => {
            report_error(&format!("{refused}\nhelp: {}\nnothing was published", refused.help(Lang::En)));
            Ok(status::FOUND)
        }
    }
}

/// Refuses to go on with a Source that was published elsewhere.
fn same(state: &State, base: &str, documents: &str, suffix: &str) -> Result<(), CliError> {
    for (option, was, is) in [
        ("--base-uri", state.base_uri.as_str(), base),
        ("--documents-uri", state.documents_uri.as_str(), documents),
        ("the ending of documents (--gzip)", state.suffix.as_str(), suffix),
    ] {
        if was != is {
            return Err(
                format!("{option} is {is}, but --out was published with {was}; publish to another --out").into()
            );
        }
    }
    Ok(())
}

/// When the run is: now, unless the user says otherwise; after the run before in any case.
pub(super) fn moment(at: Option<Datetime>, past: Option<&Datetime>) -> Result<Datetime, CliError> {
    let is_given = at.is_some();
    let seconds = match at {
        Some(at) => at.to_unix().0,
        None => {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
            i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
        }
    };
    let earliest = past.map_or(i64::MIN, |past| past.to_unix().0.saturating_add(1));
    if seconds < earliest && is_given {
        return Err("--at is not after the run before".into());
    }
    if seconds.saturating_add(1) < earliest {
        warn("the clock is behind the run before; its time is taken, a second later");
    }
    Datetime::from_unix(seconds.max(earliest), 0).ok_or_else(|| "the clock is beyond the year 9999".into())
}

/// Adds sets without resources: those that were named, and those of the run before whose resources are all gone.
fn sets(found: &mut BTreeMap<String, u64>, arguments: &Build, before: Option<&Before<'_>>) {
    for (name, _) in &arguments.set {
        found.entry(name.clone()).or_default();
    }
    if arguments.set.is_empty() {
        for name in before.into_iter().flat_map(|before| before.state.sets.keys()) {
            found.entry(name.clone()).or_default();
        }
    }
    if found.is_empty() {
        found.entry(String::new()).or_default();
    }
}

/// What else would change what is published.
fn wanted(arguments: &Build) -> String {
    let Build { set, describedby, dump, .. } = arguments;
    let hash: Vec<&str> = arguments.resources.hash.iter().flatten().map(|algorithm| algorithm.as_str()).collect();
    let sets: Vec<&str> = set.iter().map(|(name, _)| name.as_str()).collect();
    format!("hash={hash:?} sets={sets:?} describedby={describedby:?} dump={dump}")
}

/// Says what would change, a line each.
fn dry(gathered: Update, again: bool) -> Result<i32, CliError> {
    if !again {
        return print(&format!("{} resources would be published\n", gathered.sets.values().sum::<u64>()));
    }
    let mut say = LineOutput::default();
    for change in gathered.changes.finish().map_err(|error| CliError::new(error.to_string()))? {
        let change = change.map_err(|error| CliError::new(error.to_string()))?;
        say.line(&format!("{} {}", change.change, change.record.uri))?;
    }
    if say.end()? { Ok(status::VALID) } else { print("nothing changed\n") }
}

fn said(arguments: &Build, resources: u64, counts: &BTreeMap<&str, u64>, published: &Published) -> String {
    let changes: Vec<String> = counts.iter().map(|(verb, count)| format!("{count} {verb}")).collect();
    let changes = if changes.is_empty() { String::new() } else { format!(" ({})", changes.join(", ")) };
    let (written, kept) = (published.written.len(), published.kept.len());
    let kept = if kept == 0 { String::new() } else { format!(", {kept} kept") };
    format!("{}: {resources} resources{changes}, {written} files written{kept}\n", arguments.out.display())
}
