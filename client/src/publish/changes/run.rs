//! Runs a publication of changes.

use std::{path::Path, time::Duration};

use resourcesync::{
    build::{Amount, Effect, Rotate},
    publish::{Journal as Contents, Snapshot, State},
    value::{self, Datetime},
};
use resourcesync_notify::publication::Channels;

use super::{
    apply::{Applied, Apply},
    disk::{Disk, FileSystem},
    in_place::{InPlace, Replaced},
    snapshot::{contents, counts},
    stated::{Changes, Events},
};
use crate::{
    cancel::Cancel,
    folder::{Current, Generations},
    publish::{
        Collected, Error, Event, OnEvent, Options, Origin, Outcome, Summary, Warning,
        bitstreams::Bitstreams,
        journal::Journal,
        known::Known,
        lock::lock,
        metadata::Metadata,
        moment::event_times,
        new_generation::{
            NewGeneration, announce, announce_published, builders, channels, check_continued, plan, wanted,
        },
        publishing::Before,
        source::Source,
        state_files,
    },
};

/// The number of changes at which the open Change List is closed by default: each publication writes all of it.
const ROTATE: Rotate = Rotate::Changes(1_000);

/// The options of a run, after what an earlier one published.
type Given<'a> = &'a dyn Fn(Option<&State>) -> Result<Options, Error>;

/// The notification channels that later runs continue unless others are given; none if that is unknown.
#[must_use]
pub fn remembered_channels(out: &Path) -> Option<Channels> {
    let folder = Generations::published_state(out).ok().flatten();
    let state = folder.and_then(|folder| state_files::read(&folder).ok());
    let own = state.and_then(|state| state.remembered)?;
    (!own.hubs.is_empty()).then_some(Channels { hubs: own.hubs, topics_uri: own.topics })
}

/// Publishes stated changes. The options are those of a run that continues what the state describes; what they lack is taken from it.
///
/// # Errors
///
/// As [`publish`](crate::publish::publish), and if another run takes longer than the time to wait.
pub fn publish_changes(
    out: &Path,
    changes: &Changes,
    given: Given<'_>,
    cancel: &Cancel,
    event: OnEvent<'_>,
) -> Result<Outcome, Error> {
    publish_on(&FileSystem, out, changes, given, cancel, event)
}

/// Publishes by these operations on files.
pub(super) fn publish_on(
    disk: &impl Disk,
    out: &Path,
    changes: &Changes,
    given: Given<'_>,
    cancel: &Cancel,
    event: OnEvent<'_>,
) -> Result<Outcome, Error> {
    let mut generations = lock(out, u64::MAX, changes.wait, cancel)?;
    let is_alone = matches!(changes.events, Events::None);
    let snapshot = changes.snapshot.filter(|_| is_alone);
    let journal = Journal::of(out)?;
    let outcome = take_journal(&journal, disk, &mut generations, snapshot, given, cancel, event)?;
    match outcome {
        Some(outcome) if is_alone => Ok(outcome),
        _ => publish_locked(disk, &mut generations, (changes, None), given, cancel, event),
    }
}

/// Publishes the events of the journal before anything else is published.
pub(crate) fn publish_journal(
    generations: &mut Generations,
    options: &Options,
    cancel: &Cancel,
    event: OnEvent<'_>,
) -> Result<(), Error> {
    let journal = Journal::of(&options.out)?;
    if !journal.is_pending() {
        return Ok(());
    }
    if options.dry_run {
        event(Event::Warning(&Warning::Waiting));
        return Ok(());
    }
    // Neither the time of the run nor its limits are for what was stated before it.
    let given = |_: Option<&State>| Ok(Options { at: None, max_delete: None, expect_entries: None, ..options.clone() });
    take_journal(&journal, &FileSystem, generations, None, &given, cancel, event).map(drop)
}

