//! What every ledger does, in one suite for all of them.

use std::{fmt::Debug, sync::Arc, time::Duration};

use resourcesync_notify::{
    hub::{Accepted, DeadLetter, DeadReason, Ledger, Mode, Pending, Secret, Subscription, TopicState},
    moment::Timestamp,
};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_seconds(1_800_000_000 + seconds)
}

fn topic<L: Ledger<Error: Debug>>(ledger: &mut L, name: &str) -> TopicState {
    ledger.add_topic(&format!("https://hub.example/{name}")).unwrap()
}

/// A topic with payloads of 100 bytes, one each second.
fn log<L: Ledger<Error: Debug>>(ledger: &mut L, name: &str, payloads: u64) -> TopicState {
    let mut own = topic(ledger, name);
    for seq in 1..=payloads {
        ledger.append(own.id, &payload(seq)).unwrap();
    }
    own.head = payloads;
    ledger.put_topic(&own).unwrap();
    own
}

fn payload(seq: u64) -> Accepted {
    Accepted {
        seq,
        digest: format!("{seq:064}"),
        content_type: "application/xml; charset=UTF-8".to_owned(),
        capability_list: seq.is_multiple_of(2).then(|| "https://example.com/capabilitylist.xml".to_owned()),
        received: at(i64::try_from(seq).unwrap()),
        body: Arc::from(vec![u8::try_from(seq % 256).unwrap(); 100]),
    }
}

fn subscription(topic: u64, callback: &str) -> Subscription {
    Subscription {
        id: 0,
        topic,
        callback: format!("https://{callback}/rs").into(),
        host: format!("{callback}:443").into(),
        secret: Some(Secret("s\0crét".into())),
        lease_until: at(1_000),
        cursor: 0,
        failures: 0,
        refusals: 0,
        failing_since: None,
        retry_at: None,
        last_status: None,
    }
}

fn add<L: Ledger<Error: Debug>>(ledger: &mut L, own: Subscription) -> Subscription {
    let id = ledger.add_subscription(&own).unwrap();
    Subscription { id, ..own }
}

fn pending(topic: u64, callback: &str) -> Pending {
    Pending {
        nonce: 0,
        topic,
        callback: format!("https://{callback}/rs"),
        host: format!("{callback}:443"),
        mode: Mode::Subscribe,
        secret: None,
        lease: Duration::from_secs(864_000),
        challenge: Secret("".into()),
        attempt: 0,
        created: at(0),
        sent: at(0),
        next: at(0),
    }
}

fn letter(subscription: u64, seconds: i64) -> DeadLetter {
    DeadLetter {
        subscription,
        topic: 1,
        callback: "me.example:443#0123abcd".to_owned(),
        first: 1,
        last: 2,
        reason: DeadReason::LeaseOver,
        status: Some(503),
        at: at(seconds),
    }
}

/// The subscriptions that are due, in order.
fn due<L: Ledger<Error: Debug>>(ledger: &mut L, topic: u64, now: i64) -> Vec<u64> {
    ledger.due(topic, at(now), (0, 0), 100).unwrap().into_iter().map(|due| due.position.1).collect()
}

macro_rules! cases {
    ($($name:ident($ledger:ident) $body:block)+) => {
        /// The cases of the suite, by their names.
        pub(crate) fn cases<L: Ledger<Error: Debug>>() -> Vec<(&'static str, fn(&mut L))> {
            vec![$((stringify!($name), |$ledger: &mut L| $body)),+]
        }
    };
}

