//! The Change Lists of a set: one, or closed ones, an open one, and the index of all.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{ChangeHistory, Interval, Opened, Settings, Store, files::Files, layout::SetLayout};
use crate::{
    build::{Builder, ChangeList, ChangeListIndex, Document, IntervalEntry, PublishError, Refused},
    diagnostic::{Code, Finding},
    model::{Entry, Head, Kind},
    value::{Capability, Datetime},
};

const STEM: &str = "changelist";

/// Change Lists being written. Each is buffered to its end, since `until` precedes the entries.
#[derive(Debug)]
pub(super) struct ChangeLists {
    history: ChangeHistory,
    close: Option<Datetime>,
    builder: Builder,
    last: Option<Datetime>,
    /// The number of closed lists in the published index, if it stays as it is unless one is added.
    indexed: Option<usize>,
    /// The number of the published open list, if the list that is closed has another.
    superseded: Option<u64>,
}

fn stem(number: u64) -> String {
    format!("{STEM}-{number}")
}

/// The head of a list that the index lists.
fn head(set: &SetLayout, from: &Datetime, until: Option<&Datetime>) -> Head {
    let list = ChangeList::new(set.up.clone(), from.clone()).index(set.uri(STEM));
    until.map_or_else(|| list.clone(), |until| list.clone().until(until.clone())).into_head()
}

fn begin(set: &SetLayout, settings: &Settings, from: &Datetime) -> Result<Builder, Refused> {
    let mut builder = Builder::new(Kind::ChangeList, head(set, from, None), set.options.clone())?;
    // Reserved for `until`.
    builder.limit(settings.max_document_bytes.saturating_sub(64));
    builder.take();
    Ok(builder)
}

/// The `datetime` of a change.
pub(super) fn datetime(entry: &Entry) -> Option<Datetime> {
    entry.first_md().and_then(|md| md.attributes.datetime()).and_then(|field| field.value()).cloned()
}

/// Rejects a change after the end of the interval.
pub(super) fn check_end(last: Option<&Datetime>, until: &Datetime) -> Result<(), Refused> {
    match last {
        Some(last) if last.start() > until.start() => {
            let finding = Finding::new(Code::AT_24).arg("attribute", "until").arg("value", last.to_string());
            Err(finding.arg("bound", until.to_string()).into())
        }
        _ => Ok(()),
    }
}

impl ChangeLists {
    pub(super) fn begin(
        set: &SetLayout,
        settings: &Settings,
        history: ChangeHistory,
        close: Option<Datetime>,
    ) -> Result<ChangeLists, Refused> {
        let builder = begin(set, settings, &history.open.from)?;
        Ok(ChangeLists { history, close, builder, last: None, indexed: None, superseded: None })
    }

    /// Keeps the published index unless a list is closed.
    pub(super) fn keep_index(self) -> ChangeLists {
        ChangeLists { indexed: Some(self.history.closed.len()), ..self }
    }

    /// The list that is closed is written under the number of the published open list, too.
    pub(super) fn supersede(&mut self, number: u64) {
        self.superseded = Some(number);
    }

    /// The lists of earlier publications that are still listed.
    pub(super) fn kept(&self, set: &SetLayout) -> Vec<String> {
        self.history.closed.iter().map(|interval| set.path(&stem(interval.number))).collect()
    }

    pub(super) fn push<S: Store>(
        &mut self,
        mut entry: Entry,
        set: &SetLayout,
        settings: &Settings,
        files: &mut Files<S>,
    ) -> Result<(), PublishError<S::Error>> {
        let now = datetime(&entry);
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
        self.last = now;
        Ok(())
    }

    /// The current list is full: its interval ends with its last change, where the next one begins.
    fn next<S: Store>(
        &mut self,
        set: &SetLayout,
        settings: &Settings,
        files: &mut Files<S>,
    ) -> Result<(), PublishError<S::Error>> {
        let until = self.last.as_ref().map_or_else(|| self.history.open.from.clone(), Datetime::to_utc);
        self.close(until, set, settings, files)
    }

    fn close<S: Store>(
        &mut self,
        until: Datetime,
        set: &SetLayout,
        settings: &Settings,
        files: &mut Files<S>,
    ) -> Result<(), PublishError<S::Error>> {
        let Opened { number, from } = self.history.open.clone();
        let closed = core::mem::replace(&mut self.builder, begin(set, settings, &until)?);
        let listed = set.listed(Capability::ChangeList, &stem(number), Some(STEM));
        let (own, superseded) = (head(set, &from, Some(&until)), self.superseded.take());
        // The index does not list this copy, so it has no link to it.
        let copy = superseded.map(|_| ChangeList::new(set.up.clone(), from.clone()).until(until.clone()).into_head());
        let start = |head: Head| Ok::<_, Refused>(Builder::new(Kind::ChangeList, head, set.options.clone())?.take());
        let length = start(own.clone())?.len();
        let text = closed.finish_as(own, &mut files.accepted)?;
        files.put_document(set.path(&stem(number)), listed, &text)?;
        if let (Some(superseded), Some(copy)) = (superseded, copy) {
            let copy = [&*start(copy)?, text.get(length..).unwrap_or_default()].concat();
            files.put(set.path(&stem(superseded)), &copy)?;
        }
        self.history.open = Opened { number: number.saturating_add(1), from: until.clone() };
        self.history.closed.push(Interval { number, from, until });
        Ok(())
    }

    /// The changes in the open list, so far.
    pub(super) fn open(&self) -> u64 {
        self.builder.entries()
    }

    /// Returns the history, and the number of changes in the open list.
    pub(super) fn end<S: Store>(
        mut self,
        set: &mut SetLayout,
        settings: &Settings,
        files: &mut Files<S>,
    ) -> Result<(ChangeHistory, u64), PublishError<S::Error>> {
        if let Some(until) = self.close.take() {
            check_end(self.last.as_ref(), &until)?;
            self.close(until, set, settings, files)?;
        }
        let open = self.open();
        let ChangeLists { history, builder, indexed, .. } = self;
        let Opened { number, from } = &history.open;
        set.add(Capability::ChangeList, STEM);
        if history.closed.is_empty() {
            let head = ChangeList::new(set.up.clone(), from.clone()).into_head();
            let text = builder.finish_as(head, &mut files.accepted)?;
            files.put_document(set.path(STEM), set.listed(Capability::ChangeList, STEM, None), &text)?;
            return Ok((history, open));
        }
        let listed = set.listed(Capability::ChangeList, &stem(*number), Some(STEM));
        let text = builder.finish_as(head(set, from, None), &mut files.accepted)?;
        files.put_document(set.path(&stem(*number)), listed, &text)?;
        if indexed == Some(history.closed.len()) {
            return Ok((history, open));
        }
        let first = history.closed.first().map_or(from, |interval| &interval.from);
        let mut index = ChangeListIndex::new(set.up.clone(), first.clone()).begin_with(set.options.clone())?;
        for Interval { number, from, until } in &history.closed {
            let entry = IntervalEntry::new(set.uri(&stem(*number)), from.clone());
            index.push(entry.until(until.clone()))?;
        }
        index.push(IntervalEntry::new(set.uri(&stem(*number)), from.clone()))?;
        files.put(set.path(STEM), &index.finish()?)?;
        Ok((history, open))
    }
}
