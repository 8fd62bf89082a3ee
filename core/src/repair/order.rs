//! Sorts entries by datetime, if the kind of document requires it.

use alloc::{string::ToString, vec::Vec};

use super::log::{Edit, Log, Repair, RepairKind};
use crate::{
    diagnostic::Path,
    model::{AnyField, AttributeValue, Document, Entry, Name},
    rules::KindProfile,
    value::{Datetime, Instant},
};

pub(super) fn repair(document: &mut Document, log: &mut Log) {
    let Some((name, _)) = KindProfile::of(document.kind()).order else { return };
    // An entry without a datetime has no defined position.
    let moments: Option<Vec<&Datetime>> = document.entries.iter().map(|entry| moment(entry, name)).collect();
    let Some(moments) = moments.filter(|moments| !moments.is_sorted_by_key(|moment| moment.start())) else { return };
    // A day may be before or after a moment of that day.
    let length = |moment: &&Datetime| moment.is_partial().then(|| moment.precision());
    if !moments.windows(2).all(|two| two.iter().map(length).is_sorted_by(|one, other| one == other)) {
        return;
    }
    let mut sorted: Vec<(Instant, usize)> = moments.into_iter().map(Datetime::start).zip(0..).collect();
    // Changes with equal datetimes keep their order.
    sorted.sort();
    let order: Vec<usize> = sorted.into_iter().map(|(_, place)| place).collect();
    let mut latest = None;
    for (number, (place, entry)) in (1_u64..).zip(order_of(&order).into_iter().zip(&document.entries)) {
        let own = moment(entry, name).map(Datetime::start);
        // Entries after one with a later datetime, adjacent or not.
        if own < latest {
            let element = Some((entry.element.as_str(), number));
            let path = Path { root: document.root.local.to_string(), entry: element, step: None, attribute: None };
            let (before, after) = (number.to_string(), place.to_string());
            log.repairs.push(Repair {
                idea: RepairKind::Order,
                path: path.to_string(),
                span: entry.span,
                before,
                after,
            });
        }
        latest = latest.max(own);
    }
    let mut entries: Vec<Option<Entry>> = core::mem::take(&mut document.entries).into_iter().map(Some).collect();
    let in_order = order.iter().filter_map(|place| entries.get_mut(*place)?.take());
    document.entries = (1..).zip(in_order).map(|(number, entry)| Entry { number, ..entry }).collect();
    log.edits.push(Edit::Permute(order));
}

/// The new number of each entry.
fn order_of(order: &[usize]) -> Vec<u64> {
    let mut numbers: Vec<(usize, u64)> = order.iter().copied().zip(1..).collect();
    numbers.sort_unstable();
    numbers.into_iter().map(|(_, number)| number).collect()
}

fn moment(entry: &Entry, name: Name) -> Option<&Datetime> {
    match &entry.first_md()?.attributes.get(name)?.value {
        AttributeValue::From(field) | AttributeValue::Datetime(field) if field.loose().is_none() => field.value(),
        _ => None,
    }
}