/// Publishes the events of the journal; `None` if there are none.
fn take_journal(
    journal: &Journal,
    disk: &impl Disk,
    generations: &mut Generations,
    snapshot: Option<Snapshot>,
    given: Given<'_>,
    cancel: &Cancel,
    event: OnEvent<'_>,
) -> Result<Option<Outcome>, Error> {
    let mut outcome = None;
    // At most the one that a killed run had taken, and the present one.
    for _ in 0..2 {
        if !journal.is_pending() {
            break;
        }
        let published = || {
            let known = generations.current().as_ref().map(Known::open).transpose()?;
            Ok(known.and_then(|known| known.ledger.state.journal))
        };
        let Some(taken) = journal.take(published)? else { break };
        let Contents { id, events } = taken.contents.clone();
        let changes = Changes { events: Events::Stated(events), strict: false, snapshot, wait: Duration::ZERO };
        let done = publish_locked(disk, generations, (&changes, Some(id)), given, cancel, event)?;
        if matches!(done, Outcome::Dry { .. }) {
            return Ok(Some(done));
        }
        taken.remove()?;
        generations.refresh()?;
        outcome = Some(done);
    }
    Ok(outcome)
}

/// Publishes stated changes, from a journal if that is given.
fn publish_locked(
    disk: &impl Disk,
    generations: &mut Generations,
    (changes, journal): (&Changes, Option<String>),
    given: Given<'_>,
    cancel: &Cancel,
    event: OnEvent<'_>,
) -> Result<Outcome, Error> {
    let current = generations.current();
    let mut known = current.as_ref().map(Known::open).transpose()?;
    current.as_ref().map_or(Ok(()), |current| announce(generations, current, event))?;
    let mut options = given(known.as_ref().map(|known| &known.ledger.state))?;
    let is_folder = matches!(changes.events, Events::Folder(_));
    match &changes.events {
        Events::Folder(_) => {}
        Events::File(file) => options.resources.origin = Origin::Inventory(file.clone()),
        Events::None | Events::Stated(_) => options.resources.origin = Origin::Records(Collected::default()),
    }
    let mut snapshot = changes.snapshot;
    if let Some(known) = &known {
        options.continue_with(&known.ledger.state);
        let remembered = known.ledger.state.remembered.as_ref().and_then(|own| own.snapshot.as_ref()?.parse().ok());
        snapshot = snapshot.or(remembered);
    }
    generations.set_keep(options.keep_generations);
    let sets = if is_folder { options.sets.as_slice() } else { &[] };
    let source = Source::new(&options.resources, options.documents(), sets, cancel)?;
    let set_names = known.as_ref().and_then(|known| known.ledger.state.set_names.clone()).unwrap_or_default();
    if let Some(known) = &known {
        check_continued(&options, source.base(), &known.ledger.state, &set_names)?;
    }
    let past = known.as_ref().map(|known| state_files::moment(&known.ledger.state)).transpose()?;
    let (times, moment) = event_times(options.at.as_ref(), past.as_ref(), event)?;
    let mut times = if options.lenient_times { times.leniently() } else { times };
    let skip_unreadable = is_folder && options.resources.skip_unreadable;
    let applied = {
        let metadata = Metadata { source: &source, before: None, rehash: true, skip_unreadable, bitstreams: None };
        let (builders, own) = (builders(&options), generations.own());
        let apply = Apply { metadata: &metadata, builders: &builders, own, is_strict: changes.strict };
        apply.run(&changes.events, known.as_mut(), &mut times, event)?
    };
    let run = Run { disk, options: &options, source: &source, generations, snapshot, set_names, journal };
    run.publish(current.as_ref().zip(known.as_ref()), applied, (past.as_ref(), moment), event)
}

/// A run whose events were read.
struct Run<'a, D> {
    disk: &'a D,
    options: &'a Options,
    source: &'a Source<'a>,
    generations: &'a Generations,
    /// When a snapshot is written.
    snapshot: Option<Snapshot>,
    set_names: Vec<String>,
    /// The journal with the changes.
    journal: Option<String>,
}

