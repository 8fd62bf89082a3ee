//! When a watched folder is published. Times are milliseconds of a clock that never goes back.

/// Changes are published after this many quiet times at the latest, even if there are always new ones.
const PATIENCE: u64 = 10;

/// The pause after the first run that failed; it doubles with each further one.
const PAUSE: u64 = 1_000;

/// The longest pause.
const LONGEST: u64 = 60_000;

/// The times of a watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchTimes {
    /// Changes are published when there were no further ones for this long.
    pub quiet: u64,
    /// The shortest time from one publication to the next.
    pub every: u64,
    /// The time after which the whole folder is compared again.
    pub poll: u64,
}

/// What is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Due {
    /// Compare the whole folder.
    Compare,
    /// Publish what changed.
    Publish,
    /// Nothing before this time, unless something changes.
    At(u64),
}

/// Decides when a watched folder is published. The first thing that is due is a comparison of the whole folder.
#[derive(Debug, Clone)]
pub struct Watch {
    times: WatchTimes,
    /// The first and the last change that is not published.
    changed: Option<(u64, u64)>,
    compare: u64,
    not_before: u64,
    failures: u32,
}

impl Watch {
    /// Begins to watch.
    #[must_use]
    pub fn new(times: WatchTimes, now: u64) -> Watch {
        Watch { times, changed: None, compare: now, not_before: now, failures: 0 }
    }

    /// Sets the time after which the whole folder is compared again.
    pub fn compare_every(&mut self, poll: u64) {
        self.times.poll = poll;
    }

    /// Something changed.
    pub fn changed(&mut self, now: u64) {
        let first = self.changed.map_or(now, |(first, _)| first);
        self.changed = Some((first, now));
    }

    /// It is not known what changed.
    pub fn lost(&mut self, now: u64) {
        self.compare = self.compare.min(now);
    }

    /// What is due.
    #[must_use]
    pub fn due(&self, now: u64) -> Due {
        let WatchTimes { quiet, .. } = self.times;
        let publish = self.changed.map(|(first, last)| {
            let latest = first.saturating_add(quiet.saturating_mul(PATIENCE));
            last.saturating_add(quiet).min(latest).max(self.not_before)
        });
        let compare = self.compare.max(self.not_before);
        match publish {
            _ if compare <= now => Due::Compare,
            Some(publish) if publish <= now => Due::Publish,
            Some(publish) => Due::At(publish.min(compare)),
            None => Due::At(compare),
        }
    }

    /// What was due begins: changes from now on are for the next run.
    pub fn begin(&mut self) {
        self.changed = None;
    }

    /// It ended. What failed is tried again after a pause.
    pub fn end(&mut self, due: Due, is_done: bool, now: u64) {
        if is_done {
            self.failures = 0;
            self.not_before = now.saturating_add(self.times.every);
            if due == Due::Compare {
                self.compare = now.saturating_add(self.times.poll);
            }
            return;
        }
        let pause = PAUSE.saturating_mul(1 << self.failures.min(6)).min(LONGEST);
        self.failures = self.failures.saturating_add(1);
        self.not_before = now.saturating_add(pause);
        if due == Due::Publish {
            self.changed(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMES: WatchTimes = WatchTimes { quiet: 100, every: 0, poll: 60_000 };

    /// A watch whose first comparison ended at 0.
    fn watch(times: WatchTimes) -> Watch {
        let mut watch = Watch::new(times, 0);
        assert_eq!(watch.due(0), Due::Compare);
        watch.begin();
        watch.end(Due::Compare, true, 0);
        watch
    }

    #[test]
    fn changes_are_published_after_a_quiet_time() {
        let mut watch = watch(TIMES);
        assert_eq!(watch.due(10), Due::At(60_000));
        watch.changed(10);
        watch.changed(60);
        assert_eq!((watch.due(159), watch.due(160)), (Due::At(160), Due::Publish));
        watch.begin();
        watch.changed(170);
        watch.end(Due::Publish, true, 200);
        assert_eq!((watch.due(200), watch.due(270)), (Due::At(270), Due::Publish));
    }

    #[test]
    fn changes_without_an_end_are_published_all_the_same() {
        let mut watch = watch(TIMES);
        (0..=1_000).step_by(50).for_each(|at| watch.changed(at));
        assert_eq!((watch.due(999), watch.due(1_000)), (Due::At(1_000), Due::Publish));
    }

    #[test]
    fn publications_are_apart() {
        let mut watch = watch(WatchTimes { every: 5_000, ..TIMES });
        watch.changed(10);
        assert_eq!((watch.due(110), watch.due(5_000)), (Due::At(5_000), Due::Publish));
    }

    #[test]
    fn all_is_compared_from_time_to_time_and_when_events_were_lost() {
        let mut watch = watch(TIMES);
        assert_eq!(watch.due(60_000), Due::Compare);
        watch.lost(500);
        assert_eq!(watch.due(500), Due::Compare);
        watch.begin();
        watch.end(Due::Compare, true, 600);
        assert_eq!(watch.due(600), Due::At(60_600));
    }

    #[test]
    fn what_failed_is_tried_again_later_and_later() {
        let mut watch = watch(WatchTimes { poll: 600_000, ..TIMES });
        watch.changed(0);
        let (mut at, mut pauses) = (100, [0_u64; 8]);
        for pause in &mut pauses {
            assert_eq!(watch.due(at), Due::Publish);
            watch.begin();
            watch.end(Due::Publish, false, at);
            let Due::At(next) = watch.due(at) else { break };
            *pause = next - at;
            at = next;
        }
        assert_eq!(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
        assert_eq!(watch.due(700_000), Due::Compare);
        watch.begin();
        watch.end(Due::Compare, false, 700_000);
        assert_eq!((watch.due(700_000), watch.due(760_000)), (Due::At(760_000), Due::Compare));
        watch.end(Due::Compare, true, 760_000);
        assert_eq!(watch.due(760_000), Due::At(1_360_000));
    }
}
