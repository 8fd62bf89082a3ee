//! Intervals: splits a list that cannot be read in one piece.

use resourcesync::value::Datetime;

use super::{
    Harvest,
    plan::Window,
    proof::Facts,
    state::{Queued, Unit},
    task::Task,
};
use crate::stamp::{Granularity, Stamp};

const DAY: i64 = 86_400;
const HOUR: i64 = 3_600;

impl Harvest {
    /// The next task; one that is to be requested by intervals leaves the rest of them in the queue.
    pub(super) fn take_queued(&mut self) -> Option<Task> {
        let Queued { task, by } = self.state.queue.pop_front()?;
        let Some(by) = by else { return Some(task) };
        let (lower, upper) = self.bounds(&task);
        let start = task.from.map_or(lower, Stamp::unix);
        let next = next_boundary(start, by);
        if next > upper {
            return Some(task);
        }
        let (first, rest) = self.cut_at(task, next);
        self.state.queue.push_front(Queued { task: rest, by: Some(by) });
        Some(first)
    }

    /// Splits the current list into two halves. False if they would be too small, or splitting is disabled.
    pub(super) fn split(&mut self) -> bool {
        let Some(current) = &self.state.current else { return false };
        if self.plan.window == Window::None || !current.task.verb.is_list() || current.task.prefix.is_none() {
            return false;
        }
        let task = current.task.clone();
        let least = match self.state.sendable() {
            Granularity::Day => DAY,
            Granularity::Second => HOUR,
        };
        let (lower, upper) = self.bounds(&task);
        let length = upper.saturating_sub(lower);
        if length < least.saturating_mul(2) || current.degraded > 1 {
            return false;
        }
        let half = lower.saturating_add(length / 2);
        let middle = half.saturating_sub(half.rem_euclid(least));
        if middle <= lower || middle > upper {
            return false;
        }
        let (first, rest) = self.cut_at(task, middle);
        self.state.queue.push_front(Queued { task: rest, by: None });
        self.state.queue.push_front(Queued { task: first, by: None });
        true
    }

    /// The seconds between which everything is: what is requested, else what the repository says, else everything.
    fn bounds(&self, task: &Task) -> (i64, i64) {
        let facts = self.state.facts.as_ref();
        let earliest = facts.and_then(|facts| facts.earliest_datestamp).map_or(0, Stamp::unix);
        let described = facts.and_then(|facts: &Facts| facts.response_date).unwrap_or(earliest);
        let now = self.resumed.map_or(described, |resumed| described.max(resumed.unix()));
        let lower = task.from.map_or(earliest.min(now), Stamp::unix);
        (lower, task.until.map_or(now, Stamp::last_second).max(lower))
    }

    /// Everything before a second, and everything from it on. The outer ends stay as they are: open, if they are open.
    fn cut_at(&self, task: Task, second: i64) -> (Task, Task) {
        let granularity = self.state.sendable();
        let at = Stamp::from_unix(second, granularity);
        // Dates in a request are of one granularity.
        let to = |stamp: Option<Stamp>, is_end: bool| {
            stamp.map(|stamp| match is_end && granularity == Granularity::Second {
                true => Stamp::from_unix(stamp.last_second(), granularity),
                false => stamp.to(granularity),
            })
        };
        let first = Task { from: to(task.from, false), until: Some(at.previous()), ..task.clone() };
        let rest = Task { from: Some(at), until: to(task.until, true), ..task };
        (first, rest)
    }
}

/// Where the next year, month, week (Monday), day or hour begins.
fn next_boundary(second: i64, by: Unit) -> i64 {
    let day = second.div_euclid(DAY);
    let date = |year: u16, month: u8| Datetime::date(year, month, 1).map_or(i64::MAX, |date| date.to_unix().0);
    let (year, month) = Datetime::from_unix(second, 0).map_or((9999, 12), |own| {
        let (year, month, _) = own.ymd();
        (year, month)
    });
    match by {
        Unit::Hour => second.div_euclid(HOUR).saturating_add(1).saturating_mul(HOUR),
        Unit::Day => day.saturating_add(1).saturating_mul(DAY),
        // 1970-01-01 was a Thursday.
        Unit::Week => {
            let since_monday = day.saturating_add(3).rem_euclid(7);
            day.saturating_sub(since_monday).saturating_add(7).saturating_mul(DAY)
        }
        Unit::Month if month >= 12 => date(year.saturating_add(1), 1),
        Unit::Month => date(year, month.saturating_add(1)),
        Unit::Year => date(year.saturating_add(1), 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn intervals_begin_where_calendars_do() {
        let at = Stamp::read("2024-12-30T23:30:00Z").unwrap().unix();
        for (by, next) in [
            (Unit::Hour, "2024-12-31T00:00:00Z"),
            (Unit::Day, "2024-12-31T00:00:00Z"),
            (Unit::Week, "2025-01-06T00:00:00Z"),
            (Unit::Month, "2025-01-01T00:00:00Z"),
            (Unit::Year, "2025-01-01T00:00:00Z"),
        ] {
            assert_eq!(Stamp::from_unix(next_boundary(at, by), Granularity::Second).to_string(), next);
        }
    }
}
