//! Writes all documents and packages of a generation.

use std::{collections::BTreeMap, fs, path::Path};

use crate::{folder::Next, sort::Sorter};
use resourcesync::{
    build::{ChangeHistory, Publication, Published, Settings},
    report::{Profile, Selection},
    value::{Datetime, Uri},
};

use super::{
    Error, Event, OnEvent, about_page,
    bitstreams::Bitstreams,
    change::Change,
    entry,
    files::{self, Files},
    grouped::{Grouped, Lines, lines, unwritten},
    names,
    notifications::Notifications,
    packages::Packages,
    publishing::{Before, Publishing},
    record::Record,
    state::{Dump, Set, State},
    update::Update,
};

impl Publishing<'_> {
    /// Writes everything into the folders of the next generation, and completes its state. Also returns the number of files that are left
    /// out of the Resource Dumps.
    pub(crate) fn write(
        &self,
        (next, bitstreams): (&Next<'_>, &Bitstreams<'_>),
        before: Option<&Before<'_>>,
        gathered: Update,
        state: &mut State,
        event: OnEvent<'_>,
    ) -> Result<(Published, u64), Error> {
        let Update { sets, changes, .. } = gathered;
        let mut making = Writing::new(self, (next, bitstreams), before, changes)?;
        for (name, count) in &sets {
            making.set(name, *count, event)?;
        }
        if self.describedby.is_none() {
            about_page::write(&next.public(), &self.documents, sets.keys(), self.suffix)?;
        }
        let left_out = making.packages.warn(event);
        Ok((making.finish(state)?, left_out))
    }

    fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        settings.options.selection = Selection::new(Profile::Standard, &[], self.ignore, &[]);
        settings.options.fail_on = self.fail_on;
        settings.describedby = Some(self.description());
        settings.suffix = self.suffix.to_owned();
        settings.digests = self.channels.is_some();
        settings
    }

    fn description(&self) -> Uri {
        self.describedby.clone().unwrap_or_else(|| about_page::uri(&self.documents))
    }

    /// The existing lists without those to remove, and the end of the open one.
    fn history(&self, old: Option<&Set>, changes: u64) -> (ChangeHistory, Option<Datetime>) {
        let Some(old) = old else { return (ChangeHistory::since(self.at.clone()), None) };
        let mut history = old.changes.clone();
        let age = self.at.to_unix().0.saturating_sub(history.open.from.to_unix().0);
        let close = self.rotate.is_due(changes, age).then(|| self.at.clone());
        if let Some(keep) = self.keep {
            let stay = keep.saturating_sub(usize::from(close.is_some()));
            history.closed.drain(..history.closed.len().saturating_sub(stay));
        }
        (history, close)
    }
}

/// Values sorted by set.
type Values<T> = Grouped<Box<dyn Iterator<Item = Result<T, Error>>>>;

/// A generation being written, set by set.
struct Writing<'a> {
    site: &'a Publishing<'a>,
    next: &'a Next<'a>,
    before: Option<&'a Before<'a>>,
    publication: Publication<Files>,
    resources: Values<Record>,
    /// The changes of open Change Lists.
    earlier: Values<Change>,
    news: Values<Change>,
    open: Lines,
    packages: Packages<'a>,
    notifications: Option<Notifications<'a>>,
    /// The start of the first Change List of the set that is kept, if not all are.
    from: Option<Datetime>,
    known: BTreeMap<String, Known>,
}

/// The input for writing a set.
#[derive(Debug, Default)]
struct Known {
    open: u64,
    dumped: bool,
    /// Files of the Resource Dump, if it is kept from the previous generation.
    kept: Option<Vec<String>>,
}

