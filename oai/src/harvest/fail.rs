//! Processes a failure: whether to repeat the request, restart the list, or give up.

use resourcesync::diagnostic::{Reason, ReasonCode};

use super::{
    Failure, Goal, Handled, Harvest, Moment, Received, WaitReason, answer::Answered, outcome::Outcome, proof::Ended,
    task::Purpose, why::Why,
};
use crate::{
    catalogue::Code,
    note::Note,
    page::{ErrorCode, OaiError},
};

/// Seconds before a request is repeated after a server or a connection failed.
const FIRST_PAUSE: u64 = 10;
const SECOND_PAUSE: u64 = 60;
const LONGEST_PAUSE: u64 = 300;
/// Seconds before the first retry of an overloaded server without `Retry-After`.
const OVERLOADED: u64 = 120;
/// The number of such retries; each wait is twice as long as the previous one.
const OVERLOADED_TRIES: u32 = 5;
/// The longest single wait in seconds, whoever is its cause.
const LONGEST_WAIT: u64 = 300;
/// The maximum number of restarts of a list.
const RESTARTS: u32 = 2;
/// Timeouts of one list after which it is requested in smaller intervals.
const TIMEOUTS: u32 = 3;

/// The reaction to a failure.
enum Remedy {
    /// Repeat the request after this many seconds.
    Again(u64, WaitReason),
    /// Restart the list.
    Restart(Why),
    /// Use smaller intervals, or otherwise this reaction.
    Split(Why, Option<(u64, WaitReason)>),
    /// Give up this list.
    GiveUp(Note),
    /// Give up the harvest.
    Stop(Note),
    /// Continue in a later run.
    Later(Note, Option<u64>),
}

impl Harvest {
    /// Handles a response that is not a page of the list.
    pub(super) fn fell_short(&mut self, now: Moment, outcome: Outcome, handled: &mut Handled) {
        let Some(current) = &mut self.state.current else { return };
        let has_token = current.token.is_some();
        let page = &mut current.page;
        let stop = |why: Why| why.note(Code::OAI_69);
        let cut = |why: Why| why.note(Code::OAI_63);
        let remedy = match outcome {
            Outcome::Page | Outcome::Nothing => return,
            Outcome::Unavailable { status, retry_after } => return self.unavailable(now, status, retry_after, handled),
            Outcome::ServerError(status) => {
                page.server = page.server.saturating_add(1);
                let pause = pause(page.server);
                current.late_errors = current.late_errors.saturating_add(u32::from(has_token));
                let again = pause.map(|pause| (pause, WaitReason::ServerError));
                match again {
                    _ if status == 504 || current.late_errors >= 2 => Remedy::Split(Why::ServerErrors, again),
                    Some((pause, why)) => Remedy::Again(pause, why),
                    None => Remedy::Later(cut(Why::Status(status)), None),
                }
            }
            Outcome::TooLarge => Remedy::Split(Why::Status(413), None),
            Outcome::EmptyBody if has_token => Remedy::Restart(Why::EmptyResponse),
            Outcome::EmptyBody => {
                page.empty = page.empty.saturating_add(1);
                match pause(page.empty) {
                    Some(pause) => Remedy::Again(pause, WaitReason::ServerError),
                    None => Remedy::Later(cut(Why::EmptyResponse), None),
                }
            }
            // The record is damaged so that the page cannot be read: the same again would not help.
            Outcome::Cut(why) if current.task.purpose == Purpose::Owed => Remedy::GiveUp(cut(Why::CutPage(why))),
            Outcome::Cut(why) => {
                page.cut = page.cut.saturating_add(1);
                match page.cut {
                    1 => Remedy::Again(FIRST_PAUSE, WaitReason::ServerError),
                    _ if has_token => Remedy::Restart(Why::CutPage(why)),
                    _ => Remedy::Later(cut(Why::CutPage(why)), None),
                }
            }
            Outcome::Limit(note) => Remedy::GiveUp(note),
            Outcome::BadToken if has_token => Remedy::Restart(Why::BadToken),
            Outcome::BadToken => Remedy::GiveUp(stop(Why::BadToken)),
            Outcome::BadArgument(why) | Outcome::Refused(why) if has_token => Remedy::Restart(Why::OaiError(why)),
            Outcome::BadArgument(why) => {
                let may_drop = self.plan.since.is_none() && self.plan.until.is_none();
                if current.degrade(may_drop) {
                    Remedy::Again(0, WaitReason::Pace)
                } else {
                    Remedy::GiveUp(stop(Why::OaiError(why)))
                }
            }
            Outcome::Refused(why) => match current.task.purpose {
                // A missing record is the expected answer here, also if the item has others.
                Purpose::Confirm if why.is_absence() => {
                    self.gone();
                    return self.end_sequence(Ended::NoRecordsMatch, handled);
                }
                Purpose::Owed if why.is_absence() => {
                    self.settle(handled);
                    return self.end_sequence(Ended::NoRecordsMatch, handled);
                }
                // A repository without sets, or without a list of formats, may still have records.
                Purpose::Sets | Purpose::Formats => return self.end_sequence(Ended::NoRecordsMatch, handled),
                _ => Remedy::GiveUp(self.refusal(why)),
            },
            Outcome::Denied(status) => Remedy::Stop(stop(Why::Status(status))),
            Outcome::Redirect(status) => {
                self.note(Note::new(Code::OAI_56).arg("status", u64::from(status)));
                Remedy::Stop(stop(Why::Redirect(status)))
            }
            Outcome::NotOai(kind) => Remedy::Stop(stop(Why::NotOai(kind))),
            Outcome::OtherVerb(verb) => Remedy::Stop(stop(Why::OtherVerb(verb.map_or("", |verb| verb.as_str())))),
        };
        self.apply(now, remedy, handled);
    }

