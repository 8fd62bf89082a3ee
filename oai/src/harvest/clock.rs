//! The clock of the server, from which the next harvest takes its start.

use alloc::string::ToString;

use resourcesync::value::http_date;

use super::{
    Harvest, Moment,
    answer::Answered,
    task::{Purpose, Task},
};
use crate::{catalogue::Code, note::Note, stamp::Stamp};

/// Seconds by which clocks that are kept in time may differ, besides the duration of the request: the times are taken at its
/// beginning or at its end. Kerberos tolerates as much.
const AGREEMENT: u64 = 300;
/// The tolerance for server clocks that are ahead of ours.
const AHEAD: i64 = 86_400;

impl Harvest {
    /// Handles the time of a page. The next harvest starts at the earliest time of its list.
    pub(super) fn first_response(&mut self, now: Moment, answered: &Answered, ms: u64) {
        let written = answered.page.response_date.as_ref();
        let stated = written.and_then(|date| date.stamp).map(Stamp::unix);
        let sent = answered.head.date.as_deref().and_then(http_date);
        // Local time that is marked as UTC is in `responseDate` alone.
        let earlier = stated.into_iter().chain(sent).min();
        let tolerance = AGREEMENT.saturating_add(ms.div_ceil(1000));
        let differ = stated.zip(sent).is_some_and(|(stated, sent)| stated.abs_diff(sent) > tolerance);
        let is_after = |date: i64, seconds: i64| date > now.unix().saturating_add(seconds);
        let mut is_wrong = differ || earlier.is_some_and(|date| is_after(date, AGREEMENT.cast_signed()));
        // A time later than the local clock would lose changes until then; an earlier one only repeats records.
        let usable = earlier.map(|date| match is_after(date, AHEAD) {
            true => now.unix().saturating_sub(AHEAD),
            false => date.min(now.unix()),
        });

        let Some(current) = &mut self.state.current else { return };
        if current.first_response_date.is_none() {
            current.first_response_date = written.map(|date| date.text.clone());
        }
        let task = current.task.clone();
        if task.purpose == Purpose::Harvest {
            is_wrong |= usable.is_some_and(|date| self.set_back(&task, date));
            if let Some(list) = self.state.list(&task) {
                match (list.first_response, usable) {
                    (None, Some(date)) => (list.first_response, list.first_ms) = (Some(date), ms),
                    (Some(first), Some(date)) if date < first => {
                        is_wrong = true;
                        list.first_response = Some(date);
                    }
                    _ => {}
                }
                list.latest = list.latest.max(answered.latest.map(Stamp::unix));
            }
        }
        if is_wrong {
            let text = written.map(|date| date.text.to_string()).unwrap_or_default();
            self.note(Note::new(Code::OAI_65).arg("value", text));
        }
    }

    /// True if the server is at a time before the start of this harvest. Its clock was ahead at the last one and was corrected, so that
    /// what changed since may lie anywhere before the start: that part of the list is requested as well, once.
    fn set_back(&mut self, task: &Task, date: i64) -> bool {
        let start = task.prefix.as_ref().and_then(|prefix| self.plan.start(prefix, task.set.as_deref()));
        let (Some(start), Some(from)) = (start, task.from) else { return false };
        let start = start.from.to(from.granularity());
        if date >= start.unix() {
            return false;
        }
        let since = self.wanted(self.plan.since).filter(|since| since.unix() < start.unix());
        let has_part = self.plan.since.is_none() || since.is_some();
        if let Some(list) = self.state.list(task).filter(|list| !list.is_set_back) {
            list.is_set_back = true;
            if has_part {
                self.queue_by_windows(Task { from: since, until: Some(start.previous()), ..task.clone() });
            }
        }
        true
    }
}
