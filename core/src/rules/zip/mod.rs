//! Rules about the structure of ZIP archives.

use super::Rule;

mod broken_extra;
mod colliding_names;
mod cut_comment;
mod damaged_member;
mod dangerous_name;
mod data_after_stream;
mod directory_bounds;
mod encrypted_member;
mod file_and_folder;
mod folder_with_data;
mod header_mismatch;
mod hidden_data;
mod impossible_date;
mod multi_disk;
mod name_encoding;
mod overlapping_members;
mod several_ends;
mod special_member;
mod unknown_method;
mod unportable_name;
mod version_needed;
mod wrong_count;
mod wrong_crc;
mod wrong_descriptor;
mod wrong_size;
mod zip64_end;
mod zip64_member;
mod zip_prefix;
mod zip_suffix;

/// The rules, in the order in which they are checked.
pub(super) const RULES: &[&Rule] = &[
    &zip_prefix::RULE,
    &zip_suffix::RULE,
    &several_ends::RULE,
    &cut_comment::RULE,
    &zip64_end::RULE,
    &zip64_member::RULE,
    &overlapping_members::RULE,
    &hidden_data::RULE,
    &header_mismatch::RULE,
    &wrong_descriptor::RULE,
    &unknown_method::RULE,
    &encrypted_member::RULE,
    &dangerous_name::RULE,
    &unportable_name::RULE,
    &name_encoding::RULE,
    &colliding_names::RULE,
    &file_and_folder::RULE,
    &special_member::RULE,
    &folder_with_data::RULE,
    &wrong_size::RULE,
    &damaged_member::RULE,
    &data_after_stream::RULE,
    &wrong_crc::RULE,
    &wrong_count::RULE,
    &multi_disk::RULE,
    &impossible_date::RULE,
    &directory_bounds::RULE,
    &broken_extra::RULE,
    &version_needed::RULE,
];
