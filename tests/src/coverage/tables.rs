//! Where requirements are tested that no single document shows, and why others have no test.

/// Requirements on several documents that cannot be checked by reading one Source, and why.
pub const UNSEEN: [(&str, &str); 1] =
    [("LK-31", "compares with the documents of another Source, which a crawl of this one does not read")];

/// Requirements on a Destination that `sync` does not implement, and why. All are permissions.
pub const NOT_DONE: [(&str, &str); 1] =
    [("DP-18", "`sync` reads the manifest in a package, by range requests, not the one that a `contents` link names")];

/// Requirements that are a choice of the Source, which nobody else can check.
pub const CHOICES: [(&str, &str); 2] = [
    ("AT-35", "only the Source knows whether a resource changes on each access, or never again"),
    ("AT-38", "only the Source knows whether it means a resource in general or one representation of it"),
];

/// Tests of what a dump and its packages show together, as in `PROCESSES`.
pub const PACKAGES: &[(&str, &str, &str)] = &[
    ("PKG-07", "tests/suites/packages.rs", "fn a_change_dump_does_not_lead_to_a_resource_dump_manifest"),
    ("PKG-14", "tests/suites/packages.rs", "fn a_dump_is_held_to_its_package"),
    ("PKG-15", "tests/suites/packages.rs", "fn a_dump_is_held_to_its_package"),
    ("PKG-16", "tests/suites/packages.rs", "fn a_copy_of_the_manifest_has_to_say_the_same"),
];

/// Tests of what a Source or Destination does, which no document shows: the row, the file, and the text in it.
pub const PROCESSES: &[(&str, &str, &str)] = &[
    (
        "GEN-31",
        "cli/tests/command/sync/dumps.rs",
        "fn a_copy_that_is_published_and_copied_again_is_equal_and_names_where_it_came_from",
    ),
    ("GEN-31", "core/src/publish/run_moment.rs", "fn a_run_is_after_the_one_before_it"),
    ("CAP-17", "tests/suites/publish.rs", "fn a_small_source_is_a_handful_of_documents_linked_as_they_have_to_be"),
    ("CAP-17", "cli/tests/command/build.rs", "fn sets_have_capability_lists_of_their_own"),
    (
        "RL-08",
        "cli/tests/command/histories.rs",
        "fn random_histories_with_faults_lose_no_change_and_publish_nothing_invalid",
    ),
    (
        "RL-15",
        "cli/tests/command/histories.rs",
        "fn random_histories_with_faults_lose_no_change_and_publish_nothing_invalid",
    ),
    ("RL-15", "tests/suites/publish.rs", "fn a_list_is_split_by_entries_and_by_bytes"),
    ("RD-08", "tests/suites/publish.rs", "fn dumps_are_split_into_packages_that_verify"),
    (
        "CL-08",
        "cli/tests/command/event_histories.rs",
        "fn random_histories_of_stated_changes_with_faults_lose_nothing_and_list_nothing_twice",
    ),
    (
        "CL-17",
        "cli/tests/command/histories.rs",
        "fn random_histories_with_faults_lose_no_change_and_publish_nothing_invalid",
    ),
    (
        "CL-17",
        "cli/tests/command/event_histories.rs",
        "fn random_histories_of_stated_changes_with_faults_lose_nothing_and_list_nothing_twice",
    ),
    ("CD-08", "tests/suites/publish.rs", "fn a_change_dump_is_continued"),
    ("CDM-07", "tests/suites/publish.rs", "fn a_change_dump_is_continued"),
    ("CN-07", "cli/tests/command/notify.rs", "fn more_changes_than_a_payload_holds_are_sent_in_parts"),
    ("CN-15", "cli/tests/command/notify.rs", "fn more_changes_than_a_payload_holds_are_sent_in_parts"),
    ("CN-16", "cli/tests/command/notify.rs", "fn a_run_that_is_killed_at_any_moment_loses_no_notification"),
    (
        "FN-18",
        "cli/tests/command/notify.rs",
        "fn a_run_that_is_killed_between_exchange_and_send_is_continued_by_notify",
    ),
    ("AT-18", "tests/suites/members.rs", "fn members_of_a_sound_package_are_verified_and_their_resources_are_known"),
    ("AT-20", "client/tests/mirrors.rs", "fn resources_are_fetched_from_their_mirrors_in_the_order_of_pri"),
    ("AT-20", "client/tests/mirrors.rs", "fn mirrors_of_the_same_priority_share_the_requests"),
    ("AT-25", "cli/tests/command/publishing.rs", "fn the_resource_list_and_the_change_list_agree"),
    ("AT-26", "sync/tests/transcripts/main.rs", "fn every_transcript_is_played_as_written"),
    (
        "AT-27",
        "cli/tests/command/histories.rs",
        "fn random_histories_with_faults_lose_no_change_and_publish_nothing_invalid",
    ),
    (
        "AT-27",
        "cli/tests/command/event_histories.rs",
        "fn random_histories_of_stated_changes_with_faults_lose_nothing_and_list_nothing_twice",
    ),
    ("AT-28", "cli/tests/command/build.rs", "fn a_closed_list_is_the_same_file_in_each_generation"),
    (
        "AT-28",
        "cli/tests/command/event_histories.rs",
        "fn random_histories_of_stated_changes_with_faults_lose_nothing_and_list_nothing_twice",
    ),
    ("LK-17", "client/tests/patches.rs", "fn a_patch_that_does_not_lead_to_the_listed_state_is_discarded_and_named"),
    (
        "LK-37",
        "cli/tests/command/sync/dumps.rs",
        "fn a_copy_that_is_published_and_copied_again_is_equal_and_names_where_it_came_from",
    ),
    (
        "LK-39",
        "sync/src/survey/tests.rs",
        "fn links_and_elements_that_are_not_understood_leave_the_resource_at_its_loc",
    ),
];

