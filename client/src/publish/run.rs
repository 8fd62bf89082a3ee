//! Runs a publication.

use super::{
    Error, Event, OnEvent, Options, Outcome,
    bitstreams::Bitstreams,
    changes::publish_journal,
    known::Known,
    lock::lock,
    metadata::Metadata,
    moment::{Times, run_moment},
    new_generation::{Contents, NewGeneration, announce, check_continued, wanted},
    publishing::Before,
    source::Source,
    state_files::{is_whole, moment},
    update::{Gathered, Paths, gather},
};

use crate::{cancel::Cancel, folder::Generations, http::Client};

/// Publishes the resources of an origin. Options are validated before anything is read.
///
/// # Errors
///
/// If anything is invalid or cannot be read or written; the published folder is then unchanged.
pub fn publish(options: &Options, cancel: &Cancel, event: OnEvent<'_>) -> Result<Outcome, Error> {
    let source = Source::new(&options.resources, options.documents(), &options.sets, cancel)?;
    source.check_output(&options.out)?;
    Begun::begin(options, cancel, event)?.publish(options, cancel, event)
}

/// A published folder that is locked while its resources are read: what others publish, and events that are appended meanwhile, are later
/// than these.
#[derive(Debug)]
pub struct Begun(Generations);

impl Begun {
    /// Locks the folder, and publishes the events that were appended before. Of the options, those of the resources do not matter yet.
    ///
    /// # Errors
    ///
    /// As [`publish`].
    pub fn begin(options: &Options, cancel: &Cancel, event: OnEvent<'_>) -> Result<Begun, Error> {
        let mut generations = lock(&options.out, options.keep_generations, options.wait, cancel)?;
        publish_journal(&mut generations, options, cancel, event)?;
        Ok(Begun(generations))
    }

    /// Publishes the resources.
    ///
    /// # Errors
    ///
    /// As [`publish`].
    pub fn publish(self, options: &Options, cancel: &Cancel, event: OnEvent<'_>) -> Result<Outcome, Error> {
        let source = Source::new(&options.resources, options.documents(), &options.sets, cancel)?;
        compared(&source, &self.0, options, cancel, event)
    }
}

/// Compares the resources with what is published, and publishes the difference.
fn compared(
    source: &Source<'_>,
    generations: &Generations,
    options: &Options,
    cancel: &Cancel,
    event: OnEvent<'_>,
) -> Result<Outcome, Error> {
    let current = generations.current();
    let known = current.as_ref().map(Known::open).transpose()?;
    // Payloads that a killed run published but did not add to the outbox are added before its generation is
    // removed.
    current.as_ref().map_or(Ok(()), |current| announce(generations, current, event))?;
    known.as_ref().map_or(Ok(()), Known::check)?;
    let set_names: Vec<String> = options.sets.iter().map(|(name, _)| name.clone()).collect();
    let before = current.as_ref().zip(known.as_ref()).map(|(current, known)| Before::new(current, known));
    if let Some(before) = &before {
        check_continued(options, source.base(), before.state, &set_names)?;
    }
    let past = before.as_ref().map(|before| moment(before.state)).transpose()?;
    let now = run_moment(options.at.as_ref(), past.as_ref(), cancel, event)?;

    let next = generations.begin()?;
    let jobs = options.resources.jobs.or_else(|| source.client().map(Client::connections)).unwrap_or(source.workers);
    let bitstreams = Bitstreams::new(source, &next.folder)?;
    let metadata = Metadata {
        source,
        before: before.as_ref().and_then(|before| before.state.last_read()?.to_unix().0.checked_mul(1_000_000_000)),
        rehash: options.rehash,
        skip_unreadable: options.resources.skip_unreadable,
        bitstreams: before.as_ref().filter(|before| options.dump && before.state.has_packages()).map(|_| &bitstreams),
    };
    let places = Paths { old: known.as_ref(), work: &next.folder, own: generations.own() };
    let mut gathered = gather(&metadata, places, &Times { before: past.as_ref(), now: &now }, jobs, event)?;
    if let Some(before) = &before {
        before.state.check_membership(&gathered.update)?;
    }
    gathered.update.add_empty_sets(&set_names, before.as_ref().map(|before| before.state));
    let Gathered { update, skipped, changes, inventory } = gathered;
    // Without lists, nothing is behind what was published since the base was written.
    let is_listed = known.as_ref().is_some_and(|known| known.ledger.publications() == 0 || !options.lists);
    let unchanged = past.filter(|_| {
        let is_whole = before.as_ref().is_some_and(|own| is_whole(own.state, &own.current.public));
        let (state, wanted) = (before.as_ref().map(|before| before.state), wanted(options, &set_names));
        !options.force && !options.new_dump && is_listed && is_whole && update.is_unchanged(state, &wanted)
    });
    let (effect, resources) = (update.effect(before.is_some()), update.resources());
    let allowed = effect.check(options.max_delete, options.expect_entries);
    if options.dry_run {
        for change in changes.finish().map_err(|error| Error::new(error.to_string()))? {
            let change = change.map_err(|error| Error::new(error.to_string()))?;
            event(Event::Change(change.change, &change.record.uri));
        }
        allowed?;
        let (again, writes) = (before.is_some(), unchanged.is_none());
        return Ok(Outcome::Dry { again, resources, changes: update.counts, writes, skipped });
    }
    allowed?;
    if let Some(since) = unchanged {
        return Ok(Outcome::Unchanged { since, resources, events: None, skipped });
    }
    inventory.finish()?;
    let snapshot = before.as_ref().and_then(|before| before.state.remembered.as_ref()?.snapshot.as_ref()?.parse().ok());
    let generation = NewGeneration {
        options,
        rotate: options.rotate.unwrap_or_default(),
        source,
        generations,
        before: before.as_ref(),
        bitstreams,
        at: now,
        snapshot,
        set_names,
        journal: None,
    };
    generation.publish(next, Contents { update, changes, skipped, events: None }, event)
}
