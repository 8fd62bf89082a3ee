//! Resumes an earlier run.

use alloc::boxed::Box;

use super::{
    Harvest, Mark, Moment, Plan, WaitReason,
    proof::unhex,
    state::{Checkpoint, Stage},
    task::Purpose,
    why::Why,
};
use crate::catalogue::Code;

/// The contents of the journal of the earlier run, in order.
#[derive(Debug, Clone)]
pub enum Replayed<'a> {
    /// An item of the page whose mark follows.
    Identifier(&'a str),
    /// A damaged item of it.
    Damaged(Option<&'a str>),
    /// A mark.
    Mark(Box<Mark>),
}

impl Harvest {
    /// Resumes from a checkpoint. Before the first [`poll`](Harvest::poll) the journal is [`replay`](Harvest::replay)ed. `None`
    /// if the checkpoint belongs to another repository, or to a later version.
    pub fn resume(plan: Plan, checkpoint: Checkpoint, now: Moment) -> Option<Harvest> {
        let is_known = checkpoint.format == "resourcesync-oai-state" && checkpoint.format_version == 1;
        if !is_known || checkpoint.base_url != plan.base_url || checkpoint.stage == Stage::Over {
            return None;
        }
        let plan = Plan { until: checkpoint.until.or(plan.until), ..plan };
        let mut harvest = Harvest::with(plan, checkpoint);
        harvest.resumed = Some(now);
        if let Some(retry_at) = harvest.state.retry_at.take() {
            harvest.not_before = harvest.not_before.max(retry_at);
            harvest.why = WaitReason::RetryAfter;
        }
        if let Some(current) = &mut harvest.state.current {
            let is_expired = current.token_expires.is_some_and(|expires| expires < now.unix());
            if let Some(token) = &current.token {
                harvest.tokens.insert(harvest.key.of(token));
            }
            let is_under_way = current.token.is_some() && !core::mem::take(&mut current.is_at_rest);
            if current.token.is_some() && is_expired {
                current.restart();
                harvest.note(Why::ExpiredToken.note(Code::OAI_62));
            } else if is_under_way && current.constant > 0 {
                current.restart();
                harvest.note(Why::Position.note(Code::OAI_62));
            } else {
                current.is_doubtful |= is_under_way;
            }
        }
        Some(harvest)
    }

    /// Replays a part of the journal.
    pub fn replay(&mut self, replayed: Replayed<'_>) {
        match replayed {
            Replayed::Identifier(identifier) => self.replayed.push(self.key.of(identifier)),
            Replayed::Damaged(identifier) => {
                let named = identifier.filter(|identifier| !identifier.is_empty());
                self.replayed.extend(named.map(|identifier| self.key.of(identifier)));
            }
            Replayed::Mark(mark) => self.replay_mark(*mark),
        }
    }

    fn replay_mark(&mut self, mark: Mark) {
        match mark {
            Mark::Page { sequence, attempt, content, proof } => {
                let hashes = core::mem::take(&mut self.replayed);
                let current = self.state.current.as_ref();
                let is_current =
                    current.is_some_and(|current| current.number == sequence && current.attempt == attempt);
                if self.pages.last().is_some_and(|last| last.n >= proof.n) {
                    self.pages.clear();
                }
                self.pages.push(proof);
                if is_current {
                    for hash in hashes {
                        self.seen.insert(hash);
                    }
                    self.contents.extend(unhex(&content));
                }
            }
            Mark::Sequence(mut proof) => {
                self.replayed.clear();
                proof.pages = core::mem::take(&mut self.pages);
                let is_over = proof.ended.is_end() || proof.ended.is_contradicted();
                if proof.task.purpose == Purpose::Reconcile && !is_over {
                    // It is requested again.
                    return;
                }
                self.done.push(proof);
            }
            Mark::Settled { .. } => {}
        }
    }
}
