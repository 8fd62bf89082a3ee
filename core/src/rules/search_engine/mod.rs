//! What search engines reject, beyond the standard. These rules are off unless a profile or a selection turns them on.

use super::Rule;

mod empty_sitemap;
mod harvester_elements;
mod invalid_priority;
mod not_a_sitemap;
mod other_origin;
mod sitemap;

/// The rules, in the order in which they are checked.
pub(super) const RULES: &[&Rule] = &[
    &not_a_sitemap::RULE,
    &harvester_elements::RULE,
    &empty_sitemap::RULE,
    &other_origin::RULE,
    &invalid_priority::RULE,
];
