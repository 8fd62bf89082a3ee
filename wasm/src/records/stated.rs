//! Changes that a program states, until they are published.

use resourcesync::{
    build::BuildOptions,
    publish::{self, Event, EventTimes, EventVerb, Membership, Record, State, check_set},
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::choice::{check_document, mismatch};
use crate::{
    fail::{Kind, fail, refuse, wrong},
    options::Options,
    plain::{self, moment},
};

/// Events in the order in which they were stated.
#[wasm_bindgen]
#[derive(Debug)]
pub struct StatedChanges {
    intake: publish::Intake,
    membership: Membership,
    /// The base of the documents' URIs; ends with a slash.
    documents: String,
    pub(super) events: Vec<Event>,
    /// The options of builders.
    pub(super) options: BuildOptions,
}

#[wasm_bindgen]
impl StatedChanges {
    /// Nothing yet. Resources are checked with these options; documents are published below a base.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options, documents: String) -> StatedChanges {
        let options = options.of_builders();
        let (intake, membership) = (publish::Intake::new(options.clone()), Membership::default());
        StatedChanges { intake, membership, documents, events: Vec::new(), options }
    }

    /// True once it is known whether what is published is in sets.
    #[wasm_bindgen(getter, js_name = knowsSets)]
    pub fn knows_sets(&self) -> bool {
        self.membership.is_known()
    }

    /// Takes over the text of a state; a publication says what is wrong with one that is damaged.
    #[wasm_bindgen(js_name = takeOver)]
    pub fn take_over(&mut self, state: &str) {
        State::parse(state).into_iter().for_each(|state| self.membership.take_over(&state));
    }

    /// Adds an event: `upsert`, `created`, `updated` or `deleted`. `now` is in milliseconds since 1970, and the time of an event without
    /// another one.
    ///
    /// # Errors
    ///
    /// If a list with the resource would not be valid, or the event could not be published together with the others.
    pub fn push(
        &mut self,
        verb: &str,
        entry: &JsValue,
        set: &str,
        at: Option<String>,
        now: f64,
    ) -> Result<(), JsValue> {
        check_set(set).map_err(|why| wrong(&why))?;
        let verb = verb.parse().map_err(|()| wrong(&format!("`{verb}` is not a change")))?;
        let entry = plain::entry(entry).map_err(|message| wrong(&message))?;
        let refused = |refused: resourcesync::build::Refused| refuse(refused.diagnostic(), refused.is_full());
        let record = self.intake.record(entry, set).map_err(refused)?;
        check_document(&self.documents, &record)?;
        let record = match verb {
            EventVerb::Deleted => Record { uri: record.uri, set: record.set, ..Record::default() },
            _ => record,
        };
        let datetime = match at {
            Some(at) => moment(&at)?,
            None => {
                let times = EventTimes::new(None, None, now.floor() as i64);
                let own = times.and_then(|(mut times, _)| times.of(None));
                own.map_err(|error| fail(Kind::Publish, &error.to_string()))?
            }
        };
        self.membership.accept(set).map_err(mismatch)?;
        self.events.push(Event { verb, datetime: Some(datetime), record });
        Ok(())
    }

    /// The number of events.
    #[wasm_bindgen(getter)]
    pub fn count(&self) -> usize {
        self.events.len()
    }

    /// Removes the events from this one on.
    pub fn cut(&mut self, count: usize) {
        self.events.truncate(count);
        if self.events.is_empty() {
            self.membership.forget();
        }
    }

    /// Removes the first events, which are published.
    pub fn published(&mut self, count: usize) {
        self.events.drain(..count.min(self.events.len()));
    }
}
