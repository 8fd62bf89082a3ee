//! A run that publishes records in memory: the core decides, JavaScript stores files.

use resourcesync::{
    publish::{
        CHANGES, Change, INVENTORY, Listed, MomentError, Plan, Record, RunMoment, STATE, State as Previous, Update,
        compare, merged, pairs, run_moment,
    },
    value::{Change as Verb, Datetime},
};
use serde::Serialize;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

use super::{
    choice::{Choice, SUFFIX, check_document, mismatch},
    intake::Intake,
    part::PartReader,
    state::PublishState,
    writing::GenerationWriter,
};
use crate::{
    fail::{Kind, fail, wrong},
    object::object,
};

/// What a run does.
#[derive(Serialize)]
struct Summary {
    resources: u64,
    created: u64,
    updated: u64,
    deleted: u64,
    refused: u64,
    warnings: Vec<String>,
}

/// A change that is published.
#[derive(Serialize)]
struct Published<'a> {
    change: &'a str,
    uri: &'a str,
    set: &'a str,
    datetime: &'a str,
}

/// The parts of the state.
#[derive(Debug, Default)]
struct Parts {
    inventory: PartReader<Record>,
    open: PartReader<Change>,
}

/// A run. First it gets the parts of the state, its time and then what changed; if there is something to publish, it is written.
#[wasm_bindgen]
#[derive(Debug)]
pub struct PublishRun {
    choice: Choice,
    before: Option<PublishState>,
    old: Parts,
    /// The records, until they are compared.
    records: Vec<Record>,
    unknown: u64,
    refused: u64,
    update: Update,
    past: Option<Datetime>,
    now: Option<Datetime>,
    warnings: Vec<String>,
    news: Vec<Change>,
    earlier: Vec<Change>,
}

#[wasm_bindgen]
impl PublishRun {
    /// Starts a run with the collected records, after the generation with this state if there is one.
    ///
    /// # Errors
    ///
    /// If an option is invalid, or the run does not continue what is published.
    #[wasm_bindgen(constructor)]
    pub fn new(intake: Intake, given: &JsValue, before: Option<PublishState>) -> Result<PublishRun, JsValue> {
        let mut choice = Choice::read(given, intake.options.clone())?;
        if let Some(before) = &before {
            before.ledger.state.check_resources().map_err(|why| before.damaged(STATE, &why))?;
            if choice.is_continued {
                choice.continue_channels(before.ledger.state.remembered.as_ref());
            }
            choice.check_continued(&before.ledger.state)?;
            choice.continue_snapshot(before.ledger.state.remembered.as_ref());
        }
        let past = before.as_ref().map(|before| before.ledger.state.moment()).transpose();
        let past = past.map_err(|error| fail(Kind::Publish, &format!("the time of the previous run: {error}")))?;
        let unknown = intake.unknown();
        let Intake { mut records, sets, refused, .. } = intake;
        records.iter().try_for_each(|record| check_document(choice.documents.as_str(), record))?;
        records.sort_by(Record::order);
        let update = Update { sets, ..Update::default() };
        Ok(PublishRun {
            choice,
            before,
            old: Parts::default(),
            records,
            unknown,
            refused,
            update,
            past,
            now: None,
            warnings: Vec::new(),
            news: Vec::new(),
            earlier: Vec::new(),
        })
    }

    /// Bytes of a part of the state.
    ///
    /// # Errors
    ///
    /// If there is no such part.
    pub fn part(&mut self, name: &str, bytes: &[u8]) -> Result<(), JsValue> {
        match name {
            INVENTORY => self.old.inventory.push(bytes),
            CHANGES => self.old.open.push(bytes),
            _ => return Err(wrong(&format!("a state has no part {name}"))),
        }
        Ok(())
    }

    /// Sets the time of the run; false if it has to wait. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    ///
    /// If the configured time is not later than the previous run.
    pub fn start(&mut self, now: f64) -> Result<bool, JsValue> {
        let seconds = (now / 1000.0).floor() as i64;
        self.now = match run_moment(self.choice.at.as_ref(), self.past.as_ref(), seconds) {
            Ok(RunMoment::Now(moment)) => Some(moment),
            Ok(RunMoment::Wait) => None,
            Ok(RunMoment::ClockBehind(moment)) => {
                let past = self.past.as_ref().map(ToString::to_string).unwrap_or_default();
                self.warnings.push(format!(
                    "the clock is earlier than the previous run ({past}); using one second after that run; if the clock was \
                     wrong then, delete what was published and its state, and publish again"
                ));
                Some(moment)
            }
            Err(MomentError::NotLater) => return Err(fail(Kind::Publish, "at must be later than the previous run")),
            Err(error) => return Err(fail(Kind::Publish, &error.to_string())),
        };
        Ok(self.now.is_some())
    }

