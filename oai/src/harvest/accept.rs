//! Processes a received page: whether it advances the list, and whether there is a next one.

use super::{
    Handled, Harvest, Mark, Moment, WaitReason,
    answer::{Answered, ResponseHead},
    outcome::Outcome,
    plan::{Goal, OnLoop},
    proof::{Ended, PageProof, Status, hex, is_proven, token_digest},
    task::{Purpose, Task},
    why::Why,
};
use crate::{catalogue::Code, note::Note, page::Ending, request::Verb, stamp::Stamp};

/// The maximum pause that a server may request after a successful page, in seconds.
const LONGEST_PAUSE: u64 = 60;

impl Harvest {
    /// The time of the next request.
    pub(super) fn pace(&mut self, now: Moment, head: &ResponseHead, retry_after: Option<u64>) {
        let longest = LONGEST_PAUSE.min(self.longest_wait());
        let hint = retry_after.filter(|_| head.status < 300).unwrap_or(0).min(longest);
        self.not_before = now.plus_millis(self.plan.delay.max(hint.saturating_mul(1000)));
        self.why = WaitReason::Pace;
    }

    pub(super) fn answered(&mut self, now: Moment, answered: Answered, ms: u64, handled: &mut Handled) {
        let Some(current) = &self.state.current else { return };
        let (task, has_token, is_asked_again) = (current.task.clone(), current.token.is_some(), current.page.bare > 0);
        for (_, to) in answered.head.redirects.iter().filter(|(status, _)| matches!(status, 301 | 308)) {
            self.note(Note::new(Code::OAI_57).arg("uri", to.as_str()));
        }
        let outcome = answered.outcome(task.verb);
        let is_page = matches!(answered.ending, Some(Ending::Whole { .. }));
        if is_page && answered.head.status >= 300 {
            self.note(Note::new(Code::OAI_51).arg("status", u64::from(answered.head.status)));
        }
        let is_bare = match &outcome {
            Outcome::Nothing => true,
            Outcome::Page => task.verb.is_list() && answered.is_bare(),
            // The token was valid for one use.
            Outcome::BadToken | Outcome::BadArgument(_) | Outcome::Refused(_) => is_asked_again,
            _ => false,
        };
        if has_token && is_bare {
            self.first_response(now, &answered, ms);
            return self.bare(now, &answered, handled);
        }
        match outcome {
            Outcome::Page => self.page(now, task.purpose, answered, ms, handled),
            Outcome::Nothing => {
                self.state.notes.extend(answered.notes.clone());
                self.first_response(now, &answered, ms);
                self.end_sequence(Ended::NoRecordsMatch, handled);
            }
            other => {
                self.state.notes.extend(answered.notes.clone());
                self.fell_short(now, other, handled);
            }
        }
    }

