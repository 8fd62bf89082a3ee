//! The end of a run: its proof, and the starting point of the next run.

use alloc::{boxed::Box, string::ToString, vec::Vec};

use super::{
    Harvest, Moment, WaitReason,
    plan::{Goal, Start},
    proof::{Ended, Proof, Status},
    state::List,
    task::{Purpose, Task},
};
use crate::{
    note::Note,
    stamp::{Granularity, Stamp},
};

/// The minimum and maximum overlap of two harvests with second granularity.
const LEAST_OVERLAP: u64 = 60;
const LONGEST_OVERLAP: u64 = 3_600;
const DAY: i64 = 86_400;

impl Harvest {
    /// Marks the harvest as suspect.
    pub(super) fn suspect(&mut self, note: Note) {
        self.state.status = self.state.status.max(Status::Suspect);
        self.reason(note);
    }

    /// Marks the harvest as incomplete.
    pub(super) fn incomplete(&mut self, note: Note) {
        self.state.status = Status::Incomplete;
        self.reason(note);
    }

    /// Defers the rest to a later run.
    pub(super) fn later(&mut self, now: Moment, why: &Note, retry_at: Option<Moment>) {
        self.leave(now, Ended::Later, Some(why), retry_at);
    }

    /// Ends the run. The checkpoint does not contain the reason, so that a later run tries again.
    pub(super) fn leave(&mut self, now: Moment, ended: Ended, why: Option<&Note>, retry_at: Option<Moment>) {
        self.resumable = true;
        if let Some(current) = self.state.current.as_mut() {
            current.is_at_rest = ended == Ended::MaxRecords;
        }
        let is_requested = matches!(self.why, WaitReason::RetryAfter) && self.not_before > now;
        self.state.retry_at = self.state.retry_at.max(Some(self.not_before).filter(|_| is_requested));
        let mut proof = self.proof(now);
        proof.status = Status::Incomplete;
        why.into_iter().for_each(|why| proof.reasons.add(why));
        proof.retry_at = retry_at;
        if let Some(current) = self.state.current.as_ref().filter(|current| current.task.verb.is_list()) {
            let mut sequence = current.proof(ended);
            sequence.pages.clone_from(&self.pages);
            proof.sequences.push(sequence);
        }
        self.unsaved = true;
        self.proof = Some(Box::new(proof));
    }

    /// Nothing is left to do.
    pub(super) fn finish(&mut self, now: Moment) {
        self.tally();
        let proof = self.proof(now);
        self.proof = Some(Box::new(proof));
    }

    fn proof(&self, now: Moment) -> Proof {
        let sequences: Vec<_> = self.done.clone();
        let must_end = |purpose: Purpose| !matches!(purpose, Purpose::Sets | Purpose::Formats);
        let all_ended = sequences
            .iter()
            .filter(|sequence| must_end(sequence.task.purpose))
            .all(|sequence| sequence.ended.is_end() || sequence.ended.is_contradicted());
        let has_lists = self.plan.goal != Goal::Harvest || !self.state.lists.is_empty();
        let mut status = self.state.status;
        if !all_ended || !has_lists {
            status = Status::Incomplete;
        }
        let ended = |list: &&List| !list.failed && !self.is_pending(list);
        let next = self.state.lists.iter().filter(ended).filter_map(|list| self.next_start(list, now)).collect();
        Proof {
            format: "resourcesync-oai-proof".to_string(),
            format_version: 1,
            status,
            reasons: self.state.reasons.clone(),
            notes: self.state.notes.clone(),
            base_url: self.plan.base_url.clone(),
            started: self.state.started,
            ended: now,
            identify: self.state.facts.clone(),
            sequences,
            next,
            owed: self.owed().cloned().collect(),
            reconciled: self.state.reconciled.clone(),
            waited: self.state.waited / 1000,
            requests: self.state.requests,
            retry_at: None,
        }
    }

    /// True if a part of a list is still to be requested.
    fn is_pending(&self, list: &List) -> bool {
        let is_own = |task: &Task| {
            task.purpose == Purpose::Harvest && task.prefix.as_ref() == Some(&list.prefix) && task.set == list.set
        };
        let current = self.state.current.as_ref().map(|current| &current.task);
        self.state.queue.iter().map(|queued| &queued.task).chain(current).any(is_own)
    }

    /// The start of the next harvest of a list: the first response, minus an overlap for concurrent changes.
    fn next_start(&self, list: &List, now: Moment) -> Option<Start> {
        // Without a time of the server, a day before the latest record.
        let first = list.first_response.or(list.latest.map(|latest| latest.saturating_sub(DAY)))?.min(now.unix());
        let granularity = self.state.sendable();
        let overlap = self.plan.overlap.unwrap_or(match granularity {
            // The same day again.
            Granularity::Day => 0,
            Granularity::Second => list.first_ms.div_ceil(1000).clamp(LEAST_OVERLAP, LONGEST_OVERLAP),
        });
        let from = first.saturating_sub(i64::try_from(overlap).unwrap_or(i64::MAX));
        // Nothing later was requested.
        let from = self.plan.until.map_or(from, |until| from.min(until.last_second()));
        let (reconciled, owed) = self.reconciled_start(list);
        Some(Start {
            prefix: list.prefix.clone(),
            set: list.set.clone(),
            from: Stamp::from_unix(from, granularity),
            reconciled,
            owed,
        })
    }
}
