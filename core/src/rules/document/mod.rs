//! Rules about a document as a whole: encoding, root, capability, elements, size.

use super::Rule;

mod capability_case;
mod encoding;
mod entry_attribute;
mod index_of_capability_lists;
mod late_head;
mod loc_count;
mod loc_not_uri;
mod missing_capability;
pub(super) mod no_index_form;
mod not_a_description_index;
mod not_empty;
mod not_well_formed;
mod repeated_element;
mod repeated_md;
mod root_md;
mod too_large;
mod too_many_entries;
mod unexpected_capability;
mod unexpected_root;
mod unknown_capability;
mod unknown_element;
mod useless_changefreq;
mod wrong_entry_element;
mod wrong_namespace;
mod wrong_root;

/// The rules, in the order in which they are checked.
pub(super) const RULES: &[&Rule] = &[
    &not_well_formed::RULE,
    &wrong_root::RULE,
    &wrong_namespace::RULE,
    &root_md::RULE,
    &missing_capability::RULE,
    &unknown_capability::RULE,
    &no_index_form::RULE,
    &wrong_entry_element::RULE,
    &loc_count::RULE,
    &loc_not_uri::RULE,
    &entry_attribute::RULE,
    &repeated_md::RULE,
    &repeated_element::RULE,
    &useless_changefreq::RULE,
    &too_many_entries::RULE,
    &too_large::RULE,
    &late_head::RULE,
    &encoding::RULE,
    &unknown_element::RULE,
    &not_empty::RULE,
    &unexpected_root::RULE,
    &unexpected_capability::RULE,
    &not_a_description_index::RULE,
    &capability_case::RULE,
    &index_of_capability_lists::RULE,
];
