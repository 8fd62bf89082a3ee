//! Topics that the hub fetches: after a ping, and as a proof.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use resourcesync_tests::server::{Server, reply};

use crate::bench::{Bench, Receiver, eventually, payload};

const PATIENCE: Duration = Duration::from_secs(60);

/// A server with the topic `/t`, whose payload and header fields can be set.
struct Topic {
    server: Server,
    content: Arc<Mutex<(&'static str, Vec<String>, String)>>,
}

impl Topic {
    fn new() -> Topic {
        let content = Arc::new(Mutex::new(("404 Not Found", Vec::new(), String::new())));
        let own = content.clone();
        let server = Server::new(move |asked, stream| {
            let (status, fields, body) = own.lock().unwrap().clone();
            let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
            if asked.header("if-none-match") == Some("\"same\"") && fields.contains(&"ETag: \"same\"") {
                return reply(stream, "304 Not Modified", &[], b"");
            }
            reply(stream, status, &fields, body.as_bytes())
        });
        Topic { server, content }
    }

    fn uri(&self) -> String {
        self.server.url("/t")
    }

    fn set(&self, status: &'static str, hub: &str, more: &str, payload: String) {
        let link = format!("Link: <{}>; rel=\"self\", <{hub}>; rel=\"hub\"", self.uri());
        let fields = vec!["Content-Type: application/xml".to_owned(), link, more.to_owned()];
        *self.content.lock().unwrap() = (status, fields, payload);
    }

    fn table(&self, kind: &str, publishers: &str) -> String {
        format!("[[topic]]\nuri = \"{}\"\nkind = \"change-notification\"\n{publishers}{kind} = true\n", self.uri())
    }
}

fn subscribed(bench: &Bench, topic: &str, receiver: &Receiver) {
    let callback = receiver.server.url("/");
    let fields = [("hub.mode", "subscribe"), ("hub.topic", topic), ("hub.callback", &*callback)];
    assert_eq!(bench.form(fields), 202);
    eventually("a subscription", || bench.number("subscriptions") == 1);
}

pub(crate) fn a_ping_delivers_the_topic() {
    let (topic, receiver) = (Topic::new(), Receiver::new(None));
    let bench = Bench::new("thin", &[receiver.server.place()]);
    bench.configure(&format!(
        "{}[fetch]\nports = [80]\nallow = [{:?}]\n",
        topic.table("thin", ""),
        topic.server.place()
    ));
    let hub = bench.start(None);
    subscribed(&bench, &topic.uri(), &receiver);
    let uri = topic.uri();
    let ping = || bench.form([("hub.mode", "publish"), ("hub.topic", &*uri)]);
    let refused = |reason: &str| {
        let line = format!("hub_refused_total{{reason=\"{reason}\"}} 1");
        eventually(reason, || bench.admin("GET", "/metrics", "").1.contains(&line));
    };
    // A server that redirects, and one that does not name this hub.
    topic.set("302 Found", &bench.uri(), "Location: /other", payload(1));
    assert_eq!(ping(), 202);
    refused("topic");
    topic.set("200 OK", "https://other.example/", "X: y", payload(1));
    assert_eq!(ping(), 202);
    refused("link-hub");
    assert!(receiver.received().is_empty());
    topic.set("200 OK", &bench.uri(), "ETag: \"same\"", payload(2));
    assert_eq!(ping(), 202);
    eventually("the payload", || receiver.received() == [payload(2)]);
    // Nothing new is not delivered; the request is conditional.
    let before = topic.server.seen().len();
    assert_eq!(ping(), 202);
    eventually("a conditional request", || topic.server.seen().len() > before);
    assert_eq!(topic.server.seen().last().unwrap().header("if-none-match"), Some("\"same\""));
    topic.set("200 OK", &bench.uri(), "ETag: \"other\"", payload(3));
    assert_eq!(ping(), 202);
    eventually("the next payload", || receiver.received() == [payload(2), payload(3)]);
    // Other topics are not fetched.
    assert_eq!(bench.form([("hub.mode", "publish"), ("hub.topic", &*bench.topic())]), 403);
    assert_eq!(bench.form([("hub.mode", "publish")]), 403);
    hub.stop();
}

pub(crate) fn a_payload_needs_the_proof_of_its_topic() {
    let (topic, receiver) = (Topic::new(), Receiver::new(None));
    let bench = Bench::new("proof", &[receiver.server.place()]);
    let publishers = "publishers = [\"example\"]\n";
    bench.configure(&format!(
        "{}[fetch]\nports = [80]\nallow = [{:?}]\n",
        topic.table("proof", publishers),
        topic.server.place()
    ));
    let hub = bench.start(None);
    subscribed(&bench, &topic.uri(), &receiver);
    let publish = |number| bench.publish_to(&topic.uri(), &payload(number), PATIENCE);
    assert_eq!(publish(1), Some(403));
    topic.set("200 OK", &bench.uri(), "X: y", payload(2));
    assert_eq!(publish(1), Some(403));
    topic.set("200 OK", "https://other.example/", "X: y", payload(1));
    assert_eq!(publish(1), Some(403));
    // It says nothing about the payload.
    for status in ["503 Service Unavailable", "429 Too Many Requests"] {
        topic.set(status, &bench.uri(), "X: y", payload(1));
        assert_eq!(publish(1), Some(503), "{status}");
    }
    topic.set("200 OK", &bench.uri(), "X: y", payload(1));
    assert_eq!((publish(1), publish(1)), (Some(200), Some(200)));
    eventually("the payload", || receiver.received() == [payload(1)]);
    hub.stop();
}

pub(crate) fn an_address_that_is_allowed_for_callbacks_is_not_allowed_for_topics() {
    let topic = Topic::new();
    let receiver = Receiver::new(None);
    let bench = Bench::new("separate", &[topic.server.place(), receiver.server.place()]);
    bench.configure(&topic.table("proof", "publishers = [\"example\"]\n"));
    let hub = bench.start(None);
    topic.set("200 OK", &bench.uri(), "X: y", payload(1));
    // The callback at this address is connected to, the topic is not.
    subscribed(&bench, &topic.uri(), &receiver);
    assert_eq!(bench.publish_to(&topic.uri(), &payload(1), PATIENCE), Some(503));
    assert!(topic.server.seen().is_empty());
    hub.stop();
}
