//! Metrics in the text format of Prometheus, and logs of one line for each event.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt::Write as _,
    io::{self, Write as _},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use resourcesync_notify::{
    hub::{Event, EventKind},
    moment::Timestamp,
    payload::Channel,
};
use serde::Serialize;
use serde_json::json;

/// Upper bounds of histograms, in milliseconds.
const BOUNDS: [u64; 10] = [1, 5, 10, 25, 50, 100, 500, 1_000, 5_000, 30_000];
/// Maximum topics with a series of their own.
const TOPICS: usize = 100;
/// Maximum subscription requests that led to nothing and are kept.
const REQUESTS: usize = 100;

/// A metric: its name, and its labels as they are written.
type Series = (&'static str, String);

/// Numbers about a hub.
#[derive(Debug)]
pub(crate) struct Metrics(Mutex<Inner>);

#[derive(Debug, Default)]
struct Inner {
    counters: BTreeMap<Series, u64>,
    gauges: BTreeMap<Series, u64>,
    histograms: BTreeMap<&'static str, Histogram>,
}

#[derive(Debug, Default)]
struct Histogram {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    micros: u64,
}

/// The results of payloads, and what they are for.
const RESULTS: [&str; 3] = ["accepted", "refused", "repeated"];
const KINDS: [&str; 3] = ["change-notification", "framework-notification", UNKNOWN];
/// The kind of a topic that the hub does not have.
const UNKNOWN: &str = "unknown";
/// Counters with one label, and its values.
const COUNTERS: [(&str, &str, &[&str]); 5] = [
    (
        "hub_refused_total",
        "reason",
        &[
            "content-encoding",
            "content-type",
            "link-hub",
            "link-missing",
            "link-self",
            "payload",
            "proof",
            "publisher",
            "too-large",
            "too-many",
            "topic",
            "unknown-topic",
        ],
    ),
    ("hub_chain_total", "kind", &["gap", "overlap"]),
    ("hub_verifications_total", "result", &["confirmed", "failed"]),
    ("hub_deliveries_total", "result", &["dead-letter", "delivered", "failed"]),
    ("hub_refused_requests_total", "reason", &["host-limited", "not-allowed", "unknown-topic"]),
];
const HISTOGRAMS: [&str; 3] = ["hub_accept_seconds", "hub_commit_seconds", "hub_delivery_seconds"];

impl Default for Metrics {
    /// Everything is zero from the start: a counter that appears with its first event has no increase that an alert could see.
    fn default() -> Metrics {
        let mut inner = Inner::default();
        for (name, label, values) in COUNTERS {
            inner.counters.extend(values.iter().map(|value| ((name, labels(&[(label, value)])), 0)));
        }
        for result in RESULTS {
            let series = KINDS.map(|kind| ((PAYLOADS, labels(&[("result", result), ("topic_kind", kind)])), 0));
            inner.counters.extend(series);
        }
        inner.histograms.extend(HISTOGRAMS.map(|name| (name, Histogram::default())));
        Metrics(Mutex::new(inner))
    }
}

const PAYLOADS: &str = "hub_payloads_total";

impl Metrics {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, name: &'static str, own: &[(&str, &str)]) {
        *self.inner().counters.entry((name, labels(own))).or_default() += 1;
    }

    /// Counts an event, for a topic of a kind.
    pub(crate) fn event(&self, event: &Event, kind: Option<Channel>) {
        let name = event.kind.as_str();
        let payload = |result| {
            let kind = kind.map_or(UNKNOWN, Channel::as_str);
            self.count(PAYLOADS, &[("result", result), ("topic_kind", kind)]);
        };
        match event.kind {
            EventKind::Accepted | EventKind::Repeated => payload(name),
            EventKind::Refused => {
                payload("refused");
                let detail = event.detail.as_deref().unwrap_or_default();
                let reason = detail.split(' ').nth(1).unwrap_or_default().trim_end_matches(':');
                self.count("hub_refused_total", &[("reason", reason)]);
            }
            EventKind::Gap | EventKind::Overlap => self.count("hub_chain_total", &[("kind", name)]),
            EventKind::Subscribed => self.count("hub_verifications_total", &[("result", "confirmed")]),
            EventKind::Unverified => self.count("hub_verifications_total", &[("result", "failed")]),
            EventKind::Delivered | EventKind::Failed | EventKind::DeadLetter => {
                self.count("hub_deliveries_total", &[("result", name)]);
            }
            EventKind::NotAllowed | EventKind::UnknownTopic | EventKind::HostLimited => {
                self.count("hub_refused_requests_total", &[("reason", name)]);
            }
            _ => {}
        }
    }

    /// Adds a time to a histogram.
    pub(crate) fn time(&self, name: &'static str, time: Duration) {
        let inner = &mut *self.inner();
        let histogram = inner.histograms.entry(name).or_default();
        let millis = time.as_secs_f64() * 1_000.0;
        for (bound, bucket) in BOUNDS.iter().zip(&mut histogram.buckets) {
            *bucket += u64::from(millis <= *bound as f64);
        }
        histogram.count += 1;
        histogram.micros = histogram.micros.saturating_add(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    /// Sets a number.
    pub(crate) fn gauge(&self, name: &'static str, own: &[(&str, &str)], number: u64) {
        self.inner().gauges.insert((name, labels(own)), number);
    }

    /// Sets the age of the oldest undelivered payload of each topic. Those after the first hundred share a series.
    pub(crate) fn ages(&self, ages: &[(String, u64)]) {
        let name = "hub_oldest_undelivered_seconds";
        self.inner().gauges.retain(|(own, ..), _| *own != name);
        for (topic, age) in ages.iter().take(TOPICS) {
            self.gauge(name, &[("topic", topic)], *age);
        }
        if let Some(age) = ages.iter().skip(TOPICS).map(|(_, age)| *age).max() {
            self.gauge(name, &[("topic", "other")], age);
        }
    }

    /// The metrics in the text format of Prometheus.
    pub(crate) fn text(&self) -> String {
        let inner = self.inner();
        let mut text = String::new();
        for (numbers, kind) in [(&inner.counters, "counter"), (&inner.gauges, "gauge")] {
            let mut last = "";
            for ((name, labels), number) in numbers {
                if *name != last {
                    let _ = writeln!(text, "# TYPE {name} {kind}");
                    last = name;
                }
                let _ = writeln!(text, "{name}{labels} {number}");
            }
        }
        for (name, histogram) in &inner.histograms {
            let _ = writeln!(text, "# TYPE {name} histogram");
            for (bound, count) in BOUNDS.iter().zip(&histogram.buckets) {
                let _ = writeln!(text, "{name}_bucket{{le=\"{}\"}} {count}", *bound as f64 / 1_000.0);
            }
            let _ = writeln!(text, "{name}_bucket{{le=\"+Inf\"}} {}", histogram.count);
            let _ = writeln!(text, "{name}_sum {}", histogram.micros as f64 / 1_000_000.0);
            let _ = writeln!(text, "{name}_count {}", histogram.count);
        }
        text
    }
}

/// Labels as they are written; values are escaped.
fn labels(own: &[(&str, &str)]) -> String {
    if own.is_empty() {
        return String::new();
    }
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let labels: Vec<String> = own.iter().map(|(label, value)| format!("{label}=\"{}\"", escaped(value))).collect();
    format!("{{{}}}", labels.join(","))
}

/// The last subscription requests that led to nothing, for the operator: in memory, one for each callback and topic.
#[derive(Debug, Default)]
pub(crate) struct Unconfirmed(Mutex<VecDeque<Request>>);

/// A subscription request that led to nothing.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Request {
    at: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    topic: Option<String>,
    /// Masked.
    callback: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    reason: String,
}

impl Unconfirmed {
    fn rows(&self) -> MutexGuard<'_, VecDeque<Request>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an event into account.
    pub(crate) fn event(&self, event: &Event, at: Timestamp) {
        let Some(callback) = &event.callback else { return };
        let is_new = matches!(event.kind, EventKind::Unverified | EventKind::NotAllowed | EventKind::HostLimited);
        if !is_new && event.kind != EventKind::Subscribed {
            return;
        }
        let mut rows = self.rows();
        let own = rows.iter().position(|row| row.callback == *callback && row.topic == event.topic);
        let old = own.and_then(|own| rows.remove(own));
        if is_new {
            let reason = event.detail.clone().unwrap_or_default();
            // The last attempt of a verification has the reason of the first, and no code.
            let code = event.kind.code().or(old.filter(|old| old.reason == reason).and_then(|old| old.code));
            rows.push_front(Request { at, topic: event.topic.clone(), callback: callback.clone(), code, reason });
            rows.truncate(REQUESTS);
        }
    }

    /// The requests, the newest first.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.rows().iter().cloned().collect()
    }
}