    fn page(&mut self, now: Moment, purpose: Purpose, answered: Answered, ms: u64, handled: &mut Handled) {
        if self.is_loop(&answered, handled) {
            return;
        }
        handled.accepted = true;
        match purpose {
            Purpose::Identify => self.identified(&answered),
            Purpose::Formats => self.formats(&answered),
            Purpose::Confirm => self.confirmed(&answered),
            Purpose::Owed => self.owed_answered(&answered, handled),
            Purpose::Sets => self.listed_sets.extend(answered.sets.iter().cloned()),
            _ => {}
        }
        self.first_response(now, &answered, ms);
        let (limits, plan_limits) = (self.plan.limits.clone(), self.plan.max_records);
        let mut fresh = 0_u64;
        for hash in &answered.identifiers {
            fresh = fresh.saturating_add(u64::from(self.seen.insert(*hash)));
        }
        let mut outside = 0_u64;
        for hash in &answered.outside {
            outside = outside.saturating_add(u64::from(self.seen.insert(*hash)));
        }
        self.contents.push(answered.content);
        let Some(current) = &mut self.state.current else { return };
        let is_resumed = current.token.is_some();
        let before = current.delivered;
        let proof = PageProof {
            n: current.pages.saturating_add(1),
            token: current.token.as_deref().map(token_digest),
            cursor: answered.token.as_ref().and_then(|token| token.cursor),
            records: answered.items,
            bytes: whole(&answered).1,
            sha256: hex(&whole(&answered).0),
            status: answered.head.status,
            tries: current.page.all.saturating_add(1),
            ms,
        };
        current.page = Default::default();
        current.pages = proof.n;
        current.delivered = before.saturating_add(answered.items);
        current.distinct = current.distinct.saturating_add(fresh);
        current.repeated = current.repeated.saturating_add((answered.identifiers.len() as u64).saturating_sub(fresh));
        current.outside = current.outside.saturating_add(outside);
        current.with_set = current.with_set.saturating_add(answered.with_set);
        current.without_set = current.without_set.saturating_add(answered.without_set);
        current.deleted = current.deleted.saturating_add(answered.deleted);
        current.quarantined = current.quarantined.saturating_add(answered.damaged);
        current.repaired = current.repaired.saturating_add(answered.repaired);
        current.barren = if fresh == 0 && outside == 0 { current.barren.saturating_add(1) } else { 0 };
        self.state.quarantined = self.state.quarantined.saturating_add(answered.damaged);
        self.state.quarantined_bytes = self.state.quarantined_bytes.saturating_add(answered.damaged_bytes);
        let mut notes = answered.notes.clone();
        let token = answered.token.as_ref();
        if let Some(declared) = token.and_then(|token| token.complete_list_size) {
            // Where a list shrinks while it is read, the largest number tells that items may have moved past its pages.
            current.declared = current.declared.max(Some(declared));
        }
        if let Some(cursor) = token.and_then(|token| token.cursor).filter(|cursor| *cursor != before) {
            notes.add(&Note::new(Code::OAI_27).arg("cursor", cursor).arg("delivered", before));
        }
        let mark = Mark::Page {
            sequence: current.number,
            attempt: current.attempt,
            content: hex(&answered.content),
            proof: proof.clone(),
        };
        if is_proven(current.task.verb) {
            self.pages.push(proof);
            handled.marks.push(mark);
        }

        let (verb, task) = (current.task.verb, current.task.clone());
        let (pages, barren) = (current.pages, current.barren);
        let next = token.map(|token| token.value.clone()).unwrap_or_default();
        current.token_expires =
            token.and_then(|token| token.expires.as_ref()).and_then(|date| date.stamp).map(Stamp::last_second);
        if !next.is_empty() && !self.tokens.insert(self.key.of(&next)) {
            current.constant = current.constant.saturating_add(1);
            notes.add(&Note::new(Code::OAI_24));
        } else {
            current.constant = 0;
        }
        let (constant, is_doubtful) = (current.constant, current.is_doubtful);
        current.token = Some(next.clone()).filter(|next| !next.is_empty());
        if token.is_none() && is_resumed {
            notes.add(&Note::new(Code::OAI_25));
        }
        self.state.notes.extend(notes);
        self.unsaved = true;
        self.contradict(&task, &answered);
        if constant > 0 && is_doubtful {
            return self.restart(now, &Why::Position, handled);
        }

        let limit = |code: Code, limit: u64| Note::new(code).arg("limit", limit);
        let over = if self.state.quarantined_bytes > limits.oai_quarantine_bytes {
            Some(limit(Code::LIM_50, limits.oai_quarantine_bytes))
        } else if pages >= limits.oai_pages && !next.is_empty() {
            Some(limit(Code::LIM_47, limits.oai_pages))
        } else if constant >= limits.oai_constant_token_pages {
            Some(limit(Code::LIM_48, limits.oai_constant_token_pages.into()))
        } else {
            None
        };
        let delivered = self.done.iter().fold(0_u64, |sum, done| sum.saturating_add(done.delivered));
        let delivered = delivered.saturating_add(self.state.current.as_ref().map_or(0, |current| current.delivered));
        let is_enough = purpose == Purpose::Harvest
            && plan_limits.is_some_and(|most| delivered >= most)
            && self.plan.goal == Goal::Harvest;
        if let Some(note) = over {
            self.reason(note);
            self.end_sequence(Ended::Stopped, handled);
        } else if !verb.is_list() {
            if verb == Verb::GetRecord && purpose == Purpose::Harvest && answered.record.is_none() {
                let identifier = self.state.current.as_ref().and_then(|current| current.task.identifier.clone());
                self.incomplete(Why::NoSuchRecord.note(Code::OAI_69).of(&identifier.unwrap_or_default()));
            }
            self.end_sequence(Ended::SinglePage, handled);
        } else if next.is_empty() {
            let ended = match token {
                Some(_) => Ended::EmptyToken,
                None if is_resumed => Ended::NoLastToken,
                None => Ended::SinglePage,
            };
            self.end_sequence(ended, handled);
        } else if barren >= limits.oai_barren_pages {
            self.suspect(Note::new(Code::OAI_61).arg("pages", u64::from(barren)));
            self.end_sequence(Ended::NothingNew, handled);
        } else if is_enough {
            self.leave(now, Ended::MaxRecords, None, None);
        }
    }

