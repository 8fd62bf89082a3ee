//! Every requirement once: the catalogue of ids, the table of kinds, the rules, the Checker.
//!
//! A rule is a file in the folder of its family and a line in the list below.

use crate::diagnostic::Code;

mod check_context;
mod checker;
mod dispatch;
mod document_state;
mod first_seen;
mod package_context;
mod profile;
mod rule;
mod table;

pub use check_context::{Check, CheckContext, PathStep, timed};
pub use checker::{Checker, DocumentContext};
pub use document_state::{DocumentState, Earlier};
pub use first_seen::FirstSeen;
pub use package_context::{FoundMember, KnownPackage, KnownPackages, PackageMembers, last_segment};
pub use profile::{COMMON, KindProfile, Need, PROFILES};
pub use rule::Rule;
pub(crate) use rule::rule;
#[cfg(feature = "texts")]
pub use rule::{Explanation, Texts};

/// Lists the rules once: modules and table follow.
macro_rules! rules {
    ($($family:ident { $($rule:ident),* $(,)? })*) => {
        $(mod $family { $(pub(super) mod $rule;)* })*

        /// All rules.
        pub static ALL: &[&Rule] = &[$($(&$family::$rule::RULE),*),*];
    };
}

rules! {
    document {
        not_well_formed,
        wrong_root,
        wrong_namespace,
        root_md,
        missing_capability,
        unknown_capability,
        no_index_form,
        wrong_entry_element,
        loc_count,
        loc_not_uri,
        entry_attribute,
        repeated_md,
        repeated_element,
        useless_changefreq,
        too_many_entries,
        too_large,
        late_head,
        encoding,
        unknown_element,
        not_empty,
        unexpected_root,
        unexpected_capability,
        not_a_description_index,
        capability_case,
        index_of_capability_lists,
    }
    time {
        missing_at,
        missing_from,
        missing_until,
        missing_up,
        missing_describedby,
        root_interval,
        root_snapshot,
        root_times,
        entry_times,
        entry_interval,
        entry_snapshot,
        missing_entry_from,
        up_from_the_top,
        malformed_datetime,
        not_utc,
        reversed_interval,
        end_without_start,
        entry_outside_interval,
        entry_outside_snapshot,
        datetime_outside_interval,
        change_order,
        member_order,
        package_order,
        open_member,
    }
    entry {
        undescribed_set,
        missing_entry_capability,
        wrong_entry_capability,
        unmaintained_lastmod,
        notification_lastmod,
        repeated_loc,
        repeated_capability,
        missing_hub,
        missing_entry_md,
        missing_change,
        missing_path,
        missing_type,
        package_description,
        mixed_package_types,
        not_zip,
        deletion_with_path,
        shared_path,
        deletion_with_representation,
        unknown_change,
        misplaced_change,
        misplaced_datetime,
        misplaced_capability,
        unknown_changefreq,
        path_outside_manifest,
        notification_attribute,
        impossible_change,
    }
    value {
        malformed_hash,
        unknown_hash_algorithm,
        digest_not_hex,
        digest_length,
        repeated_algorithm,
        malformed_length,
        malformed_type,
        unregistered_type,
        path_not_rooted,
        unsafe_path,
        malformed_pri,
        prefixed_attribute,
        unknown_attribute,
        misplaced_attribute,
    }
    link {
        missing_href,
        missing_rel,
        href_not_uri,
        malformed_rel,
        unregistered_rel,
        misplaced_link,
        repeated_up,
        index_in_index,
        redundant_attribute,
        alternate_without_type,
        patch_without_type,
        misplaced_patch,
        patch_without_path,
        link_path,
        patch_without_update,
        bare_patch,
        repeated_memento,
        memento_without_modified,
        memento_not_lastmod,
        timegate_attributes,
        repeated_via,
        misplaced_contents,
        misplaced_hub,
    }
    input {
        unreadable,
        not_a_document,
        broken_gzip,
        interrupted,
        missing_document,
        left_out,
        document_limit,
        entries_limit,
        depth_limit,
        attributes_limit,
        namespaces_limit,
        name_limit,
        value_limit,
        tag_limit,
        links_limit,
        late_head_limit,
        inflate_limit,
        digests_limit,
        members_limit,
        package_bytes_limit,
        manifest_inflate_limit,
        member_name_limit,
        documents_limit,
        members_kept_limit,
    }
    package {
        no_manifest,
        misnamed_manifest,
        missing_member,
        unlisted_member,
        digest_mismatch,
        length_mismatch,
        wrong_manifest,
        unreadable_package,
        path_of_folder,
        missing_patch,
        repeated_member,
        unsafe_member_name,
        package_digest,
        package_size,
        package_times,
        contents_differ,
        other_package_format,
    }
    source {
        wrong_target,
        index_of_indexes,
        wrong_up,
        circular_up,
        wrong_index,
        missing_index_link,
        member_not_listed,
        split_without_index,
        unlisted_capability_list,
        no_source_description,
        not_well_known,
        shared_capability_document,
        sets_differ,
        member_times,
        closed_member,
        still_open_member,
        closed_document_changed,
        open_document_shrank,
        notification_gap,
        notified_member,
        notified_index,
        several_members_notified,
        notified_channel,
        unlisted_metadata,
        bad_announcement,
        uncovered_page,
        topic_status,
        topic_type,
        topic_links,
        topic_length,
        channel_mismatch,
        unadvertised_channel,
        resource_digest,
        resource_encoding,
        resource_changed,
    }
    zip {
        zip_prefix,
        zip_suffix,
        several_ends,
        cut_comment,
        zip64_end,
        zip64_member,
        overlapping_members,
        hidden_data,
        header_mismatch,
        wrong_descriptor,
        unknown_method,
        encrypted_member,
        dangerous_name,
        unportable_name,
        name_encoding,
        colliding_names,
        file_and_folder,
        special_member,
        folder_with_data,
        wrong_size,
        damaged_member,
        data_after_stream,
        wrong_crc,
        wrong_count,
        multi_disk,
        impossible_date,
        directory_bounds,
        broken_extra,
        version_needed,
    }
    advice {
        paged_list,
        change_without_datetime,
        everything_updated,
        comment_in_value,
        long_uri,
        not_http,
        userinfo_in_uri,
        old_up_relation,
        index_as_urlset,
        stray_text,
        byte_order_mark,
        package_as_document,
    }
}

/// For each code, the place in [`ALL`] of the rule that reports it. Computed by the compiler, which checks every index.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
static RULE_OF: [u8; Code::COUNT] = {
    let mut table = [u8::MAX; Code::COUNT];
    let mut at = 0;
    while at < ALL.len() {
        let reports = ALL[at].reports;
        let mut code = 0;
        while code < reports.len() {
            assert!(table[reports[code].index()] == u8::MAX, "a requirement is reported by two rules");
            table[reports[code].index()] = at as u8;
            code += 1;
        }
        at += 1;
    }
    let mut code = 0;
    while code < table.len() {
        assert!(table[code] != u8::MAX, "a requirement is reported by no rule");
        code += 1;
    }
    table
};