/// Writes one line for each event to standard error.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Log {
    pub(crate) json: bool,
}

impl Log {
    /// Lines of one moment, which are written together.
    pub(crate) fn lines(self, now: Timestamp) -> Lines {
        Lines { json: self.json, now: now.to_string(), text: String::new() }
    }

    /// Logs something about the process.
    pub(crate) fn note(self, now: Timestamp, event: &str, detail: &str) {
        let mut lines = self.lines(now);
        lines.line(event, [("detail", detail)]);
        lines.write();
    }
}

/// Lines of one moment.
pub(crate) struct Lines {
    json: bool,
    now: String,
    text: String,
}

impl Lines {
    /// Adds an event.
    pub(crate) fn event(&mut self, event: &Event) {
        let fields = [("topic", &event.topic), ("callback", &event.callback), ("detail", &event.detail)];
        let fields = fields.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?)));
        let code = event.kind.code().map(|code| ("code", code));
        self.line(event.kind.as_str(), code.into_iter().chain(fields));
    }

    fn line<'a>(&mut self, event: &str, fields: impl IntoIterator<Item = (&'a str, &'a str)>) {
        if self.json {
            let mut line = json!({"time": self.now, "event": event});
            for (name, value) in fields {
                line[name] = value.into();
            }
            let _ = write!(self.text, "{line}");
        } else {
            self.text.extend([&*self.now, " ", event]);
            for (name, value) in fields {
                self.text.extend([" ", name, "="]);
                // What others sent cannot begin a line of its own.
                if value.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
                    self.text.push_str(value);
                } else {
                    self.text.extend(value.chars().map(|c| if c.is_control() { ' ' } else { c }));
                }
            }
        }
        self.text.push('\n');
    }

    /// Writes the lines with one call. If standard error is closed, they are lost.
    pub(crate) fn write(self) {
        if !self.text.is_empty() {
            let _ = io::stderr().write_all(self.text.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_written_as_prometheus_reads_them() {
        let metrics = Metrics::default();
        let event = |kind, detail: &str| Event { kind, topic: None, callback: None, detail: Some(detail.to_owned()) };
        metrics.event(&event(EventKind::Accepted, ""), Some(Channel::ChangeNotification));
        metrics.event(&event(EventKind::Refused, "404 unknown-topic: this hub does not have this topic"), None);
        metrics.time("hub_commit_seconds", Duration::from_millis(7));
        metrics.ages(&[("a\"b".to_owned(), 3)]);
        let text = metrics.text();
        for line in [
            "# TYPE hub_payloads_total counter\nhub_payloads_total{result=\"accepted\",topic_kind=\"change-notification\"} 1\n",
            "hub_payloads_total{result=\"refused\",topic_kind=\"unknown\"} 1\n",
            "hub_payloads_total{result=\"repeated\",topic_kind=\"framework-notification\"} 0\n",
            "hub_refused_total{reason=\"unknown-topic\"} 1\n",
            "hub_oldest_undelivered_seconds{topic=\"a\\\"b\"} 3\n",
            "hub_commit_seconds_bucket{le=\"0.005\"} 0\nhub_commit_seconds_bucket{le=\"0.01\"} 1\n",
            "hub_commit_seconds_sum 0.007\nhub_commit_seconds_count 1\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
    }

    #[test]
    fn a_request_that_led_to_nothing_is_kept_until_it_is_confirmed() {
        let (unconfirmed, at) = (Unconfirmed::default(), Timestamp::from_seconds(1));
        let event = |kind, callback: String| Event {
            kind,
            topic: None,
            callback: Some(callback),
            detail: Some("why".to_owned()),
        };
        let take = |kind, number: usize| unconfirmed.event(&event(kind, format!("a:80#{number}")), at);
        take(EventKind::NotAllowed, 1);
        take(EventKind::Delivered, 2);
        take(EventKind::Unverified, 1);
        let [own] = &*unconfirmed.requests() else { panic!("one request") };
        assert_eq!((own.code, &*own.reason), (Some("HUB-12"), "why"));
        take(EventKind::Subscribed, 1);
        assert!(unconfirmed.requests().is_empty());
        (0..2 * REQUESTS).for_each(|number| take(EventKind::HostLimited, number));
        assert_eq!(unconfirmed.requests().len(), REQUESTS);
    }
}
