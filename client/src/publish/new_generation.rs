//! Writes and publishes a generation whose inventory is complete.

use std::num::NonZeroUsize;

use resourcesync::{
    build::{BuildOptions, Rotate},
    publish::{BatchCounts, Change, Plan, Snapshot, State, Update, options_text},
    report::{Profile, Selection},
    value::{Algorithm, Datetime},
};
use resourcesync_notify::publication::{Channels, withdrawn_topics};

use super::{
    Error, Event, OnEvent, Options, Outcome, Summary, Warning,
    bitstreams::Bitstreams,
    files::{PACKED, PLAIN},
    publishing::{Before, Publishing},
    source::Source,
};
use crate::{
    folder::{Current, Generations, Next},
    notify::{self, Break, OUTBOX, Outbox},
    sort::Sorter,
};

/// What a generation is made of, apart from its options.
pub(crate) struct NewGeneration<'a> {
    pub(crate) options: &'a Options,
    pub(crate) rotate: Rotate,
    pub(crate) source: &'a Source<'a>,
    pub(crate) generations: &'a Generations,
    pub(crate) before: Option<&'a Before<'a>>,
    pub(crate) bitstreams: Bitstreams<'a>,
    /// Its time.
    pub(crate) at: Datetime,
    /// When snapshots are written, if that was given.
    pub(crate) snapshot: Option<Snapshot>,
    /// The names of the sets of files.
    pub(crate) set_names: Vec<String>,
    /// The journal with the changes.
    pub(crate) journal: Option<String>,
}

/// What was found out about its resources.
pub(crate) struct Contents {
    pub(crate) update: Update,
    pub(crate) changes: Sorter<Change>,
    pub(crate) skipped: u64,
    pub(crate) events: Option<BatchCounts>,
}

impl NewGeneration<'_> {
    /// Writes and publishes it; its inventory is in the folder already.
    pub(crate) fn publish(self, mut next: Next<'_>, contents: Contents, event: OnEvent<'_>) -> Result<Outcome, Error> {
        let NewGeneration {
            options,
            rotate,
            source,
            generations,
            before,
            bitstreams,
            at,
            snapshot,
            set_names,
            journal,
        } = self;
        let Contents { update, changes, skipped, events } = contents;
        let documents = options.documents();
        let publishing = Publishing {
            source,
            plan: plan(options, at.clone(), rotate),
            dump: options.dump,
            new_dump: options.new_dump,
            channels: channels(options),
            skip_unreadable: options.resources.skip_unreadable,
        };
        let wanted = wanted(options, &set_names);
        let mut state = State::new(&at, (source.base(), documents.as_str(), suffix(options)), wanted);
        state.set_names = Some(set_names);
        state.dumps_only = !options.lists;
        state.journal = journal.or_else(|| before.and_then(|before| before.state.journal.clone()));
        state.remembered = Some(options.remembered(snapshot));
        state.read = match events {
            None => Some(at.to_string()),
            Some(_) => before.and_then(|before| Some(before.state.last_read()?.to_string())),
        };
        let around = (&next, &bitstreams);
        let (published, left_out) = publishing.write(around, before, (&update.sets, changes), &mut state, event)?;
        drop(bitstreams);
        let withdrawn = before.map_or_else(Vec::new, |before| withdrawn(before.state, &state));
        if let Some(before) = before {
            next.carry_over(before.state.files.keys().cloned());
        }
        announce_published(generations, &next.publish()?, event);
        Ok(Outcome::Published(Summary {
            at,
            resources: update.resources(),
            changes: update.counts,
            skipped: skipped.saturating_add(left_out),
            withdrawn,
            written: published.written,
            kept: published.kept,
            accepted: published.accepted,
            events,
        }))
    }
}