    /// Compares the records with what is published; true if there is something to publish.
    ///
    /// # Errors
    ///
    /// If a part of the state is damaged, the records are probably incomplete, or all resources would be deleted and created.
    pub fn compare(&mut self) -> Result<bool, JsValue> {
        let Some(now) = self.now.clone() else { return Err(wrong("the run has no time yet")) };
        let Parts { inventory, open } = std::mem::take(&mut self.old);
        let mut old = Vec::new();
        if let Some(before) = &self.before {
            let check = |part: &'static str| move |found: &_| before.ledger.state.check_part(part, found);
            old = inventory.finish(check(INVENTORY)).map_err(|why| before.damaged(INVENTORY, &why))?;
            let base = std::mem::take(&mut old).into_iter().map(Ok::<_, JsValue>);
            old = merged(base, before.ledger.overlay().clone()).collect::<Result<_, _>>()?;
            let open = open.finish(check(CHANGES)).map_err(|why| before.damaged(CHANGES, &why))?;
            self.earlier = before.ledger.all_open(open);
        }
        let new = std::mem::take(&mut self.records);
        let twice = |one: &Record, _: &Record| wrong(&format!("{} is listed twice", one.uri));
        for pair in pairs(old.into_iter().map(Ok), new.into_iter().map(Ok), twice) {
            let compared = compare(pair?, self.unknown > 0);
            let Listed { resource, change } = self.update.add(compared, self.past.as_ref(), &now);
            self.records.extend(resource);
            self.news.extend(change);
        }
        self.news.sort_by(Change::order);
        if self.update.kept > 0 {
            let (kept, unknown) = (self.update.kept, self.unknown);
            let why = format!("the URIs of {unknown} rejected records are unknown");
            self.warnings.push(format!("{kept} published resources are missing but stay published: {why}"));
        }
        let is_listed = self.before.as_ref().is_none_or(|before| before.ledger.publications() == 0);
        let before = self.before.as_ref().map(|before| &before.ledger.state);
        if let Some(before) = before {
            before.check_membership(&self.update).map_err(mismatch)?;
        }
        self.update.add_empty_sets(&[], before);
        let effect = self.update.effect(before.is_some());
        let guarded = effect.check(self.choice.max_delete, self.choice.expect_entries);
        guarded.map_err(|guard| fail(Kind::Guard, &guard.to_string()))?;
        Ok(self.choice.force || !is_listed || !self.update.is_unchanged(before, &self.choice.wanted()))
    }

    /// True if there are notification channels.
    #[wasm_bindgen(getter, js_name = hasChannels)]
    pub fn has_channels(&self) -> bool {
        self.choice.channels.is_some()
    }

    /// The time of the run, or that of the published generation if there is nothing to publish.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn at(&self, is_published: bool) -> Result<String, JsValue> {
        let at = if is_published { self.now.as_ref() } else { self.past.as_ref() };
        Ok(at.map(ToString::to_string).unwrap_or_default())
    }

    /// What the run does.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn summary(&self) -> Result<JsValue, JsValue> {
        let [created, updated, deleted] =
            [Verb::Created, Verb::Updated, Verb::Deleted].map(|verb| self.update.count(&verb));
        let (resources, warnings) = (self.update.resources(), self.warnings.clone());
        Ok(object(&Summary { resources, created, updated, deleted, refused: self.refused, warnings }))
    }

    /// The changes that it publishes.
    ///
    /// # Errors
    ///
    /// Never.
    pub fn changes(&self) -> Result<JsValue, JsValue> {
        Ok(published_changes(&self.news))
    }

    /// Starts the generation.
    ///
    /// # Errors
    ///
    /// If a URI or a limit is invalid.
    pub fn write(self) -> Result<GenerationWriter, JsValue> {
        let Some(at) = self.now else { return Err(wrong("the run has no time yet")) };
        let mut state = Previous::new(&at, self.choice.uris(), self.choice.wanted());
        state.set_names = Some(Vec::new());
        state.remembered = Some(self.choice.remembered());
        // No files are read here.
        state.read = self.before.as_ref().and_then(|before| Some(before.ledger.state.last_read()?.to_string()));
        let Choice { documents, describedby, rotate, keep, builders, channels, .. } = self.choice;
        let (suffix, rotate, digests) = (SUFFIX.to_owned(), rotate.unwrap_or_default(), channels.is_some());
        let plan = Plan {
            documents,
            at,
            describedby,
            index: None,
            about: None,
            suffix,
            lists: true,
            rotate,
            keep,
            builders,
            digests,
        };
        let before = self.before.as_ref().map(|before| &before.ledger.state);
        let resources = (self.records, self.earlier, self.news);
        GenerationWriter::new((plan, channels.as_ref()), (before, state), self.update, resources)
    }
}

/// Changes for JavaScript.
pub(super) fn published_changes(changes: &[Change]) -> JsValue {
    let published = changes.iter().map(|Change { change, datetime, record }| Published {
        change: change.as_str(),
        uri: &record.uri,
        set: &record.set,
        datetime,
    });
    object(&published.collect::<Vec<_>>())
}
