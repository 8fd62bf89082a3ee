//! A hub whose disk or clock fails: what it accepted is recorded, and stays in order.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use resourcesync_notify::{hub::Ledger, moment::Timestamp};
use resourcesync_server::ledger::Store;

use crate::bench::{Bench, Receiver, eventually, open, payload};

/// Makes every fsync of a process fail as long as it exists.
struct Failing(Child);

impl Failing {
    fn new(bench: &Bench, process: u32) -> Failing {
        let log = bench.folder.join("strace");
        let child = Command::new("strace")
            .args(["-f", "-qq", "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO", "-p"])
            .arg(process.to_string())
            .arg("-o")
            .arg(&log)
            .stderr(Stdio::null())
            .spawn();
        let child = child.expect("strace is installed by scripts/prepare");
        let traced = |task: fs::DirEntry| {
            fs::read_to_string(task.path().join("status")).is_ok_and(|text| !text.contains("TracerPid:\t0\n"))
        };
        eventually("every thread is traced", || {
            fs::read_dir(format!("/proc/{process}/task")).unwrap().all(|task| task.is_ok_and(traced))
        });
        Failing(child)
    }
}

impl Drop for Failing {
    fn drop(&mut self) {
        // It detaches, and the process goes on.
        let _ = Command::new("kill").arg("-INT").arg(self.0.id().to_string()).status();
        let _ = self.0.wait();
    }
}

pub(crate) fn nothing_is_accepted_while_fsync_fails() {
    let receiver = Receiver::new(None);
    let bench = Bench::new("fsync", &[receiver.server.place()]);
    let mut hub = bench.spawn(None);
    assert_eq!(bench.subscribe(&receiver.server.url("/"), None), 202);
    eventually("a subscription", || bench.number("subscriptions") == 1);
    assert_eq!(bench.publish(&payload(0)), Some(200));
    eventually("a delivery", || receiver.received().len() == 1);
    let failing = Failing::new(&bench, hub.0.id());
    for _ in 0..5 {
        assert_eq!(bench.publish(&payload(1)), Some(503));
    }
    let log = fs::read_to_string(bench.folder.join("strace")).unwrap();
    assert!(log.contains("EIO (Input/output error) (INJECTED)"), "{log}");
    drop(failing);
    // It recovers without a restart.
    eventually("an accepted payload", || bench.publish(&payload(1)) == Some(200));
    eventually("a delivery", || receiver.received().len() == 2);
    // A failure that ends with a kill leaves a store that opens, with everything accepted.
    let failing = Failing::new(&bench, hub.0.id());
    assert_eq!(bench.publish(&payload(2)), Some(503));
    drop(failing);
    hub.kill();
    let mut hub = bench.spawn(None);
    assert_eq!(bench.publish(&payload(2)), Some(200));
    assert_eq!(bench.publish(&payload(3)), Some(200));
    eventually("all payloads", || receiver.received().last() == Some(&payload(3)));
    let mut received = receiver.received();
    // What was in flight at the kill may be repeated.
    received.dedup();
    assert_eq!(received, (0..4).map(payload).collect::<Vec<_>>());
    // Whoever stops it learns that the store failed.
    let failing = Failing::new(&bench, hub.0.id());
    assert_eq!(bench.publish(&payload(4)), Some(503));
    assert_eq!(hub.stop(), Some(2));
    drop(failing);
    assert!(bench.log().ends_with(" stopped detail=the store cannot be used\n"), "{}", bench.log());
}

pub(crate) fn a_full_disk_is_not_ready() {
    let bench = Bench::new("ready", &[]);
    // 400 KiB for each file; the write-ahead log reaches it first.
    let mut hub = bench.spawn(Some(400));
    let ready = || bench.admin("GET", "/ready", "").0;
    assert_eq!(ready(), 200);
    let long = payload(0).replace("</url>", &format!("</url><!-- {} -->", "x".repeat(1 << 20)));
    assert_eq!(bench.publish(&long), Some(503));
    assert!(bench.log().contains(" store-failed "), "{}", bench.log());
    // Whatever a small write would show.
    assert_eq!(ready(), 503);
    for number in 0..200 {
        if bench.publish(&payload(number).replace("</url>", &format!("</url><!-- {} -->", "x".repeat(20_000))))
            != Some(200)
        {
            break;
        }
        assert!(number < 100, "the disk is not full");
    }
    assert_eq!((ready(), bench.admin("GET", "/health", "").0), (503, 200));
    // With room again it is ready without a restart, and without another payload.
    hub.grow();
    assert_eq!(ready(), 200);
    eventually("an accepted payload", || bench.publish(&long) == Some(200));
    assert_eq!((ready(), bench.number("storeBytes") < 4 << 20), (200, true));
    assert_eq!(hub.stop(), Some(0));
}

/// The header of a write-ahead log, and of each of its frames.
const WAL: (usize, usize) = (32, 24);

