//! Changes that a program states, until they are published.

use resourcesync::{
    build::BuildOptions,
    publish::{self, Event, EventTimes, EventVerb, Record, check_set},
};
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

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
    pub(super) events: Vec<Event>,
    /// The options of builders.
    pub(super) options: BuildOptions,
}

#[wasm_bindgen]
impl StatedChanges {
    /// Nothing yet. Resources are checked with these options.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &Options) -> StatedChanges {
        let options = options.of_builders();
        StatedChanges { intake: publish::Intake::new(options.clone()), events: Vec::new(), options }
    }

    /// Adds an event: `upsert`, `created`, `updated` or `deleted`. `now` is in milliseconds since 1970, and the time of an event without
    /// another one.
    ///
    /// # Errors
    ///
    /// If a list with the resource would not be valid.
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
    }

    /// Removes the first events, which are published.
    pub fn published(&mut self, count: usize) {
        self.events.drain(..count.min(self.events.len()));
    }
}
