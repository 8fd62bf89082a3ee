//! Rules about the values of attributes.

use super::Rule;

mod digest_length;
mod digest_not_hex;
mod malformed_hash;
mod malformed_length;
mod malformed_pri;
mod malformed_type;
mod misplaced_attribute;
mod path_not_rooted;
mod prefixed_attribute;
mod repeated_algorithm;
mod unknown_attribute;
mod unknown_hash_algorithm;
mod unregistered_type;
mod unsafe_path;

/// The rules, in the order in which they are checked.
pub(super) const RULES: &[&Rule] = &[
    &malformed_hash::RULE,
    &unknown_hash_algorithm::RULE,
    &digest_not_hex::RULE,
    &digest_length::RULE,
    &repeated_algorithm::RULE,
    &malformed_length::RULE,
    &malformed_type::RULE,
    &unregistered_type::RULE,
    &path_not_rooted::RULE,
    &unsafe_path::RULE,
    &malformed_pri::RULE,
    &prefixed_attribute::RULE,
    &unknown_attribute::RULE,
    &misplaced_attribute::RULE,
];