/// Tests of guidelines for harvesters that no transcript shows: the row, the file, and the text in it.
pub const GUIDELINES: &[(&str, &str, &str)] = &[
    ("OH-02", "cli/tests/command/oai/guidelines.rs", "fn requests_are_sequential"),
    ("OH-03", "docs/oai.md", "www.robotstxt.org"),
    ("OH-04", "cli/tests/command/oai/guidelines.rs", "fn no_failure_causes_rapid_retries"),
    ("OH-04", "tests/suites/oai.rs", "fn every_script_of_answers_ends"),
    ("OH-06", "cli/tests/command/oai/guidelines.rs", "fn robots_txt_is_requested_only_with_robots"),
    ("OH-07", "cli/tests/command/oai/guidelines.rs", "fn every_request_names_the_harvester_and_its_operator"),
    ("OH-08", "cli/tests/command/oai/guidelines.rs", "fn every_request_names_the_harvester_and_its_operator"),
    ("OH-09", "cli/tests/command/oai/guidelines.rs", "fn every_request_names_the_harvester_and_its_operator"),
    ("OH-09", "cli/tests/command/oai/words.rs", "fn from_takes_an_address_and_names_since_for_a_date"),
    ("OH-11", "tests/corpus/oai/R46-granularity-misspelt.json", "OAI-11"),
    ("OH-11", "tests/corpus/oai/provider/OAI-11.json", "OAI-11 error Identify"),
    ("OH-12", "tests/corpus/oai/provider/OAI-36.json", "OAI-36 error"),
    ("OH-22", "tests/corpus/oai/provider/OAI-34.json", "OAI-34 error"),
    ("OH-23", "cli/tests/command/oai/guidelines.rs", "fn a_server_that_requests_a_wait_gets_it"),
    ("OH-26", "tests/suites/oai.rs", "fn every_script_of_answers_ends"),
    (
        "OH-27",
        "cli/tests/command/oai/guidelines.rs",
        "fn a_redirect_is_followed_and_the_next_request_goes_to_the_base_url",
    ),
    ("OH-33", "oai/src/request.rs", "fn tokens_survive"),
    ("OH-34", "cli/tests/command/oai/stores.rs", "fn a_connection_that_breaks_before_the_next_page_costs_one_request"),
    ("OH-37", "cli/tests/command/oai/words.rs", "fn identify_describes_the_repository_and_how_it_would_be_harvested"),
    ("OH-37", "tests/corpus/oai/provider/OAI-16.json", "OAI-16 info Identify"),
    ("OH-38", "cli/tests/command/oai/words.rs", "fn identify_names_the_compression_of_the_repository"),
    ("OH-39", "cli/tests/command/oai/guidelines.rs", "fn compressed_pages_are_read"),
    ("OH-40", "cli/tests/command/oai/guidelines.rs", "fn every_request_names_the_harvester_and_its_operator"),
    ("OH-41", "cli/tests/command/oai/guidelines.rs", "fn every_request_names_the_harvester_and_its_operator"),
    ("OH-42", "cli/tests/command/oai/guidelines.rs", "fn a_full_copy_has_every_format_with_its_own_datestamps"),
    ("OH-43", "cli/tests/command/oai/guidelines.rs", "fn about_is_kept_for_each_format"),
];