cases! {
    an_unknown_topic_is_none(ledger) {
        assert_eq!(ledger.topic("https://hub.example/none").unwrap(), None);
        assert_eq!(ledger.topic_by_id(u64::MAX).unwrap(), None);
    }
    a_new_topic_is_empty(ledger) {
        let own = topic(ledger, "a");
        assert_eq!((own.head, own.is_paused, own.chain.until()), (0, false, None));
        assert_eq!(ledger.topic(&own.uri).unwrap(), Some(own.clone()));
        assert_eq!(ledger.topic_by_id(own.id).unwrap(), Some(own));
    }
    topics_are_listed_by_number(ledger) {
        let own = [topic(ledger, "b"), topic(ledger, "a")];
        let found: Vec<_> = ledger.topics().unwrap().into_iter().filter(|found| own.contains(found)).collect();
        assert_eq!(found, own);
    }
    a_changed_topic_is_read_as_changed(ledger) {
        let mut own = topic(ledger, "a");
        (own.head, own.is_paused) = (7, true);
        ledger.put_topic(&own).unwrap();
        assert_eq!(ledger.topic(&own.uri).unwrap(), Some(own.clone()));
        assert_eq!(ledger.topic_by_id(own.id).unwrap(), Some(own.clone()));
        assert!(ledger.topics().unwrap().contains(&own));
    }
    a_payload_is_read_as_stored(ledger) {
        let own = log(ledger, "a", 2);
        assert_eq!(*ledger.payload_after(own.id, 0).unwrap().unwrap(), payload(1));
        assert_eq!(*ledger.payload_after(own.id, 1).unwrap().unwrap(), payload(2));
        assert!(ledger.payload_after(own.id, 2).unwrap().is_none());
    }
    a_payload_of_any_bytes_is_read_as_stored(ledger) {
        let own = topic(ledger, "a");
        let bytes: Vec<u8> = (0..=255).collect();
        ledger.append(own.id, &Accepted { body: Arc::from(bytes.clone()), ..payload(1) }).unwrap();
        assert_eq!(*ledger.payload_after(own.id, 0).unwrap().unwrap().body, *bytes);
    }
    a_payload_is_found_by_its_digest(ledger) {
        let own = log(ledger, "a", 3);
        assert_eq!(ledger.find_payload(own.id, &payload(2).digest).unwrap(), Some(2));
        assert_eq!(ledger.find_payload(own.id, &payload(9).digest).unwrap(), None);
    }
    payloads_belong_to_one_topic(ledger) {
        let (own, other) = (log(ledger, "a", 1), log(ledger, "b", 0));
        assert_eq!(ledger.find_payload(other.id, &payload(1).digest).unwrap(), None);
        assert!(ledger.payload_after(other.id, 0).unwrap().is_none());
        assert!(ledger.payload_after(own.id, 0).unwrap().is_some());
    }
    payloads_expire_by_age(ledger) {
        let own = log(ledger, "a", 5);
        assert_eq!(ledger.expire(own.id, at(3), u64::MAX).unwrap(), 2);
        assert_eq!(ledger.payload_after(own.id, 0).unwrap().unwrap().seq, 3);
    }
    payloads_expire_by_bytes(ledger) {
        let own = log(ledger, "a", 5);
        assert_eq!(ledger.expire(own.id, at(0), 250).unwrap(), 3);
        assert_eq!(ledger.payload_after(own.id, 0).unwrap().unwrap().seq, 4);
    }
    the_last_payload_never_expires(ledger) {
        let own = log(ledger, "a", 5);
        assert_eq!(ledger.expire(own.id, at(100), 0).unwrap(), 4);
        assert_eq!(ledger.payload_after(own.id, 0).unwrap().unwrap().seq, 5);
        assert_eq!(ledger.expire(own.id, at(100), 0).unwrap(), 0);
    }
    an_expired_payload_is_not_read_from_memory(ledger) {
        let own = log(ledger, "a", 3);
        assert_eq!(ledger.payload_after(own.id, 0).unwrap().unwrap().seq, 1);
        ledger.expire(own.id, at(2), u64::MAX).unwrap();
        assert_eq!(ledger.payload_after(own.id, 0).unwrap().unwrap().seq, 2);
        assert_eq!(ledger.find_payload(own.id, &payload(1).digest).unwrap(), None);
    }
    payloads_of_other_topics_do_not_expire(ledger) {
        let (own, other) = (log(ledger, "a", 3), log(ledger, "b", 3));
        ledger.expire(own.id, at(100), 0).unwrap();
        assert_eq!(ledger.payload_after(other.id, 0).unwrap().unwrap().seq, 1);
    }
    an_unknown_subscription_is_none(ledger) {
        let own = topic(ledger, "a");
        assert_eq!(ledger.subscription(u64::MAX).unwrap(), None);
        assert_eq!(ledger.find_subscription(own.id, "https://me.example/rs").unwrap(), None);
    }
    a_subscription_is_read_as_stored(ledger) {
        let own = topic(ledger, "a");
        let stored = add(ledger, subscription(own.id, "me.example"));
        assert_eq!(ledger.subscription(stored.id).unwrap(), Some(stored.clone()));
        assert_eq!(ledger.find_subscription(own.id, &stored.callback).unwrap(), Some(stored));
    }
    a_subscription_without_secret_has_none(ledger) {
        let own = topic(ledger, "a");
        let stored = add(ledger, Subscription { secret: None, ..subscription(own.id, "me.example") });
        assert_eq!(ledger.subscription(stored.id).unwrap().unwrap().secret, None);
    }
    a_changed_subscription_is_read_as_changed(ledger) {
        let own = topic(ledger, "a");
        let stored = add(ledger, subscription(own.id, "me.example"));
        let changed = Subscription {
            secret: Some(Secret("other".into())),
            lease_until: at(2_000),
            cursor: 9,
            failures: 3,
            refusals: 2,
            failing_since: Some(at(5)),
            retry_at: Some(at(6)),
            last_status: Some(422),
            ..stored
        };
        ledger.put_subscription(&changed).unwrap();
        assert_eq!(ledger.subscription(changed.id).unwrap(), Some(changed.clone()));
        assert_eq!(ledger.find_subscription(own.id, &changed.callback).unwrap(), Some(changed.clone()));
        assert_eq!(ledger.subscriptions(Some(own.id), None, 0, 10).unwrap(), [changed]);
    }
    the_last_of_several_changes_counts(ledger) {
        let own = topic(ledger, "a");
        let stored = add(ledger, subscription(own.id, "me.example"));
        for cursor in 1..=3 {
            ledger.put_subscription(&Subscription { cursor, ..stored.clone() }).unwrap();
        }
        assert_eq!(ledger.subscriptions(Some(own.id), None, 0, 10).unwrap()[0].cursor, 3);
    }
    a_removed_subscription_is_none(ledger) {
        let own = topic(ledger, "a");
        let stored = add(ledger, subscription(own.id, "me.example"));
        ledger.put_subscription(&Subscription { cursor: 1, ..stored.clone() }).unwrap();
        ledger.remove_subscription(stored.id).unwrap();
        assert_eq!(ledger.subscription(stored.id).unwrap(), None);
        assert_eq!(ledger.find_subscription(own.id, &stored.callback).unwrap(), None);
        assert_eq!(ledger.subscriptions(Some(own.id), None, 0, 10).unwrap(), []);
    }
    the_number_of_a_subscription_is_never_used_again(ledger) {
        let own = topic(ledger, "a");
        let first = add(ledger, subscription(own.id, "me.example"));
        ledger.remove_subscription(first.id).unwrap();
        assert!(add(ledger, subscription(own.id, "me.example")).id > first.id);
    }
    one_callback_can_subscribe_to_two_topics(ledger) {
        let (one, other) = (topic(ledger, "a"), topic(ledger, "b"));
        let first = add(ledger, subscription(one.id, "me.example"));
        let second = add(ledger, subscription(other.id, "me.example"));
        assert_eq!(ledger.find_subscription(one.id, &first.callback).unwrap(), Some(first.clone()));
        assert_eq!(ledger.find_subscription(other.id, &first.callback).unwrap(), Some(second));
    }
    subscriptions_are_listed_by_topic_and_host(ledger) {
        let (one, other) = (topic(ledger, "a"), topic(ledger, "b"));
        let own = add(ledger, subscription(one.id, "one.example"));
        let second = add(ledger, subscription(one.id, "two.example"));
        let third = add(ledger, subscription(other.id, "one.example"));
        assert_eq!(ledger.subscriptions(Some(one.id), None, 0, 10).unwrap(), [own.clone(), second]);
        assert_eq!(ledger.subscriptions(None, Some("one.example:443"), 0, 10).unwrap(), [own.clone(), third]);
        assert_eq!(ledger.subscriptions(Some(one.id), Some("one.example:443"), 0, 10).unwrap(), [own]);
    }
    subscriptions_are_listed_in_pages(ledger) {
        let own = topic(ledger, "a");
        let stored: Vec<_> = (0..5).map(|at| add(ledger, subscription(own.id, &format!("h{at}.example")))).collect();
        let page = ledger.subscriptions(Some(own.id), None, 0, 2).unwrap();
        assert_eq!(page, stored[..2]);
        assert_eq!(ledger.subscriptions(Some(own.id), None, page[1].id, 10).unwrap(), stored[2..]);
    }
    ended_leases_are_found_the_earliest_first(ledger) {
        let own = topic(ledger, "a");
        let ends = |seconds| Subscription { lease_until: at(seconds), ..subscription(own.id, &format!("h{seconds}.example")) };
        let stored: Vec<_> = [30, 10, 20, 40].map(|seconds| add(ledger, ends(seconds))).into();
        let found = ledger.lapsed(at(30), 10).unwrap();
        assert_eq!(found, [stored[1].clone(), stored[2].clone(), stored[0].clone()]);
        assert_eq!(ledger.lapsed(at(30), 1).unwrap().len(), 1);
    }
    a_renewed_lease_has_not_ended(ledger) {
        let own = topic(ledger, "a");
        let stored = add(ledger, Subscription { lease_until: at(10), ..subscription(own.id, "me.example") });
        ledger.put_subscription(&Subscription { lease_until: at(100), ..stored }).unwrap();
        assert_eq!(ledger.lapsed(at(50), 10).unwrap(), []);
    }
    a_subscription_behind_the_head_is_due(ledger) {
        let own = log(ledger, "a", 2);
        let behind = add(ledger, Subscription { cursor: 1, ..subscription(own.id, "one.example") });
        add(ledger, Subscription { cursor: 2, ..subscription(own.id, "two.example") });
        let found = ledger.due(own.id, at(0), (0, 0), 10).unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].position, &*found[0].host), ((1, behind.id), "one.example:443"));
    }
    due_subscriptions_are_ordered_by_cursor_and_number(ledger) {
        let own = log(ledger, "a", 5);
        let stored: Vec<u64> = [3, 1, 2, 1]
            .iter()
            .enumerate()
            .map(|(at, cursor)| add(ledger, Subscription { cursor: *cursor, ..subscription(own.id, &format!("h{at}.example")) }).id)
            .collect();
        assert_eq!(due(ledger, own.id, 0), [stored[1], stored[3], stored[2], stored[0]]);
    }
    due_subscriptions_are_read_in_pages(ledger) {
        let own = log(ledger, "a", 1);
        let stored: Vec<u64> = (0..5).map(|at| add(ledger, subscription(own.id, &format!("h{at}.example"))).id).collect();
        let first = ledger.due(own.id, at(0), (0, 0), 3).unwrap();
        let second = ledger.due(own.id, at(0), first[2].position, 3).unwrap();
        let found: Vec<u64> = first.iter().chain(&second).map(|due| due.position.1).collect();
        assert_eq!(found, stored);
    }
    a_subscription_that_waits_is_not_due(ledger) {
        let own = log(ledger, "a", 1);
        let stored = add(ledger, subscription(own.id, "me.example"));
        ledger.put_subscription(&Subscription { retry_at: Some(at(10)), ..stored.clone() }).unwrap();
        assert!(due(ledger, own.id, 9).is_empty());
        assert_eq!(due(ledger, own.id, 10), [stored.id]);
    }
    nothing_of_a_paused_topic_is_due(ledger) {
        let mut own = log(ledger, "a", 1);
        let stored = add(ledger, subscription(own.id, "me.example"));
        own.is_paused = true;
        ledger.put_topic(&own).unwrap();
        assert!(due(ledger, own.id, 0).is_empty());
        own.is_paused = false;
        ledger.put_topic(&own).unwrap();
        assert_eq!(due(ledger, own.id, 0), [stored.id]);
    }
    a_moved_cursor_is_due_at_its_new_place(ledger) {
        let own = log(ledger, "a", 3);
        let stored = add(ledger, Subscription { cursor: 3, ..subscription(own.id, "me.example") });
        assert!(due(ledger, own.id, 0).is_empty());
        ledger.put_subscription(&Subscription { cursor: 1, ..stored.clone() }).unwrap();
        assert_eq!(ledger.due(own.id, at(0), (0, 0), 10).unwrap()[0].position, (1, stored.id));
    }
    the_next_retry_is_the_first_after_now(ledger) {
        let own = log(ledger, "a", 1);
        assert_eq!(ledger.next_retry(at(0)).unwrap(), None);
        for seconds in [30, 10, 20] {
            add(ledger, Subscription { retry_at: Some(at(seconds)), ..subscription(own.id, &format!("h{seconds}.example")) });
        }
        assert_eq!(ledger.next_retry(at(0)).unwrap(), Some(at(10)));
        assert_eq!(ledger.next_retry(at(10)).unwrap(), Some(at(20)));
        assert_eq!(ledger.next_retry(at(30)).unwrap(), None);
    }
    a_paused_topic_has_no_next_retry(ledger) {
        let mut own = log(ledger, "a", 1);
        add(ledger, Subscription { retry_at: Some(at(10)), ..subscription(own.id, "me.example") });
        own.is_paused = true;
        ledger.put_topic(&own).unwrap();
        assert_eq!(ledger.next_retry(at(0)).unwrap(), None);
    }
    a_pending_request_is_read_as_stored(ledger) {
        let own = topic(ledger, "a");
        let mut stored = Pending { mode: Mode::Unsubscribe, secret: Some(Secret("s".into())), ..pending(own.id, "me.example") };
        stored.nonce = ledger.add_pending(&stored).unwrap();
        assert_eq!(ledger.pending(stored.nonce).unwrap(), Some(stored.clone()));
        assert!(ledger.is_pending(own.id, &stored.callback).unwrap());
        assert!(!ledger.is_pending(own.id, "https://other.example/").unwrap());
    }
    a_newer_request_replaces_the_older_one(ledger) {
        let own = topic(ledger, "a");
        let older = ledger.add_pending(&pending(own.id, "me.example")).unwrap();
        let newer = ledger.add_pending(&pending(own.id, "me.example")).unwrap();
        assert!(newer > older);
        assert_eq!(ledger.pending(older).unwrap(), None);
        assert!(ledger.pending(newer).unwrap().is_some());
    }
    a_nonce_is_never_used_again(ledger) {
        let own = topic(ledger, "a");
        let first = ledger.add_pending(&pending(own.id, "me.example")).unwrap();
        ledger.remove_pending(first).unwrap();
        assert_eq!(ledger.pending(first).unwrap(), None);
        assert!(ledger.add_pending(&pending(own.id, "me.example")).unwrap() > first);
    }
    a_changed_request_is_read_as_changed(ledger) {
        let own = topic(ledger, "a");
        let mut stored = pending(own.id, "me.example");
        stored.nonce = ledger.add_pending(&stored).unwrap();
        let changed = Pending { challenge: Secret("c".into()), attempt: 2, sent: at(1), next: at(2), ..stored };
        ledger.put_pending(&changed).unwrap();
        assert_eq!(ledger.pending(changed.nonce).unwrap(), Some(changed));
    }
    pending_requests_are_counted(ledger) {
        let own = topic(ledger, "a");
        let before = ledger.count_pending().unwrap();
        let first = ledger.add_pending(&pending(own.id, "one.example")).unwrap();
        ledger.add_pending(&pending(own.id, "two.example")).unwrap();
        assert_eq!(ledger.count_pending().unwrap(), before + 2);
        ledger.remove_pending(first).unwrap();
        assert_eq!(ledger.count_pending().unwrap(), before + 1);
    }
    due_requests_are_found_by_nonce(ledger) {
        let own = topic(ledger, "a");
        let add = |ledger: &mut L, host: &str, next| {
            ledger.add_pending(&Pending { next: at(next), ..pending(own.id, host) }).unwrap()
        };
        let (first, _, third) = (add(ledger, "one.example", 20), add(ledger, "two.example", 30), add(ledger, "three.example", 10));
        let found: Vec<u64> = ledger.pending_due(at(20), 10).unwrap().iter().map(|own| own.nonce).collect();
        assert_eq!(found, [first, third]);
        assert_eq!(ledger.pending_due(at(20), 1).unwrap().len(), 1);
    }
    the_moment_of_the_next_attempt_is_known(ledger) {
        let own = topic(ledger, "a");
        let add = |ledger: &mut L, host: &str, next| {
            let stored = Pending { next: at(next), ..pending(own.id, host) };
            Pending { nonce: ledger.add_pending(&stored).unwrap(), ..stored }
        };
        let (second, first) = (add(ledger, "one.example", -200), add(ledger, "two.example", -300));
        assert_eq!(ledger.next_pending().unwrap(), Some(at(-300)));
        ledger.put_pending(&Pending { next: at(-100), ..first }).unwrap();
        assert_eq!(ledger.next_pending().unwrap(), Some(at(-200)));
        ledger.remove_pending(second.nonce).unwrap();
        assert_eq!(ledger.next_pending().unwrap(), Some(at(-100)));
    }
    dead_letters_can_be_written_and_forgotten(ledger) {
        ledger.dead_letter(&letter(1, 10)).unwrap();
        ledger.dead_letter(&DeadLetter { status: None, ..letter(2, 20) }).unwrap();
        ledger.forget_dead_letters(at(15)).unwrap();
    }
    a_host_is_denied_until_it_is_allowed(ledger) {
        assert!(!ledger.is_denied("me.example:443").unwrap());
        ledger.deny("me.example:443", true).unwrap();
        ledger.deny("me.example:443", true).unwrap();
        assert!(ledger.is_denied("me.example:443").unwrap());
        assert!(!ledger.is_denied("other.example:443").unwrap());
        ledger.deny("me.example:443", false).unwrap();
        ledger.deny("me.example:443", false).unwrap();
        assert!(!ledger.is_denied("me.example:443").unwrap());
    }
}

