//! Notifications: the state machines, and the functions without one. Values are passed as JSON, bodies as
//! bytes.

use pyo3::{exceptions::PyValueError, prelude::*, types::PyBytes};
use resourcesync::{api::plain, build::PublishedDocument, report::Report, value::Datetime};
use resourcesync_notify::{
    announce::AnnounceError,
    api::{self, AnnounceOptions, Announced, EmbeddedHub, TurnError, Turned},
    listener,
    moment::{Moment, Timestamp},
    payload::Channel,
    publisher, signature, subscriber,
    topic::Topic,
};
use serde::{Serialize, de::DeserializeOwned};

use crate::{
    builder::to_entry,
    error::{findings, misuse},
};

/// Outputs: each as JSON, with its body.
type Outputs<'py> = Vec<(String, Option<Bound<'py, PyBytes>>)>;

/// Wraps a state machine of the library as a class with `turn` and the given methods.
macro_rules! machine {
    ($(#[$doc:meta])* $class:literal $name:ident($machine:ty) { $($method:tt)* }) => {
        $(#[$doc])*
        #[pyclass(module = "resourcesync._core", name = $class)]
        pub(crate) struct $name($machine);

        #[pymethods]
        impl $name {
            #[new]
            #[pyo3(signature = (options, state=None))]
            fn new(options: &str, state: Option<&str>) -> PyResult<$name> {
                <$machine>::from_json(options, state).map($name).map_err(misuse)
            }

            /// Processes an input, and what is due; `random` returns a given number of random bytes.
            #[pyo3(signature = (now, random, input, body=None))]
            fn turn<'py>(
                &mut self,
                py: Python<'py>,
                now: i64,
                random: &Bound<'py, PyAny>,
                input: &str,
                body: Option<&[u8]>,
            ) -> PyResult<Outputs<'py>> {
                within(py, now, random, |moment| self.0.turn(moment, input, body))
            }

            $($method)*
        }
    };
}

machine! {
    /// Sends payloads to hubs.
    "NotifyPublisher" Publisher(publisher::Publisher) {
        /// The last payload of a topic.
        fn last(&self, topic: &str) -> Option<&str> {
            self.0.last(topic)
        }

        /// The end of the last interval of a topic.
        fn until(&self, topic: &str) -> Option<String> {
            self.0.until(topic).map(ToString::to_string)
        }

        /// The payloads that were not accepted by all hubs yet.
        fn waiting(&self) -> usize {
            self.0.waiting()
        }
    }
}

machine! {
    /// Subscribes.
    "NotifySubscriber" Subscriber(subscriber::Subscriber) {}
}

machine! {
    /// Listens.
    "NotifyListener" Listener(listener::Listener) {}
}

machine! {
    /// A hub inside an application.
    "NotifyHub" Hub(EmbeddedHub) {
        /// Processes an input of the state machine alone.
        fn step<'py>(
            &mut self,
            py: Python<'py>,
            now: i64,
            random: &Bound<'py, PyAny>,
            input: &str,
        ) -> PyResult<Outputs<'py>> {
            within(py, now, random, |moment| self.0.step(moment, input))
        }

        /// Whether requests to a callback may be sent to an address of its host.
        fn allows(&self, uri: &str, address: &str) -> bool {
            self.0.allows(uri, address)
        }
    }
}

/// Runs a turn with a time and random bytes of Python.
fn within<'py>(
    py: Python<'py>,
    now: i64,
    random: &Bound<'py, PyAny>,
    turn: impl FnOnce(&mut Moment<'_>) -> Result<Vec<Turned>, TurnError>,
) -> PyResult<Outputs<'py>> {
    let fill = |bytes: &mut [u8]| -> PyResult<()> {
        let given: Vec<u8> = random.call1((bytes.len(),))?.extract()?;
        if given.len() != bytes.len() {
            return Err(PyValueError::new_err("random returned another number of bytes"));
        }
        bytes.copy_from_slice(&given);
        Ok(())
    };
    match Moment::with_random(Timestamp::from_millis(now), fill, turn)? {
        Ok(outputs) => {
            Ok(outputs.into_iter().map(|(json, body)| (json, body.map(|body| PyBytes::new(py, &body)))).collect())
        }
        Err(TurnError::Rejected(rejected)) => Err(findings(&rejected.report.diagnostics)),
        Err(error) => Err(misuse(error.to_string())),
    }
}

