//! Follows the Change Lists of each Capability List, one after another, and combines them: a resource is deleted when no Capability List
//! lists it.

use alloc::{vec, vec::Vec};

use resourcesync::limits::Limits;

use crate::{
    chain::{Chain, Event, FollowedSets, State},
    change::Change,
    checkpoint::Checkpoint,
    documents::Documents,
    ledger::{Ledger, Store},
};

/// Changes stored per call of the ledger.
const BATCH: usize = 1_000;

/// How Change Lists are read.
#[derive(Debug, Clone, Copy, Default)]
pub struct FollowingOptions {
    /// True to use documents that are older than those seen before.
    pub accepts_older: bool,
    /// Changes that are missing after Resource Lists that were just read can be found nowhere else.
    pub is_after_baseline: bool,
    /// The first list may begin after the Resource Lists.
    pub may_begin_later: bool,
    /// The ledger has what the Resource Lists of each set list.
    pub compares_lists: bool,
    /// True to request documents without an entity tag as if they were unknown.
    pub checks_dates: bool,
}

/// Takes a change that was read.
pub type OnChange<'c, L> = &'c mut dyn FnMut(&Change, &mut L) -> Result<(), <L as Store>::Error>;

/// Reads the Change Lists of each set since its checkpoint. At the end, the last change of each resource is in the ledger.
#[derive(Debug)]
pub struct Following {
    options: FollowingOptions,
    limits: Limits,
    /// Seconds since 1970.
    now: i64,
    before: Vec<Checkpoint>,
    left: vec::IntoIter<Checkpoint>,
    /// The chain being followed, with the number that its documents are counted from.
    chain: Option<(Chain, u32)>,
    /// The greatest number of a document.
    documents: u32,
    waiting: Vec<(u32, Change)>,
    entries: u64,
    followed: FollowedSets,
}

impl Following {
    /// Begins at the checkpoints of the sets. `now` is in seconds since 1970.
    ///
    /// # Errors
    ///
    /// If the ledger fails.
    pub fn begin<L: Ledger>(
        before: Vec<Checkpoint>,
        options: FollowingOptions,
        now: i64,
        limits: &Limits,
        ledger: &mut L,
    ) -> Result<Following, L::Error> {
        ledger.forget_changes()?;
        let mut following = Following {
            options,
            limits: limits.clone(),
            now,
            left: before.clone().into_iter(),
            before,
            chain: None,
            documents: 0,
            waiting: Vec::new(),
            entries: 0,
            followed: FollowedSets { state: State::Unchanged, ..FollowedSets::none(Vec::new()) },
        };
        following.begin_set();
        Ok(following)
    }

    /// The machine that reads the Change Lists of the current set; `None` once those of all sets have been read.
    pub fn documents(&mut self) -> Option<&mut dyn Documents> {
        self.chain.as_mut().map(|(chain, _)| chain as &mut dyn Documents)
    }

    /// The number of entries that were read of the current set.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Stores what was read. `on_change` gets each change, also those that were processed before.
    ///
    /// # Errors
    ///
    /// If the ledger fails.
    pub fn take<L: Ledger>(&mut self, ledger: &mut L, on_change: OnChange<'_, L>) -> Result<(), L::Error> {
        let Some((chain, base)) = &mut self.chain else { return Ok(()) };
        for event in chain.events() {
            let (Event::Changed(own, _) | Event::Counts(own) | Event::Dropped(own)) = event;
            let number = base.saturating_add(own);
            self.documents = number.max(self.documents);
            match event {
                Event::Changed(_, change) => {
                    self.entries = self.entries.saturating_add(1);
                    on_change(&change, ledger)?;
                    self.waiting.push((number, change));
                    if self.waiting.len() >= BATCH {
                        ledger.add_changes(&mut self.waiting)?;
                    }
                }
                Event::Counts(_) => ledger.add_changes(&mut self.waiting)?,
                Event::Dropped(_) => {
                    self.waiting.retain(|(own, _)| *own != number);
                    ledger.drop_changes(number)?;
                }
            }
        }
        Ok(())
    }

    /// Takes the end of the documents of the current set. `is_late` is true if the deadline ended it, `is_cancelled` if the user did.
    ///
    /// # Errors
    ///
    /// If the ledger fails.
    pub fn end_set<L: Ledger>(&mut self, is_late: bool, is_cancelled: bool, ledger: &mut L) -> Result<(), L::Error> {
        let Some((chain, base)) = self.chain.take() else { return Ok(()) };
        let mut set = chain.finish();
        set.order.iter_mut().for_each(|part| part.document = part.document.saturating_add(base));
        if is_cancelled {
            set.state = State::Unread;
        }
        if set.state.is_complete() {
            ledger.reduce(&set.order, &set.checkpoint.set)?;
        }
        self.followed.push(set);
        self.followed.is_late = is_late;
        if self.followed.state.is_complete() {
            self.begin_set();
        }
        Ok(())
    }

    /// The result, once the Change Lists of all sets have been read.
    ///
    /// # Errors
    ///
    /// If the ledger fails.
    pub fn finish<L: Ledger>(mut self, ledger: &mut L) -> Result<FollowedSets, L::Error> {
        if self.followed.state.is_complete() && self.before.len() > 1 {
            self.followed.is_unclear = ledger.combine(self.options.compares_lists)?;
            if self.followed.is_unclear && !self.options.compares_lists {
                self.followed.state = State::Gap;
            }
        }
        if !self.followed.state.is_complete() {
            ledger.forget_changes()?;
            self.followed.checkpoints = self.before;
        }
        Ok(self.followed)
    }

    fn begin_set(&mut self) {
        let Some(before) = self.left.next() else { return };
        let FollowingOptions { accepts_older, is_after_baseline, may_begin_later, checks_dates, .. } = self.options;
        let mut chain = Chain::new(before, self.now, &self.limits).reading_packages();
        if is_after_baseline {
            chain = chain.after_baseline();
        }
        if may_begin_later {
            chain = chain.beginning_later();
        }
        if accepts_older {
            chain = chain.accepting_older();
        }
        if checks_dates {
            chain = chain.checking_dates();
        }
        self.entries = 0;
        self.chain = Some((chain, self.documents));
    }
}