    /// Handles a response without items and without a token to the token of a list: the list ended there, or it broke off. Only
    /// the number of its items can tell.
    pub(super) fn bare(&mut self, now: Moment, answered: &Answered, handled: &mut Handled) {
        let tolerance = self.plan.tolerance;
        let pause = FIRST_PAUSE.min(self.longest_wait());
        let Some(current) = &mut self.state.current else { return };
        let different = current.proof(Ended::Unproven).different();
        let declared = current.declared;
        let is_counted = declared.is_some_and(|own| different.abs_diff(own) <= tolerance.of(own));
        if !is_counted && current.page.bare == 0 {
            current.page.bare = 1;
            return self.apply(now, Remedy::Again(pause, WaitReason::ServerError), handled);
        }
        self.state.notes.extend(answered.notes.clone());
        self.note(Note::new(Code::OAI_25));
        // Fewer items than declared have a reason of their own.
        if is_counted || declared.is_some_and(|own| different < own) {
            return self.end_sequence(Ended::NoLastToken, handled);
        }
        self.suspect(Why::NothingLeft.note(Code::OAI_63));
        self.end_sequence(Ended::Unproven, handled);
    }

    /// Handles a missing or incomplete response.
    pub(super) fn failed(
        &mut self,
        now: Moment,
        why: Failure,
        reason: Reason,
        received: Received,
        handled: &mut Handled,
    ) {
        let Some(current) = &mut self.state.current else { return };
        let has_token = current.token.is_some();
        let status = reason.status();
        if let (ReasonCode::NoLocation, Some(status)) = (reason.code, status) {
            return self.fell_short(now, Outcome::Redirect(status), handled);
        }
        let connection = Why::Connection(reason);
        let cut = connection.note(Code::OAI_63);
        let page = &mut current.page;
        let again = |count: u32| pause(count).map(|pause| (pause, WaitReason::Connection));
        if why == Failure::Timeout {
            current.timeouts = current.timeouts.saturating_add(1);
        }
        let remedy = match (why, received) {
            (Failure::Redirect | Failure::Permanent, _) => Remedy::Stop(connection.note(Code::OAI_69)),
            (_, Received::Nothing) => {
                page.nothing = page.nothing.saturating_add(1);
                // Whoever looks something up most likely has the wrong address, and should not wait for minutes.
                let is_unknown = self.plan.goal != Goal::Harvest && self.state.requests <= u64::from(page.nothing);
                let again = again(page.nothing).filter(|_| !is_unknown || page.nothing == 1);
                match again {
                    again if current.timeouts >= TIMEOUTS => Remedy::Split(Why::Timeouts, again),
                    Some((pause, why)) => Remedy::Again(pause, why),
                    None => Remedy::Later(cut, None),
                }
            }
            (_, Received::Head | Received::Part) => {
                page.part = page.part.saturating_add(1);
                match again(page.part) {
                    again if current.timeouts >= TIMEOUTS => Remedy::Split(Why::Timeouts, again),
                    // The token may have been used up.
                    _ if has_token && page.part > 1 => Remedy::Restart(connection),
                    Some((pause, why)) => Remedy::Again(pause, why),
                    None => Remedy::Later(cut, None),
                }
            }
        };
        self.apply(now, remedy, handled);
    }

