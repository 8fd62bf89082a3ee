//! A package being verified, which requests bytes.

use std::ops::Range;

use resourcesync::{
    api::{self, VerificationStep, Worker},
    rules::KnownPackage,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    contents::{Contents, offset_and_length},
    options::Options,
    origin::{origin, reason as reason_of},
    outcome::Outcome,
    progress,
};

/// A package being verified.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Verification {
    inner: api::Verification<'static>,
    worker: Worker,
    state: State,
}

/// The requester of bytes.
#[derive(Debug)]
enum State {
    /// None yet.
    Idle,
    /// The verification, with its request.
    Asked(Range<u64>),
    /// The worker.
    Working,
}

#[wasm_bindgen]
impl Verification {
    /// Starts a package of a given size, read in blocks of about a given size.
    ///
    /// # Errors
    ///
    /// If `via` is unknown.
    #[wasm_bindgen(constructor)]
    pub fn new(
        options: &Options,
        name: String,
        uri: Option<String>,
        via: &str,
        size: f64,
        block: usize,
    ) -> Result<Verification, JsValue> {
        let inner = api::Verification::new(options.core().clone(), origin(name, uri, via)?, size as u64);
        Ok(Verification::of(inner, block))
    }

    /// Keeps the entries of the manifest, for [`Verification::contents`].
    #[wasm_bindgen(js_name = withContents)]
    pub fn with_contents(self) -> Verification {
        Verification { inner: self.inner.with_contents(), ..self }
    }

    /// Offset and length of the bytes needed next; `undefined` at the end.
    pub fn wants(&mut self) -> Option<Vec<f64>> {
        loop {
            if let State::Working = self.state {
                match self.worker.wants() {
                    Some(range) => return Some(offset_and_length(&range)),
                    None => self.inner.put(self.worker.finish()),
                }
            }
            self.state = match self.inner.step() {
                VerificationStep::Bytes(range) => {
                    let wanted = offset_and_length(&range);
                    self.state = State::Asked(range);
                    return Some(wanted);
                }
                VerificationStep::Work(work) => {
                    self.worker.begin(work);
                    State::Working
                }
                // The result of every unit of work was supplied, so there is nothing to wait for.
                VerificationStep::Wait | VerificationStep::Done => {
                    self.state = State::Idle;
                    return None;
                }
            };
        }
    }

    /// Supplies the requested bytes, which must be complete.
    pub fn give(&mut self, bytes: &[u8]) {
        match &self.state {
            State::Asked(range) => self.inner.give(range.start, bytes),
            State::Working => self.worker.give(bytes),
            State::Idle => {}
        }
    }

    /// The number of findings by code so far, as JSON.
    pub fn counts(&self) -> String {
        progress::counts(self.inner.counts())
    }

    /// The contents, once all bytes were supplied.
    pub fn contents(&mut self) -> Contents {
        Contents(self.inner.contents())
    }

    /// The outcome.
    pub fn finish(self) -> Outcome {
        let package = self.inner.package();
        Outcome::of_package(self.inner.finish(), package)
    }

    /// Ends it early, with the reason why it cannot be read further.
    pub fn unreadable(self, reason: &JsValue) -> Outcome {
        let package = self.inner.package();
        Outcome::of_package(self.inner.unreadable(reason_of(reason)), package)
    }
}

impl Verification {
    /// Creates the verification of a package found by a crawl.
    pub(crate) fn of(inner: api::Verification<'static>, block: usize) -> Verification {
        Verification { inner, worker: Worker::new(block), state: State::Idle }
    }

    /// Its summary and its outcome.
    pub(crate) fn ended(self) -> (KnownPackage, api::Outcome) {
        let package = self.inner.package();
        (package, self.inner.finish())
    }
}
