//! Rules about links.

use super::Rule;

mod alternate_without_type;
mod bare_patch;
mod href_not_uri;
mod index_in_index;
mod link_path;
mod malformed_rel;
mod memento_not_lastmod;
mod memento_without_modified;
mod misplaced_contents;
mod misplaced_hub;
mod misplaced_link;
mod misplaced_patch;
mod missing_href;
mod missing_rel;
mod patch_without_path;
mod patch_without_type;
mod patch_without_update;
mod redundant_attribute;
mod repeated_memento;
mod repeated_up;
mod repeated_via;
mod timegate_attributes;
mod unregistered_rel;

/// The rules, in the order in which they are checked.
pub(super) const RULES: &[&Rule] = &[
    &missing_href::RULE,
    &missing_rel::RULE,
    &href_not_uri::RULE,
    &malformed_rel::RULE,
    &unregistered_rel::RULE,
    &misplaced_link::RULE,
    &repeated_up::RULE,
    &index_in_index::RULE,
    &redundant_attribute::RULE,
    &alternate_without_type::RULE,
    &patch_without_type::RULE,
    &misplaced_patch::RULE,
    &patch_without_path::RULE,
    &link_path::RULE,
    &patch_without_update::RULE,
    &bare_patch::RULE,
    &repeated_memento::RULE,
    &memento_without_modified::RULE,
    &memento_not_lastmod::RULE,
    &timegate_attributes::RULE,
    &repeated_via::RULE,
    &misplaced_contents::RULE,
    &misplaced_hub::RULE,
];
