//! Where requirements are tested that no single document shows, and why others have no test.

/// Requirements on several documents that cannot be checked by reading one Source, and why.
pub const UNSEEN: [(&str, &str); 1] =
    [("LK-31", "compares with the documents of another Source, which a crawl of this one does not read")];

/// Requirements on a Destination that `sync` does not implement, and why. All are permissions.
pub const NOT_DONE: [(&str, &str); 1] =
    [("DP-18", "`sync` reads the manifest in a package, by range requests, not the one that a `contents` link names")];

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
