//! What the first run fixes: the Source, its sets, and the names of files.

use std::collections::BTreeSet;

use resourcesync::value::key;
use resourcesync_sync::{Layout, Map, Places, ledger::Resources};

use super::{Options, SyncError, ledger::Ledger};

/// What the first run fixes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Binding {
    pub(super) source: String,
    layout: Option<Layout>,
    maps: Vec<Map>,
    pub(super) sets: Vec<String>,
}

impl Binding {
    /// What the copy is bound to; nothing while no run has read any list, for its URI may have been a wrong one.
    pub(super) fn bound(ledger: &Ledger) -> Result<Option<Binding>, SyncError> {
        if ledger.get("settled")?.is_none() && ledger.totals()?.0 == 0 {
            return Ok(None);
        }
        Binding::of(ledger)
    }

    /// What the ledger has; nothing before the first run.
    pub(super) fn of(ledger: &Ledger) -> Result<Option<Binding>, SyncError> {
        let Some(source) = ledger.get("source")? else { return Ok(None) };
        let layout = ledger.get("layout")?.and_then(|layout| Layout::find(&layout));
        let maps = ledger.get("maps")?.map(|maps| serde_json::from_str(&maps)).transpose()?.unwrap_or_default();
        let sets = ledger.get("sets")?.map(|sets| serde_json::from_str(&sets)).transpose()?.unwrap_or_default();
        Ok(Some(Binding { source, layout, maps, sets }))
    }

    /// The same for a run with these options.
    pub(super) fn with(&self, uri: &str, options: &Options) -> Result<Binding, SyncError> {
        let is_first = self.source.is_empty();
        let mut goal = Binding { source: uri.to_owned(), ..self.clone() };
        if !is_first && self.source != uri {
            return Err(SyncError::OtherSource { held: self.source.clone() });
        }
        let sets: BTreeSet<String> = options.settings.reading.sets.iter().map(|set| key(set)).collect();
        if !sets.is_empty() {
            goal.sets = sets.into_iter().collect();
        }
        let placing = &options.settings.placing;
        if !placing.maps.is_empty() {
            goal.maps.clone_from(&placing.maps);
        }
        goal.layout = placing.layout.or(self.layout);
        if is_first {
            return Ok(goal);
        }
        if goal.sets != self.sets {
            return Err(SyncError::OtherSets { held: self.sets.clone() });
        }
        if self.is_laid_out_otherwise(&goal) && !placing.relayout {
            return Err(SyncError::OtherLayout { held: self.layout.unwrap_or_default().as_str() });
        }
        Ok(goal)
    }

    pub(super) fn is_laid_out_otherwise(&self, goal: &Binding) -> bool {
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
    pub(super) fn begin_relayout(&self, goal: &Binding, ledger: &mut Ledger) -> Result<(), SyncError> {
        let places = self.places();
        ledger.record_paths(&|uri| places.of(uri))?;
        ledger.put("relayout", "begun")?;
        goal.write(ledger)
    }
}
