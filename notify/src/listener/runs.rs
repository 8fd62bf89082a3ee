//! When there is a run on the copy: one at a time, after a quiet time in which further reasons are merged. Notifications in order are applied
//! directly instead, until the copy may lack changes that only a run finds.

use alloc::{
    boxed::Box,
    collections::{BTreeMap, VecDeque},
    string::String,
};
use core::{mem, time::Duration};

use resourcesync::value::Datetime;

use super::{
    messages::{CopyOptions, RunOutcome, RunResult, Step, Trigger},
    need::Need,
};
use crate::{
    moment::Timestamp,
    payload::Channel,
    subscriber::{Notice, Output},
};

/// A run begins this long after the last reason for it, but at most this long after the first.
const QUIET: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(30));
/// When to try again after a run that did not reach the announced changes: a cache may be in between.
const AGAIN: [Duration; 3] = [Duration::from_secs(5), Duration::from_secs(30), Duration::from_secs(120)];
/// The maximum number of notifications to apply, and of their bytes, whose parsed values are several times as large. More are left to one
/// run.
const WAITING: (usize, usize) = (64, 2 << 20);

/// The runs on the copy of a Source.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Runs {
    options: CopyOptions,
    next: Option<Due>,
    running: Option<Running>,
    /// When the last run that read lists began.
    synced: Timestamp,
    /// True if that run had everything that was needed.
    is_met: bool,
    /// Notifications that may be applied, in order.
    waiting: VecDeque<Box<Notice>>,
    /// The end of the last notification of each topic.
    applied: BTreeMap<String, Datetime>,
}

/// A run that is needed, when it is due, and when at the latest although there are further reasons.
#[derive(Debug, Clone, PartialEq)]
struct Due {
    need: Need,
    at: Timestamp,
    latest: Timestamp,
}

#[derive(Debug, Clone, PartialEq)]
enum Running {
    Sync(Need),
    Apply(Need),
}

impl Runs {
    pub(super) fn new(options: CopyOptions) -> Runs {
        Runs {
            options,
            next: None,
            running: None,
            synced: Timestamp::from_seconds(0),
            is_met: false,
            waiting: VecDeque::new(),
            applied: BTreeMap::new(),
        }
    }

    /// The process starts: whatever was accepted before and is not in the copy is read now.
    pub(super) fn start(&mut self, now: Timestamp) {
        self.synced = now;
        self.needs(Need::of(Trigger::Start), now, now);
    }

    /// Notes what an output of the subscriber means for the copy.
    pub(super) fn note(&mut self, now: Timestamp, output: &Output) {
        match output {
            Output::Notified(notice) if self.options.direct && may_apply(notice) => {
                self.waiting.push_back(Box::new(notice.clone()));
                let bytes =
                    self.waiting.iter().map(|notice| notice.payload.bytes().len()).fold(0, usize::saturating_add);
                let several = self.waiting.len() > 1;
                if self.waiting.len() > WAITING.0 || several && bytes > WAITING.1 {
                    self.give_up(now);
                }
            }
            Output::Notified(notice) => self.needs_soon(Need::notified(notice), now),
            Output::Pull(pull) => self.needs_soon(Need::of(pull.why.into()), now),
            Output::Reread(_) => self.needs_soon(Need::of(Trigger::Reread), now),
            _ => {}
        }
    }

    /// Takes the result of a run. True if it found changes that no hub announced.
    pub(super) fn ran(&mut self, now: Timestamp, result: Option<&RunResult>) -> bool {
        match self.running.take() {
            Some(Running::Apply(need)) => {
                if !result.is_some_and(RunResult::is_applied) {
                    self.needs_soon(need, now);
                }
                false
            }
            Some(Running::Sync(need)) => {
                self.is_met = result.is_some_and(|result| need.is_met(result));
                let is_refused = result.is_some_and(|result| result.outcome == RunOutcome::Refused);
                let is_news = need.is_poll() && result.is_some_and(|result| result.changed > 0);
                let wait = AGAIN.get(need.attempts()).filter(|_| !self.is_met && !is_refused);
                if let Some(at) = wait.map(|wait| now.after(*wait)) {
                    // What has become necessary since replaces the retry.
                    let newer = self.next.replace(Due { need: need.again(), at, latest: at });
                    if let Some(Due { need, at, latest }) = newer {
                        self.needs(need, at, latest);
                    }
                }
                is_news
            }
            None => false,
        }
    }

    /// The next step, unless it has to wait.
    pub(super) fn next(&mut self, now: Timestamp) -> Option<Step> {
        if self.running.is_some() {
            return None;
        }
        // A clock that was set back does not delay anything.
        self.synced = self.synced.min(now);
        if let Some(due) = &mut self.next {
            let longest = AGAIN.into_iter().fold(QUIET.1, Duration::max);
            (due.at, due.latest) = (due.at.min(now.after(longest)), due.latest.min(now.after(longest)));
        }
        while let Some(notice) = self.waiting.pop_front() {
            let need = Need::notified(&notice);
            let may_lack = self.next.as_ref().is_some_and(|due| due.need.is_ahead());
            if self.continues(&notice) && self.is_met && !may_lack {
                self.running = Some(Running::Apply(need));
                return Some(Step::Apply(notice));
            }
            self.needs_soon(need, now);
        }
        if self.due().is_none_or(|due| due > now) {
            return None;
        }
        let need = self.next.take().map_or_else(|| Need::of(Trigger::Safety), |due| due.need);
        self.synced = now;
        let (why, is_retry) = (need.why.clone(), need.attempts() > 0);
        self.running = Some(Running::Sync(need));
        Some(Step::Sync { why, is_retry })
    }

