//! Rules about entries, their `rs:md` and their optional elements.

use super::Rule;

mod deletion_with_path;
mod deletion_with_representation;
mod impossible_change;
mod misplaced_capability;
mod misplaced_change;
mod misplaced_datetime;
mod missing_change;
mod missing_entry_capability;
mod missing_entry_md;
mod missing_hub;
mod missing_path;
mod missing_type;
mod mixed_package_types;
mod not_zip;
mod notification_attribute;
mod notification_lastmod;
mod package_description;
mod path_outside_manifest;
mod repeated_capability;
mod repeated_loc;
mod shared_path;
mod undescribed_set;
mod unknown_change;
mod unknown_changefreq;
mod unmaintained_lastmod;
mod wrong_entry_capability;

/// The rules, in the order in which they are checked.
pub(super) const RULES: &[&Rule] = &[
    &undescribed_set::RULE,
    &missing_entry_capability::RULE,
    &wrong_entry_capability::RULE,
    &unmaintained_lastmod::RULE,
    &notification_lastmod::RULE,
    &repeated_loc::RULE,
    &repeated_capability::RULE,
    &missing_hub::RULE,
    &missing_entry_md::RULE,
    &missing_change::RULE,
    &missing_path::RULE,
    &missing_type::RULE,
    &package_description::RULE,
    &mixed_package_types::RULE,
    &not_zip::RULE,
    &deletion_with_path::RULE,
    &shared_path::RULE,
    &deletion_with_representation::RULE,
    &unknown_change::RULE,
    &misplaced_change::RULE,
    &misplaced_datetime::RULE,
    &misplaced_capability::RULE,
    &unknown_changefreq::RULE,
    &path_outside_manifest::RULE,
    &notification_attribute::RULE,
    &impossible_change::RULE,
];
