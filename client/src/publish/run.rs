//! Runs a publication.

use std::{collections::BTreeMap, num::NonZeroUsize, thread};

use resourcesync_notify::payload::Channel;

use super::{
    Channels, Dropped, Error, Event, OnEvent, Options, Outcome, Summary, Warning,
    bitstreams::Bitstreams,
    files::{PACKED, PLAIN},
    metadata::Metadata,
    moment::{Times, run_moment},
    notifications::file as topic_file,
    publishing::{Before, Publishing},
    source::Source,
    state::State,
    update::{Paths, Update, gather},
};
use resourcesync::value::Uri;

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
    let state = current.as_ref().map(|current| State::read(&current.known)).transpose()?;
    if let (Some(current), Some(state)) = (&current, &state) {
        state.check_resources(&current.known)?;
        state.check(&current.known)?;
    }
    let suffix = if options.gzip { PACKED } else { PLAIN };
    let before = current.as_ref().zip(state.as_ref()).map(|(current, state)| Before { current, state });
    if let Some(before) = &before {
        check_same(before.state, source.base(), documents.as_str(), suffix)?;
        check_sets(before.state, options)?;
        check_parts(before.state, options)?;
    }
    let past = before.as_ref().map(|before| before.state.moment()).transpose()?;
    let now = run_moment(options.at.clone(), past.as_ref(), cancel, event)?;

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
    let old = before.as_ref().map(|before| before.current.known.join("inventory.jsonl"));
    let places = Paths {
        old: old.as_deref(),
        new: &next.folder.join("inventory.jsonl"),
        work: &next.folder,
        own: generations.own(),
    };
    let mut update = gather(&metadata, places, &Times { before: past.as_ref(), now: &now }, jobs, event)?;
    if let Some(before) = &before {
        check_membership(before.state, &update)?;
    }
    add_empty_sets(&mut update.sets, options, before.as_ref());
    let wanted = wanted(options);
    if options.dry_run {
        return dry_run(update, before.is_some(), event);
    }
    update.effect(before.is_some()).check(options.max_delete, options.expect_entries)?;
    if let (Some(before), Some(past)) = (&before, &past)
        && !options.force
        && before.state.wanted == wanted
        && update.counts.is_empty()
        && !options.new_dump
    {
        return Ok(Outcome::Unchanged { since: past.clone(), resources: update.sets.values().sum() });
    }
    let publishing = Publishing {
        source: &source,
        documents: documents.clone(),
        at: now.clone(),
        describedby: options.describedby.clone(),
        dump: options.dump,
        new_dump: options.new_dump,
        suffix,
        rotate: options.rotate,
        keep: options.keep.map(NonZeroUsize::get),
        ignore: &options.ignore,
        fail_on: options.fail_on,
        channels: channels(options),
        skip_unreadable: options.resources.skip_unreadable,
    };
    let mut state = State::new(&now, (source.base(), documents.as_str(), suffix), wanted);
    state.set_names = Some(options.sets.iter().map(|(name, _)| name.clone()).collect());
    let (changes, resources, skipped) = (update.counts.clone(), update.sets.values().sum::<u64>(), update.skipped);
    state.topics_uri = channels(options).map(|channels| topics_uri(channels, documents).to_owned());
    let around = (&next, &bitstreams);
    let (published, left_out) = publishing.write(around, before.as_ref(), update, &mut state, event)?;
    drop(bitstreams);
    let withdrawn = before.as_ref().map_or_else(Vec::new, |before| withdrawn(before.state, &state));
    if let Some(before) = &before {
        next.carry_over(before.state.files.keys().cloned());
    }
    announce(&generations, &next.publish()?, event)?;
    Ok(Outcome::Published(Summary {
        at: now,
        resources,
        changes,
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

/// Rejects a Source that was published at another base URI.
fn check_same(state: &State, base: &str, documents: &str, suffix: &str) -> Result<(), Error> {
    for (option, was, is) in
        [("--base-uri", state.base_uri.as_str(), base), ("--documents-uri", state.documents_uri.as_str(), documents)]
    {
        if was != is {
            return Err(
                format!("{option} is {is}, but --out was published with {was}; publish to another --out").into()
            );
        }
    }
    match (state.suffix.as_str(), suffix) {
        (was, is) if was == is => Ok(()),
        (_, PLAIN) => Err("--out was published with --gzip; repeat the option, or publish to another --out".into()),
        _ => Err("--out was published without --gzip; omit the option, or publish to another --out".into()),
    }
}

/// Rejects resources that are in sets only now, or no longer: all of them would be deleted and created.
fn check_membership(state: &State, update: &Update) -> Result<(), Error> {
    if update.effect(true).published.unwrap_or_default() == 0 {
        return Ok(());
    }
    let is_plain = |name: &String| name.is_empty();
    let present = || update.sets.iter().filter(|(_, resources)| **resources > 0).map(|(name, _)| name);
    let (was_plain, was_in_sets) = (state.sets.keys().all(is_plain), !state.sets.keys().any(is_plain));
    let (now_plain, now_in_sets) = (present().all(is_plain), !present().any(is_plain));
    match (now_plain, now_in_sets) {
        (false, true) if was_plain => {
            Err("every resource is in a set, but --out was published without sets; publish to another --out".into())
        }
        (true, false) if was_in_sets => {
            Err("no resource is in a set, but --out was published with sets; publish to another --out".into())
        }
        _ => Ok(()),
    }
}

/// Rejects moving the resources of a set to another one, which would delete and create all of them.
fn check_sets(state: &State, options: &Options) -> Result<(), Error> {
    let Some(was) = &state.set_names else { return Ok(()) };
    let is: Vec<&str> = options.sets.iter().map(|(name, _)| name.as_str()).collect();
    if let Some(missing) = was.iter().find(|name| !is.contains(&name.as_str())) {
        return Err(
            format!("--set {missing} is missing, but --out was published with it; publish to another --out").into()
        );
    }
    match is.first() {
        Some(name) if was.is_empty() => {
            Err(format!("--set {name} is given, but --out was published without sets; publish to another --out").into())
        }
        _ => Ok(()),
    }
}

/// Rejects options without which packages or notification channels would vanish.
fn check_parts(state: &State, options: &Options) -> Result<(), Error> {
    if state.has_packages() && !options.dump && !options.no_dump {
        return Err(Error::Dropped(Dropped::Packages));
    }
    if !state.has_channels() || options.no_hub {
        return Ok(());
    }
    let channels = channels(options).ok_or(Error::Dropped(Dropped::Channels))?;
    let given = topics_uri(channels, options.documents());
    match &state.topics_uri {
        Some(published) if published != given => {
            Err(Error::Dropped(Dropped::Topics { published: published.clone(), given: given.to_owned() }))
        }
        _ => Ok(()),
    }
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

/// Adds sets without resources: configured ones, and those of the previous generation whose resources were all deleted.
fn add_empty_sets(found: &mut BTreeMap<String, u64>, options: &Options, before: Option<&Before<'_>>) {
    for (name, _) in &options.sets {
        found.entry(name.clone()).or_default();
    }
    if options.sets.is_empty() {
        for name in before.into_iter().flat_map(|before| before.state.sets.keys()) {
            found.entry(name.clone()).or_default();
        }
    }
    if found.is_empty() {
        found.entry(String::new()).or_default();
    }
}

/// A digest of the options that affect the published documents.
fn wanted(options: &Options) -> String {
    let Options { sets, describedby, dump, .. } = options;
    let hash: Vec<&str> = options.resources.hash.iter().map(|algorithm| algorithm.as_str()).collect();
    let sets: Vec<&str> = sets.iter().map(|(name, _)| name.as_str()).collect();
    let describedby = describedby.as_ref().map(|uri| uri.as_str());
    let channels = channels(options).map_or_else(String::new, |Channels { hubs, topics_uri }| {
        let hubs: Vec<&str> = hubs.iter().map(Uri::as_str).collect();
        format!(" hubs={hubs:?} topics={:?}", topics_uri.as_ref().map(Uri::as_str))
    });
    format!("hash={hash:?} sets={sets:?} describedby={describedby:?} dump={dump}{channels}")
}

/// Reports what would change.
fn dry_run(update: Update, again: bool, event: OnEvent<'_>) -> Result<Outcome, Error> {
    let (resources, changes) = (update.sets.values().sum(), update.counts);
    for change in update.changes.finish().map_err(|error| Error::new(error.to_string()))? {
        let change = change.map_err(|error| Error::new(error.to_string()))?;
        event(Event::Change(change.verb(), &change.record.uri));
    }
    Ok(Outcome::Dry { again, resources, changes })
}
