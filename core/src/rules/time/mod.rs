//! Rules about times: when a document is valid, when its entries changed, and in which order they are listed.

use super::Rule;

mod change_order;
mod datetime_outside_interval;
mod end_without_start;
mod entry_interval;
mod entry_outside_interval;
mod entry_outside_snapshot;
mod entry_snapshot;
mod entry_times;
mod malformed_datetime;
mod member_order;
mod missing_at;
mod missing_describedby;
mod missing_entry_from;
mod missing_from;
mod missing_until;
mod missing_up;
mod not_utc;
mod open_member;
mod package_order;
mod reversed_interval;
mod root_interval;
mod root_snapshot;
mod root_times;
mod up_from_the_top;

/// The rules, in the order in which they are checked.
pub(super) const RULES: &[&Rule] = &[
    &missing_at::RULE,
    &missing_from::RULE,
    &missing_until::RULE,
    &missing_up::RULE,
    &missing_describedby::RULE,
    &root_interval::RULE,
    &root_snapshot::RULE,
    &root_times::RULE,
    &entry_times::RULE,
    &entry_interval::RULE,
    &entry_snapshot::RULE,
    &missing_entry_from::RULE,
    &up_from_the_top::RULE,
    &malformed_datetime::RULE,
    &not_utc::RULE,
    &reversed_interval::RULE,
    &end_without_start::RULE,
    &entry_outside_interval::RULE,
    &entry_outside_snapshot::RULE,
    &datetime_outside_interval::RULE,
    &change_order::RULE,
    &member_order::RULE,
    &package_order::RULE,
    &open_member::RULE,
];