    /// When the next run is due; `None` while there is one.
    pub(super) fn due(&self) -> Option<Timestamp> {
        let polled = || self.synced.after(self.options.poll);
        let due = self.next.as_ref().map_or_else(polled, |due| due.at.min(due.latest));
        self.running.is_none().then_some(due)
    }

    fn needs_soon(&mut self, need: Need, now: Timestamp) {
        self.needs(need, now.after(QUIET.0), now.after(QUIET.1));
    }

    fn needs(&mut self, need: Need, at: Timestamp, latest: Timestamp) {
        match &mut self.next {
            Some(due) => {
                due.need.merge(need);
                (due.at, due.latest) = (at, due.latest.min(latest));
            }
            None => self.next = Some(Due { need, at, latest }),
        }
    }

    /// True if a notification begins where the last one of its topic ends. From now on it is the last one.
    fn continues(&mut self, notice: &Notice) -> bool {
        let Some(interval) = notice.payload.interval() else { return false };
        let before = self.applied.insert(notice.topic.clone(), interval.until.clone());
        before.is_some_and(|before| before.start() == interval.from.start())
    }

    /// Leaves the notifications that wait to a run.
    fn give_up(&mut self, now: Timestamp) {
        for notice in mem::take(&mut self.waiting) {
            self.continues(&notice);
            self.needs_soon(Need::notified(&notice), now);
        }
    }
}

/// True if the changes of a notification are those of the resources of a known set in a known interval.
fn may_apply(notice: &Notice) -> bool {
    let payload = &notice.payload;
    payload.channel() == Channel::ChangeNotification && payload.interval().is_some() && notice.capability_list.is_some()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloc::{string::ToString, vec::Vec};

    use super::*;
    use crate::{changes::Changes, interval::Interval, payload::Payload, subscriber::Reread};

    fn now() -> Timestamp {
        Timestamp::from_seconds(1_000)
    }

    /// A notification of the minute with this number.
    fn notified(minute: u8, bytes: usize) -> Output {
        let moment = |minute: u8| Datetime::utc(2026, 11, 21, minute / 60, minute % 60, 0).unwrap();
        let interval = Interval { from: moment(minute), until: moment(minute + 1) };
        let (kind, text) = (Channel::ChangeNotification, "x".repeat(bytes));
        Output::Notified(Notice {
            channel: "token".to_string(),
            source: "https://example.com/".to_string(),
            topic: "https://example.com/changes".to_string(),
            capability_list: Some("https://example.com/capabilitylist.xml".to_string()),
            payload: Payload::restore(kind, Some(interval), 1, minute.to_string(), text),
            changes: Changes::default(),
        })
    }

    fn in_step() -> RunResult {
        RunResult { outcome: RunOutcome::InStep, as_of: None, changed: 1, unfinished: 0 }
    }

    /// A Framework Notification.
    fn framework() -> Output {
        let Output::Notified(notice) = notified(0, 1) else { panic!("a notification") };
        let payload = Payload::restore(Channel::FrameworkNotification, None, 1, "framework".to_string(), String::new());
        Output::Notified(Notice {
            topic: "https://example.com/framework".to_string(),
            capability_list: None,
            payload,
            ..notice
        })
    }

    /// In step, after the first notification of the topic.
    fn runs() -> Runs {
        let mut runs = Runs::new(CopyOptions { poll: CopyOptions::POLL, direct: true });
        runs.start(now());
        runs.note(now(), &notified(0, 1));
        assert!(matches!(runs.next(now()), Some(Step::Sync { .. })));
        runs.ran(now(), Some(&in_step()));
        runs
    }

    #[test]
    fn a_framework_notification_delays_no_changes_and_a_missing_one_does() {
        let mut runs = runs();
        runs.note(now(), &framework());
        runs.note(now(), &Output::Reread(Reread { set: String::new(), documents: Vec::new() }));
        runs.note(now(), &notified(1, 1));
        assert!(matches!(runs.next(now()), Some(Step::Apply(_))));
        runs.ran(now(), Some(&RunResult { outcome: RunOutcome::Incomplete, ..in_step() }));
        // The run that it is a reason for follows.
        assert!(runs.next(now()).is_none());
        assert!(matches!(runs.next(now().after(QUIET.0)), Some(Step::Sync { .. })));
        runs.ran(now(), Some(&in_step()));
        runs.note(now(), &notified(3, 1));
        assert!(runs.next(now()).is_none());
        runs.note(now(), &framework());
        runs.note(now(), &notified(4, 1));
        assert!(runs.next(now()).is_none());
    }

    #[test]
    fn more_notifications_than_may_wait_are_left_to_one_run() {
        for (count, bytes, is_applied) in [(64, 1, true), (65, 1, false), (1, 8 << 20, true), (2, 2 << 20, false)] {
            let mut runs = runs();
            runs.note(now(), &notified(1, 1));
            assert!(matches!(runs.next(now()), Some(Step::Apply(_))));
            (0..count).for_each(|number| runs.note(now(), &notified(number + 2, bytes)));
            let applied = RunResult { outcome: RunOutcome::Incomplete, ..in_step() };
            runs.ran(now(), Some(&applied));
            assert_eq!(matches!(runs.next(now()), Some(Step::Apply(_))), is_applied, "{count} of {bytes} bytes");
            if !is_applied {
                assert!(matches!(runs.next(now().after(QUIET.0)), Some(Step::Sync { .. })));
                runs.ran(now(), Some(&in_step()));
                // The one after them continues what the copy has.
                runs.note(now(), &notified(count + 2, 1));
                assert!(matches!(runs.next(now()), Some(Step::Apply(_))));
            }
        }
    }
}
