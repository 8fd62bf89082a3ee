//! The outbox of a published folder: the core decides, JavaScript stores its journal and sends the requests.

use js_sys::{Array, Function};
use resourcesync_notify::{
    publication::{self, Break, Taking},
    publisher::Options,
    state::Keep,
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use crate::{
    fail::{Kind, fail, wrong},
    turns::within,
};

/// The payloads that wait to be sent to hubs.
#[wasm_bindgen]
#[derive(Debug)]
pub struct PublishOutbox {
    inner: publication::Outbox,
    compacted: Option<Vec<u8>>,
    taking: Taking,
    /// The start of a line of payloads.
    rest: Vec<u8>,
    warnings: Vec<String>,
}

#[wasm_bindgen]
impl PublishOutbox {
    /// From the bytes of the journal at this place; without any it is empty.
    ///
    /// # Errors
    ///
    /// If they are not a journal.
    #[wasm_bindgen(constructor)]
    pub fn new(journal: &[u8], place: &str) -> Result<PublishOutbox, JsValue> {
        let read = publication::Outbox::read(journal, Options::default());
        let damaged = |why| fail(Kind::Publish, &format!("the outbox {place} is damaged: {why}"));
        let (inner, compacted) = read.map_err(damaged)?;
        Ok(PublishOutbox { inner, compacted, taking: Taking::default(), rest: Vec::new(), warnings: Vec::new() })
    }

    /// The journal that replaces the one that was read, before anything is appended; `undefined` if it stays.
    pub fn compacted(&mut self) -> Option<Vec<u8>> {
        self.compacted.take()
    }

    /// Takes bytes of the payloads of a publication at this place; what has to be appended to the journal.
    ///
    /// # Errors
    ///
    /// If they are damaged.
    pub fn take(&mut self, bytes: &[u8], place: &str) -> Result<Vec<u8>, JsValue> {
        let mut appended = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.rest.extend_from_slice(piece);
            if self.rest.ends_with(b"\n") {
                let line = std::mem::take(&mut self.rest);
                let taken = self.taking.line(&mut self.inner, &line);
                appended.extend(taken.map_err(|why| damaged(place, &why))?);
            }
        }
        Ok(appended)
    }

    /// The payloads at this place are taken.
    ///
    /// # Errors
    ///
    /// If they do not end with a whole line.
    pub fn taken(&mut self, place: &str) -> Result<(), JsValue> {
        if !self.rest.is_empty() {
            return Err(damaged(place, "its last line is not complete"));
        }
        let breaks = std::mem::take(&mut self.taking).finish().map_err(|why| damaged(place, &why))?;
        self.warnings.extend(breaks.iter().map(Break::to_string));
        Ok(())
    }

    /// Takes an input at a moment in milliseconds; `random` fills an array. Outputs as JSON, each followed by its body.
    ///
    /// # Errors
    ///
    /// If the input is invalid.
    pub fn turn(&mut self, now: f64, random: &Function, input: &str, body: Option<Vec<u8>>) -> Result<Array, JsValue> {
        let PublishOutbox { inner, warnings, .. } = self;
        within(now, random, |moment| {
            let outputs = inner.publisher_mut().outputs(moment, input, body.as_deref())?;
            warnings.extend(outputs.iter().filter_map(|output| output.warning()));
            Ok(outputs.into_iter().map(|output| output.turned()).collect())
        })
    }

    /// What has to be appended to the journal before requests are sent, for the values of a turn: an array of `{ key, value }` as JSON.
    ///
    /// # Errors
    ///
    /// If it is something else.
    pub fn kept(&self, keep: &str) -> Result<Vec<u8>, JsValue> {
        let keep: Vec<Keep> = serde_json::from_str(keep).map_err(|error| wrong(&error.to_string()))?;
        Ok(publication::Outbox::kept(keep))
    }

    /// The hubs that have not accepted a payload yet, one for each payload.
    #[wasm_bindgen(getter)]
    pub fn waiting(&self) -> usize {
        self.inner.publisher().undelivered().count()
    }

    /// What the operator should know, once.
    pub fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}

fn damaged(place: &str, why: &str) -> JsValue {
    fail(Kind::Publish, &format!("the outbox {place} is damaged: {why}"))
}
