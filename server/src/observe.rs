//! Metrics in the text format of Prometheus, and logs of one line for each event.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    fmt::Write as _,
    io::{self, Write as _},
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use resourcesync_notify::{
    hub::{Event, EventKind},
    moment::Timestamp,
};
use serde_json::json;

/// Upper bounds of histograms, in milliseconds.
const BOUNDS: [u64; 10] = [1, 5, 10, 25, 50, 100, 500, 1_000, 5_000, 30_000];
/// Maximum topics with a series of their own.
const TOPICS: usize = 100;

/// A metric with the name and the value of its label, which may be empty.
type Series = (&'static str, &'static str, Cow<'static, str>);

/// Numbers about a hub.
#[derive(Debug, Default)]
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

impl Metrics {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, name: &'static str, label: &'static str, value: impl Into<Cow<'static, str>>) {
        *self.inner().counters.entry((name, label, value.into())).or_default() += 1;
    }

    /// Counts an event.
    pub(crate) fn event(&self, event: &Event) {
        match event.kind {
            EventKind::Accepted | EventKind::Repeated => {
                self.count("hub_payloads_total", "result", event.kind.as_str());
            }
            EventKind::Refused => {
                self.count("hub_payloads_total", "result", "refused");
                let detail = event.detail.as_deref().unwrap_or_default();
                let reason = detail.split(' ').nth(1).unwrap_or_default().trim_end_matches(':');
                self.count("hub_refused_total", "reason", reason.to_owned());
            }
            EventKind::Gap | EventKind::Overlap => self.count("hub_chain_total", "kind", event.kind.as_str()),
            EventKind::Subscribed => self.count("hub_verifications_total", "result", "confirmed"),
            EventKind::Unverified => self.count("hub_verifications_total", "result", "failed"),
            EventKind::Delivered | EventKind::Failed | EventKind::DeadLetter => {
                self.count("hub_deliveries_total", "result", event.kind.as_str());
            }
            EventKind::NotAllowed | EventKind::UnknownTopic => {
                self.count("hub_refused_requests_total", "reason", event.kind.as_str());
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
    pub(crate) fn gauge(
        &self,
        name: &'static str,
        label: &'static str,
        value: impl Into<Cow<'static, str>>,
        number: u64,
    ) {
        self.inner().gauges.insert((name, label, value.into()), number);
    }

    /// Sets the age of the oldest undelivered payload of each topic. Those after the first hundred share a series.
    pub(crate) fn ages(&self, ages: &[(String, u64)]) {
        let name = "hub_oldest_undelivered_seconds";
        self.inner().gauges.retain(|(own, ..), _| *own != name);
        for (topic, age) in ages.iter().take(TOPICS) {
            self.gauge(name, "topic", topic.clone(), *age);
        }
        if let Some(age) = ages.iter().skip(TOPICS).map(|(_, age)| *age).max() {
            self.gauge(name, "topic", "other", age);
        }
    }

    /// The metrics in the text format of Prometheus.
    pub(crate) fn text(&self) -> String {
        let inner = self.inner();
        let mut text = String::new();
        for (numbers, kind) in [(&inner.counters, "counter"), (&inner.gauges, "gauge")] {
            let mut last = "";
            for ((name, label, value), number) in numbers {
                if *name != last {
                    let _ = writeln!(text, "# TYPE {name} {kind}");
                    last = name;
                }
                let _ = writeln!(text, "{name}{} {number}", labelled(label, value));
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

/// A label; values are escaped.
fn labelled(label: &str, value: &str) -> String {
    if label.is_empty() {
        return String::new();
    }
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("{{{label}=\"{value}\"}}")
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
        metrics.event(&event(EventKind::Accepted, ""));
        metrics.event(&event(EventKind::Refused, "404 unknown-topic: this hub does not have this topic"));
        metrics.time("hub_commit_seconds", Duration::from_millis(7));
        metrics.ages(&[("a\"b".to_owned(), 3)]);
        let text = metrics.text();
        for line in [
            "# TYPE hub_payloads_total counter\nhub_payloads_total{result=\"accepted\"} 1\nhub_payloads_total{result=\"refused\"} 1\n",
            "hub_refused_total{reason=\"unknown-topic\"} 1\n",
            "hub_oldest_undelivered_seconds{topic=\"a\\\"b\"} 3\n",
            "hub_commit_seconds_bucket{le=\"0.005\"} 0\nhub_commit_seconds_bucket{le=\"0.01\"} 1\n",
            "hub_commit_seconds_sum 0.007\nhub_commit_seconds_count 1\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
    }
}
