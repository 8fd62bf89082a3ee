//! The options of a run, and why it does not continue what is published.

use resourcesync::{
    build::{Amount, BuildOptions, Rotate},
    publish::{Mismatch, Record, Remembered, Snapshot, State, options_text},
    value::{Algorithm, Datetime, Uri},
};
use resourcesync_notify::publication::{Channels, has_document_uri};
use serde::Deserialize;
use wasm_bindgen::JsValue;

use crate::{
    convert::uri,
    fail::{Kind, fail, first_line, wrong},
    plain::moment,
};

/// The extension of documents.
pub(super) const SUFFIX: &str = ".xml";

/// The options of a run.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Given {
    base_uri: String,
    documents_uri: String,
    at: Option<String>,
    describedby: Option<String>,
    max_delete: Option<String>,
    expect_entries: Option<String>,
    rotate: Option<String>,
    snapshot: Option<String>,
    keep: Option<usize>,
    force: bool,
    continued: bool,
    hubs: Option<Vec<String>>,
    topics_uri: Option<String>,
}

/// The options of a run, parsed.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) base: Uri,
    pub(super) documents: Uri,
    pub(super) at: Option<Datetime>,
    pub(super) describedby: Option<Uri>,
    pub(super) max_delete: Option<Amount>,
    pub(super) expect_entries: Option<Amount>,
    pub(super) rotate: Option<Rotate>,
    /// When a snapshot is written.
    pub(super) snapshot: Option<Snapshot>,
    pub(super) keep: Option<usize>,
    pub(super) force: bool,
    /// Notification channels.
    pub(super) channels: Option<Channels>,
    /// Withdraws the notification channels of earlier runs.
    no_hub: bool,
    /// Continues the notification channels of earlier runs although it lists all records.
    pub(super) is_continued: bool,
    /// The digests that runs of other faces compute of files.
    hash: Vec<String>,
    /// How documents are built.
    pub(super) builders: BuildOptions,
}

impl Choice {
    pub(super) fn read(given: &JsValue, builders: BuildOptions) -> Result<Choice, JsValue> {
        let given: Given =
            serde_wasm_bindgen::from_value(given.clone()).map_err(|error| wrong(&first_line(&error.to_string())))?;
        let amount = |name: &str, text: Option<String>| {
            let wrong = |text: &str, expected: String| wrong(&format!("{name}: `{text}` is not {expected}"));
            text.map(|text| text.parse::<Amount>().map_err(|expected| wrong(&text, expected))).transpose()
        };
        let rotate = |text: String| text.parse().map_err(|expected| wrong(&format!("rotate: `{text}`: {expected}")));
        let snapshot =
            |text: String| text.parse().map_err(|expected| wrong(&format!("snapshot: `{text}` is wrong; {expected}")));
        let hubs = given.hubs.iter().flatten().map(|hub| uri(hub)).collect::<Result<Vec<_>, _>>()?;
        let topics_uri = given.topics_uri.as_deref().map(uri).transpose()?;
        Ok(Choice {
            channels: (!hubs.is_empty()).then_some(Channels { hubs, topics_uri }),
            is_continued: given.continued,
            no_hub: given.hubs.is_some_and(|hubs| hubs.is_empty()),
            base: uri(&given.base_uri)?,
            documents: uri(&given.documents_uri)?,
            at: given.at.as_deref().map(moment).transpose()?,
            describedby: given.describedby.as_deref().map(uri).transpose()?,
            max_delete: amount("maxDelete", given.max_delete)?,
            expect_entries: amount("expectEntries", given.expect_entries)?,
            rotate: given.rotate.map(rotate).transpose()?,
            snapshot: given.snapshot.map(snapshot).transpose()?,
            keep: given.keep,
            force: given.force,
            hash: vec![Algorithm::Sha256.as_str().to_owned()],
            builders,
        })
    }

    /// The bases of the URIs, and the extension of documents.
    pub(super) fn uris(&self) -> (&str, &str, &str) {
        (self.base.as_str(), self.documents.as_str(), SUFFIX)
    }

    /// The options that affect the published documents.
    pub(super) fn wanted(&self) -> String {
        let hash: Vec<&str> = self.hash.iter().map(String::as_str).collect();
        let channels = self.channels.as_ref();
        let channels = channels.map(|channels| (channels.hubs.as_slice(), channels.topics_uri.as_ref()));
        options_text(&hash, &[], self.describedby.as_ref(), false, channels)
    }