    /// The longest single wait in seconds.
    pub(super) fn longest_wait(&self) -> u64 {
        self.plan.max_wait.unwrap_or(LONGEST_WAIT)
    }

    /// True for a wait of this many milliseconds that a run does not sit out.
    pub(super) fn is_long(&self, millis: u64) -> bool {
        millis > self.longest_wait().saturating_mul(1000)
    }

    /// Handles an overloaded server.
    fn unavailable(&mut self, now: Moment, status: u16, retry_after: Option<u64>, handled: &mut Handled) {
        let Some(current) = &mut self.state.current else { return };
        let page = &mut current.page;
        let cut = Why::Status(status).note(Code::OAI_63);
        let remedy = match retry_after {
            Some(seconds) => {
                let seconds = seconds.max(1);
                self.asked = self.asked.max(now.plus_seconds(seconds));
                match self.is_long(seconds.saturating_mul(1000)) {
                    true => {
                        self.state.retry_at = Some(now.plus_seconds(seconds));
                        Remedy::Later(cut.arg("seconds", seconds), Some(seconds))
                    }
                    false => Remedy::Again(seconds, WaitReason::RetryAfter),
                }
            }
            None => {
                page.unavailable = page.unavailable.saturating_add(1);
                let doubled = page.unavailable.saturating_sub(1).min(16);
                let seconds = OVERLOADED.saturating_mul(2_u64.saturating_pow(doubled));
                let seconds = seconds.saturating_add(jitter(self.plan.seed, self.state.requests, seconds / 4));
                let is_last = page.unavailable > OVERLOADED_TRIES;
                let is_long = self.is_long(seconds.saturating_mul(1000));
                self.note(Note::new(Code::OAI_53).arg("status", u64::from(status)));
                match is_last || is_long {
                    true => Remedy::Later(cut, Some(seconds)),
                    false => Remedy::Again(seconds, WaitReason::Unavailable),
                }
            }
        };
        self.apply(now, remedy, handled);
    }