impl<D: Disk> Run<'_, D> {
    fn publish(
        self,
        published: Option<(&Current, &Known)>,
        applied: Applied,
        (past, moment): (Option<&Datetime>, Datetime),
        event: OnEvent<'_>,
    ) -> Result<Outcome, Error> {
        let (options, Applied { net, skipped }) = (self.options, applied);
        let resources = published.map_or(0, |(_, known)| known.ledger.resources());
        let after = resources.saturating_add(net.created).saturating_sub(net.deleted);
        if let Some((_, known)) = published {
            known.ledger.state.check_changes(&net)?;
        }
        // Stated deletions are meant; those of a folder are a conclusion.
        let is_meant = options.max_delete.is_none() && !self.source.is_folder();
        let most = if is_meant { Some(Amount::Percent(100)) } else { options.max_delete };
        let effect = Effect { published: past.map(|_| resources), resources: after, deleted: net.deleted };
        let is_whole = published.is_some_and(|(current, known)| {
            let (state, public) = (&known.ledger.state, &current.public);
            // Publications in place do not look at more files than they write.
            if self.snapshot_now() {
                state_files::is_whole(state, public)
            } else {
                state_files::has_entry_points(state, public)
            }
        });
        let is_listed = |known: &Known| known.ledger.publications() == 0 && !self.is_changed(known);
        let is_unchanged = is_whole
            && net.changes.is_empty()
            && published.is_some_and(|(_, known)| !self.snapshot_now() || is_listed(known));
        if options.dry_run {
            net.changes.iter().for_each(|change| event(Event::Change(change.change, &change.record.uri)));
        }
        effect.check(most, options.expect_entries)?;
        if options.dry_run {
            let (again, writes) = (past.is_some(), !is_unchanged);
            return Ok(Outcome::Dry { again, resources: after, changes: counts(&net), writes, skipped });
        }
        // What is published is as recent as the last change in it.
        let last = net.changes.last().map(|change| change.datetime.parse());
        let last = last.transpose().map_err(|_| Error::new("a change has no datetime"))?;
        let Some((current, known)) = published else {
            return self.generation(None, Applied { net, skipped }, last.unwrap_or(moment), event);
        };
        let since = past.cloned().unwrap_or_else(|| moment.clone());
        if is_unchanged {
            self.tidy();
            return Ok(Outcome::Unchanged { since, resources, events: Some(net.counts), skipped });
        }
        let at = last.unwrap_or(since);
        let (rotate, wanted) = (options.rotate.unwrap_or(ROTATE), wanted(options, &self.set_names));
        if is_whole && !known.ledger.needs_generation(&net, &wanted, (self.snapshot, rotate), &moment, known.log()) {
            let plan = plan(options, at.clone(), rotate);
            let channels = channels(options);
            let journal = self.journal.as_deref();
            let (disk, source) = (self.disk, self.source);
            let in_place = InPlace { disk, current, known, source, plan: &plan, channels, journal };
            if let Some(Replaced { written, accepted }) = in_place.publish(&net.changes, event)? {
                announce_published(self.generations, current, event);
                self.tidy();
                return Ok(Outcome::Published(Summary {
                    at,
                    resources: after,
                    changes: counts(&net),
                    skipped,
                    withdrawn: Vec::new(),
                    written,
                    kept: Vec::new(),
                    accepted,
                    events: Some(net.counts),
                }));
            }
        }
        known.check()?;
        self.generation(Some(Before::new(current, known)), Applied { net, skipped }, at, event)
    }

    /// Removes what a run left that was killed after it had published a generation. If this fails, the next run does it.
    fn tidy(&self) {
        let _ = self.generations.remove_others();
    }

    fn snapshot_now(&self) -> bool {
        self.snapshot == Some(Snapshot::Now)
    }

    /// True if the options are not those of what is published.
    fn is_changed(&self, known: &Known) -> bool {
        known.ledger.state.wanted != wanted(self.options, &self.set_names)
    }

    fn generation(
        self,
        before: Option<Before<'_>>,
        applied: Applied,
        at: Datetime,
        event: OnEvent<'_>,
    ) -> Result<Outcome, Error> {
        let Run { options, source, generations, snapshot, set_names, journal, .. } = self;
        let next = generations.begin()?;
        let bitstreams = Bitstreams::new(source, &next.folder)?;
        let known = before.as_ref().map(|before| before.known);
        let mut applied = applied;
        if options.dump && before.as_ref().is_some_and(|before| before.state.has_packages()) {
            // A list and a package have the same version of a file, which may have changed since it was noticed.
            for change in applied.net.changes.iter_mut().filter(|change| change.change != value::Change::Deleted) {
                change.record = bitstreams.keep(change.record.clone())?;
            }
        }
        let mut contents = contents(known, applied, source, &next.folder, event)?;
        contents.update.add_empty_sets(&set_names, before.as_ref().map(|before| before.state));
        let snapshot = snapshot.filter(|snapshot| *snapshot != Snapshot::Now);
        let generation = NewGeneration {
            options,
            rotate: options.rotate.unwrap_or(ROTATE),
            source,
            generations,
            before: before.as_ref(),
            bitstreams,
            at,
            snapshot,
            set_names,
            journal,
        };
        generation.publish(next, contents, event)
    }
}