    /// What shows that a list is not what was requested, or that more must be compared.
    fn contradict(&mut self, task: &Task, answered: &Answered) {
        let is_listed = matches!(task.purpose, Purpose::Harvest | Purpose::Reconcile);
        let lost = answered.lost.as_ref().filter(|_| is_listed);
        let is_outside = is_listed && !answered.outside_set.is_empty();
        if is_outside {
            self.state.status = self.state.status.max(Status::Suspect);
            self.state.reasons.extend(answered.outside_set.clone());
        }
        if let Some(lost) = lost {
            self.suspect(lost.clone());
        }
        if task.purpose == Purpose::Reconcile {
            self.state.damaged_headers = self.state.damaged_headers.saturating_add(answered.damaged);
        }
        let Some(list) = self.state.list(task) else { return };
        match task.purpose {
            Purpose::Harvest => {
                list.failed |= is_outside || lost.is_some();
                list.has_unnamed |= answered.unnamed > 0;
            }
            Purpose::Reconcile => list.unusable |= is_outside || lost.is_some() || answered.damaged > 0,
            _ => {}
        }
    }

    /// A repeated page: the list has no end.
    fn is_loop(&mut self, answered: &Answered, handled: &mut Handled) -> bool {
        if answered.items == 0 {
            return false;
        }
        let Some(earlier) = self.contents.iter().position(|content| *content == answered.content) else {
            return false;
        };
        self.state.notes.extend(answered.notes.clone());
        let page = self.contents.len().saturating_add(1) as u64;
        let note = Note::new(Code::OAI_60).arg("page", page).arg("earlier", earlier.saturating_add(1) as u64);
        if self.plan.on_loop == OnLoop::Window && self.split() {
            self.note(note);
            self.end_sequence(Ended::Windows, handled);
        } else {
            self.suspect(note);
            self.end_sequence(Ended::Loop, handled);
        }
        true
    }

    /// Ends the list.
    pub(super) fn end_sequence(&mut self, ended: Ended, handled: &mut Handled) {
        let Some(current) = self.state.current.take() else { return };
        let task = current.task.clone();
        let mut proof = current.proof(ended);
        if task.purpose == Purpose::Sets && ended.is_end() {
            self.sets_listed();
        }
        if ended.is_end() {
            self.compare_with_declared(&proof);
        } else if ended != Ended::Windows {
            self.distrust(&task);
        }
        if let (Some(set), 1..) = (&task.set, current.without_set) {
            let total = current.with_set.saturating_add(current.without_set);
            let note = Note::new(Code::OAI_47).arg("count", current.without_set).arg("total", total);
            self.note(note.arg("set", set.as_str()));
        }
        if proof.repeated > 0 {
            self.note(Note::new(Code::OAI_46).arg("count", proof.repeated));
        }
        if is_proven(task.verb) {
            handled.marks.push(Mark::Sequence(proof.clone()));
            proof.pages = core::mem::take(&mut self.pages);
            self.done.push(proof);
        }
        self.forget_list();
        self.unsaved = true;
        match task.purpose {
            Purpose::Reconcile => self.compare(&task),
            Purpose::Confirm => self.confirm_next(),
            _ => {}
        }
    }

    /// Compares the number of items with the declared one.
    fn compare_with_declared(&mut self, proof: &super::SequenceProof) {
        let Some(declared) = proof.declared else { return };
        let note = |code: Code| Note::new(code).arg("declared", declared);
        let distinct = proof.different();
        if distinct.saturating_add(self.plan.tolerance.of(declared)) < declared {
            self.suspect(note(Code::OAI_64).arg("distinct", distinct));
            self.distrust(&proof.task);
        } else if proof.delivered > declared.saturating_mul(2) {
            self.note(note(Code::OAI_26).arg("delivered", proof.delivered));
        }
    }

    /// The records of this list are not complete: the next harvest requests them again, or compares them again.
    fn distrust(&mut self, task: &Task) {
        let Some(list) = self.state.list(task) else { return };
        match task.purpose {
            Purpose::Harvest => list.failed = true,
            Purpose::Reconcile => list.unusable = true,
            _ => {}
        }
    }
}

fn whole(answered: &Answered) -> ([u8; 32], u64) {
    match &answered.ending {
        Some(Ending::Whole { sha256, bytes }) => (*sha256, *bytes),
        _ => ([0; 32], 0),
    }
}