    /// Rejects a run that does not continue what is published.
    pub(super) fn check_continued(&self, state: &State) -> Result<(), JsValue> {
        let topics = self.channels.as_ref().map(|channels| channels.topics_uri(&self.documents));
        let own = state.check_uris(self.uris()).and_then(|()| state.check_sets(&[]));
        own.and_then(|()| state.check_parts(false, topics.is_some() || self.no_hub, topics)).map_err(mismatch)
    }

    /// Continues with the options of earlier runs, where others are not given.
    pub(super) fn continue_with(&mut self, remembered: Option<&Remembered>) {
        let Some(own) = remembered else { return };
        self.hash.clone_from(&own.hash);
        self.describedby = self.describedby.take().or_else(|| own.describedby.clone());
        self.rotate = self.rotate.or_else(|| own.rotate.as_ref()?.parse().ok());
        self.continue_snapshot(remembered);
        self.keep = self.keep.or(own.keep);
        self.continue_channels(remembered);
    }

    /// Continues with the notification channels of earlier runs, unless others are given.
    pub(super) fn continue_channels(&mut self, remembered: Option<&Remembered>) {
        if let Some(own) = remembered
            && self.channels.is_none()
            && !self.no_hub
            && !own.hubs.is_empty()
        {
            self.channels = Some(Channels { hubs: own.hubs.clone(), topics_uri: own.topics.clone() });
        }
    }

    /// Later publications of changes write snapshots as those of earlier runs.
    pub(super) fn continue_snapshot(&mut self, remembered: Option<&Remembered>) {
        self.snapshot = self.snapshot.or_else(|| remembered?.snapshot.as_ref()?.parse().ok());
    }

    /// What later runs continue with.
    pub(super) fn remembered(&self) -> Remembered {
        let snapshot = self.snapshot.filter(|snapshot| *snapshot != Snapshot::Now);
        Remembered {
            hash: self.hash.clone(),
            describedby: self.describedby.clone(),
            rotate: self.rotate.map(|rotate| rotate.to_string()),
            keep: self.keep,
            hubs: self.channels.iter().flat_map(|channels| channels.hubs.clone()).collect(),
            topics: self.channels.as_ref().and_then(|channels| channels.topics_uri.clone()),
            snapshot: snapshot.map(|snapshot| snapshot.to_string()),
            ..Remembered::default()
        }
    }
}

/// Rejects a resource with the URI of a document, where documents are below this base.
///
/// # Errors
///
/// If it has one.
pub(super) fn check_document(documents: &str, record: &Record) -> Result<(), JsValue> {
    match has_document_uri(record, documents, []) {
        true => {
            Err(wrong(&format!("{} has the URI of a document of the Source; choose another documentsUri", record.uri)))
        }
        false => Ok(()),
    }
}

/// The error of a run that does not continue what is published.
pub(super) fn mismatch(mismatch: Mismatch) -> JsValue {
    let other = |what: &str, published: &str, given: &str| {
        format!("{what} is {given}, but the folder was published with {published}; publish to another folder")
    };
    let by_command =
        |what: &str| format!("the folder was published with {what} by the command; continue with the command");
    let message = match &mismatch {
        Mismatch::BaseUri { published, given } => other("baseUri", published, given),
        Mismatch::DocumentsUri { published, given } => other("documentsUri", published, given),
        Mismatch::Suffix { published, given } => other("the extension of documents", published, given),
        Mismatch::InSets => {
            "every resource is in a set, but the folder was published without sets; publish to another folder"
                .to_owned()
        }
        Mismatch::WithoutSets => {
            "no resource is in a set, but the folder was published with sets; publish to another folder".to_owned()
        }
        Mismatch::SetMissing(_) | Mismatch::SetAdded(_) => by_command("sets of files"),
        Mismatch::Channels => "`hubs` is missing, but the folder was published with notification channels; pass `hubs`, or withdraw the channels \
                               with `hubs: []`"
            .to_owned(),
        Mismatch::Topics { published, given } => format!(
            "the topics are below {given}, but were published below {published}, where subscribers wait for them; correct `topicsUri`, or \
             withdraw the channels with `hubs: []` before you publish the new ones"
        ),
        _ => by_command("packages"),
    };
    fail(Kind::Publish, &message)
}