impl<'a> Writing<'a> {
    fn new(
        site: &'a Publishing<'a>,
        (next, bitstreams): (&'a Next<'a>, &'a Bitstreams<'a>),
        before: Option<&'a Before<'a>>,
        changes: Sorter<Change>,
    ) -> Result<Writing<'a>, Error> {
        let (folder, inventory) = (&next.folder, next.folder.join("inventory.jsonl"));
        let known = before.map(|before| lines(&before.current.known.join("changes.jsonl"))).transpose()?;
        let sorted = changes.finish().map_err(|error| unwritten(folder, &error))?;
        let place = folder.clone();
        let news = sorted.map(move |change| change.map_err(|error| unwritten(&place, &error)));
        Ok(Writing {
            site,
            next,
            before,
            publication: Publication::new(
                Files::new(next.public()),
                site.documents.clone(),
                site.at.clone(),
                site.settings(),
            )?,
            resources: Grouped::new(Box::new(lines(&inventory)?)),
            earlier: Grouped::new(Box::new(known.into_iter().flatten())),
            news: Grouped::new(Box::new(news)),
            open: Lines::create(folder.join("changes.jsonl"))?,
            packages: Packages::new(site.source, bitstreams, &inventory, site.skip_unreadable),
            notifications: site
                .channels
                .map(|channels| Notifications::new(channels, site, before, next))
                .transpose()?,
            from: None,
            known: BTreeMap::new(),
        })
    }

    fn set(&mut self, name: &str, count: u64, event: OnEvent<'_>) -> Result<(), Error> {
        self.publication.set(name, Some(self.site.description()))?;
        self.publication.begin_resource_list(Some(count))?;
        while let Some(record) = self.resources.next(name)? {
            if self.site.source.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            self.publication.push(entry::resource(&record))?;
        }
        let path = self.next.folder.join("new.jsonl");
        let fresh = self.copy(name, &path, event)?;
        let open = self.change_lists(name, &path, fresh)?;
        if let Some(notifications) = &mut self.notifications {
            notifications.set(&mut self.publication, name, (&path, fresh))?;
        }
        let mut own = Known { open, ..Known::default() };
        let from = self.from.take();
        if self.site.dump {
            own.dumped = true;
            let around = (self.site, self.before, self.next);
            own.kept = self.packages.write(&mut self.publication, name, &path, from.as_ref(), around)?;
        }
        self.known.insert(name.to_owned(), own);
        Ok(())
    }

    /// Writes the new changes of a set to a file and counts them, since both the list and the dump need them.
    fn copy(&mut self, name: &str, path: &Path, event: OnEvent<'_>) -> Result<u64, Error> {
        let (mut copy, mut count) = (Lines::create(path.to_owned())?, 0_u64);
        while let Some(change) = self.news.next(name)? {
            copy.push(&change)?;
            event(Event::Listed(&change));
            count = count.saturating_add(1);
        }
        copy.finish()?;
        Ok(count)
    }

    /// Writes the Change Lists of a set; returns the number of changes in the open one.
    fn change_lists(&mut self, name: &str, news: &Path, fresh: u64) -> Result<u64, Error> {
        let old = self.before.and_then(|before| before.state.sets.get(name));
        let total = old.map_or(0, |set| set.open).saturating_add(fresh);
        let (history, close) = self.site.history(old, total);
        let is_closed = close.is_some();
        let first = history.closed.first().map_or(&history.open.from, |list| &list.from);
        self.from = self.site.keep.map(|_| first.clone());
        self.publication.begin_change_lists(history, close)?;
        let mut news = lines::<Change>(news)?;
        while let Some(change) = self.earlier.next(name)?.map(Ok).or_else(|| news.next()).transpose()? {
            self.publication.push(entry::change(&change))?;
            if !is_closed {
                self.open.push(&change)?;
            }
        }
        Ok(if is_closed { 0 } else { total })
    }

    fn finish(self, state: &mut State) -> Result<Published, Error> {
        let Writing { next, before, publication, open, notifications, mut known, .. } = self;
        open.finish()?;
        let published = publication.finish()?;
        let _ = fs::remove_file(next.folder.join("new.jsonl"));
        if let Some(before) = before {
            let damaged = |path: &String| before.state.check_file(&before.current.public, path, true);
            published.kept.iter().try_for_each(damaged)?;
            files::keep_all(&before.current.public, &next.public(), &published.kept)?;
        }
        for set in &published.sets {
            let Some(changes) = set.changes.clone() else { continue };
            let Known { open, kept, dumped } = known.remove(&set.name).unwrap_or_default();
            let start = format!("{}resourcedump", names::prefix(&set.name));
            let made = || published.written.iter().filter(|path| path.starts_with(&start)).cloned().collect();
            let mut files: Vec<String> = kept.unwrap_or_else(made);
            files.sort();
            let dump = set.dump.clone().filter(|_| dumped).map(|history| Dump { history, files });
            state.sets.insert(set.name.clone(), Set { changes, open, dump, notified: None });
        }
        notifications.map_or(Ok(()), |notifications| notifications.finish(&published, state))?;
        state.write(&next.folder, &next.public())?;
        Ok(published)
    }
}
