//! Writes all documents and packages of a generation.

use std::{collections::BTreeMap, fs, path::Path};

use crate::{folder::Next, sort::Sorter};
use resourcesync::{
    build::Published,
    publish::{CHANGES, Change, ChangeLists, Dump, Generation, INVENTORY, Record, State, prefix},
    value::Datetime,
};

use super::{
    Error, Event, OnEvent,
    bitstreams::Bitstreams,
    files::{self, Files},
    grouped::{Grouped, Lines, lines, unwritten},
    known::Values,
    notifications::Notifications,
    packages::Packages,
    publishing::{Before, Publishing},
    state_files,
};

impl Publishing<'_> {
    /// Writes everything into the folders of the next generation, and completes its state. Also returns the number of files that are left
    /// out of the Resource Dumps.
    pub(crate) fn write(
        &self,
        (next, bitstreams): (&Next<'_>, &Bitstreams<'_>),
        before: Option<&Before<'_>>,
        (sets, changes): (&BTreeMap<String, u64>, Sorter<Change>),
        state: &mut State,
        event: OnEvent<'_>,
    ) -> Result<(Published, u64), Error> {
        let mut making = Writing::new(self, (next, bitstreams), before, (sets, changes))?;
        for (name, count) in sets {
            making.set(name, *count, event)?;
        }
        let left_out = making.packages.warn(event);
        Ok((making.finish(state)?, left_out))
    }
}

/// A generation being written, set by set.
struct Writing<'a> {
    site: &'a Publishing<'a>,
    next: &'a Next<'a>,
    before: Option<&'a Before<'a>>,
    generation: Generation<Files>,
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
    dumped: bool,
    /// Files of the Resource Dump, if it is kept from the previous generation.
    kept: Option<Vec<String>>,
}

impl<'a> Writing<'a> {
    fn new(
        site: &'a Publishing<'a>,
        (next, bitstreams): (&'a Next<'a>, &'a Bitstreams<'a>),
        before: Option<&'a Before<'a>>,
        (sets, changes): (&BTreeMap<String, u64>, Sorter<Change>),
    ) -> Result<Writing<'a>, Error> {
        let (folder, inventory) = (&next.folder, next.folder.join(INVENTORY));
        let earlier = before.map(|before| before.known.open_changes()).transpose()?;
        let sorted = changes.finish().map_err(|error| unwritten(folder, &error))?;
        let place = folder.clone();
        let news = sorted.map(move |change| change.map_err(|error| unwritten(&place, &error)));
        Ok(Writing {
            site,
            next,
            before,
            generation: Generation::new(
                Files::new(next.public()),
                site.plan.clone(),
                sets.keys(),
                before.map(|before| before.state),
            )?,
            resources: Grouped::new(Box::new(lines(&inventory)?)),
            earlier: earlier.unwrap_or_else(|| Grouped::new(Box::new(std::iter::empty()))),
            news: Grouped::new(Box::new(news)),
            open: Lines::create(folder.join(CHANGES))?,
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
        self.generation.set(name, count)?;
        let lists = self.site.plan.lists;
        while let Some(record) = self.resources.next(name)?.filter(|_| lists) {
            if self.site.source.cancel.is_cancelled() {
                return Err(Error::Cancelled);
            }
            self.generation.resource(&record)?;
        }
        let path = self.next.folder.join("new.jsonl");
        let fresh = self.copy(name, &path, event)?;
        if lists {
            self.change_lists(name, &path, fresh)?;
        }
        if let Some(notifications) = &mut self.notifications {
            notifications.set(self.generation.publication(), name, &path)?;
        }
        let mut own = Known::default();
        let from = self.from.take();
        if self.site.dump {
            own.dumped = true;
            let around = (self.site, self.before, self.next);
            own.kept =
                self.packages.write(self.generation.publication(), (name, count), &path, from.as_ref(), around)?;
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

    /// Writes the Change Lists of a set.
    fn change_lists(&mut self, name: &str, news: &Path, fresh: u64) -> Result<(), Error> {
        let ChangeLists { is_open, first } = self.generation.begin_changes(name, fresh)?;
        self.from = self.site.plan.keep.map(|_| first);
        let (start, mut news) = (self.open.length()?, lines::<Change>(news)?);
        while let Some(change) = self.earlier.next(name)?.map(Ok).or_else(|| news.next()).transpose()? {
            let count = self.generation.change(&change)?;
            if is_open {
                if count == 1 {
                    self.open.cut(start)?;
                }
                self.open.push(&change)?;
            }
        }
        Ok(())
    }

    fn finish(self, state: &mut State) -> Result<Published, Error> {
        let Writing { next, before, generation, open, notifications, mut known, .. } = self;
        open.finish()?;
        let published = generation.finish(state)?;
        let _ = fs::remove_file(next.folder.join("new.jsonl"));
        if let Some(before) = before {
            let damaged = |path: &String| state_files::check_file(before.state, &before.current.public, path, true);
            published.kept.iter().try_for_each(damaged)?;
            files::keep_all(&before.current.public, &next.public(), &published.kept)?;
            let public = &before.current.public;
            let is_left = |path: &&String| {
                !published.written.contains(path) && !published.kept.contains(path) && public.join(path).is_file()
            };
            let superseded: Vec<String> = before.known.ledger.superseded().iter().filter(is_left).cloned().collect();
            files::keep_all(&before.current.public, &next.public(), &superseded)?;
        }
        for set in &published.sets {
            let Known { kept, dumped } = known.remove(&set.name).unwrap_or_default();
            let start = format!("{}resourcedump", prefix(&set.name));
            let made = || published.written.iter().filter(|path| path.starts_with(&start)).cloned().collect();
            let mut files: Vec<String> = kept.unwrap_or_else(made);
            files.sort();
            let dump = set.dump.clone().filter(|_| dumped).map(|history| Dump { history, files });
            if let Some(own) = state.sets.get_mut(&set.name) {
                own.dump = dump;
            }
        }
        notifications.map_or(Ok(()), |notifications| notifications.finish(&published, state))?;
        state_files::write(state, &next.folder, &next.public())?;
        Ok(published)
    }
}
