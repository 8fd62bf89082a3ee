//! Runs a publication.

use std::{num::NonZeroUsize, thread};

use resourcesync::{
    build::BuildOptions,
    publish::{INVENTORY, Plan, State, options_text},
    report::{Profile, Selection},
    value::{Algorithm, Uri},
};
use resourcesync_notify::payload::Channel;

use super::{
    Channels, Error, Event, OnEvent, Options, Outcome, Summary, Warning,
    bitstreams::Bitstreams,
    files::{PACKED, PLAIN},
    metadata::Metadata,
    moment::{Times, run_moment},
    notifications::file as topic_file,
    publishing::{Before, Publishing},
    source::Source,
    state_files,
    update::{Gathered, Paths, gather},
};

use crate::{
    cancel::Cancel,
    folder::{Current, Generations},
    notify::{self, Break, OUTBOX, Outbox},
};

/// Publishes the resources of an origin. Options are validated before anything is read.
///
/// # Errors
///
/// If anything is invalid or cannot be read or written; the published folder is then unchanged.
pub fn publish(options: &Options, cancel: &Cancel, event: OnEvent<'_>) -> Result<Outcome, Error> {
    let documents = options.documents();
    let source = Source::new(&options.resources, documents, &options.sets, cancel)?;
    source.check_output(&options.out)?;
    let generations = Generations::open(&options.out, options.keep_generations)?;
    let current = generations.current();
    // Payloads that a killed run published but did not add to the outbox are added before its generation is
    // removed.
    current.as_ref().map_or(Ok(()), |current| announce(&generations, current, event))?;
    let state = current.as_ref().map(|current| state_files::read(&current.known)).transpose()?;
    if let (Some(current), Some(state)) = (&current, &state) {
        state_files::check_resources(state, &current.known)?;
        state_files::check(state, &current.known)?;
    }
    let suffix = if options.gzip { PACKED } else { PLAIN };
    let sets: Vec<String> = options.sets.iter().map(|(name, _)| name.clone()).collect();
    let before = current.as_ref().zip(state.as_ref()).map(|(current, state)| Before { current, state });
    if let Some(before) = &before {
        before.state.check_uris((source.base(), documents.as_str(), suffix))?;
        before.state.check_sets(&sets)?;
        let topics = channels(options).filter(|_| !options.no_hub).map(|channels| topics_uri(channels, documents));
        let is_continued = topics.is_some() || options.no_hub;
        before.state.check_parts(options.dump || options.no_dump, is_continued, topics)?;
    }
    let past = before.as_ref().map(|before| state_files::moment(before.state)).transpose()?;
    let now = run_moment(options.at.as_ref(), past.as_ref(), cancel, event)?;

    let mut next = generations.begin()?;
    let jobs = options.resources.jobs.or_else(|| thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN);
    let bitstreams = Bitstreams::new(&source, &next.folder)?;
    let metadata = Metadata {
        source: &source,
        before: past.as_ref().and_then(|past| past.to_unix().0.checked_mul(1_000_000_000)),
        rehash: options.rehash,
        skip_unreadable: options.resources.skip_unreadable,
        bitstreams: before.as_ref().filter(|before| options.dump && before.state.has_packages()).map(|_| &bitstreams),
    };
    let old = before.as_ref().map(|before| before.current.known.join(INVENTORY));
    let places =
        Paths { old: old.as_deref(), new: &next.folder.join(INVENTORY), work: &next.folder, own: generations.own() };
    let mut gathered = gather(&metadata, places, &Times { before: past.as_ref(), now: &now }, jobs, event)?;
    if let Some(before) = &before {
        before.state.check_membership(&gathered.update)?;
    }
    gathered.update.add_empty_sets(&sets, before.as_ref().map(|before| before.state));
    let wanted = wanted(options);
    if options.dry_run {
        return dry_run(gathered, before.is_some(), event);
    }
    let Gathered { update, skipped, changes } = gathered;
    update.effect(before.is_some()).check(options.max_delete, options.expect_entries)?;
    if let Some(past) = &past
        && !options.force
        && !options.new_dump
        && update.is_unchanged(before.as_ref().map(|before| before.state), &wanted)
    {
        return Ok(Outcome::Unchanged { since: past.clone(), resources: update.resources() });
    }
    let publishing = Publishing {
        source: &source,
        plan: Plan {
            documents: documents.clone(),
            at: now.clone(),
            describedby: options.describedby.clone(),
            suffix: suffix.to_owned(),
            rotate: options.rotate,
            keep: options.keep.map(NonZeroUsize::get),
            builders: builders(options),
            digests: channels(options).is_some(),
        },
        dump: options.dump,
        new_dump: options.new_dump,
        channels: channels(options),
        skip_unreadable: options.resources.skip_unreadable,
    };
    let mut state = State::new(&now, (source.base(), documents.as_str(), suffix), wanted);
    state.set_names = Some(sets);
    state.topics_uri = channels(options).map(|channels| topics_uri(channels, documents).to_owned());
    let around = (&next, &bitstreams);
    let (published, left_out) =
        publishing.write(around, before.as_ref(), (&update.sets, changes), &mut state, event)?;
    drop(bitstreams);
    let withdrawn = before.as_ref().map_or_else(Vec::new, |before| withdrawn(before.state, &state));
    if let Some(before) = &before {
        next.carry_over(before.state.files.keys().cloned());
    }
    announce(&generations, &next.publish()?, event)?;
    Ok(Outcome::Published(Summary {
        at: now,
        resources: update.resources(),
        changes: update.counts,
        skipped: skipped.saturating_add(left_out),
        withdrawn,
        written: published.written,
        kept: published.kept,
        accepted: published.accepted,
    }))
}

