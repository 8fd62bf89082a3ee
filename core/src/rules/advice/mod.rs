//! Advice beyond the standard.

use super::Rule;

mod byte_order_mark;
mod change_without_datetime;
mod comment_in_value;
mod everything_updated;
mod index_as_urlset;
mod long_uri;
mod not_http;
mod old_up_relation;
mod package_as_document;
mod paged_list;
mod stray_text;
mod userinfo_in_uri;

/// The rules, in the order in which they are checked.
pub(super) const RULES: &[&Rule] = &[
    &paged_list::RULE,
    &change_without_datetime::RULE,
    &everything_updated::RULE,
    &comment_in_value::RULE,
    &long_uri::RULE,
    &not_http::RULE,
    &userinfo_in_uri::RULE,
    &old_up_relation::RULE,
    &index_as_urlset::RULE,
    &stray_text::RULE,
    &byte_order_mark::RULE,
    &package_as_document::RULE,
];
