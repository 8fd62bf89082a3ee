//! `--direct`: notifications that are applied without a pull.

use std::{fs, net::Ipv4Addr, time::SystemTime};

use resourcesync::value::Datetime;
use resourcesync_tests::server::{Server, reply};

use super::{
    bench::{Hub, eventually},
    copy::Scene,
};

/// The current time, in seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

/// The last payload of the changes that the Source sent.
fn payload(hub: &Hub) -> Vec<u8> {
    let payloads = std::mem::take(&mut hub.kept.lock().unwrap().payloads);
    payloads.into_iter().rfind(|(topic, _)| topic.ends_with("changes")).unwrap().1
}

/// The time in an attribute of the head of a payload.
fn end(payload: &[u8]) -> String {
    let text = String::from_utf8(payload.to_vec()).unwrap();
    text.split_once("until=\"").unwrap().1.split_once('"').unwrap().0.to_owned()
}

/// A notification that continues another one.
fn after(previous: &[u8], entries: &[(&str, &str)]) -> Vec<u8> {
    let moment = Datetime::from_unix(now() as i64, 0).unwrap();
    let entry = |(loc, change): &(&str, &str)| {
        format!("<url><loc>{loc}</loc><rs:md change=\"{change}\" datetime=\"{moment}\"/></url>\n")
    };
    let entries: String = entries.iter().map(entry).collect();
    let from = end(previous);
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:md capability="change-notification" from="{from}" until="{moment}"/>
{entries}</urlset>"#
    )
    .into_bytes()
}

/// S-18.
#[test]
fn notifications_are_applied_at_once_and_never_beyond_the_source() {
    let hub = Hub::new();
    let scene = Scene::new("listen-direct", hub.url("/"));
    let stranger = Server::at(Ipv4Addr::new(127, 0, 0, 2), 0, |_, stream| reply(stream, "200 OK", &[], b"stranger"));
    // Times of changes are compared, so each has another second.
    let tick = || {
        let last = now();
        eventually("another second", || now() > last);
    };
    let publish = || {
        tick();
        assert_eq!(scene.build(), Some(0));
    };
    publish();
    let mut listen = scene.listen(&["--direct"]);
    let subscription = hub.subscription("/t/changes");
    let (pulls, applied) = (|| scene.pulls(), || scene.bench.events("out.ndjson", "applied"));
    eventually("the first pull", || scene.is_equal());
    let deliver = |payload: &[u8]| assert_eq!(subscription.deliver(payload), Some(202));

    // Nothing shows whether the first notification continues the copy.
    scene.bench.put("files/second.txt", "second");
    publish();
    let first = payload(&hub);
    deliver(&first);
    eventually("a pull", || scene.is_equal());
    let reports = || scene.bench.events("out.ndjson", "pulled");
    eventually("its report", || reports().last().unwrap()["why"].as_array().unwrap().contains(&"notified".into()));

    let (before, seen) = (pulls(), scene.source.paths().len());
    scene.bench.put("files/third.txt", "third").put("files/second.txt", "changed");
    fs::remove_file(scene.bench.path("files/first.txt")).unwrap();
    publish();
    let second = payload(&hub);
    deliver(&second);
    eventually("an equal copy", || scene.is_equal());
    eventually("its report", || applied().len() == 1);
    let counts = &applied()[0]["report"]["counts"];
    assert_eq!((&counts["created"], &counts["updated"], &counts["deleted"]), (&1.into(), &1.into(), &1.into()));
    let mut requests = scene.source.paths().split_off(seen);
    requests.sort();
    assert_eq!((requests, pulls()), (vec!["/files/second.txt".to_owned(), "/files/third.txt".to_owned()], before));

    // Resources elsewhere are not fetched; the lists show that there are none.
    tick();
    let elsewhere = [stranger.url("/a"), scene.source.url("/files/third.txt"), "http://10.1.2.3/b".to_owned()];
    let third = after(&second, &elsewhere.each_ref().map(|uri| (uri.as_str(), "created")));
    deliver(&third);
    eventually("a pull", || pulls() > before);
    assert!(stranger.seen().is_empty() && scene.is_equal());
    assert_eq!(reports().last().unwrap()["outcome"], "in-step");

    // A deletion that the Source never made lasts until its Change Lists show that.
    scene.bench.put("files/fifth.txt", "fifth");
    publish();
    let fifth = payload(&hub);
    deliver(&fifth);
    eventually("the pull of this change", || reports().last().unwrap()["report"]["counts"]["created"] == 1);
    tick();
    deliver(&after(&fifth, &[(&scene.source.url("/files/second.txt"), "deleted")]));
    eventually("another application", || applied().len() == 2);
    assert!(!scene.is_equal());
    scene.bench.put("files/fourth.txt", "fourth");
    publish();
    deliver(&payload(&hub));
    eventually("an equal copy", || scene.is_equal());
    eventually("its report", || reports().last().unwrap()["outcome"] == "in-step");
    assert_eq!(listen.stop(), Some(0));
    assert!(stranger.seen().is_empty());
}