    fn apply(&mut self, now: Moment, remedy: Remedy, handled: &mut Handled) {
        let Some(current) = &mut self.state.current else { return };
        current.page.all = current.page.all.saturating_add(1);
        let is_owed = current.task.purpose == Purpose::Owed;
        let (is_first, identifier) = (current.page.all == 1, current.task.identifier.clone());
        // Of all lists and windows together: it is one server.
        self.tries = self.tries.saturating_add(1);
        let limit = self.plan.limits.oai_tries;
        let insists = matches!(remedy, Remedy::Again(..) | Remedy::Restart(_) | Remedy::Split(..));
        if insists && self.tries > limit {
            return self.later(now, &Note::new(Code::LIM_49).arg("limit", u64::from(limit)), None);
        }
        // Where earlier pages had the same token, only the server knows the position.
        let is_sent_again = matches!(&remedy, Remedy::Again(_, why) if !matches!(why, WaitReason::RetryAfter | WaitReason::Unavailable));
        let Some(current) = &mut self.state.current else { return };
        let is_doubtful = is_sent_again && current.token.is_some() && current.page.bare == 0;
        current.is_doubtful |= is_doubtful;
        let remedy = if is_doubtful && current.constant > 0 { Remedy::Restart(Why::Position) } else { remedy };
        let about = |note: Note| match &identifier {
            Some(identifier) => note.of(identifier),
            None => note,
        };
        match remedy {
            // A record that cannot be delivered stays owed, and does not end the run.
            Remedy::GiveUp(_) | Remedy::Restart(_) | Remedy::Later(_, None) if is_owed => {
                self.end_sequence(Ended::Stopped, handled);
            }
            Remedy::Again(_, WaitReason::ServerError) if is_owed && !is_first => {
                self.end_sequence(Ended::Stopped, handled);
            }
            Remedy::Stop(_) if is_owed => {
                self.state.queue.retain(|queued| queued.task.purpose != Purpose::Owed);
                self.end_sequence(Ended::Stopped, handled);
            }
            Remedy::Again(seconds, why) => self.wait(now, seconds, why),
            Remedy::Restart(why) => self.restart(now, &why, handled),
            Remedy::Split(why, again) => {
                if self.split() {
                    self.note(why.note(Code::OAI_62));
                    self.end_sequence(Ended::Windows, handled);
                } else if let Some((seconds, reason)) = again {
                    self.wait(now, seconds, reason);
                } else {
                    self.later(now, &why.note(Code::OAI_63), None);
                }
            }
            Remedy::GiveUp(note) => {
                self.incomplete(about(note));
                self.end_sequence(Ended::Stopped, handled);
            }
            Remedy::Stop(note) => {
                self.incomplete(about(note));
                self.give_up_all();
                self.end_sequence(Ended::Stopped, handled);
            }
            Remedy::Later(note, seconds) => {
                self.later(now, &about(note), seconds.map(|seconds| now.plus_seconds(seconds)));
            }
        }
    }

    fn wait(&mut self, now: Moment, seconds: u64, why: WaitReason) {
        if seconds == 0 {
            return;
        }
        if self.is_long(seconds.saturating_mul(1000)) {
            return self.later(now, &Why::LongWait(seconds).note(Code::OAI_63), Some(now.plus_seconds(seconds)));
        }
        self.not_before = self.not_before.max(now.plus_seconds(seconds));
        self.why = why;
        self.state.waited = self.state.waited.saturating_add(seconds.saturating_mul(1000));
    }

    /// Restarts the list; after too many restarts uses smaller intervals, or gives up.
    pub(super) fn restart(&mut self, now: Moment, why: &Why, handled: &mut Handled) {
        let Some(current) = &mut self.state.current else { return };
        let note = why.note(Code::OAI_62);
        if current.attempt > RESTARTS {
            if self.split() {
                self.note(note);
                return self.end_sequence(Ended::Windows, handled);
            }
            self.incomplete(why.note(Code::OAI_63));
            return self.end_sequence(Ended::Stopped, handled);
        }
        let pause = pause(current.attempt).unwrap_or(LONGEST_PAUSE);
        current.restart();
        self.forget_list();
        self.note(note);
        self.unsaved = true;
        self.wait(now, pause, WaitReason::Restart);
    }

    /// An error that ends a list, with the formats that the repository offers instead.
    fn refusal(&self, error: OaiError) -> Note {
        let formats = &self.state.formats;
        let is_about_format = error.code == ErrorCode::CannotDisseminateFormat && !formats.is_empty();
        let note = Why::OaiError(error).note(Code::OAI_69);
        if is_about_format { note.arg("offered", formats.join(", ")) } else { note }
    }

    /// Ends all requests.
    pub(super) fn give_up_all(&mut self) {
        self.state.queue.clear();
        self.state.lists.iter_mut().for_each(|list| list.failed = true);
        self.state.stage = super::state::Stage::Over;
    }
}

/// The pause before the n-th retry of a request; `None` after too many.
fn pause(count: u32) -> Option<u64> {
    match count {
        0 | 1 => Some(FIRST_PAUSE),
        2 => Some(SECOND_PAUSE),
        3 => Some(LONGEST_PAUSE),
        _ => None,
    }
}

/// A random time up to a number of seconds, different for every run.
fn jitter(seed: u64, turn: u64, most: u64) -> u64 {
    // splitmix64
    let mut mixed = seed.wrapping_add(turn.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (mixed ^ (mixed >> 31)).checked_rem(most.saturating_add(1)).unwrap_or(0)
}
