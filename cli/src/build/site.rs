//! Writes all documents and packages of a generation.

use std::{collections::BTreeMap, fs, io};

use resourcesync::{
    build::{ChangeHistory, Publication, PublishError, Published, Refused, Settings},
    report::{Profile, Selection, Selector},
    value::{Datetime, Uri},
};

use super::{
    about,
    by_set::{BySet, Lines, lines, unwritten},
    change::Change,
    entry,
    files::{self, Files},
    gather::Gathered,
    generation::{Current, Next},
    packages::{self, Packages},
    record::Record,
    rotate::Rotate,
    source::Source,
    state::{Dump, Set, State},
};
use crate::trouble::{Trouble, reason};

/// What is published, and how.
pub(super) struct Site<'a> {
    pub(super) source: &'a Source<'a>,
    pub(super) documents: Uri,
    pub(super) at: Datetime,
    /// What describes it; a page that is written where there is none.
    pub(super) describedby: Option<Uri>,
    pub(super) dump: bool,
    pub(super) new_dump: bool,
    /// The ending of documents.
    pub(super) suffix: &'static str,
    pub(super) rotate: Rotate,
    /// Closed Change Lists that stay.
    pub(super) keep: Option<usize>,
    /// Findings that may pass.
    pub(super) ignore: &'a [Selector],
}

/// The generation before.
pub(super) struct Before<'a> {
    pub(super) current: &'a Current,
    pub(super) state: &'a State,
}

/// Why a generation could not be made.
pub(super) enum Failure {
    /// It would have been wrong.
    Refused(Box<Refused>),
    Trouble(Trouble),
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        Failure::Trouble(trouble)
    }
}

impl From<PublishError<io::Error>> for Failure {
    fn from(error: PublishError<io::Error>) -> Failure {
        match error {
            PublishError::Refused(refused) => Failure::Refused(Box::new(refused)),
            PublishError::Store(error) => {
                Trouble::new(format!("a document could not be written: {}", reason(&error))).into()
            }
            PublishError::Misuse(words) => Trouble::new(words).into(),
        }
    }
}

/// What is known of a set before everything is written.
#[derive(Debug, Default)]
struct Known {
    open: u64,
    dumped: bool,
    /// Files of the Resource Dump, if it is that of the generation before.
    kept: Option<Vec<String>>,
}

impl Site<'_> {
    fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        settings.options.selection = Selection::new(Profile::Standard, &[], self.ignore, &[]);
        settings.describedby = Some(self.description());
        settings.suffix = self.suffix.to_owned();
        settings
    }

    fn description(&self) -> Uri {
        self.describedby.clone().unwrap_or_else(|| about::uri(&self.documents))
    }

    /// Writes everything into the folders of the next generation, and completes its state.
    pub(super) fn write(
        &self,
        next: &Next<'_>,
        before: Option<&Before<'_>>,
        gathered: Gathered,
        state: &mut State,
    ) -> Result<Published, Failure> {
        let folder = &next.folder;
        let mut publication =
            Publication::new(Files::new(next.public()), self.documents.clone(), self.at.clone(), self.settings())?;
        let mut resources = BySet::new(lines::<Record>(&folder.join("inventory.jsonl"))?);
        let earlier = before.map(|before| before.current.known.join("changes.jsonl"));
        let mut earlier = BySet::new(earlier.map(|path| lines::<Change>(&path)).transpose()?.into_iter().flatten());
        let news = gathered.changes.finish().map_err(|error| unwritten(folder, &error))?;
        let mut news = BySet::new(news.map(|change| change.map_err(|error| unwritten(folder, &error))));
        let mut open = Lines::create(folder.join("changes.jsonl"))?;
        let mut packages = Packages::new(self.source, &folder.join("inventory.jsonl"));
        let mut known = BTreeMap::new();

        for (name, count) in &gathered.sets {
            publication.set(name, Some(self.description()))?;
            publication.begin_resource_list(Some(*count))?;
            while let Some(record) = resources.next(name)? {
                publication.push(entry::resource(&record))?;
            }
            // The new changes are read three times: to count them, for the list, for the dump.
            let (path, mut fresh) = (folder.join("new.jsonl"), 0_u64);
            let mut copy = Lines::create(path.clone())?;
            while let Some(change) = news.next(name)? {
                copy.push(&change)?;
                fresh = fresh.saturating_add(1);
            }
            copy.finish()?;
            let old = before.and_then(|before| before.state.sets.get(name));
            let total = old.map_or(0, |set| set.open).saturating_add(fresh);
            let (history, close) = self.history(old, total);
            let is_closed = close.is_some();
            publication.begin_change_lists(history, close)?;
            let mut list = |change: Result<Change, Trouble>| -> Result<(), Failure> {
                let change = change?;
                publication.push(entry::change(&change))?;
                if is_closed { Ok(()) } else { Ok(open.push(&change)?) }
            };
            while let Some(change) = earlier.next(name)? {
                list(Ok(change))?;
            }
            lines(&path)?.try_for_each(list)?;
            let mut own = Known { open: if is_closed { 0 } else { total }, ..Known::default() };
            if self.dump {
                own.dumped = true;
                own.kept = packages.write(&mut publication, name, &path, (self, before, next))?;
            }
            known.insert(name.clone(), own);
        }
        open.finish()?;
        let published = publication.finish()?;
        if self.describedby.is_none() {
            about::write(&next.public(), &self.documents, gathered.sets.keys(), self.suffix)?;
        }
        let _ = fs::remove_file(folder.join("new.jsonl"));
        if let Some(before) = before {
            files::keep_all(&before.current.public, &next.public(), &published.kept)?;
        }
        for set in &published.sets {
            let Some(changes) = set.changes.clone() else { continue };
            let Known { open, kept, dumped } = known.remove(&set.name).unwrap_or_default();
            let start = format!("{}resourcedump", packages::prefix(&set.name));
            let made = || published.written.iter().filter(|path| path.starts_with(&start)).cloned().collect();
            let files = kept.unwrap_or_else(made);
            let dump = set.dump.clone().filter(|_| dumped).map(|history| Dump { history, files });
            state.sets.insert(set.name.clone(), Set { changes, open, dump });
        }
        state.write(folder)?;
        Ok(published)
    }

    /// The lists so far without those that do not stay, and when the open one ends.
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
