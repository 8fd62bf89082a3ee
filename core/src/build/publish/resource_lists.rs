//! The Resource Lists of a set: one, or parts of 50,000 entries and 50 MB with their index.

use alloc::{format, string::String};

use super::{
    Settings, Store,
    files::{Files, Listed, PORTION},
    layout::SetLayout,
};
use crate::{
    build::{Builder, Document, PublishError, Refused, ResourceList, ResourceListIndex, SnapshotEntry},
    model::{Entry, Head, Kind},
    value::Capability,
};

const STEM: &str = "resourcelist";

/// Resource Lists being written.
///
/// The first list has an index only if there is a second one, so it is buffered until then.
#[derive(Debug)]
pub(super) struct ResourceLists {
    builder: Builder,
    /// The number of the current part, from 1.
    number: u64,
    /// True once there is an index: from then on parts are written without buffering.
    indexed: bool,
    pub(super) entries: u64,
}

fn head(set: &SetLayout, indexed: bool) -> Head {
    let list = ResourceList::new(set.up.clone(), set.at.clone());
    if indexed { list.index(set.uri(STEM)).into_head() } else { list.into_head() }
}

/// Reserves space for the link to the index, which is added at the end.
fn begin(set: &SetLayout, settings: &Settings, indexed: bool) -> Result<Builder, Refused> {
    let mut builder = Builder::new(Kind::ResourceList, head(set, indexed), set.options.clone())?;
    let reserve = set.uri(STEM).as_str().len().saturating_mul(6).saturating_add(64);
    builder.limit(settings.max_document_bytes.saturating_sub(reserve as u64));
    Ok(builder)
}

fn part(number: u64) -> String {
    format!("{STEM}-{number}")
}

fn listed(set: &SetLayout, number: u64) -> Listed {
    set.listed(Capability::ResourceList, &part(number), Some(STEM))
}

impl ResourceLists {
    pub(super) fn begin<S: Store>(
        set: &SetLayout,
        settings: &Settings,
        files: &mut Files<S>,
        expected: Option<u64>,
    ) -> Result<ResourceLists, PublishError<S::Error>> {
        let indexed = expected.is_some_and(|expected| expected > settings.max_document_entries);
        let mut builder = begin(set, settings, indexed)?;
        if indexed {
            files.begin_document(set.path(&part(1)), listed(set, 1))?;
        } else {
            builder.take();
        }
        Ok(ResourceLists { builder, number: 1, indexed, entries: 0 })
    }

    pub(super) fn push<S: Store>(
        &mut self,
        mut entry: Entry,
        set: &SetLayout,
        settings: &Settings,
        files: &mut Files<S>,
    ) -> Result<(), PublishError<S::Error>> {
        if self.builder.entries() >= settings.max_document_entries.max(1) {
            self.next(set, settings, files)?;
        }
        match self.builder.try_push(&mut entry) {
            Err(refused) if refused.is_full() && self.builder.entries() > 0 => {
                self.next(set, settings, files)?;
                self.builder.try_push(&mut entry)?;
            }
            verdict => verdict?,
        }
        self.entries = self.entries.saturating_add(1);
        if self.indexed && self.builder.waiting() >= PORTION {
            files.write(self.builder.take().as_bytes())?;
        }
        Ok(())
    }

    /// The current part is full: starts the next one.
    fn next<S: Store>(
        &mut self,
        set: &SetLayout,
        settings: &Settings,
        files: &mut Files<S>,
    ) -> Result<(), PublishError<S::Error>> {
        let full = core::mem::replace(&mut self.builder, begin(set, settings, true)?);
        if self.indexed {
            let rest = full.finish_into(&mut files.accepted)?;
            files.write(rest.as_bytes())?;
            files.end()?;
        } else {
            self.indexed = true;
            let text = full.finish_as(head(set, true), &mut files.accepted)?;
            files.put_document(set.path(&part(1)), listed(set, 1), &text)?;
        }
        self.number = self.number.saturating_add(1);
        files.begin_document(set.path(&part(self.number)), listed(set, self.number))
    }

    pub(super) fn end<S: Store>(self, set: &mut SetLayout, files: &mut Files<S>) -> Result<(), PublishError<S::Error>> {
        if self.indexed {
            let rest = self.builder.finish_into(&mut files.accepted)?;
            files.write(rest.as_bytes())?;
            files.end()?;
            let mut index = ResourceListIndex::new(set.up.clone(), set.at.clone()).begin_with(set.options.clone())?;
            for number in 1..=self.number {
                index.push(SnapshotEntry::new(set.uri(&part(number))).at(set.at.clone()))?;
            }
            files.put(set.path(STEM), &index.finish()?)?;
        } else {
            let listed = set.listed(Capability::ResourceList, STEM, None);
            let text = self.builder.finish_as(head(set, false), &mut files.accepted)?;
            files.put_document(set.path(STEM), listed, &text)?;
        }
        set.add(Capability::ResourceList, STEM);
        Ok(())
    }
}