/// Adds the payloads of a generation to the outbox, unless they were already added.
fn announce(generations: &Generations, generation: &Current, event: OnEvent<'_>) -> Result<(), Error> {
    if !notify::has_payloads(generation) {
        return Ok(());
    }
    let mut outbox = Outbox::open(generations.state(OUTBOX), notify::Options::default())?;
    for Break { topic, expected, from } in notify::take(&mut outbox, generation)? {
        event(Event::Warning(&Warning::Break { topic, expected, from }));
    }
    Ok(())
}

/// How documents are built.
fn builders(options: &Options) -> BuildOptions {
    let mut builders = BuildOptions::default();
    builders.selection = Selection::new(Profile::Standard, &[], &options.ignore, &[]);
    builders.fail_on = options.fail_on;
    builders
}

/// The notification channels of a run.
fn channels(options: &Options) -> Option<&Channels> {
    options.channels.as_ref().filter(|channels| !channels.hubs.is_empty())
}

/// The base of the URIs of topics.
fn topics_uri<'a>(channels: &'a Channels, documents: &'a Uri) -> &'a str {
    channels.topics_uri.as_ref().unwrap_or(documents).as_str()
}

/// The packages and topics that were published before and no longer are, with the documents that listed them.
fn withdrawn(old: &State, new: &State) -> Vec<String> {
    let (packages, channels) = (old.has_packages() && !new.has_packages(), old.has_channels() && !new.has_channels());
    let is_withdrawn = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        packages && ["resourcedump", "changedump"].iter().any(|start| name.starts_with(start))
            || channels
                && old.sets.keys().any(|set| Channel::ALL.iter().any(|channel| path == topic_file(set, *channel)))
    };
    old.files.keys().filter(|path| is_withdrawn(path) && !new.files.contains_key(*path)).cloned().collect()
}

/// The options that affect the published documents.
fn wanted(options: &Options) -> String {
    let hash: Vec<&str> = options.resources.hash.iter().map(Algorithm::as_str).collect();
    let sets: Vec<&str> = options.sets.iter().map(|(name, _)| name.as_str()).collect();
    let channels = channels(options).map(|channels| (channels.hubs.as_slice(), channels.topics_uri.as_ref()));
    options_text(&hash, &sets, options.describedby.as_ref(), options.dump, channels)
}

/// Reports what would change.
fn dry_run(gathered: Gathered, again: bool, event: OnEvent<'_>) -> Result<Outcome, Error> {
    let Gathered { update, changes, .. } = gathered;
    for change in changes.finish().map_err(|error| Error::new(error.to_string()))? {
        let change = change.map_err(|error| Error::new(error.to_string()))?;
        event(Event::Change(change.change, &change.record.uri));
    }
    Ok(Outcome::Dry { again, resources: update.resources(), changes: update.counts })
}
