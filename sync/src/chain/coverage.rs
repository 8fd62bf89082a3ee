//! Which lists continue the changes from a moment on, and whether they do so without a hole.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::{
    Gap,
    list::{List, Time},
};

/// How far the changes are known.
#[derive(Debug, Clone, Default)]
enum Reach {
    /// No list contains the moment.
    #[default]
    Nowhere,
    /// Up to a time.
    Until(Time),
    /// Up to now: a list is open.
    Now,
}

/// The lists to process, in order.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    /// Indexes of the lists, in the order of their beginnings.
    pub(super) order: Vec<usize>,
    /// The changes that no list contains.
    pub(super) gap: Option<Gap>,
    /// The changes before the first list, where that is no gap.
    pub(super) hole: Option<Gap>,
    /// True if the last changes are in an open list.
    pub(super) is_open: bool,
}

/// True if all changes up to `until` are processed. If the last moment is that of a change, others of the same moment may follow.
pub(super) fn is_done(until: Option<&Time>, as_of: Option<&Time>, is_exact: bool) -> bool {
    let Some((until, as_of)) = until.zip(as_of) else { return false };
    match until.compare(as_of) {
        Ordering::Less => true,
        Ordering::Equal => is_exact,
        Ordering::Greater => false,
    }
}

/// Chains the lists from a moment on. `was_open` if a list was open there; `may_begin_later` if the first list may begin after the moment,
/// since what was listed at the moment is known.
pub(super) fn cover(lists: &[List], as_of: Option<&Time>, was_open: bool, may_begin_later: bool) -> Coverage {
    let is_known = |list: &List| list.continued.is_some() || list.was_open();
    let is_left = |list: &List| is_known(list) || !is_done(list.until.as_ref(), as_of, !was_open);
    let mut order: Vec<usize> =
        lists.iter().enumerate().filter(|(_, list)| is_left(list)).map(|(index, _)| index).collect();
    let from = |index: &usize| lists.get(*index).and_then(|list| list.from.as_ref());
    // Lists without a time come last; they count only if their beginning is known.
    let compare = |one: Option<&Time>, other: Option<&Time>| match (one, other) {
        (Some(one), Some(other)) => one.compare(other),
        (one, other) => other.is_some().cmp(&one.is_some()),
    };
    // Of those that begin together, the one that reaches furthest has the latest changes: an open list that was closed while the
    // documents were read has fewer than the closed one.
    let list = |index: &usize| lists.get(*index);
    let end = |index: &usize| list(index).and_then(|list| list.until.as_ref().or(list.last.as_ref()));
    let entries = |index: &usize| list(index).map(|list| list.entries);
    let has_ends = order.iter().all(|index| end(index).is_some());
    order.sort_by(|one, other| {
        let (ends, counts) = (compare(end(one), end(other)), entries(one).cmp(&entries(other)));
        compare(from(one), from(other)).then(if has_ends { ends.then(counts) } else { counts.then(ends) })
    });
    if order.is_empty() {
        let is_lost = was_open || as_of.is_none();
        let gap = is_lost.then(|| Gap { after: as_of.map(|as_of| as_of.text.clone()), before: None });
        return Coverage { gap, ..Coverage::default() };
    }
    // A list whose beginning is known continues where it ended, whatever the times of the others.
    let mut reach = Reach::Nowhere;
    let is_first = |list: &List| {
        let begins =
            list.from.as_ref().zip(as_of).is_some_and(|(from, as_of)| from.compare(as_of) != Ordering::Greater);
        list.continued.is_some() || begins
    };
    for list in order.iter().filter_map(|index| lists.get(*index)).filter(|list| is_first(list)) {
        reach = reach.extended(list.until.as_ref());
    }
    // A list that ends at the last moment says nothing of a list that was open there.
    let is_continued = lists.iter().any(|list| list.continued.is_some());
    if let (Reach::Until(until), true, false) = (&reach, was_open, is_continued)
        && is_done(Some(until), as_of, true)
    {
        reach = Reach::Nowhere;
    }
    let mut hole = None;
    for list in order.iter().filter_map(|index| lists.get(*index)).filter(|list| !is_first(list)) {
        if let (Reach::Nowhere, true, Some(from), Some(as_of)) = (&reach, may_begin_later, &list.from, as_of) {
            hole = Some(Gap { after: Some(as_of.text.clone()), before: Some(from.text.clone()) });
        } else if !reach.meets(list.from.as_ref()) {
            let after = match &reach {
                Reach::Until(time) => Some(time),
                _ => as_of,
            };
            let gap = Gap {
                after: after.map(|time| time.text.clone()),
                before: list.from.as_ref().map(|from| from.text.clone()),
            };
            return Coverage { gap: Some(gap), ..Coverage::default() };
        }
        reach = reach.extended(list.until.as_ref());
    }
    if matches!(reach, Reach::Nowhere) {
        let gap = Gap { after: as_of.map(|as_of| as_of.text.clone()), before: None };
        return Coverage { gap: Some(gap), ..Coverage::default() };
    }
    Coverage { order, gap: None, hole, is_open: matches!(reach, Reach::Now) }
}

impl Reach {
    fn extended(self, until: Option<&Time>) -> Reach {
        match (self, until) {
            (Reach::Now, _) | (_, None) => Reach::Now,
            (Reach::Nowhere, Some(until)) => Reach::Until(until.clone()),
            (Reach::Until(own), Some(until)) => {
                Reach::Until(if own.compare(until) == Ordering::Less { until.clone() } else { own })
            }
        }
    }

    /// True if a list that begins there leaves no hole.
    fn meets(&self, from: Option<&Time>) -> bool {
        match self {
            Reach::Nowhere => false,
            Reach::Now => true,
            Reach::Until(time) => from.is_some_and(|from| from.compare(time) != Ordering::Greater),
        }
    }
}
