//! What a harvest owes to the host before its first request, and to whoever waits for it.

use alloc::{borrow::ToOwned, vec};

use resourcesync::diagnostic::{Reason, ReasonCode};

use super::{Event, Failure, Goal, Harvest, Moment, Output, Plan, Received, Status, WaitReason};

const NOW: Moment = Moment(1_000_000);

fn harvest(owed: u64, max_wait: Option<u64>) -> Harvest {
    let mut plan = Plan::new("http://a.example/oai");
    plan.not_before = Some(NOW.plus_millis(owed));
    plan.max_wait = max_wait;
    Harvest::new(plan, NOW)
}

#[test]
fn the_pause_of_an_earlier_harvest_is_kept() {
    let mut harvest = harvest(700, None);
    let Output::Wait { until, why: WaitReason::Pace } = harvest.poll(NOW) else { panic!("no pause") };
    assert_eq!((until, harvest.not_before(NOW)), (NOW.plus_millis(700), until));
    assert!(matches!(harvest.poll(until), Output::Call(_)));
}

#[test]
fn a_wait_that_is_too_long_leaves_the_harvest_to_a_later_run() {
    for (owed, max_wait, is_long) in [(300_000, None, false), (300_001, None, true), (10_001, Some(10), true)] {
        let mut harvest = harvest(owed, max_wait);
        let output = loop {
            match harvest.poll(NOW) {
                Output::Save(_) => {}
                output => break output,
            }
        };
        match output {
            Output::Done(proof) => {
                assert!(is_long);
                assert_eq!((proof.status, proof.requests), (Status::Incomplete, 0));
                assert_eq!(
                    (proof.retry_at, harvest.not_before(NOW)),
                    (Some(NOW.plus_millis(owed)), NOW.plus_millis(owed))
                );
            }
            Output::Wait { .. } => assert!(!is_long),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_lookup_where_nothing_listens_is_repeated_once() {
    for (goal, waits) in [(Goal::Identify, 1), (Goal::Get(vec!["a".to_owned()]), 1), (Goal::Harvest, 3)] {
        let mut harvest = Harvest::new(Plan { goal, ..Plan::new("http://a.example/oai") }, NOW);
        let (mut now, mut waited) = (NOW, 0);
        let proof = loop {
            match harvest.poll(now) {
                Output::Call(_) => {
                    let (why, reason) = (Failure::Connection, Reason::new(ReasonCode::ConnectionRefused));
                    let _ = harvest.handle(now, Event::Failed { why, reason, received: Received::Nothing });
                }
                Output::Wait { until, why } => {
                    (now, waited) = (until, waited + u32::from(why == WaitReason::Connection));
                }
                Output::Done(proof) => break proof,
                _ => {}
            }
        };
        assert_eq!((proof.status, waited), (Status::Incomplete, waits));
    }
}
