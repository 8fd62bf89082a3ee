//! A package being verified: it asks for bytes, and gets them.

use std::ops::Range;

use resourcesync::{
    api::{self, VerificationStep, Worker},
    rules::KnownPackage,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    contents::Contents,
    options::{Options, origin, reason as reason_of},
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

/// Who asked for bytes.
#[derive(Debug)]
enum State {
    /// Nobody yet.
    Idle,
    /// The verification, for these.
    Asked(Range<u64>),
    /// The worker.
    Working,
}

#[wasm_bindgen]
impl Verification {
    /// At the beginning of a package of so many bytes, to be read in blocks of about so many.
    ///
    /// # Errors
    ///
    /// If `via` means nothing.
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

    /// Keeps what each entry of the manifest says, for [`Verification::contents`].
    #[wasm_bindgen(js_name = withContents)]
    pub fn with_contents(self) -> Verification {
        Verification { inner: self.inner.with_contents(), ..self }
    }

    /// Offset and length of the bytes it needs next; nothing once it is done.
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
                // Every piece of work was put back, so there is nothing to wait for.
                VerificationStep::Wait | VerificationStep::Done => {
                    self.state = State::Idle;
                    return None;
                }
            };
        }
    }

    /// Hands over the bytes that were asked for, all of them.
    pub fn give(&mut self, bytes: &[u8]) {
        match &self.state {
            State::Asked(range) => self.inner.give(range.start, bytes),
            State::Working => self.worker.give(bytes),
            State::Idle => {}
        }
    }

    /// How often each code was found so far, as JSON.
    pub fn counts(&self) -> String {
        progress::counts(self.inner.counts())
    }

    /// What is in it, once all bytes were given.
    pub fn contents(&mut self) -> Contents {
        Contents(self.inner.contents())
    }

    /// What became of it.
    pub fn finish(self) -> Outcome {
        let package = self.inner.package();
        Outcome::of_package(self.inner.finish(), package)
    }

    /// Says that it cannot be read further, and why.
    pub fn unreadable(self, reason: &JsValue) -> Outcome {
        let package = self.inner.package();
        Outcome::of_package(self.inner.unreadable(reason_of(reason)), package)
    }
}

impl Verification {
    /// Of a package that a crawl found.
    pub(crate) fn of(inner: api::Verification<'static>, block: usize) -> Verification {
        Verification { inner, worker: Worker::new(block), state: State::Idle }
    }

    /// What is known of it, and what became of it.
    pub(crate) fn ended(self) -> (KnownPackage, api::Outcome) {
        let package = self.inner.package();
        (package, self.inner.finish())
    }
}

pub(crate) fn offset_and_length(range: &Range<u64>) -> Vec<f64> {
    vec![range.start as f64, range.end.saturating_sub(range.start) as f64]
}
