//! Which lists continue the changes from a moment on, and whether they do so without a hole.

use alloc::vec::Vec;
use core::cmp::Ordering;

use resourcesync::value::Precision;

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

/// What is known where the lists begin, and what may be missing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Terms {
    /// A list was open at the moment.
    pub(super) was_open: bool,
    /// The first list may begin after the moment, since what was listed at the moment is known.
    pub(super) may_begin_later: bool,
    /// Without a moment the earliest list is the first one.
    pub(super) is_entry_by_entry: bool,
    /// Lists count although changes before them are missing.
    pub(super) crosses_gaps: bool,
}

/// True if all changes up to `until` are processed. Others may follow at the same moment, unless the list that ends there was processed.
pub(super) fn is_done(until: Option<&Time>, as_of: Option<&Time>, is_exact: bool) -> bool {
    let Some((until, as_of)) = until.zip(as_of) else { return false };
    // A time of lower precision covers an interval, of which the moment may be the beginning.
    if until.value.precision() < as_of.value.precision().min(Precision::Second) && until.reaches(as_of) {
        return is_exact;
    }
    match until.compare(as_of) {
        Ordering::Less => true,
        Ordering::Equal => is_exact,
        Ordering::Greater => false,
    }
}

/// Chains the lists from a moment on.
pub(super) fn cover(lists: &[List], as_of: Option<&Time>, terms: Terms) -> Coverage {
    let Terms { was_open, may_begin_later, is_entry_by_entry, crosses_gaps } = terms;
    let begins_anywhere = is_entry_by_entry && as_of.is_none();
    let is_known = |list: &List| list.continued.is_some() || list.was_open();
    let is_left = |list: &List| is_known(list) || !is_done(list.until.as_ref(), as_of, false);
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
        let is_lost = was_open || (as_of.is_none() && !begins_anywhere);
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
    // A list that ends at the last moment does not show what became of a list that was open there.
    let is_continued = lists.iter().any(|list| list.continued.is_some());
    if let (Reach::Until(until), true, false) = (&reach, was_open, is_continued)
        && is_done(Some(until), as_of, true)
    {
        reach = Reach::Nowhere;
    }
    let (mut hole, mut missing) = (None, None);
    for list in order.iter().filter_map(|index| lists.get(*index)).filter(|list| !is_first(list)) {
        if let (Reach::Nowhere, true, Some(from), Some(as_of)) = (&reach, may_begin_later, &list.from, as_of) {
            hole = Some(Gap { after: Some(as_of.text.clone()), before: Some(from.text.clone()) });
        } else if !(reach.meets(list.from.as_ref()) || (begins_anywhere && matches!(reach, Reach::Nowhere))) {
            let after = match &reach {
                Reach::Until(time) => Some(time),
                _ => as_of,
            };
            let gap = Gap {
                after: after.map(|time| time.text.clone()),
                before: list.from.as_ref().map(|from| from.text.clone()),
            };
            if !crosses_gaps {
                return Coverage { gap: Some(gap), ..Coverage::default() };
            }
            missing.get_or_insert(gap);
        }
        reach = reach.extended(list.until.as_ref());
    }
    if matches!(reach, Reach::Nowhere) {
        let gap = Gap { after: as_of.map(|as_of| as_of.text.clone()), before: None };
        if !crosses_gaps {
            return Coverage { gap: Some(gap), ..Coverage::default() };
        }
        missing.get_or_insert(gap);
    }
    // What is known to its end shows that nothing is missing, and has nothing new.
    order.retain(|index| lists.get(*index).is_some_and(|list| !list.is_delivered));
    Coverage { order, gap: missing, hole, is_open: matches!(reach, Reach::Now) }
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