/// Tests of requirements on publishers and subscribers, which only an exchange shows: the row, the file, and the text in it.
pub const EXCHANGES: &[(&str, &str, &str)] = &[
    (
        "CH-01",
        "cli/tests/command/notify.rs",
        "fn each_set_has_its_own_topics_and_all_are_told_of_the_source_description",
    ),
    (
        "CH-02",
        "cli/tests/command/notify.rs",
        "fn each_set_has_its_own_topics_and_all_are_told_of_the_source_description",
    ),
    ("CH-03", "cli/tests/command/notify.rs", "fn a_hub_is_notified_of_every_publication_but_the_first"),
    (
        "CH-04",
        "cli/tests/command/notify.rs",
        "fn each_set_has_its_own_topics_and_all_are_told_of_the_source_description",
    ),
    (
        "CH-05",
        "cli/tests/command/notify.rs",
        "fn each_set_has_its_own_topics_and_all_are_told_of_the_source_description",
    ),
    ("WS-07", "cli/tests/command/notify.rs", "fn a_hub_is_notified_of_every_publication_but_the_first"),
    ("WS-08", "cli/tests/command/notify.rs", "fn a_hub_is_notified_of_every_publication_but_the_first"),
    ("WS-09", "cli/tests/command/notify.rs", "fn a_hub_is_notified_of_every_publication_but_the_first"),
    ("WS-10", "cli/tests/command/notify.rs", "fn a_hub_is_notified_of_every_publication_but_the_first"),
    ("WS-13", "cli/tests/command/notify.rs", "fn an_odd_success_is_an_acceptance_with_a_warning"),
    ("WS-14", "cli/tests/command/notify.rs", "fn what_a_hub_refuses_is_shown_and_later_payloads_wait_for_it"),
    ("WS-20", "tests/corpus/notify/S-04-verification.transcript", "application/x-www-form-urlencoded"),
    ("WS-21", "tests/corpus/notify/S-04-verification.transcript", "hub.callback="),
    ("WS-22", "tests/corpus/notify/S-04-verification.transcript", "hub.mode=subscribe"),
    ("WS-23", "tests/corpus/notify/S-04-verification.transcript", "hub.topic="),
    ("WS-13", "tests/corpus/notify/hub/H-18-bytes.transcript", "\"status\":200"),
    ("WS-14", "tests/corpus/notify/hub/H-19-refused.transcript", "\"status\":404"),
    ("WS-25", "tests/corpus/notify/hub/H-01-dead-callback.transcript", "\"status\":202"),
    ("WS-30", "tests/corpus/notify/hub/H-06-queries.transcript", "?b=2&a=1&hub.mode=x&empty=&hub.mode=subscribe"),
    ("WS-31", "tests/corpus/notify/hub/H-06-queries.transcript", "hub.mode=subscribe"),
    ("WS-32", "tests/corpus/notify/hub/H-06-queries.transcript", "hub.topic="),
    ("WS-33", "tests/corpus/notify/hub/H-13-newest.transcript", "hub.challenge="),
    ("WS-34", "tests/corpus/notify/hub/H-03-leases.transcript", "hub.lease_seconds=300"),
    ("WS-35", "tests/corpus/notify/hub/H-03-leases.transcript", "hub.lease_seconds=2678400"),
    ("WS-36", "tests/corpus/notify/S-10-renewal.transcript", "hub.lease_seconds"),
    ("WS-37", "tests/corpus/notify/S-04-verification.transcript", "\"body\":\"first\""),
    ("WS-38", "tests/corpus/notify/hub/H-09-verification.transcript", "unverified"),
    ("WS-39", "tests/corpus/notify/S-04-verification.transcript", "nothing was requested that this would confirm"),
    ("WS-40", "server/tests/hub/deliveries.rs", "fn three_subscribers_receive_what_a_source_sends"),
    ("WS-41", "tests/corpus/notify/hub/H-18-bytes.transcript", "application/xml; charset=UTF-8"),
    ("WS-42", "tests/corpus/notify/hub/D-02-delivery.transcript", "rel=\\\"self\\\""),
    ("WS-43", "tests/corpus/notify/hub/D-02-delivery.transcript", "rel=\\\"hub\\\""),
    ("WS-44", "tests/corpus/notify/S-12-order.transcript", "\"status\":202"),
    ("WS-45", "tests/corpus/notify/hub/D-05-retry-after.transcript", "status 301"),
    ("WS-47", "tests/corpus/notify/S-12-order.transcript", "HUB-05"),
    ("WS-50", "tests/corpus/notify/unfollow.transcript", "hub.mode=unsubscribe"),
    ("WS-51", "tests/corpus/notify/hub/H-04-unsubscribe.transcript", "hub.mode=unsubscribe"),
    ("WS-20", "cli/tests/command/listen/protocol.rs", "fn topics_and_hubs_are_found_where_they_are"),
    ("WS-21", "cli/tests/command/listen/protocol.rs", "fn topics_and_hubs_are_found_where_they_are"),
    ("WS-22", "cli/tests/command/listen/protocol.rs", "fn topics_and_hubs_are_found_where_they_are"),
    ("WS-23", "cli/tests/command/listen/protocol.rs", "fn topics_and_hubs_are_found_where_they_are"),
    (
        "WS-37",
        "cli/tests/command/listen/protocol.rs",
        "fn requests_of_hubs_have_the_effect_that_they_should_and_no_other",
    ),
    (
        "WS-39",
        "cli/tests/command/listen/protocol.rs",
        "fn requests_of_hubs_have_the_effect_that_they_should_and_no_other",
    ),
    (
        "WS-44",
        "cli/tests/command/listen/protocol.rs",
        "fn requests_of_hubs_have_the_effect_that_they_should_and_no_other",
    ),
    ("WS-50", "cli/tests/command/listen/events.rs", "fn events_are_appended_to_a_file_and_wrong_requests_are_refused"),
];
