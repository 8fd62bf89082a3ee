//! A hub in this process or in one of its own, with Sources and subscribers on 127.0.0.1.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod administration;
mod bench;
mod cluster;
mod database;
mod deliveries;
mod disk;
mod fetched;
mod hostile;
mod killed;
mod ledger;
mod secure;
mod several;
mod stopping;
mod suite;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

/// The tests of a module, by their names.
macro_rules! tests {
    ($($module:ident: $($test:ident),+;)+) => {
        vec![$($(Trial::test(concat!(stringify!($module), "::", stringify!($test)), || {
            $module::$test();
            Ok(())
        })),+),+]
    };
}

fn main() -> ExitCode {
    // A test started this process as a hub.
    if let Some(config) = std::env::var_os(bench::CONFIG) {
        return bench::serve(config.as_ref());
    }
    let mut tests = tests! {
        administration: the_page_needs_the_token_for_all_it_shows, a_socket_without_a_token_answers_this_machine_only,
            numbers_are_zero_before_anything_happens, a_callback_at_a_forbidden_address_is_shown_to_the_operator,
            the_operator_lifts_the_limit_of_a_host, status_says_what_is_paused;
        deliveries: three_subscribers_receive_what_a_source_sends, a_slow_and_a_dead_callback_delay_nobody,
            the_operator_sees_topics_subscriptions_and_failures, secrets_appear_nowhere;
        fetched: a_ping_delivers_the_topic, a_payload_needs_the_proof_of_its_topic,
            an_address_that_is_allowed_for_callbacks_is_not_allowed_for_topics;
        hostile: names_with_addresses_that_are_not_allowed_are_never_connected_to,
            a_name_that_becomes_private_is_not_connected_to, requests_that_proxies_split_differently_are_refused,
            long_requests_are_refused, endless_responses_are_not_read, a_response_of_a_gibibyte_is_not_kept,
            a_hub_is_no_amplifier, only_trusted_proxies_name_the_client, slow_clients_are_closed_and_delay_nobody,
            half_bodies_of_strangers_keep_no_source_waiting, a_refusal_reaches_a_client_that_sends_a_long_body,
            requests_name_exactly_one_host, encoded_bodies_are_refused;
        database: a_database_is_reached_with_tls_and_a_password;
        disk: nothing_is_accepted_while_fsync_fails, a_full_disk_is_not_ready, a_store_opens_wherever_its_log_was_cut,
            a_clock_that_is_set_changes_nothing_accepted;
        killed: nothing_accepted_is_lost_when_a_hub_is_killed, a_hub_that_is_stopped_repeats_nothing,
            nothing_is_accepted_that_the_store_cannot_record, a_store_belongs_to_one_hub;
        ledger: sqlite_behaves_like_the_model, postgres_behaves_like_the_model;
        secure: certificates_are_replaced_while_the_hub_runs;
        several: processes_share_the_work_and_lose_nothing, a_newer_store_is_refused, a_hub_moves_to_another_store,
            a_store_in_use_is_not_migrated;
        stopping: a_hub_that_is_stopped_under_load_repeats_nothing, a_second_signal_ends_the_hub_at_once,
            settings_are_read_again_at_a_signal, systemd_is_told_of_a_reload_and_of_the_end,
            missing_folders_of_the_store_and_the_socket_are_created;
    };
    tests.extend(ledger::suite());
    let conclusion = libtest_mimic::run(&Arguments::from_args(), tests);
    cluster::stop();
    conclusion.exit_code()
}