/// How documents are published.
pub(crate) fn plan(options: &Options, at: Datetime, rotate: Rotate) -> Plan {
    Plan {
        documents: options.documents().clone(),
        at,
        describedby: options.describedby.clone(),
        index: options.index.clone(),
        about: options.about.clone(),
        suffix: suffix(options).to_owned(),
        lists: options.lists,
        rotate,
        keep: options.keep.map(NonZeroUsize::get),
        builders: builders(options),
        digests: channels(options).is_some(),
    }
}

/// The extension of documents.
pub(crate) fn suffix(options: &Options) -> &'static str {
    if options.gzip { PACKED } else { PLAIN }
}

/// Adds the payloads of a generation to the outbox, unless they were already added.
pub(crate) fn announce(generations: &Generations, generation: &Current, event: OnEvent<'_>) -> Result<(), Error> {
    if !notify::has_payloads(generation) {
        return Ok(());
    }
    let mut outbox = Outbox::open(generations.state(OUTBOX), notify::Options::default())?;
    for Break { topic, expected, from } in notify::take(&mut outbox, generation)? {
        event(Event::Warning(&Warning::Break { topic, expected, from }));
    }
    Ok(())
}

/// The same for a generation that was just published: it stays published whatever happens, and the next publication adds what is missing.
pub(crate) fn announce_published(generations: &Generations, generation: &Current, event: OnEvent<'_>) {
    if let Err(error) = announce(generations, generation, event) {
        event(Event::Warning(&Warning::NotAnnounced { why: error.to_string() }));
    }
}

/// How documents are built.
pub(crate) fn builders(options: &Options) -> BuildOptions {
    let mut builders = BuildOptions::default();
    builders.selection = Selection::new(Profile::Standard, &[], &options.ignore, &[]);
    builders.fail_on = options.fail_on;
    builders
}

/// The notification channels of a run.
pub(crate) fn channels(options: &Options) -> Option<&Channels> {
    options.channels.as_ref().filter(|channels| !channels.hubs.is_empty())
}

/// Rejects a run that does not continue what is published.
pub(crate) fn check_continued(options: &Options, base: &str, state: &State, set_names: &[String]) -> Result<(), Error> {
    let documents = options.documents();
    state.check_uris((base, documents.as_str(), suffix(options)))?;
    state.check_sets(set_names)?;
    state.check_lists(options.lists)?;
    let topics = channels(options).filter(|_| !options.no_hub).map(|channels| channels.topics_uri(documents));
    let is_continued = topics.is_some() || options.no_hub;
    Ok(state.check_parts(options.dump || options.no_dump, is_continued, topics)?)
}

/// The packages and topics that were published before and no longer are, with the documents that listed them.
fn withdrawn(old: &State, new: &State) -> Vec<String> {
    let is_package = |path: &&String| {
        let name = path.rsplit('/').next().unwrap_or_default();
        ["resourcedump", "changedump"].iter().any(|start| name.starts_with(start))
    };
    let packages = (old.has_packages() && !new.has_packages()).then(|| old.files.keys().filter(is_package));
    let gone = packages.into_iter().flatten().filter(|path| !new.files.contains_key(*path)).cloned();
    let mut withdrawn: Vec<String> = gone.chain(withdrawn_topics(old, new)).collect();
    withdrawn.sort();
    withdrawn
}

/// The options that affect the published documents.
pub(crate) fn wanted(options: &Options, set_names: &[String]) -> String {
    let hash: Vec<&str> = options.resources.hash.iter().map(Algorithm::as_str).collect();
    let sets: Vec<&str> = set_names.iter().map(String::as_str).collect();
    let channels = channels(options).map(|channels| (channels.hubs.as_slice(), channels.topics_uri.as_ref()));
    let text = options_text(&hash, &sets, options.describedby.as_ref(), options.dump, channels);
    let about = options.about.as_ref().map(|about| format!(" about={about:?}")).unwrap_or_default();
    let dumps_only = if options.lists { "" } else { " lists=false" };
    format!("{text}{about}{dumps_only}")
}
