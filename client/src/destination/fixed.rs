//! What the first run fixes: the Source, its sets, and the names of files; and the change of these names.

use std::collections::BTreeSet;

use resourcesync::value::key;
use resourcesync_sync::{Layout, Map, Places, place};

use super::{
    Options, SyncError,
    copies::{InTheWay, Look},
    files::Files,
    ledger::{Entry, Ledger},
    run::Run,
};

/// Files renamed between two transactions.
const GROUP: usize = 256;

/// What the first run fixes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Fixed {
    pub(super) source: String,
    layout: Option<Layout>,
    maps: Vec<Map>,
    pub(super) sets: Vec<String>,
}

impl Fixed {
    /// What the copy is bound to; nothing while no run has read any list, for its URI may have been a wrong one.
    pub(super) fn bound(ledger: &Ledger) -> Result<Option<Fixed>, SyncError> {
        if ledger.get("settled")?.is_none() && ledger.totals()?.0 == 0 {
            return Ok(None);
        }
        Fixed::of(ledger)
    }

    /// What the ledger has; nothing before the first run.
    pub(super) fn of(ledger: &Ledger) -> Result<Option<Fixed>, SyncError> {
        let Some(source) = ledger.get("source")? else { return Ok(None) };
        let layout = ledger.get("layout")?.and_then(|layout| Layout::find(&layout));
        let maps = ledger.get("maps")?.map(|maps| serde_json::from_str(&maps)).transpose()?.unwrap_or_default();
        let sets = ledger.get("sets")?.map(|sets| serde_json::from_str(&sets)).transpose()?.unwrap_or_default();
        Ok(Some(Fixed { source, layout, maps, sets }))
    }

    /// The same for a run with these options.
    pub(super) fn with(&self, uri: &str, options: &Options) -> Result<Fixed, SyncError> {
        let is_first = self.source.is_empty();
        let mut goal = Fixed { source: uri.to_owned(), ..self.clone() };
        if !is_first && self.source != uri {
            return Err(SyncError::OtherSource { held: self.source.clone() });
        }
        let sets: BTreeSet<String> = options.sets.iter().map(|set| key(set)).collect();
        if !sets.is_empty() {
            goal.sets = sets.into_iter().collect();
        }
        if !options.maps.is_empty() {
            goal.maps.clone_from(&options.maps);
        }
        goal.layout = options.layout.or(self.layout);
        if is_first {
            return Ok(goal);
        }
        if goal.sets != self.sets {
            return Err(SyncError::OtherSets { held: self.sets.clone() });
        }
        if self.is_laid_out_otherwise(&goal) && !options.relayout {
            return Err(SyncError::OtherLayout { held: self.layout.unwrap_or_default().as_str() });
        }
        Ok(goal)
    }

    pub(super) fn is_laid_out_otherwise(&self, goal: &Fixed) -> bool {
        !self.source.is_empty() && self.places() != goal.places()
    }

    /// The names of files.
    pub(super) fn places(&self) -> Places {
        Places::new(self.layout.unwrap_or_default(), &self.source).with_maps(self.maps.clone())
    }

    pub(super) fn write(&self, ledger: &mut Ledger) -> Result<(), SyncError> {
        let layout = self.layout.unwrap_or_default().as_str();
        let (maps, sets) = (serde_json::to_string(&self.maps)?, serde_json::to_string(&self.sets)?);
        ledger.put_all(&[("source", &self.source), ("layout", layout), ("maps", &maps), ("sets", &sets)])
    }

    /// Records the names that files have now, so that from here on each can be renamed by itself.
    pub(super) fn begin_relayout(&self, goal: &Fixed, ledger: &mut Ledger) -> Result<(), SyncError> {
        let places = self.places();
        ledger.record_paths(&|uri| places.of(uri))?;
        ledger.put("relayout", "begun")?;
        goal.write(ledger)
    }
}

