//! Checks of repositories, and of single responses.

use resourcesync::{diagnostic::Reason, report::Via};
use resourcesync_oai::provider::{Answer, CheckOptions, CheckPlan, CheckSession, FileCheck, is_recording, is_response};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::exchange::{failure, head, moment};
use crate::fail::wrong;

/// A check: returns requests, and receives the responses.
#[wasm_bindgen]
pub struct OaiCheck(Option<CheckSession>);

#[wasm_bindgen]
impl OaiCheck {
    /// Begins a check with options as JSON.
    ///
    /// # Errors
    ///
    /// If they are invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(url: &str, options: &str) -> Result<OaiCheck, JsValue> {
        Ok(OaiCheck(Some(CheckSession::new(plan(url, options)?))))
    }

    /// The next step, as JSON; nothing once the report was taken.
    pub fn step(&mut self, now: f64) -> Option<String> {
        let step = self.0.as_mut()?.step(moment(now));
        serde_json::to_string(&step).ok()
    }

    /// The head of the response, as JSON.
    ///
    /// # Errors
    ///
    /// If it is invalid.
    pub fn begin(&mut self, now: f64, head: &str) -> Result<(), JsValue> {
        let head = self::head(head)?;
        if let Some(check) = &mut self.0 {
            check.begin(moment(now), head);
        }
        Ok(())
    }

    /// Bytes of its body; false once further bytes make no difference.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        self.0.as_mut().is_some_and(|check| check.push(bytes))
    }

    /// The end of its body.
    pub fn end(&mut self, now: f64) {
        if let Some(check) = &mut self.0 {
            check.end(moment(now));
        }
    }

    /// There is no response, or it broke off.
    pub fn failed(&mut self, now: f64, reason: &str, is_timeout: bool) {
        if let Some(check) = &mut self.0 {
            check.failed(moment(now), failure(is_timeout), Reason::other(reason));
        }
    }

    /// Ends the check.
    pub fn interrupt(&mut self) {
        if let Some(check) = &mut self.0 {
            check.interrupt();
        }
    }

    /// The report as JSON, which ends the check.
    pub fn report(&mut self) -> Option<String> {
        self.0.take().map(|check| check.report().to_json())
    }
}

/// A check of single responses.
#[wasm_bindgen]
pub struct OaiResponses {
    check: Option<FileCheck>,
    answer: Option<Answer>,
}

#[wasm_bindgen]
impl OaiResponses {
    /// No responses yet; options as JSON.
    ///
    /// # Errors
    ///
    /// If they are invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<OaiResponses, JsValue> {
        Ok(OaiResponses { check: Some(FileCheck::new(plan("", options)?)), answer: None })
    }

    /// Bytes of the next response; false once further bytes make no difference.
    pub fn push(&mut self, bytes: &[u8]) -> bool {
        let Some(check) = &self.check else { return false };
        let answer = self.answer.get_or_insert_with(|| check.answer());
        if !answer.is_over() {
            answer.push(bytes);
        }
        !answer.is_over()
    }

    /// The end of the response.
    pub fn end(&mut self, name: &str) {
        if let Some(check) = &mut self.check {
            let answer = self.answer.take().unwrap_or_else(|| check.answer());
            check.add(name, Via::Argument, *answer.finish());
        }
    }

    /// The responses of a recording.
    pub fn recording(&mut self, name: &str, bytes: &[u8]) {
        if let Some(check) = &mut self.check {
            check.bytes(bytes, name);
        }
    }

    /// A response that could not be read.
    pub fn unreadable(&mut self, name: &str, reason: &str) {
        self.answer = None;
        if let Some(check) = &mut self.check {
            check.unreadable(name, Via::Argument, Reason::other(reason));
        }
    }

    /// The run ended early.
    pub fn stopped(&mut self, by: &str) {
        if let Some(check) = &mut self.check {
            check.stopped(by);
        }
    }

    /// The report as JSON, at the end.
    pub fn report(&mut self) -> Option<String> {
        self.check.take().map(|check| check.report().to_json())
    }
}

/// What a file is by its first bytes: `response`, `recording`, or nothing of the kind.
#[wasm_bindgen(js_name = oaiKind)]
pub fn kind(head: &[u8]) -> Option<String> {
    let name = match () {
        () if is_response(head) => "response",
        () if is_recording(head) => "recording",
        () => return None,
    };
    Some(name.to_owned())
}

/// The plan of a check with these options.
fn plan(url: &str, options: &str) -> Result<CheckPlan, JsValue> {
    let options: CheckOptions = serde_json::from_str(options).map_err(|error| wrong(&error.to_string()))?;
    options.plan(url).map_err(|error| wrong(&error))
}