/// Cases of stores: what they offer beyond a ledger.
pub(crate) mod stores {
    use resourcesync_server::ledger::{Store, Transaction};

    use super::*;

    macro_rules! cases {
        ($($name:ident($store:ident) $body:block)+) => {
            /// The cases of the suite, by their names.
            pub(crate) fn cases<S: Store<Error: Debug>>() -> Vec<(&'static str, fn(&mut S))> {
                vec![$((stringify!($name), |$store: &mut S| $body)),+]
            }
        };
    }

    cases! {
        a_point_can_be_returned_to(store) {
            let own = topic(store, "a");
            let stored = add(store, subscription(own.id, "me.example"));
            store.save_point().unwrap();
            store.put_subscription(&Subscription { cursor: 5, ..stored.clone() }).unwrap();
            store.put_topic(&TopicState { head: 5, ..own.clone() }).unwrap();
            store.release(false).unwrap();
            assert_eq!(store.subscription(stored.id).unwrap(), Some(stored.clone()));
            assert_eq!(store.topic_by_id(own.id).unwrap(), Some(own));
            store.save_point().unwrap();
            store.put_subscription(&Subscription { cursor: 6, ..stored.clone() }).unwrap();
            store.release(true).unwrap();
            assert_eq!(store.subscription(stored.id).unwrap().unwrap().cursor, 6);
        }
        a_change_before_a_point_stays(store) {
            let own = topic(store, "a");
            let stored = add(store, subscription(own.id, "me.example"));
            store.put_subscription(&Subscription { cursor: 4, ..stored.clone() }).unwrap();
            store.save_point().unwrap();
            store.remove_subscription(stored.id).unwrap();
            store.release(false).unwrap();
            assert_eq!(store.subscription(stored.id).unwrap().unwrap().cursor, 4);
        }
        what_is_rolled_back_is_gone(store) {
            let own = log(store, "rolled", 1);
            assert!(store.payload_after(own.id, 0).unwrap().is_some());
            store.roll_back();
            store.begin(Transaction::Changes).unwrap();
            assert_eq!(store.topic(&own.uri).unwrap(), None);
            assert!(store.payload_after(own.id, 0).unwrap().is_none());
        }
        what_is_committed_stays(store) {
            let own = log(store, "committed", 1);
            let stored = add(store, subscription(own.id, "me.example"));
            store.put_subscription(&Subscription { cursor: 1, ..stored.clone() }).unwrap();
            store.commit().unwrap();
            store.begin(Transaction::Changes).unwrap();
            assert_eq!(store.subscription(stored.id).unwrap().unwrap().cursor, 1);
            store.remove_subscription(stored.id).unwrap();
            store.commit().unwrap();
            store.begin(Transaction::Changes).unwrap();
        }
        a_probe_changes_nothing(store) {
            let own = log(store, "probed", 2);
            store.commit().unwrap();
            for body in [&[][..], &[7; 100_000], &[9; 10]] {
                store.probe(body).unwrap();
            }
            store.begin(Transaction::Changes).unwrap();
            assert_eq!(store.topic_counts(&own).unwrap().payloads, 2);
            assert!(store.payload_after(0, 0).unwrap().is_none() && !store.topics().unwrap().iter().any(|own| own.id == 0));
        }
        subscriptions_requests_and_letters_are_counted(store) {
            let before = store.counts().unwrap();
            let own = topic(store, "a");
            add(store, subscription(own.id, "me.example"));
            store.add_pending(&pending(own.id, "me.example")).unwrap();
            store.dead_letter(&letter(1, 0)).unwrap();
            let after = store.counts().unwrap();
            assert_eq!(after.subscriptions, before.subscriptions + 1);
            assert_eq!((after.pending, after.dead_letters), (before.pending + 1, before.dead_letters + 1));
        }
        a_topic_knows_its_oldest_undelivered_payload(store) {
            let own = log(store, "a", 3);
            add(store, Subscription { cursor: 1, ..subscription(own.id, "one.example") });
            let last = add(store, Subscription { cursor: 3, ..subscription(own.id, "two.example") });
            let counts = store.topic_counts(&own).unwrap();
            assert_eq!((counts.subscriptions, counts.payloads, counts.undelivered_since), (2, 3, Some(at(2))));
            store.remove_subscription(last.id - 1).unwrap();
            assert_eq!(store.topic_counts(&own).unwrap().undelivered_since, None);
        }
        the_newest_dead_letters_come_first(store) {
            for number in 1..=3 {
                store.dead_letter(&letter(number, 100 + i64::try_from(number).unwrap())).unwrap();
            }
            assert_eq!(store.dead_letters(2).unwrap(), [letter(3, 103), letter(2, 102)]);
            store.forget_dead_letters(at(103)).unwrap();
            assert_eq!(store.dead_letters(2).unwrap(), [letter(3, 103)]);
        }
        failing_subscriptions_are_listed(store) {
            let own = topic(store, "a");
            add(store, subscription(own.id, "one.example"));
            let failing = Subscription { retry_at: Some(at(9)), failing_since: Some(at(1)), ..subscription(own.id, "two.example") };
            let failing = add(store, failing);
            assert_eq!(store.failing(10).unwrap(), [failing]);
        }
        what_is_claimed_is_held(store) {
            let own = log(store, "a", 1);
            let stored = add(store, subscription(own.id, "me.example"));
            let found = store.claim(own.id, at(0), (0, 0), 10).unwrap();
            assert_eq!(found.iter().map(|due| due.position.1).collect::<Vec<_>>(), [stored.id]);
            assert_eq!(store.held(&[stored.id]).unwrap(), [true]);
            assert!(store.sweeps().unwrap());
        }
    }
}