impl Run<'_, '_> {
    /// Renames files to what the layout makes of their URIs; a run that was killed meanwhile is completed.
    pub(super) fn relayout(&mut self) -> Result<(), SyncError> {
        if self.ledger.get("relayout")?.is_none() {
            return Ok(());
        }
        // A file may be in the way of another that moves away itself.
        let mut left = u64::MAX;
        loop {
            let now = self.relayout_once()?;
            if now == 0 || now >= left {
                self.record.counts.conflicts = self.record.counts.conflicts.saturating_add(now);
                break;
            }
            left = now;
        }
        if self.cancel.is_cancelled() { Ok(()) } else { self.ledger.unset("relayout") }
    }

    /// Goes through all files once; the number of those that something is in the way of.
    fn relayout_once(&mut self) -> Result<u64, SyncError> {
        let (mut after, mut left) = (0, 0_u64);
        loop {
            let list = self.ledger.with_paths(after, GROUP)?;
            let Some(last) = list.last().filter(|_| !self.cancel.is_cancelled()) else { return Ok(left) };
            after = last.id;
            let mut moved = Vec::new();
            for entry in list {
                let (Some(from), Some(to)) = (entry.path.clone(), self.places.of(&entry.uri)) else { continue };
                match self.rename_to(&entry.uri, &from, to)? {
                    Some(path) => moved.push((entry.id, from, path)),
                    None => left = left.saturating_add(1),
                }
            }
            let is_durable = self.options.durable;
            self.copies()?.sync_folders(is_durable)?;
            let paths: Vec<(i64, Option<&str>)> = moved.iter().map(|(id, _, path)| (*id, path.as_deref())).collect();
            self.ledger.set_paths(&paths)?;
            for (_, from, _) in &moved {
                self.copies()?.prune(from);
            }
        }
    }

    /// Renames a file; its path, where that is not what the layout makes of its URI. `None` if something is in the way.
    #[expect(clippy::option_option, reason = "no path is a path")]
    fn rename_to(&mut self, uri: &str, from: &str, mut to: String) -> Result<Option<Option<String>>, SyncError> {
        if from == to {
            return Ok(Some(None));
        }
        if self.copies()?.look(from)?.is_none_or(|look| !look.is_file) {
            // Renamed by a run that was killed, or lost: then it is fetched.
            for other in [format!("{to}^"), place::aside(&to, uri)] {
                if self.copies()?.look(&other)?.is_some_and(|look| look.is_file) {
                    return Ok(Some(Some(other)));
                }
            }
            return Ok(Some(None));
        }
        while let Err(problem) = self.copies()?.make_way(&to) {
            let InTheWay::NoFolder(mut file) = problem else { return Err(problem.into()) };
            if let Some(other) = self.other_at(&file)? {
                file = other;
            }
            let Some(owner) = self.owner_of(&file)? else { return Ok(None) };
            if !self.step_aside(&owner, &file)? {
                return Ok(None);
            }
        }
        let mut path = None;
        if self.copies()?.look(&to)?.is_some_and(|look| look.is_folder) {
            to.push('^');
            path = Some(to.clone());
        }
        if from == to {
            return Ok(Some(path));
        }
        let is_ours = |held: &Entry, look: Look| {
            Look::compare(Some(look), held.held.size, held.mtime) == resourcesync_sync::Local::Intact
        };
        if let Some(look) = self.copies()?.look(&to)? {
            // Both names of one file: the file system takes them for the same.
            let held = self.ledger.find(uri)?;
            let Files::Own(copies) = &mut self.files else { return Err(SyncError::NotACopy) };
            if !(copies.folds()
                && copies.actual(&to)?.as_deref() == Some(from)
                && held.is_some_and(|held| is_ours(&held, look)))
            {
                let other = place::aside(&to, uri);
                if self.other_at(&to)?.is_none() || self.copies()?.look(&other)?.is_some() {
                    return Ok(None);
                }
                path = Some(other.clone());
                to = other;
            }
        }
        self.copies()?.move_file(from, &to)?;
        Ok(Some(path))
    }
}
