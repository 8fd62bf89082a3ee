//! Rules about unreadable inputs and exceeded limits.

use super::Rule;

mod attributes_limit;
mod broken_gzip;
mod depth_limit;
mod digests_limit;
mod document_limit;
mod documents_limit;
mod entries_limit;
mod inflate_limit;
mod interrupted;
mod late_head_limit;
mod left_out;
mod links_limit;
mod manifest_inflate_limit;
mod member_name_limit;
mod members_kept_limit;
mod members_limit;
mod missing_document;
mod name_limit;
mod namespaces_limit;
mod not_a_document;
mod package_bytes_limit;
mod page_limit;
mod tag_limit;
mod unreadable;
mod value_limit;

/// The rules, in the order in which they are checked.
pub(super) const RULES: &[&Rule] = &[
    &unreadable::RULE,
    &not_a_document::RULE,
    &broken_gzip::RULE,
    &interrupted::RULE,
    &missing_document::RULE,
    &left_out::RULE,
    &document_limit::RULE,
    &entries_limit::RULE,
    &depth_limit::RULE,
    &attributes_limit::RULE,
    &namespaces_limit::RULE,
    &name_limit::RULE,
    &value_limit::RULE,
    &tag_limit::RULE,
    &links_limit::RULE,
    &late_head_limit::RULE,
    &inflate_limit::RULE,
    &digests_limit::RULE,
    &members_limit::RULE,
    &package_bytes_limit::RULE,
    &manifest_inflate_limit::RULE,
    &member_name_limit::RULE,
    &documents_limit::RULE,
    &members_kept_limit::RULE,
    &page_limit::RULE,
];
