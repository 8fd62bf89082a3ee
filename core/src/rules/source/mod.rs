//! Rules about the documents of a whole Source; most of them only several documents show.

use super::Rule;

mod bad_announcement;
mod channel_mismatch;
mod circular_up;
mod closed_document_changed;
mod closed_member;
mod index_members;
mod index_of_indexes;
mod member_times;
mod missing_index_link;
mod no_source_description;
mod not_well_known;
mod notification_gap;
mod notified_channel;
mod notified_index;
mod notified_member;
mod open_document_shrank;
mod resource_changed;
mod resource_digest;
mod resource_encoding;
mod sets_differ;
mod several_members_notified;
mod shared_capability_document;
mod split_without_index;
mod still_open_member;
mod topic_length;
mod topic_links;
mod topic_status;
mod topic_type;
mod unadvertised_channel;
mod uncovered_page;
mod unlisted_capability_list;
mod unlisted_metadata;
mod unreachable_document;
mod wrong_index;
mod wrong_target;
mod wrong_up;

/// The rules. `source/checks/mod.rs` has the order of the checks.
pub(super) const RULES: &[&Rule] = &[
    &wrong_target::RULE,
    &index_of_indexes::RULE,
    &wrong_up::RULE,
    &circular_up::RULE,
    &wrong_index::RULE,
    &missing_index_link::RULE,
    &index_members::RULE,
    &split_without_index::RULE,
    &unlisted_capability_list::RULE,
    &no_source_description::RULE,
    &not_well_known::RULE,
    &shared_capability_document::RULE,
    &sets_differ::RULE,
    &member_times::RULE,
    &closed_member::RULE,
    &still_open_member::RULE,
    &closed_document_changed::RULE,
    &open_document_shrank::RULE,
    &notification_gap::RULE,
    &notified_member::RULE,
    &notified_index::RULE,
    &several_members_notified::RULE,
    &notified_channel::RULE,
    &unlisted_metadata::RULE,
    &bad_announcement::RULE,
    &uncovered_page::RULE,
    &topic_status::RULE,
    &topic_type::RULE,
    &topic_links::RULE,
    &topic_length::RULE,
    &channel_mismatch::RULE,
    &unadvertised_channel::RULE,
    &resource_digest::RULE,
    &resource_encoding::RULE,
    &resource_changed::RULE,
    &unreachable_document::RULE,
];