/// The value of `X-Hub-Signature`.
#[pyfunction]
pub(crate) fn notify_sign(algorithm: &str, secret: &[u8], body: &[u8]) -> PyResult<String> {
    Ok(signature::sign(find(algorithm)?, secret, body))
}

/// The algorithm by which a body is signed, or why it is not.
#[pyfunction]
pub(crate) fn notify_verify(
    secret: &[u8],
    headers: Vec<String>,
    body: &[u8],
    allowed: Vec<String>,
) -> PyResult<(bool, &'static str)> {
    let allowed = allowed.iter().map(|name| find(name)).collect::<PyResult<Vec<_>>>()?;
    let verified = signature::verify(secret, headers.iter().map(String::as_str), body, &allowed);
    Ok(verified.map_or_else(|error| (false, error.as_str()), |algorithm| (true, algorithm.as_str())))
}

fn find(algorithm: &str) -> PyResult<signature::Algorithm> {
    signature::Algorithm::find(algorithm)
        .ok_or_else(|| misuse(format!("algorithm: `{algorithm}` is not one of X-Hub-Signature")))
}

/// A notification document as JSON, and its report as JSON, if it is not valid.
#[pyfunction]
pub(crate) fn notify_read(py: Python<'_>, body: &[u8], kind: &str) -> PyResult<(String, Option<String>)> {
    let kind = Channel::find(kind).ok_or_else(|| misuse(format!("kind: `{kind}` is not a kind of notification")))?;
    let mut read = py.detach(|| api::notification(body.to_vec(), kind));
    let report = read.report.take().as_ref().map(Report::to_json);
    Ok((written(&read)?, report))
}

/// Change Notifications: each as JSON, with its body.
#[pyfunction]
#[pyo3(signature = (from_, until, changes, options))]
pub(crate) fn notify_announce<'py>(
    py: Python<'py>,
    from_: &str,
    until: &str,
    changes: Vec<Bound<'py, PyAny>>,
    options: &str,
) -> PyResult<Outputs<'py>> {
    let [from, until] = [("from_", from_), ("until", until)].map(|(name, text)| moment(name, text));
    let changes = changes.iter().map(to_entry).collect::<PyResult<Vec<plain::Entry>>>()?;
    announced(py, api::announce(from?, until?, &changes, read::<AnnounceOptions>(options)?))
}

/// Framework Notifications: each as JSON, with its body.
#[pyfunction]
#[pyo3(signature = (before, after, datetime, options))]
pub(crate) fn notify_announce_documents<'py>(
    py: Python<'py>,
    before: &str,
    after: &str,
    datetime: Option<&str>,
    options: &str,
) -> PyResult<Outputs<'py>> {
    let (before, after): (Vec<PublishedDocument>, Vec<PublishedDocument>) = (read(before)?, read(after)?);
    let datetime = datetime.map(|text| moment("at", text)).transpose()?;
    announced(py, api::announce_documents(&before, &after, datetime.as_ref(), read(options)?))
}

fn announced(py: Python<'_>, made: Result<Vec<Announced>, AnnounceError>) -> PyResult<Outputs<'_>> {
    let made = match made {
        Ok(made) => made,
        Err(AnnounceError::Refused(refused)) => return Err(findings(refused.diagnostics())),
        Err(error) => return Err(misuse(error.to_string())),
    };
    let each = |mut payload: Announced| {
        let body = std::mem::take(&mut payload.body.0);
        Ok((written(&payload.notification)?, Some(PyBytes::new(py, &body))))
    };
    made.into_iter().map(each).collect()
}

/// The response of a topic as JSON, with its body.
#[pyfunction]
#[pyo3(signature = (topic, method, if_none_match=None, last=None))]
pub(crate) fn notify_topic_reply<'py>(
    py: Python<'py>,
    topic: &str,
    method: &str,
    if_none_match: Option<&str>,
    last: Option<&[u8]>,
) -> PyResult<(String, Bound<'py, PyBytes>)> {
    let mut reply = api::topic_reply(&read::<Topic>(topic)?, method, if_none_match, last);
    let body = std::mem::take(&mut reply.body.0);
    Ok((written(&reply)?, PyBytes::new(py, &body)))
}

fn moment(name: &str, text: &str) -> PyResult<Datetime> {
    text.parse().map_err(|error| misuse(format!("{name}: {error}")))
}

fn read<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|error| misuse(error.to_string()))
}

fn written(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| misuse(error.to_string()))
}