pub(crate) fn a_store_opens_wherever_its_log_was_cut() {
    const PAYLOADS: i64 = 6;
    let receiver = Receiver::new(None);
    let bench = Bench::new("cut", &[receiver.server.place()]);
    let mut hub = bench.spawn(None);
    assert_eq!(bench.subscribe(&receiver.server.url("/"), None), 202);
    eventually("a subscription", || bench.number("subscriptions") == 1);
    let (store, log) = (bench.folder.join("hub.sqlite"), bench.folder.join("hub.sqlite-wal"));
    let length = || usize::try_from(fs::metadata(&log).unwrap().len()).unwrap();
    // The length of the log when a payload was accepted, and when its delivery was recorded.
    let mut recorded = Vec::new();
    for number in 0..PAYLOADS {
        assert_eq!(bench.publish(&payload(number)), Some(200));
        let accepted = length();
        let delivered = format!("\"position\":{}", number + 1);
        eventually("a delivery", || bench.admin("GET", "/admin/v1/subscriptions", "").1.contains(&delivered));
        recorded.push((accepted, length()));
    }
    hub.kill();
    let (whole, wal) = (fs::read(&store).unwrap(), fs::read(&log).unwrap());
    let page = usize::try_from(u32::from_be_bytes(wal[8..12].try_into().unwrap())).unwrap();
    let frames = (wal.len() - WAL.0) / (WAL.1 + page);
    assert!(frames > 20, "{frames} frames: the log was not kept");
    let folder = bench.folder.join("cut");
    let lay = |length: usize| {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("hub.sqlite"), &whole).unwrap();
        fs::write(folder.join("hub.sqlite-wal"), &wal[..length]).unwrap();
    };
    let mut heads = Vec::new();
    for frame in 0..=frames {
        // At the frame, and within the next one.
        for more in [0, 1, WAL.1 + page / 2] {
            let cut = (WAL.0 + frame * (WAL.1 + page) + more).min(wal.len());
            lay(cut);
            let (head, cursor) = state(&folder.join("hub.sqlite"), &bench.topic());
            let accepted = recorded.iter().filter(|(accepted, _)| *accepted <= cut).count() as u64;
            let delivered = recorded.iter().filter(|(_, delivered)| *delivered <= cut).count() as u64;
            assert!(head >= accepted, "{cut}: {head} of {accepted} accepted payloads");
            assert!(cursor.is_none_or(|cursor| (delivered..=head).contains(&cursor)), "{cut}: {cursor:?} of {head}");
            heads.push(head);
        }
    }
    assert!(heads.is_sorted() && heads.last() == Some(&(PAYLOADS as u64)), "{heads:?}");

    // A hub goes on from there, in order and without a gap.
    let cut = recorded[2].0;
    lay(cut);
    fs::rename(folder.join("hub.sqlite"), &store).unwrap();
    fs::rename(folder.join("hub.sqlite-wal"), &log).unwrap();
    let _ = fs::remove_file(bench.folder.join("hub.sqlite-shm"));
    let before = receiver.received().len();
    let mut hub = bench.spawn(None);
    for number in 0..PAYLOADS {
        assert_eq!(bench.publish(&payload(number)), Some(200));
    }
    eventually("the last payload", || {
        receiver.received().len() > before && receiver.received().last() == Some(&payload(PAYLOADS - 1))
    });
    let again = receiver.received().split_off(before);
    let first = usize::try_from(PAYLOADS).unwrap() - again.len();
    assert!(first <= 3, "payload 3 was not recorded: {first}");
    assert_eq!(again, (first as i64..PAYLOADS).map(payload).collect::<Vec<_>>());
    assert_eq!(hub.stop(), Some(0));
}

/// The number of the last payload of a topic, all of which are there, and the cursor of its subscription.
fn state(store: &Path, topic: &str) -> (u64, Option<u64>) {
    let mut ledger = open(store);
    let Some(topic) = ledger.topic(topic).unwrap() else { return (0, None) };
    for seq in 1..=topic.head {
        let own = ledger.payload_after(topic.id, seq - 1).unwrap().unwrap();
        assert_eq!((own.seq, &*own.body), (seq, payload(seq as i64 - 1).as_bytes()));
    }
    let subscriptions = ledger.subscriptions(Some(topic.id), None, 0, 10).unwrap();
    assert!(subscriptions.len() <= 1);
    let _ = ledger.counts().unwrap();
    (topic.head, subscriptions.first().map(|own| own.cursor))
}

pub(crate) fn a_clock_that_is_set_changes_nothing_accepted() {
    let receiver = Receiver::new(None);
    let bench = Bench::new("clock", &[receiver.server.place()]);
    let now = Arc::new(AtomicI64::new(1_795_251_600));
    let own = now.clone();
    let hub = bench.start_at(Arc::new(move || Timestamp::from_seconds(own.fetch_add(1, Ordering::SeqCst))));
    assert_eq!(bench.subscribe(&receiver.server.url("/"), None), 202);
    eventually("a subscription", || bench.number("subscriptions") == 1);
    // An hour, a day and ten years back, and one day forward.
    for (number, seconds) in [0, -3_600, -86_400, -315_360_000, 86_400].into_iter().enumerate() {
        now.fetch_add(seconds, Ordering::SeqCst);
        let payload = payload(number as i64);
        // It counts as a burst of payloads, so that the next one may have to wait for a second.
        eventually("an accepted payload", || match bench.publish(&payload) {
            Some(200) => true,
            Some(429) => false,
            other => panic!("{seconds}: {other:?}"),
        });
        let topic = bench.raw(b"GET /changes HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").unwrap();
        assert!(topic.ends_with(&payload), "{topic}");
        eventually("a delivery", || receiver.received().last() == Some(&payload));
    }
    // What waits for a moment is not forgotten: a verification is repeated, and a lease ends.
    assert_eq!(receiver.received(), (0..5).map(payload).collect::<Vec<_>>());
    now.fetch_add(-315_360_000, Ordering::SeqCst);
    eventually("a second subscription", || {
        bench.subscribe(&receiver.server.url("/b"), None) == 202 && bench.number("subscriptions") == 2
    });
    now.fetch_add(3 * 315_360_000, Ordering::SeqCst);
    eventually("the end of the leases", || bench.number("subscriptions") == 0);
    hub.stop();
}
