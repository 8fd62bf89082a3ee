//! Rules about a package and its manifest.

use super::Rule;

mod contents_differ;
mod digest_mismatch;
mod length_mismatch;
mod misnamed_manifest;
mod missing_member;
mod missing_patch;
mod no_manifest;
mod other_package_format;
mod package_digest;
mod package_size;
mod package_times;
mod path_of_folder;
mod repeated_member;
mod unlisted_member;
mod unreadable_package;
mod unsafe_member_name;
mod wrong_manifest;

/// The rules, in the order in which they are checked.
pub(super) const RULES: &[&Rule] = &[
    &no_manifest::RULE,
    &misnamed_manifest::RULE,
    &missing_member::RULE,
    &unlisted_member::RULE,
    &digest_mismatch::RULE,
    &length_mismatch::RULE,
    &wrong_manifest::RULE,
    &unreadable_package::RULE,
    &path_of_folder::RULE,
    &missing_patch::RULE,
    &repeated_member::RULE,
    &unsafe_member_name::RULE,
    &package_digest::RULE,
    &package_size::RULE,
    &package_times::RULE,
    &contents_differ::RULE,
    &other_package_format::RULE,
];
